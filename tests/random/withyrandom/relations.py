# SPDX-License-Identifier: MIT
"""The relations between runs. Each is a pair: what scenarios it makes, and what it demands of one.

A relation is registered by @relation(name, make). Its function gets (lab, scenario, rng), runs what it needs by `lab.run` and
raises Broken where the relation does not hold, Inconclusive where nothing can be said. It must draw all its random numbers
from `rng`, so that a replay repeats them.
"""

import math

from . import generate, twins
from . import vectors as v
from .compare import (ROUND_OFF, apart, excess, finer, is_fixed, natural_sizes, refuse_sensitive, sensitivity, stiffer, tracks)
from .expressions import number, scaled, value
from .generate import Wish
from .lab import Broken, Inconclusive, tolerance
from .scenario import Scales, analysis, clone, held, length, reference_pose, release, rod_name, rod_of

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

@relation("motion", lambda rng: generate.motion(rng, Wish(fluid=0.15, obstacles=0.15)), weight=8)
def any_motion(lab, scenario, rng):
    """a motion runs without fault"""
    lab.run(scenario)


@relation("equilibrium", lambda rng: generate.equilibrium(rng, Wish(fluid=0.15, obstacles=0.15)), weight=2)
def any_equilibrium(lab, scenario, rng):
    """an equilibrium is found without fault"""
    lab.run(scenario)


# Twins: the same motion, seen otherwise.

SHARP = dict(tolerance=(3e-9, 1e-7), segments=(5, 12), strong=1.5, sag=5.0, periods=(0.2, 0.8), rods=2, loads=2, work=1500, default_step=0.0,
             integrators=("auto", "auto", "radau5", "rodas", "ndf", "dopri5", "dop853", "seulex", "ida", "midpoint", "gauss4"))


def sharp(**more):
    def make(rng):
        if rng.random() < 0.25:
            scenario = generate.equilibrium(rng, Wish(**{**SHARP, **more}))
            scenario.pop("contact", None)  # with friction results follow the increments, which round-off may change
            return scenario
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
    if is_fixed(scenario) and any(run.summary.get("rejected") for run in (first, second)):
        # Newton's method stops by the components of its correction, which are others in the twin's axes.
        raise Inconclusive("fixed steps were divided where their equations were not solved")
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


@relation("turned", sharp(fluid=0.2, obstacles=0.3))
def is_turned(lab, scenario, rng):
    """everything turned in space moves as before"""
    m = v.random_axes(rng) if twins.slides(scenario) else v.random_rotation(rng)
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.turned(scenario, m), first)


@relation("mirrored", sharp(fluid=0.2, obstacles=0.3))
def is_mirrored(lab, scenario, rng):
    """everything mirrored moves as before, mirrored"""
    normal = rng.choice(([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0])) if twins.slides(scenario) else v.random_unit(rng)
    m = [[(1.0 if i == j else 0.0) - 2 * normal[i] * normal[j] for j in range(3)] for i in range(3)]
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.turned(scenario, m), first)


@relation("shifted", sharp(fluid=0.2, obstacles=0.3))
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
    other = clone(scenario, loads=None, actuators=None, gravity=None, obstacles=None, contact=None)
    for rod in other["rods"]:
        rod.pop("initial", None)
        rod.pop("fluid", None)
        rod["ends"] = {"start": "clamped"} if rod.get("ends") else {}
        rod.pop("contact", None)
    if analysis(other) == "dynamics":
        other["time"]["end"] = other["time"]["output"]
    return other


@relation("reversed", sharp(fluid=0.2, obstacles=0.3))
def is_reversed(lab, scenario, rng):
    """a rod described from its other end moves as before"""
    for rod in scenario["rods"]:
        if scenario["solver"]["scheme"] == "box" and held_alike(rod):
            raise Inconclusive("box rods begin at the end that is held more: here that is none, or changes")
    if is_fixed(scenario) and scenario["solver"]["scheme"] == "staggered":
        # In the null space of constrained rods the root is an unknown: at the other end errors of fixed steps are others.
        scenario = clone(scenario)
        scenario["solver"]["coordinates"] = "absolute"
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.reversed_rods(scenario, lab.run(undeformed(scenario))), first)


