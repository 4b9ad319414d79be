/* SPDX-License-Identifier: MIT */
/* A fluid around a rod, for all schemes of the registry that carry one and every kind of rod: closed forms, books of
   energy, turned and shifted flows, saved states, and what others say. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scheme/scheme.h"
#include "support/allocations.h"
#include "support/fluid.h"
#include "support/registry.h"
#include "support/sim_checks.h"
#include "withy/method.h"

static const double pi = 3.14159265358979323846, nowhere[3] = {0};
static const wy_flow still = {.value = {0, 0, 0}};

/* Of the plain rod: mass 1.3 per length. */
static wy_fluid fluid_of(wy_flow flow) {
  return (wy_fluid){
      .given = true, .density = 2, .normal = 1.2, .tangential = 0.3, .diameter = wy_constant(0.25), .velocity = flow};
}

static const double across = 0.5 * 2 * 0.25 * 1.2, along = 0.5 * 2 * 3.14159265358979323846 * 0.25 * 0.3;

/* ---- Closed forms ---- */

/* A free rod, level (0) or upright (1), falls from rest: v = v_T tanh(g t / v_T), v_T = sqrt(m g / c); with buoyancy
   the weight is less, and a rod that does not bend loses no energy but to the fluid. */
/* One, or two where there may be added mass. */
static int weights_of(const char *scheme) {
  return wy_scheme_find(scheme)->carries_added_mass ? 2 : 1;
}

/* With added mass a level rod is heavier. */
static void falls_with(const char *scheme, wy_rod_kind kind, const char *name, double added_mass) {
  for (int upright = 0; upright < 2; upright++)
    for (int lifted = 0; lifted < 2; lifted++) {
      const wy_solver_def solver = solver_of(scheme);
      const double t = 1.5, down[3] = {0, 0, -1.5}, displaced = lifted ? 2 * 0.25 * pi * 0.25 * 0.25 : 0;
      const double factor = upright ? along : across, weight = (plain_mass - displaced) * 1.5;
      const double added = upright ? 0 : added_mass * 2 * 0.25 * pi * 0.25 * 0.25, mass = plain_mass + added;
      const double terminal = sqrt(weight / factor), rate = weight / mass / terminal;
      wy_message message = {0};
      wy_rod_def rod = plain_rod(kind);
      rod.fluid = fluid_of(still);
      rod.fluid.buoyancy = lifted;
      rod.fluid.added_mass = added_mass;
      rod.shape.direction[upright ? 2 : 0] = 1;
      test_sim made = moving_sim(&rod, &solver, down);
      const wy_energy before = wy_sim_energy(made.sim, 0);
      must(wy_sim_advance(made.sim, t, &message), &message);
      const wy_momentum after = wy_sim_momentum(made.sim, 0);
      const wy_energy energy = wy_sim_energy(made.sim, 0);
      const double speed = terminal * tanh(rate * t), way = terminal / rate * log(cosh(rate * t));
      print_message("%s, %s%s: %.9g, want %.9g\n", name, upright ? "upright" : "level", lifted ? ", lifted" : "",
                    -after.linear[2] / plain_mass, speed);
      /* The midpoint rule with steps of 0.01: (h rate)^2 / 12 and a little more of the speed. */
      const double tolerance = wy_method_has_fixed_step(&solver) ? 1e-4 * rate * rate * terminal : 1e-7;
      check_close(-after.linear[2] / plain_mass, speed, tolerance);
      check_close(before.gravity - energy.gravity, weight * way, 2 * weight * tolerance);
      /* What the fluid has got: of the work of gravity what is not motion. A fluid at rest does no work. */
      check_close(energy.dissipated, weight * way - 0.5 * mass * speed * speed, 4 * weight * tolerance);
      check_close(energy.work, -0.5 * added * speed * speed, added > 0 ? 1e-7 : 1e-12);
      free_sim(&made);
    }
}

static void falls(const char *scheme, wy_rod_kind kind, const char *name) {
  for (int heavy = 0; heavy < weights_of(scheme); heavy++)
    falls_with(scheme, kind, name, 2.5 * heavy);
}

static void a_rod_falls_to_its_terminal_velocity(void **state) {
  (void)state;
  for_all_fluids(falls);
}

