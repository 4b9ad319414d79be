/* SPDX-License-Identifier: MIT */
/* Probes and energies of many runs: a panel for each component, below them the differences from the reference. */
#include <math.h>

#include "draw/compare/many_draw.h"
#include "run/results/file.h"

enum { VALUES_HEIGHT = WY_COMPARE_VALUES_HEIGHT, DIFFERENCE_HEIGHT = WY_COMPARE_VALUES_HEIGHT };

/* The course of one quantity in one run. */
typedef struct series {
  int count, components;
  const double *t, *part[4];
} series;

static series series_of(const wy_comparisons *c, const wy_compare_line *line, int run) {
  series s = {.count = 0};
  int pair = run - 1;
  for (int p = 0; p < c->count && run == 0 && pair < 0; p++)
    pair = line->of[p] ? p : -1;
  if (pair < 0 || !line->of[pair])
    return s;
  const wy_difference *d = line->of[pair];
  const wy_compare_run *of = &c->pair[pair].run[run > 0];
  const bool probe = d->kind == WY_COMPARED_PROBE;
  s = (series){.count = probe ? of->probes->rows : of->snapshots,
               .components = d->components,
               .t = probe ? of->probes->time : of->time};
  for (int k = 0; k < d->components; k++)
    s.part[k] = probe ? of->probes->list[d->index[run > 0]].values[k] : of->energies.values[d->index[run > 0]];
  return s;
}

static bool is_drawn(const wy_comparisons *c, const wy_compare_line *line, wy_compared kind) {
  bool drawn = false;
  for (int p = 0; p < c->count; p++)
    drawn = drawn || (line->of[p] && wy_compare_drawn(line->of[p], kind));
  return drawn;
}

static int components_of(const wy_comparisons *c, const wy_compare_line *line) {
  return series_of(c, line, 0).components;
}

static int block_of(const wy_comparisons *c, int line, int run, int component) {
  return 4 * (line * (c->count + 1) + run) + component;
}

void wy_compare_many_courses_data(FILE *out, const wy_comparisons *c, wy_compared kind) {
  for (int i = 0; i < c->line_count; i++) {
    if (!is_drawn(c, &c->lines[i], kind))
      continue;
    for (int run = 0; run <= c->count; run++) {
      const series s = series_of(c, &c->lines[i], run);
      for (int k = 0; k < s.components; k++)
        wy_panel_curve_data(out, "value", block_of(c, i, run, k), s.t, s.part[k], s.count);
    }
    for (int p = 0; p < c->count; p++)
      if (c->lines[i].of[p])
        wy_panel_curve_data(out, "difference", block_of(c, i, p + 1, 0), c->lines[i].of[p]->t,
                            c->lines[i].of[p]->distance, c->lines[i].of[p]->rows);
  }
}

double wy_compare_many_courses_height(const wy_comparisons *c, wy_compared kind) {
  double height = 0;
  for (int i = 0; i < c->line_count; i++)
    if (is_drawn(c, &c->lines[i], kind))
      height += components_of(c, &c->lines[i]) * (wy_compare_many_head(c) + VALUES_HEIGHT + WY_PANEL_GAP) +
                wy_compare_many_head(c) + DIFFERENCE_HEIGHT + WY_PANEL_FOOT;
  return height;
}

static void time_axis(const wy_page *p, wy_panel f, const wy_comparisons *c, const wy_compare_line *line,
                      const char *label) {
  wy_range r = wy_range_empty();
  for (int run = 0; run <= c->count; run++) {
    const series s = series_of(c, line, run);
    r = wy_range_widen(r, s.t, s.count, 1);
  }
  if (!(r.high > r.low))
    r.high = r.low + 1;
  wy_panel_x_axis(p, f, r, label);
}

static const char *axis_label(const wy_comparisons *c, const wy_compare_line *line) {
  for (int p = 0; p < c->count && line->kind == WY_COMPARED_PROBE; p++)
    if (line->of[p])
      return c->pair[p].run[0].probe_labels[line->of[p]->index[0]];
  return "energy";
}

