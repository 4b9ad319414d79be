/* SPDX-License-Identifier: MIT */
/* The rates of all fields (C1)-(C3), with what the ends put in (C8)-(C12), and the power of loads and supports. */
#include <math.h>
#include <string.h>

#include "scheme/conserving/rod.h"

/* ---- Fields with what the ends put in ---- */

static void put_in_supports(wy_conserving *self, double t) {
  for (int end = 0; end < 2; end++) {
    const wy_conserving_end *e = &self->ends[end];
    const int j = wy_end_node(self, end);
    wy_end_pose pose;
    if (!e->position && !e->rotation)
      continue;
    wy_support_pose(&self->supports, end, t, &pose);
    if (e->rotation)
      wy_store3(self->spin, self->stride, j, wy_at3(pose.w));
    if (e->position && e->rotation)
      wy_store3(self->velocity, self->stride, j,
                wy_turn_back((wy_q4){pose.q[0], pose.q[1], pose.q[2], pose.q[3]}, wy_at3(pose.v)));
  }
}

/* A pinned end has a frame of its own (C11). */
static void put_in_pins(wy_conserving *self, double t, const double *u) {
  for (int end = 0; end < 2; end++) {
    wy_end_pose pose;
    if (!self->ends[end].position || self->ends[end].rotation)
      continue;
    const int j = wy_end_node(self, end);
    wy_support_pose(&self->supports, end, t, &pose);
    wy_store3(self->velocity, self->stride, j, wy_turn_back(wy_load4(u + self->q, self->stride, j), wy_at3(pose.v)));
  }
}

static void strains_of(const wy_conserving *self, const double *u, int j, double e[6]) {
  for (int c = 0; c < 3; c++) {
    e[c] = u[self->gamma + c * self->stride + j];
    e[3 + c] = u[self->kappa + c * self->stride + j];
  }
}

/* Between `before` and what the middle makes the end of the step: a discrete gradient (C14). */
static void set_stress(wy_conserving *self, int j, const double *u, const double *before) {
  const double *stiffness = self->stiffness + 6 * (size_t)j;
  double e[6], from[6], stress[6];
  strains_of(self, u, j, e);
  if (before) {
    strains_of(self, before, j, from);
    for (int c = 0; c < 6; c++)
      e[c] = 2 * e[c] - from[c];
    wy_law_mean_stress(&self->rod->law, stiffness, from, e, stress);
  } else {
    wy_law_stress(&self->rod->law, stiffness, e, stress);
  }
  for (int c = 0; c < 3; c++) {
    self->force[c * self->stride + j] = stress[c];
    self->moment[c * self->stride + j] = stress[3 + c];
  }
}

static void put_in_free_ends(wy_conserving *self) {
  for (int end = 0; end < 2; end++) {
    const wy_conserving_end *e = &self->ends[end];
    const wy_v3 zero = {0, 0, 0};
    if (e->weak)
      continue;
    if (!e->position)
      wy_store3(self->force, self->stride, wy_end_node(self, end), zero);
    if (!e->rotation)
      wy_store3(self->moment, self->stride, wy_end_node(self, end), zero);
  }
}

void wy_conserving_evaluate(wy_conserving *self, double t, const double *u, const double *before) {
  const size_t bytes = 3 * (size_t)self->stride * sizeof(double);
  memcpy(self->velocity, u + self->p, bytes);
  memcpy(self->spin, u + self->w, bytes);
  put_in_supports(self, t);
  put_in_pins(self, t, u);
  for (int j = 0; j < self->nodes; j++)
    set_stress(self, j, u, before);
  put_in_free_ends(self);
  wy_conserving_differentiate(self, self->velocity, self->velocity_s);
  wy_conserving_differentiate(self, self->spin, self->spin_s);
  wy_conserving_differentiate(self, self->force, self->force_s);
  wy_conserving_differentiate(self, self->moment, self->moment_s);
  wy_conserving_load(self, t);
  if (self->base.contacts)
    wy_conserving_contact_forces(self, t, u);
  self->t = t;
}

