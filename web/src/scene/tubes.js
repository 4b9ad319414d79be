// SPDX-License-Identifier: MIT
// Tubes: rods, their undeformed shape, tendons and chambers. One mesh holds all rods; its vertices only know
// which point of which rod they belong to and where on the section they are, the rest is read from the
// texture of the pose.

import * as THREE from 'three';
import { placesAlong } from './detail.js';
import { HEAD, LIGHT, LINEAR, POINTS } from './shaders.js';

// Corners of a section in units of its half extents, with normals: round, or a rectangle with slightly
// rounded edges.
function roundSection(sides) {
  return Array.from({ length: sides }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return { x: Math.cos(angle), y: Math.sin(angle), nx: Math.cos(angle), ny: Math.sin(angle) };
  });
}

function rectangleSection(width, height) {
  const edge = 0.14 * Math.min(width, height);
  const x = 1 - (width > 0 ? edge / width : 0);
  const y = 1 - (height > 0 ? edge / height : 0);
  return [
    { x: 1, y: -y, nx: 1, ny: 0 },
    { x: 1, y, nx: 1, ny: 0 },
    { x, y: 1, nx: 0, ny: 1 },
    { x: -x, y: 1, nx: 0, ny: 1 },
    { x: -1, y, nx: -1, ny: 0 },
    { x: -1, y: -y, nx: -1, ny: 0 },
    { x: -x, y: -1, nx: 0, ny: -1 },
    { x, y: -1, nx: 0, ny: -1 },
  ];
}

// Where the stripe is: beyond stripe.x along d1 and within stripe.y of the middle. A flat ribbon wears it on
// the edge that d1 points to, all others in the middle of that side.
function stripeOf(rod) {
  if (rod.section !== 'rectangle') return [0, 0.24];
  return rod.half[0] > rod.half[1] ? [0.78, 2] : [0, 0.2];
}

// Grows the arrays of a geometry.
class Builder {
  constructor() {
    this.place = []; // point, number of the rod or actuator, section x and y
    this.normal = []; // in (d1, d2, d3)
    this.stripe = [];
    this.aside = []; // of actuators: offset along d1 and d2, radius
    this.index = [];
    this.count = 0;
  }

  vertex(point, number, x, y, normal, stripe, aside) {
    this.place.push(point, number, x, y);
    this.normal.push(...normal);
    this.stripe.push(...stripe);
    if (aside) this.aside.push(...aside);
    return this.count++;
  }

  // Rings at all places along the rod, joined by faces, and a cap at each end.
  tube({ start, points, number, section, stripe, aside, detail }) {
    let before = null;
    for (const p of placesAlong(points, detail)) {
      const ring = section(p).map((c) =>
        this.vertex(start + p, number, c.x, c.y, [c.nx, c.ny, 0], stripe, aside && aside(p)),
      );
      if (before) this.join(before, ring, false);
      if (p === 0) this.cap(start, number, section(0), stripe, aside && aside(0), ring, -1);
      before = ring;
    }
    const last = points - 1;
    this.cap(start + last, number, section(last), stripe, aside && aside(last), before, 1);
  }

  join(a, b, flip) {
    const n = a.length;
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n;
      if (flip) this.index.push(a[i], b[i], a[j], a[j], b[i], b[j]);
      else this.index.push(a[i], a[j], b[i], a[j], b[j], b[i]);
    }
  }

  // Normals turn from the side to the end over a narrow margin: the edge looks soft though the end is flat.
  cap(point, number, section, stripe, aside, ring, sign) {
    const normal = [0, 0, sign];
    const inner = section.map((c) =>
      this.vertex(point, number, 0.86 * c.x, 0.86 * c.y, normal, stripe, aside),
    );
    const centre = this.vertex(point, number, 0, 0, normal, stripe, aside);
    this.join(ring, inner, sign < 0);
    for (let i = 0; i < inner.length; i++) {
      const j = (i + 1) % inner.length;
      if (sign < 0) this.index.push(inner[j], inner[i], centre);
      else this.index.push(inner[i], inner[j], centre);
    }
  }

  // groups: where in the index each material begins, and the end.
  geometry(groups = null) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('place', new THREE.BufferAttribute(new Float32Array(this.place), 4));
    geometry.setAttribute(
      'normal',
      new THREE.BufferAttribute(new Int8Array(this.normal.map((n) => Math.round(127 * n))), 3, true),
    );
    geometry.setAttribute('stripe', new THREE.BufferAttribute(new Float32Array(this.stripe), 2));
    if (this.aside.length > 0)
      geometry.setAttribute('aside', new THREE.BufferAttribute(new Float32Array(this.aside), 3));
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(this.index), 1));
    for (let i = 0; groups && i + 1 < groups.length; i++) {
      if (groups[i + 1] > groups[i]) geometry.addGroup(groups[i], groups[i + 1] - groups[i], i);
    }
    return geometry;
  }
}

