/* SPDX-License-Identifier: MIT */
/* Creation of a model: copies, and the checks that belong to the model as a whole (rods: rod.c, bodies: body.c, joints
   and springs: joint.c, network.c; obstacles: obstacle.c, contact.c). */
#include "withy/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "model/definitions.h"
#include "model/parts.h"

static wy_status check_number(const char *part, int number, int count, const char *path, wy_message *message) {
  if (number >= 0 && number < count)
    return WY_OK;
  if (count == 0)
    return wy_fail_at(message, path, "found %s number %d, and there is none", part, number);
  return wy_fail_at(message, path, "found %s number %d; expected 0 to %d", part, number, count - 1);
}

static wy_status check_body_load(const wy_model *model, wy_load_def *load, int index, wy_message *message) {
  char path[64];
  snprintf(path, sizeof path, "loads[%d].body", index);
  wy_status status = check_number("body", load->body, model->body_count, path, message);
  load->rod = -1;
  for (int i = 0; i < 3 && !status; i++) {
    snprintf(path, sizeof path, "loads[%d].point", index);
    if (!isfinite(load->point[i]))
      return wy_fail_at(message, path, "component %d is not a finite number", i + 1);
    snprintf(path, sizeof path, "loads[%d]", index);
    if (!isfinite(wy_signal_value(&load->force[i], 0, 0)) || !isfinite(wy_signal_value(&load->moment[i], 0, 0)))
      return wy_fail_at(message, path, "component %d is not a finite number at t = 0", i + 1);
  }
  return status;
}

static wy_status check_load(const wy_model *model, wy_load_def *load, int index, wy_message *message) {
  char path[64];
  snprintf(path, sizeof path, "loads[%d]", index);
  if (load->place > WY_AT_BODY || load->axes > WY_BODY_AXES)
    return wy_fail_at(message, path, "found a place or axes that do not exist");
  if (load->place == WY_AT_BODY)
    return check_body_load(model, load, index, message);
  load->body = -1;
  snprintf(path, sizeof path, "loads[%d].rod", index);
  wy_status status = check_number("rod", load->rod, model->rod_count, path, message);
  if (status)
    return status;
  double length = model->rods[load->rod].length, slack = 1e-12 * length;
  bool ok = true;
  if (load->place == WY_AT_ARC) {
    snprintf(path, sizeof path, "loads[%d].at", index);
    ok = load->from >= -slack && load->from <= length + slack;
  } else if (load->place == WY_ALONG) {
    snprintf(path, sizeof path, "loads[%d].along", index);
    ok = load->from >= -slack && load->to <= length + slack && load->from < load->to;
  }
  if (!ok && load->place == WY_AT_ARC)
    return wy_fail_at(message, path, "found arc length %g; expected 0 to the rod's length %g", load->from, length);
  if (!ok)
    return wy_fail_at(message, path, "found [%g, %g]; expected two increasing arc lengths within 0 to %g", load->from,
                      load->to, length);
  double from = load->place == WY_AT_START ? 0 : load->place == WY_AT_END ? length : load->from;
  double to = load->place == WY_ALONG ? load->to : from;
  for (int k = 0; k < 9; k++) { /* three components at three places */
    int place = k / 3, i = k % 3;
    double s = from + 0.5 * place * (to - from);
    if (!isfinite(wy_signal_value(&load->force[i], s, 0)) || !isfinite(wy_signal_value(&load->moment[i], s, 0))) {
      snprintf(path, sizeof path, "loads[%d]", index);
      return wy_fail_at(message, path, "component %d is not a finite number at t = 0", i + 1);
    }
  }
  return WY_OK;
}

