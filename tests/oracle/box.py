# SPDX-License-Identifier: MIT
"""box/falling_cantilever_space.csv, box/time_order.csv: the plain box scheme of docs/theory/box.md in a plane.
Run: /usr/bin/python3 tests/oracle/box.py [--all] [--write OUT]    (all rows: some minutes)

Both motions stay in the plane of x and y, so that a node has the contact force (2), the curvature, the velocity (2, in
the axes of the section) and the angular velocity; angles follow from curvatures. The Jacobian is taken by complex steps.
"""
import numpy as np
from table import Comparison, stored

BEND = 0.02
# A node: n1, n3 (across, along), k, u1, u3, w. The section has d3 = (cos a, sin a), d1 = (-sin a, cos a); a turns with w.


def sources(x, angle, weight, rotary):
    """Lam of docs/theory/box.md in the plane; `weight` acts along -y."""
    n1, n3, k, u1, u3, w = x
    f1, f3 = -weight * np.cos(angle), -weight * np.sin(angle)
    return np.stack([k * n3 - w * u3 + f1, -k * n1 + w * u1 + f3, n1 + 0 * k, k * u3 - w, -k * u1])


def angles(k, h):
    return np.concatenate([0 * k[:1], np.cumsum(h * (k[:-1] + k[1:]) / 2)])


def right_side(x, h, weight, rotary, force=None):
    """G of every cell: forces (2), moment, rate of curvature, the constraint (2). `force`: contact forces instead of x's."""
    if force is not None:
        x = np.concatenate([force, x[2:]])
    lam = sources(x, angles(x[2], h), weight, rotary)
    mean = (lam[:, :-1] + lam[:, 1:]) / 2
    slope = lambda a: (a[1:] - a[:-1]) / h
    return np.stack([slope(x[0]) + mean[0], slope(x[1]) + mean[1], BEND * slope(x[2]) + mean[2], slope(x[5]),
                     slope(x[3]) + mean[3], slope(x[4]) + mean[4]])


class Cantilever:
    def __init__(self, cells, rotary, weight):
        self.n, self.h, self.rotary, self.weight = cells, 1 / cells, rotary, weight
        self.x, self.rate = np.zeros((6, cells + 1)), np.zeros((6, cells + 1))
        self.t, self.place = 0.0, np.array([1.0, 0.0])  # by velocities
        self.step(1e-7, 0, 0, 1, False)  # for the contact force and the rates of the start
        self.x[2:], self.t, self.place = 0, 0.0, np.array([1.0, 0.0])

    def residual(self, y, dt, a, b, c, stage, old_weight, new_weight):
        x = y.reshape(6, -1)
        rate = (x - self.x) / (c * dt) - (1 - c) / c * self.rate
        held = (1 - a) * rate + a * self.rate
        mean = (held[:, :-1] + held[:, 1:]) / 2
        left = np.stack([mean[3], mean[4], self.rotary * mean[5], mean[2], 0 * mean[0], 0 * mean[0]])
        new = right_side(x, self.h, new_weight, self.rotary)
        # What is constrained holds at the end of the step; a force of the stage belongs to both ends.
        old = right_side(self.x, self.h, old_weight, self.rotary, x[:2] if stage else None)
        cells = left - (1 - b) * new - b * old
        ends = np.array([x[3, 0], x[4, 0], x[5, 0], x[0, -1], x[1, -1], x[2, -1]])
        return np.concatenate([cells.ravel(), ends])

    def step(self, dt, a, b, c, stage):
        weights = self.weight(self.t), self.weight(self.t + dt)
        y = self.x.ravel().astype(complex)
        with_step = lambda z: self.residual(z, dt, a, b, c, stage, *weights)
        for _ in range(30):
            r = with_step(y).real
            jacobian = np.empty((y.size, y.size))
            for i in range(y.size):
                y[i] += 1e-30j
                jacobian[:, i] = with_step(y).imag / 1e-30
                y[i] = y[i].real
            d = np.linalg.solve(jacobian, -r)
            y += d
            if np.abs(d).max() < 1e-12 * max(1, np.abs(y).max()):
                break
        x = y.real.reshape(6, -1)
        self.place = self.place + dt * (b * self.velocity(self.x) + (1 - b) * self.velocity(x))
        self.rate = (x - self.x) / (c * dt) - (1 - c) / c * self.rate
        self.x, self.t = x, self.t + dt

    def velocity(self, x):
        a = angles(x[2], self.h)[-1]
        return x[3, -1] * np.array([-np.sin(a), np.cos(a)]) + x[4, -1] * np.array([np.cos(a), np.sin(a)])


def places(rod):
    """Vertices: in a cell the angle is a[i] + h (k[i] + k[i+1]) / 4 in the middle, and the chord is along it."""
    k, h = rod.x[2], rod.h
    a = angles(k, h)
    middle = (a[:-1] + a[1:]) / 2
    turn = h * (k[:-1] + k[1:]) / 4  # half the angle of the arc
    chord = h * np.sinc(turn / np.pi)
    return np.concatenate([np.zeros((2, 1)), np.cumsum([chord * np.cos(middle), chord * np.sin(middle)], axis=1)], axis=1)


def energies(rod):
    """By the trapezoidal rule: kinetic, elastic, of the weight."""
    weight = np.full(rod.n + 1, rod.h)
    weight[[0, -1]] /= 2
    moving = rod.x[3]**2 + rod.x[4]**2 + rod.rotary * rod.x[5]**2
    return 0.5 * weight @ moving, 0.5 * BEND * weight @ rod.x[2]**2, weight @ places(rod)[1]


def falling(c):
    table = stored("box/falling_cantilever_space.csv")
    for first in range(0, len(table), 4):
        cells, dt = int(table[first]["N"]), table[first]["dt"]
        if not c.all and cells * 0.01 / dt > 10:
            continue
        rod = Cantilever(cells, 1e-4, lambda t: 1.0)
        for row in table[first:first + (4 if c.all else 1)]:
            while rod.t < row["t"] - dt / 2:
                rod.step(dt, 0.5, 0.5, 0.5, True)
            tip = places(rod)[:, -1]
            kinetic, elastic, gravity = energies(rod)
            c.row("box/falling_cantilever_space.csv", row,
                  dict(tip_x=tip[0], tip_y=tip[1], kinetic=kinetic, elastic=elastic, gravity=gravity,
                       drift=np.hypot(*(rod.place - tip))), 1e-10)


def soft_fall(row, dt):
    rod = Cantilever(10, 1e-3, lambda t: np.sin(0.5 * np.pi * t)**2)
    for _ in range(round(1 / dt)):
        rod.step(dt, row["alpha"], row["beta"], row["gamma"], row["stage"] > 0)
    return places(rod)[:, -1], rod.x[:2, 0]


def orders(c):
    table = stored("box/time_order.csv")
    for first in range(0, len(table), 4):
        if c.all:
            fine, fine_force = soft_fall(table[first], 6.25e-4)
        for row in table[first:first + (4 if c.all else 1)]:
            tip, force = soft_fall(row, row["dt"])
            got = dict(tip_x=tip[0], tip_y=tip[1])
            if c.all:
                got.update(tip_error=np.abs(tip - fine).max(), force_error=np.abs(force - fine_force).max())
            c.row("box/time_order.csv", row, got, 1e-10)


if __name__ == "__main__":
    c = Comparison()
    falling(c)
    orders(c)
    c.end()
