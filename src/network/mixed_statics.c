/* SPDX-License-Identifier: MIT */
/* Equilibria of a group of mixed rods. A configuration is a state at rest with its forces. Degrees of freedom are those
   of the rods, one after the other, then translation and space rotation of each hub whose motion is not known; those of
   end nodes follow from their hub. Solves and counts by (N8). */
#include <math.h>
#include <string.h>

#include "network/mixed_inside.h"

static const wy_statics_type *const rest = &wy_mixed_statics;

static wy_system *rod_of(const wy_mixed_group *self, int part) {
  return &self->parts[part].rod->base;
}

static double *hub_dofs(const wy_mixed_group *self, const wy_mixed_hub *hub, double *d) {
  return d + self->hub_dof + WY_NODE_UNKNOWNS * (size_t)hub->block;
}

/* Unknowns of the node at a seat in a vector of all degrees of freedom. */
static double *end_dofs(const wy_mixed_group *self, const wy_mixed_seat *seat, double *d) {
  const wy_mixed_member *part = &self->parts[seat->part];
  const int cell = wy_mixed_cell(part->rod->basis.order, WY_FORM_ALL);
  return d + part->dof + (seat->end ? cell * part->rod->elements : 0);
}

/* What ends on hubs have of their own: nothing, but for the rotation of balls. */
static void clear_ends(const wy_mixed_group *self, double *d) {
  for (int i = 0; i < self->seat_count; i++)
    memset(end_dofs(self, &self->seats[i], d), 0, (self->seats[i].turns ? 6 : 3) * sizeof *d);
}

static void apply(wy_system *system, bool still, double loads, double ends) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->part_count; i++)
    rest->apply(rod_of(self, i), still, loads, ends);
  self->load_factor = still ? loads : 1;
  if (self->mover)
    self->mover->supports.rest = still, self->mover->supports.factor = still ? ends : 1;
}

static void undeformed(wy_system *system, double *config) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->part_count; i++)
    rest->undeformed(rod_of(self, i), config + self->parts[i].offset);
  wy_mixed_rest_hubs(self, config);
}

/* ---- Balance ---- */

/* Hubs at rest in a configuration, and what acts there; rods have been evaluated. */
static void rest_hubs(wy_mixed_group *self, double t, const double *config) {
  const double *gravity = wy_model_gravity(self->base.model);
  self->at_rest = true;
  self->at_tangent = false;
  self->share = 1, self->inertia = 0;
  for (int i = 0; i < self->hub_count; i++) {
    wy_mixed_hub *hub = &self->hubs[i];
    memcpy(hub->end, wy_mixed_hub_q(self, config, i), sizeof hub->end);
    if (self->mover)
      wy_mixed_mover_at(self, t, hub->end, self->mover_velocity);
    hub->left = hub->right = hub->end;
    for (int x = 0; x < WY_NODE; x++)
      hub->acceleration[x] = x < 3 ? -self->load_factor * gravity[x] : 0;
  }
  wy_mixed_load_hubs(self, t);
  wy_mixed_gather(self);
}

static int residual(wy_system *system, double t, const double *config, double *r) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->part_count; i++) {
    const int status = rest->residual(rod_of(self, i), t, config + self->parts[i].offset, r + self->parts[i].dof);
    if (status)
      return status;
  }
  rest_hubs(self, t, config);
  clear_ends(self, r);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    if (hub->block < 0)
      continue;
    double *to = hub_dofs(self, hub, r);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      to[x] = x < wy_mixed_hub_order(hub) ? -hub->total[x] : 0;
    wy_mixed_clear_held(hub, to);
  }
  return WY_OK;
}

