/* SPDX-License-Identifier: MIT */
/* Notes and differences, as they are made. */
#include "draw/compare/differences.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Notes ---- */

void wy_compare_note_add(wy_comparison *c, bool lacking, const char *format, ...) {
  char text[1200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  c->notes[c->note_count++] = (wy_compare_note){wy_memory_copy(&c->memory, text, strlen(text)), lacking};
}

void wy_compare_note_lacking(wy_comparison *c, int has, const char *what, const char *names) {
  if (names && names[0])
    wy_compare_note_add(c, true, "only in %s: %s%s", c->label[has], what, names);
}

void wy_compare_note_times(wy_comparison *c, const wy_match *match, const char *what) {
  if (match->earlier >= 0)
    wy_compare_note_add(c, true, "%s's %s end at t = %g, %s's at t = %g: compared up to the earlier one",
                        c->label[match->earlier], what, fmin(match->end[0], match->end[1]), c->label[!match->earlier],
                        fmax(match->end[0], match->end[1]));
  if (match->interpolated > 0)
    wy_compare_note_add(
        c, false, "%d of %d %s have no counterpart at the same time: there %s is interpolated by cubic polynomials",
        match->interpolated, match->rows, what, c->label[!match->coarse]);
  else if (match->skipped > 0)
    wy_compare_note_add(c, false, "%s of %s are more frequent: they are compared at the times of %s", what,
                        c->label[!match->coarse], c->label[match->coarse]);
}

/* ---- Differences ---- */

double wy_difference_relative(const wy_difference *d) {
  return d->largest == 0 ? 0 : d->scale > 0 ? d->largest / d->scale : (double)INFINITY;
}

wy_difference *wy_difference_add(wy_comparison *c, wy_compared kind, const char *name, int rows, int components) {
  wy_difference *d = &c->differences[c->count++];
  *d = (wy_difference){.kind = kind, .where = "", .rows = rows, .components = components};
  d->name = wy_memory_copy(&c->memory, name, strlen(name));
  d->t = wy_memory_take(&c->memory, (size_t)rows, sizeof(double));
  d->distance = wy_memory_take(&c->memory, (size_t)rows, sizeof(double));
  for (int k = 0; k < 2 * components; k++)
    d->value[k % 2][k / 2] = wy_memory_take(&c->memory, (size_t)rows, sizeof(double));
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

void wy_difference_measure(wy_difference *d) {
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

static double largest_norm(const wy_compare_series *s, int components) {
  double largest = 0;
  for (int i = 0; i < s->count; i++) {
    double square = 0;
    for (int k = 0; k < components; k++)
      square += s->part[k][i] * s->part[k][i];
    largest = fmax(largest, square);
  }
  return sqrt(largest);
}

bool wy_compare_nothing(const wy_compare_series both[2], int components) {
  return !both[0].part[0] || !both[1].part[0] ||
         (largest_norm(&both[0], components) == 0 && largest_norm(&both[1], components) == 0);
}

wy_difference *wy_difference_add_series(wy_comparison *c, wy_compared kind, const char *name, const wy_match *match,
                                        const wy_compare_series both[2], int components) {
  wy_difference *d = wy_difference_add(c, kind, name, match->rows, components);
  memcpy(d->t, match->t, (size_t)match->rows * sizeof(double));
  for (int side = 0; side < 2; side++) {
    wy_match_values(match, side, both[side].part, components, d->value[side]);
    d->scale = fmax(d->scale, largest_norm(&both[side], components));
  }
  wy_difference_measure(d);
  return d;
}
