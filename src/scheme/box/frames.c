/* Frames and places: known at one end, rebuilt from there by the curvatures (B7). */
#include <string.h>

#include "scheme/box/rod.h"

static int held(const wy_box *self, int end) {
  int count = wy_support_holds_rotation(&self->supports, end) ? 3 : 0;
  for (int i = 0; i < 3; i++)
    count += self->ends[end].position[i] != WY_FREE;
  return count;
}

int wy_box_base(const wy_box *self) {
  return held(self, 1) > held(self, 0);
}

/* Unit length again, for one that has lost it by round-off only. */
static wy_q4 unit(wy_q4 q) {
  return wy_qtimes(1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z), q);
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
  double *r = u + self->position + 3 * node, *q = u + self->frame + 4 * node, along = 0;
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  for (int i = 0; i < 3; i++)
    if (self->ends[end].position[i] != WY_FREE)
      r[i] = pose.x[i];
  if (!wy_support_holds_rotation(&self->supports, end))
    return;
  for (int i = 0; i < 4; i++)
    along += q[i] * pose.q[i];
  for (int i = 0; i < 4; i++) /* of two quaternions the one on the side of the last: states are interpolated */
    q[i] = along < 0 ? -pose.q[i] : pose.q[i];
}

void wy_box_undeformed(const wy_box *self, double *u) {
  memset(u, 0, (size_t)self->base.size * sizeof *u);
  wy_reference_start(self->rod, u + self->frame);
  wy_copy3(self->rod->shape.origin, u + self->position);
  for (int j = 0; j < self->nodes; j++)
    wy_put3(u + self->motion + WY_BOX_MOTION * j + WY_BOX_KAPPA, self->node[j].natural);
  rebuild_from(self, 0, u);
  memcpy(u + self->carried, u + self->position, 3 * (size_t)self->nodes * sizeof *u);
}
