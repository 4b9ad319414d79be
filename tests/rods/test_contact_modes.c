/* SPDX-License-Identifier: MIT */
/* Vibrations and buckling about equilibria with friction: what sticks is held by its spring, mu p / z_s a length, what
   slides is free along the surface. Against closed forms of rods on such a foundation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "equilibrium/equilibrium.h"
#include "scheme/contacts.h"
#include "sim/sim.h"
#include "support/contact_scene.h"

static const double pi = 3.14159265358979323846;
static const double weight = 0.8475232, mass = 0.0863938, extension = 392.6991, bending = 2.454369e-3;

/* ---- Sticking ---- */

/* The frequencies of the `count` lowest modes whose largest displacement is along an axis. */
static int modes_along(const wy_mode_set *set, int axis, int count, double *omega) {
  int found = 0;
  for (int i = 0; i < set->count && found < count; i++) {
    const double *d = set->displacement + 3 * (size_t)i * (size_t)set->points;
    double most[3] = {0};
    for (int k = 0; k < 3 * set->points; k++)
      most[k % 3] = fmax(most[k % 3], fabs(d[k]));
    const double across = fmax(most[(axis + 1) % 3], most[(axis + 2) % 3]);
    if (most[axis] > 0.05 && most[axis] > across)
      omega[found++] = set->omega[i];
  }
  return found;
}

static wy_mode_set *modes_of(const scene *at, int count) {
  wy_message message = {0};
  wy_mode_set *set = NULL;
  must(wy_sim_modes(at->sim, 0, count, &set, &message), &message);
  return set;
}

/* The standard rod, which touches with a thin skin: the lever of friction is small beside the section. */
static scene thin_on_floor(int segments, double slip) {
  scene at = on_floor(segments, 1, WY_KIRCHHOFF);
  at.rod.contact.radius = wy_constant(1e-4);
  at.rod.shape.origin[2] = 1e-4;
  at.contact.friction = 0.4;
  at.contact.slip = slip;
  return at;
}

/* Along itself a free rod on springs has omega^2 = k / mass + (2 c / h sin(n pi h / 2 L))^2, as a chain. Across the
   springs turn it too: k (1 / mass + r^2 / rotary inertia). It may roll. */
static void a_rod_that_sticks_vibrates_on_springs(void **state) {
  (void)state;
  const int segments = 20;
  const double slip = 1e-4, spring = 0.4 * weight / slip, rotary = mass * radius * radius / 2;
  const double wave = sqrt(extension / mass) * 2 * segments;
  scene at = thin_on_floor(segments, slip);
  settle(&at);
  wy_mode_set *set = modes_of(&at, 60);
  double along[3] = {0};
  assert_int_equal(modes_along(set, 0, 3, along), 3);
  for (int n = 0; n < 3; n++) {
    const double turn = n * pi / segments, share = (2 + cos(turn)) / 3; /* of springs that act between vertices */
    const double want = sqrt(share * spring / mass + pow(wave * sin(0.5 * turn), 2));
    check_close(along[n], want, 1e-5 * want);
  }
  const double across = sqrt(spring * (1 / mass + 1e-8 / rotary));
  double nearest = INFINITY;
  for (int i = 0; i < set->count; i++)
    nearest = fmin(nearest, fabs(set->omega[i] - across));
  check_below(nearest, 1e-4 * across); /* the lever is the radius less the depth */
  check_close(set->omega[0], 0, 1e-3);
  check_close(set->touching, 1, 1e-12);
  check_close(set->sticking, 1, 1e-12);
  wy_mode_set_destroy(set);
  destroy(&at);
}

/* ---- Sliding ---- */

/* kappa tan(kappa a) = sqrt(spring / EA - kappa^2): the part of length a that slides is free, the rest is held. */
static double front(double kappa, double a, double spring) {
  return kappa * tan(kappa * a) - sqrt(fmax(0, spring / extension - kappa * kappa));
}

