/* SPDX-License-Identifier: MIT */
/* Integrations that cannot go on: the message names rod, integrator, time, step, the place on the rod, a likely cause
   and what to try; the last good state is there to be read and saved. For every integrator and model: a load that is no
   number, a load that grows without bound (steps shrink to nothing), equations of a step that have no solution. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/moving.h"
#include "support/toy.h"
#include "withy/sundials.h"

static const double gravity[3] = {0, 0, -9.81};
static const char *const kinds[] = {"cosserat", "kirchhoff", "inextensible"};

/* Fails unless the message has all parts, of which the last is NULL. */
static void must_say(const char *who, const wy_message *message, const char *const *parts) {
  for (int i = 0; parts[i]; i++)
    if (!strstr(message->text, parts[i]))
      fail_msg("%s: no '%s' in: %s", who, parts[i], message->text);
}

/* Everything can be read, and is finite. */
static void must_be_readable(const test_sim *made, const char *who) {
  const wy_view *view = wy_sim_view(made->sim, 0);
  double sum = 0;
  for (int i = 0; i < 3 * view->position.count; i++)
    sum += view->position.values[i] + view->velocity.values[i];
  wy_energy energy = wy_sim_energy(made->sim, 0);
  if (!isfinite(sum + energy.total + energy.work + energy.dissipated))
    fail_msg("%s: the last state is not finite", who);
  read_save_and_restore(made->sim);
}

/* To the failure; returns the time shown then. */
static double run_to_failure(const test_sim *made, const char *who, wy_message *message) {
  must(wy_sim_sample(made->sim, 0.25, message), message);
  assert_int_equal(wy_sim_sample(made->sim, 1, message), WY_ERROR_SOLVER);
  must_be_readable(made, who);
  return wy_sim_time(made->sim);
}

