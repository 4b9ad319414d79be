/* SPDX-License-Identifier: MIT */
#include "support/shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/dense.h"

typedef struct shape_system {
  wy_system base;
  shape_problem problem;
  shape_at at;
  double k[SHAPE_MOST * SHAPE_MOST], factors[SHAPE_MOST * SHAPE_MOST];
  int pivot[SHAPE_MOST];
  double weight[SHAPE_MOST];
} shape_system;

static shape_system shared;

static double mass_at(const shape_problem *p, int i, int j) {
  if (p->mass)
    return p->mass[i * p->n + j];
  return i == j && i < p->n - p->forces ? 1 : 0;
}

static void shifted(const shape_system *self, double mu, double *out) {
  const int n = self->problem.n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i * n + j] = self->k[i * n + j] - mu * mass_at(&self->problem, i, j);
}

static void apply(wy_system *system, bool rest, double loads, double ends) {
  shape_system *self = (shape_system *)system;
  self->at.loads = rest ? loads : 1;
  self->at.ends = rest ? ends : 1;
}

static void undeformed(wy_system *system, double *config) {
  const shape_system *self = (const shape_system *)system;
  memcpy(config, self->problem.start, (size_t)self->problem.n * sizeof *config);
}

static int residual(wy_system *system, double t, const double *config, double *r) {
  shape_system *self = (shape_system *)system;
  double sum = 0;
  self->at.t = t;
  self->problem.residual(&self->at, config, r);
  for (int i = 0; i < self->problem.n; i++)
    sum += r[i];
  return isfinite(sum) ? 0 : 1;
}

static int tangent(wy_system *system, double t, const double *config) {
  shape_system *self = (shape_system *)system;
  self->at.t = t;
  self->problem.tangent(&self->at, config, self->k);
  return 0;
}

static int factor(wy_system *system, double mu) {
  shape_system *self = (shape_system *)system;
  shifted(self, mu, self->factors);
  return wy_dense_factor(self->factors, self->problem.n, self->pivot);
}

static void solve(wy_system *system, double *b) {
  const shape_system *self = (const shape_system *)system;
  wy_dense_solve(self->factors, self->problem.n, self->pivot, b);
}

/* Each constraint brings one negative direction of its own, and turns the determinant's sign. */
static int sign(wy_system *system) {
  const shape_system *self = (const shape_system *)system;
  const int n = self->problem.n;
  int out = self->problem.forces % 2 ? -1 : 1;
  for (int i = 0; i < n; i++)
    out *= (self->factors[i * n + i] < 0 ? -1 : 1) * (self->pivot[i] == i ? 1 : -1);
  return out;
}

/* One rotation of Jacobi's method: entry (p, q) becomes zero. False where it is already, within round-off. */
static bool rotate(double *a, int n, int p, int q) {
  if (fabs(a[p * n + q]) <= 1e-17 * sqrt(fabs(a[p * n + p] * a[q * n + q])))
    return false;
  const double theta = 0.5 * atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]), c = cos(theta), s = sin(theta);
  for (int k = 0; k < n; k++) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
  }
  for (int k = 0; k < n; k++) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
  }
  return true;
}

static int negative(wy_system *system, double mu, int *count) {
  const shape_system *self = (const shape_system *)system;
  const int n = self->problem.n;
  double a[SHAPE_MOST * SHAPE_MOST], scale = 0;
  shifted(self, mu, a);
  for (int i = 0; i < n * n; i++)
    scale = fmax(scale, fabs(a[i]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (fabs(a[i * n + j] - a[j * n + i]) > 1e-12 * scale)
        return 1;
  bool turned = true;
  for (int sweep = 0; sweep < 30 && turned; sweep++) {
    turned = false;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++)
        turned = rotate(a, n, p, q) || turned;
  }
  *count = -self->problem.forces;
  for (int i = 0; i < n; i++)
    *count += a[i * n + i] < 0;
  return 0;
}

static void displace(wy_system *system, const double *from, const double *d, double amount, double *to) {
  for (int i = 0; i < ((shape_system *)system)->problem.n; i++)
    to[i] = from[i] + amount * d[i];
}

static void mass_times(wy_system *system, const double *d, double *out) {
  const shape_problem *p = &((shape_system *)system)->problem;
  for (int i = 0; i < p->n; i++) {
    out[i] = 0;
    for (int j = 0; j < p->n; j++)
      out[i] += mass_at(p, i, j) * d[j];
  }
}

static double dissipation(wy_system *system, const double *d) {
  const shape_problem *p = &((shape_system *)system)->problem;
  double sum = 0;
  for (int i = 0; p->damping && i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      sum += d[i] * p->damping[i * p->n + j] * d[j];
  return sum;
}

static double next_break(const wy_system *system) {
  (void)system;
  return INFINITY;
}

static bool diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  (void)system, (void)t, (void)u;
  snprintf(text, size, "%s", "");
  return true;
}

static const wy_statics_type toy_shapes = {.apply = apply,
                                           .undeformed = undeformed,
                                           .residual = residual,
                                           .tangent = tangent,
                                           .factor = factor,
                                           .solve = solve,
                                           .sign = sign,
                                           .negative = negative,
                                           .displace = displace,
                                           .mass_times = mass_times,
                                           .dissipation = dissipation};
static const wy_system_type toy_type = {
    .name = "toy", .next_break = next_break, .diagnose = diagnose, .statics = &toy_shapes};

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

wy_statics_options shape_options(void) {
  return (wy_statics_options){.increments = 25, .newton_tolerance = 1e-10, .newton_iterations = 20};
}

void shape_create(shape_toy *made, const shape_problem *problem, const wy_statics_options *options) {
  memset(made, 0, sizeof *made);
  shared = (shape_system){.base = {.type = &toy_type, .model = toy_model(), .size = problem->n}, .problem = *problem};
  wy_system *system = &shared.base;
  system->config_size = system->dofs = problem->n;
  for (int i = 0; i < problem->n - problem->forces; i++)
    shared.weight[i] = 1;
  system->dof_weight = shared.weight;
  for (int pass = 0; pass < 2; pass++) {
    made->equilibrium = wy_equilibrium_layout(problem->n, problem->n, &made->memory);
    if (pass == 0) {
      assert_int_equal(wy_arena_allocate(&made->memory.saved), 0);
      assert_int_equal(wy_arena_allocate(&made->memory.scratch), 0);
    }
  }
  wy_equilibrium_prepare(made->equilibrium, system, options);
  made->equilibrium->statistics = &made->statistics;
  made->equilibrium->end = INFINITY;
}

void shape_settle(shape_toy *made, const shape_problem *problem, const wy_statics_options *options, double t) {
  wy_message message = {.text = ""};
  shape_create(made, problem, options);
  if (wy_equilibrium_settle(made->equilibrium, t, &message) != WY_OK)
    fail_msg("%s", message.text);
}

void shape_reset(shape_toy *made, const shape_problem *problem, const wy_statics_options *options,
                 const wy_stretch *stretch) {
  shape_create(made, problem, options);
  assert_int_equal(wy_equilibrium_reset(made->equilibrium, stretch), WY_NO_TROUBLE);
}

void shape_destroy(shape_toy *made) {
  wy_arena_release(&made->memory.saved);
  wy_arena_release(&made->memory.scratch);
}
