// SPDX-License-Identifier: MIT
// Bodies, joints, springs, cables, and the forces of joints as arrows.

import * as THREE from 'three';
import { arrowGeometry, createCopies } from './marks.js';
import { bodyAt, directionOf, placeOf, sagging, zigzag } from './places.js';
import { HEAD } from './shaders.js';

const SMALLEST = 0.004; // radius of a joint, of the size of the run
const WIRE = 0.0014; // radius of springs and cables, likewise
const WIDEST = 0.02; // half width of a zigzag, likewise
const ARROW = 0.16; // length of the largest force, likewise
const Y = new THREE.Vector3(0, 1, 0);
const Z = new THREE.Vector3(0, 0, 1);
const GONE = new THREE.Matrix4().makeScale(0, 0, 0);

const SHADOW_VERTEX = /* glsl */ `${HEAD}
uniform vec4 plane;        // normal and height
uniform float fade;        // height above the plane at which the shadow is gone
in vec3 position;
in mat4 instanceMatrix;
out float vHeight;
void main() {
  vec3 p = (instanceMatrix * vec4(position, 1.0)).xyz;
  float height = dot(p, plane.xyz) - plane.w;
  vHeight = clamp(height / fade, 0.0, 1.0);
  gl_Position = projectionMatrix * viewMatrix * vec4(p - height * plane.xyz, 1.0);
}`;

const SHADOW_FRAGMENT = /* glsl */ `precision highp float;
uniform float strength;
in float vHeight;
out vec4 colour;
void main() { colour = vec4(0.0, 0.0, 0.0, strength * (1.0 - vHeight)); }`;

// The shadow of copies straight down on the ground; the stencil lets each pixel be darkened only once.
function shadowOf(copies, plane) {
  const material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    uniforms: {
      strength: { value: 0.2 },
      plane: { value: plane.equation },
      fade: { value: plane.fade },
    },
    vertexShader: SHADOW_VERTEX,
    fragmentShader: SHADOW_FRAGMENT,
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    stencilWrite: true,
    stencilFunc: THREE.EqualStencilFunc,
    stencilRef: 0,
    stencilZPass: THREE.IncrementStencilOp,
  });
  const mesh = new THREE.InstancedMesh(copies.geometry, material, copies.count);
  mesh.instanceMatrix = copies.instanceMatrix;
  mesh.frustumCulled = false;
  mesh.renderOrder = 1;
  return mesh;
}

const GEOMETRIES = {
  box: () => new THREE.BoxGeometry(2, 2, 2),
  sphere: () => new THREE.SphereGeometry(1, 32, 20),
  cylinder: () => new THREE.CylinderGeometry(1, 1, 2, 40).rotateX(Math.PI / 2),
};

export class Network {
  constructor(run, shared, { size, plane, up }) {
    this.run = run;
    this.shared = shared;
    this.size = size;
    this.up = up;
    this.back = new THREE.Vector3(0, 0, 1); // from what is seen to the viewer
    this.bodies = run.bodies.map(() => ({ position: new THREE.Vector3(), axes: new THREE.Quaternion() }));
    this.turns = run.bodies.map(({ turn: [w, x, y, z] }) => new THREE.Quaternion(x, y, z, w));
    this.bodyMeshes = Object.entries(GEOMETRIES).map(([shape, geometry]) => {
      const members = run.bodies.map((body, i) => (body.shape === shape ? i : -1)).filter((i) => i >= 0);
      return { mesh: createCopies(geometry(), members.length, shared), members };
    }).filter(({ members }) => members.length > 0);
    this.shadows = this.bodyMeshes.map(({ mesh }) => shadowOf(mesh, plane));
    this.addJoints();
    this.addSprings();
    this.matrix = new THREE.Matrix4();
    this.turn = new THREE.Quaternion();
    this.place = new THREE.Vector3();
    this.direction = new THREE.Vector3();
    this.scale = new THREE.Vector3();
  }

  addJoints() {
    const { joints } = this.run;
    const smallest = (SMALLEST * this.size) / Math.max(1, Math.sqrt(joints.length / 20));
    this.jointMeshes = [['ball', 'sphere'], ['hinge', 'cylinder']].map(([kind, shape]) => {
      const members = joints.filter((joint) => joint.kind === kind);
      return { mesh: createCopies(GEOMETRIES[shape](), members.length, this.shared), members, smallest };
    }).filter(({ members }) => members.length > 0);
    this.pushed = joints.filter((joint) => joint.force);
    this.largest = this.pushed.reduce((most, { force }) => {
      let largest = most;
      for (let f = 0; f < force.count / 3; f++) largest = Math.max(largest, Math.hypot(...force.vector(f)));
      return largest;
    }, 0);
    this.arrows = this.largest > 0 ? createCopies(arrowGeometry(0.02, 0.055, 0.2), this.pushed.length, this.shared) : null;
    if (this.arrows) this.arrows.visible = false;
  }

  addSprings() {
    const { springs } = this.run;
    const pieces = (spring) => (spring.kind === 'cable' ? 16 : 19);
    const count = springs.reduce((sum, spring) => sum + pieces(spring), 0);
    const geometry = new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
    this.wires = count > 0 ? createCopies(geometry, count, this.shared) : null;
  }

  get meshes() {
    const copies = [...this.bodyMeshes, ...this.jointMeshes].map(({ mesh }) => mesh);
    return [...copies, ...this.shadows, this.wires, this.arrows].filter(Boolean);
  }

