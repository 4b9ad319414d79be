/* SPDX-License-Identifier: MIT */
/* From the motion of a hub to the unknowns that it moves with: its own ones, or also those of its parent. */
#include <string.h>

#include "linalg/product.h"
#include "network/inside.h"

enum { OWN_RATE = 3 };

/* ---- Of the last Jacobian or tangent ---- */

/* Velocities (or displacements) of the hub by unknown k of the hub that is number n in its reach. */
static double reached(const wy_group_hub *hub, int n, int row, int k) {
  if (hub->parent < 0)
    return row == k;
  return hub->reach.hub[n] == hub->parent ? hub->blocks->by_parent[6 + row][6 + k]
                                          : hub->blocks->by_own[6 + row][OWN_RATE + k];
}

void wy_reach_carry(const wy_group *self, int index, int n, int columns, const double *load, double *out) {
  const wy_group_hub *hub = &self->hubs[index];
  if (hub->parent < 0) { /* they are its own; one without a frame does not use the last three */
    memcpy(out, load, 6 * (size_t)columns * sizeof *out);
    return;
  }
  memset(out, 0, 6 * (size_t)columns * sizeof *out);
  for (int k = 0; k < hub->reach.width[n]; k++)
    for (int row = 0; row < 6; row++) {
      const double share = reached(hub, n, row, k);
      for (int j = 0; share != 0 && j < columns; j++)
        out[k * columns + j] += share * load[row * columns + j];
    }
}

void wy_reach_rest(const wy_group *self, int index, int rows, const double *by_hub, wy_port_row *out) {
  const wy_group_hub *hub = &self->hubs[index];
  memset(out, 0, (size_t)rows * sizeof *out);
  for (int n = 0; n < hub->reach.count; n++)
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < hub->reach.width[n]; k++)
        for (int row = 0; row < 6; row++)
          out[i][hub->reach.first[n] + k] += by_hub[6 * i + row] * reached(hub, n, row, k);
}

/* What the balance of a hub lacks, carried to its parent and to its own unknowns, by the motion of both. The mass of
   the hub and its derivatives at fixed accelerations are there. */
static void linearise(wy_group *self, int index) {
  wy_group_hub *hub = &self->hubs[index];
  const wy_group_hub *parent = &self->hubs[hub->parent];
  wy_sub_blocks *to = hub->blocks;
  double by_parent[6][12], by_own[6][6], moved[6][12], own[6][6], lacks_parent[6][12], lacks_own[6][6];
  double rows[9], angle[3];
  wy_v3 force, torque, by_angle;
  wy_m3 by_theta;
  wy_sub_motion(&hub->sub, &parent->at, to->by_parent, to->by_own);
  wy_sub_acceleration_blocks(&hub->sub, &parent->at, parent->alpha, by_parent, by_own);
  memcpy(to->a_by_parent, by_parent, sizeof by_parent);
  memcpy(to->a_by_own, by_own, sizeof by_own);
  wy_product(6, 6, 12, &hub->mass[0][0], &by_parent[0][0], &moved[0][0]);
  wy_product(6, 6, 6, &hub->mass[0][0], &by_own[0][0], &own[0][0]);
  wy_product(6, 12, 12, &hub->by_motion[0][0], &to->by_parent[0][0], &lacks_parent[0][0]);
  wy_product(6, 12, 6, &hub->by_motion[0][0], &to->by_own[0][0], &lacks_own[0][0]);
  for (int i = 0; i < 72; i++)
    lacks_parent[i / 12][i % 12] += moved[i / 12][i % 12];
  for (int i = 0; i < 36; i++)
    lacks_own[i / 6][i % 6] += own[i / 6][i % 6];
  double map[6][6], turn[6][3], carried[6][6], back[3][6], with[6][6], with_own[6][3];
  for (int i = 0; i < 36; i++)
    map[i / 6][i % 6] = to->by_parent[6 + i / 6][6 + i % 6], carried[i % 6][i / 6] = map[i / 6][i % 6];
  for (int i = 0; i < 18; i++)
    turn[i / 3][i % 3] = to->by_own[6 + i / 3][OWN_RATE + i % 3], back[i % 3][i / 3] = turn[i / 3][i % 3];
  wy_product(6, 6, 12, &carried[0][0], &lacks_parent[0][0], &to->pp[0][0]);
  wy_product(6, 6, 6, &carried[0][0], &lacks_own[0][0], &to->po[0][0]);
  wy_product(3, 6, 12, &back[0][0], &lacks_parent[0][0], &to->op[0][0]);
  wy_product(3, 6, 6, &back[0][0], &lacks_own[0][0], &to->oo[0][0]);
  wy_product(6, 6, 6, &hub->mass[0][0], &map[0][0], &with[0][0]);
  wy_product(6, 6, 3, &hub->mass[0][0], &turn[0][0], &with_own[0][0]);
  wy_product(6, 6, 6, &carried[0][0], &with[0][0], &to->mass_pp[0][0]);
  wy_product(6, 6, 3, &carried[0][0], &with_own[0][0], &to->mass_po[0][0]);
  wy_product(3, 6, 3, &back[0][0], &with_own[0][0], &to->mass_oo[0][0]);
  wy_group_lacking(hub, &force, &torque);
  wy_sub_carried(&hub->sub, &parent->at, force, torque, &by_theta, &by_angle);
  wy_to_rows(by_theta, rows);
  wy_put3(angle, by_angle);
  for (int i = 0; i < 9; i++)
    to->pp[3 + i / 3][3 + i % 3] += rows[i];
  for (int i = 0; i < 3; i++)
    to->po[3 + i][0] += angle[i];
}

