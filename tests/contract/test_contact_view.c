/* SPDX-License-Identifier: MIT */
/* What a simulation shows of contact: loads along rods, forces and moments of obstacles, gaps, records; and obstacles
   that the user moves. */
#include <string.h>

#include "check.h"
#include "math/vec3.h"
#include "scheme/scheme.h"
#include "support/registry.h"

static const double radius = 0.02, stiffness = 50;

/* The skin of a rod at a depth below its onset (K1) with its core (K2), each written down once more. */
static double load_at(double depth) {
  const double b = 0.05 * radius, c = 0.5 * radius, y = depth / b, x = depth / c;
  return stiffness * b * (y * y * y - 0.5 * y * y * y * y) + stiffness * c * x * x * x / (1 - x * x);
}

static double energy_at(double depth) {
  const double b = 0.05 * radius, c = 0.5 * radius, y = depth / b, x = depth / c;
  return stiffness * b * b * (0.25 * pow(y, 4) - 0.1 * pow(y, 5)) + 0.5 * stiffness * c * c * (-log1p(-x * x) - x * x);
}

typedef struct scene {
  wy_rod_def rod;
  wy_obstacle_def obstacles[2];
  wy_contact_def contact;
  test_sim made;
} scene;

/* A rod along x from (2, 0, height), on the plane z = 0; a ball far away that rises. */
static void prepare(scene *s, double height) {
  s->rod = plain_rod(WY_COSSERAT);
  s->rod.contact.radius = wy_constant(radius);
  s->rod.contact.stiffness = stiffness;
  s->rod.shape.origin[0] = 2, s->rod.shape.origin[2] = height;
  s->obstacles[0] = wy_default_obstacle_def();
  s->obstacles[0].name = "floor";
  s->obstacles[1] = wy_default_obstacle_def();
  s->obstacles[1].name = "ball";
  s->obstacles[1].shape = WY_OBSTACLE_SPHERE;
  s->obstacles[1].radius = 0.1;
  s->obstacles[1].position[0] = wy_constant(-1);
  s->contact = wy_default_contact_def();
}

static void make_with(scene *s, const char *scheme) {
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  def.rods = &s->rod, def.rod_count = 1;
  def.obstacles = s->obstacles, def.obstacle_count = 2;
  def.contact = &s->contact;
  sim.solver = solver_of(scheme);
  must(wy_model_create(&def, &s->made.model, &message), &message);
  must(wy_sim_create(s->made.model, &sim, &s->made.sim, &message), &message);
}

static void make(scene *s) {
  make_with(s, "staggered");
}

static wy_obstacle_state obstacle(const scene *s, int index, int rod) {
  wy_message message = {0};
  wy_obstacle_state out;
  must(wy_sim_obstacle(s->made.sim, index, rod, &out, &message), &message);
  return out;
}

/* ---- A rod that lies ---- */

static void a_rod_that_lies_is_carried_by_the_floor(void **state) {
  (void)state;
  const double depth = 0.8 * 0.05 * radius, p = load_at(depth), near = 1e-12 * p;
  scene s = {0};
  prepare(&s, radius - depth);
  make(&s);
  const wy_contact_view *view = wy_sim_contact(s.made.sim, 0);
  assert_non_null(view);
  assert_int_equal(view->load.count, PLAIN_PIECES);
  for (int i = 0; i < PLAIN_PIECES; i++) {
    const double *load = view->load.values + 3 * i;
    check_close(view->load.s[i], (i + 0.5) / PLAIN_PIECES, 1e-15);
    check_close(load[0], 0, near);
    check_close(load[1], 0, near);
    check_close(load[2], p, 20 * near);
    check_close(view->gap.values[i], -depth, 1e-15);
    check_close(view->slip.values[i], 0, 0);
  }
  check_close(view->deepest, depth, 1e-15);
  check_close(view->deepest_over_radius, 0.04, 1e-13);
  check_close(view->first_time, 0, 0);
  const wy_obstacle_state floor = obstacle(&s, 0, WY_ALL_RODS), ball = obstacle(&s, 1, 0);
  check_close(floor.force[2], p, 20 * near);
  check_close(floor.moment[1], -2.5 * p, 50 * near); /* its middle is at x = 2.5 */
  check_close(floor.contact_length, 1, 1e-12);
  check_close(floor.gap, -depth, 1e-15);
  check_close(ball.force[2], 0, 0);
  check_close(ball.contact_length, 0, 0);
  check_close(ball.gap, 2.9 - radius, 0.01); /* stations are inside of segments, the cap at the end */
  check_close(ball.position[0], -1, 1e-15);
  check_close(wy_sim_energy(s.made.sim, 0).contact, energy_at(depth), 1e-12 * energy_at(depth));
  free_sim(&s.made);
}

