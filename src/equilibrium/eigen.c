/* SPDX-License-Identifier: MIT */
/* The lowest eigenpairs of K phi = lambda M phi by block Lanczos with shift and inversion, full orthogonalisation in
   the product of M, and thick restarts. All of the projected matrix is kept, so that vectors can join at any time:
   after a breakdown, or where Sturm's count shows that a multiple eigenvalue is not yet complete. docs/theory/modes.md.
 */
#include "equilibrium/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"

enum {
  BLOCK = 3,
  ROOM = 24,
  MOST_RESTARTS = 60,
  MOST_SWEEPS = 40,
  RIGID = 6,
  MOST_POWERS = 50,
  GAP = 5,
  FAR = 10,
  ROUND_OFF = 12
};

static const double accurate = 1e-11; /* residual of an eigenpair, relative to its eigenvalue of the inverse */
static const double dependent = 1e-9; /* what is left of a vector, relative, that has nothing new */

/* ---- Symmetric matrices, dense ---- */

/* Turns the plane (p, q) so that a[p][q] becomes zero, and the vectors with it. */
static void rotate(double *a, double *v, int n, int p, int q) {
  double apq = a[p * n + q], theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  double t = copysign(1, theta) / (fabs(theta) + sqrt(1 + theta * theta)), c = 1 / sqrt(1 + t * t), s = t * c;
  for (int k = 0; k < n; k++) {
    double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
  }
  for (int k = 0; k < n; k++) {
    double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
    x = v[p * n + k], y = v[q * n + k];
    v[p * n + k] = c * x - s * y, v[q * n + k] = s * x + c * y;
  }
}

/* Swaps eigenpairs so that the values descend. */
static void sort(double *a, double *v, int n) {
  for (int i = 0; i < n; i++) {
    int best = i;
    for (int j = i + 1; j < n; j++)
      if (a[j * n + j] > a[best * n + best])
        best = j;
    double value = a[i * n + i];
    a[i * n + i] = a[best * n + best], a[best * n + best] = value;
    for (int k = 0; best != i && k < n; k++) {
      double x = v[i * n + k];
      v[i * n + k] = v[best * n + k], v[best * n + k] = x;
    }
  }
}

void wy_symmetric_eigen(double *a, double *v, int n) {
  for (int i = 0; i < n * n; i++)
    v[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    bool changed = false;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++)
        if (fabs(a[p * n + q]) > 0.125 * DBL_EPSILON * sqrt(fabs(a[p * n + p] * a[q * n + q])) + DBL_MIN) {
          rotate(a, v, n, p, q);
          changed = true;
        }
    if (!changed)
      break;
  }
  sort(a, v, n);
}

/* ---- Where the eigenvalues are ---- */

/* Sturm's count at mu, or next to it where K - mu M happens to be singular; -1 where K is not symmetric. */
static int count_below(const wy_equilibrium *self, double mu) {
  int count;
  for (int k = 0; k < 3; k++)
    if (!self->system->type->statics->negative(self->system, mu * (1 + k * 1e-7), &count))
      return count;
  return -1;
}

/* Counts at powers of 16, each made once. */
typedef struct powers {
  const wy_equilibrium *self;
  bool known[2 * MOST_POWERS + ROUND_OFF + 1];
  int count[2 * MOST_POWERS + ROUND_OFF + 1];
} powers;

static int count_at(powers *all, int exponent) {
  const int at = exponent + MOST_POWERS + ROUND_OFF;
  if (!all->known[at])
    all->count[at] = count_below(all->self, ldexp(1, 4 * exponent));
  all->known[at] = true;
  return all->count[at];
}

/* The lowest power of 16, searched from `exponent`, at which at least `wanted` eigenvalues lie below. */
static int find_power(powers *all, int exponent, int wanted) {
  while (exponent < MOST_POWERS && count_at(all, exponent) < wanted)
    exponent++;
  while (exponent > -MOST_POWERS && count_at(all, exponent - 1) >= wanted)
    exponent--;
  return exponent;
}

