/* SPDX-License-Identifier: MIT */
/* The public interface as an embedding program uses it: stepping, sampling, changing loads and ends between steps,
   several rods, snapshots, and no allocation after creation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/allocations.h"
#include "support/rods.h"

static const double gravity[3] = {0, 0, -9.81};

static wy_solver_def solver_with(const char *integrator, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return solver;
}

static wy_load_def end_load(void) {
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  return load;
}

static void nothing_is_allocated_after_creation(void **state) {
  (void)state;
#ifdef COUNTS_ALLOCATIONS
  for (int m = 0; ode_integrator(m); m++)
    for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
      wy_rod_def rod = rubber_rod(10);
      rod.ends[0] = wy_end_clamped();
      wy_load_def load = end_load();
      wy_solver_def solver = solver_with(ode_integrator(m), 1e-4);
      solver.staggered.coordinates = (wy_coordinates)form;
      test_sim made = make_sim(&rod, &load, 1, &solver, gravity);
      wy_message message;
      static const double force[3] = {0, 0.01, 0}, moment[3] = {0}, place[3] = {0, 0, 0.01};
      long before = allocations;
      for (int i = 0; i < 20; i++)
        must(wy_sim_step(made.sim, &message), &message);
      must(wy_sim_advance(made.sim, wy_sim_time(made.sim) + 0.01, &message), &message);
      must(wy_sim_set_load(made.sim, 0, force, moment, &message), &message);
      must(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.position = place}, 0.1, &message), &message);
      must(wy_sim_sample(made.sim, wy_sim_time(made.sim) + 0.05, &message), &message);
      read_save_and_restore(made.sim);
      assert_int_equal(allocations - before, 0);
      free_sim(&made);
    }
#else
  skip();
#endif
}

/* A snapshot at an arbitrary moment continues bit for bit, in the same simulation and in a new one made from the same
 * definitions. */
static void snapshots_continue_bit_for_bit(void **state) {
  (void)state;
  for (int m = 0; ode_integrator(m); m++)
    for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
      wy_rod_def rod = rubber_rod(12);
      rod.ends[0] = wy_end_clamped();
      rod.ends[0].release = 0.21;
      wy_load_def load = end_load();
      wy_solver_def solver = solver_with(ode_integrator(m), 1e-4);
      solver.staggered.coordinates = (wy_coordinates)form;
      test_sim first = make_sim(&rod, &load, 1, &solver, gravity), second = make_sim(&rod, &load, 1, &solver, gravity);
      wy_message message;
      static const double force[3] = {0.05, 0, 0}, moment[3] = {0, 1e-3, 0}, place[3] = {0, 0, 0.02};
      must(wy_sim_advance(first.sim, 0.05, &message), &message);
      must(wy_sim_set_load(first.sim, 0, force, moment, &message), &message);
      must(wy_sim_move_end(first.sim, 0, WY_START, &(wy_pose){.position = place}, 0.1, &message), &message);
      must(wy_sim_sample(first.sim, 0.12, &message), &message);
      size_t size = wy_sim_save_size(first.sim);
      void *snapshot = malloc(size);
      must(wy_sim_save(first.sim, snapshot, size, &message), &message);
      must(wy_sim_restore(second.sim, snapshot, size, &message), &message);
      for (double t = 0.13; t < 0.3; t += 0.013) {
        must(wy_sim_sample(first.sim, t, &message), &message);
        must(wy_sim_sample(second.sim, t, &message), &message);
        const wy_view *a = wy_sim_view(first.sim, 0), *b = wy_sim_view(second.sim, 0);
        assert_memory_equal(a->position.values, b->position.values, sizeof(double) * 3 * 13);
        assert_memory_equal(a->moment.values, b->moment.values, sizeof(double) * 3 * (size_t)a->moment.count);
        wy_energy e = wy_sim_energy(first.sim, 0), f = wy_sim_energy(second.sim, 0);
        assert_memory_equal(&e, &f, sizeof e);
      }
      assert_int_equal(wy_sim_statistics(first.sim, 0).rhs, wy_sim_statistics(second.sim, 0).rhs);
      free(snapshot);
      free_sim(&first);
      free_sim(&second);
    }
}

