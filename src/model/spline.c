/* SPDX-License-Identifier: MIT */
/* Tables become C2 splines: their slopes at the rows follow from the continuity of the second derivative
   (docs/theory/splines.md, Y2 to Y4). */
#include "model/spline.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"

enum { COOKIE = 0x57590702 };
WY_DEF_ENDS_WITH(wy_spline_def, names);

void wy_init_spline_def(wy_spline_def *def, size_t size) {
  const wy_spline_def usual = {.cookie = COOKIE, .size = sizeof usual, .name = "table", .of = WY_TIME};
  wy_def_fill(def, size, &usual);
}

/* ---- Checks ---- */

static wy_status check_names(const wy_spline_def *def, wy_message *message) {
  for (int i = 0; def->names && i < def->columns; i++) {
    if (!def->names[i] || !def->names[i][0])
      return wy_fail_at(message, "", "table '%s': column %d has no name; expected one for each column", def->name,
                        i + 2);
    for (int k = 0; k < i; k++)
      if (strcmp(def->names[i], def->names[k]) == 0)
        return wy_fail_at(message, "", "table '%s': found the column '%s' twice; expected each name once", def->name,
                          def->names[i]);
  }
  return WY_OK;
}

static wy_status check_numbers(const wy_spline_def *def, wy_message *message) {
  for (int i = 0; i < def->rows; i++) {
    if (!isfinite(def->argument[i]) || (i > 0 && !(def->argument[i] > def->argument[i - 1])))
      return wy_fail_at(message, "",
                        "table '%s': row %d: found %.9g%s; expected increasing finite numbers in the first "
                        "column",
                        def->name, i + 1, def->argument[i],
                        i > 0 && isfinite(def->argument[i]) ? ", which is not above the row before" : "");
    for (int k = 0; k < def->columns; k++)
      if (!isfinite(def->values[(size_t)i * (size_t)def->columns + (size_t)k]))
        return wy_fail_at(message, "", "table '%s': row %d, column %d: found %g; expected a finite number", def->name,
                          i + 1, k + 2, def->values[(size_t)i * (size_t)def->columns + (size_t)k]);
  }
  return WY_OK;
}

static wy_status check(const wy_spline_def *def, wy_message *message) {
  if (!def->name || !def->argument || !def->values)
    return wy_fail_missing(message, !def->name ? "name" : !def->argument ? "argument" : "values");
  if (def->of != WY_TIME && def->of != WY_ARC)
    return wy_fail_at(message, "", "table '%s': found variable number %d; expected WY_TIME or WY_ARC", def->name,
                      (int)def->of);
  if (def->outside != WY_OUTSIDE_REFUSE && def->outside != WY_OUTSIDE_HOLD)
    return wy_fail_at(message, "", "table '%s': found number %d for `outside`; expected one of wy_outside", def->name,
                      (int)def->outside);
  if (def->rows < 2 || def->rows > WY_SPLINE_ROWS)
    return wy_fail_at(message, "", "table '%s': found %d row%s; expected 2 to %d", def->name, def->rows,
                      def->rows == 1 ? "" : "s", WY_SPLINE_ROWS);
  if (def->columns < 1 || def->columns > WY_SPLINE_COLUMNS)
    return wy_fail_at(message, "", "table '%s': found %d columns beside the argument; expected 1 to %d", def->name,
                      def->columns, WY_SPLINE_COLUMNS);
  wy_status status = check_names(def, message);
  return status ? status : check_numbers(def, message);
}

/* ---- Rotations ---- */

static int find_column(const wy_spline_def *def, const char *name) {
  for (int i = 0; def->names && i < def->columns; i++)
    if (strcmp(def->names[i], name) == 0)
      return i;
  return -1;
}

static bool has_rotation(const wy_spline_def *def, int columns[4]) {
  static const char *const names[4] = {"qw", "qx", "qy", "qz"};
  bool all = true;
  for (int i = 0; i < 4; i++) {
    columns[i] = find_column(def, names[i]);
    all = all && columns[i] >= 0;
  }
  return all;
}

