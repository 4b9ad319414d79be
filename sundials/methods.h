/* SPDX-License-Identifier: MIT */
/* The integrators of this part; each lives in its own file. */
#ifndef WY_SUNDIALS_METHODS_H
#define WY_SUNDIALS_METHODS_H

#include "integrate/integrator.h"

extern const wy_integrator_type wy_ida;   /* backward differentiation, as DASSL and DASPK */
extern const wy_integrator_type wy_cvode; /* backward differentiation, as ode15s */
extern const wy_integrator_type wy_bs23;  /* explicit Runge-Kutta, order 3(2), Bogacki and Shampine (ode23) */

#endif
