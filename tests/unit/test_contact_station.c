/* SPDX-License-Identifier: MIT */
/* One station against one obstacle: forces are gradients of the energy for every shape, all derivatives agree with
   differences, powers add up, the push over a step gives the change of energy, and caps have a potential. */
#include <stdio.h>

#include "check.h"
#include "contact/station.h"
#include "math/quat.h"
#include "support/rods.h"

/* ---- Places ---- */

typedef struct form_case {
  const char *name;
  wy_form_of form;
  wy_v3 y; /* in the obstacle's axes, on its surface */
} form_case;

static const form_case cases[] = {
    {"plane", {.shape = WY_OBSTACLE_PLANE}, {0.3, -0.2, 0}},
    {"sphere", {.shape = WY_OBSTACLE_SPHERE, .radius = 0.4}, {0.24, -0.192, 0.256}},
    {"side of a cylinder", {.shape = WY_OBSTACLE_CYLINDER, .radius = 0.3, .half = {0, 0, 0.4}}, {0.18, 0.24, 0.1}},
    {"face of a cylinder", {.shape = WY_OBSTACLE_CYLINDER, .radius = 0.3, .half = {0, 0, 0.4}}, {0.1, 0.1, -0.4}},
    {"edge of a cylinder", {.shape = WY_OBSTACLE_CYLINDER, .radius = 0.3, .half = {0, 0, 0.4}}, {0.18, 0.24, 0.4}},
    {"side of a capsule", {.shape = WY_OBSTACLE_CAPSULE, .radius = 0.3, .half = {0, 0, 0.4}}, {0.18, 0.24, 0.1}},
    {"cap of a capsule", {.shape = WY_OBSTACLE_CAPSULE, .radius = 0.3, .half = {0, 0, 0.4}}, {0.18, 0, 0.64}},
    {"face of a box", {.shape = WY_OBSTACLE_BOX, .half = {0.3, 0.4, 0.2}}, {0.3, 0.1, -0.05}},
    {"edge of a box", {.shape = WY_OBSTACLE_BOX, .half = {0.3, 0.4, 0.2}}, {-0.3, 0.4, -0.05}},
    {"corner of a box", {.shape = WY_OBSTACLE_BOX, .half = {0.3, 0.4, 0.2}}, {-0.3, 0.4, -0.2}},
    {"torus", {.shape = WY_OBSTACLE_TORUS, .radius = 0.5, .thickness = 0.1}, {0.336, 0.448, 0.08}},
    {"inside of a torus", {.shape = WY_OBSTACLE_TORUS, .radius = 0.5, .thickness = 0.1}, {0.264, 0.352, 0.08}},
    {"tube", {.shape = WY_OBSTACLE_TUBE, .radius = 0.3, .half = {0, 0, 0.4}}, {0.18, 0.24, 0.1}},
    {"rim of a tube", {.shape = WY_OBSTACLE_TUBE, .radius = 0.3, .half = {0, 0, 0.4}}, {0.18, 0.24, 0.4}},
};
enum { CASES = sizeof cases / sizeof *cases };

static wy_q4 unit_turn(double w, double x, double y, double z) {
  const wy_q4 q = {w, x, y, z};
  return wy_qtimes(1 / sqrt(wy_qsquare(q)), q);
}

/* An obstacle that moves, turns, has a belt, and has done so since the last accepted step. */
static wy_carrier moving_carrier(bool moves) {
  wy_carrier carrier = {.x = {0.2, -0.7, 1.1}, .frame = unit_turn(0.6, -0.3, 0.5, 0.7)};
  carrier.turn = wy_diagonal(0);
  if (!moves)
    return carrier;
  carrier.v = (wy_v3){0.3, -0.2, 0.4};
  carrier.spin = (wy_v3){1.1, 0.7, -0.9};
  carrier.belt = (wy_v3){0.2, 0.1, -0.3};
  carrier.way = (wy_v3){2e-4, -1e-4, 3e-4};
  carrier.turn = wy_mminus(wy_diagonal(1), wy_rotation(unit_turn(1, 2e-3, -1e-3, 1.5e-3)));
  return carrier;
}

