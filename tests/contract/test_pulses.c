/* SPDX-License-Identifier: MIT */
/* Rods at rest whose steps grow long, and something short that then happens to them: no integrator with steps that
   adapt steps over it, whoever calls the library. A free rod has the momentum of the pulse after it, force times
   duration, exactly; a driven end is followed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/moving.h"
#include "withy/sundials.h"

static const double pi = 3.14159265358979;

/* From `start` on for `width`: as a rectangle, or sin^2; of impulse `impulse`. */
typedef struct pulse {
  double start, width, impulse;
  bool smooth;
} pulse;

static void pulse_at(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const pulse *p = context;
  double x = (t - p->start) / p->width, height = p->impulse / p->width;
  (void)wrt, (void)s;
  jet[0] = x < 0 || x > 1 ? 0 : p->smooth ? 2 * height * sin(pi * x) * sin(pi * x) : height;
  jet[1] = jet[2] = 0;
}

/* Free of everything else; its slowest vibration has a period of 0.9 s. */
static wy_rod_def floating_rod(void) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 0.5;
  rod.segments = 6;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(0.002);
  rod.material.given = true;
  rod.material.density = wy_constant(1100);
  rod.material.young = wy_constant(2e6);
  rod.material.poisson = wy_constant(0.4);
  return rod;
}

static test_sim begin_with(const wy_sim_def *sim, const wy_rod_def *rod, const wy_load_def *load) {
  test_sim made = {NULL, NULL};
  wy_model_def def = wy_default_model_def();
  wy_message message = {0};
  def.rods = rod, def.rod_count = 1;
  def.loads = load, def.load_count = load ? 1 : 0;
  must(wy_model_create(&def, &made.model, &message), &message);
  must(wy_sim_create(made.model, sim, &made.sim, &message), &message);
  return made;
}

static test_sim begin(const wy_rod_def *rod, const wy_load_def *load, const char *integrator) {
  wy_sim_def sim = wy_default_sim_def();
  sim.solver.integrator = integrator;
  sim.solver.more = wy_sundials();
  return begin_with(&sim, rod, load);
}

static bool adapts(const char *integrator) {
  return method_possible("staggered", WY_COSSERAT, integrator) == WY_OK && !has_fixed_step("staggered", integrator);
}

/* The pulse gives the rod 0.1 m/s. Smooth ones cost an error of the tolerance, 1e-6 (1 + 0.1), in some steps: 1e-4 of
   the velocity in all, and ten times that for the larger errors of multistep methods. Of a jump within a step the
   methods know little: each of the two costs up to the force times the step, which is there at most 1/256 of a tenth of
   the time passed, or of T. What is stepped over is missing altogether. */
static void pulses_are_met(const char *integrator) {
  static const double starts[] = {0.03, 0.5, 4.1}, widths[] = {0.05, 0.005};
  for (int c = 0; c < 12; c++) {
    wy_rod_def rod = floating_rod();
    const double mass = 1100 * pi * 0.002 * 0.002 * 0.5;
    pulse p = {starts[c % 3], widths[c / 3 % 2], 0.1 * mass, c >= 6};
    wy_load_def load = wy_default_load_def();
    load.place = WY_ALONG, load.from = 0, load.to = rod.length;
    load.force[2] = (wy_signal){0, pulse_at, &p, WY_TIME};
    p.impulse /= rod.length;
    test_sim made = begin(&rod, &load, integrator);
    wy_message message = {0};
    must(wy_sim_sample(made.sim, p.start + 0.1, &message), &message);
    const double edges = p.smooth ? 0 : 2 * 0.1 * fmax(1, p.start) / 256 / p.width;
    const double tolerance = 1e-3 + edges;
    double velocity = wy_sim_momentum(made.sim, 0).linear[2] / mass;
    if (!(fabs(velocity - 0.1) <= tolerance * 0.1))
      fail_msg("%s: pulse of %g at %g, smooth %d: velocity %.6g after it, want 0.1, tolerance %g, %ld steps",
               integrator, p.width, p.start, p.smooth, velocity, 0.1 * tolerance, wy_sim_statistics(made.sim, 0).steps);
    free_sim(&made);
  }
}

static void no_integrator_steps_over_a_pulse(void **state) {
  (void)state;
  pulses_are_met("auto");
  for (int i = 0; wy_integrator_name(wy_sundials(), i); i++)
    if (adapts(wy_integrator_name(wy_sundials(), i)))
      pulses_are_met(wy_integrator_name(wy_sundials(), i));
}

/* While the user's load acts instead, the model's is not looked at, and steps, here for another reason much shorter,
   are free far ahead; from when it acts again on, it is looked at. */
