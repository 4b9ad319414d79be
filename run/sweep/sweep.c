/* SPDX-License-Identifier: MIT */
/* A part of a sweep: its journal, open; points are given out and their rows written by any thread. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* flock */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/sweep/files.h"
#include "run/sweep/journal.h"
#include "run/sweep/together.h"

enum { COOKIE = 0x77795331 }; /* "wyS1" */

/* What is known of a point. */
enum { MISSING, GIVEN, PRESENT };

/* A file that grows by whole records. */
typedef struct growing {
  int file; /* -1: not open */
  uint64_t bytes;
  char path[4096];
} growing;

struct wy_sweep {
  const wy_plan *plan;
  char *folder;
  int part, parts;
  bool hdf5;
  int lock; /* the folder */
  growing journal, series;
  unsigned char *states; /* [points] */
  wy_sweep_counts counts;
  int next;              /* no point of this part before it is missing */
  bool failed;           /* a row could not be written */
  bool together;         /* a thread computes all points as a batch, or has done so */
  pthread_mutex_t mutex; /* for states, counts, next, failed and the files */
};

WY_DEF_ENDS_WITH(wy_sweep_def, folder);

void wy_init_sweep_def(wy_sweep_def *def, size_t size) {
  const wy_sweep_def usual = {.cookie = COOKIE, .size = sizeof usual, .part = 1, .parts = 1};
  wy_def_fill(def, size, &usual);
}

/* ---- Opening ---- */

