/* SPDX-License-Identifier: MIT */
/* Obstacles and the laws of contact of a model: what is refused and how it is said, what is resolved, what tells models
   apart, and which laws hold between a rod and an obstacle. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/contact.h"
#include "model/model.h"
#include "support/rods.h"
#include "withy/expr.h"

enum { RODS = 2, OBSTACLES = 3, PAIRS = 3 };

static const double pi = 3.14159265358979323846;

/* A definition with room, so that one thing can be changed: a wire and a strip above a floor, a drum and a hole. */
typedef struct setting {
  wy_rod_def rods[RODS];
  wy_body_def body;
  wy_obstacle_def obstacles[OBSTACLES];
  wy_contact_pair pairs[PAIRS];
  wy_contact_def contact;
  wy_model_def model;
} setting;

static wy_rod_def plain_rod(const char *name) {
  wy_rod_def rod = wy_default_rod_def();
  rod.name = name;
  rod.length = 1;
  rod.section = (wy_section){.shape = WY_CIRCLE, .radius = wy_constant(0.01)};
  rod.material.given = true;
  rod.material.density = wy_constant(1000);
  rod.material.young = wy_constant(1e6);
  rod.material.poisson = wy_constant(0.25);
  return rod;
}

static void set_example(setting *it) {
  memset(it, 0, sizeof *it);
  it->rods[0] = plain_rod("wire");
  it->rods[1] = plain_rod("strip");
  it->rods[1].section = (wy_section){.shape = WY_RECTANGLE, .width = wy_constant(0.03), .height = wy_constant(0.008)};
  it->body = wy_default_body_def();
  it->body.name = "hub", it->body.mass = 1;
  for (int i = 0; i < 3; i++)
    it->body.inertia[i] = 1, it->body.position[i] = WY_HELD;
  it->body.rotation = WY_HELD;
  for (int i = 0; i < OBSTACLES; i++)
    it->obstacles[i] = wy_default_obstacle_def();
  it->obstacles[0].name = "floor";
  it->obstacles[0].friction = 0.5;
  it->obstacles[1].name = "drum";
  it->obstacles[1].shape = WY_OBSTACLE_CYLINDER;
  it->obstacles[1].radius = 0.05, it->obstacles[1].length = 0.2;
  it->obstacles[2].name = "hole";
  it->obstacles[2].shape = WY_OBSTACLE_TUBE;
  it->obstacles[2].radius = 2;
  it->pairs[0] = (wy_contact_pair){0, 1, 0.1, NAN};
  it->pairs[1] = (wy_contact_pair){1, 0, 0, 0.25};
  it->contact = wy_default_contact_def();
  it->contact.friction = 0.3;
  it->contact.pairs = it->pairs, it->contact.pair_count = 2;
  it->model = wy_default_model_def();
  it->model.gravity[2] = -9.81;
  it->model.rods = it->rods, it->model.rod_count = RODS;
  it->model.bodies = &it->body, it->model.body_count = 1;
  it->model.obstacles = it->obstacles, it->model.obstacle_count = OBSTACLES;
  it->model.contact = &it->contact;
}

static wy_model *make(const setting *it) {
  wy_model *model = NULL;
  wy_message message = {0};
  must(wy_model_create(&it->model, &model, &message), &message);
  return model;
}

/* ---- What is refused ---- */

static void check_refused(const setting *it, const char *path, const char *text) {
  wy_model *model = NULL;
  wy_message message = {.text = ""};
  const wy_status status = wy_model_create(&it->model, &model, &message);
  if (status != WY_ERROR_INPUT || model || strcmp(message.path, path) != 0 || strcmp(message.text, text) != 0)
    fail_msg("status %d\ngot  '%s': '%s'\nwant '%s': '%s'", (int)status, message.path, message.text, path, text);
}

/* The example with one change. */
#define REFUSED(change, path, text)                                                                                    \
  do {                                                                                                                 \
    setting it;                                                                                                        \
    set_example(&it);                                                                                                  \
    change;                                                                                                            \
    check_refused(&it, path, text);                                                                                    \
  } while (0)
