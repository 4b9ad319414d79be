/* SPDX-License-Identifier: MIT */
/* Band systems against dense ones and LAPACK, and what happens to matrices that cannot be factored. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linalg/band.h"
#include "linalg/band_kernels.h"
#include "support/dense.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

enum { DENSE_MAX = 96 };

static const int orders[] = {1, 2, 3, 4, 5, 7, 8, 9, 11, 16, 17, 23, 31, 45, 60, 85};
static const int bandwidths[][2] = {{1, 1},   {1, 3},  {3, 1},  {2, 5},   {4, 4},   {5, 8},   {8, 5},   {7, 7},
                                    {8, 8},   {8, 9},  {9, 8},  {9, 9},   {3, 9},   {9, 10},  {10, 10}, {11, 11},
                                    {12, 11}, {5, 16}, {16, 5}, {16, 16}, {24, 24}, {14, 14}, {17, 17}, {35, 35}};

/* Matrices that ask for different pivots. */
typedef enum matrix_kind {
  RANDOM,         /* any row */
  ZERO_DIAGONAL,  /* every other diagonal entry is zero (all of them would make some orders singular) */
  SMALL_DIAGONAL, /* or so small that it would be a disaster */
  BAD_ROWS,       /* rows whose sizes differ by 2^80 */
  LAST_ROW,       /* the entering row is always the largest */
  DOMINANT,       /* always the diagonal */
  KINDS
} matrix_kind;

/* A number in [-1, 1): the generator of Vigna's splitmix64. */
static uint64_t seed = 1;

static double draw(void) {
  uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return ldexp((double)(z >> 11), -52) - 1.0;
}

/* Fills row i of the kind; entries whose column does not exist become NaN, because nobody may use them. */
static void draw_row(double *row, matrix_kind kind, int i, int n, int kl, int ku) {
  const double scale = kind == BAD_ROWS ? ldexp(1.0, (int)(80.0 * draw())) : 1.0;
  for (int j = i - kl; j <= i + ku; j++) {
    double entry = draw();
    if (i == j && kind == ZERO_DIAGONAL && i % 2 == 1)
      entry = 0.0;
    if (i == j && kind == SMALL_DIAGONAL && i % 2 == 1)
      entry *= 1e-14;
    if (i == j && kind == DOMINANT)
      entry += 2.0 * (kl + ku + 1);
    if (j == i - kl && kind == LAST_ROW)
      entry += 4.0;
    row[j - i + kl] = j < 0 || j >= n ? (double)NAN : scale * entry;
  }
}

typedef struct real_system {
  wy_arena arena;
  wy_band band;
  double *b, *x;
} real_system;

static void layout_real(real_system *system, int n, int kl, int ku) {
  wy_band_layout(&system->band, &system->arena, n, kl, ku);
  system->b = wy_arena_doubles(&system->arena, (size_t)n);
  system->x = wy_arena_doubles(&system->arena, (size_t)n);
}

static real_system open_real(matrix_kind kind, int n, int kl, int ku) {
  real_system system = {0};
  layout_real(&system, n, kl, ku);
  assert_int_equal(wy_arena_allocate(&system.arena), 0);
  layout_real(&system, n, kl, ku);
  for (int i = 0; i < n; i++) {
    draw_row(wy_band_row(&system.band, i), kind, i, n, kl, ku);
    system.x[i] = system.b[i] = draw();
  }
  return system;
}

static void close_real(real_system *system) {
  wy_arena_release(&system->arena);
}

static double entry_of(wy_band *band, int i, int j) {
  return j < i - band->kl || j > i + band->ku ? 0.0 : wy_band_row(band, i)[j - i + band->kl];
}

/* The sum of |A x - b| over the rows, and of |x|. */
static double residual_of(real_system *system, double *size) {
  wy_band *band = &system->band;
  double residual = 0.0;
  *size = 0.0;
  for (int i = 0; i < band->n; i++) {
    double sum = -system->b[i];
    for (int j = 0; j < band->n; j++)
      sum += entry_of(band, i, j) * system->x[j];
    residual += fabs(sum);
    *size += fabs(system->x[i]);
  }
  return residual;
}

/* Higham, Accuracy and Stability of Numerical Algorithms, theorem 9.4: |A x - b| <= gamma_3n |L| |U| |x|. In the sum
   norm L has at most kl + 1 entries of size at most 1 in a column and U kl + ku + 1. Multiplying by reciprocals instead
   of dividing costs one more rounding for every operation counted there, and the residual is itself computed with at
   most 2n roundings of the same size. */
