# SPDX-License-Identifier: MIT
"""What a sweep gains as a batch: 1000 points of a rubber rod of 20 segments, one thread, errors against a fine solution.

usage: sweep_batch.py WITHY, where WITHY is the command.
"""
import csv
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
ROD = """withy: 1
time: {end: 0.1, output: 0.01}
gravity: [0, 0, -9.81]
rods:
  - name: pendulum
    length: 1
    segments: 20
    section: {shape: circle, radius: 5.0e-3}
    material: {density: 1100, young: 5.0e6, poisson: 0.5}
    damping: {shear: [0.2, 0.2], extension: 4.0, bending: [4.0e-4, 4.0e-4], torsion: 1.6e-5}
    shape: {direction: [0, 1, 0], d1: [0, 0, 1]}
    ends: {start: pinned}
probes: [{name: tip, at: end, quantity: position}]
"""
PLAN = """withy: 1
scenario: rod.yaml
vary:
  rods.pendulum.material.young: {from: 3e6, to: 8e6}
  rods.pendulum.section.radius: {from: 4, to: 6, unit: mm}
combine: sobol
count: 1000
"""
WAYS = {"exact": "set: {solver: {integrator: radau5, tolerance: 1e-9}}\n",
        "RODAS 1e-3": "set: {solver: {integrator: rodas, tolerance: 1e-3}}\n",
        "batch, double": "batch: {substeps: 3}\n",
        "batch, single": "batch: {substeps: 3, precision: single}\n"}


def sweep(command, folder, way):
    """Its seconds, as it says them."""
    plan = folder / f"{way}.yaml"
    plan.write_text(PLAN + WAYS[way], encoding="utf-8")
    said = subprocess.run([command, "sweep", plan, "-o", folder / way, "-j", "1", "--no-page"], check=True,
                          capture_output=True, text=True).stdout
    return float(re.search(r", (\S+) s with", said)[1])


def tips(folder):
    with open(folder / "sweep.csv", newline="", encoding="utf-8") as file:
        return [[float(row[f"tip.{axis}"]) for axis in "xyz"] for row in csv.DictReader(file)]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "rod.yaml").write_text(ROD, encoding="utf-8")
        best = {way: math.inf for way in WAYS}
        for turn in range(ROUNDS):
            for way in WAYS:
                if turn == 0 or way != "exact":
                    best[way] = min(best[way], sweep(sys.argv[1], folder, way))
        exact = tips(folder / "exact")
        for way in list(WAYS)[1:]:
            errors = [math.dist(one, other) for one, other in zip(tips(folder / way), exact)]
            root = math.sqrt(sum(error**2 for error in errors) / len(errors))
            print(f"{way}: {best[way]:.3f} s, {best['RODAS 1e-3'] / best[way]:.1f} times as fast, error of the tip {root:.1e} m")


if __name__ == "__main__":
    main()
