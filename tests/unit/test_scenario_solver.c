/* SPDX-License-Identifier: MIT */
/* The key `solver` of scenario files: options land in their places, fixed steps fit the output, and keys without effect
   are found. */
#include "support/scenario.h"

static void a_rod_may_have_its_own_solver(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(
      HEAD ROD "  - name: leg\n    length: 1\n" SECTION MATERIAL
               "    solver: {integrator: dopri5, tolerance: {absolute: 1e-9}, stabilisation: {baumgarte: {omega: 7}},"
               " coordinates: absolute}\n"
               "solver: {integrator: radau5, tolerance: 1e-4, step: 1e-3, curvature: angle, clamp: corrected,"
               " segment_inertia: cylinder}\n");
  const wy_solver_def *all = &scenario->sim.solver, *own = scenario->sim.rod_solvers;
  assert_string_equal(all->integrator, "radau5");
  check_close(all->relative_tolerance, 1e-4, 0);
  check_close(all->absolute_tolerance, 1e-4, 0);
  check_close(all->first_step, 1e-3, 0);
  assert_int_equal(all->staggered.curvature_measure, WY_ANGLE);
  assert_int_equal(all->staggered.segment_inertia, WY_CYLINDER);
  assert_int_equal(all->clamp[WY_START], WY_CLAMP_CORRECTED);
  assert_int_equal(all->clamp[WY_END], WY_CLAMP_CORRECTED);
  assert_string_equal(own[0].integrator, "radau5");
  assert_string_equal(own[1].integrator, "dopri5");
  check_close(own[1].relative_tolerance, 1e-4, 0);
  check_close(own[1].absolute_tolerance, 1e-9, 0);
  assert_int_equal(own[1].staggered.coordinates, WY_ABSOLUTE);
  assert_int_equal(own[1].staggered.stabilisation, WY_BAUMGARTE);
  check_close(own[1].staggered.baumgarte_omega, 7, 0);
  check_close(own[1].staggered.baumgarte_r, 100, 0);
  wy_scenario_destroy(scenario);
}

static void options_of_statics_land_in_their_places(void **state) {
  (void)state;
  const wy_statics_options expected = wy_default_solver_def().statics;
  wy_scenario *scenario = read_text("analysis: modes\n" HEAD ROD "  - name: leg\n    length: 1\n" SECTION MATERIAL
                                    "    solver: {continuation: load stepping, branch: follow}\n"
                                    "solver: {continuation: arc_length, branch: switch, increments: 7, modes: 3,"
                                    " newton: {tolerance: 1e-7, iterations: 9}}\n");
  const wy_statics_options *all = &scenario->sim.solver.statics, *own = &scenario->sim.rod_solvers[1].statics;
  assert_int_equal(expected.continuation, WY_LOAD_STEPPING);
  assert_int_equal(expected.branch, WY_FOLLOW_BRANCH);
  assert_int_equal(expected.increments, 25);
  assert_int_equal(all->continuation, WY_ARC_LENGTH);
  assert_int_equal(all->branch, WY_SWITCH_BRANCH);
  assert_int_equal(all->increments, 7);
  check_close(all->newton_tolerance, 1e-7, 0);
  assert_int_equal(all->newton_iterations, 9);
  assert_int_equal(own->continuation, WY_LOAD_STEPPING);
  assert_int_equal(own->branch, WY_FOLLOW_BRANCH);
  assert_int_equal(own->increments, 7);
  assert_int_equal(scenario->modes, 3);
  wy_scenario_destroy(scenario);
}

static void keys_without_meaning_are_found(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST "solver: {newton: {iterations: 5}, modes: 3, tolerance: 1e-4}\n");
  assert_int_equal(scenario->unused_count, 2);
  assert_string_equal(scenario->unused[0].key, "solver.newton");
  assert_string_equal(scenario->unused[1].key, "solver.modes");
  wy_scenario_destroy(scenario);
  scenario = read_text("analysis: statics\ntime: {end: 2, output: 0.1}\nwithy: 1\nrods:\n" ROD
                       "    initial: {velocity: [0, 0, 1]}\nsolver: {step: 0.1, continuation: arc_length}\n");
  assert_int_equal(scenario->unused_count, 3);
  assert_string_equal(scenario->unused[0].key, "time.output");
  assert_string_equal(scenario->unused[1].key, "solver.step");
  assert_string_equal(scenario->unused[2].key, "rods[].initial");
  wy_scenario_destroy(scenario);
}

