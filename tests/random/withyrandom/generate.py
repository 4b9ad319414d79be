# SPDX-License-Identifier: MIT
"""Valid scenarios at random, physically sensible and short: loads of the size of Euler's load, times of the size of periods.

`motion` and `equilibrium` make one scenario each; a `Wish` says what the caller can use. All numbers come from the generator
that is handed over, so that a case is the same wherever it runs.
"""

import copy
import math
import random

from . import vectors as v
from .expressions import number
from .obstacles import add_obstacles
from .scenario import Scales, length, reference_pose

ADAPTIVE_IMPLICIT = ("radau5", "rodas", "seulex", "ndf", "ida", "cvode")
EXPLICIT = ("dopri5", "dop853", "bs23")
FIXED = ("midpoint", "gauss4", "gauss6", "discrete_gradient", "galpha")
MULTISTEP = ("ndf", "ida", "cvode")


class Wish:
    """What a scenario may have. Every member is a keyword of the constructor."""

    def __init__(self, **wishes):
        self.schemes = ("staggered", "staggered", "staggered", "mixed", "mixed", "conserving", "box")
        self.models = ("cosserat", "kirchhoff", "inextensible")
        self.integrators = None          # of the scheme staggered; None: all
        self.rods = 3                    # at most
        self.segments = (5, 24)
        self.tolerance = (1e-7, 1e-4)
        self.strong = 3.0                # loads, in Euler's loads
        self.sag = 30.0                  # weight, in the same measure
        self.periods = (0.3, 2.0)        # duration
        self.curved = 0.5                # probabilities
        self.gravity = 0.6
        self.damped = 0.6
        self.driven = 0.35
        self.second_end = 0.25
        self.released = 0.15
        self.partly = 0.15               # an end that slides along a space axis
        self.maxwell = 0.2
        self.law = 0.2
        self.drag = 0.2
        self.fluid = 0.0
        self.obstacles = 0.0
        self.actuators = 0.2
        self.initial = 0.3
        self.tapered = 0.3
        self.loads = 3                   # at most
        self.kinds = ("point", "point", "line")
        self.places = ("start", "end", "inside")
        self.axes = ("space", "space", "body")
        self.moments = 0.5
        self.constant = 0.5              # loads that jump at t = 0
        self.signals = (ramp, wobble, pulse)
        self.jumps = 0.3                 # signals that begin with a jump
        self.free = 0.2                  # rods that nothing holds
        self.explicit_stiffness = 0.15
        self.default_step = 0.4          # of fixed steps
        self.options = 0.3               # of schemes
        self.work = 3000                 # about how many steps a run may take
        for key, item in wishes.items():
            if not hasattr(self, key):
                raise AttributeError(key)
            setattr(self, key, item)


def chance(rng, p):
    return rng.random() < p


def spread(rng, low, high):
    """Between low and high, evenly on a logarithmic scale."""
    return number(math.exp(rng.uniform(math.log(low), math.log(high))))


def vector(rng, size):
    return [number(x) for x in v.times(size, v.random_unit(rng))]


# Signals of size one. Those of driven ends begin at rest: value and two derivatives are 0 at t = 0.

def ramp(rng, time):
    r = f"min(t/{number(time * rng.uniform(0.3, 1.2))},1)"
    return f"{r}^3*(10 - 15*{r} + 6*{r}^2)"


def wobble(rng, time):
    return f"sin({number(2 * math.pi / (time * rng.uniform(0.5, 2)))}*t)^3"


def pulse(rng, time):
    return f"sin(pi*min(t/{number(time * rng.uniform(0.2, 0.8))},1))^4"


def from_rest(rng, wish, time):
    return rng.choice(wish.signals)(rng, time)


def any_signal(rng, wish, time):
    """None for a constant."""
    if chance(rng, wish.constant):
        return None
    if chance(rng, wish.jumps):
        return f"cos({number(2 * math.pi / (time * rng.uniform(0.5, 2)))}*t)"
    return from_rest(rng, wish, time)


