/* SPDX-License-Identifier: MIT */
#include "mpi/sweep.h"

#include <stdlib.h>

static void compute(void *context, int task, bool (*stopped)(void *crew), void *crew, wy_crew_row *out) {
  const wy_study *study = context;
  wy_sweep_row row;
  const wy_status status = wy_sweep_point(study->plan, task, stopped, crew, &row, NULL);
  out->failed = status != WY_OK;
  if (status == WY_OK && row.status != WY_POINT_INTERRUPTED) {
    out->size = wy_sweep_row_size(&row);
    out->bytes = malloc(out->size);
    out->failed = !out->bytes || wy_sweep_row_pack(&row, out->bytes, out->size, NULL) != WY_OK;
    if (!out->bytes)
      out->size = 0;
  }
  wy_sweep_row_free(&row);
}

static bool interrupted(void *context) {
  return ((wy_study *)context)->interrupted(NULL);
}

static int next(void *context) {
  return wy_sweep_next(((wy_study *)context)->sweep);
}

static bool record(void *context, const void *bytes, size_t size) {
  wy_study *study = context;
  wy_sweep_row row;
  wy_status status = wy_sweep_row_unpack(bytes, size, &row, &study->message);
  if (status == WY_OK)
    status = wy_sweep_record(study->sweep, &row, &study->message);
  wy_sweep_row_free(&row);
  return status == WY_OK;
}

static void progress(void *context) {
  wy_study *study = context;
  const wy_sweep_counts counts = wy_sweep_progress(study->sweep);
  study->progress(study->context, &counts);
}

wy_queue_def wy_study_queue(wy_study *study, MPI_Comm comm, int threads) {
  return (wy_queue_def){.comm = comm,
                        .threads = threads,
                        .busy = WY_QUEUE_BUSY,
                        .context = study,
                        .compute = compute,
                        .interrupted = interrupted,
                        .next = next,
                        .record = record,
                        .progress = progress};
}
