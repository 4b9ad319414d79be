/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "run/results/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/results/row.h"
#include "run/tree/pool.h"

struct wy_csv {
  wy_pool pool;
  const char *path;
  const wy_scenario *scenario;
  wy_batches *batches;
  wy_csv_kind kind;
  double *values; /* of the probes in a row */
  int file;
  long rows;      /* those that wait included */
  uint64_t bytes; /* of complete lines on disk */
  wy_text line;   /* lines that wait to be written */
  double time;    /* of the last row, and of the last one on disk; -INFINITY before the first */
  double time_on_disk;
};

static void add_probe_names(wy_csv *csv) {
  for (int i = 0; i < csv->scenario->column_count; ++i)
    wy_text_add(&csv->line, ",%s", csv->scenario->columns[i]);
}

static void add_step_columns(wy_csv *csv, const char *name) {
  const wy_statistic_info *info;
  for (int i = 0; (info = wy_statistic_describe(i)); ++i)
    if (info->column)
      wy_text_add(&csv->line, ",%s.%s", name, info->column);
}

static bool has_bodies_alone(const wy_csv *csv) {
  return csv->scenario->model.rod_count == 0 && csv->scenario->model.body_count > 0;
}

/* Of each rod and each batch; without rods, of all bodies together. */
static void add_step_names(wy_csv *csv) {
  for (int rod = 0; rod < csv->scenario->model.rod_count; ++rod) {
    const wy_rod_def *def = wy_def_at(csv->scenario->model.rods, rod);
    add_step_columns(csv, def->name);
  }
  if (has_bodies_alone(csv))
    add_step_columns(csv, "bodies");
  for (int i = 0; i < csv->scenario->batch_count; ++i) {
    const char *name = csv->scenario->batches[i].name;
    wy_text_add(&csv->line, ",%s.substeps,%s.solves,%s.refined,%s.failed", name, name, name, name);
  }
}

static void make_header(wy_csv *csv) {
  csv->line.length = 0;
  wy_text_add(&csv->line, csv->kind == WY_CSV_PATH ? "step,t" : "t");
  if (csv->kind == WY_CSV_STEPS)
    add_step_names(csv);
  else
    add_probe_names(csv);
  wy_text_add(&csv->line, "\n");
}

/* As many bytes as fit, and an errno where that is not all of them. */
static size_t write_bytes(int file, const char *data, size_t size, int *error) {
  size_t done = 0;
  while (done < size && !*error) {
    ssize_t written = write(file, data + done, size - done);
    if (written > 0)
      done += (size_t)written;
    else if (written == 0 || errno != EINTR)
      *error = written == 0 ? ENOSPC : errno;
  }
  return done;
}

/* Of the lines that wait, the first `size` bytes are on disk. Keeps those that are complete and forgets the others. */
static void keep_complete_lines(wy_csv *csv, size_t size) {
  const char *data = csv->line.data;
  while (size > 0 && data[size - 1] != '\n')
    size--;
  for (size_t i = size; i < csv->line.length; i++)
    csv->rows -= data[i] == '\n';
  csv->bytes += size;
  size_t last = size > 0 ? size - 1 : 0;
  while (last > 0 && data[last - 1] != '\n')
    last--;
  if (size > 0) {
    const char *comma = csv->kind == WY_CSV_PATH ? strchr(data + last, ',') : NULL; /* the time is the second column */
    csv->time_on_disk = strtod(comma ? comma + 1 : data + last, NULL);
  }
  csv->time = csv->time_on_disk;
}

wy_status wy_csv_flush(wy_csv *csv, wy_message *message) {
  if (!csv || csv->line.length == 0)
    return WY_OK;
  int error = 0;
  size_t done = write_bytes(csv->file, csv->line.data, csv->line.length, &error);
  if (error) {
    keep_complete_lines(csv, done);
    if (ftruncate(csv->file, (off_t)csv->bytes) != 0)
      error = errno;
  } else {
    csv->bytes += done;
    csv->time_on_disk = csv->time;
  }
  csv->line.length = 0;
  return error ? wy_file_error(message, error, "writing", csv->path) : WY_OK;
}

/* NULL without memory. */
static wy_csv *new_csv(const wy_csv_def *def) {
  wy_pool pool = {0};
  wy_csv *csv = wy_pool_take(&pool, sizeof *csv);
  const char *path = wy_pool_copy(&pool, def->path, strlen(def->path));
  double *values = wy_pool_take(&pool, (size_t)def->scenario->column_count * sizeof *values);
  if (pool.failed) {
    wy_pool_release(&pool);
    return NULL;
  }
  csv->path = path;
  csv->scenario = def->scenario;
  csv->batches = def->batches;
  csv->kind = def->kind;
  csv->values = values;
  csv->file = -1;
  csv->time = csv->time_on_disk = -INFINITY;
  csv->pool = pool;
  return csv;
}

static void destroy(wy_csv *csv) {
  wy_text_free(&csv->line);
  wy_pool pool = csv->pool;
  wy_pool_release(&pool);
}

