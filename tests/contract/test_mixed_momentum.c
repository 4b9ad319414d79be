/* SPDX-License-Identifier: MIT */
/* Momenta in the steps of the mixed scheme, for both orders and all models: forces and moments of loads, gravity and
   supports change them exactly by their impulse, as they are in the middle of the step (docs/theory/mixed.md).

   All sizes are of order 1: round-off is some 1e-14. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "support/cases.h"

static const double round_off = 1e-12;

/* ---- Loads ---- */

/* A position by the scheme's polynomials, between the first and the second view. */
static void middle_at(const wy_points *points, const double *first, int order, double s, double x[3]) {
  int i = 0;
  while (i + order < points->count - 1 && points->s[i + order] < s)
    i += order;
  double weights[3], xi = 2 * (s - points->s[i]) / (points->s[i + order] - points->s[i]) - 1;
  if (order == 1)
    weights[0] = 0.5 * (1 - xi), weights[1] = 0.5 * (1 + xi), weights[2] = 0;
  else
    weights[0] = 0.5 * xi * (xi - 1), weights[1] = 1 - xi * xi, weights[2] = 0.5 * xi * (xi + 1);
  memset(x, 0, 3 * sizeof *x);
  for (int a = 0; a <= order; a++)
    for (int k = 0; k < 3; k++)
      x[k] += weights[a] * 0.5 * (first[3 * (i + a) + k] + points->values[3 * (i + a) + k]);
}

static void add_torque(const double x[3], const double force[3], double factor, double torque[3]) {
  for (int i = 0; i < 3; i++)
    torque[i] += factor * (x[(i + 1) % 3] * force[(i + 2) % 3] - x[(i + 2) % 3] * force[(i + 1) % 3]);
}

/* The integral of x cross f over part of the rod, by quadrature on the pieces between nodes: exact for constant f. */
static void add_line_torque(const wy_points *points, const double *first, int order, const wy_load_def *load,
                            const double force[3], double torque[3]) {
  for (int i = 0; i + 1 < points->count; i++) {
    double from = fmax(load->from, points->s[i]), to = fmin(load->to, points->s[i + 1]);
    for (int g = -1; g <= 1 && to > from; g += 2) {
      double x[3];
      middle_at(points, first, order, 0.5 * (from + to) + g * 0.5 * (to - from) / sqrt(3), x);
      add_torque(x, force, 0.5 * (to - from), torque);
    }
  }
}

static void momentum_case(example *e) {
  *e = plain_case();
  set_gravity(e);
  end_loads(e);
  swinging(e, add_load(e, WY_AT_ARC, WY_SPACE_AXES, 0.6, 0), 0.4, 0.2);
  swinging(e, add_load(e, WY_ALONG, WY_SPACE_AXES, 0.1, 1.2), 0.4, 0.2);
  swinging(e, add_load(e, WY_ALONG, WY_SPACE_AXES, 0, 1.55), -0.2, 0.3);
}

/* What gravity and loads in space axes exert at the middle of a step. */
static void resultant(const example *e, const wy_points *points, const double *first, int order, double t,
                      const double centre[3], double mass, double force[3], double torque[3]) {
  for (int k = 0; k < 3; k++)
    force[k] = mass * e->gravity[k], torque[k] = 0;
  add_torque(centre, force, 1, torque);
  for (int i = 0; i < e->load_count; i++) {
    const wy_load_def *load = &e->loads[i];
    double f[3], m[3], x[3], length = load->place == WY_ALONG ? load->to - load->from : 1;
    for (int k = 0; k < 3; k++) {
      double jet[3];
      load->force[k].evaluate(load->force[k].context, WY_TIME, 0, t, jet);
      f[k] = jet[0];
      load->moment[k].evaluate(load->moment[k].context, WY_TIME, 0, t, jet);
      m[k] = jet[0];
      force[k] += length * f[k];
      torque[k] += length * m[k];
    }
    if (load->place == WY_ALONG)
      add_line_torque(points, first, order, load, f, torque);
    else {
      double s = load->place == WY_AT_ARC ? load->from : load->place == WY_AT_END ? e->rod.length : 0;
      middle_at(points, first, order, s, x);
      add_torque(x, f, 1, torque);
    }
  }
}

/* Linear momentum changes by the impulse, angular momentum by the moments, distributed ones too. */
static void momenta_are_balanced_in_every_step(void **state) {
  (void)state;
  const named_case loaded = {"free under loads", momentum_case};
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      variant v = make_variant(&loaded, order, (wy_rod_kind)kind, WY_CORRECTED_MOMENT, 0.1);
      test_sim made = simulate(&v.e, &v.solver);
      double first[3 * 64], worst = 0;
      for (int n = 0; n < 20; n++) {
        const wy_view *view = wy_sim_view(made.sim, 0);
        wy_momentum before = wy_sim_momentum(made.sim, 0);
        assert_int_equal(view->position.count, 6 * order + 1);
        memcpy(first, view->position.values, sizeof(double) * 3 * (size_t)view->position.count);
        step_variant(&v, &made);
        view = wy_sim_view(made.sim, 0);
        wy_momentum after = wy_sim_momentum(made.sim, 0);
        double force[3], torque[3], centre[3];
        for (int k = 0; k < 3; k++)
          centre[k] = 0.5 * (before.centre_of_mass[k] + after.centre_of_mass[k]);
        resultant(&v.e, &view->position, first, order, 0.1 * n + 0.05, centre, after.mass, force, torque);
        for (int k = 0; k < 3; k++) {
          double linear = after.linear[k] - before.linear[k] - 0.1 * force[k];
          double angular = after.angular[k] - before.angular[k] - 0.1 * torque[k];
          double path = after.centre_of_mass[k] - before.centre_of_mass[k] -
                        0.05 * (before.linear[k] + after.linear[k]) / after.mass;
          worst = fmax(worst, fmax(fabs(linear), fmax(fabs(angular), fabs(path))));
          if (!(fabs(linear) <= round_off && fabs(angular) <= 10 * round_off && fabs(path) <= round_off))
            fail_msg("%s, step %d, component %d: defect of the linear momentum %.3g, of the angular one %.3g, of the "
                     "centre of mass %.3g",
                     v.name, n, k + 1, linear, angular, path);
        }
      }
      print_message("%s: largest defect of momenta %.2g\n", v.name, worst);
      free_sim(&made);
      free_example(&v.e);
    }
}