static void draw_values(wy_page *p, const wy_comparisons *c, int i, int component) {
  const wy_compare_line *line = &c->lines[i];
  const wy_difference *any = NULL;
  wy_panel f = wy_panel_next(p, wy_compare_many_head(c), VALUES_HEIGHT);
  wy_range r = wy_range_empty();
  bool first = true;
  for (int k = 0; k < c->count; k++)
    any = line->of[k] ? line->of[k] : any;
  for (int run = 0; run <= c->count; run++) {
    const series s = series_of(c, line, run);
    r = wy_range_widen(r, s.part[component], s.count, 1);
  }
  wy_text name = {0};
  wy_text_add(&name, "%s%s%s", line->name, any->label[component][0] ? "." : "", any->label[component]);
  wy_panel_place(p, f);
  wy_compare_many_heading(p, f, c, name.data ? name.data : line->name);
  wy_text_free(&name);
  time_axis(p, f, c, line, NULL);
  /* Components that are nothing but round-off of the others are level lines. */
  wy_panel_value_axis(p, f, wy_range_axis(r, 1e-9 * any->scale), axis_label(c, line));
  for (int run = 0; run <= c->count; run++) {
    wy_curve curve = wy_compare_many_style(run);
    curve.block = "value";
    curve.index = block_of(c, i, run, component);
    curve.count = series_of(c, line, run).count;
    if (curve.count > 0)
      wy_panel_curve(p, &first, &curve);
  }
  wy_compare_many_legend(p, c, 0);
  wy_panel_end(p);
  p->y = f.y + f.height + WY_PANEL_GAP;
}

/* The strictest tolerance of all pairs, or 0. */
static double limit_of(const wy_comparisons *c, const wy_compare_line *line) {
  double limit = INFINITY;
  for (int p = 0; p < c->count; p++)
    if (line->of[p])
      limit = fmin(limit, wy_compare_limit(&c->pair[p], line->of[p]));
  return isfinite(limit) ? limit : 0;
}

static void draw_differences(wy_page *p, const wy_comparisons *c, int i) {
  const wy_compare_line *line = &c->lines[i];
  wy_panel f = wy_panel_next(p, wy_compare_many_head(c), DIFFERENCE_HEIGHT);
  wy_range r = wy_range_empty();
  for (int k = 0; k < c->count; k++)
    if (line->of[k])
      r = wy_compare_positive(r, line->of[k]->distance, line->of[k]->rows);
  wy_panel_place(p, f);
  wy_compare_many_heading(p, f, c, components_of(c, line) > 1 ? "Norm of the difference from A" : "Difference from A");
  time_axis(p, f, c, line, wy_label_time(c->pair[0].run[0].analysis));
  double limit = limit_of(c, line);
  const bool logarithmic = wy_compare_difference_axis(p, f, r, &limit, "difference");
  bool first = true;
  for (int k = 0; k < c->count; k++) {
    wy_curve curve = wy_compare_many_style(k + 1);
    curve.block = "difference";
    curve.index = block_of(c, i, k + 1, 0);
    curve.count = line->of[k] ? line->of[k]->rows : 0;
    if (curve.count > 0)
      wy_panel_curve(p, &first, &curve);
  }
  wy_compare_many_legend(p, c, 1);
  wy_compare_draw_limit(p, limit);
  wy_compare_end_difference(p, logarithmic);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

void wy_compare_many_courses_draw(wy_page *p, const wy_comparisons *c, wy_compared kind) {
  for (int i = 0; i < c->line_count; i++) {
    if (!is_drawn(c, &c->lines[i], kind))
      continue;
    for (int k = 0; k < components_of(c, &c->lines[i]); k++)
      draw_values(p, c, i, k);
    draw_differences(p, c, i);
  }
}
