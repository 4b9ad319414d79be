/* SPDX-License-Identifier: MIT */
/* Ends that stand turned from the beginning, in equilibria, vibrations, critical loads and motions, for all schemes and
   models that have equilibria: a rod that only its turned clamp holds is turned as a whole, a turned clamp is a turned
   rod, and schemes agree. Relations hold to what Newton's method leaves, whatever the grid. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/moving.h"
#include "support/uniform.h"
#include "withy/statics.h"

static const double pi = 3.14159265358979323846;

/* What Newton's method leaves of an equilibrium of order 1: its tolerance of 1e-10 times what the softest mode of eight
   pieces makes of it. */
static const double solved = 1e-7;

typedef struct method {
  const char *name, *scheme;
  wy_rod_kind kind;
  int order;
} method;

static const method methods[] = {
    {"staggered cosserat", "staggered", WY_COSSERAT, 0},
    {"staggered kirchhoff", "staggered", WY_KIRCHHOFF, 0},
    {"staggered inextensible", "staggered", WY_INEXTENSIBLE, 0},
    {"mixed cosserat", "mixed", WY_COSSERAT, 1},
    {"mixed kirchhoff", "mixed", WY_KIRCHHOFF, 1},
    {"mixed inextensible", "mixed", WY_INEXTENSIBLE, 2},
    {"box", "box", WY_INEXTENSIBLE, 0},
};

enum { METHODS = sizeof methods / sizeof methods[0] };

static wy_solver_def solver_of(const method *m) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = m->scheme;
  if (m->order)
    solver.mixed.order = m->order;
  if (strcmp(m->scheme, "staggered") != 0)
    solver.first_step = 1e-3;
  solver.relative_tolerance = solver.absolute_tolerance = 1e-8;
  return solver;
}

/* A precurved rod with unlike directions of bending, free. */
static example plain_rod(const method *m, int segments) {
  static const double stiffness[6] = {40, 50, 90, 0.05, 0.07, 0.04};
  example e = uniform_rod(m->kind, segments, 1, stiffness);
  e.rod.shape = (wy_shape){.origin = {0.1, 0.2, -0.3}, .direction = {1, 0, 0}, .d1 = {0, 1, 0}};
  e.rod.shape.curvature[0] = wy_constant(0.3);
  e.rod.shape.curvature[1] = wy_constant(-0.4);
  e.rod.shape.curvature[2] = wy_constant(0.5);
  e.rod.ends[0] = e.rod.ends[1] = wy_end_free();
  return e;
}

static wy_end turned_clamp(const double axis[3], wy_signal angle) {
  wy_end end = wy_end_clamped();
  end.rotation = WY_DRIVEN;
  memcpy(end.axis, axis, sizeof end.axis);
  end.angle = angle;
  return end;
}

typedef struct turn {
  double axis[3], angle;
} turn;

/* Along the rod, across it, askew; a right angle and more than that, to either side. */
static const turn turns[] = {
    {{1, 0, 0}, 0.5},       {{0, 1, 0}, 0.5},          {{0, 1, 0}, 0.5 * 3.14159265358979323846},
    {{0, 0, 1}, 2.5},       {{1, 0, 0}, 1.7},          {{0.6, 0, 0.8}, -1.2},
    {{0.36, 0.48, 0.8}, 3}, {{0.36, 0.48, 0.8}, -2.05}};

enum { TURNS = sizeof turns / sizeof turns[0] };

static void turn_matrix(const turn *t, double r[9]) {
  double vector[3], q[4];
  for (int i = 0; i < 3; i++)
    vector[i] = t->angle * t->axis[i];
  wy_qexp(vector, q);
  wy_qmatrix(q, r);
}