#define FLOOR (it.obstacles[0])
#define DRUM (it.obstacles[1])
#define HOLE (it.obstacles[2])

static const char *const positive = "found 0; expected a positive number";

static void lists_and_names(void **state) {
  (void)state;
  static const char *const twice = "a second time; expected a different name for each rod, body and obstacle";
  char text[160];
  REFUSED(it.model.obstacles = NULL, "obstacles", "found 3 obstacles without an array of them");
  REFUSED(it.model.obstacle_count = -1, "obstacles", "found -1 obstacles without an array of them");
  REFUSED(DRUM.cookie = 7, "obstacles[1]", "the definition was not made by wy_default_obstacle_def of this version");
  REFUSED(it.contact.cookie = 7, "contact", "the definition was not made by wy_default_contact_def of this version");
  snprintf(text, sizeof text, "found 'wire' %s", twice);
  REFUSED(DRUM.name = "wire", "obstacles[1].name", text);
  snprintf(text, sizeof text, "found 'hub' %s", twice);
  REFUSED(DRUM.name = "hub", "obstacles[1].name", text);
  snprintf(text, sizeof text, "found 'floor' %s", twice);
  REFUSED(HOLE.name = "floor", "obstacles[2].name", text);
  REFUSED(FLOOR.name = "", "obstacles[0].name", "is empty; expected a name");
  REFUSED(FLOOR.name = NULL, "obstacles[0].name", "is empty; expected a name");
  REFUSED(FLOOR.name = "ground", "obstacles.ground.name",
          "found 'ground', which is what does not move; expected another name");
}

static void sizes(void **state) {
  (void)state;
  REFUSED(FLOOR.shape = (wy_obstacle_shape)8, "obstacles.floor.shape",
          "found number 8; expected one of wy_obstacle_shape");
  REFUSED(DRUM.radius = 0, "obstacles.drum.radius", positive);
  REFUSED(DRUM.radius = NAN, "obstacles.drum.radius", "found nan; expected a positive number");
  REFUSED(DRUM.radius = INFINITY, "obstacles.drum.radius", "found inf; expected a positive number");
  REFUSED(DRUM.length = 0, "obstacles.drum.length", positive);
  REFUSED(DRUM.length = -INFINITY, "obstacles.drum.length", "found -inf; expected a positive number");
  REFUSED((DRUM.shape = WY_OBSTACLE_CAPSULE, DRUM.length = INFINITY), "obstacles.drum.length",
          "is missing; expected a number, the distance of the centres of its caps");
  REFUSED(FLOOR.shape = WY_OBSTACLE_SPHERE, "obstacles.floor.radius", positive);
  REFUSED((DRUM.shape = WY_OBSTACLE_BOX, DRUM.dimensions[0] = 1), "obstacles.drum.size[1]", positive);
  REFUSED(DRUM.shape = WY_OBSTACLE_TORUS, "obstacles.drum.thickness", positive);
  REFUSED((DRUM.shape = WY_OBSTACLE_TORUS, DRUM.thickness = 0.05), "obstacles.drum.thickness",
          "found 0.05; expected less than the radius 0.05 of the centre circle");
  REFUSED(HOLE.radius = 0.0101, "obstacles.hole.radius", "0.0101 is less than the rod 'wire' needs (0.0102)");
}

