/* SPDX-License-Identifier: MIT */
/* The kernels of element_kernels.h, as many elements at once as a vector has numbers. Orders, forms and widths are
   known to the compiler wherever they stand. */
#ifndef WY_SCHEME_MIXED_ELEMENT_LANES_H
#define WY_SCHEME_MIXED_ELEMENT_LANES_H

#include <math.h>

#include "linalg/wide.h"
#include "scheme/mixed/element_kernels.h"

#define NUMBER wide
#include "scheme/mixed/element_formulas.h"

/* ---- From arrays to vectors and back ---- */

/* Elements from `first` on, as a vector has them: they are the lanes from `offset` on of their bundle. */
typedef struct element_lanes {
  const wy_mixed *self;
  int bundle, offset, first;
} element_lanes;

WY_INLINE element_lanes lanes_of(const wy_mixed *self, int bundle, int offset) {
  return (element_lanes){self, bundle, offset, WY_LANES * bundle + offset};
}

WY_INLINE int element_of(const element_lanes *at, int lane) {
  const int last = at->self->elements - 1, element = at->first + lane;
  return element < last ? element : last;
}

/* How many of them there are. */
WY_INLINE int count_of(const element_lanes *at) {
  const int left = at->self->elements - at->first;
  return left < WIDE ? left : WIDE;
}

WY_INLINE wide size_of(wide a) {
  return SELECT(a < 0, -a, a);
}

/* The larger one of each lane; a NaN in b is left out. */
WY_INLINE wide larger(wide a, wide b) {
  return SELECT(b > a, b, a);
}

/* `count` numbers of each element, which are `stride` apart; at least as many as a vector has. */
WY_INLINE void gather_rows(const element_lanes *at, const double *from, const int stride, const int count, wide *out) {
#pragma GCC unroll 1
  for (int done = 0; done < count; done += WIDE) {
    const int i = done + WIDE <= count ? done : count - WIDE;
    for (int lane = 0; lane < WIDE; lane++)
      out[i + lane] = LOAD_WIDE(from + (size_t)stride * (size_t)element_of(at, lane) + i);
    wide_transpose(out + i);
  }
}

/* Back: `count` numbers of each of the first `lanes` elements. */
WY_INLINE void scatter_rows(const wide *from, const int count, int lanes, const int stride, double *out) {
#pragma GCC unroll 1
  for (int done = 0; done < count; done += WIDE) {
    const int i = done + WIDE <= count ? done : count - WIDE;
    wide block[WIDE];
    for (int lane = 0; lane < WIDE; lane++)
      block[lane] = from[i + lane];
    wide_transpose(block);
    for (int lane = 0; lane < lanes; lane++)
      STORE_WIDE(out + stride * lane + i, block[lane]);
  }
}

/* The nodes of an element stand side by side, the inner one between the others. */
WY_INLINE void gather_nodes(const element_lanes *at, const int order, const double *from,
                            wide out[WY_MOST_NODES][WY_NODE]) {
  wide rows[WY_MOST_NODES * WY_NODE];
  gather_rows(at, from, WY_NODE * order, WY_NODE * (order + 1), rows);
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < WY_NODE; x++)
      out[a][x] = rows[WY_NODE * (a == 0 ? 0 : a == 1 ? order : 1) + x];
}

/* Only differences of places count: they are taken from the first node, so that a rod far from the origin loses no
   digits. */
WY_INLINE void gather_configuration(const element_lanes *at, const int order, const double *from,
                                    wide out[WY_MOST_NODES][WY_NODE]) {
  gather_nodes(at, order, from, out);
  for (int a = order; a >= 0; a--)
    for (int x = 0; x < 3; x++)
      out[a][x] -= out[0][x];
}

/* Numbers that stand in lanes. */
WY_INLINE wide load_lanes(const element_lanes *at, const double bundle[WY_LANES]) {
  return LOAD_WIDE(bundle + at->offset);
}

WY_INLINE void store_lanes(const element_lanes *at, double bundle[WY_LANES], wide value) {
  STORE_WIDE(bundle + at->offset, value);
}

WY_INLINE void store_nodes(const element_lanes *at, const int order, wide from[WY_MOST_NODES][WY_NODE],
                           double out[WY_MOST_NODES][WY_NODE][WY_LANES]) {
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < WY_NODE; x++)
      store_lanes(at, out[a][x], from[a][x]);
}