static int tangent(wy_system *system, double t, const double *config) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->part_count; i++) {
    const int status = rest->tangent(rod_of(self, i), t, config + self->parts[i].offset);
    if (status)
      return status;
  }
  rest_hubs(self, t, config);
  wy_mixed_hub_blocks(self);
  for (int i = 0; i < self->hub_count; i++) {
    wy_mixed_hub *hub = &self->hubs[i];
    memcpy(hub->kept, hub->end, sizeof hub->kept);
    memcpy(hub->kept_own, hub->own, sizeof hub->own);
    memcpy(hub->kept_inertia, hub->inertia_block, sizeof hub->inertia_block);
  }
  self->at_tangent = true;
  self->rest_state = WY_MIXED_TANGENT;
  return WY_OK;
}

/* Hubs, arms and springs as they were then: residuals have been asked for elsewhere. */
static void recall(wy_mixed_group *self) {
  if (self->at_tangent)
    return;
  self->at_rest = self->at_tangent = true;
  self->share = 1, self->inertia = 0;
  for (int i = 0; i < self->hub_count; i++) {
    wy_mixed_hub *hub = &self->hubs[i];
    memcpy(hub->end, hub->kept, sizeof hub->kept);
    memcpy(hub->own, hub->kept_own, sizeof hub->own);
    memcpy(hub->inertia_block, hub->kept_inertia, sizeof hub->inertia_block);
    hub->left = hub->right = hub->end;
  }
  wy_mixed_set_arms(self);
}

/* ---- K - mu M ---- */

/* Factors the rods, and leaves their hubs' matrix to be factored or counted. */
static int condense(wy_mixed_group *self, double mu) {
  recall(self);
  for (int i = 0; i < self->part_count; i++) {
    const int status = rest->factor(rod_of(self, i), mu);
    if (status)
      return status;
  }
  wy_mixed_assemble(self, mu);
  return WY_OK;
}

static int factor(wy_system *system, double mu) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  const int status = condense(self, mu);
  self->rest_mu = mu;
  self->rest_state = WY_MIXED_FACTORED;
  if (status)
    return status;
  return self->block_count > 0 && wy_hub_matrix_factor(&self->matrix) ? WY_RETRY : WY_OK;
}

/* A count has used the memory of the factors: once more. */
static void need_factors(wy_mixed_group *self) {
  if (self->rest_state == WY_MIXED_COUNTED)
    factor(&self->base, self->rest_mu);
}

/* End nodes move with their hubs. */
static void fill_ends(const wy_mixed_group *self, double *d) {
  for (int i = 0; i < self->seat_count; i++) {
    const wy_mixed_seat *seat = &self->seats[i];
    double motion[WY_NODE_UNKNOWNS] = {0}, own[WY_NODE_UNKNOWNS] = {0}, *to = end_dofs(self, seat, d);
    const wy_mixed_hub *hub = &self->hubs[seat->hub];
    if (hub->block >= 0) {
      memcpy(own, hub_dofs(self, hub, d), (size_t)wy_mixed_hub_order(hub) * sizeof *own);
      wy_mixed_clear_held(hub, own);
    }
    wy_mixed_follow(seat, own, motion);
    memcpy(to, motion, (seat->turns ? 6 : 3) * sizeof *to);
  }
}

static const wy_mixed_seat *seat_of(const wy_mixed_group *self, const wy_mixed_member *part, int end) {
  return part->seat[end] >= 0 ? &self->seats[part->seat[end]] : NULL;
}

/* What the ends of a rod feel of its right-hand side while they are held. */
static void condense_rod(const wy_mixed_group *self, const wy_mixed_member *part, const double *b) {
  double *x = self->band_vector;
  memcpy(x, b + part->dof, (size_t)part->rod->wide.n * sizeof *x);
  wy_band_solve(&part->rod->wide, x);
  for (int end = 0; end < 2; end++) {
    const wy_mixed_seat *seat = seat_of(self, part, end);
    double felt[WY_NODE_UNKNOWNS], rows[WY_NODE_UNKNOWNS] = {0};
    if (!seat || wy_mixed_hub_known(self, seat->hub))
      continue;
    wy_mixed_port_rows(part->rod, end, x, felt);
    wy_mixed_lift(seat, felt, rows);
    double *y = wy_mixed_hub_entries(self, &self->hubs[seat->hub], self->y);
    for (int k = 0; k < wy_mixed_hub_order(&self->hubs[seat->hub]); k++)
      y[k] -= rows[k];
  }
}

