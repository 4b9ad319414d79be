# SPDX-License-Identifier: MIT
"""Runs: the folder that `withy run` writes, its findings as warnings and exceptions, Ctrl-C, and reading it again."""
import builtins
import html
import importlib.util
import os
import signal
import threading
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import h5py
import numpy as np
import pandas
from common import SMALL, Scratch, command

import withy

# A soft rod of ten elements that falls about its clamp and comes apart (tests/cli/test_run_verdict).
TORN = """
withy: 1
time: {end: 5, output: 0.01}
gravity: [0, 0, -9.81]
rods:
  - {name: r, model: inextensible, length: 0.5, segments: 10, section: {shape: circle, radius: 0.01},
     material: {density: 1000, young: 1.0e6, poisson: 0.4}, ends: {start: clamped}}
probes: [{name: tip, at: end, quantity: position}]
solver: {scheme: mixed, step: 0.001}
"""

COPIES = """
withy: 1
time: {end: 0.1, output: 0.05}
gravity: [0, 0, -9.81]
rods:
  - {name: x, length: 1, segments: 4, section: {shape: circle, radius: 0.01}, ends: {start: clamped},
     material: {density: 1000, young: 1.0e9, poisson: 0.4}, copies: {grid: [2, 2], steps: [[0, 1, 0], [0, 0, 1]]}}
"""


class Equal(Scratch):
    def test_the_files_are_those_of_the_command(self):
        settings = {"time.end": 0.5}
        command("run", "hair-tress", "-o", self.folder / "a", "--quiet", "--set", "time.end=0.1")
        withy.run("hair-tress", self.folder / "b", **{"time.end": 0.1})
        command("run", "rubber-pendulum", "-o", self.folder / "c", "--quiet", "--set", "time.end=0.5")
        run = withy.run("rubber-pendulum", self.folder / "d", **settings)
        for one, other in (("a", "b"), ("c", "d")):
            for name in ("probes.csv", "steps.csv", "result.xdmf"):
                files = [(self.folder / folder / name).read_bytes() for folder in (one, other)]
                self.assertEqual(files[0], files[1], name)
            self.assertEqual(command("compare", self.folder / one, self.folder / other)[0], 0)
        self.assertEqual(run.summary["status"], "done")
        self.assertEqual(run.findings, [])
        # The same page as of `withy view`.
        command("view", self.folder / "d", "-o", self.folder / "command.html")
        self.assertEqual(run.view().read_bytes(), (self.folder / "command.html").read_bytes())
        self.assertEqual(run.view(), self.folder / "d" / "view.html")

    def test_a_model_runs_again_and_again(self):
        model = withy.Model(SMALL)
        withy.Simulation(model).advance(0.5)
        first, second = withy.run(model), withy.run(model)
        self.assertNotEqual(first.folder, second.folder)
        pandas.testing.assert_frame_equal(first.probes, second.probes)
        with self.assertRaisesRegex(withy.InputError, "settings beside a Model"):
            withy.run(model, gravity=[0, 0, 0])

    def test_a_temporary_folder_goes_with_its_run(self):
        run = withy.run(SMALL)
        folder = run.folder
        self.assertTrue(folder.is_dir())
        del run
        self.assertFalse(folder.exists())


