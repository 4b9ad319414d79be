/* SPDX-License-Identifier: MIT */
/* What a group shows of a state: reactions, energy and momenta, bodies, joints and springs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "network/group.h"
#include "network/inside.h"
#include "network/mixed.h"
#include "scheme/contacts.h"

/* On the end vertex and the share of the frame, to move them as the hub does against what the rod does to them. */
static void react(wy_group *self, wy_group_port *port) {
  const wy_group_hub *hub = &self->hubs[port->hub];
  const wy_group_rod_part *rod = &self->rods[port->rod];
  const wy_m3 frame = wy_rotation(port->hold.q);
  const wy_v3 a = wy_hub_point_acceleration(&hub->at, port->hold.c, hub->a, hub->alpha), share = wy_at3(port->share);
  wy_v3 needs = wy_minus(wy_times(port->mass, a), wy_times(port->weighed, wy_at3(self->gravity)));
  double force[3], moment[3] = {0, 0, 0};
  wy_put3(force, wy_minus(needs, wy_at3(port->wrench.force)));
  if (port->hold.turns) {
    const wy_v3 om = wy_apply_transposed(frame, hub->at.omega), alpha = wy_apply_transposed(frame, hub->alpha);
    const wy_v3 spin = wy_plus(wy_each(share, alpha), wy_cross(om, wy_each(share, om)));
    wy_put3(moment, wy_apply(hub->at.r, wy_apply(frame, wy_minus(spin, wy_at3(port->wrench.torque)))));
  }
  wy_copy3(force, port->reaction[0]);
  wy_copy3(moment, port->reaction[1]);
  rod->ports->react(rod->system, port->piece, port->end, force, moment);
}

/* Is this what the ports show already? A state that has the same hubs and the same rod is the same. */
static bool is_shown(const wy_group *self, int part, double t, const double *u) {
  const wy_group_rod_part *rod = &self->rods[self->parts[part].first];
  const size_t size = (size_t)self->base.parts[part]->size;
  const size_t hubs = (size_t)(WY_HUB_ENTRIES * self->hub_stride + 2 * self->angle_stride) * sizeof *u;
  return self->shows && self->shown_time == t &&
         memcmp(self->shown + self->hub_offset, u + self->hub_offset, hubs) == 0 &&
         memcmp(self->shown + rod->offset, u + rod->offset, size * sizeof *u) == 0;
}

/* With what the hubs exert on the ends, which needs the accelerations of all of the group: for all rods at once. */
static void show(wy_group *self, double t, const double *u) {
  wy_system *system = &self->base;
  system->type->rhs(system, t, u, self->work, NULL);
  if (self->articulated)
    wy_group_swing_ends(self);
  for (int i = 0; i < self->port_count; i++)
    react(self, &self->ports[i]);
  memcpy(self->shown, u, (size_t)system->size * sizeof *u);
  self->shown_time = t;
  self->shows = true;
}

void wy_group_place_ports(wy_system *system, int part, double t, const double *u) {
  wy_group *self = (wy_group *)system;
  wy_group_carry(system, t, u, WY_NOW);
  if (!is_shown(self, part, t, u))
    show(self, t, u);
}

/* The same for what belongs to no rod. */
static void show_all(wy_group *self, double t, const double *u) {
  if (!self->shows || self->shown_time != t || memcmp(self->shown, u, (size_t)self->base.size * sizeof *u) != 0)
    show(self, t, u);
}

static wy_hub_motion in_space(const wy_group *self, double t, const double *u, int hub) {
  wy_hub_motion at = wy_group_hub_at(self, t, u, hub);
  at.x = wy_plus(at.x, wy_at3(self->origin));
  return at;
}

double wy_group_level(const wy_system *system) {
  if (wy_is_mixed_group(system))
    return wy_mixed_group_level(system);
  const wy_group *self = (const wy_group *)system;
  double weighed = 0;
  for (int i = 0; i < self->hub_count; i++)
    weighed += self->hubs[i].inertia.weighed;
  return -weighed * wy_dot3(wy_model_gravity(system->model), self->origin);
}

