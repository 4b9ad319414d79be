# SPDX-License-Identifier: MIT
"""What a simulation has beside rods: rigid bodies, joints, springs, the groups that they make, and obstacles."""
from __future__ import annotations

from typing import Any, Generic, Iterator, Mapping, NamedTuple, Sequence, TypeVar

import numpy as np

from ._withy import ffi, lib
from .errors import check, text
from .model import Array, found_index
from .rods import Handle, Methods, Vector, vector

JOINTS, SPRINGS = ("weld", "ball", "hinge"), ("spring", "cable")
OBSTACLES = ("plane", "sphere", "cylinder", "capsule", "box", "torus", "tube", "distance")
ALL_RODS = -1
GROUND, ROD, BODY = range(3)  # kinds of ports
Part = TypeVar("Part")


class Parts(Mapping[str, Part], Generic[Part]):
    """Bodies, joints, springs or obstacles of a simulation by name; an index will do as well: `sim.bodies[0]`.

    One without a name has its number in brackets: `sim.joints["[2]"]`.
    """

    def __init__(self, what: str, names: Sequence[str], parts: Sequence[Part]) -> None:
        self._what, self._names, self._parts = what, list(names), list(parts)

    def __getitem__(self, key: str | int) -> Part:
        return self._parts[found_index(key, self._names, self._what)]

    def __contains__(self, key: object) -> bool:
        return key in self._names

    def get(self, key: str, default: Any = None) -> Any:
        """The one of this name, or `default`."""
        return self[key] if key in self else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Load(NamedTuple):
    """A force and a moment, space axes."""

    force: Array
    moment: Array


class Group(NamedTuple):
    """Rods and bodies that joints and springs connect: they move with one integrator."""

    rods: tuple[str, ...]  #: names
    bodies: tuple[str, ...]  #: names
    methods: Methods


class _Named:
    """One of them; what it shows is read when it is asked for."""

    def __init__(self, handle: Handle, index: int, name: str) -> None:
        self._handle, self._index = handle, index
        self.name = name  #: of the scenario, or its number in brackets

    def __repr__(self) -> str:
        return f"<withy.{type(self).__name__} {self.name}>"

    def _place(self, port: Any) -> Array:
        """Where a port is now."""
        handle, place, frame = self._handle, ffi.new("double[3]"), ffi.new("double[4]")
        with handle.lock:
            check(lib.wy_sim_port(handle.open(), port, place, frame, handle.message), handle.message)
        return _array(place)