static void what_acts_again_is_met(void **state) {
  (void)state;
  wy_sim_def sim = wy_default_sim_def();
  sim.solver.integrator = "radau5", sim.solver.largest_step = 0.03;
  for (int c = 0; c < 5; c++) {
    wy_rod_def rod = floating_rod();
    const double mass = 1100 * pi * 0.002 * 0.002 * 0.5;
    pulse p = {4.003 + 0.01 * c, 0.005, 0.1 * mass / rod.length, true};
    wy_load_def load = wy_default_load_def();
    load.place = WY_ALONG, load.from = 0, load.to = rod.length;
    load.force[2] = (wy_signal){0, pulse_at, &p, WY_TIME};
    test_sim made = begin_with(&sim, &rod, &load);
    wy_message message = {0};
    static const double none[3] = {0, 0, 0};
    must(wy_sim_set_load(made.sim, 0, none, none, &message), &message);
    must(wy_sim_advance(made.sim, 4, &message), &message);
    must(wy_sim_set_load(made.sim, 0, NULL, NULL, &message), &message);
    must(wy_sim_sample(made.sim, 4.2, &message), &message);
    /* Samples show it to 0.01 of its height, which is twice the mean. */
    check_close(wy_sim_momentum(made.sim, 0).linear[2] / mass, 0.1, 0.02 * 0.1);
    free_sim(&made);
  }
}

/* A signal that nobody may ask for later values than `until`: one of a table, say. */
typedef struct bounded {
  double until;
  bool passed;
} bounded;

static void bounded_at(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  bounded *b = *(bounded *const *)context;
  (void)wrt, (void)s;
  b->passed = b->passed || t > b->until;
  jet[0] = 1e-3 * t * t * t, jet[1] = 3e-3 * t * t, jet[2] = 6e-3 * t;
}

/* Neither loads beyond the end of the run nor the motion of a support beyond its release. */
static void nothing_is_looked_at_beyond_its_end(void **state) {
  (void)state;
  for (int driven = 0; driven < 2; driven++) {
    bounded limit = {driven ? 0.73 : 1.1, false}, *context = &limit;
    const wy_signal signal = {0, bounded_at, &context, WY_TIME};
    wy_rod_def rod = floating_rod();
    rod.ends[WY_START] = wy_end_clamped();
    wy_load_def load = wy_default_load_def();
    if (driven) {
      rod.ends[WY_START].position[2] = WY_DRIVEN, rod.ends[WY_START].path[2] = signal;
      rod.ends[WY_START].release = limit.until;
    } else {
      load.force[2] = signal;
    }
    wy_sim_def sim = wy_default_sim_def();
    sim.solver.integrator = "dopri5", sim.end = 1.1;
    test_sim made = begin_with(&sim, &rod, driven ? NULL : &load);
    wy_message message = {0};
    must(wy_sim_sample(made.sim, 1.1, &message), &message);
    assert_false(limit.passed);
    free_sim(&made);
  }
}

/* An end that makes an excursion of 20 ms and comes back: the rod vibrates afterwards. */
static void excursions_of_ends_are_met(void **state) {
  (void)state;
  wy_rod_def rod = floating_rod();
  pulse p = {0.7, 0.02, 1e-4, true};
  rod.ends[WY_START] = wy_end_clamped();
  rod.ends[WY_START].position[2] = WY_DRIVEN;
  rod.ends[WY_START].path[2] = (wy_signal){0, pulse_at, &p, WY_TIME};
  test_sim made = begin(&rod, NULL, "auto");
  wy_message message = {0};
  must(wy_sim_sample(made.sim, 0.8, &message), &message);
  check_above(wy_sim_energy(made.sim, 0).elastic, 0);
  free_sim(&made);
}

/* Long before anything happens, and long after, steps are as long as they may be: a share of the time passed. */
static void steps_grow_where_nothing_happens(void **state) {
  (void)state;
  wy_rod_def rod = floating_rod();
  pulse p = {1e5, 1, 0, false};
  wy_load_def load = wy_default_load_def();
  load.force[2] = (wy_signal){0, pulse_at, &p, WY_TIME};
  test_sim made = begin(&rod, &load, "radau5");
  wy_message message = {0};
  must(wy_sim_sample(made.sim, 1e4, &message), &message);
  /* A start of some steps of 0.1 T, and then 10 % more with each: ln(1e4 / T) / ln 1.1, T about 1. */
  check_below(wy_sim_statistics(made.sim, 0).steps, 150);
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_integrator_steps_over_a_pulse), cmocka_unit_test(what_acts_again_is_met),
      cmocka_unit_test(nothing_is_looked_at_beyond_its_end), cmocka_unit_test(excursions_of_ends_are_met),
      cmocka_unit_test(steps_grow_where_nothing_happens)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