/* A level rod that was pushed: v = v0 / (1 + k v0 t), k = c / m; in a fluid that moves, relative to it. */
static void slows_down(const char *scheme, wy_rod_kind kind, const char *name) {
  for (int moves = 0; moves < 2; moves++) {
    const wy_solver_def solver = solver_of(scheme);
    const double t = 1.2, start = 2, flow = moves ? 0.7 : 0, k = across / plain_mass;
    wy_message message = {0};
    wy_rod_def rod = plain_rod(kind);
    rod.fluid = fluid_of((wy_flow){.value = {0, flow, 0}});
    rod.initial.velocity[1] = wy_constant(start);
    test_sim made = moving_sim(&rod, &solver, nowhere);
    must(wy_sim_advance(made.sim, t, &message), &message);
    const double got = wy_sim_momentum(made.sim, 0).linear[1] / plain_mass;
    const double want = flow + (start - flow) / (1 + k * (start - flow) * t);
    print_message("%s: %.9g, want %.9g\n", name, got, want);
    check_close(got, want, wy_method_has_fixed_step(&solver) ? 1e-4 : 1e-7);
    const wy_energy energy = wy_sim_energy(made.sim, 0);
    /* force times the speed of the fluid is the momentum lost times it */
    check_close(energy.work, flow * plain_mass * (got - start), 1e-6);
    check_close(energy.work - energy.dissipated, 0.5 * plain_mass * (got * got - start * start), 1e-6);
    free_sim(&made);
  }
}

static void a_rod_slows_down_relative_to_the_fluid(void **state) {
  (void)state;
  for_all_fluids(slows_down);
}

/* A rod pinned at its top in wind along x hangs straight at the angle phi to the wind with w cos(phi) = c U^2
   sin(phi)^2; the force at the top is L (w sin(phi) + c_t (U cos(phi))^2) along it. */
static void hangs(const char *scheme, wy_rod_kind kind, const char *name) {
  wy_solver_def solver = solver_of(scheme);
  wy_message message = {0};
  if (!wy_scheme_has_equilibria(scheme))
    return;
  const double speed = 2.2, weight = plain_mass * 1.5, ratio = weight / (across * speed * speed);
  /* c = cos(phi): ratio c = 1 - c^2 */
  const double c = 0.5 * (sqrt(ratio * ratio + 4) - ratio), s = sqrt(1 - c * c);
  const double pull = weight * s + along * speed * speed * c * c, down[3] = {0, 0, -1.5};
  wy_rod_def rod = plain_rod(kind);
  double tip[4], reaction[4];
  rod.fluid = fluid_of((wy_flow){.value = {speed, 0, 0}});
  rod.shape.direction[2] = -1;
  rod.shape.d1[1] = 1;
  rod.ends[WY_START] = wy_end_pinned();
  test_sim made = make_sim(&rod, NULL, 0, &solver, down);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, &message), &message);
  must(wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, reaction, &message), &message);
  print_message("%s: tip (%.9g, %.9g), reaction (%.9g, %.9g)\n", name, tip[0], tip[2], reaction[0], reaction[2]);
  /* straight, whatever it stretches by; Newton's method leaves 1e-10 of the size of forces over stiffness */
  check_close(tip[0] / tip[2], -c / s, 1e-8);
  const double stretch = kind == WY_INEXTENSIBLE ? 0 : 0.5 * pull / plain_extension;
  check_close(hypot(tip[0], tip[2]), 1 + stretch, 1e-8);
  check_close(reaction[0], -pull * c, 1e-8);
  check_close(reaction[2], pull * s, 1e-8);
  free_sim(&made);
}

static void a_line_in_wind_hangs_straight(void **state) {
  (void)state;
  for_all_fluids(hangs);
}

/* A rod as heavy as the fluid, without drag, in a fluid that swings to and fro: it goes with the fluid. Upright to the
   flow U = 0.3 sin(2 t) it has m v' = 0 along itself, and across it (m + added) v' = (displaced + added) dU/dt. */
static void swing(const void *context, const double place[3], double t, double velocity[3], double gradient[9],
                  double rate[3]) {
  (void)context, (void)place;
  memset(gradient, 0, 9 * sizeof *gradient);
  for (int k = 0; k < 3; k++)
    velocity[k] = 0.3 * sin(2 * t), rate[k] = 0.6 * cos(2 * t);
}

