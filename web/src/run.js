// SPDX-License-Identifier: MIT
// Reads the run that a page holds: a header in JSON and one packed stream of numbers (docs/dev/scene.md).

const KINDS = { f64: Float64Array, f32: Float32Array, u16: Uint16Array, i16: Int16Array, u8: Uint8Array };

// A long array as it was sent: integers with scale and shift for each component, or plain floating point
// numbers.
export class Packed {
  constructor(numbers, components, scale, shift) {
    this.numbers = numbers;
    this.count = numbers.length;
    this.components = components;
    this.scale = scale;
    this.shift = shift;
  }

  // The i-th number.
  at(i) {
    const c = i % this.components;
    return this.shift[c] + this.scale[c] * this.numbers[i];
  }

  // The i-th vector, written to out.
  vector(i, out = new Array(this.components)) {
    for (let c = 0; c < this.components; c++) {
      out[c] = this.shift[c] + this.scale[c] * this.numbers[i * this.components + c];
    }
    return out;
  }

  toFloat64() {
    return Float64Array.from(
      this.numbers,
      (n, i) => this.shift[i % this.components] + this.scale[i % this.components] * n,
    );
  }

  // Smallest and largest number; of 16 bit integers the ends of what they can hold, as they are scaled to
  // fill it.
  range() {
    if (this.numbers instanceof Uint16Array && this.components === 1) {
      return [this.shift[0], this.shift[0] + 65535 * this.scale[0]];
    }
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < this.count; i++) {
      const value = this.at(i);
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low, high];
  }
}

// The run of a page. Throws an Error that says in plain words what is wrong with the page.
export async function loadRun(headerText, base64Text) {
  const header = parseHeader(headerText);
  const data = await inflate(decodeBase64(base64Text), header.bytes);
  return decodeRun(header, data);
}

function parseHeader(text) {
  let header;
  try {
    header = JSON.parse(text);
  } catch (error) {
    throw new Error(`The description of the run in this page cannot be read (${error.message}).`);
  }
  if (header === null || typeof header !== 'object' || !Array.isArray(header.rods)) {
    throw new Error('This page holds no description of a run.');
  }
  if (header.format !== 1) {
    throw new Error(`This page was made for format ${header.format} of the data; it understands format 1.`);
  }
  if (!Number.isSafeInteger(header.bytes) || header.bytes < 0) {
    throw new Error(`This page gives the size of its data as ${header.bytes}.`);
  }
  return header;
}

// --- bytes ---

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const WRONG = 255;

function digitTable() {
  const table = new Uint8Array(65536).fill(WRONG); // of all that charCodeAt can give
  for (let i = 0; i < 64; i++) table[DIGITS.charCodeAt(i)] = i;
  return table;
}

// Base64 to bytes. Browsers limit the length of data: addresses, and atob needs the double of the memory.
export function decodeBase64(source) {
  const text = source.trim();
  const length = text.length;
  const fill = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  if (length % 4 !== 0)
    throw damaged(`the data has ${length} characters, which is no multiple of 4: it was cut off`);
  const table = digitTable();
  const bytes = new Uint8Array((length / 4) * 3 - fill);
  const whole = fill > 0 ? length - 4 : length;
  let at = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = table[text.charCodeAt(i)];
    const b = table[text.charCodeAt(i + 1)];
    const c = table[text.charCodeAt(i + 2)];
    const d = table[text.charCodeAt(i + 3)];
    if (!((a | b | c | d) < 64)) throw damaged(`characters ${i + 1} to ${i + 4} of the data are no base64`);
    bytes[at++] = (a << 2) | (b >> 4);
    bytes[at++] = (b << 4) | (c >> 2);
    bytes[at++] = (c << 6) | d;
  }
  if (fill > 0) {
    const a = table[text.charCodeAt(whole)];
    const b = table[text.charCodeAt(whole + 1)];
    const c = fill === 1 ? table[text.charCodeAt(whole + 2)] : 0;
    if (!((a | b | c) < 64)) throw damaged('the last characters of the data are no base64');
    bytes[at++] = (a << 2) | (b >> 4);
    if (fill === 1) bytes[at++] = (b << 4) | (c >> 2);
  }
  return bytes;
}

function damaged(what) {
  return new Error(`The page is damaged: ${what}. Write it again with withy view.`);
}

