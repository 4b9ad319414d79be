/* SPDX-License-Identifier: MIT */
/* What files and pictures ask of a scenario and its model. */
#include <math.h>

#include "run/results/results.h"
#include "run/results/summary.h"

double wy_energy_round_off(const wy_model *model, int rod) {
  double round_off = 0;
  for (int i = 0; i < wy_model_rod_count(model); i++)
    if (rod == WY_ALL_RODS || rod == i) {
      /* A rod that cannot stretch bends: strains of 1e-13 at a radius of the length. */
      double length = wy_model_rod(model, i)->length;
      wy_section_values section = wy_model_section(model, i, 0.5 * length);
      round_off += 0.5e-26 * fmax(section.stiffness[2] * length, section.stiffness[3] / length);
    }
  return round_off;
}

double wy_results_signal(const wy_signal *signal, double s, double t) {
  double jet[3] = {signal->value, 0, 0};
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, s, t, jet);
  return jet[0];
}

const wy_solver_def *wy_results_solver(const wy_scenario *scenario, int rod) {
  const wy_sim_def *sim = &scenario->sim;
  return sim->rod_solvers && rod >= 0 ? wy_def_at(sim->rod_solvers, rod) : &sim->solver;
}

const char *wy_results_method_name(const wy_scenario *scenario, const wy_sim *sim, int rod) {
  if (scenario->analysis == WY_DYNAMICS)
    return wy_sim_describe(sim, rod).integrator;
  return wy_results_solver(scenario, rod)->statics.continuation == WY_ARC_LENGTH ? "arc_length" : "load_stepping";
}
