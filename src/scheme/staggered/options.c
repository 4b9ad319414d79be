/* SPDX-License-Identifier: MIT */
/* Options of the staggered scheme: defaults, what makes sense, and what they mean in words. */
#include <math.h>
#include <stdio.h>

#include "base/message.h"
#include "scheme/staggered/staggered.h"

static void defaults(wy_solver_def *solver) {
  solver->staggered = (wy_staggered_options){.curvature_measure = WY_TAN2,
                                             .coordinates = WY_NULLSPACE,
                                             .segment_inertia = WY_DISC,
                                             .stabilisation = WY_PROJECTION,
                                             .baumgarte_omega = 100,
                                             .baumgarte_r = 100};
}

static bool is_rate(double value) {
  return value >= 0 && isfinite(value);
}

static wy_status check_options(const wy_solver_def *solver, wy_message *message) {
  const wy_staggered_options *options = &solver->staggered;
  const char *expected = "found %g; expected a number that is not negative";
  if (options->curvature_measure > WY_ANGLE || options->coordinates > WY_ABSOLUTE ||
      options->segment_inertia > WY_CYLINDER || options->stabilisation > WY_BAUMGARTE)
    return wy_fail_at(message, "solver", "found an option of the staggered scheme that does not exist");
  if (options->stabilisation != WY_BAUMGARTE)
    return WY_OK;
  if (!is_rate(options->baumgarte_omega))
    return wy_fail_at(message, "solver.stabilisation.baumgarte.omega", expected, options->baumgarte_omega);
  if (!is_rate(options->baumgarte_r))
    return wy_fail_at(message, "solver.stabilisation.baumgarte.r", expected, options->baumgarte_r);
  return WY_OK;
}

/* A history of steps does not survive that the last state is moved. */
static void for_multistep(wy_solver_def *solver) {
  solver->staggered.stabilisation = WY_BAUMGARTE;
}

static void describe(const wy_solver_def *solver, wy_scheme_info *info) {
  const wy_staggered_options *options = &solver->staggered;
  const bool projection = options->stabilisation == WY_PROJECTION;
  info->summary = "positions at vertices, rotations in segments between them";
  info->use = "for all kinds of rods and all features; fast, with error control";
  info->projects = true;
  info->kept_by = projection ? "projection" : "Baumgarte";
  if (projection)
    snprintf(info->constraints, sizeof info->constraints, "projection after every step");
  else
    snprintf(info->constraints, sizeof info->constraints, "Baumgarte's method, omega %g, r %g",
             options->baumgarte_omega, options->baumgarte_r);
}

const wy_option_type wy_staggered_option_type = {
    .defaults = defaults, .check = check_options, .for_multistep = for_multistep, .describe = describe};
