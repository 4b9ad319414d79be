/* SPDX-License-Identifier: MIT */
/* Linear systems of a staggered rod with ports, in the null-space form: derivatives at its ends, and the rod eliminated
   with its hubs held (N8). With Rt of (S22), the rotations theta of the end segment and theta_0 of the support,

     theta_g = -Rt theta + (1 + Rt) theta_0             dRt = Rt [theta]x - [theta_0]x Rt
     dOm_g   = -Rt dOm + (1 + Rt) dom0 + Rt [Om - om0]x theta + [Rt (om0 - Om)]x theta_0 */
#include <string.h>

#include "scheme/staggered/nullspace.h"
#include "scheme/staggered/ports.h"
#include "scheme/staggered/saddle.h"

enum { CELL = WY_NULLSPACE_CELL, COLUMNS = WY_PORT_COLUMNS };

/* ---- Derivatives ---- */

/* By the turn and the spin of the support, for the torque on the end segment (`own`) or on the ghost. */
typedef struct by_support {
  wy_m3 turn, spin;
} by_support;

static by_support through_ghost(wy_m3 by_turn, wy_m3 by_spin, wy_m3 both, wy_v3 slip) {
  return (by_support){wy_mplus(wy_mproduct(by_turn, both), wy_times_skew(by_spin, slip)), wy_mproduct(by_spin, both)};
}

void wy_staggered_keep_ghost(wy_staggered *self, int end) {
  wy_staggered_port *port = &self->ports.ends[end];
  const int vertex = wy_end_vertex(&self->grid, end), inner = wy_end_segment(&self->grid, end);
  const int hs = self->grid.halo_stride, to_w = WY_MINUS_W_MINUS - WY_MINUS_T_MINUS;
  /* as in fold_ghost */
  const int own_ghost = end ? WY_MINUS_T_PLUS : WY_PLUS_T_MINUS, ghost_own = end ? WY_PLUS_T_MINUS : WY_MINUS_T_PLUS,
            ghost_ghost = end ? WY_PLUS_T_PLUS : WY_MINUS_T_MINUS;
  const wy_m3 turn = wy_from_rows(self->eval.ghost_turn[end]), back = wy_mtransposed(turn);
  const wy_m3 both = wy_mplus(wy_diagonal(1), turn), both_back = wy_mtransposed(both);
  const wy_v3 slower = wy_minus(wy_at3(port->pose.w), wy_load3(self->eval.omega, hs, inner));
  const wy_v3 slip = wy_apply(turn, slower);
  const wy_v3 torque = wy_load3(end ? self->eval.torque_plus : self->eval.torque_minus, hs, vertex);
  const wy_m3 carried = wy_times_skew(back, torque); /* Rt^T [tau_g]x */
#define AT(which) wy_block_of(self->linear.vertices, WY_VERTEX_BLOCKS, vertex, which)
  const by_support own = through_ghost(AT(own_ghost), AT(own_ghost + to_w), both, slip);
  const by_support ghost = through_ghost(AT(ghost_ghost), AT(ghost_ghost + to_w), both, slip);
  wy_m3 ghost_turn = wy_mminus(AT(ghost_own), wy_mproduct(AT(ghost_ghost), turn));
  ghost_turn = wy_mminus(ghost_turn, wy_mproduct(AT(ghost_ghost + to_w), wy_times_skew(turn, slower)));
  const wy_m3 ghost_spin = wy_mminus(AT(ghost_own + to_w), wy_mproduct(AT(ghost_ghost + to_w), turn));
#undef AT
  port->inner_by_turn = wy_mplus(wy_mminus(own.turn, wy_mproduct(back, ghost.turn)), carried);
  port->inner_by_spin = wy_mminus(own.spin, wy_mproduct(back, ghost.spin));
  port->support_by_turn = wy_mminus(wy_mproduct(both_back, ghost.turn), carried);
  port->support_by_spin = wy_mproduct(both_back, ghost.spin);
  port->support_by_inner_turn =
      wy_mplus(wy_mproduct(both_back, ghost_turn), wy_skew(wy_apply_transposed(turn, torque)));
  port->support_by_inner_spin = wy_mproduct(both_back, ghost_spin);
}

/* Minus a block of a band. */
static wy_m3 minus_block(const double *band, int half, int row, int column) {
  double m[9];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      m[3 * r + c] = -band[(size_t)(row + r) * (size_t)(2 * half + 1) + (size_t)(column + c - row - r + half)];
  return wy_from_rows(m);
}

