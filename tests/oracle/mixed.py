# SPDX-License-Identifier: MIT
"""flying_spaghetti.csv, aluminium_cantilever*.csv, soft_arm_*.csv: the mixed finite elements of docs/theory/mixed.md with the
midpoint rule. Run: /usr/bin/python3 tests/oracle/mixed.py [--all] [--write OUT]    (all rows: some minutes)

Dense: strains are quadratic forms of the nodes, eps = q' H q / 2, and everything follows from the matrices H.
"""
import numpy as np
from table import Comparison, stored

GAUSS = np.array([-np.sqrt(0.6), 0, np.sqrt(0.6)]), np.array([5, 8, 5]) / 9
PSI = lambda x: np.array([(1 - x) / 2, (1 + x) / 2])  # of the stresses: linear in an element of order 2
PAIRS = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)]  # of directors, in the order of the constraints


def forms():
    """The quadratic forms of the six strains in y = (phi', d1, d2, d3, d1', d2', d3')."""
    out = np.zeros((6, 21, 21))
    at = lambda block: slice(3 * block, 3 * block + 3)
    for k in range(3):  # d_k . phi'
        out[k, at(0), at(1 + k)] = out[k, at(1 + k), at(0)] = np.eye(3)
    for k, (i, j) in enumerate(((2, 1), (0, 2), (1, 0))):  # (d_i . d_j' - d_j . d_i') / 2
        for a, b, sign in ((i, j, 0.5), (j, i, -0.5)):
            out[3 + k, at(1 + a), at(4 + b)] += sign * np.eye(3)
            out[3 + k, at(4 + b), at(1 + a)] += sign * np.eye(3)
    return out


