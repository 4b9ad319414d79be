/* SPDX-License-Identifier: MIT */
/* What the library says of its own results (withy/judge.h): every rule with a result that breaks it and one that does
   not. The command has the same in tests/cli/test_run_verdict. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge/judge.h"
#include "math/vec3.h"
#include "sim/sim.h"
#include "support/published.h"

enum { ROOM = 8 };

/* A round rod of the given length along x, clamped at its start. */
static wy_rod_def cantilever(double length, double radius, double young, double density, int pieces) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = length;
  rod.segments = pieces;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(radius);
  rod.material.given = true;
  rod.material.young = wy_constant(young);
  rod.material.density = wy_constant(density);
  rod.material.poisson = wy_constant(0.4);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

static const double down[3] = {0, 0, -9.81}, weightless[3] = {0, 0, 0};

static test_sim make_loaded(const wy_rod_def *rod, const wy_load_def *loads, int load_count,
                            const wy_solver_def *solver, const double gravity[3], double end) {
  test_sim made = {0};
  wy_message message = {{0}, {0}};
  wy_model_def def = wy_default_model_def();
  def.rods = rod;
  def.rod_count = 1;
  def.loads = loads;
  def.load_count = load_count;
  memcpy(def.gravity, gravity, sizeof def.gravity);
  must(wy_model_create(&def, &made.model, &message), &message);
  wy_sim_def sim = wy_default_sim_def();
  sim.solver = *solver;
  sim.end = end;
  sim.statics = wy_scheme_has_equilibria(solver->scheme);
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

static test_sim make(const wy_rod_def *rod, const wy_solver_def *solver, const double gravity[3], double end) {
  return make_loaded(rod, NULL, 0, solver, gravity, end);
}

/* The finding of a rule, or NULL. */
static const wy_finding *find(wy_sim *sim, const char *code, wy_finding list[ROOM]) {
  int count = 0;
  wy_sim_verify(sim, list, ROOM, &count, NULL);
  for (int i = 0; i < count && i < ROOM; i++) {
    print_message("%s: %s; %s\n", list[i].code, list[i].text, list[i].remedy);
    if (i > 0)
      check_at_most(list[i].severity, list[i - 1].severity);
  }
  for (int i = 0; i < count && i < ROOM; i++)
    if (strcmp(list[i].code, code) == 0)
      return &list[i];
  return NULL;
}

/* ---- Energy ---- */

/* Energy 10 at the start; later 9 with work 1 and 1.5 dissipated (0.5 too little), then 12 with work 3 and 2 dissipated
   (1 too much). */
static void drift_is_the_largest_violation(void **state) {
  (void)state;
  wy_balance balance = {0};
  const wy_energy met[] = {{.elastic = 10, .total = 10},
                           {.kinetic = 16, .gravity = -7, .work = 1, .dissipated = 1.5, .total = 9},
                           {.kinetic = 12, .work = 3, .dissipated = 2, .total = 12},
                           {.kinetic = 1, .work = 3, .dissipated = 12, .total = 1}};
  static const double want[] = {0, 0.5 / 16, 1.0 / 16, 1.0 / 16};
  for (int i = 0; i < 4; i++) {
    wy_balance_look(&balance, i, &met[i]);
    check_close(wy_balance_drift(&balance, 0), want[i], 1e-13); /* without its round-off */
  }
  assert_true(balance.start == 10 && balance.end == 1 && balance.work == 3 && balance.dissipated == 12);
  assert_true(balance.violation_time == 2);
}

/* The height of a rod and the stress that it keeps are no energies that change hands: a motion of 1 J that loses 0.1 J
   has lost a tenth, wherever it takes place. And what begins with work done, as after a start by driven ends, begins
   without a violation. */
static void levels_do_not_count(void **state) {
  (void)state;
  for (int far = 0; far < 2; far++) {
    const double level = far ? 1e6 : 0;
    wy_balance balance = {0};
    const wy_energy first = {.kinetic = 1, .gravity = level, .elastic = level, .work = 2, .total = 1 + 2 * level};
    const wy_energy then = {.kinetic = 0.9, .gravity = level, .elastic = level, .work = 2, .total = 0.9 + 2 * level};
    wy_balance_look(&balance, 0, &first);
    check_close(balance.violation, 0, 0);
    wy_balance_look(&balance, 1, &then);
    check_close(wy_balance_drift(&balance, 0), 0.1 / 2, 1e-7); /* the work of 2 is the largest energy */
  }
}

/* Nothing acts, nothing moves: energies are round-off, of 1e-28 J, and their ratio means nothing. */
static void a_rod_at_rest_does_not_drift(void **state) {
  (void)state;
  wy_rod_def rod = cantilever(0.058, 3e-4, 1e5, 1000, 5);
  rod.ends[WY_END] = wy_end_clamped();
  rod.shape.curvature[0] = wy_constant(11);
  rod.shape.curvature[1] = wy_constant(44);
  wy_solver_def solver = wy_default_solver_def();
  solver.relative_tolerance = solver.absolute_tolerance = 1e-8;
  solver.staggered.coordinates = WY_ABSOLUTE;
  test_sim made = make(&rod, &solver, weightless, 0.2);
  wy_message message = {{0}, {0}};
  must(wy_sim_advance(made.sim, 0.2, &message), &message);
  wy_balance balance = wy_sim_balance(made.sim, 0);
  print_message("violation %.2g, kinetic %.2g, elastic %.2g, drift %.2g\n", balance.violation, balance.kinetic,
                balance.elastic[1], wy_sim_drift(made.sim, 0));
  check_above(balance.looks, 1);
  check_above(balance.violation, 0);
  check_above(balance.violation, 0.1 * fmax(balance.kinetic, balance.elastic[1])); /* what it was divided by before */
  check_close(wy_sim_drift(made.sim, 0), 0, 1e-6);
  assert_int_equal(wy_sim_verdict(made.sim), WY_FINE);
  free_sim(&made);
}

/* A cantilever of the box scheme that swings, or, if soft, falls about its clamp; its steps damp. */
static test_sim damped_by_steps(bool soft, double rho_inf, double allow, double end) {
  wy_rod_def rod = soft ? cantilever(1, 5e-3, 5e6, 1100, 30) : cantilever(1, 0.01, 5e7, 1100, 30);
  rod.kind = WY_INEXTENSIBLE;
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "box";
  solver.first_step = 0.02;
  solver.box.rho_inf = rho_inf;
  solver.allow_drift = allow;
  return make(&rod, &solver, down, end);
}

static void drift_is_doubtful_then_wrong_then_allowed(void **state) {
  (void)state;
  static const struct {
    bool soft;
    double rho_inf, allow, end;
    wy_severity want;
  } cases[] = {{false, 0.8, 0, 2, WY_FINE},
               {false, 0, 0, 8, WY_WARNING},
               {true, 0.8, 0, 10, WY_WRONG},
               {true, 0.8, 0.9, 10, WY_FINE}};
  for (int i = 0; i < 4; i++) {
    test_sim made = damped_by_steps(cases[i].soft, cases[i].rho_inf, cases[i].allow, cases[i].end);
    wy_message message = {{0}, {0}};
    wy_status status = wy_sim_advance(made.sim, cases[i].end, &message);
    double drift = wy_sim_drift(made.sim, 0);
    print_message("rho_inf %g: drift %.3g\n", cases[i].rho_inf, drift);
    wy_finding list[ROOM];
    const wy_finding *found = find(made.sim, "energy_drift", list);
    assert_int_equal(found ? found->severity : WY_FINE, cases[i].want);
    assert_int_equal(status, cases[i].want == WY_WRONG ? WY_ERROR_RESULT : WY_OK);
    if (found) {
      check_close(found->value, drift, 0);
      assert_non_null(strstr(found->text, "numerical dissipation of solver.rho_inf"));
      assert_true(drift > found->limit && (found->severity == WY_WRONG ? drift > 0.2 : drift > 0.01 && drift <= 0.2));
      assert_true((strstr(found->remedy, "allow_drift") != NULL) == (found->severity == WY_WRONG));
    }
    if (status) {
      assert_non_null(strstr(message.text, "drifted"));
      check_close(wy_sim_time(made.sim), cases[i].end, 0); /* the result is kept */
    }
    free_sim(&made);
  }
}

/* What keeps the energy by construction must keep it: Newton's method that stops early shows. Gauss's methods solve
   their steps to round-off, whatever its tolerance. */
static void methods_that_conserve_are_held_to_it(void **state) {
  (void)state;
  static const struct {
    const char *scheme, *integrator;
    bool conserves;
  } methods[] = {{"conserving", "discrete_gradient", true},
                 {"conserving", "midpoint", true},
                 {"conserving", "radau5", false},
                 {"mixed", "midpoint", true},
                 {"box", "galpha", false},
                 {"staggered", "midpoint", false}};
  for (int i = 0; i < 6; i++)
    for (int loose = 0; loose < 2; loose++) {
      wy_rod_def rod = cantilever(1, 0.05, 1e6, 1000, 11);
      rod.kind = strcmp(methods[i].scheme, "box") == 0 ? WY_INEXTENSIBLE : WY_COSSERAT;
      wy_solver_def solver = wy_default_solver_def();
      solver.scheme = methods[i].scheme;
      solver.integrator = methods[i].integrator;
      solver.first_step = 0.01;
      solver.newton.tolerance = loose ? 1e-2 : 1e-11;
      test_sim made = make(&rod, &solver, down, 0.5);
      wy_drift_limits limits = wy_sim_drift_limits(made.sim, 0);
      assert_int_equal(limits.conserves, methods[i].conserves);
      check_close(limits.wrong, limits.conserves ? 1e-6 : 0.2, 0);
      wy_message message = {{0}, {0}};
      wy_status status = wy_sim_advance(made.sim, 0.5, &message);
      print_message("%s, %s, tolerance %g: drift %.2g\n", methods[i].scheme, methods[i].integrator,
                    solver.newton.tolerance, wy_sim_drift(made.sim, 0));
      if (!loose)
        assert_int_equal(status, WY_OK);
      else if (strcmp(methods[i].scheme, "mixed") == 0)
        assert_int_equal(status, WY_ERROR_RESULT);
      free_sim(&made);
    }
}

/* A rod that is pulled along its axis by F = 6.2 mN is pushed a little sideways: 3e-12 J change hands. Its strain is
   held at zero to Newton's tolerance of 1e-11 in every step, and F L times that is 2e-15 J, which is no drift, although
   it is 7e-4 of what changes hands. What is far beyond that is. */
static void push(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double rate = 3.14159265358979323846 / 0.041;
  const double sine = t < 0.041 ? sin(rate * t) : 0, cosine = t < 0.041 ? cos(rate * t) : 0;
  (void)context, (void)s;
  jet[0] = pow(sine, 4);
  jet[1] = wrt == WY_TIME ? 4 * rate * pow(sine, 3) * cosine : 0;
  jet[2] = wrt == WY_TIME ? 4 * rate * rate * sine * sine * (3 * cosine * cosine - sine * sine) : 0;
  for (int i = 0; i < 3; i++)
    jet[i] *= -2e-4;
}

static const double rod_length = 0.0325;

static test_sim pushed(void) {
  wy_rod_def rod = cantilever(rod_length, 0.00097, 9.94e6, 1100, 12);
  rod.kind = WY_INEXTENSIBLE;
  rod.drag.translation = rod.drag.rotation = 24.4;
  wy_load_def loads[2] = {wy_default_load_def(), wy_default_load_def()};
  loads[0].force[0] = wy_constant(6.23e-3);
  loads[1].place = WY_ALONG;
  loads[1].to = rod.length;
  loads[1].force[1] = (wy_signal){.evaluate = push, .depends_on = WY_TIME};
  wy_solver_def solver = mixed_solver(2, 0.0006375);
  return make_loaded(&rod, loads, 2, &solver, weightless, 0.408);
}

static void residuals_under_large_forces_are_no_drift(void **state) {
  (void)state;
  test_sim made = pushed();
  wy_message message = {{0}, {0}};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_advance(made.sim, 0.408, &message), &message);
  const wy_balance balance = wy_sim_balance(made.sim, 0);
  print_message("violation %.2g, work %.2g\n", balance.violation, balance.most_work);
  check_above(balance.violation, 1e-5 * balance.most_work); /* wrong, if it were a drift */
  check_close(wy_sim_drift(made.sim, 0), 0, 1e-6);
  assert_int_equal(wy_sim_verdict(made.sim), WY_FINE);

  const wy_sim_group *inside = &made.sim->groups[0];
  wy_judged judged = {.model = made.model,
                      .scheme = inside->method,
                      .solver = &inside->solver,
                      .integrator = inside->integrator,
                      .system = inside->system,
                      .balance = balance,
                      .statistics = wy_sim_statistics(made.sim, 0)};
  const double strain = judged.statistics.strain_drift, energy = 6.23e-3 * rod_length; /* F L */
  print_message("strain %.2g, residual %.2g\n", strain, wy_judge_residual(&judged));
  check_below(strain, 1e-10);
  check_at_least(wy_judge_residual(&judged), (1e-11 + strain) * energy);
  check_at_most(wy_judge_residual(&judged), 2 * (1e-11 + strain) * energy); /* the elastic energy has a share in it */
  judged.statistics.strain_drift = 1e-3; /* whatever it is: no more than the steps may leave */
  const double most = 1e-11 * (1 + (double)judged.statistics.steps) * energy;
  check_at_least(wy_judge_residual(&judged), most);
  check_at_most(wy_judge_residual(&judged), 2 * most);
  judged.statistics.strain_drift = strain;
  wy_finding finding = {0};
  judged.balance.violation = 4 * (1e-11 + strain) * energy;
  assert_true(wy_judge_energy(&judged, &finding));
  assert_int_equal(finding.severity, WY_WRONG);
  free_sim(&made);
}

