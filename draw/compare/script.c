/* The gnuplot script of a comparison: data blocks first, then one picture each for centrelines, modes, probes and
   energies. Under every panel with both runs is one with their difference, on a logarithmic axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/compare/draw.h"
#include "draw/picture.h"

enum { VALUES_HEIGHT = 128, ENERGY_HEIGHT = 220, DIFFERENCE_HEIGHT = 76, DECADES = 6 };
enum { MAX_NUMBERED = 20 };

const char *wy_compare_colour(int index, int side) {
  /* Those of A are half transparent. */
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

static wy_panel next_panel(const wy_page *p, double height) {
  return (wy_panel){WY_PAGE_LEFT, p->y + WY_PANEL_HEAD, WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT, height};
}

/* How much a difference may be, or 0. */
static double limit_of(const wy_comparison *c, const wy_difference *d) {
  return fmax(fmax(c->relative, 0) * d->scale, fmax(c->absolute, 0));
}

/* ---- axes ---- */

/* The times of both runs. */
static void time_axis(const wy_page *p, wy_panel f, const wy_comparison *c, bool frames, const char *label) {
  wy_range r = wy_range_empty();
  for (int side = 0; side < 2; side++) {
    const wy_compare_run *run = &c->run[side];
    if (frames)
      r = wy_range_widen(r, run->plot.frame_time, run->plot.frames, 1);
    else
      r = wy_range_widen(r, run->rows.values[0], run->rows.rows, 1);
  }
  if (!(r.high > r.low))
    r.high = r.low + 1;
  wy_panel_x_axis(p, f, r, label);
}

/* A logarithmic axis for differences in `r`, which is positive, or a plain one where all of them are 0. The tolerance
   is on it unless it is far away: then it becomes 0. Returns whether the axis is logarithmic. */
static bool difference_axis(const wy_page *p, wy_panel f, wy_range r, double *limit, const char *label) {
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

static wy_range positive(wy_range r, const double *values, int count) {
  for (int i = 0; i < count; i++)
    if (values[i] > 0)
      r = wy_range_widen(r, &values[i], 1, 1);
  return r;
}

static void end_difference(const wy_page *p, bool logarithmic) {
  wy_panel_end(p);
  if (logarithmic)
    fputs("  unset logscale y; set format y '%g'\n", p->out);
}

static void draw_limit(const wy_page *p, double limit) {
  if (limit > 0)
    fprintf(p->out, ", \\\n       %.9g with lines lc rgb '%s' lw 1.2 dt '-' title 'tolerance'", limit, wy_soft);
}

/* ---- probes ---- */

static bool is_drawn(const wy_difference *d, wy_compared kind) {
  return d->kind == kind && (d->rows > 1 || kind == WY_COMPARED_MODE);
}

static int count_drawn(const wy_comparison *c, wy_compared kind) {
  int count = 0;
  for (int i = 0; i < c->count; i++)
    count += is_drawn(&c->differences[i], kind);
  return count;
}

static double *column_of(const wy_comparison *c, const wy_difference *d, int side, int k) {
  const wy_compare_run *run = &c->run[side];
  return run->rows.values[run->probes[d->index[side]].first + k];
}

static void probes_data(FILE *out, const wy_comparison *c) {
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (!is_drawn(d, WY_COMPARED_PROBE))
      continue;
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < d->components; k++)
        wy_plot_curve_data(out, side == 0 ? "a" : "b", 4 * i + k, c->run[side].rows.values[0], column_of(c, d, side, k),
                           c->run[side].rows.rows);
    wy_plot_curve_data(out, "difference", i, d->t, d->distance, d->rows);
  }
}

static double probes_height(const wy_comparison *c) {
  return count_drawn(c, WY_COMPARED_PROBE) *
         (2.0 * WY_PANEL_HEAD + VALUES_HEIGHT + DIFFERENCE_HEIGHT + WY_PANEL_GAP + WY_PANEL_FOOT);
}

