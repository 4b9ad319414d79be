/* SPDX-License-Identifier: MIT */
/* The kernels for matrices on hubs; see hubs_kernels.h. `parts` is 1 or 2 and known to the compiler wherever it stands;
   `im` is the distance of the imaginary parts. */
#ifndef WY_LINALG_HUBS_BLOCKS_H
#define WY_LINALG_HUBS_BLOCKS_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/hubs_kernels.h"
#include "linalg/inertia.h"
#include "linalg/pivot.h"
#include "linalg/wide.h"

/* c -= a b with `inner` columns of a and `count` of b. */
WY_INLINE void subtract_product(double *restrict c, const double *a, const double *b, int im, int inner, int count,
                                int parts) {
  for (int r = 0; r < WY_LANES; r += WIDE) {
    wide a_re[WY_HUB_MOST], a_im[WY_HUB_MOST];
    for (int k = 0; k < inner; k++) {
      a_re[k] = LOAD_WIDE(a + WY_LANES * k + r);
      if (parts == 2)
        a_im[k] = LOAD_WIDE(a + im + WY_LANES * k + r);
    }
    for (int j = 0; j < count; j++) {
      double *to = c + WY_LANES * j + r;
      const double *from = b + WY_LANES * j;
      wide re = LOAD_WIDE(to), imaginary = parts == 2 ? LOAD_WIDE(to + im) : (wide){0};
      for (int k = 0; k < inner; k++) {
        re -= a_re[k] * from[k];
        if (parts == 2) {
          re += a_im[k] * from[im + k];
          imaginary -= a_re[k] * from[im + k];
          imaginary -= a_im[k] * from[k];
        }
      }
      STORE_WIDE(to, re);
      if (parts == 2)
        STORE_WIDE(to + im, imaginary);
    }
  }
}

/* Known orders make constant loops: a hub with a frame, and one without. */
WY_INLINE void subtract(double *c, const double *a, const double *b, int im, int inner, int count, int parts) {
  if (inner == 6 && count == 6)
    subtract_product(c, a, b, im, 6, 6, parts);
  else if (inner == 6)
    subtract_product(c, a, b, im, 6, count, parts);
  else if (inner == 3)
    subtract_product(c, a, b, im, 3, count, parts);
  else
    subtract_product(c, a, b, im, inner, count, parts);
}

/* What a diagonal block needs besides its values. */
typedef struct block_pivots {
  double *re, *im; /* one over each */
  unsigned char *row;
} block_pivots;

WY_INLINE block_pivots pivots_of(const wy_hub_matrix *matrix, int step) {
  double *re = matrix->reciprocal + (size_t)(matrix->parts * WY_HUB_MOST) * (size_t)step;
  return (block_pivots){re, re + WY_HUB_MOST, matrix->pivot + (size_t)WY_HUB_MOST * (size_t)step};
}

/* One over the pivot at `at`, without overflow on the way. */
WY_INLINE void invert_pivot(const double *at, int im, double *re, double *imaginary, int parts) {
  if (parts == 1) {
    *re = 1 / *at;
    return;
  }
  const double size = fabs(at[0]) + fabs(at[im]), a = at[0] / size, b = at[im] / size;
  const double square = (a * a + b * b) * size;
  *re = a / square;
  *imaginary = -b / square;
}

/* Subtracts the multiples of the pivot's row that clear its column from the rows that are left; multipliers take the
   place of what they clear. */
WY_INLINE void clear_column(double *d, int im, int k, block_pivots pivots, const wide_bits *left, int order,
                            int parts) {
  double *column = d + WY_LANES * k;
  const int row = pivots.row[k];
  for (int v = 0; v * WIDE < WY_LANES; v++) {
    double *at = column + v * WIDE;
    const wide re = LOAD_WIDE(at), imaginary = parts == 2 ? LOAD_WIDE(at + im) : (wide){0};
    wide l_re = re * pivots.re[k], l_im = {0};
    if (parts == 2) {
      l_re -= imaginary * pivots.im[k];
      l_im = SELECT(left[v], re * pivots.im[k] + imaginary * pivots.re[k], (wide){0});
      STORE_WIDE(at + im, SELECT(left[v], l_im, imaginary));
    }
    l_re = SELECT(left[v], l_re, (wide){0});
    STORE_WIDE(at, SELECT(left[v], l_re, re));
    for (int j = k + 1; j < order; j++) {
      double *to = d + WY_LANES * j + v * WIDE;
      const double u_re = d[WY_LANES * j + row], u_im = parts == 2 ? d[im + WY_LANES * j + row] : 0;
      wide a = LOAD_WIDE(to) - l_re * u_re;
      if (parts == 2) {
        a += l_im * u_im;
        STORE_WIDE(to + im, LOAD_WIDE(to + im) - l_re * u_im - l_im * u_re);
      }
      STORE_WIDE(to, a);
    }
  }
}

