# SPDX-License-Identifier: MIT
"""Shared by the tests of result folders: scenarios, running the command, reading and comparing what a run leaves."""
import json
import math
import os
import signal
import subprocess
import time
import xml.etree.ElementTree as xml

import h5py
import numpy as np

ROD = """
  - name: {name}
    length: 1
    segments: {segments}
    section: {{shape: circle, radius: 5e-3}}
    material: {{density: 1100, young: 5e6, poisson: 0.5}}
    damping: {{time: 2e-3}}
    shape: {{direction: [0, 1, 0]}}
    ends: {{start: pinned}}
    solver: {{integrator: {integrator}}}
"""

QUANTITIES = {
    "position": 3, "velocity": 3, "rotation": 4, "angular_velocity": 3, "director1": 3, "director2": 3, "director3": 3,
    "strain": 3, "curvature": 3, "force": 3, "moment": 3, "tension": 1, "bend_radius": 1, "twist": 1, "reaction_force": 3,
    "reaction_moment": 3, "length": 1, "energy": 1,
    "kinetic": 1, "elastic": 1, "gravity": 1, "work": 1, "dissipated": 1, "linear_momentum": 3, "angular_momentum": 3,
    "centre_of_mass": 3}
SUFFIXES = {1: [""], 3: [".x", ".y", ".z"], 4: [".w", ".x", ".y", ".z"]}


def scenario(path, end=1, output=0.01, frames=0.02, rods=("pendulum",), segments=10, quantities=("position", "energy"),
             integrators=("auto", "auto")):
    """Writes a scenario with swinging rods and one probe per quantity; returns its path."""
    lines = ["withy: 1", "title: Test", f"time: {{end: {end}, output: {output}, frames: {frames}}}",
             "gravity: [0, 0, -9.81]", "rods:"]
    lines += [ROD.format(name=name, segments=segments, integrator=integrator)
              for name, integrator in zip(rods, integrators)]
    lines += ["probes:"]
    for quantity in quantities:
        place = ""
        if quantity == "length":
            place = f", rod: {rods[0]}"
        elif list(QUANTITIES).index(quantity) < list(QUANTITIES).index("energy"):
            place = f", rod: {rods[0]}, at: {'start' if quantity == 'reaction_force' else 'end'}"
        lines += [f"  - {{name: {quantity}, quantity: {quantity}{place}}}"]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return path


def run(command, *arguments, **options):
    """Runs the command to its end."""
    return subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, timeout=250, **options)