// A number between those that an array has at whole places: values[stride * p + c].
function between(values, stride, c, p) {
  const i = Math.floor(p);
  const t = p - i;
  const value = values[stride * i + c];
  return t > 0 ? value + t * (values[stride * (i + 1) + c] - value) : value;
}

// The mesh data of all rods: rods that show what is inside of them come last, as a group of their own.
export function rodGeometry(run, starts, detail) {
  const builder = new Builder();
  const add = (rod, r) => {
    const flat = rod.section === 'rectangle';
    const round = roundSection(detail.sides);
    const section = flat
      ? (p) => rectangleSection(between(rod.half, 2, 0, p), between(rod.half, 2, 1, p))
      : () => round;
    builder.tube({ start: starts[r], points: rod.points, number: r, section, stripe: stripeOf(rod), detail });
  };
  run.rods.forEach((rod, r) => !isClear(rod) && add(rod, r));
  const solid = builder.index.length;
  run.rods.forEach((rod, r) => isClear(rod) && add(rod, r));
  return builder.geometry([0, solid, builder.index.length]);
}

// True where the rod has actuators inside, so that it is drawn as a clear body.
export function isClear(rod) {
  return rod.actuators.some((actuator) => {
    for (let p = 0; p < rod.points; p++) {
      const o = Math.hypot(actuator.offset[2 * p], actuator.offset[2 * p + 1]);
      if (o < Math.max(rod.half[2 * p], rod.half[2 * p + 1])) return true;
    }
    return false;
  });
}

// Tendons are thin; a chamber fills what is left between its middle, the wall and the middle of the rod.
function actuatorRadius(rod, actuator, p) {
  const least = Math.min(between(rod.half, 2, 0, p), between(rod.half, 2, 1, p));
  if (actuator.kind === 'tendon') return 0.05 * least;
  const offset = Math.hypot(between(actuator.offset, 2, 0, p), between(actuator.offset, 2, 1, p));
  const room = Math.min(least - offset, offset > 0 ? 0.9 * offset : least);
  return Math.min(Math.max(0.8 * room, 0.12 * least), 0.45 * least);
}

export function actuatorGeometry(run, starts, detail) {
  const builder = new Builder();
  let number = 0;
  run.rods.forEach((rod, r) => {
    for (const actuator of rod.actuators) {
      const section = roundSection(actuator.kind === 'tendon' ? 8 : 16);
      const { offset } = actuator;
      const aside = (p) => [
        between(offset, 2, 0, p),
        between(offset, 2, 1, p),
        actuatorRadius(rod, actuator, p),
      ];
      builder.tube({
        start: starts[r],
        points: rod.points,
        number,
        section: () => section,
        stripe: [2, 0],
        aside,
        detail,
      });
      number += 1;
    }
  });
  return builder.geometry();
}

// --- shaders ---

