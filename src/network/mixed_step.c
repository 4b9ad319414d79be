/* SPDX-License-Identifier: MIT */
/* The midpoint step of a group of mixed rods: that of each rod (X10)-(X18), with the ends that sit on hubs where these
   have them, and that of the hubs. Rods are solved with their hubs held, then hubs, then rods once more (N8). */
#include <math.h>
#include <string.h>

#include "network/mixed_inside.h"
#include "scheme/system.h"

/* ---- Beginning ---- */

/* The space angular velocity of a hub, for a guess. */
static void spin_of(const double *q, const double *v, double spin[3]) {
  double one[3];
  memset(spin, 0, 3 * sizeof *spin);
  for (int i = 3; i < WY_NODE; i += 3) {
    wy_cross3(q + i, v + i, one);
    wy_add3(spin, 0.5, one);
  }
}

static bool turns_far(const wy_mixed_group *self, const double *u, double h) {
  const double far = 1;
  bool any = false;
  for (int i = 0; !any && i < self->part_count; i++)
    any = wy_mixed_turns_far(self->parts[i].rod, u + self->parts[i].offset, h);
  for (int i = 0; !any && i < self->hub_count; i++) {
    double spin[3];
    spin_of(wy_mixed_hub_q(self, u, i), wy_mixed_hub_v(self, u, i), spin);
    any = h * wy_norm3(spin) > far;
  }
  return any;
}

static void guess_hub(const wy_mixed_group *self, wy_mixed_hub *hub, wy_guess guess) {
  double spin[3] = {0};
  memcpy(hub->end, hub->from, sizeof hub->end);
  if (hub->block < 0 || guess == WY_GUESS_STILL)
    return;
  if (guess == WY_GUESS_MOVING) {
    wy_add3(hub->end, self->h, hub->velocity);
    spin_of(hub->from, hub->velocity, spin);
    for (int x = 0; x < 3; x++)
      spin[x] *= self->h;
    wy_mixed_turn(spin, hub->from, hub->end);
    return;
  }
  const double stretch = self->h / self->known_h;
  memcpy(hub->end, hub->known_end, sizeof hub->end);
  for (int x = 0; x < 3; x++)
    hub->end[x] = hub->from[x] + stretch * (hub->end[x] - hub->from[x]);
  wy_mixed_turn_on(spin, stretch, hub->from, hub->end);
}

/* Ends of rods are where their hubs are. */
static void seat_ends(const wy_mixed_group *self) {
  for (int i = 0; i < self->seat_count; i++) {
    const wy_mixed_seat *seat = &self->seats[i];
    wy_mixed_carry(seat, self->hubs[seat->hub].end, true,
                   wy_mixed_end_of(self, seat, self->parts[seat->part].rod->end));
  }
}

static void begin(wy_system *system, double t, double h, const double *u, wy_guess guess) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  if (guess == WY_GUESS_LONGER) {
    for (int i = 0; i < self->hub_count; i++)
      memcpy(self->hubs[i].known_end, self->hubs[i].end, sizeof self->hubs[i].end);
    self->known_h = self->h;
  }
  if (guess == WY_GUESS_MOVING && turns_far(self, u, h))
    guess = WY_GUESS_STILL; /* for all: else what is joined would be torn apart */
  self->t = t, self->h = h;
  self->share = 0.5, self->inertia = 2 / (h * h);
  self->at_rest = self->at_tangent = false;
  self->load_factor = 1;
  self->corrected = 0;
  for (int i = 0; i < self->part_count; i++)
    wy_mixed_midpoint.begin(&self->parts[i].rod->base, t, h, u + self->parts[i].offset, guess);
  for (int i = 0; i < self->hub_count; i++) {
    wy_mixed_hub *hub = &self->hubs[i];
    memcpy(hub->from, wy_mixed_hub_q(self, u, i), sizeof hub->from);
    memcpy(hub->velocity, wy_mixed_hub_v(self, u, i), sizeof hub->velocity);
    hub->left = hub->middle, hub->right = hub->end;
    guess_hub(self, hub, guess);
  }
  if (self->mover)
    wy_mixed_mover_at(self, t + h, self->hubs[0].end, self->mover_velocity);
  seat_ends(self);
  wy_mixed_load_hubs(self, t + 0.5 * h);
  for (int i = 0; i < self->spring_count; i++) {
    double line[3];
    wy_mixed_line(self, &self->springs[i], WY_MIXED_FROM, line);
    self->springs[i].before = wy_norm3(line);
  }
}