static void options_of_mixed_land_in_their_places(void **state) {
  (void)state;
  const wy_solver_def expected = wy_default_solver_def();
  assert_int_equal(expected.mixed.order, 2);
  assert_int_equal(expected.mixed.end_moment, WY_CORRECTED_MOMENT);
  check_close(expected.newton.tolerance, 1e-11, 0);
  assert_int_equal(expected.newton.iterations, 20);
  wy_scenario *scenario = read_text(HEAD ROD "    solver: {scheme: staggered, integrator: auto}\n" LEG
                                             "    solver: {order: 2, newton: {iterations: 30}}\n"
                                             "solver: {scheme: mixed, order: 1, end_moment: printed,"
                                             " integrator: midpoint, step: 0.005, newton: {tolerance: 1e-8}}\n");
  const wy_solver_def *own = scenario->sim.rod_solvers;
  assert_string_equal(own[0].scheme, "staggered");
  assert_string_equal(own[1].scheme, "mixed");
  assert_string_equal(own[1].integrator, "midpoint");
  assert_int_equal(own[1].mixed.order, 2);
  assert_int_equal(own[1].mixed.end_moment, WY_PRINTED_MOMENT);
  check_close(own[1].newton.tolerance, 1e-8, 0);
  assert_int_equal(own[1].newton.iterations, 30);
  check_close(own[1].statics.newton_tolerance, 1e-8, 0);
  assert_int_equal(own[1].statics.newton_iterations, 30);
  check_close(own[1].first_step, 0.005, 0);
  wy_scenario_destroy(scenario);
}

static void options_of_conserving_land_in_their_places(void **state) {
  (void)state;
  assert_int_equal(wy_default_solver_def().conserving.order, 2);
  wy_scenario *scenario = read_text(HEAD ROD LEG "    solver: {order: 2, step: 0.01}\n"
                                                 "solver: {scheme: conserving, order: 4, integrator: gauss4}\n");
  const wy_solver_def *own = scenario->sim.rod_solvers;
  assert_string_equal(own[0].scheme, "conserving");
  assert_string_equal(own[0].integrator, "gauss4");
  assert_int_equal(own[0].conserving.order, 4);
  assert_int_equal(own[1].conserving.order, 2);
  assert_true(scenario->step_chosen[0] && !scenario->step_chosen[1]);
  check_above(own[0].first_step, 0);
  assert_int_equal(scenario->unused_count, 0);
  wy_scenario_destroy(scenario);
  /* One order for two schemes that both have it; a rod of a third one does not mind. */
  scenario = read_text(HEAD ROD "    solver: {scheme: mixed}\n" LEG "    solver: {scheme: staggered}\n"
                                "solver: {scheme: conserving, order: 2}\n");
  assert_int_equal(scenario->sim.rod_solvers[0].mixed.order, 2);
  assert_int_equal(scenario->unused_count, 0);
  wy_scenario_destroy(scenario);
}

