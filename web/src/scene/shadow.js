// SPDX-License-Identifier: MIT
// Shadows of rods straight down on the ground: one flat strip for each rod, as wide as the rod is seen from
// above.

import * as THREE from 'three';
import { placesAlong } from './detail.js';
import { HEAD, POINTS } from './shaders.js';

const VERTEX = /* glsl */ `${HEAD}${POINTS}
uniform float thickness;
uniform vec4 plane;        // normal and height
uniform float fade;        // height above the plane at which the shadow is gone
in vec3 place;             // point, side, 1 for a round section
out float vHeight;
void main() {
  Section here = sectionAt(place.x);
  vec3 aside = cross(cross(here.d1, here.d2), plane.xyz);
  aside /= max(length(aside), 1e-4);
  vec2 reach = abs(here.half_ * vec2(dot(here.d1, aside), dot(here.d2, aside)));
  float half_ = place.z > 0.5 ? length(reach) : reach.x + reach.y;
  vec3 p = here.at + place.y * thickness * half_ * aside;
  float height = dot(p, plane.xyz) - plane.w;
  vHeight = clamp(height / fade, 0.0, 1.0);
  gl_Position = projectionMatrix * viewMatrix * vec4(p - height * plane.xyz, 1.0);
}`;

const FRAGMENT = /* glsl */ `precision highp float;
uniform float strength;
in float vHeight;
out vec4 colour;
void main() { colour = vec4(0.0, 0.0, 0.0, strength * (1.0 - vHeight)); }`;

function strips(run, starts, detail) {
  const place = [];
  const index = [];
  run.rods.forEach((rod, r) => {
    const round = rod.section === 'rectangle' ? 0 : 1;
    for (const p of placesAlong(rod.points, detail)) {
      const v = place.length / 3;
      const at = starts[r] + p;
      place.push(at, -1, round, at, 1, round);
      if (p > 0) index.push(v - 2, v - 1, v, v, v - 1, v + 1);
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('place', new THREE.BufferAttribute(new Float32Array(place), 3));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(index), 1));
  return geometry;
}

// The stencil lets each pixel be darkened only once.
export function createShadow(run, pose, shared, { plane, detail }) {
  const mesh = new THREE.Mesh(
    strips(run, pose.starts, detail),
    new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      uniforms: {
        ...shared,
        points: { value: pose.texture },
        strength: { value: 0.2 },
        plane: { value: plane.equation },
        fade: { value: plane.fade },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      stencilWrite: true,
      stencilFunc: THREE.EqualStencilFunc,
      stencilRef: 0,
      stencilZPass: THREE.IncrementStencilOp,
    }),
  );
  mesh.frustumCulled = false;
  mesh.renderOrder = 1;
  return mesh;
}
