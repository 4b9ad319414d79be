/* SPDX-License-Identifier: MIT */
/* Material laws: energy, stresses, stiffness and discrete gradient belong together, whatever the size of strains and
   steps; wrong laws of a rod are refused with the place named. */
#include <float.h>
#include <string.h>

#include "check.h"
#include "model/law.h"
#include "support/rods.h"

static const wy_law linear = {0}, bends = {.kind = WY_STIFFENING_LAW, .compression = false, .bending = 0.3},
                    presses = {.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0},
                    both = {.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.3};
static const wy_law *const laws[] = {&linear, &bends, &presses, &both};
enum { LAWS = 4, SAMPLES = 200 };

static const double c[6] = {3, 4, 10, 0.5, 0.8, 0.3};

/* Strains of size 1/2, curvatures of size 1. */
static void random_strains(unsigned *seed, double e[6]) {
  for (int k = 0; k < 6; k++)
    e[k] = (k < 3 ? 0.5 : 1) * noise(seed);
}

/* (L1) and (L2) as they are written, in long double. */
static long double plain_energy(const wy_law *law, const long double e[6]) {
  long double q = c[3] * e[3] * e[3] + c[4] * e[4] * e[4] + c[5] * e[5] * e[5], v = 1 + e[2];
  long double extension = law->compression ? (v * v - 1) / 2 - logl(v) : e[2] * e[2];
  long double quartic = law->kind == WY_LINEAR_LAW ? 0 : law->bending * q * q / (2 * (c[3] + c[4]));
  return (c[0] * e[0] * e[0] + c[1] * e[1] * e[1] + c[2] * extension + q) / 2 + quartic;
}

static void plain_stress(const wy_law *law, const long double e[6], long double s[6]) {
  long double q = c[3] * e[3] * e[3] + c[4] * e[4] * e[4] + c[5] * e[5] * e[5], v = 1 + e[2];
  for (int k = 0; k < 6; k++)
    s[k] = c[k] * e[k];
  if (law->compression)
    s[2] = c[2] * (v - 1 / v) / 2;
  for (int k = 3; k < 6 && law->kind != WY_LINEAR_LAW; k++)
    s[k] *= 1 + 2 * law->bending * q / (c[3] + c[4]);
}

/* Values: a few round-offs of the largest stress, or of the energy, where all terms have one sign. Derivatives: central
   differences in long double, whose error with the step 1e-5 is 1e-10 times third derivatives (the largest is that of
   the logarithm, 2 c / v^3 < 200 at v > 0.5) and 1e-19 / 1e-5 of round-off. */
static void stresses_and_stiffness_are_derivatives(void **state) {
  (void)state;
  const long double step = 1e-5L;
  unsigned seed = 1;
  for (int i = 0; i < LAWS * SAMPLES; i++) {
    const wy_law *law = laws[i % LAWS];
    double e[6], stress[6];
    long double at[6], want[6];
    wy_law_stiffness tangent;
    random_strains(&seed, e);
    wy_law_stress(law, c, e, stress);
    wy_law_tangent(law, c, e, &tangent);
    for (int k = 0; k < 6; k++)
      at[k] = e[k];
    plain_stress(law, at, want);
    check_close(wy_law_energy(law, c, e), (double)plain_energy(law, at), 8 * DBL_EPSILON * wy_law_energy(law, c, e));
    for (int k = 0; k < 6; k++) {
      long double up[6], down[6], above[6], below[6];
      memcpy(up, at, sizeof at);
      memcpy(down, at, sizeof at);
      up[k] += step, down[k] -= step;
      check_close(stress[k], (double)want[k], 8 * DBL_EPSILON * fabs(stress[k]));
      check_close(stress[k], (double)((plain_energy(law, up) - plain_energy(law, down)) / (2 * step)), 1e-8);
      plain_stress(law, up, above);
      plain_stress(law, down, below);
      for (int j = 0; j < 6; j++) {
        double stiffness = k >= 3 && j >= 3 ? tangent.moment[j - 3][k - 3] : k == j ? tangent.force[k] : 0;
        check_close(stiffness, (double)((above[j] - below[j]) / (2 * step)), 1e-8);
      }
    }
  }
}

