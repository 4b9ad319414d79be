/* SPDX-License-Identifier: MIT */
/* Centrelines of both runs at some common moments, in one or two projections. */
#include <math.h>

#include "draw/compare/draw.h"
#include "draw/picture.h"

/* One block of points per moment; the rods of a run are numbered one after the other. */
void wy_compare_shapes_data(FILE *out, const wy_comparison *c) {
  for (int n = 0; n < 2 * c->rod_count; n++) {
    const wy_compare_rod *rod = &c->rods[n / 2];
    int points = rod->points[n % 2];
    fprintf(out, "$line%d << EOD\n", n);
    for (int k = 0; k < c->moments; k++)
      wy_line_data(out, rod->position[n % 2] + 3 * (size_t)k * (size_t)points, points);
    fputs("EOD\n", out);
  }
}

static wy_projections projections_of(const wy_comparison *c) {
  wy_range extent[3];
  for (int axis = 0; axis < 3; axis++) {
    extent[axis] = wy_range_empty();
    for (int n = 0; n < 2 * c->rod_count; n++)
      extent[axis] = wy_range_widen(extent[axis], c->rods[n / 2].position[n % 2] + axis,
                                    c->moments * c->rods[n / 2].points[n % 2], 3);
  }
  return wy_project(extent, 0);
}

double wy_compare_shapes_height(const wy_comparison *c) {
  return WY_PANEL_HEAD + projections_of(c).height + WY_PANEL_FOOT;
}

static void draw_view(const wy_page *p, const wy_comparison *c, const wy_projection *view) {
  fputs("  plot NaN notitle", p->out);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < c->moments; k++)
      for (int r = 0; r < c->rod_count; r++)
        fprintf(p->out, ", \\\n       $line%d index %d using %d:%d with lines lc rgb '%s' lw %g notitle", 2 * r + side,
                k, view->across + 1, view->up + 1, wy_compare_colour(k, side), wy_compare_width(side));
  wy_panel_end(p);
}

/* The legend has an invisible panel of its own, as wide as the picture. */
static void draw_legend(const wy_page *p, const wy_comparison *c, wy_panel f) {
  wy_panel_place(p, f);
  wy_panel_head(p, f, "");
  fputs("  set key width -1; unset border; unset tics; unset grid; unset xlabel; unset label 3\n  plot NaN notitle",
        p->out);
  for (int k = 0; k < c->moments; k++)
    fprintf(p->out, ", \\\n       NaN with lines lc rgb '%s' lw 2 title 't = %.4g'", wy_compare_colour(k, 1),
            c->moment[k]);
  wy_compare_legend(p);
  fputs("\n  set xtics nomirror; set ytics nomirror; set key width 0\n", p->out);
}

void wy_compare_shapes_draw(wy_page *p, const wy_comparison *c) {
  wy_projections chosen = projections_of(c);
  wy_panel whole = {WY_PAGE_LEFT, p->y + WY_PANEL_HEAD, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT, chosen.height};
  for (int i = 0; i < chosen.count; i++) {
    wy_panel f = {chosen.view[i].x, whole.y, chosen.view[i].width, chosen.height};
    wy_panel_head(p, f, i == 0 ? "Centrelines" : "");
    wy_projection_axes(p, &chosen.view[i], f);
    draw_view(p, c, &chosen.view[i]);
  }
  draw_legend(p, c, whole);
  p->y = whole.y + whole.height + WY_PANEL_FOOT;
}
