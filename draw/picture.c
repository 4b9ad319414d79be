/* SPDX-License-Identifier: MIT */
#include "draw/picture.h"

#include <math.h>

enum { MAX_POINTS = 400 /* of a line */ };

void wy_script_begin(FILE *out, const char *verb) {
  fprintf(out,
          "# Made by withy %s, with the data inside. Run gnuplot on it in the folder for the pictures.\n"
          "set encoding utf8\n",
          verb);
}

void wy_script_pictures(FILE *out, const char *formats) {
  fprintf(out, "set key samplen 1.4 font ',12' tc rgb '%s'\nunset colorbox\n", wy_ink);
  fprintf(out, "do for [format in '%s'] {\n", formats);
}

void wy_script_end(FILE *out) {
  fputs("}\n", out);
}

/* The terminal of PNG draws no more than this many pixels in a row or column. */
static const double tallest = 32000;

void wy_picture_begin(const wy_page *page, const char *name, const char *title) {
  FILE *out = page->out;
  double sharp = fmin(1.5, tallest / page->height);
  fprintf(out,
          "  if (format eq 'svg') {\n"
          "    set terminal svg size %d,%d noenhanced font 'sans-serif,13' background '#ffffff'\n"
          "  } else {\n"
          "    set terminal pngcairo size %d,%d noenhanced font 'Sans,13' fontscale %g linewidth %g pointscale %g "
          "background '#ffffff'\n"
          "  }\n",
          WY_PAGE_WIDTH, (int)page->height, (int)(WY_PAGE_WIDTH * sharp), (int)(page->height * sharp), 0.75 * sharp,
          sharp, sharp);
  fputs("  set output ", out);
  wy_panel_quote(out, name);
  fputs(".'.'.format\n  set multiplot\n", out);
  wy_axes_style(out);
  fputs("  set label 2 ", out);
  wy_panel_quote(out, title);
  fprintf(out, " at screen %.5f, screen %.5f left font ',17' tc rgb '%s'\n", wy_page_across(WY_PAGE_LEFT),
          wy_page_up(page, 26), wy_ink);
}

void wy_picture_end(const wy_page *page) {
  fputs("  unset multiplot\n  set output\n", page->out);
}

wy_projections wy_project(const wy_range extent[3], double beside) {
  wy_range shown[3];
  double size[3], span[3], largest = 0;
  for (int c = 0; c < 3; c++) {
    shown[c] = extent[c].low <= extent[c].high ? extent[c] : (wy_range){0, 0};
    size[c] = shown[c].high - shown[c].low;
    largest = fmax(largest, size[c]);
  }
  if (largest == 0)
    largest = 1;
  int flat = 0; /* the axis looked along; among equals the first one, so that z points up */
  for (int c = 0; c < 3; c++) {
    flat = size[c] < size[flat] ? c : flat;
    span[c] = 1.1 * fmax(size[c], 0.1 * largest);
  }
  wy_projections result = {.count = size[flat] > 0.05 * largest ? 2 : 1};
  result.view[0] = (wy_projection){.across = flat == 0 ? 1 : 0, .up = flat == 2 ? 1 : 2};
  /* The second view shows the flat axis; z stays upright. */
  result.view[1] = flat == 2 ? (wy_projection){.across = 0, .up = 2} : (wy_projection){.across = flat, .up = 2};

  double gap = 84, sum = 0, scale = 0, rise = 0, x = WY_PAGE_LEFT;
  double room = WY_PAGE_WIDTH - WY_PAGE_LEFT - beside - WY_PAGE_RIGHT - (result.count == 2 ? gap : 0);
  for (int i = 0; i < result.count; i++)
    sum += span[result.view[i].across];
  for (int i = 0; i < result.count; i++) {
    wy_projection *view = &result.view[i];
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
    wy_projection *view = &result.view[i];
    view->shown_across = wy_range_centred(shown[view->across], scale * view->width);
    view->shown_up = wy_range_centred(shown[view->up], scale * result.height);
  }
  return result;
}

void wy_line_points(FILE *out, const double *line, int points) {
  int stride = 1 + (points - 1) / MAX_POINTS;
  for (int i = 0; i < points; i++)
    if (i % stride == 0 || i == points - 1)
      fprintf(out, "%.7g %.7g %.7g\n", line[3 * i], line[3 * i + 1], line[3 * i + 2]);
  fputs("\n", out);
}

void wy_line_data(FILE *out, const double *line, int points) {
  wy_line_points(out, line, points);
  fputs("\n", out);
}

void wy_projection_axes(const wy_page *page, const wy_projection *view, wy_panel panel) {
  static const char *const axis[3] = {"x", "y", "z"};
  double step = fmin(wy_tic_step(view->shown_across, panel.width, 60), wy_tic_step(view->shown_up, panel.height, 60));
  wy_panel_place(page, panel);
  fprintf(page->out, "  set xrange [%.9g:%.9g]; set xtics %.9g; set format x '%%g'; set xlabel '%s'\n",
          view->shown_across.low, view->shown_across.high, step, axis[view->across]);
  wy_panel_y_axis(page, panel, view->shown_up, step, axis[view->up], 60);
}
