/* SPDX-License-Identifier: MIT */
#include "support/mass_constraint.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/rods.h"

/* ---- Quaternions as values: the formulas below read like those of the paper ---- */

typedef struct quat {
  double c[4];
} quat;

static quat of4(const double p[4]) {
  return (quat){{p[0], p[1], p[2], p[3]}};
}

static quat of3(const double a[3]) {
  return (quat){{0, a[0], a[1], a[2]}};
}

static quat axis(int j) {
  quat out = {{0}};
  out.c[j] = 1;
  return out;
}

static quat mul(quat a, quat b) {
  quat out;
  wy_qmul(a.c, b.c, out.c);
  return out;
}

static quat mul3(quat a, quat b, quat c) {
  return mul(a, mul(b, c));
}

static quat conj4(quat a) {
  quat out;
  wy_qconj(a.c, out.c);
  return out;
}

static quat scale(double f, quat a) {
  return (quat){{f * a.c[0], f * a.c[1], f * a.c[2], f * a.c[3]}};
}

static quat add(quat a, quat b) {
  return (quat){{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2], a.c[3] + b.c[3]}};
}

static quat rate_of(const constrained_state *state, int i) {
  return scale(0.5, mul(of4(state->p[i]), of3(state->omega[i])));
}

/* ---- Kinematics ---- */

static quat difference(const double (*a)[3], int i, double h) {
  double out[3];
  for (int k = 0; k < 3; k++)
    out[k] = (a[i + 1][k] - a[i][k]) / h;
  return of3(out);
}

/* Gamma = Im(conj(p) X p) - e3 and its rate Im(conj(p) X' p) + 2 Im(conj(p) X p'), X = Dx / h. */
void constrained_strain(const constrained_rod *rod, const constrained_state *state, int segment, double strain[3],
                        double rate[3]) {
  quat p = of4(state->p[segment]), x = difference(state->x, segment, rod->h), v = difference(state->v, segment, rod->h);
  quat gamma = mul3(conj4(p), x, p), stretching = mul3(conj4(p), v, p),
       turning = mul3(conj4(p), x, rate_of(state, segment));
  for (int k = 0; k < 3; k++) {
    strain[k] = gamma.c[k + 1] - (k == 2);
    rate[k] = stretching.c[k + 1] + 2 * turning.c[k + 1];
  }
}

constrained_state constrained_bent(const constrained_rod *rod, const double x[3], const double v[3], const double p[4],
                                   double turn, unsigned seed) {
  constrained_state state = {0};
  quat frame = of4(p);
  wy_copy3(x, state.x[0]);
  wy_copy3(v, state.v[0]);
  for (int i = 0; i < rod->segments; i++) {
    double step[3], length = rod->h, growth = 0;
    quat turned;
    for (int k = 0; k < 3; k++)
      step[k] = turn * noise(&seed), state.omega[i][k] = noise(&seed);
    if (rod->kind == WY_KIRCHHOFF)
      length *= 1 + 0.1 * noise(&seed), growth = 0.2 * rod->h * noise(&seed);
    wy_qexp(step, turned.c);
    frame = mul(frame, turned);
    memcpy(state.p[i], frame.c, sizeof frame.c);
    quat d3 = mul3(frame, axis(3), conj4(frame)), swung = mul3(frame, mul(of3(state.omega[i]), axis(3)), conj4(frame));
    for (int k = 0; k < 3; k++) { /* Im(Om e3) = Om x e3 */
      state.x[i + 1][k] = state.x[i][k] + length * d3.c[k + 1];
      state.v[i + 1][k] = state.v[i][k] + length * swung.c[k + 1] + growth * d3.c[k + 1];
    }
  }
  return state;
}

/* zeta and its derivative for the five measures; near w = 1 the angle's by the series in (1 - w)/2. */
static void zeta_of(wy_curvature_measure measure, double w, double *zeta, double *slope) {
  double u = 1 + w, s = 1 - w * w;
  *zeta = 1, *slope = 0;
  switch (measure) {
  case WY_SIN2:
    break;
  case WY_SIN4:
    *zeta = sqrt(2 / u), *slope = -*zeta / (2 * u);
    break;
  case WY_TAN2:
    *zeta = 1 / w, *slope = -1 / (w * w);
    break;
  case WY_TAN4:
    *zeta = 2 / u, *slope = -2 / (u * u);
    break;
  default: /* angle */
    if (1 - w < 2e-3) {
      double y = 0.5 * (1 - w), term = 1;
      for (int k = 1; k < 12; k++) {
        double factor = 2.0 * k / (2 * k + 1);
        *slope += -0.5 * k * term * factor;
        term *= factor * y;
        *zeta += term;
      }
    } else {
      *zeta = acos(w) / sqrt(s), *slope = (w * *zeta - 1) / s;
    }
    break;
  }
}

