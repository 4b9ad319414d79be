// SPDX-License-Identifier: MIT
// Reading of a page's data: all kinds of arrays come back as they were written, damaged pages are refused in
// plain words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { decodeArray, decodeBase64, loadRun } from '../src/run.js';
import { Stream, encodeSample, makePage, makeSample } from './sample.mjs';

function near(got, want, tolerance, what) {
  assert.equal(got.length, want.length, `${what}: ${got.length} numbers instead of ${want.length}`);
  want.forEach((value, i) => {
    assert.ok(
      Math.abs(got[i] - value) <= tolerance,
      `${what}[${i}]: got ${got[i]}, want ${value}, tolerance ${tolerance}`,
    );
  });
}

// Numbers with jumps, so that differences overflow 16 bits.
const VALUES = Array.from({ length: 60 }, (_, i) => (i % 7 === 0 ? -3 : 5) * Math.sin(1.7 * i));

test('floating point arrays come back exactly', () => {
  const stream = new Stream();
  const arrays = [stream.floats(VALUES), stream.floats(VALUES, 'f32')];
  const data = stream.toBytes();
  near(decodeArray(arrays[0], data, 'f64').toFloat64(), VALUES, 0, 'f64');
  near(decodeArray(arrays[1], data, 'f32').toFloat64(), VALUES.map(Math.fround), 0, 'f32');
});

test('integers of all types come back within half of a step, with delta, split and components', () => {
  const span = Math.max(...VALUES) - Math.min(...VALUES);
  for (const [type, steps] of [
    ['u8', 255],
    ['u16', 65535],
    ['i16', 65534],
  ]) {
    for (const how of [
      {},
      { delta: 6 },
      { split: true },
      { delta: 12, split: true },
      { components: 3, delta: 6, split: true },
    ]) {
      if (type === 'u8' && how.split) continue;
      const stream = new Stream();
      stream.floats([1, 2, 3]); // so that it does not begin at 0
      const array = stream.integers(VALUES, type, how);
      // Symmetric types cover twice the largest absolute value, at most 2 * span; half of a step is the
      // rounding.
      const step = (type === 'i16' ? 2 : 1) * (span / steps);
      const packed = decodeArray(array, stream.toBytes(), type);
      near(packed.toFloat64(), VALUES, 0.51 * step, `${type} ${JSON.stringify(how)}`);
      assert.equal(packed.at(7), packed.toFloat64()[7]);
      if (how.components) near(packed.vector(4), VALUES.slice(12, 15), 0.51 * step, 'vector');
    }
  }
});

test('the range of 16 bit values is that of what they can hold', () => {
  const stream = new Stream();
  const [low, high] = decodeArray(stream.integers(VALUES, 'u16'), stream.toBytes(), 'x').range();
  near([low, high], [Math.min(...VALUES), Math.max(...VALUES)], 1e-12, 'range');
});

test('base64 of every length', () => {
  for (let n = 0; n < 10; n++) {
    const bytes = Uint8Array.from({ length: n }, (_, i) => 37 * i + 200);
    assert.deepEqual(decodeBase64(`\n${Buffer.from(bytes).toString('base64')}\n`), bytes);
  }
});

test('a run comes back: frames, rods, actuators, charts', async () => {
  const sample = makeSample('rods', { frames: 5 });
  const { headerText, base64Text } = encodeSample(sample);
  const run = await loadRun(headerText, base64Text);
  assert.equal(run.frames, 5);
  assert.equal(run.rods.length, 3);
  const [arm, cable] = run.rods;
  assert.equal(arm.points, 41);
  near(arm.position.vector(0), [1.2, 0.3, 2], 1e-7, 'start of the arm'); // f32
  near(arm.d1.vector(0), [1, 0, 0], 1 / 65534, 'd1');
  assert.ok(arm.d2, 'the sheared arm has d2');
  assert.equal(cable.d2, null);
  assert.equal(arm.actuators[2].force.length, 5);
  assert.equal(arm.actuators[2].force[0], -50);
  assert.deepEqual([...run.charts[0].time], [...run.time]);
  near(
    [0, 1, 2].map((i) => run.charts[0].values[i][4]),
    arm.position.vector(4 * 41 + 40),
    1e-6,
    'tip in the chart',
  );
});

