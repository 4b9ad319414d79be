/* SPDX-License-Identifier: MIT */
/* The numbers of a substep that all rods share, from the plan of its frame. For batch/rod.h. */
#include "batch/backend.h"

FN moment_of_frame moment_of(const wy_batch_plan *plan, int i) {
  const wy_batch_substep *step = &plan->substeps[i];
  const double w = step->ratio, h = step->length;
  const bool euler = plan->first && i == 0;
  moment_of_frame m;
  m.sigma = (RS)(euler ? 1 / h : (1 + 2 * w) / ((1 + w) * h));
  m.behind = (RS)(euler ? 0 : w * w / ((1 + w) * h));
  m.ratio = (RS)w;
  m.begin = (RS)(i ? plan->substeps[i - 1].share : 0);
  m.share = (RS)step->share;
  m.frame = (RS)plan->frame;
  return m;
}

/* Where the forces of a substep of leapfrog are: in its middle (B16). */
FN double middle_of(const wy_batch_plan *plan, int i) {
  return plan->substeps[i].share - 0.5 * plan->substeps[i].length / plan->frame;
}

FN leap leap_of(const wy_batch_plan *plan, int i) {
  const double from = i ? middle_of(plan, i - 1) : 0, to = i < plan->count ? middle_of(plan, i) : 1;
  leap m;
  m.kick = (RS)(i < plan->count ? plan->substeps[i].length : 0);
  m.ahead = (RS)(i == plan->count || (plan->first && i == 0) ? 0 : 0.5 * plan->substeps[i].ratio);
  m.drift = (RS)((to - from) * plan->frame);
  m.from = (RS)from;
  m.to = (RS)to;
  m.frame = (RS)plan->frame;
  return m;
}