/* Radius and skin of order 0.05, onset at a tenth. */
static wy_touch_law law_of(double friction, bool stick, bool rest, double loss) {
  return (wy_touch_law){.skin = {300, 0.005, 0.025},
                        .radius = 0.05,
                        .loss = loss,
                        .normal_speed = 2.1,
                        .friction = friction,
                        .slip = 0.011,
                        .speed = 1.7,
                        .stick = stick,
                        .rest = rest};
}

/* Of an obstacle's corner with the inside of an edge: the direction into the free. */
static wy_v3 outside(const form_case *c) {
  const wy_v3 y = c->y;
  const bool box = c->form.shape == WY_OBSTACLE_BOX, drum = c->form.shape == WY_OBSTACLE_CYLINDER;
  if (box || (drum && fabs(y.z) >= c->form.half[2] && y.x * y.x + y.y * y.y >= 0.089)) {
    wy_v3 out = {fabs(y.x) >= c->form.half[0] ? y.x : 0, fabs(y.y) >= c->form.half[1] ? y.y : 0,
                 fabs(y.z) >= c->form.half[2] ? y.z : 0};
    if (drum)
      out.x = y.x, out.y = y.y;
    return wy_times(1 / wy_norm(out), out);
  }
  if (c->form.shape == WY_OBSTACLE_TUBE && fabs(y.z) >= c->form.half[2]) {
    const wy_v3 out = {-y.x, -y.y, y.z};
    return wy_times(1 / wy_norm(out), out);
  }
  return wy_form_near(&c->form, wy_times(1 + 1e-12, y)).normal;
}

/* A spot in the skin of an obstacle, at a depth, with a motion and a frame of its own. */
static wy_spot spot_in(const form_case *c, const wy_carrier *carrier, double depth) {
  const wy_v3 y = wy_plus(c->y, wy_times(0.05 - depth, outside(c)));
  return (wy_spot){.x = wy_plus(carrier->x, wy_apply(wy_rotation(carrier->frame), y)),
                   .v = {0.5, -0.6, 0.2},
                   .frame = unit_turn(0.2, 0.4, -0.7, 0.3),
                   .spin = {4, -3, 6}};
}

static wy_anchor anchor_of(const wy_spot *spot) {
  return (wy_anchor){.stretch = {1e-3, -2e-3, 1.5e-3},
                     .x = wy_plus(spot->x, (wy_v3){1e-3, 2e-3, -1e-3}),
                     .frame = wy_qproduct(unit_turn(1, 0.02, -0.03, 0.05), spot->frame)};
}

/* ---- Differences ---- */

typedef enum moved_by { BY_X, BY_TURN, BY_V, BY_SPIN } moved_by;

static wy_v3 unit(int k, double size) {
  return (wy_v3){k == 0 ? size : 0, k == 1 ? size : 0, k == 2 ? size : 0};
}

static wy_q4 turned(wy_q4 frame, wy_v3 by) {
  double a[3], q[4];
  wy_put3(a, by);
  wy_qexp(a, q);
  return wy_qproduct(wy_at4(q), frame);
}

static wy_spot moved(const wy_spot *spot, moved_by by, int k, double size) {
  wy_spot out = *spot;
  const wy_v3 way = unit(k, size);
  switch (by) {
  case BY_X:
    out.x = wy_plus(out.x, way);
    break;
  case BY_TURN:
    out.frame = turned(out.frame, way);
    break;
  case BY_V:
    out.v = wy_plus(out.v, way);
    break;
  default:
    out.spin = wy_plus(out.spin, way);
    break;
  }
  return out;
}

static void set_column(wy_m3 *m, int k, wy_v3 v) {
  *(k == 0 ? &m->a : k == 1 ? &m->b : &m->c) = v;
}

static double size_of(wy_m3 m) {
  return wy_norm(m.a) + wy_norm(m.b) + wy_norm(m.c);
}

static void compare(const char *name, const char *what, wy_m3 got, wy_m3 want, double scale) {
  const double off = size_of(wy_mminus(got, want));
  if (!(off <= 1e-7 * scale))
    fail_msg("%s, %s: off by %.3g of %.3g (scale %.3g)", name, what, off, size_of(want), scale);
}

