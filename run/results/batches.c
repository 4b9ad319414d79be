/* SPDX-License-Identifier: MIT */
#include "run/results/batches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/schema/schema.h"

/* Rods that are read at once. */
enum { BLOCK = 64 };

typedef struct one {
  wy_batch *rods;
  const wy_scenario_batch *def;
  double *room;  /* for the motion of the roots; NULL where they do not move */
  double *block; /* arrays of BLOCK rods: positions, frames and two more of 3 numbers a vertex */
  int segments;
  int first, own; /* the rods of this rank */
  double memory;  /* of all ranks */
  const wy_ranks *ranks;
} one;

struct wy_batches {
  const wy_scenario *scenario;
  const wy_ranks *ranks; /* or NULL */
  bool stop;             /* some rank was interrupted */
  wy_model *patterns;
  int count;
  double *values; /* of a probe of the largest batch */
  wy_batch_rod *status;
  void *room; /* of the ranks above 0, for what they send; grows */
  size_t room_size;
  wy_batch **rods; /* all of them, for callers */
  size_t kept;     /* bytes beside those of the library */
  one list[];
};

/* ---- Life ---- */

static void *take(wy_batches *self, size_t count, size_t size, bool *good) {
  void *taken = calloc(count + 1, size);
  self->kept += (count + 1) * size;
  *good = *good && taken;
  return taken;
}

static void combine_parts(void *context, double *sums, int count, double *least) {
  const one *it = context;
  it->ranks->combine(it->ranks->context, sums, count, least);
}

