/* SPDX-License-Identifier: MIT */
/* Supports of ends and bodies in motion: velocities and accelerations are the derivatives of places and frames. */
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "scheme/supports.h"

static wy_body_def moving_body(void) {
  wy_body_def body = wy_default_body_def();
  body.name = "arm";
  body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
  body.origin[0] = 3;
  for (int k = 0; k < 3; k++)
    body.position[k] = WY_HELD;
  body.rotation = WY_HELD;
  return body;
}

typedef struct held_body {
  wy_end end;
  wy_end_state state[1];
  wy_supports supports;
} held_body;

static void begin(held_body *it) {
  const double origin[3] = {1, 0, 0};
  const wy_body_def body = moving_body();
  memset(it, 0, sizeof *it);
  it->supports.state = it->state;
  wy_support_begin_body(&it->supports, &body, origin, 2, &it->end);
}

static void a_body_stands_where_it_is_drawn(void **state) {
  (void)state;
  held_body it;
  wy_end_pose pose;
  begin(&it);
  wy_support_pose(&it.supports, 0, 0.7, &pose);
  assert_true(pose.x[0] == 2 && pose.x[1] == 0 && pose.q[0] == 1 && pose.v[0] == 0);
  assert_int_equal(wy_support_held(&it.supports), 6);
  assert_true(isinf(wy_support_next_release(&it.supports)));
}

/* Central differences of fourth order, of a motion that takes about one unit of time: truncation h^4, round-off 1e-16 /
   h, both below 1e-10 for h = 1e-3, with derivatives of some 100 of high order. */
static void check_derivatives(const wy_supports *supports, double t) {
  enum { POINTS = 4 };
  static const double at[POINTS] = {-2, -1, 1, 2}, by[POINTS] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  const double h = 1e-3;
  wy_end_pose now;
  double v[3] = {0}, a[3] = {0}, w[3] = {0}, rate[3] = {0};
  wy_support_pose(supports, 0, t, &now);
  for (int i = 0; i < POINTS; i++) {
    wy_end_pose near;
    double between[4], turn[3];
    wy_support_pose(supports, 0, t + at[i] * h, &near);
    wy_qrelative(now.q, near.q, between);
    wy_qlog(between, turn);
    wy_add3(v, by[i] / h, near.x);
    wy_add3(a, by[i] / h, near.v);
    wy_add3(w, by[i] / h, turn);
    wy_add3(rate, by[i] / h, near.w);
  }
  for (int k = 0; k < 3; k++) {
    assert_true(fabs(v[k] - now.v[k]) < 1e-8);
    assert_true(fabs(a[k] - now.a[k]) < 1e-8);
    assert_true(fabs(w[k] - now.w[k]) < 1e-8);
    assert_true(fabs(rate[k] - now.rate[k]) < 1e-8);
  }
}

static void rates_of_a_moved_body_are_derivatives(void **state) {
  (void)state;
  static const double place[3] = {4, 0.5, -0.3}, velocity[3] = {0.2, 0, 1}, spin[3] = {0.3, -1, 0.4};
  static const double turns[3] = {1e-3, 0.5, 2.9}; /* series, near them, far */
  for (int i = 0; i < 3; i++) {
    held_body it;
    double frame[4], turn[3] = {turns[i] * 0.6, -turns[i] * 0.48, turns[i] * 0.64};
    begin(&it);
    wy_qexp(turn, frame);
    const wy_pose target = {place, frame, velocity, spin};
    wy_message message;
    assert_int_equal(wy_support_move(&it.supports, WY_START, 0.1, &target, 1.2, &message), WY_OK);
    for (double t = 0.2; t < 1.9; t += 0.25)
      if (fabs(t - 1.3) > 0.01) /* where the motion goes over into a constant velocity, accelerations jump */
        check_derivatives(&it.supports, t);
  }
}

static void a_free_component_is_not_moved(void **state) {
  (void)state;
  held_body it;
  wy_message message;
  static const double place[3] = {0, 0, 0};
  const wy_pose target = {place, NULL, NULL, NULL};
  begin(&it);
  for (int k = 0; k < 3; k++)
    it.state[0].position[k] = WY_FREE;
  assert_int_equal(wy_support_move(&it.supports, WY_START, 0, &target, 1, &message), WY_ERROR_INPUT);
  assert_string_equal(message.text, "body 'arm' is free in a component that is to be moved");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_stands_where_it_is_drawn),
      cmocka_unit_test(rates_of_a_moved_body_are_derivatives),
      cmocka_unit_test(a_free_component_is_not_moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
