/* SPDX-License-Identifier: MIT */
/* Where a group begins: hubs as they are drawn, and velocities that fit at joints. */
#include <math.h>
#include <string.h>

#include "network/inside.h"

/* The momentum that the rod ends on a hub begin with, about its origin and in its axes. */
static void momentum_of(const wy_group *self, int index, double momentum[6]) {
  const wy_group_hub *hub = &self->hubs[index];
  const wy_m3 r = wy_rotation(wy_at4(hub->def->frame));
  memset(momentum, 0, 6 * sizeof *momentum);
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    if (port->hub != index)
      continue;
    const wy_rod_def *rod = wy_model_rod(self->base.model, self->rods[port->rod].rod);
    const double s = port->s;
    double v[3], om[3];
    for (int k = 0; k < 3; k++) {
      v[k] = wy_signal_value(&rod->initial.velocity[k], s, 0);
      om[k] = wy_signal_value(&rod->initial.angular_velocity[k], s, 0);
    }
    const wy_v3 push = wy_times(port->mass, wy_apply_transposed(r, wy_at3(v)));
    const wy_v3 spin = wy_apply(wy_rotation(port->hold.q), wy_each(wy_at3(port->share), wy_at3(om)));
    wy_put3(momentum, wy_plus(wy_at3(momentum), push));
    wy_put3(momentum + 3, wy_plus(wy_at3(momentum + 3), wy_plus(wy_cross(port->hold.c, push), spin)));
  }
}

/* The velocities of a hub without a body that are nearest to those of the rod ends on it, in the metric of its mass. */
static void project_start(const wy_group *self, int index, wy_v3 *velocity, wy_v3 *omega) {
  const wy_group_hub *hub = &self->hubs[index];
  double momentum[6], out[6] = {0};
  momentum_of(self, index, momentum);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      out[i] += hub->inertia.inverse[i][j] * momentum[j];
  *velocity = wy_apply(wy_rotation(wy_at4(hub->def->frame)), wy_at3(out));
  *omega = hub->inertia.has_frame ? wy_at3(out + 3) : (wy_v3){0, 0, 0};
  const bool *held = hub->inertia.held;
  *velocity = (wy_v3){held[0] ? 0 : velocity->x, held[1] ? 0 : velocity->y, held[2] ? 0 : velocity->z};
  *omega = wy_times(held[3] ? 0 : 1, *omega);
}

/* What a body begins with. */
static void body_start(const wy_group *self, int index, wy_v3 *velocity, wy_v3 *omega) {
  const wy_group_hub *hub = &self->hubs[index];
  const wy_body_def *body = wy_model_body(self->base.model, hub->def->body);
  wy_hub_motion at = hub->at;
  wy_v3 a, alpha;
  at.v = wy_at3(body->velocity), at.omega = wy_at3(body->angular_velocity);
  if (hub->drive >= 0)
    wy_drive_put(&self->drives[hub->drive], 0, &at, &a, &alpha);
  *velocity = at.v, *omega = at.omega;
}

/* The same where hubs depend on each other; all of them are placed at rest. Velocities into `a` and `alpha`. */
static void project_all(wy_group *self) {
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    double momentum[6];
    hub->load = (wy_hub_load){{0, 0, 0}, {0, 0, 0}};
    if (hub->parent >= 0 && hub->def->driven) {
      wy_group_drive(self, hub, 0, &hub->sub);
      hub->sub.acceleration = hub->sub.rate;
    }
    hub->sub.rate = hub->sub.torque = 0;
    if (hub->block >= 0 && hub->def->body >= 0) {
      body_start(self, i, &hub->load.force, &hub->load.torque);
    } else if (hub->drive >= 0) {
      body_start(self, i, &hub->a, &hub->alpha);
    } else if (hub->reach.count > 0) {
      momentum_of(self, i, momentum);
      hub->load.force = wy_apply(hub->at.r, wy_at3(momentum)), hub->load.torque = wy_at3(momentum + 3);
    }
  }
  wy_group_project_start(self);
}

void wy_group_rest_hubs(wy_group *self, double *u) {
  const int n = self->hub_stride;
  double *hubs = u + self->hub_offset;
  memset(hubs, 0, (size_t)(WY_HUB_ENTRIES * n + 2 * self->angle_stride) * sizeof *hubs);
  for (int i = 0; i < n; i++)
    hubs[WY_HUB_FRAME * n + i] = 1;
  for (int i = 0; i < self->hub_count; i++) {
    const wy_hub *def = self->hubs[i].def;
    wy_store3(hubs + WY_HUB_PLACE * n, n, i, wy_minus(wy_at3(def->origin), wy_at3(self->origin)));
    wy_store4(hubs + WY_HUB_FRAME * n, n, i, wy_at4(def->frame));
  }
  wy_group_place(self, NAN, u);
  wy_group_seat(self, u);
}

void wy_group_initial(wy_system *system, double *u) {
  wy_group *self = (wy_group *)system;
  if (self->assembled) {
    memcpy(u, self->assembly, (size_t)system->size * sizeof *u);
    system->type->statics->relax(system, 0, u);
    return;
  }
  const int n = self->hub_stride;
  double *hubs = u + self->hub_offset;
  for (int i = 0; i < self->rod_count; i++)
    self->rods[i].system->type->initial(self->rods[i].system, u + self->rods[i].offset);
  wy_group_rest_hubs(self, u);
  if (self->has_mass)
    project_all(self);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    wy_v3 velocity = {0, 0, 0}, omega = {0, 0, 0};
    if (self->has_mass)
      velocity = hub->a, omega = hub->alpha;
    else if (hub->block >= 0 && hub->def->body >= 0)
      body_start(self, i, &velocity, &omega);
    else if (hub->block >= 0)
      project_start(self, i, &velocity, &omega);
    wy_store3(hubs + WY_HUB_VELOCITY * n, n, i, velocity);
    wy_store3(hubs + WY_HUB_SPIN * n, n, i, omega);
    if (hub->parent >= 0 && hub->sub.kind == WY_HUB_HINGE)
      u[self->angle_offset + self->angle_stride + hub->angle] = hub->sub.acceleration;
  }
  if (wy_conditions_hold(self)) {
    double drift[WY_DRIFTS] = {0};
    wy_conditions_project(self, 0, u, drift);
  }
  wy_group_place(self, 0, u);
  wy_group_seat(self, u);
  double drift[WY_DRIFTS] = {0};
  if (self->articulated) /* velocities as given need not be possible: the nearest that are */
    wy_group_project_constraints(self, 0, u, drift);
}