WY_INLINE void load_nodes(const element_lanes *at, const int order, const double from[WY_MOST_NODES][WY_NODE][WY_LANES],
                          wide out[WY_MOST_NODES][WY_NODE]) {
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < WY_NODE; x++)
      out[a][x] = load_lanes(at, from[a][x]);
}

WY_INLINE void load_modulus(const element_lanes *at, const int order, int component, wide out[3]) {
  const wy_mixed_lanes *constants = &at->self->lanes[at->bundle];
  const double elastic = at->self->task.elastic, viscous = at->self->task.viscous;
  for (int i = 0; i < 2 * order - 1; i++)
    out[i] = elastic * load_lanes(at, constants->stiffness[component][i]) +
             viscous * load_lanes(at, constants->damping[component][i]);
}

WY_INLINE void load_flexibility(const element_lanes *at, const int order, int component, wide out[3]) {
  if (component < at->self->constrained) {
    const wide unit = at->self->slack * load_lanes(at, at->self->lanes[at->bundle].length) / (order == 1 ? 1 : 6);
    out[0] = order == 1 ? unit : 2 * unit, out[1] = unit, out[2] = 2 * unit;
    return;
  }
  wide modulus[3];
  load_modulus(at, order, component, modulus);
  if (order == 1) {
    out[0] = 1 / modulus[0];
    return;
  }
  const wide scale = 1 / (modulus[0] * modulus[2] - modulus[1] * modulus[1]);
  out[0] = modulus[2] * scale, out[1] = -modulus[1] * scale, out[2] = modulus[0] * scale;
}

/* Stresses with what chambers add, and what the law of N misses, where the strains are e. */
WY_INLINE void stresses_there(const element_lanes *at, const int order, const bool nodes_only, const wide *e,
                              wide stress[WY_STRESSES], wide law[WY_FORCES]) {
  const wy_mixed *self = at->self;
  const int first = WY_LANES * at->bundle;
  element_law with;
  for (int i = 0; i < 6 * order; i++) {
    with.strain_base[i] = load_lanes(at, wy_mixed_lane(self->strain_base, WY_STRESSES, first, i));
    with.stress_base[i] = load_lanes(at, wy_mixed_lane(self->stress_base, WY_STRESSES, first, i));
  }
  for (int i = 0; i < 3 * order; i++)
    with.axial[i] = load_lanes(at, wy_mixed_lane(self->axial, WY_FORCES, first, i));
  for (int i = 0; i < 6; i++)
    load_modulus(at, order, i, with.modulus[i]);
  for (int i = 0; !nodes_only && i < 3; i++)
    load_flexibility(at, order, i, with.flexibility[i]);
  stresses(order, nodes_only, &with, e, stress, law);
  if (self->actuator_count > 0) {
    wide offset[WY_STRESSES];
    gather_rows(at, self->offset, WY_STRESSES, WY_STRESSES, offset);
    for (int i = 0; i < 6 * order; i++)
      stress[i] += offset[i];
  }
}

/* ---- Forces ---- */

/* B^T sigma. */
WY_INLINE void stress_forces(const int order, const element_sums *sums, const wide stress[WY_STRESSES],
                             wide f[WY_MOST_NODES][WY_NODE]) {
#pragma GCC unroll 1
  for (int a = 0; a <= order; a++) {
    for (int x = 0; x < WY_NODE; x++)
      f[a][x] = SPLAT_WIDE(0);
    for (int b = 0; b < order; b++)
      for (int i = 0; i < 3; i++) {
        const wide n = stress[6 * b + i], m = stress[6 * b + 3 + i];
        const int d = director(i), j = director(i + 1), k = director(i + 2);
        for (int x = 0; x < 3; x++) {
          f[a][x] += n * sums->z[b][a][d + x];
          f[a][d + x] += n * sums->y[b][a][x];
          f[a][k + x] += m * sums->v[b][a][j + x];
          f[a][j + x] -= m * sums->v[b][a][k + x];
        }
      }
  }
}

WY_INLINE wide mass_of(const element_lanes *at, int part, int a, int c) {
  return load_lanes(at, at->self->lanes[at->bundle].mass[part][a == c ? a : 2 + a + c]);
}

