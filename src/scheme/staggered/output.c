/* SPDX-License-Identifier: MIT */
/* What leaves the staggered rod: energies, momenta, the view, and a diagnosis for failed runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "model/law.h"
#include "scheme/staggered/rod.h"

static void column(const double *array, int stride, int index, double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = array[k * stride + index];
}

/* What is shown of the whole rod: [3][stride] each, strains less those of the undeformed rod. */
typedef struct shown {
  double *strain, *force;      /* of the segments, in directors */
  double *curvature, *turning; /* at the vertices: and its rate */
} shown;

/* At t and u, without `loaded` no more than the motion. They stand where the evaluation has left what nobody needs. */
static shown find_shown(wy_staggered *self, double t, const double *u, bool loaded) {
  const size_t n = (size_t)self->grid.stride;
  double *room = self->eval.work;
  const shown all = {room, room + 3 * n, room + 6 * n, room + 9 * n};
  assert(12 * n <= (size_t)self->base.size && u != room);
  if (loaded)
    wy_staggered_evaluate(self, t, u, room, NULL);
  else
    wy_staggered_find_frames(self, t, u);
  wy_staggered_segment_strains(self, u, all.strain, all.force);
  wy_staggered_curvatures(self, all.curvature, all.turning);
  return all;
}

/* Of the linear law. */
WY_CLONES
static double quadratic_energy(const wy_staggered *self, const double *restrict c, const double *restrict e, int count,
                               bool vertices) {
  const int n = self->grid.stride;
  double twice = 0;
#pragma omp simd reduction(+ : twice)
  for (int i = 0; i < count; i++) {
    const wy_v3 at = wy_load3(e, n, i);
    twice += wy_branch_length(self, i, vertices) * wy_inner(wy_each(wy_load3(c, n, i), at), at);
  }
  return 0.5 * twice;
}

/* Of any law, for strains that the rod has changed by e. */
static double elastic_energy(const wy_staggered *self, const double *c, const double *e, int count, bool vertices) {
  const wy_law *law = &self->grid.rod->law;
  double sum = 0;
  if (law->kind == WY_LINEAR_LAW)
    return quadratic_energy(self, c, e, count, vertices);
  for (int i = 0; i < count; i++) {
    double stiffness[6] = {0}, change[6] = {0};
    column(c, self->grid.stride, i, stiffness + 3 * vertices);
    column(e, self->grid.stride, i, change + 3 * vertices);
    sum += wy_branch_length(self, i, vertices) * wy_law_energy(law, stiffness, change);
  }
  return sum;
}

/* Kinetic, of vertices and segments. */
WY_CLONES
static double moving_energy(const wy_staggered *self, const double *restrict u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict v = u + self->grid.v, *restrict omega = self->eval.omega;
  const double *restrict mass = self->grid.mass, *restrict inertia = self->grid.inertia;
  double twice = 0;
#pragma omp simd reduction(+ : twice)
  for (int i = 0; i <= self->grid.n; i++) {
    const wy_v3 at = wy_load3(v, n, i);
    twice += mass[i] * wy_inner(at, at);
  }
#pragma omp simd reduction(+ : twice)
  for (int i = 0; i < self->grid.n; i++) {
    const wy_v3 at = wy_load3(omega, hs, i);
    twice += wy_inner(wy_each(wy_load3(inertia, n, i), at), at);
  }
  return 0.5 * twice;
}

static double level_energy(const wy_staggered *self, const double *u) {
  double sum = 0;
  for (int i = 0; i <= self->grid.n; i++) {
    double x[3];
    column(u + self->grid.x, self->grid.stride, i, x);
    sum -= self->grid.weighed[i] * wy_dot3(self->grid.gravity, x);
  }
  return sum;
}

