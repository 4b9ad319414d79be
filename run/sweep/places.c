/* SPDX-License-Identifier: MIT */
/* No value of the scenario is given twice by a plan: a column of the rows would say what was not computed. */
#include <string.h>

#include "run/sweep/plan.h"

/* A path of the plan and the place in the tree of the scenario that it leads to, or NULL. */
typedef struct place {
  const char *path;
  size_t length; /* of the path */
  const wy_node *node;
} place;

static place find_place(wy_reader *r, wy_node *root, const char *path, size_t length) {
  wy_yaml_error error;
  const char *copy = wy_read_copy(r, path, length);
  return (place){copy, length, r->failed ? NULL : wy_yaml_reach(r->pool, root, copy, &error)};
}

/* Does the place of `inner` belong to that of `outer`, or is it the same? */
static bool contains(const place *outer, const place *inner) {
  for (const wy_node *node = inner->node; node && outer->node; node = node->parent)
    if (node == outer->node)
      return true;
  /* a place that the value of the other one makes is not in the tree */
  const bool begins = strncmp(outer->path, inner->path, outer->length) == 0;
  const char next = begins ? inner->path[outer->length] : 'a';
  return next == '\0' || next == '.' || next == '[';
}

wy_node *wy_plan_tree(wy_reader *r, const wy_plan *plan) {
  wy_yaml_error error;
  wy_node *root = wy_yaml_read(r->pool, plan->scenario_text, &error);
  for (int i = 0; i < plan->setting_count && root; i++)
    if (!wy_yaml_set(r->pool, root, plan->settings[i], &error))
      root = NULL;
  return root;
}

/* Settings come before values that vary: what such a value contains or replaces would have no effect. */
static void compare_settings(wy_reader *r, const wy_plan *plan, wy_node *root, const wy_node *node, const place *axis) {
  for (int i = 0; i < plan->setting_count && !r->failed; i++) {
    const char *setting = plan->settings[i];
    const place set = find_place(r, root, setting, strcspn(setting, "="));
    if (!r->failed && contains(axis, &set))
      wy_read_fail(r, node, "found a value that is set for all points, too, as %s; expected one of the two", set.path);
  }
}

void wy_plan_check_places(wy_reader *r, const wy_plan *plan) {
  const int count = plan->points.axis_count;
  wy_node *root = wy_plan_tree(r, plan);
  place *places = wy_read_take(r, (size_t)count * sizeof *places);
  const wy_node *node = wy_yaml_find(r->root, "vary")->first;
  for (int i = 0; i < count && root && !r->failed; i++, node = node->next) {
    const char *path = plan->points.axes[i].path;
    places[i] = find_place(r, root, path, strlen(path));
    for (int k = 0; k < i && !r->failed; k++)
      if (contains(&places[i], &places[k]) || contains(&places[k], &places[i]))
        wy_read_fail(r, node, "found a value that varies already, as %s or a part of it; expected each value once",
                     places[k].path);
    if (!r->failed)
      compare_settings(r, plan, root, node, &places[i]);
  }
}
