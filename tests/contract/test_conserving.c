/* SPDX-License-Identifier: MIT */
/* What every step of the conserving scheme keeps, for both orders, all ends, loads, laws and Gauss methods: the balance
   of energy, unit quaternions, rest; kinematics; orders in time and along the rod (docs/theory/conserving.md).

   All sizes are of order 1: round-off is some 1e-14, and tolerances of 1e-12 leave room for sums over nodes and steps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/cases.h"
#include "support/moving.h"

static const double round_off = 1e-12;

/* ---- Rods ---- */

enum { SEGMENTS = 9 }; /* order 4 needs eight nodes */

/* Tapered, precurved, twisted, with six general stiffnesses; of unequal pieces, which grow along the rod. */
static example soft_case(void) {
  static double lengths[SEGMENTS];
  example e = {.rod = rich_rod(SEGMENTS)};
  double sum = 0;
  for (int i = 0; i < SEGMENTS; i++)
    sum += lengths[i] = 1 + 0.1 * i;
  for (int i = 0; i < SEGMENTS; i++)
    lengths[i] *= 1.6 / sum;
  e.rod.length = 1.6;
  e.rod.segment_lengths = lengths;
  e.rod.damping.kind = WY_UNDAMPED;
  e.rod.drag = (wy_drag){0, 0};
  return e;
}

static void free_and_moving(example *e) {
  moving_from_the_start(e);
  set_gravity(e);
}

static void clamped_in_gravity(example *e) {
  e->rod.ends[WY_START] = wy_end_clamped();
  set_gravity(e);
}

static void clamped_in_weak_gravity(example *e) {
  clamped_in_gravity(e);
  for (int i = 0; i < 3; i++)
    e->gravity[i] *= 0.1;
}

static void held_by_its_end(example *e) {
  e->rod.ends[WY_END] = wy_end_clamped();
  e->rod.ends[WY_START] = wy_end_pinned();
  set_gravity(e);
}

static void with_drag(example *e) {
  e->rod.drag = (wy_drag){0.3, 0.4};
  clamped_in_gravity(e);
}

/* Moved and turned in all directions, the other end loaded. */
static void driven_and_loaded(example *e) {
  e->rod.ends[WY_START] = driven_end();
  for (int i = 0; i < 3; i++) {
    e->rod.ends[WY_START].position[i] = WY_DRIVEN;
    e->rod.ends[WY_START].path[i] = example_signal(e, i == 1 ? "sin(3*t)^2" : "sin(2*t)", 0.2);
  }
  set_gravity(e);
  swinging(e, add_load(e, WY_AT_END, WY_SPACE_AXES, 0, 0), 0.4, 0.2);
}

static void held_and_turned(example *e) {
  held_at_both_ends(e);
  e->rod.ends[WY_END].position[0] = WY_HELD;
}

static void all_loads(example *e) {
  e->rod.ends[WY_START] = wy_end_pinned();
  e->rod.drag = (wy_drag){0.3, 0.4};
  set_gravity(e);
  end_loads(e);
  loads_along(e);
}

static const named_case cases[] = {{"free, in gravity", free_and_moving},
                                   {"clamped", clamped_in_gravity},
                                   {"pinned", pinned_in_gravity},
                                   {"clamped and pinned", held_by_its_end},
                                   {"end loads", end_loads},
                                   {"end loads in body axes", body_end_loads},
                                   {"loads at arc lengths", loads_inside},
                                   {"loads along", loads_along},
                                   {"drag", with_drag},
                                   {"fluid", in_a_fluid},
                                   {"fluid, free", free_in_a_fluid},
                                   {"driven and loaded", driven_and_loaded},
                                   {"held at both ends, turned", held_and_turned},
                                   {"released", released},
                                   {"all loads", all_loads}};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Law, differences and method. */
typedef struct way {
  bool stiffening;
  int order;
  const char *integrator;
} way;

