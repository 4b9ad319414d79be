/* SPDX-License-Identifier: MIT */
/* Bodies that carry obstacles in a group: what rods do to them, and the linear systems of both together (N24). */
#include <assert.h>
#include <string.h>

#include "base/message.h"
#include "linalg/full.h"
#include "model/contact.h"
#include "network/create.h"
#include "scheme/contacts.h"

/* ---- Creation ---- */

static bool carries_obstacle(const wy_model *model, int body) {
  bool any = false;
  for (int i = 0; body >= 0 && i < wy_model_obstacle_count(model); i++)
    any = any || (wy_model_obstacle(model, i)->body == body && wy_obstacle_is_pushed(model, i));
  return any;
}

/* The bodies of a group that carry obstacles, written where there is room; their number. */
static int list_bodies(const wy_model *model, const wy_group_def *def, wy_group_carrier *out) {
  int count = 0;
  for (int i = 0; i < def->hub_count; i++) {
    const int body = wy_group_hub_def(model, def, i)->body;
    if (!carries_obstacle(model, body))
      continue;
    if (out)
      out[count] = (wy_group_carrier){.hub = i, .body = body, .first = -1};
    count++;
  }
  return count;
}

static void lay_out_slot(wy_carrier_slot *slot, wy_arena *arena, int order, int size, int parts) {
  for (int part = 0; part < parts; part++) {
    slot->columns[part] = wy_arena_doubles(arena, (size_t)order * (size_t)size);
    slot->matrix[part] = wy_arena_doubles(arena, (size_t)order * (size_t)order);
  }
  slot->rows = wy_arena_take(arena, (size_t)order * sizeof *slot->rows);
}

/* Of one piece of a rod. */
static void lay_out_piece(wy_group *self, wy_arena *arena, int rod, int cells, bool linear) {
  wy_carriers *carriers = &self->carriers;
  wy_group_rod_part *part = self->rods ? &self->rods[rod] : NULL;
  for (int k = 0; k < carriers->count; k++) {
    wy_touched_cell *blocks = linear ? wy_arena_take(arena, (size_t)cells * sizeof *blocks) : NULL;
    if (carriers->touches)
      carriers->touches[carriers->touch_count + k] = (wy_group_touch){.rod = rod, .carrier = k, .cells = blocks};
  }
  for (int k = 0; linear && k < 2; k++) {
    double(*loads)[6] = wy_arena_take(arena, (size_t)cells * sizeof *loads);
    if (part)
      part->loads[k] = loads;
  }
  if (part)
    part->cells = cells, part->first_touch = carriers->touch_count, part->touch_count = carriers->count;
  carriers->touch_count += carriers->count;
}

wy_status wy_carriers_lay_out(wy_group *self, wy_arena *arena, wy_factor_needs needs, wy_message *message) {
  const wy_model *model = self->base.model;
  const bool linear = needs.real + needs.complex > 0 || needs.equilibria;
  wy_carriers *carriers = &self->carriers;
  carriers->count = list_bodies(model, self->def, NULL);
  carriers->touch_count = 0;
  if (carriers->count == 0)
    return WY_OK;
  if (needs.equilibria)
    return wy_fail(message, WY_ERROR_SUPPORT,
                   "obstacles on bodies that rods may push: this version cannot compute their equilibria");
  const int order = WY_CARRIED * carriers->count;
  int most = 0;
  carriers->bodies = wy_arena_take(arena, (size_t)carriers->count * sizeof *carriers->bodies);
  carriers->touches =
      wy_arena_take(arena, (size_t)self->rod_count * (size_t)carriers->count * sizeof *carriers->touches);
  for (int i = 0, rod = 0; i < self->def->rod_count; i++)
    for (int k = 0; k < wy_pieces_of(model, self->def, i); k++, rod++) {
      const int cells = wy_model_network(model)->pieces[wy_first_piece(model, self->def, i) + k].count + 1;
      most = cells > most ? cells : most;
      if (wy_rod_touches(model, self->def->rods[i]))
        lay_out_piece(self, arena, rod, cells, linear);
    }
  if (!linear)
    return WY_OK;
  for (int i = 0; i < needs.real; i++)
    lay_out_slot(&carriers->slots[0][i], arena, order, self->base.size, 1);
  for (int i = 0; i < needs.complex; i++)
    lay_out_slot(&carriers->slots[1][i], arena, order, self->base.size, 2);
  for (int part = 0; part < 2; part++)
    carriers->seen[part] = wy_arena_doubles(arena, (size_t)order);
  carriers->motion = wy_arena_take(arena, (size_t)most * sizeof *carriers->motion);
  return WY_OK;
}

