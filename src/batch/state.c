/* SPDX-License-Identifier: MIT */
/* States are read and placed: from edges to positions, from the machine's units to SI. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "batch/inside.h"
#include "math/quat.h"

wy_status wy_batch_check_machine(const wy_batch *self, wy_message *message) {
  const char *error = self->backend->error ? self->backend->error(self->machine) : NULL;
  if (!error && self->backend->error)
    error = self->backend->error(self->again);
  return error ? wy_fail(message, WY_ERROR_SOLVER, "the %s failed: %s", self->machine_name, error) : WY_OK;
}

wy_status wy_batch_check_range(const wy_batch *self, int first, int count, const void *array, wy_message *message) {
  if (!self || !array)
    return wy_fail_missing(message, self ? "array" : "batch");
  if (first < 0 || count < 0 || first > self->kind.count - count)
    return wy_fail(message, WY_ERROR_INPUT, "found %d rods from %d on; expected some of rods 0 to %d", count, first,
                   self->kind.count - 1);
  return wy_batch_check_machine(self, message);
}

/* The cells of a rod as they are now. */
static const double *cells_of(wy_batch *self, int rod) {
  self->backend->download(self->machine, wy_batch_state_array(self, false), rod, 1, self->row);
  return self->row;
}

/* What a cell holds, in SI units, for each vertex (`entry` of the cell before it) or segment of `count` rods. */
static wy_status read_cells(wy_batch *self, int first, int count, int entry, bool vertices, double *out,
                            wy_message *message) {
  wy_status status = wy_batch_check_range(self, first, count, out, message);
  if (status)
    return status;
  wy_batch_refresh(self);
  const int n = self->kind.segments, size = entry == WY_CELL_P ? 4 : 3;
  for (int i = first; i < first + count; i++) {
    const double *cells = cells_of(self, i);
    const double unit = entry == WY_CELL_P   ? 1
                        : entry == WY_CELL_V ? wy_batch_segment(self, i) / WY_BATCH_TICK
                                             : 1 / WY_BATCH_TICK;
    for (int k = 0; k < n + (vertices ? 1 : 0); k++) {
      const double *cell = cells + WY_CELL * (vertices ? (k ? k - 1 : n) : k);
      for (int j = 0; j < size; j++)
        *out++ = unit * cell[entry + j];
    }
  }
  return WY_OK;
}

wy_status wy_batch_positions(wy_batch *batch, int first, int count, double *out, wy_message *message) {
  wy_status status = wy_batch_check_range(batch, first, count, out, message);
  if (status)
    return status;
  wy_batch_refresh(batch);
  const int n = batch->kind.segments;
  for (int i = first; i < first + count; i++) {
    const double *cells = cells_of(batch, i), *origin = batch->numbers[WY_BATCH_ROOT] + 7 * (size_t)i;
    const double h = wy_batch_segment(batch, i);
    double place[3];
    wy_copy3(cells + WY_CELL * n, place);
    for (int k = 0; k <= n; k++) {
      for (int j = 0; j < 3; j++)
        *out++ = origin[j] + h * place[j];
      wy_add3(place, 1, cells + WY_CELL * k);
    }
  }
  return WY_OK;
}

wy_status wy_batch_frames(wy_batch *batch, int first, int count, double *out, wy_message *message) {
  return read_cells(batch, first, count, WY_CELL_P, false, out, message);
}

wy_status wy_batch_velocities(wy_batch *batch, int first, int count, double *out, wy_message *message) {
  return read_cells(batch, first, count, WY_CELL_V, true, out, message);
}

wy_status wy_batch_spins(wy_batch *batch, int first, int count, double *out, wy_message *message) {
  return read_cells(batch, first, count, WY_CELL_W, false, out, message);
}

/* ---- Placing ---- */

/* A last vertex that is held may be off its support by what steps miss (B9), in segments. */
#define WY_BATCH_OFF_SUPPORT 0.01

bool wy_batch_finite(const double *values, size_t count) {
  for (size_t i = 0; values && i < count; i++)
    if (!isfinite(values[i]))
      return false;
  return true;
}

static bool are_units(const double *frames, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double *q = frames + 4 * i;
    if (!(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6))
      return false;
  }
  return true;
}

