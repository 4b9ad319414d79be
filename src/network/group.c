/* SPDX-License-Identifier: MIT */
/* A group in motion: rods with their hubs as supports, then the hubs with what the rods do to them (N1)-(N5). */
#include "network/group.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "network/inside.h"
#include "network/mixed.h"
#include "scheme/system.h"

/* ---- f(t, u) ---- */

/* The angle of a hub on its parent, by u, or by t where it is driven. */
void wy_group_turn_sub(const wy_group *self, const wy_group_hub *hub, double t, const double *u, wy_sub_hub *sub) {
  const double *angles = u + self->angle_offset;
  if (sub->kind != WY_HUB_HINGE)
    return;
  sub->angle = angles[hub->angle], sub->rate = angles[self->angle_stride + hub->angle];
  if (hub->def->driven && !isnan(t))
    wy_group_drive(self, hub, t, sub);
}

/* A hub without regard to its parent, with the accelerations of held components. */
static wy_hub_motion drive_hub(const wy_group *self, double t, const double *u, int hub, wy_v3 *a, wy_v3 *alpha) {
  wy_hub_motion at = wy_hub_at(wy_group_hubs(self, u), self->hub_stride, hub);
  *a = *alpha = (wy_v3){0, 0, 0};
  if (self->hubs[hub].drive >= 0 && !isnan(t))
    wy_drive_put(&self->drives[self->hubs[hub].drive], t, &at, a, alpha);
  return at;
}

wy_hub_motion wy_group_hub_at(const wy_group *self, double t, const double *u, int index) {
  const wy_group_hub *hub = &self->hubs[index];
  wy_v3 a, alpha;
  const wy_hub_motion at = drive_hub(self, t, u, index, &a, &alpha);
  if (hub->parent < 0)
    return at;
  const wy_hub_motion parent = drive_hub(self, t, u, hub->parent, &a, &alpha);
  wy_sub_hub sub = hub->sub;
  wy_group_turn_sub(self, hub, t, u, &sub);
  return wy_sub_at(&sub, &parent, &at);
}

void wy_group_place(wy_group *self, double t, const double *u) {
  self->shows = false;
  self->time = t;
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    hub->at = drive_hub(self, t, u, i, &hub->a, &hub->alpha);
    if (hub->parent < 0)
      continue;
    wy_group_turn_sub(self, hub, t, u, &hub->sub);
    hub->at = wy_sub_at(&hub->sub, &self->hubs[hub->parent].at, &hub->at);
  }
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    const wy_group_rod_part *rod = &self->rods[port->rod];
    wy_port_motion motion;
    wy_hub_support(&self->hubs[port->hub].at, &port->hold, rod->origin, &motion);
    memset(motion.a, 0, sizeof motion.a);
    rod->ports->move(rod->system, port->piece, port->end, &motion);
  }
  if (self->articulated)
    wy_group_start_ends(self);
}

static wy_v3 spring_end(const wy_group *self, const wy_group_spring *spring, int end, wy_v3 *velocity) {
  const wy_v3 c = spring->at[end].c;
  *velocity = (wy_v3){0, 0, 0};
  if (spring->hub[end] < 0)
    return c;
  const wy_hub_motion *at = &self->hubs[spring->hub[end]].at;
  *velocity = wy_hub_point_velocity(at, c);
  return wy_hub_point(at, c);
}

static void stretch_springs(wy_group *self) {
  for (int i = 0; i < self->spring_count; i++) {
    wy_group_spring *spring = &self->springs[i];
    wy_v3 v[2], first = spring_end(self, spring, 0, &v[0]), second = spring_end(self, spring, 1, &v[1]);
    spring->pull = wy_spring_at(spring->def, wy_minus(second, first), wy_minus(v[1], v[0]));
  }
}

