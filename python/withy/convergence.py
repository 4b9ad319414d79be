# SPDX-License-Identifier: MIT
"""Convergence: how wrong a result is, from runs at finer resolutions, as `withy converge` finds out."""
from __future__ import annotations

import functools
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, NamedTuple

import numpy as np

from ._withy import ffi, lib
from .crew import STOPPED, crew_size, new_flag, together
from .errors import InputError, ResultWarning, check, names, text
from .model import ANALYSES, Array, Model, Scenario, encoded_path, found_index
from .plans import frame
from .rods import shared
from .runs import HAS_RUNS, embedded, need_runs

REFINEMENTS = names(lib.wy_refinement_name) if HAS_RUNS else ()
VERDICTS = names(lib.wy_convergence_name) if HAS_RUNS else ()
SHARE = ffi.addressof(lib, "withy_share")
MOST_RUNS = 64  # more than the library makes


class Level(NamedTuple):
    """One of the runs that were made."""

    level: int  #: from 0, the scenario as it is; -1: the run that tells errors in time from those in space
    segments: int  #: of all rods together
    step: float  #: the longest fixed step; 0 if there is none
    tolerance: float  #: the largest relative tolerance; 0 if there is none
    work: float  #: a rough estimate of the cost, divided by that of the first run
    seconds: float  #: of computation
    settings: tuple[str, ...]  #: PATH=VALUE: `withy run --set` with these gives the same rows


class Estimate(NamedTuple):
    """What the values of a probe or a mode at all levels say. Norms of vectors; over a course in time, the largest."""

    name: str  #: of the probe, or "mode 1", "damping 1", "factor 1"
    unit: str  #: in SI; "1" without one
    verdict: str  #: "converges", "faster", "slower", "irregular", ... (docs/guide/convergence.md)
    trusted: bool  #: are the errors estimates or upper limits?
    promised: float  #: the order that scheme and integrator promise
    order: float  #: the observed order; NaN if there is none
    used: float  #: the order of the extrapolation; NaN if there is none
    agreement: float  #: 1: the last two differences have the same shape over the course; -1: opposite signs
    scale: float  #: the largest norm at the finest level; relative errors refer to it
    time_error: float  #: the part of errors[0] that is due to steps or tolerance; NaN if it is not known
    differences: Array  #: [levels - 1] between a level and the next
    errors: Array  #: [runs] estimates of the largest error over the course
    end_errors: Array  #: [runs] the same at the end of the course alone
    values: Array  #: [runs, components] at the end of the course
    extrapolated: Array  #: [components] the limit at the end of the course
    component_orders: Array  #: [components] observed at the end of the course
    course: Array  #: [rows, components] the limit at all times; of a mode, one row

    @property
    def error(self) -> float:
        """Of the scenario as it is: errors[0]."""
        return float(self.errors[0])

    @property
    def relative_error(self) -> float:
        """The error divided by the scale."""
        return self.error / self.scale if self.scale > 0 else float("nan")


