/* SPDX-License-Identifier: MIT */
/* Rods without shear (kirchhoff) and without extension (inextensible) over time: constraints and energy stay, both
   forms of the inextensible rod agree, stiff rods with shear and extension tend to them, order 2 in the number of
   segments.
   labels: slow */
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/rods.h"

static const double down[3] = {0, 0, -9.81}, pi = 3.14159265358979323846;

static wy_solver_def solver_with(const char *integrator, double tolerance, wy_coordinates coordinates) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.staggered.curvature_measure = WY_SIN4;
  solver.staggered.coordinates = coordinates;
  return solver;
}

static wy_rod_def pendulum(wy_rod_kind kind, int segments) {
  wy_rod_def rod = rubber_rod(segments);
  rod.kind = kind;
  rod.damping.kind = WY_UNDAMPED;
  return rod;
}

/* A hose that hangs between two ends: the undeformed rod is half a circle in the plane of gravity, pinned at both. */
static wy_rod_def hose(wy_rod_kind kind) {
  wy_rod_def rod = rubber_rod(12);
  rod.kind = kind;
  rod.shape.curvature[1] = wy_constant(2);
  rod.shape.curvature[0] = wy_constant(0.5);
  rod.ends[0] = wy_end_clamped();
  rod.ends[1] = wy_end_pinned();
  return rod;
}

/* ---- Drift ---- */

/* Largest constrained strain and its rate, from positions, frames and velocities as they are shown. */
static void add_drift(const wy_view *view, wy_rod_kind kind, double h, double *strain, double *rate) {
  for (int i = 0; i < view->frame.count; i++) {
    const double *x = view->position.values + 3 * i, *v = view->velocity.values + 3 * i;
    const double *om = view->angular_velocity.values + 3 * i;
    double r[9], dx[3], dv[3], tangent[3], speed[3], turning[3];
    wy_qmatrix(view->frame.values + 4 * i, r);
    for (int k = 0; k < 3; k++)
      dx[k] = (x[3 + k] - x[k]) / h, dv[k] = (v[3 + k] - v[k]) / h;
    wy_tmul3(r, dx, tangent);
    wy_tmul3(r, dv, speed);
    wy_cross3(tangent, om, turning);
    for (int k = 0; k < (kind == WY_KIRCHHOFF ? 2 : 3); k++) {
      double gamma = tangent[k] - (k == 2);
      assert_true(isfinite(gamma) && isfinite(speed[k] + turning[k]));
      *strain = fmax(*strain, fabs(gamma));
      *rate = fmax(*rate, fabs(speed[k] + turning[k]));
      check_below(fabs(view->strain.values[3 * i + k] - gamma), 1e-14);
    }
  }
}

static void check_drift(const char *what, const wy_rod_def *rod, const wy_solver_def *solver) {
  test_sim made = make_sim(rod, NULL, 0, solver, down);
  wy_message message;
  double strain = 0, rate = 0, h = rod->length / rod->segments;
  for (int k = 0; k <= 200; k++) {
    must(wy_sim_sample(made.sim, 0.05 * k, &message), &message);
    add_drift(wy_sim_view(made.sim, 0), rod->kind, h, &strain, &rate);
  }
  wy_statistics statistics = wy_sim_statistics(made.sim, 0);
  print_message("%s, %s, %s: strain %.2g, rate %.2g; after steps %.2g, %.2g\n", what,
                rod->kind == WY_KIRCHHOFF ? "kirchhoff" : "inextensible", solver->integrator, strain, rate,
                statistics.strain_drift, statistics.strain_rate_drift);
  check_close(strain, 0, 1e-12);
  check_close(rate, 0, 1e-12);
  check_close(statistics.strain_drift, 0, 1e-12);
  check_close(statistics.strain_rate_drift, 0, 1e-12);
  free_sim(&made);
}

