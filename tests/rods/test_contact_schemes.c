/* SPDX-License-Identifier: MIT */
/* Rods with steps of their own on a floor: mixed rods keep the balance of energy to round-off in every step that
   bounces and slides (K8), and meet what is known of rods that fall, rest and slide. The rod is rubber, radius 5 mm;
   its values are in tests/data/contact (how they were found is said there). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/published.h"

static const double pi = 3.14159265358979323846, gravity = 9.81;

typedef struct falling {
  wy_rod_def rod;
  wy_obstacle_def floor;
  wy_contact_def contact;
  wy_model_def model_def;
  wy_sim_def def;
  wy_model *model;
  wy_sim *sim;
} falling;

static void set_rubber(falling *out, const char *scheme, int segments) {
  memset(out, 0, sizeof *out);
  out->rod = wy_default_rod_def();
  wy_rod_def *rod = &out->rod;
  rod->name = "rod", rod->length = 0.5, rod->segments = segments;
  rod->section.shape = WY_CIRCLE;
  rod->section.radius.value = 5e-3;
  rod->material.given = true;
  rod->material.density.value = 1100, rod->material.young.value = 5e6, rod->material.poisson.value = 0.5;
  rod->shape.direction[0] = 1, rod->shape.direction[2] = 0;
  out->floor = wy_default_obstacle_def();
  out->floor.name = "floor";
  out->contact = wy_default_contact_def();
  out->model_def = wy_default_model_def();
  out->model_def.gravity[2] = -gravity;
  out->def = wy_default_sim_def();
  out->def.solver.scheme = scheme;
  out->def.end = 10;
}

static void let_go(falling *made) {
  wy_message message = {0};
  made->model_def.rods = &made->rod, made->model_def.rod_count = 1;
  made->model_def.obstacles = &made->floor, made->model_def.obstacle_count = 1;
  made->model_def.contact = &made->contact;
  must(wy_model_create(&made->model_def, &made->model, &message), &message);
  must(wy_sim_create(made->model, &made->def, &made->sim, &message), &message);
}

static void clear(falling *made) {
  wy_sim_destroy(made->sim);
  wy_model_destroy(made->model);
}

static double height(const falling *made, double s) {
  double at[4];
  wy_message message = {0};
  must(wy_sim_probe(made->sim, WY_POSITION, 0, s, at, &message), &message);
  return at[2];
}

static const double hit = 4.035449e-4; /* pi sqrt(mass / k'), the duration of a flat hit with a linear skin */

typedef struct way {
  const char *scheme, *integrator;
  int order;
  double step;
} way;

static void set_way(falling *made, const way *by) {
  made->def.solver.first_step = by->step;
  if (by->integrator)
    made->def.solver.integrator = by->integrator;
  if (by->integrator && !(by->step > 0))
    made->def.solver.relative_tolerance = made->def.solver.absolute_tolerance = 1e-7;
  if (strcmp(by->scheme, "mixed") == 0)
    made->def.solver.mixed.order = by->order;
  else
    made->def.solver.conserving.order = by->order;
}

/* A rod that is thrown at a slant slides, bounces and hits with its end; a drop of its height is the scale of energies.
   Round-off is that of places near the floor: 1e-16 of them times stiffness times depth is 1e-13 of the energy. */
static void check_balance(const way *by, double friction, bool stick, double restitution, double end, double off) {
  falling made;
  wy_message message = {0};
  double worst = 0, most = 0;
  set_rubber(&made, by->scheme, 10);
  set_way(&made, by);
  made.rod.shape.origin[2] = 0.03;
  made.rod.shape.direction[0] = cos(pi / 9), made.rod.shape.direction[2] = sin(pi / 9);
  made.rod.initial.velocity[0].value = 0.5, made.rod.initial.velocity[1].value = 0.2;
  made.contact.friction = friction, made.contact.stick = stick, made.contact.restitution = restitution;
  let_go(&made);
  const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
  const wy_momentum thrown = wy_sim_momentum(made.sim, 0);
  while (wy_sim_time(made.sim) < end) {
    must(wy_sim_step(made.sim, &message), &message);
    const wy_energy now = wy_sim_energy(made.sim, WY_ALL_RODS);
    worst = fmax(worst, fabs(now.total - now.work + now.dissipated - start.total));
    most = fmax(most, now.contact);
  }
  const wy_energy now = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_below(worst, off * start.total);
  check_above(most, 1e-5 * start.total);
  check_close(now.friction + now.impact, now.dissipated, 1e-12);
  const wy_momentum last = wy_sim_momentum(made.sim, 0);
  /* Along a floor without friction; what Newton's method leaves adds up over 2500 steps. Conserving rods keep energy
     only. */
  for (int k = 0; friction == 0 && strcmp(by->scheme, "mixed") == 0 && k < 2; k++)
    check_close(last.linear[k], thrown.linear[k], 1e-10 * thrown.linear[0]);
  clear(&made);
}

