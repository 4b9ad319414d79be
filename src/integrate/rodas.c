/* SPDX-License-Identifier: MIT */
/* RODAS: the stiffly accurate Rosenbrock method of order 4(3) with error estimate, predictive step control and
   continuous output as published by Hairer and Wanner (Solving Ordinary Differential Equations II, IV.7 and IV.10). No
   iteration: a step is one Jacobian, one factorisation and six solutions. docs/theory/integrators.md. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/implicit.h"
#include "integrate/methods.h"
#include "integrate/predictive.h"
#include "integrate/rodas_table.h"

enum { STAGES = WY_RODAS_STAGES, DENSE = 4 };

static const wy_predictive_control control = {.safety = 0.9, .smallest_divisor = 1.0 / 6, .largest_divisor = 5};
static const double slope_share = 1e-3; /* of the step, over which df/dt is taken (I12) */

typedef struct rodas_memory {
  wy_kept_f f;
  wy_kept_matrices matrices; /* of the present point, with the slope in time; factors are made in every attempt */
  bool has_slope;            /* which f has, where it depends on time */
  bool rejected;             /* the last attempt failed */
  wy_predictive_history last;
  double h_dense;
  wy_quadrature quadrature;
} rodas_memory;

typedef struct rodas_scratch {
  double *f, *slope, *dense[DENSE]; /* saved; slope is df/dt */
  double *k[STAGES], *stage, *rest; /* workspace: stages, the state of one, what earlier stages add to one */
} rodas_scratch;

static void layout(wy_integrator *self, wy_memory *memory) {
  rodas_scratch counting, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(rodas_memory));
  s->f = self->f = wy_arena_doubles(&memory->saved, n);
  s->slope = wy_arena_doubles(&memory->saved, n);
  for (int i = 0; i < DENSE; i++)
    s->dense[i] = wy_arena_doubles(&memory->saved, n);
  for (int i = 0; i < STAGES; i++)
    s->k[i] = wy_arena_doubles(&memory->scratch, n);
  s->stage = wy_arena_doubles(&memory->scratch, n);
  s->rest = wy_arena_doubles(&memory->scratch, n);
}

static void start(wy_integrator *self) {
  rodas_memory *m = self->memory;
  rodas_scratch *s = self->scratch;
  wy_integrator_rhs(self, self->now->t, self->u, s->f, true);
  self->now->h = wy_first_step(self, 4, s->f, s->stage, s->rest);
  /* What the continuous output needs stays: it still covers the last step. */
  *m = (rodas_memory){.f = {.valid = true}, .h_dense = m->h_dense, .quadrature = m->quadrature};
}

/* ---- Vector kernels ---- */

/* Stage `count` from those before it: its state u + sum a_j k_j, and sum c_j k_j / h. Unrolled for each count. */
WY_INLINE void combine(const double *restrict u, const double *a, const double *c, double h, double *const *k,
                       int count, int n, double *restrict stage, double *restrict rest) {
  const double *restrict k0 = k[0], *restrict k1 = k[1], *restrict k2 = k[2], *restrict k3 = k[3], *restrict k4 = k[4];
  const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4];
  const double c0 = c[0] / h, c1 = c[1] / h, c2 = c[2] / h, c3 = c[3] / h, c4 = c[4] / h;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double state = u[i] + a0 * k0[i], sum = c0 * k0[i];
    if (count > 1)
      state += a1 * k1[i], sum += c1 * k1[i];
    if (count > 2)
      state += a2 * k2[i], sum += c2 * k2[i];
    if (count > 3)
      state += a3 * k3[i], sum += c3 * k3[i];
    if (count > 4)
      state += a4 * k4[i], sum += c4 * k4[i];
    stage[i] = state;
    rest[i] = sum;
  }
}

WY_CLONES
static void begin_stage(const rodas_scratch *s, const double *u, double h, int count, int n) {
  const double *a = wy_rodas_a[count], *c = wy_rodas_c[count];
  switch (count) {
  case 1:
    combine(u, a, c, h, s->k, 1, n, s->stage, s->rest);
    break;
  case 2:
    combine(u, a, c, h, s->k, 2, n, s->stage, s->rest);
    break;
  case 3:
    combine(u, a, c, h, s->k, 3, n, s->stage, s->rest);
    break;
  case 4:
    combine(u, a, c, h, s->k, 4, n, s->stage, s->rest);
    break;
  default:
    combine(u, a, c, h, s->k, 5, n, s->stage, s->rest);
  }
}

