# SPDX-License-Identifier: MIT
"""conserving/*.csv: the energy-conserving differences of docs/theory/conserving.md.
Run: /usr/bin/python3 tests/oracle/conserving.py [--all] [--write OUT]    (all rows: an hour)

The state of a node is (q, v, u, p, w): quaternion, strains, velocities; 16 numbers, all in the axes of the section but q.
The Jacobian is taken by complex steps, all columns at once.
"""
import numpy as np
from table import Comparison, stored

CROSS = lambda a, b: np.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                               a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


def operator(order, n):
    """The classical differences with summation by parts on n segments of length 1/n: weights of nodes, matrix."""
    weight, q = np.ones(n + 1), np.zeros((n + 1, n + 1))
    if order == 2:
        near, rows = [0.5], [[-0.5, 0.5]]
        for i in range(1, n):
            q[i, [i - 1, i + 1]] = -0.5, 0.5
    else:
        near = [17 / 48, 59 / 48, 43 / 48, 49 / 48]
        rows = [[-1 / 2, 59 / 96, -1 / 12, -1 / 32], [-59 / 96, 0, 59 / 96, 0],
                [1 / 12, -59 / 96, 0, 59 / 96, -1 / 24 * 2], [1 / 32, 0, -59 / 96, 0, 2 / 3, -1 / 12]]
        for i in range(4, n - 3):
            q[i, i - 2:i + 3] = 1 / 12, -2 / 3, 0, 2 / 3, -1 / 12
    for i, row in enumerate(rows):
        q[i, :len(row)] = row
        q[n - i, n + 1 - len(row):] = [-x for x in row[::-1]]
    weight[:len(near)] = near
    weight[n + 1 - len(near):] = near[::-1]
    return weight / n, q / weight[:, None] * n


