/* SPDX-License-Identifier: MIT */
/* What every step of the mixed scheme keeps, for both orders, all models, ends, loads, materials and actuators: the
   balance of energy, orthonormal frames, rest, rigid motions; that Newton's method converges
   quadratically, and that steps are of second order (docs/theory/mixed.md).

   All sizes are of order 1: round-off is some 1e-14 (positions of order 1 over steps of 0.05, times momenta), and
   tolerances of 1e-12 leave room for sums over the nodes. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "scheme/system.h"
#include "support/cases.h"

static const double round_off = 1e-12;

/* ---- Energy ---- */

static void every_step_balances(variant *v) {
  test_sim made = simulate(&v->e, &v->solver);
  wy_energy start = wy_sim_energy(made.sim, 0), before = start;
  double scale = 1, defect = 0;
  for (int n = 0; n < 20; n++) {
    step_variant(v, &made);
    wy_energy after = wy_sim_energy(made.sim, 0);
    scale = fmax(scale, fmax(after.kinetic, after.elastic));
    double change = after.total - before.total, work = after.work - before.work;
    double lost = after.dissipated - before.dissipated;
    defect = fmax(defect, fabs(change - work + lost));
    if (!(fabs(change - work + lost) <= round_off * scale))
      fail_msg("%s, step %d: energy changes by %.15g, work %.15g, dissipated %.15g, defect %.3g, tolerance %.3g",
               v->name, n, change, work, lost, change - work + lost, round_off * scale);
    if (!(lost >= 0))
      fail_msg("%s, step %d: %.3g dissipated", v->name, n, lost);
    before = after;
  }
  /* Something has moved. */
  if (!(fabs(before.kinetic - start.kinetic) > 1e-4))
    fail_msg("%s: kinetic energy %.3g from %.3g", v->name, before.kinetic, start.kinetic);
  free_sim(&made);
}

static void energy_is_balanced_in_every_step(void **state) {
  (void)state;
  for_all_cases(every_step_balances);
}

/* ---- Shapes ---- */

static double misfit_of_unit(const wy_points *frames) {
  double worst = 0;
  for (int i = 0; i < frames->count; i++) {
    const double *q = frames->values + 4 * i;
    worst = fmax(worst, fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1));
  }
  return worst;
}

static void rest_is_kept(variant *v) {
  v->e.load_count = v->e.actuator_count = 0;
  memset(v->e.gravity, 0, sizeof v->e.gravity);
  test_sim made = simulate(&v->e, &v->solver);
  const wy_view *view = wy_sim_view(made.sim, 0);
  double x[3 * 64];
  size_t bytes = sizeof(double) * 3 * (size_t)view->position.count;
  memcpy(x, view->position.values, bytes);
  check_close(wy_sim_energy(made.sim, 0).elastic, 0, 1e-28);
  for (int n = 0; n < 100; n++)
    step_variant(v, &made);
  view = wy_sim_view(made.sim, 0);
  for (int i = 0; i < 3 * view->position.count; i++)
    if (!(fabs(view->position.values[i] - x[i]) <= round_off))
      fail_msg("%s: entry %d moves by %.3g", v->name, i, view->position.values[i] - x[i]);
  check_close(wy_sim_energy(made.sim, 0).kinetic, 0, 1e-20);
  check_close(misfit_of_unit(&view->frame), 0, 1e-14);
  free_sim(&made);
}

/* The undeformed rod is free of stress in its discrete form, whatever its configuration. */
static void an_unloaded_rod_stays_at_rest(void **state) {
  (void)state;
  static const named_case held[3] = {{"free", end_loads}, {"pinned", pinned_in_gravity}, {"damped", damped_with_drag}};
  for (int i = 0; i < 3; i++)
    for (int order = 1; order <= 2; order++)
      for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
        variant v = make_variant(&held[i], order, (wy_rod_kind)kind, WY_CORRECTED_MOMENT, 0.1);
        rest_is_kept(&v);
        free_example(&v.e);
      }
}

static void turn(const double r[9], const double x[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = r[3 * i] * x[0] + r[3 * i + 1] * x[1] + r[3 * i + 2] * x[2];
}

/* The same problem, moved and turned with all that acts in space axes. */
static void move_problem(example *e, const double r[9], const double shift[3]) {
  double x[3];
  turn(r, e->rod.shape.direction, x), memcpy(e->rod.shape.direction, x, sizeof x);
  turn(r, e->rod.shape.d1, x), memcpy(e->rod.shape.d1, x, sizeof x);
  turn(r, e->gravity, x), memcpy(e->gravity, x, sizeof x);
  memcpy(e->rod.shape.origin, shift, sizeof x);
  for (int i = 0; i < e->load_count; i++)
    if (e->loads[i].axes == WY_SPACE_AXES) {
      wy_signal *vectors[2] = {e->loads[i].force, e->loads[i].moment};
      for (int k = 0; k < 2; k++) {
        const double old[3] = {vectors[k][0].value, vectors[k][1].value, vectors[k][2].value};
        turn(r, old, x);
        for (int c = 0; c < 3; c++)
          vectors[k][c] = wy_constant(x[c]);
      }
    }
}

static void rigid_motions_change_nothing(void **state) {
  (void)state;
  const named_case loaded = {"constant loads", constant_loads};
  const double q[4] = {0.5, -0.5, 0.1, 0.7}, shift[3] = {3, -2, 5};
  double unit[4], r[9], norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++)
    unit[i] = q[i] / norm;
  wy_qmatrix(unit, r);
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      variant here = make_variant(&loaded, order, (wy_rod_kind)kind, WY_CORRECTED_MOMENT, 0.05), there = here;
      move_problem(&there.e, r, shift);
      test_sim a = simulate(&here.e, &here.solver), b = simulate(&there.e, &there.solver);
      for (int n = 0; n < 20; n++)
        step_variant(&here, &a), step_variant(&there, &b);
      const wy_view *first = wy_sim_view(a.sim, 0), *second = wy_sim_view(b.sim, 0);
      for (int i = 0; i < first->position.count; i++) {
        double want[3];
        turn(r, first->position.values + 3 * i, want);
        for (int k = 0; k < 3; k++)
          check_close(second->position.values[3 * i + k], want[k] + shift[k], 10 * round_off);
      }
      compare_vectors(here.name, "moments", second->moment.values, first->moment.values, 3 * first->moment.count,
                      1e-10);
      compare_vectors(here.name, "forces", second->force.values, first->force.values, 3 * first->force.count, 1e-9);
      free_sim(&a);
      free_sim(&b);
    }
}

