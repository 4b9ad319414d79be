/* SPDX-License-Identifier: MIT */
/* Constrained rods in their null space with implicit integrators, compared with the index-1 form: the same motions for
   all ends, constraints that hold by construction, snapshots that go on bit for bit, output between steps, and the
   form that runs where the null space does not carry what acts on the rod. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

static const double down[3] = {0.3, 0.2, -9.81};

static void shake(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)s, (void)wrt;
  jet[0] = 0.05 * sin(6 * t), jet[1] = 0.3 * cos(6 * t), jet[2] = -1.8 * sin(6 * t);
}

enum { FREE, PINNED, CLAMPED, DRIVEN, TURNED, BOTH, BY_ITS_END, RELEASED, ENDS };
static const char *const end_names[ENDS] = {"free",   "pinned",       "clamped",    "driven",
                                            "turned", "held at both", "by its end", "released"};

static wy_rod_def rod_with(wy_rod_kind kind, int ends) {
  wy_rod_def rod = rubber_rod(8);
  rod.kind = kind;
  rod.shape.curvature[0] = wy_constant(0.5), rod.shape.curvature[1] = wy_constant(2);
  rod.drag.rotation = 0.1;
  rod.drag.translation = ends == BOTH || ends == BY_ITS_END ? 0 : 0.2;
  rod.ends[0] = ends == FREE || ends == BY_ITS_END ? wy_end_free()
                : ends == PINNED                   ? wy_end_pinned()
                                                   : wy_end_clamped();
  if (ends == FREE)
    rod.initial.angular_velocity[0] = wy_constant(1);
  if (ends == DRIVEN)
    rod.ends[0].position[0] = WY_DRIVEN, rod.ends[0].path[0] = (wy_signal){0, shake, NULL, WY_TIME};
  if (ends == TURNED) {
    rod.ends[0].rotation = WY_DRIVEN;
    rod.ends[0].axis[0] = 1, rod.ends[0].axis[1] = 0.4;
    rod.ends[0].angle = (wy_signal){0, shake, NULL, WY_TIME};
  }
  if (ends == BOTH || ends == BY_ITS_END)
    rod.ends[1] = wy_end_pinned();
  if (ends == RELEASED)
    rod.ends[0].release = 0.11;
  return rod;
}

static wy_solver_def solver_with(const char *integrator, double tolerance, wy_coordinates coordinates) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.staggered.coordinates = coordinates;
  return solver;
}

/* ---- The same motion ---- */

enum { PROBES = 5 };

typedef struct motion {
  double value[PROBES][4];
} motion;

static motion moved(const wy_rod_def *rod, const wy_solver_def *solver, double to, wy_statistics *statistics) {
  static const wy_quantity quantities[PROBES] = {WY_POSITION, WY_POSITION, WY_VELOCITY, WY_FORCE, WY_MOMENT};
  static const double at[PROBES] = {1, 0.5, 0.75, 0.5, 0.25};
  test_sim made = make_sim(rod, NULL, 0, solver, down);
  wy_message message;
  motion out = {0};
  must(wy_sim_advance(made.sim, to, &message), &message);
  for (int k = 0; k < PROBES; k++)
    must(wy_sim_probe(made.sim, quantities[k], 0, at[k], out.value[k], &message), &message);
  if (statistics)
    *statistics = wy_sim_statistics(made.sim, 0);
  free_sim(&made);
  return out;
}

static void compare(const char *what, const char *ends, const motion *got, const motion *want, double tolerance) {
  for (int k = 0; k < PROBES; k++) {
    double size = 1;
    for (int x = 0; x < 3; x++)
      size = fmax(size, fabs(want->value[k][x]));
    for (int x = 0; x < 3; x++)
      if (!(fabs(got->value[k][x] - want->value[k][x]) <= tolerance * size))
        fail_msg("%s, %s: probe %d, component %d is %.12g, want %.12g, tolerance %.2g", what, ends, k, x,
                 got->value[k][x], want->value[k][x], tolerance * size);
  }
}

/* Index 1 with an explicit integrator is the reference. Errors of a step are judged at 1e-10; they add up over some
   hundred steps and grow with the motion, and forces and velocities change by about a hundred times as much as
   positions: 1e-5 is a thousand times that. */
static void forms_agree(void **state) {
  (void)state;
  static const char *const integrators[] = {"radau5", "dopri5"};
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int ends = 0; ends < ENDS; ends++) {
      const wy_rod_def rod = rod_with((wy_rod_kind)kind, ends);
      const wy_solver_def index_1 = solver_with("dopri5", 1e-10, WY_ABSOLUTE);
      const motion want = moved(&rod, &index_1, 0.2, NULL);
      for (int m = 0; m < 2; m++) {
        const wy_solver_def solver = solver_with(integrators[m], 1e-10, WY_NULLSPACE);
        wy_statistics statistics;
        const motion got = moved(&rod, &solver, 0.2, &statistics);
        compare(integrators[m], end_names[ends], &got, &want, 1e-5);
        check_close(statistics.strain_drift, 0, 1e-12);
        check_close(statistics.strain_rate_drift, 0, 1e-11);
      }
    }
}

/* RODAS has order 4 whatever it is asked for, since its Jacobian is the derivative: with tolerances from 1e-4 to 1e-8
   errors fall along. An error of a Jacobian would leave order 1 or none: an error of at most a hundred tolerances. */
static void rodas_follows_its_tolerance(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
    const wy_rod_def rod = rod_with((wy_rod_kind)kind, DRIVEN);
    const wy_solver_def exact = solver_with("dopri5", 1e-11, WY_NULLSPACE);
    const motion want = moved(&rod, &exact, 0.2, NULL);
    for (double tolerance = 1e-4; tolerance > 1e-9; tolerance *= 0.01) {
      const wy_solver_def solver = solver_with("rodas", tolerance, WY_NULLSPACE);
      const motion got = moved(&rod, &solver, 0.2, NULL);
      for (int x = 0; x < 3; x++)
        check_close(got.value[0][x], want.value[0][x], 100 * tolerance);
    }
  }
}

