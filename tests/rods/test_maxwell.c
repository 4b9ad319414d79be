/* SPDX-License-Identifier: MIT */
/* Viscoelastic rods: relaxation and creep by closed forms, the limit of Kelvin-Voigt damping, equilibria with the
   long-term stiffness, energy books. For all models, schemes, coordinates and integrators.

   labels: slow */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/published.h"

static const double pi = 3.14159265358979323846;

/* A light rod with all stiffnesses `whole` (shear and extension 100 times that), undamped. Its slowest vibration has
   the frequency 3.5 sqrt(3 / mass). */
static wy_rod_def light_rod(double whole, double mass, const wy_maxwell *branches, int count) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
  rod.segments = 8;
  rod.has_stiffness = rod.has_inertia = true;
  for (int k = 0; k < 6; k++)
    rod.stiffness[k] = wy_constant(whole * (k < 3 ? 100 : 1));
  rod.inertia[0] = wy_constant(mass);
  for (int k = 1; k < 4; k++)
    rod.inertia[k] = wy_constant(mass);
  rod.maxwell = branches, rod.maxwell_count = count;
  rod.ends[0] = wy_end_clamped();
  return rod;
}

static wy_solver_def tight(int form, const char *integrator, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.staggered.coordinates = (wy_coordinates)form;
  solver.staggered.curvature_measure = WY_ANGLE;
  return solver;
}

/* The staggered scheme with both kinds of coordinates, and mixed elements of order 1 and 2 with a fixed step. */
enum { ABSOLUTE = WY_ABSOLUTE, MIXED_1, MIXED_2, METHODS };

static wy_solver_def solver_of(int method, double tolerance, double step) {
  return method <= ABSOLUTE ? tight(method, "radau5", tolerance) : mixed_solver(method - MIXED_1 + 1, step);
}

/* ---- Relaxation ---- */

/* From `start` by `size` within `rise`, with continuous acceleration, then constant. */
typedef struct ramp {
  double size, rise, start;
} ramp;

static double ramp_value(const ramp *r, double t) {
  double x = fmin(t / r->rise, 1);
  return r->size * (x - sin(2 * pi * x) / (2 * pi));
}

static void ramp_signal(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)wrt, (void)s;
  const ramp *r = context;
  double w = 2 * pi / r->rise, x = fmin(t / r->rise, 1);
  jet[0] = r->start + ramp_value(r, t);
  jet[1] = r->size / r->rise * (1 - cos(2 * pi * x));
  jet[2] = r->size / r->rise * w * sin(2 * pi * x);
}

/* Viscous strain of a branch whose strain follows a ramp: the solution of y' = (strain - y) / time, y(0) = 0. */
static double viscous(const ramp *r, double time, double t) {
  double w = 2 * pi / r->rise, on = fmin(t, r->rise), fade = exp(-on / time);
  double line = (on - time + time * fade) / r->rise;
  double wave = (sin(w * on) - w * time * cos(w * on) + w * time * fade) / (1 + w * w * time * time);
  double y = r->size * (line - wave / (2 * pi));
  return r->size + (y - r->size) * (t > r->rise ? exp(-(t - r->rise) / time) : 1);
}

/* Stress over the whole stiffness. */
static double relaxed_stress(const ramp *r, const wy_maxwell *branches, int count, double t) {
  double stress = ramp_value(r, t);
  for (int j = 0; j < count; j++)
    stress -= branches[j].share * viscous(r, branches[j].time, t);
  return stress;
}

static const wy_maxwell solid[1] = {{2.0 / 3, 0.5}}; /* long-term 1, branch 2: tests/data/maxwell.md */
static const wy_maxwell three[3] = {{0.3, 0.02}, {0.25, 0.2}, {0.2, 3}};

/* Strain of that solid under a moment that follows a ramp. Free of the long-term stiffness, 1 of 3, the branch creeps
   with the time 0.5 * 3. */
static double crept(const ramp *r, double t) {
  return ramp_value(r, t) / 3 + 2.0 / 3 * viscous(r, 1.5, t);
}

/* The closed forms against the reference values: a step is a ramp that takes no time. Its rise of 1e-6 shifts the
   decay by half of that. */
static void the_closed_forms_have_the_reference_values(void **state) {
  (void)state;
  const ramp step = {0.3, 1e-6, 0};
  check_close(3 * relaxed_stress(&step, solid, 1, 1e-6), 0.9, 2e-6);
  check_close(3 * relaxed_stress(&step, solid, 1, 0.5), 0.5207276647, 1e-6);
  check_close(crept(&step, 1e-6), 0.1, 1e-6);
  check_close(crept(&step, 1.5), 0.2264241118, 1e-6);
}

/* The end of a clamped rod is turned about an axis and then held, its position free in the directions that keep the
   rod free of other loads: pure bending or torsion, with the same curvature everywhere. Or it is pulled. */
