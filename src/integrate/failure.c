/* SPDX-License-Identifier: MIT */
/* What is said when no attempt leads on: when, where on the rod, why, and what to try. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "integrate/driver.h"
#include "model/rotation.h"
#include "network/group.h"
#include "scheme/applied.h"
#include "scheme/contacts.h"

/* Times at which things are looked at, from the last good one on, and places along a load. */
enum { TIMES = 16, PLACES = 16 };

static bool is_bad(const wy_signal *signal, double s, double t, int derivatives) {
  double jet[3] = {signal->value, 0, 0}, sum = 0;
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, s, t, jet);
  for (int i = 0; i <= derivatives; i++)
    sum += jet[i];
  return !isfinite(sum);
}

static bool bad_load(const wy_model *model, int index, double t, char *text, size_t size) {
  const wy_load_def *load = wy_model_load(model, index);
  const bool along = load->place == WY_ALONG, on_body = load->place == WY_AT_BODY;
  const double from = along ? load->from : on_body ? 0 : wy_load_arc(wy_model_rod(model, load->rod), load);
  const double to = along ? load->to : from;
  for (int p = 0; p <= (along ? PLACES : 0); p++)
    for (int k = 0; k < 6; k++) {
      const double s = from + (to - from) * p / PLACES;
      if (!is_bad(k < 3 ? &load->force[k] : &load->moment[k - 3], s, t, 0))
        continue;
      char path[WY_ENTRY_PATH];
      wy_model_load_path(model, index, path);
      const int used =
          snprintf(text, size, "%s.%s[%d] is not finite at t = %.6g", path, k < 3 ? "force" : "moment", k % 3, t);
      if (!on_body && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", s = %.4g", s);
      return true;
    }
  return false;
}

static bool is_bad_rotation(const wy_end *end, double t) {
  wy_rotation_motion at;
  double sum = 0;
  wy_end_rotation(end, t, &at);
  for (int i = 0; i < 3; i++)
    sum += at.q[0] + at.q[i + 1] + at.w[i] + at.rate[i];
  return !isfinite(sum);
}

static bool bad_end(const wy_rod_def *rod, int end, double t, char *text, size_t size) {
  const wy_end *def = &rod->ends[end];
  for (int k = 0; k < 4; k++) {
    const bool driven = k < 3 ? def->position[k] == WY_DRIVEN : def->rotation == WY_DRIVEN;
    if (!driven || t > def->release || !(k < 3 ? is_bad(&def->path[k], 0, t, 2) : is_bad_rotation(def, t)))
      continue;
    snprintf(text, size, "the motion that drives the %s (%s), or one of its derivatives, is not finite at t = %.6g",
             end == WY_START ? "start" : "end", k < 3 ? "position" : "rotation", t);
    return true;
  }
  return false;
}

/* The flow of a fluid that is no number at a point where the view shows the rod. */
static bool bad_flow(const wy_system *system, double t, char *text, size_t size) {
  const wy_rod_def *rod = wy_model_rod(system->model, system->rod);
  const wy_points *points = &system->view.position;
  for (int i = 0; wy_fluid_acts(rod) && i < points->count; i++) {
    const double *x = points->values + 3 * (size_t)i;
    double velocity[3], gradient[9], rate[3], sum = 0;
    wy_flow_at(&rod->fluid.velocity, x, t, velocity, gradient, rate);
    for (int k = 0; k < 9; k++)
      sum += gradient[k] + velocity[k % 3] + rate[k % 3];
    if (isfinite(sum))
      continue;
    snprintf(text, size, "the velocity of the fluid, or its slope, is not finite at (%.6g, %.6g, %.6g), t = %.6g", x[0],
             x[1], x[2], t);
    return true;
  }
  return false;
}

/* The load, actuator or driven end of a rod that is no number at time t; what the user has set between steps always is
 * one. */
static bool bad_signal_on(const wy_system *system, double t, char *text, size_t size) {
  const wy_model *model = system->model;
  for (int i = 0; i < wy_model_rod_load_count(model, system->rod); i++)
    if (!(system->load_overrides && system->load_overrides[i].set) &&
        bad_load(model, wy_model_rod_load_number(model, system->rod, i), t, text, size))
      return true;
  for (int i = 0; i < wy_model_rod_actuator_count(model, system->rod); i++)
    if (!(system->actuator_overrides && system->actuator_overrides[i].set) &&
        is_bad(&wy_model_rod_actuator(model, system->rod, i)->force, 0, t, 0)) {
      char path[WY_ENTRY_PATH];
      wy_model_actuator_path(model, wy_model_rod_actuator_number(model, system->rod, i), path);
      snprintf(text, size, "the force of %s is not finite at t = %.6g", path, t);
      return true;
    }
  if (bad_flow(system, t, text, size))
    return true;
  return bad_end(wy_model_rod(model, system->rod), WY_START, t, text, size) ||
         bad_end(wy_model_rod(model, system->rod), WY_END, t, text, size);
}

