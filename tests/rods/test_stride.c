/* SPDX-License-Identifier: MIT */
/* The integrator stride: order 2 against steps that adapt, the same as batches of one, loss of energy, retries, saved
   states, allocations, failures, counts. docs/theory/integrators.md, (I70) to (I76). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/vec3.h"
#include "run/scenario/scenario.h"
#include "support/allocations.h"
#include "support/batches.h"

enum { FRAMES = 5 };
static const double frame_time = 0.02;

static wy_solver_def stride_solver(double step) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = "stride", solver.first_step = step;
  return solver;
}

static wy_sim *sim_of(const wy_model *model, const wy_solver_def *solver) {
  wy_message message = {.text = ""};
  wy_sim_def def = wy_default_sim_def();
  wy_sim *sim = NULL;
  def.solver = *solver;
  must(wy_sim_create(model, &def, &sim, &message), &message);
  return sim;
}

static void go_to(wy_sim *sim, double t) {
  wy_message message = {.text = ""};
  must(wy_sim_advance(sim, t, &message), &message);
}

/* Positions at the end of all frames. */
static wy_statistics stride_positions(const wy_model *model, const wy_staggered_options *options, int substeps,
                                      double *x) {
  wy_solver_def solver = stride_solver(frame_time / substeps);
  solver.staggered = *options;
  wy_sim *sim = sim_of(model, &solver);
  go_to(sim, FRAMES * frame_time);
  memcpy(x, wy_sim_view(sim, 0)->position.values, SOFT_NUMBERS * sizeof *x);
  const wy_statistics statistics = wy_sim_statistics(sim, 0);
  wy_sim_destroy(sim);
  return statistics;
}

/* ---- Order ---- */

/* Second order in the step, and one millionth of the length with the shorter one. */
static void check_order_with(const char *name, batch_scene *it, const wy_staggered_options *options) {
  enum { COARSE = 128 };
  double want[SOFT_NUMBERS], got[SOFT_NUMBERS], error[2];
  make_scene(it);
  lone_positions(it->model, options, FRAMES * frame_time, want);
  for (int k = 0; k < 2; k++) {
    stride_positions(it->model, options, COARSE << k, got);
    error[k] = batch_distance(got, want, SOFT_NUMBERS);
  }
  const double order = log2(error[0] / error[1]);
  print_message("%s, measure %d: error %.2e, order %.2f\n", name, (int)options->curvature_measure, error[1], order);
  check_below(error[1], 1e-6);
  check_above(order, 1.9);
  wy_model_destroy(it->model);
}

static void check_order(const char *name, batch_scene *it) {
  const wy_staggered_options options = wy_default_solver_def().staggered;
  check_order_with(name, it, &options);
}

static void ends_measures_and_coordinates(void **state) {
  (void)state;
  wy_staggered_options options = wy_default_solver_def().staggered;
  for (int kind = 0; kind < HELD_KINDS; kind++) {
    batch_scene it;
    set_soft(&it);
    hold_scene(&it, (batch_held)kind);
    options.curvature_measure = kind % 2 ? WY_TAN2 : WY_ANGLE;
    check_order_with(batch_held_name((batch_held)kind), &it, &options);
  }
  options.coordinates = WY_ABSOLUTE;
  batch_scene it;
  set_soft(&it);
  check_order_with("absolute coordinates", &it, &options);
}

static void kinds(void **state) {
  (void)state;
  batch_scene it;
  for (int end = 0; end < 2; end++) {
    set_soft(&it);
    it.rod.kind = WY_KIRCHHOFF;
    hold_scene(&it, end ? DRIVEN : CLAMPED_FREE);
    check_order("kirchhoff", &it);
    set_soft(&it);
    it.rod.kind = WY_INEXTENSIBLE;
    hold_scene(&it, end ? PINNED_FREE : CLAMPED_FREE);
    check_order("inextensible", &it);
  }
}

/* A steel rod without shear that is pinned at both ends, in steps longer than its first vibration: projection closes it
   by its stretches, which are stiff, so that a step must leave nothing. After two seconds exp(-c w^2 t/2) = 1e-7 of
   the vibration is left, and the rod lies where short steps bring it. */
