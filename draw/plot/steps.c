/* SPDX-License-Identifier: MIT */
#include "draw/plot/steps.h"

#include <math.h>
#include <string.h>

enum { SIZE_HEIGHT = 170, NEWTON_HEIGHT = 110 };

static bool sizes_vary(const wy_plot_run *run) {
  bool vary = false;
  for (int i = 0; i < run->steps_count; i++)
    vary = vary || (run->steps[i].count > 0 && !run->steps[i].fixed);
  return vary;
}

/* Explicit methods and Rosenbrock methods have none. */
static bool iterates(const wy_plot_steps *steps) {
  wy_range r = wy_range_widen(wy_range_empty(), steps->newton, steps->count, 1);
  return r.high > 0;
}

static bool any_iterates(const wy_plot_run *run) {
  bool any = false;
  for (int i = 0; i < run->steps_count; i++)
    any = any || iterates(&run->steps[i]);
  return any;
}

bool wy_plot_steps_present(const wy_plot_run *run) {
  return sizes_vary(run) || any_iterates(run);
}

/* ---- data ---- */

static void write_stairs(FILE *out, const char *block, int index, const wy_plot_stairs *s) {
  wy_panel_curve_data(out, block, index, s->x, s->y, s->count);
}

void wy_plot_steps_data(FILE *out, const wy_plot_run *run) {
  for (int i = 0; i < run->steps_count; i++) {
    const wy_plot_steps *steps = &run->steps[i];
    if (steps->count == 0)
      continue;
    write_stairs(out, "step", i, &steps->sizes);
    if (steps->failed.count > 0)
      write_stairs(out, "rejected", i, &steps->failed);
    write_stairs(out, "newton", i, &steps->smooth);
  }
}

/* ---- panels ---- */

/* The names of several rods stand below the heading. */
static double legend_height(const wy_plot_run *run) {
  size_t longest = strlen("rejected");
  for (int i = 0; i < run->steps_count; i++)
    longest = strlen(run->steps[i].rod) > longest ? strlen(run->steps[i].rod) : longest;
  return wy_legend_height(WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT, run->steps_count + 1, longest);
}

static double head_height(const wy_plot_run *run) {
  return run->steps_count > 1 ? WY_PANEL_HEAD + legend_height(run) : WY_PANEL_HEAD;
}

double wy_plot_steps_height(const wy_plot_run *run) {
  bool sizes = sizes_vary(run), newton = any_iterates(run);
  return (sizes ? head_height(run) + SIZE_HEIGHT : 0) + (sizes && newton ? WY_PANEL_GAP : 0) +
         (newton ? (sizes ? WY_PANEL_HEAD : head_height(run)) + NEWTON_HEIGHT : 0) + WY_PANEL_FOOT;
}

/* Heading, with the legend right of it or, for several rods, below it. */
static void head(const wy_page *p, const wy_plot_run *run, wy_panel f, const char *what, bool legend) {
  char text[160];
  int used = snprintf(text, sizeof text, "%s", what);
  if (legend && run->steps_count < run->rod_count)
    snprintf(text + used, sizeof text - (size_t)used, "; the %d of %d rods with most steps", run->steps_count,
             run->rod_count);
  wy_panel_head(p, f, "");
  if (legend && run->steps_count > 1) {
    wy_legend_place(p, f, legend_height(run));
    f.y -= legend_height(run);
  }
  fputs("  set label 1 ", p->out);
  wy_panel_quote(p->out, text);
  fprintf(p->out, " at screen %.5f, screen %.5f\n", wy_page_across(f.x), wy_page_up(p, f.y - 15));
}

static void stairs_axis(const wy_page *p, const wy_plot_run *run, wy_panel f, bool labelled) {
  wy_range r = wy_range_empty();
  for (int i = 0; i < run->steps_count; i++) {
    r = wy_range_widen(r, run->steps[i].from, run->steps[i].count, 1);
    r = wy_range_widen(r, run->steps[i].to, run->steps[i].count, 1);
  }
  wy_panel_x_axis(p, f, r, labelled ? wy_label_time(run->analysis) : NULL);
}

