/* SPDX-License-Identifier: MIT */
/* RADAU5: the implicit Runge-Kutta method of order 5 (Radau IIA, three stages) with simplified Newton iteration, one
   real and one complex linear system, error estimate, predictive step control and continuous output as published by
   Hairer and Wanner (Solving Ordinary Differential Equations II, IV.8). docs/theory/integrators.md. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/implicit.h"
#include "integrate/methods.h"
#include "integrate/predictive.h"
#include "integrate/radau5_table.h"

enum { MOST_NEWTON = 7 };

static const wy_predictive_control control = {.safety = 0.9, .smallest_divisor = 1.0 / 8, .largest_divisor = 5};
static const double keep_from = 1.0, keep_to = 1.2; /* a step that would change by less is kept, with its factors */
static const double most_extrapolation =
    10; /* of the last step's polynomial, in its length: steps grow by 8 unless one was cut short */
static const double keep_jacobian = 1e-3; /* contraction below which the Jacobian is good enough */
static const double trust_growth = 1.05;  /* of the steps that Newton's method is trusted with, after a failure (I3a) */

typedef struct radau5_memory {
  wy_kept_matrices matrices; /* the factors are for a step */
  wy_kept_f f;
  bool first, rejected; /* no history yet; the last attempt failed */
  double contraction, faccon;
  double h_old; /* of the last accepted step: the continuous output covers it */
  wy_predictive_history last;
  /* The longest step that Newton's method is trusted with, INFINITY before it has failed; how that grows; and the step
     that it failed for. */
  double trusted, growth, failed;
} radau5_memory;

typedef struct radau5_scratch {
  double relative, absolute, newton_tolerance; /* after the transformation of the tolerance */
  double *u_jacobian, *f, *dense[4];           /* saved */
  double *z[3], *w[3], *g[3], *stage, *error;  /* workspace: stage increments, transformed ones, right-hand sides */
} radau5_scratch;

static void layout(wy_integrator *self, wy_memory *memory) {
  radau5_scratch counting, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(radau5_memory));
  s->u_jacobian = wy_arena_doubles(&memory->saved, n);
  s->f = self->f = wy_arena_doubles(&memory->saved, n);
  for (int i = 0; i < 4; i++)
    s->dense[i] = wy_arena_doubles(&memory->saved, n);
  for (int i = 0; i < 3; i++) {
    s->z[i] = wy_arena_doubles(&memory->scratch, n);
    s->w[i] = wy_arena_doubles(&memory->scratch, n);
    s->g[i] = wy_arena_doubles(&memory->scratch, n);
  }
  s->stage = wy_arena_doubles(&memory->scratch, n);
  s->error = wy_arena_doubles(&memory->scratch, n);
  /* The estimate is of order 3 for a method of order 5: a given tolerance is met with a larger one inside (IV.8). */
  double ratio = self->absolute / self->relative;
  s->relative = 0.1 * pow(self->relative, 2.0 / 3);
  s->absolute = s->relative * ratio;
  s->newton_tolerance = fmax(10 * DBL_EPSILON / s->relative, fmin(0.03, sqrt(s->relative)));
}

static void start(wy_integrator *self) {
  radau5_memory *m = self->memory;
  radau5_scratch *s = self->scratch;
  wy_integrator_rhs(self, self->now->t, self->u, s->f, false);
  self->now->h = wy_first_step(self, 3, s->f, s->stage, s->error);
  /* h_old stays: the continuous output still covers the last step. */
  *m = (radau5_memory){.f = {.valid = true},
                       .first = true,
                       .contraction = keep_jacobian,
                       .faccon = 1,
                       .h_old = m->h_old,
                       .trusted = (double)INFINITY,
                       .growth = 1};
}

/* ---- Vector kernels ---- */

/* z_i = extrapolation of the last step's collocation polynomial to the new stages; w = T^-1 z. */
WY_CLONES
static void predict(const radau5_scratch *s, double ratio, int n) {
  const double c1 = wy_radau5_c[0], c2 = wy_radau5_c[1];
  const double q[3] = {c1 * ratio, c2 * ratio, ratio};
  const double(*ti)[3] = wy_radau5_t_inverse;
  const double *restrict d1 = s->dense[1], *restrict d2 = s->dense[2], *restrict d3 = s->dense[3];
  double *restrict z1 = s->z[0], *restrict z2 = s->z[1], *restrict z3 = s->z[2];
  double *restrict w1 = s->w[0], *restrict w2 = s->w[1], *restrict w3 = s->w[2];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double a = q[0] * (d1[i] + (q[0] - c2 + 1) * (d2[i] + (q[0] - c1 + 1) * d3[i]));
    double b = q[1] * (d1[i] + (q[1] - c2 + 1) * (d2[i] + (q[1] - c1 + 1) * d3[i]));
    double c = q[2] * (d1[i] + (q[2] - c2 + 1) * (d2[i] + (q[2] - c1 + 1) * d3[i]));
    z1[i] = a, z2[i] = b, z3[i] = c;
    w1[i] = ti[0][0] * a + ti[0][1] * b + ti[0][2] * c;
    w2[i] = ti[1][0] * a + ti[1][1] * b + ti[1][2] * c;
    w3[i] = ti[2][0] * a + ti[2][1] * b + ti[2][2] * c;
  }
}

