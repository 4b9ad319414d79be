# SPDX-License-Identifier: MIT
"""Sweeps: the rows of `withy sweep`, bit for bit, as arrays and tables; threads, failing points, Ctrl-C, and plans."""
import csv
import html
import importlib.util
import json
import os
import signal
import unittest
import warnings
from unittest import mock

import numpy as np
import pandas
from common import SMALL, Scratch, command
from test_runs import TORN

import withy

# A cantilever that droops: quick. Its probe is at the tip.
BEAM = {
    "withy": 1,
    "analysis": "statics",
    "constants": {"E": 1e9, "r": 5e-3},
    "time": {"end": 1},
    "gravity": [0, 0, -9.81],
    "rods": [{"name": "beam", "length": 1, "segments": 8, "section": {"shape": "circle", "radius": "r"},
              "material": {"density": 1000, "young": "E", "poisson": 0.4}, "ends": {"start": "clamped"}}],
    "probes": [{"name": "tip", "at": "end", "quantity": "position"}],
}
KEEP = {"sag": {"probe": "tip.z"}, "reach": {"probe": "tip.x", "of": "max"}, "slope": "sag / reach", "work": {"run": "steps"}}
YOUNG = {"from": 1e8, "to": 1e10, "scale": "log"}
GRID = {"withy": 1, "scenario": BEAM, "vary": {
    "rods.beam.segments": [4, 8], "solver.scheme": ["staggered", "mixed"], "constants.E": {**YOUNG, "count": 3}},
    "keep": KEEP}
RANDOM = {"withy": 1, "scenario": BEAM, "count": 8, "seed": 3, "keep": KEEP, "vary": {
    "constants.E": YOUNG, "constants.r": {"mean": 5, "deviation": 0.5, "unit": "mm"}, "rods.beam.segments": [4, 6, 8]}}
PLANS = {
    "grid": GRID,
    "zip": {**GRID, "combine": "zip", "vary": {"rods.beam.segments": [4, 8, 16], "constants.E": {**YOUNG, "count": 3}}},
    **{kind: {**RANDOM, "combine": kind} for kind in ("latin", "sobol", "random")},
}
# A motion, with courses of different lengths in time.
SWING = {"withy": 1, "scenario": SMALL, "set": {"gravity": "[0, 0, -9.81]"},
         "vary": {"time.end": [0.3, 0.5], "rods.a.segments": [3, 4]},
         "keep": {"path": {"probe": "tip", "of": "series"}, "low": {"probe": "tip.z", "of": "min"}}}


