/* SPDX-License-Identifier: MIT */
/* What a fluid does to a rod: its weight, and its drag where the fluid moves fastest. */
#include "scheme/fluid.h"

#include <math.h>

#include "judge/subject.h"
#include "math/vec3.h"

/* The fastest flow along the undeformed rod, over the run. */
static double fastest_flow(const wy_subject *in) {
  const bool in_time = wy_flow_depends(&in->rod->fluid.velocity, WY_TIME);
  double fastest = 0;
  for (int k = 0; k < (in_time ? wy_subject_time_count(in) : 1); k++)
    for (int p = 0; p <= 4; p++) {
      double place[3], frame[4], velocity[3], gradient[9], rate[3];
      wy_model_reference(in->model, in->index, 0.25 * p * in->length, place, frame);
      wy_flow_at(&in->rod->fluid.velocity, place, wy_subject_time(in, k), velocity, gradient, rate);
      fastest = fmax(fastest, wy_norm3(velocity));
    }
  return fastest;
}

static void report_weight(const wy_subject *in, const wy_fluid_section *section) {
  const double mass = in->section.mass;
  wy_say(in, "fluid", "%.4g kg/m^3, diameter %.4g m: displaces %.4g kg/m, %.3g of the mass of the rod",
         in->rod->fluid.density, wy_fluid_diameter(in->rod, 0.5 * in->length), section->displaced,
         section->displaced / mass);
  if (wy_fluid_lifts(in->rod) && in->strength > 0)
    wy_say(in, "", "%s: weight less buoyancy %.4g N/m", section->displaced > mass ? "it floats" : "it sinks",
           (mass - section->displaced) * in->strength);
}

void wy_check_fluid(wy_subject *in) {
  const wy_rod_def *rod = in->rod;
  if (!wy_fluid_acts(rod))
    return;
  const wy_fluid_section section = wy_fluid_section_at(rod, 0.5 * in->length);
  const double speed = fastest_flow(in), drag = section.across * speed * speed, weight = in->weighed * in->strength;
  const bool lifts = wy_fluid_lifts(rod) && in->strength > 0;
  report_weight(in, &section);
  if (speed > 0 && weight > 0)
    wy_say(in, "drag", "%.4g N/m across at %.4g m/s, %.3g times the weight", drag, speed, drag / weight);
  else if (speed > 0)
    wy_say(in, "drag", "%.4g N/m across at %.4g m/s", drag, speed);
  if (wy_fluid_drags(rod) && !(speed > 0) && weight > 0 && section.across > 0)
    wy_say(in, "drag", "as much as the weight at %.4g m/s across the rod", sqrt(weight / section.across));
  if (!wy_fluid_drags(rod) && !lifts && !(rod->fluid.added_mass > 0))
    wy_warn(in,
            &(wy_doubt){.code = "fluid",
                        .key = ".fluid",
                        .remedy = "give normal and tangential, added_mass, or gravity for its buoyancy"},
            "the fluid does nothing: it has no drag coefficient, no added mass, and no weight that lifts");
}
