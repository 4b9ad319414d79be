/* SPDX-License-Identifier: MIT */
#include "linalg/full.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* ---- Factors ---- */

static void exchange(int n, double *a, int i, int j) {
  for (int k = 0; k < n && i != j; k++) {
    const double kept = a[i * n + k];
    a[i * n + k] = a[j * n + k];
    a[j * n + k] = kept;
  }
}

static int largest_row(int n, const double *re, const double *im, int column) {
  int found = column;
  double largest = -1;
  for (int i = column; i < n; i++) {
    const double a = re[i * n + column], b = im ? im[i * n + column] : 0, size = a * a + b * b;
    if (size > largest)
      largest = size, found = i;
  }
  return found;
}

/* Row `row` less a multiple of row `pivot`, which takes the place of its entry in the pivot's column. */
static void eliminate(int n, double *re, double *im, int pivot, int row) {
  const double p = re[pivot * n + pivot], p_im = im ? im[pivot * n + pivot] : 0, size = p * p + p_im * p_im;
  const double a = re[row * n + pivot], a_im = im ? im[row * n + pivot] : 0;
  const double f = (a * p + a_im * p_im) / size, f_im = (a_im * p - a * p_im) / size;
  re[row * n + pivot] = f;
  if (im)
    im[row * n + pivot] = f_im;
  for (int k = pivot + 1; k < n; k++) {
    const double b = re[pivot * n + k], b_im = im ? im[pivot * n + k] : 0;
    re[row * n + k] -= f * b - f_im * b_im;
    if (im)
      im[row * n + k] -= f * b_im + f_im * b;
  }
}

int wy_full_factor(int n, double *re, double *im, int *rows) {
  for (int i = 0; i < n; i++) {
    rows[i] = largest_row(n, re, im, i);
    exchange(n, re, i, rows[i]);
    if (im)
      exchange(n, im, i, rows[i]);
    const double size = hypot(re[i * n + i], im ? im[i * n + i] : 0);
    if (!(size > 0) || !isfinite(size))
      return 1;
    for (int k = i + 1; k < n; k++)
      eliminate(n, re, im, i, k);
  }
  return 0;
}

/* b[i] less the entries from `from` to `to` of row i times b. */
static void substitute(int n, const double *re, const double *im, int i, int from, int to, double *b, double *b_im) {
  for (int k = from; k < to; k++) {
    const double a = re[i * n + k], a_im = im ? im[i * n + k] : 0, x = b[k], x_im = im ? b_im[k] : 0;
    b[i] -= a * x - a_im * x_im;
    if (im)
      b_im[i] -= a * x_im + a_im * x;
  }
}

void wy_full_solve(int n, const double *re, const double *im, const int *rows, double *b, double *b_im) {
  for (int i = 0; i < n; i++) {
    const int from = rows[i];
    const double kept = b[i], kept_im = im ? b_im[i] : 0;
    b[i] = b[from], b[from] = kept;
    if (im)
      b_im[i] = b_im[from], b_im[from] = kept_im;
  }
  for (int i = 0; i < n; i++)
    substitute(n, re, im, i, 0, i, b, b_im);
  for (int i = n - 1; i >= 0; i--) {
    substitute(n, re, im, i, i + 1, n, b, b_im);
    const double p = re[i * n + i], p_im = im ? im[i * n + i] : 0, size = p * p + p_im * p_im;
    const double x = b[i], x_im = im ? b_im[i] : 0;
    b[i] = (x * p + x_im * p_im) / size;
    if (im)
      b_im[i] = (x_im * p - x * p_im) / size;
  }
}

/* ---- Signs ---- */

/* One rotation of Jacobi's method, which makes the entry (p, q) zero. */
static void rotate(int n, double *a, int p, int q) {
  const double off = a[p * n + q], theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
  const double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1)), c = 1 / hypot(t, 1), s = t * c;
  for (int k = 0; k < n; k++) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
  }
  for (int k = 0; k < n; k++) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
  }
}

enum { MOST_SWEEPS = 40 };

int wy_full_negative(int n, double *a, int *negative) {
  double largest = 0;
  for (int i = 0; i < n * n; i++)
    largest = fmax(largest, fabs(a[i]));
  const double least = n * DBL_EPSILON * largest;
  bool done = false;
  for (int sweep = 0; sweep < MOST_SWEEPS && !done; sweep++) {
    done = true;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++)
        if (fabs(a[p * n + q]) > 1e-3 * least) {
          rotate(n, a, p, q);
          done = false;
        }
  }
  int close = 0;
  *negative = 0;
  for (int i = 0; i < n; i++) {
    *negative += a[i * n + i] < 0;
    close += !(fabs(a[i * n + i]) > least);
  }
  return close > 0 || !done;
}