/* Powers of ten, with 2 and 5 between them where there is room. */
static void log_axis(const wy_page *p, wy_panel f, wy_range r, const char *label) {
  static const int digits[3] = {1, 2, 5};
  double middle = sqrt(r.low * r.high), factor = fmax(1.3 * sqrt(r.high / r.low), 2);
  r = (wy_range){middle / factor, middle * factor};
  int first = (int)floor(log10(r.low)), last = (int)ceil(log10(r.high));
  double decade = f.height / log10(r.high / r.low); /* pixels */
  int skip = decade < 18 ? (int)ceil(18 / decade) : 1, count = 0;
  wy_panel_y_axis(p, f, r, 1, label, 72);
  fputs("  set logscale y; set format y '%g'; set ytics (", p->out);
  for (int power = first; power <= last; power++)
    for (int d = 0; d < (decade > 55 ? 3 : 1); d++)
      if (power % skip == 0)
        fprintf(p->out, "%s%de%d", count++ ? ", " : "", digits[d], power);
  fputs(")\n", p->out);
}

/* The stairs of all rods that have any. */
static void draw_stairs(const wy_page *p, const wy_plot_run *run, const char *block, bool iterating, bool named,
                        bool *first) {
  for (int i = 0; i < run->steps_count; i++) {
    const wy_plot_steps *steps = &run->steps[i];
    char colour[8];
    wy_rod_shade(i, 0.6, colour);
    if (steps->count > 0 && (!iterating || iterates(steps)))
      wy_panel_curve(
          p, first,
          &(wy_curve){block, i, 2 * steps->count, named && run->steps_count > 1 ? steps->rod : NULL, colour, 1.6, 1});
  }
}

static void draw_sizes(wy_page *p, const wy_plot_run *run, bool last) {
  wy_panel f = wy_panel_next(p, head_height(run), SIZE_HEIGHT);
  wy_range r = wy_range_empty();
  for (int i = 0; i < run->steps_count; i++)
    r = wy_range_widen(r, run->steps[i].size, run->steps[i].count, 1);
  wy_panel_place(p, f);
  head(p, run, f, "Step size, mean between output times", true);
  stairs_axis(p, run, f, last);
  log_axis(p, f, r, "step size");
  bool first = true, titled = false;
  draw_stairs(p, run, "step", false, true, &first);
  for (int i = 0; i < run->steps_count; i++) {
    if (run->steps[i].failed.count == 0)
      continue;
    fprintf(p->out, ", \\\n       $rejected%d using 1:2 with points pt 7 ps 0.3 lc rgb '%s' %s", i,
            run->steps_count > 1 ? wy_ink : wy_component_colours[1], titled ? "notitle" : "title 'rejected'");
    titled = true;
  }
  wy_panel_end(p);
  fputs("  unset logscale y; set ytics autofreq\n", p->out);
  p->y = f.y + f.height + (last ? WY_PANEL_FOOT : WY_PANEL_GAP);
}

static void draw_newton(wy_page *p, const wy_plot_run *run, bool alone) {
  double above = alone ? head_height(run) : WY_PANEL_HEAD;
  wy_panel f = wy_panel_next(p, above, NEWTON_HEIGHT);
  wy_range r = wy_range_empty();
  for (int i = 0; i < run->steps_count; i++)
    if (iterates(&run->steps[i]))
      r = wy_range_widen(r, run->steps[i].smooth.y, run->steps[i].smooth.count, 1);
  wy_panel_place(p, f);
  head(p, run, f, "Newton iterations per accepted step, smoothed", alone);
  stairs_axis(p, run, f, true);
  wy_panel_value_axis(p, f, wy_range_axis(r, 0), "iterations");
  bool first = true;
  draw_stairs(p, run, "newton", true, alone, &first);
  wy_panel_end(p);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

void wy_plot_steps_draw(wy_page *p, const wy_plot_run *run) {
  bool sizes = sizes_vary(run), newton = any_iterates(run);
  if (sizes)
    draw_sizes(p, run, !newton);
  if (newton)
    draw_newton(p, run, !sizes);
}
