/* What `withy check` warns of where equilibria are wanted. */
#include <math.h>

#include "cli/check.h"
#include "run/results/results.h"

enum { TIMES = 200 };

static int held_components(const wy_end *end) {
  int count = 0;
  for (int i = 0; i < 3; i++)
    count += end->position[i] != WY_FREE;
  return count;
}

/* A rod that can move as a whole has an equilibrium only if its loads happen to balance, and then it is not the only
   one. */
static void judge_supports(const wy_scenario *scenario, const wy_rod_def *rod, wy_warnings *warnings) {
  const wy_end *start = &rod->ends[WY_START], *end = &rod->ends[WY_END];
  int held = held_components(start) + held_components(end);
  bool turns = start->rotation == WY_FREE && end->rotation == WY_FREE;
  bool one_end = held_components(start) == 0 || held_components(end) == 0;
  if (held == 0 && scenario->analysis == WY_MODES)
    wy_warn(warnings, "rods.%s.ends: nothing holds the rod: the first modes are motions of the rod as a whole",
            rod->name);
  else if (held == 0)
    wy_warn(warnings,
            "rods.%s.ends: nothing holds the rod: neither end holds a position, and equilibria need loads that balance",
            rod->name);
  else if (turns && one_end)
    wy_warn(warnings,
            "rods.%s.ends: the rod turns freely about its %s: without stiffness there, an equilibrium may not be found",
            rod->name, held_components(start) ? "start" : "end");
}

/* Where an end is at time t, if all of it is held. */
static bool end_position(const wy_model *model, int rod, int end, double t, double out[3]) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const wy_end *support = &def->ends[end];
  double frame[4];
  wy_model_reference(model, rod, end ? def->length : 0, out, frame);
  for (int i = 0; i < 3; i++)
    if (support->position[i] == WY_DRIVEN)
      out[i] = wy_results_signal(&support->path[i], 0, t);
  return held_components(support) == 3;
}

/* A rod that cannot stretch between ends as far apart as it is long. */
static void judge_slack(const wy_scenario *scenario, const wy_model *model, int rod, wy_warnings *warnings) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  if (def->kind != WY_INEXTENSIBLE)
    return;
  for (int k = 0; k <= TIMES; k++) {
    double t = wy_scenario_has_course(scenario) ? scenario->end * k / TIMES : scenario->end, a[3], b[3];
    bool both = end_position(model, rod, WY_START, t, a) && end_position(model, rod, WY_END, t, b);
    double distance = both ? sqrt(pow(b[0] - a[0], 2) + pow(b[1] - a[1], 2) + pow(b[2] - a[2], 2)) : 0;
    if (distance < (1 - 1e-9) * def->length)
      continue;
    wy_warn(warnings,
            "rods.%s: at t = %.4g its ends are %.6g apart, and a rod of length %.6g that cannot stretch has no slack: "
            "its forces are not determined; use model: kirchhoff",
            def->name, t, distance, def->length);
    return;
  }
}

/* What is zero by definition is rarely what a probe was meant for. */
static void judge_probes(const wy_scenario *scenario, wy_warnings *warnings) {
  for (int i = 0; i < scenario->probe_count; i++) {
    const wy_quantity_info *quantity = wy_quantity_describe(scenario->probes[i].quantity);
    if (quantity->rests)
      wy_warn(warnings, "probes.%s: %s is always 0 in %s", scenario->probes[i].name, quantity->name,
              wy_analysis_name(scenario->analysis));
  }
}

static void judge_loads(const wy_model *model, wy_warnings *warnings) {
  const double *g = wy_model_gravity(model);
  bool nothing = wy_model_load_count(model) == 0 && wy_model_actuator_count(model) == 0;
  if (nothing && g[0] == 0 && g[1] == 0 && g[2] == 0)
    wy_warn(warnings, "loads: there are none, and no gravity: buckling has nothing to multiply");
}

void wy_report_statics(const wy_scenario *scenario, const wy_model *model, wy_warnings *warnings) {
  for (int i = 0; i < wy_model_rod_count(model); i++) {
    judge_supports(scenario, wy_model_rod(model, i), warnings);
    judge_slack(scenario, model, i, warnings);
  }
  if (scenario->analysis == WY_BUCKLING)
    judge_loads(model, warnings);
  if (scenario->analysis != WY_DYNAMICS)
    judge_probes(scenario, warnings);
}
