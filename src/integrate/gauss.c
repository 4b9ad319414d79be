/* SPDX-License-Identifier: MIT */
/* Gauss collocation with a fixed step: the midpoint rule and its relatives of order 4 and 6, which keep every quadratic
   invariant of the motion; and the midpoint rule with a discrete gradient, which keeps any elastic energy. The stage
   equations are solved by a simplified Newton method down to round-off: what is left of them is what the invariants
   lose. docs/theory/integrators.md. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "integrate/gauss_table.h"
#include "integrate/implicit.h"
#include "integrate/methods.h"
#include "scheme/contacts.h"

typedef struct gauss_memory {
  wy_kept_matrices matrices; /* the factors are for a step */
  double h_old;              /* of the last step: its collocation polynomial is kept */
  bool has_step;
  double size[WY_MAX_FIELDS]; /* largest entry of each kind of field so far: what round-off is measured by */
} gauss_memory;

typedef struct gauss_scratch {
  wy_gauss_table table;
  double *u_jacobian, *before, *f[WY_GAUSS_STAGES]; /* saved: the last step's beginning and its stages' rates */
  double *z[WY_GAUSS_STAGES], *g[WY_GAUSS_STAGES];  /* stage increments, residuals and corrections */
  double *spare[WY_GAUSS_STAGES], *stage;
  /* With contact: where the step leads; and where the one began whose Jacobian is kept, saved. */
  double *after, *before_jacobian;
} gauss_scratch;

static int stages_of(const wy_integrator *self) {
  return self->type->info->highest_order / 2;
}

static void layout(wy_integrator *self, wy_memory *memory) {
  gauss_scratch counting, *s = wy_arena_take(&memory->scratch, sizeof *s);
  self->scratch = s;
  if (!s)
    s = &counting;
  const size_t n = (size_t)self->size;
  self->memory = wy_arena_take(&memory->saved, sizeof(gauss_memory));
  s->u_jacobian = wy_arena_doubles(&memory->saved, n);
  s->before = wy_arena_doubles(&memory->saved, n);
  for (int i = 0; i < stages_of(self); i++) {
    s->f[i] = wy_arena_doubles(&memory->saved, n);
    s->z[i] = wy_arena_doubles(&memory->scratch, n);
    s->g[i] = wy_arena_doubles(&memory->scratch, n);
    s->spare[i] = wy_arena_doubles(&memory->scratch, n);
  }
  s->stage = wy_arena_doubles(&memory->scratch, n);
  s->after = s->before_jacobian = NULL;
  if (self->touches) {
    s->after = wy_arena_doubles(&memory->scratch, n);
    s->before_jacobian = wy_arena_doubles(&memory->saved, n);
  }
  self->f = wy_arena_doubles(&memory->scratch, n);
  wy_gauss_fill(&s->table, stages_of(self));
}

static void start(wy_integrator *self) {
  gauss_memory *m = self->memory;
  wy_start_on_grid(self);
  m->matrices.has_factor = m->has_step = false; /* h_old stays: the continuous output still covers the last step */
}

/* ---- The stages ---- */

/* The force of contact is the mean over the step from `before` that has `middle` in its middle (K8). */
static void look_between(const wy_integrator *self, double h, const double *before, const double *middle) {
  const gauss_scratch *s = self->scratch;
  if (!s->after)
    return;
  for (int k = 0; k < self->system->size; k++)
    s->after[k] = 2 * middle[k] - before[k];
  wy_system_between(self->system, h, before, s->after);
}

static void look_at_states(const wy_integrator *self) {
  if (((const gauss_scratch *)self->scratch)->after)
    wy_system_between(self->system, 0, NULL, NULL);
}

static void evaluate(wy_integrator *self, int i, double h, double *f, bool power) {
  gauss_scratch *s = self->scratch;
  wy_system *system = self->system;
  const double t = self->now->t + s->table.c[i] * h;
  for (int k = 0; k < self->size; k++)
    s->stage[k] = self->u[k] + s->z[i][k];
  look_between(self, h, self->u, s->stage);
  if (!self->type->discrete_gradient) {
    wy_integrator_rhs(self, t, s->stage, f, power);
  } else {
    memset(f + system->size, 0, WY_LANES * sizeof *f);
    self->now->statistics.rhs++;
    if (system->type->rhs_between(system, t, self->u, s->stage, f,
                                  power && system->has_power ? f + system->size : NULL))
      wy_spoil(system, f);
  }
  look_at_states(self);
}