/* The balance belongs to the saved state: a restored simulation comes to the same verdict. */
static void the_balance_survives_a_restart(void **state) {
  (void)state;
  test_sim whole = damped_by_steps(true, 0.8, 0, 3), again = damped_by_steps(true, 0.8, 0, 3);
  wy_message message = {{0}, {0}};
  must(wy_sim_sample(whole.sim, 2, &message), &message);
  size_t size = wy_sim_save_size(whole.sim);
  void *saved = malloc(size);
  must(wy_sim_save(whole.sim, saved, size, &message), &message);
  must(wy_sim_restore(again.sim, saved, size, &message), &message);
  wy_status first = wy_sim_sample(whole.sim, 3, &message), second = wy_sim_sample(again.sim, 3, &message);
  assert_int_equal(first, second);
  wy_balance a = wy_sim_balance(whole.sim, 0), b = wy_sim_balance(again.sim, 0);
  assert_memory_equal(&a, &b, sizeof a);
  check_close(a.start, 0, 0.1); /* and not that of the restart, -1 J and less */
  free(saved);
  free_sim(&whole);
  free_sim(&again);
}

/* ---- Rods that come apart ---- */

/* A soft rod falls about its clamp. Ten elements tear there: by a chord that is too long where the rod cannot stretch,
   by half a turn of an element where it can. Thirty hold. */
