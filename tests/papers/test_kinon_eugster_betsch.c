/* SPDX-License-Identifier: MIT */
/* The examples of Kinon, Eugster and Betsch (docs/theory/mixed.md) against an independent program with the same
   equations, mesh and step (tests/data/mixed.md), and against what must hold exactly: balances, closed forms, the
   elastica. Single numbers, invariants and figures are those of the experiment: test_reproduced_mixed.c.

   The reference solves its steps to an absolute residual of 1e-11 and is good to some 1e-11 itself. Values agree to
   1e-8 relative to the scale of the quantity: the largest length that the vector (position, velocity, force, ...), or
   the largest value that the scalar, reaches in the reference. */
#include <stdio.h>

#include "check.h"
#include "support/published.h"
#include "support/table.h"

static const double relative = 1e-8;

static table reference(const char *name, int rows) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.csv", WY_TEST_DATA, name);
  return read_table(path, rows);
}

/* ---- Following a reference row by row ---- */

/* A run beside its reference: the row it stands at, and the largest difference of anything so far. */
typedef struct run {
  test_sim made;
  table want;
  int row;
  double worst;
  long iterations, most_iterations;
} run;

/* `got` against neighbouring columns that begin with `name`. */
static void compare(run *r, const char *name, const double *got, int count) {
  int column = table_column(&r->want, name);
  const double *want = table_at(&r->want, r->row, column);
  double scale = table_scale(&r->want, column, count);
  for (int k = 0; k < count; k++) {
    r->worst = fmax(r->worst, fabs(got[k] - want[k]) / scale);
    if (!(fabs(got[k] - want[k]) <= relative * scale))
      fail_msg("row %d, t = %g: %s, component %d: got %.15g, want %.15g, tolerance %.3g", r->row,
               *table_at(&r->want, r->row, 0), name, k + 1, got[k], want[k], relative * scale);
  }
}

static void compare_probe(run *r, const char *name, wy_quantity quantity, double s) {
  double got[4];
  probe(&r->made, quantity, s, got);
  compare(r, name, got, 3);
}

static void compare_number(run *r, const char *name, double got) {
  compare(r, name, &got, 1);
}

/* One step on, to the time of the next row; the energy before and after must differ by work and dissipation. */
typedef struct step_record {
  wy_energy before, after;
  double work, dissipated, defect;
} step_record;

static step_record step_to_next_row(run *r) {
  wy_message message = {0};
  step_record s = {.before = wy_sim_energy(r->made.sim, 0)};
  must(wy_sim_step(r->made.sim, &message), &message);
  r->row++;
  check_close(wy_sim_time(r->made.sim), *table_at(&r->want, r->row, 0), 1e-12);
  s.after = wy_sim_energy(r->made.sim, 0);
  s.work = s.after.work - s.before.work;
  s.dissipated = s.after.dissipated - s.before.dissipated;
  s.defect = s.after.total - s.before.total - s.work + s.dissipated;
  long iterations = wy_sim_statistics(r->made.sim, 0).newton_iterations;
  r->most_iterations =
      iterations - r->iterations > r->most_iterations ? iterations - r->iterations : r->most_iterations;
  r->iterations = iterations;
  return s;
}

static void report(const char *name, const run *r, double defect) {
  print_message("%s: largest relative difference %.2g, largest defect of the energy %.2g, %ld Newton iterations, at "
                "most %ld in a step\n",
                name, r->worst, defect, r->iterations, r->most_iterations);
}

/* Elements of order 2, as all published examples have them. */
static wy_solver_def published_solver(wy_end_moment moment, double step) {
  wy_solver_def solver = mixed_solver(2, step);
  solver.mixed.end_moment = moment;
  return solver;
}

/* ---- Flying spaghetti (6.1) ---- */

/* Energy that one step may miss by round-off: positions of 70 have an error of 1e-14, velocities 2 / h times that, and
   the momentum is 50, 1e-11 together. In the mean over the run much less. */
static const double energy_round_off = 1e-11, mean_round_off = 3.4e-12;

static void compare_spaghetti(run *r, const step_record *s) {
  wy_momentum momentum = wy_sim_momentum(r->made.sim, 0);
  compare_probe(r, "phi0_x", WY_POSITION, 0);
  compare_probe(r, "phiL_x", WY_POSITION, 10);
  compare_probe(r, "v0_x", WY_VELOCITY, 0);
  compare_probe(r, "vL_x", WY_VELOCITY, 10);
  compare_probe(r, "d1L_x", WY_DIRECTOR1, 10);
  compare_probe(r, "d2L_x", WY_DIRECTOR2, 10);
  compare_number(r, "kin", s->after.kinetic);
  compare_number(r, "pot", s->after.elastic);
  compare_number(r, "Wext_step", s->work);
  compare(r, "p_x", momentum.linear, 3);
  compare(r, "l_x", momentum.angular, 3);
  compare(r, "com_x", momentum.centre_of_mass, 3);
}

