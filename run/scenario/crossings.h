/* SPDX-License-Identifier: MIT */
/* Where undeformed rods meet. */
#ifndef WY_RUN_SCENARIO_CROSSINGS_H
#define WY_RUN_SCENARIO_CROSSINGS_H

#include "withy/model.h"

/* Two rods, and the arc lengths at which they are closest. */
typedef struct wy_crossing {
  int rod[2];
  double s[2];
} wy_crossing;

/* All places where two of the rods come as close as `near`; rods along one line meet at ends only, and a rod does not
   meet itself. Their number, or -1 without memory; the list is the caller's to free. */
int wy_find_crossings(const wy_model *model, const int *rods, int count, double near, wy_crossing **out);

#endif