static wy_status check_actuator(const wy_model *model, const wy_actuator_def *actuator, int index,
                                wy_message *message) {
  char path[64];
  snprintf(path, sizeof path, "actuators[%d]", index);
  if (actuator->kind > WY_TENDON)
    return wy_fail_at(message, path, "found a kind that does not exist");
  snprintf(path, sizeof path, "actuators[%d].rod", index);
  wy_status status = check_number("rod", actuator->rod, model->rod_count, path, message);
  if (status)
    return status;
  double force = wy_signal_value(&actuator->force, 0, 0), length = model->rods[actuator->rod].length;
  snprintf(path, sizeof path, "actuators[%d].%s", index, actuator->kind == WY_TENDON ? "tension" : "force");
  if (!isfinite(force))
    return wy_fail_at(message, path, "it is not a finite number at t = 0");
  if (actuator->kind == WY_TENDON && force < 0)
    return wy_fail_at(message, path, "found %g at t = 0; expected a tension that is not negative: a tendon cannot push",
                      force);
  snprintf(path, sizeof path, "actuators[%d].offset", index);
  for (int place = 0; place < 5; place++)
    for (int i = 0; i < 2; i++) {
      double s = 0.25 * place * length;
      if (!isfinite(wy_signal_value(&actuator->offset[i], s, 0)))
        return wy_fail_at(message, path, "component %d is not a finite number at s = %g", i + 1, s);
    }
  return WY_OK;
}

static void *copied(const void *from, size_t bytes) {
  void *copy = malloc(bytes);
  if (copy)
    memcpy(copy, from, bytes);
  return copy;
}

static char *duplicate(const char *text) {
  return copied(text, strlen(text) + 1);
}

/* ---- Names ---- */

/* An entry of a list that has a name. */
typedef struct named {
  const char *name;
  int index;
} named;

/* By name; those of one name in the order of the definition. */
static int compare_names(const void *a, const void *b) {
  const named *one = a, *other = b;
  const int order = strcmp(one->name, other->name);
  return order ? order : one->index - other->index;
}

static const char *rod_name(const wy_model *model, int rod) {
  return model->rods[rod].name;
}

/* Rods, then bodies, then obstacles. */
static const char *part_name(const wy_model *model, int part) {
  const int body = part - model->rod_count, obstacle = body - model->body_count;
  if (body < 0)
    return rod_name(model, part);
  return obstacle < 0 ? wy_body_name(model, body) : wy_obstacle_name(model, obstacle);
}

/* Two entries of a list must not have one name; those without a name are no matter. The first `before` entries are of
   another list. */
static wy_status check_names(const wy_model *model, const char *list, const char *entry, int before, int count,
                             const char *(*name_of)(const wy_model *, int), wy_message *message) {
  named *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
  int names = 0;
  named again = {NULL, count};
  if (!sorted)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d %s", count, list);
  for (int i = 0; i < count; i++)
    if (name_of(model, i))
      sorted[names++] = (named){name_of(model, i), i};
  qsort(sorted, (size_t)names, sizeof *sorted, compare_names);
  for (int i = 1; i < names; i++)
    if (strcmp(sorted[i - 1].name, sorted[i].name) == 0 && sorted[i].index < again.index)
      again = sorted[i];
  free(sorted);
  if (!again.name)
    return WY_OK;
  char path[64];
  snprintf(path, sizeof path, "%s[%d].name", list, again.index - before);
  return wy_fail_at(message, path, "found '%s' a second time; expected a different name for each %s", again.name,
                    entry);
}

/* The model's own copy of an optional name; the cookie has been checked, so that the pointer is one. */
static wy_status copy_name(const char *name, const char *list, int index, const char **copy, wy_message *message) {
  *copy = NULL;
  if (name && name[0] == '\0') {
    char path[64];
    snprintf(path, sizeof path, "%s[%d].name", list, index);
    return wy_fail_at(message, path, "is empty; expected a name, or none");
  }
  if (name && !(*copy = duplicate(name)))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %s[%d]", list, index);
  return WY_OK;
}

static int rod_of_load(const wy_model *model, int load) {
  return model->loads[load].rod;
}

static int body_of_load(const wy_model *model, int load) {
  return model->loads[load].body;
}

static int rod_of_actuator(const wy_model *model, int actuator) {
  return model->actuators[actuator].rod;
}

