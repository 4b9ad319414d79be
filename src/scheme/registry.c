/* SPDX-License-Identifier: MIT */
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

const wy_option_type *wy_scheme_options(const wy_scheme *scheme) {
  static const wy_option_type none = {0};
  return scheme->options ? scheme->options : &none;
}

const char *wy_scheme_name(int index) {
  const wy_scheme *scheme = wy_scheme_at(index);
  return scheme ? scheme->name : NULL;
}

typedef enum capability { LAWS, ACTIVE_RODS, FLUIDS, ADDED_MASS } capability;

static bool is_able(const wy_scheme *scheme, capability what) {
  const bool able[] = {[LAWS] = scheme->carries_laws,
                       [ACTIVE_RODS] = scheme->carries_active_rods,
                       [FLUIDS] = scheme->carries_fluids,
                       [ADDED_MASS] = scheme->carries_added_mass};
  return able[what];
}

/* The schemes that carry rods of the kind, and can do something: "staggered or mixed". */
static void list_able(wy_rod_kind kind, capability what, char *out, size_t size) {
  out[0] = '\0';
  for (int i = 0; wy_scheme_at(i); i++) {
    const wy_scheme *scheme = wy_scheme_at(i);
    if (is_able(scheme, what) && scheme->supports(kind, NULL) == WY_OK)
      snprintf(out + strlen(out), size - strlen(out), "%s%s", out[0] ? " or " : "", scheme->name);
  }
}

wy_status wy_scheme_needs_linear_law(const char *scheme, const wy_rod_def *rod, int index, wy_message *message) {
  char path[64], able[128];
  if (rod->law.kind == WY_LINEAR_LAW)
    return WY_OK;
  snprintf(path, sizeof path, "rods[%d].law", index);
  list_able(rod->kind, LAWS, able, sizeof able);
  return wy_fail_at(message, path, "found a law that the scheme '%s' does not support; expected scheme %s, or no law",
                    scheme, able);
}

wy_status wy_scheme_check_fluid(const wy_scheme *scheme, const wy_rod_def *rod, int index, wy_message *message) {
  const bool acts = wy_fluid_acts(rod), adds = acts && rod->fluid.added_mass > 0;
  char path[64], able[128];
  if (acts && !scheme->carries_fluids) {
    snprintf(path, sizeof path, "rods[%d].fluid", index);
    list_able(rod->kind, FLUIDS, able, sizeof able);
    return wy_fail_at(message, path,
                      "found a fluid, which the scheme '%s' does not support; expected none, `drag`, or scheme %s",
                      scheme->name, able);
  }
  if (adds && !scheme->carries_added_mass) {
    snprintf(path, sizeof path, "rods[%d].fluid.added_mass", index);
    list_able(rod->kind, ADDED_MASS, able, sizeof able);
    return wy_fail_at(message, path, "found %g, and the scheme '%s' does not support added mass; expected 0%s%s",
                      rod->fluid.added_mass, scheme->name, able[0] ? ", or scheme " : "", able);
  }
  return WY_OK;
}

wy_status wy_scheme_needs_passive_rod(const char *scheme, const wy_model *model, int rod, wy_message *message) {
  char path[64], able[128];
  list_able(wy_model_rod(model, rod)->kind, ACTIVE_RODS, able, sizeof able);
  snprintf(path, sizeof path, "rods[%d].maxwell", rod);
  if (wy_model_rod(model, rod)->maxwell_count > 0)
    return wy_fail_at(message, path,
                      "found Maxwell branches, which the scheme '%s' does not support; expected none, or scheme %s",
                      scheme, able);
  if (wy_model_rod_actuator_count(model, rod) > 0) {
    snprintf(path, sizeof path, "actuators[%d]", wy_model_rod_actuator_number(model, rod, 0));
    return wy_fail_at(message, path,
                      "found an actuator, which the scheme '%s' does not support; expected none, or scheme %s", scheme,
                      able);
  }
  return WY_OK;
}
