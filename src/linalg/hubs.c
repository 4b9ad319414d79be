/* SPDX-License-Identifier: MIT */
/* Matrices on hubs: storage, and the choice of the kernels for this processor. */
#include "linalg/hubs.h"

#include <assert.h>
#include <string.h>

#include "linalg/hubs_kernels.h"

static void layout(wy_hub_matrix *matrix, wy_arena *arena, const wy_hub_pattern *pattern, int parts) {
  *matrix = (wy_hub_matrix){.pattern = pattern, .parts = parts};
  const size_t block = hub_block(matrix), hubs = (size_t)pattern->hubs, vector = (size_t)parts * WY_LANES;
  matrix->diagonal = wy_arena_doubles(arena, hubs * block);
  matrix->below = wy_arena_doubles(arena, (size_t)pattern->entries * block);
  matrix->right = wy_arena_doubles(arena, (size_t)pattern->entries * block);
  matrix->reciprocal = wy_arena_doubles(arena, hubs * vector);
  matrix->pivot = wy_arena_take(arena, hubs * WY_HUB_MOST);
  matrix->place = wy_arena_take(arena, hubs * sizeof *matrix->place);
  matrix->work = wy_arena_doubles(arena, hubs * vector);
  matrix->start = pattern->conditions ? wy_arena_doubles(arena, hubs * WY_HUB_MOST) : NULL;
}

void wy_hub_matrix_layout(wy_hub_matrix *matrix, wy_arena *arena, const wy_hub_pattern *pattern) {
  layout(matrix, arena, pattern, 1);
}

void wy_hub_matrix_complex_layout(wy_hub_matrix_complex *matrix, wy_arena *arena, const wy_hub_pattern *pattern) {
  layout(&matrix->both, arena, pattern, 2);
}

void wy_hub_matrix_clear(wy_hub_matrix *matrix) {
  const size_t block = hub_block(matrix) * sizeof(double), entries = (size_t)matrix->pattern->entries;
  memset(matrix->diagonal, 0, (size_t)matrix->pattern->hubs * block);
  memset(matrix->below, 0, entries * block);
  memset(matrix->right, 0, entries * block);
}

void wy_hub_matrix_complex_clear(wy_hub_matrix_complex *matrix) {
  wy_hub_matrix_clear(&matrix->both);
}

/* The entry of step k with step `later`, which must be there. */
static size_t find_entry(const wy_hub_pattern *pattern, int k, int later) {
  int low = pattern->first[k], high = pattern->first[k + 1] - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (pattern->later[middle] < later)
      low = middle + 1;
    else
      high = middle;
  }
  assert(low == high && pattern->later[low] == later);
  return (size_t)low;
}

static double *find_block(const wy_hub_matrix *matrix, int i, int j) {
  const wy_hub_pattern *pattern = matrix->pattern;
  const int row = pattern->step[i], column = pattern->step[j];
  const size_t block = hub_block(matrix);
  if (row == column)
    return matrix->diagonal + block * (size_t)row;
  return row > column ? matrix->below + block * find_entry(pattern, column, row)
                      : matrix->right + block * find_entry(pattern, row, column);
}

static void add(double *to, const double *block, int stride, int rows, int columns) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      to[WY_LANES * c + r] += block[r * stride + c];
}

void wy_hub_matrix_add(wy_hub_matrix *matrix, int i, int j, const double *block, int stride) {
  const wy_hub_pattern *pattern = matrix->pattern;
  assert(i >= 0 && i < pattern->hubs && j >= 0 && j < pattern->hubs && stride >= pattern->order[j]);
  add(find_block(matrix, i, j), block, stride, pattern->order[i], pattern->order[j]);
}

void wy_hub_matrix_complex_add(wy_hub_matrix_complex *matrix, int i, int j, const double *re, const double *im,
                               int stride) {
  const wy_hub_pattern *pattern = matrix->both.pattern;
  assert(i >= 0 && i < pattern->hubs && j >= 0 && j < pattern->hubs && stride >= pattern->order[j]);
  double *to = find_block(&matrix->both, i, j);
  add(to, re, stride, pattern->order[i], pattern->order[j]);
  add(to + hub_imaginary(&matrix->both), im, stride, pattern->order[i], pattern->order[j]);
}

int wy_hub_matrix_factor(wy_hub_matrix *matrix) {
  assert(matrix->diagonal && matrix->parts == 1);
  const int failed = WY_KERNELS(wy_hub)->factor(matrix, NULL);
  return failed ? 1 + matrix->pattern->hub[failed - 1] : 0;
}

