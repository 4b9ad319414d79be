/* SPDX-License-Identifier: MIT */
/* What every scheme owes its users, for rods with Maxwell branches in the staggered scheme: linear systems are solved
   with the derivative of the right-hand side, the power balance holds, the undeformed rod rests, padding stays;
   snapshots continue bit for bit, nothing is allocated after creation, and an equilibrium leaves branches that carry
   nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/allocations.h"
#include "support/scheme_checks.h"

static const wy_maxwell branches[3] = {{0.3, 0.08}, {0.2, 5}, {0.25, 4e-3}};

static const char *const kind_names[] = {"cosserat", "kirchhoff", "inextensible"};

typedef struct variant {
  int kind, form, ends, measure, count;
  bool implicit, alone, damped, baumgarte; /* alone: no gravity, loads and drag */
  int actuators;
} variant;

static test_system make_variant(const variant *v, char name[128]) {
  wy_rod_def rod = rich_rod(v->ends % 2 ? 6 : 9);
  rod.kind = (wy_rod_kind)v->kind;
  rod.maxwell = branches, rod.maxwell_count = v->count;
  hold_ends(&rod, v->ends);
  if (!v->damped)
    rod.damping.kind = WY_UNDAMPED;
  if (v->alone)
    rod.drag = (wy_drag){0, 0};
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = (wy_curvature_measure)v->measure;
  solver.staggered.coordinates = (wy_coordinates)v->form;
  if (v->baumgarte)
    solver.staggered.stabilisation = WY_BAUMGARTE, solver.staggered.baumgarte_omega = 3,
    solver.staggered.baumgarte_r = 2;
  snprintf(name, 128, "%s, %s, measure %d, %s, %d branches, %d actuators, %s", kind_names[v->kind],
           end_pair_names[v->ends], v->measure, v->form ? "absolute" : "null space", v->count, v->actuators,
           v->implicit ? "implicit" : "explicit");
  const rich_surroundings with = {.loaded = !v->alone, .implicit = v->implicit, .actuators = v->actuators};
  return make_rich_system(&rod, &with, &solver);
}

typedef void case_check(const test_system *made, const char *name);

/* Rods in motion, for the linear algebra (also with Baumgarte's stabilisation) or for mechanics, and a free rod without
   loads. */
typedef enum purpose { ALGEBRA, MECHANICS, REST } purpose;

/* All kinds, forms, ends and measures with one and three branches; most have Kelvin-Voigt damping and actuators,
   too. */
static void for_all_cases(case_check *check, purpose what, bool implicit) {
  bool alone = what == REST;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++)
      for (int ends = 0; ends < (alone ? 1 : 4); ends++)
        for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++)
          for (int count = 1; count <= 3; count += 2) {
            bool baumgarte = what == ALGEBRA && form == WY_ABSOLUTE && kind == WY_COSSERAT && measure % 2;
            variant v = {kind,      form,
                         ends,      measure,
                         count,     implicit,
                         alone,     (measure + count) % 4 != 1,
                         baumgarte, alone ? 0 : (measure + count / 2) % 3};
            char name[128];
            test_system made = make_variant(&v, name);
            check(&made, name);
            free_system(&made);
          }
}

/* A state near the undeformed one, projected until it meets the constraints; branches are away from both. */
static void some_state(const test_system *made, double t, unsigned seed, double *u) {
  near_state(made, 0.1, t, seed, u);
}

/* Of differences of f: their error is about (5e-4)^4 f^(5) + eps f / 5e-4 times x, below 1e-8 x where f is of order
   1e3. */
static const double difference = 5e-4;

static void check_solve(const test_system *made, const char *name) {
  double *u = state_array(made);
  const double t = 0.3;
  for (unsigned seed = 1; seed < 3; seed++) {
    if (seed % 2)
      some_state(made, t, seed, u);
    else /* off the manifold, where the iterates of Newton's method are */
      disturbed_state(made, 0.05, seed, u);
    check_solves(made, name, t, u, (const unsigned[2]){seed, seed + 9},
                 &(solve_check){.step = difference, .least = 1e-7, .of_solution = 1e-8});
  }
  free(u);
}

