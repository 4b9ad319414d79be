/* SPDX-License-Identifier: MIT */
/* Rods without shear (kirchhoff) and without shear and extension (inextensible): the strains Gamma1, Gamma2 (, Gamma3)
   of every segment are zero, and the section forces in their place are multipliers.

   Accelerations are eliminated from the mass-constraint matrix of the index-1 form, which leaves a symmetric, block
   tridiagonal matrix in the section forces, three unknowns a segment (C5). The same matrix serves the accelerations
   (C6) and the projection of positions and velocities (C7). docs/theory/constraints.md derives all of it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "math/quat.h"
#include "scheme/staggered/rod.h"

/* A pivot this small against the diagonal entry it comes from means that the constraints are not independent. */
static const double dependent = 1e-12;
/* What such a pivot's right-hand side may be, against the largest, to be met by any force. */
static const double consistent = 1e-9;

/* ---- The matrix ---- */

/* Diagonal blocks w- + w+ + h^2 skew(X)^T I^-1 skew(X), w the inverse masses of the two vertices, and the blocks
   -w R^T R+ to the next segment (C5). For kirchhoff the third row and column are those of the identity. */
WY_INLINE void matrix_loop(const wy_staggered *self, const double *restrict u, bool extensible) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict unit = self->eval.unit, *restrict h = self->grid.h;
  const double *restrict inv_h = self->grid.inv_h, *restrict inv_inertia = self->grid.inv_inertia;
  const double *restrict w = self->grid.inv_mass;
  double *restrict tangent = self->links.tangent, *restrict diagonal = self->links.diagonal,
                   *restrict next = self->links.next;
#pragma omp simd
  for (int i = 0; i < self->grid.n; i++) {
    wy_q4 q = wy_load4(unit, hs, i);
    wy_v3 dx = wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i));
    wy_v3 t = wy_apply_transposed(wy_rotation(q), wy_times(inv_h[i], dx));
    wy_v3 j = wy_times(h[i] * h[i], wy_load3(inv_inertia, n, i));
    double sum = w[i] + w[i + 1];
    wy_store3(tangent, n, i, t);
    diagonal[i] = sum + j.y * t.z * t.z + j.z * t.y * t.y;
    diagonal[n + i] = -j.z * t.x * t.y;
    diagonal[2 * n + i] = sum + j.x * t.z * t.z + j.z * t.x * t.x;
    diagonal[3 * n + i] = extensible ? 0 : -j.y * t.x * t.z;
    diagonal[4 * n + i] = extensible ? 0 : -j.x * t.y * t.z;
    diagonal[5 * n + i] = extensible ? 1 : sum + j.x * t.y * t.y + j.y * t.x * t.x;
    wy_m3 turn = wy_mtimes(-w[i + 1], wy_rotation(wy_between(q, wy_load4(unit, hs, i + 1))));
    if (extensible)
      turn.a.z = turn.b.z = turn.c.x = turn.c.y = turn.c.z = 0;
    wy_store3(next, n, i, turn.a);
    wy_store3(next + 3 * n, n, i, turn.b);
    wy_store3(next + 6 * n, n, i, turn.c);
  }
}

/* Held components of an end do not move: their part of w R^T R goes. */
static void hold_end(const wy_staggered *self, int end) {
  if (!wy_is_held(self, end, 0) && !wy_is_held(self, end, 1) && !wy_is_held(self, end, 2))
    return;
  const int n = self->grid.stride, i = end ? self->grid.n - 1 : 0, vertex = end ? self->grid.n : 0;
  wy_m3 r = wy_rotation(wy_load4(self->eval.unit, self->grid.halo_stride, i));
  const double rows[3][3] = {{r.a.x, r.b.x, r.c.x}, {r.a.y, r.b.y, r.c.y}, {r.a.z, r.b.z, r.c.z}};
  const int size = self->grid.constrained;
  for (int k = 0; k < 3; k++) {
    if (!wy_is_held(self, end, k))
      continue;
    for (int row = 0, at = 0; row < size; row++)
      for (int column = 0; column <= row; column++, at++)
        self->links.diagonal[at * n + i] -= self->grid.inv_mass[vertex] * rows[k][row] * rows[k][column];
  }
}

