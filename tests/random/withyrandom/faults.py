# SPDX-License-Identifier: MIT
"""What a run must not do, whatever the scenario: end without a word, with nonsense, or with a rod in pieces.

`examine` returns (outcome, fault): the outcome is 'finished', 'wrong' (withy says so itself),
'failed' (honestly), both with exit status 1, 'late' (out of time) or
'fault', and the fault is (kind, text).
"""

import math
import re

from . import vectors as v
from .expressions import value
from .scenario import Scales, analysis, held, length, reference_pose, release, rod_name, solver_of

PLACE = re.compile(r"\bt = |\btime |load factor|increment|s = |equilibrium")
REMEDY = re.compile(r"\b(try|use|check|give|leave|allow|choose|make|more|smaller|larger|fewer|let|hold|needs?|add)\b")
CONSERVING = {("mixed", "midpoint"), ("conserving", "midpoint"), ("conserving", "discrete_gradient")}  # the second without a law
WRONG_DRIFT, DOUBTFUL_DRIFT, CONSERVED_DRIFT = 0.2, 0.01, 1e-6


class Fault(Exception):
    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind
        self.text = text


def examine(scenario, run):
    if run.out_of_time:
        return "late", None
    try:
        if run.status == 0:
            check_finished(scenario, run)
            return "finished", None
        check_failed(run)
        return "wrong" if run.summary.get("status") == "wrong" else "failed", None
    except Fault as fault:
        return "fault", fault


def check_failed(run):
    last = run.lines[-1][:300] if run.lines else ""
    if run.status < 0 or run.status > 2:
        raise Fault("crash", f"status {run.status}: {last}")
    if run.status == 2:
        if "SUNDIALS" in run.stderr:
            return
        raise Fault("refused", last)
    text = " ".join(run.lines)
    if not text:
        raise Fault("silent", "exit status 1 without a message")
    if not PLACE.search(text):
        raise Fault("vague", f"the message names no time or place: {text[:300]}")
    if not REMEDY.search(text):
        raise Fault("vague", f"the message names no remedy: {text[:300]}")
    if run.summary and run.summary.get("status") not in ("failed", "wrong"):
        raise Fault("silent", "exit status 1, but summary.json says " + str(run.summary.get("status")))
    if not run.summary or not run.summary.get("message"):
        raise Fault("silent", "exit status 1, but summary.json has no message: " + last)


def check_finished(scenario, run):
    if run.summary.get("status") != "done":
        raise Fault("silent", f"exit status 0, but summary.json says {run.summary.get('status')}")
    for name, rows in run.columns.items():
        if not all(math.isfinite(x) for row in rows for x in row):
            raise Fault("not finite", f"{name} in probes.csv")
    motion = analysis(scenario) == "dynamics"
    if motion:
        rows = round(scenario["time"]["end"] / scenario["time"]["output"]) + 1
        if len(run.t) != rows:
            raise Fault("rows", f"{len(run.t)} rows instead of {rows}")
        check_energy(scenario, run)
        check_dissipated(scenario, run)
    for index, rod in enumerate(scenario["rods"]):
        name = rod_name(scenario, index)
        check_chord(scenario, run, rod, name)
        for end in ("start", "end"):
            check_end(scenario, run, rod, name, end)


def check_energy(scenario, run):
    for entry, rod in zip(run.summary["rods"], scenario["rods"]):
        drift = entry["energy"]["drift"]
        if drift is None or not math.isfinite(drift):
            raise Fault("not finite", f"energy drift of {entry['name']}")
        method = (entry["scheme"], entry["integrator"])
        conserves = method in CONSERVING and not (method == ("conserving", "midpoint") and "law" in rod)
        limit = CONSERVED_DRIFT if conserves else WRONG_DRIFT
        if drift > limit:
            raise Fault("energy", f"drift {drift:.2g} of rod {entry['name']} ({entry['scheme']}, {entry['integrator']}) with exit status 0")
        if drift > DOUBTFUL_DRIFT and not run.summary["warnings"]:
            raise Fault("unwarned energy", f"drift {drift:.2g} of rod {entry['name']} ({entry['scheme']}, {entry['integrator']}) without a warning")


def energy_scale(run):
    return max(max(abs(x[0]) for x in run[name]) for name in ("kinetic", "elastic", "work")) + 1e-300


def check_dissipated(scenario, run):
    """It never falls. Quadrature has an error of its own, which the balance of energy tells."""
    rows = [x[0] for x in run["dissipated"]]
    # Where the balance is met to d, dissipated is not known better than that.
    slack = (max(entry["energy"]["drift"] for entry in run.summary["rods"]) + 1e-9) * energy_scale(run)
    slack += 1e-12 * sum(scales.force * scales.length for scales in map(Scales, scenario["rods"]))
    top = 0.0
    for t, x in zip(run.t, rows):
        if x < top - 2 * slack:
            raise Fault("dissipated", f"falls from {top:.6g} to {x:.6g} at t = {t:g} (balance of energy met to {slack:.2g})")
        top = max(top, x)