void wy_carriers_begin(wy_group *self) {
  if (self->carriers.count > 0)
    list_bodies(self->base.model, self->def, self->carriers.bodies);
}

/* ---- Where obstacles are ---- */

static wy_spot spot_of(const wy_group *self, const wy_hub_motion *at, int rod) {
  return (wy_spot){wy_minus(at->x, wy_at3(self->rods[rod].origin)), at->v, at->unit, wy_apply(at->r, at->omega)};
}

static void carry(const wy_group *self, const wy_group_carrier *body, const wy_hub_motion *at, wy_moment moment) {
  for (int i = 0; i < self->rod_count; i++) {
    const wy_spot spot = spot_of(self, at, i);
    if (self->rods[i].touch_count > 0)
      wy_contacts_carry(self->rods[i].system->contacts, body->body, moment, &spot);
  }
}

void wy_group_carry(wy_system *system, double t, const double *u, int moment) {
  const wy_group *self = (const wy_group *)system;
  for (int i = 0; i < self->carriers.count; i++) {
    const wy_hub_motion at = wy_group_hub_at(self, t, u, self->carriers.bodies[i].hub);
    carry(self, &self->carriers.bodies[i], &at, (wy_moment)moment);
  }
}

void wy_carriers_place(const wy_group *self) {
  for (int i = 0; i < self->carriers.count; i++)
    carry(self, &self->carriers.bodies[i], &self->hubs[self->carriers.bodies[i].hub].at, WY_NOW);
}

/* ---- What rods do to bodies ---- */

void wy_carriers_press(wy_group *self, int rod, const double *u) {
  const wy_group_rod_part *part = &self->rods[rod];
  for (int i = part->first_touch; i < part->first_touch + part->touch_count; i++) {
    wy_group_touch *touch = &self->carriers.touches[i];
    const wy_group_carrier *body = &self->carriers.bodies[touch->carrier];
    const wy_v3 about = wy_minus(self->hubs[body->hub].at.x, wy_at3(part->origin));
    part->ports->press(part->system, u, body->body, about, &touch->force, &touch->moment);
  }
}

/* Obstacles do work on the rods; bodies that are part of the group lose it. */
void wy_carriers_add_loads(wy_group *self, double *power) {
  for (int i = 0; i < self->carriers.touch_count; i++) {
    const wy_group_touch *touch = &self->carriers.touches[i];
    wy_group_hub *hub = &self->hubs[self->carriers.bodies[touch->carrier].hub];
    const wy_v3 torque = wy_apply_transposed(hub->at.r, touch->moment);
    hub->load.force = wy_plus(hub->load.force, touch->force);
    hub->load.torque = wy_plus(hub->load.torque, torque);
    if (power)
      power[WY_WORK_INTEGRAL] += wy_inner(touch->force, hub->at.v) + wy_inner(torque, hub->at.omega);
  }
}

/* ---- Derivatives ---- */

void wy_carriers_linearise_rod(wy_group *self, int rod, const double *u) {
  const wy_group_rod_part *part = &self->rods[rod];
  for (int i = part->first_touch; i < part->first_touch + part->touch_count; i++) {
    wy_group_touch *touch = &self->carriers.touches[i];
    const wy_group_carrier *body = &self->carriers.bodies[touch->carrier];
    const wy_spot spot = spot_of(self, &self->hubs[body->hub].at, rod);
    touch->any = part->ports->touch_blocks(part->system, u, body->body, &spot, touch->cells, touch->own);
  }
}