class Reading(Scratch):
    def setUp(self):
        super().setUp()
        command("run", "rubber-pendulum", "-o", self.folder / "run", "--quiet", "--set", "time.end=0.5")

    def test_probes_and_snapshots(self):
        run = withy.open(self.folder / "run")
        self.assertIsInstance(run.probes, pandas.DataFrame)
        self.assertEqual(len(run.probes), 51)
        file = np.loadtxt(self.folder / "run" / "probes.csv", delimiter=",", skiprows=1)
        np.testing.assert_array_equal(run.probes.to_numpy(), file)
        self.assertEqual(run.rods, ("pendulum",))
        np.testing.assert_allclose(run.times, np.arange(11) * 0.05, atol=1e-15)
        self.assertIsInstance(run.snapshots, h5py.File)
        for name in ("position", "frame", "curvature"):
            field = run.field("pendulum", name)
            np.testing.assert_array_equal(field.values, run.snapshots[f"rods/pendulum/{name}"][:])
            self.assertEqual(field.values.shape[:2], (11, len(field.s)))
        with self.assertRaisesRegex(withy.InputError, "found no position of a rod 'arm'; the rods are pendulum"):
            run.field("arm")
        with self.assertRaisesRegex(withy.InputError, "the run has no modes.csv"):
            run.columns("modes.csv")
        self.assertEqual(run.columns("steps.csv")["t"][0], 0)
        run.snapshots.close()

    def test_without_pandas_and_h5py(self):
        found = importlib.util.find_spec
        missing = lambda name, *rest: None if name in ("pandas", "h5py") else found(name, *rest)  # noqa: E731
        with mock.patch("importlib.util.find_spec", missing):
            run = withy.Run(self.folder / "run")
            self.assertIsInstance(run.probes, dict)
            self.assertEqual(len(run.probes["tip.x"]), 51)
            self.assertEqual(run.snapshots["rods/pendulum/position"].shape, (11, 11, 3))

    def test_one_run_in_many_threads(self):
        run = withy.open(self.folder / "run")
        names = ("position", "velocity", "frame", "force", "curvature", "moment") * 5
        wanted = {name: withy.open(self.folder / "run").field("pendulum", name).values for name in set(names)}
        with ThreadPoolExecutor(4) as pool:
            for name, field in zip(names, pool.map(lambda name: run.field("pendulum", name), names)):
                np.testing.assert_array_equal(field.values, wanted[name])

    def test_the_notebook(self):
        run = withy.open(self.folder / "run")
        page = run.view(self.folder / "page.html").read_text(encoding="utf-8")
        shown = run._repr_html_()
        self.assertTrue(shown.startswith('<iframe srcdoc="'))
        inside = shown[len('<iframe srcdoc="'):shown.index('"', len('<iframe srcdoc="'))]
        self.assertEqual(html.unescape(inside), page)
        self.assertIn("rubber rod", repr(run))

    def test_copies(self):
        """All copies at once are what each of them is by its name."""
        run = withy.run(COPIES)
        self.assertEqual(run.batches, ("x",))
        self.assertEqual(run.rods, ("x1", "x2", "x3", "x4"))
        for name, size in (("position", 3), ("frame", 4)):
            together = run.batch("x", name)
            self.assertEqual(together.values.shape[::3], (len(run.times), size))
            for i in range(4):
                one = run.field(f"x{i + 1}", name)
                np.testing.assert_array_equal(together.values[:, i], one.values)
                np.testing.assert_array_equal(together.s, one.s)
            np.testing.assert_array_equal(together.values, run.snapshots[f"batches/x/{name}"][()])
        self.assertEqual(run.summary["batches"][0]["count"], 4)
        self.assertEqual(withy.run(SMALL).batches, ())
        for call in (lambda: run.batch("y"), lambda: run.batch("x", "gap"), lambda: run.field("x5")):
            with self.assertRaises(withy.InputError):
                call()

    def test_export(self):
        """The files of `withy export`."""
        run = withy.open(self.folder / "run")
        for name, options, arguments in (("a.glb", {}, ()), ("a.usda", {"shape": "tubes"}, ("--as", "tubes")),
                                         ("a.csv", {"rod": "pendulum"}, ("--rod", "pendulum")),
                                         ("a.obj", {"at": 0.2, "up": "y", "scale": 1000, "sides": 8},
                                          ("--at", 0.2, "--up", "y", "--scale", 1000, "--sides", 8))):
            with self.subTest(name):
                (self.folder / "mine").mkdir(exist_ok=True)
                (self.folder / "theirs").mkdir(exist_ok=True)
                files = run.export(self.folder / "mine" / name, **options)
                _, out, _ = command("export", self.folder / "run", "--to", name[2:], "-o", self.folder / "theirs" / name,
                                    *arguments)
                self.assertEqual([file.name for file in files], [Path(line).name for line in out.splitlines()])
                for file in files:
                    self.assertEqual(file.read_bytes(), (self.folder / "theirs" / file.name).read_bytes())
        with self.assertRaisesRegex(withy.InputError, "found no format 'stl'; expected one of glb, obj, csv, usda"):
            run.export("a.stl")
        for options in ({"rod": "arm"}, {"rod": "pendulum\0"}, {"up": "xy"}, {"up": ""}, {"up": "ü"}):
            with self.subTest(options), self.assertRaises(withy.InputError):
                run.export(self.folder / "a.glb", **options)

    def test_zero_bytes(self):
        """C would take them for the end of a name: nothing is written to a shorter one."""
        run = withy.open(self.folder / "run")
        for call in (lambda: run.export(str(self.folder / "a\0.glb")), lambda: run.view(str(self.folder / "a\0.html")),
                     lambda: withy.run("rubber-pendulum", str(self.folder / "a\0b")), lambda: run.field("pendulum\0"),
                     lambda: withy.open(str(self.folder / "run\0")), lambda: run.columns("probes.csv\0")):
            with self.assertRaisesRegex(withy.InputError, "zero byte"):
                call()
        self.assertFalse((self.folder / "a").exists())

    def test_folders_that_are_no_runs(self):
        with self.assertRaises(withy.InputError):
            withy.open(self.folder / "nowhere")
        (self.folder / "empty").mkdir()
        run = withy.open(self.folder / "empty")
        self.assertEqual(run.summary, {})
        with self.assertRaisesRegex(withy.InputError, "no probes.csv"):
            run.probes
        (self.folder / "broken").mkdir()
        self.write("broken/probes.csv", "t,tip\n0,one\n")
        with self.assertRaises(withy.InputError):
            withy.open(self.folder / "broken").probes


