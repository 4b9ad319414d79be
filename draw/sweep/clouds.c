/* SPDX-License-Identifier: MIT */
/* Points that are drawn at random: each quantity over each number that varies, and how often it takes which values. */
#include <math.h>

#include "draw/sweep/sweep.h"

/* ---- Scatter ---- */

static void draw_cloud(wy_swept_figures *figures, const wy_swept_column *x, const wy_swept_column *y) {
  const wy_swept *data = figures->data;
  wy_memory *memory = data->memory;
  const int step = (data->rows + WY_MAX_POINTS - 1) / WY_MAX_POINTS;
  wy_chart *chart =
      wy_swept_chart(figures, wy_memory_print(memory, "%s over %s", y->name, x->brief), x->label, y->label);
  const int curve = wy_chart_curve(chart, "");
  chart->curve[curve].style = WY_LINE_MARKS;
  wy_swept_axis(chart, x);
  for (int i = 0; i < data->rows; i += step)
    if (wy_swept_is_good(data, y, i))
      wy_chart_row(chart, curve, x->value[i], y->value[i], data->point[i]);
  wy_swept_add_bad(data, x, y, chart);
  wy_swept_chart_figure(figures, "scatter", wy_memory_print(memory, "%s-%s", y->name, x->brief),
                        step > 1 ? wy_memory_print(memory, "One of %d points is drawn.", step) : "");
}

void wy_swept_clouds(wy_swept_figures *figures) {
  const wy_swept *data = figures->data;
  if (!wy_swept_is_random(data) || data->varied == 0 || data->quantities == 0)
    return;
  wy_swept_section(figures, "Scatter", "");
  for (int i = 0; i < data->quantities; i++)
    for (int k = 0; k < data->varied; k++)
      draw_cloud(figures, data->vary[k], &data->quantity[i]);
  wy_swept_section_end(figures);
}

/* ---- Histograms ---- */

typedef struct spread {
  int count;
  double low, high, mean, deviation;
} spread;

static spread spread_of(const wy_swept *data, const wy_swept_column *y) {
  spread s = {.low = INFINITY, .high = -INFINITY};
  double squares = 0;
  for (int i = 0; i < data->rows; i++) {
    const double v = y->value[i];
    if (!wy_swept_is_good(data, y, i))
      continue;
    const double away = v - s.mean; /* Welford's update: no sum of large squares */
    s.count++;
    s.mean += away / s.count;
    squares += away * (v - s.mean);
    s.low = fmin(s.low, v);
    s.high = fmax(s.high, v);
  }
  s.deviation = s.count > 1 ? sqrt(squares / (s.count - 1)) : 0;
  return s;
}

/* About as many bars as the root of the number of points says. */
static void draw_histogram(wy_swept_figures *figures, const wy_swept_column *y, const spread *s) {
  enum { MOST_BARS = 40 };
  const wy_swept *data = figures->data;
  wy_memory *memory = data->memory;
  const int bars = (int)fmin(fmax(ceil(sqrt(s->count)), 5), MOST_BARS);
  const double width = (s->high - s->low) / bars;
  wy_chart *chart =
      wy_swept_chart(figures, wy_memory_print(memory, "How often %s has which value", y->name), y->label, "points");
  const int curve = wy_chart_curve(chart, "");
  wy_line *line = &chart->curve[curve];
  line->style = WY_LINE_BARS;
  for (int i = 0; i < bars; i++)
    wy_chart_point(chart, curve, s->low + (i + 0.5) * width, 0);
  for (int i = 0; i < data->rows; i++)
    if (wy_swept_is_good(data, y, i))
      line->y[(int)fmin((y->value[i] - s->low) / width, bars - 1)]++;
  wy_swept_chart_figure(figures, "histogram", y->name,
                        wy_memory_print(memory, "%d points, mean %.6g, standard deviation %.4g, from %.6g to %.6g.",
                                        s->count, s->mean, s->deviation, s->low, s->high));
}

void wy_swept_histograms(wy_swept_figures *figures) {
  const wy_swept *data = figures->data;
  bool begun = false;
  for (int i = 0; i < data->quantities && wy_swept_is_random(data); i++) {
    const spread s = spread_of(data, &data->quantity[i]);
    if (s.count < 2 || !(s.high - s.low > 1e-12 * fmax(fabs(s.low), fabs(s.high))) || !isfinite(s.high - s.low))
      continue;
    if (!begun)
      wy_swept_section(figures, "Distributions", "Of all points that are done.");
    begun = true;
    draw_histogram(figures, &data->quantity[i], &s);
  }
  if (begun)
    wy_swept_section_end(figures);
}