/* What stands at a vertex: the rotation W between its neighbours, K - K0, the moment, and f_W, the force dual to W. */
typedef struct bend {
  double weight, excess[3], moment[3];
  quat force;
} bend;

static bend bend_of(const constrained_rod *rod, int vertex, quat w, quat dw, double weight) {
  bend out = {.weight = weight};
  double zeta, slope, inner = 0, two_h = 2 / rod->h;
  zeta_of(rod->measure, w.c[0], &zeta, &slope);
  for (int k = 0; k < 3; k++) {
    double im = w.c[k + 1];
    out.excess[k] = two_h * zeta * im - rod->natural[vertex][k];
    double rate = two_h * (zeta * dw.c[k + 1] + slope * dw.c[0] * im);
    out.moment[k] = rod->c_kappa[k] * out.excess[k] + rod->d_kappa[k] * rate;
    inner += im * out.moment[k];
  }
  out.force = scale(-weight * two_h * zeta, of3(out.moment));
  out.force.c[0] = -weight * two_h * slope * inner;
  return out;
}

static bend inner_bend(const constrained_rod *rod, const constrained_state *state, int vertex) {
  quat before = of4(state->p[vertex - 1]), after = of4(state->p[vertex]);
  quat dw =
      add(mul(conj4(rate_of(state, vertex - 1)), after), mul(conj4(before), rate_of(state, vertex))); /* with rates */
  return bend_of(rod, vertex, mul(conj4(before), after), dw, rod->h);
}

/* At a clamped end W = w^2, w = conj(p_0) p at the start and conj(p) p_0 at the end; difference length h, weight h/2.
 */
static bend end_bend(const constrained_rod *rod, const constrained_state *state, int end, quat *half) {
  const constrained_end *support = &rod->ends[end];
  int inner = end ? rod->segments - 1 : 0;
  quat p = of4(state->p[inner]), dp = rate_of(state, inner), p0 = of4(support->p), dp0 = of4(support->rate);
  quat w = end ? mul(conj4(p), p0) : mul(conj4(p0), p);
  quat dw = end ? add(mul(conj4(dp), p0), mul(conj4(p), dp0)) : add(mul(conj4(dp0), p), mul(conj4(p0), dp));
  *half = w;
  return bend_of(rod, end ? rod->segments : 0, mul(w, w), add(mul(dw, w), mul(w, dw)), 0.5 * rod->h);
}

void constrained_set_natural(constrained_rod *rod, const double curvature[3]) {
  double turn[3] = {rod->h * curvature[0], rod->h * curvature[1], rod->h * curvature[2]}, zeta, slope;
  quat w;
  wy_qexp(turn, w.c);
  zeta_of(rod->measure, w.c[0], &zeta, &slope);
  for (int n = 0; n <= rod->segments; n++)
    for (int k = 0; k < 3; k++)
      rod->natural[n][k] = 2 / rod->h * zeta * w.c[k + 1];
}

static double vertex_mass(const constrained_rod *rod, int i) {
  return rod->mass * rod->h * (i == 0 || i == rod->segments ? 0.5 : 1);
}

static int multipliers(wy_rod_kind kind) {
  return kind == WY_KIRCHHOFF ? 2 : 3;
}

/* ---- Generalised forces ---- */

typedef struct forces {
  quat x[CONSTRAINED_MOST + 1], p[CONSTRAINED_MOST];
} forces;

static void add_bends(const constrained_rod *rod, const constrained_state *state, forces *f) {
  for (int n = 1; n < rod->segments; n++) {
    bend at = inner_bend(rod, state, n);
    f->p[n] = add(f->p[n], mul(of4(state->p[n - 1]), at.force));
    f->p[n - 1] = add(f->p[n - 1], mul(of4(state->p[n]), conj4(at.force)));
  }
  for (int end = 0; end < 2; end++) {
    if (!rod->ends[end].clamped)
      continue;
    quat w, p0 = of4(rod->ends[end].p);
    bend at = end_bend(rod, state, end, &w);
    quat on_half = add(mul(at.force, conj4(w)), mul(conj4(w), at.force)); /* f_w = f_W conj(w) + conj(w) f_W */
    int inner = end ? rod->segments - 1 : 0;
    f->p[inner] = add(f->p[inner], mul(p0, end ? conj4(on_half) : on_half));
  }
}

