// SPDX-License-Identifier: MIT
// The tips of the rods of a batch as points, of many more rods than are drawn whole.

import * as THREE from 'three';
import { HEAD } from './shaders.js';
import { copyBetween } from './strands.js';

const VERTEX = /* glsl */ `${HEAD}
uniform float size;
in vec4 place;
void main() {
  gl_Position = projectionMatrix * viewMatrix * vec4(place.xyz, 1.0);
  gl_PointSize = size;
}`;

const FRAGMENT = /* glsl */ `precision highp float;
uniform vec3 tint;
out vec4 colour;
void main() {
  vec2 away = 2.0 * gl_PointCoord - 1.0;
  if (dot(away, away) > 1.0) discard;
  colour = vec4(pow(tint, vec3(1.0 / 2.2)), 1.0);
}`;

const SIZE = 3; // pixels of the screen

export class Tips {
  constructor(group, shared) {
    const { tips } = group.batch;
    this.tips = tips;
    this.places = new THREE.BufferAttribute(new Float32Array(4 * tips.count), 4);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('place', this.places);
    geometry.setDrawRange(0, tips.count);
    const material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      uniforms: { ...shared, tint: { value: new THREE.Vector3() }, size: { value: SIZE } },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
    });
    this.mesh = new THREE.Points(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  show({ from, to, part }) {
    copyBetween(this.tips.position, 3 * this.tips.count, from, to, part, this.places.array);
    this.places.needsUpdate = true;
  }

  // How many pixels of the picture are one of the screen.
  setRatio(ratio) {
    this.mesh.material.uniforms.size.value = SIZE * ratio;
  }

  setColour(colour) {
    this.mesh.material.uniforms.tint.value.copy(colour);
  }
}