/* out += factor * in */
WY_CLONES
static void add_to(const double *restrict in, double factor, int n, double *restrict out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] += factor * in[i];
}

/* df/dt from f at t and at t + d1 and t + d2: exact for parabolas. */
WY_CLONES
static void difference(const double *restrict f, const double *restrict f1, const double *restrict f2, double d1,
                       double d2, int n, double *restrict slope) {
  const double near = d2 / (d1 * (d2 - d1)), far = d1 / (d2 * (d2 - d1));
#pragma omp simd
  for (int i = 0; i < n; i++)
    slope[i] = near * (f1[i] - f[i]) - far * (f2[i] - f[i]);
}

/* The continuous output (I13), and the new state. */
WY_CLONES
static void accept_state(const rodas_scratch *s, int n, double *restrict u) {
  const double *p = wy_rodas_dense[0], *q = wy_rodas_dense[1];
  const double *restrict k0 = s->k[0], *restrict k1 = s->k[1], *restrict k2 = s->k[2], *restrict k3 = s->k[3],
                         *restrict k4 = s->k[4], *restrict stage = s->stage;
  double *restrict d0 = s->dense[0], *restrict d1 = s->dense[1], *restrict d2 = s->dense[2], *restrict d3 = s->dense[3];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    d0[i] = u[i];
    d1[i] = stage[i];
    d2[i] = p[0] * k0[i] + p[1] * k1[i] + p[2] * k2[i] + p[3] * k3[i] + p[4] * k4[i];
    d3[i] = q[0] * k0[i] + q[1] * k1[i] + q[2] * k2[i] + q[3] * k3[i] + q[4] * k4[i];
    u[i] = stage[i];
  }
}

WY_CLONES
static void interpolate(const rodas_scratch *s, double theta, int n, double *restrict u) {
  const double *restrict d0 = s->dense[0], *restrict d1 = s->dense[1], *restrict d2 = s->dense[2],
                         *restrict d3 = s->dense[3];
  const double rest = 1 - theta;
#pragma omp simd
  for (int i = 0; i < n; i++)
    u[i] = rest * d0[i] + theta * (d1[i] + rest * (d2[i] + theta * d3[i]));
}

/* ---- One attempt ---- */

/* df/dt from the step's own beginning: neither what was before t nor what comes after t + h has a part in it (I12). */
static void take_slope(wy_integrator *self, double h) {
  rodas_scratch *s = self->scratch;
  const double t = self->now->t, t1 = t + slope_share * h, t2 = t + 2 * slope_share * h;
  if (!(t1 > t && t2 > t1)) { /* time hardly moves in so short a step */
    memset(s->slope, 0, (size_t)self->size * sizeof(double));
    return;
  }
  wy_integrator_rhs(self, t1, self->u, s->k[0], false);
  wy_integrator_rhs(self, t2, self->u, s->k[1], false);
  difference(s->f, s->k[0], s->k[1], t1 - t, t2 - t, self->system->size, s->slope);
}

static void know_f(wy_integrator *self) {
  wy_know_f(self, &((rodas_memory *)self->memory)->f, true);
}

/* f, Jacobian, slope and factors for the step h; 0, or what the system returns where there are none. */
static int prepare(wy_integrator *self, double h) {
  rodas_memory *m = self->memory;
  know_f(self);
  if (!m->matrices.has_jacobian) {
    int status = wy_take_jacobian(self, &m->matrices, self->now->t, self->u, NULL);
    if (status)
      return status;
    m->has_slope = wy_depends_on_time(self->system);
    if (m->has_slope)
      take_slope(self, h);
  }
  return wy_take_factors(self, &m->matrices, h, (wy_shifts){.real = 1 / (wy_rodas_gamma * h)});
}

/* All stages (I11); leaves the new state in s->stage. */
static void take_stages(wy_integrator *self, double h) {
  rodas_scratch *s = self->scratch;
  wy_system *system = self->system;
  const int n = system->size;
  const bool has_slope = ((const rodas_memory *)self->memory)->has_slope;
  for (int i = 0; i < STAGES; i++) {
    if (i == 0) {
      memcpy(s->k[0], s->f, (size_t)n * sizeof(double));
    } else {
      begin_stage(s, self->u, h, i, n);
      wy_integrator_rhs(self, self->now->t + wy_rodas_time[i] * h, s->stage, s->k[i], false);
      add_to(s->rest, 1, n, s->k[i]);
    }
    if (has_slope && wy_rodas_time_slope[i] != 0)
      add_to(s->slope, h * wy_rodas_time_slope[i], n, s->k[i]);
    system->type->solve(system, 0, s->k[i]);
  }
  add_to(s->k[STAGES - 1], 1, n, s->stage);
}