wy_status wy_csv_create(const wy_csv_def *def, wy_csv **out, wy_message *message) {
  *out = NULL;
  wy_csv *csv = new_csv(def);
  if (!csv)
    return wy_file_error(message, ENOMEM, "creating", def->path);
  csv->file = open(def->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  wy_status status = csv->file < 0 ? wy_file_error(message, errno, "creating", def->path) : WY_OK;
  if (status == WY_OK) {
    make_header(csv);
    status = csv->line.failed ? wy_file_error(message, ENOMEM, "writing", def->path) : wy_csv_flush(csv, message);
    if (status != WY_OK)
      close(csv->file);
  }
  if (status == WY_OK)
    *out = csv;
  else
    destroy(csv);
  return status;
}

/* The file is what the checkpoint says: long enough, with our header, and a line ends where the rows end. */
static wy_status check_content(wy_csv *csv, uint64_t bytes, wy_message *message) {
  make_header(csv);
  if (csv->line.failed)
    return wy_file_error(message, ENOMEM, "reading", csv->path);
  struct stat status;
  if (fstat(csv->file, &status) != 0)
    return wy_file_error(message, errno, "reading", csv->path);
  wy_text found = {0};
  bool same = (uint64_t)status.st_size >= bytes && bytes >= csv->line.length;
  if (same) {
    wy_text_append(&found, csv->line.data, csv->line.length);
    char last;
    same = !found.failed && wy_file_read_at(csv->file, found.data, found.length, 0) == 0 &&
           memcmp(found.data, csv->line.data, found.length) == 0 &&
           wy_file_read_at(csv->file, &last, 1, bytes - 1) == 0 && last == '\n';
  }
  const bool no_memory = found.failed;
  wy_text_free(&found);
  if (no_memory)
    return wy_file_error(message, ENOMEM, "reading", csv->path);
  if (!same)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s does not contain the rows that the checkpoint refers to: it was changed or removed; "
                           "start again without --resume",
                           csv->path);
  return WY_OK;
}

wy_status wy_csv_resume(const wy_csv_def *def, long rows, uint64_t bytes, wy_csv **out, wy_message *message) {
  *out = NULL;
  wy_csv *csv = new_csv(def);
  if (!csv)
    return wy_file_error(message, ENOMEM, "reading", def->path);
  csv->file = open(def->path, O_RDWR | O_APPEND | O_CLOEXEC);
  wy_status status = WY_OK;
  if (csv->file < 0)
    status = wy_results_fail(message, WY_ERROR_INPUT, "%s cannot be continued: %s", def->path, strerror(errno));
  if (status == WY_OK)
    status = check_content(csv, bytes, message);
  if (status == WY_OK && ftruncate(csv->file, (off_t)bytes) != 0)
    status = wy_file_error(message, errno, "shortening", def->path);
  if (status != WY_OK) {
    if (csv->file >= 0)
      close(csv->file);
    destroy(csv);
    return status;
  }
  csv->rows = rows;
  csv->bytes = bytes;
  csv->line.length = 0;
  *out = csv;
  return WY_OK;
}

static void add_value(wy_csv *csv, double value) {
  wy_text_append(&csv->line, ",", 1);
  wy_text_number(&csv->line, value);
}

static wy_status add_probes(wy_csv *csv, wy_sim *sim, wy_message *message) {
  wy_status status = wy_row_read(csv->scenario, sim, csv->batches, csv->values, message);
  for (int i = 0; status == WY_OK && i < csv->scenario->column_count; ++i)
    add_value(csv, csv->values[i]);
  return status;
}

static void add_steps_of(wy_csv *csv, const wy_sim *sim, int rod) {
  const wy_statistics now = wy_sim_statistics(sim, rod);
  const wy_statistic_info *info;
  for (int i = 0; (info = wy_statistic_describe(i)); ++i)
    if (info->column)
      add_value(csv, wy_statistic_value(&now, info));
}

static void add_steps(wy_csv *csv, const wy_sim *sim) {
  for (int rod = 0; rod < csv->scenario->model.rod_count; ++rod)
    add_steps_of(csv, sim, rod);
  if (has_bodies_alone(csv))
    add_steps_of(csv, sim, WY_ALL_RODS);
  for (int i = 0; i < wy_batches_count(csv->batches); ++i) {
    const wy_batch *batch = wy_batches_at(csv->batches, i);
    const wy_batch_statistics work = wy_batch_work(batch);
    wy_text_add(&csv->line, ",%d,%.17g,%.17g,%ld", wy_batch_describe(batch).substeps, work.solves, work.refined,
                work.failed);
  }
}

wy_status wy_csv_append(wy_csv *csv, wy_sim *sim, wy_message *message) {
  wy_status status = WY_OK;
  size_t before = csv->line.length;
  if (csv->kind == WY_CSV_PATH)
    wy_text_add(&csv->line, "%ld,", csv->rows);
  wy_text_number(&csv->line, wy_sim_time(sim));
  if (csv->kind == WY_CSV_STEPS)
    add_steps(csv, sim);
  else
    status = add_probes(csv, sim, message);
  wy_text_add(&csv->line, "\n");
  if (status == WY_OK && csv->line.failed)
    status = wy_file_error(message, ENOMEM, "writing", csv->path);
  if (status != WY_OK) {
    csv->line.length = before;
    return status;
  }
  csv->rows += 1;
  csv->time = wy_sim_time(sim);
  return WY_OK;
}

long wy_csv_rows(const wy_csv *csv) {
  return csv->rows;
}

uint64_t wy_csv_bytes(const wy_csv *csv) {
  return csv->bytes;
}

size_t wy_csv_waiting(const wy_csv *csv) {
  return csv ? csv->line.length : 0;
}

double wy_csv_last_time(const wy_csv *csv) {
  return csv->time_on_disk;
}

wy_status wy_csv_close(wy_csv *csv, wy_message *message) {
  if (!csv)
    return WY_OK;
  wy_status status = wy_csv_flush(csv, message);
  if (close(csv->file) != 0 && status == WY_OK)
    status = wy_file_error(message, errno, "writing", csv->path);
  destroy(csv);
  return status;
}
