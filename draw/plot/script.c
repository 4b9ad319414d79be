/* The gnuplot script of a run: data blocks first, then every picture as a column of panels. Time runs from light to
   dark. Modes and forces are in plot_shapes.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/picture.h"
#include "draw/plot/maps.h"
#include "draw/plot/panel.h"
#include "draw/plot/read.h"
#include "draw/plot/shapes.h"
#include "draw/plot/steps.h"
#include "draw/plot/strands.h"

enum {
  BOX = 84, /* colour scale of the snapshots with its numbers */
  MAX_NAMED_RODS = 6
};

/* A balance of energy is kept by motions only; one state has no course; and what is shown of it where there are modes
   is worth a picture if it is not the undeformed rod. */
unsigned wy_plot_kinds(const wy_plot_run *run) {
  unsigned kinds = 0;
  bool one_state = run->analysis != WY_DYNAMICS && run->analysis != WY_QUASISTATICS;
  if (run->mode_count > 0)
    kinds |= WY_PLOT_MODES;
  if (run->rod_count > 0 && (run->mode_count == 0 || run->deformed))
    kinds |= WY_PLOT_SNAPSHOTS | (one_state ? WY_PLOT_FORCES : 0);
  if (run->strands_count > 0 && run->moments > 1)
    kinds |= WY_PLOT_STRANDS;
  if (wy_plot_maps_count(run, WY_PLOT_BENDING) > 0)
    kinds |= WY_PLOT_CURVATURE;
  if (wy_plot_maps_count(run, WY_PLOT_BENDING_MOMENT) > 0)
    kinds |= WY_PLOT_MOMENT;
  if (run->frames > 0 && run->energy[WY_PLOT_TOTAL] && run->analysis == WY_DYNAMICS)
    kinds |= WY_PLOT_ENERGY;
  if (run->rows > 0 && run->probe_count > 0 && !one_state)
    kinds |= WY_PLOT_PROBES;
  if (wy_plot_steps_present(run))
    kinds |= WY_PLOT_STEPS;
  return kinds;
}

/* ---- data ---- */

/* The error of the energy balance: energy(t) - energy(0) - work + dissipated. */
static double balance_error(const wy_plot_run *run, int i) {
  const double *total = run->energy[WY_PLOT_TOTAL], *work = run->energy[WY_PLOT_WORK];
  const double *dissipated = run->energy[WY_PLOT_DISSIPATED];
  return total[i] - total[0] - (work ? work[i] : 0) + (dissipated ? dissipated[i] : 0);
}

static void write_data(FILE *out, const wy_plot_run *run, unsigned kinds) {
  if (kinds & WY_PLOT_MODES)
    wy_plot_modes_data(out, run);
  if (kinds & WY_PLOT_FORCES)
    wy_plot_forces_data(out, run);
  if (kinds & (WY_PLOT_SNAPSHOTS | WY_PLOT_STRANDS)) {
    wy_plot_strands_data(out, run);
    for (int r = 0; r < run->rod_count; r++) {
      const wy_plot_rod *rod = &run->rods[r];
      int stride = 1 + (rod->points - 1) / 400;
      fprintf(out, "# rod %d: a block of points x y z per snapshot\n$rod%d << EOD\n", r + 1, r);
      for (int k = 0; k < run->snapshots; k++) {
        for (int i = 0; i < rod->points; i++) {
          const double *x = rod->position + ((size_t)k * (size_t)rod->points + (size_t)i) * 3;
          if (i % stride == 0 || i == rod->points - 1)
            fprintf(out, "%.7g %.7g %.7g\n", x[0], x[1], x[2]);
        }
        fputs("\n\n", out);
      }
      fputs("EOD\n", out);
    }
  }
  if (kinds & WY_PLOT_CURVATURE)
    wy_plot_maps_data(out, run, WY_PLOT_BENDING);
  if (kinds & WY_PLOT_MOMENT)
    wy_plot_maps_data(out, run, WY_PLOT_BENDING_MOMENT);
  if (kinds & WY_PLOT_ENERGY) {
    double *error = wy_plot_allocate((size_t)run->frames, sizeof *error);
    for (int i = 0; i < WY_PLOT_ENERGIES; i++)
      if (run->energy[i])
        wy_plot_curve_data(out, "energy", i, run->frame_time, run->energy[i], run->frames);
    for (int i = 0; i < run->frames; i++)
      error[i] = balance_error(run, i);
    wy_plot_curve_data(out, "balance", 0, run->frame_time, error, run->frames);
    free(error);
  }
  if (kinds & WY_PLOT_PROBES)
    for (int i = 0; i < run->probe_count; i++)
      for (int k = 0; k < run->probes[i].count; k++)
        wy_plot_curve_data(out, "probe", 4 * i + k, run->row_time, run->probes[i].values[k], run->rows);
  if (kinds & WY_PLOT_STEPS)
    wy_plot_steps_data(out, run);
}

