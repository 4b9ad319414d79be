/* SPDX-License-Identifier: MIT */
/* What balance and derivatives of the cells share. */
#ifndef WY_SCHEME_BOX_CELL_H
#define WY_SCHEME_BOX_CELL_H

#include "scheme/box/rod.h"

/* How much a new value changes the rate that the step weighs (B4). */
WY_INLINE double rate_factor(const wy_box *self) {
  return (1 - self->task.alpha) / (self->task.gamma * self->h);
}

/* (1 - alpha) of the new rate and alpha of the old one. */
WY_INLINE wy_v3 weighed_rate(const double *x, const double *x0, const double *rate0, double factor, double old) {
  return wy_plus(wy_times(factor, wy_minus(wy_at3(x), wy_at3(x0))), wy_times(old, wy_at3(rate0)));
}

/* d(turn of the frame in the body) / d omega: half a step, or so, of the right Jacobian of exp. */
WY_INLINE wy_m3 frame_change(const wy_box *self, int node) {
  const wy_box_turn twice = wy_box_turn_of(wy_times(2, self->terms[node].turn));
  return wy_mtimes(self->turning, wy_mtransposed(wy_box_tangent(&twice)));
}

/* A cell seen from its middle. */
typedef struct wy_box_middle {
  wy_box_turn turn;
  wy_m3 e, s, c;
} wy_box_middle;

WY_INLINE wy_box_middle middle_of(const wy_box *self, int cell, const double *x) {
  wy_box_middle m = {.e = wy_diagonal(1), .s = wy_diagonal(1), .c = wy_diagonal(1)};
  if (self->options.transport) {
    const wy_v3 sum = wy_plus(wy_at3(x + WY_BOX_KAPPA), wy_at3(x + WY_BOX_NODE + WY_BOX_KAPPA));
    m.turn = wy_box_turn_of(wy_times(0.5 * self->length[cell], sum));
    m.e = wy_box_e(&m.turn);
    m.s = wy_box_s(&m.turn);
    m.c = wy_box_c(&m.turn);
  }
  return m;
}

/* In the body of a node. */
WY_INLINE void load_in_body(const wy_box_load *load, wy_m3 frame, wy_v3 *force, wy_v3 *moment) {
  *force = wy_plus(load->body_force, wy_apply_transposed(frame, load->space_force));
  *moment = wy_plus(load->body_moment, wy_apply_transposed(frame, load->space_moment));
}

/* E b + E^T a */
WY_INLINE wy_v3 join(wy_m3 e, wy_v3 b, wy_v3 a) {
  return wy_plus(wy_apply(e, b), wy_apply_transposed(e, a));
}

/* b / h + mean / 2: what one end gives to a balance; -h for the other end */
WY_INLINE wy_v3 share(double h, wy_v3 b, wy_v3 mean) {
  return wy_plus(wy_times(1 / h, b), wy_times(0.5, mean));
}

/* Vectors that E turns in the four equations, at both ends, for the balance and for its derivatives. */
typedef struct wy_box_pairs {
  wy_v3 force[2], moment[2];
} wy_box_pairs;

WY_INLINE wy_box_pairs pairs_of(const wy_box *self, int cell) {
  const double h = self->length[cell];
  wy_box_pairs p;
  for (int end = 0; end < 2; end++) {
    const wy_box_terms *at = &self->terms[cell + end];
    wy_v3 force = wy_plus(at->force, at->inertia), moment = at->moment, f, m;
    if (self->loads[1].on_cells) {
      load_in_body(&self->loads[1].cell[cell], at->frame, &f, &m);
      force = wy_plus(force, f), moment = wy_plus(moment, m);
    }
    const double sign = end ? h : -h;
    p.force[end] = share(sign, wy_at3(self->x + WY_BOX_NODE * (cell + end) + WY_BOX_N), force);
    p.moment[end] = share(sign, at->couple, moment);
  }
  return p;
}

/* Of one of the unknowns, component by component. */
WY_INLINE wy_v3 middle_value(const double *x, int offset) {
  return wy_times(0.5, wy_plus(wy_at3(x + offset), wy_at3(x + WY_BOX_NODE + offset)));
}

WY_INLINE wy_v3 rotary_of(const wy_box *self, int cell) {
  return wy_times(0.5, wy_plus(self->node[cell].rotary, self->node[cell + 1].rotary));
}

/* Minus the rate of the angular momentum of the section in the middle, with drag (B3). With means of omega and of kappa
   that are those of components, C^-1 omega and kappa_m, the work of moments between cells adds up as it should; with
   those of transported vectors curved rods have vibrations that grow. Without transport nodes have the part that turns.
 */
WY_INLINE wy_v3 spin_of(const wy_box *self, int cell, wy_m3 c, wy_v3 rate, wy_v3 omega) {
  const wy_v3 rotary = rotary_of(self, cell), turned = wy_apply(c, omega);
  const wy_v3 spin = wy_each(rotary, wy_plus(wy_apply(c, rate), wy_times(self->drag[1], turned)));
  if (!self->options.transport)
    return wy_times(-1, spin);
  return wy_minus(wy_times(-1, spin), wy_cross(turned, wy_each(rotary, turned)));
}

/* Halves of E n_b + E^T n_a and the like. */
WY_INLINE wy_v3 mean_of(wy_m3 e, const double *x, int offset) {
  return wy_times(0.5, join(e, wy_at3(x + WY_BOX_NODE + offset), wy_at3(x + offset)));
}

/* The rate of kappa at the end of the step: generalised alpha with (alpha - beta, 0, gamma), which is of the same
   order. */
static inline double end_rate_factor(const wy_box *self) {
  return (1 - self->task.alpha + self->task.beta) / (self->task.gamma * self->h);
}

static inline void row_scales(const wy_box *self, double scale[4]) {
  const wy_box_scales *s = &self->scales;
  scale[0] = s->length / s->force;
  scale[1] = s->length / s->moment;
  scale[2] = s->length * s->time;
  scale[3] = s->time;
}

#endif