/* Sampling often does not change the steps; advancing to many times agrees within the tolerance. */
static void sampling_leaves_the_steps_alone(void **state) {
  (void)state;
  wy_rod_def rod = rubber_rod(8);
  wy_solver_def solver = solver_with("radau5", 1e-7);
  test_sim often = make_sim(&rod, NULL, 0, &solver, gravity), once = make_sim(&rod, NULL, 0, &solver, gravity),
           exact = make_sim(&rod, NULL, 0, &solver, gravity);
  wy_message message;
  for (int k = 1; k <= 100; k++) {
    must(wy_sim_sample(often.sim, 0.005 * k, &message), &message);
    must(wy_sim_advance(exact.sim, 0.005 * k, &message), &message);
  }
  must(wy_sim_sample(once.sim, 0.5, &message), &message);
  assert_int_equal(wy_sim_statistics(often.sim, 0).steps, wy_sim_statistics(once.sim, 0).steps);
  double a[4], b[4], c[4];
  wy_sim_probe(often.sim, WY_POSITION, 0, 1, a, NULL);
  wy_sim_probe(once.sim, WY_POSITION, 0, 1, b, NULL);
  wy_sim_probe(exact.sim, WY_POSITION, 0, 1, c, NULL);
  assert_memory_equal(a, b, 3 * sizeof(double));
  for (int k = 0; k < 3; k++)
    check_close(c[k], a[k], 1e-5);
  free_sim(&often);
  free_sim(&once);
  free_sim(&exact);
}