/* ---- Between steps ---- */

/* The state between steps is an interpolation of all that is carried along, vertices behind the root too: what is shown
   meets the constraints, and is where a run that stops there is. */
static void output_between_steps_is_the_motion(void **state) {
  (void)state;
  static const char *const integrators[] = {"radau5", "rodas", "ndf"};
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int m = 0; m < 3; m++) {
      const wy_rod_def rod = rod_with((wy_rod_kind)kind, CLAMPED);
      const wy_solver_def solver = solver_with(integrators[m], 1e-7, WY_NULLSPACE);
      const wy_solver_def exact = solver_with("dopri5", 1e-10, WY_NULLSPACE);
      test_sim made = make_sim(&rod, NULL, 0, &solver, down);
      wy_message message;
      double got[4];
      must(wy_sim_sample(made.sim, 0.1234, &message), &message);
      must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, got, &message), &message);
      const motion want = moved(&rod, &exact, 0.1234, NULL);
      for (int x = 0; x < 3; x++)
        check_close(got[x], want.value[0][x], 1e-4);
      free_sim(&made);
    }
}

/* ---- Snapshots ---- */

static void snapshots_go_on_bit_for_bit(void **state) {
  (void)state;
  static const char *const integrators[] = {"radau5", "rodas", "ndf"};
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int m = 0; m < 3; m++) {
      const wy_rod_def rod = rod_with((wy_rod_kind)kind, RELEASED);
      const wy_solver_def solver = solver_with(integrators[m], 1e-5, WY_NULLSPACE);
      test_sim made = make_sim(&rod, NULL, 0, &solver, down), other = make_sim(&rod, NULL, 0, &solver, down);
      wy_message message;
      must(wy_sim_advance(made.sim, 0.07, &message), &message);
      const size_t size = wy_sim_save_size(made.sim);
      void *saved = malloc(size);
      assert_non_null(saved);
      must(wy_sim_save(made.sim, saved, size, &message), &message);
      must(wy_sim_restore(other.sim, saved, size, &message), &message);
      must(wy_sim_advance(made.sim, 0.2, &message), &message);
      must(wy_sim_advance(other.sim, 0.2, &message), &message);
      const wy_view *a = wy_sim_view(made.sim, 0), *b = wy_sim_view(other.sim, 0);
      assert_memory_equal(a->position.values, b->position.values, 27 * sizeof(double));
      assert_memory_equal(a->force.values, b->force.values, 24 * sizeof(double));
      free(saved);
      free_sim(&made), free_sim(&other);
    }
}

/* ---- What runs ---- */

static int unknowns_of(const wy_rod_def *rod, const wy_load_def *load, const wy_solver_def *solver) {
  test_sim made = make_sim(rod, load, load ? 1 : 0, solver, down);
  const int unknowns = wy_sim_describe(made.sim, 0).unknowns;
  free_sim(&made);
  return unknowns;
}

/* A clamped rod of N segments: in the null space a quaternion and a spin each, and the stretch with its rate; else
   vertices too, of which the first never moves. Loads in body axes do not fit the null space of implicit methods. */
static void null_space_runs_where_it_can(void **state) {
  (void)state;
  wy_load_def follower = wy_default_load_def();
  follower.place = WY_AT_END, follower.axes = WY_BODY_AXES, follower.force[0] = wy_constant(0.1);
  const int n = 8;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
    const wy_rod_def rod = rod_with((wy_rod_kind)kind, CLAMPED);
    const wy_solver_def null_space = solver_with("radau5", 1e-3, WY_NULLSPACE);
    const wy_solver_def index_1 = solver_with("radau5", 1e-3, WY_ABSOLUTE);
    const int least = (kind == WY_KIRCHHOFF ? 9 : 7) * n;
    assert_int_equal(unknowns_of(&rod, NULL, &null_space), least);
    assert_int_equal(unknowns_of(&rod, NULL, &index_1), 13 * n);
    assert_int_equal(unknowns_of(&rod, &follower, &null_space), 13 * n);
  }
}

/* In words: what keeps the constraints, or why it is not the null space. */
static void words_say_what_runs(void **state) {
  (void)state;
  wy_rod_def rod = rod_with(WY_KIRCHHOFF, CLAMPED);
  const wy_solver_def solver = solver_with("auto", 1e-3, WY_NULLSPACE);
  static const char *const want[2] = {"construction: the unknowns are root, frames and stretches",
                                      "projection after every step (index 1: their null space does not carry Maxwell "
                                      "branches)"};
  wy_maxwell branch = {.share = 0.3, .time = 0.1};
  for (int with = 0; with < 2; with++) {
    wy_model_def def = wy_default_model_def();
    wy_model *model = NULL;
    wy_message message = {0};
    rod.maxwell = &branch, rod.maxwell_count = with;
    def.rods = &rod, def.rod_count = 1;
    must(wy_model_create(&def, &model, &message), &message);
    const wy_scheme_info info = wy_scheme_describe_rod(model, 0, &solver, "radau5");
    assert_string_equal(info.constraints, want[with]);
    wy_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_agree),
                                     cmocka_unit_test(rodas_follows_its_tolerance),
                                     cmocka_unit_test(output_between_steps_is_the_motion),
                                     cmocka_unit_test(snapshots_go_on_bit_for_bit),
                                     cmocka_unit_test(null_space_runs_where_it_can),
                                     cmocka_unit_test(words_say_what_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
