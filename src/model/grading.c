/* SPDX-License-Identifier: MIT */
/* Segments that become shorter towards the ends of a rod: wy_graded_lengths. */
#include <math.h>

#include "base/message.h"
#include "withy/method.h"

typedef struct grading {
  double length, over, more[2]; /* of segments at the ends, than far from them */
} grading;

/* Segments per length, times a constant. */
static double density(const grading *of, double s) {
  return 1 + of->more[WY_START] * exp(-s / of->over) + of->more[WY_END] * exp((s - of->length) / of->over);
}

/* Its integral from 0 to s. */
static double passed(const grading *of, double s) {
  const double tail = exp(-of->length / of->over);
  return s + of->over * (of->more[WY_START] * (1 - exp(-s / of->over)) +
                         of->more[WY_END] * (exp((s - of->length) / of->over) - tail));
}

/* Where so many have passed, beyond `from`: Newton's method, which overshoots the root at most once. */
static double place_of(const grading *of, double wanted, double from) {
  enum { MOST = 50 };
  double s = from;
  for (int i = 0; i < MOST; i++) {
    const double correction = (wanted - passed(of, s)) / density(of, s);
    s = fmin(fmax(s + correction, from), of->length);
    if (fabs(correction) <= 1e-15 * of->length)
      break;
  }
  return s;
}

static wy_status check(int count, double length, const double finer[2], double over, wy_message *message) {
  const double numbers[] = {count, length, finer[WY_START], finer[WY_END], over};
  static const char *const names[] = {"count", "length", "finer at the start", "finer at the end", "over"};
  for (int i = 0; i < 5; i++)
    if (!(numbers[i] > 0 && isfinite(numbers[i])))
      return wy_fail_at(message, "grading", "found %g for `%s`; expected a number > 0", numbers[i], names[i]);
  return WY_OK;
}

wy_status wy_graded_lengths(int count, double length, const double finer[2], double over, double *lengths,
                            wy_message *message) {
  if (!finer || !lengths)
    return wy_fail_missing(message, finer ? "lengths" : "finer");
  const wy_status status = check(count, length, finer, over, message);
  if (status)
    return status;
  const grading of = {length, over, {finer[WY_START] - 1, finer[WY_END] - 1}};
  const double each = passed(&of, length) / count;
  double last = 0;
  for (int i = 0; i < count; i++) {
    const double next = i == count - 1 ? length : place_of(&of, each * (i + 1), last);
    lengths[i] = next - last;
    if (!(lengths[i] > 0))
      return wy_fail_at(
          message, "grading",
          "found a density of segments that is not positive everywhere; expected segments that are not as "
          "much longer at the ends, or a smaller `over`");
    last = next;
  }
  return WY_OK;
}
