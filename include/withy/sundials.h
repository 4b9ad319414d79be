/* SPDX-License-Identifier: MIT */
/* Integrators from SUNDIALS that use the linear algebra of withy: ida and cvode (multistep methods of variable order)
   and bs23 (explicit Runge-Kutta, order 3). They are in a separate library, libwithy_sundials; libwithy does not need
   it.

     wy_solver_def solver = wy_default_solver_def();
     solver.more = wy_sundials();
     solver.integrator = "ida";
*/
#ifndef WITHY_SUNDIALS_H
#define WITHY_SUNDIALS_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value for wy_solver_def.more. If withy was built without SUNDIALS, these integrators are refused with a message
   that says what to install. */
WY_API const wy_integrators *wy_sundials(void);

#ifdef __cplusplus
}
#endif
#endif