/* Rows to the order in which they became pivots. */
WY_INLINE void sort_rows(double *d, const unsigned char *row, int order) {
  for (int j = 0; j < order; j++) {
    double column[WY_HUB_MOST];
#pragma GCC unroll 8
    for (int r = 0; r < order; r++)
      column[r] = d[WY_LANES * j + row[r]];
    memcpy(d + WY_LANES * j, column, (size_t)order * sizeof *d);
  }
}

/* L U of a diagonal block with row exchanges: rows stay where they are until all are pivots, since a vector that is
   read just after its parts were written comes late. 0, or 1 without a usable pivot. */
WY_INLINE int factor_block(double *d, int im, block_pivots pivots, int order, int parts) {
  static const int64_t lanes[WY_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
  wide_bits left[WY_LANES / WIDE], lane[WY_LANES / WIDE]; /* all bits of the rows that are no pivots yet */
  for (int v = 0; v * WIDE < WY_LANES; v++) {
    memcpy(&lane[v], lanes + v * WIDE, sizeof lane[v]);
    left[v] = lane[v] >= 0;
  }
  int64_t open[WY_HUB_MOST] = {-1, -1, -1, -1, -1, -1, -1, -1}; /* the same bits, one row at a time */
#pragma GCC unroll 8
  for (int k = 0; k < order; k++) {
    const double *column = d + WY_LANES * k;
    int64_t best = 0;
#pragma GCC unroll 8
    for (int r = 0; r < order; r++) {
      const int64_t key = pivot_key(parts == 2 ? fabs(column[r]) + fabs(column[im + r]) : column[r], r);
      best = larger_key(best, key & open[r]);
    }
    if (!pivot_usable(best))
      return 1;
    const int row = pivot_lane(best);
    open[row] = 0;
    pivots.row[k] = (unsigned char)row;
    invert_pivot(column + row, im, &pivots.re[k], &pivots.im[k], parts);
    for (int v = 0; v * WIDE < WY_LANES; v++)
      left[v] &= lane[v] != row;
    clear_column(d, im, k, pivots, left, order, parts);
  }
  sort_rows(d, pivots.row, order);
  if (parts == 2)
    sort_rows(d + im, pivots.row, order);
  return 0;
}

WY_INLINE double size_of(const double *at, int im, int parts) {
  return parts == 2 ? fabs(at[0]) + fabs(at[im]) : fabs(at[0]);
}

/* How large the pivots of conditions are before others take from them: what the hubs contribute to the diagonal. */
WY_INLINE void measure_start(const wy_hub_matrix *matrix, int j, int parts) {
  const wy_hub_pattern *pattern = matrix->pattern;
  const size_t block = hub_block(matrix);
  const int im = hub_imaginary(matrix), order = hub_order(pattern, j);
  double *start = matrix->start + (size_t)WY_HUB_MOST * (size_t)j;
  const double *d = matrix->diagonal + block * (size_t)j;
  for (int c = 0; c < order; c++)
    start[c] = size_of(d + WY_LANES * c + c, im, parts);
  for (int q = pattern->first_back[j]; q < pattern->first_back[j + 1]; q++) {
    const int k = pattern->back_step[q];
    const double *row = matrix->below + block * (size_t)pattern->back_entry[q];
    const double *column = matrix->right + block * (size_t)pattern->back_entry[q];
    if (pattern->condition[pattern->hub[k]])
      continue;
    for (int c = 0; c < order; c++) {
      double sum[2] = {0, 0};
      for (int i = 0; i < hub_order(pattern, k); i++) {
        const double *a = row + WY_LANES * i + c, *b = column + WY_LANES * c + i;
        sum[0] += a[0] * b[0] - (parts == 2 ? a[im] * b[im] : 0);
        sum[1] += parts == 2 ? a[0] * b[im] + a[im] * b[0] : 0;
      }
      start[c] += fabs(sum[0]) + fabs(sum[1]);
    }
  }
}

/* What counts as a pivot of conditions: small ones before it have left that much more of round-off. */
WY_INLINE double least_pivot(double smallest) {
  return fmax(WY_HUB_DROPS, fmin(64 * DBL_EPSILON / smallest, 1e-6));
}

/* The open row whose entry in column k is the largest of all, measured by where rows and columns started; -1: none is
   a pivot, -2: something is not finite. `smallest` is that of the pivots so far. */
WY_INLINE int condition_pivot(const double *d, int im, int k, int order, const double *start, const bool *open,
                              double *smallest, int parts) {
  double best = least_pivot(*smallest);
  int row = -1;
  for (int r = 0; r < order; r++) {
    const double size = size_of(d + WY_LANES * k + r, im, parts), scale = sqrt(start[r]) * sqrt(start[k]);
    if (!isfinite(size) || !isfinite(scale))
      return -2;
    if (open[r] && size > best * scale)
      best = size / scale, row = r;
  }
  if (row >= 0)
    *smallest = fmin(*smallest, best);
  return row;
}

/* What became no pivot: nothing comes of its column, and nothing of its row. */
WY_INLINE void drop_pivot(double *d, int im, int k, block_pivots pivots, int order, int parts) {
  pivots.re[k] = 0;
  if (parts == 2)
    pivots.im[k] = 0;
  for (int r = 0; r < order; r++)
    for (int part = 0; part < parts; part++) {
      double *of = d + part * im;
      if (r > k)
        of[WY_LANES * k + r] = of[WY_LANES * r + k] = 0;
    }
}

/* L U of the block of conditions. A column without a pivot is left out, and finds its row among those that are left
   over at the end. */
WY_INLINE int factor_conditions(double *d, int im, block_pivots pivots, int order, const double *start,
                                double *smallest, int parts) {
  bool open[WY_HUB_MOST], found[WY_HUB_MOST];
  for (int r = 0; r < order; r++)
    open[r] = true;
  for (int k = 0; k < order; k++) {
    const int row = condition_pivot(d, im, k, order, start, open, smallest, parts);
    if (row == -2)
      return 1;
    found[k] = row >= 0;
    if (!found[k])
      continue;
    wide_bits left[WY_LANES / WIDE];
    int64_t bits[WY_LANES] = {0};
    open[row] = false;
    for (int r = 0; r < order; r++)
      bits[r] = open[r] ? -1 : 0;
    memcpy(left, bits, sizeof left);
    pivots.row[k] = (unsigned char)row;
    invert_pivot(d + WY_LANES * k + row, im, &pivots.re[k], &pivots.im[k], parts);
    clear_column(d, im, k, pivots, left, order, parts);
  }
  for (int k = 0, row = 0; k < order; k++) {
    if (found[k])
      continue;
    while (!open[row])
      row++;
    pivots.row[k] = (unsigned char)row++;
  }
  for (int part = 0; part < parts; part++)
    sort_rows(d + part * im, pivots.row, order);
  for (int k = 0; k < order; k++)
    if (!found[k])
      drop_pivot(d, im, k, pivots, order, parts);
  return 0;
}

/* x = x D^-1 with the factors of D: y U = x, z L = y, and columns to their places. */
WY_INLINE void divide_block(double *x, const double *d, int im, block_pivots pivots, int order, int parts) {
  for (int r = 0; r < WY_LANES; r += WIDE) {
    wide re[WY_HUB_MOST], imaginary[WY_HUB_MOST];
    for (int j = 0; j < order; j++) {
      wide a = LOAD_WIDE(x + WY_LANES * j + r), b = parts == 2 ? LOAD_WIDE(x + im + WY_LANES * j + r) : (wide){0};
      const double *u = d + WY_LANES * j;
      for (int k = 0; k < j; k++) {
        a -= re[k] * u[k];
        if (parts == 2) {
          a += imaginary[k] * u[im + k];
          b -= re[k] * u[im + k];
          b -= imaginary[k] * u[k];
        }
      }
      re[j] = parts == 2 ? a * pivots.re[j] - b * pivots.im[j] : a * pivots.re[j];
      if (parts == 2)
        imaginary[j] = a * pivots.im[j] + b * pivots.re[j];
    }
    for (int j = order - 2; j >= 0; j--) {
      const double *l = d + WY_LANES * j;
      for (int k = j + 1; k < order; k++) {
        re[j] -= re[k] * l[k];
        if (parts == 2) {
          re[j] += imaginary[k] * l[im + k];
          imaginary[j] -= re[k] * l[im + k];
          imaginary[j] -= imaginary[k] * l[k];
        }
      }
    }
    for (int j = 0; j < order; j++) {
      STORE_WIDE(x + WY_LANES * pivots.row[j] + r, re[j]);
      if (parts == 2)
        STORE_WIDE(x + im + WY_LANES * pivots.row[j] + r, imaginary[j]);
    }
  }
}

/* What the steps before j leave in its blocks. */
WY_INLINE void gather(const wy_hub_matrix *matrix, int j, int parts) {
  const wy_hub_pattern *pattern = matrix->pattern;
  const size_t block = hub_block(matrix);
  const int im = hub_imaginary(matrix), order = hub_order(pattern, j);
  for (int p = pattern->first[j]; p < pattern->first[j + 1]; p++)
    matrix->place[pattern->later[p]] = p;
  for (int q = pattern->first_back[j]; q < pattern->first_back[j + 1]; q++) {
    const int k = pattern->back_step[q], entry = pattern->back_entry[q], inner = hub_order(pattern, k);
    const double *row = matrix->below + block * (size_t)entry, *column = matrix->right + block * (size_t)entry;
    subtract(matrix->diagonal + block * (size_t)j, row, column, im, inner, order, parts);
    for (int p = entry + 1; p < pattern->first[k + 1]; p++) {
      const int to = matrix->place[pattern->later[p]];
      subtract(matrix->below + block * (size_t)to, matrix->below + block * (size_t)p, column, im, inner, order, parts);
      subtract(matrix->right + block * (size_t)to, row, matrix->right + block * (size_t)p, im, inner,
               hub_order(pattern, pattern->later[p]), parts);
    }
  }
}

/* Adds the number of negative eigenvalues of a diagonal block; 0, or 1 if it has no inverse. */
static int count_negative(const double *d, int order, int *negative) {
  wy_inertia inertia;
  double diagonal[WY_INERTIA_MOST][WY_INERTIA_MOST];
  inertia.size = inertia.negative = 0;
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++)
      diagonal[i][j] = d[WY_LANES * j + i];
  const int status = wy_inertia_add(&inertia, order, diagonal, diagonal);
  *negative += inertia.negative;
  return status;
}

