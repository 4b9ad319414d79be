/* SPDX-License-Identifier: MIT */
/* Rods that walls and tubes guide while they buckle; tests/data/contact/README.md says where the values come from. */
#include <math.h>

#include "check.h"
#include "math/quat.h"
#include "support/contact_scene.h"

static const double pi = 3.14159265358979323846;

/* ---- A strut against a wall ---- */

/* A pinned strut of length and bending stiffness 1 between two walls that keep it in its plane, and a third one at a
   distance, towards which a load across pushes it until t = 1; it is gone at t = 2. */
static scene strut(int segments, double distance, const knots *push, const knots *across) {
  const double r = 1e-3;
  scene at = on_floor(segments, 1, WY_INEXTENSIBLE);
  make_slender(&at, 1);
  at.gravity[2] = 0;
  at.rod.contact.radius = wy_constant(r);
  at.rod.contact.stiffness = 1e8, at.rod.contact.blend = 0;
  at.obstacle_count = 3;
  at.obstacles[0].position[2] = wy_constant(-distance - r);
  for (int i = 1; i < 3; i++) {
    const double side = i == 1 ? 1 : -1;
    at.obstacles[i] = wy_default_obstacle_def();
    at.obstacles[i].name = i == 1 ? "left" : "right";
    at.obstacles[i].axis[1] = side, at.obstacles[i].axis[2] = 0;
    at.obstacles[i].position[1] = wy_constant(-side * 0.999 * r);
  }
  at.rod.ends[0] = at.rod.ends[1] = wy_end_pinned();
  at.rod.ends[1].position[0] = WY_FREE;
  at.load_count = 2;
  at.loads[0].place = WY_AT_END;
  at.loads[0].force[0] = signal_of(push);
  at.loads[1].place = WY_ALONG, at.loads[1].to = 1;
  at.loads[1].force[2] = signal_of(across);
  settle(&at);
  return at;
}

/* A chain of segments of length h buckles under P (1 - (k h)^2 / 12), k^2 = P / EI: 7e-4 at the largest load. The skin
   gives way by less than 1e-4 of the distance. */
static const double of_strut = 1e-3;

/* The wall touches in one point; large slopes. */
static void a_strut_is_pushed_against_a_wall(void **state) {
  (void)state;
  static const double euler[] = {1.5, 2, 3}, shorter[] = {0.001005386215, 0.001027366399, 0.001090511276},
                      force[] = {0.4914148555, 0.9931136472, 2.03644766};
  knots push = {5, {0, 1.5, 1.5, 2, 3}};
  const double distance = 0.02;
  const knots across = {4, {-25 * distance, -25 * distance, 0, 0}};
  for (int i = 0; i < push.count; i++)
    push.at[i] *= -pi * pi;
  scene at = strut(100, distance, &push, &across);
  for (int i = 0; i < 3; i++) {
    follow(&at, 2 + i);
    assert_true(euler[i] * pi * pi == -push.at[2 + i]);
    check_close(1 - probe_at(&at, WY_POSITION, 1, 0), shorter[i], of_strut * shorter[i]);
    check_close(push_of(&at, 0, 2), force[i], of_strut * force[i]);
    assert_int_equal(wy_sim_equilibrium(at.sim, 0).unstable, 0);
  }
  destroy(&at);
}

/* Where the load of the wall on the first half of the rod is, at the mean. */
static double lift_off(const scene *at) {
  const wy_points *load = &wy_sim_contact(at->sim, 0)->load;
  double moment = 0, sum = 0;
  for (int i = 0; i < load->count / 2; i++) {
    moment += load->values[3 * i + 2] * load->s[i];
    sum += load->values[3 * i + 2];
  }
  return moment / sum;
}

/* Beyond four times Euler's load the middle lies flat, and the wall pushes where the rod leaves it. So small slopes
   that the values for small slopes are good to 1e-4. */