// Undoes zlib's compression into one buffer of the length that the header promises.
async function inflate(packed, bytes) {
  if (bytes === 0 && packed.length === 0) return new Uint8Array(0);
  if (typeof DecompressionStream === 'undefined') {
    throw new Error(
      'This browser cannot unpack the data (it has no DecompressionStream); use a version of 2023 or later.',
    );
  }
  const out = allocate(bytes);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await nextChunk(reader);
    if (done) break;
    if (at + value.length > bytes) throw damaged(`there is more data than the ${bytes} bytes expected`);
    out.set(value, at);
    at += value.length;
  }
  if (at !== bytes) throw damaged(`${at} of ${bytes} bytes of data are there`);
  return out;
}

function allocate(bytes) {
  try {
    return new Uint8Array(bytes);
  } catch {
    throw new Error(`This browser has no memory for the ${bytes} bytes of the run.`);
  }
}

async function nextChunk(reader) {
  try {
    return await reader.read();
  } catch (error) {
    throw damaged(`its data cannot be unpacked (${error.message || error.code || error})`);
  }
}

// --- arrays ---

// One array of the header; `what` names it in messages, `expected` is the count that it must have.
export function decodeArray(array, data, what, expected = null) {
  const numbers = rawNumbers(array, data, what);
  if (expected !== null && numbers.length !== expected) {
    throw damaged(`${what} has ${numbers.length} numbers instead of ${expected}`);
  }
  if (array.delta > 0) {
    const n = array.delta;
    for (let i = n; i < numbers.length; i++) numbers[i] += numbers[i - n];
  }
  const components = array.components || 1;
  return new Packed(
    numbers,
    components,
    perComponent(array.scale, components, 1, what),
    perComponent(array.shift, components, 0, what),
  );
}

function rawNumbers(array, data, what) {
  const Kind = array && KINDS[array.type];
  if (!Kind) throw damaged(`${what} has the unknown type ${array && array.type}`);
  const { offset, count } = array;
  const bytes = count * Kind.BYTES_PER_ELEMENT;
  if (
    !Number.isSafeInteger(offset) ||
    !Number.isSafeInteger(count) ||
    offset < 0 ||
    count < 0 ||
    offset + bytes > data.length
  ) {
    throw damaged(`${what} (${count} numbers at ${offset}) lies outside of the ${data.length} bytes of data`);
  }
  if (array.delta > 0 && (Kind === Float64Array || Kind === Float32Array)) {
    throw damaged(`${what} holds differences of type ${array.type}`);
  }
  // A copy, so that the whole stream can be forgotten once all arrays are taken from it.
  const own = array.split ? joinHalves(data, offset, bytes) : data.slice(offset, offset + bytes);
  return new Kind(own.buffer, 0, count);
}

function joinHalves(data, offset, bytes) {
  const out = new Uint8Array(bytes);
  const half = bytes / 2;
  for (let i = 0, low = offset, high = offset + half; i < bytes; i += 2, low++, high++) {
    out[i] = data[low];
    out[i + 1] = data[high];
  }
  return out;
}

function perComponent(value, components, fallback, what) {
  if (value === undefined || value === null) return new Float64Array(components).fill(fallback);
  if (typeof value === 'number') return new Float64Array(components).fill(value);
  if (!Array.isArray(value) || value.length !== components) {
    throw damaged(`${what} has a scale or shift that does not fit its ${components} components`);
  }
  return Float64Array.from(value);
}

// --- the run ---

function decodeRun(header, data) {
  const packed = (array, what, expected) => decodeArray(array, data, what, expected);
  const plain = (array, what, expected) => packed(array, what, expected).toFloat64();
  const time = plain(header.time, 'time');
  const frames = time.length;
  if (frames === 0) throw new Error('The run has no frames to show.');
  const rods = header.rods.map((rod, r) => decodeRod(rod, rod.name || `rod ${r}`, frames, packed, plain));
  const network = decodeNetwork(header, rods, frames, packed);
  return {
    ...header,
    frames,
    time,
    rods,
    strands: (header.strands || []).map((group) => decodeStrands(group, frames, packed, plain)),
    ...network,
    obstacles: (header.obstacles || []).map((obstacle) => ({
      ...obstacle,
      position: packed(obstacle.position, `obstacle ${obstacle.name}: position`, 3 * frames),
      frame: packed(obstacle.frame, `obstacle ${obstacle.name}: frame`, 4 * frames),
      force: packed(obstacle.force, `obstacle ${obstacle.name}: force`, 3 * frames),
      ...(obstacle.vertices && {
        vertices: plain(obstacle.vertices, `obstacle ${obstacle.name}: vertices`),
        triangles: plain(obstacle.triangles, `obstacle ${obstacle.name}: triangles`),
      }),
    })),
    modes: joinShapes((header.modes || []).map((mode, m) => (
      decodeMode(mode, `mode ${m + 1}`, rods, network.bodies, plain)))),
    charts: (header.charts || []).map((chart) => ({
      ...chart,
      time: plain(chart.time, `chart ${chart.title}: time`),
      values: chart.values.map((column, c) => plain(column, `chart ${chart.title}: ${chart.columns[c]}`)),
    })),
  };
}

