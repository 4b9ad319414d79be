/* SPDX-License-Identifier: MIT */
/* Ropes around a drum, which friction holds up to Euler's force; tests/data/contact/README.md says where the values
   come from. */
#include <math.h>

#include "check.h"
#include "support/contact_scene.h"

static const double pi = 3.14159265358979323846, drum = 0.05; /* of the centreline on the drum */

/* ---- Inside of the contact ---- */

/* Half a turn with a leg of pi/4 radii at each end, bent as it lies there, so that bending plays no part. */
static void bent(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double leg = pi * drum / 4;
  (void)context, (void)wrt, (void)t;
  jet[0] = s > leg && s < 5 * leg ? 1 / drum : 0, jet[1] = jet[2] = 0;
}

/* ln(tension) at an angle around the drum, from where the rope comes to it. */
static double tension_at(const scene *at, double angle) {
  const wy_points *frames = &wy_sim_view(at->sim, 0)->frame;
  double before = 0, log_before = 0, found = NAN;
  for (int i = 0; i < frames->count; i++) {
    const double s = frames->s[i], x = probe_at(at, WY_POSITION, s, 0), z = probe_at(at, WY_POSITION, s, 2);
    const double here = atan2(z, -x), log_here = log(probe_at(at, WY_TENSION, s, 0));
    if (i > 0 && before < angle && here >= angle)
      found = log_before + (log_here - log_before) * (angle - before) / (here - before);
    before = here, log_before = log_here;
  }
  return found;
}

/* One end carries 1, the other one is pulled by a way until all of the rope slides. The exponent of the tension between
   45 and 135 degrees. */
static double exponent(int segments, double friction, double r) {
  const double leg = pi * drum / 4;
  const knots down = {2, {-leg, -leg - 2e-4}};
  scene at = over_drum(segments, 6 * leg, 1e-5, r, drum);
  at.rod.shape.origin[0] = -drum, at.rod.shape.origin[2] = -leg;
  at.rod.shape.direction[0] = 0, at.rod.shape.direction[2] = 1;
  at.rod.shape.d1[0] = 1;
  at.rod.shape.curvature[1] = (wy_signal){0, bent, NULL, WY_ARC};
  at.rod.contact.stiffness = 1e7, at.rod.contact.blend = 0;
  at.rod.ends[0] = at.rod.ends[1] = wy_end_pinned();
  at.rod.ends[0].position[2] = WY_FREE;
  at.rod.ends[1].position[2] = WY_DRIVEN;
  at.rod.ends[1].path[2] = signal_of(&down);
  at.contact.friction = friction;
  at.load_count = 1;
  at.loads[0].place = WY_AT_START;
  at.loads[0].force[2] = wy_constant(-1);
  at.end = 1;
  settle(&at);
  follow(&at, 1);
  const double found = (tension_at(&at, 0.75 * pi) - tension_at(&at, 0.25 * pi)) / (0.5 * pi);
  destroy(&at);
  return found;
}

/* Of the exponent: the height of a segment's arc over its chord, and the depth of the skin, both over the radius. */
static double grain(int segments) {
  const double turn = 1.5 * pi / segments, depth = 2.6 / drum / 1e7;
  return turn * turn / 8 + depth / drum;
}

/* What is left of Euler's exponent mu is the radius of the rope over that of the drum. */
static void a_thin_rope_slides(void **state) {
  (void)state;
  static const double friction[] = {0.3, 0.25};
  const double thin = 1e-3;
  for (int i = 0; i < 2; i++) {
    const double found = exponent(240, friction[i], thin * drum);
    check_close(found, friction[i], friction[i] * (thin * (1 + friction[i]) + grain(240)));
  }
}

/* Friction acts at the surface, with a lever. */
static void a_thick_rope_slides(void **state) {
  (void)state;
  static const double thick[] = {0.01, 0.05, 0.1}, want[] = {0.2967358435, 0.2837919321, 0.2678477278};
  for (int i = 0; i < 3; i++) {
    const int segments = i == 2 ? 60 : 120;
    const double found = exponent(segments, 0.3, thick[i] * drum);
    check_close(found, want[i], want[i] * grain(segments));
  }
}

/* ---- With bending ---- */

/* The angle at which a straight rope that is pulled with this force leaves the drum. */
static double lift_off(double bending, double pull) {
  return acos(1 - bending / (2 * pull * drum * drum));
}

/* T2 (cos th2 - mu sin th2) = T1 (cos th1 + mu sin th1) exp(a (pi - th1 - th2)), T1 = 1. */
static double capstan_force(double bending, double friction, double exponent_inside) {
  const double first = lift_off(bending, 1);
  double pull = 1;
  for (int i = 0; i < 100; i++) {
    const double last = lift_off(bending, pull);
    pull = (cos(first) + friction * sin(first)) * exp(exponent_inside * (pi - first - last)) /
           (cos(last) - friction * sin(last));
  }
  return pull;
}

/* The pull beyond which nothing holds any more. */
static double largest_pull(double bending, double r, double skin) {
  static const knots pull = {2, {-1, -3}};
  scene at = over_drum(120, 0.3, bending, r, drum);
  wy_message message = {0};
  at.rod.shape.origin[0] = -0.15;
  at.rod.contact.stiffness = skin;
  at.rod.ends[0].position[1] = at.rod.ends[1].position[1] = WY_HELD;
  at.contact.friction = 0.3;
  at.load_count = 2;
  at.loads[0].place = WY_AT_START;
  at.loads[0].force[2] = wy_constant(-1);
  at.loads[1].force[2] = signal_of(&pull);
  at.end = 1;
  settle(&at);
  assert_int_equal(wy_sim_follow(at.sim, 1, &message), WY_ERROR_SOLVER);
  const double found = 1 + 2 * wy_sim_time(at.sim);
  destroy(&at);
  return found;
}

/* The point forces where the rope leaves the drum have a lever, too, which changes the moment EI/rho there by mu T sin
   th r: 0.2 % of the pull for r/rho = 0.01. */
static void a_capstan_holds(void **state) {
  (void)state;
  const double bending = 5e-4;
  check_close(capstan_force(bending, 0.3, 0.3), 2.426000865, 1e-8);
  check_close(capstan_force(1e-4, 0.3, 0.3), 2.5349325, 1e-6);
  /* exponents inside for r/rho = 0.01 and 0.002, as above */
  const double thick = capstan_force(bending, 0.3, 0.2967358435), thin = capstan_force(bending, 0.3, 0.2993462351);
  check_close(largest_pull(bending, 5e-4, 1e6), thick, 2e-3 * thick);
  check_close(largest_pull(bending, 1e-4, 1e7), thin, 1e-3 * thin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thin_rope_slides),
      cmocka_unit_test(a_thick_rope_slides),
      cmocka_unit_test(a_capstan_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