int wy_hub_matrix_complex_factor(wy_hub_matrix_complex *matrix) {
  assert(matrix->both.diagonal && matrix->both.parts == 2);
  const int failed = WY_KERNELS(wy_hub)->factor(&matrix->both, NULL);
  return failed ? 1 + matrix->both.pattern->hub[failed - 1] : 0;
}

/* One part of a vector by hubs, to and from the one by steps. */
static void load(const wy_hub_matrix *matrix, const double *b, int part) {
  const wy_hub_pattern *pattern = matrix->pattern;
  for (int k = 0; k < pattern->hubs; k++) {
    double *to = matrix->work + (size_t)WY_LANES * (size_t)(matrix->parts * k + part);
    const int order = hub_order(pattern, k);
    for (int r = 0; r < WY_LANES; r++)
      to[r] = r < order ? b[pattern->offset[pattern->hub[k]] + r] : 0;
  }
}

static void store(const wy_hub_matrix *matrix, double *b, int part) {
  const wy_hub_pattern *pattern = matrix->pattern;
  for (int k = 0; k < pattern->hubs; k++)
    memcpy(b + pattern->offset[pattern->hub[k]], matrix->work + (size_t)WY_LANES * (size_t)(matrix->parts * k + part),
           (size_t)hub_order(pattern, k) * sizeof *b);
}

void wy_hub_matrix_solve(const wy_hub_matrix *matrix, double *b) {
  assert(matrix->parts == 1 && b);
  load(matrix, b, 0);
  WY_KERNELS(wy_hub)->solve(matrix);
  store(matrix, b, 0);
}

void wy_hub_matrix_complex_solve(const wy_hub_matrix_complex *matrix, double *re, double *im) {
  assert(matrix->both.parts == 2 && re && im && re != im);
  load(&matrix->both, re, 0);
  load(&matrix->both, im, 1);
  WY_KERNELS(wy_hub)->solve(&matrix->both);
  store(&matrix->both, re, 0);
  store(&matrix->both, im, 1);
}

int wy_hub_matrix_dropped(const wy_hub_matrix *matrix, int hub) {
  const wy_hub_pattern *pattern = matrix->pattern;
  int dropped = 0;
  for (int k = 0; pattern->condition && k < pattern->hubs; k++) {
    const int of = pattern->hub[k];
    const double *re = matrix->reciprocal + (size_t)(matrix->parts * WY_HUB_MOST) * (size_t)k, *im = re + WY_HUB_MOST;
    if (!pattern->condition[of] || (hub >= 0 && of != hub))
      continue;
    for (int r = 0; r < pattern->order[of]; r++)
      dropped += re[r] == 0 && (matrix->parts == 1 || im[r] == 0);
  }
  return dropped;
}

int wy_hub_matrix_sign(const wy_hub_matrix *matrix) {
  assert(matrix->parts == 1);
  int negative = 0;
  for (int k = 0; k < matrix->pattern->hubs; k++) {
    const double *reciprocal = matrix->reciprocal + (size_t)WY_HUB_MOST * (size_t)k;
    const unsigned char *row = matrix->pivot + (size_t)WY_HUB_MOST * (size_t)k;
    for (int r = 0; r < hub_order(matrix->pattern, k); r++) {
      negative += reciprocal[r] < 0;
      for (int s = 0; s < r; s++)
        negative += row[s] > row[r];
    }
  }
  return negative % 2 == 0 ? 1 : -1;
}

/* Two blocks that are to be transposes of each other: both become the mean. Of a diagonal block with itself, too. */
static void symmetrise(double *a, double *b, int rows, int columns) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      double *x = &a[WY_LANES * c + r], *y = &b[WY_LANES * r + c];
      *x = *y = 0.5 * (*x + *y);
    }
}

int wy_hub_negative(wy_hub_matrix *matrix, int *negative) {
  assert(matrix->parts == 1 && negative);
  const wy_hub_pattern *pattern = matrix->pattern;
  const size_t block = hub_block(matrix);
  for (int k = 0; k < pattern->hubs; k++) {
    const int order = hub_order(pattern, k);
    double *diagonal = matrix->diagonal + block * (size_t)k;
    symmetrise(diagonal, diagonal, order, order);
    for (int p = pattern->first[k]; p < pattern->first[k + 1]; p++)
      symmetrise(matrix->below + block * (size_t)p, matrix->right + block * (size_t)p,
                 hub_order(pattern, pattern->later[p]), order);
  }
  *negative = 0;
  return WY_KERNELS(wy_hub)->factor(matrix, negative) != 0;
}
