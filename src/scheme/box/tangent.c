/* SPDX-License-Identifier: MIT */
/* The derivatives of the equations of a step by its unknowns, exact, in scaled rows and columns. */
#include <string.h>

#include "scheme/box/cell.h"

enum {
  ROW = WY_STAIR_WIDTH, /* entries of a row */
  FORCE = 0,
  MOMENT,
  ROTATION,
  GAP /* equations of a cell, three rows each */
};

/* Where blocks go, and what they are multiplied by. */
typedef struct wy_box_writer {
  double *rows; /* of a cell, or of an end: first row, first column */
  double factor[4][4];
} wy_box_writer;

WY_INLINE void put(const wy_box_writer *to, int row, int column, wy_m3 block) {
  const double f = to->factor[row][column % 4];
  double *at = to->rows + 3 * row * ROW + 3 * column;
  at[0] = f * block.a.x, at[1] = f * block.b.x, at[2] = f * block.c.x;
  at += ROW;
  at[0] = f * block.a.y, at[1] = f * block.b.y, at[2] = f * block.c.y;
  at += ROW;
  at[0] = f * block.a.z, at[1] = f * block.b.z, at[2] = f * block.c.z;
}

/* diag(d) + m */
WY_INLINE wy_m3 with_diagonal(wy_m3 m, wy_v3 d) {
  m.a.x += d.x, m.b.y += d.y, m.c.z += d.z;
  return m;
}

WY_INLINE wy_v3 same3(double a) {
  return (wy_v3){a, a, a};
}

/* d(-omega x rotary omega) / d omega */
WY_INLINE wy_m3 turning_slope(wy_v3 omega, wy_v3 rotary) {
  return wy_mminus(wy_skew(wy_each(rotary, omega)), wy_scale_columns(wy_skew(omega), rotary));
}

/* Derivatives of what a node gives to balances, per length: of the force by u, omega, kappa, n, of the moment by omega
   and kappa; of the moment in the section by kappa. Inertia is left out. */
typedef struct wy_box_slopes {
  wy_m3 force_u, force_omega, moment_omega, moment_kappa, couple;
} wy_box_slopes;

WY_INLINE wy_box_slopes slopes_of(const wy_box *self, int cell, int node, double factor) {
  const wy_box_node *at = &self->node[node];
  const wy_box_terms *terms = &self->terms[node];
  const double *x = self->x + WY_BOX_NODE * node;
  const wy_v3 u = wy_at3(x), omega = wy_at3(x + WY_BOX_OMEGA), kappa = wy_at3(x + WY_BOX_KAPPA);
  wy_box_slopes to;
  to.force_u = wy_mtimes(-at->mass, with_diagonal(wy_skew(omega), same3(self->drag[0])));
  to.force_omega = wy_mtimes(at->mass, wy_skew(u));
  to.moment_omega = wy_diagonal(0);
  if (self->turned) {
    const wy_m3 change = frame_change(self, node);
    wy_v3 force = wy_times(at->mass, wy_apply_transposed(terms->frame, self->loads[1].gravity));
    if (self->loads[1].on_cells) {
      const wy_box_load *load = &self->loads[1].cell[cell];
      const wy_v3 moment = wy_apply_transposed(terms->frame, load->space_moment);
      force = wy_plus(force, wy_apply_transposed(terms->frame, load->space_force));
      to.moment_omega = wy_mplus(to.moment_omega, wy_skew_times(moment, change));
    }
    to.force_omega = wy_mplus(to.force_omega, wy_skew_times(force, change));
  }
  to.couple = with_diagonal(wy_box_moment_tangent(self, node, kappa), wy_times(factor, at->damping));
  to.moment_kappa = wy_diagonal(0);
  if (!self->options.transport) {
    to.moment_omega = wy_mplus(to.moment_omega, turning_slope(omega, at->rotary));
    to.moment_kappa = wy_mminus(wy_skew_times(kappa, to.couple), wy_skew(terms->couple));
  }
  return to;
}

