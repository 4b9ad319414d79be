/* SPDX-License-Identifier: MIT */
#include "integrate/seulex_tableau.h"

#include <math.h>
#include <string.h>

#include "base/target.h"

const int wy_seulex_substeps[WY_SEULEX_COLUMNS + 1] = {0, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96};

/* Errors beyond this many tolerances are no errors any more. */
static const double overflow = 1e15;

static int kept_increments(int j) {
  return j < WY_SEULEX_DERIVATIVES ? j : WY_SEULEX_DERIVATIVES;
}

void wy_tableau_layout(wy_tableau *tableau, wy_arena *scratch, int size) {
  size_t n = (size_t)size;
  for (int j = 1; j <= WY_SEULEX_COLUMNS; j++) {
    tableau->entry[j] = wy_arena_doubles(scratch, n);
    tableau->slope[j] = wy_arena_doubles(scratch, n);
    for (int i = 0; i < kept_increments(j); i++)
      tableau->increment[j][i] = wy_arena_doubles(scratch, n);
  }
  tableau->first = wy_arena_doubles(scratch, n);
  tableau->spare = wy_arena_doubles(scratch, n);
  tableau->error = wy_arena_doubles(scratch, n);
}

/* ---- Vector kernels ---- */

WY_CLONES
static void sum_of(const double *restrict a, const double *restrict b, int n, double *restrict out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = a[i] + b[i];
}

WY_CLONES
static void add(const double *restrict a, int n, double *restrict to) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    to[i] += a[i];
}

WY_CLONES
static void multiply(double factor, int n, double *restrict a) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    a[i] *= factor;
}

/* out = f - sigma * increment */
WY_CLONES
static void residual(const double *restrict f, const double *restrict increment, double sigma, int n,
                     double *restrict out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = f[i] - sigma * increment[i];
}

/* Row j of the tableau from row j - 1 and T_j1 in entry[j] (I22); error = T_jj - T_j,j-1. */
WY_CLONES
static void extrapolate(double *const *entry, int j, int n, double *restrict error) {
  for (int l = j; l > 1; l--) {
    const double *restrict better = entry[l];
    double *restrict old = entry[l - 1];
    const double share = 1 / ((double)wy_seulex_substeps[j] / wy_seulex_substeps[l - 1] - 1);
#pragma omp simd
    for (int i = 0; i < n; i++) {
      error[i] = share * (better[i] - old[i]);
      old[i] = better[i] + error[i];
    }
  }
}

/* out = sum of weighted vectors - below */
WY_CLONES
static void combine(const double *const *vector, const double *weight, int terms, const double *restrict below, int n,
                    double *restrict out) {
  for (int first = 0; first < n; first += WY_LANES) {
    double sum[WY_LANES];
    for (int lane = 0; lane < WY_LANES; lane++)
      sum[lane] = -below[first + lane];
    for (int k = 0; k < terms; k++) {
      const double *restrict from = vector[k] + first;
      const double factor = weight[k];
#pragma omp simd
      for (int lane = 0; lane < WY_LANES; lane++)
        sum[lane] += factor * from[lane];
    }
    for (int lane = 0; lane < WY_LANES; lane++)
      out[first + lane] = sum[lane];
  }
}

/* ---- One row ---- */

static int fail(wy_integrator *self, wy_rejection rejection) {
  self->rejection = rejection;
  return WY_RETRY;
}

static int factor(wy_integrator *self, double substep) {
  self->now->statistics.factorisations++;
  self->rejection = WY_BY_SINGULARITY;
  return self->system->type->factor(self->system, 0, 1 / substep);
}

/* How far the first increment is from solving the implicit Euler method, by one Newton correction (I23). `next` is f
   after the first substep, at its time for an autonomous system only. */
static int check_stability(wy_integrator *self, wy_tableau *tableau, const double *stage, const double *next,
                           double substep, bool autonomous, double *contraction) {
  wy_system *system = self->system;
  const double *f = next;
  if (!autonomous) {
    wy_integrator_rhs(self, self->now->t + substep, stage, tableau->spare, false);
    f = tableau->spare;
  }
  residual(f, tableau->first, 1 / substep, system->size, tableau->error);
  system->type->solve(system, 0, tableau->error);
  double first = wy_weighted_norm(self, self->relative, self->absolute, tableau->first, self->u, self->u);
  double second = wy_weighted_norm(self, self->relative, self->absolute, tableau->error, self->u, self->u);
  *contraction = second / fmax(1 / sqrt(system->unknowns), first);
  if (!isfinite(*contraction))
    return fail(self, WY_BY_NAN);
  return *contraction > 1 ? fail(self, WY_BY_NEWTON) : 0;
}

/* The solution of (1/substep - J) x = f in its place; the integrals have no Jacobian. */
static void solve(wy_integrator *self, double substep, double *f) {
  self->system->type->solve(self->system, 0, f);
  for (int q = 0; q < WY_INTEGRALS; q++)
    f[self->system->size + q] *= substep;
}

