/* SPDX-License-Identifier: MIT */
/* Joined rods that touch obstacles: an angle of two rods falls on a floor, slides and bounces. Explicit methods need
   the forces alone; implicit ones follow the same motion only if the blocks of obstacles at joints are right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/moving.h"

typedef struct dropped {
  wy_rod_def rods[2];
  wy_port ports[2];
  wy_joint_def joint;
  wy_obstacle_def floor;
  wy_contact_def contact;
  wy_model_def def;
  wy_model *model;
  wy_sim *sim;
} dropped;

static wy_rod_def rubber(const char *name) {
  wy_rod_def rod = wy_default_rod_def();
  rod.name = name;
  rod.length = 0.25;
  rod.segments = 5;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius.value = 5e-3;
  rod.material.given = true;
  rod.material.density.value = 1100;
  rod.material.young.value = 5e6;
  rod.material.poisson.value = 0.5;
  rod.initial.velocity[0].value = 0.3;
  rod.initial.velocity[2].value = -0.5;
  return rod;
}

/* The first rod points up by 0.2 radians, the second one across from its end. */
static void drop_angle(dropped *out, wy_rod_kind model, wy_joint_kind kind, const char *integrator, double tolerance) {
  wy_message message = {0};
  out->rods[0] = rubber("along");
  out->rods[1] = rubber("across");
  for (int i = 0; i < 2; i++)
    out->rods[i].kind = model, out->rods[i].shape.origin[2] = 0.03;
  out->rods[0].shape.direction[0] = cos(0.2), out->rods[0].shape.direction[2] = sin(0.2);
  out->rods[1].shape.origin[0] = 0.25 * cos(0.2);
  out->rods[1].shape.origin[2] += 0.25 * sin(0.2);
  out->rods[1].shape.direction[1] = 1, out->rods[1].shape.direction[2] = 0.1;
  out->ports[0] = wy_port_on_rod(0, 0.25), out->ports[1] = wy_port_on_rod(1, 0);
  out->joint = wy_default_joint_def();
  out->joint.name = "elbow", out->joint.kind = kind, out->joint.port_count = 2, out->joint.ports = out->ports;
  out->floor = wy_default_obstacle_def();
  out->floor.name = "floor";
  out->contact = wy_default_contact_def();
  out->contact.friction = 0.3, out->contact.speed = 1e-2;
  out->def = wy_default_model_def();
  out->def.gravity[2] = -9.81;
  out->def.rod_count = 2, out->def.rods = out->rods;
  out->def.joint_count = 1, out->def.joints = &out->joint;
  out->def.obstacle_count = 1, out->def.obstacles = &out->floor;
  out->def.contact = &out->contact;
  must(wy_model_create(&out->def, &out->model, &message), &message);
  wy_sim_def def = wy_default_sim_def();
  def.solver.integrator = integrator;
  def.solver.relative_tolerance = def.solver.absolute_tolerance = tolerance;
  def.end = 1;
  must(wy_sim_create(out->model, &def, &out->sim, &message), &message);
}

static void let_go(dropped *made) {
  wy_sim_destroy(made->sim);
  wy_model_destroy(made->model);
}

/* The elbow and the free end of the second rod. */
static void places(const dropped *made, double elbow[4], double tip[4]) {
  wy_message message = {0};
  must(wy_sim_probe(made->sim, WY_POSITION, 0, 0.25, elbow, &message), &message);
  must(wy_sim_probe(made->sim, WY_POSITION, 1, 0.25, tip, &message), &message);
}

/* All methods meet the same motion. The elbow hits the floor at t = 0.08: after that errors grow a hundredfold. A
   tolerance is one of states; of energies, over a thousand steps and hits, it is a few hundred times that. */
static void check_methods(wy_rod_kind model, wy_joint_kind kind) {
  const double tolerance = 1e-7;
  static const char *const methods[] = {"dop853", "radau5", "rodas"};
  double elbow[3][4], tip[3][4];
  for (int i = 0; i < 3; i++) {
    dropped made;
    wy_message message = {0};
    drop_angle(&made, model, kind, methods[i], tolerance);
    const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
    must(wy_sim_sample(made.sim, 0.12, &message), &message);
    places(&made, elbow[i], tip[i]);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    check_close(energy.total - energy.work + energy.dissipated, start.total, 300 * tolerance * start.total);
    check_above(energy.friction, 1e-3); /* it slides, */
    check_above(energy.impact, 1e-3);   /* and hits the floor */
    check_close(energy.friction + energy.impact, energy.dissipated, 1e-6 * energy.dissipated);
    let_go(&made);
  }
  for (int i = 1; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      check_close(elbow[i][k], elbow[0][k], 3e-5);
      check_close(tip[i][k], tip[0][k], 3e-5);
    }
}

