/* SPDX-License-Identifier: MIT */
/* What leaves a conserving rod: energies, momenta, the view, measures of drift. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "model/law.h"
#include "scheme/conserving/rod.h"

/* ---- Energies ---- */

static double kinetic_of(const wy_conserving *self, int j, wy_v3 p, wy_v3 w, bool translation, bool rotation) {
  const double *inertia = self->inertia + 4 * (size_t)j;
  double energy = translation ? inertia[0] * wy_inner(p, p) : 0;
  if (rotation)
    energy += wy_inner(wy_each(wy_at3(inertia + 1), w), w);
  return 0.5 * self->norm[j] * energy;
}

static double gravity_of(const wy_conserving *self, int j, wy_v3 r) {
  return -self->norm[j] * self->weighed[j] * wy_inner(wy_at3(self->gravity), r);
}

double wy_conserving_end_energy(const wy_conserving *self, int end, double t) {
  const wy_conserving_end *e = &self->ends[end];
  const int j = wy_end_node(self, end);
  wy_end_pose pose;
  if (!e->position && !e->rotation)
    return 0;
  wy_support_pose(&self->supports, end, t, &pose);
  double energy = kinetic_of(self, j, wy_at3(pose.v), wy_at3(pose.w), e->position, e->rotation);
  return e->position ? energy + gravity_of(self, j, wy_at3(pose.x)) : energy;
}

void wy_conserving_energy(wy_system *system, double t, const double *u, wy_energy *energy) {
  wy_conserving *self = (wy_conserving *)system;
  const int stride = self->stride;
  *energy = (wy_energy){.contact = system->contacts ? wy_contacts_energy(system, t, u) : 0};
  for (int j = 0; j < self->nodes; j++) { /* (C4) */
    double e[6];
    for (int c = 0; c < 6; c++)
      e[c] = u[(c < 3 ? self->gamma : self->kappa) + c % 3 * stride + j];
    energy->kinetic +=
        kinetic_of(self, j, wy_load3(u + self->p, stride, j), wy_load3(u + self->w, stride, j), true, true);
    energy->elastic += self->norm[j] * wy_law_energy(&self->rod->law, self->stiffness + 6 * (size_t)j, e);
    energy->gravity += gravity_of(self, j, wy_load3(u + self->r, stride, j));
  }
  for (int end = 0; end < 2; end++) {
    const bool held = self->ends[end].position || self->ends[end].rotation;
    energy->work += self->books[end].put_in;
    if (held)
      energy->work += wy_conserving_end_energy(self, end, t) - self->books[end].base;
  }
}

void wy_conserving_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum) {
  wy_conserving *self = (wy_conserving *)system;
  const int stride = self->stride;
  wy_v3 linear = {0}, angular = {0}, centre = {0};
  double mass = 0;
  (void)t;
  for (int j = 0; j < self->nodes; j++) {
    const double *inertia = self->inertia + 4 * (size_t)j, part = self->norm[j] * inertia[0];
    wy_q4 q = wy_load4(u + self->q, stride, j);
    wy_v3 r = wy_load3(u + self->r, stride, j), p = wy_times(part, wy_turn(q, wy_load3(u + self->p, stride, j)));
    wy_v3 spin = wy_turn(q, wy_each(wy_at3(inertia + 1), wy_load3(u + self->w, stride, j)));
    linear = wy_plus(linear, p);
    angular = wy_plus(angular, wy_plus(wy_cross(r, p), wy_times(self->norm[j], spin)));
    centre = wy_plus(centre, wy_times(part, r));
    mass += part;
  }
  *momentum = (wy_momentum){.linear = {linear.x, linear.y, linear.z},
                            .angular = {angular.x, angular.y, angular.z},
                            .centre_of_mass = {centre.x / mass, centre.y / mass, centre.z / mass},
                            .mass = mass};
}

/* ---- The view ---- */

void wy_conserving_place_view(wy_conserving *self) {
  wy_view *view = &self->base.view;
  wy_points *all[] = {&view->position, &view->velocity, &view->frame,     &view->angular_velocity,
                      &view->strain,   &view->force,    &view->curvature, &view->moment};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    memcpy((double *)all[i]->s, self->s, (size_t)self->nodes * sizeof(double));
}