static void grids(void **state) {
  (void)state;
  static float values[4 * 5 * 6];
  const wy_distance_grid grid = {{4, 5, 6}, {0, 0, 0}, {1, 1, 1}, values};
#define GRID(change) (FLOOR.shape = WY_OBSTACLE_DISTANCE, FLOOR.grid = grid, (change))
  REFUSED(GRID(FLOOR.grid.points[1] = 3), "obstacles.floor.grid.points[1]",
          "found 3; expected at least 4 points along each axis");
  REFUSED(GRID(FLOOR.grid.points[0] = FLOOR.grid.points[2] = 1 << 16), "obstacles.floor.grid.points",
          "found 2.14748e+10 points; expected at most 2147483647");
  REFUSED(GRID(FLOOR.grid.step[2] = 0), "obstacles.floor.grid.step[2]", positive);
  REFUSED(GRID(FLOOR.grid.step[0] = NAN), "obstacles.floor.grid.step[0]", "found nan; expected a positive number");
  REFUSED(GRID(FLOOR.grid.origin[1] = INFINITY), "obstacles.floor.grid.origin[1]",
          "found inf; expected a finite number");
  REFUSED(GRID(FLOOR.grid.values = NULL), "obstacles.floor.grid.values", "is missing; expected 120 distances");
  values[1 * 30 + 3 * 6 + 5] = INFINITY;
  REFUSED(GRID(FLOOR.friction = 1), "obstacles.floor.grid.values", "found inf at [1][3][5]; expected finite distances");
  values[1 * 30 + 3 * 6 + 5] = 0;
  setting it;
  set_example(&it);
  GRID(FLOOR.d1[1] = 1);
  wy_model *model = make(&it);
  const wy_distance_grid *copy = &wy_model_obstacle(model, 0)->grid;
  assert_true(copy->values != values);
  assert_memory_equal(copy->values, values, sizeof values);
  /* Rods of a simulation cannot touch it; those that touch nothing do not mind. */
  wy_message message = {.text = ""};
  wy_sim_def def = wy_default_sim_def();
  wy_sim *sim = NULL;
  assert_int_equal(wy_sim_create(model, &def, &sim, &message), WY_ERROR_SUPPORT);
  assert_null(sim);
  assert_string_equal(message.path, "obstacles.floor.shape");
  assert_non_null(strstr(message.text, "batches alone"));
  wy_model_destroy(model);
  it.contact.pair_count = 0;
  it.rods[0].contact.none = it.rods[1].contact.none = true;
  model = make(&it);
  must(wy_sim_create(model, &def, &sim, &message), &message);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
}

static void directions(void **state) {
  (void)state;
  static const char *const zero = "found a vector without length; expected a direction in space";
  static const char *const infinite = "is not finite; expected three finite numbers";
  REFUSED(FLOOR.axis[2] = 0, "obstacles.floor.normal", zero);
  REFUSED(DRUM.axis[2] = 0, "obstacles.drum.axis", zero);
  REFUSED(DRUM.axis[0] = NAN, "obstacles.drum.axis", infinite);
  REFUSED(DRUM.rotation_axis[2] = 0, "obstacles.drum.rotation.axis", zero);
  REFUSED(DRUM.rotation_axis[1] = INFINITY, "obstacles.drum.rotation.axis", infinite);
#define BOX(change)                                                                                                    \
  (DRUM.shape = WY_OBSTACLE_BOX, DRUM.dimensions[0] = DRUM.dimensions[1] = DRUM.dimensions[2] = 1, (change))
  REFUSED(BOX(DRUM.d1[2] = 3), "obstacles.drum.d1", "is parallel to the axis; expected a vector across it");
  REFUSED(BOX(DRUM.d1[0] = NAN), "obstacles.drum.d1", infinite);
}

/* t, whose rate is 1. */
static void steady_at(const void *context, wy_variable variable, double s, double t, double jet[3]) {
  (void)context, (void)variable, (void)s;
  jet[0] = t, jet[1] = 1, jet[2] = 0;
}

static wy_signal steady(void) {
  return (wy_signal){0, steady_at, NULL, WY_TIME};
}

