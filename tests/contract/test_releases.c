/* SPDX-License-Identifier: MIT */
/* What becomes of the energy when an end is released: the piece of rod between a support and the first mass relaxes at
   once, and what it had stored is dissipated at that instant. So energy(t) - energy(0) = work - dissipated holds
   through every release, for all schemes, models and integrators. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/cases.h"
#include "support/moving.h"
#include "support/uniform.h"

static const double release_time = 0.37;

typedef struct books {
  double start, worst, most; /* energy at the start; largest error of the balance, largest energy or work met */
} books;

static void look(books *b, const test_sim *made) {
  const wy_energy e = wy_sim_energy(made->sim, 0);
  b->worst = fmax(b->worst, fabs(e.total - b->start - e.work + e.dissipated));
  b->most = fmax(b->most, fmax(fmax(e.kinetic, e.elastic), fmax(fabs(e.gravity), fabs(e.work))));
}

/* The error of the balance over a run, relative to the largest energy in it. */
static double balance_error(const test_sim *made, double end, int looks) {
  books b = {.start = wy_sim_energy(made->sim, 0).total};
  for (int i = 1; i <= looks; i++) {
    move_to(made, end * i / looks);
    look(&b, made);
  }
  return b.worst / b.most;
}

/* ---- What is lost ---- */

/* A uniform rod, bent in its own weight: exactly the energy of half a segment with the curvature at the clamp. */
static void the_half_cell_is_dissipated(void **state) {
  (void)state;
  static const double stiffness[6] = {40, 50, 90, 0.05, 0.07, 0.04}, gravity[3] = {0.2, -0.5, -0.6};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int end = 0; end < 2; end++) {
      example e = uniform_rod((wy_rod_kind)kind, 10, 1, stiffness);
      memcpy(e.gravity, gravity, sizeof gravity);
      e.rod.ends[WY_START] = wy_end_free();
      e.rod.ends[end] = wy_end_clamped();
      e.rod.ends[end].release = release_time;
      wy_solver_def solver = wy_default_solver_def();
      solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
      test_sim made = start_moving(&e, &solver);
      move_to(&made, release_time);
      double k[4], want = 0;
      probe(&made, WY_CURVATURE, end ? 1 : 0, k);
      for (int i = 0; i < 3; i++)
        want += 0.5 * 0.05 * stiffness[3 + i] * k[i] * k[i];
      const wy_energy before = wy_sim_energy(made.sim, 0);
      check_close(before.dissipated, 0, 0);
      check_above(want, 0.05 * before.elastic); /* of ten segments the clamp has the largest share */
      step_once(&made);
      const wy_energy after = wy_sim_energy(made.sim, 0);
      check_close(after.dissipated, want, 1e-12 * want);
      check_close(after.total + after.dissipated, before.total, 1e-9); /* one step with this tolerance */
      free_sim(&made);
      free_example(&e);
    }
}

/* A rod of rubber that falls from its clamp, with whatever is the default: it used to lose 1.4e-2 of its energy. */
static void a_falling_rod_keeps_its_books(void **state) {
  (void)state;
  example e = {.rod = wy_default_rod_def(), .gravity = {0, 0, -9.81}};
  e.rod.length = 0.5;
  e.rod.segments = 10;
  e.rod.section.shape = WY_CIRCLE;
  e.rod.section.radius = wy_constant(0.005);
  e.rod.material.given = true;
  e.rod.material.density = wy_constant(1100);
  e.rod.material.young = wy_constant(5e7);
  e.rod.material.poisson = wy_constant(0.5);
  e.rod.ends[WY_START] = wy_end_clamped();
  e.rod.ends[WY_START].release = 0.1;
  const wy_solver_def solver = wy_default_solver_def();
  test_sim made = start_moving(&e, &solver);
  check_close(balance_error(&made, 0.2, 20), 0, 100 * solver.relative_tolerance);
  free_sim(&made);
}

/* ---- Balances ---- */

