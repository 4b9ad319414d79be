// SPDX-License-Identifier: MIT
// The parts of the scene that need no browser: what is shown between frames, where the camera must stand,
// picking, colours, the ground's squares.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { loadRun } from '../src/run.js';
import { basisOf } from '../src/scene/camera.js';
import { colourOf, mapBytes, stops } from '../src/scene/colours.js';
import { detailFor, placesAlong } from '../src/scene/detail.js';
import { Extent } from '../src/scene/extent.js';
import { gridPitch } from '../src/scene/ground.js';
import { Obstacles, outline } from '../src/scene/obstacles.js';
import { pickBody, pickPoint, pickStrand } from '../src/scene/pick.js';
import { bodyAt, directionOf, placeOf, sagging, zigzag } from '../src/scene/places.js';
import { Pose } from '../src/scene/pose.js';
import { Strands } from '../src/scene/strands.js';
import { Tips } from '../src/scene/tips.js';
import { encodeSample, makeSample } from './sample.mjs';

async function sampleRun(kind, options) {
  const { headerText, base64Text } = encodeSample(makeSample(kind, options));
  return loadRun(headerText, base64Text);
}

function near(got, want, tolerance, what) {
  want.forEach((value, i) => {
    const off = Math.abs(got[i] - value);
    assert.ok(off <= tolerance, `${what}[${i}]: got ${got[i]}, want ${value}, tolerance ${tolerance}`);
  });
}

function poseAt(run, frame) {
  const pose = new Pose(run);
  pose.frame = frame;
  pose.quantity = 'curvature';
  pose.update();
  return pose;
}

test('points are exact at frames and half way between them, values too', async () => {
  const run = await sampleRun('rods', { frames: 6 });
  const rod = run.rods[1];
  const at = (frame) => rod.position.vector(frame * rod.points + 30);
  assert.deepEqual(poseAt(run, 3).point(1, 30), at(3));
  assert.deepEqual(poseAt(run, 5).point(1, 30), at(5));
  const middle = at(3).map((x, c) => (x + at(4)[c]) / 2);
  near(poseAt(run, 3.5).point(1, 30), middle, 1e-12, 'half way');
  // Values pass through a texture of 32 bit.
  const want = rod.quantities.curvature.at(3 * rod.points + 30);
  near([poseAt(run, 3).value(1, 30)], [want], 1e-6 * want, 'value');
});

test('frames beyond the ends are the ends', async () => {
  const run = await sampleRun('rods', { frames: 4 });
  assert.deepEqual(poseAt(run, -2).point(0, 5), poseAt(run, 0).point(0, 5));
  assert.deepEqual(poseAt(run, 9).point(0, 5), poseAt(run, 3).point(0, 5));
});

test('directors are an orthonormal frame along each rod, also between frames', async () => {
  const run = await sampleRun('rods', { frames: 30 });
  const pose = poseAt(run, 7.4);
  run.rods.forEach((rod, r) => {
    const d = [1, 2, 3].map((n) => pose.director(r, 20, n, new THREE.Vector3()));
    // 32 bit where d2 follows; the given d1 and d2 are turned between frames by up to 0.4, half way
    // they are off a right angle by less than the cube of that.
    const tolerance = rod.d2 ? 0.05 : 1e-6;
    near([d[0].length(), d[1].length(), d[2].length()], [1, 1, 1], tolerance, `${rod.name}: lengths`);
    near([d[0].dot(d[1]), d[1].dot(d[2]), d[2].dot(d[0])], [0, 0, 0], tolerance, `${rod.name}: products`);
    const [a, b] = [19, 21].map((p) => new THREE.Vector3(...pose.point(r, p)));
    assert.ok(b.sub(a).normalize().dot(d[2]) > 0.99, `${rod.name}: d3 is along the rod`);
  });
});

