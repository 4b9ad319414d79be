/* SPDX-License-Identifier: MIT */
/* Equilibria with contact against closed forms and shooting; tests/data/contact/README.md says where the values come
   from. Tolerances are what skin, friction's spring and segments may differ by. */
#include <string.h>

#include "check.h"
#include "support/contact_scene.h"

static const char *const schemes[] = {"staggered", "box"};

/* ---- At rest ---- */

static void a_rod_lies_on_a_floor(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++)
    for (int from = 0; from < 3; from++) { /* on the floor, above it, inside of it */
      const int friction = i % 2;
      scene at = on_floor(10, 0.5, (wy_rod_kind)from);
      use_scheme(&at, schemes[i / 2]);
      at.contact.friction = 0.3 * friction;
      at.contact.settle = from > 0;
      at.rod.shape.origin[2] = from == 0 ? radius : from == 1 ? 0.03 : 2e-3;
      settle(&at);
      for (int k = 0; k < 3; k++) {
        check_close(radius - probe_at(&at, WY_POSITION, 0.25 * k, 2), 2.187668639e-05, 1e-11);
        check_close(probe_at(&at, WY_POSITION, 0.25 * k, 0), 0.25 * k, 1e-9);
      }
      const wy_equilibrium_info info = wy_sim_equilibrium(at.sim, 0);
      assert_int_equal(info.way, WY_WAY_STRAIGHT);
      assert_int_equal(info.unstable, friction ? -1 : 0);
      assert_int_equal(info.bifurcations, 0);
      destroy(&at);
    }
}

static void a_rod_that_floats_is_told_what_to_do(void **state) {
  (void)state;
  scene at = on_floor(10, 0.5, WY_COSSERAT);
  wy_message message = {0};
  at.rod.shape.origin[2] = 0.03;
  create(&at, true);
  assert_int_equal(wy_sim_settle(at.sim, 0, &message), WY_ERROR_SOLVER);
  assert_non_null(
      strstr(message.text, "it is 0.025 above obstacle 'floor': put it down there, or contact.settle: true"));
  destroy(&at);
}

/* Along a slope of 10 degrees; the shear of a Cosserat rod under friction at its surface would move its axis, too. */
static void friction_holds_on_a_slope(void **state) {
  (void)state;
  scene at = on_floor(10, 0.5, WY_KIRCHHOFF);
  const double slope = 10 * 3.14159265358979323846 / 180, slip = 1e-4 * radius;
  wy_message message = {0};
  at.contact.friction = 0.5;
  at.gravity[0] = 9.81 * sin(slope), at.gravity[2] = -9.81 * cos(slope);
  settle(&at);
  check_close((probe_at(&at, WY_POSITION, 0.25, 0) - 0.25) / slip, 0.3526539614, 1e-5);
  /* A motion begins with the same forces: the rod stays where it is, within a thousandth of the slip of motions. */
  const double before = probe_at(&at, WY_POSITION, 0.25, 0);
  must(wy_sim_sample(at.sim, 0.5, &message), &message);
  check_close(probe_at(&at, WY_POSITION, 0.25, 0), before, 1e-3 * 0.01 * radius);
  destroy(&at);
}

/* Friction bends the rod, too, near its ends within (EI/k')^(1/4) = 0.01 or so: where segments resolve that both
   schemes are of second order. */
static void box_rods_hold_like_staggered_ones(void **state) {
  (void)state;
  double slid[2][2];
  for (int i = 0; i < 4; i++) {
    scene at = on_floor(i / 2 ? 80 : 40, 0.5, WY_INEXTENSIBLE);
    wy_message message = {0};
    use_scheme(&at, schemes[i % 2]);
    at.contact.friction = 0.5;
    at.gravity[0] = 0.17 * 9.81, at.gravity[2] = -0.98 * 9.81;
    settle(&at);
    const double before = probe_at(&at, WY_POSITION, 0.25, 0);
    slid[i / 2][i % 2] = (before - 0.25) / (1e-4 * radius);
    if (i == 1) {
      must(wy_sim_sample(at.sim, 0.5, &message), &message);
      check_close(probe_at(&at, WY_POSITION, 0.25, 0), before, 1e-3 * 0.01 * radius);
    }
    destroy(&at);
  }
  check_above(slid[0][0], 0.3);
  check_below(fabs(slid[1][1] - slid[1][0]), fabs(slid[0][1] - slid[0][0]) / 3);
  check_below(fabs(slid[1][1] - slid[1][0]), 1e-3);
}

/* ---- Friction remembers ---- */