void wy_conserving_body_load(const wy_conserving *self, int j, wy_q4 q, wy_v3 *force, wy_v3 *moment) {
  wy_v3 space = wy_plus(wy_at3(self->load[0] + 3 * (size_t)j), wy_times(self->weighed[j], wy_at3(self->gravity)));
  *force = wy_plus(wy_turn_back(q, space), wy_at3(self->load[2] + 3 * (size_t)j));
  *moment = wy_plus(wy_turn_back(q, wy_at3(self->load[1] + 3 * (size_t)j)), wy_at3(self->load[3] + 3 * (size_t)j));
}

/* ---- Rates ---- */

WY_INLINE void strain_rates(const wy_conserving *self, int j, wy_v3 u, wy_v3 v, double *f) { /* (C2) */
  const int stride = self->stride;
  wy_v3 p = wy_load3(self->velocity, stride, j), w = wy_load3(self->spin, stride, j);
  wy_store3(f + self->gamma, stride, j,
            wy_plus(wy_plus(wy_load3(self->velocity_s, stride, j), wy_cross(u, p)), wy_cross(v, w)));
  wy_store3(f + self->kappa, stride, j, wy_plus(wy_load3(self->spin_s, stride, j), wy_cross(u, w)));
}

/* Loads and drag; on held parts they are the support's business. */
static void add_power(const wy_conserving *self, int j, const wy_v3 load[2], const wy_v3 drag[2], double *power) {
  const int end = j == 0 ? WY_START : WY_END;
  const bool inner = j > 0 && j < self->nodes - 1;
  const wy_v3 motion[2] = {wy_load3(self->velocity, self->stride, j), wy_load3(self->spin, self->stride, j)};
  const bool moves[2] = {inner || !self->ends[end].position, inner || !self->ends[end].rotation};
  for (int k = 0; k < 2; k++)
    if (moves[k]) {
      power[WY_WORK_INTEGRAL] += self->norm[j] * wy_inner(load[k], motion[k]);
      power[WY_DISSIPATION_INTEGRAL] += self->norm[j] * wy_inner(drag[k], motion[k]);
    }
}

/* The force of the fluid, and what it puts in and takes (U6). */
static wy_v3 add_fluid(const wy_conserving *self, const double *u, int j, double *power) {
  const wy_conserving_drag drag = wy_conserving_drag_at(self, u, j);
  const bool held = (j == 0 && self->ends[WY_START].position) || (j == self->nodes - 1 && self->ends[WY_END].position);
  if (power && !held) {
    const wy_v3 p = wy_load3(self->velocity, self->stride, j);
    power[WY_WORK_INTEGRAL] += self->norm[j] * wy_inner(drag.force, wy_plus(drag.velocity, p));
    power[WY_DISSIPATION_INTEGRAL] += self->norm[j] * wy_inner(drag.force, drag.velocity);
  }
  return drag.force;
}

/* (C3) */
WY_INLINE void velocity_rates(const wy_conserving *self, const double *u, int j, wy_q4 q,
                              const wy_conserving_balance *stress, double *f, double *power) {
  const int stride = self->stride;
  const double *inertia = self->inertia + 4 * (size_t)j;
  const wy_v3 rotary = wy_at3(inertia + 1);
  wy_v3 p = wy_load3(self->velocity, stride, j), w = wy_load3(self->spin, stride, j), force, moment;
  wy_conserving_body_load(self, j, q, &force, &moment);
  wy_v3 drag = wy_times(self->drag[0] * inertia[0], p);
  wy_v3 spin = wy_each(rotary, w), spin_drag = wy_times(self->drag[1], spin);
  wy_v3 push = wy_minus(wy_plus(stress->force, force), drag);
  if (self->fluid)
    push = wy_plus(push, add_fluid(self, u, j, power));
  wy_v3 turn = wy_minus(wy_plus(wy_plus(stress->moment, moment), wy_cross(spin, w)), spin_drag);
  wy_store3(f + self->p, stride, j, wy_plus(wy_times(1 / inertia[0], push), wy_cross(p, w)));
  wy_store3(f + self->w, stride, j, (wy_v3){turn.x / rotary.x, turn.y / rotary.y, turn.z / rotary.z});
  if (!power)
    return;
  wy_v3 weight = wy_turn_back(q, wy_times(self->weighed[j], wy_at3(self->gravity))); /* is in the energy */
  add_power(self, j, (wy_v3[2]){wy_minus(force, weight), moment}, (wy_v3[2]){drag, spin_drag}, power);
}

/* ---- Ends ---- */

