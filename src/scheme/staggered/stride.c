/* SPDX-License-Identifier: MIT */
/* What the integrator `stride` asks of a staggered rod (wy_stride_type): prediction with unchanged strain, and the
   Jacobian with the section forces of an accepted state. docs/theory/integrators.md, (I70) to (I75). */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "math/quat.h"
#include "scheme/staggered/door.h"
#include "scheme/staggered/rod.h"

/* ---- Prediction ---- */

/* The first step of a history: what has a rate in the state moves by it, the rest stays. */
static void begin_by_rates(const wy_staggered *self, double h, const double *now, double *guess) {
  const wy_staggered_grid *grid = &self->grid;
  memcpy(guess, now, (size_t)self->base.size * sizeof *guess);
  for (int k = 0; k < 3 * grid->stride; k++)
    guess[grid->x + k] += h * now[grid->v + k];
}

static void go_on_by_lines(const wy_staggered *self, double ratio, const double *before, const double *now,
                           double *guess) {
  for (int i = 0; i < self->base.size; i++)
    guess[i] = now[i] + ratio * (now[i] - before[i]);
}

/* What a frame turns by in the coming step: as in the last one, or with its angular velocity (I71). */
WY_INLINE wy_q4 go_on_turning(double ratio, wy_q4 before, wy_q4 now) {
  wy_q4 turn = wy_qtimes(ratio, wy_between(before, now));
  turn.w += 1 - ratio;
  return turn;
}

WY_INLINE wy_q4 turn_by_rate(double h, bool absolute, const double *w, int n, int i, wy_q4 p) {
  const wy_v3 omega = absolute ? wy_times(2, wy_pure(wy_between(p, wy_load4(w, n, i)))) : wy_load3(w, n, i);
  const wy_v3 half = wy_times(0.5 * h, omega);
  return (wy_q4){1, half.x, half.y, half.z};
}

WY_INLINE wy_q4 unit(wy_q4 p) {
  return wy_qtimes(1 / sqrt(wy_qsquare(p)), p);
}

/* Frames turn on, and edges with them; edge i goes to place i + 1. */
WY_INLINE void turn_loop(const wy_staggered *self, double h, double ratio, const double *restrict before,
                         const double *restrict now, double *restrict guess, bool begins) {
  const wy_staggered_grid *grid = &self->grid;
  const int n = grid->stride, count = grid->n;
  const bool absolute = self->form->spin_components == 4;
  const double *restrict x = now + grid->x, *restrict p = now + grid->p, *restrict w = now + grid->w;
  const double *restrict last = begins ? NULL : before + grid->p;
  double *restrict edges = guess + grid->x + 1, *restrict frames = guess + grid->p;
#pragma omp simd
  for (int i = 0; i < count; i++) {
    const wy_q4 at = unit(wy_load4(p, n, i));
    const wy_q4 turn = begins ? turn_by_rate(h, absolute, w, n, i, at) : go_on_turning(ratio, wy_load4(last, n, i), at);
    const wy_q4 next = unit(wy_qproduct(at, turn));
    const wy_v3 edge = wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i));
    const wy_v3 own = wy_apply_transposed(wy_rotation(at), edge);
    wy_store4(frames, n, i, next);
    wy_store3(edges, n, i, wy_apply(wy_rotation(next), own));
  }
}

/* From the first vertex to the last. */
WY_CLONES
static void turn_on(const wy_staggered *self, double h, double ratio, const double *before, const double *now,
                    double *guess) {
  const wy_staggered_grid *grid = &self->grid;
  if (before)
    turn_loop(self, h, ratio, before, now, guess, false);
  else
    turn_loop(self, h, ratio, before, now, guess, true);
  for (int k = 0; k < 3; k++) {
    double *x = guess + grid->x + k * grid->stride;
    for (int i = 0; i < grid->n; i++)
      x[i + 1] += x[i];
  }
}

/* Held components of the ends where their supports will be, with all of the rod where only its last vertex is held. A
   last vertex that is held beside the first one stands where the edges lead. */
static void seat_ends(const wy_staggered *self, double t, double *guess) {
  const int n = self->grid.stride;
  for (int end = 0; end < 2; end++) {
    wy_end_pose pose;
    if (wy_is_port(self, end))
      continue;
    wy_support_pose(&self->supports, end, t, &pose);
    for (int k = 0; k < 3; k++) {
      if (!wy_is_held(self, end, k))
        continue;
      const int vertex = wy_end_vertex(&self->grid, end);
      guess[self->grid.v + k * n + vertex] = pose.v[k];
      const double gap = pose.x[k] - guess[self->grid.x + k * n + vertex];
      for (int i = 0; (end == WY_START || !wy_is_held(self, WY_START, k)) && i <= self->grid.n; i++)
        guess[self->grid.x + k * n + i] += gap;
    }
  }
}

