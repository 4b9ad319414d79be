/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "run/results/h5.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/results/h5_layout.h"
#include "run/results/results.h"

/* How large the file is made at first, at most; then its room doubles whenever it is used up. */
enum { FIRST_BYTES = 1 << 24, FIRST_SNAPSHOTS = 64, COPY_BYTES = 1 << 20 };
/* How much may wait in memory to be written at once; a single snapshot may be larger. Each time costs a write for every
   field. */
enum { WAITING_BYTES = 1 << 17 };

struct wy_h5 {
  wy_pool pool;
  wy_h5_def def;
  const char *part; /* where a new file grows before it takes the place of the old one */
  wy_h5_layout layout;
  const wy_mode_table *modes; /* or NULL */
  double *snapshot;           /* the numbers of one snapshot, in the order of the fields */
  float *single;              /* those of a field in single precision, as they are written */
  char *waiting;              /* snapshots that are not in the file yet: `room` of each field, field after field */
  int file;
  long snapshots; /* in the file */
  long wait, room;
  double last_time; /* of a snapshot written, -INFINITY before the first */
};

static int copy_bytes(int from, uint64_t source, int to, uint64_t target, uint64_t size, void *buffer) {
  int error = 0;
  for (uint64_t done = 0; done < size && !error;) {
    size_t piece = size - done < COPY_BYTES ? (size_t)(size - done) : COPY_BYTES;
    error = wy_file_read_at(from, buffer, piece, source + done);
    if (!error)
      error = wy_file_write_at(to, buffer, piece, target + done);
    done += piece;
  }
  return error;
}

static int copy_snapshots(const wy_h5 *h5, int file, const wy_h5_layout *layout) {
  int error = 0;
  if (h5->snapshots > 0) {
    wy_pool pool = {0};
    void *buffer = wy_pool_take(&pool, COPY_BYTES);
    error = buffer ? 0 : ENOMEM;
    for (int i = 0; i < layout->field_count && !error; ++i)
      error = copy_bytes(h5->file, h5->layout.fields[i].offset, file, layout->fields[i].offset,
                         (uint64_t)h5->snapshots * layout->fields[i].bytes, buffer);
    wy_pool_release(&pool);
  }
  int64_t snapshots = h5->snapshots;
  return error ? error : wy_file_write_at(file, &snapshots, sizeof snapshots, layout->counter);
}

/* A file with room for `capacity` snapshots that holds those of the present one, and takes its place. 0, an errno, or
 * -1.
 */
static int rebuild(wy_h5 *h5, long capacity) {
  wy_h5_layout layout = h5->layout;
  size_t size = (size_t)layout.field_count * sizeof *layout.fields;
  layout.fields = malloc(size);
  if (!layout.fields)
    return ENOMEM;
  memcpy(layout.fields, h5->layout.fields, size);
  int error = wy_h5_lay_out(h5->part, &h5->def, capacity, h5->modes, &layout);
  int file = -1;
  if (!error) {
    file = open(h5->part, O_RDWR | O_CLOEXEC);
    error = file < 0 ? errno : copy_snapshots(h5, file, &layout);
  }
  if (!error && rename(h5->part, h5->def.path) != 0)
    error = errno;
  if (!error) {
    if (h5->file >= 0)
      close(h5->file);
    h5->file = file;
    memcpy(h5->layout.fields, layout.fields, size);
    h5->layout.counter = layout.counter;
    h5->layout.capacity = capacity;
  } else {
    if (file >= 0)
      close(file);
    unlink(h5->part);
  }
  free(layout.fields);
  return error;
}

static wy_status failure(const wy_h5 *h5, int error, wy_message *message) {
  if (error > 0)
    return wy_file_error(message, error, "writing", h5->def.path);
  return wy_results_fail(
      message, WY_ERROR_FILE,
      "%s cannot be laid out: two of its datasets have the same name, or a list of names is too long", h5->def.path);
}

/* Makes room for at least one more snapshot: for all of the run where that is not large, else for twice as many as
   there are. Where files may not become that large, less room is tried. */
