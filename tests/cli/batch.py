# SPDX-License-Identifier: MIT
"""Folders with a batch as docs/guide/results.md describes them, made without a run: of any size at once, and damaged."""
import json
import os

import h5py
import numpy as np


REEDS = """withy: 1
title: Reeds
time: {end: 0.2, output: 0.02}
gravity: [0, 0, -9.81]
rods:
  - name: reed
    length: 0.5
    segments: 8
    section: {shape: circle, radius: 2e-3}
    material: {density: 1100, young: 5e6, poisson: 0.5}
    ends: {start: clamped}
    shape: {direction: [1, 0, 0]}
obstacles:
  - {name: floor, shape: plane, position: [0, 0, -0.3]}
batches:
  - name: reeds
    rod: reed
    count: 20
    vary: {material.young: "5e6*(1 + 0.1*n)"}
    roots: {position: [0, "0.02*i", 0]}
    motion: {position: [0, 0, "0.01*sin(20*t)"]}
    record: {every: 3}
probes:
  - {name: tip, batch: reeds, at: end, quantity: position}
  - {name: pull, batch: reeds, at: start, quantity: tension}
"""  # a batch that runs in a moment


def swaying(count, points, frames, seed=1):
    """Positions of `count` rods of length 1, side by side, that sway: [frames][count][points][3], and their velocities."""
    random = np.random.default_rng(seed)
    time, s = 0.02*np.arange(frames), np.linspace(0, 1, points)
    root, phase = random.random((count, 2)), random.random(count)
    lean = 0.3*np.sin(4*time[:, None, None] + phase[:, None] - s)*s**2
    rate = 1.2*np.cos(4*time[:, None, None] + phase[:, None] - s)*s**2
    x = np.zeros((frames, count, points, 3))
    x[..., 0] = root[:, None, 0] + lean
    x[..., 1] = root[:, None, 1]
    x[..., 2] = np.sqrt(np.maximum(s**2 - lean**2, 0))
    v = np.zeros_like(x)
    v[..., 0] = rate
    v[..., 2] = np.where(x[..., 2] > 0, -lean*rate/np.maximum(x[..., 2], 1e-9), 0)
    return time, s, x, v


def write(folder, position, velocity, time, s, count, rods, tip, numbers={}, probes={}, failed=None, name="grass", radius=0.002):
    """One batch with `count` rods, of which `rods` are recorded."""
    os.makedirs(folder, exist_ok=True)
    with h5py.File(f"{folder}/result.h5", "w") as file:
        for key, value in {"format": 2, "version": "0.1.0", "name": name, "title": "Grass", "analysis": "dynamics",
                           "scenario": "withy: 1\n", "settings": ""}.items():
            file.attrs[key] = value
        file["frames"], file["time"] = np.int64(len(time)), time
        batch = file.create_group(f"batches/{name}")
        for key, value in {"kind": "batch", "pattern": "blade", "model": "kirchhoff", "integrator": "bdf2", "count": count,
                           "segments": len(s) - 1, "length": 1.0, "radius": radius}.items():
            batch.attrs[key] = value
        batch["rods"], batch["s"], batch["velocity_s"] = np.asarray(rods, np.int32), s, s
        batch["position"], batch["velocity"], batch["tip"] = position, velocity, tip
        batch["radius"] = np.full((len(rods), len(s)), radius, np.float32)
        for key, value in numbers.items():
            batch[f"numbers/{key}"] = value
        for key, value in probes.items():
            batch[f"probes/{key}"] = value
        failed = np.zeros(count, np.int32) if failed is None else failed
        for key, value in {"failed": failed, "refined": np.zeros(count, np.int32), "time": np.full(count, time[-1]),
                           "estimate": np.full(count, 0.01)}.items():
            batch[f"status/{key}"] = value
    with open(f"{folder}/summary.json", "w") as file:
        json.dump({"analysis": "dynamics", "status": "done", "message": "", "version": "0.1.0"}, file)


def grass(folder, count=40, every=4, points=6, frames=11):
    """A small one, whole: every rod has its number `young`; the rods with even numbers, `loads`. Returns what is in it."""
    time, s, x, v = swaying(count, points, frames)
    rods = np.arange(0, count, every)
    numbers = {"young": 1e7*(1 + 0.01*np.arange(count)), "damping": np.full(count, 2.0),
               "curvature": np.outer(np.arange(count), [0.0, 3.0, 4.0]), "root": np.zeros((count, 7))}
    probes = {"height": x[:, :, -1, 2:], "tip": x[:, :, -1]}
    write(folder, x[:, rods], v[:, rods], time, s, count, rods, x[:, :, -1], numbers, probes)
    return time, rods, x, v, numbers
