/* SPDX-License-Identifier: MIT */
/* A fluid around a rod, from its definition: diameter, flow, and what may be wrong with them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "model/model.h"

static bool has_diameter(const wy_fluid *fluid) {
  return fluid->diameter.evaluate || fluid->diameter.value != 0;
}

double wy_fluid_diameter(const wy_rod_def *rod, double s) {
  const wy_section *section = &rod->section;
  if (!rod->fluid.given)
    return 0;
  if (has_diameter(&rod->fluid))
    return wy_signal_value(&rod->fluid.diameter, s, 0);
  return section->shape == WY_CIRCLE    ? 2 * wy_signal_value(&section->radius, s, 0)
         : section->shape == WY_ANNULUS ? 2 * wy_signal_value(&section->outer, s, 0)
                                        : 0;
}

void wy_flow_at(const wy_flow *flow, const double place[3], double t, double velocity[3], double gradient[9],
                double rate[3]) {
  wy_copy3(flow->value, velocity);
  memset(gradient, 0, 9 * sizeof *gradient);
  memset(rate, 0, 3 * sizeof *rate);
  if (flow->evaluate)
    flow->evaluate(flow->context, place, t, velocity, gradient, rate);
}

/* ---- Checks ---- */

static bool is_number(double value) {
  return isfinite(value) && value >= 0;
}

static bool check_numbers(const wy_fluid *fluid, const char **key, char *text, size_t size) {
  const char *keys[] = {"density", "normal", "tangential", "added_mass"};
  const double values[] = {fluid->density, fluid->normal, fluid->tangential, fluid->added_mass};
  for (int i = 0; i < 4; i++)
    if (!is_number(values[i])) {
      *key = keys[i];
      snprintf(text, size, "found %g; expected a number that is not negative", values[i]);
      return false;
    }
  return true;
}

/* Wherever a scheme may ask: at the ends and middles of segments. */
static bool check_diameter(const wy_rod_def *rod, const char **key, char *text, size_t size) {
  double at = 0;
  *key = "diameter";
  if (!has_diameter(&rod->fluid) && rod->section.shape != WY_CIRCLE && rod->section.shape != WY_ANNULUS) {
    snprintf(text, size, "is missing; expected the diameter that the fluid sees, as the section is not round");
    return false;
  }
  for (int i = 0; i <= 2 * rod->segments; i++) {
    const double s = fmin(at, rod->length), value = wy_fluid_diameter(rod, s);
    if (!(isfinite(value) && value > 0)) {
      snprintf(text, size, "found %g at s = %g; expected a positive number", value, s);
      return false;
    }
    if (i < 2 * rod->segments)
      at += 0.5 * wy_segment_length(rod, i / 2);
  }
  return true;
}

/* At t = 0, at both ends and in the middle of the undeformed rod. */
static bool check_velocity(const wy_rod_def *rod, const char **key, char *text, size_t size) {
  *key = "velocity";
  for (int i = 0; i < 3; i++) {
    double place[3], frame[4], velocity[3], gradient[9], rate[3];
    wy_reference_at(rod, 0.5 * i * rod->length, place, frame);
    wy_add3(place, 1, rod->shape.origin);
    wy_flow_at(&rod->fluid.velocity, place, 0, velocity, gradient, rate);
    bool finite = true;
    for (int k = 0; k < 9; k++)
      finite = finite && isfinite(gradient[k]) && isfinite(velocity[k % 3]) && isfinite(rate[k % 3]);
    if (finite)
      continue;
    snprintf(text, size, "it or its slope is not a finite number at (%g, %g, %g) at t = 0", place[0], place[1],
             place[2]);
    return false;
  }
  return true;
}

/* Of a flow that is unsteady and varies in space, second derivatives would be needed. */
static bool check_added_mass(const wy_fluid *fluid, const char **key, char *text, size_t size) {
  *key = "added_mass";
  if (fluid->added_mass == 0 || !wy_flow_depends(&fluid->velocity, WY_TIME) ||
      !wy_flow_depends(&fluid->velocity, WY_X | WY_Y | WY_Z))
    return true;
  snprintf(text, size, "found %g beside a velocity of both time and place; expected 0, or a velocity of one of them",
           fluid->added_mass);
  return false;
}

bool wy_fluid_check(const wy_rod_def *rod, const char **key, char *text, size_t size) {
  return !rod->fluid.given || (check_numbers(&rod->fluid, key, text, size) && check_diameter(rod, key, text, size) &&
                               check_velocity(rod, key, text, size) && check_added_mass(&rod->fluid, key, text, size));
}
