/* SPDX-License-Identifier: MIT */
/* Equilibria that the straight path from the undeformed rod does not always lead to: random poses of the end of a rod
   clamped at both ends (some of those of `withy bench poses`), and rods that nothing but gravity holds. All schemes.

   labels: slow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scenes/poses.h"
#include "support/rods.h"

typedef struct method {
  const char *scheme;
  wy_rod_kind kind;
} method;

static const method methods[] = {
    {"staggered", WY_COSSERAT}, {"staggered", WY_KIRCHHOFF}, {"staggered", WY_INEXTENSIBLE}, {"mixed", WY_COSSERAT},
    {"mixed", WY_KIRCHHOFF},    {"mixed", WY_INEXTENSIBLE},  {"box", WY_INEXTENSIBLE}};
enum { METHODS = sizeof methods / sizeof methods[0], SEGMENTS = 40 };

static wy_rod_def round_rod(wy_rod_kind kind, double young) {
  wy_rod_def rod = rubber_rod(SEGMENTS);
  rod.kind = kind;
  rod.material.young = wy_constant(young);
  for (int i = 0; i < 3; i++) {
    rod.shape.direction[i] = i == 0;
    rod.shape.d1[i] = i == 2;
  }
  return rod;
}

static test_sim simulate(const wy_rod_def *rod, const char *scheme, const double gravity[3]) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = scheme;
  return make_sim(rod, NULL, 0, &solver, gravity);
}

static void place_end(wy_rod_def *rod, double x, double y, double z) {
  const double at[3] = {x, y, z};
  for (int i = 0; i < 3; i++) {
    rod->ends[WY_END].position[i] = WY_DRIVEN;
    rod->ends[WY_END].path[i] = wy_constant(at[i]);
  }
}

/* ---- Poses ---- */

/* Five of them; number 10, where a long increment leads to another branch; and three whose straight path meets a limit
   point before it is at its end: those are found by other ways, and the result says so. */
static const int numbers[] = {0, 1, 2, 3, 4, 10, 101, 108, 237};
enum { NUMBERS = sizeof numbers / sizeof numbers[0], EASY = 6 };

/* Discrete rods of 40 segments differ in their middle by 5e-3 where they are bent most; other branches lie 0.1 away. */
static const double same_place = 0.02;

static void poses_of_the_end_are_found(void **state) {
  (void)state;
  for (int i = 0; i < NUMBERS; i++) {
    double first[4] = {0};
    bool compared = false;
    int other_ways = 0;
    for (int m = 0; m < METHODS; m++) {
      wy_rod_def rod = wy_scene_posed(methods[m].kind, numbers[i]);
      test_sim made = simulate(&rod, methods[m].scheme, NULL);
      wy_message message = {0};
      double middle[4];
      if (wy_sim_settle(made.sim, 0, &message))
        fail_msg("pose %d, %s, model %d: %s", numbers[i], methods[m].scheme, methods[m].kind, message.text);
      const wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
      wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, middle, NULL);
      assert_true(info.way == WY_WAY_STRAIGHT || (info.unstable == 0 && info.ways_tried > 0));
      other_ways += info.way != WY_WAY_STRAIGHT;
      if (info.way == WY_WAY_STRAIGHT && compared)
        for (int k = 0; k < 3; k++)
          check_close(middle[k], first[k], same_place);
      if (info.way == WY_WAY_STRAIGHT && !compared)
        memcpy(first, middle, sizeof first), compared = true;
      free_sim(&made);
    }
    if ((i < EASY && other_ways > 0) || (i >= EASY && other_ways == 0))
      fail_msg("pose %d: %d of %d by another way", numbers[i], other_ways, METHODS);
  }
}

/* ---- What gravity holds ---- */

static const double down[3] = {0, 0, -9.81};

static test_sim hung(const wy_rod_def *rod, const char *scheme) {
  test_sim made = simulate(rod, scheme, down);
  wy_message message = {0};
  if (wy_sim_settle(made.sim, 0, &message))
    fail_msg("%s, model %d: %s", scheme, rod->kind, message.text);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
  return made;
}

