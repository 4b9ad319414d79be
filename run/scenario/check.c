/* SPDX-License-Identifier: MIT */
/* What is checked once the file is read: sizes, whether the analysis can do what it asks for, expressions at all output
   times, and what the library thinks of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"

wy_limits wy_scenario_limits = {.rows = 1e7, .bytes = 4e9, .work = 5e8};

double wy_rod_length(const wy_rod_def *rod) {
  double around = 6.28318530717958647692 * rod->shape.helix.radius;
  return rod->shape.helix.turns > 0 ? rod->shape.helix.turns * hypot(around, rod->shape.helix.pitch) : rod->length;
}

static void check_rows(wy_reader *r, const char *key, double step) {
  double rows = r->scenario->end / step;
  if (rows <= wy_scenario_limits.rows)
    return;
  char path[32], text[160];
  snprintf(path, sizeof path, "time.%s", key);
  snprintf(text, sizeof text, "found %g, which makes %.3g rows until %g; expected at most %.0f rows: %s >= %g", step,
           rows, r->scenario->end, wy_scenario_limits.rows, key, r->scenario->end / wy_scenario_limits.rows);
  wy_read_fail_path(r, path, text);
}

/* All points of the strands of a frame are in memory, in two precisions. */
static void check_strand_sizes(wy_reader *r) {
  double points = 0;
  for (int i = 0; i < r->scenario->strands_count; i++) {
    const wy_strands_def *def = &r->scenario->strands[i];
    int nodes = 0;
    for (int k = 0; k < def->guide_count; k++) /* elements of order 2 have two nodes each */
      nodes = 2 * r->rods[def->guides[k]].segments + 1 > nodes ? 2 * r->rods[def->guides[k]].segments + 1 : nodes;
    points += (double)def->count * nodes;
  }
  double most = wy_scenario_limits.bytes / 40;
  if (points > most)
    wy_read_fail(r, wy_yaml_find(r->root, "strands"),
                 "found strands with up to %.3g points in all; expected at most %.3g: fewer strands, or guides with "
                 "fewer segments",
                 points, most);
}

void wy_check_sizes(wy_reader *r) {
  if (wy_scenario_has_course(r->scenario)) {
    check_rows(r, "output", r->scenario->output);
    check_rows(r, "frames", r->scenario->snapshots);
  }
  double segments = 0;
  for (int i = 0; i < r->scenario->model.rod_count; i++)
    segments += r->rods[i].segments;
  const double most = wy_scenario_limits.bytes, bytes = wy_memory_estimate(&r->scenario->model, &r->scenario->sim);
  if (r->failed)
    return;
  if (bytes > most)
    wy_read_fail(r, wy_yaml_find(r->root, "rods"),
                 "found %.0f segments in all, which need about %.1f GB of memory; expected at most about %.0f segments "
                 "(%.1f GB)",
                 segments, bytes / 1e9, segments * most / bytes, most / 1e9);
  if (!r->failed)
    check_strand_sizes(r);
}

/* ---- The analysis ---- */

/* Equilibria know no moment at which something is let go. */
static void check_release(wy_reader *r, const char *path, double release) {
  const double last = r->scenario->end;
  if (r->failed || !(release <= last))
    return;
  char text[320];
  snprintf(text, sizeof text,
           "found %g, which is not after time.end = %g; expected a later time or none, since %s computes no motion "
           "after a release; use dynamics with initial: {from: statics}",
           release, last, wy_analysis_name(r->scenario->analysis));
  wy_read_fail_path(r, path, text);
}

/* Of everything that has one. */
static void check_releases(wy_reader *r) {
  static const char *const names[2] = {"start", "end"};
  const wy_scenario *scenario = r->scenario;
  char path[64];
  for (int i = 0; i < scenario->model.rod_count; i++)
    for (int end = 0; end < 2; end++) {
      snprintf(path, sizeof path, "rods[%d].ends.%s.release", i, names[end]);
      check_release(r, path, r->rods[i].ends[end].release);
    }
  for (int i = 0; i < scenario->model.body_count; i++) {
    snprintf(path, sizeof path, "bodies[%d].release", i);
    check_release(r, path, scenario->bodies[i].release);
  }
  for (int i = 0; i < scenario->model.joint_count; i++) {
    snprintf(path, sizeof path, "joints[%d].release", i);
    check_release(r, path, scenario->joints[i].release);
  }
}

