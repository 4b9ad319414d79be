/* SPDX-License-Identifier: MIT */
/* Bodies, joints and springs of a model: what is refused and how it is said, and the hubs, ends and groups that they
   amount to, against values by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "model/model.h"
#include "model/network.h"
#include "support/rods.h"

enum { RODS = 8, BODIES = 3, JOINTS = 6, SPRINGS = 3, PORTS = 6 };

/* A definition with room, so that one thing can be changed. */
typedef struct draft {
  wy_rod_def rods[RODS];
  wy_body_def bodies[BODIES];
  wy_port ports[JOINTS][PORTS];
  wy_joint_def joints[JOINTS];
  wy_spring_def springs[SPRINGS];
  wy_load_def load;
  wy_model_def model;
} draft;

static const double pi = 3.14159265358979323846;

/* The end of a straight rod of length 1 is found in 80 steps, each with a rounding of 1.1e-16. */
static const double rounding = 1e-14;

static void add_rod(draft *it, const char *name, const double origin[3], const double direction[3]) {
  wy_rod_def *rod = &it->rods[it->model.rod_count++];
  *rod = rubber_rod(20);
  rod->name = name;
  rod->length = 1;
  rod->ends[0] = rod->ends[1] = wy_end_free();
  rod->shape = (wy_shape){.points = NULL};
  wy_copy3(origin, rod->shape.origin);
  wy_copy3(direction, rod->shape.direction);
}
#define POINT(x, y, z)                                                                                                 \
  (const double[3]) {                                                                                                  \
    x, y, z                                                                                                            \
  }

static wy_body_def *add_body(draft *it, const char *name, const double origin[3]) {
  wy_body_def *body = &it->bodies[it->model.body_count++];
  *body = wy_default_body_def();
  body->name = name;
  body->mass = 2;
  body->inertia[0] = 0.01, body->inertia[1] = body->inertia[2] = 0.02;
  wy_copy3(origin, body->origin);
  return body;
}

static wy_joint_def *add_joint(draft *it, const char *name, wy_joint_kind kind) {
  const int index = it->model.joint_count++;
  wy_joint_def *joint = &it->joints[index];
  *joint = wy_default_joint_def();
  joint->name = name;
  joint->kind = kind;
  joint->ports = it->ports[index];
  return joint;
}

static void add_port(draft *it, wy_joint_def *joint, wy_port port) {
  it->ports[joint - it->joints][joint->port_count++] = port;
}

static wy_spring_def *add_spring(draft *it, const char *name, wy_port one, wy_port other) {
  wy_spring_def *spring = &it->springs[it->model.spring_count++];
  *spring = wy_default_spring_def();
  spring->name = name;
  spring->stiffness = 100;
  spring->ports[0] = one, spring->ports[1] = other;
  return spring;
}

static void empty(draft *it) {
  memset(it, 0, sizeof *it);
  it->load = wy_default_load_def();
  it->model = wy_default_model_def();
  it->model.rods = it->rods;
  it->model.bodies = it->bodies, it->model.joints = it->joints, it->model.springs = it->springs;
  it->model.loads = &it->load;
}

/* A beam and a post are welded to a corner; the beam hangs at a body by a ball; a spring leads from the body to the
   foot of the post. */
static void define(draft *it) {
  empty(it);
  add_rod(it, "beam", POINT(0, 0, 0), POINT(1, 0, 0));
  add_rod(it, "post", POINT(1, 0, -1), POINT(0, 0, 1));
  add_body(it, "hub", POINT(0, 0, 0.5));
  wy_joint_def *corner = add_joint(it, "corner", WY_WELD), *foot = add_joint(it, "foot", WY_BALL);
  add_port(it, corner, wy_port_on_rod(0, 1)), add_port(it, corner, wy_port_on_rod(1, 1));
  add_port(it, foot, wy_port_on_rod(0, 0)), add_port(it, foot, wy_port_on_body(0, 0, 0, -0.5));
  add_spring(it, "tie", wy_port_on_body(0, 0.1, 0, 0), wy_port_on_rod(1, 0))->length = 0.3;
  it->load.place = WY_AT_BODY;
  it->model.load_count = 1;
}

static wy_model *make(const draft *it) {
  wy_model *model = NULL;
  wy_message message = {.text = ""};
  must(wy_model_create(&it->model, &model, &message), &message);
  return model;
}

/* ---- What is refused ---- */

static void check_refused(const draft *it, const char *path, const char *text) {
  wy_model *model = NULL;
  wy_message message = {.text = ""};
  const wy_status status = wy_model_create(&it->model, &model, &message);
  if (status != WY_ERROR_INPUT || model || strcmp(message.path, path) != 0 || strcmp(message.text, text) != 0)
    fail_msg("status %d\ngot  '%s': '%s'\nwant '%s': '%s'", (int)status, message.path, message.text, path, text);
}

/* The example with one change. */
#define REFUSED(change, path, text)                                                                                    \
  do {                                                                                                                 \
    draft it;                                                                                                          \
    define(&it);                                                                                                       \
    change;                                                                                                            \
    check_refused(&it, path, text);                                                                                    \
  } while (0)

static void lists(void **state) {
  (void)state;
  REFUSED(it.model.bodies = NULL, "bodies", "found 1 bodies without an array of them");
  REFUSED(it.model.joints = NULL, "joints", "found 2 joints without an array of them");
  REFUSED(it.model.spring_count = -1, "springs", "found -1 springs without an array of them");
  REFUSED((it.model.rod_count = 0, it.model.body_count = 0), "rods",
          "there is no rod; expected at least one, or a body");
  REFUSED(it.bodies[0].cookie = 7, "bodies[0]", "the definition was not made by wy_default_body_def of this version");
  REFUSED(it.joints[1].cookie = 7, "joints[1]", "the definition was not made by wy_default_joint_def of this version");
  REFUSED(it.springs[0].cookie = 7, "springs[0]",
          "the definition was not made by wy_default_spring_def of this version");
}

static void names(void **state) {
  (void)state;
  static const char *const ground = "found 'ground', which is what does not move; expected another name";
  REFUSED(it.bodies[0].name = "beam", "bodies[0].name",
          "found 'beam' a second time; expected a different name for each rod and body");
  REFUSED(add_body(&it, "hub", POINT(0, 0, 0)), "bodies[1].name",
          "found 'hub' a second time; expected a different name for each rod and body");
  REFUSED(it.bodies[0].name = "ground", "bodies.ground.name", ground);
  REFUSED(it.rods[1].name = "ground", "rods[1].name", ground);
  REFUSED(it.bodies[0].name = "", "bodies[0].name", "is empty; expected a name");
  REFUSED(it.bodies[0].name = NULL, "bodies[0].name", "is empty; expected a name");
  REFUSED(it.joints[1].name = "corner", "joints[1].name",
          "found 'corner' a second time; expected a different name for each joint");
  REFUSED(it.joints[1].name = "", "joints[1].name", "is empty; expected a name, or none");
  REFUSED(add_spring(&it, "tie", wy_port_on_body(0, 0, 0, 0), wy_port_in_space(0, 0, 9)), "springs[1].name",
          "found 'tie' a second time; expected a different name for each spring");
}