static void options_of_box_land_in_their_places(void **state) {
  (void)state;
  const wy_box_options expected = wy_default_solver_def().box;
  check_close(expected.rho_inf, 0.8, 0);
  assert_true(expected.transport && !expected.coefficients_given && expected.force == WY_FORCE_HISTORY);
#define RIGID "    model: inextensible\n"
  wy_scenario *scenario = read_text(HEAD ROD RIGID "    solver: {transport: false, contact_force: stage}\n" LEG RIGID
                                                   "    solver: {rho_inf: 0.5, transport: true}\n"
                                                   "solver: {scheme: box, alpha: -0.5, beta: 0, gamma: 1}\n");
  const wy_solver_def *own = scenario->sim.rod_solvers;
  assert_string_equal(own[0].scheme, "box");
  assert_true(own[0].box.coefficients_given);
  check_close(own[0].box.alpha, -0.5, 0);
  check_close(own[0].box.beta, 0, 0);
  check_close(own[0].box.gamma, 1, 0);
  assert_false(own[0].box.transport);
  assert_int_equal(own[0].box.force, WY_FORCE_STAGE);
  /* Coefficients of the file give way to the rho_inf of a rod. */
  assert_false(own[1].box.coefficients_given);
  check_close(own[1].box.rho_inf, 0.5, 0);
  assert_true(own[1].box.transport);
  assert_int_equal(own[1].box.force, WY_FORCE_HISTORY);
  assert_int_equal(scenario->unused_count, 0);
  wy_scenario_destroy(scenario);
  /* And the other way round. */
  scenario = read_text(HEAD ROD RIGID "    solver: {alpha: 0.3, beta: 0, gamma: 0.7}\n"
                                      "solver: {scheme: box, rho_inf: 1}\n");
  assert_true(scenario->sim.rod_solvers[0].box.coefficients_given);
  wy_scenario_destroy(scenario);
}

/* Reads a scenario with one mixed rod: the keys of `time`, and those of the solver after its scheme. */
static wy_scenario *read_fixed(const char *time, const char *solver) {
  char text[600];
  snprintf(text, sizeof text, "withy: 1\ntime: {%s}\nrods:\n" ROD "solver: {scheme: mixed%s}\n", time, solver);
  return read_text(text);
}

/* To 1e-9 of the output; the step is then made to fit exactly. */
static void fixed_steps_divide_the_output(void **state) {
  (void)state;
  wy_scenario *scenario = read_fixed("end: 1, output: 0.1", ", step: 0.1/3*(1 + 5e-10)");
  assert_true(scenario->sim.rod_solvers[0].first_step == 0.1 / 3);
  assert_false(scenario->step_chosen[0]);
  wy_scenario_destroy(scenario);
  check_refused("withy: 1\ntime: {end: 1, output: 0.1}\nrods:\n" ROD
                "solver: {scheme: mixed, step: 0.1/3*(1 + 2e-9)}\n",
                "time.output: found 0.1, which is no multiple of the fixed step");
  /* Loads that depend on time do not shorten fixed steps. */
  scenario = read_text(SMALLEST "solver: {scheme: mixed, step: 0.01}\nloads: [{at: end, force: [t, 0, 0]}]\n");
  check_close(scenario->sim.rod_solvers[0].largest_step, 0, 0);
  wy_scenario_destroy(scenario);
  /* They matter to motions alone. */
  wy_scenario_destroy(read_text("analysis: quasistatics\n" SMALLEST "solver: {scheme: mixed, step: 0.03}\n"));
}

/* Without `output` the rows are about end/100 apart, where steps end. */
static void rows_follow_a_fixed_step(void **state) {
  (void)state;
  wy_scenario *scenario = read_fixed("end: 4", ", step: 0.016");
  check_close(scenario->output, 0.048, 1e-17);
  check_close(scenario->snapshots, scenario->output, 0);
  wy_scenario_destroy(scenario);
  scenario = read_fixed("end: 4", ", step: 0.5");
  check_close(scenario->output, 0.5, 0);
  wy_scenario_destroy(scenario);
  /* Two rods: 0.06 is the least common multiple of 0.02 and 0.03. */
  scenario = read_text("withy: 1\ntime: {end: 1.2}\nrods:\n" ROD "    solver: {scheme: mixed, step: 0.02}\n" LEG
                       "    solver: {scheme: mixed, step: 0.03}\n");
  check_close(scenario->output, 0.06, 1e-16);
  check_close(scenario->sim.rod_solvers[0].first_step, 0.02, 1e-16);
  check_close(scenario->sim.rod_solvers[1].first_step, 0.03, 1e-16);
  wy_scenario_destroy(scenario);
}

