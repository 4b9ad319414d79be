/* SPDX-License-Identifier: MIT */
/* Creation of a model: copies, and the checks that belong to the model as a whole (rods: rod.c). */
#include "withy/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "model/definitions.h"
#include "model/inside.h"

static wy_status check_load(const wy_model *model, const wy_load_def *load, int index, wy_message *message) {
  char path[64];
  snprintf(path, sizeof path, "loads[%d]", index);
  if (load->rod < 0 || load->rod >= model->rod_count) {
    snprintf(path, sizeof path, "loads[%d].rod", index);
    return wy_fail_at(message, path, "found rod number %d; expected 0 to %d", load->rod, model->rod_count - 1);
  }
  if (load->place > WY_ALONG || load->axes > WY_BODY_AXES)
    return wy_fail_at(message, path, "found a place or axes that do not exist");
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
  if (actuator->rod < 0 || actuator->rod >= model->rod_count) {
    snprintf(path, sizeof path, "actuators[%d].rod", index);
    return wy_fail_at(message, path, "found rod number %d; expected 0 to %d", actuator->rod, model->rod_count - 1);
  }
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

/* Two entries of a list must not have one name; those without a name are no matter. */
static wy_status check_names(const wy_model *model, const char *list, const char *entry, int count,
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
  snprintf(path, sizeof path, "%s[%d].name", list, again.index);
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

static int rod_of_actuator(const wy_model *model, int actuator) {
  return model->actuators[actuator].rod;
}

static bool sort_by_rod(const wy_model *model, int count, int (*rod_of)(const wy_model *, int), wy_by_rod *sorted) {
  sorted->first = calloc((size_t)model->rod_count + 1, sizeof *sorted->first);
  sorted->number = calloc((size_t)count + 1, sizeof *sorted->number);
  sorted->place = calloc((size_t)count + 1, sizeof *sorted->place);
  if (!sorted->first || !sorted->number || !sorted->place)
    return false;
  for (int i = 0; i < count; i++)
    sorted->place[i] = sorted->first[rod_of(model, i) + 1]++;
  for (int i = 0; i < model->rod_count; i++)
    sorted->first[i + 1] += sorted->first[i];
  for (int i = 0; i < count; i++)
    sorted->number[sorted->first[rod_of(model, i)] + sorted->place[i]] = i;
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
  return check_names(model, "loads", "load", model->load_count, wy_load_name, message);
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
  return check_names(model, "actuators", "actuator", model->actuator_count, wy_actuator_name, message);
}

static wy_status copy_definition(const wy_model_def *def, wy_model *model, wy_message *message) {
  memcpy(model->gravity, def->gravity, sizeof model->gravity);
  for (int i = 0; i < 3; i++)
    if (!isfinite(def->gravity[i]))
      return wy_fail_at(message, "gravity", "component %d is not a finite number", i + 1);
  if (def->rod_count < 1)
    return wy_fail_at(message, "rods", "there is no rod; expected at least one");
  if (!def->rods)
    return wy_fail_at(message, "rods", "found %d rods without an array of them", def->rod_count);
  if (def->load_count < 0 || (def->load_count > 0 && !def->loads))
    return wy_fail_at(message, "loads", "found %d loads without an array of them", def->load_count);
  if (def->actuator_count < 0 || (def->actuator_count > 0 && !def->actuators))
    return wy_fail_at(message, "actuators", "found %d actuators without an array of them", def->actuator_count);
  model->rods = calloc((size_t)def->rod_count, sizeof *model->rods);
  model->curvatures = calloc((size_t)def->rod_count, sizeof(wy_spline *));
  model->loads = calloc((size_t)def->load_count + 1, sizeof *model->loads);
  model->actuators = calloc((size_t)def->actuator_count + 1, sizeof *model->actuators);
  if (!model->rods || !model->curvatures || !model->loads || !model->actuators)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d rods", def->rod_count);
  wy_status status = copy_rods(def, model, message);
  if (status == WY_OK)
    status = check_names(model, "rods", "rod", model->rod_count, rod_name, message);
  if (status == WY_OK)
    status = copy_loads(def, model, message);
  if (status == WY_OK)
    status = copy_actuators(def, model, message);
  if (status)
    return status;
  if (!sort_by_rod(model, model->load_count, rod_of_load, &model->rod_loads) ||
      !sort_by_rod(model, model->actuator_count, rod_of_actuator, &model->rod_actuators))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d loads", model->load_count);
  return WY_OK;
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
  for (int i = 0; i < model->load_count; i++)
    free((char *)model->loads[i].name);
  for (int i = 0; i < model->actuator_count; i++)
    free((char *)model->actuators[i].name);
  wy_by_rod *sorted[] = {&model->rod_loads, &model->rod_actuators};
  for (int i = 0; i < 2; i++)
    free(sorted[i]->first), free(sorted[i]->number), free(sorted[i]->place);
  free(model->actuators);
  free(model->curvatures);
  free(model->rods);
  free(model->loads);
  free(model);
}