/* Central differences of order 4. */
static const double factor[4] = {1, -8, 8, -1}, places[4] = {-2, -1, 1, 2};

/* Derivatives of force and couple, all eight. The scale of each is what a change of a whole unit of the law does: loads
   over depth, slip or speed. */
static void check_slopes(const char *name, const form_case *c, const wy_carrier *carrier, const wy_touch_law *law,
                         double depth) {
  static const double steps[4] = {2e-6, 2e-5, 1e-4, 1e-3};
  static const char *const words[4] = {"by place", "by rotation", "by velocity", "by angular velocity"};
  const wy_spot spot = spot_in(c, carrier, depth);
  const wy_anchor anchor = anchor_of(&spot);
  const wy_near near = wy_carrier_near(&c->form, carrier, spot.x);
  wy_push push;
  wy_push_slopes slopes;
  wy_push_at(law, &near, carrier, &spot, &anchor, &push, &slopes);
  check_close(near.distance, law->radius - depth, 1e-12);
  const wy_m3 *force[4] = {&slopes.force_x, &slopes.force_turn, &slopes.force_v, &slopes.force_spin};
  const wy_m3 *couple[4] = {&slopes.couple_x, &slopes.couple_turn, &slopes.couple_v, &slopes.couple_spin};
  for (int by = BY_X; by <= BY_SPIN; by++) {
    wy_m3 force_by = wy_diagonal(0), couple_by = wy_diagonal(0);
    for (int k = 0; k < 3; k++) {
      wy_v3 sum = {0, 0, 0}, turn = {0, 0, 0};
      for (int j = 0; j < 4; j++) {
        const wy_spot there = moved(&spot, (moved_by)by, k, places[j] * steps[by]);
        const wy_near seen = wy_carrier_near(&c->form, carrier, there.x);
        wy_push at;
        wy_push_at(law, &seen, carrier, &there, &anchor, &at, NULL);
        sum = wy_plus(sum, wy_times(factor[j] / (12 * steps[by]), at.force));
        turn = wy_plus(turn, wy_times(factor[j] / (12 * steps[by]), at.couple));
      }
      set_column(&force_by, k, sum);
      set_column(&couple_by, k, turn);
    }
    char what[64];
    const double scale = by == BY_X      ? push.load / law->skin.onset
                         : by == BY_TURN ? push.load
                         : by == BY_V    ? push.load / law->speed
                                         : 0.05 * push.load / law->speed;
    snprintf(what, sizeof what, "force %s", words[by]);
    compare(name, what, *force[by], force_by, scale);
    snprintf(what, sizeof what, "couple %s", words[by]);
    compare(name, what, *couple[by], couple_by, 0.05 * scale);
  }
}

/* With and without friction, spring, restitution, motion, at rest; in the onset, the skin and the core. */
static void derivatives_agree_with_differences(void **state) {
  (void)state;
  static const double depths[] = {0.002, 0.009, 0.02, 0.024};
  for (int i = 0; i < CASES; i++)
    for (int kind = 0; kind < 7; kind++)
      for (int d = 0; d < 4; d++)
        for (int moves = 0; moves < 2; moves++) {
          const bool rubs = kind >= 2, stick = kind == 3 || kind == 4 || kind == 6, rest = kind == 1 || kind == 4;
          const wy_touch_law law = law_of(rubs ? (kind >= 5 ? 3 : 0.4) : 0, stick, rest, kind >= 5 ? 0.6 : 0.3);
          const wy_carrier carrier = moving_carrier(moves);
          char name[128];
          snprintf(name, sizeof name, "%s, law %d, depth %g, %s", cases[i].name, kind, depths[d],
                   moves ? "moving" : "standing");
          check_slopes(name, &cases[i], &carrier, &law, depths[d]);
        }
}

