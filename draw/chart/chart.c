/* SPDX-License-Identifier: MIT */
/* See chart.h: the data of a chart. */
#include "draw/chart/chart.h"

int wy_chart_curve(wy_chart *chart, const char *name) {
  if (!chart || chart->count == WY_MAX_CURVES)
    return WY_MAX_CURVES - 1;
  snprintf(chart->curve[chart->count].name, sizeof chart->curve[chart->count].name, "%s", name);
  return chart->count++;
}

void wy_chart_dash(wy_chart *chart, int curve) {
  if (chart)
    chart->curve[curve].dashed = true;
}

void wy_chart_point(wy_chart *chart, int curve, double x, double y) {
  if (!chart || chart->curve[curve].count == WY_MAX_POINTS)
    return;
  wy_line *to = &chart->curve[curve];
  to->x[to->count] = x;
  to->y[to->count++] = y;
}

void wy_chart_row(wy_chart *chart, int curve, double x, double y, int row) {
  const int before = chart->curve[curve].count;
  wy_chart_point(chart, curve, x, y);
  if (chart->curve[curve].count > before)
    chart->curve[curve].row[before] = row + 1;
}

void wy_chart_csv(const wy_chart *chart, FILE *out) {
  fprintf(out, "curve,%s,%s\n", chart->x, chart->y);
  for (int c = 0; c < chart->count; c++)
    for (int i = 0; i < chart->curve[c].count; i++)
      fprintf(out, "%s,%.9g,%.9g\n", chart->curve[c].name, chart->curve[c].x[i], chart->curve[c].y[i]);
}
