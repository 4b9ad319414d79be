/* SPDX-License-Identifier: MIT */
/* The tables of quantities, statistics and extremes: every row is complete, works on every scheme of the registry, and
   what it says is true. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/vec3.h"
#include "support/registry.h"

enum { STEPS = 203 };
static const double nowhere[3] = {0};

/* ---- The tables ---- */

/* Is there a text, and none of the others the same? */
static void check_text(const char *text, const char *const *others, int count, const char *what) {
  if (!text || !text[0])
    fail_msg("%s %d has no text", what, count);
  for (int i = 0; i < count; i++)
    if (strcmp(text, others[i]) == 0)
      fail_msg("%s '%s' stands twice", what, text);
}

static void every_quantity_is_described(void **state) {
  (void)state;
  const char *names[WY_STORED_COUNT], *labels[WY_STORED_COUNT];
  for (int q = 0; q < WY_STORED_COUNT; q++) {
    const wy_quantity_info *info = wy_quantity_describe((wy_quantity)q);
    check_text(info->name, names, q, "name");
    check_text(info->label, labels, q, "label");
    check_text(info->unit, NULL, 0, "unit");
    check_text(info->meaning, NULL, 0, "meaning");
    assert_string_equal(info->name, wy_quantity_name((wy_quantity)q));
    check_at_least(info->components, 1);
    check_at_most(info->components, q < WY_QUANTITY_COUNT ? 4 : 6);
    assert_int_equal(strlen(info->letters), info->components == 1 ? 0 : info->components);
    if (info->home == WY_IN_NONE)
      assert_null(info->dataset);
    names[q] = info->name, labels[q] = info->label;
  }
}

static void every_statistic_is_described(void **state) {
  (void)state;
  const char *names[64];
  int count = 0;
  size_t bytes = 0;
  for (const wy_statistic_info *info; (info = wy_statistic_describe(count)); count++) {
    check_below(count, 64);
    check_text(info->name, names, count, "name");
    check_text(info->unit, NULL, 0, "unit");
    check_text(info->label, NULL, 0, "label");
    check_at_most(info->offset, sizeof(wy_statistics) - sizeof(double));
    bytes += info->kind == WY_STATISTIC_COST ? sizeof(long) : sizeof(double);
    names[count] = info->name;
  }
  assert_int_equal(bytes, sizeof(wy_statistics)); /* every member has a row */
}

static void every_extreme_is_described(void **state) {
  (void)state;
  const char *names[WY_EXTREME_COUNT];
  for (int i = 0; i < WY_EXTREME_COUNT; i++) {
    const wy_extreme_info *info = wy_extreme_describe((wy_extreme)i);
    check_text(info->name, names, i, "name");
    check_text(info->label, NULL, 0, "label");
    check_text(info->meaning, NULL, 0, "meaning");
    assert_non_null(wy_quantity_describe(info->quantity));
    names[i] = info->name;
  }
}

/* ---- Quantities ---- */

/* With its usual tolerances: a step is about as long as output times are apart. */
static wy_solver_def usual_solver(const char *scheme) {
  wy_solver_def solver = solver_of(scheme);
  solver.relative_tolerance = solver.absolute_tolerance = 1e-6;
  return solver;
}

/* Clamped, along x, in gravity. */
static test_sim swinging_rod(const char *scheme, wy_rod_kind kind) {
  const double gravity[3] = {0, 0, -1.5};
  wy_rod_def rod = plain_rod(kind);
  rod.ends[WY_START] = wy_end_clamped();
  const wy_solver_def solver = usual_solver(scheme);
  return moving_sim(&rod, &solver, gravity);
}

static double probe(const test_sim *made, wy_quantity quantity, double s) {
  double out[4];
  wy_message message = {0};
  must(wy_sim_probe(made->sim, quantity, 0, s, out, &message), &message);
  return out[0];
}

/* All components are written and are numbers, and no more than there are. */
static void is_probed(const char *scheme, wy_rod_kind kind, const char *name) {
  print_message("%s\n", name);
  test_sim made = swinging_rod(scheme, kind);
  wy_message message = {0};
  must(wy_sim_advance(made.sim, 0.2, &message), &message);
  for (int q = 0; q < WY_QUANTITY_COUNT; q++) {
    const wy_quantity_info *info = wy_quantity_describe((wy_quantity)q);
    double out[4] = {NAN, NAN, NAN, NAN};
    if (info->place == WY_OF_JOINT || info->place == WY_OF_OBSTACLE || q == WY_GAP) { /* which this rod does not have */
      assert_int_equal(wy_sim_probe(made.sim, (wy_quantity)q, 0, 0, out, &message), WY_ERROR_INPUT);
      continue;
    }
    must(wy_sim_probe(made.sim, (wy_quantity)q, 0, info->place == WY_AT_PLACE ? 0.4 : 0, out, &message), &message);
    for (int k = 0; k < 4; k++)
      if (k < info->components ? isnan(out[k]) || (isinf(out[k]) && !info->unbounded) : !isnan(out[k]))
        fail_msg("%s: component %d is %g", info->name, k, out[k]);
  }
  free_sim(&made);
}