/* d(spin_of) / d(C^-1 omega), with drag; the rate has a part of its own. */
WY_INLINE wy_m3 spin_slope(const wy_box *self, int cell, wy_v3 turned) {
  const wy_v3 rotary = rotary_of(self, cell), drag = wy_times(-self->drag[1], rotary);
  if (!self->options.transport)
    return with_diagonal(wy_diagonal(0), drag);
  return with_diagonal(turning_slope(turned, rotary), drag);
}

/* d(E b + E^T a) / dk from its two parts. */
WY_INLINE wy_m3 turn_change(wy_m3 t, wy_v3 turned_b, wy_v3 turned_a) {
  const wy_m3 b = wy_skew_times(turned_b, t), a = wy_skew_times(turned_a, wy_mtransposed(t));
  return wy_mtimes(0.5, wy_mminus(a, b));
}

WY_INLINE wy_m3 join_change(const wy_box_middle *m, wy_m3 t, wy_v3 b, wy_v3 a) {
  return turn_change(t, wy_apply(m->e, b), wy_apply_transposed(m->e, a));
}

/* What turning with kappa_m adds to the derivatives by kappa at both ends: of the four equations, at the new level. */
WY_INLINE void curvature_change(const wy_box *self, int cell, const wy_box_middle *m, wy_m3 out[4]) {
  const double *a = self->x + WY_BOX_NODE * cell, *b = a + WY_BOX_NODE, h = self->length[cell];
  const wy_box_pairs p = pairs_of(self, cell);
  const wy_m3 t = wy_box_tangent(&m->turn), s3 = wy_box_s_change(&m->turn, (wy_v3){0, 0, 1});
  const wy_v3 rate = wy_times(0.5, wy_plus(self->terms[cell].rate, self->terms[cell + 1].rate));
  const wy_v3 nb = wy_times(0.5, wy_apply(m->e, wy_at3(b + WY_BOX_N)));
  const wy_v3 na = wy_times(0.5, wy_apply_transposed(m->e, wy_at3(a + WY_BOX_N)));
  const wy_v3 wb = wy_times(1 / h, wy_apply(m->e, wy_at3(b + WY_BOX_OMEGA)));
  const wy_v3 wa = wy_times(-1 / h, wy_apply_transposed(m->e, wy_at3(a + WY_BOX_OMEGA)));
  const wy_v3 omega = middle_value(a, WY_BOX_OMEGA), turned = wy_apply(m->c, omega);
  const wy_v3 spin = wy_times(0.5, wy_plus(self->terms[cell].spin, self->terms[cell + 1].spin));
  const wy_m3 turned_change = wy_box_c_change(&m->turn, omega), spin_change = wy_box_c_change(&m->turn, spin);
  const wy_v3 ub = wy_times(1 / h, wy_apply(m->e, wy_at3(b)));
  const wy_v3 ua = wy_times(-1 / h, wy_apply_transposed(m->e, wy_at3(a)));
  out[FORCE] = join_change(m, t, p.force[1], p.force[0]);
  out[MOMENT] = wy_mplus(join_change(m, t, p.moment[1], p.moment[0]), wy_skew_times(m->s.c, turn_change(t, nb, na)));
  out[MOMENT] = wy_mminus(out[MOMENT], wy_skew_times(wy_plus(nb, na), s3));
  out[MOMENT] = wy_mplus(out[MOMENT], wy_mproduct(spin_slope(self, cell, turned), turned_change));
  out[MOMENT] = wy_mminus(out[MOMENT], wy_scale_rows(rotary_of(self, cell), spin_change));
  out[ROTATION] = wy_mminus(turn_change(t, wb, wa), wy_box_s_change(&m->turn, rate));
  out[GAP] = wy_mplus(turn_change(t, ub, ua), wy_skew_times(m->s.c, turned_change));
  out[GAP] = wy_mminus(out[GAP], wy_skew_times(turned, s3));
  for (int i = 0; i < 4; i++)
    out[i] = wy_mtimes(0.5 * h, out[i]);
}

