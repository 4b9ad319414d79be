/* SPDX-License-Identifier: MIT */
/* Actuators (X23): chambers are stresses of their own, constant in the frame; tendons pull along their line, at the
   quadrature points. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "scheme/mixed/rod.h"

/* Chambers: the stresses (0, 0, 1, rho2, -rho1, 0), projected onto the functions of the stresses. */
static void place_chamber(const wy_mixed *self, const wy_actuator_def *def, int element, double *stress) {
  const int order = wy_mixed_order(self);
  const wy_mixed_element *e = &self->element[element];
  double sums[2][2] = {{0}}; /* integrals of psi_b rho */
  for (int g = 0; g < WY_GAUSS; g++) {
    double rho[2], slope[2];
    wy_actuator_offset(def, wy_mixed_arc(e, self->basis.xi[g]), rho, slope);
    for (int b = 0; b < order; b++)
      for (int k = 0; k < 2; k++)
        sums[b][k] += self->basis.weight[g] * self->basis.gauss[g].psi[b] * rho[k];
  }
  for (int b = 0; b < order; b++) {
    double rho[2]; /* by the inverse of the integrals of psi psi on -1..1: 2, or (2, 1; 1, 2) / 3 */
    for (int k = 0; k < 2; k++)
      rho[k] = order == 1 ? 0.5 * sums[0][k] : 2 * sums[b][k] - sums[1 - b][k];
    stress[6 * b + 2] = 1, stress[6 * b + 3] = rho[1], stress[6 * b + 4] = -rho[0];
  }
}

void wy_mixed_place_actuators(wy_mixed *self) {
  self->has_tendon = false;
  for (int i = 0; i < self->actuator_count; i++) {
    const wy_actuator_def *def = wy_model_rod_actuator(self->base.model, self->base.rod, i);
    wy_mixed_actuator *actuator = &self->actuators[i];
    actuator->tendon = def->kind == WY_TENDON;
    self->has_tendon = self->has_tendon || actuator->tendon;
    for (int e = 0; e < self->elements; e++) {
      double *values = actuator->values + (size_t)e * WY_STRESSES;
      if (!actuator->tendon)
        place_chamber(self, def, e, values);
      for (int g = 0; actuator->tendon && g < WY_GAUSS; g++)
        wy_actuator_offset(def, wy_mixed_arc(&self->element[e], self->basis.xi[g]), values + 4 * g, values + 4 * g + 2);
    }
  }
}

void wy_mixed_update_actuators(wy_mixed *self, double t) {
  memset(self->offset, 0, (size_t)self->elements * WY_STRESSES * sizeof *self->offset);
  for (int i = 0; i < self->actuator_count; i++) {
    wy_mixed_actuator *actuator = &self->actuators[i];
    actuator->force = self->load_factor * wy_actuator_value(wy_model_rod_actuator(self->base.model, self->base.rod, i),
                                                            &self->base.actuator_overrides[i], t);
    for (size_t k = 0; !actuator->tendon && k < (size_t)self->elements * WY_STRESSES; k++)
      self->offset[k] += actuator->force * actuator->values[k];
  }
}

/* One tendon at one place: what the numbers of a node count for in r', by their configuration functions and slopes. */
typedef struct tendon_place {
  double factor[WY_MOST_NODES][3]; /* of phi, d1, d2 */
  double direction[3], length;     /* of r' */
} tendon_place;

/* r' = phi' + rho1 d1' + rho2 d2' + rho1' d1 + rho2' d2. */
static tendon_place at_place(const wy_mixed *self, int element, const wy_mixed_place *at, const double rho[2],
                             const double slope[2], double q[WY_MOST_NODES][WY_NODE]) {
  tendon_place place = {0};
  const double by_arc = 2 / self->element[element].length;
  double r[3] = {0};
  for (int a = 0; a < self->basis.nodes; a++) {
    double steep = by_arc * at->slope[a];
    place.factor[a][0] = steep;
    place.factor[a][1] = rho[0] * steep + slope[0] * at->n[a];
    place.factor[a][2] = rho[1] * steep + slope[1] * at->n[a];
    for (int i = 0; i < 3; i++)
      wy_add3(r, place.factor[a][i], q[a] + 3 * i);
  }
  place.length = wy_norm3(r);
  for (int x = 0; x < 3; x++)
    place.direction[x] = r[x] / place.length;
  return place;
}

