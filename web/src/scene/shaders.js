// SPDX-License-Identifier: MIT
// What all shaders of the scene share: colour spaces, lighting, and how a point of a rod is read from its
// texture.

// Points are stored row by row, ROW_POINTS in each, three texels a point: position and value, d1 and half
// extent along it, d2 and half extent along it. One more point lies before and after each rod, so that every
// point has two neighbours.
export const ROW_POINTS = 512;
export const TEXELS = 3;

// Between two points a rod is a smooth curve through its neighbours (Catmull-Rom by chord length).
export const CURVE = /* glsl */ `
vec3 curve(vec3 p0, vec3 p1, vec3 p2, vec3 p3, float t) {
  float h = length(p2 - p1);
  vec3 m1 = (p2 - p0) * h / max(length(p1 - p0) + h, 1e-30);
  vec3 m2 = (p3 - p1) * h / max(length(p3 - p2) + h, 1e-30);
  float u = 1.0 - t;
  return u * u * ((1.0 + 2.0 * t) * p1 + t * m1) + t * t * ((3.0 - 2.0 * t) * p2 - u * m2);
}`;

// sectionAt gives the section at a point, or between points where its number is not whole.
export const POINTS = /* glsl */ `${CURVE}
uniform highp sampler2D points;
struct Section { vec3 at; vec3 d1; vec3 d2; vec2 half_; float value; };
vec4 texelOf(int i, int k) {
  return texelFetch(points, ivec2((i & ${ROW_POINTS - 1}) * ${TEXELS} + k, i >> ${Math.log2(ROW_POINTS)}), 0);
}
Section sectionAt(float where) {
  int i = int(floor(where + 0.001));
  float t = where - float(i);
  vec4 a = texelOf(i, 0);
  vec4 b = texelOf(i, 1);
  vec4 c = texelOf(i, 2);
  if (t > 0.01) {
    vec4 next = texelOf(i + 1, 0);
    a.xyz = curve(texelOf(i - 1, 0).xyz, a.xyz, next.xyz, texelOf(i + 2, 0).xyz, t);
    a.w = mix(a.w, next.w, t);
    b = mix(b, texelOf(i + 1, 1), t);
    c = mix(c, texelOf(i + 1, 2), t);
    b.xyz /= max(length(b.xyz), 1e-6);
    c.xyz /= max(length(c.xyz), 1e-6);
  }
  return Section(a.xyz, b.xyz, c.xyz, vec2(b.w, c.w), a.w);
}`;

export const HEAD = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;`;

// Colours are mixed in linear light and written as sRGB.
export const LINEAR = /* glsl */ `
vec3 toLinear(vec3 c) { return c * c * (c * 0.305306011 + 0.682171111) + c * 0.012522878; }
vec3 toScreen(vec3 c) { return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }`;

// Matt rubber: light of the sky and of the ground, a soft lamp that goes with the camera, a dim sheen, a rim.
export const LIGHT = /* glsl */ `
uniform vec3 up;      // all in view space
uniform vec3 lamp;
uniform vec3 sky;
uniform vec3 ground;
uniform float key;
uniform float rim;
vec3 lit(vec3 albedo, vec3 n, vec3 toEye, float sheen) {
  float above = 0.5 + 0.5 * dot(n, up);
  vec3 ambient = mix(ground, sky, above * above * (3.0 - 2.0 * above));
  float facing = clamp((dot(n, lamp) + 0.25) / 1.25, 0.0, 1.0);
  float shine = pow(max(dot(n, normalize(lamp + toEye)), 0.0), 36.0);
  float edge = 1.0 - clamp(dot(n, toEye), 0.0, 1.0);
  vec3 soft = albedo * (0.46 * ambient + 0.62 * key * facing);
  return soft + sheen * shine * key + rim * edge * edge * edge * sky * (0.35 + 0.65 * above);
}`;