def with_signal(vector_, signal):
    return vector_ if signal is None else [0.0 if x == 0 else f"{x!r}*{signal}" for x in vector_]


# The rod itself.

def section(rng, size, taper, L):
    kind = rng.choice(("circle", "circle", "annulus", "rectangle", "explicit"))
    along = lambda x: f"{number(x)!r}*(1 - {number(taper / L)!r}*s)" if taper else number(x)
    if kind == "circle":
        return {"shape": kind, "radius": along(size)}
    if kind == "annulus":
        return {"shape": kind, "outer": along(size), "inner": along(size * rng.uniform(0.3, 0.85))}
    if kind == "rectangle":
        return {"shape": kind, "width": along(size * rng.uniform(0.5, 3)), "height": along(size * rng.uniform(0.5, 3))}
    area, inertia = math.pi * size**2, math.pi * size**4 / 4
    return {"shape": kind, "area": number(area), "I1": number(inertia * rng.uniform(0.7, 2)),
            "I2": number(inertia * rng.uniform(0.7, 2)), "J": number(2 * inertia * rng.uniform(0.6, 1))}


MATERIALS = ((1100, 1e6, 0.49), (1100, 1e7, 0.45), (1200, 2e9, 0.37), (2700, 7e10, 0.33), (7850, 2.1e11, 0.3))


def material(rng):
    density, young, poisson = rng.choice(MATERIALS)
    young = spread(rng, young / 3, young * 3)
    if chance(rng, 0.2):
        return {"density": density, "young": young, "shear": number(young / (2 * (1 + poisson)))}
    return {"density": density, "young": young, "poisson": poisson}


def explicit_stiffness(scales, rng):
    stiffness = {"shear": [number(x * rng.uniform(0.5, 1)) for x in scales.shear], "extension": number(scales.extension),
                 "bending": [number(x * rng.uniform(0.5, 2)) for x in scales.bending],
                 "torsion": number(scales.torsion * rng.uniform(0.5, 1.5))}
    first, second = (number(x * rng.uniform(1, 2), 2) for x in scales.rotary[:2])
    inertia = {"mass": number(scales.mass), "rotary": [first, second, number(first + second, 12)]}
    return {"stiffness": stiffness, "inertia": inertia}


def shape(rng, L, curved, turns):
    result = {"origin": vector(rng, L * rng.uniform(0, 1.5)), "direction": vector(rng, 1), "d1": vector(rng, 1)}
    if chance(rng, 0.25):
        result = {}
    if not curved:
        return result
    angle = rng.uniform(0.4, turns)
    kind = rng.choice(("arc", "twisted", "varying"))
    if kind == "arc":
        result["curvature"] = [0.0, number(angle / L), 0.0]
    elif kind == "twisted":
        result["curvature"] = vector(rng, angle / L)
    else:
        result["curvature"] = [number(0.3 * angle / L), f"{number(1.5 * angle / L**2)!r}*s", number(0.5 * angle / L)]
    return result


def make_rod(rng, wish, scheme, model, name):
    L = spread(rng, 0.02, 2)
    curved = chance(rng, wish.curved)
    size = L / spread(rng, 20, 200)
    rod = {"name": name, "model": model, "length": L, "segments": rng.randint(*wish.segments)}
    if scheme == "conserving":
        rod["segments"] |= 1
    taper = number(rng.uniform(0.1, 0.5)) if chance(rng, wish.tapered) else 0
    rod["section"] = section(rng, size, taper, L)
    rod["material"] = material(rng)
    rod["shape"] = shape(rng, L, curved, 0.15 * rod["segments"] if scheme != "conserving" else 1.0)
    if curved and chance(rng, 0.25):
        turns = number(rng.uniform(0.2, min(2.0, 0.025 * rod["segments"])))
        radius = number(L / turns / 7)
        rod["shape"].pop("curvature")
        rod["shape"]["helix"] = {"radius": radius, "pitch": number(radius * rng.uniform(-2, 2)), "turns": turns}
        del rod["length"]
    if chance(rng, 0.2):
        rod["shear_factors"] = [number(rng.uniform(0.7, 1)), number(rng.uniform(0.7, 1))]
    if chance(rng, wish.explicit_stiffness):
        rod.update(explicit_stiffness(Scales(rod), rng))
        for key in ("section", "material", "shear_factors"):
            rod.pop(key, None)
    if not rod["shape"]:
        del rod["shape"]
    return rod


