/* SPDX-License-Identifier: MIT */
/* A group while it is made, shared by create.c, check.c, sizes.c, layout.c and parts.c. */
#ifndef WY_NETWORK_CREATE_H
#define WY_NETWORK_CREATE_H

#include "network/inside.h"
#include "network/members.h"

/* How many pieces the rod number i of a group has, and the first of them in the network. */
static inline int wy_pieces_of(const wy_model *model, const wy_group_def *def, int i) {
  const int *first = &wy_model_network(model)->rod_pieces[def->rods[i]];
  return first[1] - first[0];
}

static inline int wy_first_piece(const wy_model *model, const wy_group_def *def, int i) {
  return wy_model_network(model)->rod_pieces[def->rods[i]];
}

/* check.c: what has no system yet is refused. */
wy_status wy_group_check(const wy_model *model, int index, const wy_solver_def *solver, wy_message *message);
/* Are all parts of a joint held to each other by conditions (N7)? Else rods sit on hubs of the others. */
bool wy_holds_hubs_only(const wy_joint_def *joint);
/* Do the forces of a rod depend on the accelerations of hubs? */
bool wy_is_constrained(const wy_model *model, int rod, const wy_solver_def *solver);

/* sizes.c: counts and sizes, all that the layout of memory depends on. */
void wy_group_set_sizes(wy_group *self, int index, const wy_solver_def *solver, wy_factor_needs needs);
/* Unknowns of a hub by itself; number of multipliers of condition i of a group. */
int wy_hub_unknowns(const wy_hub *hub);
int wy_condition_multipliers(const wy_model *model, const wy_group_def *def, int i);
/* The springs of joints in a group, in the order of their joints and parts. Writes them where there is room. */
int wy_list_joint_springs(const wy_model *model, int group, const wy_group_def *def, wy_group_joint_spring *out);

/* layout.c: memory before there are rods and after them, with the patterns of the hub matrix and, where hubs depend on
   each other, of their mass (mass.c). WY_ERROR_MEMORY, or 0. */
void wy_group_lay_out(wy_group *self, wy_memory *memory);
int wy_group_lay_out_pattern(wy_group *self, wy_arena *arena);
void wy_group_lay_out_linear(wy_group *self, wy_arena *arena, wy_factor_needs needs);
/* carriers.c: after the rods. */
wy_status wy_carriers_lay_out(wy_group *self, wy_arena *arena, wy_factor_needs needs, wy_message *message);

/* parts.c: once all rods are there. */
void wy_group_add_hub_fields(wy_group *self);
wy_status wy_group_add_hub(wy_group *self, int i, wy_message *message);
void wy_group_make_springs(wy_group *self);
void wy_group_make_loads(wy_group *self);
void wy_group_make_conditions(wy_group *self, const wy_solver_def *solver);

#endif
