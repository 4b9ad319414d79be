/* SPDX-License-Identifier: MIT */
/* The key `actuators`: pneumatic chambers and tendons into wy_actuator_def. */
#include "run/scenario/reader.h"

static void read_offset(wy_reader *r, const wy_node *node, wy_signal out[2]) {
  int before = r->sample_count;
  wy_read_signals(r, node, out);
  for (int i = before; i < r->sample_count; i++)
    r->samples[i].slope = true;
}

/* What the two kinds call the force that they exert. */
static void read_force(wy_reader *r, const wy_node *node, wy_actuator_def *out) {
  int before = r->sample_count;
  out->force = wy_read_signal(r, wy_read_need(r, node, out->kind == WY_TENDON ? "tension" : "force"));
  for (int i = before; i < r->sample_count; i++)
    r->samples[i].tension = out->kind == WY_TENDON;
}

static void read_actuator(wy_reader *r, const wy_node *node, wy_actuator_def *out) {
  if (!wy_read_entry(r, node))
    return;
  out->name = wy_read_name_of(r, node);
  out->rod = wy_read_rod_of(r, node, false);
  out->kind = (wy_actuator_kind)wy_read_choice(r, wy_read_need(r, node, "kind"), WY_PNEUMATIC);
  r->rod = out->rod;
  read_offset(r, wy_read_need(r, node, "offset"), out->offset);
  read_force(r, node, out);
  r->rod = -1;
}

void wy_read_actuators(wy_reader *r) {
  const wy_node *list = wy_yaml_find(r->root, "actuators");
  if (!list || !wy_read_list(r, list))
    return;
  wy_actuator_def *actuators = wy_read_take(r, ((size_t)list->count + 1) * sizeof *actuators);
  if (r->failed)
    return;
  r->scenario->model.actuators = r->scenario->actuators = actuators;
  r->scenario->model.actuator_count = list->count;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    actuators[node->index] = wy_default_actuator_def();
    read_actuator(r, node, &actuators[node->index]);
  }
}
