/* SPDX-License-Identifier: MIT */
/* Bodies, joints and springs of a model: what is refused and how it is said, masses of shapes, and what tells models
   apart. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "model/model.h"
#include "model/network.h"
#include "support/draft.h"

static const double pi = 3.14159265358979323846;

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
    draft_example(&it);                                                                                                \
    change;                                                                                                            \
    check_refused(&it, path, text);                                                                                    \
  } while (0)

static void lists(void **state) {
  (void)state;
  REFUSED(it.model.bodies = NULL, "bodies", "found 1 bodies without an array of them");
  REFUSED(it.model.joints = NULL, "joints", "found 2 joints without an array of them");
  REFUSED(it.model.spring_count = -1, "springs", "found -1 springs without an array of them");
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
  REFUSED(draft_body(&it, "hub", POINT(0, 0, 0)), "bodies[1].name",
          "found 'hub' a second time; expected a different name for each rod and body");
  REFUSED(it.bodies[0].name = "ground", "bodies.ground.name", ground);
  REFUSED(it.rods[1].name = "ground", "rods[1].name", ground);
  REFUSED(it.bodies[0].name = "", "bodies[0].name", "is empty; expected a name");
  REFUSED(it.bodies[0].name = NULL, "bodies[0].name", "is empty; expected a name");
  REFUSED(it.joints[1].name = "corner", "joints[1].name",
          "found 'corner' a second time; expected a different name for each joint");
  REFUSED(it.joints[1].name = "", "joints[1].name", "is empty; expected a name, or none");
  REFUSED(draft_spring(&it, "tie", wy_port_on_body(0, 0, 0, 0), wy_port_in_space(0, 0, 9)), "springs[1].name",
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
  REFUSED(draft_port(&it, &it.joints[1], wy_port_on_body(0, 0, 0, -0.5)), "joints.foot.of[2]",
          "found hub a second time; expected different parts");
  REFUSED((draft_port(&it, &it.joints[1], wy_port_on_ground()), draft_port(&it, &it.joints[1], wy_port_on_ground())),
          "joints.foot.of[3]", "found ground a second time; expected different parts");
  REFUSED(draft_port(&it, &it.joints[1], wy_port_on_rod(0, 1e-12)), "joints.foot.of[2]",
          "found beam.start a second time; expected different parts");
  wy_joint_def *again;
  REFUSED((again = draft_joint(&it, "again", WY_BALL), draft_port(&it, again, wy_port_on_rod(1, 1)),
           draft_port(&it, again, wy_port_on_ground())),
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
  REFUSED(draft_port(&it, &it.joints[0], wy_port_in_space(1, 0, 0.5)), "joints.corner.of[2]",
          "joint corner: beam.end and ground are 0.5 apart; move them or set assemble");
  static const char *const held = "found post.end, which rods[1].ends.end holds, too; expected an end that is free "
                                  "there: a joint with the ground can hold it";
  REFUSED(it.rods[1].ends[1] = wy_end_clamped(), "joints.corner.of[1]", held);
  REFUSED(it.rods[1].ends[1].position[1] = WY_HELD, "joints.corner.of[1]", held);
  REFUSED(it.rods[1].initial.twist = number(0.1), "rods[1].initial.twist",
          "found 0.1 at post.end, which joints.corner holds; expected 0 there");
  draft close; /* 1e-6 of the longest rod is no distance */
  draft_example(&close);
  close.rods[1].shape.origin[2] -= 0.9e-6;
  wy_model_destroy(make_draft(&close));
  close.rods[1].shape.origin[2] -= 0.2e-6;
  check_refused(&close, "joints.corner.of[1]",
                "joint corner: beam.end and post.end are 1.1e-06 apart; move them or set assemble");
  close.joints[0].assemble = true;
  wy_model_destroy(make_draft(&close));
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
  draft_example(&bare);
  bare.model.joint_count = bare.model.spring_count = bare.model.body_count = 0;
  check_refused(&bare, "loads[0].body", "found body number 0, and there is none");
}

/* ---- What is copied ---- */

static void nothing_of_the_caller_is_kept(void **state) {
  (void)state;
  draft *it = malloc(sizeof *it), want;
  char *name = malloc(8);
  draft_example(it);
  strcpy(name, "corner");
  it->joints[0].name = name;
  draft_example(&want);
  wy_model *model = make_draft(it);
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
  empty_draft(&it);
  wy_body_def *body = draft_body(&it, "solid", POINT(0, 0, 0));
  body->mass = 0, body->density = 3;
  memset(body->inertia, 0, sizeof body->inertia);
  body->shape = shape;
  wy_copy3(POINT(a, b, c), body->dimensions);
  wy_model *model = make_draft(&it); /* a model without rods */
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
    draft_example(&it);
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
    wy_model_destroy(make_draft(&it));
    double more[6]; /* a little beyond: 1, 2, 3.001 */
    for (int i = 0; i < 6; i++)
      more[i] = inertia[i] + 1e-3 * r[3 * rows[i][0] + 2] * r[3 * rows[i][1] + 2];
    memcpy(inertia, more, sizeof more);
    check_refused(&it, "bodies.hub.inertia",
                  "found principal moments 1, 2, 3.001; expected none above the sum of the others, as in every body");
  }
}

/* ---- Saved states and tables ---- */

static void parts_of(const draft *it, uint64_t parts[WY_MODEL_PARTS]) {
  wy_model *model = make_draft(it);
  wy_model_identify(model, 1, parts);
  wy_model_destroy(model);
}

static void what_tells_models_apart(void **state) {
  (void)state;
  uint64_t want[WY_MODEL_PARTS], got[WY_MODEL_PARTS];
  draft it;
  draft_example(&it);
  parts_of(&it, want);
#define DIFFERS(change, part)                                                                                          \
  do {                                                                                                                 \
    draft_example(&it);                                                                                                \
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
    draft_example(&it);
    if (i == 0)
      it.bodies[0].position[1] = WY_DRIVEN, it.bodies[0].path[1] = signal;
    else if (i == 1)
      it.bodies[0].rotation = WY_DRIVEN, it.bodies[0].axis[0] = 2, it.bodies[0].angle = signal;
    else
      it.joints[0].kind = WY_HINGE, it.joints[0].axis[1] = 4, it.joints[0].has_angle = true,
      it.joints[0].angle = signal;
    wy_model *model = make_draft(&it);
    check_close(i == 2 ? wy_model_joint(model, 0)->axis[1] : 1, 1, 0);
    assert_int_equal(wy_model_check_reach(model, 2, &message), WY_OK);
    assert_int_equal(wy_model_check_reach(model, 2.5, &message), WY_ERROR_INPUT);
    assert_string_equal(message.path, paths[i]);
    wy_model_destroy(model);
    it.bodies[0].release = i < 2 ? 1.5 : (double)INFINITY; /* not needed after that */
    it.joints[0].release = 1.5;
    model = make_draft(&it);
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
      cmocka_unit_test(what_tells_models_apart),
      cmocka_unit_test(tables_reach_far_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
