/* SPDX-License-Identifier: MIT */
/* The laws of contact and friction per length, as functions of depth, its rate and slip: docs/theory/contact.md, (K1),
   (K2), (K3), (K7). */
#ifndef WY_CONTACT_LAW_H
#define WY_CONTACT_LAW_H

#include <math.h>
#include <stdbool.h>

#include "base/target.h"

/* The skin of a rod: stiffness k', depth b up to which it stiffens, depth c of its core. */
typedef struct wy_skin {
  double stiffness, onset, core;
} wy_skin;

/* Energy, load, stiffness and its slope at a depth, all per length: V, p = dV/dd, p', p''. */
typedef struct wy_skin_load {
  double energy, load, slope, bend;
} wy_skin_load;

/* The share of the core's depth beyond which its load goes on as a straight line, so that every trial state of an
   iteration has a finite force. */
#define WY_CORE_END 0.9

/* -ln(1 - x^2) - x^2, without the loss of digits at small x. */
WY_INLINE double wy_core_energy(double x) {
  const double y = x * x;
  if (y > 2.5e-3)
    return -log1p(-y) - y;
  return y * y * (0.5 + y * (1.0 / 3 + y * (0.25 + y * (0.2 + y / 6))));
}

/* What the core adds (K2). */
WY_INLINE void wy_core_add(const wy_skin *skin, double depth, wy_skin_load *at) {
  const double k = skin->stiffness, c = skin->core, x = fmin(depth / c, WY_CORE_END), y = x * x, rest = 1 / (1 - y);
  const double load = x * y * rest, slope = (3 - y) * y * rest * rest, beyond = depth / c - x;
  at->energy += k * c * c * (0.5 * wy_core_energy(x) + beyond * (load + 0.5 * beyond * slope));
  at->load += k * c * (load + beyond * slope);
  at->slope += k * slope;
  if (beyond <= 0)
    at->bend += k / c * x * (6 + 2 * y) * rest * rest * rest;
}

/* The skin at a depth (K1), (K2); nothing where it does not touch. */
WY_INLINE wy_skin_load wy_skin_at(const wy_skin *skin, double depth) {
  const double k = skin->stiffness, b = skin->onset;
  wy_skin_load at = {0, 0, 0, 0};
  if (!(depth > 0))
    return at;
  if (depth < b) {
    const double y = depth / b, yy = y * y;
    at.energy = k * b * b * yy * yy * (0.25 - 0.1 * y);
    at.load = k * b * yy * y * (1 - 0.5 * y);
    at.slope = k * yy * (3 - 2 * y);
    at.bend = 6 * k / b * (y - yy);
  } else {
    const double e = depth - b;
    at.energy = k * (0.15 * b * b + 0.5 * e * (b + e));
    at.load = k * (depth - 0.5 * b);
    at.slope = k;
  }
  wy_core_add(skin, depth, &at);
  return at;
}

/* The mean load between two depths, (V1 - V0) / (d1 - d0); `by_after` is its derivative by the second (K8). */
WY_INLINE double wy_skin_mean(const wy_skin *skin, double before, double after, double *by_after) {
  const double way = after - before;
  const double small = 1e-5 * (skin->onset > 0 ? skin->onset : skin->core);
  const wy_skin_load end = wy_skin_at(skin, after);
  if (fabs(way) < small) {
    const wy_skin_load middle = wy_skin_at(skin, 0.5 * (before + after));
    *by_after = 0.5 * middle.slope + middle.bend * way / 12;
    return middle.load + middle.bend * way * way / 24;
  }
  const double mean = (end.energy - wy_skin_at(skin, before).energy) / way;
  *by_after = (end.load - mean) / way;
  return mean;
}

/* The saturated function of (K3) and (K7), and its slope: s (2 - |s|) up to 1, then its sign. */
WY_INLINE double wy_saturated(double s, double *slope) {
  const double size = fabs(s);
  *slope = size < 1 ? 2 * (1 - size) : 0;
  return size < 1 ? s * (2 - size) : s > 0 ? 1 : -1;
}

/* The share q of the load that restitution e adds while a hit loads the skin and takes off while it unloads (K3). */
WY_INLINE double wy_restitution_share(double e) {
  return (1 - e * e) / (1 + e * e);
}

/* Friction over load and slip, phi(w) / w, at a slip of size w >= 0, and its slope (K7). At rest the spring is straight
   up to the cone, so that what slides can be unloaded. */
WY_INLINE double wy_friction_ratio(double w, bool rest, double *slope) {
  if (w >= 1) {
    *slope = -1 / (w * w);
    return 1 / w;
  }
  *slope = rest ? 0 : -1;
  return rest ? 1 : 2 - w;
}

#endif