static void motions(void **state) {
  (void)state;
  REFUSED(FLOOR.position[1] = wy_constant(NAN), "obstacles.floor.position[1]",
          "found nan at t = 0; expected a finite number");
  REFUSED(FLOOR.angle = wy_constant(0.1), "obstacles.floor.rotation.angle",
          "found 0.1 at t = 0; expected 0, since the angle is measured from the axes");
  REFUSED(FLOOR.surface_velocity[0] = NAN, "obstacles.floor.surface_velocity",
          "is not finite; expected three finite numbers");
  REFUSED(FLOOR.surface_velocity[2] = 0.5, "obstacles.floor.surface_velocity",
          "has the component 0.5 along the normal; expected one along the plane");
  REFUSED(FLOOR.body = 1, "obstacles.floor.body", "found body number 1 of 1; expected -1 or a body");
  REFUSED(FLOOR.body = -2, "obstacles.floor.body", "found body number -2 of 1; expected -1 or a body");
  REFUSED((FLOOR.body = 0, FLOOR.position[0] = steady()), "obstacles.floor.position[0]",
          "found a function of time; expected a number, since the obstacle moves with its body");
  REFUSED((FLOOR.body = 0, FLOOR.angle = steady()), "obstacles.floor.rotation",
          "found one beside a body; expected none, since the obstacle turns with its body");
  REFUSED((FLOOR.body = 0, FLOOR.surface_velocity[0] = 1), "obstacles.floor.surface_velocity",
          "found one beside a body; expected none, since the surface moves with it");
}

static void laws(void **state) {
  (void)state;
  static const char *const range = "expected 0 to 1, speed after over speed before a hit";
  static const char *const negative = "found -0.5; expected a number that is not negative";
  char text[160];
  REFUSED(FLOOR.friction = -0.5, "obstacles.floor.friction", negative);
  REFUSED(it.contact.friction = -0.5, "contact.friction", negative);
  REFUSED(it.contact.friction = NAN, "contact.friction", "found nan; expected a number that is not negative");
  REFUSED(it.pairs[1].friction = -0.5, "contact.pairs[1].friction", negative);
  snprintf(text, sizeof text, "found 1.5; %s", range);
  REFUSED(FLOOR.restitution = 1.5, "obstacles.floor.restitution", text);
  REFUSED(it.contact.restitution = 1.5, "contact.restitution", text);
  REFUSED(it.pairs[0].restitution = 1.5, "contact.pairs[0].restitution", text);
  REFUSED(it.contact.slip = -1, "contact.friction.slip", "found -1; expected a positive length");
  REFUSED(it.contact.speed = INFINITY, "contact.friction.speed", "found inf; expected a positive speed");
  REFUSED(it.contact.pairs = NULL, "contact.pairs", "found 2 pairs without an array of them");
  REFUSED(it.contact.pair_count = -1, "contact.pairs", "found -1 pairs without an array of them");
  REFUSED(it.pairs[1].rod = 2, "contact.pairs[1].between", "found rod number 2; expected 0 to 1");
  REFUSED(it.pairs[1].obstacle = -1, "contact.pairs[1].between", "found obstacle number -1; expected 0 to 2");
  REFUSED(it.rods[0].contact.none = true, "contact.pairs[0].between",
          "found rod 'wire', which touches nothing (contact: false)");
  REFUSED(it.pairs[1] = it.pairs[0], "contact.pairs[1].between",
          "found rod 'wire' and obstacle 'drum' a second time; expected one entry");
  REFUSED(it.pairs[0].friction = NAN, "contact.pairs[0]",
          "has neither friction nor restitution; expected one of them, or both");
}

static void tapers_to_nothing(const void *context, wy_variable variable, double s, double t, double jet[3]) {
  (void)context, (void)variable, (void)t;
  jet[0] = 0.51 - s, jet[1] = jet[2] = 0;
}

