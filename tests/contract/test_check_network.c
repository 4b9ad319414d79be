/* SPDX-License-Identifier: MIT */
/* What the library says of bodies, joints, springs and groups before a run: the lines of the report, and every warning
   with a model that brings it up and one that does not. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"
#include "withy/withy.h"

enum { ROOM = 16, SEGMENTS = 10 };

/* A beam from the wall, a post that hangs from its end, and a bob at the end of that: all welded. */
typedef struct frame {
  wy_rod_def rods[2];
  wy_body_def bodies[2];
  wy_port ports[3][2];
  wy_joint_def joints[3];
  wy_spring_def spring;
  wy_model_def model;
  wy_sim_def sim;
  wy_analysis analysis;
} frame;

static wy_rod_def rod_of(const char *name) {
  wy_rod_def rod = wy_default_rod_def();
  rod.name = name;
  rod.length = 1;
  rod.segments = SEGMENTS;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(0.02);
  rod.material.given = true;
  rod.material.young = wy_constant(1e7);
  rod.material.density = wy_constant(2000);
  rod.material.poisson = wy_constant(0.5);
  return rod;
}

static void join(frame *f, int joint, const char *name, wy_port a, wy_port b) {
  f->joints[joint] = wy_default_joint_def();
  f->joints[joint].name = name;
  f->ports[joint][0] = a, f->ports[joint][1] = b;
  f->joints[joint].ports = f->ports[joint];
  f->joints[joint].port_count = 2;
}

static void make(frame *f) {
  *f = (frame){.model = wy_default_model_def(), .sim = wy_default_sim_def(), .analysis = WY_DYNAMICS};
  f->rods[0] = rod_of("beam");
  f->rods[1] = rod_of("post");
  f->rods[1].shape.origin[0] = 1;
  f->rods[1].shape.direction[0] = 0, f->rods[1].shape.direction[2] = -1;
  for (int i = 0; i < 2; i++) {
    f->bodies[i] = wy_default_body_def();
    f->bodies[i].name = i ? "other" : "bob";
    f->bodies[i].mass = 1;
    f->bodies[i].inertia[0] = f->bodies[i].inertia[1] = f->bodies[i].inertia[2] = 0.01;
    f->bodies[i].origin[0] = 1 + 5 * i, f->bodies[i].origin[2] = -1;
  }
  join(f, 0, "wall", wy_port_on_rod(0, 0), wy_port_on_ground());
  join(f, 1, "corner", wy_port_on_rod(0, 1), wy_port_on_rod(1, 0));
  join(f, 2, NULL, wy_port_on_rod(1, 1), wy_port_on_body(0, 0, 0, 0));
  f->spring = wy_default_spring_def();
  f->spring.name = "tie";
  f->spring.stiffness = 5, f->spring.length = 1;
  f->spring.ports[0] = wy_port_on_body(1, 0, 0, 0), f->spring.ports[1] = wy_port_in_space(6, 0, 0);
  f->model.rods = f->rods, f->model.rod_count = 2;
  f->model.bodies = f->bodies, f->model.body_count = 1;
  f->model.joints = f->joints, f->model.joint_count = 3;
  f->model.springs = &f->spring;
  f->sim.end = 10;
}

static int check(frame *f, wy_finding list[ROOM]) {
  wy_message message = {{0}, {0}};
  wy_model *model = NULL;
  int count = 0;
  f->sim.statics = f->analysis != WY_DYNAMICS;
  must(wy_model_create(&f->model, &model, &message), &message);
  must(wy_check(model, &f->sim, f->analysis, list, ROOM, &count, &message), &message);
  wy_model_destroy(model);
  return count;
}

static void warns(frame *f, const char *code, const char *path, const char *words) {
  wy_finding list[ROOM];
  assert_int_equal(check(f, list), 1);
  assert_string_equal(list[0].code, code);
  assert_string_equal(list[0].path, path);
  assert_int_equal(list[0].severity, WY_WARNING);
  assert_int_equal(list[0].rod, WY_ALL_RODS);
  if (!strstr(list[0].text, words))
    fail_msg("got '%s', want '%s' in it", list[0].text, words);
  assert_true(list[0].remedy[0]);
}

static void is_silent(frame *f) {
  wy_finding list[ROOM];
  if (check(f, list) > 0)
    fail_msg("%s: %s", list[0].path, list[0].text);
}