test('a packed run agrees with the plain one', async () => {
  const runs = [];
  for (const kind of ['rods', 'packed']) {
    const { headerText, base64Text } = encodeSample(makeSample(kind, { frames: 7 }));
    runs.push(await loadRun(headerText, base64Text));
  }
  runs[0].rods.forEach((rod, r) => {
    // The motion spans at most 6 units, of which 16 bits leave 65535 steps.
    near(runs[1].rods[r].position.toFloat64(), rod.position.toFloat64(), 6 / 65535, `${rod.name}: position`);
    const largest = rod.quantities.curvature.range()[1];
    near(
      runs[1].rods[r].quantities.curvature.toFloat64(),
      rod.quantities.curvature.toFloat64(),
      largest / 65535,
      'curvature',
    );
  });
});

test('strands and modes', async () => {
  const hair = encodeSample(makeSample('strands', { count: 12, points: 6, frames: 4 }));
  const run = await loadRun(hair.headerText, hair.base64Text);
  assert.equal(run.strands[0].position.count, 4 * 12 * 6 * 3);
  const beam = encodeSample(makeSample('modes'));
  const modes = await loadRun(beam.headerText, beam.base64Text);
  assert.equal(modes.modes.length, 4);
  // The first mode of a cantilever of length 1 at its tip, scaled to 0.1 * 2.
  near(modes.modes[0].shapes[0].displacement.slice(-3), [0, 0, 0.2], 1e-4, 'tip of mode 1');
});

test('rods of a batch have numbers, speed and tips', async () => {
  const { headerText, base64Text } = encodeSample(makeSample('batch', { count: 12, points: 5, frames: 4 }));
  const { strands: [row] } = await loadRun(headerText, base64Text);
  assert.equal(row.batch.count, 24);
  near(row.batch.rods, Array.from({ length: 12 }, (_, i) => 2 * i), 0, 'rods');
  near(row.batch.numbers.young, Array.from({ length: 12 }, (_, i) => 1e6 + 2 * i), 0, 'young');
  near([row.batch.speed.at(4)], [1.2], 1.2 / 65535, 'speed of the first tip at the start');
  near(row.batch.tips.position.vector(23), [2.3 + 0.2 * Math.sin(23), 0, 1], 1e-6, 'the last tip at the start');
  const cut = makeSample('batch');
  cut.header.strands[0].batch.tips.count = 5;
  const damaged = encodeSample(cut);
  await assert.rejects(loadRun(damaged.headerText, damaged.base64Text), /strands row: rods of tips has 24 numbers/);
});

test('obstacles have a motion, a force and their sizes', async () => {
  const { headerText, base64Text } = encodeSample(makeSample('obstacles', { frames: 5 }));
  const run = await loadRun(headerText, base64Text);
  assert.equal(run.obstacles.length, 8);
  const [floor, drum] = run.obstacles;
  assert.deepEqual([run.obstacles[7].vertices.length, run.obstacles[7].triangles.length], [12, 12]);
  assert.equal(drum.vertices, undefined);
  assert.equal(floor.radius, undefined);
  assert.deepEqual([drum.radius, drum.length], [0.5, 1]);
  near(drum.force.vector(4), [0, 0, 4], 1e-6, 'force');
  const plain = encodeSample(makeSample('network'));
  assert.deepEqual((await loadRun(plain.headerText, plain.base64Text)).obstacles, []);
  const cut = makeSample('obstacles', { frames: 5 });
  cut.header.obstacles[1].force = cut.header.obstacles[1].frame;
  const damaged = encodeSample(cut);
  await assert.rejects(loadRun(damaged.headerText, damaged.base64Text), /obstacle drum: force has 20 numbers/);
});

