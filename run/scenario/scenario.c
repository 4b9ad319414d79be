/* The scenario file from the top: version, time, gravity, loads, probes; and the life of a wy_scenario. */
#include "run/scenario/scenario.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "withy/sundials.h"

/* What a caller gets, and what it owns behind the scenes. */
typedef struct owner {
  wy_scenario scenario; /* first, so that the pointer to it is the pointer to the owner */
  wy_pool pool;
  wy_expr **exprs;
  int expr_count;
} owner;

/* ---- Output times ---- */

/* The number of whole intervals before the end. */
static double whole_intervals(double end, double step) {
  double ratio = end / step;
  double nearest = round(ratio);
  return fabs(nearest * step - end) <= 1e-9 * end ? nearest - 1 : floor(ratio);
}

int wy_scenario_time_count(double end, double step) {
  double count = whole_intervals(end, step) + 2;
  return count < INT_MAX ? (int)count : INT_MAX;
}

double wy_scenario_time(double end, double step, int k) {
  return k > whole_intervals(end, step) ? end : k * step;
}

bool wy_scenario_has_course(const wy_scenario *scenario) {
  return scenario->analysis == WY_DYNAMICS || scenario->analysis == WY_QUASISTATICS;
}

int wy_scenario_row_count(const wy_scenario *scenario) {
  return wy_scenario_has_course(scenario) ? wy_scenario_time_count(scenario->end, scenario->output) : 1;
}

double wy_scenario_row_time(const wy_scenario *scenario, int k) {
  return wy_scenario_has_course(scenario) ? wy_scenario_time(scenario->end, scenario->output, k) : scenario->end;
}

int wy_scenario_frame_count(const wy_scenario *scenario) {
  return wy_scenario_has_course(scenario) ? wy_scenario_time_count(scenario->end, scenario->frames) : 1;
}

double wy_scenario_frame_time(const wy_scenario *scenario, int k) {
  return wy_scenario_has_course(scenario) ? wy_scenario_time(scenario->end, scenario->frames, k) : scenario->end;
}

/* ---- Parts of the file ---- */

static void read_version(wy_reader *r) {
  const wy_node *node = wy_read_need(r, r->root, "withy");
  if (node && wy_read_number(r, node) != 1)
    wy_read_expected(r, node, "1, the format version that this program reads");
}

static void read_title(wy_reader *r) {
  const wy_node *node = wy_yaml_find(r->root, "title");
  r->scenario->title = node && node->kind != WY_NULL ? wy_read_text(r, node) : "";
}

const char *wy_analysis_name(wy_analysis analysis) {
  return wy_schema_analyses[analysis].name;
}

static void read_analysis(wy_reader *r) {
  r->scenario->analysis = (wy_analysis)wy_read_choice(r, wy_yaml_find(r->root, "analysis"), WY_DYNAMICS);
}

static double read_interval(wy_reader *r, const wy_node *time, const char *key, double otherwise) {
  const wy_node *node = wy_yaml_find(time, key);
  double end = r->scenario->end;
  if (!node)
    return otherwise;
  double step = wy_read_number(r, node);
  if (!r->failed && step > end * (1 + 1e-9))
    wy_read_expected(r, node, "at most the end of the run, %g", end);
  return step;
}

/* The time whose loads count, 0 where none is given. The other keys belong to a course in time; they are read, so that
   a file can be used for several analyses. */
static void read_moment(wy_reader *r) {
  const wy_node *node = wy_yaml_find(r->root, "time");
  if (!node || !wy_read_mapping(r, node))
    return;
  r->scenario->end = wy_read_optional(r, wy_yaml_find(node, "end"), 0);
  wy_read_number(r, wy_yaml_find(node, "output"));
  wy_read_number(r, wy_yaml_find(node, "frames"));
}

static void read_time(wy_reader *r) {
  const wy_node *node = wy_read_need(r, r->root, "time");
  if (!node || !wy_read_mapping(r, node))
    return;
  wy_scenario *scenario = r->scenario;
  scenario->end = wy_read_positive(r, wy_read_need(r, node, "end"));
  scenario->output = read_interval(r, node, "output", scenario->end / 100);
  scenario->frames = read_interval(r, node, "frames", scenario->output);
  scenario->sim.end = scenario->end;
}

int wy_read_rod_of(wy_reader *r, const wy_node *mapping) {
  const wy_node *node = wy_yaml_find(mapping, "rod");
  if (!node && r->scenario->model.rod_count == 1)
    return 0;
  node = wy_read_need(r, mapping, "rod");
  return node ? wy_read_rod_name(r, node) : 0;
}

/* ---- Loads ---- */

static void read_place(wy_reader *r, const wy_node *node, wy_load_def *out) {
  const wy_node *at = wy_yaml_find(node, "at"), *along = wy_yaml_find(node, "along");
  if (at && along)
    wy_read_fail(r, along, "found both at and along; expected one of them");
  else if (!at && !along)
    wy_read_fail(r, node, "found neither at nor along; expected at: start, end or an arc length, or along: [from, to]");
  if (r->failed)
    return;
  double range[2] = {0, 0};
  if (along) {
    out->place = WY_ALONG;
    wy_read_vector(r, along, range);
    out->from = range[0];
    out->to = range[1];
  } else if (wy_read_which(at)) {
    out->place = (wy_load_place)wy_read_which(at)->value;
  } else {
    out->place = WY_AT_ARC;
    out->from = wy_read_number(r, at);
  }
}

