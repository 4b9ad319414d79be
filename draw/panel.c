/* SPDX-License-Identifier: MIT */
#include "draw/panel.h"

#include <math.h>

enum { MAX_POINTS = 1000 /* of a curve, in pairs of smallest and largest value */ };

const char wy_ink[] = "#222222", wy_faint[] = "#e4e4e4", wy_soft[] = "#8a8a8a";
const char *const wy_component_colours[4] = {"#0072b2", "#d55e00", "#009e73", "#8a8a8a"};
static const unsigned char rod_colours[][3] = {{0, 114, 178},   {213, 94, 0},  {0, 158, 115},
                                               {204, 121, 167}, {230, 159, 0}, {86, 180, 233}};
enum { ROD_COLOURS = sizeof rod_colours / sizeof *rod_colours };

static void shade(const unsigned char colour[3], double fraction, char text[8]) {
  int mixed[3];
  for (int c = 0; c < 3; c++) {
    double light = 255 - 0.32 * (255 - colour[c]), dark = 0.42 * colour[c];
    double low = fraction < 0.6 ? light : colour[c], high = fraction < 0.6 ? colour[c] : dark;
    mixed[c] = (int)lround(low + (high - low) * (fraction < 0.6 ? fraction / 0.6 : (fraction - 0.6) / 0.4));
  }
  snprintf(text, 8, "#%02x%02x%02x", (unsigned)mixed[0] & 255, (unsigned)mixed[1] & 255, (unsigned)mixed[2] & 255);
}

void wy_rod_shade(int rod, double fraction, char text[8]) {
  shade(rod_colours[rod % ROD_COLOURS], fraction, text);
}

void wy_grey_shade(double fraction, char text[8]) {
  static const unsigned char grey[3] = {128, 128, 128};
  shade(grey, fraction, text);
}

/* ---- Ranges ---- */

wy_range wy_range_empty(void) {
  return (wy_range){INFINITY, -INFINITY};
}

wy_range wy_range_widen(wy_range r, const double *values, int count, int stride) {
  for (int i = 0; i < count; i++) {
    double value = values[(size_t)i * (size_t)stride];
    if (isfinite(value)) {
      r.low = fmin(r.low, value);
      r.high = fmax(r.high, value);
    }
  }
  return r;
}

wy_range wy_range_centred(wy_range r, double span) {
  double middle = 0.5 * (r.low + r.high);
  return (wy_range){middle - 0.5 * span, middle + 0.5 * span};
}

wy_range wy_range_axis(wy_range r, double smallest) {
  if (!(r.low <= r.high))
    return (wy_range){-1, 1};
  double size = fmax(fabs(r.low), fabs(r.high)), span = r.high - r.low;
  if (span <= 1e-9 * size || span < smallest) {
    double pad = size > smallest ? 0.2 * size : smallest > 0 ? smallest : 1;
    return (wy_range){r.low - pad, r.high + pad};
  }
  return (wy_range){r.low - 0.06 * span, r.high + 0.06 * span};
}

double wy_tic_step(wy_range r, double pixels, double least) {
  double span = r.high - r.low, rough = fmin(span * least / pixels, span / 2.2);
  double power = pow(10, floor(log10(rough))), digit = rough / power;
  double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  return span / step >= 2.2 ? step : power * (digit <= 2 ? 1 : digit <= 5 ? 2 : 5);
}

/* ---- Data ---- */

void wy_panel_quote(FILE *out, const char *text) {
  fputc('\'', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '\'')
      fputc('\'', out);
    fputc(*c < 32 ? ' ' : *c, out);
  }
  fputc('\'', out);
}

/* What is infinite leaves a gap. */
static void add_point(FILE *out, double x, double y) {
  if (isfinite(y))
    fprintf(out, "%.9g %.9g\n", x, y);
  else
    fprintf(out, "%.9g NaN\n", x);
}

void wy_panel_curve_data(FILE *out, const char *block, int index, const double *x, const double *y, int count) {
  fprintf(out, "$%s%d << EOD\n", block, index);
  int buckets = count <= 2 * MAX_POINTS ? 0 : MAX_POINTS;
  for (int i = 0; i < count && !buckets; i++)
    add_point(out, x[i], y[i]);
  for (int b = 0; b < buckets; b++) {
    int first = (int)((long long)b * count / buckets), end = (int)((long long)(b + 1) * count / buckets);
    int low = first, high = first;
    for (int i = first; i < end; i++) {
      low = y[i] < y[low] ? i : low;
      high = y[i] > y[high] ? i : high;
    }
    int one = low < high ? low : high, two = low < high ? high : low;
    add_point(out, x[one], y[one]);
    if (two != one)
      add_point(out, x[two], y[two]);
  }
  fputs("EOD\n", out);
}

/* ---- Panels ---- */

wy_panel wy_panel_next(const wy_page *page, double head, double height) {
  return (wy_panel){WY_PAGE_LEFT, page->y + head, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT, height};
}

