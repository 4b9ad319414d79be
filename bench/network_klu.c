/* SPDX-License-Identifier: MIT */
/* KLU of SuiteSparse on the matrix of a network: a factorisation that knows pattern and pivots from an earlier one. */
#include "bench/network.h"
#include "bench/timing.h"

#ifdef WY_HAVE_KLU
#include <klu.h>
#include <math.h>

int wy_bench_klu(wy_bench_columns *matrix, double *b, double *refactor, double *solve) {
  klu_common common;
  klu_defaults(&common);
  klu_symbolic *symbolic = klu_analyze(matrix->n, matrix->first, matrix->row, &common);
  klu_numeric *numeric = symbolic ? klu_factor(matrix->first, matrix->row, matrix->entry, symbolic, &common) : NULL;
  bool good = numeric;
  *refactor = *solve = HUGE_VAL;
  for (int r = 0; r < REPETITIONS && good; r++) {
    const double start = wy_bench_seconds();
    good = klu_refactor(matrix->first, matrix->row, matrix->entry, symbolic, numeric, &common);
    *refactor = fmin(*refactor, 1e6 * (wy_bench_seconds() - start));
  }
  const double start = wy_bench_seconds();
  good = good && klu_solve(symbolic, numeric, matrix->n, 1, b, &common);
  *solve = 1e6 * (wy_bench_seconds() - start);
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return good ? WY_OK : WY_ERROR_MEMORY;
}
#else
/* NOLINTNEXTLINE(readability-non-const-parameter): KLU writes it */
int wy_bench_klu(wy_bench_columns *matrix, double *b, double *refactor, double *solve) {
  (void)matrix, (void)b;
  *refactor = *solve = 0;
  return WY_OK;
}
#endif
