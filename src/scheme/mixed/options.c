/* SPDX-License-Identifier: MIT */
/* Options of the mixed scheme: defaults, what makes sense, and what they mean in words. */
#include <stdio.h>

#include "base/message.h"
#include "scheme/mixed/mixed.h"

static void defaults(wy_solver_def *solver) {
  solver->mixed = (wy_mixed_options){.order = 2, .end_moment = WY_CORRECTED_MOMENT};
}

static wy_status check_options(const wy_solver_def *solver, wy_message *message) {
  if (solver->mixed.order < 1 || solver->mixed.order > 2)
    return wy_fail_at(message, "solver.order", "found %d; expected 1 or 2", solver->mixed.order);
  if (solver->mixed.end_moment > WY_PRINTED_MOMENT)
    return wy_fail_at(message, "solver.end_moment", "found an option that does not exist");
  return WY_OK;
}

static int *order_of(wy_solver_def *solver) {
  return &solver->mixed.order;
}

static void describe(const wy_solver_def *solver, wy_scheme_info *info) {
  info->summary = "finite elements of positions, directors and strains";
  info->use = "finite elements; keeps energy and momentum at large fixed steps; no laws";
  info->cannot = "material laws, added mass";
  info->orders[0] = 1, info->orders[1] = 2;
  info->order_of = "polynomials";
  info->accuracy = 2 * solver->mixed.order;
  info->node = "node";
  info->nodes_per_piece = solver->mixed.order;
  info->carrier = "the interpolation carries";
  snprintf(info->pieces, sizeof info->pieces, "elements of order %d", solver->mixed.order);
}

static wy_segment_memory memory_of(const wy_solver_def *solver) {
  (void)solver; /* matrices are full enough for actuators */
  return (wy_segment_memory){.implicit = 21000, .equilibria = 40000, .actuators = 0};
}

const wy_option_type wy_mixed_option_type = {
    .defaults = defaults, .check = check_options, .order = order_of, .describe = describe, .memory = memory_of};
