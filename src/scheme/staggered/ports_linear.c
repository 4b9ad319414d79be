/* SPDX-License-Identifier: MIT */
/* Linear systems of a staggered rod with ports, in the null-space form: derivatives at its ends, and the rod eliminated
   with its hubs held (N8). With Rt of (S22), the rotations theta of the end segment and theta_0 of the support,

     theta_g = -Rt theta + (1 + Rt) theta_0             dRt = Rt [theta]x - [theta_0]x Rt
     dOm_g   = -Rt dOm + (1 + Rt) dom0 + Rt [Om - om0]x theta + [Rt (om0 - Om)]x theta_0 */
#include <assert.h>
#include <string.h>

#include "base/target.h"
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
wy_m3 wy_minus_block(const double *band, int half, int row, int column) {
  double m[9];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      m[3 * r + c] = -band[(size_t)(row + r) * (size_t)(2 * half + 1) + (size_t)(column + c - row - r + half)];
  return wy_from_rows(m);
}

/* What obstacles do at a port, out of a band with the given unknowns a cell. */
static wy_port_outside outside_at(const wy_staggered *self, const double *band, int half, int cell, int turn, int end) {
  const int vertex = cell * wy_end_vertex(&self->grid, end), next = cell * wy_next_vertex(&self->grid, end);
  const int segment = cell * wy_end_segment(&self->grid, end) + turn;
  return (wy_port_outside){.next_by_end = wy_minus_block(band, half, next, vertex),
                           .segment_by_end = wy_minus_block(band, half, segment, vertex),
                           .end_by_next = wy_minus_block(band, half, vertex, next),
                           .end_by_segment = wy_minus_block(band, half, vertex, segment),
                           .end_by_end = wy_minus_block(band, half, vertex, vertex)};
}

static void keep_contact(wy_staggered *self, int end, bool statics) {
  wy_staggered_port *port = &self->ports.ends[end];
  const wy_linearisation *linear = &self->linear;
  if (!self->base.contacts)
    return;
  if (statics) {
    port->contact = outside_at(self, linear->saddle.statics, linear->saddle.half, WY_SADDLE_CELL, WY_SADDLE_TURN, end);
    return;
  }
  if (self->form->keeps_forces) {
    const wy_saddle *bands = &linear->saddle;
    port->contact = outside_at(self, bands->statics, bands->half, WY_SADDLE_CELL, WY_SADDLE_TURN, end);
    port->contact_rate = outside_at(self, bands->rate, bands->half, WY_SADDLE_CELL, WY_SADDLE_TURN, end);
    return;
  }
  assert(linear->nullspace.outside && linear->nullspace.outside_rate); /* other forms have no ports with contact */
  port->contact = outside_at(self, linear->nullspace.outside, linear->half, CELL, 3, end);
  port->contact_rate = outside_at(self, linear->nullspace.outside_rate, linear->half, CELL, 3, end);
}

