/* SPDX-License-Identifier: MIT */
/* Gauss methods where there is little to compare round-off with, and after attempts that fail: rods that fly, fall and
   spin as a whole, in skew directions and with any stiffness; a step that cannot be solved leaves nothing behind. And
   the measure of sawtooths says what it should in smooth runs and in bad ones (docs/theory/conserving.md, C16).
   labels: slow */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "record/extremes.h"
#include "sim/sim.h"
#include "support/moving.h"

/* ---- Rigid motions ---- */

static const char *const methods[] = {"midpoint", "gauss4", "gauss6", "discrete_gradient"};
enum { METHODS = 4 };
static const double until = 0.1;

typedef struct flight {
  const char *name;
  double young, direction[3], velocity[3], spin, gravity;
} flight;

static const flight flights[] = {{"falls", 5e6, {1, 0, 0}, {0, 0, 0}, 0, -9.81},
                                 {"falls, skew", 5e6, {1, 2, 3}, {0, 0, 0}, 0, -9.81},
                                 {"flies, skew", 5e6, {1, 2, 3}, {100.3, 33.1, 0}, 0, 0},
                                 {"rests, skew", 5e6, {1, 2, 3}, {0, 0, 0}, 0, 0},
                                 {"spins about its axis", 5e6, {1, 0, 0}, {0, 0, 0}, 5, 0},
                                 {"flies, steel", 2e11, {1, 0.3, 0}, {0, 0, 50}, 0, -9.81},
                                 {"falls, steel", 2e11, {1, 2, 3}, {0, 0, 0}, 0, -9.81}};
enum { FLIGHTS = sizeof flights / sizeof flights[0] };

static example flying(const flight *f) {
  example e = {.rod = rubber_rod(20), .gravity = {0, 0, f->gravity}};
  e.rod.section.radius = wy_constant(0.02);
  e.rod.material.young = wy_constant(f->young);
  e.rod.damping.kind = WY_UNDAMPED;
  e.rod.ends[WY_START] = wy_end_free();
  memset(&e.rod.shape, 0, sizeof e.rod.shape);
  memcpy(e.rod.shape.direction, f->direction, sizeof f->direction);
  for (int i = 0; i < 3; i++)
    e.rod.initial.velocity[i] = wy_constant(f->velocity[i]);
  e.rod.initial.angular_velocity[2] = wy_constant(f->spin);
  return e;
}

/* Gauss methods are exact for parabolas. Round-off: 1e-16 of velocities and strains in each of 100 steps, where a
   strain is as large as a velocity over the speed of waves, at least 67 m/s. */
static void fly(const char *scheme, int order, const char *integrator, const flight *f) {
  example e = flying(f);
  wy_solver_def solver = conserving_solver(order, integrator, 1e-3);
  solver.scheme = scheme;
  test_sim made = start_moving(&e, &solver);
  double start[4], want[3];
  wy_message message = {0};
  probe(&made, WY_POSITION, 1, start);
  if (wy_sim_advance(made.sim, until, &message))
    fail_msg("%s, order %d, %s, %s: %s", scheme, order, integrator, f->name, message.text);
  for (int i = 0; i < 3; i++)
    want[i] = start[i] + until * f->velocity[i] + 0.5 * until * until * e.gravity[i];
  if (!(distance(&made, 1, want) < 1e-11))
    fail_msg("%s, order %d, %s, %s: off by %g", scheme, order, integrator, f->name, distance(&made, 1, want));
  free_sim(&made);
}

static void rods_fly_fall_and_spin(void **state) {
  (void)state;
  for (int i = 0; i < FLIGHTS; i++)
    for (int m = 0; m < METHODS; m++)
      for (int order = 2; order <= 4; order += 2)
        fly("conserving", order, methods[m], &flights[i]);
}

/* Forces come from differences of positions here. */
static void staggered_rods_fly_with_gauss_methods(void **state) {
  (void)state;
  for (int i = 0; i < FLIGHTS; i++)
    for (int m = 0; m < 3; m++)
      fly("staggered", 2, methods[m], &flights[i]);
}

/* Nothing moves but for the waves that gravity sets off: the run must go on. */
static void a_stiff_rod_hangs(void **state) {
  (void)state;
  static const char *const schemes[] = {"conserving", "staggered"};
  const flight hanging = {"hangs, steel", 2e11, {0, 0, -1}, {0, 0, 0}, 0, -9.81};
  for (int s = 0; s < 2; s++)
    for (int m = 0; m < 3; m++) {
      example e = flying(&hanging);
      e.rod.ends[WY_START] = wy_end_clamped();
      wy_solver_def solver = conserving_solver(2, methods[m], 1e-3);
      solver.scheme = schemes[s];
      test_sim made = start_moving(&e, &solver);
      move_to(&made, until);
      /* Twice the static stretch, rho g L^2 / (2 E), and its oscillation: below 1e-6 in all. */
      const double tip[3] = {0, 0, -1};
      check_close(distance(&made, 1, tip), 0, 1e-6);
      free_sim(&made);
    }
}

