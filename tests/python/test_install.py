# SPDX-License-Identifier: MIT
"""The package installs without a network into an empty environment, and works there, alone."""
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from common import ROOT

BUILD = os.environ["BUILD"]
PROGRAM = """
import sys, withy
sim = withy.Simulation("rubber-pendulum")
sim.advance(0.5)
run = withy.run("hanging-cable", **{"time.end": 0.1})
assert len(run.probes["t"]) > 1 and run.view().exists()
assert withy.__file__.startswith(sys.prefix), withy.__file__
print(sim.row().tolist())
"""


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        folder = Path(cls.holder.name)
        cls.python = folder / "venv/bin/python"
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", folder / "venv"], check=True)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        # The module of this build; there is no network, and pip shall not look for one.
        cls.environment = dict(environment, WITHY_BUILD=BUILD, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
        start = time.monotonic()
        done = subprocess.run([cls.python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", str(ROOT)],
                              env=cls.environment, capture_output=True, text=True, cwd=folder)
        print(f"installed in {time.monotonic() - start:.1f} s")
        assert done.returncode == 0, done.stdout + done.stderr
        cls.package = next((folder / "venv/lib").glob("python3*/site-packages/withy"))

    def test_it_works(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            done = subprocess.run([self.python, "-W", "error", "-c", PROGRAM], env=self.environment, capture_output=True,
                                  text=True, cwd=elsewhere)
        self.assertEqual(done.returncode, 0, done.stderr)
        import withy
        sim = withy.Simulation("rubber-pendulum")  # of the build folder: the same module
        sim.advance(0.5)
        self.assertEqual(done.stdout.strip(), str(sim.row().tolist()))

    def test_one_wheel_for_all(self):
        wheel = next(self.package.parent.glob("withy-*.dist-info")) / "WHEEL"
        self.assertIn("Tag: cp39-abi3-", wheel.read_text(encoding="utf-8"))

    def test_nothing_of_the_build_tree_is_in_it(self):
        for file in self.package.rglob("*"):
            if file.is_file() and file.suffix != ".pyc":
                self.assertFalse(str(Path(BUILD)).encode() in file.read_bytes(), file)
        listed = {path.name for path in self.package.iterdir()} - {"__pycache__"}
        sources = {path.name for path in (ROOT / "python/withy").iterdir()} - {"__pycache__"}
        kernels = {"libwithy_cuda.so"} if (Path(BUILD) / "libwithy_cuda.so").exists() else set()
        self.assertEqual(listed, sources | kernels | {"_withy.abi3.so", "scenarios"})
        self.assertEqual(len(list((self.package / "scenarios").glob("*.yaml"))), len(list((ROOT / "scenarios").glob("*.yaml"))))

    def test_the_module_exports_nothing_else(self):
        names = subprocess.run(["nm", "-D", "--defined-only", self.package / "_withy.abi3.so"], check=True, capture_output=True,
                               text=True).stdout.split()[2::3]
        self.assertEqual(names, ["PyInit__withy"])


if __name__ == "__main__":
    unittest.main()
