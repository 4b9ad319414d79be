/* SPDX-License-Identifier: MIT */
/* The coefficients of the integrators satisfy what makes them methods of their order. Sums of rationals: 1e-14. */
#include "check.h"
#include "integrate/dopri5_table.h"
#include "integrate/radau5_table.h"

static double dopri5_a(int i, int j) {
  return j < i ? wy_dopri5_a[i][j] : 0;
}

static void dopri5_satisfies_the_order_conditions_of_order_5(void **state) {
  (void)state;
  enum { S = WY_DOPRI5_STAGES };
  const double *c = wy_dopri5_c, *b = wy_dopri5_a[S - 1];
  double weights[S];
  for (int i = 0; i < S; i++)
    weights[i] = i < S - 1 ? b[i] : 0;
  for (int i = 0; i < S; i++) {
    double sum = 0;
    for (int j = 0; j < i; j++)
      sum += dopri5_a(i, j);
    check_close(sum, c[i], 1e-14);
  }
  /* All 17 trees up to order 5, the first 8 up to order 4: sum_i b_i phi_i = 1 / gamma. */
  double trees[17] = {0}, fourth[8] = {0};
  static const double gamma[17] = {1, 2, 3, 6, 4, 8, 12, 24, 5, 10, 20, 15, 30, 20, 40, 60, 120};
  for (int i = 0; i < S; i++) {
    double ac = 0, ac2 = 0, ac3 = 0, aac = 0, aac2 = 0, aaac = 0, acac = 0;
    for (int j = 0; j < i; j++) {
      double inner = 0, inner2 = 0, inner_aac = 0;
      for (int k = 0; k < j; k++) {
        double deepest = 0;
        for (int l = 0; l < k; l++)
          deepest += dopri5_a(k, l) * c[l];
        inner += dopri5_a(j, k) * c[k];
        inner2 += dopri5_a(j, k) * c[k] * c[k];
        inner_aac += dopri5_a(j, k) * deepest;
      }
      double a = dopri5_a(i, j);
      ac += a * c[j], ac2 += a * c[j] * c[j], ac3 += a * c[j] * c[j] * c[j];
      aac += a * inner, aac2 += a * inner2, aaac += a * inner_aac, acac += a * c[j] * inner;
    }
    double c2 = c[i] * c[i], c3 = c2 * c[i], c4 = c3 * c[i];
    double phi[17] = {1,       c[i],    c2,         ac,         c3,  c[i] * ac, ac2,  aac, c4,
                      c2 * ac, ac * ac, c[i] * ac2, c[i] * aac, ac3, acac,      aac2, aaac};
    for (int t = 0; t < 17; t++)
      trees[t] += weights[i] * phi[t];
    for (int t = 0; t < 8; t++)
      fourth[t] += (weights[i] - wy_dopri5_error[i]) * phi[t];
  }
  for (int t = 0; t < 17; t++)
    check_close(trees[t], 1 / gamma[t], 1e-14);
  for (int t = 0; t < 8; t++)
    check_close(fourth[t], 1 / gamma[t], 1e-14); /* the embedded method */
}

static void radau5_is_a_collocation_method(void **state) {
  (void)state;
  /* sum_j a_ij c_j^(k-1) = c_i^k / k for k = 1..3, and the weights integrate up to degree 4 exactly. */
  for (int i = 0; i < 3; i++)
    for (int k = 1; k <= 3; k++) {
      double sum = 0;
      for (int j = 0; j < 3; j++)
        sum += wy_radau5_a[i][j] * pow(wy_radau5_c[j], k - 1);
      check_close(sum, pow(wy_radau5_c[i], k) / k, 1e-15);
    }
  for (int k = 1; k <= 5; k++) {
    double sum = 0;
    for (int j = 0; j < 3; j++)
      sum += wy_radau5_a[2][j] * pow(wy_radau5_c[j], k - 1);
    check_close(sum, 1.0 / k, 1e-15);
  }
}

static void radau5_transformation_diagonalises(void **state) {
  (void)state;
  const double lambda[3][3] = {
      {wy_radau5_gamma, 0, 0}, {0, wy_radau5_alpha, -wy_radau5_beta}, {0, wy_radau5_beta, wy_radau5_alpha}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double identity = 0, product = 0;
      for (int k = 0; k < 3; k++) {
        identity += wy_radau5_t[i][k] * wy_radau5_t_inverse[k][j];
        /* a T Lambda = T */
        double right = 0;
        for (int l = 0; l < 3; l++)
          right += wy_radau5_t[k][l] * lambda[l][j];
        product += wy_radau5_a[i][k] * right;
      }
      check_close(identity, i == j, 2e-15);
      check_close(product, wy_radau5_t[i][j], 2e-15);
    }
}

/* The error estimate vanishes for polynomials up to degree 3: gamma-scaled f(0) + sum e_i z_i / h with z_i = c_i^k. */
static void radau5_error_estimate_has_order_3(void **state) {
  (void)state;
  for (int k = 1; k <= 3; k++) {
    double sum = k == 1 ? 1 : 0;
    for (int i = 0; i < 3; i++)
      sum += wy_radau5_error[i] * pow(wy_radau5_c[i], k);
    check_close(sum, 0, 1e-14);
  }
}

/* y' = z y over one step, with all its stages; then the continuous output at theta. */
static double dopri5_decay(double z, double theta, double *end) {
  enum { S = WY_DOPRI5_STAGES };
  double k[S], y = 0, last = 0;
  for (int i = 0; i < S; i++) {
    y = 1;
    for (int j = 0; j < i; j++)
      y += wy_dopri5_a[i][j] * k[j];
    k[i] = z * y;
    last += wy_dopri5_dense[i] * k[i];
  }
  *end = y;
  const double rest = 1 - theta, difference = y - 1, bend = k[0] - difference;
  return 1 + theta * (difference + rest * (bend + theta * (difference - k[S - 1] - bend + rest * last)));
}

/* Round-off of coefficients and stages of up to 25. */
static void dopri5_has_quiet_places_at_its_limit_of_stability(void **state) {
  (void)state;
  const double limit = -3.3065678926349475;
  double end, sum = 0, mean = 0;
  for (int i = 0; i < WY_DOPRI5_QUIET; i++) {
    check_close(dopri5_decay(limit, wy_dopri5_quiet[i], &end), 0, 1e-13);
    check_close(end, 1, 1e-13);
    check_above(wy_dopri5_quiet_weight[i], 0);
    sum += wy_dopri5_quiet_weight[i];
    mean += wy_dopri5_quiet_weight[i] * wy_dopri5_quiet[i];
  }
  check_close(sum, 1, 1e-15);
  check_close(mean, 0.5, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(dopri5_satisfies_the_order_conditions_of_order_5),
                                     cmocka_unit_test(dopri5_has_quiet_places_at_its_limit_of_stability),
                                     cmocka_unit_test(radau5_is_a_collocation_method),
                                     cmocka_unit_test(radau5_transformation_diagonalises),
                                     cmocka_unit_test(radau5_error_estimate_has_order_3)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
