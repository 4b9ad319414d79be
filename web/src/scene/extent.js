// SPDX-License-Identifier: MIT
// Where the run is in space: a sample of its points in all frames, from which ground and camera take their
// places.

import * as THREE from 'three';
import { outline } from './obstacles.js';

const FRAMES = 48; // at most that many frames
const POINTS = 1200; // and points of one frame are looked at
const SUPPORT = 2; // room at ends, times the radius
const WANDERS = 2; // times the size of the rods

// Numbers from 0 to count - 1, both included, at most about `most` of them.
export function spread(count, most) {
  const step = Math.max(1, Math.ceil((count - 1) / most));
  const list = [];
  for (let i = 0; i < count - 1; i += step) list.push(i);
  return [...list, count - 1];
}

// Is the obstacle inside of the bounds of the run, which it is part of where it is not large?
function belongs({ position, ...obstacle }, { bounds: [low, high] }) {
  const { points, radius } = outline(obstacle);
  const reach = Math.max(0, ...points.map((p) => Math.hypot(...p))) + radius;
  const slack = 1e-6 * Math.max(...high.map((h, c) => h - low[c]));
  return points.length > 0 && position.vector(0).every((x, c) => x - reach > low[c] - slack && x + reach < high[c] + slack);
}

const axes = new THREE.Quaternion();
const corner = new THREE.Vector3();

function visitObstacle({ obstacle, points, radius }, frame, visit) {
  const [w, x, y, z] = obstacle.frame.vector(frame);
  const at = obstacle.position.vector(frame);
  axes.set(x, y, z, w);
  for (const p of points) {
    corner.fromArray(p).applyQuaternion(axes);
    visit.point([at[0] + corner.x, at[1] + corner.y, at[2] + corner.z], radius);
  }
}

// Calls visit.point(position, radius) for points spread over rods, strands, bodies and modes, visit.nextFrame()
// before each frame.
function sample(run, visit) {
  const perRod = Math.max(Math.floor(POINTS / Math.max(run.rods.length, 1)), 3);
  const rodPoints = run.rods.map((rod) => spread(rod.points, perRod));
  const strandPoints = run.strands.map((group) => spread(group.count * group.points, POINTS));
  const place = [0, 0, 0];
  const outlines = run.obstacles.filter((obstacle) => belongs(obstacle, run)).map((obstacle) => ({ obstacle, ...outline(obstacle) }));
  for (const f of spread(run.frames, FRAMES)) {
    visit.nextFrame();
    run.rods.forEach((rod, r) => {
      for (const p of rodPoints[r]) {
        const room = p === 0 || p === rod.points - 1 ? SUPPORT : 1;
        const half = Math.max(rod.half[2 * p], rod.half[2 * p + 1]);
        visit.point(rod.position.vector(f * rod.points + p, place), room * half);
      }
    });
    run.bodies.forEach((body) => visit.point(body.position.vector(f, place), Math.hypot(...body.half)));
    outlines.forEach((part) => visitObstacle(part, f, visit));
    for (const { of } of run.springs) {
      for (const { rod, body, point } of of) if (rod === undefined && body === undefined) visit.point(point, 0);
    }
    run.strands.forEach((group, g) => {
      const total = group.count * group.points;
      for (const i of strandPoints[g]) {
        visit.point(group.position.vector(f * total + i, place), group.radius);
      }
    });
  }
  for (const mode of run.modes) for (const shape of mode.shapes) sampleMode(shape, run, visit);
}

function sampleMode(mode, run, visit) {
  const part = mode.body === undefined ? run.rods[mode.rod] : run.bodies[mode.body];
  for (let p = 0; p < (part.points || 1); p++) {
    const base = mode.position ? mode.position.subarray(3 * p, 3 * p + 3) : part.position.vector(p);
    for (const sign of [-1, 1]) {
      visit.point(
        [0, 1, 2].map((c) => base[c] + sign * mode.displacement[3 * p + c]),
        part.half[2 * p],
      );
    }
  }
}

