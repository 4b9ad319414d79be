/* SPDX-License-Identifier: MIT */
/* Moments at ends that turn freely, in body and in space axes, at either end of a precurved rod with three unlike
   stiffnesses: configuration and elastic energy in equilibrium against an integration of the rod's own equation, with
   second order; motion, work and energy against another scheme; books that balance. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/cases.h"
#include "support/moving.h"
#include "support/uniform.h"
#include "withy/statics.h"

static const double stiffness[6] = {40, 50, 90, 0.05, 0.07, 0.04}, natural[3] = {0.3, -0.4, 0.5};
static const double load[3] = {0.06, 0.16, 0.1};

typedef struct problem {
  wy_rod_kind kind;
  wy_axes axes;
  int end; /* that carries the moment; the other one is clamped */
  enum { TIP, MIDDLE, ELASTIC } what;
} problem;

static example loaded_rod(const problem *p, int segments) {
  example e = uniform_rod(p->kind, segments, 1, stiffness);
  for (int i = 0; i < 3; i++)
    e.rod.shape.curvature[i] = wy_constant(natural[i]);
  e.rod.ends[WY_START] = wy_end_free();
  e.rod.ends[!p->end] = wy_end_clamped();
  load_tip(&e, NULL, load, p->axes);
  e.loads[0].place = p->end ? WY_AT_END : WY_AT_START;
  return e;
}

/* ---- The exact equilibrium ---- */

/* No force acts, so that the moment is the same all along the rod, in space: in the frame M' = M x K, with
   K = K0 + C^-1 M; x' = d3. */
typedef struct point {
  double x[3], q[4], m[3], energy;
} point;

enum { NUMBERS = 11 };

static void slope(const double y[NUMBERS], double dy[NUMBERS]) {
  const double *q = y + 3, *m = y + 7;
  double k[4] = {0}, r[9], dq[4];
  dy[10] = 0;
  for (int i = 0; i < 3; i++) {
    k[i + 1] = natural[i] + m[i] / stiffness[3 + i];
    dy[10] += 0.5 * m[i] * m[i] / stiffness[3 + i];
  }
  wy_qmatrix(q, r);
  wy_qmul(q, k, dq);
  for (int i = 0; i < 4; i++)
    dy[3 + i] = 0.5 * dq[i];
  for (int i = 0; i < 3; i++)
    dy[i] = r[3 * i + 2];
  wy_cross3(m, k + 1, dy + 7);
}

/* Along `length`, which may be negative, by the classical method of Runge and Kutta: a thousand steps leave 1e-12. */
static point along(point from, double length) {
  enum { STEPS = 1000 };
  const double h = length / STEPS;
  double y[NUMBERS], at[NUMBERS], k[4][NUMBERS];
  memcpy(y, from.x, sizeof from.x), memcpy(y + 3, from.q, sizeof from.q);
  memcpy(y + 7, from.m, sizeof from.m), y[10] = from.energy;
  for (int step = 0; step < STEPS; step++) {
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < NUMBERS; i++)
        at[i] = y[i] + (stage == 0 ? 0 : stage == 3 ? h : 0.5 * h) * (stage ? k[stage - 1][i] : 0);
      slope(at, k[stage]);
    }
    for (int i = 0; i < NUMBERS; i++)
      y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  point to = {.energy = y[10]};
  memcpy(to.x, y, sizeof to.x), memcpy(to.q, y + 3, sizeof to.q), memcpy(to.m, y + 7, sizeof to.m);
  return to;
}

/* From the clamp, with its frame, to the middle and to the loaded end, away from the clamp; and the energy. In body
   axes the moment is known at the other end: from there and back. */
static void exact(const problem *p, const double clamp[4], double middle[3], double tip[3], double *energy) {
  const double side = p->end ? 1 : -1;
  point at = {.q = {1, 0, 0, 0}};
  double r[9], m[3] = {side * load[0], side * load[1], side * load[2]};
  wy_qmatrix(clamp, r);
  wy_tmul3(r, m, at.m);
  if (p->axes == WY_BODY_AXES) {
    memcpy(at.m, m, sizeof m);
    at = along(at, -side);
  }
  memset(at.x, 0, sizeof at.x);
  memcpy(at.q, clamp, sizeof at.q);
  at.energy = 0;
  point half = along(at, 0.5 * side), whole = along(half, 0.5 * side);
  memcpy(middle, half.x, sizeof half.x);
  memcpy(tip, whole.x, sizeof whole.x);
  *energy = side * whole.energy;
}