/* The rods of this rank; one without rods has a copy of another one's. */
static wy_status make_part(wy_batches *self, int index, wy_message *message) {
  const wy_scenario *scenario = self->scenario;
  one *it = &self->list[index];
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
  one *it = &self->list[index];
  bool good = true;
  it->def = def;
  wy_status status = make_part(self, index, message);
  if (status != WY_OK)
    return status;
  const wy_batch_info info = wy_batch_describe(it->rods);
  it->segments = info.segments;
  if (def->motion.moves)
    it->room = take(self, 20 * (size_t)info.count, sizeof *it->room, &good);
  it->block = take(self, (size_t)BLOCK * (size_t)(it->segments + 1) * 13, sizeof *it->block, &good);
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
    one *it = &self->list[i];
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
  if (status == WY_OK) {
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

/* A failure of the library, with the name of the batch. */
static wy_status failed(const one *it, wy_status status, wy_message *message) {
  const wy_message told = *message;
  return wy_results_fail(message, status, "batch '%s': %.900s", it->def->name, told.text);
}

/* By one frame to time t, with the rods of this rank. */
static wy_status move_one(wy_batches *batches, int batch, double t, const wy_rigid_motion *motion,
                          wy_message *message) {
  one *it = &batches->list[batch];
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
    one *it = &batches->list[i];
    wy_rigid_motion motion;
    if (!(t > wy_batch_time(it->rods)))
      continue;
    status = wy_scenario_batch_motion(batches->scenario, i, t, sim, &motion, message);
    if (status == WY_OK)
      status = move_one(batches, i, t, &motion, message);
    if (status != WY_OK)
      status = failed(it, status, message);
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
  const one *it = &batches->list[batch];
  const wy_batch_info info = wy_batch_describe(it->rods);
  if (!info.reason[0])
    return false;
  snprintf(text, size, "batch '%s' is calculated with %s: %s", it->def->name, info.machine, info.reason);
  return true;
}

/* What all ranks have found of their rods, to rank 0; of the recorded ones alone, or of all. */
static wy_status collect(wy_batches *batches, const one *it, bool recorded, size_t size, void *values, wy_status status,
                         wy_message *message) {
  status = wy_parts_agree(batches->ranks, status, NULL, message);
  if (status != WY_OK)
    return failed(it, status, message);
  wy_parts_gather(batches->ranks, it->def->def.count, recorded ? it->def->recorded : NULL, it->def->recorded_count,
                  size, values);
  return WY_OK;
}

const wy_batch_rod *wy_batches_status(wy_batches *batches, int batch, wy_message *message) {
  const one *it = &batches->list[batch];
  wy_message unread;
  message = message ? message : &unread;
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_STATUS, .item = batch});
  wy_status status = wy_batch_status(it->rods, 0, it->own, batches->status, message);
  status = collect(batches, it, false, sizeof *batches->status, batches->status, status, message);
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
    const one *it = &batches->list[i];
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
static size_t head_size(const one *it) {
  return wy_batch_save_size(it->rods) - (size_t)wy_batch_describe(it->rods).count * wy_batch_save_row(it->rods);
}

static size_t whole_size(const one *it) {
  return head_size(it) + (size_t)it->def->def.count * wy_batch_save_row(it->rods);
}

size_t wy_batches_save_size(const wy_batches *batches) {
  size_t size = 0;
  for (int i = 0; i < wy_batches_count(batches) && has_begun(batches); i++)
    size += whole_size(&batches->list[i]);
  return size;
}

/* Room for `size` bytes on ranks above 0; NULL: there is none. */
static void *room_for(wy_batches *self, size_t size) {
  if (size > self->room_size) {
    free(self->room);
    self->room = malloc(size);
    self->room_size = self->room ? size : 0;
  }
  return self->room;
}

static wy_status no_room(wy_message *message) {
  return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the part of another rank");
}

static bool leads(const wy_batches *self) {
  return !self->ranks || self->ranks->rank == 0;
}

/* `whole` has room for all rods on rank 0, and is NULL elsewhere. */
static wy_status save_one(wy_batches *self, const one *it, char *whole, wy_message *message) {
  const size_t own = wy_batch_save_size(it->rods), head = head_size(it);
  char *buffer = leads(self) ? whole : room_for(self, own);
  const wy_status status = buffer ? wy_batch_save(it->rods, buffer, own, message) : no_room(message);
  return collect(self, it, false, wy_batch_save_row(it->rods), buffer ? buffer + head : NULL, status, message);
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
static wy_status restore_one(wy_batches *self, const one *it, char *whole, wy_message *message) {
  const size_t own = wy_batch_save_size(it->rods), head = head_size(it), row = wy_batch_save_row(it->rods);
  char *buffer = leads(self) ? whole : room_for(self, own);
  wy_status status = wy_parts_agree(self->ranks, buffer ? WY_OK : no_room(message), NULL, message);
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

/* ---- Probes ---- */

/* Values between the points of a rod, first, first + 1, ... in units of segments; beyond the ends by the line through
   the last two, as probes of single rods. */
static void between(const double *values, int count, int components, double first, double x, double *out) {
  int low = (int)floor(x - first);
  low = low < 0 ? 0 : low > count - 2 ? count - 2 : low;
  const double share = x - first - low;
  for (int k = 0; k < components; k++) {
    const double a = values[(size_t)low * (size_t)components + (size_t)k];
    out[k] = a + share * (values[((size_t)low + 1) * (size_t)components + (size_t)k] - a);
  }
}

static void director(const double frame[4], int axis, double *out) {
  const double w = frame[0], x = frame[1], y = frame[2], z = frame[3], square = w * w + x * x + y * y + z * z;
  const double columns[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
                                {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
                                {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}};
  for (int k = 0; k < 3; k++)
    out[k] = columns[axis][k] / square;
}

/* Neighbouring frames may have opposite signs. */
static void align_frames(double *frames, int count) {
  for (int i = 1; i < count; i++) {
    double *q = frames + 4 * (size_t)i, inner = 0;
    for (int k = 0; k < 4; k++)
      inner += q[k] * q[k - 4];
    for (int k = 0; k < 4 && inner < 0; k++)
      q[k] = -q[k];
  }
}

static double length_of(const double *x, int segments) {
  double sum = 0;
  for (int i = 0; i < segments; i++, x += 3)
    sum += sqrt((x[3] - x[0]) * (x[3] - x[0]) + (x[4] - x[1]) * (x[4] - x[1]) + (x[5] - x[2]) * (x[5] - x[2]));
  return sum;
}

/* What the quantity is made of, of `count` rods from `first` on. */
static wy_status read_block(const one *it, wy_quantity quantity, int first, int count, wy_message *message) {
  double *block = it->block;
  switch (quantity) {
  case WY_POSITION:
  case WY_LENGTH:
    return wy_batch_positions(it->rods, first, count, block, message);
  case WY_VELOCITY:
    return wy_batch_velocities(it->rods, first, count, block, message);
  case WY_ANGULAR_VELOCITY:
    return wy_batch_spins(it->rods, first, count, block, message);
  case WY_DIRECTOR1:
  case WY_DIRECTOR2:
  case WY_DIRECTOR3:
    return wy_batch_frames(it->rods, first, count, block, message);
  case WY_STRAIN:
    return wy_batch_sections(it->rods, first, count, block, NULL, NULL, NULL, message);
  case WY_FORCE:
  case WY_TENSION:
    return wy_batch_sections(it->rods, first, count, NULL, block, NULL, NULL, message);
  case WY_CURVATURE:
  case WY_BEND_RADIUS:
    return wy_batch_sections(it->rods, first, count, NULL, NULL, block, NULL, message);
  default:
    return wy_batch_sections(it->rods, first, count, NULL, NULL, NULL, block, message);
  }
}

/* The value of one rod of the block at the place x, counted in segments. */
static void value_of(const one *it, wy_quantity quantity, double x, int rod, double *out) {
  const int n = it->segments;
  const size_t at = (size_t)rod * (size_t)n, vertices = (size_t)rod * (size_t)(n + 1);
  double value[4];
  switch (quantity) {
  case WY_POSITION:
  case WY_VELOCITY:
  case WY_CURVATURE:
  case WY_MOMENT:
    between(it->block + 3 * vertices, n + 1, 3, 0, x, out);
    return;
  case WY_ANGULAR_VELOCITY:
  case WY_STRAIN:
  case WY_FORCE:
    between(it->block + 3 * at, n, 3, 0.5, x, out);
    return;
  case WY_TENSION:
    between(it->block + 3 * at, n, 3, 0.5, x, value);
    out[0] = value[2];
    return;
  case WY_BEND_RADIUS:
    between(it->block + 3 * vertices, n + 1, 3, 0, x, value);
    out[0] = 1 / hypot(value[0], value[1]);
    return;
  case WY_LENGTH:
    out[0] = length_of(it->block + 3 * vertices, n);
    return;
  default:
    align_frames(it->block + 4 * at, n);
    between(it->block + 4 * at, n, 4, 0.5, x, value);
    director(value, (int)(quantity - WY_DIRECTOR1), out);
  }
}

static wy_status probe_own(const one *it, const wy_batch_probe *of, double *out, wy_message *message) {
  const int components = wy_quantity_describe(of->quantity)->components;
  wy_status status = out ? WY_OK : no_room(message);
  for (int first = 0; first < it->own && status == WY_OK; first += BLOCK) {
    const int some = it->own - first < BLOCK ? it->own - first : BLOCK;
    status = read_block(it, of->quantity, first, some, message);
    for (int i = 0; i < some && status == WY_OK; i++, out += components)
      value_of(it, of->quantity, of->share * it->segments, i, out);
  }
  return status;
}

wy_status wy_batches_probe(wy_batches *batches, int probe, double *out, wy_message *message) {
  const wy_batch_probe *of = &batches->scenario->batch_probes[probe];
  const one *it = &batches->list[of->batch];
  const size_t size = (size_t)wy_quantity_describe(of->quantity)->components * sizeof *out;
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_PROBE, .item = probe});
  return collect(batches, it, false, size, out, probe_own(it, of, out, message), message);
}

/* Mean, least, largest of one component. */
static void reduce(const wy_batches *batches, const wy_batch_rod *status, int count, int components, int k,
                   double *out) {
  double sum = 0, least = INFINITY, largest = -INFINITY;
  int used = 0;
  for (int i = 0; i < count; i++) {
    const double value = batches->values[(size_t)i * (size_t)components + (size_t)k];
    if (status && status[i].failed)
      continue;
    sum += value;
    least = fmin(least, value);
    largest = fmax(largest, value);
    used++;
  }
  out[k] = sum / used;
  out[components + k] = least;
  out[2 * components + k] = largest;
}

wy_status wy_batches_row(wy_batches *batches, double *values, wy_message *message) {
  const wy_scenario *scenario = batches ? batches->scenario : NULL;
  for (int i = 0; scenario && i < scenario->batch_probe_count; i++) {
    const wy_batch_probe *probe = &scenario->batch_probes[i];
    const wy_quantity_info *info = wy_quantity_describe(probe->quantity);
    const one *it = &batches->list[probe->batch];
    const int count = it->def->def.count;
    const bool any = wy_batch_work(it->rods).failed > 0;
    const wy_status status = wy_batches_probe(batches, i, batches->values, message);
    const wy_batch_rod *rods = status == WY_OK && any ? wy_batches_status(batches, probe->batch, message) : NULL;
    if (status != WY_OK || (any && !rods))
      return status != WY_OK ? status : WY_ERROR_SOLVER;
    for (int k = 0; k < info->components; k++)
      reduce(batches, rods, count, info->components, k, values);
    for (int k = 0; k < 3 * info->components; k++)
      if (isnan(values[k]) || (isinf(values[k]) && !info->unbounded))
        return wy_results_fail(message, WY_ERROR_SOLVER,
                               "t = %.9g: batch '%s': probe '%s' (%s) is %g: the solution has broken down",
                               wy_batch_time(it->rods), it->def->name, probe->name, info->name, values[k]);
    values += 3 * (size_t)info->components;
  }
  return WY_OK;
}

/* ---- What snapshots hold ---- */

typedef wy_status reader(wy_batch *batch, int first, int count, double *out, wy_message *message);

static wy_status read_tips(const one *it, double *out, wy_message *message) {
  const size_t row = 3 * ((size_t)it->segments + 1);
  wy_status status = out ? WY_OK : no_room(message);
  for (int first = 0; first < it->own && status == WY_OK; first += BLOCK) {
    const int some = it->own - first < BLOCK ? it->own - first : BLOCK;
    status = wy_batch_positions(it->rods, first, some, it->block, message);
    for (int i = 0; i < some && status == WY_OK; i++, out += 3)
      memcpy(out, it->block + (size_t)i * row + row - 3, 3 * sizeof *out);
  }
  return status;
}

wy_status wy_batches_tips(wy_batches *batches, int batch, double *out, wy_message *message) {
  const one *it = &batches->list[batch];
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_TIPS, .item = batch});
  return collect(batches, it, false, 3 * sizeof *out, out, read_tips(it, out, message), message);
}

