/* SPDX-License-Identifier: MIT */
/* The oracle of constrained rods itself (support/mass_constraint.h): the bandwidth that the paper claims, the band
   solver against a dense one, one segment against the closed forms of a pendulum, and its forces as the derivative of
   its energy. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/dense.h"
#include "support/mass_constraint.h"

static const wy_rod_kind kinds[2] = {WY_KIRCHHOFF, WY_INEXTENSIBLE};

static constrained_rod soft_rod(wy_rod_kind kind, wy_curvature_measure measure, int segments) {
  constrained_rod rod = {.kind = kind,
                         .measure = measure,
                         .segments = segments,
                         .h = 2.0 / segments,
                         .c_gamma = {4, 5, 9},
                         .c_kappa = {0.5, 0.7, 0.4},
                         .mass = 1.3,
                         .rotary = {0.11, 0.17, 0.25},
                         .gravity = {0.4, 0.2, -1.1}};
  for (int n = 0; n <= segments; n++)
    rod.natural[n][0] = 0.3, rod.natural[n][1] = -0.2;
  return rod;
}

static constrained_state bent_state(const constrained_rod *rod, double turn, unsigned seed) {
  const double x[3] = {0.3, -0.2, 0.5}, v[3] = {0.7, 0.4, -0.6}, none[3] = {0}, p[4] = {0.5, -0.5, 0.5, 0.5};
  return constrained_bent(rod, x, rod->ends[0].held[0] ? none : v, p, turn, seed);
}

static void clamp(constrained_rod *rod, const constrained_state *state, int end) {
  const double off[4] = {1, 0.1, -0.2, 0.15};
  constrained_end *support = &rod->ends[end];
  support->clamped = true;
  wy_qmul(state->p[end ? rod->segments - 1 : 0], off, support->p);
  wy_qnormalise(support->p);
}

/* Nothing falls outside a band of half bandwidth 9 (Kirchhoff) or 10 (inextensible), and the outermost diagonals are
   needed: Gamma2 or Gamma3 of a segment by the first component of x before it. */
static void bandwidth_is_the_published_one(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    constrained_rod rod = soft_rod(kinds[kind], WY_TAN2, 6);
    constrained_state bent = bent_state(&rod, 0.4, 3);
    mass_constraint matrix = mass_constraint_make(&rod, &bent);
    int half = kind ? 10 : 9;
    assert_int_equal(mass_constraint_bandwidth(kinds[kind]), half);
    assert_int_equal(mass_constraint_lost(&matrix, half), 0);
    assert_int_equal(mass_constraint_lost(&matrix, half - 1), 2 * rod.segments);
    mass_constraint_free(&matrix);
  }
}

/* The same solution by dense elimination, up to a few units of what round-off does to this matrix. */
static void band_and_dense_solutions_agree(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++)
    for (int held = 0; held < 2; held++) {
      constrained_rod rod = soft_rod(kinds[kind], WY_ANGLE, 7);
      for (int k = 0; k < 3; k++)
        rod.ends[0].held[k] = rod.ends[1].held[k] = held, rod.ends[1].a[k] = 0.3 * k;
      constrained_state bent = bent_state(&rod, 0.5, 5);
      mass_constraint matrix = mass_constraint_make(&rod, &bent);
      int n = matrix.order, cell = matrix.cell;
      double *b = calloc((size_t)n, sizeof *b), *dense = malloc((size_t)n * (size_t)n * sizeof *dense);
      int *pivot = malloc((size_t)n * sizeof *pivot);
      mass_constraint_forces(&rod, &bent, b);
      memcpy(dense, matrix.matrix, (size_t)n * (size_t)n * sizeof *dense);
      assert_int_equal(wy_dense_factor(dense, n, pivot), 0);
      wy_dense_solve(dense, n, pivot, b);
      constrained_motion motion;
      assert_true(mass_constraint_motion(&rod, &bent, &motion));
      for (int i = 0; i < rod.segments; i++)
        for (int k = 0; k < 3; k++) {
          check_close(motion.a[i][k], b[cell * i + k], 8 * motion.error.a);
          if (k < (kind ? 3 : 2))
            check_close(motion.force[i][k], b[cell * i + 8 + k] / rod.h, 8 * motion.error.force);
        }
      free(b), free(dense), free(pivot);
      mass_constraint_free(&matrix);
    }
}

/* One segment, pinned at the start, in the plane x-z: d3 = (sin a, 0, -cos a) hangs down for a = 0; half of the mass
   sits at its end. Frame: rotation by pi - a about y. Inextensible:

     (m h^2 + I) a'' = -m g h sin a

   Kirchhoff, r the length: (m r^2 + I) a'' = -m g r sin a - 2 m r r' a',
                            m r'' = m r a'^2 + m g cos a - EA (r/h - 1). */
