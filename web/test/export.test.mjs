// SPDX-License-Identifier: MIT
// The GLB files of `withy export`: nothing for the Khronos validator to find, and three.js puts joints, skin and strands
// where the tables of the same run have them.
//   WITHY=build/withy OUT=folder node --test web/test/export.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import validator from 'gltf-validator';
import { AnimationMixer, Mesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { command, folder, readTable } from '../tools/runs.mjs';

globalThis.self ??= globalThis; // what the loader expects of a browser

const PAIR = `withy: 1
time: {end: 0.6, output: 0.1, frames: 0.02}
gravity: [0, 0, -9.81]
rods:
  - name: round one
    length: 1
    segments: 10
    section: {shape: annulus, outer: "0.02 - 0.01*s", inner: 0.005}
    material: {density: 1100, young: 5.0e6, poisson: 0.5}
    shape: {direction: [1, 1, 0], origin: [3, -2, 1]}
    ends: {start: clamped}
  - name: ribbon
    length: 0.5
    segments: 300
    section: {shape: rectangle, width: 0.04, height: 0.01}
    material: {density: 1100, young: 5.0e6, poisson: 0.5}
    ends: {start: pinned}
`;

// Runs a scenario and exports it; the tables of its rods and strands come with the file.
function makeRun(out, name, { scenario = name, set = [], rods, strands = [] }) {
  const directory = join(out, `export-${name}.out`);
  let source = scenario;
  if (scenario.includes('\n')) {
    source = join(out, `export-${name}.yaml`);
    writeFileSync(source, scenario);
  }
  const settings = set.flatMap((text) => ['--set', text]);
  execFileSync(command(), ['run', source, '-o', directory, '--quiet', ...settings]);
  for (const format of ['glb', 'csv']) {
    execFileSync(command(), ['export', directory, '--to', format]);
  }
  const several = rods.length + strands.length > 1;
  const table = (part) => readTable(join(directory, several ? `result.${part}.csv` : 'result.csv'));
  return {
    file: join(directory, 'result.glb'),
    rods: rods.map((rod) => ({ name: rod, table: table(rod) })),
    strands: strands.map((group) => ({ name: group, table: table(`${group}.strands`) })),
  };
}

function loadGlb(file) {
  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return new GLTFLoader().parseAsync(buffer, '');
}

// Row i of a table with z up, as a point of the file.
const place = (table, i) => new Vector3(table.x[i], table.z[i], -table.y[i]);

// What single precision leaves of a chain of matrices.
const largest = (numbers) => numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
const allowed = ({ x, y, z }) => 32 * 2 ** -24 * Math.hypot(largest(x), largest(y), largest(z));

// Names of three.js have no spaces and dots.
const named = (gltf, name) => gltf.scene.getObjectByName(name.replace(/\s/g, '_'));

function check(distance, limit, what) {
  assert.ok(distance <= limit, `${what}: off by ${distance}, allowed ${limit}`);
}

function checkRod(gltf, { name, table }, first, count, k) {
  const mesh = named(gltf, name);
  const { bones } = mesh.skeleton;
  assert.equal(bones.length, count);
  const limit = allowed(table);
  const middle = bones.map(() => new Vector3());
  const corners = bones.map(() => 0);
  const vertex = new Vector3();
  const joint = mesh.geometry.getAttribute('skinIndex');
  for (let v = 0; v < joint.count; v++) {
    mesh.getVertexPosition(v, vertex);
    middle[joint.getX(v)].add(vertex);
    corners[joint.getX(v)]++;
  }
  bones.forEach((bone, i) => {
    const want = place(table, first + i);
    const what = `${name}, snapshot ${k}, node ${i}`;
    check(bone.getWorldPosition(new Vector3()).distanceTo(want), limit, `${what}: joint`);
    check(middle[i].divideScalar(corners[i]).distanceTo(want), limit, `${what}: middle of the section`);
  });
}

function checkStrands(gltf, { name, table }, first, count, k) {
  const mesh = named(gltf, name);
  const vertex = new Vector3();
  const limit = allowed(table);
  for (let v = 0; v < count; v++) {
    mesh.localToWorld(Mesh.prototype.getVertexPosition.call(mesh, v, vertex)); // lines have no such method
    check(vertex.distanceTo(place(table, first + v)), limit, `${name}, snapshot ${k}, point ${v}`);
  }
}

// All snapshots, or some of many.
async function checkMotion(run) {
  const gltf = await loadGlb(run.file);
  const { t } = run.rods[0].table;
  const times = [...new Set(t)];
  const mixer = new AnimationMixer(gltf.scene);
  if (times.length > 1) {
    assert.equal(gltf.animations.length, 1);
    mixer.clipAction(gltf.animations[0]).play();
    check(Math.abs(gltf.animations[0].duration - times.at(-1)), 2 ** -24 * times.at(-1), 'duration');
  } else {
    assert.equal(gltf.animations.length, 0);
  }
  const step = run.strands.length > 0 ? 20 : 1;
  for (let k = 0; k < times.length; k += step) {
    mixer.setTime(k < times.length - 1 ? Math.fround(times[k]) : Math.fround(times[k]) * (1 - 2 ** -30));
    gltf.scene.updateMatrixWorld(true);
    for (const [list, compare] of [[run.rods, checkRod], [run.strands, checkStrands]]) {
      for (const item of list) {
        const points = item.table.t.length / times.length;
        compare(gltf, item, k * points, points, k);
      }
    }
  }
}

describe('a GLB file', () => {
  const runs = {};

  before(() => {
    const out = folder();
    runs.spaghetti = makeRun(out, 'flying-spaghetti', {
      set: ['rods.0.segments=5', 'time.end=4', 'time.frames=0.1'], rods: ['spaghetti'],
    });
    runs.pair = makeRun(out, 'pair', { scenario: PAIR, rods: ['round one', 'ribbon'] });
    runs.hair = makeRun(out, 'hair-tress', { rods: ['guide'], strands: ['tress'] });
    runs.still = makeRun(out, 'still', {
      scenario: PAIR, set: ['analysis=statics'], rods: ['round one', 'ribbon'],
    });
  });

  test('has nothing for the validator to find', async () => {
    for (const { file } of Object.values(runs)) {
      const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)));
      assert.deepEqual(issues.messages, [], file);
      assert.equal(issues.truncated, false);
    }
    const damaged = new Uint8Array(readFileSync(runs.pair.file)); // the validator can find something
    damaged[damaged.length - 1] ^= 0x7f;
    assert.notEqual((await validator.validateBytes(damaged)).issues.messages.length, 0);
  });

  test('is small: 11 nodes, 41 snapshots', () => {
    const bytes = statSync(runs.spaghetti.file).size;
    assert.ok(bytes < 34e3, `${bytes} bytes`);
  });

  for (const name of ['spaghetti', 'pair', 'hair', 'still']) {
    test(`is where the run is, in three.js: ${name}`, () => checkMotion(runs[name]));
  }
});
