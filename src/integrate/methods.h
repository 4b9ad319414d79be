/* The methods by name; each lives in its own file. */
#ifndef WY_INTEGRATE_METHODS_H
#define WY_INTEGRATE_METHODS_H

#include "integrate/integrator.h"

extern const wy_integrator_type wy_dopri5; /* explicit Runge-Kutta, order 5(4), Dormand and Prince */
extern const wy_integrator_type wy_dop853; /* the same, order 8(5,3) */
extern const wy_integrator_type wy_radau5; /* implicit Runge-Kutta, Radau IIA, order 5 */
extern const wy_integrator_type wy_rodas;  /* Rosenbrock, stiffly accurate, order 4(3) */
extern const wy_integrator_type wy_seulex; /* extrapolated linearly implicit Euler, variable order */
extern const wy_integrator_type wy_ndf;    /* multistep, numerical differentiation formulas, order 1 to 5 */
/* With a fixed step. As the scheme writes them: */
extern const wy_integrator_type wy_midpoint;     /* the midpoint rule */
extern const wy_integrator_info wy_midpoint_row; /* of wy_midpoint and wy_gauss2: one name */
extern const wy_integrator_type wy_galpha;       /* generalised alpha */
/* For any right-hand side: */
extern const wy_integrator_type wy_gauss2, wy_gauss4, wy_gauss6; /* Gauss methods; the first is the midpoint rule */
extern const wy_integrator_type wy_discrete_gradient; /* the midpoint rule with stresses that keep any elastic energy */

#endif
