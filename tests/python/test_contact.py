# SPDX-License-Identifier: MIT
"""Obstacles and the contact of rods, in simulations and in runs."""
import math
import unittest

import numpy as np
from common import Scratch

import withy

RADIUS = 5e-3
FALL = """
withy: 1
time: {end: 0.2, output: 0.05}
gravity: [0, 0, -9.81]
rods:
  - name: cable
    length: 0.4
    segments: 8
    section: {shape: circle, radius: 5e-3}
    material: {density: 1100, young: 2e6, poisson: 0.5}
    damping: {time: 2e-3}
    shape: {origin: [0, 0, 0.015]}
  - name: apart
    length: 0.4
    segments: 4
    section: {shape: circle, radius: 5e-3}
    material: {density: 1100, young: 2e10, poisson: 0.5}
    shape: {origin: [0, 1, 0.015]}
    ends: {start: clamped}
    contact: false
obstacles:
  - {name: floor, shape: plane}
  - {name: ball, shape: sphere, position: [0, 5, "1 + t"], radius: 1.5}
contact: {friction: 0.3}
"""


class Simulations(unittest.TestCase):
    def test_what_there_is(self):
        with withy.Simulation(withy.Model(FALL)) as sim:
            self.assertEqual(list(sim.obstacles), ["floor", "ball"])
            self.assertEqual([one.shape for one in sim.obstacles.values()], ["plane", "sphere"])
            np.testing.assert_allclose(sim.obstacles["ball"].position, [0, 5, 1])
            np.testing.assert_allclose(sim.obstacles["ball"].velocity, [0, 0, 1])
            self.assertIsNone(sim.rods["apart"].contact)
            contact = sim.rods["cable"].contact
            self.assertEqual(contact.load.shape, (8, 3))
            np.testing.assert_allclose(contact.s, (np.arange(8) + 0.5) * 0.05)
            np.testing.assert_allclose(contact.gap, 0.01, rtol=1e-12)
            self.assertTrue(math.isnan(contact.first_time))
            with self.assertRaises(withy.InputError):
                sim.obstacles["floor"].load("nobody")

    def test_a_rod_that_has_fallen_is_carried(self):
        with withy.Simulation(withy.Model(FALL)) as sim:
            sim.advance(0.2)
            floor, contact = sim.obstacles["floor"], sim.rods["cable"].contact
            np.testing.assert_allclose(contact.load.sum(axis=0) * 0.05, floor.force, atol=1e-12)
            np.testing.assert_allclose(floor.load("cable").force, floor.force)
            np.testing.assert_array_equal(floor.load("apart").force, 0)
            self.assertAlmostEqual(floor.gap(), contact.gap.min())
            self.assertGreater(contact.deepest, 0)
            self.assertAlmostEqual(contact.deepest_over_radius, contact.deepest / RADIUS)
            self.assertTrue(0.03 < contact.first_time < 0.06)  # it falls by 0.01
            energy = sim.energy
            self.assertGreater(energy.impact, 0)
            self.assertAlmostEqual(energy.total, energy.kinetic + energy.elastic + energy.gravity + energy.contact)

    def test_an_obstacle_is_moved(self):
        with withy.Simulation(withy.Model(FALL)) as sim:
            sim.obstacles["floor"].move([0, 0, -1], velocity=[0, 0, -2], duration=0.1)
            sim.advance(0.1)
            np.testing.assert_allclose(sim.obstacles["floor"].position, [0, 0, -1], atol=1e-15)
            np.testing.assert_allclose(sim.obstacles["floor"].velocity, [0, 0, -2], atol=1e-14)


class Runs(Scratch):
    def test_files(self):
        run = withy.run(withy.Model(FALL), self.folder / "out")
        self.assertEqual(run.obstacles, ("ball", "floor"))
        np.testing.assert_allclose(run.obstacle("ball", "position")[:, 2], 1 + run.times)
        load, gap = run.field("cable", "contact"), run.field("cable", "gap")
        np.testing.assert_allclose(load.values.sum(axis=1) * 0.05, run.obstacle("floor"), atol=1e-12)
        self.assertEqual(gap.values.shape, (5, 8, 1))
        np.testing.assert_array_equal(gap.s, load.s)


if __name__ == "__main__":
    unittest.main()
