/* The gnuplot script of a run: data blocks first, then every picture as a column of panels. Time runs from light to
   dark. Modes and forces are in plot_shapes.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/plot_panel.h"
#include "io/plot_shapes.h"
#include "io/plot_strands.h"

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
  if (run->frames > 0 && run->energy[WY_PLOT_TOTAL] && run->analysis == WY_DYNAMICS)
    kinds |= WY_PLOT_ENERGY;
  if (run->rows > 0 && run->probe_count > 0 && !one_state)
    kinds |= WY_PLOT_PROBES;
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
  if (kinds & WY_PLOT_ENERGY) {
    double *error = malloc((size_t)run->frames * sizeof *error);
    for (int i = 0; i < WY_PLOT_ENERGIES; i++)
      if (run->energy[i])
        wy_plot_curve_data(out, "energy", i, run->frame_time, run->energy[i], run->frames);
    for (int i = 0; i < run->frames && error; i++)
      error[i] = balance_error(run, i);
    if (error)
      wy_plot_curve_data(out, "balance", 0, run->frame_time, error, run->frames);
    free(error);
  }
  if (kinds & WY_PLOT_PROBES)
    for (int i = 0; i < run->probe_count; i++)
      for (int k = 0; k < run->probes[i].count; k++)
        wy_plot_curve_data(out, "probe", 4 * i + k, run->row_time, run->probes[i].values[k], run->rows);
}

static const char *time_name(const wy_plot_run *run) {
  return run->analysis == WY_QUASISTATICS ? "pseudotime" : "time";
}

/* A path by arc length may run back, so that its times are not in order. */
static void time_axis(const wy_page *p, wy_panel f, const wy_plot_run *run, const double *t, int count, bool labelled) {
  wy_range r = wy_range_widen(wy_range_empty(), t, count, 1);
  if (!(r.high > r.low))
    r.high = r.low + 1;
  wy_panel_x_axis(p, f, r, labelled ? time_name(run) : NULL);
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
    time_axis(p, f, run, run->row_time, run->rows, last);
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
    const char *name, *colour;
    double width;
    int dash;
  } style[WY_PLOT_ENERGIES] = {{"kinetic", "#d55e00", 1.6, 1}, {"elastic", "#009e73", 1.6, 1},
                               {"gravity", "#0072b2", 1.6, 1}, {"total", "#333333", 2.2, 1},
                               {"work", "#e69f00", 1.6, 2},    {"dissipated", "#cc79a7", 1.6, 2}};
  wy_panel f = {WY_PAGE_LEFT, p->y + WY_PANEL_HEAD, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT, ENERGY_HEIGHT};
  wy_range r = wy_range_empty();
  for (int i = 0; i < WY_PLOT_ENERGIES; i++)
    if (run->energy[i])
      r = wy_range_widen(r, run->energy[i], run->frames, 1);
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Energies");
  fputs("  set key width -2\n", p->out);
  time_axis(p, f, run, run->frame_time, run->frames, false);
  wy_panel_value_axis(p, f, wy_range_axis(r, 0), "energy");
  bool first = true;
  for (int i = 0; i < WY_PLOT_ENERGIES; i++)
    if (run->energy[i])
      wy_panel_curve(
          p, &first,
          &(wy_curve){"energy", i, run->frames, style[i].name, style[i].colour, style[i].width, style[i].dash});
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
  time_axis(p, f, run, run->frame_time, run->frames, true);
  wy_panel_value_axis(p, f, wy_range_axis(r, 1e-300), "energy");
  first = true;
  wy_panel_curve(p, &first, &(wy_curve){"balance", 0, run->frames, NULL, wy_soft, 1.4, 1});
  wy_panel_end(p);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

/* ---- snapshots ---- */

/* One or two projections with the same scale: pixels and the space that they show. */
typedef struct projection {
  int across, up; /* which space axes */
  double x, width;
  wy_range shown_across, shown_up;
} projection;

typedef struct projections {
  int count;
  double height;
  projection view[2];
} projections;