@relation("units", sharp(fluid=0.2, obstacles=0.3))
def in_other_units(lab, scenario, rng):
    """other units of length, mass and time change the numbers only"""
    units = [2.0**rng.choice((-9, -3, 2, 10)), 2.0**rng.choice((-10, -2, 3, 9)), 2.0**rng.choice((-6, -1, 4))]
    first = lab.run(scenario)
    compare_twin(lab, scenario, twins.rescaled(scenario, units), first)


@relation("delayed", sharp_motion(schemes=("staggered", "staggered", "mixed", "conserving"), constant=0.0, jumps=0.0, gravity=0.0, initial=0.0, released=0.3))
def is_delayed(lab, scenario, rng):
    """signals that begin later give the same motion, later"""
    for load in scenario.get("loads", []):
        if any(abs(value(x, 0, 0.3 * length(rod_of(scenario, load)))) > 0 for key in ("force", "moment") for x in load.get(key, [])):
            raise Inconclusive("a load that is there from the start")
    if "gravity" in scenario or any("initial" in rod for rod in scenario["rods"]):
        raise Inconclusive("not at rest at the start")
    rows = rng.randint(1, 12)
    output = scenario["time"]["output"]
    twin = twins.delayed(scenario, rows * output)
    first = lab.run(scenario)
    if scenario["solver"]["scheme"] == "box":
        raise Inconclusive("box rods begin with forces of their own, within the error of a step")
    # Reactions of mixed rods belong to the middle of the last step, and there is none before t = 0.
    skip = 1 if scenario["solver"]["scheme"] == "mixed" else 0
    drop = lambda run, wait=rows: {name: column[wait + skip:] for name, column in tracks(run).items()}
    second = drop(lab.run(twin.scenario))
    sizes = natural_sizes(scenario, first)
    allowed = sensitivity(lab, scenario, first)
    refuse_sensitive(allowed, sizes)
    worst = excess(apart(drop(first, 0), second), allowed, sizes)
    if worst is None:
        return
    if is_fixed(scenario):
        raise Broken(worst[1])
    one = [drop(lab.run(finer(scenario, factor)), 0) for factor in (0.1, 0.01)]
    two = [drop(lab.run(finer(twin.scenario, factor))) for factor in (0.1, 0.01)]
    errors = [apart(*one), apart(*two)]
    allowed = {name: 5 * (x + errors[1][name]) for name, x in errors[0].items()}
    worst = excess(apart(one[1], two[1]), allowed, {name: 10 * x for name, x in sizes.items()})
    if worst:
        raise Broken(f"{worst[1]}, at tolerances of {tolerance(scenario) * 0.01:.0e}")


def long_motion(rng):
    return generate.motion(rng, Wish(rods=2, strong=1.5, sag=5.0, periods=(1, 3), tolerance=(1e-8, 1e-6), work=6000, fluid=0.2, obstacles=0.3))


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


# Equilibria and the linear limit.

def two_loads(rng):
    scenario = generate.equilibrium(rng, Wish(rods=1, gravity=0, driven=0, second_end=0, actuators=0, constant=1, segments=(5, 15)))
    rod = scenario["rods"][0]
    scales = Scales(rod)
    wish = Wish(constant=1)
    scenario["loads"] = [generate.make_load(rng, wish, rod, scales, 1.0, 1.0) for _ in range(rng.randint(2, 3))]
    return scenario


def scaled_loads(scenario, loads, factor):
    other = clone(scenario, loads=[])
    for load in loads:
        load = dict(load)
        for key in ("force", "moment"):
            if key in load:
                load[key] = [scaled(factor, x) for x in load[key]]
        other["loads"].append(load)
    return other


@relation("superposed", two_loads)
def superposes(lab, scenario, rng):
    """displacements of small loads add up: what is left falls with the square of the loads"""
    loads = scenario.get("loads", [])
    if len(loads) < 2:
        raise Inconclusive("one load")
    places = lambda run: [run.columns[name][0] for name in sorted(run.columns) if name.endswith(("position", "director3"))]
    rest = places(lab.run(clone(scenario, loads=None)))
    L = length(scenario["rods"][0])

    def displacement(parts, factor):
        return [v.sub(a, b) for a, b in zip(places(lab.run(scaled_loads(scenario, parts, factor))), rest)]

    def largest(vectors):
        return max(v.norm(a) for a in vectors)
    factor = 1e-3
    factor *= 0.02 * L / max(largest(displacement(loads, factor)), 1e-9 * L)
    if factor > 1e3:
        raise Inconclusive("loads that move nothing")

    def share(factor):
        one, two, both = displacement(loads[:1], factor), displacement(loads[1:], factor), displacement(loads, factor)
        return largest([v.sub(c, v.add(a, b)) for a, b, c in zip(one, two, both)]) / largest(both), largest(both)
    coarse, _ = share(factor)
    fine, size = share(factor / 8)
    floor = 30 * ROUND_OFF * max(L, 1) / size
    if fine > coarse / 4 + floor:
        raise Broken(f"{coarse:.3g} of the displacement is left over, {fine:.3g} with an eighth of the loads; expected an eighth of it")