void wy_staggered_energy(wy_system *system, double t, const double *u, wy_energy *energy) {
  wy_staggered *self = (wy_staggered *)system;
  u = wy_staggered_seat(self, u, false);
  const shown all = find_shown(self, t, u, false);
  for (int k = 0; k < 3 * self->grid.stride; k++)
    all.curvature[k] -= self->grid.k_zero[k];
  /* What branches leave of the stiffness, then their own. c_kappa carries weight / length. */
  const double left = self->branches.long_term / self->branches.share;
  const double elastic = elastic_energy(self, self->stiffness.c_gamma, all.strain, self->grid.n, false) +
                         elastic_energy(self, self->stiffness.c_kappa, all.curvature, self->grid.n + 1, true);
  const double at_ends = wy_staggered_end_energy(self, WY_START) + wy_staggered_end_energy(self, WY_END);
  energy->kinetic = moving_energy(self, u);
  energy->elastic = left * elastic + (self->branches.count ? wy_staggered_branch_energy(self, u) : 0) + at_ends;
  energy->gravity = level_energy(self, u);
  energy->contact = system->contacts ? wy_contacts_energy(system, t, u) : 0;
  energy->work = at_ends; /* which loads and actuators have done there, and no rate of work holds (S24b) */
}

void wy_staggered_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum) {
  wy_staggered *self = (wy_staggered *)system;
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  u = wy_staggered_seat(self, u, false);
  wy_staggered_find_frames(self, t, u);
  memset(momentum, 0, sizeof *momentum);
  for (int i = 0; i <= self->grid.n; i++) {
    double x[3], v[3], spin[3];
    column(u + self->grid.x, n, i, x);
    column(u + self->grid.v, n, i, v);
    wy_cross3(x, v, spin);
    momentum->mass += self->grid.mass[i];
    wy_add3(momentum->linear, self->grid.mass[i], v);
    wy_add3(momentum->angular, self->grid.mass[i], spin);
    wy_add3(momentum->centre_of_mass, self->grid.mass[i], x);
  }
  for (int i = 0; i < self->grid.n; i++) {
    double q[4], r[9], body[3], space[3];
    for (int k = 0; k < 4; k++)
      q[k] = self->eval.unit[k * hs + i];
    for (int k = 0; k < 3; k++)
      body[k] = self->grid.inertia[k * n + i] * self->eval.omega[k * hs + i];
    wy_qmatrix(q, r);
    wy_mul3(r, body, space);
    wy_add3(momentum->angular, 1, space);
  }
  for (int k = 0; k < 3; k++)
    momentum->centre_of_mass[k] /= momentum->mass;
}

static void bend_at(const wy_staggered *self, const shown *all, int vertex, double curvature[3], double moment[3]) {
  double c[6] = {0}, bend[6] = {0}, stress[6];
  double scale =
      0.5 * self->grid.weight[vertex] * self->grid.twice_inv_l[vertex]; /* weight / length inside c_kappa, d_kappa */
  for (int j = 0; j < 3; j++) {
    int at = j * self->grid.stride + vertex;
    double relaxed = self->branches.count ? self->branches.relaxed[3 * self->grid.stride + at] : 0;
    curvature[j] = all->curvature[at];
    c[3 + j] = self->stiffness.c_kappa[at], bend[3 + j] = curvature[j] - self->grid.k_zero[at] - relaxed;
  }
  wy_law_stress(&self->grid.rod->law, c, bend, stress);
  for (int j = 0; j < 3; j++) {
    int at = j * self->grid.stride + vertex;
    moment[j] = (stress[3 + j] + self->stiffness.d_kappa[at] * all->turning[at]) / scale;
    if (self->actuators.count > 0)
      moment[j] += self->actuators.moment[at] / self->grid.weight[vertex];
  }
}

/* Curvature and moment live at the inner vertices and at ends whose rotation is held: the balance of the half cell
   there makes its moment that of the end itself. The point of an end that has been released shows what its neighbours
   extrapolate to. */
