# SPDX-License-Identifier: MIT
"""Simulations: a model in motion or in equilibrium."""
from __future__ import annotations

import functools
from types import TracebackType
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Union

import numpy as np

from ._withy import ffi, lib
from .errors import InputError, check, text
from .findings import Finding, listed
from .model import AT_ENDS, AT_PLACE, OF_ALL, Array, Model, Scenario, found_index, quantities
from .network import Body, Group, Joint, Obstacle, Parts, Spring, bodies, groups, joints, obstacles, springs
from .rods import TO, End, Energy, Handle, Momentum, Rod, Vector, energy, momentum, shared, statistics, vector

ALL_RODS = -1
ENDS = ("start", "end")
Place = Union[str, float]
GOING = {"dynamics": "sample", "quasistatics": "follow"}  # how a run goes from row to row
ROWS = 64  # of one call
MOST_ASKED = 1000  # places of probes that are remembered


class Modes(NamedTuple):
    """Vibration modes about the present equilibrium, or buckling modes; the arrays are copies."""

    omega: Array  #: [count] angular frequencies, ascending; negative: an unstable direction. Empty for buckling
    damping_ratio: Array  #: [count]; empty for buckling
    factor: Array  #: [count] critical factors of the loads; empty for vibrations
    s: Array  #: [points] arc lengths
    displacement: Array  #: [count, points, 3] shapes, space axes; the largest displacement is 1
    rotation: Array  #: [count, frames, 3] along the directors
    position: Array  #: [points, 3] the equilibrium; for buckling [count, points, 3]


