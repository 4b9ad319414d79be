/* SPDX-License-Identifier: MIT */
#include "run/sweep/row.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "withy/sweep.h"

const char *wy_point_status_name(wy_point_status status) {
  static const char *const names[] = {"done", "wrong", "failed", "refused", "interrupted"};
  return (unsigned)status <= WY_POINT_INTERRUPTED ? names[status] : NULL;
}

/* ---- Rows that grow ---- */

double *wy_series_rows_add(wy_series_rows *rows) {
  if (rows->count == rows->capacity) {
    const size_t capacity = 2 * rows->capacity + 64;
    double *grown = realloc(rows->values, capacity * (size_t)rows->width * sizeof *grown);
    if (!grown) {
      rows->failed = true;
      return NULL;
    }
    rows->values = grown;
    rows->capacity = capacity;
  }
  return rows->values + (size_t)rows->width * rows->count++;
}

void wy_series_rows_free(wy_series_rows *rows) {
  free(rows->values);
  rows->values = NULL;
  rows->count = rows->capacity = 0;
}

/* ---- The memory of a row ---- */

/* What row->memory is: one block for the numbers of quantities and series, behind the list of series. */
typedef struct block {
  wy_sweep_series *series;
  double *numbers; /* quantities, then times and values of each series */
} block;

/* Room for so many quantities, series and numbers of series. */
static block *new_block(int quantities, int series, size_t numbers) {
  block *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->series = calloc((size_t)series + 1, sizeof *made->series);
  made->numbers = calloc((size_t)quantities + numbers + 1, sizeof *made->numbers);
  if (!made->series || !made->numbers) {
    free(made->series);
    free(made->numbers);
    free(made);
    return NULL;
  }
  return made;
}

void wy_sweep_row_free(wy_sweep_row *row) {
  if (!row)
    return;
  block *memory = row->memory;
  if (memory) {
    free(memory->series);
    free(memory->numbers);
    free(memory);
  }
  *row = (wy_sweep_row){0};
}

wy_status wy_sweep_row_begin(wy_sweep_row *row, const wy_plan *plan, int point) {
  *row = (wy_sweep_row){.point = point};
  block *memory = new_block(plan->kept_count, plan->series_count, 0);
  if (!memory)
    return WY_ERROR_MEMORY;
  for (int i = 0; i < plan->kept_count; i++)
    memory->numbers[i] = NAN;
  for (int i = 0; i < plan->series_count; i++)
    memory->series[i].column_count = plan->series[i].column_count;
  row->memory = memory;
  row->quantity_count = plan->kept_count;
  row->quantities = memory->numbers;
  row->series_count = plan->series_count;
  row->series = memory->series;
  return WY_OK;
}

double *wy_sweep_row_quantities(wy_sweep_row *row) {
  return ((block *)row->memory)->numbers;
}

wy_status wy_sweep_row_take_series(wy_sweep_row *row, const wy_plan *plan, const wy_series_rows *rows) {
  if (plan->series_count == 0 || rows->count == 0)
    return WY_OK;
  const size_t count = rows->count, width = (size_t)rows->width, times = (size_t)plan->series_count;
  const size_t numbers = count * (width - 1 + times);
  block *memory = row->memory;
  if (count > INT_MAX)
    return WY_ERROR_MEMORY;
  double *grown = realloc(memory->numbers, ((size_t)row->quantity_count + numbers + 1) * sizeof *grown);
  if (!grown)
    return WY_ERROR_MEMORY;
  memory->numbers = grown;
  row->quantities = grown;
  double *to = grown + row->quantity_count;
  for (int i = 0, column = 1; i < plan->series_count; i++) {
    const int columns = plan->series[i].column_count;
    double *values = to + count;
    memory->series[i] = (wy_sweep_series){(int)count, columns, to, values};
    for (size_t k = 0; k < count; k++) {
      const double *from = rows->values + k * width;
      to[k] = from[0];
      memcpy(values + k * (size_t)columns, from + column, (size_t)columns * sizeof *values);
    }
    column += columns;
    to = values + count * (size_t)columns;
  }
  return WY_OK;
}

