/* SPDX-License-Identifier: MIT */
/* The formulas of an element: strains, stresses and forces (X3)-(X10). They are written over NUMBER, which is a double
   for one element, or a vector of doubles for several of them side by side. The loops over local nodes have constant
   bounds once they are inlined for their order. Outer loops stay loops: unrolled in full, the code of a tangent would
   not fit into the instruction cache. */
#ifndef WY_SCHEME_MIXED_ELEMENT_FORMULAS_H
#define WY_SCHEME_MIXED_ELEMENT_FORMULAS_H

#include "base/target.h"
#include "scheme/mixed/rod.h"

/* What strains and forces are made of (X3): of places Y_b = G_b q, of directors Z_b = G_b^T q and V_b = (G_b - G_b^T) q
   / 2. Directors stand where they do in a node. */
typedef struct element_sums {
  NUMBER y[WY_MOST_ORDER][WY_MOST_NODES][3];
  NUMBER z[WY_MOST_ORDER][WY_MOST_NODES][WY_NODE];
  NUMBER v[WY_MOST_ORDER][WY_MOST_NODES][WY_NODE];
} element_sums;

/* What the stresses of the task follow from. */
typedef struct element_law {
  NUMBER modulus[6][3];     /* d stress / d E: 00, 01, 11 */
  NUMBER flexibility[3][3]; /* its inverse for forces, or what stands for it where strains are constrained */
  NUMBER strain_base[WY_STRESSES], stress_base[WY_STRESSES], axial[WY_FORCES];
} element_law;

WY_INLINE NUMBER dot(const NUMBER a[3], const NUMBER b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out += factor (a x b) */
WY_INLINE void add_cross(const double factor, const NUMBER a[3], const NUMBER b[3], NUMBER out[3]) {
  out[0] += factor * (a[1] * b[2] - a[2] * b[1]);
  out[1] += factor * (a[2] * b[0] - a[0] * b[2]);
  out[2] += factor * (a[0] * b[1] - a[1] * b[0]);
}

/* Curvature i is made of directors j and k, the next two in cyclic order. Offsets of the directors in a node. */
WY_INLINE int director(int i) {
  return 3 + 3 * (i % 3);
}

WY_INLINE void sum_up(const wy_mixed_basis *basis, const int order, NUMBER q[WY_MOST_NODES][WY_NODE],
                      element_sums *sums) {
#pragma GCC unroll 1
  for (int x = 0; x < 3; x++)
    for (int b = 0; b < order; b++)
      for (int a = 0; a <= order; a++) {
        sums->y[b][a][x] = basis->g[b][a][0] * q[0][x];
        for (int c = 1; c <= order; c++)
          sums->y[b][a][x] += basis->g[b][a][c] * q[c][x];
      }
#pragma GCC unroll 1
  for (int x = 3; x < WY_NODE; x++)
    for (int b = 0; b < order; b++)
      for (int a = 0; a <= order; a++) {
        const int other = a == 0 ? 1 : 0; /* no term of V with itself */
        NUMBER back = basis->g[b][0][a] * q[0][x], turned = basis->skew[b][a][other] * q[other][x];
        for (int c = 1; c <= order; c++) {
          back += basis->g[b][c][a] * q[c][x];
          if (c != a && c != other)
            turned += basis->skew[b][a][c] * q[c][x];
        }
        sums->z[b][a][x] = back, sums->v[b][a][x] = turned;
      }
}

WY_INLINE void strains(const int order, NUMBER q[WY_MOST_NODES][WY_NODE], const element_sums *sums,
                       NUMBER e[WY_STRESSES]) {
#pragma GCC unroll 1
  for (int b = 0; b < order; b++)
    for (int i = 0; i < 3; i++) {
      NUMBER gamma = dot(&sums->z[b][0][director(i)], q[0]);
      NUMBER kappa = dot(&q[0][director(i + 2)], &sums->v[b][0][director(i + 1)]);
      for (int a = 1; a <= order; a++) {
        gamma += dot(&sums->z[b][a][director(i)], q[a]);
        kappa += dot(&q[a][director(i + 2)], &sums->v[b][a][director(i + 1)]);
      }
      e[6 * b + i] = gamma;
      e[6 * b + 3 + i] = kappa;
    }
}

/* A symmetric matrix of the order of the stresses times a vector. */
WY_INLINE void times(const int order, const NUMBER matrix[3], const NUMBER x[WY_MOST_ORDER],
                     NUMBER out[WY_MOST_ORDER]) {
  out[0] = matrix[0] * x[0];
  if (order == 2) {
    out[0] += matrix[1] * x[1];
    out[1] = matrix[1] * x[0] + matrix[2] * x[1];
  }
}

/* Moments by their law, forces as they are; and what the law of the forces misses: a stress, or a strain. */
WY_INLINE void stresses(const int order, const bool misses_stress, const element_law *with, const NUMBER e[WY_STRESSES],
                        NUMBER stress[WY_STRESSES], NUMBER law[WY_FORCES]) {
  for (int i = 0; i < 6; i++) {
    NUMBER change[WY_MOST_ORDER], excess[WY_MOST_ORDER], by_law[WY_MOST_ORDER];
    for (int b = 0; b < order; b++)
      change[b] = e[6 * b + i] - with->strain_base[6 * b + i];
    if (i >= 3 || misses_stress) {
      times(order, with->modulus[i], change, by_law);
      for (int b = 0; b < order; b++) {
        by_law[b] += with->stress_base[6 * b + i];
        stress[6 * b + i] = i >= 3 ? by_law[b] : with->axial[3 * b + i];
        if (i < 3)
          law[3 * b + i] = by_law[b] - with->axial[3 * b + i];
      }
      continue;
    }
    for (int b = 0; b < order; b++)
      excess[b] = with->axial[3 * b + i] - with->stress_base[6 * b + i];
    times(order, with->flexibility[i], excess, by_law);
    for (int b = 0; b < order; b++) {
      stress[6 * b + i] = with->axial[3 * b + i];
      law[3 * b + i] = change[b] - by_law[b];
    }
  }
}

#endif
