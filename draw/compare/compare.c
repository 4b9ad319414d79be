/* The differences of two runs. Rows with the same time are compared as they are; where one run was written down more
   finely, it is interpolated at the rows of the other. */
#include "draw/compare/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "draw/compare/match.h"
#include "draw/plot/read.h"

static void note(wy_comparison *c, bool lacking, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void note(wy_comparison *c, bool lacking, const char *format, ...) {
  char text[1200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  c->notes[c->note_count++] = (wy_compare_note){wy_pool_copy(&c->pool, text, strlen(text)), lacking};
}

/* ---- one difference ---- */

double wy_difference_relative(const wy_difference *d) {
  return d->largest == 0 ? 0 : d->scale > 0 ? d->largest / d->scale : (double)INFINITY;
}

static wy_difference *add(wy_comparison *c, wy_compared kind, const char *name, int rows, int components) {
  wy_difference *d = &c->differences[c->count++];
  *d = (wy_difference){.kind = kind, .where = "", .rows = rows, .components = components};
  d->name = wy_pool_copy(&c->pool, name, strlen(name));
  d->t = wy_pool_take(&c->pool, (size_t)rows * sizeof(double));
  d->distance = wy_pool_take(&c->pool, (size_t)rows * sizeof(double));
  for (int k = 0; k < 2 * components; k++)
    d->value[k % 2][k / 2] = wy_pool_take(&c->pool, (size_t)rows * sizeof(double));
  return d;
}

/* q and -q are the same rotation: that of B which is closer to A. */
static void turn_towards(wy_difference *d, int row) {
  double product = 0;
  for (int k = 0; k < d->components; k++)
    product += d->value[0][k][row] * d->value[1][k][row];
  for (int k = 0; k < d->components && product < 0; k++)
    d->value[1][k][row] = -d->value[1][k][row];
}

static void measure(wy_difference *d) {
  double sum = 0;
  for (int i = 0; i < d->rows; i++) {
    double square = 0;
    if (d->components == 4)
      turn_towards(d, i);
    for (int k = 0; k < d->components; k++) {
      double difference = d->value[1][k][i] - d->value[0][k][i];
      square += difference * difference;
    }
    d->distance[i] = sqrt(square);
    sum += square;
    if (i == 0 || d->distance[i] > d->largest) {
      d->largest = d->distance[i];
      d->at = d->t[i];
    }
  }
  d->rms = d->rows > 0 ? sqrt(sum / d->rows) : 0;
}

/* A vector in either run, at all times of its file. */
typedef struct series {
  const double *part[4];
  int count; /* of rows */
} series;

static double largest_norm(const series *s, int components) {
  double largest = 0;
  for (int i = 0; i < s->count; i++) {
    double square = 0;
    for (int k = 0; k < components; k++)
      square += s->part[k][i] * s->part[k][i];
    largest = fmax(largest, square);
  }
  return sqrt(largest);
}

/* Nothing is stored, or nothing but zeros: kinetic energies of equilibria, work without loads. */
static bool is_nothing(const series both[2], int components) {
  return !both[0].part[0] || !both[1].part[0] ||
         (largest_norm(&both[0], components) == 0 && largest_norm(&both[1], components) == 0);
}

static wy_difference *add_series(wy_comparison *c, wy_compared kind, const char *name, const wy_match *match,
                                 const series both[2], int components) {
  wy_difference *d = add(c, kind, name, match->rows, components);
  memcpy(d->t, match->t, (size_t)match->rows * sizeof(double));
  for (int side = 0; side < 2; side++) {
    wy_match_values(match, side, both[side].part, components, d->value[side]);
    d->scale = fmax(d->scale, largest_norm(&both[side], components));
  }
  measure(d);
  return d;
}

/* ---- probes ---- */

static int find_probe(const wy_compare_run *run, const char *name) {
  for (int i = 0; i < run->probe_count; i++)
    if (strcmp(run->probes[i].name, name) == 0)
      return i;
  return -1;
}

static const char *kind_of_probe(const wy_compare_run *run, int i) {
  static const char *const sizes[5] = {"", "a scalar", "a pair", "a vector", "a rotation"};
  return run->quantity[i] >= 0 ? wy_quantity_name((wy_quantity)run->quantity[i]) : sizes[run->probes[i].count];
}

static bool is_energy(int quantity) {
  return quantity >= WY_ENERGY && quantity <= WY_DISSIPATED;
}

static void compare_probe(wy_comparison *c, const wy_match *match, int i, int j) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  const wy_csv_probe *probe = &a->probes[i];
  if (probe->count != b->probes[j].count ||
      (a->quantity[i] >= 0 && b->quantity[j] >= 0 && a->quantity[i] != b->quantity[j])) {
    note(c, true, "the probe %s is %s in A, but %s in B: not compared", probe->name, kind_of_probe(a, i),
         kind_of_probe(b, j));
    return;
  }
  series both[2] = {{.count = a->rows.rows}, {.count = b->rows.rows}};
  for (int k = 0; k < probe->count; k++) {
    both[0].part[k] = a->rows.values[probe->first + k];
    both[1].part[k] = b->rows.values[b->probes[j].first + k];
  }
  wy_difference *d = add_series(c, WY_COMPARED_PROBE, probe->name, match, both, probe->count);
  memcpy(d->label, probe->label, sizeof d->label);
  d->index[0] = i;
  d->index[1] = j;
  int quantity = a->quantity[i] >= 0 ? a->quantity[i] : b->quantity[j];
  if (is_energy(quantity) && fmax(a->energy, b->energy) > 0)
    d->scale = fmax(a->energy, b->energy);
  else if (quantity >= 0)
    d->scale = fmax(d->scale, fmax(a->least[quantity], b->least[quantity]));
}

static void note_lacking(wy_comparison *c, int has, const char *what, const char *names) {
  if (names && names[0])
    note(c, true, "only in %c: %s%s", "AB"[has], what, names);
}

static void note_times(wy_comparison *c, const wy_match *match, const char *what) {
  if (match->earlier >= 0)
    note(c, true, "%c's %s end at t = %g, %c's at t = %g: compared up to the earlier one", "AB"[match->earlier], what,
         fmin(match->end[0], match->end[1]), "BA"[match->earlier], fmax(match->end[0], match->end[1]));
  if (match->interpolated > 0)
    note(c, false, "%d of %d %s have no partner of the same time: there %c is interpolated by cubics",
         match->interpolated, match->rows, what, "BA"[match->coarse]);
  else if (match->skipped > 0)
    note(c, false, "%s of %c are more frequent: compared at those of %c", what, "BA"[match->coarse],
         "AB"[match->coarse]);
}

static void compare_probes(wy_comparison *c) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  wy_text only[2] = {{0}, {0}};
  wy_match match;
  wy_match_times(&c->pool, a->rows.rows ? a->rows.values[0] : NULL, a->rows.rows,
                 b->rows.rows ? b->rows.values[0] : NULL, b->rows.rows, &match);
  for (int i = 0; i < a->probe_count; i++) {
    int j = find_probe(b, a->probes[i].name);
    if (j < 0)
      wy_text_add(&only[0], "%s%s", only[0].length ? ", " : "", a->probes[i].name);
    else if (match.rows > 0)
      compare_probe(c, &match, i, j);
  }
  for (int j = 0; j < b->probe_count; j++)
    if (find_probe(a, b->probes[j].name) < 0)
      wy_text_add(&only[1], "%s%s", only[1].length ? ", " : "", b->probes[j].name);
  for (int side = 0; side < 2; side++) {
    note_lacking(c, side, "probes ", only[side].data);
    wy_text_free(&only[side]);
  }
  if (a->probe_count > 0 && b->probe_count > 0 && match.rows == 0)
    note(c, true, "the rows of probes.csv have no time in common");
  else if (a->probe_count > 0 && b->probe_count > 0)
    note_times(c, &match, "rows");
}