/* Unit quaternions, each on the side of the one before. */
static wy_status align_rotations(wy_spline *self, const int columns[4], wy_message *message) {
  static const double least = 1e-6; /* of the cosine of half the angle between neighbours */
  const wy_spline_def *def = &self->def;
  double before[4] = {0, 0, 0, 0};
  for (int i = 0; i < def->rows; i++) {
    double *row = self->rows + (size_t)i * (size_t)def->columns, q[4], largest = 0, square = 0, along = 0;
    for (int k = 0; k < 4; k++)
      largest = fmax(largest, fabs(row[columns[k]]));
    if (largest == 0)
      return wy_fail_at(message, "", "table '%s': row %d: found the quaternion [0, 0, 0, 0]; expected a rotation",
                        def->name, i + 1);
    for (int k = 0; k < 4; k++)
      q[k] = row[columns[k]] / largest, square += q[k] * q[k];
    for (int k = 0; k < 4; k++)
      q[k] /= sqrt(square), along += q[k] * before[k];
    if (i > 0 && fabs(along) < least)
      return wy_fail_at(message, "",
                        "table '%s': row %d: found a rotation half a turn away from the row before; expected rows "
                        "between them, which say which way it goes",
                        def->name, i + 1);
    for (int k = 0; k < 4; k++)
      row[columns[k]] = before[k] = along < 0 ? -q[k] : q[k];
  }
  return WY_OK;
}

/* The quaternion is divided by its length wherever it is used: it must not become 0 between rows. */
static wy_status check_rotations(const wy_spline *self, const int columns[4], wy_message *message) {
  static const double shortest = 0.2;
  enum { PARTS = 8 };
  for (int i = 0; i + 1 < self->def.rows; i++)
    for (int part = 1; part < PARTS; part++) {
      double at = self->x[i] + (self->x[i + 1] - self->x[i]) * part / PARTS, square = 0, jet[3];
      for (int k = 0; k < 4; k++) {
        wy_spline_evaluate(self, columns[k], at, jet);
        square += jet[0] * jet[0];
      }
      if (!(square > shortest * shortest))
        return wy_fail_at(message, "",
                          "table '%s': the rotations of rows %d and %d are too different for a smooth way between "
                          "them; expected more rows",
                          self->def.name, i + 1, i + 2);
    }
  return WY_OK;
}

/* ---- Slopes ---- */

/* Row i of the equations: below * m[i-1] + diagonal * m[i] + above * m[i+1] = right. */
typedef struct equation {
  double below, diagonal, above, right;
} equation;

/* The second derivatives of the pieces on both sides of row i are the same. Pieces at held ends have degree 4, which
   takes the place of the slope there. */
static equation at_row(const wy_spline *self, const double *y, int i) {
  const int last = self->def.rows - 1;
  const bool hold = self->def.outside == WY_OUTSIDE_HOLD;
  const double left = self->x[i] - self->x[i - 1], right = self->x[i + 1] - self->x[i];
  const double from = (y[i] - y[i - 1]) / (left * left), to = (y[i + 1] - y[i]) / (right * right);
  const bool first = hold && i == 1, final = hold && i == last - 1;
  return (equation){.below = first ? 0 : 2 / left,
                    .diagonal = (first ? 6 : 4) / left + (final ? 6 : 4) / right,
                    .above = final ? 0 : 2 / right,
                    .right = (first ? 12 : 6) * from + (final ? 12 : 6) * to};
}

/* Not-a-knot: the third derivative, too, is the same on both sides of the second row and of the last but one. `near`
   and `far` are the lengths of the two pieces at the end, with their mean slopes. */
static equation at_end(double near, double far, double near_slope, double far_slope) {
  const double both = near + far;
  return (equation){
      .diagonal = far, .above = both, .right = ((near + 2 * both) * far * near_slope + near * near * far_slope) / both};
}

/* Three rows: a parabola. Two: a line. */
static void few_slopes(const wy_spline *self, const double *y, double *m) {
  const double *x = self->x;
  const double first = (y[1] - y[0]) / (x[1] - x[0]);
  if (self->def.rows == 2) {
    m[0] = m[1] = first;
    return;
  }
  const double second = (y[2] - y[1]) / (x[2] - x[1]);
  m[1] = ((x[2] - x[1]) * first + (x[1] - x[0]) * second) / (x[2] - x[0]);
  m[0] = 2 * first - m[1];
  m[2] = 2 * second - m[1];
}

static equation equation_of(const wy_spline *self, const double *y, int i) {
  const int last = self->def.rows - 1;
  const double *x = self->x;
  if (i > 0 && i < last)
    return at_row(self, y, i);
  if (self->def.outside == WY_OUTSIDE_HOLD)
    return (equation){.diagonal = 1};
  const int step = i == 0 ? 1 : -1, next = i + step, third = next + step;
  equation end = at_end(fabs(x[next] - x[i]), fabs(x[third] - x[next]), (y[next] - y[i]) / (x[next] - x[i]),
                        (y[third] - y[next]) / (x[third] - x[next]));
  if (i == last)
    end.below = end.above, end.above = 0;
  return end;
}

