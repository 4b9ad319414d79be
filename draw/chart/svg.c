/* A chart as a picture: an SVG element that takes up the colours of the page around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/chart/chart.h"

/* Small enough that its letters can be read on a telephone; two stand side by side on a screen. */
enum { WIDTH = 560, HEIGHT = 350, LEFT = 66, RIGHT = 14, BOTTOM = 46, LINE = 17, LETTER = 7 };

/* Text between elements, or in an attribute. */
static void escape(FILE *out, const char *text, size_t length) {
  for (; length > 0 && *text; text++, length--) {
    const char *mark = *text == '&'   ? "&amp;"
                       : *text == '<' ? "&lt;"
                       : *text == '>' ? "&gt;"
                       : *text == '"' ? "&quot;"
                                      : NULL;
    if (mark)
      fputs(mark, out);
    else
      fputc(*text, out);
  }
}

/* How much of the title stands in its first line: up to the last space before the edge. */
static size_t first_line(const char *title) {
  const size_t room = 2 * (WIDTH - 8) / (2 * LETTER + 1), length = strlen(title);
  if (length <= room)
    return length;
  size_t end = room;
  while (end > 0 && title[end] != ' ')
    end--;
  return end > 0 ? end : room;
}

static int title_lines(const wy_chart *chart) {
  return chart->title[first_line(chart->title)] ? 2 : 1;
}

/* Names of curves stand in lines above the picture, each with room for its letters; of a ramp only the first and the
   last. Gives the line of a name, the first is 0, and where it begins. */
static int name_line(const wy_chart *chart, int c, int *at) {
  int line = 0, next = LEFT;
  for (int i = 0; i <= c; i++) {
    if (chart->ramp && i > 0 && i < chart->count - 1)
      continue;
    int width = 48 + (2 * LETTER + 1) * (int)strlen(chart->curve[i].name) / 2;
    if (next > LEFT && next + width > WIDTH + 16) /* the last name needs no gap behind it */
      line++, next = LEFT;
    *at = next;
    next += width;
  }
  return line;
}

/* Where the line of a curve's name is, and the upper edge of the picture proper. */
static int name_height(const wy_chart *chart, int line) {
  return 12 + LINE * (title_lines(chart) + line);
}

static int top_of(const wy_chart *chart) {
  int at;
  return name_height(chart, chart->count > 0 ? name_line(chart, chart->count - 1, &at) : 0) + 14;
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
            at, a->top, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 17, label);
}

/* Powers of ten, with 2 and 5 times them where there are few. */
static void log_ticks(FILE *out, const axis *a) {
  static const int between[] = {1, 2, 5};
  const int every = (int)ceil((a->high - a->low) / 8), fine = a->high - a->low < 2.5 ? 3 : 1;
  for (int k = (int)floor(a->low / every) * every; k <= a->high; k += every)
    for (int i = 0; i < fine; i++) {
      char label[32];
      double value = between[i] * pow(10, k);
      if (k >= 0 && k < 4)
        snprintf(label, sizeof label, "%.0f", value);
      else
        snprintf(label, sizeof label, "%de%d", between[i], k);
      if (log10(value) >= a->low && log10(value) <= a->high)
        tick(out, a, value, label);
    }
}

/* About six round values. */
static void linear_ticks(FILE *out, const axis *a) {
  double rough = (a->high - a->low) / 6, unit = pow(10, floor(log10(rough)));
  unit *= rough > 5 * unit ? 10 : rough > 2 * unit ? 5 : rough > unit ? 2 : 1;
  const int power = (int)floor(log10(unit) + 1e-9);
  for (int k = (int)ceil(a->low / unit); k * unit <= a->high; k++) {
    char label[32];
    if (unit < 1e-3) /* zeros behind the point would need more room than there is */
      snprintf(label, sizeof label, k == 0 ? "0" : "%lde%d", lround(k * unit / pow(10, power)), power);
    else
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

/* From a palette that colour-blind readers can tell apart; along a ramp viridis without its ends, which are hard to see
   on dark and on white paper. */
static const char *colour_of(const wy_chart *chart, int c) {
  static const char *const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                        "#56b4e9", "#999999", "#b8a800", "#7f5539"};
  static const char *const viridis[] = {"#5b3a8c", "#4b5aa0", "#355f8d", "#2a788e", "#21918c",
                                        "#22a884", "#44bf70", "#7ad151", "#a8c928"};
  enum { PALETTE = sizeof palette / sizeof *palette, STOPS = sizeof viridis / sizeof *viridis };
  double share = chart->count > 1 ? (double)c / (chart->count - 1) : 0;
  return chart->ramp ? viridis[(int)lround(share * (STOPS - 1))] : palette[c % PALETTE];
}

static void draw_name(const wy_chart *chart, int c, FILE *out) {
  const char *dash = chart->curve[c].dashed ? " stroke-dasharray=\"7 7\"" : "";
  int at = LEFT, y = name_height(chart, name_line(chart, c, &at));
  if (chart->ramp && c > 0 && c < chart->count - 1)
    return;
  fprintf(out, "<path d=\"M%d %dh20\" stroke=\"%s\" stroke-width=\"3\"%s/><text x=\"%d\" y=\"%d\">", at, y - 4,
          colour_of(chart, c), dash, at + 26, y);
  escape(out, chart->curve[c].name, sizeof chart->curve[c].name);
  fputs("</text>\n", out);
}

static void draw_curve(const wy_chart *chart, int c, const axis *x, const axis *y, FILE *out) {
  const wy_line *curve = &chart->curve[c];
  const char *colour = colour_of(chart, c);
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s points=\"", colour,
          curve->dashed ? " stroke-dasharray=\"7 7\"" : "");
  for (int i = 0; i < curve->count; i++)
    if (shown(chart, curve->x[i], curve->y[i]))
      fprintf(out, "%.1f,%.1f ", pixel(x, curve->x[i]), pixel(y, curve->y[i]));
  fputs("\"/>\n", out);
  for (int i = 0; i < curve->count && chart->marks; i++)
    if (shown(chart, curve->x[i], curve->y[i]))
      fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\"/>\n", pixel(x, curve->x[i]),
              pixel(y, curve->y[i]), colour);
  draw_name(chart, c, out);
}

