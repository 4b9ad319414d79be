/* SPDX-License-Identifier: MIT */
#include "scheme/fluid.h"

#include "math/vec3.h"

wy_fluid_section wy_fluid_section_at(const wy_rod_def *rod, double s) {
  const double pi = 3.14159265358979323846, diameter = wy_fluid_diameter(rod, s), density = rod->fluid.density;
  if (!rod->fluid.given)
    return (wy_fluid_section){0, 0, 0, 0};
  return (wy_fluid_section){.across = 0.5 * density * diameter * rod->fluid.normal,
                            .along = 0.5 * density * pi * diameter * rod->fluid.tangential,
                            .displaced = 0.25 * density * pi * diameter * diameter,
                            .added = 0.25 * rod->fluid.added_mass * density * pi * diameter * diameter};
}

double wy_fluid_lift(const wy_rod_def *rod) {
  double sum = 0, s = 0;
  for (int i = 0; wy_fluid_lifts(rod) && i < rod->segments; i++) {
    const double h = wy_segment_length(rod, i);
    sum += h * wy_fluid_section_at(rod, s + 0.5 * h).displaced;
    s += h;
  }
  return sum;
}

wy_flow_here wy_fluid_flow(const wy_rod_def *rod, wy_v3 x, double t) {
  double place[3], velocity[3], gradient[9], rate[3];
  wy_put3(place, wy_plus(x, wy_at3(rod->shape.origin)));
  wy_flow_at(&rod->fluid.velocity, place, t, velocity, gradient, rate);
  return (wy_flow_here){wy_at3(velocity), wy_from_rows(gradient), wy_at3(rate)};
}
