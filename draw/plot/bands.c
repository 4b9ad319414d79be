/* SPDX-License-Identifier: MIT */
#include "draw/plot/bands.h"

#include <math.h>

enum { HEIGHT = 170 };

static const char outer[] = "#cfe3f1", inner[] = "#8fc0df", middle[] = "#0072b2";

static void put_number(FILE *out, double value) {
  if (isfinite(value))
    fprintf(out, " %.9g", value);
  else
    fputs(" NaN", out);
}

/* A line: time, the quantiles, the courses of single rods. */
void wy_plot_bands_data(FILE *out, const wy_plot_run *run) {
  for (int i = 0; i < run->bands.count; i++) {
    const wy_band *band = &run->bands.list[i];
    fprintf(out, "# %s: t, quantiles of 5, 25, 50, 75 and 95 %%, single rods\n$band%d << EOD\n", band->title, i);
    for (int k = 0; k < band->count; k++) {
      fprintf(out, "%.9g", band->time[k]);
      for (int q = 0; q < WY_BAND_QUANTILES; q++)
        put_number(out, band->quantile[q][k]);
      for (int c = 0; c < band->courses; c++)
        put_number(out, band->course[c][k]);
      fputs("\n", out);
    }
    fputs("EOD\n", out);
  }
}

double wy_plot_bands_height(const wy_plot_run *run) {
  return run->bands.count * (WY_PANEL_HEAD + HEIGHT + WY_PANEL_GAP) - WY_PANEL_GAP + WY_PANEL_FOOT;
}

static wy_range range_of(const wy_band *band) {
  wy_range r = wy_range_empty();
  for (int q = 0; q < WY_BAND_QUANTILES; q++)
    r = wy_range_widen(r, band->quantile[q], band->count, 1);
  for (int c = 0; c < band->courses; c++)
    r = wy_range_widen(r, band->course[c], band->count, 1);
  return r;
}

static void draw_band(wy_page *p, const wy_plot_run *run, int i) {
  const wy_band *band = &run->bands.list[i];
  const bool last = i == run->bands.count - 1;
  wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, HEIGHT);
  char head[160];
  snprintf(head, sizeof head, "%.100s, %d rods", band->title, band->rods);
  wy_panel_place(p, f);
  wy_panel_head(p, f, head);
  wy_panel_time_axis(p, f, band->time, band->count, last ? wy_label_time(run->analysis) : NULL);
  wy_panel_value_axis(p, f, wy_range_axis(range_of(band), 0), band->label);
  fprintf(p->out, "  plot $band%d using 1:2:6 with filledcurves fc rgb '%s' fs solid noborder title '90 %%'", i, outer);
  fprintf(p->out, ", \\\n       $band%d using 1:3:5 with filledcurves fc rgb '%s' fs solid noborder title '50 %%'", i,
          inner);
  for (int c = 0; c < band->courses; c++)
    fprintf(p->out, ", \\\n       $band%d using 1:%d with lines lc rgb '%s' lw 0.7 %s", i, 2 + WY_BAND_QUANTILES + c,
            wy_ink, c == 0 ? "title 'single rods'" : "notitle");
  fprintf(p->out, ", \\\n       $band%d using 1:4 with lines lc rgb '%s' lw 2.2 title 'median'", i, middle);
  wy_panel_end(p);
  p->y = f.y + f.height + (last ? WY_PANEL_FOOT : WY_PANEL_GAP);
}

void wy_plot_bands_draw(wy_page *p, const wy_plot_run *run) {
  for (int i = 0; i < run->bands.count; i++)
    draw_band(p, run, i);
}
