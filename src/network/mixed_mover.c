/* SPDX-License-Identifier: MIT */
/* A body by itself in a group of mixed rods that is held or driven in all components for ever, or moved on demand: what
   it carries is there for others, obstacles for example. Its motion is given, so that nothing has to be solved. */
#include <string.h>

#include "math/quat.h"
#include "network/members.h"
#include "network/mixed_inside.h"

bool wy_mixed_moves_alone(const wy_model *model, const wy_group_def *def) {
  const wy_hub *hub = def->hub_count == 1 ? wy_group_hub_def(model, def, 0) : NULL;
  return hub && def->rod_count == 0 && def->spring_count == 0 && hub->known && hub->body >= 0;
}

void wy_mixed_lay_out_mover(wy_mixed_group *self, wy_memory *memory) {
  if (!wy_mixed_moves_alone(self->base.model, self->def))
    return;
  self->mover = wy_arena_take(&memory->scratch, sizeof *self->mover);
  self->mover_state = wy_arena_take(&memory->saved, sizeof *self->mover_state);
}

void wy_mixed_begin_mover(wy_mixed_group *self) {
  if (self->mover)
    wy_drive_begin(self->mover, 0, wy_model_body(self->base.model, self->hubs[0].def->body), self->origin, self->length,
                   self->mover_state);
}

void wy_mixed_mover_at(const wy_mixed_group *self, double t, double q[WY_NODE], double v[WY_NODE]) {
  wy_end_pose pose;
  double r[9];
  wy_support_pose(&self->mover->supports, WY_START, t, &pose);
  wy_qmatrix(pose.q, r);
  wy_copy3(pose.x, q);
  for (int k = 0; k < 9; k++)
    q[3 + k] = r[3 * (k % 3) + k / 3];
  wy_mixed_set_rates(q, pose.v, pose.w, v);
}

/* The work of what moves it and of its loads is the change of its energy. */
double wy_mixed_mover_work(const wy_mixed_group *self, const double *after) {
  const wy_mixed_hub *hub = &self->hubs[0];
  const double *gravity = wy_model_gravity(self->base.model);
  double work = wy_mixed_body_kinetic(hub, after) - wy_mixed_body_kinetic(hub, hub->velocity);
  for (int x = 0; x < 3; x++)
    work -= hub->mass * gravity[x] * (hub->end[x] - hub->from[x]);
  return work;
}
