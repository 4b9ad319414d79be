/* SPDX-License-Identifier: MIT */
#include "draw/chart/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/escape.h"

enum { LEFT = WY_SVG_LEFT, BOTTOM = WY_SVG_BOTTOM, LINE = WY_SVG_LINE, LETTER = WY_SVG_LETTER };

const char wy_svg_bad[] = "#d1435b";

/* ---- Title and labels ---- */

/* How much of the title stands in its first line: up to the last space before the edge. */
static size_t first_line(const char *title, int width) {
  const size_t room = 2 * ((size_t)width - 8) / (2 * LETTER + 1), length = strlen(title);
  if (length <= room)
    return length;
  size_t end = room;
  while (end > 0 && title[end] != ' ')
    end--;
  return end > 0 ? end : room;
}

int wy_svg_title_lines(const char *title, int width) {
  return title[first_line(title, width)] ? 2 : 1;
}

static void draw_title(FILE *out, const char *title, int width) {
  const size_t length = first_line(title, width);
  const char *rest = title + length;
  fputs("<text x=\"4\" y=\"12\" font-weight=\"600\">", out);
  wy_escape(out, title, length);
  fputs("</text>\n", out);
  if (!*rest)
    return;
  fprintf(out, "<text x=\"4\" y=\"%d\" font-weight=\"600\">", 12 + LINE);
  wy_escape(out, rest + (*rest == ' '), strlen(rest));
  fputs("</text>\n", out);
}

void wy_svg_begin(FILE *out, const char *title, int width, int height) {
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"",
          width, height, width);
  wy_escape(out, title, strlen(title));
  fputs("\" font-size=\"13\" fill=\"currentColor\">\n<style>.grid{stroke:#8885;fill:none}"
        ".guide{stroke:currentColor;opacity:.5;stroke-dasharray:2 3;fill:none}</style>\n",
        out);
  draw_title(out, title, width);
}

void wy_svg_end(FILE *out) {
  fputs("</svg>\n", out);
}

void wy_svg_labels(FILE *out, const char *x, const char *y, int right, int top, int bottom) {
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + right) / 2, bottom + BOTTOM - 8);
  wy_escape(out, x, strlen(x));
  fprintf(out, "</text>\n<text transform=\"translate(13 %d) rotate(-90)\" text-anchor=\"middle\">", (top + bottom) / 2);
  wy_escape(out, y, strlen(y));
  fputs("</text>\n", out);
}

/* ---- Axes ---- */

double wy_axis_pixel(const wy_axis *a, double value) {
  double v = a->log ? log10(value) : value;
  return a->from + (v - a->low) / (a->high - a->low) * (a->to - a->from);
}

void wy_axis_widen(wy_axis *a, double room) {
  const double size = fmax(fabs(a->low), fabs(a->high));
  if (!(a->high - a->low > 1e-12 * size)) /* one value, but for round-off */
    room = fmax(0.5, 1e-3 * size);
  a->low -= room, a->high += room;
}

static void begin_tick(FILE *out, const wy_axis *a, double value) {
  double at = wy_axis_pixel(a, value);
  if (a->vertical)
    fprintf(out,
            "<path d=\"M%.0f %.1fH%.0f\" class=\"grid\"/><text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\" dy=\".35em\"",
            a->across[0], at, a->across[1], a->across[0] - 8, at);
  else
    fprintf(out, "<path d=\"M%.1f %.0fV%.0f\" class=\"grid\"/><text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\"", at,
            a->across[0], a->across[1], at, a->across[1] + 17);
}

static void tick(FILE *out, const wy_axis *a, double value, const char *label) {
  begin_tick(out, a, value);
  const bool wide = a->vertical && strlen(label) > 7;
  fprintf(out, "%s>%s</text>\n", wide ? " font-size=\"9\"" : "", label);
}

