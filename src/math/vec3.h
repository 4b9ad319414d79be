/* SPDX-License-Identifier: MIT */
/* The algebra of lane.h for vectors and 3x3 matrices (row by row) that stand in fixed-size arrays: set-up, ends, loads,
   records. Results may stand where arguments do, but for wy_cross3. */
#ifndef WY_MATH_VEC3_H
#define WY_MATH_VEC3_H

#include "math/lane.h"

static inline void wy_copy3(const double a[3], double out[3]) {
  wy_put3(out, wy_at3(a));
}

static inline double wy_dot3(const double a[3], const double b[3]) {
  return wy_inner(wy_at3(a), wy_at3(b));
}

static inline double wy_norm3(const double a[3]) {
  return wy_norm(wy_at3(a));
}

/* Not by wy_cross: where multiplications and additions are fused, stored results of the mixed scheme depend on the
   order of these operations. */
static inline void wy_cross3(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out += factor a */
static inline void wy_add3(double out[3], double factor, const double a[3]) {
  wy_put3(out, wy_plus(wy_at3(out), wy_times(factor, wy_at3(a))));
}

/* m a */
static inline void wy_mul3(const double m[9], const double a[3], double out[3]) {
  wy_put3(out, wy_apply(wy_from_rows(m), wy_at3(a)));
}

/* m^T a */
static inline void wy_tmul3(const double m[9], const double a[3], double out[3]) {
  wy_put3(out, wy_apply_transposed(wy_from_rows(m), wy_at3(a)));
}

/* a b */
static inline void wy_matmul3(const double a[9], const double b[9], double out[9]) {
  wy_to_rows(wy_mproduct(wy_from_rows(a), wy_from_rows(b)), out);
}

static inline void wy_transpose3(const double a[9], double out[9]) {
  wy_to_rows(wy_mtransposed(wy_from_rows(a)), out);
}

/* The cross product as a matrix: skew(a) b = a x b. */
static inline void wy_skew3(const double a[3], double out[9]) {
  wy_to_rows(wy_skew(wy_at3(a)), out);
}

#endif