/* The same of conditions, of which some are dropped. */
static void count_conditions(const double *d, int order, const double *start, double least, int *negative) {
  double scaled[WY_INERTIA_MOST][WY_INERTIA_MOST];
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++) {
      const double scale = sqrt(start[i]) * sqrt(start[j]);
      scaled[i][j] = scale > 0 ? 0.5 * (d[WY_LANES * j + i] + d[WY_LANES * i + j]) / scale : 0;
    }
  *negative += wy_inertia_negative(order, scaled, least);
}

/* Step j, a hub of conditions. */
static int factor_step(const wy_hub_matrix *matrix, int j, int *negative, double *smallest, int parts) {
  const int order = hub_order(matrix->pattern, j), im = hub_imaginary(matrix);
  const double *start = matrix->start + (size_t)WY_HUB_MOST * (size_t)j;
  double *d = matrix->diagonal + hub_block(matrix) * (size_t)j;
  if (negative)
    count_conditions(d, order, start, least_pivot(*smallest), negative);
  return parts == 2 ? factor_conditions(d, im, pivots_of(matrix, j), order, start, smallest, 2)
                    : factor_conditions(d, im, pivots_of(matrix, j), order, start, smallest, 1);
}

WY_INLINE int factor_hubs(const wy_hub_matrix *matrix, int *negative, int parts) {
  const wy_hub_pattern *pattern = matrix->pattern;
  const size_t block = hub_block(matrix);
  const int im = hub_imaginary(matrix);
  double smallest = 1; /* pivot of conditions */
  for (int j = 0; j < pattern->hubs; j++) {
    const int order = hub_order(pattern, j);
    const block_pivots pivots = pivots_of(matrix, j);
    double *d = matrix->diagonal + block * (size_t)j;
    const bool condition = matrix->start && pattern->condition[pattern->hub[j]];
    if (condition)
      measure_start(matrix, j, parts);
    gather(matrix, j, parts);
    if (condition && factor_step(matrix, j, negative, &smallest, parts))
      return j + 1;
    if (!condition &&
        ((negative && count_negative(d, order, negative)) ||
         (order == 6 ? factor_block(d, im, pivots, 6, parts) : factor_block(d, im, pivots, order, parts))))
      return j + 1;
    for (int p = pattern->first[j]; p < pattern->first[j + 1]; p++) {
      double *x = matrix->below + block * (size_t)p;
      if (order == 6)
        divide_block(x, d, im, pivots, 6, parts);
      else
        divide_block(x, d, im, pivots, order, parts);
    }
  }
  return 0;
}