class Body(_Named):
    """A rigid body of a simulation. Its arrays are new ones, of the present."""

    def __init__(self, handle: Handle, index: int, name: str) -> None:
        super().__init__(handle, index, name)
        definition = lib.wy_model_body(handle.model._model, index)
        self.mass = float(definition.mass)
        #: about the centre of mass, [3, 3], axes of the body
        self.inertia = _symmetric(definition.inertia)

    def _state(self, member: str) -> Array:
        handle, out = self._handle, ffi.new("wy_body_state *")
        with handle.lock:
            check(lib.wy_sim_body(handle.open(), self._index, out, handle.message), handle.message)
        return _array(getattr(out, member))

    @property
    def position(self) -> Array:
        """Position of the centre of mass, space axes."""
        return self._state("position")

    @property
    def velocity(self) -> Array:
        """Velocity of the centre of mass, space axes."""
        return self._state("velocity")

    @property
    def frame(self) -> Array:
        """Rotation, a unit quaternion (w, x, y, z)."""
        return self._state("frame")

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity, axes of the body."""
        return self._state("angular_velocity")

    @property
    def reaction_force(self) -> Array:
        """The force of what holds or drives the body, space axes; 0 in free components."""
        return self._state("reaction_force")

    @property
    def reaction_moment(self) -> Array:
        """The moment of what holds or drives the body about its centre of mass, space axes."""
        return self._state("reaction_moment")

    def point(self, x: float, y: float, z: float) -> Array:
        """Where a point of the body is: given from its centre of mass in its axes, returned in space axes."""
        return self._place(ffi.new("wy_port *", {"kind": BODY, "index": self._index, "point": (x, y, z)}))

    def move(self, position: Vector | None = None, frame: Vector | None = None, *, duration: float,
             velocity: Vector | None = None, angular_velocity: Vector | None = None) -> None:
        """Moves a held or driven body from its present pose to another, as `End.move` does an end."""
        parts = (vector(position, 3, "position"), vector(frame, 4, "frame"), vector(velocity, 3, "velocity"),
                 vector(angular_velocity, 3, "angular_velocity"))
        self._handle.change(lib.wy_sim_move_body, self._index, ffi.new("wy_pose *", parts), duration)


class Joint(_Named):
    """A joint of a simulation. Its arrays are new ones, of the present."""

    def __init__(self, handle: Handle, index: int, name: str) -> None:
        super().__init__(handle, index, name)
        definition = lib.wy_model_joint(handle.model._model, index)
        self.kind = JOINTS[definition.kind]  #: "weld", "ball" or "hinge"
        ports = (definition.ports[i] for i in range(definition.port_count))
        #: the rods and bodies that it joins, by name, or "ground"; forces are those on the first unless another is named
        self.parts = tuple(_part(handle, port) for port in ports)

    @property
    def position(self) -> Array:
        """Where its first part is, space axes."""
        return self._place(ffi.addressof(lib.wy_model_joint(self._handle.model._model, self._index).ports[0]))

    def load(self, part: int = 0) -> Load:
        """What the joint exerts on one of its parts, by its number in `parts`; the moment is about the joint."""
        handle, force, moment = self._handle, ffi.new("double[3]"), ffi.new("double[3]")
        with handle.lock:
            check(lib.wy_sim_joint(handle.open(), self._index, part, force, moment, handle.message), handle.message)
        return Load(_array(force), _array(moment))

    @property
    def force(self) -> Array:
        """What it exerts on its first part, space axes."""
        return self.load().force

    @property
    def moment(self) -> Array:
        """What it exerts on its first part about the joint, space axes."""
        return self.load().moment


    def angle(self, part: int = 1) -> float:
        """Of a hinge: how far a part has turned against the first about the axis; 0 as drawn, whole turns count."""
        return self._turn(part)[0]

    def rate(self, part: int = 1) -> float:
        """Of a hinge: how fast that angle grows."""
        return self._turn(part)[1]

    def turn(self, angle: float, *, duration: float, rate: float = 0) -> None:
        """Turns a driven hinge from its present angle to another, with that rate after `duration`."""
        self._handle.change(lib.wy_sim_set_joint_angle, self._index, angle, rate, duration)

    def _turn(self, part: int) -> tuple[float, float]:
        handle, angle, rate = self._handle, ffi.new("double *"), ffi.new("double *")
        with handle.lock:
            check(lib.wy_sim_joint_angle(handle.open(), self._index, part, angle, rate, handle.message), handle.message)
        return angle[0], rate[0]


class Spring(_Named):
    """A spring or cable of a simulation."""

    def __init__(self, handle: Handle, index: int, name: str) -> None:
        super().__init__(handle, index, name)
        definition = lib.wy_model_spring(handle.model._model, index)
        self.kind = SPRINGS[definition.kind]  #: "spring" or "cable"
        self.stiffness, self.damping = float(definition.stiffness), float(definition.damping)
        self.rest_length = float(definition.length)  #: without force

    def _numbers(self) -> tuple[float, float]:
        handle, force, length = self._handle, ffi.new("double *"), ffi.new("double *")
        with handle.lock:
            check(lib.wy_sim_spring(handle.open(), self._index, force, length, handle.message), handle.message)
        return force[0], length[0]

    @property
    def force(self) -> float:
        """Its force, with that of its damper; > 0 pulls."""
        return self._numbers()[0]

    @property
    def length(self) -> float:
        """The distance of its ends."""
        return self._numbers()[1]

    @property
    def ends(self) -> Array:
        """The places of its ends, [2, 3], space axes."""
        ports = lib.wy_model_spring(self._handle.model._model, self._index).ports
        return np.stack([self._place(ffi.addressof(ports[i])) for i in range(2)])


class Obstacle(_Named):
    """An obstacle of a simulation. Its arrays are new ones, of the present."""

    def __init__(self, handle: Handle, index: int, name: str) -> None:
        super().__init__(handle, index, name)
        #: "plane", "sphere", "cylinder", "capsule", "box", "torus" or "tube"
        self.shape = OBSTACLES[lib.wy_model_obstacle(handle.model._model, index).shape]

    def _state(self, rod: str | int | None = None) -> Any:
        handle, out = self._handle, ffi.new("wy_obstacle_state *")
        names = [one.name for one in handle.model.rods]
        number = ALL_RODS if rod is None else found_index(rod, names, "rod")
        with handle.lock:
            check(lib.wy_sim_obstacle(handle.open(), self._index, number, out, handle.message), handle.message)
        return out

    @property
    def position(self) -> Array:
        """Its centre, or a point of a plane, space axes."""
        return _array(self._state().position)

    @property
    def velocity(self) -> Array:
        """Velocity of its position, space axes."""
        return _array(self._state().velocity)

    @property
    def frame(self) -> Array:
        """Rotation, a unit quaternion (w, x, y, z): its third axis is that of the obstacle."""
        return _array(self._state().frame)

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity, space axes."""
        return _array(self._state().angular_velocity)

    def load(self, rod: str | int | None = None) -> Load:
        """What it exerts on a rod, or on all rods; the moment is about its position."""
        state = self._state(rod)
        return Load(_array(state.force), _array(state.moment))

    @property
    def force(self) -> Array:
        """What it exerts on all rods, with friction, space axes."""
        return self.load().force

    @property
    def moment(self) -> Array:
        """What it exerts on all rods about its position, space axes."""
        return self.load().moment

    def contact_length(self, rod: str | int | None = None) -> float:
        """How much of a rod, or of all rods, touches it."""
        return float(self._state(rod).contact_length)

    def gap(self, rod: str | int | None = None) -> float:
        """The smallest of a rod, or of all rods, to it; negative: depth."""
        return float(self._state(rod).gap)

    def move(self, position: Vector | None = None, frame: Vector | None = None, *, duration: float,
             velocity: Vector | None = None, angular_velocity: Vector | None = None) -> None:
        """Moves the obstacle from its present pose to another, as `End.move` does an end."""
        parts = (vector(position, 3, "position"), vector(frame, 4, "frame"), vector(velocity, 3, "velocity"),
                 vector(angular_velocity, 3, "angular_velocity"))
        self._handle.change(lib.wy_sim_move_obstacle, self._index, ffi.new("wy_pose *", parts), duration)