static void every_quantity_can_be_probed(void **state) {
  (void)state;
  for_all_schemes(is_probed);
}

/* A rod whose undeformed shape is an arc of radius R that twists by tau per length. Schemes measure the turn h/R
   between neighbours by a sine or a tangent: off by no more than 1/12 of its square, relative; chords by 1/24. */
static void is_an_arc(const char *scheme, wy_rod_kind kind, const char *name) {
  print_message("%s\n", name);
  const double radius = 0.8, tau = 0.5, turn = sqrt(1 / (radius * radius) + tau * tau) / PLAIN_PIECES,
               off = turn * turn / 12;
  wy_rod_def rod = plain_rod(kind);
  rod.shape.curvature[0] = wy_constant(0.6 / radius);
  rod.shape.curvature[1] = wy_constant(0.8 / radius);
  rod.shape.curvature[2] = wy_constant(tau);
  const wy_solver_def solver = usual_solver(scheme);
  test_sim made = moving_sim(&rod, &solver, nowhere);
  for (double s = 0; s <= 1; s += 0.25) {
    check_close(probe(&made, WY_BEND_RADIUS, s), radius, radius * off * 1.01);
    check_close(probe(&made, WY_TWIST, s), tau, tau * off * 1.01);
  }
  check_close(probe(&made, WY_LENGTH, 0), 1, off);
  free_sim(&made);
}

static void an_arc_has_its_radius_and_twist(void **state) {
  (void)state;
  for_all_schemes(is_an_arc);
}

/* Of a straight rod, round-off may be left: of turns between neighbours, a distance h apart. */
static void is_straight(const char *scheme, wy_rod_kind kind, const char *name) {
  print_message("%s\n", name);
  const wy_rod_def rod = plain_rod(kind);
  const wy_solver_def solver = usual_solver(scheme);
  test_sim made = moving_sim(&rod, &solver, nowhere);
  check_at_least(probe(&made, WY_BEND_RADIUS, 0.5), 1 / (8 * 2.3e-16 * PLAIN_PIECES));
  check_close(probe(&made, WY_LENGTH, 0), 1, 1e-14);
  check_at_least(wy_sim_extreme(made.sim, 0, WY_SMALLEST_BEND_RADIUS).value, 1 / (8 * 2.3e-16 * PLAIN_PIECES));
  free_sim(&made);
}

static void a_straight_rod_has_no_bend_radius(void **state) {
  (void)state;
  for_all_schemes(is_straight);
}

/* Hanging by its upper end: the tension at s is the weight of what is below, mu g (L - s), and stretches the rod by
   mu g L^2 / (2 EA) in all. Linear along the rod, so that every scheme has it exactly; the residual norm leaves 1e-8.
 */
static void hangs(const char *scheme, wy_rod_kind kind, const char *name) {
  print_message("%s\n", name);
  const double g = 2, down[3] = {0, 0, -g}, weight = plain_mass * g, close = 1e-8 * weight;
  const double direction[3] = {0, 0, -1}, d1[3] = {1, 0, 0};
  wy_rod_def rod = plain_rod(kind);
  wy_message message = {0};
  if (!wy_scheme_has_equilibria(scheme))
    return;
  const wy_solver_def solver = usual_solver(scheme);
  wy_copy3(direction, rod.shape.direction);
  wy_copy3(d1, rod.shape.d1);
  rod.ends[WY_START] = wy_end_clamped();
  test_sim made = make_sim(&rod, NULL, 0, &solver, down);
  assert_true(isnan(wy_sim_extreme(made.sim, 0, WY_LARGEST_TENSION).value)); /* no equilibrium so far */
  must(wy_sim_settle(made.sim, 3, &message), &message);
  for (double s = 0; s <= 1; s += 0.25)
    check_close(probe(&made, WY_TENSION, s), weight * (1 - s), close);
  check_close(probe(&made, WY_LENGTH, 0), 1 + (kind == WY_INEXTENSIBLE ? 0 : weight / (2 * plain_extension)), close);
  const wy_extreme_value top = wy_sim_extreme(made.sim, 0, WY_LARGEST_TENSION);
  check_close(top.value, weight, close);
  check_close(top.s, 0, 0);
  check_close(top.time, 3, 0);
  free_sim(&made);
}

static void a_hanging_rod_carries_its_weight(void **state) {
  (void)state;
  for_all_schemes(hangs);
}

/* ---- Extremes ---- */