static void a_frame_is_in_order(void **state) {
  (void)state;
  frame f;
  for (int analysis = WY_DYNAMICS; analysis <= WY_MODES; analysis++) {
    make(&f);
    f.analysis = (wy_analysis)analysis;
    is_silent(&f);
  }
}

static void a_body_in_no_joint_is_loose(void **state) {
  (void)state;
  frame f;
  make(&f);
  f.model.body_count = 2;
  warns(&f, "loose_body", "bodies.other", "in no joint and in no spring");
  f.model.spring_count = 1;
  is_silent(&f);
}

/* Nor is one that carries an obstacle. */
static void a_body_with_an_obstacle_is_not_loose(void **state) {
  (void)state;
  frame f;
  wy_obstacle_def floor = wy_default_obstacle_def();
  make(&f);
  f.model.body_count = 2;
  f.model.obstacles = &floor, f.model.obstacle_count = 1;
  floor.body = 1, floor.name = "floor";
  for (int k = 0; k < 3; k++)
    f.bodies[1].position[k] = WY_HELD;
  f.bodies[1].rotation = WY_HELD, f.bodies[1].origin[2] = -1.1;
  is_silent(&f);
}

static void ends_that_meet_want_a_joint(void **state) {
  (void)state;
  frame f;
  make(&f);
  f.joints[1] = f.joints[2]; /* without the corner */
  f.model.joint_count = 2;
  warns(&f, "no_joint", "rods.beam", "beam.end and post.start meet at (1, 0, 0)");
  f.rods[1].shape.origin[0] = f.bodies[0].origin[0] = 1 + 5e-7; /* within 1e-6 of the longest rod */
  warns(&f, "no_joint", "rods.beam", "beam.end and post.start meet");
  f.rods[1].shape.origin[0] = f.bodies[0].origin[0] = 1 + 2e-6;
  is_silent(&f);
}

/* A body, too. */
static void an_end_at_a_body_wants_a_joint(void **state) {
  (void)state;
  frame f;
  make(&f);
  f.model.body_count = 2;
  f.model.spring_count = 1;
  f.model.joint_count = 2;
  f.bodies[0].origin[0] = 9; /* the bob is elsewhere, and the other body in its place */
  f.bodies[1].origin[0] = 1;
  f.spring.ports[0] = wy_port_on_body(0, 0, 0, 0), f.spring.ports[1] = wy_port_on_body(1, 0, 0, 0);
  warns(&f, "no_joint", "rods.post", "post.end and other meet at (1, 0, -1)");
}

/* Rods side by side, and ends that are held each by itself, are no mistake. */
static void rods_without_joints_may_begin_at_one_place(void **state) {
  (void)state;
  frame f;
  make(&f);
  f.model.joint_count = f.model.body_count = 0;
  is_silent(&f);
  make(&f);
  f.joints[0] = f.joints[2]; /* the bob on the post; beam and post are held in space */
  f.model.joint_count = 1;
  f.rods[0].ends[WY_END] = wy_end_clamped();
  f.rods[1].ends[WY_START] = wy_end_clamped();
  is_silent(&f);
}

static void a_group_that_nothing_holds_has_no_equilibrium(void **state) {
  (void)state;
  frame f;
  make(&f);
  f.joints[0] = f.joints[2]; /* no wall */
  f.model.joint_count = 2;
  is_silent(&f);
  f.analysis = WY_STATICS;
  warns(&f, "not_held", "rods.beam", "nothing holds its group, and equilibria need loads");
  f.analysis = WY_MODES;
  warns(&f, "not_held", "rods.beam", "the first modes are motions of the group");
  wy_obstacle_def floor = wy_default_obstacle_def();
  floor.name = "floor", floor.position[2].value = -1.02;
  f.model.obstacles = &floor, f.model.obstacle_count = 1; /* which may */
  is_silent(&f);
  f.model.obstacle_count = 0;
  f.bodies[0].position[2] = WY_HELD;
  is_silent(&f);
  make(&f);
  f.joints[0] = f.joints[2];
  f.model.joint_count = 2;
  f.analysis = WY_STATICS;
  f.model.spring_count = 1;
  f.spring.ports[0] = wy_port_on_body(0, 0, 0, 0);
  warns(&f, "mechanism", "rods.beam", "moves in 5 ways"); /* it swings, with one length held */
}