/* A thin skin, so that friction does not bend the rod; what is left is 1e-3 of segments and increments. */
static void a_rod_is_pulled_to_and_fro(void **state) {
  (void)state;
  static const knots pull = {6, {0, 0.15, 0, -0.15, 0, 0.15}};
  const double slip = 5e-7, most = 8.450474032e-05 + slip / 2, left = 4.225237016e-05 - slip / 2;
  const double want[] = {most, left, -most, -left, most};
  scene at = on_floor(50, 1, WY_KIRCHHOFF);
  at.contact.friction = 0.4, at.contact.slip = slip;
  at.rod.contact.radius = wy_constant(1e-4);
  at.rod.shape.origin[2] = 1e-4;
  at.load_count = 1;
  at.loads[0].force[0] = signal_of(&pull);
  settle(&at);
  for (int t = 1; t <= 5; t++) {
    follow(&at, t);
    check_close(probe_at(&at, WY_POSITION, 1, 0) - 1, want[t - 1], 1e-3 * most);
  }
  destroy(&at);
}

/* Walls without friction keep the rod from rolling; what is left is the spring of friction, 1 %. */
static void a_rod_is_twisted_in_a_groove(void **state) {
  (void)state;
  static const knots moment = {3, {0, 5e-4, 0}};
  scene at = on_floor(50, 1, WY_KIRCHHOFF);
  at.contact.friction = 0.4;
  at.rod.contact.blend = 0;
  at.obstacle_count = 3;
  for (int i = 1; i < 3; i++) {
    const double side = i == 1 ? 1 : -1;
    at.obstacles[i] = wy_default_obstacle_def();
    at.obstacles[i].name = i == 1 ? "left" : "right";
    at.obstacles[i].axis[1] = side, at.obstacles[i].axis[2] = 0;
    at.obstacles[i].position[1] = wy_constant(-side * 4.999e-3);
    at.obstacles[i].friction = 0;
  }
  at.load_count = 1;
  at.loads[0].moment[0] = signal_of(&moment);
  settle(&at);
  const double y = probe_at(&at, WY_DIRECTOR1, 1, 1), z = probe_at(&at, WY_DIRECTOR1, 1, 2), twisted = 0.04506919484;
  for (int t = 1; t <= 2; t++) {
    follow(&at, t);
    const double turned = asin(probe_at(&at, WY_DIRECTOR1, 1, 2) * y - probe_at(&at, WY_DIRECTOR1, 1, 1) * z);
    check_close(turned, t == 1 ? twisted : twisted / 2, 1e-2 * twisted);
  }
  destroy(&at);
}

/* ---- Without friction ---- */

/* The load on segment i, per length. */
static double load_on(const scene *at, int i) {
  const wy_points *loads = &wy_sim_contact(at->sim, 0)->load;
  const double *load = loads->values + (size_t)3 * (size_t)i;
  return sqrt(load[0] * load[0] + load[1] * load[1] + load[2] * load[2]);
}

/* Where the floor begins to carry the rod, to a segment. */
static double first_touch(const scene *at) {
  int i = 0;
  while (i < at->rod.segments && load_on(at, i) == 0)
    i++;
  return at->rod.length * i / at->rod.segments;
}

/* Segments as long as the radius: 2e-3 of forces; angle and moment of the top have a segment's own error, and so has
   the way of the top, which is the lifted length less its projection. Where the rod leaves the floor is known to a
   segment and to what the skin smears. */
static void check_rod_is_lifted(const char *scheme) {
  const double depth = 1.61865e-7, low = radius - depth, smear = pow(4 * 2.454369e-3 / 5.235988e6, 0.25);
  static const double force[2][3] = {{0.0460236141, 0.08243449364, 0.1333915517},
                                     {0.08074850313, 0.1439637585, 0.2213148497}};
  static const double top[2][3] = {{0.03683825769, 0.2071007054, 0.688481024},
                                   {0.002884534477, 0.009121698936, 0.02039673889}};
  static const double lifted[2][3] = {{0.1085925918, 0.1936948645, 0.2996033288},
                                      {0.1429090004, 0.2545253301, 0.3869994027}};
  static const double across[2][3] = {{0.1085652241, 0.1921526211, 0.2732963573},
                                      {0.1428898058, 0.2534448245, 0.3687449372}};
  const knots height = {4, {low, low + 0.002, low + 0.02, low + 0.1}};
  for (int clamped = 0; clamped < 2; clamped++) {
    scene at = on_floor(110, 0.55, WY_KIRCHHOFF);
    use_scheme(&at, scheme);
    at.rod.contact.blend = 0;
    at.rod.shape.origin[2] = low;
    at.rod.ends[0] = at.rod.ends[1] = wy_end_clamped();
    at.rod.ends[1].position[2] = at.rod.ends[0].position[0] = WY_FREE;
    at.rod.ends[0].position[2] = WY_DRIVEN;
    at.rod.ends[0].path[2] = signal_of(&height);
    if (!clamped)
      at.rod.ends[0].rotation = WY_FREE;
    settle(&at);
    for (int t = 1; t <= 3; t++) {
      follow(&at, t);
      const double up = probe_at(&at, WY_REACTION_FORCE, 0, 2), want = force[clamped][t - 1];
      const double angle = atan2(-probe_at(&at, WY_DIRECTOR3, 0, 2), probe_at(&at, WY_DIRECTOR3, 0, 0));
      const double found = clamped ? fabs(probe_at(&at, WY_REACTION_MOMENT, 0, 1)) : angle;
      check_close(up, want, 2e-3 * want);
      check_close(found, top[clamped][t - 1], 6e-3 * top[clamped][t - 1]);
      const double shift = lifted[clamped][t - 1] - across[clamped][t - 1];
      check_close(probe_at(&at, WY_POSITION, 0, 0), shift, 1e-2 * shift);
      check_close(first_touch(&at), lifted[clamped][t - 1], at.rod.length / at.rod.segments + smear);
      assert_int_equal(wy_sim_equilibrium(at.sim, 0).unstable, 0);
    }
    destroy(&at);
  }
}

