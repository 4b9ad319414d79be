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
  else if (strcmp(by->scheme, "box") == 0)
    made->rod.kind = WY_INEXTENSIBLE;
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

/* Places of half a metre are off by 6e-17, so that a step changes a velocity of 0.5 by 2 / h times that too much: with
   the shortest steps 3e-12, which is 3e-12 of the energy. Over 2500 steps at random that is 1e-10, and a tenth with ten
   times the step. */
static void mixed_rods_keep_their_energy(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int k = 0; k < 3; k++) {
      const way by = {"mixed", NULL, order, hit * (k == 0 ? 0.1 : k == 1 ? 1 : 10)};
      const double end = k == 0 ? 0.1 : 0.2, off = k == 0 ? 1e-10 : 1e-11;
      check_balance(&by, 0, false, 1, end, off);
      check_balance(&by, 0.3, false, 0.5, end, off);
      check_balance(&by, 0.3, true, 0.5, end, off);
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
static const way box = {"box", NULL, 0, 2e-5};
static const way conserving = {"conserving", "radau5", 2, 0};

static void rods_rest(void **state) {
  (void)state;
  check_rest(&mixed_1), check_rest(&mixed_2), check_rest(&box), check_rest(&conserving);
}

static void rods_bounce(void **state) {
  (void)state;
  check_apex(&mixed_1, 1, 0.2861462842, 0.1, 2e-4, 1e-6);
  check_apex(&mixed_1, 0.5, 0.2146452993, 0.02480898845, 2e-3, 0.03);
  check_apex(&box, 1, 0.2861462842, 0.1, 2e-4, 1e-3); /* (T/h)^3/4 of a step in units of hits */
  check_apex(&box, 0.5, 0.2146452993, 0.02480898845, 2e-3, 0.03);
  check_apex(&conserving, 1, 0.2861462842, 0.1, 2e-4, 1e-4);
  check_apex(&conserving, 0.5, 0.2146452993, 0.02480898845, 2e-4, 1e-4);
}

typedef struct thrown {
  wy_rod_kind kind;
  double step, damping; /* step: of schemes with steps of their own */
} thrown;

/* A rod at 10 degrees hits the floor with its end and bounces: place of its two ends. */
static void throw_elastic(const thrown *by, const char *scheme, int segments, double ends[2][4]) {
  falling made;
  wy_message message = {0};
  set_rubber(&made, scheme, segments);
  made.rod.kind = by->kind;
  if (by->damping > 0) {
    made.rod.damping.kind = WY_DAMPING_TIME;
    made.rod.damping.time.value = by->damping;
  }
  made.rod.shape.origin[2] = 0.03;
  made.rod.shape.direction[0] = cos(pi / 18), made.rod.shape.direction[2] = sin(pi / 18);
  made.rod.initial.velocity[2].value = -0.5;
  made.contact.restitution = 1;
  made.def.solver.first_step = strcmp(scheme, "staggered") == 0 ? 0 : by->step;
  made.def.solver.relative_tolerance = made.def.solver.absolute_tolerance = 1e-7;
  let_go(&made);
  must(wy_sim_advance(made.sim, 0.08, &message), &message);
  for (int end = 0; end < 2; end++)
    must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.5 * end, ends[end], &message), &message);
  clear(&made);
}

