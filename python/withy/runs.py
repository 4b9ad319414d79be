# SPDX-License-Identifier: MIT
"""Whole runs: a scenario into a folder, as `withy run` does it, and folders of runs read again."""
from __future__ import annotations

import functools
import html
import importlib.util
import json
import os
import shutil
import tempfile
import threading
import warnings
import weakref
from pathlib import Path
from typing import Any, Callable, NamedTuple

import numpy as np
import numpy.typing as npt

from ._withy import ffi, lib
from .batches import STATUS
from .errors import InputError, ResultWarning, SolverError, check, exception, names, text
from .findings import Finding, finding
from .model import Array, Model, Scenario, encoded, encoded_path, found_index
from .rods import shared

Progress = Callable[[float, float], None]
HAS_RUNS = hasattr(lib, "wy_run")
#: What result.h5 has of them, with the number of components.
HISTORIES = {
    "bodies": {"position": 3, "velocity": 3, "frame": 4, "angular_velocity": 3},
    "joints": {"position": 3, "force": 3, "moment": 3, "axis": 3, "angle": 1},
    "springs": {"force": 1, "length": 1, "ends": 3},
    "obstacles": {"position": 3, "frame": 4, "force": 3},
}
OF_RECORDED = ("position", "frame", "velocity")  #: what there is of recorded rods of a batch
PROBE_SIZES = (1, 3)  #: components that probes of batches can have
SIZES = {"frame": 4, "multiplier": 6, "gap": 1}  #: of quantities along rods that are no vectors: components
FORMATS = names(lib.wy_export_format_name) if HAS_RUNS else ()


class Field(NamedTuple):
    """A quantity along a rod in all snapshots."""

    times: Array  #: [snapshots]
    s: Array  #: [points] arc lengths
    values: Array  #: [snapshots, points, components]; of a batch [snapshots, rods, points, components]


