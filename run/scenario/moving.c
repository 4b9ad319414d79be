/* SPDX-License-Identifier: MIT */
/* Batches of a scenario are made, checked, and their roots moved. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/batches.h"

static wy_status fail(wy_message *message, const char *text) {
  if (message)
    snprintf(message->text, sizeof message->text, "%s", text), message->path[0] = 0;
  return WY_ERROR_INPUT;
}

wy_status wy_scenario_patterns(const wy_scenario *scenario, wy_model **model, wy_message *message) {
  if (model)
    *model = NULL;
  if (!scenario || !model)
    return fail(message, "found NULL; expected a scenario and a place for the model");
  return scenario->batch_count > 0 ? wy_model_create(&scenario->patterns, model, message) : WY_OK;
}

/* Numbers of the rods from `first` on. */
static wy_status set_numbers(const wy_scenario_batch *from, int first, wy_batch *batch, wy_message *message) {
  wy_status status = WY_OK;
  for (int k = 0; k < WY_SCENARIO_NUMBERS && status == WY_OK; k++)
    if (from->numbers[k])
      status =
          wy_batch_set(batch, (wy_batch_number)k,
                       from->numbers[k] + (size_t)first * (size_t)wy_batch_number_size((wy_batch_number)k), message);
  return status;
}

wy_status wy_scenario_batch_create(const wy_scenario *scenario, const wy_model *patterns, int batch,
                                   const wy_tasks *tasks, wy_batch **out, wy_message *message) {
  const bool there = scenario && batch >= 0 && batch < scenario->batch_count;
  return wy_scenario_batch_part(scenario, patterns, batch, there ? scenario->batches[batch].def.count : 0, NULL, tasks,
                                out, message);
}

wy_status wy_scenario_batch_part(const wy_scenario *scenario, const wy_model *patterns, int batch, int count,
                                 const wy_batch_share *share, const wy_tasks *tasks, wy_batch **out,
                                 wy_message *message) {
  if (out)
    *out = NULL;
  if (!scenario || !patterns || !out || batch < 0 || batch >= scenario->batch_count)
    return fail(message, "found NULL or no number of a batch; expected a scenario, its patterns, and a place");
  wy_batch_def def = scenario->batches[batch].def;
  if (share && (share->first < 0 || count < 1 || share->first > def.count - count || share->total != def.count))
    return fail(message, "found a part with other rods than the batch has; expected some of them");
  def.count = share ? count : def.count;
  if (share)
    def.share = *share;
  if (tasks)
    def.tasks = *tasks;
  wy_status status = wy_batch_create(patterns, &def, out, message);
  if (status == WY_OK)
    status = set_numbers(&scenario->batches[batch], def.share.first, *out, message);
  if (status != WY_OK) {
    wy_batch_destroy(*out);
    *out = NULL;
  }
  return status;
}

/* ---- Motion of the roots ---- */

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void multiply(const double a[4], const double b[4], double out[4]) {
  double c[3];
  cross(a + 1, b + 1, c);
  out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  for (int i = 0; i < 3; i++)
    out[1 + i] = c[i] + a[0] * b[1 + i] + b[0] * a[1 + i];
}

static void jet_of(const wy_signal *signal, double t, double jet[3]) {
  jet[0] = signal->value, jet[1] = jet[2] = 0;
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, 0, t, jet);
}

/* Of a thing whose point `from` went to `to` while it turned by `turn`: velocity of the point, angular velocity. */
static void motion_about(const double from[3], const double to[3], const double velocity[3], wy_rigid_motion *out) {
  double turned[3], swing[3];
  wy_rotate(out->turn, from, turned);
  cross(out->spin, to, swing);
  for (int k = 0; k < 3; k++) {
    out->position[k] = to[k] - turned[k];
    out->velocity[k] = velocity[k] - swing[k];
  }
}

static wy_status follow_body(const wy_scenario *scenario, int index, wy_sim *sim, wy_rigid_motion *out,
                             wy_message *message) {
  wy_body_state body;
  if (!sim)
    return fail(message, "found no simulation; expected the one that moves the body of the roots");
  const wy_status status = wy_sim_body(sim, index, &body, message);
  if (status != WY_OK)
    return status;
  const wy_body_def *drawn = wy_def_at(scenario->model.bodies, index);
  assert(drawn);
  const double *q = drawn->frame, length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double back[4] = {q[0] / length, -q[1] / length, -q[2] / length, -q[3] / length};
  multiply(body.frame, back, out->turn);
  wy_rotate(body.frame, body.angular_velocity, out->spin);
  motion_about(drawn->origin, body.position, body.velocity, out);
  return WY_OK;
}

wy_status wy_scenario_batch_motion(const wy_scenario *scenario, int batch, double t, wy_sim *sim, wy_rigid_motion *out,
                                   wy_message *message) {
  if (!scenario || !out || batch < 0 || batch >= scenario->batch_count)
    return fail(message, "found NULL or no number of a batch; expected a scenario and a place for the motion");
  const wy_scenario_motion *motion = &scenario->batches[batch].motion;
  *out = (wy_rigid_motion){.turn = {1, 0, 0, 0}};
  if (!motion->moves)
    return WY_OK;
  if (motion->body >= 0)
    return follow_body(scenario, motion->body, sim, out, message);
  double angle[3], start[3], from[3], to[3], velocity[3];
  const double *axis = motion->rotation_axis;
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  jet_of(&motion->angle, t, angle);
  jet_of(&motion->angle, 0, start);
  out->turn[0] = cos(0.5 * (angle[0] - start[0]));
  for (int k = 0; k < 3; k++) {
    double now[3], first[3];
    jet_of(&motion->position[k], t, now);
    jet_of(&motion->position[k], 0, first);
    from[k] = first[0], to[k] = now[0], velocity[k] = now[1];
    const double unit = length > 0 ? axis[k] / length : 0;
    out->turn[1 + k] = sin(0.5 * (angle[0] - start[0])) * unit;
    out->spin[k] = angle[1] * unit;
  }
  motion_about(from, to, velocity, out);
  return WY_OK;
}