/* Elements and segments cut the rod in different ways: the hit of its end is the same in the limit. */
/* How far apart the ends of both rods are. */
static double ends_apart(const thrown *by, const char *scheme, int segments) {
  double a[2][4], b[2][4], apart = 0;
  throw_elastic(by, "staggered", segments, a);
  throw_elastic(by, scheme, segments, b);
  for (int i = 0; i < 6; i++)
    apart = fmax(apart, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
  return apart;
}

static void mixed_and_staggered_rods_agree(void **state) {
  (void)state;
  const thrown by = {.kind = WY_COSSERAT, .step = 2e-5};
  check_below(ends_apart(&by, "mixed", 40), ends_apart(&by, "mixed", 10) / 16); /* both are of second order */
}

/* Without shear and extension a hit sends waves as short as segments are: damping takes them away. */
static void box_and_staggered_rods_agree(void **state) {
  (void)state;
  const thrown by = {.kind = WY_INEXTENSIBLE, .step = 4e-5, .damping = 2e-3};
  const double coarse = ends_apart(&by, "box", 20), fine = ends_apart(&by, "box", 80);
  check_below(fine, coarse / 14); /* 16, and terms of higher order */
}

/* ---- Box rods, at any step ---- */

/* A box rod falls flat, from a gap of 0.1 on a floor that may move and slide: how its energy went. */
typedef struct fall {
  double most, last, start; /* energies beside work and losses; and without */
  double gained;            /* the most of what is lost to the balance, per energy at the start */
} fall;

static void rise(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *height = context;
  (void)wrt, (void)s;
  jet[0] = *height * sin(20 * t), jet[1] = 20 * *height * cos(20 * t), jet[2] = -400 * jet[0];
}

static fall drop_box(double rho, double step, double restitution, double friction, const double *floor) {
  falling made;
  wy_message message = {0};
  set_rubber(&made, "box", 6);
  made.rod.kind = WY_INEXTENSIBLE;
  made.rod.shape.origin[2] = 0.105;
  made.rod.initial.velocity[1].value = friction > 0 ? 0.5 : 0;
  made.def.solver.first_step = step;
  made.def.solver.box.rho_inf = rho;
  made.contact.restitution = restitution, made.contact.friction = friction;
  if (floor)
    made.floor.position[2] = (wy_signal){0, rise, floor, WY_TIME};
  let_go(&made);
  const wy_energy first = wy_sim_energy(made.sim, WY_ALL_RODS);
  const double fallen = 0.1 * 1100 * pi * 25e-6 * 0.5 * gravity, floor_level = first.total - fallen;
  fall out = {.start = fallen};
  for (double t = 0; t < 0.4; t = wy_sim_time(made.sim)) {
    must(wy_sim_step(made.sim, &message), &message);
    const wy_energy now = wy_sim_energy(made.sim, WY_ALL_RODS);
    out.last = now.total - floor_level;
    out.most = fmax(out.most, out.last);
    out.gained = fmax(out.gained, fabs(now.total - now.work + now.dissipated - first.total) / fallen);
  }
  clear(&made);
  return out;
}

/* With rho 1 places are carried by the trapezoidal rule, and the discrete gradient keeps the energy as in the midpoint
   rule: to what Newton's method leaves. Smaller values of rho damp the skin only where steps do not resolve it. */
static void box_rods_never_bounce_higher(void **state) {
  (void)state;
  static const double steps[] = {0.1, 1, 10, 100}, rhos[] = {1, 0.8, 0.5, 0};
  for (int r = 0; r < 4; r++)
    for (int h = 0; h < 4; h++) {
      const fall elastic = drop_box(rhos[r], steps[h] * hit, 1, 0, NULL);
      const fall soft = drop_box(rhos[r], steps[h] * hit, 0.5, 0, NULL);
      check_below(elastic.most, elastic.start * (1 + 1e-9));
      check_below(soft.most, soft.start * (1 + 1e-9));
      if (rhos[r] == 1)
        check_below(fmax(elastic.gained, soft.gained), 1e-9);
      if (h == 0) /* two hits at t = 0.14 and t = 0.29: a fourth of the energy is left, then a fourth of that */
        check_below(soft.last, soft.start / 16 * 1.1);
    }
}

/* A floor that moves, and one that rubs: what its work and friction are is known as well. Friction sets the rod
   rolling; in frames that turn the scheme balances powers to second order of the angle of a step. */
static void box_rods_balance_work_and_friction(void **state) {
  (void)state;
  static const double height = 0.01;
  const fall lifted = drop_box(1, 0.5 * hit, 0.5, 0, &height);
  const fall rolled = drop_box(1, 0.5 * hit, 0.5, 0.3, NULL), finer = drop_box(1, 0.25 * hit, 0.5, 0.3, NULL);
  check_below(lifted.gained, 1e-9);
  check_below(rolled.gained, 1e-2);
  check_below(finer.gained, rolled.gained / 3);
}

/* What the scheme itself leaves of a balance is of second order in the length of a cell (B12): a rod that hits the
   floor with its end bends into an arc of 1/30. */
static void box_rods_lose_little_energy(void **state) {
  (void)state;
  double worst[2] = {0, 0};
  for (int fine = 0; fine < 2; fine++) {
    falling made;
    wy_message message = {0};
    set_rubber(&made, "box", fine ? 32 : 16);
    made.rod.kind = WY_INEXTENSIBLE;
    made.def.solver.first_step = 5e-5;
    made.def.solver.box.rho_inf = 1;
    made.rod.shape.origin[2] = 0.03;
    made.rod.shape.direction[0] = cos(pi / 9), made.rod.shape.direction[2] = sin(pi / 9);
    made.rod.initial.velocity[0].value = 0.5;
    made.contact.restitution = 1;
    let_go(&made);
    const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
    while (wy_sim_time(made.sim) < 0.16) {
      must(wy_sim_step(made.sim, &message), &message);
      worst[fine] = fmax(worst[fine], fabs(wy_sim_energy(made.sim, WY_ALL_RODS).total - start.total) / start.total);
    }
    print_message("%d cells: energy to %.1e\n", fine ? 32 : 16, worst[fine]);
    clear(&made);
  }
  check_below(worst[1], 1e-2);
  check_below(worst[1], worst[0] / 3);
}

static void rods_slide(void **state) {
  (void)state;
  check_incline(&mixed_1), check_incline(&mixed_2), check_incline(&box), check_incline(&conserving);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mixed_and_staggered_rods_agree),
                                     cmocka_unit_test(box_and_staggered_rods_agree),
                                     cmocka_unit_test(box_rods_never_bounce_higher),
                                     cmocka_unit_test(box_rods_balance_work_and_friction),
                                     cmocka_unit_test(box_rods_lose_little_energy),
                                     cmocka_unit_test(rods_rest),
                                     cmocka_unit_test(rods_slide),
                                     cmocka_unit_test(rods_bounce),
                                     cmocka_unit_test(mixed_rods_keep_their_energy),
                                     cmocka_unit_test(steps_with_friction_are_solved),
                                     cmocka_unit_test(conserving_rods_keep_their_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