static void changes_need_the_rod_at_the_time_shown(void **state) {
  (void)state;
  wy_rod_def rod = rubber_rod(8);
  wy_load_def load = end_load();
  wy_solver_def solver = solver_with("radau5", 1e-4);
  test_sim made = make_sim(&rod, &load, 1, &solver, gravity);
  wy_message message;
  static const double zero[3] = {0}, bad[3] = {0, NAN, 0};
  must(wy_sim_sample(made.sim, 1e-3, &message), &message);
  assert_int_equal(wy_sim_set_load(made.sim, 0, zero, zero, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "wy_sim_advance"));
  assert_int_equal(wy_sim_advance(made.sim, 1e-3, &message), WY_ERROR_INPUT);
  must(wy_sim_advance(made.sim, 0.1, &message), &message);
  must(wy_sim_set_load(made.sim, 0, zero, zero, &message), &message);
  assert_int_equal(wy_sim_set_load(made.sim, 0, bad, zero, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_set_load(made.sim, 1, zero, zero, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_move_end(made.sim, 0, WY_END, &(wy_pose){.position = zero}, 1, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_advance(made.sim, 0.05, &message), WY_ERROR_INPUT);
  free_sim(&made);
}

/* A set load acts like the same load in the model; a moved end arrives where and when it was told, with continuous
 * velocity. */
static void loads_and_ends_do_as_told(void **state) {
  (void)state;
  wy_rod_def rod = rubber_rod(8);
  rod.ends[0] = wy_end_clamped();
  wy_solver_def solver = solver_with("radau5", 1e-9);
  static const double force[3] = {0.02, 0.01, 0}, moment[3] = {0, 0, 2e-4};
  wy_load_def load = end_load(), fixed = end_load();
  for (int k = 0; k < 3; k++)
    fixed.force[k] = wy_constant(force[k]), fixed.moment[k] = wy_constant(moment[k]);
  test_sim a = make_sim(&rod, &load, 1, &solver, gravity), b = make_sim(&rod, &fixed, 1, &solver, gravity);
  wy_message message;
  must(wy_sim_set_load(a.sim, 0, force, moment, &message), &message);
  must(wy_sim_advance(a.sim, 0.2, &message), &message);
  must(wy_sim_advance(b.sim, 0.2, &message), &message);
  double tip_a[4], tip_b[4];
  wy_sim_probe(a.sim, WY_POSITION, 0, 1, tip_a, NULL);
  wy_sim_probe(b.sim, WY_POSITION, 0, 1, tip_b, NULL);
  for (int k = 0; k < 3; k++)
    check_close(tip_a[k], tip_b[k], 1e-7);

  static const double place[3] = {0.1, -0.05, 0.2}, velocity[3] = {0, 0.3, 0}, spin[3] = {0, 0, 1.5};
  double frame[4] = {cos(0.4), 0, sin(0.4), 0};
  wy_pose target = {.position = place, .frame = frame, .velocity = velocity, .angular_velocity = spin};
  must(wy_sim_move_end(a.sim, 0, WY_START, &target, 0.25, &message), &message);
  double x[4], v[4], q[4];
  wy_sim_probe(a.sim, WY_VELOCITY, 0, 0, v, NULL);
  for (int k = 0; k < 3; k++)
    check_close(v[k], 0, 1e-12);
  must(wy_sim_advance(a.sim, 0.45, &message), &message);
  wy_sim_probe(a.sim, WY_POSITION, 0, 0, x, NULL);
  wy_sim_probe(a.sim, WY_VELOCITY, 0, 0, v, NULL);
  wy_sim_probe(a.sim, WY_ROTATION, 0, 0, q, NULL);
  double same = 0;
  for (int k = 0; k < 4; k++)
    same += q[k] * frame[k];
  check_close(fabs(same), 1, 1e-12);
  for (int k = 0; k < 3; k++) {
    check_close(x[k], place[k], 1e-12);
    check_close(v[k], velocity[k], 1e-12);
  }
  /* The books stay balanced through all this: what the load and the moving support put in is in the rod or dissipated.
   */
  wy_energy energy = wy_sim_energy(a.sim, 0);
  test_sim fresh = make_sim(&rod, &load, 1, &solver, gravity);
  double start = wy_sim_energy(fresh.sim, 0).total;
  check_close(energy.total - start, energy.work - energy.dissipated,
              1e-7 * fmax(energy.kinetic, energy.elastic) + 1e-9);
  free_sim(&fresh);
  free_sim(&a);
  free_sim(&b);
}

/* Restoring a snapshot forgets all work done after it. */
static void a_restore_takes_back_the_work(void **state) {
  (void)state;
  wy_rod_def rod = rubber_rod(6);
  rod.damping.kind = WY_UNDAMPED;
  rod.ends[0] = wy_end_clamped();
  wy_solver_def solver = solver_with("radau5", 1e-6);
  test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
  wy_message message;
  static const double place[3] = {0, 0, 0.1};
  size_t size = wy_sim_save_size(made.sim);
  void *snapshot = malloc(size);
  must(wy_sim_advance(made.sim, 0.05, &message), &message);
  must(wy_sim_save(made.sim, snapshot, size, &message), &message);
  must(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.position = place}, 0.1, &message), &message);
  must(wy_sim_advance(made.sim, 0.15, &message), &message);
  check_above(fabs(wy_sim_energy(made.sim, 0).work), 1e-3);
  must(wy_sim_restore(made.sim, snapshot, size, &message), &message);
  must(wy_sim_advance(made.sim, 0.2, &message), &message);
  assert_true(wy_sim_energy(made.sim, 0).work == 0);
  free(snapshot);
  free_sim(&made);
}

/* A load that turns NaN: the run ends there, and what is shown is the last good state, not an extrapolation. */
static void after_a_failure_the_last_good_state_is_shown(void **state) {
  (void)state;
  for (int m = 0; ode_integrator(m); m++) {
    wy_rod_def rod = rubber_rod(6);
    wy_load_def load = end_load();
    load.force[2] = turns_nan();
    wy_solver_def solver = solver_with(ode_integrator(m), 1e-6);
    test_sim made = make_sim(&rod, &load, 1, &solver, gravity);
    wy_message message = {0};
    must(wy_sim_sample(made.sim, 0.1, &message), &message);
    assert_int_equal(wy_sim_sample(made.sim, 1, &message), WY_ERROR_SOLVER);
    assert_non_null(strstr(message.text, "pendulum"));
    assert_non_null(strstr(message.text, "not finite"));
    check_close(wy_sim_time(made.sim), 0.5, 1e-6);
    wy_energy energy = wy_sim_energy(made.sim, 0);
    check_above(energy.kinetic, 0);
    check_below(energy.kinetic, 1);
    double tip[4];
    must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, &message), &message);
    check_close(tip[1] * tip[1] + tip[2] * tip[2], 1, 0.2);
    free_sim(&made);
  }
}

