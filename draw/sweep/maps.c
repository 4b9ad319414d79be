/* Heat maps: each quantity over two parameters that are numbers. */
#include <string.h>

#include "draw/sweep/sweep.h"

static void write_map(FILE *out, const void *what) {
  wy_map_svg(what, out);
}

static void draw_quantity(wy_swept_figures *figures, const wy_swept_column *x, const wy_swept_column *y,
                          const wy_swept_column *value) {
  const wy_swept *data = figures->data;
  wy_memory *memory = data->memory;
  const size_t count = (size_t)x->levels * (size_t)y->levels;
  double *cells = wy_memory_take(memory, count, sizeof *cells);
  wy_cell *states = wy_memory_take(memory, count, sizeof *states);
  int *points = wy_memory_take(memory, count, sizeof *points);
  for (int i = 0; i < data->rows; i++) {
    const int at = wy_swept_level(y, y->value[i]) * x->levels + wy_swept_level(x, x->value[i]);
    cells[at] = value->value[i];
    states[at] = wy_swept_cell(data, i);
    points[at] = data->point[i];
  }
  const wy_map map = {.title = wy_memory_print(memory, "%s over %s and %s", value->name, x->brief, y->brief),
                      .x = x->label,
                      .y = y->label,
                      .value = value->label,
                      .columns = x->levels,
                      .rows = y->levels,
                      .across = x->level,
                      .up = y->level,
                      .cells = cells,
                      .states = states,
                      .points = points};
  wy_swept_figure(figures, "map", value->name, false, write_map, &map, "");
}

void wy_swept_maps(wy_swept_figures *figures) {
  const wy_swept *data = figures->data;
  if (data->varied != 2 || strcmp(data->combine, "zip") == 0 || wy_swept_is_random(data))
    return;
  const wy_swept_column *y = data->vary[0], *x = data->vary[1];
  const long long cells = (long long)x->levels * y->levels;
  /* A grid of which much is missing is none. */
  if (!x->numeric || !y->numeric || cells > 4LL * data->rows || data->quantities == 0)
    return;
  wy_swept_section(figures, "Maps",
                   "Every cell is a point. Cells have the same size, whatever lies between their values.");
  for (int i = 0; i < data->quantities; i++)
    draw_quantity(figures, x, y, &data->quantity[i]);
  wy_swept_section_end(figures);
}
