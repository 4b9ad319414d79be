/* SPDX-License-Identifier: MIT */
/* One result of an examination: the courses of all runs become an order, a limit and errors. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/converge/inside.h"

/* What is being judged: a probe, or a column of the modes. */
typedef struct subject {
  const wy_converge *c;
  const wy_probe *probe; /* NULL: a mode */
  int rows, components;
  double *const *values; /* [run_count], each [rows * components] */
} subject;

/* ---- Courses ---- */

/* So that q and -q are the same: the half of the sphere that `like` is on. */
static void turn_alike(double *q, const double *like, int rows) {
  for (int r = 0; r < rows; r++, q += 4, like += 4)
    if (q[0] * like[0] + q[1] * like[1] + q[2] * like[2] + q[3] * like[3] < 0)
      for (int i = 0; i < 4; i++)
        q[i] = -q[i];
}

/* The columns of one probe in one run. */
static void copy_columns(const wy_converge_slot *slot, const wy_probe *probe, int first, double *out) {
  const wy_quantity_info *info = wy_quantity_describe(probe->quantity);
  for (int r = 0; r < slot->rows; r++)
    for (int i = 0; i < info->components; i++, out++) {
      const double value = slot->values[(size_t)r * (size_t)slot->column_count + (size_t)(first + i)];
      *out = info->unbounded ? 1 / value : value;
    }
}

static double **take_courses(wy_pool *pool, int runs, int numbers) {
  double **courses = wy_pool_take(pool, (size_t)runs * sizeof *courses);
  for (int i = 0; i < runs && courses; i++)
    courses[i] = wy_pool_take(pool, (size_t)numbers * sizeof **courses);
  return pool->failed ? NULL : courses;
}

static double largest_norm(const double *values, int rows, int components) {
  static const double zero[4] = {0};
  double largest = 0;
  for (int r = 0; r < rows; r++)
    largest = fmax(largest, wy_largest_distance(zero, values + (size_t)r * (size_t)components, 1, components));
  return largest;
}

/* ---- The series ---- */

/* Does the rod of the probe have error control, with the others at a tighter tolerance beyond level 0? */
static bool is_tightened(const subject *s) {
  const int rod = s->probe ? s->probe->rod : WY_ALL_RODS;
  return s->c->check >= 0 && !wy_has_steps(s->c->scenario, rod);
}

/* The run of a level: the check takes the place of the scenario where it has the tolerance of the other levels. */
static int run_of(const subject *s, int level) {
  return level == 0 && is_tightened(s) ? s->c->check : level;
}

/* The size of segments, steps or tolerances of a level. */
static double size_of(const subject *s, int level) {
  const wy_scenario *scenario = s->c->slots[run_of(s, level)].scenario;
  const wy_refinement refine = s->c->def.refine;
  if (refine == WY_REFINE_STEP)
    return ldexp(1, -level);
  if (refine == WY_REFINE_TOLERANCE)
    return s->c->runs[level].tolerance;
  int segments = 0;
  for (int rod = 0; rod < scenario->model.rod_count; rod++)
    if (!s->probe || s->probe->rod == WY_ALL_RODS || s->probe->rod == rod)
      segments += scenario->rods[rod].segments;
  return 1.0 / segments;
}

/* What Newton's method and double precision leave, relative to the size. */
static double rounding_of(const wy_converge *c) {
  double newton = 0;
  for (int rod = 0; rod < c->scenario->model.rod_count; rod++) {
    const wy_solver_def *solver = &c->scenario->solvers[rod];
    if (c->scenario->analysis != WY_DYNAMICS || c->scenario->from_statics)
      newton = fmax(newton, solver->statics.newton_tolerance);
    if (wy_has_steps(c->scenario, rod))
      newton = fmax(newton, solver->newton.tolerance);
  }
  return 100 * DBL_EPSILON + newton;
}

