/* The schemes that exist. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scheme/box/box.h"
#include "scheme/conserving/conserving.h"
#include "scheme/mixed/mixed.h"
#include "scheme/scheme.h"
#include "scheme/staggered/staggered.h"

static const wy_scheme *const schemes[] = {&wy_staggered_scheme, &wy_mixed_scheme, &wy_conserving_scheme,
                                           &wy_box_scheme};

const wy_scheme *wy_scheme_at(int index) {
  return index >= 0 && index < (int)(sizeof schemes / sizeof schemes[0]) ? schemes[index] : NULL;
}

const wy_scheme *wy_scheme_find(const char *name) {
  for (int i = 0; wy_scheme_at(i); i++)
    if (strcmp(wy_scheme_at(i)->name, name) == 0)
      return wy_scheme_at(i);
  return NULL;
}

const char *wy_scheme_name(int index) {
  const wy_scheme *scheme = wy_scheme_at(index);
  return scheme ? scheme->name : NULL;
}

wy_status wy_scheme_needs_linear_law(const char *scheme, const wy_rod_def *rod, int index, wy_message *message) {
  char path[64];
  if (rod->law.kind == WY_LINEAR_LAW)
    return WY_OK;
  snprintf(path, sizeof path, "rods[%d].law", index);
  return wy_fail_at(message, path,
                    "found a law that the scheme '%s' cannot carry; expected scheme staggered%s, or no law", scheme,
                    rod->kind == WY_COSSERAT       ? " or conserving"
                    : rod->kind == WY_INEXTENSIBLE ? " or box"
                                                   : "");
}

wy_status wy_scheme_needs_passive_rod(const char *scheme, const wy_model *model, int rod, wy_message *message) {
  char path[64];
  snprintf(path, sizeof path, "rods[%d].maxwell", rod);
  if (wy_model_rod(model, rod)->maxwell_count > 0)
    return wy_fail_at(message, path,
                      "found Maxwell branches, which the scheme '%s' cannot carry; expected none, or scheme staggered "
                      "or mixed",
                      scheme);
  if (wy_model_rod_actuator_count(model, rod) > 0) {
    snprintf(path, sizeof path, "actuators[%d]", wy_model_rod_actuator_number(model, rod, 0));
    return wy_fail_at(message, path,
                      "found an actuator, which the scheme '%s' cannot carry; expected none, or scheme staggered or "
                      "mixed",
                      scheme);
  }
  return WY_OK;
}