def bodies(handle: Handle) -> Parts[Body]:
    names = handle.model.bodies
    return Parts("body", names, [Body(handle, i, name) for i, name in enumerate(names)])


def joints(handle: Handle) -> Parts[Joint]:
    names = handle.model.joints
    return Parts("joint", names, [Joint(handle, i, name) for i, name in enumerate(names)])


def springs(handle: Handle) -> Parts[Spring]:
    names = handle.model.springs
    return Parts("spring", names, [Spring(handle, i, name) for i, name in enumerate(names)])


def obstacles(handle: Handle) -> Parts[Obstacle]:
    names = handle.model.obstacles
    return Parts("obstacle", names, [Obstacle(handle, i, name) for i, name in enumerate(names)])


def groups(handle: Handle) -> tuple[Group, ...]:
    sim, model, found = handle.open(), handle.model, []
    for index in range(lib.wy_sim_group_count(sim)):
        info = lib.wy_sim_group_describe(sim, index)
        methods = Methods(text(info.scheme), text(info.integrator), text(info.reason), info.unknowns)
        rods = (rod.name for i, rod in enumerate(model.rods) if lib.wy_sim_group_of(sim, ROD, i) == index)
        parts = (name for i, name in enumerate(model.bodies) if lib.wy_sim_group_of(sim, BODY, i) == index)
        found.append(Group(tuple(rods), tuple(parts), methods))
    return tuple(found)


def _array(numbers: Any) -> Array:
    return np.array(list(numbers))


def _symmetric(six: Any) -> Array:
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _part(handle: Handle, port: Any) -> str:
    if port.kind == GROUND:
        return "ground"
    index = int(port.index)
    return handle.model.rods[index].name if port.kind == ROD else handle.model.bodies[index]