static void torn_rods_stop_the_run(void **state) {
  (void)state;
  static const struct {
    int elements;
    wy_rod_kind kind;
    const char *code;
  } cases[] = {{10, WY_INEXTENSIBLE, "chord"}, {10, WY_COSSERAT, "torn"}, {30, WY_INEXTENSIBLE, NULL}};
  for (int i = 0; i < 3; i++) {
    wy_rod_def rod = cantilever(0.5, 0.01, 1e6, 1000, cases[i].elements);
    rod.kind = cases[i].kind;
    wy_solver_def solver = mixed_solver(2, 0.002);
    test_sim made = make(&rod, &solver, down, INFINITY);
    wy_message message = {{0}, {0}};
    wy_status status = wy_sim_advance(made.sim, 0.8, &message);
    print_message("%d elements, t = %.4g: %s\n", rod.segments, wy_sim_time(made.sim), message.text);
    assert_int_equal(status, cases[i].code ? WY_ERROR_RESULT : WY_OK);
    assert_int_equal(wy_sim_verdict(made.sim), cases[i].code ? WY_WRONG : WY_FINE);
    if (cases[i].code) {
      wy_finding list[ROOM];
      const wy_finding *found = find(made.sim, cases[i].code, list);
      assert_non_null(found);
      assert_int_equal(found->severity, WY_WRONG);
      check_above(wy_sim_time(made.sim), 0.4);
      check_below(wy_sim_time(made.sim), 0.8);
      assert_non_null(strstr(message.text, "has come apart"));
      assert_non_null(strstr(message.text, "the rotation across element")); /* and how many elements would do */
      assert_int_equal(wy_sim_step(made.sim, &message), WY_ERROR_RESULT);   /* it stays so */
    }
    free_sim(&made);
  }
}