/* out = sum of m[j] from[j], for up to three vectors. */
WY_CLONES
static void combine(int stages, const double m[WY_GAUSS_STAGES], double *const from[WY_GAUSS_STAGES], int n,
                    double *restrict out) {
  const double *restrict a = from[0], *restrict b = from[stages > 1 ? 1 : 0], *restrict c = from[stages > 2 ? 2 : 0];
  const double m0 = m[0], m1 = stages > 1 ? m[1] : 0, m2 = stages > 2 ? m[2] : 0;
  for (int k = 0; k < n; k++)
    out[k] = m0 * a[k] + m1 * b[k] + m2 * c[k];
}

WY_CLONES
static void add_scaled(double factor, const double *restrict from, int n, double *restrict to) {
  for (int k = 0; k < n; k++)
    to[k] += factor * from[k];
}

static void scale(double factor, int n, double *a) {
  for (int k = 0; k < n; k++)
    a[k] *= factor;
}

/* out[i] = sum of m[i][j] from[j] */
static void transform(const wy_integrator *self, const double (*m)[WY_GAUSS_STAGES],
                      double *const from[WY_GAUSS_STAGES], double *const out[WY_GAUSS_STAGES]) {
  for (int i = 0; i < stages_of(self); i++)
    combine(stages_of(self), m[i], from, self->system->size, out[i]);
}

/* g = T^-1 A^-1 (sum of a_ij f_j - z_i / h), where g holds f. */
static void residual(const wy_integrator *self, double h) {
  const gauss_scratch *s = self->scratch;
  static const double halves[WY_GAUSS_STAGES] = {0.5, 0.5, 0.5};
  const int n = self->system->size, stages = s->table.stages;
  for (int i = 0; i < stages; i++)
    scale(s->table.b[i], n, s->g[i]);
  transform(self, s->table.skew, s->g, s->spare);
  combine(stages, halves, s->g, n, s->stage);
  for (int i = 0; i < stages; i++) {
    add_scaled(1, s->stage, n, s->spare[i]);
    add_scaled(-1 / h, s->z[i], n, s->spare[i]);
  }
  transform(self, s->table.into, s->spare, s->g);
}

/* z += T g; the correction stays in `spare`. */
static void add_correction(const wy_integrator *self) {
  const gauss_scratch *s = self->scratch;
  transform(self, s->table.t, s->g, s->spare);
  for (int i = 0; i < s->table.stages; i++)
    add_scaled(1, s->spare[i], self->system->size, s->z[i]);
}

/* The largest entries that count of a correction and of what it leads to; the sum tells of entries that are not finite.
 */
WY_CLONES
static double largest_entry(const double *restrict weight, const double *restrict a, const double *restrict b, int n,
                            double *size) {
  double largest = 0, largest_size = *size, sum = 0;
#pragma omp simd reduction(max : largest, largest_size) reduction(+ : sum)
  for (int k = 0; k < n; k++) {
    double entry = weight[k] * fabs(a[k]), whole = weight[k] * fabs(b[k]);
    sum += entry;
    largest = entry > largest ? entry : largest;
    largest_size = whole > largest_size ? whole : largest_size;
  }
  *size = largest_size;
  return isfinite(sum) ? largest : (double)INFINITY;
}

/* The size that round-off of a field is measured by: the largest entry of its kind so far, of a state, and of the
   stages in hand. Fields that are energies count together, with their units: where only velocities are large, the
   strains of a rod that flies as a whole are round-off of theirs. Returns the size that those share. */
static double field_sizes(const wy_integrator *self, const gauss_memory *m, double size[WY_MAX_FIELDS]) {
  const gauss_scratch *s = self->scratch;
  const wy_system *system = self->system;
  double shared = system->least_unit;
  memcpy(size, m->size, sizeof m->size);
  for (int f = 0; f < system->field_count; f++) {
    const wy_field *field = &system->fields[f];
    const int n = field->components * field->stride, from = field->offset;
    double *largest = &size[field->kind];
    largest_entry(system->weight + from, self->u + from, self->u + from, n, largest);
    for (int i = 0; i < s->table.stages; i++)
      largest_entry(system->weight + from, s->z[i] + from, s->z[i] + from, n, largest);
    shared = fmax(shared, field->unit * *largest);
  }
  return shared;
}