/* The right-hand sides of the transformed Newton systems: g = T^-1 f - Lambda w / h. */
WY_CLONES
static void newton_residual(const radau5_scratch *s, double h, int n) {
  const double(*ti)[3] = wy_radau5_t_inverse;
  const double gamma = wy_radau5_gamma / h, alpha = wy_radau5_alpha / h, beta = wy_radau5_beta / h;
  double *restrict g1 = s->g[0], *restrict g2 = s->g[1], *restrict g3 = s->g[2];
  const double *restrict w1 = s->w[0], *restrict w2 = s->w[1], *restrict w3 = s->w[2];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double a = g1[i], b = g2[i], c = g3[i];
    g1[i] = ti[0][0] * a + ti[0][1] * b + ti[0][2] * c - gamma * w1[i];
    g2[i] = ti[1][0] * a + ti[1][1] * b + ti[1][2] * c - alpha * w2[i] + beta * w3[i];
    g3[i] = ti[2][0] * a + ti[2][1] * b + ti[2][2] * c - alpha * w3[i] - beta * w2[i];
  }
}

/* w += correction, z = T w. */
WY_CLONES
static void newton_update(const radau5_scratch *s, int n) {
  const double(*t)[3] = wy_radau5_t;
  const double *restrict g1 = s->g[0], *restrict g2 = s->g[1], *restrict g3 = s->g[2];
  double *restrict w1 = s->w[0], *restrict w2 = s->w[1], *restrict w3 = s->w[2];
  double *restrict z1 = s->z[0], *restrict z2 = s->z[1], *restrict z3 = s->z[2];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double a = w1[i] + g1[i], b = w2[i] + g2[i], c = w3[i] + g3[i];
    w1[i] = a, w2[i] = b, w3[i] = c;
    z1[i] = t[0][0] * a + t[0][1] * b + t[0][2] * c;
    z2[i] = t[1][0] * a + t[1][1] * b + t[1][2] * c;
    z3[i] = t[2][0] * a + b;
  }
}

WY_CLONES
static void add_to(const double *restrict a, const double *restrict b, int n, double *restrict out) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = a[i] + b[i];
}

/* out = f + (e1 z1 + e2 z2 + e3 z3) / h */
WY_CLONES
static void error_residual(const radau5_scratch *s, const double *restrict f, double h, int n, double *restrict out) {
  const double e1 = wy_radau5_error[0] / h, e2 = wy_radau5_error[1] / h, e3 = wy_radau5_error[2] / h;
  const double *restrict z1 = s->z[0], *restrict z2 = s->z[1], *restrict z3 = s->z[2];
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = f[i] + e1 * z1[i] + e2 * z2[i] + e3 * z3[i];
}

/* Divided differences of the collocation polynomial through the stages, and the new state. */
WY_CLONES
static void accept_state(const radau5_scratch *s, double *restrict u, int n) {
  const double c1 = wy_radau5_c[0], c2 = wy_radau5_c[1];
  const double *restrict z1 = s->z[0], *restrict z2 = s->z[1], *restrict z3 = s->z[2];
  double *restrict d0 = s->dense[0], *restrict d1 = s->dense[1], *restrict d2 = s->dense[2], *restrict d3 = s->dense[3];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double first = (z2[i] - z3[i]) / (c2 - 1), second = (z1[i] - z2[i]) / (c1 - c2), third = z1[i] / c1;
    double next = (second - first) / (c1 - 1);
    d1[i] = first;
    d2[i] = next;
    d3[i] = next - (second - third) / c2;
    u[i] += z3[i];
    d0[i] = u[i];
  }
}

/* ---- One attempt ---- */

static wy_shifts shifts_for(double h) {
  return (wy_shifts){wy_radau5_gamma / h, wy_radau5_alpha / h, wy_radau5_beta / h};
}

/* Jacobian and factors for the step h; 0, or what the system returns where there are none. */
static int prepare(wy_integrator *self, double h) {
  wy_kept_matrices *kept = &((radau5_memory *)self->memory)->matrices;
  const radau5_scratch *s = self->scratch;
  int status = kept->has_jacobian ? 0 : wy_take_jacobian(self, kept, self->now->t, self->u, s->u_jacobian);
  if (!status && (!kept->has_factor || kept->made_for != h))
    status = wy_take_factors(self, kept, h, shifts_for(h));
  return status;
}

