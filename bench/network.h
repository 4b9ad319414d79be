/* SPDX-License-Identifier: MIT */
/* KLU as something to compare with. */
#ifndef WY_BENCH_NETWORK_H
#define WY_BENCH_NETWORK_H

/* A matrix by columns: the entries of column j are those from first[j] to first[j + 1]. */
typedef struct wy_bench_columns {
  int n, *first, *row;
  double *entry;
} wy_bench_columns;

/* Smallest times in microseconds; solves b in place. Does nothing where KLU is not built in. */
int wy_bench_klu(wy_bench_columns *matrix, double *b, double *refactor, double *solve);

#endif