void wy_group_hub_energy(wy_system *system, double t, const double *u, wy_energy *energy) {
  if (wy_is_mixed_group(system)) {
    wy_mixed_group_hub_energy(system, u, energy);
    return;
  }
  wy_group *self = (wy_group *)system;
  memset(energy, 0, sizeof *energy);
  wy_group_place(self, t, u);
  wy_group_stretch_springs(self);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    energy->kinetic += wy_hub_kinetic(&hub->inertia, &hub->at);
    energy->gravity += wy_hub_gravity(&hub->inertia, &hub->at, wy_model_gravity(system->model));
  }
  for (int i = 0; i < self->spring_count; i++)
    energy->elastic += wy_spring_energy(self->springs[i].def, &self->springs[i].pull);
  energy->elastic += wy_group_joint_energy(self);
  energy->elastic += wy_conditions_energy(self);
}

void wy_group_energy(wy_system *system, double t, const double *u, wy_energy *energy) {
  wy_group *self = (wy_group *)system;
  wy_group_hub_energy(system, t, u, energy);
  for (int i = 0; i < self->rod_count; i++) {
    wy_energy part = {0};
    self->rods[i].system->type->energy(self->rods[i].system, t, u + self->rods[i].offset, &part);
    energy->kinetic += part.kinetic, energy->elastic += part.elastic;
    energy->gravity += part.gravity, energy->work += part.work;
    energy->contact += part.contact;
  }
}

void wy_group_hub_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum) {
  if (wy_is_mixed_group(system)) {
    wy_mixed_group_hub_momentum(system, u, momentum);
    return;
  }
  const wy_group *self = (const wy_group *)system;
  memset(momentum, 0, sizeof *momentum);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_hub_motion at = in_space(self, t, u, i);
    wy_hub_add_momentum(&self->hubs[i].inertia, &at, momentum);
  }
  if (momentum->mass > 0)
    wy_put3(momentum->centre_of_mass, wy_times(1 / momentum->mass, wy_at3(momentum->centre_of_mass)));
}

static wy_hub_inertia end_inertia(const wy_group_port *port) {
  wy_hub_inertia inertia = {.has_frame = true};
  double c[3], q[4];
  wy_put3(c, port->hold.c);
  wy_put4(q, port->hold.q);
  wy_hub_add_mass(&inertia, port->mass, port->weighed, c);
  if (port->hold.turns)
    wy_hub_add_share(&inertia, port->share, q);
  return inertia;
}

void wy_group_add_ends(wy_system *system, int part, double t, const double *u, wy_energy *energy,
                       wy_momentum *momentum) {
  if (wy_is_mixed_group(system))
    return; /* whose rods leave nothing out */
  wy_group *self = (wy_group *)system;
  const wy_group_part *of = &self->parts[part];
  wy_v3 moment = wy_times(momentum->mass, wy_at3(momentum->centre_of_mass));
  for (int i = 0; i < 2 * of->count; i++) {
    const int index = self->rods[of->first + i / 2].port[i % 2];
    if (index < 0)
      continue;
    const wy_group_port *port = &self->ports[index];
    const wy_hub_inertia inertia = end_inertia(port);
    const wy_hub_motion at = in_space(self, t, u, port->hub);
    wy_momentum own = {0};
    energy->kinetic += wy_hub_kinetic(&inertia, &at);
    energy->gravity += wy_hub_gravity(&inertia, &at, wy_model_gravity(system->model));
    wy_hub_add_momentum(&inertia, &at, &own);
    momentum->mass += own.mass;
    wy_add3(momentum->linear, 1, own.linear);
    wy_add3(momentum->angular, 1, own.angular);
    moment = wy_plus(moment, wy_at3(own.centre_of_mass));
  }
  if (momentum->mass > 0)
    wy_put3(momentum->centre_of_mass, wy_times(1 / momentum->mass, moment));
}

