/* SPDX-License-Identifier: MIT */
/* The numbers of rods: what users set, and what of it the machine calculates with. */
#include <math.h>
#include <string.h>

#include "batch/inside.h"
#include "math/quat.h"
#include "model/contact.h"

/* A row for each number. */
static const struct {
  const char *name;
  int size;
  bool at_start;    /* it belongs to the undeformed rod or to the start */
  bool is_positive; /* else any finite value, or >= 0 */
  bool may_be_negative;
} table[WY_BATCH_NUMBERS] = {
    [WY_BATCH_YOUNG] = {"young", 1, false, true, false},   [WY_BATCH_DENSITY] = {"density", 1, false, true, false},
    [WY_BATCH_RADIUS] = {"radius", 1, false, true, false}, [WY_BATCH_DAMPING] = {"damping", 1, false, false, false},
    [WY_BATCH_DRAG] = {"drag", 1, false, false, false},    [WY_BATCH_LOADS] = {"loads", 1, false, false, true},
    [WY_BATCH_LENGTH] = {"length", 1, true, true, false},  [WY_BATCH_CURVATURE] = {"curvature", 3, true, false, true},
    [WY_BATCH_ROOT] = {"root", 7, true, false, true},      [WY_BATCH_VELOCITY] = {"velocity", 3, true, false, true},
};

static bool exists(wy_batch_number number) {
  return (unsigned)number < WY_BATCH_NUMBERS;
}

const char *wy_batch_number_name(wy_batch_number number) {
  return exists(number) ? table[number].name : NULL;
}

int wy_batch_number_size(wy_batch_number number) {
  return exists(number) ? table[number].size : 0;
}

/* The pattern's own numbers for all rods. */
void wy_batch_begin_numbers(wy_batch *self) {
  const wy_rod_def *rod = self->rod;
  double usual[WY_BATCH_NUMBERS][7] = {{0}};
  usual[WY_BATCH_YOUNG][0] = wy_signal_value(&rod->material.young, 0, 0);
  usual[WY_BATCH_DENSITY][0] = wy_signal_value(&rod->material.density, 0, 0);
  usual[WY_BATCH_RADIUS][0] = wy_section_at(rod, 0).radius;
  usual[WY_BATCH_DAMPING][0] = 1;
  usual[WY_BATCH_DRAG][0] = rod->drag.translation;
  usual[WY_BATCH_LOADS][0] = 1;
  usual[WY_BATCH_LENGTH][0] = rod->length;
  for (int i = 0; i < 3; i++)
    usual[WY_BATCH_CURVATURE][i] = wy_signal_value(&rod->shape.curvature[i], 0, 0);
  memcpy(usual[WY_BATCH_ROOT], rod->shape.origin, sizeof rod->shape.origin);
  wy_reference_start(rod, usual[WY_BATCH_ROOT] + 3);
  for (int number = 0; number < WY_BATCH_NUMBERS; number++) {
    const int size = table[number].size;
    for (int i = 0; i < self->kind.count; i++)
      memcpy(self->numbers[number] + (size_t)i * (size_t)size, usual[number], (size_t)size * sizeof(double));
  }
  self->stale_parameters = self->stale_start = true;
}

/* The pattern with the numbers of a rod, for the functions of the model. */
wy_rod_def wy_batch_rod_def(const wy_batch *self, int rod) {
  wy_rod_def own = *self->rod;
  if (self->given[WY_BATCH_YOUNG]) {
    const double young = self->numbers[WY_BATCH_YOUNG][rod];
    if (own.material.has_shear)
      own.material.shear.value *= young / own.material.young.value;
    own.material.young = wy_constant(young);
  }
  if (self->given[WY_BATCH_DENSITY])
    own.material.density = wy_constant(self->numbers[WY_BATCH_DENSITY][rod]);
  if (self->given[WY_BATCH_RADIUS])
    own.section.radius = wy_constant(self->numbers[WY_BATCH_RADIUS][rod]);
  for (int k = 0; k < 3 && self->given[WY_BATCH_CURVATURE]; k++)
    own.shape.curvature[k] = wy_constant(self->numbers[WY_BATCH_CURVATURE][3 * (size_t)rod + (size_t)k]);
  return own;
}

/* ---- What the machine has ---- */

static void scale_rod(const wy_batch *self, int rod, double par[WY_PAR_COUNT]) {
  const wy_rod_def own = wy_batch_rod_def(self, rod);
  const wy_section_values section = wy_section_at(&own, 0);
  const double h = wy_batch_segment(self, rod), mass = h * section.mass, tick = WY_BATCH_TICK;
  const double damping = self->numbers[WY_BATCH_DAMPING][rod], loads = self->numbers[WY_BATCH_LOADS][rod];
  const double force = tick * tick / (mass * h), moment = force / h; /* of a force, and of a moment, in our units */
  const double stretched = self->numbers[WY_BATCH_LENGTH][rod] / self->rod->length;
  const bool cylinder = self->def.staggered.segment_inertia == WY_CYLINDER;
  for (int k = 0; k < 3; k++) {
    const double disc = section.rotary[k] / (section.mass * h * h);
    par[WY_PAR_CG + k] = section.stiffness[k] * force;
    par[WY_PAR_DG + k] = damping * section.damping[k] * force / tick;
    par[WY_PAR_CK + k] = section.stiffness[k + 3] / h * moment;
    par[WY_PAR_DK + k] = damping * section.damping[k + 3] / h * moment / tick;
    par[WY_PAR_INERTIA + k] = disc + (cylinder && k < 2 ? 1.0 / 12 : 0);
    par[WY_PAR_GRAVITY + k] = wy_model_gravity(self->model)[k] * tick * tick / h;
    par[WY_PAR_SPIN_DRAG + k] = self->rod->drag.rotation * disc * tick;
  }
  par[WY_PAR_DRAG] = self->numbers[WY_BATCH_DRAG][rod] * tick;
  par[WY_PAR_FORCE] = loads * force;
  par[WY_PAR_FORCE + 1] = loads * force * stretched;
  par[WY_PAR_MOMENT] = loads * moment;
  par[WY_PAR_MOMENT + 1] = loads * moment * stretched;
  par[WY_PAR_PER_METRE] = 1 / h;
  for (int k = 0; k < 3; k++)
    par[WY_PAR_ORIGIN + k] = self->numbers[WY_BATCH_ROOT][7 * (size_t)rod + (size_t)k] / h;
  for (int k = 0; k < 4; k++)
    par[WY_PAR_SKIN + k] = 1;
  if (!self->kind.obstacles)
    return;
  const double radius = wy_contact_radius(&own, 0) / h;
  par[WY_PAR_SKIN] = radius;
  par[WY_PAR_SKIN + 1] = wy_contact_stiffness(&own, 0) * h * h * force;
  par[WY_PAR_SKIN + 2] = fmax(own.contact.blend, 1e-6) * radius; /* it is divided by */
  par[WY_PAR_SKIN + 3] = 0.5 * radius;
}

