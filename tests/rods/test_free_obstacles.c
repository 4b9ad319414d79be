/* SPDX-License-Identifier: MIT */
/* A rod hits a body that is free: both bounce off each other. What must be kept is, whatever the method; a body of
   large mass is one that is held; and where it is does not depend on who looks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/moving.h"

typedef struct hit {
  wy_rod_def rods[2];
  wy_body_def body;
  wy_obstacle_def slab;
  wy_contact_def contact;
  wy_port ports[2];
  wy_joint_def joint;
  wy_model_def def;
  wy_model *model;
  wy_sim *sim;
  wy_sim_def run;
} hit;

/* A rod of rubber comes down askew on the rim of a slab, which turns it and itself. */
static void set_hit(hit *out) {
  memset(out, 0, sizeof *out);
  wy_rod_def *rod = &out->rods[0];
  *rod = wy_default_rod_def();
  rod->name = "rod";
  rod->length = 0.25, rod->segments = 6;
  rod->section.shape = WY_CIRCLE, rod->section.radius.value = 5e-3;
  rod->material.given = true;
  rod->material.density.value = 1100, rod->material.young.value = 5e6, rod->material.poisson.value = 0.5;
  rod->initial.velocity[0].value = 0.3, rod->initial.velocity[2].value = -0.5;
  rod->shape.origin[2] = 0.01;
  rod->shape.direction[0] = cos(0.1), rod->shape.direction[1] = 0.1, rod->shape.direction[2] = sin(0.1);
  out->body = wy_default_body_def();
  out->body.name = "plate", out->body.mass = 0.02;
  out->body.inertia[0] = out->body.inertia[1] = 2e-5, out->body.inertia[2] = 4e-5;
  out->body.origin[0] = 0.1, out->body.origin[1] = 0.04, out->body.origin[2] = -0.03;
  out->slab = wy_default_obstacle_def();
  out->slab.name = "slab", out->slab.body = 0, out->slab.shape = WY_OBSTACLE_BOX;
  out->slab.dimensions[0] = 0.3, out->slab.dimensions[1] = 0.2, out->slab.dimensions[2] = 0.02;
  out->slab.position[2].value = 0.012; /* off the centre of mass */
  out->contact = wy_default_contact_def();
  out->contact.friction = 0.3, out->contact.speed = 1e-2;
  out->def = wy_default_model_def();
  out->def.rod_count = 1, out->def.rods = out->rods;
  out->def.body_count = 1, out->def.bodies = &out->body;
  out->def.obstacle_count = 1, out->def.obstacles = &out->slab;
  out->def.contact = &out->contact;
  out->run = wy_default_sim_def();
  out->run.end = 1;
}

static void set_method(hit *out, const char *integrator, double tolerance) {
  out->run.solver.integrator = integrator;
  out->run.solver.relative_tolerance = out->run.solver.absolute_tolerance = tolerance;
}

static void start(hit *out) {
  wy_message message = {0};
  must(wy_model_create(&out->def, &out->model, &message), &message);
  must(wy_sim_create(out->model, &out->run, &out->sim, &message), &message);
}

static void let_go(hit *made) {
  wy_sim_destroy(made->sim);
  wy_model_destroy(made->model);
}

static void go_to(const hit *made, double t) {
  wy_message message = {0};
  must(wy_sim_advance(made->sim, t, &message), &message);
}

static void tip(const hit *made, double place[4]) {
  wy_message message = {0};
  must(wy_sim_probe(made->sim, WY_POSITION, 0, 0.25, place, &message), &message);
}

static wy_body_state body_of(const hit *made) {
  wy_message message = {0};
  wy_body_state state = {0};
  must(wy_sim_body(made->sim, 0, &state, &message), &message);
  return state;
}

/* The hit is over at 0.08 and has turned both. */
static const double after = 0.1;

/* Linear momentum to round-off, since forces are equal and opposite; angular momentum and energy to the tolerance. */
static void check_kept(hit *made, double angular, double energy) {
  start(made);
  const wy_momentum p = wy_sim_momentum(made->sim, WY_ALL_RODS);
  const wy_energy e = wy_sim_energy(made->sim, WY_ALL_RODS);
  go_to(made, after);
  const wy_momentum q = wy_sim_momentum(made->sim, WY_ALL_RODS);
  const wy_energy f = wy_sim_energy(made->sim, WY_ALL_RODS);
  double size = 0, turning = 0;
  for (int k = 0; k < 3; k++)
    size = fmax(size, fabs(p.linear[k])), turning = fmax(turning, fabs(p.angular[k]));
  for (int k = 0; k < 3; k++) {
    check_close(q.linear[k], p.linear[k], 1e-11 * size);
    check_close(q.angular[k], p.angular[k], angular * turning);
  }
  check_close(f.work, 0, energy * e.total); /* nobody outside does any */
  check_close(f.total + f.dissipated, e.total, energy * e.total);
  check_above(f.friction, 1e-6);
  check_above(f.impact, 1e-6);
  check_above(body_of(made).velocity[2] * -1, 0.01);
}

static void test_kept(void **state) {
  (void)state;
  static const char *const methods[] = {"dop853", "radau5", "rodas"};
  double places[3][4];
  wy_body_state bodies[3];
  for (int i = 0; i < 3; i++) {
    hit made;
    set_hit(&made);
    set_method(&made, methods[i], 1e-7);
    check_kept(&made, 1e-7, 1e-5);
    tip(&made, places[i]);
    bodies[i] = body_of(&made);
    let_go(&made);
  }
  for (int i = 1; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      check_close(places[i][k], places[0][k], 1e-5);
      check_close(bodies[i].position[k], bodies[0].position[k], 1e-5);
      check_close(bodies[i].angular_velocity[k], bodies[0].angular_velocity[k], 1e-3);
    }
}