static void solve(wy_system *system, double *b) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  need_factors(self);
  recall(self);
  clear_ends(self, b);
  for (int i = 0; i < self->part_count; i++)
    self->parts[i].rod->task.form = WY_FORM_ALL;
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    if (hub->block >= 0)
      memcpy(wy_mixed_hub_entries(self, hub, self->y), hub_dofs(self, hub, b),
             (size_t)wy_mixed_hub_order(hub) * sizeof *b);
  }
  for (int i = 0; i < self->part_count; i++)
    condense_rod(self, &self->parts[i], b);
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0)
      wy_mixed_clear_held(&self->hubs[i], wy_mixed_hub_entries(self, &self->hubs[i], self->y));
  if (self->block_count > 0)
    wy_hub_matrix_solve(&self->matrix, self->y);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    if (hub->block < 0)
      continue;
    memset(hub_dofs(self, hub, b), 0, WY_NODE_UNKNOWNS * sizeof *b);
    memcpy(hub_dofs(self, hub, b), wy_mixed_hub_entries(self, hub, self->y),
           (size_t)wy_mixed_hub_order(hub) * sizeof *b);
  }
  fill_ends(self, b);
  for (int i = 0; i < self->seat_count; i++) { /* held at what the hub has moved them by */
    const wy_mixed_seat *seat = &self->seats[i];
    double *end = end_dofs(self, seat, b);
    for (int x = 0; x < (seat->turns ? 6 : 3); x++)
      end[x] *= self->parts[seat->part].rod->hold_stiffness;
  }
  for (int i = 0; i < self->part_count; i++)
    wy_band_solve(&self->parts[i].rod->wide, b + self->parts[i].dof);
}

static int sign(wy_system *system) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  need_factors(self);
  int product = self->block_count > 0 ? wy_hub_matrix_sign(&self->matrix) : 1;
  for (int i = 0; i < self->part_count; i++)
    product *= rest->sign(rod_of(self, i));
  return product;
}

/* Moments on bodies, and forces that turn with them, have no potential while they act. */
static bool has_potential(const wy_mixed_group *self) {
  for (int i = 0; i < self->load_count; i++) {
    const wy_load_def *load = self->loads[i].def;
    if (self->hubs[self->loads[i].hub].block >= 0 && self->load_factor != 0 &&
        (wy_load_has(load, &self->overrides[i], true) ||
         (load->axes == WY_BODY_AXES && wy_load_has(load, &self->overrides[i], false))))
      return false;
  }
  return true;
}

static int negative(wy_system *system, double mu, int *count) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  int sum = 0, part = 0;
  if (!has_potential(self))
    return WY_NO_POTENTIAL;
  for (int i = 0; i < self->part_count; i++) {
    const int status = rest->negative(rod_of(self, i), mu, &part);
    if (status)
      return status;
    sum += part;
  }
  if (self->block_count > 0) {
    if (self->rest_state == WY_MIXED_FACTORED)
      self->rest_state = WY_MIXED_COUNTED;
    if (condense(self, mu) || wy_hub_negative(&self->matrix, &part))
      return WY_RETRY;
    sum += part;
  }
  *count = sum;
  return WY_OK;
}

static int directions(const wy_system *system) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  int sum = 0;
  for (int i = 0; i < self->part_count; i++)
    sum += rest->directions(rod_of(self, i));
  for (int i = 0; i < self->hub_count; i++)
    for (int k = 0; self->hubs[i].block >= 0 && k < wy_mixed_hub_order(&self->hubs[i]); k++)
      sum += !self->hubs[i].held[k];
  return sum;
}