test('bodies, joints and springs; a mode has the shapes of all rods that swing together', async () => {
  const { headerText, base64Text } = encodeSample(makeSample('network', { frames: 5 }));
  const run = await loadRun(headerText, base64Text);
  assert.deepEqual(run.bodies.map((body) => body.shape), ['sphere', 'box']);
  near(run.bodies[0].frame.vector(0), [1, 0, 0, 0], 0, 'axes');
  assert.equal(run.joints[0].force.count, 15);
  assert.equal(run.joints[1].force, null);
  assert.equal(run.springs[1].kind, 'cable');
  const sample = makeSample('modes');
  sample.header.rods.push({ ...sample.header.rods[0], name: 'other' });
  const twice = sample.header.modes.flatMap((mode) => [mode, { ...mode, rod: 1 }]);
  sample.header.modes = twice;
  const joined = encodeSample(sample);
  const { modes } = await loadRun(joined.headerText, joined.base64Text);
  assert.deepEqual(modes.map((mode) => mode.shapes.map((shape) => shape.rod)), [[0, 1], [0, 1], [0, 1], [0, 1]]);
});

test('the page holds what was put in, also where texts look like tags', async () => {
  const sample = makeSample('spaghetti', { frames: 3 });
  sample.header.title = 'a </script> in the title, and $& too';
  const page = makePage('<body><!--withy-scene--></body>', sample);
  const [, header, data] = page.match(
    /<script id="withy-scene"[^>]*>(.*?)<\/script>\s*<script id="withy-data"[^>]*>(.*?)<\/script>/s,
  );
  assert.equal((await loadRun(header, data)).title, sample.header.title);
});

// --- damage ---

const good = makeSample('spaghetti', { frames: 3 });

function refused(change, message) {
  const sample = { header: structuredClone(good.header), data: good.data };
  const texts = encodeSample(sample);
  const changed = change(sample.header, texts) || encodeSample(sample);
  return assert.rejects(loadRun(changed.headerText, changed.base64Text), message);
}

test('damaged pages are refused with the reason', async () => {
  await refused(
    (h, t) => ({ ...t, headerText: t.headerText.slice(0, -5) }),
    /description of the run .* cannot be read/,
  );
  await refused((h, t) => ({ ...t, headerText: '[]' }), /no description/);
  await refused((h) => {
    h.format = 9;
  }, /format 9/);
  await refused((h) => {
    h.bytes = -1;
  }, /size of its data/);
  await refused((h, t) => ({ ...t, base64Text: t.base64Text.slice(0, -3) }), /cut off/);
  await refused((h, t) => ({ ...t, base64Text: t.base64Text.slice(0, 400) }), /damaged/);
  await refused(
    (h, t) => ({ ...t, base64Text: `${t.base64Text.slice(0, 100)}!!!!${t.base64Text.slice(104)}` }),
    /no base64/,
  );
  await refused(
    (h, t) => ({ ...t, base64Text: `${t.base64Text.slice(0, 100)}\u2014AAA${t.base64Text.slice(104)}` }),
    /no base64/,
  );
  await refused((h, t) => ({ ...t, base64Text: `AAAA${t.base64Text.slice(4)}` }), /cannot be unpacked/);
  await refused((h, t) => ({ ...t, base64Text: '' }), /damaged/);
  await refused((h) => {
    h.bytes += 8;
  }, /bytes of data are there/);
  await refused((h) => {
    h.bytes -= 8;
  }, /more data than/);
  await refused((h) => {
    h.time.type = 'q8';
  }, /time has the unknown type q8/);
  await refused((h) => {
    h.rods[0].position.count -= 3;
  }, /rod: position has .* instead of/);
  await refused((h) => {
    h.rods[0].d1.offset = 1e9;
  }, /rod: d1 .* outside/);
  await refused((h) => {
    h.rods[0].d1.scale = [1];
  }, /scale or shift/);
  await refused((h) => {
    h.rods[0].position.delta = 3;
  }, /differences of type f32/);
  await refused((h) => {
    h.modes = [{ rod: 4 }];
  }, /mode 1 belongs to rod 4/);
  await refused((h) => {
    h.joints = [{ name: 'knee', kind: 'ball', of: [{ rod: 0, s: 0 }, { rod: 7, s: 0 }] }];
  }, /joint knee holds rod 7/);
  await refused((h) => {
    h.springs = [{ name: 'tie', kind: 'spring', of: [{ body: 0, point: [0, 0, 0] }], length: 1 }];
  }, /spring tie holds body 0/);
});

test('a wrong check sum is noticed', async () => {
  const bytes = deflateSync(good.data);
  bytes[bytes.length - 1] ^= 1;
  await refused((h, t) => ({ ...t, base64Text: Buffer.from(bytes).toString('base64') }), /damaged/);
});
