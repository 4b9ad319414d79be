/* SPDX-License-Identifier: MIT */
/* The report on bodies, joints, springs and groups, and the warnings about them. */
#ifndef WY_JUDGE_NETWORK_H
#define WY_JUDGE_NETWORK_H

#include "judge/subject.h"

/* Nothing is said of models without bodies, joints and springs. The definition has been read (scheme/solver.h).
   WY_ERROR_MEMORY is the only failure. */
wy_status wy_check_network(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, wy_audience *audience,
                           wy_message *message);

/* In how many ways a group moves without being deformed, its rods and bodies counted as rigid; turns of straight rods
   about themselves are none. 0 for groups of very many parts, which are not looked at (mechanisms.c). */
wy_status wy_mechanisms_of(const wy_model *model, int index, int *count, wy_message *message);

/* How many conditions a joint has between two hubs. */
int wy_condition_count(const wy_joint_def *joint);
/* Of the conditions that joints put on bodies of a group, all, and those that follow from the others in the undeformed
   model; 0 for groups of very many parts. */
wy_status wy_dependent_conditions(const wy_model *model, int index, int *all, int *dependent, wy_message *message);

/* Warns of initial velocities that do not fit at joints (start.c). */
void wy_check_start(const wy_subject *in);

#endif
