#include "support/toy.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct toy_system {
  wy_system base;
  toy_problem problem;
  double j[TOY_MOST * TOY_MOST];
  double complex matrix[2][TOY_MOST * TOY_MOST]; /* real slot, complex slot */
  double weight[WY_LANES];
} toy_system;

static toy_system shared;

static int rhs(wy_system *system, double t, const double *u, double *f, double *power) {
  toy_system *self = (toy_system *)system;
  memset(f, 0, WY_LANES * sizeof *f);
  self->problem.rhs(t, u, f);
  if (power)
    power[WY_WORK_INTEGRAL] = self->problem.power(t, u), power[WY_DISSIPATION_INTEGRAL] = 0;
  return 0;
}

static int jacobian(wy_system *system, double t, const double *u) {
  toy_system *self = (toy_system *)system;
  self->problem.jacobian(t, u, self->j);
  return 0;
}

static int prepare(toy_system *self, int slot, double complex sigma) {
  int n = self->problem.n;
  for (int i = 0; i < n * n; i++)
    self->matrix[slot][i] = (i % (n + 1) == 0 ? sigma : 0) - self->j[i];
  return 0;
}

static int factor(wy_system *system, int slot, double sigma) {
  (void)slot;
  return prepare((toy_system *)system, 0, sigma);
}

static int factor_complex(wy_system *system, int slot, double re, double im) {
  (void)slot;
  return prepare((toy_system *)system, 1, CMPLX(re, im));
}

/* Gaussian elimination with pivoting on a copy. */
static void gauss(toy_system *self, int slot, double complex *x) {
  int n = self->problem.n;
  double complex a[TOY_MOST * TOY_MOST];
  memcpy(a, self->matrix[slot], sizeof a);
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (cabs(a[i * n + k]) > cabs(a[pivot * n + k]))
        pivot = i;
    for (int j = 0; j < n; j++) {
      double complex swap = a[k * n + j];
      a[k * n + j] = a[pivot * n + j], a[pivot * n + j] = swap;
    }
    double complex swap = x[k];
    x[k] = x[pivot], x[pivot] = swap;
    for (int i = k + 1; i < n; i++) {
      double complex m = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; j++)
        a[i * n + j] -= m * a[k * n + j];
      x[i] -= m * x[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      x[k] -= a[k * n + j] * x[j];
    x[k] /= a[k * n + k];
  }
}

static void solve(wy_system *system, int slot, double *b) {
  toy_system *self = (toy_system *)system;
  double complex x[TOY_MOST] = {0};
  (void)slot;
  for (int i = 0; i < self->problem.n; i++)
    x[i] = b[i];
  gauss(self, 0, x);
  for (int i = 0; i < self->problem.n; i++)
    b[i] = creal(x[i]);
}

static void solve_complex(wy_system *system, int slot, double *re, double *im) {
  toy_system *self = (toy_system *)system;
  double complex x[TOY_MOST] = {0};
  (void)slot;
  for (int i = 0; i < self->problem.n; i++)
    x[i] = CMPLX(re[i], im[i]);
  gauss(self, 1, x);
  for (int i = 0; i < self->problem.n; i++)
    re[i] = creal(x[i]), im[i] = cimag(x[i]);
}

static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  (void)system, (void)t, (void)u, (void)f, (void)drift;
  return 0;
}

static double next_break(const wy_system *system) {
  (void)system;
  return INFINITY;
}

static void diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  (void)system, (void)t, (void)u;
  snprintf(text, size, "toy");
}

static const wy_system_type toy_type = {.name = "toy",
                                        .rhs = rhs,
                                        .jacobian = jacobian,
                                        .factor = factor,
                                        .factor_complex = factor_complex,
                                        .solve = solve,
                                        .solve_complex = solve_complex,
                                        .project = project,
                                        .next_break = next_break,
                                        .diagnose = diagnose};

/* Failure messages name a rod, so the toy has one. */
static wy_model *toy_model(void) {
  static wy_model *model;
  if (model)
    return model;
  wy_rod_def rod = wy_default_rod_def();
  rod.name = "toy";
  rod.length = 1;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(1);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(1);
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  assert_int_equal(wy_model_create(&def, &model, NULL), WY_OK);
  return model;
}

