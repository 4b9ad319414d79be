/* SPDX-License-Identifier: MIT */
/* `integrator: auto`: estimates of a rod's rates against the true largest eigenvalue, the choice in clear cases, what
   it must not depend on, and what it says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "integrate/choose.h"
#include "support/rods.h"

static const double gravity[3] = {0, 0, -9.81};

static wy_model *make_model(const wy_rod_def *rod, double unit) {
  wy_model *model = NULL;
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  def.rods = rod;
  def.rod_count = 1;
  for (int i = 0; i < 3; i++)
    def.gravity[i] = unit * gravity[i];
  must(wy_model_create(&def, &model, &message), &message);
  return model;
}

static wy_solver_def auto_solver(double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = "auto";
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return solver;
}

static const char *choice_until(double end, const wy_rod_def *rod, const wy_solver_def *solver,
                                char reason[WY_REASON_SIZE]) {
  wy_model *model = make_model(rod, 1);
  const wy_integrator_type *type = wy_integrator_choose(model, 0, solver, end, reason);
  wy_model_destroy(model);
  return type->info->name;
}

/* Without a known end. */
static const char *choice(const wy_rod_def *rod, const wy_solver_def *solver, char reason[WY_REASON_SIZE]) {
  return choice_until((double)INFINITY, rod, solver, reason);
}

/* ---- Rates ---- */

/* |largest eigenvalue| of df/du at the initial state: by how much a vector grows when it is multiplied by J, on the
   geometric mean over many times. A pair of complex eigenvalues, and J that is far from normal, make single factors
   swing by up to 1e4; over 400 of them that is 1e4^(1/400), 2.3 %. */
static double spectral_radius(const test_system *made) {
  enum { WARM_UP = 400, COUNTED = 400 };
  const wy_system *system = made->system;
  const int n = system->size;
  double *u = state_array(made), *v = state_array(made), *x = state_array(made), *f = state_array(made),
         *g = state_array(made), sum = 0;
  system->type->initial(made->system, u);
  random_vector(made, 7, v);
  for (int k = 0; k < WARM_UP + COUNTED; k++) {
    double norm = 0;
    for (int i = 0; i < n; i++)
      norm += v[i] * v[i];
    norm = sqrt(norm);
    sum += k >= WARM_UP ? log(norm) : 0;
    const double e = 1e-7 / norm; /* the best for central differences is about the cube root of round-off, but forces
                                     are nonlinear in quaternions: a smaller one */
    for (int i = 0; i < n; i++)
      x[i] = u[i] + e * v[i];
    made->system->type->rhs(made->system, 0, x, f, NULL);
    for (int i = 0; i < n; i++)
      x[i] = u[i] - e * v[i];
    made->system->type->rhs(made->system, 0, x, g, NULL);
    for (int i = 0; i < n; i++)
      v[i] = system->weight[i] * (f[i] - g[i]) / (2e-7);
  }
  free(u), free(v), free(x), free(f), free(g);
  return exp(sum / COUNTED);
}

static void compare_rates(const char *name, const wy_rod_def *rod, const wy_solver_def *solver, double factor) {
  wy_model_def def = wy_default_model_def();
  def.rods = rod;
  def.rod_count = 1;
  memcpy(def.gravity, gravity, sizeof gravity);
  test_system made = make_explicit_system(&def, solver);
  wy_rates rates;
  wy_scheme_find("staggered")->rates(made.model, 0, solver, &rates);
  double got = fmax(rates.fast, rates.decay), want = spectral_radius(&made);
  if (!(got < factor * want && got > want / factor))
    fail_msg("%s: estimate %.4g (fast %.4g, decay %.4g), largest eigenvalue %.4g, factor %g", name, got, rates.fast,
             rates.decay, want, factor);
  free_system(&made);
}

static const wy_rod_kind kinds[] = {WY_COSSERAT, WY_KIRCHHOFF, WY_INEXTENSIBLE};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Straight rods of equal segments: the estimate is the shortest wave's, exact up to the ends, whose share falls with
   1/N^2, and up to how the iteration above converges: 5 %. */
static void rates_are_the_largest_eigenvalues(void **state) {
  (void)state;
  for (int steel = 0; steel < 2; steel++)
    for (int k = 0; k < KINDS; k++)
      for (int damped = 0; damped < 3; damped++)
        for (int cylinder = 0; cylinder < 2; cylinder++) {
          wy_rod_def rod = steel ? steel_rod(20) : rubber_rod(20);
          wy_solver_def solver = auto_solver(1e-6);
          char name[80];
          rod.kind = kinds[k];
          rod.damping.kind = damped ? WY_DAMPING_TIME : WY_UNDAMPED;
          rod.damping.time = wy_constant(damped == 1 ? 1e-6 : 1e-2);
          solver.staggered.segment_inertia = cylinder ? WY_CYLINDER : WY_DISC;
          snprintf(name, sizeof name, "%s, model %d, damping %d, inertia %d", steel ? "steel" : "rubber", k, damped,
                   cylinder);
          compare_rates(name, &rod, &solver, 1.05);
        }
}

