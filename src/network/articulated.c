/* SPDX-License-Identifier: MIT */
/* Groups with constrained rods: their section forces depend on the accelerations of the hubs, which depend on them
   (N9). Each rod is eliminated along its length, and what remains of it is mass on its hubs. The same matrix serves
   accelerations and the projection of places and velocities (C7). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "network/inside.h"

void wy_group_articulate(wy_group *self, double *u) {
  for (int i = 0; i < self->rod_count; i++) {
    wy_group_rod_part *rod = &self->rods[i];
    if (rod->constrained)
      rod->ports->articulate(rod->system, u ? u + rod->offset : NULL, rod->masses);
  }
}

/* How an end vertex moves with the unknowns that its hub reaches. */
typedef struct end_reach {
  double by[2][3][6];
} end_reach;

static void reach_end(const wy_group *self, const wy_group_port *port, end_reach *out) {
  const wy_group_hub *hub = &self->hubs[port->hub];
  double outer[12][12];
  wy_hub_reached t;
  wy_hub_outer(&hub->at, &port->hold, outer);
  wy_group_reach(self, hub, &t);
  memset(out, 0, sizeof *out);
  for (int n = 0; n < hub->reach.count; n++)
    for (int i = 0; i < 18; i++)
      for (int k = 0; k < 6; k++)
        out->by[n][i / 6][i % 6] += outer[6 + i / 6][6 + k] * t.by[n][k][i % 6];
}

/* The mass between two ends of a rod, to all hubs that they reach. */
static void add_between(wy_group *self, const wy_group_port *on, const wy_group_port *by, double mass[6][6]) {
  const wy_hub_reach *rows = &self->hubs[on->hub].reach, *columns = &self->hubs[by->hub].reach;
  end_reach left, right;
  reach_end(self, on, &left);
  reach_end(self, by, &right);
  for (int n = 0; n < rows->count; n++)
    for (int k = 0; k < columns->count; k++) {
      const wy_group_hub *row = &self->hubs[rows->hub[n]], *column = &self->hubs[columns->hub[k]];
      double moved[3][6] = {{0}}, block[6][6] = {{0}};
      for (int i = 0; i < 18; i++)
        for (int j = 0; j < 3; j++)
          moved[i / 6][i % 6] += mass[3 * (int)on->end + i / 6][3 * (int)by->end + j] * right.by[k][j][i % 6];
      for (int i = 0; i < 36; i++)
        for (int j = 0; j < 3; j++)
          block[i / 6][i % 6] += left.by[n][j][i / 6] * moved[j][i % 6];
      wy_hub_hold(&row->inertia, &column->inertia, block);
      wy_hub_matrix_add(&self->mass, row->block, column->block, &block[0][0], 6);
    }
}

void wy_group_add_articulated(wy_group *self) {
  for (int i = 0; i < self->rod_count; i++) {
    wy_group_rod_part *rod = &self->rods[i];
    for (int k = 0; rod->constrained && k < 4; k++)
      if (rod->port[k / 2] >= 0 && rod->port[k % 2] >= 0)
        add_between(self, &self->ports[rod->port[k / 2]], &self->ports[rod->port[k % 2]], rod->masses[0]);
  }
}

/* ---- Accelerations ---- */

static void move_end(const wy_group *self, const wy_group_port *port, wy_v3 a, wy_v3 alpha) {
  const wy_group_rod_part *rod = &self->rods[port->rod];
  const wy_hub_motion *at = &self->hubs[port->hub].at;
  wy_port_motion motion;
  wy_hub_support(at, &port->hold, rod->origin, &motion);
  wy_put3(motion.a, wy_hub_point_acceleration(at, port->hold.c, a, alpha));
  rod->ports->move(rod->system, port->piece, port->end, &motion);
}

void wy_group_start_ends(wy_group *self) {
  for (int i = 0; i < self->port_count; i++) {
    double still[6];
    if (!self->rods[self->ports[i].rod].constrained)
      continue;
    wy_group_bias(self, &self->hubs[self->ports[i].hub], still);
    move_end(self, &self->ports[i], wy_at3(still), wy_at3(still + 3));
  }
  for (int i = 0; i < self->hub_count; i++) {
    double still[6];
    wy_group_bias(self, &self->hubs[i], still);
    self->hubs[i].a_before = wy_at3(still), self->hubs[i].alpha_before = wy_at3(still + 3);
  }
}

