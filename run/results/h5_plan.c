/* SPDX-License-Identifier: MIT */
/* Which datasets result.h5 has, where their numbers stand in a snapshot, and the numbers themselves. Runs without files
   check the same numbers. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/results/h5_layout.h"
#include "run/results/results.h"

const char *wy_h5_join(wy_pool *pool, const char *group, const char *name, const char *last) {
  size_t size = strlen(group) + strlen(name) + strlen(last) + 3;
  char *path = wy_pool_take(pool, size);
  if (!path)
    return ""; /* the pool says that it failed */
  snprintf(path, size, "%s/%s%s%s", group, name, *last ? "/" : "", last);
  return path;
}

const char *wy_h5_actuator_folder(wy_pool *pool, const wy_model *model, int actuator) {
  char number[16];
  snprintf(number, sizeof number, "%d", actuator);
  const char *rod = wy_model_rod(model, wy_model_actuator(model, actuator)->rod)->name;
  return wy_h5_join(pool, wy_h5_join(pool, "/rods", rod, ""), "actuators", number);
}

/* Takes its place among the numbers of a snapshot. */
wy_h5_field *wy_h5_add_planned(wy_h5_layout *layout, wy_h5_field field) {
  field.rod = WY_ALL_RODS;
  field.values = (size_t)field.lines * (size_t)field.count * (size_t)field.components;
  field.start = layout->values;
  field.bytes = field.values * (field.single ? sizeof(float) : sizeof(double));
  layout->values += field.values;
  layout->bytes += field.bytes;
  layout->fields[layout->field_count] = field;
  return &layout->fields[layout->field_count++];
}

wy_h5_field *wy_h5_add_field(wy_h5_layout *layout, const char *path, const char *name, int rank, int count,
                             int components) {
  return wy_h5_add_planned(
      layout,
      (wy_h5_field){.path = path, .name = name, .rank = rank, .lines = 1, .count = count, .components = components});
}

static void add_strands_field(wy_h5_layout *layout, wy_pool *pool, wy_strands *strands) {
  wy_h5_add_planned(layout, (wy_h5_field){.path = wy_h5_join(pool, "/strands", wy_strands_name(strands), "position"),
                                          .name = "position",
                                          .rank = 3,
                                          .lines = wy_strands_count(strands),
                                          .count = wy_strands_points(strands),
                                          .components = 3,
                                          .single = true,
                                          .strands = strands});
}

/* Along a rod, where its scheme has it, or along all rods of a set. The arc lengths of positions are `s`, those of
   others NAME_s. */
static void add_rod_field(wy_h5_layout *layout, wy_pool *pool, const wy_h5_def *def, const wy_rod_set *set,
                          wy_quantity quantity) {
  const wy_quantity_info *info = wy_quantity_describe(quantity);
  const wy_points *points = wy_rod_points(def->sim, set->first, info);
  const bool shared = set->count > 1;
  if (!points || points->components == 0)
    return;
  wy_h5_field *field = wy_h5_add_planned(
      layout, (wy_h5_field){.path = wy_h5_join(pool, shared ? "/batches" : "/rods", set->name, info->dataset),
                            .name = info->dataset,
                            .rank = shared                   ? 3
                                    : points->components > 1 ? 2
                                                             : 1,
                            .lines = set->count,
                            .count = points->count,
                            .components = points->components});
  double *s = wy_pool_take(pool, (size_t)points->count * sizeof *s);
  const size_t room = strlen(info->dataset) + sizeof "_s";
  char *s_name = wy_pool_take(pool, room);
  if (!s || !s_name)
    return;
  if (points->count > 0)
    memcpy(s, points->s, (size_t)points->count * sizeof *s);
  snprintf(s_name, room, "%s_s", info->dataset);
  field->quantity = info;
  field->rod = set->first;
  field->s = s;
  field->s_name = quantity == WY_POSITION ? "s" : s_name;
}

/* What is summed over all rods; of contact only where there is something to touch. */
static void add_sums(wy_h5_layout *layout, wy_pool *pool, const char *folder, wy_quantity_home home, bool touches) {
  for (int q = 0; q < WY_STORED_COUNT; ++q) {
    const wy_quantity_info *info = wy_quantity_describe((wy_quantity)q);
    if (info->home == home && info->dataset && (touches || !info->touches))
      wy_h5_add_field(layout, wy_h5_join(pool, folder, info->dataset, ""), info->label, info->components > 1, 1,
                      info->components)
          ->quantity = info;
  }
}

