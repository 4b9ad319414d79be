/* SPDX-License-Identifier: MIT */
/* Networks of mixed rods against solutions that no scheme owns (tests/data/network), and what their step conserves. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/moving.h"
#include "support/network_scenes.h"
#include "support/published.h"
#include "support/table.h"

static const double pi = 3.14159265358979323846;

static test_sim mixed_network(test_network *net, int order, bool statics, double step) {
  const wy_solver_def solver = mixed_solver(order, step);
  return make_network(net, &solver, statics, INFINITY);
}

static void settle(const test_sim *made) {
  wy_message message = {0};
  must(wy_sim_settle(made->sim, 0, &message), &message);
}

static void frequencies(test_network *net, int order, int count, double *omega) {
  wy_message message = {0};
  wy_mode_set *modes;
  test_sim made = mixed_network(net, order, true, 0);
  settle(&made);
  must(wy_sim_modes(made.sim, 0, count, &modes, &message), &message);
  assert_int_equal(modes->count, count);
  memcpy(omega, modes->omega, (size_t)count * sizeof *omega);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* ---- Collinear rods ---- */

/* A weld is an inner node: the elements of the pieces are those of the whole, and so is all that they do. */
static void test_weld(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++) {
    double tip[3][3], omega[3][6];
    for (int k = 0; k < 3; k++) {
      test_network net;
      const int pieces = 1 << k;
      pieces_of_cantilever(&net, pieces, 8);
      frequencies(&net, order, 6, omega[k]);
      add_force(&net, pieces - 1, WY_END, 0.5, 1, -3);
      test_sim made = mixed_network(&net, order, true, 0);
      settle(&made);
      place_of(&made, pieces - 1, WY_END, tip[k]);
      free_sim(&made);
    }
    for (int k = 1; k < 3; k++) {
      check_below(apart(tip[k], tip[0]), 1e-10);
      for (int i = 0; i < 6; i++)
        check_close(omega[k][i] / omega[0][i], 1, 1e-9);
    }
  }
}

/* The same in motion, and with constrained strains; pieces that a ball joins to nothing else would fold, welds do not.
 */
static void test_weld_moves(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_KIRCHHOFF; kind++) {
    double tip[2][3];
    for (int pieces = 1; pieces <= 2; pieces++) {
      test_network net;
      wy_message message = {0};
      pieces_of_cantilever(&net, pieces, 8);
      for (int i = 0; i < pieces; i++)
        net.rods[i].kind = (wy_rod_kind)kind;
      net.model.gravity[1] = 1, net.model.gravity[2] = -2;
      test_sim made = mixed_network(&net, 2, false, 0.02);
      must(wy_sim_advance(made.sim, 1, &message), &message);
      place_of(&made, pieces - 1, WY_END, tip[pieces - 1]);
      free_sim(&made);
    }
    check_below(apart(tip[0], tip[1]), 1e-9);
    check_below(tip[0][2], -0.05);
  }
}

/* ---- Known frequencies, equilibria and buckling loads ---- */

/* Errors fall with twice the order of the elements. */
static void converges(const char *name, error_at *error, int first, double bound) {
  for (int order = 1; order <= 2; order++)
    nth_order(name, error, &order, order == 1 ? 4 * first : first, bound, 2 * order);
}

static double frequency_error(test_network *net, int order, const double *want, int count) {
  double got[5], worst = 0;
  frequencies(net, order, count, got);
  for (int i = 0; i < count; i++)
    worst = fmax(worst, fabs(got[i] / want[i] - 1));
  return worst;
}

static double tip_body_error(int elements, const void *order) {
  test_network net;
  tip_body(&net, elements);
  return frequency_error(&net, *(const int *)order, tip_body_omega, 5);
}

static double tree_error(int elements, const void *order) {
  test_network net;
  tree(&net, elements);
  return frequency_error(&net, *(const int *)order, tree_omega, 5);
}

static void test_frequencies(void **state) {
  (void)state;
  converges("tip body", tip_body_error, 2, 0.05);
  converges("tree", tree_error, 2, 0.05);
}

/* In every mode the body moves with the end that it is welded to. */
static void test_body_modes(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  wy_mode_set *rod, *body;
  tip_body(&net, 4);
  test_sim made = mixed_network(&net, 2, true, 0);
  settle(&made);
  must(wy_sim_group_modes(made.sim, 0, 5, &rod, &body, &message), &message);
  for (int i = 0; i < 5; i++) {
    const double *end = rod->displacement + 3 * (i * rod->points + rod->points - 1),
                 *place = body->displacement + 3 * i, *turn = body->rotation + 3 * i, arm[3] = {0.1, 0, 0};
    double want[3];
    wy_cross3(turn, arm, want);
    wy_add3(want, 1, end);
    check_below(apart(place, want), 1e-12);
    check_close(rod->omega[i], body->omega[i], 0);
    check_above(wy_norm3(place) + wy_norm3(turn), 0.01);
  }
  wy_mode_set_destroy(rod), wy_mode_set_destroy(body);
  free_sim(&made);
}