static double residual_bound(int n, int kl, int ku, double largest_upper, double size) {
  return (6.0 * n + 2.0 * n) * DBL_EPSILON * (kl + 1) * (kl + ku + 1) * largest_upper * size;
}

static double largest_in(const double *values, size_t count) {
  double largest = 0.0;
  for (size_t i = 0; i < count; i++)
    largest = fmax(largest, fabs(values[i]));
  return largest;
}

static double largest_upper(const wy_band *band) {
  const size_t stride = (size_t)band_stride(band->kl, band->ku);
  double largest = largest_in(band->upper, (size_t)band->n * stride);
  for (int k = 0; k < band->n; k++)
    largest = fmax(largest, fabs(1.0 / band->reciprocal[k]));
  return largest;
}

static void band_to_dense(wy_band *band, double *dense) {
  for (int i = 0; i < band->n; i++)
    for (int j = 0; j < band->n; j++)
      dense[i * band->n + j] = entry_of(band, i, j);
}

/* The sign of the determinant from the dense factors. */
static int dense_sign(const double *dense, const int *pivot, int n) {
  int sign = 1;
  for (int k = 0; k < n; k++)
    sign *= (pivot[k] == k ? 1 : -1) * (dense[k * n + k] < 0.0 ? -1 : 1);
  return sign;
}

static void real_solutions_are_backward_stable(void **state) {
  (void)state;
  for (int o = 0; o < COUNT(orders); o++)
    for (int w = 0; w < COUNT(bandwidths); w++)
      for (matrix_kind kind = RANDOM; kind < KINDS; kind++) {
        const int n = orders[o], kl = bandwidths[w][0], ku = bandwidths[w][1];
        real_system system = open_real(kind, n, kl, ku);
        double dense[DENSE_MAX * DENSE_MAX], size;
        int pivot[DENSE_MAX];
        band_to_dense(&system.band, dense);
        assert_int_equal(wy_dense_factor(dense, n, pivot), 0);
        assert_int_equal(wy_band_factor(&system.band), 0);
        wy_band_solve(&system.band, system.x);
        const double residual = residual_of(&system, &size);
        check_close(residual, 0.0, residual_bound(n, kl, ku, largest_upper(&system.band), size));
        assert_int_equal(wy_band_sign(&system.band), dense_sign(dense, pivot, n));
        close_real(&system);
      }
}

/* A condition number near one leaves no room for different solutions: every row is dominated by its diagonal by a
   factor of two, so a backward error of n eps moves the solution by no more than about 3 n eps. */
static void real_solutions_agree_with_dense_ones(void **state) {
  (void)state;
  for (int o = 0; o < COUNT(orders); o++)
    for (int w = 0; w < COUNT(bandwidths); w++) {
      const int n = orders[o];
      real_system system = open_real(DOMINANT, n, bandwidths[w][0], bandwidths[w][1]);
      double dense[DENSE_MAX * DENSE_MAX];
      int pivot[DENSE_MAX];
      band_to_dense(&system.band, dense);
      assert_int_equal(wy_dense_factor(dense, n, pivot), 0);
      assert_int_equal(wy_band_factor(&system.band), 0);
      wy_dense_solve(dense, n, pivot, system.b);
      wy_band_solve(&system.band, system.x);
      for (int i = 0; i < n; i++)
        check_close(system.x[i], system.b[i], 3.0 * n * DBL_EPSILON * largest_in(system.b, (size_t)n));
      close_real(&system);
    }
}

static void a_dense_solution_fits_its_equations(void **state) {
  (void)state;
  for (int n = 1; n <= 32; n++) {
    double a[32 * 32], factors[32 * 32], b[32], x[32], size = 0.0, residual = 0.0;
    int pivot[32];
    for (int i = 0; i < n * n; i++)
      factors[i] = a[i] = i % (n + 1) == 0 && n > 1 ? 0.0 : draw();
    for (int i = 0; i < n; i++)
      x[i] = b[i] = draw();
    assert_int_equal(wy_dense_factor(factors, n, pivot), 0);
    wy_dense_solve(factors, n, pivot, x);
    for (int i = 0; i < n; i++) {
      double sum = -b[i];
      for (int j = 0; j < n; j++)
        sum += a[i * n + j] * x[j];
      residual += fabs(sum);
      size += fabs(x[i]);
    }
    check_close(residual, 0.0, residual_bound(n, n - 1, n - 1, fmax(1.0, largest_in(factors, (size_t)(n * n))), size));
  }
}