# What dissipates.

def add_damping(rng, wish, scheme, rod, scales):
    if scheme != "conserving" and chance(rng, wish.damped):
        time = number(scales.period * spread(rng, 1e-3, 3e-2))
        if chance(rng, 0.7):
            rod["damping"] = {"time": time}
        else:
            rod["damping"] = {"shear": [number(time * k) for k in scales.shear], "extension": number(time * scales.extension),
                              "bending": [number(time * k) for k in scales.bending], "torsion": number(time * scales.torsion)}
    if chance(rng, wish.drag):
        rod["drag"] = {"translation": spread(rng, 0.1, 2) / scales.period, "rotation": spread(rng, 0.1, 2) / scales.period}
        rod["drag"] = {key: number(x) for key, x in rod["drag"].items()}
    if scheme in ("staggered", "mixed") and chance(rng, wish.maxwell):
        share = rng.uniform(0.1, 0.7)
        parts = rng.randint(1, 2)
        rod["maxwell"] = [{"share": number(share / parts), "time": number(scales.period * spread(rng, 0.03, 1))} for _ in range(parts)]
    elif scheme != "mixed" and chance(rng, wish.law):
        rod["law"] = {"kind": "stiffening", "bending": number(spread(rng, 0.01, 0.1) * scales.length**2)}
        if scheme != "box" and chance(rng, 0.5):
            rod["law"]["compression"] = True


def add_fluid(wish, scheme, rod, scales):
    """A current whose drag is up to what bends the rod; dice of its own, so that all else is as without it."""
    rng = random.Random(repr(rod))
    if scheme == "box" or not chance(rng, wish.fluid):
        return
    L, D = scales.length, number(scales.length / 50)
    density = number(spread(rng, 1e-3, 1) * scales.mass / (math.pi * D**2 / 4))
    normal = number(rng.uniform(0.5, 1.5))
    speed = math.sqrt(spread(rng, 0.03, 1) * scales.force / (0.5 * density * D * normal * L))
    rod["fluid"] = {"density": density, "velocity": vector(rng, speed), "normal": normal, "tangential": number(rng.uniform(0, 0.05)),
                    "diameter": D, "buoyancy": chance(rng, 0.5)}
    if scheme == "staggered" and chance(rng, 0.5):
        rod["fluid"]["added_mass"] = number(rng.uniform(0.5, 1))


# Ends.

def driven_end(rng, wish, scheme, rod, name, duration, scales, way):
    """An end that follows a path of the size `way`, or is turned, or slides."""
    place, _ = reference_pose(rod, 0.0 if name == "start" else None)
    end = {}
    if chance(rng, 0.75):
        path = vector(rng, way)
        signal = from_rest(rng, wish, duration)
        end["position"] = [f"{x!r} + {d!r}*{signal}" for x, d in zip(place, path)]
        if scheme != "conserving" and chance(rng, wish.partly):
            end["position"][rng.randrange(3)] = rng.choice(("free", "held"))
    else:
        end["position"] = "held"
    if chance(rng, 0.6):
        end["rotation"] = {"axis": vector(rng, 1), "angle": f"{number(rng.uniform(-1.5, 1.5))!r}*{from_rest(rng, wish, duration)}"}
    elif chance(rng, 0.7):
        end["rotation"] = "held"
    return end


def slack(rod, scales):
    """By how much the ends of a curved rod may go apart until it is straight."""
    way = v.sub(reference_pose(rod)[0], reference_pose(rod, 0.0)[0])
    return scales.length - v.norm(way)