function decodeRod(rod, name, frames, packed, plain) {
  const s = plain(rod.s, `${name}: s`);
  const points = s.length;
  if (points < 2) throw damaged(`${name} has ${points} points`);
  const along = (array, key, components) => packed(array, `${name}: ${key}`, frames * points * components);
  const quantities = {};
  for (const [key, array] of Object.entries(rod.quantities || {})) quantities[key] = along(array, key, 1);
  return {
    ...rod,
    points,
    ends: rod.ends || ['free', 'free'],
    s,
    half: plain(rod.half, `${name}: half`, 2 * points),
    position: along(rod.position, 'position', 3),
    d1: along(rod.d1, 'd1', 3),
    d2: rod.d2 ? along(rod.d2, 'd2', 3) : null,
    rest: rod.rest ? plain(rod.rest, `${name}: rest`, 3 * points) : null,
    quantities,
    actuators: (rod.actuators || []).map((actuator, a) => ({
      ...actuator,
      offset: plain(actuator.offset, `${name}: offset of actuator ${a}`, 2 * points),
      force: plain(actuator.force, `${name}: force of actuator ${a}`, frames),
    })),
  };
}

// Strands that follow guides, or rods of a batch: with their numbers, what differs between them, and the tips of all.
function decodeStrands(group, frames, packed, plain) {
  const what = `strands ${group.name}`;
  const { count, points, batch } = group;
  const out = { ...group, position: packed(group.position, `${what}: position`, frames * count * points * 3) };
  if (!batch) return out;
  const numbers = Object.entries(batch.numbers).map(([key, array]) => [key, plain(array, `${what}: ${key}`, count)]);
  const { tips } = batch;
  out.batch = {
    ...batch,
    rods: plain(batch.rods, `${what}: rods`, count),
    numbers: Object.fromEntries(numbers),
    speed: batch.speed && packed(batch.speed, `${what}: speed`, frames * count * points),
    tips: tips && {
      ...tips,
      rods: plain(tips.rods, `${what}: rods of tips`, tips.count),
      position: packed(tips.position, `${what}: tips`, frames * tips.count * 3),
    },
  };
  return out;
}

// Bodies, joints and springs; each place that a joint or spring holds must be there.
function decodeNetwork(header, rods, frames, packed) {
  const bodies = (header.bodies || []).map((body) => ({
    ...body,
    position: packed(body.position, `body ${body.name}: position`, 3 * frames),
    frame: packed(body.frame, `body ${body.name}: frame`, 4 * frames),
  }));
  const check = (entry, what) => entry.of.forEach(({ rod, body }) => {
    if (rod !== undefined && !rods[rod]) throw damaged(`${what} ${entry.name} holds rod ${rod}, which is not there`);
    if (body !== undefined && !bodies[body]) throw damaged(`${what} ${entry.name} holds body ${body}, which is not there`);
  });
  const joints = (header.joints || []).map((joint) => {
    check(joint, 'joint');
    return { ...joint, force: joint.force ? packed(joint.force, `joint ${joint.name}: force`, 3 * frames) : null };
  });
  const springs = header.springs || [];
  springs.forEach((spring) => check(spring, 'spring'));
  return { bodies, joints, springs };
}

// The shapes of one mode in all rods and bodies that swing together.
function joinShapes(shapes) {
  const modes = new Map();
  for (const { number, label, ...shape } of shapes) {
    const before = modes.get(number);
    if (before) before.shapes.push(shape);
    else modes.set(number, { number, label, shapes: [shape] });
  }
  return [...modes.values()];
}

function decodeMode(mode, name, rods, bodies, plain) {
  const points = mode.body === undefined ? rods[mode.rod]?.points : bodies[mode.body] && 1;
  if (!points) {
    const of = mode.body === undefined ? `rod ${mode.rod}` : `body ${mode.body}`;
    throw damaged(`${name} belongs to ${of}, which is not there`);
  }
  const vectors = (array, key) => (array ? plain(array, `${name}: ${key}`, 3 * points) : null);
  return {
    ...mode,
    displacement: vectors(mode.displacement, 'displacement'),
    d1: vectors(mode.d1, 'd1'),
    rotation: vectors(mode.rotation, 'rotation'),
    frame: mode.frame ? plain(mode.frame, `${name}: frame`, 4) : null,
    position: vectors(mode.position, 'position'),
    director: vectors(mode.director, 'director'),
  };
}