/* Entries by their parts; -1: it is of another kind of part. */
static bool sort_by_part(const wy_model *model, int parts, int count, int (*part_of)(const wy_model *, int),
                         wy_by_part *sorted) {
  sorted->first = calloc((size_t)parts + 1, sizeof *sorted->first);
  sorted->number = calloc((size_t)count + 1, sizeof *sorted->number);
  sorted->place = calloc((size_t)count + 1, sizeof *sorted->place);
  if (!sorted->first || !sorted->number || !sorted->place)
    return false;
  for (int i = 0; i < count; i++)
    if (part_of(model, i) >= 0)
      sorted->place[i] = sorted->first[part_of(model, i) + 1]++;
  for (int i = 0; i < parts; i++)
    sorted->first[i + 1] += sorted->first[i];
  for (int i = 0; i < count; i++)
    if (part_of(model, i) >= 0)
      sorted->number[sorted->first[part_of(model, i)] + sorted->place[i]] = i;
  return true;
}

/* ---- The whole ---- */

/* Arrays that a rod has must be there. */
static wy_status check_arrays(const wy_rod_def *rod, int index, wy_message *message) {
  char path[64];
  snprintf(path, sizeof path, "rods[%d].maxwell", index);
  if (rod->maxwell_count < 0 || (rod->maxwell_count > 0 && !rod->maxwell))
    return wy_fail_at(message, path, "found %d branches without an array of them", rod->maxwell_count);
  snprintf(path, sizeof path, "rods[%d].shape.points", index);
  const int points = rod->shape.point_count;
  if (points < 0 || points > WY_MOST_POINTS || (points > 0) != (rod->shape.points != NULL))
    return wy_fail_at(message, path, "found %d points%s; expected 2 to %d", points,
                      rod->shape.points ? "" : " without an array of them", WY_MOST_POINTS);
  return WY_OK;
}

/* `rod` becomes a copy of `def` with memory of its own; false without memory. */
static bool copy_arrays(const wy_rod_def *def, wy_rod_def *rod) {
  bool lengths = def->segment_lengths && rod->segments > 0 && rod->segments <= WY_MOST_SEGMENTS,
       branches = rod->maxwell_count > 0, points = rod->shape.point_count > 0;
  rod->name = duplicate(def->name ? def->name : "");
  if (lengths)
    rod->segment_lengths = copied(def->segment_lengths, (size_t)rod->segments * sizeof(double));
  if (branches)
    rod->maxwell = copied(def->maxwell, (size_t)rod->maxwell_count * sizeof(wy_maxwell));
  if (points)
    rod->shape.points = copied(def->shape.points, 3 * (size_t)rod->shape.point_count * sizeof(double));
  return rod->name && (!lengths || rod->segment_lengths) && (!branches || rod->maxwell) &&
         (!points || rod->shape.points);
}

static wy_status copy_rods(const wy_model_def *def, wy_model *model, wy_message *message) {
  for (int i = 0; i < def->rod_count; i++) {
    wy_rod_def own, *rod = &model->rods[i];
    const wy_rod_def *given = wy_rod_def_read(def, i, &own, message);
    if (!given)
      return WY_ERROR_INPUT;
    *rod = *given;
    /* The rod's own memory from here on: pointers of the caller must not survive in it. */
    rod->name = NULL;
    rod->segment_lengths = NULL;
    rod->maxwell = NULL;
    rod->shape.points = NULL;
    model->rod_count = i + 1;
    wy_status status = check_arrays(given, i, message);
    if (status == WY_OK && !copy_arrays(given, rod))
      status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for rod %d", i);
    if (status == WY_OK)
      status = wy_rod_resolve(rod, i, &model->curvatures[i], message);
    if (status)
      return status;
  }
  return WY_OK;
}