/* A symmetric 3x3 block. Where `planar` is asked for, only its first two rows and columns count: zeros that the
   compiler may not leave out would lengthen the recurrences. No arrays: gcc 12 would put them together to vectors,
   which is slow where the next block waits for them. */
typedef struct symmetric {
  double a11, a21, a22, a31, a32, a33;
} symmetric;

WY_INLINE symmetric load_block(const double *m, int n, int i, bool planar) {
  if (planar)
    return (symmetric){m[i], m[n + i], m[2 * n + i], 0, 0, 1};
  return (symmetric){m[i], m[n + i], m[2 * n + i], m[3 * n + i], m[4 * n + i], m[5 * n + i]};
}

WY_INLINE void store_block(double *m, int n, int i, symmetric b, bool planar) {
  m[i] = b.a11, m[n + i] = b.a21, m[2 * n + i] = b.a22;
  if (!planar)
    m[3 * n + i] = b.a31, m[4 * n + i] = b.a32, m[5 * n + i] = b.a33;
}

WY_INLINE symmetric block_times(double f, symmetric b) {
  return (symmetric){f * b.a11, f * b.a21, f * b.a22, f * b.a31, f * b.a32, f * b.a33};
}

WY_INLINE symmetric block_minus(symmetric b, symmetric c) {
  return (symmetric){b.a11 - c.a11, b.a21 - c.a21, b.a22 - c.a22, b.a31 - c.a31, b.a32 - c.a32, b.a33 - c.a33};
}

WY_INLINE wy_v3 times_block(symmetric b, wy_v3 v, bool planar) {
  if (planar)
    return (wy_v3){b.a11 * v.x + b.a21 * v.y, b.a21 * v.x + b.a22 * v.y, 0};
  return (wy_v3){b.a11 * v.x + b.a21 * v.y + b.a31 * v.z, b.a21 * v.x + b.a22 * v.y + b.a32 * v.z,
                 b.a31 * v.x + b.a32 * v.y + b.a33 * v.z};
}

/* m^T p, which is known to be symmetric */
WY_INLINE symmetric symmetric_product(wy_m3 m, wy_m3 p, bool planar) {
  if (planar)
    return (symmetric){
        m.a.x * p.a.x + m.a.y * p.a.y, m.b.x * p.a.x + m.b.y * p.a.y, m.b.x * p.b.x + m.b.y * p.b.y, 0, 0, 0};
  return (symmetric){wy_inner(m.a, p.a), wy_inner(m.b, p.a), wy_inner(m.b, p.b),
                     wy_inner(m.c, p.a), wy_inner(m.c, p.b), wy_inner(m.c, p.c)};
}

static double inverse_pivot(double pivot, double from) {
  return pivot > dependent * from ? 1 / pivot : 0;
}

static wy_link_pivots find_pivots(symmetric a, symmetric original) {
  wy_link_pivots f;
  f.inv[0] = inverse_pivot(a.a11, original.a11);
  f.l21 = a.a21 * f.inv[0], f.l31 = a.a31 * f.inv[0];
  f.inv[1] = inverse_pivot(a.a22 - f.l21 * a.a21, original.a22);
  double a32 = a.a32 - f.l31 * a.a21;
  f.l32 = a32 * f.inv[1];
  f.inv[2] = inverse_pivot(a.a33 - f.l31 * a.a31 - f.l32 * a32, original.a33);
  return f;
}

/* L^-T D^-1 L^-1 with no force where there is no pivot. */
static symmetric careful_inverse(const wy_link_pivots *f) {
  double m1[3] = {1, -f->l21, f->l21 * f->l32 - f->l31}, m2[2] = {1, -f->l32}; /* columns of L^-1 */
  return (symmetric){f->inv[0] * m1[0] + f->inv[1] * m1[1] * m1[1] + f->inv[2] * m1[2] * m1[2],
                     f->inv[1] * m1[1] * m2[0] + f->inv[2] * m1[2] * m2[1],
                     f->inv[1] + f->inv[2] * m2[1] * m2[1],
                     f->inv[2] * m1[2],
                     f->inv[2] * m2[1],
                     f->inv[2]};
}

