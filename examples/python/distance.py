# SPDX-License-Identifier: MIT
"""Hair on a head with a neck: the form is a grid of distances in a file, which withy reads."""
import h5py
import numpy as np
import numpy.typing as npt

import withy

RADIUS, STEP, HALF = 0.1, 0.005, 0.16
Array = npt.NDArray[np.float64]

SCENARIO = {
    "withy": 1,
    "time": {"end": 0.5, "output": 1 / 60},
    "gravity": [0, 0, -9.81],
    "rods": [{
        "name": "strand", "length": 0.15, "segments": 12,
        "section": {"shape": "circle", "radius": 3.5e-5},
        "material": {"density": 1300, "young": 4e9, "poisson": 0.4},
        "damping": {"time": 1e-4}, "drag": {"translation": 5}, "ends": {"start": "clamped"},
    }],
    "obstacles": [{"name": "head", "shape": "distance", "file": "head.h5"}],
    "contact": {"friction": {"coefficient": 0.2, "stick": False}},
    "batches": [{
        "name": "hair", "rod": "strand", "count": 100,
        "roots": {"surface": "cap", "radius": 1.002 * RADIUS, "angle": 1.2, "spread": "even", "lean": 0.8, "turn": "2*pi*u"},
    }],
}


def distance(x: Array, y: Array, z: Array) -> Array:
    """From the surface of a ball on a cylinder, negative inside."""
    ball = np.sqrt(x**2 + y**2 + z**2) - RADIUS
    neck = np.maximum(np.sqrt(x**2 + y**2) - 0.5 * RADIUS, z)
    return np.asarray(np.minimum(ball, neck))


def write(path: str) -> None:
    axis = np.arange(-HALF, HALF + 0.5 * STEP, STEP)
    with h5py.File(path, "w") as file:
        data = file.create_dataset("distance", data=distance(*np.meshgrid(axis, axis, axis, indexing="ij")))
        data.attrs["origin"], data.attrs["step"] = [-HALF] * 3, STEP


def main() -> float:
    write("head.h5")
    with withy.Batch(SCENARIO, "hair") as hair:
        for _ in range(30):
            hair.advance(1 / 60)
        position = hair.positions()
    print(f"{len(position)} strands, the lowest tip at z = {position[:, -1, 2].min():.3f} m")
    return float(distance(*np.moveaxis(position, -1, 0)).min())


if __name__ == "__main__":
    print(f"the nearest to the surface: {1e3 * main():.3f} mm")