static void a_long_rod_is_solved_as_well_as_a_short_one(void **state) {
  (void)state;
  static const int halves[] = {8, 9, 10, 11};
  for (int h = 0; h < COUNT(halves); h++) {
    real_system system = open_real(RANDOM, 6003, halves[h], halves[h]);
    double size = 0.0, residual = 0.0;
    assert_int_equal(wy_band_factor(&system.band), 0);
    wy_band_solve(&system.band, system.x);
    for (int i = 0; i < 6003; i++) {
      double sum = -system.b[i];
      for (int j = i - halves[h] > 0 ? i - halves[h] : 0; j <= i + halves[h] && j < 6003; j++)
        sum += entry_of(&system.band, i, j) * system.x[j];
      residual += fabs(sum);
      size += fabs(system.x[i]);
    }
    check_close(residual, 0.0, residual_bound(6003, halves[h], halves[h], largest_upper(&system.band), size));
    close_real(&system);
  }
}

typedef struct complex_system {
  wy_arena arena;
  wy_band_complex band;
  double *b_re, *b_im, *x_re, *x_im;
} complex_system;

static void layout_complex(complex_system *system, int n, int kl, int ku) {
  wy_band_complex_layout(&system->band, &system->arena, n, kl, ku);
  system->b_re = wy_arena_doubles(&system->arena, (size_t)n);
  system->b_im = wy_arena_doubles(&system->arena, (size_t)n);
  system->x_re = wy_arena_doubles(&system->arena, (size_t)n);
  system->x_im = wy_arena_doubles(&system->arena, (size_t)n);
}

static complex_system open_complex(matrix_kind kind, int n, int kl, int ku) {
  complex_system system = {0};
  layout_complex(&system, n, kl, ku);
  assert_int_equal(wy_arena_allocate(&system.arena), 0);
  layout_complex(&system, n, kl, ku);
  for (int i = 0; i < n; i++) {
    draw_row(wy_band_complex_row_re(&system.band, i), kind, i, n, kl, ku);
    draw_row(wy_band_complex_row_im(&system.band, i), kind, i, n, kl, ku);
    system.x_re[i] = system.b_re[i] = draw();
    system.x_im[i] = system.b_im[i] = draw();
  }
  return system;
}

static void close_complex(complex_system *system) {
  wy_arena_release(&system->arena);
}

/* The sum of |A x - b| over the rows, and of |x|, with |re| + |im| for the size of a complex number. */
static double complex_residual_of(complex_system *system, double *size) {
  wy_band_complex *band = &system->band;
  double residual = 0.0;
  *size = 0.0;
  for (int i = 0; i < band->n; i++) {
    double re = -system->b_re[i], im = -system->b_im[i];
    for (int j = i - band->kl > 0 ? i - band->kl : 0; j <= i + band->ku && j < band->n; j++) {
      const double a_re = wy_band_complex_row_re(band, i)[j - i + band->kl];
      const double a_im = wy_band_complex_row_im(band, i)[j - i + band->kl];
      re += a_re * system->x_re[j] - a_im * system->x_im[j];
      im += a_re * system->x_im[j] + a_im * system->x_re[j];
    }
    residual += fabs(re) + fabs(im);
    *size += fabs(system->x_re[i]) + fabs(system->x_im[i]);
  }
  return residual;
}

/* The real bound with 4 for the roundings of a complex product (Higham, lemma 3.5), 2 for multipliers, whose |re| +
   |im| may reach sqrt 2 when the pivot is chosen by that size, and 2 for taking |re| + |im| of the largest entry as
   twice the larger part. */
static double complex_residual_bound(const wy_band_complex *band, double size) {
  const size_t count = (size_t)band->n * (size_t)band_stride(band->kl, band->ku);
  double largest = fmax(largest_in(band->upper_re, count), largest_in(band->upper_im, count));
  for (int k = 0; k < band->n; k++)
    largest = fmax(largest, 1.0 / hypot(band->reciprocal_re[k], band->reciprocal_im[k]));
  return 16.0 * residual_bound(band->n, band->kl, band->ku, largest, size);
}

static void complex_solutions_are_backward_stable(void **state) {
  (void)state;
  for (int o = 0; o < COUNT(orders); o++)
    for (int w = 0; w < COUNT(bandwidths); w++)
      for (matrix_kind kind = RANDOM; kind < KINDS; kind++) {
        complex_system system = open_complex(kind, orders[o], bandwidths[w][0], bandwidths[w][1]);
        double size;
        assert_int_equal(wy_band_complex_factor(&system.band), 0);
        wy_band_complex_solve(&system.band, system.x_re, system.x_im);
        const double residual = complex_residual_of(&system, &size);
        check_close(residual, 0.0, complex_residual_bound(&system.band, size));
        close_complex(&system);
      }
}

