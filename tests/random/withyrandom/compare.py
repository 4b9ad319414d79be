# SPDX-License-Identifier: MIT
"""How far two runs are apart, and how far they may be.

Nothing here is fitted: what is allowed follows from a third run of the same scenario with a tighter tolerance or, where
steps are fixed, with a stiffness that differs in the seventh digit. A motion that is chaotic allows itself much then.
"""

import re

from . import vectors as v
from .expressions import is_number, scaled
from .generate import FIXED
from .lab import Inconclusive, tolerance
from .scenario import Scales, analysis, clone

PERTURBATION = 1e-7
ROUND_OFF = 1e-9     # of natural sizes: sums of thousands of steps, or residuals of Newton's method
SENSITIVE = 1e-2     # of natural sizes: beyond, comparisons say nothing

QUANTITY = re.compile(r".*(position|director[13]|reaction_force|contact_force|reaction_moment|linear_momentum|angular_momentum|centre_of_mass"
                      r"|energy|kinetic|elastic|gravity|work|dissipated)\Z")
SINCE_START = ("energy", "gravity")  # have no zero of their own


def quantity(name):
    match = QUANTITY.match(name)
    return match.group(1) if match else None


def tracks(run, mapping=None, rename=None):
    """Columns by name, each row sent through mapping(quantity, vector, row, run)."""
    result = {}
    for name, rows in run.columns.items():
        kind = quantity(name)
        if kind is None:
            continue
        if kind in SINCE_START:
            rows = [v.sub(row, rows[0]) for row in rows]
        if mapping:
            rows = [mapping(kind, row, index, run) for index, row in enumerate(rows)]
        result[rename(name) if rename else name] = rows
    return result


def apart(first, second):
    """The largest distance, per column."""
    return {name: max((v.norm(v.sub(a, b)) for a, b in zip(rows, second[name])), default=0.0) for name, rows in first.items()}


def natural_sizes(scenario, run):
    """What each column could be, by the scales of its rods, or has been."""
    all_scales = [Scales(rod) for rod in scenario["rods"]]
    L = max(x.length for x in all_scales)
    # Newton's method and round-off leave strains of some 1e-9, whatever the load.
    force = max(x.extension for x in all_scales)
    energy = sum(x.force * x.length for x in all_scales)
    momentum = sum(x.mass * x.length**2 * x.slowest for x in all_scales)
    size = {"position": L, "centre_of_mass": L, "director1": 1, "director3": 1, "reaction_force": force, "contact_force": force,
            "reaction_moment": force * L * 0.1, "linear_momentum": momentum, "angular_momentum": momentum * L}
    result = {}
    for name, rows in tracks(run).items():
        seen = max(v.norm(row) for row in rows)
        result[name] = max(size.get(quantity(name), energy), seen)
    return result


def is_fixed(scenario):
    solver = scenario.get("solver", {})
    return analysis(scenario) == "dynamics" and (
        solver.get("integrator") in FIXED or solver.get("scheme") in ("mixed", "box"))


def stiffer(scenario, factor=1 + PERTURBATION):
    other = clone(scenario)
    for rod in other["rods"]:
        if "stiffness" in rod:
            rod["stiffness"] = {key: [scaled(factor, x) for x in entry] if isinstance(entry, list) else scaled(factor, entry)
                                for key, entry in rod["stiffness"].items()}
        else:
            for key in ("young", "shear"):
                if key in rod["material"]:
                    rod["material"][key] = scaled(factor, rod["material"][key])
    return other


def finer(scenario, factor=0.1):
    other = clone(scenario)
    other.setdefault("solver", {})["tolerance"] = max(1e-13, tolerance(scenario) * factor)
    return other


def sensitivity(lab, scenario, run):
    """What the columns of a run change by under the error of the method, or a hundred times round-off and Newton's residual."""
    if analysis(scenario) != "dynamics" or is_fixed(scenario):
        other = lab.run(stiffer(scenario))
        return {name: 0.1 * x for name, x in apart(tracks(run), tracks(other)).items()}
    return {name: 5 * x for name, x in apart(tracks(run), tracks(lab.run(finer(scenario)))).items()}


def refuse_sensitive(allowed, sizes):
    worst = max(allowed, key=lambda name: allowed[name] / sizes[name] if "position" in name else 0)
    if allowed[worst] > SENSITIVE * sizes[worst]:
        raise Inconclusive(f"too sensitive: {worst} by {allowed[worst]:.2g} of {sizes[worst]:.2g}")


def excess(difference, allowed, sizes):
    """The column that is beyond what is allowed by most: (ratio, text), or None."""
    worst = None
    for name, x in difference.items():
        limit = allowed[name] + ROUND_OFF * sizes[name]
        if x > limit and (worst is None or x / limit > worst[0]):
            worst = (x / limit, f"{name} differs by {x:.3g}, allowed {limit:.3g}, size {sizes[name]:.3g}")
    return worst