/* Loads on bodies, in the axes of their definition: the force in space axes, the moment in those of the hub. */
static void load_value(const wy_group *self, const wy_group_load *load, double t, wy_v3 *force, wy_v3 *moment) {
  const wy_hub_motion *at = &self->hubs[load->hub].at;
  double given[3], turning[3];
  wy_load_value(load->def, &self->overrides[load - self->loads], 0, t, given, turning);
  const wy_v3 f = wy_times(self->load_factor, wy_at3(given)), m = wy_times(self->load_factor, wy_at3(turning));
  const bool turns = load->def->axes == WY_BODY_AXES;
  *force = turns ? wy_apply(at->r, f) : f;
  *moment = turns ? m : wy_apply_transposed(at->r, m);
}

static void add_loads(wy_group *self, double t, double *power) {
  for (int i = 0; i < self->load_count; i++) {
    const wy_group_load *load = &self->loads[i];
    wy_group_hub *hub = &self->hubs[load->hub];
    const wy_v3 c = wy_at3(load->def->point);
    wy_v3 force, moment;
    load_value(self, load, t, &force, &moment);
    wy_hub_add_force(&hub->at, c, force, &hub->load);
    hub->load.torque = wy_plus(hub->load.torque, moment);
    if (power)
      power[WY_WORK_INTEGRAL] += wy_inner(force, wy_hub_point_velocity(&hub->at, c)) + wy_inner(moment, hub->at.omega);
  }
}

static void add_springs(wy_group *self, double *power) {
  stretch_springs(self);
  for (int i = 0; i < self->spring_count; i++) {
    const wy_group_spring *spring = &self->springs[i];
    const wy_v3 force = wy_spring_force(&spring->pull);
    for (int end = 0; end < 2; end++)
      if (spring->hub[end] >= 0) {
        wy_group_hub *hub = &self->hubs[spring->hub[end]];
        wy_hub_add_force(&hub->at, spring->at[end].c, wy_times(end ? -1 : 1, force), &hub->load);
      }
    if (power)
      power[WY_DISSIPATION_INTEGRAL] += wy_spring_dissipation(spring->def, &spring->pull);
  }
}

/* What holds or drives a hub exerts on it: what is lacking, there and on the hubs that stand on it, in held components.
 */
static void holding(const wy_group *self, int index, wy_v3 *force, wy_v3 *torque) {
  const wy_group_hub *hub = &self->hubs[index];
  const bool *held = hub->inertia.held;
  wy_group_lacking(hub, force, torque);
  for (int i = index + 1; self->has_mass && i < self->hub_count; i++) {
    const wy_group_hub *child = &self->hubs[i];
    wy_v3 push, turn;
    if (child->parent != index)
      continue;
    wy_group_lacking(child, &push, &turn);
    const wy_v3 arm = wy_minus(child->at.x, hub->at.x),
                turned = wy_plus(wy_apply(child->at.r, turn), wy_cross(arm, push));
    *force = wy_plus(*force, push);
    *torque = wy_plus(*torque, wy_apply_transposed(hub->at.r, turned));
  }
  *force = (wy_v3){held[0] ? force->x : 0, held[1] ? force->y : 0, held[2] ? force->z : 0};
  *torque = wy_times(held[3] ? 1 : 0, *torque);
}

static double drive_power(const wy_group *self, const wy_drive *drive_of) {
  const wy_hub_motion *at = &self->hubs[drive_of->hub].at;
  wy_v3 force, torque;
  if (!wy_support_moves(&drive_of->supports, 0))
    return 0;
  holding(self, drive_of->hub, &force, &torque);
  return wy_inner(force, at->v) + wy_inner(torque, at->omega);
}

void wy_group_sum_loads(wy_group *self, double t, double *power) {
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    hub->load = (wy_hub_load){{0, 0, 0}, {0, 0, 0}};
    wy_hub_add_weight(&hub->inertia, &hub->at, self->gravity, &hub->load);
  }
  for (int i = 0; i < self->port_count; i++) {
    wy_group_port *port = &self->ports[i];
    const wy_group_rod_part *rod = &self->rods[port->rod];
    wy_group_hub *hub = &self->hubs[port->hub];
    rod->ports->wrench(rod->system, port->piece, port->end, &port->wrench);
    wy_hub_add_wrench(&hub->at, &port->hold, &port->wrench, &hub->load);
  }
  add_springs(self, power);
  wy_group_add_joint_springs(self, power);
  add_loads(self, t, power);
  wy_conditions_place(self, t);
  wy_conditions_add_springs(self, power);
}