/* The complex system of order n as a real one of order 2n. */
static void complex_solutions_agree_with_dense_ones(void **state) {
  (void)state;
  for (int w = 0; w < COUNT(bandwidths); w++)
    for (int n = 1; n <= 32; n++) {
      complex_system system = open_complex(DOMINANT, n, bandwidths[w][0], bandwidths[w][1]);
      const int m = 2 * n;
      double dense[DENSE_MAX * DENSE_MAX] = {0}, x[DENSE_MAX];
      int pivot[DENSE_MAX];
      for (int i = 0; i < n; i++) {
        for (int j = i - system.band.kl > 0 ? i - system.band.kl : 0; j <= i + system.band.ku && j < n; j++) {
          const double re = wy_band_complex_row_re(&system.band, i)[j - i + system.band.kl];
          const double im = wy_band_complex_row_im(&system.band, i)[j - i + system.band.kl];
          dense[i * m + j] = dense[(n + i) * m + n + j] = re;
          dense[i * m + n + j] = -im;
          dense[(n + i) * m + j] = im;
        }
        x[i] = system.b_re[i];
        x[n + i] = system.b_im[i];
      }
      assert_int_equal(wy_dense_factor(dense, m, pivot), 0);
      wy_dense_solve(dense, m, pivot, x);
      assert_int_equal(wy_band_complex_factor(&system.band), 0);
      wy_band_complex_solve(&system.band, system.x_re, system.x_im);
      for (int i = 0; i < n; i++) {
        check_close(system.x_re[i], x[i], 12.0 * n * DBL_EPSILON * largest_in(x, (size_t)m));
        check_close(system.x_im[i], x[n + i], 12.0 * n * DBL_EPSILON * largest_in(x, (size_t)m));
      }
      close_complex(&system);
    }
}

static void a_complex_pivot_may_be_huge_or_tiny(void **state) {
  (void)state;
  static const double sizes[] = {0x1p-1000, 0x1p-600, 0x1p600, 0x1p1000};
  for (int s = 0; s < COUNT(sizes); s++) {
    complex_system system = open_complex(DOMINANT, 1, 1, 1);
    wy_band_complex_row_re(&system.band, 0)[1] = 3.0 * sizes[s];
    wy_band_complex_row_im(&system.band, 0)[1] = -4.0 * sizes[s];
    system.x_re[0] = sizes[s];
    system.x_im[0] = 0.0;
    assert_int_equal(wy_band_complex_factor(&system.band), 0);
    wy_band_complex_solve(&system.band, system.x_re, system.x_im);
    check_close(system.x_re[0], 0.12, 4.0 * DBL_EPSILON);
    check_close(system.x_im[0], 0.16, 4.0 * DBL_EPSILON);
    close_complex(&system);
  }
}

/* Every set of kernels that this processor can run. */
static int real_kernels(const wy_band_kernels *kernels[3]) {
  int count = 0;
  kernels[count++] = &wy_band_base;
#if WY_HAVE_CLONES
  if (__builtin_cpu_supports("x86-64-v3"))
    kernels[count++] = &wy_band_v3;
  if (__builtin_cpu_supports("x86-64-v4"))
    kernels[count++] = &wy_band_v4;
#endif
  return count;
}

static int complex_kernels(const wy_band_complex_kernels *kernels[2]) {
  int count = 0;
  kernels[count++] = &wy_band_complex_base;
#if WY_HAVE_CLONES
  if (__builtin_cpu_supports("x86-64-v3"))
    kernels[count++] = &wy_band_complex_v3;
#endif
  return count;
}

/* The matrix (8, 8), (10, 10) or (11, 11) stored with one more diagonal of zeros, for which only the general kernel
 * exists. */
static void copy_with_wider_band(wy_band *wide, wy_band *band) {
  for (int i = 0; i < band->n; i++)
    for (int j = i - band->kl > 0 ? i - band->kl : 0; j <= i + band->ku && j < band->n; j++)
      wy_band_row(wide, i)[j - i + wide->kl] = entry_of(band, i, j);
}

