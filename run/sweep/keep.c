/* SPDX-License-Identifier: MIT */
/* The key `keep` of a plan: what is kept of each run. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "run/sweep/plan.h"
#include "run/tree/suggest.h"

/* ---- Columns of probes.csv ---- */

static int find_column(const wy_scenario *scenario, const char *name) {
  for (int i = 0; i < scenario->column_count; i++)
    if (strcmp(scenario->columns[i], name) == 0)
      return i;
  return -1;
}

/* The unit of a column: columns of batches stand behind those of other probes, mean, least and largest value of each.
 */
static const char *unit_of(const wy_scenario *scenario, int column) {
  enum { SHARES = 3 };
  const int probes = scenario->probe_count;
  for (int i = 0, first = 0; i < probes + scenario->batch_probe_count; i++) {
    const wy_quantity_info *info =
        wy_quantity_describe(i < probes ? scenario->probes[i].quantity : scenario->batch_probes[i - probes].quantity);
    first += (i < probes ? 1 : SHARES) * info->components;
    if (column < first)
      return info->unit;
  }
  return "";
}

static void refuse_column(wy_reader *r, const wy_node *node, const wy_scenario *scenario) {
  const int count = scenario->column_count;
  char list[512];
  const char *close = wy_suggest(node->text, scenario->columns, count);
  wy_schema_join(scenario->columns, count, list, sizeof list);
  if (count == 0)
    wy_read_expected(r, node, "a column of probes.csv; the scenario has no probes");
  else
    wy_read_expected(r, node, "a column of probes.csv: %s%s%s%s", list, close ? "; did you mean '" : "",
                     close ? close : "", close ? "'?" : "");
}

/* All columns of a probe, or the one of that name. */
static void read_series(wy_reader *r, wy_plan *plan, const wy_node *name, const wy_node *probe,
                        const wy_scenario *scenario) {
  wy_kept_series *series = &plan->series[plan->series_count++];
  int first = find_column(scenario, wy_read_text(r, probe)), count = 1;
  for (int i = 0, at = 0; i < scenario->probe_count && first < 0 && !r->failed; i++) {
    const int components = wy_quantity_describe(scenario->probes[i].quantity)->components;
    if (strcmp(scenario->probes[i].name, probe->text) == 0) {
      first = at;
      count = components;
    }
    at += components;
  }
  if (first < 0 && !r->failed)
    refuse_column(r, probe, scenario);
  const char **columns = wy_read_take(r, (size_t)count * sizeof *columns);
  for (int i = 0; i < count && !r->failed; i++)
    columns[i] = wy_read_copy(r, scenario->columns[first + i], strlen(scenario->columns[first + i]));
  *series = (wy_kept_series){name->key, columns, count};
}

/* ---- One quantity ---- */

static void read_probe(wy_reader *r, const wy_node *mapping, const wy_scenario *scenario, wy_kept *kept) {
  const wy_node *probe = wy_yaml_find(mapping, "probe"), *of = wy_yaml_find(mapping, "of");
  kept->kind = WY_KEPT_PROBE;
  kept->of = (wy_keep_of)wy_read_choice(r, of, WY_KEEP_END);
  kept->column = wy_read_text(r, probe);
  const int column = find_column(scenario, kept->column);
  if (!r->failed && kept->of > WY_KEEP_SERIES)
    wy_read_expected(r, of, "end, start, min, max, mean, rms, range or series, of a probe");
  else if (!r->failed && column < 0)
    refuse_column(r, probe, scenario);
  if (!r->failed)
    kept->unit = unit_of(scenario, column);
}

