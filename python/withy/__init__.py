"""Dynamics and statics of slender flexible things: cables, hoses, strings, hair, soft robots.

    import withy

    sim = withy.Simulation("rubber-pendulum")
    sim.advance(1.0)
    print(sim.rods["pendulum"].position[-1])
"""
from . import envs
from ._withy import ffi as _ffi
from ._withy import lib as _lib
from .errors import InputError, ResultError, ResultWarning, SolverError
from .findings import Finding
from .model import Array, Model, Probe, Quantity, RodInfo, quantities, scenarios
from .rods import End, Energy, Equilibrium, Extreme, Methods, Momentum, Rod
from .rollouts import rollout
from .runs import Field, Run, run
from .runs import open_run as open
from .simulation import Inputs, Modes, Rods, Simulation, Strands

__version__ = str(_ffi.string(_lib.wy_version()), "utf-8")
__all__ = [
    "Array", "End", "Energy", "Equilibrium", "Extreme", "Field", "Finding", "InputError", "Inputs", "Methods", "Model",
    "Modes", "Momentum", "Probe", "Quantity", "ResultError", "ResultWarning", "Rod", "RodInfo", "Rods", "Run", "Simulation",
    "SolverError", "Strands", "envs", "open", "quantities", "rollout", "run", "scenarios",
]
