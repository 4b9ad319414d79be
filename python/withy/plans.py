# SPDX-License-Identifier: MIT
"""Plans of sweeps: which scenario, what varies, and what is kept of each run."""
from __future__ import annotations

import functools
import importlib.util
import itertools
import math
import os
import re
from pathlib import Path
from typing import Any, Mapping, Sequence, Union

import numpy as np

from ._withy import ffi, lib
from .errors import InputError, text
from .model import (BUILT_IN, Model, built_in_tables, check_read, encoded, encoded_path, files, found_index, is_text,
                    scenarios, setting, strings, written)
from .runs import need_runs

PlanSource = Union[Mapping[str, Any], str, "os.PathLike[str]"]
INSIDE = "<scenario>"  # the name of a scenario within a plan
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?: +([^\W\d]\S*))?")


class Plan:
    """A plan of a sweep, read and checked; nothing is computed. Points are numbered from 0. Threads may share it.

    `plan` is a dict, the text of a plan (YAML or JSON), or the path of a file; docs/guide/sweep.md has the keys. In a
    dict the scenario may be a file, a built-in name, or a scenario itself, as a dict or a text. Further keywords are
    settings of all points, as of the option `--set`:

        plan = withy.Plan({"withy": 1, "scenario": "rubber-pendulum", "vary": {"rods.pendulum.segments": [5, 10]}})
        print(len(plan), plan["rods.pendulum.segments"], plan.settings(1))

    Raises InputError with the sentence of the command if anything is wrong.
    """

    def __init__(self, plan: PlanSource, **settings: Any) -> None:
        need_runs()
        self._label, content, self._inside = _source(plan)
        known = {name: (BUILT_IN / f"{name}.yaml").read_text(encoding="utf-8") for name in scenarios()}
        lines, held_lines = strings(setting(path, value) for path, value in settings.items())
        texts, held_texts = files({**known, **self._inside})
        tables, held_tables = files(built_in_tables())
        label, body = ffi.new("char[]", encoded_path(self._label)), ffi.new("char[]", encoded(content or ""))
        definition = ffi.new("wy_plan_def *", lib.wy_default_plan_def())
        definition.label, definition.text = label, ffi.NULL if content is None else body
        definition.settings, definition.setting_count = lines, len(held_lines)
        definition.scenarios, definition.scenario_count = texts, len(held_texts)
        definition.files, definition.file_count = tables, len(held_tables)
        out, error = ffi.new("wy_plan **"), ffi.new("wy_scenario_error *")
        check_read(lib.wy_plan_read(definition, out, error), error)
        self._plan = made = ffi.gc(out[0], lib.wy_plan_destroy)
        self.scenario = text(lib.wy_plan_scenario(made))  #: the name of the scenario
        self.parameters = _names(made, "parameter")  #: the paths that vary: "rods.pendulum.segments"
        self.quantities = _names(made, "quantity")  #: the names of what is kept as one number of each run
        #: the names of what is kept as a course in time, with their columns: {"path": ("tip.x", "tip.y", "tip.z")}
        self.series = {name: tuple(text(lib.wy_plan_series_column(made, i, k))
                                   for k in range(lib.wy_plan_series_column_count(made, i)))
                       for i, name in enumerate(_names(made, "series"))}

    def __len__(self) -> int:
        """The number of points."""
        return int(lib.wy_plan_point_count(self._plan))

    def __repr__(self) -> str:
        return f"<withy.Plan of {self.scenario}: {len(self)} points, {', '.join(self.parameters)}>"

    @functools.cached_property
    def units(self) -> dict[str, str]:
        """The units of the quantities in SI, "1" without one, "" where it is not known."""
        return {name: text(lib.wy_plan_quantity_unit(self._plan, i)) for i, name in enumerate(self.quantities)}

    @functools.cached_property
    def texts(self) -> dict[str, list[str]]:
        """The values of all parameters at all points, as they stand in PATH=VALUE."""
        return {path: [_sized(lib.wy_plan_value, self._plan, point, i) for point in range(len(self))]
                for i, path in enumerate(self.parameters)}

    def __getitem__(self, parameter: str) -> Any:
        """The values of a parameter at all points: an array of numbers, without their unit, or else of texts."""
        return numbers(self.texts[self.parameters[found_index(parameter, self.parameters, "parameter")]])

    @functools.cached_property
    def table(self) -> Any:
        """All points: a DataFrame where pandas is installed, else a dict of arrays."""
        return frame({"point": np.arange(len(self)), **{path: self[path] for path in self.parameters}})

    def settings(self, point: int) -> tuple[str, ...]:
        """The settings PATH=VALUE of a point. `withy run --set` with all of them, in this order, gives its row."""
        if not -len(self) <= point < len(self):
            raise InputError(f"found point {point}; expected one below {len(self)}")
        count = lib.wy_plan_setting_count(self._plan)
        return tuple(_sized(lib.wy_plan_setting, self._plan, point % len(self), i) for i in range(count))

    def model(self, point: int) -> Model:
        """The model of a point, to look at it closely: `withy.Simulation(plan.model(3))`, `withy.run(plan.model(3))`."""
        given: dict[str, str] = {}
        for path, value in (line.split("=", 1) for line in self.settings(point)):
            given.pop(path, None)  # the later one stands later
            given[path] = value
        beside = Path(self._label).parent / self.scenario
        return Model(self._inside.get(self.scenario, beside if beside.is_file() else self.scenario), **given)