/* A section force F (body) pulls the vertices by +-R F and turns p by 2 Dx p F. */
static void add_section_force(const constrained_rod *rod, const constrained_state *state, int i, const double force[3],
                              forces *f) {
  quat p = of4(state->p[i]), pull = mul3(p, of3(force), conj4(p));
  f->x[i] = add(f->x[i], pull);
  f->x[i + 1] = add(f->x[i + 1], scale(-1, pull));
  f->p[i] = add(f->p[i], scale(2 * rod->h, mul3(difference(state->x, i, rod->h), p, of3(force))));
}

/* Force of the components that are not constrained. */
static void elastic_force(const constrained_rod *rod, const constrained_state *state, int i, double force[3]) {
  double strain[3], rate[3];
  constrained_strain(rod, state, i, strain, rate);
  for (int k = 0; k < 3; k++)
    force[k] = k < multipliers(rod->kind) ? 0 : rod->c_gamma[k] * strain[k] + rod->d_gamma[k] * rate[k];
}

/* psi: forces, with loads, drag and the gyroscopic term -8 h p' (rho I)(conj(p) p'). */
static forces forces_of(const constrained_rod *rod, const constrained_state *state) {
  forces f = {0};
  for (int n = 0; n <= rod->segments; n++)
    for (int k = 0; k < 3; k++)
      f.x[n].c[k + 1] =
          vertex_mass(rod, n) * (rod->gravity[k] - rod->drag[0] * state->v[n][k]) + rod->vertex_force[n][k];
  add_bends(rod, state, &f);
  for (int i = 0; i < rod->segments; i++) {
    quat p = of4(state->p[i]), dp = rate_of(state, i), spin = mul(conj4(p), dp), momentum = {{0}}, dragged = {{0}};
    double force[3];
    elastic_force(rod, state, i, force);
    add_section_force(rod, state, i, force, &f);
    for (int k = 0; k < 3; k++) {
      momentum.c[k + 1] = rod->rotary[k] * spin.c[k + 1];
      dragged.c[k + 1] = -rod->drag[1] * rod->h * rod->rotary[k] * state->omega[i][k];
    }
    f.p[i] = add(f.p[i], scale(-8 * rod->h, mul(dp, momentum)));
    f.p[i] = add(f.p[i], scale(2, mul(of3(rod->segment_moment[i]), p)));
    f.p[i] = add(f.p[i], scale(2, mul(p, dragged)));
  }
  return f;
}

static bool is_held(const constrained_rod *rod, int vertex, int k, double *a) {
  int end = vertex == 0 ? 0 : vertex == rod->segments ? 1 : -1;
  if (end < 0 || !rod->ends[end].held[k])
    return false;
  *a = rod->ends[end].a[k];
  return true;
}

void mass_constraint_forces(const constrained_rod *rod, const constrained_state *state, double *b) {
  int cell = 8 + multipliers(rod->kind);
  forces f = forces_of(rod, state);
  for (int n = 0; n <= rod->segments; n++)
    for (int k = 0; k < 3; k++)
      if (!is_held(rod, n, k, &b[cell * n + k]))
        b[cell * n + k] = f.x[n].c[k + 1];
  for (int i = 0; i < rod->segments; i++) {
    quat p = of4(state->p[i]), dp = rate_of(state, i);
    quat x = difference(state->x, i, rod->h), v = difference(state->v, i, rod->h);
    quat square = mul3(conj4(dp), x, dp), cross = mul3(conj4(p), v, dp);
    double *out = b + cell * i + 3;
    memcpy(out, f.p[i].c, sizeof f.p[i].c);
    out[4] = 0;
    for (int k = 0; k < 4; k++)
      out[4] -= dp.c[k] * dp.c[k];
    for (int k = 0; k < multipliers(rod->kind); k++)
      out[5 + k] = -(2 * square.c[k + 1] + 4 * cross.c[k + 1]);
  }
}

/* ---- The matrix ---- */

int mass_constraint_bandwidth(wy_rod_kind kind) {
  return kind == WY_KIRCHHOFF ? 9 : 10;
}

/* One constraint in row `row`: its gradient there, and transposed in the columns. */
static void put_gradient(mass_constraint *self, int row, int column, double value) {
  self->matrix[row * self->order + column] = value;
  self->matrix[column * self->order + row] = value;
}

