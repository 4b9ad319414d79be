/* SPDX-License-Identifier: MIT */
/* Networks of rods without shear (kirchhoff), and without shear and extension (inextensible), against solutions that no
   scheme owns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "sim/sim.h"
#include "support/moving.h"
#include "support/network_scenes.h"

/* Bending about d1 and d2, torsion; extension where the kind has it. */
static wy_rod_def thin_rod(wy_rod_kind kind, double about_d1, double about_d2, double torsion, int segments) {
  const double stiffness[6] = {0, 0, 1e3, about_d1, about_d2, torsion}, inertia[4] = {1, 1e-3, 1e-3, 1e-3};
  wy_rod_def rod = section_of(stiffness, inertia, segments);
  rod.kind = kind;
  return rod;
}

static void settle(test_sim *made) {
  wy_message message = {0};
  must(wy_sim_settle(made->sim, 0, &message), &message);
}

/* ---- Equilibria ---- */

/* A cantilever along x of `pieces` rods welded to each other, with `segments` in all, under a force across. */
static void straight_pieces(test_network *net, wy_rod_kind kind, int pieces, int segments) {
  const wy_rod_def rod = thin_rod(kind, 1, 1, 0.8, segments / pieces);
  begin_network(net);
  for (int i = 0; i < pieces; i++) {
    const double from[3] = {(double)i / pieces, 0, 0}, to[3] = {(double)(i + 1) / pieces, 0, 0};
    add_rod(net, &rod, from, to);
  }
  net->rods[0].ends[WY_START] = wy_end_clamped();
  join_all(net, WY_WELD);
}

static void bent_tip(wy_rod_kind kind, int pieces, int segments, double tip[3]) {
  const wy_solver_def solver = wy_default_solver_def();
  test_network net;
  straight_pieces(&net, kind, pieces, segments);
  add_force(&net, pieces - 1, WY_END, 0, 10, 0);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  settle(&made);
  place_of(&made, pieces - 1, WY_END, tip);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
  free_sim(&made);
}

/* Half cells in series are the inner vertex of one rod. */
static void test_weld(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
    double one[3], two[3], four[3];
    bent_tip((wy_rod_kind)kind, 1, 8, one);
    bent_tip((wy_rod_kind)kind, 2, 8, two);
    bent_tip((wy_rod_kind)kind, 4, 8, four);
    check_below(apart(one, two), 1e-10);
    check_below(apart(one, four), 1e-10);
  }
}

static double elastica_error(int segments, const void *context) {
  const double want[3] = {0.44500440, 0.81060902, 0};
  double tip[3];
  (void)context;
  bent_tip(WY_INEXTENSIBLE, 2, segments, tip);
  return apart(tip, want);
}

static void test_elastica(void **state) {
  (void)state;
  second_order("elastica", elastica_error, NULL, 8, 0.01);
}