/* x = D^-1 x with the factors of D; imaginary parts of vectors follow the real ones of each step. */
WY_INLINE void solve_block(double *x, const double *d, int im, block_pivots pivots, int order, int parts) {
  double re[WY_HUB_MOST], imaginary[WY_HUB_MOST];
  for (int k = 0; k < order; k++) {
    re[k] = x[pivots.row[k]];
    imaginary[k] = parts == 2 ? x[WY_LANES + pivots.row[k]] : 0;
  }
#pragma GCC unroll 8
  for (int k = 0; k < order; k++) {
    const double *l = d + WY_LANES * k;
#pragma GCC unroll 8
    for (int r = k + 1; r < order; r++) {
      re[r] -= l[r] * re[k];
      if (parts == 2) {
        re[r] += l[im + r] * imaginary[k];
        imaginary[r] -= l[r] * imaginary[k] + l[im + r] * re[k];
      }
    }
  }
#pragma GCC unroll 8
  for (int k = order - 1; k >= 0; k--) {
    const double *u = d + WY_LANES * k, a = re[k], b = imaginary[k];
    re[k] = a * pivots.re[k];
    if (parts == 2) {
      re[k] -= b * pivots.im[k];
      imaginary[k] = a * pivots.im[k] + b * pivots.re[k];
    }
#pragma GCC unroll 8
    for (int r = 0; r < k; r++) {
      re[r] -= u[r] * re[k];
      if (parts == 2) {
        re[r] += u[im + r] * imaginary[k];
        imaginary[r] -= u[r] * imaginary[k] + u[im + r] * re[k];
      }
    }
  }
  memcpy(x, re, (size_t)order * sizeof *x);
  if (parts == 2)
    memcpy(x + WY_LANES, imaginary, (size_t)order * sizeof *x);
}