const VERTEX = /* glsl */ `${HEAD}${POINTS}
uniform float thickness;   // what the radius is multiplied by
uniform float pixel;       // size of a pixel at distance 1
uniform float least;       // smallest radius, in pixels
in vec4 place;
in vec3 normal;
in vec2 stripe;
out vec3 vNormal;
out vec3 vView;
out vec2 vSection;
flat out vec2 vStripe;
flat out float vNumber;
out float vValue;
#ifdef ASIDE
in vec3 aside;
#endif
void main() {
  Section here = sectionAt(place.x);
#ifdef ASIDE
  here.at += thickness * (aside.x * here.d1 + aside.y * here.d2);
  here.half_ = vec2(aside.z);
#endif
  float depth = max(-(viewMatrix * vec4(here.at, 1.0)).z, 0.0);
  vec2 reach = max(here.half_ * thickness, vec2(least * pixel * depth)) * place.zw;
  vec3 p = here.at + reach.x * here.d1 + reach.y * here.d2;
  vec3 n = normal.x * here.d1 + normal.y * here.d2 + normal.z * cross(here.d1, here.d2);
  vNormal = mat3(viewMatrix) * n;
  vec4 view = viewMatrix * vec4(p, 1.0);
  vView = view.xyz;
  vSection = place.zw;
  vStripe = stripe;
  vNumber = place.y;
  vValue = here.value;
  gl_Position = projectionMatrix * view;
}`;

const FRAGMENT = /* glsl */ `precision highp float;
precision highp int;
${LINEAR}${LIGHT}
uniform vec3 palette[6];
uniform sampler2D map;
uniform vec2 limits;       // smallest value, 1 / range
uniform float striped;
uniform vec3 stripeColour;
uniform float opacity;
uniform float glow;        // 1 on dark ground
in vec3 vNormal;
in vec3 vView;
in vec2 vSection;
flat in vec2 vStripe;
flat in float vNumber;
in float vValue;
out vec4 colour;
#ifdef ASIDE
uniform highp sampler2D levels;
uniform vec3 tints[4];
#endif
void main() {
  vec3 n = normalize(vNormal);
  vec3 toEye = normalize(-vView);
  vec3 albedo;
#ifdef ASIDE
  vec2 level = texelFetch(levels, ivec2(int(vNumber + 0.5), 0), 0).xy;
  albedo = level.y < 0.5 ? mix(tints[0], tints[1], level.x) : mix(tints[2], tints[3], level.x);
#else
  bool coloured = vValue > -1.0e37 && limits.y >= 0.0;
  if (coloured) {
    float t = clamp((vValue - limits.x) * limits.y, 0.0, 1.0);
    albedo = toLinear(texture(map, vec2(t * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb);
  } else {
    albedo = palette[int(mod(vNumber + 0.5, 6.0))];
  }
  vec2 blur = fwidth(vSection) + 1e-5;
  vec2 depth = vec2(vSection.x - vStripe.x, vStripe.y - abs(vSection.y));
  vec2 inside = smoothstep(-0.5 * blur, 0.5 * blur, depth);
  float seen = striped * inside.x * inside.y * (1.0 - smoothstep(0.25, 0.9, min(blur.x, blur.y)));
  float light = dot(albedo, vec3(0.2126, 0.7152, 0.0722)); // on light colours the stripe is dark
  vec3 contrast = mix(stripeColour, 0.25 * albedo, smoothstep(0.5, 0.6, light));
  albedo = mix(albedo, contrast, seen * (coloured ? 0.55 : 0.78));
  // A thin dark line on the other side, so that twist is seen from there too.
  float line = 1.0 - smoothstep(-0.5 * blur.y, 0.5 * blur.y, abs(vSection.y) - 0.07);
  line *= step(vStripe.x, 0.0) * step(vSection.x, 0.0);
  albedo *= 1.0 - 0.45 * striped * line * (1.0 - smoothstep(0.1, 0.4, blur.y));
#endif
  vec3 shaded = lit(albedo, n, toEye, 0.10);
  float alpha = opacity;
#ifdef CLEAR
  float edge = 1.0 - clamp(dot(n, toEye), 0.0, 1.0);
  alpha = mix(coloured ? 0.72 : opacity, 0.85, edge * edge * edge);
#endif
#ifndef ASIDE
  if (coloured) shaded += 0.22 * albedo + glow * (0.3 * albedo + 0.05); // as bright as the legend
#endif
  colour = vec4(toScreen(shaded), alpha);
}`;

// A material of tubes; uniforms are shared with the whole scene, `extra` are its own.
export function tubeMaterial(shared, extra, { defines = {}, ...options } = {}) {
  return new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    uniforms: { ...shared, ...extra },
    defines,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    ...options,
  });
}

export function tubeMesh(geometry, material) {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.frustumCulled = false;
  return mesh;
}
