/* SPDX-License-Identifier: MIT */
/* The coefficients of DOP853 satisfy the order conditions, one for each rooted tree: sum_i b_i phi_i(tree) =
   1 / gamma(tree) up to order 8 for a step, 5 and 3 for what its errors are measured by; and at any theta
   sum_i b_i(theta) phi_i(tree) = theta^order / gamma(tree) up to order 7 for the continuous output. The next order has
   trees whose conditions fail, far beyond round-off.

   The tolerance is a running bound of round-off: each coefficient is rounded once, each product and sum once more. */
#include <float.h>
#include <string.h>

#include "check.h"
#include "integrate/dop853_table.h"

enum { STAGES = WY_DOP853_ALL_STAGES, NEW = WY_DOP853_STAGES, MOST_ORDER = 9, MOST_TREES = 486 };

/* Numbers at the stages, and bounds of their round-off. */
typedef struct staged {
  double value[STAGES], slack[STAGES];
} staged;

typedef struct tree {
  int order;
  double gamma;
  staged phi;   /* of the tree */
  staged below; /* A phi: of a branch that ends in this tree */
} tree;

static tree trees[MOST_TREES];
static int tree_count, first_of_order[MOST_ORDER + 2];
static double a[STAGES][STAGES];

/* Stages of the lists of weights: 0, then 5 onwards. */
static int stage_of(int weight) {
  return weight == 0 ? 0 : weight + 4;
}

static void fill_matrix(void) {
  memset(a, 0, sizeof a);
  for (int i = 0; i < STAGES; i++)
    for (int j = 0; j < wy_dop853_a[i].terms; j++)
      a[i][wy_dop853_a[i].stage[j]] = wy_dop853_a[i].a[j];
  for (int j = 0; j < WY_DOP853_WEIGHTS; j++)
    a[NEW][stage_of(j)] = wy_dop853_b[j];
}

static double weighted(const double weights[STAGES], const staged *x, double *slack) {
  double sum = 0;
  *slack = 0;
  for (int j = 0; j < STAGES; j++) {
    sum += weights[j] * x->value[j];
    *slack += fabs(weights[j]) * (x->slack[j] + STAGES * DBL_EPSILON / 2 * fabs(x->value[j]));
  }
  return sum;
}

static staged times(const staged *x, const staged *y) {
  staged out;
  for (int i = 0; i < STAGES; i++) {
    out.value[i] = x->value[i] * y->value[i];
    out.slack[i] =
        x->slack[i] * fabs(y->value[i]) + fabs(x->value[i]) * y->slack[i] + DBL_EPSILON / 2 * fabs(out.value[i]);
  }
  return out;
}

/* Adds all trees of an order whose root carries what `phi` and `gamma` are made of and more branches, of `rest` nodes
   together, none of which stands after `last` in the list. */
static void grow(int order, int rest, int last, const staged *phi, double gamma) {
  if (rest == 0) {
    check_below(tree_count, MOST_TREES);
    tree *made = &trees[tree_count++];
    *made = (tree){.order = order, .gamma = gamma * order, .phi = *phi};
    for (int i = 0; i < STAGES; i++)
      made->below.value[i] = weighted(a[i], phi, &made->below.slack[i]);
    return;
  }
  for (int branch = 0; branch <= last; branch++)
    if (trees[branch].order <= rest) {
      staged more = times(phi, &trees[branch].below);
      grow(order, rest - trees[branch].order, branch, &more, gamma * trees[branch].gamma);
    }
}

static int plant(void **state) {
  static const int count[MOST_ORDER + 1] = {0, 1, 1, 2, 4, 9, 20, 48, 115, 286};
  (void)state;
  fill_matrix();
  staged leaf = {{0}, {0}};
  for (int i = 0; i < STAGES; i++)
    leaf.value[i] = 1;
  for (int order = 1; order <= MOST_ORDER; order++) {
    first_of_order[order] = tree_count;
    grow(order, order - 1, tree_count - 1, &leaf, 1);
    assert_int_equal(tree_count - first_of_order[order], count[order]);
  }
  first_of_order[MOST_ORDER + 1] = tree_count;
  return 0;
}

/* All conditions up to `order` hold, and the one of `order` + 1 that is missed most is missed by more than `miss`. */
static void check_order(const char *name, const double weights[STAGES], double theta, int order, double miss) {
  double worst = 0, slack;
  for (int i = 0; i < first_of_order[order + 2]; i++) {
    double want = pow(theta, trees[i].order) / trees[i].gamma, got = weighted(weights, &trees[i].phi, &slack);
    if (trees[i].order > order)
      worst = fmax(worst, fabs(got - want));
    else if (!(fabs(got - want) <= slack) || slack > 1e-12)
      fail_msg("%s: tree %d of order %d: got %.17g, want %.17g, tolerance %.3g", name, i, trees[i].order, got, want,
               slack);
  }
  if (!(worst > miss))
    fail_msg("%s: order %d is reached, too: within %.3g", name, order + 1, worst);
}

static void rows_add_up(void **state) {
  (void)state;
  /* Twelve terms of size 40. */
  for (int i = 0; i < STAGES; i++) {
    double sum = 0;
    for (int j = 0; j < STAGES; j++)
      sum += a[i][j];
    check_close(sum, wy_dop853_c[i], 12 * 40 * DBL_EPSILON);
    for (int j = i; j < STAGES; j++)
      assert_true(a[i][j] == 0);
  }
}

static void step_has_order_8(void **state) {
  (void)state;
  check_order("step", a[NEW], 1, 8, 1e-8);
}

static void errors_have_order_5_and_3(void **state) {
  double fifth[STAGES], third[STAGES] = {0};
  (void)state;
  memcpy(fifth, a[NEW], sizeof fifth);
  for (int j = 0; j < WY_DOP853_WEIGHTS; j++) {
    fifth[stage_of(j)] -= wy_dop853_error5[j];
    third[stage_of(j)] = wy_dop853_b3[j];
  }
  check_order("fifth", fifth, 1, 5, 1e-6);
  check_order("third", third, 1, 3, 1e-4);
}

static void continuous_output_has_order_7(void **state) {
  static const double at[] = {0.05, 0.1, 0.25, 0.5, 2.0 / 3, 0.9, 1};
  (void)state;
  for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
    double theta = at[k], rest = 1 - theta, weights[STAGES] = {0};
    double further[4] = {1, theta, theta * rest, theta * rest * theta};
    for (int j = 0; j < STAGES; j++) {
      double difference = a[NEW][j], bend = (j == 0) - difference;
      weights[j] = theta * (difference + rest * (bend + theta * (difference - (j == NEW) - bend)));
    }
    for (int c = 0; c < 4; c++)
      for (int j = 0; j < WY_DOP853_DENSE_TERMS; j++)
        weights[stage_of(j)] += theta * rest * theta * rest * further[c] * wy_dop853_dense[c][j];
    if (theta < 1)
      check_order("continuous output", weights, theta, 7, 1e-12);
    else
      check_order("end of the continuous output", weights, theta, 8, 1e-8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_add_up), cmocka_unit_test(step_has_order_8),
                                     cmocka_unit_test(errors_have_order_5_and_3),
                                     cmocka_unit_test(continuous_output_has_order_7)};
  return cmocka_run_group_tests(tests, plant, NULL);
}
