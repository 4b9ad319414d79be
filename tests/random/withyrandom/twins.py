# SPDX-License-Identifier: MIT
"""Scenarios that must have the same motion, seen otherwise. Each function returns a Twin.

Frames: under an orthogonal matrix M that mirrors (det M = -1), directors become R' = M R S with S = diag(1, -1, 1), so that
they stay right-handed: body vectors turn into S f, body axial vectors into -S m, curvatures into (-K1, K2, -K3). A rod that
runs the other way has R' = R diag(1, -1, -1): body vectors of both kinds become (a1, -a2, -a3), curvatures (-K1, K2, K3).
"""

import math

from . import vectors as v
from .expressions import scaled, substitute, total, turned as times_matrix, value
from .scenario import clone, held, length, natural_curvature, reference_pose, rod_of, start_frame

AXIAL = ("reaction_moment", "angular_momentum")
POLAR = ("position", "centre_of_mass", "director1", "director3", "reaction_force", "contact_force", "linear_momentum")


class Twin:
    """The other scenario; `back` takes (quantity, vector, row, run) of its results to those of the first, `rename` columns."""

    def __init__(self, scenario, back, rename=None):
        self.scenario = scenario
        self.back = back
        self.rename = rename


def end_position(rod, name, components):
    """Three expressions for a position that is held or driven in all components."""
    place, _ = reference_pose(rod, 0.0 if name == "start" else None)
    return [place[i] if part == "held" else part for i, part in enumerate(components)]


def slides(scenario):
    """Whether an end is free along some space axes only."""
    return any("free" in held(rod, name)[0] and held(rod, name)[0] != ["free"] * 3
               for rod in scenario["rods"] for name in ("start", "end"))


def change_ends(rod, position, axis):
    """position(name, components) and axis(vector) of ends that are mappings; words stay."""
    for name, end in rod.get("ends", {}).items():
        if not isinstance(end, dict):
            continue
        if isinstance(end.get("position"), list):
            end["position"] = position(name, end["position"])
        if isinstance(end.get("rotation"), dict):
            end["rotation"]["axis"] = axis(end["rotation"]["axis"])


def turned(scenario, m):
    """Everything turned, or mirrored, about the origin: coordinate axes must go to coordinate axes where an end slides."""
    sign = 1.0 if v.determinant(m) > 0 else -1.0
    mirrored = sign < 0
    polar = lambda a: times_matrix(m, a)
    axial = lambda a: times_matrix([v.times(sign, row) for row in m], a)
    body_polar = (lambda a: [a[0], scaled(-1, a[1]), a[2]]) if mirrored else list
    body_axial = (lambda a: [scaled(-1, a[0]), a[1], scaled(-1, a[2])]) if mirrored else list
    other = clone(scenario)
    if "gravity" in other:
        other["gravity"] = polar(other["gravity"])
    for rod, before in zip(other["rods"], scenario["rods"]):
        shape = rod.setdefault("shape", {})
        frame = start_frame(before)
        shape["origin"] = polar(shape.get("origin", [0, 0, 0]))
        shape["d1"], _, shape["direction"] = (polar(x) for x in v.transpose(frame))
        if "curvature" in shape:
            shape["curvature"] = body_axial(shape["curvature"])
        if "helix" in shape:
            shape["helix"]["pitch"] *= sign
        if "fluid" in rod:
            rod["fluid"]["velocity"] = polar(rod["fluid"]["velocity"])
        initial = rod.get("initial", {})
        if "twist" in initial:
            initial["twist"] = scaled(sign, initial["twist"])
        if "velocity" in initial:
            initial["velocity"] = polar(initial["velocity"])
        if "angular_velocity" in initial:
            initial["angular_velocity"] = body_axial(initial["angular_velocity"])

        def position(name, components, before=before):
            if "free" not in components:
                return polar(end_position(before, name, components))
            result = []
            for row in m:
                j = max(range(3), key=lambda k: abs(row[k]))
                result.append(components[j] if components[j] in ("free", "held") else scaled(row[j], components[j]))
            return result
        change_ends(rod, position, axial)
    for load in other.get("loads", []):
        space = load.get("axes", "space") == "space"
        if "force" in load:
            load["force"] = polar(load["force"]) if space else body_polar(load["force"])
        if "moment" in load:
            load["moment"] = axial(load["moment"]) if space else body_axial(load["moment"])
    for obstacle in other.get("obstacles", []):
        for key in ("position", "normal", "axis", "d1", "surface_velocity"):
            if key in obstacle:
                obstacle[key] = polar(obstacle[key])
        if "rotation" in obstacle:
            obstacle["rotation"]["axis"] = axial(obstacle["rotation"]["axis"])
    if mirrored:
        for actuator in other.get("actuators", []):
            actuator["offset"] = [actuator["offset"][0], scaled(-1, actuator["offset"][1])]

    inverse = v.transpose(m)

    def back(quantity, vector, row, run):
        if quantity in POLAR:
            return v.apply(inverse, vector)
        if quantity in AXIAL:
            return v.times(sign, v.apply(inverse, vector))
        return vector
    return Twin(other, back)


