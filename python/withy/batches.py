# SPDX-License-Identifier: MIT
"""Batches: many rods of one kind at once."""
from __future__ import annotations

import functools
import math
import operator
import threading
import warnings
from types import TracebackType
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from ._withy import ffi, lib
from .crew import pool
from .errors import InputError, ResultError, ResultWarning, check, names, text
from .model import Array, Model, Scenario, found_index

#: Which rods: None for all, the number of one, a slice, numbers, or a mask, as numpy takes them.
Chosen = Union[int, slice, npt.ArrayLike, None]

NUMBERS = names(lib.wy_batch_number_name)
PRECISIONS = ("double", "mixed", "single")
DEVICES = ("auto", "cpu", "gpu")
INTEGRATORS = ("auto", "bdf2", "explicit")
ENDS = ("start", "end")
NAMED = 5  # rods that a warning names


def _status_type() -> np.dtype[np.void]:
    """wy_batch_rod as numpy has it."""
    formats = {"refined": np.intc, "failed": np.bool_, "time": np.float64, "estimate": np.float64}
    offsets = [ffi.offsetof("wy_batch_rod", name) for name in formats]
    return np.dtype({"names": list(formats), "formats": list(formats.values()), "offsets": offsets,
                     "itemsize": ffi.sizeof("wy_batch_rod")})


STATUS = _status_type()


class BatchInfo(NamedTuple):
    """What calculates a batch."""

    rods: int
    segments: int  #: of a rod
    substeps: int  #: of the last frame; before the first, as given
    lanes: int  #: rods side by side in a vector of the CPU; 0 on a GPU
    integrator: str  #: "bdf2" or "explicit"; "auto" before the first frame
    precision: str  #: "double", "mixed" or "single"
    device: str  #: "cpu" or "gpu"
    machine: str  #: in words
    reason: str  #: why it is not the device that was asked for, or ""
    choice: str  #: by what the integrator was chosen, or ""


class BatchWork(NamedTuple):
    """What a batch has done so far."""

    frames: int
    solves: float  #: linear solves of a rod, summed over all rods
    refined: float  #: frames of rods that were moved again, summed over all rods
    failed: int  #: rods that have failed


class Sections(NamedTuple):
    """Strains and forces of the sections, along the directors, of all rods that were asked for."""

    strain: Array  #: shear 1, shear 2 and extension of the segments, [rods, segments, 3]
    force: Array  #: section forces of the segments, [rods, segments, 3]
    curvature: Array  #: curvatures and twist of the vertices, [rods, segments + 1, 3]; 0 at ends that turn freely
    moment: Array  #: section moments of the vertices, [rods, segments + 1, 3]; 0 at ends that turn freely


class DeviceArray:
    """An array in the memory of a GPU, for all that read `__cuda_array_interface__`: `cupy.asarray(array)`.

    It shows the memory of the batch, which lives as long as it; the numbers stay until the batch moves on.
    """

    def __init__(self, owner: Any, pointer: Any, shape: tuple[int, ...], kind: np.dtype[Any]) -> None:
        self._owner = owner
        self.shape = shape  #: [rods, segments + 1, 3]
        self.dtype = kind  #: of the numbers
        self.__cuda_array_interface__ = {"shape": shape, "typestr": kind.str, "version": 3, "strides": None,
                                         "data": (int(ffi.cast("uintptr_t", pointer)), True)}


class Number:
    """A number that differs from rod to rod, as an attribute of a batch: read, a new array; set, for all rods."""

    __slots__ = ("name",)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, batch: Batch, owner: type | None = None) -> Array:
        return batch.get(self.name)

    def __set__(self, batch: Batch, values: npt.ArrayLike) -> None:
        batch.set(self.name, values)


