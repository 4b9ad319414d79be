/* SPDX-License-Identifier: MIT */
/* Parallel coordinates: where many parameters vary, or texts among them. */
#include <math.h>

#include "draw/chart/parallel.h"
#include "draw/sweep/sweep.h"

enum { MOST_LINES = 1000 };

static void write_parallel(FILE *out, const void *what) {
  wy_parallel_svg(what, out);
}

/* What has its own axis: parameters first. */
typedef struct axes {
  int count, parameters, left_out;
  const wy_swept_column *column[WY_PARALLEL_AXES];
  wy_parallel_axis axis[WY_PARALLEL_AXES];
} axes;

static void add_axis(axes *to, const wy_swept_column *column, bool quantity) {
  if (to->count == WY_PARALLEL_AXES || column->levels == 0) {
    to->left_out += column->levels > 0;
    return;
  }
  to->column[to->count] = column;
  to->axis[to->count++] = (wy_parallel_axis){.name = quantity ? column->name : column->brief,
                                             .log = wy_swept_is_log(column),
                                             .names = column->names,
                                             .name_count = column->levels,
                                             .ticks = quantity ? NULL : wy_swept_ticks(column),
                                             .tick_count = column->levels};
}

/* Quantities take part as far as there is room; at least one does, which gives the colour. */
static axes choose_axes(const wy_swept *data) {
  axes chosen = {.count = 0};
  for (int k = 0; k < data->varied; k++)
    if (chosen.count < WY_PARALLEL_AXES - 1)
      add_axis(&chosen, data->vary[k], false);
    else
      chosen.left_out++;
  chosen.parameters = chosen.count;
  for (int i = 0; i < data->quantities; i++)
    if (data->quantity[i].levels > 1)
      add_axis(&chosen, &data->quantity[i], true);
  return chosen;
}

/* Every row that is not good is drawn, as far as there is room, and of the others as many as fit. */
static int choose_lines(const wy_swept *data, int *rows) {
  const int bad = data->rows - data->count[WY_POINT_DONE], shown_bad = bad < MOST_LINES / 2 ? bad : MOST_LINES / 2;
  const int room = MOST_LINES - shown_bad, good = data->count[WY_POINT_DONE];
  int count = 0, met[2] = {0, 0};
  for (int pass = 0; pass < 2; pass++) { /* what failed lies above the others */
    const int all = pass == 0 ? good : bad, most = pass == 0 ? room : shown_bad;
    const int step = most > 0 ? (all + most - 1) / most : 1;
    for (int i = 0; i < data->rows; i++)
      if ((data->state[i] == WY_POINT_DONE) == (pass == 0) && met[pass]++ % (step > 0 ? step : 1) == 0)
        rows[count++] = i;
  }
  return count;
}

void wy_swept_parallels(wy_swept_figures *figures) {
  const wy_swept *data = figures->data;
  wy_memory *memory = data->memory;
  bool mixed = false;
  for (int k = 0; k < data->varied; k++)
    mixed = mixed || !data->vary[k]->numeric;
  if (data->varied < 2 || (data->varied == 2 && !mixed))
    return;
  const axes chosen = choose_axes(data);
  int *rows = wy_memory_take(memory, (size_t)data->rows, sizeof *rows);
  const int lines = choose_lines(data, rows);
  double *values = wy_memory_take(memory, (size_t)lines * (size_t)chosen.count, sizeof *values);
  wy_cell *states = wy_memory_take(memory, (size_t)lines, sizeof *states);
  int *points = wy_memory_take(memory, (size_t)lines, sizeof *points);
  for (int i = 0; i < lines; i++) {
    states[i] = wy_swept_cell(data, rows[i]);
    points[i] = data->point[rows[i]];
    for (int a = 0; a < chosen.count; a++)
      values[i * chosen.count + a] = chosen.column[a]->value[rows[i]];
  }
  const wy_parallel chart = {.title = "All parameters and quantities",
                             .axes = chosen.count,
                             .lines = lines,
                             .axis = chosen.axis,
                             .values = values,
                             .states = states,
                             .points = points,
                             .colour = chosen.count > chosen.parameters ? chosen.parameters : 0};
  wy_swept_section(figures, "Parallel coordinates",
                   "Each line is a point; its colour goes with the first quantity. Drag along an axis to choose a "
                   "part of it; a click on the axis lets it go.");
  const char *thinned =
      lines < data->rows ? wy_memory_print(memory, "%d of %d points are drawn. ", lines, data->rows) : "";
  const char *cut =
      chosen.left_out > 0 ? wy_memory_print(memory, "%d columns of the table have no axis.", chosen.left_out) : "";
  wy_swept_figure(figures, "parallel", "", true, write_parallel, &chart, wy_memory_print(memory, "%s%s", thinned, cut));
  wy_swept_section_end(figures);
}