static void masses(void **state) {
  (void)state;
  static const char *const mass = "found 0; expected a positive number, or a shape and a density";
#define BODY (it.bodies[0])
  REFUSED(BODY.mass = 0, "bodies.hub.mass", mass);
  REFUSED(BODY.mass = -1, "bodies.hub.mass", "found -1; expected a positive number, or a shape and a density");
  REFUSED(BODY.mass = INFINITY, "bodies.hub.mass", "found inf; expected a positive number, or a shape and a density");
  REFUSED(memset(BODY.inertia, 0, sizeof BODY.inertia), "bodies.hub.inertia",
          "is missing; expected moments of inertia, or a shape and a density");
  REFUSED(BODY.inertia[4] = NAN, "bodies.hub.inertia", "component 5 is not a finite number");
  REFUSED(BODY.inertia[0] = 0, "bodies.hub.inertia", "found principal moments 0, 0.02, 0.02; expected positive ones");
  REFUSED(BODY.inertia[5] = 0.03, "bodies.hub.inertia", /* 0.02 - 0.03, 0.02 + 0.03 */
          "found principal moments -0.01, 0.01, 0.05; expected positive ones");
  REFUSED(BODY.inertia[0] = 0.05, "bodies.hub.inertia",
          "found principal moments 0.02, 0.02, 0.05; expected none above the sum of the others, as in every body");
  REFUSED(BODY.inertia[5] = 0.0101, "bodies.hub.inertia", /* 0.01, 0.02 - 0.0101, 0.02 + 0.0101 */
          "found principal moments 0.0099, 0.01, 0.0301; expected none above the sum of the others, as in every body");
  REFUSED((BODY.mass = 0, BODY.density = 10), "bodies.hub.density",
          "found 10 without a shape; expected a shape, or mass and inertia");
  REFUSED(BODY.density = -10, "bodies.hub.density", "found -10; expected a positive number");
  REFUSED((BODY.density = 10, BODY.shape = WY_BODY_SPHERE, BODY.dimensions[0] = 1), "bodies.hub.density",
          "found 10 beside mass or inertia; expected one or the other");
  REFUSED((BODY.shape = WY_BODY_BOX, BODY.dimensions[0] = BODY.dimensions[1] = 1), "bodies.hub.shape.size[2]",
          "found 0; expected a positive number");
  REFUSED((BODY.shape = WY_BODY_SPHERE, BODY.dimensions[0] = -1), "bodies.hub.shape.radius",
          "found -1; expected a positive number");
  REFUSED((BODY.shape = WY_BODY_CYLINDER, BODY.dimensions[0] = 1, BODY.dimensions[1] = INFINITY),
          "bodies.hub.shape.length", "found inf; expected a positive number");
  REFUSED(BODY.shape = (wy_body_shape)4, "bodies.hub.shape.kind", "found number 4; expected one of wy_body_shape");
}

static wy_signal number(double value) {
  return wy_constant(value);
}

static void motions_of_bodies(void **state) {
  (void)state;
  REFUSED(BODY.origin[1] = NAN, "bodies.hub.origin", "component 2 is not a finite number");
  REFUSED(memset(BODY.frame, 0, sizeof BODY.frame), "bodies.hub.frame",
          "found [0, 0, 0, 0]; expected a rotation: a quaternion that is not 0");
  REFUSED(BODY.frame[3] = INFINITY, "bodies.hub.frame", "component 4 is not a finite number");
  REFUSED((BODY.position[2] = WY_DRIVEN, BODY.path[2] = number(0.6)), "bodies.hub.position[2]",
          "found 0.6 at t = 0; expected 0.5, where the origin is");
  REFUSED(BODY.position[0] = (wy_hold)3, "bodies.hub.position[0]", "found number 3; expected one of wy_hold");
  REFUSED(BODY.rotation = (wy_hold)3, "bodies.hub.rotation", "found number 3; expected one of wy_hold");
  REFUSED(BODY.rotation = WY_DRIVEN, "bodies.hub.rotation.axis",
          "found a vector without length; expected a direction in space");
  REFUSED((BODY.rotation = WY_DRIVEN, BODY.axis[2] = 2, BODY.angle = number(0.1)), "bodies.hub.rotation.angle",
          "found 0.1 at t = 0; expected 0, since the angle is measured from the frame");
  REFUSED((BODY.rotation = WY_HELD, BODY.release = -1), "bodies.hub.release", "found -1; expected a positive time");
  REFUSED(BODY.release = NAN, "bodies.hub.release", "found nan; expected a positive time");
  REFUSED(BODY.release = 1, "bodies.hub.release",
          "found a release time for a free body; expected a held position or rotation");
  REFUSED(BODY.velocity[0] = NAN, "bodies.hub.initial.velocity", "component 1 is not a finite number");
  REFUSED(BODY.angular_velocity[2] = NAN, "bodies.hub.initial.angular_velocity", "component 3 is not a finite number");
#undef BODY
}

static void ports_of_joints(void **state) {
  (void)state;
  REFUSED(it.joints[0].port_count = 1, "joints.corner.of", "found 1 parts; expected two or more");
  REFUSED(it.joints[0].port_count = -3, "joints.corner.of", "found -3 parts; expected two or more");
  REFUSED(it.joints[0].ports = NULL, "joints.corner.of",
          "found 2 parts without an array of them; expected two or more");
  REFUSED(it.ports[0][1].index = 2, "joints.corner.of[1]", "found rod number 2; expected 0 to 1");
  REFUSED((it.ports[0][1].index = 2, it.joints[0].name = NULL), "joints[0].of[1]",
          "found rod number 2; expected 0 to 1");
  REFUSED(it.ports[1][1].index = -1, "joints.foot.of[1]", "found body number -1; expected 0 to 0");
  REFUSED(it.ports[0][1].kind = (wy_port_kind)3, "joints.corner.of[1]",
          "found kind number 3; expected one of wy_port_kind");
  REFUSED(it.ports[0][0].s = 1.01, "joints.corner.of[0]",
          "found arc length 1.01 on rod beam; expected 0 to its length 1");
  REFUSED(it.ports[0][0].s = NAN, "joints.corner.of[0]",
          "found arc length nan on rod beam; expected 0 to its length 1");
  REFUSED(it.ports[1][1].point[2] = NAN, "joints.foot.of[1]", "component 3 of the point is not a finite number");
  REFUSED(it.ports[0][1] = it.ports[0][0], "joints.corner.of[1]",
          "found beam.end a second time; expected different parts");
  REFUSED(add_port(&it, &it.joints[1], wy_port_on_body(0, 0, 0, -0.5)), "joints.foot.of[2]",
          "found hub a second time; expected different parts");
  REFUSED((add_port(&it, &it.joints[1], wy_port_on_ground()), add_port(&it, &it.joints[1], wy_port_on_ground())),
          "joints.foot.of[3]", "found ground a second time; expected different parts");
  REFUSED(add_port(&it, &it.joints[1], wy_port_on_rod(0, 1e-12)), "joints.foot.of[2]",
          "found beam.start a second time; expected different parts");
  wy_joint_def *again;
  REFUSED((again = add_joint(&it, "again", WY_BALL), add_port(&it, again, wy_port_on_rod(1, 1)),
           add_port(&it, again, wy_port_on_ground())),
          "joints.again.of[0]",
          "found post.end, which is in joints.corner already; expected one joint of all parts "
          "that meet there");
}