static void goes_with(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  const double displaced = 2 * 0.25 * pi * 0.25 * 0.25, t = 0.9;
  wy_message message = {0};
  if (weights_of(scheme) == 1)
    return;
  wy_rod_def rod = plain_rod(kind);
  rod.fluid = fluid_of((wy_flow){.evaluate = swing, .depends_on = WY_TIME});
  rod.fluid.normal = rod.fluid.tangential = 0;
  rod.fluid.added_mass = 1.5;
  test_sim made = moving_sim(&rod, &solver, nowhere);
  must(wy_sim_advance(made.sim, t, &message), &message);
  const wy_momentum got = wy_sim_momentum(made.sim, 0);
  const double want = 2.5 * displaced / (plain_mass + 1.5 * displaced) * 0.3 * sin(2 * t);
  print_message("%s: %.9g, want %.9g\n", name, got.linear[1] / plain_mass, want);
  check_close(got.linear[0], 0, 1e-9);
  check_close(got.linear[1] / plain_mass, want, 1e-7);
  check_close(got.linear[2] / plain_mass, want, 1e-7);
  free_sim(&made);
}

static void an_unsteady_flow_carries_a_rod_along(void **state) {
  (void)state;
  for_all_fluids(goes_with);
}

/* ---- Books, turns, saved states ---- */

/* With added mass in a flow that is steady. */
static test_sim stirred_rod(wy_rod_kind kind, const wy_solver_def *solver, const stirred *flow) {
  wy_rod_def rod = plain_rod(kind);
  double gravity[3];
  const double along_x[3] = {1, 0, 0}, across_y[3] = {0, 1, 0}, down[3] = {0, 0, -1.5};
  wy_mul3(flow->turn, along_x, rod.shape.direction);
  wy_mul3(flow->turn, across_y, rod.shape.d1);
  wy_mul3(flow->turn, down, gravity);
  wy_copy3(flow->shift, rod.shape.origin);
  rod.ends[WY_START] = wy_end_clamped();
  surround(&rod, flow);
  rod.fluid.added_mass = flow->still ? 2.5 : 0;
  return moving_sim(&rod, solver, gravity);
}

/* The flow of another run must live as long as its model. */
static void is_objective_in(const char *scheme, wy_rod_kind kind, const char *name, const stirred *flow) {
  const wy_solver_def solver = solver_of(scheme);
  const double axis[3] = {0.7, -1.1, 0.4};
  stirred other = {.shift = {3, -2, 5}, .still = flow->still};
  double q[4], want[3], largest = 0, moved = 0;
  wy_message message = {0};
  wy_qexp(axis, q);
  wy_qmatrix(q, other.turn);
  test_sim plain = stirred_rod(kind, &solver, flow), turned = stirred_rod(kind, &solver, &other);
  must(wy_sim_advance(plain.sim, 0.6, &message), &message);
  must(wy_sim_advance(turned.sim, 0.6, &message), &message);
  const wy_view *a = wy_sim_view(plain.sim, 0), *b = wy_sim_view(turned.sim, 0);
  for (int i = 0; i < a->position.count; i++) {
    wy_mul3(other.turn, a->position.values + 3 * i, want);
    for (int k = 0; k < 3; k++)
      largest = fmax(largest, fabs(b->position.values[3 * i + k] - want[k] - other.shift[k]));
    moved = fmax(moved, fabs(a->position.values[3 * i + 2]));
  }
  print_message("%s\n", name);
  check_above(moved, 0.02);
  check_close(largest, 0, 1e-7); /* some hundred steps of error control at 1e-9 */
  free_sim(&plain);
  free_sim(&turned);
}

static void is_objective(const char *scheme, wy_rod_kind kind, const char *name) {
  for (int heavy = 0; heavy < weights_of(scheme); heavy++)
    is_objective_in(scheme, kind, name, heavy ? &steady : &stirring);
}

static void a_flow_that_turns_with_the_rod_moves_it_alike(void **state) {
  (void)state;
  for_all_fluids(is_objective);
}

static void keeps_the_books_in(const char *scheme, wy_rod_kind kind, const char *name, const stirred *flow) {
  const wy_solver_def solver = solver_of(scheme);
  wy_message message = {0};
  wy_finding finding = {0};
  int count = 0;
  test_sim made = stirred_rod(kind, &solver, flow);
  must(wy_sim_advance(made.sim, 1, &message), &message);
  must(wy_sim_verify(made.sim, &finding, 1, &count, &message), &message);
  if (wy_sim_verdict(made.sim) > WY_NOTE)
    fail_msg("%s: %s", name, finding.text);
  const wy_energy energy = wy_sim_energy(made.sim, 0);
  print_message("%s: work %.6g, dissipated %.6g\n", name, energy.work, energy.dissipated);
  check_above(energy.dissipated, 0.1); /* there is something to balance */
  free_sim(&made);
}

