/* SPDX-License-Identifier: MIT */
/* One element: strains, forces and their tangent. The loops over local nodes have constant bounds once they are inlined
   for their order. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "math/vec3.h"
#include "scheme/mixed/rod.h"

/* What strains and forces are made of (X3): Y_b = G_b q, Z_b = G_b^T q and V_b = (Y_b - Z_b) / 2, for all numbers of a
   node side by side. */
typedef struct element_sums {
  double y[WY_MOST_ORDER][WY_MOST_NODES][WY_NODE];
  double z[WY_MOST_ORDER][WY_MOST_NODES][WY_NODE];
  double v[WY_MOST_ORDER][WY_MOST_NODES][WY_NODE];
} element_sums;

/* The element's nodes. Only differences of places count: they are taken from the first one, so that a rod far from the
   origin loses no digits. */
WY_INLINE void gather(const wy_mixed *self, const int order, int element, const double *q,
                      double out[WY_MOST_NODES][WY_NODE]) {
  const double *first = q + WY_NODE * wy_mixed_node(self, element, 0);
  for (int a = 0; a <= order; a++) {
    memcpy(out[a], q + WY_NODE * wy_mixed_node(self, element, a), sizeof out[a]);
    wy_add3(out[a], -1, first);
  }
}

WY_INLINE void sum_up(const wy_mixed_basis *basis, const int order, double q[WY_MOST_NODES][WY_NODE],
                      element_sums *sums) {
  for (int b = 0; b < order; b++)
    for (int a = 0; a <= order; a++) {
      double *restrict y = sums->y[b][a], *restrict z = sums->z[b][a], *restrict v = sums->v[b][a];
#pragma omp simd
      for (int x = 0; x < WY_NODE; x++) {
        double forth = 0, back = 0;
        for (int c = 0; c <= order; c++) {
          forth += basis->g[b][a][c] * q[c][x];
          back += basis->g[b][c][a] * q[c][x];
        }
        y[x] = forth, z[x] = back, v[x] = 0.5 * (forth - back);
      }
    }
}

/* Curvature i is made of directors j and k, the next two in cyclic order. Offsets of the directors in a node. */
WY_INLINE int director(int i) {
  return 3 + 3 * (i % 3);
}

WY_INLINE void strains(const int order, double q[WY_MOST_NODES][WY_NODE], const element_sums *sums,
                       double e[WY_STRESSES]) {
  for (int b = 0; b < order; b++)
    for (int i = 0; i < 3; i++) {
      double gamma = 0, kappa = 0;
      for (int a = 0; a <= order; a++) {
        gamma += wy_dot3(&sums->z[b][a][director(i)], q[a]);
        kappa += wy_dot3(&q[a][director(i + 2)], &sums->v[b][a][director(i + 1)]);
      }
      e[6 * b + i] = gamma;
      e[6 * b + 3 + i] = kappa;
    }
}

/* B^T sigma. */
WY_INLINE void stress_forces(const int order, const element_sums *sums, const double stress[WY_STRESSES],
                             double f[WY_MOST_NODES][WY_NODE]) {
  for (int a = 0; a <= order; a++)
    for (int b = 0; b < order; b++)
      for (int i = 0; i < 3; i++) {
        const double n = stress[6 * b + i], m = stress[6 * b + 3 + i];
        const double *y = sums->y[b][a], *z = sums->z[b][a], *v = sums->v[b][a];
        int d = director(i), j = director(i + 1), k = director(i + 2);
        for (int x = 0; x < 3; x++) {
          f[a][x] += n * z[d + x];
          f[a][d + x] += n * y[x];
          f[a][k + x] += m * v[j + x];
          f[a][j + x] -= m * v[k + x];
        }
      }
}

/* Entries of a row that are in use, with padding for whole vectors. */
WY_INLINE int used_width(const int order) {
  return order == 1 ? 12 : WY_ELEMENT_WIDTH;
}

