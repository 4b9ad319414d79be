# SPDX-License-Identifier: MIT
"""Sweeps: many runs of one scenario with varied values, as `withy sweep` computes them."""
from __future__ import annotations

import csv
import functools
import importlib.util
import itertools
import json
import os
import tempfile
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, NamedTuple

import numpy as np

from ._withy import ffi, lib
from .crew import STOPPED, crew_size, new_flag, together
from .errors import InputError, ResultWarning, check, names, text
from .model import Array, encoded, encoded_path, found_index
from .plans import Plan, PlanSource, axes, frame, numbers
from .rods import shared
from .runs import HAS_RUNS, embedded, need_runs

Progress = Callable[[int, int], None]
STATUSES = names(lib.wy_point_status_name) if HAS_RUNS else ()


class Course(NamedTuple):
    """The course of some probes in time, at one point of a sweep."""

    times: Array  #: [rows]
    values: Array  #: [rows, columns]
    columns: tuple[str, ...]  #: the names of the columns: ("tip.x", "tip.y", "tip.z")


class Sweep:
    """The rows of a sweep: what `withy.sweep` returns, or what a folder has in which `withy sweep` has ended.

        sweep = withy.sweep({"withy": 1, "scenario": "rubber-pendulum",
                             "vary": {"rods.pendulum.segments": [5, 10, 20], "gravity": ["[0, 0, -9.81]", "[0, 0, -1.62]"]},
                             "keep": {"sag": {"probe": "tip.z", "of": "min"}}})
        print(sweep["sag"], sweep.grid("sag").shape)

    `sweep[name]` is the array of a parameter or a quantity over the points; NaN where a point has no value. In a
    notebook the sweep shows its page with pictures.
    """

    plan: Plan | None  #: the plan; None where the sweep was read from a folder
    folder: Path | None  #: where the files are; None where there are none
    points: Any  #: the numbers of the points, from 0
    parameters: tuple[str, ...]  #: the paths that vary
    quantities: tuple[str, ...]  #: the names of the numbers that were kept
    units: dict[str, str]  #: of the quantities, in SI; "1" without one, "" where it is not known
    status: list[str]  #: of each point: "done", "wrong", "failed" or "refused"
    messages: list[str]  #: of each point: why it is not done, a note, or ""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        need_runs()
        self._fill(_Stored(Path(folder)), None, Path(folder))

    def _fill(self, rows: _Rows, plan: Plan | None, folder: Path | None) -> None:
        self._rows, self.plan, self.folder = rows, plan, folder
        self.parameters, self.quantities = tuple(rows.texts), tuple(rows.quantities)
        self.points, self.units, self.status, self.messages = rows.points, rows.units, rows.status, rows.messages
        for array in rows.quantities.values():
            array.flags.writeable = False  # `save` writes what was computed

    def __len__(self) -> int:
        """The number of points."""
        return len(self.points)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.status.count(one)} {one}" for one in STATUSES if one in self.status)
        return f"<withy.Sweep: {len(self)} points ({counts}), {', '.join(self.parameters + self.quantities)}>"

    def __getitem__(self, name: str) -> Any:
        """A parameter or a quantity at all points. A parameter that is no number is an array of texts."""
        if name in self._rows.quantities:
            return self._rows.quantities[name]
        choice = self.parameters + self.quantities
        return numbers(self._rows.texts[choice[found_index(name, choice, "parameter or quantity")]])

    @functools.cached_property
    def series(self) -> dict[str, list[Course]]:
        """What was kept as a course in time: by name, one for each point. A failed point has one without rows."""
        return self._rows.courses()

    @functools.cached_property
    def table(self) -> Any:
        """The columns of sweep.csv: a DataFrame where pandas is installed, else a dict of arrays."""
        columns = {name: self[name] for name in self.parameters + self.quantities}
        ends = {"status": np.array(self.status, dtype=object), "message": np.array(self.messages, dtype=object)}
        return frame({"point": self.points, **columns, **ends})

    @functools.cached_property
    def axes(self) -> dict[str, Any]:
        """The values along each axis of a grid, by parameter."""
        return axes(self._rows.texts, len(self))

    def grid(self, name: str) -> Any:
        """A parameter or a quantity in the shape of the grid: an axis for each parameter, in their order."""
        return self[name].reshape([len(values) for values in self.axes.values()])

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the files of `withy sweep` into a folder, for a sweep that was computed without one."""
        if self.plan is None or not isinstance(self._rows, _Memory):
            raise InputError(f"the sweep lies in the folder {self.folder} already; expected one without a folder")
        with _Files(self.plan, folder, False) as files:
            self._rows.save(files)

    def view(self, file: str | os.PathLike[str] | None = None) -> Path:
        """Writes the page of the sweep, with pictures, which are also files beside it, and returns its path.

        The default is index.html in the folder of the sweep; a sweep without a folder needs `file`.
        """
        if file is None and self.folder is None:
            raise InputError("found a sweep without a folder; expected the file of the page")
        page = Path(file) if file is not None else Path(self.folder or ".") / "index.html"
        with tempfile.TemporaryDirectory() as scratch:
            if self.folder is None:
                self.save(scratch)
            message = ffi.new("wy_message *")
            check(lib.wy_draw_sweep(encoded_path(self.folder or scratch), encoded_path(page), message), message)
        return page

    def _repr_html_(self) -> str:
        """The page in a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            return embedded(self.view(Path(folder) / "index.html"), 640)


