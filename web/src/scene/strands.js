// SPDX-License-Identifier: MIT
// Interpolated strands: thousands of thin ribbons that face the camera and are lit as hair. Their points of
// the frame shown lie in a texture; the ribbons themselves never change.

import * as THREE from 'three';
import { NO_VALUE } from './pose.js';
import { CURVE, HEAD, LINEAR } from './shaders.js';

const ROW = 1024;
const LERP_POINTS = 400000; // above that the nearest frame is shown
// Pieces of strands that are drawn in time by the graphics hardware, and by a software renderer while
// something moves and when nothing does.
const HARDWARE = 400000;
const MOVING = 12000;
const STILL = 80000;
const FINEST = 4; // pieces of a segment

// The middle of all strands follows their points in the texture: away from it is outside, which lights them
// as a body.
const VERTEX = /* glsl */ `${HEAD}${CURVE}${LINEAR}
uniform highp sampler2D strandPoints;
uniform int count;         // points of a strand
uniform int total;         // points of all strands
uniform float radius;
uniform float thickness;
uniform float pixel;
uniform vec3 up;           // view space
uniform vec3 lamp;
uniform vec3 hair[2];
uniform sampler2D map;
uniform vec2 limits;       // smallest value, 1 / range
uniform float glow;        // 1 on dark ground
in vec3 place;             // point, side, a random number for each strand
out vec3 vColour;
vec4 texelAt(int i) { return texelFetch(strandPoints, ivec2(i & ${ROW - 1}, i >> ${Math.log2(ROW)}), 0); }
vec3 pointAt(int i) { return texelAt(i).xyz; }
void main() {
  int i = int(floor(place.x + 0.01));
  float part = place.x - float(i);
  int within = i - count * int((float(i) + 0.5) / float(count)); // integers divide slowly
  vec4 here = texelAt(i);
  vec3 p1 = here.xyz;
  float value = here.w;
  vec3 p0 = pointAt(within > 0 ? i - 1 : i);
  vec3 p2 = pointAt(within < count - 1 ? i + 1 : i);
  vec3 middle = pointAt(total + within);
  vec3 t = p2 - p0;
  vec3 p = p1;
  if (part > 0.01) {
    vec3 p3 = pointAt(within < count - 2 ? i + 2 : i + 1);
    p = curve(p0, p1, p2, p3, part);
    t = curve(p0, p1, p2, p3, part + 0.05) - curve(p0, p1, p2, p3, part - 0.05);
    middle = mix(middle, pointAt(total + within + 1), part);
    value = mix(value, texelAt(i + 1).w, part);
  }
  float s = (float(within) + part) / float(count - 1);
  vec4 at = viewMatrix * vec4(p, 1.0);
  t = mat3(viewMatrix) * t;
  t /= max(length(t), 1e-20);
  vec3 toEye = normalize(-at.xyz);
  vec3 aside = cross(t, toEye);
  aside /= max(length(aside), 1e-6);
  vec3 outside = mat3(viewMatrix) * (p - middle);
  outside -= dot(outside, t) * t;
  vec3 front = cross(aside, t);
  outside /= max(length(outside), 1e-20);
  vec3 n = normalize(0.35 * sign(dot(front, toEye)) * front + outside + 0.3 * place.y * aside);
  bool coloured = value > -1.0e37 && limits.y >= 0.0;
  vec3 albedo = mix(hair[0], hair[1], place.z) * (0.8 + 0.4 * fract(7.31 * place.z)) * (0.8 + 0.25 * s);
  if (coloured) {
    int at255 = int(255.0 * clamp((value - limits.x) * limits.y, 0.0, 1.0) + 0.5);
    albedo = toLinear(texelFetch(map, ivec2(at255, 0), 0).rgb);
  }
  float tl = dot(t, lamp);
  float facing = clamp(0.5 + 0.5 * dot(n, lamp), 0.0, 1.0);
  float diffuse = facing * facing * (0.4 + 0.6 * sqrt(max(1.0 - tl * tl, 0.0)));
  float th = dot(t + 0.2 * (place.z - 0.5) * n, normalize(lamp + toEye));
  float q = max(1.0 - th * th, 0.0); // squared sine between strand and half way to the lamp
  float q8 = q * q * q * q * q * q * q * q;
  vColour = albedo * (0.34 + 0.22 * (0.5 + 0.5 * dot(n, up)) + 1.05 * diffuse)
    + facing * q8 * (0.8 * albedo + vec3(0.14) * q8 * q8 * q8 * q8);
  // As bright as the legend, with a little of the light.
  if (coloured) vColour = albedo * (0.55 + 0.45 * facing + 0.25 * glow) + vec3(0.08 * facing * q8);
  at.xyz += place.y * max(radius * thickness * (1.0 - 0.5 * s * s * s), 0.55 * pixel * -at.z) * aside;
  gl_Position = projectionMatrix * at;
}`;

