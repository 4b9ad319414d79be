# SPDX-License-Identifier: MIT
"""Lines in a fluid, in a plane: the boundary value problem of the rod that cannot stretch, by collocation of order 4 with error
control (scipy's solve_bvp). Unknowns x, z, angle to the vertical, moment, force of the part above (horizontal, vertical).
Made: riser.csv, the equilibrium of the scenario riser, at eleven arc lengths."""
import numpy as np
from scipy.integrate import solve_bvp

from table import Comparison, stored

NAMES = ("x", "z", "angle", "moment", "horizontal", "vertical")


def riser():
    """The numbers of scenarios/riser.yaml; the pipe stretches by 4e-4, which is in it by Hooke's law."""
    length, pull, gravity = 100.0, 6.0e4, 9.81
    outer, inner, young = 0.1, 0.09, 2.07e11
    stretching = young * np.pi * (outer**2 - inner**2)
    bending = young * np.pi * (outer**4 - inner**4) / 4
    water, diameter = 1025.0, 2 * outer
    weight = (68 - water * np.pi * outer**2) * gravity
    across, along = 0.5 * water * diameter * 1.1, 0.5 * water * np.pi * diameter * 0.01

    scale = np.array([1, length, 0.1, 1e3, 1e3, pull])[:, None]  # so that errors of all unknowns count alike

    def rates(s, y):
        x, z, angle, moment, horizontal, vertical = scale * y
        sine, cosine = np.sin(angle), np.cos(angle)
        speed = 1.2 * (1 + z / length)
        normal, tangential = across * speed * cosine * abs(speed * cosine), along * speed * sine * abs(speed * sine)
        tension, shear = horizontal * sine + vertical * cosine, horizontal * cosine - vertical * sine
        stretch = 1 + tension / stretching
        out = np.vstack([stretch * sine, stretch * cosine, moment / bending, -stretch * shear,
                          -(normal * cosine + tangential * sine), weight + normal * sine - tangential * cosine])
        return out / scale

    def ends(a, b):
        a, b = scale[:, 0] * a, scale[:, 0] * b
        return np.array([a[0], (a[1] + length) / length, a[3] / 1e3, b[0], b[3] / 1e3, b[5] / pull - 1])

    s = np.linspace(0, length, 401)
    guess = np.vstack([1.2 * np.sin(np.pi * s / length), s - length, 0 * s, 0 * s, 0 * s, pull + weight * (s - length)])
    solution = solve_bvp(rates, ends, s, guess / scale, tol=1e-9, max_nodes=20000)
    assert solution.success, solution.message
    return lambda at: scale[:, 0] * solution.sol(at)


if __name__ == "__main__":
    c = Comparison()
    at = riser()
    for row in stored("riser.csv"):
        values = dict(zip(NAMES, at(row["s"])))
        c.row("riser.csv", row, values, {"x": 1e-8, "z": 1e-8, "angle": 1e-9, "moment": 1e-4, "horizontal": 1e-5, "vertical": 1e-5})
    c.end()