/* An element that is bent beyond the limit point of its moment, 2.17 rad, but not torn: the result is wrong; between
   1.5 rad and that it is too soft. Undeformed circles of four, three and two elements: 1.57, 2.09 and pi. */
static void elements_beyond_their_limit_point_are_wrong(void **state) {
  (void)state;
  static const struct {
    double turn;
    wy_severity want;
  } cases[] = {{1.4, WY_FINE}, {1.9, WY_WARNING}, {2.4, WY_WRONG}};
  for (int i = 0; i < 3; i++) {
    wy_rod_def rod = cantilever(1, 0.01, 1e6, 1000, 3);
    rod.shape.curvature[1] = wy_constant(3 * cases[i].turn);
    wy_solver_def solver = mixed_solver(2, 0.001);
    test_sim made = make(&rod, &solver, weightless, INFINITY);
    wy_message message = {{0}, {0}};
    must(wy_sim_step(made.sim, &message), &message);
    wy_finding list[ROOM];
    const wy_finding *found = find(made.sim, "turn", list);
    assert_int_equal(found ? found->severity : WY_FINE, cases[i].want);
    assert_int_equal(wy_sim_verdict(made.sim), cases[i].want);
    if (found)
      check_close(found->value, cases[i].turn, 1e-2);
    free_sim(&made);
  }
}

