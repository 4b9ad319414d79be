/* SPDX-License-Identifier: MIT */
/* Pictures of probes and energies of both runs. Under every panel with both is one with their difference. */
#include <math.h>
#include <stdio.h>

#include "draw/compare/draw.h"

enum { ENERGY_HEIGHT = 220, VALUES_HEIGHT = WY_COMPARE_VALUES_HEIGHT };

/* The times of both runs. */
static void time_axis(const wy_page *p, wy_panel f, const wy_comparison *c, bool snapshots, const char *label) {
  wy_range r = wy_range_empty();
  for (int side = 0; side < 2; side++) {
    const wy_compare_run *run = &c->run[side];
    if (snapshots)
      r = wy_range_widen(r, run->time, run->snapshots, 1);
    else
      r = wy_range_widen(r, run->probes->time, run->probes->rows, 1);
  }
  if (!(r.high > r.low))
    r.high = r.low + 1;
  wy_panel_x_axis(p, f, r, label);
}

/* ---- Probes ---- */

static const double *column_of(const wy_comparison *c, const wy_difference *d, int side, int k) {
  return c->run[side].probes->list[d->index[side]].values[k];
}

void wy_compare_probes_data(FILE *out, const wy_comparison *c) {
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (!wy_compare_drawn(d, WY_COMPARED_PROBE))
      continue;
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < d->components; k++)
        wy_panel_curve_data(out, side == 0 ? "a" : "b", 4 * i + k, c->run[side].probes->time, column_of(c, d, side, k),
                            c->run[side].probes->rows);
    wy_panel_curve_data(out, "difference", i, d->t, d->distance, d->rows);
  }
}

double wy_compare_probes_height(const wy_comparison *c) {
  return wy_compare_count_drawn(c, WY_COMPARED_PROBE) *
         (2.0 * WY_PANEL_HEAD + VALUES_HEIGHT + WY_COMPARE_DIFFERENCE_HEIGHT + WY_PANEL_GAP + WY_PANEL_FOOT);
}

static void draw_values(wy_page *p, const wy_comparison *c, int i) {
  const wy_difference *d = &c->differences[i];
  wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, VALUES_HEIGHT);
  wy_range r = wy_range_empty();
  bool first = true;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < d->components; k++)
      r = wy_range_widen(r, column_of(c, d, side, k), c->run[side].probes->rows, 1);
  wy_panel_place(p, f);
  wy_panel_head(p, f, d->name);
  time_axis(p, f, c, false, NULL);
  wy_panel_value_axis(p, f, wy_range_axis(r, 0), c->run[0].probe_labels[d->index[0]]);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < d->components; k++)
      wy_panel_curve(p, &first,
                     &(wy_curve){side == 0 ? "a" : "b", 4 * i + k, c->run[side].probes->rows,
                                 side == 1 && d->label[k][0] ? d->label[k] : NULL, wy_compare_colour(k, side),
                                 wy_compare_width(side), 1});
  wy_compare_legend(p);
  wy_panel_end(p);
  p->y = f.y + f.height + WY_PANEL_GAP;
}

static void draw_difference(wy_page *p, const wy_comparison *c, int i) {
  const wy_difference *d = &c->differences[i];
  wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, WY_COMPARE_DIFFERENCE_HEIGHT);
  wy_panel_place(p, f);
  wy_panel_head(p, f, d->components > 1 ? "Difference: norm of B - A" : "Difference: |B - A|");
  time_axis(p, f, c, false, wy_label_time(c->run[0].analysis));
  double limit = wy_compare_limit(c, d);
  bool logarithmic = wy_compare_difference_axis(p, f, wy_compare_positive(wy_range_empty(), d->distance, d->rows),
                                                &limit, "difference");
  bool first = true;
  wy_panel_curve(p, &first, &(wy_curve){"difference", i, d->rows, NULL, wy_ink, 1.4, 1});
  wy_compare_draw_limit(p, limit);
  wy_compare_end_difference(p, logarithmic);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

