/* Stands in for the part where SUNDIALS is not there: its integrators are known by name, with what to do. */
#include "integrate/integrator.h"
#include "withy/sundials.h"

const wy_integrators *wy_sundials(void) {
  static const wy_integrator_type *const none[] = {NULL};
  static const char *const names[] = {"ida", "cvode", "bs23", NULL};
  static const wy_integrators absent = {none, names,
                                        "withy was built without SUNDIALS (Debian package libsundials-dev)"};
  return &absent;
}
