// SPDX-License-Identifier: MIT
// Finds the point of a rod under the pointer: all centrelines are projected, the nearest segment within reach
// wins.

import * as THREE from 'three';

const REACH = 7; // pixels beside a thin rod that still count as on it

// The nearest of some lines: each has points, at(p): the place of a point, and half(p): the radius there.
function pickLine(lines, { camera, width, height, pixel, thickness }, x, y) {
  const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  let best = null;
  lines.forEach(({ points, at, half }, line) => {
    let before = null;
    for (let p = 0; p < points; p++) {
      const here = project(m, at(p), width, height);
      if (before && here) {
        const part = nearest(before, here, x, y);
        const away = Math.hypot(
          before.x + part * (here.x - before.x) - x,
          before.y + part * (here.y - before.y) - y,
        );
        const depth = before.depth + part * (here.depth - before.depth);
        const radius = (half(p) * thickness) / (pixel * depth);
        if (away <= Math.max(radius, REACH)) {
          const score = depth + 4 * away * pixel * depth; // what is in front, but near to the pointer first
          if (best === null || score < best.score) best = { score, depth, line, point: part < 0.5 ? p - 1 : p };
        }
      }
      before = here;
    }
  });
  return best;
}

// x, y in css pixels of the canvas; null where no rod is near.
export function pickPoint(view, x, y) {
  const { run, pose } = view;
  const best = pickLine(run.rods.map((rod, r) => ({
    points: rod.points,
    at: (p) => pose.point(r, p),
    half: (p) => Math.max(rod.half[2 * p], rod.half[2 * p + 1]),
  })), view, x, y);
  if (best === null) return null;
  const { line: rod, point, depth } = best;
  return {
    depth,
    rod,
    point,
    s: run.rods[rod].s[point],
    value: pose.value(rod, point),
    position: pose.point(rod, point),
  };
}

// The rod of a batch, with its number; null where none is near, or the strands are no rods.
export function pickStrand(strands, view, x, y) {
  const { name, batch, count, points, radius } = strands.group;
  if (!batch) return null;
  const lines = Array.from({ length: count }, (_, i) => ({
    points,
    at: (p) => strands.place(i * points + p),
    half: () => radius,
  }));
  const best = pickLine(lines, view, x, y);
  if (best === null) return null;
  const { line, point, depth } = best;
  return { depth, strand: name, number: batch.rods[line], value: strands.value(line * points + point) };
}

// The body under the pointer: the ray through it, in the axes of each body, against the box around its shape.
export function pickBody({ run, network, camera, width, height }, x, y) {
  const from = new THREE.Vector3().setFromMatrixPosition(camera.matrixWorld);
  const ray = new THREE.Vector3((2 * x) / width - 1, 1 - (2 * y) / height, 0.5).unproject(camera).sub(from);
  ray.divideScalar(-ray.clone().transformDirection(camera.matrixWorldInverse).z * ray.length()); // depth 1
  let best = null;
  run.bodies.forEach((body, i) => {
    const { position, axes } = network.bodies[i];
    const back = axes.clone().multiply(network.turns[i]).invert();
    const [p, d] = [from.clone().sub(position).applyQuaternion(back), ray.clone().applyQuaternion(back)];
    const depth = enter(p.toArray(), d.toArray(), body.half);
    if (depth > 0 && (best === null || depth < best.depth)) best = { depth, body: i };
  });
  return best;
}

// Where the ray p + t d enters a box of half extents; -1 where it does not.
function enter(p, d, half) {
  let [first, last] = [0, Infinity];
  for (let c = 0; c < 3; c++) {
    const [a, b] = [(-half[c] - p[c]) / d[c], (half[c] - p[c]) / d[c]];
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  return first <= last ? first : -1;
}

function project(m, [x, y, z], width, height) {
  const w = m[3] * x + m[7] * y + m[11] * z + m[15];
  if (w <= 0) return null;
  return {
    x: (0.5 + (0.5 * (m[0] * x + m[4] * y + m[8] * z + m[12])) / w) * width,
    y: (0.5 - (0.5 * (m[1] * x + m[5] * y + m[9] * z + m[13])) / w) * height,
    depth: w,
  };
}

// How far along the segment from a to b (0 to 1) the place nearest to (x, y) is.
function nearest(a, b, x, y) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const square = dx * dx + dy * dy;
  if (square === 0) return 0;
  return Math.min(Math.max(((x - a.x) * dx + (y - a.y) * dy) / square, 0), 1);
}
