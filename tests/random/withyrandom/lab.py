# SPDX-License-Identifier: MIT
"""Where cases run: runs that are examined and counted, and the ways in which a case can end."""

import collections
import threading

from .expressions import value
from .faults import examine
from .generate import FIXED
from .scenario import analysis


class Broken(Exception):
    """The relation does not hold."""

    kind = "broken"


class Inconclusive(Exception):
    """Nothing can be said: a run failed honestly or was out of time, or the motion is too sensitive to compare."""


class Lab:
    def __init__(self, command):
        self.command = command
        self.count = collections.Counter()
        self.lock = threading.Lock()

    def run(self, scenario, more=(), must=True):
        """A run without fault; with `must` one that finished, else the case is inconclusive."""
        run = self.command.run(scenario, more)
        outcome, fault = examine(scenario, run)
        self.book(scenario, run, outcome)
        if fault:
            raise fault
        if must and outcome != "finished":
            raise Inconclusive("out of time" if outcome == "late" else "failed: " + (run.lines[0][:200] if run.lines else ""))
        return run

    def book(self, scenario, run, outcome):
        """Motions and equilibria apart; fixed steps that withy chose are counted on their own. Results that withy itself
        judges to be wrong, on grids that are too coarse, are no failures of the solver."""
        what = "motions" if analysis(scenario) == "dynamics" else "equilibria"
        solver = scenario.get("solver", {})
        default = what == "motions" and solver.get("integrator") in FIXED and "step" not in solver
        with self.lock:
            self.count[what, "runs"] += 1
            self.count[what, outcome] += 1
            if default:
                self.count["default step", "runs"] += 1
                self.count["default step", outcome] += 1


def tolerance(scenario):
    return value(scenario.get("solver", {}).get("tolerance", 1e-6))
