/* SPDX-License-Identifier: MIT */
/* Energy, momenta and gaps with every kind of joint, each in a network of its own that nothing damps: at a tolerance of
   1e-10 the energy stays to 1e-8, momenta of what flies freely likewise, and gaps are round-off at every output. */
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/moving.h"
#include "support/network_scenes.h"

static const double a[3] = {0, 0, 0}, b[3] = {0.6, 0, 0}, c[3] = {1, 0.4, 0.1}, half[3] = {0.3, 0, 0};

static int add_link(test_network *net, const double from[3], const double to[3]) {
  static const double stiffness[6] = {200, 200, 300, 1, 1.3, 0.8}, inertia[4] = {1, 2e-2, 2e-2, 4e-2};
  const wy_rod_def rod = section_of(stiffness, inertia, 4);
  const int index = add_rod(net, &rod, from, to);
  set_normal(&net->rods[index]);
  return index;
}

/* Its centre is away from the place where it is joined. */
static int add_block(test_network *net, const char *name, double x, double y, double z) {
  const double inertia[6] = {0.02, 0.03, 0.04, 0.005, 0, 0}, origin[3] = {x, y, z}, frame[4] = {0.9, 0.1, 0.3, 0.2};
  wy_body_def *body = add_body(net, 0.5);
  body->name = name;
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, sizeof origin);
  memcpy(body->frame, frame, sizeof frame);
  wy_qnormalise(body->frame);
  return net->model.body_count - 1;
}

static int joint_of(test_network *net, wy_joint_kind kind, wy_port first, wy_port second) {
  const int joint = add_joint(net, kind);
  if (kind == WY_HINGE)
    net->joints[joint].axis[0] = 0.2, net->joints[joint].axis[1] = 1, net->joints[joint].axis[2] = -0.4;
  add_port(net, joint, first), add_port(net, joint, second);
  return joint;
}

/* Pulls two places together, so that everything in between moves. */
static wy_spring_def *add_tie(test_network *net, wy_port first, wy_port second, double length) {
  wy_spring_def *tie = &net->springs[net->model.spring_count++];
  *tie = wy_default_spring_def();
  tie->ports[0] = first, tie->ports[1] = second;
  tie->stiffness = 3, tie->length = length;
  return tie;
}

static wy_port end_of(const test_network *net, int rod) {
  return wy_port_on_rod(rod, net->rods[rod].length);
}

/* ---- Networks ---- */

static wy_joint_kind kind;        /* of the joint in question */
static double stiffness, release; /* of its spring; INFINITY: it stays */
static bool driven;

static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.5 * (1 - cos(2 * t)), jet[1] = sin(2 * t), jet[2] = 2 * cos(2 * t);
}

static void equip(test_network *net, int joint) {
  wy_joint_def *def = &net->joints[joint];
  def->has_spring = stiffness > 0, def->stiffness = stiffness, def->release = release;
  def->rest_angle = kind == WY_HINGE && stiffness > 0 ? 0.3 : 0;
  if (driven)
    def->has_angle = true, def->angle = (wy_signal){0, swing, NULL, WY_TIME};
}

/* Two rods, end to end. */
static void ends(test_network *net) {
  const int one = add_link(net, a, b), two = add_link(net, b, c);
  equip(net, joint_of(net, kind, end_of(net, one), wy_port_on_rod(two, 0)));
  add_tie(net, wy_port_on_rod(one, 0), end_of(net, two), 0.7);
}

/* The end of a rod at an inner point of another one. */
static void inner(test_network *net) {
  static const double away[3] = {0.4, 0.5, 0.1};
  const int one = add_link(net, a, b), two = add_link(net, half, away);
  equip(net, joint_of(net, kind, wy_port_on_rod(one, 0.3), wy_port_on_rod(two, 0)));
  add_tie(net, wy_port_on_rod(one, 0), end_of(net, two), 0.4);
}

/* Two rods that cross, as laths of a gridshell do. */
static void crossing(test_network *net) {
  static const double low[3] = {0.3, -0.4, -0.1}, high[3] = {0.3, 0.4, 0.1};
  const int one = add_link(net, a, b), two = add_link(net, low, high);
  equip(net, joint_of(net, kind, wy_port_on_rod(one, 0.3), wy_port_on_rod(two, 0.5 * net->rods[two].length)));
  add_tie(net, wy_port_on_rod(one, 0), end_of(net, two), 0.4);
}

/* A rod on a body, away from its centre. */
static void on_body(test_network *net) {
  const int rod = add_link(net, a, b), body = add_block(net, "block", 0.7, 0.1, 0.1);
  equip(net, joint_of(net, kind, port_at(net, body, b), end_of(net, rod)));
  add_tie(net, wy_port_on_rod(rod, 0), wy_port_on_body(body, 0.1, 0.2, 0), 0.5);
}