static double frame_error(int elements, const void *order) {
  double worst = 0;
  for (int sign = -1; sign <= 1; sign += 2) {
    test_network net;
    wy_message message = {0};
    wy_mode_set *modes;
    right_angle_frame(&net, elements, sign);
    test_sim made = mixed_network(&net, *(const int *)order, true, 0);
    must(wy_sim_buckling(made.sim, 0, 0, 1, &modes, &message), &message);
    worst = fmax(worst, fabs(modes->factor[0] / (sign > 0 ? 1.08752 : 0.68043) - 1));
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
  return worst;
}

static void test_frame_buckling(void **state) {
  (void)state;
  static const int orders[2] = {1, 2};
  nth_order("frame", frame_error, &orders[0], 4, 0.1, 2);
  check_below(frame_error(8, &orders[1]), 2e-5); /* to the digits of the reference, 1e-5 each */
}

static double pulled_ring_error(int elements, const void *order) {
  static const double stiffness[6] = {1e3, 1e3, 1e3, 1, 1, 0.8}, want[2] = {2.4564002, 1.4731081};
  test_network net;
  ring(&net, stiffness, unit_inertia, elements, true);
  add_force(&net, 1, WY_END, -5, 0, 0);
  test_sim made = mixed_network(&net, *(const int *)order, true, 0);
  double place[4][3];
  settle(&made);
  for (int i = 0; i < 4; i++)
    place_of(&made, i, WY_START, place[i]);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
  free_sim(&made);
  return fmax(fabs(apart(place[0], place[2]) / want[0] - 1), fabs(apart(place[1], place[3]) / want[1] - 1));
}

/* Pushed together instead, the point leaves the line and the plane if it can: two directions. The equilibrium that has
   it on the line is followed all the same. */
static void test_pushed_ring(void **state) {
  (void)state;
  static const double stiffness[6] = {1e3, 1e3, 1e3, 1, 1, 0.8};
  wy_solver_def solver = mixed_solver(2, 0);
  test_network net;
  double place[4][3];
  solver.statics.branch = WY_FOLLOW_BRANCH;
  ring(&net, stiffness, unit_inertia, 8, true);
  add_force(&net, 1, WY_END, 4, 0, 0);
  test_sim made = make_network(&net, &solver, true, INFINITY);
  settle(&made);
  for (int i = 0; i < 4; i++)
    place_of(&made, i, WY_START, place[i]);
  check_close(apart(place[0], place[2]), 1.0950101, 4e-4);
  check_close(apart(place[1], place[3]), 2.5404910, 4e-4);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 2);
  free_sim(&made);
}

static double free_ring_error(int elements, const void *order) {
  static const double stiffness[6] = {1e4, 1e4, 2e4, 1, 1, 0.8}, inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  static const double want[4] = {2.6170982, 2.6823324, 7.4877165, 7.5830203};
  test_network net;
  double got[14], worst = 0;
  ring(&net, stiffness, inertia, elements, false);
  frequencies(&net, *(const int *)order, 14, got);
  for (int i = 0; i < 6; i++)
    check_close(got[i], 0, 1e-4); /* round-off of a rigid body's stiffness, as a frequency */
  for (int i = 0; i < 8; i++)
    worst = fmax(worst, fabs(got[6 + i] / want[i / 2] - 1));
  return worst;
}

static void test_rings(void **state) {
  (void)state;
  converges("ring pulled", pulled_ring_error, 2, 0.05);
  converges("free ring", free_ring_error, 2, 0.05);
}

