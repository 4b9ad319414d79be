/* SPDX-License-Identifier: MIT */
/* A group of parts as one wy_system: rods that joints and springs connect, and the hubs that they meet at.

   State: those of the rods, one after the other, then the hubs as a structure of arrays: place (from the origin of the
   group, which is that of its first rod), quaternion, velocity, angular velocity. A hub whose motion is known keeps its
   entries with weight 0. So do the entries of end vertices at hubs, which follow from them.

   docs/theory/network.md, (N1)-(N8). */
#ifndef WY_NETWORK_GROUP_H
#define WY_NETWORK_GROUP_H

#include "model/network.h"
#include "network/spring.h"
#include "scheme/port.h"

/* Makes the system of group `index` of the model's network, in the two passes of a scheme's `create`. Refuses what has
   no system yet. */
wy_status wy_group_create(const wy_model *model, int index, const wy_solver_def *solver, wy_factor_needs needs,
                          wy_memory *memory, wy_system **system, wy_message *message);
/* Number of entries of its state, and of equilibria; known before it is created. */
int wy_group_size(const wy_model *model, int index, const wy_solver_def *solver);
void wy_group_config_size(const wy_model *model, int index, const wy_solver_def *solver, int *config_size, int *dofs);

/* ---- Of a system that wy_group_create has made ---- */

/* The system of piece number `index` of a rod of the group, NULL after the last one, and where its state is in that of
   the rod. */
wy_system *wy_group_piece(const wy_system *system, int part, int index, int *offset);

/* What belongs to no rod: hubs, with the ends of rods on them, and springs. Gravity about the origin of the group, and
   what is to be added for that of space; momenta in space. */
void wy_group_hub_energy(wy_system *system, double t, const double *u, wy_energy *energy);
double wy_group_level(const wy_system *system);
void wy_group_hub_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum);
/* Adds what the hubs have of one rod: its end vertices and shares (N6), which its own system leaves out. In space. */
void wy_group_add_ends(wy_system *system, int part, double t, const double *u, wy_energy *energy,
                       wy_momentum *momentum);
/* What hubs exert on a rod of the model at an inner point of it: space axes, moment about the place. */
void wy_group_reaction(wy_system *system, double t, const double *u, int rod, double s, double force[3],
                       double moment[3]);
/* A load on a body, as `set_load` of a rod's system; call `refresh` then. */
void wy_group_set_load(wy_system *system, int load, const double force[3], const double moment[3]);
/* The load on a body of the group that is number `index` among them and follows the model, as its number in the model;
   -1: the user has set it; -2: there are no more. */
int wy_group_model_load(const wy_system *system, int index);
/* The pose of a body of the model: place and frame, velocity (space), angular velocity (axes of the body). */
void wy_group_body(const wy_system *system, double t, const double *u, int body, double place[3], double frame[4],
                   double velocity[3], double omega[3]);
/* Moves a body that is held, as `move_end` of a rod's system; call `refresh` then. */
wy_status wy_group_move_body(wy_system *system, int body, double t, const wy_pose *target, double duration,
                             wy_message *message);
/* How a body moves in a direction of equilibria: its centre of mass in space, its rotation in its own axes. */
void wy_group_show_body(const wy_system *system, int body, const double *d, double translation[3], double rotation[3]);
/* What holds a body exerts on it: space axes, moment about its centre of mass; 0 in free components. */
void wy_group_holding(wy_system *system, double t, const double *u, int body, double force[3], double moment[3]);
/* What the conditions of a joint of the model exert on one of its parts: added to force and moment, in space axes, the
   moment about the place of the joint. Joints that are made of shared hubs alone have none. */
void wy_group_add_joint(wy_system *system, double t, const double *u, int joint, int part, double force[3],
                        double moment[3]);
/* The angle of a part of a hinge against its first one, with whole turns, and its rate; false if conditions have none.
 */
bool wy_group_angle(wy_system *system, double t, const double *u, int joint, int part, double *angle, double *rate);
/* "3 of the 20 conditions of joints ... follow from the others: ...": false if none does. Of any system. */
bool wy_group_depends(wy_system *system, double t, const double *u, char *text, size_t size);
/* The angle of a part of a hinge against its first one, 0 as drawn, and its rate. */
void wy_group_joint_angle(const wy_system *system, double t, const double *u, int joint, int part, double *angle,
                          double *rate);
/* Drives a hinge that is driven from where it is at t to an angle and rate, which it has after `duration`. */
void wy_group_set_angle(wy_system *system, int joint, double t, double angle, double rate, double duration);
/* A spring of the model. */
wy_spring_pull wy_group_pull(wy_system *system, double t, const double *u, int spring);

#endif
