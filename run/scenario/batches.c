/* SPDX-License-Identifier: MIT */
/* The key `batches`: mappings into wy_scenario_batch. Numbers that differ from rod to rod are evaluated here, once.
   Which patterns are possible is the library's business. */
#include "run/scenario/batches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/tree/suggest.h"

/* ---- What differs ---- */

/* Keys of `vary`, and the numbers of the library. */
static const struct {
  const char *key;
  wy_batch_number number;
  wy_sign sign;
} varied[] = {{"length", WY_BATCH_LENGTH, WY_POSITIVE},
              {"section.radius", WY_BATCH_RADIUS, WY_POSITIVE},
              {"material.young", WY_BATCH_YOUNG, WY_POSITIVE},
              {"material.density", WY_BATCH_DENSITY, WY_POSITIVE},
              {"damping", WY_BATCH_DAMPING, WY_NOT_NEGATIVE},
              {"drag.translation", WY_BATCH_DRAG, WY_NOT_NEGATIVE},
              {"loads", WY_BATCH_LOADS, WY_ANY_SIGN},
              {"shape.curvature", WY_BATCH_CURVATURE, WY_ANY_SIGN},
              {"initial.velocity", WY_BATCH_VELOCITY, WY_ANY_SIGN}};
enum { VARIED = sizeof varied / sizeof varied[0] };

const char *wy_vary_key(int index, wy_batch_number *number) {
  if (index < 0 || index >= VARIED)
    return NULL;
  *number = varied[index].number;
  return varied[index].key;
}

static const wy_node *find_vary(const wy_node *batch, int k) {
  return wy_yaml_find(wy_yaml_find(batch, "vary"), varied[k].key);
}

static bool is_range(const wy_node *node) {
  return node && node->kind == WY_MAPPING && !wy_yaml_find(node, "file");
}

/* `size` values of each rod that the sign of the number allows. */
static void check_values(wy_reader *r, const wy_node *node, int k, const double *values, int count, int size) {
  for (int i = 0; i < count && !r->failed; i++) {
    const bool good = varied[k].sign == WY_POSITIVE       ? values[i] > 0
                      : varied[k].sign == WY_NOT_NEGATIVE ? values[i] >= 0
                                                          : true;
    char found[128];
    wy_yaml_describe(node, found, sizeof found);
    if (!good || !isfinite(values[i]))
      wy_read_fail(r, node, "found %s, which is %g for rod %d; expected %s", found, values[i], i / size,
                   varied[k].sign == WY_POSITIVE       ? "a number > 0 for every rod"
                   : varied[k].sign == WY_NOT_NEGATIVE ? "a number >= 0 for every rod"
                                                       : "a finite number for every rod");
  }
}

void wy_random_numbers(uint64_t seed, int rod, uint32_t used, double numbers[WY_EXPR_NUMBERS]) {
  numbers[0] = rod;
  for (int k = 1; k < WY_EXPR_NUMBERS; k++)
    if (used >> k & 1) {
      const double u = wy_random_unit(wy_random_bits(seed, (uint64_t)rod, (uint64_t)k));
      numbers[k] = k <= 10 ? u : wy_normal(u);
    }
}

void wy_read_per_rod(wy_reader *r, const wy_node *node, uint64_t seed, int count, int stride, double *out) {
  const wy_expr *expr = wy_read_expression(r, node);
  double numbers[WY_EXPR_NUMBERS] = {0};
  const uint32_t used = wy_expr_numbers(expr);
  for (int i = 0; expr && i < count; i++) {
    wy_random_numbers(seed, i, used, numbers);
    out[(size_t)i * (size_t)stride] = wy_expr_value_of(expr, numbers);
    if (isfinite(out[(size_t)i * (size_t)stride]))
      continue;
    wy_read_fail(r, node, "found '%.60s', which is %s for rod %d; expected a finite number", node->text,
                 wy_read_not_finite(out[(size_t)i * (size_t)stride]), i);
    return;
  }
}

/* A list of numbers, one a rod. */
static void read_listed(wy_reader *r, const wy_node *list, int count, double *out) {
  if (list->count != count)
    wy_read_expected(r, list, "%d numbers, one for each rod", count);
  for (const wy_node *node = list->first; node && !r->failed; node = node->next)
    out[node->index] = wy_read_expression(r, node) ? wy_expr_value(r->exprs[r->expr_count - 1], NAN, NAN) : 0;
}

