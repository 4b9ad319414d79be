/* What `withy check` warns of in the options of a scheme. */
#include <math.h>
#include <string.h>

#include "cli/check.h"
#include "io/results.h"

/* Differences across two segments leave a straight rod two grids, of even and of odd nodes, that know nothing of each
   other; with an odd number of segments they are mirror images and keep time. */
static void judge_conserving(const wy_rod_def *rod, const wy_solver_def *solver, wy_warnings *warnings) {
  if (solver->conserving.order == 2 && rod->segments % 2 == 0)
    wy_warn(warnings,
            "rods.%s.segments: %d is even: with differences of order 2 the even and the odd nodes vibrate at different "
            "frequencies and come apart; use an odd number, or solver.order: 4",
            rod->name, rod->segments);
}

/* Coefficients of the user's: stable, and of which order? (docs/theory/box.md, B5) */
static void judge_box(const wy_rod_def *rod, const wy_solver_def *solver, wy_warnings *warnings) {
  const wy_box_options *box = &solver->box;
  const double slack = 1e-9, order = box->alpha - box->beta + box->gamma - 0.5;
  if (!box->coefficients_given)
    return;
  if (box->alpha > 0.5 + slack || box->beta > 0.5 + slack || box->gamma < 0.5 - slack || order < -slack)
    wy_warn(warnings,
            "rods.%s: steps with alpha %g, beta %g, gamma %g are not stable; expected alpha and beta of at most 1/2, "
            "gamma and alpha - beta + gamma of at least 1/2",
            rod->name, box->alpha, box->beta, box->gamma);
  else if (order > slack)
    wy_warn(warnings,
            "rods.%s: steps with alpha %g, beta %g, gamma %g are of first order, since alpha - beta + gamma is %g, not "
            "1/2, and damp strongly%s; rho_inf makes coefficients of second order",
            rod->name, box->alpha, box->beta, box->gamma, order + 0.5,
            fabs(box->gamma + box->alpha - 1) < slack && fabs(box->beta) < slack ? ": they are backward Euler" : "");
}

void wy_report_scheme(const wy_scenario *scenario, const wy_model *model, int rod, wy_warnings *warnings) {
  const wy_solver_def *solver = wy_results_solver(scenario, rod);
  if (scenario->analysis != WY_DYNAMICS)
    return;
  if (strcmp(solver->scheme, "conserving") == 0)
    judge_conserving(wy_model_rod(model, rod), solver, warnings);
  if (strcmp(solver->scheme, "box") == 0)
    judge_box(wy_model_rod(model, rod), solver, warnings);
}
