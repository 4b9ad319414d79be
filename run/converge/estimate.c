/* SPDX-License-Identifier: MIT */
/* See estimate.h. */
#include "run/converge/estimate.h"

#include <assert.h>
#include <math.h>

/* An observed order within this distance of the promised one is the promised one. */
static const double order_slack = 0.5;
/* A single number that converges by so much more than promised agrees by chance. */
static const double order_excess = 1.5;
/* Below these orders, differences do not fall: of the same shape, and of another one from level to level. */
static const double least_order = 0.5, least_irregular_order = 1;
/* Differences have the same shape if the cosine between them is at least this. */
static const double same_shape = 0.9;
/* A course of so many rows whose differences have this cosine does not agree by chance. */
static const double sure_shape = 0.99;
static const int sure_rows = 5;
/* Where only norms tell the order, the error is taken so many times larger. */
static const double irregular_margin = 1.5;
/* Differences are at the level of the noise if they are less than so many times it. */
static const double noise_margin = 4;

static double norm(const double *a, const double *b, int components) {
  double sum = 0;
  for (int i = 0; i < components; i++)
    sum += (b[i] - a[i]) * (b[i] - a[i]);
  return sqrt(sum);
}

double wy_largest_distance(const double *a, const double *b, int rows, int components) {
  double largest = 0;
  for (int r = 0; r < rows; r++) {
    const double here = norm(a + r * components, b + r * components, components);
    largest = here > largest || isnan(here) ? here : largest;
    if (isnan(largest))
      break;
  }
  return largest;
}

/* The inner product of two differences over the course: (b1 - a1) . (b2 - a2). */
static double inner(const double *a1, const double *b1, const double *a2, const double *b2, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += (b1[i] - a1[i]) * (b2[i] - a2[i]);
  return sum;
}

/* (V4): the ratio of two successive differences of order p. */
static double ratio_of(double p, const double h[3]) {
  const double a = log(h[0] / h[1]), b = log(h[1] / h[2]);
  /* h0^p - h1^p over h1^p - h2^p, in a form that has a limit for p = 0 */
  const double above = fabs(p) < 1e-9 ? a : expm1(p * a) / p, below = fabs(p) < 1e-9 ? b : -expm1(-p * b) / p;
  return above / below;
}

double wy_estimate_order(double ratio, const double h[3]) {
  double low = -10, high = 20;
  if (!(ratio > 0))
    return ratio == 0 ? low : (double)NAN;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (ratio_of(middle, h) < ratio)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

/* (V6): the error of the finest level over the last difference. */
static double factor_of(double p, double h1, double h2) {
  return 1 / expm1(p * log(h1 / h2));
}

static bool is_finite(const wy_series *s) {
  for (int k = 0; k < s->levels; k++)
    for (int i = 0; i < s->rows * s->components; i++)
      if (!isfinite(s->values[k][i]))
        return false;
  return true;
}

/* The difference that ends at a level. */
static double difference(const wy_series *s, int level) {
  return wy_largest_distance(s->values[level - 1], s->values[level], s->rows, s->components);
}

static double largest_difference(const wy_series *s) {
  double largest = 0;
  for (int k = 1; k < s->levels; k++)
    largest = fmax(largest, difference(s, k));
  return largest;
}

/* Order and agreement of three levels that end at `last`. */
static void observe(const wy_series *s, int last, double *order, double *agreement) {
  const double *const *v = s->values + last - 2;
  const int count = s->rows * s->components;
  const double before = sqrt(inner(v[0], v[1], v[0], v[1], count)), after = sqrt(inner(v[1], v[2], v[1], v[2], count));
  *order = before > 0 || after > 0 ? wy_estimate_order(after > 0 ? before / after : (double)INFINITY, s->h + last - 2)
                                   : (double)NAN;
  *agreement = before > 0 && after > 0 ? inner(v[0], v[1], v[1], v[2], count) / (before * after) : (double)NAN;
}

static wy_estimate without_limit(const wy_estimate *e, wy_convergence verdict, bool trusted, double rest) {
  wy_estimate out = *e;
  out.verdict = verdict;
  out.trusted = trusted;
  out.factor = 0;
  out.rest = rest;
  return out;
}

static wy_estimate extrapolate(const wy_series *s, const wy_estimate *e, wy_convergence verdict, double order) {
  wy_estimate out = *e;
  out.verdict = verdict;
  out.trusted = true;
  out.used = order;
  out.factor = factor_of(order, s->h[s->levels - 2], s->h[s->levels - 1]);
  out.rest = s->noise;
  return out;
}

/* A higher order than promised is believed where many numbers say the same: a course, or one more level. */
static bool is_confirmed(const wy_series *s, const wy_estimate *e) {
  double order, agreement;
  if (s->rows >= sure_rows && e->agreement >= sure_shape)
    return true;
  if (s->levels < 4)
    return false;
  observe(s, s->levels - 2, &order, &agreement);
  return agreement >= same_shape && fabs(order - e->order) <= order_slack;
}

/* Nothing to extrapolate: shape or sign change, or the constant of the error does, from level to level. Of many numbers
   the norms still fall with an order, which says what is left (V8). Of few it is at most the last difference, where
   differences fall by half, and not less than the promise makes of the one before (V9). */
static wy_estimate bound(const wy_series *s, const wy_estimate *e, wy_convergence verdict) {
  const int finest = s->levels - 1;
  const double h1 = s->h[finest - 1], h2 = s->h[finest], order = fmin(e->order, s->promised);
  const double last = difference(s, finest), before = difference(s, finest - 1) * pow(h2 / h1, s->promised);
  if (!(e->order >= least_irregular_order))
    return without_limit(e, WY_NOT_CONVERGING, false, largest_difference(s));
  const bool norms_tell = verdict == WY_IRREGULAR && s->rows >= sure_rows;
  const double rest = norms_tell ? irregular_margin * factor_of(order, h1, h2) * last : fmax(last, before);
  wy_estimate out = without_limit(e, verdict, true, rest + s->noise);
  out.used = order;
  return out;
}

wy_estimate wy_estimate_series(const wy_series *s) {
  wy_estimate e = {.order = NAN, .agreement = NAN, .used = NAN};
  assert(s->levels >= 3 && s->rows >= 1 && s->components >= 1);
  if (!is_finite(s))
    return without_limit(&e, WY_NOT_FINITE, false, NAN);
  const double largest = largest_difference(s), last = difference(s, s->levels - 1);
  if (largest <= s->rounding)
    return without_limit(&e, WY_ROUNDING, true, largest);
  observe(s, s->levels - 1, &e.order, &e.agreement);
  if (s->noise > 0 && last <= noise_margin * s->noise)
    return without_limit(&e, WY_TIME_NOISE, true, last + s->noise);
  if (last <= s->rounding)
    return without_limit(&e, WY_ROUNDING, true, largest);
  if (e.order > fmax(s->promised, s->highest) + order_excess && !is_confirmed(s, &e))
    return without_limit(&e, WY_BY_CHANCE, false, largest);
  if (s->between)
    return bound(s, &e, WY_BETWEEN_NODES);
  if (!(e.order >= least_order))
    return without_limit(&e, WY_NOT_CONVERGING, false, largest);
  if (!(e.agreement >= same_shape))
    return bound(s, &e, WY_IRREGULAR);
  if (e.order > s->promised + order_slack)
    return extrapolate(s, &e, WY_FASTER, s->promised);
  return extrapolate(s, &e, e.order < s->promised - order_slack ? WY_SLOWER : WY_CONVERGES, e.order);
}
