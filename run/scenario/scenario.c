/* SPDX-License-Identifier: MIT */
/* The scenario file from the top: version, time, gravity, loads, probes. */
#include "run/scenario/scenario.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"

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
  return scenario && (scenario->analysis == WY_DYNAMICS || scenario->analysis == WY_QUASISTATICS);
}

static int time_count(const wy_scenario *scenario, double step) {
  return wy_scenario_has_course(scenario) ? wy_scenario_time_count(scenario->end, step) : 1;
}

static double time_of(const wy_scenario *scenario, double step, int k) {
  if (k < 0 || k >= time_count(scenario, step))
    return NAN;
  return wy_scenario_has_course(scenario) ? wy_scenario_time(scenario->end, step, k) : scenario->end;
}

int wy_scenario_row_count(const wy_scenario *scenario) {
  return scenario ? time_count(scenario, scenario->output) : 0;
}

double wy_scenario_row_time(const wy_scenario *scenario, int k) {
  return scenario ? time_of(scenario, scenario->output, k) : (double)NAN;
}

int wy_scenario_snapshot_count(const wy_scenario *scenario) {
  return scenario ? time_count(scenario, scenario->snapshots) : 0;
}

double wy_scenario_snapshot_time(const wy_scenario *scenario, int k) {
  return scenario ? time_of(scenario, scenario->snapshots, k) : (double)NAN;
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
  return (unsigned)analysis <= WY_BUCKLING ? wy_schema_analyses[analysis].name : NULL;
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
  scenario->snapshots = read_interval(r, node, "frames", scenario->output);
  scenario->sim.end = scenario->end;
}

int wy_read_rod_of(wy_reader *r, const wy_node *mapping, bool patterns) {
  const wy_node *node = wy_yaml_find(mapping, "rod");
  if (!node && (patterns ? r->scenario->model.rod_count : r->ordinary) == 1)
    return 0;
  node = wy_read_need(r, mapping, "rod");
  const int rod = node ? wy_read_rod_name(r, node) : 0;
  if (node && !r->failed && !patterns && rod >= r->ordinary)
    wy_read_fail(r, node,
                 "found '%s', the pattern of a batch, which is no rod of its own; expected another rod, or the "
                 "batch where there is a key for it",
                 node->text);
  return rod;
}

/* ---- Loads ---- */

/* Keys of loads on rods have no meaning on a body. */
static void read_on_body(wy_reader *r, const wy_node *node, wy_load_def *out) {
  static const char *const others[] = {"rod", "at", "along"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const wy_node *other = wy_yaml_find(node, others[i]);
    if (other)
      wy_read_fail(r, other, "found %s together with body; expected one of them", others[i]);
  }
  out->place = WY_AT_BODY;
  out->body = wy_read_body_name(r, wy_yaml_find(node, "body"));
  wy_read_vector(r, wy_yaml_find(node, "point"), out->point);
}

static void read_on_rod(wy_reader *r, const wy_node *node, wy_load_def *out) {
  const wy_node *at = wy_yaml_find(node, "at"), *along = wy_yaml_find(node, "along");
  const wy_node *point = wy_yaml_find(node, "point");
  if (point)
    wy_read_fail(r, point, "found point without body; expected it with body: NAME");
  out->rod = wy_read_rod_of(r, node, true);
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
  out->name = wy_read_name_of(r, node);
  if (wy_yaml_find(node, "body"))
    read_on_body(r, node, out);
  else
    read_on_rod(r, node, out);
  const wy_node *force = wy_yaml_find(node, "force"), *moment = wy_yaml_find(node, "moment");
  if (!force && !moment)
    wy_read_fail(r, node, "found neither force nor moment; expected at least one of them");
  unsigned allowed = out->place == WY_ALONG ? WY_TIME | WY_ARC : WY_TIME;
  r->rod = out->place == WY_AT_BODY ? -1 : out->rod;
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
  wy_load_def *loads = wy_read_take(r, ((size_t)list->count + 1) * sizeof *loads);
  if (r->failed)
    return;
  r->scenario->model.loads = r->scenario->loads = loads;
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
    wy_read_expected(r, at, "start or end, since only supports have reactions");
  return fmin(fmax(s, 0), length);
}

/* A probe fills the column NAME, or NAME.x and so on where its quantity has components. */
static const char *letters_of(const wy_probe *probe) {
  return wy_quantity_describe(probe->quantity)->letters;
}