static void put_segment(mass_constraint *self, const constrained_rod *rod, const constrained_state *state, int i) {
  const int n = self->order, at = self->cell * i, lambda = at + 7;
  quat p = of4(state->p[i]), x = difference(state->x, i, rod->h);
  double inertia[4] = {0, rod->rotary[0], rod->rotary[1], rod->rotary[2]};
  quat columns[4]; /* of Q(p): p e_j, with e_0 = 1 */
  for (int j = 0; j < 4; j++)
    columns[j] = mul(p, axis(j));
  for (int a = 0; a < 4; a++) {
    for (int b = 0; b < 4; b++)
      for (int j = 0; j < 4; j++)
        self->matrix[(at + 3 + a) * n + at + 3 + b] += 4 * rod->h * columns[j].c[a] * inertia[j] * columns[j].c[b];
    quat by_p = mul3(conj4(p), x, axis(a));
    put_gradient(self, lambda, at + 3 + a, p.c[a]);
    for (int k = 0; k < self->constraints - 1; k++)
      put_gradient(self, lambda + 1 + k, at + 3 + a, 2 * by_p.c[k + 1]);
  }
  for (int j = 0; j < 3; j++) {
    quat by_x = scale(1 / rod->h, mul3(conj4(p), axis(j + 1), p));
    for (int k = 0; k < self->constraints - 1; k++) {
      put_gradient(self, lambda + 1 + k, at + j, -by_x.c[k + 1]);
      put_gradient(self, lambda + 1 + k, at + self->cell + j, by_x.c[k + 1]);
    }
  }
}

static void hold_rows(mass_constraint *self, const constrained_rod *rod) {
  double ignored;
  for (int n = 0; n <= rod->segments; n++)
    for (int k = 0; k < 3; k++) {
      double *row = self->matrix + (self->cell * n + k) * self->order;
      if (is_held(rod, n, k, &ignored)) {
        memset(row, 0, (size_t)self->order * sizeof *row);
        row[self->cell * n + k] = 1;
      }
    }
}

mass_constraint mass_constraint_make(const constrained_rod *rod, const constrained_state *state) {
  mass_constraint self = {.constraints = 1 + multipliers(rod->kind)};
  check_at_most(rod->segments, CONSTRAINED_MOST);
  self.cell = 7 + self.constraints;
  self.order = self.cell * rod->segments + 3;
  self.matrix = calloc((size_t)self.order * (size_t)self.order, sizeof *self.matrix);
  assert_non_null(self.matrix);
  for (int i = 0; i < rod->segments; i++)
    put_segment(&self, rod, state, i);
  for (int n = 0; n <= rod->segments; n++)
    for (int k = 0; k < 3; k++)
      self.matrix[(self.cell * n + k) * (self.order + 1)] = vertex_mass(rod, n);
  hold_rows(&self, rod);

  int half = mass_constraint_bandwidth(rod->kind);
  assert_int_equal(mass_constraint_lost(&self, half), 0);
  for (int pass = 0; pass < 2; pass++) {
    wy_band_layout(&self.band, &self.arena, self.order, half, half);
    if (pass == 0)
      assert_int_equal(wy_arena_allocate(&self.arena), 0);
  }
  for (int i = 0; i < self.order; i++)
    for (int j = i - half; j <= i + half; j++)
      if (j >= 0 && j < self.order)
        wy_band_row(&self.band, i)[j - i + half] = self.matrix[i * self.order + j];
  return self;
}

void mass_constraint_free(mass_constraint *self) {
  free(self->matrix);
  wy_arena_release(&self->arena);
}

int mass_constraint_lost(const mass_constraint *self, int half) {
  int lost = 0;
  for (int i = 0; i < self->order; i++)
    for (int j = 0; j < self->order; j++)
      lost += abs(i - j) > half && self->matrix[i * self->order + j] != 0;
  return lost;
}

bool mass_constraint_solve(mass_constraint *self, double *b) {
  if (wy_band_factor(&self->band))
    return false;
  wy_band_solve(&self->band, b);
  return true;
}

/* ---- The motion ---- */

/* Componentwise |A^-1| (|A| |z| + |b|) u: column by column of the inverse. */
static void bound_error(mass_constraint *self, const double *b, const double *z, double *bound) {
  const int n = self->order;
  double *column = malloc((size_t)n * sizeof *column);
  assert_non_null(column);
  memset(bound, 0, (size_t)n * sizeof *bound);
  for (int j = 0; j < n; j++) {
    double size = fabs(b[j]);
    for (int k = 0; k < n; k++)
      size += fabs(self->matrix[j * n + k] * z[k]);
    memset(column, 0, (size_t)n * sizeof *column);
    column[j] = 1;
    wy_band_solve(&self->band, column);
    for (int i = 0; i < n; i++)
      bound[i] += 0.5 * DBL_EPSILON * fabs(column[i]) * size;
  }
  free(column);
}

