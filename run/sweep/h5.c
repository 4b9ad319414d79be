/* SPDX-License-Identifier: MIT */
/* sweep.h5: the rows as datasets, and the series, one after the other, of all points. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/results/hdf5.h"
#include "run/sweep/files.h"

/* A file in the making. After the first failure everything does nothing. */
typedef struct making {
  hid_t file, text_type, link_properties, dataset_properties;
  const wy_rows *rows;
  const wy_sweep_about *about;
  int *points; /* those with a row, [count] */
  hsize_t count;
  bool failed, no_memory;
} making;

static void *taken(making *m, void *memory) {
  m->no_memory = m->no_memory || !memory;
  m->failed = m->failed || !memory;
  return memory;
}

static bool good(making *m, int64_t result) {
  m->failed = m->failed || result < 0;
  return !m->failed;
}

static hid_t make_dataset(making *m, const char *path, hid_t type, int rank, const hsize_t *size) {
  hid_t space = m->failed ? -1 : H5Screate_simple(rank, size, NULL);
  hid_t dataset =
      space < 0 ? -1 : H5Dcreate2(m->file, path, type, space, m->link_properties, m->dataset_properties, H5P_DEFAULT);
  good(m, dataset);
  if (space >= 0)
    H5Sclose(space);
  return dataset;
}

static void add_dataset(making *m, const char *path, hid_t type, hsize_t count, const void *content) {
  hid_t dataset = make_dataset(m, path, type, 1, &count);
  if (dataset >= 0 && count > 0)
    good(m, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content));
  if (dataset >= 0)
    H5Dclose(dataset);
}

/* A list of texts, or a single one where `count` is 0. */
static void add_texts(making *m, const char *path, const char *name, hsize_t count, const char *const *texts) {
  hid_t object = m->failed ? -1 : H5Oopen(m->file, path, H5P_DEFAULT);
  if (!good(m, object))
    return;
  hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, m->text_type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (good(m, attribute)) {
    good(m, H5Awrite(attribute, m->text_type, texts));
    H5Aclose(attribute);
  }
  H5Sclose(space);
  H5Oclose(object);
}

/* ---- Columns ---- */

/* Field number `field` of all rows, each a text of its own. */
static char **column_of(making *m, int field) {
  char **texts = taken(m, calloc((size_t)m->count + 1, sizeof *texts));
  wy_text text = {0};
  for (hsize_t i = 0; i < m->count && !m->failed; i++) {
    const char *line = m->rows->lines[m->points[i]];
    for (int k = 0; k < field && line; k++)
      line = wy_csv_next(line, NULL);
    text.length = 0;
    if (line)
      wy_csv_next(line, &text);
    wy_text_append(&text, "", 1);
    texts[i] = taken(m, text.failed ? NULL : wy_sweep_copy(text.data));
  }
  wy_text_free(&text);
  return texts;
}

static void free_column(making *m, char **texts) {
  for (hsize_t i = 0; i < m->count && texts; i++)
    free(texts[i]);
  free(texts);
}

/* Numbers where all are numbers; an empty field is NAN where `holes` are allowed. */
static double *numbers_of(making *m, char *const *texts, bool holes) {
  double *numbers = taken(m, malloc(((size_t)m->count + 1) * sizeof *numbers));
  for (hsize_t i = 0; i < m->count && numbers && !m->failed; i++) {
    char *end;
    const bool hole = holes && !texts[i][0];
    numbers[i] = strtod(hole ? "nan" : texts[i], &end);
    if (!hole && (end == texts[i] || *end)) {
      free(numbers);
      numbers = NULL;
    }
  }
  return numbers;
}

static void add_column(making *m, const char *folder, const char *name, int field, bool quantity) {
  char path[1024];
  char **texts = column_of(m, field);
  double *numbers = m->failed || !folder[0] ? NULL : numbers_of(m, texts, quantity);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (numbers)
    add_dataset(m, path, H5T_NATIVE_DOUBLE, m->count, numbers);
  else if (!m->failed)
    add_dataset(m, path, m->text_type, m->count, texts);
  free(numbers);
  free_column(m, texts);
}

static void add_columns(making *m) {
  const wy_sweep_about *about = m->about;
  int field = 1;
  add_dataset(m, "/point", H5T_NATIVE_INT, m->count, m->points);
  for (int i = 0; i < about->parameter_count; i++)
    add_column(m, "/parameters", about->parameters[i], field++, false);
  for (int i = 0; i < about->quantity_count; i++) {
    char path[256];
    add_column(m, "/quantities", about->quantities[i], field++, true);
    snprintf(path, sizeof path, "/quantities/%.200s", about->quantities[i]);
    add_texts(m, path, "unit", 0, &about->units[i]);
  }
  add_column(m, "", "status", field++, false);
  add_column(m, "", "message", field, false);
}

/* ---- Series ---- */

/* Where a point's rows go in the datasets of one series. */
static void write_part(making *m, hid_t dataset, const double *values, hsize_t from, hsize_t rows, hsize_t columns) {
  const hsize_t start[2] = {from, 0}, size[2] = {rows, columns};
  const int rank = columns > 0 ? 2 : 1;
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(rank, size, NULL);
  good(m, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL));
  if (!m->failed)
    good(m, H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values));
  H5Sclose(memory);
  H5Sclose(space);
}