const FRAGMENT = /* glsl */ `precision highp float;
${LINEAR}
in vec3 vColour;
out vec4 colour;
void main() { colour = vec4(toScreen(vColour), 1.0); }`;

// A number without a common divisor with count, about 0.618 times as large.
function spreadingStride(count) {
  const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
  let stride = Math.max(Math.round(0.618 * count), 1);
  while (divisor(stride, count) > 1) stride += 1;
  return stride;
}

// Places along all strands, in an order in which any part of them is spread evenly, each segment in `refine`
// pieces; sides: [0] for lines, [-1, 1] for ribbons.
function shapeOf({ count, points }, refine, sides) {
  const steps = (points - 1) * refine;
  const place = new Float32Array(3 * count * (steps + 1) * sides.length);
  const index = new Uint32Array((sides.length === 1 ? 2 : 6) * count * steps);
  let v = 0;
  let n = 0;
  const stride = spreadingStride(count);
  for (let i = 0; i < count; i++) {
    const strand = (i * stride) % count;
    const random = (0.618034 * (strand * strand + strand)) % 1;
    for (let k = 0; k <= steps; k++) {
      if (k < steps) {
        const face = sides.length === 1 ? [v, v + 1] : [v, v + 1, v + 2, v + 2, v + 1, v + 3];
        index.set(face, n);
        n += face.length;
      }
      for (const side of sides) {
        place.set([strand * points + k / refine, side, random], 3 * v);
        v += 1;
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('place', new THREE.BufferAttribute(place, 3));
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  return geometry;
}

// How many pieces a segment is drawn in, where at most about `most` are in all.
function refineFor(points, most) {
  return Math.max(Math.min(Math.floor(most / points), FINEST), 1);
}

// One group of strands. Software renderers draw strands thinner than a pixel as lines, in half of the time,
// and while pictures follow each other fewer strands, in fewer pieces.
export class Strands {
  constructor(group, shared, software) {
    this.group = group;
    this.shared = shared;
    this.quantity = null; // by which they are coloured
    this.points = group.count * group.points;
    const rows = Math.ceil((this.points + group.points) / ROW);
    this.data = new Float32Array(4 * ROW * rows);
    this.texture = new THREE.DataTexture(this.data, ROW, rows, THREE.RGBAFormat, THREE.FloatType);
    const material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      uniforms: {
        ...shared,
        strandPoints: { value: this.texture },
        count: { value: group.points },
        total: { value: this.points },
        radius: { value: group.radius },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: THREE.DoubleSide,
    });
    this.mesh = new THREE.Group();
    const still = software ? STILL : HARDWARE;
    this.still = this.addShapes(refineFor(this.points, still), material, false);
    this.moving = software ? this.addShapes(refineFor(this.points, MOVING), material, true) : this.still;
    this.current = this.still;
    if (software) this.drawFewer(this.moving);
  }

  addShapes(refine, material, withLines) {
    const { group } = this;
    const ribbons = new THREE.Mesh(shapeOf(group, refine, [-1, 1]), material);
    const lines = withLines ? new THREE.LineSegments(shapeOf(group, refine, [0]), material) : null;
    for (const shape of [ribbons, lines].filter(Boolean)) {
      shape.frustumCulled = false;
      this.mesh.add(shape);
    }
    return { ribbons, lines };
  }

  drawFewer({ ribbons, lines }) {
    const { count, points } = this.group;
    const drawn = Math.min(count, Math.ceil(MOVING / (points - 1)));
    for (const { geometry } of [ribbons, lines]) {
      geometry.setDrawRange(0, (geometry.index.count / count) * drawn);
    }
  }

  setMoving(on) {
    this.current = on ? this.moving : this.still;
  }

  // Ribbons or lines, by how wide a strand is at that distance.
  chooseShape(distance) {
    const pixels =
      (2 * this.group.radius * this.shared.thickness.value) / (this.shared.pixel.value * distance);
    const { ribbons, lines } = this.current;
    const chosen = lines && pixels < 1.2 ? lines : ribbons;
    this.mesh.children.forEach((shape) => {
      shape.visible = shape === chosen;
    });
  }

  show({ from, to, part }) {
    const between = this.points <= LERP_POINTS;
    const a = between || part < 0.5 ? from : to;
    const [b, share] = between ? [to, part] : [a, 0];
    copyBetween(this.group.position, 3 * this.points, a, b, share, this.data);
    this.addValues(a, b, share);
    this.addMiddle();
    this.texture.needsUpdate = true;
  }

  // --- by what rods of a batch are coloured: their speed, and the numbers in which they differ ---

  quantities() {
    const { batch } = this.group;
    return batch ? [...(batch.speed ? ['speed'] : []), ...Object.keys(batch.numbers)] : [];
  }

  // The smallest and the largest value in the whole run.
  range(name) {
    const { speed, numbers } = this.group.batch;
    return name === 'speed' ? speed.range() : rangeOf(numbers[name]);
  }

  addValues(from, to, part) {
    const { batch, points } = this.group;
    if (!batch) return;
    const { data, quantity } = this;
    const numbers = batch.numbers[quantity];
    const speed = quantity === 'speed' ? batch.speed : null;
    const [a, b] = [from * this.points, to * this.points];
    for (let i = 0, at = 3; i < this.points; i++, at += 4) {
      if (speed) data[at] = (1 - part) * speed.at(a + i) + part * speed.at(b + i);
      else data[at] = numbers ? numbers[Math.floor(i / points)] : NO_VALUE;
    }
  }

  // A point as it is shown, and the value that colours it.
  place(i) {
    return [this.data[4 * i], this.data[4 * i + 1], this.data[4 * i + 2]];
  }

  value(i) {
    const value = this.data[4 * i + 3];
    return value < NO_VALUE / 2 ? null : value;
  }

  // The mean of all strands at each of their points, after the points themselves.
  addMiddle() {
    const { count, points } = this.group;
    const start = 4 * this.points;
    this.data.fill(0, start, start + 4 * points);
    for (let i = 0, at = 0; i < count; i++) {
      for (let p = start; p < start + 4 * points; p += 4, at += 4) {
        this.data[p] += this.data[at] / count;
        this.data[p + 1] += this.data[at + 1] / count;
        this.data[p + 2] += this.data[at + 2] / count;
      }
    }
  }
}

function rangeOf(values) {
  return values.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
}

export function copyBetween({ numbers, scale, shift }, count, from, to, part, data) {
  const a = from * count;
  const b = to * count;
  const [kx, ky, kz] = scale;
  const [x, y, z] = shift;
  for (let i = 0, out = 0; i < count; i += 3, out += 4) {
    const u = numbers[a + i];
    const v = numbers[a + i + 1];
    const w = numbers[a + i + 2];
    data[out] = x + kx * (u + part * (numbers[b + i] - u));
    data[out + 1] = y + ky * (v + part * (numbers[b + i + 1] - v));
    data[out + 2] = z + kz * (w + part * (numbers[b + i + 2] - w));
  }
}
