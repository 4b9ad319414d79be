/* SPDX-License-Identifier: MIT */
#include "draw/plot/shapes.h"

#include <math.h>

#include "draw/picture.h"

/* ---- Modes: one panel each ---- */

enum { MODE_GAP = 64, SHORTEST = 110, TALLEST = 260 };

static const char *const axis_names[3] = {"x", "y", "z"};

/* The two space axes that a panel shows. */
typedef struct plane {
  int across, up;
} plane;

static wy_range extent_of(const wy_plot_mode *mode, int axis) {
  wy_range r = wy_range_widen(wy_range_empty(), mode->rest + axis, mode->count, 3);
  r = wy_range_widen(r, mode->shape + axis, mode->count, 3);
  return wy_range_widen(r, mode->other + axis, mode->count, 3);
}

/* How far the lines differ along an axis. */
static double movement(const wy_plot_mode *mode, int axis) {
  double largest = 0;
  for (int i = 0; i < mode->count; i++)
    largest = fmax(largest, fabs(mode->shape[3 * i + axis] - mode->other[3 * i + axis]));
  return largest;
}

/* Along the rod, and across it where it moves most; z stays upright. */
static plane choose_plane(const wy_plot_mode *mode) {
  int along = 0, second = -1;
  double size[3], moved[3];
  for (int c = 0; c < 3; c++) {
    wy_range r = wy_range_widen(wy_range_empty(), mode->rest + c, mode->count, 3);
    size[c] = r.high - r.low;
    moved[c] = movement(mode, c);
    along = size[c] > size[along] ? c : along;
  }
  for (int c = 2; c >= 0; c--) {
    if (c == along)
      continue;
    bool still = second >= 0 && fmax(moved[c], moved[second]) < 1e-3 * size[along];
    if (second < 0 || (still ? size[c] > size[second] : moved[c] > (1 + 1e-6) * moved[second]))
      second = c;
  }
  int low = along < second ? along : second, high = along < second ? second : along;
  return (plane){low, high};
}

/* Panels of one size and scale: wide shapes in two columns, tall ones in three. */
typedef struct grid {
  int columns;
  double width, height, scale; /* scale: length of a pixel */
} grid;

static grid choose_grid(const wy_plot_run *run) {
  double span[2] = {0, 0};
  for (int i = 0; i < run->mode_count; i++) {
    plane view = choose_plane(&run->modes[i]);
    wy_range across = extent_of(&run->modes[i], view.across), up = extent_of(&run->modes[i], view.up);
    span[0] = fmax(span[0], across.high - across.low);
    span[1] = fmax(span[1], up.high - up.low);
  }
  double largest = fmax(span[0], span[1]) > 0 ? fmax(span[0], span[1]) : 1;
  for (int c = 0; c < 2; c++)
    span[c] = 1.12 * fmax(span[c], 0.1 * largest);
  grid g = {.columns = span[1] > 0.7 * span[0] ? 3 : 2};
  g.width = (WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT - (g.columns - 1.0) * MODE_GAP) / g.columns;
  g.height = fmin(fmax(g.width * span[1] / span[0], SHORTEST), TALLEST);
  g.scale = fmax(span[0] / g.width, span[1] / g.height);
  return g;
}

static int grid_rows(const wy_plot_run *run, const grid *g) {
  return (run->mode_count + g->columns - 1) / g->columns;
}

double wy_plot_modes_height(const wy_plot_run *run) {
  grid g = choose_grid(run);
  return grid_rows(run, &g) * (WY_PANEL_HEAD + g.height + WY_PANEL_FOOT);
}

void wy_plot_modes_data(FILE *out, const wy_plot_run *run) {
  for (int i = 0; i < run->mode_count; i++) {
    const wy_plot_mode *mode = &run->modes[i];
    fprintf(out, "# mode %d: blocks of points x y z: at rest, %s\n$mode%d << EOD\n", mode->number,
            mode->turning ? "an edge turned and at rest" : "displaced one way and the other", i);
    const double *blocks[] = {mode->rest, mode->shape, mode->other};
    for (int b = 0; b < 3; b++) {
      for (int k = 0, at = 0; k < mode->lines; at += 3 * mode->points[k++])
        wy_line_points(out, blocks[b] + at, mode->points[k]);
      fputs("\n", out);
    }
    fputs("EOD\n", out);
  }
}

static void mode_heading(const wy_plot_run *run, const wy_plot_mode *mode, char *text, size_t size) {
  int used = snprintf(text, size, "%d: %s = %.5g", mode->number, run->analysis == WY_BUCKLING ? "factor" : "omega",
                      mode->value);
  if (mode->damping_ratio != 0)
    used += snprintf(text + used, size - (size_t)used, ", damping %.3g", mode->damping_ratio);
  if (mode->turning)
    used += snprintf(text + used, size - (size_t)used, ", turning");
  if (run->rod_count > 1 && mode->lines < run->rod_count)
    snprintf(text + used, size - (size_t)used, " (%.60s%s)", mode->rod, mode->lines > 1 ? ", ..." : "");
}