wy_h5_layout wy_h5_plan(const wy_h5_def *def, wy_pool *pool) {
  int actuators = wy_model_actuator_count(def->model);
  const wy_rod_sets sets = wy_rod_sets_find(def->scenario, def->model, def->sim, pool);
  wy_h5_layout layout = {.shared = sets.shared};
  int most = 1 + (sets.count + 1) * WY_STORED_COUNT + actuators + wy_h5_network_fields(def->model) +
             def->strands_count + wy_h5_batch_fields(def->scenario);
  layout.fields = wy_pool_take(pool, (size_t)most * sizeof *layout.fields);
  if (!layout.fields)
    return layout;
  wy_h5_add_field(&layout, "/time", "time", 0, 1, 1);
  for (int i = 0; i < sets.count; ++i)
    for (int q = 0; q < WY_STORED_COUNT; ++q) {
      const wy_quantity_home home = wy_quantity_describe((wy_quantity)q)->home;
      if (home == WY_IN_VIEW || home == WY_IN_CONTACT)
        add_rod_field(&layout, pool, def, &sets.list[i], (wy_quantity)q);
    }
  for (int i = 0; i < actuators; ++i) {
    const char *folder = wy_h5_actuator_folder(pool, def->model, i);
    wy_h5_add_field(&layout, wy_h5_join(pool, folder, "force", ""), "force", 0, 1, 1)->actuator =
        wy_model_actuator(def->model, i);
  }
  wy_h5_plan_network(&layout, def->model, pool);
  const bool touches = wy_model_obstacle_count(def->model) > 0;
  add_sums(&layout, pool, "/energy", WY_IN_ENERGY, touches);
  add_sums(&layout, pool, "/momentum", WY_IN_MOMENTUM, touches);
  for (int i = 0; i < def->strands_count; ++i)
    add_strands_field(&layout, pool, def->strands[i]);
  if (def->batches)
    wy_h5_plan_batches(&layout, def->scenario, pool);
  return layout;
}

static wy_status gather(const wy_h5_layout *layout, const wy_h5_def *def, double *snapshot, wy_message *message) {
  const wy_model *model = def->model;
  const wy_h5_field *end = layout->fields + layout->field_count;
  wy_sim *sim = def->sim;
  wy_status status = WY_OK;
  snapshot[0] = wy_sim_time(sim);
  const wy_h5_field *field = &layout->fields[1];
  for (; field->rod != WY_ALL_RODS; ++field) {
    const size_t values = field->values / (size_t)field->lines;
    for (int i = 0; values > 0 && i < field->lines; ++i)
      memcpy(snapshot + field->start + (size_t)i * values, wy_rod_points(sim, field->rod + i, field->quantity)->values,
             values * sizeof(double));
  }
  for (; field->actuator; ++field)
    snapshot[field->start] = wy_results_signal(&field->actuator->force, 0, snapshot[0]);
  while (field->part)
    field = wy_h5_take_part(field, sim, model, snapshot);
  const wy_energy energy = wy_sim_energy(sim, WY_ALL_RODS);
  const wy_momentum momentum = wy_sim_momentum(sim, WY_ALL_RODS);
  for (; field->quantity; ++field) {
    const void *home = field->quantity->home == WY_IN_ENERGY ? (const void *)&energy : (const void *)&momentum;
    memcpy(snapshot + field->start, (const char *)home + field->quantity->offset, field->values * sizeof(double));
  }
  for (; field < end && field->strands; ++field)
    wy_strands_place(field->strands, snapshot + field->start);
  for (; field < end && status == WY_OK; ++field)
    status = wy_h5_take_batch(field, def->batches, snapshot + field->start, message);
  return status;
}

/* Where a value of a batch is: "batch 'head', rod 17: tip". */
static wy_status refuse_batch(const wy_h5_field *field, const wy_h5_def *def, size_t place, double value, double t,
                              wy_message *message) {
  const wy_scenario_batch *batch = &def->scenario->batches[field->batch - 1];
  const bool all = field->item == WY_H5_TIP || field->item == WY_H5_PROBE;
  const size_t row = place / ((size_t)field->components * (size_t)(all ? 1 : field->count));
  return wy_results_fail(message, WY_ERROR_SOLVER,
                         "t = %.9g: batch '%s', rod %d: %s is %g: the solution has broken down", t, batch->name,
                         all ? (int)row : batch->recorded[row], field->name, value);
}

/* 0 times a number is 0, but not 0 times what is infinite or no number: a loop without branches. */
static bool all_finite(const double *values, size_t count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < count; ++i)
    sum += 0 * values[i];
  return sum == 0;
}

wy_status wy_snapshot_take(const wy_h5_layout *layout, const wy_h5_def *def, double *snapshot, wy_message *message) {
  const wy_model *model = def->model;
  const wy_status status = gather(layout, def, snapshot, message);
  if (status != WY_OK)
    return status;
  double t = snapshot[0];
  for (const wy_h5_field *field = layout->fields; field < layout->fields + layout->field_count; ++field) {
    const bool good = !field->single && all_finite(snapshot + field->start, field->values);
    for (size_t i = 0; i < field->values && !good; ++i) {
      double value = snapshot[field->start + i];
      if (isfinite(value) && (!field->single || fabs(value) <= (double)FLT_MAX))
        continue;
      if (field->batch && isinf(value) && field->quantity && field->quantity->unbounded)
        continue;
      if (field->batch)
        return refuse_batch(field, def, i, value, t, message);
      if (field->rod == WY_ALL_RODS)
        return wy_results_fail(message, WY_ERROR_SOLVER, "t = %.9g: %s is %g: the solution has broken down", t,
                               field->path, value);
      const int point = (int)(i / (size_t)field->components);
      return wy_results_fail(message, WY_ERROR_SOLVER,
                             "t = %.9g: rod '%s', s = %.9g: %s is %g: the solution has broken down", t,
                             wy_model_rod(model, field->rod + point / field->count)->name,
                             field->s[point % field->count], field->name, value);
    }
  }
  return WY_OK;
}