static void parts_that_do_not_meet(void **state) {
  (void)state;
  REFUSED(it.rods[1].shape.origin[2] = -1.012, "joints.corner.of[1]",
          "joint corner: beam.end and post.end are 0.012 apart; move them or set assemble");
  REFUSED((it.rods[1].shape.origin[2] = -1.012, it.joints[0].name = NULL), "joints[0].of[1]",
          "joint 0: beam.end and post.end are 0.012 apart; move them or set assemble");
  REFUSED(it.ports[0][0].s = 0.75, "joints.corner.of[1]",
          "joint corner: beam at s = 0.75 and post.end are 0.25 apart; move them or set assemble");
  REFUSED(it.ports[1][1].point[2] = -0.4, "joints.foot.of[1]",
          "joint foot: beam.start and hub are 0.1 apart; move them or set assemble");
  REFUSED(add_port(&it, &it.joints[0], wy_port_in_space(1, 0, 0.5)), "joints.corner.of[2]",
          "joint corner: beam.end and ground are 0.5 apart; move them or set assemble");
  static const char *const held = "found post.end, which rods[1].ends.end holds, too; expected an end that is free "
                                  "there: a joint with the ground can hold it";
  REFUSED(it.rods[1].ends[1] = wy_end_clamped(), "joints.corner.of[1]", held);
  REFUSED(it.rods[1].ends[1].position[1] = WY_HELD, "joints.corner.of[1]", held);
  REFUSED(it.rods[1].initial.twist = number(0.1), "rods[1].initial.twist",
          "found 0.1 at post.end, which joints.corner holds; expected 0 there");
  draft close; /* 1e-6 of the longest rod is no distance */
  define(&close);
  close.rods[1].shape.origin[2] -= 0.9e-6;
  wy_model_destroy(make(&close));
  close.rods[1].shape.origin[2] -= 0.2e-6;
  check_refused(&close, "joints.corner.of[1]",
                "joint corner: beam.end and post.end are 1.1e-06 apart; move them or set assemble");
  close.joints[0].assemble = true;
  wy_model_destroy(make(&close));
}

static void kinds_of_joints(void **state) {
  (void)state;
#define CORNER (it.joints[0])
  REFUSED(CORNER.kind = (wy_joint_kind)3, "joints.corner.kind", "found number 3; expected weld, ball or hinge");
  REFUSED(CORNER.kind = WY_HINGE, "joints.corner.axis", "found [0, 0, 0]; expected a direction in space");
  REFUSED((CORNER.kind = WY_HINGE, CORNER.axis[1] = NAN), "joints.corner.axis",
          "found [0, nan, 0]; expected a direction in space");
  REFUSED(CORNER.axis[1] = 1, "joints.corner.axis", "found [0, 1, 0] in a weld; expected an axis in hinges only");
  REFUSED((CORNER.has_angle = true), "joints.corner.angle", "found an angle in a weld; expected one in hinges only");
  REFUSED((CORNER.kind = WY_HINGE, CORNER.axis[1] = 1, CORNER.has_angle = true, CORNER.angle = number(1)),
          "joints.corner.angle", "found 1 at t = 0; expected 0, since the angle is measured from how parts are drawn");
  REFUSED((CORNER.has_spring = true, CORNER.stiffness = 1), "joints.corner.spring",
          "found a spring in a weld; expected one in a hinge or ball");
  REFUSED((CORNER.kind = WY_BALL, CORNER.stiffness = 1), "joints.corner.spring",
          "found stiffness 1 and damping 0, but has_spring is false; expected true");
  REFUSED((CORNER.kind = WY_BALL, CORNER.has_spring = true, CORNER.damping = -1), "joints.corner.spring.damping",
          "found -1; expected a number that is not negative");
  REFUSED((CORNER.kind = WY_BALL, CORNER.has_spring = true, CORNER.stiffness = NAN), "joints.corner.spring.stiffness",
          "found nan; expected a number that is not negative");
  REFUSED((CORNER.kind = WY_BALL, CORNER.has_spring = true, CORNER.rest_angle = 1), "joints.corner.spring.angle",
          "found 1; expected an angle in hinges only");
  REFUSED(CORNER.rotation = WY_WELD_EQUAL, "joints.corner.rotation",
          "found a rotation that parts do not have as drawn; set assemble to bring them there");
  REFUSED((CORNER.kind = WY_BALL, CORNER.rotation = WY_WELD_TURNED), "joints.corner.rotation",
          "found a rotation in a ball of 2 parts; expected a weld of two");
  REFUSED((CORNER.rotation = WY_WELD_TURNED, CORNER.assemble = true), "joints.corner.rotation.axis",
          "found [0, 0, 0]; expected a direction in space");
  REFUSED(CORNER.rotation = (wy_weld_rotation)3, "joints.corner.rotation",
          "found number 3; expected one of wy_weld_rotation");
  REFUSED(CORNER.position[1] = WY_FREE, "joints.corner.position[1]",
          "found free in a joint without the ground; expected WY_HELD");
  REFUSED(CORNER.position[1] = WY_DRIVEN, "joints.corner.position[1]", "found number 2; expected WY_HELD or WY_FREE");
  REFUSED((CORNER.kind = WY_HINGE, CORNER.axis[1] = 1, CORNER.position[0] = WY_FREE), "joints.corner.position[0]",
          "found free in a hinge; expected a weld or ball with the ground, or WY_HELD");
  REFUSED(CORNER.release = 0, "joints.corner.release", "found 0; expected a positive time");
#undef CORNER
}

static void springs_and_loads(void **state) {
  (void)state;
#define TIE (it.springs[0])
  REFUSED(TIE.stiffness = 0, "springs.tie.stiffness", "found 0; expected a positive number");
  REFUSED((TIE.kind = WY_CABLE, TIE.stiffness = NAN), "springs.tie.stiffness", "found nan; expected a positive number");
  REFUSED(TIE.damping = -1, "springs.tie.damping", "found -1; expected a number that is not negative");
  REFUSED(TIE.length = -1, "springs.tie.length", "found -1; expected a number that is not negative");
  REFUSED(TIE.kind = (wy_spring_kind)2, "springs.tie.kind", "found number 2; expected spring or cable");
  REFUSED(TIE.ports[1].index = 5, "springs.tie.of[1]", "found rod number 5; expected 0 to 1");
  REFUSED(TIE.ports[1] = wy_port_on_body(0, 0, 0, 0), "springs.tie.of",
          "found two points of body hub, whose distance is fixed; expected different parts");
  REFUSED((TIE.ports[0] = wy_port_on_ground(), TIE.ports[1] = wy_port_in_space(0, 0, 0)), "springs.tie.of",
          "found the ground twice; expected a rod or body");
  REFUSED(TIE.ports[0] = TIE.ports[1], "springs.tie.of[1]",
          "found one place of rod post twice; expected different places");
  REFUSED(TIE.ports[1] = wy_port_on_ground(), "springs.tie.length",
          "found 0.3 between places that meet; expected 0, or places that are apart");
  REFUSED(it.rods[1].ends[0] = wy_end_pinned(), "springs.tie.of[1]",
          "found post.start, which rods[1].ends.start holds, too; expected an end that is free there: a joint with the "
          "ground can hold it");
#undef TIE
  REFUSED(it.load.body = 1, "loads[0].body", "found body number 1; expected 0 to 0");
  REFUSED(it.load.point[2] = NAN, "loads[0].point", "component 3 is not a finite number");
  REFUSED(it.load.moment[0] = number(NAN), "loads[0]", "component 1 is not a finite number at t = 0");
  REFUSED(it.load.place = (wy_load_place)5, "loads[0]", "found a place or axes that do not exist");
  draft bare;
  define(&bare);
  bare.model.joint_count = bare.model.spring_count = bare.model.body_count = 0;
  check_refused(&bare, "loads[0].body", "found body number 0, and there is none");
}

