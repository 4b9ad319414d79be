/* SPDX-License-Identifier: MIT */
/* Options of the staggered scheme: defaults, what makes sense, and what they mean in words. */
#include <math.h>
#include <stdio.h>

#include "base/message.h"
#include "math/vec3.h"
#include "model/model.h"
#include "scheme/staggered/staggered.h"

static void defaults(wy_solver_def *solver) {
  solver->staggered = (wy_staggered_options){.curvature_measure = WY_AUTO_MEASURE,
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
  if (options->curvature_measure > WY_AUTO_MEASURE || options->coordinates > WY_ABSOLUTE ||
      options->segment_inertia > WY_CYLINDER || options->stabilisation > WY_BAUMGARTE)
    return wy_fail_at(message, "solver", "found an option of the staggered scheme that does not exist");
  if (solver->clamp[WY_START] > WY_CLAMP_CORRECTED || solver->clamp[WY_END] > WY_CLAMP_CORRECTED)
    return wy_fail_at(message, "solver.clamp", "found a clamp that does not exist");
  if (options->stabilisation != WY_BAUMGARTE)
    return WY_OK;
  if (!is_rate(options->baumgarte_omega))
    return wy_fail_at(message, "solver.stabilisation.baumgarte.omega", expected, options->baumgarte_omega);
  if (!is_rate(options->baumgarte_r))
    return wy_fail_at(message, "solver.stabilisation.baumgarte.r", expected, options->baumgarte_r);
  return WY_OK;
}

/* ---- The curvature measure ---- */

/* Turns of the undeformed rod below this, in radians from end to end, are round-off: the rod is straight. */
#define STRAIGHT 1e-6

/* Does the undeformed rod bend or twist anywhere? By the curvature at its segments' ends and middles. */
static bool is_curved(const wy_rod_def *rod) {
  double turn = 0, s = 0;
  for (int i = 0; i < rod->segments; i++) {
    const double h = wy_segment_length(rod, i);
    for (int half = 0; half <= 2; half++) {
      const double at = fmin(s + 0.5 * half * h, rod->length);
      double k_zero[3];
      for (int k = 0; k < 3; k++)
        k_zero[k] = wy_signal_value(&rod->shape.curvature[k], at, 0);
      turn += h * wy_norm3(k_zero) / 3;
    }
    s += h;
  }
  return turn > STRAIGHT;
}

wy_curvature_measure wy_staggered_measure(const wy_staggered_options *options, const wy_rod_def *rod) {
  if (options->curvature_measure != WY_AUTO_MEASURE)
    return options->curvature_measure;
  return is_curved(rod) ? WY_ANGLE : WY_TAN2;
}

static const char *measure(const wy_solver_def *solver, const wy_rod_def *rod) {
  static const char *const names[] = {
      [WY_SIN2] = "sin2", [WY_SIN4] = "sin4", [WY_TAN2] = "tan2", [WY_TAN4] = "tan4", [WY_ANGLE] = "angle"};
  return names[wy_staggered_measure(&solver->staggered, rod)];
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

const wy_option_type wy_staggered_option_type = {.defaults = defaults,
                                                 .check = check_options,
                                                 .for_multistep = for_multistep,
                                                 .describe = describe,
                                                 .measure = measure};
