/* SPDX-License-Identifier: MIT */
#include "draw/bands.h"

#include <math.h>

#include "draw/labels.h"
#include "run/results/file.h"

const double wy_band_shares[WY_BAND_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

/* ---- Quantiles ---- */

static void swap(double *a, double *b) {
  const double kept = *a;
  *a = *b;
  *b = kept;
}

/* Puts the k-th smallest at its place, smaller ones before it and larger ones behind it (Hoare's selection). */
static double select_smallest(double *values, int count, int k) {
  int low = 0, high = count - 1;
  while (low < high) {
    const double pivot = values[low + (high - low) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (values[i] < pivot)
        i++;
      while (values[j] > pivot)
        j--;
      if (i <= j)
        swap(&values[i++], &values[j--]);
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      break;
  }
  return values[k];
}

double wy_quantile(double *values, int count, double share) {
  if (count < 1)
    return NAN;
  const double place = share * (count - 1);
  const int below = (int)fmin(floor(place), count - 1);
  const double part = place - below, first = select_smallest(values, count, below);
  if (part == 0 || below + 1 >= count)
    return first;
  double second = INFINITY; /* the smallest of those behind it */
  for (int i = below + 1; i < count; i++)
    second = fmin(second, values[i]);
  return isfinite(second) ? first + part * (second - first) : second;
}

/* ---- Of a probe ---- */

/* A probe of a batch while it is read. */
typedef struct source {
  wy_folder *folder;
  wy_memory *memory;
  const wy_folder_batch *batch;
  const wy_stored_field *field;
  const char *probe;
  int most, snapshots;
  const double *time;
  const double *failed;  /* [rods]: not 0: it has; or NULL */
  double *values, *some; /* [rods][components] of a snapshot; [rods] room for those of one component */
} source;

static int pick_snapshot(const source *in, int shown, int k) {
  return shown < 2 ? 0 : (int)((long long)k * (in->snapshots - 1) / (shown - 1));
}

/* The values of one component that are numbers, of rods that have not failed. */
static int collect(const source *in, int component) {
  const int components = in->field->components;
  int count = 0;
  for (int i = 0; i < in->batch->count; i++) {
    const double value = in->values[(size_t)i * (size_t)components + (size_t)component];
    if (!(in->failed && in->failed[i] != 0) && !isnan(value))
      in->some[count++] = value;
  }
  return count;
}

static wy_status fill(const source *in, wy_band *bands, int shown, double *time, wy_message *message) {
  const int components = in->field->components;
  wy_status status = WY_OK;
  for (int k = 0; k < shown && status == WY_OK; k++) {
    const int snapshot = pick_snapshot(in, shown, k);
    time[k] = in->time[snapshot];
    status = wy_folder_read(in->folder, in->field, snapshot, 1, 1, in->values, message);
    for (int c = 0; c < components && status == WY_OK; c++) {
      const int count = collect(in, c);
      for (int q = 0; q < WY_BAND_QUANTILES; q++)
        bands[c].quantile[q][k] = wy_quantile(in->some, count, wy_band_shares[q]);
      for (int i = 0; i < bands[c].courses; i++) {
        const size_t rod = (size_t)((2LL * i + 1) * in->batch->count / (2 * bands[c].courses));
        bands[c].course[i][k] = in->values[rod * (size_t)components + (size_t)c];
      }
    }
  }
  return status;
}

static int count_rods(const source *in) {
  int rods = in->batch->count;
  for (int i = 0; in->failed && i < in->batch->count; i++)
    rods -= in->failed[i] != 0;
  return rods;
}

static wy_status read_probe(const source *in, wy_bands *out, wy_message *message) {
  static const char *const vector[] = {" x", " y", " z"}, *const rotation[] = {" w", " x", " y", " z"};
  const int components = in->field->components, shown = in->snapshots < in->most ? in->snapshots : in->most;
  const char *quantity = wy_label_quantity(wy_folder_batch_probe(in->folder, in->probe), in->probe);
  wy_band *bands = &out->list[out->count];
  double *time = wy_memory_take(in->memory, (size_t)shown, sizeof *time);
  for (int c = 0; c < components; c++) {
    const char *part = components == 3 ? vector[c] : components == 4 ? rotation[c] : "";
    bands[c] = (wy_band){.title = wy_memory_print(in->memory, "%s%s of %s", in->probe, part, in->batch->name),
                         .label = wy_memory_print(in->memory, "%s%s", quantity, part),
                         .rods = count_rods(in),
                         .count = shown,
                         .time = time,
                         .courses = in->batch->count < WY_BAND_COURSES ? in->batch->count : WY_BAND_COURSES};
    for (int q = 0; q < WY_BAND_QUANTILES; q++)
      bands[c].quantile[q] = wy_memory_take(in->memory, (size_t)shown, sizeof(double));
    for (int i = 0; i < bands[c].courses; i++)
      bands[c].course[i] = wy_memory_take(in->memory, (size_t)shown, sizeof(double));
  }
  const wy_status status = fill(in, bands, shown, time, message);
  out->count += status == WY_OK ? components : 0;
  return status;
}

/* ---- Of a batch ---- */

static wy_status find_failed(source *in, wy_message *message) {
  const wy_stored_numbers *failed = NULL;
  const char *path = wy_memory_print(in->memory, "/batches/%s/status/failed", in->batch->name);
  const wy_status status = wy_folder_numbers(in->folder, path, &failed, message);
  in->failed = failed ? failed->values : NULL;
  return status == WY_OK && failed && failed->size[0] != in->batch->count ? wy_folder_damaged(in->folder, path, message)
                                                                          : status;
}

static wy_status read_batch(source *in, wy_bands *out, wy_message *message) {
  enum { MOST_COMPONENTS = 4 };
  const char *home = wy_memory_print(in->memory, "/batches/%s/probes", in->batch->name);
  const size_t rods = (size_t)in->batch->count;
  int count = 0;
  const char *const *names = NULL;
  wy_status status = wy_folder_names(in->folder, home, &count, &names, message);
  if (status != WY_OK || count == 0)
    return status;
  wy_band *list = wy_memory_take(in->memory, (size_t)out->count + MOST_COMPONENTS * (size_t)count, sizeof *list);
  for (int i = 0; i < out->count; i++)
    list[i] = out->list[i];
  out->list = list;
  in->values = wy_memory_take(in->memory, MOST_COMPONENTS * rods, sizeof *in->values);
  in->some = wy_memory_take(in->memory, rods, sizeof *in->some);
  status = find_failed(in, message);
  for (int i = 0; i < count && status == WY_OK; i++) {
    const char *path = wy_memory_print(in->memory, "%s/%s", home, names[i]);
    const int components = wy_folder_components(in->folder, path);
    in->probe = names[i];
    if (components < 1 || components > MOST_COMPONENTS)
      return wy_folder_damaged(in->folder, path, message);
    status = wy_folder_field(in->folder, path, components, &in->field, message);
    if (status == WY_OK && in->field && in->field->lines == in->batch->count && in->field->points == 1)
      status = read_probe(in, out, message);
    else if (status == WY_OK)
      status = wy_folder_damaged(in->folder, path, message);
  }
  return status;
}

wy_status wy_bands_read(wy_folder *folder, wy_memory *memory, int most, wy_bands *out, wy_message *message) {
  const wy_folder_batch *list = NULL;
  int count = 0;
  source in = {.folder = folder, .memory = memory, .most = most};
  *out = (wy_bands){0};
  wy_status status = wy_folder_snapshots(folder, &in.snapshots, &in.time, message);
  if (status == WY_OK)
    status = wy_folder_batches(folder, &count, &list, message);
  for (int i = 0; i < count && in.snapshots > 0 && status == WY_OK; i++) {
    in.batch = &list[i];
    if (!list[i].copies)
      status = read_batch(&in, out, message);
  }
  return status;
}
