/* SPDX-License-Identifier: MIT */
/* The library's own integrators; each lives in its own file, which defines wy_NAME with its row in the table. A new one
   is a file and its name here. */
#ifndef WY_INTEGRATE_METHODS_H
#define WY_INTEGRATE_METHODS_H

#include "integrate/integrator.h"

/* In the order in which they are listed. midpoint and galpha are steps as a scheme writes them; gauss2 is the midpoint
   rule for any right-hand side, under the name of the former. */
#define WY_OWN_INTEGRATORS(ONE)                                                                                        \
  ONE(radau5)                                                                                                          \
  ONE(rodas)                                                                                                           \
  ONE(seulex)                                                                                                          \
  ONE(ndf)                                                                                                             \
  ONE(stride)                                                                                                          \
  ONE(dopri5)                                                                                                          \
  ONE(dop853)                                                                                                          \
  ONE(midpoint) ONE(galpha) ONE(gauss2) ONE(gauss4) ONE(gauss6) ONE(discrete_gradient)

#define WY_DECLARE_INTEGRATOR(name) extern const wy_integrator_type wy_##name;
WY_OWN_INTEGRATORS(WY_DECLARE_INTEGRATOR)

extern const wy_integrator_info wy_midpoint_row; /* of wy_midpoint and wy_gauss2: one name */

#endif