/* ---- Balance ---- */

static void update_middle(wy_mixed_group *self) {
  const double *gravity = wy_model_gravity(self->base.model);
  for (int i = 0; i < self->hub_count; i++) {
    wy_mixed_hub *hub = &self->hubs[i];
    for (int x = 0; x < WY_NODE; x++) {
      const double change = hub->end[x] - hub->from[x];
      hub->middle[x] = hub->from[x] + 0.5 * change;
      const double moved = (self->mover_velocity[x] - hub->velocity[x]) / self->h;
      hub->acceleration[x] = self->mover ? moved : self->inertia * change - 2 / self->h * hub->velocity[x];
      hub->acceleration[x] -= x < 3 ? gravity[x] : 0;
    }
  }
}

static double *hub_entries(const wy_mixed_group *self, const wy_mixed_hub *hub, double *r) {
  return r + self->hub_step + WY_NODE_UNKNOWNS * (size_t)hub->block;
}

static int residual(wy_system *system, double *r, double *misfit) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  wy_mixed_misfit all = {0, 0, 0};
  for (int i = 0; i < self->part_count; i++) {
    wy_mixed *rod = self->parts[i].rod;
    wy_mixed_update_middle(rod);
    const wy_mixed_misfit one = wy_mixed_balance(rod, r + self->parts[i].step);
    all.missed = wy_larger(all.missed, one.missed);
    all.largest = fmax(all.largest, one.largest);
    all.strain = wy_larger(all.strain, one.strain);
  }
  update_middle(self);
  wy_mixed_gather(self);
  wy_mixed_judge_hubs(self, &all);
  for (int i = 0; i < self->hub_count; i++)
    for (int x = 0; self->hubs[i].block >= 0 && x < WY_NODE_UNKNOWNS; x++)
      hub_entries(self, &self->hubs[i], r)[x] = -self->hubs[i].rows[x];
  *misfit = wy_mixed_relative(&all);
  return WY_OK;
}

static int linearise(wy_system *system) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->part_count; i++)
    if (wy_mixed_linearise(self->parts[i].rod))
      return WY_RETRY;
  wy_mixed_hub_blocks(self);
  if (self->rest_state == WY_MIXED_FACTORED) /* which has the memory of the matrix */
    self->rest_state = WY_MIXED_COUNTED;
  wy_mixed_assemble(self, 0);
  return self->block_count > 0 && wy_hub_matrix_factor(&self->matrix) ? WY_RETRY : WY_OK;
}

/* What is out of balance at the ends of a rod while these are held. */
static void condense_rod(const wy_mixed_group *self, const wy_mixed_member *part, double *r) {
  const wy_mixed *rod = part->rod;
  double still[2][WY_NODE_UNKNOWNS] = {{0}}, *b = self->band_vector;
  wy_mixed_reduce(rod, r);
  memcpy(b, r, (size_t)rod->narrow.n * sizeof *b);
  wy_mixed_hold(rod, b, still);
  wy_band_solve(rod->band, b);
  for (int end = 0; end < 2; end++) {
    const wy_mixed_seat *seat = part->seat[end] >= 0 ? &self->seats[part->seat[end]] : NULL;
    double felt[WY_NODE_UNKNOWNS], rows[WY_NODE_UNKNOWNS] = {0};
    if (!seat || wy_mixed_hub_known(self, seat->hub))
      continue;
    wy_mixed_port_rows(rod, end, b, felt);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      felt[x] = r[wy_mixed_end_unknown(rod, end) + x] - felt[x];
    wy_mixed_lift(seat, felt, rows);
    double *y = wy_mixed_hub_entries(self, &self->hubs[seat->hub], self->y);
    for (int x = 0; x < wy_mixed_hub_order(&self->hubs[seat->hub]); x++)
      y[x] += rows[x];
  }
}