void wy_group_gather(wy_group *self, double t, double *power) {
  wy_group_sum_loads(self, t, power);
  wy_group_accelerate(self);
  self->contradicts = self->condition_count > 0 && wy_conditions_take(self, &self->mass, self->y, power);
}

/* The rates of hubs, and of the ends of rods on them. */
void wy_group_write_rates(wy_group *self, double *f) {
  const int n = self->hub_stride;
  double *hubs = f + self->hub_offset, *angles = f + self->angle_offset;
  memset(hubs, 0, (size_t)(WY_HUB_ENTRIES * n + 2 * self->angle_stride) * sizeof *hubs);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    if (hub->block < 0 && hub->parent < 0 && hub->drive < 0)
      continue;
    if (hub->parent >= 0 && hub->sub.kind == WY_HUB_HINGE)
      angles[hub->angle] = hub->sub.rate, angles[self->angle_stride + hub->angle] = hub->sub.acceleration;
    wy_store3(hubs + WY_HUB_PLACE * n, n, i, hub->at.v);
    wy_store4(hubs + WY_HUB_FRAME * n, n, i, wy_qtimes(0.5, wy_times_pure(hub->at.p, hub->at.omega)));
    wy_store3(hubs + WY_HUB_VELOCITY * n, n, i, hub->a);
    wy_store3(hubs + WY_HUB_SPIN * n, n, i, hub->alpha);
  }
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    const wy_group_hub *hub = &self->hubs[port->hub];
    const wy_group_rod_part *rod = &self->rods[port->rod];
    double v[3], a[3];
    wy_put3(v, wy_hub_point_velocity(&hub->at, port->hold.c));
    wy_put3(a, wy_hub_point_acceleration(&hub->at, port->hold.c, hub->a, hub->alpha));
    rod->ports->write(rod->system, port->piece, port->end, v, a, f + rod->offset);
  }
}

/* Arguments of an evaluation, for all rods. */
typedef struct evaluation {
  double t;
  const double *u;
  double *f;
  bool power;
} evaluation;

static int rod_rhs(wy_group *self, int rod, void *context) {
  const evaluation *at = context;
  wy_group_rod_part *part = &self->rods[rod];
  memset(part->power, 0, sizeof part->power);
  return part->system->type->rhs(part->system, at->t, at->u + part->offset, at->f + part->offset,
                                 at->power ? part->power : NULL);
}

static int rhs(wy_system *system, double t, const double *u, double *f, double *power) {
  wy_group *self = (wy_group *)system;
  evaluation at = {t, u, f, power != NULL};
  if (power)
    memset(power, 0, WY_INTEGRALS * sizeof *power);
  wy_group_place(self, t, u);
  int status = wy_group_each(self, 0, self->rod_count, 15, rod_rhs, &at);
  for (int i = 0; power && i < self->rod_count; i++)
    for (int k = 0; k < WY_INTEGRALS; k++)
      power[k] += self->rods[i].power[k];
  if (self->articulated)
    wy_group_articulate(self, NULL);
  wy_group_gather(self, t, power);
  wy_group_write_rates(self, f);
  if (!status && self->contradicts)
    status = WY_RETRY;
  if (!status && self->articulated)
    status = wy_group_restrain(self, t, u, f, power);
  for (int i = 0; power && i < self->drive_count; i++)
    power[WY_WORK_INTEGRAL] += drive_power(self, &self->drives[i]);
  if (power)
    power[WY_WORK_INTEGRAL] += wy_group_drive_power(self);
  return status;
}

/* ---- States ---- */

