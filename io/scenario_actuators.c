/* The key `actuators`: pneumatic chambers and tendons into wy_actuator_def. */
#include "io/reader.h"

/* What the two kinds call the force that they exert; the key of the other kind is a mistake worth explaining. */
static const struct {
  const char *key, *what, *instead;
} forces[] = {
    [WY_PNEUMATIC] = {"force", "pressure times area, an expression of t; below 0 the chamber pushes along d3",
                      "found the tension of a tendon at a pneumatic chamber; expected force: pressure times area"},
    [WY_TENDON] = {"tension", "an expression of t that is not negative",
                   "found the force of a pneumatic chamber at a tendon; expected tension: what the tendon pulls with"},
};

static void read_offset(wy_reader *r, const wy_node *node, wy_signal out[2]) {
  int before = r->sample_count;
  wy_read_signals(r, node, 2, WY_ARC, out);
  for (int i = before; i < r->sample_count; i++)
    r->samples[i].slope = true;
}

static void read_force(wy_reader *r, const wy_node *node, wy_actuator_def *out) {
  wy_actuator_kind other = out->kind == WY_TENDON ? WY_PNEUMATIC : WY_TENDON;
  const wy_node *wrong = wy_yaml_find(node, forces[other].key);
  if (wrong)
    wy_read_fail(r, wrong, "%s", forces[out->kind].instead);
  int before = r->sample_count;
  out->force = wy_read_signal(r, wy_read_need(r, node, forces[out->kind].key, forces[out->kind].what), WY_TIME);
  for (int i = before; i < r->sample_count; i++)
    r->samples[i].tension = out->kind == WY_TENDON;
}

static void read_actuator(wy_reader *r, const wy_node *node, wy_actuator_def *out) {
  static const char *const keys[] = {"rod", "kind", "offset", "force", "tension", NULL};
  static const char *const kinds[] = {"pneumatic", "tendon", NULL};
  static const wy_actuator_kind kind[] = {WY_PNEUMATIC, WY_TENDON};
  if (node->kind != WY_MAPPING)
    wy_read_expected(r, node, "an actuator: a mapping with rod, kind, offset, force or tension");
  if (!wy_read_mapping(r, node, keys, NULL))
    return;
  out->rod = wy_read_rod_of(r, node);
  const wy_node *word = wy_read_need(r, node, "kind", "pneumatic or tendon");
  if (word)
    out->kind = kind[wy_read_word(r, word, kinds)];
  r->rod = out->rod;
  read_offset(r, wy_read_need(r, node, "offset", "a list of 2, along d1 and d2"), out->offset);
  read_force(r, node, out);
  r->rod = -1;
}

void wy_read_actuators(wy_reader *r) {
  const wy_node *list = wy_yaml_find(r->root, "actuators");
  if (!list || !wy_read_list(r, list, "actuators"))
    return;
  wy_actuator_def *actuators = wy_pool_take(r->pool, ((size_t)list->count + 1) * sizeof *actuators);
  r->scenario->model.actuators = actuators;
  r->scenario->model.actuator_count = list->count;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    actuators[node->index] = wy_default_actuator_def();
    read_actuator(r, node, &actuators[node->index]);
  }
}