/* Slips of all sizes: stuck, near the cone, sliding. */
static void friction_has_its_cone(void **state) {
  (void)state;
  const wy_carrier carrier = moving_carrier(false);
  for (int rest = 0; rest < 2; rest++)
    for (double way = 1e-5; way < 0.2; way *= 1.9) {
      const wy_touch_law law = law_of(0.4, true, rest, 0);
      wy_spot spot = spot_in(&cases[0], &carrier, 0.009);
      wy_anchor anchor = {.x = spot.x, .frame = spot.frame};
      spot.v = spot.spin = (wy_v3){0, 0, 0};
      const wy_near near = wy_carrier_near(&cases[0].form, &carrier, spot.x);
      const wy_v3 along = wy_apply(wy_rotation(carrier.frame), (wy_v3){0.6, 0.8, 0});
      wy_push push;
      spot.x = wy_plus(spot.x, wy_times(way, along));
      wy_push_at(&law, &near, &carrier, &spot, &anchor, &push, NULL);
      const double w = way / law.slip, phi = w > 1 ? 1 : rest ? w : w * (2 - w);
      const wy_v3 tangential = wy_minus(push.force, wy_times(push.load, near.normal));
      check_close(wy_inner(tangential, along), -0.4 * push.load * phi, 1e-12 * push.load);
      check_close(wy_norm(tangential), 0.4 * push.load * phi, 1e-12 * push.load);
      /* the couple is that of the force at the surface */
      const wy_v3 lever = wy_times(-near.distance, near.normal);
      check_below(wy_norm(wy_minus(push.couple, wy_cross(lever, tangential))), 1e-12 * push.load);
      const bool cut = wy_stretch_accept(&law, &push.stretch);
      assert_int_equal(cut, way > law.slip);
      check_close(wy_norm(push.stretch), fmin(way, law.slip), 1e-12);
    }
}

/* A wheel that rolls does not slip; the spring does not stretch by rolling either. */
static void rolling_is_no_slip(void **state) {
  (void)state;
  const wy_carrier carrier = moving_carrier(false);
  const wy_touch_law law = law_of(0.4, true, false, 0);
  wy_spot spot = spot_in(&cases[0], &carrier, 0.009);
  const wy_near near = wy_carrier_near(&cases[0].form, &carrier, spot.x);
  const wy_v3 along = wy_apply(wy_rotation(carrier.frame), (wy_v3){0.6, 0.8, 0});
  const double angle = 0.01;
  /* v = spin x lever, lever to the surface and back: the point that touches stands still */
  spot.spin = wy_times(2, wy_cross(near.normal, along));
  spot.v = wy_cross(spot.spin, wy_times(near.distance, near.normal));
  wy_anchor anchor = {.x = spot.x, .frame = spot.frame};
  spot.x = wy_plus(spot.x, wy_times(angle * near.distance / 2, wy_cross(spot.spin, near.normal)));
  spot.frame = turned(spot.frame, wy_times(angle / 2, spot.spin));
  wy_push push;
  wy_push_at(&law, &near, &carrier, &spot, &anchor, &push, NULL);
  check_below(push.slip, 1e-12);
  check_above(wy_inner(spot.v, along), 0);
}

/* ---- Energy ---- */

/* force = -grad V, to 1e-9. */
static void force_is_the_gradient(void **state) {
  (void)state;
  static const double depths[] = {0.002, 0.009, 0.02};
  const wy_carrier carrier = moving_carrier(true);
  const wy_touch_law law = law_of(0, false, true, 0);
  const double step = 2e-6;
  for (int i = 0; i < CASES; i++)
    for (int d = 0; d < 3; d++) {
      const wy_spot spot = spot_in(&cases[i], &carrier, depths[d]);
      wy_push push;
      const wy_near here = wy_carrier_near(&cases[i].form, &carrier, spot.x);
      wy_push_at(&law, &here, &carrier, &spot, NULL, &push, NULL);
      double gradient[3] = {0, 0, 0};
      for (int k = 0; k < 3; k++)
        for (int j = 0; j < 4; j++) {
          const wy_spot there = moved(&spot, BY_X, k, places[j] * step);
          const wy_near near = wy_carrier_near(&cases[i].form, &carrier, there.x);
          wy_push at;
          wy_push_at(&law, &near, &carrier, &there, NULL, &at, NULL);
          gradient[k] += factor[j] * at.energy / (12 * step);
        }
      const double off = wy_norm(wy_plus(push.force, wy_at3(gradient)));
      if (!(off <= 1e-9 * push.load))
        fail_msg("%s, depth %g: force is off by %.3g of %.3g", cases[i].name, depths[d], off, push.load);
      check_close(wy_norm(push.couple), 0, 0);
      check_close(push.friction + push.impact + push.work, 0, 0);
    }
}

