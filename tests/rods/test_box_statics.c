/* SPDX-License-Identifier: MIT */
/* Equilibria, critical loads and vibrations of the box scheme: its discrete equations have closed-form solutions for
   straight rods and circles, other cases have known values (tests/data/box_statics.md), and where an independent
   program has solved the same discrete equations their errors are compared, too.

   labels: slow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "equilibrium/equilibrium.h"
#include "experiments/sobottka_lay_weber/known.h"
#include "sim/sim.h"
#include "support/cases.h"
#include "support/scheme_checks.h"
#include "support/uniform.h"

static const double pi = 3.14159265358979323846;

static wy_solver_def box_solver(bool transport) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "box";
  solver.box.transport = transport;
  return solver;
}

static const char *name_of(bool transport) {
  return transport ? "transported box" : "plain box";
}

static example plain_rod(int cells, double bending, double torsion) {
  return uniform_rod(WY_INEXTENSIBLE, cells, 1, (const double[6]){1, 1, 1, bending, bending, torsion});
}

static double distance(const double a[3], const double b[3]) {
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* The distance of the tip from where it should be. */
static double tip_error(const example *e, const wy_solver_def *solver, const double want[3]) {
  test_sim made = settled(e, solver);
  double tip[4];
  probe(&made, WY_POSITION, e->rod.length > 0 ? e->rod.length : 1, tip);
  free_sim(&made);
  return distance(tip, want);
}

/* ---- Tangent ---- */

/* At any configuration, with loads and motions of ends not in full. The tangent has no foundation of rotations in the
   residual: 1e-9 of the stiffness, which the tolerance of check_tangent_along does not see. */
static void check_exact_tangent(const example *e, const char *name, bool transport) {
  const wy_model_def def = example_model(e);
  const wy_solver_def solver = box_solver(transport);
  test_system made = make_system(&def, &solver);
  check_tangent_shifted(&made, name, 0);
  free_system(&made);
}

static void tangents_are_exact(void **state) {
  (void)state;
  for (int which = 0; which < 64; which++) {
    const bool transport = which & 1, stiffening = which & 2, loaded = which & 4;
    example e = {.rod = rich_rod(6)};
    e.rod.kind = WY_INEXTENSIBLE;
    e.rod.damping = (wy_damping){0};
    if (stiffening)
      e.rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .bending = 0.3};
    if (loaded) {
      rich_loads(e.loads);
      e.load_count = RICH_LOADS;
      e.gravity[0] = 0.3, e.gravity[1] = -0.5, e.gravity[2] = 0.2;
    }
    for (int end = 0; end < 2; end++) {
      static const char holds[8][2] = {{'c', 'f'}, {'f', 'c'}, {'c', 'c'}, {'p', 'd'},
                                       {'d', 'p'}, {'c', 'd'}, {'p', 'c'}, {'d', 'c'}};
      const char how = holds[which / 8][end];
      e.rod.ends[end] = how == 'c'   ? wy_end_clamped()
                        : how == 'p' ? wy_end_pinned()
                        : how == 'd' ? driven_end()
                                     : wy_end_free();
    }
    char name[64];
    snprintf(name, sizeof name, "%s, case %d", name_of(transport), which);
    check_exact_tangent(&e, name, transport);
  }
}

/* ---- Rest under gravity ---- */

static example hanging_rod(int cells) {
  example e = plain_rod(cells, 0.02, 0.02);
  e.gravity[1] = -1;
  return e;
}

static double hanging_error(int cells, const void *context) {
  example e = hanging_rod(cells);
  const wy_solver_def solver = box_solver(*(const bool *)context);
  return tip_error(&e, &solver, wy_slw_rest);
}

/* By shooting. What the error is with plain cells, the experiment compares. */
static void a_rod_hangs_under_its_weight(void **state) {
  (void)state;
  for (int transport = 0; transport < 2; transport++) {
    const bool choice = transport;
    second_order(name_of(choice), hanging_error, &choice, 10, 5e-3);
  }
}

/* A small force at s, between two nodes, bends the tip down by F s^2 (3 L - s) / 6 EI. Moving it by part of a cell of
   h = L / 10 changes that by 4 % and more at each hundredth of L; the scheme's own error is of h^2. */
