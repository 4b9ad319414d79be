// SPDX-License-Identifier: MIT
// Traces of the motion: the shapes at earlier moments, and the paths of the free end of each rod and of bodies.

import * as THREE from 'three';
import { spread } from './extent.js';
import { HEAD } from './shaders.js';

const SHAPES = 14;
const POINTS = 6000; // at most, of all shapes together; paths have a tenth of it

const VERTEX = /* glsl */ `${HEAD}
uniform float thickness;
uniform float pixel;
uniform float now;         // frame shown
in vec3 position;
in vec3 along;
in vec4 place;             // side, radius, frame, strength
out float vStrength;
void main() {
  vec4 view = viewMatrix * vec4(position, 1.0);
  vec3 aside = cross(mat3(viewMatrix) * along, view.xyz);
  aside /= max(length(aside), 1e-20);
  view.xyz += place.x * max(place.y * thickness, 0.6 * pixel * -view.z) * aside;
  vStrength = place.w * (place.z < now ? 1.0 : 0.0);
  gl_Position = projectionMatrix * view;
  if (place.z >= now + 1.0) gl_Position = vec4(0.0, 0.0, 2.0, 1.0); // later ones are clipped
}`;

const FRAGMENT = /* glsl */ `precision highp float;
uniform vec3 ink;
in float vStrength;
out vec4 colour;
void main() { colour = vec4(ink, vStrength); }`;

class Ribbons {
  constructor() {
    this.position = [];
    this.along = [];
    this.place = [];
    this.index = [];
  }

  // A ribbon through points; frameAt(i) is the moment from which a point is seen.
  add(points, radius, frameAt, strength) {
    const last = points.length - 1;
    points.forEach((point, i) => {
      const before = points[Math.max(i - 1, 0)];
      const after = points[Math.min(i + 1, last)];
      const along = after.map((v, c) => v - before[c]);
      const v = this.place.length / 4;
      for (const side of [-1, 1]) {
        this.position.push(...point);
        this.along.push(...along);
        this.place.push(side, radius(i), frameAt(i), strength);
      }
      if (i > 0) this.index.push(v - 2, v - 1, v, v, v - 1, v + 1);
    });
  }

  geometry() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(this.position), 3));
    geometry.setAttribute('along', new THREE.BufferAttribute(new Float32Array(this.along), 3));
    geometry.setAttribute('place', new THREE.BufferAttribute(new Float32Array(this.place), 4));
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(this.index), 1));
    return geometry;
  }
}

// A smooth curve (Catmull-Rom) through places, at u = 0 to their number - 1.
function smooth(places, u) {
  const i = Math.min(Math.floor(u), places.length - 2);
  const t = u - i;
  const [b, c] = [places[i], places[i + 1]];
  const a = places[i - 1] || b;
  const d = places[i + 2] || c;
  return b.map((p, k) => {
    const second = 2 * a[k] - 5 * p + 4 * c[k] - d[k];
    const third = 3 * (p - c[k]) + d[k] - a[k];
    return p + 0.5 * t * (c[k] - a[k] + t * (second + t * third));
  });
}

// Places 0 to count - 1 in steps of which about `wanted` are in all, whole numbers among them.
function finely(count, wanted) {
  const fine = Math.min(Math.max(Math.floor(wanted / count), 1), 8);
  return Array.from({ length: (count - 1) * fine + 1 }, (_, k) => k / fine);
}

function addShapes(ribbons, run, rod, most) {
  const points = spread(rod.points, most);
  const at = finely(points.length, most);
  const half = (p) => Math.min(rod.half[2 * p], rod.half[2 * p + 1]);
  for (let k = 0; k < SHAPES; k++) {
    const frame = Math.round((k * (run.frames - 1)) / SHAPES);
    const places = points.map((p) => rod.position.vector(frame * rod.points + p));
    ribbons.add(
      at.map((u) => smooth(places, u)),
      (i) => half(points[Math.round(at[i])]),
      () => frame,
      0.14 + (0.2 * k) / SHAPES,
    );
  }
}

// The path of the free end of a rod.
function addEnd(ribbons, run, rod, most) {
  const point = rod.ends[1] !== 'free' && rod.ends[0] === 'free' ? 0 : rod.points - 1;
  addPath(ribbons, run, (f) => rod.position.vector(f * rod.points + point), most);
}

function addPath(ribbons, run, placeAt, most) {
  const frames = spread(run.frames, most);
  const places = frames.map(placeAt);
  const at = finely(frames.length, most);
  ribbons.add(
    at.map((u) => smooth(places, u)),
    () => 0,
    (i) => frames[Math.floor(at[i])] + (at[i] % 1) * (frames[1] - frames[0]),
    0.7,
  );
}

// A mesh, or null for a run that does not move; the uniform `now` is the frame shown.
export function createTraces(run, shared) {
  const parts = run.rods.length + run.bodies.length;
  if (run.frames < 3 || parts === 0) return null;
  const ribbons = new Ribbons();
  const most = Math.max(Math.floor(POINTS / parts), 2 * SHAPES);
  for (const rod of run.rods) {
    addShapes(ribbons, run, rod, Math.ceil(most / SHAPES));
    addEnd(ribbons, run, rod, Math.ceil(most / 10));
  }
  for (const body of run.bodies) addPath(ribbons, run, (f) => body.position.vector(f), Math.ceil(most / 10));
  const uniforms = { ...shared, now: { value: 0 }, ink: { value: new THREE.Vector3() } };
  const mesh = new THREE.Mesh(
    ribbons.geometry(),
    new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
    }),
  );
  mesh.frustumCulled = false;
  mesh.renderOrder = 2;
  mesh.visible = false;
  return mesh;
}
