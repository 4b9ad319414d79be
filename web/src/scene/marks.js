// SPDX-License-Identifier: MIT
// Marks around the rods: supports at held ends, the arrow of gravity, the triad of axes, and their letters.

import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { HEAD, LIGHT, LINEAR } from './shaders.js';

const VERTEX = /* glsl */ `${HEAD}
in vec3 position;
in vec3 normal;
in mat4 instanceMatrix;
in vec3 instanceColor;
out vec3 vNormal;
out vec3 vView;
out vec3 vColour;
void main() {
  vec4 view = viewMatrix * instanceMatrix * vec4(position, 1.0);
  mat3 m = mat3(instanceMatrix);
  vec3 squares = vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2]));
  vNormal = mat3(viewMatrix) * (m * (normal / squares));
  vView = view.xyz;
  vColour = instanceColor;
  gl_Position = projectionMatrix * view;
}`;

const FRAGMENT = /* glsl */ `precision highp float;
${LINEAR}${LIGHT}
in vec3 vNormal;
in vec3 vView;
in vec3 vColour;
out vec4 colour;
void main() { colour = vec4(toScreen(lit(vColour, normalize(vNormal), normalize(-vView), 0.08)), 1.0); }`;

// Copies of one shape, each with its own place and colour.
export function createCopies(geometry, count, shared) {
  const material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    uniforms: shared,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
  });
  const mesh = new THREE.InstancedMesh(geometry, material, count);
  mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * count), 3);
  mesh.frustumCulled = false;
  return mesh;
}

// An arrow of length 1 along y from the origin.
export function arrowGeometry(shaft = 0.035, head = 0.1, headLength = 0.28) {
  const stick = new THREE.CylinderGeometry(shaft, shaft, 1 - headLength, 16).translate(
    0,
    (1 - headLength) / 2,
    0,
  );
  const tip = new THREE.ConeGeometry(head, headLength, 24).translate(0, 1 - headLength / 2, 0);
  return mergeGeometries([stick, tip]);
}

const Y = new THREE.Vector3(0, 1, 0);

// Puts copy i of an arrow at `from`, pointing along the unit vector `along`.
export function placeArrow(mesh, i, from, along, length, colour) {
  const turn = new THREE.Quaternion().setFromUnitVectors(Y, along);
  mesh.setMatrixAt(i, new THREE.Matrix4().compose(from, turn, new THREE.Vector3(length, length, length)));
  mesh.instanceMatrix.needsUpdate = true;
  mesh.setColorAt(i, colour);
  mesh.instanceColor.needsUpdate = true;
}

// --- letters ---

const LABEL_VERTEX = /* glsl */ `${HEAD}
uniform vec3 place;
uniform vec2 size;         // in clip space
in vec3 position;
out vec2 vUv;
void main() {
  vUv = 0.5 + 0.5 * position.xy;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
  gl_Position.xy += position.xy * size * gl_Position.w;
}`;

const LABEL_FRAGMENT = /* glsl */ `precision highp float;
uniform sampler2D text;
uniform vec3 ink;
in vec2 vUv;
out vec4 colour;
void main() { colour = vec4(ink, texture(text, vUv).a); }`;

const LABEL_PIXELS = 64;

