/* SPDX-License-Identifier: MIT */
/* Equilibria through the public interface: settling and following, what is reported, changes from outside, releases,
   the way back to motion, modes and buckling that leave the simulation as it was, snapshots. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

static const double gravity[3] = {0, 0, -9.81};

static void must_fail(wy_status got, wy_status wanted, const wy_message *message, const char *path, const char *word) {
  if (got != wanted || strcmp(message->path, path) != 0 || !strstr(message->text, word))
    fail_msg("status %d, path '%s': '%s'; expected status %d, path '%s', '%s'", got, message->path, message->text,
             wanted, path, word);
}

static test_sim make(const wy_rod_def *rod, const wy_load_def *load, const wy_solver_def *solver, double end) {
  test_sim made = {0};
  wy_message message;
  wy_model_def def = wy_default_model_def();
  def.rods = rod, def.rod_count = 1;
  def.loads = load, def.load_count = load ? 1 : 0;
  memcpy(def.gravity, gravity, sizeof def.gravity);
  must(wy_model_create(&def, &made.model, &message), &message);
  wy_sim_def sim = wy_default_sim_def();
  sim.statics = true;
  sim.solver = *solver;
  sim.end = end;
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

static wy_rod_def cantilever(int segments) {
  wy_rod_def rod = rubber_rod(segments);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

/* The vertical position of the last point. */
static double tip(wy_sim *sim) {
  const wy_points *x = &wy_sim_view(sim, 0)->position;
  return x->values[3 * (x->count - 1) + 2];
}

static void options_are_checked(void **state) {
  (void)state;
  wy_rod_def rod = cantilever(4);
  wy_model_def def = wy_default_model_def();
  wy_model *model;
  wy_message message;
  def.rods = &rod, def.rod_count = 1;
  must(wy_model_create(&def, &model, &message), &message);
  wy_sim *sim;
  wy_sim_def wrong = wy_default_sim_def();
  wrong.statics = true;
  wrong.solver.statics.increments = 0;
  must_fail(wy_sim_create(model, &wrong, &sim, &message), WY_ERROR_INPUT, &message, "solver.increments", "found 0");
  wrong.solver.statics.increments = 25;
  wrong.solver.statics.newton_tolerance = -1;
  must_fail(wy_sim_create(model, &wrong, &sim, &message), WY_ERROR_INPUT, &message, "solver.newton.tolerance", "-1");
  wrong.solver.statics.newton_tolerance = NAN;
  must_fail(wy_sim_create(model, &wrong, &sim, &message), WY_ERROR_INPUT, &message, "solver.newton.tolerance", "nan");
  wrong.solver.statics.newton_tolerance = 1e-10;
  wrong.solver.statics.newton_iterations = 0;
  must_fail(wy_sim_create(model, &wrong, &sim, &message), WY_ERROR_INPUT, &message, "solver.newton.iterations", "0");
  wrong.statics = false; /* not used, not checked */
  must(wy_sim_create(model, &wrong, &sim, &message), &message);
  wy_mode_set *modes;
  must_fail(wy_sim_settle(sim, 0, &message), WY_ERROR_INPUT, &message, "", "`statics`");
  must_fail(wy_sim_follow(sim, 1, &message), WY_ERROR_INPUT, &message, "", "`statics`");
  must_fail(wy_sim_follow_step(sim, 1, &message), WY_ERROR_INPUT, &message, "", "`statics`");
  must_fail(wy_sim_modes(sim, 0, 1, &modes, &message), WY_ERROR_INPUT, &message, "", "`statics`");
  must_fail(wy_sim_buckling(sim, 0, 0, 1, &modes, &message), WY_ERROR_INPUT, &message, "", "`statics`");
  assert_int_equal(wy_sim_equilibrium(sim, 0).unstable, -1);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

static void settling_comes_first(void **state) {
  (void)state;
  wy_rod_def rod = cantilever(6);
  wy_solver_def solver = wy_default_solver_def();
  test_sim made = make(&rod, NULL, &solver, 2);
  wy_message message;
  wy_mode_set *modes;
  must_fail(wy_sim_follow(made.sim, 1, &message), WY_ERROR_INPUT, &message, "", "wy_sim_settle");
  must_fail(wy_sim_modes(made.sim, 0, 1, &modes, &message), WY_ERROR_INPUT, &message, "", "wy_sim_settle");
  must_fail(wy_sim_settle(made.sim, 3, &message), WY_ERROR_INPUT, &message, "", "outside");
  must(wy_sim_settle(made.sim, 0.5, &message), &message);
  check_close(wy_sim_time(made.sim), 0.5, 0);
  must_fail(wy_sim_follow(made.sim, 0.4, &message), WY_ERROR_INPUT, &message, "", "outside");
  must_fail(wy_sim_modes(made.sim, 0, 0, &modes, &message), WY_ERROR_INPUT, &message, "", "at least 1");
  must_fail(wy_sim_modes(made.sim, 1, 1, &modes, &message), WY_ERROR_INPUT, &message, "", "no rod number 1");
  /* A rod that moves is not in equilibrium any more. */
  must(wy_sim_advance(made.sim, 0.6, &message), &message);
  must_fail(wy_sim_follow(made.sim, 1, &message), WY_ERROR_INPUT, &message, "", "wy_sim_settle");
  free_sim(&made);
}

/* In equilibrium nothing starts to move: after a time of motion the rod is where it was, to what the integrator allows.
   Without the settling it falls by centimetres in that time. */
static void motion_begins_in_equilibrium(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int m = 0; ode_integrator(m); m++) {
      wy_rod_def rod = cantilever(8);
      rod.kind = (wy_rod_kind)kind;
      wy_solver_def solver = wy_default_solver_def();
      solver.integrator = ode_integrator(m);
      test_sim made = make(&rod, NULL, &solver, 1);
      wy_message message;
      must(wy_sim_settle(made.sim, 0, &message), &message);
      double before = tip(made.sim);
      check_below(before, -0.3);
      check_close(wy_sim_energy(made.sim, 0).kinetic, 0, 0);
      must(wy_sim_advance(made.sim, 0.2, &message), &message);
      check_close(tip(made.sim), before, 1e-6);
      free_sim(&made);
    }
}