static void predict(wy_system *system, double t, double h, double ratio, const double *before, const double *now,
                    double *guess) {
  const wy_staggered *self = (const wy_staggered *)system;
  if (before)
    go_on_by_lines(self, ratio, before, now, guess);
  else
    begin_by_rates(self, h, now, guess);
  turn_on(self, h, ratio, before, now, guess);
  seat_ends(self, t, guess);
}

/* ---- Section forces of an accepted state (I73) ---- */

/* Those of the last evaluation in body axes. Where they are unknowns of the linear system, reactions and the forces of
   actuators are in them. */
WY_CLONES
static void section_forces(const wy_staggered *self, double *restrict out) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict unit = self->eval.unit, *restrict force = self->eval.section_force;
  const double *restrict own = self->actuators.force;
#pragma omp simd
  for (int i = 0; i < n; i++)
    wy_store3(out, n, i, wy_apply_transposed(wy_rotation(wy_load4(unit, hs, i)), wy_load3(force, hs, i)));
  for (int k = 0; self->actuators.count > 0 && !self->form->keeps_forces && k < 3 * n; k++)
    out[k] -= own[k];
}

static void hold(wy_system *system, double *held) {
  section_forces((const wy_staggered *)system, held);
}

/* The blocks of segments have the section forces of the last evaluation in their geometric terms. */
static void change_section_forces(wy_staggered *self, const double *u, const double *held) {
  double *change = self->eval.work;
  section_forces(self, change);
  for (int k = 0; k < 3 * self->grid.stride; k++)
    change[k] = held[k] - change[k];
  wy_staggered_geometric_blocks(self, u, change);
}

static void put_section_forces(wy_staggered *self, const double *held) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  for (int i = 0; i < self->grid.n; i++)
    wy_store3(self->eval.section_force, hs, i,
              wy_apply(wy_rotation(wy_load4(self->eval.unit, hs, i)), wy_load3(held, n, i)));
}

static int linearise(wy_system *system, double t, const double *u, const double *held, double *f) {
  wy_staggered *self = (wy_staggered *)system;
  u = wy_staggered_seat(self, u, false);
  const int status = wy_staggered_evaluate(self, t, u, f, NULL);
  if (self->form->keeps_forces)
    put_section_forces(self, held);
  wy_staggered_take_blocks(self, u);
  if (!self->form->keeps_forces)
    change_section_forces(self, u, held);
  wy_staggered_linearise(self, self->form, u, f);
  return status;
}

/* ---- What is known, and what the step has missed ---- */

/* Held components end where their supports are. */
static void prescribe(wy_system *system, double t, double sigma, const double *guess, double *r) {
  const wy_staggered *self = (const wy_staggered *)system;
  const int n = self->grid.stride;
  for (int end = 0; end < 2; end++) {
    wy_end_pose pose;
    if (wy_is_port(self, end))
      continue;
    wy_support_pose(&self->supports, end, t, &pose);
    for (int k = 0; k < 3; k++) {
      const int at = k * n + wy_end_vertex(&self->grid, end);
      if (!wy_is_held(self, end, k))
        continue;
      r[self->grid.x + at] = sigma * (pose.x[k] - guess[self->grid.x + at]);
      r[self->grid.v + at] = 0;
    }
  }
}

/* (I75) */
static double missed(const wy_system *system, const double *guess, const double *d) {
  const wy_staggered_grid *grid = &((const wy_staggered *)system)->grid;
  const int n = grid->stride;
  double most = 0;
  for (int i = 0; i < grid->n; i++) {
    const wy_v3 edge = wy_minus(wy_load3(d + grid->x, n, i + 1), wy_load3(d + grid->x, n, i));
    const wy_v3 half = wy_pure(wy_between(wy_load4(guess + grid->p, n, i), wy_load4(d + grid->p, n, i)));
    const double square = grid->inv_h[i] * grid->inv_h[i] * wy_inner(edge, edge) + 4 * wy_inner(half, half);
    most = square <= most ? most : square; /* NaN stays */
  }
  return sqrt(most);
}

/* A rod without shear whose end is held: the force of its stretches is stiff. */
static bool closes(const wy_system *system) {
  const wy_staggered *self = (const wy_staggered *)system;
  return self->grid.constrained == 2 && wy_support_holds_position(&self->supports, WY_END);
}

const wy_stride_type wy_staggered_stride = {.predict = predict,
                                            .hold = hold,
                                            .linearise = linearise,
                                            .prescribe = prescribe,
                                            .missed = missed,
                                            .closes = closes};