function textTexture(text) {
  const canvas = document.createElement('canvas');
  canvas.width = LABEL_PIXELS;
  canvas.height = LABEL_PIXELS;
  const context = canvas.getContext('2d');
  context.font = `600 ${0.62 * LABEL_PIXELS}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, LABEL_PIXELS / 2, 0.53 * LABEL_PIXELS);
  return new THREE.CanvasTexture(canvas);
}

// A letter that faces the viewer, `pixels` large.
export class Label {
  constructor(text, pixels) {
    this.pixels = pixels;
    const geometry = new THREE.PlaneGeometry(2, 2);
    this.uniforms = {
      place: { value: new THREE.Vector3() },
      size: { value: new THREE.Vector2() },
      ink: { value: new THREE.Vector3() },
      text: { value: textTexture(text) },
    };
    this.mesh = new THREE.Mesh(
      geometry,
      new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        uniforms: this.uniforms,
        vertexShader: LABEL_VERTEX,
        fragmentShader: LABEL_FRAGMENT,
        transparent: true,
        depthTest: false,
        depthWrite: false,
      }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 10;
  }

  setViewport(width, height) {
    this.uniforms.size.value.set(this.pixels / width, this.pixels / height);
  }
}

// --- supports ---

// Ends of rods that a weld holds on the ground.
function clampedEnds(run, holds) {
  if (!holds.some((hold) => hold.rod === undefined && hold.body === undefined)) return [];
  return holds.filter((hold) => hold.rod !== undefined).flatMap(({ rod: r, s }) => {
    const rod = run.rods[r];
    const end = [rod.s[0], rod.s[rod.points - 1]].indexOf(s);
    return end < 0 ? [] : [{ r, rod, kind: 'clamped', end }];
  });
}

// Plates at clamped and driven ends, balls at pinned ones.
export class Supports {
  constructor(run, shared, size) {
    const held = [];
    run.rods.forEach((rod, r) =>
      rod.ends.forEach((kind, end) => kind !== 'free' && held.push({ r, rod, kind, end })),
    );
    for (const { kind, of } of run.joints) if (kind === 'weld') held.push(...clampedEnds(run, of));
    this.some = held.length > 0;
    this.smallest = 0.006 * size;
    this.plates = held.filter((h) => h.kind !== 'pinned');
    this.balls = held.filter((h) => h.kind === 'pinned');
    this.plateMesh = createCopies(new THREE.BoxGeometry(2, 2, 1), Math.max(this.plates.length, 1), shared);
    this.ballMesh = createCopies(new THREE.SphereGeometry(1, 24, 16), Math.max(this.balls.length, 1), shared);
    this.plateMesh.count = this.plates.length;
    this.ballMesh.count = this.balls.length;
    this.matrix = new THREE.Matrix4();
    this.d = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  }

  setColours(held, driven) {
    this.plates.forEach((plate, i) => this.plateMesh.setColorAt(i, plate.kind === 'driven' ? driven : held));
    this.balls.forEach((_, i) => this.ballMesh.setColorAt(i, held));
    this.plateMesh.instanceColor.needsUpdate = true;
    this.ballMesh.instanceColor.needsUpdate = true;
  }

  update(pose, thickness) {
    this.plates.forEach((plate, i) => this.plateMesh.setMatrixAt(i, this.plateAt(plate, pose, thickness)));
    this.balls.forEach((ball, i) => this.ballMesh.setMatrixAt(i, this.ballAt(ball, pose, thickness)));
    this.plateMesh.instanceMatrix.needsUpdate = true;
    this.ballMesh.instanceMatrix.needsUpdate = true;
  }

  plateAt({ r, rod, end }, pose, thickness) {
    const p = end === 0 ? 0 : rod.points - 1;
    const margin = Math.max(0.5 * thickness * Math.min(rod.half[2 * p], rod.half[2 * p + 1]), this.smallest);
    const width = rod.half[2 * p] * thickness + margin;
    const height = rod.half[2 * p + 1] * thickness + margin;
    const depth = 0.8 * margin;
    const [d1, d2, d3] = this.d.map((d, i) => pose.director(r, p, i + 1, d));
    const at = pose.point(r, p);
    const away = (end === 0 ? -0.5 : 0.5) * depth;
    this.matrix.makeBasis(d1, d2, d3);
    this.matrix.scale(new THREE.Vector3(width, height, depth));
    return this.matrix.setPosition(at[0] + away * d3.x, at[1] + away * d3.y, at[2] + away * d3.z);
  }

  ballAt({ r, rod, end }, pose, thickness) {
    const p = end === 0 ? 0 : rod.points - 1;
    const half = Math.max(rod.half[2 * p], rod.half[2 * p + 1]);
    const radius = Math.max(1.45 * half * thickness, this.smallest);
    return this.matrix.makeScale(radius, radius, radius).setPosition(...pose.point(r, p));
  }
}