static void keeps_the_books(const char *scheme, wy_rod_kind kind, const char *name) {
  for (int heavy = 0; heavy < weights_of(scheme); heavy++)
    keeps_the_books_in(scheme, kind, name, heavy ? &steady : &stirring);
}

static void energy_is_balanced(void **state) {
  (void)state;
  for_all_fluids(keeps_the_books);
}

static void push(const test_sim *made) {
  (void)made;
}

static void continues(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  print_message("%s\n", name);
  for (int heavy = 0; heavy < weights_of(scheme); heavy++) {
    const stirred *flow = heavy ? &steady : &stirring;
    test_sim first = stirred_rod(kind, &solver, flow), second = stirred_rod(kind, &solver, flow);
    check_snapshot_continues(&first, &second, push, 3);
  }
}

static void saved_states_continue_bit_for_bit(void **state) {
  (void)state;
  for_all_fluids(continues);
}

static void steps_without_allocation(const char *scheme, wy_rod_kind kind, const char *name) {
#ifdef COUNTS_ALLOCATIONS
  const wy_solver_def solver = solver_of(scheme);
  for (int heavy = 0; heavy < weights_of(scheme); heavy++) {
    test_sim made = stirred_rod(kind, &solver, heavy ? &steady : &stirring);
    const long before = allocations;
    use_everything(&made, push);
    if (allocations != before)
      fail_msg("%s: %ld allocations in steps", name, allocations - before);
    free_sim(&made);
  }
#else
  (void)scheme, (void)kind, (void)name;
#endif
}

static void nothing_is_allocated_in_a_step(void **state) {
  (void)state;
  for_all_fluids(steps_without_allocation);
}

/* ---- Equilibria ---- */

/* What a rod settles to in a steady flow is where its motion starts from, and stays: no velocity, and what the judge
   adds up balances. */
static void settles(const char *scheme, wy_rod_kind kind, const char *name) {
  wy_solver_def solver = solver_of(scheme);
  const double down[3] = {0, 0, -0.3};
  wy_message message = {0};
  wy_finding finding = {0};
  int count = 0;
  if (!wy_scheme_has_equilibria(scheme))
    return;
  wy_rod_def rod = plain_rod(kind);
  rod.ends[WY_START] = wy_end_clamped();
  surround(&rod, &steady);
  rod.fluid.added_mass = weights_of(scheme) > 1 ? 2.5 : 0; /* which an equilibrium does not see */
  test_sim made = make_sim(&rod, NULL, 0, &solver, down);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_verify(made.sim, &finding, 1, &count, &message), &message);
  if (wy_sim_verdict(made.sim) > WY_NOTE)
    fail_msg("%s: %s", name, finding.text);
  double tip[2][4];
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip[0], &message), &message);
  check_above(hypot(tip[0][1], tip[0][2]), 0.01); /* it is bent */
  must(wy_sim_advance(made.sim, 0.5, &message), &message);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip[1], &message), &message);
  print_message("%s: tip (%.6g, %.6g, %.6g)\n", name, tip[0][0], tip[0][1], tip[0][2]);
  for (int k = 0; k < 3; k++)
    check_close(tip[1][k], tip[0][k], 1e-7);
  free_sim(&made);
}

static void an_equilibrium_in_a_steady_flow_stays(void **state) {
  (void)state;
  for_all_fluids(settles);
}

/* ---- Modes ---- */

/* In a fluid at rest the frequencies of bending fall by sqrt(m / (m + added)): the stiffness is the same, and rotary
   inertia of 1e-8 of the mass is all that is not added to. Drag of a fluid at rest does not damp small vibrations. */