typedef enum test_mode { BENDING, TORSION, EXTENSION } test_mode;

/* Errors: the tolerance of radau5; the midpoint rule misses (h / time)^2 / 12 of a branch, 5e-3 of the fastest, which
   carries 0.02 of the stress while the end moves; elements of order 1 turn by 0.0375, a curvature of its sine. */
static double relaxation_error(int method, test_mode mode) {
  return method <= ABSOLUTE ? 2e-5 : 1e-4 + (method == MIXED_1 && mode != EXTENSION ? 0.0375 * 0.0375 : 0);
}

static void relaxation(int kind, int method, test_mode mode, const wy_maxwell *branches, int count) {
  wy_rod_def rod = light_rod(3, 1e-6, branches, count);
  const ramp r = {0.3, 0.5, mode == EXTENSION ? 1 : 0};
  rod.kind = (wy_rod_kind)kind;
  rod.ends[1] = wy_end_free();
  wy_signal signal = {0, ramp_signal, &r, WY_TIME};
  if (mode == EXTENSION) {
    rod.ends[1].position[0] = WY_DRIVEN, rod.ends[1].path[0] = signal;
  } else {
    rod.ends[1].rotation = WY_DRIVEN, rod.ends[1].angle = signal;
    rod.ends[1].axis[mode == BENDING ? 2 : 0] = 1;
  }
  wy_solver_def solver = solver_of(method, 1e-7, 5e-3);
  test_sim made = make_sim(&rod, NULL, 0, &solver, NULL);
  wy_message message;
  static const double times[] = {0.25, 0.5, 0.6, 1, 3};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    must(wy_sim_advance(made.sim, times[i], &message), &message);
    double got[4], want = (mode == EXTENSION ? 300 : 3) * relaxed_stress(&r, branches, count, times[i]), size = 0;
    wy_sim_probe(made.sim, mode == EXTENSION ? WY_FORCE : WY_MOMENT, 0, 0.5, got, NULL);
    for (int k = 0; k < 3; k++)
      size += got[k] * got[k];
    if (!(fabs(sqrt(size) - want) <= relaxation_error(method, mode) * want))
      fail_msg("model %d, method %d, mode %d, t = %g: got %.10g, want %.10g", kind, method, mode, times[i], sqrt(size),
               want);
  }
  free_sim(&made);
}

static void stress_relaxes_by_exponentials(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int method = 0; method < METHODS; method++)
      for (int mode = BENDING; mode <= EXTENSION; mode++) {
        if (mode == EXTENSION && kind == WY_INEXTENSIBLE)
          continue;
        relaxation(kind, method, (test_mode)mode, solid, 1);
        relaxation(kind, method, (test_mode)mode, three, 3);
      }
}

/* ---- Creep ---- */

/* A moment at the end bends the rod to the same curvature everywhere. */
static void curvature_creeps(void **state) {
  (void)state;
  static const double times[] = {0.25, 0.5, 1, 3};
  const ramp r = {0.3, 0.5, 0};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int method = 0; method < METHODS; method++) {
      wy_rod_def rod = light_rod(3, 1e-6, solid, 1);
      rod.kind = (wy_rod_kind)kind;
      wy_load_def load = wy_default_load_def();
      load.place = WY_AT_END;
      load.moment[2] = (wy_signal){0, ramp_signal, &r, WY_TIME};
      wy_solver_def solver = solver_of(method, 1e-7, 5e-3);
      test_sim made = make_sim(&rod, &load, 1, &solver, NULL);
      wy_message message;
      for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double k[4], want = crept(&r, times[i]);
        must(wy_sim_advance(made.sim, times[i], &message), &message);
        wy_sim_probe(made.sim, WY_CURVATURE, 0, 0.5, k, NULL);
        if (!(fabs(hypot(k[0], k[1]) - want) <= relaxation_error(method, BENDING) * want))
          fail_msg("model %d, method %d, t = %g: got %.10g, want %.10g", kind, method, times[i], hypot(k[0], k[1]),
                   want);
      }
      free_sim(&made);
    }
}

/* ---- The limit of Kelvin-Voigt ---- */

static double tip_of(const wy_rod_def *rod, int method, double tip[3]) {
  wy_solver_def solver = solver_of(method, 1e-9, 2e-3);
  const double gravity[3] = {0, 0, -9.81};
  test_sim made = make_sim(rod, NULL, 0, &solver, gravity);
  wy_message message;
  must(wy_sim_advance(made.sim, 0.3, &message), &message);
  double out[4];
  wy_sim_probe(made.sim, WY_POSITION, 0, 1, out, NULL);
  memcpy(tip, out, 3 * sizeof *tip);
  double dissipated = wy_sim_energy(made.sim, 0).dissipated;
  free_sim(&made);
  return dissipated;
}

