// SPDX-License-Identifier: MIT
// Runs made up for development and tests, written as docs/dev/scene.md says (what `withy view` writes in C).
// Motions are prescribed curvatures integrated along the rod, so that frames, curvature and torsion agree.
// From a shell: node test/sample.mjs KIND TEMPLATE.html > page.html

import { deflateSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const INTEGER = { u8: [Uint8Array, 255], u16: [Uint16Array, 65535], i16: [Int16Array, 32767] };

// Collects arrays in one stream of bytes and gives back the objects that the header refers to them by.
export class Stream {
  constructor() {
    this.parts = [];
    this.bytes = 0;
  }

  append(bytes) {
    const offset = this.bytes;
    const padded = new Uint8Array(Math.ceil(bytes.length / 8) * 8);
    padded.set(bytes);
    this.parts.push(padded);
    this.bytes += padded.length;
    return offset;
  }

  // Plain numbers of floating point.
  floats(values, type = 'f64', components = 1) {
    const numbers = type === 'f64' ? Float64Array.from(values) : Float32Array.from(values);
    return described({ type, offset: this.append(bytesOf(numbers)), count: numbers.length }, { components });
  }

  // Numbers quantised to an integer type over their range, or over the range given (of each component).
  integers(values, type, { components = 1, delta = 0, split = false, range = null } = {}) {
    const [Kind, largest] = INTEGER[type];
    const signed = type === 'i16';
    const limits = range || rangeOf(values, components, signed);
    const scale = limits.map(([low, high]) =>
      high > low ? (high - low) / (signed ? 2 * largest : largest) : 1,
    );
    const shift = limits.map(([low, high]) => (signed ? (low + high) / 2 : low));
    const numbers = new Kind(values.length);
    for (let i = 0; i < values.length; i++) {
      const c = i % components;
      numbers[i] = Math.round((values[i] - shift[c]) / scale[c]);
    }
    if (delta > 0) for (let i = numbers.length - 1; i >= delta; i--) numbers[i] -= numbers[i - delta];
    const bytes = split ? halves(bytesOf(numbers)) : bytesOf(numbers);
    return described(
      { type, offset: this.append(bytes), count: numbers.length },
      {
        components,
        delta,
        split,
        scale: components === 1 ? scale[0] : scale,
        shift: components === 1 ? shift[0] : shift,
      },
    );
  }

  toBytes() {
    const all = new Uint8Array(this.bytes);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

function bytesOf(numbers) {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function halves(bytes) {
  const half = bytes.length / 2;
  const out = new Uint8Array(bytes.length);
  for (let i = 0; i < half; i++) {
    out[i] = bytes[2 * i];
    out[half + i] = bytes[2 * i + 1];
  }
  return out;
}

function described(array, extra) {
  for (const [key, value] of Object.entries(extra)) {
    const missing = value === 0 || value === false || (key === 'components' && value === 1);
    if (!missing || key === 'shift') array[key] = value;
  }
  return array;
}

function rangeOf(values, components, symmetric) {
  const limits = Array.from({ length: components }, () => [Infinity, -Infinity]);
  for (let i = 0; i < values.length; i++) {
    const l = limits[i % components];
    if (values[i] < l[0]) l[0] = values[i];
    if (values[i] > l[1]) l[1] = values[i];
  }
  return symmetric ? limits.map((l) => [-Math.max(-l[0], l[1]), Math.max(-l[0], l[1])]) : limits;
}

// --- rods by their curvature ---

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

// Rotates the frame (d1, d2, d3) by the body vector w.
function turn(frame, w) {
  const angle = Math.hypot(...w);
  if (angle === 0) return frame;
  const axis = [0, 1, 2].map((i) => (w[0] * frame[0][i] + w[1] * frame[1][i] + w[2] * frame[2][i]) / angle);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return frame.map((d) => {
    const along = (1 - c) * (axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]);
    const side = cross(axis, d);
    return [0, 1, 2].map((i) => c * d[i] + s * side[i] + along * axis[i]);
  });
}

// Points, directors and strains of a rod at time t; rod.start(t) gives origin and frame, rod.curvature(s, t)
// K.
function shapeOf(rod, t) {
  const points = rod.segments + 1;
  const h = rod.length / rod.segments;
  let { origin: x, frame } = rod.start(t);
  const out = { position: [], d1: [], d2: [], k: [] };
  for (let p = 0; p < points; p++) {
    out.position.push(...x);
    out.d1.push(...frame[0]);
    out.d2.push(...frame[1]);
    out.k.push(rod.curvature(p * h, t));
    if (p === points - 1) break;
    const k = rod.curvature((p + 0.5) * h, t).map((v) => v * h);
    const middle = turn(
      frame,
      k.map((v) => v / 2),
    );
    x = x.map((v, i) => v + h * middle[2][i]);
    frame = turn(frame, k);
  }
  return out;
}

const FRAMES = {
  x: [
    [0, 0, 1],
    [0, -1, 0],
    [1, 0, 0],
  ], // d3 along x, d1 up
  down: [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
  ],
  up: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
};

function norm(v) {
  return Math.hypot(v[0], v[1], v[2]);
}

// One rod of the header; how: { packed: u16 with delta and split }, as large runs are written.
function rodOf(stream, rod, times, how = {}) {
  const points = rod.segments + 1;
  const shapes = times.map((t) => shapeOf(rod, t));
  const step = times.length > 1 ? times[1] - times[0] : 1;
  const all = (key) => flatten(shapes.map((shape) => shape[key]));
  const moment = (k) => rod.bending * Math.hypot(k[0], k[1], 0.7 * k[2]);
  const values = {
    curvature: [],
    torsion: [],
    force: [],
    moment: [],
    speed: [],
  };
  shapes.forEach((shape, f) => {
    const next = shapes[Math.min(f + 1, shapes.length - 1)].position;
    const before = shapes[Math.max(f - 1, 0)].position;
    const span = step * (f > 0 && f < shapes.length - 1 ? 2 : 1);
    for (let p = 0; p < points; p++) {
      const k = shape.k[p];
      const move = [0, 1, 2].map((i) => (next[3 * p + i] - before[3 * p + i]) / span);
      values.curvature.push(Math.hypot(k[0], k[1]));
      values.torsion.push(k[2]);
      values.moment.push(moment(k));
      values.force.push(rod.weight * (1 - p / rod.segments) * (1 + 0.2 * Math.sin(3 * times[f])));
      values.speed.push(norm(move));
    }
  });
  const pack = { components: 3, delta: 3 * points, split: true };
  const position = all('position');
  const quantities = {};
  for (const name of Object.keys(values)) {
    if (times.length === 1 && name === 'speed') continue;
    quantities[name] = stream.integers(values[name], 'u16', how.packed ? { delta: points, split: true } : {});
  }
  const s = Array.from({ length: points }, (_, p) => (p * rod.length) / rod.segments);
  const half = flatten(s.map((at) => rod.half(at)));
  const rest = shapeOf({ ...rod, start: () => rod.start(0), curvature: rod.natural || (() => [0, 0, 0]) }, 0);
  const out = {
    name: rod.name,
    model: 'cosserat',
    scheme: 'mixed',
    integrator: 'midpoint',
    segments: rod.segments,
    length: rod.length,
    ends: rod.ends,
    s: stream.floats(s),
    section: rod.section,
    half: stream.floats(half, 'f32', 2),
    thin: false,
    position: how.packed ? stream.integers(position, 'u16', pack) : stream.floats(position, 'f32', 3),
    d1: stream.integers(
      all('d1'),
      'i16',
      how.packed ? { ...pack, range: UNIT } : { components: 3, range: UNIT },
    ),
  };
  if (rod.sheared) out.d2 = stream.integers(all('d2'), 'i16', { components: 3, range: UNIT });
  Object.assign(out, { rest: stream.floats(rest.position, 'f32', 3), quantities });
  out.actuators = (rod.actuators || []).map((a) => ({
    kind: a.kind,
    offset: stream.floats(flatten(s.map((at) => a.offset(at))), 'f32', 2),
    force: stream.floats(
      times.map((t) => a.force(t)),
      'f32',
    ),
  }));
  return {
    header: out,
    position,
    largest: Math.max(...half),
    tip: shapes.map((shape) => shape.position.slice(-3)),
  };
}

const UNIT = [
  [-1, 1],
  [-1, 1],
  [-1, 1],
];

function flatten(rows) {
  const out = new Float64Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  for (const row of rows) {
    out.set(row, at);
    at += row.length;
  }
  return out;
}

function boundsOf(lists, margin) {
  const limits = [
    [Infinity, -Infinity],
    [Infinity, -Infinity],
    [Infinity, -Infinity],
  ];
  for (const list of lists) {
    rangeOf(list, 3, false).forEach(([low, high], i) => {
      limits[i][0] = Math.min(limits[i][0], low);
      limits[i][1] = Math.max(limits[i][1], high);
    });
  }
  return [limits.map((l) => l[0] - margin), limits.map((l) => l[1] + margin)];
}

function timesOf(frames, end) {
  return Array.from({ length: frames }, (_, f) => (frames > 1 ? (f * end) / (frames - 1) : 0));
}

function chartsOf(stream, times, tip) {
  const column = (values) => stream.floats(values);
  const time = column(times);
  const energy = times.map((t) => 3 + 2 * Math.cos(2 * t));
  return [
    {
      title: 'tip',
      quantity: 'position',
      columns: ['x', 'y', 'z'],
      time,
      values: [0, 1, 2].map((i) => column(tip.map((x) => x[i]))),
    },
    {
      title: 'energy',
      quantity: 'energy',
      columns: ['kinetic', 'elastic', 'total'],
      time,
      values: [column(energy), column(energy.map((e) => 6 - e)), column(energy.map(() => 6))],
    },
  ];
}

function headerOf(name, title, extra) {
  return {
    format: 1,
    version: '0.1.0',
    name,
    title,
    analysis: 'dynamics',
    status: 'done',
    message: '',
    bytes: 0,
    notes: [],
    gravity: [0, 0, -9.81],
    up: [0, 0, 1],
    bounds: [
      [0, 0, 0],
      [1, 1, 1],
    ],
    time: null,
    rods: [],
    strands: [],
    bodies: [],
    joints: [],
    springs: [],
    modes: [],
    charts: [],
    facts: [
      ['scheme', 'mixed'],
      ['integrator', 'midpoint'],
      ['steps', '1000'],
      ['wall time', '0.12 s'],
    ],
    scenario: `withy: 1\ntitle: ${title}\ntime: {end: 10, frames: 0.1}\n`,
    settings: '',
    ...extra,
  };
}

function runOf(name, title, rods, times, { how = {}, extra = {} } = {}) {
  const stream = new Stream();
  const made = rods.map((rod) => rodOf(stream, rod, times, how));
  const header = headerOf(name, title, extra);
  header.time = stream.floats(times);
  header.rods = made.map((m) => m.header);
  header.bounds = boundsOf(
    made.map((m) => m.position),
    Math.max(...made.map((m) => m.largest)),
  );
  header.charts = chartsOf(stream, times, made[0].tip);
  return { header, stream };
}

function finish({ header, stream }) {
  header.bytes = stream.bytes;
  return { header, data: stream.toBytes() };
}

// --- the kinds ---

const spaghetti = {
  name: 'rod',
  segments: 20,
  length: 10,
  section: 'circle',
  half: () => [0.1, 0.1],
  bending: 500,
  weight: 8,
  ends: ['free', 'free'],
  start: (t) => ({
    origin: [t, 0.3 * t, 8 - 0.12 * t * t],
    frame: turn(FRAMES.x, [0.3 * t, 0.6 * t, 0.5 * t]),
  }),
  curvature: (s, t) => [
    0.3 * Math.sin(s + t),
    0.35 * Math.sin(0.8 * s - 2 * t),
    0.5 * Math.cos(0.6 * s) * Math.sin(t),
  ],
};

const cable = {
  name: 'cable',
  segments: 60,
  length: 3,
  section: 'circle',
  half: (s) => [0.05 - 0.01 * s, 0.05 - 0.01 * s],
  bending: 20,
  weight: 3,
  ends: ['pinned', 'free'],
  start: (t) => ({
    origin: [-1.4, 0.6, 1.6],
    frame: turn(FRAMES.x, [0, 0.7 * Math.sin(1.3 * t), 2 * Math.sin(t)]),
  }),
  curvature: (s, t) => [0.9 * Math.sin(2 * s + 2 * t), 0.8 + 0.7 * Math.sin(3 * t), 2 * Math.sin(1.5 * t)],
};

const ribbon = {
  name: 'ribbon',
  segments: 80,
  length: 2.4,
  section: 'rectangle',
  half: () => [0.12, 0.012],
  bending: 5,
  weight: 1,
  ends: ['clamped', 'driven'],
  start: () => ({
    origin: [-1.2, -0.5, 0.5],
    frame: [
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ],
  }),
  curvature: (s, t) => [0.3 * Math.sin(3 * s), 0, 3 * Math.sin(0.8 * t) * (s / 2.4)],
};

function bend(force, angle) {
  return [-force * Math.sin(angle), force * Math.cos(angle)];
}

const arm = {
  name: 'arm',
  segments: 40,
  length: 1.5,
  section: 'circle',
  half: (s) => [0.16 - 0.04 * s, 0.16 - 0.04 * s],
  bending: 40,
  weight: 10,
  ends: ['clamped', 'free'],
  sheared: true,
  start: () => ({ origin: [1.2, 0.3, 2], frame: FRAMES.down }),
  curvature: (s, t) => [0.9 * Math.sin(t), 0.9 * Math.cos(1.3 * t) - 0.4, 0.4 * Math.sin(t)],
  actuators: [
    {
      kind: 'tendon',
      offset: (s) => bend(0.13 - 0.035 * s, 0.5 + 1.2 * s),
      force: (t) => 5 + 5 * Math.sin(t),
    },
    { kind: 'tendon', offset: (s) => bend(0.13 - 0.035 * s, 2.6), force: (t) => 5 - 5 * Math.sin(t) },
    { kind: 'pneumatic', offset: () => [0.06, 0], force: (t) => -25 - 25 * Math.cos(1.3 * t) },
    { kind: 'pneumatic', offset: () => [-0.06, 0], force: (t) => -25 + 25 * Math.cos(1.3 * t) },
  ],
};

const wire = {
  name: 'wire',
  segments: 100,
  length: 10,
  section: 'circle',
  half: () => [0.0004, 0.0004],
  bending: 1e-3,
  weight: 1e-2,
  ends: ['clamped', 'clamped'],
  start: () => ({ origin: [0, 0, 0], frame: FRAMES.x }),
  curvature: (s, t) => [0, 0.3 * Math.sin(t) * Math.cos(s), 4 * Math.sin(2 * t)],
};

function largeRod(i) {
  return {
    name: `rod ${i + 1}`,
    segments: 1500,
    length: 20,
    section: 'circle',
    half: () => [0.08, 0.08],
    bending: 10,
    weight: 2,
    ends: ['clamped', 'free'],
    start: () => ({ origin: [0, 1.5 * i, 8], frame: FRAMES.x }),
    curvature: (s, t) => [
      0.8 * Math.sin(1.1 * s + t + i),
      0.9 + 0.5 * Math.sin(2 * t + i),
      1.5 * Math.sin(t),
    ],
  };
}

// Hair: strands between four guide rods that hang and sway.
function tress({ count = 1000, points = 26, frames = 300 } = {}) {
  const times = timesOf(frames, 6);
  const guide = (i) => ({
    name: `guide ${i + 1}`,
    segments: points - 1,
    length: 0.3,
    section: 'circle',
    half: () => [0.0004, 0.0004],
    bending: 1e-4,
    weight: 1e-3,
    ends: ['driven', 'free'],
    start: (t) => ({
      origin: [0.03 * Math.cos(i * 1.57) + 0.04 * Math.sin(2 * t), 0.03 * Math.sin(i * 1.57), 0.3],
      frame: turn(FRAMES.down, [0, 0.3 * Math.cos(i * 1.57), 0]),
    }),
    curvature: (s, t) => [2 * Math.sin(1.7 * t + i), 4 * Math.cos(2 * t - 8 * s), 2],
  });
  const made = runOf('tress', 'A tress of hair', [0, 1, 2, 3].map(guide), times, { how: { packed: true } });
  const values = new Float32Array(frames * count * points * 3);
  let at = 0;
  for (let f = 0; f < frames; f++) {
    const t = times[f];
    for (let c = 0; c < count; c++) {
      const r = 0.04 * Math.sqrt((c + 0.5) / count);
      const a = 2.39996 * c;
      const curl = 0.004 * Math.sin(c * 12.9898);
      for (let p = 0; p < points; p++) {
        const s = p / (points - 1);
        const sway =
          0.04 * Math.sin(2 * t) * (1 - s) + 0.16 * s * s * Math.sin(2 * t - 1.2 * s + 0.1 * Math.sin(c));
        values[at++] = r * Math.cos(a) * (1 + 0.5 * s * (1 - s)) + sway + curl * Math.sin(12 * s + c);
        values[at++] =
          r * Math.sin(a) * (1 + 0.5 * s * (1 - s)) +
          0.05 * s * s * Math.sin(1.7 * t) +
          curl * Math.cos(12 * s + c);
        values[at++] = 0.3 - 0.3 * s * (1 - 0.1 * Math.sin(2 * t) ** 2) + 0.5 * r * Math.cos(c);
      }
    }
  }
  const { header, stream } = made;
  header.bounds = boundsOf([values], 0.001);
  header.strands = [
    {
      name: 'tress',
      count,
      points,
      radius: 4e-5,
      position: stream.integers(values, 'u16', {
        components: 3,
        delta: 3 * count * points,
        split: true,
        range: [0, 1, 2].map((i) => [header.bounds[0][i], header.bounds[1][i]]),
      }),
    },
  ];
  header.notes = ['Positions of strands are rounded to 1/65535 of the size of the picture.'];
  return made;
}

// A batch of upright rods in a row that sway to and fro, every second of them recorded; no rods besides.
function batch({ count = 12, points = 5, frames = 4 } = {}) {
  const times = timesOf(frames, 1);
  const stream = new Stream();
  const header = headerOf('batch', 'A batch', {});
  const rods = Array.from({ length: count }, (_, i) => 2 * i);
  const place = (rod, s, t) => [0.1 * rod + 0.2 * s * s * Math.sin(6 * t + rod), 0, s];
  const all = (list, share) => flatten(times.map((t) => flatten(list.map((rod) => flatten(share.map((s) => place(rod, s, t)))))));
  const share = Array.from({ length: points }, (_, p) => p / (points - 1));
  const position = all(rods, share);
  const speed = flatten(times.map((t) => flatten(rods.map((rod) => share.map((s) => (
    Math.abs(1.2 * s * s * Math.cos(6 * t + rod))))))));
  const every = Array.from({ length: 2 * count }, (_, i) => i);
  header.time = stream.floats(times);
  header.bounds = boundsOf([position], 0.01);
  header.strands = [{
    name: 'row', count, points, radius: 0.01,
    position: stream.floats(position, 'f32', 3),
    batch: {
      count: 2 * count,
      rods: stream.floats(rods),
      numbers: { young: stream.floats(rods.map((rod) => 1e6 + rod)) },
      speed: stream.integers(speed, 'u16', { delta: count * points, split: true }),
      tips: { count: 2 * count, rods: stream.floats(every), position: stream.floats(all(every, [1]), 'f32', 3) },
    },
  }];
  return { header, stream };
}

// Bending modes of a cantilever.
function modes() {
  const rod = {
    ...cable,
    name: 'beam',
    segments: 40,
    length: 1,
    half: () => [0.02, 0.02],
    ends: ['clamped', 'free'],
    start: () => ({ origin: [0, 0, 0], frame: FRAMES.x }),
    curvature: () => [0, 0, 0],
  };
  const made = runOf('cantilever', 'Modes of a cantilever', [rod], [0], {
    extra: { analysis: 'modes', gravity: [0, 0, 0] },
  });
  const { header, stream } = made;
  header.charts = [];
  header.modes = [1.8751, 4.6941, 7.8548, 10.9955].map((b, i) => {
    const displacement = [];
    const d1 = [];
    const ratio = (Math.sinh(b) - Math.sin(b)) / (Math.cosh(b) + Math.cos(b));
    for (let p = 0; p <= 40; p++) {
      const y = (b * p) / 40;
      displacement.push(0, 0, 0.1 * (Math.cosh(y) - Math.cos(y) - ratio * (Math.sinh(y) - Math.sin(y))));
      d1.push(-0.1 * b * (Math.sinh(y) + Math.sin(y) - ratio * (Math.cosh(y) - Math.cos(y))), 0, 0);
    }
    return {
      rod: 0,
      number: i + 1,
      label: `omega = ${(b * b).toPrecision(4)}`,
      displacement: stream.floats(displacement, 'f32', 3),
      d1: stream.floats(d1, 'f32', 3),
    };
  });
  return made;
}

// A cable that carries a ball, and a plate that turns by a quarter from frame to frame, with joints and springs.
function network({ frames = 41 } = {}) {
  const times = timesOf(frames, 4);
  const made = runOf('network', 'Bodies, joints and springs', [cable], times);
  const { header, stream } = made;
  const float = (values, components) => stream.floats(flatten(values), 'f32', components);
  const ends = times.map((t) => shapeOf(cable, t).position.slice(-3));
  const turns = times.map((_, f) => [Math.cos((f * Math.PI) / 4), 0, 0, Math.sin((f * Math.PI) / 4)]);
  const body = (name, shape, half, position, frame) => ({
    name, shape, half, turn: [1, 0, 0, 0], position: float(position, 3), frame: float(frame, 4),
  });
  header.bodies = [
    body('ball', 'sphere', [0.2, 0.2, 0.2], ends, times.map(() => [1, 0, 0, 0])),
    body('plate', 'box', [0.3, 0.5, 0.1], times.map(() => [2, 0, 1]), turns),
  ];
  const tip = { rod: 0, s: cable.length };
  header.joints = [
    { name: 'hook', kind: 'ball', of: [tip, { body: 0, point: [0, 0, 0] }], radius: 0.08, force: float(ends, 3) },
    { name: 'pin', kind: 'hinge', of: [{ body: 1, point: [0, 0, 0] }, { point: [2, 0, 1] }], radius: 0.1, axis: [0, 0, 1] },
  ];
  header.springs = [
    { name: 'tie', kind: 'spring', of: [tip, { body: 1, point: [0.3, 0, 0] }], length: 2 },
    { name: 'line', kind: 'cable', of: [{ body: 1, point: [-0.3, 0, 0] }, { point: [2, 1, 3] }], length: 3 },
  ];
  header.bounds = [[-3, -3, -2], [4, 3, 4]];
  return made;
}

// A cable over obstacles of every shape; the drum turns by a quarter from frame to frame.
function obstacles({ frames = 41 } = {}) {
  const times = timesOf(frames, 4);
  const made = runOf('obstacles', 'A cable and obstacles', [cable], times);
  const { header, stream } = made;
  const float = (values, components) => stream.floats(flatten(values), 'f32', components);
  const turns = times.map((_, f) => [Math.cos((f * Math.PI) / 4), 0, 0, Math.sin((f * Math.PI) / 4)]);
  const obstacle = (name, shape, sizes, place) => ({
    name, shape, ...sizes,
    position: float(times.map(() => place), 3),
    frame: float(turns, 4),
    force: float(times.map((t) => [0, 0, name === 'drum' ? t : 0]), 3),
  });
  header.obstacles = [
    obstacle('floor', 'plane', {}, [9, 9, -1.5]),
    obstacle('drum', 'cylinder', { radius: 0.5, length: 1 }, [0, -1, 0]),
    obstacle('ball', 'sphere', { radius: 0.4 }, [1.5, 0, 0]),
    obstacle('finger', 'capsule', { radius: 0.2, length: 0.6 }, [-1.5, 0, 0]),
    obstacle('block', 'box', { size: [0.4, 0.6, 0.8] }, [2, 1, 0]),
    obstacle('ring', 'torus', { radius: 0.6, thickness: 0.1 }, [0, 1.5, 0]),
    obstacle('hole', 'tube', { radius: 0.5 }, [-2, -1, 0]),
    obstacle('head', 'distance', {
      vertices: stream.floats([0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0], 'f32', 3),
      triangles: stream.floats([0, 1, 2, 3, 1, 0, 3, 2, 1, 3, 0, 2], 'f32', 3),
    }, [2, -1, 0]),
  ];
  header.bounds = [[-3, -3, -2], [4, 3, 4]];
  return made;
}

const KINDS = {
  spaghetti: ({ frames = 60 } = {}) =>
    runOf('flying-spaghetti', 'Flying spaghetti', [spaghetti], timesOf(frames, 15)),
  rods: ({ frames = 121 } = {}) =>
    runOf('medley', 'Cable, ribbon and arm', [arm, cable, ribbon], timesOf(frames, 12)),
  packed: ({ frames = 121 } = {}) =>
    runOf('medley', 'Cable, ribbon and arm', [arm, cable, ribbon], timesOf(frames, 12), {
      how: { packed: true },
      extra: { notes: ['Positions are rounded to 1/65535 of the size of the picture.'] },
    }),
  wire: () => runOf('wire', 'A wire of 0.4 mm', [wire], timesOf(60, 6)),
  large: ({ rods = 4, frames = 200 } = {}) =>
    runOf(
      'large',
      'Four long rods',
      Array.from({ length: rods }, (_, i) => largeRod(i)),
      timesOf(frames, 10),
      { how: { packed: true } },
    ),
  strands: tress,
  batch,
  modes,
  network,
  obstacles,
};

// A run of the kind: { header, data }, the header as an object, data the inflated stream.
export function makeSample(kind, options) {
  if (!KINDS[kind]) throw new Error(`no sample ${kind}; there are ${Object.keys(KINDS).join(', ')}`);
  return finish(KINDS[kind](options));
}

// The two texts that the page holds.
export function encodeSample({ header, data }) {
  return {
    headerText: JSON.stringify(header).replaceAll('</', '<\\/'),
    base64Text: deflateSync(data).toString('base64'),
  };
}

// The page made from the template, as `withy view` does it.
export function makePage(template, sample) {
  const { headerText, base64Text } = encodeSample(sample);
  return template.replace(
    '<!--withy-scene-->',
    () => `<script id="withy-scene" type="application/json">${headerText}</script>
<script id="withy-data" type="application/octet-stream">${base64Text}</script>`,
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [kind, template] = process.argv.slice(2);
  process.stdout.write(makePage(readFileSync(template, 'utf8'), makeSample(kind)));
}