/* The part of the error of run 0 that is due to steps or tolerance (V10, V11). */
static double error_in_time(const subject *s) {
  const wy_converge *c = s->c;
  if (c->check < 0)
    return NAN;
  const double seen = wy_largest_distance(s->values[0], s->values[c->check], s->rows, s->components);
  if (is_tightened(s))
    return seen;
  wy_converge steps = {.scenario = c->scenario, .slots = c->slots, .def = {.refine = WY_REFINE_STEP}};
  return seen / (1 - exp2(-wy_promised_order(&steps, s->probe, false)));
}

/* What error control leaves in the differences of the levels (V11). */
static double noise_of(const subject *s, double scale) {
  const wy_converge *c = s->c;
  const int rod = s->probe ? s->probe->rod : WY_ALL_RODS;
  if (is_tightened(s))
    return wy_share_left(c, s->probe) * error_in_time(s);
  return c->def.refine == WY_REFINE_SEGMENTS && wy_has_tolerance(c->scenario, rod) ? c->runs[0].tolerance * scale : 0;
}

static double size_of_quantity(const subject *s) {
  return s->probe ? s->c->slots[0].sizes[s->probe->quantity] : 0;
}

/* Differences up to this are rounding. */
static double absolute_rounding(const subject *s, double scale) {
  return rounding_of(s->c) * fmax(scale, size_of_quantity(s));
}

static wy_estimate estimate(const subject *s, double scale, double promised) {
  const double *values[WY_CONVERGE_MOST];
  double h[WY_CONVERGE_MOST];
  for (int level = 0; level < s->c->level_count; level++) {
    values[level] = s->values[run_of(s, level)];
    h[level] = size_of(s, level);
  }
  const wy_series series = {.levels = s->c->level_count,
                            .rows = s->rows,
                            .components = s->components,
                            .values = values,
                            .h = h,
                            .promised = promised,
                            .highest = wy_promised_order(s->c, s->probe, true),
                            .rounding = absolute_rounding(s, scale),
                            .noise = noise_of(s, scale),
                            .between = wy_lies_between(s->c, s->probe)};
  return wy_estimate_series(&series);
}

/* ---- Results ---- */

static void extrapolate(const subject *s, double factor, double *course) {
  const int last = s->c->level_count - 1;
  const double *fine = s->values[run_of(s, last)], *before = s->values[run_of(s, last - 1)];
  for (int i = 0; i < s->rows * s->components; i++)
    course[i] = fine[i] + (factor > 0 ? factor * (fine[i] - before[i]) : 0);
}

/* At the end of the course, of each component alone; none where differences are negligible. */
static void judge_components(const subject *s, double negligible, double *orders) {
  const int last = s->c->level_count - 1, at = (s->rows - 1) * s->components;
  double h[3];
  for (int k = 0; k < 3; k++)
    h[k] = size_of(s, last - 2 + k);
  for (int i = 0; i < s->components; i++) {
    const double a = s->values[run_of(s, last - 2)][at + i], b = s->values[run_of(s, last - 1)][at + i],
                 d = s->values[run_of(s, last)][at + i], ratio = (b - a) / (d - b);
    orders[i] = ratio > 0 && isfinite(ratio) && fabs(d - b) > negligible ? wy_estimate_order(ratio, h) : (double)NAN;
  }
}

static void fill_errors(const subject *s, wy_pool *pool, double rest, wy_converge_result *out) {
  const int runs = s->c->run_count, levels = s->c->level_count, last = (s->rows - 1) * s->components;
  double *errors = wy_pool_take(pool, (size_t)runs * sizeof *errors),
         *ends = wy_pool_take(pool, (size_t)runs * sizeof *ends),
         *differences = wy_pool_take(pool, (size_t)levels * sizeof *differences),
         *values = wy_pool_take(pool, (size_t)(runs * s->components) * sizeof *values);
  if (pool->failed)
    return;
  for (int i = 0; i < runs; i++) {
    errors[i] = wy_largest_distance(s->values[i], out->course, s->rows, s->components) + rest;
    ends[i] = wy_largest_distance(s->values[i] + last, out->course + last, 1, s->components) + rest;
    memcpy(values + i * s->components, s->values[i] + last, (size_t)s->components * sizeof *values);
  }
  for (int k = 0; k + 1 < levels; k++)
    differences[k] = wy_largest_distance(s->values[run_of(s, k)], s->values[run_of(s, k + 1)], s->rows, s->components);
  out->errors = errors;
  out->end_errors = ends;
  out->differences = differences;
  out->values = values;
}

