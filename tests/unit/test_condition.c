/* SPDX-License-Identifier: MIT */
/* Conditions between two hubs (N7): their rates, gradients and second derivatives against differences, for each kind of
   joint; with offsets, driven, and with Baumgarte's terms. All numbers are of order 1 to 10. Central differences of
   step 1e-5 are exact to 1e-10 times third derivatives, some 100, and 1e-16 / 1e-5 of round-off: 1e-8 in all. */
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "network/condition.h"

enum { BALL, HINGE, DRIVEN, WELD, KINDS };

static const double step = 1e-5, tolerance = 1e-8;
static const double c[2][3] = {{0.3, -0.2, 0.5}, {-0.4, 0.6, 0.1}};
static const double frames[2][4] = {{0.8, 0.2, -0.5, 0.3}, {0.5, -0.6, 0.1, 0.4}};
static const double axis[3] = {0.2, 1.1, -0.4};
static const double lambda[6] = {1.3, -0.7, 2.1, 0.9, -1.6, 0.4};

/* Two hubs, any way. */
typedef struct pair {
  wy_hub_motion hub[2];
  wy_v3 a[2], alpha[2];
  wy_condition_drive drive;
} pair;

static void set_frame(wy_hub_motion *hub, const double frame[4]) {
  double unit[4];
  memcpy(unit, frame, sizeof unit);
  wy_qnormalise(unit);
  hub->p = hub->unit = wy_at4(unit);
  hub->r = wy_rotation(hub->unit);
}

static pair any_pair(void) {
  static const double ways[2][4] = {{0.7, -0.3, 0.4, 0.5}, {-0.2, 0.9, 0.3, 0.1}};
  pair made = {.hub = {{.x = {0.4, -0.3, 0.2}, .v = {1.1, 0.4, -0.8}, .omega = {0.7, -1.2, 0.5}},
                       {.x = {-0.1, 0.6, 0.3}, .v = {-0.5, 0.9, 0.2}, .omega = {-1.1, 0.3, 0.8}}},
               .a = {{0.3, 1.4, -0.6}, {-0.9, 0.2, 0.7}},
               .alpha = {{1.5, -0.4, 0.6}, {0.2, 1.3, -1.7}},
               .drive = {.angle = 0.6, .rate = 1.3, .acceleration = -0.8}};
  for (int i = 0; i < 2; i++)
    set_frame(&made.hub[i], ways[i]);
  return made;
}

static wy_condition_at at_of(const pair *here) {
  return (wy_condition_at){{&here->hub[0], &here->hub[1]}, {here->a[0], here->a[1]}, {here->alpha[0], here->alpha[1]}};
}

static wy_condition make(int kind) {
  double unit[2][4];
  for (int i = 0; i < 2; i++) {
    memcpy(unit[i], frames[i], sizeof unit[i]);
    wy_qnormalise(unit[i]);
  }
  return kind == BALL   ? wy_condition_ball(c[0], c[1])
         : kind == WELD ? wy_condition_weld(c[0], c[1], unit[0], unit[1])
                        : wy_condition_hinge(c[0], c[1], unit[0], unit[1], axis, kind == DRIVEN);
}

static void turn(wy_hub_motion *hub, wy_v3 theta) {
  double by[3], p[4], q[4], turned[4];
  wy_put3(by, theta);
  wy_put4(p, hub->p);
  wy_qexp(by, q);
  wy_qmul(p, q, turned);
  set_frame(hub, turned);
}

/* The motion goes on for a short time: exact to its cube. */
static pair later(const pair *from, double t) {
  pair to = *from;
  for (int i = 0; i < 2; i++) {
    wy_hub_motion *hub = &to.hub[i];
    hub->x = wy_plus(hub->x, wy_plus(wy_times(t, hub->v), wy_times(0.5 * t * t, from->a[i])));
    turn(hub, wy_plus(wy_times(t, hub->omega), wy_times(0.5 * t * t, from->alpha[i])));
    hub->v = wy_plus(hub->v, wy_times(t, from->a[i]));
    hub->omega = wy_plus(hub->omega, wy_times(t, from->alpha[i]));
  }
  to.drive.angle += t * from->drive.rate + 0.5 * t * t * from->drive.acceleration;
  to.drive.rate += t * from->drive.acceleration;
  return to;
}

