# SPDX-License-Identifier: MIT
"""Simulations: arrays in their memory, time, forces, ends, equilibria, modes, saved states."""
import gc
import math
import threading
import unittest

import numpy as np
from common import SMALL

import withy

CABLE = """
withy: 1
analysis: quasistatics
time: {end: 1, output: 0.5}
gravity: [0, 0, -9.81]
rods:
  - name: cable
    length: 1.0
    segments: 20
    section: {shape: circle, radius: 5.0e-3}
    material: {density: 1100, young: 5.0e6, poisson: 0.5}
    ends: {start: clamped, end: {position: ["1 - 0.2*t", 0, 0], rotation: held}}
"""

BEAM = """
withy: 1
analysis: statics
time: {end: 1}
rods:
  - name: beam
    length: 1.0
    segments: 40
    section: {shape: circle, radius: 0.01}
    material: {density: 2700, young: 7.0e10, poisson: 0.3}
    ends: {start: clamped}
loads:
  - {name: pull, rod: beam, at: end, force: [0, 0, 0]}
probes:
  - {name: tip, rod: beam, at: end, quantity: position}
"""

MANY = """
withy: 1
time: {end: 1}
gravity: [0, 0, -9.81]
rods:
  - name: beam
    length: 1.0
    segments: 8
    section: {shape: circle, radius: 0.01}
    material: {density: 2700, young: 7.0e10, poisson: 0.3}
    ends: {start: clamped}
    copies: {grid: [12, 1], steps: [[0, 0.1, 0], [0, 0, 1]]}
"""


def section(model):
    """Stiffness and mass of the first rod."""
    return withy._lib.wy_model_section(model._model, 0, 0.5)


class Arrays(unittest.TestCase):
    def test_they_lie_in_the_memory_of_the_simulation(self):
        sim = withy.Simulation("rubber-pendulum")
        rod = sim.rods["pendulum"]
        self.assertIs(rod.position, rod.position)
        self.assertIs(sim.rods[0], rod)
        self.assertEqual(rod.position.shape, (11, 3))
        self.assertEqual(rod.frame.shape, (10, 4))
        np.testing.assert_allclose(rod.s(), np.arange(11) / 10, rtol=1e-15)
        # Another wrapper of the same memory.
        from withy._withy import ffi, lib
        view = lib.wy_sim_view(sim._handle.sim, 0)
        there = np.frombuffer(ffi.buffer(ffi.cast("double *", view.position.values), 8 * 33))
        self.assertTrue(np.shares_memory(rod.position, there))
        self.assertTrue(np.shares_memory(rod.position[-1], there))
        self.assertFalse(np.shares_memory(rod.position, rod.velocity))

    def test_they_show_the_present(self):
        sim = withy.Simulation("rubber-pendulum")
        positions, force = sim.rods["pendulum"].position, sim.rods["pendulum"].start.reaction_force
        np.testing.assert_allclose(positions[-1], [0, 1, 0], atol=1e-15)
        start = sim.save()
        for move in (lambda: sim.advance(0.1), lambda: sim.sample(0.2), lambda: sim.step(), lambda: sim.restore(start)):
            before = positions[-1].copy()
            move()
            self.assertFalse(np.array_equal(before, positions[-1]))
            np.testing.assert_allclose(positions[-1], sim.probe("position"), atol=1e-15)
            np.testing.assert_array_equal(force, sim.probe("reaction_force", at="start"))

    def test_they_are_read_only(self):
        position = withy.Simulation(SMALL).rods["a"].position
        with self.assertRaises(ValueError):
            position[0, 0] = 1
        with self.assertRaises(ValueError):
            position.flags.writeable = True

    def test_they_survive_the_simulation(self):
        sim = withy.Simulation("rubber-pendulum")
        sim.advance(0.3)
        rod = sim.rods["pendulum"]
        kept, copy = rod.position, rod.position.copy()
        sim.close()
        np.testing.assert_array_equal(kept, copy)
        for call in (lambda: sim.advance(1), lambda: sim.time, lambda: rod.position, lambda: sim.probe("energy"),
                     lambda: sim.energy, lambda: sim.save(), lambda: rod.end.position):
            with self.assertRaisesRegex(ValueError, "closed"):
                call()
        sim.close()
        del sim, rod
        gc.collect()
        junk = [withy.Simulation(SMALL) for _ in range(100)]  # would write over freed memory
        for one in junk:
            one.step()
        np.testing.assert_array_equal(kept, copy)

    def test_a_simulation_outlives_its_model(self):
        sim = withy.Simulation(withy.Model("template"))  # expressions of time, which belong to the scenario
        gc.collect()
        sim.model = None
        gc.collect()
        sim.advance(0.05)
        self.assertEqual(sim.time, 0.05)

    def test_it_goes_as_far_as_time_allows(self):
        sim = withy.Simulation("rubber-pendulum")
        tip = sim.rods["pendulum"].position
        self.assertEqual(sim.advance_within(0.1, 0), 0)
        first = sim.advance_within(0.1, 1e-9)  # the first step, whose time nobody knows
        self.assertTrue(0 < first <= 0.1)
        np.testing.assert_allclose(tip[-1], sim.probe("position"), atol=1e-15)
        self.assertEqual(sim.advance_within(0.1, 60), 0.1)
        self.assertEqual(sim.time, 0.1)
        with self.assertRaisesRegex(withy.InputError, "outside"):
            sim.advance_within(0.05, 1)

    def test_a_view_of_every_field(self):
        sim = withy.Simulation("rubber-pendulum")
        sim.advance(0.2)
        rod = sim.rods["pendulum"]
        for name in ("position", "velocity", "frame", "angular_velocity", "strain", "force", "curvature", "moment"):
            array = getattr(rod, name)
            self.assertEqual(len(array), len(rod.s(name)))
            self.assertTrue(np.all(np.isfinite(array)))
        with self.assertRaisesRegex(withy.InputError, "found no array 'speed'"):
            rod.s("speed")