/* ---- energies and momenta ---- */

static void compare_energies(wy_comparison *c, const wy_match *match) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  for (int k = 0; k < WY_PLOT_ENERGIES; k++) {
    series both[2] = {{{a->plot.energy[k]}, a->plot.frames}, {{b->plot.energy[k]}, b->plot.frames}};
    if (is_nothing(both, 1))
      continue;
    char name[40];
    snprintf(name, sizeof name, "%s%s", wy_plot_energy_names[k], k == WY_PLOT_WORK ? "" : " energy");
    wy_difference *d = add_series(c, WY_COMPARED_ENERGY, name, match, both, 1);
    d->scale = fmax(a->energy, b->energy);
    d->index[0] = d->index[1] = k;
  }
}

static void compare_momenta(wy_comparison *c, const wy_match *match) {
  static const char *const names[2] = {"linear momentum", "angular momentum"};
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  for (int k = 0; k < 2; k++) {
    series both[2] = {{.count = a->plot.frames}, {.count = b->plot.frames}};
    int quantity = k == 0 ? WY_LINEAR_MOMENTUM : WY_ANGULAR_MOMENTUM;
    for (int i = 0; i < 3; i++) {
      both[0].part[i] = a->momentum[k][i];
      both[1].part[i] = b->momentum[k][i];
    }
    if (is_nothing(both, 3))
      continue;
    wy_difference *d = add_series(c, WY_COMPARED_MOMENTUM, names[k], match, both, 3);
    memcpy(d->label, (char[4][2]){"x", "y", "z", ""}, sizeof d->label);
    d->scale = fmax(d->scale, fmax(a->least[quantity], b->least[quantity]));
  }
}

