/* SPDX-License-Identifier: MIT */
/* Definitions of models and their parts as programs give them, of any size (withy/definition.h). Each function returns
   the definition, or `own` with its members in it, or NULL with the reason. */
#ifndef WY_MODEL_DEFINITIONS_H
#define WY_MODEL_DEFINITIONS_H

#include "withy/model.h"

const wy_model_def *wy_model_def_read(const wy_model_def *def, wy_model_def *own, wy_message *message);

/* Entries of the arrays of `def`, which has been read. */
const wy_rod_def *wy_rod_def_read(const wy_model_def *def, int rod, wy_rod_def *own, wy_message *message);
const wy_load_def *wy_load_def_read(const wy_model_def *def, int load, wy_load_def *own, wy_message *message);
const wy_actuator_def *wy_actuator_def_read(const wy_model_def *def, int actuator, wy_actuator_def *own,
                                            wy_message *message);
const wy_body_def *wy_body_def_read(const wy_model_def *def, int body, wy_body_def *own, wy_message *message);
const wy_joint_def *wy_joint_def_read(const wy_model_def *def, int joint, wy_joint_def *own, wy_message *message);
const wy_spring_def *wy_spring_def_read(const wy_model_def *def, int spring, wy_spring_def *own, wy_message *message);
const wy_obstacle_def *wy_obstacle_def_read(const wy_model_def *def, int obstacle, wy_obstacle_def *own,
                                            wy_message *message);
/* The default where `def` has none. */
const wy_contact_def *wy_contact_def_read(const wy_model_def *def, wy_contact_def *own, wy_message *message);

#endif
