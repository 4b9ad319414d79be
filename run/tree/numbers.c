/* SPDX-License-Identifier: MIT */
#include "run/tree/numbers.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Random bits ---- */

/* The finaliser of splitmix64: every bit of the result depends on every bit of x. */
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

uint64_t wy_random_bits(uint64_t seed, uint64_t a, uint64_t b) {
  const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = mix(seed + golden);
  x = mix(x + (a + 1) * golden);
  return mix(x + (b + 1) * golden);
}

double wy_random_unit(uint64_t bits) {
  return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

/* ---- Numbers of twice the precision: a + b with |b| below half a last digit of a ---- */

typedef struct pair {
  double a, b;
} pair;

static pair sum(double x, double y) {
  const double s = x + y, back = s - x;
  return (pair){s, (x - (s - back)) + (y - back)};
}

/* x in two halves of 26 bits each. */
static pair split(double x) {
  const double t = 134217729.0 * x, high = t - (t - x);
  return (pair){high, x - high};
}

static pair product(double x, double y) {
  const pair p = split(x), q = split(y);
  const double m = x * y;
  return (pair){m, ((p.a * q.a - m) + p.a * q.b + p.b * q.a) + p.b * q.b};
}

static pair add(pair x, pair y) {
  const pair s = sum(x.a, y.a), t = sum(x.b, y.b);
  const pair u = sum(s.a, s.b + t.a);
  return sum(u.a, u.b + t.b);
}

static pair times(pair x, pair y) {
  const pair p = product(x.a, y.a);
  return sum(p.a, p.b + (x.a * y.b + x.b * y.a));
}

static pair over(pair x, double y) {
  const double q = x.a / y;
  const pair p = product(q, y);
  return sum(q, ((x.a - p.a) - p.b + x.b) / y);
}

static const pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/* By halving the argument nine times, a Taylor series, and squaring as often. Returns e^x 2^-*exponent. */
static pair exp_pair(pair x, int *exponent) {
  enum { HALVINGS = 9, TERMS = 9 };
  const double k = floor(x.a / ln2.a + 0.5);
  pair r = add(x, times((pair){-k, 0}, ln2));
  r = (pair){ldexp(r.a, -HALVINGS), ldexp(r.b, -HALVINGS)};
  pair term = {1, 0}, all = {0, 0}; /* e^r - 1, so that squaring loses nothing */
  for (int i = 1; i <= TERMS; i++) {
    term = over(times(term, r), i);
    all = add(all, term);
  }
  for (int i = 0; i < HALVINGS; i++)
    all = add(add(all, all), times(all, all));
  *exponent = (int)k;
  return add(all, (pair){1, 0});
}

/* A double's accuracy by a series, then one step of Newton's method. */
static pair log_pair(double x) {
  int e, back;
  double m = frexp(x, &e);
  if (m < 0.70710678118654752) {
    m *= 2;
    e--;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double series = 0;
  for (int i = 25; i >= 1; i -= 2)
    series = series * square + 1.0 / i;
  const double rough = 2 * s * series;
  const pair inverse = exp_pair((pair){-rough, 0}, &back); /* m e^-rough = 1 + error */
  pair error = times((pair){m, 0}, (pair){ldexp(inverse.a, back), ldexp(inverse.b, back)});
  error = add(error, (pair){-1, 0});
  return add(times((pair){e, 0}, ln2), add((pair){rough, 0}, error));
}

double wy_exact_exp(double x) {
  int exponent;
  if (!(fabs(x) < 745))
    return x > 0 ? INFINITY : 0;
  const pair value = exp_pair((pair){x, 0}, &exponent);
  return ldexp(value.a, exponent);
}

double wy_exact_log(double x) {
  assert(x > 0 && isfinite(x));
  return log_pair(x).a;
}

/* ---- Values ---- */

/* x + (y - x) k/n. */
static pair between(pair x, pair y, double k, double n) {
  const pair difference = add(y, (pair){-x.a, -x.b});
  return add(x, over(times(difference, (pair){k, 0}), n));
}

double wy_spread(double from, double to, double k, double n, bool ratios) {
  assert(k >= 0 && k <= n && n > 0);
  if (k <= 0 || k >= n)
    return k <= 0 ? from : to;
  assert(fabs(from) <= WY_SPREAD_MOST && fabs(to) <= WY_SPREAD_MOST);
  int exponent = 0;
  const pair middle = ratios ? exp_pair(between(log_pair(from), log_pair(to), k, n), &exponent)
                             : between((pair){from, 0}, (pair){to, 0}, k, n);
  const double value = ldexp(middle.a, exponent);
  return fmax(fmin(from, to), fmin(fmax(from, to), value)); /* rounding leads nowhere else */
}

/* Quotient of two polynomials of degree 7, lowest first. */
static double quotient(double x, const double p[8], const double q[8]) {
  double above = p[7], below = q[7];
  for (int i = 6; i >= 0; i--) {
    above = above * x + p[i];
    below = below * x + q[i];
  }
  return above / below;
}

/* Wichura, algorithm AS 241, Appl. Statist. 37 (1988) 477: rational functions for the middle, the sides, the tails. */
double wy_normal(double u) {
  static const double middle[2][8] = {
      {3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
       4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
      {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
       3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};
  static const double side[2][8] = {
      {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
       1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
      {1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
       1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
  static const double tail[2][8] = {
      {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
       2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
      {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
       1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};
  assert(u > 0 && u < 1);
  const double q = u - 0.5;
  if (fabs(q) <= 0.425)
    return q * quotient(0.180625 - q * q, middle[0], middle[1]);
  const double r = sqrt(-wy_exact_log(q < 0 ? u : 1 - u));
  const double size = r <= 5 ? quotient(r - 1.6, side[0], side[1]) : quotient(r - 5, tail[0], tail[1]);
  return q < 0 ? -size : size;
}

size_t wy_number_text(double value, char *text, size_t size) {
  char digits[32];
  int length = 0;
  for (int precision = 15; precision <= 17; precision++) {
    length = snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value)
      break;
  }
  if (size > 0)
    snprintf(text, size, "%s", digits);
  return (size_t)length;
}
