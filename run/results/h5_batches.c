/* SPDX-License-Identifier: MIT */
/* What result.h5 has of batches. */
#include <stdio.h>
#include <string.h>

#include "run/results/h5_making.h"
#include "run/results/results.h"

/* ---- Snapshots ---- */

enum { ITEMS = 4 }; /* of each batch, besides its probes */

int wy_h5_batch_fields(const wy_scenario *scenario) {
  return ITEMS * scenario->batch_count + scenario->batch_probe_count;
}

/* Arc lengths of the pattern: of vertices, or of the middles of segments. */
static const double *places(wy_pool *pool, const wy_rod_def *pattern, double first, int count) {
  double *s = wy_pool_take(pool, (size_t)count * sizeof *s);
  for (int i = 0; s && i < count; i++)
    s[i] = (i + first) * pattern->length / pattern->segments;
  return s;
}

static void plan_batch(wy_h5_layout *layout, const wy_scenario *scenario, int index, wy_pool *pool) {
  const wy_scenario_batch *batch = &scenario->batches[index];
  const wy_rod_def *pattern = wy_def_at(scenario->patterns.rods, batch->def.rod);
  const int n = pattern->segments, rods = batch->recorded_count;
  const struct {
    const char *name;
    wy_h5_item item;
    int lines, count, components;
    const char *s_name;
    const double *s;
  } items[ITEMS] = {{"position", WY_H5_POSITION, rods, n + 1, 3, "s", places(pool, pattern, 0, n + 1)},
                    {"frame", WY_H5_FRAME, rods, n, 4, "frame_s", places(pool, pattern, 0.5, n)},
                    {"velocity", WY_H5_VELOCITY, rods, n + 1, 3, "velocity_s", places(pool, pattern, 0, n + 1)},
                    {"tip", WY_H5_TIP, 1, batch->def.count, 3, NULL, NULL}};
  for (int i = 0; i < ITEMS; i++)
    wy_h5_add_planned(layout, (wy_h5_field){.path = wy_h5_join(pool, "/batches", batch->name, items[i].name),
                                            .name = items[i].name,
                                            .rank = items[i].item == WY_H5_TIP ? 2 : 3,
                                            .lines = items[i].lines,
                                            .count = items[i].count,
                                            .components = items[i].components,
                                            .s_name = items[i].s_name,
                                            .s = items[i].s,
                                            .batch = index + 1,
                                            .item = items[i].item,
                                            .single = batch->def.precision == WY_BATCH_SINGLE});
}

static void plan_probe(wy_h5_layout *layout, const wy_scenario *scenario, int index, wy_pool *pool) {
  const wy_batch_probe *probe = &scenario->batch_probes[index];
  const wy_scenario_batch *batch = &scenario->batches[probe->batch];
  const wy_quantity_info *info = wy_quantity_describe(probe->quantity);
  const char *folder = wy_h5_join(pool, "/batches", batch->name, "probes");
  wy_h5_add_planned(layout, (wy_h5_field){.path = wy_h5_join(pool, folder, probe->name, ""),
                                          .name = probe->name,
                                          .rank = 2,
                                          .lines = 1,
                                          .count = batch->def.count,
                                          .components = info->components,
                                          .quantity = info,
                                          .batch = probe->batch + 1,
                                          .item = WY_H5_PROBE,
                                          .index = index,
                                          .single = batch->def.precision == WY_BATCH_SINGLE});
}

void wy_h5_plan_batches(wy_h5_layout *layout, const wy_scenario *scenario, wy_pool *pool) {
  for (int i = 0; i < scenario->batch_count; i++)
    plan_batch(layout, scenario, i, pool);
  for (int i = 0; i < scenario->batch_probe_count; i++)
    plan_probe(layout, scenario, i, pool);
}

wy_status wy_h5_take_batch(const wy_h5_field *field, wy_batches *batches, double *values, wy_message *message) {
  const int batch = field->batch - 1;
  const size_t row = (size_t)field->count * (size_t)field->components;
  switch (field->item) {
  case WY_H5_POSITION:
    return wy_batches_recorded(batches, batch, WY_RECORDED_POSITIONS, row, values, message);
  case WY_H5_FRAME:
    return wy_batches_recorded(batches, batch, WY_RECORDED_FRAMES, row, values, message);
  case WY_H5_VELOCITY:
    return wy_batches_recorded(batches, batch, WY_RECORDED_VELOCITIES, row, values, message);
  case WY_H5_TIP:
    return wy_batches_tips(batches, batch, values, message);
  default:
    return wy_batches_probe(batches, field->index, values, message);
  }
}

/* ---- What does not change ---- */