/* What follows from a hub's parent, and driven angles. */
static void write_sub(const wy_group *self, int i, double *u) {
  const int n = self->hub_stride;
  const wy_group_hub *hub = &self->hubs[i];
  double *hubs = u + self->hub_offset, *angles = u + self->angle_offset;
  wy_store3(hubs + WY_HUB_PLACE * n, n, i, hub->at.x);
  wy_store3(hubs + WY_HUB_VELOCITY * n, n, i, hub->at.v);
  if (hub->sub.kind == WY_HUB_TURNS)
    return;
  wy_store4(hubs + WY_HUB_FRAME * n, n, i, hub->at.p);
  wy_store3(hubs + WY_HUB_SPIN * n, n, i, hub->at.omega);
  angles[hub->angle] = hub->sub.angle, angles[self->angle_stride + hub->angle] = hub->sub.rate;
}

static void write_driven(const wy_group *self, int i, double *u) {
  const int n = self->hub_stride;
  const wy_hub_motion *at = &self->hubs[i].at;
  double *hubs = u + self->hub_offset;
  wy_store3(hubs + WY_HUB_PLACE * n, n, i, at->x);
  wy_store4(hubs + WY_HUB_FRAME * n, n, i, at->p);
  wy_store3(hubs + WY_HUB_VELOCITY * n, n, i, at->v);
  wy_store3(hubs + WY_HUB_SPIN * n, n, i, at->omega);
}

/* Hubs follow from what drives them and from their parents, ends of rods from their hubs. */
void wy_group_seat(wy_group *self, double *u) {
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].parent >= 0)
      write_sub(self, i, u);
    else if (self->hubs[i].drive >= 0)
      write_driven(self, i, u);
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    const wy_hub_motion *at = &self->hubs[port->hub].at;
    const wy_group_rod_part *rod = &self->rods[port->rod];
    double x[3], v[3];
    wy_put3(x, wy_minus(wy_hub_point(at, port->hold.c), wy_at3(rod->origin)));
    wy_put3(v, wy_hub_point_velocity(at, port->hold.c));
    rod->ports->write(rod->system, port->piece, port->end, x, v, u + rod->offset);
  }
}

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

static void initial(wy_system *system, double *u) {
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

/* The length of a hub's quaternion, which f does not depend on, is one again; p' is proportional to p. */
static void scale_frame(const wy_group *self, int hub, double *u, double *f, double drift[WY_DRIFTS]) {
  const int n = self->hub_stride;
  double *p = u + self->hub_offset + WY_HUB_FRAME * n, *rate = f ? f + self->hub_offset + WY_HUB_FRAME * n : NULL;
  const wy_q4 old = wy_load4(p, n, hub);
  const double norm = sqrt(wy_qsquare(old));
  assert(!(norm <= 0));
  wy_store4(p, n, hub, wy_qtimes(1 / norm, old));
  if (rate)
    wy_store4(rate, n, hub, wy_qtimes(1 / norm, wy_load4(rate, n, hub)));
  drift[WY_DRIFT_QUATERNION] = fmax(drift[WY_DRIFT_QUATERNION], fabs(norm - 1));
}

static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  wy_group *self = (wy_group *)system;
  int out_of_date = 0;
  bool constraints = false;
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0 && self->hubs[i].def->kind != WY_HUB_HINGE)
      scale_frame(self, i, u, f, drift);
  if (wy_conditions_hold(self)) {
    out_of_date = wy_conditions_project(self, t, u, drift);
    if (out_of_date < 0)
      return out_of_date;
  }
  wy_group_place(self, t, u);
  for (int i = 0; i < self->rod_count; i++) {
    wy_system *rod = self->rods[i].system;
    const int status = rod->type->project(rod, t, u + self->rods[i].offset, f ? f + self->rods[i].offset : NULL, drift);
    if (status < 0)
      return status;
    out_of_date |= status;
    constraints = constraints || (status && self->rods[i].constrained);
  }
  wy_group_seat(self, u);
  int status = constraints ? wy_group_project_constraints(self, t, u, drift) : WY_OK;
  if (!status && constraints && wy_conditions_hold(self)) { /* each has left the other a little */
    status = wy_conditions_project(self, t, u, drift);
    status = status < 0 ? status : wy_group_project_constraints(self, t, u, drift);
  }
  return status ? status : out_of_date;
}

