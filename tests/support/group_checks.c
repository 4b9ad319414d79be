/* SPDX-License-Identifier: MIT */
#include "support/group_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "equilibrium/eigen.h"
#include "network/group.h"
#include "support/dense.h"

/* Strains that are zero. */
static int constraints_of(const test_system *made) {
  int count = 0;
  for (int i = 0; i < wy_model_rod_count(made->model); i++) {
    const wy_rod_def *rod = wy_model_rod(made->model, i);
    count += rod->segments * (rod->kind == WY_COSSERAT ? 0 : rod->kind == WY_KIRCHHOFF ? 2 : 3);
  }
  return count;
}

/* A disturbed state with unit quaternions and ends on their hubs. Constraints are met, which needs one that is near
   enough. */
static double *some_state(const test_system *made, double size) {
  double *u = state_array(made), drift[WY_DRIFTS] = {0};
  disturbed_state(made, constraints_of(made) > 0 ? 0.2 * size : size, 7, u);
  for (int k = 0; k < 3; k++) /* conditions and constraints take turns */
    assert_true(made->system->type->project(made->system, 0, u, NULL, drift) >= 0);
  return u;
}

static int unknowns_of(const wy_system *system, int *list) {
  int count = 0;
  for (int i = 0; i < system->size; i++)
    if (system->weight[i] > 0)
      list[count++] = i;
  return count;
}

/* df/du by fourth-order differences: for sizes of order 1, errors of h^4 and of round-off / h are below 1e-10. */
static void jacobian_by_differences(const test_system *made, const double *u, const int *list, int n, double *j) {
  static const double weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
  wy_system *system = made->system;
  const double h = 1e-4;
  double *there = state_array(made), *f = state_array(made);
  memset(j, 0, (size_t)n * (size_t)n * sizeof *j);
  for (int c = 0; c < n; c++)
    for (int k = 0; k < 4; k++) {
      memcpy(there, u, (size_t)system->size * sizeof *u);
      there[list[c]] += at[k] * h;
      assert_int_equal(system->type->rhs(system, 0, there, f, NULL), 0);
      for (int r = 0; r < n; r++)
        j[r * n + c] += weights[k] / h * f[list[r]];
    }
  free(there), free(f);
}

void check_group_solve(const test_system *made, double re, double im) {
  check_group_solve_to(made, re, im, 1e-9);
}

void check_group_solve_to(const test_system *made, double re, double im, double tolerance) {
  wy_system *system = made->system;
  double *u = some_state(made, 0.1), *b = state_array(made), *b_im = state_array(made);
  int *list = calloc((size_t)system->size, sizeof *list), n = unknowns_of(system, list), m = im == 0 ? n : 2 * n;
  double *j = doubles(n * n), *a = doubles(m * m), *want = doubles(m);
  assert_int_equal(n, system->unknowns);
  jacobian_by_differences(made, u, list, n, j);
  random_vector(made, 3, b);
  if (im != 0)
    random_vector(made, 4, b_im);
  for (int r = 0; r < n; r++) {
    want[r] = b[list[r]];
    if (im != 0)
      want[n + r] = b_im[list[r]];
    for (int c = 0; c < n; c++) {
      a[r * m + c] = re * (r == c) - j[r * n + c];
      if (im != 0) {
        a[(n + r) * m + n + c] = a[r * m + c];
        a[(n + r) * m + c] = im * (r == c), a[r * m + n + c] = -im * (r == c);
      }
    }
  }
  int *pivot = malloc((size_t)m * sizeof *pivot);
  assert_int_equal(wy_dense_factor(a, m, pivot), 0);
  wy_dense_solve(a, m, pivot, want);
  assert_int_equal(system->type->jacobian(system, 0, u), 0);
  assert_int_equal(im == 0 ? system->type->factor(system, 0, re) : system->type->factor_complex(system, 0, re, im), 0);
  if (im == 0)
    system->type->solve(system, 0, b);
  else
    system->type->solve_complex(system, 0, b, b_im);
  double *got = doubles(m);
  for (int r = 0; r < n; r++) {
    got[r] = b[list[r]];
    if (im != 0)
      got[n + r] = b_im[list[r]];
  }
  double worst = 0, size = largest(want, m);
  int at = 0;
  for (int r = 0; r < m; r++)
    if (!(fabs(got[r] - want[r]) <= worst))
      worst = fabs(got[r] - want[r]), at = r;
  if (!(worst < tolerance * size))
    fail_msg("shift %g %g: entry %d of the state is off by %g of %g", re, im, list[at % n], worst, size);
  free(u), free(b), free(b_im), free(list), free(j), free(a), free(want), free(pivot), free(got);
}