/* Freedoms of rigid parts, less the conditions of joints: a pendulum, a frame on two feet, a square. */
static void mechanisms_have_no_stiffness(void **state) {
  (void)state;
  frame f;
  make(&f);
  f.analysis = WY_STATICS;
  f.joints[0].kind = WY_BALL;
  warns(&f, "mechanism", "rods.beam", "moves in 3 ways");
  f.analysis = WY_MODES;
  is_silent(&f);
  f.analysis = WY_STATICS;
  f.joints[0].kind = WY_HINGE, f.joints[0].axis[1] = 1;
  warns(&f, "mechanism", "rods.beam", "moves in 1 way ");
  f.joints[0].has_spring = true, f.joints[0].stiffness = 1;
  is_silent(&f);
  make(&f);
  f.analysis = WY_STATICS;
  f.joints[1].kind = WY_BALL; /* the post with the bob swings and turns about itself */
  warns(&f, "mechanism", "rods.beam", "moves in 3 ways");
  f.joints[2].kind = WY_BALL; /* the bob turns by itself, and the turn of the post about itself is no news */
  warns(&f, "mechanism", "rods.beam", "moves in 5 ways");
  f.model.joint_count = 2, f.model.body_count = 0;
  f.rods[1].ends[WY_END] = wy_end_pinned(); /* two balls: nothing but that */
  is_silent(&f);
}

/* A planar four-bar: three bodies and the ground on four hinges, 20 conditions of rank 17; with one axis tilted 18. */
static void conditions_may_follow_from_others(void **state) {
  (void)state;
  static const char *const names[] = {"crank", "coupler", "rocker"};
  static const double places[4][3] = {{0, 0, 0}, {0, 0, 1}, {2, 0, 2}, {3, 0, 0}};
  wy_body_def bodies[3];
  wy_port ports[4][2];
  wy_joint_def joints[4];
  frame f;
  make(&f);
  for (int i = 0; i < 3; i++) {
    bodies[i] = f.bodies[0];
    bodies[i].name = names[i];
    for (int k = 0; k < 3; k++)
      bodies[i].origin[k] = 0.5 * (places[i][k] + places[i + 1][k]);
  }
  for (int i = 0; i < 4; i++) {
    joints[i] = wy_default_joint_def();
    joints[i].kind = WY_HINGE, joints[i].axis[1] = 1;
    joints[i].port_count = 2, joints[i].ports = ports[i];
    for (int side = 0; side < 2; side++) {
      const int body = i - 1 + side;
      ports[i][side] = wy_port_on_ground();
      if (body >= 0 && body < 3)
        ports[i][side] = wy_port_on_body(body, places[i][0] - bodies[body].origin[0],
                                         places[i][1] - bodies[body].origin[1], places[i][2] - bodies[body].origin[2]);
    }
  }
  f.model.rod_count = 0;
  f.model.bodies = bodies, f.model.body_count = 3;
  f.model.joints = joints, f.model.joint_count = 4;
  warns(&f, "dependent", "joints[0]", "3 of the 20 conditions");
  wy_report_line lines[ROOM];
  wy_model *model = NULL;
  wy_message message = {{0}, {0}};
  int count = 0;
  must(wy_model_create(&f.model, &model, &message), &message);
  must(wy_check_report(model, &f.sim, WY_DYNAMICS, WY_ALL_RODS, lines, ROOM, &count, &message), &message);
  assert_non_null(strstr(lines[count - 1].text, ", 1 freedom"));
  wy_model_destroy(model);
  joints[3].axis[0] = 0.01;
  warns(&f, "dependent", "joints[0]", "2 of the 20 conditions");
  for (int i = 2; i < 4; i++) {
    joints[i].kind = WY_BALL;
    memset(joints[i].axis, 0, sizeof joints[i].axis);
  }
  is_silent(&f); /* 16 conditions: the rocker turns about the line between its ends, too */
}

/* What parts lose that are given other velocities at a joint. */
static void initial_velocities_should_fit(void **state) {
  (void)state;
  frame f;
  make(&f);
  f.joints[0] = f.joints[2]; /* no wall */
  f.model.joint_count = 2;
  for (int i = 0; i < 2; i++)
    f.rods[i].initial.velocity[1] = wy_constant(2);
  f.bodies[0].velocity[1] = 2;
  is_silent(&f);
  f.bodies[0].velocity[1] = 2.02;
  warns(&f, "velocities", "joints[0]", "initial velocities do not fit here");
  f.bodies[0].velocity[1] = 2;
  f.rods[0].initial.velocity[1] = wy_constant(2.5);
  warns(&f, "velocities", "joints.corner", "initial velocities do not fit here");
  /* Half cells of m = 2000 pi r^2 / 20 at the corner: m/4 0.5^2 of 2 m 10 (2.5^2 + 2^2) and the bob's 2. */
  wy_finding list[ROOM];
  check(&f, list);
  const double m = 2000 * 3.141592653589793 * 4e-4 / 20;
  check_close(list[0].value, 0.0625 * m / (10 * m * (2.5 * 2.5 + 4) + 2), 1e-9);
  f.analysis = WY_STATICS;
  wy_finding other[ROOM];
  assert_int_equal(check(&f, other), 1); /* nothing holds it; velocities are not asked for */
  assert_string_equal(other[0].code, "not_held");
}