# Two schemes, one rod.

PAIRS = {"cosserat": (("staggered", "mixed"), ("staggered", "conserving"), ("mixed", "conserving")),
         "kirchhoff": (("staggered", "mixed"),), "inextensible": (("staggered", "mixed"), ("staggered", "box"), ("mixed", "box"))}


def for_two_schemes(rng):
    model = rng.choice(("cosserat", "kirchhoff", "inextensible"))
    pair = rng.choice(PAIRS[model])
    plain = "conserving" in pair or "box" in pair
    still = "conserving" not in pair and rng.random() < 0.6
    wish = Wish(schemes=("staggered",), models=(model,), integrators=("radau5",), law=0, maxwell=0 if plain else 0.2, actuators=0 if plain else 0.2,
                damped=0 if "conserving" in pair else 1, partly=0, rods=1, strong=1.0, sag=3.0, constant=1.0 if still else 0, jumps=0, initial=0,
                gravity=0.5 if still else 0, segments=(10, 10), periods=(0.2, 0.5), tolerance=(1e-8, 1e-8), options=0, released=0,
                second_end=0 if plain else 0.2, places=("start", "end"), explicit_stiffness=0.1, tapered=0.2)
    scenario = (generate.equilibrium if still else generate.motion)(rng, wish)
    scenario["schemes"] = list(pair)
    return scenario


def on_grid(scenario, scheme, times):
    """The scenario with this scheme, on a grid and with fixed steps `times` as fine."""
    other = clone(scenario, schemes=None)
    other["solver"] = {"scheme": scheme}
    for rod in other["rods"]:
        rod["segments"] = rod.get("segments", 20) * times | (1 if scheme == "conserving" else 0)
    if analysis(other) == "dynamics":
        if scheme == "staggered":
            other["solver"].update(integrator="radau5", tolerance=1e-8)
        else:
            steps = math.ceil(4 * other["time"]["output"] * 60 / Scales(other["rods"][0]).period)
            other["solver"]["step"] = number(other["time"]["output"] / (steps * times), 15)
    return other


@relation("schemes", for_two_schemes, weight=2)
def schemes_agree(lab, scenario, rng):
    """two schemes come to the same, within what halving their pieces and steps changes"""
    pair = scenario["schemes"]
    sizes = None
    positions = lambda run: {name: rows for name, rows in tracks(run).items() if name.endswith(("position", "director3"))}
    for times in (1, 2, 4):
        coarse, fine = [], []
        for scheme in pair:
            coarse.append(positions(lab.run(on_grid(scenario, scheme, times))))
            run = lab.run(on_grid(scenario, scheme, 2 * times))
            fine.append(positions(run))
        sizes = sizes or natural_sizes(scenario, run)
        errors = [apart(a, b) for a, b in zip(coarse, fine)]
        # Both are of second order: what is left is a third of what halving changed. Twice that, for coarse grids.
        allowed = {name: 2 / 3 * (errors[0][name] + errors[1][name]) + 1e-6 * sizes[name] for name in errors[0]}
        worst = excess(apart(fine[0], fine[1]), allowed, sizes)
        if worst is None:
            return
    if max(allowed[name] / sizes[name] for name in allowed) > 0.02:
        raise Inconclusive("not resolved by these grids")
    raise Broken(f"{pair[0]}, {pair[1]}: {worst[1]}")


# Balances.