/* The largest correction of a field relative to its size. */
static double size_of_correction(const wy_integrator *self) {
  const gauss_scratch *s = self->scratch;
  const wy_system *system = self->system;
  double size[WY_MAX_FIELDS], worst = 0;
  const double shared = field_sizes(self, self->memory, size);
  for (int f = 0; f < system->field_count; f++) {
    const wy_field *field = &system->fields[f];
    const int n = field->components * field->stride, from = field->offset;
    double change = 0, unused = 0;
    for (int i = 0; i < s->table.stages; i++)
      change = fmax(change, largest_entry(system->weight + from, s->spare[i] + from, s->spare[i] + from, n, &unused));
    const double whole = field->unit > 0 ? shared / field->unit : size[field->kind];
    if (change > 0)
      worst = fmax(worst, isfinite(whole) ? change / whole : (double)INFINITY);
  }
  return worst;
}

/* Remembers the sizes of a state that was accepted. */
static void remember_sizes(wy_integrator *self) {
  gauss_memory *m = self->memory;
  const wy_system *system = self->system;
  for (int f = 0; f < system->field_count; f++) {
    const wy_field *field = &system->fields[f];
    const double *u = self->u + field->offset;
    largest_entry(system->weight + field->offset, u, u, field->components * field->stride, &m->size[field->kind]);
  }
}

/* ---- Newton's method ---- */

static wy_shifts shifts_for(const wy_integrator *self, double h) {
  const wy_gauss_table *table = &((const gauss_scratch *)self->scratch)->table;
  const wy_shifts all = {table->gamma / h, table->alpha / h, -table->beta / h};
  return (wy_shifts){table->real ? all.real : 0, table->complex ? all.complex_re : 0,
                     table->complex ? all.complex_im : 0};
}

/* The Jacobian at (t, u), and factors for the step h. */
static int take_matrices(wy_integrator *self, double h, double t, const double *u) {
  wy_kept_matrices *kept = &((gauss_memory *)self->memory)->matrices;
  const gauss_scratch *s = self->scratch;
  look_between(self, h, self->u, u);
  int status = wy_take_jacobian(self, kept, t, u, s->u_jacobian);
  look_at_states(self);
  if (s->after)
    memcpy(s->before_jacobian, self->u, (size_t)self->size * sizeof(double));
  return status ? status : wy_take_factors(self, kept, h, shifts_for(self, h));
}

static void correct(wy_integrator *self) {
  gauss_scratch *s = self->scratch;
  wy_system *system = self->system;
  if (s->table.real)
    system->type->solve(system, 0, s->g[0]);
  if (s->table.complex)
    system->type->solve_complex(system, 0, s->g[s->table.real], s->g[s->table.real + 1]);
  add_correction(self);
  self->now->statistics.newton_iterations++;
}

enum { MOST_CORRECTIONS = 40, MOST_RENEWALS = 8, MOST_HALVINGS = 8 };
/* With contact, what is left of the equations after a correction, over what was left before, that makes it too long: at
   first as much as a skin takes by surprise; then it has to fall, or a velocity would flip from one side of friction to
   the other for ever. More Jacobians are taken on this way. */
enum { MOST_RETREATS = 6, SURPRISES = 3, MOST_RENEWALS_WITH_CONTACT = 25 };
static const double surprise = 10, progress = 0.99;
static const double smallest_change = 1e-15;        /* round-off */
static const double small_change = 1e-9;            /* from here on a correction that no longer falls is round-off */
static const double slow_fall = 0.2, stalled = 0.5; /* of a correction against the one before */

/* The Jacobian in the middle of what the stages have come to. */
static int renew_jacobian(wy_integrator *self, double h) {
  gauss_scratch *s = self->scratch;
  for (int k = 0; k < self->size; k++) {
    double sum = 0;
    for (int i = 0; i < s->table.stages; i++)
      sum += s->z[i][k];
    s->stage[k] = self->u[k] + sum / s->table.stages;
  }
  return take_matrices(self, h, self->now->t + 0.5 * h, s->stage);
}

