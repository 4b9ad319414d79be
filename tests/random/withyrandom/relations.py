"""The relations between runs. Each is a pair: what scenarios it makes, and what it demands of one.

A relation is registered by @relation(name, make). Its function gets (lab, scenario, rng), runs what it needs by `lab.run` and
raises Broken where the relation does not hold, Inconclusive where nothing can be said. It must draw all its random numbers
from `rng`, so that a replay repeats them.
"""

import math
import re

from . import generate, twins
from . import vectors as v
from .compare import (ROUND_OFF, apart, excess, finer, is_fixed, natural_sizes, refuse_sensitive, sensitivity, stiffer, tracks)
from .expressions import is_number, number, value
from .generate import Wish
from .lab import Broken, Inconclusive, tolerance
from .scenario import Scales, analysis, clone, held, length, natural_curvature, release, rod_name, rod_of, solver_of

RELATIONS = {}


class Relation:
    def __init__(self, name, make, check, weight):
        self.name = name
        self.make = make
        self.check = check
        self.weight = weight
        self.about = (check.__doc__ or "").strip().splitlines()[0]


def relation(name, make, weight=1):
    def register(check):
        RELATIONS[name] = Relation(name, make, check, weight)
        return check
    return register


# No relation but with itself: the run must be without fault.

@relation("motion", generate.motion, weight=8)
def any_motion(lab, scenario, rng):
    """a motion runs without fault"""
    lab.run(scenario)


@relation("equilibrium", generate.equilibrium, weight=2)
def any_equilibrium(lab, scenario, rng):
    """an equilibrium is found without fault"""
    lab.run(scenario)


# Twins: the same motion, seen otherwise.

SHARP = dict(tolerance=(3e-9, 1e-7), segments=(5, 12), strong=1.5, sag=5.0, periods=(0.2, 0.8), rods=2, loads=2, work=1500,
             integrators=("auto", "auto", "radau5", "rodas", "ndf", "dopri5", "dop853", "seulex", "ida", "midpoint", "gauss4"))


def sharp(**more):
    def make(rng):
        if rng.random() < 0.25:
            return generate.equilibrium(rng, Wish(**{**SHARP, **more}))
        return generate.motion(rng, Wish(**{**SHARP, **more}))
    return make


def sharp_motion(**more):
    return lambda rng: generate.motion(rng, Wish(**{**SHARP, **more}))


def same_cost(first, second):
    """A twin must not be much more work: steps that collapse are a defect, too."""
    one, two = (run.summary.get("steps", 0) + run.summary.get("rejected", 0) for run in (first, second))
    if max(one, two) > 300 and max(one, two) > 4 * min(one, two):
        raise Broken(f"{one} steps here, {two} there")


def compare_twin(lab, scenario, twin, first):
    """Twins agree within what errors of the steps allow; if in doubt, at tolerances a hundred times tighter."""
    second = lab.run(twin.scenario)
    same_cost(first, second)
    sizes = natural_sizes(scenario, first)
    seen = lambda run: tracks(run, twin.back, twin.rename)
    allowed = sensitivity(lab, scenario, first)
    refuse_sensitive(allowed, sizes)
    worst = excess(apart(tracks(first), seen(second)), allowed, sizes)
    if worst is None:
        return
    if analysis(scenario) != "dynamics" or is_fixed(scenario):
        # The twin itself may be more sensitive, by its round-off.
        other = seen(lab.run(stiffer(twin.scenario)))
        allowed = {name: max(allowed[name], 0.1 * x) for name, x in apart(seen(second), other).items()}
        worst = excess(apart(tracks(first), seen(second)), allowed, sizes)
        if worst:
            raise Broken(worst[1])
        return
    fine = [[lab.run(finer(one, factor)) for factor in (0.1, 0.01)] for one in (scenario, twin.scenario)]
    one, two = [tracks(run) for run in fine[0]], [seen(run) for run in fine[1]]
    errors = [apart(*one), apart(*two)]
    allowed = {name: 5 * (x + errors[1][name]) for name, x in errors[0].items()}
    worst = excess(apart(one[1], two[1]), allowed, {name: 10 * x for name, x in sizes.items()})
    if worst:
        raise Broken(f"{worst[1]}, at tolerances of {tolerance(scenario) * 0.01:.0e}")


@relation("turned", sharp())
def is_turned(lab, scenario, rng):
    """everything turned in space moves as before"""
    m = v.random_axes(rng) if twins.slides(scenario) else v.random_rotation(rng)
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.turned(scenario, m), first)


@relation("mirrored", sharp())
def is_mirrored(lab, scenario, rng):
    """everything mirrored moves as before, mirrored"""
    normal = rng.choice(([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0])) if twins.slides(scenario) else v.random_unit(rng)
    m = [[(1.0 if i == j else 0.0) - 2 * normal[i] * normal[j] for j in range(3)] for i in range(3)]
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.turned(scenario, m), first)


@relation("shifted", sharp())
def is_shifted(lab, scenario, rng):
    """everything moved to another place moves as before"""
    L = max(length(rod) for rod in scenario["rods"])
    way = v.times(L * math.exp(rng.uniform(0, math.log(100))), v.random_unit(rng))
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.shifted(scenario, way), first)