/* y -= a x with `order` columns of a. */
WY_INLINE void subtract_vector(double *restrict y, const double *a, const double *x, int im, int order, int parts) {
  for (int r = 0; r < WY_LANES; r += WIDE) {
    wide re = LOAD_WIDE(y + r), imaginary = parts == 2 ? LOAD_WIDE(y + WY_LANES + r) : (wide){0};
    for (int k = 0; k < order; k++) {
      const wide a_re = LOAD_WIDE(a + WY_LANES * k + r);
      re -= a_re * x[k];
      if (parts == 2) {
        const wide a_im = LOAD_WIDE(a + im + WY_LANES * k + r);
        re += a_im * x[WY_LANES + k];
        imaginary -= a_re * x[WY_LANES + k];
        imaginary -= a_im * x[k];
      }
    }
    STORE_WIDE(y + r, re);
    if (parts == 2)
      STORE_WIDE(y + WY_LANES + r, imaginary);
  }
}

WY_INLINE void solve_hubs(const wy_hub_matrix *matrix, int parts) {
  const wy_hub_pattern *pattern = matrix->pattern;
  const size_t block = hub_block(matrix), vector = (size_t)(WY_LANES * parts);
  const int im = hub_imaginary(matrix);
  double *x = matrix->work;
  for (int k = 0; k < pattern->hubs; k++)
    for (int p = pattern->first[k]; p < pattern->first[k + 1]; p++)
      subtract_vector(x + vector * (size_t)pattern->later[p], matrix->below + block * (size_t)p, x + vector * (size_t)k,
                      im, hub_order(pattern, k), parts);
  for (int k = pattern->hubs - 1; k >= 0; k--) {
    for (int p = pattern->first[k]; p < pattern->first[k + 1]; p++)
      subtract_vector(x + vector * (size_t)k, matrix->right + block * (size_t)p, x + vector * (size_t)pattern->later[p],
                      im, hub_order(pattern, pattern->later[p]), parts);
    double *own = x + vector * (size_t)k;
    const double *d = matrix->diagonal + block * (size_t)k;
    if (hub_order(pattern, k) == 6)
      solve_block(own, d, im, pivots_of(matrix, k), 6, parts);
    else
      solve_block(own, d, im, pivots_of(matrix, k), hub_order(pattern, k), parts);
  }
}

static int factor_any(const wy_hub_matrix *matrix, int *negative) {
  return matrix->parts == 2 ? factor_hubs(matrix, NULL, 2) : factor_hubs(matrix, negative, 1);
}

static void solve_any(const wy_hub_matrix *matrix) {
  if (matrix->parts == 2)
    solve_hubs(matrix, 2);
  else
    solve_hubs(matrix, 1);
}

#endif