class Convergence:
    """What `withy.converge` has found: observed orders, limits and errors. `print` shows the table."""

    def __init__(self, report: Any) -> None:
        self._report = report  # holds all arrays
        self.scenario = text(report.scenario)  #: its name
        self.title = text(report.title)  #: of the scenario
        self.analysis = str(ANALYSES[report.analysis])  #: "dynamics", ...
        self.refine = str(REFINEMENTS[report.refine])  #: what was made finer: "all", "segments", "step" or "tolerance"
        self.trusted = bool(report.trusted)  #: are all results?
        self.levels = int(report.level_count)  #: the number of levels
        self.finest = int(report.finest)  #: the run of the last level
        self.times = shared(report, report.times, (report.row_count,))  #: of the course
        self.runs = tuple(_level(report.runs[i]) for i in range(report.run_count))  #: Level of each run, the scenario first
        #: Estimate of each probe and mode, by name
        self.results = {one.name: one for one in (_estimate(report, i) for i in range(report.result_count))}

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a probe or a mode."""
        return list(self.results.values())[found_index(name, self.results, "result")]

    @functools.cached_property
    def table(self) -> Any:
        """A row for each result: a DataFrame where pandas is installed, else a dict of lists."""
        rows = self.results.values()
        columns = ("name", "unit", "verdict", "promised", "order", "error", "relative_error", "time_error", "trusted")
        return frame({column: [getattr(row, column) for row in rows] for column in columns})

    def needed(self, name: str, target: float) -> float:
        """How many times as fine a run must be for a relative error of `target`; 1: the scenario will do.

        As many times more segments, or shorter steps. NaN if it cannot be predicted.
        """
        return float(lib.wy_converge_needed(self._report, found_index(name, self.results, "result"), target))

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the files of `withy converge` into a folder: converge.json, converge.csv, and the page index.html."""
        message = ffi.new("wy_message *")
        check(lib.wy_converge_write(self._report, encoded_path(folder), message), message)
        check(lib.wy_draw_converge(self._report, encoded_path(Path(folder) / "index.html"), message), message)

    def _repr_html_(self) -> str:
        """The page in a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            self.save(folder)
            return embedded(Path(folder) / "index.html")

    def __repr__(self) -> str:
        return f"<withy.Convergence of {self.scenario}: {self.levels} levels, {', '.join(self.results)}>"

    def __str__(self) -> str:
        lines = [f"{'probe':16} {'promised':>8} {'order':>8} {'error':>10} {'relative':>10}   verdict"]
        lines += [f"{one.name:16} {one.promised:8.3g} {one.order:8.3g} {one.error:10.3g} {one.relative_error:10.2g}   "
                  f"{one.verdict}" for one in self.results.values()]
        return "\n".join(lines)


def converge(scenario: Model | Scenario, *, levels: int = 3, refine: str = "all", threads: int | None = None,
             progress: Callable[[float], None] | None = None, **settings: Any) -> Convergence:
    """Runs a scenario as it is and at finer resolutions, as `withy converge` does: how wrong is the result?

    `refine` says what is made finer from level to level: "segments", "step", "tolerance" or "all". The runs are made in
    memory, in `threads` (default: the number of cores); `progress(share)` is called ten times a second, `share` is from 0
    to 1. Further keywords are settings, as for Model. Ctrl-C ends the runs.

    Errors that cannot be trusted are a ResultWarning. Raises SolverError or ResultError where a run fails.
    """
    need_runs()
    if isinstance(scenario, Model) and settings:
        raise InputError("found settings beside a Model; expected them where the Model is made")
    model, crew = scenario if isinstance(scenario, Model) else Model(scenario, **settings), crew_size(threads)
    message, out, flag = ffi.new("wy_message *"), ffi.new("wy_converge **"), new_flag(MOST_RUNS)
    definition = ffi.new("wy_converge_def *", lib.wy_default_converge_def())
    definition.scenario, definition.levels = model._scenario, levels
    definition.refine = found_index(refine, REFINEMENTS, "refinement")
    definition.context, definition.interrupted, definition.progress = flag, STOPPED, SHARE
    check(lib.wy_converge_create(definition, out, message), message)
    made = ffi.gc(out[0], lib.wy_converge_destroy)
    work = [lib.wy_converge_describe(made, i).work for i in range(lib.wy_converge_run_count(made))]

    def report() -> None:
        if progress:
            progress(sum(one * flag[1 + i] for i, one in enumerate(work)) / (1000 * sum(work)))

    together(functools.partial(lib.wy_converge_work, made), flag, crew, report if progress else None)
    found = ffi.gc(ffi.new("wy_converge_report *"), lib.wy_converge_report_free)
    check(lib.wy_converge_judge(made, found, message), message)
    result = Convergence(found)
    doubtful = [f"{one.name} ({one.verdict})" for one in result.results.values() if not one.trusted]
    if doubtful:
        warnings.warn(f"the errors cannot be trusted of {', '.join(doubtful)}", ResultWarning, stacklevel=2)
    return result


def _level(run: Any) -> Level:
    settings = tuple(text(run.settings[i]) for i in range(run.setting_count))
    return Level(run.level, run.segments, run.step, run.tolerance, run.work, run.seconds, settings)


def _estimate(report: Any, index: int) -> Estimate:
    one, runs = report.results[index], report.run_count
    size = one.components
    return Estimate(text(one.name), text(one.unit), str(VERDICTS[one.verdict]), bool(one.trusted), one.promised, one.order,
                    one.used, one.agreement, one.scale, one.time_error,
                    shared(report, one.differences, (report.level_count - 1,)), shared(report, one.errors, (runs,)),
                    shared(report, one.end_errors, (runs,)), shared(report, one.values, (runs, size)),
                    np.array(list(one.extrapolated[0:size])), np.array(list(one.component_orders[0:size])),
                    shared(report, one.course, (one.row_count, size)))
