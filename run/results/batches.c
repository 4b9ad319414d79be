/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/results/batches_inside.h"
#include "run/schema/schema.h"

/* ---- Life ---- */

static void *take(wy_batches *self, size_t count, size_t size, bool *good) {
  void *taken = calloc(count + 1, size);
  self->kept += (count + 1) * size;
  *good = *good && taken;
  return taken;
}

static void combine_parts(void *context, double *sums, int count, double *least) {
  const wy_batches_one *it = context;
  it->ranks->combine(it->ranks->context, sums, count, least);
}

/* The rods of this rank; one without rods has a copy of another one's. */
static wy_status make_part(wy_batches *self, int index, wy_message *message) {
  const wy_scenario *scenario = self->scenario;
  wy_batches_one *it = &self->list[index];
  const int rank = self->ranks ? self->ranks->rank : 0, total = it->def->def.count;
  int many;
  it->ranks = self->ranks;
  wy_parts_range(self->ranks, rank, total, &it->first, &it->own);
  if (!self->ranks)
    return wy_scenario_batch_create(scenario, self->patterns, index, &scenario->sim.tasks, &it->rods, message);
  wy_parts_at_least_one(self->ranks, rank, total, &many);
  const wy_batch_share share = {it->first, total, it->own == 0, it, combine_parts};
  return wy_scenario_batch_part(scenario, self->patterns, index, many, &share, &scenario->sim.tasks, &it->rods,
                                message);
}

static wy_status make(wy_batches *self, int index, wy_message *message) {
  const wy_scenario_batch *def = &self->scenario->batches[index];
  wy_batches_one *it = &self->list[index];
  bool good = true;
  it->def = def;
  wy_status status = make_part(self, index, message);
  if (status != WY_OK)
    return status;
  const wy_batch_info info = wy_batch_describe(it->rods);
  it->segments = info.segments;
  if (def->motion.moves)
    it->room = take(self, 20 * (size_t)info.count, sizeof *it->room, &good);
  it->block = take(self, (size_t)WY_BATCH_BLOCK * (size_t)(it->segments + 1) * 13, sizeof *it->block, &good);
  return good ? WY_OK : wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the batch '%s'", def->name);
}

/* All batches, and room for values of the largest one. */
static wy_status make_all(wy_batches *self, wy_message *message) {
  const wy_scenario *scenario = self->scenario;
  bool good = true;
  int largest = 0;
  wy_status status = wy_scenario_patterns(scenario, &self->patterns, message);
  for (int i = 0; i < scenario->batch_count && status == WY_OK; i++) {
    self->count = i + 1;
    status = make(self, i, message);
    largest = scenario->batches[i].def.count > largest ? scenario->batches[i].def.count : largest;
  }
  if (status != WY_OK)
    return status;
  self->values = take(self, 3 * (size_t)largest, sizeof *self->values, &good);
  self->status = take(self, (size_t)largest, sizeof *self->status, &good);
  self->rods = take(self, (size_t)scenario->batch_count, sizeof(wy_batch *), &good);
  return good ? WY_OK : wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for batches");
}

/* What the parts on all ranks need. */
static void count_memory(wy_batches *self) {
  for (int i = 0; i < self->count; i++) {
    wy_batches_one *it = &self->list[i];
    double least = 0;
    it->memory = (double)wy_batch_memory(it->rods);
    if (self->ranks)
      self->ranks->combine(self->ranks->context, &it->memory, 1, &least);
  }
}

wy_status wy_batches_create(const wy_scenario *scenario, const wy_ranks *ranks, wy_batches **out, wy_message *message) {
  *out = NULL;
  if (scenario->batch_count == 0)
    return WY_OK;
  wy_parts_order(ranks, (wy_order){.what = WY_ORDER_MAKE});
  wy_batches *self = calloc(1, sizeof *self + (size_t)scenario->batch_count * sizeof self->list[0]);
  wy_status status = WY_OK;
  if (self) {
    self->scenario = scenario;
    self->ranks = ranks;
    status = make_all(self, message);
  } else {
    status = wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for batches");
  }
  status = wy_parts_agree(ranks, status, NULL, message);
  if (self && status == WY_OK) {
    count_memory(self);
    *out = self;
  } else {
    wy_batches_destroy(self);
  }
  return status;
}

void wy_batches_destroy(wy_batches *batches) {
  if (!batches)
    return;
  for (int i = 0; i < batches->count; i++) {
    wy_batch_destroy(batches->list[i].rods);
    free(batches->list[i].room);
    free(batches->list[i].block);
  }
  free(batches->values);
  free(batches->status);
  free(batches->room);
  free(batches->rods);
  wy_model_destroy(batches->patterns);
  free(batches);
}

int wy_batches_count(const wy_batches *batches) {
  return batches ? batches->count : 0;
}

wy_batch *wy_batches_at(const wy_batches *batches, int batch) {
  return batches->list[batch].rods;
}

const wy_scenario_batch *wy_batches_def(const wy_batches *batches, int batch) {
  return batches->list[batch].def;
}

