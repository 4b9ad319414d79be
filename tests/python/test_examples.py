# SPDX-License-Identifier: MIT
"""The examples, the pages of the guide, types, and the reference."""
import importlib
import math
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np
from common import ROOT

import withy

warnings.resetwarnings()  # of other packages
warnings.simplefilter("ignore")
warnings.simplefilter("error", withy.ResultWarning)


class Examples(unittest.TestCase):
    """Each program of examples/python, with what it should find."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(holder.name)
        sys.path.insert(0, str(ROOT / "examples/python"))
        self.addCleanup(sys.path.remove, str(ROOT / "examples/python"))

    def example(self, name):
        self.seen.add(name)
        return importlib.import_module(name)

    seen = set()

    def test_hello(self):
        tip, sampled = self.example("hello").main()
        # Advanced in pieces and sampled: the same motion within the tolerance of 1e-6 a step, some hundred steps.
        self.assertLess(abs(tip[2] - sampled), 1e-4)
        self.assertLess(math.dist(tip, (0, 0, 0)), 1.05)
        self.assertTrue(os.path.getsize("hello.html") > 100_000)

    def test_cable(self):
        cable = self.example("cable")
        radii = cable.main()
        self.assertEqual(len(radii), len(cable.POSES))
        # A finer cable finds the same radii, to second order in the length of a segment.
        cable.CABLE["rods"][0]["segments"] = 80
        np.testing.assert_allclose(cable.main(), radii, rtol=0.05)

    def test_control(self):
        self.assertLess(self.example("control").main(), 1e-4)

    def test_sweep(self):
        table = self.example("sweep").main()
        # A stiff short beam sags by mu g L^4 / (8 EI): 4 / (8 r^2) rho g L^4 / E, closed form; less where it droops.
        small = 1000 * 9.81 * 0.2**4 / (2 * 5e-3**2 * 1e10)
        self.assertLess(abs(table[-1, 0] / small - 1), 0.01)
        self.assertTrue(np.all(np.diff(table, axis=0) < 0) and np.all(np.diff(table, axis=1) > 0))

    def test_convergence(self):
        orders = self.example("convergence").main()
        self.assertLess(abs(orders["staggered"] - 2), 0.2)
        self.assertGreater(orders["mixed"], 3)
        self.assertTrue(os.path.exists("convergence.svg"))

    def test_converge(self):
        estimated, error = self.example("converge").main()
        self.assertTrue(error / 3 < estimated < 3 * error, (estimated, error))

    def test_modes(self):
        modes = self.example("modes")
        found = modes.main()
        for omega, root in zip(found, modes.ROOTS):
            self.assertLess(abs(omega / root**2 - 1), root**2 / 60**2)  # second order
        # Greenhill: a column buckles under its own weight at mu g L^3 / EI = 7.8373; omega^2 falls about linearly.
        self.assertLess(abs((found[3] / found[0])**2 - (1 - 4 / 7.8373)), 0.02)

    def test_hair(self):
        middle = self.example("hair").main()
        # The tip of the guide hangs at (0.019, 0, -0.134) by then (scenarios/hair-tress.yaml); the middle is on the way.
        self.assertTrue(0 < middle[0] < 0.06 and -0.10 < middle[2] < -0.03, middle)

    def test_fit(self):
        fit = self.example("fit")
        young, damping = fit.main()
        # Four times the standard deviations that the fit reports: 0.28 % and 2.7 %.
        self.assertLess(abs(young / fit.TRUTH[0] - 1), 4 * 0.0028)
        self.assertLess(abs(damping / fit.TRUTH[1] - 1), 4 * 0.027)

    def test_many_rods(self):
        seen = self.example("many_rods").main(10)
        self.assertEqual(seen.shape, (10, 11, 7))
        # Random pressures lean to all sides alike; all arms begin upright.
        np.testing.assert_allclose(seen[:, 0, 1:4], np.tile([0, 0, 0.1755], (10, 1)), atol=1e-12)
        self.assertTrue(np.all(np.isfinite(seen)) and np.ptp(seen[:, -1, 1]) > 0.01)

    def test_distance(self):
        # Strands lie on the head: the axis of the lowest vertex a radius above the surface, less the depth of its skin, at
        # most half the radius. The spline is off by 0.4 um.
        nearest = self.example("distance").main()
        self.assertGreater(nearest, 0.5 * 3.5e-5 - 0.4e-6)
        self.assertLess(nearest, 3.5e-5 + 0.4e-6)

    def test_ensemble(self):
        ensemble = self.example("ensemble")
        young, density, sag = ensemble.main(200)
        self.assertTrue(os.path.getsize("ensemble.svg") > 1000)
        # At rest mu g L^4 / (8 EI), closed form. 20 segments miss less than 1 / 20^2 of it, droop (w / L)^2 with w below
        # 2 cm, and the motion has not ended: it fades with exp(-omega^2 tau t / 2), omega^2 = 12.36 EI / (mu L^4).
        wanted = density * 9.81 * ensemble.LENGTH**4 / (2 * young * ensemble.RADIUS**2)
        self.assertLess(wanted.max(), 0.02)
        left = np.exp(-0.005 * 12.36 * 9.81 / (8 * wanted))
        self.assertLess(np.max(np.abs(sag[-1] / wanted - 1) - left), 1 / 20**2 + (0.02 / ensemble.LENGTH)**2)
        # Motion and sag follow from density over stiffness alone: what is softer for its weight sags more.
        self.assertTrue(np.all(np.diff(sag[-1][np.argsort(wanted)]) > 0))

    def test_read_run(self):
        lowest, length = self.example("read_run").main()
        # A pendulum of 1 m that its weight and its swing stretch a little: strain F / EA, F some times its weight.
        weight, stiffness = 1100 * math.pi * 5e-3**2 * 9.81, 5e6 * math.pi * 5e-3**2
        self.assertTrue(-length <= lowest < -0.99)
        self.assertTrue(1 < length < 1 + 4 * weight / stiffness)

    @classmethod
    def tearDownClass(cls):
        there = {path.stem for path in (ROOT / "examples/python").glob("*.py")}
        assert cls.seen == there, f"no test for {there - cls.seen}"


class Pages(unittest.TestCase):
    def test_the_code_runs(self):
        for page, pictures in (("python", ()), ("python-notebook", ("droop", "swing", "hand"))):
            with self.subTest(page), tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, str(ROOT / "scripts/python_page.py"), str(ROOT / f"docs/guide/{page}.md"), folder]
                done = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                text = (ROOT / f"docs/guide/{page}.md").read_text(encoding="utf-8")
                for name in pictures:
                    self.assertTrue(os.path.getsize(os.path.join(folder, f"python-{name}.svg")) > 1000)
                    self.assertIn(f"(../figures/python-{name}.svg)", text)

    def test_the_runner_of_pages_can_fail(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.md")
            with open(page, "w", encoding="utf-8") as file:
                file.write("# A\n\n```python\na = 1\n```\n\ntext\n\n```python\nassert a == 2\n```\n")
            done = subprocess.run([sys.executable, str(ROOT / "scripts/python_page.py"), page], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("line 10", done.stderr)

    def test_the_reference_is_current(self):
        done = subprocess.run([sys.executable, str(ROOT / "scripts/python_reference.py")], capture_output=True, check=True)
        stored = (ROOT / "docs/guide/python-reference.md").read_bytes()
        self.assertEqual(stored, done.stdout, "run scripts/python_reference.py >docs/guide/python-reference.md")

    def test_the_reference_is_complete(self):
        text = (ROOT / "docs/guide/python-reference.md").read_text(encoding="utf-8")
        for name in withy.__all__:
            if name not in ("envs", "Array"):
                self.assertIn(f"\n### {name}\n", text)


class Types(unittest.TestCase):
    def test_mypy(self):
        """The package, and the examples as a user of it sees them."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, "--config-file",
                                   str(ROOT / "pyproject.toml"), "python/withy", "examples/python"], cwd=ROOT,
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_mypy_sees_the_package(self):
        """A wrong use is an error: types are not lost on the way."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "wrong.py")
            with open(file, "w", encoding="utf-8") as out:
                out.write("import withy\nsim = withy.Simulation('a')\nsim.advance('later')\nx: int = sim.rods['a'].position\n")
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, file], cwd=ROOT,
                                  capture_output=True, text=True, env=dict(os.environ, MYPYPATH=str(ROOT / "python")))
        self.assertIn("wrong.py:3: error", done.stdout)
        self.assertIn("wrong.py:4: error", done.stdout)


if __name__ == "__main__":
    unittest.main()