/* ---- centrelines ---- */

/* All positions of a rod, in all frames. */
typedef struct rod_course {
  int points;
  double *s, *position;
} rod_course;

static void free_course(rod_course *course) {
  free(course->s);
  free(course->position);
}

static rod_course read_course(const wy_compare_run *run, const char *rod) {
  char path[512];
  int size[3] = {0}, s_size[3] = {0};
  rod_course course = {0};
  snprintf(path, sizeof path, "rods/%.450s/s", rod);
  course.s = wy_plot_read_block(run->file, path, -1, s_size);
  snprintf(path, sizeof path, "rods/%.450s/position", rod);
  course.position = wy_plot_read_block(run->file, path, -1, size);
  if (course.s && course.position && size[0] >= run->plot.frames && size[1] == s_size[0] && size[2] == 3)
    course.points = size[1];
  return course;
}

/* Distances of the points that both runs have at the same arc length: interpolating between others would measure how
   coarse the pieces are. */
typedef struct sweep {
  double squares, where_s;
  long points;
  const char *where_rod;
  int damaged; /* whose position is not a finite number, or -1 */
} sweep;

static void compare_courses(wy_difference *d, const wy_match *match, const char *rod, const rod_course course[2],
                            sweep *all) {
  int j = 0;
  for (int i = 0; i < course[0].points; i++) {
    double s = course[0].s[i], close = 1e-9 * course[0].s[course[0].points - 1];
    while (j < course[1].points && course[1].s[j] < s - close)
      j++;
    if (j == course[1].points || course[1].s[j] > s + close)
      continue;
    for (int k = 0; k < match->rows; k++) {
      if (match->index[0][k] < 0 || match->index[1][k] < 0)
        continue;
      const double *x = course[0].position + 3 * ((size_t)match->index[0][k] * (size_t)course[0].points + (size_t)i);
      const double *y = course[1].position + 3 * ((size_t)match->index[1][k] * (size_t)course[1].points + (size_t)j);
      double distance = hypot(hypot(y[0] - x[0], y[1] - x[1]), y[2] - x[2]);
      if (!isfinite(distance)) {
        all->damaged = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
        return;
      }
      all->squares += distance * distance;
      all->points++;
      d->distance[k] = fmax(d->distance[k], distance);
      if (distance > d->largest) {
        d->largest = distance;
        d->at = d->t[k];
        all->where_rod = rod;
        all->where_s = s;
      }
    }
  }
}

static void keep_shapes(wy_comparison *c, const rod_course course[2], int *const frames[2]) {
  wy_compare_rod *rod = &c->rods[c->rod_count++];
  for (int side = 0; side < 2; side++) {
    size_t size = 3 * (size_t)course[side].points;
    rod->points[side] = course[side].points;
    rod->position[side] = wy_pool_take(&c->pool, (size_t)c->moments * size * sizeof(double));
    for (int k = 0; k < c->moments; k++)
      memcpy(rod->position[side] + (size_t)k * size, course[side].position + (size_t)frames[side][k] * size,
             size * sizeof(double));
  }
}

/* The frames that both runs have, spread evenly: they are drawn. */
static void choose_moments(wy_comparison *c, const wy_match *match, int *const frames[2]) {
  int exact = match->rows - match->interpolated;
  c->moments = exact < WY_COMPARE_MOMENTS ? exact : WY_COMPARE_MOMENTS;
  for (int k = 0, row = 0, met = 0; k < c->moments; row++) {
    int wanted = c->moments < 2 ? 0 : (int)((long long)k * (exact - 1) / (c->moments - 1));
    if (match->index[0][row] < 0 || match->index[1][row] < 0)
      continue;
    if (met++ == wanted) {
      c->moment[k] = match->t[row];
      frames[0][k] = match->index[0][row];
      frames[1][k++] = match->index[1][row];
    }
  }
}

