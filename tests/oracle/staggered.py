# SPDX-License-Identifier: MIT
"""rubber_undamped_*.csv, rubber_damped_*.csv, steel_damped_*.csv, quasistatic_sin4*.csv: quaternions on a staggered grid, the
equations of docs/theory/staggered.md with angular velocities as unknowns.
Run: /usr/bin/python3 tests/oracle/staggered.py [--all] [--write OUT]    (all rows: hours; 160 segments alone minutes)

Forces are those of the virtual work; all functions take complex numbers and more axes in front, so that Jacobians are taken
by complex steps. Motions by Gauss collocation of order 10.
"""
import numpy as np
from table import Comparison, stored


def times(a, b):
    w = a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(axis=-1, keepdims=True)
    return np.concatenate([w, a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + cross(a[..., 1:], b[..., 1:])], axis=-1)


def cross(a, b):
    return np.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                     a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


def bar(a):
    return a * np.array([1, -1, -1, -1])


def pure(v):
    return np.concatenate([0 * v[..., :1], v], axis=-1)


def inside(p, v):
    """Im(pbar v p), and back: R(p) v."""
    return times(times(bar(p), pure(v)), p)[..., 1:]


def outside(p, v):
    return times(times(p, pure(v)), bar(p))[..., 1:]


MEASURE = {"sin4": (lambda w: np.sqrt(2 / (1 + w)), lambda w: -np.sqrt(2 / (1 + w)) / (2 * (1 + w))),
           "tan2": (lambda w: 1 / w, lambda w: -1 / w**2)}


