# SPDX-License-Identifier: MIT
"""The command `torture`: cases by number, progress, shrinking, the table at the end."""

import argparse
import concurrent.futures
import glob
import os
import random
import re
import sys
import time

from .command import Command
from .faults import Fault
from .lab import Broken, Inconclusive, Lab
from .relations import RELATIONS
from .scenario import parse, render
from .shrink import shrink

FOUND = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "found")


class Case:
    """Case `number` of a seed: the relation, the scenario, and how it ended ('passed', 'inconclusive', or a kind of fault)."""

    def __init__(self, relation, label, scenario):
        self.relation = relation
        self.label = label
        self.scenario = scenario
        self.verdict = None
        self.text = ""

    @classmethod
    def numbered(cls, seed, number, only=None):
        rng = random.Random(f"{seed}/{number}")
        names = [name for name in RELATIONS for _ in range(RELATIONS[name].weight)]
        name = rng.choice(names)
        relation = RELATIONS[only or name]
        return cls(relation, f"{seed}/{number}", relation.make(rng))

    @property
    def failed(self):
        return self.verdict not in ("passed", "inconclusive")

    def judge(self, lab, scenario):
        try:
            self.relation.check(lab, scenario, random.Random(f"{self.label} {self.relation.name}"))
            return "passed", ""
        except Inconclusive as reason:
            return "inconclusive", str(reason)
        except Broken as reason:
            return "broken", str(reason)
        except Fault as reason:
            return reason.kind, reason.text

    def run(self, lab):
        self.verdict, self.text = self.judge(lab, self.scenario)

    def shrunk(self, lab, seconds):
        """A small scenario that fails in the same way, and what is seen there."""
        small = shrink(self.scenario, lambda other: self.judge(lab, other)[0] == self.verdict, seconds)
        return small, self.judge(lab, small)[1] or self.text


def keep(case, small, text, folder):
    os.makedirs(folder, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", f"{case.relation.name} {case.verdict} {case.label}".lower())
    path = os.path.join(folder, name + ".yaml")
    with open(path, "w") as file:
        file.write(f"# relation: {case.relation.name} ({case.relation.about})\n# case: {case.label}\n# seen: {case.verdict}: {text}\n")
        file.write(render(small))
    return path


def load_case(path):
    with open(path) as file:
        text = file.read()
    head = dict(re.findall(r"^# (relation|case): (\S+)", text, re.M))
    return Case(RELATIONS[head["relation"]], head.get("case", "0/0"), parse(text))


class Table:
    """What became of the cases, per relation."""

    def __init__(self):
        self.rows = {}

    def add(self, case):
        row = self.rows.setdefault(case.relation.name, [0, 0, 0])
        row[0 if case.verdict == "passed" else 1 if case.verdict == "inconclusive" else 2] += 1

    def totals(self):
        return [sum(row[i] for row in self.rows.values()) for i in range(3)]

    def print(self, count):
        print(f"\n{'relation':<14}{'held':>8}{'open':>8}{'broken':>8}")
        for name, row in self.rows.items():
            print(f"{name:<14}{row[0]:>8}{row[1]:>8}{row[2]:>8}")
        print(f"\n{'runs':<14}{'all':>8}{'finished':>10}{'wrong':>7}{'failed':>8}{'late':>6}{'faults':>8}")
        for what in ("motions", "default step", "equilibria"):
            print(f"{what:<14}{count[what, 'runs']:>8}{count[what, 'finished']:>10}{count[what, 'wrong']:>7}{count[what, 'failed']:>8}"
                  f"{count[what, 'late']:>6}{count[what, 'fault']:>8}")


def report(case, lab, options, end):
    """A case that failed: said at once, made small, kept. From `end` on it is kept as it is."""
    print(f"\n{case.label} {case.relation.name}: {case.verdict}: {case.text}", flush=True)
    if options.shrink <= 0:
        return
    seconds = min(options.shrink, end - time.monotonic())
    small, text = case.shrunk(Lab(lab.command), seconds) if seconds > 0 else (case.scenario, case.text)
    print(f"  kept as {keep(case, small, text, options.found)}: {text}", flush=True)


def torture(options):
    lab = Lab(Command(options.withy, options.limit))
    table = Table()
    begin = time.monotonic()
    show = sys.stdout.isatty()

    def one(number):
        if time.monotonic() - begin > 60 * options.minutes:
            return None
        case = Case.numbered(options.seed, number, options.only)
        case.run(lab)
        return case

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        batch = 0
        while options.runs is None or batch < options.runs:
            numbers = range(batch, batch + 50 if options.runs is None else min(batch + 50, options.runs))
            cases = [case for case in pool.map(one, numbers) if case]
            for case in cases:
                table.add(case)
                if options.verbose and case.text:
                    print(f"{case.label} {case.relation.name}: {case.verdict}: {case.text}", flush=True)
                if case.failed:
                    report(case, lab, options, begin + 60 * options.minutes + 60)
            batch += 50
            held, unclear, broken = table.totals()
            print(f"{'' if not show else chr(13)}{held + unclear + broken} cases, {broken} broken, {time.monotonic() - begin:.0f} s",
                  end="" if show else "\n", flush=True)
            if len(cases) < len(numbers):
                break
    table.print(lab.count)
    held, unclear, broken = table.totals()
    print(f"\nseed {options.seed}, {held + unclear + broken} cases in {time.monotonic() - begin:.0f} s, {unclear} of them open")
    print(f"{held} passed, {broken} failed")
    return 1 if broken else 0


def replay(options):
    """Runs cases from files: all of them must pass, and none may stay open."""
    lab = Lab(Command(options.withy, options.limit))
    paths = []
    for path in options.replay:
        paths += sorted(glob.glob(os.path.join(path, "*.yaml"))) if os.path.isdir(path) else [path]
    broken = 0
    for path in paths:
        case = load_case(path)
        case.run(lab)
        broken += case.verdict != "passed"
        print(f"{os.path.basename(path)}: {case.verdict}{': ' + case.text if case.text else ''}", flush=True)
    print(f"{len(paths) - broken} passed, {broken} failed")
    return 1 if broken else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="torture", description="Runs withy on scenarios at random and compares runs with each other. "
                                     "The same seed gives the same cases; a time limit cuts only their tail.")
    parser.add_argument("--seed", default="1", help="any text (default 1)")
    parser.add_argument("--minutes", type=float, default=2, help="begin no case later than this (default 2)")
    parser.add_argument("--runs", type=int, help="how many cases (default: until the time is over)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time (default: one per processor)")
    parser.add_argument("--only", choices=sorted(RELATIONS), help="cases of this relation only")
    parser.add_argument("--withy", default="build/withy", help="the command (default build/withy)")
    parser.add_argument("--limit", type=float, default=10, help="seconds that one run may take (default 10)")
    parser.add_argument("--shrink", type=float, default=60, help="seconds to make a failing case small; 0: leave it (default 60)")
    parser.add_argument("--found", default=FOUND, help="folder where failing cases are kept (default: found/ beside this program)")
    parser.add_argument("--replay", nargs="+", metavar="FILE", help="run cases that were kept: files or folders")
    parser.add_argument("--show", type=int, metavar="CASE", help="print the scenario of this case of the seed, run nothing")
    parser.add_argument("--verbose", action="store_true", help="say why cases are open")
    options = parser.parse_args(arguments)
    if options.show is not None:
        case = Case.numbered(options.seed, options.show, options.only)
        print(f"# relation: {case.relation.name} ({case.relation.about})\n# case: {case.label}\n{render(case.scenario)}", end="")
        return 0
    return replay(options) if options.replay else torture(options)