def shifted(scenario, way):
    """Everything moved by the vector `way`."""
    other = clone(scenario)
    for rod in other["rods"]:
        shape = rod.setdefault("shape", {})
        shape["origin"] = v.add(shape.get("origin", [0, 0, 0]), way)
        change_ends(rod, lambda name, components: [x if x in ("free", "held") else total([(1, x), (1, d)])
                                                   for x, d in zip(components, way)], list)
    for obstacle in other.get("obstacles", []):
        obstacle["position"] = [total([(1, x), (1, d)]) for x, d in zip(obstacle["position"], way)]

    def back(quantity, vector, row, run):
        if quantity in ("position", "centre_of_mass"):
            return v.sub(vector, way)
        if quantity == "angular_momentum":
            return v.sub(vector, v.cross(way, run["linear_momentum"][row]))
        return vector
    return Twin(other, back)


def reversed_rods(scenario, undeformed):
    """Every rod described from its other end; `undeformed` is a run that begins there: it knows where discrete rods end."""
    other = clone(scenario)
    lengths = {}
    for rod, before in zip(other["rods"], scenario["rods"]):
        L = length(before)
        lengths[rod["name"]] = L
        flip = lambda x, L=L: substitute(x, "s", f"({L!r} - s)")
        _, frame = reference_pose(before)
        if scenario["solver"]["scheme"] != "staggered":  # has frames at its ends, which the grid may have turned
            d1, d3 = (undeformed[f"{rod['name']}.end.{name}"][0] for name in ("director1", "director3"))
            frame = v.columns(d1, v.cross(d3, d1), d3)
        shape = rod.setdefault("shape", {})
        shape["origin"] = undeformed[f"{rod['name']}.end.position"][0]
        shape["d1"] = [line[0] for line in frame]
        shape["direction"] = [-line[2] for line in frame]
        bend = [flip(x) for x in natural_curvature(before)]
        shape["curvature"] = [scaled(-1, bend[0]), bend[1], bend[2]]
        if shape.pop("helix", None):
            rod["length"] = L
        for key in ("section", "material", "stiffness", "inertia", "damping", "contact"):
            if rod.get(key):
                rod[key] = {name: [flip(x) for x in entry] if isinstance(entry, list) else flip(entry)
                            for name, entry in rod[key].items()}
        initial = rod.get("initial", {})
        if "twist" in initial:
            initial["twist"] = scaled(-1, flip(initial["twist"]))
        if "velocity" in initial:
            initial["velocity"] = [flip(x) for x in initial["velocity"]]
        if "angular_velocity" in initial:
            a = [flip(x) for x in initial["angular_velocity"]]
            initial["angular_velocity"] = [a[0], scaled(-1, a[1]), scaled(-1, a[2])]
        ends = rod.get("ends", {})
        rod["ends"] = {{"start": "end", "end": "start"}[name]: end for name, end in ends.items()}
    for load in other.get("loads", []):
        L = lengths[rod_of(other, load)["name"]]
        flip = lambda x, L=L: substitute(x, "s", f"({L!r} - s)")
        if "along" in load:
            load["along"] = [max(0.0, L - load["along"][1]), L - load["along"][0]]
        else:
            load["at"] = {"start": "end", "end": "start"}.get(load["at"]) or L - load["at"]
        for key in ("force", "moment"):
            if key in load:
                load[key] = [flip(x) for x in load[key]]
                if load.get("axes") == "body":
                    load[key] = [load[key][0], scaled(-1, load[key][1]), scaled(-1, load[key][2])]
    for actuator in other.get("actuators", []):
        L = lengths[rod_of(other, actuator)["name"]]
        offset = [substitute(x, "s", f"({L!r} - s)") for x in actuator["offset"]]
        actuator["offset"] = [offset[0], scaled(-1, offset[1])]

    def back(quantity, vector, row, run):
        return v.times(-1, vector) if quantity == "director3" else vector

    def rename(name):
        for one, two in (("_start_", "_end_"), ("_end_", "_start_")):
            if one in name:
                return name.replace(one, two)
        return name
    return Twin(other, back, rename)