void wy_staggered_keep_end_rows(wy_staggered *self, bool statics) {
  for (int end = 0; end < 2; end++) {
    wy_staggered_port *port = &self->ports.ends[end];
    wy_m3 *to = &port->force_by_turn;
    const int vertex = wy_end_vertex(&self->grid, end), segment = wy_end_segment(&self->grid, end);
    const int hs = self->grid.halo_stride;
    if (statics) {
      *to = minus_block(self->linear.saddle.statics, self->linear.saddle.half, WY_SADDLE_CELL * vertex,
                        WY_SADDLE_CELL * segment + WY_SADDLE_TURN);
      port->frame = wy_rotation(wy_load4(self->eval.unit, hs, segment));
      port->force_skew = wy_skew(wy_apply_transposed(port->frame, wy_load3(self->eval.section_force, hs, segment)));
    } else if (self->linear.nullspace.outside)
      *to = minus_block(self->linear.nullspace.outside, self->linear.half, CELL * vertex, CELL * segment + 3);
    else
      *to = wy_diagonal(0);
  }
}

/* What loads put into the support and, in body axes, on the end vertex, by the turn of the support. */
void wy_staggered_support_load_blocks(const wy_staggered *self, int end, wy_m3 *force, wy_m3 *torque) {
  const wy_m3 frame = wy_rotation(wy_at4(self->ports.ends[end].pose.q));
  const wy_v3 body = wy_load3(self->loads.now.vertex_body_force, self->grid.stride, wy_end_vertex(&self->grid, end));
  *force = wy_mtimes(-1, wy_times_skew(frame, body));
  *torque = wy_skew(wy_apply_transposed(frame, wy_at3(self->loads.now.ends[end].support_space)));
}

/* Columns of motions, rows of forces. */
enum { BY_X = 0, BY_TURN = 3, BY_V = 6, BY_SPIN = 9, FORCE = 0, TORQUE = 3, MOTION = 12 };

void wy_staggered_port_blocks(wy_system *system, int piece, wy_end_name end, wy_port_blocks *out) {
  (void)piece;
  wy_staggered *self = (wy_staggered *)system;
  const wy_staggered_port *port = &self->ports.ends[end];
  const int segment = wy_end_segment(&self->grid, (int)end);
  const double side = end == WY_START ? 1 : -1; /* Dx is side times (inner - outer), the force on the vertex side n */
  double *inner = &out->inner_by_outer[0][0], *by_inner = &out->wrench_by_inner[0][0],
         *by_outer = &out->wrench_by_outer[0][0];
  assert(wy_is_port(self, (int)end));
  memset(out, 0, sizeof *out);
#define AT(which) wy_block_of(self->linear.segments, WY_SEGMENT_BLOCKS, segment, which)
  wy_put_block(inner, MOTION, FORCE, BY_X, 1, AT(WY_FORCE_X));
  wy_put_block(inner, MOTION, FORCE, BY_V, 1, AT(WY_FORCE_V));
  wy_put_block(inner, MOTION, TORQUE, BY_X, -side, AT(WY_TORQUE_X));
  wy_put_block(inner, MOTION, TORQUE, BY_V, -side, AT(WY_TORQUE_V));
  wy_put_block(by_inner, MOTION, FORCE, BY_X, 1, AT(WY_FORCE_X));
  wy_put_block(by_inner, MOTION, FORCE, BY_V, 1, AT(WY_FORCE_V));
  wy_put_block(by_inner, MOTION, FORCE, BY_TURN, 1, wy_mplus(wy_mtimes(side, AT(WY_FORCE_T)), port->force_by_turn));
  wy_put_block(by_inner, MOTION, FORCE, BY_SPIN, side, AT(WY_FORCE_W));
  wy_put_block(by_outer, MOTION, FORCE, BY_X, -1, AT(WY_FORCE_X));
  wy_put_block(by_outer, MOTION, FORCE, BY_V, -1,
               wy_mplus(AT(WY_FORCE_V), wy_diagonal(self->grid.drag_translation * port->mass)));
#undef AT
  if (port->holds != WY_PORT_FRAME)
    return;
  wy_m3 force, torque;
  wy_staggered_support_load_blocks(self, (int)end, &force, &torque);
  wy_put_block(inner, MOTION, TORQUE, BY_TURN, 1, port->inner_by_turn);
  wy_put_block(inner, MOTION, TORQUE, BY_SPIN, 1, port->inner_by_spin);
  wy_put_block(by_inner, MOTION, TORQUE, BY_TURN, 1, port->support_by_inner_turn);
  wy_put_block(by_inner, MOTION, TORQUE, BY_SPIN, 1, port->support_by_inner_spin);
  wy_put_block(by_outer, MOTION, FORCE, BY_TURN, 1, force);
  wy_put_block(by_outer, MOTION, TORQUE, BY_TURN, 1, wy_mplus(port->support_by_turn, torque));
  wy_put_block(by_outer, MOTION, TORQUE, BY_SPIN, 1,
               wy_mminus(port->support_by_spin, wy_scale_rows(wy_at3(port->drag_share), wy_diagonal(1))));
}

