/* SPDX-License-Identifier: MIT */
/* Fixed steps that fit the times at which something is to be seen: withy/method.h. */
#include <math.h>

#include "withy/method.h"

/* How many steps beside the wanted one are looked at. */
enum { SEARCH = 10000 };

bool wy_step_divides(double step, double time) {
  const double count = round(time / step);
  return count >= 1 && fabs(count * step - time) <= 1e-9 * time;
}

static bool divides_all(double step, const double *times, int count) {
  for (int i = 0; i < count; i++)
    if (!wy_step_divides(step, times[i]))
      return false;
  return true;
}

double wy_step_fitting(double step, bool longer, const double *times, int count) {
  if (!times || count < 1 || !(step > 0) || !(times[0] > 0) || !isfinite(times[0]))
    return 0;
  double longest = times[0];
  for (int i = 1; i < count; i++)
    longest = fmax(longest, times[i]);
  /* The first of the times is divided into 1, 2, ... steps. */
  const double ratio = times[0] / step, most = WY_STEPS_LIMIT * times[0] / longest, stride = longer ? -1 : 1;
  double steps = longer ? floor(ratio) : fmax(1, ceil(ratio - 1e-9));
  for (int i = 0; i < SEARCH && steps >= 1 && steps <= most; i++, steps += stride)
    if (divides_all(times[0] / steps, times, count))
      return times[0] / steps;
  return 0;
}
