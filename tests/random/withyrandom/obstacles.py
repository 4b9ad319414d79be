# SPDX-License-Identifier: MIT
"""Obstacles at random beside a rod: near enough to be touched, and coming nearer. They know distances by themselves."""

import math
import random

from . import vectors as v
from .expressions import number, value
from .scenario import Scales, held, length, reference_pose

MOST_SLENDER = 80  # length over radius: hits of more slender rods last too short a time
CLEAR = (0.2, 2)   # gap at the start, in radii
FAST = 0.02        # speed over that of sound along the rod: less than a tenth of what presses a skin down to its core
EXPLICIT = ("dopri5", "dop853", "bs23")


def radius_along(rod, s):
    """The radius that contact sees; of explicit sections and stiffness the one that the rod is given."""
    if "radius" in rod.get("contact", {}):
        return value(rod["contact"]["radius"], s=s)
    section = rod["section"]
    if section["shape"] == "rectangle":
        return 0.5 * min(value(section[key], s=s) for key in ("width", "height"))
    return value(section["radius" if section["shape"] == "circle" else "outer"], s=s)


def plain_distance(obstacle, y):
    """From the solid, of a point in the axes of the obstacle (columns d1, axis x d1, axis)."""
    rho, z = math.hypot(y[0], y[1]), y[2]
    shape = obstacle["shape"]
    if shape == "plane":
        return z
    if shape == "sphere":
        return v.norm(y) - obstacle["radius"]
    if shape == "torus":
        return math.hypot(rho - obstacle["radius"], z) - obstacle["thickness"]
    if shape == "box":
        return v.norm([max(abs(x) - 0.5 * size, 0) for x, size in zip(y, obstacle["size"])])
    beyond = abs(z) - 0.5 * obstacle["length"]
    if shape == "capsule":
        return math.hypot(rho, max(beyond, 0)) - obstacle["radius"]
    return math.hypot(max(rho - obstacle["radius"], 0), max(beyond, 0))  # cylinder


def axes_of(obstacle):
    axis = v.unit(obstacle.get("normal") or obstacle.get("axis", [0, 0, 1]))
    d1 = v.normal_to(axis, obstacle["d1"]) if "d1" in obstacle else v.normal_to(axis, [axis[1], axis[2], -axis[0] - 0.3])
    return [d1, v.cross(axis, d1), axis]


def gap(obstacle, place, samples):
    """The smallest one of the points (x, radius) of a rod."""
    axes = axes_of(obstacle)
    return min(plain_distance(obstacle, v.apply(axes, v.sub(x, place))) - r for x, r in samples)


def solid(rng, L):
    """A form of the size of a part of the rod; a plane faces the rod by itself."""
    size = L * rng.uniform(0.05, 0.3)
    shape = rng.choice(("plane", "sphere", "cylinder", "capsule", "box", "torus"))
    turned = [number(x) for x in v.random_unit(rng)]
    obstacle = {"name": "obstacle", "shape": shape}
    if shape == "plane":
        obstacle["normal"] = turned
    elif shape != "sphere":
        obstacle["axis"] = turned
    if shape == "box":
        obstacle["d1"] = [number(x) for x in v.random_unit(rng)]
        obstacle["size"] = [number(size * rng.uniform(0.5, 2)) for _ in range(3)]
    elif shape == "torus":
        obstacle["radius"], obstacle["thickness"] = number(2 * size), number(0.6 * size)
    elif shape != "plane":
        obstacle["radius"] = number(size)
        if shape != "sphere":
            obstacle["length"] = number(size * rng.uniform(1, 4))
    return obstacle


def free_place(rng, rod):
    """An arc length far from ends that are held."""
    fixed = [held(rod, name)[0] != ["free"] * 3 for name in ("start", "end")]
    return length(rod) * rng.uniform(0.35 if fixed[0] else 0, 0.65 if fixed[1] else 1)