def table(folder):
    """sweep.csv as it stands."""
    with open(folder / "sweep.csv", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def bits(values):
    """Numbers of which two are equal only if all bits are; every NaN is the same."""
    return [None if np.isnan(one) else float(one).hex() for one in values]


class Plans(Scratch):
    """What both the command and the package read: a plan in a file, its scenario beside it."""

    def plan(self, plan):
        self.write("beam.json", json.dumps(plan["scenario"]))
        return self.write("plan.json", json.dumps({**plan, "scenario": "beam.json"}))


class Equal(Plans):
    def same(self, sweep, folder):
        head, *rows = table(folder)
        self.assertEqual(head, ["point", *sweep.parameters, *sweep.quantities, "status", "message"])
        columns = dict(zip(head, zip(*rows)))
        self.assertEqual(list(columns["point"]), [str(point) for point in sweep.points])
        for path in sweep.parameters:
            self.assertEqual(list(columns[path]), sweep.plan.texts[path])
        for name in sweep.quantities:
            self.assertEqual(bits(sweep[name]), bits([float(one or "nan") for one in columns[name]]), name)
        self.assertEqual((list(columns["status"]), list(columns["message"])), (sweep.status, sweep.messages))

    def test_rows_are_those_of_the_command(self):
        for kind, plan in PLANS.items():
            with self.subTest(kind):
                file = self.plan(plan)
                status, _, stderr = command("sweep", file, "-o", self.folder / "command", "--quiet", "-j", 2)
                self.assertEqual(status, 0, stderr)
                for threads in (1, 3):
                    sweep = withy.sweep(file, threads=threads)
                    self.assertEqual(set(sweep.status), {"done"})
                    self.same(sweep, self.folder / "command")
                    self.assertGreater(len(set(sweep["sag"])), len(sweep) / 2)
                # The same scenario within the plan; the same files, computed into a folder and saved later.
                self.same(withy.sweep(plan), self.folder / "command")
                withy.sweep(file, self.folder / "files")
                self.assertEqual(*(sorted(path.name for path in (self.folder / one).iterdir()) for one in ("command", "files")))
                sweep.save(self.folder / "saved")
                for folder in ("files", "saved"):
                    self.assertEqual((self.folder / folder / "sweep.csv").read_bytes(),
                                     (self.folder / "command" / "sweep.csv").read_bytes())
                    again = withy.Sweep(self.folder / folder)
                    self.assertEqual((again.status, bits(again["sag"])), (sweep.status, bits(sweep["sag"])))
                    self.assertEqual(again.units, sweep.units)

    def test_rows_are_those_of_a_simulation(self):
        plan = withy.Plan(SWING)
        sweep = withy.sweep(plan)
        for point in range(len(plan)):
            rows = withy.Simulation(plan.model(point)).record()
            course = sweep.series["path"][point]
            np.testing.assert_array_equal(course.times, rows[:, 0])
            np.testing.assert_array_equal(course.values, rows[:, 1:])
            self.assertEqual(course.columns, plan.model(point).columns[1:])
            self.assertEqual(sweep["low"][point], rows[:, 3].min())
        self.assertEqual([len(one.times) for one in sweep.series["path"]], [4, 4, 6, 6])
        self.assertEqual(plan.series, {"path": ("tip.x", "tip.y", "tip.z")})
        # The same from files; without h5py they say what is missing.
        for folder in ("files", "saved"):
            stored = withy.sweep(plan, self.folder / folder) if folder == "files" else sweep.save(self.folder / folder)
            stored = stored or withy.Sweep(self.folder / folder)
            for one, other in zip(stored.series["path"], sweep.series["path"]):
                np.testing.assert_array_equal(one.times, other.times)
                np.testing.assert_array_equal(one.values, other.values)
                self.assertEqual(one.columns, other.columns)
        with mock.patch("importlib.util.find_spec", lambda name, *rest: None):
            with self.assertRaisesRegex(withy.InputError, "h5py"):
                withy.Sweep(self.folder / "saved").series

    def test_settings_hold_for_all_points(self):
        file = self.plan(GRID)
        command("sweep", file, "-o", self.folder / "command", "--quiet", "--set", "constants.r=4 mm")
        sweep = withy.sweep(file, **{"constants.r": "4 mm"})
        self.same(sweep, self.folder / "command")
        self.assertTrue(np.all(sweep["sag"] < withy.sweep(file)["sag"]))
        with self.assertRaisesRegex(withy.InputError, "settings beside a Plan"):
            withy.sweep(sweep.plan, **{"constants.r": 1})


class Tables(unittest.TestCase):
    def test_arrays_and_frames(self):
        sweep = withy.sweep(GRID)
        self.assertEqual(sweep.parameters, ("rods.beam.segments", "solver.scheme", "constants.E"))
        self.assertEqual(sweep.quantities, tuple(KEEP))
        self.assertEqual(sweep["rods.beam.segments"].tolist(), [4.0] * 6 + [8.0] * 6)
        self.assertEqual(sweep["solver.scheme"][:4].tolist(), ["staggered"] * 3 + ["mixed"])
        np.testing.assert_allclose(sweep["constants.E"][:3], [1e8, 1e9, 1e10], rtol=1e-15)
        np.testing.assert_array_equal(sweep["slope"], sweep["sag"] / sweep["reach"])
        with self.assertRaises(ValueError):
            sweep["sag"][0] = 0
        self.assertIsInstance(sweep.table, pandas.DataFrame)
        self.assertEqual(list(sweep.table), ["point", *sweep.parameters, *sweep.quantities, "status", "message"])
        np.testing.assert_array_equal(sweep.table["sag"], sweep["sag"])
        found = importlib.util.find_spec
        with mock.patch("importlib.util.find_spec", lambda name, *rest: None if name == "pandas" else found(name, *rest)):
            plain = withy.sweep(GRID).table
        self.assertIsInstance(plain, dict)
        self.assertEqual((list(plain), len(plain["sag"])), (list(sweep.table), 12))
        self.assertIn("12 points (12 done)", repr(sweep))

    def test_a_grid(self):
        sweep = withy.sweep(GRID)
        sag = sweep.grid("sag")
        self.assertEqual(sag.shape, (2, 2, 3))
        self.assertEqual([len(values) for values in sweep.axes.values()], [2, 2, 3])
        self.assertEqual(sweep.axes["solver.scheme"].tolist(), ["staggered", "mixed"])
        for index in np.ndindex(sag.shape):
            at = [values[i] for values, i in zip(sweep.axes.values(), index)]
            row = sweep.table[(sweep.table["rods.beam.segments"] == at[0]) & (sweep.table["solver.scheme"] == at[1])
                              & (sweep.table["constants.E"] == at[2])]
            self.assertEqual(row["sag"].tolist(), [sag[index]])
        self.assertTrue(np.all(np.diff(sag, axis=2) > 0))  # stiffer beams sag less
        for plan in (PLANS["latin"], PLANS["zip"]):
            with self.assertRaisesRegex(withy.InputError, "no grid"):
                withy.sweep(plan).grid("sag")

    def test_numbers_with_a_unit(self):
        plan = withy.Plan(PLANS["latin"])
        radii = plan["constants.r"]
        self.assertEqual(radii.dtype, np.float64)
        self.assertTrue(np.all((radii > 2) & (radii < 8)))  # millimetres: six standard deviations
        mixed = withy.Plan({**GRID, "vary": {"constants.r": ["5 mm", "1 cm", 0.01]}})
        self.assertEqual(mixed["constants.r"].tolist(), ["5 mm", "1 cm", "0.01"])

    def test_the_page(self):
        sweep = withy.sweep(GRID)
        with self.assertRaisesRegex(withy.InputError, "without a folder"):
            sweep.view()
        shown = sweep._repr_html_()
        self.assertTrue(shown.startswith('<iframe srcdoc="'))
        inside = html.unescape(shown[len('<iframe srcdoc="'):shown.index('"', len('<iframe srcdoc="'))])
        self.assertIn("</html>", inside)
        self.assertIn("sag", inside)

    def test_unknown_names(self):
        sweep = withy.sweep({**GRID, "vary": {"rods.beam.segments": [4]}})
        with self.assertRaisesRegex(withy.InputError, "did you mean 'sag'"):
            sweep["sagg"]
        with self.assertRaisesRegex(withy.InputError, "found no parameter 'r'"):
            sweep.plan["r"]


class Looking(Plans):
    """Plans without a run."""

    def test_points(self):
        plan = withy.Plan(self.plan(GRID), **{"time.end": 2})
        self.assertEqual((len(plan), plan.scenario), (12, "beam.json"))
        self.assertEqual(plan.settings(11), ("time.end=2", "rods.beam.segments=8", "solver.scheme=mixed",
                                             f"constants.E={plan.texts['constants.E'][11]}"))
        self.assertEqual(plan.settings(-1), plan.settings(11))
        self.assertEqual(plan.units, {"sag": "m", "reach": "m", "slope": "", "work": "1"})
        self.assertEqual(list(plan.table), ["point", *plan.parameters])
        self.assertEqual(plan.model(5).rods[0].segments, 4)
        self.assertEqual(plan.model(11).end, 2)
        for point in (12, -13):
            with self.assertRaisesRegex(withy.InputError, f"found point {point}; expected one below 12"):
                plan.settings(point)
        self.assertIn("12 points", repr(plan))

    def test_a_built_in_scenario_and_a_text(self):
        text = "withy: 1\nscenario: rubber-pendulum\nset: {time.end: 0.1}\nvary: {rods.pendulum.segments: [4, 5]}\n"
        plan = withy.Plan(text)
        self.assertEqual(plan.model(1).name, "rubber-pendulum")
        file = self.write("plan.yaml", text)
        command("sweep", file, "-o", self.folder / "command", "--quiet")
        rows = table(self.folder / "command")
        sweep = withy.sweep(plan)
        self.assertEqual(bits(sweep["tip.x"]), bits(float(row[2]) for row in rows[1:]))
        self.assertEqual(list(sweep.quantities), rows[0][2:-2])
        inside = withy.Plan({"withy": 1, "scenario": withy.Model("rubber-pendulum").text, "vary": {"gravity": ["[0, 0, 0]"]}})
        self.assertEqual(inside.model(0).text, withy.Model("rubber-pendulum").text)

    def test_the_sentences_are_those_of_the_command(self):
        for number, change in enumerate(({"vary": {"rods.beam.segmnts": [4]}}, {"combine": "gird"}, {"scenario": "bean.json"},
                                         {"vary": {"constants.E": YOUNG}}, {"keep": {"sag": {"probe": "tpi.z"}}},
                                         {"count": 3}, {"vary": {}})):
            with self.subTest(change):
                self.write("beam.json", json.dumps(BEAM))
                file = self.write(f"plan-{number}.json", json.dumps({**GRID, "scenario": "beam.json", **change}, indent=1))
                status, _, stderr = command("sweep", file, "-o", self.folder / "out")
                self.assertEqual(status, 2)
                with self.assertRaises(withy.InputError) as raised:
                    withy.sweep(file)
                self.assertEqual(str(raised.exception), stderr.strip())
        self.assertFalse((self.folder / "out").exists())
        with self.assertRaises(withy.InputError):
            withy.sweep(self.folder / "none.yaml")
        for plan in ({**GRID, "vary": {"constants.E": [{1, 2}]}}, {"scenario": BEAM}, {}, "{", "withy: 1\n"):
            with self.assertRaises(withy.InputError):
                withy.Plan(plan)

    def test_arguments(self):
        for threads in (0, -1, True, 1.5):
            with self.assertRaisesRegex(withy.InputError, "threads; expected a whole number > 0"):
                withy.sweep(GRID, self.folder / "new", threads=threads)
        self.assertFalse((self.folder / "new").exists())
        with self.assertRaisesRegex(withy.InputError, "resume without a folder"):
            withy.sweep(GRID, resume=True)
        with self.assertRaisesRegex(withy.InputError, "no complete sweep"):
            withy.Sweep(self.folder)
        self.write("file", "")
        with self.assertRaises((withy.InputError, OSError)):
            withy.sweep(GRID, self.folder / "file")
        stored = withy.sweep(GRID, self.folder / "out")
        with self.assertRaisesRegex(withy.InputError, "already"):
            stored.save(self.folder / "again")
        whole = (self.folder / "out" / "sweep.csv").read_text(encoding="utf-8")
        for damaged in ("", "a,b\n", whole[:-3], whole.replace("done,", "done")):
            self.write("out/sweep.csv", damaged)
            with self.assertRaisesRegex(withy.InputError, "no complete sweep"):
                withy.Sweep(self.folder / "out")


class Failing(Plans):
    def test_a_refused_point_is_a_row(self):
        plan = {**GRID, "vary": {"rods.beam.segments": [4, 0, 8], "rods.beam.length": [1, -1]}}
        file = self.plan(plan)
        status, _, _ = command("sweep", file, "-o", self.folder / "command", "--quiet")
        self.assertEqual(status, 1)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            sweep = withy.sweep(file)
        self.assertEqual(sweep.status, ["done", "refused", "refused", "refused", "done", "refused"])
        self.assertEqual(np.isnan(sweep["sag"]).tolist(), [status != "done" for status in sweep.status])
        rows = table(self.folder / "command")[1:]
        self.assertEqual([row[-1] for row in rows], sweep.messages)
        self.assertEqual([one.category for one in caught], [withy.ResultWarning])
        self.assertEqual(str(caught[0].message), f"4 refused of 6 points; point 1: {sweep.messages[1]}")
        sweep.save(self.folder / "saved")
        self.assertEqual((self.folder / "saved" / "sweep.csv").read_bytes(),
                         (self.folder / "command" / "sweep.csv").read_bytes())
        stored = withy.Sweep(self.folder / "saved")
        self.assertEqual((stored.status, stored.messages), (sweep.status, sweep.messages))

    def test_a_wrong_and_a_failed_point(self):
        apart = {"ends": {"start": {"position": [0, 0, 0]}, "end": {"position": [3, 0, 0]}}}
        no_rest = {**BEAM, "rods": [{**BEAM["rods"][0], **apart}], "loads": [{"at": "end", "moment": [0, 10, 0]}]}
        for scenario, settings, vary, wanted in (
                (TORN, {"time.end": 0.55, "solver.step": 0.005}, {"rods.r.segments": [10, 20]}, ["wrong", "done"]),
                (json.dumps(no_rest), {"constants.E": 5e7}, {"loads[0].moment": [[0, 10, 0]]}, ["failed"])):
            self.write("scenario.yaml", scenario)
            file = self.write("plan.json", json.dumps({
                "withy": 1, "scenario": "scenario.yaml", "set": settings, "vary": vary,
                "keep": {"path": {"probe": "tip", "of": "series"}, "height": {"probe": "tip.z"}}}))
            self.assertEqual(command("sweep", file, "-o", self.folder / "command", "--quiet")[0], 1)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                sweep = withy.sweep(file)
            self.assertEqual((sweep.status, len(caught)), (wanted, 1))
            self.assertEqual([bool(one) for one in sweep.messages], [one != "done" for one in wanted])
            sweep.save(self.folder / "saved")
            self.assertEqual((self.folder / "saved" / "sweep.csv").read_bytes(),
                             (self.folder / "command" / "sweep.csv").read_bytes())
            for one, other in zip(withy.Sweep(self.folder / "command").series["path"], sweep.series["path"]):
                np.testing.assert_array_equal(one.values, other.values)


class Interruption(Plans):
    PLAN = {"withy": 1, "scenario": "rubber-pendulum", "set": {"time.end": 0.5},
            "vary": {"rods.pendulum.segments": list(range(5, 25))}}

    def interrupt(self, done, points):
        self.assertEqual(points, 20)
        if done >= 2 and not self.sent:
            self.sent = True
            os.kill(os.getpid(), signal.SIGINT)

    def test_ctrl_c_and_resume(self):
        file = self.write("plan.json", json.dumps(self.PLAN))
        command("sweep", file, "-o", self.folder / "whole", "--quiet")
        whole = (self.folder / "whole" / "sweep.csv").read_bytes()
        for resumed in ("Python", "command"):
            self.sent, folder = False, self.folder / resumed
            with mock.patch("withy.crew.PAUSE", 0.001), self.assertRaises(KeyboardInterrupt):
                withy.sweep(file, folder, threads=2, progress=self.interrupt)
            self.assertFalse((folder / "sweep.csv").exists())
            journal = (folder / "journal-1-of-1.csv").read_text(encoding="utf-8").splitlines()
            self.assertTrue(2 <= len(journal) - 2 < 20, len(journal))
            if resumed == "Python":
                withy.sweep(file, folder, resume=True)
            else:
                self.assertEqual(command("sweep", file, "-o", folder, "--resume", "--quiet")[0], 0)
            self.assertEqual((folder / "sweep.csv").read_bytes(), whole)
        with self.assertRaises(withy.InputError):  # rows of another plan
            withy.sweep({**self.PLAN, "set": {"time.end": 0.4}}, self.folder / "Python", resume=True)

    def test_ctrl_c_in_memory(self):
        self.sent = False
        with mock.patch("withy.crew.PAUSE", 0.001), self.assertRaises(KeyboardInterrupt):
            withy.sweep(self.PLAN, threads=2, progress=self.interrupt)

    def test_progress(self):
        calls = []
        with mock.patch("withy.crew.PAUSE", 0.001):
            withy.sweep(self.PLAN, progress=lambda done, points: calls.append((done, points)))
        self.assertEqual(calls, sorted(calls))
        self.assertEqual(calls[-1], (20, 20))
        self.assertGreater(len(set(calls)), 2)

        def fail(done, points):
            raise LookupError("mine")

        for folder in (None, self.folder / "out"):
            with self.assertRaisesRegex(LookupError, "mine"):
                withy.sweep(self.PLAN, folder, progress=fail)


if __name__ == "__main__":
    unittest.main()