WY_INLINE void add_inertia(const element_lanes *at, const int order, wide f[WY_MOST_NODES][WY_NODE]) {
  wide acceleration[WY_MOST_NODES][WY_NODE];
  gather_nodes(at, order, at->self->acceleration, acceleration);
#pragma GCC unroll 1
  for (int a = 0; a <= order; a++)
    for (int c = 0; c <= order; c++)
      for (int x = 0; x < WY_NODE; x++)
        f[a][x] += mass_of(at, x / 3, a, c) * acceleration[c][x];
}

WY_INLINE void forces_there(const element_lanes *at, const int order, const bool nodes_only, double *largest) {
  const wy_mixed *self = at->self;
  wide q[WY_MOST_NODES][WY_NODE], f[WY_MOST_NODES][WY_NODE], e[WY_STRESSES], stress[WY_STRESSES], law[WY_FORCES];
  wide most = SPLAT_WIDE(*largest);
  element_sums sums;
  wy_mixed_guess *guess = &self->guess[at->bundle];
  gather_configuration(at, order, self->task.right, q);
  store_nodes(at, order, q, guess->right);
  sum_up(&self->basis, order, q, &sums);
  strains(order, q, &sums, e);
  stresses_there(at, order, nodes_only, e, stress, law);
  for (int i = 0; i < 6 * order; i++)
    store_lanes(at, guess->stress[i], stress[i]);
  if (self->task.left != self->task.right) {
    gather_configuration(at, order, self->task.left, q);
    sum_up(&self->basis, order, q, &sums);
  }
  store_nodes(at, order, q, guess->left);
  stress_forces(order, &sums, stress, f);
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < 3; x++)
      most = larger(most, size_of(f[a][x]));
  for (int i = 3; i < 6; i++)
    most = larger(most, size_of(stress[i]) / self->rod->length);
  for (int lane = 0; lane < count_of(at); lane++)
    *largest = fmax(*largest, most[lane]);
  add_inertia(at, order, f);
  scatter_rows(f[0], WY_NODE * (order + 1), count_of(at), WY_MOST_NODES * WY_NODE,
               self->element_force + WY_MOST_NODES * WY_NODE * at->first);
  for (int i = 0; i < 3 * order; i++)
    store_lanes(at, wy_mixed_lane(self->element_law, WY_FORCES, WY_LANES * at->bundle, i), law[i]);
}

/* ---- Tangents ---- */

/* How E changes: dE = B (dphi, theta) where directors change by theta x d. Curvatures do not depend on places. */
typedef struct strain_slopes {
  wide place[WY_MOST_ORDER][3][WY_MOST_NODES][3], turn[WY_MOST_ORDER][3][WY_MOST_NODES][3]; /* of strains */
  wide bend[WY_MOST_ORDER][3][WY_MOST_NODES][3]; /* of curvatures by rotations */
} strain_slopes;

WY_INLINE void set_slopes(const int order, wide q[WY_MOST_NODES][WY_NODE], const element_sums *sums,
                          strain_slopes *out) {
#pragma GCC unroll 1
  for (int a = 0; a <= order; a++)
#pragma GCC unroll 1
    for (int b = 0; b < order; b++)
      for (int i = 0; i < 3; i++) {
        const int d = director(i), j = director(i + 1), k = director(i + 2);
        for (int x = 0; x < 3; x++) {
          out->place[b][i][a][x] = sums->z[b][a][d + x];
          out->turn[b][i][a][x] = out->bend[b][i][a][x] = SPLAT_WIDE(0);
        }
        add_cross(1, &q[a][d], sums->y[b][a], out->turn[b][i][a]);
        add_cross(1, &q[a][k], &sums->v[b][a][j], out->bend[b][i][a]);
        add_cross(-1, &q[a][j], &sums->v[b][a][k], out->bend[b][i][a]);
      }
}

/* The modulus of a component times its slopes. */
WY_INLINE void stiffen(const int order, const wide modulus[3], wide slopes[WY_MOST_ORDER][3][WY_MOST_NODES][3], int i,
                       wide out[WY_MOST_ORDER][3][WY_MOST_NODES][3]) {
#pragma GCC unroll 1
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < 3; x++) {
      const wide slope[WY_MOST_ORDER] = {slopes[0][i][a][x], order == 2 ? slopes[1][i][a][x] : SPLAT_WIDE(0)};
      wide product[WY_MOST_ORDER];
      times(order, modulus, slope, product);
      for (int b = 0; b < order; b++)
        out[b][i][a][x] = product[b];
    }
}