class Run:
    """The folder of a run: what `withy run` or `withy.run` has left in it.

    The run may have failed, or it may still be going on: what is complete is there. In a notebook it shows itself in 3D.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        need_runs()
        self.folder = Path(folder)  #: where the files are
        self.findings: list[Finding] = []  #: of `withy.run`: what is doubtful or wrong, worst first
        self._lock, self._message = threading.Lock(), ffi.new("wy_message *")
        out = ffi.new("wy_folder **")
        check(lib.wy_folder_open(encoded_path(self.folder), out, self._message), self._message)
        self._folder = ffi.gc(out[0], lib.wy_folder_close)

    def _call(self, function: Any, *arguments: Any) -> None:
        """Calls function(folder, ..., message); a folder serves one thread at a time."""
        with self._lock:
            check(function(self._folder, *arguments, self._message), self._message)

    def __repr__(self) -> str:
        return f"<withy.Run {text(lib.wy_folder_title(self._folder))}: {self.folder}>"

    # ---- Numbers ----

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json: status, settings, statistics, energy, warnings. Empty if the run has not ended."""
        file = self.folder / "summary.json"
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        return content

    def columns(self, file: str = "probes.csv") -> dict[str, Array]:
        """A table of the run: "probes.csv", "steps.csv", "modes.csv", "buckling.csv" or "path.csv"."""
        out = ffi.new("wy_table **")
        self._call(lib.wy_folder_table, encoded_path(file), out)
        if not out[0]:
            raise InputError(f"{self.folder}: the run has no {file}")
        table = out[0]
        titles = [text(table.name[i]) for i in range(table.columns)]
        arrays = (shared(self._folder, table.values[i], (table.rows,)) for i in range(table.columns))
        return dict(zip(titles, arrays))

    @functools.cached_property
    def probes(self) -> Any:
        """The probes at all output times: a DataFrame where pandas is installed, else a dict.

        Either way `run.probes["tip.x"]` is a column, with the names of probes.csv.
        """
        table = self.columns()
        if importlib.util.find_spec("pandas"):
            import pandas

            return pandas.DataFrame(table)
        return table

    @functools.cached_property
    def times(self) -> Array:
        """The times of the snapshots."""
        count, time = ffi.new("int *"), ffi.new("double **")
        self._call(lib.wy_folder_snapshots, count, time)
        return shared(self._folder, time[0], (count[0],))

    @functools.cached_property
    def rods(self) -> tuple[str, ...]:
        """The names of the rods, copies among them."""
        count, list_of = ffi.new("int *"), ffi.new("char ***")
        self._call(lib.wy_folder_rods, count, list_of)
        return tuple(text(list_of[0][i]) for i in range(count[0]))

    @functools.cached_property
    def batches(self) -> tuple[str, ...]:
        """The names of rods that share datasets: batches, and entries of `rods` with copies NAME1, NAME2, ...; see `batch`."""
        return self._names("batches")

    @functools.cached_property
    def bodies(self) -> tuple[str, ...]:
        """The names of the bodies."""
        return self._names("bodies")

    @functools.cached_property
    def joints(self) -> tuple[str, ...]:
        """The names of the joints; "[K]" for number K without a name."""
        return self._names("joints")

    @functools.cached_property
    def springs(self) -> tuple[str, ...]:
        """The names of the springs; "[K]" for number K without a name."""
        return self._names("springs")

    @functools.cached_property
    def obstacles(self) -> tuple[str, ...]:
        """The names of the obstacles."""
        return self._names("obstacles")

    def _names(self, group: str) -> tuple[str, ...]:
        """Those in a group of result.h5, in the order of the alphabet."""
        count, list_of = ffi.new("int *"), ffi.new("char ***")
        self._call(lib.wy_folder_names, encoded(f"/{group}"), count, list_of)
        return tuple(text(list_of[0][i]) for i in range(count[0]))

    def body(self, body: str, name: str = "position") -> Array:
        """The motion of a body, a row for each of `times`: "position", "velocity", "frame" or "angular_velocity"."""
        return self._history("bodies", self.bodies, body, name)

    def joint(self, joint: str, name: str = "force") -> Array:
        """What a joint exerts on its first part, a row for each of `times`: "force", "moment"; or its "position".

        A hinge has its "axis" in space and the "angle" of its second part against the first, too.
        """
        return self._history("joints", self.joints, joint, name)

    def spring(self, spring: str, name: str = "force") -> Array:
        """The "force" (> 0 pulls) or "length" of a spring at each of `times`, or its "ends", [times, 2, 3]."""
        return self._history("springs", self.springs, spring, name)

    def obstacle(self, obstacle: str, name: str = "force") -> Array:
        """What an obstacle exerts on all rods, a row for each of `times`: "force"; or its "position" or "frame"."""
        return self._history("obstacles", self.obstacles, obstacle, name)

    def _history(self, group: str, known: tuple[str, ...], one: str, name: str) -> Array:
        """A dataset of result.h5 that belongs to a body, joint, spring or obstacle."""
        out, size = ffi.new("wy_stored_field **"), HISTORIES[group].get(name)
        if size is None:
            raise InputError(f"found '{name}'; expected one of {', '.join(HISTORIES[group])}")
        found_index(one, known, group[:-1] if group != "bodies" else "body")
        self._call(lib.wy_folder_field, encoded(f"/{group}/{one}/{name}"), size, out)
        if not out[0]:
            raise InputError(f"{self.folder}: found no {name} of '{one}' in /{group}")
        stored, count = out[0], len(self.times)
        values = np.empty((count, stored.points, size))
        self._call(lib.wy_folder_read, stored, 0, 1, count, ffi.from_buffer("double[]", values))
        return values if stored.points > 1 else values[:, 0] if size > 1 else values[:, 0, 0]

    def field(self, rod: str, name: str = "position") -> Field:
        """A quantity along a rod in all snapshots: "position", "frame", "force", ... (docs/guide/results.md)."""
        out, size = ffi.new("wy_stored_field **"), SIZES.get(name, 3)
        self._call(lib.wy_folder_rod_field, encoded(rod), encoded(name), size, out)
        if not out[0]:
            raise InputError(f"{self.folder}: found no {name} of a rod '{rod}'; the rods are {', '.join(self.rods)}")
        stored, times = out[0], self.times
        values = np.empty((len(times), stored.points, stored.components))
        self._call(lib.wy_folder_read, stored, 0, 1, len(times), ffi.from_buffer("double[]", values))
        return Field(times, shared(self._folder, stored.s, (stored.points,)), values)

    def batch(self, batch: str, name: str = "position") -> Field:
        """A quantity along all copies of a rod at once, or along the recorded rods of a batch.

        Values are [snapshots, rods, points, components]. Of a batch there are "position", "frame" and "velocity" of the
        rods that are recorded (`batch_recorded`), and of all rods the "tip" and the probes of the batch, by their names or
        as "probes/tip": [snapshots, rods, components], or [snapshots, rods] of a number; they have no arc lengths.
        """
        found_index(batch, self.batches, "batch")
        of_all = name not in OF_RECORDED and self._is_batch(batch)
        probe = of_all and name != "tip"
        path = f"/batches/{batch}/probes/{name.removeprefix('probes/')}" if probe else f"/batches/{batch}/{name}"
        stored, times = self._stored(path, PROBE_SIZES if probe else (SIZES.get(name, 3),)), self.times
        if not stored:
            raise InputError(f"{self.folder}: found no {name} in the batch '{batch}'; {self._has(batch)}")
        values = np.empty((len(times), stored.lines, stored.points, stored.components))
        self._call(lib.wy_folder_read, stored, 0, 1, len(times), ffi.from_buffer("double[]", values))
        if not of_all:
            return Field(times, shared(self._folder, stored.s, (stored.points,)), values)
        rows = values.reshape(len(times), -1, stored.components)
        return Field(times, np.empty(0), rows if stored.components > 1 else rows[:, :, 0])

    def batch_recorded(self, batch: str) -> npt.NDArray[np.int64]:
        """The numbers of those rods of a batch, from 0 on, whose positions are in `batch(batch)`."""
        return self._of_rods(batch, "rods").astype(np.int64)

    def batch_numbers(self, batch: str) -> dict[str, Array]:
        """What differs from rod to rod of a batch, by the names that `Batch` has for it: "radius", "root", ...

        Each is [rods], or [rods, components].
        """
        names = self._names(f"batches/{batch}/numbers") if batch in self.batches else ()
        return {name: self._of_rods(batch, f"numbers/{name}") for name in names}

    def batch_status(self, batch: str) -> Any:
        """How the rods of a batch have fared until the end of the run: an array as that of `Batch.status`."""
        columns = {name: self._of_rods(batch, f"status/{name}") for name in STATUS.names or ()}
        found = np.zeros(len(columns["failed"]), dtype=STATUS)
        for name, values in columns.items():
            found[name] = values
        return found

    def _is_batch(self, batch: str) -> bool:
        """Or are they copies?"""
        with self._lock:
            return text(lib.wy_folder_text(self._folder, encoded(f"/batches/{batch}"), b"kind")) == "batch"

    def _has(self, batch: str) -> str:
        if not self._is_batch(batch):
            return "docs/guide/results.md has all names"
        return "expected one of " + ", ".join([*OF_RECORDED, "tip", *self._names(f"batches/{batch}/probes")])

    def _stored(self, path: str, sizes: tuple[int, ...]) -> Any:
        """A field of result.h5 that has one of these numbers of components; NULL: there is none."""
        out = ffi.new("wy_stored_field **")
        with self._lock:
            for size in sizes:
                status = lib.wy_folder_field(self._folder, encoded(path), size, out, self._message)
                if status != lib.WY_ERROR_INPUT:
                    break
            check(status, self._message)
        return out[0]

    def _of_rods(self, batch: str, name: str) -> Array:
        """A dataset of a batch that does not change with time, a row for each rod."""
        found_index(batch, self.batches, "batch")
        out = ffi.new("wy_stored_numbers **")
        self._call(lib.wy_folder_numbers, encoded(f"/batches/{batch}/{name}"), out)
        if not out[0]:
            raise InputError(f"{self.folder}: found no {name} of '{batch}', whose rods are copies; expected a batch"
                             if not self._is_batch(batch) else f"{self.folder}: found no {name} of the batch '{batch}'")
        rows, components, _ = out[0].size
        array = np.array(shared(self._folder, out[0].values, (rows, components)))
        return array if components > 1 else array[:, 0]

    @functools.cached_property
    def snapshots(self) -> Any:
        """result.h5: the open file where h5py is installed, `run.snapshots["rods/arm/position"][-1]`.

        Without h5py a dict of the fields that `field` reads, by the same names.
        """
        if importlib.util.find_spec("h5py"):
            import h5py

            return h5py.File(self.folder / "result.h5", "r", locking=False)
        found = {}
        for name in ("position", "velocity", "frame", "angular_velocity", "strain", "force", "curvature", "moment"):
            for rod in self._names("rods"):
                found[f"rods/{rod}/{name}"] = self.field(rod, name).values
            for batch in self.batches:
                if name in OF_RECORDED or not self._is_batch(batch):
                    found[f"batches/{batch}/{name}"] = self.batch(batch, name).values
        for group, known in (("bodies", self.bodies), ("joints", self.joints), ("springs", self.springs)):
            for one in known:
                for name in HISTORIES[group]:
                    if name not in ("axis", "angle"):
                        found[f"{group}/{one}/{name}"] = self._history(group, known, one, name)
        return found

    # ---- Pictures ----

    def view(self, file: str | os.PathLike[str] | None = None, frames: int = 0) -> Path:
        """Writes the page of `withy view`, which plays the run in 3D in any browser, and returns its path.

        The default is view.html in the folder of the run. `frames` is the largest number of snapshots; 0: all.
        """
        page = Path(file) if file is not None else self.folder / "view.html"
        self._call(lib.wy_draw_page, encoded_path(page), frames)
        return page

    def export(self, file: str | os.PathLike[str], *, shape: str | None = None, rod: str | None = None,
               at: float | None = None, frames: int = 0, sides: int = 16, up: str | None = None, scale: float = 1,
               speed: float = 1) -> list[Path]:
        """Writes the run for other programs, as `withy export` does, and returns the files.

        The ending of `file` is the format: .glb, .obj, .csv or .usda. `shape` is "tubes" or "lines"; `rod` takes one rod
        alone, `at` the snapshot nearest to a time, `frames` at most so many. docs/guide/export.md describes the files.
        """
        ending, written = Path(file).suffix[1:].lower(), list[Path]()
        definition = ffi.new("wy_export_def *", lib.wy_default_export_def())
        definition.format = found_index(ending, FORMATS, "format")
        definition.shape = 0 if shape is None else 1 + found_index(shape, ("tubes", "lines"), "shape")
        path, name = ffi.new("char[]", encoded_path(file)), ffi.new("char[]", encoded(rod or ""))
        context = ffi.new_handle(written)
        definition.path, definition.rod = path, ffi.NULL if rod is None else name
        definition.at, definition.snapshots = float("nan") if at is None else at, frames
        definition.sides, definition.scale, definition.speed = sides, scale, speed
        definition.up = b"\0" if up is None else b"xyz"[found_index(up, "xyz", "axis"):][:1]
        definition.context, definition.wrote = context, lib.withy_wrote
        self._call(lib.wy_export, definition)
        return written

    def _repr_html_(self) -> str:
        """The 3D page in a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            return embedded(self.view(Path(folder) / "view.html"))


def embedded(page: Path, height: int = 480) -> str:
    """A page for a notebook: as a frame that contains it."""
    content = html.escape(page.read_text(encoding="utf-8"), quote=True)
    return f'<iframe srcdoc="{content}" style="width: 100%; height: {height}px; border: 0" allowfullscreen></iframe>'


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Opens the folder of a run; `withy.open(folder)`."""
    return Run(folder)


