/* What `withy check` warns of in the options of a scheme. */
#include <string.h>

#include "cli/check.h"
#include "run/results/results.h"

/* Differences across two segments leave a straight rod two grids, of even and of odd nodes, that know nothing of each
   other; with an odd number of segments they are mirror images and keep time. */
static void judge_conserving(const wy_rod_def *rod, const wy_solver_def *solver, wy_warnings *warnings) {
  if (solver->conserving.order == 2 && rod->segments % 2 == 0)
    wy_warn(warnings,
            "rods.%s.segments: %d is even: with differences of order 2 the even and the odd nodes vibrate at different "
            "frequencies and come apart; use an odd number, or solver.order: 4",
            rod->name, rod->segments);
}

void wy_report_scheme(const wy_scenario *scenario, const wy_model *model, int rod, wy_warnings *warnings) {
  const wy_solver_def *solver = wy_results_solver(scenario, rod);
  if (scenario->analysis != WY_DYNAMICS)
    return;
  if (strcmp(solver->scheme, "conserving") == 0)
    judge_conserving(wy_model_rod(model, rod), solver, warnings);
  char text[400];
  if (!warnings->silent && /* else the run says it */
      wy_results_box_coefficients(wy_model_rod(model, rod), solver, text, sizeof text))
    wy_warn(warnings, "%s", text);
}