static wy_status make_room(wy_h5 *h5, wy_message *message) {
  long capacity = (long)(FIRST_BYTES / h5->layout.bytes);
  if (capacity < FIRST_SNAPSHOTS)
    capacity = FIRST_SNAPSHOTS;
  while (capacity <= h5->snapshots)
    capacity *= 2;
  if (capacity > h5->def.snapshot_count)
    capacity = h5->def.snapshot_count;
  int error = rebuild(h5, capacity);
  while (error == EFBIG && capacity > h5->snapshots + 1) {
    capacity = h5->snapshots + (capacity - h5->snapshots) / 2;
    error = rebuild(h5, capacity);
  }
  return error ? failure(h5, error, message) : WY_OK;
}

static size_t largest_single(const wy_h5_layout *layout) {
  size_t largest = 0;
  for (int i = 0; i < layout->field_count; ++i)
    if (layout->fields[i].single && layout->fields[i].values > largest)
      largest = layout->fields[i].values;
  return largest;
}

/* NULL without memory. */
static wy_h5 *new_h5(const wy_h5_def *def) {
  wy_pool pool = {0};
  wy_h5 *h5 = wy_pool_take(&pool, sizeof *h5);
  size_t length = strlen(def->path);
  char *part = wy_pool_take(&pool, length + sizeof ".part");
  const wy_h5_layout layout = wy_h5_plan(def, &pool);
  if (pool.failed || !def->settings || !def->files) {
    wy_pool_release(&pool);
    return NULL;
  }
  snprintf(part, length + sizeof ".part", "%s.part", def->path);
  h5->def = *def;
  h5->part = part;
  h5->layout = layout;
  h5->snapshot = wy_pool_take(&pool, h5->layout.values * sizeof(double));
  h5->single = wy_pool_take(&pool, largest_single(&h5->layout) * sizeof(float));
  h5->room = (long)(WAITING_BYTES / h5->layout.bytes);
  if (h5->room > def->snapshot_count)
    h5->room = def->snapshot_count;
  if (h5->room < 1)
    h5->room = 1;
  h5->waiting = wy_pool_take(&pool, (size_t)h5->room * h5->layout.bytes);
  h5->file = -1;
  h5->last_time = -INFINITY;
  h5->pool = pool;
  if (!pool.failed)
    return h5;
  wy_pool_release(&pool);
  return NULL;
}

static void destroy(wy_h5 *h5) {
  if (h5->file >= 0)
    close(h5->file);
  wy_pool pool = h5->pool;
  wy_pool_release(&pool);
}

wy_status wy_h5_create(const wy_h5_def *def, wy_h5 **out, wy_message *message) {
  *out = NULL;
  wy_h5 *h5 = new_h5(def);
  if (!h5)
    return wy_file_error(message, ENOMEM, "creating", def->path);
  wy_status status = make_room(h5, message);
  if (status == WY_OK)
    *out = h5;
  else
    destroy(h5);
  return status;
}

static wy_status open_existing(wy_h5 *h5, long snapshots, wy_message *message) {
  long found = 0;
  wy_status status = wy_h5_find(h5->def.path, &h5->layout, &found, message);
  if (status != WY_OK)
    return status;
  if (found < snapshots)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s contains %ld complete snapshots, but the checkpoint refers to %ld; start again without "
                           "--resume",
                           h5->def.path, found, snapshots);
  h5->file = open(h5->def.path, O_RDONLY | O_CLOEXEC);
  if (h5->file < 0)
    return wy_file_error(message, errno, "reading", h5->def.path);
  h5->snapshots = snapshots;
  return make_room(h5, message);
}

wy_status wy_h5_resume(const wy_h5_def *def, long snapshots, wy_h5 **out, wy_message *message) {
  *out = NULL;
  wy_h5 *h5 = new_h5(def);
  if (!h5)
    return wy_file_error(message, ENOMEM, "reading", def->path);
  wy_status status = open_existing(h5, snapshots, message);
  if (status == WY_OK)
    *out = h5;
  else
    destroy(h5);
  return status;
}

wy_status wy_h5_trim(wy_h5 *h5, wy_message *message) {
  wy_status status = wy_h5_flush(h5, message);
  if (status != WY_OK || (h5->snapshots == h5->layout.capacity && !h5->def.batches))
    return status;
  int error = rebuild(h5, h5->snapshots);
  return error ? failure(h5, error, message) : WY_OK;
}