class Rod:
    def __init__(self, segments, slenderness, gravity, order, bending=None):
        self.n, self.gravity, self.stiffening = segments, gravity, bending
        ei = slenderness**2 / 16
        self.weight, self.d = operator(order, segments)
        self.shear, self.k = 1 / 3, np.array([ei, ei, 2 / 3 * ei])
        self.j = np.array([ei, ei, 2 * ei])
        self.inverse = None
        self.y = np.zeros((segments + 1, 16))
        # D(q) has the directors as rows: d1 = y, d2 = z, d3 = x.
        self.y[:, :4] = 0.5, -0.5, -0.5, -0.5
        self.y[:, 6] = 1
        self.r = np.zeros((segments + 1, 3))
        self.r[:, 0] = np.linspace(0, 1, segments + 1)

    def twist(self, angle, slope):
        """The sections turned about the tangent by angle(s)."""
        s = np.linspace(0, 1, self.n + 1)
        half = angle(s) / 2
        q = np.stack([np.cos(half), 0 * s, 0 * s, -np.sin(half)], axis=-1)  # q_s = -(0, u) q / 2
        a, b = q, self.y[:, :4].copy()
        self.y[:, 0] = a[:, 0] * b[:, 0] - (a[:, 1:] * b[:, 1:]).sum(axis=1)
        self.y[:, 1:4] = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + CROSS(a[:, 1:], b[:, 1:])
        self.y[:, 9] = slope(s)

    def stresses(self, v, u):
        if self.stiffening is None:
            n = np.concatenate([self.shear * v[..., :2], v[..., 2:] - 1], axis=-1)
            return n, self.k * u
        n = np.concatenate([self.shear * v[..., :2], (v[..., 2:] - 1 / v[..., 2:]) / 2], axis=-1)
        q = (self.k * u * u).sum(axis=-1, keepdims=True)
        return n, self.k * u * (1 + self.stiffening * q / self.k[0])

    def elastic(self, v, u):
        q = (self.k * u * u).sum(axis=-1)
        if self.stiffening is None:
            return (self.shear * (v[..., 0]**2 + v[..., 1]**2) + (v[..., 2] - 1)**2 + q) / 2
        return (self.shear * (v[..., 0]**2 + v[..., 1]**2) + (v[..., 2]**2 - 1) / 2 - np.log(v[..., 2]) + q
                + self.stiffening * q * q / (2 * self.k[0])) / 2

    def directors(self, q):
        """D(q) / |q|^2: d_i . e_j."""
        w, x, y, z = (q[..., i] for i in range(4))
        norm = w * w + x * x + y * y + z * z
        d = np.stack([w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
                      w * w - x * x + y * y - z * z, 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
                      w * w - x * x - y * y + z * z], axis=-1) / norm[..., None]
        return d.reshape(d.shape[:-1] + (3, 3))

    def rate(self, y, stress=None):
        q, v, u, p, w = y[..., :4], y[..., 4:7], y[..., 7:10], y[..., 10:13], y[..., 13:]
        n, m = self.stresses(v, u) if stress is None else stress
        n, m, p, w = n + 0, m + 0, p + 0, w + 0
        n[..., -1, :] = m[..., -1, :] = 0
        p[..., 0, :] = w[..., 0, :] = 0
        along = lambda a: np.einsum("ij,...jk->...ik", self.d, a)
        fall = -self.gravity * self.directors(q)[..., :, 1]
        out = np.empty_like(y)
        wq = (w * q[..., 1:]).sum(axis=-1)  # q_t = -(0, w) q / 2
        out[..., 0] = wq / 2
        out[..., 1:4] = -(w * q[..., :1] + CROSS(w, q[..., 1:])) / 2
        out[..., 4:7] = along(p) + CROSS(u, p) + CROSS(v, w)
        out[..., 7:10] = along(w) + CROSS(u, w)
        out[..., 10:13] = along(n) + CROSS(u, n) + CROSS(p, w) + fall
        out[..., 13:] = (along(m) + CROSS(u, m) + CROSS(v, n) + CROSS(self.j * w, w)) / self.j
        out[..., 0, 10:] = 0   # the clamp does not move
        out[..., -1, 4:10] = 0  # the free end carries nothing
        out[..., 0, :4] = 0
        return out

    def energy(self):
        p, w = self.y[:, 10:13], self.y[:, 13:]
        e = ((p * p).sum(axis=1) + (self.j * w * w).sum(axis=1)) / 2 + self.elastic(self.y[:, 4:7], self.y[:, 7:10])
        return self.weight @ (e + self.gravity * self.r[:, 1])

    def solve(self, function, z):
        """Newton's method for function(z) = 0; z has any shape, function takes more axes in front. An inverse is kept as
        long as it makes errors ten times smaller."""
        size, shape, last = z.size, z.shape, np.inf
        for k in range(60):
            d = None if self.inverse is None else self.inverse @ function(z).ravel()
            if d is None or (np.abs(d).max() > 0.1 * last and np.abs(d).max() > 1e-14):
                columns = z.astype(complex).ravel() + 1e-30j * np.eye(size)
                slopes = function(columns.reshape((size,) + shape)).imag / 1e-30
                self.inverse = np.linalg.inv(slopes.reshape(size, size).T)
                d = self.inverse @ function(z).ravel()
            z, last = z - d.reshape(shape), np.abs(d).max()
            if last < 1e-15:
                break
        return z

    def step(self, dt, gauss):
        y0 = self.y
        if gauss == 4:
            a = np.array([[1 / 4, 1 / 4 - np.sqrt(3) / 6], [1 / 4 + np.sqrt(3) / 6, 1 / 4]])
            z = self.solve(lambda z: z - y0 - dt * np.einsum("ab,...bij->...aij", a, self.rate(z)), np.stack([y0, y0]))
            rates, places, b = self.rate(z), z, [0.5, 0.5]
        else:
            stress = (lambda z: None) if gauss == 2 else (lambda z: self.discrete_gradient(y0, z))
            z = self.solve(lambda z: z - y0 - dt / 2 * self.rate(z, stress(z)), y0)
            rates, places, b = self.rate(z, stress(z))[None], z[None], [1.0]
        for weight, rate, place in zip(b, rates, places):
            self.r = self.r + dt * weight * np.einsum("nij,ni->nj", self.directors(place[:, :4]), place[:, 10:13])
            self.y = self.y + dt * weight * rate

    def discrete_gradient(self, y0, z):
        """Gonzalez with the stiffnesses as metric; the bracket without cancellation: only what is not quadratic counts."""
        v, u = z[..., 4:7], z[..., 7:10]
        dv, du = 2 * (v - y0[:, 4:7]), 2 * (u - y0[:, 7:10])
        n, m = self.stresses(v, u)
        stiff = np.array([self.shear, self.shear, 1.0])
        x = dv[..., 2] / (2 * v[..., 2])
        small = np.abs(x) < 1e-3
        safe = np.where(small, 0.1, x)
        log = np.where(small, x**3 * (1 / 3 + x**2 * (1 / 5 + x**2 / 7)), np.arctanh(safe) - safe)
        # psi1 - psi0 - grad psi(middle) . dz: of -ln(v3)/2, and of bending Q^2 / (4 B).
        quartic = self.stiffening / (4 * self.k[0]) * (self.k * u * du).sum(axis=-1) * (self.k * du * du).sum(axis=-1)
        bracket = -log + quartic
        metric = (stiff * dv * dv).sum(axis=-1) + (self.k * du * du).sum(axis=-1)
        factor = np.where(metric == 0, 0, bracket / np.where(metric == 0, 1, metric))[..., None]
        return n + factor * stiff * dv, m + factor * self.k * du