/* What the end of the rod pulls with is taken off, and so is left to the load, which is among the loads of its node
   already (C10). */
static void correct_weak_end(const wy_conserving *self, int end, double *f) {
  const wy_conserving_end *e = &self->ends[end];
  const int j = wy_end_node(self, end), stride = self->stride;
  const double *inertia = self->inertia + 4 * (size_t)j;
  if (!e->weak)
    return;
  const double share = -wy_outward(end) / self->norm[j];
  for (int c = 0; c < 3; c++) {
    if (!e->position)
      f[self->p + c * stride + j] += share * self->force[c * stride + j] / inertia[0];
    if (!e->rotation)
      f[self->w + c * stride + j] += share * self->moment[c * stride + j] / inertia[1 + c];
  }
}

/* Held parts move with the support, free ends keep their strains. */
static void put_in_rates(const wy_conserving *self, int end, double t, double *f) {
  const wy_conserving_end *e = &self->ends[end];
  const int j = wy_end_node(self, end), stride = self->stride;
  const wy_v3 zero = {0, 0, 0};
  if (e->position) {
    wy_end_pose pose;
    wy_support_pose(&self->supports, end, t, &pose);
    wy_store3(f + self->r, stride, j, wy_at3(pose.v));
    wy_store3(f + self->p, stride, j, zero);
  }
  if (e->rotation)
    wy_store3(f + self->w, stride, j, zero);
  if (!e->position && !e->weak)
    wy_store3(f + self->gamma, stride, j, zero);
  if (!e->rotation && !e->weak)
    wy_store3(f + self->kappa, stride, j, zero);
}

/* What supports do on all that is not held (C12). */
static double support_power(const wy_conserving *self, int end, const double *u) {
  const wy_conserving_end *e = &self->ends[end];
  const int j = wy_end_node(self, end), stride = self->stride;
  wy_v3 curvature = wy_conserving_curvature(self, u, j);
  wy_v3 strain = wy_conserving_strain(self, u, j);
  wy_conserving_balance stress = wy_conserving_stress_balance(self, j, curvature, strain);
  double power = 0;
  if (e->position)
    power += wy_inner(
        wy_load3(self->velocity, stride, j),
        wy_minus(wy_times(wy_outward(end), wy_load3(self->force, stride, j)), wy_times(self->norm[j], stress.force)));
  if (e->rotation)
    power +=
        wy_inner(wy_load3(self->spin, stride, j), wy_minus(wy_times(wy_outward(end), wy_load3(self->moment, stride, j)),
                                                           wy_times(self->norm[j], stress.moment)));
  return power;
}

static int rates(wy_conserving *self, double t, const double *u, const double *before, double *f, double *power) {
  const int stride = self->stride;
  wy_conserving_evaluate(self, t, u, before);
  for (int k = 0; power && k < WY_INTEGRALS; k++)
    power[k] = 0;
  for (int j = 0; j < self->nodes; j++) {
    wy_v3 curvature = wy_conserving_curvature(self, u, j);
    wy_v3 strain = wy_conserving_strain(self, u, j);
    wy_q4 q = wy_load4(u + self->q, stride, j);
    wy_conserving_balance stress = wy_conserving_stress_balance(self, j, curvature, strain);
    strain_rates(self, j, curvature, strain, f);
    velocity_rates(self, u, j, q, &stress, f, power);
    wy_store3(f + self->r, stride, j, wy_turn(q, wy_load3(self->velocity, stride, j))); /* (C1) */
    wy_store4(f + self->q, stride, j, wy_qtimes(0.5, wy_times_pure(q, wy_load3(self->spin, stride, j))));
  }
  for (int end = 0; end < 2; end++) {
    correct_weak_end(self, end, f);
    put_in_rates(self, end, t, f);
    if (power)
      power[WY_WORK_INTEGRAL] += support_power(self, end, u);
  }
  if (power && self->base.contacts)
    wy_conserving_book_contact(self, power);
  return WY_OK;
}

int wy_conserving_rhs(wy_system *system, double t, const double *u, double *f, double *power) {
  return rates((wy_conserving *)system, t, u, NULL, f, power);
}

int wy_conserving_rhs_between(wy_system *system, double t, const double *before, const double *middle, double *f,
                              double *power) {
  return rates((wy_conserving *)system, t, middle, before, f, power);
}