/* Rows of B for translations and space rotations: dE = B (dphi, theta) where directors change by theta x d. */
WY_INLINE void strain_rows(const int order, double q[WY_MOST_NODES][WY_NODE], const element_sums *sums,
                           double rows[WY_STRESSES][WY_ELEMENT_WIDTH]) {
  for (int b = 0; b < order; b++)
    for (int i = 0; i < 3; i++) {
      double *force = rows[6 * b + i], *moment = rows[6 * b + 3 + i];
      int d = director(i), j = director(i + 1), k = director(i + 2);
      for (int x = 6 * (order + 1); x < used_width(order); x++)
        force[x] = moment[x] = 0;
      for (int a = 0; a <= order; a++) {
        double one[3], other[3];
        wy_copy3(&sums->z[b][a][d], force + 6 * a);
        wy_cross3(&q[a][d], sums->y[b][a], force + 6 * a + 3);
        wy_cross3(&q[a][k], &sums->v[b][a][j], one);
        wy_cross3(&q[a][j], &sums->v[b][a][k], other);
        for (int x = 0; x < 3; x++) {
          moment[6 * a + x] = 0;
          moment[6 * a + 3 + x] = one[x] - other[x];
        }
      }
    }
}

WY_INLINE void inertia_forces(const wy_mixed *self, const int order, int element, double f[WY_MOST_NODES][WY_NODE]) {
  for (int a = 0; a <= order; a++)
    for (int c = 0; c <= order; c++) {
      const double *acceleration = self->acceleration + WY_NODE * wy_mixed_node(self, element, c);
      for (int part = 0; part < 4; part++) {
        double mass = wy_mixed_mass(self, element, part, a, c);
        for (int x = 3 * part; x < 3 * part + 3; x++)
          f[a][x] += mass * acceleration[x];
      }
    }
}

wy_sym wy_mixed_modulus(const wy_mixed *self, int element, int component) {
  const wy_sym *k = &self->element[element].stiffness[component], *d = &self->element[element].damping[component];
  const double elastic = self->task.elastic, viscous = self->task.viscous;
  return (wy_sym){{elastic * k->m[0] + viscous * d->m[0], elastic * k->m[1] + viscous * d->m[1],
                   elastic * k->m[2] + viscous * d->m[2]}};
}

wy_sym wy_mixed_flexibility(const wy_mixed *self, int element, int component) {
  const int order = wy_mixed_order(self);
  if (component >= self->constrained)
    return wy_sym_inverse(order, wy_mixed_modulus(self, element, component));
  double unit = self->slack * self->element[element].length / (order == 1 ? 1 : 6);
  return order == 1 ? (wy_sym){{unit, 0, 0}} : (wy_sym){{2 * unit, unit, 2 * unit}};
}

/* Moments by their law, forces as they are; and what the law of the forces misses. */
WY_INLINE void stresses(const wy_mixed *self, const int order, int element, const double e[WY_STRESSES],
                        double stress[WY_STRESSES], double law[WY_FORCES]) {
  const size_t at = (size_t)element * WY_STRESSES;
  const double *strain_base = self->strain_base + at, *base = self->stress_base + at;
  const double *axial = self->axial + (size_t)element * WY_FORCES;
  double change[WY_STRESSES];
  for (int i = 0; i < 6 * order; i++)
    change[i] = e[i] - strain_base[i];
  for (int i = 0; i < 6; i++) {
    double by_law[2], missed[2];
    if (i >= 3 || self->task.form == WY_FORM_NODES) {
      wy_sym modulus = wy_mixed_modulus(self, element, i);
      wy_sym_times(order, &modulus, change + i, 6, by_law);
      for (int b = 0; b < order; b++) {
        by_law[b] += base[6 * b + i];
        stress[6 * b + i] = i >= 3 ? by_law[b] : axial[3 * b + i];
        if (i < 3)
          law[3 * b + i] = by_law[b] - axial[3 * b + i];
      }
      continue;
    }
    wy_sym flexibility = wy_mixed_flexibility(self, element, i);
    double excess[4] = {axial[i] - base[i], 0, 0, order == 2 ? axial[3 + i] - base[6 + i] : 0};
    wy_sym_times(order, &flexibility, excess, 3, missed);
    for (int b = 0; b < order; b++) {
      stress[6 * b + i] = axial[3 * b + i];
      law[3 * b + i] = change[6 * b + i] - missed[b];
    }
  }
}