test('a mode is added to the shape', async () => {
  const run = await sampleRun('modes');
  const pose = new Pose(run);
  pose.mode = { shapes: run.modes[1].shapes, factor: -0.5 };
  pose.update();
  const tip = run.rods[0].points - 1;
  near(pose.point(0, tip), [1, 0, -0.5 * run.modes[1].shapes[0].displacement[3 * tip + 2]], 1e-6, 'tip');
});

test('fitting brings every point into the picture, and as near as that allows', async () => {
  const run = await sampleRun('rods', { frames: 40 });
  const extent = new Extent(run);
  const back = new THREE.Vector3(0.5, -0.7, 0.4).normalize();
  const x = new THREE.Vector3(0, 0, 1).cross(back).normalize();
  const y = back.clone().cross(x);
  const [wide, tall] = [0.4, 0.3];
  const fit = extent.fit(extent.inAxes(x, y, back), wide, tall);
  let fullest = 0;
  for (let i = 0; i < extent.points.length; i += 4) {
    const from = new THREE.Vector3(...extent.points.subarray(i, i + 3)).sub(extent.middle);
    const depth = fit.distance - from.dot(back);
    const [u, v] = [from.dot(x) - fit.x, from.dot(y) - fit.y];
    fullest = Math.max(fullest, Math.abs(u) / depth / wide, Math.abs(v) / depth / tall);
  }
  // Not more than full; the radius and the rounds that centre the picture leave a little.
  assert.ok(fullest <= 1 + 1e-9 && fullest > 0.9, `the fullest side is filled to ${fullest}`);
});

test('a rod that flies away wanders, one that is held does not', async () => {
  assert.equal(new Extent(await sampleRun('spaghetti')).wanders, true);
  assert.equal(new Extent(await sampleRun('rods')).wanders, false);
  assert.equal(new Extent(await sampleRun('modes')).wanders, false);
});

test('picking finds the point under the pointer, and nothing far from it', async () => {
  const run = await sampleRun('rods', { frames: 30 });
  const pose = poseAt(run, 5);
  const camera = new THREE.PerspectiveCamera(32, 800 / 600, 0.1, 100);
  camera.up.set(0, 0, 1);
  camera.position.set(4, -7, 5);
  camera.lookAt(0, 0, 1);
  camera.updateMatrixWorld();
  const pixel = (2 * Math.tan((16 * Math.PI) / 180)) / 600;
  const view = { run, pose, camera, width: 800, height: 600, pixel, thickness: 1 };
  for (const [rod, point] of [
    [1, 5],
    [1, 33],
    [2, 70],
  ]) {
    const at = new THREE.Vector3(...pose.point(rod, point)).project(camera);
    const found = pickPoint(view, (at.x + 1) * 400, (1 - at.y) * 300);
    assert.deepEqual([found.rod, found.point, found.s], [rod, point, run.rods[rod].s[point]]);
  }
  assert.equal(pickPoint(view, 1, 1), null);
});

// The bodies of a run at a frame, as the scene has them.
function bodiesAt(run, pose) {
  return run.bodies.map((body) => {
    const here = { position: new THREE.Vector3(), axes: new THREE.Quaternion() };
    bodyAt(body, pose.moment(), here.position, here.axes);
    return here;
  });
}

test('joints and springs are where the parts are that they hold', async () => {
  const run = await sampleRun('network', { frames: 5 });
  const pose = poseAt(run, 1.5);
  const bodies = bodiesAt(run, pose);
  const at = (hold) => placeOf(hold, run, pose, bodies, new THREE.Vector3()).toArray();
  const { points, s } = run.rods[0];
  near(at({ rod: 0, s: s[points - 1] }), pose.point(0, points - 1), 1e-12, 'the end of a rod');
  const [a, b] = [pose.point(0, 7), pose.point(0, 8)];
  near(at({ rod: 0, s: 0.75 * s[7] + 0.25 * s[8] }), a.map((x, c) => 0.75 * x + 0.25 * b[c]), 1e-12, 'between points');
  near(at({ point: [1, 2, 3] }), [1, 2, 3], 0, 'the ground');
  // The box turns about z by a quarter from frame to frame: at frame 1.5 by 135 degrees.
  const r = Math.SQRT1_2;
  near(at({ body: 1, point: [2, 0, 0] }), [2 - 2 * r, 2 * r, 1], 1e-6, 'a point of a body'); // single precision
  const axis = directionOf({ body: 1, point: [0, 0, 0] }, [0, 1, 0], run, pose, bodies, new THREE.Vector3());
  near(axis.toArray(), [-r, -r, 0], 1e-6, 'an axis of a body');
  const along = directionOf({ rod: 0, s: 0 }, [0, 0, 1], run, pose, bodies, new THREE.Vector3());
  near(along.toArray(), pose.director(0, 0, 3, new THREE.Vector3()).toArray(), 1e-12, 'an axis of a rod');
});

