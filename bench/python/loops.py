# SPDX-License-Identifier: MIT
"""What Python adds to a loop: the same loops in C and in Python, in turns; and how two threads help.

usage: loops.py LIBRARY, where LIBRARY is made of loops.c. `make bench` runs it.
"""
import ctypes
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import withy

ARM = {
    "withy": 1, "time": {"end": 10, "output": 0.01}, "gravity": [0, 0, -9.81],
    "rods": [{"name": "arm", "length": 0.5, "segments": 10, "section": {"shape": "circle", "radius": 0.004},
              "material": {"density": 1100, "young": 1e9, "poisson": 0.4}, "damping": {"time": 0.001},
              "ends": {"start": "clamped"}}],
    "loads": [{"name": "pull", "at": "end", "force": [0, 0, 0]}],
}
PENDULUM = Path(withy.__file__).parent / "scenarios" / "rubber-pendulum.yaml"


def sample_tip(sim):
    total, position = 0.0, sim.rods["pendulum"].position
    for k in range(1, 1001):
        sim.sample(k * 0.01)
        total += position[-1, 2]
    return total


def sample_probes(sim):
    return sum(sim.record(k * 0.01 for k in range(1, 1001))[:, [1, 4, 7, 10]].ravel().tolist())


def control(sim):
    force, total = [0.0, 0.0, 0.0], 0.0
    position, velocity = sim.rods["arm"].position, sim.rods["arm"].velocity
    for k in range(1, 1001):
        sim.loads["pull"] = force
        sim.advance(k * 0.01)
        x, v = position[-1, 2], velocity[-1, 2]
        total += (0.05 - x) * 0.01
        force[2] = 20 * (0.05 - x) - 0.5 * v + 20 * total
    return force[2]


LOOPS = {"tip": (PENDULUM, sample_tip), "probes": (PENDULUM, sample_probes), "control": (ARM, control)}


def in_python(name):
    """Seconds a step, of this process alone, and the result."""
    scenario, loop = LOOPS[name]
    sim = withy.Simulation(scenario)
    start = time.process_time()
    result = loop(sim)
    return (time.process_time() - start) / 1000, result


def in_c(library, name, arm):
    function, result = library.wy_bench_loop, ctypes.c_double()
    function.restype = ctypes.c_double
    file = os.fsencode(arm if name == "control" else PENDULUM)
    return function(list(LOOPS).index(name), file, ctypes.byref(result)), result.value


def compare(library, rounds=60):
    """For each loop the smallest times in C and in Python, and by how much the results differ."""
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        arm = Path(folder) / "arm.json"
        arm.write_text(json.dumps(ARM), encoding="utf-8")
        for name in LOOPS:
            times = [(in_c(library, name, arm), in_python(name)) for _ in range(rounds)]
            best[name] = (min(c[0] for c, _ in times), min(python[0] for _, python in times),
                          abs(times[0][0][1] - times[0][1][1]))
    return best


def threads(rounds=40):
    """Smallest seconds of 8 rollouts on one thread and on two."""
    actions = np.random.default_rng(0).uniform(-20, 0, (8, 25, 3))
    model, best = withy.Model(withy.envs.ARM), {1: 1e9, 2: 1e9}
    for _ in range(rounds):
        for count in best:
            start = time.perf_counter()
            withy.rollout(model, actions, step=0.02, threads=count)
            best[count] = min(best[count], time.perf_counter() - start)
    return best


if __name__ == "__main__":
    print(f"{'loop':10} {'C, us':>10} {'Python, us':>12} {'added, us':>10} {'ratio':>7}   difference of results")
    for name, (c, python, apart) in compare(ctypes.CDLL(sys.argv[1])).items():
        print(f"{name:10} {1e6 * c:10.2f} {1e6 * python:12.2f} {1e6 * (python - c):10.2f} {python / c:7.3f}   {apart:g}")
    one, two = threads().values()
    print(f"\n8 rollouts of 25 steps: one thread {one:.3f} s, two {two:.3f} s, {one / two:.2f} times as fast")