/* Elimination without pivots: what it divides by stays positive. `share` has room for as many numbers as rows. */
static void find_slopes(const wy_spline *self, const double *y, double *share, double *m) {
  const int rows = self->def.rows;
  if (self->def.outside == WY_OUTSIDE_REFUSE && rows < 4) {
    few_slopes(self, y, m);
    return;
  }
  for (int i = 0; i < rows; i++) {
    const equation row = equation_of(self, y, i);
    const double pivot = row.diagonal - (i > 0 ? row.below * share[i - 1] : 0);
    assert(pivot > 0);
    share[i] = row.above / pivot;
    m[i] = (row.right - (i > 0 ? row.below * m[i - 1] : 0)) / pivot;
  }
  for (int i = rows - 2; i >= 0; i--)
    m[i] -= share[i] * m[i + 1];
}

/* ---- Creation ---- */

static char *duplicate(const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

static bool copy_names(wy_spline *self, const wy_spline_def *def) {
  if (!def->names)
    return true;
  self->names = calloc((size_t)def->columns, sizeof *self->names);
  bool room = self->names != NULL;
  for (int i = 0; room && i < def->columns; i++)
    room = (self->names[i] = duplicate(def->names[i])) != NULL;
  self->def.names = (const char *const *)self->names;
  return room;
}

static bool copy(wy_spline *self, const wy_spline_def *def) {
  const size_t rows = (size_t)def->rows, columns = (size_t)def->columns;
  self->def = *def;
  self->def.name = duplicate(def->name);
  self->x = malloc(rows * sizeof *self->x);
  self->y = malloc(rows * columns * sizeof *self->y);
  self->m = malloc(rows * columns * sizeof *self->m);
  self->rows = malloc(rows * columns * sizeof *self->rows);
  self->signals = malloc(columns * sizeof *self->signals);
  self->def.names = NULL;
  if (!self->def.name || !self->x || !self->y || !self->m || !self->rows || !self->signals || !copy_names(self, def))
    return false;
  memcpy(self->x, def->argument, rows * sizeof *self->x);
  memcpy(self->rows, def->values, rows * columns * sizeof *self->rows);
  self->def.argument = self->x;
  self->def.values = self->rows;
  for (int i = 0; i < def->columns; i++)
    self->signals[i] = (wy_spline_place){self, i};
  return true;
}

static wy_status make_splines(wy_spline *self, wy_message *message) {
  const size_t rows = (size_t)self->def.rows, columns = (size_t)self->def.columns;
  double *share = malloc(rows * sizeof *share);
  if (!share)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the table '%s'", self->def.name);
  bool finite = true;
  for (size_t k = 0; k < columns; k++) {
    for (size_t i = 0; i < rows; i++)
      self->y[k * rows + i] = self->rows[i * columns + k];
    find_slopes(self, self->y + k * rows, share, self->m + k * rows);
    for (size_t i = 0; i < rows; i++)
      finite = finite && isfinite(self->m[k * rows + i]);
  }
  free(share);
  return finite ? WY_OK
                : wy_fail_at(message, "", "table '%s': its slopes are outside the range of double precision",
                             self->def.name);
}

wy_status wy_spline_create(const wy_spline_def *def, wy_spline **out, wy_message *message) {
  int rotation[4];
  if (!out)
    return wy_fail_missing(message, "spline");
  *out = NULL;
  if (!def)
    return wy_fail_missing(message, "def");
  wy_spline_def own = wy_default_spline_def();
  def = wy_def_read(def, &own, "spline", "", message);
  wy_status status = def ? check(def, message) : WY_ERROR_INPUT;
  if (status)
    return status;
  wy_spline *self = calloc(1, sizeof *self);
  if (!self || !copy(self, def))
    status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for the table '%s'", def->name);
  const bool turns = !status && has_rotation(&self->def, rotation);
  if (turns)
    status = align_rotations(self, rotation, message);
  if (!status)
    status = make_splines(self, message);
  if (turns && !status)
    status = check_rotations(self, rotation, message);
  if (status) {
    wy_spline_destroy(self);
    return status;
  }
  *out = self;
  return WY_OK;
}

void wy_spline_destroy(wy_spline *self) {
  if (!self)
    return;
  for (int i = 0; self->names && i < self->def.columns; i++)
    free(self->names[i]);
  free(self->names);
  free((char *)self->def.name);
  free(self->x);
  free(self->y);
  free(self->m);
  free(self->rows);
  free(self->signals);
  free(self);
}

const wy_spline_def *wy_spline_definition(const wy_spline *self) {
  return self ? &self->def : NULL;
}

int wy_spline_column(const wy_spline *self, const char *name) {
  return self && name ? find_column(&self->def, name) : -1;
}