/* One entry of a motion changes. */
static pair moved(const pair *from, int side, int entry, double by) {
  pair to = *from;
  double change[12] = {0};
  change[entry] = by;
  wy_hub_motion *hub = &to.hub[side];
  hub->x = wy_plus(hub->x, wy_at3(change));
  if (entry >= 3 && entry < 6)
    turn(hub, wy_at3(change + 3));
  hub->v = wy_plus(hub->v, wy_at3(change + 6));
  hub->omega = wy_plus(hub->omega, wy_at3(change + 9));
  return to;
}

static void test_rates(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    const wy_condition self = make(kind);
    const pair here = any_pair(), sides[2] = {later(&here, -step), later(&here, step)};
    double g[2][6], rates[2][6], rate[6], second[6];
    for (int i = 0; i < 2; i++) {
      const wy_condition_at at = at_of(&sides[i]);
      wy_condition_values(&self, &at, &sides[i].drive, g[i], rates[i], NULL);
    }
    const wy_condition_at at = at_of(&here);
    wy_condition_values(&self, &at, &here.drive, NULL, rate, second);
    for (int k = 0; k < 6; k++) {
      check_close(rate[k], (g[1][k] - g[0][k]) / (2 * step), tolerance);
      check_close(second[k], (rates[1][k] - rates[0][k]) / (2 * step), tolerance);
    }
    check_close(wy_condition_count(&self), kind == BALL ? 3 : kind == HINGE ? 5 : 6, 0);
    if (kind != HINGE && kind != DRIVEN)
      continue;
    double turning;
    wy_condition_angle(&self, &at, &turning);
    const wy_v3 spin = wy_minus(wy_apply(here.hub[1].r, here.hub[1].omega), wy_apply(here.hub[0].r, here.hub[0].omega));
    check_close(turning, wy_inner(spin, wy_apply(here.hub[0].r, self.axis)), 1e-14);
  }
}

static void loads_of(const wy_condition *self, const pair *here, double out[2][6]) {
  double gradient[2][6][6];
  const wy_condition_at at = at_of(here);
  wy_condition_gradient(self, &at, &here->drive, gradient);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 6; k++) {
      out[side][k] = 0;
      for (int i = 0; i < 6; i++)
        out[side][k] += gradient[side][i][k] * lambda[i];
    }
}

static void check_gradient(const wy_condition *self, const pair *here) {
  double gradient[2][6][6], rates[2][6];
  const wy_condition_at at = at_of(here);
  wy_condition_gradient(self, &at, &here->drive, gradient);
  for (int side = 0; side < 2; side++)
    for (int entry = 0; entry < 6; entry++) {
      for (int way = 0; way < 2; way++) {
        const pair there = moved(here, side, 6 + entry, way ? step : -step);
        const wy_condition_at other = at_of(&there);
        wy_condition_values(self, &other, &there.drive, NULL, rates[way], NULL);
      }
      for (int k = 0; k < 6; k++)
        check_close(gradient[side][k][entry], (rates[1][k] - rates[0][k]) / (2 * step), tolerance);
    }
}

/* Baumgarte's factors make second derivatives larger: of order 100. */
static void check_blocks(const wy_condition *self, const pair *here) {
  double second[2][6][12], loads[2][2][6][12], values[2][6], both[2][2][6];
  const wy_condition_at at = at_of(here);
  wy_condition_blocks(self, &at, &here->drive, lambda, second, loads);
  for (int of = 0; of < 2; of++)
    for (int entry = 0; entry < 12; entry++) {
      for (int way = 0; way < 2; way++) {
        const pair there = moved(here, of, entry, way ? step : -step);
        const wy_condition_at other = at_of(&there);
        wy_condition_values(self, &other, &there.drive, NULL, NULL, values[way]);
        loads_of(self, &there, both[way]);
      }
      for (int k = 0; k < 6; k++) {
        check_close(second[of][k][entry], (values[1][k] - values[0][k]) / (2 * step), 10 * tolerance);
        for (int on = 0; on < 2; on++)
          check_close(loads[on][of][k][entry], (both[1][on][k] - both[0][on][k]) / (2 * step), tolerance);
      }
    }
}

