/* SPDX-License-Identifier: MIT */
/* The picture of modes: the values of both runs, and their relative difference. */
#include <stdio.h>
#include <string.h>

#include "draw/compare/draw.h"

enum { MAX_NUMBERED = 20 };

/* The values of one column of the table: number, A, B and the relative difference. */
void wy_compare_modes_data(FILE *out, const wy_comparison *c) {
  for (int column = 1; column < c->run[0].mode_columns; column++) {
    fprintf(out, "$mode%d << EOD\n", column);
    for (int i = 0; i < c->count; i++) {
      const wy_difference *d = &c->differences[i];
      if (d->kind == WY_COMPARED_MODE && d->index[0] == column)
        fprintf(out, "%g %.9g %.9g %.9g\n", d->t[0], d->value[0][0][0], d->value[1][0][0], wy_difference_relative(d));
    }
    fputs("EOD\n", out);
  }
}

double wy_compare_modes_height(const wy_comparison *c) {
  return (c->run[0].mode_columns - 1) *
         (2.0 * WY_PANEL_HEAD + WY_COMPARE_VALUES_HEIGHT + WY_COMPARE_DIFFERENCE_HEIGHT + WY_PANEL_GAP + WY_PANEL_FOOT);
}

static void number_modes(const wy_page *p, wy_range numbers) {
  if (numbers.high - numbers.low <= MAX_NUMBERED)
    fputs("  set xtics 1\n", p->out);
}

/* What one column of the table shows. */
typedef struct column {
  int index;
  const char *name;
  wy_range numbers, values, differences;
} column;

static column find_column(const wy_comparison *c, int index) {
  const char *name = c->run[0].modes->name[index];
  column out = {index, strcmp(name, "damping_ratio") == 0 ? "damping ratio" : name, wy_range_empty(), wy_range_empty(),
                wy_range_empty()};
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (d->kind != WY_COMPARED_MODE || d->index[0] != index)
      continue;
    double relative = wy_difference_relative(d);
    out.numbers = wy_range_widen(out.numbers, d->t, 1, 1);
    out.values = wy_range_widen(wy_range_widen(out.values, d->value[0][0], 1, 1), d->value[1][0], 1, 1);
    out.differences = wy_compare_positive(out.differences, &relative, 1);
  }
  out.numbers = (wy_range){out.numbers.low - 0.5, out.numbers.high + 0.5};
  return out;
}

static void draw_values(wy_page *p, const column *of) {
  wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, WY_COMPARE_VALUES_HEIGHT);
  wy_panel_place(p, f);
  wy_panel_head(p, f, of->name);
  wy_panel_x_axis(p, f, of->numbers, NULL);
  wy_panel_value_axis(p, f, wy_range_axis(of->values, 0), of->name);
  number_modes(p, of->numbers);
  fprintf(p->out, "  plot $mode%d using 1:2 with points pt 6 ps 1.5 lw 2 lc rgb '%s' title 'A'", of->index,
          wy_compare_colour(0, 1));
  fprintf(p->out, ", \\\n       $mode%d using 1:3 with points pt 7 ps 0.6 lc rgb '%s' title 'B'", of->index,
          wy_compare_colour(1, 1));
  wy_panel_end(p);
  p->y = f.y + f.height + WY_PANEL_GAP;
}

static void draw_differences(wy_page *p, const wy_comparison *c, const column *of) {
  wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, WY_COMPARE_DIFFERENCE_HEIGHT);
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Difference: |B - A| over the scale");
  wy_panel_x_axis(p, f, of->numbers, "mode");
  double limit = c->absolute < 0 ? c->relative : 0;
  bool logarithmic = wy_compare_difference_axis(p, f, of->differences, &limit, "relative");
  number_modes(p, of->numbers);
  fprintf(p->out, "  plot $mode%d using 1:4 with points pt 7 ps 0.7 lc rgb '%s' notitle", of->index, wy_ink);
  wy_compare_draw_limit(p, limit);
  wy_compare_end_difference(p, logarithmic);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

void wy_compare_modes_draw(wy_page *p, const wy_comparison *c) {
  for (int index = 1; index < c->run[0].mode_columns; index++) {
    column of = find_column(c, index);
    draw_values(p, &of);
    draw_differences(p, c, &of);
  }
}