static void skins(void **state) {
  (void)state;
#define WIRE (it.rods[0])
  REFUSED(WIRE.contact.radius = wy_constant(-1), "rods[0].contact.radius", "found -1; expected a positive number");
  REFUSED(WIRE.contact.radius = ((wy_signal){0, tapers_to_nothing, NULL, WY_ARC}), "rods[0].contact.radius",
          "found -0.015 at s = 0.525; expected a positive number");
  REFUSED(WIRE.contact.stiffness = -1, "rods[0].contact.stiffness", "found -1; expected a positive number");
  REFUSED(WIRE.contact.blend = 0.6, "rods[0].contact.blend", "found 0.6; expected 0 to 0.5, a share of the radius");
  REFUSED(WIRE.contact.blend = NAN, "rods[0].contact.blend", "found nan; expected 0 to 0.5, a share of the radius");
  REFUSED((WIRE.section = (wy_section){.shape = WY_EXPLICIT,
                                       .area = wy_constant(1e-4),
                                       .I1 = wy_constant(1e-9),
                                       .I2 = wy_constant(1e-9),
                                       .J = wy_constant(2e-9)}),
          "rods[0].contact.radius", "missing; expected a number, because the section is explicit");
  setting it;
  set_example(&it);
  WIRE.has_stiffness = WIRE.has_inertia = true;
  for (int i = 0; i < 6; i++)
    WIRE.stiffness[i] = WIRE.inertia[i % 4] = wy_constant(1);
  WIRE.material.given = false;
  check_refused(&it, "rods[0].contact.stiffness", "missing; expected a number, because the rod has no material");
  WIRE.section.shape = WY_SECTION_NONE;
  check_refused(&it, "rods[0].contact.radius", "missing; expected a number, because the rod has no section");
  WIRE.contact.radius = wy_constant(0.005), WIRE.contact.stiffness = 1e5;
  wy_model_destroy(make(&it));
  /* What touches nothing needs neither. */
  WIRE.contact = (wy_rod_contact){.none = true};
  it.contact.pair_count = 0;
  wy_model_destroy(make(&it));
  WIRE.contact.none = false;
  it.model.obstacle_count = 0;
  wy_model_destroy(make(&it));
}

/* ---- What is resolved ---- */

static void directions_are_unit_vectors(void **state) {
  (void)state;
  setting it;
  set_example(&it);
  DRUM.shape = WY_OBSTACLE_BOX;
  DRUM.dimensions[0] = DRUM.dimensions[1] = DRUM.dimensions[2] = 1;
  DRUM.axis[2] = 0, DRUM.axis[0] = 3, DRUM.axis[1] = 4;
  DRUM.d1[0] = 1;
  HOLE.rotation_axis[0] = 1;
  wy_model *model = make(&it);
  const wy_obstacle_def *box = wy_model_obstacle(model, 1), *hole = wy_model_obstacle(model, 2);
  const double axis[3] = {0.6, 0.8, 0}, d1[3] = {0.8, -0.6, 0};
  for (int i = 0; i < 3; i++) {
    check_close(box->axis[i], axis[i], 1e-15);
    check_close(box->d1[i], d1[i], 1e-15);
  }
  check_close(hypot(hole->rotation_axis[0], hole->rotation_axis[2]), 1, 1e-15);
  const double *normal = hole->d1; /* some normal of the axis */
  check_close(normal[0] * hole->axis[0] + normal[1] * hole->axis[1] + normal[2] * hole->axis[2], 0, 1e-15);
  assert_int_equal(wy_model_obstacle_count(model), 3);
  assert_int_equal(wy_model_obstacle_index(model, "hole"), 2);
  assert_int_equal(wy_model_obstacle_index(model, "wire") + wy_model_obstacle_index(model, NULL), -2);
  assert_int_equal(wy_model_obstacle_count(NULL), 0);
  assert_null(wy_model_obstacle(model, 3));
  assert_null(wy_model_obstacle(model, -1));
  assert_true(wy_model_obstacle(model, 0)->name != it.obstacles[0].name);
  assert_true(wy_model_contact_def(model)->pairs != it.pairs);
  wy_model_destroy(model);
}