/* ---- The rod with its hubs held ---- */

/* Rows of the inner forces of an end, and of what moves there: vertex, then segment. */
static int row_of(const wy_staggered *self, int end, int k) {
  return k < 3 ? CELL * wy_next_vertex(&self->grid, end) + k : CELL * wy_end_segment(&self->grid, end) + k;
}

static wy_slot *slot_of(wy_staggered *self, int index, bool is_complex) {
  assert(index >= 0 && index < WY_MAX_SLOTS);
  return is_complex ? &self->linear.complex[index] : &self->linear.real[index];
}

/* W of a slot. */
static double *columns_of(const wy_staggered_port *port, int index, bool is_complex, double **im) {
  *im = is_complex ? port->complex_im[index] : NULL;
  return is_complex ? port->complex[index] : port->real[index];
}

typedef struct number {
  double re, im;
} number;

static number over(number a, number b) {
  const double inv = 1 / (b.re * b.re + b.im * b.im);
  return (number){inv * (a.re * b.re + a.im * b.im), inv * (a.im * b.re - a.re * b.im)};
}

/* Displacement and rotation at an end that follow from velocity and angular velocity there, (S40) and (S41): `rate` has
   these six, `motion` gets all twelve. */
static void inner_motion(const wy_staggered *self, const wy_slot *slot, int end, const number rate[6],
                         number motion[12]) {
  const wy_v3 om = wy_load3(self->linear.omega, self->grid.halo_stride, wy_end_segment(&self->grid, end));
  const double o[3] = {om.x, om.y, om.z};
  const double re = slot->re, im = slot->is_complex ? slot->im : 0;
  const number sigma = {re, im}, den = {re * re - im * im + 0.25 * wy_inner(om, om), 2 * re * im};
  for (int k = 0; k < 3; k++) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const number *w = rate + 3;
    const number top = {re * w[k].re - im * w[k].im + 0.5 * (w[a].re * o[b] - w[b].re * o[a]),
                        re * w[k].im + im * w[k].re + 0.5 * (w[a].im * o[b] - w[b].im * o[a])};
    motion[BY_X + k] = over(rate[k], sigma);
    motion[BY_TURN + k] = over(top, den);
    motion[BY_V + k] = rate[k];
    motion[BY_SPIN + k] = w[k];
  }
}

void wy_staggered_condense(wy_system *system, int index, int piece, wy_end_name end, wy_port_row forces_re[6],
                           wy_port_row forces_im[6], wy_port_row inner_re[2][12], wy_port_row inner_im[2][12]) {
  (void)piece;
  wy_staggered *self = (wy_staggered *)system;
  const bool is_complex = forces_im != NULL;
  wy_slot *slot = slot_of(self, index, is_complex);
  double *im, *re = columns_of(&self->ports.ends[end], index, is_complex, &im);
  const size_t bytes = (size_t)wy_staggered_order(self) * COLUMNS * sizeof(double);
  assert(wy_is_port(self, (int)end) && re);
  memset(re, 0, bytes);
  if (im)
    memset(im, 0, bytes);
  for (int k = 0; k < 6; k++) {
    const size_t at = (size_t)COLUMNS * (size_t)row_of(self, (int)end, k);
    memcpy(re + at, forces_re[k], sizeof forces_re[k]);
    if (im)
      memcpy(im + at, forces_im[k], sizeof forces_im[k]);
  }
  if (im)
    wy_band_complex_solve_many(&slot->band_complex, re, im);
  else
    wy_band_solve_many(&slot->band, re);
  for (int at = 0; at < 2; at++)
    for (int c = 0; wy_is_port(self, at) && c < COLUMNS; c++) {
      number rate[6], motion[MOTION];
      for (int k = 0; k < 6; k++) {
        const int i = COLUMNS * row_of(self, at, k) + c;
        rate[k] = (number){re[i], im ? im[i] : 0};
      }
      inner_motion(self, slot, at, rate, motion);
      for (int k = 0; k < MOTION; k++) {
        inner_re[at][k][c] = motion[k].re;
        if (im)
          inner_im[at][k][c] = motion[k].im;
      }
    }
}

/* The hubs do not move. */
static void clear_ends(const wy_staggered *self, double *b) {
  for (int end = 0; end < 2; end++)
    if (wy_is_port(self, end)) {
      const int vertex = wy_end_vertex(&self->grid, end);
      wy_store3(b + self->grid.x, self->grid.stride, vertex, (wy_v3){0, 0, 0});
      wy_store3(b + self->grid.v, self->grid.stride, vertex, (wy_v3){0, 0, 0});
    }
}

