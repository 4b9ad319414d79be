/* SPDX-License-Identifier: MIT */
/* The coefficients of RODAS stand in the form they are computed in, (I11). Here they are turned back into those of the
   Rosenbrock method (I10), which satisfy what makes it a method of order 4(3) with a continuous output of order 3: the
   published digits leave 1e-15 of each coefficient, and the sums have up to 36 products of at most about 20, so 1e-13
   bounds them all. */
#include <complex.h>
#include <stdbool.h>

#include "check.h"
#include "integrate/rodas_table.h"

enum { S = WY_RODAS_STAGES };

static const double digits = 1e-13;

/* alpha_ij, beta_ij = alpha_ij + gamma_ij, and the rows' sums alpha_i, beta_i. */
typedef struct rosenbrock {
  double gamma[S][S], alpha[S][S], beta[S][S];
  double alpha_sum[S], beta_sum[S];
} rosenbrock;

static double before(const double table[S][S - 1], int i, int j) {
  return j < i ? table[i][j] : 0;
}

/* Weights of the f of the stages from those of what the linear systems give. */
static void weights_of(const rosenbrock *r, const double m[S], double b[S]) {
  for (int j = 0; j < S; j++) {
    b[j] = 0;
    for (int i = 0; i < S; i++)
      b[j] += m[i] * r->gamma[i][j];
  }
}

/* (gamma_ij) = (1/gamma - c)^-1 by forward substitution, (alpha_ij) = a (gamma_ij). */
static rosenbrock turned_back(void) {
  rosenbrock r = {0};
  for (int j = 0; j < S; j++)
    for (int i = j; i < S; i++) {
      double sum = i == j;
      for (int k = j; k < i; k++)
        sum += before(wy_rodas_c, i, k) * r.gamma[k][j];
      r.gamma[i][j] = wy_rodas_gamma * sum;
    }
  for (int i = 0; i < S; i++)
    for (int j = 0; j < S; j++) {
      for (int k = 0; k < i; k++)
        r.alpha[i][j] += before(wy_rodas_a, i, k) * r.gamma[k][j];
      r.beta[i][j] = r.alpha[i][j] + r.gamma[i][j];
      r.alpha_sum[i] += r.alpha[i][j];
      r.beta_sum[i] += r.beta[i][j];
    }
  return r;
}

/* The new state, or with `embedded` that of order 3, as weights of the stages' results. */
static void state_weights(bool embedded, double m[S]) {
  for (int i = 0; i < S; i++)
    m[i] = i < S - 1 ? wy_rodas_a[S - 1][i] : !embedded;
}

static void the_forms_agree(void **state) {
  (void)state;
  rosenbrock r = turned_back();
  for (int i = 0; i < S; i++) {
    check_close(r.gamma[i][i], wy_rodas_gamma, 0);
    check_close(r.alpha_sum[i], wy_rodas_time[i], digits);
    check_close(r.beta_sum[i] - r.alpha_sum[i], wy_rodas_time_slope[i], digits);
  }
}

/* The eight conditions up to order 4 for weights b, in units of a share theta of the step: those of order p have
   theta^p. With 4 of them, order 3. */
static void conditions(const rosenbrock *r, const double b[S], double theta, int count) {
  static const int order[8] = {1, 2, 3, 3, 4, 4, 4, 4};
  static const double want[8] = {1, 1 / 2.0, 1 / 3.0, 1 / 6.0, 1 / 4.0, 1 / 8.0, 1 / 12.0, 1 / 24.0};
  double got[8] = {0};
  for (int i = 0; i < S; i++) {
    double a = r->alpha_sum[i], inner[4] = {0};
    for (int j = 0; j < S; j++) {
      double deep = 0;
      for (int k = 0; k < S; k++)
        deep += r->beta[j][k] * r->beta_sum[k];
      inner[0] += r->beta[i][j] * r->beta_sum[j];
      inner[1] += r->alpha[i][j] * r->beta_sum[j];
      inner[2] += r->beta[i][j] * r->alpha_sum[j] * r->alpha_sum[j];
      inner[3] += r->beta[i][j] * deep;
    }
    const double phi[8] = {1, r->beta_sum[i], a * a, inner[0], a * a * a, a * inner[1], inner[2], inner[3]};
    for (int t = 0; t < 8; t++)
      got[t] += b[i] * phi[t];
  }
  for (int t = 0; t < count; t++)
    check_close(got[t], want[t] * pow(theta, order[t]), digits);
  if (count == 8)
    return;
  double missed = 0;
  for (int t = 4; t < 8; t++)
    missed = fmax(missed, fabs(got[t] - want[t] * pow(theta, order[t])));
  check_above(missed, 1e-4); /* not of order 4 */
}