/* Rods between balls, one hub of which has no frame: each may spin, none bends, and the forces are those of bars. */
static void test_tripod(void **state) {
  (void)state;
  static const double apex[3] = {0, 0, 1};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 4);
  test_network net;
  begin_network(&net);
  for (int i = 0; i < 3; i++) {
    const double foot[3] = {cos(2 * pi * i / 3), sin(2 * pi * i / 3), 0};
    add_rod(&net, &rod, foot, apex);
    const int ball = add_joint(&net, WY_BALL);
    add_end(&net, ball, i, WY_START), add_ground(&net, ball);
  }
  join_all(&net, WY_BALL);
  add_force(&net, 0, WY_END, 0, 0, -3);
  test_sim made = mixed_network(&net, 2, true, 0);
  settle(&made);
  double z = 1, place[3]; /* it sinks until each bar carries a third: N l0 / EA shorter, N z / l = 1 */
  for (int i = 0; i < 100; i++) {
    const double l = sqrt(1 + z * z), force = 2e3 * (1 - l / sqrt(2)), slope = 2e3 * z / (l * sqrt(2));
    z -= (force * z / l - 1) / (force / (l * l * l) - slope * z / l);
  }
  place_of(&made, 1, WY_END, place);
  check_close(place[2], z, 1e-10);
  check_below(hypot(place[0], place[1]), 1e-10);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 0);
  free_sim(&made);
}

static void growing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *force = context;
  (void)s;
  jet[0] = *force * t, jet[1] = wrt == WY_TIME ? *force : 0, jet[2] = 0;
}

/* Loads that grow step by step lead to the equilibrium under all of them. */
static void test_follow(void **state) {
  (void)state;
  static const double force[3] = {0.5, 1, -3};
  double tip[2][3];
  for (int k = 0; k < 2; k++) {
    test_network net;
    wy_message message = {0};
    pieces_of_cantilever(&net, 2, 8);
    add_force(&net, 1, WY_END, 0, 0, 0);
    for (int x = 0; x < 3; x++)
      net.loads[0].force[x] = (wy_signal){0, growing, &force[x], WY_TIME};
    test_sim made = mixed_network(&net, 2, true, 0);
    must(wy_sim_settle(made.sim, k ? 1 : 0, &message), &message);
    for (int i = 1; k == 0 && i <= 4; i++)
      must(wy_sim_follow(made.sim, 0.25 * i, &message), &message);
    place_of(&made, 1, WY_END, tip[k]);
    free_sim(&made);
  }
  check_below(apart(tip[0], tip[1]), 1e-9);
}

/* ---- Motion ---- */

/* Velocities that fit at the joints are those of the motion that begins with them. */
static void check_thrown(const test_sim *made, int rods, const double v[3], const double om[3]) {
  for (int i = 0; i < rods; i++) {
    const wy_view *view = wy_sim_view(made->sim, i);
    for (int k = 0; k < view->position.count; k++) {
      double want[3], spin[3], r[9];
      wy_cross3(om, view->position.values + 3 * k, want);
      wy_add3(want, 1, v);
      check_below(apart(view->velocity.values + 3 * k, want), 1e-12);
      wy_qmatrix(view->frame.values + 4 * k, r);
      wy_tmul3(r, om, spin);
      check_below(apart(view->angular_velocity.values + 3 * k, spin), 1e-12);
    }
  }
}

/* Energy and both momenta of a free flight are kept by every step, up to round-off and what Newton's method leaves. */
static void test_flight(void **state) {
  (void)state;
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  for (int order = 1; order <= 2; order++) {
    test_network net;
    wy_message message = {0};
    flying_network(&net, 4);
    throw_network(&net, v, om);
    wy_solver_def solver = mixed_solver(order, 0.05);
    solver.newton.tolerance = 1e-13;
    test_sim made = make_network(&net, &solver, false, INFINITY);
    const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
    const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
    check_above(start.kinetic, 1);
    check_thrown(&made, net.model.rod_count, v, om);
    for (int i = 1; i <= 60; i++) {
      must(wy_sim_advance(made.sim, 0.05 * i, &message), &message);
      const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
      const wy_momentum now = wy_sim_momentum(made.sim, WY_ALL_RODS);
      check_close(energy.total, start.total, 1e-11 * start.total);
      check_below(apart(now.linear, before.linear), 1e-11 * wy_norm3(before.linear));
      check_below(apart(now.angular, before.angular), 1e-11 * wy_norm3(before.angular));
      double one[3], other[3];
      place_of(&made, 1, WY_END, one), place_of(&made, 2, WY_START, other);
      check_below(apart(one, other), 1e-14);
    }
    check_above(wy_sim_energy(made.sim, WY_ALL_RODS).elastic, 1e-3 * start.total);
    free_sim(&made);
  }
}

