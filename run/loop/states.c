/* SPDX-License-Identifier: MIT */
/* Runs for one state: statics, modes, buckling. */
#include <stdio.h>

#include "run/loop/loop.h"

static wy_status settle(wy_loop *loop, wy_message *message) {
  wy_status status = wy_sim_settle(loop->def->sim, loop->def->scenario->end, message);
  wy_loop_progress(loop);
  return status == WY_OK || status == WY_ERROR_RESULT ? wy_loop_record(loop, status, message) : status;
}

wy_status wy_loop_statics(wy_loop *loop, wy_message *message) {
  wy_status status = settle(loop, message);
  loop->complete = status == WY_OK;
  return status;
}

static wy_status find_modes(wy_loop *loop, wy_message *message) {
  const wy_scenario *scenario = loop->def->scenario;
  wy_sim *sim = loop->def->sim;
  bool buckling = scenario->analysis == WY_BUCKLING;
  wy_mode_table *table = loop->modes = wy_mode_table_create(buckling, loop->def->model);
  if (!table)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the modes");
  wy_status status = WY_OK;
  int groups = wy_sim_group_count(sim), left = groups; /* of several some may not buckle at all */
  for (int i = 0; i < groups && status == WY_OK && !wy_loop_stopped(loop); ++i) {
    status = buckling
                 ? wy_sim_group_buckling(sim, i, scenario->end, scenario->modes, table->rods, table->bodies, message)
                 : wy_sim_group_modes(sim, i, scenario->modes, table->rods, table->bodies, message);
    if (buckling && status == WY_ERROR_SOLVER && --left > 0)
      status = WY_OK;
  }
  if (status == WY_OK && !wy_loop_stopped(loop))
    status = wy_mode_table_sort(table, scenario->modes, loop->def->model, sim, message);
  return status;
}

wy_status wy_loop_modes(wy_loop *loop, wy_message *message) {
  wy_status status = settle(loop, message);
  if (status == WY_OK && !wy_loop_stopped(loop))
    status = find_modes(loop, message);
  loop->complete = status == WY_OK && !wy_loop_stopped(loop);
  return loop->complete ? wy_results_add_modes(loop->results, loop->modes, message) : status;
}

/* The state under the loads themselves comes last: where they are beyond what the rod can carry there may be none,
   which takes nothing from the factors. */
wy_status wy_loop_buckling(wy_loop *loop, wy_message *message) {
  wy_status status = find_modes(loop, message);
  if (status != WY_OK || wy_loop_stopped(loop))
    return status;
  wy_message reason = {{0}, {0}};
  status = wy_sim_settle(loop->def->sim, loop->def->scenario->end, &reason);
  if (status == WY_OK)
    status = wy_results_record(loop->results, message);
  else
    snprintf(loop->note, sizeof loop->note, "there is no snapshot of the equilibrium under the given loads: %.700s",
             reason.text);
  if (status == WY_ERROR_FILE)
    return status;
  loop->complete = true;
  return wy_results_add_modes(loop->results, loop->modes, message);
}