/* ... and for small strains every law is the linear one: to the order of the next term, without loss of digits. */
static void small_strains_are_linear(void **state) {
  (void)state;
  for (int i = 0; i < LAWS; i++)
    for (int digits = 2; digits <= 150; digits++) {
      const double size = pow(10, -digits);
      const double e[6] = {size, -size, -size, size, size, -size};
      double stress[6], next = size + 4 * DBL_EPSILON, sum = 0;
      wy_law_stress(laws[i], c, e, stress);
      for (int k = 0; k < 6; k++) {
        check_close(stress[k] / (c[k] * e[k]), 1, next);
        sum += 0.5 * c[k] * size * size;
      }
      check_close(wy_law_energy(laws[i], c, e) / sum, 1, next);
    }
}

/* The extension of a force, back from the force of an extension; and against the closed form of its derivative. */
static void extension_inverts_the_force(void **state) {
  (void)state;
  const double extensions[] = {-0.9999, -0.5, -1e-3, -1e-12, 0, 1e-12, 1e-3, 0.5, 30, 1e6};
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    for (int l = 0; l < LAWS; l++) {
      double e[6] = {0, 0, extensions[i]}, stress[6], compliance;
      wy_law_stiffness tangent;
      wy_law_stress(laws[l], c, e, stress);
      wy_law_tangent(laws[l], c, e, &tangent);
      /* e = -0.9999 knows its v3 to 1e-16 / 1e-4 */
      check_close(wy_law_extension(laws[l], c[2], stress[2], &compliance), e[2], 8 * DBL_EPSILON * fabs(e[2]));
      check_close(compliance * tangent.force[2], 1, 1e-11);
    }
}

/* Curvatures of a moment, from small to a stiffness a thousandfold, and the inverse of the stiffness there. */
static void bend_inverts_the_moment(void **state) {
  (void)state;
  unsigned seed = 4;
  for (int i = 0; i < LAWS * SAMPLES; i++) {
    double e[6], stress[6], bend[3], compliance[9], size = pow(10, 2 * noise(&seed)), largest = 0;
    wy_law_stiffness tangent;
    random_strains(&seed, e);
    for (int k = 3; k < 6; k++) {
      e[k] *= size;
      largest = fmax(largest, fabs(e[k]));
    }
    wy_law_stress(laws[i % LAWS], c, e, stress);
    wy_law_tangent(laws[i % LAWS], c, e, &tangent);
    wy_law_bend(laws[i % LAWS], c, stress + 3, bend, compliance);
    for (int j = 0; j < 3; j++) {
      check_close(bend[j], e[3 + j], 8 * DBL_EPSILON * largest);
      for (int k = 0; k < 3; k++) {
        double unity = 0;
        for (int l = 0; l < 3; l++)
          unity += tangent.moment[j][l] * compliance[3 * l + k];
        check_close(unity, j == k, 1e-13); /* the stiffness has a condition number of about 10 */
      }
    }
  }
}

/* ---- The discrete gradient ---- */

/* The work of the true stresses on the straight way from e0 to e1, by Gauss's rule of six points on eight pieces: free
   of cancellation, and exact in long double for steps that keep within (v3 - v3') / v3 < 1/2. */
static long double work_on_the_way(const wy_law *law, const double e0[6], const double e1[6], long double *size) {
  static const long double at[3] = {0.238619186083196908630501721681L, 0.661209386466264513661399595020L,
                                    0.932469514203152027812301554494L};
  static const long double weight[3] = {0.467913934572691047389870343990L, 0.360761573048138607569833513838L,
                                        0.171324492379170345040296142173L};
  enum { PIECES = 8 };
  long double sum = 0;
  *size = 0;
  for (int i = 0; i < PIECES * 6; i++) {
    int piece = i / 6, place = i % 6;
    long double t = (piece + (1 + (place < 3 ? at[place] : -at[place - 3])) / 2) / PIECES, e[6], s[6];
    for (int k = 0; k < 6; k++)
      e[k] = e0[k] + t * ((long double)e1[k] - e0[k]);
    plain_stress(law, e, s);
    for (int k = 0; k < 6; k++) {
      long double part = weight[place % 3] / (2 * PIECES) * s[k] * ((long double)e1[k] - e0[k]);
      sum += part;
      *size += fabsl(part);
    }
  }
  return sum;
}

/* Exact up to round-off of the sum over the stresses, for steps of any size: naively, the noise eps psi / |de| of a
   step of 1e-9 is 1e-7 of the stresses. */