/* Rubber with damping D = 0.02 s times stiffness, and the same with a branch of stiffness D / time: the difference
   falls with the time of the branch, of first order. */
static void short_branches_are_kelvin_voigt_damping(void **state) {
  (void)state;
  const double damping_time = 0.02;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int method = 0; method < METHODS; method++) {
      wy_rod_def rod = rubber_rod(6);
      rod.kind = (wy_rod_kind)kind;
      rod.damping = (wy_damping){.kind = WY_DAMPING_TIME, .time = wy_constant(damping_time)};
      double want[3], dissipated = tip_of(&rod, method, want), errors[3];
      rod.damping = (wy_damping){.kind = WY_UNDAMPED};
      for (int k = 0; k < 3; k++) {
        double time = 4e-5 / (1 << k), ratio = damping_time / time, tip[3], size = 0;
        const wy_maxwell branch = {ratio / (1 + ratio), time};
        rod.material.young = wy_constant(5e6 * (1 + ratio));
        rod.maxwell = &branch, rod.maxwell_count = 1;
        double lost = tip_of(&rod, method, tip);
        check_close(lost, dissipated, 0.01 * dissipated);
        for (int i = 0; i < 3; i++)
          size += (tip[i] - want[i]) * (tip[i] - want[i]);
        errors[k] = sqrt(size);
      }
      check_below(errors[0], 4e-5 * 9.81 * 0.3); /* the time of the branch times a velocity */
      check_close(log2(errors[0] / errors[1]), 1, 0.1);
      check_close(log2(errors[1] / errors[2]), 1, 0.1);
    }
}

/* ---- Equilibria ---- */

static wy_rod_def soft_cantilever(int kind, const wy_maxwell *branches, int count, double young) {
  wy_rod_def rod = rubber_rod(12);
  rod.kind = (wy_rod_kind)kind;
  rod.ends[0] = wy_end_clamped();
  rod.material.young = wy_constant(young);
  rod.damping.kind = WY_UNDAMPED;
  rod.maxwell = branches, rod.maxwell_count = count;
  rod.shape.curvature[1] = wy_constant(0.4);
  return rod;
}

/* The first two buckling factors of the straight rod under a force along its axis. */
static void buckle(wy_rod_def rod, const wy_solver_def *solver, double factors[2]) {
  wy_load_def load = wy_default_load_def();
  wy_message message;
  wy_mode_set *configs;
  load.place = WY_AT_END;
  load.force[1] = wy_constant(-1e-3);
  rod.shape.curvature[1] = wy_constant(0);
  test_sim made = make_sim(&rod, &load, 1, solver, NULL);
  must(wy_sim_buckling(made.sim, 0, 0, 2, &configs, &message), &message);
  memcpy(factors, configs->factor, 2 * sizeof *factors);
  wy_mode_set_destroy(configs);
  free_sim(&made);
}

/* Branches take 0.75 of the stiffness: configuration, forces, energy, frequencies and buckling factors are those of a
   rod with a quarter of Young's modulus, to the tolerance of the equilibrium and the round-off of 1 - 0.75. */
static void long_term_stiffness(int kind, int method) {
  enum { MOST = 25 };
  const double gravity[3] = {0, 0.2, -0.4}; /* elements of order 1 turn by less than 0.5 rad */
  double omega[2][3], factor[2][2], moment[2][3 * MOST], position[2][3 * MOST], elastic[2];
  int moments = 0, positions = 0;
  for (int soft = 0; soft < 2; soft++) {
    wy_rod_def rod = soft_cantilever(kind, three, soft ? 0 : 3, soft ? 0.25 * 5e6 : 5e6);
    wy_solver_def solver = solver_of(method, 1e-6, 0);
    test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
    wy_message message;
    wy_mode_set *modes;
    must(wy_sim_settle(made.sim, 0, &message), &message);
    const wy_view *view = wy_sim_view(made.sim, 0);
    moments = 3 * view->moment.count, positions = 3 * view->position.count;
    check_at_least(moments, 36);
    check_at_most(moments, 3 * MOST);
    check_at_least(positions, 39);
    check_at_most(positions, 3 * MOST);
    memcpy(moment[soft], view->moment.values, sizeof(double) * (size_t)moments);
    memcpy(position[soft], view->position.values, sizeof(double) * (size_t)positions);
    elastic[soft] = wy_sim_energy(made.sim, 0).elastic;
    must(wy_sim_modes(made.sim, 0, 3, &modes, &message), &message);
    memcpy(omega[soft], modes->omega, sizeof omega[soft]);
    wy_mode_set_destroy(modes);
    buckle(rod, &solver, factor[soft]);
    free_sim(&made);
  }
  compare_vectors("long-term stiffness", "moments", moment[0], moment[1], moments, 1e-8);
  compare_vectors("long-term stiffness", "positions", position[0], position[1], positions, 1e-8);
  check_close(elastic[0], elastic[1], 1e-8 * elastic[1]);
  for (int i = 0; i < 3; i++)
    check_close(omega[0][i], omega[1][i], 1e-7 * omega[1][i]);
  for (int i = 0; i < 2; i++)
    check_close(factor[0][i], factor[1][i], 1e-5 * factor[1][i]);
}