def sweep(plan: Plan | PlanSource, folder: str | os.PathLike[str] | None = None, *, threads: int | None = None,
          resume: bool = False, progress: Progress | None = None, **settings: Any) -> Sweep:
    """Computes all points of a plan, as `withy sweep` does, and returns the rows: the same, bit for bit.

    `plan` is a Plan, or what a Plan is made of; further keywords are settings of all points. Points are spread over
    `threads` (default: the number of cores); rows do not depend on their number. `progress(done, points)` is called ten
    times a second.

    Without `folder` everything stays in memory. With it the files of `withy sweep` are written: rows are on disk as
    soon as they are computed, Ctrl-C or a kill loses none, and `resume=True` goes on with them.

    A point that fails is a row with its status and message, and there is a ResultWarning in the end.
    """
    need_runs()
    if isinstance(plan, Plan) and settings:
        raise InputError("found settings beside a Plan; expected them where the Plan is made")
    made, crew = plan if isinstance(plan, Plan) else Plan(plan, **settings), crew_size(threads)
    if folder is None:
        if resume:
            raise InputError("found resume without a folder; expected the folder of the sweep to go on with")
        result = _in_memory(made, crew, progress)
    else:
        result = _in_folder(made, folder, crew, resume, progress)
    counts = [f"{result.status.count(one)} {one}" for one in STATUSES[1:] if one in result.status]
    if counts:
        first = next(point for point, status in enumerate(result.status) if status != STATUSES[0])
        warnings.warn(f"{', '.join(counts)} of {len(result)} points; point {result.points[first]}: "
                      f"{result.messages[first]}", ResultWarning, stacklevel=2)
    return result


class _Rows:
    """What is known of all points of a sweep."""

    points: Any
    texts: dict[str, list[str]]  # by parameter
    quantities: dict[str, Array]
    units: dict[str, str]
    status: list[str]
    messages: list[str]

    def courses(self) -> dict[str, list[Course]]:
        raise NotImplementedError


class _Memory(_Rows):
    """The rows of a sweep without a folder. Threads may take up rows at the same time."""

    def __init__(self, plan: Plan) -> None:
        count = len(plan)
        self.points, self.texts, self.units = np.arange(count), plan.texts, plan.units
        self.numbers = np.full((count, len(plan.quantities)), np.nan)
        self.quantities = {name: self.numbers[:, i] for i, name in enumerate(plan.quantities)}
        self.status, self.messages = [""] * count, [""] * count
        self.series = {name: [Course(np.empty(0), np.empty((0, len(columns))), columns)] * count
                       for name, columns in plan.series.items()}

    def courses(self) -> dict[str, list[Course]]:
        return self.series

    def take(self, row: Any) -> None:
        """Copies a wy_sweep_row."""
        point = row.point
        self.status[point], self.messages[point] = STATUSES[row.status], text(row.message)
        if row.quantity_count:
            self.numbers[point] = ffi.unpack(row.quantities, row.quantity_count)
        for i, courses in zip(range(row.series_count), self.series.values()):
            one, shape = row.series[i], (row.series[i].row_count, row.series[i].column_count)
            if one.row_count:
                courses[point] = Course(np.array(shared(row, one.times, shape[:1])),
                                        np.array(shared(row, one.values, shape)), courses[point].columns)

    def save(self, files: _Files) -> None:
        """Writes all rows."""
        for point in self.points.tolist():
            held = [self.numbers[point], *itertools.chain(*(courses[point][:2] for courses in self.series.values()))]
            arrays = [ffi.from_buffer("double[]", one) for one in held]
            series = ffi.new("wy_sweep_series[]", [(len(times), values.shape[1], *arrays[1 + 2 * i:3 + 2 * i])
                                                   for i, (times, values) in enumerate(zip(held[1::2], held[2::2]))])
            row = ffi.new("wy_sweep_row *", {
                "point": point, "status": STATUSES.index(self.status[point]), "message": encoded(self.messages[point]),
                "quantity_count": len(held[0]), "quantities": arrays[0], "series_count": len(series), "series": series,
                "memory": arrays[0]})
            files.call(lib.wy_sweep_record, row)