/* The same rod with its undeformed shape turned about its start. */
static void turn_shape(example *e, const turn *t) {
  double r[9], direction[3], d1[3];
  turn_matrix(t, r);
  wy_mul3(r, e->rod.shape.direction, direction);
  wy_mul3(r, e->rod.shape.d1, d1);
  memcpy(e->rod.shape.direction, direction, sizeof direction);
  memcpy(e->rod.shape.d1, d1, sizeof d1);
}

static void compare_points(const char *name, const char *what, const wy_points *got, const wy_points *want,
                           double tolerance) {
  assert_int_equal(got->count, want->count);
  for (int i = 0; i < got->count * got->components; i++)
    if (!(fabs(got->values[i] - want->values[i]) <= tolerance))
      fail_msg("%s: %s of point %d: got %.12g, want %.12g, tolerance %.3g", name, what, i / got->components,
               got->values[i], want->values[i], tolerance);
}

/* The same configuration with the same curvature. */
static void same_shape(const char *name, const test_sim *got, const test_sim *want, double tolerance) {
  const wy_view *a = wy_sim_view(got->sim, 0), *b = wy_sim_view(want->sim, 0);
  compare_points(name, "position", &a->position, &b->position, tolerance);
  compare_points(name, "curvature", &a->curvature, &b->curvature, 1e2 * tolerance); /* a difference over a piece */
}

/* ---- Rigid turns ---- */

/* Held by nothing but a turned clamp a rod is free of stress: its curvature is the natural one, and it stands where a
   turned copy of it does. */
static void check_rigid_turn(const method *m, const turn *t, int end) {
  const wy_solver_def solver = solver_of(m);
  example free_rod = plain_rod(m, 8), held = plain_rod(m, 8);
  free_rod.rod.ends[end] = wy_end_clamped();
  held.rod.ends[end] = turned_clamp(t->axis, wy_constant(t->angle));
  test_sim still = settled(&free_rod, &solver), turned = settled(&held, &solver);
  const wy_view *a = wy_sim_view(still.sim, 0), *b = wy_sim_view(turned.sim, 0);
  compare_points(m->name, "curvature", &b->curvature, &a->curvature, 1e-9);
  double r[9], away[3], want[3];
  turn_matrix(t, r);
  const double *x = a->position.values, *y = b->position.values;
  const int last = a->position.count - 1, pivot = end ? last : 0;
  for (int i = 0; i <= last; i++) {
    for (int k = 0; k < 3; k++)
      away[k] = x[3 * i + k] - x[3 * pivot + k];
    wy_mul3(r, away, want);
    for (int k = 0; k < 3; k++)
      if (!(fabs(y[3 * i + k] - x[3 * pivot + k] - want[k]) <= 1e-9))
        fail_msg("%s, turned by %g at %d: point %d: got %.12g, want %.12g", m->name, t->angle, end, i, y[3 * i + k],
                 x[3 * pivot + k] + want[k]);
  }
  check_close(wy_sim_energy(turned.sim, 0).elastic, 0, 1e-15);
  free_sim(&still), free_sim(&turned);
  free_example(&free_rod), free_example(&held);
}

static void a_clamp_turns_a_free_rod_as_a_whole(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++)
    for (int t = 0; t < TURNS; t++)
      for (int end = 0; end < 2; end++)
        check_rigid_turn(&methods[m], &turns[t], end);
}

/* ---- A turned clamp is a turned rod ---- */

/* A cantilever in a field of gravity: by its clamp, or turned as it is. */
static example hanging(const method *m, const turn *t, bool by_clamp) {
  example e = plain_rod(m, 8);
  const double gravity[3] = {0.02, -0.05, -0.06};
  memcpy(e.gravity, gravity, sizeof gravity);
  e.rod.ends[WY_START] = by_clamp ? turned_clamp(t->axis, wy_constant(t->angle)) : wy_end_clamped();
  if (!by_clamp)
    turn_shape(&e, t);
  return e;
}

