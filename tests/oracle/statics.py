# SPDX-License-Identifier: MIT
"""bent_cantilever.csv, and the values of statics.md, box_statics.md and maxwell.md that are no closed forms in the tests.
Run: /usr/bin/python3 tests/oracle/statics.py    (seconds)

Equilibria of a rod by shooting: r' = R v, R' = R [u], n' = -f, m' = -r' x n in space axes, integrated from the clamp by the
Runge-Kutta method of order 4 and extrapolated; Newton's method finds force and moment at the clamp.
"""
import numpy as np
from table import Comparison, stored


def cross(a, b):
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


class Rod:
    """Compliances of shear, shear, extension and of bending, bending, torsion; curvature of the undeformed rod; weight per
    length, of space; frame at the clamp (columns d1, d2, d3)."""

    def __init__(self, length, soft, bend, frame, place=(0, 0, 0), curvature=(0, 0, 0), weight=(0, 0, 0)):
        self.length, self.soft, self.bend, self.frame = length, np.array(soft), np.array(bend), np.array(frame, float)
        self.place, self.curvature, self.weight = np.array(place, float), np.array(curvature), np.array(weight)

    def slope(self, y):
        r = y[3:12].reshape((3, 3) + y.shape[1:])
        n, m = y[12:15], y[15:18]
        local = lambda a: np.einsum("ij...,i...->j...", r, a)
        column = lambda a: np.reshape(a, (3,) + (1,) * (y.ndim - 1))
        v = column(self.soft) * local(n) + column((0, 0, 1))
        u = column(self.bend) * local(m) + column(self.curvature)
        tangent = np.einsum("ij...,j...->i...", r, v)
        turn = np.stack([cross(u, np.stack([(i == k) + 0 * u[0] for k in range(3)])) for i in range(3)], axis=1)
        dr = np.einsum("ij...,jk...->ik...", r, turn)
        return np.concatenate([tangent, dr.reshape((9,) + y.shape[1:]), -column(self.weight) + 0 * n, -cross(tangent, n)])

    def shoot(self, force, steps):
        """From the clamp, where the rod carries (n, m) = force, to the end."""
        start = np.concatenate([self.place, self.frame.ravel()]).reshape((12,) + (1,) * (force.ndim - 1))
        y = np.concatenate([start + np.zeros((12,) + force.shape[1:]), force])
        h = self.length / steps
        for _ in range(steps):
            a = self.slope(y)
            b = self.slope(y + h / 2 * a)
            c = self.slope(y + h / 2 * b)
            y = y + h / 6 * (a + 2 * b + 2 * c + self.slope(y + h * c))
        return y

    def correct(self, wanted, force, steps):
        for _ in range(50):
            y = wanted(self.shoot(force[:, None] + 1e-30j * np.eye(6), steps))
            d = np.linalg.solve(y.imag / 1e-30, -y[:, 0].real)
            force = force + d
            if np.abs(d).max() < 1e-13 * max(1, np.abs(force).max()):
                break
        return force

    def solve(self, wanted, guess, steps):
        """wanted(end) = 0 for the state at the end; extrapolated from steps and twice as many: of order 5."""
        ends = []
        for k in (1, 2):
            guess = self.correct(wanted, guess, k * steps)
            ends.append(np.concatenate([self.shoot(guess, k * steps)[:12], guess]))
        return (16 * ends[1] - ends[0]) / 15


def loaded(force, moment):
    """A free end under a dead force and moment."""
    both = np.concatenate([force, moment])
    return lambda y: y[12:18] - both.reshape((6,) + (1,) * (y.ndim - 1))


