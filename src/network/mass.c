/* SPDX-License-Identifier: MIT */
/* Accelerations of hubs, (N5). Where no hub depends on another one each has its own 6 x 6 matrix, which is constant;
   else, with hinges, hubs that turn on others and constrained rods, one system of all hubs, with blocks where a hub
   stands on its parent, and where such a rod joins two. */
#include <string.h>

#include "network/inside.h"

/* What a hub lacks of a balance where nothing accelerates: force in space axes, torque in its own. */
static void balance(const wy_group_hub *hub, double out[6]) {
  const wy_v3 om = hub->at.omega, first = wy_at3(hub->inertia.first);
  const wy_v3 swing = wy_apply(hub->at.r, wy_cross(om, wy_cross(om, first)));
  wy_put3(out, wy_minus(hub->load.force, swing));
  wy_put3(out + 3, wy_minus(hub->load.torque, wy_cross(om, wy_apply(wy_from_rows(hub->inertia.second), om))));
}

static void times(const double m[6][6], const double x[6], double y[6]) {
  for (int i = 0; i < 6; i++) {
    y[i] = 0;
    for (int j = 0; j < 6; j++)
      y[i] += m[i][j] * x[j];
  }
}

void wy_group_reach(const wy_group *self, const wy_group_hub *hub, wy_hub_reached *out) {
  memset(out, 0, sizeof *out);
  if (hub->parent < 0) {
    for (int k = 0; k < hub->order; k++)
      out->by[0][k][k] = 1;
    return;
  }
  double by_parent[6][6], by_own[6][3];
  wy_sub_velocities(&hub->sub, &self->hubs[hub->parent].at, by_parent, by_own);
  for (int n = 0; n < hub->reach.count; n++)
    for (int i = 0; i < 36; i++)
      if (hub->reach.hub[n] == hub->parent)
        out->by[n][i / 6][i % 6] = by_parent[i / 6][i % 6];
      else if (i % 6 < 3)
        out->by[n][i / 6][i % 6] = by_own[i / 6][i % 6];
}

/* Adds T^T M T of a hub. Velocities of bodies are given at the start: only their columns are there then. */
static void add_mass(wy_group *self, const wy_group_hub *hub, const wy_hub_reached *t, double m[6][6], bool start) {
  static const wy_hub_inertia free_to_move = {0};
  for (int n = 0; n < hub->reach.count; n++) {
    const wy_group_hub *on = &self->hubs[hub->reach.hub[n]];
    if (start && on->def->body >= 0)
      continue;
    for (int k = 0; k < hub->reach.count; k++) {
      const wy_group_hub *by = &self->hubs[hub->reach.hub[k]];
      double moved[6][6] = {{0}}, block[6][6] = {{0}};
      for (int i = 0; i < 36; i++)
        for (int j = 0; j < 6; j++)
          moved[i / 6][i % 6] += m[i / 6][j] * t->by[k][j][i % 6];
      for (int i = 0; i < 36; i++)
        for (int j = 0; j < 6; j++)
          block[i / 6][i % 6] += t->by[n][j][i / 6] * moved[j][i % 6];
      wy_hub_hold(&on->inertia, start ? &free_to_move : &by->inertia, block);
      wy_hub_matrix_add(&self->mass, on->block, by->block, &block[0][0], 6);
    }
  }
}

/* Components that nothing accelerates, and what is given at the start. */
static void add_ones(wy_group *self, int i, bool start) {
  const wy_group_hub *hub = &self->hubs[i];
  double ones[6][6] = {{0}};
  const bool given = start && hub->def->body >= 0;
  if (hub->block < 0 || !(given || hub->inertia.any_held))
    return;
  for (int k = 0; k < 6; k++)
    ones[k][k] = given || hub->inertia.held[k];
  wy_hub_matrix_add(&self->mass, hub->block, hub->block, &ones[0][0], 6);
  if (given) {
    wy_put3(wy_hub_entries(self, i, self->y), hub->load.force);
    wy_put3(wy_hub_entries(self, i, self->y) + 3, hub->load.torque);
  }
}

static void add_right(wy_group *self, const wy_group_hub *hub, const wy_hub_reached *t, const double f[6], bool start) {
  for (int n = 0; n < hub->reach.count; n++) {
    const int to = hub->reach.hub[n];
    double *y = wy_hub_entries(self, to, self->y);
    if (start && self->hubs[to].def->body >= 0)
      continue;
    for (int k = 0; k < wy_hub_order(self, to); k++)
      for (int j = 0; j < 6; j++)
        y[k] += self->hubs[to].inertia.held[k] ? 0 : t->by[n][j][k] * f[j];
  }
}

/* What the hubs have found, as accelerations of all of them; parents stand before their children. Those of held
   components are there. */