/* A rod that is pulled by its end slides over 0.15 N / (mu q). */
static void what_slides_is_free(void **state) {
  (void)state;
  static const knots pull = {2, {0, 0.15}};
  const double slip = 1e-5, slides = 0.15 / (0.4 * weight), spring = 0.4 * weight / slip;
  scene at = thin_on_floor(100, slip);
  at.load_count = 1;
  at.loads[0].force[0] = signal_of(&pull);
  settle(&at);
  follow(&at, 1);
  /* before the front the spring is not at the cone yet: the front lags by the length over which it decays */
  const double lag = sqrt(extension / spring);
  wy_mode_set *set = modes_of(&at, 40);
  check_close(set->touching, 1, 1e-12);
  const double length = set->touching - set->sticking;
  check_close(length, slides - lag, 0.01);
  double low = 1e-3, high = 0.5 * pi / length - 1e-6, omega = NAN;
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    *(front(middle, length, spring) < 0 ? &low : &high) = middle;
  }
  assert_int_equal(modes_along(set, 0, 1, &omega), 1);
  check_close(omega, low * sqrt(extension / mass), 2e-3 * omega);
  assert_int_equal(wy_sim_equilibrium(at.sim, 0).unstable, -1);
  wy_mode_set_destroy(set);
  destroy(&at);
}

/* ---- Without friction ---- */

static void little_friction_changes_little(void **state) {
  (void)state;
  double omega[2][16];
  for (int i = 0; i < 2; i++) {
    scene at = on_floor(20, 0.5, WY_COSSERAT);
    at.contact.friction = i * 1e-15;
    at.rod.ends[0] = wy_end_clamped();
    settle(&at);
    wy_mode_set *set = modes_of(&at, 16);
    assert_true((set->sticking > 0) == (i > 0));
    for (int k = 0; k < 16; k++)
      omega[i][k] = set->omega[k];
    wy_mode_set_destroy(set);
    destroy(&at);
  }
  for (int k = 0; k < 16; k++)
    check_close(omega[1][k], omega[0][k], 1e-6 * omega[0][k]);
}

/* ---- The tangent ---- */

static void bent(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)t;
  jet[0] = s > 0.04 && s < 0.2 ? 20 : 0, jet[1] = jet[2] = 0;
}

/* a . K^-1 b = b . K^-1 a: a rope around a drum, parts of it slide, others stick, and friction bends it by its lever.
   What the tangent misses of its symmetry without the couple is 1e-3 and more. */
static void the_tangent_is_symmetric(void **state) {
  (void)state;
  static const char *const schemes[] = {"staggered", "mixed", "mixed"};
  static const knots down = {2, {-0.04, -0.0401}};
  for (int i = 0; i < 3; i++) {
    scene at = over_drum(30, 0.24, 1e-3, 5e-3, 0.05);
    at.scheme = schemes[i], at.order = i;
    at.rod.shape.origin[0] = -0.05, at.rod.shape.origin[2] = -0.04;
    at.rod.shape.direction[0] = 0, at.rod.shape.direction[2] = 1;
    at.rod.shape.d1[0] = 1;
    at.rod.shape.curvature[1] = (wy_signal){0, bent, NULL, WY_ARC};
    at.rod.ends[0] = at.rod.ends[1] = wy_end_clamped();
    at.rod.ends[0].position[2] = WY_FREE;
    at.rod.ends[1].position[2] = WY_DRIVEN;
    at.rod.ends[1].path[2] = signal_of(&down);
    at.contact.friction = 0.5, at.contact.settle = true;
    at.load_count = 1;
    at.loads[0].place = WY_AT_START;
    at.loads[0].force[2] = wy_constant(-1);
    settle(&at);
    follow(&at, 0.1);
    wy_equilibrium *equilibrium = at.sim->groups[0].equilibrium;
    wy_system *system = equilibrium->system;
    const int n = system->dofs;
    double *a = doubles(n), *b = doubles(n), *x = doubles(n), *y = doubles(n);
    uint64_t seed = 7;
    wy_freedom_scatter(system, &seed, a);
    wy_freedom_scatter(system, &seed, b);
    system->type->statics->mass_times(system, a, x); /* nothing on what is held */
    system->type->statics->mass_times(system, b, y);
    memcpy(a, x, (size_t)n * sizeof *a);
    memcpy(b, y, (size_t)n * sizeof *b);
    wy_system_hold(system, true);
    assert_int_equal(
        wy_stretch_tangent(equilibrium, &equilibrium->now->stretch, equilibrium->now->tau, equilibrium->config),
        WY_NO_TROUBLE);
    wy_stretch_solve(equilibrium, x);
    wy_stretch_solve(equilibrium, y);
    wy_system_hold(system, false);
    const double one = wy_dot(b, x, n), other = wy_dot(a, y, n);
    check_close(one, other, 1e-9 * fabs(one));
    free(a), free(b), free(x), free(y);
    destroy(&at);
  }
}

