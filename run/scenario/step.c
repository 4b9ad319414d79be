/* SPDX-License-Identifier: MIT */
/* Steps in time. Methods with a fixed step get one that divides the distances of rows and frames and the whole run: the
   file's own, or one chosen from the model. */
#include <math.h>
#include <stdio.h>

#include "run/scenario/reader.h"

enum { MOST_ROWS = 1000 }; /* how many multiples of a step are tried as distance of rows */

/* Does the file ask for rows or frames itself? Else they are where steps end. */
static bool asks(const wy_reader *r, const char *key) {
  return wy_yaml_find(wy_yaml_find(r->root, "time"), key) != NULL;
}

/* What a step has to divide: `whole`, the end, and what the file asks for. Returns how many times these are. */
static int times_to_divide(const wy_reader *r, double whole, double times[4]) {
  int count = 0;
  times[count++] = whole;
  times[count++] = r->scenario->end;
  if (asks(r, "output"))
    times[count++] = r->scenario->output;
  if (asks(r, "frames"))
    times[count++] = r->scenario->snapshots;
  return count;
}

static bool is_fixed(const wy_reader *r, int rod) {
  const wy_solver_def *solver = &r->solvers[rod];
  return r->scenario->analysis == WY_DYNAMICS && wy_method_has_fixed_step(solver);
}

/* ---- Steps that are given ---- */

/* "0.0025 or 0.005": the multiples of `unit` beside `value`, but not 0. */
static void neighbours(double value, double unit, char *out, size_t size) {
  double below = floor(value / unit), above = below + 1;
  if (below >= 1)
    snprintf(out, size, "%.12g or %.12g", below * unit, above * unit);
  else
    snprintf(out, size, "%.12g", above * unit);
}

/* ", or a step of 0.0025 or 0.00333": those beside `step` that fit everything. */
static void fitting_steps(const wy_reader *r, double step, char *out, size_t size) {
  double times[4];
  const int count = times_to_divide(r, asks(r, "output") ? r->scenario->output : r->scenario->end, times);
  const double longer = wy_step_fitting(step, true, times, count), shorter = wy_step_fitting(step, false, times, count);
  out[0] = '\0';
  if (longer > 0 && shorter > 0)
    snprintf(out, size, ", or a step of %.12g or %.12g", longer, shorter);
  else if (longer > 0 || shorter > 0)
    snprintf(out, size, ", or a step of %.12g", fmax(longer, shorter));
}

static void refuse_misfit(wy_reader *r, int rod, const char *key, double time, double step) {
  const wy_node *node = wy_yaml_find(wy_yaml_find(r->root, "time"), key);
  char values[80], steps[96], path[200];
  neighbours(time, step, values, sizeof values);
  fitting_steps(r, step, steps, sizeof steps);
  wy_yaml_path(r->steps[rod], path, sizeof path);
  wy_read_fail(r, node, "found %.12g, which is no multiple of the fixed step %s = %.12g; expected %s%s", time, path,
               step, values, steps);
}

static bool is_given(const wy_reader *r, int rod) {
  return is_fixed(r, rod) && r->steps[rod];
}

static bool all_divide(const wy_reader *r, double time) {
  bool all = true;
  for (int i = 0; i < r->solver_count; i++)
    all = all && (!is_given(r, i) || wy_step_divides(r->solvers[i].first_step, time));
  return all;
}

/* Rows that the file does not ask for are where steps end: the multiple of this rod's step from end/100 on that is one
   of all steps, or the end. */
static void fit_default_output(wy_reader *r, int rod) {
  wy_scenario *scenario = r->scenario;
  double step = r->solvers[rod].first_step, count = fmax(1, round(scenario->output / step));
  if (asks(r, "output"))
    return;
  for (int i = 0; i < MOST_ROWS && count * step < scenario->end && !all_divide(r, count * step); i++)
    count++;
  scenario->output = all_divide(r, count * step) ? fmin(count * step, scenario->end) : scenario->end;
  if (!asks(r, "frames"))
    scenario->snapshots = scenario->output;
}

static void check_step(wy_reader *r, int rod) {
  const wy_scenario *scenario = r->scenario;
  double step = r->solvers[rod].first_step, end = scenario->end;
  if (end / step > WY_STEPS_LIMIT)
    wy_read_fail(r, r->steps[rod], "found %g, which makes %.3g steps until %g; expected at least %g", step, end / step,
                 end, end / WY_STEPS_LIMIT);
  else if (asks(r, "output") && !wy_step_divides(step, scenario->output))
    refuse_misfit(r, rod, "output", scenario->output, step);
  else if (!wy_step_divides(step, end))
    refuse_misfit(r, rod, "end", end, step);
  else if (!wy_step_divides(step, scenario->snapshots))
    refuse_misfit(r, rod, "frames", scenario->snapshots, step);
  else /* exactly, so that rows do not slip against the steps */
    r->solvers[rod].first_step = scenario->output / round(scenario->output / step);
}