void wy_compare_probes_draw(wy_page *p, const wy_comparison *c) {
  for (int i = 0; i < c->count; i++)
    if (wy_compare_drawn(&c->differences[i], WY_COMPARED_PROBE)) {
      draw_values(p, c, i);
      draw_difference(p, c, i);
    }
}

/* ---- Energies ---- */

void wy_compare_energies_data(FILE *out, const wy_comparison *c) {
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (!wy_compare_drawn(d, WY_COMPARED_ENERGY))
      continue;
    for (int side = 0; side < 2; side++)
      wy_panel_curve_data(out, side == 0 ? "energya" : "energyb", i, c->run[side].time,
                          c->run[side].energies.values[d->index[side]], c->run[side].snapshots);
    wy_panel_curve_data(out, "difference", i, d->t, d->distance, d->rows);
  }
}

double wy_compare_energies_height(const wy_comparison *c) {
  (void)c;
  return 2.0 * WY_PANEL_HEAD + ENERGY_HEIGHT + VALUES_HEIGHT + WY_PANEL_GAP + WY_PANEL_FOOT;
}

/* The colours of all pictures; those of A are half transparent. */
static const char *energy_colour(int energy, int side, char text[12]) {
  snprintf(text, 12, side == 0 ? "#90%s" : "#%s", wy_energy_styles[energy].colour + 1);
  return text;
}

static void draw_both(wy_page *p, const wy_comparison *c) {
  wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, ENERGY_HEIGHT);
  wy_range r = wy_range_empty();
  bool first = true;
  char colour[12];
  for (int i = 0; i < c->count; i++)
    for (int side = 0; side < 2 && wy_compare_drawn(&c->differences[i], WY_COMPARED_ENERGY); side++)
      r = wy_range_widen(r, c->run[side].energies.values[c->differences[i].index[side]], c->run[side].snapshots, 1);
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Energies");
  fputs("  set key width -2\n", p->out);
  time_axis(p, f, c, true, NULL);
  wy_panel_value_axis(p, f, wy_range_axis(r, 0), "energy");
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < c->count; i++) {
      const wy_difference *d = &c->differences[i];
      if (wy_compare_drawn(d, WY_COMPARED_ENERGY))
        wy_panel_curve(p, &first,
                       &(wy_curve){side == 0 ? "energya" : "energyb", i, c->run[side].snapshots,
                                   side == 1 ? wy_energy_name(d->index[1]) : NULL,
                                   energy_colour(d->index[side], side, colour), wy_compare_width(side), 1});
    }
  wy_compare_legend(p);
  wy_panel_end(p);
  fputs("  set key width 0\n", p->out);
  p->y = f.y + f.height + WY_PANEL_GAP;
}

static void draw_energy_differences(wy_page *p, const wy_comparison *c) {
  wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, VALUES_HEIGHT);
  wy_range differences = wy_range_empty();
  double limit = 0;
  char colour[12];
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (!wy_compare_drawn(d, WY_COMPARED_ENERGY))
      continue;
    differences = wy_compare_positive(differences, d->distance, d->rows);
    limit = wy_compare_limit(c, d);
  }
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Differences: |B - A|");
  time_axis(p, f, c, true, wy_label_time(c->run[0].analysis));
  bool logarithmic = wy_compare_difference_axis(p, f, differences, &limit, "difference");
  bool first = true;
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (wy_compare_drawn(d, WY_COMPARED_ENERGY))
      wy_panel_curve(p, &first,
                     &(wy_curve){"difference", i, d->rows, NULL, energy_colour(d->index[1], 1, colour), 1.4, 1});
  }
  wy_compare_draw_limit(p, limit);
  wy_compare_end_difference(p, logarithmic);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

void wy_compare_energies_draw(wy_page *p, const wy_comparison *c) {
  draw_both(p, c);
  draw_energy_differences(p, c);
}