/* sum += left^T right: rows of node a, columns of node c. */
WY_INLINE void add_product(const int order, wide left[WY_MOST_ORDER][3][WY_MOST_NODES][3],
                           wide right[WY_MOST_ORDER][3][WY_MOST_NODES][3], int a, int c, wide sum[3][3]) {
  for (int b = 0; b < order; b++)
    for (int i = 0; i < 3; i++)
      for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
          sum[x][y] += left[b][i][a][x] * right[b][i][c][y];
}

WY_INLINE void set_skew(const wide a[3], wide out[3][3]) {
  const wide zero = SPLAT_WIDE(0);
  out[0][0] = zero, out[0][1] = -a[2], out[0][2] = a[1];
  out[1][0] = a[2], out[1][1] = zero, out[1][2] = -a[0];
  out[2][0] = -a[1], out[2][1] = a[0], out[2][2] = zero;
}

/* sum += u x (theta x w) = ((u.w) 1 - w u^T) theta */
WY_INLINE void add_double_cross(const wide u[3], const wide w[3], wide sum[3][3]) {
  const wide both = dot(u, w);
  for (int x = 0; x < 3; x++) {
    for (int y = 0; y < 3; y++)
      sum[x][y] -= w[x] * u[y];
    sum[x][x] += both;
  }
}

/* What tangents are made of. */
typedef struct tangent_parts {
  wide left[WY_MOST_NODES][WY_NODE], right[WY_MOST_NODES][WY_NODE];
  wide f[WY_MOST_NODES][WY_NODE], stress[WY_STRESSES];
  strain_slopes acting, changing, changed; /* left; right; the modulus times right */
} tangent_parts;

/* A block of 3 rows and columns into the matrices. */
WY_INLINE void store_block(const element_lanes *at, const int width, int row, int column, wide block[3][3],
                           double *matrices) {
  for (int x = 0; x < 3; x++)
    for (int y = 0; y < 3; y++)
      store_lanes(at, matrices + (size_t)WY_LANES * (size_t)(width * (row + x) + column + y), block[x][y]);
}

/* Inertia, stresses that stay while the nodes move (X19), (X20), and the law: rows of node a, columns of node c. */
WY_INLINE void store_pair(const element_lanes *at, const int order, const bool nodes_only, const int width, int a,
                          int c, tangent_parts *of, double *matrices) {
  const wy_mixed_task *task = &at->self->task;
  const wide zero = SPLAT_WIDE(0);
  wide force_here[3], force_there[3], moment[3];
  for (int i = 0; i < 3; i++) {
    force_here[i] = force_there[i] = moment[i] = zero;
    for (int b = 0; b < order; b++) {
      const double here = task->share * at->self->basis.g[b][a][c], there = task->share * at->self->basis.g[b][c][a];
      force_here[i] += here * of->stress[6 * b + i];
      force_there[i] += there * of->stress[6 * b + i];
      moment[i] += 0.5 * (here - there) * of->stress[6 * b + 3 + i];
    }
  }
  wide by_turn[3], by_place[3], block[3][3];
  for (int x = 0; x < 3; x++) {
    by_turn[x] = by_place[x] = zero;
    for (int i = 0; i < 3; i++) {
      by_turn[x] -= force_there[i] * of->right[c][director(i) + x];
      by_place[x] += force_here[i] * of->left[a][director(i) + x];
    }
  }
  const wide mass = task->inertia[0] * mass_of(at, 0, a, c);
  for (int x = 0; x < 3; x++)
    for (int y = 0; y < 3; y++)
      block[x][y] = x == y ? mass : zero;
  if (nodes_only)
    add_product(order, of->acting.place, of->changed.place, a, c, block);
  store_block(at, width, 6 * a, 6 * c, block, matrices);
  set_skew(by_turn, block);
  if (nodes_only)
    add_product(order, of->acting.place, of->changed.turn, a, c, block);
  store_block(at, width, 6 * a, 6 * c + 3, block, matrices);
  set_skew(by_place, block);
  if (nodes_only)
    add_product(order, of->acting.turn, of->changed.place, a, c, block);
  store_block(at, width, 6 * a + 3, 6 * c, block, matrices);
  for (int x = 0; x < 3; x++)
    for (int y = 0; y < 3; y++)
      block[x][y] = zero;
  for (int i = 0; i < 3; i++) { /* director i of the row with all of the column */
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    const wide own = task->inertia[1] * mass_of(at, 1 + i, a, c);
    wide with[3];
    for (int x = 0; x < 3; x++)
      with[x] = own * of->right[c][director(i) + x] + moment[next] * of->right[c][director(last) + x] -
                moment[last] * of->right[c][director(next) + x];
    add_double_cross(&of->left[a][director(i)], with, block);
  }
  for (int i = 0; a == c && i < 3; i++) { /* forces as they are, while the directors that they act on turn */
    wide force[3];
    for (int x = 0; x < 3; x++)
      force[x] = -task->share * of->f[a][director(i) + x];
    add_double_cross(force, &of->right[a][director(i)], block);
  }
  if (nodes_only)
    add_product(order, of->acting.turn, of->changed.turn, a, c, block);
  add_product(order, of->acting.bend, of->changed.bend, a, c, block);
  store_block(at, width, 6 * a + 3, 6 * c + 3, block, matrices);
}