/* ---- probes ---- */

enum { PROBE_HEIGHT = 128 };

static double probes_height(const wy_plot_run *run) {
  return run->probe_count * (WY_PANEL_HEAD + PROBE_HEIGHT + WY_PANEL_GAP) - WY_PANEL_GAP + WY_PANEL_FOOT;
}

static void draw_probes(wy_page *p, const wy_plot_run *run) {
  for (int i = 0; i < run->probe_count; i++) {
    const wy_plot_probe *probe = &run->probes[i];
    bool last = i == run->probe_count - 1;
    wy_panel f = {WY_PAGE_LEFT, p->y + WY_PANEL_HEAD, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT, PROBE_HEIGHT};
    wy_range r = wy_range_empty();
    for (int k = 0; k < probe->count; k++)
      r = wy_range_widen(r, probe->values[k], run->rows, 1);
    wy_panel_place(p, f);
    wy_panel_head(p, f, probe->name);
    wy_panel_time_axis(p, f, run, run->row_time, run->rows, last);
    wy_panel_value_axis(p, f, wy_range_axis(r, 0), probe->quantity[0] ? probe->quantity : "value");
    bool first = true;
    for (int k = 0; k < probe->count; k++) {
      const char *colour = wy_component_colours[probe->label[k][0] == 'w' ? 3 : probe->label[0][0] == 'w' ? k - 1 : k];
      const char *title = probe->label[k][0] ? probe->label[k] : NULL;
      wy_panel_curve(p, &first, &(wy_curve){"probe", 4 * i + k, run->rows, title, colour, 1.6, 1});
    }
    wy_panel_end(p);
    p->y = f.y + f.height + (last ? WY_PANEL_FOOT : WY_PANEL_GAP);
  }
}

/* ---- energy ---- */

enum { ENERGY_HEIGHT = 250, BALANCE_HEIGHT = 90 };

static double energy_height(void) {
  return WY_PANEL_HEAD + ENERGY_HEIGHT + WY_PANEL_GAP + WY_PANEL_HEAD + BALANCE_HEIGHT + WY_PANEL_FOOT;
}