static double error_of(int segments, const void *context) {
  const problem *p = context;
  const wy_solver_def solver = wy_default_solver_def();
  example e = loaded_rod(p, segments);
  test_sim made = settled(&e, &solver);
  const int clamp = !p->end;
  double middle[3], tip[3], energy, at[4], base[4];
  exact(p, wy_sim_view(made.sim, 0)->ends[clamp].frame, middle, tip, &energy);
  probe(&made, WY_POSITION, clamp, base);
  probe(&made, WY_POSITION, p->what == TIP ? p->end : 0.5, at);
  for (int i = 0; i < 3; i++)
    at[i] -= base[i];
  double error = p->what == ELASTIC ? fabs(wy_sim_energy(made.sim, 0).elastic / energy - 1)
                                    : apart(at, p->what == TIP ? tip : middle);
  free_sim(&made);
  free_example(&e);
  return error;
}

/* The bound: (K h)^2 with a curvature of about 4 and 20 segments. */
static void equilibria_are_of_second_order(void **state) {
  (void)state;
  static const char *const quantities[] = {"tip", "middle", "elastic energy"};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int axes = WY_SPACE_AXES; axes <= WY_BODY_AXES; axes++)
      for (int end = 0; end < 2; end++)
        for (int what = TIP; what <= ELASTIC; what++) {
          problem p = {(wy_rod_kind)kind, (wy_axes)axes, end, what};
          char name[96];
          snprintf(name, sizeof name, "model %d, moment in %s axes at the %s, %s", kind, axes ? "body" : "space",
                   end ? "end" : "start", quantities[what]);
          second_order(name, error_of, &p, 20, 16.0 / 400);
        }
}

/* Twist and bending in a plane of a straight rod have the right energy with any grid, where curvature is measured by
   the angle. */
static void constant_curvature_has_its_energy(void **state) {
  (void)state;
  for (int axis = 0; axis < 3; axis++)
    for (int axes = WY_SPACE_AXES; axes <= WY_BODY_AXES; axes++) {
      example e = uniform_rod(WY_COSSERAT, 5, 1, stiffness);
      e.rod.shape = (wy_shape){.direction = {0, 0, 1}, .d1 = {1, 0, 0}};
      double moment[3] = {0};
      moment[axis] = 0.05;
      load_tip(&e, NULL, moment, (wy_axes)axes);
      wy_solver_def solver = wy_default_solver_def();
      solver.staggered.curvature_measure = WY_ANGLE;
      test_sim made = settled(&e, &solver);
      const double want = 0.5 * 0.05 * 0.05 / stiffness[3 + axis];
      check_close(wy_sim_energy(made.sim, 0).elastic, want, 1e-9 * want);
      check_close(wy_sim_energy(made.sim, 0).work, 0, 0); /* of paths of equilibria it is not followed */
      free_sim(&made);
      free_example(&e);
    }
}

/* A place that is the end but for the last digits is the end: the equilibrium moves with it, by no more than (K h)^2 of
   the round-off. */
static void an_end_is_one_to_round_off(void **state) {
  (void)state;
  for (int end = 0; end < 2; end++) {
    const problem p = {WY_KIRCHHOFF, WY_BODY_AXES, end, TIP};
    const wy_solver_def solver = wy_default_solver_def();
    example e = loaded_rod(&p, 10);
    test_sim at_end = settled(&e, &solver);
    e.loads[0].place = WY_AT_ARC, e.loads[0].from = end ? nextafter(1, 0) : 1e-16;
    test_sim beside = settled(&e, &solver);
    double want[4], got[4];
    probe(&at_end, WY_POSITION, end, want);
    probe(&beside, WY_POSITION, end, got);
    check_close(apart(got, want), 0, 1e-12);
    free_sim(&at_end);
    free_sim(&beside);
    free_example(&e);
  }
}

/* A probe at a loaded end shows the moment of the load: extrapolated over half a segment, with second order. */
static double shown_moment_error(int segments, const void *context) {
  const problem *p = context;
  const wy_solver_def solver = wy_default_solver_def();
  example e = loaded_rod(p, segments);
  test_sim made = settled(&e, &solver);
  const double want[3] = {p->end ? load[0] : -load[0], p->end ? load[1] : -load[1], p->end ? load[2] : -load[2]};
  double got[4];
  probe(&made, WY_MOMENT, p->end, got);
  free_sim(&made);
  free_example(&e);
  return apart(got, want);
}

static void probes_show_the_moment(void **state) {
  (void)state;
  for (int end = 0; end < 2; end++) {
    const problem p = {WY_KIRCHHOFF, WY_BODY_AXES, end, TIP};
    second_order("moment shown at a loaded end", shown_moment_error, &p, 80, 16.0 / 6400);
  }
}

/* ---- In time ---- */

typedef struct motion {
  double tip[4], elastic, work, kinetic;
} motion;

