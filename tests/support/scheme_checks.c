/* SPDX-License-Identifier: MIT */
#include "support/scheme_checks.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"

void projected_state(const test_system *made, double t, unsigned seed, double *u) {
  double strain = INFINITY, rate = INFINITY;
  disturbed_state(made, 0.1, seed, u);
  for (int k = 0; k < 20 && !(strain < 1e-12 && rate < 1e-11); k++) {
    double drift[WY_DRIFTS] = {0};
    made->system->type->project(made->system, t, u, NULL, drift);
    strain = drift[WY_DRIFT_STRAIN], rate = drift[WY_DRIFT_STRAIN_RATE];
  }
  check_below(strain, 1e-12);
  check_below(rate, 1e-11);
}

void near_state(const test_system *made, double size, double t, unsigned seed, double *u) {
  disturbed_state(made, size, seed, u);
  for (int k = 0; k < 20; k++) {
    double drift[WY_DRIFTS] = {0};
    made->system->type->project(made->system, t, u, NULL, drift);
  }
}

/* ---- Linear algebra ---- */

void differentiate(const test_system *made, double t, const double *u, const double *x, double step, double *out) {
  wy_system *system = made->system;
  int n = system->size;
  double *moved = state_array(made), *f = state_array(made), h = step / fmax(1, largest(x, n));
  static const double factor[4] = {1, -8, 8, -1}, at[4] = {-2, -1, 1, 2};
  memset(out, 0, (size_t)n * sizeof *out);
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < n; i++)
      moved[i] = u[i] + at[k] * h * x[i];
    assert_int_equal(system->type->rhs(system, t, moved, f, NULL), WY_OK);
    for (int i = 0; i < n; i++)
      out[i] += factor[k] * f[i] / (12 * h);
  }
  free(moved), free(f);
}

static void multiply(const test_system *made, double t, const double *u, const double *x, double step, double *out) {
  if (step > 0)
    differentiate(made, t, u, x, step, out);
  else
    made->system->type->multiply(made->system, x, out);
}

static double tolerated(const solve_check *how, const double *z, int n) {
  return fmax(how->least, how->of_solution * largest(z, n));
}

void check_solves(const test_system *made, const char *name, double t, const double *u, const unsigned seeds[2],
                  const solve_check *how) {
  wy_system *system = made->system;
  int n = system->size;
  double *r = state_array(made), *ri = state_array(made), *z = state_array(made), *zi = state_array(made),
         *y = state_array(made), *yi = state_array(made);
  const double re = 7.3, im = 11.7;
  assert_int_equal(system->type->jacobian(system, t, u), WY_OK);
  if (system->type->slope) {
    system->type->slope(system, z);
    assert_int_equal(system->type->rhs(system, t, u, y, NULL), WY_OK);
    assert_memory_equal(z, y, (size_t)n * sizeof *y);
    assert_int_equal(system->type->jacobian(system, t, u), WY_OK);
  }
  random_vector(made, seeds[0], r);
  random_vector(made, seeds[1], ri);
  memcpy(z, r, (size_t)n * sizeof *z);
  assert_int_equal(system->type->factor(system, 0, re), WY_OK);
  system->type->solve(system, 0, z);
  multiply(made, t, u, z, how->step, y);
  for (int i = 0; i < n; i++)
    y[i] = system->weight[i] * (re * z[i] - y[i]);
  compare_vectors(name, "real residual", y, r, n, tolerated(how, z, n));
  memcpy(z, r, (size_t)n * sizeof *z);
  memcpy(zi, ri, (size_t)n * sizeof *zi);
  assert_int_equal(system->type->factor_complex(system, 0, re, im), WY_OK);
  system->type->solve_complex(system, 0, z, zi);
  multiply(made, t, u, z, how->step, y);
  multiply(made, t, u, zi, how->step, yi);
  for (int i = 0; i < n; i++) {
    y[i] = system->weight[i] * (re * z[i] - im * zi[i] - y[i]);
    yi[i] = system->weight[i] * (re * zi[i] + im * z[i] - yi[i]);
  }
  compare_vectors(name, "complex residual, real part", y, r, n, tolerated(how, z, n));
  compare_vectors(name, "complex residual, imaginary part", yi, ri, n, tolerated(how, zi, n));
  free(r), free(ri), free(z), free(zi), free(y), free(yi);
}

/* ---- Mechanics ---- */