static void the_orders_are_4_and_3(void **state) {
  (void)state;
  rosenbrock r = turned_back();
  double m[S], b[S];
  state_weights(false, m);
  weights_of(&r, m, b);
  conditions(&r, b, 1, 8);
  state_weights(true, m);
  weights_of(&r, m, b);
  conditions(&r, b, 1, 4);
}

static void the_continuous_output_has_order_3(void **state) {
  (void)state;
  rosenbrock r = turned_back();
  double m[S], b[S];
  for (int n = 1; n < 10; n++) {
    double theta = 0.1 * n, rest = 1 - theta;
    state_weights(false, m);
    for (int i = 0; i < S; i++) {
      double inner = i < S - 1 ? wy_rodas_dense[0][i] + theta * wy_rodas_dense[1][i] : 0;
      m[i] = theta * (m[i] + rest * inner);
    }
    weights_of(&r, m, b);
    conditions(&r, b, theta, 4);
  }
}

/* The last stage's row is the method: b = beta_6, and the embedded one beta_5. */
static void it_is_stiffly_accurate(void **state) {
  (void)state;
  rosenbrock r = turned_back();
  double m[S], b[S];
  for (int embedded = 0; embedded < 2; embedded++) {
    state_weights(embedded, m);
    weights_of(&r, m, b);
    for (int j = 0; j < S; j++)
      check_close(r.beta[S - 1 - embedded][j], b[j], digits);
  }
  for (int j = 0; j < S - 1; j++)
    assert_true(wy_rodas_a[S - 1][j] == (j < S - 2 ? wy_rodas_a[S - 2][j] : 1));
}

/* R(z) of u' = z u, h = 1, as the code computes it: (1/gamma - z) k_i = z (1 + sum a_ij k_j) + sum c_ij k_j. */
static double complex amplification(double complex z, bool embedded) {
  double complex k[S], sum = 1;
  double m[S];
  for (int i = 0; i < S; i++) {
    double complex stage = 1, rest = 0;
    for (int j = 0; j < i; j++)
      stage += before(wy_rodas_a, i, j) * k[j], rest += before(wy_rodas_c, i, j) * k[j];
    k[i] = (z * stage + rest) / (1 / wy_rodas_gamma - z);
  }
  state_weights(embedded, m);
  for (int i = 0; i < S; i++)
    sum += m[i] * k[i];
  return sum;
}

/* R has its only pole at 1/gamma > 0, so that |R| <= 1 on the imaginary axis is |R| <= 1 left of it. */
static void it_is_l_stable(void **state) {
  (void)state;
  for (int embedded = 0; embedded < 2; embedded++) {
    for (int n = -300; n <= 600; n++)
      check_at_most(cabs(amplification(CMPLX(0, pow(10, 0.01 * n)), embedded)), 1 + digits);
    /* R(z) falls as 1 / z. */
    check_close(cabs(amplification(-1e8, embedded)), 0, 1e-6);
    double ratio = cabs(amplification(-1e4, embedded)) / cabs(amplification(-1e5, embedded));
    check_close(ratio, 10, 0.1);
  }
  /* And near 0 it is exp z up to the order: the error of the first term left out is below that of the series, 1 / 5!.
   */
  double z = 1e-2;
  check_close(creal(amplification(z, false)), exp(z), pow(z, 5) / 120);
  check_close(creal(amplification(z, true)), exp(z), pow(z, 4) / 24);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_forms_agree),
      cmocka_unit_test(the_orders_are_4_and_3),
      cmocka_unit_test(the_continuous_output_has_order_3),
      cmocka_unit_test(it_is_stiffly_accurate),
      cmocka_unit_test(it_is_l_stable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