/* The block of the segment whose constraints depend on those before it, inverted with care. */
static symmetric invert_dependent(wy_staggered *self, int i, symmetric from, symmetric original) {
  self->links.dependent_pivots = find_pivots(from, original);
  self->links.dependent_at = i;
  return careful_inverse(&self->links.dependent_pivots);
}

/* Cofactors, and the determinant. */
WY_INLINE double cofactors(symmetric a, symmetric *out, bool planar) {
  if (planar) {
    *out = (symmetric){a.a22, -a.a21, a.a11, 0, 0, 1};
    return a.a11 * a.a22 - a.a21 * a.a21;
  }
  *out = (symmetric){a.a22 * a.a33 - a.a32 * a.a32, a.a31 * a.a32 - a.a21 * a.a33, a.a11 * a.a33 - a.a31 * a.a31,
                     a.a21 * a.a32 - a.a22 * a.a31, a.a21 * a.a31 - a.a11 * a.a32, a.a11 * a.a22 - a.a21 * a.a21};
  return a.a11 * out->a11 + a.a21 * out->a21 + a.a31 * out->a31;
}

WY_INLINE wy_m3 load_next(const double *p, int n, int i, bool planar) {
  if (planar)
    return (wy_m3){{p[i], p[n + i], 0}, {p[3 * n + i], p[4 * n + i], 0}, {0, 0, 0}};
  return (wy_m3){wy_load3(p, n, i), wy_load3(p + 3 * n, n, i), wy_load3(p + 6 * n, n, i)};
}

WY_INLINE void store_next(double *p, int n, int i, wy_m3 m, bool planar) {
  p[i] = m.a.x, p[n + i] = m.a.y, p[3 * n + i] = m.b.x, p[4 * n + i] = m.b.y;
  if (!planar) {
    p[2 * n + i] = m.a.z, p[5 * n + i] = m.b.z;
    wy_store3(p + 6 * n, n, i, m.c);
  }
}

/* Block elimination from the start: each block S is replaced by its inverse, the block to its right, A+, by P = S^-1
   A+. A block waits for the one before, and most of that is a division; therefore it comes last: meanwhile the products
   of A+^T S^-1 A+ are made of cofactors, which are S^-1 but for the determinant. */
WY_INLINE void elimination_loop(wy_staggered *self, bool planar) {
  const int n = self->grid.stride;
  double *restrict diagonal = self->links.diagonal, *restrict next = self->links.next;
  symmetric carry = {0, 0, 0, 0, 0, 0}; /* of the segment before; times `inverse` it is A+^T S^-1 A+ */
  double inverse = 0;
  for (int i = 0; i < self->grid.n; i++) {
    const symmetric original = load_block(diagonal, n, i, planar);
    const symmetric a = block_minus(original, block_times(inverse, carry));
    symmetric cofactor;
    const double det = cofactors(a, &cofactor, planar);
    inverse = 1 / det;
    if (!(det > 1e-8 * original.a11 * original.a22 * original.a33) || !(cofactor.a11 > 0)) {
      cofactor = invert_dependent(self, i, a, original);
      inverse = 1;
    }
    const wy_m3 to = load_next(next, n, i, planar);
    const wy_m3 product = {times_block(cofactor, to.a, planar), times_block(cofactor, to.b, planar),
                           times_block(cofactor, to.c, planar)};
    carry = symmetric_product(to, product, planar);
    store_next(next, n, i, wy_mtimes(inverse, product), planar);
    store_block(diagonal, n, i, block_times(inverse, cofactor), planar);
  }
}

WY_CLONES
static void eliminate(wy_staggered *self) {
  self->links.dependent_at = -1;
  if (self->grid.constrained == 2)
    elimination_loop(self, true);
  else
    elimination_loop(self, false);
}

WY_CLONES
static void fill_matrix(const wy_staggered *self, const double *u) {
  if (self->grid.constrained == 2)
    matrix_loop(self, u, true);
  else
    matrix_loop(self, u, false);
}

/* An inextensible rod that is straight between its ends has one constraint too many while both are held, though a hub
   there may give way. A little compliance makes its matrix regular; what that leaves unmet, repetition removes (N9). */
