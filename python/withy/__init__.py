"""Dynamics and statics of slender flexible things: cables, hoses, strings, hair, soft robots.

    import withy

    sim = withy.Simulation("rubber-pendulum")
    sim.advance(1.0)
    print(sim.rods["pendulum"].position[-1])
"""
from .errors import InputError, ResultError, ResultWarning, SolverError
from .findings import Finding
from .model import Model, Probe, Quantity, RodInfo, quantities, scenarios
from .rods import End, Energy, Equilibrium, Extreme, Methods, Momentum, Rod
from .runs import Field, Run, run
from .runs import open_run as open
from .simulation import Inputs, Modes, Rods, Simulation, Strands
