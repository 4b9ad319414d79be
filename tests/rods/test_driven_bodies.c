/* SPDX-License-Identifier: MIT */
/* Bodies that are held, driven, moved between steps and released, against closed forms and against ends of rods that
   move likewise. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/network.h"

static const double soft[6] = {40, 40, 80, 0.5, 0.7, 0.4}, stocky[4] = {1, 0.05, 0.06, 0.11};
static const double rate = 3, amplitude = 0.1, pi = 3.14159265358979323846;

static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double size = *(const double *)context;
  (void)s;
  jet[0] = size * sin(rate * t);
  jet[1] = wrt == WY_TIME ? size * rate * cos(rate * t) : 0;
  jet[2] = wrt == WY_TIME ? -size * rate * rate * sin(rate * t) : 0;
}

/* With a start so smooth that no wave shows the grid: size (1 - cos)^2 / 4. */
static void sway(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double size = *(const double *)context, c = cos(rate * t), sine = sin(rate * t);
  (void)s;
  jet[0] = 0.25 * size * (1 - c) * (1 - c);
  jet[1] = wrt == WY_TIME ? 0.5 * size * rate * (1 - c) * sine : 0;
  jet[2] = wrt == WY_TIME ? 0.5 * size * rate * rate * (sine * sine + (1 - c) * c) : 0;
}

static wy_signal swaying(const double *size) {
  return (wy_signal){0, sway, size, WY_TIME};
}

static wy_signal swinging(const double *size) {
  return (wy_signal){0, swing, size, WY_TIME};
}

static wy_body_def *add_body(test_network *net, const char *name, double mass) {
  wy_body_def *body = &net->bodies[net->model.body_count++];
  *body = wy_default_body_def();
  body->name = name;
  body->mass = mass;
  body->inertia[0] = 0.3, body->inertia[1] = 0.4, body->inertia[2] = 0.5;
  return body;
}

static void hold_all(wy_body_def *body) {
  body->position[0] = body->position[1] = body->position[2] = body->rotation = WY_HELD;
}

