/* SPDX-License-Identifier: MIT */
/* What equilibria may stumble over: rods that nothing holds, or that cannot move at all. */
#include <math.h>

#include "judge/subject.h"
#include "math/vec3.h"
#include "model/contact.h"
#include "model/network.h"

static int held_components(const wy_end *end) {
  int count = 0;
  for (int i = 0; i < 3; i++)
    count += end->position[i] != WY_FREE;
  return count;
}

/* What holds a rod with joints or springs is for its group to say (network.c), and an obstacle may hold one, too. */
static bool is_alone(const wy_subject *in) {
  const wy_network *network = wy_model_network(in->model);
  return network->groups[network->rod_groups[in->index]].hub_count == 0 && !wy_rod_touches(in->model, in->index);
}

/* A rod that can move as a whole has an equilibrium only if its loads happen to balance, and then it is not the only
   one. */
static void judge_supports(const wy_subject *in) {
  const wy_end *start = &in->rod->ends[WY_START], *end = &in->rod->ends[WY_END];
  const int held = held_components(start) + held_components(end);
  const bool turns = start->rotation == WY_FREE && end->rotation == WY_FREE;
  const bool one_end = held_components(start) == 0 || held_components(end) == 0;
  if (held == 0 && in->analysis == WY_MODES)
    wy_warn(in, &(wy_doubt){.code = "not_held", .key = ".ends", .remedy = "hold an end if these are not wanted"},
            "nothing holds the rod: the first modes are motions of the rod as a whole");
  else if (held == 0)
    wy_warn(in, &(wy_doubt){.code = "not_held", .key = ".ends", .remedy = "hold the position of an end"},
            "nothing holds the rod: neither end holds a position, and equilibria need loads that balance");
  else if (turns && one_end)
    wy_warn(in,
            &(wy_doubt){.code = "turns_freely",
                        .key = ".ends",
                        .remedy = "hold the rotation there, or the position of the other end"},
            "the rod turns freely about its %s: without stiffness there, an equilibrium may not be found",
            held_components(start) ? "start" : "end");
}

/* A rod that cannot stretch between ends as far apart as it is long. */
static void judge_slack(const wy_subject *in) {
  if (in->rod->kind != WY_INEXTENSIBLE)
    return;
  for (int k = 0; k < wy_subject_time_count(in); k++) {
    double apart[3], t = wy_subject_time(in, k);
    const double distance = wy_ends_apart(in, t, apart) ? wy_norm3(apart) : 0;
    if (distance < (1 - 1e-9) * in->length)
      continue;
    wy_warn(
        in,
        &(wy_doubt){
            .code = "no_slack", .key = "", .value = distance, .limit = in->length, .remedy = "use model: kirchhoff"},
        "at t = %.4g its ends are %.6g apart, and a rod of length %.6g that cannot stretch has no slack: its forces "
        "are not determined",
        t, distance, in->length);
    return;
  }
}

void wy_check_equilibria(wy_subject *in) {
  if (is_alone(in))
    judge_supports(in);
  judge_slack(in);
  const bool nothing = wy_model_load_count(in->model) == 0 && wy_model_actuator_count(in->model) == 0;
  if (in->analysis == WY_BUCKLING && in->index == 0 && nothing && wy_norm3(wy_model_gravity(in->model)) == 0)
    wy_warn(in, &(wy_doubt){.code = "no_loads", .path = "loads", .remedy = "add a load, or gravity"},
            "there are none, and no gravity: buckling has nothing to multiply");
}
