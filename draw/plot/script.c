/* SPDX-License-Identifier: MIT */
/* The gnuplot script of a run: data blocks first, then every picture as a column of panels. */
#include <math.h>

#include "draw/picture.h"
#include "draw/plot/bands.h"
#include "draw/plot/courses.h"
#include "draw/plot/maps.h"
#include "draw/plot/shapes.h"
#include "draw/plot/snapshots.h"
#include "draw/plot/steps.h"
#include "draw/plot/strands.h"

/* A balance of energy is kept by motions only; one state has no course; and what is shown of it where there are modes
   is worth a picture if it is not the undeformed rod. */
unsigned wy_plot_kinds(const wy_plot_run *run) {
  unsigned kinds = 0;
  bool one_state = run->analysis != WY_DYNAMICS && run->analysis != WY_QUASISTATICS;
  if (run->mode_count > 0)
    kinds |= WY_PLOT_MODES;
  if (run->rod_count + run->body_count > 0 && (run->mode_count == 0 || run->deformed))
    kinds |= WY_PLOT_SNAPSHOTS | (one_state && run->rod_count > 0 ? WY_PLOT_FORCES : 0);
  if (run->strands_count > 0 && run->moments > 1)
    kinds |= WY_PLOT_STRANDS;
  for (int i = 0; i < run->strands_count; i++)
    if (run->strands[i].tips > 0 && run->moments > 1)
      kinds |= WY_PLOT_TIPS;
  if (run->bands.count > 0 && !one_state)
    kinds |= WY_PLOT_BANDS;
  if (wy_plot_maps_count(run, WY_PLOT_BENDING) > 0)
    kinds |= WY_PLOT_CURVATURE;
  if (wy_plot_maps_count(run, WY_PLOT_BENDING_MOMENT) > 0)
    kinds |= WY_PLOT_MOMENT;
  if (run->snapshots > 0 && run->rod_count + run->body_count > 0 && run->energies.values[WY_ENERGY_TOTAL] &&
      run->analysis == WY_DYNAMICS)
    kinds |= WY_PLOT_ENERGY;
  if (run->probes->rows > 0 && run->probes->count > 0 && !one_state)
    kinds |= WY_PLOT_PROBES;
  if (wy_plot_steps_present(run))
    kinds |= WY_PLOT_STEPS;
  return kinds;
}

/* ---- Maps, by the names of all other pictures ---- */

static void curvature_data(FILE *out, const wy_plot_run *run) {
  wy_plot_maps_data(out, run, WY_PLOT_BENDING);
}

static double curvature_height(const wy_plot_run *run) {
  return wy_plot_maps_height(run, WY_PLOT_BENDING);
}

static void draw_curvature(wy_page *page, const wy_plot_run *run) {
  wy_plot_maps_draw(page, run, WY_PLOT_BENDING);
}

static void moment_data(FILE *out, const wy_plot_run *run) {
  wy_plot_maps_data(out, run, WY_PLOT_BENDING_MOMENT);
}

static double moment_height(const wy_plot_run *run) {
  return wy_plot_maps_height(run, WY_PLOT_BENDING_MOMENT);
}

static void draw_moment(wy_page *page, const wy_plot_run *run) {
  wy_plot_maps_draw(page, run, WY_PLOT_BENDING_MOMENT);
}

/* ---- Pictures ---- */

/* What a kind of picture is made of; all kinds in the order in which they are drawn. */
static const struct part {
  void (*data)(FILE *out, const wy_plot_run *run);
  double (*height)(const wy_plot_run *run);
  void (*draw)(wy_page *page, const wy_plot_run *run);
  unsigned kinds; /* that need the data */
  wy_plot_kind kind;
} parts[] = {{wy_plot_modes_data, wy_plot_modes_height, wy_plot_modes_draw, WY_PLOT_MODES, WY_PLOT_MODES},
             {wy_plot_snapshots_data, wy_plot_snapshots_height, wy_plot_snapshots_draw,
              WY_PLOT_SNAPSHOTS | WY_PLOT_STRANDS | WY_PLOT_TIPS, WY_PLOT_SNAPSHOTS},
             {NULL, wy_plot_strands_height, wy_plot_strands_draw, 0, WY_PLOT_STRANDS},
             {wy_plot_tips_data, wy_plot_tips_height, wy_plot_tips_draw, WY_PLOT_TIPS, WY_PLOT_TIPS},
             {wy_plot_bands_data, wy_plot_bands_height, wy_plot_bands_draw, WY_PLOT_BANDS, WY_PLOT_BANDS},
             {wy_plot_forces_data, wy_plot_forces_height, wy_plot_forces_draw, WY_PLOT_FORCES, WY_PLOT_FORCES},
             {curvature_data, curvature_height, draw_curvature, WY_PLOT_CURVATURE, WY_PLOT_CURVATURE},
             {moment_data, moment_height, draw_moment, WY_PLOT_MOMENT, WY_PLOT_MOMENT},
             {wy_plot_energy_data, wy_plot_energy_height, wy_plot_energy_draw, WY_PLOT_ENERGY, WY_PLOT_ENERGY},
             {wy_plot_probes_data, wy_plot_probes_height, wy_plot_probes_draw, WY_PLOT_PROBES, WY_PLOT_PROBES},
             {wy_plot_steps_data, wy_plot_steps_height, wy_plot_steps_draw, WY_PLOT_STEPS, WY_PLOT_STEPS}};
enum { PARTS = sizeof parts / sizeof *parts };

static void draw_picture(FILE *out, const wy_plot_run *run, const wy_plot_picture *picture) {
  double height = WY_TITLE_HEIGHT;
  for (int i = 0; i < PARTS; i++)
    if (picture->kinds & parts[i].kind)
      height += parts[i].height(run);
  wy_page page = {out, ceil(height), WY_TITLE_HEIGHT};
  wy_picture_begin(&page, picture->name, run->title);
  for (int i = 0; i < PARTS; i++)
    if (picture->kinds & parts[i].kind)
      parts[i].draw(&page, run);
  wy_picture_end(&page);
}

void wy_plot_script(FILE *out, const wy_plot_run *run, const wy_plot_picture *pictures, int count,
                    const char *formats) {
  unsigned kinds = 0;
  for (int i = 0; i < count; i++)
    kinds |= pictures[i].kinds;
  wy_script_begin(out, "plot");
  for (int i = 0; i < PARTS; i++)
    if (kinds & parts[i].kinds)
      parts[i].data(out, run);
  wy_script_pictures(out, formats);
  for (int i = 0; i < count; i++)
    draw_picture(out, run, &pictures[i]);
  wy_script_end(out);
}
