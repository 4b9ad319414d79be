/* SPDX-License-Identifier: MIT */
/* Curves: each quantity over one parameter, a curve for each combination of the others. */
#include <math.h>
#include <string.h>

#include "draw/sweep/sweep.h"

/* What all pictures of curves share: the axis, and which rows make a curve, in which order. */
typedef struct plot {
  wy_swept_figures *figures;
  const wy_swept *data;
  const wy_swept_column *x;
  wy_swept_families families;
  const int *order; /* [rows]: by x, rows of the same x as they come */
  bool ramp;        /* families are values of one number */
  int step;         /* every so many-th level is drawn */
} plot;

/* The parameter below the picture: the number with most values, the last of them where several have as many; else the
   last text. A plan's first parameter varies slowest, and is what people think of as the family. */
static int choose_axis(const wy_swept *data) {
  int best = data->varied - 1;
  for (int k = 0; k < data->varied; k++) {
    const wy_swept_column *one = data->vary[k], *other = data->vary[best];
    if (one->numeric && (!other->numeric || one->levels >= other->levels))
      best = k;
  }
  return best;
}

static const int *rows_by(const wy_swept *data, const wy_swept_column *x) {
  int *order = wy_memory_take(data->memory, (size_t)data->rows, sizeof *order);
  int *start = wy_memory_take(data->memory, (size_t)x->levels + 1, sizeof *start);
  for (int i = 0; i < data->rows; i++)
    start[wy_swept_level(x, x->value[i]) + 1]++;
  for (int i = 0; i < x->levels; i++)
    start[i + 1] += start[i];
  for (int i = 0; i < data->rows; i++)
    order[start[wy_swept_level(x, x->value[i])]++] = i;
  return order;
}

static bool spans_decades(const wy_swept *data, const wy_swept_column *y) {
  double low = INFINITY, high = 0;
  for (int i = 0; i < data->rows; i++)
    if (wy_swept_is_good(data, y, i)) {
      low = fmin(low, y->value[i]);
      high = fmax(high, y->value[i]);
    }
  return low > 0 && high >= 1e3 * low && isfinite(low);
}

static void draw_quantity(const plot *p, const wy_swept_column *y) {
  const wy_swept *data = p->data;
  wy_memory *memory = data->memory;
  wy_chart *chart =
      wy_swept_chart(p->figures, wy_memory_print(memory, "%s over %s", y->name, p->x->brief), p->x->label, y->label);
  wy_swept_axis(chart, p->x);
  chart->log_y = spans_decades(data, y);
  chart->marks = p->x->levels <= 40;
  chart->ramp = p->ramp;
  for (int k = 0; k < p->families.count; k++)
    wy_chart_curve(chart, p->families.count > 1 ? p->families.names[k] : "");
  for (int i = 0; i < data->rows; i++) {
    const int row = p->order[i];
    if (wy_swept_is_good(data, y, row) && wy_swept_level(p->x, p->x->value[row]) % p->step == 0)
      wy_chart_row(chart, p->families.family[row], p->x->value[row], y->value[row], data->point[row]);
  }
  wy_swept_add_bad(data, p->x, y, chart);
  wy_swept_chart_figure(p->figures, "curves", y->name,
                        p->step > 1 ? wy_memory_print(memory, "One of %d values is drawn.", p->step) : "");
}

void wy_swept_curves(wy_swept_figures *figures) {
  enum { MOST_FAMILIES = WY_MAX_CURVES - 2, RAMP = 6, PARAMETERS = 64 }; /* two are for marks */
  const wy_swept *data = figures->data;
  bool leave_out[PARAMETERS] = {false};
  if (data->varied == 0 || data->varied > PARAMETERS || data->quantities == 0 || wy_swept_is_random(data))
    return;
  const int axis = choose_axis(data);
  for (int k = 0; k < data->varied; k++) /* what goes along with the axis makes no family */
    leave_out[k] = k == axis || (strcmp(data->combine, "zip") == 0 && data->vary[k]->numeric);
  plot p = {.figures = figures, .data = data, .x = data->vary[axis], .families = wy_swept_families_of(data, leave_out)};
  if (p.families.count > MOST_FAMILIES)
    return;
  p.order = rows_by(data, p.x);
  p.ramp = data->varied == 2 && data->vary[!axis]->numeric && p.families.count >= RAMP;
  p.step = (p.x->levels + WY_MAX_POINTS - 1) / WY_MAX_POINTS;
  wy_swept_section(figures, "Curves", "");
  for (int i = 0; i < data->quantities; i++)
    draw_quantity(&p, &data->quantity[i]);
  wy_swept_section_end(figures);
}
