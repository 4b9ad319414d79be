/* SPDX-License-Identifier: MIT */
/* Parts that joints bring together: a straight rod becomes a ring, a rope is hung between posts, and what cannot meet
   is refused. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/network.h"

static const double pi = 3.14159265358979323846;

static wy_rod_def section_of(const double stiffness[6], int segments) {
  static const double inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  return rod;
}

/* A rod of length 1 along x whose ends are welded, the second turned by `angle` about y (reference case 19). */
static void ring(test_network *net, int segments, double angle) {
  static const double stiffness[6] = {1e4, 1e4, 2e4, 1, 1, 0.8}, from[3] = {0, 0, 0}, to[3] = {1, 0, 0};
  const wy_rod_def rod = section_of(stiffness, segments);
  begin_network(net);
  add_rod(net, &rod, from, to);
  const int joint = add_joint(net, WY_WELD);
  add_end(net, joint, 0, WY_START), add_end(net, joint, 0, WY_END);
  net->joints[joint].name = "seam";
  net->joints[joint].assemble = true;
  net->joints[joint].rotation = WY_WELD_TURNED;
  net->joints[joint].turn_axis[1] = 1, net->joints[joint].turn_angle = angle;
}

static wy_status create(test_network *net, bool statics, test_sim *made, wy_message *message) {
  wy_sim_def def = wy_default_sim_def();
  def.statics = statics;
  def.solver.integrator = "radau5";
  def.solver.relative_tolerance = def.solver.absolute_tolerance = 1e-7;
  must(wy_model_create(network_model(net), &made->model, message), message);
  return wy_sim_create(made->model, &def, &made->sim, message);
}

static test_sim make(test_network *net, bool statics) {
  test_sim made = {0};
  wy_message message = {0};
  must(create(net, statics, &made, &message), &message);
  return made;
}

static double distance(const double *a, const double *b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Energy 2 pi^2 EI / L and diameter L / pi of the closed ring. */
static double ring_error(int segments, const void *context) {
  test_network net;
  (void)context;
  ring(&net, segments, 2 * pi);
  test_sim made = make(&net, false);
  const wy_view *view = wy_sim_view(made.sim, 0);
  const double energy = wy_sim_energy(made.sim, WY_ALL_RODS).elastic, *x = view->position.values;
  const double across = distance(x, x + 3 * (size_t)(segments / 2));
  check_below(distance(x, x + 3 * (size_t)segments), 1e-12);
  free_sim(&made);
  return fmax(fabs(energy / (2 * pi * pi) - 1), fabs(across * pi - 1));
}

static void test_ring(void **state) {
  (void)state;
  second_order("a ring closed from a straight rod", ring_error, NULL, 12, 0.1);
}

/* It is in equilibrium: it stays at rest, and has six rigid motions and, of a round section, one more without
   frequency. */
static void test_rest_of_ring(void **state) {
  (void)state;
  test_network net;
  wy_message message = {0};
  ring(&net, 24, 2 * pi);
  test_sim made = make(&net, false);
  const wy_energy before = wy_sim_energy(made.sim, WY_ALL_RODS);
  must(wy_sim_advance(made.sim, 2, &message), &message);
  const wy_energy after = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_below(after.kinetic, 1e-10 * before.elastic);
  check_close(after.elastic, before.elastic, 1e-9 * before.elastic);
  free_sim(&made);
  ring(&net, 24, 2 * pi);
  made = make(&net, true);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  wy_mode_set *modes = NULL;
  must(wy_sim_modes(made.sim, 0, 8, &modes, &message), &message);
  for (int i = 0; i < 7; i++)
    check_below(fabs(modes->omega[i]), 1e-2);
  check_above(modes->omega[7], 1);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

/* A rope of length 1 between two posts that are 0.8 apart, its drawn end elsewhere; then under its weight. The other
   way round, and shifted, the same. */
static void rope(test_network *net, bool reversed, double shift) {
  static const double stiffness[6] = {2e3, 2e3, 4e3, 0.01, 0.01, 0.008};
  const double a[3] = {shift, 0, 0}, b[3] = {shift + 0.8, 0.4, -0.4472135955};
  const wy_rod_def rod = section_of(stiffness, 16);
  begin_network(net);
  net->model.gravity[2] = -1;
  add_rod(net, &rod, reversed ? b : a, reversed ? a : b);
  const int left = add_joint(net, WY_BALL), right = add_joint(net, WY_BALL);
  add_end(net, left, 0, reversed ? WY_END : WY_START), add_port(net, left, wy_port_in_space(shift, 0, 0));
  add_end(net, right, 0, reversed ? WY_START : WY_END), add_port(net, right, wy_port_in_space(shift + 0.8, 0, 0));
  net->joints[left].assemble = net->joints[right].assemble = true;
}

static void test_rope(void **state) {
  (void)state;
  double depth[2];
  for (int i = 0; i < 2; i++) {
    test_network net;
    wy_message message = {0};
    rope(&net, i, 3.5 * i);
    test_sim made = make(&net, true);
    must(wy_sim_settle(made.sim, 0, &message), &message);
    const wy_view *view = wy_sim_view(made.sim, 0);
    const double *x = view->position.values, *end = x + 3 * (size_t)16;
    check_close(fabs(x[0] - end[0]), 0.8, 1e-12);
    check_close(x[1] - end[1], 0, 1e-12);
    depth[i] = x[3 * 8 + 2];
    check_below(depth[i], -0.2);
    free_sim(&made);
  }
  check_close(depth[0], depth[1], 1e-7);
}

/* Without `assemble` the ends are an error; what would have to be stretched to a multiple cannot be brought together
   where the material refuses. */
static void test_refused(void **state) {
  (void)state;
  test_network net;
  wy_model *model;
  wy_message message = {0};
  rope(&net, false, 0);
  net.joints[1].assemble = false;
  assert_int_equal(wy_model_create(network_model(&net), &model, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "apart"));
  ring(&net, 12, 2 * pi);
  net.rods[0].initial.velocity[0] = wy_constant(1);
  assert_int_equal(wy_model_create(network_model(&net), &model, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "begins at rest"));
  test_sim made = {0};
  ring(&net, 4, 16 * pi); /* four segments cannot carry eight turns */
  assert_int_equal(create(&net, false, &made, &message), WY_ERROR_SOLVER);
  assert_string_equal(message.path, "joints.seam");
  assert_non_null(strstr(message.text, "its parts cannot be brought together: they are still"));
  wy_model_destroy(made.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ring),
      cmocka_unit_test(test_rest_of_ring),
      cmocka_unit_test(test_rope),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