static void stiff_rods_that_are_closed_come_to_rest(void **state) {
  (void)state;
  const wy_staggered_options options = wy_default_solver_def().staggered;
  double want[SOFT_NUMBERS];
  batch_scene it;
  set_soft(&it);
  hold_scene(&it, PINNED_PINNED);
  it.rod.kind = WY_KIRCHHOFF;
  it.rod.material.young = wy_constant(2.1e11), it.rod.material.density = wy_constant(7850);
  it.rod.damping.time = wy_constant(1e-3);
  it.rod.shape.curvature[1] = it.rod.shape.curvature[2] = wy_constant(0);
  it.def.load_count = 0;
  make_scene(&it);
  lone_positions(it.model, &options, 2, want);
  const wy_solver_def solver = stride_solver(5e-3);
  wy_sim *sim = sim_of(it.model, &solver);
  go_to(sim, 2);
  check_below(batch_distance(wy_sim_view(sim, 0)->position.values, want, SOFT_NUMBERS), 1e-6);
  assert_int_equal(wy_sim_statistics(sim, 0).steps, 400 + 4); /* the first one is made in five pieces */
  wy_sim_destroy(sim);
  wy_model_destroy(it.model);
}

/* ---- Stops, and what is shown between steps ---- */

/* Stops that cut steps to any length, down to 1e-8 of one: what follows is at most twice as long as what was before. */
static void stops_keep_the_order(void **state) {
  (void)state;
  static const double stops[] = {1e-2, 1.2e-2, 3.2e-2, 3.2e-2 + 1e-8, 5.21e-2, 5.21e-2 + 1e-6, 6.7e-2, 9.9999e-2, 0.1};
  enum { STOPS = sizeof stops / sizeof stops[0] };
  const wy_staggered_options options = wy_default_solver_def().staggered;
  double want[SOFT_NUMBERS], error[2];
  batch_scene it;
  set_soft(&it);
  make_scene(&it);
  lone_positions(it.model, &options, stops[STOPS - 1], want);
  for (int k = 0; k < 2; k++) {
    const wy_solver_def solver = stride_solver(3e-4 / (1 << k));
    wy_sim *sim = sim_of(it.model, &solver);
    for (int i = 0; i < STOPS; i++)
      go_to(sim, stops[i]);
    error[k] = batch_distance(wy_sim_view(sim, 0)->position.values, want, SOFT_NUMBERS);
    wy_sim_destroy(sim);
  }
  print_message("nine stops: error %.2e, order %.2f\n", error[1], log2(error[0] / error[1]));
  check_below(error[1], 1e-6);
  check_above(log2(error[0] / error[1]), 1.8);
  wy_model_destroy(it.model);
}

/* In the middle of a step a parabola is shown: of third order, so that no more error is seen than at its end. */
static void between_steps_it_is_as_accurate(void **state) {
  (void)state;
  static const double at = 0.0901; /* between steps of 0.2 ms and of 0.1 ms */
  const wy_staggered_options options = wy_default_solver_def().staggered;
  wy_message message = {.text = ""};
  double want[SOFT_NUMBERS], error[2];
  batch_scene it;
  set_soft(&it);
  make_scene(&it);
  lone_positions(it.model, &options, at + 5e-5, want);
  for (int k = 0; k < 2; k++) {
    const wy_solver_def solver = stride_solver(2e-4 / (1 << k));
    wy_sim *sim = sim_of(it.model, &solver);
    must(wy_sim_sample(sim, at + 5e-5, &message), &message);
    error[k] = batch_distance(wy_sim_view(sim, 0)->position.values, want, SOFT_NUMBERS);
    wy_sim_destroy(sim);
  }
  print_message("between steps: error %.2e, order %.2f\n", error[1], log2(error[0] / error[1]));
  check_below(error[1], 1e-6);
  check_above(log2(error[0] / error[1]), 1.8);
  wy_model_destroy(it.model);
}

/* ---- A batch of one ---- */

/* The same method, written twice: 80 steps differ by round-off, of some eps = 2e-16 in each. But for supports that
   turn: a batch takes a cubic through the quaternions of a frame, and leads a last vertex back; they differ by less
   than the error that both have. */
