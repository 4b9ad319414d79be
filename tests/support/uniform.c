/* SPDX-License-Identifier: MIT */
#include "support/uniform.h"

wy_rod_def given_rod(int segments, double length, const double stiffness[6], const double inertia[4]) {
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.length = length;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

example uniform_rod(wy_rod_kind kind, int segments, double length, const double stiffness[6]) {
  static const double inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  example e = {.rod = given_rod(segments, length, stiffness, inertia)};
  e.rod.kind = kind;
  return e;
}

void load_tip(example *e, const double force[3], const double moment[3], wy_axes axes) {
  wy_load_def *load = &e->loads[e->load_count++];
  *load = wy_default_load_def();
  load->place = WY_AT_END;
  load->axes = axes;
  for (int i = 0; i < 3; i++) {
    load->force[i] = wy_constant(force ? force[i] : 0);
    load->moment[i] = wy_constant(moment ? moment[i] : 0);
  }
}

test_sim settled(const example *e, const wy_solver_def *solver) {
  test_sim made = simulate(e, solver);
  wy_message message = {0};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  return made;
}
