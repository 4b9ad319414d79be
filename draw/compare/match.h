/* SPDX-License-Identifier: MIT */
/* Which rows of two runs belong together. Inner header of draw/compare/. */
#ifndef WY_DRAW_COMPARE_MATCH_H
#define WY_DRAW_COMPARE_MATCH_H

#include "draw/memory.h"

/* The rows at which two tables are compared: those of the one that has fewer in the common range of time. */
typedef struct wy_match {
  int rows;
  double *t;
  int *index[2];    /* [rows]: the row of either table with this time, or -1: it is interpolated */
  int coarse;       /* whose rows they are */
  int interpolated; /* how many have no partner */
  int skipped;      /* rows of the other one in the common range that are not looked at */
  int earlier;      /* which one ends before the other, or -1 */
  double end[2];    /* where they end */
  const double *time[2];
  int count[2];
} wy_match;

/* Times within 1e-11 of the longer duration are the same. Both ascend. */
void wy_match_times(wy_memory *memory, const double *a, int a_count, const double *b, int b_count, wy_match *match);

/* The values of one side at the matched rows, from all its rows. Four components are a rotation: unit quaternions. */
void wy_match_values(const wy_match *match, int side, const double *const *values, int components, double *const *out);

#endif