def run(scenario: Model | Scenario, folder: str | os.PathLike[str] | None = None, *, resume: bool = False,
        threads: int | None = None, progress: Progress | None = None, **settings: Any) -> Run:
    """Runs a scenario into a folder, as `withy run` does, and returns the run.

    Without `folder` the files lie in a temporary one that goes with the run. `progress(t, end)` is called many times a
    second. `threads` (default: the number of cores) compute rods at the same time; the files do not depend on their
    number. Ctrl-C ends the run; its files are complete, and `resume=True` goes on with it. Further keywords are
    settings, as for Model.

    A doubtful result is a ResultWarning; one that is known to be wrong raises ResultError, whose `run` has the files.
    """
    need_runs()
    if isinstance(scenario, Model) and settings:
        raise InputError("found settings beside a Model; expected them where the Model is made")
    model = scenario if isinstance(scenario, Model) else Model(scenario, **settings)
    place = tempfile.mkdtemp(prefix="withy-") if folder is None else os.fspath(folder)
    status, report, message, calls = _run(model, place, resume, threads, progress)
    sentence, findings = text(report.message), [finding(report.findings[i]) for i in range(report.finding_count)]
    path, end = text(message.path), report.end
    lib.wy_run_report_free(report)
    if end == lib.WY_RUN_REFUSED:
        if folder is None:
            shutil.rmtree(place, ignore_errors=True)
        raise exception(status, f"{path}: {text(message.text)}" if path else text(message.text))
    result = Run(place)
    result.findings = findings
    if folder is None:
        weakref.finalize(result, shutil.rmtree, place, ignore_errors=True)
    if end == lib.WY_RUN_INTERRUPTED:
        raise calls.error or KeyboardInterrupt(sentence)
    for one in findings:
        if one.severity in ("warning", "wrong") and one.line != sentence:
            warnings.warn(one.line, ResultWarning, stacklevel=2)
    if end in (lib.WY_RUN_FAILED, lib.WY_RUN_WRONG):
        error = exception(status, sentence)
        if isinstance(error, SolverError):
            error.run = result
        raise error
    return result