/* The moment grows and falls again; the tip moves by a good part of the length. */
static motion moved(const problem *p, const char *scheme, int pieces) {
  example e = loaded_rod(p, pieces);
  for (int i = 0; i < 3; i++)
    e.loads[0].moment[i] = example_signal(&e, "sin(0.8*t)^2", 0.5 * load[i]);
  wy_solver_def solver = wy_default_solver_def();
  if (strcmp(scheme, "mixed") == 0)
    solver = mixed_solver(2, 4e-3);
  else
    solver.relative_tolerance = solver.absolute_tolerance = 1e-8;
  test_sim made = start_moving(&e, &solver);
  const wy_energy start = wy_sim_energy(made.sim, 0);
  check_close(start.work, 0, 0);
  move_to(&made, 2);
  const wy_energy energy = wy_sim_energy(made.sim, 0);
  motion out = {.elastic = energy.elastic, .work = energy.work, .kinetic = energy.kinetic};
  probe(&made, WY_POSITION, p->end, out.tip);
  check_close(energy.total - start.total, energy.work, 1e-6 * energy.work);
  free_sim(&made);
  free_example(&e);
  return out;
}

/* Both of second order: extrapolated to errors of fourth order. One of first order in work or elastic energy, as
   without the half cell at the end, would leave 2/3 of its share, 1/80: 8e-3. */
static void motions_agree_with_mixed_elements(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int axes = WY_SPACE_AXES; axes <= WY_BODY_AXES; axes++) {
      const problem p = {(wy_rod_kind)kind, (wy_axes)axes, (kind + axes) % 2, TIP};
      const motion coarse = moved(&p, "staggered", 20), fine = moved(&p, "staggered", 40);
      const motion want = moved(&p, "mixed", 16);
      double tip[3], work = fine.work + (fine.work - coarse.work) / 3,
                     elastic = fine.elastic + (fine.elastic - coarse.elastic) / 3;
      for (int i = 0; i < 3; i++)
        tip[i] = fine.tip[i] + (fine.tip[i] - coarse.tip[i]) / 3;
      print_message("model %d, axes %d: tip off by %.2e, work by %.2e, elastic by %.2e of %.3g\n", kind, axes,
                    apart(tip, want.tip), work / want.work - 1, elastic / want.elastic - 1, want.work);
      check_close(apart(tip, want.tip), 0, 1e-3);
      check_close(work / want.work, 1, 1e-3);
      check_close(elastic / want.elastic, 1, 1e-3);
    }
}

/* Moments in both axes at both ends, there from the start, with all that else stores or loses energy. */
static void books_balance(void **state) {
  (void)state;
  static void (*const others[])(example *) = {NULL, damped_with_drag, maxwell_branches, actuators};
  for (int other = 0; other < 4; other++)
    for (int form = 0; form < 4; form++) { /* the models, and absolute coordinates */
      example e = plain_case();
      if (others[other])
        others[other](&e);
      e.rod.ends[WY_START] = wy_end_free();
      e.rod.kind = form < 3 ? (wy_rod_kind)form : WY_COSSERAT;
      body_end_loads(&e);
      end_loads(&e);
      wy_solver_def solver = wy_default_solver_def();
      solver.staggered.coordinates = form < 3 ? WY_NULLSPACE : WY_ABSOLUTE;
      solver.integrator = "radau5";
      solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
      test_sim made = start_moving(&e, &solver);
      const wy_energy start = wy_sim_energy(made.sim, 0);
      check_close(start.work, 0, 0);
      check_above(start.elastic, 1e-3); /* of the half cells */
      for (int i = 1; i <= 4; i++) {
        move_to(&made, 0.2 * i);
        const wy_energy now = wy_sim_energy(made.sim, 0);
        check_close(now.total - start.total, now.work - now.dissipated, 1e-7);
      }
      free_sim(&made);
      free_example(&e);
    }
}

/* In equilibrium nothing begins to move, and the work is counted from there. */
static void motion_begins_in_equilibrium(void **state) {
  (void)state;
  for (int axes = WY_SPACE_AXES; axes <= WY_BODY_AXES; axes++) {
    const problem p = {WY_KIRCHHOFF, (wy_axes)axes, 1, TIP};
    wy_solver_def solver = wy_default_solver_def();
    solver.relative_tolerance = solver.absolute_tolerance = 1e-8;
    example e = loaded_rod(&p, 10);
    test_sim made = settled(&e, &solver);
    double before[4], after[4];
    probe(&made, WY_POSITION, 1, before);
    move_to(&made, 0.5);
    probe(&made, WY_POSITION, 1, after);
    check_close(apart(before, after), 0, 1e-6);
    check_close(wy_sim_energy(made.sim, 0).work, 0, 1e-7);
    free_sim(&made);
    free_example(&e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equilibria_are_of_second_order),    cmocka_unit_test(constant_curvature_has_its_energy),
      cmocka_unit_test(an_end_is_one_to_round_off),        cmocka_unit_test(probes_show_the_moment),
      cmocka_unit_test(motions_agree_with_mixed_elements), cmocka_unit_test(books_balance),
      cmocka_unit_test(motion_begins_in_equilibrium),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
