# SPDX-License-Identifier: MIT
"""The rods of a simulation, as arrays in its memory."""
from __future__ import annotations

import threading
from typing import Any, NamedTuple, Sequence, Union

import numpy as np

from ._withy import ffi, lib
from .errors import InputError, check, text
from .model import Array, Model

Vector = Union[Sequence[float], Array]


class Energy(NamedTuple):
    """Energies of the balance total(t) - total(0) = work - dissipated; total = kinetic + elastic + gravity + contact."""

    kinetic: float
    elastic: float
    gravity: float
    dissipated: float
    work: float
    total: float
    contact: float = 0.0  #: in skins that are pressed in
    friction: float = 0.0  #: the part of `dissipated` that friction on obstacles has taken
    impact: float = 0.0  #: the part of `dissipated` that hits on obstacles have taken


class Momentum(NamedTuple):
    """Momenta about the origin, in space axes, with the centre of mass."""

    linear: Array
    angular: Array
    centre_of_mass: Array
    mass: float


class Extreme(NamedTuple):
    """The largest or smallest value of a quantity so far, and where and when it occurred first."""

    value: float
    s: float
    time: float


class Equilibrium(NamedTuple):
    """How the equilibrium of a rod was found, and whether it is stable (see wy_equilibrium_info of the C interface)."""

    increments: int
    newton_iterations: int
    unstable: int  #: number of unstable directions; -1: not known
    bifurcations: int
    limit_points: int
    snaps: int
    way: str  #: in words


class Contact(NamedTuple):
    """The contact of a rod with all obstacles, at the middles of its segments. Its arrays are new ones."""

    s: Array  #: arc lengths, [segments]
    load: Array  #: force per length that obstacles exert, with friction, [segments, 3], space axes
    gap: Array  #: the smallest on each segment, [segments]; negative: depth
    #: slip over the slip at which friction is whole, [segments]: it holds below 1 and slides above
    slip: Array
    deepest: float  #: the largest depth so far
    deepest_over_radius: float
    first_time: float  #: when the rod first touched anything; NaN: never
    put_down: float  #: how far `contact.settle` brought rod and obstacles together or apart


class Methods(NamedTuple):
    """How a rod is solved; `auto` is replaced by the integrator that it has chosen."""

    scheme: str
    integrator: str
    reason: str  #: why `auto` has chosen it, or ""
    unknowns: int


class Handle:
    """A wy_sim, one lock and one message for all that use it. It refers to its model alone, so that nothing is held in
    a circle and memory goes at once with the last reference."""

    __slots__ = ("sim", "model", "pool", "lock", "message", "shown", "count")

    def __init__(self, sim: Any, model: Model, pool: Any) -> None:
        self.sim = sim  # None after close()
        self.model = model
        self.pool = pool  # its threads, which end with it; or NULL
        self.lock = threading.Lock()
        self.message = ffi.new("wy_message *")
        # Rods whose arrays were given out: after each call their memory shows the present.
        self.shown = ffi.new("int[]", len(model.rods))
        self.count = 0

    def open(self) -> Any:
        if self.sim is None:
            raise ValueError("the simulation is closed")
        return self.sim

    def show(self) -> None:
        """Brings the arrays that were given out up to date."""
        for i in range(self.count):
            lib.wy_sim_view(self.sim, self.shown[i])

    def go(self, function: Any, t: float) -> None:
        """Takes the simulation to time t by a function of TO."""
        with self.lock:
            status = lib.withy_go(self.sim or self.open(), function, t, self.shown, self.count, self.message)
            if status:
                check(status, self.message)

    def change(self, function: Any, *arguments: Any) -> None:
        """Calls function(sim, ..., message), which changes the simulation in another way."""
        with self.lock:
            status = function(self.sim or self.open(), *arguments, self.message)
            self.show()
            if status:
                check(status, self.message)


#: Functions of the library that take a simulation to a time.
TO = {name: ffi.addressof(lib, f"wy_sim_{name}") for name in ("advance", "sample", "settle", "follow")}


def vector(value: Vector | None, size: int, what: str) -> Any:
    """A C array of `size` numbers, or NULL for None."""
    if value is None:
        return ffi.NULL
    try:
        numbers = [float(one) for one in value]
    except (TypeError, ValueError):
        raise InputError(f"{what} is {value!r}; expected {size} numbers") from None
    if len(numbers) != size:
        raise InputError(f"{what} has {len(numbers)} numbers; expected {size}")
    return ffi.new("double[]", numbers)