class Threads(unittest.TestCase):
    def test_one_simulation_in_many_threads_is_served_in_turn(self):
        sim = withy.Simulation("rubber-pendulum")
        position = sim.rods["pendulum"].position

        def use(k):
            for _ in range(50):
                sim.step()
                sim.probe("energy")
                sim.row()

        threads = [threading.Thread(target=use, args=(k,)) for k in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(sim.statistics["steps"], 200)
        np.testing.assert_allclose(position[-1], sim.probe("position"), atol=1e-15)

    def test_other_threads_go_on_while_one_computes(self):
        """Another thread beats several times during one call; a call that held the lock would let it beat once."""
        beats, done, most = [], threading.Event(), 0

        def beat():
            while not done.is_set():
                beats.append(1)
                done.wait(0.0005)

        thread = threading.Thread(target=beat)
        thread.start()
        for _ in range(20):  # a busy machine may leave the other thread no time for a while
            sim = withy.Simulation("rubber-pendulum")
            before = len(beats)
            sim.advance(10)  # some ten milliseconds
            most = max(most, len(beats) - before)
            if most > 3:
                break
        done.set()
        thread.join()
        self.assertGreater(most, 3)

    def test_rollout_does_not_depend_on_the_number_of_threads(self):
        actions = np.random.default_rng(1).uniform(-20, 0, (5, 8, 3))
        results = [withy.rollout(withy.envs.ARM, actions, step=0.02, threads=n) for n in (1, 2, 5)]
        self.assertEqual(results[0].shape, (5, 9, 7))
        for other in results[1:]:
            np.testing.assert_array_equal(results[0], other)
        # The same by hand.
        sim = withy.Simulation(withy.envs.ARM, end=math.inf)
        for k in range(8):
            for i in range(3):
                sim.actuators[i] = actions[3, k, i]
            sim.advance((k + 1) * 0.02)
        np.testing.assert_array_equal(sim.row(), results[0][3, -1])
        for wrong, sentence in ((actions[0], "2 dimensions"), (actions[:, :, :2], "2 numbers in an action")):
            with self.assertRaisesRegex(withy.InputError, sentence):
                withy.rollout(withy.envs.ARM, wrong, step=0.02)


    def test_rods_at_the_same_time(self):
        """Saved states do not depend on the number of threads; what is no number of them is refused."""
        rods = withy.Model(MANY)
        for go in ("advance", "settle"):
            states = []
            for threads in (1, 2, 3, None):
                with withy.Simulation(rods, threads=threads, statics=True) as sim:
                    getattr(sim, go)(0.01)
                    states.append(sim.save())
            for other in states[1:]:
                self.assertEqual(other, states[0])
        for wrong in (0, -1, 1.5, True, "2"):
            with self.subTest(wrong), self.assertRaisesRegex(withy.InputError, "threads"):
                withy.Simulation(rods, threads=wrong)


class Forces(unittest.TestCase):
    def test_the_tip_of_a_beam_under_a_load(self):
        """A clamped beam under a small force F at its tip gives way by F L^3 / (3 EI) + F L / (GA)."""
        sim, force = withy.Simulation(BEAM), 0.01
        stiffness = section(sim.model).stiffness
        for vector in ([0, force, 0], [0, 0, force], [0, 0.6 * force, 0.8 * force]):
            sim.loads["pull"] = vector
            sim.settle()
            wanted = np.array(vector) * (1 / (3 * stiffness[3]) + 1 / stiffness[0])
            # Second order along the rod: 40 segments miss 1 / (2 * 40^2) of the sum of squares behind L^3 / 3.
            np.testing.assert_allclose(sim.probe("position")[1:], wanted[1:], rtol=1 / 40**2, atol=1e-12)
        del sim.loads[0]
        sim.settle()
        np.testing.assert_allclose(sim.probe("position"), [1, 0, 0], atol=1e-12)

    def test_a_moment_bends_to_a_circle(self):
        """M = EI / R bends the beam to a circle of radius R."""
        sim = withy.Simulation(BEAM)
        for radius in (2.0, 1.0):
            sim.loads[0] = [0, 0, 0], [0, 0, section(sim.model).stiffness[3] / radius]
            sim.settle()
            # K = 2 tan(angle / 2) / h between two segments, so that M = EI K dK/d(angle) h = EI K (1 + (K h / 2)^2).
            curvature = np.linalg.norm(sim.rods["beam"].curvature, axis=1)[1:-1]
            np.testing.assert_allclose(curvature * (1 + (curvature / 40 / 2)**2), 1 / radius, rtol=1e-9)
            x, y, _ = sim.probe("position")
            self.assertLess(math.dist((x, y), (radius * math.sin(1 / radius), radius - radius * math.cos(1 / radius))),
                            1 / radius**2 / 40**2)

    def test_wrong_values(self):
        sim = withy.Simulation(BEAM)
        for value, sentence in (([1], "the force has 1 numbers; expected 3"), ([1, 2, 3, 4], "4 numbers; expected 3"),
                                (([0, 0, 1], [1]), "the moment has 1 numbers"), ([math.nan, 0, 0], "finite"),
                                ([1, 2], "the force has 2 numbers"), (5, "the force is 5; expected 3 numbers"),
                                ("abc", "the force is 'abc'"), ([None] * 3, "expected 3 numbers")):
            with self.subTest(value), self.assertRaisesRegex(withy.InputError, sentence):
                sim.loads[0] = value
        with self.assertRaisesRegex(withy.InputError, "found load 1; expected a name, or an index below 1"):
            sim.loads[1] = [0, 0, 1]
        for key in (0.5, None, (0,)):
            with self.subTest(key), self.assertRaisesRegex(withy.InputError, "expected a name, or an index below 1"):
                sim.loads[key] = [0, 0, 1]
        with self.assertRaisesRegex(withy.InputError, "found no load 'pul'; did you mean 'pull'?"):
            sim.loads["pul"] = [0, 0, 1]
        with self.assertRaisesRegex(withy.InputError, "found no actuator 'left'; no actuator has a name"):
            sim.actuators["left"] = 1
        with self.assertRaisesRegex(withy.InputError, "found no rod 'beem'; did you mean 'beam'?"):
            sim.rods["beem"]
        self.assertTrue("beam" in sim.rods and "beem" not in sim.rods)
        self.assertIs(sim.rods.get("beam"), sim.rods[0])
        self.assertIsNone(sim.rods.get("beem"))
        with self.assertRaisesRegex(withy.InputError, "found no quantity 'positon'; did you mean 'position'?"):
            sim.probe("positon")

    def test_ends(self):
        sim = withy.Simulation(CABLE)
        end = sim.ends["cable", "end"]
        sim.settle(0)
        np.testing.assert_allclose(end.position, [1, 0, 0], atol=1e-12)
        sim.follow(1)
        np.testing.assert_allclose(end.position, [0.8, 0, 0], atol=1e-12)
        np.testing.assert_allclose(sim.rods["cable"].position[-1], [0.8, 0, 0], atol=1e-9)
        # Both supports together carry the weight, closed form.
        weight = 1100 * math.pi * 5e-3**2 * 9.81
        lift = sim.ends["cable", "start"].reaction_force + end.reaction_force
        np.testing.assert_allclose(lift, [0, 0, weight], atol=1e-8 * weight)

    def test_an_end_that_is_moved(self):
        sim = withy.Simulation(CABLE, end=math.inf)
        frame = sim.rods["cable"].end.frame.copy()
        model = withy.Model(CABLE, analysis="dynamics", **{"rods.cable.initial": {"from": "statics"},
                                                           "rods.cable.damping": {"time": 0.01}})
        sim = withy.Simulation(model, end=math.inf)
        for one in (sim, withy.Simulation(model, statics=True)):
            self.assertLess(one.rods["cable"].position[:, 2].min(), -1e-3)  # it begins in equilibrium
        end = sim.rods["cable"].end
        end.move([0.7, 0.1, 0.05], frame, duration=0.5)
        sim.advance(0.5)
        np.testing.assert_allclose(end.position, [0.7, 0.1, 0.05], atol=1e-12)
        with self.assertRaisesRegex(withy.InputError, "position has 2 numbers; expected 3"):
            end.move([0, 0], duration=1)
        with self.assertRaises(withy.InputError):
            end.move([0, 0, 0], duration=-1)


class States(unittest.TestCase):
    def test_save_and_restore(self):
        sim = withy.Simulation("rubber-pendulum")
        sim.advance(0.5)
        state = sim.save()
        sim.advance(1.0)
        row = sim.row()
        sim.restore(state)
        self.assertEqual(sim.time, 0.5)
        sim.advance(1.0)
        np.testing.assert_array_equal(sim.row(), row)
        other = withy.Simulation("rubber-pendulum")
        other.restore(state)
        other.advance(1.0)
        np.testing.assert_array_equal(other.row(), row)
        with self.assertRaises(withy.InputError):
            other.restore(state[:-8])
        with self.assertRaises(withy.InputError):
            withy.Simulation("rubber-pendulum", end=5.0).restore(state)

    def test_energy_and_momentum(self):
        sim = withy.Simulation("rubber-pendulum")
        mass = 1100 * math.pi * 5e-3**2
        self.assertAlmostEqual(sim.momentum.mass, mass, delta=1e-12)
        np.testing.assert_allclose(sim.momentum.centre_of_mass, [0, 0.5, 0], atol=1e-12)
        start = sim.energy.total
        sim.advance(1.0)
        now = sim.energy
        # The balance holds to the tolerance of the integrator (1e-6) times the energy that was moved.
        self.assertLess(abs(now.total - start - now.work + now.dissipated), 1e-5 * mass * 9.81)
        self.assertEqual(now, sim.rods["pendulum"].energy)
        self.assertEqual(sim.probe("energy"), now.total)
        self.assertLess(sim.drift, 1e-5)
        self.assertEqual(sim.verify(), [])
        self.assertEqual(sim.rods["pendulum"].methods.scheme, "staggered")

    def test_extremes(self):
        sim = withy.Simulation("rubber-pendulum")
        sim.advance(1.0)
        found = sim.rods["pendulum"].extremes
        self.assertAlmostEqual(1 / found["largest_curvature"].value, found["smallest_bend_radius"].value, delta=1e-12)

    def test_modes_of_a_cantilever(self):
        """Slender: omega = (1.875104069)^2 sqrt(EI / (m L^4)), Euler and Bernoulli."""
        model = withy.Model(BEAM, **{"rods.beam.section": {"shape": "circle", "radius": 1e-3}})
        sim = withy.Simulation(model)
        sim.settle()
        modes = sim.modes(count=2)
        wanted = 1.875104068711961**2 * math.sqrt(section(model).stiffness[3] / section(model).mass)
        # Second order: the error of 40 segments is below (1.875)^2 / 40^2 = 0.0022.
        np.testing.assert_allclose(modes.omega, [wanted, wanted], rtol=1.875**2 / 40**2)
        self.assertEqual(modes.displacement.shape, (2, 41, 3))
        np.testing.assert_allclose(np.abs(modes.displacement).max(axis=(1, 2)), 1, rtol=0.5)
        with self.assertRaises(withy.InputError):
            withy.Simulation("rubber-pendulum").modes()

    def test_buckling_of_a_column(self):
        """A clamped column under its tip: pi^2 EI / (4 L^2), Euler."""
        scenario = BEAM.replace("analysis: statics", "analysis: buckling").replace("force: [0, 0, 0]", "force: [-1, 0, 0]")
        model = withy.Model(scenario)
        found = withy.Simulation(model).buckling(count=1)
        wanted = math.pi**2 * section(model).stiffness[3] / 4
        self.assertLess(abs(found.factor[0] / wanted - 1), (math.pi / 2)**2 / 40**2)
        self.assertEqual(found.position.shape, (1, 41, 3))
        self.assertEqual(found.omega.size, 0)

    def test_hair(self):
        sim = withy.Simulation("hair-tress")
        strands = sim.strands["tress"]
        self.assertEqual(strands.positions().shape, strands.shape)
        before = strands.positions()
        sim.advance(0.02)
        self.assertGreater(np.abs(strands.positions() - before).max(), 1e-3)
        sim.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            strands.positions()

    def test_failures(self):
        # No equilibrium: a free rod under a force.
        free = dict(SMALL, analysis="statics", loads=[{"rod": "a", "at": "end", "force": [0, 0, 1]}])
        with self.assertRaises((withy.SolverError, withy.InputError)):
            withy.Simulation(free).settle()
        with self.assertRaises(withy.InputError):
            withy.Simulation(SMALL).settle()  # no memory for equilibria was asked for
        withy.Simulation(dict(SMALL, rods=[dict(SMALL["rods"][0], ends={"start": "clamped"})]), statics=True).settle(0)
        sim = withy.Simulation(SMALL)
        sim.advance(0.5)
        with self.assertRaises(withy.InputError):
            sim.advance(0.2)
        with self.assertRaises(withy.InputError):
            sim.advance(math.nan)
        self.assertTrue(issubclass(withy.SolverError, RuntimeError))


if __name__ == "__main__":
    unittest.main()
