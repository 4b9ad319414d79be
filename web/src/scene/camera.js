// SPDX-License-Identifier: MIT
// The camera: orbit, pan and zoom by mouse and touch, views from the sides, fitting, following.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { triadEdge } from './gizmo.js';

const FIELD = 32; // degrees, the height of the picture
const MARGIN = 1.1;
const STILL = 2e-4; // of the distance: less is no motion
const TOP = 84; // pixels that controls cover
const POLE = 0.02; // radians from straight above or below that keys leave

// Right, back (towards the viewer of the front) and up, for any direction that is up.
export function basisOf(up) {
  const u = new THREE.Vector3(...up).normalize();
  const right = Math.abs(u.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
  right.addScaledVector(u, -right.dot(u)).normalize();
  return { right, back: new THREE.Vector3().crossVectors(right, u), up: u };
}

export class Camera {
  // onMove is called when the user moves the camera, and while it comes to rest.
  constructor(canvas, extent, basis, onMove) {
    this.basis = basis;
    this.extent = extent;
    this.middle = extent.middle;
    this.size = extent.size;
    this.camera = new THREE.PerspectiveCamera(FIELD, 1, 0.01, 100);
    this.camera.up.copy(basis.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.zoomSpeed = 1.2;
    this.controls.minDistance = 1e-4 * this.size;
    this.controls.maxDistance = 50 * this.size;
    this.followed = null;
    this.width = 1; // of the picture
    this.height = 1;
    this.touched = false; // by the user since the last fit
    this.listen(canvas, onMove);
  }

  // Events of the controls are no use: they leave out small moves by a length that knows nothing of ours.
  listen(canvas, onMove) {
    this.onMove = onMove;
    this.held = false;
    this.last = new THREE.Vector3();
    canvas.addEventListener('pointermove', () => this.held && onMove());
    this.controls.addEventListener('start', () => {
      this.touched = true;
      this.held = true;
      onMove();
    });
    this.controls.addEventListener('end', () => {
      this.held = false;
      onMove();
    });
  }

  // Directions from which one looks. A flat motion is seen almost from the front.
  direction(name) {
    const { right, back, up } = this.basis;
    const of = (r, b, u) =>
      new THREE.Vector3()
        .addScaledVector(right, r)
        .addScaledVector(back, b)
        .addScaledVector(up, u)
        .normalize();
    if (name === 'front') return of(0, 1, 0);
    if (name === 'side') return of(1, 0, 0);
    if (name === 'top') return of(0, 1e-4, 1);
    const [across, deep] = [this.extent.along(right), this.extent.along(back)].map(
      ([low, high]) => high - low,
    );
    if (deep < 0.12 * across) return of(0.3, 1, 0.22);
    if (across < 0.12 * deep) return of(1, 0.3, 0.22);
    return of(0.62, 1, 0.5);
  }

  look(name) {
    this.place(this.direction(name));
  }

  fit() {
    this.place(this.camera.position.clone().sub(this.controls.target).normalize());
  }

  // Looks along -direction, as near as it goes: at everything, or at the rods of the moment while following
  // them.
  place(direction) {
    const { camera } = this;
    camera.position.copy(this.middle).add(direction);
    camera.lookAt(this.middle);
    camera.updateMatrixWorld();
    const x = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const y = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    const aim = this.followed ? this.aimAtFollowed() : this.aimAtAll(x, y, direction);
    const { target } = this.controls;
    target
      .copy(this.followed || this.middle)
      .addScaledVector(x, aim.x)
      .addScaledVector(y, aim.y);
    camera.position.copy(target).addScaledVector(direction, aim.distance);
    this.controls.update();
    this.touched = false;
  }

  // Half of the picture at distance 1, without what is covered at its top, and `left` and `bottom` pixels.
  room(left = 0, bottom = 0) {
    const whole = Math.tan(THREE.MathUtils.degToRad(FIELD / 2));
    const top = Math.min(TOP, this.height / 4);
    const pixel = whole / this.height;
    return {
      tall: (whole - (top + bottom) * pixel) / MARGIN,
      wide: (whole * this.camera.aspect - left * pixel) / MARGIN,
      x: -left * pixel,
      y: (top - bottom) * pixel,
    };
  }

  aimAtFollowed() {
    const { tall, wide, y } = this.room();
    const distance = this.extent.reach * Math.hypot(1, 1 / Math.min(tall, wide));
    return { x: 0, y: y * distance, distance };
  }

  // Where something would be behind the triad in the corner, it makes room there: below or beside, whichever
  // lets the picture be larger.
  aimAtAll(x, y, direction) {
    const points = this.extent.inAxes(x, y, direction);
    const aims = (left, bottom) => {
      const room = this.room(left, bottom);
      const fit = this.extent.fit(points, room.wide, room.tall);
      return { x: fit.x + room.x * fit.distance, y: fit.y + room.y * fit.distance, distance: fit.distance };
    };
    const first = aims(0, 0);
    const edge = triadEdge(this.width);
    const tiny = Math.min(this.width, this.height) < 2 * edge;
    if (tiny || !this.reachesCorner(points, first, edge)) return first;
    const [beside, below] = [aims(edge, 0), aims(0, edge)];
    return beside.distance < below.distance ? beside : below;
  }

  // Whether a point is seen within `edge` pixels of the lower left corner.
  reachesCorner(points, { x, y, distance }, edge) {
    const pixel = this.pixelAt(this.height);
    for (let i = 0; i < points.length; i += 4) {
      const scale = pixel * (distance - points[i + 2]);
      const radius = points[i + 3];
      const right = (points[i] - x - radius) / scale + this.width / 2;
      const above = (points[i + 1] - y - radius) / scale + this.height / 2;
      if (right < edge && above < edge) return true;
    }
    return false;
  }

  // By keys: around the target in radians, upwards in radians; nearer by a factor below 1.
  turn(across, upward) {
    const { up } = this.basis;
    const offset = this.camera.position.clone().sub(this.controls.target).applyAxisAngle(up, across);
    const polar = offset.angleTo(up);
    const wanted = Math.min(Math.max(polar - upward, POLE), Math.PI - POLE);
    const side = new THREE.Vector3().crossVectors(up, offset).normalize();
    this.moveTo(offset.applyAxisAngle(side, wanted - polar));
  }

  zoom(factor) {
    this.moveTo(this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor));
  }

  moveTo(offset) {
    this.camera.position.copy(this.controls.target).add(offset);
    this.touched = true;
    this.onMove();
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (!this.touched && this.camera.position.lengthSq() > 0) this.fit();
  }

  // Moves with the centre given, from where it was when following began.
  follow(centre) {
    if (this.followed === null) return;
    const now = new THREE.Vector3(...centre);
    const step = now.clone().sub(this.followed);
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.followed = now;
  }

  startFollowing(centre) {
    this.followed = new THREE.Vector3(...centre);
    this.fit();
  }

  stopFollowing() {
    this.followed = null;
  }

  // Near and far planes that hold everything, however far the user went.
  update() {
    this.controls.update();
    const distance = this.distance();
    if (this.camera.position.distanceTo(this.last) > STILL * distance) this.onMove();
    this.last.copy(this.camera.position);
    const reach = this.camera.position.distanceTo(this.middle) + 6 * this.size;
    this.camera.near = Math.max(distance / 300, reach / 1e5);
    this.camera.far = reach;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  distance() {
    return this.camera.position.distanceTo(this.controls.target);
  }

  // Size of a pixel at distance 1.
  pixelAt(height) {
    return (2 * Math.tan(THREE.MathUtils.degToRad(FIELD / 2))) / height;
  }
}