/* Work and dissipation of loads, dampers and materials are all that changes the energy, with a body held and not. */
static void test_balance(void **state) {
  (void)state;
  for (int held = 0; held < 2; held++) {
    test_network net;
    wy_message message = {0};
    rich_network(&net, 4);
    if (held)
      net.bodies[0].position[1] = net.bodies[0].rotation = WY_HELD;
    net.springs[0].kind = WY_CABLE;
    wy_solver_def solver = mixed_solver(2, 0.02);
    solver.newton.tolerance = 1e-13;
    test_sim made = make_network(&net, &solver, false, INFINITY);
    const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
    for (int i = 1; i <= 50; i++) {
      must(wy_sim_advance(made.sim, 0.02 * i, &message), &message);
      const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
      check_close(energy.total + energy.dissipated - energy.work, start, 1e-11 * (1 + energy.kinetic));
    }
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    check_above(energy.dissipated, 1e-3);
    check_above(fabs(energy.work), 1e-3);
    free_sim(&made);
  }
}

/* A rod whose one end is driven along a path and turned, then let go, pulls a body and another rod behind it: the work
   of the support is all that changes the energy. */
static void test_driven(void **state) {
  (void)state;
  static const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {1.5, 0.5, 0};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 4);
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_rod(&net, &rod, a, b), add_rod(&net, &rod, b, c);
  net.rods[0].ends[WY_START] = driven_end();
  net.rods[0].ends[WY_START].release = 0.7;
  for (int i = 0; i < 2; i++)
    set_normal(&net.rods[i]);
  wy_body_def *body = add_body(&net, 0.5);
  const double inertia[6] = {0.02, 0.03, 0.04, 0.005, 0, 0}, origin[3] = {1.1, -0.1, 0.2};
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, sizeof origin);
  const int weld = add_joint(&net, WY_WELD), ball = add_joint(&net, WY_BALL);
  add_end(&net, weld, 0, WY_END), add_port(&net, weld, port_at(&net, 0, b));
  add_end(&net, ball, 1, WY_START), add_port(&net, ball, port_at(&net, 0, b));
  wy_solver_def solver = mixed_solver(2, 0.02);
  solver.newton.tolerance = 1e-13;
  test_sim made = make_network(&net, &solver, false, INFINITY);
  double start = NAN, released[3], place[3];
  for (int i = 1; i <= 60; i++) {
    must(wy_sim_advance(made.sim, 0.02 * i, &message), &message);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    const double left = energy.total + energy.dissipated - energy.work;
    if (i > 1)
      check_close(left, start, 1e-10);
    start = i > 1 ? start : left;
    if (i == 35)
      place_of(&made, 0, WY_START, released);
  }
  place_of(&made, 0, WY_START, place);
  check_above(apart(place, released), 0.01);
  check_above(fabs(wy_sim_energy(made.sim, WY_ALL_RODS).work), 1e-2);
  free_sim(&made);
}

/* An inextensible rod under a body on a spring, with its other end free: it hangs as long as it was, and swings with
   all of the energy that it has. */
static void test_inextensible(void **state) {
  (void)state;
  static const double from[3] = {0, 0, 0}, to[3] = {0, 0, -1}, v[3] = {0, 0, 0}, om[3] = {0, 1, 0};
  wy_rod_def rod = section_of(cantilever, unit_inertia, 6);
  rod.kind = WY_INEXTENSIBLE;
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_rod(&net, &rod, from, to);
  set_normal(&net.rods[0]);
  wy_body_def *body = add_body(&net, 1);
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
  const int ball = add_joint(&net, WY_BALL);
  add_end(&net, ball, 0, WY_START), add_port(&net, ball, wy_port_on_body(0, 0, 0, 0));
  net.model.gravity[2] = -1;
  net.springs[0] = wy_default_spring_def();
  net.springs[0].ports[0] = wy_port_on_body(0, 0, 0, 0);
  net.springs[0].ports[1] = wy_port_in_space(0, 0, 1);
  net.springs[0].stiffness = 20, net.springs[0].length = 0.9;
  net.model.spring_count = 1;
  throw_network(&net, v, om);
  wy_solver_def solver = mixed_solver(2, 0.02);
  solver.newton.tolerance = 1e-13;
  test_sim made = make_network(&net, &solver, false, INFINITY);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  for (int i = 1; i <= 50; i++) {
    must(wy_sim_advance(made.sim, 0.02 * i, &message), &message);
    check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start, 1e-11);
  }
  double top[3], tip[3];
  place_of(&made, 0, WY_START, top), place_of(&made, 0, WY_END, tip);
  check_at_most(apart(top, tip), 1 + 1e-9);
  check_above(fabs(tip[0] - top[0]), 0.1);
  free_sim(&made);
}

