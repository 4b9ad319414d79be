// SPDX-License-Identifier: MIT
// Where bodies are at a moment, and where joints and springs hold rods, bodies and the ground.

import * as THREE from 'three';

const vectors = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
const quaternions = [new THREE.Quaternion(), new THREE.Quaternion()];

// Centre and axes (a quaternion) of a body between two frames.
export function bodyAt(body, { from, to, part }, position, axes) {
  const at = (frame, out) => out.fromArray(body.position.vector(frame));
  position.copy(at(from, vectors[0])).lerp(at(to, vectors[1]), part);
  const turned = (frame, out) => {
    const [w, x, y, z] = body.frame.vector(frame);
    return out.set(x, y, z, w).normalize();
  };
  axes.copy(turned(from, quaternions[0])).slerp(turned(to, quaternions[1]), part);
}

// The number of the point at arc length s of a rod, with the part that is between two points.
export function pointAt(rod, s) {
  const { s: at, points } = rod;
  let low = 0;
  let high = points - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at[middle] <= s) low = middle;
    else high = middle;
  }
  return low + Math.min(Math.max((s - at[low]) / (at[high] - at[low]), 0), 1);
}

// A place that a joint or a spring holds: on a rod (of the pose), on a body (as bodyAt has found it in
// `bodies`), or of the ground.
export function placeOf(hold, run, pose, bodies, out) {
  if (hold.rod !== undefined) {
    const at = pointAt(run.rods[hold.rod], hold.s);
    const first = Math.min(Math.floor(at), run.rods[hold.rod].points - 2);
    out.fromArray(pose.point(hold.rod, first));
    return at > first ? out.lerp(vectors[2].fromArray(pose.point(hold.rod, first + 1)), at - first) : out;
  }
  out.fromArray(hold.point);
  if (hold.body === undefined) return out;
  const { position, axes } = bodies[hold.body];
  return out.applyQuaternion(axes).add(position);
}

// A direction in the axes of the part that a joint holds.
export function directionOf(hold, axis, run, pose, bodies, out) {
  out.fromArray(axis);
  if (hold.rod !== undefined) {
    const point = Math.round(pointAt(run.rods[hold.rod], hold.s));
    const [x, y, z] = axis;
    const d = vectors.map((vector, i) => pose.director(hold.rod, point, i + 1, vector));
    return out.set(0, 0, 0).addScaledVector(d[0], x).addScaledVector(d[1], y).addScaledVector(d[2], z);
  }
  return hold.body === undefined ? out : out.applyQuaternion(bodies[hold.body].axes);
}

// --- shapes of springs ---

const TEETH = 8;
const LEAD = 0.15; // straight wire at each end, of the distance
const SAG_POINTS = 16;

// Corners of a zigzag from a to b in the plane of the unit vector aside.
export function zigzag(a, b, amplitude, aside) {
  const along = (u) => a.clone().lerp(b, u);
  const corners = [a.clone(), along(LEAD)];
  for (let k = 0; k < 2 * TEETH; k++) {
    const u = LEAD + (1 - 2 * LEAD) * ((k + 0.5) / (2 * TEETH));
    corners.push(along(u).addScaledVector(aside, k % 2 ? -amplitude : amplitude));
  }
  return [...corners, along(1 - LEAD), b.clone()];
}

function lengthOf(line) {
  return line.reduce((sum, point, i) => (i > 0 ? sum + point.distanceTo(line[i - 1]) : 0), 0);
}

// A line from a to b that is `length` long, and sags along the unit vector down where that is more than the
// distance.
export function sagging(a, b, length, down) {
  const distance = a.distanceTo(b);
  const line = (sag) => Array.from({ length: SAG_POINTS + 1 }, (_, i) => {
    const u = i / SAG_POINTS;
    return a.clone().lerp(b, u).addScaledVector(down, 4 * sag * u * (1 - u));
  });
  if (!(length > distance)) return [a.clone(), b.clone()];
  let [low, high] = [0, length];
  for (let round = 0; round < 30; round++) {
    const middle = (low + high) / 2;
    if (lengthOf(line(middle)) < length) low = middle;
    else high = middle;
  }
  return line((low + high) / 2);
}
