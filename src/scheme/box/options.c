/* SPDX-License-Identifier: MIT */
/* Options of the box scheme: defaults, what makes sense, and what they mean in words. */
#include <math.h>
#include <stdio.h>

#include "base/message.h"
#include "scheme/box/box.h"

static void defaults(wy_solver_def *solver) {
  solver->box = (wy_box_options){.rho_inf = 0.8, .transport = true, .force = WY_FORCE_HISTORY};
}

static wy_status check_options(const wy_solver_def *solver, wy_message *message) {
  if (!solver->box.coefficients_given && !(solver->box.rho_inf >= 0 && solver->box.rho_inf <= 1))
    return wy_fail_at(message, "solver.rho_inf", "found %g; expected a number from 0 to 1", solver->box.rho_inf);
  if (solver->box.force > WY_FORCE_STAGE)
    return wy_fail_at(message, "solver.section_force", "found an option that does not exist");
  return WY_OK;
}

static void describe(const wy_solver_def *solver, wy_scheme_info *info) {
  const wy_box_options *box = &solver->box;
  info->summary = "velocities and curvatures in cells of space and time";
  info->use = "`inextensible` rods; curls such as springs and hair, robust at large steps";
  info->cannot = "shear and extension, Maxwell branches, actuators, fluids";
  info->carrier = box->transport ? "the scheme carries" : "the scheme carries without transport";
  if (box->coefficients_given)
    snprintf(info->options, sizeof info->options, "alpha %g, beta %g, gamma %g", box->alpha, box->beta, box->gamma);
  else
    snprintf(info->options, sizeof info->options, "rho_inf %g", box->rho_inf);
}

/* Coefficients of the user's: stable, and of which order? (B5) */
static bool doubt(const wy_rod_def *rod, const wy_solver_def *solver, wy_finding *finding) {
  const wy_box_options *box = &solver->box;
  const double slack = 1e-9, order = box->alpha - box->beta + box->gamma - 0.5;
  if (!box->coefficients_given)
    return false;
  finding->severity = WY_WARNING;
  finding->code = "coefficients";
  finding->value = order + 0.5;
  finding->limit = 0.5;
  snprintf(finding->path, sizeof finding->path, "rods.%s", rod->name);
  if (box->alpha > 0.5 + slack || box->beta > 0.5 + slack || box->gamma < 0.5 - slack || order < -slack) {
    snprintf(finding->text, sizeof finding->text, "steps with alpha %g, beta %g, gamma %g are not stable", box->alpha,
             box->beta, box->gamma);
    snprintf(finding->remedy, sizeof finding->remedy,
             "expected alpha and beta of at most 1/2, gamma and alpha - beta + gamma of at least 1/2");
    return true;
  }
  snprintf(finding->text, sizeof finding->text,
           "steps with alpha %g, beta %g, gamma %g are of first order, since alpha - beta + gamma is %g, not 1/2, and "
           "damp strongly%s",
           box->alpha, box->beta, box->gamma, order + 0.5,
           fabs(box->gamma + box->alpha - 1) < slack && fabs(box->beta) < slack ? ": they are backward Euler" : "");
  snprintf(finding->remedy, sizeof finding->remedy, "rho_inf makes coefficients of second order");
  return order > slack;
}

const wy_option_type wy_box_option_type = {
    .defaults = defaults, .check = check_options, .describe = describe, .doubt = doubt};