/* What is left of the equation of the midpoint rule, where g holds f. */
WY_CLONES
static double left_over(const double *restrict weight, const double *restrict f, const double *restrict z, double h,
                        int n) {
  double largest = 0;
#pragma omp simd reduction(max : largest)
  for (int k = 0; k < n; k++) {
    double entry = weight[k] * fabs(0.5 * f[k] - z[k] / h);
    largest = entry > largest ? entry : largest;
  }
  return largest;
}

/* f of all stages, in g. A correction may lead to where a material law ends, or deep into an obstacle:
   then half of it is taken back, and so on. */
static bool evaluate_all(wy_integrator *self, double h, int corrections, double *left) {
  gauss_scratch *s = self->scratch;
  const int n = self->system->size;
  for (int halvings = 0; halvings < MOST_HALVINGS; halvings++) {
    double size = 0, largest = 0;
    for (int i = 0; i < s->table.stages; i++) {
      evaluate(self, i, h, s->g[i], false);
      largest = fmax(largest, largest_entry(self->system->weight, s->g[i], s->g[i], n, &size));
    }
    bool good = isfinite(largest);
    if (good && s->after) {
      const double now = left_over(self->system->weight, s->g[0], s->z[0], h, n);
      const double most = corrections > SURPRISES ? progress : surprise;
      good = corrections == 0 || now <= most * *left || halvings >= MOST_RETREATS;
      *left = good ? now : *left;
    }
    if (good)
      return true;
    if (corrections == 0)
      return false;
    for (int i = 0; i < s->table.stages; i++) {
      add_scaled(-0.5, s->spare[i], n, s->z[i]);
      scale(0.5, n, s->spare[i]);
    }
  }
  return false;
}

/* 0 at round-off. A Jacobian serves while corrections fall fast. */
static int iterate(wy_integrator *self, double h) {
  const int most_renewals = self->touches ? MOST_RENEWALS_WITH_CONTACT : MOST_RENEWALS;
  double last = INFINITY, left = INFINITY;
  for (int k = 0, renewals = 0; k < MOST_CORRECTIONS; k++) {
    if (!evaluate_all(self, h, last <= small_change ? 1 : k, &left))
      return 1;
    residual(self, h);
    correct(self);
    double change = size_of_correction(self);
    if (!isfinite(change))
      return 1;
    const bool small = fmax(last, change) <= small_change;
    if (change <= smallest_change || (small && change >= stalled * last))
      return 0;
    if (!small && change > slow_fall * last && (renewals++ == most_renewals || renew_jacobian(self, h)))
      return 1;
    last = change;
  }
  return 1;
}

/* First guesses: the last step's polynomial goes on; or nothing moves. */
static void guess(wy_integrator *self, double h, bool extrapolate) {
  const gauss_memory *m = self->memory;
  gauss_scratch *s = self->scratch;
  const int n = s->table.stages;
  for (int i = 0; i < n; i++) {
    double weights[WY_GAUSS_STAGES] = {0};
    memset(s->z[i], 0, (size_t)self->size * sizeof(double));
    if (extrapolate)
      wy_gauss_weights(&s->table, 1 + s->table.c[i] * h / m->h_old, weights);
    for (int j = 0; extrapolate && j < n; j++)
      for (int k = 0; k < self->system->size; k++)
        s->z[i][k] += m->h_old * (weights[j] - s->table.b[j]) * s->f[j][k];
  }
}

/* With the factors at hand; with new ones; and, as steps may turn out too long for extrapolation, from rest. */
static bool solve_stages(wy_integrator *self, double h) {
  gauss_memory *m = self->memory;
  bool history = m->has_step && h <= 1.5 * m->h_old;
  for (int tries = m->matrices.has_factor && fabs(h - m->matrices.made_for) <= 1e-6 * h ? 0 : 1; tries < 3; tries++) {
    guess(self, h, history && tries < 2);
    if (tries > 0 && take_matrices(self, h, self->now->t, self->u))
      continue;
    if (!iterate(self, h))
      return true;
  }
  m->matrices.has_factor = false;
  return false;
}

/* The driver divides the step. */
static wy_outcome reject(wy_integrator *self, wy_rejection rejection) {
  return wy_reject(self, self->now->h, rejection);
}