static void one_segment_is_a_pendulum(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    constrained_rod rod = soft_rod(kinds[kind], WY_TAN2, 1);
    const double g = 1.7, a = 0.7, rate = 1.3, stretch = kind ? 0 : 0.4, r = kind ? rod.h : 1.15 * rod.h;
    const double m = 0.5 * rod.mass * rod.h, inertia = rod.h * rod.rotary[1], half = 0.5 * (3.14159265358979324 - a);
    constrained_state at = {0};
    rod.gravity[0] = rod.gravity[1] = 0, rod.gravity[2] = -g;
    for (int k = 0; k < 3; k++)
      rod.ends[0].held[k] = true;
    at.p[0][0] = cos(half), at.p[0][2] = sin(half);
    at.omega[0][1] = -rate;
    at.x[1][0] = r * sin(a), at.x[1][2] = -r * cos(a);
    at.v[1][0] = r * rate * cos(a) + stretch * sin(a), at.v[1][2] = r * rate * sin(a) - stretch * cos(a);
    double strain[3], strain_rate[3];
    constrained_strain(&rod, &at, 0, strain, strain_rate);
    for (int k = 0; k < 2; k++) {
      check_close(strain[k], 0, 1e-15);
      check_close(strain_rate[k], 0, 1e-15);
    }
    check_close(strain_rate[2], stretch / rod.h, 1e-15);
    constrained_motion motion;
    assert_true(mass_constraint_motion(&rod, &at, &motion));
    double turning = (-m * g * r * sin(a) - 2 * m * r * stretch * rate) / (m * r * r + inertia);
    double along = rod.c_gamma[2] * (r / rod.h - 1);
    if (kind)
      along = m * r * rate * rate + m * g * cos(a); /* the section force carries weight and centripetal force */
    double growing = kind ? 0 : r * rate * rate + g * cos(a) - along / m;
    check_close(motion.dom[0][1], -turning, 1e-14);
    check_close(motion.dom[0][0], 0, 1e-14);
    check_close(motion.dom[0][2], 0, 1e-14);
    check_close(motion.force[0][2], along, 1e-14);
    check_close(motion.a[1][0], (growing - r * rate * rate) * sin(a) + (r * turning + 2 * stretch * rate) * cos(a),
                1e-14);
    check_close(motion.a[1][2], -(growing - r * rate * rate) * cos(a) + (r * turning + 2 * stretch * rate) * sin(a),
                1e-14);
  }
}

/* The energy along x + t v + t^2 a/2, p exp(t Om + t^2 Om'/2): its derivative is zero for an undamped rod, for all
   measures and ends: forces, gyroscopic term, ghost and multipliers fit together. Central differences of step 1e-4:
   error t^2 E'''/6, about 1e-8 times third derivatives of order 10. */
static double energy_after(const constrained_rod *rod, const constrained_state *from, const constrained_motion *motion,
                           double t) {
  constrained_state to = *from;
  for (int n = 0; n <= rod->segments; n++)
    for (int k = 0; k < 3; k++) {
      to.x[n][k] += t * from->v[n][k] + 0.5 * t * t * motion->a[n][k];
      to.v[n][k] += t * motion->a[n][k];
    }
  for (int i = 0; i < rod->segments; i++) {
    double turn[3], q[4];
    for (int k = 0; k < 3; k++) {
      turn[k] = t * from->omega[i][k] + 0.5 * t * t * motion->dom[i][k];
      to.omega[i][k] += t * motion->dom[i][k];
    }
    wy_qexp(turn, q);
    wy_qmul(from->p[i], q, to.p[i]);
  }
  return constrained_energy(rod, &to);
}

static void energy_is_kept(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++)
    for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++)
      for (int ends = 0; ends < 3; ends++) {
        constrained_rod rod = soft_rod(kinds[kind], (wy_curvature_measure)measure, 5);
        for (int k = 0; k < 3; k++)
          rod.ends[0].held[k] = ends > 0;
        constrained_state bent = bent_state(&rod, 0.5, 7);
        if (ends == 2)
          clamp(&rod, &bent, 0), clamp(&rod, &bent, 1);
        constrained_motion motion;
        assert_true(mass_constraint_motion(&rod, &bent, &motion));
        const double step = 1e-4;
        double rate = (energy_after(&rod, &bent, &motion, step) - energy_after(&rod, &bent, &motion, -step)) / step / 2;
        double power = 0; /* sum of |m a v|: what cancels */
        for (int n = 0; n <= rod.segments; n++)
          for (int k = 0; k < 3; k++)
            power += rod.mass * rod.h * fabs(motion.a[n][k] * bent.v[n][k]);
        check_above(power, 0.1);
        if (!(fabs(rate) < 1e-6 * (1 + power)))
          fail_msg("kind %d, measure %d, ends %d: energy changes by %g per unit time; its parts by %g", kind, measure,
                   ends, rate, power);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bandwidth_is_the_published_one),
                                     cmocka_unit_test(band_and_dense_solutions_agree),
                                     cmocka_unit_test(one_segment_is_a_pendulum), cmocka_unit_test(energy_is_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
