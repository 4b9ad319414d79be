/* SPDX-License-Identifier: MIT */
/* Modes and centrelines of many runs. */
#include <math.h>
#include <string.h>

#include "draw/compare/many_draw.h"
#include "draw/picture.h"

enum { VALUES_HEIGHT = WY_COMPARE_VALUES_HEIGHT, DIFFERENCE_HEIGHT = WY_COMPARE_VALUES_HEIGHT };

/* ---- Modes ---- */

static int mode_columns(const wy_comparisons *c) {
  return c->pair[0].run[0].mode_columns;
}

static int mode_block(const wy_comparisons *c, int column, int pair) {
  return column * c->count + pair;
}

void wy_compare_many_modes_data(FILE *out, const wy_comparisons *c, wy_compared kind) {
  for (int column = 1; column < mode_columns(c); column++)
    for (int p = 0; p < c->count; p++) {
      fprintf(out, "$mode%d << EOD\n", mode_block(c, column, p));
      for (int i = 0; i < c->pair[p].count; i++) {
        const wy_difference *d = &c->pair[p].differences[i];
        if (d->kind == kind && d->index[0] == column)
          fprintf(out, "%g %.9g %.9g %.9g\n", d->t[0], d->value[0][0][0], d->value[1][0][0], wy_difference_relative(d));
      }
      fputs("EOD\n", out);
    }
}

double wy_compare_many_modes_height(const wy_comparisons *c, wy_compared kind) {
  (void)kind;
  return (mode_columns(c) - 1) *
         (2.0 * wy_compare_many_head(c) + VALUES_HEIGHT + DIFFERENCE_HEIGHT + WY_PANEL_GAP + WY_PANEL_FOOT);
}

/* What one column shows in all pairs: numbers, values, relative differences. */
static void mode_ranges(const wy_comparisons *c, int column, wy_range range[3]) {
  for (int i = 0; i < 3; i++)
    range[i] = wy_range_empty();
  for (int p = 0; p < c->count; p++)
    for (int i = 0; i < c->pair[p].count; i++) {
      const wy_difference *d = &c->pair[p].differences[i];
      if (d->kind != WY_COMPARED_MODE || d->index[0] != column)
        continue;
      const double relative = wy_difference_relative(d);
      range[0] = wy_range_widen(range[0], d->t, 1, 1);
      range[1] = wy_range_widen(wy_range_widen(range[1], d->value[0][0], 1, 1), d->value[1][0], 1, 1);
      range[2] = wy_compare_positive(range[2], &relative, 1);
    }
  range[0] = (wy_range){range[0].low - 0.5, range[0].high + 0.5};
}

/* Points of a column of the blocks, of all pairs; the reference before them where `reference` is true. */
static void draw_mode_points(const wy_page *p, const wy_comparisons *c, int column, int from, bool reference) {
  fputs("  plot NaN notitle", p->out);
  if (reference)
    fprintf(p->out, ", \\\n       $mode%d using 1:2 with points pt 6 ps 1.8 lw 2 lc rgb '%s' title '%s'",
            mode_block(c, column, 0), wy_compare_many_style(0).colour, c->label[0]);
  for (int pair = 0; pair < c->count; pair++)
    fprintf(p->out, ", \\\n       $mode%d using 1:%d with points pt %d ps 0.7 lc rgb '%s' title '%s'",
            mode_block(c, column, pair), from, 7 + 2 * (pair / WY_COMPARE_COLOURS % 3),
            wy_compare_many_style(pair + 1).colour, c->label[pair + 1]);
}