static void mean_stress_does_the_work(void **state) {
  (void)state;
  const double sizes[] = {0.3, 1e-2, 1e-5, 1e-9, 1e-13};
  unsigned seed = 2;
  for (int i = 0; i < LAWS * SAMPLES; i++)
    for (int j = 0; j < 5; j++) {
      const wy_law *law = laws[i % LAWS];
      double e0[6], e1[6], change[6], mean[6], swapped[6], naive[6];
      long double size, work = 0, want;
      random_strains(&seed, e0);
      random_strains(&seed, change);
      for (int k = 0; k < 6; k++)
        e1[k] = e0[k] + sizes[j] * change[k];
      wy_law_mean_stress(law, c, e0, e1, mean);
      want = work_on_the_way(law, e0, e1, &size);
      for (int k = 0; k < 6; k++)
        work += mean[k] * ((long double)e1[k] - e0[k]);
      check_close((double)(work / size), (double)(want / size), 4 * DBL_EPSILON);
      /* The way back has the same stresses, to the last bit. */
      wy_law_mean_stress(law, c, e1, e0, swapped);
      assert_memory_equal(mean, swapped, sizeof mean);
      /* They differ from those of the middle by the square of the step: at most 1/24 of third derivatives (200). */
      double middle[6], square = 0, largest = 0;
      for (int k = 0; k < 6; k++) {
        middle[k] = 0.5 * (e0[k] + e1[k]);
        square += (e1[k] - e0[k]) * (e1[k] - e0[k]);
      }
      wy_law_stress(law, c, middle, naive);
      for (int k = 0; k < 6; k++)
        largest = fmax(largest, fabs(naive[k]));
      for (int k = 0; k < 6; k++)
        check_close(mean[k], naive[k], 10 * square + 4 * DBL_EPSILON * largest);
      if (law == &linear)
        assert_memory_equal(mean, naive, sizeof mean);
    }
}

/* The definition itself in long double, where it loses no more than eps psi / |de|: below 1e-14 for steps of size 0.1.
 */
static void mean_stress_is_the_discrete_gradient(void **state) {
  (void)state;
  unsigned seed = 3;
  for (int i = 0; i < LAWS * SAMPLES; i++) {
    const wy_law *law = laws[i % LAWS];
    double e0[6], e1[6], change[6], mean[6];
    long double first[6], last[6], middle[6], de[6], s[6], bracket, length2 = 0;
    random_strains(&seed, e0);
    random_strains(&seed, change);
    for (int k = 0; k < 6; k++) {
      e1[k] = e0[k] + 0.3 * change[k];
      first[k] = e0[k], last[k] = e1[k];
      de[k] = last[k] - first[k], middle[k] = (first[k] + last[k]) / 2;
      length2 += c[k] * de[k] * de[k];
    }
    plain_stress(law, middle, s);
    bracket = plain_energy(law, last) - plain_energy(law, first);
    for (int k = 0; k < 6; k++)
      bracket -= s[k] * de[k];
    wy_law_mean_stress(law, c, e0, e1, mean);
    double largest = 0;
    for (int k = 0; k < 6; k++)
      largest = fmax(largest, fabs(mean[k]));
    for (int k = 0; k < 6; k++)
      check_close(mean[k], (double)(s[k] + bracket / length2 * c[k] * de[k]), 8 * DBL_EPSILON * largest);
  }
}

/* A step that does not move, or so little that its square is no number of this precision: the stresses there. */
static void mean_stress_of_no_step(void **state) {
  (void)state;
  const double sizes[] = {0, 1e-170, 1e-320};
  for (int i = 0; i < LAWS; i++)
    for (int j = 0; j < 3; j++) {
      const double e0[6] = {0.1, 0, -0.2, 0.4, 0, 0.3}, e1[6] = {0.1, sizes[j], -0.2, 0.4, sizes[j], 0.3};
      double want[6], got[6];
      wy_law_stress(laws[i], c, e0, want);
      wy_law_mean_stress(laws[i], c, e0, e1, got);
      for (int k = 0; k < 6; k++)
        check_close(got[k], want[k], k == 1 || k == 4 ? 1e-160 : 0);
    }
}

