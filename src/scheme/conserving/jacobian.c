/* SPDX-License-Identifier: MIT */
/* The Jacobian of the rates (C1)-(C3), node by node; differences along the rod come in where it is factored. */
#include <string.h>

#include "scheme/conserving/block.h"

/* R(q)^T a / |q|^2 = conj(q) a q / |q|^2 by q: 3 x 4. */
void wy_conserving_turn_back_by_frame(wy_q4 q, wy_v3 a, double out[12]) {
  const double square = wy_qsquare(q);
  const double component[4] = {q.w, q.x, q.y, q.z};
  const wy_q4 aq = {-a.x * q.x - a.y * q.y - a.z * q.z, a.x * q.w + a.y * q.z - a.z * q.y,
                    a.y * q.w + a.z * q.x - a.x * q.z, a.z * q.w + a.x * q.y - a.y * q.x};
  const wy_v3 turned = wy_turn_back(q, a);
  for (int c = 0; c < 4; c++) {
    const wy_q4 unit = {c == 0, c == 1, c == 2, c == 3};
    /* conj(q) a e is minus the conjugate of conj(e) a q, so that their vector parts are equal. */
    wy_v3 part = wy_minus(wy_times(2, wy_pure(wy_between(unit, aq))), wy_times(2 * component[c], turned));
    out[c] = part.x / square, out[4 + c] = part.y / square, out[8 + c] = part.z / square;
  }
}

/* A product of a 3 x 4 matrix with the 4 x 3 matrix whose columns are q e1, q e2, q e3. */
static void times_frame(const double m[12], const wy_q4 columns[3], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      out[3 * i + c] = m[4 * i] * columns[c].w + m[4 * i + 1] * columns[c].x + m[4 * i + 2] * columns[c].y +
                       m[4 * i + 3] * columns[c].z;
}

static void set_turned(wy_conserving_node *node, wy_q4 q) {
  static const wy_v3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  wy_q4 half[3], quarter[3];
  for (int c = 0; c < 3; c++) {
    half[c] = wy_qtimes(0.5, wy_times_pure(q, axes[c]));
    quarter[c] = wy_qtimes(0.5, wy_times_pure(half[c], node->w));
  }
  for (int x = 0; x < 2; x++) {
    times_frame(node->by_frame[x], half, node->turned[x][0]);
    times_frame(node->by_frame[x], quarter, node->turned[x][1]);
  }
}

/* The same for the rates by r of node `of`, whose rate follows q. */
static void set_place_turned(const wy_conserving_node *of, wy_conserving_by_place *by) {
  static const wy_v3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  wy_q4 half[3], quarter[3];
  for (int c = 0; c < 3; c++) {
    half[c] = wy_qtimes(0.5, wy_times_pure(of->q, axes[c]));
    quarter[c] = wy_qtimes(0.5, wy_times_pure(half[c], of->w));
  }
  for (int x = 0; x < 2; x++) {
    double by_frame[12] = {0};
    for (int i = 0; i < 3; i++)
      for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
          by_frame[4 * i + c] += by->rates[x][3 * i + k] * of->place_by_frame[4 * k + c];
    times_frame(by_frame, half, by->turned[x][0]);
    times_frame(by_frame, quarter, by->turned[x][1]);
  }
}

/* Rates of p and w by the strains. */
static void set_source(wy_conserving_node *node) {
  double s[9], block[9], moment[9];
  memset(node->source, 0, sizeof node->source);
  wy_to_rows(wy_skew(node->n), s);
  add_block(node->source, 0, 1, -1, s);
  add_block(node->source, 1, 0, -1, s);
  wy_to_rows(wy_skew(node->m), s);
  add_block(node->source, 1, 1, -1, s);
  for (int x = 0; x < 2; x++) { /* u x n and v x n by gamma */
    wy_to_rows(wy_skew(x == 0 ? node->u : node->v), s);
    for (int i = 0; i < 9; i++)
      block[i] = s[i] * node->law.force[i % 3];
    add_block(node->source, x, 0, 1, block);
  }
  for (int i = 0; i < 9; i++)
    moment[i] = node->law.moment[i / 3][i % 3];
  wy_to_rows(wy_skew(node->u), s);
  wy_matmul3(s, moment, block);
  add_block(node->source, 1, 1, 1, block);
}