class Rod:
    """`elements` of order 2, straight; stiffness (6), mass and M11 = M22 per length; compliances of 0 are rigid."""

    def __init__(self, elements, length, origin, frame, compliance, mass, m11, clamped, maxwell=None):
        self.ne, self.nn, le = elements, 2 * elements + 1, length / elements
        self.compliance, self.maxwell = compliance, maxwell
        n = 12 * self.nn
        self.q = np.zeros((self.nn, 12))
        for a in range(self.nn):
            self.q[a, :3] = origin + length * a / (self.nn - 1) * frame[2]
            self.q[a, 3:] = frame.ravel()
        strain = forms()
        self.h = np.zeros((2, 6, 36, 36))  # int Psi_b eps_i ds = q_e' h[b, i] q_e / 2
        masses, self.psi_mass = np.zeros((3, 3)), np.zeros((2, 2))
        for x, w in zip(*GAUSS):
            shape = np.array([x * (x - 1) / 2, 1 - x * x, x * (x + 1) / 2])
            slope = np.array([x - 0.5, -2 * x, x + 0.5]) * 2 / le
            p = np.zeros((21, 36))
            for a in range(3):
                p[:3, 12 * a:12 * a + 3] = slope[a] * np.eye(3)
                p[3:12, 12 * a + 3:12 * a + 12] = shape[a] * np.eye(9)
                p[12:, 12 * a + 3:12 * a + 12] = slope[a] * np.eye(9)
            w *= le / 2
            masses += w * np.outer(shape, shape)
            self.psi_mass += w * np.outer(PSI(x), PSI(x))
            for b in range(2):
                for i in range(6):
                    self.h[b, i] += w * PSI(x)[b] * p.T @ strain[i] @ p
        weights = np.concatenate([np.full(3, mass), np.full(6, m11), np.zeros(3)])
        self.m = np.zeros((n, n))
        for e in range(elements):
            for a in range(3):
                for b in range(3):
                    rows, columns = (slice(12 * (2 * e + k), 12 * (2 * e + k) + 12) for k in (a, b))
                    self.m[rows, columns] += masses[a, b] * np.diag(weights)
        self.free = np.arange(12 if clamped else 0, n)
        self.held = 1 if clamped else 0  # nodes without constraints
        self.v = np.zeros(n)
        branches = 1 + (maxwell is not None)
        self.sigma = np.zeros((branches, elements, 2, 6))  # straight and undeformed: no stress
        self.multipliers = np.zeros((self.nn, 6))
        # Of a branch that relaxes, rigid components are not there.
        self.there = [np.ones(6, bool)] + [viscous > 0 for _, viscous in compliance[1:]]

    def node(self, e):
        return slice(24 * e, 24 * e + 36)

    def operator(self, q):
        """B(q): linear in q; B(q) v is the rate of the projected strains."""
        out = np.zeros((self.ne, 2, 6, q.size))
        for e in range(self.ne):
            out[e, :, :, self.node(e)] = self.h @ q.ravel()[self.node(e)]
        return out.reshape(12 * self.ne, -1)

    def stiffness(self, sigma):
        out = np.zeros((12 * self.nn, 12 * self.nn))
        for e in range(self.ne):
            out[self.node(e), self.node(e)] += np.einsum("bi,bijk->jk", sigma[e], self.h)
        return out

    def constraints(self, q):
        """G(q), of all nodes: g_ij = (d_i . d_j - delta_ij) / 2."""
        out = np.zeros((self.nn, 6, 12 * self.nn))
        d = q.reshape(self.nn, 4, 3)[:, 1:]
        for a in range(self.nn):
            for k, (i, j) in enumerate(PAIRS):
                out[a, k, 12 * a + 3 + 3 * i:12 * a + 6 + 3 * i] += 0.5 * d[a, j]
                out[a, k, 12 * a + 3 + 3 * j:12 * a + 6 + 3 * j] += 0.5 * d[a, i]
        return out.reshape(6 * self.nn, -1)

    def constraint_stiffness(self, multipliers):
        out = np.zeros((12 * self.nn, 12 * self.nn))
        for a in range(self.nn):
            for k, (i, j) in enumerate(PAIRS):
                for x, y in ((i, j), (j, i)):
                    rows, columns = (slice(12 * a + 3 + 3 * z, 12 * a + 6 + 3 * z) for z in (x, y))
                    out[rows, columns] += 0.5 * multipliers[a, k] * np.eye(3)
        return out

    def step(self, h, force, moment, extra=np.zeros(6)):
        """One step with loads at the end and stresses of chambers, all of the middle of the step. The work done."""
        n, ns, nl = 12 * self.nn, 12 * self.ne, 6 * (self.nn - self.held)
        branches = len(self.sigma)
        qn, q = self.q.ravel(), self.q.ravel().copy()
        sigma, multipliers = self.sigma.copy(), self.multipliers.copy()
        cross = lambda m: np.array([[0, -m[2], m[1]], [m[2], 0, -m[0]], [-m[1], m[0], 0]])
        for _ in range(30):
            dq = 2 * (q - qn)
            b, g = self.operator(q), self.constraints(q)[6 * self.held:]
            total = sigma.sum(axis=0) + extra
            load, slope = np.zeros(n), np.zeros((n, n))
            load[n - 12:n - 9] = force
            for k in range(3):  # T(d) m
                rows = slice(n - 9 + 3 * k, n - 6 + 3 * k)
                load[rows] = 0.5 * np.cross(moment, q[rows])
                slope[rows, rows] = 0.5 * cross(moment)
            r = [self.m @ (2 * dq / h - 2 * self.v) + h * (b.T @ total.ravel() + g.T @ multipliers[self.held:].ravel() - load)]
            jacobian = np.zeros((n + branches * ns + nl,) * 2)
            jacobian[:n, :n] = 4 * self.m / h + h * (self.stiffness(total) + self.constraint_stiffness(multipliers) - slope)
            rates = 2 * b + self.operator(dq)
            for k in range(branches):
                at = slice(n + k * ns, n + (k + 1) * ns)
                elastic, viscous = self.compliance[k]
                c = np.kron(np.eye(self.ne), np.kron(self.psi_mass, np.diag(elastic)))
                w = np.kron(np.eye(self.ne), np.kron(self.psi_mass, np.diag(viscous)))
                there = np.tile(self.there[k], 2 * self.ne)
                rk = 2 * c @ (sigma[k] - self.sigma[k]).ravel() + h * w @ sigma[k].ravel() - b @ dq
                jk = np.zeros((ns, jacobian.shape[1]))
                jk[:, :n], jk[:, at] = -rates, 2 * c + h * w
                rk[~there], jk[~there] = sigma[k].ravel()[~there], 0
                jk[~there, at] = np.eye(ns)[~there]
                r.append(rk)
                jacobian[at], jacobian[:n, at] = jk, h * b.T
            r.append(g @ dq)
            jacobian[-nl:, :n] = 2 * g + self.constraints(dq)[6 * self.held:]
            jacobian[:n, -nl:] = h * g.T
            r = np.concatenate(r)
            keep = np.concatenate([self.free, np.arange(n, r.size)])
            d = np.linalg.solve(jacobian[np.ix_(keep, keep)], -r[keep])
            full = np.zeros(r.size)
            full[keep] = d
            q += full[:n]
            sigma += full[n:n + branches * ns].reshape(sigma.shape)
            multipliers[self.held:] += full[-nl:].reshape(-1, 6)
            if np.linalg.norm(r[keep]) < 1e-11:
                break
        dq = 2 * (q - qn)
        work = load @ dq - np.tile(extra, 2 * self.ne) @ (self.operator(q) @ dq)
        self.dissipated = sum(h * s.ravel() @ np.kron(np.eye(self.ne), np.kron(self.psi_mass, np.diag(c[1]))) @ s.ravel()
                              for s, c in zip(sigma, self.compliance))
        self.middle = sigma
        self.q = (2 * q - qn).reshape(self.q.shape)
        self.v = 2 * dq / h - self.v
        self.sigma, self.multipliers = 2 * sigma - self.sigma, multipliers
        return work

    def energies(self):
        elastic = sum(0.5 * s.ravel() @ np.kron(np.eye(self.ne), np.kron(self.psi_mass, np.diag(c[0]))) @ s.ravel()
                      for s, c in zip(self.sigma, self.compliance))
        return 0.5 * self.v @ self.m @ self.v, elastic

    def momenta(self):
        p = (self.m @ self.v).reshape(self.nn, 4, 3)
        mass = self.m.reshape(self.nn, 12, self.nn, 12)[:, 0, :, 0].sum(axis=1)
        # Angular: every node's places and directors with their momenta.
        angular = np.cross(self.q.reshape(self.nn, 4, 3), p).sum(axis=(0, 1))
        return p[:, 0].sum(axis=0), angular, mass @ self.q[:, :3] / mass.sum()