/* Powers of ten, with 2 and 5 times them where there are few. */
static void log_ticks(FILE *out, const wy_axis *a) {
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

void wy_axis_label(char label[32], double value, double step) {
  const double digits = value != 0 ? ceil(log10(fabs(value) / step)) + 1 : 1;
  snprintf(label, 32, "%.*g", (int)fmin(fmax(digits, 6), 15), value);
}

void wy_axis_short(char label[32], double value, int digits) {
  snprintf(label, 32, "%.*g", digits, value);
  char *e = strchr(label, 'e'), *from = e ? e + 1 : NULL;
  if (!e)
    return;
  char *to = e + 1 + (*from == '-');
  from += strspn(from, "+-0");
  memmove(to, from, strlen(from) + 1);
}

/* About six round values. */
static void linear_ticks(FILE *out, const wy_axis *a) {
  double rough = (a->high - a->low) / 6, unit = pow(10, floor(log10(rough)));
  unit *= rough > 5 * unit ? 10 : rough > 2 * unit ? 5 : rough > unit ? 2 : 1;
  const int power = (int)floor(log10(unit) + 1e-9);
  for (double k = ceil(a->low / unit) + 0.0; k * unit <= a->high; k++) {
    char label[32];
    const double many = round(k * unit / pow(10, power));
    if (unit < 1e-3 && fabs(many) < 1e5) /* zeros behind the point would need more room than there is */
      snprintf(label, sizeof label, k == 0 ? "0" : "%.0fe%d", many, power);
    else
      wy_axis_label(label, k * unit, unit);
    tick(out, a, k * unit, label);
  }
}

void wy_axis_name(FILE *out, const char *name, double pixels) {
  const size_t room = (size_t)fmax(3, pixels / WY_SVG_LETTER), length = strlen(name);
  wy_escape(out, name, length <= room ? length : room - 2);
  if (length > room)
    fputs("..", out);
}

static void name_ticks(FILE *out, const wy_axis *a) {
  const double apart = fabs(a->to - a->from) / a->name_count, least = a->vertical ? LINE : 4 * LETTER;
  const int every = (int)ceil(least / apart);
  for (int i = 0; i < a->name_count; i += every) {
    begin_tick(out, a, i);
    fputc('>', out);
    wy_axis_name(out, a->names[i], a->vertical ? LEFT - 8 : apart * every - LETTER);
    fputs("</text>\n", out);
  }
}

/* Those on the axis; a label that would meet the one before is left out. */
static void own_ticks(FILE *out, const wy_axis *a) {
  double free_from = -INFINITY;
  for (int i = 0; i < a->tick_count; i++) {
    const double place = a->log ? log10(a->ticks[i]) : a->ticks[i], at = wy_axis_pixel(a, a->ticks[i]);
    char label[32];
    if (!(place >= a->low && place <= a->high))
      continue;
    wy_axis_short(label, a->ticks[i], 4);
    const double half = 0.5 * LETTER * (double)strlen(label) + 2;
    const bool room = at - half >= free_from;
    tick(out, a, a->ticks[i], room ? label : "");
    free_from = room ? at + half : free_from;
  }
}

void wy_axis_ticks(FILE *out, const wy_axis *a) {
  if (a->names)
    name_ticks(out, a);
  else if (a->ticks)
    own_ticks(out, a);
  else if (a->log)
    log_ticks(out, a);
  else
    linear_ticks(out, a);
}

/* ---- Colours ---- */

const char *wy_svg_colour(int index) {
  static const char *const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                        "#56b4e9", "#999999", "#b8a800", "#7f5539"};
  return palette[index % (int)(sizeof palette / sizeof *palette)];
}

void wy_svg_shade(double share, char colour[8]) {
  static const unsigned char stops[][3] = {{0x5b, 0x3a, 0x8c}, {0x4b, 0x5a, 0xa0}, {0x35, 0x5f, 0x8d},
                                           {0x2a, 0x78, 0x8e}, {0x21, 0x91, 0x8c}, {0x22, 0xa8, 0x84},
                                           {0x44, 0xbf, 0x70}, {0x7a, 0xd1, 0x51}, {0xa8, 0xc9, 0x28}};
  enum { LAST = sizeof stops / sizeof *stops - 1 };
  const double at = fmin(fmax(share, 0), 1) * LAST;
  const int first = at < LAST ? (int)at : LAST - 1;
  unsigned part[3];
  for (int i = 0; i < 3; i++)
    part[i] = (unsigned)lround(stops[first][i] + (at - first) * (stops[first + 1][i] - stops[first][i]));
  snprintf(colour, 8, "#%02x%02x%02x", part[0] & 0xff, part[1] & 0xff, part[2] & 0xff);
}