/* ---- Changes between steps ---- */

static double next_break(const wy_system *system) {
  const wy_group *self = (const wy_group *)system;
  double next = INFINITY;
  for (int i = 0; i < self->rod_count; i++)
    next = fmin(next, self->rods[i].system->type->next_break(self->rods[i].system));
  for (int i = 0; i < self->drive_count; i++)
    next = fmin(next, wy_support_next_release(&self->drives[i].supports));
  return fmin(next, wy_conditions_next_break(self));
}

static bool depends_on_time(const wy_system *system) {
  const wy_group *self = (const wy_group *)system;
  for (int i = 0; i < self->rod_count; i++) {
    const wy_system *rod = self->rods[i].system;
    if (!rod->type->depends_on_time || rod->type->depends_on_time(rod))
      return true;
  }
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].def->driven)
      return true;
  for (int i = 0; i < self->load_count; i++)
    if (wy_load_depends_on_time(self->loads[i].def, &self->overrides[i]))
      return true;
  for (int i = 0; i < self->drive_count; i++)
    if (wy_support_moves(&self->drives[i].supports, 0))
      return true;
  for (int i = 0; i < self->condition_count; i++)
    if (self->conditions[i].law.driven)
      return true;
  return false;
}

/* Is an entry of a hub an unknown? */
static bool counts_in(const wy_group_hub *hub, int entry) {
  const bool turn = (entry >= WY_HUB_FRAME && entry < WY_HUB_VELOCITY) || entry >= WY_HUB_SPIN;
  const int component = turn ? 3 : entry < WY_HUB_FRAME ? entry : entry - WY_HUB_VELOCITY;
  const wy_hub_kind kind = hub->def->kind;
  return hub->block >= 0 && kind != WY_HUB_HINGE && (hub->inertia.has_frame || !turn) && (kind == WY_HUB_OWN || turn) &&
         !hub->inertia.held[component];
}

static void weigh_hubs(wy_group *self, double *weight) {
  const int n = self->hub_stride;
  double *angles = weight + WY_HUB_ENTRIES * (size_t)n;
  memset(weight, 0, (size_t)(WY_HUB_ENTRIES * n + 2 * self->angle_stride) * sizeof *weight);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    for (int k = 0; k < WY_HUB_ENTRIES; k++) {
      const bool counts = counts_in(hub, k);
      weight[k * n + i] = counts;
      self->base.unknowns += counts;
    }
    if (hub->def->kind != WY_HUB_HINGE || hub->block < 0)
      continue;
    angles[hub->angle] = angles[self->angle_stride + hub->angle] = 1;
    self->base.unknowns += 2;
  }
}

/* What follows from the rods. */
static void collect(wy_group *self) {
  double *weight = (double *)self->base.weight;
  wy_system *base = &self->base;
  self->shows = false; /* what acts may be another load by now */
  base->unknowns = 0;
  base->has_power = self->load_count > 0;
  for (int i = 0; i < self->rod_count; i++) {
    const wy_system *rod = self->rods[i].system;
    memcpy(weight + self->rods[i].offset, rod->weight, (size_t)rod->size * sizeof *weight);
    base->unknowns += rod->unknowns;
    base->has_power = base->has_power || rod->has_power;
  }
  for (int i = 0; i < self->drive_count; i++) {
    wy_drive_mark(&self->drives[i], &self->hubs[self->drives[i].hub].inertia);
    base->has_power = base->has_power || wy_support_moves(&self->drives[i].supports, 0);
  }
  weigh_hubs(self, weight + self->hub_offset);
  if (self->dof_weight)
    wy_group_weigh_hubs(self);
  for (int i = 0; i < base->part_count; i++)
    if (self->parts[i].whole)
      wy_whole_refresh(self->parts[i].whole);
  for (int i = 0; i < self->spring_count; i++)
    base->has_power = base->has_power || self->springs[i].def->damping > 0;
  for (int i = 0; i < self->joint_spring_count; i++)
    base->has_power = base->has_power || self->joint_springs[i].def->damping > 0;
  for (int i = 0; i < self->hub_count; i++)
    base->has_power = base->has_power || self->hubs[i].def->driven;
  for (int i = 0; i < self->condition_count; i++)
    base->has_power = base->has_power || self->conditions[i].law.driven || self->conditions[i].joint->damping > 0;
  for (int k = 0; k < 3; k++)
    self->gravity[k] = self->load_factor * wy_model_gravity(base->model)[k];
}

