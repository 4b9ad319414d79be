/* SPDX-License-Identifier: MIT */
#include "model/definitions.h"

#include <math.h>
#include <stdio.h>

enum { ROD_COOKIE = 0x57590106, LOAD_COOKIE = 0x57590204, MODEL_COOKIE = 0x57590304, ACTUATOR_COOKIE = 0x57590603 };
enum { BODY_COOKIE = 0x57590901, JOINT_COOKIE = 0x57590a01, SPRING_COOKIE = 0x57590b01 };
enum { OBSTACLE_COOKIE = 0x57590c01, CONTACT_COOKIE = 0x57590d01 };
WY_DEF_ENDS_WITH(wy_rod_def, contact);
WY_DEF_ENDS_WITH(wy_load_def, point);
WY_DEF_ENDS_WITH(wy_actuator_def, force);
WY_DEF_ENDS_WITH(wy_body_def, angular_velocity);
WY_DEF_ENDS_WITH(wy_joint_def, release);
WY_DEF_ENDS_WITH(wy_spring_def, damping);
WY_DEF_ENDS_WITH(wy_obstacle_def, grid);
WY_DEF_ENDS_WITH(wy_contact_def, pairs);
WY_DEF_ENDS_WITH(wy_model_def, contact);

/* ---- Defaults ---- */

wy_end wy_end_free(void) {
  wy_end end = {.release = INFINITY};
  return end;
}

wy_end wy_end_pinned(void) {
  wy_end end = wy_end_free();
  for (int i = 0; i < 3; i++)
    end.position[i] = WY_HELD;
  return end;
}

wy_end wy_end_clamped(void) {
  wy_end end = wy_end_pinned();
  end.rotation = WY_HELD;
  return end;
}

static const wy_rod_def usual_rod = {.cookie = ROD_COOKIE,
                                     .size = sizeof usual_rod,
                                     .name = "rod",
                                     .segments = 20,
                                     .shear_factors = {1, 1},
                                     .ends = {{.release = INFINITY}, {.release = INFINITY}},
                                     .contact = {.blend = 0.05}};
static const wy_load_def usual_load = {.cookie = LOAD_COOKIE, .size = sizeof usual_load, .place = WY_AT_END};
static const wy_actuator_def usual_actuator = {.cookie = ACTUATOR_COOKIE, .size = sizeof usual_actuator};
static const wy_body_def usual_body = {
    .cookie = BODY_COOKIE, .size = sizeof usual_body, .name = "body", .frame = {1, 0, 0, 0}, .release = INFINITY};
static const wy_joint_def usual_joint = {
    .cookie = JOINT_COOKIE, .size = sizeof usual_joint, .position = {WY_HELD, WY_HELD, WY_HELD}, .release = INFINITY};
static const wy_spring_def usual_spring = {.cookie = SPRING_COOKIE, .size = sizeof usual_spring};
static const wy_obstacle_def usual_obstacle = {.cookie = OBSTACLE_COOKIE,
                                               .size = sizeof usual_obstacle,
                                               .name = "obstacle",
                                               .body = -1,
                                               .length = INFINITY,
                                               .axis = {0, 0, 1},
                                               .rotation_axis = {0, 0, 1},
                                               .friction = NAN,
                                               .restitution = NAN};
static const wy_contact_def usual_contact = {
    .cookie = CONTACT_COOKIE, .size = sizeof usual_contact, .restitution = 0.5, .stick = true};
static const wy_model_def usual_model = {.cookie = MODEL_COOKIE, .size = sizeof usual_model};

void wy_init_rod_def(wy_rod_def *def, size_t size) {
  wy_def_fill(def, size, &usual_rod);
}

void wy_init_load_def(wy_load_def *def, size_t size) {
  wy_def_fill(def, size, &usual_load);
}

void wy_init_actuator_def(wy_actuator_def *def, size_t size) {
  wy_def_fill(def, size, &usual_actuator);
}

void wy_init_body_def(wy_body_def *def, size_t size) {
  wy_def_fill(def, size, &usual_body);
}

void wy_init_joint_def(wy_joint_def *def, size_t size) {
  wy_def_fill(def, size, &usual_joint);
}

void wy_init_spring_def(wy_spring_def *def, size_t size) {
  wy_def_fill(def, size, &usual_spring);
}

void wy_init_obstacle_def(wy_obstacle_def *def, size_t size) {
  wy_def_fill(def, size, &usual_obstacle);
}

void wy_init_contact_def(wy_contact_def *def, size_t size) {
  wy_def_fill(def, size, &usual_contact);
}

void wy_init_model_def(wy_model_def *def, size_t size) {
  wy_def_fill(def, size, &usual_model);
}

/* ---- Reading ---- */

const wy_model_def *wy_model_def_read(const wy_model_def *def, wy_model_def *own, wy_message *message) {
  *own = usual_model;
  return wy_def_read(def, own, "model", "", message);
}

/* An entry of a list; `own` is a default. */
static const void *read_entry(const void *array, int index, void *own, const char *list, const char *name,
                              wy_message *message) {
  char path[64];
  snprintf(path, sizeof path, "%s[%d]", list, index);
  return wy_def_read_at(array, index, own, name, path, message);
}

const wy_rod_def *wy_rod_def_read(const wy_model_def *def, int rod, wy_rod_def *own, wy_message *message) {
  *own = usual_rod;
  return read_entry(def->rods, rod, own, "rods", "rod", message);
}

const wy_load_def *wy_load_def_read(const wy_model_def *def, int load, wy_load_def *own, wy_message *message) {
  *own = usual_load;
  return read_entry(def->loads, load, own, "loads", "load", message);
}

const wy_actuator_def *wy_actuator_def_read(const wy_model_def *def, int actuator, wy_actuator_def *own,
                                            wy_message *message) {
  *own = usual_actuator;
  return read_entry(def->actuators, actuator, own, "actuators", "actuator", message);
}

const wy_body_def *wy_body_def_read(const wy_model_def *def, int body, wy_body_def *own, wy_message *message) {
  *own = usual_body;
  return read_entry(def->bodies, body, own, "bodies", "body", message);
}

const wy_joint_def *wy_joint_def_read(const wy_model_def *def, int joint, wy_joint_def *own, wy_message *message) {
  *own = usual_joint;
  return read_entry(def->joints, joint, own, "joints", "joint", message);
}

const wy_spring_def *wy_spring_def_read(const wy_model_def *def, int spring, wy_spring_def *own, wy_message *message) {
  *own = usual_spring;
  return read_entry(def->springs, spring, own, "springs", "spring", message);
}

const wy_obstacle_def *wy_obstacle_def_read(const wy_model_def *def, int obstacle, wy_obstacle_def *own,
                                            wy_message *message) {
  *own = usual_obstacle;
  return read_entry(def->obstacles, obstacle, own, "obstacles", "obstacle", message);
}

const wy_contact_def *wy_contact_def_read(const wy_model_def *def, wy_contact_def *own, wy_message *message) {
  *own = usual_contact;
  return def->contact ? wy_def_read(def->contact, own, "contact", "contact", message) : own;
}
