/* SPDX-License-Identifier: MIT */
#include "run/results/sets.h"

#include <stdio.h>
#include <string.h>

#include "run/results/results.h"

const wy_points *wy_rod_points(wy_sim *sim, int rod, const wy_quantity_info *info) {
  const void *home =
      info->home == WY_IN_CONTACT ? (const void *)wy_sim_contact(sim, rod) : (const void *)wy_sim_view(sim, rod);
  return home ? (const wy_points *)((const char *)home + info->offset) : NULL;
}

/* How long the part of a copy's name before its number is; 0: it is not the name of this copy. */
static size_t stem_of(const char *name, int number) {
  char digits[16];
  const size_t length = strlen(name), tail = (size_t)snprintf(digits, sizeof digits, "%d", number);
  return length > tail && strcmp(name + length - tail, digits) == 0 ? length - tail : 0;
}

bool wy_same_points(const wy_points *a, const wy_points *b) {
  if (!a || !b)
    return a == b;
  return a->count == b->count && a->components == b->components &&
         (a->count == 0 || memcmp(a->s, b->s, (size_t)a->count * sizeof *a->s) == 0);
}

static bool is_equal(const wy_model *model, wy_sim *sim, int rod, int other) {
  const wy_rod_def *a = wy_model_rod(model, rod), *b = wy_model_rod(model, other);
  bool equal = a->kind == b->kind && a->segments == b->segments && a->length == b->length &&
               strcmp(wy_sim_describe(sim, rod).scheme, wy_sim_describe(sim, other).scheme) == 0;
  for (int q = 0; equal && q < WY_STORED_COUNT; q++) {
    const wy_quantity_info *info = wy_quantity_describe((wy_quantity)q);
    if (info->home == WY_IN_VIEW || info->home == WY_IN_CONTACT)
      equal = wy_same_points(wy_rod_points(sim, rod, info), wy_rod_points(sim, other, info));
  }
  return equal;
}

static bool has_actuators(const wy_model *model, int first, int count) {
  bool any = false;
  for (int i = 0; i < wy_model_actuator_count(model); i++)
    any = any || (wy_model_actuator(model, i)->rod >= first && wy_model_actuator(model, i)->rod < first + count);
  return any;
}

/* Do rods that come from one entry share their datasets? */
static bool is_shared(const wy_model *model, wy_sim *sim, int first, int count) {
  const char *name = wy_model_rod(model, first)->name;
  const size_t stem = stem_of(name, 1);
  bool shared = count > 1 && stem > 0 && !has_actuators(model, first, count);
  for (int i = 1; shared && i < count; i++) {
    const char *other = wy_model_rod(model, first + i)->name;
    shared = stem_of(other, i + 1) == stem && memcmp(name, other, stem) == 0 && is_equal(model, sim, first, first + i);
  }
  return shared;
}

wy_rod_sets wy_rod_sets_find(const wy_scenario *scenario, const wy_model *model, wy_sim *sim, wy_pool *pool) {
  const int rods = wy_model_rod_count(model);
  wy_rod_set *list = wy_pool_take(pool, ((size_t)rods + 1) * sizeof *list);
  wy_rod_sets sets = {.list = list};
  for (int first = 0, count; list && first < rods; first += count) {
    const int entry = wy_scenario_entry(scenario, first);
    for (count = 1; first + count < rods && wy_scenario_entry(scenario, first + count) == entry; count++) {}
    const char *name = wy_model_rod(model, first)->name;
    if (is_shared(model, sim, first, count)) {
      const char *own = wy_pool_copy(pool, name, stem_of(name, 1));
      list[sets.count++] = (wy_rod_set){own ? own : "", first, count};
      sets.shared = true;
      continue;
    }
    for (int i = 0; i < count; i++)
      list[sets.count++] = (wy_rod_set){wy_model_rod(model, first + i)->name, first + i, 1};
  }
  return sets;
}

void wy_rod_set_methods(const wy_rod_set *set, const wy_scenario *scenario, const wy_sim *sim, char *out, size_t size) {
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0; i < set->count && used < size; i++) {
    const char *name = wy_results_method_name(scenario, sim, set->first + i);
    if (!strstr(out, name))
      used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", name);
  }
}