def vectors(names, *values):
    return {f"{name}_{axis}": v[i] for name, v in zip(names, values) for i, axis in enumerate("xyz")}


def limits(table, relative=1e-8):
    """withy is held to 1e-8 of the scale of a quantity; the oracle to a tenth of that."""
    scale = {}
    for key in table[0]:
        stem = key[:-2] if key[-2:] in ("_x", "_y", "_z") else key
        group = [k for k in table[0] if k == key or (stem != key and k[:-2] == stem)]
        if key in "xyz":
            group = list("xyz")
        scale[key] = 0.1 * relative * max(np.sqrt(sum(row[k]**2 for k in group)) for row in table) + 1e-13
    return scale


def spaghetti(c):
    table, n = stored("flying_spaghetti.csv"), 150 if c.all else 15
    allowed = limits(table)
    frame = np.array([[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]])
    elastic = 1 / np.array([1e4, 1e4, 1e4, 1e3, 1e3, 1e3])
    rod = Rod(10, 10, np.array([6., 0, 0]), frame, [(elastic, np.zeros(6))], 1, 10, False)
    for i in range(1, n + 1):
        t = 0.1 * i - 0.05
        f = 80 * t if t <= 2.5 else 400 - 80 * t if t <= 5 else 0
        work = rod.step(0.1, np.array([f / 10, 0, 0]), np.array([0, f, f / 2]))
        v, (kin, pot), (p, l, com) = rod.v.reshape(rod.nn, 12), rod.energies(), rod.momenta()
        got = vectors(("phi0", "phiL", "v0", "vL", "p", "l", "com", "d1L", "d2L"), rod.q[0, :3], rod.q[-1, :3], v[0, :3],
                      v[-1, :3], p, l, com, rod.q[-1, 3:6], rod.q[-1, 6:9])
        c.row("flying_spaghetti.csv", table[i], dict(got, kin=kin, pot=pot, Wext_step=work), allowed)


