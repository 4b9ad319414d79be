/* SPDX-License-Identifier: MIT */
/* Systems on hubs: what is left of a network when the insides of its rods are eliminated (N8). Blocks on the diagonal
   and where a rod or a spring joins two hubs; the pattern is symmetric, the values need not be. Block LU in an order of
   small degree, with row exchanges inside the blocks of the diagonal only; real and complex.

   A hub may stand for conditions between others: its own block is zero, and its unknowns are multipliers. It is
   eliminated after all hubs that it has edges with, so that what is left of its block has an inverse if the conditions
   are independent. Those that follow from others are dropped: their multipliers are zero, their rows are ignored.

   The pattern, with its order and its fill, is found once; any number of matrices have their values on it. A block has
   columns of WY_LANES rows, padded with zeros, so that a column is one vector whatever the orders of the hubs are, and
   as many columns as the largest order of a hub: columns that a smaller hub does not have cost memory, no time. */
#ifndef WY_LINALG_HUBS_H
#define WY_LINALG_HUBS_H

#include <stdbool.h>

#include "base/arena.h"

/* Most unknowns of a hub. */
enum { WY_HUB_MOST = WY_LANES };

/* Hubs are eliminated in steps; entry p of step k is a later step that has a block with it: first[k] <= p < first[k +
   1], ascending. The same entries by their later step j, in the order of k: first_back[j] <= q < first_back[j + 1]. */
typedef struct wy_hub_pattern {
  int hubs, unknowns, entries;
  int most;                       /* largest order */
  const int *order;               /* unknowns of a hub, 1 ... WY_HUB_MOST */
  int conditions;                 /* number of hubs that stand for conditions */
  const unsigned char *condition; /* of a hub: does it? NULL: none does */
  const int *offset;              /* of its first unknown in a vector; hubs + 1 of them */
  const int *hub;                 /* of a step */
  const int *step;                /* of a hub */
  const int *first, *later;
  const int *first_back, *back_step, *back_entry;
} wy_hub_pattern;

/* Finds order and fill, and takes the memory from the arena. An edge is a pair of hubs; one that is given twice or
   joins a hub to itself is no mistake. `conditions` may be NULL. 0, or WY_ERROR_MEMORY. */
int wy_hub_pattern_layout(wy_hub_pattern *pattern, wy_arena *arena, int hubs, const int orders[],
                          const bool conditions[], int edge_count, const int edges[][2]);

typedef struct wy_hub_matrix {
  const wy_hub_pattern *pattern;
  int parts;             /* 1, or 2 with imaginary parts, which follow the real ones of each block */
  double *diagonal;      /* blocks of the steps, then their factors */
  double *below, *right; /* blocks of the entries: (later, k) and (k, later) */
  double *reciprocal;    /* one over each pivot; WY_HUB_MOST a step */
  unsigned char *pivot;  /* rows of the diagonal blocks in the order in which they became pivots */
  int *place;            /* of the steps: their entries in the current one */
  double *start;         /* of conditions: the size of their pivots before other conditions; WY_HUB_MOST a step */
  double *work;          /* a vector by steps, padded */
} wy_hub_matrix;

typedef struct wy_hub_matrix_complex {
  wy_hub_matrix both;
} wy_hub_matrix_complex;

/* The pattern must stay where it is. All blocks are zero. */
void wy_hub_matrix_layout(wy_hub_matrix *matrix, wy_arena *arena, const wy_hub_pattern *pattern);
void wy_hub_matrix_complex_layout(wy_hub_matrix_complex *matrix, wy_arena *arena, const wy_hub_pattern *pattern);

/* Makes all blocks zero. */
void wy_hub_matrix_clear(wy_hub_matrix *matrix);
void wy_hub_matrix_complex_clear(wy_hub_matrix_complex *matrix);

/* Adds to the block with the rows of hub i and the columns of hub j, which are equal or joined by an edge. The entry in
   row r and column c is block[r * stride + c]. */
void wy_hub_matrix_add(wy_hub_matrix *matrix, int i, int j, const double *block, int stride);
void wy_hub_matrix_complex_add(wy_hub_matrix_complex *matrix, int i, int j, const double *re, const double *im,
                               int stride);

/* A pivot of a condition that others leave less of than this share, or than round-off, is no pivot: the condition is
   dropped. */
#define WY_HUB_DROPS 1e-12

/* Factors in place. 0, or 1 + the hub whose block has no usable pivot: zero, or not finite. */
int wy_hub_matrix_factor(wy_hub_matrix *matrix);
int wy_hub_matrix_complex_factor(wy_hub_matrix_complex *matrix);

/* Solves in place after a successful factorisation; the unknowns of hub h begin at offset[h]. */
void wy_hub_matrix_solve(const wy_hub_matrix *matrix, double *b);
void wy_hub_matrix_complex_solve(const wy_hub_matrix_complex *matrix, double *re, double *im);

/* How many conditions of a hub the last factorisation has dropped; of all hubs: -1. */
int wy_hub_matrix_dropped(const wy_hub_matrix *matrix, int hub);

/* The sign of the determinant, 1 or -1, after a successful factorisation. */
int wy_hub_matrix_sign(const wy_hub_matrix *matrix);

/* How many eigenvalues of the symmetric part are negative (Haynsworth): factors the symmetric part in place of the
   blocks that were added, and counts block by block. Conditions that are dropped do not count. 0, or 1 if a block has
   no inverse: then the count is not defined.
 */
int wy_hub_negative(wy_hub_matrix *matrix, int *negative);

#endif
