// SPDX-License-Identifier: MIT
// The ground grid below the lowest point, normal to `up`: lines that fade out towards a circle.

import * as THREE from 'three';
import { HEAD } from './shaders.js';

// A pitch of 1, 2 or 5 times a power of ten of which about `cells` fit into `size`.
export function gridPitch(size, cells = 9) {
  const raw = size / cells;
  const power = 10 ** Math.floor(Math.log10(raw));
  const digit = raw / power;
  let step = 10;
  if (digit <= 1.5) step = 1;
  else if (digit <= 3.5) step = 2;
  else if (digit <= 7.5) step = 5;
  return step * power;
}

const VERTEX = /* glsl */ `${HEAD}
uniform mat4 modelMatrix;
in vec3 position;
out float vAway;           // squared distance from the middle, 1 where the grid ends
in float away;
void main() {
  vAway = away;
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = /* glsl */ `precision highp float;
uniform vec3 gridColour;
uniform float strength;
in float vAway;
out vec4 colour;
void main() { colour = vec4(gridColour, strength * clamp(1.0 - vAway, 0.0, 1.0)); }`;

// Both families of lines within the circle, at multiples of the pitch; each in pieces, so that it can fade.
function lines([x, y], reach, pitch, pieces = 12) {
  const position = [];
  const away = [];
  const piece = (along, at, from, to) => {
    for (const t of [from, to]) {
      position.push(...(along === 0 ? [x + t, at, 0] : [at, y + t, 0]));
      const off = at - (along === 0 ? y : x);
      away.push((t * t + off * off) / (reach * reach));
    }
  };
  for (let along = 0; along < 2; along++) {
    const middle = along === 0 ? y : x;
    for (let k = Math.ceil((middle - reach) / pitch); k * pitch <= middle + reach; k++) {
      const off = k * pitch - middle;
      const half = Math.sqrt(Math.max(reach * reach - off * off, 0));
      for (let i = 0; i < pieces; i++) {
        piece(along, k * pitch, half * ((2 * i) / pieces - 1), half * ((2 * (i + 1)) / pieces - 1));
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute('away', new THREE.BufferAttribute(new Float32Array(away), 1));
  return geometry;
}

// The grid: `basis` has right, back, up; height is that of the plane along up; middle is in (right, -back).
export function createGrid({ basis, height, middle, reach, pitch }) {
  const mesh = new THREE.LineSegments(
    lines(middle, reach, pitch),
    new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      uniforms: { gridColour: { value: new THREE.Color() }, strength: { value: 1 } },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
    }),
  );
  mesh.matrixAutoUpdate = false;
  mesh.matrix.makeBasis(basis.right, basis.back.clone().negate(), basis.up);
  mesh.matrix.setPosition(basis.up.clone().multiplyScalar(height));
  mesh.frustumCulled = false;
  mesh.renderOrder = 0;
  return mesh;
}
