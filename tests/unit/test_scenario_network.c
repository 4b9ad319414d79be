/* SPDX-License-Identifier: MIT */
/* The keys `bodies`, `joints`, `springs`, and loads on bodies: every key lands in its place. What is refused, and how,
   is in tests/cli/test_malformed. */
#include <math.h>

#include "support/scenario.h"

/* Two rods of length 2 and 1 that meet at (2, 0, 0). */
#define PAIR HEAD ROD LEG "    shape: {origin: [2, 0, 0], direction: [0, 0, -1]}\n"
#define HUB "bodies:\n  - {name: hub, mass: 2, inertia: [0.01, 0.02, 0.02], origin: [2, 0, 0]}\n"

static double value(const wy_signal *signal, double t) {
  double jet[3] = {signal->value};
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, 0, t, jet);
  return jet[0];
}

/* ---- Bodies ---- */

static void a_body_has_its_defaults(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST "bodies:\n  - {name: hub, mass: 2, inertia: [0.01, 0.02, 0.02]}\n");
  assert_int_equal(scenario->model.body_count, 1);
  assert_ptr_equal(scenario->model.bodies, scenario->bodies);
  const wy_body_def *body = &scenario->bodies[0];
  assert_string_equal(body->name, "hub");
  check_close(body->mass, 2, 0);
  const double inertia[6] = {0.01, 0.02, 0.02, 0, 0, 0};
  for (int i = 0; i < 6; i++)
    check_close(body->inertia[i], inertia[i], 0);
  assert_int_equal(body->shape, WY_BODY_SHAPELESS);
  for (int i = 0; i < 3; i++) {
    check_close(body->origin[i], 0, 0);
    assert_int_equal(body->position[i], WY_FREE);
    check_close(body->velocity[i], 0, 0);
  }
  check_close(body->frame[0], 1, 0);
  assert_int_equal(body->rotation, WY_FREE);
  assert_true(isinf(body->release));
  wy_scenario_destroy(scenario);
}

static void keys_of_bodies_land_in_their_places(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text(SMALLEST "bodies:\n"
                         "  - {name: a, mass: 2 g, inertia: [4, 5, 6, 0.1, 0.2, 0.3], origin: [1, 2, 3 mm],\n"
                         "     turn: {axis: [0, 0, 2], angle: 90 deg}, position: [free, free, free]}\n"
                         "  - {name: b, shape: {kind: box, size: [1, 2, 3]}, density: 10, position: held,\n"
                         "     rotation: held}\n"
                         "  - {name: c, shape: {kind: sphere, radius: 0.5}, density: 10,\n"
                         "     initial: {velocity: [1, 2, 3], angular_velocity: [4, 5, 6]}}\n"
                         "  - {name: d, shape: {kind: cylinder, radius: 0.5, length: 3}, density: 10}\n");
  const wy_body_def *a = &scenario->bodies[0], *b = &scenario->bodies[1], *c = &scenario->bodies[2],
                    *d = &scenario->bodies[3];
  check_close(a->mass, 0.002, 1e-18);
  check_close(a->inertia[5], 0.3, 0);
  check_close(a->origin[2], 0.003, 1e-18);
  const double half = sqrt(0.5), frame[4] = {half, 0, 0, half};
  for (int i = 0; i < 4; i++)
    check_close(a->frame[i], frame[i], 1e-15);
  assert_int_equal(a->position[2], WY_FREE);
  assert_int_equal(b->shape, WY_BODY_BOX);
  check_close(b->dimensions[2], 3, 0);
  check_close(b->density, 10, 0);
  assert_int_equal(b->position[2], WY_HELD);
  assert_int_equal(b->rotation, WY_HELD);
  assert_int_equal(c->shape, WY_BODY_SPHERE);
  check_close(c->dimensions[0], 0.5, 0);
  check_close(c->velocity[1], 2, 0);
  check_close(c->angular_velocity[2], 6, 0);
  assert_int_equal(d->shape, WY_BODY_CYLINDER);
  check_close(d->dimensions[1], 3, 0);
  wy_scenario_destroy(scenario);
}