/* From the horizontal, about a pin: straight down, longer by what its weight stretches it, rho g L^2 / 2 E. */
static void a_rod_hangs_from_its_pin(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    wy_rod_def rod = round_rod(methods[m].kind, 5e7);
    rod.ends[WY_START] = wy_end_pinned();
    rod.ends[WY_END] = wy_end_free();
    test_sim made = hung(&rod, methods[m].scheme);
    double tip[4], stretch = methods[m].kind == WY_INEXTENSIBLE ? 0 : 1100 * 9.81 / (2 * 5e7);
    wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, NULL);
    check_close(tip[0], 0, 1e-9);
    check_close(tip[1], 0, 1e-9);
    check_close(tip[2], -1 - stretch, 1e-9);
    assert_int_equal(wy_sim_equilibrium(made.sim, 0).way, WY_WAY_RELAXATION);
    free_sim(&made);
  }
}

/* Bent and twisted by nature: no moment about the pin, so the centre of mass is below it. */
static void a_bent_rod_hangs_from_its_pin(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    wy_rod_def rod = round_rod(methods[m].kind, 5e7);
    rod.ends[WY_START] = wy_end_pinned();
    rod.ends[WY_END] = wy_end_free();
    rod.shape.curvature[1] = wy_constant(2);
    rod.shape.curvature[2] = wy_constant(1);
    test_sim made = hung(&rod, methods[m].scheme);
    wy_momentum momentum = wy_sim_momentum(made.sim, 0);
    check_close(momentum.centre_of_mass[0], 0, 1e-8);
    check_close(momentum.centre_of_mass[1], 0, 1e-8);
    check_below(momentum.centre_of_mass[2], -0.4);
    free_sim(&made);
  }
}

/* Between two pins on a level, turning by two radians from the one to the other: bent in the horizontal plane, or
   downwards. */
static wy_rod_def arch(wy_rod_kind kind, bool horizontal) {
  wy_rod_def rod = round_rod(kind, 5e7);
  const int side = horizontal ? 1 : 2;
  rod.ends[WY_START] = rod.ends[WY_END] = wy_end_pinned();
  rod.shape.curvature[1] = wy_constant(2); /* d3 turns towards d1 */
  memset(rod.shape.d1, 0, sizeof rod.shape.d1);
  rod.shape.direction[0] = cos(1), rod.shape.direction[side] = -sin(1);
  rod.shape.d1[0] = sin(1), rod.shape.d1[side] = cos(1);
  return rod;
}

/* The first swings by a quarter of a turn, to where the second is. */
static void a_bent_rod_swings_about_its_pins(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    double middle[2][4];
    for (int horizontal = 0; horizontal < 2; horizontal++) {
      wy_rod_def rod = arch(methods[m].kind, horizontal);
      test_sim made = hung(&rod, methods[m].scheme);
      wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, middle[horizontal], NULL);
      assert_int_equal(wy_sim_equilibrium(made.sim, 0).way, horizontal ? WY_WAY_RELAXATION : WY_WAY_STRAIGHT);
      free_sim(&made);
    }
    for (int k = 0; k < 3; k++)
      check_close(middle[1][k], middle[0][k], 1e-8);
    check_below(middle[0][2], -0.2);
  }
}

/* The same with slack: the centre of mass ends below the line between the pins. */
static void a_slack_rod_hangs_between_its_pins(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    wy_rod_def rod = arch(methods[m].kind, true);
    rod.shape.curvature[0] = wy_constant(0.5);
    rod.shape.curvature[1] = wy_constant(1);
    place_end(&rod, 0.7, 0, 0);
    test_sim made = hung(&rod, methods[m].scheme);
    wy_momentum momentum = wy_sim_momentum(made.sim, 0);
    check_close(momentum.centre_of_mass[0], 0.35, 1e-8);
    check_close(momentum.centre_of_mass[1], 0, 1e-8);
    check_below(momentum.centre_of_mass[2], -0.15);
    free_sim(&made);
  }
}

/* Bent in the horizontal plane, held by a clamp and a pin until the clamp lets go: it then hangs from the pin, as low
   as one that was never held elsewhere. Towards which side of the pin it hangs nothing decides. */