void wy_compare_many_modes_draw(wy_page *p, const wy_comparisons *c, wy_compared kind) {
  (void)kind;
  for (int column = 1; column < mode_columns(c); column++) {
    const char *name = c->pair[0].run[0].modes->name[column];
    wy_range range[3];
    mode_ranges(c, column, range);
    wy_panel f = wy_panel_next(p, wy_compare_many_head(c), VALUES_HEIGHT);
    wy_panel_place(p, f);
    wy_compare_many_heading(p, f, c, name);
    wy_panel_x_axis(p, f, range[0], NULL);
    wy_panel_value_axis(p, f, wy_range_axis(range[1], 0), name);
    draw_mode_points(p, c, column, 3, true);
    wy_panel_end(p);
    p->y = f.y + f.height + WY_PANEL_GAP;
    f = wy_panel_next(p, wy_compare_many_head(c), DIFFERENCE_HEIGHT);
    wy_panel_place(p, f);
    wy_compare_many_heading(p, f, c, "Difference from A over the scale");
    wy_panel_x_axis(p, f, range[0], "mode");
    double limit = c->pair[0].absolute < 0 ? fmax(c->pair[0].relative, 0) : 0;
    const bool logarithmic = wy_compare_difference_axis(p, f, range[2], &limit, "relative");
    draw_mode_points(p, c, column, 4, false);
    wy_compare_draw_limit(p, limit);
    wy_compare_end_difference(p, logarithmic);
    p->y = f.y + f.height + WY_PANEL_FOOT;
  }
}

/* ---- Centrelines ---- */

/* The reference is drawn once where all pairs have the same moments. */
static bool draws_side(const wy_comparisons *c, int pair, int side) {
  const wy_comparison *one = &c->pair[0], *other = &c->pair[pair];
  return side == 1 || pair == 0 || one->moments != other->moments ||
         memcmp(one->moment, other->moment, (size_t)one->moments * sizeof(double)) != 0;
}

void wy_compare_many_shapes_data(FILE *out, const wy_comparisons *c, wy_compared kind) {
  (void)kind;
  for (int p = 0, block = 0; p < c->count; p++)
    for (int n = 0; n < 2 * c->pair[p].rod_count; n++, block++) {
      const wy_compare_rod *rod = &c->pair[p].rods[n / 2];
      const int points = rod->points[n % 2];
      fprintf(out, "$line%d << EOD\n", block);
      for (int k = 0; k < c->pair[p].moments; k++)
        wy_line_data(out, rod->position[n % 2] + 3 * (size_t)k * (size_t)points, points);
      fputs("EOD\n", out);
    }
}

static wy_projections project(const wy_comparisons *c) {
  wy_range extent[3];
  for (int axis = 0; axis < 3; axis++) {
    extent[axis] = wy_range_empty();
    for (int p = 0; p < c->count; p++)
      for (int n = 0; n < 2 * c->pair[p].rod_count; n++) {
        const wy_compare_rod *rod = &c->pair[p].rods[n / 2];
        extent[axis] =
            wy_range_widen(extent[axis], rod->position[n % 2] + axis, c->pair[p].moments * rod->points[n % 2], 3);
      }
  }
  return wy_project(extent, 0);
}

double wy_compare_many_shapes_height(const wy_comparisons *c, wy_compared kind) {
  (void)kind;
  return wy_compare_many_head(c) + project(c).height + WY_PANEL_FOOT;
}

static void draw_view(const wy_page *p, const wy_comparisons *c, const wy_projection *view) {
  fputs("  plot NaN notitle", p->out);
  for (int side = 0; side < 2; side++)
    for (int pair = 0, block = 0; pair < c->count; block += 2 * c->pair[pair++].rod_count)
      for (int r = 0; r < c->pair[pair].rod_count && draws_side(c, pair, side); r++) {
        const wy_curve s = wy_compare_many_style(side == 0 ? 0 : pair + 1);
        fprintf(p->out, ", \\\n       $line%d using %d:%d with lines lc rgb '%s' lw %g dt %d notitle",
                block + 2 * r + side, view->across + 1, view->up + 1, s.colour, s.width, s.dash);
      }
  wy_compare_many_legend(p, c, 0);
  wy_panel_end(p);
}

void wy_compare_many_shapes_draw(wy_page *p, const wy_comparisons *c, wy_compared kind) {
  (void)kind;
  const wy_projections chosen = project(c);
  const double y = p->y + wy_compare_many_head(c);
  for (int i = 0; i < chosen.count; i++) {
    wy_panel f = {chosen.view[i].x, y, chosen.view[i].width, chosen.height};
    wy_compare_many_heading(p, f, c, i == 0 ? "Centrelines" : "");
    wy_projection_axes(p, &chosen.view[i], f);
    draw_view(p, c, &chosen.view[i]);
  }
  p->y = y + chosen.height + WY_PANEL_FOOT;
}