static void linear_systems_are_solved_with_the_derivative(void **state) {
  (void)state;
  for_all_cases(check_solve, ALGEBRA, true);
}

/* J x, where the scheme has it. */
static void check_multiply(const test_system *made, const char *name) {
  wy_system *system = made->system;
  if (strncmp(name, "cosserat", 8) != 0)
    return;
  double *u = state_array(made), *x = state_array(made), *got = state_array(made), *want = state_array(made);
  disturbed_state(made, 0.1, 3, u);
  assert_int_equal(system->type->jacobian(system, 0.3, u), WY_OK);
  random_vector(made, 8, x);
  system->type->multiply(system, x, got);
  differentiate(made, 0.3, u, x, difference, want);
  compare_vectors(name, "Jacobian", got, want, system->size, 1e-7);
  free(u), free(x), free(got), free(want);
}

static void the_jacobian_is_the_derivative(void **state) {
  (void)state;
  for_all_cases(check_multiply, ALGEBRA, true);
}

static void check_power(const test_system *made, const char *name) {
  double *u = state_array(made);
  some_state(made, 0.3, 13, u);
  check_power_balance(made, name, 0.3, u, 1e-5);
  free(u);
}

static void power_balances(void **state) {
  (void)state;
  for_all_cases(check_power, MECHANICS, true);
  for_all_cases(check_power, MECHANICS, false);
}

/* Precurved, twisted, tapered, and no stress in any branch; what is not in use stays zero. */
static void check_rest(const test_system *made, const char *name) {
  wy_system *system = made->system;
  double *u = state_array(made), *f = state_array(made);
  check_undeformed_rests(made, name, 2e-13 / 4e-3); /* round-off of strains over the shortest time of a branch */
  disturbed_state(made, 0.1, 29, u);
  system->type->rhs(system, 0.3, u, f, NULL);
  assert_int_equal(system->field_count, 6);
  for (int d = 4; d < 6; d++) {
    const wy_field *field = &system->fields[d];
    assert_true(field->cell_local && field->dae_index == 0);
    for (int i = field->offset; i < field->offset + field->components * field->stride; i++)
      if (system->weight[i] == 0 && f[i] != 0)
        fail_msg("%s: entry %d of %s does not count but moves with %g", name, i, field->name, f[i]);
  }
  free(u), free(f);
}

static void unloaded_rod_rests(void **state) {
  (void)state;
  for_all_cases(check_rest, REST, true);
  for_all_cases(check_rest, REST, false);
}

/* Three numbers a segment and three a vertex for each branch, less what constraints and free ends take. */
static void branches_add_their_strains(void **state) {
  (void)state;
  static const int left[3] = {3, 1, 0};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    int unknowns[2], sizes[2];
    for (int with = 0; with < 2; with++) {
      variant v = {.kind = kind, .ends = 2, .measure = WY_TAN2, .count = with ? 3 : 0, .implicit = true};
      char name[128];
      test_system made = make_variant(&v, name);
      unknowns[with] = made.system->unknowns, sizes[with] = made.system->size;
      assert_int_equal(made.system->field_count, with ? 6 : 4);
      free_system(&made);
    }
    assert_int_equal(unknowns[1] - unknowns[0], 3 * (9 * left[kind] + 10 * 3));
    assert_int_equal(sizes[1] - sizes[0], 3 * 6 * wy_padded(10));
  }
}

/* ---- Simulations ---- */

static const double gravity[3] = {0, 0, -9.81};

static test_sim pendulum(int kind, int form, const char *integrator, double tolerance) {
  wy_rod_def rod = rubber_rod(10);
  rod.kind = (wy_rod_kind)kind;
  rod.maxwell = branches, rod.maxwell_count = 3;
  rod.ends[0] = wy_end_clamped();
  rod.ends[0].release = 0.06;
  rod.damping.kind = WY_UNDAMPED;
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.staggered.coordinates = (wy_coordinates)form;
  return make_sim(&rod, &load, 1, &solver, gravity);
}