/* `refused` NULL: it is valid. What this version cannot compute is read all the same, and the library refuses it by
   name. */
static void check_read(const char *list, const char *entry, const char *refused) {
  char text[1000];
  wy_scenario *scenario = NULL;
  wy_scenario_error error = {.text = ""};
  snprintf(text, sizeof text, SMALLEST "%s:\n  - %s\n", list, entry);
  wy_scenario_read("test.yaml", "test", text, NULL, 0, &scenario, &error);
  const bool valid = error.text[0] == '\0', placed = strncmp(error.text, "test.yaml:9: ", strlen("test.yaml:9: ")) == 0;
  if (refused ? !strstr(error.text, refused) || !placed : !valid)
    fail_msg("%s: got '%s', want '%s'", entry, error.text, refused ? refused : "");
  wy_scenario_destroy(scenario);
}

static void motions_of_bodies_are_read(void **state) {
  (void)state;
#define BODY "{name: a, mass: 1, inertia: [1, 1, 1], origin: [1, 0, 0], "
  check_read("bodies", BODY "position: [\"1 + t\", held, free]}", NULL);
  check_read("bodies", BODY "position: [\"2 + t\", held, free]}", "bodies.a.position[0]: found 2 at t = 0; expected 1");
  check_read("bodies", BODY "rotation: {axis: [0, 3, 0], angle: \"t^2\"}}", NULL);
  check_read("bodies", BODY "rotation: {axis: [0, 3, 0], angle: \"3 + t^2\"}}", "bodies.a.rotation.angle: found 3 at");
  check_read("bodies", BODY "position: held, rotation: held, release: 0.25}", NULL);
#undef BODY
}

/* ---- Joints ---- */

static void check_port(const wy_port *port, wy_port_kind kind, int index, double s, double x) {
  assert_int_equal(port->kind, kind);
  if (kind != WY_PORT_GROUND)
    assert_int_equal(port->index, index);
  if (kind == WY_PORT_ROD)
    check_close(port->s, s, 0);
  else
    check_close(port->point[0], x, 0);
}

static void places_are_texts_or_mappings(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(
      PAIR HUB "joints:\n"
               "  - {name: corner, kind: weld, of: [arm.end, leg.start, hub]}\n"
               "  - {kind: ball, of: [ground, arm.start]}\n"
               "  - {kind: ball, of: [{rod: leg, at: end}, {ground: [2, 0, -1]}]}\n"
               "springs:\n"
               "  - {of: [{body: hub, point: [0.5, 0, 0]}, {rod: leg, at: 1}], stiffness: 3, length: 0.1}\n"
               "  - {name: tie, of: [{rod: arm, at: start}, hub], stiffness: 3, length: 1, damping: 2, kind: cable}\n");
  const wy_joint_def *joints = scenario->joints;
  assert_int_equal(scenario->model.joint_count, 3);
  assert_ptr_equal(scenario->model.joints, joints);
  assert_string_equal(joints[0].name, "corner");
  assert_int_equal(joints[0].kind, WY_WELD);
  assert_int_equal(joints[0].port_count, 3);
  check_port(&joints[0].ports[0], WY_PORT_ROD, 0, 2, 0);
  check_port(&joints[0].ports[1], WY_PORT_ROD, 1, 0, 0);
  check_port(&joints[0].ports[2], WY_PORT_BODY, 0, 0, 0);
  assert_null(joints[1].name);
  assert_int_equal(joints[1].kind, WY_BALL);
  check_port(&joints[1].ports[0], WY_PORT_GROUND, 0, 0, 0);
  assert_false(joints[1].ports[0].placed);
  check_port(&joints[1].ports[1], WY_PORT_ROD, 0, 0, 0);
  check_port(&joints[2].ports[0], WY_PORT_ROD, 1, 1, 0);
  check_port(&joints[2].ports[1], WY_PORT_GROUND, 0, 0, 2);
  assert_true(joints[2].ports[1].placed);
  const wy_spring_def *springs = scenario->springs;
  assert_int_equal(scenario->model.spring_count, 2);
  check_port(&springs[0].ports[0], WY_PORT_BODY, 0, 0, 0.5);
  check_port(&springs[0].ports[1], WY_PORT_ROD, 1, 1, 0);
  assert_int_equal(springs[0].kind, WY_SPRING);
  check_close(springs[0].stiffness, 3, 0);
  check_close(springs[0].length, 0.1, 0);
  check_close(springs[0].damping, 0, 0);
  check_port(&springs[1].ports[0], WY_PORT_ROD, 0, 0, 0);
  assert_string_equal(springs[1].name, "tie");
  assert_int_equal(springs[1].kind, WY_CABLE);
  check_close(springs[1].damping, 2, 0);
  wy_scenario_destroy(scenario);
}

