/* SPDX-License-Identifier: MIT */
#include "draw/plot/maps.h"

#include <math.h>

enum {
  HEIGHT = 150,
  SIDE = 84, /* colour bar with its numbers */
  BAR = 12,
  BAR_GAP = 16,
  BAR_CELLS = 64
};

/* Viridis: even steps of lightness, for colour-blind readers and grey prints. */
static const char viridis[] = "0 '#440154', 1 '#482475', 2 '#414487', 3 '#355f8d', 4 '#2a788e', 5 '#21918c', "
                              "6 '#22a884', 7 '#44bf70', 8 '#7ad151', 9 '#bddf26', 10 '#fde725'";

static const char *const headings[WY_PLOT_MAPS] = {"Bending curvature", "Twist", "Bending moment", "Torsional moment"};
static const char *const blocks[WY_PLOT_MAPS] = {"bending", "twist", "bending_moment", "torsion"};

int wy_plot_maps_count(const wy_plot_run *run, int pair) {
  int count = 0;
  for (int r = 0; r < run->rod_count; r++)
    for (int m = pair; m < pair + 2; m++)
      count += run->rods[r].map[m].values != NULL;
  return count;
}

void wy_plot_maps_data(FILE *out, const wy_plot_run *run, int pair) {
  fputs("$bar << EOD\n", out);
  for (int i = 0; i < BAR_CELLS; i++)
    fprintf(out, "%.4f %.4f\n", (i + 0.5) / BAR_CELLS, (i + 0.5) / BAR_CELLS);
  fputs("EOD\n", out);
  for (int r = 0; r < run->rod_count; r++)
    for (int m = pair; m < pair + 2; m++) {
      const wy_plot_map *map = &run->rods[r].map[m];
      if (!map->values)
        continue;
      fprintf(out, "# rod %d: a line per arc length, a number per time\n$%s%d << EOD\n", r + 1, blocks[m], r);
      for (int i = 0; i < map->rows; i++)
        for (int j = 0; j < map->columns; j++)
          fprintf(out, "%.4g%c", map->values[i * map->columns + j], j < map->columns - 1 ? ' ' : '\n');
      fputs("EOD\n", out);
    }
}

double wy_plot_maps_height(const wy_plot_run *run, int pair) {
  return wy_plot_maps_count(run, pair) * (WY_PANEL_HEAD + HEIGHT + WY_PANEL_GAP) - WY_PANEL_GAP + WY_PANEL_FOOT;
}

/* What the colours stand for; one value everywhere is in their middle. */
static wy_range range_of(const wy_plot_map *map) {
  wy_range r = wy_range_widen(wy_range_empty(), map->values, map->rows * map->columns, 1);
  double size = fmax(fabs(r.low), fabs(r.high));
  if (!(r.low <= r.high))
    return (wy_range){0, 1};
  return r.high - r.low > 1e-9 * size ? r : wy_range_axis(r, 0);
}

static void draw_bar(const wy_page *p, wy_panel f, wy_range values) {
  double step = wy_tic_step(values, f.height, 30), size = fmax(fabs(values.low), fabs(values.high));
  int digits = (int)fmin(15, fmax(3, ceil(log10(size / step)) + 1));
  wy_panel_place(p, f);
  fputs("  set border 0; unset tics; unset xlabel; unset label 1; unset label 3; unset label 4\n", p->out);
  fprintf(
      p->out,
      "  set xrange [0:1]; set y2range [%.9g:%.9g]; set y2tics %.9g scale 0 tc rgb '%s'\n  set format y2 '%%.%dg'\n",
      values.low, values.high, step, wy_ink, digits);
  fprintf(p->out, "  set cbrange [0:1]\n  plot $bar matrix using (0.25 + 0.5*$1):(%.9g + %.9g*($2 + 0.5)):3 axes x1y2 ",
          values.low, (values.high - values.low) / BAR_CELLS);
  fputs("with image notitle\n  unset y2tics\n", p->out);
  wy_axes_style(p->out);
}

static void draw_map(const wy_page *p, const wy_plot_run *run, int r, int m, wy_panel f, bool labelled) {
  const wy_plot_rod *rod = &run->rods[r];
  const wy_plot_map *map = &rod->map[m];
  wy_range s = {0, rod->length}, values = range_of(map);
  double begin = run->time[0], end = run->time[run->snapshots - 1];
  char heading[160];
  snprintf(heading, sizeof heading, "%s%s%.100s", headings[m], run->rod_count > 1 ? " of " : "",
           run->rod_count > 1 ? rod->name : "");
  wy_panel_place(p, f);
  wy_panel_head(p, f, heading);
  wy_panel_time_axis(p, f, run->time, run->snapshots, labelled ? wy_label_time(run->analysis) : NULL);
  fputs("  set format y '%g'\n", p->out);
  wy_panel_y_axis(p, f, s, wy_tic_step(s, f.height, 30), "s", 60);
  fprintf(p->out, "  set palette defined (%s)\n  set cbrange [%.9g:%.9g]\n", viridis, values.low, values.high);
  fprintf(p->out, "  plot $%s%d matrix using (%.9g + %.9g*($1 + 0.5)):(%.9g*($2 + 0.5)):3 with image notitle",
          blocks[m], r, begin, (end - begin) / map->columns, rod->length / map->rows);
  wy_panel_end(p);
  draw_bar(p, (wy_panel){f.x + f.width + BAR_GAP, f.y, BAR, f.height}, values);
}

/* Of many rods not all are drawn. */
static void note_rods(const wy_page *p, const wy_plot_run *run, wy_panel f) {
  int drawn = 0;
  while (drawn < run->rod_count && run->rods[drawn].length > 0)
    drawn++;
  if (drawn < run->rod_count)
    fprintf(p->out, "  set label 4 'the first %d of %d rods' at screen %.5f, screen %.5f right tc rgb '%s'\n", drawn,
            run->rod_count, wy_page_across(f.x + f.width), wy_page_up(p, f.y - 15), wy_soft);
}

void wy_plot_maps_draw(wy_page *p, const wy_plot_run *run, int pair) {
  int left = wy_plot_maps_count(run, pair);
  wy_panel f = {WY_PAGE_LEFT, p->y, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT - SIDE, HEIGHT};
  note_rods(p, run, (wy_panel){f.x, f.y + WY_PANEL_HEAD, f.width, f.height});
  for (int r = 0; r < run->rod_count; r++)
    for (int m = pair; m < pair + 2; m++) {
      if (!run->rods[r].map[m].values)
        continue;
      f.y = p->y + WY_PANEL_HEAD;
      draw_map(p, run, r, m, f, --left == 0);
      p->y = f.y + f.height + (left == 0 ? WY_PANEL_FOOT : WY_PANEL_GAP);
    }
}
