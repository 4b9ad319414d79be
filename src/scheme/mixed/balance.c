/* SPDX-License-Identifier: MIT */
/* What is out of balance along the whole rod, and the forces that keep directors orthonormal. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "scheme/mixed/rod.h"

/* What one element lacks, of its nodes and of its law. A law that is eliminated misses a stress, which is added; one
   that is a row of the band misses a strain. */
WY_INLINE void keep_part(const wy_mixed *self, int element, const double forces[WY_MOST_NODES][WY_NODE_UNKNOWNS],
                         double *part) {
  const int order = wy_mixed_order(self);
  const double sign = self->task.form == WY_FORM_NODES ? 1 : -1;
  for (int a = 0; a < self->basis.nodes; a++)
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      part[wy_mixed_local(order, a) + x] = -forces[a][x];
  for (int i = 0; i < 3 * order; i++)
    part[WY_LOCAL_FORCES + i] = sign * *wy_mixed_lane(self->element_law, WY_FORCES, element, i);
}

WY_CLONES
wy_mixed_misfit wy_mixed_balance(wy_mixed *self, double *vector) {
  const int order = wy_mixed_order(self);
  const double length = self->rod->length;
  double largest = 0, missed = 0, strain = 0;
  double carried[WY_NODE_UNKNOWNS] = {0}; /* on the node between this element and the one before */
  assert((vector != NULL) == (self->task.form != WY_FORM_ALL));
  if (self->base.contacts)
    wy_mixed_contact_forces(self);
  memset(self->support, 0, 2 * WY_NODE * sizeof *self->support);
  if (vector)
    memset(vector, 0, (size_t)self->narrow.n * sizeof *vector);
  for (int e = 0; e < self->elements; e++) {
    double(*f)[WY_NODE] = (double(*)[WY_NODE])(self->element_force + (size_t)e * WY_MOST_NODES * WY_NODE);
    double forces[WY_MOST_NODES][WY_NODE_UNKNOWNS];
    if (e % WY_LANES == 0)
      wy_mixed_bundle_forces(self, e / WY_LANES, &largest);
    for (int a = 0; a < self->basis.nodes; a++) {
      double *r = forces[a];
      int end = e == 0 && a == 0 ? 0 : e == self->elements - 1 && a == 1 ? 1 : -1;
      wy_mixed_project(self->task.left + WY_NODE * wy_mixed_node(self, e, a), f[a], r);
      for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
        double total = r[x] + (a == 0 ? carried[x] : 0);
        if (a == 1)
          carried[x] = r[x];
        if ((a == 1 && end < 0) || (end >= 0 && wy_mixed_is_held(self, end, x)))
          continue;
        const double worst = wy_larger(missed, total / (x < 3 ? 1 : length));
        if (worst != missed)
          self->worst_place = self->s_node[wy_mixed_node(self, e, a)];
        missed = worst;
      }
      for (int x = 0; end >= 0 && x < WY_NODE; x++)
        self->support[WY_NODE * end + x] = f[a][x];
    }
    if (vector)
      keep_part(self, e, (const double(*)[WY_NODE_UNKNOWNS])forces, wy_mixed_part(self, vector, e));
    for (int i = 0; i < 3 * order; i++) {
      const double by_law = *wy_mixed_lane(self->element_law, WY_FORCES, e, i);
      if (self->task.form == WY_FORM_NODES)
        missed = wy_larger(missed, by_law);
      else
        strain = wy_larger(strain, by_law / self->element[e].length);
    }
  }
  return (wy_mixed_misfit){missed, largest, strain};
}

/* Forces on directors that sum_j L_ij d_j balances, L symmetric, with the multipliers in it (X26). */
static void node_multipliers(const double *q, const double f[9], double out[6]) {
  static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  double dual[3][3], volume;
  for (int j = 0; j < 3; j++)
    wy_cross3(q + 3 + 3 * ((j + 1) % 3), q + 3 + 3 * ((j + 2) % 3), dual[j]);
  volume = wy_dot3(q + 3, dual[0]);
  for (int k = 0; k < 6; k++) {
    int i = pairs[k][0], j = pairs[k][1];
    out[k] = -(k < 3 ? 0.5 : 1) * (wy_dot3(f + 3 * i, dual[j]) + wy_dot3(f + 3 * j, dual[i])) / volume;
  }
}

void wy_mixed_multipliers(const wy_mixed *self, double *out) {
  double carried[9] = {0};
  for (int e = 0; e < self->elements; e++) {
    double(*f)[WY_NODE] = (double(*)[WY_NODE])(self->element_force + (size_t)e * WY_MOST_NODES * WY_NODE);
    for (int a = 0; a < self->basis.nodes; a++) {
      int node = wy_mixed_node(self, e, a);
      double total[9];
      for (int x = 0; x < 9; x++)
        total[x] = f[a][3 + x] + (a == 0 ? carried[x] : 0);
      if (a != 1 || e == self->elements - 1)
        node_multipliers(self->task.left + WY_NODE * node, total, out + 6 * node);
    }
    memcpy(carried, f[1] + 3, sizeof carried);
  }
}

void wy_mixed_out_of_balance(const wy_mixed *self, double *r) {
  memset(r, 0, (size_t)self->band->n * sizeof *r);
  for (int e = 0; e < self->elements; e++) {
    double(*f)[WY_NODE] = (double(*)[WY_NODE])(self->element_force + (size_t)e * WY_MOST_NODES * WY_NODE);
    for (int a = 0; a < self->basis.nodes; a++) {
      double part[WY_NODE_UNKNOWNS];
      wy_mixed_project(self->task.left + WY_NODE * wy_mixed_node(self, e, a), f[a], part);
      for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
        r[wy_mixed_unknown(self, e, a) + x] -= part[x];
    }
    for (int i = 0; i < 3 * self->basis.order; i++)
      r[wy_mixed_unknown(self, e, 0) + WY_NODE_UNKNOWNS + i] = -*wy_mixed_lane(self->element_law, WY_FORCES, e, i);
  }
}
