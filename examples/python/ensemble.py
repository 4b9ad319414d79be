# SPDX-License-Identifier: MIT
"""An ensemble: a cable whose material is known roughly only. A thousand samples are let go at once; how far does it sag?"""
from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import withy

LENGTH, RADIUS = 0.3, 3e-3
CABLE = {
    "withy": 1,
    "time": {"end": 1},
    "gravity": [0, 0, -9.81],
    "rods": [{"name": "cable", "length": LENGTH, "segments": 20, "section": {"shape": "circle", "radius": RADIUS},
              "material": {"density": 1200, "young": 5e8, "poisson": 0.4}, "damping": {"time": 0.01},
              "shape": {"direction": [1, 0, 0]}, "ends": {"start": "clamped"}}],
}


def main(count: int = 1000, picture: str = "ensemble.svg") -> tuple[withy.Array, withy.Array, withy.Array]:
    chance = np.random.default_rng(1)
    batch = withy.Batch(CABLE, count=count)
    batch.young = 5e8 * np.exp(0.2 * chance.standard_normal(count))  # known to a fifth
    batch.density = chance.uniform(1100, 1300, count)
    times, sag = [0.0], [np.zeros(count)]
    while batch.time < 0.999:
        batch.advance(1 / 60)
        times.append(batch.time)
        sag.append(-batch.positions()[:, -1, 2])

    low, middle, high = np.quantile(sag, [0.05, 0.5, 0.95], axis=1)
    figure, panel = plt.subplots(figsize=(6, 4))
    panel.fill_between(times, 1e3 * low, 1e3 * high, alpha=0.3, label="90 % of all")
    panel.plot(times, 1e3 * middle, label="median")
    panel.set_xlabel("t in s")
    panel.set_ylabel("sag of the tip in mm")
    panel.legend()
    figure.savefig(picture)
    print(f"{count} cables in {batch.work.frames} frames, {batch.info.substeps} substeps each, on {batch.info.machine}")
    print(f"sag at the end: {1e3 * middle[-1]:.1f} mm, between {1e3 * low[-1]:.1f} and {1e3 * high[-1]:.1f} in 90 % of all")
    return batch.young, batch.density, np.array(sag)


if __name__ == "__main__":
    main()
