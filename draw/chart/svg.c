/* SPDX-License-Identifier: MIT */
/* A chart as a picture: an SVG element that takes up the colours of the page around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/chart/chart.h"
#include "draw/chart/frame.h"
#include "draw/escape.h"

enum { WIDTH = WY_SVG_WIDTH, HEIGHT = WY_SVG_HEIGHT, LEFT = WY_SVG_LEFT, RIGHT = WY_SVG_RIGHT };
enum { BOTTOM = WY_SVG_BOTTOM, LINE = WY_SVG_LINE, LETTER = WY_SVG_LETTER };

/* ---- Names of curves ---- */

/* Names of curves stand in lines above the picture, each with room for its letters; of a ramp only the first and the
   last. Gives the line of a name, the first is 0, and where it begins. */
static bool is_named(const wy_chart *chart, int c) {
  const bool between = chart->ramp && c > 0 && c + 1 < chart->count && chart->curve[c + 1].style == WY_LINE_JOINED;
  return chart->curve[c].name[0] && !between;
}

static int name_line(const wy_chart *chart, int c, int *at) {
  int line = 0, next = LEFT;
  for (int i = 0; i <= c; i++) {
    if (!is_named(chart, i))
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
  return 12 + LINE * (wy_svg_title_lines(chart->title, WIDTH) + line);
}

static int top_of(const wy_chart *chart) {
  int at;
  return name_height(chart, chart->count > 0 ? name_line(chart, chart->count - 1, &at) : 0) + 14;
}

/* The lower edge. A picture with very many names is higher than others. */
static int bottom_of(const wy_chart *chart) {
  enum { LEAST = 160 };
  const int usual = HEIGHT - BOTTOM, top = top_of(chart);
  return usual - top < LEAST ? top + LEAST : usual;
}

/* The right edge: notes stand behind it. */
static int right_of(const wy_chart *chart) {
  size_t longest = 0;
  for (int c = 0; c < chart->count; c++)
    longest = strlen(chart->curve[c].note) > longest ? strlen(chart->curve[c].note) : longest;
  return WIDTH - RIGHT - (longest > 0 ? 10 + LETTER * (int)longest : 0);
}

/* ---- Axes ---- */

/* Values beyond this have no place on an axis: differences of them would not be finite. */
static const double largest_shown = 1e300;

static bool shown(const wy_chart *chart, double x, double y) {
  return fabs(x) < largest_shown && fabs(y) < largest_shown && (!chart->log_x || x > 0) && (!chart->log_y || y > 0);
}

/* The y that a point has on its axis: that of a cross plays no part. */
static bool has_place(const wy_chart *chart, const wy_line *curve, int i) {
  const double none = chart->log_y ? 1 : 0;
  return shown(chart, curve->x[i], curve->style == WY_LINE_CROSSES ? none : curve->y[i]);
}

static bool has_bars(const wy_chart *chart) {
  return chart->count > 0 && chart->curve[0].style == WY_LINE_BARS;
}

static double bar_width(const wy_line *curve) {
  return curve->count > 1 ? curve->x[1] - curve->x[0] : 1;
}

static void include_points(const wy_chart *chart, wy_axis *a) {
  for (int c = 0; c < chart->count; c++)
    for (int i = 0; i < chart->curve[c].count; i++) {
      const wy_line *curve = &chart->curve[c];
      double v = a->vertical ? curve->y[i] : curve->x[i];
      if (!has_place(chart, curve, i) || (a->vertical && curve->style == WY_LINE_CROSSES))
        continue;
      v = a->log ? log10(v) : v;
      a->low = fmin(a->low, v), a->high = fmax(a->high, v);
    }
}

static wy_axis axis_of(const wy_chart *chart, bool vertical) {
  wy_axis a = {.log = vertical ? chart->log_y : chart->log_x,
               .vertical = vertical,
               .low = INFINITY,
               .high = -INFINITY,
               .from = vertical ? bottom_of(chart) : LEFT,
               .to = vertical ? top_of(chart) : right_of(chart),
               .across = {vertical ? LEFT : top_of(chart), vertical ? right_of(chart) : bottom_of(chart)},
               .names = vertical ? NULL : chart->names,
               .name_count = chart->name_count,
               .ticks = vertical ? NULL : chart->ticks,
               .tick_count = chart->tick_count};
  if (a.names) {
    a.low = -0.5, a.high = chart->name_count - 0.5;
    return a;
  }
  include_points(chart, &a);
  if (!(a.low <= a.high))
    a.low = 0, a.high = 1;
  if (has_bars(chart) && !vertical)
    a.low -= 0.5 * bar_width(&chart->curve[0]), a.high += 0.5 * bar_width(&chart->curve[0]);
  wy_axis_widen(&a, a.log ? 0.05 : vertical ? 0.05 * (a.high - a.low) : 0);
  if (has_bars(chart) && vertical)
    a.low = 0;
  return a;
}

/* Widens the axis whose unit is longer in pixels, about its middle, until both are the same. */
static void make_equal(wy_axis *x, wy_axis *y) {
  double unit_x = fabs(x->to - x->from) / (x->high - x->low), unit_y = fabs(y->to - y->from) / (y->high - y->low);
  wy_axis *wide = unit_x > unit_y ? x : y;
  double middle = 0.5 * (wide->low + wide->high), half = 0.5 * fabs(wide->to - wide->from) / fmin(unit_x, unit_y);
  wide->low = middle - half, wide->high = middle + half;
}

/* ---- Curves ---- */

static void colour_of(const wy_chart *chart, int c, char colour[8]) {
  const wy_line_style style = chart->curve[c].style;
  int joined = 0;
  for (int i = 0; i < chart->count; i++)
    joined += chart->curve[i].style == WY_LINE_JOINED;
  const double share = joined > 1 ? (double)c / (joined - 1) : 0;
  if (style == WY_LINE_RINGS || style == WY_LINE_CROSSES)
    snprintf(colour, 8, "%s", wy_svg_bad);
  else if (chart->ramp) /* in nine steps, which neighbours can be told apart by */
    wy_svg_shade(round(8 * share) / 8, colour);
  else
    snprintf(colour, 8, "%s", wy_svg_colour(c));
}

static void draw_symbol(wy_line_style style, double x, double y, const char *colour, FILE *out) {
  if (style == WY_LINE_CROSSES)
    fprintf(out, "<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"", x - 4, y - 4,
            colour);
  else if (style == WY_LINE_RINGS)
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"", x, y,
            colour);
  else
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"", x, y, style == WY_LINE_MARKS ? "2.6" : "3.2",
            colour);
}