static void constraints_hold_at_every_output_for_10_s(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int m = 0; ode_integrator(m); m++)
      for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
        /* Two forms exist for the inextensible rod with an explicit integrator only. Multistep methods are not
           projected: test_ndf.c, test_sundials.c. */
        if ((form == WY_ABSOLUTE && (kind == WY_KIRCHHOFF || strcmp(ode_integrator(m), "dopri5") != 0)) ||
            ode_integrator_at(m)->info->multistep)
          continue;
        wy_solver_def solver = solver_with(ode_integrator(m), 1e-6, (wy_coordinates)form);
        wy_rod_def swinging = pendulum((wy_rod_kind)kind, 10), hanging = hose((wy_rod_kind)kind);
        check_drift("pendulum", &swinging, &solver);
        check_drift("hose", &hanging, &solver);
      }
}

/* ---- Energy ---- */

/* Largest violation of energy(t) - energy(0) = work - dissipated so far, by the largest kinetic or elastic energy met.
 */
typedef struct balance {
  double start, worst, size;
} balance;

static balance open_books(wy_sim *sim) {
  return (balance){.start = wy_sim_energy(sim, WY_ALL_RODS).total};
}

static double energy_drift(wy_sim *sim, double to, int samples, balance *so_far) {
  wy_message message;
  double from = wy_sim_time(sim);
  for (int k = 1; k <= samples; k++) {
    must(wy_sim_sample(sim, from + (to - from) * k / samples, &message), &message);
    wy_energy e = wy_sim_energy(sim, WY_ALL_RODS);
    so_far->worst = fmax(so_far->worst, fabs(e.total - so_far->start - e.work + e.dissipated));
    so_far->size = fmax(so_far->size, fmax(e.kinetic, e.elastic));
  }
  return so_far->worst / so_far->size;
}

/* Reactions do no work, so what is left is the error of time integration. The rod cracks like a whip time and again;
   the waves of extension that a kirchhoff rod keeps from that are resolved only as well as the tolerance asks, and all
   integrators damp them: below a hundred tolerances in 10 s. */
static void undamped_pendulums_keep_their_energy(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int m = 0; ode_integrator(m); m++) {
      if (ode_integrator_at(m)->info->lowest_order < 5) /* not for such a tolerance over such a time */
        continue;
      wy_rod_def rod = pendulum((wy_rod_kind)kind, 10);
      wy_solver_def solver = solver_with(ode_integrator(m), 1e-9, WY_NULLSPACE);
      test_sim made = make_sim(&rod, NULL, 0, &solver, down);
      balance so_far = open_books(made.sim);
      double swing = energy_drift(made.sim, 1, 20, &so_far), whole = energy_drift(made.sim, 10, 180, &so_far);
      print_message("%s, %s: energy drift %.2g in 1 s, %.2g in 10 s\n",
                    kind == WY_KIRCHHOFF ? "kirchhoff" : "inextensible", solver.integrator, swing, whole);
      check_close(swing, 0, 1e-7);
      check_close(whole, 0, 1e-7);
      free_sim(&made);
    }
}

static void shake(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)s, (void)wrt;
  jet[0] = 0.1 * sin(8 * t), jet[1] = 0.8 * cos(8 * t), jet[2] = -6.4 * sin(8 * t);
}

/* Damping, a driven end and a load: what they do is in the books. */
static void the_books_balance(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int m = 0; ode_integrator(m); m++) {
      wy_rod_def rod = rubber_rod(8);
      rod.kind = (wy_rod_kind)kind;
      rod.drag = (wy_drag){0.2, 0.1};
      rod.ends[0] = wy_end_clamped();
      rod.ends[0].position[0] = WY_DRIVEN;
      rod.ends[0].path[0] = (wy_signal){0, shake, NULL, WY_TIME};
      wy_load_def load = wy_default_load_def();
      load.place = WY_AT_END;
      load.axes = WY_BODY_AXES;
      load.force[0] = wy_constant(0.02);
      wy_solver_def solver = solver_with(ode_integrator(m), 1e-9, WY_NULLSPACE);
      test_sim made = make_sim(&rod, &load, 1, &solver, down);
      balance so_far = open_books(made.sim);
      double drift = energy_drift(made.sim, 1, 50, &so_far);
      wy_energy e = wy_sim_energy(made.sim, WY_ALL_RODS);
      check_above(fabs(e.work), 1e-3);
      check_above(e.dissipated, 1e-3);
      check_close(drift, 0, 1e-7);
      free_sim(&made);
    }
}

