/* SPDX-License-Identifier: MIT */
/* Heat maps: each quantity over two parameters that are numbers. */
#include <string.h>

#include "draw/sweep/sweep.h"

enum { MOST_LEVELS = 100 }; /* along an axis */

static void write_map(FILE *out, const void *what) {
  wy_map_svg(what, out);
}

/* One axis of all maps: every so many-th value of a parameter. */
typedef struct side {
  const wy_swept_column *column;
  int step, count;
  double *values; /* [count] */
} side;

static side side_of(const wy_swept_column *column, wy_memory *memory) {
  const int step = (column->levels + MOST_LEVELS - 1) / MOST_LEVELS;
  side s = {.column = column, .step = step, .count = (column->levels + step - 1) / step};
  s.values = wy_memory_take(memory, (size_t)s.count, sizeof *s.values);
  for (int i = 0; i < s.count; i++)
    s.values[i] = column->level[i * step];
  return s;
}

/* Where a row stands along it, or -1. */
static int place_of(const side *s, int row) {
  const int level = wy_swept_level(s->column, s->column->value[row]);
  return level % s->step == 0 ? level / s->step : -1;
}

static const char *caption_of(const side *x, const side *y, wy_memory *memory) {
  const char *text = "";
  for (int i = 0; i < 2; i++) {
    const side *s = i == 0 ? x : y;
    if (s->step > 1)
      text = wy_memory_print(memory, "%sOne of %d values of %s is drawn. ", text, s->step, s->column->brief);
  }
  return text;
}

static void draw_quantity(wy_swept_figures *figures, const side *x, const side *y, const wy_swept_column *value) {
  const wy_swept *data = figures->data;
  wy_memory *memory = data->memory;
  const size_t count = (size_t)x->count * (size_t)y->count;
  double *cells = wy_memory_take(memory, count, sizeof *cells);
  wy_cell *states = wy_memory_take(memory, count, sizeof *states);
  int *points = wy_memory_take(memory, count, sizeof *points);
  for (int i = 0; i < data->rows; i++) {
    const int column = place_of(x, i), row = place_of(y, i), at = row * x->count + column;
    if (column < 0 || row < 0)
      continue;
    cells[at] = value->value[i];
    states[at] = wy_swept_cell(data, i);
    points[at] = data->point[i];
  }
  const wy_map map = {.title =
                          wy_memory_print(memory, "%s over %s and %s", value->name, x->column->brief, y->column->brief),
                      .x = x->column->label,
                      .y = y->column->label,
                      .value = value->label,
                      .columns = x->count,
                      .rows = y->count,
                      .across = x->values,
                      .up = y->values,
                      .cells = cells,
                      .states = states,
                      .points = points};
  wy_swept_figure(figures, "map", value->name, false, write_map, &map, caption_of(x, y, memory));
}

void wy_swept_maps(wy_swept_figures *figures) {
  const wy_swept *data = figures->data;
  if (data->varied != 2 || strcmp(data->combine, "zip") == 0 || wy_swept_is_random(data))
    return;
  const wy_swept_column *up = data->vary[0], *across = data->vary[1];
  const long long cells = (long long)across->levels * up->levels;
  /* A grid of which much is missing is none. */
  if (!across->numeric || !up->numeric || cells > 4LL * data->rows || data->quantities == 0)
    return;
  const side x = side_of(across, data->memory), y = side_of(up, data->memory);
  wy_swept_section(figures, "Maps",
                   "Every cell is a point. Cells have the same size, whatever lies between their values.");
  for (int i = 0; i < data->quantities; i++)
    draw_quantity(figures, &x, &y, &data->quantity[i]);
  wy_swept_section_end(figures);
}