def add_ends(rng, wish, scheme, rod, duration, scales):
    if chance(rng, wish.free):
        return
    first, second = rng.sample(("start", "end"), 2)
    ends = {}
    way = scales.length * rng.uniform(0.02, 0.2)
    both = chance(rng, wish.second_end)
    if both:
        way = min(way, 0.3 * slack(rod, scales))
    if chance(rng, wish.driven):
        ends[first] = driven_end(rng, wish, scheme, rod, first, duration, scales, way)
    else:
        ends[first] = rng.choice(("clamped", "clamped", "pinned"))
    if both:
        bent = "curvature" in rod.get("shape", {}) or "helix" in rod.get("shape", {})
        if bent and chance(rng, wish.driven):
            ends[second] = driven_end(rng, wish, scheme, rod, second, duration, scales, way * rng.uniform(0.3, 1))
        elif bent or rod["model"] != "inextensible":
            ends[second] = rng.choice(("clamped", "pinned"))
        if not bent and second in ends and isinstance(ends[first], dict):
            ends[first].pop("position", None)
            ends[first]["position"] = "held"
    if chance(rng, wish.released):
        name = rng.choice(list(ends))
        if isinstance(ends[name], str):
            ends[name] = {"position": "held", "rotation": "held"} if ends[name] == "clamped" else {"position": "held"}
        # Between rows, of which there are 20, 40 or 60: at the very instant an end may be seen before or after its release.
        ends[name]["release"] = number(duration * (int(120 * rng.uniform(0.2, 0.8)) + 0.5) / 120, 6)
    rod["ends"] = ends


# Loads and actuators.

def make_load(rng, wish, rod, scales, duration, size):
    L = scales.length
    load = {"rod": rod["name"]}
    point = rng.choice(wish.kinds) == "point"
    if point:
        place = rng.choice(wish.places)
        load["at"] = number(L * rng.uniform(0.1, 0.9)) if place == "inside" else place
        force, moment = scales.force, scales.force * L
    else:
        load["along"] = [0, L] if chance(rng, 0.5) else sorted(number(L * rng.uniform(0, 0.99)) for _ in range(2))
        if load["along"][0] == load["along"][1]:
            load["along"] = [0, L]
        force, moment = scales.force / L, scales.force
    signal = any_signal(rng, wish, duration)
    both = chance(rng, wish.moments)
    if not both or chance(rng, 0.5):
        load["force"] = with_signal(vector(rng, size * force), signal)
        if not point and chance(rng, 0.3):
            load["force"] = [f"{x}*sin(3*s/{L!r})" if x != 0 else x for x in load["force"]]
    if both:
        load["moment"] = with_signal(vector(rng, 0.5 * size * moment), signal)
    axes = rng.choice(wish.axes)
    if axes == "body":
        load["axes"] = axes
    return load


def make_actuator(rng, rod, scales, duration):
    L = scales.length
    radius = math.sqrt(scales.soft / scales.extension)
    turn = rng.uniform(0, 2 * math.pi)
    offset = [number(radius * math.cos(turn)), number(radius * math.sin(turn))]
    size = number(rng.uniform(0.2, 1.5) * scales.force * L / radius)
    signal = ramp(rng, duration)
    if chance(rng, 0.5):
        return {"rod": rod["name"], "kind": "pneumatic", "offset": offset, "force": f"{-size!r}*{signal}"}
    if chance(rng, 0.3):
        offset[1] = f"{offset[1]!r}*cos({number(2 / L)!r}*s)"
    return {"rod": rod["name"], "kind": "tendon", "offset": offset, "tension": f"{size!r}*{signal}"}