/* ---- Two forms, one rod ---- */

/* Root and frames as unknowns, or all vertices with multipliers: the same motion, to a hundred tolerances (the
   pendulum's motion doubles small differences about every 0.2 s). A second held end needs multipliers in both. */
static void both_forms_of_the_inextensible_rod_agree(void **state) {
  (void)state;
  for (int held = 0; held < 2; held++) {
    double tip[2][4], middle[2][4], force[2][4];
    for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
      wy_rod_def rod = held ? hose(WY_INEXTENSIBLE) : pendulum(WY_INEXTENSIBLE, 10);
      wy_solver_def solver = solver_with("dopri5", 1e-10, (wy_coordinates)form);
      test_sim made = make_sim(&rod, NULL, 0, &solver, down);
      wy_message message;
      must(wy_sim_advance(made.sim, 1, &message), &message);
      wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip[form], NULL);
      wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, middle[form], NULL);
      wy_sim_probe(made.sim, WY_FORCE, 0, 0.5, force[form], NULL);
      free_sim(&made);
    }
    for (int k = 0; k < 3; k++) {
      check_close(tip[0][k], tip[1][k], 1e-8);
      check_close(middle[0][k], middle[1][k], 1e-8);
      check_close(force[0][k], force[1][k], 1e-6);
    }
  }
}

/* Ends of all sorts, with an implicit integrator, and with both forms and an explicit one: free root and held end, a
   slider, a clamp that lets go, a slider left over when the other end lets go. A hundred tolerances. */
static wy_rod_def odd_rod(wy_rod_kind kind, int which) {
  wy_rod_def rod = rubber_rod(10);
  rod.kind = kind;
  switch (which) {
  case 0:
    rod.ends[0] = wy_end_free(), rod.ends[1] = wy_end_pinned();
    break;
  case 1:
    rod.ends[0].position[1] = WY_FREE;
    break;
  case 2:
    rod.ends[0] = wy_end_clamped(), rod.ends[0].release = 0.2;
    break;
  default:
    rod.shape.curvature[1] = wy_constant(2);
    rod.ends[1] = wy_end_clamped(), rod.ends[1].position[1] = WY_FREE;
    rod.ends[0].release = 0.3;
  }
  return rod;
}

static void integrators_and_forms_agree_for_all_ends(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int which = 0; which < 4; which++) {
      double middle[3][4];
      for (int variant = 0; variant < 3; variant++) {
        wy_rod_def rod = odd_rod((wy_rod_kind)kind, which);
        wy_solver_def solver =
            solver_with(variant ? "dopri5" : "radau5", 1e-9, variant == 2 ? WY_ABSOLUTE : WY_NULLSPACE);
        test_sim made = make_sim(&rod, NULL, 0, &solver, down);
        wy_message message;
        must(wy_sim_advance(made.sim, 0.5, &message), &message);
        wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, middle[variant], NULL);
        free_sim(&made);
      }
      for (int k = 0; k < 3; k++) {
        check_close(middle[1][k], middle[0][k], 1e-7);
        check_close(middle[2][k], middle[0][k], 1e-7);
      }
    }
}

/* A free rod, thrown with a velocity and spins that do not belong together. The nearest possible motion in the metric
   of the mass has the same linear and angular momentum (translations and rotations of the whole rod are possible, and
   orthogonal to the correction), in every form; and both momenta stay. */