def along_loads(rod, force, moment, loads, steps):
    """Ends under growing loads, each the guess for the next; in small increments."""
    guess, out, last = np.zeros(6), [], 0.0
    for load in loads:
        for part in np.linspace(last, load, 5)[1:]:
            wanted = loaded(part * np.array(force), part * np.array(moment))
            guess = rod.correct(wanted, guess, steps // 3)
        end = rod.solve(wanted, guess, steps)
        out.append(end)
        last = load
    return out


def bent(c):
    length = 2 * np.pi
    p = 20 / length**2
    frame = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # d1 = y, d2 = z, d3 = x
    table = stored("bent_cantilever.csv")
    for rigid in (1, 0):
        rows = [row for row in table if row["inextensible"] == rigid]
        soft = (0, 0, 0) if rigid else (1, 1, 1 / 5)
        rod = Rod(length, soft, (1 / 2, 1 / 2, 1 / 0.5), frame)
        ends = along_loads(rod, (0, -p, 0), (0, 0, 2.5 * p), [row["load_factor"] for row in rows], 120)
        for row, end in zip(rows, ends):
            d3 = end[3:12].reshape(3, 3)[:, 2]
            moment = frame.T @ end[15:18]
            c.row("bent_cantilever.csv", row,
                  dict(tip_x=end[0], tip_y=end[1], tip_theta=np.arctan2(d3[1], d3[0]), M_clamp=moment[1]), 1e-9)


def hanging(c):
    frame = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    guess = np.zeros(6)
    for part in np.linspace(0, 1, 21)[1:]:
        rod = Rod(1, (0, 0, 0), (50, 50, 50), frame, weight=(0, -part, 0))
        guess = rod.correct(loaded(np.zeros(3), np.zeros(3)), guess, 40)
    end = rod.solve(loaded(np.zeros(3), np.zeros(3)), guess, 250)
    c.value("rest under gravity, tip x", end[0], 0.2450147563, 1e-10)
    c.value("rest under gravity, tip y", end[1], -0.9079171235, 1e-10)


def coil(c):
    a = 0.15
    radius = np.cos(a) / (10 * np.pi)
    d3, d1 = np.array([0, np.cos(a), np.sin(a)]), np.array([-1.0, 0, 0])
    frame = np.stack([d1, np.cross(d3, d1), d3], axis=1)
    rod = Rod(1, (0, 0, 0), (1e3, 1e3, 1.5e3), frame, (radius, 0, 0),
              (0, np.cos(a)**2 / radius, np.sin(a) * np.cos(a) / radius))
    known = {0.01: (0.0142175, 0.0018921, 0.1702079), 0.02: (0.0077151, 0.0027717, 0.1866449)}
    for (force, want), end in zip(known.items(), along_loads(rod, (0, 0, 1), (0, 0, 0), list(known), 400)):
        for k in range(3):
            c.value(f"coil under {force}, tip {'xyz'[k]}", end[k], want[k], 1e-7)
    # Both ends clamped, one moved along the axis: where it is and how its section stands.
    place, first = np.array([radius, 0, np.sin(a)]), frame  # after five whole turns
    guess = np.zeros(6)
    for part in np.linspace(0, 0.04483144, 5)[1:]:
        def wanted(y):
            shape = (3,) + (1,) * (y.ndim - 1)
            r = np.einsum("ji,jk...->ik...", first, y[3:12].reshape((3, 3) + y.shape[1:]))
            turned = np.stack([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
            return np.concatenate([y[:3] - (place + (0, 0, part)).reshape(shape), turned])
        guess = rod.correct(wanted, guess, 60)
    end = rod.solve(wanted, guess, 400)
    # What the rod beyond a section exerts on the part before it, at the start; the force is the same all along.
    for k, want in enumerate((0, -2.203198e-3, 3.149746e-2)):
        c.value(f"drawn coil, force {'xyz'[k]}", end[12 + k], want, 1e-8)
    for k, want in enumerate((2.140071e-4, 9.823557e-4, 1.02183e-5)):
        c.value(f"drawn coil, couple at the start {'xyz'[k]}", end[15 + k], want, 1e-9)


def elastica(c):
    """Dead force across, EI = L = 1."""
    frame = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    rod = Rod(1, (0, 0, 0), (1, 1, 1), frame)
    known = {0.5: (0.01591896, 0.16214358), 1: (0.05643324, 0.30172077), 2: (0.16064172, 0.49345748),
             5: (0.38762836, 0.71379152), 10: (0.55499560, 0.81060902)}
    for (force, want), end in zip(known.items(), along_loads(rod, (0, 1, 0), (0, 0, 0), list(known), 60)):
        c.value(f"elastica under {force}, shortening", 1 - end[0], want[0], 1e-8)
        c.value(f"elastica under {force}, deflection", end[1], want[1], 1e-8)


def standard_linear_solid(c):
    """k = 1 beside a branch of stiffness 2 and time 0.5: relaxation, and creep with time 0.5 * (1 + 2) / 1."""
    c.value("relaxation", 0.3 * (1 + 2 * np.exp(-1)), 0.5207276647, 1e-10)
    c.value("creep", 0.3 * (1 - 2 / 3 * np.exp(-1.5 / 1.5)), 0.2264241118, 1e-10)


if __name__ == "__main__":
    c = Comparison()
    bent(c)
    hanging(c)
    coil(c)
    elastica(c)
    standard_linear_solid(c)
    c.end()
