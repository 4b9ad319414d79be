/* SPDX-License-Identifier: MIT */
/* The formulas behind the estimates before a run, against textbook values and the published spectra of two rods. */
#include <math.h>

#include "check.h"
#include "judge/beam.h"
#include "scheme/rates.h"

static const double pi = 3.14159265358979323846;

static wy_section_values circle(double radius, double density, double young, double shear) {
  wy_section_values v = {0};
  double area = pi * radius * radius, second = pi * pow(radius, 4) / 4;
  v.stiffness[0] = v.stiffness[1] = shear * area;
  v.stiffness[2] = young * area;
  v.stiffness[3] = v.stiffness[4] = young * second;
  v.stiffness[5] = shear * 2 * second;
  v.mass = density * area;
  v.rotary[0] = v.rotary[1] = density * second;
  v.rotary[2] = density * 2 * second;
  return v;
}

static void damp(wy_section_values *v) {
  const double damping[6] = {0.2, 0.2, 4.0, 4.0e-4, 4.0e-4, 1.6e-5};
  for (int i = 0; i < 6; i++)
    v->damping[i] = damping[i];
}

static void bending_roots_are_those_of_the_tables(void **state) {
  (void)state;
  const wy_beam_end f = WY_BEAM_FREE, p = WY_BEAM_PINNED, g = WY_BEAM_GUIDED, c = WY_BEAM_CLAMPED;
  check_close(wy_bending_root(c, f, 1), 1.87510406871, 1e-10);
  check_close(wy_bending_root(f, c, 2), 4.69409113297, 1e-10);
  check_close(wy_bending_root(c, f, 3), 7.85475743824, 1e-10);
  check_close(wy_bending_root(c, c, 1), 4.73004074486, 1e-10);
  check_close(wy_bending_root(f, f, 2), 7.85320462410, 1e-10);
  check_close(wy_bending_root(c, p, 1), 3.92660231205, 1e-10);
  check_close(wy_bending_root(p, f, 2), 7.06858274563, 1e-10);
  check_close(wy_bending_root(p, p, 1), 3.14159265359, 1e-10);
  check_close(wy_bending_root(p, p, 2), 6.28318530718, 1e-10);
  check_close(wy_bending_root(c, g, 1), 2.36502037243, 1e-10);
  check_close(wy_bending_root(g, f, 1), 2.36502037243, 1e-10);
  check_close(wy_bending_root(p, g, 1), 1.57079632679, 1e-10);
  check_close(wy_bending_root(g, g, 1), 3.14159265359, 1e-10);
}

static void a_soft_cantilever_has_its_known_frequencies(void **state) {
  (void)state;
  wy_section_values v = circle(0.02, 2000, 1e5, 1e5 / 3);
  const double want[] = {0.2486198239, 1.5580738405};
  for (int n = 1; n <= 2; n++) {
    double root = wy_bending_root(WY_BEAM_CLAMPED, WY_BEAM_FREE, n);
    check_close(wy_bending_frequency(root, 1, v.stiffness[3], v.mass), want[n - 1], 1e-9);
  }
  check_close(wy_wave_frequency(true, false, 1, v.stiffness[5], v.rotary[2]), 6.4127491508, 1e-9);
}

static void a_bar_has_its_known_period(void **state) {
  (void)state;
  wy_section_values v = circle(0.025, 1000, 1e4, 1e4 / 3);
  check_close(2 * pi / wy_wave_frequency(true, false, 1, v.stiffness[2], v.mass), 1.26491106, 1e-8);
  check_close(wy_wave_frequency(true, true, 1, v.stiffness[2], v.mass),
              2 * wy_wave_frequency(true, false, 1, v.stiffness[2], v.mass), 1e-12);
}

/* Rubber and steel of Lang, Linn and Arnold (2011): largest eigenvalues of the semidiscrete rods with 10 segments,
   computed from the Jacobian. A wave number of 2/h is not quite reached between two ends: one per cent. */
static wy_rates rates_of(const wy_section_values *section, double h, bool cylinder) {
  wy_section_values own = *section;
  wy_rates rates = {0};
  for (int k = 0; k < 2 && cylinder; k++)
    own.rotary[k] += own.mass * h * h / 12;
  wy_rates_of_segment(&own, WY_COSSERAT, h, 2, &rates);
  return rates;
}

static void the_fastest_motion_is_that_of_the_discrete_rod(void **state) {
  (void)state;
  wy_section_values rubber = circle(5e-3, 1100, 5e6, 5e6 / 3), steel = circle(1e-3, 7850, 2.1e11, 2.1e11 / 2.4);
  check_close(rates_of(&rubber, 0.1, false).fast, 15646, 0.01 * 15646);
  check_close(rates_of(&steel, 0.1, false).fast, 6.68e6, 0.01 * 6.68e6);
  assert_string_equal(rates_of(&rubber, 0.1, false).kind, "shear with bending");
  damp(&rubber);
  damp(&steel);
  check_close(rates_of(&rubber, 0.1, false).decay, 6.6e5, 0.02 * 6.6e5);
  check_close(rates_of(&steel, 0.1, false).decay, 5.75e7, 0.01 * 5.75e7);
  check_close(rates_of(&rubber, 0.1, true).decay, 18307, 0.01 * 18307);
  check_close(rates_of(&steel, 0.1, true).decay, 507094, 0.01 * 507094);
}

