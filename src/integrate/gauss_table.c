/* SPDX-License-Identifier: MIT */
#include "integrate/gauss_table.h"

#include <math.h>
#include <string.h>

typedef double matrix[WY_GAUSS_STAGES][WY_GAUSS_STAGES];

/* Gauss-Jordan elimination with row exchanges. */
static void invert(int n, matrix from, matrix out) {
  double m[WY_GAUSS_STAGES][2 * WY_GAUSS_STAGES] = {{0}};
  for (int i = 0; i < n; i++) {
    memcpy(m[i], from[i], (size_t)n * sizeof(double));
    m[i][n + i] = 1;
  }
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(m[i][k]) > fabs(m[pivot][k]))
        pivot = i;
    for (int j = 0; j < 2 * n; j++) {
      double held = m[k][j];
      m[k][j] = m[pivot][j], m[pivot][j] = held;
    }
    for (int i = 0; i < n; i++) {
      double factor = i == k ? 1 - 1 / m[k][k] : m[i][k] / m[k][k];
      for (int j = 2 * n - 1; j >= k; j--)
        m[i][j] -= factor * m[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    memcpy(out[i], m[i] + n, (size_t)n * sizeof(double));
}

/* The zeros of the shifted Legendre polynomial. */
static void set_nodes(wy_gauss_table *table) {
  static const double half_width[] = {0, 0, 0.28867513459481288225,
                                      0.38729833462074168852}; /* sqrt(3)/6, sqrt(15)/10 */
  const int n = table->stages;
  for (int i = 0; i < n; i++)
    table->c[i] = n == 1 ? 0.5 : 0.5 + (2.0 * i / (n - 1) - 1) * half_width[n];
}

void wy_gauss_weights(const wy_gauss_table *table, double x, double weights[WY_GAUSS_STAGES]) {
  for (int j = 0; j < table->stages; j++) {
    double power = x;
    weights[j] = 0;
    for (int k = 0; k < table->stages; k++, power *= x)
      weights[j] += table->polynomial[j][k] * power / (k + 1);
  }
}

/* The eigenvalues of A^-1 are the zeros of the denominator of the stability function, a Pade approximation of exp: 2 -
   z; 12 - 6 z + z^2; 120 - 60 z + 12 z^2 - z^3. */
static void set_eigenvalues(wy_gauss_table *table) {
  const int n = table->stages;
  table->real = n % 2, table->complex = n / 2;
  if (n == 1) {
    table->gamma = 2;
    return;
  }
  double sum = 6, product = 12; /* of the pair */
  if (n == 3) {
    double x = 4.6;
    for (int i = 0; i < 8; i++)
      x -= (((x - 12) * x + 60) * x - 120) / ((3 * x - 24) * x + 60);
    table->gamma = x;
    sum = 12 - x, product = 120 / x;
  }
  table->alpha = 0.5 * sum;
  table->beta = sqrt(product - 0.25 * sum * sum);
}

/* A vector re + i im with (A^-1 - (alpha + i beta)) v = 0: the cross product of two rows. */
static void eigenvector(const wy_gauss_table *table, double alpha, double beta, double re[WY_GAUSS_STAGES],
                        double im[WY_GAUSS_STAGES]) {
  matrix row = {{0}};
  for (int i = 0; i < table->stages; i++)
    for (int j = 0; j < table->stages; j++)
      row[i][j] = table->inverse[i][j] - (i == j ? alpha : 0);
  if (table->stages == 2) { /* one row is enough; its diagonal entry has the imaginary part -beta */
    re[0] = row[0][1], re[1] = -row[0][0];
    im[0] = 0, im[1] = beta;
    return;
  }
  const double diagonal[2][3] = {{-beta, 0, 0}, {0, -beta, 0}}; /* imaginary parts of the first two rows */
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    re[k] = row[0][a] * row[1][b] - row[0][b] * row[1][a] - diagonal[0][a] * diagonal[1][b] +
            diagonal[0][b] * diagonal[1][a];
    im[k] = row[0][a] * diagonal[1][b] + diagonal[0][a] * row[1][b] - row[0][b] * diagonal[1][a] -
            diagonal[0][b] * row[1][a];
  }
}

static void set_transformation(wy_gauss_table *table) {
  double re[WY_GAUSS_STAGES] = {1}, im[WY_GAUSS_STAGES] = {0};
  if (table->real && table->stages > 1)
    eigenvector(table, table->gamma, 0, re, im);
  for (int i = 0; table->real && i < table->stages; i++)
    table->t[i][0] = re[i];
  if (table->complex)
    eigenvector(table, table->alpha, table->beta, re, im);
  for (int i = 0; table->complex && i < table->stages; i++) {
    table->t[i][table->real] = re[i];
    table->t[i][table->real + 1] = im[i];
  }
  matrix inverse = {{0}};
  invert(table->stages, table->t, inverse);
  for (int i = 0; i < table->stages; i++)
    for (int j = 0; j < table->stages; j++)
      for (int k = 0; k < table->stages; k++)
        table->into[i][j] += inverse[i][k] * table->inverse[k][j];
}

static void set_skew(wy_gauss_table *table, matrix a) {
  for (int i = 0; i < table->stages; i++)
    for (int j = 0; j < i; j++) {
      double half = 0.5 * (a[i][j] / table->b[j] - a[j][i] / table->b[i]);
      table->skew[i][j] = half, table->skew[j][i] = -half;
    }
}

void wy_gauss_fill(wy_gauss_table *table, int stages) {
  matrix vandermonde = {{0}}, coefficients = {{0}}, a = {{0}};
  *table = (wy_gauss_table){.stages = stages};
  set_nodes(table);
  for (int i = 0; i < stages; i++) {
    double power = 1;
    for (int k = 0; k < stages; k++, power *= table->c[i])
      vandermonde[i][k] = power;
  }
  invert(stages, vandermonde, coefficients);
  for (int j = 0; j < stages; j++)
    for (int k = 0; k < stages; k++)
      table->polynomial[j][k] = coefficients[k][j];
  for (int i = 0; i < stages; i++)
    wy_gauss_weights(table, table->c[i], a[i]);
  invert(stages, a, table->inverse);
  wy_gauss_weights(table, 1, table->b);
  set_skew(table, a);
  set_eigenvalues(table);
  set_transformation(table);
}
