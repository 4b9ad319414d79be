# SPDX-License-Identifier: MIT
"""Simulations from Python give the numbers of `withy run`, bit for bit, for all built-in scenarios. labels: slow"""
import csv
import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import command

import withy


def rows_of_command(name, settings, folder):
    arguments = [part for path, value in settings.items() for part in ("--set", f"{path}={value}")]
    status, _, stderr = command("run", name, "-o", folder, "--quiet", *arguments)
    assert status == 0, stderr
    with open(Path(folder) / "probes.csv", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return tuple(header), np.array([[float(cell) for cell in row] for row in rows])


def places(sim):
    """Where the arrays of all rods are."""
    return [getattr(rod, name).__array_interface__["data"] + getattr(rod, name).shape
            for rod in (withy.rods.Rod(sim._handle, i) for i in range(len(sim.model.rods))) for name in withy.rods.FIELDS]


class Trajectories(unittest.TestCase):
    def test_all_scenarios(self):
        compared = 0
        for name in withy.scenarios():
            model = withy.Model(name)
            if model.analysis == "buckling" or model.batches:
                continue  # its row belongs to the state after the factors were found; batches are below
            settings = {}
            if model.analysis == "dynamics" and len(model.times) > 41:  # long motions: the first rows
                settings = {"time.end": float(model.times[40])}
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                header, wanted = rows_of_command(name, settings, folder)
                model = withy.Model(name, **settings)
                self.assertEqual(model.columns, header)
                with withy.Simulation(model) as sim:
                    before = places(sim)
                    rows = sim.record()
                    self.assertEqual(places(sim), before)
                np.testing.assert_array_equal(rows, wanted)
                compared += 1
        self.assertGreater(compared, 20)

    def test_batches(self):
        """Built-in batches of a few rods, by the tips of all that the command records."""
        compared = 0
        for name in withy.scenarios():
            if not withy.Model(name).batches:
                continue
            (batch,) = withy.Model(name).batches
            settings = {"time.end": float(withy.Model(name).times[6])}
            if name != "ensemble":  # its ranges say how many there are
                settings[f"batches.{batch}.count"] = 60
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                header, _ = rows_of_command(name, settings, folder)
                model, run = withy.Model(name, **settings), withy.open(folder)
                self.assertEqual((model.columns, header[0]), (("t",), "t"))
                wanted = dict(zip(run.times, run.batch(batch, "tip").values))
                with withy.Batch(model) as rods:
                    stored = np.float32 if rods.info.precision == "single" else np.float64
                    for t in sorted({*model.times, *run.times}):
                        if t > 0:
                            rods.advance(t - rods.time)
                        if t in wanted:
                            np.testing.assert_array_equal(rods.positions()[:, -1].astype(stored), wanted.pop(t))
                self.assertEqual(wanted, {})
                compared += 1
        self.assertGreaterEqual(compared, 4)

    def test_buckling(self):
        with tempfile.TemporaryDirectory() as folder:
            command("run", "euler-column", "-o", folder, "--quiet")
            wanted = withy.open(folder).columns("buckling.csv")
            model = withy.Model("euler-column")
            with withy.Simulation(model) as sim:
                found = sim.buckling(count=len(wanted["factor"]))
            np.testing.assert_array_equal(found.factor, wanted["factor"])


if __name__ == "__main__":
    unittest.main()
