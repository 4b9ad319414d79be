/* SPDX-License-Identifier: MIT */
/* What changes in time is looked at before it is stepped over. Error estimates know a load by what it is at the few
   times at which a step evaluates it: a rod at rest would step over a short pulse without noticing. So signals are
   sampled ahead of the steps, much closer than steps are long, and no step goes beyond where a smooth curve through
   five of the samples would still show the rest of them (docs/theory/integrators.md, "What changes in time"). */
#include <math.h>

#include "integrate/driver.h"
#include "math/vec3.h"
#include "model/contact.h"
#include "model/rotation.h"
#include "network/group.h"
#include "scheme/applied.h"
#include "scheme/fluid.h"

enum {
  QUARTER = 64,          /* most samples between two of the five points */
  SAMPLES = 4 * QUARTER, /* ahead of the present time, at equal distances */
  PLACES = 5             /* along a load that depends on s */
};
static const double misfit = 0.01;     /* of the curve, over what the signal changes by */
static const double least_share = 0.1; /* of the tolerance: what moves the rod by less over the samples is not seen */
static const double longest_share = 0.01; /* of the run that is looked at in one go */
static const double scale_share = 0.1;    /* and of the time scale of the rod, or of the time passed */

static bool any_depends(const wy_signal *signals, int count) {
  bool any = false;
  for (int i = 0; i < count; i++)
    any = any || wy_signal_depends(&signals[i], WY_TIME);
  return any;
}

static bool turns(const wy_end *end) {
  const wy_signal *signals[WY_ROTATION_SIGNALS];
  bool any = false;
  for (int i = wy_end_rotation_signals(end, signals) - 1; i >= 0; i--)
    any = any || any_depends(signals[i], 1);
  return any;
}

bool wy_watch_needed(const wy_model *model, int rod) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  bool any = false;
  for (int e = 0; e < 2; e++)
    any = any || any_depends(def->ends[e].path, 3) || turns(&def->ends[e]);
  for (int i = 0; i < wy_model_rod_load_count(model, rod) && !any; i++) {
    const wy_load_def *load = wy_model_rod_load(model, rod, i);
    any = any_depends(load->force, 3) || any_depends(load->moment, 3);
  }
  for (int i = 0; i < wy_model_rod_actuator_count(model, rod) && !any; i++)
    any = any_depends(&wy_model_rod_actuator(model, rod, i)->force, 1);
  for (int i = 0; i < wy_model_obstacle_count(model) && !any && wy_rod_touches(model, rod); i++)
    any = any_depends(wy_model_obstacle(model, i)->position, 3) || any_depends(&wy_model_obstacle(model, i)->angle, 1);
  return any || (wy_fluid_drags(def) && wy_flow_depends(&def->fluid.velocity, WY_TIME));
}

bool wy_watch_body_needed(const wy_model *model, int load) {
  const wy_load_def *def = wy_model_load(model, load);
  return def->place == WY_AT_BODY && (any_depends(def->force, 3) || any_depends(def->moment, 3));
}

/* ---- One signal ---- */

/* What is looked at, and how many samples of it steps may go over. */
typedef struct outlook {
  double t, ahead, last; /* samples lie from t to t + ahead, but not behind `last` */
  double reach;          /* over which what is seen moves the rod */
  int clear;
  double length;
  double mass, rotary; /* of the whole rod */
  double least;        /* displacement that counts */
} outlook;

/* The polynomial of degree 4 through f at 0, m, 2m, 3m, 4m. */
static double curve_at(const double *f, int m, double x) {
  double sum = 0;
  for (int i = 0; i <= 4; i++) {
    double basis = 1;
    for (int j = 0; j <= 4; j++)
      basis *= j == i ? 1 : (x - j) / (i - j);
    sum += basis * f[i * m];
  }
  return sum;
}

/* Do five of the first 4 m samples show all of them? */
static bool shows_all(const double *f, int m, double least) {
  double low = f[0], high = f[0];
  for (int i = 1; i <= 4 * m; i++)
    low = fmin(low, f[i]), high = fmax(high, f[i]);
  if (!(high - low > least))
    return true;
  for (int i = 1; i < 4 * m; i++)
    if (i % m != 0 && fabs(f[i] - curve_at(f, m, (double)i / m)) > misfit * (high - low))
      return false;
  return true;
}