/* Row i of how N changes with the nodes, or of how it acts on them: the slopes of a strain, [6 nodes]. */
WY_INLINE wide force_slope(const strain_slopes *of, int i, int at) {
  const int a = at / 6, x = at % 6;
  return x < 3 ? of->place[i / 3][i % 3][a][x] : of->turn[i / 3][i % 3][a][x - 3];
}

/* Rows and columns of N: right d - flexibility dN; left^T dN (X29). */
WY_INLINE void store_forces(const element_lanes *at, const int order, const int width, const tangent_parts *of,
                            double *matrices) {
  const int nodes = 6 * (order + 1);
#pragma GCC unroll 1
  for (int i = 0; i < 3 * order; i++)
#pragma GCC unroll 1
    for (int x = 0; x < nodes; x++) {
      store_lanes(at, matrices + (size_t)WY_LANES * (size_t)(width * (nodes + i) + x),
                  force_slope(&of->changing, i, x));
      store_lanes(at, matrices + (size_t)WY_LANES * (size_t)(width * x + nodes + i), force_slope(&of->acting, i, x));
    }
  for (int i = 0; i < 3; i++) {
    wide flexibility[3];
    load_flexibility(at, order, i, flexibility);
    for (int b = 0; b < order; b++)
      for (int j = 0; j < 3 * order; j++)
        store_lanes(at, matrices + (size_t)WY_LANES * (size_t)(width * (nodes + 3 * b + i) + nodes + j),
                    j % 3 == i ? -flexibility[b + j / 3] : SPLAT_WIDE(0));
  }
}

WY_INLINE void tangents_there(const element_lanes *at, const int order, const bool nodes_only, double *matrices) {
  const wy_mixed *self = at->self;
  const int width = nodes_only ? 6 * (order + 1) : 9 * order + 6;
  const wy_mixed_guess *guess = &self->guess[at->bundle];
  wide modulus[3];
  tangent_parts of;
  element_sums sums;
  load_nodes(at, order, guess->right, of.right);
  load_nodes(at, order, guess->left, of.left);
  for (int i = 0; i < 6 * order; i++)
    of.stress[i] = load_lanes(at, guess->stress[i]);
  sum_up(&self->basis, order, of.right, &sums);
  set_slopes(order, of.right, &sums, &of.changing);
  for (int i = 0; i < 3; i++) {
    load_modulus(at, order, i, modulus);
    stiffen(order, modulus, of.changing.place, i, of.changed.place);
    stiffen(order, modulus, of.changing.turn, i, of.changed.turn);
    load_modulus(at, order, 3 + i, modulus);
    stiffen(order, modulus, of.changing.bend, i, of.changed.bend);
  }
  sum_up(&self->basis, order, of.left, &sums);
  set_slopes(order, of.left, &sums, &of.acting);
  gather_rows(at, self->element_force, WY_MOST_NODES * WY_NODE, WY_NODE * (order + 1), of.f[0]);
#pragma GCC unroll 1
  for (int a = 0; a <= order; a++)
#pragma GCC unroll 1
    for (int c = 0; c <= order; c++)
      store_pair(at, order, nodes_only, width, a, c, &of, matrices);
  if (!nodes_only) {
    store_forces(at, order, width, &of, matrices);
    return;
  }
  wy_mixed_kept *kept = &self->kept[at->bundle];
#pragma GCC unroll 1
  for (int i = 0; i < 3 * order; i++)
#pragma GCC unroll 1
    for (int x = 0; x < 6 * (order + 1); x++) {
      store_lanes(at, kept->acting[i][x], force_slope(&of.acting, i, x));
      store_lanes(at, kept->changing[i][x], force_slope(&of.changing, i, x));
    }
}

