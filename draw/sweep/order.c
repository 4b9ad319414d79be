#include "draw/sweep/order.h"

#include <assert.h>
#include <math.h>

/* (h0^p - h1^p) / (h1^p - h2^p), by the logarithms a of h0/h1 and b of h1/h2. */
static double ratio(double p, double a, double b) {
  return expm1(p * a) / -expm1(-p * b);
}

double wy_observed_order(const double width[3], const double value[3]) {
  assert(width[0] > width[1] && width[1] > width[2] && width[2] > 0);
  const double a = log(width[0] / width[1]), b = log(width[1] / width[2]);
  const double wanted = (value[0] - value[1]) / (value[1] - value[2]);
  double low = 0, high = 32;
  if (!(wanted > a / b) || !isfinite(wanted)) /* its limit for p = 0 */
    return NAN;
  if (!(ratio(high, a, b) > wanted))
    return high;
  while (high - low > 1e-14 * high) { /* each pass halves it: at most 60 */
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high)
      break;
    if (ratio(middle, a, b) < wanted)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}