static wy_status copy_loads(const wy_model_def *def, wy_model *model, wy_message *message) {
  for (int i = 0; i < def->load_count; i++) {
    wy_load_def own, *load = &model->loads[i];
    const wy_load_def *given = wy_load_def_read(def, i, &own, message);
    if (!given)
      return WY_ERROR_INPUT;
    *load = *given;
    load->name = NULL; /* the caller's must not survive in it */
    model->load_count = i + 1;
    wy_status status = copy_name(given->name, "loads", i, &load->name, message);
    if (status == WY_OK)
      status = check_load(model, load, i, message);
    if (status)
      return status;
  }
  return check_names(model, "loads", "load", 0, model->load_count, wy_load_name, message);
}

static wy_status copy_actuators(const wy_model_def *def, wy_model *model, wy_message *message) {
  for (int i = 0; i < def->actuator_count; i++) {
    wy_actuator_def own, *actuator = &model->actuators[i];
    const wy_actuator_def *given = wy_actuator_def_read(def, i, &own, message);
    if (!given)
      return WY_ERROR_INPUT;
    *actuator = *given;
    actuator->name = NULL;
    model->actuator_count = i + 1;
    wy_status status = copy_name(given->name, "actuators", i, &actuator->name, message);
    if (status == WY_OK)
      status = check_actuator(model, actuator, i, message);
    if (status)
      return status;
  }
  return check_names(model, "actuators", "actuator", 0, model->actuator_count, wy_actuator_name, message);
}

static wy_status copy_bodies(const wy_model_def *def, wy_model *model, wy_message *message) {
  for (int i = 0; i < def->body_count; i++) {
    wy_body_def own, *body = &model->bodies[i];
    const wy_body_def *given = wy_body_def_read(def, i, &own, message);
    if (!given)
      return WY_ERROR_INPUT;
    *body = *given;
    body->name = NULL;
    model->body_count = i + 1;
    char path[64];
    snprintf(path, sizeof path, "bodies[%d].name", i);
    if (!given->name || !given->name[0])
      return wy_fail_at(message, path, "is empty; expected a name");
    wy_status status = copy_name(given->name, "bodies", i, &body->name, message);
    if (status == WY_OK)
      status = wy_body_resolve(body, i, message);
    if (status)
      return status;
  }
  return check_names(model, "bodies", "rod and body", model->rod_count, model->rod_count + model->body_count, part_name,
                     message);
}

static wy_status copy_joints(const wy_model_def *def, wy_model *model, wy_message *message) {
  for (int i = 0; i < def->joint_count; i++) {
    wy_joint_def own, *joint = &model->joints[i];
    const wy_joint_def *given = wy_joint_def_read(def, i, &own, message);
    if (!given)
      return WY_ERROR_INPUT;
    *joint = *given;
    joint->name = NULL;
    joint->ports = NULL;
    model->joint_count = i + 1;
    wy_status status = copy_name(given->name, "joints", i, &joint->name, message);
    if (status == WY_OK && given->ports && given->port_count > 0 &&
        !(joint->ports = copied(given->ports, (size_t)given->port_count * sizeof *given->ports)))
      status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for joints[%d]", i);
    if (status == WY_OK)
      status = wy_joint_resolve(model, joint, i, message);
    if (status)
      return status;
  }
  return check_names(model, "joints", "joint", 0, model->joint_count, wy_joint_name, message);
}

static wy_status copy_springs(const wy_model_def *def, wy_model *model, wy_message *message) {
  for (int i = 0; i < def->spring_count; i++) {
    wy_spring_def own, *spring = &model->springs[i];
    const wy_spring_def *given = wy_spring_def_read(def, i, &own, message);
    if (!given)
      return WY_ERROR_INPUT;
    *spring = *given;
    spring->name = NULL;
    model->spring_count = i + 1;
    wy_status status = copy_name(given->name, "springs", i, &spring->name, message);
    if (status == WY_OK)
      status = wy_spring_resolve(model, spring, i, message);
    if (status)
      return status;
  }
  return check_names(model, "springs", "spring", 0, model->spring_count, wy_spring_name, message);
}