static void read_mode(wy_reader *r, const wy_node *mapping, const wy_scenario *scenario, wy_kept *kept) {
  const bool buckling = scenario->analysis == WY_BUCKLING;
  const wy_node *mode = wy_yaml_find(mapping, "mode"), *of = wy_yaml_find(mapping, "of");
  kept->kind = WY_KEPT_MODE;
  kept->of = (wy_keep_of)wy_read_choice(r, of, buckling ? WY_KEEP_FACTOR : WY_KEEP_OMEGA);
  kept->mode = wy_read_integer(r, mode, 1);
  const bool fits =
      buckling ? kept->of == WY_KEEP_FACTOR : kept->of >= WY_KEEP_OMEGA && kept->of <= WY_KEEP_DAMPING_RATIO;
  if (!r->failed && scenario->analysis != WY_MODES && !buckling)
    wy_read_fail(r, mode, "found a mode, but the analysis is %s; expected it with modes or buckling",
                 wy_analysis_name(scenario->analysis));
  else if (!r->failed && !fits)
    wy_read_expected(r, of, buckling ? "factor, of buckling" : "omega, frequency or damping_ratio, of a mode");
  else if (!r->failed && kept->mode > scenario->modes)
    wy_read_expected(r, mode, "a whole number from 1 to %d, the number of modes of the scenario", scenario->modes);
  kept->unit = kept->of == WY_KEEP_OMEGA ? "rad/s" : kept->of == WY_KEEP_FREQUENCY ? "Hz" : "1";
}

static void read_run(wy_reader *r, const wy_node *mapping, const wy_scenario *scenario, wy_kept *kept) {
  const wy_node *run = wy_yaml_find(mapping, "run"), *of = wy_yaml_find(mapping, "of");
  kept->kind = WY_KEPT_RUN;
  kept->run = (wy_keep_run)wy_read_choice(r, run, WY_KEEP_STEPS);
  kept->unit = kept->run == WY_KEEP_SECONDS ? "s" : "1";
  if (!r->failed && of)
    wy_read_fail(r, of, "found of beside run; expected it with probe or mode");
  if (!r->failed && kept->run == WY_KEEP_DRIFT && scenario->analysis != WY_DYNAMICS)
    wy_read_fail(r, run, "found drift, but the analysis is %s; expected it with dynamics",
                 wy_analysis_name(scenario->analysis));
}

/* Of the names before it: their values do not matter here. */
static void read_expression(wy_reader *r, const wy_node *node, const wy_expr_scope *scope, wy_kept *kept) {
  wy_expr_error error;
  wy_expr *expr = NULL;
  kept->kind = WY_KEPT_EXPRESSION;
  kept->unit = "";
  kept->text = wy_read_text(r, node);
  if (r->failed)
    return;
  const wy_status status = wy_expr_compile(scope, kept->text, 0, &expr, &error);
  wy_expr_destroy(expr);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    wy_read_fail(r, node,
                 "found '%.60s', column %d: %s; expected {probe: ...}, {mode: ...}, {run: ...}, or an "
                 "expression of the names before it",
                 kept->text, error.column, error.text);
}

/* ---- All of them ---- */

static bool is_identifier(const char *name) {
  bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
  for (const char *at = name; *at; at++)
    good = good && (isalnum((unsigned char)*at) || *at == '_');
  return good && strlen(name) <= 63;
}

/* Names are columns of sweep.csv and names in expressions. */
static void check_name(wy_reader *r, const wy_node *node, const wy_plan *plan) {
  static const char *const taken[] = {"point", "status", "message"};
  bool free = true;
  for (int i = 0; i < 3; i++)
    free = free && strcmp(node->key, taken[i]) != 0;
  for (int i = 0; i < plan->points.axis_count; i++)
    free = free && strcmp(node->key, plan->points.axes[i].path) != 0;
  if (!is_identifier(node->key))
    wy_read_fail(r, node, "found the name '%.60s'; expected letters, digits and _, not a digit first", node->key);
  else if (!free)
    wy_read_fail(r, node, "found the name '%.60s', which another column of sweep.csv has; expected another name",
                 node->key);
}

static bool keeps_series(const wy_node *node) {
  const wy_node *of = wy_yaml_find(node, "of");
  return of && of->kind == WY_SCALAR && strcmp(of->text, "series") == 0 && wy_yaml_find(node, "probe");
}