void wy_carriers_linearise(wy_group *self) {
  wy_carriers *carriers = &self->carriers;
  carriers->active = 0;
  for (int k = 0; k < carriers->count; k++) {
    wy_group_carrier *body = &carriers->bodies[k];
    bool any = false;
    for (int i = 0; i < carriers->touch_count; i++) {
      const wy_group_touch *touch = &carriers->touches[i];
      if (touch->carrier != k || !touch->any)
        continue;
      any = true;
      for (int r = 0; r < 72; r++)
        self->hubs[body->hub].by_motion[r / 12][r % 12] -= touch->own[r / 12][r % 12];
    }
    body->first = any ? WY_CARRIED * carriers->active++ : -1;
  }
}

/* ---- Loads of a linear system ---- */

/* The body of a touch, or NULL if they do not. */
static const wy_group_carrier *touched(const wy_group *self, const wy_group_touch *touch) {
  return touch->any ? &self->carriers.bodies[touch->carrier] : NULL;
}

/* Loads on the cells of a rod by the motion of a body. */
static void load_rod(const wy_group_rod_part *part, const wy_group_touch *touch, int which, const double motion[12]) {
  for (int i = 0; i < part->cells; i++)
    for (int r = 0; r < 6; r++) {
      const double *row = touch->cells[i].load_by_body[r];
      double sum = 0;
      for (int c = 0; c < 12; c++)
        sum += row[c] * motion[c];
      part->loads[which][i][r] += sum;
    }
}

/* What acts on an end vertex at a port acts on its hub. */
static void load_hubs(wy_group *self, const wy_group_rod_part *part, int which, double *y) {
  for (int end = 0; end < 2; end++) {
    if (part->port[end] < 0)
      continue;
    const wy_group_port *port = &self->ports[part->port[end]];
    const wy_hub_motion *at = &self->hubs[port->hub].kept;
    double *force = part->loads[which][end == WY_START ? 0 : part->cells - 1], load[6];
    wy_hub_load on = {{0, 0, 0}, {0, 0, 0}};
    wy_hub_add_force(at, port->hold.c, wy_at3(force), &on);
    wy_put3(load, on.force);
    wy_put3(load + 3, on.torque);
    memset(force, 0, 3 * sizeof *force);
    if (!wy_is_known(self, port->hub))
      wy_reach_add(self, port->hub, load, y);
  }
}

/* The motion of a body that goes with a column of B, or with what is known of a right-hand side. */
static void moving(const wy_group *self, const wy_group_carrier *body, const wy_hub_shift *shifts,
                   double motion[2][12]) {
  const wy_group_hub *hub = &self->hubs[body->hub];
  const int column = self->carriers.column - body->first;
  double unit[6] = {0}, none[6] = {0};
  wy_hub_found found[2];
  if (self->carriers.column >= 0 && column >= 0 && column < 6)
    unit[column] = 1;
  wy_hub_find(&shifts[body->hub], &hub->kept, &hub->known[0], &hub->known[1], unit, none, &found[0], &found[1]);
  for (int part = 0; part < 2; part++) {
    wy_put3(motion[part], found[part].dx);
    wy_put3(motion[part] + 3, found[part].theta);
    wy_put3(motion[part] + 6, found[part].dv);
    wy_put3(motion[part] + 9, found[part].domega);
  }
}

void wy_carriers_push(wy_group *self, const wy_hub_shift *shifts, int parts) {
  wy_carriers *carriers = &self->carriers;
  for (int k = 0; k < carriers->count && carriers->column >= 0; k++) {
    const int row = carriers->column - carriers->bodies[k].first - 6;
    double load[6] = {0};
    if (carriers->bodies[k].first < 0 || row < 0 || row >= 6)
      continue;
    load[row] = 1;
    wy_reach_add(self, carriers->bodies[k].hub, load, self->y);
  }
  for (int rod = 0; rod < self->rod_count; rod++) {
    const wy_group_rod_part *part = &self->rods[rod];
    if (part->touch_count == 0)
      continue;
    for (int which = 0; which < parts; which++)
      memset(part->loads[which], 0, (size_t)part->cells * sizeof *part->loads[which]);
    for (int i = part->first_touch; i < part->first_touch + part->touch_count; i++) {
      const wy_group_carrier *body = touched(self, &carriers->touches[i]);
      double motion[2][12] = {{0}};
      if (!body)
        continue;
      moving(self, body, shifts, motion);
      for (int which = 0; which < parts; which++)
        load_rod(part, &carriers->touches[i], which, motion[which]);
    }
    load_hubs(self, part, 0, self->y);
    if (parts == 2)
      load_hubs(self, part, 1, self->y_im);
    part->ports->load(part->system, (const double(*)[6])part->loads[0],
                      parts == 2 ? (const double(*)[6])part->loads[1] : NULL);
  }
}