static void draw_mode(const wy_page *p, const wy_plot_run *run, int index, wy_panel f, double scale) {
  const wy_plot_mode *mode = &run->modes[index];
  plane view = choose_plane(mode);
  wy_range across = wy_range_centred(extent_of(mode, view.across), scale * f.width);
  wy_range up = wy_range_centred(extent_of(mode, view.up), scale * f.height);
  char text[160], light[8], colour[8];
  wy_rod_shade(0, 0.25, light);
  wy_rod_shade(0, 0.6, colour);
  mode_heading(run, mode, text, sizeof text);
  wy_panel_place(p, f);
  wy_panel_head(p, f, text);
  double step = fmin(wy_tic_step(across, f.width, 60), wy_tic_step(up, f.height, 40));
  fprintf(p->out, "  set xrange [%.9g:%.9g]; set xtics %.9g; set format x '%%g'; set xlabel '%s'\n", across.low,
          across.high, step, axis_names[view.across]);
  wy_panel_y_axis(p, f, up, step, axis_names[view.up], 50);
  /* Points along the lines show where a mode stretches the rod. */
  int x = view.across + 1, y = view.up + 1, spacing = 1 + mode->points[0] / 20;
  fprintf(p->out, "  plot $mode%d index 0 using %d:%d with lines lc rgb '%s' lw 1.6 dt '-' notitle", index, x, y,
          wy_soft);
  fprintf(p->out, ", \\\n       $mode%d index 2 using %d:%d with lines lc rgb '%s' lw 1.2 notitle", index, x, y, light);
  fprintf(p->out,
          ", \\\n       $mode%d index 1 using %d:%d with linespoints pt 7 ps 0.35 pi %d lc rgb '%s' lw 2.6 notitle",
          index, x, y, spacing, colour);
  wy_panel_end(p);
}

void wy_plot_modes_draw(wy_page *p, const wy_plot_run *run) {
  grid g = choose_grid(run);
  double line = WY_PANEL_HEAD + g.height + WY_PANEL_FOOT;
  for (int i = 0; i < run->mode_count; i++) {
    double x = WY_PAGE_LEFT + (i % g.columns) * (g.width + MODE_GAP);
    double y = p->y + WY_PANEL_HEAD + (int)(i / g.columns) * line;
    draw_mode(p, run, i, (wy_panel){x, y, g.width, g.height}, g.scale);
  }
  p->y += grid_rows(run, &g) * line;
}

/* ---- Forces and moments along the rods ---- */

enum { MAX_RODS = 6, ALONG_HEIGHT = 128 };

static int shown_rods(const wy_plot_run *run) {
  return run->rod_count < MAX_RODS ? run->rod_count : MAX_RODS;
}

void wy_plot_forces_data(FILE *out, const wy_plot_run *run) {
  for (int r = 0; r < shown_rods(run); r++)
    for (int c = 0; c < 3; c++) {
      const wy_plot_along *force = &run->rods[r].force, *moment = &run->rods[r].moment;
      wy_panel_curve_data(out, "force", 3 * r + c, force->s, force->values[c], force->count);
      wy_panel_curve_data(out, "moment", 3 * r + c, moment->s, moment->values[c], moment->count);
    }
}

double wy_plot_forces_height(const wy_plot_run *run) {
  return shown_rods(run) * (2.0 * (WY_PANEL_HEAD + ALONG_HEIGHT) + WY_PANEL_GAP + WY_PANEL_FOOT);
}

static void draw_along(const wy_page *p, wy_panel f, const char *heading, const wy_plot_along *along, wy_range s,
                       wy_curve style, bool labelled) {
  static const char *const names[3] = {"d1", "d2", "d3"};
  wy_range values = wy_range_empty();
  for (int c = 0; c < 3; c++)
    values = wy_range_widen(values, along->values[c], along->count, 1);
  wy_panel_place(p, f);
  wy_panel_head(p, f, heading);
  wy_panel_x_axis(p, f, s, labelled ? "s" : NULL);
  wy_panel_value_axis(p, f, wy_range_axis(values, 1e-300), style.block);
  bool first = true;
  for (int c = 0; c < 3; c++) {
    wy_curve curve = style;
    curve.index += c;
    curve.title = names[c];
    curve.colour = wy_component_colours[c];
    wy_panel_curve(p, &first, &curve);
  }
  wy_panel_end(p);
}

void wy_plot_forces_draw(wy_page *p, const wy_plot_run *run) {
  for (int r = 0; r < shown_rods(run); r++) {
    const wy_plot_rod *rod = &run->rods[r];
    wy_range s = {0, rod->s && rod->points > 1 ? rod->s[rod->points - 1] : 1};
    char heading[160];
    wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, ALONG_HEIGHT);
    snprintf(heading, sizeof heading, "Force in %.100s, in the directors", rod->name);
    draw_along(p, f, heading, &rod->force, s, (wy_curve){"force", 3 * r, rod->force.count, NULL, NULL, 1.6, 1}, false);
    f.y += f.height + WY_PANEL_GAP + WY_PANEL_HEAD;
    snprintf(heading, sizeof heading, "Moment in %.100s, in the directors", rod->name);
    draw_along(p, f, heading, &rod->moment, s, (wy_curve){"moment", 3 * r, rod->moment.count, NULL, NULL, 1.6, 1},
               true);
    p->y = f.y + f.height + WY_PANEL_FOOT;
  }
}