def beside(rng, rod, samples, duration, ramp):
    """Outside of the rod, on a line through one of its points; and moving towards it, or turning, or with a surface that does."""
    L = length(rod)
    obstacle = solid(rng, L)
    point, frame = reference_pose(rod, free_place(rng, rod))
    towards = v.normal_to([line[2] for line in frame], v.random_unit(rng))
    if obstacle["shape"] == "plane":
        obstacle["normal"] = [number(x) for x in v.times(-1, towards)]
    clear = max(r for _, r in samples) * rng.uniform(*CLEAR)
    away = 10 * L
    for _ in range(60):  # distances change no faster than places: it never goes too far
        away -= gap(obstacle, v.add(point, v.times(away, towards)), samples) - clear
    place = [number(x, 12) for x in v.add(point, v.times(away, towards))]
    obstacle["position"] = place
    scales = Scales(rod)
    most = FAST * math.sqrt(scales.extension / scales.mass) * duration
    if rng.random() < 0.7:
        way = v.times(-min(L * rng.uniform(0.02, 0.15), most), towards)
        obstacle["position"] = [f"{x!r} + {number(d)!r}*{ramp}" for x, d in zip(place, way)]
    if obstacle["shape"] in ("sphere", "cylinder", "torus") and rng.random() < 0.4:
        obstacle["rotation"] = {"axis": obstacle.get("axis", [0, 0, 1]), "angle": f"{number(rng.uniform(-2, 2))!r}*{ramp}"}
    elif rng.random() < 0.2:
        way = v.random_unit(rng)
        if obstacle["shape"] == "plane":  # along it
            way = v.normal_to(v.unit(obstacle["normal"]), way)
        obstacle["surface_velocity"] = v.times(min(0.1 * L, most) / duration, way)
    return obstacle


def around(rng, rod, samples):
    """An endless tube along the chord of the rod, wide enough for all of it."""
    points = [x for x, _ in samples]
    axis = [number(x, 12) for x in v.unit(v.sub(points[-1], points[0]))]
    unit, middle = v.unit(axis), [number(x, 12) for x in v.times(0.5, v.add(points[0], points[-1]))]
    reach = max(v.norm(v.cross(v.sub(x, middle), unit)) + r for x, r in samples)
    clear = max(r for _, r in samples) * rng.uniform(*CLEAR)
    return {"name": "obstacle", "shape": "tube", "position": middle, "axis": axis, "radius": number(reach + clear, 12)}


def laws(rng, integrator):
    contact = {"restitution": number(rng.random(), 2)}
    if integrator not in EXPLICIT and rng.random() < 0.5:
        contact["friction"] = number(rng.uniform(0.05, 0.8), 2)
        if rng.random() < 0.2:
            contact["friction"] = {"coefficient": contact["friction"], "stick": False}
    return contact


def add_obstacles(wish, scheme, scenario, duration, ramp_of):
    """One obstacle for the first rod; the others touch nothing. Dice of its own, so that all else is as without it."""
    rng = random.Random("obstacles " + repr(scenario))
    rod = scenario["rods"][0]
    integrator = scenario["solver"].get("integrator", "auto")
    if rng.random() >= wish.obstacles or integrator in ("gauss4", "gauss6"):
        return
    L = length(rod)
    if "section" not in rod or rod["section"]["shape"] == "explicit":
        rod["contact"] = {"radius": number(L * rng.uniform(1.2, 3) / MOST_SLENDER)}
        if "material" not in rod:
            rod["contact"]["stiffness"] = number(0.3 * value(rod["stiffness"]["extension"], s=0) / rod["contact"]["radius"]**2)
    samples = [(reference_pose(rod, L * k / 60)[0], radius_along(rod, L * k / 60)) for k in range(61)]
    if max(r for _, r in samples) < L / MOST_SLENDER:
        rod.pop("contact", None)
        return
    ramp = ramp_of(rng, duration)
    obstacle = around(rng, rod, samples) if rng.random() < 0.15 else beside(rng, rod, samples, duration, ramp)
    scenario["obstacles"] = [obstacle]
    scenario["contact"] = laws(rng, integrator)
    for other in scenario["rods"][1:]:
        other["contact"] = False