/* ---- What is copied ---- */

static void nothing_of_the_caller_is_kept(void **state) {
  (void)state;
  draft *it = malloc(sizeof *it), want;
  char *name = malloc(8);
  define(it);
  strcpy(name, "corner");
  it->joints[0].name = name;
  define(&want);
  wy_model *model = make(it);
  memset(it, 0xa5, sizeof *it), memset(name, 'x', 7);
  free(it), free(name);
  assert_int_equal(wy_model_joint_index(model, "corner"), 0);
  assert_int_equal(wy_model_spring_index(model, "tie"), 0);
  assert_int_equal(wy_model_body_index(model, "hub"), 0);
  const wy_joint_def *joint = wy_model_joint(model, 0);
  assert_int_equal(joint->port_count, 2);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(joint->ports[i].index, want.ports[0][i].index);
    check_close(joint->ports[i].s, 1, 0);
  }
  assert_int_equal(wy_model_load(model, 0)->rod, -1);
  assert_int_equal(wy_model_load(model, 0)->body, 0);
  assert_int_equal(wy_model_body_load_count(model, 0), 1);
  assert_int_equal(wy_model_body_load_number(model, 0, 0), 0);
  assert_int_equal(wy_model_rod_load_count(model, 0) + wy_model_rod_load_count(model, 1), 0);
  wy_model_destroy(model);
}

/* ---- Inertia ---- */

static wy_body_def solid(wy_body_shape shape, double a, double b, double c) {
  draft it;
  empty(&it);
  wy_body_def *body = add_body(&it, "solid", POINT(0, 0, 0));
  body->mass = 0, body->density = 3;
  memset(body->inertia, 0, sizeof body->inertia);
  body->shape = shape;
  wy_copy3(POINT(a, b, c), body->dimensions);
  wy_model *model = make(&it); /* a model without rods */
  assert_int_equal(wy_model_rod_count(model), 0);
  assert_int_equal(wy_model_network(model)->group_count, 1);
  assert_int_equal(wy_model_network(model)->groups[0].hub_count, 1);
  wy_body_def got = *wy_model_body(model, 0);
  wy_model_destroy(model);
  return got;
}

static void inertia_of_shapes(void **state) {
  (void)state;
  const double a = 0.5, b = 0.7, c = 1.1, tolerance = 1e-15;
  wy_body_def box = solid(WY_BODY_BOX, a, b, c), ball = solid(WY_BODY_SPHERE, a, 0, 0),
              roll = solid(WY_BODY_CYLINDER, a, b, 0);
  check_close(box.mass, 3 * a * b * c, tolerance);
  check_close(box.inertia[0], box.mass / 12 * (b * b + c * c), tolerance);
  check_close(box.inertia[1], box.mass / 12 * (a * a + c * c), tolerance);
  check_close(box.inertia[2], box.mass / 12 * (a * a + b * b), tolerance);
  check_close(ball.mass, 3 * 4 * pi / 3 * a * a * a, tolerance);
  for (int i = 0; i < 3; i++)
    check_close(ball.inertia[i], 0.4 * ball.mass * a * a, tolerance);
  check_close(roll.mass, 3 * pi * a * a * b, tolerance);
  check_close(roll.inertia[0], roll.mass / 12 * (3 * a * a + b * b), tolerance);
  check_close(roll.inertia[1], roll.inertia[0], 0);
  check_close(roll.inertia[2], 0.5 * roll.mass * a * a, tolerance);
  for (int i = 3; i < 6; i++)
    check_close(fabs(box.inertia[i]) + fabs(ball.inertia[i]) + fabs(roll.inertia[i]), 0, 0);
}

/* The limits of what a body may have are reached by thin ones, in any axes: a rod of no thickness has no inertia about
   itself, a plate the sum of the others across. */
static void thin_bodies_turned_about(void **state) {
  (void)state;
  for (int k = 0; k < 20; k++) {
    draft it;
    define(&it);
    double *inertia = it.bodies[0].inertia, r[9];
    const double turn[3] = {0.3 * k, 0.7 - 0.2 * k, 0.1 * k * k}, plate[3] = {1, 2, 3};
    double q[4];
    wy_qexp(turn, q);
    wy_qmatrix(q, r);
    static const int rows[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 6; i++) {
      inertia[i] = 0;
      for (int m = 0; m < 3; m++)
        inertia[i] += r[3 * rows[i][0] + m] * plate[m] * r[3 * rows[i][1] + m];
    }
    wy_model_destroy(make(&it));
    double more[6]; /* a little beyond: 1, 2, 3.001 */
    for (int i = 0; i < 6; i++)
      more[i] = inertia[i] + 1e-3 * r[3 * rows[i][0] + 2] * r[3 * rows[i][1] + 2];
    memcpy(inertia, more, sizeof more);
    check_refused(&it, "bodies.hub.inertia",
                  "found principal moments 1, 2, 3.001; expected none above the sum of the others, as in every body");
  }
}

/* ---- Hubs and ends ---- */

static void check_vector(const double got[3], double x, double y, double z, double tolerance) {
  check_close(got[0], x, tolerance);
  check_close(got[1], y, tolerance);
  check_close(got[2], z, tolerance);
}

/* The directors of a frame in the axes in which it is given. */
static void check_directors(const double q[4], const double d1[3], const double d3[3], double tolerance) {
  double r[9];
  wy_qmatrix(q, r);
  check_vector(POINT(r[0], r[3], r[6]), d1[0], d1[1], d1[2], tolerance);
  check_vector(POINT(r[2], r[5], r[8]), d3[0], d3[1], d3[2], tolerance);
}

