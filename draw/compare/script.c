/* SPDX-License-Identifier: MIT */
/* The gnuplot script of a comparison: data blocks first, then one picture each for centrelines, modes, probes and
   energies. */
#include <math.h>
#include <string.h>

#include "draw/compare/draw.h"
#include "draw/picture.h"
#include "run/results/file.h"

/* ---- What the pictures share ---- */

/* Those of A are half transparent. */
const char *wy_compare_colour(int index, int side) {
  static const char *const colours[WY_COMPARE_COLOURS][2] = {{"#900072b2", "#0072b2"}, {"#90d55e00", "#d55e00"},
                                                             {"#90009e73", "#009e73"}, {"#90cc79a7", "#cc79a7"},
                                                             {"#90e69f00", "#e69f00"}, {"#9056b4e9", "#56b4e9"}};
  return colours[index % WY_COMPARE_COLOURS][side];
}

double wy_compare_width(int side) {
  return side == 0 ? 4.5 : 1.3;
}

void wy_compare_legend(const wy_page *p) {
  fprintf(p->out, ", \\\n       NaN with lines lc rgb '#90222222' lw %g title 'A'", wy_compare_width(0));
  fprintf(p->out, ", \\\n       NaN with lines lc rgb '#222222' lw %g title 'B'", wy_compare_width(1));
}

bool wy_compare_drawn(const wy_difference *d, wy_compared kind) {
  return d->kind == kind && (d->rows > 1 || kind == WY_COMPARED_MODE);
}

int wy_compare_count_drawn(const wy_comparison *c, wy_compared kind) {
  int count = 0;
  for (int i = 0; i < c->count; i++)
    count += wy_compare_drawn(&c->differences[i], kind);
  return count;
}

/* ---- Differences ---- */

enum { DECADES = 6 };

bool wy_compare_difference_axis(const wy_page *p, wy_panel f, wy_range r, double *limit, const char *label) {
  if (!(r.high > 0)) {
    wy_panel_value_axis(p, f, (wy_range){-1, 1}, label);
    fputs("  set ytics ('0' 0)\n", p->out);
    *limit = 0;
    return false;
  }
  if (*limit < 1e-4 * r.high || *limit > 1e4 * r.high)
    *limit = 0;
  else
    r = wy_range_widen(r, limit, 1, 1);
  double top = ceil(log10(r.high) + 0.05), bottom = fmax(floor(log10(r.low)), top - DECADES);
  bottom = fmin(bottom, top - 1);
  double step = fmax(1, ceil((top - bottom) / 3));
  fputs("  set logscale y; set format y '%.0e'\n", p->out);
  wy_panel_y_axis(p, f, (wy_range){pow(10, bottom), pow(10, top)}, pow(10, step), label, 72);
  return true;
}

wy_range wy_compare_positive(wy_range r, const double *values, int count) {
  for (int i = 0; i < count; i++)
    if (values[i] > 0)
      r = wy_range_widen(r, &values[i], 1, 1);
  return r;
}

void wy_compare_end_difference(const wy_page *p, bool logarithmic) {
  wy_panel_end(p);
  if (logarithmic)
    fputs("  unset logscale y; set format y '%g'\n", p->out);
}

void wy_compare_draw_limit(const wy_page *p, double limit) {
  if (limit > 0)
    fprintf(p->out, ", \\\n       %.9g with lines lc rgb '%s' lw 1.2 dt '-' title 'tolerance'", limit, wy_soft);
}

/* ---- Pictures ---- */

enum { CENTRELINES, MODES, PROBES, ENERGIES };
static const struct picture {
  const char *name, *caption;
  void (*data)(FILE *out, const wy_comparison *c);
  double (*height)(const wy_comparison *c);
  void (*draw)(wy_page *page, const wy_comparison *c);
} pictures[WY_COMPARE_PICTURES] = {
    [CENTRELINES] = {"centrelines", "Centrelines", wy_compare_shapes_data, wy_compare_shapes_height,
                     wy_compare_shapes_draw},
    [MODES] = {"modes", "Modes", wy_compare_modes_data, wy_compare_modes_height, wy_compare_modes_draw},
    [PROBES] = {"probes", "Probes", wy_compare_probes_data, wy_compare_probes_height, wy_compare_probes_draw},
    [ENERGIES] = {"energies", "Energies", wy_compare_energies_data, wy_compare_energies_height,
                  wy_compare_energies_draw}};

static bool has_picture(const wy_comparison *c, int picture) {
  switch (picture) {
  case CENTRELINES:
    return c->moments > 0 && c->rod_count > 0 && !(c->run[0].modes && c->run[0].modes->rows > 0);
  case MODES:
    return wy_compare_count_drawn(c, WY_COMPARED_MODE) > 0;
  case PROBES:
    return wy_compare_count_drawn(c, WY_COMPARED_PROBE) > 0;
  default:
    return wy_compare_count_drawn(c, WY_COMPARED_ENERGY) > 0 && c->run[0].analysis == WY_DYNAMICS;
  }
}

int wy_compare_pictures(const wy_comparison *c, const char *names[WY_COMPARE_PICTURES],
                        const char *captions[WY_COMPARE_PICTURES]) {
  int count = 0;
  for (int i = 0; i < WY_COMPARE_PICTURES; i++)
    if (has_picture(c, i)) {
      names[count] = pictures[i].name;
      captions[count++] = pictures[i].caption;
    }
  return count;
}

void wy_compare_title_folder(wy_text *title, const char *label, const char *folder) {
  enum { MOST = 36 };
  size_t length = strlen(folder);
  bool cut = length > MOST;
  wy_text_add(title, "%s%s: %s%s", title->length ? ", " : "", label, cut ? "..." : "",
              cut ? folder + length - MOST : folder);
}

static void draw_picture(FILE *out, const wy_comparison *c, const struct picture *picture) {
  wy_page p = {out, ceil(WY_TITLE_HEIGHT + picture->height(c)), WY_TITLE_HEIGHT};
  wy_text title = {0};
  for (int side = 0; side < 2; side++)
    wy_compare_title_folder(&title, c->label[side], wy_folder_path(c->run[side].folder));
  wy_picture_begin(&p, picture->name, title.data);
  wy_text_free(&title);
  picture->draw(&p, c);
  wy_picture_end(&p);
}

void wy_compare_script(FILE *out, const wy_comparison *c) {
  wy_script_begin(out, "compare");
  for (int i = 0; i < WY_COMPARE_PICTURES; i++)
    if (has_picture(c, i))
      pictures[i].data(out, c);
  wy_script_pictures(out, "svg png");
  for (int i = 0; i < WY_COMPARE_PICTURES; i++)
    if (has_picture(c, i))
      draw_picture(out, c, &pictures[i]);
  wy_script_end(out);
}