static void rods_have_radius_and_stiffness(void **state) {
  (void)state;
  wy_rod_def rod = plain_rod("wire");
  const double modulus = 1e6 / (1 - 0.0625);
  check_close(wy_contact_radius(&rod, 0.5), 0.01, 0);
  check_close(wy_contact_stiffness(&rod, 0.5), pi / 4 * modulus, 1e-9);
  rod.section = (wy_section){.shape = WY_ANNULUS, .outer = wy_constant(0.01), .inner = wy_constant(0.008)};
  check_close(wy_contact_radius(&rod, 0.5), 0.01, 0);
  /* Mean radius 0.009, wall 0.002: a ratio of 4.5. */
  check_close(wy_contact_stiffness(&rod, 0.5), modulus / (4 / pi + 0.893 * 91.125), 1e-8);
  rod.section = (wy_section){.shape = WY_RECTANGLE, .width = wy_constant(0.03), .height = wy_constant(0.008)};
  check_close(wy_contact_radius(&rod, 0.5), 0.004, 0);
  rod.material.has_shear = true, rod.material.shear = wy_constant(0.4e6); /* nu = 0.25 */
  check_close(wy_contact_stiffness(&rod, 0.5), pi / 4 * modulus, 1e-9);
  rod.material.shear = wy_constant(1); /* no material has such a nu: 0.5 */
  check_close(wy_contact_stiffness(&rod, 0.5), pi / 4 * 1e6 / 0.75, 1e-9);
  rod.contact.stiffness = 7, rod.contact.radius = wy_constant(0.02);
  check_close(wy_contact_stiffness(&rod, 0.5), 7, 0);
  check_close(wy_contact_radius(&rod, 0.5), 0.02, 0);
  rod.contact.radius = (wy_signal){0, tapers_to_nothing, NULL, WY_ARC};
  rod.length = 0.25;
  check_close(wy_contact_largest_radius(&rod), 0.51, 0);
  check_close(wy_contact_smallest_radius(&rod), 0.26, 1e-15);
}

static void what_touches(void **state) {
  (void)state;
  setting it;
  set_example(&it);
  it.rods[1].contact.none = true;
  it.contact.pair_count = 1;
  wy_model *model = make(&it);
  assert_true(wy_rod_touches(model, 0) && !wy_rod_touches(model, 1));
  wy_model_destroy(model);
  it.model.obstacle_count = 0, it.model.contact = NULL;
  model = make(&it);
  assert_false(wy_rod_touches(model, 0));
  check_close(wy_model_contact_def(model)->restitution, 0.5, 0);
  wy_model_destroy(model);
}

/* ---- The laws of a pair ---- */

static void pairs_are_over_obstacles_over_all(void **state) {
  (void)state;
  setting it;
  set_example(&it);
  it.contact.restitution = 0.75;
  FLOOR.restitution = 0.5;
  wy_model *model = make(&it);
  const wy_pair_laws wire_floor = wy_model_pair_laws(model, 0, 0, 1), wire_drum = wy_model_pair_laws(model, 0, 1, 1),
                     strip_floor = wy_model_pair_laws(model, 1, 0, 1), wire_hole = wy_model_pair_laws(model, 0, 2, 1);
  check_close(wire_floor.friction, 0.5, 0);
  check_close(wire_floor.restitution, 0.5, 0);
  check_close(wire_drum.friction, 0.1, 0);
  check_close(wire_drum.restitution, 0.75, 0);
  check_close(strip_floor.friction, 0, 0);
  check_close(strip_floor.restitution, 0.25, 0);
  check_close(wire_hole.friction, 0.3, 0);
  assert_true(wire_hole.stick);
  /* r/100 and r/10000 of the smallest radius. */
  check_close(wire_hole.slip, 1e-4, 1e-19);
  check_close(wire_hole.slip_rest, 1e-6, 1e-21);
  check_close(strip_floor.slip, 4e-5, 1e-19);
  wy_model_destroy(model);
}

