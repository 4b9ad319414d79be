# SPDX-License-Identifier: MIT
"""Read a run: probes as a table, snapshots as arrays, the summary, and the page in 3D."""
from pathlib import Path

import numpy as np

import withy


def main(folder: str = "pendulum.out") -> tuple[float, float]:
    if not Path(folder).exists():
        withy.run("rubber-pendulum", folder)  # or in a shell: withy run rubber-pendulum -o pendulum.out
    run = withy.open(folder)
    lowest = run.probes["tip.z"].idxmin()
    print(f"lowest point of the tip: {run.probes['tip.z'][lowest]:.4f} m at t = {run.probes['t'][lowest]:.2f} s")

    position = run.field("pendulum", "position")  # [snapshots, points, 3]
    stretch = np.linalg.norm(np.diff(position.values, axis=1), axis=2).sum(axis=1).max()
    print(f"{len(position.times)} snapshots; the rod was at most {stretch:.4f} m long")

    print("status:", run.summary["status"], "- energy drift:", run.summary["energy"]["drift"])
    print("page in 3D:", run.view())
    return float(run.probes["tip.z"][lowest]), float(stretch)


if __name__ == "__main__":
    main()
