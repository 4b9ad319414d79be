# SPDX-License-Identifier: MIT
"""Hair: one curl is simulated, 180 strands follow it; a picture of the tress before and after it is let go."""
import matplotlib.pyplot as plt
import numpy as np

import withy


def main(picture: str = "hair.png") -> withy.Array:
    sim = withy.Simulation("hair-tress")
    tress = sim.strands["tress"]
    figure, panels = plt.subplots(1, 3, figsize=(9, 4), sharex=True, sharey=True)
    for panel, t in zip(panels, (0.0, 0.1, 0.3)):
        sim.advance(t)
        for strand in tress.positions():
            panel.plot(strand[:, 0], strand[:, 2], color="saddlebrown", linewidth=0.3)
        panel.set_title(f"t = {t:g} s")
        panel.set_aspect("equal")
    figure.savefig(picture, dpi=150)
    middle = tress.positions().mean(axis=(0, 1))
    print("middle of the tress at the end:", middle.round(4))
    return np.array(middle)


if __name__ == "__main__":
    main()
