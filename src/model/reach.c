/* SPDX-License-Identifier: MIT */
/* Tables that drive a model, against the time for which a run needs them. Expressions may use a table where it is
   defined alone; who makes them asks for their values. */
#include <math.h>
#include <stdio.h>

#include "base/message.h"
#include "model/model.h"
#include "model/rotation.h"
#include "model/spline.h"

static wy_status check(const wy_signal *signal, double until, const char *path, wy_message *message) {
  int column;
  const wy_spline *table = wy_spline_of_signal(signal, &column);
  if (!table || table->def.of != WY_TIME || (wy_spline_reaches(table, 0) && wy_spline_reaches(table, until)))
    return WY_OK;
  return wy_fail_at(
      message, path,
      "the table '%s' reaches from t = %.9g to %.9g, and the run needs it from 0 to %.9g; expected a table "
      "that reaches that far, or WY_OUTSIDE_HOLD",
      table->def.name, table->x[0], table->x[table->def.rows - 1], until);
}

static wy_status check_end(const wy_end *end, const char *name, double until, wy_message *message) {
  const wy_signal *turns[WY_ROTATION_SIGNALS];
  const int count = end->rotation == WY_DRIVEN ? wy_end_rotation_signals(end, turns) : 0;
  char path[96];
  wy_status status = WY_OK;
  for (int i = 0; i < 3 && !status; i++) {
    snprintf(path, sizeof path, "%s.position[%d]", name, i);
    status = end->position[i] == WY_DRIVEN ? check(&end->path[i], fmin(until, end->release), path, message) : WY_OK;
  }
  snprintf(path, sizeof path, "%s.rotation", name);
  for (int i = 0; i < count && !status; i++)
    status = check(turns[i], fmin(until, end->release), path, message);
  return status;
}

static wy_status check_load(const wy_load_def *load, int index, double until, wy_message *message) {
  char path[64];
  wy_status status = WY_OK;
  for (int i = 0; i < 6 && !status; i++) {
    snprintf(path, sizeof path, "loads[%d].%s[%d]", index, i < 3 ? "force" : "moment", i % 3);
    status = check(i < 3 ? &load->force[i] : &load->moment[i - 3], until, path, message);
  }
  return status;
}

static wy_status check_body(const wy_body_def *body, int index, double until, wy_message *message) {
  char path[128], entry[WY_ENTRY_PATH];
  wy_status status = WY_OK;
  until = fmin(until, body->release);
  wy_entry_path("bodies", body->name, index, entry);
  for (int i = 0; i < 3 && !status; i++) {
    snprintf(path, sizeof path, "%s.position[%d]", entry, i);
    status = body->position[i] == WY_DRIVEN ? check(&body->path[i], until, path, message) : WY_OK;
  }
  snprintf(path, sizeof path, "%s.rotation.angle", entry);
  return !status && body->rotation == WY_DRIVEN ? check(&body->angle, until, path, message) : status;
}

static wy_status check_joint(const wy_joint_def *joint, int index, double until, wy_message *message) {
  char path[128], entry[WY_ENTRY_PATH];
  wy_entry_path("joints", joint->name, index, entry);
  snprintf(path, sizeof path, "%s.angle", entry);
  return joint->has_angle ? check(&joint->angle, fmin(until, joint->release), path, message) : WY_OK;
}

static wy_status check_obstacle(const wy_obstacle_def *obstacle, int index, double until, wy_message *message) {
  char path[128], entry[WY_ENTRY_PATH];
  wy_status status = WY_OK;
  wy_entry_path("obstacles", obstacle->name, index, entry);
  for (int i = 0; i < 3 && !status; i++) {
    snprintf(path, sizeof path, "%s.position[%d]", entry, i);
    status = check(&obstacle->position[i], until, path, message);
  }
  snprintf(path, sizeof path, "%s.rotation.angle", entry);
  return status ? status : check(&obstacle->angle, until, path, message);
}

wy_status wy_model_check_reach(const wy_model *model, double end, wy_message *message) {
  char path[64];
  wy_status status = WY_OK;
  for (int i = 0; i < 2 * wy_model_rod_count(model) && !status; i++) {
    snprintf(path, sizeof path, "rods[%d].ends.%s", i / 2, i % 2 ? "end" : "start");
    status = check_end(&wy_model_rod(model, i / 2)->ends[i % 2], path, end, message);
  }
  for (int i = 0; i < wy_model_body_count(model) && !status; i++)
    status = check_body(wy_model_body(model, i), i, end, message);
  for (int i = 0; i < wy_model_joint_count(model) && !status; i++)
    status = check_joint(wy_model_joint(model, i), i, end, message);
  for (int i = 0; i < wy_model_obstacle_count(model) && !status; i++)
    status = check_obstacle(wy_model_obstacle(model, i), i, end, message);
  for (int i = 0; i < wy_model_load_count(model) && !status; i++)
    status = check_load(wy_model_load(model, i), i, end, message);
  for (int i = 0; i < wy_model_actuator_count(model) && !status; i++) {
    snprintf(path, sizeof path, "actuators[%d].force", i);
    status = check(&wy_model_actuator(model, i)->force, end, path, message);
  }
  return status;
}