/* ---- The inner node ---- */

/* The inverse of its own equations, in place, without exchanges: places first, then rotations. Which of the lanes have
   one? A pivot has become too small if elimination has left nothing but round-off of it. */
WY_INLINE wide_bits invert(wide m[WY_NODE_UNKNOWNS][WY_NODE_UNKNOWNS]) {
  const double round_off = 1e-14;
  wide before[WY_NODE_UNKNOWNS];
  wide_bits good = ~(wide_bits){0};
  for (int j = 0; j < WY_NODE_UNKNOWNS; j++) {
    const int first = j / 3 * 3; /* unknowns of the same unit */
    before[j] = larger(larger(size_of(m[j][first]), size_of(m[j][first + 1])), size_of(m[j][first + 2]));
  }
  for (int j = 0; j < WY_NODE_UNKNOWNS; j++) {
    good &= size_of(m[j][j]) > round_off * before[j];
    const wide inverse = 1 / m[j][j];
    m[j][j] = SPLAT_WIDE(1);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      m[j][x] *= inverse;
    for (int i = 0; i < WY_NODE_UNKNOWNS; i++) {
      const wide factor = i == j ? SPLAT_WIDE(0) : m[i][j];
      if (i == j)
        continue;
      m[i][j] = SPLAT_WIDE(0);
      for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
        m[i][x] -= factor * m[j][x];
    }
  }
  return good;
}

/* Where a known unknown stands in the matrix: the inner node's are left out. */
WY_INLINE int beside_inner(int x) {
  return x < 12 ? x : x + WY_NODE_UNKNOWNS;
}

/* Elements of order 2 with `known` unknowns beside the inner node's. */
WY_INLINE int eliminate_there(const element_lanes *at, const int known, double *matrices) {
  const int width = known + WY_NODE_UNKNOWNS;
  wy_mixed_kept *kept = &at->self->kept[at->bundle];
  wide m[WY_NODE_UNKNOWNS][WY_NODE_UNKNOWNS];
  double *const inner = matrices + (size_t)WY_LANES * (size_t)(12 * width);
  for (int i = 0; i < WY_NODE_UNKNOWNS; i++)
    for (int j = 0; j < WY_NODE_UNKNOWNS; j++)
      m[i][j] = load_lanes(at, inner + WY_LANES * (width * i + 12 + j));
  const wide_bits good = invert(m);
  for (int i = 0; i < WY_NODE_UNKNOWNS; i++)
    for (int j = 0; j < WY_NODE_UNKNOWNS; j++)
      store_lanes(at, kept->inverse[i][j], m[i][j]);
#pragma GCC unroll 1
  for (int x = 0; x < known; x++) {
    wide of[WY_NODE_UNKNOWNS];
    for (int j = 0; j < WY_NODE_UNKNOWNS; j++)
      of[j] = load_lanes(at, inner + WY_LANES * (width * j + beside_inner(x)));
    for (int i = 0; i < WY_NODE_UNKNOWNS; i++) {
      wide sum = m[i][0] * of[0];
      for (int j = 1; j < WY_NODE_UNKNOWNS; j++)
        sum += m[i][j] * of[j];
      store_lanes(at, kept->follows[i][x], sum);
    }
  }
#pragma GCC unroll 1
  for (int x = 0; x < known; x += 3) {
    wide acts[3][WY_NODE_UNKNOWNS];
    double *rows = matrices + (size_t)WY_LANES * (size_t)(width * beside_inner(x));
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < WY_NODE_UNKNOWNS; j++) {
        acts[i][j] = load_lanes(at, rows + WY_LANES * (width * i + 12 + j));
        store_lanes(at, kept->acts[x + i][j], acts[i][j]);
      }
#pragma GCC unroll 1
    for (int y = 0; y < known; y++) {
      wide follows[WY_NODE_UNKNOWNS];
      for (int j = 0; j < WY_NODE_UNKNOWNS; j++)
        follows[j] = load_lanes(at, kept->follows[j][y]);
      for (int i = 0; i < 3; i++) {
        double *to = rows + WY_LANES * (width * i + beside_inner(y));
        wide sum = load_lanes(at, to);
        for (int j = 0; j < WY_NODE_UNKNOWNS; j++)
          sum -= acts[i][j] * follows[j];
        store_lanes(at, to, sum);
      }
    }
  }
  for (int lane = 0; lane < WIDE; lane++)
    if (lane < count_of(at) && !good[lane])
      return WY_RETRY;
  return WY_OK;
}

