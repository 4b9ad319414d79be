/* SPDX-License-Identifier: MIT */
/* Stands in for the part where SUNDIALS is not there, and in the shared libwithy_scenario, which cannot have it: its
   integrators are known by their rows, with what to do. */
#include "integrate/integrator.h"
#include "sundials/rows.h"
#include "withy/sundials.h"

const wy_integrators *wy_sundials(void) {
  static const wy_integrator_type *const none[] = {NULL};
  static const wy_integrator_info *const rows[] = {&wy_ida_row, &wy_cvode_row, &wy_bs23_row, NULL};
#ifdef WY_SHARED_PART
  static const char reason[] = "it is available with the static libraries only: link withy::scenario_static";
#else
  static const char reason[] = "withy was built without SUNDIALS (Debian package libsundials-dev)";
#endif
  static const wy_integrators absent = {none, rows, reason};
  return &absent;
}
