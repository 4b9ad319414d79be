# SPDX-License-Identifier: MIT
"""kirchhoff_pendulum_N10_sin4.csv, inextensible_pendulum_N10_sin4.csv: the swinging rubber rod without shear, and without
extension. Run: /usr/bin/python3 tests/oracle/planar.py [--write OUT]    (seconds)

The motion is plane: the rod is a chain of ten pendulums, known by their angles and, if it can stretch, their lengths. No
constraint and no multiplier is left. Explicit midpoint rule, extrapolated to order 12.
"""
import numpy as np
from table import Comparison, stored

N, AREA, SECOND = 10, np.pi * 25e-6, np.pi * 5e-3**4 / 4
H, EA, EI, MASS, ROTARY = 1 / N, 5e6 * AREA, 5e6 * SECOND, 1100 * AREA, 1100 * SECOND
WEIGHT = MASS * np.where(np.arange(1, N + 1) < N, H, H / 2)
BEFORE = np.tri(N)  # vertex n lies behind segments i <= n


def chain(q, stretches):
    angle, strain = q[:N], q[N:] if stretches else np.zeros(N)
    along = np.stack([np.cos(angle), np.sin(angle)])
    across = np.stack([-along[1], along[0]])
    return angle, strain, H * (1 + strain), along, across


def rate(y, stretches):
    q, v = y.reshape(2, -1)
    angle, strain, length, along, across = chain(q, stretches)
    spin, growth = v[:N], v[N:] if stretches else np.zeros(N)
    jacobian = [BEFORE * (length * across[k]) for k in range(2)]
    if stretches:
        jacobian = [np.hstack([jacobian[k], BEFORE * (H * along[k])]) for k in range(2)]
    drift = [BEFORE @ (-length * spin**2 * along[k] + 2 * H * growth * spin * across[k]) for k in range(2)]
    bend = np.diff(angle)
    slope = EI * (4 / H) * np.sin(bend / 4) * np.cos(bend / 4)  # of EI K^2 H / 2, K = 4/H sin(bend/4)
    force = np.concatenate([np.append(slope, 0) - np.insert(slope, 0, 0), -EA * H * strain if stretches else []])
    mass = np.zeros((q.size, q.size))
    mass[range(N), range(N)] = H * ROTARY
    for k, gravity in enumerate((0, -9.81)):
        mass += jacobian[k].T @ (WEIGHT[:, None] * jacobian[k])
        force = force + jacobian[k].T @ (WEIGHT * (gravity - drift[k]))
    return np.concatenate([v, np.linalg.solve(mass, force)])


def step(y, h, stretches, most=6):
    table = []
    for j in range(most):
        n = 2 * (j + 1)
        old, new = y, y + h / n * rate(y, stretches)
        for _ in range(n - 1):
            old, new = new, old + 2 * h / n * rate(new, stretches)
        row = [(old + new + h / n * rate(new, stretches)) / 2]
        for k in range(j):
            ratio = ((j + 1) / (j - k))**2
            row.append(row[k] + (row[k] - table[-1][k]) / (ratio - 1))
        table.append(row)
    return table[-1][-1]


if __name__ == "__main__":
    c = Comparison()
    for name, stretches in (("kirchhoff", True), ("inextensible", False)):
        y, t, file = np.zeros(4 * N if stretches else 2 * N), 0.0, f"{name}_pendulum_N10_sin4.csv"
        for row in stored(file):
            steps = round((row["t"] - t) / 2e-3)
            for _ in range(steps):
                y = step(y, (row["t"] - t) / steps, stretches)
            t = row["t"]
            q = y.reshape(2, -1)[0]
            angle, strain, length, along, across = chain(q, stretches)
            tip = (length * along).sum(axis=1)
            c.row(file, row, dict(tip_x2=tip[0], tip_x3=tip[1], tip_d1_2=across[0, -1], tip_d1_3=across[1, -1]), 1e-10)
    c.end()
