/* SPDX-License-Identifier: MIT */
/* The key `ends`: what holds or drives the ends of a rod, into wy_end. */
#include <math.h>

#include "run/scenario/reader.h"

wy_signal wy_read_motion(wy_reader *r, const wy_node *node) {
  int before = r->sample_count;
  wy_signal signal = wy_read_signal(r, node);
  if (r->sample_count > before)
    r->samples[before].derivatives = true;
  return signal;
}

void wy_read_position(wy_reader *r, const wy_node *node, wy_hold position[3], wy_signal path[3]) {
  const wy_word *all = wy_read_which(node);
  if (!node)
    return;
  if (!all && node->kind != WY_LIST) {
    wy_read_refuse(r, node);
    return;
  }
  if (!all && node->count != 3) {
    wy_read_expected(r, node, "a list of 3, each an expression of t, held or free");
    return;
  }
  const wy_node *child = node->first;
  for (int i = 0; i < 3; i++, child = child ? child->next : NULL) {
    const wy_word *word = all ? all : wy_read_which(child);
    position[i] = word ? (wy_hold)word->value : WY_DRIVEN;
    if (!word)
      path[i] = wy_read_motion(r, child);
  }
}

/* Signals that the run differentiates twice. */
static void read_motions(wy_reader *r, const wy_node *node, wy_signal *out) {
  const int before = r->sample_count;
  wy_read_signals(r, node, out);
  for (int i = before; i < r->sample_count; i++)
    r->samples[i].derivatives = true;
}

/* Which of the three ways to give a rotation the mapping has: exactly one. */
static void choose_rotation(wy_reader *r, const wy_node *node, wy_end *out) {
  const bool angle = wy_yaml_find(node, "axis") || wy_yaml_find(node, "angle");
  const bool directors = wy_yaml_find(node, "d3") || wy_yaml_find(node, "d1");
  const wy_node *quaternion = wy_yaml_find(node, "quaternion"), *axes = wy_yaml_find(node, "axes");
  const wy_word *word = wy_read_word(r, axes);
  if (angle + directors + (quaternion != NULL) != 1)
    wy_read_fail(r, node, "found %s; expected one of quaternion, d3 with d1, axis with angle",
                 angle || directors || quaternion ? "several rotations" : "no rotation");
  else if (directors && word && word->value == WY_FROM_UNDEFORMED)
    wy_read_expected(r, axes, "space, since d3 and d1 are directions in space");
  out->rotation_by = quaternion ? WY_BY_QUATERNION : directors ? WY_BY_DIRECTORS : WY_BY_ANGLE;
  out->rotation_from = directors || (word && word->value == WY_FROM_SPACE) ? WY_FROM_SPACE : WY_FROM_UNDEFORMED;
}

static void read_rotation(wy_reader *r, const wy_node *node, wy_end *out) {
  const wy_word *word = wy_read_which(node);
  if (!node)
    return;
  out->rotation = word ? (wy_hold)word->value : WY_DRIVEN;
  if (word)
    return;
  if (node->kind != WY_MAPPING)
    wy_read_refuse(r, node);
  if (!wy_read_mapping(r, node))
    return;
  choose_rotation(r, node, out);
  if (out->rotation_by == WY_BY_ANGLE) {
    wy_read_direction(r, wy_read_need(r, node, "axis"), out->axis);
    out->angle = wy_read_motion(r, wy_read_need(r, node, "angle"));
  } else if (out->rotation_by == WY_BY_QUATERNION) {
    read_motions(r, wy_yaml_find(node, "quaternion"), out->quaternion);
  } else {
    read_motions(r, wy_read_need(r, node, "d3"), out->d3);
    read_motions(r, wy_read_need(r, node, "d1"), out->d1);
  }
}