static wy_rod_def soft_rod(wy_rod_kind kind) {
  wy_rod_def rod = rubber_rod(8);
  rod.kind = kind;
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

static wy_load_def tip_load(int component, wy_signal signal) {
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  load.force[component] = signal;
  return load;
}

static wy_solver_def solver_for(const wy_integrator_type *type) {
  wy_solver_def solver = wy_default_solver_def();
  solver.more = wy_sundials();
  solver.integrator = type->info->name;
  solver.largest_step = 0.1;
  return solver;
}

typedef void message_check(const char *who, const char *integrator, const wy_message *message);

/* Every integrator and model under a load that no run survives beyond t_last. */
static void fail_by_load(wy_load_def load, double t_last, message_check *check) {
  for (int m = 0; adaptive_method(m); m++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      char who[64];
      wy_message message = {0};
      wy_rod_def rod = soft_rod((wy_rod_kind)kind);
      wy_solver_def solver = solver_for(adaptive_method(m));
      snprintf(who, sizeof who, "%s, %s", solver.integrator, kinds[kind]);
      test_sim made = make_sim(&rod, &load, 1, &solver, gravity);
      double t = run_to_failure(&made, who, &message);
      check_close(t, t_last, 1e-3);
      check(who, solver.integrator, &message);
      free_sim(&made);
    }
}

/* ---- Not a number ---- */

static void must_name_the_load(const char *who, const char *integrator, const wy_message *message) {
  must_say(who, message,
           (const char *const[]){"rod 'pendulum'", integrator, "t = 0.", "(step ", "loads[0].force[1]", "not finite",
                                 "s = 1", "check its expression", NULL});
}

static void a_load_that_is_no_number(void **state) {
  (void)state;
  fail_by_load(tip_load(1, turns_nan()), 0.5, must_name_the_load);
}

static void nan_motion(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = jet[1] = 0, jet[2] = t > 0.5 ? (double)NAN : 0;
}

/* Of loads along the rod the place is named; of a driven end that it is one, also where only a derivative is bad; and
   of an actuator its number. */
static void whatever_is_no_number_is_named(void **state) {
  (void)state;
  wy_message message = {0};
  wy_solver_def solver = wy_default_solver_def();
  wy_load_def loads[2] = {tip_load(0, wy_constant(0)), wy_default_load_def()};
  wy_rod_def rod = soft_rod(WY_COSSERAT);
  loads[1].place = WY_ALONG, loads[1].from = 0.25, loads[1].to = 0.5;
  loads[1].moment[2] = turns_nan();
  test_sim made = make_sim(&rod, loads, 2, &solver, NULL);
  run_to_failure(&made, "along", &message);
  must_say("along", &message, (const char *const[]){"loads[1].moment[2]", "s = 0.25", NULL});
  free_sim(&made);

  rod.ends[WY_START].position[2] = WY_DRIVEN;
  rod.ends[WY_START].path[2] = (wy_signal){0, nan_motion, NULL, WY_TIME};
  made = make_sim(&rod, NULL, 0, &solver, gravity);
  run_to_failure(&made, "end", &message);
  must_say("end", &message, (const char *const[]){"drives the start (position)", "derivatives", "not finite", NULL});
  free_sim(&made);

  example e = example_of(wy_scene_arm(6, WY_ARM_AT_REST));
  actuator_pair(e.actuators);
  e.actuator_count = ACTUATOR_PAIR;
  e.actuators[1].force = turns_nan();
  made = simulate(&e, &solver);
  run_to_failure(&made, "actuator", &message);
  must_say("actuator", &message, (const char *const[]){"actuators[1]", "not finite", NULL});
  free_sim(&made);
  free_example(&e);
}

/* ---- Steps that shrink to nothing ---- */

static void unbounded(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  double left = 0.55 - t;
  jet[0] = 1e-3 / (left * left), jet[1] = 2 * jet[0] / left, jet[2] = 3 * jet[1] / left;
}

static void must_name_place_cause_and_remedy(const char *who, const char *integrator, const wy_message *message) {
  must_say(who, message,
           (const char *const[]){"rod 'pendulum'", integrator, "t = 0.5", "(step ", "segment", " (s = ", NULL});
  if (!strstr(message->text, "check loads") && !strstr(message->text, "check that loads") &&
      !strstr(message->text, "use more segments"))
    fail_msg("%s: no remedy in: %s", who, message->text);
  if (!strstr(message->text, "however short the step") && !strstr(message->text, "without bound"))
    fail_msg("%s: no cause in: %s", who, message->text);
}

static void a_load_without_bound(void **state) {
  (void)state;
  fail_by_load(tip_load(0, (wy_signal){0, unbounded, NULL, WY_TIME}), 0.55, must_name_place_cause_and_remedy);
}

/* A strut whose law does not let it be crushed, with a force that grows e times in 50 ms. */
static void growing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = -exp(20 * t), jet[1] = 20 * jet[0], jet[2] = 20 * jet[1];
}

/* It has no inertia to speak of that would save it: the run ends, or goes on with a rod that is not shorter than
   nothing. Not one method may return a state that the law does not know. */
static void a_crushed_strut(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    wy_message message = {0};
    wy_rod_def rod = soft_rod(WY_COSSERAT);
    wy_load_def load = tip_load(1, (wy_signal){0, growing, NULL, WY_TIME});
    wy_solver_def solver = solver_for(adaptive_method(m));
    rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .bending = 0.01, .compression = true};
    rod.ends[WY_END] = wy_end_clamped();
    rod.ends[WY_END].position[1] = WY_FREE;
    test_sim made = make_sim(&rod, &load, 1, &solver, NULL);
    wy_status status = wy_sim_sample(made.sim, 0.5, &message);
    const wy_view *view = wy_sim_view(made.sim, 0);
    for (int i = 0; i < view->strain.count; i++)
      check_above(view->strain.values[3 * i + 2], -1);
    must_be_readable(&made, solver.integrator);
    if (status)
      must_say(solver.integrator, &message, (const char *const[]){"rod 'pendulum'", solver.integrator, "s = ", NULL});
    free_sim(&made);
  }
}

/* ---- Equations without a solution ---- */