/* A line of that slope that passes at half the value of the last point of its curve. */
static void draw_guide(const wy_chart *chart, int which, const axis *x, const axis *y, FILE *out) {
  const int slope = chart->guide[which].slope;
  const wy_line *curve = &chart->curve[chart->guide[which].curve];
  if (slope == 0 || curve->count == 0)
    return;
  const int last = curve->count - 1;
  const double x0 = log10(curve->x[last]), y0 = log10(curve->y[last]) - 0.3;
  /* where it enters and leaves the picture */
  const double bottom = x0 + (y->low - y0) / slope, top = x0 + (y->high - y0) / slope;
  const double from = fmax(x->low, fmin(bottom, top)), to = fmin(x->high, fmax(bottom, top));
  if (!(from < to))
    return;
  const double x1 = pixel(x, pow(10, from)), x2 = pixel(x, pow(10, to));
  const double y1 = pixel(y, pow(10, y0 + slope * (from - x0))), y2 = pixel(y, pow(10, y0 + slope * (to - x0)));
  const double share = which == 0 ? 0.6 : 0.25, at = x1 + share * (x2 - x1), height = y1 + share * (y2 - y1);
  fprintf(out,
          "<path d=\"M%.1f %.1fL%.1f %.1f\" class=\"guide\"/><text x=\"%.1f\" y=\"%.1f\" opacity=\".7\" "
          "text-anchor=\"%s\">order %d</text>\n",
          x1, y1, x2, y2, at + (slope > 0 ? 8 : -8), height + 16, slope > 0 ? "start" : "end", abs(slope));
}

static void draw_title(const wy_chart *chart, FILE *out) {
  const size_t length = first_line(chart->title);
  const char *rest = chart->title + length;
  fputs("<text x=\"4\" y=\"12\" font-weight=\"600\">", out);
  escape(out, chart->title, length);
  fputs("</text>\n", out);
  if (!*rest)
    return;
  fprintf(out, "<text x=\"4\" y=\"%d\" font-weight=\"600\">", 12 + LINE);
  escape(out, rest + (*rest == ' '), strlen(rest));
  fputs("</text>\n", out);
}

void wy_chart_svg(const wy_chart *chart, FILE *out) {
  axis x = axis_of(chart, false), y = axis_of(chart, true);
  if (chart->equal)
    make_equal(&x, &y);
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"",
          WIDTH, HEIGHT, WIDTH);
  escape(out, chart->title, sizeof chart->title);
  fputs("\" font-size=\"13\" fill=\"currentColor\">\n<style>.grid{stroke:#8885;fill:none}"
        ".guide{stroke:currentColor;opacity:.5;stroke-dasharray:2 3;fill:none}</style>\n",
        out);
  draw_title(chart, out);
  ticks(out, &x);
  ticks(out, &y);
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
  escape(out, chart->x, sizeof chart->x);
  fprintf(out, "</text>\n<text transform=\"translate(13 %d) rotate(-90)\" text-anchor=\"middle\">",
          (y.top + HEIGHT - BOTTOM) / 2);
  escape(out, chart->y, sizeof chart->y);
  fputs("</text>\n", out);
  for (int i = 0; i < 2 && chart->log_x && chart->log_y; i++)
    draw_guide(chart, i, &x, &y, out);
  for (int c = 0; c < chart->count; c++)
    draw_curve(chart, c, &x, &y, out);
  fputs("</svg>\n", out);
}