class _Calls:
    """What a run calls back, and what went wrong there."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.error: BaseException | None = None


def _run(model: Model, folder: str, resume: bool, threads: int | None,
         progress: Progress | None) -> tuple[int, Any, Any, _Calls]:
    scenario, calls, pool = model._read(), _Calls(progress), model._pool(threads)
    scenario.sim.tasks = lib.wy_pool_tasks(pool)
    context, name = ffi.new_handle(calls), ffi.new("char[]", encoded_path(folder))
    definition = ffi.new("wy_run_def *", lib.wy_default_run_def())
    definition.scenario, definition.folder, definition.resume = scenario, name, resume
    definition.context, definition.interrupted = context, lib.withy_interrupted
    if progress:
        definition.progress = lib.withy_progress
    report, message = ffi.new("wy_run_report *"), ffi.new("wy_message *")
    return lib.wy_run(definition, report, message), report, message, calls


def need_runs() -> None:
    if not HAS_RUNS:
        raise InputError("this package was built without runs; build it where HDF5 and zlib are installed")


def _progress(context: Any, t: float, end: float) -> None:
    calls: _Calls = ffi.from_handle(context)
    try:
        if calls.progress and calls.error is None:
            calls.progress(t, end)
    except BaseException as error:  # Ctrl-C among them: the run stops, and it is raised after that
        calls.error = error


def _interrupted(context: Any) -> bool:
    """Ctrl-C arrives here: the `error` of def_extern is the answer then."""
    calls: _Calls = ffi.from_handle(context)
    return calls.error is not None


def _wrote(context: Any, path: Any) -> None:
    files: list[Path] = ffi.from_handle(context)
    files.append(Path(os.fsdecode(ffi.string(path))))


if HAS_RUNS:
    ffi.def_extern(name="withy_wrote")(_wrote)
    ffi.def_extern(name="withy_progress")(_progress)
    ffi.def_extern(name="withy_interrupted", error=True, onerror=lambda *_: None)(_interrupted)
