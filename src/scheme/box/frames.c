/* SPDX-License-Identifier: MIT */
/* Frames and places: known at one end, rebuilt from there by the curvatures (B7). */
#include <string.h>

#include "scheme/box/rod.h"

static int held(const wy_box *self, int end) {
  int count = 0;
  for (int i = 0; i < WY_BOX_END; i++)
    count += wy_box_holds(self, end, i);
  return count;
}

static int choose_base(const wy_box *self) {
  return held(self, 1) > held(self, 0);
}

int wy_box_base(const wy_box *self) {
  return self->saved->base;
}

void wy_box_reset_base(const wy_box *self) {
  self->saved->base = choose_base(self);
  memset(self->saved->offset, 0, sizeof self->saved->offset);
}

void wy_box_keep_base(const wy_box *self, double t, const double *u) {
  const int end = choose_base(self);
  wy_end_pose support;
  if (end == self->saved->base)
    return;
  wy_support_pose(&self->supports, end, t, &support);
  wy_box_way_to_support(self, u, end, &support, self->saved->offset);
  for (int i = 0; i < WY_BOX_END; i++) /* the other way round */
    self->saved->offset[i] *= -1;
  self->saved->base = end;
}

void wy_box_way_to_support(const wy_box *self, const double *u, int end, const wy_end_pose *support,
                           double way[WY_BOX_END]) {
  const int node = wy_box_end_node(self, end);
  double relative[4];
  for (int i = 0; i < 3; i++)
    way[i] = support->x[i] - u[self->position + 3 * node + i];
  wy_qrelative(u + self->frame + 4 * node, support->q, relative);
  wy_qlog(relative, way + 3);
}

/* Unit length again, for one that has lost it by round-off only. */
static wy_q4 unit(wy_q4 q) {
  return wy_qtimes(1.5 - 0.5 * wy_qsquare(q), q);
}

static void rebuild_from(const wy_box *self, int end, double *u) {
  const double direction = end ? -1 : 1;
  int node = wy_box_end_node(self, end);
  wy_qnormalise(u + self->frame + 4 * node);
  wy_q4 q = wy_load4(u + self->frame + 4 * node, 1, 0);
  wy_v3 r = wy_at3(u + self->position + 3 * node);
  for (int i = 0; i < self->cells; i++) {
    const int next = end ? node - 1 : node + 1;
    const double h = direction * self->length[end ? next : node];
    const wy_v3 sum = wy_plus(wy_box_kappa(self, u, node), wy_box_kappa(self, u, next));
    const wy_box_turn turn = wy_box_turn_of(wy_times(0.5 * h, sum));
    const wy_m3 e = wy_box_e(&turn), s = wy_box_s(&turn);
    r = wy_plus(r, wy_times(h, wy_apply(wy_rotation(q), wy_apply(e, s.c))));
    q = unit(wy_qproduct(q, wy_box_quaternion(&turn)));
    wy_store4(u + self->frame + 4 * next, 1, 0, q);
    wy_put3(u + self->position + 3 * next, r);
    node = next;
  }
}

void wy_box_rebuild(const wy_box *self, double *u) {
  rebuild_from(self, wy_box_base(self), u);
}

void wy_box_place_base(const wy_box *self, double t, double *u) {
  const int end = wy_box_base(self), node = wy_box_end_node(self, end);
  double *r = u + self->position + 3 * node, *q = u + self->frame + 4 * node, along = 0, turn[4], turned[4];
  const double *offset = self->saved->offset;
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  for (int i = 0; i < 3; i++)
    if (self->ends[end].position[i] != WY_FREE)
      r[i] = pose.x[i] + offset[i];
  if (!wy_support_holds_rotation(&self->supports, end))
    return;
  wy_qexp(offset + 3, turn);
  wy_qmul(pose.q, turn, turned);
  for (int i = 0; i < 4; i++)
    along += q[i] * turned[i];
  for (int i = 0; i < 4; i++) /* of two quaternions the one on the side of the last: states are interpolated */
    q[i] = along < 0 ? -turned[i] : turned[i];
}

void wy_box_undeformed(const wy_box *self, double *u) {
  memset(u, 0, (size_t)self->base.size * sizeof *u);
  wy_reference_start(self->rod, u + self->frame);
  for (int j = 0; j < self->nodes; j++)
    wy_put3(u + self->motion + WY_BOX_MOTION * j + WY_BOX_KAPPA, self->node[j].natural);
  rebuild_from(self, 0, u);
  memcpy(u + self->carried, u + self->position, 3 * (size_t)self->nodes * sizeof *u);
  wy_box_touch_here(self, u);
}

bool wy_box_is_taut(const wy_box *self, const double *u) {
  const double *a = u + self->position, *b = a + 3 * (size_t)self->cells, nearly = 1 - 1e-6;
  double length = 0, held[2] = {0};
  for (int i = 0; i < 3; i++) {
    const double square = (b[i] - a[i]) * (b[i] - a[i]);
    length += square;
    for (int end = 0; end < 2; end++)
      held[end] += wy_box_holds(self, end, i) ? square : 0;
  }
  return sqrt(length) > nearly * self->rod->length && fmin(held[0], held[1]) > nearly * length;
}
