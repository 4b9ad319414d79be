# SPDX-License-Identifier: MIT
"""Models: what is simulated, read from a scenario."""
from __future__ import annotations

import difflib
import functools
import json
import os
from pathlib import Path
from typing import Any, Iterable, Mapping, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from ._withy import ffi, lib
from .crew import pool
from .errors import InputError, check, exception, names, text
from .findings import Finding, listed
from .grids import taken_out

Array = npt.NDArray[np.float64]
Scenario = Union[Mapping[str, Any], str, "os.PathLike[str]"]

BUILT_IN = Path(__file__).parent / "scenarios"
ANALYSES, KINDS = names(lib.wy_analysis_name), names(lib.wy_rod_kind_name)
# Reads files of distances, where HDF5 is there.
DISTANCES = ffi.addressof(lib, "wy_distance_file") if hasattr(lib, "wy_distance_file") else ffi.NULL
AT_PLACE, AT_ENDS, OF_ROD, OF_ALL = range(4)


class Quantity(NamedTuple):
    """Something that can be measured: a row of the table of `withy keys`."""

    number: int
    name: str  #: "angular_velocity"
    unit: str  #: in SI; "1" without one
    letters: str  #: one for each component: "xyz"; "" for a scalar
    place: int  #: where it is measured: at a place of a rod (0), at its ends (1), of a rod (2), of all rods (3), of a joint (4)


class Probe(NamedTuple):
    """A quantity that is recorded at every output time."""

    name: str
    quantity: Quantity
    rod: int  #: index, or -1 for all rods
    s: float  #: arc length


class RodInfo(NamedTuple):
    """What the model knows of a rod."""

    name: str
    kind: str  #: "cosserat", "kirchhoff" or "inextensible"
    length: float
    segments: int


@functools.lru_cache(maxsize=None)
def quantities() -> dict[str, Quantity]:
    """All quantities that `Simulation.probe` and the probes of a scenario know, by name."""
    rows = (lib.wy_quantity_describe(i) for i in range(lib.WY_QUANTITY_COUNT))
    table = (Quantity(i, text(row.name), text(row.unit), text(row.letters), row.place) for i, row in enumerate(rows))
    return {quantity.name: quantity for quantity in table}


def scenarios() -> list[str]:
    """The names of the built-in scenarios, as `withy list` has them."""
    return sorted(path.stem for path in BUILT_IN.glob("*.yaml"))


def built_in_tables() -> dict[str, str]:
    """The tables that built-in scenarios name, with their texts."""
    return {path.name: path.read_text(encoding="utf-8") for path in BUILT_IN.glob("*.csv")}


def plain(value: Any) -> Any:
    """What JSON cannot write by itself: numbers and arrays of numpy, paths."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise InputError(f"found a {type(value).__name__} in a scenario; expected numbers, texts, lists and dicts")


def encoded(content: str) -> bytes:
    """A text for C, which would take a zero byte for its end."""
    if "\0" in content:
        raise InputError("found a zero byte in a text; expected none")
    return content.encode()


def encoded_path(path: str | os.PathLike[str]) -> bytes:
    """The name of a file for C."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise InputError(f"found a zero byte in the name {os.fspath(path)!r}; expected the name of a file or folder")
    return name


def written(value: Any, indent: int | None = None) -> str:
    """A value as JSON."""
    try:
        return json.dumps(value, indent=indent, default=plain)
    except RecursionError:
        raise InputError("found lists and dicts within each other without an end in a scenario") from None
    except (TypeError, ValueError) as error:  # keys that are no texts, and circles
        raise error if isinstance(error, InputError) else InputError(f"in a scenario: {error}") from None


def setting(path: str, value: Any) -> str:
    """PATH=VALUE as the option --set has it: a text stands as it is, all else as JSON."""
    return f"{path}={value if isinstance(value, str) else written(value)}"