def for_balance(rng):
    wish = Wish(rods=1, models=("kirchhoff", "inextensible", "cosserat"), schemes=("staggered", "staggered", "mixed", "box"), damped=1.0, jumps=0,
                strong=1.5, sag=5.0, periods=(0.1, 0.4), tolerance=(1e-9, 1e-8), axes=("space",), released=0, maxwell=0.2, partly=0.3, initial=0,
                constant=0.0, gravity=0.5, integrators=("radau5", "auto", "gauss4", "rodas"), default_step=0, options=0.2, segments=(5, 10))
    scenario = generate.motion(rng, wish)
    # Nothing may jump at t = 0, or rows do not resolve what follows: weight acts from before, on a rod that a clamp holds.
    if "gravity" in scenario:
        rod = scenario["rods"][0]
        rod["ends"] = {"start": "clamped", **{name: end for name, end in rod.get("ends", {}).items() if end != "clamped"}}
        rod["initial"] = {"from": "statics"}
    # Drag takes from all momentum alike, but for what the inertia of cylinders adds to that of sections.
    for rod in scenario["rods"]:
        if scenario["solver"].get("segment_inertia") == "cylinder":
            rod.pop("drag", None)
        elif "drag" in rod:
            rod["drag"]["rotation"] = rod["drag"]["translation"]
    for load in scenario.get("loads", []):
        if "along" in load and "force" in load:
            load["force"] = [x.split("*sin(3*s")[0] if isinstance(x, str) else x for x in load["force"]]
    rows = 240
    step = number(scenario["time"]["end"] / rows, 4)
    scenario["time"] = {"end": number(rows * step, 12), "output": step}
    if "step" in scenario["solver"]:
        scenario["solver"]["step"] = step
    return scenario


class Balance:
    """Force and moment about the origin that act on the one rod of a scenario, at rows, or in the middle before them."""

    def __init__(self, scenario, run, middle):
        self.scenario = scenario
        self.run = run
        self.middle = middle
        self.rod = scenario["rods"][0]
        self.name = rod_name(scenario, 0)
        self.gravity = [value(x) for x in scenario.get("gravity", [0, 0, 0])]

    def sample(self, name, row):
        if not self.middle:
            return self.run[name][row]
        return v.times(0.5, v.add(self.run[name][row - 1], self.run[name][row]))

    def mass(self):
        """From the energy of weight, where it is known best."""
        rows = [(v.dot(self.gravity, x), e[0]) for x, e in zip(self.run["centre_of_mass"], self.run["gravity"])]
        height, energy = max(rows, key=lambda pair: abs(pair[0]))
        return -energy / height if height else 0.0

    def at(self, row):
        """(force, moment); the moment is None where forces along the rod would need its whole shape."""
        t = self.run.t[row] - (0.5 * (self.run.t[row] - self.run.t[row - 1]) if self.middle else 0)
        force, moment, known = [0.0] * 3, [0.0] * 3, True
        for end in ("start", "end"):  # mixed rods have their reactions in the middle of the step that ends at the row
            one = self.run[f"{self.name}.{end}.reaction_force"][row]
            force = v.add(force, one)
            arm = v.cross(self.sample(f"{self.name}.{end}.position", row), one)
            moment = v.add(moment, v.add(self.run[f"{self.name}.{end}.reaction_moment"][row], arm))
        for load in self.scenario.get("loads", []):
            one, turn = ([value(x, t) for x in load.get(key, [0, 0, 0])] for key in ("force", "moment"))
            part = load["along"][1] - load["along"][0] if "along" in load else 1.0
            force = v.add(force, v.times(part, one))
            moment = v.add(moment, v.times(part, turn))
            if "force" in load:
                known = known and load.get("at") in ("start", "end")
                if known:
                    moment = v.add(moment, v.cross(self.sample(f"{self.name}.{load['at']}.position", row), one))
        drag = self.rod.get("drag", {}).get("translation", 0)
        weight = v.times(self.mass(), self.gravity)
        force = v.add(v.sub(force, v.times(drag, self.sample("linear_momentum", row))), weight)
        moment = v.add(v.sub(moment, v.times(drag, self.sample("angular_momentum", row))),
                       v.cross(self.sample("centre_of_mass", row), weight))
        return force, moment if known else None


