/* SPDX-License-Identifier: MIT */
#include "draw/chart/map.h"

#include <math.h>

#include "draw/chart/frame.h"
#include "draw/escape.h"

enum { LEFT = WY_SVG_LEFT, RIGHT_EDGE = WY_SVG_WIDTH - 96, BOTTOM_EDGE = WY_SVG_HEIGHT - WY_SVG_BOTTOM };
enum { SHADES = 64, MOST_LABELS = 8 };

/* Where things are: the upper edge, the size of a cell, and the range of values. */
typedef struct layout {
  int top;
  double width, height, low, high;
} layout;

static bool has_value(const wy_map *map, int i) {
  return (map->states[i] == WY_CELL_GOOD || map->states[i] == WY_CELL_WRONG) && isfinite(map->cells[i]);
}

static layout layout_of(const wy_map *map) {
  layout l = {
      .top = 12 + WY_SVG_LINE * wy_svg_title_lines(map->title, WY_SVG_WIDTH), .low = INFINITY, .high = -INFINITY};
  l.width = (double)(RIGHT_EDGE - LEFT) / map->columns;
  l.height = (double)(BOTTOM_EDGE - l.top) / map->rows;
  for (int i = 0; i < map->rows * map->columns; i++)
    if (has_value(map, i)) {
      l.low = fmin(l.low, map->cells[i]);
      l.high = fmax(l.high, map->cells[i]);
    }
  return l;
}

/* From 0 to SHADES - 1. */
static int shade_of(const layout *l, double value) {
  const double share = l->high > l->low ? (value / 2 - l->low / 2) / (l->high / 2 - l->low / 2) : 0.5;
  return (int)fmin(SHADES * share, SHADES - 1);
}

static void shade_colour(int shade, char colour[8]) {
  wy_svg_shade(shade / (SHADES - 1.0), colour);
}

static double left_of(const layout *l, int column) {
  return LEFT + column * l->width;
}

static double top_of(const layout *l, int row) {
  return BOTTOM_EDGE - (row + 1) * l->height;
}

/* ---- Cells ---- */

static void draw_cell(const wy_map *map, const layout *l, int i, FILE *out) {
  const int row = i / map->columns, column = i % map->columns;
  char colour[8];
  shade_colour(has_value(map, i) ? shade_of(l, map->cells[i]) : 0, colour);
  fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"%s><title>point %d: ",
          left_of(l, column), top_of(l, row), l->width, l->height, has_value(map, i) ? colour : "#888",
          has_value(map, i) ? "" : " fill-opacity=\".15\"", map->points[i]);
  wy_escape(out, map->x, 60);
  fprintf(out, " = %.6g, ", map->across[column]);
  wy_escape(out, map->y, 60);
  fprintf(out, " = %.6g: ", map->up[row]);
  if (has_value(map, i))
    fprintf(out, "%.6g", map->cells[i]);
  fputs(map->states[i] == WY_CELL_WRONG ? " (wrong)" : map->states[i] == WY_CELL_FAILED ? "failed" : "", out);
  fputs("</title></rect>\n", out);
}

static void draw_shade(const wy_map *map, const layout *l, int shade, FILE *out) {
  char colour[8];
  bool begun = false;
  shade_colour(shade, colour);
  for (int i = 0; i < map->rows * map->columns; i++) {
    if (!has_value(map, i) || shade_of(l, map->cells[i]) != shade)
      continue;
    if (!begun)
      fprintf(out, "<path fill=\"%s\" d=\"", colour);
    begun = true;
    fprintf(out, "M%.1f %.1fh%.2fv%.2fh%.2fz", left_of(l, i % map->columns), top_of(l, i / map->columns), l->width,
            l->height, -l->width);
  }
  if (begun)
    fputs("\"/>\n", out);
}