/* What chambers add. */
WY_INLINE void add_chambers(const wy_mixed *self, const int order, int element, double stress[WY_STRESSES]) {
  const double *offset = self->offset + (size_t)element * WY_STRESSES;
  for (int i = 0; i < 6 * order; i++)
    stress[i] += offset[i];
}

WY_INLINE double largest_force(const int order, double f[WY_MOST_NODES][WY_NODE], double largest) {
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < 3; x++)
      largest = fmax(largest, fabs(f[a][x]));
  return largest;
}

WY_INLINE void residual(const wy_mixed *self, const int order, int element, double f[WY_MOST_NODES][WY_NODE],
                        double law[WY_FORCES], double *largest) {
  double q[WY_MOST_NODES][WY_NODE], right[WY_MOST_NODES][WY_NODE], e[WY_STRESSES], stress[WY_STRESSES];
  element_sums sums;
  gather(self, order, element, self->task.right, right);
  sum_up(&self->basis, order, right, &sums);
  strains(order, right, &sums, e);
  stresses(self, order, element, e, stress, law);
  add_chambers(self, order, element, stress);
  if (self->task.left != self->task.right) {
    gather(self, order, element, self->task.left, q);
    sum_up(&self->basis, order, q, &sums);
  } else
    memcpy(q, right, sizeof q);
  memset(f, 0, WY_MOST_NODES * sizeof f[0]);
  stress_forces(order, &sums, stress, f);
  *largest = largest_force(order, f, *largest);
  for (int i = 3; i < 6; i++) /* moments count as the forces that hold them in balance over the rod */
    *largest = fmax(*largest, fabs(stress[i]) / self->rod->length);
  inertia_forces(self, order, element, f);
  if (self->has_tendon)
    wy_mixed_tendon_forces(self, element, q, f);
  if (self->first_site[element] < self->first_site[element + 1])
    wy_mixed_load_forces(self, element, q, f);
  if (self->fluid)
    wy_mixed_fluid_forces(self, element, f);
  if (self->contact.found)
    wy_mixed_add_contact(self, element, f);
  *largest = largest_force(order, f, *largest);
}

/* u x (theta x w) = ((u.w) 1 - w u^T) theta, added to a block of rows `row`, columns `column`. */
WY_INLINE void add_double_cross(wy_mixed_matrix *matrix, int row, int column, double factor, const double u[3],
                                const double w[3]) {
  double dot = factor * wy_dot3(u, w);
  for (int x = 0; x < 3; x++) {
    for (int y = 0; y < 3; y++)
      matrix->k[row + x][column + y] -= factor * w[x] * u[y];
    matrix->k[row + x][column + x] += dot;
  }
}

WY_INLINE void add_skew(wy_mixed_matrix *matrix, int row, int column, const double a[3]) {
  matrix->k[row][column + 1] -= a[2], matrix->k[row][column + 2] += a[1];
  matrix->k[row + 1][column] += a[2], matrix->k[row + 1][column + 2] -= a[0];
  matrix->k[row + 2][column] -= a[1], matrix->k[row + 2][column + 1] += a[0];
}