/* Where the obstacle is after a time, moving on as it does. */
static wy_carrier carried_on(const wy_carrier *carrier, double h) {
  wy_carrier out = *carrier;
  out.x = wy_plus(out.x, wy_times(h, out.v));
  out.frame = turned(out.frame, wy_times(h, out.spin));
  return out;
}

/* force . v + couple . spin = -dV/dt - impact - friction + work, with losses of hits that are never negative. */
static void powers_add_up(void **state) {
  (void)state;
  static const double depths[] = {0.002, 0.009, 0.02};
  const double step = 1e-6;
  for (int i = 0; i < CASES; i++)
    for (int kind = 0; kind < 4; kind++)
      for (int d = 0; d < 3; d++)
        for (int moves = 0; moves < 2; moves++) {
          const wy_touch_law law = law_of(kind ? 0.4 : 0, kind == 2, false, kind == 3 ? 0 : 0.6);
          const wy_carrier carrier = moving_carrier(moves);
          const wy_spot spot = spot_in(&cases[i], &carrier, depths[d]);
          const wy_anchor anchor = anchor_of(&spot);
          const wy_near near = wy_carrier_near(&cases[i].form, &carrier, spot.x);
          wy_push push;
          wy_push_at(&law, &near, &carrier, &spot, &anchor, &push, NULL);
          double rate = 0;
          for (int j = 0; j < 4; j++) {
            const double h = places[j] * step;
            const wy_carrier there = carried_on(&carrier, h);
            const double distance =
                wy_carrier_near(&cases[i].form, &there, wy_plus(spot.x, wy_times(h, spot.v))).distance;
            rate += factor[j] * wy_skin_at(&law.skin, law.radius - distance).energy / (12 * step);
          }
          const double power = wy_inner(push.force, spot.v) + wy_inner(push.couple, spot.spin);
          const double balance = power + rate + push.impact + push.friction - push.work;
          if (!(fabs(balance) <= 1e-8 * push.load))
            fail_msg("%s, law %d, %s: powers do not add up by %.3g of %.3g", cases[i].name, kind,
                     moves ? "moving" : "standing", balance, push.load);
          check_at_least(push.impact, 0);
          if (!law.stick)
            check_at_least(push.friction, 0);
          check_above(push.load, 0);
        }
}

/* (K8): over a step of any length, against an obstacle that goes on and turns, what the push does is the change of the
   skin's energy, what is lost, and the work of the obstacle, to round-off. */
static void steps_give_the_change_of_energy(void **state) {
  (void)state;
  static const double ways[] = {1e-4, 3e-3, 0.03};
  for (int i = 0; i < CASES; i++)
    for (int kind = 0; kind < 3; kind++)
      for (int d = 0; d < 3; d++)
        for (int moves = 0; moves < 2; moves++) {
          const wy_touch_law law = law_of(kind ? 0.4 : 0, kind == 2, false, 0.6);
          const wy_carrier before = moving_carrier(moves);
          wy_push_step step = {.h = 0.01, .before = spot_in(&cases[i], &before, 0.009)};
          const wy_anchor anchor = {.x = step.before.x, .frame = step.before.frame};
          const wy_v3 way = wy_times(ways[d], (wy_v3){0.6, -0.48, 0.64});
          step.carrier = carried_on(&before, step.h);
          step.carrier.way = wy_times(step.h, wy_plus(before.v, before.belt));
          step.carrier.turn = wy_mminus(
              wy_diagonal(1), wy_mproduct(wy_rotation(before.frame), wy_mtransposed(wy_rotation(step.carrier.frame))));
          step.middle = step.after = step.before;
          step.middle.x = wy_plus(step.before.x, wy_times(0.5, way));
          step.after.x = wy_plus(step.before.x, way);
          const wy_carrier half = carried_on(&before, 0.5 * step.h);
          step.between = half;
          step.near_before = wy_carrier_near(&cases[i].form, &before, step.before.x);
          step.near_middle = wy_carrier_near(&cases[i].form, &half, step.middle.x);
          step.near_after = wy_carrier_near(&cases[i].form, &step.carrier, step.after.x);
          wy_push push;
          wy_push_between(&law, &step, &anchor, &push, NULL);
          const double first = wy_skin_at(&law.skin, law.radius - step.near_before.distance).energy;
          const double last = wy_skin_at(&law.skin, law.radius - step.near_after.distance).energy;
          const double power = wy_inner(push.force, way) / step.h + wy_inner(push.couple, step.middle.spin);
          const double balance = power + (last - first) / step.h + push.impact + push.friction - push.work;
          if (!(fabs(balance) <= 1e-10 * (push.load + 1)))
            fail_msg("%s, law %d, %s, way %g: off by %.3g of %.3g", cases[i].name, kind, moves ? "moving" : "standing",
                     ways[d], balance, push.load);
          check_at_least(push.impact, 0);
        }
}