/* ---- Newton's method ---- */

/* Round-off of positions, 4 mass / h^2 times 1e-16, against loads of 0.05 in the first steps. */
static const double smallest_misfit = 1e-11;

/* What is out of balance after each correction of a step, from the scheme itself. The tangent is exact if the last
   corrections square it: m(k+1) <= C m(k)^2 with C of the size that the earlier ones show. */
static void corrections_converge(const variant *v, wy_system *system, double *u, double t, double h, int most) {
  const wy_step_type *midpoint = system->type->step;
  double misfit[20], change, integrals[WY_INTEGRALS] = {0};
  int count = 0;
  midpoint->begin(system, t, h, u, WY_GUESS_MOVING);
  assert_int_equal(midpoint->residual(system, system->step_vector, &misfit[count++]), 0);
  while (count < 20 && misfit[count - 1] > smallest_misfit) {
    assert_int_equal(wy_step_correct(system, true, system->step_vector, &change), 0);
    assert_int_equal(midpoint->residual(system, system->step_vector, &misfit[count++]), 0);
    if (count >= 3 && misfit[count - 2] < 1e-3) {
      double allowed = 100 * misfit[count - 2] * misfit[count - 2] + smallest_misfit;
      if (!(misfit[count - 1] <= allowed))
        fail_msg("%s, t = %g: correction %d leaves %.3g of %.3g, %.3g allowed", v->name, t, count - 1,
                 misfit[count - 1], misfit[count - 2], allowed);
    }
  }
  if (count - 1 > most)
    fail_msg("%s, t = %g: %d corrections", v->name, t, count - 1);
  midpoint->finish(system, u, integrals);
}

/* The directors of every node, as the state has them: the view shows unit quaternions whatever they are. */
static void frames_are_orthonormal(const variant *v, const wy_system *system, const double *u) {
  const wy_field *field = &system->fields[0];
  assert_string_equal(field->name, "configuration"); /* node by node: place, d1, d2, d3 */
  for (int node = 0; node < field->count; node++) {
    const double *d = u + field->offset + 12 * node + 3;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j <= i; j++) {
        double dot = d[3 * i] * d[3 * j] + d[3 * i + 1] * d[3 * j + 1] + d[3 * i + 2] * d[3 * j + 2];
        if (!(fabs(dot - (i == j)) <= 1e-14))
          fail_msg("%s, node %d: d%d.d%d is %.17g", v->name, node, i + 1, j + 1, dot);
      }
  }
}

static void newton_is_quadratic(variant *v) {
  wy_model_def def = wy_default_model_def();
  memcpy(def.gravity, v->e.gravity, sizeof def.gravity);
  def.rods = &v->e.rod, def.rod_count = 1;
  def.loads = v->e.loads, def.load_count = v->e.load_count;
  def.actuators = v->e.actuators, def.actuator_count = v->e.actuator_count;
  test_system made = make_system(&def, &v->solver);
  double *u = state_array(&made);
  made.system->type->initial(made.system, u);
  for (int n = 0; n < 5; n++)
    corrections_converge(v, made.system, u, 0.05 * n, 0.05, 6);
  corrections_converge(v, made.system, u, 0.25, 0.5, 12); /* inertia does not hide errors of the tangent here */
  frames_are_orthonormal(v, made.system, u);
  free(u);
  free_system(&made);
}

/* And the frames of nodes are orthonormal to round-off. */
static void newton_converges_quadratically(void **state) {
  (void)state;
  for_all_cases(newton_is_quadratic);
}

/* ---- Order ---- */

static void smooth_case(example *e) {
  everything_viscous(e);
  actuators(e);
}

/* Positions of the tip at t = 1 with three steps: differences fall by four. */
static void steps_are_of_second_order(void **state) {
  (void)state;
  const named_case c = {"smooth", smooth_case};
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      double tip[3][4], difference[2] = {0};
      for (int i = 0; i < 3; i++) {
        variant v = make_variant(&c, order, (wy_rod_kind)kind, WY_CORRECTED_MOMENT, 0.02 / (1 << i));
        test_sim made = simulate(&v.e, &v.solver);
        wy_message message = {0};
        must(wy_sim_advance(made.sim, 1, &message), &message);
        probe(&made, WY_POSITION, v.e.rod.length, tip[i]);
        free_sim(&made);
        free_example(&v.e);
      }
      for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
          difference[i] = fmax(difference[i], fabs(tip[i][k] - tip[i + 1][k]));
      print_message("order in time, order %d, model %d: %.2e %.2e, %.3f\n", order, kind, difference[0], difference[1],
                    log2(difference[0] / difference[1]));
      check_close(log2(difference[0] / difference[1]), 2, 0.1);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_is_balanced_in_every_step), cmocka_unit_test(an_unloaded_rod_stays_at_rest),
      cmocka_unit_test(rigid_motions_change_nothing),     cmocka_unit_test(newton_converges_quadratically),
      cmocka_unit_test(steps_are_of_second_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