static void read_load(wy_reader *r, const wy_node *node, wy_load_def *out) {
  if (!wy_read_entry(r, node))
    return;
  out->rod = wy_read_rod_of(r, node);
  read_place(r, node, out);
  const wy_node *force = wy_yaml_find(node, "force"), *moment = wy_yaml_find(node, "moment");
  if (!force && !moment)
    wy_read_fail(r, node, "found neither force nor moment; expected at least one of them");
  unsigned allowed = out->place == WY_ALONG ? WY_TIME | WY_ARC : WY_TIME;
  r->rod = out->rod;
  int before = r->sample_count;
  wy_read_signals_of(r, force, allowed, out->force);
  wy_read_signals_of(r, moment, allowed, out->moment);
  for (int i = before; i < r->sample_count && out->place == WY_ALONG; i++) {
    r->samples[i].from = out->from;
    r->samples[i].to = out->to;
  }
  r->rod = -1;
  out->axes = (wy_axes)wy_read_choice(r, wy_yaml_find(node, "axes"), WY_SPACE_AXES);
}

void wy_read_loads(wy_reader *r) {
  const wy_node *list = wy_yaml_find(r->root, "loads");
  if (!list || !wy_read_list(r, list))
    return;
  wy_load_def *loads = wy_pool_take(r->pool, ((size_t)list->count + 1) * sizeof *loads);
  r->scenario->model.loads = loads;
  r->scenario->model.load_count = list->count;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    loads[node->index] = wy_default_load_def();
    read_load(r, node, &loads[node->index]);
  }
}

/* ---- Probes ---- */

static double read_arc(wy_reader *r, const wy_node *probe, int rod, bool ends_only) {
  const wy_node *at = wy_read_need(r, probe, "at");
  double length = r->failed ? 0 : wy_rod_length(&r->rods[rod]);
  const wy_word *place = wy_read_which(at);
  if (r->failed || place)
    return place && place->value == WY_AT_END ? length : 0;
  double s = wy_read_number(r, at), slack = 1e-12 * length;
  if (!r->failed && !(s >= -slack && s <= length + slack))
    wy_read_expected(r, at, "start, end, or an arc length from 0 to the rod's length %g", length);
  if (!r->failed && ends_only && s > slack && s < length - slack)
    wy_read_expected(r, at, "start or end, since a reaction is where a support is");
  return fmin(fmax(s, 0), length);
}

/* The columns that a probe fills: its name, or name.x and so on. `word` is one of them? */
static bool has_column(const wy_probe *probe, const char *word) {
  const char *letters = wy_quantity_describe(probe->quantity)->letters;
  size_t length = strlen(probe->name);
  if (strncmp(probe->name, word, length) != 0)
    return false;
  if (!letters[0])
    return word[length] == '\0';
  return word[length] == '.' && word[length + 1] && strchr(letters, word[length + 1]) && word[length + 2] == '\0';
}

static void check_probe_name(wy_reader *r, const wy_node *node, int index) {
  const wy_probe *probes = r->scenario->probes;
  const char *name = probes[index].name;
  size_t length = strlen(name);
  bool ok = length >= 1 && length <= 63 && name[0] != ' ' && name[length - 1] != ' ';
  for (size_t i = 0; i < length; i++)
    ok = ok && !iscntrl((unsigned char)name[i]) && !strchr(",\"'", name[i]);
  if (!ok)
    wy_read_expected(r, node, "a name of 1 to 63 characters without quotes and commas");
  if (strcmp(name, "t") == 0)
    wy_read_expected(r, node, "another name, since t is the column of time");
  for (int i = 0; i < index && !r->failed; i++)
    if (strcmp(probes[i].name, name) == 0 || has_column(&probes[i], name) || has_column(&probes[index], probes[i].name))
      wy_read_fail(r, node, "found '%s', which another probe (number %d) has as a column; expected names of their own",
                   name, i + 1);
}

static void read_probe_place(wy_reader *r, const wy_node *node, wy_probe *out) {
  const wy_quantity_info *info = wy_quantity_describe(out->quantity);
  const wy_node *rod = wy_yaml_find(node, "rod"), *at = wy_yaml_find(node, "at");
  if (info->place != WY_OF_ALL)
    out->rod = wy_read_rod_of(r, node);
  if (info->place == WY_AT_PLACE || info->place == WY_AT_ENDS)
    out->s = read_arc(r, node, out->rod, info->place == WY_AT_ENDS);
  else if (info->place == WY_OF_ROD && at)
    wy_read_fail(r, at, "found a place; expected none, since %s is that of the whole rod", info->name);
  else if (info->place == WY_OF_ALL && (rod || at))
    wy_read_fail(r, rod ? rod : at, "found a place; expected none, since %s is the sum over all rods", info->name);
}

