/* SPDX-License-Identifier: MIT */
/* Probes and energies over time. */
#include "draw/plot/courses.h"

/* ---- Probes ---- */

enum { PROBE_HEIGHT = 128 };

void wy_plot_probes_data(FILE *out, const wy_plot_run *run) {
  for (int i = 0; i < run->probes->count; i++)
    for (int k = 0; k < run->probes->list[i].components; k++)
      wy_panel_curve_data(out, "probe", 4 * i + k, run->probes->time, run->probes->list[i].values[k],
                          run->probes->rows);
}

double wy_plot_probes_height(const wy_plot_run *run) {
  return run->probes->count * (WY_PANEL_HEAD + PROBE_HEIGHT + WY_PANEL_GAP) - WY_PANEL_GAP + WY_PANEL_FOOT;
}

void wy_plot_probes_draw(wy_page *p, const wy_plot_run *run) {
  for (int i = 0; i < run->probes->count; i++) {
    const wy_probe_values *probe = &run->probes->list[i];
    bool last = i == run->probes->count - 1;
    wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, PROBE_HEIGHT);
    wy_range r = wy_range_empty();
    for (int k = 0; k < probe->components; k++)
      r = wy_range_widen(r, probe->values[k], run->probes->rows, 1);
    wy_panel_place(p, f);
    wy_panel_head(p, f, probe->name);
    wy_panel_time_axis(p, f, run->probes->time, run->probes->rows, last ? wy_label_time(run->analysis) : NULL);
    wy_panel_value_axis(p, f, wy_range_axis(r, 0), run->probe_labels[i]);
    bool first = true;
    for (int k = 0; k < probe->components; k++) {
      const char *colour = wy_component_colours[probe->label[k][0] == 'w' ? 3 : probe->label[0][0] == 'w' ? k - 1 : k];
      const char *title = probe->label[k][0] ? probe->label[k] : NULL;
      wy_panel_curve(p, &first, &(wy_curve){"probe", 4 * i + k, run->probes->rows, title, colour, 1.6, 1});
    }
    wy_panel_end(p);
    p->y = f.y + f.height + (last ? WY_PANEL_FOOT : WY_PANEL_GAP);
  }
}

/* ---- Energies ---- */

enum { ENERGY_HEIGHT = 250, BALANCE_HEIGHT = 90 };

void wy_plot_energy_data(FILE *out, const wy_plot_run *run) {
  for (int i = 0; i < WY_ENERGIES; i++)
    if (run->energies.values[i])
      wy_panel_curve_data(out, "energy", i, run->time, run->energies.values[i], run->snapshots);
  wy_panel_curve_data(out, "balance", 0, run->time, run->balance, run->snapshots);
}

double wy_plot_energy_height(const wy_plot_run *run) {
  (void)run;
  return WY_PANEL_HEAD + ENERGY_HEIGHT + WY_PANEL_GAP + WY_PANEL_HEAD + BALANCE_HEIGHT + WY_PANEL_FOOT;
}

void wy_plot_energy_draw(wy_page *p, const wy_plot_run *run) {
  wy_panel f = wy_panel_next(p, WY_PANEL_HEAD, ENERGY_HEIGHT);
  wy_range r = wy_range_empty();
  for (int i = 0; i < WY_ENERGIES; i++)
    if (run->energies.values[i])
      r = wy_range_widen(r, run->energies.values[i], run->snapshots, 1);
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Energies");
  fputs("  set key width -2\n", p->out);
  wy_panel_time_axis(p, f, run->time, run->snapshots, NULL);
  wy_panel_value_axis(p, f, wy_range_axis(r, 0), "energy");
  bool first = true;
  for (int i = 0; i < WY_ENERGIES; i++) {
    const wy_energy_style *style = &wy_energy_styles[i];
    if (run->energies.values[i])
      wy_panel_curve(
          p, &first,
          &(wy_curve){"energy", i, run->snapshots, wy_energy_name(i), style->colour, style->width, style->dash});
  }
  wy_panel_end(p);
  fputs("  set key width 0\n", p->out);

  f.y += f.height + WY_PANEL_GAP + WY_PANEL_HEAD;
  f.height = BALANCE_HEIGHT;
  r = wy_range_widen(wy_range_empty(), run->balance, run->snapshots, 1);
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Error of the balance: total - total at the start - work + dissipated");
  wy_panel_time_axis(p, f, run->time, run->snapshots, wy_label_time(run->analysis));
  wy_panel_value_axis(p, f, wy_range_axis(r, 1e-300), "energy");
  first = true;
  wy_panel_curve(p, &first, &(wy_curve){"balance", 0, run->snapshots, NULL, wy_soft, 1.4, 1});
  wy_panel_end(p);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}