static void every_real_kernel_takes_the_same_steps(void **state) {
  (void)state;
  const wy_band_kernels *kernels[3];
  const int count = real_kernels(kernels);
  for (int c = 0; c < count; c++)
    for (int half = 7; half <= 12; half++)
      for (matrix_kind kind = RANDOM; kind < KINDS; kind++) {
        const int n = 6 * 9 + 3;
        real_system system = open_real(kind, n, half, half), wide = open_real(RANDOM, n, half, half + 1);
        for (int i = 0; i < n; i++)
          memset(wy_band_row(&wide.band, i), 0, sizeof(double) * (size_t)(2 * half + 2));
        copy_with_wider_band(&wide.band, &system.band);
        memcpy(wide.x, system.b, sizeof(double) * (size_t)n);
        assert_int_equal(kernels[c]->factor(&system.band, NULL, NULL), 0);
        assert_int_equal(kernels[c]->factor(&wide.band, NULL, NULL), 0);
        assert_memory_equal(system.band.pivot, wide.band.pivot, (size_t)n);
        kernels[c]->solve(&system.band, system.x);
        kernels[c]->solve(&wide.band, wide.x);
        double size;
        check_close(residual_of(&system, &size), 0.0, residual_bound(n, half, half, largest_upper(&system.band), size));
        memcpy(system.x, wide.x, sizeof(double) * (size_t)n);
        check_close(residual_of(&system, &size), 0.0, residual_bound(n, half, half, largest_upper(&wide.band), size));
        close_real(&system);
        close_real(&wide);
      }
}

static void every_complex_kernel_takes_the_same_steps(void **state) {
  (void)state;
  const wy_band_complex_kernels *kernels[2];
  const int count = complex_kernels(kernels);
  for (int half = 7; half <= 12; half++)
    for (matrix_kind kind = RANDOM; kind < KINDS; kind++) {
      const int n = 6 * 9 + 3;
      complex_system system = open_complex(kind, n, half, half);
      unsigned char pivot[6 * 9 + 3];
      for (int c = 0; c < count; c++) {
        double size;
        memcpy(system.x_re, system.b_re, sizeof(double) * (size_t)n);
        memcpy(system.x_im, system.b_im, sizeof(double) * (size_t)n);
        assert_int_equal(kernels[c]->factor(&system.band, NULL, NULL), 0);
        if (c > 0)
          assert_memory_equal(system.band.pivot, pivot, (size_t)n);
        memcpy(pivot, system.band.pivot, (size_t)n);
        kernels[c]->solve(&system.band, system.x_re, system.x_im);
        check_close(complex_residual_of(&system, &size), 0.0, complex_residual_bound(&system.band, size));
      }
      close_complex(&system);
    }
}

static int many_kernels(const wy_band_many_kernels *kernels[3]) {
  int count = 0;
  kernels[count++] = &wy_band_many_base;
#if WY_HAVE_CLONES
  if (__builtin_cpu_supports("x86-64-v3"))
    kernels[count++] = &wy_band_many_v3;
  if (__builtin_cpu_supports("x86-64-v4"))
    kernels[count++] = &wy_band_many_v4;
#endif
  return count;
}

/* Right-hand sides that begin with rows of zeros: with none, with half of them, with all but the last, and nothing
   else. */
enum { LEADS = 4 };

static void draw_columns(double *b, int n, int lead) {
  const int zeros[LEADS] = {0, n / 2, n - 1, n};
  for (int i = 0; i < WY_LANES * n; i++)
    b[i] = i < WY_LANES * zeros[lead] ? 0.0 : draw();
}

/* Both solutions have the residual of residual_bound, so A times their difference has at most the sum of them. */
static void check_column(real_system *system, const double *many, int c) {
  const int n = system->band.n;
  double size = 0.0, size_of_difference;
  for (int i = 0; i < n; i++) {
    size += fabs(many[WY_LANES * i + c]) + fabs(system->x[i]);
    system->x[i] -= many[WY_LANES * i + c];
    system->b[i] = 0.0;
  }
  const double bound = residual_bound(n, system->band.kl, system->band.ku, largest_upper(&system->band), size);
  check_close(residual_of(system, &size_of_difference), 0.0, bound);
}

static void eight_right_hand_sides_are_solved_like_one(void **state) {
  (void)state;
  const wy_band_many_kernels *kernels[3];
  const int count = many_kernels(kernels);
  for (int o = 0; o < COUNT(orders); o++)
    for (int w = 0; w < COUNT(bandwidths); w++)
      for (int each = 0; each < KINDS * LEADS; each++) {
        const int n = orders[o];
        real_system system = open_real((matrix_kind)(each / LEADS), n, bandwidths[w][0], bandwidths[w][1]);
        double b[WY_LANES * DENSE_MAX], many[WY_LANES * DENSE_MAX];
        draw_columns(b, n, each % LEADS);
        assert_int_equal(wy_band_factor(&system.band), 0);
        for (int k = 0; k <= count; k++) { /* the last is the one that the library chooses */
          memcpy(many, b, sizeof many);
          (k < count ? kernels[k]->solve : wy_band_solve_many)(&system.band, many);
          for (int c = 0; c < WY_LANES; c++) {
            for (int i = 0; i < n; i++)
              system.x[i] = b[WY_LANES * i + c];
            wy_band_solve(&system.band, system.x);
            check_column(&system, many, c);
          }
        }
        close_real(&system);
      }
}