static void a_force_between_nodes_acts_at_its_place(void **state) {
  (void)state;
  for (int transport = 0; transport < 2; transport++) {
    const double s = 0.43, force = 1e-3;
    example e = plain_rod(10, 1, 1);
    wy_load_def *load = &e.loads[e.load_count++];
    *load = wy_default_load_def();
    load->place = WY_AT_ARC, load->from = s;
    load->force[1] = wy_constant(-force);
    const wy_solver_def solver = box_solver(transport);
    test_sim made = settled(&e, &solver);
    double tip[4], want = -force * s * s * (3 - s) / 6;
    probe(&made, WY_POSITION, 1, tip);
    check_close(tip[1], want, 0.02 * fabs(want));
    free_sim(&made);
  }
}

/* ---- Moments ---- */

/* Curvatures are constant, which both boxes have exactly; the axis is e3 in space, or d1 in the body. */
static void an_end_torque_closes_the_circle(void **state) {
  (void)state;
  static const int cells[3] = {8, 25, 100};
  const double torque = 2 * pi * 0.02, space[3] = {0, 0, torque}, body[3] = {torque, 0, 0}, origin[3] = {0};
  for (int which = 0; which < 12; which++) {
    example e = plain_rod(cells[which % 3], 0.02, 0.03);
    if (which < 6)
      load_tip(&e, NULL, space, WY_SPACE_AXES);
    else
      load_tip(&e, NULL, body, WY_BODY_AXES);
    const wy_solver_def solver = box_solver(which / 3 % 2);
    check_below(tip_error(&e, &solver, origin), 1e-9);
  }
}

/* m = EI k (1 + bending k^2) */
static void a_stiffening_rod_needs_more_torque(void **state) {
  (void)state;
  const double k = 2 * pi, moment[3] = {0, 0, 0.02 * k * (1 + 0.01 * k * k)}, origin[3] = {0};
  for (int transport = 0; transport < 2; transport++) {
    example e = plain_rod(8, 0.02, 0.03);
    e.rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .bending = 0.01};
    load_tip(&e, NULL, moment, WY_SPACE_AXES);
    const wy_solver_def solver = box_solver(transport);
    check_below(tip_error(&e, &solver, origin), 1e-9);
  }
}

/* ---- Columns ---- */

/* k of a wave of exact wave number k along the cells: that of the midpoint rule (B15). */
static double discrete_wave(double k, int cells) {
  return 2 * cells * tan(k / (2 * cells));
}

static example column_rod(int ends, int cells) {
  example e = plain_rod(cells, 1, 1);
  const double force[3] = {-1, 0, 0};
  e.rod.ends[0] = ends == 1 ? wy_end_pinned() : wy_end_clamped();
  e.rod.ends[1] = ends == 0 ? wy_end_free() : ends == 1 ? wy_end_pinned() : wy_end_clamped();
  e.rod.ends[1].position[0] = WY_FREE; /* along the axis */
  load_tip(&e, force, NULL, WY_SPACE_AXES);
  return e;
}

/* The critical load of both boxes is known in closed form; a round column buckles in two planes at once. Factors are
   interpolated from eigenvalues with a relative error of 1e-9 or less. */