bool wy_spectrum_find(const wy_equilibrium *self, wy_spectrum *out) {
  powers all = {.self = self};
  int exponent = 0, unstable = count_below(self, 0), last = 0;
  while (exponent > -MOST_POWERS && count_at(&all, exponent) < 0)
    exponent--;
  /* Upwards until for a long way nothing comes any more, or M alone is left within round-off. */
  const wy_statics_type *type = self->system->type->statics;
  const int most = type->directions ? type->directions(self->system) : self->system->dofs;
  const int rigid = self->system->parts ? most / 2 : RIGID; /* or fewer; mechanisms have more than a rod */
  out->count = 0;
  for (; exponent < MOST_POWERS && out->count < most && (out->count <= rigid || exponent <= last + GAP); exponent++) {
    int count = count_at(&all, exponent);
    if (count < 0)
      break;
    if (count > out->count)
      out->count = count, last = exponent;
  }
  if (out->count == 0)
    return false;
  int above = (unstable > 0 ? unstable : 0) + RIGID + 1;
  if (above > out->count) /* a rod of one or two pieces: what is far below its highest is zero */
    for (above = 1; above < out->count && find_power(&all, last, above) < last - FAR;)
      above++;
  if (self->system->parts) { /* mechanisms have more of them: all that are zero to round-off */
    const int zeros = count_at(&all, find_power(&all, last, out->count / 2) - ROUND_OFF);
    above = zeros >= above && zeros < out->count ? zeros + 1 : above;
  }
  int power = find_power(&all, last, above);
  if (power == -MOST_POWERS)
    return false; /* nothing but zeros */
  out->low = ldexp(1, 4 * power - 2);
  /* Round-off is that of the bulk of eigenvalues; the highest ones may be shear or artificial. Their place is found
     only as well as it matters. */
  const double least = 1e-9 * out->low, most_noise = 1e-5 * out->low, share = 64 * DBL_EPSILON;
  double bulk = ldexp(1, 4 * find_power(&all, last, out->count / 2));
  while (share * bulk > least && share * bulk / 16 < most_noise && bulk > out->low &&
         count_below(self, bulk / 2) >= out->count / 2)
    bulk /= 2;
  out->noise = fmin(fmax(least, share * bulk), most_noise);
  return true;
}

double wy_eigen_noise(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config,
                      const double *phi) {
  wy_system *system = self->system;
  const int n = system->dofs;
  double *psi = self->critical, *there = self->residual, *back = self->correction, sum = 0;
  double step = 1e-5 / fmax(wy_freedom_size(system, phi), DBL_MIN);
  uint64_t seed = 1;
  wy_freedom_scatter(system, &seed, psi);
  for (int i = 0; i < n; i++)
    psi[i] = copysign(phi[i], psi[i]);
  for (int side = -1; side <= 1; side += 2) {
    system->type->statics->displace(system, config, psi, side * step, self->trial);
    if (wy_stretch_residual(self, stretch, tau, self->trial, side < 0 ? back : there))
      return 0;
  }
  for (int i = 0; i < n; i++)
    sum += psi[i] * (there[i] - back[i]);
  return 16 * DBL_EPSILON * fabs(sum / (2 * step));
}

/* ---- Lanczos ---- */

typedef struct lanczos {
  wy_equilibrium *self;
  int n, wanted, most; /* degrees of freedom, eigenpairs, vectors */
  int columns, done;   /* vectors there are, and those that the operator has been applied to */
  bool exhausted;      /* the vectors span everything */
  double sigma;
  double *v, *t;                           /* vectors [most][n], projected operator [most][most] */
  double *ritz, *rotation, *row, *product; /* eigenvalues (diagonal) and vectors of t; work */
  uint64_t seed;
} lanczos;

/* Takes away from x what the columns hold; adds the parts to `parts`, where given. Length before and after, in the norm
   of M. */
static double orthogonalise(lanczos *l, double *x, double *parts, double *before) {
  const wy_statics_type *type = l->self->system->type->statics;
  type->mass_times(l->self->system, x, l->product);
  *before = sqrt(fmax(wy_dot(x, l->product, l->n), 0));
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 0; j < l->columns; j++)
      l->row[j] = wy_dot(l->v + (size_t)j * l->n, l->product, l->n);
    for (int j = 0; j < l->columns; j++) {
      const double *v = l->v + (size_t)j * l->n;
      for (int i = 0; i < l->n; i++)
        x[i] -= l->row[j] * v[i];
      if (parts)
        parts[j] += l->row[j];
    }
    type->mass_times(l->self->system, x, l->product);
  }
  return sqrt(fmax(wy_dot(x, l->product, l->n), 0));
}

static void apply_operator(const lanczos *l, const double *from, double *to) {
  const wy_statics_type *type = l->self->system->type->statics;
  type->mass_times(l->self->system, from, to);
  type->solve(l->self->system, to);
}

