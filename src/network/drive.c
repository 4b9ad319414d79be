/* SPDX-License-Identifier: MIT */
#include "network/drive.h"

#include <string.h>

bool wy_drive_holds(const wy_body_def *body) {
  return body->rotation != WY_FREE || body->position[0] != WY_FREE || body->position[1] != WY_FREE ||
         body->position[2] != WY_FREE;
}

void wy_drive_begin(wy_drive *self, int hub, const wy_body_def *body, const double origin[3], double length,
                    wy_end_state *state) {
  *self = (wy_drive){.hub = hub};
  self->supports.state = state;
  wy_support_begin_body(&self->supports, body, origin, length, &self->end);
}

void wy_drive_mark(const wy_drive *self, wy_hub_inertia *inertia) {
  const wy_end_state *state = self->supports.state;
  inertia->any_held = false;
  for (int k = 0; k < 6; k++) {
    inertia->held[k] = (k < 3 ? state->position[k] : state->rotation) != WY_FREE;
    inertia->any_held = inertia->any_held || inertia->held[k];
  }
}

static double pick(bool held, double driven, double own) {
  return held ? driven : own;
}

/* Held components of `driven`, the others of `own`. */
static wy_v3 mixed(const wy_hold hold[3], const double driven[3], wy_v3 own) {
  return (wy_v3){pick(hold[0] != WY_FREE, driven[0], own.x), pick(hold[1] != WY_FREE, driven[1], own.y),
                 pick(hold[2] != WY_FREE, driven[2], own.z)};
}

void wy_drive_put(const wy_drive *self, double t, wy_hub_motion *at, wy_v3 *a, wy_v3 *alpha) {
  const wy_end_state *state = self->supports.state;
  const wy_v3 none = {0, 0, 0};
  wy_end_pose pose;
  wy_support_pose(&self->supports, 0, t, &pose);
  at->x = mixed(state->position, pose.x, at->x);
  at->v = mixed(state->position, pose.v, at->v);
  *a = mixed(state->position, pose.a, none);
  *alpha = none;
  if (state->rotation == WY_FREE)
    return;
  at->p = at->unit = wy_at4(pose.q);
  at->r = wy_rotation(at->unit);
  at->omega = wy_at3(pose.w);
  *alpha = wy_at3(pose.rate);
}