static double size_of(wy_extreme extreme, const double v[3]) {
  switch (extreme) {
  case WY_LARGEST_CURVATURE:
    return hypot(v[0], v[1]);
  case WY_SMALLEST_BEND_RADIUS:
    return 1 / hypot(v[0], v[1]);
  case WY_LARGEST_TENSION:
    return v[2];
  default:
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
}

/* By probes at the points of a view, and at the clamped end. */
static void follow(const test_sim *made, wy_extreme_value worst[WY_EXTREME_COUNT]) {
  const wy_view *view = wy_sim_view(made->sim, 0);
  const wy_points *of[] = {&view->curvature, &view->curvature, &view->force, &view->moment};
  const wy_quantity quantity[] = {WY_CURVATURE, WY_CURVATURE, WY_FORCE, WY_MOMENT};
  wy_message message = {0};
  for (int i = 0; i < WY_EXTREME_COUNT; i++)
    for (int k = -1; k < of[i]->count; k++) {
      const double s = k < 0 ? 0 : of[i]->s[k], sign = wy_extreme_describe((wy_extreme)i)->smallest ? -1 : 1;
      double v[4];
      must(wy_sim_probe(made->sim, quantity[i], 0, s, v, &message), &message);
      const double size = size_of((wy_extreme)i, v);
      if (isnan(worst[i].value) || sign * size > sign * worst[i].value)
        worst[i] = (wy_extreme_value){size, s, wy_sim_time(made->sim)};
    }
}

static void compare_extremes(const test_sim *made, const wy_extreme_value *worst, double relative) {
  for (int i = 0; i < WY_EXTREME_COUNT; i++) {
    const wy_extreme_value met = wy_sim_extreme(made->sim, 0, (wy_extreme)i);
    print_message("%s %g at s = %g, t = %g\n", wy_extreme_describe((wy_extreme)i)->name, met.value, met.s, met.time);
    check_close(met.value, worst[i].value, relative * fabs(worst[i].value));
    if (fabs(worst[i].value) < 1e14) { /* else round-off of a straight rod, here and there */
      check_close(met.s, worst[i].s, 0);
      check_close(met.time, worst[i].time, 0);
    }
  }
}

/* How often a run looks by itself: cheap steps are many. */
static int steps_a_look(const char *scheme, wy_rod_kind kind) {
  test_sim made = swinging_rod(scheme, kind);
  const char *integrator = wy_sim_describe(made.sim, 0).integrator;
  bool cheap = false;
  const wy_integrator_info *info;
  for (int i = 0; (info = wy_integrator_describe(NULL, i)); i++)
    if (strcmp(info->name, integrator) == 0)
      cheap = !info->fixed_step && (info->multistep || !info->implicit);
  free_sim(&made);
  return cheap ? 64 : 8;
}

/* Over the first swing down and up again, the largest moment in the middle of it: a run without views has looked at its
   start, now and then and at its end: one that goes step by step and asks for probes there knows the same, to round-off
   of the sizes. */
static void meets_what_probes_show(const char *scheme, wy_rod_kind kind, const char *name) {
  print_message("%s\n", name);
  wy_message message = {0};
  wy_extreme_value worst[WY_EXTREME_COUNT];
  const int look = steps_a_look(scheme, kind);
  test_sim first = swinging_rod(scheme, kind), second = swinging_rod(scheme, kind);
  for (int i = 0; i < WY_EXTREME_COUNT; i++)
    worst[i].value = NAN;
  follow(&first, worst);
  for (int i = 1; i <= STEPS; i++) {
    must(wy_sim_step(first.sim, &message), &message);
    must(wy_sim_step(second.sim, &message), &message);
    if (i % look == 0 || i == STEPS)
      follow(&first, worst);
  }
  compare_extremes(&second, worst, 1e-14);
  free_sim(&first);
  free_sim(&second);
}

static void extremes_are_those_of_probes(void **state) {
  (void)state;
  for_all_schemes(meets_what_probes_show);
}

/* A run that was saved half way, and goes on in another simulation, has met the same; also what was before that. */
static void are_saved(const char *scheme, wy_rod_kind kind, const char *name) {
  print_message("%s\n", name);
  wy_message message = {0};
  test_sim whole = swinging_rod(scheme, kind), rest = swinging_rod(scheme, kind);
  must(wy_sim_advance(whole.sim, 0.3, &message), &message);
  const size_t size = wy_sim_save_size(whole.sim);
  void *saved = malloc(size);
  must(wy_sim_save(whole.sim, saved, size, &message), &message);
  must(wy_sim_restore(rest.sim, saved, size, &message), &message);
  free(saved);
  must(wy_sim_advance(whole.sim, 0.5, &message), &message);
  must(wy_sim_advance(rest.sim, 0.5, &message), &message);
  for (int i = 0; i < WY_EXTREME_COUNT; i++) {
    const wy_extreme_value a = wy_sim_extreme(whole.sim, 0, (wy_extreme)i),
                           b = wy_sim_extreme(rest.sim, 0, (wy_extreme)i);
    assert_memory_equal(&a, &b, sizeof a);
  }
  free_sim(&whole);
  free_sim(&rest);
}

static void saved_states_carry_extremes(void **state) {
  (void)state;
  for_all_schemes(are_saved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_quantity_is_described),      cmocka_unit_test(every_statistic_is_described),
      cmocka_unit_test(every_extreme_is_described),       cmocka_unit_test(every_quantity_can_be_probed),
      cmocka_unit_test(an_arc_has_its_radius_and_twist),  cmocka_unit_test(a_straight_rod_has_no_bend_radius),
      cmocka_unit_test(a_hanging_rod_carries_its_weight), cmocka_unit_test(extremes_are_those_of_probes),
      cmocka_unit_test(saved_states_carry_extremes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
