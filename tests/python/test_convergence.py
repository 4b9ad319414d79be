# SPDX-License-Identifier: MIT
"""Convergence: what `withy converge` finds, as attributes, arrays and tables; threads, Ctrl-C and failing runs."""
import json
import os
import signal
import unittest
import warnings
from unittest import mock

import numpy as np
import pandas
from common import Scratch, command
from test_runs import TORN

import withy

BEAM = """
withy: 1
analysis: statics
time: {end: 1}
gravity: [0, 0, -9.81]
rods:
  - {name: beam, length: 1, segments: 10, section: {shape: circle, radius: 5.0e-3},
     material: {density: 1100, young: 5.0e7, poisson: 0.5}, ends: {start: clamped}}
probes: [{name: tip, at: end, quantity: position}]
"""


def without_times(content):
    """A JSON value without what no two computations share."""
    if isinstance(content, dict):
        return {key: without_times(one) for key, one in content.items() if key != "seconds"}
    return [without_times(one) for one in content] if isinstance(content, list) else content


class Equal(Scratch):
    def test_the_files_are_those_of_the_command(self):
        file = self.write("beam.yaml", BEAM)
        for number, (scenario, options, arguments) in enumerate((
                (file, {}, ()),
                (file, {"levels": 4, "refine": "segments"}, ("--levels", 4, "--refine", "segments")),
                ("rubber-pendulum", {"refine": "tolerance", "time.end": 0.2}, ("--refine", "tolerance", "--set", "time.end=0.2")),
                ("rubber-pendulum", {"time.end": 0.05}, ("--set", "time.end=0.05")))):
            with self.subTest(options):
                status, _, _ = command("converge", scenario, "-o", self.folder / f"c{number}", "--quiet", *arguments)
                for threads in (1, 3):
                    with warnings.catch_warnings(record=True) as caught:
                        warnings.simplefilter("always")
                        found = withy.converge(scenario, threads=threads, **options)
                    # Exit status 1 where an estimate cannot be trusted, and a warning that names it.
                    self.assertEqual(([one.category for one in caught], found.trusted),
                                     ([withy.ResultWarning] * status, status == 0))
                    for one in caught:
                        self.assertRegex(str(one.message), r"the errors cannot be trusted of tip \(")
                    found.save(self.folder / f"p{number}")
                    texts = [(self.folder / f"{who}{number}" / "converge.json").read_text(encoding="utf-8") for who in "cp"]
                    self.assertEqual(*(without_times(json.loads(one)) for one in texts))

    def test_numbers(self):
        found = withy.converge(BEAM)
        self.assertEqual((found.scenario, found.analysis, found.refine, found.levels), ("scenario", "statics", "all", 3))
        self.assertEqual([run.segments for run in found.runs if run.level >= 0], [10, 20, 40])
        tip = found["tip"]
        self.assertEqual((tip.promised, tip.verdict, tip.trusted, found.trusted), (2, "converges", True, True))
        self.assertLess(abs(tip.order - 2), 0.2)
        # The values are those of runs with the settings that the report names, bit for bit.
        for run, values in zip(found.runs, tip.values):
            sim = withy.Simulation(withy.Model(BEAM, **dict(one.split("=", 1) for one in run.settings)))
            sim.settle()
            np.testing.assert_array_equal(values, sim.rods["beam"].position[-1])
        # Against a run that is 16 times finer than the finest: the error of order 2 is that of the limit to 1 / 256.
        fine = withy.Simulation(withy.Model(BEAM, **{"rods.beam.segments": 640}))
        fine.settle()
        error = np.linalg.norm(tip.values[0] - fine.rods["beam"].position[-1])
        self.assertTrue(error / 3 < tip.error < 3 * error, (error, tip.error))
        self.assertLess(np.linalg.norm(tip.extrapolated - fine.rods["beam"].position[-1]), tip.errors[found.finest])
        self.assertEqual(tip.relative_error, tip.error / tip.scale)
        # Order 2: ten times smaller errors need sqrt(10) times more segments, with the order that was used.
        self.assertAlmostEqual(found.needed("tip", tip.relative_error / 10), 10**(1 / tip.used), delta=1e-9)
        self.assertEqual(found.needed("tip", 1), 1)

    def test_tables(self):
        found = withy.converge(BEAM)
        self.assertIsInstance(found.table, pandas.DataFrame)
        self.assertEqual(found.table["name"].tolist(), ["tip"])
        self.assertEqual(found.table["error"].tolist(), [found["tip"].error])
        with mock.patch("importlib.util.find_spec", lambda name, *rest: None):
            self.assertIsInstance(withy.converge(BEAM).table, dict)
        self.assertIn("converges", str(found))
        self.assertIn("3 levels, tip", repr(found))
        course = withy.converge("rubber-pendulum", **{"time.end": 0.1})
        self.assertEqual(len(course.times), 11)
        self.assertEqual(course["tip"].course.shape, (11, 3))
        kept = course["tip"].course
        wanted = kept.copy()
        del course
        np.testing.assert_array_equal(kept, wanted)  # it holds the memory


class Refusals(Scratch):
    def test_arguments(self):
        for options, words in (({"refine": "segmnts"}, "did you mean 'segments'"), ({"levels": 2}, "levels"),
                               ({"levels": 99}, "levels"), ({"threads": 0}, "threads"),
                               ({"refine": "step"}, "step")):
            with self.subTest(options), self.assertRaisesRegex(withy.InputError, words):
                withy.converge(BEAM, **options)
        with self.assertRaisesRegex(withy.InputError, "settings beside a Model"):
            withy.converge(withy.Model(BEAM), gravity=[0, 0, 0])
        found = withy.converge(BEAM)
        for call in (lambda: found["tpi"], lambda: found.needed("tpi", 1)):
            with self.assertRaisesRegex(withy.InputError, "did you mean 'tip'"):
                call()

    def test_sentences_are_those_of_the_command(self):
        file = self.write("beam.yaml", BEAM)
        _, _, stderr = command("converge", file, "--refine", "step", "--quiet", "-o", self.folder / "out")
        with self.assertRaises(withy.InputError) as raised:
            withy.converge(file, refine="step")
        self.assertIn(str(raised.exception), stderr)

    def test_a_wrong_run(self):
        settings = {"time.end": 0.55, "solver.step": 0.005}
        status, _, stderr = command("converge", self.write("torn.yaml", TORN), "--quiet", "--refine", "segments",
                                    *(word for path, value in settings.items() for word in ("--set", f"{path}={value}")))
        self.assertEqual(status, 1)
        with self.assertRaises(withy.ResultError) as raised:
            withy.converge(TORN, refine="segments", **settings)
        self.assertEqual("withy: " + str(raised.exception), stderr.strip())


class Interruption(unittest.TestCase):
    def test_ctrl_c_and_progress(self):
        sent = []

        def interrupt(share):
            if share > 0 and not sent:
                sent.append(share)
                os.kill(os.getpid(), signal.SIGINT)

        seen = []
        with mock.patch("withy.crew.PAUSE", 0.001):
            with self.assertRaises(KeyboardInterrupt):
                withy.converge("rubber-pendulum", progress=interrupt)
            withy.converge("rubber-pendulum", progress=seen.append)  # many times as long as a pause
        self.assertLess(sent[0], 1)
        self.assertEqual(seen, sorted(seen))
        self.assertTrue(0 <= seen[0] < seen[-1] == 1.0, seen)


if __name__ == "__main__":
    warnings.simplefilter("error", withy.ResultWarning)
    unittest.main()
