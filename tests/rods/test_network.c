/* SPDX-License-Identifier: MIT */
/* Rods, bodies and springs that move together, against solutions that no scheme owns: closed forms, and spectral finite
   elements of degree 4 (tests/data/network). Energies, momenta and joints of what nothing damps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/network.h"
#include "support/table.h"

/* A straight rod of the given stiffness (GA1, GA2, EA, EI1, EI2, GJ) and inertia (mass, rotary 1, 2, 3). */
static wy_rod_def section_of(const double stiffness[6], const double inertia[4], int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  return rod;
}

static wy_solver_def solver_of(const char *integrator, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  return solver;
}

static test_sim make_network(test_network *net, const wy_solver_def *solver, bool statics, double end) {
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.solver = *solver;
  def.statics = statics;
  def.end = end;
  must(wy_model_create(network_model(net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

static void place_of(const test_sim *made, int rod, wy_end_name end, double place[3]) {
  const wy_view *view = wy_sim_view(made->sim, rod);
  memcpy(place, view->position.values + (end == WY_END ? 3 * (view->position.count - 1) : 0), 3 * sizeof *place);
}

static double apart(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return wy_norm3(d);
}

/* ---- Undamped networks ---- */

static const double soft[6] = {40, 40, 80, 0.5, 0.7, 0.4}, light[4] = {1, 2e-3, 3e-3, 5e-3};

/* Velocity om x (x - about) along a straight rod. */
typedef struct turning {
  double at[3], along[3];
} turning;

static turning turns[NETWORK_RODS];

static void turning_x(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *c = context;
  (void)wrt, (void)t;
  jet[0] = c[0] + c[3] * s, jet[1] = wrt == WY_ARC ? c[3] : 0, jet[2] = 0;
}

/* All of the network turns like a rigid body and flies. */
static void throw(test_network * net, const double v[3], const double om[3]) {
  for (int i = 0; i < net->model.rod_count; i++) {
    wy_rod_def *rod = &net->rods[i];
    double unit[3], velocity[3], slope[3], frame[9], length = wy_norm3(rod->shape.direction);
    for (int k = 0; k < 3; k++)
      unit[k] = rod->shape.direction[k] / length;
    wy_cross3(om, rod->shape.origin, velocity);
    wy_cross3(om, unit, slope);
    for (int k = 0; k < 3; k++) {
      turns[i].at[k] = velocity[k] + v[k], turns[i].along[k] = slope[k];
      rod->initial.velocity[k] = (wy_signal){0, turning_x, &turns[i].at[k], WY_ARC};
    }
    const double *d1 = rod->shape.d1;
    double d2[3];
    wy_cross3(unit, d1, d2);
    for (int k = 0; k < 3; k++)
      frame[k] = d1[k], frame[3 + k] = d2[k], frame[6 + k] = unit[k];
    for (int k = 0; k < 3; k++)
      rod->initial.angular_velocity[k] = wy_constant(wy_dot3(frame + 3 * k, om));
  }
  for (int i = 0; i < net->model.body_count; i++) {
    wy_body_def *body = &net->bodies[i];
    double r[9], velocity[3];
    wy_cross3(om, body->origin, velocity);
    for (int k = 0; k < 3; k++)
      body->velocity[k] = velocity[k] + v[k];
    wy_qnormalise(body->frame);
    wy_qmatrix(body->frame, r);
    wy_tmul3(r, om, body->angular_velocity);
  }
}

static void set_normal(wy_rod_def *rod) {
  const double *d = rod->shape.direction;
  const double other[3] = {fabs(d[0]) > 0.6 * wy_norm3(d) ? 0 : 1, fabs(d[0]) > 0.6 * wy_norm3(d) ? 1 : 0, 0};
  const double along = wy_dot3(other, d) / wy_dot3(d, d);
  for (int k = 0; k < 3; k++)
    rod->shape.d1[k] = other[k] - along * d[k];
  const double length = wy_norm3(rod->shape.d1);
  for (int k = 0; k < 3; k++)
    rod->shape.d1[k] /= length;
}

/* A triangle of rods, welded at two corners and to a body at the third; two more rods hang there by balls; a spring
   goes from their end back to the body. */
static void flying_network(test_network *net, int segments) {
  static const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0.4, 0.8, 0.1}, d[3] = {-0.6, 0.9, 0.2},
                      e[3] = {-0.5, 0.2, 0.9};
  const wy_rod_def rod = section_of(soft, light, segments);
  begin_network(net);
  add_rod(net, &rod, a, b);
  add_rod(net, &rod, b, c);
  add_rod(net, &rod, c, a);
  add_rod(net, &rod, c, d);
  add_rod(net, &rod, e, d);
  for (int i = 0; i < net->model.rod_count; i++)
    set_normal(&net->rods[i]);
  wy_body_def *body = &net->bodies[net->model.body_count++];
  *body = wy_default_body_def();
  body->name = "body";
  body->mass = 0.5;
  const double inertia[6] = {0.02, 0.03, 0.04, 0.005, 0, 0}, origin[3] = {0.45, 0.9, 0.2},
               frame[4] = {0.9, 0.1, 0.3, 0.2};
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, sizeof origin);
  memcpy(body->frame, frame, sizeof frame);
  const int weld = add_joint(net, WY_WELD), ball = add_joint(net, WY_BALL), loose = add_joint(net, WY_BALL);
  add_port(net, weld, port_at(net, 0, c)), add_end(net, weld, 1, WY_END), add_end(net, weld, 2, WY_START);
  add_port(net, ball, port_at(net, 0, c)), add_end(net, ball, 3, WY_START);
  add_end(net, loose, 3, WY_END), add_end(net, loose, 4, WY_END);
  join_all(net, WY_WELD);
  net->model.spring_count = 1;
  net->springs[0] = wy_default_spring_def();
  net->springs[0].ports[0] = wy_port_on_body(0, 0.1, 0, 0);
  net->springs[0].ports[1] = wy_port_on_rod(4, 0);
  net->springs[0].stiffness = 3, net->springs[0].length = 1;
}

/* Energy and both momenta of a free flight: to 100 times the tolerance, over all steps. Joints hold to round-off. */
static void check_flight(const char *integrator) {
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  test_network net;
  const wy_solver_def solver = solver_of(integrator, 1e-10);
  flying_network(&net, 6);
  throw(&net, v, om);
  test_sim made = make_network(&net, &solver, false, 2);
  wy_message message = {0};
  const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
  const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
  check_above(start.kinetic, 1);
  for (int i = 1; i <= 8; i++) {
    must(wy_sim_sample(made.sim, 0.25 * i, &message), &message);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    const wy_momentum now = wy_sim_momentum(made.sim, WY_ALL_RODS);
    check_close(energy.total, start.total, 1e-8 * start.total);
    check_below(apart(now.linear, before.linear), 1e-8 * wy_norm3(before.linear));
    check_below(apart(now.angular, before.angular), 1e-8 * wy_norm3(before.angular));
    double one[3], other[3];
    place_of(&made, 1, WY_END, one), place_of(&made, 2, WY_START, other);
    check_below(apart(one, other), 1e-12);
    place_of(&made, 3, WY_END, one), place_of(&made, 4, WY_END, other);
    check_below(apart(one, other), 1e-12);
  }
  free_sim(&made);
}

static void test_explicit_flight(void **state) {
  (void)state;
  check_flight("dop853");
  check_flight("dopri5");
}

static void test_implicit_flight(void **state) {
  (void)state;
  check_flight("radau5");
  check_flight("rodas");
  check_flight("seulex");
  check_flight("ndf");
}

/* ---- The right-angle cantilever of Simo and Vu-Quoc (1988) ---- */

static void triangle_pulse(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t < 1 ? 50 * t : t < 2 ? 50 * (2 - t) : 0;
  jet[1] = t < 1 ? 50 : t < 2 ? -50 : 0;
  jet[2] = 0;
}

/* The largest distance of elbow and tip from the table, up to t = 8. */
static double right_angle_error(int segments, const void *context) {
  static const double stiffness[6] = {1e6, 1e6, 1e6, 1e3, 1e3, 1e3}, inertia[4] = {1, 10, 10, 20};
  static const double a[3] = {0, 0, 0}, b[3] = {10, 0, 0}, c[3] = {10, 10, 0};
  const table *want = context;
  const wy_rod_def rod = section_of(stiffness, inertia, segments);
  const wy_solver_def solver = solver_of("radau5", 1e-7);
  test_network net;
  begin_network(&net);
  add_rod(&net, &rod, a, b);
  add_rod(&net, &rod, b, c);
  net.rods[0].ends[WY_START] = wy_end_clamped();
  join_all(&net, WY_WELD);
  net.loads[0] = wy_default_load_def();
  net.loads[0].place = WY_AT_END;
  net.loads[0].force[2] = (wy_signal){0, triangle_pulse, NULL, WY_TIME};
  net.model.load_count = 1;
  test_sim made = make_network(&net, &solver, false, 8);
  wy_message message = {0};
  double worst = 0;
  for (int row = 0; row < want->rows && *table_at(want, row, 0) <= 8; row++) {
    double elbow[3], tip[3];
    must(wy_sim_advance(made.sim, *table_at(want, row, 0), &message), &message);
    place_of(&made, 0, WY_END, elbow), place_of(&made, 1, WY_END, tip);
    worst = fmax(worst, fmax(apart(elbow, table_at(want, row, 1)), apart(tip, table_at(want, row, 4))));
  }
  free_sim(&made);
  return worst;
}

static void test_right_angle(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/network/right_angle_cantilever.csv", 31);
  second_order("right angle", right_angle_error, &want, 8, 0.5);
  free_table(&want);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_explicit_flight), cmocka_unit_test(test_implicit_flight),
                                     cmocka_unit_test(test_right_angle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
