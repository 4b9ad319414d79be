/* The charts of an experiment: points as CSV, and a picture as SVG that takes up the colours of the page around it. */
#include <math.h>
#include <string.h>

#include "experiments/experiments.h"

wy_chart *wy_chart_new(wy_findings *findings, const char *name, const char *title, const char *x, const char *y) {
  if (findings->charts == WY_MAX_CHARTS)
    return NULL;
  wy_chart *chart = &findings->chart[findings->charts++];
  snprintf(chart->name, sizeof chart->name, "%s", name);
  snprintf(chart->title, sizeof chart->title, "%s", title);
  snprintf(chart->x, sizeof chart->x, "%s", x);
  snprintf(chart->y, sizeof chart->y, "%s", y);
  return chart;
}

int wy_chart_curve(wy_chart *chart, const char *name) {
  if (!chart || chart->count == WY_MAX_CURVES)
    return WY_MAX_CURVES - 1;
  snprintf(chart->curve[chart->count].name, sizeof chart->curve[chart->count].name, "%s", name);
  return chart->count++;
}

void wy_chart_point(wy_chart *chart, int curve, double x, double y) {
  if (!chart || chart->curve[curve].count == WY_MAX_POINTS)
    return;
  wy_curve *to = &chart->curve[curve];
  to->x[to->count] = x;
  to->y[to->count++] = y;
}

void wy_chart_csv(const wy_chart *chart, FILE *out) {
  fprintf(out, "curve,%s,%s\n", chart->x, chart->y);
  for (int c = 0; c < chart->count; c++)
    for (int i = 0; i < chart->curve[c].count; i++)
      fprintf(out, "%s,%.9g,%.9g\n", chart->curve[c].name, chart->curve[c].x[i], chart->curve[c].y[i]);
}

/* ---- the picture ---- */

enum { WIDTH = 760, HEIGHT = 400, LEFT = 70, RIGHT = 16, TOP = 44, BOTTOM = 48, LINE = 18 };

/* Names of curves stand in lines above the picture, each with room for its letters; of a ramp only the first and the
   last. Gives the line of a name, the first is 0, and where it begins. */
static int name_line(const wy_chart *chart, int c, int *at) {
  int line = 0, next = LEFT;
  for (int i = 0; i <= c; i++) {
    if (chart->ramp && i > 0 && i < chart->count - 1)
      continue;
    int width = 50 + 7 * (int)strlen(chart->curve[i].name);
    if (next > LEFT && next + width > WIDTH + 20) /* the last name needs no gap behind it */
      line++, next = LEFT;
    *at = next;
    next += width;
  }
  return line;
}

/* The upper edge of the picture proper. */
static int top_of(const wy_chart *chart) {
  int at;
  return TOP + (chart->count > 0 ? LINE * name_line(chart, chart->count - 1, &at) : 0);
}

/* One axis: values from `low` to `high` (logarithms where `log`) on pixels `from` to `to`. */
typedef struct axis {
  bool log, vertical;
  int top; /* where lines across the picture end */
  double low, high, from, to;
} axis;

static double pixel(const axis *a, double value) {
  double v = a->log ? log10(value) : value;
  return a->from + (v - a->low) / (a->high - a->low) * (a->to - a->from);
}

static bool shown(const wy_chart *chart, double x, double y) {
  return isfinite(x) && isfinite(y) && (!chart->log_x || x > 0) && (!chart->log_y || y > 0);
}

static axis axis_of(const wy_chart *chart, bool vertical) {
  axis a = {.log = vertical ? chart->log_y : chart->log_x,
            .vertical = vertical,
            .top = top_of(chart),
            .low = INFINITY,
            .high = -INFINITY};
  for (int c = 0; c < chart->count; c++)
    for (int i = 0; i < chart->curve[c].count; i++) {
      double x = chart->curve[c].x[i], y = chart->curve[c].y[i], v = vertical ? y : x;
      if (!shown(chart, x, y))
        continue;
      v = a.log ? log10(v) : v;
      a.low = fmin(a.low, v), a.high = fmax(a.high, v);
    }
  if (!(a.low <= a.high))
    a.low = 0, a.high = 1;
  double room = a.log ? 0.05 : vertical ? 0.05 * (a.high - a.low) : 0;
  if (!(a.high > a.low))
    room = 0.5;
  a.low -= room, a.high += room;
  a.from = vertical ? HEIGHT - BOTTOM : LEFT;
  a.to = vertical ? a.top : WIDTH - RIGHT;
  return a;
}

/* Widens the axis whose unit is longer in pixels, about its middle, until both are the same. */
static void make_equal(axis *x, axis *y) {
  double unit_x = fabs(x->to - x->from) / (x->high - x->low), unit_y = fabs(y->to - y->from) / (y->high - y->low);
  axis *wide = unit_x > unit_y ? x : y;
  double middle = 0.5 * (wide->low + wide->high), half = 0.5 * fabs(wide->to - wide->from) / fmin(unit_x, unit_y);
  wide->low = middle - half, wide->high = middle + half;
}