static void take(wy_group *self) {
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    double y[6] = {0};
    if (hub->block >= 0)
      memcpy(y, wy_hub_entries(self, i, self->y), (size_t)hub->order * sizeof *y);
    if (hub->parent < 0) {
      hub->a = wy_plus(hub->a, wy_at3(y)), hub->alpha = wy_plus(hub->alpha, wy_at3(y + 3));
      continue;
    }
    const wy_group_hub *parent = &self->hubs[hub->parent];
    if (hub->block >= 0)
      hub->sub.acceleration = y[0];
    const wy_v3 own = hub->sub.kind == WY_HUB_HINGE ? (wy_v3){hub->sub.acceleration, 0, 0} : wy_at3(y);
    wy_sub_accelerate(&hub->sub, &parent->at, parent->a, parent->alpha, own, &hub->a, &hub->alpha);
  }
}

void wy_group_bias(const wy_group *self, const wy_group_hub *hub, double out[6]) {
  const double given = hub->block < 0 ? hub->sub.acceleration : 0;
  wy_v3 a = hub->a, alpha = hub->alpha;
  if (hub->parent >= 0) {
    const wy_group_hub *parent = &self->hubs[hub->parent];
    wy_sub_accelerate(&hub->sub, &parent->at, parent->a, parent->alpha, (wy_v3){given, 0, 0}, &a, &alpha);
  }
  wy_put3(out, a);
  wy_put3(out + 3, alpha);
}

static void accelerate_together(wy_group *self, bool start) {
  memset(self->y, 0, (size_t)self->pattern.unknowns * sizeof *self->y);
  if (self->block_count > 0)
    wy_hub_matrix_clear(&self->mass);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    double m[6][6], f[6], still[6], pushed[6];
    wy_hub_reached t;
    if (hub->reach.count == 0)
      continue;
    wy_hub_mass_matrix(&hub->inertia, &hub->at, m);
    balance(hub, f);
    wy_group_bias(self, hub, still);
    times((const double(*)[6])m, still, pushed);
    for (int k = 0; k < 6; k++)
      f[k] -= pushed[k];
    wy_group_reach(self, hub, &t);
    add_mass(self, hub, &t, m, start);
    add_ones(self, i, start);
    add_right(self, hub, &t, f, start);
    if (hub->parent >= 0 && hub->sub.kind == WY_HUB_HINGE && hub->block >= 0)
      *wy_hub_entries(self, i, self->y) += hub->sub.torque;
  }
  if (self->articulated && !start)
    wy_group_add_articulated(self);
  if (!start) {
    wy_conditions_add_gradient(self, &self->mass);
    if (!self->projects)
      wy_conditions_add_right(self, self->y);
  }
  if (self->block_count > 0) {
    wy_hub_matrix_factor(&self->mass);
    wy_hub_matrix_solve(&self->mass, self->y);
  }
  take(self);
}

void wy_group_accelerate(wy_group *self) {
  if (self->has_mass) {
    accelerate_together(self, false);
    return;
  }
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    if (hub->block >= 0)
      wy_hub_accelerate(&hub->inertia, &hub->at, &hub->load, &hub->a, &hub->alpha);
  }
}

void wy_group_accelerate_more(wy_group *self) {
  const int count = self->pattern.unknowns;
  if (self->block_count == 0)
    return;
  memcpy(self->y_before, self->y, (size_t)count * sizeof *self->y);
  memset(self->y, 0, (size_t)count * sizeof *self->y);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    double m[6][6], f[6], now[6], pushed[6];
    wy_hub_reached t;
    if (hub->reach.count == 0)
      continue;
    wy_hub_mass_matrix(&hub->inertia, &hub->at, m);
    balance(hub, f);
    wy_put3(now, hub->a);
    wy_put3(now + 3, hub->alpha);
    times((const double(*)[6])m, now, pushed);
    for (int k = 0; k < 6; k++)
      f[k] -= pushed[k];
    wy_group_reach(self, hub, &t);
    add_right(self, hub, &t, f, false);
    if (hub->parent >= 0 && hub->sub.kind == WY_HUB_HINGE && hub->block >= 0)
      *wy_hub_entries(self, i, self->y) += hub->sub.torque;
  }
  wy_hub_matrix_solve(&self->mass, self->y);
  for (int i = 0; i < count; i++)
    self->y[i] += self->y_before[i];
  for (int i = 0; i < self->hub_count; i++) { /* which is taken once more */
    wy_group_hub *hub = &self->hubs[i];
    double y[6] = {0};
    if (hub->parent >= 0 || hub->block < 0)
      continue;
    memcpy(y, wy_hub_entries(self, i, self->y_before), (size_t)hub->order * sizeof *y);
    hub->a = wy_minus(hub->a, wy_at3(y)), hub->alpha = wy_minus(hub->alpha, wy_at3(y + 3));
  }
  take(self);
}

void wy_group_project_start(wy_group *self) {
  accelerate_together(self, true);
}
