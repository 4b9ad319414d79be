/* SPDX-License-Identifier: MIT */
/* One hub with a mass off its origin, under weight and a wrench: its equations (N5) against sums over particles, and
   its elimination for real and complex shifts against a dense system whose matrix comes from differences. */
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "network/hub.h"
#include "support/dense.h"

enum { SIZE = 13, P = 3, V = 7, W = 10 };

static const double gravity[3] = {0.4, -1.1, -9.81};
static const wy_hold_on hold = {{0.2, -0.3, 0.45}, {0.5, 0.1, -0.7, 0.5}, true};
static const wy_port_wrench wrench = {{1.2, -0.4, 2.5}, {0.3, 0.8, -0.6}};

static const double particles[4][4] = {
    {0.7, 0.3, 0.1, -0.2}, {0.4, -0.5, 0.2, 0.1}, {1.1, 0.1, -0.4, 0.6}, {0.3, 0.2, 0.5, 0.4}};

static wy_hub_inertia four_particles(void) {
  wy_hub_inertia inertia = {.has_frame = true};
  for (int i = 0; i < 4; i++)
    wy_hub_add_mass(&inertia, particles[i][0], 0.9 * particles[i][0], particles[i] + 1);
  assert_int_equal(wy_hub_factor(&inertia), 0);
  return inertia;
}

static void start(double u[SIZE]) {
  static const double at[SIZE] = {0.3, -0.2, 0.9, 0.8, 0.2, -0.5, 0.3, 1.5, -0.6, 0.4, 2.1, -1.3, 0.7};
  memcpy(u, at, sizeof at);
  wy_qnormalise(u + P);
}

/* f of the hub alone, with the weight of its particles and a wrench that stays. */
static void rates(const wy_hub_inertia *inertia, const double *u, double *f) {
  const wy_hub_motion at = wy_hub_at(u, 1, 0);
  wy_hub_load load = {{0, 0, 0}, {0, 0, 0}};
  wy_v3 a, alpha;
  wy_hub_add_wrench(&at, &hold, &wrench, &load);
  wy_hub_add_weight(inertia, &at, gravity, &load);
  wy_hub_accelerate(inertia, &at, &load, &a, &alpha);
  wy_put3(f, at.v);
  wy_put4(f + P, wy_qtimes(0.5, wy_times_pure(at.p, at.omega)));
  wy_put3(f + V, a);
  wy_put3(f + W, alpha);
}

/* The accelerations of the particles need the forces that act, and no others. */
static void test_balance(void **state) {
  (void)state;
  const wy_hub_inertia inertia = four_particles();
  double u[SIZE], f[SIZE];
  start(u);
  rates(&inertia, u, f);
  const wy_hub_motion at = wy_hub_at(u, 1, 0);
  wy_v3 force = {0, 0, 0}, torque = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    const wy_v3 c = wy_at3(particles[i] + 1);
    const wy_v3 acceleration = wy_hub_point_acceleration(&at, c, wy_at3(f + V), wy_at3(f + W));
    const wy_v3 needs = wy_times(particles[i][0], wy_minus(acceleration, wy_times(0.9, wy_at3(gravity))));
    force = wy_plus(force, needs);
    torque = wy_plus(torque, wy_cross(wy_apply(at.r, c), needs));
  }
  const wy_v3 given = wy_at3(wrench.force), arm = wy_apply(at.r, hold.c);
  const wy_v3 moment =
      wy_plus(wy_cross(arm, given), wy_apply(at.r, wy_apply(wy_rotation(hold.q), wy_at3(wrench.torque))));
  check_below(wy_norm(wy_minus(force, given)), 1e-13);
  check_below(wy_norm(wy_minus(torque, moment)), 1e-13);
}

static void test_energy_and_momenta(void **state) {
  (void)state;
  const wy_hub_inertia inertia = four_particles();
  double u[SIZE], kinetic = 0, potential = 0;
  start(u);
  const wy_hub_motion at = wy_hub_at(u, 1, 0);
  wy_v3 linear = {0, 0, 0}, angular = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    const wy_v3 c = wy_at3(particles[i] + 1), x = wy_hub_point(&at, c), v = wy_hub_point_velocity(&at, c);
    kinetic += 0.5 * particles[i][0] * wy_inner(v, v);
    potential -= 0.9 * particles[i][0] * wy_inner(x, wy_at3(gravity));
    linear = wy_plus(linear, wy_times(particles[i][0], v));
    angular = wy_plus(angular, wy_times(particles[i][0], wy_cross(x, v)));
  }
  wy_momentum sum = {0};
  wy_hub_add_momentum(&inertia, &at, &sum);
  check_close(wy_hub_kinetic(&inertia, &at), kinetic, 1e-13);
  check_close(wy_hub_gravity(&inertia, &at, gravity), potential, 1e-13);
  check_below(wy_norm(wy_minus(wy_at3(sum.linear), linear)), 1e-13);
  check_below(wy_norm(wy_minus(wy_at3(sum.angular), angular)), 1e-13);
}