static void the_example(void **state) {
  (void)state;
  draft it;
  define(&it);
  wy_model *model = make(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->hub_count, 3); /* the body, the corner, the foot of the post that has a spring */
  assert_int_equal(net->end_count, 4);
  assert_int_equal(net->group_count, 1);
  const wy_hub *body = &net->hubs[0], *corner = &net->hubs[1], *foot = &net->hubs[2];
  assert_true(body->body == 0 && body->joint == -1 && body->has_frame && !body->known && body->end_count == 1);
  assert_true(corner->body == -1 && corner->joint == 0 && corner->has_frame && !corner->known);
  assert_true(foot->body == -1 && foot->joint == -1 && !foot->has_frame && !foot->known && foot->end_count == 1);
  check_vector(corner->origin, 1, 0, 0, rounding);
  check_vector(foot->origin, 1, 0, -1, rounding);
  const wy_hub_end *at = &net->ends[wy_network_end(model, 0, WY_START)];
  assert_true(at->hub == 0 && at->joint == 1 && !at->turns && !at->inner && at->rod == 0 && at->end == WY_START);
  check_vector(at->c, 0, 0, -0.5, rounding);
  at = &net->ends[wy_network_end(model, 1, WY_END)];
  assert_true(at->hub == 1 && at->joint == 0 && at->turns && at->end == WY_END);
  check_close(at->s, 1, 0);
  check_vector(at->c, 0, 0, 0, rounding);
  check_directors(at->q, POINT(1, 0, 0), POINT(0, 0, 1), rounding);
  assert_int_equal(corner->first_end, 1);
  assert_int_equal(corner->end_count, 2);
  assert_int_equal(net->ends[corner->first_end].rod, 0); /* in the order of the ports */
  assert_int_equal(net->springs[0][0].hub, 0);
  check_vector(net->springs[0][0].c, 0.1, 0, 0, 0);
  assert_int_equal(net->springs[0][1].hub, 2);
  check_vector(net->springs[0][1].c, 0, 0, 0, 0);
  const wy_group_def *group = &net->groups[0];
  assert_true(group->rod_count == 2 && group->hub_count == 3 && group->spring_count == 1);
  for (int i = 0; i < 3; i++)
    assert_int_equal(group->hubs[i], i);
  wy_model_destroy(model);
}

/* Three rods at a body that is turned by a quarter about z: by a weld, by a ball, and two by one weld. */
static void a_body_with_rods(void **state) {
  (void)state;
  draft it;
  empty(&it);
  wy_body_def *body = add_body(&it, "hub", POINT(5, 6, 7));
  wy_copy3(POINT(0, 0, 3), body->frame + 1); /* of any length: normalised to a half turn in w, z */
  body->frame[0] = 3;
  add_rod(&it, "a", POINT(4, 6, 7.5), POINT(0, 0, 1)); /* body axes: x is +y of space, y is -x of space */
  add_rod(&it, "b", POINT(5, 7, 7), POINT(0, 1, 0));
  add_rod(&it, "c", POINT(5, 6, 5), POINT(0, 0, 1));
  add_rod(&it, "d", POINT(5, 6, 6), POINT(1, 0, 0));
  wy_joint_def *one = add_joint(&it, NULL, WY_WELD), *two = add_joint(&it, NULL, WY_BALL),
               *three = add_joint(&it, NULL, WY_WELD);
  add_port(&it, one, wy_port_on_rod(0, 0)), add_port(&it, one, wy_port_on_body(0, 0, 1, 0.5));
  add_port(&it, two, wy_port_on_body(0, 1, 0, 0)), add_port(&it, two, wy_port_on_rod(1, 0));
  add_port(&it, three, wy_port_on_rod(2, 1)), add_port(&it, three, wy_port_on_rod(3, 0));
  add_port(&it, three, wy_port_on_body(0, 0, 0, -1));
  wy_model *model = make(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->hub_count, 1);
  assert_int_equal(net->hubs[0].end_count, 4);
  const double tolerance = 4e-15; /* round-off of numbers up to 7 */
  for (int i = 0; i < 4; i++)
    assert_int_equal(net->ends[i].rod, i);
  check_vector(net->ends[0].c, 0, 1, 0.5, tolerance);
  check_vector(net->ends[1].c, 1, 0, 0, tolerance);
  check_vector(net->ends[2].c, 0, 0, -1, tolerance);
  check_vector(net->ends[3].c, 0, 0, -1, tolerance);
  /* d3 = z: d1 is the axis with the largest angle to it, x of space, which is -y of the body. */
  check_directors(net->ends[0].q, POINT(0, -1, 0), POINT(0, 0, 1), tolerance);
  check_directors(net->ends[1].q, POINT(0, -1, 0), POINT(1, 0, 0), tolerance); /* d1 is x of space again */
  check_directors(net->ends[3].q, POINT(1, 0, 0), POINT(0, -1, 0), tolerance); /* d3 is x, d1 y of space */
  assert_true(net->ends[0].turns && !net->ends[1].turns && net->ends[2].turns);
  wy_model_destroy(model);
}

/* Four quarter circles of radius 1 are a ring. The end of a curved rod is found by Simpson's rule with four steps a
   segment, L h^4 / 2880 = 8e-11. */
static void a_ring_of_arcs(void **state) {
  (void)state;
  const double tolerance = 1e-10;
  draft it;
  empty(&it);
  for (int i = 0; i < 4; i++) {
    const double x = cos(i * pi / 2), y = sin(i * pi / 2);
    static const char *const names[] = {"east", "north", "west", "south"};
    add_rod(&it, names[i], POINT(x, y, 0), POINT(-y, x, 0));
    wy_copy3(POINT(-x, -y, 0), it.rods[i].shape.d1);
    it.rods[i].shape.curvature[1] = wy_constant(1);
    it.rods[i].length = pi / 2;
  }
  for (int i = 0; i < 4; i++) {
    wy_joint_def *joint = add_joint(&it, NULL, i % 2 ? WY_BALL : WY_WELD);
    add_port(&it, joint, wy_port_on_rod(i, pi / 2)), add_port(&it, joint, wy_port_on_rod((i + 1) % 4, 0));
  }
  wy_model *model = make(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->hub_count, 4);
  assert_int_equal(net->end_count, 8);
  assert_int_equal(net->group_count, 1);
  for (int i = 0; i < 4; i++) {
    const double x = cos((i + 1) * pi / 2), y = sin((i + 1) * pi / 2);
    const wy_hub *hub = &net->hubs[i];
    check_vector(hub->origin, x, y, 0, tolerance);
    assert_int_equal(hub->has_frame, i % 2 == 0);
    check_directors(hub->frame, POINT(1, 0, 0), POINT(0, 0, 1), 0);
    for (int k = 0; k < 2; k++) {
      const wy_hub_end *end = &net->ends[hub->first_end + k];
      check_vector(end->c, 0, 0, 0, hub->has_frame ? tolerance : 0);
      check_directors(end->q, POINT(-x, -y, 0), POINT(-y, x, 0), rounding);
      assert_int_equal(end->rod, (i + k) % 4);
      assert_int_equal(end->end, k ? WY_START : WY_END);
      assert_int_equal(wy_network_end(model, end->rod, end->end), hub->first_end + k);
    }
  }
  wy_model_destroy(model);
}

