/* SPDX-License-Identifier: MIT */
#include "draw/chart/parallel.h"

#include <assert.h>
#include <math.h>

#include "draw/chart/frame.h"
#include "draw/escape.h"

enum { WIDTH = 1000, HEIGHT = 400, SIDE = 60, BOTTOM_EDGE = HEIGHT - 34, TICKS = 5 };

static int top_edge(const wy_parallel *chart) {
  return 12 + WY_SVG_LINE * (wy_svg_title_lines(chart->title, WIDTH) + 2);
}

static double across(const wy_parallel *chart, int a) {
  return SIDE + (double)a * (WIDTH - 2 * SIDE) / (chart->axes - 1);
}

static wy_axis axis_of(const wy_parallel *chart, int a) {
  const wy_parallel_axis *from = &chart->axis[a];
  wy_axis axis = {.log = from->log,
                  .vertical = true,
                  .low = INFINITY,
                  .high = -INFINITY,
                  .from = BOTTOM_EDGE,
                  .to = top_edge(chart),
                  .across = {across(chart, a) - 3, across(chart, a) + 3},
                  .names = from->names,
                  .name_count = from->name_count,
                  .ticks = from->ticks,
                  .tick_count = from->tick_count};
  for (int i = 0; i < chart->lines; i++) {
    double v = chart->values[i * chart->axes + a];
    if (!(fabs(v) < 1e300))
      continue;
    v = axis.log ? log10(v) : v;
    axis.low = fmin(axis.low, v), axis.high = fmax(axis.high, v);
  }
  if (axis.names)
    axis.low = 0, axis.high = axis.name_count - 1;
  if (!(axis.low <= axis.high))
    axis.low = 0, axis.high = 1;
  wy_axis_widen(&axis, 0);
  return axis;
}

static void draw_ticks(const wy_axis *axis, double x, FILE *out) {
  const int count = axis->names ? axis->name_count : axis->ticks ? axis->tick_count : TICKS;
  for (int i = 0; i < count; i++) {
    const double even = axis->low + i / (TICKS - 1.0) * (axis->high - axis->low);
    const double value = axis->names ? i : axis->ticks ? axis->ticks[i] : axis->log ? pow(10, even) : even;
    char label[32];
    wy_axis_short(label, value, 3);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" dy=\".35em\" font-size=\"11\" class=\"halo\">", x + 5,
            wy_axis_pixel(axis, value));
    if (axis->names)
      wy_axis_name(out, axis->names[i], 110);
    else
      fputs(label, out);
    fputs("</text>\n", out);
  }
}

/* Names stand above their axes, every second one a line higher, so that long ones do not meet. */
static void draw_axis(const wy_parallel *chart, int a, const wy_axis *axis, FILE *out) {
  const double x = across(chart, a), room = 2.0 * (WIDTH - 2 * SIDE) / (chart->axes - 1);
  const char *anchor = a == 0 ? "start" : a == chart->axes - 1 ? "end" : "middle";
  fprintf(out, "<g class=\"axis\" data-axis=\"%d\"><path d=\"M%.1f %dV%d\" stroke=\"currentColor\" fill=\"none\"/>", a,
          x, top_edge(chart), BOTTOM_EDGE);
  /* What readers can grab: wider than the line. */
  fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"24\" height=\"%d\" fill=\"#000\" fill-opacity=\"0\"/>\n", x - 12,
          top_edge(chart), BOTTOM_EDGE - top_edge(chart));
  fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" font-weight=\"600\">",
          a == 0                 ? 4
          : a == chart->axes - 1 ? WIDTH - 4
                                 : x,
          top_edge(chart) - (a % 2 == 0 ? 10 : 10 + WY_SVG_LINE), anchor);
  wy_axis_name(out, chart->axis[a].name, fmin(room - 10, 400));
  fputs("</text>\n", out);
  draw_ticks(axis, x, out);
  fputs("</g>\n", out);
}

static void draw_line(const wy_parallel *chart, int i, const wy_axis *axes, FILE *out) {
  const double *values = chart->values + i * chart->axes, by = values[chart->colour];
  const wy_axis *scale = &axes[chart->colour];
  const bool good = chart->states[i] == WY_CELL_GOOD;
  char colour[8];
  if (good && fabs(by) < 1e300)
    wy_svg_shade(((scale->log ? log10(by) : by) - scale->low) / (scale->high - scale->low), colour);
  else
    snprintf(colour, sizeof colour, "%s", good ? "#888888" : wy_svg_bad);
  fprintf(out, "<polyline class=\"line\" stroke=\"%s\"%s points=\"", colour,
          good ? "" : " stroke-dasharray=\"4 3\" stroke-width=\"1.6\"");
  for (int a = 0; a < chart->axes && fabs(values[a]) < 1e300; a++)
    fprintf(out, "%.0f,%.1f ", across(chart, a), wy_axis_pixel(&axes[a], values[a]));
  fprintf(out, "\"><title>point %d%s</title></polyline>\n", chart->points[i],
          good                                ? ""
          : chart->states[i] == WY_CELL_WRONG ? ": wrong"
                                              : ": failed");
}

void wy_parallel_svg(const wy_parallel *chart, FILE *out) {
  assert(chart->axes >= 2 && chart->axes <= WY_PARALLEL_AXES);
  wy_axis axes[WY_PARALLEL_AXES];
  for (int a = 0; a < chart->axes; a++)
    axes[a] = axis_of(chart, a);
  wy_svg_begin(out, chart->title, WIDTH, HEIGHT);
  fputs("<style>.halo{paint-order:stroke;stroke:var(--paper,#fff);stroke-width:3px}</style>\n"
        "<g fill=\"none\" stroke-width=\"1.1\" stroke-opacity=\".75\">\n",
        out);
  for (int i = 0; i < chart->lines; i++)
    draw_line(chart, i, axes, out);
  fputs("</g>\n", out);
  for (int a = 0; a < chart->axes; a++)
    draw_axis(chart, a, &axes[a], out);
  wy_svg_end(out);
}