/* The first rod that has something to say, by its name. */
bool wy_group_diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  wy_group *self = (wy_group *)system;
  wy_group_place(self, t, u);
  text[0] = 0;
  if (wy_conditions_blame(self, text, size))
    return true;
  for (int i = 0; i < self->rod_count; i++) {
    wy_system *rod = self->rods[i].system;
    const int used = snprintf(text, size, "rod '%s': ", wy_model_rod(system->model, self->rods[i].rod)->name);
    if (used < 0 || (size_t)used >= size)
      break;
    if (rod->type->diagnose(rod, t, u + self->rods[i].offset, text + used, size - (size_t)used) && text[used])
      return true;
    if (text[used] == 0)
      text[0] = 0;
  }
  return false;
}

void wy_group_reaction(wy_system *system, double t, const double *u, int rod, double s, double force[3],
                       double moment[3]) {
  wy_group *self = (wy_group *)system;
  const double near = WY_SAME_PLACE * wy_model_rod(system->model, rod)->length;
  memset(force, 0, 3 * sizeof *force), memset(moment, 0, 3 * sizeof *moment);
  show_all(self, t, u);
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    if (self->rods[port->rod].rod != rod || fabs(port->s - s) > near)
      continue;
    wy_add3(force, 1, port->reaction[0]);
    wy_add3(moment, 1, port->reaction[1]);
  }
}

void wy_group_body(const wy_system *system, double t, const double *u, int body, double place[3], double frame[4],
                   double velocity[3], double omega[3]) {
  if (wy_is_mixed_group(system)) {
    wy_mixed_group_body(system, u, body, place, frame, velocity, omega);
    return;
  }
  const wy_group *self = (const wy_group *)system;
  for (int i = 0; i < self->hub_count; i++) {
    if (self->hubs[i].def->body != body)
      continue;
    const wy_hub_motion at = in_space(self, t, u, i);
    wy_put3(place, at.x);
    wy_put4(frame, at.unit);
    wy_put3(velocity, at.v);
    wy_put3(omega, at.omega);
  }
}

void wy_group_holding(wy_system *system, double t, const double *u, int body, double force[3], double moment[3]) {
  if (wy_is_mixed_group(system)) {
    wy_mixed_group_holding(system, t, u, body, force, moment);
    return;
  }
  wy_group *self = (wy_group *)system;
  show_all(self, t, u);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    if (hub->def->body != body)
      continue;
    wy_v3 push, torque;
    wy_group_hub_holding(self, i, &push, &torque);
    wy_put3(force, push);
    wy_put3(moment, wy_apply(hub->at.r, torque));
  }
}

void wy_group_add_joint(wy_system *system, double t, const double *u, int joint, int part, double force[3],
                        double moment[3]) {
  if (wy_is_mixed_group(system))
    return;
  wy_group *self = (wy_group *)system;
  show_all(self, t, u);
  wy_conditions_add_joint(self, joint, part, force, moment);
}

bool wy_group_angle(wy_system *system, double t, const double *u, int joint, int part, double *angle, double *rate) {
  if (wy_is_mixed_group(system))
    return false;
  wy_group *self = (wy_group *)system;
  show_all(self, t, u);
  return wy_conditions_angle(self, joint, part, angle, rate);
}

bool wy_group_depends(wy_system *system, double t, const double *u, char *text, size_t size) {
  if (size > 0)
    text[0] = 0;
  if (system->type != &wy_group_type)
    return false;
  wy_group *self = (wy_group *)system;
  show_all(self, t, u);
  return wy_conditions_describe(self, text, size);
}

wy_spring_pull wy_group_pull(wy_system *system, double t, const double *u, int spring) {
  if (wy_is_mixed_group(system))
    return wy_mixed_group_pull(system, u, spring);
  wy_group *self = (wy_group *)system;
  int index = 0;
  show_all(self, t, u);
  while (self->def->springs[index] != spring)
    index++;
  return self->springs[index].pull;
}