// The centre of the points of one frame, and their largest distance from it.
function frameOf(list, from, to) {
  const centre = [0, 0, 0];
  const count = (to - from) / 4;
  for (let i = from; i < to; i += 4) for (let c = 0; c < 3; c++) centre[c] += list[i + c] / count;
  let reach = 0;
  for (let i = from; i < to; i += 4) {
    const away = Math.hypot(list[i] - centre[0], list[i + 1] - centre[1], list[i + 2] - centre[2]);
    reach = Math.max(reach, away + list[i + 3]);
  }
  return { centre: new THREE.Vector3(...centre), reach };
}

// points: sample of all frames; reach: how far rods extend from their centre at any moment; wanders: true
// where the centre travels much farther than that.
export class Extent {
  constructor(run) {
    const list = [];
    const box = new THREE.Box3();
    const corner = new THREE.Vector3();
    const starts = [];
    sample(run, {
      nextFrame: () => starts.push(list.length),
      point: ([x, y, z], radius) => {
        list.push(x, y, z, radius);
        box
          .expandByPoint(corner.set(x - radius, y - radius, z - radius))
          .expandByPoint(corner.addScalar(2 * radius));
      },
    });
    for (const place of run.bounds || []) box.expandByPoint(corner.set(...place));
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.points = Float64Array.from(list);
    this.box = box;
    this.middle = box.getCenter(new THREE.Vector3());
    this.size = Math.max(box.getSize(corner).length(), 1e-9);
    const frames = starts.map((from, f) => frameOf(list, from, starts[f + 1] || list.length));
    const path = new THREE.Box3().setFromPoints(frames.map((frame) => frame.centre));
    this.reach = Math.max(...frames.map((frame) => frame.reach), 1e-6 * this.size);
    this.wanders = path.getSize(corner).length() > WANDERS * 2 * this.reach;
  }

  // Smallest and largest coordinate along an axis.
  along(axis) {
    const range = [Infinity, -Infinity];
    const { points } = this;
    for (let i = 0; i < points.length; i += 4) {
      const at = points[i] * axis.x + points[i + 1] * axis.y + points[i + 2] * axis.z;
      range[0] = Math.min(range[0], at - points[i + 3]);
      range[1] = Math.max(range[1], at + points[i + 3]);
    }
    return range[0] <= range[1] ? range : [-1, 1];
  }

  // Where a camera must aim (x, y from the middle) and how far away it must be to see all: local are the
  // points in its axes, wide and tall are half of the picture at distance 1. Perspective shifts the picture,
  // hence the rounds.
  fit(local, wide, tall) {
    const from = { x: 0, y: 0, distance: 2 * this.size };
    for (let round = 0; round < 5; round++) {
      const limits = [Infinity, -Infinity, Infinity, -Infinity];
      let needed = 0.02 * this.size;
      for (let i = 0; i < local.length; i += 4) {
        const depth = Math.max(from.distance - local[i + 2], 1e-3 * this.size);
        const u = local[i] - from.x;
        const v = local[i + 1] - from.y;
        const radius = local[i + 3];
        limits[0] = Math.min(limits[0], (u - radius) / depth);
        limits[1] = Math.max(limits[1], (u + radius) / depth);
        limits[2] = Math.min(limits[2], (v - radius) / depth);
        limits[3] = Math.max(limits[3], (v + radius) / depth);
        needed = Math.max(
          needed,
          local[i + 2] + Math.max((Math.abs(u) + radius) / wide, (Math.abs(v) + radius) / tall),
        );
      }
      if (round === 4 || limits[0] > limits[1]) return { ...from, distance: needed };
      from.x += (from.distance * (limits[0] + limits[1])) / 2;
      from.y += (from.distance * (limits[2] + limits[3])) / 2;
      from.distance = needed;
    }
    return from;
  }

  // Points from the middle along the axes of a camera that looks along -back, and their radius.
  inAxes(x, y, back) {
    const out = new Float64Array(this.points.length);
    const d = new THREE.Vector3();
    for (let i = 0; i < out.length; i += 4) {
      d.set(this.points[i], this.points[i + 1], this.points[i + 2]).sub(this.middle);
      out.set([d.dot(x), d.dot(y), d.dot(back), this.points[i + 3]], i);
    }
    return out;
  }
}