static void in_gravity_a_turned_clamp_is_a_turned_rod(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++)
    for (int t = 0; t < TURNS; t++) {
      const wy_solver_def solver = solver_of(&methods[m]);
      example a = hanging(&methods[m], &turns[t], true), b = hanging(&methods[m], &turns[t], false);
      test_sim got = settled(&a, &solver), want = settled(&b, &solver);
      same_shape(methods[m].name, &got, &want, solved);
      free_sim(&got), free_sim(&want);
      free_example(&a), free_example(&b);
    }
}

/* Chambers and tendons bend the rod from its clamp, wherever that stands. */
static void an_actuated_rod_turns_with_its_clamp(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    if (strcmp(methods[m].scheme, "box") == 0) /* which has no actuators */
      continue;
    const wy_solver_def solver = solver_of(&methods[m]);
    example both[2] = {hanging(&methods[m], &turns[3], true), hanging(&methods[m], &turns[3], false)};
    for (int i = 0; i < 2; i++) {
      actuator_pair(both[i].actuators);
      both[i].actuator_count = ACTUATOR_PAIR;
      for (int k = 0; k < ACTUATOR_PAIR; k++)
        both[i].actuators[k].force = wy_constant(k ? 0.3 : -0.3);
    }
    test_sim got = settled(&both[0], &solver), want = settled(&both[1], &solver);
    same_shape(methods[m].name, &got, &want, solved);
    free_sim(&got), free_sim(&want);
    free_example(&both[0]), free_example(&both[1]);
  }
}

/* Clamped at both ends, the start turned by a driven angle; or the rod turned with its start and the end driven back to
   where it was. */
static example bridge(const method *m, const turn *t, bool by_clamp) {
  example e = plain_rod(m, 12);
  e.rod.ends[WY_START] = e.rod.ends[WY_END] = wy_end_clamped();
  for (int i = 0; i < 3; i++) { /* the end comes closer, so that no model is stretched */
    static const double place[3] = {0.9, 0.1, -0.2};
    e.rod.ends[WY_END].position[i] = WY_DRIVEN;
    e.rod.ends[WY_END].path[i] = wy_constant(place[i]);
  }
  if (by_clamp) {
    e.rod.ends[WY_START] = turned_clamp(t->axis, wy_constant(t->angle));
    return e;
  }
  turn_shape(&e, t);
  e.rod.ends[WY_END].rotation = WY_DRIVEN;
  memcpy(e.rod.ends[WY_END].axis, t->axis, sizeof t->axis);
  e.rod.ends[WY_END].angle = wy_constant(-t->angle);
  return e;
}

static const turn bridge_turn = {{0.48, 0.36, 0.8}, 0.8};

static void compare_omega(const char *name, const wy_mode_set *got, const wy_mode_set *want) {
  assert_int_equal(got->count, want->count);
  for (int i = 0; i < got->count; i++)
    check_close(got->omega[i] / want->omega[i], 1, 1e-6);
  print_message("%s: lowest %.9g\n", name, got->omega[0]);
}

/* Shapes and frequencies, by either end. */
static void a_bridge_may_be_turned_by_either_end(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    const wy_solver_def solver = solver_of(&methods[m]);
    example a = bridge(&methods[m], &bridge_turn, true), b = bridge(&methods[m], &bridge_turn, false);
    test_sim got = settled(&a, &solver), want = settled(&b, &solver);
    same_shape(methods[m].name, &got, &want, solved);
    wy_mode_set *first, *second;
    wy_message message = {0};
    must(wy_sim_modes(got.sim, 0, 3, &first, &message), &message);
    must(wy_sim_modes(want.sim, 0, 3, &second, &message), &message);
    compare_omega(methods[m].name, first, second);
    wy_mode_set_destroy(first), wy_mode_set_destroy(second);
    free_sim(&got), free_sim(&want);
    free_example(&a), free_example(&b);
  }
}

