/* SPDX-License-Identifier: MIT */
/* The linear equations of the mixed scheme against differences of what is out of balance, for steps and equilibria,
   near balance and far from it: both orders, all models, both forms of moments, all ends, loads, materials and
   actuators. Eliminations are part of it: what a correction changes is compared, not entries of a matrix. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/mixed/rod.h"
#include "support/cases.h"
#include "support/scheme_checks.h"

static const double pi = 3.14159265358979323846;

static test_system system_of(const variant *v) {
  wy_model_def def = wy_default_model_def();
  memcpy(def.gravity, v->e.gravity, sizeof def.gravity);
  def.rods = &v->e.rod, def.rod_count = 1;
  def.loads = v->e.loads, def.load_count = v->e.load_count;
  def.actuators = v->e.actuators, def.actuator_count = v->e.actuator_count;
  return make_system(&def, &v->solver);
}

/* ---- Freedoms: translations and rotations of nodes, and forces N ---- */

static bool is_force(const wy_mixed *self, int dof) {
  int at = dof % wy_mixed_cell(self->basis.order, WY_FORM_ALL);
  return at >= WY_NODE_UNKNOWNS && at < WY_NODE_UNKNOWNS + 3 * self->basis.order;
}

static bool is_held(const wy_mixed *self, int dof) {
  int last = self->base.dofs - WY_NODE_UNKNOWNS;
  return (dof < WY_NODE_UNKNOWNS && wy_mixed_is_held(self, 0, dof)) ||
         (dof >= last && wy_mixed_is_held(self, 1, dof - last));
}

/* Any direction in which the ends stay on their supports. */
static void any_direction(const wy_mixed *self, double size, unsigned *seed, double *d) {
  for (int i = 0; i < self->base.dofs; i++)
    d[i] = is_held(self, i) ? 0 : size * noise(seed);
}

/* Where a step ends, like a configuration of statics: nodes and forces in an array like a state. */
static void displace(wy_mixed *self, const double *from, const double *d, double factor, double *to) {
  wy_mixed_task task = self->task;
  self->base.type->statics->displace(&self->base, from, d, factor, to);
  self->task = task;
}

/* ---- Steps ---- */

static void read_guess(const wy_mixed *self, double *x) {
  memcpy(x + self->q, self->end, sizeof(double) * WY_NODE * (size_t)self->nodes);
  for (int e = 0; e < self->elements; e++)
    for (int i = 0; i < 3 * self->basis.order; i++)
      x[wy_mixed_kept_force(self, e, i)] = *wy_mixed_lane(self->axial, WY_FORCES, e, i);
}

static void write_guess(wy_mixed *self, const double *x) {
  memcpy(self->end, x + self->q, sizeof(double) * WY_NODE * (size_t)self->nodes);
  for (int e = 0; e < self->elements; e++)
    for (int i = 0; i < 3 * self->basis.order; i++)
      *wy_mixed_lane(self->axial, WY_FORCES, e, i) = x[wy_mixed_kept_force(self, e, i)];
}

/* What the guess x leaves, for all degrees of freedom whatever the step eliminates. */
static void step_residual(wy_mixed *self, const double *x, double *r) {
  double misfit;
  write_guess(self, x);
  assert_int_equal(self->base.type->step->residual(&self->base, self->base.step_vector, &misfit), 0);
  const wy_mixed_form form = self->task.form;
  wy_band *band = self->band;
  self->task.form = WY_FORM_ALL, self->band = &self->wide;
  wy_mixed_out_of_balance(self, r);
  self->task.form = form, self->band = band;
}