void wy_group_swing_ends(wy_group *self) {
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_hub *hub = &self->hubs[self->ports[i].hub];
    if (self->rods[self->ports[i].rod].constrained)
      move_end(self, &self->ports[i], hub->a, hub->alpha);
  }
}

/* What hubs have accelerated by since their rods have been told. */
static void end_change(const wy_group *self, int index, double out[3]) {
  memset(out, 0, 3 * sizeof *out);
  if (index < 0)
    return;
  const wy_group_port *port = &self->ports[index];
  const wy_group_hub *hub = &self->hubs[port->hub];
  const wy_v3 turned = wy_cross(wy_minus(hub->alpha, hub->alpha_before), port->hold.c);
  wy_put3(out, wy_plus(wy_minus(hub->a, hub->a_before), wy_apply(hub->at.r, turned)));
}

static void tell_hubs(wy_group *self) {
  for (int i = 0; i < self->hub_count; i++)
    self->hubs[i].a_before = self->hubs[i].a, self->hubs[i].alpha_before = self->hubs[i].alpha;
}

/* One round over the rods: they are asked what they miss, or told how their ends have moved since. Their pull may be
   added to the hubs. */
typedef struct round_trip {
  wy_level level;
  bool tells, pulls;
  double *u, *f, *power;
} round_trip;

static int go_round(wy_group *self, const round_trip *trip, wy_port_miss *worst) {
  int status = WY_OK;
  *worst = (wy_port_miss){0, 0};
  for (int i = 0; !status && i < self->rod_count; i++) {
    const wy_group_rod_part *rod = &self->rods[i];
    double moved[1][2][3], pull[1][2][3];
    wy_port_miss miss = {0, 0};
    if (!rod->constrained)
      continue;
    for (int end = 0; end < 2; end++)
      end_change(self, rod->port[end], moved[0][end]);
    double *u = trip->u + rod->offset, *f = trip->f ? trip->f + rod->offset : NULL;
    status = trip->tells ? rod->ports->respond(rod->system, trip->level, u, f, moved, pull, trip->power)
                         : rod->ports->restrain(rod->system, trip->level, u, f, pull, &miss);
    worst->size = fmax(worst->size, miss.size), worst->floor = fmax(worst->floor, miss.floor);
    for (int end = 0; trip->pulls && end < 2; end++)
      if (rod->port[end] >= 0) {
        const wy_group_port *port = &self->ports[rod->port[end]];
        wy_group_hub *hub = &self->hubs[port->hub];
        wy_hub_add_force(&hub->at, port->hold.c, wy_at3(pull[0][end]), &hub->load);
      }
  }
  if (trip->tells)
    tell_hubs(self);
  return status;
}

/* Rods that give way leave a little unmet, of which each repetition leaves as little again. */
enum { REPETITIONS = 2 };
static const double unmet = 1e-4; /* of what accelerates: more, and no forces can do it */

/* NOLINTNEXTLINE(readability-non-const-parameter): the rods add to it, through `tell` */
int wy_group_restrain(wy_group *self, double t, const double *u, double *f, double *power) {
  const round_trip tell = {.level = WY_LEVEL_ACCELERATION, .tells = true, .u = (double *)u, .f = f, .power = power};
  const round_trip ask = {.level = WY_LEVEL_ACCELERATION, .pulls = true, .u = (double *)u, .f = f};
  wy_port_miss worst;
  int status = go_round(self, &tell, &worst);
  for (int i = 0; !status && self->inextensible && i < REPETITIONS; i++) {
    wy_group_sum_loads(self, t, NULL);
    status = go_round(self, &ask, &worst);
    wy_group_accelerate_more(self);
    wy_group_write_rates(self, f);
    if (!status)
      status = go_round(self, &tell, &(wy_port_miss){0});
  }
  wy_group_sum_loads(self, t, NULL);
  if (self->condition_count > 0) /* those of their multipliers, too */
    wy_conditions_take(self, &self->mass, self->y, NULL);
  return status || worst.size <= unmet / DBL_EPSILON * worst.floor ? status : WY_RETRY;
}

/* ---- Projection ---- */