static bool has_line(const wy_report_line *lines, int count, const char *name, const char *text) {
  bool found = false;
  for (int i = 0; i < count; i++)
    found = found || (strcmp(lines[i].name, name) == 0 && strstr(lines[i].text, text));
  return found;
}

static void the_report_names_parts_and_groups(void **state) {
  (void)state;
  frame f;
  wy_report_line lines[ROOM];
  wy_message message = {{0}, {0}};
  wy_model *model = NULL;
  int count = 0;
  make(&f);
  f.model.body_count = 2;
  f.model.spring_count = 1;
  must(wy_model_create(&f.model, &model, &message), &message);
  must(wy_check_report(model, &f.sim, WY_DYNAMICS, WY_ALL_RODS, lines, ROOM, &count, &message), &message);
  assert_int_equal(count, 2 + 3 + 1 + 2);
  assert_true(has_line(lines, count, "bodies", "bob: 1 kg, moments of inertia 0.01, 0.01, 0.01 kg m^2, at (1, 0, -1)"));
  assert_true(has_line(lines, count, "joints", "wall: weld of beam.start, ground"));
  assert_true(has_line(lines, count, "", "corner: weld of beam.end, post.start"));
  assert_true(has_line(lines, count, "", "weld of post.end, bob"));
  assert_true(has_line(lines, count, "springs", "tie: spring of other, ground, 5 N/m, length 1 m"));
  /* Inner vertices and all segments of both rods; corner and bob. */
  char text[100];
  snprintf(text, sizeof text, "2 rods (beam, post), 1 body, 3 joints, 0 springs, %d freedoms",
           2 * (3 * (SEGMENTS - 1) + 3 * SEGMENTS) + 6 + 6);
  assert_true(has_line(lines, count, "groups", text));
  assert_true(has_line(lines, count, "", "0 rods, 1 body, 0 joints, 1 spring, 6 freedoms"));
  wy_model_destroy(model);
  /* Two strains of a segment are none where there is no shear, three without extension. */
  f.rods[0].kind = WY_KIRCHHOFF, f.rods[1].kind = WY_INEXTENSIBLE;
  must(wy_model_create(&f.model, &model, &message), &message);
  must(wy_check_report(model, &f.sim, WY_DYNAMICS, WY_ALL_RODS, lines, ROOM, &count, &message), &message);
  snprintf(text, sizeof text, "3 joints, 0 springs, %d freedoms", 6 * (SEGMENTS - 1) + SEGMENTS + 6 + 6);
  assert_true(has_line(lines, count, "groups", text));
  wy_model_destroy(model);
  f.rods[0].kind = f.rods[1].kind = WY_COSSERAT;
  f.model.body_count = f.model.joint_count = f.model.spring_count = 0;
  must(wy_model_create(&f.model, &model, &message), &message);
  must(wy_check_report(model, &f.sim, WY_DYNAMICS, WY_ALL_RODS, lines, ROOM, &count, &message), &message);
  assert_int_equal(count, 0);
  wy_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_frame_is_in_order),
      cmocka_unit_test(a_body_in_no_joint_is_loose),
      cmocka_unit_test(a_body_with_an_obstacle_is_not_loose),
      cmocka_unit_test(ends_that_meet_want_a_joint),
      cmocka_unit_test(an_end_at_a_body_wants_a_joint),
      cmocka_unit_test(rods_without_joints_may_begin_at_one_place),
      cmocka_unit_test(a_group_that_nothing_holds_has_no_equilibrium),
      cmocka_unit_test(mechanisms_have_no_stiffness),
      cmocka_unit_test(conditions_may_follow_from_others),
      cmocka_unit_test(initial_velocities_should_fit),
      cmocka_unit_test(the_report_names_parts_and_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
