# SPDX-License-Identifier: MIT
"""Bodies, joints, springs and groups, in simulations and in runs."""
import unittest

import numpy as np
from common import Scratch

import withy

SWING = """
withy: 1
time: {end: 0.2, output: 0.05}
gravity: [0, 0, -9.81]
bodies:
  - {name: bob, mass: 0.5, inertia: [1e-3, 2e-3, 3e-3, 1e-4, 0, 0], origin: [1.1, 0, 0], turn: {axis: [0, 0, 1], angle: pi/2}}
rods:
  - name: rope
    length: 1
    segments: 8
    section: {shape: circle, radius: 5e-3}
    material: {density: 1100, young: 5e9, poisson: 0.5}
    shape: {direction: [1, 0, 0]}
  - name: alone
    length: 1
    segments: 4
    section: {shape: circle, radius: 2e-2}
    material: {density: 1100, young: 5e8, poisson: 0.5}
    shape: {direction: [1, 0, 0], origin: [0, 2, 0]}
    ends: {start: clamped}
joints:
  - {name: hook, kind: ball, of: [rope.start, ground]}
  - {kind: weld, of: [{body: bob, point: [0, 0.1, 0]}, rope.end]}
springs:
  - {name: tie, of: [bob, {ground: [1.1, 0, 1]}], stiffness: 2, length: 0.7, damping: 0.1, kind: cable}
probes:
  - {name: eye, body: bob, point: [0, 0.1, 0], quantity: position}
  - {name: tie, spring: tie, quantity: force}
"""
HUNG = """
withy: 1
time: {end: 1}
gravity: [0, 0, -9.81]
bodies:
  - {name: bob, mass: 0.5, inertia: [1, 1, 1], origin: [0, 0, -1], position: [held, held, free], rotation: held}
springs: [{name: tie, of: [bob, {ground: [0, 0, 0]}], stiffness: 20, length: 1}]
"""


class Simulations(unittest.TestCase):
    def test_what_there_is(self):
        sim = withy.Simulation(SWING)
        self.assertEqual((sim.model.bodies, sim.model.joints, sim.model.springs), (("bob",), ("hook", "[1]"), ("tie",)))
        self.assertEqual((list(sim.bodies), len(sim.joints), "tie" in sim.springs), (["bob"], 2, True))
        self.assertIs(sim.joints["[1]"], sim.joints[1])
        self.assertIsNone(sim.bodies.get("bub"))
        with self.assertRaisesRegex(withy.InputError, "found no body 'bub'; did you mean 'bob'"):
            sim.bodies["bub"]
        weld = sim.joints[1]
        self.assertEqual((weld.kind, weld.parts, sim.joints["hook"].parts), ("weld", ("bob", "rope"), ("rope", "ground")))
        self.assertEqual(sim.bodies["bob"].mass, 0.5)
        np.testing.assert_allclose(sim.bodies["bob"].inertia, [[1e-3, 1e-4, 0], [1e-4, 2e-3, 0], [0, 0, 3e-3]])
        tie = sim.springs["tie"]
        self.assertEqual((tie.kind, tie.stiffness, tie.damping, tie.rest_length), ("cable", 2, 0.1, 0.7))
        self.assertEqual(repr(sim.bodies["bob"]) + repr(tie), "<withy.Body bob><withy.Spring tie>")
        first, second = sim.groups
        self.assertEqual((first.rods, first.bodies, second.rods, second.bodies), (("rope",), ("bob",), ("alone",), ()))
        self.assertEqual(first.methods.unknowns, sim.rods["rope"].methods.unknowns + 13)

    def test_what_they_do(self):
        sim = withy.Simulation(SWING)
        bob, weld, tie = sim.bodies["bob"], sim.joints[1], sim.springs["tie"]
        for t in (0.05, 0.1):
            sim.advance(t)
            eye = bob.point(0, 0.1, 0)
            np.testing.assert_allclose(eye, sim.rods["rope"].position[-1], atol=1e-13)
            np.testing.assert_allclose(weld.position, eye, atol=1e-15)
            np.testing.assert_allclose(sim.row()[1:4], eye, atol=1e-15)
            np.testing.assert_allclose(tie.ends, [bob.position, [1.1, 0, 1]], atol=1e-15)
            self.assertAlmostEqual(tie.length, np.linalg.norm(tie.ends[1] - tie.ends[0]), 14)
            self.assertEqual(tie.force, sim.row()[4])
            on_body, on_rod = weld.load(0), weld.load(1)
            np.testing.assert_array_equal(on_body.force, -on_rod.force)
            np.testing.assert_array_equal(weld.force, on_body.force)
            np.testing.assert_array_equal(weld.moment, on_body.moment)
            np.testing.assert_array_equal(on_rod.force, sim.rods["rope"].end.reaction_force)
        self.assertAlmostEqual(np.linalg.norm(bob.frame), 1, 12)
        self.assertGreater(np.linalg.norm(bob.velocity) + np.linalg.norm(bob.angular_velocity), 0.1)
        self.assertEqual(abs(bob.reaction_force).max() + abs(bob.reaction_moment).max(), 0)
        with self.assertRaisesRegex(withy.InputError, "no part number 2"):
            weld.load(2)
        sim.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            bob.position

    def test_modes_of_a_group(self):
        sim = withy.Simulation(SWING, statics=True, end=1)
        sim.settle(0)
        shapes = sim.group_modes(3, of="bob")
        self.assertEqual(sorted(shapes), ["bob", "rope"])
        np.testing.assert_array_equal(shapes["bob"].omega, sim.modes(3, "rope").omega)
        self.assertEqual(shapes["bob"].displacement.shape, (3, 1, 3))
        np.testing.assert_array_equal(shapes["bob"].position[0], sim.bodies["bob"].position)
        with self.assertRaisesRegex(withy.InputError, "2 groups"):
            sim.group_modes(3)
        with self.assertRaisesRegex(withy.InputError, "did you mean 'alone'"):
            sim.group_modes(3, of="alon")

    def test_bodies_without_rods(self):
        sim = withy.Simulation(HUNG, statics=True)
        self.assertEqual(repr(sim.model), "<withy.Model scenario: dynamics, bob>")
        sim.settle()
        self.assertAlmostEqual(sim.bodies["bob"].position[2], -1 - 0.5 * 9.81 / 20, 12)
        modes = sim.group_modes()
        np.testing.assert_allclose(modes["bob"].omega, [40**0.5], rtol=1e-9)
        self.assertAlmostEqual(sim.bodies[0].reaction_force[2], 0, 12)
        self.assertAlmostEqual(sim.springs[0].force, 0.5 * 9.81, 12)

    def test_a_body_that_is_moved(self):
        sim = withy.Simulation(HUNG, end=2, statics=False)
        sim.bodies["bob"].move([0.5, 0, -1], duration=1)
        sim.advance(1.5)
        self.assertAlmostEqual(sim.bodies["bob"].position[0], 0.5, 12)