/* Hubs as they stand, for increments of places or velocities in place of accelerations. */
static void stop_hubs(wy_group *self) {
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    hub->at.v = hub->at.omega = (wy_v3){0, 0, 0};
    hub->sub.rate = hub->sub.acceleration = hub->sub.torque = 0;
    hub->a = hub->alpha = (wy_v3){0, 0, 0};
    hub->load = (wy_hub_load){{0, 0, 0}, {0, 0, 0}};
  }
  tell_hubs(self);
}

/* Adds increments to the unknowns of a hub. */
static void move_hub(const wy_group *self, int i, wy_level level, const double d[6], double *u) {
  const int n = self->hub_stride;
  const wy_group_hub *hub = &self->hubs[i];
  double *hubs = u + self->hub_offset, *angles = u + self->angle_offset, p[4], step[4], turned[4];
  const bool place = level == WY_LEVEL_PLACE, turns = hub->parent >= 0;
  if (turns && hub->sub.kind == WY_HUB_HINGE) {
    angles[(place ? 0 : self->angle_stride) + hub->angle] += d[0];
    return;
  }
  const double *turn = turns ? d : d + 3;
  double *x = hubs + (place ? WY_HUB_PLACE : WY_HUB_VELOCITY) * n, *spin = hubs + WY_HUB_SPIN * n;
  if (!turns)
    wy_store3(x, n, i, wy_plus(wy_load3(x, n, i), wy_at3(d)));
  if (!place) {
    wy_store3(spin, n, i, wy_plus(wy_load3(spin, n, i), wy_at3(turn)));
    return;
  }
  wy_put4(p, wy_load4(hubs + WY_HUB_FRAME * n, n, i));
  wy_qexp(turn, step);
  wy_qmul(p, step, turned);
  wy_qnormalise(turned);
  wy_store4(hubs + WY_HUB_FRAME * n, n, i, wy_at4(turned));
}

static void move_hubs(const wy_group *self, wy_level level, double *u) {
  for (int i = 0; i < self->hub_count; i++) {
    double d[6] = {0};
    if (self->hubs[i].block < 0)
      continue;
    memcpy(d, wy_hub_entries(self, i, self->y), (size_t)self->hubs[i].order * sizeof *d);
    move_hub(self, i, level, d, u);
  }
}

/* Newton's method in the metric of the mass. Its matrix is that of the present iterate: forces of rods that give way
   are large with hubs held, and only the same geometry lets those of the hubs cancel them. Ends when round-off is
   reached: what is missed no longer falls by half. */
enum { MOST_ITERATIONS = 8 };

static int project_level(wy_group *self, wy_level level, double t, double *u, wy_port_miss *worst) {
  const round_trip ask = {.level = level, .pulls = true, .u = u}, tell = {.level = level, .tells = true, .u = u};
  double before = INFINITY;
  int status = WY_OK;
  for (int k = 0; !status && k < MOST_ITERATIONS; k++) {
    wy_group_place(self, t, u);
    wy_group_seat(self, u);
    stop_hubs(self);
    wy_conditions_place(self, t);
    wy_group_articulate(self, u);
    status = go_round(self, &ask, worst);
    if (status || !(worst->size > worst->floor) || !(worst->size < 0.5 * before))
      break;
    before = worst->size;
    wy_group_accelerate(self);
    status = go_round(self, &tell, &(wy_port_miss){0});
    move_hubs(self, level, u);
  }
  wy_group_place(self, t, u);
  wy_group_seat(self, u);
  return status;
}

int wy_group_project_constraints(wy_group *self, double t, double *u, double drift[WY_DRIFTS]) {
  const double far = 1e7; /* round-offs: projection has failed */
  static const int drifts[2] = {WY_DRIFT_STRAIN, WY_DRIFT_STRAIN_RATE};
  int status = WY_OK;
  self->projects = true;
  for (int level = WY_LEVEL_PLACE; !status && level <= WY_LEVEL_VELOCITY; level++) {
    wy_port_miss worst;
    if (project_level(self, (wy_level)level, t, u, &worst) || !(worst.size <= far * worst.floor))
      status = WY_ERROR_SOLVER;
    drift[drifts[level]] = fmax(drift[drifts[level]], worst.size);
  }
  self->projects = false;
  return status;
}
