/* SPDX-License-Identifier: MIT */
/* The inside of a model, for the files that create it (model.c) and answer questions about it (read.c). */
#ifndef WY_MODEL_INSIDE_H
#define WY_MODEL_INSIDE_H

#include "model/contact.h"
#include "model/model.h"
#include "model/network.h"

/* Loads or actuators sorted by their rods or bodies: those of rod i are number[first[i]] to number[first[i + 1] - 1];
   `place` says which of its rod's one is. */
typedef struct wy_by_part {
  int *first, *number, *place;
} wy_by_part;

struct wy_model {
  double gravity[3];
  wy_rod_def *rods;
  int rod_count;
  wy_load_def *loads;
  int load_count;
  wy_actuator_def *actuators;
  int actuator_count;
  wy_body_def *bodies;
  int body_count;
  wy_joint_def *joints;
  int joint_count;
  wy_spring_def *springs;
  int spring_count;
  wy_obstacle_def *obstacles;
  int obstacle_count;
  wy_contact_def contact; /* its pairs are the model's own */
  wy_network *network;
  wy_by_part rod_loads, rod_actuators, body_loads;
  wy_spline **curvatures; /* [rod_count]: of the rods that are given by points; NULL for the others */
};

/* NULL where it has none. */
static inline const char *wy_load_name(const wy_model *model, int load) {
  return model->loads[load].name;
}

static inline const char *wy_actuator_name(const wy_model *model, int actuator) {
  return model->actuators[actuator].name;
}

static inline const char *wy_body_name(const wy_model *model, int body) {
  return model->bodies[body].name;
}

static inline const char *wy_joint_name(const wy_model *model, int joint) {
  return model->joints[joint].name;
}

static inline const char *wy_spring_name(const wy_model *model, int spring) {
  return model->springs[spring].name;
}

static inline const char *wy_obstacle_name(const wy_model *model, int obstacle) {
  return model->obstacles[obstacle].name;
}

#endif
