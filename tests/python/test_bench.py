"""The loops that `make bench` times in C and in Python do the same, bit for bit. Their times are no matter of a test."""
import ctypes
import os
import sys
import unittest

from common import ROOT

sys.path.insert(0, str(ROOT / "bench/python"))
import loops  # noqa: E402


class Loops(unittest.TestCase):
    def test_c_and_python_agree(self):
        library = ctypes.CDLL(os.path.join(os.environ["BUILD"], "bench/loops.so"))
        found = loops.compare(library, rounds=1)
        self.assertEqual(set(found), {"tip", "probes", "control"})
        for name, (c, python, apart) in found.items():
            self.assertTrue(c > 0 and python > 0)
            self.assertEqual(apart, 0, name)


if __name__ == "__main__":
    unittest.main()