/* ---- Buckling ---- */

/* A pinned rod on a floor that all loads press, gravity with them: a factor f makes F and the springs K. In waves a_n
   sin(n pi x / L) the energy is sum D_n a_n^2 / 2, D_n = (EI k^4 - F k^2 + K) / 2, less what the rod saves as it rolls
   as a whole: K (sum c_n a_n)^2 / 2, c_n = 2 / (n pi) for odd n. */
static const double push_in = 0.1, slip_in = 1;

static double stiffness_of(int n, double factor) {
  const double k = n * pi, spring = 0.4 * weight / slip_in;
  return 0.5 * (bending * pow(k, 4) + factor * (spring - push_in * k * k));
}

/* Without rolling: D_n = 0. */
static double factor_of(int n) {
  return -bending * pow(n * pi, 4) / (2 * (stiffness_of(n, 1) - stiffness_of(n, 0)));
}

/* sum K c_n^2 / D_n = 1 */
static double factor_of_rolling(void) {
  const double spring = 0.4 * weight / slip_in;
  double low = 0, high = factor_of(1) * (1 - 1e-12);
  for (int step = 0; step < 100; step++) {
    const double middle = 0.5 * (low + high);
    double sum = 0;
    for (int n = 1; n < 200; n += 2)
      sum += middle * spring * pow(2 / (n * pi), 2) / stiffness_of(n, middle);
    *(sum < 1 ? &low : &high) = middle;
  }
  return low;
}

/* A chain of length h has (k h)^2 / 12 less of bending. */
static void a_rod_that_sticks_buckles_later(void **state) {
  (void)state;
  enum { SEGMENTS = 60 };
  const knots push = {2, {-push_in, -push_in}};
  const double want[] = {factor_of_rolling(), factor_of(2)};
  wy_message message = {0};
  wy_mode_set *set = NULL;
  scene at = on_floor(SEGMENTS, 1, WY_INEXTENSIBLE);
  at.contact.friction = 0.4, at.contact.slip = slip_in;
  at.rod.ends[0] = at.rod.ends[1] = wy_end_pinned();
  at.rod.ends[1].position[0] = WY_FREE;
  at.rod.shape.origin[2] = radius - 1.39e-5; /* the depth under the first factor's weight */
  at.load_count = 1;
  at.loads[0].force[0] = signal_of(&push);
  create(&at, true);
  must(wy_sim_buckling(at.sim, 0, 0, 2, &set, &message), &message);
  assert_int_equal(set->count, 2);
  for (int n = 1; n <= 2; n++) {
    const double turn = n * pi / SEGMENTS, free = bending * pow(n * pi, 2) / push_in;
    check_above(want[n - 1], 1.04 * free);
    check_close(set->factor[n - 1], want[n - 1] * (1 - turn * turn / 12), turn * turn / 24 * want[n - 1]);
  }
  check_close(set->sticking, 1, 1e-12);
  wy_mode_set_destroy(set);
  destroy(&at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_that_sticks_vibrates_on_springs), cmocka_unit_test(what_slides_is_free),
      cmocka_unit_test(little_friction_changes_little),        cmocka_unit_test(the_tangent_is_symmetric),
      cmocka_unit_test(a_rod_that_sticks_buckles_later),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