/* Whatever places a scheme sees obstacles from. */
static void is_carried(const char *scheme, wy_rod_kind kind, const char *name) {
  const double depth = 0.8 * 0.05 * radius, p = load_at(depth);
  if (kind != WY_COSSERAT && wy_scheme_find(scheme)->supports(WY_COSSERAT, NULL) == WY_OK)
    return; /* one kind of rod is enough */
  print_message("%s\n", name);
  scene s = {0};
  prepare(&s, radius - depth);
  s.rod.kind = kind;
  make_with(&s, scheme);
  const wy_contact_view *view = wy_sim_contact(s.made.sim, 0);
  const wy_obstacle_state floor = obstacle(&s, 0, 0);
  for (int i = 0; i < PLAIN_PIECES; i++) {
    check_close(view->load.values[3 * i + 2], p, 1e-10 * p);
    check_close(view->gap.values[i], -depth, 1e-15);
  }
  check_close(floor.force[2], p, 1e-10 * p);
  check_close(floor.moment[1], -2.5 * p, 1e-10 * p);
  check_close(floor.contact_length, 1, 1e-12);
  check_close(wy_sim_energy(s.made.sim, 0).contact, energy_at(depth), 1e-10 * energy_at(depth));
  free_sim(&s.made);
}

static void every_scheme_shows_the_same(void **state) {
  (void)state;
  for_all_schemes(is_carried);
}

static void probes_say_the_same(void **state) {
  (void)state;
  const double depth = 0.8 * 0.05 * radius, p = load_at(depth);
  scene s = {0};
  wy_message message = {0};
  double out[4];
  prepare(&s, radius - depth);
  make(&s);
  static const double places[4] = {0, 0.01, 0.5, 1};
  for (int i = 0; i < 4; i++) {
    must(wy_sim_probe(s.made.sim, WY_CONTACT_LOAD, 0, places[i], out, &message), &message);
    check_close(out[2], p, 1e-10 * p);
  }
  must(wy_sim_probe(s.made.sim, WY_GAP, 0, 0, out, &message), &message);
  check_close(out[0], -depth, 1e-15);
  must(wy_sim_probe(s.made.sim, WY_CONTACT, 0, 0, out, &message), &message);
  check_close(out[0], energy_at(depth), 1e-12 * energy_at(depth));
  assert_int_equal(wy_sim_probe(s.made.sim, WY_CONTACT_FORCE, 0, 0, out, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "wy_sim_obstacle"));
  free_sim(&s.made);
}

static void a_rod_that_touches_nothing_has_no_contact(void **state) {
  (void)state;
  scene s = {0};
  wy_message message = {0};
  double out[4];
  prepare(&s, -1); /* below the floor */
  s.rod.contact.none = true;
  make(&s);
  assert_null(wy_sim_contact(s.made.sim, 0));
  assert_int_equal(wy_sim_probe(s.made.sim, WY_GAP, 0, 0, out, &message), WY_ERROR_INPUT);
  must(wy_sim_probe(s.made.sim, WY_CONTACT_LOAD, 0, 0.5, out, &message), &message);
  check_close(out[2], 0, 0);
  check_close(obstacle(&s, 1, WY_ALL_RODS).position[0], -1, 0);
  const double place[3] = {0};
  assert_int_equal(wy_sim_move_obstacle(s.made.sim, 0, &(wy_pose){.position = place}, 1, &message), WY_ERROR_INPUT);
  free_sim(&s.made);
}

