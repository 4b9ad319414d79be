/* SPDX-License-Identifier: MIT */
#include "support/ways.h"

#include <string.h>

#include "check.h"
#include "withy/sundials.h"

const way ways[WAYS] = {
    {"null space", "staggered", WY_COSSERAT, WY_NULLSPACE, false, false, false},
    {"absolute, driven", "staggered", WY_COSSERAT, WY_ABSOLUTE, true, false, false},
    {"released", "staggered", WY_COSSERAT, WY_NULLSPACE, false, true, false},
    {"new loads", "staggered", WY_COSSERAT, WY_NULLSPACE, false, false, true},
    {"kirchhoff", "staggered", WY_KIRCHHOFF, WY_NULLSPACE, false, false, false},
    {"inextensible, driven", "staggered", WY_INEXTENSIBLE, WY_NULLSPACE, true, false, false},
    {"inextensible, released", "staggered", WY_INEXTENSIBLE, WY_NULLSPACE, false, true, true},
    {"conserving", "conserving", WY_COSSERAT, WY_NULLSPACE, false, false, false},
};

test_sim make_way(const way *w, const char *integrator, double tolerance) {
  wy_rod_def rod = rich_rod(6);
  wy_load_def loads[RICH_LOADS];
  wy_solver_def solver = wy_default_solver_def();
  rich_loads(loads);
  rod.kind = w->kind;
  rod.ends[WY_START] = w->driven ? driven_end() : wy_end_clamped();
  if (w->released)
    rod.ends[WY_START].release = 0.4;
  if (strcmp(w->scheme, "conserving") == 0) /* which has no internal damping */
    rod.damping.kind = WY_UNDAMPED;
  solver.scheme = w->scheme;
  solver.integrator = integrator;
  solver.more = wy_sundials();
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.staggered.coordinates = w->coordinates;
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  def.loads = loads, def.load_count = RICH_LOADS;
  def.gravity[0] = 0.1, def.gravity[2] = -0.8;
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver = solver;
  test_sim made = {0};
  wy_message message = {0};
  must(wy_model_create(&def, &made.model, &message), &message);
  must(wy_sim_create(made.model, &sim_def, &made.sim, &message), &message);
  return made;
}

way_end follow_way(const way *w, const test_sim *made) {
  static const double push[3] = {0.4, 0.5, -0.3};
  way_end out = {0};
  wy_message message = {0};
  wy_energy before = wy_sim_energy(made->sim, 0);
  must(wy_sim_advance(made->sim, 0.7, &message), &message);
  if (w->pushed)
    must(wy_sim_set_load(made->sim, 0, push, NULL, &message), &message);
  must(wy_sim_advance(made->sim, 1, &message), &message);
  wy_energy after = wy_sim_energy(made->sim, 0);
  must(wy_sim_probe(made->sim, WY_POSITION, 0, wy_model_rod(made->model, 0)->length, out.tip, &message), &message);
  out.energy_error = after.total - before.total - after.work + after.dissipated;
  out.statistics = wy_sim_statistics(made->sim, 0);
  return out;
}

way_end run_way(const way *w, const char *integrator, double tolerance) {
  test_sim made = make_way(w, integrator, tolerance);
  way_end out = follow_way(w, &made);
  free_sim(&made);
  return out;
}

void check_way_end(const way *w, const char *integrator, const way_end *got, const way_end *want, double bound) {
  double error = 0;
  for (int i = 0; i < 3; i++)
    error = fmax(error, fabs(got->tip[i] - want->tip[i]));
  print_message("%-7s %-24s error %.1e, balance %.1e, drift %.1e %.1e, steps %ld + %ld\n", integrator, w->name, error,
                got->energy_error, got->statistics.strain_drift, got->statistics.strain_rate_drift,
                got->statistics.steps, got->statistics.rejected);
  if (!(error <= bound && fabs(got->energy_error - want->energy_error) <= bound))
    fail_msg("%s, %s: error %.2e, energy balance %.2e, want %.2e, tolerance of both %.0e", integrator, w->name, error,
             got->energy_error, want->energy_error, bound);
  check_at_most(got->statistics.strain_drift, bound);
  check_at_most(got->statistics.strain_rate_drift, bound);
}