static void view_bends(const wy_staggered *self, const shown *all, wy_view *view) {
  double *curvature = (double *)view->curvature.values, *moment = (double *)view->moment.values;
  int count = 0;
  for (int i = 0; i <= self->grid.n; i++) {
    int end = i == 0 ? 0 : i == self->grid.n ? 1 : -1;
    if (end >= 0 && !wy_end_bends(self, end))
      continue;
    double *k = curvature + 3 * count, *m = moment + 3 * count;
    if (end < 0 || wy_support_holds_rotation(&self->supports, end)) {
      bend_at(self, all, i, k, m);
    } else {
      int near = end ? self->grid.n - 1 : 1, far = self->grid.n < 3 ? near : end ? self->grid.n - 2 : 2;
      double far_k[3], far_m[3];
      bend_at(self, all, near, k, m);
      bend_at(self, all, far, far_k, far_m);
      double reach = far == near ? 0
                                 : (self->grid.s_vertex[i] - self->grid.s_vertex[near]) /
                                       (self->grid.s_vertex[near] - self->grid.s_vertex[far]);
      for (int j = 0; j < 3; j++) {
        k[j] += reach * (k[j] - far_k[j]);
        m[j] += reach * (m[j] - far_m[j]);
      }
    }
    count++;
  }
}

void wy_staggered_place_view(wy_staggered *self) {
  wy_view *view = &self->base.view;
  wy_points *on_vertices[] = {&view->position, &view->velocity};
  wy_points *on_segments[] = {&view->frame, &view->strain, &view->angular_velocity, &view->force};
  for (int i = 0; i < 2; i++)
    memcpy((double *)on_vertices[i]->s, self->grid.s_vertex, (size_t)(self->grid.n + 1) * sizeof(double));
  for (int i = 0; i < 4; i++)
    memcpy((double *)on_segments[i]->s, self->grid.s_segment, (size_t)self->grid.n * sizeof(double));
  double *s = (double *)view->curvature.s, *s_moment = (double *)view->moment.s;
  for (int i = 0, count = 0; i <= self->grid.n; i++) {
    int end = i == 0 ? 0 : i == self->grid.n ? 1 : -1;
    if (end < 0 || wy_end_bends(self, end))
      s[count] = s_moment[count] = self->grid.s_vertex[i], count++;
  }
}

void wy_staggered_view(wy_system *system, double t, const double *u, wy_view *view) {
  wy_staggered *self = (wy_staggered *)system;
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  u = wy_staggered_seat(self, u, false);
  const shown all = find_shown(self, t, u, true);
  view->time = t;
  double *position = (double *)view->position.values, *velocity = (double *)view->velocity.values;
  for (int i = 0; i <= self->grid.n; i++) {
    column(u + self->grid.x, n, i, position + 3 * i);
    column(u + self->grid.v, n, i, velocity + 3 * i);
  }
  double *frame = (double *)view->frame.values, *strain = (double *)view->strain.values;
  double *omega = (double *)view->angular_velocity.values, *force = (double *)view->force.values;
  for (int i = 0; i < self->grid.n; i++) {
    for (int k = 0; k < 4; k++)
      frame[4 * i + k] = self->eval.unit[k * hs + i];
    column(all.strain, n, i, strain + 3 * i);
    column(self->eval.omega, hs, i, omega + 3 * i);
    column(all.force, n, i, force + 3 * i);
  }
  view_bends(self, &all, view);
  for (int end = 0; end < 2; end++) {
    view->ends[end].rotation_held = wy_support_holds_rotation(&self->supports, end);
    view->ends[end].position_held = false;
    for (int k = 0; k < 3; k++)
      view->ends[end].position_held |= wy_is_held(self, end, k);
    for (int k = 0; k < 3; k++) /* free components are where the rod is */
      view->ends[end].position[k] =
          wy_is_held(self, end, k) ? self->eval.pose[end].x[k] : u[self->grid.x + k * n + (end ? self->grid.n : 0)];
    memcpy(view->ends[end].frame, self->eval.pose[end].q, sizeof view->ends[end].frame);
    if (wy_is_port(self, end)) {
      wy_copy3(self->ports.ends[end].reaction_force, view->ends[end].reaction_force);
      wy_copy3(self->ports.ends[end].reaction_moment, view->ends[end].reaction_moment);
      continue;
    }
    wy_copy3(self->eval.support_force[end], view->ends[end].reaction_force);
    /* Moments that loads put straight into the support are its to carry, too. */
    double r[9], from_body[3];
    wy_qmatrix(self->eval.pose[end].q, r);
    wy_mul3(r, self->loads.now.ends[end].support_body, from_body);
    for (int k = 0; k < 3; k++)
      view->ends[end].reaction_moment[k] =
          self->eval.support_moment[end][k] - self->loads.now.ends[end].support_space[k] - from_body[k];
  }
}

