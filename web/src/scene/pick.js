// SPDX-License-Identifier: MIT
// Finds the point of a rod under the pointer: all centrelines are projected, the nearest segment within reach
// wins.

import * as THREE from 'three';

const REACH = 7; // pixels beside a thin rod that still count as on it

// x, y in css pixels of the canvas; null where no rod is near.
export function pickPoint({ run, pose, camera, width, height, pixel, thickness }, x, y) {
  const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  let best = null;
  run.rods.forEach((rod, r) => {
    let before = null;
    for (let p = 0; p < rod.points; p++) {
      const here = project(m, pose.point(r, p), width, height);
      if (before && here) {
        const part = nearest(before, here, x, y);
        const away = Math.hypot(
          before.x + part * (here.x - before.x) - x,
          before.y + part * (here.y - before.y) - y,
        );
        const depth = before.depth + part * (here.depth - before.depth);
        const half = Math.max(rod.half[2 * p], rod.half[2 * p + 1]) * thickness;
        const radius = half / (pixel * depth);
        if (away <= Math.max(radius, REACH)) {
          const score = depth + 4 * away * pixel * depth; // what is in front, but near to the pointer first
          if (best === null || score < best.score) best = { score, rod: r, point: part < 0.5 ? p - 1 : p };
        }
      }
      before = here;
    }
  });
  if (best === null) return null;
  const { rod, point } = best;
  return {
    rod,
    point,
    s: run.rods[rod].s[point],
    value: pose.value(rod, point),
    position: pose.point(rod, point),
  };
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
