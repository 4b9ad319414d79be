# SPDX-License-Identifier: MIT
"""One run of the command: writes the scenario with the probes that the tests look at, runs it, reads what it left."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from .scenario import analysis, clone, length, render, rod_name

SUMS = ("energy", "kinetic", "elastic", "gravity", "work", "dissipated", "linear_momentum", "angular_momentum",
        "centre_of_mass")
PLACES = ("position", "director1", "director3")
AXIS = re.compile(r"(.*)\.[xyzw]\Z")


def instrumented(scenario, more=()):
    """The scenario with probes: sums over all rods, poses of ends and middle, reactions; more: (name, rod, at, quantity)."""
    probes = [{"name": name, "quantity": name} for name in SUMS]
    for index, rod in enumerate(scenario["rods"]):
        name = rod_name(scenario, index)
        for label, at in (("start", "start"), ("middle", 0.5 * length(rod)), ("end", "end")):
            for quantity in PLACES:
                probes.append({"name": f"{name}.{label}.{quantity}", "rod": name, "at": at, "quantity": quantity})
            if label != "middle":
                for quantity in ("reaction_force", "reaction_moment"):
                    probes.append({"name": f"{name}.{label}.{quantity}", "rod": name, "at": at, "quantity": quantity})
    for obstacle in scenario.get("obstacles", []):
        probes.append({"name": f"{obstacle['name']}.contact_force", "obstacle": obstacle["name"], "quantity": "contact_force"})
    for label, rod, at, quantity in more:
        probes.append({"name": label, "rod": rod, "at": at, "quantity": quantity})
    for probe in probes:
        probe["name"] = probe["name"].replace(".", "_")
    other = clone(scenario, probes=probes)
    if analysis(other) == "dynamics" and "frames" not in other["time"]:
        other["time"]["frames"] = other["time"]["end"]
    return other


class Run:
    """What a run left: status, out_of_time, stdout, stderr, seconds, summary, t, and columns by the probe's name."""

    def __init__(self):
        self.status = None
        self.out_of_time = False
        self.stdout = self.stderr = ""
        self.seconds = 0.0
        self.summary = {}
        self.t = []
        self.columns = {}
        self.modes = []
        self.text = ""

    def __getitem__(self, name):
        return self.columns[name.replace(".", "_")]

    @property
    def finished(self):
        return self.status == 0

    @property
    def lines(self):
        return [line for line in self.stderr.splitlines() if line.strip()]


def read_table(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(x) for x in row] for row in rows[1:]]


def read_results(run, folder):
    try:
        with open(os.path.join(folder, "summary.json")) as file:
            run.summary = json.load(file)
    except (OSError, ValueError):
        run.summary = {}
    try:
        header, rows = read_table(os.path.join(folder, "probes.csv"))
    except (OSError, ValueError, IndexError):
        return
    run.t = [row[0] for row in rows]
    groups = {}
    for index, name in enumerate(header[1:], 1):
        vector = AXIS.match(name)
        groups.setdefault(vector.group(1) if vector else name, []).append(index)
    run.columns = {name: [[row[i] for i in places] for row in rows] for name, places in groups.items()}
    try:
        _, rows = read_table(os.path.join(folder, "modes.csv"))
        run.modes = [row[1] for row in rows]
    except (OSError, ValueError, IndexError):
        pass


class Command:
    """The command under test. Counts what its runs were, for the table at the end."""

    def __init__(self, path, limit=20.0):
        self.path = os.path.abspath(path)
        self.limit = limit

    def _call(self, arguments, folder, limit, interrupt):
        process = subprocess.Popen([self.path] + arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL)
        if interrupt:
            interrupt(process)
        try:
            out, err = process.communicate(timeout=limit)
            late = False
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            late = True
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), late

    def run(self, scenario, more=(), limit=None):
        folder = tempfile.mkdtemp(prefix="withy-random-")
        try:
            return self._run_in(folder, scenario, more, limit or self.limit)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run_in(self, folder, scenario, more, limit, resume=False, interrupt=None):
        run = Run()
        run.text = render(instrumented(scenario, more))
        with open(os.path.join(folder, "case.yaml"), "w") as file:
            file.write(run.text)
        begin = time.monotonic()
        arguments = ["run", "case.yaml", "-o", "out", "--quiet"] + (["--resume"] if resume else [])
        run.status, run.stdout, run.stderr, run.out_of_time = self._call(arguments, folder, limit, interrupt)
        run.seconds = time.monotonic() - begin
        read_results(run, os.path.join(folder, "out"))
        return run

    def run_in_parts(self, scenario, parts):
        """The run, interrupted when `parts` of its rows are there, and resumed until it is done: (run, interruptions)."""
        folder = tempfile.mkdtemp(prefix="withy-random-")
        probes = os.path.join(folder, "out", "probes.csv")
        rows = round(scenario["time"]["end"] / scenario["time"]["output"]) + 1
        try:
            interruptions = 0
            for part in list(parts) + [None]:
                def wait(process, wanted=None if part is None else int(part * rows)):
                    while wanted is not None and process.poll() is None:
                        try:
                            with open(probes) as file:
                                if sum(1 for _ in file) > wanted:
                                    process.send_signal(signal.SIGINT)
                                    return
                        except OSError:
                            pass
                        time.sleep(0.002)
                run = self._run_in(folder, scenario, (), self.limit, resume=interruptions > 0, interrupt=wait)
                if run.summary.get("status") != "interrupted":
                    return run, interruptions
                interruptions += 1
            return run, interruptions
        finally:
            shutil.rmtree(folder, ignore_errors=True)
