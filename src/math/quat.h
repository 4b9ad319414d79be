/* SPDX-License-Identifier: MIT */
/* Quaternions in arrays, scalar first, and rotations: R(p) v = p v conj(p), columns d1, d2, d3. Products are those of
   lane.h; what is only needed a few times a rod (exp, log, from a matrix) stands here. */
#ifndef WY_MATH_QUAT_H
#define WY_MATH_QUAT_H

#include "math/vec3.h"

static inline void wy_qmul(const double a[4], const double b[4], double out[4]) {
  wy_put4(out, wy_qproduct(wy_at4(a), wy_at4(b)));
}

static inline void wy_qconj(const double a[4], double out[4]) {
  wy_put4(out, wy_qconjugate(wy_at4(a)));
}

/* conj(a) b: the rotation from a to b, seen from a */
static inline void wy_qrelative(const double a[4], const double b[4], double out[4]) {
  wy_put4(out, wy_between(wy_at4(a), wy_at4(b)));
}

static inline void wy_qnormalise(double a[4]) {
  wy_put4(a, wy_qtimes(1.0 / sqrt(wy_qsquare(wy_at4(a))), wy_at4(a)));
}

/* The rotation matrix of a unit quaternion. Other than wy_rotation it sums the squares of the diagonal first: the same
   but for round-off, on which stored results depend. */
static inline void wy_qmatrix(const double p[4], double r[9]) {
  double w = p[0], x = p[1], y = p[2], z = p[3];
  r[0] = 1 - 2 * (y * y + z * z), r[1] = 2 * (x * y - w * z), r[2] = 2 * (x * z + w * y);
  r[3] = 2 * (x * y + w * z), r[4] = 1 - 2 * (x * x + z * z), r[5] = 2 * (y * z - w * x);
  r[6] = 2 * (x * z - w * y), r[7] = 2 * (y * z + w * x), r[8] = 1 - 2 * (x * x + y * y);
}

/* The unit quaternion with w >= 0 of a rotation matrix, by its largest component (stable for every angle). */
static inline void wy_qfrom_matrix(const double r[9], double p[4]) {
  double trace = r[0] + r[4] + r[8];
  double squares[4] = {1 + trace, 1 + 2 * r[0] - trace, 1 + 2 * r[4] - trace, 1 + 2 * r[8] - trace};
  int largest = 0;
  for (int i = 1; i < 4; i++)
    if (squares[i] > squares[largest])
      largest = i;
  double c = 0.5 * sqrt(squares[largest]), f = 0.25 / c;
  switch (largest) {
  case 0:
    p[0] = c, p[1] = f * (r[7] - r[5]), p[2] = f * (r[2] - r[6]), p[3] = f * (r[3] - r[1]);
    break;
  case 1:
    p[0] = f * (r[7] - r[5]), p[1] = c, p[2] = f * (r[1] + r[3]), p[3] = f * (r[2] + r[6]);
    break;
  case 2:
    p[0] = f * (r[2] - r[6]), p[1] = f * (r[1] + r[3]), p[2] = c, p[3] = f * (r[5] + r[7]);
    break;
  default:
    p[0] = f * (r[3] - r[1]), p[1] = f * (r[2] + r[6]), p[2] = f * (r[5] + r[7]), p[3] = c;
  }
  double sign = p[0] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++)
    p[i] *= sign;
  wy_qnormalise(p);
}

/* exp: the unit quaternion of the rotation vector a. */
static inline void wy_qexp(const double a[3], double p[4]) {
  double angle = wy_norm3(a), half = 0.5 * angle;
  double f = angle < 1e-4 ? 0.5 - angle * angle / 48 : sin(half) / angle;
  p[0] = cos(half);
  for (int i = 0; i < 3; i++)
    p[i + 1] = f * a[i];
}

/* log: the rotation vector (angle below pi) of a unit quaternion. */
static inline void wy_qlog(const double p[4], double a[3]) {
  double sign = p[0] < 0 ? -1 : 1, w = sign * p[0], v = wy_norm3(p + 1);
  double f = v < 1e-4 ? 2 / w * (1 - v * v / (3 * w * w)) : 2 * atan2(v, w) / v;
  for (int i = 0; i < 3; i++)
    a[i] = sign * f * p[i + 1];
}

/* The derivative of exp in the body: d exp(a) = exp(a) skew(T(a) da). */
static inline void wy_so3_right_jacobian(const double a[3], double out[9]) {
  double x2 = wy_dot3(a, a), x = sqrt(x2);
  double b = x < 1e-2 ? 0.5 - x2 / 24 + x2 * x2 / 720 : (1 - cos(x)) / x2;
  double c = x < 1e-2 ? 1.0 / 6 - x2 / 120 + x2 * x2 / 5040 : (x - sin(x)) / (x2 * x);
  double s[9], s2[9];
  wy_skew3(a, s);
  wy_matmul3(s, s, s2);
  for (int i = 0; i < 9; i++)
    out[i] = (i % 4 == 0) - b * s[i] + c * s2[i];
}

/* Its inverse, below a whole turn: da = T(a)^-1 theta where exp(a) turns by theta in the body. */
static inline void wy_so3_right_inverse(const double a[3], double out[9]) {
  double x2 = wy_dot3(a, a), x = sqrt(x2);
  double c = x < 1e-2 ? 1.0 / 12 + x2 / 720 + x2 * x2 / 30240 : (1 - 0.5 * x / tan(0.5 * x)) / x2;
  double s[9], s2[9];
  wy_skew3(a, s);
  wy_matmul3(s, s, s2);
  for (int i = 0; i < 9; i++)
    out[i] = (i % 4 == 0) + 0.5 * s[i] + c * s2[i];
}

#endif
