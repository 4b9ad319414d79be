# SPDX-License-Identifier: MIT
"""Brings a run into Blender as curves that move. Each table of `withy export DIR --to csv` becomes an object: a rod with
its radius, or strands. Every snapshot is a shape key.

    blender --python import_run.py -- arm.out/result.csv
"""
import csv
import itertools
import pathlib
import sys

import bpy


def load(path):
    with open(path, newline="") as file:
        rows = [{name: float(text) for name, text in row.items()} for row in csv.DictReader(file)]
    snapshots = [(t, list(points)) for t, points in itertools.groupby(rows, lambda row: row["t"])]
    name = pathlib.Path(path).stem
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.use_fill_caps = "3D", 1, True  # times the radius of a point
    for _, line in itertools.groupby(snapshots[0][1], lambda row: row.get("strand")):
        line = list(line)
        spline = curve.splines.new("POLY")
        spline.points.add(len(line) - 1)
        for point, row in zip(spline.points, line):
            point.co, point.radius = (row["x"], row["y"], row["z"], 1), row.get("radius", 1e-4)
    rod = bpy.data.objects.new(name, curve)
    bpy.context.collection.objects.link(rod)
    if len(snapshots) > 1:
        animate(rod, snapshots)
    return rod


def animate(rod, snapshots):
    """One key at a time is 1, so that points move on straight lines between snapshots."""
    scene, edit = bpy.context.scene, bpy.context.preferences.edit
    rate = scene.render.fps / scene.render.fps_base
    frames = [1 + rate * t for t, _ in snapshots]
    usual, edit.keyframe_new_interpolation_type = edit.keyframe_new_interpolation_type, "LINEAR"
    rod.shape_key_add(name="Basis")
    for k, (t, points) in enumerate(snapshots):
        key = rod.shape_key_add(name=f"t = {t:.6g}")
        for point, row in zip(key.data, points):
            point.co = row["x"], row["y"], row["z"]
        for near in range(max(k - 1, 0), min(k + 2, len(frames))):
            key.value = 1.0 if near == k else 0.0
            key.keyframe_insert("value", frame=frames[near])
    edit.keyframe_new_interpolation_type = usual
    scene.frame_start, scene.frame_end = 1, max(scene.frame_end, round(frames[-1]))


if __name__ == "__main__":
    for table in sys.argv[sys.argv.index("--") + 1:]:
        load(table)