/* The largest distance of elbow and tip from the table, up to t = 4. */
static double right_angle_error(int steps, const void *context) {
  const table *want = context;
  test_network net;
  wy_message message = {0};
  double worst = 0;
  right_angle(&net, 16);
  test_sim made = mixed_network(&net, 2, false, 1.0 / steps);
  for (int row = 0; row < want->rows && *table_at(want, row, 0) <= 4; row++) {
    double elbow[3], tip[3];
    must(wy_sim_advance(made.sim, *table_at(want, row, 0), &message), &message);
    place_of(&made, 0, WY_END, elbow), place_of(&made, 1, WY_END, tip);
    worst = fmax(worst, fmax(apart(elbow, table_at(want, row, 1)), apart(tip, table_at(want, row, 4))));
  }
  free_sim(&made);
  return worst;
}

/* Steps of second order; the error of the elements, of fourth, does not show yet. */
static void test_right_angle(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/network/right_angle_cantilever.csv", 31);
  second_order("right angle", right_angle_error, &want, 10, 0.05);
  free_table(&want);
}

/* A body with a stiff rod under it, on a spring with a damper: all of the mass moves like one. */
static double spring_error(int steps, const void *context) {
  static const double stiffness[6] = {1e8, 1e8, 1e8, 1e8, 1e8, 1e8}, inertia[4] = {0.5, 0.1, 0.1, 0.1};
  static const double from[3] = {0, 0, 0}, to[3] = {0, 0, -1};
  const wy_rod_def rod = section_of(stiffness, inertia, 2);
  test_network net;
  (void)context;
  begin_network(&net);
  add_rod(&net, &rod, from, to);
  wy_body_def *body = add_body(&net, 1.5);
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
  const int weld = add_joint(&net, WY_WELD);
  add_end(&net, weld, 0, WY_START), add_port(&net, weld, wy_port_on_body(0, 0, 0, 0));
  net.model.gravity[2] = -9.81;
  net.springs[0] = wy_default_spring_def();
  net.springs[0].ports[0] = wy_port_on_body(0, 0, 0, 0);
  net.springs[0].ports[1] = wy_port_in_space(0, 0, 1);
  net.springs[0].stiffness = 50, net.springs[0].length = 0.8, net.springs[0].damping = 1.2;
  net.model.spring_count = 1;
  test_sim made = mixed_network(&net, 2, false, 0.5 / steps);
  wy_message message = {0};
  const double rest = 0.2 - 2 * 9.81 / 50, w = sqrt(25 - 0.09), start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  double worst = 0;
  for (int i = 1; i <= 6; i++) {
    const double t = 0.5 * i, want = rest * (1 - exp(-0.3 * t) * (cos(w * t) + 0.3 / w * sin(w * t)));
    wy_body_state now;
    must(wy_sim_advance(made.sim, t, &message), &message);
    must(wy_sim_body(made.sim, 0, &now, &message), &message);
    worst = fmax(worst, fabs(now.position[2] - want));
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    check_close(energy.total + energy.dissipated - energy.work, start, 1e-8);
  }
  free_sim(&made);
  return worst;
}

static void test_mass_on_spring(void **state) {
  (void)state;
  second_order("mass on spring", spring_error, NULL, 16, 0.05);
}

/* A body that tumbles, alone: largest error of the frame up to t = 1, whose motion is known by Jacobi's functions. */
static double tumbling_error(int steps, const void *context) {
  const table *want = context;
  const double inertia[6] = {0.01, 0.02, 0.03, 0, 0, 0}, omega[3] = {0.02, 8, 0.03};
  test_network net;
  wy_message message = {0};
  double worst = 0;
  begin_network(&net);
  wy_body_def *body = add_body(&net, 1);
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->angular_velocity, omega, sizeof omega);
  body->velocity[1] = 0.3;
  wy_solver_def solver = mixed_solver(2, 1.0 / steps);
  solver.newton.tolerance = 1e-14;
  test_sim made = make_network(&net, &solver, false, INFINITY);
  const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  for (int row = 0; row < want->rows && *table_at(want, row, 0) <= 1; row++) {
    wy_body_state now;
    double turn[4];
    must(wy_sim_advance(made.sim, *table_at(want, row, 0), &message), &message);
    must(wy_sim_body(made.sim, 0, &now, &message), &message);
    wy_qrelative(table_at(want, row, 4), now.frame, turn);
    worst = fmax(worst, 2 * wy_norm3(turn + 1));
    check_close(now.position[1], 0.3 * *table_at(want, row, 0), 1e-12);
  }
  const wy_momentum after = wy_sim_momentum(made.sim, WY_ALL_RODS);
  check_below(apart(after.angular, before.angular), 1e-12 * wy_norm3(before.angular));
  check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start, 1e-12 * start);
  free_sim(&made);
  return worst;
}

static void test_free_body(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/network/free_body.csv", 11);
  second_order("free body", tumbling_error, &want, 100, 0.1);
  free_table(&want);
}

