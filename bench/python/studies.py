# SPDX-License-Identifier: MIT
"""What a point of a sweep costs from Python and from the command, and how two threads help.

usage: studies.py WITHY, where WITHY is the command. `make bench` runs it.
"""
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import withy

POINTS = 500
# A cantilever that swings for a moment: about a millisecond each.
BEAM = {
    "withy": 1, "constants": {"E": 1e8}, "time": {"end": 0.1, "output": 0.01}, "gravity": [0, 0, -9.81],
    "rods": [{"name": "beam", "length": 0.5, "segments": 8, "section": {"shape": "circle", "radius": 4e-3},
              "material": {"density": 1100, "young": "E", "poisson": 0.4}, "damping": {"time": 1e-3},
              "ends": {"start": "clamped"}}],
    "probes": [{"name": "tip", "at": "end", "quantity": "position"}],
}


def plan(points):
    return {"withy": 1, "scenario": BEAM, "vary": {"constants.E": {"from": 1e8, "to": 2e8, "count": points}},
            "keep": {"sag": {"probe": "tip.z", "of": "min"}}}


def seconds():
    """Of the clock, and of computation: by this process and those that it has started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return time.perf_counter(), sum(one.ru_utime + one.ru_stime for one in used)


def measure(command, points=POINTS, rounds=5):
    """The smallest seconds of each way, of the clock and of computation, and whether all give the same file."""
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "beam.json").write_text(json.dumps(BEAM), encoding="utf-8")
        file = Path(folder) / "plan.json"
        file.write_text(json.dumps({**plan(points), "scenario": "beam.json"}), encoding="utf-8")
        out = [Path(folder) / name for name in ("command", "files", "saved")]

        def sweep(threads):
            return subprocess.run([command, "sweep", file, "-o", out[0], "-j", str(threads), "--quiet"], check=True)

        ways = {
            "withy sweep -j 1": lambda: sweep(1),
            "withy sweep -j 2": lambda: sweep(2),
            "Python, 1 thread, files": lambda: withy.sweep(file, out[1], threads=1),
            "Python, 1 thread": lambda: withy.sweep(file, threads=1),
            "Python, 2 threads": lambda: withy.sweep(file, threads=2),
        }
        for _ in range(rounds):
            for name, way in ways.items():
                start = seconds()
                result = way()
                spent = [end - begin for end, begin in zip(seconds(), start)]
                best[name] = [min(pair) for pair in zip(best.get(name, spent), spent)]
        result.save(out[2])
        same = len({(one / "sweep.csv").read_bytes() for one in out}) == 1
    return best, same


if __name__ == "__main__":
    found, same = measure(sys.argv[1])
    print(f"{POINTS} points; ms a point: {'clock':>28} {'computation':>12} {'ratio':>7}")
    base = found["withy sweep -j 1"][1]
    for name, (clock, spent) in found.items():
        print(f"{name:40} {1e3 * clock / POINTS:12.3f} {1e3 * spent / POINTS:12.3f} {spent / base:7.3f}")
    faster = [found[one][0] / found[two][0] for one, two in (("withy sweep -j 1", "withy sweep -j 2"),
                                                             ("Python, 1 thread", "Python, 2 threads"))]
    print(f"two threads are {faster[0]:.2f} (command) and {faster[1]:.2f} (Python) times as fast as one; same rows: {same}")
