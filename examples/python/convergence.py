# SPDX-License-Identifier: MIT
"""Convergence: how the error of the tip of a drooping cantilever falls with the number of segments, for two schemes."""
import matplotlib.pyplot as plt
import numpy as np

import withy

BEAM = """
withy: 1
analysis: statics
time: {end: 1}
gravity: [0, 0, -9.81]
rods:
  - name: beam
    length: 1.0
    segments: 10
    section: {shape: circle, radius: 5.0e-3}
    material: {density: 1100, young: 5.0e7, poisson: 0.5}
    ends: {start: clamped}
"""


def tip(segments: int, scheme: str) -> withy.Array:
    sim = withy.Simulation(withy.Model(BEAM, **{"rods.beam.segments": segments, "solver.scheme": scheme}))
    sim.settle()
    return np.array(sim.rods["beam"].position[-1])


def main(picture: str = "convergence.svg") -> dict[str, float]:
    counts, orders = np.array([5, 10, 20, 40]), {}
    exact = tip(160, "mixed")  # fine, and of order 4: taken as exact
    for scheme in ("staggered", "mixed"):
        errors = [np.linalg.norm(tip(int(n), scheme) - exact) for n in counts]
        orders[scheme] = float(-np.polyfit(np.log(counts), np.log(errors), 1)[0])
        plt.loglog(counts, errors, "o-", label=f"{scheme}: order {orders[scheme]:.2f}")
    plt.xlabel("segments")
    plt.ylabel("error of the tip, m")
    plt.legend()
    plt.savefig(picture)
    print(orders)
    return orders


if __name__ == "__main__":
    main()
