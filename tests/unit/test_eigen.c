/* SPDX-License-Identifier: MIT */
/* The lowest eigenpairs of K phi = lambda M phi against closed forms and LAPACK: multiple eigenvalues come out
   completely, rigid motions are zero, constraints have no modes of their own, whatever the units. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "equilibrium/eigen.h"
#include "support/shapes.h"

enum { MOST = SHAPE_MOST };

#if WY_HAVE_LAPACK
void dsyev_(const char *job, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
            const int *lwork, int *info);
void dsygv_(const int *type, const char *job, const char *uplo, const int *n, double *a, const int *lda, double *b,
            const int *ldb, double *w, double *work, const int *lwork, int *info);
#endif

static double stiffness[MOST * MOST], mass[MOST * MOST], damping[MOST * MOST];
static int order;

static void linear_residual(const shape_at *at, const double *q, double *r) {
  (void)at;
  for (int i = 0; i < order; i++) {
    r[i] = 0;
    for (int j = 0; j < order; j++)
      r[i] -= stiffness[i * order + j] * q[j];
  }
}

static void linear_tangent(const shape_at *at, const double *q, double *k) {
  (void)at, (void)q;
  memcpy(k, stiffness, (size_t)(order * order) * sizeof *k);
}

typedef struct modes {
  int count;
  double value[MOST], vector[MOST * MOST], dissipation[MOST], noise;
} modes;

/* The lowest modes of the structure whose matrices are above; the last `forces` coordinates are multipliers. */
static const modes *find_modes(int count, int forces) {
  static modes out;
  shape_problem problem = {.n = order, .forces = forces, .residual = linear_residual, .tangent = linear_tangent};
  problem.mass = mass, problem.damping = damping;
  const wy_statics_options options = shape_options();
  const wy_stretch stretch = {.end = 1, .span = 1};
  const double at[MOST] = {0};
  wy_spectrum spectrum;
  wy_message message;
  shape_toy toy;
  shape_create(&toy, &problem, &options);
  wy_stretch_tangent(toy.equilibrium, &stretch, 0, at);
  assert_true(wy_spectrum_find(toy.equilibrium, &spectrum));
  out.count = count;
  out.noise = spectrum.noise;
  if (wy_eigen_lowest(toy.equilibrium, &spectrum, &out.count, out.value, out.vector, &message))
    fail_msg("%s", message.text);
  wy_system *system = toy.equilibrium->system;
  for (int i = 0; i < out.count; i++)
    out.dissipation[i] = system->type->statics->dissipation(system, out.vector + i * order);
  shape_destroy(&toy);
  return &out;
}

static double product(const double *a, const double *matrix, const double *b) {
  double sum = 0;
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++)
      sum += a[i] * matrix[i * order + j] * b[j];
  return sum;
}

/* K phi = lambda M phi, and vectors orthonormal in M; `size` is that of K. */
static void check_pairs(const modes *found, double size) {
  for (int m = 0; m < found->count; m++) {
    const double *v = found->vector + m * order;
    for (int i = 0; i < order; i++) {
      double gap = 0;
      for (int j = 0; j < order; j++)
        gap += (stiffness[i * order + j] - found->value[m] * mass[i * order + j]) * v[j];
      check_close(gap, 0, 1e-9 * size);
    }
    for (int k = 0; k <= m; k++)
      check_close(product(v, mass, found->vector + k * order), m == k, 1e-10);
  }
}

/* Chains of `count` unit masses between springs, `copies` of them side by side: each frequency `copies` times. Open
   chains have no walls. */
static void set_chain(int count, int copies, bool open, double spring) {
  order = count * copies;
  memset(stiffness, 0, sizeof stiffness);
  memset(mass, 0, sizeof mass);
  memset(damping, 0, sizeof damping);
  for (int c = 0; c < copies; c++)
    for (int i = 0; i < count; i++) {
      int a = copies * i + c;
      mass[a * order + a] = 1;
      stiffness[a * order + a] = spring * (open && (i == 0 || i == count - 1) ? 1 : 2);
      if (i > 0)
        stiffness[a * order + a - copies] = stiffness[(a - copies) * order + a] = -spring;
    }
}

static double chain_value(int mode, int count, bool open, double spring) {
  double half = acos(-1) * (open ? (double)mode / count : (double)(mode + 1) / (count + 1)) / 2;
  return 4 * spring * sin(half) * sin(half);
}

static void chains_vibrate_as_known(void **state) {
  (void)state;
  static const double springs[] = {1e-12, 1, 3e9};
  for (int s = 0; s < 3; s++)
    for (int copies = 1; copies <= 4; copies++)
      for (int open = 0; open < 2; open++)
        for (int count = 1; count <= 24; count += count < 6 ? 1 : 9) {
          const int length = 24 / copies;
          set_chain(length, copies, open, springs[s]);
          const modes *found = find_modes(count, 0);
          assert_int_equal(found->count, count < order ? count : order);
          for (int i = 0; i < found->count; i++)
            check_close(found->value[i], chain_value(i / copies, length, open, springs[s]), 1e-12 * springs[s]);
          check_pairs(found, springs[s]);
        }
}

/* A free chain moves as a whole: one zero, below what counts as noise. */
static void rigid_motions_are_zero(void **state) {
  (void)state;
  for (int copies = 1; copies <= 6; copies++) {
    set_chain(8, copies, true, 100);
    const modes *found = find_modes(copies + 1, 0);
    for (int i = 0; i < copies; i++)
      check_close(found->value[i], 0, found->noise);
    check_above(found->value[copies], 1e3 * found->noise);
  }
}

