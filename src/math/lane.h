/* SPDX-License-Identifier: MIT */
/* The algebra of vectors, 3x3 matrices and quaternions, by value: each formula stands here once. In loops over the
   segments of a rod the compiler keeps the members in registers and vectorises the loop. Arrays of points are structure
   of arrays: component k of point i stands at a[k * stride + i]. vec3.h and quat.h offer the same for values that stand
   side by side in memory. */
#ifndef WY_MATH_LANE_H
#define WY_MATH_LANE_H

#include <math.h>

#include "base/target.h"

typedef struct wy_v3 {
  double x, y, z;
} wy_v3;

typedef struct wy_q4 {
  double w, x, y, z;
} wy_q4;

/* Columns a, b, c. */
typedef struct wy_m3 {
  wy_v3 a, b, c;
} wy_m3;

WY_INLINE wy_v3 wy_load3(const double *a, int stride, int i) {
  return (wy_v3){a[i], a[stride + i], a[2 * stride + i]};
}

WY_INLINE void wy_store3(double *a, int stride, int i, wy_v3 v) {
  a[i] = v.x, a[stride + i] = v.y, a[2 * stride + i] = v.z;
}

/* Components side by side. */
WY_INLINE wy_v3 wy_at3(const double *a) {
  return (wy_v3){a[0], a[1], a[2]};
}

WY_INLINE void wy_put3(double *a, wy_v3 v) {
  a[0] = v.x, a[1] = v.y, a[2] = v.z;
}

WY_INLINE wy_q4 wy_at4(const double *a) {
  return (wy_q4){a[0], a[1], a[2], a[3]};
}

WY_INLINE void wy_put4(double *a, wy_q4 q) {
  a[0] = q.w, a[1] = q.x, a[2] = q.y, a[3] = q.z;
}

/* Matrices in memory stand row by row. */
WY_INLINE wy_m3 wy_from_rows(const double *r) {
  return (wy_m3){{r[0], r[3], r[6]}, {r[1], r[4], r[7]}, {r[2], r[5], r[8]}};
}

WY_INLINE void wy_to_rows(wy_m3 m, double *r) {
  wy_put3(r, (wy_v3){m.a.x, m.b.x, m.c.x});
  wy_put3(r + 3, (wy_v3){m.a.y, m.b.y, m.c.y});
  wy_put3(r + 6, (wy_v3){m.a.z, m.b.z, m.c.z});
}

WY_INLINE wy_q4 wy_load4(const double *a, int stride, int i) {
  return (wy_q4){a[i], a[stride + i], a[2 * stride + i], a[3 * stride + i]};
}

WY_INLINE void wy_store4(double *a, int stride, int i, wy_q4 q) {
  a[i] = q.w, a[stride + i] = q.x, a[2 * stride + i] = q.y, a[3 * stride + i] = q.z;
}

WY_INLINE wy_v3 wy_plus(wy_v3 a, wy_v3 b) {
  return (wy_v3){a.x + b.x, a.y + b.y, a.z + b.z};
}

WY_INLINE wy_v3 wy_minus(wy_v3 a, wy_v3 b) {
  return (wy_v3){a.x - b.x, a.y - b.y, a.z - b.z};
}

WY_INLINE wy_v3 wy_times(double f, wy_v3 a) {
  return (wy_v3){f * a.x, f * a.y, f * a.z};
}

/* Componentwise product: a diagonal matrix times a vector. */
WY_INLINE wy_v3 wy_each(wy_v3 a, wy_v3 b) {
  return (wy_v3){a.x * b.x, a.y * b.y, a.z * b.z};
}

