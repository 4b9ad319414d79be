/* SPDX-License-Identifier: MIT */
/* See published.h. */
#include "scenes/published.h"

#include <assert.h>
#include <stdio.h>

static wy_case scene(const char *scenario, const char *rod, int segments) {
  wy_case c = wy_case_load(scenario, rod, NULL, 0);
  c.rod.segments = segments;
  return c;
}

/* ---- Lang, Linn, Arnold; Lang, Arnold ---- */

wy_case wy_scene_rubber(int segments) {
  return scene("rubber-pendulum", "pendulum", segments);
}

wy_case wy_scene_steel(int segments) {
  return scene("steel-string", "string", segments);
}

/* Numbers that do not vary need no scenario behind them. */
static wy_rod_def rod_alone(wy_case c, const char *name) {
  wy_rod_def rod = c.rod;
  assert(!c.trouble.text[0] && !rod.section.radius.evaluate && !rod.material.young.evaluate);
  assert(!rod.segment_lengths && !rod.maxwell);
  rod.name = name;
  wy_case_destroy(&c);
  return rod;
}

wy_rod_def wy_scene_rubber_rod(int segments) {
  return rod_alone(wy_scene_rubber(segments), "pendulum");
}

wy_rod_def wy_scene_steel_rod(int segments) {
  return rod_alone(wy_scene_steel(segments), "string");
}

wy_case wy_scene_undamped(int segments) {
  return scene("rubber-pendulum-undamped", "pendulum", segments);
}

wy_case wy_scene_pushed(int segments) {
  wy_case c = scene("cable-push", "cable", segments);
  c.statics = true;
  return c;
}

wy_case wy_scene_pendulum(wy_rod_kind kind, int segments) {
  wy_case c = scene("rubber-pendulum-undamped", "pendulum", segments);
  c.rod.kind = kind;
  c.rod.material.has_shear = true;
  c.rod.material.shear = wy_constant(1.67e6);
  c.rod.shear_factors[0] = c.rod.shear_factors[1] = 0.89;
  return c;
}

/* ---- Kinon, Eugster, Betsch ---- */

wy_case wy_scene_spaghetti(int elements) {
  return scene("flying-spaghetti", "spaghetti", elements);
}

wy_case wy_scene_aluminium(int elements, bool maxwell) {
  return scene(maxwell ? "aluminium-cantilever-viscoelastic" : "aluminium-cantilever", "rod", elements);
}

wy_case wy_scene_bent(int elements, bool constrained) {
  return scene("bent-cantilever", constrained ? "rigid" : "soft", elements);
}

wy_case wy_scene_arm(int elements, wy_manoeuvre path) {
  wy_case c = scene(path == WY_ARM_HEART ? "soft-arm-heart" : "soft-arm-circle", "arm", elements);
  if (path == WY_ARM_AT_REST)
    c.actuators = 0;
  return c;
}

/* ---- Fuetterer, Klar, Wegener ---- */

wy_case wy_scene_cylinder(int segments, double delta, double gamma) {
  char d[48], g[48];
  snprintf(d, sizeof d, "constants.d=%.17g", delta);
  snprintf(g, sizeof g, "constants.g=%.17g", gamma);
  const char *const settings[] = {d, g};
  wy_case c = wy_case_load("transversal-oscillation", "rod", settings, 2);
  c.rod.segments = segments;
  return c;
}

wy_case wy_scene_torsion(int segments) {
  return scene("torsional-wave", "rod", segments);
}

wy_case wy_scene_twisted(int segments) {
  return scene("twisted-falling-rod", "rod", segments);
}

/* ---- Sobottka, Lay, Weber ---- */

wy_case wy_scene_cantilever(int cells) {
  const double stiffness[6] = {1, 1, 1, 0.02, 0.02, 0.02}, inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  wy_case c = wy_case_new();
  wy_case_section(&c, stiffness, inertia);
  c.rod.name = "rod";
  c.rod.kind = WY_INEXTENSIBLE;
  c.rod.length = 1;
  c.rod.segments = cells;
  c.rod.shape.direction[0] = 1;
  c.rod.shape.d1[1] = 1;
  c.rod.ends[WY_START] = wy_end_clamped();
  c.gravity[1] = -1;
  c.solver.scheme = "box";
  return c;
}

wy_case wy_scene_strut(int cells) {
  wy_case c = scene("buckling-strut", "strut", cells);
  c.statics = true;
  return c;
}

wy_case wy_scene_coil(int cells) {
  return scene("coil-spring", "wire", cells);
}

double wy_scene_coil_height(const wy_case *c) {
  return c->rod.shape.helix.pitch * c->rod.shape.helix.turns;
}

wy_case wy_scene_tress(int cells) {
  return scene("hair-tress", "guide", cells);
}
