/* SPDX-License-Identifier: MIT */
/* Groups of rods whose scheme has nodes with directors and steps of its own (mixed): the same as network/group.h, which
   hands over to here.

   State: those of the rods, one after the other, then of each hub the numbers of a node (place from the origin of the
   group, which is that of its first rod, and directors), their rates, and what holds it. End nodes on hubs follow from
   them. docs/theory/network.md, (N20)-(N22). */
#ifndef WY_NETWORK_MIXED_H
#define WY_NETWORK_MIXED_H

#include "network/spring.h"
#include "scheme/scheme.h"

wy_status wy_mixed_group_create(const wy_model *model, int index, const wy_solver_def *solver, wy_factor_needs needs,
                                wy_memory *memory, wy_system **system, wy_message *message);
int wy_mixed_group_size(const wy_model *model, int index, const wy_solver_def *solver);
void wy_mixed_group_config_size(const wy_model *model, int index, const wy_solver_def *solver, int *config_size,
                                int *dofs);

extern const wy_system_type wy_mixed_group_type;

static inline bool wy_is_mixed_group(const wy_system *system) {
  return system->type == &wy_mixed_group_type;
}

void wy_mixed_group_hub_energy(wy_system *system, const double *u, wy_energy *energy);
double wy_mixed_group_level(const wy_system *system);
void wy_mixed_group_hub_momentum(wy_system *system, const double *u, wy_momentum *momentum);
void wy_mixed_group_set_load(wy_system *system, int load, const double force[3], const double moment[3]);
/* Of a body by itself that is held or driven in all components for ever. */
wy_status wy_mixed_group_move_body(wy_system *system, int body, double t, const wy_pose *target, double duration,
                                   wy_message *message);
int wy_mixed_group_model_load(const wy_system *system, int index);
void wy_mixed_group_body(const wy_system *system, const double *u, int body, double place[3], double frame[4],
                         double velocity[3], double omega[3]);
void wy_mixed_group_show_body(const wy_system *system, int body, const double *d, double translation[3],
                              double rotation[3]);
void wy_mixed_group_holding(wy_system *system, double t, const double *u, int body, double force[3], double moment[3]);
wy_spring_pull wy_mixed_group_pull(const wy_system *system, const double *u, int spring);

#endif