bool wy_staggered_yields(const wy_staggered *self) {
  return self->ports.any && self->grid.constrained == 3 && wy_support_holds_position(&self->supports, WY_START) &&
         wy_support_holds_position(&self->supports, WY_END);
}

static void yield_to_hubs(wy_staggered *self) {
  const int n = self->grid.stride;
  for (int i = 0; i < self->grid.n; i++) {
    const double little = wy_yielding * (self->grid.inv_mass[i] + self->grid.inv_mass[i + 1]);
    self->links.diagonal[i] += little;
    self->links.diagonal[2 * n + i] += little;
    self->links.diagonal[5 * n + i] += little;
  }
}

void wy_staggered_factor_links(wy_staggered *self, const double *u) {
  assert(self->grid.constrained >= 2 && self->links.diagonal);
  fill_matrix(self, u);
  if (self->fluid.adds) {
    wy_staggered_added_masses(self);
    wy_staggered_added_links(self);
  }
  for (int end = 0; end < 2 && !self->fluid.adds; end++)
    hold_end(self, end);
  if (wy_staggered_yields(self))
    yield_to_hubs(self);
  eliminate(self);
}

/* What elimination leaves in the rows of a block that have no pivot. */
static double unmet(const wy_link_pivots *f, wy_v3 b) {
  double left[3] = {b.x, b.y - f->l21 * b.x, 0}, largest = 0;
  left[2] = b.z - f->l31 * left[0] - f->l32 * left[1];
  for (int k = 0; k < 3; k++)
    largest = f->inv[k] > 0 ? largest : fmax(largest, fabs(left[k]));
  return largest;
}

/* a - m b, entry by entry: the shortest way through a recurrence. */
WY_INLINE wy_v3 less(wy_v3 a, wy_m3 m, wy_v3 b, bool planar) {
  const wy_v3 rest = wy_minus(wy_minus(a, wy_times(b.x, m.a)), wy_times(b.y, m.b));
  return planar ? rest : wy_minus(rest, wy_times(b.z, m.c));
}

/* Forward elimination and back substitution in place, in `lambda`. With `doubtful`: can forces meet the constraint
   that depends on others? */
WY_INLINE bool substitution_loop(wy_staggered *self, bool planar, bool doubtful) {
  const int n = self->grid.stride;
  const double *restrict inverse = self->links.diagonal, *restrict p = self->links.next;
  double *restrict b = self->links.lambda;
  wy_v3 own = wy_load3(b, n, 0);
  double largest = 0;
  bool met = true;
  for (int i = 0; i < self->grid.n; i++) {
    if (doubtful) {
      largest = fmax(largest, fmax(fabs(own.x), fmax(fabs(own.y), fabs(own.z))));
      if (i == self->links.dependent_at)
        met = unmet(&self->links.dependent_pivots, own) <= consistent * largest;
    }
    wy_store3(b, n, i, times_block(load_block(inverse, n, i, planar), own, planar));
    own = less(wy_load3(b, n, i + 1), wy_mtransposed(load_next(p, n, i, planar)), own, planar);
  }
  wy_v3 after = wy_load3(b, n, self->grid.n - 1);
  for (int i = self->grid.n - 2; i >= 0; i--) {
    after = less(wy_load3(b, n, i), load_next(p, n, i, planar), after, planar);
    wy_store3(b, n, i, after);
  }
  return met;
}

/* WY_RETRY where the constraints depend on each other and no forces can meet them. */
WY_CLONES
static int solve_links(wy_staggered *self) {
  bool met;
  if (self->links.dependent_at >= 0)
    met = substitution_loop(self, false, true);
  else if (self->grid.constrained == 2)
    met = substitution_loop(self, true, false);
  else
    met = substitution_loop(self, false, false);
  self->links.taut = !met;
  return met ? WY_OK : WY_RETRY;
}

/* ---- What the forces have to make zero ---- */

/* h times Gamma, its first or its second time derivative (C1)-(C3), for the components that are constrained. With
   Baumgarte the second derivative stands for Gamma'' + 2 r Gamma' + omega^2 Gamma. `a` and `spin` are accelerations,
   which no other level looks at. */