bool wy_staggered_is_straight(const wy_staggered *self, const double *u, double share) {
  double chord = 0; /* what the supports hold of it */
  for (int k = 0; k < 3; k++) {
    const double *x = u + self->grid.x + k * self->grid.stride;
    if (wy_is_held(self, WY_START, k) && wy_is_held(self, WY_END, k))
      chord += (x[self->grid.n] - x[0]) * (x[self->grid.n] - x[0]);
  }
  return self->grid.constrained == 3 && sqrt(chord) > share * self->grid.rod->length;
}

bool wy_staggered_is_taut(const wy_staggered *self, const double *u, double share) {
  return !self->ports.any && wy_staggered_is_straight(self, u, share); /* hubs may give way */
}

/* Are the supports as far apart as the rod is long? A trial configuration that was, says nothing. */
static bool stands_apart(const wy_staggered *self, double t, double share) {
  return self->grid.constrained == 3 && !self->ports.any &&
         wy_support_chord(&self->supports, t) > share * self->grid.rod->length;
}

bool wy_staggered_diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  wy_staggered *self = (wy_staggered *)system;
  u = wy_staggered_seat(self, u, false);
  const shown all = find_shown(self, t, u, true);
  double worst_turn = 0, worst_strain = 0, fastest = 0;
  int turn_at = 0, strain_at = 0, fast_at = 0;
  const int hs = self->grid.halo_stride;
  for (int i = 1; i < self->grid.n; i++) {
    wy_q4 between = wy_between(wy_load4(self->eval.unit, hs, i - 1), wy_load4(self->eval.unit, hs, i));
    double angle = 2 * acos(fmin(1, fabs(between.w)));
    if (!(angle <= worst_turn))
      worst_turn = angle, turn_at = i;
  }
  for (int i = 0; i < self->grid.n; i++) {
    double strain[3], omega[3];
    column(all.strain, self->grid.stride, i, strain);
    column(self->eval.omega, hs, i, omega);
    if (!(wy_norm3(strain) <= worst_strain))
      worst_strain = wy_norm3(strain), strain_at = i;
    if (!(wy_norm3(omega) <= fastest))
      fastest = wy_norm3(omega), fast_at = i;
  }
  bool told = true;
  if ((self->links.taut && stands_apart(self, t, 0.995)) || wy_staggered_is_taut(self, u, 0.995))
    snprintf(text, size,
             "the inextensible rod is straight between its held ends: it cannot get longer, and transverse forces "
             "would need an infinite tension: use the model kirchhoff, or leave it some slack");
  else if (worst_strain < 2 && !(worst_turn < 1.5)) /* beyond, loads have torn it */
    snprintf(text, size,
             "the segments %d and %d (s = %.4g) turn by %.0f degrees against each other: use more segments%s",
             self->grid.first + turn_at, self->grid.first + turn_at + 1, self->grid.s_vertex[turn_at],
             worst_turn * 57.29577951308232, self->supports.rest ? "" : ", or damping");
  else if (!(worst_strain < 0.5))
    snprintf(
        text, size,
        "in segment %d of %d (s = %.4g) the strain reaches %.3g, far outside the validity of rod theory: check loads, "
        "stiffness and units",
        self->grid.first + strain_at + 1, self->grid.rod->segments, self->grid.s_segment[strain_at], worst_strain);
  else if (self->supports.rest)
    text[0] = 0; /* nothing stands out */
  else {
    if (fastest > 0)
      snprintf(text, size,
               "the fastest motion is in segment %d of %d (s = %.4g, %.3g rad/s): check that loads and driven ends are "
               "smooth",
               self->grid.first + fast_at + 1, self->grid.rod->segments, self->grid.s_segment[fast_at], fastest);
    else
      snprintf(text, size, "the rod is still at rest: check that loads and driven ends begin smoothly");
    told = false;
  }
  return told;
}