/* A list of rows of 3 numbers, one a rod. */
static void read_rows(wy_reader *r, const wy_node *list, int count, double *out) {
  if (list->count != count)
    wy_read_expected(r, list, "%d rows of 3 numbers, one for each rod", count);
  for (const wy_node *row = list->first; row && !r->failed; row = row->next)
    if (row->kind == WY_LIST && row->count == 3)
      read_listed(r, row, 3, out + 3 * (size_t)row->index);
    else
      wy_read_expected(r, row, "a row of 3 numbers");
}

static void read_column(wy_reader *r, const wy_node *node, int count, double *out) {
  const wy_node *file = wy_yaml_find(node, "file"), *name = wy_yaml_find(node, "column");
  const wy_csv *csv = wy_read_columns(r, file, false);
  int column = 0;
  if (!csv)
    return;
  if (csv->rows != count)
    wy_read_fail(r, file, "found a file of %d rows; expected %d, one for each rod", csv->rows, count);
  else if (!name && csv->columns != 1)
    wy_read_fail(r, node, "found no column for a file with %d of them; expected column: NAME", csv->columns);
  if (name && !r->failed) {
    const char *wanted = wy_read_text(r, name),
               *close = csv->names ? wy_suggest(wanted, csv->names, csv->columns) : NULL;
    while (csv->names && column < csv->columns && strcmp(csv->names[column], wanted) != 0)
      column++;
    if (!csv->names || column == csv->columns)
      wy_read_expected(r, name, "the name of a column of the file%s%s%s", close ? "; did you mean '" : "",
                       close ? close : "", close ? "'?" : "");
  }
  for (int i = 0; i < count && !r->failed; i++)
    out[i] = csv->values[(size_t)i * (size_t)csv->columns + (size_t)column];
}

/* Value number `index` of a range. */
static void read_range(wy_reader *r, const wy_node *node, int every, int count, double *out) {
  const wy_node *from = wy_read_need(r, node, "from"), *to = wy_read_need(r, node, "to"),
                *scale = wy_yaml_find(node, "scale");
  const int values = wy_read_integer(r, wy_read_need(r, node, "count"), 1);
  const double a = wy_read_number(r, from), b = wy_read_number(r, to);
  const bool ratios = wy_read_choice(r, scale, false);
  if (!r->failed && ratios && !(a > 0 && b > 0))
    wy_read_fail(r, scale, "found from %g to %g; expected both > 0 with scale: log", a, b);
  if (!r->failed && values == 1 && a != b)
    wy_read_expected(r, wy_yaml_find(node, "count"), "a whole number > 1, since from and to differ");
  if (!r->failed && !(fabs(a) <= WY_SPREAD_MOST && fabs(b) <= WY_SPREAD_MOST))
    wy_read_expected(r, fabs(a) <= WY_SPREAD_MOST ? to : from, "a number of size %g at most", WY_SPREAD_MOST);
  for (int i = 0; i < count && !r->failed; i++)
    out[i] = values == 1 ? a : wy_spread(a, b, i / every % values, values - 1, ratios);
}

/* Rods after which the next value of this range comes: the product of the counts of the ranges behind it. */
static int stride_of(wy_reader *r, const wy_node *vary, const wy_node *node) {
  int every = 1;
  for (const wy_node *other = vary->first; other && !r->failed; other = other->next)
    if (other->index > node->index && is_range(other))
      every *= wy_read_integer(r, wy_yaml_find(other, "count"), 1);
  return every;
}

static void read_number(wy_reader *r, const wy_node *node, int k, wy_scenario_batch *out) {
  const int size = wy_batch_number_size(varied[k].number), count = out->def.count;
  double *values = wy_read_take(r, (size_t)count * (size_t)size * sizeof *values);
  if (r->failed)
    return;
  if (size == 3 && node->kind == WY_LIST && node->first && node->first->kind == WY_LIST) {
    read_rows(r, node, count, values);
  } else if (size == 3) {
    if (node->kind != WY_LIST || node->count != 3)
      wy_read_refuse(r, node);
    for (const wy_node *child = node->first; child && !r->failed; child = child->next)
      wy_read_per_rod(r, child, out->seed, count, size, values + child->index);
  } else if (node->kind == WY_LIST) {
    read_listed(r, node, count, values);
  } else if (node->kind == WY_MAPPING && wy_read_mapping(r, node)) {
    if (is_range(node))
      read_range(r, node, stride_of(r, node->parent, node), count, values);
    else
      read_column(r, node, count, values);
  } else {
    wy_read_per_rod(r, node, out->seed, count, 1, values);
  }
  if (!r->failed)
    check_values(r, node, k, values, count * size, size);
  out->numbers[varied[k].number] = values;
}