test('a slack cable is as long as it is, a taut one is straight', () => {
  const [a, b] = [new THREE.Vector3(0, 0, 0), new THREE.Vector3(3, 0, 4)];
  const length = (line) => line.reduce((sum, p, i) => (i > 0 ? sum + p.distanceTo(line[i - 1]) : 0), 0);
  for (const [p, q] of [[a, b], [a, new THREE.Vector3(0, 0, -2)]]) {
    const line = sagging(p, q, 6, new THREE.Vector3(0, 0, -1));
    near([length(line)], [6], 1e-6, 'length');
    near(line.at(-1).toArray(), q.toArray(), 1e-12, 'end');
    assert.ok(Math.min(...line.map(({ z }) => z)) < Math.min(p.z, q.z), 'it sags below its ends');
  }
  assert.equal(sagging(a, b, 4.9, new THREE.Vector3(0, 0, -1)).length, 2);
});

test('a zigzag goes from end to end and as far to either side', () => {
  const line = zigzag(new THREE.Vector3(), new THREE.Vector3(2, 0, 0), 0.1, new THREE.Vector3(0, 1, 0));
  assert.deepEqual([line[0].toArray(), line.at(-1).toArray()], [[0, 0, 0], [2, 0, 0]]);
  near([Math.min(...line.map(({ y }) => y)), Math.max(...line.map(({ y }) => y))], [-0.1, 0.1], 1e-12, 'sides');
});

test('picking finds the body under the pointer', async () => {
  const run = await sampleRun('network', { frames: 5 });
  const pose = poseAt(run, 1);
  const turns = run.bodies.map(() => new THREE.Quaternion());
  const network = { bodies: bodiesAt(run, pose), turns };
  const camera = new THREE.PerspectiveCamera(32, 800 / 600, 0.1, 100);
  camera.up.set(0, 0, 1);
  camera.position.set(2, -9, 3);
  camera.lookAt(2, 0, 1);
  camera.updateMatrixWorld();
  const view = { run, network, camera, width: 800, height: 600 };
  const hit = pickBody(view, 400, 300);
  assert.equal(run.bodies[hit.body].name, 'plate');
  // The box is 0.6 deep at this moment; the depth is measured along the axis of the camera.
  const ahead = new THREE.Vector3(0, 9, -2).normalize();
  const front = new THREE.Vector3(2, -0.3, 1).sub(camera.position);
  near([hit.depth], [front.dot(ahead)], 0.1, 'depth');
  assert.equal(pickBody(view, 5, 5), null);
});

const shared = { thickness: { value: 1 }, pixel: { value: 1 } };