/* A column stands up by its clamp, with a weight on its head that would buckle it. */
static example column(const method *m, bool by_clamp) {
  static const turn upright = {{0, -1, 0}, 0.5 * 3.14159265358979323846};
  static const double weight[3] = {0, 0, -0.04};
  example e = plain_rod(m, 8);
  for (int i = 0; i < 3; i++)
    e.rod.shape.curvature[i] = wy_constant(0);
  e.rod.ends[WY_START] = by_clamp ? turned_clamp(upright.axis, wy_constant(upright.angle)) : wy_end_clamped();
  if (!by_clamp)
    turn_shape(&e, &upright);
  load_tip(&e, weight, NULL, WY_SPACE_AXES);
  return e;
}

static void columns_buckle_alike(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    const wy_solver_def solver = solver_of(&methods[m]);
    example a = column(&methods[m], true), b = column(&methods[m], false);
    test_sim got = simulate(&a, &solver), want = simulate(&b, &solver);
    wy_mode_set *first, *second;
    wy_message message = {0};
    must(wy_sim_buckling(got.sim, 0, 0, 2, &first, &message), &message);
    must(wy_sim_buckling(want.sim, 0, 0, 2, &second, &message), &message);
    for (int i = 0; i < 2; i++)
      check_close(first->factor[i] / second->factor[i], 1, 1e-6);
    /* Euler: pi^2 EI / (4 L^2), here 0.1234 and 0.1727; shear and pieces take off a few per cent. */
    check_close(first->factor[0] * 0.04 / (0.25 * pi * pi * 0.05), 1, 0.03);
    wy_mode_set_destroy(first), wy_mode_set_destroy(second);
    free_sim(&got), free_sim(&want);
    free_example(&a), free_example(&b);
  }
}

/* ---- In pseudotime and in time ---- */

/* A clamp that begins turned and turns on: after its way it is where one that stands there is. */
static void quasistatics_begin_turned(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++)
    for (int end = 0; end < 2; end++) {
      const wy_solver_def solver = solver_of(&methods[m]);
      const double *axis = turns[6].axis;
      example a = plain_rod(&methods[m], 8), b = plain_rod(&methods[m], 8);
      a.gravity[2] = b.gravity[2] = -0.05;
      a.rod.ends[end] = turned_clamp(axis, example_signal(&a, "0.5 + 0.75*t", 1));
      b.rod.ends[end] = turned_clamp(axis, wy_constant(2));
      test_sim got = settled(&a, &solver), want = settled(&b, &solver);
      wy_message message = {0};
      must(wy_sim_follow(got.sim, 2, &message), &message);
      same_shape(methods[m].name, &got, &want, solved);
      free_sim(&got), free_sim(&want);
      free_example(&a), free_example(&b);
    }
}

/* From an equilibrium with turned ends nothing begins to move: the kinetic energy stays that of round-off and of the
   tolerance, against an elastic energy of order 0.1; and the balance of energy holds. */
static void motion_begins_turned(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    const wy_solver_def solver = solver_of(&methods[m]);
    example e = bridge(&methods[m], &bridge_turn, true);
    test_sim made = settled(&e, &solver);
    double before[4], after[4];
    probe(&made, WY_POSITION, 0.5, before);
    check_above(wy_sim_energy(made.sim, 0).elastic, 0.01);
    wy_message message = {0};
    must(wy_sim_advance(made.sim, 0.1, &message), &message);
    probe(&made, WY_POSITION, 0.5, after);
    check_close(apart(before, after), 0, 1e-6);
    check_close(wy_sim_energy(made.sim, 0).kinetic, 0, 1e-9);
    free_sim(&made);
    free_example(&e);
  }
}

/* A clamp that begins turned and turns on, in motion: as of a rod that begins turned, whose clamp turns on as much;
   both from their equilibria. Steps and tolerances are the same, and so are the errors that they leave, but for
   round-off. */
