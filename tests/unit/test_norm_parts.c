/* SPDX-License-Identifier: MIT */
/* The error norm of a system with several parts: the worst point of any of them. */
#include <math.h>

#include "base/arena.h"
#include "check.h"
#include "integrate/integrator.h"

enum { SHORT = WY_LANES, LONG = 2 * WY_LANES, ROWS = 3, FIRST = ROWS * SHORT, SIZE = FIRST + 2 * LONG };

static const wy_norm_part parts[2] = {{0, FIRST, SHORT}, {FIRST, 2 * LONG, LONG}};

typedef struct two_parts {
  _Alignas(WY_ALIGNMENT) double weight[SIZE], e[SIZE], u[SIZE];
  wy_system system;
  wy_integrator integrator;
} two_parts;

static void make(two_parts *made) {
  *made = (two_parts){.system = {.size = SIZE, .unknowns = SIZE - 1, .norm_parts = parts, .norm_count = 2}};
  for (int i = 0; i < SIZE; i++)
    made->weight[i] = 1, made->u[i] = 0.5;
  made->weight[1] = 0;
  made->system.weight = made->weight;
  made->integrator.system = &made->system;
}

static double norm(const two_parts *made) {
  return wy_weighted_norm(&made->integrator, 1e-3, 1e-4, made->e, made->u, made->u);
}

/* Errors of one point add up, those of points of other parts with the same number do not. */
static void the_worst_point_counts(void **state) {
  (void)state;
  two_parts made;
  make(&made);
  const double unit = 2 / (1e-4 + 0.5e-3);
  made.e[2] = 3, made.e[2 + SHORT] = 4; /* one point of the first part */
  check_close(norm(&made), 5 * unit, 1e-14 * 5 * unit);
  made.e[FIRST + 2] = 4.9;
  check_close(norm(&made), 5 * unit, 1e-14 * 5 * unit);
  made.e[FIRST + 2 + LONG] = 4.9; /* and of the second */
  check_close(norm(&made), 4.9 * sqrt(2) * unit, 1e-14 * 7 * unit);
  made.e[1] = 1e100; /* is no unknown */
  check_close(norm(&made), 4.9 * sqrt(2) * unit, 1e-14 * 7 * unit);
  for (int i = 0; i < SIZE; i++)
    if (made.weight[i] > 0) {
      const double kept = made.e[i];
      made.e[i] = (double)NAN;
      assert_true(isnan(norm(&made)));
      made.e[i] = kept;
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_worst_point_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