def shared(owner: Any, pointer: Any, shape: tuple[int, ...]) -> Array:
    """A read-only array in memory of `owner`, which lives as long as the array."""
    count = int(np.prod(shape))
    if count == 0 or pointer == ffi.NULL:
        return np.empty(shape)
    # The destructor does nothing; it is what holds the owner.
    held = ffi.gc(ffi.cast("double *", pointer), _Holder(owner))
    array: Array = np.frombuffer(memoryview(ffi.buffer(held, 8 * count)).toreadonly(), dtype=np.float64)
    return array.reshape(shape)


class _Holder:
    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __call__(self, pointer: Any) -> None:
        self.owner = None


class _Shown:
    """Arrays of one rod, each made once."""

    def __init__(self, handle: Handle, rod: int) -> None:
        self._handle, self._rod = handle, rod
        self._arrays: dict[str, Array] = {}

    def _view(self) -> tuple[Any, Any]:
        """The view of the rod; from now on every call brings it up to date. It lies in the memory of the simulation, which
        comes with it: another thread may close the handle at any time."""
        handle = self._handle
        with handle.lock:
            sim = handle.open()
            view = lib.wy_sim_view(sim, self._rod)
            if self._rod not in handle.shown[0:handle.count]:
                handle.shown[handle.count] = self._rod
                handle.count += 1
        return sim, view


class End(_Shown):
    """An end of a rod. Its arrays are read-only, lie in the memory of the simulation and show the present."""

    def __init__(self, handle: Handle, rod: int, end: int) -> None:
        super().__init__(handle, rod)
        self._end = end

    def _array(self, name: str, size: int) -> Array:
        array = self._arrays.get(name)
        if array is None or self._handle.sim is None:
            sim, view = self._view()
            array = self._arrays[name] = shared(sim, getattr(view.ends[self._end], name), (size,))
        return array

    @property
    def position(self) -> Array:
        """Position of the support if it is held, else of the rod; space axes."""
        return self._array("position", 3)

    @property
    def frame(self) -> Array:
        """Rotation of the support, a unit quaternion (w, x, y, z)."""
        return self._array("frame", 4)

    @property
    def reaction_force(self) -> Array:
        """The force of the support on the rod, space axes."""
        return self._array("reaction_force", 3)

    @property
    def reaction_moment(self) -> Array:
        """The moment of the support on the rod, space axes."""
        return self._array("reaction_moment", 3)

    def move(self, position: Vector | None = None, frame: Vector | None = None, *, duration: float,
             velocity: Vector | None = None, angular_velocity: Vector | None = None) -> None:
        """Moves a held or driven end from its present pose to another, which it reaches after `duration`.

        Position and velocity stay continuous. What is None goes on as before; a velocity that is None is zero there.
        `frame` is a unit quaternion (w, x, y, z); all vectors are in space axes.
        """
        parts = (vector(position, 3, "position"), vector(frame, 4, "frame"), vector(velocity, 3, "velocity"),
                 vector(angular_velocity, 3, "angular_velocity"))
        pose = ffi.new("wy_pose *", parts)
        self._handle.change(lib.wy_sim_move_end, self._rod, self._end, pose, duration)