/* What Newton's method finds for the guess x. */
static void step_correction(wy_mixed *self, const double *x, double *r, double *d) {
  const int order = self->basis.order, cell = wy_mixed_cell(order, WY_FORM_ALL);
  step_residual(self, x, r);
  assert_int_equal(self->base.type->step->linearise(&self->base), 0);
  self->base.type->step->solve(&self->base, self->base.step_vector);
  for (int e = 0; e < self->elements; e++) {
    double *local = wy_mixed_part(self, self->base.step_vector, e), *own = d + cell * e;
    memcpy(own, local, sizeof(double) * WY_NODE_UNKNOWNS);
    memcpy(own + cell, local + wy_mixed_local(order, 1), sizeof(double) * WY_NODE_UNKNOWNS);
    memcpy(own + WY_NODE_UNKNOWNS, local + WY_LOCAL_FORCES, sizeof(double) * 3 * (size_t)order);
    if (order == 2)
      memcpy(own + WY_NODE_UNKNOWNS + WY_FORCES, local + wy_mixed_local(order, 2), sizeof(double) * WY_NODE_UNKNOWNS);
  }
}

/* A moving, bent rod with stresses in its branches, about to take a step. */
static void disturbed_motion(wy_mixed *self, unsigned *seed, double *u) {
  double *d = doubles(self->base.dofs);
  self->base.type->initial(&self->base, u);
  any_direction(self, 0.2, seed, d);
  displace(self, u, d, 1, u);
  for (int i = 0; i < WY_NODE * self->nodes; i++)
    u[self->v + i] += i % WY_NODE < 3 ? noise(seed) : 0;
  for (int j = 0; j < self->branches; j++)
    for (int e = 0; e < self->elements; e++)
      for (int i = 0; i < 6 * self->basis.order; i++)
        u[wy_mixed_branch(self, j, e) + (size_t)i] = i % 6 < self->constrained ? 0 : 0.2 * noise(seed);
  free(d);
}

/* A correction d cancels what is out of balance to first order: the derivative of r along d is -r. Differences over
   1e-5 of angle have an error of 1e-10 of third derivatives, and of 1e-16 / 1e-5 by round-off, both times forces that
   are up to 1e3 larger than r; forces and strains are measured by the largest of their kind. */
static void compare_steps(const variant *v, wy_mixed *self, const double *x, const char *where) {
  const int n = self->base.dofs;
  double *r = doubles(n), *d = doubles(n), *plus = doubles(n), *minus = doubles(n), *moved = doubles(self->base.size);
  double size = 0, scale[2] = {1, 1e-2};
  step_correction(self, x, r, d);
  for (int i = 0; i < n; i++) {
    if (is_held(self, i))
      check_close(d[i], 0, 1e-12); /* pivots may leave round-off */
    else if (!is_force(self, i))
      size = fmax(size, fabs(d[i]));
    if (!is_held(self, i))
      scale[is_force(self, i)] = fmax(scale[is_force(self, i)], fabs(r[i]));
  }
  assert_true(size > 1e-6 && isfinite(size));
  const double step = 1e-5 / size;
  displace(self, x, d, step, moved);
  step_residual(self, moved, plus);
  displace(self, x, d, -step, moved);
  step_residual(self, moved, minus);
  for (int i = 0; i < n; i++) {
    double derivative = (plus[i] - minus[i]) / (2 * step), tolerance = 1e-6 * scale[is_force(self, i)];
    if (!is_held(self, i) && !(fabs(derivative + r[i]) <= tolerance))
      fail_msg("%s, %s: unknown %d of %d: derivative %.12g, want %.12g, tolerance %.3g", v->name, where, i, n,
               derivative, -r[i], tolerance);
  }
  free(r), free(d), free(plus), free(minus), free(moved);
}

static void check_step(variant *v) {
  test_system made = system_of(v);
  wy_mixed *self = (wy_mixed *)made.system;
  double *u = state_array(&made), *x = state_array(&made), *d = doubles(self->base.dofs);
  unsigned seed = 11;
  disturbed_motion(self, &seed, u);
  self->base.type->step->begin(&self->base, 0.1, 0.05, u, WY_GUESS_MOVING);
  read_guess(self, x);
  compare_steps(v, self, x, "first guess");
  any_direction(self, 0.1, &seed, d);
  displace(self, x, d, 1, x);
  compare_steps(v, self, x, "far from balance");
  any_direction(self, pi / 6, &seed, d);
  displace(self, x, d, 1, x);
  compare_steps(v, self, x, "very far");
  free(u), free(x), free(d);
  free_system(&made);
}