void wy_staggered_keep_end_rows(wy_staggered *self, bool statics) {
  for (int end = 0; end < 2; end++) {
    wy_staggered_port *port = &self->ports.ends[end];
    wy_m3 *to = &port->force_by_turn;
    const int vertex = wy_end_vertex(&self->grid, end), segment = wy_end_segment(&self->grid, end);
    const int hs = self->grid.halo_stride;
    if (wy_is_port(self, end))
      keep_contact(self, end, statics);
    if (statics || self->form->keeps_forces) {
      *to = wy_minus_block(self->linear.saddle.statics, self->linear.saddle.half, WY_SADDLE_CELL * vertex,
                           WY_SADDLE_CELL * segment + WY_SADDLE_TURN);
      port->frame = wy_rotation(wy_load4(self->eval.unit, hs, segment));
      port->force_skew = wy_skew(wy_apply_transposed(port->frame, wy_load3(self->eval.section_force, hs, segment)));
      if (!statics)
        wy_staggered_keep_end_columns(self, end);
    } else if (self->linear.nullspace.outside)
      *to = wy_minus_block(self->linear.nullspace.outside, self->linear.half, CELL * vertex, CELL * segment + 3);
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

void wy_staggered_ghost_blocks(const wy_staggered *self, int end, wy_port_blocks *out) {
  const wy_staggered_port *port = &self->ports.ends[end];
  double *inner = &out->inner_by_outer[0][0], *by_inner = &out->wrench_by_inner[0][0],
         *by_outer = &out->wrench_by_outer[0][0];
  wy_m3 force, torque;
  wy_staggered_support_load_blocks(self, end, &force, &torque);
  wy_put_block(inner, MOTION, TORQUE, BY_TURN, 1, port->inner_by_turn);
  wy_put_block(inner, MOTION, TORQUE, BY_SPIN, 1, port->inner_by_spin);
  wy_put_block(by_inner, WY_PORT_MOTION, TORQUE, BY_TURN, 1, port->support_by_inner_turn);
  wy_put_block(by_inner, WY_PORT_MOTION, TORQUE, BY_SPIN, 1, port->support_by_inner_spin);
  wy_put_block(by_outer, MOTION, FORCE, BY_TURN, 1, force);
  wy_put_block(by_outer, MOTION, TORQUE, BY_TURN, 1, wy_mplus(port->support_by_turn, torque));
  wy_put_block(by_outer, MOTION, TORQUE, BY_SPIN, 1,
               wy_mminus(port->support_by_spin, wy_scale_rows(wy_at3(port->drag_share), wy_diagonal(1))));
}

/* Adds a block to rows of a matrix of motions. */
static void add_to_rows(double *rows, int width, int row, int column, wy_m3 m) {
  double m_rows[9];
  wy_to_rows(m, m_rows);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      rows[(row + r) * width + column + c] += m_rows[3 * r + c];
}

/* `place` and `turn` are the columns of displacements and rotations, or of their rates. By the rotation of the segment,
   what loads do is there already. */
static void add_contact(wy_port_blocks *out, const wy_port_outside *of, int place, int turn) {
  add_to_rows(&out->inner_by_outer[0][0], MOTION, FORCE, place, of->next_by_end);
  add_to_rows(&out->inner_by_outer[0][0], MOTION, TORQUE, place, of->segment_by_end);
  add_to_rows(&out->wrench_by_inner[0][0], WY_PORT_MOTION, FORCE, place, of->end_by_next);
  if (turn == BY_SPIN)
    add_to_rows(&out->wrench_by_inner[0][0], WY_PORT_MOTION, FORCE, turn, of->end_by_segment);
  add_to_rows(&out->wrench_by_outer[0][0], MOTION, FORCE, place, of->end_by_end);
}

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
  if (self->form->keeps_forces) {
    wy_staggered_constrained_blocks(self, (int)end, out);
    return;
  }
#define AT(which) wy_block_of(self->linear.segments, WY_SEGMENT_BLOCKS, segment, which)
  wy_put_block(inner, MOTION, FORCE, BY_X, 1, AT(WY_FORCE_X));
  wy_put_block(inner, MOTION, FORCE, BY_V, 1, AT(WY_FORCE_V));
  wy_put_block(inner, MOTION, TORQUE, BY_X, -side, AT(WY_TORQUE_X));
  wy_put_block(inner, MOTION, TORQUE, BY_V, -side, AT(WY_TORQUE_V));
  wy_put_block(by_inner, WY_PORT_MOTION, FORCE, BY_X, 1, AT(WY_FORCE_X));
  wy_put_block(by_inner, WY_PORT_MOTION, FORCE, BY_V, 1, AT(WY_FORCE_V));
  wy_put_block(by_inner, WY_PORT_MOTION, FORCE, BY_TURN, 1,
               wy_mplus(wy_mtimes(side, AT(WY_FORCE_T)), port->force_by_turn));
  wy_put_block(by_inner, WY_PORT_MOTION, FORCE, BY_SPIN, side, AT(WY_FORCE_W));
  wy_put_block(by_outer, MOTION, FORCE, BY_X, -1, AT(WY_FORCE_X));
  wy_put_block(by_outer, MOTION, FORCE, BY_V, -1,
               wy_mplus(AT(WY_FORCE_V), wy_diagonal(self->grid.drag_translation * port->mass)));
#undef AT
  if (self->base.contacts) {
    add_contact(out, &port->contact, BY_X, BY_TURN);
    add_contact(out, &port->contact_rate, BY_V, BY_SPIN);
  }
  if (port->holds == WY_PORT_FRAME)
    wy_staggered_ghost_blocks(self, (int)end, out);
}

/* ---- The rod with its hubs held ---- */

/* Rows of the inner forces of an end, and of what moves there: vertex, then segment. */
static int row_of(const wy_staggered *self, int end, int k) {
  const int cell = self->form->cell;
  return cell * (k < 3 ? wy_next_vertex(&self->grid, end) : wy_end_segment(&self->grid, end)) + k;
}

/* How many of them are rows of the rod. */
static int row_count(const wy_staggered *self) {
  return self->form->keeps_forces ? WY_PORT_FORCES : 6;
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

/* How displacement and rotation at an end follow from velocity and angular velocity there, (S40) and (S41): dx = dv /
   sigma, theta = beta dOm - gamma Om x dOm. Of real shifts imaginary parts are 0. */
typedef struct end_shift {
  double inverse_re, inverse_im, beta_re, beta_im, gamma_re, gamma_im, omega[3];
} end_shift;

static end_shift shift_at(const wy_staggered *self, const wy_slot *slot, int end) {
  const wy_v3 om = wy_load3(self->linear.omega, self->grid.halo_stride, wy_end_segment(&self->grid, end));
  const double re = slot->re, im = slot->is_complex ? slot->im : 0;
  const double size = 1 / (re * re + im * im);
  const double den_re = re * re - im * im + 0.25 * wy_inner(om, om), den_im = 2 * re * im;
  const double inv = 1 / (den_re * den_re + den_im * den_im);
  return (end_shift){.inverse_re = re * size,
                     .inverse_im = -im * size,
                     .beta_re = inv * (re * den_re + im * den_im),
                     .beta_im = inv * (im * den_re - re * den_im),
                     .gamma_re = 0.5 * inv * den_re,
                     .gamma_im = -0.5 * inv * den_im,
                     .omega = {om.x, om.y, om.z}};
}

/* All twelve numbers of a motion from the six rates, for `columns` right-hand sides next to each other. */
WY_INLINE void find_motion(const end_shift *by, int columns, const double *re, const double *im, double *motion_re,
                           double *motion_im) {
  for (int k = 0; k < 3; k++) {
    const int a = 3 + (k + 1) % 3, b = 3 + (k + 2) % 3;
    const double o_a = by->omega[a - 3], o_b = by->omega[b - 3];
#pragma omp simd
    for (int c = 0; c < columns; c++) {
      const double v = re[k * columns + c], w = re[(3 + k) * columns + c];
      const double turn = re[a * columns + c] * o_b - re[b * columns + c] * o_a;
      double x = by->inverse_re * v, theta = by->beta_re * w + by->gamma_re * turn;
      if (im) {
        const double v_im = im[k * columns + c], w_im = im[(3 + k) * columns + c];
        const double turn_im = im[a * columns + c] * o_b - im[b * columns + c] * o_a;
        x -= by->inverse_im * v_im;
        theta -= by->beta_im * w_im + by->gamma_im * turn_im;
        motion_im[(BY_X + k) * columns + c] = by->inverse_re * v_im + by->inverse_im * v;
        motion_im[(BY_TURN + k) * columns + c] =
            by->beta_re * w_im + by->beta_im * w + by->gamma_re * turn_im + by->gamma_im * turn;
        motion_im[(BY_V + k) * columns + c] = v_im;
        motion_im[(BY_SPIN + k) * columns + c] = w_im;
      }
      motion_re[(BY_X + k) * columns + c] = x;
      motion_re[(BY_TURN + k) * columns + c] = theta;
      motion_re[(BY_V + k) * columns + c] = v;
      motion_re[(BY_SPIN + k) * columns + c] = w;
    }
  }
}

WY_CLONES
static void find_motions(const end_shift *by, const double *re, double *motion) {
  find_motion(by, COLUMNS, re, NULL, motion, NULL);
}

WY_CLONES
static void find_motions_complex(const end_shift *by, const double *re, const double *im, double *motion_re,
                                 double *motion_im) {
  find_motion(by, COLUMNS, re, im, motion_re, motion_im);
}

/* The rows of W at an end: of the vertex, then of the segment. */
static void take_rates(const wy_staggered *self, int end, const double *columns, wy_port_row rates[6]) {
  memcpy(rates[0], columns + (size_t)COLUMNS * (size_t)row_of(self, end, 0), 3 * sizeof rates[0]);
  memcpy(rates[3], columns + (size_t)COLUMNS * (size_t)row_of(self, end, 3), 3 * sizeof rates[0]);
}

/* The same of a constrained rod: places, rotations and forces, and what moves with them. */
static void constrained_motions(const wy_staggered *self, const wy_slot *slot, int end, const double *columns,
                                const double *columns_im, wy_port_row motion[WY_PORT_MOTION],
                                wy_port_row motion_im[WY_PORT_MOTION]) {
  for (int c = 0; c < COLUMNS; c++) {
    double found[2][WY_PORT_FORCES], out[2][WY_PORT_MOTION];
    for (int k = 0; k < WY_PORT_FORCES; k++) {
      const int at = COLUMNS * row_of(self, end, k) + c;
      found[0][k] = columns[at], found[1][k] = columns_im ? columns_im[at] : 0;
    }
    wy_saddle_end_motion(self, slot, end, found[0], found[1], NULL, NULL, out[0], out[1]);
    for (int k = 0; k < WY_PORT_MOTION; k++) {
      motion[k][c] = out[0][k];
      if (motion_im)
        motion_im[k][c] = out[1][k];
    }
  }
}

void wy_staggered_condense(wy_system *system, int index, int piece, wy_end_name end,
                           wy_port_row forces_re[WY_PORT_FORCES], wy_port_row forces_im[WY_PORT_FORCES],
                           wy_port_row inner_re[2][WY_PORT_MOTION], wy_port_row inner_im[2][WY_PORT_MOTION]) {
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
  for (int k = 0; k < row_count(self); k++) {
    const size_t at = (size_t)COLUMNS * (size_t)row_of(self, (int)end, k);
    memcpy(re + at, forces_re[k], sizeof forces_re[k]);
    if (im)
      memcpy(im + at, forces_im[k], sizeof forces_im[k]);
  }
  if (im)
    wy_band_complex_solve_many(&slot->band_complex, re, im);
  else
    wy_band_solve_many(&slot->band, re);
  for (int at = 0; at < 2; at++) {
    if (!wy_is_port(self, at))
      continue;
    if (self->form->keeps_forces) {
      constrained_motions(self, slot, at, re, im, inner_re[at], im ? inner_im[at] : NULL);
      continue;
    }
    const end_shift by = shift_at(self, slot, at);
    wy_port_row rates[6], rates_im[6];
    take_rates(self, at, re, rates);
    if (im) {
      take_rates(self, at, im, rates_im);
      find_motions_complex(&by, rates[0], rates_im[0], inner_re[at][0], inner_im[at][0]);
    } else
      find_motions(&by, rates[0], inner_re[at][0]);
    memset(inner_re[at][MOTION], 0, (WY_PORT_MOTION - MOTION) * sizeof inner_re[at][0]);
    if (im)
      memset(inner_im[at][MOTION], 0, (WY_PORT_MOTION - MOTION) * sizeof inner_im[at][0]);
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

static void begin_solve(wy_staggered *self, wy_slot *slot, double *b, double *b_im) {
  if (self->form->keeps_forces)
    wy_saddle_begin_solve(self, slot, b, b_im);
  else
    wy_nullspace_begin_solve(self, slot, b, b_im);
}

void wy_staggered_condense_rhs(wy_system *system, int index, const double *re, const double *im,
                               double forces_re[][2][WY_PORT_FORCES], double forces_im[][2][WY_PORT_FORCES],
                               double inner_re[][2][WY_PORT_MOTION], double inner_im[][2][WY_PORT_MOTION]) {
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
  begin_solve(self, slot, b, b_im);
  if (self->ports.loads)
    wy_staggered_add_loads(self, self->ports.loads, packed);
  if (self->ports.loads_im)
    wy_staggered_add_loads(self, self->ports.loads_im, packed_im);
  for (int end = 0; end < 2; end++)
    for (int k = 0; wy_is_port(self, end) && k < row_count(self); k++) {
      packed[row_of(self, end, k)] += forces_re[0][end][k];
      if (im)
        packed_im[row_of(self, end, k)] += forces_im[0][end][k];
    }
  wy_slot_solve(slot, packed, packed_im);
  if (!self->form->keeps_forces)
    wy_staggered_solve_held(self, slot, CELL, b, b_im, packed, packed_im);
  for (int end = 0; end < 2; end++) {
    double rate[WY_PORT_FORCES], rate_im[WY_PORT_FORCES];
    double *motion = inner_re[0][end], *motion_im = im ? inner_im[0][end] : NULL;
    if (!wy_is_port(self, end))
      continue;
    for (int k = 0; k < row_count(self); k++) {
      rate[k] = packed[row_of(self, end, k)];
      rate_im[k] = im ? packed_im[row_of(self, end, k)] : 0;
    }
    if (self->form->keeps_forces) {
      wy_saddle_end_motion(self, slot, end, rate, rate_im, b, b_im, motion, motion_im);
      continue;
    }
    const end_shift by = shift_at(self, slot, end);
    memset(motion + MOTION, 0, (WY_PORT_MOTION - MOTION) * sizeof *motion);
    if (im)
      memset(motion_im + MOTION, 0, (WY_PORT_MOTION - MOTION) * sizeof *motion_im);
    find_motion(&by, 1, rate, im ? rate_im : NULL, motion, motion_im);
    for (int k = 0; k < 3; k++) { /* what is known of them */
      const int x = self->grid.x + k * n + wy_next_vertex(&self->grid, end),
                turn = k * hs + wy_end_segment(&self->grid, end);
      motion[BY_X + k] += b[x], motion[BY_TURN + k] += self->linear.theta[turn];
      if (im)
        motion_im[BY_X + k] += b_im[x], motion_im[BY_TURN + k] += self->linear.theta_im[turn];
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

WY_CLONES
void wy_staggered_add_columns(int order, const double *w, const wy_port_row hub, double *packed) {
  for (int i = 0; i < order; i++) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int c = 0; c < COLUMNS; c++)
      sum += w[COLUMNS * i + c] * hub[c];
    packed[i] += sum;
  }
}

WY_CLONES
static void add_columns_complex(int order, const double *re, const double *im, const wy_port_row hub,
                                const wy_port_row hub_im, double *packed, double *packed_im) {
  for (int i = 0; i < order; i++) {
    double sum = 0, sum_im = 0;
#pragma omp simd reduction(+ : sum, sum_im)
    for (int c = 0; c < COLUMNS; c++) {
      const double a = re[COLUMNS * i + c], b = im[COLUMNS * i + c];
      sum += a * hub[c] - b * hub_im[c];
      sum_im += a * hub_im[c] + b * hub[c];
    }
    packed[i] += sum;
    packed_im[i] += sum_im;
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
    if (!wy_is_port(self, end) || !moves(hubs_re[0][end], im ? hubs_im[0][end] : NULL))
      continue;
    if (im)
      add_columns_complex(wy_staggered_order(self), w, w_im, hubs_re[0][end], hubs_im[0][end], self->linear.packed,
                          self->linear.packed_im);
    else
      wy_staggered_add_columns(wy_staggered_order(self), w, hubs_re[0][end], self->linear.packed);
  }
  if (self->form->keeps_forces)
    wy_saddle_end_solve(self, slot_of(self, index, im != NULL), b, b_im);
  else
    wy_nullspace_end_solve(self, slot_of(self, index, im != NULL), b, b_im);
  copy_inside(self, b, re);
  if (im)
    copy_inside(self, b_im, im);
}