/* ---- What is seen of a state ---- */

/* An equilibrium of a bent cantilever as a judge sees it, so that it can be tampered with. */
typedef struct tampered {
  test_sim made;
  wy_judged judged;
  wy_view view;
  double position[3 * 200], frame[4 * 200];
} tampered;

static void copy_points(wy_points *points, double *to) {
  memcpy(to, points->values, (size_t)(points->count * points->components) * sizeof *to);
  points->values = to;
}

static void settle_with(tampered *out, const wy_solver_def *solver, const wy_rod_def *rod, const wy_load_def *load) {
  out->made = make_loaded(rod, load, load ? 1 : 0, solver, down, INFINITY);
  wy_message message = {{0}, {0}};
  must(wy_sim_settle(out->made.sim, 0, &message), &message);
  assert_int_equal(wy_sim_verdict(out->made.sim), WY_FINE);
  const wy_sim_group *inside = &out->made.sim->groups[0];
  out->view = *wy_sim_view(out->made.sim, 0);
  check_at_most(out->view.position.count, 200);
  check_at_most(out->view.frame.count, 200);
  copy_points(&out->view.position, out->position);
  copy_points(&out->view.frame, out->frame);
  out->judged = (wy_judged){.model = out->made.model,
                            .scheme = inside->method,
                            .solver = &inside->solver,
                            .integrator = inside->integrator,
                            .system = inside->system,
                            .view = &out->view,
                            .momentum = wy_sim_momentum(out->made.sim, 0),
                            .resting = true};
}

