# SPDX-License-Identifier: MIT
"""A hundred thousand simulations are made and dropped without growth; so are models, runs and arrays. labels: slow"""
import gc
import json
import unittest
import warnings
from pathlib import Path

from common import SMALL

import withy


def resident():
    """Memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def growth(make, count):
    """By how much memory grows while make() is called `count` times, after a tenth of that to warm up."""
    for _ in range(count // 10):
        make()
    gc.collect()
    before = resident()
    for _ in range(count):
        make()
    gc.collect()
    return resident() - before


class Memory(unittest.TestCase):
    # A single simulation holds over 20 kB: a page in a thousand would show. Allocators keep a few pages to themselves.
    ROOM = 1 << 20

    def test_simulations(self):
        model = withy.Model(SMALL)

        def make():
            sim = withy.Simulation(model)
            sim.rods["a"].position.sum()

        self.assertLess(growth(make, 100_000), self.ROOM)

    def test_models(self):
        text = json.dumps(SMALL)
        self.assertLess(growth(lambda: withy.Simulation(text).step(), 10_000), self.ROOM)

    def test_refused_models(self):
        text = json.dumps(dict(SMALL, gravity=[0, 0]))

        def make():
            with self.assertRaises(withy.InputError):
                withy.Model(text)

        self.assertLess(growth(make, 5_000), self.ROOM)

    def test_arrays_that_outlive_their_simulation(self):
        model, kept = withy.Model(SMALL), []

        def make():
            with withy.Simulation(model) as sim:
                kept[:] = [sim.rods["a"].position, sim.rods["a"].end.reaction_force]

        self.assertLess(growth(make, 10_000), self.ROOM)

    def test_batches(self):
        """A batch of these holds over 100 kB, and its threads."""
        model = withy.Model(SMALL)

        def make():
            batch = withy.Batch(model, count=40, substeps=2, threads=2)
            batch.advance(0.01)
            batch.place(batch.positions(), batch.frames())
            batch.restore(batch.save())
            with self.assertRaises(withy.InputError):
                batch.young = -1

        self.assertLess(growth(make, 5_000), self.ROOM)

    def test_batches_of_scenarios(self):
        """The patterns are a model of their own."""
        scenario = {**SMALL, "probes": [], "batches": [{"name": "x", "count": 20, "substeps": 2, "vary": {"length": "1 + u"},
                                                        "motion": {"position": ["t", 0, 0]}}]}
        scenario["rods"] = [{**SMALL["rods"][0], "ends": {"start": "clamped"}}]
        model = withy.Model(scenario)

        def make():
            withy.Batch(model, threads=1).advance(0.01)
            withy.Batch(model, "x", count=3, threads=1).advance(0.01)

        self.assertLess(growth(make, 2_000), self.ROOM)

    def test_runs(self):
        model = withy.Model(SMALL)

        def make():
            run = withy.run(model)
            run.field("a")
            run.columns()

        self.assertLess(growth(make, 100), 2 * self.ROOM)

    def test_studies(self):
        """A plan with its built-in scenarios holds over 100 kB, a report of convergence over 10 kB."""
        plan = {"withy": 1, "scenario": {**SMALL, "gravity": [0, 0, -1]}, "set": {"time.end": 0.1},
                "vary": {"rods.a.segments": [3, 0]},
                "keep": {"low": {"probe": "tip.z"}, "path": {"probe": "tip", "of": "series"}}}

        def make():
            withy.sweep(plan, threads=2).series["path"][0].values.sum()
            withy.converge(SMALL, **{"time.end": 0.1, "gravity": [0, 0, -1]})

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", withy.ResultWarning)
            self.assertLess(growth(make, 200), 2 * self.ROOM)


if __name__ == "__main__":
    unittest.main()