double wy_page_across(double x) {
  return x / WY_PAGE_WIDTH;
}

double wy_page_up(const wy_page *page, double y) {
  return 1 - y / page->height;
}

void wy_panel_place(const wy_page *page, wy_panel panel) {
  fprintf(page->out, "  set lmargin at screen %.5f; set rmargin at screen %.5f\n", wy_page_across(panel.x),
          wy_page_across(panel.x + panel.width));
  fprintf(page->out, "  set tmargin at screen %.5f; set bmargin at screen %.5f\n", wy_page_up(page, panel.y),
          wy_page_up(page, panel.y + panel.height));
}

void wy_panel_head(const wy_page *page, wy_panel panel, const char *text) {
  double y = wy_page_up(page, panel.y - 15);
  fprintf(page->out, "  set label 1 ");
  wy_panel_quote(page->out, text);
  fprintf(page->out, " at screen %.5f, screen %.5f left font ',14' tc rgb '%s'\n", wy_page_across(panel.x), y, wy_ink);
  fprintf(page->out, "  set key at screen %.5f, screen %.5f right center horizontal maxrows 1\n",
          wy_page_across(panel.x + panel.width), y);
}

/* gnuplot makes columns as wide as the longest entry, by its own measure of letters. */
double wy_legend_height(double width, int entries, size_t longest) {
  int columns = (int)fmax(1, floor(width / (7.5 * (double)longest + 57)));
  int rows = (entries + columns - 1) / columns;
  return 18.0 * rows;
}

void wy_legend_place(const wy_page *page, wy_panel panel, double height) {
  fprintf(page->out, "  set key at screen %.5f, screen %.5f right center horizontal maxrows %d\n",
          wy_page_across(panel.x + panel.width), wy_page_up(page, panel.y - 6 - 0.5 * height), (int)(height / 18));
}

void wy_panel_x_axis(const wy_page *page, wy_panel panel, wy_range r, const char *label) {
  fprintf(page->out, "  set xrange [%.9g:%.9g]; set xtics %.9g\n", r.low, r.high, wy_tic_step(r, panel.width, 70));
  fprintf(page->out, "  set format x '%s'; set xlabel '%s' tc rgb '%s'\n", label ? "%g" : "", label ? label : "",
          wy_ink);
}

void wy_panel_time_axis(const wy_page *page, wy_panel panel, const double *t, int count, const char *label) {
  wy_range r = wy_range_widen(wy_range_empty(), t, count, 1);
  if (!(r.high > r.low))
    r.high = r.low + 1;
  wy_panel_x_axis(page, panel, r, label);
}

void wy_panel_y_axis(const wy_page *page, wy_panel panel, wy_range r, double step, const char *label, double distance) {
  fprintf(page->out, "  set yrange [%.9g:%.9g]; set ytics %.9g\n  set label 3 ", r.low, r.high, step);
  wy_panel_quote(page->out, label);
  fprintf(page->out, " at screen %.5f, screen %.5f center rotate tc rgb '%s'\n", wy_page_across(panel.x - distance),
          wy_page_up(page, panel.y + 0.5 * panel.height), wy_ink);
}

void wy_panel_value_axis(const wy_page *page, wy_panel panel, wy_range r, const char *label) {
  const double step = wy_tic_step(r, panel.height, 30), size = fmax(fabs(r.low), fabs(r.high));
  /* Values need the digits that tell neighbouring tics apart, and exponents where they are small. */
  fprintf(page->out, "  set format y '%%.%dg'\n", (int)fmin(15, fmax(6, ceil(log10(size / step)) + 1)));
  wy_panel_y_axis(page, panel, r, step, label, 72);
}

void wy_panel_curve(const wy_page *page, bool *first, const wy_curve *curve) {
  fprintf(page->out, "%s$%s%d using 1:2 with %s lc rgb '%s'", *first ? "  plot " : ", \\\n       ", curve->block,
          curve->index, curve->count > 1 ? "lines" : "points pt 7 ps 0.8", curve->colour);
  if (curve->count > 1)
    fprintf(page->out, " lw %g dt %d", curve->width, curve->dash);
  if (curve->title) {
    fputs(" title ", page->out);
    wy_panel_quote(page->out, curve->title);
  } else {
    fputs(" notitle", page->out);
  }
  *first = false;
}

void wy_panel_end(const wy_page *page) {
  fputs("\n  unset label 2\n", page->out);
}

void wy_axes_style(FILE *out) {
  fprintf(out, "  set border 3 lc rgb '%s'; set tics nomirror out scale 0.5 tc rgb '%s'\n", wy_soft, wy_ink);
  fputs("  set xtics nomirror; set ytics nomirror\n", out); /* after `unset tics` they would be on both sides */
  fprintf(out, "  set grid lc rgb '%s' lt 1 lw 1; set xlabel tc rgb '%s' offset 0, 0.3\n", wy_faint, wy_ink);
}