static void draw_name(const wy_chart *chart, int c, const char *colour, FILE *out) {
  const wy_line *curve = &chart->curve[c];
  int at = LEFT, y = name_height(chart, name_line(chart, c, &at));
  if (!is_named(chart, c))
    return;
  if (curve->style == WY_LINE_JOINED || curve->style == WY_LINE_BARS) {
    fprintf(out, "<path d=\"M%d %dh20\" stroke=\"%s\" stroke-width=\"3\"%s/>", at, y - 4, colour,
            curve->dashed ? " stroke-dasharray=\"7 7\"" : "");
  } else {
    draw_symbol(curve->style, at + 10, y - 4, colour, out);
    fputs("/>", out);
  }
  fprintf(out, "<text x=\"%d\" y=\"%d\">", at + 26, y);
  wy_escape(out, curve->name, sizeof curve->name);
  fputs("</text>\n", out);
}

/* What hovering shows: the row, and the values with the names of the axes. */
static void end_mark(const wy_chart *chart, const wy_line *curve, int i, FILE *out) {
  if (curve->row[i] == 0) {
    fputs("/>\n", out);
    return;
  }
  fprintf(out, "><title>point %d: ", curve->row[i] - 1);
  wy_escape(out, chart->x, sizeof chart->x);
  if (chart->names && curve->x[i] >= 0 && curve->x[i] < chart->name_count) {
    fputs(" = ", out);
    wy_escape(out, chart->names[(int)curve->x[i]], 60);
  } else {
    fprintf(out, " = %.6g", curve->x[i]);
  }
  if (curve->style != WY_LINE_CROSSES) {
    fputs(", ", out);
    wy_escape(out, chart->y, sizeof chart->y);
    fprintf(out, " = %.6g", curve->y[i]);
  }
  fputs(curve->style == WY_LINE_CROSSES ? ": failed</title>" : "</title>", out);
  fputs(curve->style == WY_LINE_CROSSES ? "</path>\n" : "</circle>\n", out);
}

static void draw_marks(const wy_chart *chart, const wy_line *curve, const char *colour, const wy_axis *x,
                       const wy_axis *y, FILE *out) {
  for (int i = 0; i < curve->count; i++) {
    if (!has_place(chart, curve, i))
      continue;
    const double height = curve->style == WY_LINE_CROSSES ? y->from - 5 : wy_axis_pixel(y, curve->y[i]);
    draw_symbol(curve->style, wy_axis_pixel(x, curve->x[i]), height, colour, out);
    end_mark(chart, curve, i, out);
  }
}

static void draw_bars(const wy_line *curve, const char *colour, const wy_axis *x, const wy_axis *y, FILE *out) {
  const double half = 0.5 * bar_width(curve);
  for (int i = 0; i < curve->count; i++) {
    const double left = wy_axis_pixel(x, curve->x[i] - half), right = wy_axis_pixel(x, curve->x[i] + half);
    const double top = wy_axis_pixel(y, curve->y[i]);
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>%.6g to %.6g: %.0f points"
            "</title></rect>\n",
            left, top, fmax(right - left - 1, 0.5), wy_axis_pixel(y, 0) - top, colour, curve->x[i] - half,
            curve->x[i] + half, curve->y[i]);
  }
}

