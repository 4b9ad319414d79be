"""A sweep: how far a cantilever sags, over its stiffness and its length."""
import numpy as np

import withy

BEAM = {
    "withy": 1,
    "analysis": "statics",
    "constants": {"L": 1.0, "E": 1e9},
    "time": {"end": 1},
    "gravity": [0, 0, -9.81],
    "rods": [{
        "name": "beam", "length": "L", "segments": 20,
        "section": {"shape": "circle", "radius": 5e-3},
        "material": {"density": 1000, "young": "E", "poisson": 0.4},
        "ends": {"start": "clamped"},
    }],
}


def sag(young: float, length: float) -> float:
    model = withy.Model(BEAM, **{"constants.E": young, "constants.L": length})
    with withy.Simulation(model) as sim:
        sim.settle()
        return float(-sim.rods["beam"].position[-1, 2])


def main() -> withy.Array:
    moduli, lengths = np.geomspace(1e8, 1e10, 5), np.linspace(0.2, 1.0, 5)
    table = np.array([[sag(young, length) for length in lengths] for young in moduli])
    print("sag / length; columns: lengths", lengths)
    for young, row in zip(moduli, table / lengths):
        print(f"E = {young:7.1e}  ", row.round(4))
    return table


if __name__ == "__main__":
    main()