static int locked(int file, int kind) {
  return flock(file, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* A whole sweep has the folder for itself, parts share it. */
static wy_status lock_folder(wy_sweep *sweep, wy_message *message) {
  sweep->lock = open(sweep->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (sweep->lock >= 0 && locked(sweep->lock, sweep->parts == 1 ? LOCK_EX : LOCK_SH))
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "another sweep or run is writing into %s now; choose another folder with -o DIR",
                           sweep->folder);
  return WY_OK;
}

static wy_status open_growing(const wy_sweep *sweep, growing *to, const char *kind, const char *ending,
                              wy_message *message) {
  char name[128];
  snprintf(name, sizeof name, "%s-%d-of-%d.%s", kind, sweep->part, sweep->parts, ending);
  if (!wy_sweep_path(to->path, sweep->folder, name))
    return wy_results_fail(message, WY_ERROR_INPUT, "the name of the folder is too long");
  to->file = open(to->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  return to->file < 0 ? wy_file_error(message, errno, "writing", to->path) : WY_OK;
}

static wy_status shorten(growing *to, uint64_t bytes, wy_message *message) {
  to->bytes = bytes;
  return ftruncate(to->file, (off_t)bytes) == 0 ? WY_OK : wy_file_error(message, errno, "shortening", to->path);
}

static wy_status append(growing *to, const wy_text *text, wy_message *message) {
  const int error = text->failed ? ENOMEM : wy_file_write_at(to->file, text->data, text->length, to->bytes);
  if (!error) {
    to->bytes += text->length;
    return WY_OK;
  }
  wy_message ignored; /* what was written of it is removed; if that fails too it is an incomplete record */
  shorten(to, to->bytes, &ignored);
  return wy_file_error(message, error, "writing", to->path);
}

static wy_status begin_journal(wy_sweep *sweep, const char *header, wy_message *message) {
  const wy_journal_head head = {sweep->plan->identity, sweep->plan->points.count, sweep->part, sweep->parts};
  wy_text text = {0};
  wy_journal_begin(&text, &head);
  wy_text_add(&text, "%s", header);
  const wy_status status = append(&sweep->journal, &text, message);
  wy_text_free(&text);
  return status;
}

static void count_row(wy_sweep_counts *counts, wy_point_status status) {
  int *const of[] = {&counts->done, &counts->wrong, &counts->failed, &counts->refused};
  *of[status] += 1;
  counts->missing -= 1;
}

/* A point is present if its row is there, and its series where it is done and the plan keeps some. */
static void take_rows(wy_sweep *sweep, const wy_rows *rows, const wy_series_place *places) {
  for (int point = sweep->part - 1; point < rows->points && rows->states; point += sweep->parts) {
    const bool whole = rows->states[point] != WY_POINT_DONE + 1 || !places || places[point].file > 0;
    if (rows->states[point] == 0 || !whole)
      continue;
    sweep->states[point] = PRESENT;
    count_row(&sweep->counts, (wy_point_status)(rows->states[point] - 1));
    sweep->counts.before += 1;
  }
}

/* Rows of this plan in all journals of the folder: the sweep may have been divided in another way before. */
static wy_status read_before(wy_sweep *sweep, wy_rows *rows, uint64_t *whole, wy_message *message) {
  wy_part_file *files;
  uint64_t bytes;
  int count;
  wy_status status = wy_sweep_list(sweep->folder, "journal", "csv", &files, &count, message);
  for (int i = 0; i < count && status == WY_OK; i++) {
    status = wy_rows_read(rows, files[i].path, &bytes, message);
    if (files[i].part == sweep->part && files[i].parts == sweep->parts)
      *whole = bytes;
  }
  free(files);
  return status;
}

static wy_status resume(wy_sweep *sweep, const char *header, wy_message *message) {
  wy_rows rows = {
      .identity = sweep->plan->identity, .points = sweep->plan->points.count, .header = wy_sweep_copy(header)};
  wy_series_set set = {0};
  uint64_t journal = 0, series = 0;
  wy_status status = rows.header ? read_before(sweep, &rows, &journal, message)
                                 : wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the sweep");
  if (status == WY_OK && sweep->plan->series_count > 0)
    status = wy_series_set_open(&set, sweep->folder, rows.points, message);
  for (int i = 0; i < set.count; i++)
    if (set.names[i].part == sweep->part && set.names[i].parts == sweep->parts)
      series = set.whole[i];
  if (status == WY_OK)
    status = shorten(&sweep->journal, journal, message);
  if (status == WY_OK && sweep->series.file >= 0)
    status = shorten(&sweep->series, series, message);
  if (status == WY_OK && journal == 0)
    status = begin_journal(sweep, header, message);
  if (status == WY_OK)
    take_rows(sweep, &rows, set.places);
  wy_series_set_close(&set);
  wy_rows_free(&rows);
  return status;
}

/* The head first: by it other parts of this plan, which may start at the same time, know that the journal must stay. */
static wy_status begin(wy_sweep *sweep, const char *header, wy_message *message) {
  wy_status status = shorten(&sweep->journal, 0, message);
  if (status == WY_OK && sweep->series.file >= 0)
    status = shorten(&sweep->series, 0, message);
  if (status == WY_OK)
    status = begin_journal(sweep, header, message);
  if (status == WY_OK)
    status = wy_sweep_clear(sweep->folder, sweep->plan, sweep->part, sweep->parts, message);
  return status;
}

/* Another process may have removed the file before it was locked: rows in it would be lost. */
static bool is_removed(const growing *to) {
  struct stat opened, named;
  return fstat(to->file, &opened) != 0 || stat(to->path, &named) != 0 || opened.st_ino != named.st_ino;
}

static wy_status open_journal(wy_sweep *sweep, wy_message *message) {
  bool busy = false, removed = false;
  wy_status status = WY_OK;
  for (int i = 0; i < WY_JOURNAL_WAITS && status == WY_OK && (i == 0 || busy || removed); i++) {
    if (i > 0) {
      close(sweep->journal.file);
      wy_journal_wait();
    }
    status = open_growing(sweep, &sweep->journal, "journal", "csv", message);
    busy = status == WY_OK && wy_journal_busy(sweep->journal.file);
    removed = status == WY_OK && !busy && is_removed(&sweep->journal);
  }
  if (status == WY_OK && (busy || removed))
    status = wy_results_fail(message, WY_ERROR_INPUT, "another process is computing part %d/%d in %s now", sweep->part,
                             sweep->parts, sweep->folder);
  return status;
}

static wy_status open_files(wy_sweep *sweep, bool resumes, wy_message *message) {
  wy_text header = {0};
  wy_sweep_header(&header, sweep->plan);
  wy_status status = header.failed ? wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the sweep") : WY_OK;
  if (status == WY_OK && !resumes)
    status = wy_sweep_may_clear(sweep->folder, sweep->plan, sweep->part, sweep->parts, message);
  if (status == WY_OK)
    status = open_journal(sweep, message);
  if (status == WY_OK && sweep->plan->series_count > 0)
    status = open_growing(sweep, &sweep->series, "series", "bin", message);
  if (status == WY_OK)
    status = resumes ? resume(sweep, header.data, message) : begin(sweep, header.data, message);
  if (status == WY_OK)
    status = wy_sweep_write_about(sweep->folder, sweep->plan, sweep->part, sweep->parts, message);
  wy_text_free(&header);
  return status;
}

static void destroy(wy_sweep *sweep) {
  const int files[] = {sweep->journal.file, sweep->series.file, sweep->lock};
  for (int i = 0; i < 3; i++)
    if (files[i] >= 0)
      close(files[i]);
  pthread_mutex_destroy(&sweep->mutex);
  free(sweep->states);
  free(sweep->folder);
  free(sweep);
}

static wy_sweep *create(const wy_sweep_def *def) {
  wy_sweep *sweep = calloc(1, sizeof *sweep);
  if (!sweep)
    return NULL;
  const int points = def->plan->points.count;
  sweep->plan = def->plan;
  sweep->part = def->part;
  sweep->parts = def->parts;
  sweep->hdf5 = def->hdf5;
  sweep->lock = sweep->journal.file = sweep->series.file = -1;
  sweep->next = def->part - 1;
  sweep->counts.points = sweep->counts.missing = (points - def->part) / def->parts + (def->part <= points);
  sweep->states = calloc((size_t)points, 1);
  sweep->folder = wy_sweep_copy(def->folder);
  pthread_mutex_init(&sweep->mutex, NULL);
  if (sweep->states && sweep->folder)
    return sweep;
  destroy(sweep);
  return NULL;
}

static wy_status check_def(const wy_sweep_def *def, wy_message *message) {
  if (!def->plan || !def->folder || !*def->folder)
    return wy_results_fail(message, WY_ERROR_INPUT, "the definition of the sweep has no %s",
                           def->plan ? "folder" : "plan");
  if (def->parts < 1 || def->parts > WY_SWEEP_MOST_PARTS || def->part < 1 || def->part > def->parts)
    return wy_results_fail(message, WY_ERROR_INPUT, "found part %d of %d; expected a part from 1 to their number",
                           def->part, def->parts);
  if (def->parts > 1 && def->plan->batch)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "found part %d of %d of a plan with `batch`, whose points are computed together; expected "
                           "the whole sweep, or a plan without it",
                           def->part, def->parts);
  return WY_OK;
}

wy_status wy_sweep_open(const wy_sweep_def *given, wy_sweep **out, wy_message *message) {
  if (out)
    *out = NULL;
  if (!out)
    return wy_results_fail(message, WY_ERROR_INPUT, "found NULL; expected a place for the sweep");
  wy_sweep_def own = wy_default_sweep_def();
  const wy_sweep_def *def = wy_def_read(given, &own, "sweep", "", message);
  wy_status status = def ? check_def(def, message) : WY_ERROR_INPUT;
  if (status == WY_OK)
    status = wy_folder_make(def->folder, message);
  if (status != WY_OK)
    return status;
  wy_sweep *sweep = create(def);
  if (!sweep)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the sweep");
  status = lock_folder(sweep, message);
  if (status == WY_OK)
    status = open_files(sweep, def->resume, message);
  if (status == WY_OK)
    *out = sweep;
  else
    destroy(sweep);
  return status;
}

/* ---- Working ---- */

int wy_sweep_next(wy_sweep *sweep) {
  if (!sweep)
    return -1;
  const int points = sweep->plan->points.count;
  int point = -1;
  pthread_mutex_lock(&sweep->mutex);
  while (sweep->next < points && sweep->states[sweep->next] != MISSING)
    sweep->next += sweep->parts;
  if (sweep->next < points && !sweep->failed) {
    point = sweep->next;
    sweep->states[point] = GIVEN;
  }
  pthread_mutex_unlock(&sweep->mutex);
  return point;
}

static bool has_series(const wy_sweep_row *row) {
  bool any = false;
  for (int i = 0; i < row->series_count; i++)
    any = any || row->series[i].row_count > 0;
  return any;
}

/* The series first: a point with a line has all that belongs to it. */
static wy_status write_row(wy_sweep *sweep, const wy_sweep_row *row, const wy_text *record, const wy_text *line,
                           wy_message *message) {
  wy_status status = record->length > 0 || record->failed ? append(&sweep->series, record, message) : WY_OK;
  if (status == WY_OK)
    status = append(&sweep->journal, line, message);
  sweep->failed = status != WY_OK;
  if (status == WY_OK) {
    sweep->states[row->point] = PRESENT;
    count_row(&sweep->counts, row->status);
  }
  return status;
}

wy_status wy_sweep_record(wy_sweep *sweep, const wy_sweep_row *row, wy_message *message) {
  if (!sweep || !row || !wy_sweep_row_fits(row, sweep->plan) || row->point % sweep->parts != sweep->part - 1)
    return wy_results_fail(message, WY_ERROR_INPUT, "found no sweep, or a row that is none of its points");
  wy_text line = {0}, record = {0};
  wy_status status = WY_OK;
  wy_sweep_line(&line, sweep->plan, row);
  if (has_series(row))
    wy_series_record(&record, row);
  pthread_mutex_lock(&sweep->mutex);
  if (sweep->failed)
    status = wy_results_fail(message, WY_ERROR_FILE, "a row before this one could not be written to %s",
                             sweep->journal.path);
  else if (sweep->states[row->point] != PRESENT)
    status = write_row(sweep, row, &record, &line, message);
  pthread_mutex_unlock(&sweep->mutex);
  wy_text_free(&line);
  wy_text_free(&record);
  return status;
}

static wy_status record_row(void *context, const wy_sweep_row *row, wy_message *message) {
  return wy_sweep_record(context, row, message);
}

/* Is there something to compute, and nobody else does? */
static bool claim_all(wy_sweep *sweep) {
  pthread_mutex_lock(&sweep->mutex);
  const bool free = !sweep->together && sweep->counts.missing > 0;
  sweep->together = true;
  pthread_mutex_unlock(&sweep->mutex);
  return free;
}

wy_status wy_sweep_batch(wy_sweep *sweep, const wy_tasks *tasks, bool (*interrupted)(void *context), void *context,
                         wy_message *message) {
  if (!sweep || !sweep->plan->batch)
    return wy_results_fail(message, WY_ERROR_INPUT, "found %s; expected a sweep whose plan has `batch`",
                           sweep ? "another plan" : "NULL");
  if (!claim_all(sweep))
    return WY_OK;
  const wy_together def = {sweep->plan, tasks, interrupted, context, record_row, sweep};
  return wy_sweep_together(&def, message);
}

wy_status wy_sweep_work(wy_sweep *sweep, bool (*interrupted)(void *context), void *context, wy_message *message) {
  if (!sweep)
    return wy_results_fail(message, WY_ERROR_INPUT, "found NULL; expected a sweep");
  if (sweep->plan->batch)
    return wy_sweep_batch(sweep, NULL, interrupted, context, message);
  wy_status status = WY_OK;
  while (status == WY_OK && !(interrupted && interrupted(context))) {
    const int point = wy_sweep_next(sweep);
    if (point < 0)
      return WY_OK;
    wy_sweep_row row;
    status = wy_sweep_point(sweep->plan, point, interrupted, context, &row, message);
    const bool complete = status == WY_OK && row.status != WY_POINT_INTERRUPTED;
    if (complete)
      status = wy_sweep_record(sweep, &row, message);
    wy_sweep_row_free(&row);
    if (status == WY_OK && !complete)
      return WY_OK;
  }
  return status;
}

wy_sweep_counts wy_sweep_progress(wy_sweep *sweep) {
  if (!sweep)
    return (wy_sweep_counts){0};
  pthread_mutex_lock(&sweep->mutex);
  const wy_sweep_counts counts = sweep->counts;
  pthread_mutex_unlock(&sweep->mutex);
  return counts;
}

wy_status wy_sweep_close(wy_sweep *sweep, wy_sweep_counts *counts, wy_message *message) {
  if (counts)
    *counts = (wy_sweep_counts){0};
  if (!sweep)
    return WY_OK;
  wy_status status = WY_OK;
  if (counts)
    *counts = sweep->counts;
  if (sweep->parts == 1 && sweep->counts.missing == 0)
    status = wy_sweep_gather(sweep->folder, sweep->hdf5, NULL, message);
  destroy(sweep);
  return status;
}