static bool bad_signal(const wy_system *system, double t, char *text, size_t size) {
  bool found = false;
  for (int i = 0; i < wy_part_count(system) && !found; i++)
    found = bad_signal_on(wy_part(system, i), t, text, size);
  for (int i = 0, load = -1; system->parts && load > -2 && !found; i++) {
    load = wy_group_model_load(system, i);
    found = load >= 0 && bad_load(system->model, load, t, text, size);
  }
  return found;
}

/* f(t,u) with the last good state. */
static bool is_finite_at(wy_integrator *self, double t) {
  wy_system *system = self->system;
  system->type->rhs(system, t, self->u, self->f, NULL);
  self->type->invalidate(self, true);
  return wy_is_finite(system, self->f);
}

/* From the last good time on, up to the end of the step or, where steps have become very short, a little beyond:
   methods whose steps adapt look ahead for derivatives by time. */
static bool find_bad_signal(const wy_integrator *self, double h, char *text, size_t size) {
  const double t = self->now->t, ahead = self->type->info->fixed_step ? h : fmax(h, 1e-7 * (1 + fabs(t)));
  bool found = false;
  for (int i = 0; i <= TIMES && !found; i++)
    found = bad_signal(self->system, t + ahead * i / TIMES, text, size);
  return found;
}

bool wy_drive_meets_bad_signal(const wy_integrator *self, double h) {
  char unread[400];
  return find_bad_signal(self, h, unread, sizeof unread);
}

static bool is_finite(wy_integrator *self, double h) {
  bool finite = self->type->info->fixed_step || self->rejection != WY_BY_NAN;
  for (int i = 0; i <= TIMES && finite && self->system->type->rhs; i++)
    finite = is_finite_at(self, self->now->t + h * i / TIMES);
  return finite;
}

/* What the method could not do. */
static const char *what_failed(const wy_integrator *self) {
  if (self->type->strides && self->rejection == WY_BY_ERROR)
    return "the prediction misses the motion by more than 0.05 rad, or as much strain, even in a small part of the "
           "step";
  if (self->type->info->fixed_step && !self->type->info->implicit)
    return "the state grows beyond all bounds: the fixed step is too long for an explicit method";
  if (self->type->info->fixed_step)
    return "Newton's method does not converge, not even for a small part of the step";
  switch (self->rejection) {
  case WY_BY_NEWTON:
    return "Newton's method does not converge, however short the step";
  case WY_BY_SINGULARITY:
    return "the matrix of the step is singular, however short the step";
  default:
    return "the error stays above the tolerance, however short the step";
  }
}

static const char *what_is_infinite(const wy_integrator *self) {
  const wy_system *system = self->system;
  bool linear = true;
  for (int i = 0; i < wy_part_count(system); i++)
    linear = linear && wy_model_rod(system->model, wy_part(system, i)->rod)->law.kind == WY_LINEAR_LAW;
  return linear ? "forces are not finite there, or grow without bound"
                : "forces are not finite there: a strain may be outside the range of the material law";
}

/* Where the place on the rod does not tell. */
static const char *what_to_try(const wy_integrator *self) {
  if (self->type->info->fixed_step)
    return "more segments, damping, or a smaller solver.step";
  return self->rejection == WY_BY_ERROR ? "a larger solver.tolerance, damping, or another integrator"
                                        : "more segments, damping, or another integrator";
}

/* A fixed step may be too long for the motion, even in pieces of h: then nothing is wrong with the rod. */
static bool is_too_long(const wy_integrator *self, double h, char *text, size_t size) {
  const wy_system *system = self->system;
  double scale = (double)INFINITY;
  for (int i = 0; i < wy_part_count(system) && self->type->info->fixed_step; i++)
    scale = fmin(scale, wy_model_time_scale(system->model, wy_part(system, i)->rod, self->end));
  const double best = wy_default_step(scale, self->end);
  if (h <= best)
    return false;
  snprintf(text, size, "the step %.3g is too long for %s (time scale of %s motion: %.3g): try solver.step %.2g or less",
           self->now->h, system->parts ? "these rods" : "this rod", system->parts ? "their" : "its", scale, best);
  return true;
}

wy_status wy_drive_give_up(wy_integrator *self, double h, const char *what, wy_message *message) {
  wy_system *system = self->system;
  char rest[640], where[400] = "";
  const double t = self->now->t;
  if (!what && self->rejection == WY_BY_CONTACT && wy_system_explain(system, t, rest, sizeof rest))
    return wy_fail(message, WY_ERROR_SOLVER, "%s", rest);
  if (find_bad_signal(self, h, where, sizeof where)) {
    snprintf(rest, sizeof rest, "%s: check its expression there", where);
  } else {
    bool finite = is_finite(self, h), told = (finite && is_too_long(self, h, where, sizeof where)) ||
                                             system->type->diagnose(system, t, self->u, where, sizeof where);
    const char *cause = !finite ? what_is_infinite(self) : what ? what : what_failed(self);
    snprintf(rest, sizeof rest, "%s; %s%s%s", cause, where, told ? "" : "; try ", told ? "" : what_to_try(self));
  }
  return wy_fail(message, WY_ERROR_SOLVER, "%s '%s': %s cannot continue at t = %.9g (step %.3g): %s",
                 wy_system_noun(system), wy_system_name(system), self->type->info->name, t, h, rest);
}
