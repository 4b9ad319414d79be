/* SPDX-License-Identifier: MIT */
/* What a group cannot be made of: what has no system yet. */
#include <math.h>

#include "base/message.h"
#include "model/model.h"
#include "network/create.h"

static wy_status refuse(const char *list, const char *name, int index, const char *what, wy_message *message) {
  char path[WY_ENTRY_PATH];
  wy_entry_path(list, name, index, path);
  wy_fail_at(message, path, "this version cannot compute %s", what);
  return WY_ERROR_SUPPORT;
}

/* How many ports of one kind a joint has. */
static int count_kind(const wy_joint_def *joint, wy_port_kind kind) {
  int count = 0;
  for (int i = 0; i < joint->port_count; i++)
    count += joint->ports[i].kind == kind;
  return count;
}

bool wy_holds_hubs_only(const wy_joint_def *joint) {
  return isfinite(joint->release) || count_kind(joint, WY_PORT_ROD) == 0;
}

static const char *joint_lacks(const wy_joint_def *joint) {
  const int bodies = count_kind(joint, WY_PORT_BODY), ground = count_kind(joint, WY_PORT_GROUND);
  const bool only = wy_holds_hubs_only(joint), mixed = !only && bodies + ground > 1;
  bool slides = false;
  for (int k = 0; k < 3; k++)
    slides = slides || (ground && joint->position[k] == WY_FREE);
  const bool apart = bodies > 1 || (bodies > 0 && ground > 0) || isfinite(joint->release);
  return slides && isfinite(joint->release)                    ? "joints that slide and are released"
         : slides && bodies > 0                                ? "joints with a body that slide"
         : joint->has_spring && joint->kind == WY_BALL && only ? "springs in balls of bodies"
         : (joint->has_spring || joint->has_angle) && mixed    ? "springs and drives in joints of bodies and rods"
         : joint->assemble && apart ? "joints between bodies, or that are released, that bring parts together"
                                    : NULL;
}

static wy_status refuse_scheme(const wy_model *model, const wy_group_def *def, const wy_scheme *scheme,
                               wy_message *message) {
  const bool rods = def->rod_count > 0;
  char path[WY_ENTRY_PATH];
  wy_entry_path(rods ? "rods" : "bodies",
                rods ? wy_model_rod(model, def->rods[0])->name
                     : wy_model_body(model, wy_group_hub_def(model, def, 0)->body)->name,
                0, path);
  wy_fail_at(message, path, "the scheme '%s' has no %s in this version; use staggered", scheme->name,
             rods ? "joints" : "bodies");
  return WY_ERROR_SUPPORT;
}

bool wy_is_constrained(const wy_model *model, int rod, const wy_solver_def *solver) {
  const wy_network *network = wy_model_network(model);
  const wy_piece *first = &network->pieces[network->rod_pieces[rod]];
  return wy_model_rod(model, rod)->kind != WY_COSSERAT && (first->ends[0] >= 0 || first->ends[1] >= 0) &&
         wy_scheme_find(solver->scheme)->ports->articulate != NULL;
}

/* The masses of rods that give way are too large to tell which conditions follow from others. */
static wy_status check_constrained(const wy_group_def *def, const wy_rod_def *rod, int index, wy_message *message) {
  if (def->condition_count == 0 || rod->kind == WY_KIRCHHOFF)
    return WY_OK;
  return refuse("rods", rod->name, index,
                "joints of bodies with each other or with the ground, nor joints that are released, in one network "
                "with rods of model inextensible; use kirchhoff",
                message);
}

wy_status wy_group_check(const wy_model *model, int index, const wy_solver_def *solver, wy_message *message) {
  const wy_group_def *def = wy_group_def_of(model, index);
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  if (!scheme->ports) /* whose integrators may know no other systems than its own */
    return refuse_scheme(model, def, scheme, message);
  wy_status status = WY_OK;
  for (int i = 0; !status && i < wy_model_joint_count(model); i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    const char *lacks = wy_group_joins(model, index, joint) ? joint_lacks(joint) : NULL;
    if (lacks)
      status = refuse("joints", joint->name, i, lacks, message);
  }
  for (int i = 0; !status && i < def->rod_count; i++)
    if (wy_is_constrained(model, def->rods[i], solver))
      status = check_constrained(def, wy_model_rod(model, def->rods[i]), def->rods[i], message);
  for (int i = 0; !status && i < def->rod_count; i++)
    if (wy_pieces_of(model, def, i) > 1 && !scheme->ports->create_piece)
      status = wy_fail(message, WY_ERROR_SUPPORT,
                       "rod '%s': the scheme '%s' has no joints or springs at inner points in this version",
                       wy_model_rod(model, def->rods[i])->name, scheme->name);
  return status;
}