test('rods of a batch are where they are between frames, with speed or a number of their own', async () => {
  const run = await sampleRun('batch', { count: 12, points: 5, frames: 4 });
  const [group] = run.strands;
  const strands = new Strands(group, shared, false);
  assert.deepEqual(strands.quantities(), ['speed', 'young']);
  assert.deepEqual(strands.range('young'), [1e6, 1e6 + 22]);
  const middle = (packed, i) => (packed.at(60 + i) + packed.at(120 + i)) / 2;
  strands.quantity = 'speed';
  strands.show({ from: 1, to: 2, part: 0.5 });
  near([strands.value(14)], [middle(group.batch.speed, 14)], 1e-6, 'speed half way');
  const [a, b] = [60, 120].map((first) => group.position.vector(first + 14));
  near(strands.place(14), a.map((x, c) => (x + b[c]) / 2), 1e-6, 'place half way');
  strands.quantity = 'young';
  strands.show({ from: 1, to: 2, part: 0 });
  assert.deepEqual([strands.value(0), strands.value(4), strands.value(5)], [1e6, 1e6, 1e6 + 2]);
  strands.quantity = null;
  strands.show({ from: 1, to: 2, part: 0 });
  assert.equal(strands.value(0), null);
  const tips = new Tips(group, shared);
  tips.show({ from: 1, to: 2, part: 0 });
  near(tips.places.array.slice(8, 11), strands.place(9), 1e-6, 'the tip of rod 2, the second that is recorded');
});

test('a batch without rods beside it has its centre among its rods', async () => {
  const run = await sampleRun('batch', { count: 12, points: 5, frames: 4 });
  const pose = new Pose(run);
  pose.update();
  // The roots are at 0, 0.2, ..., 2.2, and the rods lean by 0.2 at most.
  near(pose.centre, [1.1, 0, 0.5], 0.2, 'centre');
});

test('picking finds the number of a rod in its batch', async () => {
  const run = await sampleRun('batch', { count: 12, points: 5, frames: 4 });
  const strands = new Strands(run.strands[0], shared, false);
  strands.quantity = 'young';
  strands.show({ from: 0, to: 1, part: 0 });
  const camera = new THREE.PerspectiveCamera(30, 1, 0.1, 100);
  camera.position.set(1, -8, 0.5);
  camera.up.set(0, 0, 1);
  camera.lookAt(1, 0, 0.5);
  camera.updateMatrixWorld();
  const [width, height] = [600, 600];
  const view = { run, camera, width, height, thickness: 1, pixel: (2 * Math.tan(Math.PI / 12)) / height };
  const point = 5 * 3 + 2; // the middle of rod 6
  const at = new THREE.Vector3(...strands.place(point)).project(camera);
  const [x, y] = [(0.5 + 0.5 * at.x) * width, (0.5 - 0.5 * at.y) * height];
  const hit = pickStrand(strands, view, x, y);
  assert.deepEqual([hit.strand, hit.number, hit.value], ['row', 6, 1e6 + 6]);
  assert.ok(Math.abs(hit.depth - 8) < 0.1, `depth ${hit.depth}`);
  assert.equal(pickStrand(strands, view, 5, 5), null);
  const hair = await sampleRun('strands', { count: 12, points: 6, frames: 4 });
  assert.equal(pickStrand(new Strands(hair.strands[0], shared, false), view, x, y), null);
});

test('colour maps end where the legend ends', () => {
  assert.equal(colourOf('curvature', 0), 'rgb(68, 1, 84)');
  assert.equal(colourOf('curvature', 1), 'rgb(253, 231, 37)');
  assert.equal(colourOf('curvature', 7), colourOf('curvature', 1));
  assert.equal(colourOf('curvature', NaN), colourOf('curvature', 0));
  assert.notDeepEqual(stops('torsion'), stops('curvature'));
  assert.deepEqual([...mapBytes('force').slice(-4)], [253, 231, 37, 255]);
});

test('squares of the ground are 1, 2 or 5 times a power of ten', () => {
  for (const size of [3e-6, 0.04, 0.9, 1, 7, 70, 12345]) {
    const pitch = gridPitch(size);
    const digit = pitch / 10 ** Math.floor(Math.log10(pitch) + 1e-9);
    assert.ok(
      [1, 2, 5].some((d) => Math.abs(d - digit) < 1e-9),
      `pitch ${pitch} of size ${size}`,
    );
    assert.ok(size / pitch > 4 && size / pitch < 20, `${size / pitch} squares`);
  }
});

