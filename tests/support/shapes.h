/* SPDX-License-Identifier: MIT */
/* Small structures with known equilibria and dense linear algebra, to test equilibria apart from rods. */
#ifndef WY_TESTS_SUPPORT_SHAPES_H
#define WY_TESTS_SUPPORT_SHAPES_H

#include "equilibrium/equilibrium.h"

enum { SHAPE_MOST = 48 };

/* Where a structure stands on its path. */
typedef struct shape_at {
  double t, loads, ends;
} shape_at;

typedef struct shape_problem {
  int n;      /* coordinates, which are the degrees of freedom too */
  int forces; /* the last ones: multipliers of constraints, without mass and weight */
  void (*residual)(const shape_at *at, const double *q, double *r);
  void (*tangent)(const shape_at *at, const double *q, double *k); /* K = -dr/dq, row by row */
  double start[SHAPE_MOST];
  const double *mass, *damping; /* row by row; NULL: the identity (zero for forces), none */
} shape_problem;

/* A solver on a structure, undeformed at q = start. */
typedef struct shape_toy {
  wy_memory memory;
  wy_statistics statistics;
  wy_equilibrium *equilibrium;
} shape_toy;

/* The problem is reached through a static variable: one toy at a time. */
void shape_create(shape_toy *made, const shape_problem *problem, const wy_statics_options *options);
/* The same, and in equilibrium at t, or at the start of a stretch; both must succeed. */
void shape_settle(shape_toy *made, const shape_problem *problem, const wy_statics_options *options, double t);
void shape_reset(shape_toy *made, const shape_problem *problem, const wy_statics_options *options,
                 const wy_stretch *stretch);
void shape_destroy(shape_toy *made);

wy_statics_options shape_options(void);

#endif