/* A trunk with three branches, one of which has two twigs: hubs where they fork. */
static void a_tree(void **state) {
  (void)state;
  draft it;
  empty(&it);
  add_rod(&it, "trunk", POINT(0, 0, 0), POINT(0, 0, 1));
  add_rod(&it, "left", POINT(0, 0, 1), POINT(-0.6, 0, 0.8));
  add_rod(&it, "right", POINT(0, 0, 1), POINT(0.6, 0, 0.8));
  add_rod(&it, "back", POINT(0, 0, 1), POINT(0, 1, 0));
  add_rod(&it, "twig", POINT(0.6, 0, 1.8), POINT(0, 0, 1));
  add_rod(&it, "leaf", POINT(0.6, 0, 1.8), POINT(0, 1, 0));
  wy_joint_def *twigs = add_joint(&it, "twigs", WY_WELD), *fork = add_joint(&it, "fork", WY_WELD),
               *root = add_joint(&it, "root", WY_WELD);
  add_port(&it, twigs, wy_port_on_rod(2, 1)), add_port(&it, twigs, wy_port_on_rod(4, 0));
  add_port(&it, twigs, wy_port_on_rod(5, 0));
  add_port(&it, fork, wy_port_on_rod(0, 1));
  for (int i = 1; i < 4; i++)
    add_port(&it, fork, wy_port_on_rod(i, 0));
  add_port(&it, root, wy_port_on_ground()), add_port(&it, root, wy_port_on_rod(0, 0));
  wy_model *model = make(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->group_count, 1);
  assert_int_equal(net->hub_count, 3);
  static const int counts[] = {3, 4, 1};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(net->hubs[i].end_count, counts[i]);
    assert_int_equal(net->hubs[i].known, i == 2);
  }
  check_vector(net->hubs[0].origin, 0.6, 0, 1.8, rounding);
  assert_int_equal(wy_network_end(model, 3, WY_END), -1);
  const wy_port *ground = &wy_model_joint(model, 2)->ports[0]; /* has its place now */
  assert_true(ground->placed);
  check_vector(ground->point, 0, 0, 0, 0);
  wy_model_destroy(model);
}

/* The ground does not connect, and neither does a body that is attached to nothing. */
static void groups_apart(void **state) {
  (void)state;
  draft it;
  empty(&it);
  add_rod(&it, "a", POINT(0, 0, 0), POINT(1, 0, 0));
  add_rod(&it, "b", POINT(0, 0, 0), POINT(0, 1, 0)); /* stands at the same place of the ground */
  add_rod(&it, "c", POINT(1, 0, 0), POINT(0, 0, 1));
  add_rod(&it, "alone", POINT(9, 0, 0), POINT(0, 0, 1));
  add_rod(&it, "swing", POINT(20, 0, 0), POINT(0, 0, 1));
  add_body(&it, "stone", POINT(0, 0, 99));
  wy_body_def *held = add_body(&it, "wall", POINT(20, 0, 1));
  held->rotation = held->position[0] = held->position[1] = held->position[2] = WY_HELD;
  wy_joint_def *first = add_joint(&it, NULL, WY_WELD), *second = add_joint(&it, NULL, WY_WELD),
               *corner = add_joint(&it, NULL, WY_BALL), *wall = add_joint(&it, NULL, WY_BALL);
  add_port(&it, first, wy_port_on_ground()), add_port(&it, first, wy_port_on_rod(0, 0));
  add_port(&it, second, wy_port_on_rod(1, 0)), add_port(&it, second, wy_port_in_space(0, 0, 0));
  add_port(&it, corner, wy_port_on_rod(2, 0)), add_port(&it, corner, wy_port_on_rod(0, 1));
  add_port(&it, wall, wy_port_on_rod(4, 1)), add_port(&it, wall, wy_port_on_body(1, 0, 0, 0));
  wy_model *model = make(&it);
  const wy_network *net = wy_model_network(model);
  static const int groups[] = {0, 1, 0, 2, 3};
  assert_int_equal(net->group_count, 5);
  for (int i = 0; i < 5; i++)
    assert_int_equal(net->rod_groups[i], groups[i]);
  assert_true(net->groups[4].rod_count == 0 && net->groups[4].hub_count == 1 && net->groups[4].hubs[0] == 0);
  assert_true(net->groups[2].rod_count == 1 && net->groups[2].rods[0] == 3 && net->groups[2].hub_count == 0);
  assert_true(net->groups[0].rod_count == 2 && net->groups[0].rods[1] == 2 && net->groups[0].hub_count == 2);
  static const bool known[] = {false, true, true, true, false}; /* stone, wall, two on the ground, corner */
  for (int i = 0; i < 5; i++)
    assert_int_equal(net->hubs[i].known, known[i]);
  wy_model_destroy(model);
  held->release = 3; /* its motion is not known for ever */
  model = make(&it);
  assert_false(wy_model_network(model)->hubs[1].known);
  wy_model_destroy(model);
}

/* Springs connect, share hubs, and may stand at inner points. */
static void springs(void **state) {
  (void)state;
  draft it;
  empty(&it);
  add_rod(&it, "a", POINT(0, 0, 0), POINT(1, 0, 0));
  add_rod(&it, "b", POINT(0, 1, 0), POINT(1, 0, 0));
  add_rod(&it, "c", POINT(0, 2, 0), POINT(1, 0, 0));
  wy_joint_def *pin = add_joint(&it, NULL, WY_BALL);
  add_port(&it, pin, wy_port_on_rod(1, 0.25)), add_port(&it, pin, wy_port_on_ground());
  add_spring(&it, NULL, wy_port_on_rod(0, 1), wy_port_on_ground());
  add_spring(&it, NULL, wy_port_on_rod(1, 0.25), wy_port_on_rod(0, 1));
  add_spring(&it, NULL, wy_port_on_rod(1, 0.5), wy_port_in_space(0.5, 1, 3));
  add_spring(&it, NULL, wy_port_on_rod(1, 0.5), wy_port_in_space(0.5, 1, -3));
  wy_model *model = make(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->hub_count, 4); /* the inner point turns on a hub of its own, at that of the ground */
  assert_true(net->hubs[1].kind == WY_HUB_TURNS && net->hubs[1].parent == 0 && !net->hubs[1].known);
  assert_true(net->ends[0].hub == 1 && net->ends[0].turns && net->hubs[0].known && net->hubs[0].end_count == 0);
  assert_int_equal(net->group_count, 2);
  assert_true(net->groups[0].rod_count == 2 && net->groups[0].spring_count == 4 && net->groups[1].rods[0] == 2);
  const wy_spring_end(*ends)[2] = net->springs;
  assert_true(ends[0][0].hub == 2 && ends[1][1].hub == 2 && ends[1][0].hub == 0); /* one hub for both springs */
  assert_true(ends[0][1].hub == -1);
  check_vector(ends[0][1].c, 1, 0, 0, rounding); /* where the rod was */
  assert_true(ends[2][0].hub == 3 && ends[3][0].hub == 3 && ends[2][1].hub == -1);
  assert_true(net->hubs[3].has_frame && net->hubs[3].end_count == 1);
  assert_true(net->ends[0].inner && !net->ends[1].inner && net->ends[2].inner && net->ends[2].turns);
  assert_int_equal(wy_network_end(model, 1, WY_START), -1);
  wy_model_destroy(model);
}

/* A rod of length 1 with inner points on the ground, at places that are given. */
static void pinned_inside(draft *it, int segments, const double *lengths, const double *places, int count) {
  empty(it);
  add_rod(it, "beam", POINT(0, 0, 0), POINT(1, 0, 0));
  it->rods[0].segments = segments, it->rods[0].segment_lengths = lengths;
  for (int i = 0; i < count; i++) {
    wy_joint_def *joint = add_joint(it, NULL, WY_WELD);
    add_port(it, joint, wy_port_on_rod(0, places[i])), add_port(it, joint, wy_port_on_ground());
  }
}