/* What is not moved goes on as before; after the motion the end goes on with the velocity it was given, turning too. */
static void climb(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t, jet[1] = 1, jet[2] = 0;
}

static void a_moved_end_goes_on(void **state) {
  (void)state;
  wy_rod_def rod = rubber_rod(6);
  rod.ends[0] = wy_end_clamped();
  rod.ends[0].position[1] = WY_DRIVEN;
  rod.ends[0].path[1] = (wy_signal){0, climb, NULL, 0};
  wy_solver_def solver = solver_with("radau5", 1e-6);
  test_sim made = make_sim(&rod, NULL, 0, &solver, NULL);
  wy_message message;
  double frame[4] = {cos(0.25), sin(0.25), 0, 0}, spin[3] = {0, 0, 1}, x[4], q[4], d3[4];
  must(wy_sim_advance(made.sim, 0.1, &message), &message);
  wy_pose target = {.frame = frame, .angular_velocity = spin};
  must(wy_sim_move_end(made.sim, 0, WY_START, &target, 0.1, &message), &message);
  must(wy_sim_advance(made.sim, 0.2, &message), &message);
  wy_sim_probe(made.sim, WY_ROTATION, 0, 0, q, NULL);
  wy_sim_probe(made.sim, WY_POSITION, 0, 0, x, NULL);
  check_close(x[1], 0.2, 1e-12);
  check_close(fabs(q[0] * frame[0] + q[1] * frame[1] + q[2] * frame[2] + q[3] * frame[3]), 1, 1e-12);
  must(wy_sim_advance(made.sim, 0.2 + 1.5, &message), &message);
  wy_sim_probe(made.sim, WY_POSITION, 0, 0, x, NULL);
  check_close(x[1], 1.7, 1e-12);
  /* d3 has turned by 1.5 rad about the z axis of space. */
  double start[3] = {2 * (frame[1] * frame[3] + frame[0] * frame[2]), 2 * (frame[2] * frame[3] - frame[0] * frame[1]),
                     1 - 2 * (frame[1] * frame[1] + frame[2] * frame[2])};
  wy_sim_probe(made.sim, WY_DIRECTOR3, 0, 0, d3, NULL);
  check_close(d3[0], cos(1.5) * start[0] - sin(1.5) * start[1], 1e-12);
  check_close(d3[1], sin(1.5) * start[0] + cos(1.5) * start[1], 1e-12);
  check_close(d3[2], start[2], 1e-12);

  double zero[4] = {0}, bad[3] = {0, NAN, 0};
  assert_int_equal(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.frame = zero}, 1, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.position = bad}, 1, &message), WY_ERROR_INPUT);
  assert_int_equal(
      wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.position = x, .angular_velocity = spin}, 1, &message),
      WY_ERROR_INPUT);
  free_sim(&made);
}

