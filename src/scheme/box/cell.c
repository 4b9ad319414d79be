/* SPDX-License-Identifier: MIT */
/* The equations of a step (B2)-(B6), (B9): node by node what both cells need, then cells and ends. Without transport
   E = S = 1, and terms kappa x ... take their place. */
#include "scheme/box/cell.h"

#include <math.h>
#include <string.h>

/* ---- Nodes ---- */

WY_INLINE double size3(wy_v3 a) {
  return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

WY_INLINE void turn_frame(const wy_box *self, int node, bool touches, wy_box_terms *to) {
  const wy_v3 omega = wy_at3(self->x + WY_BOX_NODE * node + WY_BOX_OMEGA);
  if (touches)
    to->turn = wy_plus(wy_times(self->turning, omega), self->contact.known_turn[node]);
  else
    to->turn = wy_times(0.5 * self->h, wy_plus(wy_at3(self->x0 + WY_BOX_NODE * node + WY_BOX_OMEGA), omega));
  const wy_box_turn twice = wy_box_turn_of(wy_times(2, to->turn));
  to->frame = wy_mproduct(self->frame0[node], wy_box_e(&twice));
}

WY_INLINE void node_terms(const wy_box *self, int node, const double *x, wy_m3 frame, wy_v3 gravity, wy_v3 couple,
                          wy_v3 *force, wy_v3 *moment) {
  const wy_box_node *at = &self->node[node];
  const wy_v3 u = wy_at3(x), omega = wy_at3(x + WY_BOX_OMEGA), kappa = wy_at3(x + WY_BOX_KAPPA);
  *force = wy_times(-at->mass, wy_plus(wy_cross(omega, u), wy_times(self->drag[0], u)));
  *moment = (wy_v3){0, 0, 0};
  if (self->turned)
    *force = wy_plus(*force, wy_times(at->mass, wy_apply_transposed(frame, gravity)));
  if (self->options.transport)
    return;
  *force = wy_plus(*force, wy_cross(kappa, wy_at3(x + WY_BOX_N)));
  *moment = wy_minus(wy_cross(kappa, couple), wy_cross(omega, wy_each(at->rotary, omega)));
}

/* `touches`: the rod may touch obstacles. A constant where this is called, for the sake of rods that do not. */
WY_INLINE void update_node(wy_box *self, int node, bool touches) {
  const double *x = self->x + WY_BOX_NODE * node, *x0 = self->x0 + WY_BOX_NODE * node;
  const double *rate0 = self->rate0 + WY_BOX_MOTION * node;
  const double gamma = self->task.gamma, alpha = self->task.alpha, factor = rate_factor(self);
  const double old = alpha - (1 - alpha) * (1 - gamma) / gamma;
  const wy_box_node *at = &self->node[node];
  wy_box_terms *to = &self->terms[node];
  if (self->turned || node == 0 || node == self->nodes - 1)
    turn_frame(self, node, touches, to);
  to->inertia = wy_times(-at->mass, weighed_rate(x, x0, rate0, factor, old));
  to->spin = weighed_rate(x + 3, x0 + 3, rate0 + 3, factor, old);
  to->rate = weighed_rate(x + 6, x0 + 6, rate0 + 6, factor, old);
  to->viscous = wy_each(at->damping, to->rate);
  to->couple = wy_plus(wy_box_moment(self, node, wy_at3(x + WY_BOX_KAPPA)), to->viscous);
  node_terms(self, node, x, to->frame, self->loads[1].gravity, to->couple, &to->force, &to->moment);
}

/* ---- Cells ---- */

/* The same of what belongs to the step as a whole, in the frames where it began. */
WY_INLINE wy_box_pairs old_pairs_of(const wy_box *self, int cell) {
  const double h = self->length[cell];
  wy_box_pairs p;
  for (int end = 0; end < 2; end++) {
    const wy_box_terms *at = &self->terms[cell + end];
    const wy_v3 n = wy_at3(self->x + WY_BOX_NODE * (cell + end) + WY_BOX_N);
    const wy_v3 kappa = wy_at3(self->x0 + WY_BOX_NODE * (cell + end) + WY_BOX_KAPPA);
    wy_v3 force = at->inertia, moment = {0, 0, 0};
    const double sign = end ? h : -h;
    if (!self->options.transport) {
      moment = wy_cross(kappa, at->viscous);
      force = self->task.stage ? wy_plus(force, wy_cross(kappa, n)) : force;
    }
    p.force[end] = share(sign, wy_times(self->task.stage, n), force);
    p.moment[end] = share(sign, at->viscous, moment);
  }
  return p;
}

/* kappa x ... of both ends, halved: without transport only. */
WY_INLINE wy_v3 turning(const wy_box *self, const double *x, int offset) {
  if (self->options.transport)
    return (wy_v3){0, 0, 0};
  const double *b = x + WY_BOX_NODE;
  return wy_times(0.5, wy_plus(wy_cross(wy_at3(x + WY_BOX_KAPPA), wy_at3(x + offset)),
                               wy_cross(wy_at3(b + WY_BOX_KAPPA), wy_at3(b + offset))));
}

/* (E b - E^T a) / h of two vectors among the unknowns. */
WY_INLINE wy_v3 difference(const wy_box *self, int cell, wy_m3 e, const double *x, int offset) {
  const wy_v3 b = wy_at3(x + WY_BOX_NODE + offset), a = wy_at3(x + offset);
  return wy_plus(wy_times(1 / self->length[cell], join(e, b, wy_times(-1, a))), turning(self, x, offset));
}

WY_CLONES
void wy_box_keep_before(wy_box *self, int cell) {
  const double *x = self->x0 + WY_BOX_NODE * cell, h = self->length[cell];
  const wy_box_middle m = middle_of(self, cell, x);
  const double history = self->task.stage ? 0 : 1;
  wy_v3 force[2], moment[2], mean = {0, 0, 0};
  for (int end = 0; end < 2; end++) {
    const double *at = x + WY_BOX_NODE * end;
    double old[WY_BOX_NODE];
    memcpy(old, at, sizeof old);
    const wy_v3 n = wy_times(history, wy_at3(at + WY_BOX_N));
    wy_put3(old + WY_BOX_N, n);
    const wy_m3 frame = self->frame0[cell + end];
    const wy_v3 couple = wy_box_moment(self, cell + end, wy_at3(at + WY_BOX_KAPPA));
    wy_v3 f, c, more_f, more_c;
    node_terms(self, cell + end, old, frame, self->loads[0].gravity, couple, &f, &c);
    if (self->loads[0].on_cells) {
      load_in_body(&self->loads[0].cell[cell], frame, &more_f, &more_c);
      f = wy_plus(f, more_f), c = wy_plus(c, more_c);
    }
    const double sign = end ? h : -h;
    force[end] = share(sign, n, f);
    moment[end] = share(sign, couple, c);
    mean = wy_plus(mean, wy_times(0.5, end ? wy_apply(m.e, n) : wy_apply_transposed(m.e, n)));
  }
  const wy_v3 spin = spin_of(self, cell, m.c, (wy_v3){0, 0, 0}, middle_value(x, WY_BOX_OMEGA));
  self->before[cell] =
      (wy_box_before){.e = m.e,
                      .s = m.s,
                      .c = m.c,
                      .force = join(m.e, force[1], force[0]),
                      .moment = wy_plus(wy_plus(join(m.e, moment[1], moment[0]), spin), wy_cross(m.s.c, mean)),
                      .rotation = difference(self, cell, m.e, x, WY_BOX_OMEGA)};
}

/* What the four equations of a cell leave, not scaled. */
WY_INLINE void cell_balance(const wy_box *self, int cell, bool touches, wy_v3 out[4]) {
  const double *x = self->x + WY_BOX_NODE * cell, beta = self->task.beta;
  const wy_box_middle m = middle_of(self, cell, x);
  const wy_box_before *o = &self->before[cell];
  const wy_box_pairs p = pairs_of(self, cell);
  const wy_v3 rate = wy_times(0.5, wy_plus(self->terms[cell].rate, self->terms[cell + 1].rate));
  wy_v3 force = join(m.e, p.force[1], p.force[0]), moment = join(m.e, p.moment[1], p.moment[0]);
  const wy_v3 omega = middle_value(x, WY_BOX_OMEGA);
  const wy_v3 spin = wy_times(0.5, wy_plus(self->terms[cell].spin, self->terms[cell + 1].spin));
  moment = wy_plus(moment, wy_cross(m.s.c, mean_of(m.e, x, WY_BOX_N)));
  moment = wy_plus(moment, spin_of(self, cell, m.c, spin, omega));
  wy_v3 rotation = wy_minus(difference(self, cell, m.e, x, WY_BOX_OMEGA), wy_apply(m.s, rate));
  if (beta != 0) {
    const wy_box_pairs old = old_pairs_of(self, cell);
    wy_v3 old_force = wy_plus(o->force, join(o->e, old.force[1], old.force[0]));
    wy_v3 old_moment = wy_plus(o->moment, join(o->e, old.moment[1], old.moment[0]));
    old_moment = wy_minus(old_moment, wy_each(rotary_of(self, cell), wy_apply(o->c, spin)));
    if (self->task.stage)
      old_moment = wy_plus(old_moment, wy_cross(o->s.c, mean_of(o->e, x, WY_BOX_N)));
    if (touches && self->contact.acts)
      wy_box_contact_before(self, cell, &old_force, &old_moment);
    const wy_v3 old_rotation = wy_minus(o->rotation, wy_apply(o->s, rate));
    force = wy_plus(wy_times(1 - beta, force), wy_times(beta, old_force));
    moment = wy_plus(wy_times(1 - beta, moment), wy_times(beta, old_moment));
    rotation = wy_plus(wy_times(1 - beta, rotation), wy_times(beta, old_rotation));
  }
  out[0] = force;
  out[1] = moment;
  out[2] = rotation;
  out[3] = wy_plus(difference(self, cell, m.e, x, WY_BOX_U), wy_cross(m.s.c, wy_apply(m.c, omega)));
}

/* ---- Ends ---- */

wy_v3 wy_box_end_rate(const wy_box *self, int node) {
  const double alpha = self->task.alpha - self->task.beta, gamma = self->task.gamma;
  const int at = WY_BOX_NODE * node + WY_BOX_KAPPA;
  return weighed_rate(self->x + at, self->x0 + at, self->rate0 + WY_BOX_MOTION * node + WY_BOX_KAPPA,
                      end_rate_factor(self), alpha - (1 - alpha) * (1 - gamma) / gamma);
}

/* The moment of the end's load in the body; as the moment in the section. */
WY_INLINE wy_v3 load_couple(const wy_box_load *load, wy_m3 frame, int end) {
  return wy_times(wy_box_sign(end), wy_plus(load->body_moment, wy_apply_transposed(frame, load->space_moment)));
}

/* While starting, moments of free ends miss the same as before. */
void wy_box_keep_end_moment(wy_box *self, int end) {
  const int node = wy_box_end_node(self, end);
  const wy_v3 elastic = wy_box_moment(self, node, wy_at3(self->x0 + WY_BOX_NODE * node + WY_BOX_KAPPA));
  self->end_moment[end] = wy_minus(elastic, load_couple(&self->loads[0].end[end], self->frame0[node], end));
}

/* What the force in the section, seen from space, is beside the load. */
WY_INLINE wy_v3 end_gap(const wy_box_load *load, wy_m3 frame, wy_v3 n, int end) {
  const wy_v3 follower = wy_times(wy_box_sign(end), load->body_force);
  return wy_minus(wy_apply(frame, wy_minus(n, follower)), wy_times(wy_box_sign(end), load->space_force));
}

/* Three rows for position or force, in space, and three for rotation or moment, in the body (B9). At
   the end of the step; a force without history belongs to the step as a whole, and so does its load. */
static void end_balance(const wy_box *self, int end, double out[WY_BOX_END]) {
  const int node = wy_box_end_node(self, end);
  const double *x = self->x + WY_BOX_NODE * node;
  const wy_box_terms *at = &self->terms[node];
  const wy_box_load *load = &self->loads[1].end[end];
  const wy_v3 u = wy_minus(wy_apply(at->frame, wy_at3(x)), self->end_velocity[end]);
  wy_v3 n = end_gap(load, at->frame, wy_at3(x + WY_BOX_N), end);
  if (self->task.stage) {
    const wy_v3 old = end_gap(&self->loads[0].end[end], self->frame0[node], wy_at3(x + WY_BOX_N), end);
    n = wy_plus(wy_times(1 - self->task.beta, n), wy_times(self->task.beta, old));
  }
  const wy_box_scales *scale = &self->scales;
  const double velocity[3] = {u.x, u.y, u.z}, force[3] = {n.x, n.y, n.z};
  for (int i = 0; i < 3; i++)
    out[i] =
        self->ends[end].position[i] != WY_FREE ? velocity[i] * scale->time / scale->length : force[i] / scale->force;
  if (wy_support_holds_rotation(&self->supports, end)) {
    wy_put3(out + 3, wy_times(scale->time, wy_minus(wy_at3(x + WY_BOX_OMEGA), self->end_spin[end])));
    return;
  }
  wy_v3 moment = wy_minus(wy_box_moment(self, node, wy_at3(x + WY_BOX_KAPPA)), load_couple(load, at->frame, end));
  if (self->starting)
    moment = wy_minus(moment, self->end_moment[end]);
  else
    moment = wy_plus(moment, wy_each(self->node[node].damping, wy_box_end_rate(self, node)));
  wy_put3(out + 3, wy_times(1 / scale->moment, moment));
}

/* ---- Balance ---- */

/* What is at work, in the units of the scaled rows: balances of force and moment, rate of kappa, constraint; and
   velocity, angular velocity, force and moment of ends. */
typedef struct wy_box_sizes {
  double cell[4], node[4];
} wy_box_sizes;

/* What makes round-off: parts that cancel in a cell, and changes over a step. Motions and strains of 1e-15 do not
   count. */
static wy_box_sizes sizes_of(const wy_box *self) {
  const double negligible = 1e-4, factor = rate_factor(self), dt = self->h;
  wy_box_sizes most = {.node = {negligible * self->rod->length / dt, negligible / dt, 0, 0}};
  double inertia = 0, spin = 0, rate = 0, shortest = INFINITY;
  for (int j = 0; j < self->nodes; j++) {
    const double *x = self->x + WY_BOX_NODE * j;
    const wy_box_terms *at = &self->terms[j];
    const wy_box_node *node = &self->node[j];
    const wy_v3 kappa = wy_at3(x + WY_BOX_KAPPA);
    const double u = size3(wy_at3(x)), omega = size3(wy_at3(x + WY_BOX_OMEGA));
    const double elastic = size3(wy_each(wy_at3(node->stiffness + 3), kappa));
    most.node[0] = fmax(most.node[0], u);
    most.node[1] = fmax(most.node[1], omega);
    most.node[2] = fmax(most.node[2], size3(wy_at3(x + WY_BOX_N)));
    most.node[3] = fmax(most.node[3], fmax(size3(at->couple), negligible * elastic));
    inertia = fmax(inertia, fmax(size3(at->force) + size3(at->inertia), node->mass * u * factor));
    spin = fmax(spin, size3(at->moment) + size3(node->rotary) * (size3(at->spin) + omega * fmax(omega, factor)));
    rate = fmax(rate, fmax(size3(at->rate), negligible * size3(kappa) / dt));
    shortest = j < self->cells ? fmin(shortest, self->length[j]) : shortest;
  }
  for (int cell = 0; self->loads[1].on_cells && cell < self->cells; cell++) {
    const wy_box_load *load = &self->loads[1].cell[cell];
    inertia = fmax(inertia, size3(load->space_force) + size3(load->body_force));
    spin = fmax(spin, size3(load->space_moment) + size3(load->body_moment));
    if (self->contact.acts) /* stations before and after the middle */
      spin = fmax(spin, self->length[cell] * size3(self->contact.weighed[cell].space_force));
  }
  for (int end = 0; end < 2; end++) {
    const wy_box_load *load = &self->loads[1].end[end];
    most.node[2] = fmax(most.node[2], size3(load->space_force) + size3(load->body_force));
    most.node[3] = fmax(most.node[3], size3(load->space_moment) + size3(load->body_moment));
  }
  most.node[2] = fmax(most.node[2], negligible * most.node[3] / shortest);
  most.cell[0] = most.node[2] / shortest + inertia;
  most.cell[1] = most.node[3] / shortest + most.node[2] + spin;
  most.cell[2] = most.node[1] / shortest + rate;
  most.cell[3] = most.node[0] / shortest + most.node[1];
  return most;
}

static void note(wy_box *self, int row, double size, double *worst) {
  const double misfit = fabs(self->residual[row]) / size;
  if (self->residual[row] != 0 && (misfit > *worst || isnan(misfit))) /* nothing is larger than NaN: it stays */
    *worst = misfit, self->worst = row;
}

static double misfit_of(wy_box *self) {
  const wy_box_sizes sizes = sizes_of(self);
  const wy_box_scales *scale = &self->scales;
  const double end_scale[4] = {scale->time / scale->length, scale->time, 1 / scale->force, 1 / scale->moment};
  double cell_scale[4], worst = 0;
  row_scales(self, cell_scale);
  for (int row = 0; row < WY_BOX_NODE * self->cells; row++)
    note(self, WY_BOX_END + row, sizes.cell[row % 12 / 3] * cell_scale[row % 12 / 3], &worst);
  for (int i = 0; i < 2 * WY_BOX_END; i++) {
    const int end = i / WY_BOX_END, x = i % WY_BOX_END;
    const int kind = (x < 3 ? 0 : 1) + (wy_box_holds(self, end, x) ? 0 : 2);
    note(self, end ? WY_BOX_END + WY_BOX_NODE * self->cells + x : x, sizes.node[kind] * end_scale[kind], &worst);
  }
  return worst;
}

/* Of the nodes, then of the cells. */
WY_INLINE void balance_all(wy_box *self, bool touches) {
  double scale[4];
  row_scales(self, scale);
  for (int j = 0; j < self->nodes; j++)
    update_node(self, j, touches);
  if (touches)
    wy_box_contact_forces(self);
  for (int cell = 0; cell < self->cells; cell++) {
    wy_v3 rows[4];
    cell_balance(self, cell, touches, rows);
    for (int i = 0; i < 4; i++)
      wy_put3(self->residual + WY_BOX_END + WY_BOX_NODE * cell + 3 * i, wy_times(scale[i], rows[i]));
  }
}

WY_CLONES
static void balance_free(wy_box *self) {
  balance_all(self, false);
}

WY_CLONES
static void balance_touching(wy_box *self) {
  balance_all(self, true);
}

double wy_box_balance(wy_box *self) {
  if (self->base.contacts)
    balance_touching(self);
  else
    balance_free(self);
  end_balance(self, 0, self->residual);
  end_balance(self, 1, self->residual + WY_BOX_END + WY_BOX_NODE * self->cells);
  return misfit_of(self);
}

wy_v3 wy_box_gap(const wy_box *self, int cell, const double *motion, wy_m3 by_u[2], wy_m3 by_omega[2]) {
  double x[2 * WY_BOX_NODE] = {0};
  for (int end = 0; end < 2; end++)
    memcpy(x + WY_BOX_NODE * end, motion + WY_BOX_MOTION * (cell + end), WY_BOX_MOTION * sizeof *x);
  const wy_box_middle m = middle_of(self, cell, x);
  for (int end = 0; end < 2; end++) {
    const wy_m3 e = end ? m.e : wy_mtransposed(m.e);
    by_u[end] = wy_mtimes((end ? 1 : -1) / self->length[cell], e);
    if (!self->options.transport)
      by_u[end] = wy_mplus(by_u[end], wy_mtimes(0.5, wy_skew(wy_at3(x + WY_BOX_NODE * end + WY_BOX_KAPPA))));
    by_omega[end] = wy_skew_times(wy_times(0.5, m.s.c), m.c);
  }
  const wy_v3 omega = wy_apply(m.c, middle_value(x, WY_BOX_OMEGA));
  return wy_plus(difference(self, cell, m.e, x, WY_BOX_U), wy_cross(m.s.c, omega));
}