def add_initial(rng, rod, scales):
    """A start that agrees with the held ends: velocities of the size of a vibration, 0 at the ends."""
    L, ends = scales.length, rod.get("ends", {})
    grow = f"(s/{L!r})^2" if "start" in ends else "1"
    if "end" in ends:
        grow += f"*(1 - s/{L!r})^2"
    if chance(rng, 0.3):
        rod["initial"] = {"twist": f"{number(rng.uniform(-1, 1))!r}*sin({number(math.pi / L, 17)!r}*s)^2*{grow}"}
        return
    if not ends and chance(rng, 0.5):
        # A rigid motion: v = v0 + w x (x - x(0)) of a straight rod, else a translation.
        rod["initial"] = {"velocity": vector(rng, 0.3 * scales.slowest * L)}
        if "shape" not in rod:
            spin = vector(rng, 0.5 * scales.slowest)
            x = rod["initial"]["velocity"]
            rod["initial"]["velocity"] = [x[0], f"{x[1]!r} + {spin[2]!r}*s", f"{x[2]!r} + {-spin[1]!r}*s"]
            # d3 is x, d1 is y, d2 is z.
            rod["initial"]["angular_velocity"] = [spin[1], spin[2], spin[0]]
        return
    size = rng.uniform(0.05, 0.5) * scales.slowest * L
    if rod["model"] == "cosserat":
        rod["initial"] = {"velocity": [f"{x!r}*{grow}" for x in vector(rng, size)]}


# The whole.

def integrator_for(rng, wish, scheme):
    if scheme == "mixed":
        return "midpoint"
    if scheme == "box":
        return "galpha"
    if scheme == "conserving":
        return rng.choice(("midpoint", "discrete_gradient", "discrete_gradient", "gauss4", "gauss6", "radau5", "dop853"))
    if wish.integrators:
        return rng.choice(wish.integrators)
    return rng.choice(("auto",) * 4 + ADAPTIVE_IMPLICIT + EXPLICIT + ("midpoint", "gauss4", "gauss6"))


def add_options(rng, scheme, solver, integrator):
    if scheme == "staggered":
        solver["curvature_measure"] = rng.choice(("sin2", "sin4", "tan2", "tan4", "angle"))
        if chance(rng, 0.3):
            solver["coordinates"] = "absolute"
        if chance(rng, 0.3):
            solver["segment_inertia"] = "cylinder"
        if integrator not in MULTISTEP and chance(rng, 0.15):
            solver["stabilisation"] = "baumgarte"
    elif scheme == "mixed":
        solver["order"] = rng.choice((1, 2))
    elif scheme == "box":
        solver["rho_inf"] = rng.choice((0.5, 0.8, 0.9))


def swing_time(scales, gravity):
    """The shortest of the times in which something moves."""
    fall = math.sqrt(scales.length / gravity) if gravity else math.inf
    return min(scales.period, 4 * fall)


def steps_needed(rod, scales, integrator, scheme):
    """Steps per unit of time: what stability or fast vibrations ask for."""
    model = rod["model"]
    fast = scales.fastest(model, rod["segments"])
    tau = rod.get("damping", {}).get("time", 0)
    if isinstance(rod.get("damping"), dict) and "time" not in rod["damping"]:
        tau = rod["damping"]["bending"][0] / scales.bending[0]
    if integrator in EXPLICIT or integrator == "auto":
        explicit = max(fast, tau * fast**2 / 3)
        if integrator in EXPLICIT:
            return explicit
    if integrator in FIXED:
        return 0.0
    if tau * fast > 0.5:
        return 20 / scales.period
    stretch = math.pi / scales.length * math.sqrt(scales.extension / scales.mass)
    return {"inextensible": 3 * scales.slowest * rod["segments"], "kirchhoff": 3 * stretch, "cosserat": 6 * stretch}[model]


def choose_time(rng, wish, scheme, integrator, rods, scales, gravity):
    slowest = min(swing_time(x, gravity) for x in scales)
    duration = slowest * rng.uniform(*wish.periods)
    need = max(steps_needed(rod, x, integrator, scheme) for rod, x in zip(rods, scales))
    if need > 0:
        duration = min(duration, wish.work / need)
    return duration


def gridded(duration, rows):
    """End and distance of rows, in few digits, one a multiple of the other."""
    output = number(duration / rows, 2)
    return {"end": number(output * rows, 12), "output": output}


