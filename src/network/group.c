/* SPDX-License-Identifier: MIT */
/* A group in motion: rods with their hubs as supports, then the hubs with what the rods do to them (N1)-(N5); and what
   changes between steps. Where it begins is in group_start.c, what it shows in group_shown.c. */
#include "network/group.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "network/inside.h"
#include "network/mixed.h"

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
  wy_carriers_place(self);
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

void wy_group_stretch_springs(wy_group *self) {
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
  wy_group_stretch_springs(self);
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

void wy_group_hub_holding(const wy_group *self, int index, wy_v3 *force, wy_v3 *torque) {
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
  wy_group_hub_holding(self, drive_of->hub, &force, &torque);
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
  wy_carriers_add_loads(self, power);
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
  const int status = part->system->type->rhs(part->system, at->t, at->u + part->offset, at->f + part->offset,
                                             at->power ? part->power : NULL);
  wy_carriers_press(self, rod, at->u + part->offset);
  return status;
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

const wy_system_type wy_group_type = {
    .name = "group",
    .rhs = rhs,
    .jacobian = wy_group_jacobian,
    .stride = &wy_group_stride,
    .factor = wy_group_factor,
    .factor_complex = wy_group_factor_complex,
    .solve = wy_group_solve,
    .solve_complex = wy_group_solve_complex,
    .initial = wy_group_initial,
    .project = project,
    .next_break = next_break,
    .depends_on_time = depends_on_time,
    .enter = enter,
    .refresh = wy_group_refresh,
    .place_ports = wy_group_place_ports,
    .carry = wy_group_carry,
    .energy = wy_group_energy,
    .diagnose = wy_group_diagnose,
    .statics = &wy_group_statics,
};