static void a_batch_of_one_is_the_same(void **state) {
  (void)state;
  enum { SUBSTEPS = 16 };
  const wy_staggered_options options = wy_default_solver_def().staggered;
  double got[SOFT_NUMBERS], want[SOFT_NUMBERS], exact[SOFT_NUMBERS];
  for (int kind = 0; kind < HELD_KINDS; kind++) {
    batch_scene it;
    set_soft(&it);
    hold_scene(&it, (batch_held)kind);
    make_scene(&it);
    wy_batch_def def = fixed_batch(SUBSTEPS);
    wy_batch *batch = batch_of(it.model, &def);
    run_batch(batch, FRAMES, frame_time);
    batch_positions(batch, 0, want);
    wy_batch_destroy(batch);
    stride_positions(it.model, &options, SUBSTEPS, got);
    lone_positions(it.model, &options, FRAMES * frame_time, exact);
    const double apart = batch_distance(got, want, SOFT_NUMBERS), error = batch_distance(want, exact, SOFT_NUMBERS);
    print_message("%s: batch and stride are %.1e apart, error %.1e\n", batch_held_name((batch_held)kind), apart, error);
    check_below(apart, kind == DRIVEN ? error : FRAMES * SUBSTEPS * 1e-14);
    wy_model_destroy(it.model);
  }
}

/* ---- Networks and contact ---- */

/* A built-in scenario: positions of the end of its first rod at time t. */
static void end_of_scenario(const char *name, const char *const *settings, int count, double t, double x[4]) {
  wy_message message = {.text = ""};
  wy_scenario_error error;
  wy_scenario *scenario = NULL;
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  char path[256];
  snprintf(path, sizeof path, "%s/%s.yaml", WY_SCENARIOS, name);
  if (wy_scenario_read_file(path, settings, count, &scenario, &error) != WY_OK)
    fail_msg("%s", error.text);
  must(wy_model_create(&scenario->model, &model, &message), &message);
  must(wy_sim_create(model, &scenario->sim, &sim, &message), &message);
  if (scenario->from_statics)
    must(wy_sim_settle(sim, 0, &message), &message);
  must(wy_sim_sample(sim, t, &message), &message);
  must(wy_sim_probe(sim, WY_POSITION, 0, wy_model_rod(model, 0)->length, x, &message), &message);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  wy_scenario_destroy(scenario);
}

static double distance_from(const double a[4], const double b[4]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return wy_norm3(d);
}

/* Errors for some steps; `more`: a further setting, or NULL. */
static void ends_with(const char *name, const char *more, double t, const char *const *steps, int count,
                      double *error) {
  const char *const reference[] = {"solver.scheme=staggered", "solver.integrator=radau5", "solver.tolerance=1e-9",
                                   more};
  double want[4], got[4];
  end_of_scenario(name, reference, more ? 4 : 3, t, want);
  for (int i = 0; i < count; i++) {
    const char *const settings[] = {"solver.scheme=staggered", "solver.integrator=stride", steps[i], more};
    end_of_scenario(name, settings, more ? 4 : 3, t, got);
    error[i] = distance_from(got, want);
  }
}

/* Rods with hubs, joints and bodies, with Maxwell branches, with chambers: second order, as rods by themselves. */
static void networks_and_what_rods_carry(void **state) {
  (void)state;
  static const struct {
    const char *name, *more;
  } rows[] = {{"mobile", NULL},
              {"slider-crank", NULL},
              {"wind-chime", NULL},
              {"aluminium-cantilever-viscoelastic", NULL},
              {"soft-arm-circle", "rods.arm.damping.time=0.01"}}; /* no vibrations that the steps do not resolve */
  static const char *const steps[] = {"solver.step=0.0005", "solver.step=0.00025"};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double error[2];
    ends_with(rows[i].name, rows[i].more, 0.3, steps, 2, error);
    print_message("%s: error %.2e, order %.2f\n", rows[i].name, error[1], log2(error[0] / error[1]));
    check_above(log2(error[0] / error[1]), 1.8);
    check_below(error[1], 1e-4);
  }
}

/* A hose that falls onto a floor with friction, where one iteration a step throws it aside by a tenth of its length,
   and a rope that slides over a peg: within a share of the radius of what touches. */
static void contact(void **state) {
  (void)state;
  static const char *const step[] = {"solver.step=0.0025"};
  double error;
  ends_with("rod-on-floor", NULL, 2, step, 1, &error);
  print_message("rod-on-floor: error %.2e\n", error);
  check_below(error, 5e-3);
  ends_with("rope-over-peg", NULL, 0.5, step, 1, &error);
  print_message("rope-over-peg: error %.2e\n", error);
  check_below(error, 5e-3);
}

/* ---- Energy ---- */

