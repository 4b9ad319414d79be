# SPDX-License-Identifier: MIT
"""Many simulations of one model in threads."""
from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Callable

import numpy as np
import numpy.typing as npt

from .errors import InputError
from .model import Array, Model, Scenario
from .simulation import Simulation

Act = Callable[[Simulation, Array], None]
Observe = Callable[[Simulation], Array]


def set_actuators(sim: Simulation, action: Array) -> None:
    """One number for each actuator, in the order of the scenario."""
    if len(action) != len(sim.actuators):
        raise InputError(f"found {len(action)} numbers in an action; expected one for each of {len(sim.actuators)} "
                         "actuators")
    for index, force in enumerate(action.tolist()):
        sim.actuators[index] = force


def rollout(model: Model | Scenario, actions: npt.ArrayLike, *, step: float, act: Act = set_actuators,
            observe: Observe = Simulation.row, threads: int | None = None) -> Array:
    """Runs a simulation for each entry of `actions`, [simulations, steps, numbers], and returns what was observed.

    Before step k of simulation i, `act(sim, actions[i, k])` sets forces: by default one for each actuator. The simulation
    then advances by `step`, and `observe(sim)` gives the numbers to keep: by default time and probes of the scenario
    (`model.columns`). The result is [simulations, steps + 1, numbers]; the first entry is the initial state.

    Simulations are spread over `threads` (default: the number of cores) and do not disturb each other: the result does
    not depend on their number. There is no end time. An exception ends the rollout.
    """
    shared = model if isinstance(model, Model) else Model(model)
    plan = np.asarray(actions, dtype=np.float64)
    if plan.ndim != 3:
        raise InputError(f"actions have {plan.ndim} dimensions; expected three: simulations, steps, numbers")
    if not 0 < step < np.inf:
        raise InputError(f"the step is {step}; expected a positive number")

    def one(course: Array) -> Array:
        with Simulation(shared, end=np.inf) as sim:
            seen = [observe(sim)]
            for k, action in enumerate(course):
                act(sim, action)
                sim.advance((k + 1) * step)
                seen.append(observe(sim))
        return np.array(seen)

    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        return np.array(list(pool.map(one, plan)))