static wy_status copy_obstacles(const wy_model_def *def, wy_model *model, wy_message *message) {
  const int before = model->rod_count + model->body_count;
  for (int i = 0; i < def->obstacle_count; i++) {
    wy_obstacle_def own, *obstacle = &model->obstacles[i];
    const wy_obstacle_def *given = wy_obstacle_def_read(def, i, &own, message);
    if (!given)
      return WY_ERROR_INPUT;
    *obstacle = *given;
    obstacle->name = NULL;
    obstacle->grid.values = NULL;
    model->obstacle_count = i + 1;
    char path[64];
    snprintf(path, sizeof path, "obstacles[%d].name", i);
    if (!given->name || !given->name[0])
      return wy_fail_at(message, path, "is empty; expected a name");
    wy_status status = copy_name(given->name, "obstacles", i, &obstacle->name, message);
    if (status == WY_OK)
      status = wy_obstacle_resolve(model, obstacle, i, message);
    if (status == WY_OK && given->shape == WY_OBSTACLE_DISTANCE)
      status = wy_obstacle_take_grid(&given->grid, obstacle, i, message);
    if (status)
      return status;
  }
  return check_names(model, "obstacles", "rod, body and obstacle", before, before + model->obstacle_count, part_name,
                     message);
}

static wy_status copy_contact(const wy_model_def *def, wy_model *model, wy_message *message) {
  wy_contact_def own;
  const wy_contact_def *given = wy_contact_def_read(def, &own, message);
  if (!given)
    return WY_ERROR_INPUT;
  const int count = given->pair_count;
  model->contact = *given;
  model->contact.pairs = NULL; /* the caller's must not survive in it */
  if (count < 0 || (count > 0 && !given->pairs))
    return wy_fail_at(message, "contact.pairs", "found %d pairs without an array of them", count);
  if (count > 0 && !(model->contact.pairs = copied(given->pairs, (size_t)count * sizeof *given->pairs)))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for contact.pairs");
  return wy_contact_resolve(model, message);
}

/* The ground is named in lists of parts. Where there are none, a rod may be called so. */
static wy_status check_ground(const wy_model *model, wy_message *message) {
  char path[64];
  for (int i = 0; i < model->rod_count && model->joint_count + model->spring_count > 0; i++) {
    snprintf(path, sizeof path, "rods[%d].name", i);
    if (strcmp(model->rods[i].name, "ground") == 0)
      return wy_fail_at(message, path, "found 'ground', which is what does not move; expected another name");
  }
  return WY_OK;
}

/* Each list that has entries has an array of them. */
static wy_status check_lists(const wy_model_def *def, wy_message *message) {
  const struct {
    const char *name;
    int count;
    const void *array;
  } lists[] = {{"rods", def->rod_count, def->rods},
               {"bodies", def->body_count, def->bodies},
               {"joints", def->joint_count, def->joints},
               {"springs", def->spring_count, def->springs},
               {"loads", def->load_count, def->loads},
               {"actuators", def->actuator_count, def->actuators},
               {"obstacles", def->obstacle_count, def->obstacles}};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    if (lists[i].count < 0 || (lists[i].count > 0 && !lists[i].array))
      return wy_fail_at(message, lists[i].name, "found %d %s without an array of them", lists[i].count, lists[i].name);
  return WY_OK;
}

static bool allocate(const wy_model_def *def, wy_model *model) {
  model->rods = calloc((size_t)def->rod_count + 1, sizeof *model->rods);
  model->curvatures = calloc((size_t)def->rod_count + 1, sizeof(wy_spline *));
  model->bodies = calloc((size_t)def->body_count + 1, sizeof *model->bodies);
  model->joints = calloc((size_t)def->joint_count + 1, sizeof *model->joints);
  model->springs = calloc((size_t)def->spring_count + 1, sizeof *model->springs);
  model->obstacles = calloc((size_t)def->obstacle_count + 1, sizeof *model->obstacles);
  model->loads = calloc((size_t)def->load_count + 1, sizeof *model->loads);
  model->actuators = calloc((size_t)def->actuator_count + 1, sizeof *model->actuators);
  return model->rods && model->curvatures && model->bodies && model->joints && model->springs && model->obstacles &&
         model->loads && model->actuators;
}