/* ---- Displacements ---- */

static void displace(wy_system *system, const double *from, const double *d, double factor, double *to) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  if (to != from)
    memcpy(to, from, (size_t)system->config_size * sizeof *to);
  for (int i = 0; i < self->part_count; i++) {
    double *config = to + self->parts[i].offset;
    rest->displace(rod_of(self, i), config, d + self->parts[i].dof, factor, config);
  }
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    double own[WY_NODE_UNKNOWNS], *q = to + self->q + WY_NODE * (size_t)i;
    if (hub->block < 0)
      continue;
    memcpy(own, hub_dofs(self, hub, (double *)d), sizeof own);
    wy_mixed_clear_held(hub, own);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      own[x] *= factor;
    wy_add3(q, 1, own);
    if (!hub->has_frame)
      continue;
    wy_mixed_turn(own + 3, q, q);
    wy_mixed_straighten(q);
  }
  wy_mixed_write_ends(self, to);
}

/* An equilibrium brings its reactions along, and a body that is moved is where it is moved to. */
static void relax(wy_system *system, double t, double *u) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->part_count; i++)
    rest->relax(rod_of(self, i), t, u + self->parts[i].offset);
  rest_hubs(self, t, u);
  if (self->mover)
    memcpy(u + self->q, self->hubs[0].end, sizeof self->hubs[0].end);
  for (int i = 0; i < self->hub_count; i++)
    memcpy(u + self->reaction + WY_NODE_UNKNOWNS * (size_t)i, self->hubs[i].total, sizeof self->hubs[i].total);
  u[self->stepped] = 1;
}

/* d with the motion of ends that goes with that of their hubs. */
static const double *filled(wy_mixed_group *self, const double *d) {
  recall(self);
  memcpy(self->work, d, (size_t)self->base.dofs * sizeof *d);
  fill_ends(self, self->work);
  return self->work;
}

static void mass_times(wy_system *system, const double *d, double *out) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  const double *all = filled(self, d);
  memset(out + self->hub_dof, 0, WY_NODE_UNKNOWNS * (size_t)self->block_count * sizeof *out);
  for (int i = 0; i < self->part_count; i++)
    rest->mass_times(rod_of(self, i), all + self->parts[i].dof, out + self->parts[i].dof);
  for (int i = 0; i < self->seat_count; i++) {
    const wy_mixed_seat *seat = &self->seats[i];
    const wy_mixed_hub *hub = &self->hubs[seat->hub];
    if (hub->block >= 0)
      wy_mixed_lift(seat, end_dofs(self, seat, out), hub_dofs(self, hub, out));
  }
  clear_ends(self, out);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    if (hub->block < 0)
      continue;
    double own[WY_NODE_UNKNOWNS], *to = hub_dofs(self, hub, out);
    memcpy(own, hub_dofs(self, hub, (double *)d), sizeof own);
    wy_mixed_clear_held(hub, own);
    for (int k = 0; k < WY_NODE_UNKNOWNS * WY_NODE_UNKNOWNS; k++)
      to[k / 6] += hub->inertia_block[k / 6][k % 6] * own[k % 6];
    wy_mixed_clear_held(hub, to);
    for (int x = wy_mixed_hub_order(hub); x < WY_NODE_UNKNOWNS; x++)
      to[x] = 0;
  }
}

/* Rates of a point of a hub. */
static void point_rate(const wy_mixed_group *self, const wy_mixed_spring *spring, int end, const double *d,
                       double out[3]) {
  double own[WY_NODE_UNKNOWNS] = {0}, arm[3];
  memset(out, 0, 3 * sizeof *out);
  if (wy_mixed_hub_known(self, spring->hub[end]))
    return;
  const wy_mixed_hub *hub = &self->hubs[spring->hub[end]];
  memcpy(own, hub_dofs(self, hub, (double *)d), (size_t)wy_mixed_hub_order(hub) * sizeof *own);
  wy_mixed_clear_held(hub, own);
  wy_mixed_arm(hub->right, spring->c[end], arm);
  wy_cross3(own + 3, arm, out);
  wy_add3(out, 1, own);
}

