# SPDX-License-Identifier: MIT
"""Models: the forms of a scenario, the sentences of the command, and what a model tells."""
import json
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import ROOT, SMALL, command

import withy


class Forms(unittest.TestCase):
    def test_dict_text_path_and_name(self):
        text = json.dumps(SMALL)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "small.yaml"
            file.write_text(text, encoding="utf-8")
            models = [withy.Model(SMALL), withy.Model(text), withy.Model(file), withy.Model(str(file))]
        self.assertEqual([model.name for model in models], ["scenario", "scenario", "small", "small"])
        for model in models:
            self.assertEqual(model.rods, (withy.RodInfo("a", "cosserat", 1.0, 3),))
            self.assertEqual(model.columns, ("t", "tip.x", "tip.y", "tip.z"))
            self.assertEqual(model.analysis, "dynamics")
            np.testing.assert_array_equal(model.times, [0.1 * k for k in range(11)])
        self.assertEqual(withy.Model("rubber-pendulum").title, "Swinging rubber rod")

    def test_yaml_is_read_by_withy(self):
        # YAML 1.1, as PyYAML reads it, would make a boolean of `on`, and 1e6 a text.
        text = "withy: 1\ntime: {end: 1e0}\nrods:\n  - name: on\n    length: 1\n    segments: 3\n" \
               "    section: {shape: circle, radius: 1e-2}\n    material: {density: 1e3, young: 1e7, poisson: 0.3}\n"
        self.assertEqual(withy.Model(text).rods[0].name, "on")

    def test_settings(self):
        model = withy.Model(SMALL, gravity=np.array([0, 0, -9.81]), **{"rods.a.segments": np.int64(7), "time.end": "2*pi"})
        self.assertEqual(model.rods[0].segments, 7)
        self.assertEqual(model.end, 2 * np.pi)
        self.assertEqual(model.settings, ("gravity=[0.0, 0.0, -9.81]", "rods.a.segments=7", "time.end=2*pi"))

    def test_accuracy_chooses_the_grid(self):
        rod = dict(SMALL["rods"][0], ends={"start": "clamped"})
        del rod["segments"]
        falling = dict(SMALL, gravity=[0, 0, -9.81], rods=[rod])
        coarse, fine = (withy.Model(dict(falling, solver={"accuracy": a})).rods[0].segments for a in (0.1, 1e-4))
        self.assertGreater(fine, coarse)
        with self.assertRaisesRegex(withy.InputError, "from 1e-4 to 0.1"):
            withy.Model(dict(SMALL, solver={"accuracy": 2}))

    def test_numpy_in_a_dict(self):
        scenario = dict(SMALL, gravity=np.array([0.0, 0.0, -1.62]))
        self.assertIn("-1.62", withy.Model(scenario).text)
        with self.assertRaisesRegex(withy.InputError, "found a set in a scenario"):
            withy.Model(dict(SMALL, title={1, 2}))

    def test_built_in_scenarios_are_those_of_the_command(self):
        status, out, _ = command("list")
        self.assertEqual(status, 0)
        self.assertEqual(sorted(line.split()[0] for line in out.splitlines() if line.strip()), withy.scenarios())

    def test_quantities_are_those_of_the_command(self):
        table = withy.quantities()
        self.assertEqual(table["angular_velocity"].letters, "xyz")
        self.assertEqual(table["energy"].unit, "J")


class Sentences(unittest.TestCase):
    def test_malformed_files(self):
        """Every wrong file is refused with the very words of the command."""
        folder = ROOT / "tests/cli/malformed"
        files = sorted(folder.glob("*.yaml"))
        self.assertGreater(len(files), 100)
        before = os.getcwd()
        os.chdir(folder)
        try:
            for file in files:
                with self.subTest(file.name), self.assertRaises(withy.InputError) as caught:
                    withy.Model(file.name)
                self.assertEqual(command("check", file.name)[2].rstrip("\n"), str(caught.exception))
        finally:
            os.chdir(before)

    def test_settings(self):
        for path, value in (("rods.pendulum.segmets", 20), ("rods.pendulum.length", -1), ("rods.arm.length", 1)):
            with self.subTest(path), self.assertRaises(withy.InputError) as caught:
                withy.Model("rubber-pendulum", **{path: value})
            self.assertEqual(command("check", "rubber-pendulum", "--set", f"{path}={value}")[2].rstrip("\n"),
                             str(caught.exception))

    def test_files_that_are_not_there(self):
        with self.assertRaises(withy.InputError) as caught:
            withy.Model("rubber-pendulun")
        self.assertEqual(command("check", "rubber-pendulun")[2].rstrip("\n"), str(caught.exception))
        with self.assertRaisesRegex(withy.InputError, "no/such.yaml: found no such file"):
            withy.Model("no/such.yaml")
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(withy.InputError, "found a folder"):
            withy.Model(folder)

    def test_an_input_error_is_a_value_error(self):
        with self.assertRaises(ValueError):
            withy.Model({"withy": 1})

    def test_numbers_that_are_none(self):
        for value in (float("nan"), float("inf")):
            with self.subTest(value), self.assertRaises(withy.InputError):
                withy.Model(SMALL, **{"rods.a.length": value})

    def test_what_is_no_json(self):
        circle = dict(SMALL)
        circle["title"] = circle
        deep: list = []
        for _ in range(100000):
            deep = [deep]
        for scenario in (circle, dict(SMALL, title=deep), {**SMALL, (1, 2): 3}):
            with self.assertRaises(withy.InputError):
                withy.Model(scenario)
            with self.assertRaises(withy.InputError):
                withy.Model(SMALL, title=scenario)

    def test_times_cannot_be_written(self):
        with self.assertRaises(ValueError):
            withy.Model(SMALL).times[0] = 1

    def test_zero_bytes(self):
        for call in (lambda: withy.Model(json.dumps(SMALL) + "\n\0\nwrong: 1"), lambda: withy.Model(SMALL, title="a\0b"),
                     lambda: withy.Model("rubber\0pendulum")):
            with self.assertRaises(withy.InputError):
                call()

    def test_findings_are_the_warnings_of_check(self):
        found = 0
        for name, settings in (("rubber-pendulum", {}), ("rubber-pendulum", {"rods.pendulum.material.density": 1.1}),
                               ("hanging-cable", {"time.output": 5})):
            arguments = [part for path, value in settings.items() for part in ("--set", f"{path}={value}")]
            _, out, _ = command("check", name, *arguments)
            wanted = [line[2:] for line in out.partition("\nWarnings\n")[2].splitlines()]
            lines = [str(one) for one in withy.Model(name, **settings).findings]
            self.assertEqual(lines, wanted)
            found += len(lines)
        self.assertGreater(found, 0)


if __name__ == "__main__":
    unittest.main()
