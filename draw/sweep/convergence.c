/* SPDX-License-Identifier: MIT */
/* Convergence: where the number of segments, the step or the tolerance varies, the differences from one value to the
   next finer one, on logarithmic axes, with the observed order of the last three. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/sweep/sweep.h"
#include "run/converge/estimate.h"

enum { PARAMETERS = 64 };

static bool ends_with(const char *path, const char *step) {
  const size_t length = strlen(path), size = strlen(step);
  return length >= size && strcmp(path + length - size, step) == 0 &&
         (length == size || path[length - size - 1] == '.');
}

/* Does a smaller value of it make a run finer, or a larger one, or neither? */
typedef enum refining { NOT_REFINING, BY_SMALLER, BY_LARGER } refining;

static refining refines(const wy_swept_column *column) {
  if (!column->numeric || column->levels == 0 || !(column->level[0] > 0))
    return NOT_REFINING;
  if (ends_with(column->name, "segments"))
    return BY_LARGER;
  return ends_with(column->name, "step") || ends_with(column->name, "tolerance") ? BY_SMALLER : NOT_REFINING;
}

/* What all pictures over one parameter share. */
typedef struct study {
  wy_swept_figures *figures;
  const wy_swept *data;
  const wy_swept_column *x;
  bool larger; /* a larger value is finer */
  wy_swept_families families;
  int *row; /* [families.count * levels]: the row of a family at a level, from the coarsest; or -1 */
} study;

static int level_of(const study *s, int row) {
  const int level = wy_swept_level(s->x, s->x->value[row]);
  return s->larger ? level : s->x->levels - 1 - level;
}

static void find_rows(study *s) {
  const size_t count = (size_t)s->families.count * (size_t)s->x->levels;
  s->row = wy_memory_take(s->data->memory, count, sizeof *s->row);
  for (size_t i = 0; i < count; i++)
    s->row[i] = -1;
  for (int i = 0; i < s->data->rows; i++)
    s->row[s->families.family[i] * s->x->levels + level_of(s, i)] = i;
}

/* The good rows of a family, from coarse to fine. */
static int good_rows(const study *s, const wy_swept_column *y, int family, int *rows) {
  int count = 0;
  for (int level = 0; level < s->x->levels; level++) {
    const int row = s->row[family * s->x->levels + level];
    if (row >= 0 && wy_swept_is_good(s->data, y, row))
      rows[count++] = row;
  }
  return count;
}

static double width_of(const study *s, int row) {
  const double x = s->x->value[row];
  return s->larger ? 1 / x : x;
}

/* Of three rows: NAN where their differences do not become smaller, change their sign, or vanish. */
static double order_of(const study *s, const wy_swept_column *y, const int row[3]) {
  const double width[3] = {width_of(s, row[0]), width_of(s, row[1]), width_of(s, row[2])};
  const double ratio = (y->value[row[0]] - y->value[row[1]]) / (y->value[row[1]] - y->value[row[2]]);
  const double order = isfinite(ratio) ? wy_estimate_order(ratio, width) : -1;
  return order > 0 ? order : (double)NAN;
}

static void note_order(double order, wy_line *curve) {
  if (isnan(order))
    snprintf(curve->note, sizeof curve->note, "no order");
  else
    snprintf(curve->note, sizeof curve->note, "order %.2f", order);
}

/* Families with differences that can be drawn. */
static int draw_families(const study *s, const wy_swept_column *y, wy_chart *chart) {
  int *rows = wy_memory_take(s->data->memory, (size_t)s->x->levels, sizeof *rows), left_out = 0;
  for (int family = 0; family < s->families.count; family++) {
    const int count = good_rows(s, y, family, rows);
    bool moves = false;
    for (int i = 0; i + 1 < count; i++)
      moves = moves || y->value[rows[i]] != y->value[rows[i + 1]];
    if (count < 3 || !moves)
      continue;
    if (chart->count == WY_MAX_CURVES) {
      left_out++;
      continue;
    }
    const int curve = wy_chart_curve(chart, s->families.count > 1 ? s->families.names[family] : y->name);
    for (int i = 0; i + 1 < count; i++)
      wy_chart_row(chart, curve, s->x->value[rows[i]], fabs(y->value[rows[i]] - y->value[rows[i + 1]]),
                   s->data->point[rows[i]]);
    note_order(order_of(s, y, rows + count - 3), &chart->curve[curve]);
  }
  return left_out;
}

static void draw_quantity(const study *s, const wy_swept_column *y, bool *begun) {
  wy_memory *memory = s->data->memory;
  wy_chart *chart = wy_swept_chart(s->figures, wy_memory_print(memory, "Convergence of %s in %s", y->name, s->x->brief),
                                   s->x->label, wy_memory_print(memory, "difference of %s", y->label));
  wy_swept_axis(chart, s->x);
  chart->log_x = chart->log_y = chart->marks = true;
  const int left_out = draw_families(s, y, chart);
  if (chart->count == 0)
    return;
  if (!*begun)
    wy_swept_section(
        s->figures, "Convergence",
        "Each mark is the difference between a point and the next finer one. The observed order is that of "
        "the last three points of a line; there is none where differences do not become smaller or change "
        "their sign.");
  *begun = true;
  wy_swept_chart_figure(s->figures, "convergence", y->name,
                        left_out > 0 ? wy_memory_print(memory, "%d more lines are left out.", left_out) : "");
}

/* Families are made by all other parameters. Of a zip, those that refine too go along with this one. */
static void draw_parameter(wy_swept_figures *figures, int k, bool *begun) {
  const wy_swept *data = figures->data;
  const bool zip = strcmp(data->combine, "zip") == 0;
  bool leave_out[PARAMETERS] = {false};
  for (int i = 0; i < data->varied; i++)
    leave_out[i] = i == k || (zip && refines(data->vary[i]) != NOT_REFINING);
  study s = {.figures = figures,
             .data = data,
             .x = data->vary[k],
             .larger = refines(data->vary[k]) == BY_LARGER,
             .families = wy_swept_families_of(data, leave_out)};
  if ((long long)s.families.count * s.x->levels > 4LL * data->rows + 16)
    return;
  find_rows(&s);
  for (int i = 0; i < data->quantities; i++)
    if (!data->quantity[i].cost)
      draw_quantity(&s, &data->quantity[i], begun);
}

void wy_swept_convergence(wy_swept_figures *figures) {
  const wy_swept *data = figures->data;
  bool begun = false;
  if (data->varied > PARAMETERS || wy_swept_is_random(data))
    return;
  for (int k = 0; k < data->varied; k++)
    if (refines(data->vary[k]) != NOT_REFINING && data->vary[k]->levels >= 3)
      draw_parameter(figures, k, &begun);
  if (begun)
    wy_swept_section_end(figures);
}
