/* SPDX-License-Identifier: MIT */
/* States of the staggered rod: the undeformed one, the initial one, projection. */
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "scheme/staggered/rod.h"

/* ---- Projection ---- */

/* Held components of an end where their support is at time t. */
static void place_end(const wy_staggered *self, int end, double t, double *u) {
  const int n = self->grid.stride, vertex = end ? self->grid.n : 0;
  wy_end_pose pose;
  if (wy_is_port(self, end)) /* its hub does */
    return;
  wy_support_pose(&self->supports, end, t, &pose);
  for (int k = 0; k < 3; k++)
    if (wy_is_held(self, end, k)) {
      u[self->grid.x + k * n + vertex] = pose.x[k];
      u[self->grid.v + k * n + vertex] = pose.v[k];
    }
}

/* A chain meets its constraints by construction, except that its end may be held, too. */
int wy_staggered_project_strains(wy_staggered *self, double t, double *u, double drift[WY_DRIFTS]) {
  assert(self->grid.constrained);
  double strain, rate;
  if (self->ports.any && self->grid.options.stabilisation == WY_PROJECTION)
    return 1; /* the group does it, with its hubs */
  bool closed = self->grid.chain && wy_support_holds_position(&self->supports, WY_END);
  bool needed = self->grid.chain ? closed : self->grid.options.stabilisation == WY_PROJECTION;
  if (self->grid.chain) {
    place_end(self, WY_START, t, u);
    wy_staggered_chain(self, u);
  }
  for (int end = self->grid.chain ? 1 : 0; end < 2; end++)
    place_end(self, end, t, u);
  if (needed)
    wy_staggered_project_constraints(self, u);
  if (needed && self->grid.stretches)
    wy_staggered_take_stretches(self, u);
  self->links.taut = needed && wy_staggered_constraints_missed(self, u, &strain, &rate);
  if (!needed)
    wy_staggered_constraints_missed(self, u, &strain, &rate);
  drift[WY_DRIFT_STRAIN] = fmax(drift[WY_DRIFT_STRAIN], strain);
  drift[WY_DRIFT_STRAIN_RATE] = fmax(drift[WY_DRIFT_STRAIN_RATE], rate);
  return self->links.taut ? WY_ERROR_SOLVER : needed;
}

int wy_staggered_project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  wy_staggered *self = (wy_staggered *)system;
  int out_of_date = self->form->project_frames(self, u, f, drift);
  for (int end = 0; end < 2; end++)
    if (wy_support_moves(&self->supports, end)) {
      out_of_date = 1;
      place_end(self, end, t, u);
    }
  int strains = self->form->project_strains ? self->form->project_strains(self, t, u, drift) : 0;
  return strains < 0 ? strains : out_of_date | strains;
}

/* ---- The undeformed rod ---- */

/* A curved rod with joints has its vertices on the curve, and its end where the joint is: the step from a vertex to the
   next, and the strain that belongs to it (docs/theory/network.md). `next` is the place and frame at the end of it. */
static void step_on_curve(wy_staggered *self, int i, const double r[9], double position[3], double next[4]) {
  const wy_rod_def *rod = self->grid.rod;
  double there[3], step[3], strain[3];
  wy_copy3(position, there);
  if (i < self->grid.n - 1)
    wy_reference_advance(rod, self->grid.s_vertex[i], self->grid.s_vertex[i + 1], there, next);
  else
    wy_reference_at(rod, self->grid.to, there, next);
  for (int k = 0; k < 3; k++)
    step[k] = (there[k] - position[k]) * self->grid.inv_h[i];
  wy_tmul3(r, step, strain);
  strain[2] -= 1;
  wy_store3(self->grid.gamma_zero, self->grid.stride, i, wy_at3(strain));
  wy_copy3(there, position);
}

/* Frames of the undeformed rod at the midpoints into `unit`, its end frames and positions; x_{n+1} = x_n + h d3 (S7).
 */
void wy_staggered_reference_shape(wy_staggered *self, double *x) {
  const wy_rod_def *rod = self->grid.rod;
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  double frame[4], position[3] = {0};
  if (self->grid.from > 0)
    wy_reference_at(rod, self->grid.from, position, frame);
  else
    wy_reference_start(rod, frame);
  memcpy(self->supports.reference_q[0], frame, sizeof frame);
  wy_copy3(position, self->supports.reference[0]);
  for (int i = 0; i < self->grid.n; i++) {
    double middle = self->grid.s_segment[i], r[9], next[4];
    memcpy(next, frame, sizeof next);
    for (int k = 0; k < 3; k++)
      x[k * n + i] = position[k];
    wy_reference_turn(rod, self->grid.s_vertex[i], middle, frame);
    for (int k = 0; k < 4; k++)
      self->eval.unit[k * hs + i] = frame[k];
    wy_qmatrix(frame, r);
    wy_reference_turn(rod, middle, self->grid.s_vertex[i + 1], frame);
    for (int k = 0; !self->grid.gamma_zero && k < 3; k++)
      position[k] += self->grid.h[i] * r[3 * k + 2];
    if (self->grid.gamma_zero) {
      step_on_curve(self, i, r, position, next);
      memcpy(frame, next, sizeof frame);
    }
  }
  for (int k = 0; k < 3; k++)
    x[k * n + self->grid.n] = position[k];
  memcpy(self->supports.reference_q[1], frame, sizeof frame);
  wy_copy3(position, self->supports.reference[1]);
  wy_support_set_offsets(&self->supports);
}

void wy_staggered_reference(wy_staggered *self, double *u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  wy_staggered_reference_shape(self, u + self->grid.x);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      u[self->grid.p + k * n + i] = i < self->grid.n ? self->eval.unit[k * hs + i] : k == 0;
}

/* ---- The initial state ---- */

void wy_staggered_initial(wy_system *system, double *u) {
  wy_staggered *self = (wy_staggered *)system;
  const wy_initial *initial = &self->grid.rod->initial;
  const int n = self->grid.stride;
  memset(u, 0, (size_t)system->size * sizeof *u);
  wy_staggered_reference(self, u);
  for (int i = 0; i < self->grid.n; i++) {
    double s = self->grid.s_segment[i], half = 0.5 * wy_signal_value(&initial->twist, s, 0);
    double twist[4] = {cos(half), 0, 0, sin(half)}, q[4], p[4], omega[3];
    wy_put4(q, wy_load4(u + self->grid.p, n, i));
    wy_qmul(q, twist, p);
    wy_qnormalise(p);
    for (int k = 0; k < 3; k++)
      omega[k] = wy_signal_value(&initial->angular_velocity[k], s, 0);
    for (int k = 0; k < 4; k++)
      u[self->grid.p + k * n + i] = p[k];
    self->form->set_spin(self, i, p, omega, u);
  }
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++)
      u[self->grid.v + k * n + i] = wy_signal_value(&initial->velocity[k], self->grid.s_vertex[i], 0);
  for (int end = 0; end < 2; end++)
    place_end(self, end, 0, u);
  double drift[WY_DRIFTS] = {0};
  if (self->form->project_strains &&
      !self->ports.any) { /* velocities as given need not be possible: the nearest that are */
    wy_staggered_project_constraints(self, u);
    if (self->grid.stretches)
      wy_staggered_take_stretches(self, u);
    self->form->project_strains(self, 0, u, drift);
  }
}