/* What relative errors refer to: the largest norm. The sum of energies may cancel, and a probe that is zero has no size
   but that of its quantity. */
static double scale_of(const subject *s) {
  const double own = largest_norm(s->values[s->c->level_count - 1], s->rows, s->components), size = size_of_quantity(s);
  const bool energy = s->probe && wy_quantity_describe(s->probe->quantity)->home == WY_IN_ENERGY;
  return energy || own <= rounding_of(s->c) * size ? fmax(own, size) : own;
}

static void judge_subject(const subject *s, wy_pool *pool, wy_converge_result *out) {
  double *course = wy_pool_take(pool, (size_t)(s->rows * s->components) * sizeof *course);
  if (!course)
    return;
  out->components = s->components;
  out->row_count = s->rows;
  out->scale = scale_of(s);
  out->promised = wy_promised_order(s->c, s->probe, false);
  const wy_estimate e = estimate(s, out->scale, out->promised);
  out->verdict = e.verdict;
  out->trusted = e.trusted;
  out->order = e.order;
  out->used = e.used;
  out->agreement = e.agreement;
  out->time_error = error_in_time(s);
  extrapolate(s, e.factor, course);
  out->course = course;
  memcpy(out->extrapolated, course + (s->rows - 1) * s->components, (size_t)s->components * sizeof *course);
  judge_components(s, absolute_rounding(s, out->scale) + noise_of(s, out->scale), out->component_orders);
  fill_errors(s, pool, e.rest, out);
}

void wy_judge_probe(const wy_converge *c, const wy_probe *probe, int first, wy_pool *pool, wy_converge_result *out) {
  const wy_quantity_info *info = wy_quantity_describe(probe->quantity);
  const int rows = c->slots[0].rows;
  wy_pool scratch = {NULL, false};
  double **courses = take_courses(&scratch, c->run_count, rows * info->components);
  for (int i = 0; i < c->run_count && courses; i++) {
    copy_columns(&c->slots[i], probe, first, courses[i]);
    if (probe->quantity == WY_ROTATION)
      turn_alike(courses[i], courses[0], rows);
  }
  const subject s = {c, probe, rows, info->components, courses};
  out->name = wy_pool_copy(pool, probe->name, strlen(probe->name));
  out->unit = info->unit;
  out->letters = info->letters;
  if (courses)
    judge_subject(&s, pool, out);
  pool->failed = pool->failed || scratch.failed;
  wy_pool_release(&scratch);
}

void wy_judge_mode(const wy_converge *c, int mode, bool damping, wy_pool *pool, wy_converge_result *out) {
  const bool buckling = c->scenario->analysis == WY_BUCKLING;
  wy_pool scratch = {NULL, false};
  double **courses = take_courses(&scratch, c->run_count, 1);
  char name[32];
  const int length = snprintf(name, sizeof name, "%s %d", buckling ? "factor" : damping ? "damping" : "mode", mode + 1);
  for (int i = 0; i < c->run_count && courses; i++)
    courses[i][0] = damping ? c->slots[i].modes[mode].damping_ratio : c->slots[i].modes[mode].value;
  const subject s = {c, NULL, 1, 1, courses};
  out->name = wy_pool_copy(pool, name, (size_t)length);
  out->unit = buckling || damping ? "1" : "rad/s";
  out->letters = "";
  if (courses)
    judge_subject(&s, pool, out);
  pool->failed = pool->failed || scratch.failed;
  wy_pool_release(&scratch);
}