wy_status wy_scenario_batch_move(const wy_scenario *scenario, int batch, const wy_rigid_motion *motion, wy_batch *rods,
                                 double *room, wy_message *message) {
  if (!scenario || !motion || !rods || batch < 0 || batch >= scenario->batch_count)
    return fail(message, "found NULL or no number of a batch; expected a scenario, a motion and a batch");
  if (!scenario->batches[batch].motion.moves)
    return WY_OK;
  if (!room)
    return fail(message, "found no room for the poses of the roots; expected 20 numbers for each rod");
  const size_t count = (size_t)wy_batch_describe(rods).count;
  double *roots = room, *poses = room + 7 * count, *velocities = room + 14 * count;
  wy_status status = wy_batch_get(rods, WY_BATCH_ROOT, roots, message);
  for (size_t i = 0; i < count && status == WY_OK; i++) {
    const double *from = roots + 7 * i;
    double *pose = poses + 7 * i, *velocity = velocities + 6 * i;
    wy_rotate(motion->turn, from, pose);
    for (int k = 0; k < 3; k++)
      pose[k] += motion->position[k];
    multiply(motion->turn, from + 3, pose + 3);
    cross(motion->spin, pose, velocity);
    for (int k = 0; k < 3; k++) {
      velocity[k] += motion->velocity[k];
      velocity[3 + k] = motion->spin[k];
    }
  }
  return status == WY_OK ? wy_batch_roots(rods, poses, velocities, message) : status;
}

/* ---- Checks ---- */

/* The library numbers patterns and their loads from 0 on; in the tree they stand behind the others. */
static void refuse_pattern(wy_reader *r, const wy_message *message) {
  static const char *const lists[] = {"rods[", "loads["};
  const int before[] = {r->ordinary, r->scenario->model.load_count};
  char path[192];
  snprintf(path, sizeof path, "%s", message->path);
  for (int i = 0; i < 2; i++) {
    const size_t length = strlen(lists[i]);
    int number = 0, used = 0;
    if (strncmp(message->path, lists[i], length) == 0 && sscanf(message->path + length, "%d%n", &number, &used) == 1)
      snprintf(path, sizeof path, "%s%d%s", lists[i], number + before[i], message->path + length + used);
  }
  wy_read_fail_path(r, path, message->text);
}

/* The key of the batch that the library speaks of; of what is wrong with the pattern that of the rod. */
static void refuse_batch(wy_reader *r, int batch, const wy_message *message) {
  char path[192];
  snprintf(path, sizeof path, "batches[%d]", batch);
  const size_t used = strlen(path);
  if (wy_schema_key(&wy_schema_batch, message->path))
    snprintf(path + used, sizeof path - used, ".%s", message->path);
  else if (strncmp(message->text, "rod '", 5) == 0)
    snprintf(path + used, sizeof path - used, ".rod");
  else if (strstr(message->text, "integrator"))
    snprintf(path + used, sizeof path - used, ".integrator");
  wy_read_fail_path(r, path, message->text);
}

/* A number that the pattern does not allow to vary. */
static void check_number(wy_reader *r, int index, wy_batch *one, wy_batch_number number, const char *key) {
  const double *values = r->scenario->batches[index].numbers[number];
  wy_message message = {0};
  char path[128];
  if (r->failed || !values || wy_batch_set(one, number, values, &message) == WY_OK)
    return;
  snprintf(path, sizeof path, "batches[%d].%s", index, key);
  wy_read_fail_path(r, path, message.text);
}

/* With a single rod: what all of them have in common. */
static void check_batch(wy_reader *r, const wy_model *patterns, int index) {
  wy_batch_def def = r->scenario->batches[index].def;
  wy_batch *one = NULL;
  wy_message message = {0};
  def.count = 1;
  def.device = WY_BATCH_CPU;
  const wy_status status = wy_batch_create(patterns, &def, &one, &message);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    refuse_batch(r, index, &message);
  wy_batch_number number;
  const char *key;
  for (int k = 0; one && (key = wy_vary_key(k, &number)); k++) {
    char path[96];
    snprintf(path, sizeof path, "vary.%s", key);
    check_number(r, index, one, number, path);
  }
  if (one)
    check_number(r, index, one, WY_BATCH_ROOT, "roots");
  wy_batch_destroy(one);
}

/* Batches that no machine has the memory for. */
static void check_size(wy_reader *r, const wy_model *patterns, int index) {
  const wy_batch_def *def = &r->scenario->batches[index].def;
  const double most = 64 * wy_scenario_limits.bytes, bytes = wy_batch_memory_estimate(patterns, def);
  char path[64], text[256];
  if (r->failed || !(bytes > most))
    return;
  snprintf(path, sizeof path, "batches[%d].count", index);
  snprintf(text, sizeof text, "found %d rods, which need about %.0f GB of memory; expected at most about %.0f",
           def->count, bytes / 1e9, def->count * most / bytes);
  wy_read_fail_path(r, path, text);
}

void wy_check_batches(wy_reader *r) {
  wy_model *patterns = NULL;
  wy_message message = {0};
  const wy_status status = wy_scenario_patterns(r->scenario, &patterns, &message);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    refuse_pattern(r, &message);
  for (int i = 0; i < r->scenario->batch_count && !r->failed; i++) {
    check_batch(r, patterns, i);
    check_size(r, patterns, i);
  }
  wy_model_destroy(patterns);
}