class _Stored(_Rows):
    """The rows of sweep.csv, in a folder where a sweep has ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            about = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
            with open(folder / "sweep.csv", encoding="utf-8", newline="") as file:
                head, *rows = csv.reader(file)
            paths, kept = [one["path"] for one in about["parameters"]], [one["name"] for one in about["quantities"]]
            self.units = {one["name"]: one.get("unit", "") for one in about["quantities"]}
            self.series = {one["name"]: tuple(one["columns"]) for one in about["series"]}
            if head != ["point", *paths, *kept, "status", "message"] or any(len(row) != len(head) for row in rows):
                raise ValueError("sweep.csv has other columns than sweep.json")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{folder}: found no complete sweep; expected sweep.json and sweep.csv ({error})") from None
        columns = list(zip(*rows)) or [()] * len(head)
        self.points = np.array(columns[0], dtype=np.int64)
        self.texts = {path: list(columns[1 + i]) for i, path in enumerate(paths)}
        self.quantities = {name: np.array([float(one or "nan") for one in columns[1 + len(paths) + i]])
                           for i, name in enumerate(kept)}
        self.status, self.messages = list(columns[-2]), list(columns[-1])

    def courses(self) -> dict[str, list[Course]]:
        if self.series and not importlib.util.find_spec("h5py"):
            raise InputError(f"{self.folder}: series of a sweep in a folder are in sweep.h5; reading them needs h5py")
        found: dict[str, list[Course]] = {}
        for name, columns in self.series.items():
            import h5py

            with h5py.File(self.folder / "sweep.h5", "r", locking=False) as file:
                times, values, start = (file[f"series/{name}/{part}"][:] for part in ("time", "values", "start"))
            found[name] = [Course(times[a:b], values[a:b], columns) for a, b in zip(start, start[1:])]
        return found


# ---- Computing ----


class _Files:
    """A wy_sweep: the journal of a sweep in a folder. It is closed at the end of a `with`."""

    def __init__(self, plan: Plan, folder: str | os.PathLike[str], resume: bool) -> None:
        self.plan, self.message = plan, ffi.new("wy_message *")
        name, out = ffi.new("char[]", encoded_path(folder)), ffi.new("wy_sweep **")
        definition = ffi.new("wy_sweep_def *", lib.wy_default_sweep_def())
        definition.plan, definition.folder, definition.resume = plan._plan, name, resume
        check(lib.wy_sweep_open(definition, out, self.message), self.message)
        self.sweep = out[0]

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        status = lib.wy_sweep_close(self.sweep, ffi.NULL, self.message)
        if error is None:
            check(status, self.message)

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls function(sweep, ..., message)."""
        message = ffi.new("wy_message *")
        check(function(self.sweep, *arguments, message), message)

    def done(self) -> int:
        """How many points have a row."""
        counts = lib.wy_sweep_progress(self.sweep)
        return int(counts.points - counts.missing)


def _in_memory(plan: Plan, threads: int, progress: Progress | None) -> Sweep:
    rows, points, flag = _Memory(plan), iter(range(len(plan))), new_flag()

    def work() -> None:
        row, message = ffi.new("wy_sweep_row *"), ffi.new("wy_message *")
        for point in points:  # each point goes to one thread
            check(lib.wy_sweep_point(plan._plan, point, STOPPED, flag, row, message), message)
            if row.status != lib.WY_POINT_INTERRUPTED:
                rows.take(row)
            lib.wy_sweep_row_free(row)
            if lib.withy_stopped(flag):
                return

    def done() -> int:
        return len(plan) - rows.status.count("")

    together(work, flag, threads, functools.partial(_report, progress, done, len(plan)) if progress else None)
    return _made(rows, plan, None)


def _in_folder(plan: Plan, folder: str | os.PathLike[str], threads: int, resume: bool,
               progress: Progress | None) -> Sweep:
    flag = new_flag()
    with _Files(plan, folder, resume) as files:
        together(functools.partial(files.call, lib.wy_sweep_work, STOPPED, flag), flag, threads,
                 functools.partial(_report, progress, files.done, len(plan)) if progress else None)
    result = _made(_Stored(Path(folder)), plan, Path(folder))
    result.view()
    return result


def _made(rows: _Rows, plan: Plan, folder: Path | None) -> Sweep:
    result = Sweep.__new__(Sweep)
    result._fill(rows, plan, folder)
    return result


def _report(progress: Progress, done: Callable[[], int], points: int) -> None:
    progress(done(), points)