static void equilibria_use_the_long_term_stiffness(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int method = 0; method < METHODS; method++)
      long_term_stiffness(kind, method);
}

/* A rod that creeps under its weight arrives at its equilibrium: after 20 times the longest time of a branch, with
   drag, what is left is exp(-20 * 0.25) of the creep at most (the stiffness left slows the creep by 1 / 0.25). */
static void motion_ends_in_the_equilibrium(void **state) {
  (void)state;
  static const wy_maxwell quick[2] = {{0.35, 0.02}, {0.4, 0.05}};
  const double gravity[3] = {0, 0, -2};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_def rod = soft_cantilever(kind, quick, 2, 5e6);
    rod.drag = (wy_drag){1.5, 1.5};
    wy_solver_def solver = tight(WY_NULLSPACE, "radau5", 1e-8);
    test_sim moving = make_sim(&rod, NULL, 0, &solver, gravity), resting = make_sim(&rod, NULL, 0, &solver, gravity);
    wy_message message;
    must(wy_sim_settle(resting.sim, 0, &message), &message);
    must(wy_sim_advance(moving.sim, 30, &message), &message);
    const wy_view *a = wy_sim_view(moving.sim, 0), *b = wy_sim_view(resting.sim, 0);
    for (int i = 0; i < 3 * a->position.count; i++)
      check_close(a->position.values[i], b->position.values[i], 1e-6);
    check_close(wy_sim_energy(moving.sim, 0).elastic, wy_sim_energy(resting.sim, 0).elastic, 1e-7);
    free_sim(&moving);
    free_sim(&resting);
  }
}

/* ---- Energy books ---- */

/* energy(t) - energy(0) = work - dissipated within what the tolerance lets the error be; what is dissipated grows in
   every step. With damping of both kinds. The tip agrees between integrators and forms within the tolerances. */
static void books_balance_and_all_methods_agree(void **state) {
  (void)state;
  const double gravity[3] = {0, 0, -9.81}, tolerance = 1e-7;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    double first[4] = {0};
    for (int m = 0; ode_integrator(m); m++)
      for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
        wy_rod_def rod = soft_cantilever(kind, three, 3, 5e6);
        if (kind != WY_KIRCHHOFF)
          rod.damping = (wy_damping){.kind = WY_DAMPING_TIME, .time = wy_constant(1e-5)};
        rod.segments = 6;
        wy_solver_def solver = tight(form, ode_integrator(m), tolerance);
        solver.staggered.segment_inertia = WY_CYLINDER; /* fewer steps of explicit methods */
        test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
        wy_message message;
        wy_energy start = wy_sim_energy(made.sim, 0), before = start;
        double most = 0, elastic = 0, worst = 0, tip[4];
        while (wy_sim_time(made.sim) < 0.3) {
          must(wy_sim_step(made.sim, &message), &message);
          wy_energy now = wy_sim_energy(made.sim, 0);
          check_at_least(now.dissipated, before.dissipated);
          worst = fmax(worst, fabs(now.total - start.total - now.work + now.dissipated));
          most = fmax(most, fmax(now.kinetic, now.elastic)), elastic = fmax(elastic, now.elastic);
          before = now;
        }
        check_above(before.dissipated, 0.1 * elastic);
        /* the quadrature of the books is of the integrator's order: its error is at most that of the state */
        if (!(worst <= tolerance * most))
          fail_msg("model %d, form %d, %s: books miss by %.3g of %.3g", kind, form, ode_integrator(m), worst, most);
        free_sim(&made);
        made = make_sim(&rod, NULL, 0, &solver, gravity);
        must(wy_sim_advance(made.sim, 0.2, &message), &message);
        wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, NULL);
        for (int k = 0; k < 3; k++) {
          if (m == 0 && form == WY_NULLSPACE)
            first[k] = tip[k];
          check_close(tip[k], first[k], 100 * tolerance); /* local errors add up over some 100 steps */
        }
        free_sim(&made);
      }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_closed_forms_have_the_reference_values),
                                     cmocka_unit_test(stress_relaxes_by_exponentials),
                                     cmocka_unit_test(curvature_creeps),
                                     cmocka_unit_test(short_branches_are_kelvin_voigt_damping),
                                     cmocka_unit_test(equilibria_use_the_long_term_stiffness),
                                     cmocka_unit_test(motion_ends_in_the_equilibrium),
                                     cmocka_unit_test(books_balance_and_all_methods_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