wy_batch **wy_batches_list(wy_batches *batches) {
  for (int i = 0; i < wy_batches_count(batches); i++)
    batches->rods[i] = batches->list[i].rods;
  return batches ? batches->rods : NULL;
}

wy_model *wy_batches_patterns(const wy_batches *batches) {
  return batches->patterns;
}

double wy_batches_memory(const wy_batches *batches) {
  double bytes = batches ? (double)batches->kept : 0;
  for (int i = 0; i < wy_batches_count(batches); i++)
    bytes += batches->list[i].memory;
  return bytes;
}

double wy_batches_memory_of(const wy_batches *batches, int batch) {
  return batches->list[batch].memory;
}

static const char *word(const char *key, int value) {
  for (const wy_word *word = wy_schema_key(&wy_schema_batch, key)->words; word->name; word++)
    if (word->value == value)
      return word->name;
  return "";
}

const char *wy_batch_integrator_word(wy_batch_integrator integrator) {
  return word("integrator", (int)integrator);
}

const char *wy_batch_precision_word(wy_batch_precision precision) {
  return word("precision", (int)precision);
}

const char *wy_batch_device_word(wy_batch_device device) {
  return word("device", (int)device);
}

/* ---- Motion ---- */

wy_status wy_batches_fail(const wy_batches_one *it, wy_status status, wy_message *message) {
  const wy_message told = *message;
  return wy_results_fail(message, status, "batch '%s': %.900s", it->def->name, told.text);
}

/* By one frame to time t, with the rods of this rank. */
wy_status wy_batches_move_one(wy_batches *batches, int batch, double t, const wy_rigid_motion *motion,
                              wy_message *message) {
  wy_batches_one *it = &batches->list[batch];
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_MOVE, .item = batch, .t = t, .motion = *motion});
  wy_status status = wy_scenario_batch_move(batches->scenario, batch, motion, it->rods, it->room, message);
  status = wy_parts_agree(batches->ranks, status, &batches->stop, message);
  if (status == WY_OK)
    status = wy_batch_advance(it->rods, t - wy_batch_time(it->rods), message);
  status = status == WY_RETRY ? WY_OK : status; /* rods that failed are told at the end */
  return wy_parts_agree(batches->ranks, status, NULL, message);
}

wy_status wy_batches_move(wy_batches *batches, double t, wy_sim *sim, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < wy_batches_count(batches) && status == WY_OK; i++) {
    wy_batches_one *it = &batches->list[i];
    wy_rigid_motion motion;
    if (!(t > wy_batch_time(it->rods)))
      continue;
    status = wy_scenario_batch_motion(batches->scenario, i, t, sim, &motion, message);
    if (status == WY_OK)
      status = wy_batches_move_one(batches, i, t, &motion, message);
    if (status != WY_OK)
      status = wy_batches_fail(it, status, message);
  }
  return status;
}

bool wy_batches_interrupted(const wy_batches *batches) {
  return batches && batches->stop;
}

bool wy_batches_lost(const wy_batches *batches) {
  for (int i = 0; i < wy_batches_count(batches); i++)
    if (wy_batch_work(batches->list[i].rods).failed >= batches->list[i].def->def.count)
      return true;
  return false;
}

bool wy_batches_doubt(const wy_batches *batches, int batch, char *text, size_t size) {
  const wy_batches_one *it = &batches->list[batch];
  const wy_batch_info info = wy_batch_describe(it->rods);
  if (!info.reason[0])
    return false;
  snprintf(text, size, "batch '%s' is calculated with %s: %s", it->def->name, info.machine, info.reason);
  return true;
}

wy_status wy_batches_collect(wy_batches *batches, const wy_batches_one *it, bool recorded, size_t size, void *values,
                             wy_status status, wy_message *message) {
  status = wy_parts_agree(batches->ranks, status, NULL, message);
  if (status != WY_OK)
    return wy_batches_fail(it, status, message);
  wy_parts_gather(batches->ranks, it->def->def.count, recorded ? it->def->recorded : NULL, it->def->recorded_count,
                  size, values);
  return WY_OK;
}

const wy_batch_rod *wy_batches_status(wy_batches *batches, int batch, wy_message *message) {
  const wy_batches_one *it = &batches->list[batch];
  wy_message unread;
  message = message ? message : &unread;
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_STATUS, .item = batch});
  wy_status status = wy_batch_status(it->rods, 0, it->own, batches->status, message);
  status = wy_batches_collect(batches, it, false, sizeof *batches->status, batches->status, status, message);
  return status == WY_OK ? batches->status : NULL;
}

/* The first rod that failed, and the numbers of a few of them. */
static void describe_failures(const wy_batch_rod *rods, int count, double *earliest, char *list, size_t size) {
  enum { FEW = 5 };
  size_t used = 0;
  int told = 0;
  *earliest = INFINITY;
  list[0] = '\0';
  for (int i = 0; i < count; i++) {
    if (!rods[i].failed)
      continue;
    *earliest = fmin(*earliest, rods[i].time);
    if (told++ < FEW && used < size)
      used += (size_t)snprintf(list + used, size - used, "%s%d", told > 1 ? ", " : "", i);
    else if (told == FEW + 1 && used < size)
      used += (size_t)snprintf(list + used, size - used, ", ...");
  }
}