/* ---- Solves ---- */

/* The load on a body by the motion of the cells that touch it, from `order` numbers of it on. */
static void add_seen(const wy_group *self, const wy_group_touch *touch, double load[6]) {
  for (int i = 0; i < self->rods[touch->rod].cells; i++)
    for (int r = 0; r < 6; r++)
      for (int c = 0; c < 12; c++)
        load[r] += touch->cells[i].body_by_cell[r][c] * self->carriers.motion[i][c];
}

/* C z */
static void see(const wy_group *self, const double *z, double *seen) {
  const wy_carriers *carriers = &self->carriers;
  const int n = self->hub_stride;
  const double *hubs = z + self->hub_offset;
  memset(seen, 0, (size_t)(WY_CARRIED * carriers->active) * sizeof *seen);
  for (int k = 0; k < carriers->count; k++) {
    const wy_group_carrier *body = &carriers->bodies[k];
    if (body->first < 0)
      continue;
    wy_put3(seen + body->first, wy_load3(hubs + WY_HUB_VELOCITY * n, n, body->hub));
    wy_put3(seen + body->first + 3, wy_load3(hubs + WY_HUB_SPIN * n, n, body->hub));
  }
  for (int i = 0; i < carriers->touch_count; i++) {
    const wy_group_touch *touch = &carriers->touches[i];
    const wy_group_carrier *body = touched(self, touch);
    if (!body)
      continue;
    const wy_group_rod_part *part = &self->rods[touch->rod];
    part->ports->motion(part->system, z + part->offset, carriers->motion);
    add_seen(self, touch, seen + body->first + 6);
  }
}

/* 1 - C Z, column by column. */
int wy_carriers_factor(wy_group *self, int index, bool is_complex) {
  wy_carriers *carriers = &self->carriers;
  wy_carrier_slot *slot = &carriers->slots[is_complex][index];
  const int order = WY_CARRIED * carriers->active, parts = is_complex ? 2 : 1;
  for (int column = 0; column < order; column++) {
    double *z[2] = {NULL, NULL};
    for (int part = 0; part < parts; part++) {
      z[part] = slot->columns[part] + (size_t)column * (size_t)self->base.size;
      memset(z[part], 0, (size_t)self->base.size * sizeof(double));
    }
    carriers->column = column;
    wy_group_solve_apart(self, index, z[0], z[1]);
    for (int part = 0; part < parts; part++) {
      see(self, z[part], carriers->seen[part]);
      for (int row = 0; row < order; row++)
        slot->matrix[part][row * order + column] = (part == 0 && row == column) - carriers->seen[part][row];
    }
  }
  carriers->column = -1;
  return wy_full_factor(order, slot->matrix[0], is_complex ? slot->matrix[1] : NULL, slot->rows) ? WY_RETRY : WY_OK;
}

void wy_carriers_solve(wy_group *self, int index, double *re, double *im) {
  wy_carriers *carriers = &self->carriers;
  const wy_carrier_slot *slot = &carriers->slots[im != NULL][index];
  const int order = WY_CARRIED * carriers->active, size = self->base.size;
  double *share = carriers->seen[0], *share_im = im ? carriers->seen[1] : NULL;
  carriers->column = -1;
  wy_group_solve_apart(self, index, re, im);
  see(self, re, share);
  if (im)
    see(self, im, share_im);
  wy_full_solve(order, slot->matrix[0], im ? slot->matrix[1] : NULL, slot->rows, share, share_im);
  for (int column = 0; column < order; column++) {
    const double *z = slot->columns[0] + (size_t)column * (size_t)size;
    const double *z_im = im ? slot->columns[1] + (size_t)column * (size_t)size : NULL;
    for (int i = 0; i < size; i++) {
      re[i] += share[column] * z[i] - (im ? share_im[column] * z_im[i] : 0);
      if (im)
        im[i] += share_im[column] * z[i] + share[column] * z_im[i];
    }
  }
}
