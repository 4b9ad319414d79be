/* SPDX-License-Identifier: MIT */
/* Saved states of batches. */
#include <string.h>

#include "batch/inside.h"

enum { VERSION = 4 };
static const char magic[8] = "withyB";

/* What a saved state begins with: enough to tell batches apart. */
enum { WORDS = 10 };
typedef struct head {
  char magic[8];
  uint64_t version, model[WY_MODEL_PARTS], words[WORDS];
} head;

typedef struct clock {
  double time, spacing;
  int now, wanted, calm, patience;
  bool leaps, halved;
  char choice[WY_BATCH_CHOICE];
  bool moved[2], by_user[2], placed, given[WY_BATCH_NUMBERS];
  wy_batch_statistics work;
} clock;

static head head_of(const wy_batch *self) {
  head out = {.version = VERSION};
  memcpy(out.magic, magic, sizeof magic);
  wy_model_identify(self->model, 1, out.model);
  const int words[WORDS - 1] = {self->def.rod,
                                wy_batch_total(self),
                                self->kind.segments,
                                self->def.substeps,
                                self->def.retries,
                                (int)self->kind.precision,
                                (int)self->def.integrator,
                                (int)self->kind.measure,
                                (int)self->def.staggered.segment_inertia};
  for (int i = 0; i < WORDS - 1; i++)
    out.words[i] = (uint64_t)words[i];
  memcpy(&out.words[WORDS - 1], &self->def.tolerance, sizeof out.words[0]);
  return out;
}

static size_t state_size(const wy_batch *self) {
  return wy_batch_state_entries(self) * sizeof(double);
}

size_t wy_batch_save_row(const wy_batch *batch) {
  if (!batch)
    return 0;
  size_t values = WY_ENDS;
  for (int i = 0; i < WY_BATCH_NUMBERS; i++)
    values += (size_t)wy_batch_number_size((wy_batch_number)i);
  return values * sizeof(double) + sizeof(wy_batch_rod) + 2 * state_size(batch);
}

size_t wy_batch_save_size(const wy_batch *batch) {
  return batch ? sizeof(head) + sizeof(clock) + (size_t)batch->kind.count * wy_batch_save_row(batch) : 0;
}

static char *put(char *to, const void *from, size_t size) {
  memcpy(to, from, size);
  return to + size;
}

static const char *take(const char *from, void *to, size_t size) {
  memcpy(to, from, size);
  return from + size;
}

/* Where the numbers of a rod stand, and how many bytes they have. */
static double *numbers_of(const wy_batch *self, int number, int rod, size_t *size) {
  const size_t values = (size_t)wy_batch_number_size((wy_batch_number)number);
  *size = values * sizeof(double);
  return self->numbers[number] + (size_t)rod * values;
}

static char *save_rod(wy_batch *self, int rod, char *to) {
  size_t size;
  for (int i = 0; i < WY_BATCH_NUMBERS; i++) {
    const double *numbers = numbers_of(self, i, rod, &size);
    to = put(to, numbers, size);
  }
  to = put(to, self->ends + (size_t)rod * WY_ENDS, WY_ENDS * sizeof(double));
  to = put(to, &self->rods[rod], sizeof self->rods[rod]);
  for (int before = 0; before < 2; before++) {
    self->backend->download(self->machine, wy_batch_state_array(self, before), rod, 1, self->row);
    to = put(to, self->row, state_size(self));
  }
  return to;
}

/* What numbers do not tell: ends, status and states. */
static void restore_rod(wy_batch *self, int rod, const char *from) {
  double *ends = self->ends + (size_t)rod * WY_ENDS;
  for (int i = 0; i < WY_BATCH_NUMBERS; i++)
    from += (size_t)wy_batch_number_size((wy_batch_number)i) * sizeof(double);
  from = take(from, ends, WY_ENDS * sizeof(double));
  from = take(from, &self->rods[rod], sizeof self->rods[rod]);
  self->backend->upload(self->machine, WY_ARRAY_ENDS, rod, 1, ends);
  for (int before = 0; before < 2; before++) {
    from = take(from, self->row, state_size(self));
    self->backend->upload(self->machine, wy_batch_state_array(self, before), rod, 1, self->row);
  }
}

static void restore_numbers(wy_batch *self, const char *rows) {
  const size_t row = wy_batch_save_row(self);
  for (int rod = 0; rod < self->kind.count; rod++) {
    const char *from = rows + (size_t)rod * row;
    for (int i = 0; i < WY_BATCH_NUMBERS; i++) {
      size_t size;
      double *numbers = numbers_of(self, i, rod, &size);
      from = take(from, numbers, size);
    }
  }
}

wy_status wy_batch_save(wy_batch *batch, void *buffer, size_t size, wy_message *message) {
  if (!batch || !buffer)
    return wy_fail_missing(message, batch ? "buffer" : "batch");
  if (size < wy_batch_save_size(batch))
    return wy_fail(message, WY_ERROR_INPUT, "the buffer has %zu bytes; expected %zu", size, wy_batch_save_size(batch));
  wy_batch_refresh(batch);
  const head own = head_of(batch);
  clock now;
  memset(&now, 0, sizeof now);
  now.time = batch->time, now.spacing = batch->spacing, now.now = batch->now, now.work = batch->work;
  now.placed = batch->placed;
  now.wanted = batch->wanted, now.calm = batch->calm, now.patience = batch->patience;
  now.leaps = batch->leaps, now.halved = batch->halved;
  memcpy(now.choice, batch->choice, sizeof now.choice);
  memcpy(now.moved, batch->moved, sizeof now.moved);
  memcpy(now.by_user, batch->by_user, sizeof now.by_user);
  memcpy(now.given, batch->given, sizeof now.given);
  char *to = put(put(buffer, &own, sizeof own), &now, sizeof now);
  for (int i = 0; i < batch->kind.count; i++)
    to = save_rod(batch, i, to);
  return WY_OK;
}

wy_status wy_batch_restore(wy_batch *batch, const void *buffer, size_t size, wy_message *message) {
  if (!batch || !buffer)
    return wy_fail_missing(message, batch ? "buffer" : "batch");
  const head own = head_of(batch);
  if (size != wy_batch_save_size(batch) || memcmp(buffer, &own, sizeof own) != 0)
    return wy_fail(message, WY_ERROR_INPUT, "the saved state belongs to another batch, model or version of withy");
  clock now;
  const char *from = take((const char *)buffer + sizeof own, &now, sizeof now);
  restore_numbers(batch, from);
  memcpy(batch->given, now.given, sizeof now.given);
  batch->stale_parameters = batch->stale_start = true;
  wy_batch_refresh(batch);
  batch->time = now.time, batch->spacing = now.spacing, batch->now = now.now, batch->work = now.work;
  batch->placed = now.placed;
  batch->wanted = now.wanted, batch->calm = now.calm, batch->patience = now.patience;
  batch->leaps = now.leaps, batch->halved = now.halved;
  memcpy(batch->choice, now.choice, sizeof now.choice);
  memcpy(batch->moved, now.moved, sizeof now.moved);
  memcpy(batch->by_user, now.by_user, sizeof now.by_user);
  for (int i = 0; i < batch->kind.count; i++, from += wy_batch_save_row(batch))
    restore_rod(batch, i, from);
  return WY_OK;
}