/* NULL, NULL gives a load back to the model. */
static void a_load_can_be_given_back(void **state) {
  (void)state;
  wy_rod_def rod = rubber_rod(6);
  wy_load_def load = end_load();
  load.force[0] = wy_constant(0.01);
  wy_solver_def solver = solver_with("dopri5", 1e-6);
  test_sim a = make_sim(&rod, &load, 1, &solver, NULL), b = make_sim(&rod, &load, 1, &solver, NULL);
  wy_message message;
  static const double force[3] = {9, 9, 9};
  must(wy_sim_set_load(a.sim, 0, force, NULL, &message), &message);
  must(wy_sim_set_load(a.sim, 0, NULL, NULL, &message), &message);
  must(wy_sim_advance(a.sim, 0.05, &message), &message);
  must(wy_sim_advance(b.sim, 0.05, &message), &message);
  double x[4], y[4];
  wy_sim_probe(a.sim, WY_POSITION, 0, 1, x, NULL);
  wy_sim_probe(b.sim, WY_POSITION, 0, 1, y, NULL);
  for (int k = 0; k < 3; k++)
    check_close(x[k], y[k], 1e-9);
  assert_int_equal(wy_sim_probe(a.sim, WY_POSITION, 0, 1.5, x, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_advance(a.sim, INFINITY, &message), WY_ERROR_INPUT);
  free_sim(&a);
  free_sim(&b);
}

/* Two rods in one simulation move as each does alone. */
static void rods_do_not_disturb_each_other(void **state) {
  (void)state;
  wy_rod_def rods[2] = {rubber_rod(6), steel_rod(9)};
  rods[0].name = "a", rods[1].name = "b";
  wy_model_def def = wy_default_model_def();
  def.rods = rods, def.rod_count = 2;
  memcpy(def.gravity, gravity, sizeof gravity);
  wy_sim_def sim_def = wy_default_sim_def();
  wy_solver_def solvers[2] = {solver_with("radau5", 1e-5), solver_with("radau5", 1e-4)};
  sim_def.rod_solvers = solvers;
  wy_model *model;
  wy_sim *both;
  wy_message message;
  must(wy_model_create(&def, &model, &message), &message);
  must(wy_sim_create(model, &sim_def, &both, &message), &message);
  must(wy_sim_sample(both, 0.3, &message), &message);
  double energy = 0;
  for (int i = 0; i < 2; i++) {
    test_sim alone = make_sim(&rods[i], NULL, 0, &solvers[i], gravity);
    must(wy_sim_sample(alone.sim, 0.3, &message), &message);
    double a[4], b[4];
    wy_sim_probe(both, WY_POSITION, i, 1, a, NULL);
    wy_sim_probe(alone.sim, WY_POSITION, 0, 1, b, NULL);
    assert_memory_equal(a, b, 3 * sizeof(double));
    energy += wy_sim_energy(alone.sim, 0).total;
    free_sim(&alone);
  }
  check_close(wy_sim_energy(both, WY_ALL_RODS).total, energy, 1e-14);
  wy_sim_destroy(both);
  wy_model_destroy(model);
}

/* Definitions that were never initialised, or are wrong, are refused with the place named. */
static void wrong_definitions_are_named(void **state) {
  (void)state;
  wy_model *model;
  wy_sim *sim;
  wy_message message = {0};
  wy_rod_def rod = rubber_rod(10);
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  rod.section.radius = wy_constant(-1);
  assert_int_equal(wy_model_create(&def, &model, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "rods[0].section.radius");
  assert_null(model);
  rod = (wy_rod_def){0};
  assert_int_equal(wy_model_create(&def, &model, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "rods[0]");
  rod = rubber_rod(10);
  rod.section.radius = wy_constant(1e-90); /* its second moment underflows */
  assert_int_equal(wy_model_create(&def, &model, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "rods[0].section");
  rod = rubber_rod(10);
  must(wy_model_create(&def, &model, &message), &message);
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver.scheme = "magic";
  assert_int_equal(wy_sim_create(model, &sim_def, &sim, &message), WY_ERROR_SUPPORT);
  assert_non_null(strstr(message.text, "staggered"));
  sim_def.solver.scheme = "staggered";
  sim_def.solver.integrator = "magic";
  assert_int_equal(wy_sim_create(model, &sim_def, &sim, &message), WY_ERROR_SUPPORT);
  sim_def.solver.staggered.curvature_measure = (wy_curvature_measure)9;
  assert_int_equal(wy_sim_create(model, &sim_def, &sim, &message), WY_ERROR_INPUT);
  sim_def.solver.relative_tolerance = 0;
  assert_int_equal(wy_sim_create(model, &sim_def, &sim, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "solver.tolerance");
  wy_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_allocated_after_creation),
                                     cmocka_unit_test(snapshots_continue_bit_for_bit),
                                     cmocka_unit_test(sampling_leaves_the_steps_alone),
                                     cmocka_unit_test(changes_need_the_rod_at_the_time_shown),
                                     cmocka_unit_test(loads_and_ends_do_as_told),
                                     cmocka_unit_test(a_restore_takes_back_the_work),
                                     cmocka_unit_test(after_a_failure_the_last_good_state_is_shown),
                                     cmocka_unit_test(a_moved_end_goes_on),
                                     cmocka_unit_test(a_load_can_be_given_back),
                                     cmocka_unit_test(rods_do_not_disturb_each_other),
                                     cmocka_unit_test(wrong_definitions_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
