/* SPDX-License-Identifier: MIT */
/* Material laws of a section (docs/theory/laws.md, L1 to L4), written so that small strains and small steps lose no
   digits. All laws share the quadratic energy of the stiffnesses; what stiffening changes of it stands apart. */
#include "model/law.h"

#include <float.h>
#include <string.h>

/* By wy_law_kind. */
static const wy_law_info laws[] = {
    [WY_LINEAR_LAW] = {"linear", "forces are proportional to strains, moments to curvatures"},
    [WY_STIFFENING_LAW] = {"stiffening", "bending or compression stiffens, see the other keys"}};

const wy_law_info *wy_law_describe(wy_law_kind kind) {
  const int count = (int)(sizeof laws / sizeof laws[0]);
  return (int)kind >= 0 && (int)kind < count ? &laws[kind] : NULL;
}

/* (atanh x - x) / x^3 for x in (-1, 1): infinite at the ends, not a number beyond them. */
static double atanh_rest(double x) {
  enum { MOST = 64 }; /* 0.25^29 is below round-off */
  const double y = x * x;
  if (!(y < 0.25)) /* from here on the difference loses less than four bits */
    return (atanh(x) - x) / (x * y);
  double sum = 1.0 / 3, power = y;
  for (int k = 5; k < MOST && power > 0.25 * DBL_EPSILON; k += 2) {
    sum += power / k;
    power *= y;
  }
  return sum;
}

/* a . diag(c) b of two changes of curvature */
static double product(const double c[6], const double a[6], const double b[6]) {
  return c[3] * a[3] * b[3] + c[4] * a[4] * b[4] + c[5] * a[5] * b[5];
}

/* ---- L1 ---- */

/* ((v^2 - 1) / 2 - ln v) / 2 over e^2 / 2, with ln v = 2 atanh z, z = e / (2 + e): 1 at e = 0. */
static double compressed_energy(double e) {
  const double over = 1 / (1 + wy_law_stretch(e)), z = e * over;
  return 0.5 + over - 2 * z * over * over * atanh_rest(z);
}

double wy_law_energy(const wy_law *law, const double c[6], const double e[6]) {
  double energy = 0;
  for (int k = 0; k < 6; k++)
    if (k == 2 && wy_law_changes_extension(law))
      energy += 0.5 * c[k] * e[k] * e[k] * compressed_energy(e[k]);
    else
      energy += 0.5 * c[k] * e[k] * e[k];
  double q = product(c, e, e);
  return energy + 0.25 * wy_law_stiffening(law, c[3], c[4]) * q * q;
}

/* ---- L2, L3 ---- */

void wy_law_stress(const wy_law *law, const double c[6], const double e[6], double stress[6]) {
  for (int k = 0; k < 6; k++)
    stress[k] = c[k] * e[k];
  if (law->kind == WY_LINEAR_LAW)
    return;
  if (wy_law_changes_extension(law))
    stress[2] *= wy_law_force_ratio(law, e[2]);
  double factor = 1 + wy_law_stiffening(law, c[3], c[4]) * product(c, e, e);
  for (int k = 3; k < 6; k++)
    stress[k] *= factor;
}

void wy_law_tangent(const wy_law *law, const double c[6], const double e[6], wy_law_stiffness *tangent) {
  memset(tangent, 0, sizeof *tangent);
  for (int k = 0; k < 3; k++)
    tangent->force[k] = c[k];
  if (wy_law_changes_extension(law))
    tangent->force[2] *= wy_law_stiffness_ratio(law, e[2]);
  const double stiffening = wy_law_stiffening(law, c[3], c[4]), factor = 1 + stiffening * product(c, e, e);
  for (int i = 0; i < 3; i++) {
    tangent->moment[i][i] = factor * c[3 + i];
    for (int j = 0; j < 3; j++)
      tangent->moment[i][j] += 2 * stiffening * (c[3 + i] * e[3 + i]) * (c[3 + j] * e[3 + j]);
  }
}

/* v - 1 / v = 2 n has the root v = n + sqrt(1 + n^2) > 0 for any n, and (v - 1) (v + 1) = 2 n v. */
double wy_law_extension(const wy_law *law, double stiffness, double force, double *compliance) {
  const double n = force / stiffness;
  *compliance = 1 / stiffness;
  if (!wy_law_changes_extension(law))
    return n;
  const double root = sqrt(1 + n * n), v = n > 0 ? root + n : 1 / (root - n);
  *compliance = v / (root * stiffness);
  return 2 * n * v / (1 + v);
}

/* f^3 = f^2 + a for a >= 0: from above, where the function is convex, Newton's method comes down to its root. */
static double stiffer(double a) {
  enum { MOST = 50 };
  double f = 1 + cbrt(a), step = f;
  for (int k = 0; k < MOST && step > DBL_EPSILON * f; k++) {
    step = (f * f * (f - 1) - a) / (f * (3 * f - 2));
    f -= step;
  }
  return f;
}

/* m = f C k with f = 1 + s Q and f^2 Q = m . C^-1 m; the stiffness f C + 2 s C k (C k)^T is a diagonal and one product.
 */
void wy_law_bend(const wy_law *law, const double c[6], const double moment[3], double bend[3], double compliance[9]) {
  const double s = wy_law_stiffening(law, c[3], c[4]);
  double q = 0;
  for (int k = 0; k < 3; k++)
    q += moment[k] * moment[k] / c[3 + k];
  const double f = stiffer(s * q), product = 2 * s / (f + 2 * s * q / (f * f));
  for (int k = 0; k < 3; k++)
    bend[k] = moment[k] / (f * c[3 + k]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      compliance[3 * i + j] = ((i == j ? 1 / c[3 + i] : 0) - product * bend[i] * bend[j]) / f;
}

/* ---- L4 ---- */

/* What the stresses of the middle miss of the change of energy, over the squared length of the step. Quadratic parts
   miss nothing; the others come with their share of the squared length, which is at most 1. */
static double missing(const wy_law *law, const double c[6], const double e0[6], const double e1[6],
                      const double middle[6]) {
  double de[6];
  for (int k = 0; k < 6; k++)
    de[k] = e1[k] - e0[k];
  const double bend2 = product(c, de, de), stretch2 = c[2] * de[2] * de[2];
  const double length2 = c[0] * de[0] * de[0] + c[1] * de[1] * de[1] + stretch2 + bend2;
  if (length2 == 0)
    return 0;
  double lambda = 0.25 * wy_law_stiffening(law, c[3], c[4]) * product(c, middle, de) * (bend2 / length2);
  if (wy_law_changes_extension(law)) {
    double over = 1 / (wy_law_stretch(e0[2]) + wy_law_stretch(e1[2])), x = de[2] * over;
    lambda -= stretch2 / length2 * over * over * x * atanh_rest(x);
  }
  return lambda;
}

void wy_law_mean_stress(const wy_law *law, const double c[6], const double e0[6], const double e1[6],
                        double stress[6]) {
  double middle[6];
  for (int k = 0; k < 6; k++)
    middle[k] = 0.5 * (e0[k] + e1[k]);
  wy_law_stress(law, c, middle, stress);
  if (law->kind == WY_LINEAR_LAW)
    return;
  double lambda = missing(law, c, e0, e1, middle);
  for (int k = 0; k < 6; k++)
    stress[k] += lambda * c[k] * (e1[k] - e0[k]);
}
