/* SPDX-License-Identifier: MIT */
/* Centrelines of the snapshots that are shown. Time runs from light to dark. */
#include "draw/plot/snapshots.h"

#include <string.h>

#include "draw/picture.h"
#include "draw/plot/network.h"
#include "draw/plot/obstacles.h"
#include "draw/plot/strands.h"

enum {
  BOX = 84, /* colour scale with its numbers */
  MAX_NAMED_RODS = 6
};

void wy_plot_snapshots_data(FILE *out, const wy_plot_run *run) {
  wy_plot_strands_data(out, run);
  wy_plot_obstacles_data(out, run);
  wy_plot_network_data(out, run);
  for (int r = 0; r < run->rod_count; r++) {
    const wy_plot_rod *rod = &run->rods[r];
    fprintf(out, "# rod %d: a block of points x y z per snapshot\n$rod%d << EOD\n", r + 1, r);
    for (int k = 0; k < run->shown; k++)
      wy_line_data(out, rod->position + 3 * (size_t)k * (size_t)rod->points, rod->points);
    fputs("EOD\n", out);
  }
}

static wy_projections choose_projections(const wy_plot_run *run) {
  wy_range extent[3];
  for (int c = 0; c < 3; c++) {
    extent[c] = wy_range_empty();
    for (int r = 0; r < run->rod_count; r++)
      extent[c] = wy_range_widen(extent[c], run->rods[r].position + c, run->shown * run->rods[r].points, 3);
    extent[c] = wy_plot_network_extent(run, extent[c], c);
    extent[c] = wy_plot_obstacles_extent(run, extent[c], c);
    extent[c] = wy_plot_strands_extent(run, extent[c], run->moments - 1, c);
  }
  return wy_project(extent, BOX);
}

static double snapshot_fraction(const wy_plot_run *run, int k) {
  if (run->undeformed_first)
    return 0.6; /* the colour itself: there is no time to show */
  return run->shown < 2 ? 1 : (double)k / (run->shown - 1);
}

static void snapshot_title(const wy_plot_run *run, int k, char *title, size_t size) {
  if (run->undeformed_first)
    snprintf(title, size, "%s", k == 0 ? "undeformed" : "equilibrium");
  else
    snprintf(title, size, "t = %.4g", run->shown_time[k]);
}

/* Snapshots of one rod, the first dashed and the last thick, and a dot where s = 0. */
static void draw_rod(const wy_page *p, const wy_plot_run *run, int r, const wy_projection *view) {
  int last = run->shown - 1, x = view->across + 1, y = view->up + 1;
  for (int k = 0; k <= last; k++) {
    char colour[8];
    bool first = k == 0 && k < last;
    wy_rod_shade(r, snapshot_fraction(run, k), colour);
    fprintf(p->out, ", \\\n       $rod%d index %d using %d:%d with lines lc rgb '%s' lw %g dt %s notitle", r, k, x, y,
            first ? wy_soft : colour,
            k == last ? 3.2
            : first   ? 2.2
                      : 1.2,
            first ? "'-'" : "1");
  }
  fprintf(p->out, ", \\\n       $rod%d index %d every ::0::0 using %d:%d with points pt 7 ps 0.7 lc rgb '%s' notitle",
          r, last, x, y, wy_ink);
}

static int named_rods(const wy_plot_run *run) {
  return run->rod_count < MAX_NAMED_RODS ? run->rod_count : MAX_NAMED_RODS;
}

/* The names of several rods stand below the heading. */
static double legend_height(const wy_plot_run *run) {
  size_t longest = 10; /* a time */
  for (int r = 0; r < named_rods(run); r++)
    longest = strlen(run->rods[r].name) > longest ? strlen(run->rods[r].name) : longest;
  return wy_legend_height(WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT - BOX, named_rods(run) + 2, longest);
}

static double snapshot_head(const wy_plot_run *run) {
  return run->rod_count > 1 ? WY_PANEL_HEAD + legend_height(run) : WY_PANEL_HEAD;
}

/* The legend has an invisible panel of its own, as wide as the picture: how first and last look, and the rods' colours.
 */