def check_balance(what, momentum, rates, times, slack):
    """momentum(t) - momentum(0) = integral of the rates, by the trapezoidal rule and Simpson's at even rows."""
    trapezoids, coarse = [0.0] * 3, [0.0] * 3
    worst = 0.0
    for row in range(2, len(times), 2):
        h = times[row] - times[row - 1]
        a, b, c = rates[row - 2:row + 1]
        trapezoids = v.add(trapezoids, v.times(h, [0.5 * x + y + 0.5 * z for x, y, z in zip(a, b, c)]))
        coarse = v.add(coarse, v.times(h, v.add(a, c)))
        finest = [(4 * x - y) / 3 for x, y in zip(trapezoids, coarse)]
        worst = max(worst, v.norm(v.sub(trapezoids, coarse)))  # what halving the distance of rows changed
        miss = v.norm(v.sub(v.sub(momentum[row], momentum[0]), finest))
        # Simpson's error is far less than the change by halving, unless rows are too far apart to say anything.
        if miss > 2 * worst + slack:
            raise Broken(f"{what} is off by {miss:.3g} at t = {times[row]:g}: allowed {2 * worst + slack:.3g}, "
                         f"size {max(v.norm(x) for x in momentum):.3g}")


@relation("momentum", for_balance, weight=2)
def momentum_balances(lab, scenario, rng):
    """momentum changes by what supports, loads, weight and drag give"""
    run = lab.run(scenario)
    mixed = scenario["solver"]["scheme"] == "mixed"
    balance = Balance(scenario, run, mixed)
    rates = [balance.at(max(row, 1) if mixed else row) for row in range(len(run.t))]
    sizes = natural_sizes(scenario, run)
    name = rod_name(scenario, 0)
    duration = run.t[-1]
    L = length(scenario["rods"][0])
    reach = max(v.norm(x) for end in ("start", "end") for x in run[f"{name}.{end}.position"])
    if mixed:
        # A step changes momentum by its length times what acts in its middle: exact, but for Newton's method.
        for index, what in ((0, "linear_momentum"), (1, "angular_momentum")):
            arm = 1 if index == 0 else reach + L
            for row in range(1, len(run.t)):
                if rates[row][index] is None:
                    break
                h = run.t[row] - run.t[row - 1]
                miss = v.norm(v.sub(v.sub(run[what][row], run[what][row - 1]), v.times(h, rates[row][index])))
                limit = ROUND_OFF * (sizes[f"{name}_start_reaction_force"] * h * arm + sizes["linear_momentum"] * arm)
                if miss > limit:
                    raise Broken(f"{what} is off by {miss:.3g} in the step to t = {run.t[row]:g}: allowed {limit:.3g}, size {sizes[what]:.3g}")
        return
    if is_fixed(scenario):
        half = clone(scenario)
        half["solver"]["step"] = 0.5 * scenario["solver"]["step"]
        if scenario["solver"]["scheme"] == "box":  # balances moments up to the error of its cells
            half["rods"][0]["segments"] *= 2
        allowed = {name: 3 * x for name, x in apart(tracks(run), tracks(lab.run(half))).items()}
    else:
        allowed = sensitivity(lab, scenario, run)
    force = sum(allowed[f"{name}_{end}_reaction_force"] for end in ("start", "end")) + ROUND_OFF * sizes[f"{name}_start_reaction_force"]
    turn = sum(allowed[f"{name}_{end}_reaction_moment"] for end in ("start", "end")) + ROUND_OFF * sizes[f"{name}_start_reaction_moment"]
    slack = allowed["linear_momentum"] + duration * force
    check_balance("linear_momentum", run["linear_momentum"], [rate[0] for rate in rates], run.t, slack)
    if all(rate[1] is not None for rate in rates):
        slack = allowed["angular_momentum"] + duration * (turn + reach * force)
        check_balance("angular_momentum", run["angular_momentum"], [rate[1] for rate in rates], run.t, slack)


# Equilibria as motions know them.

def for_rest(rng):
    wish = Wish(rods=1, strong=1.0, sag=3.0, constant=1.0, driven=0.3, partly=0.3, signals=(generate.ramp,), actuators=0.2, law=0.2, maxwell=0.2,
                options=0, segments=(5, 12), second_end=0.2)
    scenario = generate.equilibrium(rng, wish)
    scales = Scales(scenario["rods"][0])
    scenario["time"]["end"] = number(1.3 * scenario["time"]["end"], 3)  # ramps are over by then
    scenario["rods"][0]["drag"] = {"translation": number(2 * scales.slowest), "rotation": number(2 * scales.slowest)}
    if scenario["solver"]["scheme"] == "staggered":
        scenario["rods"][0]["damping"] = {"time": number(0.02 * scales.period)}
    return scenario


