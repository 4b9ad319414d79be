/* SPDX-License-Identifier: MIT */
/* wy_sim_advance_within: in time by the caller's clock, as far as that allows, with every integrator; what it shows,
   what it changes, what it returns. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

/* A clock that goes on by `tick` whenever it is asked, so that a round of steps takes one tick. */
typedef struct ticking {
  double now, tick;
  long asked;
} ticking;

static double seconds(void *context) {
  ticking *clock = context;
  clock->asked++;
  return clock->now += clock->tick;
}

static wy_model *model_of(int rods) {
  wy_message message = {.text = ""};
  wy_rod_def *defs = malloc((size_t)rods * sizeof *defs);
  wy_model_def def = wy_default_model_def();
  wy_model *model = NULL;
  for (int i = 0; i < rods; i++) {
    defs[i] = rubber_rod(4 + i);
    defs[i].name = i == 0 ? "a" : i == 1 ? "b" : "c";
  }
  def.rods = defs, def.rod_count = rods, def.gravity[2] = -9.81;
  must(wy_model_create(&def, &model, &message), &message);
  free(defs);
  return model;
}

static wy_sim *sim_with(const wy_model *model, const char *integrator, ticking *clock) {
  wy_message message = {.text = ""};
  wy_sim_def def = wy_default_sim_def();
  wy_sim *sim = NULL;
  def.solver.integrator = integrator;
  if (wy_method_has_fixed_step(&def.solver))
    def.solver.first_step = 1e-3;
  def.solver.relative_tolerance = def.solver.absolute_tolerance = 1e-4;
  def.clock.seconds = clock ? seconds : NULL, def.clock.context = clock;
  must(wy_sim_create(model, &def, &sim, &message), &message);
  return sim;
}

static double within(wy_sim *sim, double t, double budget) {
  wy_message message = {.text = ""};
  double reached = -1;
  must(wy_sim_advance_within(sim, t, budget, &reached, &message), &message);
  assert_true(reached == wy_sim_time(sim) && reached <= t);
  return reached;
}

/* A round takes a tick and is expected to take 1.2: of a budget of ten and a half ticks nine are used, of which the
   first knew nothing. All calls together are the run without a clock, bit for bit, where one rod goes by its own steps.
 */
static void each_call_ends_in_time(void **state) {
  (void)state;
  enum { NUMBERS = 3 * 5 };
  static const char *const names[] = {"stride", "midpoint", "radau5", "rodas", "seulex", "ndf", "dopri5", "dop853"};
  wy_model *model = model_of(1);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    ticking clock = {.tick = 1e-3};
    wy_message message = {.text = ""};
    double x[2][NUMBERS], t = 0;
    int calls = 0;
    wy_sim *sim = sim_with(model, names[i], &clock), *free_sim = sim_with(model, names[i], NULL);
    while (t < 0.05) {
      const long before = wy_sim_statistics(sim, 0).steps;
      const double from = clock.now, next = within(sim, 0.05, 10.5e-3);
      if (!(next > t && clock.now - from <= 11.5e-3))
        fail_msg("%s: went from %g to %g in %g s", names[i], t, next, clock.now - from);
      t = next, calls++;
      assert_in_range(wy_sim_statistics(sim, 0).steps - before, 1, 10);
    }
    assert_true(t == 0.05); /* exactly */
    must(wy_sim_advance(free_sim, 0.05, &message), &message);
    memcpy(x[0], wy_sim_view(sim, 0)->position.values, sizeof x[0]);
    memcpy(x[1], wy_sim_view(free_sim, 0)->position.values, sizeof x[1]);
    print_message("%s: %ld steps in %d calls\n", names[i], wy_sim_statistics(sim, 0).steps, calls);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    wy_sim_destroy(sim), wy_sim_destroy(free_sim);
  }
  wy_model_destroy(model);
}

/* Several rods are at one time after each call, so that loads may change. */
static void rods_keep_together(void **state) {
  (void)state;
  static const char *const names[] = {"stride", "rodas", "dopri5"};
  wy_message message = {.text = ""};
  const double x[3] = {0, 0, 0.01};
  wy_model *model = model_of(3);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    ticking clock = {.tick = 1e-3};
    wy_sim *sim = sim_with(model, names[i], &clock);
    int calls = 0;
    for (double t = 0; t < 0.02; calls++) {
      t = within(sim, 0.02, 3e-3);
      for (int rod = 0; rod < 3; rod++) {
        const wy_pose pose = {.position = x};
        check_close(wy_sim_statistics(sim, rod).reached, t, 1e-12);
        must(wy_sim_move_end(sim, rod, WY_START, &pose, 0.1, &message), &message);
      }
    }
    assert_true(calls > 1);
    wy_sim_destroy(sim);
  }
  wy_model_destroy(model);
}

/* No time, no step; what was held up once does not stop it for ever; a time that has been reached costs nothing. */
static void budgets(void **state) {
  (void)state;
  ticking clock = {.tick = 1e-3};
  wy_model *model = model_of(1);
  wy_sim *sim = sim_with(model, "stride", &clock);
  assert_true(within(sim, 1, 0) == 0 && within(sim, 1, -1) == 0);
  assert_true(within(sim, 1, 1e-6) > 0); /* the first round, of which nothing is known */
  clock.tick = 1;                        /* held up */
  const double before = within(sim, 1, 2e-3);
  clock.tick = 1e-3;
  int calls = 0;
  double t = before;
  while (t == before && calls++ < 20)
    t = within(sim, 1, 10e-3);
  print_message("goes on after %d calls\n", calls);
  assert_true(t > before && calls <= 8); /* a second falls below ten milliseconds by halves: 2^7 */
  const long steps = wy_sim_statistics(sim, 0).steps;
  assert_true(within(sim, t, 1) == t);
  assert_int_equal(wy_sim_statistics(sim, 0).steps, steps);
  wy_sim_destroy(sim);
  /* the clock of the C library: a second is enough */
  sim = sim_with(model, "stride", NULL);
  assert_true(within(sim, 0.02, 60) == 0.02);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_call_ends_in_time),
      cmocka_unit_test(rods_keep_together),
      cmocka_unit_test(budgets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
