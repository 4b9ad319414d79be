/* SPDX-License-Identifier: MIT */
/* For norms that look for the worst point of a rod, several points side by side. */
#ifndef WY_INTEGRATE_LANES_H
#define WY_INTEGRATE_LANES_H

#include <math.h>

#include "base/target.h"
#include "scheme/scheme.h"

/* The largest of `worst` and the sums of all lanes; a NaN stays, whatever is compared with it later. */
WY_INLINE double wy_worst_lane(double worst, const double sum[WY_LANES]) {
  for (int lane = 0; lane < WY_LANES; lane++)
    if (!(sum[lane] <= worst) && !isnan(worst))
      worst = sum[lane];
  return worst;
}

#endif
