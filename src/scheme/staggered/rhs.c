/* SPDX-License-Identifier: MIT */
/* The right-hand side of the staggered rod: loops, ghosts, supports, power. */
#include <string.h>

#include "math/quat.h"
#include "scheme/staggered/door.h"
#include "scheme/staggered/rod.h"

/* Beyond an end: a copy of the last segment (no bending there), or the ghost q conj(p) q of a held rotation (S21). */
void wy_staggered_set_ghost(wy_staggered *self, int end) {
  const int hs = self->grid.halo_stride;
  int inner = wy_end_segment(&self->grid, end), outer = end ? self->grid.n : -1,
      last = end ? self->grid.stride - 1 : -1;
  double p[4], ghost[4], ghost_omega[3] = {0, 0, 0};
  for (int k = 0; k < 4; k++)
    p[k] = ghost[k] = self->eval.unit[k * hs + inner];
  if (wy_support_holds_rotation(&self->supports, end)) {
    const wy_end_pose *pose = &self->eval.pose[end];
    double relative[4], back[4], difference[3];
    wy_qrelative(pose->q, p, relative);
    wy_qmatrix(relative, self->eval.ghost_turn[end]);
    wy_qconj(relative, back);
    wy_qmul(pose->q, back, ghost);
    for (int k = 0; k < 3; k++)
      difference[k] = pose->w[k] - self->eval.omega[k * hs + inner];
    wy_mul3(self->eval.ghost_turn[end], difference, ghost_omega);
    wy_add3(ghost_omega, 1, pose->w);
  }
  for (int i = outer; i <= last; i++) {
    for (int k = 0; k < 4; k++)
      self->eval.unit[k * hs + i] = ghost[k];
    for (int k = 0; k < 3; k++)
      self->eval.omega[k * hs + i] = ghost_omega[k];
  }
}

/* The inner segment feels the torque on the ghost through the ghost's dependence on it; so does the support (S22). */
static void return_ghost_torque(wy_staggered *self, int end) {
  const int hs = self->grid.halo_stride;
  memset(self->eval.support_moment[end], 0, sizeof self->eval.support_moment[end]);
  if (!wy_support_holds_rotation(&self->supports, end))
    return;
  int inner = wy_end_segment(&self->grid, end), vertex = wy_end_vertex(&self->grid, end);
  const double *torques = end ? self->eval.torque_plus : self->eval.torque_minus;
  double torque[3] = {torques[vertex], torques[hs + vertex], torques[2 * hs + vertex]}, returned[3], r[9], body[3];
  wy_tmul3(self->eval.ghost_turn[end], torque, returned);
  for (int k = 0; k < 3; k++)
    body[k] = -(torque[k] + returned[k]);
  wy_door_push(self, wy_at_segment(inner), wy_times(-1, wy_at3(returned)));
  if (wy_is_port(self, end)) {
    wy_put3(self->ports.ends[end].torque, wy_times(-1, wy_at3(body)));
    return;
  }
  wy_qmatrix(self->eval.pose[end].q, r);
  wy_mul3(r, body, self->eval.support_moment[end]);
}

/* Held components move as their support does, and ports as their hub; the difference to free motion is the support's
 * force. */
static void hold_ends(wy_staggered *self, double *f) {
  const int n = self->grid.stride;
  for (int end = 0; end < 2; end++) {
    int vertex = wy_end_vertex(&self->grid, end);
    for (int k = 0; k < 3; k++) {
      self->eval.support_force[end][k] = 0;
      if (!wy_is_held(self, end, k))
        continue;
      double *acceleration = &f[self->grid.v + k * n + vertex];
      if (wy_is_port(self, end)) { /* the group knows the rest of it */
        *acceleration = self->eval.pose[end].a[k];
        continue;
      }
      self->eval.support_force[end][k] = self->grid.mass[vertex] * (self->eval.pose[end].a[k] - *acceleration);
      *acceleration = self->eval.pose[end].a[k];
    }
  }
}

