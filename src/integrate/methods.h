/* The methods by name; each lives in its own file. */
#ifndef WY_INTEGRATE_METHODS_H
#define WY_INTEGRATE_METHODS_H

#include "integrate/integrator.h"

extern const wy_integrator_type wy_dopri5;   /* explicit Runge-Kutta, order 5(4), Dormand and Prince */
extern const wy_integrator_type wy_radau5;   /* implicit Runge-Kutta, Radau IIA, order 5 */
extern const wy_integrator_type wy_midpoint; /* the implicit midpoint rule, as the scheme writes it, fixed step */

#endif