HINGES = """
withy: 1
time: {end: 1}
bodies:
  - {name: arm, mass: 1, inertia: [1e-3, 0.02, 0.02], origin: [0.5, 0, 0], initial: {velocity: [0, 0, -1], angular_velocity: [0, 2, 0]}}
rods:
  - {name: crank, length: 0.3, segments: 6, section: {shape: circle, radius: 0.02}, material: {density: 1100, young: 1e9, poisson: 0.3}, shape: {origin: [0, 2, 0]}}
joints:
  - {name: pin, kind: hinge, axis: [0, 1, 0], of: [ground, {body: arm, point: [-0.5, 0, 0]}]}
  - {name: motor, kind: hinge, axis: [0, 0, 1], of: [ground, crank.start], angle: "0"}
"""


class Hinges(unittest.TestCase):
    def test_angles(self):
        sim = withy.Simulation(HINGES)
        pin, motor = sim.joints["pin"], sim.joints["motor"]
        self.assertAlmostEqual(pin.rate(), 2, 12)
        motor.turn(0.5, duration=0.2)
        sim.advance(0.3)
        self.assertAlmostEqual(pin.angle(), 0.6, 6)
        self.assertAlmostEqual(pin.rate(), 2, 6)
        self.assertEqual((pin.angle(0), motor.rate()), (0, 0))
        self.assertAlmostEqual(motor.angle(), 0.5, 12)
        np.testing.assert_allclose(sim.bodies["arm"].position, [0.5 * np.cos(0.6), 0, -0.5 * np.sin(0.6)], atol=1e-6)
        with self.assertRaisesRegex(withy.InputError, "no part number 2"):
            pin.angle(2)


class Runs(Scratch):
    def test_files(self):
        run = withy.run(SWING, self.folder / "out")
        self.assertEqual((run.bodies, run.joints, run.springs), (("bob",), ("[1]", "hook"), ("tie",)))
        eye = np.stack([run.columns()[f"eye.{axis}"] for axis in "xyz"], axis=1)
        np.testing.assert_allclose(run.joint("[1]", "position"), eye, atol=1e-15)
        np.testing.assert_array_equal(run.spring("tie"), run.columns()["tie"])
        self.assertEqual(run.spring("tie", "ends").shape, (5, 2, 3))
        self.assertEqual(run.body("bob", "frame").shape, (5, 4))
        np.testing.assert_allclose(run.spring("tie", "ends")[:, 0], run.body("bob"), atol=1e-15)
        for call, sentence in ((lambda: run.body("bub"), "did you mean 'bob'"),
                               (lambda: run.body("bob", "force"), "expected one of position"),
                               (lambda: run.joint("hook", "axis"), "found no axis of 'hook'")):
            with self.assertRaisesRegex(withy.InputError, sentence):
                call()
        groups = run.summary["groups"]
        self.assertEqual([group["bodies"] for group in groups], [["bob"], []])


if __name__ == "__main__":
    unittest.main()
