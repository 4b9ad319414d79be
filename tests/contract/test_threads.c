/* SPDX-License-Identifier: MIT */
/* Threads share nothing: four of them read scenarios and run them at the same time, and each gets what one alone gets,
   bit for bit. Built with -fsanitize=thread this finds no race.
   links: withy_scenes */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "run/scenario/scenario.h"

enum { THREADS = 4, ROUNDS = 3, NUMBERS = 3 };

static const char yaml[] = "withy: 1\n"
                           "time: {end: 0.05}\n"
                           "gravity: [0, 0, -g]\n"
                           "constants: {g: 9.81}\n"
                           "functions: {pull: sin(20*t)}\n"
                           "rods:\n"
                           "  - {name: arm, length: 1, segments: 6, section: {shape: circle, radius: 0.01},\n"
                           "     material: {density: 1000, young: 1e6, poisson: 0.25}, ends: {start: clamped}}\n"
                           "loads: [{at: end, force: [0, 0.01*pull, 0]}]\n"
                           "solver: {integrator: radau5}\n";
static const char json[] = "{\"withy\": 1, \"time\": {\"end\": 0.05}, \"gravity\": [0, 0, \"-g\"],\n"
                           " \"constants\": {\"g\": 9.81}, \"functions\": {\"pull\": \"sin(20*t)\"},\n"
                           " \"rods\": [{\"name\": \"arm\", \"length\": 1, \"segments\": 6,\n"
                           "   \"section\": {\"shape\": \"circle\", \"radius\": 0.01},\n"
                           "   \"material\": {\"density\": 1000, \"young\": 1e6, \"poisson\": 0.25},\n"
                           "   \"ends\": {\"start\": \"clamped\"}}],\n"
                           " \"loads\": [{\"at\": \"end\", \"force\": [0, \"0.01*pull\", 0]}],\n"
                           " \"solver\": {\"integrator\": \"radau5\"}}\n";
static const char wrong[] = "withy: 1\ntime: {end: 1}\nrods: [{lenght: 1}]\n";

/* What one thread does; it reports, since only the main thread may fail a test. */
typedef struct task {
  bool as_json;
  double tip[NUMBERS]; /* position of the end at the end of the run */
  char complaint[2048];
} task;

static void run(task *it, wy_scenario *scenario) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_message message = {.text = ""};
  double tip[4] = {0};
  wy_status status = wy_scenario_build(scenario, &model, &sim, &message);
  if (status == WY_OK)
    status = wy_sim_advance(sim, scenario->end, &message);
  if (status == WY_OK)
    status = wy_sim_probe(sim, WY_POSITION, 0, 1, tip, &message);
  if (status != WY_OK)
    snprintf(it->complaint, sizeof it->complaint, "%s", message.text);
  memcpy(it->tip, tip, sizeof it->tip);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

static void *read_and_run(void *context) {
  task *it = context;
  for (int k = 0; k < ROUNDS && !it->complaint[0]; k++) {
    wy_scenario *scenario = NULL;
    wy_scenario_error error = {.text = ""};
    if (wy_scenario_read("wrong.yaml", "wrong", wrong, NULL, 0, &scenario, &error) != WY_ERROR_INPUT ||
        !strstr(error.text, "did you mean 'length'"))
      snprintf(it->complaint, sizeof it->complaint, "the wrong scenario: got '%.1000s'", error.text);
    else if (wy_scenario_read(it->as_json ? "arm.json" : "arm.yaml", "arm", it->as_json ? json : yaml, NULL, 0,
                              &scenario, &error) != WY_OK)
      snprintf(it->complaint, sizeof it->complaint, "%s", error.text);
    else
      run(it, scenario);
    wy_scenario_destroy(scenario);
  }
  return NULL;
}

static void four_threads_read_and_run_at_once(void **state) {
  (void)state;
  task alone = {.as_json = false}, tasks[THREADS] = {{0}};
  pthread_t threads[THREADS];
  read_and_run(&alone);
  for (int i = 0; i < THREADS; i++) {
    tasks[i].as_json = i % 2;
    assert_int_equal(pthread_create(&threads[i], NULL, read_and_run, &tasks[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    assert_string_equal(tasks[i].complaint, alone.complaint);
    assert_string_equal(tasks[i].complaint, "");
    for (int c = 0; c < NUMBERS; c++)
      check_close(tasks[i].tip[c], alone.tip[c], 0);
  }
  check_below(alone.tip[2], -1e-3); /* it has fallen */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(four_threads_read_and_run_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
