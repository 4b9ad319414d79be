/* SPDX-License-Identifier: MIT */
#include "model/definitions.h"

#include <math.h>
#include <stdio.h>

enum { ROD_COOKIE = 0x57590105, LOAD_COOKIE = 0x57590204, MODEL_COOKIE = 0x57590303, ACTUATOR_COOKIE = 0x57590603 };
WY_DEF_ENDS_WITH(wy_rod_def, ends);
WY_DEF_ENDS_WITH(wy_load_def, moment);
WY_DEF_ENDS_WITH(wy_actuator_def, force);
WY_DEF_ENDS_WITH(wy_model_def, actuators);

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
                                     .ends = {{.release = INFINITY}, {.release = INFINITY}}};
static const wy_load_def usual_load = {.cookie = LOAD_COOKIE, .size = sizeof usual_load, .place = WY_AT_END};
static const wy_actuator_def usual_actuator = {.cookie = ACTUATOR_COOKIE, .size = sizeof usual_actuator};
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

void wy_init_model_def(wy_model_def *def, size_t size) {
  wy_def_fill(def, size, &usual_model);
}

/* ---- Reading ---- */

const wy_model_def *wy_model_def_read(const wy_model_def *def, wy_model_def *own, wy_message *message) {
  *own = usual_model;
  return wy_def_read(def, own, "model", "", message);
}

/* An entry of a list; `own` is a default. */
static const void *read_entry(const void *array, int index, void *own, const char *name, wy_message *message) {
  char path[64];
  snprintf(path, sizeof path, "%ss[%d]", name, index);
  return wy_def_read_at(array, index, own, name, path, message);
}

const wy_rod_def *wy_rod_def_read(const wy_model_def *def, int rod, wy_rod_def *own, wy_message *message) {
  *own = usual_rod;
  return read_entry(def->rods, rod, own, "rod", message);
}

const wy_load_def *wy_load_def_read(const wy_model_def *def, int load, wy_load_def *own, wy_message *message) {
  *own = usual_load;
  return read_entry(def->loads, load, own, "load", message);
}

const wy_actuator_def *wy_actuator_def_read(const wy_model_def *def, int actuator, wy_actuator_def *own,
                                            wy_message *message) {
  *own = usual_actuator;
  return read_entry(def->actuators, actuator, own, "actuator", message);
}
