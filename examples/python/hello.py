# SPDX-License-Identifier: MIT
"""Hello: a rubber rod falls, swings, and shows itself in 3D."""
import numpy as np

import withy

SCENARIO = """
withy: 1
title: Hello
time: {end: 2, output: 0.02}
gravity: [0, 0, -9.81]
rods:
  - name: rod
    length: 1.0
    segments: 10
    section: {shape: circle, radius: 5.0e-3}
    material: {density: 1100, young: 5.0e6, poisson: 0.5}
    damping: {time: 0.005}
    ends: {start: pinned}
probes:
  - {name: tip, at: end, quantity: position}
"""


def main() -> tuple[withy.Array, float]:
    sim = withy.Simulation(SCENARIO)
    position = sim.rods["rod"].position  # no copy: it shows the present from now on
    for t in np.linspace(0, 0.5, 6):
        sim.advance(t)
        print(f"t = {t:.1f}   tip at {position[-1].round(3)}")

    run = withy.run(SCENARIO)  # the same as a run with files
    print(run.probes.tail(3))
    print("page in 3D:", run.view("hello.html"))
    return position[-1].copy(), float(run.probes["tip.z"][25])


if __name__ == "__main__":
    main()
