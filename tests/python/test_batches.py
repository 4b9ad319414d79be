# SPDX-License-Identifier: MIT
"""Batches: numbers of rods, motion against simulations of single rods, ends, failures, saved states, errors."""
import gc
import math
import os
import threading
import unittest
import warnings

import numpy as np
from common import SMALL, Scratch

import withy
from withy._withy import ffi, lib

# A soft rod that is bent by nature, damped, with drag, in gravity, with a force and a moment at its end.
ARM = """
withy: 1
time: {end: 1}
gravity: [0, 0, -9.81]
rods:
  - name: arm
    length: 0.5
    segments: 8
    section: {shape: circle, radius: 5.0e-3}
    material: {density: 1100, young: 5.0e6, poisson: 0.5}
    damping: {time: 2.0e-3}
    drag: {translation: 0.3}
    shape: {curvature: [0, 1.5, 1]}
    ends: {start: clamped}
solver: {curvature_measure: tan2} # of all rods, straight ones too
loads:
  - {name: push, rod: arm, at: end, force: [0, 2.0e-3, 0], moment: [5.0e-5, 0, 1.0e-4]}
"""
FRAMES, FRAME = 5, 0.02

# What a number of a batch is in a scenario, and three values of it.
TURN = [math.cos(0.3), math.sin(0.3), 0, 0]
NUMBERS = {
    "young": [4e6, 5e6, 7e6],
    "density": [1000, 1100, 1300],
    "radius": [5e-3, 4e-3, 6e-3],
    "damping": [1, 0.5, 2],
    "drag": [0, 0.3, 5],
    "loads": [0, 1, -2],
    "length": [0.4, 0.5, 0.6],
    "curvature": [[0, 0, 0], [0, 1.5, 1], [2, 0, -1]],
    "root": [[0, 0, 0, *TURN], [1, 2, 3, *TURN], [0.1, 0, 0, 1, 0, 0, 0]],
    "velocity": [[0, 0, 0], [0, 0, 0], [0, 0.2, 0]],
}


def turned(frame, vector):
    """The vector, turned by a unit quaternion."""
    u = np.array(frame[1:])
    return np.asarray(vector) + 2 * np.cross(u, np.cross(u, vector) + frame[0] * np.asarray(vector))


def alone(rod):
    """The scenario of a rod with numbers of its own."""
    young, density, radius, damping, drag, loads, length, curvature, root, velocity = (
        values[rod] for values in NUMBERS.values())
    model = {"rods.arm.material.young": young, "rods.arm.material.density": density, "rods.arm.section.radius": radius,
             "rods.arm.damping.time": 2e-3 * damping, "rods.arm.drag.translation": drag, "rods.arm.length": length,
             "rods.arm.shape": {"curvature": curvature, "origin": root[:3], "direction": turned(root[3:], [0, 0, 1]),
                                "d1": turned(root[3:], [1, 0, 0])},
             "rods.arm.initial": {"velocity": velocity},
             "loads.push.force": [0, 2e-3 * loads, 0], "loads.push.moment": [5e-5 * loads, 0, 1e-4 * loads],
             "solver": {"integrator": "radau5", "tolerance": 1e-9, "curvature_measure": "tan2"}}
    return withy.Simulation(withy.Model(ARM, **model), end=math.inf)


def batch_of(count=3, substeps=16, model=ARM, **options):
    """A batch with the numbers above, again and again."""
    batch = withy.Batch(model, count=count, **{"substeps": substeps, "threads": 1, **options})
    for name, values in NUMBERS.items():
        batch.set(name, [values[i % 3] for i in range(count)])
    return batch


def run(batch, frames=FRAMES):
    for _ in range(frames):
        batch.advance(FRAME)
    return batch