/* df/du by central differences of step h: exact to h^2 and round-off / h, 1e-10 for numbers of size 10. */
static void differences(const wy_hub_inertia *inertia, const double *u, double j[SIZE][SIZE]) {
  const double h = 1e-5;
  for (int k = 0; k < SIZE; k++) {
    double at[SIZE], before[SIZE], after[SIZE];
    memcpy(at, u, sizeof at);
    at[k] = u[k] - h;
    rates(inertia, at, before);
    at[k] = u[k] + h;
    rates(inertia, at, after);
    for (int i = 0; i < SIZE; i++)
      j[i][k] = (after[i] - before[i]) / (2 * h);
  }
}

/* (sigma - J) z = r as the hubs of a group do it. */
static void solve_reduced(const wy_hub_inertia *inertia, const double *u, double re, double im, const double *r,
                          const double *r_im, double *z, double *z_im) {
  double f[SIZE], mass[6][6], by_motion[6][12], outer[12][12], red[6][6], red_im[6][6], known[12], known_im[12];
  rates(inertia, u, f);
  const wy_hub_motion at = wy_hub_at(u, 1, 0);
  const wy_hub_shift shift = wy_hub_shift_of(&at, re, im);
  wy_hub_mass_matrix(inertia, &at, mass);
  wy_hub_inertia_blocks(inertia, &at, gravity, wy_at3(f + V), wy_at3(f + W), by_motion);
  double turn[9];
  wy_to_rows(wy_hub_carried_turn(&at, hold.c, wy_at3(wrench.force)), turn);
  for (int i = 0; i < 9; i++)
    by_motion[3 + i / 3][3 + i % 3] -= turn[i];
  wy_hub_outer(&at, &hold, outer);
  wy_hub_reduce(&shift, &at, by_motion, red, red_im);
  wy_hub_known k, k_im;
  wy_hub_know(&shift, &at, wy_at3(r), wy_at3(r_im), wy_at4(r + P), wy_at4(r_im + P), &k, &k_im);
  memset(known, 0, sizeof known), memset(known_im, 0, sizeof known_im);
  wy_put3(known, k.dx), wy_put3(known + 3, k.theta), wy_put3(known_im, k_im.dx), wy_put3(known_im + 3, k_im.theta);
  double a[12][12], b[12];
  for (int i = 0; i < 6; i++) {
    b[i] = b[6 + i] = 0;
    for (int j = 0; j < 6; j++) {
      a[i][j] = a[6 + i][6 + j] = re * mass[i][j] + red[i][j];
      a[6 + i][j] = im * mass[i][j] + red_im[i][j];
      a[i][6 + j] = -a[6 + i][j];
      b[i] += mass[i][j] * r[V + j], b[6 + i] += mass[i][j] * r_im[V + j];
    }
    for (int j = 0; j < 12; j++)
      b[i] -= by_motion[i][j] * known[j], b[6 + i] -= by_motion[i][j] * known_im[j];
  }
  int pivot[12];
  assert_int_equal(wy_dense_factor(&a[0][0], 12, pivot), 0);
  wy_dense_solve(&a[0][0], 12, pivot, b);
  wy_hub_found found, found_im;
  wy_hub_find(&shift, &at, &k, &k_im, b, b + 6, &found, &found_im);
  wy_put3(z, found.dx), wy_put4(z + P, found.dp), wy_put3(z + V, found.dv), wy_put3(z + W, found.domega);
  wy_put3(z_im, found_im.dx), wy_put4(z_im + P, found_im.dp);
  wy_put3(z_im + V, found_im.dv), wy_put3(z_im + W, found_im.domega);
  /* theta belongs to dp */
  const wy_v3 theta = wy_times(2 / wy_qsquare(at.p), wy_pure(wy_between(at.p, found.dp)));
  check_below(wy_norm(wy_minus(theta, found.theta)), 1e-13);
}

