/* SPDX-License-Identifier: MIT */
/* A group of mixed rods as a system: Newton's method of its step and of its equilibria against what is out of balance,
   its counts against eigenvalues, the energy that a step balances. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "equilibrium/eigen.h"
#include "network/group.h"
#include "scheme/system.h"
#include "support/network.h"
#include "support/published.h"

/* What a group of the network with everything is made of. */
typedef struct setting {
  int order;
  bool kirchhoff, held, cable, potential;
} setting;

static void network_of(const setting *c, test_network *net) {
  rich_network(net, 3);
  for (int i = 0; c->kirchhoff && i < net->model.rod_count; i++)
    net->rods[i].kind = WY_KIRCHHOFF;
  if (c->held)
    net->bodies[0].position[1] = net->bodies[0].rotation = WY_HELD;
  if (c->cable) {
    net->springs[0].kind = net->springs[1].kind = WY_CABLE;
    net->springs[1].length = 3; /* slack */
  }
  if (c->potential) {
    net->model.load_count = 1;
    for (int k = 0; k < 3; k++) { /* little enough for few elements to carry (X27) */
      net->loads[0].moment[k] = wy_constant(0);
      net->loads[0].force[k] = wy_constant(0.1 * k);
      net->model.gravity[k] *= 0.1;
    }
  }
}

static test_system group_of(const setting *c) {
  test_network net;
  const wy_solver_def solver = mixed_solver(c->order, 0);
  network_of(c, &net);
  return make_group(network_model(&net), &solver);
}

static void for_all(void (*check)(const setting *c)) {
  for (int i = 0; i < 16; i++) {
    const setting c = {.order = 1 + i % 2, .kirchhoff = i / 2 % 2, .held = i / 4 % 2, .cable = i / 8 % 2};
    check(&c);
  }
}

/* ---- Steps ---- */

/* What is out of balance falls like its square: a tangent that lacks a term shows. */
static void check_newton(const setting *c) {
  test_system made = group_of(c);
  wy_system *system = made.system;
  const wy_step_type *step = system->type->step;
  double *u = state_array(&made), *r = system->step_vector, misfit, last = INFINITY, change;
  double integrals[WY_INTEGRALS] = {0};
  system->type->initial(system, u);
  for (int i = 0; i < 3; i++) {
    int falls = 0;
    step->begin(system, 0.2 * i, 0.2, u, WY_GUESS_STILL);
    for (int k = 0; k < 12; k++) {
      assert_int_equal(step->residual(system, r, &misfit), 0);
      if (last < 0.1) {
        check_below(misfit, 10 * last * last + 1e-11);
        falls++;
      }
      last = misfit;
      if (misfit < 1e-13)
        break;
      assert_int_equal(wy_step_correct(system, true, r, &change), 0);
    }
    assert_true(falls > 0);
    check_below(misfit, 1e-11);
    step->finish(system, u, integrals);
    last = INFINITY;
  }
  free(u);
  free_system(&made);
}

static void test_newton(void **state) {
  (void)state;
  for_all(check_newton);
}

/* ---- Equilibria ---- */