static test_sim make(test_network *net, const char *integrator, double tolerance, bool statics) {
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.solver.integrator = integrator;
  def.solver.relative_tolerance = def.solver.absolute_tolerance = tolerance;
  def.statics = statics;
  must(wy_model_create(network_model(net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

static wy_body_state at(test_sim *made, int body) {
  wy_body_state now;
  wy_message message = {0};
  must(wy_sim_body(made->sim, body, &now, &message), &message);
  return now;
}

/* A mass on a spring below a body that goes up and down: y'' = -w^2 (y - b(t)) about the hanging place, whose solution
   from rest is B (sin(r t) - (r / w) sin(w t)), B = a w^2 / (w^2 - r^2). */
static void shaken_mass(const char *integrator) {
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  wy_body_def *shaker = add_body(&net, "shaker", 5), *mass = add_body(&net, "mass", 2);
  hold_all(shaker);
  shaker->position[2] = WY_DRIVEN, shaker->path[2] = swinging(&amplitude);
  mass->origin[2] = -1;
  net.springs[0] = wy_default_spring_def();
  net.springs[0].ports[0] = wy_port_on_body(0, 0, 0, 0);
  net.springs[0].ports[1] = wy_port_on_body(1, 0, 0, 0);
  net.springs[0].stiffness = 50, net.springs[0].length = 1;
  net.model.spring_count = 1;
  test_sim made = make(&net, integrator, 1e-10, false);
  const double w = 5, size = amplitude * w * w / (w * w - rate * rate);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  for (int i = 1; i <= 8; i++) {
    const double t = 0.4 * i, y = size * (sin(rate * t) - rate / w * sin(w * t)), b = amplitude * sin(rate * t);
    must(wy_sim_sample(made.sim, t, &message), &message);
    const wy_body_state top = at(&made, 0), below = at(&made, 1);
    check_close(below.position[2] + 1, y, 1e-8);
    check_close(top.position[2], b, 1e-14);
    check_close(top.velocity[2], amplitude * rate * cos(rate * t), 1e-13);
    /* what drives it carries its inertia and pulls the spring */
    check_close(top.reaction_force[2], -5 * rate * rate * b + 50 * (b - y), 1e-6);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    check_close(energy.total - energy.work, start, 1e-8);
    assert_true(fabs(energy.work) > 1e-4);
  }
  free_sim(&made);
}

static void test_shaken_mass(void **state) {
  (void)state;
  static const char *const all[] = {"dop853", "dopri5", "radau5", "rodas", "seulex", "ndf"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    shaken_mass(all[i]);
}

/* Driven along x and about z; it falls in y, and z is held. */
static void test_components(void **state) {
  (void)state;
  static const char *const all[] = {"dop853", "radau5"};
  for (int i = 0; i < 2; i++) {
    test_network net;
    wy_message message = {0};
    begin_network(&net);
    net.model.gravity[1] = -9.81, net.model.gravity[2] = -2;
    wy_body_def *body = add_body(&net, "body", 2);
    body->position[0] = WY_DRIVEN, body->path[0] = swinging(&amplitude), body->position[2] = WY_HELD;
    body->rotation = WY_DRIVEN, body->axis[2] = 1, body->angle = swinging(&rate);
    body->velocity[1] = 1;
    test_sim made = make(&net, all[i], 1e-10, false);
    const double t = 0.7, turn = rate * sin(rate * t), spin_rate = -rate * rate * rate * sin(rate * t);
    must(wy_sim_sample(made.sim, t, &message), &message);
    const wy_body_state now = at(&made, 0);
    check_close(now.position[0], amplitude * sin(rate * t), 1e-14);
    check_close(now.position[1], t - 0.5 * 9.81 * t * t, 1e-9);
    check_close(now.position[2], 0, 1e-14);
    check_close(2 * atan2(now.frame[3], now.frame[0]), turn, 1e-12);
    check_close(now.reaction_force[0], -2 * amplitude * rate * rate * sin(rate * t), 1e-9);
    check_close(now.reaction_force[1], 0, 0);
    check_close(now.reaction_force[2], 4, 1e-9);
    check_close(now.reaction_moment[2], 0.5 * spin_rate, 1e-9);
    free_sim(&made);
  }
}

/* A rod on a driven body, and one whose own end is driven. In motion they differ by the share of inertia at the end
   (N6), an error of second order; work is what energy becomes. At rest they are the same. */
static void carried_rod(bool by_body, test_network *net, int segments) {
  static const double from[3] = {0, 0, 0}, to[3] = {1, 0, 0};
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(soft[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(stocky[i]);
  begin_network(net);
  net->model.gravity[2] = -1;
  add_rod(net, &rod, from, to);
  if (by_body) {
    wy_body_def *body = add_body(net, "base", 1);
    hold_all(body);
    body->position[2] = WY_DRIVEN, body->path[2] = swaying(&amplitude);
    body->rotation = WY_DRIVEN, body->axis[1] = 1, body->angle = swaying(&amplitude);
    const int joint = add_joint(net, WY_WELD);
    add_end(net, joint, 0, WY_START), add_port(net, joint, wy_port_on_body(0, 0, 0, 0));
  } else {
    wy_end *end = &net->rods[0].ends[WY_START];
    end->position[0] = end->position[1] = WY_HELD;
    end->position[2] = WY_DRIVEN, end->path[2] = swaying(&amplitude);
    end->rotation = WY_DRIVEN, end->axis[1] = 1, end->angle = swaying(&amplitude);
  }
}

static void tip_of(test_sim *made, double place[3]) {
  const wy_view *view = wy_sim_view(made->sim, 0);
  memcpy(place, view->position.values + 3 * (size_t)(view->position.count - 1), 3 * sizeof *place);
}

static double moved_tip(bool by_body, int segments, double tip[3]) {
  test_network net;
  wy_message message = {0};
  carried_rod(by_body, &net, segments);
  test_sim made = make(&net, "radau5", 1e-9, false);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  must(wy_sim_advance(made.sim, 0.8, &message), &message);
  tip_of(&made, tip);
  const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
  const double lost = energy.total + energy.dissipated - energy.work - start;
  assert_true(fabs(energy.work) > 1e-3);
  free_sim(&made);
  return lost;
}

static double end_and_body(int segments) {
  double one[3], other[3];
  check_close(moved_tip(true, segments, one), 0, 1e-7);
  moved_tip(false, segments, other);
  wy_add3(one, -1, other);
  return wy_norm3(one);
}

static void test_driven_rod(void **state) {
  (void)state;
  const double coarse = end_and_body(10), fine = end_and_body(40);
  check_below(coarse, 1e-3);
  check_below(fine, coarse / 8); /* a difference of second order is 16 times smaller, up to terms of higher order */
}

static void test_rest(void **state) {
  (void)state;
  double tips[2][3];
  for (int by_body = 0; by_body < 2; by_body++) {
    test_network net;
    wy_message message = {0};
    carried_rod(by_body, &net, 8);
    test_sim made = make(&net, "radau5", 1e-6, true);
    must(wy_sim_settle(made.sim, 0.4, &message), &message);
    tip_of(&made, tips[by_body]);
    free_sim(&made);
  }
  wy_add3(tips[0], -1, tips[1]);
  check_below(wy_norm3(tips[0]), 1e-10);
}

static void test_release(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  net.model.gravity[2] = -9.81;
  wy_body_def *body = add_body(&net, "stone", 3);
  hold_all(body);
  body->position[0] = WY_DRIVEN, body->path[0] = swinging(&amplitude);
  body->rotation = WY_DRIVEN, body->axis[2] = 1, body->angle = swinging(&amplitude);
  body->release = 0.25;
  test_sim made = make(&net, "dop853", 1e-10, false);
  must(wy_sim_advance(made.sim, 0.75, &message), &message);
  const wy_body_state now = at(&made, 0);
  const double speed = amplitude * rate * cos(rate * 0.25);
  check_close(now.position[0], amplitude * sin(rate * 0.25) + 0.5 * speed, 1e-9);
  check_close(now.position[2], -0.5 * 9.81 * 0.25, 1e-9);
  check_close(now.angular_velocity[2], speed, 1e-9);
  check_close(now.reaction_force[2], 0, 0);
  free_sim(&made);
}

/* Carried and turned by the user's program, saved and restored half way. */
static void test_moved(void **state) {
  (void)state;
  static const double place[3] = {0.4, 0, 0.2};
  const double frame[4] = {cos(0.25 * pi), 0, 0, sin(0.25 * pi)};
  const wy_pose target = {place, frame, NULL, NULL};
  test_network net;
  wy_message message = {0};
  carried_rod(true, &net, 6);
  hold_all(&net.bodies[0]);
  test_sim made = make(&net, "radau5", 1e-8, false);
  assert_int_equal(wy_sim_move_body(made.sim, 1, &target, 1, &message), WY_ERROR_INPUT);
  must(wy_sim_move_body(made.sim, 0, &target, 1, &message), &message);
  must(wy_sim_advance(made.sim, 0.5, &message), &message);
  check_close(at(&made, 0).position[0], 0.2, 1e-14); /* the middle of the cubic */
  const size_t size = wy_sim_save_size(made.sim);
  void *saved = malloc(size);
  must(wy_sim_save(made.sim, saved, size, &message), &message);
  double before[3], after[3];
  must(wy_sim_advance(made.sim, 1.5, &message), &message);
  tip_of(&made, before);
  check_close(at(&made, 0).position[2], 0.2, 1e-14);
  check_close(fabs(at(&made, 0).frame[3]), frame[3], 1e-14);
  must(wy_sim_restore(made.sim, saved, size, &message), &message);
  must(wy_sim_advance(made.sim, 1.5, &message), &message);
  tip_of(&made, after);
  assert_memory_equal(before, after, sizeof before);
  const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
  assert_true(fabs(energy.work) > 1e-3);
  free(saved);
  free_sim(&made);
}

static void test_not_moved(void **state) {
  (void)state;
  static const double place[3] = {1, 0, 0};
  const wy_pose target = {place, NULL, NULL, NULL};
  test_network net;
  wy_message message = {0};
  begin_network(&net);
  add_body(&net, "free", 1);
  test_sim made = make(&net, "dop853", 1e-6, false);
  assert_int_equal(wy_sim_move_body(made.sim, 0, &target, 1, &message), WY_ERROR_INPUT);
  assert_string_equal(message.text, "body 'free' is free; expected one that is held or driven");
  assert_int_equal(wy_sim_move_body(made.sim, 0, &target, 0, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_move_body(made.sim, 0, NULL, 1, &message), WY_ERROR_INPUT);
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shaken_mass), cmocka_unit_test(test_components), cmocka_unit_test(test_driven_rod),
      cmocka_unit_test(test_rest),        cmocka_unit_test(test_release),    cmocka_unit_test(test_moved),
      cmocka_unit_test(test_not_moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
