/* SPDX-License-Identifier: MIT */
/* Springs and cables: force and energy against each other, derivatives against differences, slack. */
#include "check.h"
#include "network/spring.h"

static wy_spring_def spring_of(wy_spring_kind kind, double length) {
  wy_spring_def def = wy_default_spring_def();
  def.kind = kind;
  def.stiffness = 7, def.length = length, def.damping = 0.6;
  return def;
}

static wy_v3 force_at(const wy_spring_def *def, wy_v3 line, wy_v3 rate) {
  const wy_spring_pull pull = wy_spring_at(def, line, rate);
  return wy_spring_force(&pull);
}

static double entry(wy_v3 v, int k) {
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static wy_v3 moved(wy_v3 v, int k, double h) {
  return (wy_v3){v.x + (k == 0) * h, v.y + (k == 1) * h, v.z + (k == 2) * h};
}

static wy_v3 column(const wy_m3 *m, int k) {
  return k == 0 ? m->a : k == 1 ? m->b : m->c;
}

/* Central differences: errors of h^2 times derivatives of order 1, and of round-off / h. */
static void test_derivatives(void **state) {
  (void)state;
  const wy_spring_def def = spring_of(WY_SPRING, 0.5);
  const wy_v3 line = {0.4, -0.7, 0.3}, rate = {1.1, 0.2, -0.8}, still = {0, 0, 0};
  const wy_spring_pull pull = wy_spring_at(&def, line, rate);
  const double h = 1e-5;
  wy_m3 by_line, by_rate;
  wy_spring_blocks(&def, &pull, &by_line, &by_rate);
  for (int k = 0; k < 3; k++) {
    const wy_v3 there = force_at(&def, moved(line, k, h), rate), back = force_at(&def, moved(line, k, -h), rate);
    const wy_v3 faster = force_at(&def, line, moved(rate, k, h)), slower = force_at(&def, line, moved(rate, k, -h));
    for (int i = 0; i < 3; i++) {
      check_close(entry(column(&by_line, k), i), (entry(there, i) - entry(back, i)) / (2 * h), 1e-8);
      check_close(entry(column(&by_rate, k), i), (entry(faster, i) - entry(slower, i)) / (2 * h), 1e-8);
    }
    const wy_spring_pull longer = wy_spring_at(&def, moved(line, k, h), still),
                         shorter = wy_spring_at(&def, moved(line, k, -h), still);
    const double slope = (wy_spring_energy(&def, &longer) - wy_spring_energy(&def, &shorter)) / (2 * h);
    check_close(slope, entry(force_at(&def, line, still), k), 1e-8); /* on the first end, towards the second */
  }
}

static void test_cable(void **state) {
  (void)state;
  const wy_spring_def def = spring_of(WY_CABLE, 1);
  const wy_v3 slack = {0.9, 0, 0}, taut = {1.5, 0, 0}, still = {0, 0, 0}, apart = {1, 0, 0};
  const wy_spring_pull loose = wy_spring_at(&def, slack, apart), tight = wy_spring_at(&def, taut, still);
  wy_m3 by_line, by_rate;
  wy_spring_blocks(&def, &loose, &by_line, &by_rate);
  check_close(wy_norm(wy_spring_force(&loose)), 0, 0);
  check_close(wy_spring_energy(&def, &loose), 0, 0);
  check_close(wy_spring_dissipation(&def, &loose), 0, 0);
  check_close(wy_norm(by_line.a) + wy_norm(by_rate.a), 0, 0);
  check_close(wy_spring_force(&tight).x, 3.5, 1e-15);
  check_close(wy_spring_energy(&def, &tight), 0.5 * 7 * 0.25, 1e-15);
}

/* A spring without length of its own pulls to one place from everywhere, and is soft in no direction there. */
static void test_no_length(void **state) {
  (void)state;
  const wy_spring_def def = spring_of(WY_SPRING, 0);
  const wy_v3 none = {0, 0, 0};
  const wy_spring_pull pull = wy_spring_at(&def, none, none);
  wy_m3 by_line, by_rate;
  wy_spring_blocks(&def, &pull, &by_line, &by_rate);
  check_close(wy_norm(wy_spring_force(&pull)), 0, 0);
  check_close(by_line.a.x, 7, 0);
  check_close(by_line.c.z, 7, 0);
  check_close(by_line.b.x, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivatives), cmocka_unit_test(test_cable),
                                     cmocka_unit_test(test_no_length)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