static void columns_buckle_at_the_discrete_load(void **state) {
  (void)state;
  static const double wave[3] = {0.5, 1, 2};
  for (int which = 0; which < 24; which++) {
    const bool transport = which & 1;
    const int ends = which / 2 % 3, cells = 5 << which / 6;
    example e = column_rod(ends, cells);
    const wy_solver_def solver = box_solver(transport);
    test_sim made = simulate(&e, &solver);
    wy_message message = {0};
    wy_mode_set *modes = NULL;
    must(wy_sim_buckling(made.sim, 0, 0, 2, &modes, &message), &message);
    assert_int_equal(modes->count, 2);
    const double want = pow(discrete_wave(wave[ends] * pi, cells), 2);
    check_close(modes->factor[0] / want, 1, 1e-8);
    check_close(modes->factor[1] / want, 1, 1e-8);
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
}

typedef struct buckled {
  wy_slw_buckled known;
  bool transport;
} buckled;

static double buckled_error(int cells, const void *context) {
  const buckled *c = context;
  example e = column_rod(0, cells);
  e.loads[0].force[0] = wy_constant(-0.25 * pi * pi * c->known.factor);
  wy_solver_def solver = box_solver(c->transport);
  solver.statics.branch = WY_SWITCH_BRANCH;
  test_sim made = settled(&e, &solver);
  const wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
  assert_int_equal(info.unstable, 0);
  assert_int_equal(info.bifurcations, 1);
  check_close(info.first_bifurcation * c->known.factor, pow(discrete_wave(0.5 * pi, cells) / (0.5 * pi), 2),
              2e-6 * c->known.factor);
  double tip[4];
  probe(&made, WY_POSITION, 1, tip);
  free_sim(&made);
  return hypot(tip[0] - c->known.tip[0], hypot(tip[1], tip[2]) - c->known.tip[1]);
}

/* The elastica. */
static void columns_go_over_to_the_elastica(void **state) {
  (void)state;
  for (int i = 0; i < 2 * WY_SLW_LOADS; i++) {
    const buckled c = {wy_slw_elastica[i / 2], i % 2};
    char name[64];
    snprintf(name, sizeof name, "%s, load %g", name_of(c.transport), c.known.factor);
    second_order(name, buckled_error, &c, 20, 6e-3);
  }
}

/* ---- Coil ---- */

static example coil(int cells) {
  example e = example_of(wy_scene_coil(cells));
  e.load_count = 0;
  return e;
}

static double pulled_error(int cells, const void *context) {
  const wy_slw_pulled *known = context;
  example e = coil(cells);
  const double force[3] = {0, 0, known->force};
  load_tip(&e, force, NULL, WY_SPACE_AXES);
  const wy_solver_def solver = box_solver(true);
  return tip_error(&e, &solver, known->tip);
}

static void a_coil_is_pulled_long(void **state) {
  (void)state;
  for (int i = 0; i < WY_SLW_PULLS; i++)
    second_order("coil", pulled_error, &wy_slw_coil_tip[i], 25, 3e-3);
}

/* Both ends clamped, one moved along the axis: force of its support, and couple of the other one. */
static double driven_error(int cells, const void *context) {
  (void)context;
  example e = coil(cells);
  e.rod.ends[1] = wy_end_clamped();
  e.rod.ends[1].position[2] = WY_DRIVEN;
  e.rod.ends[1].path[2] = example_signal(&e, "sin(0.15) + 0.04483144*t", 1);
  const wy_solver_def solver = box_solver(true);
  test_sim made = settled(&e, &solver);
  wy_message message = {0};
  must(wy_sim_follow(made.sim, 1, &message), &message);
  double force[4], moment[4];
  probe(&made, WY_REACTION_FORCE, 1, force);
  probe(&made, WY_REACTION_MOMENT, 0, moment);
  free_sim(&made);
  free_example(&e);
  /* The reaction at the start has the other sign (known.h). */
  const double of_rod[3] = {-moment[0], -moment[1], -moment[2]};
  return fmax(distance(force, wy_slw_drawn_force) / 3.15e-2, distance(of_rod, wy_slw_drawn_couple) / 1e-3);
}

static void a_driven_coil_pulls_back(void **state) {
  (void)state;
  second_order("force of the driven coil", driven_error, NULL, 50, 0.03);
}

/* ---- Rest and motion ---- */

/* A rod that is curved in space, or clamped at both ends, under its weight, with drag. */
static example damped_rod(bool curved, bool both) {
  example e = plain_rod(10, 0.02, 0.015);
  e.rod.drag = (wy_drag){4, 4};
  e.gravity[1] = -1;
  for (int i = 0; curved && i < 3; i++)
    e.rod.shape.curvature[i] = wy_constant(i == 1 ? 3 : 1 + 0.5 * i);
  if (both)
    e.rod.ends[1] = wy_end_clamped();
  return e;
}

/* Equilibria are those of the moving rod: one that begins there stays, and a damped motion ends there. The slowest
   motion of the curved rod decays like exp(-0.28 t). */
static void motion_ends_in_equilibrium(void **state) {
  (void)state;
  for (int which = 0; which < 6; which++) {
    const bool transport = which & 1, curved = which >= 2, both = which >= 4;
    example e = damped_rod(curved, both);
    wy_solver_def solver = box_solver(transport);
    solver.first_step = 0.05;
    test_sim made = settled(&e, &solver);
    wy_message message = {0};
    double want[4], got[4];
    probe(&made, WY_POSITION, 0.5, want);
    must(wy_sim_advance(made.sim, 1, &message), &message);
    probe(&made, WY_POSITION, 0.5, got);
    check_below(distance(got, want), 1e-12);
    free_sim(&made);
    made = simulate(&e, &solver);
    must(wy_sim_advance(made.sim, 80, &message), &message);
    probe(&made, WY_POSITION, 0.5, got);
    print_message("%s, case %d: motion ends %.2e from the equilibrium\n", name_of(transport), which,
                  distance(got, want));
    check_below(distance(got, want), 1e-8);
    free_sim(&made);
  }
}

/* ---- Straight between held ends ---- */

static test_sim taut(double goal) {
  example e = plain_rod(20, 1, 1);
  e.rod.ends[1] = wy_end_clamped();
  e.rod.ends[1].position[0] = WY_DRIVEN; /* an equilibrium may have its ends anywhere */
  e.rod.ends[1].path[0] = wy_constant(goal);
  wy_solver_def solver = box_solver(true);
  solver.statics.branch = WY_SWITCH_BRANCH;
  return simulate(&e, &solver);
}

static void a_straight_rod_does_not_get_longer(void **state) {
  (void)state;
  wy_message message = {0};
  test_sim made = taut(1.05);
  assert_int_equal(wy_sim_settle(made.sim, 0, &message), WY_ERROR_SOLVER);
  free_sim(&made);
  made = taut(0.95);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  double middle[4];
  probe(&made, WY_POSITION, 0.5, middle);
  /* half a cosine wave of height a shortens by (pi a)^2 / 4 / L, to second order in a */
  check_close(hypot(middle[1], middle[2]), 2 * sqrt(0.05) / pi, 0.01);
  check_above(wy_sim_view(made.sim, 0)->ends[0].reaction_force[0], 30); /* about 4 pi^2 EI / L^2 */
  free_sim(&made);
}

/* ---- Where the tangent is not symmetric ---- */

/* A strip that is bent downwards turns aside at a critical load. */
static example strip(int cells, double load) {
  example e = plain_rod(cells, 1, 1);
  const double force[3] = {0, 0, -load};
  e.rod.stiffness[3] = wy_constant(6);
  e.rod.shape.d1[1] = 1;
  load_tip(&e, force, NULL, WY_SPACE_AXES);
  return e;
}

/* Is the number of directions odd in which the tangent itself is negative? */
static bool has_turned_aside(int cells, double load) {
  example e = strip(cells, load);
  const wy_solver_def solver = box_solver(true);
  test_sim made = settled(&e, &solver);
  const wy_equilibrium *equilibrium = made.sim->groups[0].equilibrium;
  wy_system *system = equilibrium->system;
  const wy_statics_type *type = system->type->statics;
  assert_int_equal(type->tangent(system, 0, equilibrium->config), 0);
  assert_int_equal(type->factor(system, 0), 0);
  const bool odd = type->sign(system) < 0;
  free_sim(&made);
  return odd;
}

static double turning_load(int cells) {
  example e = strip(cells, 1);
  const wy_solver_def solver = box_solver(true);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  must(wy_sim_buckling(made.sim, 0, 0, 1, &modes, &message), &message);
  const double load = modes->factor[0];
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return load;
}

static double turning_error(int cells, const void *context) {
  return fabs(turning_load(cells) / *(const double *)context - 1);
}

/* Critical loads are those of the symmetric part of the tangent, and converge with order 2 to what elements of order 2
   find (mixed, 32 of them). The tangent itself is singular at a load that is larger by a term of order 4. */
static void the_symmetric_part_tells_when_a_bent_rod_buckles(void **state) {
  (void)state;
  const double want = 5.321727699, gap[3] = {5.0e-3, 3.1e-4, 1.9e-5};
  second_order("lateral buckling", turning_error, &want, 10, 0.02);
  for (int i = 0; i < 3; i++) {
    const int cells = 5 << i;
    const double load = turning_load(cells);
    assert_false(has_turned_aside(cells, load + 0.9 * gap[i]));
    assert_true(has_turned_aside(cells, load + 1.1 * gap[i]));
  }
}

/* Under a moment nothing but the sign of the determinant is left. The column has two stiffnesses, 1 and 2, so that it
   buckles in one plane at a time. A twisting moment m P takes some (m/2)^2 P of the load, 1.5e-5. */
static void columns_buckle_under_moments_too(void **state) {
  (void)state;
  const double force[3] = {-1, 0, 0}, moment[3] = {0.005, 0, 0};
  for (int cells = 16; cells <= 17; cells++) {
    example e = plain_rod(cells, 1, 1);
    e.rod.stiffness[4] = wy_constant(2);
    load_tip(&e, force, moment, WY_SPACE_AXES);
    const wy_solver_def solver = box_solver(true);
    test_sim made = simulate(&e, &solver);
    wy_message message = {0};
    wy_mode_set *modes = NULL;
    must(wy_sim_buckling(made.sim, 0, 0, 2, &modes, &message), &message);
    const double critical = pow(discrete_wave(0.5 * pi, cells), 2);
    check_close(modes->factor[0] / critical, 1, 1e-4);
    check_close(modes->factor[1] / critical, 2, 2e-4);
    wy_mode_set_destroy(modes);
    must(wy_sim_settle(made.sim, 0, &message), &message);
    assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, -1);
    assert_int_equal(wy_sim_modes(made.sim, 0, 2, &modes, &message), WY_ERROR_SUPPORT);
    free_sim(&made);
  }
}