void wy_check_steps(wy_reader *r) {
  int first = -1;
  for (int i = r->solver_count - 1; i >= 0; i--)
    first = is_given(r, i) ? i : first;
  if (first >= 0)
    fit_default_output(r, first);
  for (int i = 0; i < r->solver_count && !r->failed; i++)
    if (is_given(r, i))
      check_step(r, i);
}

/* ---- Steps that are chosen ---- */

static void choose_step(wy_reader *r, const wy_model *model, int rod) {
  wy_scenario *scenario = r->scenario;
  double output = scenario->output, times[4];
  const double wanted = wy_method_default_step(model, rod, scenario->end);
  const int count = times_to_divide(r, output, times);
  double step = wy_step_fitting(wanted, false, times, count);
  if (!(step > 0))
    step = wy_step_fitting(wanted, true, times, count);
  if (step > 0) {
    r->solvers[rod].first_step = step;
    return;
  }
  const char *key = wy_step_divides(output, scenario->snapshots) ? "end" : "frames";
  double time = wy_step_divides(output, scenario->snapshots) ? scenario->end : scenario->snapshots;
  char values[80];
  neighbours(time, output, values, sizeof values);
  wy_read_fail(r, wy_yaml_find(wy_yaml_find(r->root, "time"), key),
               "found %.12g, which has no fixed step in common with time.output = %.12g; expected %s", time, output,
               values);
}

/* The smaller one of what two places have, for both; true if that changes one of them. */
static bool share_step(const wy_model_def *model, double *steps, const wy_port *a, const wy_port *b) {
  if (a->kind == WY_PORT_GROUND || b->kind == WY_PORT_GROUND)
    return false;
  double *one = &steps[a->index + (a->kind == WY_PORT_BODY ? model->rod_count : 0)];
  double *other = &steps[b->index + (b->kind == WY_PORT_BODY ? model->rod_count : 0)];
  const bool changes = *one != *other;
  *one = *other = fmin(*one, *other);
  return changes;
}

/* Rods that joints and springs connect move together, with the shortest of their steps. */
static void share_steps(wy_reader *r, const bool *chosen) {
  const wy_scenario *scenario = r->scenario;
  const wy_model_def *model = &scenario->model;
  double *steps = wy_read_take(r, ((size_t)model->rod_count + (size_t)model->body_count) * sizeof *steps);
  bool changes = steps != NULL;
  for (int i = 0; steps && i < model->rod_count + model->body_count; i++)
    steps[i] = i < model->rod_count && chosen[i] ? r->solvers[i].first_step : (double)INFINITY;
  while (changes) {
    changes = false;
    for (int i = 0; i < model->joint_count; i++)
      for (int k = 1; k < scenario->joints[i].port_count; k++) {
        const wy_port *ports = scenario->joints[i].ports; /* the first may be the ground */
        const int first = ports[0].kind == WY_PORT_GROUND;
        changes = share_step(model, steps, &ports[first], &ports[k]) || changes;
      }
    for (int i = 0; i < model->spring_count; i++)
      changes = share_step(model, steps, &scenario->springs[i].ports[0], &scenario->springs[i].ports[1]) || changes;
  }
  for (int i = 0; steps && i < model->rod_count; i++)
    if (chosen[i])
      r->solvers[i].first_step = steps[i];
}

void wy_choose_steps(wy_reader *r, const wy_model *model) {
  int rods = r->scenario->model.rod_count;
  bool *chosen = wy_read_take(r, (size_t)rods * sizeof *chosen);
  r->scenario->step_chosen = chosen;
  if (rods == 0 && is_fixed(r, 0) && !r->steps[0])
    wy_read_fail_path(r, "solver.step",
                      "is missing; expected a number, since bodies without rods have no step that "
                      "would follow from the model");
  for (int i = 0; i < rods && !r->failed; i++) {
    chosen[i] = is_fixed(r, i) && !r->steps[i];
    if (chosen[i])
      choose_step(r, model, i);
  }
  if (!r->failed && r->scenario->model.joint_count + r->scenario->model.spring_count > 0)
    share_steps(r, chosen);
}