static int find_rod(const wy_plot_run *run, const char *name) {
  for (int i = 0; i < run->rod_count; i++)
    if (strcmp(run->rods[i].name, name) == 0)
      return i;
  return -1;
}

static wy_status compare_centrelines(wy_comparison *c, const wy_match *match, wy_message *message) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  int frames_a[WY_COMPARE_MOMENTS] = {0}, frames_b[WY_COMPARE_MOMENTS] = {0}, *const frames[2] = {frames_a, frames_b};
  choose_moments(c, match, frames);
  wy_difference *d = add(c, WY_COMPARED_CENTRELINE, "centreline", match->rows, 0);
  memcpy(d->t, match->t, (size_t)match->rows * sizeof(double));
  c->rods = wy_pool_take(&c->pool, ((size_t)a->plot.rod_count + 1) * sizeof *c->rods);
  sweep all = {.damaged = -1};
  for (int i = 0; i < a->plot.rod_count && c->moments > 0; i++) {
    const char *name = a->plot.rods[i].name;
    if (find_rod(&b->plot, name) < 0)
      continue;
    rod_course course[2] = {read_course(a, name), read_course(b, name)};
    if (course[0].points > 0 && course[1].points > 0) {
      d->scale = fmax(d->scale, fmax(course[0].s[course[0].points - 1], course[1].s[course[1].points - 1]));
      compare_courses(d, match, name, course, &all);
      keep_shapes(c, course, frames);
    }
    free_course(&course[0]);
    free_course(&course[1]);
    if (all.damaged >= 0)
      return wy_results_fail(message, WY_ERROR_INPUT,
                             "%s/result.h5: a position of the rod %s is not a finite number; the file is damaged",
                             c->run[all.damaged].folder, name);
  }
  d->rms = all.points > 0 ? sqrt(all.squares / (double)all.points) : 0;
  if (all.points == 0)
    c->count--;
  if (all.where_rod) {
    wy_text where = {0};
    wy_text_add(&where, "%s, s = %g", all.where_rod, all.where_s);
    d->where = wy_pool_copy(&c->pool, where.data, where.length);
    wy_text_free(&where);
  }
  return WY_OK;
}

static void note_rods(wy_comparison *c) {
  for (int side = 0; side < 2; side++) {
    wy_text only = {0};
    for (int i = 0; i < c->run[side].plot.rod_count; i++)
      if (find_rod(&c->run[!side].plot, c->run[side].plot.rods[i].name) < 0)
        wy_text_add(&only, "%s%s", only.length ? ", " : "", c->run[side].plot.rods[i].name);
    note_lacking(c, side, "rods ", only.data);
    wy_text_free(&only);
  }
}

static wy_status compare_results(wy_comparison *c, wy_message *message) {
  const wy_plot_run *a = &c->run[0].plot, *b = &c->run[1].plot;
  if (a->frames == 0 || b->frames == 0) {
    if (a->frames != b->frames)
      note(c, true, "only in %c: result.h5 with energies and centrelines", a->frames > 0 ? 'A' : 'B');
    return WY_OK;
  }
  wy_match match;
  wy_match_times(&c->pool, a->frame_time, a->frames, b->frame_time, b->frames, &match);
  if (match.rows == 0) {
    note(c, true, "the frames of result.h5 have no time in common");
    return WY_OK;
  }
  compare_energies(c, &match);
  compare_momenta(c, &match);
  wy_status status = compare_centrelines(c, &match, message);
  note_rods(c);
  note_times(c, &match, "frames");
  return status;
}

/* ---- modes ---- */