/* The period of slow bending of a free rod, 2 pi (L/4.7300)^2 sqrt(rhoA/EI), is that of radius 0.01: sqrt(rhoA/EI) =
   2 sqrt(rho/E)/r, here 7.107 s. */
static void a_fixed_step_is_chosen(void **state) {
  (void)state;
  static const struct {
    const char *time;
    double step;
  } table[] = {
      {"end: 100, output: 1", 1.0 / 15},             /* at most 0.07107 */
      {"end: 100, output: 0.05", 0.05},              /* at most output */
      {"end: 100, output: 1, frames: 0.75", 0.0625}, /* and divides frames */
      {"end: 100.5, output: 3", 3.0 / 44},           /* and the end: 3/43 does not */
      {"end: 1e9, output: 1e4", 1e9 / 1e6},          /* at most a million steps */
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    wy_scenario *scenario = read_fixed(table[i].time, "");
    assert_true(scenario->step_chosen[0]);
    check_close(scenario->sim.rod_solvers[0].first_step, table[i].step, 1e-15 * table[i].step);
    wy_scenario_destroy(scenario);
  }
}

static void options_of_another_scheme_are_found(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST "solver: {order: 1, coordinates: absolute}\n");
  assert_int_equal(scenario->unused_count, 1);
  check_unused(scenario, 0, "solver.order", "the scheme staggered");
  wy_scenario_destroy(scenario);
  scenario = read_fixed("end: 1", ", tolerance: 1e-4, newton: {iterations: 9}, coordinates: absolute");
  assert_int_equal(scenario->unused_count, 2);
  check_unused(scenario, 0, "solver.tolerance", "dynamics with fixed steps");
  check_unused(scenario, 1, "solver.coordinates", "the scheme mixed");
  wy_scenario_destroy(scenario);
  /* A key of the file counts where it serves any rod; one of a rod must serve this rod. */
  scenario =
      read_text(HEAD ROD "    solver: {scheme: mixed, tolerance: 1e-3}\n" LEG "    solver: {newton: {iterations: 9}}\n"
                         "solver: {tolerance: 1e-4, order: 1, newton: {iterations: 7}}\n");
  assert_int_equal(scenario->unused_count, 2);
  check_unused(scenario, 0, "rods.arm.solver.tolerance", "dynamics with fixed steps");
  check_unused(scenario, 1, "rods.leg.solver.newton", "dynamics with error control");
  wy_scenario_destroy(scenario);
  scenario = read_text(SMALLEST "solver: {rho_inf: 0.5, transport: true, contact_force: stage, integrator: gauss4,"
                                " newton: {iterations: 9}}\n");
  assert_int_equal(scenario->unused_count, 4);
  check_unused(scenario, 0, "solver.newton", "Gauss methods, which always iterate down to round-off");
  check_unused(scenario, 1, "solver.rho_inf", "the scheme staggered");
  check_unused(scenario, 2, "solver.transport", "the scheme staggered");
  check_unused(scenario, 3, "solver.contact_force", "the scheme staggered");
  wy_scenario_destroy(scenario);
  scenario = read_text("withy: 1\nanalysis: statics\nrods:\n" ROD
                       "    model: inextensible\n    solver: {scheme: box, rho_inf: 0.5, transport: false}\n");
  assert_int_equal(scenario->unused_count, 1);
  check_unused(scenario, 0, "rods.arm.solver.rho_inf", "statics");
  wy_scenario_destroy(scenario);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_may_have_its_own_solver),
      cmocka_unit_test(options_of_statics_land_in_their_places),
      cmocka_unit_test(keys_without_meaning_are_found),
      cmocka_unit_test(options_of_mixed_land_in_their_places),
      cmocka_unit_test(options_of_conserving_land_in_their_places),
      cmocka_unit_test(options_of_box_land_in_their_places),
      cmocka_unit_test(fixed_steps_divide_the_output),
      cmocka_unit_test(rows_follow_a_fixed_step),
      cmocka_unit_test(a_fixed_step_is_chosen),
      cmocka_unit_test(options_of_another_scheme_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