static int first_of(int one, int other) {
  return one < 0 || (other >= 0 && other < one) ? other : one;
}

/* The first probe before this one that has its name, or one of whose columns has it, or whose name is one of its
   columns; or -1. */
static int find_clash(const wy_names *names, const wy_probe *probes, const wy_probe *probe) {
  size_t length = strlen(probe->name);
  int clash = wy_names_find(names, probe->name, length);
  if (length > 2 && probe->name[length - 2] == '.') {
    int stem = wy_names_find(names, probe->name, length - 2);
    bool is_column = stem >= 0 && strchr(letters_of(&probes[stem]), probe->name[length - 1]);
    clash = is_column ? first_of(clash, stem) : clash;
  }
  for (const char *c = letters_of(probe); *c; c++) {
    char column[80];
    int written = snprintf(column, sizeof column, "%.63s.%c", probe->name, *c);
    clash = first_of(clash, wy_names_find(names, column, (size_t)written));
  }
  return clash;
}

static void check_probe_name(wy_reader *r, const wy_node *node, int index, wy_names *names) {
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
  int clash = r->failed ? -1 : find_clash(names, probes, &probes[index]);
  if (clash >= 0)
    wy_read_fail(r, node, "found '%s', which is also a column of probe number %d; expected another name", name,
                 clash + 1);
  if (!r->failed && !wy_names_add(names, r->pool, name, index))
    wy_read_no_memory(r);
}

static void read_probe_place(wy_reader *r, const wy_node *node, wy_probe *out) {
  const wy_quantity_info *info = wy_quantity_describe(out->quantity);
  const wy_node *rod = wy_yaml_find(node, "rod"), *at = wy_yaml_find(node, "at");
  if (info->place == WY_OF_OBSTACLE) /* which has been refused */
    return;
  if (info->place == WY_OF_JOINT) {
    wy_read_expected(r, wy_yaml_find(node, "quantity"), "a quantity of a rod, or a joint with this one");
    return;
  }
  if (info->place != WY_OF_ALL)
    out->rod = wy_read_rod_of(r, node, false);
  wy_check_gap(r, node, out);
  if (info->place == WY_AT_PLACE || info->place == WY_AT_ENDS)
    out->s = read_arc(r, node, out->rod, info->place == WY_AT_ENDS);
  else if (info->place == WY_OF_ROD && at)
    wy_read_fail(r, at, "found a place; expected none, since %s belongs to the whole rod", info->name);
  else if (info->place == WY_OF_ALL && (rod || at))
    wy_read_fail(r, rod ? rod : at, "found a place; expected none, since %s is the sum over all rods", info->name);
}

/* Columns of what is known of all rods of a batch together. */
static const char *const shares[] = {"mean", "least", "largest"};
enum { SHARES = sizeof shares / sizeof shares[0] };

/* Their names are taken, too: `NAME.mean` and so on. */
static void take_shares(wy_reader *r, const wy_node *node, int index, wy_names *names) {
  for (int i = 0; i < SHARES && !r->failed; i++) {
    char column[80];
    const int length = snprintf(column, sizeof column, "%.63s.%s", node->text, shares[i]);
    const int clash = wy_names_find(names, column, (size_t)length);
    if (clash >= 0)
      wy_read_fail(r, node, "found '%s', whose column %s is that of probe number %d; expected another name", node->text,
                   column, clash + 1);
    else if (!wy_names_add(names, r->pool, wy_read_copy(r, column, (size_t)length), index))
      wy_read_no_memory(r);
  }
}

/* Returns whether it is a probe of a batch. */
static bool read_probe(wy_reader *r, const wy_node *node, wy_names *names, wy_probe *out, wy_probe_part *part,
                       wy_batch_probe *of_batch) {
  if (!wy_read_entry(r, node))
    return false;
  const wy_node *name = wy_read_need(r, node, "name");
  const wy_node *quantity = wy_read_need(r, node, "quantity");
  out->name = wy_read_text(r, name);
  out->quantity = (wy_quantity)wy_read_choice(r, quantity, WY_POSITION);
  out->rod = WY_ALL_RODS;
  if (r->failed)
    return false;
  const bool batched = wy_read_batch_probe(r, node, out->quantity, of_batch);
  if (!batched && !wy_read_probe_part(r, node, out, part))
    read_probe_place(r, node, out);
  if (!r->failed)
    check_probe_name(r, name, node->index, names);
  if (batched && !r->failed) {
    of_batch->name = out->name;
    take_shares(r, name, node->index, names);
  }
  return batched;
}