static void tick(FILE *out, const axis *a, double value, const char *label) {
  double at = pixel(a, value);
  if (a->vertical)
    fprintf(out,
            "<path d=\"M%d %.1fH%d\" class=\"grid\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" dy=\".35em\">%s"
            "</text>\n",
            LEFT, at, WIDTH - RIGHT, LEFT - 8, at, label);
  else
    fprintf(out, "<path d=\"M%.1f %dV%d\" class=\"grid\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
            at, a->top, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 18, label);
}

/* Powers of ten, with 2 and 5 times them where there are few. */
static void log_ticks(FILE *out, const axis *a) {
  static const int between[] = {1, 2, 5};
  const int every = (int)ceil((a->high - a->low) / 8), fine = a->high - a->low < 2.5 ? 3 : 1;
  for (int k = (int)floor(a->low / every) * every; k <= a->high; k += every)
    for (int i = 0; i < fine; i++) {
      char label[32];
      double value = between[i] * pow(10, k);
      snprintf(label, sizeof label, "%de%d", between[i], k);
      if (log10(value) >= a->low && log10(value) <= a->high)
        tick(out, a, value, label);
    }
}

/* About six round values. */
static void linear_ticks(FILE *out, const axis *a) {
  double rough = (a->high - a->low) / 6, unit = pow(10, floor(log10(rough)));
  unit *= rough > 5 * unit ? 10 : rough > 2 * unit ? 5 : rough > unit ? 2 : 1;
  for (int k = (int)ceil(a->low / unit); k * unit <= a->high; k++) {
    char label[32];
    snprintf(label, sizeof label, "%g", k * unit);
    tick(out, a, k * unit, label);
  }
}

static void ticks(FILE *out, const axis *a) {
  if (a->log)
    log_ticks(out, a);
  else
    linear_ticks(out, a);
}

/* From a palette that colour-blind readers can tell apart, or from blue to red along a ramp. */
static void colour_of(const wy_chart *chart, int c, char colour[32]) {
  static const char *const palette[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00",
                                        "#56b4e9", "#999999", "#b8a800", "#7f5539"};
  double share = chart->count > 1 ? (double)c / (chart->count - 1) : 0;
  if (chart->ramp)
    snprintf(colour, 32, "hsl(%.0f 75%% 48%%)", 240 * (1 - share));
  else
    snprintf(colour, 32, "%s", palette[c % 9]);
}

static void draw_name(const wy_chart *chart, int c, const char *colour, FILE *out) {
  int at = LEFT, line = name_line(chart, c, &at);
  if (chart->ramp && c > 0 && c < chart->count - 1)
    return;
  fprintf(out, "<path d=\"M%d %dh22\" stroke=\"%s\" stroke-width=\"3\"/><text x=\"%d\" y=\"%d\">%s</text>\n", at,
          26 + LINE * line, colour, at + 28, 30 + LINE * line, chart->curve[c].name);
}

static void draw_curve(const wy_chart *chart, int c, const axis *x, const axis *y, FILE *out) {
  char colour[32];
  const wy_curve *curve = &chart->curve[c];
  colour_of(chart, c, colour);
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" points=\"", colour);
  for (int i = 0; i < curve->count; i++)
    if (shown(chart, curve->x[i], curve->y[i]))
      fprintf(out, "%.1f,%.1f ", pixel(x, curve->x[i]), pixel(y, curve->y[i]));
  fputs("\"/>\n", out);
  for (int i = 0; i < curve->count && chart->marks; i++)
    if (shown(chart, curve->x[i], curve->y[i]))
      fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", pixel(x, curve->x[i]),
              pixel(y, curve->y[i]), colour);
  draw_name(chart, c, colour, out);
}

void wy_chart_svg(const wy_chart *chart, FILE *out) {
  axis x = axis_of(chart, false), y = axis_of(chart, true);
  if (chart->equal)
    make_equal(&x, &y);
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
          "aria-label=\"%s\" font-size=\"13\" fill=\"currentColor\">\n"
          "<style>.grid{stroke:#8886;fill:none}</style>\n<text x=\"%d\" y=\"12\" font-weight=\"600\">%s</text>\n",
          WIDTH, HEIGHT, WIDTH, chart->title, LEFT, chart->title);
  ticks(out, &x);
  ticks(out, &y);
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10,
          chart->x);
  fprintf(out, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
          (y.top + HEIGHT - BOTTOM) / 2, chart->y);
  for (int c = 0; c < chart->count; c++)
    draw_curve(chart, c, &x, &y, out);
  fputs("</svg>\n", out);
}
