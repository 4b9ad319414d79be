# SPDX-License-Identifier: MIT
"""Vectors and rotations of three-dimensional space, as lists and lists of rows."""

import math


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def times(k, a):
    return [k * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return times(1 / norm(a), a)


def apply(m, a):
    return [dot(row, a) for row in m]


def transpose(m):
    return [list(column) for column in zip(*m)]


def product(a, b):
    return [[dot(row, column) for column in transpose(b)] for row in a]


def columns(*vectors):
    return transpose(list(vectors))


def diagonal(a):
    return [[a[i] if i == j else 0.0 for j in range(3)] for i in range(3)]


def determinant(m):
    return dot(m[0], cross(m[1], m[2]))


def rotation(turn):
    """The rotation by the vector `turn`: about its direction, by its length (Rodrigues)."""
    angle = norm(turn)
    if angle == 0:
        return diagonal([1.0, 1.0, 1.0])
    u = times(1 / angle, turn)
    skew = [[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]]
    square = product(skew, skew)
    return [[(1.0 if i == j else 0.0) + math.sin(angle) * skew[i][j] + (1 - math.cos(angle)) * square[i][j] for j in range(3)]
            for i in range(3)]


def random_unit(rng):
    while True:
        a = [rng.gauss(0, 1) for _ in range(3)]
        if norm(a) > 1e-3:
            return unit(a)


def random_rotation(rng):
    return rotation(times(rng.uniform(0.3, math.pi), random_unit(rng)))


def random_axes(rng):
    """A rotation that takes coordinate axes into coordinate axes, other than none."""
    while True:
        order = rng.sample(range(3), 3)
        signs = [rng.choice((-1.0, 1.0)) for _ in range(3)]
        m = [[signs[i] if j == order[i] else 0.0 for j in range(3)] for i in range(3)]
        if determinant(m) > 0 and order != [0, 1, 2]:
            return m


def normal_to(a, b):
    """The part of b normal to the unit vector a, of length one."""
    return unit(sub(b, times(dot(a, b), a)))


def exponential(turn, way):
    """Rotation and displacement after one unit of arc length of a screw: exp of (turn, way) in SE(3)."""
    angle = norm(turn)
    if angle < 1e-4:
        a, b = 0.5 - angle**2 / 24, 1 / 6 - angle**2 / 120
    else:
        a, b = (1 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    once = cross(turn, way)
    twice = cross(turn, once)
    return rotation(turn), [w + a * p + b * q for w, p, q in zip(way, once, twice)]