class Rods(Mapping[str, Rod]):
    """The rods of a simulation by name; an index will do as well: `sim.rods[0]`."""

    def __init__(self, handle: Handle) -> None:
        self._names = [rod.name for rod in handle.model.rods]
        self._rods = [Rod(handle, i) for i in range(len(self._names))]

    def __getitem__(self, key: str | int) -> Rod:
        return self._rods[found_index(key, self._names, "rod")]

    def __contains__(self, key: object) -> bool:
        return key in self._names

    def get(self, key: str, default: Any = None) -> Any:
        """The rod of this name, or `default`."""
        return self[key] if key in self else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Inputs:
    """What a controller sets, by name or index: `sim.loads["pull"] = force`, `sim.actuators["left"] = 3.0`.

    A value holds from now on until it is set again; `del sim.loads["pull"]` goes back to the value of the scenario.
    """

    def __init__(self, what: str, names: tuple[str, ...], call: Callable[[int, Any], None]) -> None:
        self._what, self._names, self._call = what, names, call
        self._index = {name: i for i, name in enumerate(names) if name}

    def __setitem__(self, key: str | int, value: Any) -> None:
        index = self._index.get(key)  # type: ignore[arg-type]
        self._call(found_index(key, self._names, self._what) if index is None else index, value)

    def __delitem__(self, key: str | int) -> None:
        self[key] = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Simulation:
    """A model in motion or in equilibrium. It begins at time 0 in the initial state of the scenario. Batches are not in it.

    `model` is a Model or what Model takes. `end` replaces the end time of the scenario: no step goes beyond it; use
    `math.inf` for a loop of your own without an end. `statics=True` asks for equilibria and modes where the scenario
    does not. `threads` compute its rods at the same time (None: as many as there are cores); the results do not depend
    on their number. Different simulations may run in different threads: every call lets other threads go on. Use it in a
    `with` statement or call `close()` to free its memory at once; else that happens with the last reference.
    """

    def __init__(self, model: Model | Scenario, *, end: float | None = None, statics: bool | None = None,
                 threads: int | None = 1) -> None:
        self.model = model if isinstance(model, Model) else Model(model)
        if self.model.batches and not self.model.rods and not self.model.bodies:
            raise InputError(f"found batches alone, {', '.join(self.model.batches)}; expected one of them in `Batch`")
        pool = self.model._pool(threads)
        self._handle = Handle(self.model._simulation(end, statics, pool), self.model, pool)
        self._numbers = ffi.new("double[4]")
        self._asked: dict[tuple[str, str | int | None, Place], tuple[int, int, float, int]] = {}
        self.rods = Rods(self._handle)  #: the rods by name
        self.bodies: Parts[Body] = bodies(self._handle)  #: the rigid bodies by name
        self.joints: Parts[Joint] = joints(self._handle)  #: the joints by name
        self.springs: Parts[Spring] = springs(self._handle)  #: the springs by name
        self.obstacles: Parts[Obstacle] = obstacles(self._handle)  #: the obstacles by name
        #: forces, or pairs of force and moment: `sim.loads["pull"] = [0, 0, 1]`
        self.loads = Inputs("load", self.model.loads, functools.partial(_set_load, self._handle))
        #: forces of actuators: `sim.actuators["left"] = 3.0`
        self.actuators = Inputs("actuator", self.model.actuators, functools.partial(_set_actuator, self._handle))
        if self.model._scenario.from_statics and statics is not False:
            self.settle(0)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._handle.sim is None else f"t = {self.time:g}"
        return f"<withy.Simulation {self.model.name}: {state}>"

    def close(self) -> None:
        """From now on every call fails. Arrays that you have keep their last values; the memory goes with the last."""
        with self._handle.lock:
            self._handle.sim = None
            self._handle.count = 0
            for rod in self.rods.values():
                for part in (rod, rod.start, rod.end):
                    part._arrays.clear()
            self.__dict__.pop("strands", None)

    # ---- Time ----

    @property
    def time(self) -> float:
        """The time of arrays, probes and energies."""
        return float(lib.wy_sim_time(self._handle.open()))

    def advance(self, t: float) -> None:
        """Goes exactly to time t; the last step is shortened. For control loops, in which forces change at t."""
        self._handle.go(TO["advance"], t)

    def advance_within(self, t: float, seconds: float) -> float:
        """Goes towards time t for as long as `seconds` of your time allow, and returns how far it came.

        The state is that of the last step; the next call goes on. For programs that have to be on time, best with
        the integrator `stride`, whose steps take about the same time. A first call takes one step at least.
        """
        self._handle.change(lib.wy_sim_advance_within, float(t), float(seconds), ffi.NULL)
        return self.time

    def sample(self, t: float) -> None:
        """Goes at least to time t with unchanged steps and shows the state at t. For recording, as `withy run` does."""
        self._handle.go(TO["sample"], t)

    def step(self) -> None:
        """Makes one step, of a length that the integrator chooses."""
        self._handle.change(lib.wy_sim_step)

    def settle(self, t: float | None = None) -> None:
        """Goes to the equilibrium under the loads of time t (default: now)."""
        self._handle.go(TO["settle"], self.time if t is None else t)

    def follow(self, t: float | None = None) -> None:
        """Follows the equilibrium to time t without inertia. Without t: finds it again after a change of loads."""
        self._handle.go(TO["follow"], self.time if t is None else t)

    # ---- Reading ----

    @functools.cached_property
    def ends(self) -> Mapping[tuple[str, str], End]:
        """The ends by rod and name: `sim.ends["arm", "end"].move(...)`."""
        return {(name, end): getattr(rod, end) for name, rod in self.rods.items() for end in ENDS}

    def probe(self, quantity: str, rod: str | int | None = None, at: Place = "end") -> Any:
        """The value of a quantity now: a float, or an array of its components.

        `rod` may be left out where there is one rod; `at` is "start", "end" or an arc length.
        """
        asked, handle = (quantity, rod, at), self._handle
        number, index, s, size = self._asked.get(asked) or self._ask(*asked)
        with handle.lock:
            status = lib.wy_sim_probe(handle.open(), number, index, s, self._numbers, handle.message)
            if status:
                check(status, handle.message)
            return np.array(ffi.unpack(self._numbers, size)) if size else float(self._numbers[0])

    def row(self) -> Array:
        """The time and all probes of the scenario now, in the order of `model.columns`: a row of probes.csv."""
        numbers = np.empty(len(self.model.columns))
        self._fill(numbers)
        return numbers

    def record(self, times: Iterable[float] | None = None) -> Array:
        """Goes through `times` and returns a row for each; default: the output times of the scenario, as `withy run`.

        A motion is sampled; for quasistatics the equilibria are followed, for other analyses each is found by itself.
        """
        chosen = self.model.times if times is None else np.asarray(list(times), dtype=np.float64)
        rows = np.empty((len(chosen), len(self.model.columns)))
        go = TO[GOING.get(self.model.analysis, "settle")]
        first = 0
        if self.model.analysis == "quasistatics":
            self.settle(0)
            if len(chosen) and chosen[0] == 0:
                self._fill(rows[0])
                first = 1
        for k in range(first, len(chosen), ROWS):  # Ctrl-C is answered between the calls
            self._record(go, chosen[k:k + ROWS], rows[k:k + ROWS])
        return rows

    @property
    def groups(self) -> tuple[Group, ...]:
        """Rods and bodies that joints and springs connect, with their methods; a rod alone is a group of its own."""
        return groups(self._handle)

    @property
    def energy(self) -> Energy:
        """The energies of all rods, bodies and springs together."""
        return energy(self._handle, ALL_RODS)

    @property
    def momentum(self) -> Momentum:
        """The momenta of all rods and bodies together."""
        return momentum(self._handle, ALL_RODS)

    @property
    def drift(self) -> float:
        """The energy drift: what the balance of energy lacks, relative to the energies that were moved."""
        with self._handle.lock:
            return float(lib.wy_sim_drift(self._handle.open(), ALL_RODS))

    @property
    def statistics(self) -> dict[str, float]:
        """Steps, evaluations and drifts so far, of all rods and bodies together."""
        return statistics(self._handle, ALL_RODS)

    def verify(self) -> list[Finding]:
        """What the library finds doubtful or wrong in the present state, worst first."""
        with self._handle.lock:
            return listed(functools.partial(lib.wy_sim_verify, self._handle.open()), lib.WY_ERROR_RESULT)

    @functools.cached_property
    def strands(self) -> Mapping[str, Strands]:
        """Hair that follows the rods, by name: `sim.strands["tress"].positions()`."""
        scenario = self.model._scenario
        made = (Strands(self._handle, scenario.strands + i) for i in range(scenario.strands_count))
        return {one.name: one for one in made}

    # ---- Modes ----

    def modes(self, count: int = 10, rod: str | int | None = None) -> Modes:
        """The lowest vibration modes of a rod about its present equilibrium; call `settle` first.

        Rods that are joined have the modes of all of them; `group_modes` has the shapes of all.
        """
        return self._modes(lib.wy_sim_modes, self._rod(rod), count)

    def buckling(self, count: int = 1, rod: str | int | None = None, t: float | None = None) -> Modes:
        """The factors of all loads and gravity of time t (default: the end) at which a rod buckles."""
        time = self.model.end if t is None else t

        def call(sim: Any, index: int, *rest: Any) -> int:
            return int(lib.wy_sim_buckling(sim, index, time, *rest))

        return self._modes(call, self._rod(rod), count)

    def group_modes(self, count: int = 10, of: str | None = None) -> dict[str, Modes]:
        """The lowest vibration modes of all rods and bodies of a group, by their names; call `settle` first.

        They have the same frequencies, and shapes that belong together; a body has one point, its centre of mass. `of`
        is the name of one of them; it may be left out where there is one group.
        """
        return self._group_modes(lib.wy_sim_group_modes, of, count)

    def group_buckling(self, count: int = 1, of: str | None = None, t: float | None = None) -> dict[str, Modes]:
        """The buckling modes of all rods and bodies of a group, by their names, as `group_modes` and `buckling`."""
        time = self.model.end if t is None else t

        def call(sim: Any, group: int, *rest: Any) -> int:
            return int(lib.wy_sim_group_buckling(sim, group, time, *rest))

        return self._group_modes(call, of, count)

    # ---- Saving ----

    def save(self) -> bytes:
        """The state, to go back to it with `restore`."""
        handle = self._handle
        with handle.lock:
            size = lib.wy_sim_save_size(handle.open())
            buffer = ffi.new("char[]", size)
            check(lib.wy_sim_save(handle.open(), buffer, size, handle.message), handle.message)
            return bytes(ffi.buffer(buffer))

    def restore(self, state: bytes) -> None:
        """Goes back to a saved state, also one of another simulation of the same model; it goes on bit for bit."""
        self._handle.change(lib.wy_sim_restore, ffi.from_buffer(state), len(state))

    # ---- Helpers ----

    def _rod(self, rod: str | int | None) -> int:
        if rod is None:
            if len(self.model.rods) != 1:
                raise InputError(f"found {len(self.model.rods)} rods; expected the name of one of them")
            return 0
        return self.model.rod_index(rod)

    def _ask(self, quantity: str, rod: str | int | None, at: Place) -> tuple[int, int, float, int]:
        """What a probe needs: number of the quantity, rod, arc length, number of components or 0 for a scalar."""
        table = quantities()
        one = table.get(quantity) or list(table.values())[found_index(quantity, table, "quantity")]
        index = self._rod(rod) if one.place != OF_ALL else ALL_RODS
        s = 0.0
        if one.place in (AT_PLACE, AT_ENDS):
            length = self.model.rods[index].length
            s = (0.0, length)[found_index(at, ENDS, "place")] if isinstance(at, str) else float(at)
        if len(self._asked) >= MOST_ASKED:
            self._asked.clear()
        self._asked[quantity, rod, at] = found = (one.number, index, s, len(one.letters))
        return found

    def _fill(self, row: Array) -> None:
        scenario, handle = self.model._scenario, self._handle
        numbers = ffi.from_buffer("double[]", row)
        with handle.lock:
            check(lib.withy_row(handle.open(), scenario, numbers, handle.message), handle.message)

    def _record(self, go: Any, times: Array, rows: Array) -> None:
        scenario = self.model._scenario
        self._handle.change(lib.withy_record, go, ffi.from_buffer("double[]", times), len(times), scenario,
                            ffi.from_buffer("double[]", rows), rows.shape[1])

    def _modes(self, call: Callable[..., int], rod: int, count: int) -> Modes:
        handle, out = self._handle, ffi.new("wy_mode_set **")
        with handle.lock:
            try:
                check(call(handle.open(), rod, count, out, handle.message), handle.message)
            finally:
                handle.show()
        return _copied(out[0])

    def _group(self, of: str | None) -> int:
        groups = self.groups
        if of is None:
            if len(groups) != 1:
                raise InputError(f"found {len(groups)} groups; expected the name of a rod or body of one of them")
            return 0
        names = [name for group in groups for name in (*group.rods, *group.bodies)]
        numbers = [i for i, group in enumerate(groups) for _ in (*group.rods, *group.bodies)]
        return numbers[found_index(of, names, "rod or body")]

    def _group_modes(self, call: Callable[..., int], of: str | None, count: int) -> dict[str, Modes]:
        handle, group = self._handle, self._group(of)
        names = ([rod.name for rod in self.model.rods], list(self.model.bodies))
        sets = tuple(ffi.new("wy_mode_set *[]", len(one) + 1) for one in names)
        with handle.lock:
            try:
                check(call(handle.open(), group, count, *sets, handle.message), handle.message)
            finally:
                handle.show()
        return {name: _copied(found[i]) for found, part in zip(sets, names) for i, name in enumerate(part) if found[i]}


