/* SPDX-License-Identifier: MIT */
/* Options of the conserving scheme: defaults, what makes sense, and what they mean in words. */
#include <stdio.h>

#include "base/message.h"
#include "scheme/conserving/conserving.h"

static void defaults(wy_solver_def *solver) {
  solver->conserving = (wy_conserving_options){.order = 2};
}

static wy_status check_options(const wy_solver_def *solver, wy_message *message) {
  if (solver->conserving.order != 2 && solver->conserving.order != 4)
    return wy_fail_at(message, "solver.order", "found %d; expected 2 or 4", solver->conserving.order);
  return WY_OK;
}

static int *order_of(wy_solver_def *solver) {
  return &solver->conserving.order;
}

static void describe(const wy_solver_def *solver, wy_scheme_info *info) {
  info->summary = "finite differences of velocities and strains that keep the energy";
  info->use = "`cosserat` rods; keeps the energy of any law to round-off; no equilibria";
  info->cannot = "equilibria, internal damping, Maxwell branches, actuators, ends held in part, added mass";
  info->orders[0] = 2, info->orders[1] = 4;
  info->order_of = "differences";
  info->accuracy = info->accuracy_inside = solver->conserving.order == 4 ? 3 : 2;
  info->odd_segments = solver->conserving.order == 2;
  snprintf(info->pieces, sizeof info->pieces, "segments, differences of order %d", solver->conserving.order);
}

/* Differences across two segments leave a straight rod two grids, of even and of odd nodes, that know nothing of each
   other; with an odd number of segments they are mirror images and keep time. */
static bool doubt(const wy_rod_def *rod, const wy_solver_def *solver, wy_finding *finding) {
  if (solver->conserving.order != 2 || rod->segments % 2 != 0)
    return false;
  finding->severity = WY_WARNING;
  finding->code = "even_segments";
  finding->value = rod->segments;
  finding->limit = rod->segments + 1;
  snprintf(finding->path, sizeof finding->path, "rods.%s.segments", rod->name);
  snprintf(finding->text, sizeof finding->text,
           "%d is even: with differences of order 2 the even and the odd nodes vibrate at different frequencies and "
           "come apart",
           rod->segments);
  snprintf(finding->remedy, sizeof finding->remedy, "use an odd number, or solver.order: 4");
  return true;
}

static wy_segment_memory memory_of(const wy_solver_def *solver) {
  return (wy_segment_memory){.implicit = solver->conserving.order == 4 ? 37000 : 21000};
}

const wy_option_type wy_conserving_option_type = {.defaults = defaults,
                                                  .check = check_options,
                                                  .order = order_of,
                                                  .describe = describe,
                                                  .doubt = doubt,
                                                  .memory = memory_of};