static void a_released_rod_hangs_from_its_pin(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    double at[4], pin[4], alone[4];
    wy_rod_def rod = arch(methods[m].kind, true);
    wy_message message = {0};
    rod.ends[WY_START] = wy_end_free();
    test_sim made = hung(&rod, methods[m].scheme);
    wy_sim_probe(made.sim, WY_POSITION, 0, 0, alone, NULL);
    free_sim(&made);
    rod.ends[WY_START] = wy_end_clamped();
    rod.ends[WY_START].release = 0.5;
    made = hung(&rod, methods[m].scheme);
    must(wy_sim_follow(made.sim, 0.4, &message), &message);
    wy_sim_probe(made.sim, WY_POSITION, 0, 0, at, NULL);
    check_close(at[2], 0, 1e-12);
    assert_int_equal(wy_sim_equilibrium(made.sim, 0).snaps, 0);
    if (wy_sim_follow(made.sim, 1, &message))
      fail_msg("%s, model %d: %s", methods[m].scheme, methods[m].kind, message.text);
    const wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
    wy_sim_probe(made.sim, WY_POSITION, 0, 0, at, NULL);
    wy_sim_probe(made.sim, WY_POSITION, 0, 1, pin, NULL);
    wy_momentum momentum = wy_sim_momentum(made.sim, 0);
    check_close(momentum.centre_of_mass[0], pin[0], 1e-8);
    check_close(momentum.centre_of_mass[1], pin[1], 1e-8);
    check_close(at[2], alone[2], 1e-8);
    assert_int_equal(info.unstable, 0);
    assert_int_equal(info.snaps, 1);
    check_close(info.first_snap, 0.5, 0);
    free_sim(&made);
  }
}

/* The only end that is held lets go. */
static void a_released_rod_that_falls_is_refused(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    wy_rod_def rod = round_rod(methods[m].kind, 5e7);
    rod.ends[WY_START] = wy_end_clamped();
    rod.ends[WY_START].release = 0.5;
    rod.ends[WY_END] = wy_end_free();
    test_sim made = hung(&rod, methods[m].scheme);
    wy_message message = {0};
    assert_int_equal(wy_sim_follow(made.sim, 1, &message), WY_ERROR_SOLVER);
    if (!strstr(message.text, "t = 0.5") || !strstr(message.text, "by relaxation"))
      fail_msg("%s, model %d: %s", methods[m].scheme, methods[m].kind, message.text);
    assert_int_equal(wy_sim_equilibrium(made.sim, 0).snaps, 0);
    free_sim(&made);
  }
}

/* Nothing holds these: they fall for ever. */
static void what_falls_for_ever_is_refused(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++)
    for (int slides = 0; slides < 2; slides++) {
      wy_rod_def rod = round_rod(methods[m].kind, 5e7);
      wy_message message = {0};
      rod.ends[WY_START] = slides ? wy_end_pinned() : wy_end_free();
      rod.ends[WY_START].position[2] = WY_FREE;
      rod.ends[WY_END] = wy_end_free();
      test_sim made = simulate(&rod, methods[m].scheme, down);
      assert_int_equal(wy_sim_settle(made.sim, 0, &message), WY_ERROR_SOLVER);
      assert_non_null(strstr(message.text, "prevent motions as a rigid body"));
      assert_non_null(strstr(message.text, "by relaxation"));
      free_sim(&made);
    }
}

/* ---- After a failure ---- */

/* Bit for bit what it was, the equilibrium found before included. */
static void a_failure_leaves_no_trace(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    if (methods[m].kind != WY_INEXTENSIBLE)
      continue;
    wy_rod_def rod = round_rod(methods[m].kind, 5e7);
    rod.ends[WY_START] = rod.ends[WY_END] = wy_end_clamped();
    rod.ends[WY_END].position[0] = WY_DRIVEN;
    rod.ends[WY_END].path[0] = turns_nan();
    rod.ends[WY_START].release = 0.9;
    test_sim made = simulate(&rod, methods[m].scheme, NULL);
    wy_message message = {0};
    const size_t size = wy_sim_save_size(made.sim);
    char *before = malloc(size), *after = malloc(size);
    assert_true(before && after);
    must(wy_sim_save(made.sim, before, size, &message), &message);
    assert_int_equal(wy_sim_settle(made.sim, 1, &message), WY_ERROR_SOLVER);
    must(wy_sim_save(made.sim, after, size, &message), &message);
    assert_memory_equal(before, after, size);
    free(before), free(after);
    free_sim(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poses_of_the_end_are_found),
      cmocka_unit_test(a_rod_hangs_from_its_pin),
      cmocka_unit_test(a_bent_rod_hangs_from_its_pin),
      cmocka_unit_test(a_bent_rod_swings_about_its_pins),
      cmocka_unit_test(a_slack_rod_hangs_between_its_pins),
      cmocka_unit_test(what_falls_for_ever_is_refused),
      cmocka_unit_test(a_failure_leaves_no_trace),
      cmocka_unit_test(a_released_rod_hangs_from_its_pin),
      cmocka_unit_test(a_released_rod_that_falls_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