/* Rates of p and w by themselves. */
static void set_local(const wy_conserving *self, int j, wy_conserving_node *node) {
  const double *inertia = self->inertia + 4 * (size_t)j;
  double s[9], gyration[9];
  memset(node->local, 0, sizeof node->local);
  wy_to_rows(wy_skew(node->w), s);
  add_block(node->local, 0, 0, -inertia[0], s);
  for (int i = 0; i < 9; i++)
    gyration[i] = -s[i] * inertia[1 + i % 3];
  add_block(node->local, 1, 1, 1, gyration);
  wy_to_rows(wy_skew(wy_each(wy_at3(inertia + 1), node->w)), s);
  add_block(node->local, 1, 1, 1, s);
  wy_to_rows(wy_skew(node->p), s);
  add_block(node->local, 0, 1, inertia[0], s);
  for (int i = 0; i < 6; i++)
    node->local[7 * i] -= self->drag[i / 3] * inertia[i < 3 ? 0 : i - 2];
}

/* Rates of p and w by q, through loads that stand in space, and by r. */
static void set_frames(wy_conserving *self, const double *u, int j, wy_q4 q, wy_conserving_node *node) {
  const wy_v3 weight = wy_times(self->weighed[j], wy_at3(self->gravity));
  wy_conserving_turn_back_by_frame(q, wy_plus(weight, wy_at3(self->load[0] + 3 * (size_t)j)), node->by_frame[0]);
  wy_conserving_turn_back_by_frame(q, wy_at3(self->load[1] + 3 * (size_t)j), node->by_frame[1]);
  memset(&node->by_place, 0, sizeof node->by_place);
  if (self->fluid)
    wy_conserving_drag_slopes(self, u, j, node);
}

/* Masses are divided out once all forces are there; rates of r. */
static void finish_node(const wy_conserving *self, int j, wy_conserving_node *node) {
  static const wy_v3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double *inertia = self->inertia + 4 * (size_t)j;
  const wy_q4 q = node->q;
  divide_rows(inertia, 6, node->source);
  divide_rows(inertia, 6, node->local);
  divide_rows(inertia, 4, node->by_frame[0]);
  set_turned(node, q);
  wy_conserving_turn_back_by_frame((wy_q4){q.w, -q.x, -q.y, -q.z}, node->p, node->place_by_frame);
  for (int i = 0; i < 12; i++)
    node->place_by_frame[i] *= i % 4 == 0 ? 1 : -1;
  for (int c = 0; c < 3; c++) {
    wy_v3 column = wy_turn(q, axes[c]);
    node->rotation[c] = column.x, node->rotation[3 + c] = column.y, node->rotation[6 + c] = column.z;
  }
  if (self->varies)
    set_place_turned(node, &node->by_place);
}

/* Once all nodes are there. */
static void finish_caps(wy_conserving *self) {
  for (int end = 0; end < 2; end++) {
    if (!self->contact.caps[end].touches)
      continue;
    set_place_turned(&self->node[wy_conserving_next_node(self, end)], &self->contact.caps[end].on_end);
    set_place_turned(&self->node[wy_end_node(self, end)], &self->contact.caps[end].on_next);
  }
}

int wy_conserving_jacobian(wy_system *system, double t, const double *u) {
  wy_conserving *self = (wy_conserving *)system;
  const int stride = self->stride;
  wy_conserving_evaluate(self, t, u, NULL);
  for (int j = 0; j < self->nodes; j++) {
    wy_conserving_node *node = &self->node[j];
    double e[6];
    for (int c = 0; c < 6; c++)
      e[c] = u[(c < 3 ? self->gamma : self->kappa) + c % 3 * stride + j];
    node->u = wy_conserving_curvature(self, u, j);
    node->v = wy_conserving_strain(self, u, j);
    node->p = wy_load3(self->velocity, stride, j);
    node->w = wy_load3(self->spin, stride, j);
    node->n = wy_load3(self->force, stride, j);
    node->m = wy_load3(self->moment, stride, j);
    node->q = wy_load4(u + self->q, stride, j);
    wy_law_tangent(&self->rod->law, self->stiffness + 6 * (size_t)j, e, &node->law);
    set_source(node);
    set_local(self, j, node);
    set_frames(self, u, j, node->q, node);
  }
  if (self->base.contacts)
    wy_conserving_contact_slopes(self, u);
  for (int j = 0; j < self->nodes; j++)
    finish_node(self, j, &self->node[j]);
  finish_caps(self);
  return WY_OK;
}