class Motion(unittest.TestCase):
    def test_each_rod_is_that_of_a_simulation(self):
        """Second order in the substep, to 1e-6 of the length at 128 substeps (tests/rods/test_batch.c)."""
        errors = []
        wanted = []
        for rod in range(3):
            sim = alone(rod)
            sim.advance(FRAMES * FRAME)
            wanted.append(sim.rods["arm"].position.copy())
        for substeps in (64, 128):
            found = run(batch_of(substeps=substeps, tolerance=math.inf, retries=0)).positions()
            errors.append(np.abs(found - wanted).max(axis=(1, 2)))
        self.assertLess(errors[1].max(), 1e-6)
        self.assertGreater(np.log2(errors[0] / errors[1]).min(), 1.9)

    def test_states_and_sections_are_those_of_a_simulation(self):
        """Each at the same points, with errors of second order."""
        wanted = []
        for rod in range(3):
            sim = alone(rod)
            sim.advance(FRAMES * FRAME)
            wanted.append({name: getattr(sim.rods["arm"], name).copy() for name in withy.rods.FIELDS})
        errors = []
        for substeps in (128, 256):
            batch = run(batch_of(substeps=substeps, tolerance=math.inf, retries=0))
            found = {"position": batch.positions(), "velocity": batch.velocities(), "frame": batch.frames(),
                     "angular_velocity": batch.spins(), **batch.sections()._asdict()}
            # A simulation has no curvature at its free end, where that of a batch is 0.
            errors.append({name: max(np.abs(array[i][:len(wanted[i][name])] - wanted[i][name]).max()
                                     / np.abs(wanted[i][name]).max() for i in range(3)) for name, array in found.items()})
            for array in (found["curvature"], found["moment"]):
                np.testing.assert_array_equal(array[:, -1], 0)
        self.assertEqual(set(errors[0]), set(withy.rods.FIELDS))
        for name in withy.rods.FIELDS:
            self.assertLess(errors[1][name], 1e-3, name)
            self.assertGreater(math.log2(errors[0][name] / errors[1][name]), 1.9, name)

    def test_a_rod_does_not_depend_on_the_others(self):
        many, few = run(batch_of(50)), run(batch_of(3))
        for i in range(3):
            for j in range(i, 50, 3):
                np.testing.assert_array_equal(many.positions(j), few.positions(i))

    def test_nor_on_the_number_of_threads(self):
        states = [run(batch_of(100, threads=threads)).save() for threads in (1, 2, 5, None)]
        for other in states[1:]:
            self.assertEqual(other, states[0])

    def test_one_batch_in_many_threads_is_served_in_turn(self):
        """What is read of several rods is of one time, also while others move them."""
        batch, times = withy.Batch(ARM, count=9, substeps=1), []

        def move():
            for _ in range(100):
                batch.advance(1e-4)

        def read():
            while True:
                times.append(set(batch.status([0, 2, 4, 6, 8])["time"].tolist()))
                if batch.work.frames == 200:
                    break

        threads = [threading.Thread(target=one) for one in (read, read, move, move)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(batch.work.frames, 200)
        self.assertEqual({len(one) for one in times}, {1})
        self.assertEqual(batch.time, batch.status(0)["time"])

    def test_other_threads_go_on_while_one_computes(self):
        """Another thread beats several times during one call; a call that held the lock would let it beat once."""
        beats, done, most = [], threading.Event(), 0

        def beat():
            while not done.is_set():
                beats.append(1)
                done.wait(0.0005)

        thread = threading.Thread(target=beat)
        thread.start()
        batch = batch_of(1000, substeps=64)
        for _ in range(20):  # a busy machine may leave the other thread no time for a while
            before = len(beats)
            batch.advance(FRAME)  # some tens of milliseconds
            most = max(most, len(beats) - before)
            if most > 3:
                break
        done.set()
        thread.join()
        self.assertGreater(most, 3)

    def test_precision(self):
        """Against double with the same substeps, some 1e-5 for single, less for mixed (docs/theory/batch.md)."""
        double = run(batch_of()).positions()
        for precision, limit in (("mixed", 1e-5), ("single", 1e-3)):
            batch = run(batch_of(precision=precision))
            self.assertEqual(batch.info.precision, precision)
            distance = np.abs(batch.positions() - double).max()
            self.assertTrue(0 < distance < limit, (precision, distance))

    def test_integrators(self):
        """Both are of second order: fine steps of both are one motion. What `auto` has chosen is said."""
        fine = [batch_of(substeps=512, integrator=one, tolerance=math.inf) for one in ("bdf2", "explicit")]
        for batch in fine:
            batch.damping = 0
            run(batch)
        self.assertEqual([one.info.integrator for one in fine], ["bdf2", "explicit"])
        self.assertLess(np.abs(fine[0].positions() - fine[1].positions()).max(), 1e-6)
        self.assertGreater(np.abs(fine[0].positions() - fine[1].positions()).max(), 0)
        with self.assertRaisesRegex(withy.InputError, "leapfrog needs [0-9]+ substeps"):
            run(batch_of(integrator="explicit"))
        batch = batch_of()
        self.assertEqual((batch.info.integrator, batch.info.choice), ("auto", ""))
        batch.advance(FRAME)
        self.assertIn(batch.info.integrator, ("bdf2", "explicit"))
        self.assertTrue(batch.info.choice)

    def test_work_and_clock(self):
        batch = withy.Batch(ARM, count=7, substeps=4, threads=1)
        for _ in range(3):
            batch.advance(0.001)
        self.assertEqual(batch.time, 0.001 + 0.001 + 0.001)
        work = batch.work
        self.assertEqual((work.frames, work.failed), (3, 0))
        # The first substep of a history is cut into five.
        self.assertEqual(work.solves, 7 * (3 * 4 + 4))

    def test_ends_that_are_moved(self):
        batch = withy.Batch(ARM, count=4, threads=1)
        start = batch.root
        np.testing.assert_array_equal(start, [[0, 0, 0, *start[0, 3:]]] * 4)
        poses, rates = start.copy(), np.zeros((4, 6))
        poses[:, 0] = [0, 1e-3, 2e-3, 3e-3]
        rates[:, 2] = [0, 0, 0.1, 0.2]
        batch.roots(poses, rates)
        batch.advance(0.02)
        np.testing.assert_allclose(batch.positions()[:, 0], poses[:, :3], atol=1e-12)
        np.testing.assert_allclose(batch.velocities()[:, 0], rates[:, :3], atol=1e-12)
        # Without a call it goes on with its velocities.
        batch.advance(0.02)
        np.testing.assert_allclose(batch.positions()[:, 0], poses[:, :3] + 0.02 * rates[:, :3], atol=1e-12)
        batch.move("start", start[0])
        batch.advance(0.02)
        np.testing.assert_allclose(batch.positions()[:, 0], start[:, :3], atol=1e-12)
        np.testing.assert_allclose(batch.velocities()[:, 0], 0, atol=1e-12)

    def test_rods_that_are_placed(self):
        free = withy.Model(ARM, **{"rods.arm.ends": {"start": "free"}})
        batch, other = run(batch_of(6, model=free)), batch_of(6, model=free)
        state = batch.positions(), batch.frames(), batch.velocities(), batch.spins()
        other.place(*state)
        for got, wanted in zip((other.positions(), other.frames(), other.velocities(), other.spins()), state):
            np.testing.assert_allclose(got, wanted, atol=1e-13 * max(1, np.abs(wanted).max()))
        at_rest = state[0][:3] + [0, 0, 1], state[1][:3]
        other.place(*at_rest, rods=slice(1, 4))
        np.testing.assert_allclose(other.positions([1, 2, 3]), at_rest[0], atol=1e-13)
        np.testing.assert_array_equal(other.velocities([1, 2, 3]), 0)
        np.testing.assert_allclose(other.positions([0, 4, 5]), state[0][[0, 4, 5]], atol=1e-13)
        other.place(state[0][0], state[1][0], rods=5)
        np.testing.assert_allclose(other.positions(5), state[0][0], atol=1e-13)
        with self.assertRaisesRegex(withy.InputError, "expected rods that follow each other"):
            other.place(*at_rest, rods=slice(0, 6, 2))
        with self.assertRaisesRegex(withy.InputError, "positions: found an array of shape .*; expected"):
            other.place(state[0][0, 1:], state[1][0])


class Numbers(unittest.TestCase):
    def test_they_are_set_and_read(self):
        batch = withy.Batch(ARM, count=3, threads=1)
        # The pattern's own.
        for name, value in (("young", 5e6), ("density", 1100), ("radius", 5e-3), ("damping", 1), ("drag", 0.3), ("loads", 1),
                            ("length", 0.5), ("curvature", [0, 1.5, 1]), ("velocity", 0)):
            np.testing.assert_array_equal(batch.get(name), np.broadcast_to(value, batch.get(name).shape), name)
        self.assertEqual(set(NUMBERS), {text for text in withy.batches.NUMBERS})
        for name, values in NUMBERS.items():
            batch.set(name, values)
            np.testing.assert_allclose(getattr(batch, name), values, rtol=1e-15)
            setattr(batch, name, values[1])  # for all rods alike
            np.testing.assert_allclose(batch.get(name), [values[1]] * 3, rtol=1e-15)
        batch.young = np.array([1, 2, 3], dtype=np.float32)[::-1]
        np.testing.assert_array_equal(batch.young, [3, 2, 1])
        copy = batch.young
        copy[:] = 7
        np.testing.assert_array_equal(batch.young, [3, 2, 1])

    def test_wrong_values(self):
        batch = withy.Batch(ARM, count=3, threads=1)
        before = batch.save()
        for name, value, sentence in (
                ("young", [1, 2], r"young: found an array of shape \(2,\); expected \(3,\), or \(\) for all rods alike"),
                ("curvature", np.zeros((2, 3)), r"curvature: found .* \(2, 3\); expected \(3, 3\), or \(3,\)"),
                ("curvature", 1, r"curvature: found .* \(\); expected \(3, 3\)"),
                ("young", "soft", "young: found 'soft'; expected numbers"), ("young", 1j, "expected numbers"),
                ("young", [[1], [2, 3], 4], "expected numbers"), ("young", [1, -1, 1], "young: found -1 for rod 1 of the batch"),
                ("young", math.nan, "found nan for rod 0"), ("young", None, "found nan"), ("radius", 0, "expected a number > 0"),
                ("root", np.zeros(7), "unit quaternion"), ("yong", 1, "found no number 'yong'; did you mean 'young'?")):
            with self.subTest((name, value)), self.assertRaisesRegex(withy.InputError, sentence):
                batch.set(name, value)
        self.assertEqual(batch.save(), before)
        with self.assertRaises(AttributeError):
            batch.yong = 1
        run(batch)
        for name in ("length", "curvature", "root", "velocity"):
            with self.assertRaisesRegex(withy.InputError, f"`{name}` .* before the first frame"):
                batch.set(name, NUMBERS[name])
        batch.young = 6e6

    def test_rods_are_chosen_as_numpy_does(self):
        batch = run(batch_of(20), 1)
        everything, numbers = batch.positions(), np.arange(20)
        for rods in (slice(3, 9), slice(None, None, 7), slice(19, None, -1), [4, 5, 6, 2], [3, 3, 3], [], -1, 7, np.int64(2),
                     numbers % 3 == 0, np.zeros(20, dtype=bool), None, range(4)):
            with self.subTest(rods):
                np.testing.assert_array_equal(batch.positions(rods), everything if rods is None else everything[rods])
        rods = [4, 5, 11]
        for whole, part in zip(batch.sections(), batch.sections(rods)):
            np.testing.assert_array_equal(part, whole[rods])
        self.assertEqual(batch.sections(3).moment.shape, (9, 3))
        np.testing.assert_array_equal(batch.status(rods), batch.status()[rods])
        self.assertEqual(batch.status(3)["time"], batch.time)
        room = np.empty((3, 9, 3))
        self.assertIs(batch.positions(rods, out=room), room)
        np.testing.assert_array_equal(room, everything[rods])
        for wrong in (20, -21, [0, 20], True, 1.5, "a", numbers[:3] == 0, (0, 1), [[0]]):
            with self.subTest(wrong), self.assertRaisesRegex(withy.InputError, "expected numbers below 20, a slice, or a mask"):
                batch.positions(wrong)
        for wrong in (np.empty((4, 9, 3)), np.empty((3, 9, 3), dtype=np.float32), [0], np.empty((3, 9, 3), order="F"),
                      np.broadcast_to(0.0, (3, 9, 3))):
            with self.subTest(wrong), self.assertRaisesRegex(withy.InputError, "`out`"):
                batch.positions(rods, out=wrong)


class Failures(unittest.TestCase):
    """Rod 2 is torn by a force that its substeps do not resolve; the others are at rest or nearly so."""

    SCENE = {**SMALL, "rods": [dict(SMALL["rods"][0], ends={"start": "clamped"})],
             "loads": [{"rod": "a", "at": "end", "force": [0, 0, 1]}]}

    def torn(self, **options):
        batch = withy.Batch(self.SCENE, count=5, substeps=1, retries=1, threads=1, **options)
        batch.loads = [0, 0, 1e6, 0, 0]
        return batch

    def test_a_failure_is_a_warning(self):
        batch = self.torn()
        start = batch.positions()
        with self.assertWarnsRegex(withy.ResultWarning, "batch 'a': 1 of 5 rods have failed at t = 0 .*: 2; shorter frames"):
            self.assertEqual(batch.advance(0.01), 1)
        status = batch.status()
        np.testing.assert_array_equal(status["failed"], [False, False, True, False, False])
        np.testing.assert_array_equal(status["time"], [0.01, 0.01, 0, 0.01, 0.01])
        self.assertEqual(status["refined"][2], 1)
        self.assertFalse(status["estimate"][2] <= 0.05)
        np.testing.assert_array_equal(batch.positions(2), start[2])
        self.assertEqual(batch.work.failed, 1)
        # It was said; the others go on in silence.
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(batch.advance(0.01), 0)
        np.testing.assert_array_equal(batch.status()["time"], [0.02, 0.02, 0, 0.02, 0.02])
        # Placed with a force that it can bear, it goes on.
        batch.loads = 0
        batch.place(start[2], batch.frames(2), rods=2)
        self.assertEqual(batch.advance(0.01), 0)
        self.assertFalse(batch.status()["failed"].any())

    def test_a_strict_batch_raises(self):
        batch = self.torn(strict=True)
        with self.assertRaisesRegex(withy.ResultError, "1 of 5 rods have failed at t = 0 "):
            batch.advance(0.01)
        np.testing.assert_array_equal(batch.status()["failed"], [False, False, True, False, False])
        self.assertEqual(batch.time, 0.01)
        self.assertEqual(batch.advance(0.01), 0)

    def test_many_failures_are_counted(self):
        batch = withy.Batch(self.SCENE, count=30, substeps=1, retries=0, threads=1)
        batch.loads = np.where(np.arange(30) % 2, 1e6, 0)
        with self.assertWarnsRegex(withy.ResultWarning, r"15 of 30 rods .*: 1, 3, 5, 7, 9, \.\.\.; shorter"):
            self.assertEqual(batch.advance(0.01), 15)


class Making(Scratch):
    def test_of_all_that_a_model_is_made_of(self):
        path = self.write("arm.yaml", ARM)
        for source in (ARM, path, str(path), withy.Model(path), SMALL):
            self.assertEqual(len(withy.Batch(source, count=2)), 2)
        two = {**SMALL, "rods": [SMALL["rods"][0], {**SMALL["rods"][0], "name": "b", "segments": 5}],
               "probes": []}
        for rod, segments in (("a", 3), ("b", 5), (1, 5)):
            batch = withy.Batch(two, rod, 4)
            self.assertEqual((batch.info.segments, len(batch), batch.rod), (segments, 4, "ab"[segments == 5]))
        with self.assertRaisesRegex(withy.InputError, "found 2 rods; expected the name of one of them"):
            withy.Batch(two, count=3)

    def test_info_and_memory(self):
        for options in ({}, {"precision": "single"}, {"substeps": 4, "threads": 1}, {"retries": 0}):
            batch = withy.Batch(ARM, count=1000, **options)
            estimate = withy.Batch.memory_estimate(ARM, count=1000, **options)
            self.assertLess(abs(estimate / batch.memory - 1), 0.1)
        info = withy.Batch(ARM, count=10, substeps=5, precision="mixed", device="cpu").info
        self.assertEqual((info.rods, info.segments, info.substeps, info.precision), (10, 8, 5, "mixed"))
        self.assertEqual((info.integrator, info.device, info.reason), ("auto", "cpu", ""))
        self.assertIn("cpu", info.machine)

    def test_a_gpu_that_is_not_there(self):
        """It is calculated on the CPU, which is said; where there is one nothing needs to be said."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            batch = withy.Batch(ARM, count=3, device="gpu")
        info, sentences = batch.info, [str(one.message) for one in said]
        if info.device == "cpu":
            self.assertTrue(info.reason)
            self.assertEqual(sentences, [f"the batch is calculated on the {info.machine}: {info.reason}"])
        else:
            self.assertEqual((sentences, info.reason, info.lanes), ([], "", 0))
        run(batch)

    def test_what_is_refused(self):
        joined = {**SMALL, "springs": [{"of": ["a.end", "ground"], "stiffness": 1, "length": 0}]}
        statics = ARM.replace("ends: {start", "initial: {from: statics}, ends: {start")
        for source, options, sentence in (
                (ARM, {"count": 0}, "count: found 0; expected"), (ARM, {"count": 2.5}, "count: found 2.5"),
                (ARM, {"count": True}, "count: found True"), (ARM, {"count": 1 << 40}, "count: found"),
                (ARM, {"substeps": -1}, "substeps: found -1"), (ARM, {"substeps": "many"}, "substeps: found 'many'.*'auto'"),
                (ARM, {"retries": 5}, "retries: found 5; expected 0 to 4"), (ARM, {"tolerance": 0}, "tolerance: found 0"),
                (ARM, {"precision": "half"}, "found no precision 'half'; expected one of double, mixed, single"),
                (ARM, {"device": "tpu"}, "found no device 'tpu'"), (ARM, {"integrator": "euler"}, "found no integrator 'euler'"),
                (ARM, {"threads": 0}, "threads"), (ARM, {"rod": "arn"}, "found no rod 'arn'; did you mean 'arm'?"),
                (joined, {}, "rod 'a' cannot be the pattern of a batch: a joint or spring"),
                (withy.Model(ARM, **{"rods.arm.model": "kirchhoff"}), {}, "its strains are constrained"),
                (withy.Model(ARM, solver={"scheme": "mixed"}), {}, "found the scheme mixed; expected staggered"),
                (statics, {}, "from: statics")):
            with self.subTest(sentence), self.assertRaisesRegex(withy.InputError, sentence):
                withy.Batch(source, **options)
        with self.assertRaisesRegex(withy.InputError, "retries: found 5"):
            withy.Batch.memory_estimate(ARM, retries=5)

    def test_options_of_the_scheme_are_those_of_the_scenario(self):
        found = []
        for measure in ("tan2", "sin2"):
            batch = withy.Batch(withy.Model(ARM, solver={"curvature": measure}), substeps=16)
            found.append(run(batch).positions(0))
        self.assertGreater(np.abs(found[0] - found[1]).max(), 1e-9)

    def test_closed(self):
        with withy.Batch(ARM, count=3) as batch:
            kept = batch.positions()
        self.assertIn("closed", repr(batch))
        for call in (lambda: batch.advance(0.1), lambda: batch.time, batch.positions, batch.status, batch.save,
                     lambda: batch.young, lambda: batch.info, lambda: batch.memory, lambda: batch.work):
            with self.assertRaisesRegex(ValueError, "the batch is closed"):
                call()
        batch.close()
        self.assertTrue(np.isfinite(kept).all())

    def test_it_outlives_its_model(self):
        batch = withy.Batch(withy.Model(ARM, **{"loads.push.force": [0, "1e-3*sin(t)", 0]}), count=40, threads=3)
        batch.model = None
        gc.collect()
        run(batch)
        self.assertTrue(np.isfinite(batch.positions()).all())


HEAD = {
    "withy": 1,
    "time": {"end": 0.1, "output": 0.02},
    "gravity": [0, 0, -9.81],
    "rods": [{"name": "hair", "length": 0.2, "segments": 5, "section": {"shape": "circle", "radius": 2e-3},
              "material": {"density": 1100, "young": 5e6, "poisson": 0.5}, "damping": {"time": 2e-3},
              "ends": {"start": "clamped"}}],
    "batches": [{"name": "head", "rod": "hair", "count": 40, "seed": 3, "substeps": 16, "integrator": "bdf2",
                 "roots": {"surface": "cap", "radius": 0.1, "angle": 1.3},
                 "vary": {"section.radius": "2e-3*(1 + 0.1*n)", "shape.curvature": ["u", 0, 0]},
                 "motion": {"rotation": {"axis": [0, 0, 1], "angle": "sin(3*t)"}}, "record": {"every": 15}}],
    "probes": [{"name": "pull", "batch": "head", "at": "start", "quantity": "tension"},
               {"name": "tip", "batch": "head", "at": "end", "quantity": "velocity"}],
}


class Scenarios(Scratch):
    """Entries of `batches` of a scenario, as a batch and as a run."""

    def test_a_batch_is_that_of_the_run(self):
        model = withy.Model(HEAD)
        self.assertEqual((model.batches, model.rods, model.columns), ({"head": 40}, (), ("t",)))
        run = withy.run(model, self.folder / "run")
        batch = withy.Batch(model, "head")
        tips, places, speeds = run.batch("head", "tip"), run.batch("head"), run.batch("head", "velocity")
        pull, fast, recorded = run.batch("head", "pull"), run.batch("head", "probes/tip"), run.batch_recorded("head")
        np.testing.assert_array_equal(recorded, [0, 15, 30])
        self.assertEqual((places.values.shape, tips.values.shape, pull.values.shape, fast.values.shape),
                         ((6, 3, 6, 3), (6, 40, 3), (6, 40), (6, 40, 3)))
        np.testing.assert_allclose(places.s, np.linspace(0, 0.2, 6), rtol=1e-15)
        for k, t in enumerate(run.times):
            if k:
                batch.advance(t - batch.time)
            np.testing.assert_array_equal(places.values[k], batch.positions(recorded))
            np.testing.assert_array_equal(tips.values[k], batch.positions()[:, -1])
            np.testing.assert_array_equal(speeds.values[k], batch.velocities(recorded))
            np.testing.assert_allclose(fast.values[k], batch.velocities()[:, -1], rtol=1e-12)
        numbers = run.batch_numbers("head")
        self.assertEqual(set(numbers), {"radius", "curvature", "root"})
        for name, values in numbers.items():
            np.testing.assert_array_equal(values, batch.get(name))
        status = run.batch_status("head")
        self.assertEqual(status.dtype, batch.status().dtype)
        for name in status.dtype.names:
            np.testing.assert_array_equal(status[name], batch.status()[name], name)
        # probes.csv: over all rods.
        np.testing.assert_allclose(run.probes["pull.mean"], pull.values.mean(axis=1), rtol=1e-12)
        np.testing.assert_allclose(run.probes["pull.largest"], pull.values.max(axis=1), rtol=1e-12)
        np.testing.assert_array_equal(run.snapshots["batches/head/position"][-1], places.values[-1])
        self.assertEqual(run.batches, ("head",))

    def test_the_number_of_threads_does_not_matter(self):
        files = [withy.run(HEAD, self.folder / str(n), threads=n).batch("head", "tip").values for n in (1, 3)]
        np.testing.assert_array_equal(*files)

    def test_what_is_given_replaces_keys(self):
        whole = withy.Batch(HEAD)
        for few in (withy.Batch(HEAD, "head", 7, precision="single", retries=1, tolerance=0.1, substeps=4),
                    withy.Batch(withy.Model(HEAD), count=7, precision="single", substeps=4)):
            info = few.info
            self.assertEqual((info.rods, info.precision, info.substeps), (7, "single", 4))
            np.testing.assert_array_equal(few.radius, whole.radius[:7])
            np.testing.assert_array_equal(few.root, whole.root[:7])
        self.assertEqual((whole.info.rods, whole.info.precision, whole.info.substeps), (40, "double", 16))
        batch = withy.Batch(HEAD, threads=1)
        self.assertLess(abs(withy.Batch.memory_estimate(HEAD, threads=1) / batch.memory - 1), 0.1)
        for wrong, sentence in (({"rod": "hair"}, "found no rod or batch 'hair'; expected one of head"),
                                ({"count": 0}, "batches.head.count: found '0'"),
                                ({"precision": "half"}, "batches.head.precision: found 'half'"),
                                ({"tolerance": -1}, "batches.head.tolerance: found '-1'")):
            with self.subTest(wrong), self.assertRaisesRegex(withy.InputError, sentence):
                withy.Batch(HEAD, **wrong)
        both = {**HEAD, "rods": [*HEAD["rods"], SMALL["rods"][0]]}
        self.assertEqual((len(withy.Batch(both, "head")), len(withy.Batch(both, "a", 3))), (40, 3))
        self.assertEqual(list(withy.Simulation(both).rods), ["a"])
        with self.assertRaisesRegex(withy.InputError, "found 1 rods and 1 batches; expected the name of one"):
            withy.Batch(both)
        with self.assertRaisesRegex(withy.InputError, "found batches alone, head; expected one of them in `Batch`"):
            withy.Simulation(HEAD)

    def test_roots(self):
        batch = withy.Batch(HEAD)
        roots = batch.root
        batch.advance(0.05)
        angle = math.sin(3 * 0.05)
        turn = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
        np.testing.assert_allclose(batch.positions()[:, 0], roots[:, :3] @ turn.T, atol=1e-12)
        # Those who move them go on with it.
        batch.roots(roots)
        for _ in range(2):
            batch.advance(0.02)
            np.testing.assert_allclose(batch.positions()[:, 0], roots[:, :3], atol=1e-12)
        # A body moves in a simulation alone.
        body = {"name": "skull", "mass": 1, "inertia": [1, 1, 1]}
        carried = {**HEAD, "bodies": [body], "batches": [{**HEAD["batches"][0], "motion": {"follow": "skull"}}]}
        batch = withy.Batch(carried)
        with self.assertRaisesRegex(withy.InputError, "found no simulation; expected the one that moves the body"):
            batch.advance(0.02)
        batch.roots(batch.root)
        batch.advance(0.02)

    def test_rods_that_fail_in_a_run(self):
        """The others go on; the run is known to be wrong."""
        torn = {**HEAD, "loads": [{"rod": "hair", "at": "end", "force": [0, 0, 1]}],
                "batches": [{**HEAD["batches"][0], "retries": 1, "vary": {"loads": [0] * 17 + [1e5] + [0] * 22}}]}
        with self.assertRaisesRegex(withy.ResultError, "head") as raised:
            withy.run(torn, self.folder / "run")
        run = raised.exception.run
        status = run.batch_status("head")
        np.testing.assert_array_equal(np.flatnonzero(status["failed"]), [17])
        self.assertEqual(status["time"][17], 0)
        np.testing.assert_array_equal(run.batch_numbers("head")["loads"], torn["batches"][0]["vary"]["loads"])
        tips = run.batch("head", "tip").values
        np.testing.assert_array_equal(tips[:, 17], tips[[0] * 6, 17])
        self.assertTrue(np.all(np.any(np.diff(np.delete(tips, 17, axis=1), axis=0) != 0, axis=2)))

    def test_what_a_run_does_not_have(self):
        run = withy.run(HEAD, self.folder / "run")
        for call, sentence in (
                (lambda: run.batch("hed"), "found no batch 'hed'; did you mean 'head'?"),
                (lambda: run.batch("head", "force"), "no force in the batch 'head'; .* position, frame, velocity, tip, pull, tip"),
                (lambda: run.batch_status("hed"), "found no batch 'hed'"), (lambda: run.field("head1"), "rod 'head1'")):
            with self.subTest(sentence), self.assertRaisesRegex(withy.InputError, sentence):
                call()
        copies = withy.run({**SMALL, "rods": [{**SMALL["rods"][0], "copies": {"grid": [3, 1], "steps": [[0, 1, 0], [0, 0, 1]]}}],
                            "probes": []}, self.folder / "copies")
        self.assertEqual(copies.batches, ("a",))
        with self.assertRaisesRegex(withy.InputError, "of 'a', whose rods are copies; expected a batch"):
            copies.batch_recorded("a")


@unittest.skipUnless("HOST_GPU" in os.environ, "that needs a compiler of C++")
class Gpu(Scratch):
    """The code of a GPU, whose launches run on the CPU (gpu/host.h): its memory can be read here."""

    def setUp(self):
        super().setUp()
        before = os.environ.get("WITHY_CUDA")
        os.environ["WITHY_CUDA"] = os.environ["HOST_GPU"]
        self.addCleanup(lambda: os.environ.pop("WITHY_CUDA") if before is None else os.environ.update(WITHY_CUDA=before))

    def test_a_batch_on_a_gpu(self):
        for precision, limit in (("double", 1e-12), ("mixed", 1e-5), ("single", 1e-3)):
            with self.subTest(precision):
                given = run(batch_of(40, device="gpu", precision=precision, integrator="bdf2"))
                other = run(batch_of(40, device="cpu", precision=precision, integrator="bdf2"))
                self.assertEqual((given.info.device, given.info.lanes, given.info.reason), ("gpu", 0, ""))
                self.assertLess(np.abs(given.positions() - other.positions()).max(), limit)
                array = given.device_positions()
                interface = array.__cuda_array_interface__
                self.assertEqual((array.shape, interface["shape"]), ((40, 9, 3), (40, 9, 3)))
                self.assertEqual(interface["typestr"], "<f4" if precision == "single" else "<f8")
                size = array.dtype.itemsize * 40 * 9 * 3
                seen = np.frombuffer(ffi.buffer(ffi.cast("char *", interface["data"][0]), size), array.dtype)
                # Sums of nine edges, with numbers up to 4.
                np.testing.assert_allclose(seen.reshape(array.shape), given.positions(), atol=64 * np.finfo(array.dtype).eps)
                state = given.save()
                wanted = run(given).save()
                given.restore(state)
                self.assertEqual(run(given).save(), wanted)

    def test_batches_of_scenarios(self):
        on_gpu = {**HEAD, "batches": [{**HEAD["batches"][0], "device": "gpu"}]}
        self.assertEqual([withy.Batch(HEAD, device="gpu").info.device, withy.Batch(on_gpu).info.device], ["gpu", "gpu"])
        run = withy.run(on_gpu, self.folder / "run")
        self.assertEqual(run.summary["batches"][0]["device"], "gpu")
        cpu = withy.run(HEAD, self.folder / "cpu")
        np.testing.assert_allclose(run.batch("head", "tip").values, cpu.batch("head", "tip").values, atol=1e-12)

    def test_what_is_no_gpu(self):
        for name, sentence in (("off", "`off`"), ("/none.so", "cannot be loaded")):
            os.environ["WITHY_CUDA"] = name
            with self.assertWarnsRegex(UserWarning, f"the batch is calculated on the cpu.*{sentence}"):
                self.assertEqual(withy.Batch(ARM, device="gpu").info.device, "cpu")


class States(unittest.TestCase):
    def test_save_and_restore(self):
        batch = run(batch_of(30))
        batch.young = np.linspace(4e6, 6e6, 30)
        batch.roots(batch.root + [0, 0, 1e-3, 0, 0, 0, 0])
        state = batch.save()
        wanted = run(batch).save()
        self.assertNotEqual(wanted, state)
        batch.restore(state)
        self.assertEqual(batch.save(), state)
        self.assertEqual(run(batch).save(), wanted)
        other = withy.Batch(ARM, count=30, substeps=16)
        other.restore(bytearray(state))
        self.assertEqual(run(other).save(), wanted)
        for wrong in (state[:-8], b"", b"x" * len(state)):
            with self.assertRaises(withy.InputError):
                batch.restore(wrong)
        self.assertEqual(batch.save(), wanted)
        for options in ({"count": 29}, {"substeps": 8}, {"precision": "single"}):
            with self.subTest(options), self.assertRaises(withy.InputError):
                batch_of(**{"count": 30, **options}).restore(state)

    def test_arrays_on_a_device(self):
        """On the CPU there are none; what is said of one on a GPU follows the protocol."""
        with self.assertRaisesRegex(withy.InputError, "calculated on the CPU"):
            withy.Batch(ARM, device="cpu").device_positions()
        array = withy.DeviceArray(None, ffi.cast("void *", 4096), (5, 9, 3), np.dtype(np.float32))
        self.assertEqual(array.__cuda_array_interface__, {"shape": (5, 9, 3), "typestr": "<f4", "data": (4096, True),
                                                          "version": 3, "strides": None})

    def test_the_status_of_a_rod_is_read_where_it_lies(self):
        """The fields of the array are those of wy_batch_rod."""
        self.assertEqual(withy.batches.STATUS.itemsize, ffi.sizeof("wy_batch_rod"))
        rods = ffi.new("wy_batch_rod[]", [{"refined": 3, "failed": True, "time": 1.5, "estimate": 0.25}])
        found = np.frombuffer(ffi.buffer(rods), dtype=withy.batches.STATUS)[0]
        self.assertEqual(tuple(found), (3, True, 1.5, 0.25))
        self.assertEqual(lib.WY_BATCH_YOUNG, withy.batches.NUMBERS.index("young"))


if __name__ == "__main__":
    unittest.main()