def _copied(modes: Any) -> Modes:
    """A wy_mode_set, which goes."""
    found = ffi.gc(modes, lib.wy_mode_set_destroy)
    n, points, frames = found.count, found.points, found.frames

    def copy(pointer: Any, *shape: int) -> Array:
        return np.array(shared(found, pointer, shape)) if pointer else np.empty(0)

    states = (n,) if found.factor else ()
    return Modes(copy(found.omega, n), copy(found.damping_ratio, n), copy(found.factor, n), copy(found.s, points),
                 copy(found.displacement, n, points, 3), copy(found.rotation, n, frames, 3),
                 copy(found.position, *states, points, 3))


class Strands:
    """Lines of hair that follow rods; they have no mechanics of their own."""

    def __init__(self, handle: Handle, definition: Any) -> None:
        self._handle = handle
        self.name = text(definition.name)  #: of the scenario
        out, sim = ffi.new("wy_strands **"), handle.open()
        check(lib.wy_strands_create(handle.model._model, sim, definition, out, handle.message), handle.message)
        self._strands = ffi.gc(out[0], functools.partial(_destroy_strands, sim))
        #: [count, points, 3]
        self.shape = (lib.wy_strands_count(self._strands), lib.wy_strands_points(self._strands), 3)

    def positions(self) -> Array:
        """The positions now, a new array of `shape`, space axes."""
        positions = np.empty(self.shape)
        with self._handle.lock:
            self._handle.open()
            lib.wy_strands_place(self._strands, ffi.from_buffer("double[]", positions))
        return positions


def _destroy_strands(sim: Any, strands: Any) -> None:
    """`sim` is held until here."""
    lib.wy_strands_destroy(strands)


def _set_load(handle: Handle, index: int, value: Vector | tuple[Vector, Vector] | None) -> None:
    force: Any = value
    moment: Any = None
    if isinstance(value, (tuple, list, np.ndarray)) and len(value) == 2 and np.ndim(value[0]) + np.ndim(value[1]) > 0:
        force, moment = value  # a pair of vectors, or of one and None
    handle.change(lib.wy_sim_set_load, index, vector(force, 3, "the force"), vector(moment, 3, "the moment"))


def _set_actuator(handle: Handle, index: int, value: float | None) -> None:
    handle.change(lib.wy_sim_set_actuator, index, ffi.NULL if value is None else ffi.new("double *", float(value)))