/* A failed attempt: a smaller step, and a new Jacobian unless the present one was made at this very point. */
static wy_outcome reject(wy_integrator *self, double h, wy_rejection rejection) {
  radau5_memory *m = self->memory;
  m->rejected = true;
  m->matrices.has_jacobian = m->matrices.has_jacobian && m->matrices.fresh;
  return wy_reject(self, h, rejection);
}

/* What Newton's method has failed for is not tried again at once. Not where obstacles make it fail, once for each of
   their kinks, nor where a method is compared with publications. */
static void distrust(wy_integrator *self, double h, double h_next) {
  radau5_memory *m = self->memory;
  if (self->touches || self->system->as_published)
    return;
  m->trusted = h_next, m->failed = h, m->growth = trust_growth;
}

/* The step after one of length h that was accepted. Once that is longer than what failed, the motion is another one. */
static double trusted_step(radau5_memory *m, double h, double next) {
  if (h > m->failed)
    m->growth *= m->growth;
  m->trusted = m->growth * fmax(m->trusted, h);
  return fmin(next, m->trusted);
}

/* Simplified Newton. Returns the iterations used; or, with the step to try next in *h_next, 0 where it does not
   converge, < 0 where something is not finite. */
static int newton(wy_integrator *self, double h, double *h_next) {
  radau5_memory *m = self->memory;
  radau5_scratch *s = self->scratch;
  wy_system *system = self->system;
  const int n = system->size;
  double t = self->now->t, norm_old = 0, ratio_old = 0;
  m->faccon = pow(fmax(m->faccon, DBL_EPSILON), 0.8);
  m->contraction = keep_jacobian;
  *h_next = 0.5 * h;
  for (int k = 1; k <= MOST_NEWTON; k++) {
    for (int i = 0; i < 3; i++) {
      add_to(self->u, s->z[i], n, s->stage);
      wy_integrator_rhs(self, t + wy_radau5_c[i] * h, s->stage, s->g[i], false);
    }
    newton_residual(s, h, n);
    system->type->solve(system, 0, s->g[0]);
    system->type->solve_complex(system, 0, s->g[1], s->g[2]);
    self->now->statistics.newton_iterations++;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      double part = wy_weighted_norm(self, s->relative, s->absolute, s->g[i], self->u, self->u);
      sum += part * part;
    }
    double norm = sqrt(sum / 3);
    if (!isfinite(norm))
      return -1;
    if (k > 1 && k < MOST_NEWTON) {
      double ratio = norm / norm_old;
      m->contraction = k == 2 ? ratio : sqrt(ratio * ratio_old);
      ratio_old = ratio;
      if (m->contraction >= 0.99)
        return 0;
      m->faccon = m->contraction / (1 - m->contraction);
      double left = m->faccon * norm * pow(m->contraction, MOST_NEWTON - 1 - k) / s->newton_tolerance;
      if (left >= 1) { /* would not be done in the iterations left: the step that would */
        double q = fmax(1e-4, fmin(20, left));
        *h_next = 0.8 * pow(q, -1.0 / (4 + MOST_NEWTON - 1 - k)) * h;
        return 0;
      }
    }
    norm_old = fmax(norm, DBL_EPSILON);
    newton_update(s, n);
    if (m->faccon * norm <= s->newton_tolerance)
      return k;
  }
  return 0;
}

static double estimate(wy_integrator *self, double h) {
  radau5_memory *m = self->memory;
  radau5_scratch *s = self->scratch;
  wy_system *system = self->system;
  const int n = system->size;
  error_residual(s, s->f, h, n, s->error);
  system->type->solve(system, 0, s->error);
  double error = fmax(wy_weighted_norm(self, s->relative, s->absolute, s->error, self->u, self->u), 1e-10);
  if (error >= 1 && (m->first || m->rejected)) {
    /* Filters out the stiff part once more, so that a large first error does not cut the step too far. */
    add_to(self->u, s->error, n, s->stage);
    wy_integrator_rhs(self, self->now->t, s->stage, s->g[0], false);
    error_residual(s, s->g[0], h, n, s->error);
    system->type->solve(system, 0, s->error);
    error = fmax(wy_weighted_norm(self, s->relative, s->absolute, s->error, self->u, self->u), 1e-10);
  }
  return error;
}

