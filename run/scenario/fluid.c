/* SPDX-License-Identifier: MIT */
/* The fluid around rods: at the top for all of them, and what a rod has over it. */
#include "run/scenario/reader.h"

/* Of a constant number; the library looks at what varies. */
static void read_diameter(wy_reader *r, const wy_node *node, wy_fluid *out) {
  if (!node)
    return;
  out->diameter = wy_read_signal(r, node);
  if (!r->failed && !out->diameter.evaluate && !(out->diameter.value > 0))
    wy_read_refuse(r, node);
}

void wy_read_fluid(wy_reader *r, const wy_node *node, wy_fluid *out) {
  const bool over = out->given;
  if (!node || !wy_read_mapping(r, node))
    return;
  if (!over)
    out->density = wy_read_number(r, wy_read_need(r, node, "density"));
  else
    out->density = wy_read_optional(r, wy_yaml_find(node, "density"), out->density);
  out->given = true;
  wy_read_flow(r, wy_yaml_find(node, "velocity"), &out->velocity);
  out->normal = wy_read_optional(r, wy_yaml_find(node, "normal"), out->normal);
  out->tangential = wy_read_optional(r, wy_yaml_find(node, "tangential"), out->tangential);
  out->added_mass = wy_read_optional(r, wy_yaml_find(node, "added_mass"), out->added_mass);
  out->buoyancy = wy_read_choice(r, wy_yaml_find(node, "buoyancy"), over ? out->buoyancy : true);
  read_diameter(r, wy_yaml_find(node, "diameter"), out);
}