static void check_pieces(const wy_model *model, const int *counts, int count) {
  const wy_network *net = wy_model_network(model);
  const wy_rod_def *rod = wy_model_rod(model, 0);
  double s = 0;
  assert_int_equal(net->piece_count, count);
  assert_true(net->rod_pieces[0] == 0 && net->rod_pieces[1] == count);
  for (int i = 0, first = 0; i < count; i++) {
    const wy_piece *piece = &net->pieces[i];
    assert_int_equal(piece->count, counts[i]);
    assert_int_equal(piece->first, first);
    check_close(piece->from, s, rounding);
    for (int k = 0; k < piece->count; k++)
      s += wy_segment_length(rod, first + k);
    check_close(piece->to, s, rounding);
    first += counts[i];
    assert_int_equal(piece->ends[0] < 0, i == 0);
    assert_int_equal(piece->ends[1] < 0, i == count - 1);
  }
}

/* Inner points become vertices; segments are shared out in proportion, as the grid is graded. */
static void pieces(void **state) {
  (void)state;
  draft it;
  pinned_inside(&it, 8, NULL, (const double[]){0.75, 0.25}, 2); /* vertices already: nothing changes */
  wy_model *model = make(&it);
  assert_null(wy_model_rod(model, 0)->segment_lengths);
  check_pieces(model, (const int[]){2, 4, 2}, 3);
  wy_model_destroy(model);
  pinned_inside(&it, 10, NULL, (const double[]){0.33, 0.61}, 2); /* 3.3, 2.8, 3.9 */
  model = make(&it);
  assert_int_equal(wy_model_rod(model, 0)->segments, 10);
  check_pieces(model, (const int[]){3, 3, 4}, 3);
  check_close(wy_segment_length(wy_model_rod(model, 0), 4), 0.28 / 3, rounding);
  wy_model_destroy(model);
  static const double graded[6] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.25}; /* 0.4 is half way along the fourth segment */
  pinned_inside(&it, 6, graded, (const double[]){0.4}, 1);
  model = make(&it);
  check_pieces(model, (const int[]){4, 2}, 2);
  const double *lengths = wy_model_rod(model, 0)->segment_lengths;
  for (int i = 0; i < 3; i++)
    assert_true(lengths[i] < lengths[i + 1]);
  wy_model_destroy(model);
}

/* A piece has room for two of the rod's segments, or it is said how many would do. */
static void short_pieces(void **state) {
  (void)state;
  draft it;
  wy_message message;
  pinned_inside(&it, 10, NULL, (const double[]){0.5, 0.65}, 2);
  it.joints[1].name = "near";
  assert_int_equal(wy_model_create(&it.model, &(wy_model *){NULL}, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "expected 14 or more"));
  assert_non_null(strstr(message.text, "joints.near at s = 0.65 is less than two segments from joints[0] at s = 0.5"));
  pinned_inside(&it, 10, NULL, (const double[]){0.85}, 1);
  assert_int_equal(wy_model_create(&it.model, &(wy_model *){NULL}, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "from its end"));
}

/* A joint that is to bring its parts together has them where they will be. */
static void assembled(void **state) {
  (void)state;
  draft it;
  define(&it);
  it.rods[1].shape.origin[1] = 0.25;
  it.joints[0].assemble = true;
  wy_model *model = make(&it);
  const wy_network *net = wy_model_network(model);
  check_vector(net->hubs[1].origin, 1, 0, 0, rounding);
  check_vector(net->ends[wy_network_end(model, 1, WY_END)].c, 0, 0, 0, rounding);
  wy_model_destroy(model);
}

/* Without joints every rod is a group, as it was. */
static void rods_alone(void **state) {
  (void)state;
  draft it;
  define(&it);
  it.model.joint_count = it.model.spring_count = it.model.body_count = it.model.load_count = 0;
  it.rods[0].name = "ground"; /* which is a name like any other where nothing can be on the ground */
  wy_model *model = make(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->group_count, 2);
  assert_int_equal(net->hub_count + net->end_count + net->spring_count, 0);
  for (int i = 0; i < 2; i++) {
    assert_true(net->groups[i].rod_count == 1 && net->groups[i].rods[0] == i && net->rod_groups[i] == i);
    assert_int_equal(wy_network_end(model, i, WY_START) + wy_network_end(model, i, WY_END), -2);
  }
  wy_model_destroy(model);
}

/* Estimates take what a joint holds for held. */
static void joints_are_supports(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    draft it;
    empty(&it);
    add_rod(&it, "beam", POINT(0, 0, 0), POINT(1, 0, 0));
    it.rods[0].ends[0] = k ? wy_end_clamped() : wy_end_pinned();
    wy_model *held = make(&it);
    it.rods[0].ends[0] = wy_end_free();
    wy_model *loose = make(&it);
    wy_joint_def *foot = add_joint(&it, "foot", k ? WY_WELD : WY_BALL);
    add_port(&it, foot, wy_port_on_rod(0, 0)), add_port(&it, foot, wy_port_on_ground());
    wy_model *joined = make(&it);
    const double want = wy_model_time_scale(held, 0, 1);
    check_close(wy_model_time_scale(joined, 0, 1), want, 0);
    check_above(fabs(wy_model_time_scale(loose, 0, 1) - want), 0.1 * want);
    wy_model_destroy(held), wy_model_destroy(loose), wy_model_destroy(joined);
  }
}

/* ---- Many ---- */

enum { MANY = 60, TIES = 10 };

/* Rods that all begin at one place, joined at random there and by springs between their ends. */
typedef struct crowd {
  wy_rod_def rods[MANY];
  wy_joint_def joints[MANY];
  wy_spring_def ties[TIES];
  wy_port ports[MANY];
  char names[MANY][8];
  wy_model_def model;
} crowd;

static void gather(crowd *it, int trial, unsigned *seed) {
  it->model = wy_default_model_def();
  for (int i = 0; i < MANY; i++) {
    it->rods[i] = rubber_rod(2);
    it->rods[i].ends[0] = it->rods[i].ends[1] = wy_end_free();
    snprintf(it->names[i], sizeof it->names[i], "r%d", i);
    it->rods[i].name = it->names[i];
    it->rods[i].shape = (wy_shape){.direction = {cos(i), sin(i), 0}};
    it->ports[i] = wy_port_on_rod((7 * i + trial) % MANY, 0); /* each once */
  }
  for (int used = 0; used < MANY - 4;) {
    wy_joint_def *joint = &it->joints[it->model.joint_count++];
    *joint = wy_default_joint_def();
    joint->kind = WY_BALL;
    joint->ports = &it->ports[used], joint->port_count = 2 + (int)(1.5 + 1.4 * noise(seed)); /* 2 to 4 */
    used += joint->port_count;
  }
  for (int i = 0; i < TIES; i++) {
    const int a = (int)(MANY / 2 * (1 + 0.999 * noise(seed))), b = (a + 1 + i) % MANY;
    it->ties[i] = wy_default_spring_def();
    it->ties[i].stiffness = 1;
    it->ties[i].ports[0] = wy_port_on_rod(a, it->rods[a].length);
    it->ties[i].ports[1] = wy_port_on_rod(b, it->rods[b].length);
  }
  it->model.rods = it->rods, it->model.rod_count = MANY, it->model.joints = it->joints;
  it->model.springs = it->ties, it->model.spring_count = TIES;
}

