# SPDX-License-Identifier: MIT
"""A scenario: a plain dictionary as the reference of the scenario file describes it, its YAML, and what follows from it.

YAML is written in one layout only (top keys in lines, entries of lists in lines, the rest in flow style), and `parse` reads
back this layout, so that no YAML library is needed.
"""

import copy
import math
import re

from . import vectors as v
from .expressions import value

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")


def flow(item):
    if isinstance(item, dict):
        return "{" + ", ".join(f"{key}: {flow(entry)}" for key, entry in item.items()) + "}"
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(flow(entry) for entry in item) + "]"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return item if PLAIN.match(item) else f'"{item}"'
    if isinstance(item, float) and item == int(item) and abs(item) < 1e6:
        return str(int(item))
    return repr(item)


def render(scenario):
    lines = ["withy: 1"]
    for key, item in scenario.items():
        if isinstance(item, list) and item and isinstance(item[0], dict):
            lines.append(f"{key}:")
            lines.extend(f"  - {flow(entry)}" for entry in item)
        else:
            lines.append(f"{key}: {flow(item)}")
    return "\n".join(lines) + "\n"


TOKEN = re.compile(r'\s*("[^"]*"|[{}\[\],]|:(?=\s)|[^\s{}\[\],:"][^{}\[\],:"]*)')


