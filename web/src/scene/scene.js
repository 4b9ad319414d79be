// SPDX-License-Identifier: MIT
// The 3D picture of a run. It draws only when render() is called; onChange tells when that is needed.

import * as THREE from 'three';
import { Camera, basisOf } from './camera.js';
import { SERIES, THEMES, isSigned, mapBytes } from './colours.js';
import { isSoftware, openContext } from './context.js';
import { Extent } from './extent.js';
import { Gizmo } from './gizmo.js';
import { createGrid, gridPitch } from './ground.js';
import { Supports } from './marks.js';
import { Network } from './network.js';
import { Obstacles } from './obstacles.js';
import { pickBody, pickPoint, pickStrand } from './pick.js';
import { Pose } from './pose.js';
import { Rods, linear } from './rods.js';
import { Speed } from './speed.js';
import { Strands } from './strands.js';
import { Tips } from './tips.js';
import { createTraces } from './traces.js';

const REST = 250; // milliseconds without motion
const PLAYING = 1000; // milliseconds between pictures at most
const FINE = 2; // pixels of the picture for one of the screen, which smooths its edges
const ORDER = ['curvature', 'torsion', 'force', 'moment', 'contact', 'speed'];

export function createScene(canvas, run, options = {}) {
  return new View(canvas, run, options);
}

class View {
  constructor(canvas, run, { theme = 'light' } = {}) {
    this.canvas = canvas;
    this.run = run;
    const context = openContext(canvas, run);
    this.renderer = new THREE.WebGLRenderer({ canvas, context });
    this.renderer.setClearColor(0, 0);
    this.renderer.autoClear = false;
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // the shaders write sRGB themselves
    this.software = isSoftware(context);
    this.smooth = context.getContextAttributes().antialias;
    this.ratio = this.software ? 1 : Math.min(globalThis.devicePixelRatio || 1, 2);
    this.listeners = [];
    this.changed = () => this.listeners.forEach((listener) => listener());
    this.thickness = 1;
    this.followedBody = null;
    this.moved = 0; // when something moved last
    this.toView = new THREE.Matrix3();
    this.axis = new THREE.Vector3();
    this.speed = new Speed(context);
    this.build();
    this.setTheme(theme);
    this.resize();
    this.camera.look('iso');
    this.show(0);
    canvas.addEventListener('webglcontextrestored', () => {
      this.refresh();
      this.changed();
    });
  }

  build() {
    const { run } = this;
    this.extent = new Extent(run);
    this.basis = basisOf(run.up || [0, 0, 1]);
    this.camera = new Camera(this.canvas, this.extent, this.basis, () => {
      this.startMoving();
      this.changed();
    });
    this.shared = {
      thickness: { value: 1 },
      pixel: { value: 1 },
      up: { value: new THREE.Vector3() },
      lamp: { value: new THREE.Vector3() },
      sky: { value: new THREE.Vector3() },
      ground: { value: new THREE.Vector3() },
      key: { value: 1 },
      rim: { value: 0.1 },
      hair: { value: [new THREE.Vector3(), new THREE.Vector3()] },
      map: { value: null }, // colours of a quantity, from `limits`: smallest value, 1 / range; < 0: plain colours
      limits: { value: new THREE.Vector2(0, -1) },
      glow: { value: 0 },
    };
    this.scene = new THREE.Scene();
    this.scene.matrixWorldAutoUpdate = false;
    this.pose = new Pose(run);
    this.addGround();
    this.rods = new Rods(run, this.pose, this.shared, { plane: this.plane, software: this.software });
    this.strands = run.strands.map((group) => new Strands(group, this.shared, this.software));
    this.tips = run.strands.filter(({ batch }) => batch?.tips).map((group) => new Tips(group, this.shared));
    this.supports = new Supports(run, this.shared, this.extent.size);
    this.network = new Network(run, this.shared, { size: this.extent.size, plane: this.plane, up: this.basis.up });
    this.obstacles = new Obstacles(run, this.shared, this.extent);
    this.traces = createTraces(run, this.shared);
    this.gizmo = new Gizmo(this.shared, run.gravity);
    this.scene.add(
      this.gridMesh,
      ...this.rods.meshes,
      ...this.strands.map((group) => group.mesh),
      ...this.tips.map(({ mesh }) => mesh),
      this.supports.plateMesh,
      this.supports.ballMesh,
      ...this.network.meshes,
      ...this.obstacles.meshes,
      ...(this.traces ? [this.traces] : []),
    );
    this.scene.updateMatrixWorld();
  }

  addGround() {
    const { up, right, back } = this.basis;
    const { size, middle } = this.extent;
    const [low, high] = this.extent.along(up);
    const height = low - 0.02 * size;
    this.pitch = gridPitch(size); // of the squares on the ground
    this.gridMesh = createGrid({
      basis: this.basis,
      height,
      middle: [middle.dot(right), -middle.dot(back)],
      reach: 1.5 * size,
      pitch: this.pitch,
    });
    this.plane = { equation: new THREE.Vector4(up.x, up.y, up.z, height), fade: 1.3 * (high - height) };
  }

  // --- what is shown ---