static wy_outcome attempt(wy_integrator *self, double t_stop) {
  gauss_memory *m = self->memory;
  gauss_scratch *s = self->scratch;
  wy_trial trial = wy_try_grid_step(self, t_stop);
  const double h = trial.h;
  if (!solve_stages(self, h))
    return reject(self, WY_BY_NEWTON);
  for (int i = 0; i < s->table.stages; i++)
    evaluate(self, i, h, s->g[i], true);
  for (int k = 0; k < self->size; k++) {
    double sum = 0;
    for (int i = 0; i < s->table.stages; i++)
      sum += s->table.b[i] * s->g[i][k];
    s->stage[k] = self->u[k] + h * sum;
  }
  if (!wy_step_allowed(self, h, s->stage))
    return reject(self, WY_BY_CONTACT);
  const size_t bytes = (size_t)self->size * sizeof(double);
  for (int i = 0; i < s->table.stages; i++)
    memcpy(s->f[i], s->g[i], bytes);
  memcpy(s->before, self->u, bytes);
  memcpy(self->u, s->stage, bytes);
  m->h_old = h;
  m->has_step = true;
  remember_sizes(self);
  wy_step_taken(self, &trial, trial.wanted);
  return WY_ACCEPTED;
}

static void dense(const wy_integrator *self, double t, double *u) {
  const gauss_memory *m = self->memory;
  const gauss_scratch *s = self->scratch;
  double weights[WY_GAUSS_STAGES] = {0};
  wy_gauss_weights(&s->table, (t - self->now->t_old) / (self->now->t - self->now->t_old), weights);
  for (int k = 0; k < self->size; k++) {
    double sum = 0;
    for (int i = 0; i < s->table.stages; i++)
      sum += weights[i] * s->f[i][k];
    u[k] = s->before[k] + m->h_old * sum;
  }
}

static void invalidate(wy_integrator *self, bool only_f) {
  wy_kept_matrices *kept = &((gauss_memory *)self->memory)->matrices;
  kept->has_factor = kept->has_factor && only_f;
}

static void resume(wy_integrator *self) {
  const wy_kept_matrices *kept = &((gauss_memory *)self->memory)->matrices;
  const gauss_scratch *s = self->scratch;
  if (!kept->has_factor)
    return;
  look_between(self, kept->made_for, s->before_jacobian, s->u_jacobian);
  wy_restore_matrices(self, kept, s->u_jacobian, shifts_for(self, kept->made_for));
  look_at_states(self);
}

/* The row of a method of this family, but for its texts. */
#define ROW(method_order)                                                                                              \
  .lowest_order = (method_order), .highest_order = (method_order), .implicit = true, .fixed_step = true,               \
  .keeps_energy = true

static const wy_integrator_info gauss4_row = {ROW(4),
                                              .name = "gauss4",
                                              .family = "implicit Runge-Kutta (Gauss)",
                                              .use = "keeps energy, more accurate",
                                              .source = "Hairer and Wanner 1996",
                                              .vectors = 12};
static const wy_integrator_info gauss6_row = {ROW(6),
                                              .name = "gauss6",
                                              .family = "implicit Runge-Kutta (Gauss)",
                                              .use = "keeps energy, most accurate",
                                              .source = "Hairer and Wanner 1996",
                                              .vectors = 16};
static const wy_integrator_info discrete_gradient_row = {ROW(2),
                                                         .name = "discrete_gradient",
                                                         .family = "implicit midpoint, balanced stresses",
                                                         .use = "exact energy with laws that stiffen",
                                                         .source = "Gonzalez 1996",
                                                         .vectors = 8};

#define GAUSS(row, gradient, touches, real_systems, complex_systems)                                                   \
  {                                                                                                                    \
    .info = (row), .motion = WY_ODE, .discrete_gradient = (gradient), .no_contact = !(touches),                        \
    .needs = {.real = (real_systems), .complex = (complex_systems)}, .layout = layout, .start = start,                 \
    .attempt = attempt, .dense = dense, .invalidate = invalidate, .resume = resume                                     \
  }

const wy_integrator_type wy_gauss2 = GAUSS(&wy_midpoint_row, false, true, 1, 0);
const wy_integrator_type wy_gauss4 = GAUSS(&gauss4_row, false, false, 0, 1);
const wy_integrator_type wy_gauss6 = GAUSS(&gauss6_row, false, false, 1, 1);
const wy_integrator_type wy_discrete_gradient = GAUSS(&discrete_gradient_row, true, true, 1, 0);
