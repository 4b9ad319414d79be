# SPDX-License-Identifier: MIT
"""Environments for learning, in the shape of gymnasium; its base class and spaces are used where it is installed."""
from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np

from .errors import InputError
from .model import Array, Model, Scenario
from .simulation import Simulation

ARM = """
withy: 1
title: Soft arm with three chambers
constants: {r: 6.5e-3}
time: {end: 10, output: 0.05}
gravity: [0, 0, -9.81]
rods:
  - name: arm
    length: 0.1755
    segments: 10
    section: {shape: circle, radius: 0.015}
    material: {density: 1080, young: 6.0e5, shear: 2.0e5}
    damping: {time: 0.05}
    shape: {direction: [0, 0, 1], d1: [1, 0, 0]}
    ends: {start: clamped}
actuators:
  - {rod: arm, kind: pneumatic, offset: ["r*cos(pi/6)", "r*sin(pi/6)"], force: 0}
  - {rod: arm, kind: pneumatic, offset: ["r*cos(5*pi/6)", "r*sin(5*pi/6)"], force: 0}
  - {rod: arm, kind: pneumatic, offset: ["r*cos(9*pi/6)", "r*sin(9*pi/6)"], force: 0}
probes:
  - {name: tip, rod: arm, at: end, quantity: position}
  - {name: tip_velocity, rod: arm, at: end, quantity: velocity}
"""


class Box:
    """A box of numbers: what gymnasium.spaces.Box is, as far as it is needed without gymnasium."""

    def __init__(self, low: Array, high: Array) -> None:
        self.low, self.high, self.shape = low, high, low.shape
        self.random = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Makes `sample` repeatable."""
        self.random = np.random.default_rng(seed)

    def sample(self) -> Array:
        """A point of the box at random."""
        return self.random.uniform(np.maximum(self.low, -1e3), np.minimum(self.high, 1e3))

    def contains(self, point: Array) -> bool:
        """Is the point in the box?"""
        return point.shape == self.shape and bool(np.all(point >= self.low) and np.all(point <= self.high))


_base: Any = object
_box: Any = Box
if importlib.util.find_spec("gymnasium"):
    import gymnasium

    _base = gymnasium.Env

    def _box(low: Array, high: Array) -> Any:
        return gymnasium.spaces.Box(low, high, dtype=np.float64)


class Arm(_base):  # type: ignore[misc]
    """Reach a point with the tip of a soft arm of three chambers; `reset` and `step` as gymnasium has them.

    An action is three numbers from 0 to 1: pressures as fractions of the largest. An observation is the position and the
    velocity of the tip and the position of the target, nine numbers. The reward is minus the distance in metres; an
    episode is cut after `steps` steps of `step` seconds, and ends well when the tip stays within `near` of the target.

    `scenario` may replace the arm by one of your own: what `withy.Model` takes, with at least one actuator and the probes
    `tip` and `tip_velocity`, in this order.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, scenario: Model | Scenario = ARM, *, step: float = 0.02, steps: int = 200, largest: float = 40.0,
                 near: float = 2e-3, rest: float = 0.02) -> None:
        self.model = scenario if isinstance(scenario, Model) else Model(scenario)
        if [probe.name for probe in self.model.probes[:2]] != ["tip", "tip_velocity"] or not self.model.actuators:
            raise InputError("the scenario of an arm needs an actuator and the probes tip and tip_velocity")
        self.step_time, self.steps, self.largest, self.near, self.rest = step, steps, largest, near, rest
        count, infinite = len(self.model.actuators), np.full(9, np.inf)
        self.action_space = _box(np.zeros(count), np.ones(count))
        self.observation_space = _box(-infinite, infinite)
        self._random = np.random.default_rng()
        self._sim: Simulation | None = None
        self._start: bytes = b""
        self.target = np.zeros(3)  #: the point to reach
        self._count = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Starts an episode and returns observation and info. `options={"target": (x, y, z)}` chooses the target."""
        if _base is not object:
            super().reset(seed=seed)
        if seed is not None:
            self._random = np.random.default_rng(seed)
        if self._sim is None:
            self._sim = Simulation(self.model, end=np.inf)
            self._start = self._sim.save()
        self._sim.restore(self._start)
        chosen = (options or {}).get("target")
        self.target = self._reachable() if chosen is None else np.array(chosen, dtype=np.float64)
        self._count = 0
        return self._observation(), {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Sets the pressures, advances, and returns observation, reward, terminated, truncated and info."""
        if self._sim is None:
            raise InputError("found a step before the first reset; expected reset() first")
        fractions = np.clip(np.asarray(action, dtype=np.float64), 0, 1)
        for index, fraction in enumerate(fractions.tolist()):
            self._sim.actuators[index] = -self.largest * fraction  # a chamber pushes: its force is negative
        self._count += 1
        self._sim.advance(self._count * self.step_time)
        seen = self._observation()
        distance = float(np.linalg.norm(seen[:3] - self.target))
        there = distance < self.near and float(np.linalg.norm(seen[3:6])) < self.rest
        return seen, -distance, there, self._count >= self.steps, {"distance": distance}

    def close(self) -> None:
        """Frees the simulation."""
        if self._sim is not None:
            self._sim.close()
        self._sim = None

    def _observation(self) -> Array:
        assert self._sim is not None
        return np.concatenate([self._sim.row()[1:7], self.target])

    def _reachable(self) -> Array:
        """A target at random: about where the tip comes to when the arm leans over a little to any side."""
        length = self.model.rods[0].length
        lean, turn = self._random.uniform(0.1, 0.6), self._random.uniform(0, 2 * np.pi)
        side, height = length * (1 - np.cos(lean)) / lean, length * np.sin(lean) / lean
        return np.array([side * np.cos(turn), side * np.sin(turn), height])