static void thrown_rods_keep_the_momenta_they_are_given(void **state) {
  (void)state;
  static const double velocity[3] = {1, 0.5, -0.3}, spin[3] = {3, 5, 7};
  wy_momentum given = {0};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int variant = 0; variant < (kind == WY_COSSERAT ? 1 : 3); variant++) {
      wy_rod_def rod = pendulum((wy_rod_kind)kind, 10);
      rod.ends[0] = wy_end_free();
      rod.shape.curvature[1] = wy_constant(2);
      for (int k = 0; k < 3; k++)
        rod.initial.velocity[k] = wy_constant(velocity[k]), rod.initial.angular_velocity[k] = wy_constant(spin[k]);
      wy_solver_def solver =
          solver_with(variant ? "dopri5" : "radau5", 1e-9, variant == 2 ? WY_ABSOLUTE : WY_NULLSPACE);
      test_sim made = make_sim(&rod, NULL, 0, &solver, NULL);
      wy_message message;
      if (kind == WY_COSSERAT)
        given = wy_sim_momentum(made.sim, 0);
      for (int later = 0; later < 2 && kind != WY_COSSERAT; later++) {
        must(wy_sim_advance(made.sim, 0.5 * later, &message), &message);
        wy_momentum now = wy_sim_momentum(made.sim, 0);
        for (int k = 0; k < 3; k++)
          if (!(fabs(now.linear[k] - given.linear[k]) < 1e-9 && fabs(now.angular[k] - given.angular[k]) < 1e-9))
            fail_msg("kind %d, variant %d, t = %g, component %d: momenta %.9g, %.9g, want %.9g, %.9g", kind, variant,
                     0.5 * later, k, now.linear[k], now.angular[k], given.linear[k], given.angular[k]);
      }
      free_sim(&made);
    }
}

/* ---- Limits ---- */

enum { PLACES = 4 };

typedef struct sample {
  double position[PLACES][3], velocity[PLACES][3], frame[PLACES][4];
} sample;

static sample run(const wy_rod_def *rod, const wy_solver_def *solver, double t) {
  const double gravity[3] = {1.5, 0, -9.81};
  wy_message message;
  sample out;
  test_sim made = make_sim(rod, NULL, 0, solver, gravity);
  must(wy_sim_advance(made.sim, t, &message), &message);
  for (int i = 0; i < PLACES; i++) {
    double s = rod->length * (i + 1) / (PLACES + 1), q[4];
    wy_sim_probe(made.sim, WY_POSITION, 0, s, q, NULL);
    memcpy(out.position[i], q, sizeof out.position[i]);
    wy_sim_probe(made.sim, WY_VELOCITY, 0, s, q, NULL);
    memcpy(out.velocity[i], q, sizeof out.velocity[i]);
    wy_sim_probe(made.sim, WY_ROTATION, 0, s, out.frame[i], NULL);
  }
  free_sim(&made);
  return out;
}