/* The columns of one end of a cell. `e` turns its vectors now, `old` where the step began. */
WY_INLINE void write_end(const wy_box *self, int cell, int end, const wy_box_middle *m, wy_m3 e, wy_m3 old,
                         wy_m3 curvature[4], const wy_box_writer *to) {
  const int node = cell + end, column = 4 * end;
  const double beta = self->task.beta, now = 1 - beta, stage = self->task.stage ? beta : 0;
  const double factor = rate_factor(self), h = end ? self->length[cell] : -self->length[cell];
  const bool plain = !self->options.transport;
  const double *x = self->x + WY_BOX_NODE * node, *x0 = self->x0 + WY_BOX_NODE * node;
  const wy_box_node *at = &self->node[node];
  const wy_box_before *o = &self->before[cell];
  const wy_box_slopes slope = slopes_of(self, cell, node, factor);
  const wy_v3 viscous = wy_times(factor, at->damping);
  const wy_v3 turned = wy_apply(m->c, middle_value(self->x + WY_BOX_NODE * cell, WY_BOX_OMEGA));
  const wy_m3 c_mean = wy_mplus(wy_mtimes(now, m->c), wy_mtimes(beta, o->c));
  const wy_m3 spin = wy_mminus(wy_mproduct(wy_mtimes(now, spin_slope(self, cell, turned)), m->c),
                               wy_scale_rows(wy_times(factor, rotary_of(self, cell)), c_mean));
  const wy_m3 e_now = wy_mtimes(now, e), e_half = wy_mtimes(0.5 * now, e), e_old = wy_mtimes(beta, old);
  const wy_m3 mean = wy_mplus(e_now, e_old), one = wy_diagonal(1 / h), skew_kappa = wy_skew(wy_at3(x + WY_BOX_KAPPA));
  wy_m3 by_n = wy_mtimes(1 / h, e), by_n_old = wy_mtimes(1 / h, old), couple = wy_mtimes(1 / h, slope.couple);
  wy_m3 viscous_old = wy_scale_columns(wy_mtimes(beta / h, old), viscous);
  if (plain) {
    const wy_m3 kappa0 = wy_mtimes(0.5, wy_skew(wy_at3(x0 + WY_BOX_KAPPA)));
    by_n = wy_mplus(one, wy_mtimes(0.5, skew_kappa));
    by_n_old = wy_mplus(one, kappa0);
    couple = wy_mplus(couple, wy_mtimes(0.5, slope.moment_kappa));
    viscous_old = wy_scale_columns(wy_mtimes(beta, by_n_old), viscous);
  }
  put(to, FORCE, column, wy_mminus(wy_mproduct(e_half, slope.force_u), wy_mtimes(0.5 * at->mass * factor, mean)));
  put(to, FORCE, column + 1, wy_mproduct(e_half, slope.force_omega));
  put(to, FORCE, column + 3, wy_mplus(wy_mtimes(now, by_n), wy_mtimes(stage, by_n_old)));
  put(to, MOMENT, column + 1, wy_mplus(wy_mproduct(e_half, slope.moment_omega), wy_mtimes(0.5, spin)));
  put(to, MOMENT, column + 3,
      wy_mplus(wy_skew_times(m->s.c, e_half), wy_skew_times(wy_times(0.5 * stage, o->s.c), old)));
  const wy_m3 difference = plain ? by_n : wy_mtimes(1 / h, e);
  put(to, ROTATION, column + 1, wy_mtimes(now, difference));
  put(to, GAP, column, difference);
  put(to, GAP, column + 1, wy_skew_times(wy_times(0.5, m->s.c), m->c));
  wy_m3 by_kappa[4] = {curvature[FORCE], curvature[MOMENT], curvature[ROTATION], curvature[GAP]};
  if (plain) {
    by_kappa[FORCE] = wy_mtimes(-0.5, wy_skew(wy_at3(x + WY_BOX_N)));
    by_kappa[ROTATION] = wy_mtimes(-0.5, wy_skew(wy_at3(x + WY_BOX_OMEGA)));
    by_kappa[GAP] = wy_mtimes(-0.5, wy_skew(wy_at3(x)));
  }
  const wy_m3 s_mean = wy_mplus(wy_mtimes(now, m->s), wy_mtimes(beta, o->s));
  const wy_m3 moment = wy_mplus(wy_mproduct(e_now, couple), viscous_old);
  put(to, FORCE, column + 2, wy_mtimes(now, by_kappa[FORCE]));
  put(to, MOMENT, column + 2, wy_mplus(moment, wy_mtimes(now, by_kappa[MOMENT])));
  put(to, ROTATION, column + 2, wy_mminus(wy_mtimes(now, by_kappa[ROTATION]), wy_mtimes(0.5 * factor, s_mean)));
  put(to, GAP, column + 2, by_kappa[GAP]);
}