void check_power_balance(const test_system *made, const char *name, double t, const double *u, double step) {
  wy_system *system = made->system;
  int n = system->size;
  double *f = state_array(made), *moved = state_array(made), power[WY_INTEGRALS], energy[2];
  assert_int_equal(system->type->rhs(system, t, u, f, power), WY_OK);
  for (int side = 0; side < 2; side++) {
    wy_energy parts = {0};
    double h = side ? step : -step;
    for (int i = 0; i < n; i++)
      moved[i] = u[i] + h * f[i];
    system->type->energy(system, t + h, moved, &parts);
    energy[side] = parts.kinetic + parts.elastic + parts.gravity + parts.contact - parts.work;
  }
  double rate = (energy[1] - energy[0]) / (2 * step), want = power[WY_WORK_INTEGRAL] - power[WY_DISSIPATION_INTEGRAL];
  double tolerance = 1e-7 * (1 + fabs(power[WY_WORK_INTEGRAL]) + power[WY_DISSIPATION_INTEGRAL] + largest(f, n));
  if (!(fabs(rate - want) <= tolerance))
    fail_msg("%s: energy rate %.12g, work - dissipation %.12g, tolerance %.3g", name, rate, want, tolerance);
  check_above(power[WY_DISSIPATION_INTEGRAL], 0);
  free(f), free(moved);
}

void turn_state(const wy_system *system, const double q[4], const double shift[3], const double *from, double *to) {
  double r[9];
  wy_qmatrix(q, r);
  for (int field = 0; field < system->field_count; field++) {
    const wy_field *d = &system->fields[field];
    for (int i = 0; i < d->stride; i++) {
      double in[4] = {0}, out[4] = {0};
      for (int k = 0; k < d->components; k++)
        in[k] = out[k] = from[d->offset + k * d->stride + i];
      if (d->components == 4)
        wy_qmul(q, in, out);
      else if (field == 0 || field == 2)
        wy_mul3(r, in, out);
      for (int k = 0; k < d->components; k++)
        to[d->offset + k * d->stride + i] = out[k] + (field == 0 ? shift[k] : 0);
    }
  }
}

void check_turned(const test_system *made, const char *name, double t, const double *u, double relative) {
  static const double shift[3] = {3, -2, 5}, none[3] = {0};
  wy_system *system = made->system;
  double *turned = state_array(made), *f = state_array(made), *want = state_array(made);
  double q[4] = {0.5, -0.5, 0.1, 0.7};
  wy_qnormalise(q);
  system->type->rhs(system, t, u, f, NULL);
  turn_state(system, q, shift, u, turned);
  turn_state(system, q, none, f, want);
  system->type->rhs(system, t, turned, f, NULL);
  compare_vectors(name, "turned right-hand side", f, want, system->size, relative);
  free(turned), free(f), free(want);
}

void check_momentum_is_kept(const test_system *made, const char *name, double t, const double *u) {
  wy_system *system = made->system;
  int n = system->size;
  double *f = state_array(made), *moved = state_array(made);
  const double step = 1e-6;
  system->type->rhs(system, t, u, f, NULL);
  wy_momentum at[2];
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < n; i++)
      moved[i] = u[i] + (side ? step : -step) * f[i];
    system->type->momentum(system, t, moved, &at[side]);
  }
  for (int k = 0; k < 3; k++) { /* round-off of the difference quotient: eps / step times the momenta, about 1e-9 */
    double linear = (at[1].linear[k] - at[0].linear[k]) / (2 * step);
    double angular = (at[1].angular[k] - at[0].angular[k]) / (2 * step);
    if (!(fabs(linear) < 2e-8 && fabs(angular) < 2e-8))
      fail_msg("%s: momentum rates %g, %g; want 0", name, linear, angular);
  }
  free(f), free(moved);
}

void check_undeformed_rests(const test_system *made, const char *name, double tolerance) {
  const double shortest_segment = 0.1; /* or longer, in all rods of the tests */
  wy_system *system = made->system;
  double *u = state_array(made), *f = state_array(made);
  system->type->initial(system, u);
  assert_int_equal(system->type->rhs(system, 0, u, f, NULL), WY_OK);
  for (int k = 0; k < system->field_count; k++) {
    const wy_field *field = &system->fields[k];
    const double size = largest(f + field->offset, field->components * field->stride);
    if (!(size <= (strcmp(field->name, "stretch_rate") == 0 ? 2 / shortest_segment : 1) * tolerance))
      fail_msg("%s: largest rate of %s is %g at rest", name, field->name, size);
  }
  free(u), free(f);
}