static void expand_rod(const wy_mixed_group *self, const wy_mixed_member *part, const double *d, double *r) {
  double ends[2][WY_NODE_UNKNOWNS] = {{0}};
  for (int end = 0; end < 2; end++) {
    const wy_mixed_seat *seat = part->seat[end] >= 0 ? &self->seats[part->seat[end]] : NULL;
    if (seat && !wy_mixed_hub_known(self, seat->hub))
      wy_mixed_follow(seat, hub_entries(self, &self->hubs[seat->hub], (double *)d), ends[end]);
  }
  wy_mixed_hold(part->rod, r, ends);
  wy_band_solve(part->rod->band, r);
  wy_mixed_expand(part->rod, r);
}

static void solve(wy_system *system, double *r) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    if (hub->block >= 0)
      memcpy(wy_mixed_hub_entries(self, hub, self->y), hub_entries(self, hub, r),
             (size_t)wy_mixed_hub_order(hub) * sizeof *r);
  }
  for (int i = 0; i < self->part_count; i++)
    condense_rod(self, &self->parts[i], r + self->parts[i].step);
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0)
      wy_mixed_clear_held(&self->hubs[i], wy_mixed_hub_entries(self, &self->hubs[i], self->y));
  if (self->block_count > 0)
    wy_hub_matrix_solve(&self->matrix, self->y);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    if (hub->block < 0)
      continue;
    memset(hub_entries(self, hub, r), 0, WY_NODE_UNKNOWNS * sizeof *r);
    memcpy(hub_entries(self, hub, r), wy_mixed_hub_entries(self, hub, self->y),
           (size_t)wy_mixed_hub_order(hub) * sizeof *r);
  }
  for (int i = 0; i < self->part_count; i++)
    expand_rod(self, &self->parts[i], r, r + self->parts[i].step);
}

/* Adds `scale` times a correction to the guess of all rods and hubs. */
static void move(wy_mixed_group *self, const double *d, double scale, double *change) {
  for (int i = 0; i < self->part_count; i++)
    wy_mixed_apply(self->parts[i].rod, d + self->parts[i].step, scale, change);
  for (int i = 0; i < self->hub_count; i++) {
    wy_mixed_hub *hub = &self->hubs[i];
    if (hub->block < 0)
      continue;
    const double *own = hub_entries(self, hub, (double *)d);
    const double theta[3] = {scale * own[3], scale * own[4], scale * own[5]};
    wy_add3(hub->end, scale, own);
    if (hub->has_frame)
      wy_mixed_turn_on(theta, 1, hub->from, hub->end);
    *change = wy_larger(*change, scale * wy_norm3(own) / self->length);
    *change = wy_larger(*change, wy_norm3(theta));
  }
  seat_ends(self);
}

static void apply(wy_system *system, const double *d, double *change) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  double turn = 0;
  for (int i = 0; i < self->part_count; i++)
    turn = fmax(turn, wy_mixed_turned(self->parts[i].rod, d + self->parts[i].step));
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0)
      turn = fmax(turn, wy_norm3(hub_entries(self, &self->hubs[i], (double *)d) + 3));
  const double scale = wy_mixed_shortened(turn);
  double share = 1;
  if (self->correction) {
    wy_mixed_swing swing = {0};
    for (int i = 0; i < self->part_count; i++)
      wy_mixed_compare(self->parts[i].rod, self->correction + self->parts[i].step, d + self->parts[i].step, &swing);
    share = wy_mixed_steadied(&swing, self->corrected);
    memcpy(self->correction, d, (size_t)system->step_size * sizeof *d);
    self->corrected = share * scale;
  }
  *change = 0;
  move(self, d, share * scale, change);
  *change /= share; /* one that is cut is no sign of convergence */
}