class Verdicts(Scratch):
    def test_a_wrong_result(self):
        status, _, stderr = command("run", self.write("torn.yaml", TORN), "-o", self.folder / "a", "--quiet")
        with warnings.catch_warnings(record=True) as caught, self.assertRaises(withy.ResultError) as raised:
            warnings.simplefilter("always")
            withy.run(TORN, self.folder / "b")
        self.assertEqual(status, 1)
        self.assertIn(str(raised.exception), stderr)
        run = raised.exception.run
        self.assertEqual(run.summary["status"], "wrong")
        self.assertEqual((self.folder / "a" / "probes.csv").read_bytes(), (self.folder / "b" / "probes.csv").read_bytes())
        self.assertEqual(run.findings[0].severity, "wrong")
        for one in caught:
            self.assertIn(str(one.message), stderr)
        # The simulation tells the same, and its state can be read.
        sim = withy.Simulation(TORN)
        with self.assertRaises(withy.ResultError):
            sim.advance(5)
        self.assertLess(sim.time, 0.6)
        self.assertEqual(sim.verify()[0].severity, "wrong")

    def test_a_doubtful_one(self):
        settings = {"rods.pendulum.material.density": 1.1, "time.end": 0.1}
        status, _, stderr = command("run", "rubber-pendulum", "-o", self.folder / "a", "--set", "time.end=0.1", "--set",
                                    "rods.pendulum.material.density=1.1")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            withy.run("rubber-pendulum", self.folder / "b", **settings)
        self.assertEqual(status, 0)
        wanted = [line[len("withy: warning: "):] for line in stderr.splitlines() if line.startswith("withy: warning: ")]
        self.assertGreater(len(wanted), 0)
        self.assertEqual([str(one.message) for one in caught], wanted)
        self.assertTrue(all(one.category is withy.ResultWarning for one in caught))

    def test_a_refused_one(self):
        file = self.write("file", "no folder")
        _, _, stderr = command("run", "rubber-pendulum", "-o", file)
        with self.assertRaises((withy.InputError, OSError)) as raised:
            withy.run("rubber-pendulum", file)
        self.assertEqual("withy: " + str(raised.exception), stderr.strip())
        with self.assertRaises(withy.InputError):
            withy.run("rubber-pendulum", self.folder / "new", resume=True)


class Interruption(Scratch):
    def test_ctrl_c_and_resume(self):
        model = withy.Model("rubber-pendulum")
        whole = withy.run(model, self.folder / "whole")

        def interrupt(t, end):
            if t > 2 and not self.sent:
                self.sent = True
                os.kill(os.getpid(), signal.SIGINT)

        self.sent = False
        with self.assertRaises(KeyboardInterrupt):
            withy.run(model, self.folder / "part", progress=interrupt)
        part = withy.open(self.folder / "part")
        self.assertEqual(part.summary["status"], "interrupted")
        self.assertLess(part.summary["t_end"], 10)
        withy.run(model, self.folder / "part", resume=True)
        for name in ("probes.csv", "steps.csv"):
            self.assertEqual((self.folder / "part" / name).read_bytes(), (whole.folder / name).read_bytes())
        withy.run(model, self.folder / "part", resume=True)  # complete already

    def test_progress(self):
        calls = []
        withy.run(SMALL, progress=lambda t, end: calls.append((t, end)))
        self.assertEqual(calls[0], (0.0, 1.0))
        self.assertEqual(calls[-1], (1.0, 1.0))

        def fail(t, end):
            raise LookupError("mine")

        with self.assertRaisesRegex(LookupError, "mine"):
            withy.run(SMALL, progress=fail)

    def test_runs_in_threads(self):
        results = {}

        def one(k):
            results[k] = withy.run("rubber-pendulum", self.folder / str(k), **{"time.end": 0.5})

        threads = [threading.Thread(target=one, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        files = {run.folder.joinpath("probes.csv").read_bytes() for run in results.values()}
        self.assertEqual((len(results), len(files)), (4, 1))


if __name__ == "__main__":
    assert builtins.open is not withy.open
    unittest.main()