/* ---- Right-hand sides ---- */

/* The inner node's right-hand side times the inverse, which is taken from the other rows. */
WY_INLINE void reduce_inner(const element_lanes *at, const int known, wide *others, wide inner[WY_NODE_UNKNOWNS]) {
  const wy_mixed_kept *kept = &at->self->kept[at->bundle];
  wide found[WY_NODE_UNKNOWNS];
  for (int i = 0; i < WY_NODE_UNKNOWNS; i++) {
    found[i] = load_lanes(at, kept->inverse[i][0]) * inner[0];
    for (int j = 1; j < WY_NODE_UNKNOWNS; j++)
      found[i] += load_lanes(at, kept->inverse[i][j]) * inner[j];
  }
  for (int i = 0; i < WY_NODE_UNKNOWNS; i++)
    inner[i] = found[i];
  for (int x = 0; x < known; x++)
    for (int j = 0; j < WY_NODE_UNKNOWNS; j++)
      others[x] -= load_lanes(at, kept->acts[x][j]) * inner[j];
}

WY_INLINE void expand_inner(const element_lanes *at, const int known, const wide *others,
                            wide inner[WY_NODE_UNKNOWNS]) {
  const wy_mixed_kept *kept = &at->self->kept[at->bundle];
  for (int i = 0; i < WY_NODE_UNKNOWNS; i++)
    for (int x = 0; x < known; x++)
      inner[i] -= load_lanes(at, kept->follows[i][x]) * others[x];
}

/* Where a known unknown stands in a part, and in the band: there N comes between the nodes. */
WY_INLINE int in_part(const int order, int x) {
  return x < WY_LOCAL_FORCES ? x : x < 12 ? x + 3 * order : x - 12 + WY_LOCAL_FORCES;
}
WY_INLINE int in_band(const int order, const bool nodes_only, int x) {
  return nodes_only ? x : in_part(order, x);
}

WY_INLINE int known_of(const int order, const bool nodes_only) {
  return 12 + (nodes_only ? 0 : 3 * order);
}

WY_INLINE void reduce_there(const element_lanes *at, const int order, const bool nodes_only, double *r) {
  const wy_mixed *self = at->self;
  const int known = known_of(order, nodes_only), size = wy_mixed_part_size(order);
  wide part[WY_LOCAL_ROWS], others[WY_LOCAL_ROWS], *inner = part + WY_LOCAL_ROWS - WY_NODE_UNKNOWNS;
  wide band[WY_LOCAL_ROWS];
  double rows[WIDE][WY_LOCAL_ROWS];
  gather_rows(at, wy_mixed_part(self, r, 0), size, size, part);
  for (int x = 0; x < known; x++)
    others[x] = part[in_part(order, x)];
  for (int i = 0; nodes_only && i < 3 * order; i++) {
    const wide missed = part[WY_LOCAL_FORCES + i];
    for (int x = 0; x < 12; x++)
      others[x] -= load_lanes(at, self->kept[at->bundle].acting[i][x]) * missed;
    for (int x = 0; order == 2 && x < WY_NODE_UNKNOWNS; x++)
      inner[x] -= load_lanes(at, self->kept[at->bundle].acting[i][12 + x]) * missed;
  }
  if (order == 2)
    reduce_inner(at, known, others, inner);
  if (order == 2)
    scatter_rows(part, size, count_of(at), size, wy_mixed_part(self, r, at->first));
  for (int x = 0; x < known; x++)
    band[in_band(order, nodes_only, x)] = others[x];
  scatter_rows(band, known, WIDE, WY_LOCAL_ROWS, rows[0]);
  for (int lane = 0; lane < count_of(at); lane++) {
    double *to = r + wy_mixed_unknown(self, at->first + lane, 0);
    for (int x = 0; x < known; x++)
      to[x] += rows[lane][x];
  }
}