static wy_outcome reject(wy_integrator *self, double h, wy_rejection rejection) {
  ((rodas_memory *)self->memory)->rejected = true;
  return wy_reject(self, h, rejection);
}

/* Work and dissipation over the step just taken (I6), with f at its end in s->f and the rates at its start in `first`.
 */
static void integrate_power(wy_integrator *self, const double first[WY_INTEGRALS]) {
  rodas_memory *m = self->memory;
  rodas_scratch *s = self->scratch;
  const int n = self->system->size;
  if (self->system->has_power) {
    wy_quadrature_step(self, &m->quadrature, first, s->f + n, s->stage, s->rest);
  } else {
    m->quadrature = (wy_quadrature){.h = m->h_dense};
    memcpy(m->quadrature.before, self->u + n, sizeof m->quadrature.before);
  }
}

/* Leaves t for the end of the step, with f there in s->rest. */
static void accept(wy_integrator *self, const wy_trial *trial, double next) {
  rodas_memory *m = self->memory;
  rodas_scratch *s = self->scratch;
  double first[WY_INTEGRALS];
  memcpy(first, s->f + self->system->size, sizeof first);
  memcpy(s->f, s->rest, (size_t)self->size * sizeof(double));
  accept_state(s, self->system->size, self->u);
  m->h_dense = trial->h;
  m->f.unused = true;
  m->rejected = m->matrices.has_jacobian = false;
  wy_step_taken(self, trial, next);
  integrate_power(self, first);
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  rodas_memory *m = self->memory;
  rodas_scratch *s = self->scratch;
  wy_trial trial = wy_try_step(self, t_stop);
  const double h = trial.h;
  int status = prepare(self, h);
  if (status) {
    reject(self, 0.5 * h, WY_BY_SINGULARITY);
    return wy_outcome_of(status);
  }
  take_stages(self, h);
  double error = wy_weighted_norm(self, self->relative, self->absolute, s->k[STAGES - 1], self->u, s->stage);
  if (!isfinite(error)) {
    m->matrices.has_jacobian = false; /* the slope may have met what lies ahead */
    return reject(self, 0.1 * h, WY_BY_NAN);
  }
  if (error > 1)
    return reject(self, wy_retried_step(&control, control.safety, h, error, self->touches, m->rejected), WY_BY_ERROR);
  if (!wy_step_allowed(self, h, s->stage))
    return reject(self, 0.5 * h, WY_BY_CONTACT);
  /* The next step's first f, which work and dissipation need, too. Where it cannot begin this one must not end. */
  wy_integrator_rhs(self, trial.lands ? trial.t_stop : self->now->t + h, s->stage, s->rest, true);
  if (!wy_is_finite(self->system, s->rest))
    return reject(self, 0.1 * h, WY_BY_NAN);
  double next = wy_predicted_step(&control, self->touches ? NULL : &m->last, control.safety, h, error);
  accept(self, &trial, m->rejected ? fmin(next, h) : next);
  return WY_ACCEPTED;
}

static void dense(const wy_integrator *self, double t, double *u) {
  const rodas_memory *m = self->memory;
  const int n = self->system->size;
  const double theta = (t - self->now->t_old) / m->h_dense;
  interpolate(self->scratch, theta, n, u);
  memset(u + n, 0, WY_LANES * sizeof *u);
  wy_quadrature_at(&m->quadrature, theta, u + n);
}

static void invalidate(wy_integrator *self, bool only_f) {
  rodas_memory *m = self->memory;
  wy_forget_f(self, &m->f);
  m->matrices.has_jacobian = m->matrices.has_jacobian && only_f;
}

/* Only after a rejection is there a Jacobian to be had again. */
static void resume(wy_integrator *self) {
  wy_restore_matrices(self, &((rodas_memory *)self->memory)->matrices, self->u, (wy_shifts){0});
}

const wy_integrator_type wy_rodas = {
    .info = &(const wy_integrator_info){.name = "rodas",
                                        .family = "linearly implicit (Rosenbrock)",
                                        .use = "stiff rods, loose tolerances",
                                        .source = "Hairer and Wanner 1996",
                                        .lowest_order = 4,
                                        .highest_order = 4,
                                        .implicit = true,
                                        .vectors = 14},
    .needs = {.real = 1},
    .know_f = know_f,
    .layout = layout,
    .start = start,
    .attempt = attempt,
    .dense = dense,
    .invalidate = invalidate,
    .resume = resume,
};