static void vibrates(const char *scheme, wy_rod_kind kind, const char *name) {
  wy_solver_def solver = solver_of(scheme);
  const double added = 2.5 * 2 * 0.25 * pi * 0.25 * 0.25;
  double omega[2][4];
  if (!wy_scheme_has_equilibria(scheme) || weights_of(scheme) == 1)
    return;
  for (int heavy = 0; heavy < 2; heavy++) {
    wy_rod_def rod = plain_rod(kind);
    wy_message message = {0};
    wy_mode_set *modes = NULL;
    for (int i = 1; i < 4; i++)
      rod.inertia[i] = wy_constant(1e-8 * plain_mass);
    rod.stiffness[2] = wy_constant(1e5); /* vibrations along the rod are much faster */
    rod.fluid = fluid_of(still);
    rod.fluid.added_mass = heavy ? 2.5 : 0;
    rod.ends[WY_START] = wy_end_clamped();
    test_sim made = make_sim(&rod, NULL, 0, &solver, nowhere);
    must(wy_sim_settle(made.sim, 0, &message), &message);
    must(wy_sim_modes(made.sim, 0, 4, &modes, &message), &message);
    for (int i = 0; i < 4; i++) {
      omega[heavy][i] = modes->omega[i];
      check_close(modes->damping_ratio[i], 0, 1e-12);
    }
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
  print_message("%s: %.9g, in the fluid %.9g\n", name, omega[0][0], omega[1][0]);
  for (int i = 0; i < 4; i++)
    check_close(omega[1][i] / omega[0][i], sqrt(plain_mass / (plain_mass + added)), 1e-6);
}

static void added_mass_lowers_frequencies(void **state) {
  (void)state;
  for_all_fluids(vibrates);
}

/* ---- What is refused ---- */

/* The drag of a current has no potential energy. Without the current both are found. */
static void find_modes_in_a_current(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  (void)name;
  if (!wy_scheme_has_equilibria(scheme))
    return;
  wy_load_def push = wy_default_load_def();
  push.force[0] = wy_constant(-1e-3);
  for (int current = 0; current < 2; current++) {
    const wy_status expected = current ? WY_ERROR_SUPPORT : WY_OK;
    wy_rod_def rod = plain_rod(kind);
    wy_message message = {0};
    wy_mode_set *modes = NULL;
    rod.fluid = fluid_of(still);
    rod.fluid.velocity.value[1] = current ? 1e-3 : 0;
    rod.ends[WY_START] = wy_end_clamped();
    test_sim made = make_sim(&rod, &push, 1, &solver, nowhere);
    must(wy_sim_settle(made.sim, 0, &message), &message);
    assert_int_equal(wy_sim_modes(made.sim, 0, 1, &modes, &message), expected);
    wy_mode_set_destroy(modes);
    assert_int_equal(wy_sim_buckling(made.sim, 0, 0, 1, &modes, &message), expected);
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
}

static void modes_and_buckling_in_a_current_are_refused(void **state) {
  (void)state;
  for_all_fluids(find_modes_in_a_current);
}

static void schemes_without_it_say_so(void **state) {
  (void)state;
  for (int i = 0; wy_scheme_at(i); i++) {
    const wy_scheme *scheme = wy_scheme_at(i);
    const wy_solver_def usual = solver_of(scheme->name);
    const char *cannot = wy_scheme_describe(&usual).cannot;
    assert_true(scheme->carries_fluids == !strstr(cannot, "fluids"));
    assert_true((scheme->carries_fluids && !scheme->carries_added_mass) == (strstr(cannot, "added mass") != NULL));
    for (int kind = 0; kind < ROD_KINDS; kind++) {
      wy_rod_def rod = plain_rod((wy_rod_kind)kind);
      const wy_solver_def solver = solver_of(scheme->name);
      example e = {.rod = rod};
      wy_message message = {0};
      if (wy_method_possible(&solver, rod.kind, NULL))
        continue;
      e.rod.fluid = fluid_of(still);
      wy_status status = creation(&e, &solver, false, &message);
      assert_int_equal(status, scheme->carries_fluids ? WY_OK : WY_ERROR_INPUT);
      assert_string_equal(message.path, scheme->carries_fluids ? "" : "rods[0].fluid");
      e.rod.fluid.added_mass = 1;
      status = creation(&e, &solver, false, &message);
      assert_int_equal(status, scheme->carries_added_mass ? WY_OK : WY_ERROR_INPUT);
      e.rod.fluid.density = 0; /* which is none */
      assert_int_equal(creation(&e, &solver, false, &message), WY_OK);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_falls_to_its_terminal_velocity),
      cmocka_unit_test(a_rod_slows_down_relative_to_the_fluid),
      cmocka_unit_test(a_line_in_wind_hangs_straight),
      cmocka_unit_test(an_unsteady_flow_carries_a_rod_along),
      cmocka_unit_test(a_flow_that_turns_with_the_rod_moves_it_alike),
      cmocka_unit_test(energy_is_balanced),
      cmocka_unit_test(saved_states_continue_bit_for_bit),
      cmocka_unit_test(nothing_is_allocated_in_a_step),
      cmocka_unit_test(an_equilibrium_in_a_steady_flow_stays),
      cmocka_unit_test(added_mass_lowers_frequencies),
      cmocka_unit_test(modes_and_buckling_in_a_current_are_refused),
      cmocka_unit_test(schemes_without_it_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
