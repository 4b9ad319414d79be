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
