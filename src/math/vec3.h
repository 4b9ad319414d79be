/* Vectors and 3x3 matrices (row by row) on fixed-size arrays. For set-up, ends and loads; the kernels over whole rods
   are in the schemes. Results may not alias arguments unless the comment says so. */
#ifndef WY_MATH_VEC3_H
#define WY_MATH_VEC3_H

#include <math.h>

static inline void wy_copy3(const double a[3], double out[3]) {
  out[0] = a[0], out[1] = a[1], out[2] = a[2];
}

static inline double wy_dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double wy_norm3(const double a[3]) {
  return sqrt(wy_dot3(a, a));
}

static inline void wy_cross3(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out += factor a */
static inline void wy_add3(double out[3], double factor, const double a[3]) {
  for (int i = 0; i < 3; i++)
    out[i] += factor * a[i];
}

/* m a */
static inline void wy_mul3(const double m[9], const double a[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = m[3 * i] * a[0] + m[3 * i + 1] * a[1] + m[3 * i + 2] * a[2];
}

/* m^T a */
static inline void wy_tmul3(const double m[9], const double a[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = m[i] * a[0] + m[3 + i] * a[1] + m[6 + i] * a[2];
}

/* a b */
static inline void wy_matmul3(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static inline void wy_transpose3(const double a[9], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = a[3 * j + i];
}

/* The cross product as a matrix: skew(a) b = a x b. */
static inline void wy_skew3(const double a[3], double out[9]) {
  out[0] = 0, out[1] = -a[2], out[2] = a[1];
  out[3] = a[2], out[4] = 0, out[5] = -a[0];
  out[6] = -a[1], out[7] = a[0], out[8] = 0;
}

#endif