static void read_mapping(wy_reader *r, const wy_node *node, const wy_scenario *scenario, wy_kept *kept) {
  const bool probe = wy_yaml_find(node, "probe"), mode = wy_yaml_find(node, "mode"), run = wy_yaml_find(node, "run");
  if (!wy_read_mapping(r, node))
    return;
  if (probe + mode + run != 1)
    wy_read_expected(r, node, "one of the keys probe, mode and run");
  else if (probe)
    read_probe(r, node, scenario, kept);
  else if (mode)
    read_mode(r, node, scenario, kept);
  else
    read_run(r, node, scenario, kept);
}

static void read_one(wy_reader *r, const wy_node *node, wy_plan *plan, const wy_scenario *scenario,
                     wy_expr_scope *scope) {
  wy_expr_error error;
  check_name(r, node, plan);
  if (!r->failed && node->kind == WY_MAPPING && keeps_series(node) && wy_read_mapping(r, node)) {
    read_series(r, plan, node, wy_yaml_find(node, "probe"), scenario);
    return;
  }
  if (r->failed)
    return;
  wy_kept *kept = &plan->kept[plan->kept_count++];
  *kept = (wy_kept){.name = node->key, .unit = ""};
  if (node->kind == WY_SCALAR)
    read_expression(r, node, scope, kept);
  else if (node->kind == WY_MAPPING)
    read_mapping(r, node, scenario, kept);
  else
    wy_read_expected(r, node, "{probe: ...}, {mode: ...}, {run: ...}, or an expression of the names before it");
  const wy_status status = r->failed ? WY_OK : wy_expr_scope_constant(scope, node->key, 1, &error);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    wy_read_fail(r, node, "%s", error.text);
}

/* Every column at the end, then all modes. */
static void keep_all(wy_reader *r, wy_plan *plan, const wy_scenario *scenario) {
  const bool buckling = scenario->analysis == WY_BUCKLING;
  const int modes = buckling || scenario->analysis == WY_MODES ? scenario->modes : 0;
  plan->kept = wy_read_take(r, (size_t)(scenario->column_count + modes) * sizeof *plan->kept);
  for (int i = 0; i < scenario->column_count && !r->failed; i++) {
    const char *name = wy_read_copy(r, scenario->columns[i], strlen(scenario->columns[i]));
    plan->kept[plan->kept_count++] = (wy_kept){.name = name, .unit = unit_of(scenario, i), .column = name};
  }
  for (int i = 1; i <= modes && !r->failed; i++) {
    char name[32];
    const int length = snprintf(name, sizeof name, "%s_%d", buckling ? "factor" : "omega", i);
    plan->kept[plan->kept_count++] = (wy_kept){.name = wy_read_copy(r, name, (size_t)length),
                                               .kind = WY_KEPT_MODE,
                                               .of = buckling ? WY_KEEP_FACTOR : WY_KEEP_OMEGA,
                                               .unit = buckling ? "1" : "rad/s",
                                               .mode = i};
  }
}

void wy_plan_read_keep(wy_reader *r, wy_plan *plan, const wy_scenario *scenario) {
  const wy_node *keep = wy_yaml_find(r->root, "keep");
  if (!keep || keep->kind == WY_NULL) {
    keep_all(r, plan, scenario);
    return;
  }
  if (keep->kind != WY_MAPPING || keep->count == 0) {
    wy_read_refuse(r, keep);
    return;
  }
  plan->kept = wy_read_take(r, (size_t)keep->count * sizeof *plan->kept);
  plan->series = wy_read_take(r, (size_t)keep->count * sizeof *plan->series);
  wy_expr_scope *scope = wy_expr_scope_create();
  if (!scope)
    wy_read_no_memory(r);
  for (const wy_node *node = keep->first; node && !r->failed; node = node->next)
    read_one(r, node, plan, scenario, scope);
  wy_expr_scope_destroy(scope);
}