# Powers of length, mass and time of every number of a scenario.
DIMENSIONS = {
    "time": {"end": (0, 0, 1), "output": (0, 0, 1), "frames": (0, 0, 1)},
    "section": {"radius": (1, 0, 0), "outer": (1, 0, 0), "inner": (1, 0, 0), "width": (1, 0, 0), "height": (1, 0, 0),
                "area": (2, 0, 0), "I1": (4, 0, 0), "I2": (4, 0, 0), "J": (4, 0, 0)},
    "material": {"density": (-3, 1, 0), "young": (-1, 1, -2), "shear": (-1, 1, -2)},
    "stiffness": {"shear": (1, 1, -2), "extension": (1, 1, -2), "bending": (3, 1, -2), "torsion": (3, 1, -2)},
    "inertia": {"mass": (-1, 1, 0), "rotary": (1, 1, 0)},
    "damping": {"shear": (1, 1, -1), "extension": (1, 1, -1), "bending": (3, 1, -1), "torsion": (3, 1, -1), "time": (0, 0, 1)},
    "law": {"bending": (2, 0, 0)},
    "drag": {"translation": (0, 0, -1), "rotation": (0, 0, -1)},
    "fluid": {"density": (-3, 1, 0), "velocity": (1, 0, -1), "diameter": (1, 0, 0)},
    "shape": {"origin": (1, 0, 0), "curvature": (-1, 0, 0)},
    "helix": {"radius": (1, 0, 0), "pitch": (1, 0, 0)},
    "initial": {"twist": (0, 0, 0), "velocity": (1, 0, -1), "angular_velocity": (0, 0, -1)},
    "end": {"position": (1, 0, 0), "release": (0, 0, 1)},
    "rotation": {"angle": (0, 0, 0)},
    "at": {"at": (1, 0, 0), "force": (1, 1, -2), "moment": (2, 1, -2)},
    "along": {"along": (1, 0, 0), "force": (0, 1, -2), "moment": (1, 1, -2)},
    "actuator": {"offset": (1, 0, 0), "force": (1, 1, -2), "tension": (1, 1, -2)},
    "solver": {"step": (0, 0, 1)},
    "obstacle": {"position": (1, 0, 0), "radius": (1, 0, 0), "thickness": (1, 0, 0), "size": (1, 0, 0), "length": (1, 0, 0),
                 "surface_velocity": (1, 0, -1)},
    "contact": {"radius": (1, 0, 0), "stiffness": (-1, 1, -2)},
}
RESULTS = {"position": (1, 0, 0), "centre_of_mass": (1, 0, 0), "director1": (0, 0, 0), "director3": (0, 0, 0),
           "reaction_force": (1, 1, -2), "contact_force": (1, 1, -2), "reaction_moment": (2, 1, -2), "linear_momentum": (1, 1, -1),
           "angular_momentum": (2, 1, -1)}
ENERGY = (2, 1, -2)


def rescaled(scenario, units):
    """The same things in other units: `units` are the old units of length, mass and time in new ones."""
    factor = lambda powers: math.prod(u**p for u, p in zip(units, powers))

    def convert(item, powers):
        if isinstance(item, list):
            return [convert(x, powers) for x in item]
        if isinstance(item, str) and item in ("free", "held", "start", "end"):
            return item
        item = substitute(substitute(item, "s", f"(s/{units[0]!r})"), "t", f"(t/{units[2]!r})")
        return scaled(factor(powers), item)

    def mapping(entry, kind):
        for key, powers in DIMENSIONS[kind].items():
            if key in entry:
                entry[key] = convert(entry[key], powers)
    other = clone(scenario)
    mapping(other.get("time", {}), "time")
    mapping(other.get("solver", {}), "solver")
    if "gravity" in other:
        other["gravity"] = convert(other["gravity"], (1, 0, -2))
    for rod in other["rods"]:
        if "length" in rod:
            rod["length"] = convert(rod["length"], (1, 0, 0))
        for kind in ("section", "material", "stiffness", "inertia", "damping", "law", "drag", "fluid", "shape", "initial"):
            mapping(rod.get(kind, {}), kind)
        mapping(rod.get("shape", {}).get("helix", {}), "helix")
        mapping(rod.get("contact") or {}, "contact")
        for branch in rod.get("maxwell", []):
            branch["time"] = convert(branch["time"], (0, 0, 1))
        for end in rod.get("ends", {}).values():
            if isinstance(end, dict):
                mapping(end, "end")
                if isinstance(end.get("rotation"), dict):
                    mapping(end["rotation"], "rotation")
    for load in other.get("loads", []):
        mapping(load, "at" if "at" in load else "along")
    for actuator in other.get("actuators", []):
        mapping(actuator, "actuator")
    for obstacle in other.get("obstacles", []):
        mapping(obstacle, "obstacle")
        mapping(obstacle.get("rotation", {}), "rotation")
    return Twin(other, lambda quantity, vector, row, run: v.times(1 / factor(RESULTS.get(quantity, ENERGY)), vector))


def delayed(scenario, wait):
    """All signals begin later, by `wait`: until then the rod rests, if it does at t = 0."""
    late = lambda x: substitute(x, "t", f"max(t - {wait!r},0)") if x not in ("free", "held") else x
    other = clone(scenario)
    other["time"]["end"] += wait
    for rod in other["rods"]:
        for end in rod.get("ends", {}).values():
            if not isinstance(end, dict):
                continue
            if isinstance(end.get("position"), list):
                end["position"] = [late(x) for x in end["position"]]
            if isinstance(end.get("rotation"), dict):
                end["rotation"]["angle"] = late(end["rotation"]["angle"])
            if "release" in end:
                end["release"] += wait
    for load in other.get("loads", []):
        for key in ("force", "moment"):
            if key in load:
                load[key] = [late(x) for x in load[key]]
    for actuator in other.get("actuators", []):
        for key in ("force", "tension"):
            if key in actuator:
                actuator[key] = late(actuator[key])
    return Twin(other, lambda quantity, vector, row, run: vector)