class Rod:
    """Straight along e2 with d1 = e3, of length 1; ends: "pinned", "clamped" or "free"."""

    def __init__(self, n, radius, density, young, poisson, measure, inertia, damped, ends):
        self.n, self.h, self.ends = n, 1 / n, ends
        self.zeta, self.slope = MEASURE[measure]
        area, second, shear = np.pi * radius**2, np.pi * radius**4 / 4, young / (2 * (1 + poisson))
        self.cg = np.array([shear * area, shear * area, young * area])
        self.ck = np.array([young * second, young * second, 2 * shear * second])
        self.dg = damped * np.array([0.2, 0.2, 4.0])
        self.dk = damped * np.array([4e-4, 4e-4, 1.6e-5])
        self.mass = density * area
        more = area * self.h**2 / 12 if inertia == "cylinder" else 0
        self.rotary = density * np.array([second + more, second + more, 2 * second])
        self.gravity = np.array([0, 0, -9.81])
        self.p0 = self.pn = np.array([0.5, -0.5, -0.5, -0.5])
        self.x = np.zeros((n + 1, 3))
        self.x[:, 1] = np.linspace(0, 1, n + 1)
        self.p = np.tile(self.p0, (n, 1))

    def bending(self, w, rate, weight):
        """The force dual to w of a vertex, its moment and curvature."""
        zeta, slope = self.zeta(w[..., :1]), self.slope(w[..., :1])
        k = 2 / self.h * zeta * w[..., 1:]
        dk = 2 / self.h * (zeta * rate[..., 1:] + slope * rate[..., :1] * w[..., 1:])
        m = self.ck * k + self.dk * dk
        f = np.concatenate([slope * (w[..., 1:] * m).sum(axis=-1, keepdims=True), zeta * m], axis=-1)
        return -weight * 2 / self.h * f, k

    def forces(self, x, p, v, pdot):
        """On all vertices and quaternions, without inertia."""
        h = self.h
        dx, dv = x[..., 1:, :] - x[..., :-1, :], v[..., 1:, :] - v[..., :-1, :]
        strain = inside(p, dx / h) - np.array([0, 0, 1])
        rate = inside(p, dv / h) + 2 * times(times(bar(p), pure(dx / h)), pdot)[..., 1:]
        f = self.cg * strain + self.dg * rate
        push = outside(p, f)
        fx = np.zeros(x.shape, x.dtype)
        fx[..., :-1, :] += push
        fx[..., 1:, :] -= push
        weight = np.full((self.n + 1, 1), h)
        weight[[0, -1]] /= 2
        fx = fx + self.mass * weight * self.gravity
        fp = 2 * times(times(pure(dx), p), pure(f))
        a, b, da, db = p[..., :-1, :], p[..., 1:, :], pdot[..., :-1, :], pdot[..., 1:, :]
        fw, k = self.bending(times(bar(a), b), times(bar(da), b) + times(bar(a), db), h)
        fp[..., 1:, :] += times(a, fw)
        fp[..., :-1, :] += times(b, bar(fw))
        self.elastic = (h / 2 * (self.cg * strain**2).sum(axis=(-1, -2)), h / 2 * (self.ck * k**2).sum(axis=(-1, -2)))
        if self.ends[0] == "clamped":
            w, dw = times(bar(self.p0), p[..., 0, :]), times(bar(self.p0), pdot[..., 0, :])
            fw, k = self.bending(times(w, w), times(dw, w) + times(w, dw), h / 2)
            fp[..., 0, :] += times(self.p0, times(fw, bar(w)) + times(bar(w), fw))
            self.elastic = self.elastic[0], self.elastic[1] + h / 4 * (self.ck * k**2).sum(axis=-1)
        if self.ends[1] == "clamped":
            w, dw = times(bar(p[..., -1, :]), self.pn), times(bar(pdot[..., -1, :]), self.pn)
            fw, k = self.bending(times(w, w), times(dw, w) + times(w, dw), h / 2)
            fp[..., -1, :] += times(self.pn, bar(times(fw, bar(w)) + times(bar(w), fw)))
            self.elastic = self.elastic[0], self.elastic[1] + h / 4 * (self.ck * k**2).sum(axis=-1)
        return fx, fp

    # ---- motions: the state is (x1.., p, v1.., spins) ----

    def start(self):
        return np.concatenate([self.x[1:].ravel(), self.p.ravel(), np.zeros(6 * self.n)])

    def parts(self, y):
        n, front = self.n, y.shape[:-1]
        x, p, v, w = np.split(y, [3 * n, 7 * n, 10 * n], axis=-1)
        zero = np.zeros(front + (1, 3))
        shaped = lambda a, k: a.reshape(front + (n, k))
        return (np.concatenate([zero, shaped(x, 3)], axis=-2), shaped(p, 4),
                np.concatenate([zero, shaped(v, 3)], axis=-2), shaped(w, 3))

    def rate(self, y):
        x, p, v, w = self.parts(y)
        pdot = times(p, pure(w)) / 2
        fx, fp = self.forces(x, p, v, pdot)
        weight = np.full((self.n, 1), self.h)
        weight[-1] /= 2
        turn = (times(bar(p), fp)[..., 1:] / (2 * self.h) - cross(w, self.rotary * w)) / self.rotary
        flat = lambda a: a.reshape(y.shape[:-1] + (-1,))
        return np.concatenate([flat(v[..., 1:, :]), flat(pdot), flat(fx[..., 1:, :] / (self.mass * weight)), flat(turn)], axis=-1)

    def energy(self, y):
        x, p, v, w = self.parts(y)
        self.forces(x, p, 0 * v, 0 * p)
        weight = np.full(self.n + 1, self.h)
        weight[[0, -1]] /= 2
        return (self.mass * weight @ (v**2).sum(axis=1) + self.h * (self.rotary * w**2).sum()) / 2 + sum(self.elastic) \
            - self.mass * weight @ (x @ self.gravity)


def gauss(stages):
    c, b = np.polynomial.legendre.leggauss(stages)
    c, b = (c + 1) / 2, b / 2
    powers = np.arange(stages)
    a = (c[:, None]**(powers + 1) / (powers + 1)) @ np.linalg.inv(c[:, None]**powers)
    return a, b


def move(rod, y, end, steps, stages=5):
    """The inverse of Newton's method is kept for as long as a step takes few iterations."""
    a, b = gauss(stages)
    h, size, inverse = end / steps, y.size, None
    for _ in range(steps):
        if inverse is None:
            jacobian = (rod.rate(y + 1e-30j * np.eye(size)).imag / 1e-30).T
            inverse = np.linalg.inv(np.eye(stages * size) - h * np.kron(a, jacobian))
        z, last = np.tile(y, (stages, 1)), np.inf
        for iterations in range(60):
            d = (inverse @ (z - y - h * a @ rod.rate(z)).ravel()).reshape(z.shape)
            z, size_of_d = z - d, np.abs(d).max()
            if size_of_d < 1e-14 or (size_of_d < 1e-9 and size_of_d > 0.3 * last):  # round-off
                break
            last = size_of_d
        y = y + h * b @ rod.rate(z)
        if iterations > 15:
            inverse = None
    return y


