/* SPDX-License-Identifier: MIT */
/* Rods that leave a tube over its rim: the energy balances, by the discrete gradient (K8) to round-off and by error
   control, and the rim carries a rod as the edge of a drum does. */
#include <math.h>

#include "check.h"
#include "support/contact_scene.h"

static const double wide = 0.02, half_tube = 0.2;

/* A rod that lies in a tube along x, half of it beyond the end at x = 0.2, on its way out; it has no damping, and hits
   lose nothing. */
static scene leaving(int segments) {
  scene at = on_floor(segments, 0.3, WY_COSSERAT);
  at.rod.shape.origin[0] = 0.05, at.rod.shape.origin[2] = radius - wide;
  at.rod.initial.velocity[0] = wy_constant(0.3);
  at.obstacles[0].name = "tube";
  at.obstacles[0].shape = WY_OBSTACLE_TUBE;
  at.obstacles[0].axis[0] = 1, at.obstacles[0].axis[2] = 0;
  at.obstacles[0].radius = wide, at.obstacles[0].length = 2 * half_tube;
  at.contact.restitution = 1;
  return at;
}

static void start(scene *at, const char *scheme, const char *integrator, double step, double tolerance) {
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  wy_message message = {0};
  def.rods = &at->rod, def.rod_count = 1;
  def.obstacles = at->obstacles, def.obstacle_count = 1;
  def.contact = &at->contact;
  def.gravity[2] = at->gravity[2];
  must(wy_model_create(&def, &at->model, &message), &message);
  sim.solver.scheme = scheme, sim.solver.integrator = integrator;
  sim.solver.first_step = step;
  sim.solver.relative_tolerance = sim.solver.absolute_tolerance = tolerance;
  must(wy_sim_create(at->model, &sim, &at->sim, &message), &message);
}

/* The largest error of the balance on the way out; at the end the rod has tipped over the rim and is gone. */
static double leave(const scene *at) {
  wy_message message = {0};
  const double before = wy_sim_energy(at->sim, 0).total;
  double wrong = 0;
  for (int i = 1; i <= 60; i++) {
    must(wy_sim_advance(at->sim, 0.01 * i, &message), &message);
    const wy_energy now = wy_sim_energy(at->sim, 0);
    wrong = fmax(wrong, fabs(now.total - before - now.work + now.dissipated));
  }
  const wy_view *view = wy_sim_view(at->sim, 0);
  for (int i = 0; i < view->position.count; i++)
    check_above(view->position.values[3 * i], half_tube);
  check_below(view->position.values[3 * (view->position.count - 1) + 2], -2 * wide);
  return wrong;
}

/* What the rod has changed hands of: its weight times the width of the tube. */
static double energy_of(void) {
  return 1100 * 3.14159265358979323846 * radius * radius * 0.3 * 9.81 * wide;
}

static void steps_of_any_length_keep_the_energy(void **state) {
  (void)state;
  static const double steps[2] = {1e-4, 1e-3};
  for (int i = 0; i < 2; i++) {
    scene at = leaving(12);
    start(&at, "mixed", "midpoint", steps[i], 1e-6);
    check_below(leave(&at), 1e-9 * energy_of());
    destroy(&at);
  }
}

/* The error of a step is a tolerance of the size of places and velocities; some thousand steps add up. */
static void error_control_keeps_the_energy(void **state) {
  (void)state;
  scene at = leaving(12);
  start(&at, "staggered", "radau5", 0, 1e-8);
  check_below(leave(&at), 1e-5 * energy_of());
  destroy(&at);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_of_any_length_keep_the_energy),
                                     cmocka_unit_test(error_control_keeps_the_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
