// SPDX-License-Identifier: MIT
// Obstacles as half-transparent solids that move with their pose, and the forces that they exert as arrows.

import * as THREE from 'three';
import { arrowGeometry, createCopies } from './marks.js';
import { bodyAt } from './places.js';
import { HEAD, LIGHT, LINEAR } from './shaders.js';

const PATCH = 0.9; // radius of the shown part of a plane, of the size of the run
const ENDLESS = 1.4; // half length of an endless cylinder or tube, likewise
const ARROW = 0.16; // length of the largest force, likewise
const GLASS = 0.2; // opacity of tubes, which rods are inside of
const SOLID = 0.38;
const OUTLINE = 200; // points of a surface, at most
const Y = new THREE.Vector3(0, 1, 0);

const VERTEX = /* glsl */ `${HEAD}
uniform mat4 modelMatrix;
in vec3 position;
in vec3 normal;
out vec3 vOwn;
out vec3 vNormal;
out vec3 vView;
void main() {
  vec4 view = viewMatrix * modelMatrix * vec4(position, 1.0);
  vOwn = position;
  vNormal = mat3(viewMatrix) * (mat3(modelMatrix) * normal);
  vView = view.xyz;
  gl_Position = projectionMatrix * view;
}`;

// Round ones have sectors about their axis, so that it is seen when they turn; a plane fades out.
const FRAGMENT = /* glsl */ `precision highp float;
${LINEAR}${LIGHT}
uniform vec3 tint;
uniform float opacity;
uniform float patchRadius;  // of a plane; 0: no plane
uniform float sectors;      // 1: shown
in vec3 vOwn;
in vec3 vNormal;
in vec3 vView;
out vec4 colour;
void main() {
  vec3 toEye = normalize(-vView);
  vec3 n = normalize(vNormal);
  n = dot(n, toEye) < 0.0 ? -n : n;
  float dark = sectors * step(0.0, sin(4.0 * atan(vOwn.y, vOwn.x)));
  float fade = patchRadius > 0.0 ? 1.0 - smoothstep(0.55, 1.0, length(vOwn.xy) / patchRadius) : 1.0;
  float edge = 1.0 - abs(dot(n, toEye));
  float alpha = min(opacity * (1.0 + 0.9 * edge * edge), 0.9) * fade;
  colour = vec4(toScreen(lit(tint * (1.0 - 0.22 * dark), n, toEye, 0.05)), alpha);
}`;

// Of a grid of distances: its surface, without one where nothing in it is solid.
function meshOf({ vertices = [], triangles = [] }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(vertices), 3));
  geometry.setIndex(Array.from(triangles));
  geometry.computeVertexNormals();
  return geometry;
}

const along = (geometry) => geometry.rotateX(Math.PI / 2); // from y to z
const GEOMETRIES = {
  plane: (_, size) => new THREE.CircleGeometry(PATCH * size, 96),
  sphere: ({ radius }) => along(new THREE.SphereGeometry(radius, 64, 40)),
  cylinder: ({ radius, length }, size) => along(new THREE.CylinderGeometry(radius, radius, length ?? 2 * ENDLESS * size, 96)),
  capsule: ({ radius, length }) => along(new THREE.CapsuleGeometry(radius, length, 20, 64)),
  box: ({ size }) => new THREE.BoxGeometry(...size),
  torus: ({ radius, thickness }) => new THREE.TorusGeometry(radius, thickness, 32, 128),
  tube: ({ radius, length }, size) => (
    along(new THREE.CylinderGeometry(radius, radius, length ?? 2 * ENDLESS * size, 96, 1, true))),
  distance: (obstacle) => meshOf(obstacle),
};

// Is only a part of it shown, which goes with the rods?
function isEndless({ shape, length }) {
  return shape === 'plane' || ((shape === 'cylinder' || shape === 'tube') && length === undefined);
}

// Points on the surface with a radius around each, in its own axes; none of what is endless.
export function outline(obstacle) {
  const { shape, radius, length, thickness, size } = obstacle;
  const circle = (r, z) => Array.from({ length: 8 }, (_, i) => (
    [r * Math.cos((Math.PI * i) / 4), r * Math.sin((Math.PI * i) / 4), z]));
  if (isEndless(obstacle)) return { points: [], radius: 0 };
  if (shape === 'sphere') return { points: [[0, 0, 0]], radius };
  if (shape === 'capsule') return { points: [[0, 0, -length / 2], [0, 0, length / 2]], radius };
  if (shape === 'distance') {
    const { vertices = [] } = obstacle;
    const step = 3 * Math.ceil(vertices.length / 3 / OUTLINE);
    const points = [];
    for (let i = 0; i < vertices.length; i += step) points.push(Array.from(vertices.slice(i, i + 3)));
    return { points, radius: 0 };
  }
  if (shape === 'torus') return { points: circle(radius, 0), radius: thickness };
  if (shape === 'box') {
    const corners = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => [x, y, z])));
    return { points: corners.map((corner) => corner.map((c, i) => c * size[i])), radius: 0 };
  }
  return { points: [...circle(radius, -length / 2), ...circle(radius, length / 2)], radius: 0 };
}