static void a_strut_lies_flat_on_a_wall(void **state) {
  (void)state;
  static const double flat[] = {0.2, 0.3333333333}, reaction[] = {3.084251375, 5.329586377};
  knots push = {5, {0, 1.5, 1.5, 6.25, 9}};
  const double distance = 0.002, scale = distance / 0.02;
  const knots across = {4, {-25 * distance, -25 * distance, 0, 0}};
  const int segments = 100;
  for (int i = 0; i < push.count; i++)
    push.at[i] *= -pi * pi;
  scene at = strut(segments, distance, &push, &across);
  for (int i = 0; i < 2; i++) {
    follow(&at, 3 + i);
    check_close(push_of(&at, 0, 2), 2 * scale * reaction[i], of_strut * 2 * scale * reaction[i]);
    /* places are known to half a segment, at either end */
    check_close(1 - 2 * lift_off(&at), flat[i], 1.0 / segments);
    assert_int_equal(wy_sim_equilibrium(at.sim, 0).unstable, 0);
  }
  destroy(&at);
}

/* ---- A rod in a tube ---- */

/* In waves k the chain has F (1 - (k h)^2 / 12): bending EI k^2 and the weight's share q / (rc k^2) have it both, the
   latter by the straight segments on which the wall acts. What is left is of fourth order, (k h)^4 / 12 = 2e-4. */
static void a_rod_in_a_tube_begins_to_snake(void **state) {
  (void)state;
  static const double critical[] = {0.6472379187, 0.6559286133};
  const int segments = 100, waves[] = {7, 8};
  const double fourth = 2e-4;
  scene at = on_floor(segments, 2, WY_INEXTENSIBLE);
  knots push = {5, {0}};
  for (int i = 0; i < 2; i++) {
    const double turn = waves[i] * pi / segments, force = critical[i] * (1 - turn * turn / 12);
    push.at[1 + 2 * i] = -force * (1 - fourth), push.at[2 + 2 * i] = -force * (1 + fourth);
  }
  at.obstacles[0].shape = WY_OBSTACLE_TUBE;
  at.obstacles[0].radius = 0.02 + radius, at.obstacles[0].length = INFINITY;
  at.obstacles[0].axis[0] = 1, at.obstacles[0].axis[2] = 0;
  at.obstacles[0].position[2] = wy_constant(0.02);
  at.rod.shape.origin[2] = 0;
  at.rod.contact.blend = 0;
  at.rod.ends[0] = at.rod.ends[1] = wy_end_pinned();
  at.rod.ends[1].position[0] = WY_FREE;
  at.load_count = 1;
  at.loads[0].place = WY_AT_END;
  at.loads[0].force[0] = signal_of(&push);
  settle(&at);
  for (int i = 0; i < 4; i++) {
    follow(&at, 1 + i);
    assert_int_equal(wy_sim_equilibrium(at.sim, 0).unstable, (i + 1) / 2);
  }
  destroy(&at);
}

/* ---- A helix in a tube ---- */

/* A rod is wound along the wall of a tube, the slope growing until t = 1; one end is then let go, but for its force. */
static const double bending = 0.01, clearance = 0.01, slope = 0.2285569979, length = 1;

static double angle_around(double psi) {
  return length * sin(psi) / clearance;
}

static double slope_at(double t) {
  return slope * fmin(t, 1);
}

static double place_at(double t, int component) {
  const double turned = angle_around(slope_at(t));
  return component ? clearance * sin(turned) : clearance * cos(turned);
}

/* F = 2 EI sin^2 cos / rc^2 of a rod that is free to twist. */
static double force_at(double t, int component) {
  const double psi = slope_at(t);
  (void)component;
  return -2 * bending * sin(psi) * sin(psi) * cos(psi) / (clearance * clearance);
}

/* The frame of the helix, turned back about its tangent so that the rod is not twisted. */
static double frame_at(double t, double turned, int component) {
  const double psi = slope_at(t), back = -turned * cos(psi);
  const double around[4] = {cos(turned / 2), 0, 0, sin(turned / 2)}, tilt[4] = {cos(psi / 2), -sin(psi / 2), 0, 0},
               twist[4] = {cos(back / 2), 0, 0, sin(back / 2)};
  double tilted[4], q[4];
  wy_qmul(around, tilt, tilted);
  wy_qmul(tilted, twist, q);
  return q[component];
}

static double first_frame(double t, int component) {
  return frame_at(t, 0, component);
}