static void read_probe(wy_reader *r, const wy_node *node, wy_probe *out) {
  if (!wy_read_entry(r, node))
    return;
  const wy_node *name = wy_read_need(r, node, "name");
  const wy_node *quantity = wy_read_need(r, node, "quantity");
  out->name = wy_read_text(r, name);
  out->quantity = (wy_quantity)wy_read_choice(r, quantity, WY_POSITION);
  out->rod = WY_ALL_RODS;
  if (r->failed)
    return;
  read_probe_place(r, node, out);
  if (!r->failed)
    check_probe_name(r, name, node->index);
}

void wy_read_probes(wy_reader *r) {
  const wy_node *list = wy_yaml_find(r->root, "probes");
  if (!list || !wy_read_list(r, list))
    return;
  if (list->count > WY_MOST_PROBES) {
    wy_read_expected(r, list, "at most %d probes", WY_MOST_PROBES);
    return;
  }
  wy_probe *probes = wy_pool_take(r->pool, ((size_t)list->count + 1) * sizeof *probes);
  r->scenario->probes = probes;
  r->scenario->probe_count = list->count;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next)
    read_probe(r, node, &probes[node->index]);
}

/* ---- The whole ---- */

static void read_top(wy_reader *r) {
  if (r->root->kind == WY_NULL) {
    wy_read_fail(r, NULL, "found an empty file; expected a scenario with withy, time and rods");
    return;
  }
  if (!wy_read_mapping(r, r->root))
    return;
  read_version(r);
  read_title(r);
  wy_read_names(r);
  read_analysis(r);
  if (wy_scenario_has_course(r->scenario))
    read_time(r);
  else
    read_moment(r);
  wy_read_vector(r, wy_yaml_find(r->root, "gravity"), r->scenario->model.gravity);
  wy_read_rods(r);
  wy_read_loads(r);
  wy_read_actuators(r);
  wy_read_probes(r);
  wy_read_strands(r);
  wy_read_solvers(r);
}

static void check(wy_reader *r) {
  if (!r->failed)
    wy_check_methods(r);
  if (!r->failed)
    wy_check_steps(r);
  if (!r->failed)
    wy_check_sizes(r);
  if (!r->failed)
    wy_check_analysis(r);
  if (!r->failed)
    wy_check_samples(r);
  if (!r->failed)
    wy_check_library(r);
}

/* The tree of the file with the settings applied, or NULL with the reason. */
static wy_node *read_tree(wy_pool *pool, const char *label, const char *text, const char *const *settings, int count,
                          wy_scenario_error *error) {
  wy_yaml_error reason = {0};
  wy_node *root = wy_yaml_read(pool, text, &reason);
  for (int i = 0; root && i < count; i++)
    if (!wy_yaml_set(pool, root, settings[i], &reason))
      root = NULL;
  if (!root && reason.line > 0)
    snprintf(error->text, sizeof error->text, "%s:%d: %s", label, reason.line, reason.text);
  else if (!root)
    snprintf(error->text, sizeof error->text, "%s: %s", label, reason.text);
  if (!root && reason.line > 0)
    snprintf(error->excerpt, sizeof error->excerpt, "%s", reason.excerpt);
  for (char *p = root ? NULL : error->text; p && *p; p++)
    if (iscntrl((unsigned char)*p))
      *p = ' ';
  return root;
}

wy_status wy_scenario_read(const char *label, const char *name, const char *text, const char *const *settings,
                           int setting_count, wy_scenario **scenario, wy_scenario_error *error) {
  wy_scenario_error unread;
  error = error ? error : &unread;
  *scenario = NULL;
  error->excerpt[0] = '\0';
  owner *own = calloc(1, sizeof *own);
  if (!own) {
    snprintf(error->text, sizeof error->text, "%s: out of memory", label);
    return WY_ERROR_MEMORY;
  }
  wy_scenario *filled = &own->scenario;
  filled->name = wy_pool_copy(&own->pool, name, strlen(name));
  filled->text = wy_pool_copy(&own->pool, text, strlen(text));
  filled->model = wy_default_model_def();
  filled->sim = wy_default_sim_def();
  filled->sim.solver.more = wy_sundials();
  wy_reader r = {.label = label, .pool = &own->pool, .scenario = filled, .error = error, .rod = -1};
  r.root = read_tree(&own->pool, label, filled->text, settings, setting_count, error);
  r.failed = !r.root;
  if (!r.failed && !(r.scope = wy_expr_scope_create()))
    wy_read_fail(&r, NULL, "out of memory");
  if (!r.failed)
    read_top(&r);
  check(&r);
  wy_expr_scope_destroy(r.scope);
  own->exprs = r.exprs;
  own->expr_count = r.expr_count;
  if (r.failed) {
    wy_scenario_destroy(filled);
    return WY_ERROR_INPUT;
  }
  *scenario = filled;
  return WY_OK;
}

void wy_scenario_destroy(wy_scenario *scenario) {
  if (!scenario)
    return;
  owner *own = (owner *)scenario;
  for (int i = 0; i < own->expr_count; i++)
    wy_expr_destroy(own->exprs[i]);
  wy_pool_release(&own->pool);
  free(own);
}