static void settle(tampered *out, const char *scheme) {
  wy_rod_def rod = cantilever(1, 0.01, 1e7, 1100, 20);
  rod.kind = WY_INEXTENSIBLE;
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = scheme;
  settle_with(out, &solver, &rod, NULL);
}

static const char *const settling[] = {"staggered", "mixed", "box"};

static void ends_must_be_where_they_are_held(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    tampered t;
    wy_finding finding = {0};
    settle(&t, settling[i]);
    assert_false(wy_judge_ends(&t.judged, &finding));
    t.position[1] += 1e-5;
    assert_true(wy_judge_ends(&t.judged, &finding));
    assert_int_equal(finding.severity, WY_WRONG);
    check_close(finding.value, 1e-5, 1e-9);
    t.judged.resting = false; /* a motion may be that far off */
    assert_false(wy_judge_ends(&t.judged, &finding));
    t.position[1] += 0.1;
    assert_true(wy_judge_ends(&t.judged, &finding));
    free_sim(&t.made);
  }
}

static void chords_must_not_be_longer_than_the_rod(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    tampered t;
    wy_finding finding = {0};
    settle(&t, settling[i]);
    assert_false(wy_judge_chords(&t.judged, &finding));
    const int count = t.view.position.count;
    const double h = t.view.position.s[count - 1] - t.view.position.s[count - 2];
    for (int k = 0; k < 3; k++) /* the last one is pulled away by half its length */
      t.position[3 * (count - 1) + k] += 0.5 * (t.position[3 * (count - 1) + k] - t.position[3 * (count - 2) + k]);
    assert_true(wy_judge_chords(&t.judged, &finding));
    check_close(finding.value, 0.5, 0.01);
    assert_true(finding.severity == WY_WRONG || strcmp(settling[i], "mixed") == 0);
    check_close(finding.where, t.view.position.s[count - 1] - 0.5 * h, 1e-12);
    free_sim(&t.made);
  }
}

static void neighbours_must_not_be_half_a_turn_apart(void **state) {
  (void)state;
  tampered t;
  wy_finding finding = {0};
  settle(&t, "staggered");
  assert_false(wy_judge_kinks(&t.judged, &finding));
  double *q = t.frame + 4 * 7, turned[4] = {-q[1], q[0], q[3], -q[2]}; /* q times half a turn about d1 */
  memcpy(q, turned, sizeof turned);
  assert_true(wy_judge_kinks(&t.judged, &finding));
  check_above(finding.value, 3);
  check_above(finding.where, 0.3);
  check_below(finding.where, 0.45);
  free_sim(&t.made);
}

/* The clamp of the cantilever carries its weight and its moment. What is missing of either shows: a thousandth where
   the scheme balances on any grid, a quarter where it balances in the limit only. */
static void loads_and_reactions_must_add_up(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    const bool exact = strcmp(settling[i], "box") != 0;
    tampered t;
    wy_finding finding = {0};
    settle(&t, settling[i]);
    assert_int_equal(t.judged.scheme->balances_forces, exact);
    const wy_view whole = t.view;
    static const double missing[] = {1e-7, 2e-5, 2e-3, 0.25, 1.75};
    static const wy_severity want[2][5] = {{WY_FINE, WY_FINE, WY_FINE, WY_WARNING, WY_WARNING},
                                           {WY_FINE, WY_WARNING, WY_WRONG, WY_WRONG, WY_WRONG}};
    for (int k = 0; k < 5; k++) { /* of a weight, over the weight and what carries it */
      t.view.ends[0].reaction_force[2] = (1 - missing[k]) * whole.ends[0].reaction_force[2];
      finding.severity = WY_FINE;
      assert_int_equal(wy_judge_forces(&t.judged, &finding), want[exact][k] != WY_FINE);
      assert_int_equal(finding.severity, want[exact][k]);
      if (finding.severity != WY_FINE && k < 4)
        check_close(finding.value, missing[k] / (2 - missing[k]), exact ? 1e-8 : 1e-2);
    }
    t.view = whole;
    assert_false(wy_judge_forces(&t.judged, &finding));
    t.view.ends[0].reaction_moment[1] *= exact ? 1.01 : -1;
    assert_true(wy_judge_forces(&t.judged, &finding));
    assert_int_equal(finding.severity, exact ? WY_WRONG : WY_WARNING);
    free_sim(&t.made);
  }
}