char *wy_sweep_copy(const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

/* ---- As bytes ---- */

/* What a packed row begins with. Then come the quantities and, of each series, the two counts, times and values. */
typedef struct head {
  char magic[8];
  int32_t point, status, quantity_count, series_count;
  char message[sizeof((wy_sweep_row *)0)->message];
} head;

static const char magic[8] = {'w', 'i', 't', 'h', 'y', 'r', 'w', '1'};

static size_t numbers_of(int rows, int columns) {
  return (size_t)rows * ((size_t)columns + 1);
}

static bool is_row(const wy_sweep_row *row) {
  return row && row->memory && row->quantity_count >= 0 && row->series_count >= 0;
}

size_t wy_sweep_row_size(const wy_sweep_row *row) {
  if (!is_row(row))
    return 0;
  size_t size = sizeof(head) + (size_t)row->quantity_count * sizeof(double);
  for (int i = 0; i < row->series_count; i++)
    size += 2 * sizeof(int32_t) + numbers_of(row->series[i].row_count, row->series[i].column_count) * sizeof(double);
  return size;
}

static char *put(char *to, const void *from, size_t size) {
  if (size > 0)
    memcpy(to, from, size);
  return to + size;
}

wy_status wy_sweep_row_pack(const wy_sweep_row *row, void *bytes, size_t size, wy_message *message) {
  if (!is_row(row) || !bytes || size < wy_sweep_row_size(row))
    return wy_results_fail(message, WY_ERROR_INPUT, "found no row, or too little space for it; expected both");
  head first = {.point = row->point,
                .status = (int32_t)row->status,
                .quantity_count = row->quantity_count,
                .series_count = row->series_count};
  memcpy(first.magic, magic, sizeof magic);
  memcpy(first.message, row->message, sizeof first.message);
  char *to = put(bytes, &first, sizeof first);
  to = put(to, row->quantities, (size_t)row->quantity_count * sizeof(double));
  for (int i = 0; i < row->series_count; i++) {
    const wy_sweep_series *series = &row->series[i];
    const int32_t counts[2] = {series->row_count, series->column_count};
    to = put(to, counts, sizeof counts);
    to = put(to, series->times, (size_t)series->row_count * sizeof(double));
    to = put(to, series->values, (numbers_of(counts[0], counts[1]) - (size_t)counts[0]) * sizeof(double));
  }
  return WY_OK;
}

/* The numbers of all series in the bytes behind the quantities, or SIZE_MAX if they are not whole. */
static size_t count_numbers(const char *at, const char *end, int series) {
  size_t all = 0;
  for (int i = 0; i < series; i++) {
    int32_t counts[2];
    if ((size_t)(end - at) < sizeof counts)
      return SIZE_MAX;
    memcpy(counts, at, sizeof counts);
    at += sizeof counts;
    if (counts[0] < 0 || counts[1] < 0 || counts[1] > 100000)
      return SIZE_MAX;
    const size_t numbers = numbers_of(counts[0], counts[1]);
    if ((size_t)(end - at) / sizeof(double) < numbers)
      return SIZE_MAX;
    all += numbers;
    at += numbers * sizeof(double);
  }
  return at == end ? all : SIZE_MAX;
}

static void unpack_series(const char *at, int count, wy_sweep_series *series, double *to) {
  for (int i = 0; i < count; i++) {
    int32_t counts[2];
    memcpy(counts, at, sizeof counts);
    at += sizeof counts;
    const size_t numbers = numbers_of(counts[0], counts[1]);
    memcpy(to, at, numbers * sizeof *to);
    series[i] = (wy_sweep_series){counts[0], counts[1], to, to + counts[0]};
    to += numbers;
    at += numbers * sizeof *to;
  }
}

static bool is_head(const head *first) {
  return memcmp(first->magic, magic, sizeof magic) == 0 && first->status >= 0 &&
         first->status <= WY_POINT_INTERRUPTED && first->quantity_count >= 0 && first->series_count >= 0 &&
         memchr(first->message, '\0', sizeof first->message);
}

wy_status wy_sweep_row_unpack(const void *bytes, size_t size, wy_sweep_row *row, wy_message *message) {
  head first = {.point = 0};
  size_t numbers = SIZE_MAX;
  if (row)
    *row = (wy_sweep_row){0};
  if (bytes && size >= sizeof first)
    memcpy(&first, bytes, sizeof first);
  const size_t quantities = (size_t)(first.quantity_count > 0 ? first.quantity_count : 0);
  const char *at = bytes, *end = at ? at + size : NULL;
  if (row && bytes && size >= sizeof first && is_head(&first) && (size - sizeof first) / sizeof(double) >= quantities) {
    at += sizeof first;
    numbers = count_numbers(at + quantities * sizeof(double), end, first.series_count);
  }
  if (numbers == SIZE_MAX)
    return wy_results_fail(message, WY_ERROR_INPUT, "found bytes that are no packed row; expected one");
  block *memory = new_block(first.quantity_count, first.series_count, numbers);
  if (!memory)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the row of point %d", first.point);
  memcpy(memory->numbers, at, quantities * sizeof(double));
  unpack_series(at + quantities * sizeof(double), first.series_count, memory->series, memory->numbers + quantities);
  *row = (wy_sweep_row){.point = first.point,
                        .status = (wy_point_status)first.status,
                        .quantity_count = first.quantity_count,
                        .quantities = memory->numbers,
                        .series_count = first.series_count,
                        .series = memory->series,
                        .memory = memory};
  memcpy(row->message, first.message, sizeof row->message);
  return WY_OK;
}

bool wy_sweep_row_fits(const wy_sweep_row *row, const wy_plan *plan) {
  bool fits = is_row(row) && row->point >= 0 && row->point < plan->points.count &&
              (unsigned)row->status < WY_POINT_INTERRUPTED && row->quantity_count == plan->kept_count &&
              row->series_count == plan->series_count;
  for (int i = 0; fits && i < plan->series_count; i++)
    fits = row->series[i].column_count == plan->series[i].column_count;
  return fits;
}

/* ---- As a line ---- */

void wy_csv_field(wy_text *text, const char *field) {
  if (!strpbrk(field, ",\"\r\n")) {
    wy_text_append(text, field, strlen(field));
    return;
  }
  wy_text_append(text, "\"", 1);
  for (const char *at = field; *at; at++)
    wy_text_append(text, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
  wy_text_append(text, "\"", 1);
}

void wy_sweep_header(wy_text *text, const wy_plan *plan) {
  wy_text_add(text, "point,");
  for (int i = 0; i < plan->points.axis_count; i++) {
    wy_csv_field(text, plan->points.axes[i].path);
    wy_text_add(text, ",");
  }
  for (int i = 0; i < plan->kept_count; i++)
    wy_text_add(text, "%s,", plan->kept[i].name);
  wy_text_add(text, "status,message\n");
}

static void add_value(wy_text *text, const wy_plan *plan, int point, int axis) {
  char usual[128], *value = usual;
  const size_t length = wy_points_text(&plan->points, point, axis, usual, sizeof usual);
  if (length >= sizeof usual && (value = malloc(length + 1)))
    wy_points_text(&plan->points, point, axis, value, length + 1);
  if (value)
    wy_csv_field(text, value);
  text->failed = text->failed || !value;
  if (value != usual)
    free(value);
}

void wy_sweep_line(wy_text *text, const wy_plan *plan, const wy_sweep_row *row) {
  assert(wy_sweep_row_fits(row, plan));
  wy_text_add(text, "%d,", row->point);
  for (int i = 0; i < plan->points.axis_count; i++) {
    add_value(text, plan, row->point, i);
    wy_text_add(text, ",");
  }
  for (int i = 0; i < row->quantity_count; i++)
    if (isnan(row->quantities[i]))
      wy_text_add(text, ",");
    else
      wy_text_add(text, "%.17g,", row->quantities[i]);
  wy_text_add(text, "%s,", wy_point_status_name(row->status));
  wy_csv_field(text, row->message);
  wy_text_add(text, "\n");
}
