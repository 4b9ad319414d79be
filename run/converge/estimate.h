/* SPDX-License-Identifier: MIT */
/* What the values of one quantity at several resolutions say about its limit: order, extrapolation, errors. Pure
   mathematics; docs/theory/convergence.md has the equations. */
#ifndef WY_RUN_CONVERGE_ESTIMATE_H
#define WY_RUN_CONVERGE_ESTIMATE_H

#include "withy/converge.h"

/* Courses of a quantity at levels of falling h. */
typedef struct wy_series {
  int levels, rows, components;
  const double *const *values; /* [levels], each [rows * components] */
  const double *h;             /* [levels] size of segments or steps, falling; any unit */
  double promised;             /* order */
  double highest;              /* order of the part of the error that falls fastest; at least the promised one */
  double rounding;             /* differences up to this are nothing but rounding */
  double noise;                /* what error control leaves in every difference; 0: nothing */
  bool between;                /* the quantity, or what acts on it, is not at a node of every level */
} wy_series;

typedef struct wy_estimate {
  wy_convergence verdict;
  bool trusted;
  double order, agreement;
  double used;   /* the order of the extrapolation, and of predictions; NAN if there is none */
  double factor; /* limit = finest + factor * (finest - level before); 0: no extrapolation */
  double rest;   /* by so much the distance of a course from this limit may be short of its error */
} wy_estimate;

wy_estimate wy_estimate_series(const wy_series *series);

/* The order p for which h0^p - h1^p over h1^p - h2^p is `ratio` (V4), from -10 to 20. */
double wy_estimate_order(double ratio, const double h[3]);

/* The largest norm of b - a in a row, and that of the last row alone. */
double wy_largest_distance(const double *a, const double *b, int rows, int components);

#endif