def numbers(texts: Sequence[str]) -> Any:
    """Values as an array of numbers where all are numbers in the same unit; else as an array of texts."""
    found = [NUMBER.fullmatch(one) for one in texts]
    if all(found) and len({one[2] for one in found if one}) == 1:
        return np.array([float(one[1]) for one in found if one])
    return np.array(texts, dtype=object)


def axes(columns: Mapping[str, Sequence[str]], points: int) -> dict[str, Any]:
    """The values along each axis of a grid, whose last parameter varies fastest."""
    distinct = [list(dict.fromkeys(values)) for values in columns.values()]
    if points != math.prod(map(len, distinct)) or list(itertools.product(*distinct)) != list(zip(*columns.values())):
        raise InputError("the points are no grid; expected all points of a plan with combine: grid and no value twice")
    return {path: numbers(values) for path, values in zip(columns, distinct)}


def frame(columns: Mapping[str, Any]) -> Any:
    """Columns as a DataFrame where pandas is installed, else as a dict."""
    if importlib.util.find_spec("pandas"):
        import pandas

        return pandas.DataFrame(dict(columns))
    return dict(columns)


def _source(plan: PlanSource) -> tuple[str, str | None, dict[str, str]]:
    """Label and text of a plan, None for a file, and scenarios within it by name."""
    if isinstance(plan, Mapping):
        scenario = plan.get("scenario")
        inside: dict[str, str] = {}
        if isinstance(scenario, Mapping):
            inside = {f"{INSIDE}.json": written(scenario, indent=1)}
        elif is_text(scenario):
            inside = {INSIDE: str(scenario)}
        elif isinstance(scenario, os.PathLike):
            plan = {**plan, "scenario": os.fspath(scenario)}
        return "plan.json", written({**plan, **{"scenario": name for name in inside}}, indent=1), inside
    return ("plan", str(plan), {}) if is_text(plan) else (os.fspath(plan), None, {})


def _names(plan: Any, what: str) -> tuple[str, ...]:
    """The names that a plan has of something."""
    name, count = getattr(lib, f"wy_plan_{what}"), getattr(lib, f"wy_plan_{what}_count")
    return tuple(text(name(plan, i)) for i in range(count(plan)))


def _sized(function: Any, *arguments: Any) -> str:
    """The text of a function that works like snprintf."""
    size = 128
    while True:
        buffer = ffi.new("char[]", size)
        length = function(*arguments, buffer, size)
        if length < size:
            return text(buffer)
        size = length + 1