static void retreat(wy_system *system, double share) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  double change = 0;
  move(self, self->correction, -share * self->corrected, &change);
  self->corrected *= 1 - share;
}

static void peek(wy_system *system, double *u) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  for (int i = 0; i < self->part_count; i++)
    wy_mixed_midpoint.peek(&self->parts[i].rod->base, u + self->parts[i].offset);
  for (int i = 0; i < self->hub_count; i++)
    memcpy(u + self->q + WY_NODE * (size_t)i, self->hubs[i].end, sizeof self->hubs[i].end);
}

/* ---- End ---- */

/* What holds bodies, known in the middle of the step only. */
static void keep_reactions(const wy_mixed_group *self, double *u) {
  for (int i = 0; i < self->hub_count; i++)
    memcpy(u + self->reaction + WY_NODE_UNKNOWNS * (size_t)i, self->hubs[i].total, sizeof self->hubs[i].total);
}

static void finish(wy_system *system, double *u, double integrals[WY_INTEGRALS]) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  keep_reactions(self, u);
  for (int i = 0; i < self->part_count; i++)
    wy_mixed_midpoint.finish(&self->parts[i].rod->base, u + self->parts[i].offset, integrals);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    double *q = u + self->q + WY_NODE * (size_t)i, *v = u + self->v + WY_NODE * (size_t)i;
    for (int x = 0; x < WY_NODE; x++)
      v[x] = self->mover ? self->mover_velocity[x] : 2 * (hub->end[x] - hub->from[x]) / self->h - hub->velocity[x];
    memcpy(q, hub->end, sizeof hub->end);
  }
  wy_mixed_write_ends(self, u);
  u[self->stepped] = 1;
  integrals[WY_WORK_INTEGRAL] +=
      self->mover ? wy_mixed_mover_work(self, self->mover_velocity) : wy_mixed_load_work(self);
  for (int i = 0; i < self->spring_count; i++)
    integrals[WY_DISSIPATION_INTEGRAL] += self->h * self->springs[i].lost;
}

const wy_step_type wy_mixed_group_midpoint = {.begin = begin,
                                              .residual = residual,
                                              .linearise = linearise,
                                              .solve = solve,
                                              .apply = apply,
                                              .retreat = retreat,
                                              .peek = peek,
                                              .finish = finish};

/* ---- To begin with ---- */

/* A time in which little happens to what is slow: of rods, or of bodies on springs. */
static double period_of(const wy_mixed_group *self) {
  double period = INFINITY;
  for (int i = 0; i < self->part_count; i++)
    period = fmin(period, wy_model_period(self->base.model, self->parts[i].rod->base.rod));
  for (int i = 0; self->part_count == 0 && i < 2 * self->spring_count; i++) {
    const int hub = self->springs[i / 2].hub[i % 2];
    if (hub >= 0)
      period = fmin(period, sqrt(self->hubs[hub].mass / self->springs[i / 2].def->stiffness));
  }
  return isfinite(period) ? period : 1;
}

/* As wy_mixed_first_forces. */
void wy_mixed_group_first_forces(wy_mixed_group *self, double t, double *u) {
  const double very_short = 1e-5, period = period_of(self);
  double misfit, change, last = INFINITY;
  begin(&self->base, t, very_short * period, u, WY_GUESS_MOVING);
  for (int i = 0; i < 10; i++) {
    if (residual(&self->base, self->base.step_vector, &misfit) || !(misfit < last)) /* it no longer falls */
      break;
    for (int k = 0; k < self->part_count; k++)
      wy_mixed_keep_forces(self->parts[k].rod, u + self->parts[k].offset);
    keep_reactions(self, u);
    last = misfit;
    if (wy_step_correct(&self->base, true, self->base.step_vector, &change))
      break;
  }
}