static void draw_joined(const wy_chart *chart, const wy_line *curve, const char *colour, const wy_axis *x,
                        const wy_axis *y, FILE *out) {
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s points=\"", colour,
          curve->dashed ? " stroke-dasharray=\"7 7\"" : "");
  for (int i = 0; i < curve->count; i++)
    if (has_place(chart, curve, i))
      fprintf(out, "%.1f,%.1f ", wy_axis_pixel(x, curve->x[i]), wy_axis_pixel(y, curve->y[i]));
  fputs("\"/>\n", out);
}

static void draw_curve(const wy_chart *chart, int c, const wy_axis *x, const wy_axis *y, FILE *out) {
  const wy_line *curve = &chart->curve[c];
  char colour[8];
  colour_of(chart, c, colour);
  if (curve->style == WY_LINE_JOINED)
    draw_joined(chart, curve, colour, x, y, out);
  if (curve->style == WY_LINE_BARS)
    draw_bars(curve, colour, x, y, out);
  else if (curve->style != WY_LINE_JOINED || chart->marks)
    draw_marks(chart, curve, colour, x, y, out);
  draw_name(chart, c, colour, out);
}

/* The curves that have a note, from the highest last point to the lowest. */
typedef struct note {
  int curve;
  double y;
} note;

static int find_notes(const wy_chart *chart, const wy_axis *y, note notes[WY_MAX_CURVES]) {
  int count = 0;
  for (int c = 0; c < chart->count; c++) {
    const wy_line *curve = &chart->curve[c];
    int last = curve->count - 1;
    while (last >= 0 && !has_place(chart, curve, last))
      last--;
    if (last < 0 || !curve->note[0])
      continue;
    const note new = {c, wy_axis_pixel(y, curve->y[last])};
    int at = count++;
    for (; at > 0 && notes[at - 1].y > new.y; at--)
      notes[at] = notes[at - 1];
    notes[at] = new;
  }
  return count;
}

/* Notes stand at the right of the picture, as high as the last point of their curves, but not above each other. */
static void draw_notes(const wy_chart *chart, const wy_axis *y, FILE *out) {
  enum { APART = 14 };
  note notes[WY_MAX_CURVES];
  const int count = find_notes(chart, y, notes);
  for (int i = 1; i < count; i++)
    notes[i].y = fmax(notes[i].y, notes[i - 1].y + APART);
  for (int i = count - 1; i >= 0; i--) /* back into the picture */
    notes[i].y = fmin(notes[i].y, i == count - 1 ? y->from : notes[i + 1].y - APART);
  for (int i = 0; i < count; i++) {
    char colour[8];
    colour_of(chart, notes[i].curve, colour);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" dy=\".35em\" fill=\"%s\" font-weight=\"600\">", right_of(chart) + 8,
            notes[i].y, colour);
    wy_escape(out, chart->curve[notes[i].curve].note, sizeof chart->curve[0].note);
    fputs("</text>\n", out);
  }
}

/* A line of that slope that passes at half the value of the last point of its curve. */
static void draw_guide(const wy_chart *chart, int which, const wy_axis *x, const wy_axis *y, FILE *out) {
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
  const double x1 = wy_axis_pixel(x, pow(10, from)), x2 = wy_axis_pixel(x, pow(10, to));
  const double y1 = wy_axis_pixel(y, pow(10, y0 + slope * (from - x0)));
  const double y2 = wy_axis_pixel(y, pow(10, y0 + slope * (to - x0)));
  const double share = which == 0 ? 0.6 : 0.25, at = x1 + share * (x2 - x1), height = y1 + share * (y2 - y1);
  fprintf(out,
          "<path d=\"M%.1f %.1fL%.1f %.1f\" class=\"guide\"/><text x=\"%.1f\" y=\"%.1f\" opacity=\".7\" "
          "text-anchor=\"%s\">order %d</text>\n",
          x1, y1, x2, y2, at + (slope > 0 ? 8 : -8), height + 16, slope > 0 ? "start" : "end", abs(slope));
}

void wy_chart_svg(const wy_chart *chart, FILE *out) {
  wy_axis x = axis_of(chart, false), y = axis_of(chart, true);
  if (chart->equal)
    make_equal(&x, &y);
  wy_svg_begin(out, chart->title, WIDTH, bottom_of(chart) + BOTTOM);
  wy_axis_ticks(out, &x);
  wy_axis_ticks(out, &y);
  wy_svg_labels(out, chart->x, chart->y, right_of(chart), top_of(chart), bottom_of(chart));
  for (int i = 0; i < 2 && chart->log_x && chart->log_y; i++)
    draw_guide(chart, i, &x, &y, out);
  for (int c = 0; c < chart->count; c++)
    draw_curve(chart, c, &x, &y, out);
  draw_notes(chart, &y, out);
  wy_svg_end(out);
}
