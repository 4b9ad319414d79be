# SPDX-License-Identifier: MIT
"""A cable between two connectors: its equilibrium for given poses of the second one, and the smallest bend radius."""
import math

import withy

CABLE = {
    "withy": 1,
    "analysis": "quasistatics",
    "time": {"end": 1},
    "gravity": [0, 0, -9.81],
    "rods": [{
        "name": "cable", "length": 0.8, "segments": 40,
        "section": {"shape": "circle", "radius": 4e-3},
        "material": {"density": 1300, "young": 2e7, "poisson": 0.45},
        "ends": {"start": "clamped", "end": "clamped"},
    }],
}

# Where the second connector goes: position, and turn about the vertical axis against the undeformed cable.
POSES = [((0.7, 0.0, 0.0), 0.0), ((0.6, 0.2, 0.0), 30.0), ((0.5, 0.3, 0.1), 60.0), ((0.4, 0.4, 0.1), 90.0)]


def turned(frame: list[float], degrees: float) -> list[float]:
    """The quaternion `frame` turned about the z axis of space."""
    c, s = math.cos(math.radians(degrees) / 2), math.sin(math.radians(degrees) / 2)
    w, x, y, z = frame
    return [c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w]


def main() -> list[float]:
    sim = withy.Simulation(CABLE, end=math.inf)
    sim.settle()
    end = sim.rods["cable"].end
    undeformed, radii = end.frame.tolist(), []
    for position, degrees in POSES:
        end.move(position, turned(undeformed, degrees), duration=1)
        sim.follow(sim.time + 1)
        curvature = (sim.rods["cable"].curvature[:, :2]**2).sum(axis=1)**0.5
        place = sim.rods["cable"].s("curvature")[curvature.argmax()]
        radii.append(float(1 / curvature.max()))
        print(f"{position} turned by {degrees:3.0f} degrees: bend radius {1e3 * radii[-1]:5.1f} mm at s = {place:.2f}, "
              f"force on the connector {end.reaction_force.round(2)} N")
    return radii


if __name__ == "__main__":
    main()