static double last_frame(double t, int component) {
  return frame_at(t, angle_around(slope_at(t)), component);
}

typedef struct winding {
  double (*at)(double t, int component);
  int component;
} winding;

static void wind(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const winding *w = context;
  const double h = 1e-5;
  (void)wrt, (void)s;
  jet[0] = w->at(t, w->component);
  jet[1] = (w->at(t + h, w->component) - w->at(t - h, w->component)) / (2 * h), jet[2] = 0;
}

/* The load of the wall on the middle half over EI sin^4 / rc^3 with F = 10, at the clearance with the skin pressed in,
   less 1. */
static double helix_error(int segments, const void *context) {
  static const winding places[] = {{place_at, 0}, {place_at, 1}}, force = {force_at, 0};
  static const winding frames[2][4] = {{{first_frame, 0}, {first_frame, 1}, {first_frame, 2}, {first_frame, 3}},
                                       {{last_frame, 0}, {last_frame, 1}, {last_frame, 2}, {last_frame, 3}}};
  const double r = 1e-3, skin = 1e7, load = 26.35282212;
  (void)context;
  scene at = on_floor(segments, length, WY_INEXTENSIBLE);
  make_slender(&at, bending);
  at.gravity[2] = 0;
  at.end = 2;
  at.obstacles[0].shape = WY_OBSTACLE_TUBE;
  at.obstacles[0].radius = clearance + r, at.obstacles[0].length = INFINITY;
  at.rod.shape.direction[0] = 0, at.rod.shape.direction[2] = 1;
  at.rod.shape.d1[0] = 1;
  at.rod.shape.origin[0] = clearance;
  at.rod.contact.radius = wy_constant(r);
  at.rod.contact.stiffness = skin, at.rod.contact.blend = 0;
  for (int end = 0; end < 2; end++) {
    wy_end *of = &at.rod.ends[end];
    *of = wy_end_clamped();
    of->rotation = WY_DRIVEN;
    of->rotation_by = WY_BY_QUATERNION;
    of->rotation_from = WY_FROM_SPACE;
    for (int i = 0; i < 4; i++)
      of->quaternion[i] = (wy_signal){0, wind, &frames[end][i], WY_TIME};
  }
  at.rod.ends[1].release = 1;
  at.rod.ends[1].position[2] = WY_FREE;
  for (int i = 0; i < 2; i++) {
    at.rod.ends[1].position[i] = WY_DRIVEN;
    at.rod.ends[1].path[i] = (wy_signal){0, wind, &places[i], WY_TIME};
  }
  at.load_count = 1;
  at.loads[0].place = WY_AT_END;
  at.loads[0].force[2] = (wy_signal){0, wind, &force, WY_TIME};
  settle(&at);
  follow(&at, 1.1);
  assert_int_equal(wy_sim_equilibrium(at.sim, 0).unstable, 0);
  const wy_points *loads = &wy_sim_contact(at.sim, 0)->load;
  double sum = 0;
  int count = 0;
  for (int i = segments / 4; i < segments - segments / 4; i++, count++)
    sum += hypot(loads->values[3 * i], loads->values[3 * i + 1]);
  /* At the same force slope and load grow in proportion to the clearance. */
  const double pressed = 1 + load / skin / clearance;
  const double turn = length / segments * sin(slope) * sin(slope) / clearance; /* across a segment */
  check_close(acos(probe_at(&at, WY_DIRECTOR3, 0.5 * length, 2)), slope * pressed, turn * turn / 4 * slope);
  destroy(&at);
  return sum / count / (load * pressed) - 1;
}

static void a_rod_in_a_tube_is_a_helix(void **state) {
  (void)state;
  /* 50 segments: the height of a segment's arc over its chord, h^2 kappa / 8, is 0.026 of the clearance */
  second_order("line load of a helix", helix_error, NULL, 50, 0.03);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_strut_is_pushed_against_a_wall),
      cmocka_unit_test(a_strut_lies_flat_on_a_wall),
      cmocka_unit_test(a_rod_in_a_tube_begins_to_snake),
      cmocka_unit_test(a_rod_in_a_tube_is_a_helix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
