/* SPDX-License-Identifier: MIT */
/* All points of a sweep at once: the rods of a batch. */
#ifndef WY_RUN_SWEEP_TOGETHER_H
#define WY_RUN_SWEEP_TOGETHER_H

#include "withy/sweep.h"

typedef struct wy_together {
  const wy_plan *plan; /* with a batch */
  const wy_tasks *tasks;
  bool (*interrupted)(void *context);
  void *context;
  wy_status (*take)(void *sweep, const wy_sweep_row *row, wy_message *message); /* the row of each point, in order */
  void *sweep;
} wy_together;

/* An interrupted one gives no rows, and WY_OK. */
wy_status wy_sweep_together(const wy_together *def, wy_message *message);

#endif