test('up may be any direction', () => {
  for (const up of [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
    [0, -2, 0],
    [1, 1, -1],
  ]) {
    const { right, back, up: u } = basisOf(up);
    near([right.dot(u), right.dot(back), back.dot(u)], [0, 0, 0], 1e-12, `products for ${up}`);
    near([right.length(), back.length(), u.length()], [1, 1, 1], 1e-12, `lengths for ${up}`);
  }
});

test('tubes have fewer sides and rings where there are more points', () => {
  assert.deepEqual(detailFor(21, 1, true), { sides: 24, refine: 8, skip: 1 });
  assert.equal(placesAlong(21, detailFor(21, 1, true)).length, 161);
  const many = detailFor(6000, 4, true);
  assert.ok(
    many.sides >= 6 && many.sides <= 12 && many.refine === 1 && many.skip === 1,
    JSON.stringify(many),
  );
  const most = detailFor(90000, 60, true);
  const places = placesAlong(1500, most);
  assert.ok(most.skip > 1 && places[0] === 0 && places.at(-1) === 1499, 'both ends are drawn');
  assert.ok(60 * places.length * 2 * most.sides < 200000, `${places.length} places`);
});

test('outlines of obstacles lie on them; what is endless has none', () => {
  const reach = (obstacle) => {
    const { points, radius } = outline(obstacle);
    return points.length === 0 ? 0 : Math.max(...points.map((p) => Math.hypot(...p))) + radius;
  };
  assert.equal(reach({ shape: 'plane' }), 0);
  assert.equal(reach({ shape: 'tube', radius: 1 }), 0);
  assert.equal(reach({ shape: 'sphere', radius: 2 }), 2);
  assert.ok(Math.abs(reach({ shape: 'cylinder', radius: 3, length: 8 }) - 5) < 1e-12);
  assert.equal(reach({ shape: 'capsule', radius: 1, length: 4 }), 3);
  assert.ok(Math.abs(reach({ shape: 'torus', radius: 3, thickness: 0.5 }) - 3.5) < 1e-12);
  assert.ok(Math.abs(reach({ shape: 'box', size: [2, 4, 4] }) - 3) < 1e-12);
  const vertices = Float64Array.from({ length: 3000 }, (_, i) => (i % 3 === 2 ? 2 : 0));
  assert.equal(reach({ shape: 'distance', vertices }), 2);
  assert.ok(outline({ shape: 'distance', vertices }).points.length <= 200);
  assert.equal(reach({ shape: 'distance' }), 0);
});

test('obstacles move with their pose; planes and endless tubes are shown beside the rods', async () => {
  const run = await sampleRun('obstacles', { frames: 5 });
  const pose = new Pose(run);
  pose.frame = 1;
  pose.update();
  const extent = new Extent(run);
  const obstacles = new Obstacles(run, {}, extent);
  obstacles.update(pose);
  const [floor, drum, , , , , hole] = obstacles.parts;
  near(drum.mesh.matrixWorld.elements.slice(12, 15), [0, -1, 0], 1e-6, 'the drum');
  near(drum.mesh.matrixWorld.elements.slice(0, 3), [0, 1, 0], 1e-6, 'its first axis');
  near(floor.mesh.matrixWorld.elements.slice(12, 15), [pose.centre[0], pose.centre[1], -1.5], 1e-6, 'the floor');
  near(hole.mesh.matrixWorld.elements.slice(12, 15), [-2, -1, pose.centre[2]], 1e-6, 'the tube');
  const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
  camera.position.set(0, -1, 20);
  camera.lookAt(0, -1, 0);
  camera.updateMatrixWorld();
  const hit = obstacles.pick({ camera, width: 400, height: 400, pose }, 200, 200);
  assert.equal(run.obstacles[hit.obstacle].name, 'drum');
  assert.ok(Math.abs(hit.force - 1) < 1e-6, `its force is ${hit.force}`);
  assert.equal(obstacles.pick({ camera, width: 400, height: 400, pose }, 2, 2), null);
});