static void falling(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)t;
  const double *size = context;
  jet[0] = *size * (1 - 0.5 * s);
  jet[1] = wrt == WY_ARC ? -0.5 * *size : 0;
  jet[2] = 0;
}

/* Loads of each kind, and how near to nothing the sum must be. Frames between nodes and loads that vary within a piece
   are known to some digits only, and the judge must know how many. */
typedef struct load_case {
  const char *name;
  wy_load_place place;
  wy_axes axes;
  double force[3], moment[3];
  bool varies, tapers, curved, both;
} load_case;

static const load_case load_cases[] = {
    {.name = "weight"},
    {.name = "weight of a tapered rod", .tapers = true},
    {.name = "weight of a curved rod", .curved = true},
    {.name = "weight of a curved rod that is held twice", .curved = true, .both = true},
    {.name = "force", .place = WY_AT_END, .force = {0.03, 0.05, -0.1}},
    {.name = "turning force", .place = WY_AT_END, .axes = WY_BODY_AXES, .force = {0.03, 0.05, -0.1}},
    {.name = "moment", .place = WY_AT_END, .moment = {0.03, 0.05, 0}},
    {.name = "turning moment", .place = WY_AT_END, .axes = WY_BODY_AXES, .moment = {0.03, 0.05, 0}},
    {.name = "load on the clamp", .place = WY_AT_START, .force = {0, 0, 0.3}, .moment = {0, 0.1, 0}},
    {.name = "force inside", .place = WY_AT_ARC, .force = {0, 0, -0.2}},
    {.name = "moment inside", .place = WY_AT_ARC, .moment = {0.01, 0.05, 0}},
    {.name = "turning inside, held twice",
     .place = WY_AT_ARC,
     .axes = WY_BODY_AXES,
     .force = {0, 0.3, 0},
     .curved = true,
     .both = true},
    {.name = "line", .place = WY_ALONG, .force = {0, 0, -0.3}},
    {.name = "line of moments", .place = WY_ALONG, .moment = {0.03, 0.05, 0}},
    {.name = "turning line", .place = WY_ALONG, .axes = WY_BODY_AXES, .force = {0, 0.1, -0.3}, .moment = {0.03, 0, 0}},
    {.name = "line that varies", .place = WY_ALONG, .force = {0, 0, -0.3}, .varies = true}};

static void settle_case(tampered *out, const wy_solver_def *solver, wy_rod_kind kind, int pieces, const load_case *c) {
  static const double radius = 0.01;
  wy_rod_def rod = cantilever(1, radius, 1e7, 1100, pieces);
  wy_load_def load = wy_default_load_def();
  rod.kind = kind;
  if (c->tapers)
    rod.section.radius = (wy_signal){.evaluate = falling, .context = &radius, .depends_on = WY_ARC};
  if (c->curved)
    rod.shape.curvature[1] = wy_constant(3), rod.shape.curvature[2] = wy_constant(1);
  if (c->both)
    rod.ends[WY_END] = wy_end_clamped();
  load.place = c->place;
  load.axes = c->axes;
  load.from = c->place == WY_ALONG ? 0.23 : c->place == WY_AT_ARC ? 0.637 : 0;
  load.to = c->place == WY_ALONG ? 0.81 : load.from;
  for (int i = 0; i < 3; i++) {
    load.force[i] = wy_constant(c->force[i]), load.moment[i] = wy_constant(c->moment[i]);
    if (c->varies)
      load.force[i] = (wy_signal){.evaluate = falling, .context = &c->force[i], .depends_on = WY_ARC};
  }
  settle_with(out, solver, &rod, &load);
}