/* The first rod of each rod's group, by repeated search. */
static void label_by_search(const crowd *it, int label[MANY]) {
  const int joints = it->model.joint_count;
  for (int i = 0; i < MANY; i++)
    label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < joints + TIES; i++) {
      const wy_port *of = i < joints ? it->joints[i].ports : it->ties[i - joints].ports;
      const int count = i < joints ? it->joints[i].port_count : 2;
      int least = MANY;
      for (int k = 0; k < count; k++)
        least = label[of[k].index] < least ? label[of[k].index] : least;
      for (int k = 0; k < count; k++) {
        changed = changed || label[of[k].index] != least;
        label[of[k].index] = least;
      }
    }
  }
}

static void groups_of_many(void **state) {
  (void)state;
  static crowd it;
  unsigned seed = 3;
  for (int trial = 0; trial < 20; trial++) {
    int label[MANY], numbers[MANY], next = 0, listed = 0;
    wy_model *model = NULL;
    wy_message message = {.text = ""};
    gather(&it, trial, &seed);
    label_by_search(&it, label);
    must(wy_model_create(&it.model, &model, &message), &message);
    const wy_network *net = wy_model_network(model);
    for (int i = 0; i < MANY; i++) { /* groups are numbered by their first rods */
      numbers[i] = label[i] == i ? next++ : numbers[label[i]];
      assert_int_equal(net->rod_groups[i], numbers[i]);
    }
    assert_int_equal(net->group_count, next);
    check_above(next, 1);
    for (int g = 0; g < next; g++) {
      listed += net->groups[g].rod_count;
      for (int k = 0; k < net->groups[g].hub_count; k++)
        assert_int_equal(net->hubs[net->groups[g].hubs[k]].group, g);
    }
    assert_int_equal(listed, MANY);
    wy_model_destroy(model);
  }
}

/* ---- Saved states and tables ---- */

static void parts_of(const draft *it, uint64_t parts[WY_MODEL_PARTS]) {
  wy_model *model = make(it);
  wy_model_identify(model, 1, parts);
  wy_model_destroy(model);
}

static void what_tells_models_apart(void **state) {
  (void)state;
  uint64_t want[WY_MODEL_PARTS], got[WY_MODEL_PARTS];
  draft it;
  define(&it);
  parts_of(&it, want);
#define DIFFERS(change, part)                                                                                          \
  do {                                                                                                                 \
    define(&it);                                                                                                       \
    change;                                                                                                            \
    parts_of(&it, got);                                                                                                \
    for (int i = 0; i < WY_MODEL_PARTS; i++)                                                                           \
      if ((got[i] != want[i]) != (i == part))                                                                          \
        fail_msg("%s: part %d", #change, i);                                                                           \
  } while (0)
  DIFFERS((void)0, -1);
  DIFFERS(it.bodies[0].mass = 3, WY_MODEL_BODIES);
  DIFFERS(it.bodies[0].inertia[3] = 1e-4, WY_MODEL_BODIES);
  DIFFERS(it.bodies[0].velocity[1] = 1, WY_MODEL_BODIES);
  DIFFERS(it.bodies[0].position[0] = WY_HELD, WY_MODEL_BODIES);
  DIFFERS(it.bodies[0].name = "other", WY_MODEL_BODIES);
  DIFFERS(it.joints[1].kind = WY_WELD, WY_MODEL_JOINTS);
  DIFFERS(it.joints[1].release = 2, WY_MODEL_JOINTS);
  DIFFERS(it.ports[1][1].point[0] = 1e-9, WY_MODEL_JOINTS);
  DIFFERS(it.ports[0][0] = wy_port_on_rod(0, 1 - 1e-10), WY_MODEL_JOINTS);
  DIFFERS(it.springs[0].damping = 1, WY_MODEL_SPRINGS);
  DIFFERS(it.springs[0].ports[1].index = 0; it.springs[0].ports[1].s = 0.4, WY_MODEL_SPRINGS);
  DIFFERS(it.load.point[0] = 1, WY_MODEL_LOADS);
  DIFFERS(it.load.reserved = 1, -1); /* not used */
}

static void tables_reach_far_enough(void **state) {
  (void)state;
  static const double t[3] = {0, 1, 2}, still[3] = {0, 0, 0};
  wy_spline_def table = wy_default_spline_def();
  wy_spline *spline = NULL;
  wy_message message = {.text = ""};
  table.rows = 3, table.columns = 1, table.argument = t, table.values = still, table.of = WY_TIME;
  must(wy_spline_create(&table, &spline, &message), &message);
  const wy_signal signal = wy_spline_signal(spline, 0);
  for (int i = 0; i < 3; i++) {
    static const char *const paths[] = {"bodies.hub.position[1]", "bodies.hub.rotation.angle", "joints.corner.angle"};
    draft it;
    define(&it);
    if (i == 0)
      it.bodies[0].position[1] = WY_DRIVEN, it.bodies[0].path[1] = signal;
    else if (i == 1)
      it.bodies[0].rotation = WY_DRIVEN, it.bodies[0].axis[0] = 2, it.bodies[0].angle = signal;
    else
      it.joints[0].kind = WY_HINGE, it.joints[0].axis[1] = 4, it.joints[0].has_angle = true,
      it.joints[0].angle = signal;
    wy_model *model = make(&it);
    check_close(i == 2 ? wy_model_joint(model, 0)->axis[1] : 1, 1, 0);
    assert_int_equal(wy_model_check_reach(model, 2, &message), WY_OK);
    assert_int_equal(wy_model_check_reach(model, 2.5, &message), WY_ERROR_INPUT);
    assert_string_equal(message.path, paths[i]);
    wy_model_destroy(model);
    it.bodies[0].release = i < 2 ? 1.5 : (double)INFINITY; /* not needed after that */
    it.joints[0].release = 1.5;
    model = make(&it);
    assert_int_equal(wy_model_check_reach(model, 2.5, &message), WY_OK);
    wy_model_destroy(model);
  }
  wy_spline_destroy(spline);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists),
      cmocka_unit_test(names),
      cmocka_unit_test(masses),
      cmocka_unit_test(motions_of_bodies),
      cmocka_unit_test(ports_of_joints),
      cmocka_unit_test(parts_that_do_not_meet),
      cmocka_unit_test(kinds_of_joints),
      cmocka_unit_test(springs_and_loads),
      cmocka_unit_test(nothing_of_the_caller_is_kept),
      cmocka_unit_test(inertia_of_shapes),
      cmocka_unit_test(thin_bodies_turned_about),
      cmocka_unit_test(the_example),
      cmocka_unit_test(a_body_with_rods),
      cmocka_unit_test(a_ring_of_arcs),
      cmocka_unit_test(a_tree),
      cmocka_unit_test(groups_apart),
      cmocka_unit_test(springs),
      cmocka_unit_test(pieces),
      cmocka_unit_test(short_pieces),
      cmocka_unit_test(assembled),
      cmocka_unit_test(rods_alone),
      cmocka_unit_test(joints_are_supports),
      cmocka_unit_test(groups_of_many),
      cmocka_unit_test(what_tells_models_apart),
      cmocka_unit_test(tables_reach_far_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