static const char *quantity_name(const wy_comparison *c, const wy_difference *d, char name[40]) {
  int quantity = c->run[0].quantity[d->index[0]];
  snprintf(name, 40, "%s", quantity >= 0 ? wy_quantity_name((wy_quantity)quantity) : "value");
  for (char *letter = name; *letter; letter++)
    *letter = *letter == '_' ? ' ' : *letter;
  return name;
}

static void draw_probe(wy_page *p, const wy_comparison *c, int i) {
  const wy_difference *d = &c->differences[i];
  wy_panel f = next_panel(p, VALUES_HEIGHT);
  wy_range r = wy_range_empty();
  char name[40];
  bool first = true;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < d->components; k++)
      r = wy_range_widen(r, column_of(c, d, side, k), c->run[side].rows.rows, 1);
  wy_panel_place(p, f);
  wy_panel_head(p, f, d->name);
  time_axis(p, f, c, false, NULL);
  wy_panel_value_axis(p, f, wy_range_axis(r, 0), quantity_name(c, d, name));
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < d->components; k++)
      wy_panel_curve(p, &first,
                     &(wy_curve){side == 0 ? "a" : "b", 4 * i + k, c->run[side].rows.rows,
                                 side == 1 && d->label[k][0] ? d->label[k] : NULL, wy_compare_colour(k, side),
                                 wy_compare_width(side), 1});
  wy_compare_legend(p);
  wy_panel_end(p);

  p->y = f.y + f.height + WY_PANEL_GAP;
  f = next_panel(p, DIFFERENCE_HEIGHT);
  wy_panel_place(p, f);
  wy_panel_head(p, f, d->components > 1 ? "Difference: norm of B - A" : "Difference: |B - A|");
  time_axis(p, f, c, false, wy_plot_time_name(&c->run[0].plot));
  double limit = limit_of(c, d);
  bool logarithmic = difference_axis(p, f, positive(wy_range_empty(), d->distance, d->rows), &limit, "difference");
  first = true;
  wy_panel_curve(p, &first, &(wy_curve){"difference", i, d->rows, NULL, wy_ink, 1.4, 1});
  draw_limit(p, limit);
  end_difference(p, logarithmic);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

static void draw_probes(wy_page *p, const wy_comparison *c) {
  for (int i = 0; i < c->count; i++)
    if (is_drawn(&c->differences[i], WY_COMPARED_PROBE))
      draw_probe(p, c, i);
}

/* ---- energies ---- */

static void energies_data(FILE *out, const wy_comparison *c) {
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (!is_drawn(d, WY_COMPARED_ENERGY))
      continue;
    for (int side = 0; side < 2; side++)
      wy_plot_curve_data(out, side == 0 ? "energya" : "energyb", i, c->run[side].plot.frame_time,
                         c->run[side].plot.energy[d->index[side]], c->run[side].plot.frames);
    wy_plot_curve_data(out, "difference", i, d->t, d->distance, d->rows);
  }
}

static double energies_height(void) {
  return 2.0 * WY_PANEL_HEAD + ENERGY_HEIGHT + VALUES_HEIGHT + WY_PANEL_GAP + WY_PANEL_FOOT;
}

static const char *energy_colour(int energy, int side) {
  static const char *const total[2] = {"#90222222", "#222222"};
  static const int colour[WY_PLOT_ENERGIES] = {[WY_PLOT_KINETIC] = 0,
                                               [WY_PLOT_ELASTIC] = 1,
                                               [WY_PLOT_GRAVITY] = 2,
                                               [WY_PLOT_WORK] = 4,
                                               [WY_PLOT_DISSIPATED] = 3};
  return energy == WY_PLOT_TOTAL ? total[side] : wy_compare_colour(colour[energy], side);
}