static void speeds_are_small_beside_the_run(void **state) {
  (void)state;
  setting it;
  set_example(&it);
  it.contact.friction = 100; /* the speed at which a rod comes to rest within z_s is no limit */
  wy_model *model = make(&it);
  check_close(wy_model_pair_laws(model, 0, 2, 1).speed, 1e-3 * sqrt(9.81), 1e-16);
  /* sqrt(0.1 g r/100)/2 = 4.95e-3 is above 1e-3 sqrt(g L); with less friction it is below. */
  wy_model_destroy(model);
  it.pairs[0].friction = 1e-3;
  model = make(&it);
  check_close(wy_model_pair_laws(model, 0, 1, 1).speed, 0.5 * sqrt(1e-3 * 9.81 * 1e-4), 1e-16);
  wy_model_destroy(model);
  it.model.gravity[2] = 0;
  model = make(&it); /* L/(100 end), where nothing else moves */
  check_close(wy_model_pair_laws(model, 0, 2, 0.5).speed, 1e-3 / 50, 1e-18);
  check_close(wy_model_pair_laws(model, 0, 2, INFINITY).speed, 1e-3 / (100 * wy_model_period(model, 0)), 1e-16);
  wy_model_destroy(model);
  HOLE.surface_velocity[0] = 3; /* what is moved counts: surfaces, obstacles, bodies, ends */
  DRUM.angle = steady();
  FLOOR.position[2] = steady();
  model = make(&it);
  check_close(wy_model_pair_laws(model, 0, 2, 1).speed, 3e-3, 1e-18);
  check_close(wy_model_pair_laws(model, 0, 1, 1).speed, 0.05e-3, 1e-18); /* a radian a second, radius 0.05 */
  check_close(wy_model_pair_laws(model, 0, 0, 1).speed, 1e-3, 1e-18);
  wy_model_destroy(model);
  HOLE.surface_velocity[0] = 0, DRUM.angle = FLOOR.position[2] = wy_constant(0);
  it.body.rotation = WY_DRIVEN, it.body.axis[2] = 1, it.body.angle = steady();
  DRUM.body = 0, DRUM.position[0] = wy_constant(2);
  it.rods[1].ends[WY_END].position[1] = WY_DRIVEN, it.rods[1].ends[WY_END].path[1] = steady();
  model = make(&it);
  check_close(wy_model_pair_laws(model, 0, 1, 1).speed, 2.05e-3, 1e-18); /* at a distance of 2 + 0.05 */
  check_close(wy_model_pair_laws(model, 1, 2, 1).speed, 1e-3, 1e-18);
  wy_model_destroy(model);
}

static void slip_and_speed_may_be_given(void **state) {
  (void)state;
  setting it;
  set_example(&it);
  it.contact.slip = 5e-5, it.contact.speed = 3e-3, it.contact.stick = false;
  wy_model *model = make(&it);
  const wy_pair_laws given = wy_model_pair_laws(model, 0, 2, 1);
  check_close(given.slip, 5e-5, 0);
  check_close(given.slip_rest, 5e-5, 0);
  check_close(given.speed, 3e-3, 0);
  assert_false(given.stick);
  wy_model_destroy(model);
}

/* ---- What tells models apart, and how far tables reach ---- */

static void identify(const setting *it, uint64_t parts[WY_MODEL_PARTS]) {
  wy_model *model = make(it);
  wy_model_identify(model, 1, parts);
  wy_model_destroy(model);
}

