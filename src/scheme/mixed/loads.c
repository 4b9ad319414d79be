/* SPDX-License-Identifier: MIT */
/* Loads on elements (X21): point loads at a place of one element, line loads at quadrature points. Moments act through
   directors; in the corrected form so that the moment about the node is the one that was asked for (X22). */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "scheme/mixed/rod.h"

size_t wy_mixed_count_sites(const wy_model *model, int rod) {
  size_t count = 0;
  for (int i = 0; i < wy_model_rod_load_count(model, rod); i++) {
    const wy_load_def *load = wy_model_rod_load(model, rod, i);
    count += load->place == WY_ALONG ? WY_GAUSS * (size_t)wy_model_rod(model, rod)->segments : 1;
  }
  return count;
}

/* Where a load acts on an element: a point, or what the element has of a line. False if it does not. */
static bool covers(const wy_mixed *self, const wy_load_def *load, int element, double *from, double *to) {
  const wy_mixed_element *e = &self->element[element];
  double length = self->rod->length, end = element + 1 < self->elements ? self->element[element + 1].start : length;
  if (load->place == WY_ALONG) {
    *from = fmax(load->from, e->start), *to = fmin(load->to, end);
    return *to > *from;
  }
  *from = *to = wy_load_arc(self->rod, load);
  return *from >= e->start && (*from < end || element == self->elements - 1);
}

static void add_site(wy_mixed *self, int load, int element, double s, double weight) {
  const wy_mixed_element *e = &self->element[element];
  double xi = fmin(fmax(2 * (s - e->start) / e->length - 1, -1), 1);
  self->sites[self->site_count++] = (wy_mixed_site){
      .load = load, .element = element, .weight = weight, .s = s, .at = wy_mixed_at(self->basis.order, xi)};
}

void wy_mixed_place_loads(wy_mixed *self) {
  self->site_count = 0;
  for (int element = 0; element < self->elements; element++) {
    self->first_site[element] = (int)self->site_count;
    for (int i = 0; i < wy_model_rod_load_count(self->base.model, self->base.rod); i++) {
      const wy_load_def *load = wy_model_rod_load(self->base.model, self->base.rod, i);
      double from, to;
      if (!covers(self, load, element, &from, &to))
        continue;
      if (load->place != WY_ALONG)
        add_site(self, i, element, from, 1);
      for (int g = 0; load->place == WY_ALONG && g < WY_GAUSS; g++)
        add_site(self, i, element, from + 0.5 * (1 + self->basis.xi[g]) * (to - from),
                 0.5 * self->basis.weight[g] * (to - from));
    }
  }
  self->first_site[self->elements] = (int)self->site_count;
}

static const wy_load_def *load_of(const wy_mixed *self, const wy_mixed_site *site) {
  return wy_model_rod_load(self->base.model, self->base.rod, site->load);
}

static bool is_zero(const double a[3]) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

void wy_mixed_update_loads(wy_mixed *self, double t) {
  self->has_follower = false;
  for (size_t i = 0; i < self->site_count; i++) {
    wy_mixed_site *site = &self->sites[i];
    const wy_load_def *load = load_of(self, site);
    const wy_load_override *override = &self->base.load_overrides[site->load];
    double force[3], moment[3], weight = self->load_factor * site->weight;
    wy_load_value(load, override, site->s, t, force, moment);
    for (int k = 0; k < 3; k++)
      site->force[k] = weight * force[k], site->moment[k] = weight * moment[k];
    bool follows = load->axes == WY_BODY_AXES && wy_load_has(load, override, false);
    self->has_follower = self->has_follower || follows || wy_load_has(load, override, true);
  }
}

/* Directors (and place) between the nodes. */
static void interpolate(const wy_mixed *self, const wy_mixed_place *at, double q[WY_MOST_NODES][WY_NODE],
                        double out[WY_NODE]) {
  memset(out, 0, WY_NODE * sizeof *out);
  for (int a = 0; a < self->basis.nodes; a++)
    for (int x = 0; x < WY_NODE; x++)
      out[x] += at->n[a] * q[a][x];
}

/* A vector in body axes as one in space. */
static void to_space(const double d[WY_NODE], const double body[3], double out[3]) {
  for (int x = 0; x < 3; x++)
    out[x] = body[0] * d[3 + x] + body[1] * d[6 + x] + body[2] * d[9 + x];
}

/* 2 T^T T: the moment about a place whose directors are pushed by (m x d_i) / 2, as a matrix on m. The identity where
   they are orthonormal. */
static void moment_matrix(const double d[WY_NODE], double out[9]) {
  double trace = wy_dot3(d + 3, d + 3) + wy_dot3(d + 6, d + 6) + wy_dot3(d + 9, d + 9);
  for (int x = 0; x < 3; x++)
    for (int y = 0; y < 3; y++)
      out[3 * x + y] = 0.5 * ((x == y ? trace : 0) - d[3 + x] * d[3 + y] - d[6 + x] * d[6 + y] - d[9 + x] * d[9 + y]);
}

/* Solves a x = b for a symmetric positive 3x3 matrix, by Cramer's rule. */
static void solve3(const double a[9], const double b[3], double x[3]) {
  double rows[3][3];
  wy_cross3(a + 3, a + 6, rows[0]);
  wy_cross3(a + 6, a, rows[1]);
  wy_cross3(a, a + 3, rows[2]);
  double determinant = wy_dot3(a, rows[0]);
  for (int i = 0; i < 3; i++)
    x[i] = (rows[0][i] * b[0] + rows[1][i] * b[1] + rows[2][i] * b[2]) / determinant;
}

