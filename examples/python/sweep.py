# SPDX-License-Identifier: MIT
"""A sweep: how far a cantilever sags, over its stiffness and its length."""
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
    "probes": [{"name": "tip", "rod": "beam", "at": "end", "quantity": "position"}],
}
PLAN = {
    "withy": 1,
    "scenario": BEAM,  # or the name of a file
    "vary": {
        "constants.E": {"from": 1e8, "to": 1e10, "count": 5, "scale": "log"},
        "constants.L": {"from": 0.2, "to": 1.0, "count": 5},
    },
    "keep": {"height": {"probe": "tip.z"}, "sag": "-height"},
}


def main() -> withy.Array:
    sweep = withy.sweep(PLAN)  # on all cores; withy.sweep(PLAN, "sag.out") leaves the files of `withy sweep`
    table: withy.Array = sweep.grid("sag")
    moduli, lengths = sweep.axes.values()
    print("sag / length; columns: lengths", lengths)
    for young, row in zip(moduli, table / lengths):
        print(f"E = {young:7.1e}  ", row.round(4))
    return table


if __name__ == "__main__":
    main()