/* A ring or a cross in the middle of a cell, as large as it has room. */
static void draw_mark(const wy_map *map, const layout *l, int i, FILE *out) {
  const double x = left_of(l, i % map->columns) + 0.5 * l->width, y = top_of(l, i / map->columns) + 0.5 * l->height;
  const double size = fmin(5, 0.4 * fmin(l->width, l->height));
  if (map->states[i] == WY_CELL_FAILED)
    fprintf(out,
            "<path d=\"M%.1f %.1fl%.1f %.1fm0 %.1fl%.1f %.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n",
            x - size, y - size, 2 * size, 2 * size, -2 * size, -2 * size, 2 * size, wy_svg_bad);
  if (map->states[i] == WY_CELL_WRONG)
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", x,
            y, size, wy_svg_bad);
}

static void draw_cells(const wy_map *map, const layout *l, FILE *out) {
  const int count = map->rows * map->columns;
  for (int i = 0; i < count && count <= WY_MAP_HOVERED; i++)
    if (map->states[i] != WY_CELL_NONE)
      draw_cell(map, l, i, out);
  for (int shade = 0; shade < SHADES && count > WY_MAP_HOVERED; shade++)
    draw_shade(map, l, shade, out);
  for (int i = 0; i < count; i++)
    draw_mark(map, l, i, out);
}

/* ---- Axes and colours ---- */

/* The values of some cells, in their middles. */
static void draw_values(const double *values, int count, bool vertical, const layout *l, FILE *out) {
  const int every = (count + MOST_LABELS - 1) / MOST_LABELS;
  for (int i = 0; i < count; i += every) {
    char label[32];
    wy_axis_short(label, values[i], 3);
    if (vertical)
      fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" dy=\".35em\">%s</text>\n", LEFT - 8,
              top_of(l, i) + 0.5 * l->height, label);
    else
      fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", left_of(l, i) + 0.5 * l->width,
              BOTTOM_EDGE + 17, label);
  }
}

/* The scale of colours at the right, with some values. */
static void draw_scale(const wy_map *map, const layout *l, FILE *out) {
  enum { SCALE_LEFT = RIGHT_EDGE + 14, SCALE_WIDTH = 12, LABELS = 5 };
  const double height = (double)(BOTTOM_EDGE - l->top) / SHADES;
  char colour[8];
  for (int i = 0; i < SHADES; i++) {
    shade_colour(i, colour);
    fprintf(out, "<path d=\"M%d %.2fh%dv%.2fh-%dz\" fill=\"%s\"/>\n", SCALE_LEFT, BOTTOM_EDGE - i * height, SCALE_WIDTH,
            -height - 0.3, SCALE_WIDTH, colour);
  }
  for (int i = 0; i < LABELS && l->high > l->low; i++) {
    const double share = i / (LABELS - 1.0), value = l->low + share * (l->high - l->low);
    char label[32];
    wy_axis_short(label, value, 3);
    fprintf(out, "<text x=\"%d\" y=\"%.1f\" dy=\".35em\" font-size=\"11\">%s</text>\n", SCALE_LEFT + SCALE_WIDTH + 5,
            BOTTOM_EDGE - share * (BOTTOM_EDGE - l->top), label);
  }
  if (l->high == l->low)
    fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"11\">%.3g</text>\n", SCALE_LEFT + SCALE_WIDTH + 5,
            (BOTTOM_EDGE + l->top) / 2, l->low);
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", WY_SVG_WIDTH - 6, BOTTOM_EDGE + WY_SVG_BOTTOM - 8);
  wy_axis_name(out, map->value, WY_SVG_WIDTH - RIGHT_EDGE + 20);
  fputs("</text>\n", out);
}

void wy_map_svg(const wy_map *map, FILE *out) {
  const layout l = layout_of(map);
  wy_svg_begin(out, map->title, WY_SVG_WIDTH, WY_SVG_HEIGHT);
  draw_cells(map, &l, out);
  draw_values(map->across, map->columns, false, &l, out);
  draw_values(map->up, map->rows, true, &l, out);
  draw_scale(map, &l, out);
  wy_svg_labels(out, map->x, map->y, RIGHT_EDGE, l.top, BOTTOM_EDGE);
  wy_svg_end(out);
}
