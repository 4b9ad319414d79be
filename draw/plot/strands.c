/* SPDX-License-Identifier: MIT */
#include "draw/plot/strands.h"

#include <math.h>

#include "draw/plot/obstacles.h"

enum {
  MOST_POINTS = 100, /* of a strand */
  TONES = 3,         /* strands differ a little in colour, so that they can be told apart */
  GAP = 14,          /* between panels */
  LOWEST = 120,
  HIGHEST = 420 /* of a panel */
};

/* Of hair, and of rods of batches. */
static const char *const tones[2][TONES] = {{"#d3c0a8", "#b99e82", "#9a7e63"}, {"#8db9d8", "#5b97c0", "#2f719e"}};

/* A point of the smooth line through points of which x is the second of four, at a share of the way to the next;
   `before` and `after`: there are others. */
static void smooth(const double *x, bool before, bool after, double share, double out[3]) {
  double u = share, v = 1 - share;
  for (int c = 0; c < 3; c++) {
    double step = x[3 + c] - x[c];
    double first = before ? 0.5 * (x[3 + c] - x[c - 3]) : step, second = after ? 0.5 * (x[6 + c] - x[c]) : step;
    out[c] = v * v * (1 + 2 * u) * x[c] + u * u * (3 - 2 * u) * x[3 + c] + u * v * (v * first - u * second);
  }
}

/* A line of a data block. Few points are joined by smooth curves: hair is drawn, not a polygon. */
static void write_line(FILE *out, const double *x, int points) {
  int stride = 1 + (points - 1) / MOST_POINTS, between = points < MOST_POINTS / 2 ? 3 : 1;
  for (int i = 0; i < points - 1; i++)
    for (int k = 0; k < between && i % stride == 0; k++) {
      double at[3];
      smooth(x + 3 * (size_t)i, i > 0, i + 2 < points, (double)k / between, at);
      fprintf(out, "%.5g %.5g %.5g\n", at[0], at[1], at[2]);
    }
  const double *last = x + 3 * (size_t)(points - 1);
  fprintf(out, "%.5g %.5g %.5g\n\n", last[0], last[1], last[2]);
}

/* Behind each other: a moment's strands of the first tone, of the second, ..., then those of the next moment. */
void wy_plot_strands_data(FILE *out, const wy_plot_run *run) {
  for (int i = 0; i < run->strands_count; i++) {
    const wy_plot_strands *strands = &run->strands[i];
    fprintf(out, "# strands %d: %d blocks per moment, of lines of points x y z\n$strands%d << EOD\n", i + 1, TONES, i);
    for (int k = 0; k < run->moments * TONES; k++) {
      for (int line = k % TONES; line < strands->count; line += TONES) {
        size_t before = (size_t)(k / TONES) * (size_t)strands->count + (size_t)line;
        write_line(out, strands->position + 3 * before * (size_t)strands->points, strands->points);
      }
      fputs(k % TONES < strands->count ? "\n" : "NaN NaN NaN\n\n\n", out); /* no block may be empty */
    }
    fputs("EOD\n", out);
  }
}

wy_range wy_plot_strands_extent(const wy_plot_run *run, wy_range r, int moment, int axis) {
  for (int i = 0; i < run->strands_count; i++) {
    int points = run->strands[i].count * run->strands[i].points;
    r = wy_range_widen(r, run->strands[i].position + 3 * (size_t)moment * (size_t)points + axis, points, 3);
  }
  return r;
}

void wy_plot_strands_curves(const wy_page *page, const wy_plot_run *run, int moment, int across, int up) {
  for (int i = 0; i < run->strands_count * TONES; i++)
    fprintf(page->out, ", \\\n       $strands%d index %d using %d:%d with lines lc rgb '%s' lw 0.5 notitle", i / TONES,
            moment * TONES + i % TONES, across + 1, up + 1, tones[run->strands[i / TONES].batch][i % TONES]);
}

/* ---- Panels ---- */

/* What the panels show. */
typedef enum content { LINES, TIPS } content;

static wy_range tips_extent(const wy_plot_run *run, wy_range r, int moment, int axis) {
  for (int i = 0; i < run->strands_count; i++) {
    const wy_plot_strands *strands = &run->strands[i];
    r = wy_range_widen(r, strands->tip + 3 * (size_t)moment * (size_t)strands->tips + axis, strands->tips, 3);
  }
  return r;
}

/* All panels look from the same side, with the same scale: axes of space, columns and rows, size of one panel. */
typedef struct grid {
  int across, up, columns, rows;
  double width, height;
  wy_range shown_across, shown_up;
} grid;