static void test_derivatives(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    const wy_condition self = make(kind);
    pair here = any_pair();
    check_gradient(&self, &here);
    check_blocks(&self, &here);
    here.drive.twice_r = 7, here.drive.omega2 = 11;
    check_gradient(&self, &here);
    check_blocks(&self, &here);
  }
}

/* Hubs as they are drawn, turned and moved together, and B about the axis by an angle. */
static pair as_drawn(double angle) {
  const wy_v3 origin[2] = {wy_at3(c[0]), wy_at3(c[1])};
  pair made = any_pair();
  double unit[3], by[3], q[4], turned[2][4], frame[4];
  wy_put3(unit, wy_times(1 / wy_norm(wy_at3(axis)), wy_at3(axis)));
  wy_put3(by, wy_times(angle, wy_at3(unit)));
  wy_qexp(by, q);
  for (int i = 0; i < 2; i++) {
    const double all[4] = {0.6, -0.4, 0.2, 0.5};
    double whole[4];
    memcpy(whole, all, sizeof all);
    memcpy(frame, frames[i], sizeof frame);
    wy_qnormalise(whole), wy_qnormalise(frame);
    if (i == 1) {
      wy_qmul(q, frame, turned[0]);
      memcpy(frame, turned[0], sizeof frame);
    }
    wy_qmul(whole, frame, turned[1]);
    set_frame(&made.hub[i], turned[1]);
    made.hub[i].x = wy_minus((wy_v3){0.7, 0.2, -0.4}, wy_apply(made.hub[i].r, origin[i]));
  }
  return made;
}

/* What is drawn holds, at every angle that a hinge leaves; a driven one turns B. */
static void test_drawn(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++)
    for (int turned = 0; turned < 2; turned++) {
      const double angle = turned ? 2.3 : 0;
      const wy_condition self = make(kind);
      pair here = as_drawn(kind == WELD ? 0 : angle);
      here.drive.angle = angle;
      const wy_condition_at at = at_of(&here);
      double g[6];
      wy_condition_values(&self, &at, &here.drive, g, NULL, NULL);
      for (int k = 0; k < 6; k++)
        check_close(g[k], 0, 1e-14);
      if (kind == HINGE || kind == DRIVEN)
        check_close(wy_condition_angle(&self, &at, NULL), angle, 1e-14);
    }
}

/* The moment of a spring with damper, which depends on the angle and its rate; the hinge need not hold. */
static void test_moment(void **state) {
  (void)state;
  const wy_condition self = make(HINGE);
  const double stiffness = 3, damping = 0.7;
  const pair here = any_pair();
  double loads[2][2][6][12], both[2][2][6];
  for (int of = 0; of < 2; of++)
    for (int entry = 0; entry < 12; entry++) {
      double moment = 0;
      for (int way = 0; way < 3; way++) {
        const pair there = way == 2 ? here : moved(&here, of, entry, way ? step : -step);
        const wy_condition_at at = at_of(&there);
        wy_hub_load on[2];
        memset(on, 0, sizeof on);
        double rate;
        const double angle = wy_condition_angle(&self, &at, &rate);
        moment = -stiffness * (angle - 0.2) - damping * rate;
        wy_condition_add_moment(&self, &at, moment, &on[0], &on[1]);
        for (int i = 0; way < 2 && i < 2; i++) {
          wy_put3(both[way][i], on[i].force);
          wy_put3(both[way][i] + 3, on[i].torque);
        }
      }
      const wy_condition_at at = at_of(&here);
      wy_condition_moment_blocks(&self, &at, moment, stiffness, damping, loads);
      for (int on = 0; on < 2; on++)
        for (int k = 0; k < 6; k++)
          check_close(loads[on][of][k][entry], (both[1][on][k] - both[0][on][k]) / (2 * step), tolerance);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates), cmocka_unit_test(test_derivatives),
                                     cmocka_unit_test(test_drawn), cmocka_unit_test(test_moment)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
