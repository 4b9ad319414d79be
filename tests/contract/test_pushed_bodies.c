/* SPDX-License-Identifier: MIT */
/* Groups of rods and bodies with obstacles that the rods push: linear systems against dense ones, power and energy,
   momenta. Friction, restitution and caps are there in all of them. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/contacts.h"
#include "support/group_checks.h"

typedef struct scene {
  test_network net;
  wy_obstacle_def obstacles[3];
  wy_contact_def contact;
} scene;

/* Thick soft rods, so that many stations touch, and slow changes, so that differences are accurate. */
static int add_thick_rod(scene *s, int segments, const double from[3], const double to[3]) {
  wy_rod_def rod = rich_rod(segments);
  rod.segment_lengths = NULL;
  for (int k = 0; k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  rod.contact.radius = wy_constant(0.4);
  rod.contact.stiffness = 2, rod.contact.blend = 0.5;
  return add_rod(&s->net, &rod, from, to);
}

static void add_free_body(scene *s, const char *name, double x, double y, double z) {
  wy_body_def *body = &s->net.bodies[s->net.model.body_count++];
  const double inertia[6] = {0.11, 0.15, 0.2, 0.02, -0.01, 0.03}, origin[3] = {x, y, z},
               frame[4] = {0.8, 0.3, -0.4, 0.2};
  *body = wy_default_body_def();
  body->name = name, body->mass = 0.8;
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, sizeof origin);
  memcpy(body->frame, frame, sizeof frame);
}

static wy_obstacle_def *add_obstacle(scene *s, const char *name, int body, wy_obstacle_shape shape) {
  wy_obstacle_def *obstacle = &s->obstacles[s->net.model.obstacle_count++];
  *obstacle = wy_default_obstacle_def();
  obstacle->name = name, obstacle->body = body, obstacle->shape = shape;
  return obstacle;
}

/* Two rods welded at right angles and one by itself, between two bodies: a ball off the centre of the first, on which
   the end of a rod stands, and a capsule on the second, which a rod ends on by a ball joint if `joined`. */
static void set_scene(scene *s, wy_rod_kind kind, bool joined, double friction) {
  memset(s, 0, sizeof *s);
  begin_network(&s->net);
  s->net.model.gravity[0] = 0.4, s->net.model.gravity[2] = -1.1;
  add_thick_rod(s, 3, (const double[3]){0, 0, 0}, (const double[3]){1, 0, 0.1});
  add_thick_rod(s, 3, (const double[3]){1, 0, 0.1}, (const double[3]){1, 1, 0});
  add_thick_rod(s, 4, (const double[3]){0.2, 0.6, 0.9}, (const double[3]){0.3, 0.7, 0.2});
  for (int i = 0; i < s->net.model.rod_count; i++)
    s->net.rods[i].kind = kind;
  const int weld = add_joint(&s->net, WY_WELD);
  add_end(&s->net, weld, 0, WY_END), add_end(&s->net, weld, 1, WY_START);
  add_free_body(s, "ball", 0.5, 0.2, -0.7);
  add_free_body(s, "stick", 1.1, 1.1, 0.5);
  wy_obstacle_def *ball = add_obstacle(s, "globe", 0, WY_OBSTACLE_SPHERE);
  ball->radius = 0.6;
  ball->position[0] = wy_constant(0.1), ball->position[1] = wy_constant(-0.05);
  wy_obstacle_def *stick = add_obstacle(s, "bar", 1, WY_OBSTACLE_CAPSULE);
  stick->radius = 0.4, stick->length = 1.2;
  stick->axis[0] = 0.2, stick->axis[1] = 0.9, stick->axis[2] = 0.3;
  if (joined) {
    const int joint = add_joint(&s->net, WY_BALL);
    add_port(&s->net, joint, port_at(&s->net, 1, (const double[3]){1, 1, 0})), add_end(&s->net, joint, 1, WY_END);
  }
  s->contact = wy_default_contact_def();
  s->contact.friction = friction, s->contact.slip = 0.3, s->contact.speed = 2, s->contact.restitution = 0.5;
  s->net.model.obstacles = s->obstacles;
  s->net.model.contact = &s->contact;
}

/* Friction remembers a state, and a step from it. */
static test_system make(scene *s) {
  const wy_solver_def solver = wy_default_solver_def();
  test_system made = make_moving_group(network_model(&s->net), &solver);
  wy_system *system = made.system;
  double *u = state_array(&made), drift[WY_DRIFTS] = {0};
  system->type->initial(system, u);
  wy_system_start_contact(system, 0, u);
  disturbed_state(&made, 0.05, 11, u);
  system->type->project(system, 0, u, NULL, drift);
  wy_system_accepted(system, 0.1, u);
  wy_energy energy = {0};
  system->type->energy(system, 0.1, u, &energy);
  check_above(energy.contact, 1e-3);
  free(u);
  return made;
}

/* Differences of fourth order are as good as the law is smooth: its third derivative jumps. Inextensible rods give way
   by 1e-9 of their masses in linear systems, of which up to ten thousand times as much is felt. */
static void check_shifts(bool joined, double friction) {
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    scene s;
    set_scene(&s, (wy_rod_kind)kind, joined, friction);
    test_system made = make(&s);
    const double tolerance = kind == WY_INEXTENSIBLE ? 1e-5 : 1e-6;
    check_group_solve_to(&made, 3, 0, tolerance);
    check_group_solve_to(&made, 20, 0, tolerance);
    check_group_solve_to(&made, 3, 4, tolerance);
    free_system(&made);
  }
}

static void test_linear_systems(void **state) {
  (void)state;
  check_shifts(false, 0);
  check_shifts(true, 0);
}

static void test_linear_systems_with_friction(void **state) {
  (void)state;
  check_shifts(false, 0.4);
  check_shifts(true, 0.4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear_systems),
                                     cmocka_unit_test(test_linear_systems_with_friction)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
