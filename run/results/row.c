/* SPDX-License-Identifier: MIT */
#include "run/results/row.h"

#include <math.h>
#include <stdio.h>

#include "run/results/file.h"

static wy_status not_finite(const wy_scenario *scenario, const wy_probe *probe, double t, double value,
                            wy_message *message) {
  const wy_quantity_info *info = wy_quantity_describe(probe->quantity);
  const wy_rod_def *rod = probe->rod == WY_ALL_RODS ? NULL : wy_def_at(scenario->model.rods, probe->rod);
  char where[160] = "";
  if (rod && info->place == WY_OF_ROD)
    snprintf(where, sizeof where, " rod '%s':", rod->name);
  else if (rod && info->place != WY_OF_ALL)
    snprintf(where, sizeof where, " rod '%s', s = %.9g:", rod->name, probe->s);
  return wy_results_fail(message, WY_ERROR_SOLVER, "t = %.9g:%s probe '%s' (%s) is %g: the solution has broken down", t,
                         where, probe->name, info->name, value);
}

wy_status wy_row_read(const wy_scenario *scenario, wy_sim *sim, wy_batches *batches, double *values,
                      wy_message *message) {
  for (int i = 0; i < scenario->probe_count; ++i) {
    const wy_probe *probe = &scenario->probes[i];
    const wy_quantity_info *info = wy_quantity_describe(probe->quantity);
    double value[4];
    wy_status status = wy_scenario_probe(scenario, sim, i, value, message);
    if (status != WY_OK)
      return status;
    for (int c = 0; c < info->components; ++c) {
      if (isnan(value[c]) || (isinf(value[c]) && !info->unbounded))
        return not_finite(scenario, probe, wy_sim_time(sim), value[c], message);
      *values++ = value[c];
    }
  }
  return wy_batches_row(batches, values, message);
}