static void equilibria_balance_to_the_residual(void **state) {
  (void)state;
  static const wy_rod_kind kinds[] = {WY_COSSERAT, WY_KIRCHHOFF, WY_INEXTENSIBLE};
  enum { SOLVERS = 6 };
  wy_solver_def solvers[SOLVERS];
  for (int i = 0; i < SOLVERS; i++) {
    solvers[i] = wy_default_solver_def();
    solvers[i].scheme = i < 3 ? "staggered" : "mixed";
  }
  solvers[1].staggered.coordinates = WY_ABSOLUTE;
  solvers[2].staggered.curvature_measure = WY_SIN4;
  solvers[4].mixed.order = 1;
  solvers[5].mixed.end_moment = WY_PRINTED_MOMENT;
  for (int i = 0; i < SOLVERS; i++)
    for (int kind = 0; kind < 3; kind++)
      for (size_t k = 0; k < sizeof load_cases / sizeof load_cases[0]; k++) {
        const load_case *c = &load_cases[k];
        tampered t;
        settle_case(&t, &solvers[i], kinds[kind], solvers[i].mixed.order == 1 ? 30 : 10, c);
        const wy_imbalance left = wy_judge_imbalance(&t.judged);
        print_message("%s %d, kind %d, %s: %.1e of forces, %.1e of moments, blur %.1e\n", solvers[i].scheme, i,
                      (int)kinds[kind], c->name, left.force, left.moment, left.blur);
        const bool moments = wy_norm3(c->moment) > 0; /* act through frames, between which they are known less well */
        if (c->axes == WY_SPACE_AXES && !c->varies &&
            !moments) { /* nothing but Newton's residual and the stiffness times 1e-10 */
          assert_true(left.force < 1e-9 && left.moment < 1e-9);
          check_below(left.blur, 1e-6);
        }
        check_at_most(fmax(left.force, left.moment), left.blur + 1e-9);
        free_sim(&t.made);
      }
}

/* ---- Lists ---- */

static void findings_are_sorted_and_counted(void **state) {
  (void)state;
  static const wy_severity given[] = {WY_NOTE, WY_WARNING, WY_WRONG, WY_WARNING, WY_WRONG};
  for (int room = 0; room <= 6; room++) {
    wy_finding list[6] = {{0}};
    wy_judgement found = {.list = list, .room = room};
    for (int i = 0; i < 5; i++) {
      wy_finding one = {.severity = given[i], .value = i};
      wy_judgement_add(&found, &one);
    }
    static const int order[] = {2, 4, 1, 3, 0};
    assert_int_equal(found.count, 5);
    check_close(found.worst.value, 2, 0);
    for (int i = 0; i < room && i < 5; i++)
      check_close(list[i].value, order[i], 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drift_is_the_largest_violation),
                                     cmocka_unit_test(levels_do_not_count),
                                     cmocka_unit_test(a_rod_at_rest_does_not_drift),
                                     cmocka_unit_test(drift_is_doubtful_then_wrong_then_allowed),
                                     cmocka_unit_test(methods_that_conserve_are_held_to_it),
                                     cmocka_unit_test(residuals_under_large_forces_are_no_drift),
                                     cmocka_unit_test(the_balance_survives_a_restart),
                                     cmocka_unit_test(torn_rods_stop_the_run),
                                     cmocka_unit_test(elements_beyond_their_limit_point_are_wrong),
                                     cmocka_unit_test(ends_must_be_where_they_are_held),
                                     cmocka_unit_test(chords_must_not_be_longer_than_the_rod),
                                     cmocka_unit_test(neighbours_must_not_be_half_a_turn_apart),
                                     cmocka_unit_test(loads_and_reactions_must_add_up),
                                     cmocka_unit_test(equilibria_balance_to_the_residual),
                                     cmocka_unit_test(findings_are_sorted_and_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