static const double *offsets(const wy_mixed_actuator *actuator, int element, int g) {
  return actuator->values + (size_t)element * WY_STRESSES + 4 * (size_t)g;
}

void wy_mixed_tendon_forces(const wy_mixed *self, int element, double q[WY_MOST_NODES][WY_NODE],
                            double f[WY_MOST_NODES][WY_NODE]) {
  for (int i = 0; i < self->actuator_count; i++)
    for (int g = 0; self->actuators[i].tendon && g < WY_GAUSS; g++) {
      const double *rho = offsets(&self->actuators[i], element, g);
      tendon_place place = at_place(self, element, &self->basis.gauss[g], rho, rho + 2, q);
      double pull = 0.5 * self->basis.weight[g] * self->element[element].length * self->actuators[i].force;
      for (int k = 0; k < 3 * self->basis.nodes; k++)
        wy_add3(f[k / 3] + 3 * (k % 3), pull * place.factor[k / 3][k % 3], place.direction);
    }
}

/* The direction changes by (1 - t t^T) / |r'| dr'. */
static void add_tangent(const wy_mixed *self, const tendon_place *place, double pull,
                        double left[WY_MOST_NODES][WY_NODE], double right[WY_MOST_NODES][WY_NODE],
                        const wy_mixed_matrix *matrix) {
  for (int column = 0; column < 6 * self->basis.nodes; column++) {
    int c = column / 6, x = column % 6;
    double unit[3] = {0}, r[3] = {0}, push[WY_NODE] = {0}, out[WY_NODE_UNKNOWNS];
    unit[x % 3] = self->task.share;
    if (x < 3)
      wy_add3(r, place->factor[c][0], unit);
    for (int i = 1; x >= 3 && i < 3; i++) {
      double turned[3];
      wy_cross3(unit, right[c] + 3 * i, turned);
      wy_add3(r, place->factor[c][i], turned);
    }
    double along = wy_dot3(place->direction, r);
    wy_add3(r, -along, place->direction);
    for (int a = 0; a < self->basis.nodes; a++) {
      for (int i = 0; i < 9; i++)
        push[i] = pull / place->length * place->factor[a][i / 3] * r[i % 3];
      wy_mixed_project(left[a], push, out);
      for (int y = 0; y < WY_NODE_UNKNOWNS; y++)
        *wy_mixed_entry(matrix, 6 * a + y, column) += out[y];
    }
  }
}

void wy_mixed_tendon_tangent(const wy_mixed *self, int element, double left[WY_MOST_NODES][WY_NODE],
                             double right[WY_MOST_NODES][WY_NODE], const wy_mixed_matrix *matrix) {
  for (int i = 0; i < self->actuator_count; i++)
    for (int g = 0; self->actuators[i].tendon && g < WY_GAUSS; g++) {
      const double *rho = offsets(&self->actuators[i], element, g);
      tendon_place place = at_place(self, element, &self->basis.gauss[g], rho, rho + 2, left);
      double pull = 0.5 * self->basis.weight[g] * self->element[element].length * self->actuators[i].force;
      add_tangent(self, &place, pull, left, right, matrix);
    }
}

void wy_mixed_tendon_stress(const wy_mixed *self, int element, double xi, double q[WY_MOST_NODES][WY_NODE],
                            double stress[6]) {
  const wy_mixed_place at = wy_mixed_at(self->basis.order, xi);
  double frame[WY_NODE] = {0};
  for (int a = 0; a < self->basis.nodes; a++)
    for (int x = 0; x < WY_NODE; x++)
      frame[x] += at.n[a] * q[a][x];
  memset(stress, 0, 6 * sizeof *stress);
  for (int i = 0; i < self->actuator_count; i++) {
    const wy_mixed_actuator *actuator = &self->actuators[i];
    double rho[2], slope[2], force[3];
    if (!actuator->tendon)
      continue;
    wy_actuator_offset(wy_model_rod_actuator(self->base.model, self->base.rod, i),
                       wy_mixed_arc(&self->element[element], xi), rho, slope);
    tendon_place place = at_place(self, element, &at, rho, slope, q);
    for (int k = 0; k < 3; k++) {
      const double *d = frame + 3 + 3 * k;
      force[k] = actuator->force * wy_dot3(place.direction, d) / wy_norm3(d);
      stress[k] += force[k];
    }
    stress[3] += rho[1] * force[2];
    stress[4] -= rho[0] * force[2];
    stress[5] += rho[0] * force[1] - rho[1] * force[0];
  }
}