/* The plane of the two largest extents, the second projection where the third is not small, and a common scale. */
static projections choose_projections(const wy_plot_run *run) {
  wy_range extent[3];
  double size[3], largest = 0;
  for (int c = 0; c < 3; c++) {
    extent[c] = wy_range_empty();
    for (int r = 0; r < run->rod_count; r++)
      extent[c] = wy_range_widen(extent[c], run->rods[r].position + c, run->snapshots * run->rods[r].points, 3);
    extent[c] = wy_plot_strands_extent(run, extent[c], run->moments - 1, c);
    if (!(extent[c].low <= extent[c].high))
      extent[c] = (wy_range){0, 0};
    size[c] = extent[c].high - extent[c].low;
    largest = fmax(largest, size[c]);
  }
  if (largest == 0)
    largest = 1;
  int flat = 0; /* the axis looked along; among equals the first one, so that z points up */
  for (int c = 1; c < 3; c++)
    flat = size[c] < size[flat] ? c : flat;
  projections result = {.count = size[flat] > 0.05 * largest ? 2 : 1};
  result.view[0] = (projection){.across = flat == 0 ? 1 : 0, .up = flat == 2 ? 1 : 2};
  /* The second view shows the flat axis; z stays upright. */
  result.view[1] = flat == 2 ? (projection){.across = 0, .up = 2} : (projection){.across = flat, .up = 2};
  double span[3];
  for (int c = 0; c < 3; c++)
    span[c] = 1.1 * fmax(size[c], 0.1 * largest);

  double gap = 84, room = WY_PAGE_WIDTH - WY_PAGE_LEFT - BOX - WY_PAGE_RIGHT - (result.count == 2 ? gap : 0), sum = 0,
         scale = 0, rise = 0;
  for (int i = 0; i < result.count; i++)
    sum += span[result.view[i].across];
  double x = WY_PAGE_LEFT;
  for (int i = 0; i < result.count; i++) {
    projection *view = &result.view[i];
    double share = span[view->across] / sum;
    if (result.count == 2)
      share = fmin(fmax(share, 0.3), 0.7);
    view->x = x;
    view->width = room * share;
    x += view->width + gap;
    scale = fmax(scale, span[view->across] / view->width);
    rise = fmax(rise, span[view->up]);
  }
  result.height = fmin(fmax(rise / scale, 200), 560);
  scale = fmax(scale, rise / result.height);
  for (int i = 0; i < result.count; i++) {
    projection *view = &result.view[i];
    view->shown_across = wy_range_centred(extent[view->across], scale * view->width);
    view->shown_up = wy_range_centred(extent[view->up], scale * result.height);
  }
  return result;
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
static void draw_rod(const wy_page *p, const wy_plot_run *run, int r, const projection *view) {
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

/* Names of several rods stand below the heading, with room for two lines. */
static double snapshot_head(const wy_plot_run *run) {
  return run->rod_count > 1 ? WY_PANEL_HEAD + 36 : WY_PANEL_HEAD;
}

/* The legend has an invisible panel of its own, as wide as the picture: how first and last look, and the rods' colours.
 */
static void snapshot_legend(const wy_page *p, const wy_plot_run *run, wy_panel f) {
  int last = run->snapshots - 1;
  char colour[8], title[64];
  wy_panel_place(p, f);
  if (run->rod_count > 1)
    f.y -= 8;
  wy_panel_head(p, f, "");
  fputs("  unset border; unset tics; unset grid; unset xlabel; unset label 3\n  plot ", p->out);
  if (last > 0) {
    snapshot_title(run, 0, title, sizeof title);
    fprintf(p->out, "NaN with lines lc rgb '%s' lw 2.2 dt '-' title '%s', ", wy_soft, title);
  }
  snapshot_title(run, last, title, sizeof title);
  for (int r = 0; r < run->rod_count && r < MAX_NAMED_RODS; r++) {
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
  static const char *const axis[3] = {"x", "y", "z"};
  projections chosen = choose_projections(run);
  double legend = snapshot_head(run);
  wy_panel whole = {WY_PAGE_LEFT, p->y + legend, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT - BOX, chosen.height};
  char light[8], middle[8], dark[8];
  scale_shade(run, 0, light);
  scale_shade(run, 0.6, middle);
  scale_shade(run, 1, dark);
  double begin = run->snapshot_time[0], end = run->snapshot_time[run->snapshots - 1];
  fprintf(p->out, "  set palette defined (0 '%s', 0.6 '%s', 1 '%s')\n", light, middle, dark);
  fprintf(p->out, "  set cbrange [%.9g:%.9g]; set cblabel '%s' tc rgb '%s'; set cbtics scale 0 tc rgb '%s'\n", begin,
          end > begin ? end : begin + 1, time_name(run), wy_ink, wy_ink);
  for (int i = 0; i < chosen.count; i++) {
    const projection *view = &chosen.view[i];
    wy_panel f = {view->x, whole.y, view->width, chosen.height};
    wy_panel_place(p, f);
    wy_panel_head(p, (wy_panel){f.x, f.y - (legend - WY_PANEL_HEAD), f.width, f.height},
                  i > 0                   ? ""
                  : run->undeformed_first ? "Centreline"
                                          : "Snapshots of the centreline");
    double step = fmin(wy_tic_step(view->shown_across, f.width, 60), wy_tic_step(view->shown_up, f.height, 60));
    fprintf(p->out, "  set xrange [%.9g:%.9g]; set xtics %.9g; set format x '%%g'; set xlabel '%s'\n",
            view->shown_across.low, view->shown_across.high, step, axis[view->across]);
    wy_panel_y_axis(p, f, view->shown_up, step, axis[view->up], 60);
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
  if (kinds & WY_PLOT_ENERGY)
    height += energy_height();
  if (kinds & WY_PLOT_PROBES)
    height += probes_height(run);
  return ceil(height);
}

static void draw_picture(FILE *out, const wy_plot_run *run, const wy_plot_picture *picture) {
  wy_page p = {out, picture_height(run, picture->kinds), WY_PLOT_TITLE_HEIGHT};
  fprintf(out,
          "  if (format eq 'svg') {\n"
          "    set terminal svg size %d,%d noenhanced font 'sans-serif,13' background '#ffffff'\n"
          "  } else {\n"
          "    set terminal pngcairo size %d,%d noenhanced font 'Sans,13' fontscale 1.125 linewidth 1.5 pointscale 1.5 "
          "background '#ffffff'\n"
          "  }\n",
          WY_PAGE_WIDTH, (int)p.height, WY_PAGE_WIDTH * 3 / 2, (int)p.height * 3 / 2);
  fputs("  set output ", out);
  wy_plot_quote(out, picture->name);
  fputs(".'.'.format\n  set multiplot\n", out);
  wy_axes_style(out);
  fputs("  set label 2 ", out);
  wy_plot_quote(out, run->title);
  fprintf(out, " at screen %.5f, screen %.5f left font ',17' tc rgb '%s'\n", (double)WY_PAGE_LEFT / WY_PAGE_WIDTH,
          1 - 26 / p.height, wy_ink);
  if (picture->kinds & WY_PLOT_MODES)
    wy_plot_modes_draw(&p, run);
  if (picture->kinds & WY_PLOT_SNAPSHOTS)
    draw_snapshots(&p, run);
  if (picture->kinds & WY_PLOT_STRANDS)
    wy_plot_strands_draw(&p, run);
  if (picture->kinds & WY_PLOT_FORCES)
    wy_plot_forces_draw(&p, run);
  if (picture->kinds & WY_PLOT_ENERGY)
    draw_energy(&p, run);
  if (picture->kinds & WY_PLOT_PROBES)
    draw_probes(&p, run);
  fputs("  unset multiplot\n  set output\n", out);
}

void wy_plot_script(FILE *out, const wy_plot_run *run, const wy_plot_picture *pictures, int count,
                    const char *formats) {
  unsigned kinds = 0;
  for (int i = 0; i < count; i++)
    kinds |= pictures[i].kinds;
  fprintf(out,
          "# Made by withy plot, with the data inside. Run gnuplot on it in the folder where the pictures shall be.\n"
          "set encoding utf8\n");
  write_data(out, run, kinds);
  fprintf(out, "set key samplen 1.4 font ',12' tc rgb '%s'\nunset colorbox\n", wy_ink);
  fprintf(out, "do for [format in '%s'] {\n", formats);
  for (int i = 0; i < count; i++)
    draw_picture(out, run, &pictures[i]);
  fputs("}\n", out);
}