static void mixed_rods_keep_their_energy(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int k = 0; k < 3; k++) {
      const way by = {"mixed", NULL, order, hit * (k == 0 ? 0.1 : k == 1 ? 1 : 10)};
      const double end = k == 0 ? 0.1 : 0.2;
      check_balance(&by, 0, false, 1, end, 1e-11);
      check_balance(&by, 0.3, false, 0.5, end, 1e-11);
      check_balance(&by, 0.3, true, 0.5, end, 1e-11);
    }
}

/* Friction turns the slip of a rod around within a step, here and there: Newton's method must not go to and fro between
   both signs until the step is divided. */
static void steps_with_friction_are_solved(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++) {
    const way by = {"mixed", NULL, order, hit};
    falling made;
    wy_message message = {0};
    set_rubber(&made, by.scheme, 10);
    set_way(&made, &by);
    made.rod.shape.origin[2] = 0.03;
    made.rod.shape.direction[0] = cos(pi / 18), made.rod.shape.direction[2] = sin(pi / 18);
    made.rod.initial.velocity[0].value = 0.5;
    made.contact.friction = 0.4, made.contact.speed = 1e-3;
    let_go(&made);
    must(wy_sim_advance(made.sim, 0.16, &message), &message);
    const wy_statistics statistics = wy_sim_statistics(made.sim, 0);
    assert_true(100 * statistics.rejected < statistics.steps);
    assert_true(statistics.newton_iterations < 10 * statistics.steps); /* half of what a step may take */
    check_above(wy_sim_energy(made.sim, 0).friction, 0);
    clear(&made);
  }
}

/* Gauss methods solve their equations to a tolerance of their own. */
static void conserving_rods_keep_their_energy(void **state) {
  (void)state;
  for (int order = 2; order <= 4; order += 2) {
    const way by = {"conserving", "discrete_gradient", order, 0.25 * hit};
    check_balance(&by, 0, false, 1, 0.1, 1e-9);
    check_balance(&by, 0.3, true, 0.5, 0.1, 1e-9);
  }
}

/* ---- What is known ---- */

/* Of rubber under a share of its own weight: onset and core (K1), (K2). */
static double rest_depth(double share) {
  const double stiffness = pi / 4 * 5e6 / 0.75, onset = 2.5e-4, core = 2.5e-3;
  const double weight = 1100 * pi * 25e-6 * gravity * share;
  double low = 0, high = onset;
  for (int i = 0; i < 60; i++) {
    const double d = 0.5 * (low + high), y = d / onset, x = d / core;
    const double load = stiffness * (onset * y * y * y * (1 - 0.5 * y) + core * x * x * x / (1 - x * x));
    *(load > weight ? &high : &low) = d;
  }
  return low;
}

/* A rod that lies on the floor stays, as deep as its weight presses it. */
static void check_rest(const way *by) {
  falling made;
  wy_message message = {0};
  check_close(rest_depth(1), 2.187668639e-05, 1e-12); /* closed form, by seven digits of the weight */
  set_rubber(&made, by->scheme, 8);
  set_way(&made, by);
  made.rod.shape.origin[2] = 5e-3 - rest_depth(1);
  made.contact.friction = 0.3;
  let_go(&made);
  must(wy_sim_advance(made.sim, 0.05, &message), &message);
  for (int i = 0; i <= 4; i++)
    check_close(height(&made, 0.125 * i), 5e-3 - rest_depth(1), 1e-9);
  clear(&made);
}

/* The first apex of a rod that falls flat from a gap of 0.1: time and gap. */
static void check_apex(const way *by, double restitution, double time, double gap, double late, double off) {
  falling made;
  wy_message message = {0};
  double most = 0, when = 0;
  set_rubber(&made, by->scheme, 8);
  set_way(&made, by);
  made.rod.shape.origin[2] = 0.105;
  made.contact.restitution = restitution;
  let_go(&made);
  must(wy_sim_advance(made.sim, 0.16, &message), &message);
  for (int i = 0; i <= 80; i++) {
    const double t = time + 1e-4 * (i - 40);
    must(wy_sim_sample(made.sim, t, &message), &message);
    if (height(&made, 0.25) > most)
      most = height(&made, 0.25), when = t;
  }
  check_close(most - 5e-3, gap, off * gap);
  check_close(when, time, late);
  clear(&made);
}