export class Obstacles {
  constructor(run, shared, { size, middle }) {
    this.run = run;
    this.size = size;
    this.middle = middle;
    this.parts = run.obstacles.map((obstacle) => {
      const material = new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        uniforms: {
          ...shared,
          tint: { value: new THREE.Vector3() },
          opacity: { value: obstacle.shape === 'tube' ? GLASS : SOLID },
          patchRadius: { value: obstacle.shape === 'plane' ? PATCH * size : 0 },
          sectors: { value: ['plane', 'box', 'distance'].includes(obstacle.shape) ? 0 : 1 },
        },
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        transparent: true,
        depthWrite: false,
        side: ['plane', 'tube', 'distance'].includes(obstacle.shape) ? THREE.DoubleSide : THREE.FrontSide,
      });
      const mesh = new THREE.Mesh(GEOMETRIES[obstacle.shape](obstacle, size), material);
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      mesh.renderOrder = obstacle.shape === 'plane' ? 2 : 3;
      return { obstacle, mesh, position: new THREE.Vector3(), axes: new THREE.Quaternion() };
    });
    this.addArrows(shared);
    this.axis = new THREE.Vector3();
    this.scale = new THREE.Vector3();
    this.turn = new THREE.Quaternion();
    this.matrix = new THREE.Matrix4();
  }

  addArrows(shared) {
    this.largest = 0;
    for (const { force } of this.run.obstacles) {
      for (let f = 0; f < force.count / 3; f++) this.largest = Math.max(this.largest, Math.hypot(...force.vector(f)));
    }
    this.arrows = this.largest > 0 ? createCopies(arrowGeometry(0.02, 0.055, 0.2), this.parts.length, shared) : null;
    if (this.arrows) this.arrows.visible = false;
  }

  get meshes() {
    return [...this.parts.map(({ mesh }) => mesh), this.arrows].filter(Boolean);
  }

  update(pose) {
    const moment = pose.moment();
    for (const part of this.parts) {
      bodyAt(part.obstacle, moment, part.position, part.axes);
      if (isEndless(part.obstacle)) this.shift(part, pose);
      part.mesh.matrix.compose(part.position, part.axes, this.scale.set(1, 1, 1));
      part.mesh.matrixWorld.copy(part.mesh.matrix);
    }
    if (this.arrows?.visible) this.updateArrows(moment);
  }

  // The part of a plane under the rods, and of an endless cylinder beside them.
  shift({ obstacle, position, axes }, pose) {
    const away = new THREE.Vector3().fromArray(pose.centre ?? this.middle.toArray()).sub(position);
    const axis = this.axis.set(0, 0, 1).applyQuaternion(axes);
    const height = away.dot(axis);
    if (obstacle.shape === 'plane') position.add(away.addScaledVector(axis, -height));
    else position.addScaledVector(axis, height);
  }

  // The force of an obstacle between two frames.
  force({ obstacle }, { from, to, part }, out) {
    return out.fromArray(obstacle.force.vector(from)).lerp(this.scale.fromArray(obstacle.force.vector(to)), part);
  }

  updateArrows(moment) {
    this.parts.forEach((part, i) => {
      const force = this.force(part, moment, this.axis);
      const length = (ARROW * this.size * force.length()) / this.largest;
      this.turn.setFromUnitVectors(Y, length > 0 ? force.normalize() : Y);
      this.arrows.setMatrixAt(i, this.matrix.compose(part.position, this.turn, this.scale.set(length, length, length)));
    });
    this.arrows.instanceMatrix.needsUpdate = true;
  }

  // The one under the pointer, with the size of its force; rods and bodies are seen through it.
  pick({ camera, width, height, pose }, x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), camera);
    const shown = this.parts.filter(({ mesh }) => mesh.visible);
    const [hit] = ray.intersectObjects(shown.map(({ mesh }) => mesh), false);
    if (!hit) return null;
    const obstacle = this.parts.findIndex(({ mesh }) => mesh === hit.object);
    return { obstacle, force: this.force(this.parts[obstacle], pose.moment(), new THREE.Vector3()).length() };
  }

  setColours({ obstacle, force }) {
    this.parts.forEach(({ mesh }) => mesh.material.uniforms.tint.value.copy(obstacle));
    if (!this.arrows) return;
    for (let i = 0; i < this.arrows.count; i++) this.arrows.setColorAt(i, force);
    this.arrows.instanceColor.needsUpdate = true;
  }
}