static void spinning(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *rate = context;
  (void)wrt, (void)t;
  jet[0] = *rate * (s - 0.5), jet[1] = jet[2] = 0;
}

/* A free rod without damping that spins end over end: of its energy x^4 is lost in a step, x = w h (I77). The frames
   before are for what vibrates at the start: the rod is not yet stretched as it spins. */
static void a_spinning_rod_loses_what_it_must(void **state) {
  (void)state;
  enum { BEFORE = 20, COUNTED = 400 };
  static const double rate = 10, frame = 1.0 / 60;
  batch_scene it;
  set_soft(&it);
  it.rod.ends[0] = wy_end_free();
  it.rod.damping.kind = WY_UNDAMPED, it.rod.drag = (wy_drag){0, 0};
  it.rod.shape.curvature[1] = it.rod.shape.curvature[2] = wy_constant(0);
  it.def.load_count = 0;
  it.def.gravity[2] = 0;
  it.rod.material.young = wy_constant(5e10); /* so that it does not stretch, which would take from the rotation */
  it.rod.shape.direction[0] = 0, it.rod.shape.direction[1] = 1; /* along e2, d1 = e1: it turns about d1 */
  it.rod.shape.d1[0] = 1;
  it.rod.initial.velocity[2] = (wy_signal){0, spinning, &rate, WY_ARC};
  it.rod.initial.angular_velocity[0] = wy_constant(rate);
  make_scene(&it);
  for (int substeps = 8; substeps <= 16; substeps *= 2) {
    const double x = rate * frame / substeps, want = COUNTED * substeps * x * x * x * x;
    const wy_solver_def solver = stride_solver(frame / substeps);
    wy_sim *sim = sim_of(it.model, &solver);
    go_to(sim, BEFORE * frame);
    const double before = wy_sim_energy(sim, 0).kinetic;
    go_to(sim, (BEFORE + COUNTED) * frame);
    const double got = 1 - wy_sim_energy(sim, 0).kinetic / before;
    print_message("%d substeps: lost %.4e of the energy; predicted %.4e\n", substeps, got, want);
    check_close(got, want, 0.02 * want); /* x^2 of the next term, and what still vibrates */
    wy_sim_destroy(sim);
  }
  wy_model_destroy(it.model);
}

/* ---- Retries, saved states, allocations, counts ---- */

/* A clamped rod whose root is torn aside within a frame, by 5 % of its length, and back in the next one. */
static void shake_root(wy_sim *sim, int frame) {
  wy_message message = {.text = ""};
  const double x[3] = {0, frame % 8 ? 0 : 0.05, 0}, v[3] = {0, 0, 0};
  const wy_pose pose = {.position = x, .velocity = v};
  must(wy_sim_move_end(sim, 0, WY_START, &pose, 1.0 / 60, &message), &message);
}

static void shaken_scene(batch_scene *it) {
  set_soft(it);
  it->rod.shape.curvature[1] = wy_constant(3);
  make_scene(it);
}

/* Eight steps a frame are too long for it: they are divided, so that no step misses more than 0.05, and the motion is
   that of short steps to this share of the length. */
static void violent_roots_divide_steps(void **state) {
  (void)state;
  enum { SHAKES = 10 };
  double x[2][SOFT_NUMBERS];
  batch_scene it;
  shaken_scene(&it);
  for (int fine = 0; fine < 2; fine++) {
    wy_solver_def solver = stride_solver(1.0 / (fine ? 60 * 256 : 60 * 8));
    solver.staggered.curvature_measure = WY_TAN2;
    wy_sim *sim = sim_of(it.model, &solver);
    for (int frame = 0; frame < SHAKES; frame++) {
      shake_root(sim, frame);
      go_to(sim, (frame + 1) / 60.0);
    }
    const wy_statistics s = wy_sim_statistics(sim, 0);
    print_message("%s: %ld steps, %ld rejected\n", fine ? "short steps" : "eight steps a frame", s.steps, s.rejected);
    if (!fine) {
      check_above((double)s.rejected, 1);
      check_above((double)s.steps, 8 * SHAKES);
    }
    /* one linear solve for each attempt */
    assert_int_equal(s.factorisations, s.steps + s.rejected);
    assert_int_equal(s.jacobians, s.factorisations);
    assert_int_equal(s.newton_iterations, s.factorisations);
    memcpy(x[fine], wy_sim_view(sim, 0)->position.values, sizeof x[fine]);
    wy_sim_destroy(sim);
  }
  print_message("apart by %.2e\n", batch_distance(x[0], x[1], SOFT_NUMBERS));
  check_below(batch_distance(x[0], x[1], SOFT_NUMBERS), 0.05);
  wy_model_destroy(it.model);
}

