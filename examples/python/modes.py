# SPDX-License-Identifier: MIT
"""Modes: the lowest frequencies of a cantilever beside those of a slender beam, and how its weight changes them."""
import math

import withy

BEAM = """
withy: 1
analysis: statics
constants: {EI: 1.0, mu: 1.0}
time: {end: 1}
rods:
  - name: beam
    length: 1.0
    segments: 60
    model: inextensible
    stiffness: {shear: [1.0e4, 1.0e4], extension: 1.0e4, bending: [EI, EI], torsion: EI}
    inertia: {mass: mu, rotary: [1.0e-6, 1.0e-6, 2.0e-6]}
    ends: {start: clamped}
    shape: {direction: [0, 0, 1]}
"""
ROOTS = (1.8751040687, 4.6940911330, 7.8547574382)  # of cos(x) cosh(x) = -1


def main() -> list[float]:
    sim = withy.Simulation(BEAM)
    sim.settle()
    found = [float(omega) for omega in sim.modes(count=6).omega[::2]]  # each stands twice: bending about d1 and d2
    for omega, root in zip(found, ROOTS):
        print(f"omega = {omega:8.4f}   slender beam: {root**2:8.4f}   difference {omega / root**2 - 1:+.1e}")
    standing = withy.Simulation(withy.Model(BEAM, gravity=[0, 0, -4]))
    standing.settle()
    lowest = float(standing.modes(count=1).omega[0])
    print(f"standing upright under half of its critical weight: {lowest:.4f} instead of {found[0]:.4f}")
    print(f"first frequency in hertz: {found[0] / 2 / math.pi:.3f}")
    return found + [lowest]


if __name__ == "__main__":
    main()