def settling(scenario):
    """The motion that comes to rest under the loads of an equilibrium: signals stay as they are at its time."""
    other = clone(scenario, analysis="dynamics")
    scales = Scales(scenario["rods"][0])
    duration = scenario["time"]["end"] + 8 * scales.period
    output = number(duration / 40, 3)
    other["time"] = {"end": number(40 * output, 12), "output": output}
    if scenario["solver"]["scheme"] == "staggered":
        other["solver"].update(integrator="radau5", tolerance=1e-7)
    else:
        other["solver"]["step"] = number(output / math.ceil(output * 60 / scales.period), 15)
    return other


@relation("rest", for_rest)
def comes_to_rest(lab, scenario, rng):
    """a damped motion ends in the equilibrium that statics finds, where that is stable"""
    still = lab.run(scenario)
    if still.summary["equilibrium"]["unstable"] or still.summary["equilibrium"]["bifurcations"]:
        raise Inconclusive("not known to be stable and the only one")
    moving = lab.run(settling(scenario))
    positions = [name for name in still.columns if name.endswith(("position", "director1", "director3"))]
    sizes = natural_sizes(scenario, still)
    box = 0.1 if scenario["solver"]["scheme"] == "box" and len(scenario["rods"][0]["ends"]) > 1 else 0
    for name in positions:
        earlier, before, last = (moving.columns[name][row] for row in (-17, -9, -1))
        first, second = v.norm(v.sub(before, earlier)), v.norm(v.sub(last, before))
        if second > max(0.7 * first, 1e-6 * sizes[name]):
            raise Inconclusive("not yet at rest")
        # What is left decays like an exponential: by as much again in each fifth of the time, at most 0.7 of the fifth before.
        allowed = 5 * second + (1e-4 + box) * sizes[name]
        miss = v.norm(v.sub(last, still.columns[name][0]))
        if miss > allowed:
            raise Broken(f"{name} comes to rest {miss:.3g} from the equilibrium, allowed {allowed:.3g}")


def columns_and_others(rng):
    """Straight rods pressed below and above their critical load, and bent ones under forces."""
    wish = Wish(rods=1, schemes=("staggered", "mixed", "box"), curved=0.3, gravity=0, driven=0, second_end=0, actuators=0, law=0, maxwell=0, drag=0,
                damped=0, options=0, loads=0, segments=(6, 12), tapered=0, explicit_stiffness=0)
    scenario = generate.equilibrium(rng, wish)
    rod = scenario["rods"][0]
    rod["ends"] = {"start": "clamped"}
    scales = Scales(rod)
    frame = reference_pose(rod)[1]
    size = 2.467 * scales.force * rng.choice((rng.uniform(0.2, 0.7), rng.uniform(1.6, 4)))
    scenario["loads"] = [{"rod": rod["name"], "at": "end", "force": [number(-size * line[2], 12) for line in frame]}]
    return scenario


@relation("verdict", columns_and_others)
def verdict_is_right(lab, scenario, rng):
    """a push grows where the equilibrium is called unstable, and dies out where it is called stable"""
    modes = lab.run(clone(scenario, analysis="modes"))
    unstable = modes.summary["equilibrium"]["unstable"]
    if unstable is None or not modes.modes:
        raise Inconclusive("no verdict")
    if (unstable > 0) != (modes.modes[0] < 0):
        raise Broken(f"{unstable} unstable directions, but the lowest frequency is {modes.modes[0]:g}")
    rod = scenario["rods"][0]
    scales = Scales(rod)
    rate = abs(modes.modes[0])
    if rate < 0.1 * scales.slowest:
        raise Inconclusive("near a critical load")
    duration = 8 / rate if unstable else 50 / rate
    output = number(duration / 80, 2)
    other = clone(scenario, analysis="dynamics", time={"end": number(80 * output, 12), "output": output})
    other["rods"][0]["initial"] = {"from": "statics"}
    if not unstable:
        other["rods"][0]["drag"] = {"translation": number(0.2 * rate), "rotation": number(0.2 * rate)}
    push = v.times(1e-3 * scales.force / scales.length, v.random_unit(rng))
    other.setdefault("loads", []).append({"rod": rod_name(scenario, 0), "along": [0, length(rod)],
                                          "force": [f"{x!r}*sin(pi*min(t/{0.1 * duration!r},1))^4" for x in push]})
    if scenario["solver"]["scheme"] == "staggered":
        other["solver"].update(integrator="radau5", tolerance=1e-9)
    else:
        other["solver"]["step"] = number(output / math.ceil(output * 60 / scales.period), 15)
    run = lab.run(other)
    tip = run[f"{rod_name(scenario, 0)}.end.position"]
    away = [v.norm(v.sub(x, tip[0])) for x in tip]
    first, last = max(away[8:20]), max(away[-16:])
    if unstable and last < 10 * first and last < 0.1 * length(rod):
        raise Broken(f"called unstable ({modes.modes[0]:g}/s), but a push of {first:.3g} became {last:.3g} only")
    if not unstable and last > first:
        raise Broken(f"called stable (lowest frequency {modes.modes[0]:g}), but a push of {first:.3g} became {last:.3g}")