/* Nothing finite comes of a section that is pressed to nothing or turned inside out: a step there is refused. */
static void there_is_no_way_through_zero(void **state) {
  (void)state;
  const double ends[][2] = {{-0.9, -1}, {-0.5, -1.2}, {-1.5, -1.2}, {0.5, -2}, {0.5, -30}, {-1, -1}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const double e0[6] = {0, 0, ends[i][0]}, e1[6] = {0, 0, ends[i][1]};
    double stress[6];
    wy_law_stiffness tangent;
    wy_law_stress(&both, c, e1, stress);
    assert_false(isfinite(stress[2]));
    wy_law_mean_stress(&both, c, e0, e1, stress);
    assert_false(isfinite(stress[2]));
    wy_law_mean_stress(&both, c, e1, e0, stress);
    assert_false(isfinite(stress[2]));
    wy_law_tangent(&both, c, e1, &tangent);
    assert_false(isfinite(tangent.force[2]));
    assert_false(isfinite(wy_law_energy(&both, c, e1)));
  }
}

/* Sections without stiffness carry nothing; strains that are held at zero have none, but the others still do. */
static void no_stiffness_is_no_stress(void **state) {
  (void)state;
  const double none[6] = {0}, some[6] = {0, 0, 0, 0.5, 0.8, 0.3}, e0[6] = {0, 0, 0, 0.3, 0.2, 0.1};
  const double e1[6] = {0, 0, 0, 0.4, 0.3, -0.2};
  double stress[6];
  for (int i = 0; i < LAWS; i++) {
    wy_law_stiffness tangent;
    wy_law_mean_stress(laws[i], none, e0, e1, stress);
    wy_law_tangent(laws[i], none, e0, &tangent);
    for (int k = 0; k < 6; k++)
      check_close(stress[k], 0, 0);
    for (int k = 0; k < 9; k++)
      check_close(tangent.moment[k / 3][k % 3], 0, 0);
    wy_law_mean_stress(laws[i], some, e0, e1, stress);
    check_close(stress[2], 0, 0);
    assert_true(isfinite(stress[3]) && stress[3] > 0);
  }
}

/* ---- The definition ---- */

static wy_status try_law(wy_law law, wy_message *message) {
  wy_rod_def rod = rubber_rod(4);
  rod.law = law;
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  wy_model *model;
  wy_status status = wy_model_create(&def, &model, message);
  wy_model_destroy(model);
  return status;
}

static void wrong_laws_are_named(void **state) {
  (void)state;
  const struct {
    wy_law law;
    const char *path, *text;
  } cases[] = {{{.kind = (wy_law_kind)7, .compression = false, .bending = 0}, "rods[0].law.kind", "found number 7"},
               {{.kind = WY_STIFFENING_LAW, .compression = false, .bending = -1}, "rods[0].law.bending", "found -1"},
               {{.kind = WY_STIFFENING_LAW, .compression = false, .bending = NAN}, "rods[0].law.bending", "nan"},
               {{.kind = WY_STIFFENING_LAW, .compression = true, .bending = INFINITY}, "rods[0].law.bending", "inf"},
               {{.kind = WY_LINEAR_LAW, .compression = false, .bending = 1}, "rods[0].law.bending", "linear"},
               {{.kind = WY_LINEAR_LAW, .compression = true, .bending = 0}, "rods[0].law.compression", "linear"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wy_message message = {0};
    assert_int_equal(try_law(cases[i].law, &message), WY_ERROR_INPUT);
    if (strcmp(message.path, cases[i].path) != 0 || !strstr(message.text, cases[i].text))
      fail_msg("case %zu: got %s: %s; want %s: ...%s...", i, message.path, message.text, cases[i].path, cases[i].text);
  }
  for (int i = 0; i < LAWS; i++) {
    wy_message message = {0};
    assert_int_equal(try_law(*laws[i], &message), WY_OK);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stresses_and_stiffness_are_derivatives),
                                     cmocka_unit_test(small_strains_are_linear),
                                     cmocka_unit_test(extension_inverts_the_force),
                                     cmocka_unit_test(bend_inverts_the_moment),
                                     cmocka_unit_test(mean_stress_does_the_work),
                                     cmocka_unit_test(mean_stress_is_the_discrete_gradient),
                                     cmocka_unit_test(mean_stress_of_no_step),
                                     cmocka_unit_test(there_is_no_way_through_zero),
                                     cmocka_unit_test(no_stiffness_is_no_stress),
                                     cmocka_unit_test(wrong_laws_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
