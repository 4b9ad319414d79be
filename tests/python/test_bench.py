# SPDX-License-Identifier: MIT
"""The loops that `make bench` times in C and in Python do the same, bit for bit. Their times are no matter of a test."""
import ctypes
import os
import sys
import unittest

from common import ROOT, WITHY

sys.path.insert(0, str(ROOT / "bench/python"))
import loops  # noqa: E402
import studies  # noqa: E402


class Loops(unittest.TestCase):
    def test_c_and_python_agree(self):
        library = ctypes.CDLL(os.path.join(os.environ["BUILD"], "bench/loops.so"))
        found = loops.compare(library, rounds=1)
        self.assertEqual(set(found), {"tip", "probes", "control"})
        for name, (c, python, apart) in found.items():
            self.assertTrue(c > 0 and python > 0)
            self.assertEqual(apart, 0, name)

    def test_a_sweep_gives_the_same_rows_in_all_ways(self):
        found, same = studies.measure(WITHY, points=3, rounds=1)
        self.assertTrue(same)
        self.assertEqual(len(found), 5)


if __name__ == "__main__":
    unittest.main()