/* A rod that stands is carried by its end face: the force is shown on the segment of that end. */
static void a_rod_that_stands_is_carried_by_its_end(void **state) {
  (void)state;
  const double depth = 0.8 * 0.05 * radius;
  scene s = {0};
  prepare(&s, radius - depth);
  s.rod.shape.direction[0] = 0, s.rod.shape.direction[2] = 1;
  make(&s);
  const wy_obstacle_state floor = obstacle(&s, 0, 0);
  const wy_contact_view *view = wy_sim_contact(s.made.sim, 0);
  check_close(floor.force[2], radius * load_at(depth), 1e-10 * radius * load_at(depth));
  check_close(view->load.values[2] / PLAIN_PIECES, floor.force[2], 1e-10 * floor.force[2]);
  check_close(view->load.values[5], 0, 0);
  check_close(floor.contact_length, 0, 0);
  free_sim(&s.made);
}

/* ---- Obstacles that are moved ---- */

/* Pushed up against a rod that floats, the floor does work, which the rod gets. */
static void a_floor_that_is_moved_lifts_a_rod(void **state) {
  (void)state;
  scene s = {0};
  wy_message message = {0};
  prepare(&s, 1.5 * radius);
  make(&s);
  const double up[3] = {0, 0, radius}, upwards[3] = {0, 0, 0.1};
  must(wy_sim_move_obstacle(s.made.sim, 0, &(wy_pose){.position = up, .velocity = upwards}, 0.3, &message), &message);
  static char saved[1 << 20];
  const size_t size = wy_sim_save_size(s.made.sim);
  check_at_most(size, sizeof saved);
  for (int again = 0; again < 2; again++) {
    if (again)
      must(wy_sim_restore(s.made.sim, saved, size, &message), &message);
    else
      must(wy_sim_advance(s.made.sim, 0.2, &message), &message),
          must(wy_sim_save(s.made.sim, saved, size, &message), &message);
    must(wy_sim_advance(s.made.sim, 0.3, &message), &message);
    const wy_obstacle_state floor = obstacle(&s, 0, 0);
    for (int k = 0; k < 3; k++) {
      check_close(floor.position[k], up[k], 1e-15);
      check_close(floor.velocity[k], upwards[k], 1e-14);
    }
  }
  must(wy_sim_advance(s.made.sim, 0.5, &message), &message);
  check_close(obstacle(&s, 0, 0).position[2], radius + 0.02, 1e-15);
  const wy_energy energy = wy_sim_energy(s.made.sim, 0);
  check_above(energy.work, 0);
  check_close(energy.total, energy.work - energy.dissipated, 1e-6 * energy.work);
  check_above(wy_sim_contact(s.made.sim, 0)->first_time, 0);
  free_sim(&s.made);
}

static void wrong_requests_are_refused(void **state) {
  (void)state;
  scene s = {0};
  wy_message message = {0};
  wy_obstacle_state out;
  const double place[3] = {0};
  prepare(&s, 1);
  make(&s);
  wy_sim *sim = s.made.sim;
  assert_int_equal(wy_sim_obstacle(sim, 2, 0, &out, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_obstacle(sim, 0, 1, &out, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_obstacle(sim, 0, -2, &out, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_obstacle(NULL, 0, 0, &out, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_obstacle(sim, 0, 0, NULL, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_move_obstacle(sim, -1, &(wy_pose){.position = place}, 1, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_move_obstacle(sim, 0, &(wy_pose){.position = place}, 0, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_move_obstacle(sim, 0, &(wy_pose){0}, 1, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_move_obstacle(sim, 0, NULL, 1, &message), WY_ERROR_INPUT);
  assert_null(wy_sim_contact(sim, 1));
  assert_null(wy_sim_contact(NULL, 0));
  free_sim(&s.made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_that_lies_is_carried_by_the_floor),
      cmocka_unit_test(every_scheme_shows_the_same),
      cmocka_unit_test(probes_say_the_same),
      cmocka_unit_test(a_rod_that_touches_nothing_has_no_contact),
      cmocka_unit_test(a_rod_that_stands_is_carried_by_its_end),
      cmocka_unit_test(a_floor_that_is_moved_lifts_a_rod),
      cmocka_unit_test(wrong_requests_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