static void snapshot_legend(const wy_page *p, const wy_plot_run *run, wy_panel f) {
  int last = run->shown - 1;
  char colour[8], title[64];
  wy_panel_place(p, f);
  wy_panel_head(p, f, "");
  if (run->rod_count > 1)
    wy_legend_place(p, f, legend_height(run));
  fputs("  unset border; unset tics; unset grid; unset xlabel; unset label 3\n  plot ", p->out);
  if (last > 0) {
    snapshot_title(run, 0, title, sizeof title);
    fprintf(p->out, "NaN with lines lc rgb '%s' lw 2.2 dt '-' title '%s', ", wy_soft, title);
  }
  snapshot_title(run, last, title, sizeof title);
  for (int r = 0; r < named_rods(run); r++) {
    wy_rod_shade(r, snapshot_fraction(run, last), colour);
    fprintf(p->out, "NaN with lines lc rgb '%s' lw 3.2 title ", colour);
    wy_panel_quote(p->out, run->rod_count == 1 ? title : run->rods[r].name);
    fputs(", ", p->out);
  }
  fprintf(p->out, "NaN with points pt 7 ps 0.7 lc rgb '%s' title 's = 0'\n", wy_ink);
  wy_axes_style(p->out);
}

/* The colour scale is that of the rod, or grey for several. */
static void scale_shade(const wy_plot_run *run, double fraction, char text[8]) {
  if (run->rod_count == 1)
    wy_rod_shade(0, fraction, text);
  else
    wy_grey_shade(fraction, text);
}

double wy_plot_snapshots_height(const wy_plot_run *run) {
  return snapshot_head(run) + choose_projections(run).height + WY_PANEL_FOOT;
}

/* Without rods there is nothing that it would explain. */
static bool has_legend(const wy_plot_run *run) {
  return run->rod_count > 0;
}

void wy_plot_snapshots_draw(wy_page *p, const wy_plot_run *run) {
  wy_projections chosen = choose_projections(run);
  double legend = snapshot_head(run);
  wy_panel whole = {WY_PAGE_LEFT, p->y + legend, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT - BOX, chosen.height};
  char light[8], middle[8], dark[8];
  scale_shade(run, 0, light);
  scale_shade(run, 0.6, middle);
  scale_shade(run, 1, dark);
  double begin = run->shown_time[0], end = run->shown_time[run->shown - 1];
  fprintf(p->out, "  set palette defined (0 '%s', 0.6 '%s', 1 '%s')\n", light, middle, dark);
  fprintf(p->out, "  set cbrange [%.9g:%.9g]; set cblabel '%s' tc rgb '%s'; set cbtics scale 0 tc rgb '%s'\n", begin,
          end > begin ? end : begin + 1, wy_label_time(run->analysis), wy_ink, wy_ink);
  for (int i = 0; i < chosen.count; i++) {
    const wy_projection *view = &chosen.view[i];
    wy_panel f = {view->x, whole.y, view->width, chosen.height};
    wy_projection_axes(p, view, f);
    wy_panel_head(p, (wy_panel){f.x, f.y - (legend - WY_PANEL_HEAD), f.width, f.height},
                  i > 0                   ? ""
                  : run->rod_count == 0   ? "Paths of the bodies"
                  : run->undeformed_first ? "Centreline"
                                          : "Snapshots of the centreline");
    bool colour_box = has_legend(run) && i == 0 && run->shown > 1 && !run->undeformed_first;
    if (colour_box)
      fprintf(p->out, "  set colorbox user origin screen %.5f, screen %.5f size screen %.5f, screen %.5f noborder\n",
              wy_page_across(WY_PAGE_WIDTH - WY_PAGE_RIGHT - BOX + 22), wy_page_up(p, f.y + f.height),
              wy_page_across(12), f.height / p->height);
    fprintf(p->out, "  plot NaN with %s notitle", colour_box ? "lines lc palette" : "lines");
    wy_plot_obstacles_curves(p, run, view->across, view->up);
    wy_plot_strands_curves(p, run, run->moments - 1, view->across, view->up);
    for (int r = 0; r < run->rod_count; r++)
      draw_rod(p, run, r, view);
    wy_plot_network_curves(p, run, view->across, view->up);
    wy_panel_end(p);
    fputs("  unset colorbox\n", p->out);
  }
  if (has_legend(run))
    snapshot_legend(p, run, whole);
  p->y = whole.y + whole.height + WY_PANEL_FOOT;
}
