# SPDX-License-Identifier: MIT
"""Many rods in threads: a hundred arms under random pressures; each thread computes while the others do."""
import time

import numpy as np

import withy
from withy.envs import ARM


def main(count: int = 100) -> withy.Array:
    model = withy.Model(ARM)
    actions = np.random.default_rng(0).uniform(-20, 0, (count, 10, len(model.actuators)))
    start = time.perf_counter()
    seen = withy.rollout(model, actions, step=0.02)
    seconds = time.perf_counter() - start
    tips = seen[:, -1, 1:4]
    print(f"{count} arms, {seen.shape[1] - 1} steps each, in {seconds:.2f} s")
    print("tips: mean", tips.mean(axis=0).round(4), "spread", tips.std(axis=0).round(4))
    return seen


if __name__ == "__main__":
    main()
