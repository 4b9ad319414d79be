# SPDX-License-Identifier: MIT
"""A fit: stiffness and damping of a rod from the noisy path of its tip, by scipy."""
import numpy as np
from scipy.optimize import least_squares

import withy

ROD = """
withy: 1
constants: {E: 5.0e6, tau: 0.01}
time: {end: 0.5, output: 0.01}
gravity: [0, 0, -9.81]
rods:
  - name: rod
    length: 0.4
    segments: 8
    section: {shape: circle, radius: 5.0e-3}
    material: {density: 1100, young: E, poisson: 0.5}
    damping: {time: tau}
    ends: {start: clamped}
probes:
  - {name: tip, at: end, quantity: position}
solver: {tolerance: 1.0e-8}
"""
TRUTH = (5.0e6, 0.01)


def path(young: float, damping: float) -> withy.Array:
    model = withy.Model(ROD, **{"constants.E": young, "constants.tau": damping})
    return withy.Simulation(model).record()[:, 1:].ravel()


def main() -> tuple[float, float]:
    noise = np.random.default_rng(1).normal(0, 1e-3, path(*TRUTH).shape)  # a millimetre
    measured = path(*TRUTH) + noise

    def misfit(logarithms: withy.Array) -> withy.Array:
        young, damping = np.exp(logarithms)
        return path(float(young), float(damping)) - measured

    found = least_squares(misfit, np.log([2e6, 0.03]), diff_step=1e-4)
    young, damping = np.exp(found.x)
    spread = np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac))) * 1e-3
    print(f"E   = {young:.4g} +- {100 * spread[0]:.2f} %   (true: {TRUTH[0]:.4g})")
    print(f"tau = {damping:.4g} +- {100 * spread[1]:.2f} %   (true: {TRUTH[1]:.4g}), {found.nfev} evaluations")
    return float(young), float(damping)


if __name__ == "__main__":
    main()