static void statistics_and_info_agree(void **state) {
  (void)state;
  wy_rod_def rod = cantilever(8);
  wy_solver_def solver = wy_default_solver_def();
  test_sim made = make(&rod, NULL, &solver, 1);
  wy_message message;
  must(wy_sim_settle(made.sim, 0, &message), &message);
  wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
  wy_statistics statistics = wy_sim_statistics(made.sim, 0);
  assert_int_equal(info.unstable, 0);
  assert_false(info.odd);
  check_above(info.increments, 0);
  assert_int_equal(info.increments, statistics.steps);
  assert_int_equal(info.newton_iterations, statistics.newton_iterations);
  check_at_least(statistics.factorisations, info.newton_iterations);
  free_sim(&made);
}

/* A load that is set from outside, then taken back: the same equilibrium as before. */
static void set_loads_are_eased_in(void **state) {
  (void)state;
  wy_rod_def rod = cantilever(8);
  wy_load_def load = wy_default_load_def();
  wy_solver_def solver = wy_default_solver_def();
  wy_message message;
  load.place = WY_AT_END;
  test_sim made = make(&rod, &load, &solver, 1);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  double alone = tip(made.sim);
  const double sideways[3] = {0.2, 0, 0};
  must(wy_sim_set_load(made.sim, 0, sideways, NULL, &message), &message);
  must(wy_sim_follow(made.sim, 0, &message), &message);
  check_above(tip(made.sim), alone + 0.01);
  check_close(wy_sim_view(made.sim, 0)->ends[0].reaction_force[0], -0.2, 1e-9);
  must(wy_sim_set_load(made.sim, 0, NULL, NULL, &message), &message);
  must(wy_sim_follow(made.sim, 0.5, &message), &message);
  check_close(tip(made.sim), alone, 1e-9);
  check_close(wy_sim_time(made.sim), 0.5, 0);
  free_sim(&made);
}

