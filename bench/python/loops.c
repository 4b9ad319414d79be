/* SPDX-License-Identifier: MIT */
/* The loops of bench/python/loops.py in C, as a library that it calls: both run in the same process, in turns. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "withy/scenario.h"

enum { SAMPLES = 1000, STEPS = 1000 };

typedef double loop(wy_sim *sim, const wy_scenario *scenario);

/* Of this process: others may use the machine, too. */
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Ten seconds of the pendulum: the position of the tip every hundredth. */
static double sample_tip(wy_sim *sim, const wy_scenario *scenario) {
  double sum = 0;
  (void)scenario;
  for (int k = 1; k <= SAMPLES; k++) {
    wy_sim_sample(sim, k * 0.01, NULL);
    const wy_points *x = &wy_sim_view(sim, 0)->position;
    sum += x->values[3 * (x->count - 1) + 2];
  }
  return sum;
}

/* The same with all probes of the scenario. */
static double sample_probes(wy_sim *sim, const wy_scenario *scenario) {
  double sum = 0, values[4];
  for (int k = 1; k <= SAMPLES; k++) {
    wy_sim_sample(sim, k * 0.01, NULL);
    for (int i = 0; i < scenario->probe_count; i++) {
      const wy_probe *probe = &scenario->probes[i];
      wy_sim_probe(sim, probe->quantity, probe->rod, probe->s, values, NULL);
      sum += values[0];
    }
  }
  return sum;
}

/* A hundred times a second the tip of the arm is measured and the force on it corrected. */
static double control(wy_sim *sim, const wy_scenario *scenario) {
  double force[3] = {0, 0, 0}, sum = 0;
  (void)scenario;
  for (int k = 1; k <= STEPS; k++) {
    wy_sim_set_load(sim, 0, force, NULL, NULL);
    wy_sim_advance(sim, k * 0.01, NULL);
    const wy_view *view = wy_sim_view(sim, 0);
    const double x = view->position.values[3 * (view->position.count - 1) + 2];
    const double v = view->velocity.values[3 * (view->velocity.count - 1) + 2];
    sum += (0.05 - x) * 0.01;
    force[2] = 20 * (0.05 - x) - 0.5 * v + 20 * sum;
  }
  return force[2];
}

/* Runs a loop of the scenario in `file` once; returns the seconds of a step, or a negative number. */
__attribute__((visibility("default"))) double wy_bench_loop(int number, const char *file, double *result);

double wy_bench_loop(int number, const char *file, double *result) {
  static loop *const loops[] = {sample_tip, sample_probes, control};
  static const int steps[] = {SAMPLES, SAMPLES, STEPS};
  wy_scenario *scenario = NULL;
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  double taken = -1;
  if (wy_scenario_read_file(file, NULL, 0, &scenario, NULL) == WY_OK &&
      wy_scenario_build(scenario, &model, &sim, NULL) == WY_OK) {
    const double start = seconds();
    *result = loops[number](sim, scenario);
    taken = (seconds() - start) / steps[number];
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  wy_scenario_destroy(scenario);
  return taken;
}
