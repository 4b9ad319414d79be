# SPDX-License-Identifier: MIT
"""Makes a failing scenario small: tries simpler ones, keeps those that fail in the same way, until none is simpler."""

import time

from .expressions import is_number, number, value
from .scenario import clone, length


def candidates(scenario):
    """Simpler scenarios, the boldest first."""
    yield from dropped_entries(scenario)
    yield from dropped_keys(scenario)
    yield from simpler_rods(scenario)
    yield from simpler_times(scenario)
    yield from simpler_numbers(scenario)


def dropped_entries(scenario):
    names = [rod["name"] for rod in scenario["rods"]]
    if len(names) > 1:
        for name in names:
            other = clone(scenario)
            other["rods"] = [rod for rod in other["rods"] if rod["name"] != name]
            for key in ("loads", "actuators"):
                other[key] = [entry for entry in other.get(key, []) if entry["rod"] != name]
                if not other[key]:
                    del other[key]
            yield other
    for key in ("loads", "actuators"):
        for index in range(len(scenario.get(key, []))):
            other = clone(scenario)
            del other[key][index]
            if not other[key]:
                del other[key]
            yield other


def dropped_keys(scenario):
    if "gravity" in scenario:
        yield clone(scenario, gravity=None)
    if "obstacles" in scenario:
        other = clone(scenario, obstacles=None, contact=None)
        for rod in other["rods"]:
            rod.pop("contact", None)
        yield other
        for key in scenario.get("contact", {}):
            yield clone(scenario, contact={k: x for k, x in scenario["contact"].items() if k != key})
        for key in ("rotation", "surface_velocity"):
            if key in scenario["obstacles"][0]:
                yield clone(scenario, obstacles=[{k: x for k, x in scenario["obstacles"][0].items() if k != key}])
    for key in scenario.get("solver", {}):
        if key != "scheme":
            other = clone(scenario)
            del other["solver"][key]
            yield other
    for index, rod in enumerate(scenario["rods"]):
        for key in ("damping", "drag", "fluid", "law", "maxwell", "initial", "shear_factors", "shape", "ends", "solver"):
            if key in rod:
                other = clone(scenario)
                del other["rods"][index][key]
                yield other
        for group in ("shape", "ends", "initial", "law", "fluid"):
            for key in rod.get(group, {}):
                other = clone(scenario)
                del other["rods"][index][group][key]
                yield other
    for index, load in enumerate(scenario.get("loads", [])):
        for key in ("force", "moment", "axes"):
            if key in load and (key == "axes" or "force" in load and "moment" in load):
                other = clone(scenario)
                del other["loads"][index][key]
                yield other


def simpler_rods(scenario):
    for index, rod in enumerate(scenario["rods"]):
        def change(**entries):
            other = clone(scenario)
            other["rods"][index].update(entries)
            return other
        n = rod.get("segments", 20)
        for fewer in (2, 3, 5, n // 2, n - 1):
            if 2 <= fewer < n:
                yield change(segments=fewer)
        for name, end in rod.get("ends", {}).items():
            if isinstance(end, dict):
                for word in ("clamped", "pinned"):
                    yield change(ends={**rod["ends"], name: word})
                for key in end:
                    if len(end) > 1:
                        yield change(ends={**rod["ends"], name: {k: x for k, x in end.items() if k != key}})
                for key in ("position", "rotation"):
                    if key in end and end[key] != "held":
                        yield change(ends={**rod["ends"], name: {**end, key: "held"}})
        if len(rod.get("maxwell", [])) > 1:
            yield change(maxwell=rod["maxwell"][:1])
        section = rod.get("section", {})
        if section and (section["shape"] != "circle" or isinstance(section["radius"], str)):
            for key in ("radius", "outer", "width"):
                if key in section:
                    yield change(section={"shape": "circle", "radius": number(value(section[key]), 1)})
    for index, load in enumerate(scenario.get("loads", [])):
        for key in ("force", "moment"):
            parts = load.get(key, [])
            for i, x in enumerate(parts):
                if x != 0 and sum(1 for y in parts if y != 0) > 1:
                    other = clone(scenario)
                    other["loads"][index][key][i] = 0
                    yield other


def simpler_times(scenario):
    times = scenario.get("time", {})
    if "output" in times:
        rows = round(times["end"] / times["output"])
        for fewer in (1, 2, 5, 10, rows // 2):
            if fewer < rows:
                yield clone(scenario, time={**times, "end": number(fewer * times["output"], 12)})


def simpler_numbers(scenario):
    """Every number by itself, with fewer digits."""
    def places(item, path):
        entries = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
        for key, entry in entries:
            if is_number(entry) and path[:1] != ["time"] and key not in ("segments", "step"):
                yield path + [key], entry
            else:
                yield from places(entry, path + [key])
    for path, entry in places(scenario, []):
        for digits in (1, 2):
            short = number(entry, digits)
            if short != entry:
                other = clone(scenario)
                target = other
                for key in path[:-1]:
                    target = target[key]
                target[path[-1]] = short
                yield other
                break


def shrink(scenario, fails, seconds=60.0):
    """The simplest scenario found within the time for which `fails` is true."""
    end = time.monotonic() + seconds
    improved = True
    while improved and time.monotonic() < end:
        improved = False
        for other in candidates(scenario):
            if time.monotonic() > end:
                break
            try:
                same = fails(other)
            except (KeyError, ValueError, ZeroDivisionError, OverflowError, IndexError, TypeError):
                same = False  # the simpler scenario makes no sense to the generator's own formulas
            if same:
                scenario = other
                improved = True
                break
    return scenario