void wy_staggered_condense_rhs(wy_system *system, int index, const double *re, const double *im,
                               double forces_re[][2][6], double forces_im[][2][6], double inner_re[][2][12],
                               double inner_im[][2][12]) {
  wy_staggered *self = (wy_staggered *)system;
  const size_t bytes = (size_t)system->size * sizeof(double);
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  wy_slot *slot = slot_of(self, index, im != NULL);
  double *b = self->ports.known, *b_im = im ? self->ports.known_im : NULL;
  double *packed = self->linear.packed, *packed_im = im ? self->linear.packed_im : NULL;
  memcpy(b, re, bytes);
  clear_ends(self, b);
  if (im) {
    memcpy(b_im, im, bytes);
    clear_ends(self, b_im);
  }
  wy_nullspace_begin_solve(self, slot, b, b_im);
  for (int end = 0; end < 2; end++)
    for (int k = 0; wy_is_port(self, end) && k < 6; k++) {
      packed[row_of(self, end, k)] += forces_re[0][end][k];
      if (im)
        packed_im[row_of(self, end, k)] += forces_im[0][end][k];
    }
  wy_slot_solve(slot, packed, packed_im);
  wy_staggered_solve_held(self, slot, CELL, b, b_im, packed, packed_im);
  for (int end = 0; end < 2; end++) {
    number rate[6], motion[MOTION];
    if (!wy_is_port(self, end))
      continue;
    for (int k = 0; k < 6; k++)
      rate[k] = (number){packed[row_of(self, end, k)], im ? packed_im[row_of(self, end, k)] : 0};
    inner_motion(self, slot, end, rate, motion);
    for (int k = 0; k < 3; k++) { /* what is known of them */
      const int x = self->grid.x + k * n + wy_next_vertex(&self->grid, end),
                turn = k * hs + wy_end_segment(&self->grid, end);
      motion[BY_X + k].re += b[x], motion[BY_TURN + k].re += self->linear.theta[turn];
      if (im)
        motion[BY_X + k].im += b_im[x], motion[BY_TURN + k].im += self->linear.theta_im[turn];
    }
    for (int k = 0; k < MOTION; k++) {
      inner_re[0][end][k] = motion[k].re;
      if (im)
        inner_im[0][end][k] = motion[k].im;
    }
  }
}

/* W times the unknowns of a hub is nothing where it does not move; W is not there for hubs whose motion is known. */
static bool moves(const wy_port_row hub, const double *hub_im) {
  bool any = false;
  for (int c = 0; c < COLUMNS; c++)
    any = any || hub[c] != 0 || (hub_im && hub_im[c] != 0);
  return any;
}

/* packed += W times the unknowns of a hub. */
static void add_columns(const wy_staggered *self, const double *re, const double *im, const wy_port_row hub,
                        const double *hub_im, double *packed, double *packed_im) {
  const int order = wy_staggered_order(self);
  for (int i = 0; i < order; i++)
    for (int c = 0; c < COLUMNS; c++) {
      const int at = COLUMNS * i + c;
      packed[i] += re[at] * hub[c];
      if (im) {
        packed[i] -= im[at] * hub_im[c];
        packed_im[i] += re[at] * hub_im[c] + im[at] * hub[c];
      }
    }
}

/* All but the end vertices at ports, which are the group's to write. */
static void copy_inside(const wy_staggered *self, const double *from, double *to) {
  double ends[2][6];
  const int n = self->grid.stride;
  for (int end = 0; end < 2; end++) {
    wy_put3(ends[end], wy_load3(to + self->grid.x, n, wy_end_vertex(&self->grid, end)));
    wy_put3(ends[end] + 3, wy_load3(to + self->grid.v, n, wy_end_vertex(&self->grid, end)));
  }
  memcpy(to, from, (size_t)self->base.size * sizeof *to);
  for (int end = 0; end < 2; end++)
    if (wy_is_port(self, end))
      wy_staggered_port_type.write((wy_system *)&self->base, 0, (wy_end_name)end, ends[end], ends[end] + 3, to);
}

void wy_staggered_expand(wy_system *system, int index, wy_port_row hubs_re[][2], wy_port_row hubs_im[][2], double *re,
                         double *im) {
  wy_staggered *self = (wy_staggered *)system;
  double *b = self->ports.known, *b_im = im ? self->ports.known_im : NULL;
  for (int end = 0; end < 2; end++) {
    double *w_im, *w = columns_of(&self->ports.ends[end], index, im != NULL, &w_im);
    if (wy_is_port(self, end) && moves(hubs_re[0][end], im ? hubs_im[0][end] : NULL))
      add_columns(self, w, w_im, hubs_re[0][end], im ? hubs_im[0][end] : NULL, self->linear.packed,
                  im ? self->linear.packed_im : NULL);
  }
  wy_nullspace_end_solve(self, slot_of(self, index, im != NULL), b, b_im);
  copy_inside(self, b, re);
  if (im)
    copy_inside(self, b_im, im);
}