/* Om' = 2 Im(conj(p) p''); -G^T lambda is the force of F = lambda / h. */
static void split(const constrained_rod *rod, const constrained_state *state, int cell, const double *z,
                  const double *bound, constrained_motion *out) {
  memset(out, 0, sizeof *out);
  for (int n = 0; n <= rod->segments; n++)
    for (int k = 0; k < 3; k++) {
      out->a[n][k] = z[cell * n + k];
      out->error.a = fmax(out->error.a, bound[cell * n + k]);
    }
  for (int i = 0; i < rod->segments; i++) {
    const double *at = z + cell * i, *error = bound + cell * i;
    quat turn = mul(conj4(of4(state->p[i])), of4(at + 3));
    elastic_force(rod, state, i, out->force[i]);
    for (int k = 0; k < 3; k++)
      out->dom[i][k] = 2 * turn.c[k + 1];
    for (int k = 0; k < multipliers(rod->kind); k++) {
      out->force[i][k] = at[8 + k] / rod->h;
      out->error.force = fmax(out->error.force, error[8 + k] / rod->h);
    }
    for (int k = 0; k < 4; k++)
      out->error.dom = fmax(out->error.dom, 2 * error[3 + k]);
  }
  for (int k = multipliers(rod->kind); k < 3; k++)
    out->error.force += DBL_EPSILON * (rod->c_gamma[k] + rod->d_gamma[k]);
}

/* What the equation of a held component lacks. */
static void reactions(const constrained_rod *rod, const constrained_state *state, constrained_motion *out) {
  forces f = forces_of(rod, state);
  for (int i = 0; i < rod->segments; i++) {
    double constrained[3] = {0};
    for (int k = 0; k < multipliers(rod->kind); k++)
      constrained[k] = out->force[i][k];
    add_section_force(rod, state, i, constrained, &f);
  }
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++) {
      int n = end ? rod->segments : 0;
      double a;
      if (is_held(rod, n, k, &a))
        out->reaction[end][k] = vertex_mass(rod, n) * a - f.x[n].c[k + 1];
      out->error.reaction = fmax(out->error.reaction, out->error.force + DBL_EPSILON * fabs(f.x[n].c[k + 1]));
    }
}

bool mass_constraint_motion(const constrained_rod *rod, const constrained_state *state, constrained_motion *motion) {
  mass_constraint self = mass_constraint_make(rod, state);
  size_t n = (size_t)self.order;
  double *b = calloc(n, sizeof *b), *z = calloc(n, sizeof *z), *bound = calloc(n, sizeof *bound);
  assert_true(b && z && bound);
  mass_constraint_forces(rod, state, b);
  memcpy(z, b, n * sizeof *z);
  bool regular = mass_constraint_solve(&self, z);
  if (regular) {
    bound_error(&self, b, z, bound);
    split(rod, state, self.cell, z, bound, motion);
    reactions(rod, state, motion);
  }
  free(b), free(z), free(bound);
  mass_constraint_free(&self);
  return regular;
}

/* ---- Energy ---- */

double constrained_energy(const constrained_rod *rod, const constrained_state *state) {
  double sum = 0;
  for (int n = 0; n <= rod->segments; n++)
    for (int k = 0; k < 3; k++)
      sum += vertex_mass(rod, n) * (0.5 * state->v[n][k] * state->v[n][k] - rod->gravity[k] * state->x[n][k]);
  for (int i = 0; i < rod->segments; i++) {
    double strain[3], rate[3];
    constrained_strain(rod, state, i, strain, rate);
    for (int k = 0; k < 3; k++) {
      sum += 0.5 * rod->h * rod->rotary[k] * state->omega[i][k] * state->omega[i][k];
      sum += k < multipliers(rod->kind) ? 0 : 0.5 * rod->h * rod->c_gamma[k] * strain[k] * strain[k];
    }
  }
  for (int n = 0; n <= rod->segments; n++) {
    int end = n == 0 ? 0 : n == rod->segments ? 1 : -1;
    quat ignored;
    if (end >= 0 && !rod->ends[end].clamped)
      continue;
    bend at = end >= 0 ? end_bend(rod, state, end, &ignored) : inner_bend(rod, state, n);
    for (int k = 0; k < 3; k++)
      sum += 0.5 * at.weight * rod->c_kappa[k] * at.excess[k] * at.excess[k];
  }
  return sum;
}