/* A body on a spring, alone, at rest: and what holds another. */
static void test_resting_body(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  for (int i = 0; i < 2; i++) {
    wy_body_def *body = add_body(&net, 2);
    body->name = i ? "held" : "hangs";
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
    body->origin[0] = i;
    for (int k = 0; i && k < 3; k++)
      body->position[k] = WY_HELD;
  }
  net.model.gravity[2] = -9.81;
  net.springs[0] = wy_default_spring_def();
  net.springs[0].ports[0] = wy_port_on_body(0, 0, 0, 0);
  net.springs[0].ports[1] = wy_port_in_space(0, 0, 1);
  net.springs[0].stiffness = 50, net.springs[0].length = 0.8;
  net.model.spring_count = 1;
  test_sim made = mixed_network(&net, 2, true, 0.01);
  wy_body_state now;
  must(wy_sim_body(made.sim, 1, &now, &message), &message);
  check_close(now.reaction_force[2], 2 * 9.81, 1e-9);
  settle(&made);
  must(wy_sim_body(made.sim, 0, &now, &message), &message);
  check_close(now.position[2], 0.2 - 2 * 9.81 / 50, 1e-10);
  must(wy_sim_body(made.sim, 1, &now, &message), &message);
  check_close(now.reaction_force[2], 2 * 9.81, 1e-9);
  free_sim(&made);
}

/* ---- What must not matter, and what must be told ---- */

/* Trunk and two branches under gravity and a force at a tip, in another order, turned in space and elsewhere; the tips
   of the branches, turned back: in equilibrium, and some time after the force has been taken away. */
static void grow(bool reverse, const double turn[4], const double shift[3], double tips[2][2][3]) {
  static const double points[4][3] = {{0, 0, 0}, {0, 0, 1}, {0.6, 0.1, 1.5}, {-0.4, 0.5, 1.6}};
  static const double force[3] = {0.2, -0.1, 0.3}, gravity[3] = {0, 0, -1}, none[3] = {0, 0, 0};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 4);
  double r[9], at[4][3], pull[3];
  test_network net;
  wy_message message = {0};
  wy_qmatrix(turn, r);
  for (int i = 0; i < 4; i++) {
    wy_mul3(r, points[i], at[i]);
    wy_add3(at[i], 1, shift);
  }
  begin_network(&net);
  wy_mul3(r, gravity, net.model.gravity);
  wy_mul3(r, force, pull);
  const int trunk = reverse ? 2 : 0, first = 1, second = reverse ? 0 : 2;
  for (int i = 0; i < 3; i++) {
    const double *to = i == trunk ? at[1] : i == first ? at[2] : at[3];
    add_rod(&net, &rod, i == trunk ? at[0] : at[1], to);
    set_normal(&net.rods[i]); /* round sections: any will do */
  }
  net.rods[trunk].ends[WY_START] = wy_end_clamped();
  join_all(&net, WY_WELD);
  add_force(&net, first, WY_END, pull[0], pull[1], pull[2]);
  test_sim made = mixed_network(&net, 2, true, 0.05);
  settle(&made);
  for (int moved = 0; moved < 2; moved++) {
    for (int i = 0; i < 2; i++) {
      double place[3];
      place_of(&made, i ? second : first, WY_END, place);
      wy_add3(place, -1, shift);
      wy_tmul3(r, place, tips[moved][i]);
    }
    must(wy_sim_set_load(made.sim, 0, none, none, &message), &message);
    must(wy_sim_advance(made.sim, 0.5, &message), &message);
  }
  free_sim(&made);
}

static void test_order_and_place(void **state) {
  (void)state;
  static const double still[4] = {1, 0, 0, 0}, none[3] = {0, 0, 0}, away[3] = {3, -2, 5};
  double turn[4] = {0.7, -0.3, 0.5, 0.4}, plain[2][2][3], other[2][2][3], turned[2][2][3];
  wy_qnormalise(turn);
  grow(false, still, none, plain);
  grow(true, still, none, other);
  grow(false, turn, away, turned);
  for (int i = 0; i < 4; i++) {
    check_below(apart(plain[i / 2][i % 2], other[i / 2][i % 2]), 1e-9);
    check_below(apart(plain[i / 2][i % 2], turned[i / 2][i % 2]), 1e-9);
  }
  check_above(apart(plain[0][0], plain[1][0]), 1e-3);
}

