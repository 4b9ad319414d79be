/* SPDX-License-Identifier: MIT */
/* The laws of contact: skin and core against sampled values, smooth where they are joined, load and slopes the
   derivatives of the energy; the mean load between two depths; saturation, restitution and friction. */
#include <float.h>

#include "check.h"
#include "contact/law.h"
#include "support/table.h"

static const wy_skin standard = {5.2359877559829887e6, 2.5e-4, 2.5e-3};

static void skin_has_the_sampled_values(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/contact/law_samples.csv", 16);
  for (int i = 0; i < want.rows; i++) {
    const double *row = table_at(&want, i, 0);
    const wy_skin_load at = wy_skin_at(&standard, row[0]);
    /* the sample has lost digits in -ln(1 - x^2) - x^2 at small x, a few round-offs of k c^2 x^2 */
    check_close(at.energy, row[1], 1e-13 * row[1] + DBL_EPSILON * standard.stiffness * row[0] * row[0]);
    check_close(at.load, row[2], 1e-13 * row[2]);
    check_close(at.slope, row[3], 1e-13 * row[3]);
  }
  free_table(&want);
}

/* Values on both sides of a depth, `way` apart: what is continuous differs by `way` times its derivative there. */
static void continuous(double depth, int derivatives) {
  const double way = 1e-9 * standard.core, k = standard.stiffness, b = standard.onset, c = standard.core;
  const wy_skin_load low = wy_skin_at(&standard, depth - way), high = wy_skin_at(&standard, depth + way);
  check_close(high.energy, low.energy, 2.1 * way * high.load + 1e-13 * high.energy);
  check_close(high.load, low.load, 2.1 * way * high.slope + 1e-13 * high.load);
  if (derivatives > 0) /* p'' is at most 1.5 k/b in the skin, and 1000 k/c in the core, at 0.9 of it */
    check_close(high.slope, low.slope, way * (6 * k / b + 1100 * k / c) + 1e-13 * high.slope);
  if (derivatives > 1) {
    const double steep = 12 * k / (b * b) + 10 * k / (c * c); /* of p'' */
    check_close(high.bend, low.bend, 2 * way * steep);
  }
}

static void skin_is_smooth(void **state) {
  (void)state;
  continuous(standard.onset, 1);
  continuous(WY_CORE_END * standard.core, 1);
  const wy_skin_load out = wy_skin_at(&standard, 0), in = wy_skin_at(&standard, 1e-12);
  check_close(out.load, 0, 0);
  check_close(out.slope, 0, 0);
  check_below(in.slope, 1e-9 * standard.stiffness); /* 3 y^2 with y = 4e-9 */
  /* twice differentiable at the onset: 6 k/b (y - y^2) ends at 0 */
  check_close(wy_skin_at(&standard, standard.onset * (1 - 1e-12)).bend, wy_skin_at(&standard, standard.onset).bend,
              1e-10 * standard.stiffness / standard.onset);
  continuous(0.5 * standard.onset, 2);
  continuous(0.5 * standard.core, 2);
}

/* Central differences of order 4: relative error (h/b)^4 of fifth derivatives, and round-off eps b/h. */
static double slope_of(const wy_skin *skin, double depth, double step, double (*of)(wy_skin_load)) {
  return (of(wy_skin_at(skin, depth - 2 * step)) - 8 * of(wy_skin_at(skin, depth - step)) +
          8 * of(wy_skin_at(skin, depth + step)) - of(wy_skin_at(skin, depth + 2 * step))) /
         (12 * step);
}

static double energy_of(wy_skin_load at) {
  return at.energy;
}

static double load_of(wy_skin_load at) {
  return at.load;
}

static double stiffness_of(wy_skin_load at) {
  return at.slope;
}

static void load_is_the_derivative(void **state) {
  (void)state;
  static const double depths[] = {3e-5, 1.2e-4, 2.3e-4, 2.7e-4, 6e-4, 1.3e-3, 2e-3, 2.2e-3, 2.3e-3, 4e-3};
  const wy_skin hard = {standard.stiffness, 0, standard.core};
  for (int blend = 0; blend < 2; blend++) {
    const wy_skin *skin = blend ? &standard : &hard;
    for (unsigned i = 0; i < sizeof depths / sizeof *depths; i++) {
      const double d = depths[i], step = 3e-4 * fmin(d, standard.core);
      const wy_skin_load at = wy_skin_at(skin, d);
      check_close(slope_of(skin, d, step, energy_of), at.load, 1e-9 * at.load);
      check_close(slope_of(skin, d, step, load_of), at.slope, 1e-9 * at.slope);
      const double bend = d > WY_CORE_END * standard.core ? 0 : at.bend;
      check_close(slope_of(skin, d, step, stiffness_of), bend, 1e-9 * (at.bend + at.slope / d));
    }
  }
}

/* Without onset the skin is a straight spring: what the core adds is known to all digits near 0, where its closed form
   would lose them. */
static void linear_skin(void **state) {
  (void)state;
  const wy_skin skin = {2, 0, 1};
  for (double d = 1e-6; d < 0.06; d *= 1.7) {
    const wy_skin_load at = wy_skin_at(&skin, d);
    const double y = d * d; /* the next terms are below y^7 / 7 */
    const double core = y * y * (1.0 / 2 + y * (1.0 / 3 + y * (1.0 / 4 + y * (1.0 / 5 + y * (1.0 / 6 + y / 7)))));
    check_close(at.energy, d * d + core, 1e-14 * d * d);
    check_close(at.load, 2 * d + 2 * d * d * d / (1 - y), 1e-15 * d);
  }
  check_close(wy_skin_at(&skin, -1e-3).energy, 0, 0);
  check_close(wy_skin_at(&skin, -1e-3).load, 0, 0);
}

