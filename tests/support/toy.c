/* SPDX-License-Identifier: MIT */
#include "support/toy.h"

#include <complex.h>
#undef complex /* a field of wy_factor_needs */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "withy/sundials.h"

enum { TOY_SLOTS = 16 };

typedef struct toy_system {
  wy_system base;
  toy_problem problem;
  wy_factor_needs needs;
  double j[TOY_MOST * TOY_MOST];
  double _Complex matrix[2][TOY_SLOTS][TOY_MOST * TOY_MOST]; /* real, complex */
  double weight[WY_LANES];
  bool on_circle, autonomous;
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

/* Gaussian elimination with pivoting on a copy; > 0 if singular. */
static int eliminate(const toy_system *self, const double _Complex *matrix, double _Complex *x) {
  int n = self->problem.n;
  double _Complex a[TOY_MOST * TOY_MOST];
  memcpy(a, matrix, sizeof a);
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (cabs(a[i * n + k]) > cabs(a[pivot * n + k]))
        pivot = i;
    for (int j = 0; j < n; j++) {
      double _Complex swap = a[k * n + j];
      a[k * n + j] = a[pivot * n + j], a[pivot * n + j] = swap;
    }
    double _Complex swap = x[k];
    x[k] = x[pivot], x[pivot] = swap;
    if (a[k * n + k] == 0)
      return WY_RETRY;
    for (int i = k + 1; i < n; i++) {
      double _Complex m = a[i * n + k] / a[k * n + k];
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
  return WY_OK;
}

/* A method may use the slots that it has asked for, and no others. */
static double _Complex *slot_of(toy_system *self, bool is_complex, int slot) {
  int count = is_complex ? self->needs.complex : self->needs.real;
  if (slot < 0 || slot >= count || slot >= TOY_SLOTS)
    fail_msg("%s slot %d of %d", is_complex ? "complex" : "real", slot, count);
  return self->matrix[is_complex][slot];
}

static int prepare(toy_system *self, double _Complex *matrix, double _Complex sigma) {
  int n = self->problem.n;
  double _Complex x[TOY_MOST] = {0};
  for (int i = 0; i < n * n; i++)
    matrix[i] = (i % (n + 1) == 0 ? sigma : 0) - self->j[i];
  return eliminate(self, matrix, x);
}

static int factor(wy_system *system, int slot, double sigma) {
  toy_system *self = (toy_system *)system;
  return prepare(self, slot_of(self, false, slot), sigma);
}

static int factor_complex(wy_system *system, int slot, double re, double im) {
  toy_system *self = (toy_system *)system;
  return prepare(self, slot_of(self, true, slot), CMPLX(re, im));
}

static void solve(wy_system *system, int slot, double *b) {
  toy_system *self = (toy_system *)system;
  double _Complex x[TOY_MOST] = {0};
  for (int i = 0; i < self->problem.n; i++)
    x[i] = b[i];
  eliminate(self, slot_of(self, false, slot), x);
  for (int i = 0; i < self->problem.n; i++)
    b[i] = creal(x[i]);
}

static void solve_complex(wy_system *system, int slot, double *re, double *im) {
  toy_system *self = (toy_system *)system;
  double _Complex x[TOY_MOST] = {0};
  for (int i = 0; i < self->problem.n; i++)
    x[i] = CMPLX(re[i], im[i]);
  eliminate(self, slot_of(self, true, slot), x);
  for (int i = 0; i < self->problem.n; i++)
    re[i] = creal(x[i]), im[i] = cimag(x[i]);
}

/* Length 1, and a velocity across. f is not carried along. */
static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  toy_system *self = (toy_system *)system;
  (void)t, (void)f;
  if (!self->on_circle)
    return 0;
  double length = hypot(u[0], u[1]), along = (u[0] * u[2] + u[1] * u[3]) / length;
  drift[WY_DRIFT_QUATERNION] = fmax(drift[WY_DRIFT_QUATERNION], fabs(length - 1));
  u[0] /= length, u[1] /= length;
  u[2] -= along * u[0], u[3] -= along * u[1];
  return 1;
}

static bool depends_on_time(const wy_system *system) {
  return !((const toy_system *)system)->autonomous;
}

static double next_break(const wy_system *system) {
  (void)system;
  return INFINITY;
}

static bool diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  (void)system, (void)t, (void)u;
  snprintf(text, size, "toy");
  return false;
}

