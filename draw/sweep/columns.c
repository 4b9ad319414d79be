/* SPDX-License-Identifier: MIT */
/* What the columns of a sweep are: numbers, numbers with a unit, or texts; and which rows belong together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/sweep/sweep.h"
#include "run/results/file.h"
#include "run/tree/names.h"

/* ---- Numbers ---- */

/* A number, and the unit that follows it. False where the text does not begin with a finite number. */
static bool split_number(const char *text, double *value, const char **unit) {
  char *end;
  *value = strtod(text, &end);
  *unit = end + strspn(end, " ");
  const bool separated = *end == '\0' || *end == ' ' || **unit == '%';
  return end != text && separated && isfinite(*value);
}

/* A quantity is a number in any case: one that is not finite is missing. */
static void read_quantity(wy_swept_column *column, int rows) {
  for (int i = 0; i < rows; i++) {
    const char *unit;
    if (!split_number(column->text[i], &column->value[i], &unit))
      column->value[i] = NAN;
  }
}

static bool read_parameter(wy_swept_column *column, int rows) {
  const char *first = NULL;
  for (int i = 0; i < rows; i++) {
    const char *unit;
    column->value[i] = NAN;
    if (!column->text[i][0])
      continue;
    if (!split_number(column->text[i], &column->value[i], &unit) || (first && strcmp(first, unit) != 0))
      return false;
    first = unit;
  }
  if (first && *first)
    column->unit = first;
  return true;
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void find_levels(wy_swept_column *column, int rows, wy_memory *memory) {
  column->level = wy_memory_take(memory, (size_t)rows, sizeof *column->level);
  int count = 0;
  for (int i = 0; i < rows; i++)
    if (!isnan(column->value[i]))
      column->level[count++] = column->value[i];
  if (count > 0)
    qsort(column->level, (size_t)count, sizeof *column->level, compare_numbers);
  for (int i = 0; i < count; i++)
    if (i == 0 || column->level[i] > column->level[column->levels - 1])
      column->level[column->levels++] = column->level[i];
}

int wy_swept_level(const wy_swept_column *column, double value) {
  int low = 0, high = column->levels;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (column->level[middle] <= value)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* ---- Texts ---- */

/* Texts are numbered in the order in which they come. */
static void number_texts(wy_swept_column *column, int rows, wy_memory *memory) {
  wy_names known = {0};
  const char **names = wy_memory_take(memory, (size_t)rows, sizeof *names);
  int count = 0;
  for (int i = 0; i < rows; i++) {
    const char *text = column->text[i];
    int found = wy_names_find(&known, text, strlen(text));
    if (found < 0) {
      if (!wy_names_add(&known, &memory->pool, text, count))
        longjmp(memory->begin, 1);
      names[found = count++] = text;
    }
    column->value[i] = found;
  }
  column->names = names;
}

static void measure(wy_swept_column *column, bool quantity, int rows, wy_memory *memory) {
  column->value = wy_memory_take(memory, (size_t)rows, sizeof *column->value);
  column->numeric = true;
  if (quantity)
    read_quantity(column, rows);
  else
    column->numeric = read_parameter(column, rows);
  if (!column->numeric)
    number_texts(column, rows, memory);
  find_levels(column, rows, memory);
  const bool unit = column->unit[0] && strcmp(column->unit, "1") != 0;
  column->label = unit ? wy_memory_print(memory, "%s in %s", column->name, column->unit) : column->name;
  column->brief = column->name;
}

/* The last steps of a path, as many as tell it apart from the others: "segments", or "left.segments". */
static const char *brief_name(const wy_swept *data, const wy_swept_column *column) {
  const char *whole = column->name, *from = whole + strlen(whole);
  for (bool clear = false; !clear && from > whole;) {
    do
      from--;
    while (from > whole && *from != '.');
    const char *tail = *from == '.' ? from + 1 : from;
    clear = true;
    for (int k = 0; k < data->varied; k++) {
      const char *other = data->vary[k]->name;
      const size_t length = strlen(other), size = strlen(tail);
      clear = clear && (data->vary[k] == column || length < size || strcmp(other + length - size, tail) != 0);
    }
  }
  return *from == '.' ? from + 1 : from;
}

void wy_swept_measure(wy_swept *data) {
  wy_memory *memory = data->memory;
  data->vary = wy_memory_take(memory, (size_t)data->parameters, sizeof *data->vary);
  for (int i = 0; i < data->parameters; i++) {
    measure(&data->parameter[i], false, data->rows, memory);
    if (data->parameter[i].levels > 1)
      data->vary[data->varied++] = &data->parameter[i];
  }
  for (int k = 0; k < data->varied; k++)
    data->vary[k]->brief = brief_name(data, data->vary[k]);
  for (int i = 0; i < data->quantities; i++)
    measure(&data->quantity[i], true, data->rows, memory);
}

/* ---- What pictures ask ---- */

bool wy_swept_is_random(const wy_swept *data) {
  static const char *const names[] = {"latin", "sobol", "random"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(data->combine, names[i]) == 0)
      return true;
  return false;
}

bool wy_swept_is_log(const wy_swept_column *column) {
  const double *level = column->level;
  const int count = column->levels;
  if (!column->numeric || count < 3 || !(level[0] > 0) || !(level[count - 1] >= 3 * level[0]))
    return false;
  const double low = log(level[0]), high = log(level[count - 1]);
  const double middle = 0.5 * (log(level[(count - 1) / 2]) + log(level[count / 2]));
  return fabs(middle - 0.5 * (low + high)) < fabs(middle - log(0.5 * (level[0] + level[count - 1])));
}

const double *wy_swept_ticks(const wy_swept_column *column) {
  enum { FEW = 8 };
  return column->numeric && column->levels <= FEW ? column->level : NULL;
}

bool wy_swept_is_good(const wy_swept *data, const wy_swept_column *quantity, int row) {
  return data->state[row] == WY_POINT_DONE && !isnan(quantity->value[row]);
}

wy_cell wy_swept_cell(const wy_swept *data, int row) {
  return data->state[row] == WY_POINT_DONE    ? WY_CELL_GOOD
         : data->state[row] == WY_POINT_WRONG ? WY_CELL_WRONG
                                              : WY_CELL_FAILED;
}

/* ---- Families ---- */

/* Names of schemes say what they are; numbers need the name of their parameter. */
static void add_value(wy_text *text, const wy_swept_column *column, int row) {
  if (column->numeric)
    wy_text_add(text, "%s%s %s", text->length ? ", " : "", column->brief, column->text[row]);
  else
    wy_text_add(text, "%s%s", text->length ? ", " : "", column->text[row]);
}

wy_swept_families wy_swept_families_of(const wy_swept *data, const bool *leave_out) {
  wy_memory *memory = data->memory;
  wy_swept_families out = {.family = wy_memory_take(memory, (size_t)data->rows, sizeof *out.family),
                           .names = wy_memory_take(memory, (size_t)data->rows, sizeof *out.names)};
  wy_names known = {0};
  for (int row = 0; row < data->rows; row++) {
    wy_text name = {0};
    for (int k = 0; k < data->varied; k++)
      if (!leave_out[k])
        add_value(&name, data->vary[k], row);
    const char *text = name.length ? name.data : "";
    int found = wy_names_find(&known, text, strlen(text));
    const char *copy = found < 0 ? wy_pool_copy(&memory->pool, text, strlen(text)) : "";
    const bool failed = name.failed || !copy || (found < 0 && !wy_names_add(&known, &memory->pool, copy, out.count));
    wy_text_free(&name);
    if (failed)
      longjmp(memory->begin, 1);
    if (found < 0)
      out.names[found = out.count++] = copy;
    out.family[row] = found;
  }
  return out;
}