class Rod(_Shown):
    """A rod of a simulation. Its arrays are read-only, lie in the memory of the simulation and show the present.

    Each array has a row for each point; the arc lengths of the points are in `s(name)`. They differ between quantities:
    a scheme has positions at nodes and rotations between them, for example.
    """

    def __init__(self, handle: Handle, rod: int) -> None:
        super().__init__(handle, rod)
        self.name = handle.model.rods[rod].name  #: of the scenario
        self.length = handle.model.rods[rod].length  #: undeformed
        self.start = End(handle, rod, 0)  #: the end at s = 0
        self.end = End(handle, rod, 1)  #: the end at s = length

    def __repr__(self) -> str:
        return f"<withy.Rod {self.name}>"

    def _array(self, name: str) -> Array:
        array = self._arrays.get(name)
        if array is None or self._handle.sim is None:
            sim, view = self._view()
            points = getattr(view, name)
            array = self._arrays[name] = shared(sim, points.values, (points.count, points.components))
        return array

    @property
    def contact(self) -> Contact | None:
        """The contact with obstacles at present; None where the rod cannot touch anything."""
        handle = self._handle
        with handle.lock:
            view = lib.wy_sim_contact(handle.open(), self._rod)
            if not view:
                return None
            numbers = (np.array(ffi.unpack(points.values, points.count * points.components))
                       for points in (view.load, view.gap, view.slip))
            load, gap, slip = numbers
            s = np.array(ffi.unpack(view.load.s, view.load.count))
            record = (view.deepest, view.deepest_over_radius, view.first_time, view.put_down)
        return Contact(s, load.reshape(-1, 3), gap, slip, *record)

    def s(self, name: str = "position") -> Array:
        """The arc lengths of the points of an array: `rod.s("curvature")`."""
        if name not in FIELDS:
            raise InputError(f"found no array '{name}'; expected one of {', '.join(FIELDS)}")
        sim, view = self._view()
        points = getattr(view, name)
        return shared(sim, points.s, (points.count,))

    @property
    def position(self) -> Array:
        """Positions, [points, 3], space axes."""
        return self._array("position")

    @property
    def velocity(self) -> Array:
        """Velocities, [points, 3], space axes."""
        return self._array("velocity")

    @property
    def frame(self) -> Array:
        """Rotations of the sections, [points, 4], unit quaternions (w, x, y, z)."""
        return self._array("frame")

    @property
    def angular_velocity(self) -> Array:
        """Angular velocities, [points, 3], along the directors."""
        return self._array("angular_velocity")

    @property
    def strain(self) -> Array:
        """Shear 1, shear 2 and extension, [points, 3]."""
        return self._array("strain")

    @property
    def force(self) -> Array:
        """Section forces, [points, 3], along the directors: what the part beyond exerts on the part before."""
        return self._array("force")

    @property
    def curvature(self) -> Array:
        """Curvatures and twist, [points, 3], along the directors."""
        return self._array("curvature")

    @property
    def moment(self) -> Array:
        """Section moments, [points, 3], along the directors."""
        return self._array("moment")

    @property
    def energy(self) -> Energy:
        """The energies of this rod."""
        return energy(self._handle, self._rod)

    @property
    def momentum(self) -> Momentum:
        """The momenta of this rod."""
        return momentum(self._handle, self._rod)

    @property
    def statistics(self) -> dict[str, float]:
        """What the rod has cost so far, and its drifts."""
        return statistics(self._handle, self._rod)

    @property
    def methods(self) -> Methods:
        """Scheme and integrator."""
        info = lib.wy_sim_describe(self._handle.open(), self._rod)
        return Methods(text(info.scheme), text(info.integrator), text(info.reason), info.unknowns)

    @property
    def equilibrium(self) -> Equilibrium:
        """How the present equilibrium was found."""
        info = lib.wy_sim_equilibrium(self._handle.open(), self._rod)
        return Equilibrium(info.increments, info.newton_iterations, info.unstable, info.bifurcations,
                           info.limit_points, info.snaps, text(lib.wy_equilibrium_way_name(info.way)))

    @property
    def extremes(self) -> dict[str, Extreme]:
        """The extremes so far by name: "smallest_bend_radius", "largest_tension", ..."""
        found = {}
        with self._handle.lock:
            for i in range(lib.WY_EXTREME_COUNT):
                one = lib.wy_sim_extreme(self._handle.open(), self._rod, i)
                found[text(lib.wy_extreme_describe(i).name)] = Extreme(one.value, one.s, one.time)
        return found


FIELDS = ("position", "velocity", "frame", "angular_velocity", "strain", "force", "curvature", "moment")


def energy(handle: Handle, rod: int) -> Energy:
    with handle.lock:
        e = lib.wy_sim_energy(handle.open(), rod)
    return Energy(e.kinetic, e.elastic, e.gravity, e.dissipated, e.work, e.total, e.contact, e.friction, e.impact)


def momentum(handle: Handle, rod: int) -> Momentum:
    with handle.lock:
        m = lib.wy_sim_momentum(handle.open(), rod)
    return Momentum(np.array(list(m.linear)), np.array(list(m.angular)), np.array(list(m.centre_of_mass)), m.mass)


def statistics(handle: Handle, rod: int) -> dict[str, float]:
    numbers = ffi.new("wy_statistics *", lib.wy_sim_statistics(handle.open(), rod))
    found, index = {}, 0
    while row := lib.wy_statistic_describe(index):
        found[text(row.name)] = lib.wy_statistic_value(numbers, row)
        index += 1
    return found
