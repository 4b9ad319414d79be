/* Stands in for the part where SUNDIALS is not there: its integrators are known by their rows, with what to do. */
#include "integrate/integrator.h"
#include "sundials/rows.h"
#include "withy/sundials.h"

const wy_integrators *wy_sundials(void) {
  static const wy_integrator_type *const none[] = {NULL};
  static const wy_integrator_info *const rows[] = {&wy_ida_row, &wy_cvode_row, &wy_bs23_row, NULL};
  static const wy_integrators absent = {none, rows,
                                        "withy was built without SUNDIALS (Debian package libsundials-dev)"};
  return &absent;
}