void wy_reach_linearise(wy_group *self) {
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].parent >= 0)
      linearise(self, i);
  for (int i = 0; i < self->joint_spring_count; i++)
    for (int on = 0; on < 2; on++) {
      const wy_group_joint_spring *spring = &self->joint_springs[i];
      wy_group_hub *hub = &self->hubs[spring->hub[on]];
      if (hub->def->kind != WY_HUB_HINGE || spring->def->kind != WY_HINGE)
        continue;
      hub->blocks->oo[0][0] += spring->def->stiffness, hub->blocks->oo[0][OWN_RATE] += spring->def->damping;
    }
}

/* ---- By the unknowns, for a shift ---- */

static void put(double re[6][6], double im[6][6], int width, int first, wy_reach_rows *out) {
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < width; k++)
      out->re[i][first + k] = re[i][k], out->im[i][first + k] = im[i][k];
}

/* Rows by the own motion of a hub become rows by its own unknowns. */
void wy_reach_reduce_own(const wy_group *self, int index, const wy_hub_shift *shift, int rows, const double *by_own,
                         double re[6][6], double im[6][6]) {
  const wy_group_hub *hub = &self->hubs[index];
  double by_motion[6][12] = {{0}};
  memset(re, 0, 36 * sizeof(double));
  memset(im, 0, 36 * sizeof(double));
  if (hub->sub.kind == WY_HUB_HINGE) {
    for (int i = 0; i < rows; i++) {
      re[i][0] = shift->inverse_re * by_own[6 * i] + by_own[6 * i + OWN_RATE];
      im[i][0] = shift->inverse_im * by_own[6 * i];
    }
    return;
  }
  double both_re[6][6] = {{0}}, both_im[6][6] = {{0}};
  for (int i = 0; i < 3 * rows; i++) {
    by_motion[i / 3][3 + i % 3] = by_own[6 * (i / 3) + i % 3];
    by_motion[i / 3][9 + i % 3] = by_own[6 * (i / 3) + OWN_RATE + i % 3];
  }
  wy_hub_reduce(shift, &hub->kept, by_motion, both_re, both_im);
  for (int i = 0; i < 18; i++)
    re[i / 3][i % 3] = both_re[i / 3][3 + i % 3], im[i / 3][i % 3] = both_im[i / 3][3 + i % 3];
}

