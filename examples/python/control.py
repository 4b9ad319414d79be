# SPDX-License-Identifier: MIT
"""Control of a soft arm: a hundred times a second its tip is measured and the pressures of three chambers corrected."""
import math

import numpy as np

import withy
from withy.envs import ARM

TARGET = np.array([0.05, -0.03])  # where the tip shall be, seen from above
CHAMBERS = np.array([math.pi / 6, 5 * math.pi / 6, 9 * math.pi / 6])  # where they are: the arm leans away from them


def main() -> float:
    sim = withy.Simulation(ARM, end=math.inf)
    tip = sim.rods["arm"].position
    total = np.zeros(2)
    for k in range(1, 401):
        error = TARGET - tip[-1, :2]
        total += error * 0.01
        wanted = 100 * error + 400 * total
        for i, angle in enumerate(CHAMBERS):
            push = wanted @ [math.cos(angle), math.sin(angle)]
            sim.actuators[i] = min(0.0, push - 10)  # a chamber can only push: its force is negative
        sim.advance(k * 0.01)
        if k % 50 == 0:
            print(f"t = {sim.time:.1f} s   tip at {1e3 * tip[-1].round(4)} mm")
    return float(np.linalg.norm(tip[-1, :2] - TARGET))


if __name__ == "__main__":
    print(f"distance from the target: {1e3 * main():.3f} mm")
