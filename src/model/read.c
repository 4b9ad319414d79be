/* SPDX-License-Identifier: MIT */
/* What a model answers: its definitions as they were copied, entries by name, loads and actuators by rod, sections. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/inside.h"
#include "withy/model.h"

static bool is_among(int number, int count) {
  return number >= 0 && number < count;
}

int wy_model_rod_count(const wy_model *model) {
  return model ? model->rod_count : 0;
}

int wy_model_load_count(const wy_model *model) {
  return model ? model->load_count : 0;
}

const char *wy_rod_kind_name(wy_rod_kind kind) {
  static const char *const names[] = {
      [WY_COSSERAT] = "cosserat", [WY_KIRCHHOFF] = "kirchhoff", [WY_INEXTENSIBLE] = "inextensible"};
  const int count = (int)(sizeof names / sizeof names[0]);
  return (int)kind >= 0 && (int)kind < count ? names[kind] : NULL;
}

const wy_rod_def *wy_model_rod(const wy_model *model, int rod) {
  return is_among(rod, wy_model_rod_count(model)) ? &model->rods[rod] : NULL;
}

const wy_load_def *wy_model_load(const wy_model *model, int load) {
  return is_among(load, wy_model_load_count(model)) ? &model->loads[load] : NULL;
}

int wy_model_actuator_count(const wy_model *model) {
  return model ? model->actuator_count : 0;
}

const wy_actuator_def *wy_model_actuator(const wy_model *model, int actuator) {
  return is_among(actuator, wy_model_actuator_count(model)) ? &model->actuators[actuator] : NULL;
}

int wy_model_body_count(const wy_model *model) {
  return model ? model->body_count : 0;
}

const wy_body_def *wy_model_body(const wy_model *model, int body) {
  return is_among(body, wy_model_body_count(model)) ? &model->bodies[body] : NULL;
}

int wy_model_joint_count(const wy_model *model) {
  return model ? model->joint_count : 0;
}

const wy_joint_def *wy_model_joint(const wy_model *model, int joint) {
  return is_among(joint, wy_model_joint_count(model)) ? &model->joints[joint] : NULL;
}

int wy_model_spring_count(const wy_model *model) {
  return model ? model->spring_count : 0;
}

const wy_spring_def *wy_model_spring(const wy_model *model, int spring) {
  return is_among(spring, wy_model_spring_count(model)) ? &model->springs[spring] : NULL;
}

int wy_model_obstacle_count(const wy_model *model) {
  return model ? model->obstacle_count : 0;
}

const wy_obstacle_def *wy_model_obstacle(const wy_model *model, int obstacle) {
  return is_among(obstacle, wy_model_obstacle_count(model)) ? &model->obstacles[obstacle] : NULL;
}

/* The entry of that name, or -1. */
static int find_name(const wy_model *model, const char *name, int count,
                     const char *(*name_of)(const wy_model *, int)) {
  for (int i = 0; name && i < count; i++)
    if (name_of(model, i) && strcmp(name_of(model, i), name) == 0)
      return i;
  return -1;
}

int wy_model_load_index(const wy_model *model, const char *name) {
  return find_name(model, name, wy_model_load_count(model), wy_load_name);
}

int wy_model_actuator_index(const wy_model *model, const char *name) {
  return find_name(model, name, wy_model_actuator_count(model), wy_actuator_name);
}

int wy_model_body_index(const wy_model *model, const char *name) {
  return find_name(model, name, wy_model_body_count(model), wy_body_name);
}

int wy_model_joint_index(const wy_model *model, const char *name) {
  return find_name(model, name, wy_model_joint_count(model), wy_joint_name);
}

int wy_model_spring_index(const wy_model *model, const char *name) {
  return find_name(model, name, wy_model_spring_count(model), wy_spring_name);
}

int wy_model_obstacle_index(const wy_model *model, const char *name) {
  return find_name(model, name, wy_model_obstacle_count(model), wy_obstacle_name);
}

void wy_entry_path(const char *list, const char *name, int index, char out[WY_ENTRY_PATH]) {
  if (name)
    snprintf(out, WY_ENTRY_PATH, "%s.%.63s", list, name);
  else
    snprintf(out, WY_ENTRY_PATH, "%s[%d]", list, index);
}

void wy_model_load_path(const wy_model *model, int load, char out[WY_ENTRY_PATH]) {
  wy_entry_path("loads", wy_load_name(model, load), load, out);
}

void wy_model_actuator_path(const wy_model *model, int actuator, char out[WY_ENTRY_PATH]) {
  wy_entry_path("actuators", wy_actuator_name(model, actuator), actuator, out);
}

static int count_on(const wy_by_part *sorted, int part) {
  return sorted->first[part + 1] - sorted->first[part];
}

int wy_model_rod_load_count(const wy_model *model, int rod) {
  return count_on(&model->rod_loads, rod);
}

int wy_model_rod_load_number(const wy_model *model, int rod, int k) {
  return model->rod_loads.number[model->rod_loads.first[rod] + k];
}

int wy_model_body_load_count(const wy_model *model, int body) {
  return count_on(&model->body_loads, body);
}

int wy_model_body_load_number(const wy_model *model, int body, int k) {
  return model->body_loads.number[model->body_loads.first[body] + k];
}

int wy_model_load_place(const wy_model *model, int load) {
  return (model->loads[load].rod < 0 ? &model->body_loads : &model->rod_loads)->place[load];
}

int wy_model_rod_actuator_count(const wy_model *model, int rod) {
  return count_on(&model->rod_actuators, rod);
}

int wy_model_rod_actuator_number(const wy_model *model, int rod, int k) {
  return model->rod_actuators.number[model->rod_actuators.first[rod] + k];
}

int wy_model_actuator_place(const wy_model *model, int actuator) {
  return model->rod_actuators.place[actuator];
}

const double *wy_model_gravity(const wy_model *model) {
  return model ? model->gravity : NULL;
}

wy_section_values wy_model_section(const wy_model *model, int rod, double s) {
  if (is_among(rod, wy_model_rod_count(model)))
    return wy_section_at(&model->rods[rod], s);
  return (wy_section_values){.stiffness = {NAN, NAN, NAN, NAN, NAN, NAN},
                             .damping = {NAN, NAN, NAN, NAN, NAN, NAN},
                             .mass = NAN,
                             .rotary = {NAN, NAN, NAN},
                             .area = NAN,
                             .second_moment = {NAN, NAN, NAN},
                             .radius = NAN};
}

double wy_model_period(const wy_model *model, int rod) {
  const double two_pi = 6.283185307179586, first_root = 1.875104068711961; /* of cos x cosh x = -1 */
  const wy_rod_def *def = wy_model_rod(model, rod);
  if (!def)
    return NAN;
  wy_section_values section = wy_section_at(def, 0.5 * def->length);
  double bending = fmin(section.stiffness[3], section.stiffness[4]), scale = def->length / first_root;
  return two_pi * scale * scale * sqrt(section.mass / bending);
}