static void place(wy_batch *self, int rod, const double *positions, const double *frames, const double *velocities,
                  const double *spins) {
  const int n = self->kind.segments;
  const double h = wy_batch_segment(self, rod), speed = WY_BATCH_TICK / h;
  const double *origin = self->numbers[WY_BATCH_ROOT] + 7 * (size_t)rod;
  double *cells = self->row, *head = cells + WY_CELL * n;
  memset(cells, 0, wy_batch_state_entries(self) * sizeof *cells);
  head[WY_CELL_P] = 1;
  for (int k = 0; k < 3; k++) {
    head[WY_CELL_E + k] = (positions[k] - origin[k]) / h;
    head[WY_CELL_V + k] = velocities ? velocities[k] * speed : 0;
  }
  for (int i = 0; i < n; i++) {
    double *cell = cells + WY_CELL * i;
    for (int k = 0; k < 3; k++) {
      cell[WY_CELL_E + k] = (positions[3 * (i + 1) + k] - positions[3 * i + k]) / h;
      cell[WY_CELL_V + k] = velocities ? velocities[3 * (i + 1) + k] * speed : 0;
      cell[WY_CELL_W + k] = spins ? spins[3 * i + k] * WY_BATCH_TICK : 0;
    }
    memcpy(cell + WY_CELL_P, frames + 4 * i, 4 * sizeof *cell);
    wy_qnormalise(cell + WY_CELL_P);
  }
  self->backend->upload(self->machine, wy_batch_state_array(self, false), rod, 1, cells);
  self->backend->upload(self->machine, wy_batch_state_array(self, true), rod, 1, cells);
}

/* How far a held end is placed from its support, in segments. */
static double off_support(const wy_batch *self, int rod, int end, const double *positions) {
  const int n = self->kind.segments;
  const double *origin = self->numbers[WY_BATCH_ROOT] + 7 * (size_t)rod, *held = self->kind.held[end];
  const double *pose = self->ends + (size_t)rod * WY_ENDS + (end ? WY_END_MOTION : 0) + WY_END_X;
  const double *x = positions + (end ? 3 * n : 0), h = wy_batch_segment(self, rod);
  double most = 0;
  for (int k = 0; k < 3; k++)
    most = fmax(most, held[k] * fabs((x[k] - origin[k]) / h - pose[k]));
  return most;
}

static wy_status check_supports(const wy_batch *self, int first, int count, const double *positions,
                                wy_message *message) {
  for (int i = 0; i < count; i++)
    for (int end = 0; end < 2; end++) {
      const double off =
          off_support(self, first + i, end, positions + (size_t)i * 3 * (size_t)(self->kind.segments + 1));
      if (!(off < WY_BATCH_OFF_SUPPORT))
        return wy_fail(message, WY_ERROR_INPUT,
                       "the %s of rod %d is placed %g segments from its support, which holds it; expected less than %g",
                       end ? "end" : "start", first + i, off, WY_BATCH_OFF_SUPPORT);
    }
  return WY_OK;
}

wy_status wy_batch_place(wy_batch *batch, int first, int count, const double *positions, const double *frames,
                         const double *velocities, const double *spins, wy_message *message) {
  if (batch && positions && !frames)
    return wy_fail_missing(message, "frames");
  wy_status status = wy_batch_check_range(batch, first, count, positions, message);
  if (status)
    return status;
  assert(batch && positions && frames);
  const size_t n = (size_t)batch->kind.segments, vertices = 3 * (n + 1), rods = (size_t)count;
  if (!wy_batch_finite(positions, rods * vertices) || !are_units(frames, rods * n) ||
      !wy_batch_finite(velocities, rods * vertices) || !wy_batch_finite(spins, rods * 3 * n))
    return wy_fail(message, WY_ERROR_INPUT,
                   "found numbers that are not finite, or frames that are no unit quaternions");
  wy_batch_refresh(batch);
  status = check_supports(batch, first, count, positions, message);
  if (status)
    return status;
  for (size_t i = 0; i < rods; i++) {
    place(batch, first + (int)i, positions + i * vertices, frames + i * 4 * n,
          velocities ? velocities + i * vertices : NULL, spins ? spins + i * 3 * n : NULL);
    batch->rods[(size_t)first + i] = (wy_batch_rod){.time = batch->time};
  }
  batch->spacing = 0;
  batch->placed = batch->placed || count > 0;
  return WY_OK;
}

/* ---- How rods fare ---- */

wy_status wy_batch_status(const wy_batch *batch, int first, int count, wy_batch_rod *out, wy_message *message) {
  wy_status status = wy_batch_check_range(batch, first, count, out, message);
  assert(status || batch);
  if (!status)
    memcpy(out, batch->rods + first, (size_t)count * sizeof *out);
  return status;
}

wy_batch_statistics wy_batch_work(const wy_batch *batch) {
  return batch ? batch->work : (wy_batch_statistics){0};
}

double wy_batch_time(const wy_batch *batch) {
  return batch ? batch->time : (double)NAN;
}

wy_status wy_batch_device_positions(wy_batch *batch, const void **positions, wy_message *message) {
  if (positions)
    *positions = NULL;
  if (!batch || !positions)
    return wy_fail_missing(message, batch ? "positions" : "batch");
  if (!batch->backend->positions)
    return wy_fail(message, WY_ERROR_SUPPORT, "the batch is calculated on the CPU: use wy_batch_positions");
  wy_batch_refresh(batch);
  *positions = batch->backend->positions(batch->machine, wy_batch_state_array(batch, false));
  if (!*positions)
    return wy_fail(message, WY_ERROR_MEMORY, "the %s has no memory for the positions of %d rods", batch->machine_name,
                   batch->kind.count);
  return wy_batch_check_machine(batch, message);
}