static bool is_zero(const wy_signal signals[3]) {
  bool zero = true;
  for (int i = 0; i < 3; i++)
    zero = zero && !signals[i].evaluate && signals[i].value == 0;
  return zero;
}

/* Vibrations are those of an energy: moments, and forces that turn with the rod, have none. */
static void check_potential(wy_reader *r, int index) {
  const wy_load_def *load = &r->scenario->model.loads[index];
  bool follows = load->axes == WY_BODY_AXES && !is_zero(load->force), moment = !is_zero(load->moment);
  if (!follows && !moment)
    return;
  char path[64];
  snprintf(path, sizeof path, "loads[%d].%s", index, moment ? "moment" : "axes");
  wy_read_fail_path(r, path,
                    moment ? "found a moment; expected forces alone: this version cannot compute modes about an "
                             "equilibrium under a moment, since a moment has no potential energy"
                           : "found body; expected space: this version cannot compute modes about an equilibrium under "
                             "a force in body axes, since it has no potential energy");
}

/* The drag of a current has none either. */
static void check_current(wy_reader *r, int rod) {
  const wy_fluid *fluid = &r->rods[rod].fluid;
  const double *u = fluid->velocity.value;
  bool moves = fluid->velocity.evaluate || u[0] != 0 || u[1] != 0 || u[2] != 0;
  char path[64];
  if (!fluid->given || fluid->density == 0 || (fluid->normal == 0 && fluid->tangential == 0) || !moves)
    return;
  snprintf(path, sizeof path, "rods[%d].fluid", rod);
  wy_read_fail_path(
      r, path,
      "found a velocity; expected a fluid at rest: this version cannot compute modes and buckling in a current, since "
      "its drag has no potential energy");
}

/* The shapes of a rod or body are in the group /modes/NAME, beside these datasets. */
static void check_mode_name(wy_reader *r, const char *list, int index, const char *name) {
  static const char *const taken[] = {"omega", "damping_ratio", "factor"};
  char path[64], text[160];
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
    if (strcmp(name, taken[i]) != 0)
      continue;
    snprintf(path, sizeof path, "%s[%d].name", list, index);
    snprintf(text, sizeof text, "found '%s'; expected another name, since result.h5 has a dataset /modes/%s", taken[i],
             taken[i]);
    wy_read_fail_path(r, path, text);
  }
}

/* All rods are settled together, so all of them must ask for it. */
static void check_from_statics(wy_reader *r) {
  const wy_node *rods = wy_yaml_find(r->root, "rods"), *with = NULL, *without = NULL;
  for (const wy_node *rod = rods->first; rod; rod = rod->next) {
    const wy_node *from = wy_yaml_find(wy_yaml_find(rod, "initial"), "from");
    with = from && !with ? from : with;
    without = !from && !without ? rod : without;
  }
  if (with && without)
    wy_read_fail(r, with,
                 "found 'statics' here, but not at the rod '%s'; expected it at all rods or at none, since all rods "
                 "are brought to equilibrium at the start",
                 r->rods[without->index].name);
}

void wy_check_analysis(wy_reader *r) {
  wy_analysis analysis = r->scenario->analysis;
  wy_find_unused(r);
  if (analysis != WY_DYNAMICS)
    check_releases(r);
  const bool modes = analysis == WY_MODES || analysis == WY_BUCKLING;
  for (int i = 0; i < r->scenario->model.rod_count && modes; i++) {
    check_mode_name(r, "rods", i, r->rods[i].name);
    check_current(r, i);
  }
  for (int i = 0; i < r->scenario->model.body_count && modes; i++)
    check_mode_name(r, "bodies", i, r->bodies[i].name);
  for (int i = 0; i < r->scenario->model.load_count && analysis == WY_MODES; i++)
    check_potential(r, i);
  if (analysis == WY_DYNAMICS && r->scenario->from_statics)
    check_from_statics(r);
}

/* ---- Sampling ---- */

/* Arc lengths to sample: vertices and midpoints of the rod, within the range of the sample. Point k of 2 segments + 1.
 */
static double sample_arc(const wy_sample *sample, const wy_rod_def *rod, int k, double *vertex) {
  double length = wy_rod_length(rod);
  double h = rod->segment_lengths ? rod->segment_lengths[k / 2 < rod->segments ? k / 2 : rod->segments - 1]
                                  : length / rod->segments;
  double s = k % 2 == 0 ? *vertex : *vertex + 0.5 * h;
  if (k % 2 == 1)
    *vertex += h;
  double low = sample->to < 0 ? 0 : sample->from, high = sample->to < 0 ? length : sample->to;
  return fmin(fmax(s, low), high);
}