/* Work and dissipation by the method's own weights: z_i = h sum_j a_ij P(t_j, u + z_j). */
static void integrate_power(wy_integrator *self, double h) {
  radau5_scratch *s = self->scratch;
  const int tail = self->system->size;
  if (!self->system->has_power) { /* z may still hold the rates of before a restore */
    for (int i = 0; i < 3; i++)
      memset(s->z[i] + tail, 0, WY_INTEGRALS * sizeof(double));
    return;
  }
  double power[3][WY_INTEGRALS];
  for (int j = 0; j < 3; j++) {
    add_to(self->u, s->z[j], self->size, s->stage);
    wy_integrator_power(self, self->now->t + wy_radau5_c[j] * h, s->stage, s->g[0], power[j]);
  }
  for (int i = 0; i < 3; i++)
    for (int q = 0; q < WY_INTEGRALS; q++) {
      double sum = 0;
      for (int j = 0; j < 3; j++)
        sum += wy_radau5_a[i][j] * power[j][q];
      s->z[i][tail + q] = h * sum;
    }
}

/* Less is asked of a step for which Newton's method has taken long. */
static double safety_after(int iterations) {
  return fmin(control.safety, control.safety * (1 + 2 * MOST_NEWTON) / (iterations + 2 * MOST_NEWTON));
}

static void know_f(wy_integrator *self) {
  wy_know_f(self, &((radau5_memory *)self->memory)->f, false);
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  radau5_memory *m = self->memory;
  radau5_scratch *s = self->scratch;
  const int n = self->size;
  wy_trial trial = wy_try_step(self, t_stop);
  double h = trial.h, h_next;
  know_f(self);
  int status = prepare(self, h);
  if (status) {
    reject(self, 0.5 * h, WY_BY_SINGULARITY);
    return wy_outcome_of(status);
  }
  if (m->first || h > most_extrapolation * m->h_old) {
    for (int i = 0; i < 3; i++) {
      memset(s->z[i], 0, (size_t)n * sizeof(double));
      memset(s->w[i], 0, (size_t)n * sizeof(double));
    }
  } else {
    predict(s, h / m->h_old, self->system->size);
  }
  int iterations = newton(self, h, &h_next);
  if (iterations == 0)
    distrust(self, h, h_next);
  if (iterations <= 0)
    return reject(self, h_next, iterations < 0 ? WY_BY_NAN : WY_BY_NEWTON);
  double error = estimate(self, h);
  if (!isfinite(error))
    return reject(self, 0.1 * h, WY_BY_NAN);
  const double safety = safety_after(iterations);
  if (error >= 1)
    return reject(self, m->first ? 0.1 * h : wy_retried_step(&control, safety, h, error, self->touches, m->rejected),
                  WY_BY_ERROR);

  add_to(self->u, s->z[2], self->system->size, s->stage);
  if (!wy_step_allowed(self, h, s->stage))
    return reject(self, 0.5 * h, WY_BY_CONTACT);
  double next = wy_predicted_step(&control, self->touches ? NULL : &m->last, safety, h, error);
  integrate_power(self, h);
  accept_state(s, self->u, n);
  next = trusted_step(m, h, m->rejected ? fmin(next, h) : next);
  m->h_old = h;
  m->first = m->rejected = m->matrices.fresh = m->f.valid = false;
  /* A new Jacobian where Newton was slow; the same factors where the step would hardly change. */
  if (m->contraction > keep_jacobian)
    m->matrices.has_jacobian = false;
  else if (!trial.lands && next >= keep_from * h && next <= keep_to * h)
    next = h;
  wy_step_taken(self, &trial, next);
  return WY_ACCEPTED;
}

static void dense(const wy_integrator *self, double t, double *u) {
  const radau5_memory *m = self->memory;
  const radau5_scratch *s = self->scratch;
  const double c1 = wy_radau5_c[0], c2 = wy_radau5_c[1], q = (t - self->now->t) / m->h_old;
  for (int i = 0; i < self->size; i++)
    u[i] = s->dense[0][i] + q * (s->dense[1][i] + (q - c2 + 1) * (s->dense[2][i] + (q - c1 + 1) * s->dense[3][i]));
}

static void invalidate(wy_integrator *self, bool only_f) {
  radau5_memory *m = self->memory;
  wy_forget_f(self, &m->f);
  m->matrices.has_jacobian = m->matrices.has_jacobian && only_f;
}

static void resume(wy_integrator *self) {
  const wy_kept_matrices *kept = &((radau5_memory *)self->memory)->matrices;
  wy_restore_matrices(self, kept, ((radau5_scratch *)self->scratch)->u_jacobian, shifts_for(kept->made_for));
}

const wy_integrator_type wy_radau5 = {
    .info = &(const wy_integrator_info){.name = "radau5",
                                        .family = "implicit Runge-Kutta (Radau IIA)",
                                        .use = "stiff rods: the safe choice",
                                        .source = "Hairer and Wanner 1996",
                                        .lowest_order = 5,
                                        .highest_order = 5,
                                        .implicit = true,
                                        .vectors = 17},
    .needs = {.real = 1, .complex = 1},
    .know_f = know_f,
    .layout = layout,
    .start = start,
    .attempt = attempt,
    .dense = dense,
    .invalidate = invalidate,
    .resume = resume,
};