/* An inner point of a rod on a body. */
static void inner_on_body(test_network *net) {
  const int rod = add_link(net, a, b), body = add_block(net, "block", 0.4, 0.1, 0.1);
  equip(net, joint_of(net, kind, wy_port_on_rod(rod, 0.3), port_at(net, body, half)));
  add_tie(net, wy_port_on_rod(rod, 0), wy_port_on_body(body, 0.1, 0.2, 0), 0.3);
}

/* Two bodies: conditions. */
static void bodies(test_network *net) {
  const int one = add_block(net, "one", 0.4, 0.1, 0), two = add_block(net, "two", 0.8, 0.2, 0.1);
  equip(net, joint_of(net, kind, port_at(net, one, b), port_at(net, two, b)));
  add_tie(net, wy_port_on_body(one, -0.1, 0, 0), wy_port_on_body(two, 0.1, 0.2, 0), 0.3);
}

/* A body with a rod that hangs from the ground. */
static void grounded(test_network *net) {
  const int body = add_block(net, "block", 0.7, 0.1, 0.1), rod = add_link(net, b, c);
  net->model.gravity[2] = -3;
  equip(net, joint_of(net, kind, wy_port_in_space(1.1, 0, 0.2), port_at(net, body, (const double[3]){1.1, 0, 0.2})));
  joint_of(net, WY_WELD, port_at(net, body, b), wy_port_on_rod(rod, 0));
}

/* A rod that the ground leads along x, at its start and between its ends. */
static void sliding(test_network *net) {
  const int rod = add_link(net, a, b);
  net->model.gravity[2] = -3, net->model.gravity[0] = 1;
  for (int i = 0; i < (kind == WY_WELD ? 1 : 2); i++) {
    const int joint = joint_of(net, kind, wy_port_on_rod(rod, 0.3 * i), wy_port_on_ground());
    net->joints[joint].position[0] = WY_FREE;
  }
}

/* A rod and a body with a cable between them, which is slack, taut and slack again. */
static void cable(test_network *net) {
  const int rod = add_link(net, a, b), body = add_block(net, "block", 0.7, 0.5, 0.1);
  net->bodies[body].velocity[1] = 0.5;
  add_tie(net, end_of(net, rod), wy_port_on_body(body, 0, 0, 0), 0.6)->kind = WY_CABLE;
}

/* A rod that hangs by an inner point on a body that is driven up and down. */
static void below_driven(test_network *net) {
  const int rod = add_link(net, a, b), body = add_block(net, "block", 0.3, 0, 0);
  wy_body_def *def = &net->bodies[body];
  net->model.gravity[2] = -3;
  def->position[0] = def->position[1] = def->rotation = WY_HELD;
  def->position[2] = WY_DRIVEN, def->path[2] = (wy_signal){0, swing, NULL, WY_TIME};
  joint_of(net, kind, wy_port_on_rod(rod, 0.3), wy_port_on_body(body, 0, 0, 0));
}

/* ---- What stays ---- */

/* FREE: nothing from outside acts. CENTRED: besides, no place of a joint is away from its hub, and the linear momentum
   is a linear invariant, which every Runge-Kutta method keeps to round-off. */
typedef enum flight { HELD, FREE, CENTRED } flight;

static void check_gaps(const test_sim *made, const test_network *net) {
  wy_message message = {0};
  for (int i = 0; i < net->model.joint_count; i++) {
    const wy_joint_def *joint = wy_model_joint(made->model, i);
    double first[3], other[3], frame[4];
    if (wy_sim_time(made->sim) >= joint->release)
      continue;
    for (int k = 0; k < joint->port_count; k++) {
      must(wy_sim_port(made->sim, &joint->ports[k], k ? other : first, frame, &message), &message);
      for (int x = 0; k > 0 && x < 3; x++)
        if (joint->position[x] != WY_FREE)
          check_at_most(fabs(other[x] - first[x]), 1e-12 * 0.6);
    }
  }
}

static void check_momenta(const test_sim *made, const wy_momentum *before, flight how, bool explicit) {
  const wy_momentum now = wy_sim_momentum(made->sim, WY_ALL_RODS);
  check_below(apart(now.linear, before->linear),
              (how == CENTRED && explicit ? 1e-13 : 1e-8) * wy_norm3(before->linear));
  check_below(apart(now.angular, before->angular), 1e-8 * wy_norm3(before->angular));
}