static void sag_is_that_of_the_beam_tables(void **state) {
  (void)state;
  const wy_beam_end f = WY_BEAM_FREE, p = WY_BEAM_PINNED, c = WY_BEAM_CLAMPED;
  check_close(wy_sag(c, f, 2, 10, 3), 3 * 16.0 / 80, 1e-14);
  check_close(wy_sag(p, p, 2, 10, 3), 5 * 3 * 16.0 / 3840, 1e-14);
  check_close(wy_sag(c, c, 2, 10, 3), 3 * 16.0 / 3840, 1e-14);
  check_close(wy_sag(p, f, 2, 10, 3), -1, 0);
  /* Clamped and pinned: the largest value of x^2 (3 - 5 x + 2 x^2) / 48. */
  double largest = 0;
  for (int i = 0; i <= 1000; i++) {
    double x = i / 1000.0;
    largest = fmax(largest, x * x * (3 - 5 * x + 2 * x * x) / 48);
  }
  check_close(wy_sag(p, c, 1, 1, 1), largest, 1e-7);
}

static void a_rod_that_stretches_sags_less(void **state) {
  (void)state;
  /* Without bending stiffness it is a cable: d^3 = 3 w L^4 / (64 EA). */
  check_close(wy_sag_stretching(1e9, 2, 1000, 5), cbrt(3 * 5 * 16.0 / 64e3), 1e-9);
  /* A small load does not stretch it. */
  check_close(wy_sag_stretching(1e-6, 2, 1000, 5e-6), 1e-6, 1e-9);
  /* In between the equation holds. */
  double linear = 0.1, w = 5, d = wy_sag_stretching(linear, 2, 1000, w);
  check_close(w / linear * d + 64 * 1000 * d * d * d / (3 * 16), w, 1e-9);
}

static void moments_are_bounded_by_the_weight(void **state) {
  (void)state;
  check_close(wy_sag_moment(WY_BEAM_CLAMPED, WY_BEAM_FREE, 1, 1e3, 2), 1, 1e-14);
  check_close(wy_sag_moment(WY_BEAM_CLAMPED, WY_BEAM_FREE, 1, 1e-3, 2), sqrt(4e-3), 1e-14);
  check_close(wy_axial_sag(true, false, 2, 100, 3), 3 * 4 / 200.0, 1e-14);
  check_close(wy_swing_period(1.5, 9.81), 2 * pi / sqrt(9.81), 1e-12);
}

/* A catenary of a = 200 m between level ends 100 m apart, and between ends that differ in height: L^2 = v^2 + (2 a
   sinh(x/2a))^2. As a string of the tension w a it has the frequency sqrt(g a) / (2 x). */
static void slack_lines_hang_as_catenaries(void **state) {
  (void)state;
  double arc = 400 * sinh(0.25);
  wy_catenary line = wy_catenary_of(arc, 100, 0), steep = wy_catenary_of(hypot(arc, 30), 100, 30);
  check_close(line.a, 200, 1e-9);
  check_close(line.sag, 200 * (cosh(0.25) - 1), 1e-9);
  check_close(line.slope, atan(sinh(0.25)), 1e-12);
  check_close(steep.a, 200, 1e-9);
  check_close(wy_catenary_frequency(&line, 100, 9.81), 2 * pi * sqrt(9.81 * 200) / 200, 1e-9);
  wy_catenary loop = wy_catenary_of(2, 0, 0); /* both ends at one place */
  check_close(loop.sag, 1, 1e-12);
  check_close(wy_catenary_frequency(&loop, 0, 9.81), sqrt(9.81 / 0.8), 1e-12);
}

/* A stiff cantilever overshoots its rest by as much again; a soft one turns by pi against 5/2 of its weight: EI k^2 / 2
   = 2 F. */
static void swings_bend_more_than_sags(void **state) {
  (void)state;
  check_close(wy_swing_curvature(1, 1e3, 2), 2e-3, 1e-15);
  check_close(wy_swing_curvature(0.5, 7.85e-3, 3.08), sqrt(4 * 2.5 * 3.08 * 0.5 / 7.85e-3), 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slack_lines_hang_as_catenaries),
      cmocka_unit_test(swings_bend_more_than_sags),
      cmocka_unit_test(bending_roots_are_those_of_the_tables),
      cmocka_unit_test(a_soft_cantilever_has_its_known_frequencies),
      cmocka_unit_test(a_bar_has_its_known_period),
      cmocka_unit_test(the_fastest_motion_is_that_of_the_discrete_rod),
      cmocka_unit_test(sag_is_that_of_the_beam_tables),
      cmocka_unit_test(a_rod_that_stretches_sags_less),
      cmocka_unit_test(moments_are_bounded_by_the_weight),
  };
  return cmocka_run_group_tests_name("beam", tests, NULL, NULL);
}
