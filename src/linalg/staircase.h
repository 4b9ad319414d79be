/* SPDX-License-Identifier: MIT */
/* Two-point boundary value problems: 12 unknowns a node, 12 equations a cell that join the nodes of its ends, 6 at each
   end. Elimination with row exchanges, cell by cell, in O(cells) and without allocation.

   A band solver of half width 17 would take the same equations, and three times the work: it does not know that rows
   begin and end with nodes. */
#ifndef WY_LINALG_STAIRCASE_H
#define WY_LINALG_STAIRCASE_H

#include "base/arena.h"

enum {
  WY_STAIR_NODE = 12, /* unknowns of a node, rows of a cell */
  WY_STAIR_END = 6,   /* rows of an end */
  WY_STAIR_WIDTH = 24 /* entries of a row: the nodes of both ends of a cell; those of an end use the first 12 */
};

typedef struct wy_staircase {
  int cells;
  /* Of each node: rows of the pivots by columns, the diagonal left out; its inverse; multipliers by pivots, at the rows
     that they belong to; and the rows in the order in which they became pivots or are left. Padded with zeros to whole
     vectors. */
  double *upper, *inverse, *lower;
  unsigned char *order;
} wy_staircase;

void wy_staircase_layout(wy_staircase *self, wy_arena *arena, int cells);

/* Writes rows into `rows`, which is zero: 6 rows of the start for part -1, 12 of cell `part`, 6 of the end for part
   `cells`. */
typedef void wy_staircase_feed(const void *context, int part, double *rows);

/* 0, or 1 if there is no usable pivot: all candidates are zero, or one is not finite. */
int wy_staircase_factor(wy_staircase *self, wy_staircase_feed *feed, const void *context);

/* In place: right-hand sides in the order start, cells, end; then unknowns by nodes. */
void wy_staircase_solve(const wy_staircase *self, double *b);

#endif