def strings(texts: Iterable[str]) -> tuple[Any, list[Any]]:
    """A C array of texts, NULL for none, and what must be held as long as it is used."""
    held = [ffi.new("char[]", encoded(one)) for one in texts]
    return ffi.new("char *[]", held) if held else ffi.NULL, held


def files(contents: Mapping[str, str]) -> tuple[Any, list[Any]]:
    """An array of wy_scenario_file with files that are in memory, and what must be held as long as it is used."""
    held = [(ffi.new("char[]", encoded(name)), ffi.new("char[]", encoded(one))) for name, one in contents.items()]
    return ffi.new("wy_scenario_file[]", held) if held else ffi.NULL, held


def check_read(status: int, error: Any) -> None:
    """Raises where a text was refused; `error` is a wy_scenario_error."""
    if status != lib.WY_OK:
        sentence = (text(error.text) + "\n" + text(error.excerpt)).rstrip()
        raise exception(lib.WY_ERROR_INPUT if status == lib.WY_ERROR_FILE else status, sentence)


def is_text(given: object) -> bool:
    """Is it a text in YAML or JSON, not the name of a file?"""
    return isinstance(given, str) and ("\n" in given or given.lstrip().startswith("{"))


class Model:
    """Rods and what acts on them, read from a scenario and checked. It does not change; threads may share it.

    `scenario` is a dict, the text of a scenario (YAML or JSON), the path of a file, or the name of a built-in scenario.
    A `str` with a line break, or one that begins with a brace, is a text. Further keywords are settings as of the option
    `--set`; their names are paths of the scenario:

        withy.Model("rubber-pendulum", gravity=[0, 0, -1.62], **{"rods.pendulum.segments": 20})

    In a dict an obstacle of the shape `distance` may have its grid as an array, in place of a file: `"distance": values,
    "origin": [x, y, z], "step": h`.

    Raises InputError with the sentence of the command if anything is wrong.
    """

    def __init__(self, scenario: Scenario, **settings: Any) -> None:
        self._source = _source(scenario)
        self._settings: tuple[str, ...] = tuple(setting(path, value) for path, value in settings.items())
        self._make()

    def _with(self, settings: Mapping[str, Any]) -> Model:
        """The model with further settings."""
        other = Model.__new__(Model)
        other._source = self._source
        other._settings = self._settings + tuple(setting(path, value) for path, value in settings.items())
        other._make()
        return other

    def _make(self) -> None:
        scene = self._read()
        made = ffi.new("wy_model **")
        sim = ffi.new("wy_sim **")
        message = ffi.new("wy_message *")
        check(lib.wy_scenario_build(scene, made, sim, message), message)
        # Who holds the model holds the scenario: its signals are expressions of the scenario.
        self._scenario = scene
        self._model = ffi.gc(made[0], functools.partial(_destroy_model, scene))
        # The check of the scenario made a simulation, which the first Simulation takes.
        self._spare = [ffi.gc(sim[0], functools.partial(_destroy_sim, self._model))]

    def _read(self) -> Any:
        """Reads the scenario anew; for a run, which takes over what it finds in it."""
        label, name, content, grids = self._source
        settings, held = strings(self._settings)
        out, error = ffi.new("wy_scenario **"), ffi.new("wy_scenario_error *")
        tables, texts = files({**(built_in_tables() if content and name in scenarios() else {}), **grids})
        given = (ffi.NULL, ffi.NULL) if content is None else (ffi.new("char[]", encoded(name)),
                                                              ffi.new("char[]", encoded(content)))
        status = lib.wy_scenario_read_using(DISTANCES, encoded_path(label), *given, settings, len(held), tables,
                                            len(texts), out, error)
        check_read(status, error)
        for i in range(out[0].batch_count):
            getattr(out[0].batches[i], "def").gpu = lib.wy_gpu()
        return ffi.gc(out[0], lib.wy_scenario_destroy)

    def _simulation(self, end: float | None, statics: bool | None, pool: Any) -> Any:
        """A new wy_sim, which holds the model."""
        if end is None and statics is None and not pool:
            try:
                return self._spare.pop()
            except IndexError:
                pass
        definition = ffi.new("wy_sim_def *", self._scenario.sim)
        if end is not None:
            definition.end = end
        if statics is not None:
            definition.statics = statics
        definition.tasks = lib.wy_pool_tasks(pool)
        sim, message = ffi.new("wy_sim **"), ffi.new("wy_message *")
        check(lib.wy_sim_create(self._model, definition, sim, message), message)
        return ffi.gc(sim[0], functools.partial(_destroy_sim, self._model))

    def _pool(self, threads: int | None) -> Any:
        """Threads for a simulation of this model, or NULL."""
        return pool(threads, len(self.rods) + len(self.bodies) + sum(self.batches.values()))

    @functools.cached_property
    def _patterns(self) -> Any:
        """The wy_model of the patterns of batches."""
        made, message = ffi.new("wy_model **"), ffi.new("wy_message *")
        check(lib.wy_scenario_patterns(self._scenario, made, message), message)
        return ffi.gc(made[0], functools.partial(_destroy_model, self._scenario))

    def __repr__(self) -> str:
        parts = [f"{rod.name} ({rod.segments} segments)" for rod in self.rods] + list(self.bodies)
        parts += [f"{name} ({count} rods)" for name, count in self.batches.items()]
        return f"<withy.Model {self.name}: {self.analysis}, {', '.join(parts[:5])}{', ...' if len(parts) > 5 else ''}>"

    @property
    def name(self) -> str:
        """The name of the file without its ending, of the built-in scenario, or "scenario"."""
        return text(self._scenario.name)

    @property
    def title(self) -> str:
        """The title of the scenario, or ""."""
        return text(self._scenario.title)

    @property
    def text(self) -> str:
        """The text that was read; for a dict, its JSON. Lines in messages are lines of it."""
        return text(self._scenario.text)

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that were applied, each as PATH=VALUE."""
        return self._settings

    @property
    def analysis(self) -> str:
        """What `withy.run` computes: "dynamics", "quasistatics", "statics", "modes" or "buckling"."""
        return str(ANALYSES[self._scenario.analysis])

    @property
    def end(self) -> float:
        """The end time; for statics, modes and buckling the time of the loads."""
        return float(self._scenario.end)

    @functools.cached_property
    def times(self) -> Array:
        """The times of the rows of probes.csv."""
        count = lib.wy_scenario_row_count(self._scenario)
        times = np.array([lib.wy_scenario_row_time(self._scenario, k) for k in range(count)])
        times.flags.writeable = False  # threads share the model
        return times

    @functools.cached_property
    def rods(self) -> tuple[RodInfo, ...]:
        """The rods, in the order of the scenario."""
        rods = (lib.wy_model_rod(self._model, i) for i in range(lib.wy_model_rod_count(self._model)))
        return tuple(RodInfo(text(rod.name), KINDS[rod.kind], rod.length, rod.segments) for rod in rods)

    @functools.cached_property
    def batches(self) -> dict[str, int]:
        """The batches by name, in the order of the scenario, with how many rods each has; `Batch(model, name)` makes one.

        The rods that are their patterns are not among `rods`.
        """
        batches = (self._scenario.batches[i] for i in range(self._scenario.batch_count))
        return {text(one.name): getattr(one, "def").count for one in batches}

    @functools.cached_property
    def bodies(self) -> tuple[str, ...]:
        """The names of the bodies, in the order of the scenario."""
        return self._names("body")

    @functools.cached_property
    def joints(self) -> tuple[str, ...]:
        """The names of the joints, in the order of the scenario; "[K]" for number K without a name."""
        return self._names("joint")

    @functools.cached_property
    def springs(self) -> tuple[str, ...]:
        """The names of the springs, in the order of the scenario; "[K]" for number K without a name."""
        return self._names("spring")

    @functools.cached_property
    def obstacles(self) -> tuple[str, ...]:
        """The names of the obstacles, in the order of the scenario."""
        return self._names("obstacle")

    def _names(self, what: str) -> tuple[str, ...]:
        count, entry = getattr(lib, f"wy_model_{what}_count"), getattr(lib, f"wy_model_{what}")
        return tuple(text(entry(self._model, i).name) or f"[{i}]" for i in range(count(self._model)))

    @functools.cached_property
    def loads(self) -> tuple[str, ...]:
        """The names of the loads, in the order of the scenario; "" for one without a name."""
        count = lib.wy_model_load_count(self._model)
        return tuple(text(lib.wy_model_load(self._model, i).name) for i in range(count))

    @functools.cached_property
    def actuators(self) -> tuple[str, ...]:
        """The names of the actuators, in the order of the scenario; "" for one without a name."""
        count = lib.wy_model_actuator_count(self._model)
        return tuple(text(lib.wy_model_actuator(self._model, i).name) for i in range(count))

    @functools.cached_property
    def probes(self) -> tuple[Probe, ...]:
        """The probes of the scenario."""
        table = tuple(quantities().values())
        probes = (self._scenario.probes[i] for i in range(self._scenario.probe_count))
        return tuple(Probe(text(one.name), table[one.quantity], one.rod, one.s) for one in probes)

    @functools.cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of `Simulation.record`: "t", "tip.x", ...; in probes.csv those of batches follow."""
        found = ["t"]
        for probe in self.probes:
            letters = probe.quantity.letters
            found += [f"{probe.name}.{letter}" for letter in letters] if letters else [probe.name]
        return tuple(found)

    @functools.cached_property
    def findings(self) -> list[Finding]:
        """What looks like a mistake: the warnings of `withy check`."""
        def look(*rest: Any) -> int:
            return int(lib.wy_scenario_check(self._scenario, self._model, *rest))

        return listed(look)

    def rod_index(self, rod: int | str) -> int:
        """The index of a rod given by its name or index."""
        return found_index(rod, [one.name for one in self.rods], "rod")


