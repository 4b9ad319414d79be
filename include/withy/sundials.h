/* Integrators from SUNDIALS, on the rods and the linear algebra of withy: ida and cvode (multistep methods of variable
   order) and bs23 (explicit Runge-Kutta, order 3). A part of its own, libwithy_sundials; the library does without.

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

/* For wy_solver_def.more. Where withy was built without SUNDIALS these integrators are known by name and refused with
   what to install. */
WY_API const wy_integrators *wy_sundials(void);

#ifdef __cplusplus
}
#endif
#endif