void wy_read_probes(wy_reader *r) {
  const wy_node *list = wy_yaml_find(r->root, "probes");
  if (!list || !wy_read_list(r, list))
    return;
  if (list->count > WY_MOST_PROBES) {
    wy_read_expected(r, list, "at most %d probes", WY_MOST_PROBES);
    return;
  }
  wy_probe *probes = wy_read_take(r, ((size_t)list->count + 1) * sizeof *probes);
  wy_probe_part *parts = wy_read_take(r, ((size_t)list->count + 1) * sizeof *parts);
  wy_batch_probe *of_batches = wy_read_take(r, ((size_t)list->count + 1) * sizeof *of_batches);
  bool *batched = wy_read_take(r, ((size_t)list->count + 1) * sizeof *batched);
  wy_scenario *scenario = r->scenario;
  wy_names names = {0};
  if (r->failed)
    return;
  scenario->probes = probes;
  scenario->probe_parts = parts;
  scenario->batch_probes = of_batches;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    wy_batch_probe *next = &of_batches[scenario->batch_probe_count];
    batched[node->index] = read_probe(r, node, &names, &probes[node->index], &parts[node->index], next);
    scenario->batch_probe_count += batched[node->index];
  }
  for (int i = 0; i < list->count && !r->failed; i++)
    if (!batched[i]) {
      probes[scenario->probe_count] = probes[i];
      parts[scenario->probe_count++] = parts[i];
    }
}

/* NAME, or NAME.x and so on where there are letters. */
static void name_column(wy_reader *r, const char *name, const char *letters, const char **columns) {
  wy_scenario *scenario = r->scenario;
  if (!*letters)
    columns[scenario->column_count++] = name;
  for (const char *letter = letters; *letter && !r->failed; letter++) {
    size_t size = strlen(name) + sizeof ".x";
    char *column = wy_read_take(r, size);
    if (column)
      snprintf(column, size, "%s.%c", name, *letter);
    columns[scenario->column_count++] = column;
  }
}

static void name_batch_columns(wy_reader *r, const wy_batch_probe *probe, const char **columns) {
  for (int i = 0; i < SHARES && !r->failed; i++) {
    char name[80];
    const int length = snprintf(name, sizeof name, "%.63s.%s", probe->name, shares[i]);
    name_column(r, wy_read_copy(r, name, (size_t)length), wy_quantity_describe(probe->quantity)->letters, columns);
  }
}

/* The columns of all probes, in their order. */
static void name_columns(wy_reader *r) {
  wy_scenario *scenario = r->scenario;
  int count = 0;
  for (int i = 0; i < scenario->probe_count; i++)
    count += wy_quantity_describe(scenario->probes[i].quantity)->components;
  for (int i = 0; i < scenario->batch_probe_count; i++)
    count += SHARES * wy_quantity_describe(scenario->batch_probes[i].quantity)->components;
  const char **columns = wy_read_take(r, ((size_t)count + 1) * sizeof *columns);
  scenario->columns = columns;
  for (int i = 0; i < scenario->probe_count && !r->failed; i++)
    name_column(r, scenario->probes[i].name, letters_of(&scenario->probes[i]), columns);
  for (int i = 0; i < scenario->batch_probe_count && !r->failed; i++)
    name_batch_columns(r, &scenario->batch_probes[i], columns);
}

/* ---- The whole ---- */

void wy_read_top(wy_reader *r) {
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
  wy_read_fluid(r, wy_yaml_find(r->root, "fluid"), &r->fluid);
  wy_part_patterns(r);
  wy_expand_copies(r);
  wy_read_rods(r);
  wy_read_network(r);
  wy_read_contact(r);
  wy_read_loads(r);
  wy_read_actuators(r);
  wy_read_probes(r);
  if (!r->failed)
    name_columns(r);
  wy_read_strands(r);
  wy_read_solvers(r);
  wy_read_batches(r);
  wy_take_patterns(r);
}

void wy_check_top(wy_reader *r) {
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
    wy_choose_spaces(r);
  if (!r->failed)
    wy_check_library(r);
}