def motion(rng, wish=None):
    wish = wish or Wish()
    scheme = rng.choice(wish.schemes)
    model = {"conserving": "cosserat", "box": "inextensible"}.get(scheme) or rng.choice(wish.models)
    integrator = integrator_for(rng, wish, scheme)
    count = rng.choice((1, 1, 1, 2, 3))
    rods = [make_rod(rng, wish, scheme, model, f"r{i + 1}") for i in range(min(count, wish.rods))]
    for rod in rods[1:]:  # of a size, so that one duration suits all
        rod.pop("shape", None)
        rod.update({key: copy.deepcopy(rods[0][key]) for key in ("section", "material", "stiffness", "inertia") if key in rods[0]})
        for key in ("section", "material", "stiffness", "inertia"):
            if key not in rods[0]:
                rod.pop(key, None)
        rod["length"] = length(rods[0])
        rod["shape"] = {"origin": vector(rng, length(rods[0]))}
    scales = [Scales(rod) for rod in rods]
    strength = 0.0
    scenario = {}
    if chance(rng, wish.gravity):
        first = scales[0]
        strength = 9.81
        if chance(rng, 0.5) or 9.81 * first.mass * first.length > wish.sag * first.force:
            strength = number(rng.uniform(0.05, 1) * min(wish.sag, 10) * first.force / (first.mass * first.length))
        scenario["gravity"] = vector(rng, strength)
    for rod, x in zip(rods, scales):
        add_damping(rng, wish, scheme, rod, x)
    duration = choose_time(rng, wish, scheme, integrator, rods, scales, strength)
    for rod, x in zip(rods, scales):
        add_ends(rng, wish, scheme, rod, duration, x)
        if chance(rng, wish.initial):
            add_initial(rng, rod, x)
        add_fluid(wish, scheme, rod, x)
    rows = rng.choice((20, 40, 60))
    scenario["time"] = gridded(duration, rows)
    scenario["rods"] = rods
    loads = [make_load(rng, wish, rod, x, duration, wish.strong * rng.uniform(0.05, 1))
             for rod, x in zip(rods, scales) for _ in range(rng.randint(0, wish.loads))]
    if loads:
        scenario["loads"] = loads
    if scheme in ("staggered", "mixed") and chance(rng, wish.actuators):
        scenario["actuators"] = [make_actuator(rng, rods[0], scales[0], duration)]
    scenario["solver"] = make_solver(rng, wish, scheme, integrator, scenario["time"]["output"], scales, strength)
    add_obstacles(wish, scheme, scenario, duration, ramp)
    return scenario


def make_solver(rng, wish, scheme, integrator, output, scales, gravity):
    solver = {"scheme": scheme}
    if integrator != "auto":
        solver["integrator"] = integrator
    if integrator in FIXED:
        if not chance(rng, wish.default_step):
            wanted = min(swing_time(x, gravity) for x in scales) / rng.uniform(150, 400)
            solver["step"] = number(output / max(1, math.ceil(output / wanted)), 15)
    else:
        solver["tolerance"] = number(spread(rng, *wish.tolerance), 1)
    if chance(rng, wish.options):
        add_options(rng, scheme, solver, integrator)
    return solver


def equilibrium(rng, wish=None):
    """One equilibrium of a held rod, its ends where they are or driven away, under loads and gravity."""
    wish = wish or Wish()
    wish.initial = wish.released = wish.free = 0
    schemes = [scheme for scheme in wish.schemes if scheme != "conserving"]
    scheme = rng.choice(schemes)
    wish.schemes = [scheme]
    scenario = motion(rng, wish)
    scenario["analysis"] = "statics"
    for rod in scenario["rods"]:
        if not any(end == "clamped" or isinstance(end, dict) and "rotation" in end and "position" in end
                   and "free" not in end["position"] for end in rod["ends"].values()):
            rod["ends"] = {"start": "clamped"}
    scenario["time"] = {"end": scenario["time"]["end"]}
    if "contact" in scenario:
        del scenario["contact"]["restitution"]
        scenario["contact"] or scenario.pop("contact")
    for key in ("integrator", "tolerance", "step", "rho_inf", "stabilisation"):
        scenario["solver"].pop(key, None)
    return scenario