/* Released at one end, the rod between two clamps becomes a cantilever. */
static void a_release_is_eased_out(void **state) {
  (void)state;
  wy_solver_def solver = wy_default_solver_def();
  wy_message message;
  wy_rod_def rod = cantilever(8);
  test_sim alone = make(&rod, NULL, &solver, 1);
  must(wy_sim_settle(alone.sim, 0, &message), &message);
  rod.ends[WY_END] = wy_end_clamped();
  rod.ends[WY_END].release = 0.3;
  test_sim made = make(&rod, NULL, &solver, 1);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  check_close(tip(made.sim), 0, 1e-12);
  must(wy_sim_follow(made.sim, 0.2, &message), &message);
  check_close(tip(made.sim), 0, 1e-12);
  must(wy_sim_follow(made.sim, 0.9, &message), &message);
  check_close(tip(made.sim), tip(alone.sim), 1e-9);
  free_sim(&made);
  /* Settled after the release. */
  made = make(&rod, NULL, &solver, 1);
  must(wy_sim_settle(made.sim, 0.5, &message), &message);
  check_close(tip(made.sim), tip(alone.sim), 1e-9);
  free_sim(&made);
  free_sim(&alone);
}

static wy_rod_def pushed(int segments) {
  wy_rod_def rod = cantilever(segments);
  rod.ends[WY_END] = wy_end_clamped();
  return rod;
}

/* Ends that are moved from outside: one increment at a time, the interrupted and restored run is the same, bit for bit.
 */
static void snapshots_continue_bit_for_bit(void **state) {
  (void)state;
  wy_solver_def solver = wy_default_solver_def();
  wy_message message;
  wy_rod_def rod = pushed(8);
  test_sim made = make(&rod, NULL, &solver, 1);
  const double target[3] = {0.1, 0.6, 0.1};
  const wy_pose pose = {.position = target};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_move_end(made.sim, 0, WY_END, &pose, 1, &message), &message);
  must(wy_sim_follow_step(made.sim, 1, &message), &message);
  must(wy_sim_follow_step(made.sim, 1, &message), &message);
  double t = wy_sim_time(made.sim), end[2];
  check_above(t, 0);
  check_below(t, 1);
  size_t size = wy_sim_save_size(made.sim);
  void *buffer = malloc(size);
  must(wy_sim_save(made.sim, buffer, size, &message), &message);
  for (int run = 0; run < 2; run++) {
    must(wy_sim_follow(made.sim, 1, &message), &message);
    end[run] = wy_sim_view(made.sim, 0)->position.values[3 * 4 + 2];
    check_close(tip(made.sim), 0.1, 1e-9);
    must(wy_sim_restore(made.sim, buffer, size, &message), &message);
    check_close(wy_sim_time(made.sim), t, 0);
  }
  assert_true(end[0] == end[1]);
  free(buffer);
  free_sim(&made);
}

/* Modes and buckling factors are questions; asking them changes nothing, and the answers do not depend on the order. */
static void questions_change_nothing(void **state) {
  (void)state;
  wy_solver_def solver = wy_default_solver_def();
  wy_message message;
  wy_rod_def rod = cantilever(8);
  test_sim made = make(&rod, NULL, &solver, 1), other = make(&rod, NULL, &solver, 1);
  wy_mode_set *first, *second, *buckling;
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_settle(other.sim, 0, &message), &message);
  double before = tip(made.sim);
  must(wy_sim_modes(made.sim, 0, 4, &first, &message), &message);
  check_close(tip(made.sim), before, 0);
  must_fail(wy_sim_buckling(made.sim, 0, 0, 1, &buckling, &message), WY_ERROR_SOLVER, &message, "", "no buckling");
  check_close(tip(made.sim), before, 0);
  assert_null(buckling);
  must(wy_sim_modes(made.sim, 0, 4, &second, &message), &message);
  for (int i = 0; i < 4; i++)
    check_close(first->omega[i], second->omega[i], 0);
  must(wy_sim_follow(made.sim, 1, &message), &message);
  must(wy_sim_follow(other.sim, 1, &message), &message);
  check_close(tip(made.sim), tip(other.sim), 0);
  wy_mode_set_destroy(first);
  wy_mode_set_destroy(second);
  free_sim(&made);
  free_sim(&other);
}