/* Every trial state has a finite force that grows with depth. */
static void core_never_ends(void **state) {
  (void)state;
  double before = 0;
  for (double d = 1e-3; d < 1; d *= 1.1) {
    const wy_skin_load at = wy_skin_at(&standard, d);
    assert_true(isfinite(at.energy) && isfinite(at.load) && isfinite(at.slope));
    check_above(at.load, before);
    before = at.load;
  }
  const wy_skin_load edge = wy_skin_at(&standard, WY_CORE_END * standard.core);
  const double k = standard.stiffness, c = standard.core, skin = WY_CORE_END * c - 0.5 * standard.onset;
  check_close((edge.load - k * skin) / (k * c), 3.83684, 5e-6);
  check_close(edge.slope / k - 1, 49.1385, 5e-5);
}

/* (K8): mean times way is the difference of energies, for any two depths, and its derivative is that. */
static void mean_load_gives_the_energy(void **state) {
  (void)state;
  static const double depths[] = {-1e-4, 0, 5e-5, 2.4e-4, 2.6e-4, 1e-3, 2.2e-3, 2.6e-3};
  const int count = sizeof depths / sizeof *depths;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      double slope, unused;
      const double a = depths[i], b = depths[j], mean = wy_skin_mean(&standard, a, b, &slope), step = 1e-7;
      const double change = wy_skin_at(&standard, b).energy - wy_skin_at(&standard, a).energy;
      check_close(mean * (b - a), change, 1e-14 * wy_skin_at(&standard, fmax(a, b)).energy);
      if (i == j)
        continue;
      const double by =
          (wy_skin_mean(&standard, a, b + step, &unused) - wy_skin_mean(&standard, a, b - step, &unused)) / (2 * step);
      /* differences over 1e-7: step^2 / 6 of the third derivative, and across the onset of step p'' */
      check_close(slope, by, 1e-5 * standard.stiffness + 1e-6 * fabs(slope));
    }
}

/* Where both depths fall together the mean is a series: it agrees with the quotient where the two meet, as far as that
   has digits, 1e-16 V / way. */
static void mean_load_of_short_ways(void **state) {
  (void)state;
  static const double depths[] = {5e-5, 2e-4, 1e-3, 2e-3};
  const double small = 1e-5 * standard.onset;
  for (int i = 0; i < 4; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double near, far;
      const double d = depths[i], inside = wy_skin_mean(&standard, d, d + 0.999 * sign * small, &near),
                   outside = wy_skin_mean(&standard, d, d + 1.001 * sign * small, &far);
      const wy_skin_load at = wy_skin_at(&standard, d);
      const double digits = 8 * DBL_EPSILON * at.energy / small;
      check_close(inside, outside, 0.002 * small * at.slope + digits);
      check_close(inside, at.load + 0.5 * sign * small * at.slope, 1e-3 * small * at.slope + 1e-15 * at.load);
      check_close(near, 0.5 * at.slope, 1e-4 * at.slope);
      check_close(far, near, 1e-4 * at.slope + 4 * digits / small);
    }
}

static void saturation(void **state) {
  (void)state;
  double slope;
  check_close(wy_saturated(0, &slope), 0, 0);
  check_close(slope, 2, 0);
  check_close(wy_saturated(0.5, &slope), 0.75, 1e-15);
  check_close(slope, 1, 1e-15);
  check_close(wy_saturated(-0.5, &slope), -0.75, 1e-15);
  check_close(slope, 1, 1e-15);
  for (int sign = -1; sign <= 1; sign += 2)
    for (double s = 1; s < 1e3; s *= 3) {
      check_close(wy_saturated(sign * s, &slope), sign, 0);
      check_close(slope, 0, 0);
    }
}

/* Work in over work out of a hit is (1 + q) / (1 - q) = 1 / e^2. */
static void restitution(void **state) {
  (void)state;
  for (double e = 0; e <= 1; e += 0.125) {
    const double q = wy_restitution_share(e);
    check_close((1 - q) - e * e * (1 + q), 0, 1e-15);
  }
}

static void friction_ratio(void **state) {
  (void)state;
  for (int rest = 0; rest < 2; rest++)
    for (double w = 1e-3; w < 3; w *= 1.3) {
      double slope, unused;
      const double step = 1e-6, ratio = wy_friction_ratio(w, rest, &slope);
      const double phi = rest ? fmin(w, 1) : w < 1 ? w * (2 - w) : 1;
      check_close(ratio * w, phi, 1e-15);
      const double by =
          (wy_friction_ratio(w + step, rest, &unused) - wy_friction_ratio(w - step, rest, &unused)) / (2 * step);
      if (fabs(w - 1) > step)
        check_close(slope, by, 1e-9);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(skin_has_the_sampled_values),
                                     cmocka_unit_test(skin_is_smooth),
                                     cmocka_unit_test(load_is_the_derivative),
                                     cmocka_unit_test(linear_skin),
                                     cmocka_unit_test(core_never_ends),
                                     cmocka_unit_test(mean_load_gives_the_energy),
                                     cmocka_unit_test(mean_load_of_short_ways),
                                     cmocka_unit_test(saturation),
                                     cmocka_unit_test(restitution),
                                     cmocka_unit_test(friction_ratio)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