static void draw_energy(wy_page *p, const wy_plot_run *run) {
  static const struct {
    const char *colour;
    double width;
    int dash;
  } style[WY_PLOT_ENERGIES] = {[WY_PLOT_KINETIC] = {"#0072b2", 1.6, 1}, [WY_PLOT_ELASTIC] = {"#d55e00", 1.6, 1},
                               [WY_PLOT_GRAVITY] = {"#009e73", 1.6, 1}, [WY_PLOT_TOTAL] = {"#222222", 2.2, 1},
                               [WY_PLOT_WORK] = {"#e69f00", 1.6, 2},    [WY_PLOT_DISSIPATED] = {"#cc79a7", 1.6, 2}};
  wy_panel f = {WY_PAGE_LEFT, p->y + WY_PANEL_HEAD, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT, ENERGY_HEIGHT};
  wy_range r = wy_range_empty();
  for (int i = 0; i < WY_PLOT_ENERGIES; i++)
    if (run->energy[i])
      r = wy_range_widen(r, run->energy[i], run->frames, 1);
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Energies");
  fputs("  set key width -2\n", p->out);
  wy_panel_time_axis(p, f, run, run->frame_time, run->frames, false);
  wy_panel_value_axis(p, f, wy_range_axis(r, 0), "energy");
  bool first = true;
  for (int i = 0; i < WY_PLOT_ENERGIES; i++)
    if (run->energy[i])
      wy_panel_curve(p, &first,
                     &(wy_curve){"energy", i, run->frames, wy_plot_energy_names[i], style[i].colour, style[i].width,
                                 style[i].dash});
  wy_panel_end(p);
  fputs("  set key width 0\n", p->out);

  f.y += f.height + WY_PANEL_GAP + WY_PANEL_HEAD;
  f.height = BALANCE_HEIGHT;
  r = wy_range_empty();
  for (int i = 0; i < run->frames; i++) {
    double error = balance_error(run, i);
    r = wy_range_widen(r, &error, 1, 1);
  }
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Error of the balance: total - total at the start - work + dissipated");
  wy_panel_time_axis(p, f, run, run->frame_time, run->frames, true);
  wy_panel_value_axis(p, f, wy_range_axis(r, 1e-300), "energy");
  first = true;
  wy_panel_curve(p, &first, &(wy_curve){"balance", 0, run->frames, NULL, wy_soft, 1.4, 1});
  wy_panel_end(p);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

/* ---- snapshots ---- */

static wy_projections choose_projections(const wy_plot_run *run) {
  wy_range extent[3];
  for (int c = 0; c < 3; c++) {
    extent[c] = wy_range_empty();
    for (int r = 0; r < run->rod_count; r++)
      extent[c] = wy_range_widen(extent[c], run->rods[r].position + c, run->snapshots * run->rods[r].points, 3);
    extent[c] = wy_plot_strands_extent(run, extent[c], run->moments - 1, c);
  }
  return wy_project(extent, BOX);
}

static double snapshot_fraction(const wy_plot_run *run, int k) {
  if (run->undeformed_first)
    return 0.6; /* the colour itself: there is no time to show */
  return run->snapshots < 2 ? 1 : (double)k / (run->snapshots - 1);
}

static void snapshot_title(const wy_plot_run *run, int k, char *title, size_t size) {
  if (run->undeformed_first)
    snprintf(title, size, "%s", k == 0 ? "undeformed" : "equilibrium");
  else
    snprintf(title, size, "t = %.4g", run->snapshot_time[k]);
}

/* Snapshots of one rod, the first dashed and the last thick, and a dot where s = 0. */
static void draw_rod(const wy_page *p, const wy_plot_run *run, int r, const wy_projection *view) {
  int last = run->snapshots - 1, x = view->across + 1, y = view->up + 1;
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
  int last = run->snapshots - 1;
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
    wy_plot_quote(p->out, run->rod_count == 1 ? title : run->rods[r].name);
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

static void draw_snapshots(wy_page *p, const wy_plot_run *run) {
  wy_projections chosen = choose_projections(run);
  double legend = snapshot_head(run);
  wy_panel whole = {WY_PAGE_LEFT, p->y + legend, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT - BOX, chosen.height};
  char light[8], middle[8], dark[8];
  scale_shade(run, 0, light);
  scale_shade(run, 0.6, middle);
  scale_shade(run, 1, dark);
  double begin = run->snapshot_time[0], end = run->snapshot_time[run->snapshots - 1];
  fprintf(p->out, "  set palette defined (0 '%s', 0.6 '%s', 1 '%s')\n", light, middle, dark);
  fprintf(p->out, "  set cbrange [%.9g:%.9g]; set cblabel '%s' tc rgb '%s'; set cbtics scale 0 tc rgb '%s'\n", begin,
          end > begin ? end : begin + 1, wy_plot_time_name(run), wy_ink, wy_ink);
  for (int i = 0; i < chosen.count; i++) {
    const wy_projection *view = &chosen.view[i];
    wy_panel f = {view->x, whole.y, view->width, chosen.height};
    wy_projection_axes(p, view, f);
    wy_panel_head(p, (wy_panel){f.x, f.y - (legend - WY_PANEL_HEAD), f.width, f.height},
                  i > 0                   ? ""
                  : run->undeformed_first ? "Centreline"
                                          : "Snapshots of the centreline");
    bool colour_box = i == 0 && run->snapshots > 1 && !run->undeformed_first;
    if (colour_box)
      fprintf(p->out, "  set colorbox user origin screen %.5f, screen %.5f size screen %.5f, screen %.5f noborder\n",
              wy_page_across(WY_PAGE_WIDTH - WY_PAGE_RIGHT - BOX + 22), wy_page_up(p, f.y + f.height),
              wy_page_across(12), f.height / p->height);
    fprintf(p->out, "  plot NaN with %s notitle", colour_box ? "lines lc palette" : "lines");
    wy_plot_strands_curves(p, run, run->moments - 1, view->across, view->up);
    for (int r = 0; r < run->rod_count; r++)
      draw_rod(p, run, r, view);
    wy_panel_end(p);
    fputs("  unset colorbox\n", p->out);
  }
  snapshot_legend(p, run, whole);
  p->y = whole.y + whole.height + WY_PANEL_FOOT;
}

/* ---- pictures ---- */

static double picture_height(const wy_plot_run *run, unsigned kinds) {
  double height = WY_PLOT_TITLE_HEIGHT;
  if (kinds & WY_PLOT_MODES)
    height += wy_plot_modes_height(run);
  if (kinds & WY_PLOT_SNAPSHOTS)
    height += snapshot_head(run) + choose_projections(run).height + WY_PANEL_FOOT;
  if (kinds & WY_PLOT_STRANDS)
    height += wy_plot_strands_height(run);
  if (kinds & WY_PLOT_FORCES)
    height += wy_plot_forces_height(run);
  if (kinds & WY_PLOT_CURVATURE)
    height += wy_plot_maps_height(run, WY_PLOT_BENDING);
  if (kinds & WY_PLOT_MOMENT)
    height += wy_plot_maps_height(run, WY_PLOT_BENDING_MOMENT);
  if (kinds & WY_PLOT_ENERGY)
    height += energy_height();
  if (kinds & WY_PLOT_PROBES)
    height += probes_height(run);
  if (kinds & WY_PLOT_STEPS)
    height += wy_plot_steps_height(run);
  return ceil(height);
}

static void draw_picture(FILE *out, const wy_plot_run *run, const wy_plot_picture *picture) {
  wy_page p = {out, picture_height(run, picture->kinds), WY_PLOT_TITLE_HEIGHT};
  wy_picture_begin(&p, picture->name, run->title);
  if (picture->kinds & WY_PLOT_MODES)
    wy_plot_modes_draw(&p, run);
  if (picture->kinds & WY_PLOT_SNAPSHOTS)
    draw_snapshots(&p, run);
  if (picture->kinds & WY_PLOT_STRANDS)
    wy_plot_strands_draw(&p, run);
  if (picture->kinds & WY_PLOT_FORCES)
    wy_plot_forces_draw(&p, run);
  if (picture->kinds & WY_PLOT_CURVATURE)
    wy_plot_maps_draw(&p, run, WY_PLOT_BENDING);
  if (picture->kinds & WY_PLOT_MOMENT)
    wy_plot_maps_draw(&p, run, WY_PLOT_BENDING_MOMENT);
  if (picture->kinds & WY_PLOT_ENERGY)
    draw_energy(&p, run);
  if (picture->kinds & WY_PLOT_PROBES)
    draw_probes(&p, run);
  if (picture->kinds & WY_PLOT_STEPS)
    wy_plot_steps_draw(&p, run);
  wy_picture_end(&p);
}

void wy_plot_script(FILE *out, const wy_plot_run *run, const wy_plot_picture *pictures, int count,
                    const char *formats) {
  unsigned kinds = 0;
  for (int i = 0; i < count; i++)
    kinds |= pictures[i].kinds;
  wy_script_begin(out, "plot");
  write_data(out, run, kinds);
  wy_script_pictures(out, formats);
  for (int i = 0; i < count; i++)
    draw_picture(out, run, &pictures[i]);
  wy_script_end(out);
}