static const way ways[] = {{false, 2, "midpoint"},         {false, 4, "midpoint"},
                           {false, 2, "gauss4"},           {false, 4, "gauss4"},
                           {false, 4, "gauss6"},           {false, 2, "discrete_gradient"},
                           {true, 2, "discrete_gradient"}, {true, 4, "discrete_gradient"}};
enum { WAYS = sizeof ways / sizeof ways[0] };

typedef struct subject {
  char name[160];
  example e;
  wy_solver_def solver;
} subject;

static subject make_subject(const named_case *c, const way *w, double step) {
  subject s = {.e = soft_case(), .solver = conserving_solver(w->order, w->integrator, step)};
  c->build(&s.e);
  if (w->stiffening)
    s.e.rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.2};
  snprintf(s.name, sizeof s.name, "%s, order %d, %s, %s law", c->name, w->order, w->integrator,
           w->stiffening ? "stiffening" : "linear");
  return s;
}

static void must_step(const subject *s, const test_sim *made) {
  wy_message message = {0};
  if (wy_sim_step(made->sim, &message))
    fail_msg("%s: t = %g: %s", s->name, wy_sim_time(made->sim), message.text);
}

/* ---- Energy ---- */

static void every_step_balances(const subject *s) {
  test_sim made = start_moving(&s->e, &s->solver);
  wy_energy start = wy_sim_energy(made.sim, 0), now = start;
  double scale = 1, defect = 0, lost = 0;
  for (int n = 0; n < 40; n++) {
    must_step(s, &made);
    now = wy_sim_energy(made.sim, 0);
    scale = fmax(scale, fmax(now.kinetic, now.elastic));
    defect = fmax(defect, fabs(now.total - start.total - now.work + now.dissipated) / scale);
    if (!(now.dissipated >= lost))
      fail_msg("%s, step %d: dissipated %.15g after %.15g", s->name, n, now.dissipated, lost);
    lost = now.dissipated;
  }
  print_message("%s: defect %.1e of %.2g, work %.3g, dissipated %.3g, kinetic %.3g\n", s->name, defect, scale, now.work,
                now.dissipated, now.kinetic);
  if (!(defect <= round_off))
    fail_msg("%s: the energy misses %.3g of %.3g", s->name, defect, scale);
  if (!(fabs(now.kinetic - start.kinetic) > 1e-4))
    fail_msg("%s: kinetic energy %.3g from %.3g", s->name, now.kinetic, start.kinetic);
  check_close(wy_sim_statistics(made.sim, 0).quaternion_drift, 0, round_off);
  free_sim(&made);
}

static void energy_is_balanced_in_every_step(void **state) {
  (void)state;
  for (int i = 0; i < CASES; i++)
    for (int k = 0; k < WAYS; k++) {
      subject s = make_subject(&cases[i], &ways[k], 0.05);
      every_step_balances(&s);
      free_example(&s.e);
    }
}

/* Over many steps: round-off of 1e-16 a step adds up like a random walk to some 1e-13. */
static void energy_is_kept_in_long_runs(void **state) {
  (void)state;
  static const way chosen[3] = {{false, 2, "midpoint"}, {false, 4, "gauss4"}, {true, 2, "discrete_gradient"}};
  enum { STEPS = 10000 };
  for (int k = 0; k < 3; k++) {
    const named_case calm = {"clamped, weak gravity", clamped_in_weak_gravity};
    subject s = make_subject(&calm, &chosen[k], 0.05);
    test_sim made = start_moving(&s.e, &s.solver);
    double start = wy_sim_energy(made.sim, 0).total, worst = 0, scale = 0;
    for (int n = 0; n < STEPS; n++) {
      must_step(&s, &made);
      wy_energy now = wy_sim_energy(made.sim, 0);
      worst = fmax(worst, fabs(now.total - start));
      scale = fmax(scale, fmax(now.kinetic, now.elastic));
    }
    wy_statistics statistics = wy_sim_statistics(made.sim, 0);
    print_message("%s: %d steps: energy %.1e of %.2g, quaternions %.1e\n", s.name, STEPS, worst, scale,
                  statistics.quaternion_drift);
    check_close(worst, 0, round_off * scale);
    check_close(statistics.quaternion_drift, 0, round_off);
    free_sim(&made);
    free_example(&s.e);
  }
}

