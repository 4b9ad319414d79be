/* SPDX-License-Identifier: MIT */
/* The keys `vary`, `combine`, `count` and `seed` of a plan: its points. */
#include <math.h>
#include <string.h>

#include "run/sweep/plan.h"

enum { MOST_AXES = 1000, MOST_SLICES = 50000000 };

static void read_list(wy_reader *r, const wy_node *node, wy_axis *axis) {
  const char **texts = wy_read_take(r, (size_t)node->count * sizeof *texts);
  if (!r->failed && node->count == 0)
    wy_read_expected(r, node, "a list of at least one value");
  for (const wy_node *child = node->first; child && !r->failed; child = child->next)
    texts[child->index] = wy_plan_value_text(r, child);
  axis->kind = WY_AXIS_LIST;
  axis->texts = texts;
  axis->count = node->count;
}

/* A number of a range: so large ones would overflow between the ends. */
static double read_end(wy_reader *r, const wy_node *mapping, const char *key) {
  const wy_node *node = wy_read_need(r, mapping, key);
  const double value = node ? wy_read_number(r, node) : 0;
  if (!r->failed && !(fabs(value) <= WY_SPREAD_MOST))
    wy_read_expected(r, node, "a number of size %g at most", WY_SPREAD_MOST);
  return value;
}

/* Keys that have no meaning beside others. */
static void refuse_keys(wy_reader *r, const wy_node *mapping, const char *const *keys, const char *why) {
  for (; *keys && !r->failed; keys++) {
    const wy_node *node = wy_yaml_find(mapping, *keys);
    if (node)
      wy_read_fail(r, node, "found %s together with %s; expected from and to, or mean and deviation", *keys, why);
  }
}

static void read_range(wy_reader *r, const wy_node *node, wy_axis *axis) {
  const wy_node *scale = wy_yaml_find(node, "scale"), *count = wy_yaml_find(node, "count");
  static const char *const others[] = {"mean", "deviation", NULL};
  refuse_keys(r, node, others, "from and to");
  axis->from = read_end(r, node, "from");
  axis->to = read_end(r, node, "to");
  axis->ratios = wy_read_choice(r, scale, 0) == 1;
  axis->kind = count ? WY_AXIS_RANGE : WY_AXIS_UNIFORM;
  axis->count = count ? wy_read_integer(r, count, 0) : 0;
  if (!r->failed && axis->ratios && !(axis->from > 0 && axis->to > 0))
    wy_read_fail(r, scale, "found from %g to %g; expected both > 0 with scale: log", axis->from, axis->to);
  if (!r->failed && axis->count == 1 && axis->from != axis->to)
    wy_read_expected(r, count, "a whole number > 1, since from and to differ");
}

static void read_normal(wy_reader *r, const wy_node *node, wy_axis *axis) {
  static const char *const others[] = {"from", "to", "count", "scale", NULL};
  refuse_keys(r, node, others, "mean and deviation");
  axis->kind = WY_AXIS_NORMAL;
  axis->mean = read_end(r, node, "mean");
  axis->deviation = read_end(r, node, "deviation");
}

void wy_plan_check_path(wy_reader *r, const wy_node *node) {
  if (!node->key[0] || strpbrk(node->key, "=\n\r"))
    wy_read_fail(r, node,
                 "found a path with '=' or without a key; expected a key of the scenario, such as "
                 "rods.arm.segments");
}

static void read_axis(wy_reader *r, const wy_node *node, wy_axis *axis) {
  axis->path = node->key;
  axis->line = node->line;
  axis->unit = "";
  wy_plan_check_path(r, node);
  if (r->failed)
    return;
  if (node->kind == WY_LIST) {
    read_list(r, node, axis);
    return;
  }
  if (node->kind != WY_MAPPING) {
    wy_read_expected(r, node, "a list, a range {from, to, count}, or a distribution {mean, deviation}");
    return;
  }
  wy_read_mapping(r, node);
  const wy_node *unit = wy_yaml_find(node, "unit");
  axis->unit = unit ? wy_plan_value_text(r, unit) : "";
  if (unit && !r->failed)
    wy_read_text(r, unit);
  if (wy_yaml_find(node, "mean") || wy_yaml_find(node, "deviation"))
    read_normal(r, node, axis);
  else
    read_range(r, node, axis);
}

