# SPDX-License-Identifier: MIT
"""Dynamics and statics of slender flexible things: cables, hoses, strings, hair, soft robots.

    import withy

    sim = withy.Simulation("rubber-pendulum")
    sim.advance(1.0)
    print(sim.rods["pendulum"].position[-1])
"""
from . import envs
from ._withy import ffi as _ffi
from ._withy import lib as _lib
from .batches import Batch, BatchInfo, BatchWork, DeviceArray, Sections
from .convergence import Convergence, Estimate, Level, converge
from .errors import InputError, ResultError, ResultWarning, SolverError
from .findings import Finding
from .model import Array, Model, Probe, Quantity, RodInfo, quantities, scenarios
from .network import Body, Group, Joint, Load, Obstacle, Parts, Spring
from .plans import Plan
from .rods import Contact, End, Energy, Equilibrium, Extreme, Methods, Momentum, Rod
from .rollouts import rollout
from .runs import Field, Run, run
from .runs import open_run as open
from .simulation import Inputs, Modes, Rods, Simulation, Strands
from .sweeps import Course, Sweep, sweep

__version__ = str(_ffi.string(_lib.wy_version()), "utf-8")
__all__ = [
    "Array", "Batch", "BatchInfo", "BatchWork", "Body", "Contact", "Convergence", "Course", "DeviceArray", "End",
    "Energy", "Equilibrium", "Estimate", "Extreme", "Field", "Finding", "Group", "InputError", "Inputs", "Joint",
    "Level", "Load", "Methods", "Model", "Modes", "Momentum", "Obstacle", "Parts", "Plan", "Probe", "Quantity",
    "ResultError", "ResultWarning", "Rod", "RodInfo", "Rods", "Run", "Sections", "Simulation", "SolverError",
    "Spring", "Strands", "Sweep", "converge", "envs", "open", "quantities", "rollout", "run", "scenarios", "sweep",
]