/* Kelvin-Voigt damping with one time: the ratio of each mode is time * omega / 2. Modes come in planes, scaled. */
static void modes_are_scaled_and_in_planes(void **state) {
  (void)state;
  wy_solver_def solver = wy_default_solver_def();
  wy_message message;
  wy_rod_def rod = cantilever(10);
  wy_mode_set *modes;
  rod.damping.kind = WY_DAMPING_TIME;
  rod.damping.time = wy_constant(0.02);
  rod.shape.direction[0] = 0, rod.shape.direction[1] = 0, rod.shape.direction[2] = -1;
  rod.shape.d1[0] = 1, rod.shape.d1[2] = 0;
  test_sim made = make(&rod, NULL, &solver, 1);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_modes(made.sim, 0, 4, &modes, &message), &message);
  assert_int_equal(modes->count, 4);
  assert_int_equal(modes->points, 11);
  assert_int_equal(modes->frames, 10);
  assert_null(modes->factor);
  check_close(modes->omega[0], modes->omega[1], 1e-9 * modes->omega[0]);
  for (int i = 0; i < 4; i++) {
    const double *config = modes->displacement + (size_t)i * 3 * 11, *turn = modes->rotation + (size_t)i * 3 * 10;
    double largest = 0, sum[3] = {0};
    for (int k = 0; k < 33; k++) {
      largest = fmax(largest, fabs(config[k]));
      sum[k % 3] += config[k] * config[k];
    }
    for (int k = 0; k < 30; k++)
      largest = fmax(largest, fabs(turn[k]));
    check_close(largest, 1, 1e-5); /* of values that are equal within 1e-6 the first decides */
    check_close(fmin(sum[0], sum[1]), 0, 1e-12);
    /* gravity stiffens the rod, so that less than all of omega^2 is elastic, and damped */
    assert_true(modes->damping_ratio[i] > 0 && modes->damping_ratio[i] < 0.01 * modes->omega[i]);
  }
  check_close(modes->position[3 * 10 + 2], tip(made.sim), 0);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* Euler's column in three models: the classical load, less what the rod's compressibility and the scheme change: strain
   at the critical load and square of the segments' length, both below 1 %. Four factors: two double ones. */
static void columns_buckle_in_pairs(void **state) {
  (void)state;
  const double bending = 5e6 * acos(-1) * 6.25e-10 / 4, euler = acos(-1) * acos(-1) / 4;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_solver_def solver = wy_default_solver_def();
    wy_message message;
    wy_rod_def rod = cantilever(16);
    wy_mode_set *modes;
    rod.kind = (wy_rod_kind)kind;
    wy_load_def load = wy_default_load_def();
    load.place = WY_AT_END;
    load.force[1] = wy_constant(-1e-3 * bending);
    wy_model *model;
    wy_model_def def = wy_default_model_def();
    def.rods = &rod, def.rod_count = 1, def.loads = &load, def.load_count = 1;
    must(wy_model_create(&def, &model, &message), &message);
    wy_sim *sim;
    wy_sim_def sim_def = wy_default_sim_def();
    sim_def.statics = true, sim_def.solver = solver;
    must(wy_sim_create(model, &sim_def, &sim, &message), &message);
    must(wy_sim_buckling(sim, 0, 0, 4, &modes, &message), &message);
    assert_int_equal(modes->count, 4);
    assert_null(modes->omega);
    check_close(modes->s[16], rod.length, 0);
    check_close(modes->frame_s[15], rod.length * 31 / 32, 1e-15);
    for (int i = 0; i < 4; i++) {
      double exact = 1e3 * euler * (i < 2 ? 1 : 9);
      check_close(modes->factor[i], exact, 0.01 * exact);
    }
    check_close(modes->factor[1], modes->factor[0], 1e-9 * modes->factor[0]);
    check_close(modes->factor[3], modes->factor[2], 1e-9 * modes->factor[2]);
    /* straight before it buckles, shorter by the strain */
    check_close(modes->position[3 * 16], 0, 1e-9);
    check_close(wy_sim_time(sim), 0, 0);
    wy_mode_set_destroy(modes);
    wy_sim_destroy(sim);
    wy_model_destroy(model);
  }
}

