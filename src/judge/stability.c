/* SPDX-License-Identifier: MIT */
/* What should be known of an equilibrium that was found: nothing in reality would stay at it, or there are others
   beside it. */
#include <math.h>
#include <stdio.h>

#include "judge/judge.h"

/* A bifurcation at the very start of the loads is that of a rod too slender to feel its own stiffness, a line that
   hangs: no news where the rod is stable in the end. */
static bool is_news(const wy_equilibrium_info *info) {
  const double start = 1e-3;
  return info->bifurcations > 0 && !(info->first_while_settling && info->first_bifurcation < start);
}

static void write_state(const wy_equilibrium_info *info, bool unstable, char *text, size_t size) {
  if (info->unstable > 0)
    snprintf(text, size, "is unstable in %d direction%s", info->unstable, info->unstable > 1 ? "s" : "");
  else if (unstable)
    snprintf(text, size, "is unstable in an odd number of directions");
  else
    snprintf(text, size, "is stable, but not the only one");
}

static void write_first(const wy_equilibrium_info *info, char *text, size_t size) {
  const char *in = info->first_while_settling ? "load factor" : "t =";
  if (info->bifurcations > 1)
    snprintf(text, size, "; the first of %d bifurcations, where it may go to either side, was passed at %s %.6g",
             info->bifurcations, in, info->first_bifurcation);
  else if (info->bifurcations == 1)
    snprintf(text, size, "; a bifurcation, where it may go to either side, was passed at %s %.6g", in,
             info->first_bifurcation);
}

bool wy_judge_stability(const wy_judged *self, wy_finding *finding) {
  const wy_equilibrium_info *info = &self->equilibrium;
  bool switches = self->solver->statics.branch == WY_SWITCH_BRANCH;
  bool unstable = info->unstable > 0 || (info->unstable < 0 && info->odd);
  if (info->increments == 0 || (!unstable && (switches || !is_news(info))))
    return false;
  char state[80], first[160] = "";
  write_state(info, unstable, state, sizeof state);
  write_first(info, first, sizeof first);
  finding->severity = WY_NOTE;
  finding->code = unstable ? "unstable" : "bifurcation";
  finding->value = unstable ? fmax(1, info->unstable) : info->bifurcations;
  finding->when = info->first_while_settling ? (double)NAN : info->first_bifurcation;
  wy_judge_text(finding, "%s '%s': the equilibrium found %s%s", wy_system_noun(self->integrator->system),
                wy_system_name(self->integrator->system), state, first);
  if (!switches)
    wy_judge_remedy(finding,
                    "solver.branch: switch goes over to a stable branch there, a small load across decides which");
  return true;
}
