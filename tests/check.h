/* SPDX-License-Identifier: MIT */
/* The test framework with its includes, and comparison of numbers: a failing check prints got, want and tolerance. */
#ifndef WY_TESTS_CHECK_H
#define WY_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The larger of two numbers for tests, in place of the C library's, which leaves out a NaN: the largest of many errors
   would not show it. Here what is no number stays none. */
static inline double check_larger(double a, double b) {
  return a > b || isnan(a) ? a : b;
}
#undef fmax
#define fmax(a, b) check_larger(a, b)

/* |got - want| <= tolerance; equal infinities pass, a NaN never does. */
#define check_close(got, want, tolerance)                                                                              \
  do {                                                                                                                 \
    double check_got = (got), check_want = (want), check_tolerance = (tolerance);                                      \
    if (!(check_got == check_want || fabs(check_got - check_want) <= check_tolerance))                                 \
      fail_msg("%s: got %.17g, want %.17g, tolerance %.3g, difference %.3g", #got, check_got, check_want,              \
               check_tolerance, check_got - check_want);                                                               \
  } while (0)

/* got < limit, and so on: a failing check prints both; a NaN never passes. */
#define check_inequality(got, sign, limit)                                                                             \
  do {                                                                                                                 \
    double check_got = (double)(got), check_limit = (double)(limit);                                                   \
    if (!(check_got sign check_limit))                                                                                 \
      fail_msg("%s: got %.17g, want %s %.17g", #got, check_got, #sign, check_limit);                                   \
  } while (0)
#define check_below(got, limit) check_inequality(got, <, limit)
#define check_above(got, limit) check_inequality(got, >, limit)
#define check_at_most(got, limit) check_inequality(got, <=, limit)
#define check_at_least(got, limit) check_inequality(got, >=, limit)

#endif
