// SPDX-License-Identifier: MIT
// What is shown of the rods at one moment: their points, directors and values, between frames and with a mode
// on top, written into one texture from which the shaders build all tubes.

import * as THREE from 'three';
import { ROW_POINTS, TEXELS } from './shaders.js';

const STRIDE = 4 * TEXELS;

// Stands for "no value" in the texture: what NaN does in a shader depends on the driver.
export const NO_VALUE = -1e38;

const SAMPLE = 200;

export class Pose {
  constructor(run) {
    this.run = run;
    this.starts = [];
    let points = 0;
    for (const rod of run.rods) {
      this.starts.push(points + 1);
      points += rod.points + 2;
    }
    this.points = points - 2 * run.rods.length;
    const rows = Math.max(1, Math.ceil(points / ROW_POINTS));
    this.data = new Float32Array(rows * ROW_POINTS * STRIDE);
    this.texture = new THREE.DataTexture(
      this.data,
      ROW_POINTS * TEXELS,
      rows,
      THREE.RGBAFormat,
      THREE.FloatType,
    );
    this.quantity = null;
    this.mode = null;
    this.frame = 0;
    this.centre = [0, 0, 0];
    run.rods.forEach((rod, r) => this.writeHalf(rod, this.starts[r]));
  }

  writeHalf(rod, start) {
    for (let p = 0; p < rod.points; p++) {
      const at = (start + p) * STRIDE;
      this.data[at + 7] = rod.half[2 * p];
      this.data[at + 11] = rod.half[2 * p + 1];
    }
  }

  // Index of the frame before, and how far between it and the next (0 to 1) the moment is.
  moment() {
    const last = this.run.frames - 1;
    const frame = Math.min(Math.max(this.frame, 0), last);
    const from = Math.min(Math.floor(frame), Math.max(last - 1, 0));
    return { from, to: Math.min(from + 1, last), part: frame - from };
  }

  // Writes all of it anew.
  update() {
    const { from, to, part } = this.moment();
    const centre = [0, 0, 0];
    this.run.rods.forEach((rod, r) => {
      const start = this.starts[r];
      this.writeVectors(rod.position, rod.points, from, to, part, start, 0);
      this.writeVectors(rod.d1, rod.points, from, to, part, start, 4);
      if (rod.d2) this.writeVectors(rod.d2, rod.points, from, to, part, start, 8);
      this.writeValues(rod, from, to, part, start);
      const shape = this.shapeOf(r);
      if (shape) this.addMode(rod, start, shape);
      finishFrames(this.data, start, rod.points, rod.d2 !== null);
      addNeighbours(this.data, start, rod.points);
      this.addTo(centre, start, rod.points);
    });
    const { bodies } = this.run;
    let all = this.points || bodies.length;
    if (this.points === 0) bodies.forEach((body) => body.position.vector(from).forEach((x, c) => { centre[c] += x; }));
    if (all === 0) all = addStrands(this.run.strands, from, centre);
    for (let i = 0; i < 3; i++) this.centre[i] = all > 0 ? centre[i] / all : 0;
    this.texture.needsUpdate = true;
  }

  writeVectors(packed, points, from, to, part, start, slot) {
    const { numbers, scale, shift, components } = packed;
    const a = 3 * points * from;
    const b = 3 * points * to;
    for (let c = 0; c < 3; c++) {
      const k = scale[components === 3 ? c : 0];
      const z = shift[components === 3 ? c : 0];
      for (let p = 0, at = start * STRIDE + slot + c, i = c; p < points; p++, at += STRIDE, i += 3) {
        const before = numbers[a + i];
        this.data[at] = z + k * (before + part * (numbers[b + i] - before));
      }
    }
  }

  writeValues(rod, from, to, part, start) {
    const packed = this.quantity === null ? null : rod.quantities[this.quantity];
    for (let p = 0, at = start * STRIDE + 3; p < rod.points; p++, at += STRIDE) {
      this.data[at] = packed
        ? (1 - part) * packed.at(from * rod.points + p) + part * packed.at(to * rod.points + p)
        : NO_VALUE;
    }
  }

  // The shape of the mode that is shown in a rod, or null.
  shapeOf(r) {
    return (this.mode && this.mode.shapes.find((shape) => shape.rod === r)) || null;
  }

  addMode(rod, start, shape) {
    const { factor } = this.mode;
    for (let p = 0; p < rod.points; p++) {
      const at = (start + p) * STRIDE;
      for (let c = 0; c < 3; c++) {
        const i = 3 * p + c;
        if (shape.position) this.data[at + c] = shape.position[i];
        this.data[at + c] += factor * shape.displacement[i];
        if (shape.director) this.data[at + 4 + c] = shape.director[i];
        if (shape.d1) this.data[at + 4 + c] += factor * shape.d1[i];
      }
    }
  }