static void check_complex_column(complex_system *system, const double *re, const double *im, int c) {
  const int n = system->band.n;
  double size = 0.0, size_of_difference;
  for (int i = 0; i < n; i++) {
    const double many_re = re[WY_LANES * i + c], many_im = im[WY_LANES * i + c];
    size += fabs(many_re) + fabs(many_im) + fabs(system->x_re[i]) + fabs(system->x_im[i]);
    system->x_re[i] -= many_re;
    system->x_im[i] -= many_im;
    system->b_re[i] = system->b_im[i] = 0.0;
  }
  check_close(complex_residual_of(system, &size_of_difference), 0.0, complex_residual_bound(&system->band, size));
}

static void eight_complex_right_hand_sides_are_solved_like_one(void **state) {
  (void)state;
  const wy_band_many_kernels *kernels[3];
  const int count = many_kernels(kernels);
  for (int o = 0; o < COUNT(orders); o++)
    for (int w = 0; w < COUNT(bandwidths); w++)
      for (int each = 0; each < KINDS * LEADS; each++) {
        const int n = orders[o];
        complex_system system = open_complex((matrix_kind)(each / LEADS), n, bandwidths[w][0], bandwidths[w][1]);
        double b[2][WY_LANES * DENSE_MAX], many[2][WY_LANES * DENSE_MAX];
        draw_columns(b[0], n, each % LEADS);
        draw_columns(b[1], n, each % 3); /* zeros of one part need not be zeros of the other */
        assert_int_equal(wy_band_complex_factor(&system.band), 0);
        for (int k = 0; k <= count; k++) {
          memcpy(many, b, sizeof many);
          (k < count ? kernels[k]->complex_solve : wy_band_complex_solve_many)(&system.band, many[0], many[1]);
          for (int c = 0; c < WY_LANES; c++) {
            for (int i = 0; i < n; i++) {
              system.x_re[i] = b[0][WY_LANES * i + c];
              system.x_im[i] = b[1][WY_LANES * i + c];
            }
            wy_band_complex_solve(&system.band, system.x_re, system.x_im);
            check_complex_column(&system, many[0], many[1], c);
          }
        }
        close_complex(&system);
      }
}

static void factoring_keeps_the_matrix_and_repeats_exactly(void **state) {
  (void)state;
  const int n = 57, half = 8;
  real_system system = open_real(RANDOM, n, half, half);
  const size_t bytes = sizeof(double) * (size_t)n * (size_t)(2 * half + 1);
  double *before = malloc(bytes), first[57];
  assert_non_null(before);
  memcpy(before, system.band.rows, bytes);
  assert_int_equal(wy_band_factor(&system.band), 0);
  wy_band_solve(&system.band, system.x);
  memcpy(first, system.x, sizeof first);
  assert_memory_equal(before, system.band.rows, bytes);
  memcpy(system.x, system.b, sizeof first);
  assert_int_equal(wy_band_factor(&system.band), 0);
  wy_band_solve(&system.band, system.x);
  assert_memory_equal(first, system.x, sizeof first);
  free(before);
  close_real(&system);
}

/* Zeros in a column survive elimination exactly, so the report must name that column. */
/* A feed that hands over a stored matrix, a few rows more each time. */
typedef struct row_feed {
  wy_band *real;
  wy_band_complex *complex;
  int next, count;
} row_feed;

static int rows_of_feed(row_feed *feed, int n, int kl) {
  feed->count = feed->count ? feed->count % WY_BAND_FEED + 7 : kl + 2;
  feed->count = feed->count > WY_BAND_FEED ? WY_BAND_FEED : feed->count;
  return feed->next + feed->count > n ? n - feed->next : feed->count;
}

static int feed_real_rows(void *context, double *rows) {
  row_feed *feed = context;
  wy_band *band = feed->real;
  int count = rows_of_feed(feed, band->n, band->kl);
  memcpy(rows, wy_band_row(band, feed->next), sizeof(double) * (size_t)(count * (band->kl + band->ku + 1)));
  feed->next += count;
  return count;
}

static int feed_complex_rows(void *context, double *re, double *im) {
  row_feed *feed = context;
  wy_band_complex *band = feed->complex;
  int count = rows_of_feed(feed, band->n, band->kl);
  size_t bytes = sizeof(double) * (size_t)(count * (band->kl + band->ku + 1));
  memcpy(re, wy_band_complex_row_re(band, feed->next), bytes);
  memcpy(im, wy_band_complex_row_im(band, feed->next), bytes);
  feed->next += count;
  return count;
}