/* Radius at each position, and the order of positions as lines. */
static void add_drawing(wy_h5_making *m, const wy_h5_def *def, int index, const char *folder, wy_pool *pool) {
  const wy_scenario_batch *batch = &def->scenario->batches[index];
  const int points = wy_batch_describe(wy_batches_at(def->batches, index)).segments + 1;
  const double *own = batch->numbers[WY_BATCH_RADIUS];
  const double usual = wy_model_section(wy_batches_patterns(def->batches), batch->def.rod, 0).radius;
  const uint64_t size[2] = {(uint64_t)batch->recorded_count, (uint64_t)points};
  float *radius = wy_pool_take(pool, (size_t)(size[0] * size[1]) * sizeof *radius);
  int *line = wy_pool_take(pool, (size_t)(size[0] * size[1]) * sizeof *line);
  for (int i = 0; wy_h5_complete(m, pool) && i < batch->recorded_count * points; i++) {
    const double r = own ? own[batch->recorded[i / points]] : usual;
    radius[i] = (float)r;
    line[i] = i;
  }
  wy_h5_dataset(m, wy_h5_join(pool, folder, "radius", ""), 2, size, WY_H5_FLOAT, radius);
  wy_h5_dataset(m, wy_h5_join(pool, folder, "line", ""), 2, size, WY_H5_INT, line);
  wy_h5_dataset(m, wy_h5_join(pool, folder, "rods", ""), 1, size, WY_H5_INT, batch->recorded);
}

/* numbers/NAME of what differs from rod to rod. */
static void add_numbers(wy_h5_making *m, const wy_scenario_batch *batch, const char *folder, wy_pool *pool) {
  const char *numbers = wy_h5_join(pool, folder, "numbers", "");
  for (int k = 0; k < WY_SCENARIO_NUMBERS; k++) {
    const uint64_t size[2] = {(uint64_t)batch->def.count, (uint64_t)wy_batch_number_size((wy_batch_number)k)};
    if (batch->numbers[k])
      wy_h5_dataset(m, wy_h5_join(pool, numbers, wy_batch_number_name((wy_batch_number)k), ""), size[1] > 1 ? 2 : 1,
                    size, WY_H5_DOUBLE, batch->numbers[k]);
  }
}

/* status/...: how the rods have fared. */
static void add_status(wy_h5_making *m, wy_batches *batches, int index, const char *folder, wy_pool *pool) {
  const int count = wy_batches_def(batches, index)->def.count;
  const char *status = wy_h5_join(pool, folder, "status", "");
  const uint64_t size = (uint64_t)count;
  int *failed = wy_pool_take(pool, (size_t)count * sizeof *failed);
  int *refined = wy_pool_take(pool, (size_t)count * sizeof *refined);
  double *time = wy_pool_take(pool, (size_t)count * sizeof *time);
  double *estimate = wy_pool_take(pool, (size_t)count * sizeof *estimate);
  const wy_batch_rod *rods = wy_batches_status(batches, index, NULL);
  for (int i = 0; wy_h5_complete(m, pool) && rods && i < count; i++) {
    failed[i] = rods[i].failed, refined[i] = rods[i].refined;
    time[i] = rods[i].time, estimate[i] = rods[i].estimate;
  }
  wy_h5_dataset(m, wy_h5_join(pool, status, "failed", ""), 1, &size, WY_H5_INT, failed);
  wy_h5_dataset(m, wy_h5_join(pool, status, "refined", ""), 1, &size, WY_H5_INT, refined);
  wy_h5_dataset(m, wy_h5_join(pool, status, "time", ""), 1, &size, WY_H5_DOUBLE, time);
  wy_h5_dataset(m, wy_h5_join(pool, status, "estimate", ""), 1, &size, WY_H5_DOUBLE, estimate);
}

static void describe(wy_h5_making *m, const wy_h5_def *def, int index, const char *folder) {
  const wy_scenario_batch *batch = &def->scenario->batches[index];
  const wy_model *patterns = wy_batches_patterns(def->batches);
  const wy_rod_def *pattern = wy_model_rod(patterns, batch->def.rod);
  const wy_batch_info info = wy_batch_describe(wy_batches_at(def->batches, index));
  const double radius = wy_model_section(patterns, batch->def.rod, 0).radius;
  wy_h5_object *group = wy_h5_group(m, folder);
  if (!group)
    return;
  wy_h5_text(m, group, "kind", "batch");
  wy_h5_text(m, group, "pattern", pattern->name);
  wy_h5_text(m, group, "model", wy_rod_kind_name(pattern->kind));
  wy_h5_text(m, group, "integrator", wy_batch_integrator_word(info.integrator));
  wy_h5_text(m, group, "precision", wy_batch_precision_word(info.precision));
  wy_h5_text(m, group, "machine", info.machine);
  wy_h5_attribute(m, group, "count", WY_H5_INT, &batch->def.count);
  wy_h5_attribute(m, group, "segments", WY_H5_INT, &info.segments);
  wy_h5_attribute(m, group, "length", WY_H5_DOUBLE, &pattern->length);
  wy_h5_attribute(m, group, "radius", WY_H5_DOUBLE, &radius);
}

void wy_h5_add_batch(wy_h5_making *m, const wy_h5_def *def, int index) {
  const wy_scenario_batch *batch = &def->scenario->batches[index];
  wy_pool pool = {0};
  const char *folder = wy_h5_join(&pool, "/batches", batch->name, "");
  add_drawing(m, def, index, folder, &pool);
  add_numbers(m, batch, folder, &pool);
  add_status(m, def->batches, index, folder, &pool);
  if (wy_h5_complete(m, &pool))
    describe(m, def, index, folder);
  wy_pool_release(&pool);
}
