/* SPDX-License-Identifier: MIT */
/* What the model says of a group: its rods, hubs and loads, for groups of all schemes. */
#ifndef WY_NETWORK_MEMBERS_H
#define WY_NETWORK_MEMBERS_H

#include "model/model.h"
#include "model/network.h"

static inline const wy_group_def *wy_group_def_of(const wy_model *model, int index) {
  return &wy_model_network(model)->groups[index];
}

static inline const wy_hub *wy_group_hub_def(const wy_model *model, const wy_group_def *def, int i) {
  return &wy_model_network(model)->hubs[def->hubs[i]];
}

/* Where a number stands in a list that increases; -1: nowhere. */
int wy_find_number(const int *list, int count, int number);
/* The hub of a load on a body, in the group; -1: on a rod, or on a body of another group. */
int wy_group_load_hub(const wy_model *model, const wy_group_def *def, int load);
/* Has the joint a part of this group? */
bool wy_group_joins(const wy_model *model, int group, const wy_joint_def *joint);

#endif