/* Along a slope of 30 degrees with friction 0.3: a = g (sin - 0.3 cos), as soon as it slides faster than friction
   builds up. */
static void check_incline(const way *by) {
  falling made;
  wy_message message = {0};
  double velocity[2][4];
  const double c = cos(pi / 6), s = 0.5, up = 5e-3 - rest_depth(c);
  set_rubber(&made, by->scheme, 8);
  set_way(&made, by);
  made.floor.axis[0] = s, made.floor.axis[2] = c;
  made.rod.shape.direction[0] = c, made.rod.shape.direction[2] = -s;
  made.rod.shape.origin[0] = up * s, made.rod.shape.origin[2] = up * c;
  made.contact.friction = 0.3;
  let_go(&made);
  for (int i = 0; i < 2; i++) {
    must(wy_sim_advance(made.sim, 0.05 * (1 + i), &message), &message);
    must(wy_sim_probe(made.sim, WY_VELOCITY, 0, 0.25, velocity[i], &message), &message);
  }
  const double gained = (velocity[1][0] - velocity[0][0]) * c - (velocity[1][2] - velocity[0][2]) * s;
  check_close(gained / 0.05, 2.356287237, 2e-3);
  clear(&made);
}

static const way mixed_1 = {"mixed", NULL, 1, 2e-5}, mixed_2 = {"mixed", NULL, 2, 2e-5};
static const way conserving = {"conserving", "radau5", 2, 0};

static void rods_rest(void **state) {
  (void)state;
  check_rest(&mixed_1), check_rest(&mixed_2), check_rest(&conserving);
}

static void rods_bounce(void **state) {
  (void)state;
  check_apex(&mixed_1, 1, 0.2861462842, 0.1, 2e-4, 1e-6);
  check_apex(&mixed_1, 0.5, 0.2146452993, 0.02480898845, 2e-3, 0.03);
  check_apex(&conserving, 1, 0.2861462842, 0.1, 2e-4, 1e-4);
  check_apex(&conserving, 0.5, 0.2146452993, 0.02480898845, 2e-4, 1e-4);
}

/* A rod at 10 degrees hits the floor with its end and bounces: place of its two ends at t. */
static void throw_elastic(const char *scheme, int segments, double t, double ends[2][4]) {
  falling made;
  wy_message message = {0};
  set_rubber(&made, scheme, segments);
  made.rod.shape.origin[2] = 0.03;
  made.rod.shape.direction[0] = cos(pi / 18), made.rod.shape.direction[2] = sin(pi / 18);
  made.rod.initial.velocity[2].value = -0.5;
  made.contact.restitution = 1;
  const bool mixed = strcmp(scheme, "mixed") == 0;
  made.def.solver.first_step = mixed ? 2e-5 : 0;
  made.def.solver.relative_tolerance = made.def.solver.absolute_tolerance = 1e-7;
  let_go(&made);
  must(wy_sim_advance(made.sim, t, &message), &message);
  for (int end = 0; end < 2; end++)
    must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.5 * end, ends[end], &message), &message);
  clear(&made);
}

/* Elements and segments cut the rod in different ways: the hit of its end is the same in the limit. */
static void mixed_and_staggered_rods_agree(void **state) {
  (void)state;
  double apart[2] = {0, 0};
  for (int fine = 0; fine < 2; fine++) {
    double a[2][4], b[2][4];
    throw_elastic("staggered", fine ? 40 : 10, 0.08, a);
    throw_elastic("mixed", fine ? 40 : 10, 0.08, b);
    for (int i = 0; i < 6; i++)
      apart[fine] = fmax(apart[fine], fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
  }
  check_below(apart[1], apart[0] / 16); /* both are of second order */
}

static void rods_slide(void **state) {
  (void)state;
  check_incline(&mixed_1), check_incline(&mixed_2), check_incline(&conserving);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mixed_and_staggered_rods_agree),
                                     cmocka_unit_test(rods_rest),
                                     cmocka_unit_test(rods_slide),
                                     cmocka_unit_test(rods_bounce),
                                     cmocka_unit_test(mixed_rods_keep_their_energy),
                                     cmocka_unit_test(steps_with_friction_are_solved),
                                     cmocka_unit_test(conserving_rods_keep_their_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