/* Rows that are fed while factoring give the same factors, bit for bit, as the stored matrix. */
static void a_fed_matrix_has_the_same_factors(void **state) {
  (void)state;
  static const int sizes[] = {1, 5, 9, 10, 11, 40, 97, 603};
  for (int b = 0; b < COUNT(bandwidths); b++)
    for (int o = 0; o < COUNT(sizes); o++) {
      const int n = sizes[o], kl = bandwidths[b][0], ku = bandwidths[b][1];
      real_system real = open_real(RANDOM, n, kl, ku);
      complex_system complex = open_complex(RANDOM, n, kl, ku);
      wy_arena arena = {0};
      wy_band fed;
      wy_band_complex fed_complex;
      for (int pass = 0; pass < 2; pass++) {
        wy_band_layout_fed(&fed, &arena, n, kl, ku);
        wy_band_complex_layout_fed(&fed_complex, &arena, n, kl, ku);
        if (pass == 0)
          assert_int_equal(wy_arena_allocate(&arena), 0);
      }
      row_feed feed = {.real = &real.band}, complex_feed = {.complex = &complex.band};
      assert_int_equal(wy_band_factor_fed(&fed, feed_real_rows, &feed), wy_band_factor(&real.band));
      assert_int_equal(wy_band_complex_factor_fed(&fed_complex, feed_complex_rows, &complex_feed),
                       wy_band_complex_factor(&complex.band));
      const size_t lower = sizeof(double) * (size_t)(n * band_lanes(kl)), diagonal = sizeof(double) * (size_t)n;
      assert_memory_equal(fed.lower, real.band.lower, lower);
      assert_memory_equal(fed.reciprocal, real.band.reciprocal, diagonal);
      assert_memory_equal(fed.pivot, real.band.pivot, (size_t)n);
      assert_memory_equal(fed_complex.lower_im, complex.band.lower_im, lower);
      assert_memory_equal(fed_complex.reciprocal_re, complex.band.reciprocal_re, diagonal);
      wy_arena_release(&arena);
      close_real(&real);
      close_complex(&complex);
    }
}

static void a_singular_matrix_reports_its_column(void **state) {
  (void)state;
  for (int o = 0; o < COUNT(orders); o++)
    for (int w = 0; w < COUNT(bandwidths); w++) {
      const int n = orders[o], kl = bandwidths[w][0], ku = bandwidths[w][1], column = n / 2;
      real_system system = open_real(RANDOM, n, kl, ku);
      complex_system twin = open_complex(RANDOM, n, kl, ku);
      for (int i = column - ku > 0 ? column - ku : 0; i <= column + kl && i < n; i++) {
        wy_band_row(&system.band, i)[column - i + kl] = 0.0;
        wy_band_complex_row_re(&twin.band, i)[column - i + kl] = 0.0;
        wy_band_complex_row_im(&twin.band, i)[column - i + kl] = 0.0;
      }
      assert_int_equal(wy_band_factor(&system.band), column + 1);
      assert_int_equal(wy_band_complex_factor(&twin.band), column + 1);
      close_real(&system);
      close_complex(&twin);
    }
}

static void a_row_of_zeros_is_noticed_in_the_last_column(void **state) {
  (void)state;
  const int n = 40, half = 8, row = 20;
  real_system system = open_real(RANDOM, n, half, half);
  memset(wy_band_row(&system.band, row), 0, sizeof(double) * (size_t)(2 * half + 1));
  assert_int_equal(wy_band_factor(&system.band), n);
  close_real(&system);
}