WY_INLINE double wy_inner(wy_v3 a, wy_v3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

WY_INLINE double wy_norm(wy_v3 a) {
  return sqrt(wy_inner(a, a));
}

WY_INLINE wy_v3 wy_cross(wy_v3 a, wy_v3 b) {
  return (wy_v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

WY_INLINE wy_v3 wy_apply(wy_m3 m, wy_v3 v) {
  return (wy_v3){m.a.x * v.x + m.b.x * v.y + m.c.x * v.z, m.a.y * v.x + m.b.y * v.y + m.c.y * v.z,
                 m.a.z * v.x + m.b.z * v.y + m.c.z * v.z};
}

WY_INLINE wy_v3 wy_apply_transposed(wy_m3 m, wy_v3 v) {
  return (wy_v3){wy_inner(m.a, v), wy_inner(m.b, v), wy_inner(m.c, v)};
}

WY_INLINE wy_m3 wy_mplus(wy_m3 m, wy_m3 n) {
  return (wy_m3){wy_plus(m.a, n.a), wy_plus(m.b, n.b), wy_plus(m.c, n.c)};
}

WY_INLINE wy_m3 wy_mminus(wy_m3 m, wy_m3 n) {
  return (wy_m3){wy_minus(m.a, n.a), wy_minus(m.b, n.b), wy_minus(m.c, n.c)};
}

WY_INLINE wy_m3 wy_mtimes(double f, wy_m3 m) {
  return (wy_m3){wy_times(f, m.a), wy_times(f, m.b), wy_times(f, m.c)};
}

/* diag(d) m */
WY_INLINE wy_m3 wy_scale_rows(wy_v3 d, wy_m3 m) {
  return (wy_m3){wy_each(d, m.a), wy_each(d, m.b), wy_each(d, m.c)};
}

/* m diag(d) */
WY_INLINE wy_m3 wy_scale_columns(wy_m3 m, wy_v3 d) {
  return (wy_m3){wy_times(d.x, m.a), wy_times(d.y, m.b), wy_times(d.z, m.c)};
}

WY_INLINE wy_m3 wy_mproduct(wy_m3 m, wy_m3 n) {
  return (wy_m3){wy_apply(m, n.a), wy_apply(m, n.b), wy_apply(m, n.c)};
}

WY_INLINE wy_m3 wy_mtransposed(wy_m3 m) {
  return (wy_m3){{m.a.x, m.b.x, m.c.x}, {m.a.y, m.b.y, m.c.y}, {m.a.z, m.b.z, m.c.z}};
}

/* Rows: b x c, c x a, a x b over the determinant. */
WY_INLINE wy_m3 wy_minverse(wy_m3 m) {
  wy_v3 first = wy_cross(m.b, m.c);
  double inv = 1 / wy_inner(first, m.a);
  return wy_mtransposed(
      (wy_m3){wy_times(inv, first), wy_times(inv, wy_cross(m.c, m.a)), wy_times(inv, wy_cross(m.a, m.b))});
}

/* skew(v) m: the cross product of v with each column */
WY_INLINE wy_m3 wy_skew_times(wy_v3 v, wy_m3 m) {
  return (wy_m3){wy_cross(v, m.a), wy_cross(v, m.b), wy_cross(v, m.c)};
}

/* The cross product as a matrix: skew(a) b = a x b. */
WY_INLINE wy_m3 wy_skew(wy_v3 v) {
  return (wy_m3){{0, v.z, -v.y}, {-v.z, 0, v.x}, {v.y, -v.x, 0}};
}

/* m skew(v) */
WY_INLINE wy_m3 wy_times_skew(wy_m3 m, wy_v3 v) {
  return (wy_m3){wy_minus(wy_times(v.z, m.b), wy_times(v.y, m.c)), wy_minus(wy_times(v.x, m.c), wy_times(v.z, m.a)),
                 wy_minus(wy_times(v.y, m.a), wy_times(v.x, m.b))};
}

/* a b^T */
WY_INLINE wy_m3 wy_outer(wy_v3 a, wy_v3 b) {
  return (wy_m3){wy_times(b.x, a), wy_times(b.y, a), wy_times(b.z, a)};
}

WY_INLINE wy_m3 wy_diagonal(double d) {
  return (wy_m3){{d, 0, 0}, {0, d, 0}, {0, 0, d}};
}

WY_INLINE double wy_qsquare(wy_q4 q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

WY_INLINE wy_q4 wy_qconjugate(wy_q4 q) {
  return (wy_q4){q.w, -q.x, -q.y, -q.z};
}

WY_INLINE wy_q4 wy_qproduct(wy_q4 a, wy_q4 b) {
  return (wy_q4){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                 a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* conj(a) b: the rotation from a to b, seen from a. */
WY_INLINE wy_q4 wy_between(wy_q4 a, wy_q4 b) {
  return (wy_q4){a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                 a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x, a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
}

/* p v for a pure v */
WY_INLINE wy_q4 wy_times_pure(wy_q4 p, wy_v3 v) {
  return (wy_q4){-p.x * v.x - p.y * v.y - p.z * v.z, p.w * v.x + p.y * v.z - p.z * v.y,
                 p.w * v.y - p.x * v.z + p.z * v.x, p.w * v.z + p.x * v.y - p.y * v.x};
}

WY_INLINE wy_q4 wy_qtimes(double f, wy_q4 q) {
  return (wy_q4){f * q.w, f * q.x, f * q.y, f * q.z};
}

WY_INLINE wy_q4 wy_qplus(wy_q4 a, wy_q4 b) {
  return (wy_q4){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}

WY_INLINE wy_v3 wy_pure(wy_q4 q) {
  return (wy_v3){q.x, q.y, q.z};
}

/* The rotation matrix of a unit quaternion: columns d1, d2, d3. */
WY_INLINE wy_m3 wy_rotation(wy_q4 p) {
  double x2 = p.x + p.x, y2 = p.y + p.y, z2 = p.z + p.z;
  double xx = x2 * p.x, yy = y2 * p.y, zz = z2 * p.z, xy = x2 * p.y, xz = x2 * p.z, yz = y2 * p.z;
  double wx = x2 * p.w, wy = y2 * p.w, wz = z2 * p.w;
  return (wy_m3){{1 - yy - zz, xy + wz, xz - wy}, {xy - wz, 1 - xx - zz, yz + wx}, {xz + wy, yz - wx, 1 - xx - yy}};
}

/* R(q) v / |q|^2, for q whose length is not quite one, and the same turned back. */
WY_INLINE wy_v3 wy_turn(wy_q4 q, wy_v3 v) {
  double square = wy_qsquare(q);
  wy_v3 axis = {q.x, q.y, q.z}, cross = wy_cross(axis, v);
  wy_v3 sum = wy_plus(wy_times(q.w * q.w, v), wy_times(2 * q.w, cross));
  sum = wy_plus(sum, wy_times(wy_inner(axis, v), axis));
  sum = wy_plus(sum, wy_cross(axis, cross));
  return wy_times(1 / square, sum);
}

WY_INLINE wy_v3 wy_turn_back(wy_q4 q, wy_v3 v) {
  return wy_turn(wy_qconjugate(q), v);
}

#endif