class Batch:
    """Many rods of one kind. All have one clock and move in frames; they differ in numbers and do not touch each other.

    `model` is a Model or what Model takes. `rod` is the rod of it that is the pattern, with its ends, loads and
    obstacles; it may be left out where there is one. All `count` rods begin as the pattern does, undeformed, and are
    numbered from 0. Or `rod` is the name of an entry of `batches` in the scenario: then the batch begins with its roots and
    its numbers, and moves its roots as it says until you do; what is given here replaces the keys of the entry. There is
    no end time.

    A frame has `substeps` (default "auto": so many that less than 1 % of the rods are moved again). Rods whose error
    estimate is above `tolerance` (default 0.05; the largest error of a segment's direction in a substep's prediction)
    are moved again with twice the substeps, up to `retries` (default 4) times. One that still fails keeps its last
    good state: `status` says so, and `advance` warns, or raises if the batch is `strict`. `precision` is "double"
    (default), "mixed" or "single", `device` "auto" (default), "cpu" or "gpu", `integrator` "auto" (default), "bdf2" or
    "explicit". `threads` (None: as many as there are cores) share the work; the numbers do not depend on them.

    Numbers are arrays with an entry for each rod, or one value for all of them: `batch.young = values`. They are read as
    copies. Every call lets other threads go on; a batch that threads share serves them in turn. Use it in a `with`
    statement or call `close()` to free its memory at once.
    """

    __slots__ = ("model", "rod", "strict", "_batch", "_lock", "_message", "_count", "_segments", "_moving", "__weakref__")

    young: Number = Number()  #: [rods] Young's modulus; the shear modulus and damping by a time change in proportion
    density: Number = Number()  #: [rods]
    radius: Number = Number()  #: [rods] of a circle
    damping: Number = Number()  #: [rods] factor on the pattern's damping
    drag: Number = Number()  #: [rods] drag of translation
    loads: Number = Number()  #: [rods] factor on all loads
    length: Number = Number()  #: [rods] undeformed; set before all motion, as those that follow
    curvature: Number = Number()  #: [rods, 3] natural curvature, the same along a rod
    root: Number = Number()  #: [rods, 7] origin and frame (w, x, y, z) of the undeformed rods at s = 0
    velocity: Number = Number()  #: [rods, 3] of a whole rod at the start, added to the pattern's

    def __init__(self, model: Model | Scenario, rod: str | int | None = None, count: int | None = None, *,
                 substeps: int | str | None = None, precision: str | None = None, device: str | None = None,
                 integrator: str | None = None, tolerance: float | None = None, retries: int | None = None,
                 threads: int | None = None, strict: bool = False) -> None:
        self._batch: Any = None
        self._lock, self._message = threading.RLock(), ffi.new("wy_message *")
        made = _making(model, rod, count=count, substeps=substeps, precision=precision, device=device,
                       integrator=integrator, tolerance=tolerance, retries=retries)
        self.model = made.model  #: which has the pattern
        self.rod = made.name  #: the name of the pattern, or of the entry of `batches`
        self.strict = strict  #: does `advance` raise where rods fail?
        self._batch = made.create(pool(threads, made.definition.count), self._message)
        # The number of the entry of `batches` as long as that moves the roots, or -1.
        self._moving = made.entry if made.moves() else -1
        info = self.info
        self._count, self._segments = info.rods, info.segments
        if info.reason:
            warnings.warn(f"the batch is calculated on the {info.machine}: {info.reason}", stacklevel=2)

    @staticmethod
    def memory_estimate(model: Model | Scenario, rod: str | int | None = None, count: int | None = None, *,
                        substeps: int | str | None = None, precision: str | None = None, device: str | None = None,
                        retries: int | None = None, threads: int | None = None) -> int:
        """The bytes that such a batch will hold."""
        made = _making(model, rod, count=count, substeps=substeps, precision=precision, device=device, retries=retries)
        crew = pool(threads, made.definition.count)
        made.definition.tasks = lib.wy_pool_tasks(crew)
        estimate = lib.wy_batch_memory_estimate(made.patterns, made.definition)
        if math.isnan(estimate):  # such a batch is refused, with a sentence
            made.create(crew, ffi.new("wy_message *"))
        return int(estimate)

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of rods."""
        return self._count

    def __repr__(self) -> str:
        state = "closed" if self._batch is None else f"t = {self.time:g}"
        return f"<withy.Batch of {self._count} rods like {self.rod}, {self._segments} segments: {state}>"

    def close(self) -> None:
        """Frees the memory. From now on every call fails."""
        with self._lock:
            self._batch = None

    # ---- What runs ----

    @property
    def info(self) -> BatchInfo:
        """What runs, and where."""
        with self._lock:
            info = lib.wy_batch_describe(self._open())
            return BatchInfo(info.count, info.segments, info.substeps, info.lanes, INTEGRATORS[info.integrator],
                             PRECISIONS[info.precision], DEVICES[info.device], text(info.machine), text(info.reason),
                             text(info.choice))

    @property
    def memory(self) -> int:
        """The bytes that the batch holds."""
        with self._lock:
            return int(lib.wy_batch_memory(self._open()))

    @property
    def work(self) -> BatchWork:
        """The work of all frames so far."""
        with self._lock:
            work = lib.wy_batch_work(self._open())
            return BatchWork(work.frames, work.solves, work.refined, work.failed)

    # ---- Numbers ----

    def set(self, number: str, values: npt.ArrayLike) -> None:
        """Sets a number of all rods: `batch.set("young", values)`, the same as `batch.young = values`.

        Those of the undeformed rods (length, curvature, root, velocity) are set before the first frame, and before rods
        are placed or their ends moved.
        """
        index, shape = self._number(number)
        array = _filled(values, number, shape, self._count)
        self._call(lib.wy_batch_set, index, ffi.from_buffer("double[]", array))

    def get(self, number: str) -> Array:
        """A number of all rods, a new array."""
        index, shape = self._number(number)
        values = np.empty((self._count, *shape))
        self._call(lib.wy_batch_get, index, ffi.from_buffer("double[]", values))
        return values

    # ---- Motion ----

    @property
    def time(self) -> float:
        """The clock of all rods but those that have failed."""
        with self._lock:
            return float(lib.wy_batch_time(self._open()))

    def move(self, end: str, poses: npt.ArrayLike, velocities: npt.ArrayLike | None = None) -> None:
        """Says where an end ("start" or "end") of all rods will be when the next frame ends; it moves there by a cubic.

        `poses` are positions and unit quaternions of the supports, [rods, 7], `velocities` their velocities and angular
        velocities there, [rods, 6], space axes (None: at rest); or one row for all rods. Only held and driven components
        move. Without a further call an end goes on with the velocities that it has.
        """
        side = found_index(end, ENDS, "end")
        places = _filled(poses, "poses", (7,), self._count)
        rates = ffi.NULL if velocities is None else ffi.from_buffer(
            "double[]", _filled(velocities, "velocities", (6,), self._count))
        with self._lock:
            self._call(lib.wy_batch_move, side, ffi.from_buffer("double[]", places), rates)
            if ENDS[side] == "start":
                self._moving = -1

    def roots(self, poses: npt.ArrayLike, velocities: npt.ArrayLike | None = None) -> None:
        """The same as `move("start", poses, velocities)`."""
        self.move("start", poses, velocities)

    def advance(self, frame_time: float) -> int:
        """Moves all rods on by a frame time. Returns how many rods have failed in this frame.

        If any has, a ResultWarning says which, or a ResultError if the batch is `strict`; the others have moved.
        """
        with self._lock:
            batch = self._open()
            before, failed = lib.wy_batch_time(batch), lib.wy_batch_work(batch).failed
            if self._moving >= 0 and 0 < frame_time < math.inf:
                self._move_roots(before + frame_time)
            status = lib.wy_batch_advance(batch, frame_time, self._message)
            if status < 0:
                check(status, self._message)
            count = int(lib.wy_batch_work(batch).failed - failed)
            sentence = self._failure(before, count) if status else ""
        if sentence:
            if self.strict:
                raise ResultError(sentence)
            warnings.warn(sentence, ResultWarning, stacklevel=2)
        return count

    def status(self, rods: Chosen = None) -> Any:
        """How rods fared, an array with the fields `refined`, `failed`, `time` and `estimate`, or that of one rod.

        `refined`: how often the last frame was moved again, with twice the substeps each time; `time`: the clock of its
        state; `estimate`: the error estimate of the last frame, to be compared with the tolerance.
        """
        chosen = self._chosen(rods)
        found = np.zeros(chosen.size, dtype=STATUS)
        self._each(lib.wy_batch_status, chosen, [ffi.cast("wy_batch_rod *", ffi.from_buffer(found))])
        return found if chosen.ndim else found[0]

    # ---- States ----

    def positions(self, rods: Chosen = None, *, out: Array | None = None) -> Array:
        """Positions of the vertices, [rods, segments + 1, 3], space axes, a new array or `out`.

        `rods` are all, or those that an index of numpy chooses: a slice, numbers, a mask; of a single number,
        [segments + 1, 3].
        """
        return self._read(lib.wy_batch_positions, (self._segments + 1, 3), rods, out)

    def frames(self, rods: Chosen = None, *, out: Array | None = None) -> Array:
        """Rotations of the segments, [rods, segments, 4], unit quaternions (w, x, y, z)."""
        return self._read(lib.wy_batch_frames, (self._segments, 4), rods, out)

    def velocities(self, rods: Chosen = None, *, out: Array | None = None) -> Array:
        """Velocities of the vertices, [rods, segments + 1, 3], space axes."""
        return self._read(lib.wy_batch_velocities, (self._segments + 1, 3), rods, out)

    def spins(self, rods: Chosen = None, *, out: Array | None = None) -> Array:
        """Angular velocities of the segments, [rods, segments, 3], along the directors."""
        return self._read(lib.wy_batch_spins, (self._segments, 3), rods, out)

    def sections(self, rods: Chosen = None) -> Sections:
        """Strains, section forces, curvatures and section moments, new arrays."""
        chosen, n = self._chosen(rods), self._segments
        arrays = [np.empty((chosen.size, points, 3)) for points in (n, n, n + 1, n + 1)]
        self._each(lib.wy_batch_sections, chosen, [ffi.from_buffer("double[]", array) for array in arrays],
                   [array[0].size if len(array) else 0 for array in arrays])
        return Sections(*(array if chosen.ndim else array[0] for array in arrays))

    def place(self, positions: npt.ArrayLike, frames: npt.ArrayLike, velocities: npt.ArrayLike | None = None,
              spins: npt.ArrayLike | None = None, *, rods: int | slice | None = None) -> None:
        """Puts rods where they are to begin, or to go on: arrays as those that are read; a velocity that is None is 0.

        `rods` are all, one, or some that follow each other. Rods that had failed go on.
        """
        chosen, n = self._chosen(rods), self._segments
        if chosen.size and chosen.size != np.ptp(chosen) + 1:
            raise InputError(f"found rods {rods!r}; expected rods that follow each other")
        given = (("positions", positions, (n + 1, 3)), ("frames", frames, (n, 4)),
                 ("velocities", velocities, (n + 1, 3)), ("spins", spins, (n, 3)))
        arrays = [None if values is None else _filled(values, what, shape, *chosen.shape)
                  for what, values, shape in given]
        first = int(chosen.min()) if chosen.size else 0
        self._call(lib.wy_batch_place, first, chosen.size,
                   *(ffi.NULL if array is None else ffi.from_buffer("double[]", array) for array in arrays))

    def device_positions(self) -> DeviceArray:
        """The positions of all rods where a GPU has calculated them, without a copy, as numbers of the batch's precision.

        A batch on the CPU refuses: see `info`.
        """
        pointer = ffi.new("const void **")
        self._call(lib.wy_batch_device_positions, pointer)
        kind = np.dtype(np.float32 if self.info.precision == "single" else np.float64)
        return DeviceArray(self._batch, pointer[0], (self._count, self._segments + 1, 3), kind)

    # ---- Saving ----

    def save(self) -> bytes:
        """The state with all numbers, to go back to it with `restore`."""
        with self._lock:
            size = lib.wy_batch_save_size(self._open())
            buffer = ffi.new("char[]", size)
            check(lib.wy_batch_save(self._open(), buffer, size, self._message), self._message)
            return bytes(ffi.buffer(buffer))

    def restore(self, state: bytes) -> None:
        """Goes back to a saved state, also one of another batch of the same model and options; it goes on bit for bit."""
        self._call(lib.wy_batch_restore, ffi.from_buffer(state), len(state))

    # ---- Helpers ----

    def _open(self) -> Any:
        if self._batch is None:
            raise ValueError("the batch is closed")
        return self._batch

    def _call(self, function: Any, *arguments: Any) -> None:
        """Calls function(batch, ..., message); a batch serves one thread at a time."""
        with self._lock:
            check(function(self._open(), *arguments, self._message), self._message)

    def _number(self, number: str) -> tuple[int, tuple[int, ...]]:
        """Which number of the library it is, and the shape of that of one rod."""
        index = found_index(number, NUMBERS, "number")
        size = lib.wy_batch_number_size(index)
        return index, (size,) if size > 1 else ()

    def _chosen(self, rods: Chosen) -> npt.NDArray[np.intp]:
        """The numbers of rods, as an array of one dimension, or of none for a single rod."""
        try:
            chosen = np.asarray(np.arange(self._count)[slice(None) if rods is None else rods])  # type: ignore[index]
        except (IndexError, TypeError):
            chosen = np.empty((0, 0), dtype=np.intp)
        if chosen.ndim > 1:
            raise InputError(f"found rods {rods!r}; expected numbers below {self._count}, a slice, or a mask of all rods")
        return chosen

    def _each(self, function: Any, chosen: npt.NDArray[np.intp], arrays: list[Any], sizes: list[int] | None = None) -> None:
        """Calls function(batch, first, count, arrays..., message) for rods that follow each other.

        `arrays` are pointers, to which a rod adds `sizes`.
        """
        rods = chosen.reshape(-1)
        steps = sizes or [1] * len(arrays)
        begins = [0, *(np.flatnonzero(np.diff(rods) != 1) + 1).tolist(), rods.size]
        with self._lock:  # all at one time
            self._open()
            for begin, end in zip(begins, begins[1:]):
                if end > begin:
                    self._call(function, int(rods[begin]), end - begin,
                               *(array + begin * step for array, step in zip(arrays, steps)))

    def _read(self, function: Any, shape: tuple[int, ...], rods: Chosen, out: Array | None) -> Array:
        chosen = self._chosen(rods)
        whole = (*chosen.shape, *shape)
        values = np.empty(whole) if out is None else out
        if not isinstance(values, np.ndarray) or values.shape != whole or values.dtype != np.float64:
            raise InputError(f"found {_said(out)} for `out`; expected an array of double precision of shape {whole}")
        if not values.flags.c_contiguous or not values.flags.writeable:
            raise InputError("found an array for `out` that is read-only or not in one piece; expected one to write to")
        self._each(function, chosen, [ffi.from_buffer("double[]", values)], [int(np.prod(shape))])
        return values

    def _move_roots(self, t: float) -> None:
        """Tells the batch where the scenario has its roots at time t, the end of the next frame."""
        scenario, motion = self.model._scenario, ffi.new("wy_rigid_motion *")
        check(lib.wy_scenario_batch_motion(scenario, self._moving, t, ffi.NULL, motion, self._message), self._message)
        room = ffi.from_buffer("double[]", np.empty(20 * self._count))
        check(lib.wy_scenario_batch_move(scenario, self._moving, motion, self._batch, room, self._message), self._message)

    def _failure(self, before: float, count: int) -> str:
        """What is said of rods that have failed in the frame that began at time `before`."""
        status = self.status()
        numbers = np.flatnonzero(status["failed"] & (status["time"] == before)).tolist()
        listed = ", ".join(map(str, numbers[:NAMED])) + (", ..." if count > NAMED else "")
        return (f"batch '{self.rod}': {count} of {self._count} rods have failed at t = {before:.6g} and stay as they were "
                f"then: {listed}; shorter frames, more substeps or a larger tolerance may help")


class _Making(NamedTuple):
    """What a batch is made of."""

    model: Model
    name: str
    patterns: Any  #: the wy_model of the pattern
    definition: Any
    entry: int  #: of `batches` in the scenario, or -1

    def moves(self) -> bool:
        """Does the scenario move the roots?"""
        return self.entry >= 0 and bool(self.model._scenario.batches[self.entry].motion.moves)

    def create(self, crew: Any, message: Any) -> Any:
        """A new wy_batch, which holds the model and the threads."""
        made, tasks = ffi.new("wy_batch **"), ffi.new("wy_tasks *", lib.wy_pool_tasks(crew))
        if self.entry < 0:
            self.definition.tasks = tasks[0]
            status = lib.wy_batch_create(self.patterns, self.definition, made, message)
        else:
            scenario = self.model._scenario
            status = lib.wy_scenario_batch_create(scenario, self.patterns, self.entry, tasks, made, message)
        check(status, message)
        return ffi.gc(made[0], functools.partial(_destroy_batch, self.patterns, crew))


def _destroy_batch(patterns: Any, crew: Any, batch: Any) -> None:
    """`patterns` and `crew` are held until here."""
    lib.wy_batch_destroy(batch)


def _making(given: Model | Scenario, rod: str | int | None, **options: Any) -> _Making:
    """What is made of a rod with these options; None is the default, or what the scenario has."""
    model = given if isinstance(given, Model) else Model(given)
    rods = [one.name for one in model.rods]
    choice = [*rods, *model.batches]
    if rod is None and len(choice) != 1:
        found = f"{len(rods)} rods" + (f" and {len(model.batches)} batches" if model.batches else "")
        raise InputError(f"found {found}; expected the name of one of them")
    index = 0 if rod is None else found_index(rod, choice, "rod or batch" if model.batches else "rod")
    name, set_here = choice[index], {key: value for key, value in options.items() if value is not None}
    if index < len(rods):
        return _Making(model, name, model._model, _definition(model, index, **set_here), -1)
    if set_here:  # they are those of --set
        model = model._with({f"batches.{name}.{key}": value for key, value in set_here.items()})
    entry = index - len(rods)
    definition = ffi.new("wy_batch_def *", getattr(model._scenario.batches[entry], "def"))
    return _Making(model, name, model._patterns, definition, entry)


def _definition(model: Model, index: int, *, count: int = 1, substeps: int | str = "auto", precision: str = "double",
                device: str = "auto", integrator: str = "auto", tolerance: float | None = None,
                retries: int | None = None) -> Any:
    """A wy_batch_def, with the options of the staggered scheme that the scenario has for the rod."""
    definition = ffi.new("wy_batch_def *", lib.wy_default_batch_def())
    definition.rod, definition.gpu = index, lib.wy_gpu()
    definition.count = _whole(count, "count")
    if substeps != "auto":
        definition.substeps = _whole(substeps, "substeps", " or 'auto'")
    definition.precision = found_index(precision, PRECISIONS, "precision")
    definition.device = found_index(device, DEVICES, "device")
    definition.integrator = found_index(integrator, INTEGRATORS, "integrator")
    if tolerance is not None:
        definition.tolerance = tolerance
    if retries is not None:
        definition.retries = _whole(retries, "retries")
    scenario = model._scenario
    scheme, name = text(scenario.solvers[index].scheme), model.rods[index].name
    if scheme != "staggered":
        raise InputError(f"rod '{name}' cannot be the pattern of a batch: found the scheme {scheme}; expected staggered")
    if scenario.from_statics:
        raise InputError(f"rod '{name}' cannot be the pattern of a batch: found `initial: {{from: statics}}`, for which "
                         "each rod needs an equilibrium of its own; expected a start that is given")
    definition.staggered = scenario.solvers[index].staggered
    return definition


def _whole(value: Any, what: str, other: str = "") -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not 0 <= number < 1 << 31:
        raise InputError(f"{what}: found {value!r}; expected a whole number{other}")
    return number


def _said(value: Any) -> str:
    return f"an array of {value.dtype} of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)


def _filled(values: npt.ArrayLike, what: str, shape: tuple[int, ...], *count: int) -> Array:
    """Numbers of the shape (count, *shape) in one piece; those of one rod are repeated."""
    try:
        given = np.asarray(values)
        if np.iscomplexobj(given):
            raise ValueError
        given = given.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what}: found {_said(values)}; expected numbers") from None
    whole = (*count, *shape)
    if given.shape not in (whole, shape):
        alike = f", or {shape} for all rods alike" if count else ""
        raise InputError(f"{what}: found an array of shape {given.shape}; expected {whole}{alike}")
    return np.ascontiguousarray(np.broadcast_to(given, whole))