/* Saved in the middle, and gone on with in another simulation: the same bits. */
static void a_restored_run_goes_on_bit_for_bit(void **state) {
  (void)state;
  enum { SHAKES = 12, SAVED = 5 };
  wy_message message = {.text = ""};
  double x[2][SOFT_NUMBERS], energy[2];
  batch_scene it;
  shaken_scene(&it);
  const wy_solver_def solver = stride_solver(1.0 / 60);
  wy_sim *sims[2] = {sim_of(it.model, &solver), sim_of(it.model, &solver)};
  char *saved = NULL;
  size_t size = 0;
  for (int run = 0; run < 2; run++) {
    if (run)
      must(wy_sim_restore(sims[1], saved, size, &message), &message);
    for (int frame = run ? SAVED : 0; frame < SHAKES; frame++) {
      if (frame == SAVED && !run) {
        size = wy_sim_save_size(sims[0]);
        saved = malloc(size);
        must(wy_sim_save(sims[0], saved, size, &message), &message);
      }
      shake_root(sims[run], frame);
      go_to(sims[run], (frame + 1) / 60.0);
    }
    memcpy(x[run], wy_sim_view(sims[run], 0)->position.values, sizeof x[run]);
    energy[run] = wy_sim_energy(sims[run], 0).work;
    wy_sim_destroy(sims[run]);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_memory_equal(&energy[0], &energy[1], sizeof energy[0]);
  free(saved);
  wy_model_destroy(it.model);
}

#ifdef COUNTS_ALLOCATIONS
static void nothing_is_allocated(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  shaken_scene(&it);
  const wy_solver_def solver = stride_solver(1.0 / 60);
  wy_sim *sim = sim_of(it.model, &solver);
  const long before = allocations;
  for (int frame = 0; frame < 5; frame++) {
    shake_root(sim, frame);
    must(wy_sim_advance_within(sim, (frame + 0.9) / 60, 60, NULL, &message), &message);
    go_to(sim, (frame + 1) / 60.0);
  }
  assert_int_equal(allocations - before, 0);
  wy_sim_destroy(sim);
  wy_model_destroy(it.model);
}
#endif

/* A force that grows without bounds ends the run: when, which rod, why, what to try. */
static void growing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t < 0.1 ? 0 : 1e12, jet[1] = jet[2] = 0;
}

static void a_failure_says_when_and_where(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  set_soft(&it);
  it.loads[0].force[1] = (wy_signal){0, growing, NULL, WY_TIME};
  make_scene(&it);
  const wy_solver_def solver = stride_solver(1.0 / 60);
  wy_sim *sim = sim_of(it.model, &solver);
  const wy_status status = wy_sim_advance(sim, 1, &message);
  print_message("%s\n", message.text);
  assert_int_not_equal(status, WY_OK);
  static const char *const words[] = {"rod 'pendulum'", "stride cannot continue at t = 0.", "(step ", "try"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (!strstr(message.text, words[i]))
      fail_msg("'%s' does not have '%s'", message.text, words[i]);
  check_above(wy_sim_time(sim), 0.05);
  wy_sim_destroy(sim);
  wy_model_destroy(it.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_measures_and_coordinates),
      cmocka_unit_test(kinds),
      cmocka_unit_test(stiff_rods_that_are_closed_come_to_rest),
      cmocka_unit_test(stops_keep_the_order),
      cmocka_unit_test(between_steps_it_is_as_accurate),
      cmocka_unit_test(a_batch_of_one_is_the_same),
      cmocka_unit_test(networks_and_what_rods_carry),
      cmocka_unit_test(contact),
      cmocka_unit_test(a_spinning_rod_loses_what_it_must),
      cmocka_unit_test(violent_roots_divide_steps),
      cmocka_unit_test(a_restored_run_goes_on_bit_for_bit),
#ifdef COUNTS_ALLOCATIONS
      cmocka_unit_test(nothing_is_allocated),
#endif
      cmocka_unit_test(a_failure_says_when_and_where),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