  show(frame) {
    if (frame !== this.pose.frame) this.startMoving();
    this.pose.frame = frame;
    this.refresh();
  }

  // Software renderers draw large runs coarsely, and finely when nothing has moved for a moment.
  startMoving() {
    if (!this.software || this.smooth) return;
    clearTimeout(this.rest);
    this.setFine(false);
    const gap = performance.now() - this.moved; // a slow machine that plays is not at rest between pictures
    this.moved += gap;
    this.rest = setTimeout(() => {
      this.setFine(true);
      this.changed();
    }, gap < PLAYING ? Math.max(REST, 2 * gap) : REST);
  }

  setFine(on) {
    this.strands.forEach((group) => group.setMoving(!on));
    this.ratio = on ? FINE : 1;
  }

  refresh() {
    this.pose.update();
    this.rods.update();
    const moment = this.pose.moment();
    this.strands.forEach((group) => group.mesh.visible && group.show(moment));
    this.tips.forEach((tips) => tips.mesh.visible && tips.show(moment));
    this.supports.update(this.pose, this.thickness);
    this.network.update(this.pose, this.thickness);
    this.obstacles.update(this.pose);
    if (this.traces) this.traces.material.uniforms.now.value = this.pose.frame;
    this.camera.follow(this.followed());
  }

  quantities() {
    const coloured = this.strands.flatMap((group) => group.quantities());
    const has = (name) => this.run.rods.some((rod) => rod.quantities[name]) || coloured.includes(name);
    const others = new Set([...this.run.rods.flatMap((rod) => Object.keys(rod.quantities)), ...coloured]);
    ORDER.forEach((name) => others.delete(name));
    return [...ORDER.filter(has), ...others];
  }

  // Smallest and largest value in the whole run; for signed ones zero is in the middle.
  range(name) {
    let min = Infinity;
    let max = -Infinity;
    for (const rod of this.run.rods) {
      if (!rod.quantities[name]) continue;
      const [low, high] = rod.quantities[name].range();
      min = Math.min(min, low);
      max = Math.max(max, high);
    }
    for (const group of this.strands.filter((strands) => strands.quantities().includes(name))) {
      const [low, high] = group.range(name);
      min = Math.min(min, low);
      max = Math.max(max, high);
    }
    if (min > max) return { min: 0, max: 0 };
    if (!isSigned(name)) return { min, max };
    const largest = Math.max(Math.abs(min), Math.abs(max));
    return this.isRoundOff(name, largest) ? { min: 0, max: 0 } : { min: -largest, max: largest };
  }

  // Torsion of a plane motion is round-off: it shall not fill the map with noise.
  isRoundOff(name, largest) {
    const lengths = this.run.rods.map((rod) => rod.length || 0);
    return name === 'torsion' && largest * Math.max(...lengths) < 1e-9;
  }

  setQuantity(name) {
    this.pose.quantity = name;
    this.strands.forEach((group) => { group.quantity = name; });
    this.setMap(name);
    this.refresh();
  }

  // The colours of a quantity over its range; null: plain ones.
  setMap(name) {
    const { map, limits } = this.shared;
    map.value?.dispose();
    map.value = null;
    if (name === null) {
      limits.value.set(0, -1);
      return;
    }
    const bytes = mapBytes(name);
    const texture = new THREE.DataTexture(bytes, bytes.length / 4, 1);
    texture.magFilter = THREE.LinearFilter;
    texture.minFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    map.value = texture;
    const { min, max } = this.range(name);
    if (max > min) limits.value.set(min, 1 / (max - min));
    else limits.value.set(isSigned(name) ? min - 0.5 : min, isSigned(name) ? 1 : 0);
  }

  setRadiusScale(factor) {
    this.thickness = factor;
    this.shared.thickness.value = factor;
    this.rods.setThickness(factor);
    this.supports.update(this.pose, factor);
    this.network.update(this.pose, factor);
  }

  // Shows mode `index` at amplitude * sin(phase); null for none.
  setMode(index, amplitude = 1, phase = Math.PI / 2) {
    const shape = index === null || index === undefined ? null : this.run.modes[index];
    this.pose.mode = shape ? { shapes: shape.shapes, factor: amplitude * Math.sin(phase) } : null;
    this.refresh();
  }

  setVisible(part, on) {
    const parts = {
      grid: [this.gridMesh, this.rods.shadow, ...this.network.shadows],
      bodies: this.network.bodyMeshes.map(({ mesh }) => mesh),
      joints: this.network.jointMeshes.map(({ mesh }) => mesh),
      springs: [this.network.wires],
      forces: [this.network.arrows],
      obstacles: this.obstacles.parts.map(({ mesh }) => mesh),
      pushes: [this.obstacles.arrows],
      strands: this.strands.map((group) => group.mesh),
      tips: this.tips.map(({ mesh }) => mesh),
      guides: [this.rods.body, this.rods.actuators],
      actuators: [this.rods.actuators],
      rest: [this.rods.ghost],
      traces: [this.traces],
      supports: [this.supports.plateMesh, this.supports.ballMesh],
    };
    if (part === 'axes' || part === 'gravity') this.gizmo.setVisible(part, on);
    else if (part === 'stripe') this.rods.own.striped.value = on ? 1 : 0;
    else if (!parts[part]) throw new Error(`no part ${part}`);
    else for (const mesh of parts[part].filter(Boolean)) mesh.visible = on;
    if (['strands', 'tips', 'forces', 'pushes'].includes(part) && on) this.refresh();
  }

