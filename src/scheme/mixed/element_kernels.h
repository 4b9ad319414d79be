/* SPDX-License-Identifier: MIT */
/* What is computed for WY_LANES elements at once, a bundle, and the table through which it is called. Lanes past the
   end of the rod have the constants and nodes of the last element; what comes of them is never read. */
#ifndef WY_SCHEME_MIXED_ELEMENT_KERNELS_H
#define WY_SCHEME_MIXED_ELEMENT_KERNELS_H

#include "base/target.h"
#include "scheme/mixed/rod.h"

typedef struct wy_mixed_kernels {
  /* Forces on the elements' nodes by inertia, stresses and chambers, what the law of N misses, and the larger one of
     `largest` and of what stresses do: forces, and moments as the forces that hold them in balance over the rod. */
  void (*forces)(wy_mixed *self, int bundle, double *largest);
  /* The tangent (wy_mixed_matrix) without loads, tendons, fluid and contact; keeps how N acts where it is eliminated.
   */
  void (*tangents)(const wy_mixed *self, int bundle, double *matrices);
  /* Eliminates the inner nodes; WY_RETRY where one has no stiffness. */
  int (*eliminate)(const wy_mixed *self, int bundle, double *matrices);
  /* Of a right-hand side: adds what is left to the band's; of its solution: adds what was eliminated. */
  void (*reduce)(const wy_mixed *self, int bundle, double *r);
  void (*expand)(const wy_mixed *self, int bundle, double *r);
} wy_mixed_kernels;

/* Compiled once for each instruction set, as target.h says. */
extern const wy_mixed_kernels wy_mixed_base;
#if WY_HAVE_CLONES
extern const wy_mixed_kernels wy_mixed_v3, wy_mixed_v4;
#endif

#endif