static void draw_energies(wy_page *p, const wy_comparison *c) {
  wy_panel f = next_panel(p, ENERGY_HEIGHT);
  wy_range r = wy_range_empty(), differences = wy_range_empty();
  bool first = true;
  double limit = 0;
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (!is_drawn(d, WY_COMPARED_ENERGY))
      continue;
    for (int side = 0; side < 2; side++)
      r = wy_range_widen(r, c->run[side].plot.energy[d->index[side]], c->run[side].plot.frames, 1);
    differences = positive(differences, d->distance, d->rows);
    limit = limit_of(c, d);
  }
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Energies");
  fputs("  set key width -2\n", p->out);
  time_axis(p, f, c, true, NULL);
  wy_panel_value_axis(p, f, wy_range_axis(r, 0), "energy");
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < c->count; i++) {
      const wy_difference *d = &c->differences[i];
      if (is_drawn(d, WY_COMPARED_ENERGY))
        wy_panel_curve(p, &first,
                       &(wy_curve){side == 0 ? "energya" : "energyb", i, c->run[side].plot.frames,
                                   side == 1 ? wy_plot_energy_names[d->index[1]] : NULL,
                                   energy_colour(d->index[side], side), wy_compare_width(side), 1});
    }
  wy_compare_legend(p);
  wy_panel_end(p);
  fputs("  set key width 0\n", p->out);

  p->y = f.y + f.height + WY_PANEL_GAP;
  f = next_panel(p, VALUES_HEIGHT);
  wy_panel_place(p, f);
  wy_panel_head(p, f, "Differences: |B - A|");
  time_axis(p, f, c, true, wy_plot_time_name(&c->run[0].plot));
  bool logarithmic = difference_axis(p, f, differences, &limit, "difference");
  first = true;
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (is_drawn(d, WY_COMPARED_ENERGY))
      wy_panel_curve(p, &first, &(wy_curve){"difference", i, d->rows, NULL, energy_colour(d->index[1], 1), 1.4, 1});
  }
  draw_limit(p, limit);
  end_difference(p, logarithmic);
  p->y = f.y + f.height + WY_PANEL_FOOT;
}

/* ---- modes ---- */

/* The values of one column of the table: number, A, B and the relative difference. */
static void modes_data(FILE *out, const wy_comparison *c) {
  for (int column = 1; column < c->run[0].modes.columns; column++) {
    fprintf(out, "$mode%d << EOD\n", column);
    for (int i = 0; i < c->count; i++) {
      const wy_difference *d = &c->differences[i];
      if (d->kind == WY_COMPARED_MODE && d->index[0] == column)
        fprintf(out, "%g %.9g %.9g %.9g\n", d->t[0], d->value[0][0][0], d->value[1][0][0], wy_difference_relative(d));
    }
    fputs("EOD\n", out);
  }
}

static double modes_height(const wy_comparison *c) {
  return (c->run[0].modes.columns - 1) *
         (2.0 * WY_PANEL_HEAD + VALUES_HEIGHT + DIFFERENCE_HEIGHT + WY_PANEL_GAP + WY_PANEL_FOOT);
}

static void number_modes(const wy_page *p, wy_range numbers) {
  if (numbers.high - numbers.low <= MAX_NUMBERED)
    fputs("  set xtics 1\n", p->out);
}

static void draw_modes(wy_page *p, const wy_comparison *c) {
  for (int column = 1; column < c->run[0].modes.columns; column++) {
    wy_range numbers = wy_range_empty(), values = wy_range_empty(), differences = wy_range_empty();
    const char *name =
        strcmp(c->run[0].modes.name[column], "damping_ratio") == 0 ? "damping ratio" : c->run[0].modes.name[column];
    for (int i = 0; i < c->count; i++) {
      const wy_difference *d = &c->differences[i];
      if (d->kind != WY_COMPARED_MODE || d->index[0] != column)
        continue;
      double relative = wy_difference_relative(d);
      numbers = wy_range_widen(numbers, d->t, 1, 1);
      values = wy_range_widen(wy_range_widen(values, d->value[0][0], 1, 1), d->value[1][0], 1, 1);
      differences = positive(differences, &relative, 1);
    }
    numbers = (wy_range){numbers.low - 0.5, numbers.high + 0.5};
    wy_panel f = next_panel(p, VALUES_HEIGHT);
    wy_panel_place(p, f);
    wy_panel_head(p, f, name);
    wy_panel_x_axis(p, f, numbers, NULL);
    wy_panel_value_axis(p, f, wy_range_axis(values, 0), name);
    number_modes(p, numbers);
    fprintf(p->out, "  plot $mode%d using 1:2 with points pt 6 ps 1.5 lw 2 lc rgb '%s' title 'A'", column,
            wy_compare_colour(0, 1));
    fprintf(p->out, ", \\\n       $mode%d using 1:3 with points pt 7 ps 0.6 lc rgb '%s' title 'B'", column,
            wy_compare_colour(1, 1));
    wy_panel_end(p);
    p->y = f.y + f.height + WY_PANEL_GAP;
    f = next_panel(p, DIFFERENCE_HEIGHT);
    wy_panel_place(p, f);
    wy_panel_head(p, f, "Difference: |B - A| over the scale");
    wy_panel_x_axis(p, f, numbers, "mode");
    double limit = c->absolute < 0 ? c->relative : 0;
    bool logarithmic = difference_axis(p, f, differences, &limit, "relative");
    number_modes(p, numbers);
    fprintf(p->out, "  plot $mode%d using 1:4 with points pt 7 ps 0.7 lc rgb '%s' notitle", column, wy_ink);
    draw_limit(p, limit);
    end_difference(p, logarithmic);
    p->y = f.y + f.height + WY_PANEL_FOOT;
  }
}