/* A turned and shifted scene gives turned forces. */
static void scenes_may_be_turned(void **state) {
  (void)state;
  const wy_q4 q = unit_turn(0.3, 0.9, -0.2, 0.4);
  const wy_m3 r = wy_rotation(q), back = wy_mtransposed(r);
  const wy_v3 shift = {0.7, -1.3, 0.4};
  for (int i = 0; i < CASES; i++) {
    const wy_touch_law law = law_of(0.4, true, false, 0.6);
    const wy_carrier a = moving_carrier(true);
    const wy_spot here = spot_in(&cases[i], &a, 0.009);
    const wy_anchor held = anchor_of(&here);
    const wy_carrier b = {wy_plus(shift, wy_apply(r, a.x)),
                          wy_apply(r, a.v),
                          wy_qproduct(q, a.frame),
                          wy_apply(r, a.spin),
                          wy_apply(r, a.belt),
                          wy_apply(r, a.way),
                          wy_mproduct(r, wy_mproduct(a.turn, back))};
    const wy_spot there = {wy_plus(shift, wy_apply(r, here.x)), wy_apply(r, here.v), wy_qproduct(q, here.frame),
                           wy_apply(r, here.spin)};
    const wy_anchor holds = {wy_apply(r, held.stretch), wy_plus(shift, wy_apply(r, held.x)),
                             wy_qproduct(q, held.frame)};
    wy_push first, second;
    const wy_near near = wy_carrier_near(&cases[i].form, &a, here.x),
                  seen = wy_carrier_near(&cases[i].form, &b, there.x);
    wy_push_at(&law, &near, &a, &here, &held, &first, NULL);
    wy_push_at(&law, &seen, &b, &there, &holds, &second, NULL);
    /* depths of 1e-2 from places of order 1: round-off is 1e-13 of the load */
    check_below(wy_norm(wy_minus(wy_apply(r, first.force), second.force)), 1e-11 * first.load);
    check_below(wy_norm(wy_minus(wy_apply(r, first.couple), second.couple)), 1e-12 * first.load);
    check_close(second.friction, first.friction, 1e-11 * fabs(first.friction));
    check_close(second.work, first.work, 1e-11 * first.load);
  }
}

/* ---- Caps ---- */

static double cap_energy(const form_case *c, const wy_carrier *carrier, const wy_skin *skin, wy_v3 end, wy_v3 next) {
  const wy_near near = wy_carrier_near(&c->form, carrier, end);
  return wy_cap_at(0.05, &near, 0, end, next).weight * wy_skin_at(skin, 0.05 - near.distance).energy;
}

