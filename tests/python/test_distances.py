# SPDX-License-Identifier: MIT
"""Obstacles of any form: arrays of distances in scenarios, and files of them."""
import copy
import unittest

import numpy as np
from common import Scratch

import withy

RADIUS, HALF, POINTS = 0.1, 0.16, 33
STEP = 2 * HALF / (POINTS - 1)
SCENARIO = {
    "withy": 1,
    "time": {"end": 0.1, "output": 0.02},
    "gravity": [0, 0, -9.81],
    "rods": [{"name": "strand", "length": 0.2, "segments": 8, "section": {"shape": "circle", "radius": 2e-3},
              "material": {"density": 1000, "young": 1e7, "poisson": 0.4}, "damping": {"time": 0.01},
              "shape": {"origin": [-0.1, 0.01, 0.103], "direction": [1, 0, 0]}, "ends": {"start": "clamped"}}],
    "obstacles": [{"name": "head", "shape": "sphere", "radius": RADIUS}],
    "batches": [{"name": "hair", "rod": "strand", "count": 5, "substeps": 32, "vary": {"material.young": "1e7*(1 + 0.1*n)"}}],
}


def distances():
    axis = np.linspace(-HALF, HALF, POINTS)
    return np.sqrt(sum(x**2 for x in np.meshgrid(axis, axis, axis, indexing="ij"))) - RADIUS


def scenario(**obstacle):
    own = copy.deepcopy(SCENARIO)
    own["obstacles"] = [{"name": "head", "shape": "distance", **obstacle}]
    return own


def array(**changes):
    own = {"distance": distances(), "origin": [-HALF] * 3, "step": STEP, **changes}
    return scenario(**{key: value for key, value in own.items() if value is not None})


class Distances(Scratch):
    def moved(self, given):
        with withy.Batch(given, "hair") as batch:
            for _ in range(5):
                batch.advance(0.02)
            return batch.positions()

    def test_arrays_are_files(self):
        import h5py
        path = str(self.folder / "head.h5")
        with h5py.File(path, "w") as file:
            data = file.create_dataset("distance", data=distances())
            data.attrs["origin"], data.attrs["step"] = [-HALF] * 3, STEP
        by_array, by_file = self.moved(array()), self.moved(scenario(file=path))
        np.testing.assert_array_equal(by_array, by_file)
        np.testing.assert_array_equal(by_array, self.moved(array(distance=distances().tolist(), step=[STEP] * 3)))
        # The surface is off by less than a micrometre, and its normal by 1e-3 (docs/theory/batch.md).
        np.testing.assert_allclose(by_array, self.moved(SCENARIO), atol=1e-3 * STEP + 1e-3 * 0.05)
        free = {key: value for key, value in SCENARIO.items() if key != "obstacles"}
        self.assertGreater(np.max(by_array - self.moved(free)), 0.01)

    def test_runs_have_them(self):
        given = array()
        run = withy.run(given, self.folder / "one.out")
        # The times of its frames are multiples of 0.02, not sums.
        np.testing.assert_allclose(run.batch("hair").values[-1], self.moved(given), atol=1e-13)
        self.assertEqual(run.obstacles, ("head",))

    def test_what_is_refused(self):
        for changes, sentence in (({"origin": None}, "without origin"), ({"step": None}, "without step"),
                                  ({"step": [1, 2]}, "1 or 3 numbers"), ({"origin": "here"}, "3 numbers"),
                                  ({"distance": np.zeros((4, 4))}, "2 dimensions"), ({"distance": "head"}, "dimensions"),
                                  ({"step": -1}, "expected a positive number"),
                                  ({"distance": np.full((4, 4, 4), np.nan)}, "finite distances"),
                                  ({"radius": 1}, "radius")):
            with self.subTest(sentence), self.assertRaisesRegex(withy.InputError, sentence):
                withy.Model(array(**changes))
        alone = array()
        del alone["batches"]
        with self.assertRaisesRegex(withy.InputError, "batches alone"):
            withy.Model(alone)


if __name__ == "__main__":
    unittest.main()
