/* SPDX-License-Identifier: MIT */
/* A group as a system: its linear systems against dense ones made of differences of f, power and energy, projection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "network/group.h"
#include "support/dense.h"
#include "support/network.h"

static test_system rich_group(int segments) {
  test_network net;
  wy_solver_def solver = wy_default_solver_def();
  rich_network(&net, segments);
  return make_group(network_model(&net), &solver);
}

/* A disturbed state with unit quaternions and ends on their hubs. */
static double *rich_state(test_system *made, double size) {
  double *u = state_array(made), drift[WY_DRIFTS] = {0};
  disturbed_state(made, size, 7, u);
  made->system->type->project(made->system, 0, u, NULL, drift);
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
  const double h = 1e-3;
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

static void check_solve(double re, double im) {
  test_system made = rich_group(3);
  wy_system *system = made.system;
  double *u = rich_state(&made, 0.1), *b = state_array(&made), *b_im = state_array(&made);
  int *list = malloc((size_t)system->size * sizeof *list), n = unknowns_of(system, list), m = im == 0 ? n : 2 * n;
  double *j = doubles(n * n), *a = doubles(m * m), *want = doubles(m);
  assert_int_equal(n, system->unknowns);
  jacobian_by_differences(&made, u, list, n, j);
  random_vector(&made, 3, b);
  if (im != 0)
    random_vector(&made, 4, b_im);
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
  if (!(worst < 1e-9 * size))
    fail_msg("shift %g %g: entry %d of the state is off by %g of %g", re, im, list[at % n], worst, size);
  free(u), free(b), free(b_im), free(list), free(j), free(a), free(want), free(pivot), free(got);
  free_system(&made);
}

static void test_real_shift(void **state) {
  (void)state;
  check_solve(30, 0);
  check_solve(2.5, 0);
}

static void test_complex_shift(void **state) {
  (void)state;
  check_solve(9, 14);
}

/* dE/dt along f is the power of loads less what is dissipated (S29), and momenta change by the forces from outside. */
static void test_power(void **state) {
  (void)state;
  test_system made = rich_group(4);
  wy_system *system = made.system;
  double *u = rich_state(&made, 0.2), *f = state_array(&made), *there = state_array(&made);
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
  free_system(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_power), cmocka_unit_test(test_real_shift),
                                     cmocka_unit_test(test_complex_shift)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