/* True if all numbers that the run needs are finite. */
static bool is_finite_at(const wy_sample *sample, double s, double t, double jet[3]) {
  if (!sample->derivatives && !sample->slope) {
    jet[0] = wy_expr_value(sample->expr, s, t);
    return isfinite(jet[0]);
  }
  wy_expr_evaluate(sample->expr, sample->slope ? WY_ARC : WY_TIME, s, t, jet);
  return isfinite(jet[0]) && isfinite(jet[1]) && (sample->slope || isfinite(jet[2]));
}

void wy_refuse_outside(wy_reader *r, const wy_node *node, const wy_spline *table, double at) {
  const wy_spline_def *def = wy_spline_definition(table);
  const char *variable = def->of == WY_TIME ? "t" : "s";
  wy_read_fail(r, node,
               "found '%.60s', which needs the table '%s' at %s = %.9g; it reaches from %s = %.9g to %.9g; expected a "
               "table that reaches that far, or outside: hold",
               node->text, def->name, variable, at, variable, def->argument[0], def->argument[def->rows - 1]);
}

static bool refuse_outside(wy_reader *r, const wy_sample *sample, double s, double t) {
  const wy_spline *table = wy_expr_outside(sample->expr, s, t);
  if (table)
    wy_refuse_outside(r, sample->node, table, wy_spline_definition(table)->of == WY_TIME ? t : s);
  return table != NULL;
}

static void refuse_sample(wy_reader *r, const wy_sample *sample, double s, double t, const double jet[3]) {
  unsigned depends = wy_expr_depends_on(sample->expr);
  char place[96] = "";
  int used = 0;
  if (depends & WY_TIME)
    used = snprintf(place, sizeof place, "t = %.9g", t);
  if (depends & WY_ARC)
    snprintf(place + used, sizeof place - (size_t)used, "%ss = %.9g", used ? ", " : "", s);
  if (isnan(jet[0]) && refuse_outside(r, sample, s, t))
    return;
  if (!isfinite(jet[0]))
    wy_read_fail(r, sample->node, "found '%.60s', which is %s at %s; expected a finite number", sample->node->text,
                 wy_read_not_finite(jet[0]), place);
  else
    wy_read_fail(r, sample->node, "found '%.60s', whose %s is %s at %s; expected a smooth %s", sample->node->text,
                 isfinite(jet[1]) ? "second derivative" : "first derivative",
                 wy_read_not_finite(isfinite(jet[1]) ? jet[2] : jet[1]), place, sample->slope ? "course" : "motion");
}

/* Narrows down on a change of value that the interval from a to b hides; true if it does not shrink with the interval:
 * a jump. */
static bool is_jump(const wy_sample *sample, double s, double a, double b, double *where, double *size) {
  double at_a = wy_expr_value(sample->expr, s, a), at_b = wy_expr_value(sample->expr, s, b), whole = fabs(at_b - at_a);
  for (int k = 0; k < 45; k++) {
    double middle = 0.5 * (a + b), value = wy_expr_value(sample->expr, s, middle);
    if (fabs(value - at_a) > fabs(at_b - value))
      b = middle, at_b = value;
    else
      a = middle, at_a = value;
  }
  *where = b;
  *size = at_b - at_a;
  return fabs(*size) > 1e-3 * whole && fabs(*size) > 1e-9;
}

/* What drives an end must be continuous: between two times it may change by what its rates allow, or else the place of
   a jump is looked for. */
static bool refuse_jump(wy_reader *r, const wy_sample *sample, double a, const double old[3], double b,
                        const double jet[3]) {
  double allowed = (b - a) * (fabs(old[1]) + fabs(jet[1]) + (b - a) * (fabs(old[2]) + fabs(jet[2]))), where, size;
  if (!(fabs(jet[0] - old[0]) > 2 * allowed + 1e-12) || !is_jump(sample, 0, a, b, &where, &size))
    return false;
  wy_read_fail(r, sample->node, "found '%.60s', which jumps by %.3g at t = %.6g; expected a continuous motion",
               sample->node->text, size, where);
  return true;
}

/* The least value of a tension so far and its time, and the largest. */
typedef struct tension_range {
  double least, least_at, most;
} tension_range;

