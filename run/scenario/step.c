/* Steps in time. Methods with a fixed step get one that divides the distances of rows and frames and the whole run: the
   file's own, or one chosen from the model. */
#include <math.h>
#include <stdio.h>

#include "run/scenario/reader.h"

/* More steps than any run would finish, and than the clock can tell apart. */
static const double most_steps = 1e10;
/* How far from the best step one is looked for that fits. */
enum { SEARCH = 10000 };

/* Are `step`s the whole of `time`, to 1e-9 of it? */
static bool divides(double step, double time) {
  double count = round(time / step);
  return count >= 1 && fabs(count * step - time) <= 1e-9 * time;
}

/* Does the file ask for rows or frames itself? Else they are where steps end. */
static bool asks(const wy_reader *r, const char *key) {
  return wy_yaml_find(wy_yaml_find(r->root, "time"), key) != NULL;
}

static bool fits(const wy_reader *r, double step) {
  return divides(step, r->scenario->end) && (!asks(r, "output") || divides(step, r->scenario->output)) &&
         (!asks(r, "frames") || divides(step, r->scenario->snapshots));
}

static bool is_fixed(const wy_reader *r, int rod) {
  const wy_solver_def *solver = &r->solvers[rod];
  return r->scenario->analysis == WY_DYNAMICS && wy_method_has_fixed_step(solver);
}

/* The k nearest to `from`, going by `stride` and not beyond `last`, for which whole/k fits; 0 where there is none. */
static double find_count(const wy_reader *r, double whole, double from, double stride, double last) {
  double k = from;
  for (int i = 0; i < SEARCH && (last - k) * stride >= 0; i++, k += stride)
    if (fits(r, whole / k))
      return k;
  return 0;
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
  double whole = asks(r, "output") ? r->scenario->output : r->scenario->end, ratio = whole / step;
  double longer = find_count(r, whole, floor(ratio), -1, 1);
  double shorter = find_count(r, whole, floor(ratio) + 1, 1, most_steps);
  out[0] = '\0';
  if (longer > 0 && shorter > 0)
    snprintf(out, size, ", or a step of %.12g or %.12g", whole / longer, whole / shorter);
  else if (longer > 0 || shorter > 0)
    snprintf(out, size, ", or a step of %.12g", whole / fmax(longer, shorter));
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
  for (int i = 0; i < r->scenario->model.rod_count; i++)
    all = all && (!is_given(r, i) || divides(r->solvers[i].first_step, time));
  return all;
}

/* Rows that the file does not ask for are where steps end: the multiple of this rod's step from end/100 on that is one
   of all steps, or the end. */
static void fit_default_output(wy_reader *r, int rod) {
  wy_scenario *scenario = r->scenario;
  double step = r->solvers[rod].first_step, count = fmax(1, round(scenario->output / step));
  if (asks(r, "output"))
    return;
  for (int i = 0; i < SEARCH / 10 && count * step < scenario->end && !all_divide(r, count * step); i++)
    count++;
  scenario->output = all_divide(r, count * step) ? fmin(count * step, scenario->end) : scenario->end;
  if (!asks(r, "frames"))
    scenario->snapshots = scenario->output;
}

static void check_step(wy_reader *r, int rod) {
  const wy_scenario *scenario = r->scenario;
  double step = r->solvers[rod].first_step, end = scenario->end;
  if (end / step > most_steps)
    wy_read_fail(r, r->steps[rod], "found %g, which makes %.3g steps until %g; expected at least %g", step, end / step,
                 end, end / most_steps);
  else if (asks(r, "output") && !divides(step, scenario->output))
    refuse_misfit(r, rod, "output", scenario->output, step);
  else if (!divides(step, end))
    refuse_misfit(r, rod, "end", end, step);
  else if (!divides(step, scenario->snapshots))
    refuse_misfit(r, rod, "frames", scenario->snapshots, step);
  else /* exactly, so that rows do not slip against the steps */
    r->solvers[rod].first_step = scenario->output / round(scenario->output / step);
}

void wy_check_steps(wy_reader *r) {
  int rods = r->scenario->model.rod_count, first = -1;
  for (int i = rods - 1; i >= 0; i--)
    first = is_given(r, i) ? i : first;
  if (first >= 0)
    fit_default_output(r, first);
  for (int i = 0; i < rods && !r->failed; i++)
    if (is_given(r, i))
      check_step(r, i);
}

/* ---- Steps that are chosen ---- */

static void choose_step(wy_reader *r, const wy_model *model, int rod) {
  wy_scenario *scenario = r->scenario;
  double output = scenario->output;
  double wanted = fmax(1, ceil(output / wy_method_default_step(model, rod, scenario->end) - 1e-9));
  double count = find_count(r, output, wanted, 1, most_steps * output / scenario->end);
  if (!(count > 0))
    count = find_count(r, output, wanted, -1, 1);
  if (count > 0) {
    r->solvers[rod].first_step = output / count;
    return;
  }
  const char *key = divides(output, scenario->snapshots) ? "end" : "frames";
  double time = divides(output, scenario->snapshots) ? scenario->end : scenario->snapshots;
  char values[80];
  neighbours(time, output, values, sizeof values);
  wy_read_fail(r, wy_yaml_find(wy_yaml_find(r->root, "time"), key),
               "found %.12g, which has no fixed step in common with time.output = %.12g; expected %s", time, output,
               values);
}

void wy_choose_steps(wy_reader *r, const wy_model *model) {
  int rods = r->scenario->model.rod_count;
  bool *chosen = wy_read_take(r, (size_t)rods * sizeof *chosen);
  r->scenario->step_chosen = chosen;
  for (int i = 0; i < rods && !r->failed; i++) {
    chosen[i] = is_fixed(r, i) && !r->steps[i];
    if (chosen[i])
      choose_step(r, model, i);
  }
}
