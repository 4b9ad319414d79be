/* SPDX-License-Identifier: MIT */
/* The scheme of docs/dev/adding-a-scheme.md keeps the contract: what the page says can be tried. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "integrate/driver.h"
#include "scheme/system.h"
#include "support/chain.h"
#include "support/scheme_checks.h"

/* Precurved, uneven and tapered, in sizes of order 1. */
static wy_rod_def chain_rod(void) {
  wy_rod_def rod = rich_rod(6);
  rod.damping.kind = WY_UNDAMPED;
  return rod;
}

static test_system make_chain(const wy_rod_def *rod, const double gravity[3], wy_factor_needs needs) {
  test_system made = {0};
  wy_message message = {0};
  wy_solver_def solver = wy_default_solver_def();
  wy_model_def def = wy_default_model_def();
  def.rods = rod, def.rod_count = 1;
  memcpy(def.gravity, gravity, sizeof def.gravity);
  must(wy_model_create(&def, &made.model, &message), &message);
  must(chain_scheme.create(made.model, 0, &solver, needs, &made.memory, &made.system, &message), &message);
  assert_int_equal(wy_arena_allocate(&made.memory.saved), 0);
  assert_int_equal(wy_arena_allocate(&made.memory.scratch), 0);
  must(chain_scheme.create(made.model, 0, &solver, needs, &made.memory, &made.system, &message), &message);
  assert_int_equal(made.system->size, chain_scheme.size(made.model, 0, &solver));
  return made;
}

static const wy_factor_needs all = {.real = 1, .complex = 1};
static const double down[3] = {0.3, -0.2, -1.5}, nowhere[3] = {0};

static void linear_algebra(void **state) {
  (void)state;
  for (int pair = 0; pair < END_PAIRS; pair++) {
    wy_rod_def rod = chain_rod();
    hold_ends(&rod, pair);
    test_system made = make_chain(&rod, down, all);
    const int n = made.system->size;
    double *u = state_array(&made), *x = state_array(&made), *got = state_array(&made), *want = state_array(&made);
    near_state(&made, 0.1, 0.3, 5, u);
    random_vector(&made, 9, x);
    /* Springs are 0.15 long and forces of order 100: differences err by step^4/0.15^4 = 2e-13 and round-off/step =
       1e-12 of them. */
    differentiate(&made, 0.3, u, x, 1e-4, want);
    made.system->type->jacobian(made.system, 0.3, u);
    made.system->type->multiply(made.system, x, got);
    compare_vectors(end_pair_names[pair], "J x", got, want, n, 1e-9);
    check_solves(&made, end_pair_names[pair], 0.3, u, (unsigned[]){1, 2}, &(solve_check){.least = 1e-12});
    free(u), free(x), free(got), free(want);
    free_system(&made);
  }
}

static void mechanics(void **state) {
  (void)state;
  wy_rod_def rod = chain_rod();
  test_system made = make_chain(&rod, nowhere, all);
  double *u = state_array(&made);
  check_undeformed_rests(&made, "free", 1e-13);
  free(u), free_system(&made);
  rod.drag = (wy_drag){0, 0};
  made = make_chain(&rod, nowhere, all);
  u = state_array(&made);
  near_state(&made, 0.1, 0, 3, u);
  check_momentum_is_kept(&made, "free", 0, u);
  free(u), free_system(&made);
  rod = chain_rod();
  hold_ends(&rod, END_PAIRS - 1); /* driven */
  made = make_chain(&rod, down, all);
  u = state_array(&made);
  near_state(&made, 0.1, 0.3, 3, u);
  check_power_balance(&made, "driven", 0.3, u, 1e-6);
  free(u), free_system(&made);
}

/* What wy_sim_create does with a system and an integrator, in short. */
static wy_integrator start(test_system *made, wy_memory *memory, const wy_integrator_type *type, double tolerance) {
  wy_integrator moving = {0};
  for (int pass = 0; pass < 2; pass++) {
    moving = (wy_integrator){.type = type,
                             .system = made->system,
                             .relative = tolerance,
                             .absolute = tolerance,
                             .size = made->system->size + WY_LANES};
    moving.now = wy_arena_take(&memory->saved, sizeof *moving.now);
    moving.u = wy_arena_doubles(&memory->saved, (size_t)moving.size);
    type->layout(&moving, memory);
    if (pass == 0) {
      assert_int_equal(wy_arena_allocate(&memory->saved), 0);
      assert_int_equal(wy_arena_allocate(&memory->scratch), 0);
    }
  }
  made->system->type->initial(made->system, moving.u);
  type->start(&moving);
  return moving;
}