/* The mean forces of a step (K8) act on both at one place. A rod that falls flat does not bend, and then the midpoint
   rule keeps all there is to round-off and what Newton's method leaves, at a step that is as long as the hit. */
static void test_long_steps(void **state) {
  (void)state;
  hit made;
  set_hit(&made);
  made.run.solver.integrator = "midpoint";
  made.run.solver.first_step = 2e-3;
  made.contact.friction = 0;
  made.rods[0].shape.direction[1] = made.rods[0].shape.direction[2] = 0;
  made.body.origin[0] = 0.125, made.body.origin[1] = 0;
  start(&made);
  const wy_momentum p = wy_sim_momentum(made.sim, WY_ALL_RODS);
  const wy_energy e = wy_sim_energy(made.sim, WY_ALL_RODS);
  go_to(&made, after);
  const wy_momentum q = wy_sim_momentum(made.sim, WY_ALL_RODS);
  const wy_energy f = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_close(q.linear[2], p.linear[2], 1e-12 * fabs(p.linear[2]));
  check_close(f.total + f.impact, e.total, 1e-9 * e.total);
  check_above(f.impact, 1e-4);
  check_above(body_of(&made).velocity[2] * -1, 0.01);
  let_go(&made);
}

/* In a frame that moves with `frame`: a heavy body, or one that is held and carried along. */
static void run_heavy(double mass, double frame, double place[4]) {
  hit made;
  set_hit(&made);
  set_method(&made, "radau5", 1e-8);
  const double scale = mass / made.body.mass;
  made.body.mass = mass;
  for (int k = 0; k < 3; k++)
    made.body.inertia[k] *= scale;
  made.body.velocity[1] = frame;
  made.rods[0].initial.velocity[1].value = frame;
  if (mass == 0) {
    made.body.mass = 1;
    made.body.inertia[0] = made.body.inertia[1] = made.body.inertia[2] = 1;
    made.body.rotation = made.body.position[0] = made.body.position[1] = made.body.position[2] = WY_HELD;
  }
  start(&made);
  go_to(&made, after);
  tip(&made, place);
  place[1] -= frame * after;
  let_go(&made);
}

static void test_heavy_is_held(void **state) {
  (void)state;
  double held[4], heavy[4], moving[4];
  run_heavy(0, 0, held);
  run_heavy(1e8, 0, heavy);
  run_heavy(1e8, 0.7, moving);
  for (int k = 0; k < 3; k++) {
    check_close(heavy[k], held[k], 1e-7); /* tolerance times ten for the hit */
    check_close(moving[k], held[k], 1e-6);
  }
}

/* Restored in the middle of the hit, to the last bit. */
static void check_restart(const char *integrator) {
  wy_message message = {0};
  hit made;
  set_hit(&made);
  set_method(&made, integrator, 1e-5);
  start(&made);
  go_to(&made, 0.03);
  bool touches = false;
  wy_obstacle_state slab = {0};
  for (int i = 0; i < 100 && !touches; i++) {
    go_to(&made, 0.03 + 0.0005 * (i + 1));
    must(wy_sim_obstacle(made.sim, 0, WY_ALL_RODS, &slab, &message), &message);
    touches = slab.gap < 0;
  }
  assert_true(touches);
  const size_t size = wy_sim_save_size(made.sim);
  void *saved = malloc(size);
  double once[4], again[4];
  must(wy_sim_save(made.sim, saved, size, &message), &message);
  go_to(&made, after);
  tip(&made, once);
  const wy_body_state first = body_of(&made);
  must(wy_sim_restore(made.sim, saved, size, &message), &message);
  go_to(&made, after);
  tip(&made, again);
  const wy_body_state second = body_of(&made);
  assert_memory_equal(once, again, 3 * sizeof(double));
  assert_memory_equal(&first, &second, sizeof first);
  free(saved);
  let_go(&made);
}

static void test_restart(void **state) {
  (void)state;
  check_restart("radau5");
  check_restart("dopri5");
  check_restart("rodas");
}

/* What the obstacle does to the rod it loses itself: m dv = -F dt over a short time. */
static void test_third_law(void **state) {
  (void)state;
  wy_message message = {0};
  hit made;
  set_hit(&made);
  set_method(&made, "radau5", 1e-9);
  start(&made);
  wy_obstacle_state slab = {0};
  double t = 0.03;
  for (; t < after && !(slab.gap < -1e-4); t += 2e-4) {
    go_to(&made, t);
    must(wy_sim_obstacle(made.sim, 0, WY_ALL_RODS, &slab, &message), &message);
  }
  const double dt = 2e-7;
  const wy_body_state before = body_of(&made);
  go_to(&made, *(double[]){t - 2e-4 + dt});
  const wy_body_state later = body_of(&made);
  check_above(fabs(slab.force[2]), 1e-2);
  for (int k = 0; k < 3; k++)
    check_close(0.02 * (later.velocity[k] - before.velocity[k]) / dt, -slab.force[k], 1e-2 * fabs(slab.force[2]));
  let_go(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept), cmocka_unit_test(test_long_steps),
                                     cmocka_unit_test(test_heavy_is_held), cmocka_unit_test(test_restart),
                                     cmocka_unit_test(test_third_law)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