static double dissipation(wy_system *system, const double *d) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  const double *all = filled(self, d);
  double power = 0;
  for (int i = 0; i < self->part_count; i++)
    power += rest->dissipation(rod_of(self, i), all + self->parts[i].dof);
  for (int i = 0; i < self->spring_count; i++) {
    const wy_mixed_spring *spring = &self->springs[i];
    double line[3], first[3], second[3];
    wy_mixed_line(self, spring, WY_MIXED_RIGHT, line);
    point_rate(self, spring, 0, d, first);
    point_rate(self, spring, 1, d, second);
    const wy_spring_pull pull = wy_spring_at(spring->def, wy_at3(line), wy_minus(wy_at3(second), wy_at3(first)));
    power += wy_spring_dissipation(spring->def, &pull);
  }
  return power;
}

static void show(wy_system *system, int part, const double *d, double *translation, double *rotation) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  rest->show(rod_of(self, part), 0, filled(self, d) + self->parts[part].dof, translation, rotation);
}

void wy_mixed_group_show_body(const wy_system *system, int body, const double *d, double translation[3],
                              double rotation[3]) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  double own[WY_NODE_UNKNOWNS] = {0};
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    if (hub->def->body != body)
      continue;
    if (hub->block >= 0) {
      memcpy(own, hub_dofs(self, hub, (double *)d), sizeof own);
      wy_mixed_clear_held(hub, own);
    }
    for (int k = 0; k < 3; k++)
      rotation[k] = wy_dot3(hub->kept + 3 + 3 * k, own + 3);
  }
  wy_copy3(own, translation);
}

/* ---- Creation ---- */

/* The scale of moments on bodies without rods: of springs and weight. */
static double body_torsion(const wy_mixed_group *self) {
  const double *gravity = wy_model_gravity(self->base.model), length = self->length;
  double most = 0;
  for (int i = 0; i < self->spring_count; i++)
    most = fmax(most, self->springs[i].def->stiffness * length * length);
  for (int i = 0; i < self->hub_count; i++)
    most = fmax(most, self->hubs[i].mass * wy_norm3(gravity) * length);
  return most;
}

/* Displacements of hubs count over the length of the longest rod. End nodes do not count by themselves. */
void wy_mixed_begin_statics(wy_mixed_group *self) {
  double torsion = INFINITY;
  for (int i = 0; i < self->part_count; i++) {
    const wy_mixed *rod = self->parts[i].rod;
    torsion = fmin(torsion, wy_section_at(rod->rod, 0.5 * rod->rod->length).stiffness[5] / rod->rod->length);
    memcpy(self->dof_weight + self->parts[i].dof, rod->base.dof_weight, (size_t)rod->base.dofs * sizeof(double));
  }
  clear_ends(self, self->dof_weight);
  self->rest_foundation = 1e-9 * (isfinite(torsion) ? torsion : body_torsion(self));
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    if (hub->block < 0)
      continue;
    double *weight = hub_dofs(self, hub, self->dof_weight);
    for (int k = 0; k < WY_NODE_UNKNOWNS; k++)
      weight[k] = k >= wy_mixed_hub_order(hub) ? 0 : k >= 3 ? 1 : 1 / self->length;
    wy_mixed_clear_held(hub, weight);
  }
}

const wy_statics_type wy_mixed_group_statics = {.apply = apply,
                                                .undeformed = undeformed,
                                                .residual = residual,
                                                .tangent = tangent,
                                                .factor = factor,
                                                .solve = solve,
                                                .sign = sign,
                                                .negative = negative,
                                                .directions = directions,
                                                .displace = displace,
                                                .relax = relax,
                                                .mass_times = mass_times,
                                                .dissipation = dissipation,
                                                .show = show};