/* The tip at the end of a swing, and by how much energy, work and dissipation disagree. */
static void swing(const wy_integrator_type *type, double tolerance, double tip[3], double *balance) {
  wy_rod_def rod = chain_rod();
  wy_message message = {0};
  wy_memory memory = {0};
  wy_energy before, after;
  hold_ends(&rod, END_PAIRS - 1);
  test_system made = make_chain(&rod, down, type->needs);
  wy_integrator moving = start(&made, &memory, type, tolerance);
  wy_system *system = made.system;
  system->type->energy(system, 0, moving.u, &before);
  must(wy_drive_to(&moving, 1, 1, &message), &message);
  system->type->energy(system, 1, moving.u, &after);
  system->type->view(system, 1, moving.u, &system->view);
  const wy_points *points = &system->view.position;
  memcpy(tip, points->values + 3 * (size_t)(points->count - 1), 3 * sizeof *tip);
  const double *integrals = moving.u + system->size;
  *balance = after.kinetic + after.elastic + after.gravity - before.kinetic - before.elastic - before.gravity -
             integrals[WY_WORK_INTEGRAL] + integrals[WY_DISSIPATION_INTEGRAL];
  wy_arena_release(&memory.saved);
  wy_arena_release(&memory.scratch);
  free_system(&made);
}

static void integrators_agree(void **state) {
  (void)state;
  const double tolerance = 1e-9;
  double want[3] = {0}, balance;
  bool first = true;
  for (int i = 0; ode_integrator_at(i); i++) {
    const wy_integrator_type *type = ode_integrator_at(i);
    double tip[3];
    if (type->info->fixed_step || !wy_integrator_fits(type, &chain_scheme))
      continue;
    swing(type, tolerance, tip, &balance);
    if (first)
      memcpy(want, tip, sizeof want);
    first = false;
    /* Global errors of stiff methods are some hundred times the tolerance of a step. */
    for (int c = 0; c < 3; c++)
      if (!(fabs(tip[c] - want[c]) < 1e3 * tolerance))
        fail_msg("%s: tip %d is at %.12g, with %s at %.12g", type->info->name, c, tip[c],
                 ode_integrator_at(0)->info->name, want[c]);
    if (!(fabs(balance) < 1e3 * tolerance))
      fail_msg("%s: energy is off by %g", type->info->name, balance);
  }
  assert_false(first);
}

static void refusals(void **state) {
  (void)state;
  wy_message message = {0};
  assert_int_equal(chain_scheme.supports(WY_KIRCHHOFF, &message), WY_ERROR_SUPPORT);
  wy_rod_def rod = rich_rod(6); /* damped */
  wy_model_def def = wy_default_model_def();
  wy_solver_def solver = wy_default_solver_def();
  wy_model *model;
  wy_memory memory = {0};
  wy_system *system;
  def.rods = &rod, def.rod_count = 1;
  must(wy_model_create(&def, &model, &message), &message);
  assert_int_equal(chain_scheme.create(model, 0, &solver, all, &memory, &system, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "rods[0].damping");
  wy_model_destroy(model);
}

/* A state of more fields than a system has room for is refused once it is made, and nothing is written beyond them. */
static void fields_are_bounded(void **state) {
  (void)state;
  wy_rod_def rod = chain_rod();
  test_system made = make_chain(&rod, nowhere, all);
  wy_system system = *made.system;
  wy_message message = {0};
  while (system.field_count < WY_MAX_FIELDS)
    wy_system_add_field(&system, (wy_field){.name = "more", .components = 1, .stride = 8});
  must(wy_system_check_fields(&system, &message), &message);
  const wy_system full = system;
  for (int i = 1; i <= 2; i++) {
    assert_int_equal(wy_system_add_field(&system, (wy_field){.name = "lost", .components = 1, .stride = 8}),
                     full.size + 8 * (i - 1));
    assert_int_equal(system.field_count, WY_MAX_FIELDS);
    assert_int_equal(system.norm_count, full.norm_count);
    assert_memory_equal(system.rod_fields, full.rod_fields, sizeof full.rod_fields);
    assert_int_equal(wy_system_check_fields(&system, &message), WY_ERROR_SUPPORT);
    assert_non_null(strstr(message.text, i == 1 ? "has 9 fields" : "has 10 fields"));
  }
  free_system(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_algebra), cmocka_unit_test(mechanics),
                                     cmocka_unit_test(integrators_agree), cmocka_unit_test(refusals),
                                     cmocka_unit_test(fields_are_bounded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