static wy_status read_recorded(const wy_batches *batches, const one *it, reader *read, size_t size, double *out,
                               wy_message *message) {
  int from;
  const int many = wy_parts_chosen(batches->ranks, leads(batches) ? 0 : batches->ranks->rank, it->def->def.count,
                                   it->def->recorded, it->def->recorded_count, &from);
  wy_status status = out ? WY_OK : no_room(message);
  for (int i = 0; i < many && status == WY_OK; i++, out += size)
    status = read(it->rods, it->def->recorded[from + i] - it->first, 1, out, message);
  return status;
}

wy_status wy_batches_recorded(wy_batches *batches, int batch, wy_batches_item item, size_t size, double *out,
                              wy_message *message) {
  static reader *const readers[] = {wy_batch_positions, wy_batch_frames, wy_batch_velocities};
  const one *it = &batches->list[batch];
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_RECORDED, .item = batch, .read = (int)item, .size = size});
  const wy_status status = read_recorded(batches, it, readers[item], size, out, message);
  return collect(batches, it, true, size * sizeof *out, out, status, message);
}

/* ---- The other ranks ---- */

/* One order. What fails is told to rank 0 there. */
static void carry_out(wy_batches *self, const wy_order *order, wy_message *message) {
  const one *it = order->what == WY_ORDER_PROBE ? NULL : &self->list[order->item];
  switch (order->what) {
  case WY_ORDER_MOVE:
    move_one(self, order->item, order->t, &order->motion, message);
    break;
  case WY_ORDER_PROBE:
    wy_batches_probe(self, order->item, self->values, message);
    break;
  case WY_ORDER_STATUS:
    wy_batches_status(self, order->item, message);
    break;
  case WY_ORDER_TIPS:
    wy_batches_tips(self, order->item, self->values, message);
    break;
  case WY_ORDER_RECORDED:
    wy_batches_recorded(self, order->item, (wy_batches_item)order->read, order->size,
                        room_for(self, ((size_t)it->own + 1) * order->size * sizeof(double)), message);
    break;
  case WY_ORDER_SAVE:
    wy_batches_save(self, NULL, order->size, message);
    break;
  default:
    wy_batches_restore(self, NULL, order->size, message);
  }
}

wy_status wy_batches_serve(const wy_scenario *scenario, const wy_ranks *ranks, bool (*interrupted)(void *context),
                           void *context, wy_message *message) {
  wy_batches *self = NULL;
  wy_status status = WY_OK;
  for (wy_order order; (order = wy_parts_await(ranks)).what != WY_ORDER_END;) {
    if (order.what == WY_ORDER_MAKE) {
      status = wy_batches_create(scenario, ranks, &self, message);
    } else if (self) {
      self->stop = self->stop || (interrupted && interrupted(context));
      carry_out(self, &order, message);
    }
  }
  wy_batches_destroy(self);
  return status;
}

void wy_batches_dismiss(wy_batches *batches, const wy_ranks *ranks) {
  wy_parts_order(ranks, (wy_order){.what = WY_ORDER_END});
  if (batches)
    batches->ranks = NULL;
}
