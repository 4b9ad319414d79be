// SPDX-License-Identifier: MIT
// The triad of axes in a corner of the picture, with the arrow of gravity; it turns with the camera.

import * as THREE from 'three';
import { Label, arrowGeometry, createCopies, placeArrow } from './marks.js';
import { linear } from './rods.js';

const SIZE = 116; // css pixels
const SMALL = 84; // in narrow pictures
const NAMES = ['x', 'y', 'z'];
const COLOURS = ['#d1495b', '#3a9d5d', '#3f7fd0'];

// Pixels of the corner that it takes in a picture so wide.
export function triadEdge(width) {
  return width < 560 ? SMALL : SIZE;
}

export class Gizmo {
  constructor(shared, gravity = [0, 0, 0]) {
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(30, 1, 0.1, 20);
    this.axes = createCopies(arrowGeometry(0.045, 0.13, 0.34), 3, shared);
    this.axisLabels = NAMES.map((name, i) => {
      const along = new THREE.Vector3().setComponent(i, 1);
      placeArrow(
        this.axes,
        i,
        new THREE.Vector3(),
        along,
        1,
        new THREE.Color(...linear(COLOURS[i]).toArray()),
      );
      return this.addLabel(name, along.multiplyScalar(1.26));
    });
    this.scene.add(this.axes);
    this.shown = { axes: true, gravity: true };
    this.along = new THREE.Vector3(...gravity);
    this.gravity = null;
    if (this.along.length() > 0) this.addGravity(shared);
  }

  addLabel(text, place) {
    const label = new Label(text, 21);
    label.uniforms.place.value.copy(place);
    this.scene.add(label.mesh);
    return label;
  }

  // Shorter and thicker than the axes, so that it is none of them.
  addGravity(shared) {
    this.along.normalize();
    this.gravity = createCopies(arrowGeometry(0.09, 0.21, 0.46), 1, shared);
    this.gravityLabel = this.addLabel('g', this.along.clone().multiplyScalar(1.1));
    this.scene.add(this.gravity);
  }

  setTheme(ink, gravityInk, gravityColour) {
    this.axisLabels.forEach((label) => label.uniforms.ink.value.setFromColor(ink));
    if (!this.gravity) return;
    this.gravityLabel.uniforms.ink.value.setFromColor(gravityInk);
    placeArrow(this.gravity, 0, new THREE.Vector3(), this.along, 0.86, gravityColour);
  }

  setVisible(part, on) {
    this.shown[part] = on;
    const parts =
      part === 'axes'
        ? [this.axes, ...this.axisLabels.map((label) => label.mesh)]
        : [this.gravity, this.gravityLabel && this.gravityLabel.mesh];
    parts.filter(Boolean).forEach((mesh) => {
      mesh.visible = on;
    });
  }

  render(renderer, camera, width) {
    if (!this.shown.axes && !this.shown.gravity) return;
    this.camera.up.setFromMatrixColumn(camera.matrixWorld, 1);
    this.camera.position.setFromMatrixColumn(camera.matrixWorld, 2).multiplyScalar(5.9);
    this.camera.lookAt(0, 0, 0);
    const size = renderer.getSize(new THREE.Vector2());
    const edge = triadEdge(width);
    [...this.axisLabels, this.gravityLabel].forEach((label) => label && label.setViewport(edge, edge));
    renderer.clearDepth();
    renderer.setViewport(4, 4, edge, edge);
    renderer.render(this.scene, this.camera);
    renderer.setViewport(0, 0, size.x, size.y);
  }
}