static void test_weld(void **state) {
  (void)state;
  for (int model = WY_COSSERAT; model <= WY_INEXTENSIBLE; model++)
    check_methods((wy_rod_kind)model, WY_WELD);
}

static void test_ball(void **state) {
  (void)state;
  for (int model = WY_COSSERAT; model <= WY_INEXTENSIBLE; model++)
    check_methods((wy_rod_kind)model, WY_BALL);
}

/* A rod lies across another one, whose end is welded to its middle. In pieces it is two rods, which meet there: then
   what obstacles do is the same for both, place by place. */
static void drop_cross(dropped *out, bool whole, const char *integrator, double tolerance) {
  wy_message message = {0};
  drop_angle(out, WY_COSSERAT, WY_WELD, integrator, tolerance);
  let_go(out);
  static wy_rod_def rods[3];
  static wy_port ports[3];
  for (int i = 0; i < 3; i++) {
    rods[i] = rubber(i == 0 ? "across" : i == 1 ? "far" : "stem");
    rods[i].shape.origin[2] = 0.03;
    rods[i].shape.direction[0] = 0, rods[i].shape.direction[1] = 1, rods[i].shape.direction[2] = 0.1;
    rods[i].segments = 4;
  }
  const double norm = sqrt(1.01);
  rods[0].length = whole ? 0.4 : 0.2, rods[0].segments = whole ? 8 : 4;
  rods[1].length = 0.2;
  rods[1].shape.origin[1] = rods[2].shape.origin[1] = 0.2 / norm;
  rods[1].shape.origin[2] = rods[2].shape.origin[2] = 0.03 + 0.02 / norm;
  rods[2].shape.direction[0] = 1, rods[2].shape.direction[1] = 0, rods[2].shape.direction[2] = 0;
  if (whole)
    rods[1] = rods[2];
  ports[0] = wy_port_on_rod(0, 0.2), ports[1] = wy_port_on_rod(1, 0), ports[2] = wy_port_on_rod(2, 0);
  out->joint.kind = WY_WELD, out->joint.port_count = whole ? 2 : 3, out->joint.ports = ports;
  out->contact.slip = 5e-5;
  out->def.rod_count = whole ? 2 : 3, out->def.rods = rods;
  must(wy_model_create(&out->def, &out->model, &message), &message);
  wy_sim_def def = wy_default_sim_def();
  def.solver.integrator = integrator;
  def.solver.relative_tolerance = def.solver.absolute_tolerance = tolerance;
  def.end = 1;
  must(wy_sim_create(out->model, &def, &out->sim, &message), &message);
}

/* The places of both ends of the rod that lies across, and the force of the floor. */
static void run_cross(bool whole, const char *integrator, double places[2][4], double *force) {
  wy_message message = {0};
  wy_obstacle_state floor_now;
  dropped made;
  drop_cross(&made, whole, integrator, 1e-7);
  const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
  must(wy_sim_advance(made.sim, 0.08, &message), &message);
  const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_close(energy.total - energy.work + energy.dissipated, start.total, 1e-5 * start.total);
  check_above(energy.friction, 1e-4);
  check_above(energy.impact, 1e-4);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 0, places[0], &message), &message);
  must(wy_sim_probe(made.sim, WY_POSITION, whole ? 0 : 1, whole ? 0.4 : 0.2, places[1], &message), &message);
  must(wy_sim_obstacle(made.sim, 0, WY_ALL_RODS, &floor_now, &message), &message);
  *force = floor_now.force[2];
  if (whole) { /* each piece shows its own part of the rod */
    const wy_contact_view *view = wy_sim_contact(made.sim, 0);
    assert_int_equal(view->gap.count, 8);
    for (int i = 0; i < 8; i++)
      assert_true(isfinite(view->gap.values[i]));
    check_above(view->deepest, 1e-6);
  }
  let_go(&made);
}

static void test_inner_joint(void **state) {
  (void)state;
  double whole[2][4], pieces[2][4], other[2][4], force[3];
  run_cross(true, "radau5", whole, &force[0]);
  run_cross(false, "radau5", pieces, &force[1]);
  run_cross(true, "dop853", other, &force[2]);
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++) {
      check_close(pieces[end][k], whole[end][k], 1e-5);
      check_close(other[end][k], whole[end][k], 1e-5);
    }
}