/* Inertia, and stresses that stay while the nodes move (X19): rows of node a, columns of node c. */
WY_INLINE void node_pair(const wy_mixed *self, const int order, int element, int a, int c,
                         double left[WY_MOST_NODES][WY_NODE], double right[WY_MOST_NODES][WY_NODE],
                         const double stress[WY_STRESSES], wy_mixed_matrix *matrix) {
  const wy_mixed_task *task = &self->task;
  double force_here[3] = {0}, force_there[3] = {0}, moment[3] = {0};
  for (int b = 0; b < order; b++) {
    double here = task->share * self->basis.g[b][a][c], there = task->share * self->basis.g[b][c][a];
    for (int i = 0; i < 3; i++) {
      force_here[i] += stress[6 * b + i] * here;
      force_there[i] += stress[6 * b + i] * there;
      moment[i] += stress[6 * b + 3 + i] * 0.5 * (here - there);
    }
  }
  double by_place[3] = {0}, by_turn[3] = {0};
  for (int i = 0; i < 3; i++) {
    wy_add3(by_turn, -force_there[i], &right[c][director(i)]);
    wy_add3(by_place, force_here[i], &left[a][director(i)]);
  }
  add_skew(matrix, 6 * a, 6 * c + 3, by_turn);
  add_skew(matrix, 6 * a + 3, 6 * c, by_place);
  double mass = task->inertia[0] * wy_mixed_mass(self, element, 0, a, c);
  for (int x = 0; x < 3; x++)
    matrix->k[6 * a + x][6 * c + x] += mass;
  double dot = 0, outer[3][3] = {{0}};
  for (int i = 0; i < 3; i++) { /* director i of the row with all of the column, (X20) */
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    const double own = task->inertia[1] * wy_mixed_mass(self, element, 1 + i, a, c);
    const double *u = &left[a][director(i)];
    double z[3];
    for (int x = 0; x < 3; x++)
      z[x] = own * right[c][director(i) + x] + moment[next] * right[c][director(last) + x] -
             moment[last] * right[c][director(next) + x];
    dot += wy_dot3(u, z);
    for (int x = 0; x < 3; x++)
      for (int y = 0; y < 3; y++)
        outer[x][y] += z[x] * u[y];
  }
  for (int x = 0; x < 3; x++) {
    for (int y = 0; y < 3; y++)
      matrix->k[6 * a + 3 + x][6 * c + 3 + y] -= outer[x][y];
    matrix->k[6 * a + 3 + x][6 * c + 3 + x] += dot;
  }
}

/* k += left^T (modulus right) for the components from..5. */
WY_INLINE void add_material(const wy_mixed *self, const int order, int element, int component,
                            wy_mixed_matrix *matrix) {
  const wy_sym modulus = wy_mixed_modulus(self, element, component);
  double changed[WY_MOST_ORDER][WY_ELEMENT_WIDTH];
  const double *first = matrix->right[component], *second = order == 2 ? matrix->right[6 + component] : first;
#pragma omp simd
  for (int y = 0; y < used_width(order); y++) {
    changed[0][y] = modulus.m[0] * first[y] + (order == 2 ? modulus.m[1] * second[y] : 0);
    changed[1][y] = order == 2 ? modulus.m[1] * first[y] + modulus.m[2] * second[y] : 0;
  }
  for (int x = 0; x < 6 * (order + 1); x++) {
    const double one = matrix->left[component][x], two = order == 2 ? matrix->left[6 + component][x] : 0;
    double *restrict row = matrix->k[x];
#pragma omp simd
    for (int y = 0; y < used_width(order); y++)
      row[y] += order == 2 ? one * changed[0][y] + two * changed[1][y] : one * changed[0][y];
  }
}

WY_INLINE void tangent(const wy_mixed *self, const int order, int element, double f[WY_MOST_NODES][WY_NODE],
                       wy_mixed_matrix *matrix) {
  double left[WY_MOST_NODES][WY_NODE], right[WY_MOST_NODES][WY_NODE], e[WY_STRESSES], stress[WY_STRESSES];
  double law[WY_FORCES];
  element_sums sums;
  memset(matrix->k, 0, (size_t)(6 * (order + 1)) * sizeof matrix->k[0]); /* the other members are written in full */
  gather(self, order, element, self->task.right, right);
  sum_up(&self->basis, order, right, &sums);
  strains(order, right, &sums, e);
  stresses(self, order, element, e, stress, law);
  add_chambers(self, order, element, stress);
  strain_rows(order, right, &sums, matrix->right);
  gather(self, order, element, self->task.left, left);
  sum_up(&self->basis, order, left, &sums);
  strain_rows(order, left, &sums, matrix->left);
  for (int a = 0; a <= order; a++)
    for (int c = 0; c <= order; c++)
      node_pair(self, order, element, a, c, left, right, stress, matrix);
  for (int a = 0; a <= order; a++) /* forces as they are, while the directors that they act on turn */
    for (int i = 0; i < 3; i++)
      add_double_cross(matrix, 6 * a + 3, 6 * a + 3, -self->task.share, &f[a][director(i)], &right[a][director(i)]);
  if (self->has_tendon)
    wy_mixed_tendon_tangent(self, element, left, right, matrix);
  if (self->first_site[element] < self->first_site[element + 1])
    wy_mixed_load_tangent(self, element, left, right, matrix);
  if (self->fluid)
    wy_mixed_fluid_tangent(self, element, matrix);
  if (self->contact.found)
    wy_mixed_contact_tangent(self, element, matrix);
  for (int i = self->task.form == WY_FORM_NODES ? 0 : 3; i < 6; i++)
    add_material(self, order, element, i, matrix);
}

