# SPDX-License-Identifier: MIT
"""What the tests of the Python package share. CTest sets WITHY to the command and PYTHONPATH to the package."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
WITHY = os.environ["WITHY"]

# A small free rod: quick to make.
SMALL = {
    "withy": 1,
    "time": {"end": 1, "output": 0.1},
    "rods": [{"name": "a", "length": 1, "segments": 3, "section": {"shape": "circle", "radius": 0.01},
              "material": {"density": 1000, "young": 1e7, "poisson": 0.3}}],
    "probes": [{"name": "tip", "at": "end", "quantity": "position"}],
}


def command(*arguments, cwd=None):
    """Runs `withy`; returns exit status, stdout and stderr."""
    done = subprocess.run([WITHY, *map(str, arguments)], capture_output=True, text=True, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


class Scratch(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name