/* ---- Rest ---- */

static void an_unloaded_rod_stays_at_rest(void **state) {
  (void)state;
  for (int k = 0; k < WAYS; k++)
    for (int held = 0; held < 3; held++) {
      example e = soft_case();
      if (held > 0)
        e.rod.ends[WY_START] = held > 1 ? wy_end_clamped() : wy_end_pinned();
      if (ways[k].stiffening)
        e.rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.2};
      wy_solver_def solver = conserving_solver(ways[k].order, ways[k].integrator, 0.1);
      test_sim made = start_moving(&e, &solver);
      double x[3 * (SEGMENTS + 1)];
      const wy_view *view = wy_sim_view(made.sim, 0);
      assert_int_equal(view->position.count, SEGMENTS + 1);
      memcpy(x, view->position.values, sizeof x);
      for (int n = 0; n < 100; n++)
        step_once(&made);
      view = wy_sim_view(made.sim, 0);
      for (int i = 0; i < 3 * (SEGMENTS + 1); i++)
        check_close(view->position.values[i], x[i], 1e-12);
      check_close(wy_sim_energy(made.sim, 0).kinetic, 0, 1e-24);
      check_close(wy_sim_energy(made.sim, 0).elastic, 0, 1e-24);
      free_sim(&made);
    }
}

/* ---- Kinematics ---- */

typedef struct picture {
  double x[3 * 161], v[3 * 161], q[4 * 161], w[3 * 161];
} picture;

static void take(const test_sim *made, picture *p) {
  const wy_view *view = wy_sim_view(made->sim, 0);
  const size_t n = (size_t)view->position.count;
  assert_true(n <= 161 && view->velocity.count == (int)n && view->frame.count == (int)n &&
              view->angular_velocity.count == (int)n);
  memcpy(p->x, view->position.values, 3 * n * sizeof(double));
  memcpy(p->v, view->velocity.values, 3 * n * sizeof(double));
  memcpy(p->q, view->frame.values, 4 * n * sizeof(double));
  memcpy(p->w, view->angular_velocity.values, 3 * n * sizeof(double));
}

/* The rotation from a to b, as a vector in the frame between. */
static void turn_between(const double a[4], const double b[4], double turn[3]) {
  double conjugate[4] = {a[0], -a[1], -a[2], -a[3]}, q[4];
  wy_qmul(conjugate, b, q);
  double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  double factor = sine > 1e-12 ? 2 * atan2(sine, fabs(q[0])) / sine : 2;
  for (int k = 0; k < 3; k++)
    turn[k] = (q[0] < 0 ? -factor : factor) * q[1 + k];
}

/* How far positions and frames are from moving with the velocities that the view shows, by central differences about
   t = 0.3: an error of h^2, whatever the method in time. */
static void rate_errors(const subject *s, double h, double error[2]) {
  subject with = *s;
  with.solver.first_step = h;
  test_sim made = start_moving(&with.e, &with.solver);
  picture at[3];
  move_to(&made, 0.3);
  for (int i = 0; i < 3; i++) {
    take(&made, &at[i]);
    must_step(s, &made);
  }
  error[0] = error[1] = 0;
  for (int i = 0; i <= SEGMENTS; i++) {
    double turn[3];
    turn_between(at[0].q + 4 * i, at[2].q + 4 * i, turn);
    for (int k = 0; k < 3; k++) {
      double v = (at[2].x[3 * i + k] - at[0].x[3 * i + k]) / (2 * h);
      error[0] = fmax(error[0], fabs(v - at[1].v[3 * i + k]));
      error[1] = fmax(error[1], fabs(turn[k] / (2 * h) - at[1].w[3 * i + k]));
    }
  }
  free_sim(&made);
}