static wy_status copy_lists(const wy_model_def *def, wy_model *model, wy_message *message) {
  wy_status status = copy_rods(def, model, message);
  if (status == WY_OK)
    status = check_names(model, "rods", "rod", 0, model->rod_count, rod_name, message);
  if (status == WY_OK)
    status = copy_bodies(def, model, message);
  if (status == WY_OK)
    status = copy_loads(def, model, message);
  if (status == WY_OK)
    status = copy_actuators(def, model, message);
  if (status == WY_OK)
    status = copy_joints(def, model, message);
  if (status == WY_OK)
    status = copy_springs(def, model, message);
  if (status == WY_OK)
    status = copy_obstacles(def, model, message);
  if (status == WY_OK)
    status = copy_contact(def, model, message);
  return status == WY_OK ? check_ground(model, message) : status;
}

static wy_status copy_definition(const wy_model_def *def, wy_model *model, wy_message *message) {
  memcpy(model->gravity, def->gravity, sizeof model->gravity);
  for (int i = 0; i < 3; i++)
    if (!isfinite(def->gravity[i]))
      return wy_fail_at(message, "gravity", "component %d is not a finite number", i + 1);
  wy_status status = check_lists(def, message);
  if (status)
    return status;
  if (!allocate(def, model))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d rods", def->rod_count);
  status = copy_lists(def, model, message);
  if (status)
    return status;
  if (!sort_by_part(model, model->rod_count, model->load_count, rod_of_load, &model->rod_loads) ||
      !sort_by_part(model, model->body_count, model->load_count, body_of_load, &model->body_loads) ||
      !sort_by_part(model, model->rod_count, model->actuator_count, rod_of_actuator, &model->rod_actuators))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d loads", model->load_count);
  return wy_network_create(model, &model->network, message);
}

wy_status wy_model_create(const wy_model_def *def, wy_model **out, wy_message *message) {
  if (!out)
    return wy_fail_missing(message, "model");
  *out = NULL;
  if (!def)
    return wy_fail_missing(message, "def");
  wy_model_def own;
  def = wy_model_def_read(def, &own, message);
  if (!def)
    return WY_ERROR_INPUT;
  wy_model *model = calloc(1, sizeof *model);
  if (!model)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the model");
  wy_status status = copy_definition(def, model, message);
  if (status) {
    wy_model_destroy(model);
    return status;
  }
  *out = model;
  return WY_OK;
}

void wy_model_destroy(wy_model *model) {
  if (!model)
    return;
  for (int i = 0; i < model->rod_count; i++) {
    free((char *)model->rods[i].name);
    free((double *)model->rods[i].segment_lengths);
    free((wy_maxwell *)model->rods[i].maxwell);
    free((double *)model->rods[i].shape.points);
    wy_spline_destroy(model->curvatures[i]);
  }
  for (int i = 0; i < model->body_count; i++)
    free((char *)model->bodies[i].name);
  for (int i = 0; i < model->joint_count; i++)
    free((char *)model->joints[i].name), free((wy_port *)model->joints[i].ports);
  for (int i = 0; i < model->spring_count; i++)
    free((char *)model->springs[i].name);
  for (int i = 0; i < model->obstacle_count; i++)
    free((char *)model->obstacles[i].name), free((float *)model->obstacles[i].grid.values);
  for (int i = 0; i < model->load_count; i++)
    free((char *)model->loads[i].name);
  for (int i = 0; i < model->actuator_count; i++)
    free((char *)model->actuators[i].name);
  wy_by_part *sorted[] = {&model->rod_loads, &model->rod_actuators, &model->body_loads};
  for (int i = 0; i < 3; i++)
    free(sorted[i]->first), free(sorted[i]->number), free(sorted[i]->place);
  wy_network_destroy(model->network);
  free((wy_contact_pair *)model->contact.pairs);
  free(model->obstacles);
  free(model->springs);
  free(model->joints);
  free(model->bodies);
  free(model->actuators);
  free(model->curvatures);
  free(model->rods);
  free(model->loads);
  free(model);
}