def torsion(c):
    """The wave equation of the twist is linear: its frequency follows from the matrix and the stability function."""
    for row in stored("conserving/torsion_frequency.csv"):
        n, order, dt = int(row["N"]), int(row["order"]), row["dt"]
        weight, d = operator(order, n)
        root = np.sqrt(weight)  # in this norm the matrix from twists (at the nodes but the last) to spins is scaled
        semi = np.linalg.svd(root[1:, None] * d[1:, :n] / root[:n] / np.sqrt(3))[1][-1]
        z = semi * dt
        half = z / 2 if row["gauss"] == 2 else z / 2 / (1 - z * z / 12)
        # With order 4 the start is not exactly the mode that the stored frequency was fitted to.
        c.row("conserving/torsion_frequency.csv", row, dict(omega=2 / dt * np.arctan(half)), 1e-12 if order == 2 else 2e-9)


def transversal(c):
    """To the first maximum of the potential energy; the best parabola over 4 % of a period to both sides."""
    for row in stored("conserving/transversal_N10.csv"):
        if row["slenderness"] < (0 if c.all else 0.06):
            continue
        dt, theory = 0.1, 2 * np.pi / (1.875**2 / 4 * row["slenderness"])
        rod, height = Rod(10, row["slenderness"], 1e-7, 2), [0.0]
        for _ in range(int(1.2 * theory / dt)):
            rod.step(dt, 2)
            height.append(rod.weight @ rod.r[:, 1])
        height, width = np.array(height), int(0.04 * theory / dt)
        first = int(0.6 * theory / dt)
        top = first + np.argmax(height[first:-width])
        a, b, _ = np.polyfit(np.arange(-width, width + 1), height[top - width:top + width + 1], 2)
        period = dt * (top - b / (2 * a))
        c.row("conserving/transversal_N10.csv", row, dict(period=period, omega=2 * np.pi / period), 1e-9 * row["period"])


def material(c):
    table = stored("conserving/nonlinear_material_energy.csv")
    for row in table:
        if not c.all and (row["t"] > 10 or row["dt"] < 0.05 or row["order"] != 2):
            continue
        rod = Rod(20, 0.1, 1e-3, int(row["order"]), row["bending"])
        u0 = 20 if row["t"] > 10 else 6
        rod.twist(lambda s: u0 * (s - s * s / 2), lambda s: u0 * (1 - s))
        start, worst = rod.energy(), 0
        for _ in range(round(row["t"] / row["dt"])):
            rod.step(row["dt"], int(row["gauss"]))
            worst = max(worst, abs(rod.energy() / start - 1))
        tip = rod.r[-1]
        allowed = dict(energy=1e-13 * start, error=2e-3 * row["error"] + 1e-14, tip_x=1e-10, tip_y=1e-10, tip_z=1e-10)
        if row["t"] > 10:  # wild motions amplify round-off
            allowed.update(tip_x=1e-5, tip_y=1e-5, tip_z=1e-5)
        c.row("conserving/nonlinear_material_energy.csv", row,
              dict(energy=start, error=worst, tip_x=tip[0], tip_y=tip[1], tip_z=tip[2]), allowed)


if __name__ == "__main__":
    c = Comparison()
    torsion(c)
    transversal(c)
    material(c)
    c.end()