void wy_reach_reduce(const wy_group *self, int index, const wy_hub_shift *shifts, double by_motion[6][12],
                     wy_reach_rows *out) {
  const wy_group_hub *hub = &self->hubs[index];
  double re[6][6] = {{0}}, im[6][6] = {{0}};
  memset(out, 0, sizeof *out);
  for (int n = 0; n < hub->reach.count; n++) {
    const int by = hub->reach.hub[n];
    double moved[6][12], own[6][6];
    if (hub->parent < 0) {
      wy_hub_reduce(&shifts[by], &hub->kept, by_motion, re, im);
    } else if (by == hub->parent) {
      wy_product(6, 12, 12, &by_motion[0][0], &hub->blocks->by_parent[0][0], &moved[0][0]);
      wy_hub_reduce(&shifts[by], &self->hubs[by].kept, moved, re, im);
    } else {
      wy_product(6, 12, 6, &by_motion[0][0], &hub->blocks->by_own[0][0], &own[0][0]);
      wy_reach_reduce_own(self, index, &shifts[by], 6, &own[0][0], re, im);
    }
    put(re, im, hub->reach.width[n], hub->reach.first[n], out);
  }
}

/* By the accelerations of what a hub reaches, `width` of them: sigma times the velocities. */
static void add_rates(const wy_hub_shift *shift, double by_rate[6][6], const double *map, int stride, int width,
                      double re[6][6], double im[6][6]) {
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < width; k++) {
      double sum = 0;
      for (int row = 0; row < 6; row++)
        sum += by_rate[i][row] * map[row * stride + k];
      re[i][k] += shift->re * sum, im[i][k] += shift->im * sum;
    }
}

void wy_reach_add_rates(const wy_group *self, int index, const wy_hub_shift *shifts, double by_rate[6][6],
                        wy_reach_rows *out) {
  const wy_group_hub *hub = &self->hubs[index];
  for (int n = 0; n < hub->reach.count; n++) {
    const int by = hub->reach.hub[n], width = hub->reach.width[n], first = hub->reach.first[n];
    double re[6][6] = {{0}}, im[6][6] = {{0}}, moved[6][12], own[6][6], ones[6][6] = {{0}};
    for (int k = 0; k < 6; k++)
      ones[k][k] = 1;
    if (hub->parent < 0) {
      add_rates(&shifts[by], by_rate, &ones[0][0], 6, width, re, im);
    } else if (by == hub->parent) {
      wy_product(6, 6, 12, &by_rate[0][0], &hub->blocks->a_by_parent[0][0], &moved[0][0]);
      wy_hub_reduce(&shifts[by], &self->hubs[by].kept, moved, re, im);
      add_rates(&shifts[by], by_rate, &hub->blocks->by_parent[6][6], 12, width, re, im);
    } else {
      wy_product(6, 6, 6, &by_rate[0][0], &hub->blocks->a_by_own[0][0], &own[0][0]);
      wy_reach_reduce_own(self, index, &shifts[by], 6, &own[0][0], re, im);
      add_rates(&shifts[by], by_rate, &hub->blocks->by_own[6][OWN_RATE], 6, width, re, im);
    }
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < width; k++)
        out->re[i][first + k] += re[i][k], out->im[i][first + k] += im[i][k];
  }
}

/* ---- Known parts of motions ---- */

void wy_reach_own_motion(const wy_group *self, int index, int part, double motion[6]) {
  const wy_group_hub *hub = &self->hubs[index];
  memset(motion, 0, 6 * sizeof *motion);
  if (hub->block >= 0)
    wy_put3(motion, hub->known[part].theta);
}

void wy_reach_motion(const wy_group *self, int index, int part, double motion[12]) {
  const wy_group_hub *hub = &self->hubs[index];
  memset(motion, 0, 12 * sizeof *motion);
  if (hub->parent < 0) {
    wy_put3(motion, hub->known[part].dx);
    wy_put3(motion + 3, hub->known[part].theta);
    return;
  }
  double parent[12], own[6];
  wy_reach_motion(self, hub->parent, part, parent);
  wy_reach_own_motion(self, index, part, own);
  wy_reach_move(hub, parent, own, motion);
}

void wy_reach_move(const wy_group_hub *hub, const double parent[12], const double own[6], double motion[12]) {
  for (int i = 0; i < 12; i++) {
    motion[i] = 0;
    for (int k = 0; k < 12; k++)
      motion[i] += hub->blocks->by_parent[i][k] * parent[k];
    for (int k = 0; k < 6; k++)
      motion[i] += hub->blocks->by_own[i][k] * own[k];
  }
}

/* ---- Right-hand sides and solutions ---- */