/* Of the first five samples: up to where there is no jump, but one sample at least. */
static int before_jump(const double *f, double least) {
  double low = f[0], high = f[0];
  for (int i = 1; i <= 4; i++)
    low = fmin(low, f[i]), high = fmax(high, f[i]);
  for (int i = 0; i < 4 && high - low > least; i++)
    if (fabs(f[i + 1] - f[i]) > 0.5 * (high - low))
      return i > 0 ? i : 1;
  return 4;
}

/* `effect`: how far a unit of the signal moves the rod over the samples. */
static void look_at(const wy_signal *signal, double s, double effect, outlook *out) {
  double f[SAMPLES + 1];
  if (!wy_signal_depends(signal, WY_TIME))
    return;
  if (out->clear < 4)
    return;
  for (int i = 0; i <= out->clear; i++)
    f[i] = wy_signal_value(signal, s, fmin(out->t + out->ahead * i / SAMPLES, out->last));
  int good = 1, most = out->clear / 4;
  const double least = out->least / effect;
  if (most > 1 && shows_all(f, most, least))
    return;
  while (most - good > 1) {
    int middle = (good + most) / 2;
    *(shows_all(f, middle, least) ? &good : &most) = middle;
  }
  out->clear = good > 1 ? 4 * good : before_jump(f, least);
}

/* ---- All of a rod ---- */

/* Without a rod: on a body. */
static void look_at_load(const wy_rod_def *rod, const wy_load_def *load, outlook *out) {
  const double force = out->reach * out->reach / out->mass, turn = out->reach * out->reach / out->rotary;
  const bool along = load->place == WY_ALONG;
  for (int k = 0; k < 3; k++)
    for (int p = 0; p < (along ? PLACES : 1); p++) {
      const double span = along ? load->to - load->from : 1;
      const double s = along ? load->from + span * (p + 0.5) / PLACES : rod ? wy_load_arc(rod, load) : 0;
      look_at(&load->force[k], s, span * force, out);
      look_at(&load->moment[k], s, span * turn * out->length, out);
    }
}

/* By how much a unit of a component turns the end. Quaternions and directors are divided by their length. */
static double turn_effect(const wy_end *end, const outlook *out) {
  const wy_signal *signals[WY_ROTATION_SIGNALS];
  double square = 0;
  if (end->rotation_by == WY_BY_ANGLE)
    return 1;
  for (int i = wy_end_rotation_signals(end, signals) - 1; i >= 0; i--)
    square += pow(wy_signal_value(signals[i], 0, out->t), 2);
  return 2 / sqrt(square);
}

static void look_at_ends(const wy_rod_def *rod, outlook *out) {
  for (int e = 0; e < 2; e++) {
    const wy_end *end = &rod->ends[e];
    for (int k = 0; k < 3 && out->t < end->release; k++)
      if (end->position[k] == WY_DRIVEN)
        look_at(&end->path[k], 0, 1, out);
    const wy_signal *signals[WY_ROTATION_SIGNALS];
    const int turns = end->rotation == WY_DRIVEN && out->t < end->release ? wy_end_rotation_signals(end, signals) : 0;
    for (int k = 0; k < turns; k++)
      look_at(signals[k], 0, turn_effect(end, out) * out->length, out);
  }
}

/* One component of the flow where a point of the undeformed rod is. */
typedef struct flow_part {
  const wy_flow *flow;
  double place[3];
  int component;
} flow_part;

static void flow_at(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const flow_part *part = context;
  double velocity[3], gradient[9], rate[3];
  (void)wrt, (void)s;
  wy_flow_at(part->flow, part->place, t, velocity, gradient, rate);
  jet[0] = velocity[part->component], jet[1] = rate[part->component], jet[2] = 0;
}

/* A change of the flow moves the rod by no more than itself: at that speed, over what is looked at. */
static void look_at_flow(const wy_rod_def *rod, outlook *out) {
  for (int k = 0; k < 3; k++)
    for (int p = 0; p < PLACES; p++) {
      flow_part part = {.flow = &rod->fluid.velocity, .component = k};
      double frame[4];
      wy_reference_at(rod, rod->length * (p + 0.5) / PLACES, part.place, frame);
      wy_add3(part.place, 1, rod->shape.origin);
      const wy_signal signal = {0, flow_at, &part, WY_TIME};
      look_at(&signal, 0, out->reach, out);
    }
}

