/* SPDX-License-Identifier: MIT */
/* Joints between hubs in linear systems. With increments y of the velocities of hubs, z of their motions and dlambda of
   the multipliers, and r the right-hand side of the velocities:

     hubs         sigma M y + ... - d(G^T lambda) z - G^T dlambda = M r + ...
     conditions   -(sigma G y + d(g'') z) = -G r

   Equilibria have conditions g = 0 with K + rho G^T G in place of K, which is no change where the conditions hold, and
   has an inverse where K has none. */
#include <math.h>
#include <string.h>

#include "network/inside.h"

static const double *hub_part(const wy_group *self, const double *b, int entry) {
  return b + self->hub_offset + (size_t)entry * (size_t)self->hub_stride;
}

/* ---- Motion ---- */

void wy_conditions_jacobian(wy_group *self) {
  for (int i = 0; i < self->condition_count; i++) {
    wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    double moment[2][2][6][12];
    memcpy(condition->kept, condition->gradient, sizeof condition->kept);
    wy_condition_blocks(&condition->law, &at, &condition->drive, condition->lambda, condition->second,
                        condition->loads);
    if (wy_condition_springs(condition)) {
      wy_condition_moment_blocks(&condition->law, &at, condition->moment, condition->joint->stiffness,
                                 condition->joint->damping, moment);
      for (int k = 0; k < 288; k++)
        (&condition->loads[0][0][0][0])[k] += (&moment[0][0][0][0])[k];
    }
    for (int on = 0; wy_condition_holds(condition) && on < 2; on++)
      for (int k = 0; condition->hub[on] >= 0 && k < 72; k++)
        self->hubs[condition->hub[on]].by_motion[k / 12][k % 12] -= condition->loads[on][on][k / 12][k % 12];
  }
}

/* Where the blocks of a shift go. */
typedef struct target {
  wy_hub_matrix *real;
  wy_hub_matrix_complex *complex;
} target;

static void add(const target *to, int row, int column, double re[6][6], double im[6][6]) {
  if (to->complex)
    wy_hub_matrix_complex_add(to->complex, row, column, &re[0][0], &im[0][0], 6);
  else
    wy_hub_matrix_add(to->real, row, column, &re[0][0], 6);
}

/* A joint that is gone has multipliers of zero. */
static void add_ones(const target *to, int block) {
  double ones[6][6] = {{0}}, none[6][6] = {{0}};
  for (int k = 0; k < 6; k++)
    ones[k][k] = 1;
  add(to, block, block, ones, none);
}

static void hold_columns(const wy_group_hub *hub, double block[6][6]) {
  for (int k = 0; hub->inertia.any_held && k < 36; k++)
    block[k / 6][k % 6] = hub->inertia.held[k % 6] ? 0 : block[k / 6][k % 6];
}

/* (hub, condition) = -G^T, in both kinds of systems. */
static void add_forces(const wy_group_condition *condition, int side, const wy_group_hub *hub, const target *to) {
  double column[6][6], none[6][6] = {{0}};
  for (int k = 0; k < 36; k++)
    column[k % 6][k / 6] = hub->inertia.held[k % 6] ? 0 : -condition->kept[side][k / 6][k % 6];
  add(to, hub->block, condition->block, column, none);
}

/* (condition, hub) = -(sigma G + d(g'')). */
static void add_rows(const wy_group_condition *condition, int side, const wy_group_hub *hub, const wy_hub_shift *shift,
                     const target *to) {
  double re[6][6], im[6][6];
  wy_hub_reduce(shift, &hub->kept, (double(*)[12])condition->second[side], re, im);
  for (int k = 0; k < 36; k++) {
    const double g = condition->kept[side][k / 6][k % 6];
    re[k / 6][k % 6] = -(shift->re * g + re[k / 6][k % 6]);
    im[k / 6][k % 6] = -(shift->im * g + im[k / 6][k % 6]);
  }
  hold_columns(hub, re);
  hold_columns(hub, im);
  add(to, condition->block, hub->block, re, im);
}

/* What the load on one hub is by the motion of the other. */
static void add_cross(const wy_group_condition *condition, int on, const wy_group_hub *hub, const wy_group_hub *other,
                      const wy_hub_shift *shift, const target *to) {
  double re[6][6], im[6][6];
  wy_hub_reduce(shift, &other->kept, (double(*)[12])condition->loads[on][1 - on], re, im);
  for (int k = 0; k < 36; k++)
    re[k / 6][k % 6] = -re[k / 6][k % 6], im[k / 6][k % 6] = -im[k / 6][k % 6];
  wy_hub_hold(&hub->inertia, &other->inertia, re);
  wy_hub_hold(&hub->inertia, &other->inertia, im);
  add(to, hub->block, other->block, re, im);
}

void wy_conditions_add_blocks(wy_group *self, const wy_hub_shift *shifts, wy_hub_matrix *real,
                              wy_hub_matrix_complex *complex) {
  const target to = {real, complex};
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    if (!wy_condition_holds(condition))
      add_ones(&to, condition->block);
    for (int side = 0; wy_condition_holds(condition) && side < 2; side++) {
      const int index = condition->hub[side], other = condition->hub[1 - side];
      if (wy_is_known(self, index))
        continue;
      const wy_group_hub *hub = &self->hubs[index];
      add_forces(condition, side, hub, &to);
      add_rows(condition, side, hub, &shifts[index], &to);
      if (!wy_is_known(self, other))
        add_cross(condition, side, hub, &self->hubs[other], &shifts[other], &to);
    }
  }
}

static void add_times(int rows, int inner, const double *a, const double *x, double sign, double *y) {
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < inner; k++)
      y[i] += sign * a[i * inner + k] * x[k];
}