WY_INLINE double level_loop(const wy_staggered *self, const double *restrict u, const double *restrict a,
                            const double *restrict spin, wy_level level, bool curved) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict x = u + self->grid.x, *restrict v = u + self->grid.v, *restrict w = u + self->grid.w;
  const double *restrict unit = self->eval.unit, *restrict h = self->grid.h, *restrict inv_h = self->grid.inv_h;
  const double *restrict zero = self->grid.gamma_zero;
  double *restrict out = self->links.lambda;
  const double third = self->grid.constrained == 3 ? 1 : 0;
  bool baumgarte = self->grid.options.stabilisation == WY_BAUMGARTE;
  const double omega2 = baumgarte ? self->grid.options.baumgarte_omega * self->grid.options.baumgarte_omega : 0;
  const double twice_r = baumgarte ? 2 * self->grid.options.baumgarte_r : 0;
  double largest = 0;
#pragma omp simd reduction(max : largest)
  for (int i = 0; i < self->grid.n; i++) {
    wy_m3 r = wy_rotation(wy_load4(unit, hs, i));
    wy_v3 value = wy_times(inv_h[i], wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)));
    wy_v3 t = wy_apply_transposed(r, value), gamma = {t.x, t.y, t.z - 1};
    if (curved)
      gamma = wy_minus(gamma, wy_load3(zero, n, i));
    value = gamma;
    if (level > WY_LEVEL_PLACE) {
      wy_v3 om = wy_load3(w, n, i);
      wy_v3 speed = wy_times(inv_h[i], wy_minus(wy_load3(v, n, i + 1), wy_load3(v, n, i)));
      speed = wy_apply_transposed(r, speed);
      wy_v3 rate = wy_plus(speed, wy_cross(t, om));
      value = rate;
      if (level == WY_LEVEL_ACCELERATION) {
        wy_v3 da = wy_times(inv_h[i], wy_minus(wy_load3(a, n, i + 1), wy_load3(a, n, i)));
        value = wy_plus(wy_apply_transposed(r, da), wy_cross(t, wy_load3(spin, n, i)));
        value = wy_plus(value, wy_cross(wy_plus(speed, rate), om));
        value = wy_plus(value, wy_plus(wy_times(twice_r, rate), wy_times(omega2, gamma)));
      }
    }
    value.z *= third;
    double size = fabs(value.x) > fabs(value.y) ? fabs(value.x) : fabs(value.y);
    size = size > fabs(value.z) ? size : fabs(value.z);
    largest = largest > size ? largest : size;
    wy_store3(out, n, i, wy_times(h[i], value));
  }
  return largest;
}

WY_CLONES
static double constraint_level(const wy_staggered *self, const double *u, const double *a, const double *spin,
                               wy_level level) {
  const bool curved = self->grid.gamma_zero != NULL;
  switch (level) {
  case WY_LEVEL_PLACE:
    return curved ? level_loop(self, u, a, spin, WY_LEVEL_PLACE, true)
                  : level_loop(self, u, a, spin, WY_LEVEL_PLACE, false);
  case WY_LEVEL_VELOCITY:
    return level_loop(self, u, a, spin, WY_LEVEL_VELOCITY, false);
  default:
    return curved ? level_loop(self, u, a, spin, WY_LEVEL_ACCELERATION, true)
                  : level_loop(self, u, a, spin, WY_LEVEL_ACCELERATION, false);
  }
}

/* ---- What the forces do ---- */

/* Section forces n = R lambda (space) and the spins I^-1 h X x lambda that the forces in `link` cause. */
WY_CLONES
static void spread_forces(const wy_staggered *self) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *restrict lambda = self->links.lambda, *restrict tangent = self->links.tangent,
                         *restrict unit = self->eval.unit;
  const double *restrict h = self->grid.h, *restrict inv_inertia = self->grid.inv_inertia;
  double *restrict force = self->links.force, *restrict spin = self->links.spin;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    wy_v3 f = wy_load3(lambda, n, i);
    wy_store3(force, hs, i, wy_apply(wy_rotation(wy_load4(unit, hs, i)), f));
    wy_v3 torque = wy_times(h[i], wy_cross(wy_load3(tangent, n, i), f));
    wy_store3(spin, n, i, wy_each(wy_load3(inv_inertia, n, i), torque));
  }
}

