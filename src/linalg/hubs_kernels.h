/* SPDX-License-Identifier: MIT */
/* How matrices on hubs are factored and solved, and the table through which it is called.

   Step j gathers what the steps before it leave in its row and column (left-looking): for every earlier step k that has
   an entry with j, block (j, k) times the blocks right of k, and the blocks below k times block (k, j). Then its
   diagonal block is factored, and the blocks below it are multiplied by the inverse from the right: column by column,
   all rows of a block at once, which is why columns are the vectors. */
#ifndef WY_LINALG_HUBS_KERNELS_H
#define WY_LINALG_HUBS_KERNELS_H

#include "base/target.h"
#include "linalg/hubs.h"

/* Distance of two blocks, and of the imaginary parts from the real ones. */
static inline size_t hub_block(const wy_hub_matrix *matrix) {
  return (size_t)matrix->parts * (size_t)(WY_LANES * matrix->pattern->most);
}

static inline int hub_imaginary(const wy_hub_matrix *matrix) {
  return WY_LANES * matrix->pattern->most;
}

static inline int hub_order(const wy_hub_pattern *pattern, int step) {
  return pattern->order[pattern->hub[step]];
}

typedef struct wy_hub_kernels {
  /* 0, or 1 + the step that has no usable pivot. Counts negative eigenvalues, if asked to. */
  int (*factor)(const wy_hub_matrix *matrix, int *negative);
  void (*solve)(const wy_hub_matrix *matrix); /* `work` in place */
} wy_hub_kernels;

/* Compiled like the band kernels, for the same reasons. */
extern const wy_hub_kernels wy_hub_base;
#if WY_HAVE_CLONES
extern const wy_hub_kernels wy_hub_v3, wy_hub_v4;
#endif

#endif