static void append(lanczos *l, double length) {
  double *x = l->v + (size_t)l->columns * l->n;
  for (int i = 0; i < l->n; i++)
    x[i] /= length;
  l->columns++;
}

/* A new column that has nothing to do with the others; false if there is no such vector. */
static bool append_random(lanczos *l) {
  double *x = l->v + (size_t)l->columns * l->n, *from = l->v + (size_t)(l->columns + 1) * l->n, before;
  for (int tries = 0; tries < 3 && !l->exhausted; tries++) {
    wy_freedom_scatter(l->self->system, &l->seed, from);
    apply_operator(l, from, x);
    double length = orthogonalise(l, x, NULL, &before);
    if (length > dependent * before) {
      append(l, length);
      return true;
    }
  }
  l->exhausted = true;
  return false;
}

/* Applies the operator to the next column; what is new becomes a column. */
static void expand(lanczos *l) {
  const int m = l->most, j = l->done;
  double *x = l->v + (size_t)l->columns * l->n, before;
  double *parts = l->t + (size_t)j * m;
  memset(parts, 0, (size_t)m * sizeof *parts);
  apply_operator(l, l->v + (size_t)j * l->n, x);
  double length = orthogonalise(l, x, parts, &before);
  if (length > dependent * before) {
    append(l, length);
    parts[l->columns - 1] = length;
  } else {
    append_random(l);
  }
  for (int i = 0; i < l->columns; i++)
    l->t[(size_t)i * m + j] = parts[i];
  l->done++;
}

/* Eigenpairs of the projection on the columns done. */
static void project(lanczos *l) {
  const int m = l->most, k = l->done;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      l->ritz[i * k + j] = 0.5 * (l->t[(size_t)i * m + j] + l->t[(size_t)j * m + i]);
  wy_symmetric_eigen(l->ritz, l->rotation, k);
}

static double ritz_value(const lanczos *l, int i) {
  return l->ritz[i * l->done + i];
}

/* The part of the operator's image of eigenvector i of the projection that lies in column `column`. */
static double leak(const lanczos *l, int i, int column) {
  return wy_dot(l->t + (size_t)column * l->most, l->rotation + (size_t)i * l->done, l->done);
}

static bool converged(const lanczos *l) {
  if (l->done < l->wanted)
    return false;
  for (int i = 0; i < l->wanted; i++) {
    double sum = 0;
    for (int c = l->done; c < l->columns; c++)
      sum += leak(l, i, c) * leak(l, i, c);
    if (sqrt(sum) > accurate * ritz_value(l, i) + 4 * DBL_EPSILON * ritz_value(l, 0))
      return false;
  }
  return true;
}

static double eigenvalue(const lanczos *l, int i) {
  return l->sigma + 1 / ritz_value(l, i);
}

/* Have all eigenvalues below the last one been found? */
static bool complete(const lanczos *l, const wy_spectrum *spectrum) {
  double last = eigenvalue(l, l->wanted - 1);
  double mu = last - 1e-6 * (fabs(last) + fabs(l->sigma)) - spectrum->noise;
  int found = 0;
  while (found < l->wanted && eigenvalue(l, found) < mu)
    found++;
  return count_below(l->self, mu) <= found;
}

/* Replaces the columns by the best `keep` eigenvectors of the projection, followed by those not done. */
static void compress(lanczos *l, int keep) {
  const int m = l->most, rest = l->columns - l->done;
  for (int c = 0; c < rest; c++) {
    for (int i = 0; i < keep; i++)
      l->row[i] = leak(l, i, l->done + c);
    memcpy(l->t + (size_t)(keep + c) * m, l->row, (size_t)keep * sizeof *l->row);
  }
  for (int i = 0; i < l->n; i++) { /* one degree of freedom of all vectors after the other */
    for (int k = 0; k < keep; k++) {
      l->row[k] = 0;
      for (int j = 0; j < l->done; j++)
        l->row[k] += l->rotation[k * l->done + j] * l->v[(size_t)j * l->n + i];
    }
    for (int k = 0; k < keep; k++)
      l->v[(size_t)k * l->n + i] = l->row[k];
  }
  memmove(l->v + (size_t)keep * l->n, l->v + (size_t)l->done * l->n, (size_t)rest * l->n * sizeof *l->v);
  for (int i = 0; i < keep; i++) {
    double *row = l->t + (size_t)i * m;
    memset(row, 0, (size_t)m * sizeof *row);
    row[i] = ritz_value(l, i);
    for (int c = 0; c < rest; c++)
      row[keep + c] = l->t[(size_t)(keep + c) * m + i];
  }
  l->done = keep;
  l->columns = keep + rest;
}