  addTo(centre, start, points) {
    for (let p = 0, at = start * STRIDE; p < points; p++, at += STRIDE) {
      for (let c = 0; c < 3; c++) centre[c] += this.data[at + c];
    }
  }

  // One point in full precision.
  point(r, index) {
    const rod = this.run.rods[r];
    const { from, to, part } = this.moment();
    const shape = this.shapeOf(r);
    const a = rod.position.vector(from * rod.points + index);
    const b = rod.position.vector(to * rod.points + index);
    return a.map((value, c) => {
      const i = 3 * index + c;
      const base = shape && shape.position ? shape.position[i] : (1 - part) * value + part * b[c];
      return shape ? base + this.mode.factor * shape.displacement[i] : base;
    });
  }

  // The value that colours the point, null where there is none.
  value(r, index) {
    const value = this.data[(this.starts[r] + index) * STRIDE + 3];
    return value < NO_VALUE / 2 ? null : value;
  }

  // One director (1, 2 or 3) as a vector, written to out.
  director(r, index, number, out) {
    const at = (this.starts[r] + index) * STRIDE;
    const d = this.data;
    if (number < 3) return out.set(d[at + 4 * number], d[at + 4 * number + 1], d[at + 4 * number + 2]);
    return out.set(
      d[at + 5] * d[at + 10] - d[at + 6] * d[at + 9],
      d[at + 6] * d[at + 8] - d[at + 4] * d[at + 10],
      d[at + 4] * d[at + 9] - d[at + 5] * d[at + 8],
    );
  }
}

// Adds up a sample of the points of strands, which stand for rods where there are none; how many these are.
function addStrands(strands, frame, centre) {
  let all = 0;
  for (const { position, count, points } of strands) {
    const total = count * points;
    for (let i = 0; i < total; i += Math.ceil(total / SAMPLE), all++) {
      position.vector(frame * total + i).forEach((x, c) => { centre[c] += x; });
    }
  }
  return all;
}

// The points before the first and after the last one: the ends go on as they bend.
export function addNeighbours(data, start, points) {
  const first = start * STRIDE;
  const last = (start + points - 1) * STRIDE;
  for (const [at, inner] of [
    [first, STRIDE],
    [last, -STRIDE],
  ]) {
    const further = points > 2 ? 2 * inner : inner;
    for (let c = 0; c < 3; c++) {
      const [a, b, d] = [data[at + c], data[at + inner + c], data[at + further + c]];
      data[at - inner + c] = points > 2 ? 3 * a - 3 * b + d : 2 * a - b;
    }
  }
}

// Makes the directors of a rod unit vectors. Where d2 is not given the section is normal to the centreline:
// d1 is made normal to it and d2 follows.
export function finishFrames(data, start, points, sheared) {
  for (let i = start; i < start + points; i++) finishFrame(data, i, start, start + points - 1, sheared);
}

// The same for one point; first and last are those of its rod.
export function finishFrame(data, i, first, last, sheared) {
  const at = i * STRIDE;
  if (sheared) {
    normalise(data, at + 4, 1, 0, 0);
    normalise(data, at + 8, 0, 1, 0);
    return;
  }
  const a = Math.max(i - 1, first) * STRIDE;
  const b = Math.min(i + 1, last) * STRIDE;
  let x = data[b] - data[a];
  let y = data[b + 1] - data[a + 1];
  let z = data[b + 2] - data[a + 2];
  const length = Math.hypot(x, y, z) || 1;
  x /= length;
  y /= length;
  z /= length;
  const along = x * data[at + 4] + y * data[at + 5] + z * data[at + 6];
  data[at + 4] -= along * x;
  data[at + 5] -= along * y;
  data[at + 6] -= along * z;
  normalise(data, at + 4, z, x, y);
  data[at + 8] = y * data[at + 6] - z * data[at + 5];
  data[at + 9] = z * data[at + 4] - x * data[at + 6];
  data[at + 10] = x * data[at + 5] - y * data[at + 4];
}

function normalise(data, at, x, y, z) {
  const length = Math.hypot(data[at], data[at + 1], data[at + 2]);
  if (length > 1e-6) {
    data[at] /= length;
    data[at + 1] /= length;
    data[at + 2] /= length;
  } else {
    data[at] = x;
    data[at + 1] = y;
    data[at + 2] = z;
  }
}