/* Fixed steps much longer than the motion, of a rod that falls on its clamp: too long even in pieces. */
static void a_step_that_is_far_too_long(void **state) {
  static const char *const methods[] = {"midpoint", "gauss4", "gauss6"};
  (void)state;
  for (int m = 0; m < 3; m++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      char who[64];
      wy_message message = {0};
      wy_rod_def rod = soft_rod((wy_rod_kind)kind);
      wy_solver_def solver = wy_default_solver_def();
      solver.integrator = methods[m];
      solver.first_step = 1e4;
      snprintf(who, sizeof who, "%s, %s", methods[m], kinds[kind]);
      test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
      wy_status status = WY_OK;
      for (int k = 1; k <= 50 && !status; k++)
        status = wy_sim_advance(made.sim, 1e4 * k, &message);
      if (status != WY_ERROR_SOLVER)
        fail_msg("%s: steps of %g went well", who, solver.first_step);
      must_be_readable(&made, who);
      must_say(who, &message,
               (const char *const[]){"rod 'pendulum'", methods[m], "t = ", "Newton's method does not converge",
                                     "the step 1e+04 is too long for this rod", "try solver.step", NULL});
      free_sim(&made);
    }
}

static void late_and_fast(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t < 50 ? 0 : 0.01 * sin(200 * t), jet[1] = t < 50 ? 0 : 2 * cos(200 * t), jet[2] = 0;
}

/* What is proposed instead is the step that would have been chosen for this run, up to its end. */
static void the_step_proposed_is_the_one_chosen(void **state) {
  (void)state;
  wy_message message = {0};
  wy_rod_def rod = soft_rod(WY_COSSERAT);
  wy_load_def load = tip_load(1, (wy_signal){0, late_and_fast, NULL, WY_TIME});
  wy_model_def model = wy_default_model_def();
  wy_sim_def def = wy_default_sim_def();
  test_sim made = {NULL, NULL};
  char want[64];
  model.rods = &rod, model.rod_count = 1, model.loads = &load, model.load_count = 1;
  memcpy(model.gravity, gravity, sizeof model.gravity);
  def.solver.integrator = "gauss4", def.solver.first_step = def.end = 100;
  must(wy_model_create(&model, &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  assert_int_equal(wy_sim_advance(made.sim, 100, &message), WY_ERROR_SOLVER);
  const double chosen = wy_method_default_step(made.model, 0, 100);
  check_below(chosen, 0.5 * wy_method_default_step(made.model, 0, INFINITY));
  snprintf(want, sizeof want, "try solver.step %.2g or less", chosen);
  must_say("gauss4", &message, (const char *const[]){"the step 100 is too long", want, NULL});
  free_sim(&made);
}

/* The same with the steps of other schemes. */
static void a_step_of_other_schemes_that_is_too_long(void **state) {
  (void)state;
  for (int scheme = 0; scheme < 3; scheme++) {
    wy_message message = {0};
    example e = falling_cantilever(8);
    wy_solver_def solver = scheme == 0   ? mixed_solver(1, 1e4)
                           : scheme == 1 ? box_solver(1e4)
                                         : conserving_solver(2, "discrete_gradient", 1e4);
    if (scheme == 2) {
      e.rod = soft_rod(WY_COSSERAT), e.rod.damping.kind = WY_UNDAMPED, e.rod.segments = 9;
      memcpy(e.gravity, gravity, sizeof e.gravity);
    }
    solver.newton.iterations = 4;
    test_sim made = start_moving(&e, &solver);
    wy_status status = WY_OK;
    for (int k = 1; k <= 20 && !status; k++)
      status = wy_sim_advance(made.sim, 1e4 * k, &message);
    if (status != WY_ERROR_SOLVER)
      fail_msg("%s: steps of %g went well", solver.scheme, solver.first_step);
    must_be_readable(&made, solver.scheme);
    must_say(solver.scheme, &message,
             (const char *const[]){e.rod.name, "t = ", "Newton's method does not converge",
                                   "the step 1e+04 is too long", "try solver.step", NULL});
    free_sim(&made);
    free_example(&e);
  }
}

/* A Jacobian that knows nothing of what begins at t = 0.5: Newton's method cannot converge with any step. */
static void hidden_rhs(double t, const double *u, double *f) {
  f[0] = t > 0.5 ? 1e30 * (0.5 - t - u[0]) : 0;
}

static void hidden_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = 0;
}

static void newton_without_an_end(void **state) {
  const toy_problem problem = {1, hidden_rhs, hidden_jacobian, {0}, NULL};
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    toy made;
    wy_message message = {0};
    const char *name = adaptive_method(m)->info->name;
    toy_create_with(&made, &problem, adaptive_method(m), &(toy_options){.tolerance = 1e-6, .largest_step = 0.1});
    assert_int_equal(wy_drive_to(&made.integrator, 1, 1, &message), WY_ERROR_SOLVER);
    must_say(name, &message,
             (const char *const[]){"rod 'toy'", name, "t = 0.5", "however short the step", "; try ",
                                   "another integrator", NULL});
    if (strcmp(name, "radau5") == 0 && !strstr(message.text, "Newton"))
      fail_msg("%s", message.text);
    check_below(fabs(made.integrator.u[0]), 1e-3);
    toy_destroy(&made);
  }
}