/* What an obstacle is moved by, it may move the rod by. */
static void look_at_obstacles(const wy_model *model, outlook *out) {
  for (int i = 0; i < wy_model_obstacle_count(model); i++) {
    const wy_obstacle_def *obstacle = wy_model_obstacle(model, i);
    for (int k = 0; k < 3; k++)
      look_at(&obstacle->position[k], 0, 1, out);
    look_at(&obstacle->angle, 0, out->length, out);
  }
}

/* How long ahead: a share of the run, and not much longer than what the rod itself does, or than it has been moving. */
static double horizon(const wy_integrator *self) {
  double own = fmax(scale_share * self->watched_scale, scale_share * self->now->t);
  return fmin(fmin(longest_share * self->end, own), self->end - self->now->t);
}

static void look_at_rod(const wy_system *system, double relative, outlook *out) {
  const wy_model *model = system->model;
  const wy_rod_def *rod = wy_model_rod(model, system->rod);
  const wy_section_values section = wy_section_at(rod, 0.5 * rod->length);
  out->length = rod->length;
  out->mass = section.mass * rod->length;
  out->rotary = fmin(fmin(section.rotary[0], section.rotary[1]), section.rotary[2]) * rod->length;
  out->least = least_share * relative * rod->length;
  look_at_ends(rod, out);
  if (wy_rod_touches(model, system->rod))
    look_at_obstacles(model, out);
  if (wy_fluid_drags(rod) && wy_flow_depends(&rod->fluid.velocity, WY_TIME))
    look_at_flow(rod, out);
  for (int i = 0; i < wy_model_rod_load_count(model, system->rod); i++)
    if (!(system->load_overrides && system->load_overrides[i].set))
      look_at_load(rod, wy_model_rod_load(model, system->rod, i), out);
  for (int i = 0; i < wy_model_rod_actuator_count(model, system->rod); i++)
    if (!(system->actuator_overrides && system->actuator_overrides[i].set))
      look_at(&wy_model_rod_actuator(model, system->rod, i)->force, 0, out->reach * out->reach / out->mass, out);
}

/* Loads on bodies of a group. A body is as large as its inertia says. */
static void look_at_bodies(const wy_system *system, double relative, outlook *out) {
  for (int i = 0, number = -1; number > -2; i++) {
    number = wy_group_model_load(system, i);
    if (number < 0)
      continue;
    const wy_load_def *load = wy_model_load(system->model, number);
    const wy_body_def *body = wy_model_body(system->model, load->body);
    out->mass = body->mass;
    out->rotary = fmin(fmin(body->inertia[0], body->inertia[1]), body->inertia[2]);
    out->length = sqrt((body->inertia[0] + body->inertia[1] + body->inertia[2]) / body->mass);
    out->least = least_share * relative * out->length;
    look_at_load(NULL, load, out);
  }
}

/* The time up to which steps may go. Nothing is sampled beyond the end of the run, or of a support's motion: signals
   need not be defined there. */
static double look_ahead(const wy_integrator *self) {
  const wy_system *system = self->system;
  const double last = fmin(self->end, system->type->next_break(system)), left = last - self->now->t;
  if (left <= SAMPLES * WY_GRID_RESOLUTION * self->now->t) /* samples so close would be the same */
    return last;
  outlook out = {.t = self->now->t, .last = last, .reach = horizon(self), .clear = SAMPLES};
  out.ahead = fmin(out.reach, left);
  for (int i = 0; i < wy_part_count(system); i++)
    look_at_rod(wy_part(system, i), self->relative, &out);
  if (system->parts)
    look_at_bodies(system, self->relative, &out);
  return out.clear == SAMPLES && out.ahead == left ? last : out.t + out.ahead * out.clear / SAMPLES;
}

double wy_watch_ahead(wy_integrator *self) {
  wy_progress *now = self->now;
  if (!(self->watched_scale > 0) || self->type->info->fixed_step)
    return INFINITY;
  if (!(now->t + 2 * now->h < now->clear)) /* steps may grow before it is looked at again */
    now->clear = look_ahead(self);
  return now->clear;
}