/* dE/dt along f is the power of loads less what is dissipated (S29), and momenta change by the forces from outside. */
void check_group_power(const test_system *made) {
  wy_system *system = made->system;
  double *u = some_state(made, 0.2), *f = state_array(made), *there = state_array(made);
  double power[WY_INTEGRALS], sides[2], h = 1e-5;
  assert_int_equal(system->type->rhs(system, 0, u, f, power), 0);
  for (int side = 0; side < 2; side++) {
    wy_energy energy = {0};
    for (int i = 0; i < system->size; i++)
      there[i] = u[i] + (side ? h : -h) * f[i];
    system->type->energy(system, 0, there, &energy);
    sides[side] = energy.kinetic + energy.elastic + energy.gravity - energy.work;
  }
  const double rate = (sides[1] - sides[0]) / (2 * h);
  check_close(rate, power[WY_WORK_INTEGRAL] - power[WY_DISSIPATION_INTEGRAL], 1e-8);
  check_above(fabs(power[WY_WORK_INTEGRAL]), 1e-3);
  check_above(power[WY_DISSIPATION_INTEGRAL], 1e-3);
  free(u), free(f), free(there);
}

/* ---- Equilibria ---- */

/* A configuration some way from the undeformed one. */
static double *some_config(const test_system *made, double size) {
  wy_system *system = made->system;
  double *config = doubles(system->config_size), *d = doubles(system->dofs);
  unsigned seed = 5;
  system->type->statics->apply(system, true, 1, 1);
  system->type->statics->undeformed(system, config);
  for (int i = 0; i < system->dofs; i++)
    d[i] = size * noise(&seed);
  system->type->statics->displace(system, config, d, 1, config);
  free(d);
  return config;
}

/* The equilibrium that the network falls into, with M for a brake, less and less of it. */
static double *balanced_config(const test_system *made) {
  wy_system *system = made->system;
  const wy_statics_type *type = system->type->statics;
  double *config = some_config(made, 0), *r = doubles(system->dofs), size = 1;
  for (int i = 0; i < 400 && size > 1e-11; i++) {
    assert_int_equal(type->residual(system, 0, config, r), 0);
    size = largest(r, system->dofs);
    assert_int_equal(type->tangent(system, 0, config), 0);
    assert_int_equal(type->factor(system, i < 200 ? -10 : -0.01), 0);
    type->solve(system, r);
    type->displace(system, config, r, 1, config);
  }
  check_below(size, 1e-5); /* by as much K is not symmetric */
  free(r);
  return config;
}

/* K = -dr/dd by fourth-order differences, on the degrees of freedom that are free; `list` receives them. */
static int tangent_by_differences(const test_system *made, const double *config, int *list, double **out) {
  static const double weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
  wy_system *system = made->system;
  const int n = system->dofs;
  const double h = 1e-4;
  double *k = doubles(n * n), *d = doubles(n), *r = doubles(n), *there = doubles(system->config_size);
  for (int c = 0; c < n; c++)
    for (int i = 0; i < 4; i++) {
      d[c] = 1;
      system->type->statics->displace(system, config, d, at[i] * h, there);
      d[c] = 0;
      assert_int_equal(system->type->statics->residual(system, 0, there, r), 0);
      for (int row = 0; row < n; row++)
        k[row * n + c] -= weights[i] / h * r[row];
    }
  int count = 0;
  for (int c = 0; c < n; c++) {
    double sum = 0;
    for (int row = 0; row < n; row++)
      sum += fabs(k[row * n + c]) + fabs(k[c * n + row]);
    if (sum > 1e-6)
      list[count++] = c;
  }
  double *free_part = doubles(count * count);
  for (int row = 0; row < count; row++)
    for (int c = 0; c < count; c++)
      free_part[row * count + c] = k[list[row] * n + list[c]];
  free(k), free(d), free(r), free(there);
  *out = free_part;
  return count;
}