def held_alike(rod):
    """Whether both ends hold equally many degrees of freedom, at the beginning or after a release."""
    def count(name):
        position, rotation = held(rod, name)
        return 3 - position.count("free") + (3 if rotation != "free" else 0)
    return count("start") == count("end") or any(release(rod, name) is not None for name in ("start", "end"))


def undeformed(scenario):
    """The same rods at rest, as they are without loads."""
    other = clone(scenario, loads=None, actuators=None, gravity=None)
    for rod in other["rods"]:
        rod.pop("initial", None)
        rod["ends"] = {"start": "clamped"} if rod.get("ends") else {}
    if analysis(other) == "dynamics":
        other["time"]["end"] = other["time"]["output"]
    return other


@relation("reversed", sharp())
def is_reversed(lab, scenario, rng):
    """a rod described from its other end moves as before"""
    for rod in scenario["rods"]:
        if scenario["solver"]["scheme"] == "box" and held_alike(rod):
            raise Inconclusive("box rods begin at the end that is held more: here that is none, or changes")
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.reversed_rods(scenario, lab.run(undeformed(scenario))), first)


@relation("units", sharp())
def in_other_units(lab, scenario, rng):
    """other units of length, mass and time change the numbers only"""
    units = [2.0**rng.choice((-9, -3, 2, 10)), 2.0**rng.choice((-10, -2, 3, 9)), 2.0**rng.choice((-6, -1, 4))]
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.rescaled(scenario, units), first)


@relation("delayed", sharp_motion(constant=0.0, gravity=0.0, initial=0.0, released=0.3))
def is_delayed(lab, scenario, rng):
    """signals that begin later give the same motion, later"""
    for load in scenario.get("loads", []):  # cos(w t) begins with a jump: make a gentle wave of it
        for key in ("force", "moment"):
            if key in load:
                load[key] = [re.sub(r"cos\((\S+)\*t\)", r"sin(\1*t)^3", x) if isinstance(x, str) else x for x in load[key]]
                if any(is_number(x) and x != 0 for x in load[key]):
                    raise Inconclusive("a load that is there from the start")
    if "gravity" in scenario or any("initial" in rod for rod in scenario["rods"]):
        raise Inconclusive("not at rest at the start")
    rows = rng.randint(1, 12)
    output = scenario["time"]["output"]
    twin = twins.delayed(scenario, rows * output)
    first = lab.run(scenario)
    drop = lambda run: {name: column[rows:] for name, column in tracks(run).items()}
    second = drop(lab.run(twin.scenario))
    sizes = natural_sizes(scenario, first)
    allowed = sensitivity(lab, scenario, first)
    refuse_sensitive(allowed, sizes)
    worst = excess(apart(tracks(first), second), allowed, sizes)
    if worst is None:
        return
    if is_fixed(scenario):
        raise Broken(worst[1])
    one = [tracks(lab.run(finer(scenario, factor))) for factor in (0.1, 0.01)]
    two = [drop(lab.run(finer(twin.scenario, factor))) for factor in (0.1, 0.01)]
    errors = [apart(*one), apart(*two)]
    allowed = {name: 5 * (x + errors[1][name]) for name, x in errors[0].items()}
    worst = excess(apart(one[1], two[1]), allowed, {name: 10 * x for name, x in sizes.items()})
    if worst:
        raise Broken(f"{worst[1]}, at tolerances of {tolerance(scenario) * 0.01:.0e}")


def long_motion(rng):
    return generate.motion(rng, Wish(rods=2, strong=1.5, sag=5.0, periods=(1, 3), tolerance=(1e-8, 1e-6), work=6000))


@relation("restarted", long_motion)
def is_restarted(lab, scenario, rng):
    """a run that is interrupted and resumed gives the same numbers, bit for bit"""
    first = lab.run(scenario)
    parts = sorted(rng.uniform(0.02, 0.7) for _ in range(rng.randint(1, 2)))
    second, interruptions = lab.command.run_in_parts(scenario, parts)
    if second.out_of_time or interruptions == 0:
        raise Inconclusive("over before it could be interrupted")
    if second.status != 0:
        raise Broken(f"resumed after {interruptions} interruptions: status {second.status}: {' '.join(second.lines)[:200]}")
    multistep = any(rod["integrator"] in ("ida", "cvode") for rod in first.summary["rods"])
    if multistep:  # begin a new history: within the tolerance only
        sizes = natural_sizes(scenario, first)
        worst = excess(apart(tracks(first), tracks(second)), {name: 100 * tolerance(scenario) * x for name, x in sizes.items()}, sizes)
        if worst:
            raise Inconclusive(worst[1])
        return
    for name, rows in first.columns.items():
        for row, (a, b) in enumerate(zip(rows, second.columns[name])):
            if a != b:
                raise Broken(f"{name} differs at t = {first.t[row]:g}: {a} became {b}")
    if first.t != second.t:
        raise Broken("other rows")
