/* SPDX-License-Identifier: MIT */
/* The key `strands`: hair that follows rods. What guides and radii are possible is the library's business. */
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"

static void read_name(wy_reader *r, const wy_node *strands, int count, wy_strands_def *out) {
  const wy_node *node = wy_yaml_find(strands, "name");
  if (node) {
    out->name = wy_read_name(r, node);
  } else if (count > 1) {
    char name[32];
    int length = snprintf(name, sizeof name, "strands%d", strands->index + 1);
    out->name = wy_read_copy(r, name, (size_t)length);
  }
}

/* Several of one name would be one group of result.h5. */
static void check_name(wy_reader *r, const wy_node *node, const char *name, wy_names *taken) {
  const wy_node *given = wy_yaml_find(node, "name");
  if (r->failed)
    return;
  if (wy_names_find(taken, name, strlen(name)) >= 0)
    wy_read_fail(r, given ? given : node, "found '%s' a second time; expected another name", name);
  else if (!wy_names_add(taken, r->pool, name, node->index))
    wy_read_no_memory(r);
}

static void read_guides(wy_reader *r, const wy_node *strands, wy_strands_def *out) {
  const wy_node *list = wy_yaml_find(strands, "guides");
  if (!list) {
    wy_read_need(r, strands, "guides");
    return;
  }
  if (list->kind != WY_LIST || list->count == 0)
    wy_read_refuse(r, list);
  else if (list->count > WY_MOST_GUIDES)
    wy_read_expected(r, list, "at most %d guides", WY_MOST_GUIDES);
  if (r->failed)
    return;
  int *guides = wy_read_take(r, (size_t)list->count * sizeof *guides);
  for (const wy_node *node = list->first; node && !r->failed; node = node->next)
    guides[node->index] = wy_read_rod_name(r, node);
  out->guides = guides;
  out->guide_count = list->count;
}

static void read_radius(wy_reader *r, const wy_node *strands, wy_strands_def *out) {
  const wy_node *node = wy_yaml_find(strands, "radius");
  if (!node && out->guide_count == 1)
    wy_read_need(r, strands, "radius");
  out->radius = wy_read_optional(r, node, 0);
}

static void read_strands(wy_reader *r, const wy_node *node, int count, wy_strands_def *out) {
  if (!wy_read_entry(r, node))
    return;
  read_name(r, node, count, out);
  read_guides(r, node, out);
  out->count = wy_read_integer(r, wy_read_need(r, node, "count"), 1);
  read_radius(r, node, out);
}

void wy_read_strands(wy_reader *r) {
  const wy_node *list = wy_yaml_find(r->root, "strands");
  if (!list || !wy_read_list(r, list))
    return;
  wy_strands_def *strands = wy_read_take(r, ((size_t)list->count + 1) * sizeof *strands);
  wy_names taken = {0};
  if (r->failed)
    return;
  r->scenario->strands = strands;
  r->scenario->strands_count = list->count;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    strands[node->index] = wy_default_strands_def();
    read_strands(r, node, list->count, &strands[node->index]);
    check_name(r, node, strands[node->index].name, &taken);
  }
}