void wy_reach_know_angle(wy_group *self, int index, const wy_hub_shift *shift, const double *re, const double *im) {
  wy_group_hub *hub = &self->hubs[index];
  const double r = re[self->angle_offset + hub->angle], r_im = im ? im[self->angle_offset + hub->angle] : 0;
  memset(hub->known, 0, sizeof hub->known);
  hub->known[0].theta.x = shift->inverse_re * r - shift->inverse_im * r_im;
  hub->known[1].theta.x = shift->inverse_re * r_im + shift->inverse_im * r;
}

/* Right-hand sides of the rates of a hub, and of a hub's own coordinates. */
static void rates_of(const wy_group *self, int index, const double *b, double rates[6]) {
  const int n = self->hub_stride;
  wy_put3(rates, wy_load3(b + self->hub_offset + WY_HUB_VELOCITY * n, n, index));
  wy_put3(rates + 3, wy_load3(b + self->hub_offset + WY_HUB_SPIN * n, n, index));
}

static void own_rates_of(const wy_group *self, int index, const double *b, double rates[3]) {
  const wy_group_hub *hub = &self->hubs[index];
  const int n = self->hub_stride;
  memset(rates, 0, 3 * sizeof *rates);
  if (hub->block >= 0 && hub->sub.kind == WY_HUB_HINGE)
    rates[0] = b[self->angle_offset + self->angle_stride + hub->angle];
  else if (hub->block >= 0)
    wy_put3(rates, wy_load3(b + self->hub_offset + WY_HUB_SPIN * n, n, index));
}

void wy_reach_known_rates(const wy_group *self, int index, int part, const double *b, double rates[6]) {
  const wy_group_hub *hub = &self->hubs[index];
  double given[6] = {0}, own_given[3], parent[12], own[6];
  memset(rates, 0, 6 * sizeof *rates);
  if (self->hubs[hub->parent < 0 ? index : hub->parent].block >= 0)
    rates_of(self, hub->parent < 0 ? index : hub->parent, b, given);
  if (hub->parent < 0) {
    for (int i = 0; i < 6; i++)
      rates[i] = -given[i];
    return;
  }
  own_rates_of(self, index, b, own_given);
  wy_reach_motion(self, hub->parent, part, parent);
  wy_reach_own_motion(self, index, part, own);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 12; k++)
      rates[i] += hub->blocks->a_by_parent[i][k] * parent[k];
    for (int k = 0; k < 6; k++)
      rates[i] += hub->blocks->a_by_own[i][k] * own[k] - hub->blocks->by_parent[6 + i][6 + k] * given[k];
    for (int k = 0; k < 3; k++)
      rates[i] -= hub->blocks->by_own[6 + i][OWN_RATE + k] * own_given[k];
  }
}

void wy_reach_pack(wy_group *self, int index, int part, const double *b, double *y) {
  const wy_group_hub *hub = &self->hubs[index];
  const wy_sub_blocks *from = hub->blocks;
  double rates[6] = {0}, own_rates[3], motion[12], own[6];
  if (self->hubs[hub->parent].block >= 0)
    rates_of(self, hub->parent, b, rates);
  own_rates_of(self, index, b, own_rates);
  wy_reach_motion(self, hub->parent, part, motion);
  wy_reach_own_motion(self, index, part, own);
  for (int n = 0; n < hub->reach.count; n++) {
    const bool is_own = hub->reach.hub[n] == index;
    const double *by_motion = is_own ? &from->op[0][0] : &from->pp[0][0],
                 *by_own = is_own ? &from->oo[0][0] : &from->po[0][0];
    double *to = wy_hub_entries(self, hub->reach.hub[n], y);
    for (int r = 0; r < self->hubs[hub->reach.hub[n]].order; r++) {
      double sum = 0;
      for (int k = 0; k < 6; k++)
        sum += (is_own ? from->mass_po[k][r] : from->mass_pp[r][k]) * rates[k] - by_own[6 * r + k] * own[k];
      for (int k = 0; k < 3; k++)
        sum += (is_own ? from->mass_oo[r][k] : from->mass_po[r][k]) * own_rates[k];
      for (int k = 0; k < 12; k++)
        sum -= by_motion[12 * r + k] * motion[k];
      to[r] = is_own ? sum : to[r] + sum;
    }
  }
}