/* The vector m' of the forces (m' x d_i) / 2 on the directors; as printed m' = m. */
static void effective_moment(const wy_mixed *self, const wy_mixed_site *site, const double d[WY_NODE], double matrix[9],
                             double out[3]) {
  double moment[3];
  wy_copy3(site->moment, moment);
  if (load_of(self, site)->axes == WY_BODY_AXES)
    to_space(d, site->moment, moment);
  moment_matrix(d, matrix);
  if (self->options.end_moment == WY_CORRECTED_MOMENT)
    solve3(matrix, moment, out);
  else
    wy_copy3(moment, out);
}

static void add_site_forces(const wy_mixed *self, const wy_mixed_site *site, double q[WY_MOST_NODES][WY_NODE],
                            double f[WY_MOST_NODES][WY_NODE]) {
  double d[WY_NODE], force[3], matrix[9], moment[3], push[3];
  interpolate(self, &site->at, q, d);
  wy_copy3(site->force, force);
  if (load_of(self, site)->axes == WY_BODY_AXES)
    to_space(d, site->force, force);
  for (int a = 0; a < self->basis.nodes; a++)
    wy_add3(f[a], -site->at.n[a], force);
  if (is_zero(site->moment))
    return;
  effective_moment(self, site, d, matrix, moment);
  for (int i = 3; i < WY_NODE; i += 3) {
    wy_cross3(moment, d + i, push);
    for (int a = 0; a < self->basis.nodes; a++)
      wy_add3(f[a] + i, -0.5 * site->at.n[a], push);
  }
}

void wy_mixed_load_forces(const wy_mixed *self, int element, double q[WY_MOST_NODES][WY_NODE],
                          double f[WY_MOST_NODES][WY_NODE]) {
  for (int i = self->first_site[element]; i < self->first_site[element + 1]; i++)
    add_site_forces(self, &self->sites[i], q, f);
}

/* The change of m' while the directors change by `rate`: (2 T^T T) dm' = dm - d(2 T^T T) m'. */
static void moment_change(const wy_mixed *self, const wy_mixed_site *site, const double d[WY_NODE],
                          const double rate[WY_NODE], const double matrix[9], const double moment[3], double out[3]) {
  double change[3] = {0};
  if (load_of(self, site)->axes == WY_BODY_AXES)
    to_space(rate, site->moment, change);
  wy_copy3(change, out);
  if (self->options.end_moment != WY_CORRECTED_MOMENT)
    return;
  for (int i = 3; i < WY_NODE; i += 3) {
    double stretch = wy_dot3(d + i, rate + i), along = wy_dot3(d + i, moment), turned = wy_dot3(rate + i, moment);
    for (int x = 0; x < 3; x++)
      change[x] -= stretch * moment[x] - 0.5 * (rate[i + x] * along + d[i + x] * turned);
  }
  solve3(matrix, change, out);
}

/* Columns of the tangent one by one: directors of node c turn about a space axis. */
static void add_site_tangent(const wy_mixed *self, const wy_mixed_site *site, double left[WY_MOST_NODES][WY_NODE],
                             double right[WY_MOST_NODES][WY_NODE], const wy_mixed_matrix *to) {
  bool body = load_of(self, site)->axes == WY_BODY_AXES, turns = !is_zero(site->moment);
  if (!turns && !body)
    return;
  double d[WY_NODE], matrix[9], moment[3] = {0};
  interpolate(self, &site->at, left, d);
  if (turns)
    effective_moment(self, site, d, matrix, moment);
  for (int column = 0; column < 3 * self->basis.nodes; column++) {
    int c = column / 3;
    double axis[3] = {0}, rate[WY_NODE] = {0}, force[3] = {0}, push[WY_NODE] = {0};
    axis[column % 3] = self->task.share * site->at.n[c];
    for (int i = 3; i < WY_NODE; i += 3)
      wy_cross3(axis, right[c] + i, rate + i);
    if (body)
      to_space(rate, site->force, force);
    if (turns) {
      double change[3], one[3], other[3];
      moment_change(self, site, d, rate, matrix, moment, change);
      for (int i = 3; i < WY_NODE; i += 3) {
        wy_cross3(change, d + i, one);
        wy_cross3(moment, rate + i, other);
        for (int x = 0; x < 3; x++)
          push[i + x] = 0.5 * (one[x] + other[x]);
      }
    }
    wy_copy3(force, push);
    for (int a = 0; a < self->basis.nodes; a++) {
      double r[WY_NODE_UNKNOWNS];
      wy_mixed_project(left[a], push, r);
      for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
        *wy_mixed_entry(to, 6 * a + x, 6 * c + 3 + column % 3) -= site->at.n[a] * r[x];
    }
  }
}

void wy_mixed_load_tangent(const wy_mixed *self, int element, double left[WY_MOST_NODES][WY_NODE],
                           double right[WY_MOST_NODES][WY_NODE], const wy_mixed_matrix *matrix) {
  for (int i = self->first_site[element]; i < self->first_site[element + 1]; i++)
    add_site_tangent(self, &self->sites[i], left, right, matrix);
}