def pendulum(c, name, rod, rows, step, tolerance, names):
    y, t = rod.start(), 0.0
    for row in stored(name)[:None if c.all else rows]:
        y = move(rod, y, row["t"] - t, round((row["t"] - t) / step))
        t = row["t"]
        x, p, _, _ = rod.parts(y)
        tip, d1 = x[-1], outside(p[-1], np.array([1.0, 0, 0]))
        got = {f"tip_x{k + 1}": tip[k] for k in range(names, 3)}
        got.update({f"tip_d1_{k + 1}": d1[k] for k in range(names, 3)})
        c.row(name, row, dict(got, E_total_J=rod.energy(y)), tolerance)
        if t > 2.65 and "undamped" in name:
            break  # later the motion amplifies round-off


def turned(angle, p):
    return times(np.array([np.cos(angle / 2), 0, np.sin(angle / 2), 0]), p)


def settle(rod, x, p):
    """Newton's method with rotation vectors; places of inner vertices and all quaternions are free."""
    n = rod.n

    def residual(d):
        places, turns = d[..., :3 * (n - 1)], d[..., 3 * (n - 1):].reshape(d.shape[:-1] + (n, 3))
        moved = np.zeros(d.shape[:-1] + x.shape, d.dtype) + x
        moved[..., 1:-1, :] += places.reshape(d.shape[:-1] + (n - 1, 3))
        q = times(p, np.concatenate([1 + 0 * turns[..., :1], turns / 2], axis=-1))
        q = q / np.sqrt((q * q).sum(axis=-1, keepdims=True))
        fx, fp = rod.forces(moved, q, 0 * moved, 0 * q)
        flat = lambda a: a.reshape(d.shape[:-1] + (-1,))
        return np.concatenate([flat(fx[..., 1:-1, :]), flat(times(bar(q), fp)[..., 1:] / 2)], axis=-1), moved, q

    for _ in range(60):
        zero = np.zeros(6 * n - 3)
        r = residual(zero)[0]
        jacobian = (residual(1e-30j * np.eye(zero.size))[0].imag / 1e-30).T
        d = np.linalg.solve(jacobian, -r)
        d *= min(1, 0.2 / np.abs(d).max())
        _, x, p = residual(d)
        if np.abs(d).max() < 1e-13:
            break
    return x, p


def quasistatic(c):
    places, supports = stored("quasistatic_sin4.csv"), stored("quasistatic_sin4_supports.csv")
    for n in sorted({int(row["N"]) for row in supports}):
        if n > (160 if c.all else 10):
            continue
        rod = Rod(n, 5e-3, 1100, 5e6, 0.5, "sin4", "disc", 0, ("clamped", "clamped"))
        x, p, full, start = rod.x, rod.p, rod.gravity, rod.p0
        for k in range(1, 11):
            rod.gravity = full * k / 10
            x, p = settle(rod, x, p)
        for i in range(51):
            t = i / 50
            rod.p0, rod.pn = turned(np.pi * t, start), turned(-np.pi * t, start)
            x = x + 0
            x[0, 1], x[-1, 1] = t / 2, 1 - t / 2
            x, p = settle(rod, x, p)
            fx, _ = rod.forces(x, p, 0 * x, 0 * p)
            for row in places:
                if row["N"] == n and abs(row["t"] - t) < 1e-9:
                    at = x[round(row["s"] * n)]
                    c.row("quasistatic_sin4.csv", row, dict(x1=at[0], x2=at[1], x3=at[2]), 1e-10)
            for row in supports:
                if row["N"] == n and abs(row["t"] - t) < 1e-9:
                    got = {f"Fsup{end}_{k + 1}": -fx[where, k] for end, where in (("0", 0), ("N", -1)) for k in range(3)}
                    c.row("quasistatic_sin4_supports.csv", row, dict(got, V_SE=rod.elastic[0], V_BT=rod.elastic[1]), 1e-9)


if __name__ == "__main__":
    c = Comparison()
    quasistatic(c)
    rubber = 5e-3, 1100, 5e6, 0.5
    pendulum(c, "rubber_damped_N10_tan2_cylinder.csv", Rod(10, *rubber, "tan2", "cylinder", 1, ("pinned", "free")), 1,
             1e-3, 1e-10, 1)
    pendulum(c, "rubber_undamped_N10_sin4_disc.csv", Rod(10, *rubber, "sin4", "disc", 0, ("pinned", "free")), 1, 2e-3,
             1e-9, 0)
    pendulum(c, "steel_damped_N10_tan2_cylinder.csv",
             Rod(10, 1e-3, 7850, 2.1e11, 0.2, "tan2", "cylinder", 1, ("clamped", "free")), 0, 5e-4, 1e-10, 1)
    c.end()