WY_INLINE void expand_there(const element_lanes *at, const int order, const bool nodes_only, double *r) {
  const wy_mixed *self = at->self;
  const int known = known_of(order, nodes_only), size = wy_mixed_part_size(order);
  wide part[WY_LOCAL_ROWS], band[WY_LOCAL_ROWS], others[WY_LOCAL_ROWS],
      *inner = part + WY_LOCAL_ROWS - WY_NODE_UNKNOWNS;
  gather_rows(at, wy_mixed_part(self, r, 0), size, size, part);
  gather_rows(at, r, wy_mixed_cell(order, nodes_only ? WY_FORM_NODES : WY_FORM_FORCES), known, band);
  for (int x = 0; x < known; x++)
    others[x] = band[in_band(order, nodes_only, x)];
  if (order == 2)
    expand_inner(at, known, others, inner);
  for (int x = 0; x < known; x++)
    part[in_part(order, x)] = others[x];
  for (int i = 0; nodes_only && i < 3; i++) { /* forces follow their law */
    wide modulus[3], change[WY_MOST_ORDER], by_law[WY_MOST_ORDER];
    load_modulus(at, order, i, modulus);
    for (int b = 0; b < order; b++) {
      change[b] = SPLAT_WIDE(0);
      for (int x = 0; x < 12; x++)
        change[b] += load_lanes(at, self->kept[at->bundle].changing[3 * b + i][x]) * others[x];
      for (int x = 0; order == 2 && x < WY_NODE_UNKNOWNS; x++)
        change[b] += load_lanes(at, self->kept[at->bundle].changing[3 * b + i][12 + x]) * inner[x];
    }
    times(order, modulus, change, by_law);
    for (int b = 0; b < order; b++)
      part[WY_LOCAL_FORCES + 3 * b + i] += by_law[b];
  }
  scatter_rows(part, size, count_of(at), size, wy_mixed_part(self, r, at->first));
}

/* ---- One copy for each order and form ---- */

#define FOR_EACH_ORDER_AND_FORM(call, ...)                                                                             \
  for (int offset = 0; offset < WY_LANES && WY_LANES * bundle + offset < self->elements; offset += WIDE) {             \
    const element_lanes at = lanes_of(self, bundle, offset);                                                           \
    const bool nodes_only = self->task.form == WY_FORM_NODES;                                                          \
    if (self->basis.order == 2 && nodes_only)                                                                          \
      call(&at, 2, true, __VA_ARGS__);                                                                                 \
    else if (self->basis.order == 2)                                                                                   \
      call(&at, 2, false, __VA_ARGS__);                                                                                \
    else if (nodes_only)                                                                                               \
      call(&at, 1, true, __VA_ARGS__);                                                                                 \
    else                                                                                                               \
      call(&at, 1, false, __VA_ARGS__);                                                                                \
  }

static void forces(wy_mixed *self, int bundle, double *largest) {
  FOR_EACH_ORDER_AND_FORM(forces_there, largest)
}

static void tangents(const wy_mixed *self, int bundle, double *matrices) {
  FOR_EACH_ORDER_AND_FORM(tangents_there, matrices)
}

static int eliminate(const wy_mixed *self, int bundle, double *matrices) {
  int status = WY_OK;
  for (int offset = 0; offset < WY_LANES && WY_LANES * bundle + offset < self->elements; offset += WIDE) {
    const element_lanes at = lanes_of(self, bundle, offset);
    const int failed = self->task.form == WY_FORM_NODES ? eliminate_there(&at, known_of(2, true), matrices)
                                                        : eliminate_there(&at, known_of(2, false), matrices);
    status = failed ? failed : status;
  }
  return status;
}

static void reduce(const wy_mixed *self, int bundle, double *r) {
  FOR_EACH_ORDER_AND_FORM(reduce_there, r)
}

static void expand(const wy_mixed *self, int bundle, double *r) {
  FOR_EACH_ORDER_AND_FORM(expand_there, r)
}

#define ELEMENT_KERNELS                                                                                                \
  { .forces = forces, .tangents = tangents, .eliminate = eliminate, .reduce = reduce, .expand = expand }

#endif