void wy_reach_add(const wy_group *self, int index, const double load[6], double *y) {
  const wy_group_hub *hub = &self->hubs[index];
  for (int n = 0; n < hub->reach.count; n++) {
    double carried[6], *to = wy_hub_entries(self, hub->reach.hub[n], y);
    wy_reach_carry(self, index, n, 1, load, carried);
    for (int k = 0; k < self->hubs[hub->reach.hub[n]].order; k++)
      to[k] += carried[k];
  }
}

void wy_reach_pack_springs(wy_group *self, int part, double *y) {
  for (int i = 0; i < self->joint_spring_count; i++) {
    const wy_group_joint_spring *spring = &self->joint_springs[i];
    for (int on = 0; on < 2; on++) {
      const int row = spring->hub[on], other = spring->hub[1 - on];
      double motion[12], own[6], felt[6] = {0};
      if (spring->def->kind != WY_HINGE) {
        wy_reach_motion(self, other, part, motion);
        for (int k = 0; k < 72; k++)
          felt[k / 12] += spring->by_motion[on][1 - on][k / 12][k % 12] * motion[k % 12];
        wy_reach_add(self, row, felt, y);
      } else if (self->hubs[row].block >= 0 && self->hubs[row].def->kind == WY_HUB_HINGE &&
                 self->hubs[other].def->kind == WY_HUB_HINGE) {
        wy_reach_own_motion(self, other, part, own);
        *wy_hub_entries(self, row, y) += spring->def->stiffness * own[0];
      }
    }
  }
}

void wy_reach_take(const wy_group *self, int index, const double *y, wy_port_row out) {
  const wy_hub_reach *reach = &self->hubs[index].reach;
  for (int n = 0; n < reach->count; n++)
    memcpy(out + reach->first[n], wy_hub_entries(self, reach->hub[n], (double *)y),
           (size_t)reach->width[n] * sizeof *y);
}

/* The increments of a hub as they stand in a solution. */
static void motion_in(const wy_group *self, int index, const double *b, double motion[12]) {
  const int n = self->hub_stride;
  const double *hubs = b + self->hub_offset;
  const wy_q4 p = self->hubs[index].kept.p, dp = wy_load4(hubs + WY_HUB_FRAME * n, n, index);
  wy_put3(motion, wy_load3(hubs + WY_HUB_PLACE * n, n, index));
  wy_put3(motion + 3, wy_times(2 / wy_qsquare(p), wy_pure(wy_between(p, dp))));
  wy_put3(motion + 6, wy_load3(hubs + WY_HUB_VELOCITY * n, n, index));
  wy_put3(motion + 9, wy_load3(hubs + WY_HUB_SPIN * n, n, index));
}

void wy_reach_find(const wy_group *self, int index, int part, const wy_hub_shift *shift, double *b) {
  const wy_group_hub *hub = &self->hubs[index];
  const int n = self->hub_stride;
  double *hubs = b + self->hub_offset, *angles = b + self->angle_offset, parent[12], own[6] = {0}, motion[12];
  motion_in(self, hub->parent, b, parent);
  if (hub->sub.kind == WY_HUB_TURNS) {
    wy_store3(hubs + WY_HUB_PLACE * n, n, index, wy_at3(parent));
    wy_store3(hubs + WY_HUB_VELOCITY * n, n, index, wy_at3(parent + 6));
    return;
  }
  if (hub->block >= 0) {
    const double y = *wy_hub_entries(self, index, self->y), y_im = *wy_hub_entries(self, index, self->y_im);
    const double moved =
        part ? shift->inverse_re * y_im + shift->inverse_im * y : shift->inverse_re * y - shift->inverse_im * y_im;
    own[0] = hub->known[part].theta.x + moved, own[OWN_RATE] = part ? y_im : y;
  }
  angles[hub->angle] = own[0], angles[self->angle_stride + hub->angle] = own[OWN_RATE];
  wy_reach_move(hub, parent, own, motion);
  wy_store3(hubs + WY_HUB_PLACE * n, n, index, wy_at3(motion));
  wy_store4(hubs + WY_HUB_FRAME * n, n, index, wy_qtimes(0.5, wy_times_pure(hub->kept.p, wy_at3(motion + 3))));
  wy_store3(hubs + WY_HUB_VELOCITY * n, n, index, wy_at3(motion + 6));
  wy_store3(hubs + WY_HUB_SPIN * n, n, index, wy_at3(motion + 9));
}