int wy_tableau_row(wy_integrator *self, wy_tableau *tableau, int j, double h, bool autonomous, double *error,
                   double *contraction) {
  const int n = self->size, substeps = wy_seulex_substeps[j], kept = kept_increments(j);
  const double substep = h / substeps, t = self->now->t;
  double *stage = tableau->entry[j];
  int status = factor(self, substep);
  if (status)
    return status;
  const double *f = self->f;
  if (!autonomous) {
    wy_integrator_rhs(self, t + substep, self->u, tableau->slope[j], true);
    f = tableau->slope[j];
  }
  memcpy(tableau->first, f, (size_t)n * sizeof(double));
  if (!autonomous && j > 1)
    extrapolate(tableau->slope, j, n, tableau->error);
  solve(self, substep, tableau->first);
  sum_of(self->u, tableau->first, n, stage);
  for (int i = 1; i < substeps; i++) {
    double *increment = substeps - i > kept ? tableau->spare : tableau->increment[j][substeps - i - 1];
    wy_integrator_rhs(self, t + (autonomous ? i : i + 1) * substep, stage, increment, true);
    if (i == 1 && j <= 2 && check_stability(self, tableau, stage, increment, substep, autonomous, contraction))
      return WY_RETRY;
    solve(self, substep, increment);
    add(increment, n, stage);
  }
  if (j == 1)
    return 0;
  extrapolate(tableau->entry, j, n, tableau->error);
  *error = wy_weighted_norm(self, self->relative, self->absolute, tableau->error, self->u, self->u);
  if (*error < overflow)
    return 0;
  return fail(self, isfinite(*error) ? WY_BY_ERROR : WY_BY_NAN);
}

double wy_tableau_start_error(wy_integrator *self, wy_tableau *tableau, int columns, double h) {
  const int substeps = wy_seulex_substeps[columns];
  const double substep = h / substeps;
  double error = 0;
  residual(tableau->slope[1], self->f, 1, self->size, tableau->error);
  for (int i = 0; i < substeps; i++) {
    solve(self, substep, tableau->error);
    error = wy_weighted_norm(self, self->relative, self->absolute, tableau->error, self->u, self->u);
    if (error <= 1)
      break;
    multiply(1 / substep, self->size, tableau->error);
  }
  return error;
}

/* ---- Continuous output ---- */

/* Weights of the increments of rows `degree` to `columns` in h^degree / degree! times the derivative at the end of the
   step (I24): backward differences, extrapolated to substeps of length 0. */
static int derivative_weights(const wy_tableau *tableau, int degree, int columns, const double **vector,
                              double *weight) {
  int terms = 0;
  for (int j = degree; j <= columns; j++) {
    double factor = 1;
    for (int l = degree; l <= columns; l++)
      if (l != j)
        factor *= wy_seulex_substeps[j] / (double)(wy_seulex_substeps[j] - wy_seulex_substeps[l]);
    for (int l = 1; l <= degree; l++)
      factor *= wy_seulex_substeps[j] / (double)l;
    for (int i = 0; i < degree; i++) { /* signs and binomial coefficients of degree - 1 */
      vector[terms] = tableau->increment[j][i];
      weight[terms++] = factor;
      factor *= -(degree - 1 - i) / (double)(i + 1);
    }
  }
  return terms;
}

double wy_tableau_end_error(wy_integrator *self, wy_tableau *tableau, int columns, double h, double *f) {
  const double *vector[WY_SEULEX_COLUMNS * WY_SEULEX_DERIVATIVES];
  double weight[WY_SEULEX_COLUMNS * WY_SEULEX_DERIVATIVES];
  const int terms = derivative_weights(tableau, 1, columns, vector, weight);
  multiply(h, self->size, f);
  combine(vector, weight, terms, f, self->size, tableau->error);
  multiply(1 / h, self->size, tableau->error);
  solve(self, h / wy_seulex_substeps[columns], tableau->error);
  return wy_weighted_norm(self, self->relative, self->absolute, tableau->error, self->u, self->u);
}

int wy_tableau_dense(const wy_tableau *tableau, int columns, const double *u, int n, double *const *dense) {
  const double *vector[WY_SEULEX_COLUMNS * WY_SEULEX_DERIVATIVES];
  double weight[WY_SEULEX_COLUMNS * WY_SEULEX_DERIVATIVES];
  const int derivatives = kept_increments(columns - 1);
  memcpy(dense[0], u, (size_t)n * sizeof(double));
  residual(tableau->entry[1], u, 1, n, dense[1]);
  for (int degree = 1; degree <= derivatives; degree++) {
    int terms = derivative_weights(tableau, degree, columns, vector, weight);
    combine(vector, weight, terms, dense[degree], n, dense[degree + 1]);
  }
  return derivatives + 1;
}
