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
} one;

struct wy_batches {
  const wy_scenario *scenario;
  wy_model *patterns;
  int count;
  double *values; /* of a probe of the largest batch */
  wy_batch_rod *status;
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

static wy_status make(wy_batches *self, int index, wy_message *message) {
  const wy_scenario *scenario = self->scenario;
  const wy_scenario_batch *def = &scenario->batches[index];
  one *it = &self->list[index];
  bool good = true;
  it->def = def;
  wy_status status =
      wy_scenario_batch_create(scenario, self->patterns, index, &scenario->sim.tasks, &it->rods, message);
  if (status != WY_OK)
    return status;
  it->segments = wy_batch_describe(it->rods).segments;
  if (def->motion.moves)
    it->room = take(self, 20 * (size_t)def->def.count, sizeof *it->room, &good);
  it->block = take(self, (size_t)BLOCK * (size_t)(it->segments + 1) * 13, sizeof *it->block, &good);
  return good ? WY_OK : wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the batch '%s'", def->name);
}

wy_status wy_batches_create(const wy_scenario *scenario, wy_batches **out, wy_message *message) {
  *out = NULL;
  if (scenario->batch_count == 0)
    return WY_OK;
  wy_batches *self = calloc(1, sizeof *self + (size_t)scenario->batch_count * sizeof self->list[0]);
  if (!self)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for batches");
  self->scenario = scenario;
  int largest = 0;
  wy_status status = wy_scenario_patterns(scenario, &self->patterns, message);
  for (int i = 0; i < scenario->batch_count && status == WY_OK; i++) {
    self->count = i + 1;
    status = make(self, i, message);
    largest = scenario->batches[i].def.count > largest ? scenario->batches[i].def.count : largest;
  }
  bool good = true;
  self->values = take(self, 3 * (size_t)largest, sizeof *self->values, &good);
  self->status = take(self, (size_t)largest, sizeof *self->status, &good);
  self->rods = take(self, (size_t)scenario->batch_count, sizeof(wy_batch *), &good);
  if (status == WY_OK && !good)
    status = wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for batches");
  if (status == WY_OK)
    *out = self;
  else
    wy_batches_destroy(self);
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
    bytes += (double)wy_batch_memory(batches->list[i].rods);
  return bytes;
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

wy_status wy_batches_move(wy_batches *batches, double t, wy_sim *sim, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < wy_batches_count(batches) && status == WY_OK; i++) {
    one *it = &batches->list[i];
    const double frame = t - wy_batch_time(it->rods);
    wy_rigid_motion motion;
    if (!(frame > 0))
      continue;
    status = wy_scenario_batch_motion(batches->scenario, i, t, sim, &motion, message);
    if (status == WY_OK)
      status = wy_scenario_batch_move(batches->scenario, i, &motion, it->rods, it->room, message);
    if (status == WY_OK)
      status = wy_batch_advance(it->rods, frame, message);
    status = status == WY_RETRY ? WY_OK : status; /* rods that failed are told at the end */
    if (status != WY_OK)
      status = failed(it, status, message);
  }
  return status;
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

/* The first rod that failed, and the numbers of a few of them. */
static void describe_failures(const one *it, double *earliest, char *list, size_t size) {
  enum { FEW = 5 };
  size_t used = 0;
  int told = 0;
  *earliest = INFINITY;
  list[0] = '\0';
  for (int i = 0; i < it->def->def.count; i++) {
    wy_batch_rod rod;
    wy_batch_status(it->rods, i, 1, &rod, NULL);
    if (!rod.failed)
      continue;
    *earliest = fmin(*earliest, rod.time);
    if (told++ < FEW && used < size)
      used += (size_t)snprintf(list + used, size - used, "%s%d", told > 1 ? ", " : "", i);
    else if (told == FEW + 1 && used < size)
      used += (size_t)snprintf(list + used, size - used, ", ...");
  }
}

wy_status wy_batches_verify(const wy_batches *batches, wy_message *message) {
  for (int i = 0; i < wy_batches_count(batches); i++) {
    const one *it = &batches->list[i];
    const long lost = wy_batch_work(it->rods).failed;
    double since;
    char list[96];
    if (lost == 0)
      continue;
    describe_failures(it, &since, list, sizeof list);
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

size_t wy_batches_save_size(const wy_batches *batches) {
  size_t size = 0;
  for (int i = 0; i < wy_batches_count(batches) && has_begun(batches); i++)
    size += wy_batch_save_size(batches->list[i].rods);
  return size;
}

wy_status wy_batches_save(const wy_batches *batches, void *buffer, size_t size, wy_message *message) {
  char *at = buffer;
  wy_status status = WY_OK;
  for (int i = 0; i < wy_batches_count(batches) && size > 0 && status == WY_OK; i++) {
    const size_t own = wy_batch_save_size(batches->list[i].rods);
    status = wy_batch_save(batches->list[i].rods, at, own, message);
    at += own;
  }
  return status;
}

wy_status wy_batches_restore(wy_batches *batches, const void *buffer, size_t size, wy_message *message) {
  const char *at = buffer;
  wy_status status = WY_OK;
  for (int i = 0; i < wy_batches_count(batches) && size > 0 && status == WY_OK; i++) {
    const size_t own = wy_batch_save_size(batches->list[i].rods);
    if (own > size)
      return wy_results_fail(message, WY_ERROR_INPUT, "the saved states of batches do not fit this scenario");
    status = wy_batch_restore(batches->list[i].rods, at, own, message);
    at += own;
    size -= own;
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

wy_status wy_batches_probe(wy_batches *batches, int probe, double *out, wy_message *message) {
  const wy_batch_probe *of = &batches->scenario->batch_probes[probe];
  const one *it = &batches->list[of->batch];
  const int count = it->def->def.count, components = wy_quantity_describe(of->quantity)->components;
  for (int first = 0; first < count; first += BLOCK) {
    const int some = count - first < BLOCK ? count - first : BLOCK;
    const wy_status status = read_block(it, of->quantity, first, some, message);
    if (status != WY_OK)
      return failed(it, status, message);
    for (int i = 0; i < some; i++, out += components)
      value_of(it, of->quantity, of->share * it->segments, i, out);
  }
  return WY_OK;
}

/* Mean, least, largest of one component. */
static void reduce(const wy_batches *batches, int count, int components, int k, double *out) {
  double sum = 0, least = INFINITY, largest = -INFINITY;
  int used = 0;
  for (int i = 0; i < count; i++) {
    const double value = batches->values[(size_t)i * (size_t)components + (size_t)k];
    if (batches->status[i].failed)
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
    wy_status status = wy_batches_probe(batches, i, batches->values, message);
    if (status == WY_OK)
      status = wy_batch_status(it->rods, 0, count, batches->status, message);
    if (status != WY_OK)
      return status;
    for (int k = 0; k < info->components; k++)
      reduce(batches, count, info->components, k, values);
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

wy_status wy_batches_tips(wy_batches *batches, int batch, double *out, wy_message *message) {
  const one *it = &batches->list[batch];
  const int count = it->def->def.count;
  const size_t row = 3 * ((size_t)it->segments + 1);
  for (int first = 0; first < count; first += BLOCK) {
    const int some = count - first < BLOCK ? count - first : BLOCK;
    const wy_status status = wy_batch_positions(it->rods, first, some, it->block, message);
    if (status != WY_OK)
      return failed(it, status, message);
    for (int i = 0; i < some; i++, out += 3)
      memcpy(out, it->block + (size_t)i * row + row - 3, 3 * sizeof *out);
  }
  return WY_OK;
}

wy_status wy_batches_recorded(wy_batches *batches, int batch, wy_batches_read *read, size_t size, double *out,
                              wy_message *message) {
  const one *it = &batches->list[batch];
  for (int i = 0; i < it->def->recorded_count; i++, out += size) {
    const wy_status status = read(it->rods, it->def->recorded[i], 1, out, message);
    if (status != WY_OK)
      return failed(it, status, message);
  }
  return WY_OK;
}