static void widen(tension_range *range, double value, double t) {
  range->most = fmax(range->most, value);
  if (value < range->least) {
    range->least = value;
    range->least_at = t;
  }
}

/* Below 0 by round-off is 0. */
static void refuse_pushing(wy_reader *r, const wy_sample *sample, const tension_range *range) {
  if (sample->tension && range->least < -1e-12 * range->most)
    wy_read_fail(r, sample->node,
                 "found '%.60s', which is %.6g at t = %.9g; expected a tension that is not negative, since a tendon "
                 "cannot push",
                 sample->node->text, range->least, range->least_at);
}

/* At the start and at all output times. Beyond `work` times are thinned out, and places too if one time alone is more.
 */
static void check_sample(wy_reader *r, const wy_sample *sample, double work) {
  unsigned depends = wy_expr_depends_on(sample->expr);
  const wy_rod_def *rod = sample->rod >= 0 ? &r->rods[sample->rod] : NULL;
  bool has_course = wy_scenario_has_course(r->scenario);
  int points = (depends & WY_ARC) && rod ? 2 * rod->segments + 1 : 1;
  int times = !(depends & WY_TIME) ? 1 : has_course ? wy_scenario_row_count(r->scenario) : 2;
  double wanted = (double)points * times * sample->cost;
  int stride = wanted > work ? (int)fmin(ceil(wanted / work), times > 1 ? times - 1 : 1) : 1;
  int skip = (double)points * sample->cost > work ? (int)ceil(points * sample->cost / work) : 1;
  double before = 0, old[3] = {0};
  tension_range range = {0};
  for (int k = 0; k < times; k = k < times - 1 && k + stride > times - 1 ? times - 1 : k + stride) {
    double t = has_course ? wy_scenario_row_time(r->scenario, k) : k > 0 ? r->scenario->end : 0;
    double vertex = 0, jet[3] = {0};
    if (t > sample->until) /* nobody asks where a released end would be */
      break;
    for (int i = 0; i < points; i++) {
      double s = points > 1 ? sample_arc(sample, rod, i, &vertex) : 0;
      if ((i % skip == 0 || i == points - 1) && !is_finite_at(sample, s, t, jet)) {
        refuse_sample(r, sample, s, t, jet);
        return;
      }
    }
    if (sample->derivatives && has_course && k > 0 && refuse_jump(r, sample, before, old, t, jet))
      return;
    before = t;
    memcpy(old, jet, sizeof old);
    widen(&range, jet[0], t);
  }
  refuse_pushing(r, sample, &range);
}

void wy_check_samples(wy_reader *r) {
  for (int i = 0; i < r->scenario->model.rod_count + r->pattern_count; i++)
    if (!(wy_rod_length(&r->rods[i]) > 0) || r->rods[i].segments < 1)
      return;
  for (int i = 0; i < r->sample_count && !r->failed; i++)
    check_sample(r, &r->samples[i], wy_scenario_limits.work / r->sample_count);
}

/* ---- The library's opinion ---- */

/* Blames the rod's model where another one would do, else its own integrator or scheme, else the integrator of the
   file. */
static void refuse_method(wy_reader *r, int rod, const char *reason) {
  static const char *const keys[] = {"solver.integrator", "solver.scheme"};
  const wy_solver_def *solver = &r->solvers[rod];
  char path[64];
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    if (wy_method_possible(solver, (wy_rod_kind)kind, NULL) == WY_OK) {
      char text[400];
      snprintf(path, sizeof path, "rods[%d].model", rod);
      snprintf(text, sizeof text, "found %s: %.300s", wy_rod_kind_name(r->rods[rod].kind), reason);
      wy_read_fail_path(r, path, text);
      return;
    }
  for (int i = 0; i < 2; i++) {
    const char *rest;
    snprintf(path, sizeof path, "rods[%d].%s", rod, keys[i]);
    wy_yaml_follow(r->root, path, &rest);
    if (!*rest) {
      wy_read_fail_path(r, path, reason);
      return;
    }
  }
  wy_read_fail_path(r, keys[0], reason);
}

