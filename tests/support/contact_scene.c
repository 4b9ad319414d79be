/* SPDX-License-Identifier: MIT */
#include "support/contact_scene.h"

#include <math.h>
#include <string.h>

static void between_knots(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const knots *k = context;
  (void)wrt, (void)s;
  int i = 0;
  while (i + 2 < k->count && t > i + 1)
    i++;
  const double slope = k->at[i + 1] - k->at[i];
  jet[0] = k->at[i] + slope * (t - i), jet[1] = slope, jet[2] = 0;
}

wy_signal signal_of(const knots *k) {
  return (wy_signal){0, between_knots, k, WY_TIME};
}

scene on_floor(int segments, double length, wy_rod_kind kind) {
  scene out = {.obstacle_count = 1, .gravity = {0, 0, -9.81}, .end = 10};
  wy_rod_def *rod = &out.rod;
  *rod = wy_default_rod_def();
  rod->kind = kind, rod->segments = segments, rod->length = length;
  rod->section.shape = WY_CIRCLE;
  rod->section.radius = wy_constant(radius);
  rod->material.given = true;
  rod->material.density = wy_constant(1100);
  rod->material.young = wy_constant(5e6);
  rod->material.poisson = wy_constant(0.5);
  rod->shape.direction[0] = 1, rod->shape.direction[2] = 0;
  rod->shape.origin[2] = radius;
  out.obstacles[0] = wy_default_obstacle_def();
  out.obstacles[0].name = "floor";
  out.contact = wy_default_contact_def();
  for (int i = 0; i < 2; i++)
    out.loads[i] = wy_default_load_def();
  out.scheme = "staggered";
  return out;
}

void make_slender(scene *at, double bending) {
  const double stiffness[6] = {1e4, 1e4, 1e4, bending, bending, bending}, inertia[4] = {1e-2, 1e-6, 1e-6, 2e-6};
  wy_rod_def rod = wy_default_rod_def();
  rod.kind = at->rod.kind, rod.segments = at->rod.segments, rod.length = at->rod.length;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.shape.direction[0] = 1, rod.shape.direction[2] = 0;
  at->rod = rod;
}

scene over_drum(int segments, double length, double bending, double r, double round) {
  scene out = on_floor(segments, length, WY_INEXTENSIBLE);
  make_slender(&out, bending);
  out.rod.shape.origin[2] = round;
  out.rod.contact.radius = wy_constant(r);
  out.rod.contact.stiffness = 1e6;
  out.gravity[2] = 0;
  out.obstacles[0].shape = WY_OBSTACLE_CYLINDER;
  out.obstacles[0].radius = round - r, out.obstacles[0].length = INFINITY;
  out.obstacles[0].axis[1] = 1, out.obstacles[0].axis[2] = 0;
  return out;
}

void use_scheme(scene *at, const char *scheme) {
  at->scheme = scheme;
  if (strcmp(scheme, "box") == 0)
    at->rod.kind = WY_INEXTENSIBLE;
}

void create(scene *at, bool statics) {
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  wy_message message = {0};
  def.rods = &at->rod, def.rod_count = 1;
  def.obstacles = at->obstacles, def.obstacle_count = at->obstacle_count;
  def.loads = at->loads, def.load_count = at->load_count;
  def.contact = &at->contact;
  memcpy(def.gravity, at->gravity, sizeof def.gravity);
  must(wy_model_create(&def, &at->model, &message), &message);
  sim.statics = statics, sim.end = at->end;
  sim.solver.scheme = at->scheme;
  if (at->order > 0)
    sim.solver.mixed.order = at->order;
  must(wy_sim_create(at->model, &sim, &at->sim, &message), &message);
}

void settle(scene *at) {
  wy_message message = {0};
  create(at, true);
  must(wy_sim_settle(at->sim, 0, &message), &message);
}

void follow(const scene *at, double t) {
  wy_message message = {0};
  must(wy_sim_follow(at->sim, t, &message), &message);
}

void destroy(const scene *at) {
  wy_sim_destroy(at->sim);
  wy_model_destroy(at->model);
}

double probe_at(const scene *at, wy_quantity quantity, double s, int component) {
  double value[4] = {0};
  must(wy_sim_probe(at->sim, quantity, 0, s, value, NULL), NULL);
  return value[component];
}

double push_of(const scene *at, int obstacle, int component) {
  wy_obstacle_state state;
  must(wy_sim_obstacle(at->sim, obstacle, 0, &state, NULL), NULL);
  return state.force[component];
}
