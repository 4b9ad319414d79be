/* What should be known of an equilibrium that was found. */
#include <stdio.h>

#include "run/loop/loop.h"

/* A bifurcation at the very start of the loads is that of a rod too slender to feel its own stiffness, a line that
   hangs: no news where the rod is stable in the end. */
static bool is_news(const wy_equilibrium_info *info) {
  const double start = 1e-3;
  return info->bifurcations > 0 && !(info->first_while_settling && info->first_bifurcation < start);
}

/* Of an equilibrium that nothing in reality would stay at, or that others exist beside. */
static int describe_rod(const wy_loop *loop, int rod, char *text, size_t size) {
  wy_equilibrium_info info = wy_results_equilibrium(loop->def, rod);
  bool switches = wy_results_solver(loop->def->scenario, rod)->statics.branch == WY_SWITCH_BRANCH;
  bool unstable = info.unstable > 0 || (info.unstable < 0 && info.odd);
  if (!unstable && (switches || !is_news(&info)))
    return 0;
  char state[80] = "is stable, but not the only one", first[160] = "";
  if (info.unstable > 0)
    snprintf(state, sizeof state, "is unstable in %d direction%s", info.unstable, info.unstable > 1 ? "s" : "");
  else if (unstable)
    snprintf(state, sizeof state, "is unstable in an odd number of directions");
  const char *in = info.first_while_settling ? "load factor" : "t =";
  if (info.bifurcations > 1)
    snprintf(first, sizeof first,
             "; the first of %d bifurcations, where it may go to either side, was passed at %s %.6g", info.bifurcations,
             in, info.first_bifurcation);
  else if (info.bifurcations == 1)
    snprintf(first, sizeof first, "; a bifurcation, where it may go to either side, was passed at %s %.6g", in,
             info.first_bifurcation);
  return snprintf(text, size, "rod '%s': the equilibrium found %s%s%s", wy_model_rod(loop->def->model, rod)->name,
                  state, first,
                  switches ? ""
                           : "; solver.branch: switch goes over to a stable branch there, a small load across decides "
                             "which");
}

void wy_loop_describe_equilibria(wy_loop *loop) {
  int others = 0, used = 0;
  for (int rod = 0; rod < wy_model_rod_count(loop->def->model); ++rod) {
    char unread[sizeof loop->note];
    int length =
        used ? describe_rod(loop, rod, unread, sizeof unread) : describe_rod(loop, rod, loop->note, sizeof loop->note);
    others += used > 0 && length > 0;
    used = used ? used : length;
  }
  if (others > 0 && used < (int)sizeof loop->note)
    snprintf(loop->note + used, sizeof loop->note - (size_t)used, " (and %d more rods alike)", others);
}