/* Of schemes for motions only, where equilibria are wanted. */
static void check_equilibria(wy_reader *r, int rod) {
  const char *scheme = r->solvers[rod].scheme, *rest;
  char path[64], text[320], able[128] = "";
  if (!r->scenario->sim.statics || wy_scheme_has_equilibria(scheme))
    return;
  for (int i = 0; wy_scheme_name(i); i++)
    if (wy_scheme_has_equilibria(wy_scheme_name(i)))
      snprintf(able + strlen(able), sizeof able - strlen(able), "%s%s", able[0] ? ", " : "", wy_scheme_name(i));
  bool moves = r->scenario->analysis == WY_DYNAMICS;
  snprintf(text, sizeof text, "the scheme '%s' cannot compute equilibria; expected one of %s for %s", scheme, able,
           moves ? "initial: {from: statics}" : wy_analysis_name(r->scenario->analysis));
  snprintf(path, sizeof path, "rods[%d].solver.scheme", rod);
  wy_yaml_follow(r->root, path, &rest);
  wy_read_fail_path(r, *rest ? "solver.scheme" : path, text);
}

/* Of bodies without rods. */
static void check_method_of_bodies(wy_reader *r) {
  wy_message message = {0};
  if (wy_method_possible(&r->solvers[0], WY_COSSERAT, &message) != WY_OK)
    wy_read_fail_path(r, "solver.integrator", message.text);
  check_equilibria(r, 0);
}

void wy_check_methods(wy_reader *r) {
  if (r->scenario->model.rod_count == 0)
    check_method_of_bodies(r);
  for (int i = 0; i < r->scenario->model.rod_count; i++) {
    const wy_solver_def *solver = &r->solvers[i];
    wy_message message = {0};
    if (wy_method_possible(solver, r->rods[i].kind, &message) != WY_OK)
      refuse_method(r, i, message.text);
    check_equilibria(r, i);
  }
}

/* The library speaks of `solver`; where rods have their own, this finds the one that it means. */
static void solver_path(const wy_reader *r, const wy_model *model, const wy_message *message, char *out, size_t size) {
  const wy_node *rods = wy_yaml_find(r->root, "rods");
  wy_sim_def single = r->scenario->sim;
  snprintf(out, size, "%s", message->path);
  single.rod_solvers = NULL;
  if (!rods || strncmp(message->path, "solver", strlen("solver")) != 0)
    return;
  for (const wy_node *rod = rods->first; rod; rod = rod->next) {
    const char *rest;
    wy_sim *sim = NULL;
    wy_message same = {0};
    wy_yaml_follow(rod, message->path, &rest);
    single.solver = r->solvers[rod->index];
    wy_status status = *rest ? WY_OK : wy_sim_create(model, &single, &sim, &same);
    wy_sim_destroy(sim);
    if (status != WY_OK && strcmp(same.text, message->text) == 0) {
      snprintf(out, size, "rods[%d].%s", rod->index, message->path);
      return;
    }
  }
}

/* The library speaks of `strands`: those number `index`. */
static void check_strands(wy_reader *r, const wy_model *model, wy_sim *sim, int index) {
  wy_strands *strands = NULL;
  wy_message message = {0};
  char path[160];
  wy_status status = wy_strands_create(model, sim, &r->scenario->strands[index], &strands, &message);
  if (status == WY_ERROR_MEMORY) {
    wy_read_no_memory(r);
  } else if (status != WY_OK) {
    const char *key = strchr(message.path, '.');
    snprintf(path, sizeof path, "strands[%d]%.100s", index, key ? key : "");
    wy_read_fail_path(r, path, message.text);
  }
  wy_strands_destroy(strands);
}

void wy_check_library(wy_reader *r) {
  wy_message message = {0};
  char path[160] = "";
  wy_status status = wy_model_create(&r->scenario->model, &r->model, &message);
  if (status == WY_OK)
    wy_choose_steps(r, r->model);
  else if (status != WY_ERROR_MEMORY)
    wy_read_fail_path(r, message.path, message.text);
  if (status == WY_OK && !r->failed) {
    status = wy_sim_create(r->model, &r->scenario->sim, &r->sim, &message);
    if (status != WY_OK && status != WY_ERROR_MEMORY) {
      solver_path(r, r->model, &message, path, sizeof path);
      wy_read_fail_path(r, path, message.text);
    }
  }
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  r->scenario->follows_path = r->scenario->analysis == WY_QUASISTATICS && wy_sim_group_count(r->sim) == 1 &&
                              r->solvers[0].statics.continuation == WY_ARC_LENGTH;
  for (int i = 0; i < r->scenario->strands_count && !r->failed; i++)
    check_strands(r, r->model, r->sim, i);
  if (!r->failed)
    wy_check_batches(r);
}