/* Straight columns and a straight beam that do not get shorter: k / tan k = -6. */
static double portal_error(int segments, const void *context) {
  static const double corners[4][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  const wy_solver_def solver = wy_default_solver_def();
  const wy_rod_def rod = thin_rod(WY_INEXTENSIBLE, 1, 1e3, 1e3, segments);
  test_network net;
  wy_message message = {0};
  wy_mode_set *modes;
  (void)context;
  begin_network(&net);
  add_rod(&net, &rod, corners[0], corners[1]);
  add_rod(&net, &rod, corners[1], corners[2]);
  add_rod(&net, &rod, corners[3], corners[2]);
  set_d1(&net, 0, 1, 0);
  net.rods[0].ends[WY_START] = net.rods[2].ends[WY_START] = wy_end_clamped();
  join_all(&net, WY_WELD);
  add_force(&net, 0, WY_END, 0, 0, -1);
  add_force(&net, 2, WY_END, 0, 0, -1);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  must(wy_sim_buckling(made.sim, 0, 0, 1, &modes, &message), &message);
  const double factor = modes->factor[0];
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return fabs(factor / 7.379153561 - 1);
}

static void test_portal(void **state) {
  (void)state;
  second_order("portal", portal_error, NULL, 5, 0.06);
}

/* Four curved quarters, pulled apart at two opposite points, one of which is held. */
static double ring_error(int segments, const void *context) {
  static const double stiffness[6] = {0, 0, 0, 1, 1, 0.8}, inertia[4] = {1, 1e-3, 1e-3, 1e-3};
  const double want[2] = {2.44854622, 1.47310814};
  const wy_solver_def solver = wy_default_solver_def();
  double place[4][3];
  test_network net;
  (void)context;
  ring(&net, stiffness, inertia, segments, true);
  for (int i = 0; i < 4; i++)
    net.rods[i].kind = WY_INEXTENSIBLE;
  add_force(&net, 1, WY_END, -5, 0, 0);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  settle(&made);
  for (int i = 0; i < 4; i++)
    place_of(&made, i, WY_START, place[i]);
  free_sim(&made);
  return fmax(fabs(apart(place[0], place[2]) / want[0] - 1), fabs(apart(place[1], place[3]) / want[1] - 1));
}

static void test_ring(void **state) {
  (void)state;
  second_order("ring", ring_error, NULL, 5, 0.03);
}

/* ---- Lee's frame ---- */

static void by_time(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s, (void)wrt;
  const double size = *(const double *)context;
  jet[0] = size * t, jet[1] = size, jet[2] = 0;
}

/* Column and beam, welded at the corner, on pins; the force at a fifth of the beam, in multiples of 1000, is the time
   of its path. */
static test_sim lee(int segments) {
  static const double foot[3] = {0, 0, 0}, corner[3] = {0, 0, 120}, loaded[3] = {24, 0, 120}, end[3] = {120, 0, 120};
  static const double down = -1000;
  wy_rod_def rod = thin_rod(WY_KIRCHHOFF, 1.44e7, 1.44e9, 1.44e9, 5 * segments);
  wy_solver_def solver = wy_default_solver_def();
  test_network net;
  rod.stiffness[2] = wy_constant(4.32e7);
  solver.statics.continuation = WY_ARC_LENGTH;
  begin_network(&net);
  add_rod(&net, &rod, foot, corner);
  rod.segments = segments;
  add_rod(&net, &rod, corner, loaded);
  rod.segments = 4 * segments;
  add_rod(&net, &rod, loaded, end);
  set_d1(&net, 0, 1, 0);
  net.rods[0].ends[WY_START] = net.rods[2].ends[WY_END] = wy_end_pinned();
  join_all(&net, WY_WELD);
  add_force(&net, 1, WY_END, 0, 0, 0);
  net.loads[0].force[2] = (wy_signal){0, by_time, &down, WY_TIME};
  return make_network(&net, &solver, true, INFINITY);
}

/* A point of the path, by its force: before the first limit point, or after the second. */
typedef struct on_path {
  double force, at[2];
} on_path;

static double lee_error(int segments, const void *context) {
  const on_path *want = context;
  wy_message message = {0};
  double place[3];
  test_sim made = lee(segments);
  settle(&made);
  must(wy_sim_follow(made.sim, want->force, &message), &message);
  place_of(&made, 1, WY_END, place);
  free_sim(&made);
  return hypot(place[0] - 24 - want->at[0], place[2] - 120 - want->at[1]) / 120;
}

/* Limit points to 1e-3: errors of second order with 40 segments in the column, 6e-4, and the interpolation. */
static void test_lee(void **state) {
  (void)state;
  static const on_path points[2] = {{14.5815786996104, {7.15499837431978, -24.1505850165516}},
                                    {21.4619079030478, {85.9277741345343, -92.8873426398888}}};
  wy_message message = {0};
  double limits[2];
  second_order("Lee's frame, before the limit", lee_error, &points[0], 2, 0.01);
  second_order("Lee's frame, after it", lee_error, &points[1], 2, 0.05);
  test_sim made = lee(8);
  settle(&made);
  assert_int_equal(limits_on_path(&made, 1, WY_END, 30, 2, limits), 2);
  must(wy_sim_follow(made.sim, 30, &message), &message);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).limit_points, 2);
  check_close(limits[0], 18.5567, 18.5567e-3);
  check_close(limits[1], -9.4144, 18.5567e-3);
  free_sim(&made);
}

/* ---- Motion ---- */

static wy_solver_def solver_of(const char *integrator, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return solver;
}

/* The tip of a cantilever that falls, of one or two rods. */
static void fallen_tip(wy_rod_kind kind, int pieces, int segments, double tip[3]) {
  const wy_solver_def solver = solver_of("radau5", 1e-9);
  wy_message message = {0};
  test_network net;
  straight_pieces(&net, kind, pieces, segments);
  net.model.gravity[2] = -5;
  test_sim made = make_network(&net, &solver, false, INFINITY);
  must(wy_sim_advance(made.sim, 0.5, &message), &message);
  place_of(&made, pieces - 1, WY_END, tip);
  check_below(wy_sim_statistics(made.sim, 0).strain_drift, 1e-12);
  free_sim(&made);
}