/* A saved state goes on bit for bit. */
static void test_saved_state(void **state) {
  (void)state;
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  test_network net;
  wy_message message = {0};
  flying_network(&net, 4);
  throw_network(&net, v, om);
  test_sim made = mixed_network(&net, 2, false, 0.02);
  must(wy_sim_advance(made.sim, 0.3, &message), &message);
  const size_t size = wy_sim_save_size(made.sim);
  void *saved = malloc(size);
  must(wy_sim_save(made.sim, saved, size, &message), &message);
  double before[3], after[3];
  must(wy_sim_advance(made.sim, 0.6, &message), &message);
  place_of(&made, 4, WY_START, before);
  must(wy_sim_restore(made.sim, saved, size, &message), &message);
  must(wy_sim_advance(made.sim, 0.6, &message), &message);
  place_of(&made, 4, WY_START, after);
  assert_memory_equal(before, after, sizeof before);
  free(saved);
  free_sim(&made);
}

/* An equilibrium with a body off the axis, a spring and gravity: a motion that begins there stays there, and the
   reactions on all parts of a joint add up to nothing. */
static void test_from_rest(void **state) {
  (void)state;
  static const double a[3] = {0, 0, 0}, b[3] = {0, 0, 1}, c[3] = {0.5, 0.2, 1.4};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 4);
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_rod(&net, &rod, a, b), add_rod(&net, &rod, b, c);
  wy_body_def *body = add_body(&net, 0.3);
  const double inertia[6] = {0.01, 0.02, 0.02, 0.003, 0, 0}, origin[3] = {0.6, 0.3, 1.3};
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, sizeof origin);
  const int foot = add_joint(&net, WY_WELD), tip = add_joint(&net, WY_WELD);
  join_all(&net, WY_WELD);
  add_end(&net, foot, 0, WY_START), add_ground(&net, foot);
  add_end(&net, tip, 1, WY_END), add_port(&net, tip, port_at(&net, 0, c));
  add_force(&net, 0, WY_END, 0.1, 0.5, -0.2);
  net.model.gravity[2] = -1;
  net.springs[0] = wy_default_spring_def();
  net.springs[0].ports[0] = wy_port_on_body(0, 0.1, 0, 0.1);
  net.springs[0].ports[1] = wy_port_in_space(1.5, 0, 1);
  net.springs[0].stiffness = 0.7, net.springs[0].length = 0.5;
  net.model.spring_count = 1;
  test_sim made = mixed_network(&net, 2, true, 0.05);
  settle(&made);
  double before[3], after[3], force[3], moment[3], sum[3] = {0}, length, pull, total[3] = {0.1, 0.5, -0.2};
  place_of(&made, 1, WY_END, before);
  const wy_view *view = wy_sim_view(made.sim, 0);
  wy_add3(total, 1, view->ends[WY_START].reaction_force);
  wy_add3(total, -0.3 - 1 - rod.inertia[0].value * net.rods[1].length, (const double[3]){0, 0, 1});
  must(wy_sim_spring(made.sim, 0, &pull, &length, &message), &message);
  wy_body_state now;
  must(wy_sim_body(made.sim, 0, &now, &message), &message);
  double r[9], at[3], along[3];
  wy_qmatrix(now.frame, r);
  wy_mul3(r, (const double[3]){0.1, 0, 0.1}, at);
  for (int k = 0; k < 3; k++)
    along[k] = net.springs[0].ports[1].point[k] - now.position[k] - at[k];
  wy_add3(total, pull / length, along);
  check_below(wy_norm3(total), 1e-9);
  check_close(wy_norm3(along), length, 1e-12);
  for (int part = 0; part < 2; part++) { /* the weld of rod and body */
    must(wy_sim_joint(made.sim, tip, part, force, moment, &message), &message);
    wy_add3(sum, 1, force);
    check_above(wy_norm3(force), 0.1);
  }
  check_below(wy_norm3(sum), 1e-12);
  must(wy_sim_advance(made.sim, 2, &message), &message);
  place_of(&made, 1, WY_END, after);
  check_below(apart(before, after), 1e-9);
  free_sim(&made);
}

