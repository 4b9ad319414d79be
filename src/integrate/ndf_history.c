/* SPDX-License-Identifier: MIT */
#include "integrate/ndf_history.h"

#include "base/target.h"

/* Klopfenstein's and Shampine's parameters; 0 is a backward differentiation formula. */
static const double kappa[WY_NDF_ORDERS + 1] = {0, -0.1850, -1.0 / 9, -0.0823, -0.0415, 0};

double wy_ndf_error(int k) {
  double gamma = 0;
  for (int i = 1; i <= k; i++)
    gamma += 1.0 / i;
  return kappa[k] * gamma + 1.0 / (k + 1);
}

/* (I61) b_m(x) = x (x + 1) ... (x + m - 1) / m!, and its slope. */
static void basis(int k, double x, double b[WY_NDF_ORDERS + 1], double slope[WY_NDF_ORDERS + 1]) {
  b[0] = 1, slope[0] = 0;
  for (int m = 1; m <= k; m++) {
    slope[m] = (slope[m - 1] * (x + m - 1) + b[m - 1]) / m;
    b[m] = b[m - 1] * (x + m - 1) / m;
  }
}

/* A step of another length than the spacing is one of the backward differentiation formula (I63). */
wy_ndf_step wy_ndf_plan(int k, double spacing, double h) {
  wy_ndf_step step = {.c = h == spacing ? 1 : h / spacing};
  basis(k, step.c, step.value, step.slope);
  double top = step.slope[k] / step.value[k];
  step.error = 1 / (step.c + k);
  if (step.c == 1) {
    step.error += kappa[k] * top;
    top *= 1 - kappa[k];
  }
  step.sigma = top / spacing;
  for (int i = 0; i <= k; i++)
    step.slope[i] /= spacing;
  return step;
}

/* ---- Differences ---- */

#define ROW(m) (past + (size_t)((m)-1) * (size_t)n)
/* A loop over rows, unrolled for each order. */
#define FOR_ORDER(k, call)                                                                                             \
  switch (k) {                                                                                                         \
  case 1:                                                                                                              \
    call(1);                                                                                                           \
    break;                                                                                                             \
  case 2:                                                                                                              \
    call(2);                                                                                                           \
    break;                                                                                                             \
  case 3:                                                                                                              \
    call(3);                                                                                                           \
    break;                                                                                                             \
  case 4:                                                                                                              \
    call(4);                                                                                                           \
    break;                                                                                                             \
  default:                                                                                                             \
    call(5);                                                                                                           \
  }

WY_INLINE void predict_by(const int k, const wy_ndf_step *step, const double *restrict u, const double *restrict past,
                          int n, double *restrict guess, double *restrict slope) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double sum = u[i], rate = 0;
    for (int m = 1; m <= k; m++)
      sum += step->value[m] * ROW(m)[i], rate += step->slope[m] * ROW(m)[i];
    guess[i] = sum, slope[i] = rate;
  }
}

WY_CLONES
void wy_ndf_predict(int k, const wy_ndf_step *step, const double *u, const double *past, int n, double *guess,
                    double *slope){
#define PREDICT(order) predict_by(order, step, u, past, n, guess, slope)
    FOR_ORDER(k, PREDICT)
#undef PREDICT
}

WY_INLINE void advance_by(const int k, double *restrict u, double *restrict past, const double *restrict d, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double next = d[i];
    ROW(k + 2)[i] = next - ROW(k + 1)[i];
    ROW(k + 1)[i] = next;
    for (int m = k; m >= 1; m--)
      ROW(m)[i] = next += ROW(m)[i];
    u[i] += next;
  }
}

/* One spacing later. */
WY_CLONES
static void advance(int k, double *u, double *past, const double *d, int n){
#define ADVANCE(order) advance_by(order, u, past, d, n)
    FOR_ORDER(k, ADVANCE)
#undef ADVANCE
}

/* past_j = sum over m >= j of matrix_jm past_m, and u with row 0. */
WY_INLINE void transform_by(const int k, double matrix[WY_NDF_ORDERS + 1][WY_NDF_ORDERS + 1], double *restrict u,
                            double *restrict past, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double sum = u[i];
    for (int m = 1; m <= k; m++)
      sum += matrix[0][m] * ROW(m)[i];
    u[i] = sum;
    for (int j = 1; j <= k; j++) {
      sum = 0;
      for (int m = j; m <= k; m++)
        sum += matrix[j][m] * ROW(m)[i];
      ROW(j)[i] = sum;
    }
  }
}

WY_CLONES
static void transform(int k, double matrix[WY_NDF_ORDERS + 1][WY_NDF_ORDERS + 1], double *u, double *past, int n){
#define TRANSFORM(order) transform_by(order, matrix, u, past, n)
    FOR_ORDER(k, TRANSFORM)
#undef TRANSFORM
}

WY_CLONES static void add_multiple(double factor, const double *restrict a, int n, double *restrict out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] += factor * a[i];
}

WY_CLONES
static void scale(double factor, int n, double *restrict out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] *= factor;
}

WY_CLONES
void wy_ndf_at(int k, double x, const double *restrict u, const double *restrict past, int n, double *restrict out) {
  double b[WY_NDF_ORDERS + 1] = {0}, slope[WY_NDF_ORDERS + 1] = {0};
  basis(k, x, b, slope);
  for (int i = 0; i < n; i++) {
    double sum = u[i];
    for (int m = 1; m <= k; m++)
      sum += b[m] * ROW(m)[i];
    out[i] = sum;
  }
}

/* The same polynomial on a grid of `ratio` old spacings that ends c old spacings later (I62). */
static void resample(int k, double c, double ratio, double *u, double *past, int n) {
  double matrix[WY_NDF_ORDERS + 1][WY_NDF_ORDERS + 1] = {{0}}, slope[WY_NDF_ORDERS + 1] = {0};
  for (int i = 0; i <= k; i++)
    basis(k, c - i * ratio, matrix[i], slope);
  for (int j = 1; j <= k; j++) /* differences of the values, in place */
    for (int i = k; i >= j; i--)
      for (int column = 0; column <= k; column++)
        matrix[i][column] = matrix[i - 1][column] - matrix[i][column];
  transform(k, matrix, u, past, n);
}

void wy_ndf_advance(int k, const wy_ndf_step *step, double *u, double *past, const double *d, int n) {
  if (step->c == 1) {
    advance(k, u, past, d, n);
    return;
  }
  add_multiple(1 / step->value[k], d, n, wy_ndf_row(past, k, n));
  resample(k, step->c, 1, u, past, n);
}

void wy_ndf_rescale(int k, double ratio, double *u, double *past, int n) {
  double power = 1;
  resample(k, 0, ratio, u, past, n);
  for (int m = 0; m <= k; m++)
    power *= ratio;
  scale(power, n, wy_ndf_row(past, k + 1, n));
  scale(power * ratio, n, wy_ndf_row(past, k + 2, n));
}