/* The weighted push and what is beside it are the gradient of r (n.t)^2 V by both vertices. */
static void caps_have_a_potential(void **state) {
  (void)state;
  const wy_skin skin = {300, 0.005, 0.025};
  const wy_carrier carrier = moving_carrier(true);
  const double step = 2e-6;
  for (int i = 0; i < CASES; i++) {
    const wy_v3 end = spot_in(&cases[i], &carrier, 0.009).x, next = wy_plus(end, (wy_v3){0.11, -0.2, 0.15});
    const wy_near near = wy_carrier_near(&cases[i].form, &carrier, end);
    const wy_skin_load at = wy_skin_at(&skin, 0.009);
    const wy_cap cap = wy_cap_at(0.05, &near, at.energy, end, next);
    const wy_v3 t = wy_times(1 / wy_norm(wy_minus(end, next)), wy_minus(end, next));
    check_close(cap.weight, 0.05 * pow(wy_inner(near.normal, t), 2), 1e-15);
    double by[2][3] = {{0}};
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 4; j++) {
        const wy_v3 way = unit(k, places[j] * step);
        by[0][k] += factor[j] / (12 * step) * cap_energy(&cases[i], &carrier, &skin, wy_plus(end, way), next);
        by[1][k] += factor[j] / (12 * step) * cap_energy(&cases[i], &carrier, &skin, end, wy_plus(next, way));
      }
    const wy_v3 on_end = wy_plus(wy_times(cap.weight * at.load, near.normal), cap.on_end);
    const double scale = 0.05 * at.load;
    if (!(wy_norm(wy_plus(on_end, wy_at3(by[0]))) <= 1e-9 * scale &&
          wy_norm(wy_plus(cap.on_next, wy_at3(by[1]))) <= 1e-9 * scale))
      fail_msg("%s: forces of the cap are off by %.3g and %.3g of %.3g", cases[i].name,
               wy_norm(wy_plus(on_end, wy_at3(by[0]))), wy_norm(wy_plus(cap.on_next, wy_at3(by[1]))), scale);
    /* no force along the chord that turns it: lengths do not matter */
    check_below(fabs(wy_inner(cap.on_next, t)), 1e-12 * scale);
  }
}

static void caps_have_slopes(void **state) {
  (void)state;
  const wy_skin skin = {300, 0.005, 0.025};
  const wy_carrier carrier = moving_carrier(true);
  const double step = 2e-6;
  for (int i = 0; i < CASES; i++) {
    const wy_v3 end = spot_in(&cases[i], &carrier, 0.009).x, next = wy_plus(end, (wy_v3){0.11, -0.2, 0.15});
    const wy_cap_slopes got = wy_cap_slopes_at(0.05, &cases[i].form, &carrier, &skin, end, next);
    wy_m3 want[2][2] = {{wy_diagonal(0), wy_diagonal(0)}, {wy_diagonal(0), wy_diagonal(0)}};
    for (int which = 0; which < 2; which++)
      for (int k = 0; k < 3; k++) {
        wy_v3 sums[2] = {{0, 0, 0}, {0, 0, 0}};
        for (int j = 0; j < 4; j++) {
          const wy_v3 way = unit(k, places[j] * step), here = which ? end : wy_plus(end, way),
                      there = which ? wy_plus(next, way) : next;
          const wy_near near = wy_carrier_near(&cases[i].form, &carrier, here);
          const wy_cap cap = wy_cap_at(0.05, &near, wy_skin_at(&skin, 0.05 - near.distance).energy, here, there);
          sums[0] = wy_plus(sums[0], wy_times(factor[j] / (12 * step), cap.on_end));
          sums[1] = wy_plus(sums[1], wy_times(factor[j] / (12 * step), cap.on_next));
        }
        set_column(&want[0][which], k, sums[0]);
        set_column(&want[1][which], k, sums[1]);
      }
    const double scale = size_of(want[0][0]) + size_of(want[1][1]) + 1e-3;
    compare(cases[i].name, "end by end", got.end_end, want[0][0], scale);
    compare(cases[i].name, "end by next", got.end_next, want[0][1], scale);
    compare(cases[i].name, "next by end", got.next_end, want[1][0], scale);
    compare(cases[i].name, "next by next", got.next_next, want[1][1], scale);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_agree_with_differences),
                                     cmocka_unit_test(friction_has_its_cone),
                                     cmocka_unit_test(rolling_is_no_slip),
                                     cmocka_unit_test(force_is_the_gradient),
                                     cmocka_unit_test(powers_add_up),
                                     cmocka_unit_test(steps_give_the_change_of_energy),
                                     cmocka_unit_test(scenes_may_be_turned),
                                     cmocka_unit_test(caps_have_a_potential),
                                     cmocka_unit_test(caps_have_slopes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