static void corrections_of_steps_cancel_the_residual(void **state) {
  (void)state;
  for_all_cases(check_step);
}

/* Eight elements are computed side by side: less than that, just that, and one more than once and twice that. */
static void check_counts(variant *v) {
  const int counts[] = {2, 8, 9, 17};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    v->e.rod.segments = counts[i];
    v->e.rod.segment_lengths = NULL;
    check_step(v);
  }
}

static void any_number_of_elements_will_do(void **state) {
  (void)state;
  for_all_cases(check_counts);
}

/* Of any right-hand side, not of residuals alone; whether it stands with the band or with the elements. */
static void check_right_sides(variant *v) {
  test_system made = system_of(v);
  wy_mixed *self = (wy_mixed *)made.system;
  const int n = self->base.step_size;
  double *u = state_array(&made), *apart = doubles(n), *together = doubles(n), size = 0;
  unsigned seed = 23;
  disturbed_motion(self, &seed, u);
  check_step_solves(&self->base, v->name, 0.1, 0.05, u, &seed);
  for (int i = 0; i < n; i++)
    apart[i] = together[i] = noise(&seed);
  for (int e = 0; e < self->elements; e++)
    for (int x = 0; x < 12; x++) { /* its first and its last node */
      const int a = x / 6, local = wy_mixed_local(self->basis.order, a) + x % 6;
      double *part = wy_mixed_part(self, together, e) + local;
      together[wy_mixed_unknown(self, e, a) + x % 6] += *part;
      *part = 0;
    }
  self->base.type->step->solve(&self->base, apart);
  self->base.type->step->solve(&self->base, together);
  for (int i = 0; i < n; i++)
    size = fmax(size, fabs(apart[i]));
  for (int i = 0; i < n; i++)
    check_close(together[i], apart[i], 1e-10 * size); /* condition, about 1e5, times round-off */
  free(u), free(apart), free(together);
  free_system(&made);
}

static void steps_are_solved_for_any_right_hand_side(void **state) {
  (void)state;
  for_all_cases(check_right_sides);
}

/* ---- Equilibria ---- */

/* Forces of the weak compliance, 1e-12, and the error of differences are multiplied by the condition of K, some 1e4. */
static void compare_shapes(const variant *v, wy_mixed *self, double *config, unsigned *seed) {
  const wy_statics_type *type = self->base.type->statics;
  const double t = 0.3, mu = -0.7;
  double *d = doubles(self->base.dofs);
  assert_int_equal(type->tangent(&self->base, t, config), 0);
  assert_int_equal(type->factor(&self->base, mu), 0);
  for (int trial = 0; trial < 2; trial++) {
    any_direction(self, 1, seed, d);
    check_tangent_along(&self->base, v->name, t, mu, config, d);
  }
  free(d);
}

static void check_shape(variant *v) {
  test_system made = system_of(v);
  wy_mixed *self = (wy_mixed *)made.system;
  double *config = doubles(self->base.config_size), *d = doubles(self->base.dofs);
  unsigned seed = 5;
  self->base.type->statics->apply(&self->base, true, 0.8, 0.9);
  self->base.type->statics->undeformed(&self->base, config);
  compare_shapes(v, self, config, &seed);
  any_direction(self, 0.2, &seed, d);
  self->base.type->statics->displace(&self->base, config, d, 1, config);
  compare_shapes(v, self, config, &seed);
  free(config), free(d);
  free_system(&made);
}

static void tangents_of_equilibria_are_derivatives(void **state) {
  (void)state;
  for_all_cases(check_shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corrections_of_steps_cancel_the_residual),
      cmocka_unit_test(any_number_of_elements_will_do),
      cmocka_unit_test(steps_are_solved_for_any_right_hand_side),
      cmocka_unit_test(tangents_of_equilibria_are_derivatives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