static double distance(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static void differences(const sample *a, const sample *b, double out[3]) {
  out[0] = distance(a->position[0], b->position[0], 3 * PLACES);
  out[1] = distance(a->velocity[0], b->velocity[0], 3 * PLACES);
  out[2] = distance(a->frame[0], b->frame[0], 4 * PLACES);
}

/* A damped rod, 20 times as stiff as rubber, that bends under its weight. Shear (and extension) made stiffer by
   `factor`, their damping by its root, so that their vibrations stay critically damped and have died out when the rod
   is looked at: what is left is the slow motion, which depends smoothly on the compliance 1 / factor. */
static wy_rod_def bending_rod(wy_rod_kind kind, wy_rod_kind towards, double factor) {
  wy_rod_def rod = rubber_rod(10);
  rod.kind = kind;
  rod.ends[0] = wy_end_clamped();
  const double young = 1e8, area = pi * 25e-6, bending = pi * 625e-12 / 4;
  const double stiffness[6] = {young / 3 * area, young / 3 * area, young * area,
                               young * bending,  young * bending,  young / 3 * 2 * bending};
  const double damping[6] = {2, 2, 40, 2e-3, 2e-3, 1e-3};
  rod.has_stiffness = true;
  for (int i = 0; i < 6; i++) {
    bool stiffer = i < (towards == WY_KIRCHHOFF ? 2 : 3);
    rod.stiffness[i] = wy_constant(stiffness[i] * (stiffer ? factor : 1));
    rod.damping.coefficient[i] = wy_constant(damping[i] * (stiffer ? sqrt(factor) : 1));
  }
  return rod;
}

/* Order 1 in the compliance of the strains that the model leaves out: factors 1e2, 1e3, 1e4. */
static void stiff_rods_tend_to_constrained_ones(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
    wy_solver_def solver = solver_with("radau5", 1e-11, WY_NULLSPACE);
    wy_rod_def rod = bending_rod((wy_rod_kind)kind, (wy_rod_kind)kind, 1);
    sample limit = run(&rod, &solver, 0.2);
    double apart[3][3];
    for (int level = 0; level < 3; level++) {
      rod = bending_rod(WY_COSSERAT, (wy_rod_kind)kind, pow(10, 2 + level));
      sample near = run(&rod, &solver, 0.2);
      differences(&near, &limit, apart[level]);
    }
    for (int q = 0; q < 3; q++) {
      print_message("%s: difference %.3g, %.3g, %.3g for compliance 1e-2, 1e-3, 1e-4\n",
                    kind == WY_KIRCHHOFF ? "kirchhoff" : "inextensible", apart[0][q], apart[1][q], apart[2][q]);
      check_close(log10(apart[0][q] / apart[1][q]), 1, 0.1);
      check_close(log10(apart[1][q] / apart[2][q]), 1, 0.1);
    }
  }
}

/* Order 2 in the number of segments: the errors of 10, 20 and 40 against 160 fall as 1/n^2 - 1/160^2 does. The rod is
   stiff enough that 10 segments resolve its bend at the clamp. */
static void constrained_rods_converge_with_order_2(void **state) {
  (void)state;
  static const char *const names[3] = {"position", "velocity", "frame"};
  const int finest = 160;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
    wy_solver_def solver = solver_with("radau5", 1e-10, WY_NULLSPACE);
    wy_rod_def rod = bending_rod((wy_rod_kind)kind, (wy_rod_kind)kind, 1);
    double error[3][3];
    rod.segments = finest;
    sample fine = run(&rod, &solver, 0.3);
    for (int level = 0; level < 3; level++) {
      rod.segments = 10 << level;
      sample coarse = run(&rod, &solver, 0.3);
      differences(&coarse, &fine, error[level]);
    }
    for (int q = 0; q < 3; q++)
      for (int level = 0; level < 2; level++) {
        int n = 10 << level;
        double left = 1.0 / (finest * finest), order = log2(error[level][q] / error[level + 1][q]);
        double want = log2((1.0 / (n * n) - left) / (0.25 / (n * n) - left));
        print_message("%s, %s: N = %d, %d: errors %.3g, %.3g fall with 2^%.3f, want 2^%.3f\n",
                      kind == WY_KIRCHHOFF ? "kirchhoff" : "inextensible", names[q], n, 2 * n, error[level][q],
                      error[level + 1][q], order, want);
        check_close(order, want, 0.1);
      }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constraints_hold_at_every_output_for_10_s),
                                     cmocka_unit_test(undamped_pendulums_keep_their_energy),
                                     cmocka_unit_test(the_books_balance),
                                     cmocka_unit_test(both_forms_of_the_inextensible_rod_agree),
                                     cmocka_unit_test(integrators_and_forms_agree_for_all_ends),
                                     cmocka_unit_test(thrown_rods_keep_the_momenta_they_are_given),
                                     cmocka_unit_test(stiff_rods_tend_to_constrained_ones),
                                     cmocka_unit_test(constrained_rods_converge_with_order_2)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