/* Energy and norms are kept with wrong kinematics, too: this is what finds them. */
static void frames_and_positions_move_with_their_velocities(void **state) {
  (void)state;
  static const named_case chosen[3] = {
      {"free, in gravity", free_and_moving}, {"driven and loaded", driven_and_loaded}, {"clamped", clamped_in_gravity}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < WAYS; k++) {
      subject s = make_subject(&chosen[i], &ways[k], 0.01);
      double coarse[2], fine[2];
      rate_errors(&s, 0.01, coarse);
      rate_errors(&s, 0.005, fine);
      print_message("%s: velocities %.1e %.1e, angular velocities %.1e %.1e\n", s.name, coarse[0], fine[0], coarse[1],
                    fine[1]);
      for (int kind = 0; kind < 2; kind++)
        if (!(fine[kind] < 1e-2) || !(fabs(log2(coarse[kind] / fine[kind]) - 2) < 0.3))
          fail_msg("%s: differences miss the %s by %.3g and %.3g with half the step", s.name,
                   kind ? "angular velocities" : "velocities", coarse[kind], fine[kind]);
      free_example(&s.e);
    }
}

/* ---- Orders ---- */

/* A rod that begins to move smoothly, with all derivatives that matter zero at both ends, so that no wave has a kink.
 */
static example smooth_case(int segments) {
  example e = dimensionless_rod(segments, 1.5, 0); /* stout: no wave is shorter than the bump */
  static const char bump[] = "(4*s*(1 - s))^4";
  e.rod.initial.velocity[0] = example_signal(&e, bump, 0.1);
  e.rod.initial.velocity[1] = example_signal(&e, bump, 0.25);
  e.rod.initial.velocity[2] = example_signal(&e, bump, -0.15);
  e.rod.initial.angular_velocity[2] = example_signal(&e, bump, 0.8);
  return e;
}

/* Positions and frames at t = 2 of the nodes that the coarsest grid has. */
static void smooth_motion(int segments, int coarsest, int order, const char *integrator, double h, double *out) {
  example e = smooth_case(segments);
  wy_solver_def solver = conserving_solver(order, integrator, h);
  test_sim made = start_moving(&e, &solver);
  picture p;
  move_to(&made, 2);
  take(&made, &p);
  for (int i = 0; i <= coarsest; i++) {
    int node = i * (segments / coarsest);
    memcpy(out + 7 * i, p.x + 3 * node, 3 * sizeof *out);
    memcpy(out + 7 * i + 3, p.q + 4 * node, 4 * sizeof *out);
  }
  free_sim(&made);
  free_example(&e);
}

/* Root mean square: errors at one node alone pass through zero. */
static double difference(const double *a, const double *b, int count) {
  double sum = 0;
  for (int k = 0; k < 7 * count; k++)
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum / count);
}

/* Order 4 within the rod and 2 at its ends give 3. */
static void orders_along_the_rod_are_as_declared(void **state) {
  (void)state;
  static double at[3][7 * 41];
  for (int order = 2; order <= 4; order += 2) {
    for (int i = 0; i < 3; i++)
      smooth_motion(40 << i, 40, order, "gauss4", 0.02, at[i]);
    double coarse = difference(at[0], at[1], 41), fine = difference(at[1], at[2], 41), found = log2(coarse / fine);
    print_message("order %d along the rod: differences %.2e %.2e, order %.2f\n", order, coarse, fine, found);
    check_close(coarse, 0, 1e-2);
    if (order == 2)
      check_close(found, 2, 0.2);
    else
      check_close(found, 3, 0.4);
  }
}

static void orders_in_time_are_as_declared(void **state) {
  (void)state;
  static const struct {
    const char *integrator;
    double h, order;
  } methods[4] = {{"midpoint", 0.05, 2}, {"discrete_gradient", 0.05, 2}, {"gauss4", 0.05, 4}, {"gauss6", 0.1, 6}};
  static double at[3][7 * 13];
  for (int m = 0; m < 4; m++) {
    for (int i = 0; i < 3; i++)
      smooth_motion(12, 12, 2, methods[m].integrator, methods[m].h / (1 << i), at[i]);
    double coarse = difference(at[0], at[1], 13), fine = difference(at[1], at[2], 13), found = log2(coarse / fine);
    print_message("%s: differences %.2e %.2e, order %.2f\n", methods[m].integrator, coarse, fine, found);
    check_close(found, methods[m].order, 0.05 * methods[m].order);
  }
}

