/* SPDX-License-Identifier: MIT */
/* Evaluation of splines: pieces between the rows from values and slopes (docs/theory/splines.md, Y1 and Y4). */
#include <math.h>

#include "model/spline.h"

/* The piece that `at` lies on: tables are mostly uniform, so that the first guess is right. */
static int piece_of(const wy_spline *self, double at) {
  const double *x = self->x;
  int low = 0, high = self->def.rows - 1;
  const double share = (at - x[0]) / (x[high] - x[0]);
  int guess = share > 0 && share < 1 ? (int)(share * high) : share >= 1 ? high - 1 : 0;
  while (high - low > 1) {
    *(at < x[guess] ? &high : &low) = guess;
    if (low == guess && at < x[low + 1])
      high = low + 1;
    guess = low + (high - low) / 2;
  }
  return low;
}

/* y + z c1 + z^2 c2 + z^3 c3 on a piece of length h, with derivatives by h z. */
static void cubic(double y, double d, double m0, double m1, double h, double z, double jet[3]) {
  const double c1 = h * m0, c2 = 3 * d - h * (2 * m0 + m1), c3 = h * (m0 + m1) - 2 * d;
  jet[0] = y + z * (c1 + z * (c2 + z * c3));
  jet[1] = (c1 + z * (2 * c2 + 3 * z * c3)) / h;
  jet[2] = (2 * c2 + 6 * z * c3) / (h * h);
}

/* The piece at a held end, from there: the third power and the fourth alone. d is what it changes by up to its other
   end, which has the slope m away from the end. */
static void quartic(double d, double m, double h, double z, double jet[3]) {
  const double b = h * m - 3 * d, a = d - b;
  jet[0] = z * z * z * (a + z * b);
  jet[1] = z * z * (3 * a + 4 * z * b) / h;
  jet[2] = z * (6 * a + 12 * z * b) / (h * h);
}

/* Two rows, both held. */
static void quintic(double d, double h, double z, double jet[3]) {
  jet[0] = d * z * z * z * (10 - z * (15 - 6 * z));
  jet[1] = 30 * d * z * z * (1 - z) * (1 - z) / h;
  jet[2] = 60 * d * z * (1 - z) * (1 - 2 * z) / (h * h);
}

static void held_piece(const wy_spline *self, const double *y, const double *m, int i, double at, double jet[3]) {
  const double h = self->x[i + 1] - self->x[i], d = y[i + 1] - y[i], z = (at - self->x[i]) / h;
  if (self->def.rows == 2) {
    quintic(d, h, z, jet);
    jet[0] += y[0];
  } else if (i == 0) {
    quartic(d, m[1], h, z, jet);
    jet[0] += y[0];
  } else { /* backwards from the last row */
    quartic(-d, -m[i], h, (self->x[i + 1] - at) / h, jet);
    jet[0] += y[i + 1];
    jet[1] = -jet[1];
  }
}

bool wy_spline_reaches(const wy_spline *self, double at) {
  static const double slack = 1e-6; /* of the whole range */
  const double first = self->x[0], last = self->x[self->def.rows - 1], beyond = slack * (last - first);
  return self->def.outside == WY_OUTSIDE_HOLD ? !isnan(at) : at >= first - beyond && at <= last + beyond;
}

void wy_spline_evaluate(const wy_spline *self, int index, double at, double jet[3]) {
  if (!jet)
    return;
  jet[0] = jet[1] = jet[2] = NAN;
  if (!self || index < 0 || index >= self->def.columns || !wy_spline_reaches(self, at))
    return;
  const int last = self->def.rows - 1;
  const double *y = self->y + (size_t)index * (size_t)self->def.rows,
               *m = self->m + (size_t)index * (size_t)self->def.rows;
  const bool hold = self->def.outside == WY_OUTSIDE_HOLD;
  if (hold && (at <= self->x[0] || at >= self->x[last])) {
    jet[0] = at <= self->x[0] ? y[0] : y[last];
    jet[1] = jet[2] = 0;
    return;
  }
  const int i = piece_of(self, at);
  const double h = self->x[i + 1] - self->x[i];
  if (hold && (i == 0 || i == last - 1))
    held_piece(self, y, m, i, at, jet);
  else
    cubic(y[i], y[i + 1] - y[i], m[i], m[i + 1], h, (at - self->x[i]) / h, jet);
}

static void evaluate_signal(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const wy_spline_place *of = context;
  const wy_variable variable = of->spline->def.of;
  wy_spline_evaluate(of->spline, of->column, variable == WY_TIME ? t : s, jet);
  if (wrt != variable)
    jet[1] = jet[2] = 0;
}

wy_signal wy_spline_signal(const wy_spline *self, int index) {
  if (!self || index < 0 || index >= self->def.columns)
    return wy_constant(NAN);
  wy_signal signal = {0, evaluate_signal, &self->signals[index], (unsigned)self->def.of};
  return signal;
}

const wy_spline *wy_spline_of_signal(const wy_signal *signal, int *index) {
  const wy_spline_place *of = signal->evaluate == evaluate_signal ? signal->context : NULL;
  *index = of ? of->column : -1;
  return of ? of->spline : NULL;
}