static void a_value_that_is_not_finite_is_reported(void **state) {
  (void)state;
  static const double values[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  static const int halves[] = {3, 8, 9, 10, 11};
  const int n = 40;
  for (int h = 0; h < COUNT(halves); h++)
    for (int v = 0; v < COUNT(values); v++)
      for (int i = 0; i < n; i++)
        for (int j = i - halves[h] > 0 ? i - halves[h] : 0; j <= i + halves[h] && j < n; j++) {
          real_system system = open_real(RANDOM, n, halves[h], halves[h]);
          complex_system twin = open_complex(RANDOM, n, halves[h], halves[h]);
          wy_band_row(&system.band, i)[j - i + halves[h]] = values[v];
          wy_band_complex_row_im(&twin.band, i)[j - i + halves[h]] = values[v];
          assert_in_range(wy_band_factor(&system.band), 1, n);
          assert_in_range(wy_band_complex_factor(&twin.band), 1, n);
          close_real(&system);
          close_complex(&twin);
        }
}

static void a_dense_matrix_without_pivot_reports_its_column(void **state) {
  (void)state;
  double zero_column[9] = {1.0, 0.0, 2.0, 3.0, 0.0, 4.0, 5.0, 0.0, 7.0}, not_finite[4] = {1.0, 2.0, 3.0, (double)NAN};
  int pivot[3];
  assert_int_equal(wy_dense_factor(zero_column, 3, pivot), 2);
  assert_int_equal(wy_dense_factor(not_finite, 2, pivot), 2);
}

#ifdef WY_HAVE_LAPACK
void dgbsv_(const int *n, const int *kl, const int *ku, const int *columns, double *matrix, const int *rows, int *pivot,
            double *b, const int *b_rows, int *info);
void zgbsv_(const int *n, const int *kl, const int *ku, const int *columns, double *matrix, const int *rows, int *pivot,
            double *b, const int *b_rows, int *info);

static void solutions_agree_with_lapack(void **state) {
  (void)state;
  for (int o = 0; o < COUNT(orders); o++)
    for (int w = 0; w < COUNT(bandwidths); w++) {
      const int n = orders[o], kl = bandwidths[w][0], ku = bandwidths[w][1], rows = 2 * kl + ku + 1, one = 1;
      real_system real = open_real(DOMINANT, n, kl, ku);
      complex_system system = open_complex(DOMINANT, n, kl, ku);
      double *a = calloc((size_t)(n * rows), sizeof *a), *z = calloc((size_t)(2 * n * rows), sizeof *z),
             zb[2 * DENSE_MAX];
      int pivot[DENSE_MAX], info;
      assert_non_null(a);
      assert_non_null(z);
      for (int i = 0; i < n; i++) {
        for (int j = i - kl > 0 ? i - kl : 0; j <= i + ku && j < n; j++) {
          const int at = j * rows + kl + ku + i - j;
          a[at] = entry_of(&real.band, i, j);
          z[2 * at] = wy_band_complex_row_re(&system.band, i)[j - i + kl];
          z[2 * at + 1] = wy_band_complex_row_im(&system.band, i)[j - i + kl];
        }
        zb[2 * i] = system.b_re[i];
        zb[2 * i + 1] = system.b_im[i];
      }
      dgbsv_(&n, &kl, &ku, &one, a, &rows, pivot, real.b, &n, &info);
      assert_int_equal(info, 0);
      zgbsv_(&n, &kl, &ku, &one, z, &rows, pivot, zb, &n, &info);
      assert_int_equal(info, 0);
      assert_int_equal(wy_band_factor(&real.band), 0);
      wy_band_solve(&real.band, real.x);
      assert_int_equal(wy_band_complex_factor(&system.band), 0);
      wy_band_complex_solve(&system.band, system.x_re, system.x_im);
      for (int i = 0; i < n; i++) {
        check_close(real.x[i], real.b[i], 3.0 * n * DBL_EPSILON * largest_in(real.b, (size_t)n));
        check_close(system.x_re[i], zb[2 * i], 12.0 * n * DBL_EPSILON * largest_in(zb, (size_t)(2 * n)));
        check_close(system.x_im[i], zb[2 * i + 1], 12.0 * n * DBL_EPSILON * largest_in(zb, (size_t)(2 * n)));
      }
      free(a);
      free(z);
      close_real(&real);
      close_complex(&system);
    }
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(real_solutions_are_backward_stable),
      cmocka_unit_test(real_solutions_agree_with_dense_ones),
      cmocka_unit_test(a_dense_solution_fits_its_equations),
      cmocka_unit_test(a_long_rod_is_solved_as_well_as_a_short_one),
      cmocka_unit_test(complex_solutions_are_backward_stable),
      cmocka_unit_test(complex_solutions_agree_with_dense_ones),
      cmocka_unit_test(a_complex_pivot_may_be_huge_or_tiny),
      cmocka_unit_test(every_real_kernel_takes_the_same_steps),
      cmocka_unit_test(every_complex_kernel_takes_the_same_steps),
      cmocka_unit_test(eight_right_hand_sides_are_solved_like_one),
      cmocka_unit_test(eight_complex_right_hand_sides_are_solved_like_one),
      cmocka_unit_test(factoring_keeps_the_matrix_and_repeats_exactly),
      cmocka_unit_test(a_fed_matrix_has_the_same_factors),
      cmocka_unit_test(a_singular_matrix_reports_its_column),
      cmocka_unit_test(a_row_of_zeros_is_noticed_in_the_last_column),
      cmocka_unit_test(a_value_that_is_not_finite_is_reported),
      cmocka_unit_test(a_dense_matrix_without_pivot_reports_its_column),
#ifdef WY_HAVE_LAPACK
      cmocka_unit_test(solutions_agree_with_lapack),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