/* Forgets the columns not done: those that are done go on as they are, and new ones join. */
static void refresh(lanczos *l) {
  l->columns = l->done;
  l->exhausted = false;
  for (int i = 0; i < BLOCK; i++)
    append_random(l);
}

/* Columns until the wanted eigenpairs are there, or there is no more room; `thorough`: not before that. */
static void fill(lanczos *l, bool thorough) {
  const int limit = l->most - BLOCK - 2;
  bool ready = false;
  while (!ready && l->done < limit && l->done < l->columns) {
    expand(l);
    bool full = l->done == limit || l->done == l->columns;
    if (full || (!thorough && l->done >= l->wanted + 2 * BLOCK && l->done % (2 * BLOCK) == 0)) {
      project(l);
      ready = converged(l);
    }
  }
}

static bool iterate(lanczos *l, const wy_spectrum *spectrum) {
  bool thorough = false;
  for (int i = 0; i < BLOCK; i++)
    append_random(l);
  for (int restarts = 0; restarts < MOST_RESTARTS; restarts++) {
    fill(l, thorough);
    if (l->exhausted && l->done == l->columns) { /* they span everything */
      l->wanted = l->wanted < l->done ? l->wanted : l->done;
      return true;
    }
    thorough = converged(l);
    if (thorough && complete(l, spectrum))
      return true;
    /* If something is missing, vectors that have nothing to do with what was found will lead there. */
    int keep = thorough ? l->wanted : l->wanted + ROOM / 3;
    compress(l, keep < l->done ? keep : l->done);
    if (thorough)
      refresh(l);
  }
  return false;
}

/* The shift: below all eigenvalues, and not further than the scale of the lowest ones. */
static bool set_shift(lanczos *l, const wy_spectrum *spectrum) {
  wy_system *system = l->self->system;
  double sigma = -0.25 * spectrum->low;
  for (int k = 0; k < 2 * MOST_POWERS && count_below(l->self, sigma) != 0; k++)
    sigma *= 4;
  l->sigma = 1.5 * sigma;
  l->self->statistics->factorisations++;
  return system->type->statics->factor(system, l->sigma) == 0;
}

/* All work space in one block: vectors, projection, its eigenpairs, two rows. */
static double *reserve(lanczos *l) {
  size_t n = (size_t)l->n, m = (size_t)l->most;
  double *block = malloc(((m + 2) * n + 3 * m * m + m + n) * sizeof *block);
  if (!block)
    return NULL;
  l->v = block;
  l->t = l->v + (m + 2) * n;
  l->ritz = l->t + m * m;
  l->rotation = l->ritz + m * m;
  l->row = l->rotation + m * m;
  l->product = l->row + m;
  memset(l->t, 0, m * m * sizeof *l->t);
  return block;
}

/* The product of M does not see forces and held components: one more step of the iteration makes them right. */
static void purify(lanczos *l, int i, double *x) {
  apply_operator(l, x, l->v + (size_t)l->most * l->n);
  for (int k = 0; k < l->n; k++)
    x[k] = l->v[(size_t)l->most * l->n + k] / ritz_value(l, i);
}

wy_status wy_eigen_lowest(wy_equilibrium *self, const wy_spectrum *spectrum, int *count, double *values,
                          double *vectors, wy_message *message) {
  lanczos l = {.self = self, .n = self->system->dofs, .seed = 1};
  l.wanted = *count < spectrum->count ? *count : spectrum->count;
  l.most = 2 * l.wanted + ROOM + BLOCK + 2;
  double *block = reserve(&l);
  if (!block)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d modes", *count);
  bool found = set_shift(&l, spectrum) && iterate(&l, spectrum);
  for (int i = 0; found && i < l.wanted; i++) {
    values[i] = eigenvalue(&l, i);
    double *out = vectors + (size_t)i * l.n;
    memset(out, 0, (size_t)l.n * sizeof *out);
    for (int j = 0; j < l.done; j++)
      for (int k = 0; k < l.n; k++)
        out[k] += l.rotation[i * l.done + j] * l.v[(size_t)j * l.n + k];
    purify(&l, i, out);
  }
  *count = l.wanted;
  free(block);
  if (!found)
    return wy_fail(message, WY_ERROR_SOLVER, "%s '%s': the iteration for %d modes does not converge",
                   wy_system_noun(self->system), wy_system_name(self->system), *count);
  return WY_OK;
}