WY_INLINE void follow_law(const wy_mixed *self, const int order, int element, const double d[WY_LOCAL_ROWS],
                          double change[WY_FORCES]) {
  double q[WY_MOST_NODES][WY_NODE], rate[WY_STRESSES], part[2];
  element_sums sums;
  gather(self, order, element, self->task.right, q);
  sum_up(&self->basis, order, q, &sums);
  for (int b = 0; b < order; b++)
    for (int i = 0; i < 3; i++) {
      double sum = 0, turned[3];
      for (int a = 0; a <= order; a++) {
        const double *node = d + wy_mixed_local(order, a);
        wy_cross3(node + 3, &q[a][director(i)], turned);
        sum += wy_dot3(&sums.z[b][a][director(i)], node) + wy_dot3(sums.y[b][a], turned);
      }
      rate[6 * b + i] = sum;
    }
  for (int i = 0; i < 3; i++) {
    wy_sym modulus = wy_mixed_modulus(self, element, i);
    wy_sym_times(order, &modulus, rate + i, 6, part);
    for (int b = 0; b < order; b++)
      change[3 * b + i] += part[b];
  }
}

/* ---- One copy for each order, and for each kind of processor ---- */

void wy_mixed_strains(const wy_mixed *self, int element, const double *q, double e[WY_STRESSES]) {
  double local[WY_MOST_NODES][WY_NODE];
  element_sums sums;
  gather(self, self->basis.order, element, q, local);
  sum_up(&self->basis, self->basis.order, local, &sums);
  strains(self->basis.order, local, &sums, e);
}

void wy_mixed_stresses(const wy_mixed *self, int element, double stress[WY_STRESSES]) {
  double e[WY_STRESSES], law[WY_FORCES];
  wy_mixed_strains(self, element, self->task.right, e);
  stresses(self, wy_mixed_order(self), element, e, stress, law);
}

void wy_mixed_strain_rates(const wy_mixed *self, int element, const double *q, const double *v,
                           double rate[WY_STRESSES]) {
  double ahead[WY_MOST_NODES][WY_NODE], behind[WY_MOST_NODES][WY_NODE], before[WY_STRESSES];
  const int order = wy_mixed_order(self);
  element_sums sums;
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < WY_NODE; x++) {
      int i = WY_NODE * wy_mixed_node(self, element, a) + x;
      ahead[a][x] = q[i] + 0.5 * v[i], behind[a][x] = q[i] - 0.5 * v[i];
    }
  sum_up(&self->basis, order, ahead, &sums);
  strains(order, ahead, &sums, rate);
  sum_up(&self->basis, order, behind, &sums);
  strains(order, behind, &sums, before);
  for (int i = 0; i < 6 * order; i++)
    rate[i] -= before[i];
}

WY_CLONES
void wy_mixed_residual(const wy_mixed *self, int element, double f[WY_MOST_NODES][WY_NODE], double law[WY_FORCES],
                       double *largest) {
  if (self->basis.order == 1)
    residual(self, 1, element, f, law, largest);
  else
    residual(self, 2, element, f, law, largest);
}

WY_CLONES
void wy_mixed_tangent(const wy_mixed *self, int element, double f[WY_MOST_NODES][WY_NODE], wy_mixed_matrix *matrix) {
  if (self->basis.order == 1)
    tangent(self, 1, element, f, matrix);
  else
    tangent(self, 2, element, f, matrix);
}

WY_CLONES
void wy_mixed_follow_law(const wy_mixed *self, int element, const double d[WY_LOCAL_ROWS], double change[WY_FORCES]) {
  if (self->basis.order == 1)
    follow_law(self, 1, element, d, change);
  else
    follow_law(self, 2, element, d, change);
}