static void add(const wy_box_writer *to, int row, int column, wy_m3 block) {
  const double f = to->factor[row][column % 4];
  for (int i = 0; i < 3; i++) {
    double *at = to->rows + (3 * row + i) * ROW + 3 * column;
    const wy_m3 rows = wy_mtransposed(block);
    const wy_v3 part = i == 0 ? rows.a : i == 1 ? rows.b : rows.c;
    at[0] += f * part.x, at[1] += f * part.y, at[2] += f * part.z;
  }
}

/* How pushes in space change, seen from the middle of the cell at both ends of the step (B18). */
static void add_contact(const wy_box *self, int cell, const wy_box_writer *to) {
  static const int columns[4] = {0, 1, 4, 5};
  const wy_m3 now = middle_of(self, cell, self->x + WY_BOX_NODE * cell).e;
  const double beta = self->task.beta;
  const wy_m3 b = wy_mtransposed(self->terms[cell + 1].frame), a = wy_mtransposed(self->terms[cell].frame);
  wy_m3 look = wy_mtimes(0.5 * (1 - beta), wy_mplus(wy_mproduct(now, b), wy_mproduct(wy_mtransposed(now), a)));
  wy_m3 by[WY_BOX_PUSHES][4];
  if (!wy_box_contact_by_motion(self, cell, by))
    return;
  if (beta != 0) {
    const wy_m3 e = self->before[cell].e, b0 = wy_mtransposed(self->frame0[cell + 1]);
    const wy_m3 a0 = wy_mtransposed(self->frame0[cell]);
    const wy_m3 old = wy_mplus(wy_mproduct(e, b0), wy_mproduct(wy_mtransposed(e), a0));
    look = wy_mplus(look, wy_mtimes(0.5 * beta, old));
  }
  for (int k = 0; k < 4; k++) {
    add(to, FORCE, columns[k], wy_mproduct(look, by[WY_BOX_PUSH_FORCE][k]));
    add(to, MOMENT, columns[k], wy_mproduct(look, by[WY_BOX_PUSH_MOMENT][k]));
  }
}

WY_CLONES
static void write_cell(const wy_box *self, int cell, const wy_box_writer *to) {
  const wy_box_middle m = middle_of(self, cell, self->x + WY_BOX_NODE * cell);
  const wy_m3 old = self->before[cell].e;
  const wy_m3 none = wy_diagonal(0);
  wy_m3 curvature[4] = {none, none, none, none};
  if (self->options.transport)
    curvature_change(self, cell, &m, curvature);
  write_end(self, cell, 0, &m, wy_mtransposed(m.e), wy_mtransposed(old), curvature, to);
  write_end(self, cell, 1, &m, m.e, old, curvature, to);
}