/* ---- pictures ---- */

static const struct picture {
  const char *name, *caption;
} pictures[WY_COMPARE_PICTURES] = {
    {"centrelines", "Centrelines"}, {"modes", "Modes"}, {"probes", "Probes"}, {"energies", "Energies"}};
enum { CENTRELINES, MODES, PROBES, ENERGIES };

static bool has_picture(const wy_comparison *c, int picture) {
  switch (picture) {
  case CENTRELINES:
    return c->moments > 0 && c->rod_count > 0 && c->run[0].modes.rows == 0;
  case MODES:
    return count_drawn(c, WY_COMPARED_MODE) > 0;
  case PROBES:
    return count_drawn(c, WY_COMPARED_PROBE) > 0;
  default:
    return count_drawn(c, WY_COMPARED_ENERGY) > 0 && c->run[0].plot.analysis == WY_DYNAMICS;
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

static double picture_height(const wy_comparison *c, int picture) {
  double height = picture == CENTRELINES ? wy_compare_shapes_height(c)
                  : picture == MODES     ? modes_height(c)
                  : picture == PROBES    ? probes_height(c)
                                         : energies_height();
  return ceil(WY_PLOT_TITLE_HEIGHT + height);
}

/* The end of a long path is what tells folders apart. */
static void add_folder(wy_text *title, char letter, const char *folder) {
  enum { MOST = 36 };
  size_t length = strlen(folder);
  bool cut = length > MOST;
  wy_text_add(title, "%s%c: %s%s", title->length ? ", " : "", letter, cut ? "..." : "",
              cut ? folder + length - MOST : folder);
}

static void draw_picture(FILE *out, const wy_comparison *c, int picture) {
  static void (*const draw[])(wy_page *, const wy_comparison *) = {wy_compare_shapes_draw, draw_modes, draw_probes,
                                                                   draw_energies};
  wy_page p = {out, picture_height(c, picture), WY_PLOT_TITLE_HEIGHT};
  wy_text title = {0};
  add_folder(&title, 'A', c->run[0].folder);
  add_folder(&title, 'B', c->run[1].folder);
  wy_picture_begin(&p, pictures[picture].name, title.data);
  wy_text_free(&title);
  draw[picture](&p, c);
  wy_picture_end(&p);
}

void wy_compare_script(FILE *out, const wy_comparison *c) {
  wy_script_begin(out, "compare");
  if (has_picture(c, CENTRELINES))
    wy_compare_shapes_data(out, c);
  if (has_picture(c, MODES))
    modes_data(out, c);
  if (has_picture(c, PROBES))
    probes_data(out, c);
  if (has_picture(c, ENERGIES))
    energies_data(out, c);
  wy_script_pictures(out, "svg png");
  for (int i = 0; i < WY_COMPARE_PICTURES; i++)
    if (has_picture(c, i))
      draw_picture(out, c, i);
  wy_script_end(out);
}
