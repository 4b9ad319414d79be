/* SPDX-License-Identifier: MIT */
/* The five curvature measures: K = (2/l) zeta(w) Im W, w = Re W (S12). phi is the angle between neighbours, w =
   cos(phi/2).

     sin2   2 sin(phi/2)    zeta = 1                       tan2   2 tan(phi/2)    zeta = 1 / w
     sin4   4 sin(phi/4)    zeta = sqrt(2 / (1 + w))       tan4   4 tan(phi/4)    zeta = 2 / (1 + w)
     angle  phi             zeta = arccos(w) / sqrt(1 - w^2) */
#ifndef WY_SCHEME_STAGGERED_ZETA_H
#define WY_SCHEME_STAGGERED_ZETA_H

#include <math.h>

#include "math/lane.h"
#include "withy/sim.h"

typedef struct wy_zeta {
  double value, first;
} wy_zeta;

/* With y = sin^2(psi/2), psi / sin(psi) = 1 + 2/3 y + 2/3 4/5 y^2 + 2/3 4/5 6/7 y^3 + ... (S13). */
#define WY_ZETA_TERMS 12

WY_INLINE double wy_zeta_series(double y) {
  double sum = 1;
  for (int k = WY_ZETA_TERMS; k >= 1; k--)
    sum = 1 + y * (2.0 * k) / (2.0 * k + 1) * sum;
  return sum;
}

/* Derivative of order 1 or 2 of the series with respect to w = 1 - 2 y; for w near 1, where the closed form cancels. */
WY_INLINE double wy_zeta_series_first(double y) {
  double c[WY_ZETA_TERMS + 1] = {1}, sum = 0;
  for (int k = 1; k <= WY_ZETA_TERMS; k++)
    c[k] = c[k - 1] * (2.0 * k) / (2.0 * k + 1);
  for (int k = WY_ZETA_TERMS; k >= 1; k--)
    sum = k * c[k] + y * sum;
  return -0.5 * sum;
}

WY_INLINE double wy_zeta_series_second(double y) {
  double c[WY_ZETA_TERMS + 1] = {1}, sum = 0;
  for (int k = 1; k <= WY_ZETA_TERMS; k++)
    c[k] = c[k - 1] * (2.0 * k) / (2.0 * k + 1);
  for (int k = WY_ZETA_TERMS; k >= 2; k--)
    sum = k * (k - 1) * c[k] + y * sum;
  return 0.25 * sum;
}

/* Below this 1 - w the series is exact to round-off; above, the closed form loses at most two digits. */
#define WY_ZETA_NEAR 0.05

WY_INLINE wy_zeta wy_zeta_at(wy_curvature_measure measure, double w) {
  switch (measure) {
  case WY_SIN2:
    return (wy_zeta){1, 0};
  case WY_SIN4: {
    double inv = 1 / (1 + w), z = sqrt(2 * inv);
    return (wy_zeta){z, -0.5 * z * inv};
  }
  case WY_TAN2: {
    double inv = 1 / w;
    return (wy_zeta){inv, -inv * inv};
  }
  case WY_TAN4: {
    double inv = 1 / (1 + w);
    return (wy_zeta){2 * inv, -2 * inv * inv};
  }
  default: { /* angle: three halvings bring the series into its fast range, without a branch */
    double c1 = sqrt(0.5 + 0.5 * w), c2 = sqrt(0.5 + 0.5 * c1), c3 = sqrt(0.5 + 0.5 * c2);
    double z = wy_zeta_series(0.5 - 0.5 * c3) / (c1 * c2 * c3);
    double near = wy_zeta_series_first(0.5 * (1 - w)), far = (w * z - 1) / (1 - w * w);
    return (wy_zeta){z, 1 - w < WY_ZETA_NEAR ? near : far};
  }
  }
}

WY_INLINE double wy_zeta_second(wy_curvature_measure measure, double w, wy_zeta z) {
  switch (measure) {
  case WY_SIN2:
    return 0;
  case WY_SIN4: {
    double inv = 1 / (1 + w);
    return 0.75 * z.value * inv * inv;
  }
  case WY_TAN2:
    return 2 * z.value * z.value * z.value;
  case WY_TAN4: {
    double inv = 1 / (1 + w);
    return 2 * z.value * inv * inv;
  }
  default: {
    double near = wy_zeta_series_second(0.5 * (1 - w)), far = (z.value + 3 * w * z.first) / (1 - w * w);
    return 1 - w < WY_ZETA_NEAR ? near : far;
  }
  }
}

#endif