/* The columns of these names as signals; false if the table has none of them. */
static bool take_columns(wy_reader *r, const wy_node *node, const wy_spline *table, const char *const *names, int count,
                         wy_signal *out) {
  int found = 0, missing = 0;
  for (int i = 0; i < count; i++) {
    const int column = wy_spline_column(table, names[i]);
    found += column >= 0;
    missing = column < 0 ? i : missing;
    out[i] = column < 0 ? wy_constant(0) : wy_spline_signal(table, column);
  }
  if (found > 0 && found < count)
    wy_read_fail(r, node, "found a table without the column '%s'; expected x, y, z, or qw, qx, qy, qz, or all of them",
                 names[missing]);
  return found > 0;
}

/* The run asks for it from 0 to its end, or to the release. */
static void check_reach(wy_reader *r, const wy_node *node, const wy_spline *table, double release) {
  const wy_spline_def *def = wy_spline_definition(table);
  const double last = fmin(r->scenario->end, release), slack = 1e-9 * last;
  if (def->of != WY_TIME)
    wy_read_expected(r, node, "a table of t");
  else if (def->outside == WY_OUTSIDE_REFUSE && def->argument[0] > 0)
    wy_refuse_outside(r, node, table, 0);
  else if (def->outside == WY_OUTSIDE_REFUSE && def->argument[def->rows - 1] < last - slack)
    wy_refuse_outside(r, node, table, last);
}

static void read_path(wy_reader *r, const wy_node *end, wy_end *out) {
  static const char *const places[] = {"x", "y", "z"}, *const turns[] = {"qw", "qx", "qy", "qz"};
  const wy_node *node = wy_yaml_find(end, "path"), *axes = wy_yaml_find(end, "axes");
  const wy_spline *table = node ? wy_read_table_name(r, node) : NULL;
  bool turning = false;
  if (table) {
    check_reach(r, node, table, out->release);
    const bool moving = take_columns(r, node, table, places, 3, out->path);
    turning = take_columns(r, node, table, turns, 4, out->quaternion);
    if (!moving && !turning)
      wy_read_fail(r, node, "found a table without x, y, z and without qw, qx, qy, qz; expected some of these columns");
    if (moving && wy_yaml_find(end, "position"))
      wy_read_fail(r, node, "found a path with x, y, z together with position; expected one of them");
    if (turning && wy_yaml_find(end, "rotation"))
      wy_read_fail(r, node, "found a path with qw, qx, qy, qz together with rotation; expected one of them");
    for (int i = 0; i < 3 && moving; i++)
      out->position[i] = WY_DRIVEN;
  }
  if (axes && !turning)
    wy_read_fail(r, axes, "found axes without a path that has qw, qx, qy, qz; expected it in rotation, or none");
  if (!turning)
    return;
  out->rotation = WY_DRIVEN;
  out->rotation_by = WY_BY_QUATERNION;
  out->rotation_from = (wy_rotation_from)wy_read_choice(r, axes, WY_FROM_UNDEFORMED);
}

static void read_end(wy_reader *r, const wy_node *node, wy_end *out) {
  static wy_end (*const simple[])(void) = {wy_end_free, wy_end_pinned, wy_end_clamped};
  if (!node)
    return;
  if (node->kind != WY_MAPPING) {
    *out = simple[wy_read_choice(r, node, 0)]();
    return;
  }
  if (!wy_read_mapping(r, node))
    return;
  const int before = r->sample_count;
  wy_read_position(r, wy_yaml_find(node, "position"), out->position, out->path);
  read_rotation(r, wy_yaml_find(node, "rotation"), out);
  out->release = wy_read_optional(r, wy_yaml_find(node, "release"), INFINITY);
  for (int i = before; i < r->sample_count; i++)
    r->samples[i].until = out->release;
  read_path(r, node, out);
}

void wy_read_ends(wy_reader *r, const wy_node *node, wy_end out[2]) {
  if (!node || !wy_read_mapping(r, node))
    return;
  read_end(r, wy_yaml_find(node, "start"), &out[WY_START]);
  read_end(r, wy_yaml_find(node, "end"), &out[WY_END]);
}