static void motion_goes_on_from_a_turned_clamp(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    const turn *t = &turns[7];
    const wy_solver_def solver = solver_of(&methods[m]);
    example a = hanging(&methods[m], t, true), b = hanging(&methods[m], t, false);
    a.rod.ends[WY_START] = turned_clamp(t->axis, example_signal(&a, "0.9*t - 2.05", 1));
    b.rod.ends[WY_START] = turned_clamp(t->axis, example_signal(&b, "0.9*t", 1));
    test_sim got = settled(&a, &solver), want = settled(&b, &solver);
    move_to(&got, 0.3), move_to(&want, 0.3);
    const wy_energy first = wy_sim_energy(got.sim, 0), second = wy_sim_energy(want.sim, 0);
    check_above(first.kinetic, 1e-3);
    check_close(first.kinetic / second.kinetic, 1, 1e-5);
    check_close(first.work / second.work, 1, 1e-5);
    same_shape(methods[m].name, &got, &want, 1e-6);
    free_sim(&got), free_sim(&want);
    free_example(&a), free_example(&b);
  }
}

/* ---- Side by side ---- */

typedef struct bridge_values {
  double middle[4], elastic, omega[3];
} bridge_values;

static bridge_values measured(const method *m, int segments) {
  bridge_values values;
  const wy_solver_def solver = solver_of(m);
  example e = bridge(m, &bridge_turn, true);
  e.rod.segments = segments;
  test_sim made = settled(&e, &solver);
  wy_mode_set *modes;
  wy_message message = {0};
  must(wy_sim_modes(made.sim, 0, 3, &modes, &message), &message);
  memcpy(values.omega, modes->omega, sizeof values.omega);
  probe(&made, WY_POSITION, 0.5, values.middle);
  values.elastic = wy_sim_energy(made.sim, 0).elastic;
  wy_mode_set_destroy(modes);
  free_sim(&made);
  free_example(&e);
  return values;
}

/* Order 2, extrapolated; what is left is of order 4 in pieces of 1/16, whose turns are a quarter at most. */
static bridge_values extrapolated(const method *m) {
  bridge_values coarse = measured(m, 16), fine = measured(m, 32);
  const int factor = m->order == 2 ? 15 : 3;
  for (int k = 0; k < 3; k++) {
    fine.middle[k] += (fine.middle[k] - coarse.middle[k]) / factor;
    fine.omega[k] += (fine.omega[k] - coarse.omega[k]) / factor;
  }
  fine.elastic += (fine.elastic - coarse.elastic) / factor;
  return fine;
}

static void schemes_agree_about_a_turned_bridge(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    bridge_values want = {.elastic = 0};
    bool known = false;
    for (int m = 0; m < METHODS; m++) {
      if (methods[m].kind != (wy_rod_kind)kind)
        continue;
      bridge_values got = extrapolated(&methods[m]);
      print_message("%s: middle %.6f %.6f %.6f, elastic %.6f, omega %.4f %.4f %.4f\n", methods[m].name, got.middle[0],
                    got.middle[1], got.middle[2], got.elastic, got.omega[0], got.omega[1], got.omega[2]);
      want = known ? want : got;
      known = true;
      check_close(apart(got.middle, want.middle), 0, 1e-3);
      check_close(got.elastic / want.elastic, 1, 2e-3);
      for (int k = 0; k < 3; k++)
        check_close(got.omega[k] / want.omega[k], 1, 5e-3);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_clamp_turns_a_free_rod_as_a_whole),
      cmocka_unit_test(in_gravity_a_turned_clamp_is_a_turned_rod),
      cmocka_unit_test(an_actuated_rod_turns_with_its_clamp),
      cmocka_unit_test(a_bridge_may_be_turned_by_either_end),
      cmocka_unit_test(columns_buckle_alike),
      cmocka_unit_test(quasistatics_begin_turned),
      cmocka_unit_test(motion_begins_turned),
      cmocka_unit_test(motion_goes_on_from_a_turned_clamp),
      cmocka_unit_test(schemes_agree_about_a_turned_bridge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