/* Lists and ranges with a count where points are combinations of them; of equal length side by side. */
static void check_axis(wy_reader *r, const wy_node *node, const wy_point_set *points, const wy_axis *axis) {
  const bool side = points->combine == WY_ZIP;
  if (!r->failed && points->combine == WY_SOBOL && points->seed == 0 && axis->kind == WY_AXIS_NORMAL)
    wy_read_fail(r, node,
                 "found a distribution with combine: sobol and seed: 0, whose first point is 0 of 1 in every "
                 "key, the end of the distribution; expected another seed");
  if (r->failed || (points->combine != WY_GRID && !side))
    return;
  if (axis->kind == WY_AXIS_UNIFORM)
    wy_read_fail(r, node,
                 "found a range without count; expected count with combine: %s, or combine: latin, sobol or "
                 "random",
                 side ? "zip" : "grid");
  else if (axis->kind == WY_AXIS_NORMAL)
    wy_read_fail(r, node, "found a distribution with combine: %s; expected combine: latin, sobol or random",
                 side ? "zip" : "grid");
  else if (side && axis->count != points->axes[0].count)
    wy_read_fail(r, node, "found %d value%s with combine: zip; expected %d, as %s has", axis->count,
                 axis->count == 1 ? "" : "s", points->axes[0].count, points->axes[0].path);
}

static void read_vary(wy_reader *r, wy_point_set *points) {
  const wy_node *vary = wy_read_need(r, r->root, "vary");
  if (r->failed)
    return;
  if (vary->kind == WY_MAPPING && vary->count == 0) {
    wy_read_fail(r, vary,
                 "found an empty mapping; expected at least one key of the scenario, such as "
                 "rods.arm.segments: [10, 20]");
    return;
  }
  if (vary->kind != WY_MAPPING || vary->count > MOST_AXES) {
    wy_read_refuse(r, vary);
    return;
  }
  if (points->combine == WY_SOBOL && vary->count > WY_SOBOL_DIMENSIONS) {
    wy_read_fail(r, vary, "found %d keys; expected at most %d with combine: sobol", vary->count, WY_SOBOL_DIMENSIONS);
    return;
  }
  if (points->combine == WY_LATIN && (double)vary->count * points->count > MOST_SLICES) {
    wy_read_fail(r, vary, "found %d keys and %d points; expected at most %d values with combine: latin", vary->count,
                 points->count, MOST_SLICES);
    return;
  }
  points->axes = wy_read_take(r, (size_t)vary->count * sizeof *points->axes);
  for (const wy_node *node = vary->first; node && !r->failed; node = node->next) {
    wy_axis *axis = &points->axes[points->axis_count++];
    read_axis(r, node, axis);
    check_axis(r, node, points, axis);
  }
}

void wy_plan_read_points(wy_reader *r, wy_point_set *points) {
  const wy_node *count = wy_yaml_find(r->root, "count"), *seed = wy_yaml_find(r->root, "seed");
  const wy_node *combine = wy_yaml_find(r->root, "combine");
  points->combine = (wy_combine)wy_read_choice(r, combine, WY_GRID);
  points->seed = (uint64_t)wy_read_integer(r, seed, 1);
  const bool given = points->combine == WY_GRID || points->combine == WY_ZIP;
  if (count && given)
    wy_read_fail(r, count,
                 "found count with combine: %s, whose number of points follows from vary; expected it with "
                 "latin, sobol or random",
                 points->combine == WY_GRID ? "grid" : "zip");
  else if (!given)
    points->count = wy_read_integer(r, wy_read_need(r, r->root, "count"), 1);
  read_vary(r, points);
  if (!r->failed && !wy_points_prepare(points, r->pool))
    wy_read_no_memory(r);
  if (!r->failed && points->count > WY_PLAN_MOST_POINTS)
    wy_read_fail(r, wy_yaml_find(r->root, "vary"), "found more than %d points; expected less", WY_PLAN_MOST_POINTS);
}