/* K - mu M solved as a group does it, against the dense matrix. */
void check_group_tangent_at(const test_system *made, const double *config, double mu, double tolerance) {
  wy_system *system = made->system;
  const wy_statics_type *type = system->type->statics;
  double *k, *b = doubles(system->dofs), *m = doubles(system->dofs);
  int *list = calloc((size_t)system->dofs, sizeof *list), n = tangent_by_differences(made, config, list, &k);
  assert_int_equal(type->tangent(system, 0, config), 0);
  double *want = doubles(n);
  unsigned seed = 11;
  for (int i = 0; i < n; i++)
    want[i] = noise(&seed);
  for (int c = 0; c < n; c++) {
    memset(b, 0, (size_t)system->dofs * sizeof *b);
    b[list[c]] = 1;
    type->mass_times(system, b, m);
    for (int row = 0; row < n; row++)
      k[row * n + c] -= mu * m[list[row]];
  }
  memset(b, 0, (size_t)system->dofs * sizeof *b);
  for (int i = 0; i < n; i++)
    b[list[i]] = want[i];
  int *pivot = malloc((size_t)n * sizeof *pivot);
  assert_int_equal(wy_dense_factor(k, n, pivot), 0);
  wy_dense_solve(k, n, pivot, want);
  assert_int_equal(type->factor(system, mu), 0);
  type->solve(system, b);
  const double size = largest(want, n);
  for (int i = 0; i < n; i++)
    if (!(fabs(b[list[i]] - want[i]) < tolerance * size))
      fail_msg("mu %g: degree of freedom %d: got %.12g, want %.12g", mu, list[i], b[list[i]], want[i]);
  free(k), free(b), free(m), free(list), free(want), free(pivot);
}

void check_group_tangent(const test_system *made, double mu) {
  double *config = some_config(made, 0.1);
  check_group_tangent_at(made, config, mu, 1e-7);
  free(config);
}

/* The count (N8) against that of all eigenvalues. Each segment has three forces, each with a negative one of its own;
   so has each condition, which takes a direction from the hubs. */
void check_group_counts(const test_system *made, int segments, int conditions) {
  static const double shifts[] = {-2, 0.05, 0.4, 3, 20, 200};
  wy_system *system = made->system;
  const wy_statics_type *type = system->type->statics;
  double *config = balanced_config(made), *k, *unit = doubles(system->dofs), *m = doubles(system->dofs);
  int *list = calloc((size_t)system->dofs, sizeof *list), n = tangent_by_differences(made, config, list, &k), last = -1;
  double *a = doubles(n * n), *v = doubles(n * n);
  assert_int_equal(type->tangent(system, 0, config), 0);
  assert_int_equal(type->directions(system) + 3 * segments + constraints_of(made) + 2 * conditions, n);
  for (size_t s = 0; s < sizeof shifts / sizeof shifts[0]; s++) {
    for (int c = 0; c < n; c++) {
      memset(unit, 0, (size_t)system->dofs * sizeof *unit);
      unit[list[c]] = 1;
      type->mass_times(system, unit, m);
      for (int row = 0; row < n; row++)
        a[row * n + c] = 0.5 * (k[row * n + c] + k[c * n + row]) - shifts[s] * m[list[row]];
    }
    wy_symmetric_eigen(a, v, n);
    int want = -3 * segments - conditions, got = -1;
    for (int i = 0; i < n; i++)
      want += a[i * n + i] < 0;
    assert_int_equal(type->negative(system, shifts[s], &got), 0);
    assert_int_equal(got, want);
    assert_true(got >= last);
    last = got;
  }
  assert_true(last > 10);
  free(config), free(k), free(unit), free(m), free(list), free(a), free(v);
}