/* Saved while it touches, and restored, to the last bit. */
static void test_inner_restart(void **state) {
  (void)state;
  wy_message message = {0};
  dropped made;
  double once[4], again[4];
  drop_cross(&made, true, "radau5", 1e-5);
  must(wy_sim_advance(made.sim, 0.07, &message), &message);
  check_above(wy_sim_energy(made.sim, WY_ALL_RODS).impact, 0);
  const size_t size = wy_sim_save_size(made.sim);
  void *saved = malloc(size);
  must(wy_sim_save(made.sim, saved, size, &message), &message);
  must(wy_sim_advance(made.sim, 0.08, &message), &message);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.4, once, &message), &message);
  must(wy_sim_restore(made.sim, saved, size, &message), &message);
  must(wy_sim_advance(made.sim, 0.08, &message), &message);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.4, again, &message), &message);
  assert_memory_equal(once, again, 3 * sizeof(double));
  free(saved);
  let_go(&made);
}

/* Two rods in line fall flat, with steps of the midpoint rule as long as ten hits. They do not bend or turn, so that no
   step has more to solve than one of a single rod, and none is divided; energy is exact (K8). */
static void check_flat(wy_rod_kind model, wy_joint_kind kind) {
  wy_message message = {0};
  dropped made;
  drop_angle(&made, model, kind, "midpoint", 1e-6);
  let_go(&made);
  for (int i = 0; i < 2; i++) {
    wy_rod_def *rod = &made.rods[i];
    *rod = rubber(i ? "second" : "first");
    rod->kind = model;
    rod->shape.direction[0] = 1;
    rod->shape.origin[0] = 0.25 * i, rod->shape.origin[2] = 0.02;
    rod->initial.velocity[0].value = rod->initial.velocity[2].value = 0;
  }
  made.contact.friction = 0, made.contact.restitution = 1;
  must(wy_model_create(&made.def, &made.model, &message), &message);
  wy_sim_def def = wy_default_sim_def();
  def.solver.integrator = "midpoint", def.solver.first_step = 4e-3;
  def.end = 0.4;
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  const double start = wy_sim_energy(made.sim, WY_ALL_RODS).total, height = start - 0.005 * 0.8475232 * 0.5;
  wy_obstacle_state floor_now;
  double pushed = 0;
  for (int i = 1; i <= 100; i++) {
    must(wy_sim_advance(made.sim, 4e-3 * i, &message), &message);
    must(wy_sim_obstacle(made.sim, 0, WY_ALL_RODS, &floor_now, &message), &message);
    pushed = fmax(pushed, floor_now.force[2]);
    check_close(wy_sim_energy(made.sim, WY_ALL_RODS).total, start, 1e-11 * height);
  }
  check_above(pushed, 1);
  assert_int_equal(wy_sim_statistics(made.sim, 0).steps, 100);
  assert_int_equal(wy_sim_statistics(made.sim, 0).rejected, 0);
  let_go(&made);
}

static void test_flat(void **state) {
  (void)state;
  for (int model = WY_COSSERAT; model <= WY_INEXTENSIBLE; model++)
    for (int kind = 0; kind < 2; kind++)
      check_flat((wy_rod_kind)model, kind ? WY_BALL : WY_WELD);
}

/* Two rods at right angles are put down on the floor: it carries their weight, at the depth of the closed form. */
static void check_rests(wy_rod_kind model, wy_joint_kind kind) {
  static const double weight = 0.8475232 * 0.5, height = 5e-3 - 2.187668639e-05;
  wy_message message = {0};
  dropped made;
  double at[4];
  drop_angle(&made, model, kind, "radau5", 1e-6);
  let_go(&made);
  for (int i = 0; i < 2; i++) {
    wy_rod_def *rod = &made.rods[i];
    rod->shape.direction[2] = 0;
    rod->shape.direction[0] = 1 - i;
    rod->shape.origin[0] = 0.25 * i, rod->shape.origin[2] = 0.02;
    rod->initial.velocity[0].value = rod->initial.velocity[2].value = 0;
  }
  made.contact.settle = true;
  must(wy_model_create(&made.def, &made.model, &message), &message);
  wy_sim_def def = wy_default_sim_def();
  def.statics = true;
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  wy_obstacle_state floor_now;
  must(wy_sim_obstacle(made.sim, 0, WY_ALL_RODS, &floor_now, &message), &message);
  check_close(floor_now.force[2], weight, 1e-7 * weight);
  for (int i = 0; i < 4; i++) {
    must(wy_sim_probe(made.sim, WY_POSITION, i / 2, i % 2 ? 0.25 : 0.1, at, &message), &message);
    check_close(at[2], height, 1e-9);
  }
  let_go(&made);
}

static void test_rest(void **state) {
  (void)state;
  for (int model = WY_COSSERAT; model <= WY_INEXTENSIBLE; model++)
    for (int kind = 0; kind < 2; kind++)
      check_rests((wy_rod_kind)model, kind ? WY_BALL : WY_WELD);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_weld),        cmocka_unit_test(test_ball),
                                     cmocka_unit_test(test_inner_joint), cmocka_unit_test(test_inner_restart),
                                     cmocka_unit_test(test_flat),        cmocka_unit_test(test_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