/* An inextensible rod whose end is driven away farther than it is long. */
static void pull(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)wrt, (void)s;
  double start = *(const double *)context, away = start > 0 ? 1 : -1;
  jet[0] = start + away * t * t, jet[1] = 2 * away * t, jet[2] = 2 * away;
}

static void a_rope_that_is_too_short(void **state) {
  (void)state;
  for (int m = 0; adaptive_method(m); m++) {
    wy_message message = {0};
    wy_rod_def rod = soft_rod(WY_INEXTENSIBLE);
    wy_solver_def solver = solver_for(adaptive_method(m));
    /* A half circle, whose ends are 2/pi apart. */
    static const double across = 2 / 3.14159265358979323846;
    rod.shape.curvature[0] = wy_constant(3.14159265358979323846);
    rod.ends[WY_START] = wy_end_pinned();
    rod.ends[WY_END] = wy_end_pinned();
    wy_model_def model = wy_default_model_def();
    model.rods = &rod, model.rod_count = 1;
    wy_model *made_model = NULL;
    double end[3], frame[4];
    must(wy_model_create(&model, &made_model, &message), &message);
    wy_model_reference(made_model, 0, rod.length, end, frame);
    wy_model_destroy(made_model);
    double norm = sqrt(end[0] * end[0] + end[1] * end[1] + end[2] * end[2]);
    check_close(norm, across, 1e-6);
    int along = fabs(end[0]) > 0.9 * norm ? 0 : fabs(end[1]) > 0.9 * norm ? 1 : 2;
    check_above(fabs(end[along]), 0.9 * norm);
    rod.ends[WY_END].position[along] = WY_DRIVEN;
    rod.ends[WY_END].path[along] = (wy_signal){0, pull, &end[along], WY_TIME};
    test_sim made = make_sim(&rod, NULL, 0, &solver, NULL);
    assert_int_equal(wy_sim_sample(made.sim, 1, &message), WY_ERROR_SOLVER);
    must_be_readable(&made, solver.integrator);
    check_below(wy_sim_time(made.sim), sqrt(1 - across) + 1e-6);
    must_say(solver.integrator, &message,
             (const char *const[]){"rod 'pendulum'", solver.integrator, "straight between its held ends",
                                   "use the model kirchhoff", NULL});
    free_sim(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_load_that_is_no_number),
                                     cmocka_unit_test(whatever_is_no_number_is_named),
                                     cmocka_unit_test(a_load_without_bound),
                                     cmocka_unit_test(a_crushed_strut),
                                     cmocka_unit_test(a_step_that_is_far_too_long),
                                     cmocka_unit_test(a_step_of_other_schemes_that_is_too_long),
                                     cmocka_unit_test(the_step_proposed_is_the_one_chosen),
                                     cmocka_unit_test(newton_without_an_end),
                                     cmocka_unit_test(a_rope_that_is_too_short)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