static void a_rod_is_lifted(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++)
    check_rod_is_lifted(schemes[i]);
}

/* Half of it: the top is clamped. The skin smears the load over (4 EI / k')^(1/4) = 8 mm: between the support at the
   top, which stands where no skin is pressed, and the place where the rod leaves, there is room for its mean only at
   the largest pull, three such lengths away from both. */
static void check_rod_is_pulled_around_a_drum(const char *scheme) {
  static const knots pull = {4, {-0.25, -0.5, -1, -4}};
  static const double half_width[] = {0.09, 0.07, 0.06, 0.0525};
  scene at = over_drum(100, 0.4, 1e-3, 1e-3, 0.05);
  use_scheme(&at, scheme);
  at.rod.ends[0] = wy_end_clamped();
  at.load_count = 1;
  at.loads[0].force[2] = signal_of(&pull);
  settle(&at);
  for (int t = 0; t <= 3; t++) {
    if (t > 0)
      follow(&at, t);
    check_close(probe_at(&at, WY_POSITION, 0.4, 0), half_width[t], 1e-3 * half_width[t]);
  }
  double sum = 0;
  for (int i = 6; i < 10; i++)
    sum += load_on(&at, i);
  check_close(sum / 4, 76, 76 * exp(-3));
  destroy(&at);
}

static void a_rod_is_pulled_around_a_drum(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++)
    check_rod_is_pulled_around_a_drum(schemes[i]);
}

/* Half of it; the top is free to rise. */
static void check_rod_hangs_over_pegs_and_drums(const char *scheme) {
  static const double round[] = {1e-3, 0.095},
                      tip[2][2] = {{0.2034334821, -0.2047136895}, {0.2054754982, -0.2024136657}};
  const double bending = 2.454369e-3, weight = 0.8475232 * 0.3;
  for (int i = 0; i < 2; i++) {
    scene at = on_floor(60, 0.3, WY_KIRCHHOFF);
    use_scheme(&at, scheme);
    at.rod.shape.origin[2] = round[i] + radius;
    at.rod.ends[0] = wy_end_clamped();
    at.rod.ends[0].position[2] = WY_FREE;
    at.obstacles[0].shape = WY_OBSTACLE_CYLINDER;
    at.obstacles[0].radius = round[i], at.obstacles[0].length = INFINITY;
    at.obstacles[0].axis[1] = 1, at.obstacles[0].axis[2] = 0;
    settle(&at);
    check_close(probe_at(&at, WY_POSITION, 0.3, 0), tip[i][0], 1e-4);
    check_close(probe_at(&at, WY_POSITION, 0.3, 2) - probe_at(&at, WY_POSITION, 0, 2), tip[i][1], 1e-4);
    if (i == 0) /* curvature at the top: a point that is smeared over half a segment */
      check_close(fabs(probe_at(&at, WY_REACTION_MOMENT, 0, 1)), bending * 11.89034008, 0.5 * weight * 0.3 / 60);
    destroy(&at);
  }
}

static void a_rod_hangs_over_pegs_and_drums(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++)
    check_rod_hangs_over_pegs_and_drums(schemes[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_lies_on_a_floor),
      cmocka_unit_test(a_rod_that_floats_is_told_what_to_do),
      cmocka_unit_test(friction_holds_on_a_slope),
      cmocka_unit_test(box_rods_hold_like_staggered_ones),
      cmocka_unit_test(a_rod_is_pulled_to_and_fro),
      cmocka_unit_test(a_rod_is_twisted_in_a_groove),
      cmocka_unit_test(a_rod_is_lifted),
      cmocka_unit_test(a_rod_is_pulled_around_a_drum),
      cmocka_unit_test(a_rod_hangs_over_pegs_and_drums),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