  update(pose, thickness) {
    const moment = pose.moment();
    this.run.bodies.forEach((body, i) => {
      bodyAt(body, moment, this.bodies[i].position, this.bodies[i].axes);
      const shape = pose.mode?.shapes.find((s) => s.body === i);
      if (shape) this.addMode(shape, pose.mode.factor, this.bodies[i]);
    });
    this.updateBodies();
    this.updateJoints(pose, thickness);
    if (this.wires) this.updateSprings(pose);
    if (this.arrows?.visible) this.updateArrows(pose, moment);
  }

  // A body that swings: the angle of a mode may be any, so it turns about the axis of its rotation.
  addMode(shape, factor, { position, axes }) {
    if (shape.position) position.fromArray(shape.position);
    if (shape.frame) axes.set(shape.frame[1], shape.frame[2], shape.frame[3], shape.frame[0]);
    position.addScaledVector(this.place.fromArray(shape.displacement), factor);
    const axis = this.place.fromArray(shape.rotation);
    const angle = axis.length();
    if (angle > 0) axes.multiply(this.turn.setFromAxisAngle(axis.divideScalar(angle), factor * angle));
  }

  updateBodies() {
    for (const { mesh, members } of this.bodyMeshes) {
      members.forEach((b, i) => {
        const { position, axes } = this.bodies[b];
        this.turn.multiplyQuaternions(axes, this.turns[b]);
        mesh.setMatrixAt(i, this.matrix.compose(position, this.turn, this.scale.fromArray(this.run.bodies[b].half)));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  // The time between the frames of a pose.
  timeOf({ from, to, part }) {
    const { time } = this.run;
    return time[from] + part * (time[to] - time[from]);
  }

  placeOf(joint, pose, out) {
    const hold = joint.of.find((h) => h.rod !== undefined) || joint.of.find((h) => h.body !== undefined) || joint.of[0];
    return placeOf(hold, this.run, pose, this.bodies, out);
  }

  jointRadius(joint, thickness, smallest) {
    return Math.max(joint.radius * thickness, smallest);
  }

  updateJoints(pose, thickness) {
    const now = this.timeOf(pose.moment());
    for (const { mesh, members, smallest } of this.jointMeshes) {
      members.forEach((joint, i) => {
        const radius = this.jointRadius(joint, thickness, smallest);
        this.placeOf(joint, pose, this.place);
        this.turn.identity();
        if (joint.axis) {
          directionOf(joint.of[0], joint.axis, this.run, pose, this.bodies, this.direction);
          this.turn.setFromUnitVectors(Z, this.direction.normalize());
        }
        this.matrix.compose(this.place, this.turn, this.scale.set(radius, radius, radius));
        mesh.setMatrixAt(i, joint.release !== undefined && now >= joint.release ? GONE : this.matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  // Zigzags show their teeth to a viewer who looks along -back.
  face(pose, back) {
    if (!this.wires?.visible || this.back.distanceToSquared(back) < 1e-6) return;
    this.back.copy(back);
    this.updateSprings(pose);
  }

  updateSprings(pose) {
    const [a, b] = [new THREE.Vector3(), new THREE.Vector3()];
    const radius = WIRE * this.size;
    const down = this.up.clone().negate();
    let piece = 0;
    for (const spring of this.run.springs) {
      placeOf(spring.of[0], this.run, pose, this.bodies, a);
      placeOf(spring.of[1], this.run, pose, this.bodies, b);
      const line = spring.kind === 'cable' ? sagging(a, b, spring.length, down)
        : zigzag(a, b, Math.min(0.08 * (spring.length || this.size), WIDEST * this.size), this.aside(a, b));
      const last = piece + (spring.kind === 'cable' ? 16 : 19);
      for (let i = 1; i < line.length; i++, piece++) this.wires.setMatrixAt(piece, this.wire(line[i - 1], line[i], radius));
      for (; piece < last; piece++) this.wires.setMatrixAt(piece, GONE);
    }
    this.wires.instanceMatrix.needsUpdate = true;
  }

  // A unit vector normal to the line from a to b and to the view.
  aside(a, b) {
    const out = new THREE.Vector3().crossVectors(this.direction.subVectors(b, a), this.back);
    return out.lengthSq() > 0 ? out.normalize() : out.copy(this.up);
  }

  wire(from, to, radius) {
    const along = this.direction.subVectors(to, from);
    const length = along.length();
    this.turn.setFromUnitVectors(Y, length > 0 ? along.divideScalar(length) : Y);
    return this.matrix.compose(from, this.turn, this.scale.set(radius, length, radius));
  }

  updateArrows(pose, { from, to, part }) {
    this.pushed.forEach((joint, i) => {
      const force = this.direction.fromArray(joint.force.vector(from));
      force.lerp(this.scale.fromArray(joint.force.vector(to)), part);
      const length = (ARROW * this.size * force.length()) / this.largest;
      this.turn.setFromUnitVectors(Y, length > 0 ? force.normalize() : Y);
      this.placeOf(joint, pose, this.place);
      this.arrows.setMatrixAt(i, this.matrix.compose(this.place, this.turn, this.scale.set(length, length, length)));
    });
    this.arrows.instanceMatrix.needsUpdate = true;
  }

  setColours({ body, joint, spring, force, shadow }) {
    const paint = (mesh, colour) => {
      for (let i = 0; i < mesh.count; i++) mesh.setColorAt(i, colour);
      mesh.instanceColor.needsUpdate = true;
    };
    this.bodyMeshes.forEach(({ mesh }) => paint(mesh, body));
    this.jointMeshes.forEach(({ mesh }) => paint(mesh, joint));
    if (this.wires) paint(this.wires, spring);
    if (this.arrows) paint(this.arrows, force);
    this.shadows.forEach((mesh) => { mesh.material.uniforms.strength.value = shadow; });
  }
}