/* ---- After a failure ---- */

/* A load under which no step can be solved, taken off again: the run goes on as if nothing had been. Newton's method
   ends at round-off, 1e-15 a correction, of which 200 steps make 1e-12; 1e-9 is far below what a step accepted too
   early leaves. */
static void failed_attempts_leave_nothing_behind(void **state) {
  (void)state;
  for (int order = 2; order <= 4; order += 2)
    for (int m = 0; m < METHODS; m++) {
      example e = dimensionless_rod(21, 0.2, 0.01);
      e.rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.1};
      e.loads[0] = wy_default_load_def();
      e.loads[0].force[1] = wy_constant(0.002);
      e.load_count = 1;
      wy_solver_def solver = conserving_solver(order, methods[m], 0.05);
      test_sim tried = start_moving(&e, &solver), clean = start_moving(&e, &solver);
      wy_message message = {0};
      const double force[3] = {-1e27, 1e29, 1e28}, none[3] = {0, 0, 0};
      move_to(&tried, 1);
      move_to(&clean, 1);
      must(wy_sim_set_load(tried.sim, 0, force, none, &message), &message);
      assert_int_equal(wy_sim_advance(tried.sim, 1.5, &message), WY_ERROR_SOLVER);
      must(wy_sim_set_load(tried.sim, 0, NULL, NULL, &message), &message);
      for (int n = 1; n <= 20; n++) {
        double tip[4];
        move_to(&tried, 1 + 0.5 * n);
        move_to(&clean, 1 + 0.5 * n);
        probe(&clean, WY_POSITION, 1, tip);
        check_close(distance(&tried, 1, tip), 0, 1e-9);
      }
      free_sim(&tried);
      free_sim(&clean);
    }
}

/* ---- Sawtooths ---- */

static double sawtooth(int segments, int order, double t) {
  example e = dimensionless_rod(segments, 0.2, 0.005);
  wy_solver_def solver = conserving_solver(order, "gauss4", 0.05);
  test_sim made = start_moving(&e, &solver);
  move_to(&made, t);
  double share = wy_sim_statistics(made.sim, 0).sawtooth;
  free_sim(&made);
  return share;
}

/* A beam that swings in its own weight bends by (1 - s)^2, which gives 0.87 h; the next vibrations add to that: 2 h.
   The first steps, with strains at the ends only, are all edges and must not count. In a clamped rod with an even
   number of segments the two grids of differences of order 2 lose step, until all is sawtooth. */
static void sawtooths_are_told_from_smooth_strains(void **state) {
  (void)state;
  for (int segments = 20; segments <= 40; segments += 20) {
    const double smooth = sawtooth(segments + 1, 4, 100), rough = sawtooth(segments, 2, 200);
    print_message("%d segments: smooth %.3f, rough %.3f\n", segments, smooth, rough);
    check_below(smooth, 2.0 / segments);
    check_above(rough, 0.5);
    check_at_most(rough, 1);
  }
}

/* Snapshots and statistics are those of the steps, whatever is shown between them: here strains that are larger there,
   in a swing that takes 72 steps. */
static void looking_changes_nothing(void **state) {
  (void)state;
  enum { MOST = 1 << 16 };
  static char snapshots[2][MOST];
  size_t size = 0;
  for (int looks = 0; looks < 2; looks++) {
    example e = dimensionless_rod(21, 0.2, 0.005);
    wy_solver_def solver = conserving_solver(4, "gauss4", 0.5);
    test_sim made = start_moving(&e, &solver);
    wy_message message = {0};
    for (int n = 1; n <= 80; n++) {
      for (int k = 4; looks && k > 0; k--) {
        must(wy_sim_sample(made.sim, 0.5 * n - 0.1 * k, &message), &message);
        wy_sim_view(made.sim, 0);
      }
      must(wy_sim_sample(made.sim, 0.5 * n, &message), &message);
    }
    wy_extremes_begin(made.sim->rods[0].extremes); /* these are of the states that were looked at, too */
    size = wy_sim_save_size(made.sim);
    check_at_most(size, MOST);
    must(wy_sim_save(made.sim, snapshots[looks], size, &message), &message);
    free_sim(&made);
  }
  assert_memory_equal(snapshots[0], snapshots[1], size);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rods_fly_fall_and_spin),
      cmocka_unit_test(staggered_rods_fly_with_gauss_methods),
      cmocka_unit_test(a_stiff_rod_hangs),
      cmocka_unit_test(failed_attempts_leave_nothing_behind),
      cmocka_unit_test(sawtooths_are_told_from_smooth_strains),
      cmocka_unit_test(looking_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