static void the_spaghetti_flies_as_published(void **state) {
  (void)state;
  example e = example_of(wy_scene_spaghetti(10));
  wy_solver_def solver = published_solver(WY_PRINTED_MOMENT, 0.1);
  run r = {.made = simulate(&e, &solver), .want = reference("flying_spaghetti", 151)};
  double defect = 0, squares = 0;
  while (r.row < 150) {
    step_record s = step_to_next_row(&r);
    compare_spaghetti(&r, &s);
    defect = fmax(defect, fabs(s.defect));
    squares += s.defect * s.defect;
  }
  report("flying spaghetti, moment as printed", &r, defect);
  check_at_most(defect, energy_round_off);
  check_at_most(sqrt(squares / 150), mean_round_off);
  /* Newton's method needs three corrections; the third has the tangent of the second. */
  check_at_most((double)wy_sim_statistics(r.made.sim, 0).jacobians, 2.5 * 150);
  free_table(&r.want);
  free_sim(&r.made);
  free_example(&e);
}

/* ---- Aluminium cantilever (6.2) ---- */

static void follow_cantilever(bool maxwell) {
  example e = example_of(wy_scene_aluminium(8, maxwell));
  wy_solver_def solver = published_solver(WY_PRINTED_MOMENT, 1e-3);
  run r = {.made = simulate(&e, &solver),
           .want = reference(maxwell ? "aluminium_cantilever_maxwell" : "aluminium_cantilever", 301)};
  double defect = 0;
  while (r.row < 300) {
    step_record s = step_to_next_row(&r);
    compare_probe(&r, "x", WY_POSITION, 1);
    compare_probe(&r, "v_x", WY_VELOCITY, 1);
    compare_probe(&r, "d1_x", WY_DIRECTOR1, 1);
    compare_probe(&r, "d2_x", WY_DIRECTOR2, 1);
    compare_probe(&r, "Nm1_clamp", WY_FORCE, 0); /* a force that does no work: its value is that of the midpoint */
    compare_number(&r, "kin", s.after.kinetic);
    compare_number(&r, "pot", s.after.elastic);
    compare_number(&r, "Wext_step", s.work);
    if (maxwell) {
      compare_number(&r, "D_step", s.dissipated);
      check_above(s.dissipated, 0);
    }
    defect = fmax(defect, fabs(s.defect));
  }
  wy_energy energy = wy_sim_energy(r.made.sim, 0);
  if (!maxwell)
    check_close(energy.dissipated, 0, 0);
  report(maxwell ? "Maxwell cantilever" : "aluminium cantilever", &r, defect);
  check_at_most(defect, 1e-11 * energy.work); /* forces are in balance to 1e-11 */
  free_table(&r.want);
  free_sim(&r.made);
  free_example(&e);
}

static void the_cantilever_swings_as_published(void **state) {
  (void)state;
  follow_cantilever(false);
}

static void the_maxwell_cantilever_comes_to_rest_as_published(void **state) {
  (void)state;
  follow_cantilever(true);
}

static void the_cantilever_takes_huge_steps(void **state) {
  (void)state;
  example e = example_of(wy_scene_aluminium(8, false));
  wy_solver_def solver = published_solver(WY_PRINTED_MOMENT, 5e-2);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_advance(made.sim, 0.3, &message), &message);
  wy_energy energy = wy_sim_energy(made.sim, 0);
  check_close(energy.total, energy.work, 1e-11 * energy.work);
  check_above(energy.total, 0);
  free_sim(&made);
  free_example(&e);
}

/* ---- Bent cantilever (6.3) ---- */

/* How far tip, angle there and moment at the clamp are from the exact ones. */
typedef struct bent_error {
  double tip, angle, moment;
} bent_error;

/* At a load factor, after all the reference's loads up to it. */
static bent_error bend(int order, int elements, bool constrained, double load) {
  example e = example_of(wy_scene_bent(elements, constrained));
  wy_solver_def solver = mixed_solver(order, 0);
  test_sim made = simulate(&e, &solver);
  table exact = reference("bent_cantilever", 8);
  wy_message message = {0};
  bent_error error = {NAN, NAN, NAN};
  for (int i = 0; i < exact.rows; i++) {
    const double *row = table_at(&exact, i, 0);
    if ((row[0] != 0) != constrained || row[1] > load)
      continue;
    must(isnan(error.tip) ? wy_sim_settle(made.sim, row[1], &message) : wy_sim_follow(made.sim, row[1], &message),
         &message);
    double tip[4], d3[4], moment[4];
    probe(&made, WY_POSITION, e.rod.length, tip);
    probe(&made, WY_DIRECTOR3, e.rod.length, d3);
    probe(&made, WY_MOMENT, 0, moment);
    error.tip = hypot(tip[0] - row[2], tip[1] - row[3]);
    error.angle = fabs(atan2(d3[1], d3[0]) - row[4]);
    error.moment = fabs(moment[1] - row[5]);
    check_close(tip[2], 0, 1e-10);
  }
  free_table(&exact);
  free_sim(&made);
  free_example(&e);
  return error;
}

