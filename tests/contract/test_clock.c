/* SPDX-License-Identifier: MIT */
/* Steps that lead nowhere: refused where a simulation is made, and where the clock comes to stand still in a run it
   ends with a message, for all schemes and integrators. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sim/sim.h"
#include "support/rods.h"
#include "withy/sundials.h"

static wy_rod_def rod_for(const char *scheme) {
  wy_rod_def rod = rubber_rod(4);
  rod.ends[0] = wy_end_clamped();
  rod.kind = strcmp(scheme, "box") == 0 ? WY_INEXTENSIBLE : WY_COSSERAT;
  if (strcmp(scheme, "conserving") == 0)
    rod.damping.kind = WY_UNDAMPED;
  return rod;
}

static wy_model *model_for(const char *scheme) {
  wy_rod_def rod = rod_for(scheme);
  wy_model_def def = wy_default_model_def();
  wy_model *model = NULL;
  wy_message message = {0};
  def.rods = &rod, def.rod_count = 1;
  def.gravity[2] = -9.81;
  must(wy_model_create(&def, &model, &message), &message);
  return model;
}

typedef void pair_check(const wy_model *model, const wy_sim_def *def);

/* Every scheme with every integrator that goes with it. */
static void for_all_pairs(pair_check *check, int least) {
  int pairs = 0;
  for (int s = 0; wy_scheme_name(s); s++) {
    wy_model *model = model_for(wy_scheme_name(s));
    for (int i = 0; wy_integrator_name(wy_sundials(), i); i++) {
      wy_sim_def def = wy_default_sim_def();
      def.solver.scheme = wy_scheme_name(s);
      def.solver.more = wy_sundials();
      def.solver.integrator = wy_integrator_name(wy_sundials(), i);
      if (wy_method_possible(&def.solver, wy_model_rod(model, 0)->kind, NULL))
        continue;
      pairs++;
      check(model, &def);
    }
    wy_model_destroy(model);
  }
  check_at_least(pairs, least);
}

static void must_refuse(const wy_model *model, const wy_sim_def *def, const char *path, const char *text) {
  wy_message message = {0};
  wy_sim *sim = NULL;
  wy_status status = wy_sim_create(model, def, &sim, &message);
  if (status != WY_ERROR_INPUT || strcmp(message.path, path) != 0 || !strstr(message.text, text))
    fail_msg("%s, %s: status %d: %s: %s", def->solver.scheme, def->solver.integrator, (int)status, message.path,
             message.text);
}

static void must_accept(const wy_model *model, const wy_sim_def *def) {
  wy_message message = {0};
  wy_sim *sim = NULL;
  must(wy_sim_create(model, def, &sim, &message), &message);
  wy_sim_destroy(sim);
}

static void refuse_short_steps(const wy_model *model, const wy_sim_def *usual) {
  static const double ends[] = {INFINITY, 1};
  for (int i = 0; i < 2; i++) {
    wy_sim_def def = *usual;
    def.end = ends[i];
    const char *until = i ? "until the end" : "one period of the rod";
    def.solver.first_step = 1e-300;
    must_refuse(model, &def, "solver.step", until);
    def.solver.first_step = 0, def.solver.largest_step = 1e-300;
    must_refuse(model, &def, "solver", until);
  }
  /* On both sides of the limits. */
  wy_sim_def def = *usual;
  def.end = 3;
  const bool fixed = wy_method_has_fixed_step(&def.solver);
  const double period = wy_model_period(model, 0), tick = 256 * DBL_EPSILON;
  const double until_end = fixed ? 3e-10 : tick * fmin(period, 3), forever = tick * period;
  def.solver.first_step = 1.01 * until_end;
  must_accept(model, &def);
  def.solver.first_step = 0.99 * until_end;
  must_refuse(model, &def, "solver.step", "until the end");
  def.end = INFINITY, def.solver.first_step = 1.01 * forever;
  must_accept(model, &def);
  def.solver.first_step = 0.99 * forever;
  must_refuse(model, &def, "solver.step", "one period of the rod");
}

static void steps_that_are_too_short_are_refused(void **state) {
  (void)state;
  for_all_pairs(refuse_short_steps, 15);
}

/* A clock at 1e15 has a last digit of 0.125: a step of 1e-3 leaves it where it is. */
static void stop_with_the_clock(const wy_model *model, const wy_sim_def *usual) {
  wy_sim_def def = *usual;
  wy_sim *sim = NULL;
  wy_message message = {0};
  def.solver.first_step = def.solver.largest_step = 1e-3;
  must(wy_sim_create(model, &def, &sim, &message), &message);
  const wy_integrator *integrator = sim->groups[0].integrator;
  integrator->now->t = integrator->now->t_old = 1e15;
  integrator->type->start(sim->groups[0].integrator);
  wy_sim_show(sim, 1e15);
  for (int i = 0; i < 2; i++) { /* again, and nothing else */
    wy_status status = i ? wy_sim_advance(sim, 1e15 + 10, &message) : wy_sim_step(sim, &message);
    if (status != WY_ERROR_SOLVER || !strstr(message.text, "the smallest change at this time is 0.125"))
      fail_msg("%s, %s: status %d: %s", def.solver.scheme, def.solver.integrator, (int)status, message.text);
  }
  assert_true(wy_sim_time(sim) == 1e15);
  assert_int_equal(wy_sim_statistics(sim, 0).steps, 0);
  wy_sim_destroy(sim);
}

static void a_clock_that_stands_still_ends_the_run(void **state) {
  (void)state;
  for_all_pairs(stop_with_the_clock, 15);
}

/* Fixed steps as long as the limit still go from one multiple to the next, for as long as it says. */
static void fixed_steps_move_the_clock_up_to_the_limit(void **state) {
  (void)state;
  wy_model *model = model_for("staggered");
  wy_sim_def def = wy_default_sim_def();
  wy_sim *sim = NULL;
  wy_message message = {0};
  def.solver.integrator = "gauss4";
  def.solver.first_step = 1e-3 / 3; /* no power of two */
  must(wy_sim_create(model, &def, &sim, &message), &message);
  const double h = def.solver.first_step;
  for (int k = 1; k <= 1000; k++) {
    const double t = h / (256 * DBL_EPSILON) * (1 - 1e-9 * k), multiple = round(t / h);
    sim->groups[0].integrator->now->t = multiple * h;
    sim->groups[0].integrator->now->h = h;
    const wy_trial trial = wy_try_grid_step(sim->groups[0].integrator, INFINITY);
    check_close(trial.t_stop, (multiple + 1) * h, 0.02 * h);
    check_above(trial.h, 0.9 * h);
    check_below(trial.h, 1.1 * h);
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_that_are_too_short_are_refused),
      cmocka_unit_test(a_clock_that_stands_still_ends_the_run),
      cmocka_unit_test(fixed_steps_move_the_clock_up_to_the_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