/* A configuration some way from the undeformed one. */
static double *rich_config(const test_system *made, double size) {
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

/* (K - mu M) d by fourth-order differences of the residual, then solved for: d again, but for ends, which follow. */
static void check_direction(const setting *c, double mu) {
  static const double weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
  test_system made = group_of(c);
  wy_system *system = made.system;
  const wy_statics_type *type = system->type->statics;
  const int n = system->dofs;
  const double h = 1e-3;
  double *config = rich_config(&made, 0.1), *d = doubles(n), *b = doubles(n), *r = doubles(n), *m = doubles(n),
         *there = doubles(system->config_size);
  unsigned seed = 3;
  for (int i = 0; i < n; i++)
    d[i] = system->dof_weight[i] > 0 ? noise(&seed) : 0;
  for (int k = 0; k < 4; k++) {
    type->displace(system, config, d, at[k] * h, there);
    assert_int_equal(type->residual(system, 0, there, r), 0);
    for (int i = 0; i < n; i++)
      b[i] -= weights[k] / h * r[i];
  }
  assert_int_equal(type->tangent(system, 0, config), 0);
  type->mass_times(system, d, m);
  for (int i = 0; i < n; i++)
    b[i] -= mu * m[i];
  assert_int_equal(type->factor(system, mu), 0);
  type->displace(system, config, d, 0.1, there);
  assert_int_equal(type->residual(system, 0, there, r), 0); /* which the factors do not feel */
  type->solve(system, b);
  for (int i = 0; i < n; i++)
    if (system->dof_weight[i] > 0)
      check_close(b[i], d[i], 1e-6);
  free(config), free(d), free(b), free(r), free(m), free(there);
  free_system(&made);
}

static void check_tangent(const setting *c) {
  check_direction(c, -0.8);
  check_direction(c, 0.3);
}

static void test_tangent(void **state) {
  (void)state;
  for_all(check_tangent);
}

/* The equilibrium that the network falls into, with M for a brake, less and less of it. */
static double *balanced_config(const test_system *made) {
  wy_system *system = made->system;
  const wy_statics_type *type = system->type->statics;
  double *config = rich_config(made, 0), *r = doubles(system->dofs), size = 1;
  for (int i = 0; i < 400 && size > 1e-11; i++) {
    assert_int_equal(type->residual(system, 0, config, r), 0);
    size = largest(r, system->dofs);
    assert_int_equal(type->tangent(system, 0, config), 0);
    assert_int_equal(type->factor(system, i < 200 ? -10 : -0.01), 0);
    type->solve(system, r);
    type->displace(system, config, r, 1, config);
  }
  check_below(size, 1e-6); /* by as much K is not symmetric */
  free(r);
  return config;
}

/* The count (N8) against that of the inverse, which has as many negative eigenvalues; each force has one of its own. */
static void check_counts(const setting *c) {
  static const double shifts[] = {-2, 0.05, 0.4, 3, 20, 200};
  test_system made = group_of(c);
  wy_system *system = made.system;
  const wy_statics_type *type = system->type->statics;
  double *config = balanced_config(&made), *b = doubles(system->dofs);
  int *list = calloc((size_t)system->dofs, sizeof *list), n = 0, last = -1;
  const int forces = 3 * c->order * 3 * 4; /* 4 rods of 3 elements */
  assert_int_equal(type->tangent(system, 0, config), 0);
  assert_int_equal(type->factor(system, shifts[1]), 0);
  for (int i = 0; i < system->dofs; i++) { /* all that a force there moves is free */
    memset(b, 0, (size_t)system->dofs * sizeof *b);
    b[i] = 1;
    type->solve(system, b);
    list[n] = i;
    n += b[i] != 0;
  }
  assert_int_equal(type->directions(system) + forces, n);
  double *a = doubles(n * n), *v = doubles(n * n);
  for (size_t s = 0; s < sizeof shifts / sizeof shifts[0]; s++) {
    int want = -forces, got = -1;
    assert_int_equal(type->factor(system, shifts[s]), 0);
    for (int k = 0; k < n; k++) {
      memset(b, 0, (size_t)system->dofs * sizeof *b);
      b[list[k]] = 1;
      type->solve(system, b);
      for (int row = 0; row < n; row++)
        a[row * n + k] += 0.5 * b[list[row]], a[k * n + row] += 0.5 * b[list[row]];
    }
    wy_symmetric_eigen(a, v, n);
    for (int i = 0; i < n; i++)
      want += a[i * n + i] < 0;
    assert_int_equal(type->negative(system, shifts[s], &got), 0);
    assert_int_equal(got, want);
    assert_true(got >= last);
    last = got;
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
  }
  assert_true(last > 10);
  free(config), free(b), free(list), free(a), free(v);
  free_system(&made);
}

static void test_counts(void **state) {
  (void)state;
  const setting one = {.order = 1, .potential = true}, two = {.order = 2, .potential = true};
  check_counts(&one);
  check_counts(&two);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_newton), cmocka_unit_test(test_tangent),
                                     cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