/* Orders of the tip, the angle and the moment at the clamp at all loads; no locking without shear and extension. */
static void bent_cantilevers_converge_with_their_order(void **state) {
  (void)state;
  static const double loads[4] = {0.1, 0.2, 0.4, 1};
  for (int order = 1; order <= 2; order++)
    for (int constrained = 0; constrained < 2; constrained++)
      for (int i = 0; i < 4; i++) {
        bent_error coarse = bend(order, 16, constrained, loads[i]), fine = bend(order, 32, constrained, loads[i]);
        double of_tip = log2(coarse.tip / fine.tip), of_angle = log2(coarse.angle / fine.angle);
        print_message("order %d, %s, load %g: errors %.2e %.2e, orders %.2f, %.2f (angle), moment %.1e %.1e\n", order,
                      constrained ? "constrained" : "all strains", loads[i], coarse.tip, fine.tip, of_tip, of_angle,
                      coarse.moment, fine.moment);
        check_close(of_tip, 2 * order, 0.2);
        check_close(of_angle, 2 * order, 0.5);
        if (loads[i] == 1 && constrained) /* stresses at an end have one order less than positions, or more */
          check_above(log2(coarse.moment / fine.moment), 2 * order - 1.2);
      }
}

/* ---- Soft arm (6.4) ---- */

static void follow_arm(wy_manoeuvre path) {
  example e = example_of(wy_scene_arm(10, path));
  wy_solver_def solver = mixed_solver(2, 0.05);
  run r = {.made = simulate(&e, &solver),
           .want = reference(path == WY_ARM_CIRCLE ? "soft_arm_circle" : "soft_arm_heart", 81)};
  double defect = 0;
  while (r.row < 80) {
    step_record s = step_to_next_row(&r);
    compare_probe(&r, "tip_x", WY_POSITION, e.rod.length);
    compare_probe(&r, "d3_x", WY_DIRECTOR3, e.rod.length);
    compare_probe(&r, "v_x", WY_VELOCITY, e.rod.length);
    compare_number(&r, "H", s.after.total);
    compare_number(&r, "Wext_step", s.work);
    defect = fmax(defect, fabs(s.defect));
  }
  report(path == WY_ARM_CIRCLE ? "soft arm, circle" : "soft arm, heart", &r, defect);
  check_at_most(defect, 1e-14); /* energies below 0.6 */
  free_table(&r.want);
  free_sim(&r.made);
  free_example(&e);
}

static void the_arm_draws_a_circle_and_a_heart(void **state) {
  (void)state;
  follow_arm(WY_ARM_CIRCLE);
  follow_arm(WY_ARM_HEART);
}

/* A straight tendon bends the arm to a circle: N3 = -T, M2 = T rho1, closed form. */
static double tendon_error(int order, int elements) {
  const double pi = 3.14159265358979323846, tension = 10, offset = 0.01, radius = 0.015;
  const double stretch = 1 - tension / (6e5 * pi * radius * radius);
  const double curvature = tension * offset / (6e5 * pi * pow(radius, 4) / 4);
  example e = example_of(wy_scene_arm(elements, WY_ARM_AT_REST));
  e.actuator_count = 1;
  e.actuators[0] = wy_default_actuator_def();
  e.actuators[0].kind = WY_TENDON;
  e.actuators[0].offset[0] = wy_constant(offset);
  e.actuators[0].force = wy_constant(tension);
  wy_solver_def solver = mixed_solver(order, 0);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  double tip[4], angle = curvature * e.rod.length;
  const double want[3] = {stretch / curvature * (1 - cos(angle)), 0, stretch / curvature * sin(angle)};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  probe(&made, WY_POSITION, e.rod.length, tip);
  check_close(tip[1], 0, 1e-12);
  free_sim(&made);
  free_example(&e);
  return hypot(tip[0] - want[0], tip[2] - want[2]);
}

static void a_tendon_bends_the_arm_to_a_circle(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++) {
    double coarse = tendon_error(order, 10), fine = tendon_error(order, 20);
    print_message("tendon, order %d: errors %.2e %.2e, order %.2f\n", order, coarse, fine, log2(coarse / fine));
    check_close(log2(coarse / fine), 2 * order, 0.1);
    /* Of order 1: the compression turns elements back by T le^2 / 4 EI of their angle, 0.032 of 0.736 rad. */
    check_below(coarse, pow(0.032, order) * 0.736 * 0.1755);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_spaghetti_flies_as_published),
      cmocka_unit_test(the_cantilever_swings_as_published),
      cmocka_unit_test(the_maxwell_cantilever_comes_to_rest_as_published),
      cmocka_unit_test(the_cantilever_takes_huge_steps),
      cmocka_unit_test(bent_cantilevers_converge_with_their_order),
      cmocka_unit_test(the_arm_draws_a_circle_and_a_heart),
      cmocka_unit_test(a_tendon_bends_the_arm_to_a_circle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