/* Bent, tapered and uneven rods, other dampings, other forms: within a factor of 2. */
static void rates_of_other_rods_are_close(void **state) {
  static const wy_maxwell branches[] = {{0.3, 1e-3}, {0.2, 1e-5}};
  (void)state;
  for (int k = 0; k < KINDS; k++) {
    wy_solver_def solver = auto_solver(1e-6);
    wy_rod_def rich = rich_rod(6), rubber = rubber_rod(20), drag = rubber_rod(20), maxwell = rubber_rod(20);
    rich.kind = rubber.kind = drag.kind = maxwell.kind = kinds[k];
    compare_rates("rich rod", &rich, &solver, 2);
    compare_rates("published damping", &rubber, &solver, 2);
    drag.damping.kind = maxwell.damping.kind = WY_UNDAMPED;
    drag.drag = (wy_drag){2e5, 1e5};
    compare_rates("drag", &drag, &solver, 2);
    maxwell.maxwell = branches;
    maxwell.maxwell_count = 2;
    compare_rates("branches", &maxwell, &solver, 2);
    solver.staggered.coordinates = WY_ABSOLUTE;
    solver.staggered.stabilisation = WY_BAUMGARTE;
    solver.staggered.baumgarte_omega = solver.staggered.baumgarte_r = 100;
    compare_rates("absolute form", &rubber, &solver, 2);
  }
}

/* ---- Choice ---- */

static void expect(const char *what, const wy_rod_def *rod, double tolerance, const char *want) {
  char reason[WY_REASON_SIZE];
  wy_solver_def solver = auto_solver(tolerance);
  const char *got = choice(rod, &solver, reason);
  if (strcmp(got, want) != 0)
    fail_msg("%s at tolerance %g: got %s (%s), want %s", what, tolerance, got, reason, want);
}

/* Where methods differ in work by factors, not by per cent (docs/benchmarks.md). */
static void clear_cases(void **state) {
  (void)state;
  wy_rod_def pendulum = rubber_rod(10), rubber = rubber_rod(10), steel = steel_rod(10), thick = rubber_rod(10);
  pendulum.kind = WY_INEXTENSIBLE;
  pendulum.damping.kind = thick.damping.kind = WY_UNDAMPED;
  thick.section.radius = wy_constant(5e-2);
  expect("undamped inextensible pendulum", &pendulum, 1e-4, "dop853");
  expect("undamped inextensible pendulum", &pendulum, 1e-8, "dop853");
  expect("damped rubber", &rubber, 1e-2, "rodas");
  expect("damped rubber", &rubber, 1e-6, "radau5");
  expect("damped rubber", &rubber, 1e-10, "radau5");
  expect("damped steel", &steel, 1e-2, "rodas");
  expect("damped steel", &steel, 1e-6, "radau5");
  expect("thick undamped rubber", &thick, 1e-2, "rodas");
  expect("thick undamped rubber", &thick, 1e-9, "dop853");
  steel.damping.kind = WY_UNDAMPED;
  expect("undamped steel", &steel, 1e-6, "radau5");
}

static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = sin(t), jet[1] = cos(t), jet[2] = -sin(t);
}

/* With a force at its end. */
static const char *choice_under(const wy_rod_def *rod, wy_signal force, const wy_solver_def *solver) {
  char reason[WY_REASON_SIZE];
  wy_load_def load = wy_default_load_def();
  wy_model_def def = wy_default_model_def();
  wy_model *model = NULL;
  wy_message message = {0};
  load.place = WY_AT_END;
  load.force[0] = force;
  def.rods = rod, def.rod_count = 1;
  def.loads = &load, def.load_count = 1;
  def.gravity[2] = -9.81;
  must(wy_model_create(&def, &model, &message), &message);
  const wy_integrator_type *type = wy_integrator_choose(model, 0, solver, 10, reason);
  wy_model_destroy(model);
  return type->info->name;
}

/* A multistep method has the cheapest steps. It is taken where vibrations are damped and nothing jumps, and the run
   ends: a program that changes a load every millisecond would make it start anew each time. */
