/* SPDX-License-Identifier: MIT */
/* One element, and what acts on it besides inertia and stresses. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "scheme/mixed/element_kernels.h"
#include "scheme/mixed/rod.h"

#define NUMBER double
#include "scheme/mixed/element_formulas.h"

/* The element's nodes. Only differences of places count: they are taken from the first one, so that a rod far from the
   origin loses no digits. */
static void gather(const wy_mixed *self, int element, const double *q, double out[WY_MOST_NODES][WY_NODE]) {
  const double *first = q + WY_NODE * wy_mixed_node(self, element, 0);
  for (int a = 0; a < self->basis.nodes; a++) {
    memcpy(out[a], q + WY_NODE * wy_mixed_node(self, element, a), sizeof out[a]);
    wy_add3(out[a], -1, first);
  }
}

wy_sym wy_mixed_modulus(const wy_mixed *self, int element, int component) {
  const wy_sym *k = &self->element[element].stiffness[component], *d = &self->element[element].damping[component];
  const double elastic = self->task.elastic, viscous = self->task.viscous;
  return (wy_sym){{elastic * k->m[0] + viscous * d->m[0], elastic * k->m[1] + viscous * d->m[1],
                   elastic * k->m[2] + viscous * d->m[2]}};
}

WY_INLINE void strains_of(const wy_mixed *self, const int order, double q[WY_MOST_NODES][WY_NODE],
                          double e[WY_STRESSES]) {
  element_sums sums;
  sum_up(&self->basis, order, q, &sums);
  strains(order, q, &sums, e);
}

WY_CLONES
static void strains_at(const wy_mixed *self, double q[WY_MOST_NODES][WY_NODE], double e[WY_STRESSES]) {
  if (self->basis.order == 1)
    strains_of(self, 1, q, e);
  else
    strains_of(self, 2, q, e);
}

void wy_mixed_strains(const wy_mixed *self, int element, const double *q, double e[WY_STRESSES]) {
  double local[WY_MOST_NODES][WY_NODE];
  gather(self, element, q, local);
  strains_at(self, local, e);
}

void wy_mixed_stresses(const wy_mixed *self, int element, double stress[WY_STRESSES]) {
  double e[WY_STRESSES], law[WY_FORCES];
  element_law with;
  for (int i = 0; i < 6; i++) {
    const wy_sym modulus = wy_mixed_modulus(self, element, i);
    memcpy(with.modulus[i], modulus.m, sizeof modulus.m);
  }
  for (int i = 0; i < WY_STRESSES; i++) {
    with.strain_base[i] = *wy_mixed_lane(self->strain_base, WY_STRESSES, element, i);
    with.stress_base[i] = *wy_mixed_lane(self->stress_base, WY_STRESSES, element, i);
  }
  for (int i = 0; i < WY_FORCES; i++)
    with.axial[i] = *wy_mixed_lane(self->axial, WY_FORCES, element, i);
  wy_mixed_strains(self, element, self->task.right, e);
  stresses(wy_mixed_order(self), true, &with, e, stress, law);
}

void wy_mixed_strain_rates(const wy_mixed *self, int element, const double *q, const double *v,
                           double rate[WY_STRESSES]) {
  double ahead[WY_MOST_NODES][WY_NODE], behind[WY_MOST_NODES][WY_NODE], before[WY_STRESSES];
  const int order = wy_mixed_order(self);
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < WY_NODE; x++) {
      int i = WY_NODE * wy_mixed_node(self, element, a) + x;
      ahead[a][x] = q[i] + 0.5 * v[i], behind[a][x] = q[i] - 0.5 * v[i];
    }
  strains_at(self, ahead, rate);
  strains_at(self, behind, before);
  for (int i = 0; i < 6 * order; i++)
    rate[i] -= before[i];
}

/* ---- What else acts ---- */

static bool is_loaded(const wy_mixed *self, int element) {
  return self->first_site[element] < self->first_site[element + 1];
}

/* To the forces of an element. */
static void add_forces(const wy_mixed *self, int element, double f[WY_MOST_NODES][WY_NODE]) {
  if (self->has_tendon || is_loaded(self, element)) {
    double q[WY_MOST_NODES][WY_NODE];
    gather(self, element, self->task.left, q);
    if (self->has_tendon)
      wy_mixed_tendon_forces(self, element, q, f);
    wy_mixed_load_forces(self, element, q, f);
  }
  if (self->fluid)
    wy_mixed_fluid_forces(self, element, f);
  if (self->contact.found)
    wy_mixed_add_contact(self, element, f);
}

void wy_mixed_bundle_forces(wy_mixed *self, int bundle, double *largest) {
  self->kernels->forces(self, bundle, largest);
  for (int e = WY_LANES * bundle; e < WY_LANES * bundle + wy_mixed_bundle_size(self, bundle); e++) {
    double(*f)[WY_NODE] = (double(*)[WY_NODE])(self->element_force + (size_t)e * WY_MOST_NODES * WY_NODE);
    add_forces(self, e, f);
    for (int a = 0; a < self->basis.nodes; a++)
      for (int x = 0; x < 3; x++)
        *largest = fmax(*largest, fabs(f[a][x]));
  }
}

void wy_mixed_add_slopes(const wy_mixed *self, int element, const wy_mixed_matrix *matrix) {
  if (self->has_tendon || is_loaded(self, element)) {
    double left[WY_MOST_NODES][WY_NODE], right[WY_MOST_NODES][WY_NODE];
    gather(self, element, self->task.left, left);
    gather(self, element, self->task.right, right);
    if (self->has_tendon)
      wy_mixed_tendon_tangent(self, element, left, right, matrix);
    wy_mixed_load_tangent(self, element, left, right, matrix);
  }
  if (self->fluid)
    wy_mixed_fluid_tangent(self, element, matrix);
  if (self->contact.found)
    wy_mixed_contact_tangent(self, element, matrix);
}
