/* SPDX-License-Identifier: MIT */
/* Shape functions, quadrature and the tables that all elements share. */
#include <math.h>
#include <string.h>

#include "scheme/mixed/rod.h"

wy_mixed_place wy_mixed_at(int order, double xi) {
  wy_mixed_place at = {0};
  if (order == 1) {
    at.n[0] = 0.5 * (1 - xi), at.n[1] = 0.5 * (1 + xi);
    at.slope[0] = -0.5, at.slope[1] = 0.5;
    at.psi[0] = 1;
  } else {
    at.n[0] = 0.5 * xi * (xi - 1), at.n[1] = 0.5 * xi * (xi + 1), at.n[2] = 1 - xi * xi;
    at.slope[0] = xi - 0.5, at.slope[1] = xi + 0.5, at.slope[2] = -2 * xi;
    at.psi[0] = 0.5 * (1 - xi), at.psi[1] = 0.5 * (1 + xi);
  }
  return at;
}

void wy_mixed_set_basis(wy_mixed_basis *basis, int order) {
  memset(basis, 0, sizeof *basis);
  basis->order = order;
  basis->nodes = order + 1;
  const double xi = sqrt(0.6);
  for (int g = 0; g < WY_GAUSS; g++) {
    basis->xi[g] = (g - 1) * xi;
    basis->weight[g] = g == 1 ? 8.0 / 9 : 5.0 / 9;
    basis->gauss[g] = wy_mixed_at(order, basis->xi[g]);
    const wy_mixed_place *at = &basis->gauss[g];
    for (int b = 0; b < order; b++)
      for (int i = 0; i < basis->nodes * basis->nodes; i++) {
        int a = i / basis->nodes, c = i % basis->nodes;
        basis->g[b][a][c] += basis->weight[g] * at->psi[b] * at->n[a] * at->slope[c];
      }
  }
  for (int b = 0; b < order; b++)
    for (int i = 0; i < basis->nodes * basis->nodes; i++) {
      const int a = i / basis->nodes, c = i % basis->nodes;
      basis->skew[b][a][c] = 0.5 * (basis->g[b][a][c] - basis->g[b][c][a]);
    }
}

double wy_mixed_arc(const wy_mixed_element *element, double xi) {
  return element->start + 0.5 * (1 + xi) * element->length;
}

wy_sym wy_sym_inverse(int order, wy_sym a) {
  if (order == 1)
    return (wy_sym){{1 / a.m[0], 0, 0}};
  double determinant = a.m[0] * a.m[2] - a.m[1] * a.m[1];
  return (wy_sym){{a.m[2] / determinant, -a.m[1] / determinant, a.m[0] / determinant}};
}