static double support_power(const wy_staggered *self, const double *u) {
  double power = 0;
  for (int end = 0; end < 2; end++) {
    int vertex = wy_end_vertex(&self->grid, end);
    double r[9], spin[3];
    for (int k = 0; k < 3; k++)
      power += self->eval.support_force[end][k] * u[self->grid.v + k * self->grid.stride + vertex];
    wy_qmatrix(self->eval.pose[end].q, r);
    wy_mul3(r, self->eval.pose[end].w, spin);
    power += wy_dot3(self->eval.support_moment[end], spin);
  }
  return power;
}

static double drag_power(const wy_staggered *self, const double *u) {
  double power = 0;
  const int n = self->grid.stride;
  if (self->grid.drag_translation == 0 && self->grid.drag_rotation == 0)
    return 0;
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      double v = u[self->grid.v + k * n + i],
             om = i < self->grid.n ? self->eval.omega[k * self->grid.halo_stride + i] : 0;
      power += self->grid.drag_translation * self->grid.mass[i] * v * v + self->grid.drag_inertia[k * n + i] * om * om;
    }
  return power;
}

/* The loops, chunk by chunk, so that what one leaves for the next is still in the first-level cache of a long
   rod. Vertex i needs segments i - 1 and i, the assembly of i needs the torque of vertex i + 1: it follows one vector
   behind. */
enum { CHUNK = 64 };

/* The state with everything that follows from a chain's root and frames. A held root stands where its support is. */
static const double *fill_in(wy_staggered *self, const double *u) {
  assert(self->grid.chain && self->links.full && u != self->links.full);
  memcpy(self->links.full, u, (size_t)self->base.size * sizeof *u);
  for (int k = 0; k < 3; k++)
    if (wy_is_held(self, WY_START, k)) {
      self->links.full[self->grid.x + k * self->grid.stride] = self->eval.pose[0].x[k];
      self->links.full[self->grid.v + k * self->grid.stride] = self->eval.pose[0].v[k];
    }
  wy_staggered_chain(self, self->links.full);
  return self->links.full;
}

int wy_staggered_evaluate(wy_staggered *self, double t, const double *u, double *f, double *power) {
  assert(u && f && u != f);
  double dissipated = 0, *measure = power && self->grid.damped ? &dissipated : NULL;
  for (int end = 0; end < 2; end++)
    wy_staggered_find_pose(self, end, t);
  u = wy_staggered_seat(self, u, false);
  wy_staggered_update_loads(self, t);
  if (self->grid.chain)
    u = fill_in(self, u);
  if (self->branches.count)
    wy_staggered_branch_relaxed(self, u);
  const bool touches = wy_staggered_contact_find(self, t, u), by_frame = wy_staggered_loads_follow(self);
  const bool whole = by_frame || self->actuators.count > 0;
  /* Actuators, obstacles and loads that depend on frames are added between the loops, for the whole rod at once. */
  int chunk = whole ? self->grid.stride : CHUNK, done = 0;
  for (int from = 0; from < self->grid.stride; from += chunk) {
    int to = from + chunk < self->grid.stride ? from + chunk : self->grid.stride;
    bool first = from == 0, last = to == self->grid.stride;
    self->form->segments(self, u, from, to, measure);
    if (first)
      wy_staggered_set_ghost(self, WY_START);
    if (last)
      wy_staggered_set_ghost(self, WY_END);
    if (self->actuators.count > 0)
      wy_staggered_actuate(self, t, u);
    wy_staggered_vertices(self, from, to, measure);
    if (first)
      return_ghost_torque(self, WY_START);
    if (last)
      return_ghost_torque(self, WY_END);
    if (by_frame)
      wy_staggered_frame_loads(self);
    if (self->fluid.drags)
      wy_staggered_fluid_forces(self, t, u, true);
    if (touches)
      wy_staggered_contact_forces(self, u);
    int ready = last ? to : to - WY_LANES;
    self->form->accelerate(self, u, f, done, ready);
    done = ready;
  }
  if (self->branches.count)
    wy_staggered_branch_rates(self, u, f, power ? &dissipated : NULL);
  if (self->fluid.adds)
    wy_staggered_added_accelerations(self, f);
  else
    hold_ends(self, f);
  int status = self->form->constrain ? self->form->constrain(self, u, f) : WY_OK;
  if (power) {
    power[WY_WORK_INTEGRAL] =
        wy_staggered_load_power(self, u) + wy_staggered_actuator_power(self, u) + support_power(self, u);
    power[WY_DISSIPATION_INTEGRAL] = dissipated + drag_power(self, u);
    if (self->ports.any) {
      power[WY_WORK_INTEGRAL] += wy_staggered_port_load_power(self);
      power[WY_DISSIPATION_INTEGRAL] += wy_staggered_port_drag_power(self);
    }
    if (self->fluid.drags) { /* of the work of the drag, what the fluid gains (U6) */
      power[WY_WORK_INTEGRAL] += self->fluid.lost;
      power[WY_DISSIPATION_INTEGRAL] += self->fluid.lost;
    }
    if (self->fluid.adds)
      power[WY_WORK_INTEGRAL] += wy_staggered_added_power(self, u, f);
    power[WY_WORK_INTEGRAL] += self->contact.work;
    power[WY_DISSIPATION_INTEGRAL] += self->contact.friction + self->contact.impact;
    power[WY_FRICTION_INTEGRAL] = self->contact.friction;
    power[WY_IMPACT_INTEGRAL] = self->contact.impact;
  }
  return status;
}

