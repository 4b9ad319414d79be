# SPDX-License-Identifier: MIT
"""How wrong is a result? The error that `withy.converge` estimates, beside the error against a much finer run."""
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
probes:
  - {name: tip, rod: beam, at: end, quantity: position}
"""


def main() -> tuple[float, float]:
    found = withy.converge(BEAM)  # 10, 20 and 40 segments
    print(found)
    tip = found["tip"]
    fine = withy.Simulation(withy.Model(BEAM, **{"rods.beam.segments": 640}))
    fine.settle()
    error = float(np.linalg.norm(tip.values[0] - fine.rods["beam"].position[-1]))
    print(f"error of the tip: {tip.error:.3g} m estimated, {error:.3g} m against 640 segments")
    print(f"segments for an error of 1e-5: {10 * found.needed('tip', 1e-5):.0f}")
    return tip.error, error


if __name__ == "__main__":
    main()