class Flow:
    """Reads a value in flow style, as `flow` writes it."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text + " ")
        self.place = 0

    def take(self):
        self.place += 1
        return self.tokens[self.place - 1]

    def entries(self, last, one):
        while self.tokens[self.place] != last:
            one()
            if self.tokens[self.place] == ",":
                self.place += 1
        self.place += 1

    def read(self):
        token = self.take()
        if token == "{":
            mapping = {}

            def pair():
                key = self.take().strip()
                if self.take() != ":":
                    raise ValueError(f"expected ':' after {key}")
                mapping[key] = self.read()
            self.entries("}", pair)
            return mapping
        if token == "[":
            items = []
            self.entries("]", lambda: items.append(self.read()))
            return items
        return self.scalar(token)

    @staticmethod
    def scalar(token):
        if token.startswith('"'):
            return token[1:-1]
        token = token.strip()
        if token in ("true", "false"):
            return token == "true"
        for kind in (int, float):
            try:
                return kind(token)
            except ValueError:
                pass
        return token


def parse(text):
    scenario = {}
    key = None
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("  - "):
            scenario.setdefault(key, []).append(Flow(line[4:]).read())
            continue
        key, _, rest = line.partition(":")
        if rest.strip():
            scenario[key] = Flow(rest).read()
    scenario.pop("withy", None)
    return scenario


def rod_name(scenario, index):
    rods = scenario["rods"]
    return rods[index].get("name", "rod" if len(rods) == 1 else f"rod{index + 1}")


def rod_of(scenario, entry):
    """The rod that a load, an actuator or a probe belongs to."""
    for index, rod in enumerate(scenario["rods"]):
        if entry.get("rod", rod_name(scenario, 0)) == rod_name(scenario, index):
            return rod
    raise KeyError(entry["rod"])


def solver_of(scenario, rod):
    return {**scenario.get("solver", {}), **rod.get("solver", {})}


def analysis(scenario):
    return scenario.get("analysis", "dynamics")


def length(rod):
    helix = rod.get("shape", {}).get("helix")
    if helix:
        return helix["turns"] * math.hypot(2 * math.pi * helix["radius"], helix["pitch"])
    return value(rod["length"])


def start_frame(rod):
    """The rotation matrix [d1 d2 d3] at s = 0."""
    shape = rod.get("shape", {})
    d3 = v.unit([value(x) for x in shape.get("direction", [1, 0, 0])])
    if "d1" in shape:
        d1 = v.normal_to(d3, [value(x) for x in shape["d1"]])
    else:
        least = min(range(3), key=lambda i: abs(d3[i]))
        d1 = v.normal_to(d3, [1.0 if i == least else 0.0 for i in range(3)])
    return v.columns(d1, v.cross(d3, d1), d3)


def natural_curvature(rod):
    """K0 as three expressions of s."""
    shape = rod.get("shape", {})
    if "helix" in shape:
        radius, rise = shape["helix"]["radius"], shape["helix"]["pitch"] / (2 * math.pi)
        square = radius**2 + rise**2
        return [0.0, radius / square, rise / square]
    return shape.get("curvature", [0.0, 0.0, 0.0])


def reference_pose(rod, s=None, pieces=64):
    """Position and frame of the undeformed rod, by a Magnus method of order four: exact for constant curvature."""
    s = length(rod) if s is None else s
    frame = start_frame(rod)
    position = [value(x) for x in rod.get("shape", {}).get("origin", [0, 0, 0])]
    curvature = natural_curvature(rod)
    h = s / pieces
    for i in range(pieces):
        first, second = ([value(k, s=h * (i + 0.5 + sign * math.sqrt(3) / 6)) for k in curvature] for sign in (-1, 1))
        e3 = [0.0, 0.0, 1.0]
        bend = v.times(math.sqrt(3) / 12 * h * h, v.cross(first, second))
        lift = v.times(math.sqrt(3) / 12 * h * h, v.sub(v.cross(first, e3), v.cross(second, e3)))
        turn = v.add(v.times(h / 2, v.add(first, second)), bend)
        r, x = v.exponential(turn, v.add(v.times(h, e3), lift))
        position = v.add(position, v.apply(frame, x))
        frame = v.product(frame, r)
    return position, frame


def section(rod, s):
    """(area, I1, I2, J); J of a rectangle is an estimate, for time scales only."""
    shape = rod["section"]
    size = {key: value(entry, s=s) for key, entry in shape.items() if key != "shape"}
    if shape["shape"] == "circle":
        r2 = size["radius"]**2
        return math.pi * r2, math.pi * r2 * r2 / 4, math.pi * r2 * r2 / 4, math.pi * r2 * r2 / 2
    if shape["shape"] == "annulus":
        a, b = size["outer"]**2, size["inner"]**2
        inertia = math.pi * (a * a - b * b) / 4
        return math.pi * (a - b), inertia, inertia, 2 * inertia
    if shape["shape"] == "rectangle":
        w, h = size["width"], size["height"]
        small, large = min(w, h), max(w, h)
        return w * h, w * h**3 / 12, h * w**3 / 12, large * small**3 / 3 * (1 - 0.63 * small / large)
    return size["area"], size["I1"], size["I2"], size["J"]


class Scales:
    """Stiffness, inertia and times of a rod, by the formulas for straight uniform ones, at the place s."""

    def __init__(self, rod, s=None):
        self.length = L = length(rod)
        s = 0.5 * L if s is None else s
        if "stiffness" in rod and "inertia" in rod:
            stiffness, inertia = rod["stiffness"], rod["inertia"]
            one = lambda x: value(x, s=s)
            self.bending = [one(x) for x in stiffness["bending"]]
            self.torsion = one(stiffness["torsion"])
            self.extension = one(stiffness.get("extension", 1e3 * min(self.bending) / L**2))
            self.shear = [one(x) for x in stiffness.get("shear", [self.extension] * 2)]
            self.mass = one(inertia["mass"])
            self.rotary = [one(x) for x in inertia["rotary"]]
        else:
            area, i1, i2, j = section(rod, s)
            material = rod["material"]
            density, young = value(material["density"], s=s), value(material["young"], s=s)
            if "shear" in material:
                g = value(material["shear"], s=s)
            else:
                g = young / (2 * (1 + value(material["poisson"], s=s)))
            self.bending = [young * i1, young * i2]
            self.torsion = g * j
            self.extension = young * area
            self.shear = [k * g * area for k in rod.get("shear_factors", [1, 1])]
            self.mass = density * area
            self.rotary = [density * i1, density * i2, density * (i1 + i2)]
        self.soft = min(self.bending)
        self.force = self.soft / L**2  # of the size of Euler's load
        self.slowest = 3.516 / L**2 * math.sqrt(self.soft / self.mass)  # the first vibration of a cantilever
        self.period = 2 * math.pi / self.slowest

    def fastest(self, model, segments):
        """The highest frequency on the grid."""
        h = self.length / segments
        bend = max(4 / h**2 * math.sqrt(b / (self.mass + 4 * r / h**2)) for b, r in zip(self.bending, self.rotary))
        twist = 2 / h * math.sqrt(self.torsion / self.rotary[2])
        stretch = 2 / h * math.sqrt(self.extension / self.mass)
        shear = max(math.sqrt(k / r + 4 * k / (h * h * self.mass)) for k, r in zip(self.shear, reversed(self.rotary[:2])))
        return {"cosserat": max(bend, twist, stretch, shear), "kirchhoff": max(bend, twist, stretch),
                "inextensible": max(bend, twist)}[model]


def held(rod, name):
    """How an end is held: (three of 'free', 'held' or an expression, 'free', 'held' or a mapping of axis and angle)."""
    end = rod.get("ends", {}).get(name, "free")
    if end == "free":
        return ["free"] * 3, "free"
    if end == "pinned":
        return ["held"] * 3, "free"
    if end == "clamped":
        return ["held"] * 3, "held"
    position = end.get("position", "free")
    return ([position] * 3 if isinstance(position, str) else list(position)), end.get("rotation", "free")


def release(rod, name):
    end = rod.get("ends", {}).get(name, "free")
    return value(end["release"]) if isinstance(end, dict) and "release" in end else None


def clone(scenario, **changes):
    """A deep copy with other values of top keys; None drops a key."""
    other = copy.deepcopy(scenario)
    for key, item in changes.items():
        if item is None:
            other.pop(key, None)
        else:
            other[key] = item
    return other