/* The row with the series of a point; one without series where it has none. */
static wy_status load(const wy_series_set *set, int point, wy_sweep_row *row, wy_message *message) {
  const wy_series_place *place = &set->places[point];
  *row = (wy_sweep_row){0};
  return place->file > 0 ? wy_series_load(set->files[place->file - 1], place, row, message) : WY_OK;
}

static wy_status count_series(making *m, const wy_series_set *set, int series, long long *start, wy_message *message) {
  wy_status status = WY_OK;
  start[0] = 0;
  for (hsize_t i = 0; i < m->count && status == WY_OK; i++) {
    wy_sweep_row row;
    status = load(set, m->points[i], &row, message);
    start[i + 1] = start[i] + (series < row.series_count ? row.series[series].row_count : 0);
    wy_sweep_row_free(&row);
  }
  return status;
}

static wy_status write_series(making *m, const wy_series_set *set, int series, const long long *start,
                              wy_message *message) {
  const wy_kept_series *about = &m->about->series[series];
  const hsize_t size[2] = {(hsize_t)start[m->count], (hsize_t)about->column_count};
  char path[256];
  wy_status status = WY_OK;
  snprintf(path, sizeof path, "/series/%.200s/time", about->name);
  hid_t time = make_dataset(m, path, H5T_NATIVE_DOUBLE, 1, size);
  snprintf(path, sizeof path, "/series/%.200s/values", about->name);
  hid_t values = make_dataset(m, path, H5T_NATIVE_DOUBLE, 2, size);
  add_texts(m, path, "columns", size[1], about->columns);
  snprintf(path, sizeof path, "/series/%.200s/start", about->name);
  add_dataset(m, path, H5T_NATIVE_LLONG, m->count + 1, start);
  for (hsize_t i = 0; i < m->count && status == WY_OK && !m->failed; i++) {
    wy_sweep_row row;
    status = load(set, m->points[i], &row, message);
    const wy_sweep_series *part = series < row.series_count ? &row.series[series] : NULL;
    if (status == WY_OK && part && part->row_count > 0 && part->column_count == about->column_count) {
      write_part(m, time, part->times, (hsize_t)start[i], (hsize_t)part->row_count, 0);
      write_part(m, values, part->values, (hsize_t)start[i], (hsize_t)part->row_count, size[1]);
    }
    wy_sweep_row_free(&row);
  }
  if (time >= 0)
    good(m, H5Dclose(time));
  if (values >= 0)
    good(m, H5Dclose(values));
  return status;
}

static wy_status add_series(making *m, const wy_series_set *set, wy_message *message) {
  wy_status status = WY_OK;
  long long *start = taken(m, calloc((size_t)m->count + 2, sizeof *start));
  for (int i = 0; i < m->about->series_count && status == WY_OK && !m->failed; i++) {
    status = count_series(m, set, i, start, message);
    if (status == WY_OK)
      status = write_series(m, set, i, start, message);
  }
  free(start);
  return status;
}

/* ---- The file ---- */

static void open_file(making *m, const char *path) {
  H5dont_atexit(); /* a file that could not be closed must not be tried again when the program ends */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  m->text_type = H5Tcopy(H5T_C_S1);
  H5Tset_size(m->text_type, H5T_VARIABLE);
  H5Tset_cset(m->text_type, H5T_CSET_UTF8);
  m->link_properties = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(m->link_properties, 1);
  m->dataset_properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(m->dataset_properties, 0);
  m->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  good(m, m->file);
}

static void close_file(making *m) {
  H5Pclose(m->dataset_properties);
  H5Pclose(m->link_properties);
  H5Tclose(m->text_type);
  if (m->file >= 0)
    good(m, H5Fclose(m->file));
}

static wy_status write_file(making *m, const char *path, const wy_series_set *set, wy_message *message) {
  const char *version = wy_version();
  if (wy_hdf5_load(message) != WY_OK)
    return WY_ERROR_SUPPORT;
  errno = 0;
  open_file(m, path);
  add_texts(m, "/", "withy", 0, &version);
  add_texts(m, "/", "scenario", 0, &m->about->scenario);
  add_columns(m);
  const wy_status status = m->failed ? WY_OK : add_series(m, set, message);
  close_file(m);
  if (status == WY_OK && m->failed)
    return wy_file_error(message, m->no_memory ? ENOMEM : errno ? errno : EIO, "writing", path);
  return status;
}

wy_status wy_sweep_write_h5(const char *folder, const wy_sweep_about *about, const wy_rows *rows,
                            const wy_series_set *set, wy_message *message) {
  char path[4096], part[4200];
  making m = {.file = -1, .rows = rows, .about = about};
  if (!wy_sweep_path(path, folder, "sweep.h5"))
    return wy_results_fail(message, WY_ERROR_INPUT, "the name of the folder is too long");
  m.points = malloc(((size_t)rows->points + 1) * sizeof *m.points);
  if (!m.points)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory while writing %s", path);
  for (int i = 0; i < rows->points; i++)
    if (rows->lines[i])
      m.points[m.count++] = i;
  snprintf(part, sizeof part, "%s.part", path);
  wy_status status = write_file(&m, part, set, message);
  if (status == WY_OK && rename(part, path) != 0)
    status = wy_file_error(message, errno, "writing", path);
  if (status != WY_OK)
    unlink(part);
  free(m.points);
  return status;
}