wy_status wy_batches_verify(wy_batches *batches, wy_message *message) {
  for (int i = 0; i < wy_batches_count(batches); i++) {
    const wy_batches_one *it = &batches->list[i];
    const long lost = wy_batch_work(it->rods).failed;
    double since;
    char list[96];
    if (lost == 0)
      continue;
    const wy_batch_rod *rods = wy_batches_status(batches, i, message);
    if (!rods)
      return WY_ERROR_SOLVER;
    describe_failures(rods, it->def->def.count, &since, list, sizeof list);
    return wy_results_fail(message, WY_ERROR_RESULT,
                           "batch '%s': %ld of %d rods have failed, the first at t = %.6g, and stay as they were then: "
                           "%s; smaller output intervals, more substeps or a larger tolerance may help",
                           it->def->name, lost, it->def->def.count, since, list);
  }
  return WY_OK;
}

/* ---- States ---- */

static bool has_begun(const wy_batches *batches) {
  for (int i = 0; i < wy_batches_count(batches); i++)
    if (wy_batch_work(batches->list[i].rods).frames > 0)
      return true;
  return false;
}

/* What a saved state begins with, and all of it. */
static size_t head_size(const wy_batches_one *it) {
  return wy_batch_save_size(it->rods) - (size_t)wy_batch_describe(it->rods).count * wy_batch_save_row(it->rods);
}

static size_t whole_size(const wy_batches_one *it) {
  return head_size(it) + (size_t)it->def->def.count * wy_batch_save_row(it->rods);
}

size_t wy_batches_save_size(const wy_batches *batches) {
  size_t size = 0;
  for (int i = 0; i < wy_batches_count(batches) && has_begun(batches); i++)
    size += whole_size(&batches->list[i]);
  return size;
}

void *wy_batches_room(wy_batches *batches, size_t size) {
  if (size > batches->room_size) {
    free(batches->room);
    batches->room = malloc(size);
    batches->room_size = batches->room ? size : 0;
  }
  return batches->room;
}

wy_status wy_batches_no_room(wy_message *message) {
  return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the part of another rank");
}

static bool leads(const wy_batches *self) {
  return !self->ranks || self->ranks->rank == 0;
}

/* `whole` has room for all rods on rank 0, and is NULL elsewhere. */
static wy_status save_one(wy_batches *self, const wy_batches_one *it, char *whole, wy_message *message) {
  const size_t own = wy_batch_save_size(it->rods), head = head_size(it);
  char *buffer = leads(self) ? whole : wy_batches_room(self, own);
  const wy_status status = buffer ? wy_batch_save(it->rods, buffer, own, message) : wy_batches_no_room(message);
  return wy_batches_collect(self, it, false, wy_batch_save_row(it->rods), buffer ? buffer + head : NULL, status,
                            message);
}

wy_status wy_batches_save(wy_batches *batches, void *buffer, size_t size, wy_message *message) {
  char *at = buffer;
  wy_status status = WY_OK;
  if (size > 0)
    wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_SAVE, .size = size});
  for (int i = 0; i < wy_batches_count(batches) && size > 0 && status == WY_OK; i++) {
    status = save_one(batches, &batches->list[i], at, message);
    at += at ? whole_size(&batches->list[i]) : 0;
  }
  return status;
}

/* The head to all, then to each rank its rods. */
static wy_status restore_one(wy_batches *self, const wy_batches_one *it, char *whole, wy_message *message) {
  const size_t own = wy_batch_save_size(it->rods), head = head_size(it), row = wy_batch_save_row(it->rods);
  char *buffer = leads(self) ? whole : wy_batches_room(self, own);
  wy_status status = wy_parts_agree(self->ranks, buffer ? WY_OK : wy_batches_no_room(message), NULL, message);
  if (status == WY_OK && self->ranks) {
    self->ranks->tell(self->ranks->context, buffer, head);
    wy_parts_hand_out(self->ranks, it->def->def.count, row, buffer + head);
  }
  if (status == WY_OK)
    status = wy_batch_restore(it->rods, buffer, own, message);
  return wy_parts_agree(self->ranks, status, NULL, message);
}

wy_status wy_batches_restore(wy_batches *batches, void *buffer, size_t size, wy_message *message) {
  char *at = buffer;
  wy_status status = WY_OK;
  size_t wanted = 0;
  for (int i = 0; i < wy_batches_count(batches); i++)
    wanted += whole_size(&batches->list[i]);
  if (size == 0)
    return WY_OK;
  if (size != wanted)
    return wy_results_fail(message, WY_ERROR_INPUT, "the saved states of batches do not fit this scenario");
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_RESTORE, .size = size});
  for (int i = 0; i < wy_batches_count(batches) && status == WY_OK; i++) {
    status = restore_one(batches, &batches->list[i], at, message);
    at += at ? whole_size(&batches->list[i]) : 0;
  }
  return status;
}