static void show3(const wy_points *points, int j, wy_v3 a) {
  double *to = (double *)points->values + 3 * (size_t)j;
  to[0] = a.x, to[1] = a.y, to[2] = a.z;
}

/* Support on rod: what is missing in the balance of the end's node, with the part of the rod that is its own. */
static void show_reaction(wy_conserving *self, int end, double t, const double *u, wy_view *view) {
  const wy_conserving_end *e = &self->ends[end];
  const int j = wy_end_node(self, end), stride = self->stride;
  const double mass = self->inertia[4 * (size_t)j], norm = self->norm[j], outward = wy_outward(end);
  const wy_v3 rotary = wy_at3(self->inertia + 4 * (size_t)j + 1);
  const wy_q4 q = wy_load4(u + self->q, stride, j);
  wy_v3 force = {0, 0, 0}, moment = {0, 0, 0}, load, load_moment;
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  wy_conserving_body_load(self, j, q, &load, &load_moment);
  if (self->fluid)
    load = wy_plus(load, wy_conserving_drag_at(self, u, j).force);
  const wy_conserving_balance stress =
      wy_conserving_stress_balance(self, j, wy_conserving_curvature(self, u, j), wy_conserving_strain(self, u, j));
  if (e->position) {
    const wy_v3 acceleration = wy_plus(wy_at3(pose.a), wy_times(self->drag[0], wy_at3(pose.v)));
    const wy_v3 missing = wy_minus(wy_times(mass, wy_turn_back(q, acceleration)), wy_plus(stress.force, load));
    force = wy_plus(wy_times(norm, missing), wy_times(outward, wy_load3(self->force, stride, j)));
  }
  if (e->rotation) {
    const wy_v3 w = wy_at3(pose.w);
    const wy_v3 rate = wy_plus(wy_at3(pose.rate), wy_times(self->drag[1], w));
    const wy_v3 inertial = wy_plus(wy_each(rotary, rate), wy_cross(w, wy_each(rotary, w)));
    const wy_v3 missing = wy_minus(inertial, wy_plus(stress.moment, load_moment));
    moment = wy_plus(wy_times(norm, missing), wy_times(outward, wy_load3(self->moment, stride, j)));
  }
  wy_put3(view->ends[end].reaction_force, wy_turn(q, force));
  wy_put3(view->ends[end].reaction_moment, wy_turn(q, moment));
}

static void show_end(wy_conserving *self, int end, double t, const double *u, wy_view *view) {
  const wy_conserving_end *e = &self->ends[end];
  const int j = wy_end_node(self, end);
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  view->ends[end].position_held = e->position;
  view->ends[end].rotation_held = e->rotation;
  for (int c = 0; c < 3; c++)
    view->ends[end].position[c] = e->position ? pose.x[c] : view->position.values[3 * j + c];
  for (int c = 0; c < 4; c++)
    view->ends[end].frame[c] = e->rotation ? pose.q[c] : view->frame.values[4 * j + c];
  show_reaction(self, end, t, u, view);
}

void wy_conserving_view(wy_system *system, double t, const double *u, wy_view *view) {
  wy_conserving *self = (wy_conserving *)system;
  const int stride = self->stride;
  wy_conserving_evaluate(self, t, u, NULL);
  view->time = t;
  for (int j = 0; j < self->nodes; j++) {
    wy_q4 q = wy_load4(u + self->q, stride, j);
    double frame[4] = {q.w, q.x, q.y, q.z};
    wy_qnormalise(frame);
    memcpy((double *)view->frame.values + 4 * (size_t)j, frame, sizeof frame);
    show3(&view->position, j, wy_load3(u + self->r, stride, j));
    show3(&view->velocity, j, wy_turn(q, wy_load3(self->velocity, stride, j)));
    show3(&view->angular_velocity, j, wy_load3(self->spin, stride, j));
    show3(&view->strain, j, wy_load3(u + self->gamma, stride, j));
    show3(&view->curvature, j, wy_conserving_curvature(self, u, j));
    show3(&view->force, j, wy_load3(self->force, stride, j));
    show3(&view->moment, j, wy_load3(self->moment, stride, j));
  }
  for (int end = 0; end < 2; end++)
    show_end(self, end, t, u, view);
}