/* A line per mode: each is measured by itself, zero ones by the largest. */
static void compare_modes(wy_comparison *c) {
  const wy_csv_table *a = &c->run[0].modes, *b = &c->run[1].modes;
  int rows = a->rows < b->rows ? a->rows : b->rows, columns = a->columns < b->columns ? a->columns : b->columns;
  for (int column = 1; column < columns; column++) {
    bool ratio = strcmp(a->name[column], "damping_ratio") == 0;
    double floor = ratio ? 1e-9 : 0;
    for (int i = 0; i < rows; i++)
      floor = fmax(floor, (ratio ? 1e-3 : 1e-6) * fmax(fabs(a->values[column][i]), fabs(b->values[column][i])));
    for (int i = 0; i < rows; i++) {
      char name[64];
      snprintf(name, sizeof name, "%.30s %d", ratio ? "damping ratio" : a->name[column], i + 1);
      wy_difference *d = add(c, WY_COMPARED_MODE, name, 1, 1);
      d->t[0] = i + 1;
      d->index[0] = d->index[1] = column;
      d->value[0][0][0] = a->values[column][i];
      d->value[1][0][0] = b->values[column][i];
      d->scale = fmax(floor, fmax(fabs(d->value[0][0][0]), fabs(d->value[1][0][0])));
      measure(d);
    }
  }
  if (a->rows != b->rows)
    note(c, true, "A has %d modes, B has %d: the first %d are compared", a->rows, b->rows, rows);
}

/* ---- all of it ---- */

static void note_end(wy_comparison *c, int side) {
  const wy_plot_run *run = &c->run[side].plot;
  const char *status = wy_plot_find_fact(run, "status"), *message = wy_plot_find_fact(run, "message");
  if (!status)
    note(c, true, "%c has no summary: it was stopped before its end, or is still going", "AB"[side]);
  else if (strcmp(status, "done") != 0)
    note(c, true, "%c %s: %s%s%s", "AB"[side], strcmp(status, "wrong") ? "did not reach its end" : "is no right result",
         status, message ? ": " : "", message ? message : "");
  if (c->run[side].rows.cut)
    note(c, true, "the last line of %c's probes.csv is cut off and left out", "AB"[side]);
}

wy_status wy_compare(wy_comparison *c, wy_message *message) {
  enum { OTHERS = WY_PLOT_ENERGIES + 2 + 1, NOTES = 24 };
  wy_compare_run *a = &c->run[0], *b = &c->run[1];
  bool modes = a->plot.analysis == WY_MODES || a->plot.analysis == WY_BUCKLING;
  bool other_modes = b->plot.analysis == WY_MODES || b->plot.analysis == WY_BUCKLING;
  if (a->plot.analysis != b->plot.analysis && (modes || other_modes))
    return wy_results_fail(message, WY_ERROR_INPUT, "A is a run of %s, B of %s: there is nothing to compare",
                           wy_analysis_name(a->plot.analysis), wy_analysis_name(b->plot.analysis));
  size_t room = (size_t)a->probe_count + OTHERS + (size_t)a->modes.rows * (size_t)a->modes.columns;
  c->differences = wy_pool_take(&c->pool, room * sizeof *c->differences);
  c->notes = wy_pool_take(&c->pool, (NOTES + (size_t)a->probe_count) * sizeof *c->notes);
  note_end(c, 0);
  note_end(c, 1);
  if (a->modes.exists && b->modes.exists)
    compare_modes(c);
  else if (modes)
    note(c, true, "only in %c: the table of modes", a->modes.exists ? 'A' : 'B');
  compare_probes(c);
  wy_status status = compare_results(c, message);
  if (status == WY_OK && c->count == 0)
    status =
        wy_results_fail(message, WY_ERROR_INPUT, "%s and %s have nothing in common to compare%s%s", a->folder,
                        b->folder, c->note_count ? ": " : "", c->note_count ? c->notes[c->note_count - 1].text : "");
  return status;
}

bool wy_compare_judged(const wy_comparison *c) {
  return c->relative >= 0 || c->absolute >= 0;
}

bool wy_compare_well(const wy_comparison *c) {
  return !wy_compare_judged(c) || (c->beyond == 0 && (c->common || c->lacking == 0));
}

void wy_compare_judge(wy_comparison *c, double relative, double absolute, bool common) {
  c->relative = relative;
  c->absolute = absolute;
  c->common = common;
  for (int i = 0; i < c->count && wy_compare_judged(c); i++) {
    wy_difference *d = &c->differences[i];
    d->judged = d->kind != WY_COMPARED_MOMENTUM && d->kind != WY_COMPARED_CENTRELINE;
    d->beyond = d->judged && !(d->largest <= fmax(fmax(relative, 0) * d->scale, fmax(absolute, 0)));
    c->judged += d->judged;
    c->beyond += d->beyond;
  }
  for (int i = 0; i < c->note_count; i++)
    c->lacking += c->notes[i].lacking;
}

void wy_compare_free(wy_comparison *c) {
  wy_compare_close(&c->run[0]);
  wy_compare_close(&c->run[1]);
  wy_pool_release(&c->pool);
}