/* ---- Vibrations ---- */

/* A straight rod on two supports, one of which slides along it: omega^2 (rho A + rho I k^2) = EI k^4 with the discrete
   wave number; in two planes. */
static void straight_rods_vibrate_at_discrete_frequencies(void **state) {
  (void)state;
  for (int cells = 8; cells <= 9; cells++) {
    example e = column_rod(1, cells);
    e.load_count = 0;
    for (int i = 3; i < 6; i++)
      e.rod.stiffness[i] = wy_constant(i < 5 ? 1 : 10); /* torsion is out of the way */
    e.rod.ends[0].rotation = WY_FREE;
    const wy_solver_def solver = box_solver(true);
    test_sim made = settled(&e, &solver);
    wy_message message = {0};
    wy_mode_set *modes = NULL;
    must(wy_sim_modes(made.sim, 0, 6, &modes, &message), &message);
    for (int i = 0; i < 4; i++) {
      const double k = discrete_wave(i < 2 ? pi : 2 * pi, cells);
      print_message("%d cells: omega %.9g, want %.9g\n", cells, modes->omega[i + 1], k * k / sqrt(1 + 1e-4 * k * k));
      check_close(modes->omega[i + 1] / (k * k / sqrt(1 + 1e-4 * k * k)), 1, 1e-8);
    }
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
}

/* About a bent state: the rod that hangs under its weight, against 160 elements of order 2. */
static double bent_error(int cells, const void *context) {
  const int number = *(const int *)context;
  double omega[2];
  for (int mixed = 0; mixed < 2; mixed++) {
    example e = hanging_rod(mixed ? 160 : cells);
    wy_solver_def solver = mixed ? mixed_solver(2, 0) : box_solver(true);
    test_sim made = settled(&e, &solver);
    wy_message message = {0};
    wy_mode_set *modes = NULL;
    must(wy_sim_modes(made.sim, 0, 5, &modes, &message), &message);
    omega[mixed] = modes->omega[number];
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
  return fabs(omega[0] / omega[1] - 1);
}

/* Bounds: waves of up to one and a half periods along the rod, k h = 3 pi / 20, and (k h)^2 / 6 of omega. */
static void bent_rods_vibrate_as_those_of_other_schemes(void **state) {
  (void)state;
  for (int number = 0; number < 4; number++)
    second_order("frequency about a bent state", bent_error, &number, 20, pow(3 * pi / 20, 2) / 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangents_are_exact),
      cmocka_unit_test(a_rod_hangs_under_its_weight),
      cmocka_unit_test(a_force_between_nodes_acts_at_its_place),
      cmocka_unit_test(an_end_torque_closes_the_circle),
      cmocka_unit_test(a_stiffening_rod_needs_more_torque),
      cmocka_unit_test(columns_buckle_at_the_discrete_load),
      cmocka_unit_test(columns_go_over_to_the_elastica),
      cmocka_unit_test(a_coil_is_pulled_long),
      cmocka_unit_test(a_driven_coil_pulls_back),
      cmocka_unit_test(motion_ends_in_equilibrium),
      cmocka_unit_test(a_straight_rod_does_not_get_longer),
      cmocka_unit_test(the_symmetric_part_tells_when_a_bent_rod_buckles),
      cmocka_unit_test(columns_buckle_under_moments_too),
      cmocka_unit_test(straight_rods_vibrate_at_discrete_frequencies),
      cmocka_unit_test(bent_rods_vibrate_as_those_of_other_schemes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
