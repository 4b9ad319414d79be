"""What Python adds to a loop: the same loops in C and in Python, in turns; and how two threads help.

usage: loops.py LOOPS, where LOOPS is the program of loops.c. `make bench` runs it.
"""
import json
import subprocess
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


def measure(name):
    """Seconds a step, of this process alone, and the result."""
    scenario, loop = LOOPS[name]
    sim = withy.Simulation(scenario)
    start = time.process_time()
    result = loop(sim)
    return (time.process_time() - start) / 1000, result


def compare(program, rounds=5):
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        arm = Path(folder) / "arm.json"
        arm.write_text(json.dumps(ARM), encoding="utf-8")
        for _ in range(rounds):
            lines = subprocess.run([program, PENDULUM, arm], check=True, capture_output=True, text=True).stdout
            for line in lines.splitlines():
                name, seconds, result = line.split()
                mine = min(measure(name) for _ in range(3))
                old = best.get(name, (1e9, 1e9))
                best[name] = (min(old[0], float(seconds)), min(old[1], mine[0]), abs(mine[1] - float(result)))
    return best


def threads():
    """Seconds of 16 rollouts on one thread and on two."""
    actions = np.random.default_rng(0).uniform(-20, 0, (16, 100, 3))
    model, best = withy.Model(withy.envs.ARM), {1: 1e9, 2: 1e9}
    for _ in range(5):
        for count in best:
            start = time.perf_counter()
            withy.rollout(model, actions, step=0.02, threads=count)
            best[count] = min(best[count], time.perf_counter() - start)
    return best


if __name__ == "__main__":
    print(f"{'loop':10} {'C, us':>10} {'Python, us':>12} {'added, us':>10} {'ratio':>7}   difference of results")
    for name, (c, python, apart) in compare(sys.argv[1]).items():
        print(f"{name:10} {1e6 * c:10.2f} {1e6 * python:12.2f} {1e6 * (python - c):10.2f} {python / c:7.3f}   {apart:g}")
    one, two = threads().values()
    print(f"\n16 rollouts of 100 steps: one thread {one:.3f} s, two {two:.3f} s, {one / two:.2f} times as fast")
