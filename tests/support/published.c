/* SPDX-License-Identifier: MIT */
#include "support/published.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

wy_signal example_signal(example *e, const char *text, double factor) {
  char whole[512];
  wy_expr_error error = {0};
  check_below(e->expression_count, MOST_EXPRESSIONS);
  snprintf(whole, sizeof whole, "%.17g*(%s)", factor, text);
  wy_expr **expr = &e->expressions[e->expression_count++];
  if (wy_expr_compile(NULL, whole, WY_TIME | WY_ARC, expr, &error))
    fail_msg("%s: column %d: %s", whole, error.column, error.text);
  return wy_expr_signal(*expr);
}

void free_example(example *e) {
  for (int i = 0; i < e->expression_count; i++)
    wy_expr_destroy(e->expressions[i]);
}

/* The case an example is taken from lives as long as the program: examples are values, which many tests never free. */
typedef struct kept {
  wy_case c;
  struct kept *next;
} kept;

example example_of(wy_case c) {
  static kept *all;
  kept *keep = malloc(sizeof *keep);
  assert_non_null(keep);
  if (c.trouble.text[0])
    fail_msg("%s", c.trouble.text);
  *keep = (kept){c, all};
  all = keep;
  example e = {.rod = c.rod, .load_count = c.loaded, .actuator_count = c.actuators};
  e.loads[0] = c.load;
  memcpy(e.actuators, c.actuator, sizeof c.actuator);
  memcpy(e.gravity, c.gravity, sizeof e.gravity);
  return e;
}

wy_solver_def mixed_solver(int order, double step) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "mixed";
  solver.mixed.order = order;
  solver.first_step = step;
  return solver;
}

wy_model_def example_model(const example *e) {
  wy_model_def def = wy_default_model_def();
  memcpy(def.gravity, e->gravity, sizeof def.gravity);
  def.rods = &e->rod;
  def.rod_count = 1;
  def.loads = e->loads;
  def.load_count = e->load_count;
  def.actuators = e->actuators;
  def.actuator_count = e->actuator_count;
  return def;
}

test_sim simulate(const example *e, const wy_solver_def *solver) {
  test_sim made = {0};
  wy_message message = {0};
  const wy_model_def def = example_model(e);
  must(wy_model_create(&def, &made.model, &message), &message);
  wy_sim_def sim = wy_default_sim_def();
  sim.statics = true;
  sim.solver = *solver;
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

void probe(const test_sim *made, wy_quantity quantity, double s, double out[4]) {
  wy_message message = {0};
  must(wy_sim_probe(made->sim, quantity, 0, s, out, &message), &message);
}
