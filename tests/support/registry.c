/* SPDX-License-Identifier: MIT */
#include "support/registry.h"

#include <stdio.h>

#include "check.h"
#include "math/vec3.h"
#include "scheme/scheme.h"

const double plain_extension = 90, plain_mass = 1.3;

wy_rod_def plain_rod(wy_rod_kind kind) {
  wy_rod_def rod = wy_default_rod_def();
  const double stiffness[6] = {40, 50, plain_extension, 0.5, 0.7, 0.4}, inertia[4] = {plain_mass, 0.011, 0.017, 0.025};
  rod.kind = kind;
  rod.segments = PLAIN_PIECES;
  rod.length = 1;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  return rod;
}

wy_solver_def solver_of(const char *scheme) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = scheme;
  solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
  if (wy_method_has_fixed_step(&solver))
    solver.first_step = 0.01;
  return solver;
}

test_sim moving_sim(const wy_rod_def *rod, const wy_solver_def *solver, const double gravity[3]) {
  test_sim made = {0};
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  def.rods = rod, def.rod_count = 1;
  wy_copy3(gravity, def.gravity);
  sim.solver = *solver;
  must(wy_model_create(&def, &made.model, &message), &message);
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

/* How many were checked. */
static int for_schemes(bool fluids, scheme_check *check) {
  int checked = 0;
  for (int i = 0; wy_scheme_at(i); i++)
    for (int kind = 0; (!fluids || wy_scheme_at(i)->carries_fluids) && kind < ROD_KINDS; kind++) {
      char name[80];
      const wy_solver_def solver = solver_of(wy_scheme_name(i));
      if (wy_method_possible(&solver, (wy_rod_kind)kind, NULL))
        continue;
      snprintf(name, sizeof name, "%s, %s", wy_scheme_name(i), wy_rod_kind_name((wy_rod_kind)kind));
      check(wy_scheme_name(i), (wy_rod_kind)kind, name);
      checked++;
    }
  return checked;
}

void for_all_schemes(scheme_check *check) {
  check_at_least(for_schemes(false, check), 4);
}

void for_all_fluids(scheme_check *check) {
  check_at_least(for_schemes(true, check), 7);
}