#define DIFFERS(part, change)                                                                                          \
  do {                                                                                                                 \
    setting it;                                                                                                        \
    uint64_t before[WY_MODEL_PARTS], after[WY_MODEL_PARTS];                                                            \
    set_example(&it);                                                                                                  \
    identify(&it, before);                                                                                             \
    change;                                                                                                            \
    identify(&it, after);                                                                                              \
    for (int p = 0; p < WY_MODEL_PARTS; p++)                                                                           \
      if ((before[p] != after[p]) != (p == (part)))                                                                    \
        fail_msg("%s: part %d", #change, p);                                                                           \
  } while (0)

/* A floor as a grid of 4 x 4 x 4 points; one of its distances may be another one, or its place. */
static void make_grid(wy_obstacle_def *floor, float change, double shift) {
  static float values[2][64];
  float *own = values[change != 0];
  for (int i = 0; i < 64; i++)
    own[i] = (float)(i % 4) - 1.5F + (i == 17 ? change : 0);
  floor->shape = WY_OBSTACLE_DISTANCE;
  floor->grid = (wy_distance_grid){{4, 4, 4}, {shift, -1.5, -1.5}, {1, 1, 1}, own};
}

static void every_change_is_noticed(void **state) {
  (void)state;
  setting grids[4];
  uint64_t parts[4][WY_MODEL_PARTS];
  for (int k = 0; k < 4; k++) {
    set_example(&grids[k]);
    make_grid(&grids[k].obstacles[0], k == 1 ? 1e-6F : 0, k == 2 ? -1 : -1.5);
    identify(&grids[k], parts[k]);
  }
  assert_int_equal(parts[0][WY_MODEL_OBSTACLES], parts[3][WY_MODEL_OBSTACLES]);
  assert_int_not_equal(parts[0][WY_MODEL_OBSTACLES], parts[1][WY_MODEL_OBSTACLES]);
  assert_int_not_equal(parts[0][WY_MODEL_OBSTACLES], parts[2][WY_MODEL_OBSTACLES]);
  DIFFERS(-1, (void)0);
  DIFFERS(WY_MODEL_OBSTACLES, DRUM.radius = 0.06);
  DIFFERS(WY_MODEL_OBSTACLES, DRUM.position[0] = wy_constant(1));
  DIFFERS(WY_MODEL_OBSTACLES, DRUM.angle = steady());
  DIFFERS(WY_MODEL_OBSTACLES, DRUM.friction = 0.1);
  DIFFERS(WY_MODEL_OBSTACLES, FLOOR.surface_velocity[0] = 1);
  DIFFERS(WY_MODEL_OBSTACLES, it.model.obstacle_count = 2);
  DIFFERS(WY_MODEL_OBSTACLES, it.contact.restitution = 0.4);
  DIFFERS(WY_MODEL_OBSTACLES, it.contact.settle = true);
  DIFFERS(WY_MODEL_OBSTACLES, it.pairs[1].friction = 0.2);
  DIFFERS(WY_MODEL_RODS, it.rods[0].contact.blend = 0.1);
  DIFFERS(WY_MODEL_RODS, it.rods[0].contact.radius = wy_constant(0.011));
}

static void tables_reach_to_the_end(void **state) {
  (void)state;
  const double argument[] = {0, 1, 2}, values[] = {0, 1, 3};
  wy_spline_def def = wy_default_spline_def();
  def.name = "way", def.rows = 3, def.columns = 1, def.argument = argument, def.values = values;
  wy_spline *table = NULL;
  wy_message message = {0};
  must(wy_spline_create(&def, &table, &message), &message);
  setting it;
  set_example(&it);
  DRUM.angle = wy_spline_signal(table, 0);
  wy_model *model = make(&it);
  must(wy_model_check_reach(model, 2, &message), &message);
  assert_int_equal(wy_model_check_reach(model, 2.5, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "obstacles.drum.rotation.angle");
  wy_model_destroy(model);
  DRUM.angle = wy_constant(0), DRUM.position[2] = wy_spline_signal(table, 0);
  model = make(&it);
  assert_int_equal(wy_model_check_reach(model, 2.5, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "obstacles.drum.position[2]");
  wy_model_destroy(model);
  wy_spline_destroy(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists_and_names),
                                     cmocka_unit_test(grids),
                                     cmocka_unit_test(sizes),
                                     cmocka_unit_test(directions),
                                     cmocka_unit_test(motions),
                                     cmocka_unit_test(laws),
                                     cmocka_unit_test(skins),
                                     cmocka_unit_test(directions_are_unit_vectors),
                                     cmocka_unit_test(rods_have_radius_and_stiffness),
                                     cmocka_unit_test(what_touches),
                                     cmocka_unit_test(pairs_are_over_obstacles_over_all),
                                     cmocka_unit_test(speeds_are_small_beside_the_run),
                                     cmocka_unit_test(slip_and_speed_may_be_given),
                                     cmocka_unit_test(every_change_is_noticed),
                                     cmocka_unit_test(tables_reach_to_the_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