  setTheme(name) {
    const theme = THEMES[name];
    const { shared } = this;
    shared.sky.value = linear(theme.sky);
    shared.ground.value = linear(theme.ground);
    shared.key.value = theme.key;
    shared.rim.value = theme.rim;
    shared.glow.value = theme.glow;
    this.tips.forEach((tips) => tips.setColour(linear(theme.tip)));
    shared.hair.value = theme.hair.map((c) => linear(c));
    const srgb = (text) => new THREE.Color().setStyle(text, THREE.LinearSRGBColorSpace);
    this.canvas.style.background = `linear-gradient(${theme.background.join(', ')})`;
    this.gridMesh.material.uniforms.gridColour.value = srgb(theme.grid);
    this.gridMesh.material.uniforms.strength.value = theme.gridStrength;
    const colour = (text) => new THREE.Color(...linear(text).toArray());
    this.supports.setColours(colour(theme.support), colour(theme.driven));
    const { shadow } = theme;
    const [body, joint, spring, force] = [theme.body, theme.joint, theme.spring, theme.force].map(colour);
    this.network.setColours({ body, joint, spring, force, shadow });
    this.obstacles.setColours({ obstacle: linear(theme.obstacle), force });
    this.rods.setTheme(theme);
    if (this.traces) this.traces.material.uniforms.ink.value.setFromColor(srgb(theme.ghost));
    this.gizmo.setTheme(srgb(theme.ink), srgb(theme.gravity), colour(theme.gravity));
  }

  // --- the camera ---

  fit() {
    this.camera.fit();
  }

  look(name) {
    this.camera.look(name);
  }

  turn(across, upward) {
    this.camera.turn(across, upward);
  }

  zoom(factor) {
    this.camera.zoom(factor);
  }

  follow(on) {
    if (on) this.camera.startFollowing(this.followed());
    else this.camera.stopFollowing();
  }

  // What is followed: the number of a body, or null for the rods.
  chooseFollowed(body) {
    this.followedBody = body;
  }

  followed() {
    return this.followedBody === null ? this.pose.centre : this.network.bodies[this.followedBody].position.toArray();
  }

  // --- questions ---

  point(rod, index) {
    return this.pose.point(rod, index);
  }

  pick(x, y) {
    const { width, height, pose, run, thickness, network } = this;
    const { camera } = this.camera;
    const view = { run, pose, width, height, thickness, camera, network, pixel: this.camera.pixelAt(height) };
    const hits = [
      ...(this.rods.body.visible ? [pickPoint(view, x, y), pickBody(view, x, y)] : []),
      ...this.strands.map((group) => (group.mesh.visible ? pickStrand(group, view, x, y) : null)),
    ].filter(Boolean);
    const seen = hits.reduce((a, b) => (a === null || b.depth < a.depth ? b : a), null);
    return seen || (this.rods.body.visible ? this.obstacles.pick(view, x, y) : null);
  }

  // True where the path is much larger than the rods: then it is best to follow them and to show traces.
  get wanders() {
    return this.extent.wanders;
  }

  rodColour(r) {
    return SERIES[r % SERIES.length];
  }

  // --- drawing ---

  resize() {
    this.width = Math.max(this.canvas.clientWidth, 1);
    this.height = Math.max(this.canvas.clientHeight, 1);
    this.renderer.setSize(this.width, this.height, false);
    this.camera.resize(this.width, this.height);
  }

  render() {
    if (this.ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(this.ratio); // clears it
    this.camera.update();
    const { camera } = this.camera;
    const axis = (i) => this.axis.setFromMatrixColumn(camera.matrixWorld, i);
    const toView = this.toView.setFromMatrix4(camera.matrixWorldInverse);
    this.shared.up.value.copy(this.basis.up).applyMatrix3(toView);
    this.shared.lamp.value
      .copy(this.basis.up)
      .multiplyScalar(0.75)
      .addScaledVector(axis(0), -0.45)
      .addScaledVector(axis(1), 0.25)
      .addScaledVector(axis(2), 0.75)
      .normalize()
      .applyMatrix3(toView);
    this.shared.pixel.value = this.camera.pixelAt(this.height);
    this.network.face(this.pose, axis(2));
    this.strands.forEach((group) => group.chooseShape(this.camera.distance()));
    this.tips.forEach((tips) => tips.setRatio(this.ratio));
    this.renderer.clear();
    this.renderer.render(this.scene, camera);
    this.gizmo.render(this.renderer, camera, this.width);
    if (this.ratio > 1 && !this.software) this.speed.watch(() => this.lowerResolution());
  }

  lowerResolution() {
    this.ratio = 1;
    this.changed();
  }

  onChange(listener) {
    this.listeners.push(listener);
  }
}