/* ---- Drift (C16) ---- */

static double cell_mismatch(const wy_conserving *self, const double *u, int j) {
  const int stride = self->stride;
  const double h = self->s[j + 1] - self->s[j];
  wy_v3 tangent[2], curvature[2],
      step = wy_minus(wy_load3(u + self->r, stride, j + 1), wy_load3(u + self->r, stride, j));
  double frame[2][4], turn[3], wanted[4], found[4], rest[4];
  for (int k = 0; k < 2; k++) {
    wy_q4 q = wy_load4(u + self->q, stride, j + k);
    frame[k][0] = q.w, frame[k][1] = q.x, frame[k][2] = q.y, frame[k][3] = q.z;
    tangent[k] = wy_turn(q, wy_conserving_strain(self, u, j + k));
    curvature[k] = wy_conserving_curvature(self, u, j + k);
  }
  wy_v3 apart = wy_minus(wy_times(1 / h, step), wy_times(0.5, wy_plus(tangent[0], tangent[1])));
  wy_v3 mean = wy_times(0.5 * h, wy_plus(curvature[0], curvature[1]));
  turn[0] = mean.x, turn[1] = mean.y, turn[2] = mean.z;
  wy_qexp(turn, wanted);
  wy_qrelative(frame[0], frame[1], found);
  wy_qrelative(wanted, found, rest);
  return fmax(wy_norm(apart), 2 * atan2(wy_norm3(rest + 1), fabs(rest[0])));
}

double wy_conserving_compatibility(const wy_conserving *self, const double *u) {
  double worst = 0;
  for (int j = 0; j < self->nodes - 1; j++)
    worst = fmax(worst, cell_mismatch(self, u, j));
  return worst;
}

/* The largest second differences of the strains so far over twice the largest first differences, by the energy that
   they hold: 1 for a pure sawtooth, of the order of the spacing for a smooth rod. */
void wy_conserving_sawtooth(const wy_conserving *self, const double *u, double drift[WY_DRIFTS]) {
  double first = 0, second = 0;
  for (int c = 0; c < 6; c++) {
    const double *e = u + (c < 3 ? self->gamma : self->kappa) + (size_t)(c % 3) * (size_t)self->stride;
    for (int j = 1; j < self->nodes - 1; j++) {
      const double stiffness = self->stiffness[6 * (size_t)j + (size_t)c];
      const double forward = e[j + 1] - e[j], backward = e[j] - e[j - 1];
      first += 0.5 * stiffness * (forward * forward + backward * backward);
      second += stiffness * (forward - backward) * (forward - backward);
    }
  }
  double *so_far = drift + WY_DRIFT_FIRST_DIFFERENCES, *second_so_far = drift + WY_DRIFT_SECOND_DIFFERENCES;
  *so_far = fmax(*so_far, first);
  *second_so_far = fmax(*second_so_far, second);
  drift[WY_DRIFT_SAWTOOTH] = 0.5 * sqrt(*second_so_far / fmax(*so_far, self->base.least_unit * self->base.least_unit));
}

bool wy_conserving_leaves_law(const wy_conserving *self, const double *u) {
  const double *stretch = u + self->gamma + 2 * (size_t)self->stride;
  const bool limited = wy_law_changes_extension(&self->rod->law);
  for (int j = 0; limited && j < self->nodes; j++)
    if (!(stretch[j] > -1))
      return true;
  return false;
}

bool wy_conserving_diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  const wy_conserving *self = (const wy_conserving *)system;
  int worst = 0;
  double largest = 0;
  (void)t;
  for (int j = 0; j < self->nodes; j++)
    for (int c = 0; c < 6; c++) {
      double h = self->rod->length / (self->nodes - 1);
      double strain = fabs(u[(c < 3 ? self->gamma : self->kappa) + c % 3 * self->stride + j]) * (c < 3 ? 1 : h);
      if (!(strain <= largest))
        largest = strain, worst = j;
    }
  snprintf(
      text, size,
      "the largest strain, or bending over one segment, is %.3g at node %d of %d (s = %.4g): check that loads start "
      "gently",
      largest, worst + 1, self->nodes, self->s[worst]);
  return false;
}