/* to += M^-1 G^T lambda on the vertices; held components stay. */
static void push_vertices(const wy_staggered *self, double *to) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  const double *force = self->links.force;
  if (self->fluid.adds) {
    wy_staggered_added_push(self, to);
    return;
  }
  for (int k = 0; k < 3; k++) {
    bool held[2] = {wy_is_held(self, WY_START, k), wy_is_held(self, WY_END, k)};
    double *restrict row = to + k * n;
    const double *restrict f = force + k * hs, *restrict w = self->grid.inv_mass;
    if (!held[0])
      row[0] += w[0] * f[0];
    for (int i = 1; i < self->grid.n; i++)
      row[i] += w[i] * (f[i] - f[i - 1]);
    if (!held[1])
      row[self->grid.n] -= w[self->grid.n] * f[self->grid.n - 1];
  }
}

WY_CLONES
static void push_spins(const wy_staggered *self, double *restrict to) {
  const int n = self->grid.stride;
  const double *restrict spin = self->links.spin;
  for (int i = 0; i < 3 * n; i++)
    to[i] += spin[i];
}

/* ---- Accelerations ---- */

/* Held, and not by a hub. */
static bool is_supported(const wy_staggered *self, int end, int k) {
  return wy_is_held(self, end, k) && !wy_is_port(self, end);
}

/* The reactions become part of section forces, torques and supports, as if the constrained strains had stiffness. */
WY_CLONES
static void keep_reactions(wy_staggered *self) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  for (int k = 0; k < 3; k++) {
    const double *restrict force = self->links.force + k * hs, *restrict spin = self->links.spin + k * n;
    const double *restrict inertia = self->grid.inertia + k * n;
    double *restrict section = self->eval.section_force + k * hs, *restrict torque = self->eval.segment_torque + k * hs;
    self->eval.support_force[0][k] -= is_supported(self, WY_START, k) ? force[0] : 0;
    self->eval.support_force[1][k] += is_supported(self, WY_END, k) ? force[self->grid.n - 1] : 0;
    for (int i = 0; i < self->grid.n; i++) {
      section[i] += force[i];
      torque[i] += inertia[i] * spin[i];
    }
  }
}

int wy_staggered_constrain(wy_staggered *self, const double *u, double *f) {
  assert(u != f);
  wy_staggered_factor_links(self, u);
  constraint_level(self, u, f + self->grid.v, f + self->grid.w, WY_LEVEL_ACCELERATION);
  int status = solve_links(self);
  spread_forces(self);
  push_vertices(self, f + self->grid.v);
  push_spins(self, f + self->grid.w);
  keep_reactions(self);
  if (self->fluid.adds)
    wy_staggered_added_reactions(self);
  return status;
}

/* ---- Projection ---- */

/* p exp(theta / 2), theta the spins: the quaternion of a small body rotation. */
static void turn_frames(wy_staggered *self, double *u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  for (int i = 0; i < self->grid.n; i++) {
    double theta[3], step[4], p[4], turned[4];
    for (int k = 0; k < 3; k++)
      theta[k] = self->links.spin[k * n + i];
    for (int k = 0; k < 4; k++)
      p[k] = self->eval.unit[k * hs + i];
    wy_qexp(theta, step);
    wy_qmul(p, step, turned);
    wy_qnormalise(turned);
    for (int k = 0; k < 4; k++)
      u[self->grid.p + k * n + i] = self->eval.unit[k * hs + i] = turned[k];
  }
}

static void move_by_forces(wy_staggered *self, wy_level level, double *to) {
  spread_forces(self);
  push_vertices(self, to + (level == WY_LEVEL_PLACE ? self->grid.x : self->grid.v));
  if (level == WY_LEVEL_PLACE)
    turn_frames(self, to);
  else
    push_spins(self, to + self->grid.w);
}

/* Simplified Newton in the metric of the mass (C7): the matrix is that of the first iterate. Ends when round-off is
   reached: the next correction no longer makes it smaller. */
enum { MOST_ITERATIONS = 8 };

static void project_level(wy_staggered *self, double *u, wy_level level, double floor) {
  assert(level != WY_LEVEL_ACCELERATION);
  double before = INFINITY;
  for (int k = 0; k < MOST_ITERATIONS; k++) {
    double size = constraint_level(self, u, NULL, NULL, level);
    if (!(size > floor) || !(size < 0.5 * before) || solve_links(self) != WY_OK)
      return;
    before = size;
    move_by_forces(self, level, u);
  }
}