def found_index(key: int | str, choice: Iterable[str], what: str) -> int:
    """The index that belongs to a name or an index, or an InputError that says what there is."""
    known = list(choice)
    if isinstance(key, str):
        if key and key in known:
            return known.index(key)
        named = [name for name in known if name]
        close = difflib.get_close_matches(key, named, 1)
        expected = f"expected one of {', '.join(named)}" if named else f"no {what} has a name; expected an index"
        raise InputError(f"found no {what} '{key}'; " + (f"did you mean '{close[0]}'?" if close else expected))
    if not hasattr(key, "__index__") or not -len(known) <= key < len(known):
        raise InputError(f"found {what} {key}; expected a name, or an index below {len(known)}")
    return int(key) % len(known)


def _destroy_model(scenario: Any, model: Any) -> None:
    """`scenario` is held until here."""
    lib.wy_model_destroy(model)


def _destroy_sim(model: Any, sim: Any) -> None:
    """`model` is held until here."""
    lib.wy_sim_destroy(sim)


def _source(scenario: Scenario) -> tuple[str, str, str | None, dict[str, str]]:
    """Label, name and text of a scenario, with the texts of its grids; the text is None for a file."""
    if isinstance(scenario, Mapping):
        named, grids = taken_out(scenario)
        return "scenario.json", "scenario", written(named, indent=1), grids
    given = os.fspath(scenario)
    if is_text(scenario):
        return "scenario", "scenario", given, {}
    file = Path(given)
    built_in = BUILT_IN / f"{given}.yaml"
    if not file.is_file() and given in scenarios():
        return given, given, built_in.read_text(encoding="utf-8"), {}
    if not file.exists():
        close = difflib.get_close_matches(given, scenarios(), 1)
        expected = f"did you mean '{close[0]}'?" if close else "expected a file, or a name of `withy.scenarios()`"
        raise InputError(f"{given}: found no such file and no built-in scenario; {expected}")
    if file.is_dir():
        raise InputError(f"{given}: found a folder; expected a scenario file")
    return given, file.stem, None, {}