/* Positions and frames are integrated in time, strains beside them: what they say of each other agrees better with
   more segments. Central differences have the order of the scheme. */
static void compatibility(int segments, double error[2]) {
  example e = smooth_case(segments);
  wy_solver_def solver = conserving_solver(2, "gauss4", 0.02);
  test_sim made = start_moving(&e, &solver);
  move_to(&made, 2);
  const wy_view *view = wy_sim_view(made.sim, 0);
  assert_true(view->strain.count == segments + 1 && view->curvature.count == segments + 1);
  error[0] = error[1] = 0;
  for (int i = 1; i < segments; i++) {
    const double *x = view->position.values + 3 * i, *q = view->frame.values + 4 * i;
    double r[9], turn[3];
    wy_qmatrix(q, r);
    turn_between(q - 4, q + 4, turn);
    for (int k = 0; k < 3; k++) {
      double along = 0;
      for (int j = 0; j < 3; j++)
        along += r[3 * j + k] * (x[3 + j] - x[j - 3]) * segments / 2;
      error[0] = fmax(error[0], fabs(along - (k == 2) - view->strain.values[3 * i + k]));
      error[1] = fmax(error[1], fabs(turn[k] * segments / 2 - view->curvature.values[3 * i + k]));
    }
  }
  check_above(wy_sim_statistics(made.sim, 0).compatibility_drift, 0);
  free_sim(&made);
  free_example(&e);
}

static void strains_belong_to_positions(void **state) {
  (void)state;
  double coarse[2], fine[2];
  compatibility(40, coarse);
  compatibility(80, fine);
  print_message("strains miss positions by %.2e %.2e, curvatures frames by %.2e %.2e\n", coarse[0], fine[0], coarse[1],
                fine[1]);
  for (int k = 0; k < 2; k++) {
    check_below(coarse[k], 0.1);
    check_above(log2(coarse[k] / fine[k]), 1.6);
  }
}

/* Momentum of a free rod is not kept to round-off, as products of frames and stresses have no discrete product rule,
   but with the order of the differences. */
static double momentum_lost(int segments) {
  example e = smooth_case(segments);
  e.rod.ends[WY_START] = wy_end_free();
  wy_solver_def solver = conserving_solver(2, "gauss4", 0.02);
  test_sim made = start_moving(&e, &solver);
  wy_momentum start = wy_sim_momentum(made.sim, 0);
  move_to(&made, 2);
  wy_momentum now = wy_sim_momentum(made.sim, 0);
  double worst = 0;
  for (int k = 0; k < 3; k++)
    worst = fmax(worst, fmax(fabs(now.linear[k] - start.linear[k]), fabs(now.angular[k] - start.angular[k])));
  free_sim(&made);
  free_example(&e);
  return worst;
}

static void momentum_is_kept_with_the_order_of_the_differences(void **state) {
  (void)state;
  double coarse = momentum_lost(40), fine = momentum_lost(80);
  print_message("momentum lost %.2e %.2e\n", coarse, fine);
  check_below(coarse, 1e-2);
  assert_true(fine < 1e-10 || log2(coarse / fine) > 1.6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_is_balanced_in_every_step),
      cmocka_unit_test(energy_is_kept_in_long_runs),
      cmocka_unit_test(an_unloaded_rod_stays_at_rest),
      cmocka_unit_test(frames_and_positions_move_with_their_velocities),
      cmocka_unit_test(orders_along_the_rod_are_as_declared),
      cmocka_unit_test(orders_in_time_are_as_declared),
      cmocka_unit_test(strains_belong_to_positions),
      cmocka_unit_test(momentum_is_kept_with_the_order_of_the_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