static grid choose_grid(const wy_plot_run *run, content what) {
  wy_range extent[3];
  double size[3], largest = 0;
  for (int c = 0; c < 3; c++) {
    extent[c] = wy_range_empty();
    for (int k = 0; k < run->moments; k++) {
      extent[c] = (what == TIPS ? tips_extent : wy_plot_strands_extent)(run, extent[c], k, c);
      for (int r = 0; r < run->rod_count && what == LINES; r++) {
        const wy_plot_rod *rod = &run->rods[r];
        const double *x = rod->position + 3 * (size_t)run->moment[k] * (size_t)rod->points;
        extent[c] = wy_range_widen(extent[c], x + c, rod->points, 3);
      }
    }
    if (run->obstacles_rest && what == LINES)
      extent[c] = wy_plot_obstacles_extent(run, extent[c], c);
    size[c] = extent[c].high - extent[c].low;
    largest = fmax(largest, size[c]);
  }
  /* From the side where the strands are flat; z stays upright unless it is z. A field of rods is seen from its side. */
  bool field = false;
  for (int i = 0; i < run->strands_count; i++)
    field = field || run->strands[i].batch;
  bool lying = size[2] < (field ? 0.2 : 1) * fmin(size[0], size[1]);
  grid g = {.across = lying || size[0] >= size[1] ? 0 : 1, .up = lying ? 1 : 2};
  double span[2] = {1.1 * fmax(size[g.across], 0.1 * largest), 1.1 * fmax(size[g.up], 0.1 * largest)};
  g.columns = run->moments < 4 || span[1] > 1.6 * span[0] ? run->moments : 3;
  g.rows = (run->moments + g.columns - 1) / g.columns;
  double room = WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT - GAP * (g.columns - 1);
  g.width = room / g.columns;
  g.height = fmin(fmax(g.width * span[1] / span[0], LOWEST), HIGHEST);
  double scale = fmax(span[0] / g.width, span[1] / g.height);
  g.shown_across = wy_range_centred(extent[g.across], scale * g.width);
  g.shown_up = wy_range_centred(extent[g.up], scale * g.height);
  return g;
}

static double height_of(const wy_plot_run *run, content what) {
  grid g = choose_grid(run, what);
  return g.rows * (WY_PANEL_HEAD + g.height) + WY_PANEL_FOOT;
}

static void draw_lines(const wy_page *p, const wy_plot_run *run, const grid *g, int k) {
  char colour[8];
  wy_plot_strands_curves(p, run, k, g->across, g->up);
  for (int r = 0; r < run->rod_count; r++) {
    wy_rod_shade(r, 0.6, colour);
    fprintf(p->out, ", \\\n       $rod%d index %d using %d:%d with lines lc rgb '%s' lw 1.6 notitle", r, run->moment[k],
            g->across + 1, g->up + 1, colour);
  }
}

static void draw_tips(const wy_page *p, const wy_plot_run *run, const grid *g, int k) {
  char colour[8];
  for (int i = 0; i < run->strands_count; i++) {
    wy_rod_shade(i, 0.6, colour);
    if (run->strands[i].tips > 0)
      fprintf(p->out, ", \\\n       $tips%d index %d using %d:%d with points pt 7 ps 0.2 lc rgb '%s' notitle", i, k,
              g->across + 1, g->up + 1, colour);
  }
}

static void draw_moment(const wy_page *p, const wy_plot_run *run, content what, const grid *g, int k, wy_panel f) {
  static const char *const axis[3] = {"x", "y", "z"};
  bool left = k % g->columns == 0, below = k + g->columns >= run->moments;
  double step = fmin(wy_tic_step(g->shown_across, f.width, 60), wy_tic_step(g->shown_up, f.height, 60));
  char time[32];
  snprintf(time, sizeof time, "t = %.4g", run->shown_time[run->moment[k]]);
  wy_panel_place(p, f);
  wy_panel_head(p, f, time);
  fprintf(p->out, "  set xrange [%.9g:%.9g]; set xtics %.9g; set format x '%s'; set xlabel '%s'\n", g->shown_across.low,
          g->shown_across.high, step, below ? "%g" : "", below ? axis[g->across] : "");
  fprintf(p->out, "  set format y '%s'\n", left ? "%g" : "");
  wy_panel_y_axis(p, f, g->shown_up, step, left ? axis[g->up] : "", 60);
  fputs("  plot NaN with lines notitle", p->out);
  if (run->obstacles_rest)
    wy_plot_obstacles_curves(p, run, g->across, g->up);
  (what == TIPS ? draw_tips : draw_lines)(p, run, g, k);
  wy_panel_end(p);
}

static void draw_moments(wy_page *p, const wy_plot_run *run, content what) {
  grid g = choose_grid(run, what);
  for (int k = 0; k < run->moments; k++) {
    int row = k / g.columns, column = k % g.columns;
    double x = WY_PAGE_LEFT + column * (g.width + GAP);
    double y = p->y + row * (WY_PANEL_HEAD + g.height) + WY_PANEL_HEAD;
    draw_moment(p, run, what, &g, k, (wy_panel){x, y, g.width, g.height});
  }
  fputs("  set format y '%g'\n", p->out);
  p->y += g.rows * (WY_PANEL_HEAD + g.height) + WY_PANEL_FOOT;
}

double wy_plot_strands_height(const wy_plot_run *run) {
  return height_of(run, LINES);
}

void wy_plot_strands_draw(wy_page *p, const wy_plot_run *run) {
  draw_moments(p, run, LINES);
}

/* ---- Tips ---- */

void wy_plot_tips_data(FILE *out, const wy_plot_run *run) {
  for (int i = 0; i < run->strands_count; i++) {
    const wy_plot_strands *strands = &run->strands[i];
    if (strands->tips == 0)
      continue;
    fprintf(out, "# tips of %s: a block of points x y z per moment\n$tips%d << EOD\n", strands->name, i);
    const double *x = strands->tip;
    for (int k = 0; k < run->moments; k++) {
      for (int j = 0; j < strands->tips; j++, x += 3)
        fprintf(out, "%.5g %.5g %.5g\n", x[0], x[1], x[2]);
      fputs("\n\n", out);
    }
    fputs("EOD\n", out);
  }
}

double wy_plot_tips_height(const wy_plot_run *run) {
  return height_of(run, TIPS);
}

void wy_plot_tips_draw(wy_page *p, const wy_plot_run *run) {
  draw_moments(p, run, TIPS);
}