static void check_motion(void (*draw)(test_network *net), const char *integrator, flight how) {
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  test_network net;
  wy_message message = {0};
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = 1e-10;
  begin_network(&net);
  draw(&net);
  if (how != HELD)
    throw_network(&net, v, om);
  test_sim made = make_network(&net, &solver, false, 2);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
  double most = fabs(start);
  for (int i = 1; i <= 8; i++) {
    must(wy_sim_sample(made.sim, 0.25 * i, &message), &message);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    most = fmax(most, energy.kinetic);
    check_close(energy.total + energy.dissipated - energy.work, start, 1e-8 * most);
    check_gaps(&made, &net);
    if (how != HELD)
      check_momenta(&made, &before, how, strncmp(integrator, "dop", 3) == 0);
  }
  check_above(most, 0.01);
  check_at_most(wy_sim_group_statistics(made.sim, 0).joint_drift, 1e-12);
  free_sim(&made);
}

static void check_both(void (*draw)(test_network *net), flight how) {
  check_motion(draw, "dop853", how);
  check_motion(draw, "radau5", how);
}

/* Every kind of joint at such a place. */
static void check_kinds(void (*draw)(test_network *net), flight how) {
  release = INFINITY, stiffness = 0, driven = false;
  for (kind = WY_WELD; kind <= WY_HINGE; kind++)
    check_both(draw, how);
}

static void test_ends(void **state) {
  (void)state;
  check_kinds(ends, CENTRED);
  stiffness = 2, kind = WY_HINGE;
  check_both(ends, CENTRED);
  kind = WY_BALL;
  check_both(ends, CENTRED);
}

static void test_inner(void **state) {
  (void)state;
  check_kinds(inner, CENTRED);
  check_kinds(crossing, CENTRED);
  stiffness = 2, kind = WY_HINGE;
  check_both(crossing, CENTRED);
}

static void test_bodies(void **state) {
  (void)state;
  check_kinds(on_body, FREE);
  check_kinds(inner_on_body, FREE);
  check_kinds(bodies, FREE);
  stiffness = 2, kind = WY_HINGE;
  check_both(on_body, FREE);
  check_both(bodies, FREE);
}

static void test_ground(void **state) {
  (void)state;
  release = INFINITY, stiffness = 0, driven = false;
  for (kind = WY_BALL; kind <= WY_HINGE; kind++)
    check_both(grounded, HELD);
  for (kind = WY_WELD; kind <= WY_BALL; kind++)
    check_both(sliding, HELD);
}

/* What drives does work, which is booked. */
static void test_drives(void **state) {
  (void)state;
  release = INFINITY, stiffness = 0, driven = true, kind = WY_HINGE;
  check_both(ends, HELD);
  check_both(on_body, HELD);
  check_both(bodies, HELD);
  check_both(grounded, HELD);
  driven = false, kind = WY_BALL;
  check_both(below_driven, HELD);
}

/* The force of a cable has a kink where it becomes taut, which other integrators than these may step over with larger
   errors. */
static void test_cable(void **state) {
  (void)state;
  check_motion(cable, "dop853", HELD);
  check_motion(cable, "rodas", HELD);
  check_motion(cable, "ndf", HELD);
}

/* Half way. */
static void test_release(void **state) {
  (void)state;
  release = 0.9, stiffness = 0, driven = false;
  for (kind = WY_WELD; kind <= WY_HINGE; kind++) {
    check_both(ends, CENTRED);
    check_both(inner, CENTRED);
    check_both(bodies, FREE);
  }
}

/* ---- Fixed steps ---- */

static void whip_end(const char *integrator, double tolerance, double step, double place[3]) {
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  test_network net;
  wy_message message = {0};
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator, solver.first_step = step;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  begin_network(&net);
  ends(&net);
  throw_network(&net, v, om);
  test_sim made = make_network(&net, &solver, false, INFINITY);
  must(wy_sim_advance(made.sim, 0.4, &message), &message);
  place_of(&made, 1, WY_END, place);
  free_sim(&made);
}

static double fixed_error(int steps, const void *integrator) {
  double got[3], want[3];
  whip_end(integrator, 1e-10, 0.4 / steps, got);
  whip_end("dop853", 1e-12, 0, want);
  return apart(got, want);
}

static void test_fixed_steps(void **state) {
  (void)state;
  release = INFINITY, stiffness = 2, driven = false, kind = WY_HINGE;
  nth_order("midpoint", fixed_error, "midpoint", 200, 0.01, 2);
  nth_order("gauss4", fixed_error, "gauss4", 40, 0.01, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends),    cmocka_unit_test(test_inner),
                                     cmocka_unit_test(test_bodies),  cmocka_unit_test(test_ground),
                                     cmocka_unit_test(test_drives),  cmocka_unit_test(test_cable),
                                     cmocka_unit_test(test_release), cmocka_unit_test(test_fixed_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