/* Of a rod whose length follows from its shape, too. */
static void ends_of_a_helix_are_found(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text(HEAD "  - name: coil\n" SECTION MATERIAL "    shape: {helix: {radius: 0.1, pitch: 0.05, turns: 2}}\n"
                     "joints:\n  - {kind: weld, of: [coil.end, ground]}\n");
  const double turn = hypot(0.2 * 3.14159265358979323846, 0.05);
  check_close(scenario->joints[0].ports[0].s, 2 * turn, 1e-14);
  wy_scenario_destroy(scenario);
}

static void keys_of_joints_are_read(void **state) {
  (void)state;
  static const struct {
    const char *joint, *refused;
  } cases[] = {
      {"{kind: hinge, axis: [0, 2, 0], of: [arm.start, ground], spring: {stiffness: 5, damping: 1, angle: 2}}", NULL},
      {"{kind: hinge, axis: [0, 2, 0], of: [arm.start, ground], angle: \"t^2\", release: 0.5}", NULL},
      {"{kind: ball, of: [arm.start, ground], position: [free, held, held]}", NULL},
      {"{kind: ball, of: [arm.start, ground], position: [free, held, held], release: 5}",
       "joints[0]: this version cannot compute joints that slide and are released"},
      {"{kind: ball, of: [arm.start, ground], spring: {stiffness: 5}}", NULL},
      {"{kind: ball, of: [arm.start, ground], release: 5}", NULL},
      {"{kind: weld, of: [arm.start, ground], rotation: equal, assemble: true}", NULL},
      {"{kind: weld, of: [arm.start, ground], rotation: {axis: [0, 1, 0], angle: 1}, assemble: true}", NULL},
      {"{kind: ball, of: [{rod: arm, at: 0.5}, ground]}", NULL},
      {"{kind: hinge, of: [arm.start, ground]}", "joints[0].axis: found nothing; expected a direction in space"},
      {"{kind: hinge, axis: [0, 1, 0], of: [arm.start, ground], angle: \"1 + t\"}",
       "joints[0].angle: found 1 at t = 0"},
      {"{kind: weld, of: [arm.start, ground], rotation: equal}", "joints[0].rotation: found a rotation that parts do"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_read("joints", cases[i].joint, cases[i].refused);
}

static void settings_reach_entries_by_name(void **state) {
  (void)state;
  const char *settings[] = {"joints.corner.kind=ball", "springs.tie.stiffness=7 N/mm", "bodies.hub.mass=3"};
  wy_scenario *scenario = read_with(PAIR HUB "joints:\n  - {name: corner, kind: weld, of: [arm.end, leg.start]}\n"
                                             "springs:\n  - {name: tie, of: [hub, leg.end], stiffness: 3, length: 1}\n",
                                    settings, 3);
  assert_int_equal(scenario->joints[0].kind, WY_BALL);
  check_close(scenario->springs[0].stiffness, 7000, 1e-9);
  check_close(scenario->bodies[0].mass, 3, 0);
  wy_scenario_destroy(scenario);
}

/* ---- Many rods, many joints ---- */

static void check_place(const wy_rod_def *rod, const char *name, double x, double y, double dx, double dy) {
  assert_string_equal(rod->name, name);
  check_close(rod->shape.origin[0], x, 1e-15);
  check_close(rod->shape.origin[1], y, 1e-15);
  check_close(rod->shape.direction[0], dx, 1e-15);
  check_close(rod->shape.direction[1], dy, 1e-15);
}

static void copies_are_placed(void **state) {
  (void)state;
  const char *settings[] = {"rods.arm.segments=7"};
  wy_scenario *scenario = read_with(HEAD ROD "    copies: {origins: [[1, 2, 0], [3, 4, 0]], directions: [[0, 1, 0], "
                                             "[1, 0, 0]]}\n" LEG "    shape: {origin: [1, 0, 0]}\n"
                                             "    copies: {circle: 4, centre: [2, 0, 0]}\n"
                                             "  - {name: bar, length: 1, segments: 3, stiffness: {shear: [1, 1], "
                                             "extension: 1, bending: [1, 1], torsion: 1}, inertia: {mass: 1, rotary: "
                                             "[1, 1, 1]}, copies: {grid: [2, 2], steps: [[1, 0, 0], [0, 5, 0]]}}\n"
                                             "loads:\n  - {rod: bar3, at: end, force: [0, 0, 1]}\n",
                                    settings, 1);
  assert_int_equal(scenario->model.rod_count, 2 + 4 + 4);
  check_place(&scenario->rods[0], "arm1", 1, 2, 0, 1);
  check_place(&scenario->rods[1], "arm2", 3, 4, 1, 0);
  assert_int_equal(scenario->rods[1].segments, 7);
  check_place(&scenario->rods[2], "leg1", 1, 0, 1, 0);
  check_place(&scenario->rods[3], "leg2", 2, -1, 0, 1);
  check_place(&scenario->rods[4], "leg3", 3, 0, -1, 0);
  check_place(&scenario->rods[5], "leg4", 2, 1, 0, -1);
  check_close(scenario->rods[2].shape.d1[1], 1, 1e-15); /* the default, and turned */
  check_close(scenario->rods[3].shape.d1[0], -1, 1e-15);
  /* A direction that is not given is left to the library. */
  check_place(&scenario->rods[6], "bar1", 0, 0, 0, 0);
  check_place(&scenario->rods[7], "bar2", 1, 0, 0, 0);
  check_place(&scenario->rods[8], "bar3", 0, 5, 0, 0);
  check_place(&scenario->rods[9], "bar4", 1, 5, 0, 0);
  assert_int_equal(scenario->loads[0].rod, 8);
  wy_scenario_destroy(scenario);
}

/* Two bars along x and two along y: a square. A spoke that ends elsewhere is in no joint. */
static void joints_are_made_where_rods_meet(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text(HEAD "  - name: x\n    length: 1\n" SECTION MATERIAL "    copies: {origins: [[0, 0, 0], [0, 1, 0]]}\n"
                     "  - name: y\n    length: 1\n" SECTION MATERIAL
                     "    copies: {origins: [[0, 0, 0], [1, 0, 0]], directions: [[0, 1, 0], [0, 1, 0]]}\n"
                     "  - name: other\n    length: 1\n" SECTION MATERIAL "joints:\n"
                     "  - {name: knot, kind: ball, where: meet, of: [x*, y*]}\n"
                     "  - {name: last, kind: weld, of: [other.start, ground]}\n");
  assert_int_equal(scenario->model.joint_count, 5);
  for (int i = 0; i < 4; i++) {
    char name[16];
    snprintf(name, sizeof name, "knot%d", i + 1);
    assert_string_equal(scenario->joints[i].name, name);
    assert_int_equal(scenario->joints[i].kind, WY_BALL);
    assert_int_equal(scenario->joints[i].port_count, 2);
    assert_int_equal(scenario->joints[i].ports[0].kind, WY_PORT_ROD);
    assert_true(scenario->joints[i].ports[0].index < 2 && scenario->joints[i].ports[1].index < 4);
  }
  assert_string_equal(scenario->joints[4].name, "last");
  wy_scenario_destroy(scenario);
}

/* Three bars along x and two along y cross at six places; a spoke ends at one of them, an arch goes through another. */
static void joints_are_made_where_rods_cross(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(
      HEAD "  - name: x\n    length: 4\n" SECTION MATERIAL "    copies: {origins: [[0, 1, 0], [0, 2, 0], [0, 3, 0]]}\n"
           "  - name: y\n    length: 4\n" SECTION MATERIAL
           "    copies: {origins: [[1, 0, 0], [2.5, 0, 0]], directions: [[0, 1, 0], [0, 1, 0]]}\n"
           "  - name: spoke\n    length: 1\n" SECTION MATERIAL
           "    shape: {origin: [2.5, 2, 0], direction: [0, 0, 1]}\n"
           "  - name: arch\n    length: pi\n" SECTION MATERIAL
           "    shape: {origin: [1, 2, -1], direction: [0, 1, 0], d1: [0, 0, 1], curvature: [0, 1, 0]}\n"
           "joints:\n"
           "  - {name: knot, kind: weld, where: meet, of: [x*, y*, spoke, arch]}\n");
  int ends = 0, three = 0, arched = 0;
  assert_int_equal(scenario->model.joint_count, 6);
  for (int i = 0; i < 6; i++) {
    const wy_joint_def *joint = &scenario->joints[i];
    three += joint->port_count == 3;
    for (int k = 0; k < joint->port_count; k++) {
      const wy_port *port = &joint->ports[k];
      ends += port->s == 0;
      arched += port->index == 6 && fabs(port->s - 0.5 * 3.14159265358979) < 1e-9;
      if (port->index < 3)
        assert_true(fabs(port->s - 1) < 1e-12 || fabs(port->s - 2.5) < 1e-12);
    }
  }
  assert_int_equal(three, 2);
  assert_int_equal(ends, 1);
  assert_int_equal(arched, 1);
  wy_scenario_destroy(scenario);
}

/* ---- Steps ---- */

/* Rods that are connected, be it by a body or a spring, have one step, the shortest; others have their own. */
static void connected_rods_have_one_step(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(
      HEAD ROD LEG "    shape: {origin: [2, 0, 0]}\n"
                   "  - name: short\n    length: 0.2\n" SECTION MATERIAL "    shape: {origin: [3.5, 0, 0]}\n"
                   "  - name: alone\n    length: 0.5\n" SECTION MATERIAL HUB
                   "joints:\n  - {kind: ball, of: [ground, arm.start]}\n  - {kind: weld, of: [arm.end, hub]}\n"
                   "  - {kind: weld, of: [leg.start, hub]}\n"
                   "springs:\n  - {of: [leg.end, short.start], stiffness: 3, length: 0.5}\n"
                   "solver: {integrator: midpoint}\n");
  const wy_solver_def *solvers = scenario->solvers;
  check_above(solvers[0].first_step, 0);
  assert_true(solvers[0].first_step == solvers[1].first_step && solvers[0].first_step == solvers[2].first_step);
  check_above(solvers[3].first_step, solvers[0].first_step);
  wy_scenario_destroy(scenario);
}

/* ---- Loads ---- */

static void loads_act_on_bodies(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text(SMALLEST HUB "loads:\n  - {body: hub, point: [0, 0, 0.5], force: [\"2*t\", 0, 0], moment: [0, 1, 0], "
                             "axes: body}\n  - {at: end, force: [0, 0, 1]}\n");
  const wy_load_def *load = &scenario->loads[0];
  assert_int_equal(load->place, WY_AT_BODY);
  assert_int_equal(load->body, 0);
  check_close(load->point[2], 0.5, 0);
  check_close(value(&load->force[0], 0.5), 1, 1e-15);
  check_close(value(&load->moment[1], 0), 1, 0);
  assert_int_equal(load->axes, WY_BODY_AXES);
  assert_int_equal(scenario->loads[1].place, WY_AT_END);
  wy_scenario_destroy(scenario);
}

/* ---- What has no effect, and editing ---- */

static void initial_of_bodies_has_no_effect_on_equilibria(void **state) {
  (void)state;
  wy_scenario *scenario = read_text("withy: 1\nanalysis: statics\nrods:\n" ROD "    ends: {start: clamped}\n"
                                    "bodies:\n  - {name: hub, mass: 1, inertia: [1, 1, 1], position: held,\n"
                                    "     rotation: held, initial: {velocity: [0, 0, 0]}}\n");
  check_unused(scenario, 0, "bodies[].initial", "statics");
  wy_scenario_destroy(scenario);
}

/* A model is made again where a definition was edited, else the one of the checks is handed out. */
static void edits_of_bodies_joints_and_springs_count(void **state) {
  (void)state;
  for (int what = 0; what < 4; what++) {
    wy_model *model = NULL;
    wy_sim *sim = NULL;
    wy_scenario *scenario =
        read_text(PAIR HUB "joints:\n  - {name: corner, kind: weld, of: [arm.end, leg.start]}\n"
                           "springs:\n  - {name: tie, of: [hub, leg.end], stiffness: 3, length: 1}\n");
    wy_port ports[2] = {wy_port_on_rod(0, 2), wy_port_on_body(0, 0, 0, 0)};
    if (what == 0)
      scenario->bodies[0].mass = 5;
    else if (what == 1)
      scenario->joints[0].kind = WY_BALL;
    else if (what == 2)
      scenario->springs[0].stiffness = 6;
    else
      memcpy((wy_port *)scenario->joints[0].ports, ports, sizeof ports);
    assert_int_equal(wy_scenario_build(scenario, &model, &sim, NULL), WY_OK);
    check_close(wy_model_body(model, 0)->mass, what == 0 ? 5 : 2, 0);
    assert_int_equal(wy_model_joint(model, 0)->kind, what == 1 ? WY_BALL : WY_WELD);
    check_close(wy_model_spring(model, 0)->stiffness, what == 2 ? 6 : 3, 0);
    assert_int_equal(wy_model_joint(model, 0)->ports[1].kind, what == 3 ? WY_PORT_BODY : WY_PORT_ROD);
    wy_sim_destroy(sim);
    wy_model_destroy(model);
    wy_scenario_destroy(scenario);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_has_its_defaults),
      cmocka_unit_test(keys_of_bodies_land_in_their_places),
      cmocka_unit_test(motions_of_bodies_are_read),
      cmocka_unit_test(places_are_texts_or_mappings),
      cmocka_unit_test(ends_of_a_helix_are_found),
      cmocka_unit_test(keys_of_joints_are_read),
      cmocka_unit_test(settings_reach_entries_by_name),
      cmocka_unit_test(copies_are_placed),
      cmocka_unit_test(joints_are_made_where_rods_meet),
      cmocka_unit_test(joints_are_made_where_rods_cross),
      cmocka_unit_test(connected_rods_have_one_step),
      cmocka_unit_test(loads_act_on_bodies),
      cmocka_unit_test(initial_of_bodies_has_no_effect_on_equilibria),
      cmocka_unit_test(edits_of_bodies_joints_and_springs_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