static void clamp_until_release(example *e) {
  e->rod.ends[WY_START] = wy_end_clamped();
  e->rod.ends[WY_START].release = release_time;
  set_gravity(e);
}

static void damped(example *e) {
  damped_with_drag(e);
  clamp_until_release(e);
}

static void branched(example *e) {
  maxwell_branches(e);
  clamp_until_release(e);
}

static void actuated(example *e) {
  actuators(e);
  clamp_until_release(e);
}

static void driven(example *e) {
  driven_start(e);
  e->rod.ends[WY_START].release = release_time;
}

static void one_after_the_other(example *e) {
  clamp_until_release(e);
  e->rod.ends[WY_END] = wy_end_clamped();
  e->rod.ends[WY_END].release = 0.2;
}

static void loaded_where_released(example *e) {
  clamp_until_release(e);
  swinging(e, add_load(e, WY_AT_START, WY_BODY_AXES, 0, 0), 0.2, 0.3);
  swinging(e, add_load(e, WY_AT_START, WY_SPACE_AXES, 0, 0), 0.1, 0.2);
}

static const named_case cases[] = {
    {"elastic", clamp_until_release}, {"damped", damped}, {"Maxwell branches", branched},
    {"actuators", actuated},          {"driven", driven}, {"both ends", one_after_the_other},
    {"loaded", loaded_where_released}};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Half a unit of time in some hundreds of steps, each of which leaves a hundredth of the tolerance in the balance: what
   is lost at the release, without its entry, is a hundred times this or more. */
static const double balanced = 1e-6;

static void staggered_rods_keep_their_books(void **state) {
  (void)state;
  for (int c = 0; c < CASES; c++)
    for (int form = 0; form < 4; form++) { /* the models, and absolute coordinates */
      example e = plain_case();
      cases[c].build(&e);
      e.rod.kind = form < 3 ? (wy_rod_kind)form : WY_COSSERAT;
      wy_solver_def solver = wy_default_solver_def();
      solver.staggered.coordinates = form < 3 ? WY_NULLSPACE : WY_ABSOLUTE;
      solver.integrator = "radau5";
      solver.relative_tolerance = solver.absolute_tolerance = 1e-8;
      test_sim made = start_moving(&e, &solver);
      const double error = balance_error(&made, 0.5, 20);
      print_message("%s, form %d: %.2e\n", cases[c].name, form, error);
      check_close(error, 0, balanced);
      free_sim(&made);
      free_example(&e);
    }
}

static void all_integrators_keep_their_books(void **state) {
  (void)state;
  for (int m = 0; ode_integrator(m); m++) {
    const char *name = ode_integrator(m);
    example e = plain_case();
    clamp_until_release(&e);
    wy_solver_def solver = wy_default_solver_def();
    solver.integrator = name;
    solver.relative_tolerance = solver.absolute_tolerance = 1e-8;
    const bool fixed = has_fixed_step("staggered", name);
    if (fixed)
      solver.first_step = 1e-3;
    test_sim made = start_moving(&e, &solver);
    const double error = balance_error(&made, 0.5, 20);
    print_message("%s: %.2e\n", name, error);
    /* Methods of low order leave more of each step; a fixed step of order two its square times the square of the
       fastest motion seen, of some 10 / s. */
    check_close(error, 0, fixed ? 1e-4 : 10 * balanced);
    free_sim(&made);
    free_example(&e);
  }
}