void wy_staggered_find_frames(wy_staggered *self, double t, const double *u) {
  const bool alone = !self->ports.any && !self->base.contacts && !self->fluid.drags && !self->fluid.adds &&
                     self->actuators.count == 0 && self->branches.count == 0 && !wy_staggered_loads_follow(self);
  if (!alone) {
    wy_staggered_evaluate(self, t, u, self->eval.work, NULL);
    return;
  }
  for (int end = 0; end < 2; end++)
    wy_staggered_find_pose(self, end, t);
  if (self->grid.chain)
    u = fill_in(self, u);
  self->form->segments(self, u, 0, self->grid.stride, NULL);
  for (int end = 0; end < 2; end++)
    wy_staggered_set_ghost(self, end);
}

void wy_staggered_evaluate_rest(wy_staggered *self, double t, const double *u, const double *force) {
  assert(u && force);
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  for (int end = 0; end < 2; end++)
    wy_staggered_find_pose(self, end, t);
  u = wy_staggered_seat(self, u, false);
  wy_staggered_update_loads(self, t);
  if (self->branches.count)
    wy_staggered_branch_relaxed(self, u);
  self->form->segments(self, u, 0, n, NULL);
  for (int i = 0; i < self->grid.n; i++) { /* the forces given instead of those of the strains */
    wy_m3 r = wy_rotation(wy_load4(self->eval.unit, hs, i));
    wy_v3 f = wy_load3(force, n, i),
          dx = wy_minus(wy_load3(u + self->grid.x, n, i + 1), wy_load3(u + self->grid.x, n, i));
    wy_store3(self->eval.section_force, hs, i, wy_apply(r, f));
    wy_store3(self->eval.segment_torque, hs, i, wy_cross(wy_apply_transposed(r, dx), f));
  }
  for (int end = 0; end < 2; end++)
    wy_staggered_set_ghost(self, end);
  if (self->actuators.count > 0)
    wy_staggered_actuate(self, t, u);
  wy_staggered_vertices(self, 0, n, NULL);
  for (int end = 0; end < 2; end++)
    return_ghost_torque(self, end);
  const bool touches = wy_staggered_contact_find(self, t, u);
  if (wy_staggered_loads_follow(self))
    wy_staggered_frame_loads(self);
  if (self->fluid.drags)
    wy_staggered_fluid_forces(self, t, u, false);
  if (touches)
    wy_staggered_contact_forces(self, u);
}