/* ---- Ends ---- */

/* Row i of block into row i of `to`: for rows of which each may be another equation. */
static void put_row(double *rows, int i, int column, double factor, wy_m3 block) {
  const wy_m3 rows_of = wy_mtransposed(block);
  const wy_v3 *row = i == 0 ? &rows_of.a : i == 1 ? &rows_of.b : &rows_of.c;
  wy_put3(rows + i * ROW + column, wy_times(factor, *row));
}

static void write_end_rows(const wy_box *self, int end, double *rows) {
  const int node = wy_box_end_node(self, end);
  const double *x = self->x + WY_BOX_NODE * node, sign = wy_box_sign(end);
  const wy_box_load *load = &self->loads[1].end[end];
  const wy_m3 frame = self->terms[node].frame, change = frame_change(self, node);
  const wy_v3 n = wy_minus(wy_at3(x + WY_BOX_N), wy_times(sign, load->body_force));
  const wy_m3 u_change = wy_mtimes(-1, wy_mproduct(frame, wy_skew_times(wy_at3(x), change)));
  const double now = self->task.stage ? 1 - self->task.beta : 1;
  const wy_m3 n_change = wy_mtimes(-now, wy_mproduct(frame, wy_skew_times(n, change)));
  const wy_m3 mean = wy_mplus(wy_mtimes(now, frame), wy_mtimes(1 - now, self->frame0[node]));
  const wy_box_scales *s = &self->scales;
  for (int i = 0; i < 3; i++) {
    const bool held = self->ends[end].position[i] != WY_FREE;
    put_row(rows, i, held ? WY_BOX_U : WY_BOX_N, 1, held ? frame : mean);
    put_row(rows, i, WY_BOX_OMEGA, held ? 1 / s->length : 1 / (s->force * s->time), held ? u_change : n_change);
  }
  double *lower = rows + 3 * ROW;
  if (wy_support_holds_rotation(&self->supports, end)) {
    for (int i = 0; i < 3; i++)
      put_row(lower, i, WY_BOX_OMEGA, 1, wy_diagonal(1));
    return;
  }
  const wy_v3 viscous = wy_times(self->starting ? 0 : end_rate_factor(self), self->node[node].damping);
  const wy_m3 couple = with_diagonal(wy_box_moment_tangent(self, node, wy_at3(x + WY_BOX_KAPPA)), viscous);
  const wy_v3 moment = wy_times(sign, wy_apply_transposed(frame, load->space_moment));
  for (int i = 0; i < 3; i++) {
    put_row(lower, i, WY_BOX_KAPPA, 1 / (s->moment * s->length), couple);
    put_row(lower, i, WY_BOX_OMEGA, -1 / (s->moment * s->time), wy_skew_times(moment, change));
  }
}

/* ---- All rows ---- */

typedef struct feeder {
  const wy_box *self;
  double factor[4][4];
} feeder;

static void feed(const void *context, int part, double *rows) {
  const feeder *from = context;
  const wy_box *self = from->self;
  if (part < 0 || part == self->cells) {
    write_end_rows(self, part < 0 ? 0 : 1, rows);
    return;
  }
  wy_box_writer writer = {.rows = rows};
  memcpy(writer.factor, from->factor, sizeof writer.factor);
  write_cell(self, part, &writer);
  if (self->contact.found)
    add_contact(self, part, &writer);
}

int wy_box_linearise(wy_box *self) {
  const wy_box_scales *s = &self->scales;
  const double column[4] = {s->length / s->time, 1 / s->time, 1 / s->length, s->force};
  double row[4];
  feeder from = {.self = self};
  row_scales(self, row);
  for (int i = 0; i < 16; i++)
    from.factor[i / 4][i % 4] = row[i / 4] * column[i % 4];
  return wy_staircase_factor(&self->tangent, feed, &from) ? WY_RETRY : WY_OK;
}
