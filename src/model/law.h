/* SPDX-License-Identifier: MIT */
/* Material laws: elastic energy, stresses and stiffness of a section (docs/theory/laws.md). Strains e are the changes
   from the undeformed rod: (v - v0, u - u0); c are the six stiffnesses, which are what every law amounts to for small
   strains; stresses are (n, m). */
#ifndef WY_MODEL_LAW_H
#define WY_MODEL_LAW_H

#include <math.h>

#include "withy/model.h"

double wy_law_energy(const wy_law *law, const double c[6], const double e[6]);
void wy_law_stress(const wy_law *law, const double c[6], const double e[6], double stress[6]);

/* The derivative of the stresses by the strains: no law couples forces with curvatures. */
typedef struct wy_law_stiffness {
  double force[3]; /* diagonal */
  double moment[3][3];
} wy_law_stiffness;

void wy_law_tangent(const wy_law *law, const double c[6], const double e[6], wy_law_stiffness *tangent);

/* Stresses that do, over the straight way from e0 to e1, exactly the work which the energy takes up: the discrete
   gradient, in the metric of c, without cancellation (L4). For the linear law the stresses of the middle. */
void wy_law_mean_stress(const wy_law *law, const double c[6], const double e0[6], const double e1[6], double stress[6]);

/* ---- Parts, for loops over many sections ---- */

/* Is the force along d3 another than that of the linear law? */
static inline bool wy_law_changes_extension(const wy_law *law) {
  return law->kind == WY_STIFFENING_LAW && law->compression;
}

/* Are moments others than those of the linear law? */
static inline bool wy_law_changes_moments(const wy_law *law) {
  return law->kind == WY_STIFFENING_LAW && law->bending > 0;
}

/* bending / B: moments are C k times 1 plus this times Q. 0 where there is no stiffness at all. */
static inline double wy_law_stiffening(const wy_law *law, double bending1, double bending2) {
  double sum = bending1 + bending2;
  return law->kind == WY_STIFFENING_LAW && sum > 0 ? 2 * law->bending / sum : 0;
}

/* v3 of an extension e. There is no material at v3 <= 0: what comes of it is not a number, which no step accepts. */
static inline double wy_law_stretch(double e) {
  double v = 1 + e;
  return v > 0 ? v : (double)NAN;
}

/* Force and stiffness of an extension e over those of the linear law, where wy_law_changes_extension. A law with
   another extension has its branch here. */
static inline double wy_law_force_ratio(const wy_law *law, double e) {
  (void)law; /* there is one such law: `compression` */
  return (1 + 0.5 * e) / wy_law_stretch(e);
}

static inline double wy_law_stiffness_ratio(const wy_law *law, double e) {
  (void)law;
  double v = wy_law_stretch(e);
  return 0.5 + 0.5 / (v * v);
}

/* The other way: the extension that a force causes, any force with `compression`, and its derivative by the force. */
double wy_law_extension(const wy_law *law, double stiffness, double force, double *compliance);
/* The same for the changes of curvature that a moment causes. */
void wy_law_bend(const wy_law *law, const double c[6], const double moment[3], double bend[3], double compliance[9]);

#endif