def start(command, *arguments):
    return subprocess.Popen([command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def expect(condition, *explanation):
    if not condition:
        raise SystemExit("FAILED: " + " ".join(map(str, explanation)))


def expect_equal(got, want, what):
    expect(got == want, f"{what}: got {got!r}, want {want!r}")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def summary(folder):
    """summary.json, which must be strict JSON."""
    def refuse(word):
        raise SystemExit(f"FAILED: {folder}/summary.json holds {word}")
    with open(os.path.join(folder, "summary.json")) as file:
        return json.load(file, parse_constant=refuse)


def datasets(folder):
    """All datasets of result.h5 by name."""
    found = {}
    with h5py.File(os.path.join(folder, "result.h5"), "r") as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found


def over_time(name):
    """Has the dataset one entry per frame?"""
    parts = name.split("/")
    fixed = parts[-1] in ("s", "radius", "line", "frames", "offset") or parts[-1].endswith("_s") or parts[0] == "modes"
    return not fixed


def expect_prefix(part, full, frames, what):
    """The first `frames` frames of two files are the same bits."""
    expect_equal(sorted(part), [name for name in sorted(full) if name in part or not name.startswith("modes/")],
                 what + ": datasets")
    for name, data in part.items():
        if name == "frames":
            continue
        if over_time(name):
            expect(len(data) >= frames, f"{what}: {name} has room for {len(data)} frames, {frames} are complete")
            data, want = data[:frames], full[name][:frames]
        else:
            want = full[name]
        expect(data.tobytes() == want.tobytes() and data.shape == want.shape, f"{what}: {name} differs")


def expect_same_results(folder, full_folder, what):
    for name in ("probes.csv", "steps.csv"):
        if name == "probes.csv" or os.path.exists(f"{full_folder}/{name}"):
            expect(read(f"{folder}/{name}") == read(f"{full_folder}/{name}"), f"{what}: {name} differs")
    part, full = datasets(folder), datasets(full_folder)
    expect_equal(int(part["frames"]), int(full["frames"]), what + ": frames")
    for name in full:
        expect_equal(part[name].shape, full[name].shape, f"{what}: shape of {name}")
    expect_prefix(part, full, int(full["frames"]), what)


def table(path):
    """A CSV file with a header: its columns by name."""
    with open(path) as file:
        names = file.readline().strip().split(",")
    values = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    return {name: values[:, i] for i, name in enumerate(names)}


def expect_second_order(errors, what):
    """Errors for N, 2 N, 4 N segments fall by 4 each time; what is left of that is of fourth order."""
    errors = [abs(error) for error in errors]
    for coarse, fine in zip(errors, errors[1:]):
        expect(3.5 < coarse / fine < 4.5, f"{what}: errors {errors} do not fall by 4")


def expect_same_files(folder, other, what):
    """Everything but the summary, which holds wall times, is the same bits."""
    names = sorted(os.listdir(folder))
    expect_equal(sorted(os.listdir(other)), names, what + ": files")
    for name in names:
        if name != "summary.json":
            expect(read(os.path.join(folder, name)) == read(os.path.join(other, name)), f"{what}: {name} differs")


def check_csv(path, full=None):
    """Complete lines of equal width and finite numbers; a prefix of `full`. Returns the number of rows."""
    text = read(path)
    expect(text.endswith(b"\n"), f"{path} ends within a line")
    lines = text.decode().splitlines()
    width = len(lines[0].split(","))
    for number, line in enumerate(lines[1:], 2):
        cells = line.split(",")
        expect_equal(len(cells), width, f"{path}:{number}: columns")
        bad = [name for name, cell in zip(lines[0].split(","), cells)
               if not math.isfinite(float(cell)) and not (name == "bend_radius" and cell == "inf")]
        expect(not bad, f"{path}:{number}: not finite:", bad)
    if full is not None:
        expect(full.startswith(text), f"{path} is not a prefix of the full run")
    return len(lines) - 1


def resolve(folder, item):
    """The array that a DataItem of XDMF stands for."""
    size = tuple(map(int, item.get("Dimensions").split()))
    if item.get("ItemType") == "HyperSlab":
        selection, source = item.findall("DataItem")
        where = np.array(selection.text.split(), int).reshape(3, -1)
        data = resolve(folder, source)
        slices = tuple(slice(first, first + stride * count, stride) for first, stride, count in where.T)
        return data[slices].reshape(size)
    file, path = item.text.strip().split(":")
    with h5py.File(os.path.join(folder, file), "r") as h5:
        data = h5[path][()]
    expect_equal(data.shape, size, f"{item.text}: dimensions")
    return data


def check_xdmf(folder):
    """result.xdmf says what is in result.h5: times, positions, velocities, radii, strands. Returns the number of frames."""
    data = datasets(folder)
    groups = sorted({tuple(name.split("/")[:2]) for name in data if name.startswith(("batches/", "rods/", "strands/"))})
    series = xml.parse(os.path.join(folder, "result.xdmf")).getroot().find("Domain").findall("Grid")
    expect_equal([grid.get("Name") for grid in series], [name for _, name in groups], "batches, rods and strands in XDMF")
    counts = set()
    for rod, path in zip(series, groups):
        expect_equal(rod.get("CollectionType"), "Temporal", "XDMF collection")
        grids = rod.findall("Grid")
        counts.add(len(grids))
        group = "/".join(path)
        for k in {0, len(grids) // 2, len(grids) - 1} if grids else ():
            grid = grids[k]
            expect_equal(float(grid.find("Time").get("Value")), data["time"][k], f"time of frame {k}")
            points = resolve(folder, grid.find("Geometry/DataItem"))
            expect(np.array_equal(points.ravel(), data[group + "/position"][k].ravel()), f"XDMF: positions of frame {k}")
            topology = grid.find("Topology")
            line = resolve(folder, topology.find("DataItem"))
            expect_equal(topology.get("TopologyType"), "Polyline", "topology")
            expect(np.array_equal(line, data[group + "/line"]), "XDMF: line")
            expect_equal(line.ravel().tolist(), list(range(points.size // 3)), "XDMF: points of the lines")
            expect_equal(line.shape, (int(topology.get("NumberOfElements")), int(topology.get("NodesPerElement"))), "lines")
            attributes = {a.get("Name"): resolve(folder, a.find("DataItem")) for a in grid.findall("Attribute")}
            if path[0] == "batches":
                expect(np.array_equal(attributes["radius"], data[group + "/radius"].ravel()), "XDMF: radius of a batch")
            if path[0] == "rods":
                expect_equal(attributes["radius"].shape, (len(points),), "XDMF: radius")
            if "velocity" in attributes:
                expect(np.array_equal(attributes["velocity"].ravel(), data[group + "/velocity"][k].ravel()), f"XDMF: velocity {k}")
    expect_equal(len(counts), 1, "XDMF: the rods have the same frames")
    return counts.pop()


def timed(command, folder, seconds, rows, frames, **options):
    """A scenario whose run takes about `seconds` here: it is made longer as often as needed. Its path and the time."""
    end = 0.5
    while True:
        path = scenario(os.path.join(folder, "timed.yaml"), end=end, output=end / rows, frames=end / frames, **options)
        begin = time.monotonic()
        done = run(command, "run", path, "-o", os.path.join(folder, "timed.out"), "--quiet")
        took = time.monotonic() - begin
        expect_equal(done.returncode, 0, "exit status of " + path + " " + done.stderr)
        if took > seconds / 2:
            return path, took
        end *= 2