static void damped_rods_on_which_nothing_jumps_take_ndf(void **state) {
  (void)state;
  char reason[WY_REASON_SIZE];
  for (int e = 2; e <= 6; e += 2) {
    const wy_solver_def solver = auto_solver(pow(10, -e));
    wy_rod_def rubber = rubber_rod(10), steel = steel_rod(10), driven = rubber_rod(10), light = rubber_rod(10);
    driven.ends[WY_START].position[2] = WY_DRIVEN;
    light.damping.coefficient[2] = wy_constant(0); /* its weight stretches it by 2e-3 */
    if (e == 2)
      light.damping.coefficient[3] = wy_constant(0);
    assert_string_equal(choice_until(10, &rubber, &solver, reason), "ndf");
    assert_non_null(strstr(reason, "steps of about "));
    assert_string_equal(choice_until(10, &steel, &solver, reason), "ndf");
    assert_string_equal(choice_until(10, &driven, &solver, reason), "ndf");
    assert_string_equal(choice_under(&rubber, wy_constant(1), &solver), "ndf");
    assert_string_not_equal(choice_under(&rubber, (wy_signal){0, swing, NULL, WY_TIME}, &solver), "ndf");
    assert_string_not_equal(choice(&rubber, &solver, reason), "ndf");
    assert_string_not_equal(choice_until(10, &light, &solver, reason), "ndf");
    rubber.kind = WY_INEXTENSIBLE;
    assert_string_not_equal(choice_until(10, &rubber, &solver, reason), "ndf");
  }
}

/* A step that is held short for other reasons, as by features of a load, makes the cheapest attempt the best. */
static void a_largest_step_speaks_for_explicit_methods(void **state) {
  (void)state;
  char reason[WY_REASON_SIZE];
  wy_rod_def thick = rubber_rod(10);
  wy_solver_def solver = auto_solver(1e-2);
  thick.damping.kind = WY_UNDAMPED;
  thick.section.radius = wy_constant(5e-2);
  assert_string_equal(choice(&thick, &solver, reason), "rodas");
  solver.largest_step = 1e-4;
  assert_string_equal(choice(&thick, &solver, reason), "dop853");
}

/* ---- What it says ---- */

/* Two steps and the tolerance, nothing cut off; nothing where the user has chosen. */
static void reasons_name_figures(void **state) {
  (void)state;
  char reason[WY_REASON_SIZE];
  for (int damped = 0; damped < 2; damped++) {
    wy_rod_def rod = rubber_rod(10);
    wy_solver_def solver = auto_solver(1e-8);
    rod.damping.kind = damped ? rod.damping.kind : WY_UNDAMPED;
    choice(&rod, &solver, reason);
    const char *about = strstr(reason, "steps of about ");
    if (!about || !(atof(about + strlen("steps of about ")) > 0) || !strstr(reason, "1e-08") ||
        !strstr(reason, damped ? "damping" : "stiffness") || strlen(reason) > WY_REASON_SIZE - 20)
      fail_msg("the reason lacks figures: %s", reason);
    solver.integrator = "radau5";
    assert_string_equal(choice(&rod, &solver, reason), "radau5");
    assert_string_equal(reason, "");
  }
}

static void reason_reaches_the_user(void **state) {
  (void)state;
  char reason[WY_REASON_SIZE];
  wy_rod_def rod = rubber_rod(10);
  wy_solver_def solver = auto_solver(1e-3);
  test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
  wy_sim_info info = wy_sim_describe(made.sim, 0);
  assert_string_equal(info.integrator, choice(&rod, &solver, reason));
  assert_string_equal(info.reason, reason);
  free_sim(&made);
}

/* ---- What it depends on ---- */

static void choice_is_the_same_every_time(void **state) {
  (void)state;
  char reason[WY_REASON_SIZE], again[WY_REASON_SIZE];
  wy_rod_def rod = rubber_rod(10), other = rubber_rod(10);
  wy_solver_def solver = auto_solver(1e-6);
  other.name = "rods of other names are the same rods";
  const char *first = choice(&rod, &solver, reason), *second = choice(&other, &solver, again);
  assert_string_equal(first, second);
  assert_string_equal(reason, again);
}

/* The rubber rod in units that make a metre `length` and a second `time`: mass stays, so that a modulus scales with
   1 / (length time^2). */
static wy_rod_def in_units(double length, double time, bool damped) {
  wy_rod_def rod = rubber_rod(10);
  rod.length *= length;
  rod.section.radius = wy_constant(5e-3 * length);
  rod.material.density = wy_constant(1100 / (length * length * length));
  rod.material.young = wy_constant(5e6 / (length * time * time));
  rod.damping.kind = damped ? WY_DAMPING_TIME : WY_UNDAMPED;
  rod.damping.time = wy_constant(1e-3 * time);
  return rod;
}