def stretch_bound(scenario, rod, run, row):
    """No chord is longer than L + integral |Gamma| <= L + sqrt(2 L U/C), U the elastic energy, C the least stiffness."""
    L = length(rod)
    if rod.get("model", "cosserat") == "inextensible":
        return L
    least = math.inf
    for k in range(11):
        scales = Scales(rod, L * k / 10)
        stiffness = [scales.extension] + (scales.shear if rod.get("model", "cosserat") == "cosserat" else [])
        least = min(least, min(stiffness))
    least *= 1 - sum(branch["share"] for branch in rod.get("maxwell", []))
    if rod.get("law", {}).get("compression"):
        least /= 2  # EA (v - 1/v)/2 has at least half of the stiffness where v > 1
    # Actuators press along the rod and have no elastic energy of their own, so it is that of the strain alone.
    return L + math.sqrt(2 * L * max(run["elastic"][row][0], 0) / least)


def grid_slack(scenario, rod):
    """Of lengths, over L: exact on the grid of staggered rods; else the error of the scheme, h^2 and a bend of up to 2 per L."""
    scheme = solver_of(scenario, rod).get("scheme", "staggered")
    n = rod.get("segments", 20)
    n = len(n) if isinstance(n, list) else n
    return 1e-5 if scheme == "staggered" else 1 / n**2 + 1e-5


def check_chord(scenario, run, rod, name):
    L = length(rod)
    # The energy of conserving rods is that of their own strains, from which those of the positions may differ.
    apart = run.summary["constraint_drift"]["compatibility"]
    for row in range(len(run.t)):
        chord = v.norm(v.sub(run[f"{name}.end.position"][row], run[f"{name}.start.position"][row]))
        bound = stretch_bound(scenario, rod, run, row) + (grid_slack(scenario, rod) + apart) * L
        if chord > bound:
            raise Fault("torn", f"rod {name} of length {L:g} has its ends {chord:.6g} apart at t = {run.t[row]:g}, at most {bound:.6g} is possible")


def check_end(scenario, run, rod, name, end):
    """Held and driven coordinates of an end, and its frame, at all rows until it is released."""
    position, turn = held(rod, end)
    until = release(rod, end)
    L = length(rod)
    scheme = solver_of(scenario, rod).get("scheme", "staggered")
    place, frame = reference_pose(rod, 0.0 if end == "start" else None)
    n = rod.get("segments", 20)
    motion = analysis(scenario) == "dynamics"
    # A curved discrete rod ends off the curve by up to (K h)^2/24, and follows a path at that distance.
    bent = "curvature" in rod.get("shape", {}) or "helix" in rod.get("shape", {})
    off = 0.5 / n**2 if bent else 0
    slack = L * (1e-6 + off + (0.05 if scheme == "box" else 0))
    for row, t in enumerate(run.t):
        if until is not None and t >= until * (1 - 1e-9):
            return
        for i, way in enumerate(position):
            if way == "free":
                continue
            wanted = place[i] if way == "held" else value(way, t)
            found = run[f"{name}.{end}.position"][row][i]
            if abs(found - wanted) > slack:
                raise Fault("end pose", f"{end} of {name}: {'xyz'[i]} is {found:.9g}, asked for {wanted:.9g} at t = {t:g}")
        if turn != "free":
            check_frame(run, name, end, turn, row, frame, 0.5 / n**2 if bent else 1e-9)


def check_frame(run, name, end, turn, row, frame, slack):
    """A frame that is held stays as it is; a driven one turns by the angle. At t = 0 the undeformed rod tells."""
    turning = v.diagonal([1, 1, 1])
    if turn != "held":
        axis = v.unit([value(x) for x in turn["axis"]])
        turning = v.rotation(v.times(value(turn["angle"], run.t[row]), axis))
    first = value(turn["angle"], run.t[0]) if turn != "held" else 0
    for director, column in (("director1", 0), ("director3", 2)):
        found = run[f"{name}.{end}.{director}"]
        # Driven ends of equilibria may begin at any angle: then there is no first row to compare with.
        begin = found[0] if row > 0 and first == 0 else [line[column] for line in frame]
        miss = v.norm(v.sub(found[row], v.apply(turning, begin)))
        if miss > (1e-6 if row > 0 and first == 0 else 1e-6 + slack):
            raise Fault("end pose", f"{end} of {name}: {director} is off by {miss:.3g} at t = {run.t[row]:g}")
