/* What can be said before a run: wy_check. */
#include <math.h>

#include "base/message.h"
#include "judge/judge.h"

/* Options of the scheme; a run says the same. */
static void check_options(const wy_model *model, int rod, const wy_solver_def *solver, wy_judgement *findings) {
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  wy_finding finding = {.rod = rod, .where = NAN, .when = NAN, .expected = true};
  if (scheme && wy_scheme_options(scheme)->doubt &&
      wy_scheme_options(scheme)->doubt(wy_model_rod(model, rod), solver, &finding))
    wy_judgement_add(findings, &finding);
}

wy_status wy_check(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, wy_finding *findings, int room,
                   int *count, wy_message *message) {
  wy_judgement found = {.list = findings, .room = findings && room > 0 ? room : 0};
  if (!model || !def)
    return wy_fail_missing(message, model ? "def" : "model");
  for (int i = 0; i < wy_model_rod_count(model); i++)
    if (analysis == WY_DYNAMICS)
      check_options(model, i, def->rod_solvers ? &def->rod_solvers[i] : &def->solver, &found);
  if (count)
    *count = found.count;
  return WY_OK;
}