def cantilever(c, maxwell):
    name = "aluminium_cantilever_maxwell.csv" if maxwell else "aluminium_cantilever.csv"
    table, n = stored(name), 300 if c.all else 12
    allowed = limits(table)
    r, young = 2e-3, 7.2e10
    area, second = np.pi * r**2, np.pi * r**4 / 4
    bend = 1 / np.array([1, 1, 1, young * second, young * second, young / 2.7 * 2 * second])
    bend[:3] = 0  # neither shear nor extension
    nothing = np.zeros(6)
    compliance = [(bend / 0.25, nothing), (bend / 0.75, bend / 0.75 / 0.08)] if maxwell else [(bend, nothing)]
    frame = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    rod = Rod(8, 1, np.zeros(3), frame, compliance, 2850 * area, 2850 * second, True, maxwell or None)
    h = 1e-3
    for i in range(1, n + 1):
        t = h * (i - 0.5)
        f = 0.5 * (1 - np.cos(40 * np.pi * t)) if t <= 0.05 else 0
        work = rod.step(h, np.array([0, f, f]), np.array([0.25 * f, 0, 0]))
        v, (kin, pot) = rod.v.reshape(rod.nn, 12), rod.energies()
        got = vectors(("v", "d1", "d2"), v[-1, :3], rod.q[-1, 3:6], rod.q[-1, 6:9])
        got.update(zip("xyz", rod.q[-1, :3]))
        force = rod.middle.sum(axis=0)[0, 0, :3]
        got.update({f"Nm{k + 1}_clamp": force[k] for k in range(3)})
        # The force at the clamp is a multiplier: its size is that of the force at the tip.
        more = {f"Nm{k + 1}_clamp": 1e-9 * 50 for k in range(3)}
        c.row(name, table[i], dict(got, kin=kin, pot=pot, Wext_step=work, D_step=rod.dissipated), dict(allowed, **more))


def arm(c, heart):
    name = "soft_arm_heart.csv" if heart else "soft_arm_circle.csv"
    table, n = stored(name), 80 if c.all else 8
    allowed = limits(table)
    r, young, shear = 0.015, 6e5, 2e5
    area, second = np.pi * r**2, np.pi * r**4 / 4
    elastic = 1 / np.array([shear * area, shear * area, young * area, young * second, young * second, 2 * shear * second])
    rod = Rod(10, 0.1755, np.zeros(3), np.eye(3), [(elastic, np.zeros(6))], 1080 * area, 1080 * second, True)
    for i in range(1, n + 1):
        t = 0.05 * (i - 0.5)
        if heart:
            a = np.pi * t / 2
            x, y = np.sin(a)**3, np.cos(a) - np.cos(2 * a)
            f, phi = -50 * np.hypot(x, y) / 2, np.arctan2(y, x)
        else:
            f = -25 * (1 - np.cos(2 * np.pi * t)) if t <= 0.5 else -50 if t <= 3.5 else -25 * (1 + np.cos(2 * np.pi * (t - 3.5)))
            phi = 0 if t <= 0.5 else np.pi * (1 - np.cos(np.pi * (t - 0.5) / 3)) if t <= 3.5 else 2 * np.pi
        extra = np.zeros(6)
        for k in range(3):
            angle = (1 + 4 * k) * np.pi / 6
            push = f / 2 * (1 + np.cos(phi - angle))
            extra += push * np.array([0, 0, 1, 6.5e-3 * np.sin(angle), -6.5e-3 * np.cos(angle), 0])
        work = rod.step(0.05, np.zeros(3), np.zeros(3), extra)
        v = rod.v.reshape(rod.nn, 12)
        got = vectors(("tip", "d3", "v"), rod.q[-1, :3], rod.q[-1, 9:], v[-1, :3])
        c.row(name, table[i], dict(got, H=sum(rod.energies()), Wext_step=work), allowed)


if __name__ == "__main__":
    c = Comparison()
    spaghetti(c)
    cantilever(c, False)
    cantilever(c, True)
    arm(c, False)
    arm(c, True)
    c.end()