/* Free flight keeps momenta also where printed moments would not be balanced. */
static void free_flight_keeps_momenta(void **state) {
  (void)state;
  const named_case flight = {"free flight", moving_from_the_start};
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      variant v = make_variant(&flight, order, (wy_rod_kind)kind, WY_PRINTED_MOMENT, 0.1);
      test_sim made = simulate(&v.e, &v.solver);
      wy_momentum start = wy_sim_momentum(made.sim, 0);
      wy_energy energy = wy_sim_energy(made.sim, 0);
      for (int n = 0; n < 100; n++)
        step_variant(&v, &made);
      wy_momentum end = wy_sim_momentum(made.sim, 0);
      for (int k = 0; k < 3; k++) {
        check_close(end.linear[k], start.linear[k], 1e-12);
        check_close(end.angular[k], start.angular[k], 1e-11);
        check_close(end.centre_of_mass[k], start.centre_of_mass[k] + 10 * start.linear[k] / start.mass, 1e-11);
      }
      check_close(wy_sim_energy(made.sim, 0).total, energy.total, 1e-11);
      free_sim(&made);
      free_example(&v.e);
    }
}

/* ---- Supports ---- */

static void held_and_driven(example *e) {
  driven_start(e);
  e->rod.ends[WY_END] = wy_end_pinned();
  e->rod.ends[WY_END].position[0] = WY_FREE;
}

static void clamped_and_damped(example *e) {
  maxwell_branches(e);
  wy_rod_def damped = rich_rod(6);
  e->rod.damping = damped.damping;
}

/* The force and the moment about the origin of gravity and both supports, as they are shown after the step. */
static void supported(const test_sim *made, const example *e, const wy_momentum *before, const wy_momentum *after,
                      double places[2][2][4], double force[3], double torque[3]) {
  double centre[3];
  for (int k = 0; k < 3; k++) {
    centre[k] = 0.5 * (before->centre_of_mass[k] + after->centre_of_mass[k]);
    force[k] = after->mass * e->gravity[k];
    torque[k] = 0;
  }
  add_torque(centre, force, 1, torque);
  for (int end = 0; end < 2; end++) {
    double reaction[4], moment[4], x[3], s = end ? e->rod.length : 0;
    probe(made, WY_REACTION_FORCE, s, reaction);
    probe(made, WY_REACTION_MOMENT, s, moment);
    for (int k = 0; k < 3; k++) {
      x[k] = 0.5 * (places[0][end][k] + places[1][end][k]);
      force[k] += reaction[k];
      torque[k] += moment[k];
    }
    add_torque(x, reaction, 1, torque);
  }
}

/* Reactions are those of the middle of a step, and give what momenta change by. */
static void supports_give_what_momenta_change_by(void **state) {
  (void)state;
  static const named_case held[2] = {{"driven and pinned", held_and_driven}, {"clamped", clamped_and_damped}};
  for (int i = 0; i < 2; i++)
    for (int order = 1; order <= 2; order++)
      for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
        variant v = make_variant(&held[i], order, (wy_rod_kind)kind, WY_CORRECTED_MOMENT, 0.05);
        test_sim made = simulate(&v.e, &v.solver);
        double places[2][2][4], force[3], torque[3], largest_force = 0;
        for (int n = 0; n < 20; n++) {
          wy_momentum before = wy_sim_momentum(made.sim, 0);
          for (int end = 0; end < 2; end++)
            probe(&made, WY_POSITION, end ? v.e.rod.length : 0, places[0][end]);
          step_variant(&v, &made);
          wy_momentum after = wy_sim_momentum(made.sim, 0);
          for (int end = 0; end < 2; end++)
            probe(&made, WY_POSITION, end ? v.e.rod.length : 0, places[1][end]);
          supported(&made, &v.e, &before, &after, places, force, torque);
          for (int k = 0; k < 3; k++) {
            check_close(after.linear[k] - before.linear[k], 0.05 * force[k], round_off);
            check_close(after.angular[k] - before.angular[k], 0.05 * torque[k], round_off);
            largest_force = fmax(largest_force, fabs(force[k]));
          }
        }
        check_above(largest_force, 0.1);
        free_sim(&made);
        free_example(&v.e);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momenta_are_balanced_in_every_step),
      cmocka_unit_test(free_flight_keeps_momenta),
      cmocka_unit_test(supports_give_what_momenta_change_by),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