/* A few units of round-off of a difference of positions, over a segment; and the same for velocities. */
static double round_off_over_segments(const wy_staggered *self, const double *field) {
  double largest = 0;
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++)
      largest = fmax(largest, fabs(field[k * self->grid.stride + i]) *
                                  self->grid.inv_h[i < self->grid.n ? i : self->grid.n - 1]);
  return DBL_EPSILON * (2 + 2 * largest);
}

void wy_staggered_load_frames(wy_staggered *self, const double *u) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  for (int k = 0; k < 4; k++)
    memcpy(self->eval.unit + k * hs, u + self->grid.p + k * n, (size_t)self->grid.n * sizeof *u);
}

void wy_staggered_project_constraints(wy_staggered *self, double *u) {
  wy_staggered_load_frames(self, u);
  wy_staggered_factor_links(self, u);
  project_level(self, u, WY_LEVEL_PLACE, round_off_over_segments(self, u + self->grid.x));
  wy_staggered_factor_links(self, u);
  project_level(self, u, WY_LEVEL_VELOCITY, round_off_over_segments(self, u + self->grid.v));
}

bool wy_staggered_constraints_missed(wy_staggered *self, const double *u, double *strain, double *rate) {
  const double far = 1e7; /* round-offs: projection has failed */
  wy_staggered_load_frames(self, u);
  *strain = constraint_level(self, u, NULL, NULL, WY_LEVEL_PLACE);
  *rate = constraint_level(self, u, NULL, NULL, WY_LEVEL_VELOCITY);
  return !(*strain <= far * round_off_over_segments(self, u + self->grid.x)) ||
         !(*rate <= far * round_off_over_segments(self, u + self->grid.v));
}

/* What changes of the motion of the ends ask of the forces. */
static void ask_for_ends(wy_staggered *self, double moved[2][3]) {
  const int n = self->grid.stride;
  memset(self->links.lambda, 0, 3 * (size_t)n * sizeof(double));
  for (int end = 0; end < 2; end++) {
    const int i = wy_end_segment(&self->grid, end);
    const wy_m3 r = wy_rotation(wy_load4(self->eval.unit, self->grid.halo_stride, i));
    wy_v3 asked = wy_times(end ? 1 : -1, wy_apply_transposed(r, wy_at3(moved[end])));
    asked.z *= self->grid.constrained == 3;
    wy_store3(self->links.lambda, n, i, asked);
  }
}

int wy_staggered_restrain(wy_staggered *self, wy_level level, const double *u, const double *from, wy_port_miss *miss) {
  const double *v = from + self->grid.v;
  miss->size = constraint_level(self, u, v, from + self->grid.w, level);
  miss->floor = round_off_over_segments(self, level == WY_LEVEL_PLACE ? from + self->grid.x : v);
  const int status = solve_links(self);
  memcpy(self->links.kept, self->links.lambda, 3 * (size_t)self->grid.stride * sizeof(double));
  return status;
}

int wy_staggered_respond(wy_staggered *self, wy_level level, double moved[2][3], double pull[2][3], double *to) {
  const size_t count = 3 * (size_t)self->grid.stride;
  ask_for_ends(self, moved);
  const int status = solve_links(self);
  wy_staggered_end_pull(self, pull);
  for (size_t i = 0; i < count; i++)
    self->links.lambda[i] += self->links.kept[i];
  memset(self->links.kept, 0, count * sizeof(double));
  move_by_forces(self, level, to);
  if (level == WY_LEVEL_ACCELERATION)
    keep_reactions(self);
  return status;
}

void wy_staggered_end_pull(const wy_staggered *self, double pull[2][3]) {
  for (int end = 0; end < 2; end++) {
    const int i = wy_end_segment(&self->grid, end);
    const wy_m3 r = wy_rotation(wy_load4(self->eval.unit, self->grid.halo_stride, i));
    wy_put3(pull[end], wy_times(end ? -1 : 1, wy_apply(r, wy_load3(self->links.lambda, self->grid.stride, i))));
  }
}