/* ---- Equilibria ---- */

void check_tangent_along(wy_system *system, const char *name, double t, double mu, const double *config,
                         const double *d) {
  const wy_statics_type *type = system->type->statics;
  const int n = system->dofs;
  const double step = 1e-5;
  double *moved = doubles(system->config_size), *plus = doubles(n), *minus = doubles(n), *mass = doubles(n);
  type->displace(system, config, d, step, moved);
  type->residual(system, t, moved, plus);
  type->displace(system, config, d, -step, moved);
  type->residual(system, t, moved, minus);
  type->mass_times(system, d, mass);
  for (int i = 0; i < n; i++)
    plus[i] = (minus[i] - plus[i]) / (2 * step) - mu * mass[i];
  type->solve(system, plus);
  for (int i = 0; i < n; i++)
    if (!(fabs(plus[i] - d[i]) < 1e-5))
      fail_msg("%s: direction entry %d (of %d): got %.9g, want %.9g", name, i, n, plus[i], d[i]);
  free(moved), free(plus), free(minus), free(mass);
}

void check_tangent_shifted(const test_system *made, const char *name, double mu) {
  wy_system *system = made->system;
  const wy_statics_type *type = system->type->statics;
  const int n = system->dofs;
  const double t = 0.4;
  double *config = doubles(system->config_size), *d = doubles(n);
  unsigned seed = 7;
  type->apply(system, true, 0.8, 0.9);
  type->undeformed(system, config);
  for (int i = 0; i < n; i++)
    d[i] = 0.15 * noise(&seed);
  type->displace(system, config, d, 1, config);
  assert_int_equal(type->tangent(system, t, config), 0);
  assert_int_equal(type->factor(system, mu), 0);
  for (int trial = 0; trial < 4; trial++) {
    for (int i = 0; i < n; i++)
      d[i] = noise(&seed);
    check_tangent_along(system, name, t, mu, config, d);
  }
  free(config), free(d);
}

void check_tangent(const test_system *made, const char *name) {
  check_tangent_shifted(made, name, -0.7);
}

/* ---- Steps of a scheme's own ---- */

/* The residual at the first guess, moved by a multiple of d. */
static void residual_along(wy_system *system, double t, double h, const double *u, double factor, const double *d,
                           double *r) {
  const wy_step_type *step = system->type->step;
  double *moved = doubles(system->step_size), misfit, change;
  for (int i = 0; i < system->step_size; i++)
    moved[i] = factor * d[i];
  step->begin(system, t, h, u, WY_GUESS_MOVING);
  step->apply(system, moved, &change);
  assert_int_equal(step->residual(system, r, &misfit), 0);
  free(moved);
}

void check_step_solves(wy_system *system, const char *name, double t, double h, const double *u, unsigned *seed) {
  const wy_step_type *step = system->type->step;
  const int n = system->step_size;
  double *d = doubles(n), *r = doubles(n), *plus = doubles(n), *minus = doubles(n), size = 0, misfit;
  step->begin(system, t, h, u, WY_GUESS_MOVING);
  assert_int_equal(step->residual(system, r, &misfit), 0);
  assert_int_equal(step->linearise(system), 0);
  for (int i = 0; i < n; i++)
    d[i] = noise(seed);
  step->solve(system, d);
  for (int i = 0; i < n; i++)
    size = fmax(size, fabs(d[i]));
  assert_true(size > 0 && isfinite(size));
  const double factor = 1e-5 / size;
  residual_along(system, t, h, u, factor, d, plus);
  residual_along(system, t, h, u, -factor, d, minus);
  step->begin(system, t, h, u, WY_GUESS_MOVING);
  assert_int_equal(step->residual(system, r, &misfit), 0);
  assert_int_equal(step->linearise(system), 0);
  for (int i = 0; i < n; i++)
    r[i] = (minus[i] - plus[i]) / (2 * factor);
  step->solve(system, r);
  /* Differences over 1e-5 are wrong by 1e-10 of third derivatives and by 1e-11 of round-off, times a condition of up to
     1e4. */
  const double tolerance = 1e-6 * size;
  for (int i = 0; i < n; i++)
    if (!(fabs(r[i] - d[i]) <= tolerance))
      fail_msg("%s: entry %d of %d: got %.12g, want %.12g, tolerance %.3g", name, i, n, r[i], d[i], tolerance);
  free(d), free(plus), free(minus), free(r);
}