void wy_group_refresh(wy_system *system) {
  wy_group *self = (wy_group *)system;
  for (int i = 0; i < self->rod_count; i++)
    self->rods[i].system->type->refresh(self->rods[i].system);
  collect(self);
}

static void enter(wy_system *system, double t) {
  wy_group *self = (wy_group *)system;
  for (int i = 0; i < self->rod_count; i++)
    self->rods[i].system->type->enter(self->rods[i].system, t);
  for (int i = 0; i < self->drive_count; i++)
    wy_support_release(&self->drives[i].supports, t);
  wy_conditions_enter(self, t);
  collect(self);
}

void wy_group_set_load(wy_system *system, int load, const double force[3], const double moment[3]) {
  if (wy_is_mixed_group(system)) {
    wy_mixed_group_set_load(system, load, force, moment);
    return;
  }
  wy_group *self = (wy_group *)system;
  for (int i = 0; i < self->load_count; i++)
    if (self->loads[i].number == load)
      wy_override_load(&self->overrides[i], force, moment);
}

int wy_group_model_load(const wy_system *system, int index) {
  if (wy_is_mixed_group(system))
    return wy_mixed_group_model_load(system, index);
  const wy_group *self = (const wy_group *)system;
  if (index >= self->load_count)
    return -2;
  return self->overrides[index].set ? -1 : self->loads[index].number;
}

wy_status wy_group_move_body(wy_system *system, int body, double t, const wy_pose *target, double duration,
                             wy_message *message) {
  wy_group *self = (wy_group *)system;
  if (wy_is_mixed_group(system))
    return wy_mixed_group_move_body(system, body, t, target, duration, message);
  for (int i = 0; i < self->drive_count; i++)
    if (self->hubs[self->drives[i].hub].def->body == body)
      return wy_support_move(&self->drives[i].supports, WY_START, t, target, duration, message);
  return wy_fail(message, WY_ERROR_INPUT, "body '%s' is free; expected one that is held or driven",
                 wy_model_body(system->model, body)->name);
}

/* ---- What leaves ---- */

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
  rhs(system, t, u, self->work, NULL);
  if (self->articulated)
    wy_group_swing_ends(self);
  for (int i = 0; i < self->port_count; i++)
    react(self, &self->ports[i]);
  memcpy(self->shown, u, (size_t)system->size * sizeof *u);
  self->shown_time = t;
  self->shows = true;
}

static void place_ports(wy_system *system, int part, double t, const double *u) {
  wy_group *self = (wy_group *)system;
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
  stretch_springs(self);
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

static void energy_of(wy_system *system, double t, const double *u, wy_energy *energy) {
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
static bool diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
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
    holding(self, i, &push, &torque);
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

const wy_system_type wy_group_type = {
    .name = "group",
    .rhs = rhs,
    .jacobian = wy_group_jacobian,
    .factor = wy_group_factor,
    .factor_complex = wy_group_factor_complex,
    .solve = wy_group_solve,
    .solve_complex = wy_group_solve_complex,
    .initial = initial,
    .project = project,
    .next_break = next_break,
    .depends_on_time = depends_on_time,
    .enter = enter,
    .refresh = wy_group_refresh,
    .place_ports = place_ports,
    .energy = energy_of,
    .diagnose = diagnose,
    .statics = &wy_group_statics,
};