void wy_conditions_pack(wy_group *self, int part, const double *b, double *y) {
  const int n = self->hub_stride;
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    double *to = wy_condition_entries(self, condition, y);
    memset(to, 0, (size_t)condition->count * sizeof *to);
    for (int side = 0; wy_condition_holds(condition) && side < 2; side++) {
      const int index = condition->hub[side], other = condition->hub[1 - side];
      double rates[6], motion[12] = {0};
      if (wy_is_known(self, index))
        continue;
      const wy_group_hub *hub = &self->hubs[index];
      wy_put3(rates, wy_load3(hub_part(self, b, WY_HUB_VELOCITY), n, index));
      wy_put3(rates + 3, wy_load3(hub_part(self, b, WY_HUB_SPIN), n, index));
      for (int k = 0; k < 6; k++)
        rates[k] = hub->inertia.held[k] ? 0 : rates[k];
      wy_put3(motion, hub->known[part].dx);
      wy_put3(motion + 3, hub->known[part].theta);
      add_times(condition->count, 6, &condition->kept[side][0][0], rates, -1, to);
      add_times(condition->count, 12, &condition->second[side][0][0], motion, 1, to);
      if (!wy_is_known(self, other))
        add_times(wy_hub_order(self, other), 12, &condition->loads[1 - side][side][0][0], motion, 1,
                  wy_hub_entries(self, other, y));
    }
  }
}

/* ---- Equilibria ---- */

/* The stiffness that conditions have beside that of hubs: the largest of these, or what weights have at a distance. */
static double penalty_of(const wy_group *self) {
  double largest = self->weight / self->span;
  for (int i = 0; i < self->hub_count; i++)
    for (int k = 0; self->hubs[i].block >= 0 && k < 3; k++)
      largest = fmax(largest, fabs(self->hubs[i].by_motion[k][k]));
  return largest > 0 ? largest : 1;
}

/* Rotations count by the length. */
static double penalty(const wy_group *self, int row) {
  return self->penalty * (row < 3 ? 1 : self->span * self->span);
}

/* rho G^T G, which couples both hubs. */
static void add_penalty(wy_group *self, const wy_group_condition *condition, int on, int of) {
  double block[6][6] = {{0}};
  const wy_group_hub *hub = &self->hubs[condition->hub[on]], *other = &self->hubs[condition->hub[of]];
  for (int k = 0; k < 36; k++)
    for (int row = 0; row < condition->count; row++)
      block[k / 6][k % 6] += penalty(self, row) * condition->kept[on][row][k / 6] * condition->kept[of][row][k % 6];
  wy_hub_hold(&hub->inertia, &other->inertia, block);
  wy_hub_matrix_add(&self->rest, hub->block, other->block, &block[0][0], 6);
}

static void add_rest_cross(wy_group *self, const wy_group_condition *condition, int on) {
  double block[6][6];
  const wy_group_hub *hub = &self->hubs[condition->hub[on]], *other = &self->hubs[condition->hub[1 - on]];
  for (int k = 0; k < 36; k++)
    block[k / 6][k % 6] = -condition->loads[on][1 - on][k / 6][k % 6];
  wy_hub_hold(&hub->inertia, &other->inertia, block);
  wy_hub_matrix_add(&self->rest, hub->block, other->block, &block[0][0], 6);
  add_penalty(self, condition, on, 1 - on);
}

void wy_conditions_add_rest_blocks(wy_group *self) {
  const target to = {&self->rest, NULL};
  self->penalty = penalty_of(self);
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    if (!wy_condition_holds(condition))
      add_ones(&to, condition->block);
    for (int side = 0; wy_condition_holds(condition) && side < 2; side++) {
      double row[6][6], none[6][6] = {{0}};
      if (wy_is_known(self, condition->hub[side]))
        continue;
      const wy_group_hub *hub = &self->hubs[condition->hub[side]];
      for (int k = 0; k < 36; k++)
        row[k / 6][k % 6] = -condition->kept[side][k / 6][k % 6];
      hold_columns(hub, row);
      add(&to, condition->block, hub->block, row, none);
      add_forces(condition, side, hub, &to);
      add_penalty(self, condition, side, side);
      if (!wy_is_known(self, condition->hub[1 - side]))
        add_rest_cross(self, condition, side);
    }
  }
}

void wy_conditions_rest_pack(const wy_group *self, const double *b, double *y) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    const double *missed = b + condition->first;
    double *to = wy_condition_entries(self, condition, y);
    for (int k = 0; k < condition->count; k++)
      to[k] = wy_condition_holds(condition) ? missed[k] : 0;
    for (int side = 0; wy_condition_holds(condition) && side < 2; side++) {
      if (wy_is_known(self, condition->hub[side]))
        continue;
      double *on = wy_hub_entries(self, condition->hub[side], y);
      for (int k = 0; k < wy_hub_order(self, condition->hub[side]); k++)
        for (int row = 0; row < condition->count; row++)
          on[k] -= penalty(self, row) * condition->kept[side][row][k] * missed[row];
    }
  }
}

void wy_conditions_rest_take(const wy_group *self, double *y, double *b) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    memcpy(b + condition->first, wy_condition_entries(self, condition, y), (size_t)condition->count * sizeof *b);
  }
}

int wy_conditions_rank(const wy_group *self, const wy_hub_matrix *matrix) {
  int total = 0;
  for (int i = 0; i < self->condition_count; i++)
    if (wy_condition_holds(&self->conditions[i]))
      total += self->conditions[i].count - wy_hub_matrix_dropped(matrix, self->conditions[i].block);
  return total;
}