/* More modes than there are. */
static void no_more_modes_than_freedoms(void **state) {
  (void)state;
  set_chain(3, 1, false, 1);
  assert_int_equal(find_modes(40, 0)->count, 3);
}

/* Walls as constraints: an open chain whose outermost masses are held by multipliers is the chain between walls. */
static void constraints_have_no_modes(void **state) {
  (void)state;
  const int masses = 14, held = 2;
  set_chain(masses, 1, true, 5);
  double chain[MOST * MOST];
  memcpy(chain, stiffness, sizeof chain);
  order = masses + held;
  memset(stiffness, 0, sizeof stiffness);
  memset(mass, 0, sizeof mass);
  for (int i = 0; i < masses; i++) {
    memcpy(stiffness + i * order, chain + i * masses, (size_t)masses * sizeof *chain);
    mass[i * order + i] = 1;
  }
  stiffness[0 * order + masses] = stiffness[masses * order + 0] = 1;
  stiffness[(masses - 1) * order + masses + 1] = stiffness[(masses + 1) * order + masses - 1] = 1;
  const modes *found = find_modes(masses, held);
  assert_int_equal(found->count, masses - held);
  for (int i = 0; i < found->count; i++)
    check_close(found->value[i], chain_value(i, masses - held, false, 5), 1e-11);
}

/* Damping in proportion to mass and stiffness: phi.D.phi = a + b lambda, so the ratio is (a / omega + b omega) / 2. */
static void proportional_damping_is_exact(void **state) {
  (void)state;
  const double a = 0.03, b = 0.2;
  set_chain(10, 2, false, 1);
  for (int i = 0; i < order * order; i++)
    damping[i] = a * mass[i] + b * stiffness[i];
  const modes *found = find_modes(8, 0);
  for (int i = 0; i < found->count; i++) {
    double omega = sqrt(found->value[i]);
    check_close(found->dissipation[i] / (2 * omega), 0.5 * (a / omega + b * omega), 1e-12 / omega);
  }
}

/* Unstable structures: the lowest eigenvalues are the most negative ones. */
static void negative_eigenvalues_come_first(void **state) {
  (void)state;
  set_chain(20, 2, false, 1);
  for (int i = 0; i < order; i++)
    stiffness[i * order + i] -= 1;
  const modes *found = find_modes(20, 0);
  for (int i = 0; i < found->count; i++)
    check_close(found->value[i], chain_value(i / 2, 20, false, 1) - 1, 1e-12);
}

#if WY_HAVE_LAPACK
static double random_number(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 2147483648.0 - 1;
}

/* Full matrices with eigenvalues over six orders of magnitude. */
static void set_random(int n, unsigned seed) {
  double root[MOST * MOST];
  order = n;
  memset(damping, 0, sizeof damping);
  for (int part = 0; part < 2; part++) {
    double *out = part ? mass : stiffness;
    for (int i = 0; i < n * n; i++)
      root[i] = random_number(&seed) * (part ? 0.2 : 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        out[i * n + j] = i == j && part;
        for (int k = 0; k < n; k++)
          out[i * n + j] += root[i * n + k] * root[j * n + k] * (part ? 1 : pow(10, -6.0 * k / n));
      }
  }
}

static void random_matrices_agree_with_lapack(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 10; seed++) {
    const int n = 12 + 3 * (int)seed, type = 1, room = 40 * MOST;
    double a[MOST * MOST], b[MOST * MOST], w[MOST], work[40 * MOST];
    int info;
    set_random(n, seed);
    memcpy(a, stiffness, sizeof a), memcpy(b, mass, sizeof b);
    dsygv_(&type, "N", "U", &n, a, &n, b, &n, w, work, &room, &info);
    assert_int_equal(info, 0);
    const modes *found = find_modes(6, 0);
    for (int i = 0; i < found->count; i++)
      check_close(found->value[i], w[i], 1e-13 * w[n - 1]); /* as accurate as either can be */
  }
}

static void dense_eigenvalues_agree_with_lapack(void **state) {
  (void)state;
  for (int n = 1; n <= MOST; n += 7) {
    const int room = 40 * MOST;
    double a[MOST * MOST], v[MOST * MOST], b[MOST * MOST], w[MOST], work[40 * MOST];
    int info;
    set_random(n, (unsigned)n);
    memcpy(a, stiffness, sizeof a), memcpy(b, stiffness, sizeof b);
    dsyev_("N", "U", &n, b, &n, w, work, &room, &info);
    assert_int_equal(info, 0);
    wy_symmetric_eigen(a, v, n);
    for (int i = 0; i < n; i++)
      check_close(a[i * n + i], w[n - 1 - i], 1e-14 * n * w[n - 1]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
          sum += v[i * n + k] * v[j * n + k];
        check_close(sum, i == j, 1e-14 * n);
      }
  }
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(chains_vibrate_as_known),
    cmocka_unit_test(rigid_motions_are_zero),
    cmocka_unit_test(no_more_modes_than_freedoms),
    cmocka_unit_test(constraints_have_no_modes),
    cmocka_unit_test(proportional_damping_is_exact),
    cmocka_unit_test(negative_eigenvalues_come_first),
#if WY_HAVE_LAPACK
    cmocka_unit_test(random_matrices_agree_with_lapack),
    cmocka_unit_test(dense_eigenvalues_agree_with_lapack),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