static void rates_scale_with_units(void **state) {
  static const double units[][2] = {{1e3, 1}, {1, 1e3}, {1e-3, 60}};
  (void)state;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    for (int damped = 0; damped < 2; damped++) {
      double length = units[i][0], time = units[i][1];
      wy_rod_def si = in_units(1, 1, damped), other = in_units(length, time, damped);
      wy_model *models[2] = {make_model(&si, 1), make_model(&other, length / (time * time))};
      wy_solver_def solver = auto_solver(1e-6);
      char reason[WY_REASON_SIZE];
      wy_rates a, b;
      wy_scheme_find("staggered")->rates(models[0], 0, &solver, &a);
      wy_scheme_find("staggered")->rates(models[1], 0, &solver, &b);
      check_close(b.slow * time, a.slow, 1e-12 * a.slow);
      check_close(b.fast * time, a.fast, 1e-12 * a.fast);
      check_close(b.decay * time, a.decay, 1e-12 * a.decay);
      check_close(b.bending * time, a.bending, 1e-12 * a.bending);
      check_close(b.damping, a.damping, 1e-12 * a.damping);
      for (int e = 2; e < 11; e++)
        assert_string_equal(wy_choose_by_rates(&a, pow(10, -e), 0, reason),
                            wy_choose_by_rates(&b, pow(10, -e), 0, reason));
      wy_model_destroy(models[0]);
      wy_model_destroy(models[1]);
    }
}

/* ---- What is possible ---- */

/* Whatever the rod: a method of the library that goes with the scheme, has no step of the user's to ask for, and moves
   the rod. Another part's method of the same name is not it. */
static void only_what_the_scheme_can_carry(void **state) {
  (void)state;
  const wy_integrator_type *names[4] = {NULL};
  wy_integrator_info rows[3] = {{0}};
  wy_integrator_type strangers[3] = {{0}};
  for (int i = 0; i < 3; i++) {
    static const char *const taken[3] = {"radau5", "rodas", "dop853"};
    rows[i].name = taken[i];
    strangers[i].info = &rows[i];
    names[i] = &strangers[i];
  }
  const wy_integrator_info *const none[] = {NULL};
  const wy_integrators more = {names, none, ""};
  for (int k = 0; k < KINDS; k++)
    for (int damped = 0; damped < 2; damped++)
      for (int e = 2; e <= 10; e += 4) {
        wy_rod_def rod = rubber_rod(10);
        wy_solver_def solver = auto_solver(pow(10, -e));
        char reason[WY_REASON_SIZE];
        rod.kind = kinds[k];
        rod.damping.kind = damped ? rod.damping.kind : WY_UNDAMPED;
        solver.more = &more;
        wy_model *model = make_model(&rod, 1);
        const wy_integrator_type *type = wy_integrator_choose(model, 0, &solver, (double)INFINITY, reason), *own = NULL;
        for (int i = 0; wy_integrator_at(NULL, i); i++)
          own = wy_integrator_at(NULL, i) == type ? type : own;
        assert_non_null(own);
        assert_true(wy_integrator_fits(type, wy_scheme_find("staggered")));
        assert_false(type->info->fixed_step);
        wy_model_destroy(model);
        solver.more = NULL;
        test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
        wy_message message = {0};
        must(wy_sim_advance(made.sim, 0.01, &message), &message);
        free_sim(&made);
      }
}

static void other_schemes_are_as_they_were(void **state) {
  static const char *const want[][2] = {{"conserving", "discrete_gradient"}, {"mixed", "midpoint"}, {"box", "galpha"}};
  (void)state;
  for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
    char reason[WY_REASON_SIZE];
    wy_rod_def rod = rubber_rod(10);
    wy_solver_def solver = auto_solver(1e-6);
    rod.damping.kind = WY_UNDAMPED;
    rod.kind = strcmp(want[i][0], "box") == 0 ? WY_INEXTENSIBLE : WY_COSSERAT;
    solver.scheme = want[i][0];
    assert_string_equal(choice(&rod, &solver, reason), want[i][1]);
    assert_string_equal(reason, wy_scheme_find(want[i][0])->reason);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_the_largest_eigenvalues),
                                     cmocka_unit_test(rates_of_other_rods_are_close),
                                     cmocka_unit_test(clear_cases),
                                     cmocka_unit_test(damped_rods_on_which_nothing_jumps_take_ndf),
                                     cmocka_unit_test(a_largest_step_speaks_for_explicit_methods),
                                     cmocka_unit_test(reasons_name_figures),
                                     cmocka_unit_test(reason_reaches_the_user),
                                     cmocka_unit_test(choice_is_the_same_every_time),
                                     cmocka_unit_test(rates_scale_with_units),
                                     cmocka_unit_test(only_what_the_scheme_can_carry),
                                     cmocka_unit_test(other_schemes_are_as_they_were)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