/* The schemes without such a piece lose nothing, and book nothing. */
static void others_have_nothing_to_book(void **state) {
  (void)state;
  static const struct { const char *scheme, *integrator; } methods[] = {{"mixed", "auto"}, {"conserving", "gauss4"}};
  for (int m = 0; m < 2; m++) {
    example e = m ? dimensionless_rod(9, 0.1, 0.02) : plain_case();
    clamp_until_release(&e);
    if (m)
      e.gravity[0] = e.gravity[2] = 0, e.gravity[1] = -0.02;
    wy_solver_def solver = wy_default_solver_def();
    solver.scheme = methods[m].scheme, solver.integrator = methods[m].integrator;
    solver.first_step = 0.01;
    solver.newton.tolerance = 1e-13;
    test_sim made = start_moving(&e, &solver);
    check_close(balance_error(&made, 0.5, 20), 0, m ? 1e-7 : 1e-10);
    check_close(wy_sim_energy(made.sim, 0).dissipated, 0, 1e-14);
    free_sim(&made);
    free_example(&e);
  }
}

/* The step after the release lets go of the curvature at the end; whatever it loses is booked. Later steps damp the
   short waves that it sends out, as those of any motion, by the method. */
static void a_box_books_the_step_of_the_release(void **state) {
  (void)state;
  for (int form = 0; form < BOX_FORMS; form++) {
    example e = falling_cantilever(10);
    e.rod.ends[WY_START].release = 0.5;
    wy_solver_def solver = box_solver(0.01);
    set_box_form(&solver, &box_forms[form]);
    test_sim made = start_moving(&e, &solver);
    move_to(&made, 0.5);
    const wy_energy before = wy_sim_energy(made.sim, 0);
    check_close(before.dissipated, 0, 0);
    move_to(&made, 0.51);
    const wy_energy after = wy_sim_energy(made.sim, 0);
    print_message("box form %d: dissipated %.3g of elastic %.3g\n", form, after.dissipated, before.elastic);
    /* Of the transported box the energies are those that its steps balance; with rho = 0 the loss comes in the steps
       that follow. */
    if (box_forms[form].transport && box_forms[form].rho > 0) {
      check_above(after.dissipated, 0.01 * before.elastic);
      check_close(after.total - before.total, after.work - before.work - after.dissipated, 1e-14);
    }
    check_at_least(after.dissipated, 0);
    move_to(&made, 0.7);
    check_close(wy_sim_energy(made.sim, 0).dissipated, after.dissipated, 0);
    free_sim(&made);
    free_example(&e);
  }
}

/* Equilibria lead through a release: when the motion begins there is nothing left to relax, and what the method damps
   in its first step is not booked. */
static void a_box_that_has_settled_after_a_release_relaxes_no_more(void **state) {
  (void)state;
  for (int form = 0; form < BOX_FORMS; form++) {
    example e = falling_cantilever(10);
    e.rod.ends[WY_END] = wy_end_clamped();
    e.rod.ends[WY_END].release = 0.3;
    for (int i = 0; i < 3; i++)
      e.rod.ends[WY_END].position[i] = WY_FREE; /* but it may not turn */
    load_tip(&e, (const double[3]){0, 0.5, 0}, NULL, WY_SPACE_AXES);
    wy_solver_def solver = box_solver(0.1);
    set_box_form(&solver, &box_forms[form]);
    test_sim made = simulate(&e, &solver);
    wy_message message = {0};
    must(wy_sim_settle(made.sim, 0, &message), &message);
    must(wy_sim_follow(made.sim, 0.5, &message), &message);
    must(wy_sim_set_load(made.sim, 0, (const double[3]){0, -0.5, 0}, NULL, &message), &message);
    for (int i = 0; i < 3; i++)
      step_once(&made);
    check_above(wy_sim_energy(made.sim, 0).kinetic, 1e-3);
    check_close(wy_sim_energy(made.sim, 0).dissipated, 0, 0);
    free_sim(&made);
    free_example(&e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_half_cell_is_dissipated),
      cmocka_unit_test(a_falling_rod_keeps_its_books),
      cmocka_unit_test(staggered_rods_keep_their_books),
      cmocka_unit_test(all_integrators_keep_their_books),
      cmocka_unit_test(others_have_nothing_to_book),
      cmocka_unit_test(a_box_books_the_step_of_the_release),
      cmocka_unit_test(a_box_that_has_settled_after_a_release_relaxes_no_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