void toy_create(toy *made, const toy_problem *problem, const wy_integrator_type *type, double tolerance) {
  memset(made, 0, sizeof *made);
  shared = (toy_system){.base = {.type = &toy_type, .model = toy_model(), .size = WY_LANES, .unknowns = problem->n},
                        .problem = *problem};
  for (int i = 0; i < problem->n; i++)
    shared.weight[i] = 1;
  shared.base.weight = shared.weight;
  shared.base.fields[0] = (wy_field){.name = "u", .components = 1, .count = problem->n, .stride = WY_LANES};
  shared.base.field_count = 1;
  shared.base.has_power = problem->power != NULL;
  wy_integrator *integrator = &made->integrator;
  for (int pass = 0; pass < 2; pass++) {
    *integrator = (wy_integrator){
        .type = type, .system = &shared.base, .relative = tolerance, .absolute = tolerance, .size = 2 * WY_LANES};
    integrator->now = wy_arena_take(&made->memory.saved, sizeof *integrator->now);
    integrator->u = wy_arena_doubles(&made->memory.saved, 2 * WY_LANES);
    type->layout(integrator, &made->memory);
    if (pass == 0) {
      assert_int_equal(wy_arena_allocate(&made->memory.saved), 0);
      assert_int_equal(wy_arena_allocate(&made->memory.scratch), 0);
    }
  }
  memcpy(integrator->u, problem->start, sizeof problem->start);
  if (type->open)
    assert_int_equal(type->open(integrator, NULL), WY_OK);
  type->start(integrator);
}

void toy_destroy(toy *made) {
  if (made->integrator.type->close)
    made->integrator.type->close(&made->integrator);
  wy_arena_release(&made->memory.saved);
  wy_arena_release(&made->memory.scratch);
}

void toy_check_restart(toy *made, double end) {
  wy_integrator *integrator = &made->integrator;
  wy_message message = {0};
  double want[2 * WY_LANES];
  size_t bytes = made->memory.saved.used;
  void *copy = malloc(bytes);
  memcpy(copy, made->memory.saved.block, bytes);
  assert_int_equal(wy_drive_to(integrator, end, end, &message), WY_OK);
  memcpy(want, integrator->u, sizeof want);
  memcpy(made->memory.saved.block, copy, bytes);
  integrator->type->resume(integrator);
  assert_int_equal(wy_drive_to(integrator, end, end, &message), WY_OK);
  assert_memory_equal(integrator->u, want, sizeof want);
  free(copy);
}

/* ---- Problems ---- */

static void spin_rhs(double t, const double *u, double *f) {
  double r = (1 + t) * (u[0] * u[0] + u[1] * u[1]);
  f[0] = -r * u[1], f[1] = r * u[0];
}

static void spin_jacobian(double t, const double *u, double *j) {
  double a = 1 + t, r = a * (u[0] * u[0] + u[1] * u[1]);
  j[0] = -2 * a * u[0] * u[1], j[1] = -r - 2 * a * u[1] * u[1];
  j[2] = r + 2 * a * u[0] * u[0], j[3] = 2 * a * u[0] * u[1];
}

static double spin_power(double t, const double *u) {
  return (1 + t) * u[0];
}

const toy_problem toy_spin = {2, spin_rhs, spin_jacobian, {1, 0}, spin_power};

static void stiff_rhs(double t, const double *u, double *f) {
  f[0] = -1e6 * (u[0] - cos(t)) - sin(t);
}

static void stiff_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = -1e6;
}

const toy_problem toy_stiff = {1, stiff_rhs, stiff_jacobian, {1}, NULL};

static void explode_rhs(double t, const double *u, double *f) {
  (void)t;
  f[0] = u[0] * u[0];
}

static void explode_jacobian(double t, const double *u, double *j) {
  (void)t;
  j[0] = 2 * u[0];
}

const toy_problem toy_explosion = {1, explode_rhs, explode_jacobian, {1}, NULL};