/* Two rods that are welded differ from one by the frame between them (N6), by third order. */
static void test_pieces_fall(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
    double off[2];
    for (int k = 0; k < 2; k++) {
      double one[3], two[3];
      fallen_tip((wy_rod_kind)kind, 1, 8 << k, one);
      fallen_tip((wy_rod_kind)kind, 2, 8 << k, two);
      check_below(one[2], -0.2);
      off[k] = apart(one, two);
    }
    print_message("kind %d: one rod and two are %.2e and %.2e apart\n", kind, off[0], off[1]);
    check_below(off[0], 0.01);
    check_below(off[1], off[0] / 6);
  }
}

/* Four straight rods, welded to a square that turns and is bent by a body at one corner. */
static test_sim square(wy_rod_kind kind, double stiffness, const char *integrator, double tolerance) {
  static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, centre[3] = {1.1, 1.1, 0.1};
  static const double v[3] = {0.2, 0.1, -0.3}, om[3] = {1.5, -0.5, 1};
  const double all[6] = {stiffness, stiffness, stiffness, 1, 1.3, 0.8}, inertia[4] = {1, 2e-3, 2e-3, 4e-3};
  const wy_solver_def solver = solver_of(integrator, tolerance);
  wy_rod_def rod = section_of(all, inertia, 6);
  test_network net;
  rod.kind = kind;
  begin_network(&net);
  wy_body_def *body = add_body(&net, 1);
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.05;
  memcpy(body->origin, centre, sizeof centre);
  for (int i = 0; i < 4; i++)
    add_rod(&net, &rod, corners[i], corners[(i + 1) % 4]);
  set_d1(&net, 0, 0, 1);
  for (int i = 0; i < 4; i++) {
    const int weld = add_joint(&net, WY_WELD);
    add_end(&net, weld, i, WY_START), add_end(&net, weld, (i + 3) % 4, WY_END);
    if (i == 2)
      add_port(&net, weld, port_at(&net, 0, corners[2]));
  }
  throw_network(&net, v, om);
  body->velocity[2] += 1;
  return make_network(&net, &solver, false, INFINITY);
}

/* Rods that do not get longer, between hubs that could go apart: no edge is longer than its rod, to round-off, and the
   energy is kept. */
static void test_square(void **state) {
  (void)state;
  static const char *const integrators[] = {"dop853", "radau5"};
  double last[2][3];
  for (int k = 0; k < 2; k++) {
    test_sim made = square(WY_INEXTENSIBLE, 0, integrators[k], 1e-10);
    wy_message message = {0};
    const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
    must(wy_sim_advance(made.sim, 0.5, &message), &message);
    check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start, 1e-8 * start);
    check_below(wy_sim_statistics(made.sim, 0).strain_drift, 1e-12);
    for (int i = 0; i < 4; i++) {
      double ends[2][3];
      place_of(&made, i, WY_START, ends[0]), place_of(&made, i, WY_END, ends[1]);
      check_below(apart(ends[0], ends[1]), 1 + 1e-12);
      check_above(apart(ends[0], ends[1]), 0.8);
    }
    place_of(&made, 0, WY_START, last[k]);
    free_sim(&made);
  }
  check_below(apart(last[0], last[1]), 1e-9); /* errors of the tolerance, and what the motion makes of them */
}

/* Stiffer and stiffer Cosserat rods come close to them. */
static void test_limit(void **state) {
  (void)state;
  double want[3], off[2];
  wy_message message = {0};
  test_sim made = square(WY_INEXTENSIBLE, 0, "radau5", 1e-9);
  must(wy_sim_advance(made.sim, 0.5, &message), &message);
  place_of(&made, 0, WY_START, want);
  free_sim(&made);
  for (int k = 0; k < 2; k++) {
    double got[3];
    made = square(WY_COSSERAT, k ? 4e5 : 1e5, "radau5", 1e-7);
    must(wy_sim_advance(made.sim, 0.5, &message), &message);
    place_of(&made, 0, WY_START, got);
    off[k] = apart(got, want);
    free_sim(&made);
  }
  print_message("limit: %g %g\n", off[0], off[1]);
  check_below(off[0], 1e-3);
  check_below(off[1], 0.3 * off[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_weld),   cmocka_unit_test(test_elastica), cmocka_unit_test(test_portal),
      cmocka_unit_test(test_ring),   cmocka_unit_test(test_lee),      cmocka_unit_test(test_pieces_fall),
      cmocka_unit_test(test_square), cmocka_unit_test(test_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