/* Brings everything up to date that follows from numbers. */
void wy_batch_refresh(wy_batch *self) {
  if (self->stale_parameters)
    self->stable = INFINITY;
  for (int i = 0; self->stale_parameters && i < self->kind.count; i++) {
    scale_rod(self, i, self->row);
    self->stable = fmin(self->stable, wy_batch_stable_step(self, i));
    self->backend->upload(self->machine, WY_ARRAY_PARAMETERS, i, 1, self->row);
  }
  self->stale_parameters = false;
  if (self->stale_start)
    wy_batch_start(self);
  self->stale_start = false;
}

/* ---- Setting ---- */

static wy_status check_possible(const wy_batch *self, wy_batch_number number, wy_message *message) {
  const wy_rod_def *rod = self->rod;
  const bool by_material = number == WY_BATCH_YOUNG || number == WY_BATCH_RADIUS;
  if (table[number].at_start && self->work.frames > 0)
    return wy_fail(message, WY_ERROR_INPUT, "`%s` belongs to the undeformed rods: it is set before the first frame",
                   table[number].name);
  if (table[number].at_start && (self->placed || self->by_user[0] || self->by_user[1]))
    return wy_fail(message, WY_ERROR_INPUT,
                   "`%s` belongs to the undeformed rods: it is set before they are placed or their ends are moved",
                   table[number].name);
  if (number == WY_BATCH_RADIUS && rod->section.shape != WY_CIRCLE)
    return wy_fail(message, WY_ERROR_SUPPORT, "the section of rod '%s' is no circle, whose radius could vary",
                   rod->name);
  if ((by_material && rod->has_stiffness) || (by_material && !rod->material.given) ||
      ((number == WY_BATCH_DENSITY || number == WY_BATCH_RADIUS) && (rod->has_inertia || !rod->material.given)))
    return wy_fail(message, WY_ERROR_SUPPORT,
                   "stiffness or inertia of rod '%s' do not follow from its material: `%s` cannot vary", rod->name,
                   table[number].name);
  if (number == WY_BATCH_DAMPING && !self->kind.damped)
    return wy_fail(message, WY_ERROR_SUPPORT, "rod '%s' has no damping that could vary", rod->name);
  return WY_OK;
}

static bool is_possible(wy_batch_number number, const double *values) {
  double square = 0;
  for (int k = 0; k < table[number].size; k++) {
    if (!isfinite(values[k]) || (values[k] < 0 && !table[number].may_be_negative) ||
        (values[k] == 0 && table[number].is_positive))
      return false;
    square += k >= 3 ? values[k] * values[k] : 0;
  }
  return number != WY_BATCH_ROOT || fabs(square - 1) < 1e-6;
}

wy_status wy_batch_set(wy_batch *batch, wy_batch_number number, const double *values, wy_message *message) {
  if (!batch || !values)
    return wy_fail_missing(message, batch ? "values" : "batch");
  if (!exists(number))
    return wy_fail(message, WY_ERROR_INPUT, "there is no number %d of rods", (int)number);
  wy_status status = check_possible(batch, number, message);
  if (status)
    return status;
  const size_t size = (size_t)table[number].size;
  for (int i = 0; i < batch->kind.count; i++)
    if (!is_possible(number, values + (size_t)i * size))
      return wy_fail_at(message, table[number].name, "found %g for rod %d of the batch; expected %s",
                        values[(size_t)i * size], batch->def.share.first + i,
                        number == WY_BATCH_ROOT         ? "a place and a unit quaternion"
                        : table[number].is_positive     ? "a number > 0"
                        : table[number].may_be_negative ? "finite numbers"
                                                        : "a number >= 0");
  memcpy(batch->numbers[number], values, size * (size_t)batch->kind.count * sizeof(double));
  batch->given[number] = true;
  batch->stale_parameters = true;
  batch->stale_start = batch->stale_start || table[number].at_start;
  batch->spacing = 0; /* forces jump: the next step is the first of a history */
  return WY_OK;
}

wy_status wy_batch_get(const wy_batch *batch, wy_batch_number number, double *values, wy_message *message) {
  if (!batch || !values)
    return wy_fail_missing(message, batch ? "values" : "batch");
  if (!exists(number))
    return wy_fail(message, WY_ERROR_INPUT, "there is no number %d of rods", (int)number);
  memcpy(values, batch->numbers[number], (size_t)table[number].size * (size_t)batch->kind.count * sizeof(double));
  return WY_OK;
}