/* ---- How many ---- */

/* What ranges, lists and files give: 0 where nothing gives a number. `of` is where it comes from. */
static double given_count(wy_reader *r, const wy_node *batch, const wy_node **of) {
  const wy_node *vary = wy_yaml_find(batch, "vary"), *roots = wy_yaml_find(batch, "roots");
  double product = 0;
  for (const wy_node *node = vary ? vary->first : NULL; node && !r->failed; node = node->next)
    if (is_range(node) && wy_read_mapping(r, node)) {
      product = (product > 0 ? product : 1) * wy_read_integer(r, wy_read_need(r, node, "count"), 1);
      *of = node;
    }
  const int rows = product > 0 || r->failed ? 0 : wy_read_root_rows(r, roots);
  if (rows > 0)
    *of = wy_yaml_find(roots, "file");
  return product > 0 ? product : rows;
}

static int read_count(wy_reader *r, const wy_node *batch) {
  const wy_node *node = wy_yaml_find(batch, "count"), *of = NULL;
  const double given = given_count(r, batch, &of);
  if (r->failed)
    return 1;
  if (given > WY_MOST_BATCHED) {
    wy_read_fail(r, of, "found %.6g rods in all; expected at most %d", given, WY_MOST_BATCHED);
    return 1;
  }
  if (!node && given > 0)
    return (int)given;
  const int count = wy_read_integer(r, wy_read_need(r, batch, "count"), 1);
  if (!r->failed && of && given > 0 && count != (int)given)
    wy_read_expected(r, node, "%d, the number of rods that %s", (int)given,
                     of->kind == WY_MAPPING ? "the ranges of `vary` give" : "the file of roots has");
  return r->failed ? 1 : count;
}

/* ---- Motion ---- */

static int find_obstacle(const wy_reader *r, const char *name) {
  for (int i = 0; i < r->scenario->model.obstacle_count; i++)
    if (strcmp(r->scenario->obstacles[i].name, name) == 0)
      return i;
  return -1;
}

/* Names of obstacles and bodies. */
static void refuse_followed(wy_reader *r, const wy_node *node) {
  const wy_scenario *scenario = r->scenario;
  const char *names[WY_SCHEMA_MOST] = {0};
  char list[512];
  int count = 0;
  for (int i = 0; i < scenario->model.obstacle_count && count < WY_SCHEMA_MOST / 2; i++)
    names[count++] = scenario->obstacles[i].name;
  for (int i = 0; i < scenario->model.body_count && count < WY_SCHEMA_MOST; i++)
    names[count++] = scenario->bodies[i].name;
  const char *close = wy_suggest(node->text, names, count);
  wy_schema_join(names, count, list, sizeof list);
  if (count == 0)
    wy_read_expected(r, node, "the name of an obstacle or a body; there are none in this scenario");
  else
    wy_read_expected(r, node, "the name of an obstacle or a body: %s%s%s%s", list, close ? "; did you mean '" : "",
                     close ? close : "", close ? "'?" : "");
}

static void read_follow(wy_reader *r, const wy_node *node, wy_scenario_motion *out) {
  const char *name = wy_read_text(r, node);
  const int obstacle = r->failed ? -1 : find_obstacle(r, name);
  const int body = r->failed ? -1 : wy_names_find(&r->body_names, name, strlen(name));
  if (r->failed)
    return;
  if (obstacle < 0 && body < 0) {
    refuse_followed(r, node);
    return;
  }
  out->body = body;
  if (obstacle < 0)
    return;
  const wy_obstacle_def *of = &r->scenario->obstacles[obstacle];
  out->body = of->body;
  memcpy(out->position, of->position, sizeof out->position);
  memcpy(out->rotation_axis, of->rotation_axis, sizeof out->rotation_axis);
  out->angle = of->angle;
}

