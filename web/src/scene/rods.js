// SPDX-License-Identifier: MIT
// Everything drawn of the rods themselves: bodies, actuators, the undeformed shape as a ghost, shadows on the
// ground.

import * as THREE from 'three';
import { SERIES, rgb } from './colours.js';
import { detailFor } from './detail.js';
import { Pose, addNeighbours, finishFrame } from './pose.js';
import { TEXELS } from './shaders.js';
import { createShadow } from './shadow.js';
import { actuatorGeometry, rodGeometry, tubeMaterial, tubeMesh } from './tubes.js';

// Smallest radius of rods and tendons in pixels of the screen, so that a thin wire can be seen.
const LEAST = 1.2;

// Linear light of a css colour, as the shaders take it; lift moves it towards white.
export function linear(text, lift = 0) {
  const [r, g, b] = rgb(text).map((c) => ((c / 255) * (1 - lift) + lift) ** 2.2);
  return new THREE.Vector3(r, g, b);
}

// The texture of the undeformed rods: d1 is carried along from the start.
function restPose(run) {
  const pose = new Pose(run);
  pose.update();
  const stride = 4 * TEXELS;
  run.rods.forEach((rod, r) => {
    if (!rod.rest) return;
    const start = pose.starts[r] * stride;
    for (let p = 0; p < rod.points; p++) {
      pose.data.set(rod.rest.subarray(3 * p, 3 * p + 3), start + p * stride);
    }
    for (let p = 0; p < rod.points; p++) {
      const at = start + p * stride;
      if (p > 0) pose.data.copyWithin(at + 4, at - stride + 4, at - stride + 7);
      finishFrame(pose.data, pose.starts[r] + p, pose.starts[r], pose.starts[r] + rod.points - 1, false);
    }
    addNeighbours(pose.data, pose.starts[r], rod.points);
  });
  return pose;
}

export class Rods {
  constructor(run, pose, shared, { plane, software }) {
    this.run = run;
    this.pose = pose;
    this.shared = shared;
    this.own = {
      points: { value: pose.texture },
      least: { value: LEAST },
      opacity: { value: 1 },
      palette: { value: SERIES.map((c) => linear(c)) },
      striped: { value: 1 },
      stripeColour: { value: new THREE.Vector3(1, 1, 1) },
    };
    const detail = detailFor(pose.points, run.rods.length, software);
    const geometry = rodGeometry(run, pose.starts, detail);
    const clear = { ...this.own, opacity: { value: 0.15 } };
    this.body = tubeMesh(geometry, [
      tubeMaterial(shared, this.own),
      tubeMaterial(shared, clear, { defines: { CLEAR: 1 }, transparent: true, depthWrite: false }),
    ]);
    this.body.renderOrder = 4;
    this.shadow = createShadow(run, pose, shared, { plane, detail });
    this.addActuators(detail);
    this.addGhost(geometry);
    this.meshes = [this.body, this.shadow, this.actuators, this.ghost].filter(Boolean);
  }

  addActuators(detail) {
    const all = this.run.rods.flatMap((rod) => rod.actuators);
    this.actuators = null;
    if (all.length === 0) return;
    this.forces = all.map((actuator) => actuator.force);
    const largest = (kind) =>
      Math.max(
        ...all
          .filter((a) => a.kind === kind)
          .map((a) => a.force.reduce((m, f) => Math.max(m, Math.abs(f)), 0)),
      );
    this.largest = all.map((actuator) => largest(actuator.kind));
    this.levels = new Float32Array(4 * all.length);
    all.forEach((actuator, i) => {
      this.levels[4 * i + 1] = actuator.kind === 'tendon' ? 0 : 1;
    });
    this.levelTexture = new THREE.DataTexture(this.levels, all.length, 1, THREE.RGBAFormat, THREE.FloatType);
    this.tints = { value: Array.from({ length: 4 }, () => new THREE.Vector3()) };
    this.actuators = tubeMesh(
      actuatorGeometry(this.run, this.pose.starts, detail),
      tubeMaterial(
        this.shared,
        {
          ...this.own,
          levels: { value: this.levelTexture },
          tints: this.tints,
        },
        { defines: { ASIDE: 1 } },
      ),
    );
  }

  addGhost(geometry) {
    this.ghost = null;
    if (!this.run.rods.some((rod) => rod.rest)) return;
    this.rest = restPose(this.run);
    this.ghostOwn = {
      ...this.own,
      points: { value: this.rest.texture },
      opacity: { value: 0.3 },
      striped: { value: 0 },
      limits: { value: new THREE.Vector2(0, -1) },
      palette: { value: SERIES.map(() => new THREE.Vector3()) },
      thickness: { value: 1 },
    };
    const material = tubeMaterial(
      { ...this.shared, ...this.ghostOwn },
      {},
      { transparent: true, depthWrite: false },
    );
    this.ghost = tubeMesh(geometry, [material, material]);
    this.ghost.renderOrder = 3;
    this.ghost.visible = false;
  }

  // Takes what changes with time from the pose.
  update() {
    if (!this.actuators) return;
    const { from, to, part } = this.pose.moment();
    this.forces.forEach((force, i) => {
      const now = (1 - part) * force[from] + part * force[to];
      this.levels[4 * i] = this.largest[i] > 0 ? Math.abs(now) / this.largest[i] : 0;
    });
    this.levelTexture.needsUpdate = true;
  }

  setThickness(factor) {
    if (this.ghost) this.ghostOwn.thickness.value = 0.97 * factor;
  }

  setTheme(theme) {
    this.own.palette.value = SERIES.map((c) => linear(c, theme.lift));
    this.own.stripeColour.value = linear(theme.stripe);
    this.shadow.material.uniforms.strength.value = theme.shadow;
    if (this.actuators) this.tints.value = [...theme.tendon, ...theme.chamber].map((c) => linear(c));
    if (this.ghost) this.ghostOwn.palette.value.forEach((c) => c.copy(linear(theme.ghost)));
  }
}
