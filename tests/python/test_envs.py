# SPDX-License-Identifier: MIT
"""The environment for learning: the shape of gymnasium, with it and without it."""
import sys
import types
import unittest

import numpy as np
from common import ROOT  # noqa: F401

import withy
from withy import envs


class ArmTest(unittest.TestCase):
    def test_an_episode(self):
        env = envs.Arm(steps=5)
        seen, info = env.reset(seed=3)
        self.assertEqual((seen.shape, info), ((9,), {}))
        self.assertTrue(env.observation_space.contains(seen))
        rewards = []
        for k in range(5):
            action = env.action_space.sample()
            self.assertTrue(env.action_space.contains(action))
            seen, reward, terminated, truncated, info = env.step(action)
            self.assertIsInstance(reward, float)
            self.assertAlmostEqual(reward, -np.linalg.norm(seen[:3] - env.target))
            self.assertEqual((terminated, truncated), (False, k == 4))
            rewards.append(reward)
        env.close()

    def test_it_repeats_bit_for_bit(self):
        actions = np.random.default_rng(0).uniform(0, 1, (10, 3))
        courses = []
        for env in (envs.Arm(), envs.Arm()):
            for _ in range(2):
                course = [env.reset(seed=7)[0]] + [env.step(action)[0] for action in actions]
                courses.append(np.array(course))
        for other in courses[1:]:
            np.testing.assert_array_equal(courses[0], other)
        self.assertFalse(np.array_equal(envs.Arm().reset(seed=8)[0], courses[0][0]))

    def test_the_arm_leans_away_from_a_chamber(self):
        """Turned by a third, chambers and tip turn by a third: with gravity along the arm nothing else has a direction."""
        env, tips = envs.Arm(), []
        for k in range(3):
            env.reset(options={"target": (0, 0, 0)})
            for _ in range(100):
                seen = env.step(np.eye(3)[k])[0]
            tips.append(seen[:3])
        for k, tip in enumerate(tips):
            angle = np.pi / 6 + 2 * np.pi / 3 * k
            away = np.array([np.cos(angle), np.sin(angle)])
            self.assertLess(tip[:2] @ away, -0.05)
            # The tolerance of the integrator is 1e-6 a step; a hundred steps at most.
            np.testing.assert_allclose([tip[:2] @ away, tip[2]], [tips[0][:2] @ [np.cos(np.pi / 6), 0.5], tips[0][2]],
                                       atol=1e-4)

    def test_it_ends_at_its_target(self):
        env = envs.Arm()
        env.reset(options={"target": (0, 0, 0.1755)})  # where it stands; it sinks by less than the limit
        for _ in range(100):
            _, _, terminated, _, info = env.step(np.zeros(3))
        self.assertTrue(terminated, info)

    def test_wrong_use(self):
        with self.assertRaisesRegex(withy.InputError, "reset"):
            envs.Arm().step(np.zeros(3))
        with self.assertRaisesRegex(withy.InputError, "needs an actuator"):
            envs.Arm("rubber-pendulum")

    def test_it_is_a_gymnasium_env_where_gymnasium_is(self):
        """With a stand-in for gymnasium of the two classes that are used."""
        class Env:
            def reset(self, *, seed=None, options=None):
                self.seeded = seed

        class SpaceBox:
            def __init__(self, low, high, dtype):
                self.low, self.high, self.dtype = low, high, dtype

        module = types.ModuleType("gymnasium")
        module.Env, module.spaces = Env, types.SimpleNamespace(Box=SpaceBox)
        module.__spec__ = types.SimpleNamespace()
        kept = sys.modules.pop("withy.envs")
        sys.modules["gymnasium"] = module
        try:
            import importlib
            fresh = importlib.import_module("withy.envs")
            env = fresh.Arm()
            self.assertIsInstance(env, Env)
            self.assertIsInstance(env.action_space, SpaceBox)
            env.reset(seed=5)
            self.assertEqual(env.seeded, 5)
        finally:
            del sys.modules["gymnasium"]
            sys.modules["withy.envs"] = kept


if __name__ == "__main__":
    unittest.main()