static void read_motion(wy_reader *r, const wy_node *node, wy_scenario_motion *out) {
  *out = (wy_scenario_motion){.body = -1, .rotation_axis = {0, 0, 1}};
  if (!node || !wy_read_mapping(r, node) || node->kind == WY_NULL)
    return;
  const wy_node *follow = wy_yaml_find(node, "follow"), *position = wy_yaml_find(node, "position"),
                *rotation = wy_yaml_find(node, "rotation");
  out->moves = true;
  if (follow && (position || rotation))
    wy_read_fail(r, follow, "found follow together with %s; expected either follow, or position and rotation",
                 position ? "position" : "rotation");
  else if (!follow && !position && !rotation)
    wy_read_fail(r, node, "found none of follow, position and rotation; expected at least one of them");
  if (follow)
    read_follow(r, follow, out);
  if (position && (position->kind != WY_LIST || position->count != 3))
    wy_read_refuse(r, position);
  for (const wy_node *child = position ? position->first : NULL; child && !r->failed; child = child->next)
    out->position[child->index] = wy_read_motion(r, child);
  if (rotation && wy_read_mapping(r, rotation)) {
    wy_read_direction(r, wy_read_need(r, rotation, "axis"), out->rotation_axis);
    out->angle = wy_read_motion(r, wy_read_need(r, rotation, "angle"));
  }
}

/* The pattern must have a start that can be taken along, and no motion of its own there. */
static void check_start(wy_reader *r, const wy_node *motion, const wy_rod_def *pattern) {
  const wy_end *start = &pattern->ends[WY_START];
  bool held = start->rotation != WY_FREE, driven = start->rotation == WY_DRIVEN;
  for (int k = 0; k < 3; k++) {
    held = held || start->position[k] != WY_FREE;
    driven = driven || start->position[k] == WY_DRIVEN;
  }
  if (r->failed || !motion)
    return;
  if (!held)
    wy_read_fail(r, motion,
                 "found a motion of roots that are free; expected ends: {start: clamped}, or another support, "
                 "at the rod '%s'",
                 pattern->name);
  else if (driven)
    wy_read_fail(r, motion,
                 "found a motion of the roots, whose ends are driven already (rod '%s'); expected one of both",
                 pattern->name);
}

/* ---- Record ---- */

static int compare_numbers(const void *a, const void *b) {
  const int one = *(const int *)a, other = *(const int *)b;
  return (one > other) - (one < other);
}

static void read_chosen(wy_reader *r, const wy_node *list, wy_scenario_batch *out) {
  if (list->kind != WY_LIST || list->count == 0) {
    wy_read_refuse(r, list);
    return;
  }
  int *rods = wy_read_take(r, (size_t)list->count * sizeof *rods);
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    const double number = wy_read_number(r, node);
    if (!r->failed && (!(number >= 0 && number < out->def.count) || number != floor(number)))
      wy_read_expected(r, node, "the number of a rod, from 0 to %d", out->def.count - 1);
    if (!r->failed)
      rods[node->index] = (int)number;
  }
  if (r->failed)
    return;
  qsort(rods, (size_t)list->count, sizeof *rods, compare_numbers);
  for (int i = 1; i < list->count && !r->failed; i++)
    if (rods[i] == rods[i - 1])
      wy_read_fail(r, list, "found rod %d twice; expected each rod once", rods[i]);
  out->recorded = rods;
  out->recorded_count = list->count;
}

static void read_record(wy_reader *r, const wy_node *node, wy_scenario_batch *out) {
  enum { USUAL = 200 };
  const wy_node *every = wy_yaml_find(node, "every"), *chosen = wy_yaml_find(node, "rods");
  if (node && !wy_read_mapping(r, node))
    return;
  if (every && chosen) {
    wy_read_fail(r, every, "found every together with rods; expected one of them");
    return;
  }
  if (chosen) {
    read_chosen(r, chosen, out);
    return;
  }
  const int step = wy_read_integer(r, every, (out->def.count + USUAL - 1) / USUAL);
  out->recorded_count = r->failed ? 0 : (out->def.count + step - 1) / step;
  int *rods = wy_read_take(r, (size_t)out->recorded_count * sizeof *rods);
  for (int i = 0; rods && i < out->recorded_count; i++)
    rods[i] = i * step;
  out->recorded = rods;
}

/* ---- Batches ---- */