static void check_shift(double re, double im) {
  const wy_hub_inertia inertia = four_particles();
  double u[SIZE], j[SIZE][SIZE], a[2 * SIZE][2 * SIZE] = {{0}}, b[2 * SIZE], r[SIZE], r_im[SIZE], z[SIZE], z_im[SIZE];
  start(u);
  differences(&inertia, u, j);
  for (int i = 0; i < SIZE; i++) {
    b[i] = r[i] = sin(1 + 3.7 * i);
    b[SIZE + i] = r_im[i] = im == 0 ? 0 : cos(2 + 1.3 * i);
    for (int k = 0; k < SIZE; k++) {
      a[i][k] = a[SIZE + i][SIZE + k] = re * (i == k) - j[i][k];
      a[SIZE + i][k] = im * (i == k), a[i][SIZE + k] = -im * (i == k);
    }
  }
  int pivot[2 * SIZE];
  assert_int_equal(wy_dense_factor(&a[0][0], 2 * SIZE, pivot), 0);
  wy_dense_solve(&a[0][0], 2 * SIZE, pivot, b);
  solve_reduced(&inertia, u, re, im, r, r_im, z, z_im);
  for (int i = 0; i < SIZE; i++) {
    check_close(z[i], b[i], 1e-8);
    check_close(z_im[i], b[SIZE + i], 1e-8);
  }
}

static void test_linear_systems(void **state) {
  (void)state;
  check_shift(20, 0);
  check_shift(7, 12);
}

/* The support that a port sees, and how it moves with the hub. */
static void test_outer_motion(void **state) {
  (void)state;
  double u[SIZE], origin[3] = {0.5, 0.1, -0.3}, outer[12][12];
  start(u);
  const wy_hub_motion at = wy_hub_at(u, 1, 0);
  wy_port_motion here, before, after;
  wy_hub_support(&at, &hold, origin, &here);
  wy_hub_outer(&at, &hold, outer);
  const double h = 1e-5;
  for (int k = 0; k < 12; k++) {
    wy_port_motion *sides[2] = {&before, &after};
    for (int side = 0; side < 2; side++) {
      double to[SIZE], theta[3] = {0, 0, 0}, turn[4], step = side ? h : -h;
      memcpy(to, u, sizeof to);
      if (k < 3)
        to[k] += step;
      else if (k < 6)
        theta[k - 3] = step;
      else
        to[V + k - 6] += step;
      wy_qexp(theta, turn);
      wy_qmul(u + P, turn, to + P);
      const wy_hub_motion moved = wy_hub_at(to, 1, 0);
      wy_hub_support(&moved, &hold, origin, sides[side]);
    }
    double relative[4], got[12];
    wy_qrelative(before.q, after.q, relative);
    for (int i = 0; i < 3; i++) {
      got[i] = (after.x[i] - before.x[i]) / (2 * h);
      got[3 + i] = 2 * relative[1 + i] / (2 * h);
      got[6 + i] = (after.v[i] - before.v[i]) / (2 * h);
      got[9 + i] = (after.w[i] - before.w[i]) / (2 * h);
    }
    for (int i = 0; i < 12; i++)
      check_close(got[i], outer[i][k], 1e-9);
  }
}

/* A hub of balls at rod ends alone has a place and no frame. */
static void test_no_frame(void **state) {
  (void)state;
  wy_hub_inertia inertia = {.has_frame = false};
  const double origin[3] = {0, 0, 0};
  wy_hub_add_mass(&inertia, 0.25, 0.25, origin);
  assert_int_equal(wy_hub_factor(&inertia), 0);
  const double u[SIZE] = {0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 0, 0, 0};
  const wy_hub_motion at = wy_hub_at(u, 1, 0);
  const wy_hub_load load = {{1, 0, -2}, {0, 0, 0}};
  wy_v3 a, alpha;
  wy_hub_accelerate(&inertia, &at, &load, &a, &alpha);
  check_close(a.x, 4, 1e-15);
  check_close(a.z, -8, 1e-15);
  check_close(wy_norm(alpha), 0, 0);
  wy_hub_inertia frame = {.has_frame = true};
  wy_hub_add_mass(&frame, 0.25, 0.25, origin);
  assert_int_equal(wy_hub_factor(&frame), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_balance), cmocka_unit_test(test_energy_and_momenta),
                                     cmocka_unit_test(test_linear_systems), cmocka_unit_test(test_outer_motion),
                                     cmocka_unit_test(test_no_frame)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