wy_status wy_h5_add_modes(wy_h5 *h5, const wy_mode_table *modes, wy_message *message) {
  wy_status status = wy_h5_flush(h5, message);
  if (status != WY_OK)
    return status;
  h5->modes = modes;
  int error = rebuild(h5, h5->snapshots);
  return error ? failure(h5, error, message) : WY_OK;
}

wy_status wy_h5_close(wy_h5 *h5, wy_message *message) {
  if (!h5)
    return WY_OK;
  wy_status status = wy_h5_flush(h5, message);
  if (close(h5->file) != 0 && status == WY_OK)
    status = wy_file_error(message, errno, "writing", h5->def.path);
  h5->file = -1;
  destroy(h5);
  return status;
}

/* What a snapshot of a field is in the file. */
static const void *content_of(const wy_h5 *h5, const wy_h5_field *field) {
  const double *values = h5->snapshot + field->start;
  if (!field->single)
    return values;
  for (size_t i = 0; i < field->values; ++i)
    h5->single[i] = (float)values[i];
  return h5->single;
}

wy_status wy_h5_check(wy_h5 *h5, wy_message *message) {
  return wy_snapshot_take(&h5->layout, &h5->def, h5->snapshot, message);
}

/* The snapshots of a field that wait lie one after the other, as they will in the file. */
static void keep_snapshot(wy_h5 *h5) {
  char *of_field = h5->waiting;
  for (int i = 0; i < h5->layout.field_count; ++i) {
    const wy_h5_field *field = &h5->layout.fields[i];
    if (field->bytes > 0)
      memcpy(of_field + (size_t)h5->wait * field->bytes, content_of(h5, field), field->bytes);
    of_field += (size_t)h5->room * field->bytes;
  }
  h5->wait += 1;
}

wy_status wy_h5_flush(wy_h5 *h5, wy_message *message) {
  if (!h5 || h5->wait == 0)
    return WY_OK;
  const char *of_field = h5->waiting;
  int error = 0;
  for (int i = 0; i < h5->layout.field_count && !error; ++i) {
    const wy_h5_field *field = &h5->layout.fields[i];
    uint64_t place = field->offset + (uint64_t)h5->snapshots * field->bytes;
    error = wy_file_write_at(h5->file, of_field, (size_t)h5->wait * field->bytes, place);
    of_field += (size_t)h5->room * field->bytes;
  }
  int64_t snapshots = h5->snapshots + h5->wait;
  if (!error)
    error = wy_file_write_at(h5->file, &snapshots, sizeof snapshots, h5->layout.counter);
  if (!error) {
    h5->snapshots = snapshots;
    memcpy(&h5->last_time, h5->waiting + (size_t)(h5->wait - 1) * sizeof(double), sizeof(double)); /* /time is first */
  }
  h5->wait = 0;
  return error ? failure(h5, error, message) : WY_OK;
}

wy_status wy_h5_append(wy_h5 *h5, wy_message *message) {
  wy_status status = wy_h5_check(h5, message);
  bool used_up = h5->snapshots + h5->wait == h5->layout.capacity;
  if (status == WY_OK && (used_up || wy_h5_full(h5)))
    status = wy_h5_flush(h5, message);
  if (status == WY_OK && used_up)
    status = make_room(h5, message);
  if (status == WY_OK)
    keep_snapshot(h5);
  return status;
}

bool wy_h5_full(const wy_h5 *h5) {
  return h5->wait == h5->room;
}

long wy_h5_snapshots(const wy_h5 *h5) {
  return h5->snapshots + h5->wait;
}

double wy_h5_last_time(const wy_h5 *h5) {
  return h5->last_time;
}

long wy_h5_capacity(const wy_h5 *h5) {
  return h5->layout.capacity;
}

wy_status wy_h5_times(const wy_h5 *h5, double *times, wy_message *message) {
  assert(h5->wait == 0);
  int error = wy_file_read_at(h5->file, times, (size_t)h5->snapshots * sizeof(double), h5->layout.fields[0].offset);
  return error ? wy_file_error(message, error, "reading", h5->def.path) : WY_OK;
}