static void check_name(wy_reader *r, const wy_node *node, const char *name, wy_names *taken, int index) {
  if (r->failed)
    return;
  if (wy_names_find(taken, name, strlen(name)) >= 0)
    wy_read_fail(r, node, "found '%s' a second time; expected another name", name);
  else if (wy_names_find(r->rod_names, name, strlen(name)) >= 0)
    wy_read_fail(r, node, "found '%s', which is a rod; expected a name of its own", name);
  else if (!wy_names_add(taken, r->pool, name, index))
    wy_read_no_memory(r);
}

/* Its number among the patterns. */
static int read_pattern(wy_reader *r, const wy_node *batch) {
  const wy_node *node = wy_yaml_find(batch, "rod");
  if (!node && r->scenario->model.rod_count != 1)
    node = wy_read_need(r, batch, "rod");
  if (r->failed)
    return 0;
  const int rod = node ? wy_read_rod_name(r, node) : 0;
  if (r->failed)
    return 0;
  const wy_node *entry = wy_yaml_at(wy_yaml_find(r->root, "rods"), rod),
                *from = wy_yaml_find(wy_yaml_find(entry, "initial"), "from");
  if (from)
    wy_read_fail(r, from,
                 "found from: statics in the pattern of a batch; expected none, since batches begin with the "
                 "undeformed rods");
  return rod;
}

static void read_method(wy_reader *r, const wy_node *node, wy_batch_def *out) {
  const wy_node *substeps = wy_yaml_find(node, "substeps");
  if (!wy_read_which(substeps))
    out->substeps = wy_read_integer(r, substeps, 0);
  out->retries = wy_read_integer(r, wy_yaml_find(node, "retries"), out->retries);
  out->tolerance = wy_read_optional(r, wy_yaml_find(node, "tolerance"), out->tolerance);
  out->precision = (wy_batch_precision)wy_read_choice(r, wy_yaml_find(node, "precision"), (int)out->precision);
  out->device = (wy_batch_device)wy_read_choice(r, wy_yaml_find(node, "device"), (int)out->device);
  out->integrator = (wy_batch_integrator)wy_read_choice(r, wy_yaml_find(node, "integrator"), (int)out->integrator);
}

static void read_batch(wy_reader *r, const wy_node *node, wy_names *taken, wy_scenario_batch *out) {
  if (!wy_read_entry(r, node))
    return;
  const wy_node *name = wy_read_need(r, node, "name"), *vary = wy_yaml_find(node, "vary"),
                *motion = wy_yaml_find(node, "motion");
  out->name = wy_read_name(r, name);
  check_name(r, name, out->name, taken, node->index);
  const int rod = read_pattern(r, node);
  if (r->failed || !wy_read_mapping(r, vary) || !wy_read_mapping(r, wy_yaml_find(node, "roots")))
    return;
  const wy_rod_def *pattern = &r->rods[rod];
  out->def.rod = rod - r->ordinary;
  out->def.staggered = r->solvers[rod].staggered;
  out->def.staggered.coordinates = WY_NULLSPACE; /* as all batches */
  out->def.count = read_count(r, node);
  out->seed = (uint64_t)wy_read_integer(r, wy_yaml_find(node, "seed"), 1);
  read_method(r, node, &out->def);
  out->numbers[WY_BATCH_ROOT] =
      r->failed ? NULL : wy_read_roots(r, wy_yaml_find(node, "roots"), pattern, out->def.count, out->seed);
  for (int k = 0; k < VARIED && !r->failed; k++) {
    const wy_node *value = find_vary(node, k);
    if (value && value->kind != WY_NULL)
      read_number(r, value, k, out);
  }
  read_motion(r, motion, &out->motion);
  check_start(r, motion, pattern);
  read_record(r, wy_yaml_find(node, "record"), out);
}

void wy_read_batches(wy_reader *r) {
  const wy_node *list = r->failed ? NULL : wy_yaml_find(r->root, "batches");
  if (!list || !wy_read_list(r, list) || list->kind != WY_LIST || list->count == 0)
    return;
  wy_scenario_batch *batches = wy_read_take(r, (size_t)list->count * sizeof *batches);
  wy_names taken = {0};
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    batches[node->index].def = wy_default_batch_def();
    read_batch(r, node, &taken, &batches[node->index]);
  }
  r->scenario->batches = batches;
  r->scenario->batch_count = list->count;
}
