/* SPDX-License-Identifier: MIT */
/* The force of a fluid on a piece of rod (docs/theory/fluid.md), for all schemes. */
#ifndef WY_SCHEME_FLUID_H
#define WY_SCHEME_FLUID_H

#include "math/lane.h"
#include "model/model.h"

/* What a fluid is to a section: factors of the drag across and along, mass of the displaced fluid, all per length. */
typedef struct wy_fluid_section {
  double across, along; /* density diameter normal / 2, density pi diameter tangential / 2 */
  double displaced;     /* density pi / 4 diameter^2 */
  double added;         /* mass that moves with the rod, across it */
} wy_fluid_section;

wy_fluid_section wy_fluid_section_at(const wy_rod_def *rod, double s);

/* Does it drag? Does it move with the rod? Does it lift? */
static inline bool wy_fluid_drags(const wy_rod_def *rod) {
  return wy_fluid_acts(rod) && (rod->fluid.normal > 0 || rod->fluid.tangential > 0);
}

/* Does it move, so that drag acts on a rod at rest? */
static inline bool wy_fluid_flows(const wy_rod_def *rod) {
  const double *u = rod->fluid.velocity.value;
  return wy_fluid_drags(rod) && (rod->fluid.velocity.evaluate || u[0] != 0 || u[1] != 0 || u[2] != 0);
}

static inline bool wy_fluid_adds(const wy_rod_def *rod) {
  return wy_fluid_acts(rod) && rod->fluid.added_mass > 0;
}

static inline bool wy_fluid_lifts(const wy_rod_def *rod) {
  return wy_fluid_acts(rod) && rod->fluid.buoyancy;
}

/* The mass per length that gravity seems to pull at: without that of the displaced fluid where there is buoyancy. */
static inline double wy_fluid_weighed(const wy_rod_def *rod, double s, double mass) {
  return wy_fluid_lifts(rod) ? mass - wy_fluid_section_at(rod, s).displaced : mass;
}

/* The mass of all fluid that lifts the rod; 0 where none does. */
double wy_fluid_lift(const wy_rod_def *rod);

/* The flow at a place: velocity, derivatives by the place and by time. */
typedef struct wy_flow_here {
  wy_v3 velocity;
  wy_m3 gradient;
  wy_v3 rate;
} wy_flow_here;

/* `x` from the rod's origin. */
wy_flow_here wy_fluid_flow(const wy_rod_def *rod, wy_v3 x, double t);

/* The drag (U2) of a fluid that moves by `velocity` relative to a piece with the unit tangent d3. */
WY_INLINE wy_v3 wy_fluid_drag(const wy_fluid_section *section, wy_v3 velocity, wy_v3 d3) {
  const double along = wy_inner(velocity, d3);
  const wy_v3 across = wy_minus(velocity, wy_times(along, d3));
  return wy_plus(wy_times(section->across * wy_norm(across), across),
                 wy_times(section->along * fabs(along) * along, d3));
}

/* Its derivatives (U3), (U4): by the relative velocity, and by d3, whose variation is across d3. They are continuous,
   and zero where the velocity is. */
typedef struct wy_drag_slopes {
  wy_m3 by_velocity, by_d3;
} wy_drag_slopes;

WY_INLINE wy_drag_slopes wy_fluid_drag_slopes(const wy_fluid_section *section, wy_v3 velocity, wy_v3 d3) {
  const double along = wy_inner(velocity, d3), cn = section->across, ct = section->along * fabs(along);
  const wy_v3 across = wy_minus(velocity, wy_times(along, d3));
  const double speed = wy_norm(across);
  const wy_m3 outer = wy_outer(wy_times(speed > 0 ? cn / speed : 0, across), across), line = wy_outer(d3, d3);
  wy_drag_slopes out;
  out.by_velocity =
      wy_mplus(wy_mplus(wy_mtimes(cn * speed, wy_mminus(wy_diagonal(1), line)), outer), wy_mtimes(2 * ct, line));
  out.by_d3 = wy_mplus(wy_diagonal(along * (ct - cn * speed)), wy_outer(wy_times(2 * ct - cn * speed, d3), velocity));
  out.by_d3 = wy_mminus(out.by_d3, wy_mtimes(along, outer));
  return out;
}

#endif