def for_modes(rng):
    wish = Wish(rods=1, schemes=("staggered", "mixed"), strong=0.5, sag=2.0, constant=1.0, driven=0, actuators=0, law=0, maxwell=0, drag=0, damped=0,
                options=0, segments=(6, 10), second_end=0.2, partly=0, moments=0, axes=("space",))
    return generate.equilibrium(rng, wish)


def fit(columns, samples):
    """What a least-squares fit of the samples by the columns leaves (Gram and Schmidt, twice)."""
    basis = []
    for column in columns:
        for _ in range(2):
            for b in basis:
                column = v.sub(column, v.times(v.dot(b, column), b))
        if v.norm(column) > 1e-6 * math.sqrt(len(column)):
            basis.append(v.unit(column))
    for _ in range(2):
        for b in basis:
            samples = v.sub(samples, v.times(v.dot(b, samples), b))
    return samples


@relation("modes", for_modes)
def modes_are_heard(lab, scenario, rng):
    """a small vibration consists of the frequencies that modes finds"""
    still = clone(scenario, analysis="modes")
    still["solver"]["modes"] = 14
    modes = lab.run(still)
    if modes.summary["equilibrium"]["unstable"] != 0 or len(modes.modes) < 8 or modes.modes[0] < 1e-3 * modes.modes[7]:
        raise Inconclusive("not stable, or few modes")
    scales = Scales(scenario["rods"][0])
    # A push whose spectrum ends before the last of these frequencies.
    highest = modes.modes[min(len(modes.modes), 14) - 1]
    push = 8 * math.pi / highest
    output = number(0.3 / highest, 2)
    wait = math.ceil(push / output)
    rows = max(3 * len(modes.modes) + 60, min(400, math.ceil(4 / modes.modes[0] / output)))
    other = clone(scenario, analysis="dynamics", time={"end": number((wait + rows) * output, 12), "output": output})
    rod = other["rods"][0]
    rod["initial"] = {"from": "statics"}
    direction = v.times(1e-3 * scales.force / scales.length, v.random_unit(rng))
    other.setdefault("loads", []).append({"rod": rod_name(scenario, 0), "along": [0, length(rod)],
                                          "force": [f"{x!r}*sin(pi*min(t/{push!r},1))^4" for x in direction]})
    if scenario["solver"]["scheme"] == "staggered":
        other["solver"].update(integrator="radau5", tolerance=1e-10)
    else:
        other["solver"]["step"] = number(output / 10, 15)
    run = lab.run(other)
    times = run.t[wait + 1:]
    columns = [[1.0] * len(times)]
    for omega in modes.modes[:14]:
        columns += [[math.sin(omega * t) for t in times], [math.cos(omega * t) for t in times]]
    name = rod_name(scenario, 0)
    for place in ("middle", "end"):
        for axis in range(3):
            samples = [x[axis] - run[f"{name}.{place}.position"][0][axis] for x in run[f"{name}.{place}.position"][wait + 1:]]
            size = max(abs(x) for x in samples)
            if size < 1e-6 * length(rod):
                continue
            left = max(abs(x) for x in fit(columns, samples))
            if left > 0.02 * size:
                raise Broken(f"{left / size:.2g} of the vibration of {name} at its {place}, {'xyz'[axis]}, is none of the modes")