/* Frequencies belong to an equilibrium: after a change it has to be found again. */
static void modes_ask_for_balance(void **state) {
  (void)state;
  wy_rod_def rod = cantilever(8);
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  wy_solver_def solver = wy_default_solver_def();
  test_sim made = make(&rod, &load, &solver, 10);
  wy_message message;
  wy_mode_set *modes = NULL;
  const double force[3] = {0, 0, -0.05};
  must(wy_sim_settle(made.sim, 1, &message), &message);
  must(wy_sim_set_load(made.sim, 0, force, NULL, &message), &message);
  must_fail(wy_sim_modes(made.sim, 0, 2, &modes, &message), WY_ERROR_INPUT, &message, "", "wy_sim_follow");
  assert_null(modes);
  must(wy_sim_follow(made.sim, 1, &message), &message);
  must(wy_sim_modes(made.sim, 0, 2, &modes, &message), &message);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* A rod that is pulled beyond its length has no equilibrium; it is then where it was, and so is the clock. */
static void settling_in_vain_changes_nothing(void **state) {
  (void)state;
  wy_rod_def rod = cantilever(8);
  rod.kind = WY_INEXTENSIBLE;
  rod.ends[WY_END] = wy_end_clamped();
  rod.ends[WY_END].position[1] = WY_DRIVEN;
  rod.ends[WY_END].path[1] = wy_constant(1.1);
  wy_solver_def solver = wy_default_solver_def();
  test_sim made = make(&rod, NULL, &solver, 10);
  wy_message message;
  must_fail(wy_sim_settle(made.sim, 1, &message), WY_ERROR_SOLVER, &message, "", "straight");
  check_close(wy_sim_time(made.sim), 0, 0);
  check_close(tip(made.sim), 0, 0);
  /* nor can it move in time from there: its end would jump */
  must_fail(wy_sim_advance(made.sim, 1, &message), WY_ERROR_INPUT, &message, "rods[0].ends.end.position[1]", "1.1");
  free_sim(&made);
}

static void snapshots_belong_to_one_model(void **state) {
  (void)state;
  wy_solver_def solver = wy_default_solver_def();
  wy_rod_def rod = cantilever(8);
  rod.kind = WY_KIRCHHOFF;
  test_sim one = make(&rod, NULL, &solver, 10);
  rod.kind = WY_INEXTENSIBLE;
  test_sim other = make(&rod, NULL, &solver, 10);
  size_t size = wy_sim_save_size(one.sim);
  void *buffer = malloc(size);
  wy_message message;
  must(wy_sim_save(one.sim, buffer, size, &message), &message);
  must_fail(wy_sim_restore(other.sim, buffer, size, &message), WY_ERROR_INPUT, &message, "", "another simulation");
  must(wy_sim_restore(one.sim, buffer, size, &message), &message);
  free(buffer);
  free_sim(&one);
  free_sim(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_are_checked),
      cmocka_unit_test(settling_comes_first),
      cmocka_unit_test(motion_begins_in_equilibrium),
      cmocka_unit_test(statistics_and_info_agree),
      cmocka_unit_test(set_loads_are_eased_in),
      cmocka_unit_test(a_release_is_eased_out),
      cmocka_unit_test(snapshots_continue_bit_for_bit),
      cmocka_unit_test(questions_change_nothing),
      cmocka_unit_test(modes_are_scaled_and_in_planes),
      cmocka_unit_test(columns_buckle_in_pairs),
      cmocka_unit_test(modes_ask_for_balance),
      cmocka_unit_test(settling_in_vain_changes_nothing),
      cmocka_unit_test(snapshots_belong_to_one_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