/* A body that is held carries what hangs on it; before the first step, too. */
static void test_holding(void **state) {
  (void)state;
  static const double from[3] = {0, 0, 0}, to[3] = {1, 0, 0};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 4);
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_rod(&net, &rod, from, to);
  wy_body_def *body = add_body(&net, 2);
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
  body->rotation = body->position[0] = body->position[2] = WY_HELD;
  const int weld = add_joint(&net, WY_WELD);
  add_end(&net, weld, 0, WY_START), add_port(&net, weld, wy_port_on_body(0, 0, 0, 0));
  net.model.gravity[2] = -1;
  test_sim made = mixed_network(&net, 2, true, 0.01);
  wy_body_state now;
  must(wy_sim_body(made.sim, 0, &now, &message), &message);
  check_above(now.reaction_force[2], 2); /* the rod begins to fall: less than all of its weight */
  check_below(now.reaction_force[2], 3);
  settle(&made);
  must(wy_sim_body(made.sim, 0, &now, &message), &message);
  double tip[3];
  place_of(&made, 0, WY_END, tip);
  check_close(now.reaction_force[2], 3, 1e-9);
  check_above(fabs(now.reaction_moment[1]), 0.4);
  check_close(now.reaction_force[1], 0, 0);
  check_below(tip[2], -0.1);
  free_sim(&made);
}

static void refused(test_network *net, const char *word) {
  wy_model *model;
  wy_sim *sim;
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.solver = mixed_solver(2, 0);
  must(wy_model_create(network_model(net), &model, &message), &message);
  assert_int_equal(wy_sim_create(model, &def, &sim, &message), WY_ERROR_SUPPORT);
  if (!strstr(message.text, word))
    fail_msg("'%s' does not say '%s'", message.text, word);
  wy_model_destroy(model);
}

static void test_refused(void **state) {
  (void)state;
  static const char *const words[] = {"hinges", "released", "inextensible", "driven", "springs in joints", "slide"};
  for (int k = 0; k < 6; k++) {
    test_network net;
    pieces_of_cantilever(&net, 2, 8);
    if (k == 0)
      net.joints[0].kind = WY_HINGE, net.joints[0].axis[1] = 1;
    if (k == 1)
      net.joints[0].release = 1;
    if (k == 2)
      net.rods[0].kind = WY_INEXTENSIBLE;
    if (k == 3) {
      wy_body_def *body = add_body(&net, 1);
      body->inertia[0] = body->inertia[1] = body->inertia[2] = 1;
      body->rotation = WY_DRIVEN, body->axis[0] = 1;
      body->origin[0] = 0.5;
      add_port(&net, 0, wy_port_on_body(0, 0, 0, 0));
    }
    if (k == 4)
      net.joints[0].kind = WY_BALL, net.joints[0].has_spring = true, net.joints[0].stiffness = 1;
    if (k == 5) {
      add_ground(&net, 0);
      net.joints[0].position[0] = WY_FREE;
    }
    refused(&net, words[k]);
  }
}

/* A load on a body that is changed between steps, and one that turns with it. */
static void test_changed_loads(void **state) {
  (void)state;
  static const double push[3] = {0, 0, 5}, none[3] = {0, 0, 0}, from[3] = {0, 0, 0}, to[3] = {0, 0, 1};
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 2);
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_rod(&net, &rod, from, to);
  wy_body_def *body = add_body(&net, 1.5);
  body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
  const int weld = add_joint(&net, WY_WELD);
  add_port(&net, weld, wy_port_on_body(0, 0, 0, 0)), add_end(&net, weld, 0, WY_START);
  net.loads[0] = wy_default_load_def();
  net.loads[0].place = WY_AT_BODY;
  net.model.load_count = 1;
  test_sim made = mixed_network(&net, 2, false, 0.05);
  must(wy_sim_advance(made.sim, 1, &message), &message);
  must(wy_sim_set_load(made.sim, 0, push, none, &message), &message);
  must(wy_sim_advance(made.sim, 3, &message), &message);
  const wy_momentum momentum = wy_sim_momentum(made.sim, WY_ALL_RODS);
  const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_close(momentum.linear[2], 10, 1e-10);
  check_close(energy.work, energy.kinetic + energy.elastic, 1e-9);
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_weld),           cmocka_unit_test(test_weld_moves),
                                     cmocka_unit_test(test_frequencies),    cmocka_unit_test(test_frame_buckling),
                                     cmocka_unit_test(test_rings),          cmocka_unit_test(test_pushed_ring),
                                     cmocka_unit_test(test_tripod),         cmocka_unit_test(test_flight),
                                     cmocka_unit_test(test_balance),        cmocka_unit_test(test_right_angle),
                                     cmocka_unit_test(test_mass_on_spring), cmocka_unit_test(test_order_and_place),
                                     cmocka_unit_test(test_saved_state),    cmocka_unit_test(test_from_rest),
                                     cmocka_unit_test(test_holding),        cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_changed_loads),  cmocka_unit_test(test_follow),
                                     cmocka_unit_test(test_free_body),      cmocka_unit_test(test_resting_body),
                                     cmocka_unit_test(test_driven),         cmocka_unit_test(test_body_modes),
                                     cmocka_unit_test(test_inextensible)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
