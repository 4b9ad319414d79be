/* Material laws: elastic energy, stresses and stiffness of a section (docs/theory/laws.md). Strains e are the changes
   from the undeformed rod: (v - v0, u - u0); c are the six stiffnesses, which are what every law amounts to for small
   strains; stresses are (n, m). */
#ifndef WY_MODEL_LAW_H
#define WY_MODEL_LAW_H

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
   gradient, in the metric of c, without cancellation (L..). For the linear law the stresses of the middle. */
void wy_law_mean_stress(const wy_law *law, const double c[6], const double e0[6], const double e1[6], double stress[6]);

#endif