static const wy_system_type toy_type = {.name = "toy",
                                        .rhs = rhs,
                                        .jacobian = jacobian,
                                        .factor = factor,
                                        .factor_complex = factor_complex,
                                        .solve = solve,
                                        .solve_complex = solve_complex,
                                        .project = project,
                                        .depends_on_time = depends_on_time,
                                        .next_break = next_break,
                                        .diagnose = diagnose};

const wy_integrator_type *adaptive_method(int index) {
  for (int i = 0; wy_integrator_at(wy_sundials(), i); i++) {
    const wy_integrator_type *type = wy_integrator_at(wy_sundials(), i);
    if (type->motion == WY_ODE && !type->info->fixed_step && index-- == 0)
      return type;
  }
  return NULL;
}

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
  toy_create_with(made, problem, type, &(toy_options){.tolerance = tolerance});
}

void toy_create_with(toy *made, const toy_problem *problem, const wy_integrator_type *type,
                     const toy_options *options) {
  memset(made, 0, sizeof *made);
  shared = (toy_system){.base = {.type = &toy_type, .model = toy_model(), .size = WY_LANES, .unknowns = problem->n},
                        .problem = *problem,
                        .needs = type->needs};
  for (int i = 0; i < problem->n; i++)
    shared.weight[i] = 1;
  shared.base.weight = shared.weight;
  shared.base.fields = shared.base.rod_fields;
  shared.base.fields[0] = (wy_field){.name = "u", .components = 1, .count = problem->n, .stride = WY_LANES};
  shared.base.field_count = 1;
  shared.base.has_power = problem->power != NULL;
  wy_integrator *integrator = &made->integrator;
  for (int pass = 0; pass < 2; pass++) {
    *integrator = (wy_integrator){.type = type,
                                  .system = &shared.base,
                                  .relative = options->tolerance,
                                  .absolute = options->tolerance,
                                  .first_step = options->first_step,
                                  .largest_step = options->largest_step,
                                  .size = 2 * WY_LANES};
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

void toy_keep_on_circle(void) {
  shared.on_circle = true;
}

void toy_declare_autonomous(void) {
  shared.autonomous = true;
}

void toy_drive(toy *made, double t, double limit) {
  wy_message message = {0};
  if (wy_drive_to(&made->integrator, t, limit, &message))
    fail_msg("%s: %s", made->integrator.type->info->name, message.text);
}

void toy_check_restart(toy *made, double end) {
  wy_integrator *integrator = &made->integrator;
  double want[2 * WY_LANES];
  size_t bytes = made->memory.saved.used;
  void *copy = malloc(bytes);
  memcpy(copy, made->memory.saved.block, bytes);
  toy_drive(made, end, end);
  memcpy(want, integrator->u, sizeof want);
  memcpy(made->memory.saved.block, copy, bytes);
  wy_integrator_resume(integrator);
  toy_drive(made, end, end);
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

void toy_spin_solution(double t, double u[2]) {
  u[0] = cos(0.5 * t * t + t), u[1] = sin(0.5 * t * t + t);
}

double toy_spin_error(const double *u, double t) {
  double want[2];
  toy_spin_solution(t, want);
  return fmax(fabs(u[0] - want[0]), fabs(u[1] - want[1]));
}

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

double toy_frequency = 1;

static void oscillator_rhs(double t, const double *u, double *f) {
  (void)t;
  f[0] = -toy_frequency * u[1], f[1] = toy_frequency * u[0];
}

static void oscillator_jacobian(double t, const double *u, double *j) {
  (void)t, (void)u;
  j[0] = j[3] = 0, j[1] = -toy_frequency, j[2] = toy_frequency;
}

const toy_problem toy_oscillator = {2, oscillator_rhs, oscillator_jacobian, {1, 0}, NULL};

static void sweep_rhs(double t, const double *u, double *f) {
  f[0] = -(1 + 4 * t) * u[1], f[1] = (1 + 4 * t) * u[0];
}

static void sweep_jacobian(double t, const double *u, double *j) {
  (void)u;
  j[0] = j[3] = 0, j[1] = -(1 + 4 * t), j[2] = 1 + 4 * t;
}

static double sweep_power(double t, const double *u) {
  return (1 + 4 * t) * u[0];
}

const toy_problem toy_sweep = {2, sweep_rhs, sweep_jacobian, {1, 0}, sweep_power};

static const double body_modulus = 0.51; /* k^2 */

static void body_rhs(double t, const double *u, double *f) {
  (void)t;
  f[0] = u[1] * u[2], f[1] = -u[0] * u[2], f[2] = -body_modulus * u[0] * u[1];
}

static void body_jacobian(double t, const double *u, double *j) {
  const double rows[3][3] = {{0, u[2], u[1]}, {-u[2], 0, -u[0]}, {-body_modulus * u[1], -body_modulus * u[0], 0}};
  (void)t;
  memcpy(j, rows, sizeof rows);
}

const toy_problem toy_body = {3, body_rhs, body_jacobian, {0, 1, 1}, NULL};

/* sn, cn, dn by descending arithmetic-geometric means: sin(2 phi[i-1] - phi[i]) = c[i]/a[i] sin(phi[i]). */
void toy_body_solution(double t, double u[3]) {
  enum { MEANS = 8 };
  double a[MEANS + 1] = {1}, c[MEANS + 1] = {sqrt(body_modulus)}, b = sqrt(1 - body_modulus);
  for (int i = 0; i < MEANS; i++) {
    a[i + 1] = 0.5 * (a[i] + b), c[i + 1] = 0.5 * (a[i] - b);
    b = sqrt(a[i] * b);
  }
  double phi = ldexp(a[MEANS] * t, MEANS);
  for (int i = MEANS; i > 0; i--)
    phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
  u[0] = sin(phi), u[1] = cos(phi), u[2] = sqrt(1 - body_modulus * u[0] * u[0]);
}

/* x'' = -force x, y'' = -force y - 1 with (x^2 + y^2 - 1)/2 =: c, c'' = -2 a c' - a^2 c. */
static double pendulum_force(const double *u, double a) {
  double square = u[0] * u[0] + u[1] * u[1], c = 0.5 * (square - 1), rate = u[0] * u[2] + u[1] * u[3];
  return (u[2] * u[2] + u[3] * u[3] - u[1] + 2 * a * rate + a * a * c) / square;
}

static void pendulum(const double *u, double a, double *f) {
  double force = pendulum_force(u, a);
  f[0] = u[2], f[1] = u[3], f[2] = -force * u[0], f[3] = -force * u[1] - 1;
}

static void pendulum_tangent(const double *u, double a, double *j) {
  double square = u[0] * u[0] + u[1] * u[1], force = pendulum_force(u, a);
  double slope[4] = {(2 * a * u[2] + a * a * u[0] - 2 * force * u[0]) / square,
                     (-1 + 2 * a * u[3] + a * a * u[1] - 2 * force * u[1]) / square, (2 * u[2] + 2 * a * u[0]) / square,
                     (2 * u[3] + 2 * a * u[1]) / square};
  memset(j, 0, 16 * sizeof *j);
  j[2] = j[7] = 1;
  for (int row = 0; row < 2; row++)
    for (int k = 0; k < 4; k++)
      j[8 + 4 * row + k] = -slope[k] * u[row] - (k == row ? force : 0);
}

static void pendulum_rhs(double t, const double *u, double *f) {
  (void)t;
  pendulum(u, 0, f);
}

static void pendulum_jacobian(double t, const double *u, double *j) {
  (void)t;
  pendulum_tangent(u, 0, j);
}

static const double baumgarte_rate = 5;

static void baumgarte_rhs(double t, const double *u, double *f) {
  (void)t;
  pendulum(u, baumgarte_rate, f);
}

static void baumgarte_jacobian(double t, const double *u, double *j) {
  (void)t;
  pendulum_tangent(u, baumgarte_rate, j);
}

static double pendulum_power(double t, const double *u) {
  (void)t;
  return -u[3];
}

const toy_problem toy_pendulum = {4, pendulum_rhs, pendulum_jacobian, {0, -1, 2, 0}, pendulum_power};
const toy_problem toy_baumgarte = {4, baumgarte_rhs, baumgarte_jacobian, {0, -1, 2, 0}, pendulum_power};

/* sin(angle / 2) = tanh t, and the rate of the angle is 2 / cosh t. */
void toy_pendulum_solution(double t, double u[4]) {
  double half = tanh(t), rest = 1 / cosh(t), sine = 2 * half * rest, cosine = 1 - 2 * half * half;
  u[0] = sine, u[1] = -cosine, u[2] = 2 * rest * cosine, u[3] = 2 * rest * sine;
}