static void nothing_is_allocated_after_creation(void **state) {
  (void)state;
#ifdef COUNTS_ALLOCATIONS
  for (int m = 0; ode_integrator(m); m++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
      for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
        test_sim made = pendulum(kind, form, ode_integrator(m), 1e-4);
        wy_message message;
        long before = allocations;
        must(wy_sim_settle(made.sim, 0, &message), &message);
        for (int i = 0; i < 20; i++)
          must(wy_sim_step(made.sim, &message), &message);
        read_save_and_restore(made.sim);
        assert_int_equal(allocations - before, 0);
        free_sim(&made);
      }
#else
  skip();
#endif
}

/* A snapshot continues bit for bit in another simulation, also in one that stands in equilibrium, where the stiffness
   is another one; over the release of an end. */
static void snapshots_continue_bit_for_bit(void **state) {
  (void)state;
  for (int m = 0; ode_integrator(m); m++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
      for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
        test_sim first = pendulum(kind, form, ode_integrator(m), 1e-4),
                 second = pendulum(kind, form, ode_integrator(m), 1e-4);
        wy_message message;
        must(wy_sim_settle(second.sim, 0, &message), &message);
        must(wy_sim_sample(first.sim, 0.03, &message), &message);
        size_t size = wy_sim_save_size(first.sim);
        void *snapshot = malloc(size);
        must(wy_sim_save(first.sim, snapshot, size, &message), &message);
        must(wy_sim_restore(second.sim, snapshot, size, &message), &message);
        for (int k = 0; k < 4; k++) {
          double t = 0.04 + 0.013 * k;
          must(wy_sim_sample(first.sim, t, &message), &message);
          must(wy_sim_sample(second.sim, t, &message), &message);
          const wy_view *a = wy_sim_view(first.sim, 0), *b = wy_sim_view(second.sim, 0);
          assert_memory_equal(a->position.values, b->position.values, sizeof(double) * 3 * 11);
          assert_memory_equal(a->moment.values, b->moment.values, sizeof(double) * 3 * (size_t)a->moment.count);
          wy_energy e = wy_sim_energy(first.sim, 0), f = wy_sim_energy(second.sim, 0);
          assert_memory_equal(&e, &f, sizeof e);
        }
        free(snapshot);
        free_sim(&first);
        free_sim(&second);
      }
}

/* What the view and the energies show does not change when an equilibrium becomes the start of a motion, and the rod
   stays where it is: forces on it balance to the tolerance of the equilibrium, 1e-10 of the forces at work. */
static void leaving_an_equilibrium_changes_nothing(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
      test_sim made = pendulum(kind, form, "radau5", 1e-8);
      wy_message message;
      double moment[30], force[30];
      must(wy_sim_settle(made.sim, 0, &message), &message);
      const wy_view *view = wy_sim_view(made.sim, 0);
      memcpy(moment, view->moment.values, sizeof moment);
      memcpy(force, view->force.values, sizeof force);
      wy_energy rest = wy_sim_energy(made.sim, 0), moving;
      must(wy_sim_advance(made.sim, 0.05, &message), &message);
      view = wy_sim_view(made.sim, 0);
      moving = wy_sim_energy(made.sim, 0);
      double scale = largest(moment, 30), most = largest(force, 30);
      for (int i = 0; i < 30; i++) {
        check_close(view->moment.values[i], moment[i], 1e-6 * scale);
        check_close(view->force.values[i], force[i], 1e-6 * most);
      }
      check_close(moving.elastic, rest.elastic, 1e-6 * rest.elastic);
      check_close(moving.kinetic, 0, 1e-9 * rest.elastic);
      check_close(moving.dissipated, 0, 1e-9 * rest.elastic);
      free_sim(&made);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear_systems_are_solved_with_the_derivative),
                                     cmocka_unit_test(the_jacobian_is_the_derivative),
                                     cmocka_unit_test(power_balances),
                                     cmocka_unit_test(unloaded_rod_rests),
                                     cmocka_unit_test(branches_add_their_strains),
                                     cmocka_unit_test(nothing_is_allocated_after_creation),
                                     cmocka_unit_test(snapshots_continue_bit_for_bit),
                                     cmocka_unit_test(leaving_an_equilibrium_changes_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
