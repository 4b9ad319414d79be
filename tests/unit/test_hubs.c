/* SPDX-License-Identifier: MIT */
/* Matrices on hubs against dense ones: random trees, loops, grids and stars, hubs of many orders. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linalg/hubs.h"
#include "linalg/hubs_kernels.h"
#include "support/dense.h"
#include "support/rods.h"

enum { MOST = WY_HUB_MOST, EDGES_MAX = 8000, ROWS_MAX = 480 };

typedef enum hub_shape { ALONE, APART, TREE, RING, LOOPS, GRID, STAR, SHAPES } hub_shape;
typedef enum order_kind { SIX, THREE_OR_SIX, ANY, ORDERS } order_kind;

typedef struct hub_network {
  int hubs, edge_count, edges[EDGES_MAX][2];
  int *order;
} hub_network;

static unsigned seed = 1;

static int draw_int(int below) {
  return (int)(0.5 * (noise(&seed) + 1) * below) % below;
}

static void join(hub_network *self, int a, int b) {
  assert_in_range(self->edge_count, 0, EDGES_MAX - 1);
  self->edges[self->edge_count][0] = a;
  self->edges[self->edge_count++][1] = b;
}

/* `size` is the number of hubs, or of those along the side of a grid. */
static hub_network *open_network(hub_shape shape, order_kind orders, int size) {
  hub_network *self = calloc(1, sizeof *self);
  assert_non_null(self);
  self->hubs = shape == ALONE ? 1 : shape == GRID ? size * size : size;
  self->order = malloc((size_t)self->hubs * sizeof *self->order);
  assert_non_null(self->order);
  for (int i = 0; i < self->hubs; i++) {
    self->order[i] = orders == SIX ? 6 : orders == ANY ? 1 + draw_int(MOST) : draw_int(2) ? 3 : 6;
    if (i > 0 && (shape == TREE || shape == LOOPS))
      join(self, i, draw_int(i));
    if (i > 0 && shape == STAR)
      join(self, i, 0);
    if (shape == RING)
      join(self, i, (i + 1) % size);
    if (shape == LOOPS && i % 3 == 0)
      join(self, i, draw_int(self->hubs)); /* twice the same edge, or a hub to itself, is no mistake */
    if (shape == GRID && i % size)
      join(self, i, i - 1);
    if (shape == GRID && i >= size)
      join(self, i, i - size);
  }
  return self;
}

static void close_network(hub_network *self) {
  free(self->order);
  free(self);
}

/* A matrix with its blocks as they were added: those of the edges, both ways, then those of the hubs. */
typedef struct block {
  int i, j;
  double re[MOST][MOST], im[MOST][MOST];
} block;

typedef struct system_on_hubs {
  wy_arena arena;
  wy_hub_pattern pattern;
  wy_hub_matrix real;
  wy_hub_matrix_complex complex;
  double *b, *x, *b_im, *x_im;
  int block_count;
  block *blocks;
} system_on_hubs;

static void layout(system_on_hubs *self, const hub_network *network) {
  wy_arena *arena = &self->arena;
  assert_int_equal(wy_hub_pattern_layout(&self->pattern, arena, network->hubs, network->order, NULL,
                                         network->edge_count, (const int(*)[2])network->edges),
                   0);
  wy_hub_matrix_layout(&self->real, arena, &self->pattern);
  wy_hub_matrix_complex_layout(&self->complex, arena, &self->pattern);
  double **vectors[] = {&self->b, &self->x, &self->b_im, &self->x_im};
  for (int v = 0; v < 4; v++)
    *vectors[v] = wy_arena_doubles(arena, (size_t)self->pattern.unknowns);
}

static void add_blocks(system_on_hubs *self) {
  wy_hub_matrix_clear(&self->real);
  wy_hub_matrix_complex_clear(&self->complex);
  for (int k = 0; k < self->block_count; k++) {
    const block *own = &self->blocks[k];
    wy_hub_matrix_add(&self->real, own->i, own->j, own->re[0], MOST);
    wy_hub_matrix_complex_add(&self->complex, own->i, own->j, own->re[0], own->im[0], MOST);
  }
}

/* Every row has one entry of size `heavy` at random places of its diagonal block, of random sign: it is indefinite, and
   its rows have to be exchanged, but with them in order it is dominated by the diagonal. All others are below 1. */
static void draw_block(block *own, int i, int j, int rows, int columns, double heavy) {
  *own = (block){.i = i, .j = j};
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      own->re[r][c] = noise(&seed);
      own->im[r][c] = noise(&seed);
    }
  if (i != j || heavy == 0)
    return;
  int place[MOST];
  for (int r = 0; r < rows; r++) { /* a permutation */
    const int other = draw_int(r + 1);
    place[r] = place[other], place[other] = r;
  }
  for (int r = 0; r < rows; r++) {
    own->re[r][place[r]] += draw_int(2) ? heavy : -heavy;
    own->im[r][place[r]] += draw_int(2) ? heavy : -heavy;
  }
}

/* Twice the sum of what else can be in a row or column. */
static double heavy_of(const hub_network *network) {
  int *count = calloc((size_t)network->hubs, sizeof *count), largest = 0;
  assert_non_null(count);
  for (int e = 0; e < network->edge_count; e++)
    for (int side = 0; side < 2; side++) {
      const int hub = network->edges[e][side];
      largest = ++count[hub] > largest ? count[hub] : largest;
    }
  free(count);
  return 2.0 * MOST * (largest + 1);
}

static void open_system(system_on_hubs *self, const hub_network *network, double heavy) {
  *self = (system_on_hubs){0};
  layout(self, network);
  assert_int_equal(wy_arena_allocate(&self->arena), 0);
  layout(self, network);
  self->block_count = network->hubs + 2 * network->edge_count;
  self->blocks = malloc((size_t)self->block_count * sizeof *self->blocks);
  assert_non_null(self->blocks);
  for (int k = 0; k < self->block_count; k++) {
    const int e = k / 2, hub = k - 2 * network->edge_count;
    const int i = hub >= 0 ? hub : network->edges[e][k % 2], j = hub >= 0 ? hub : network->edges[e][1 - k % 2];
    draw_block(&self->blocks[k], i, j, network->order[i], network->order[j], hub >= 0 ? heavy : 0);
  }
  for (int i = 0; i < self->pattern.unknowns; i++) {
    self->x[i] = self->b[i] = noise(&seed);
    self->x_im[i] = self->b_im[i] = noise(&seed);
  }
}

static void close_system(system_on_hubs *self) {
  wy_arena_release(&self->arena);
  free(self->blocks);
}

static double largest_in(const double *values, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, fabs(values[i]));
  return largest;
}

/* y = A x of the blocks; the imaginary parts where they are given. */
static void multiply(const system_on_hubs *self, const double *re, const double *im, double *y_re, double *y_im) {
  const wy_hub_pattern *pattern = &self->pattern;
  memset(y_re, 0, (size_t)pattern->unknowns * sizeof *y_re);
  if (im)
    memset(y_im, 0, (size_t)pattern->unknowns * sizeof *y_im);
  for (int k = 0; k < self->block_count; k++) {
    const block *own = &self->blocks[k];
    for (int r = 0; r < pattern->order[own->i]; r++)
      for (int c = 0; c < pattern->order[own->j]; c++) {
        const int row = pattern->offset[own->i] + r, column = pattern->offset[own->j] + c;
        y_re[row] += own->re[r][c] * re[column] - (im ? own->im[r][c] * im[column] : 0);
        if (im)
          y_im[row] += own->re[r][c] * im[column] + own->im[r][c] * re[column];
      }
  }
}

/* Rows dominated by a factor of 2 have a condition of at most 3: |A| <= 3/2 heavy, |A^-1| <= 2 / heavy. Eliminating a
   row of n unknowns rounds n products and the solution two times as many: 3 n, as for bands that are dominated. */
static double tolerance(int n, double size) {
  const double relative = 3 * 3.0 * n * DBL_EPSILON;
  assert_true(relative < 1e-11);
  return relative * size;
}

/* The bound for the solution, with |A| for the residual. */
static void check_residual(const system_on_hubs *self, const double *re, const double *im, double heavy) {
  const int n = self->pattern.unknowns;
  double *y = malloc(2 * (size_t)n * sizeof *y);
  assert_non_null(y);
  multiply(self, re, im, y, y + n);
  const double size = fmax(largest_in(re, n), im ? largest_in(im, n) : 0);
  const double bound = (im ? 8 : 1) * 1.5 * heavy * tolerance(n, size); /* complex: see test_band */
  for (int i = 0; i < n; i++) {
    check_close(y[i], self->b[i], bound);
    if (im)
      check_close(y[n + i], self->b_im[i], bound);
  }
  free(y);
}

/* The real matrix, or the complex one of order n as a real one of order 2n. */
static double *make_dense(const system_on_hubs *self, bool complex) {
  const wy_hub_pattern *pattern = &self->pattern;
  const int n = pattern->unknowns, order = complex ? 2 * n : n;
  double *dense = calloc((size_t)order * (size_t)order, sizeof *dense);
  assert_non_null(dense);
  for (int k = 0; k < self->block_count; k++) {
    const block *own = &self->blocks[k];
    for (int r = 0; r < pattern->order[own->i]; r++)
      for (int c = 0; c < pattern->order[own->j]; c++) {
        const int row = pattern->offset[own->i] + r, column = pattern->offset[own->j] + c;
        dense[row * order + column] += own->re[r][c];
        if (complex) {
          dense[(n + row) * order + n + column] += own->re[r][c];
          dense[row * order + n + column] -= own->im[r][c];
          dense[(n + row) * order + column] += own->im[r][c];
        }
      }
  }
  return dense;
}

static void check_real(system_on_hubs *self, double heavy) {
  const int n = self->pattern.unknowns;
  assert_in_range(n, 1, ROWS_MAX);
  int pivot[ROWS_MAX], sign = 1;
  double want[ROWS_MAX], *dense = make_dense(self, false);
  memcpy(want, self->b, (size_t)n * sizeof *want);
  assert_int_equal(wy_dense_factor(dense, n, pivot), 0);
  wy_dense_solve(dense, n, pivot, want);
  for (int k = 0; k < n; k++)
    sign *= (pivot[k] == k ? 1 : -1) * (dense[k * n + k] < 0 ? -1 : 1);
  assert_int_equal(wy_hub_matrix_factor(&self->real), 0);
  wy_hub_matrix_solve(&self->real, self->x);
  for (int i = 0; i < n; i++)
    check_close(self->x[i], want[i], tolerance(n, largest_in(want, n)));
  check_residual(self, self->x, NULL, heavy);
  assert_int_equal(wy_hub_matrix_sign(&self->real), sign);
  free(dense);
}

static void check_complex(system_on_hubs *self, double heavy) {
  const int n = self->pattern.unknowns;
  int pivot[2 * ROWS_MAX];
  double want[2 * ROWS_MAX], *dense = make_dense(self, true);
  memcpy(want, self->b, (size_t)n * sizeof *want);
  memcpy(want + n, self->b_im, (size_t)n * sizeof *want);
  assert_int_equal(wy_dense_factor(dense, 2 * n, pivot), 0);
  wy_dense_solve(dense, 2 * n, pivot, want);
  for (int i = 0; i < n; i++)
    self->x[i] = self->b[i];
  assert_int_equal(wy_hub_matrix_complex_factor(&self->complex), 0);
  wy_hub_matrix_complex_solve(&self->complex, self->x, self->x_im);
  for (int i = 0; i < n; i++) {
    check_close(self->x[i], want[i], 4 * tolerance(n, largest_in(want, 2 * n)));
    check_close(self->x_im[i], want[n + i], 4 * tolerance(n, largest_in(want, 2 * n)));
  }
  check_residual(self, self->x, self->x_im, heavy);
  free(dense);
}

static int size_of(hub_shape shape, int round) {
  return shape == GRID ? 2 + round % 4 : 2 + round * 5;
}

static void solutions_agree_with_dense_ones(void **state) {
  (void)state;
  for (hub_shape shape = ALONE; shape < SHAPES; shape++)
    for (order_kind orders = SIX; orders < ORDERS; orders++)
      for (int round = 0; round < 6; round++) {
        hub_network *network = open_network(shape, orders, size_of(shape, round));
        const double heavy = heavy_of(network);
        system_on_hubs system;
        open_system(&system, network, heavy);
        add_blocks(&system);
        check_real(&system, heavy);
        check_complex(&system, heavy);
        close_system(&system);
        close_network(network);
      }
}

static int all_kernels(const wy_hub_kernels *kernels[3]) {
  int count = 0;
  kernels[count++] = &wy_hub_base;
#if WY_HAVE_CLONES
  if (__builtin_cpu_supports("x86-64-v3"))
    kernels[count++] = &wy_hub_v3;
  if (__builtin_cpu_supports("x86-64-v4"))
    kernels[count++] = &wy_hub_v4;
#endif
  return count;
}

/* To or from the vector by steps that kernels work on. */
static void exchange(const wy_hub_matrix *matrix, int part, double *x, bool load) {
  const wy_hub_pattern *pattern = matrix->pattern;
  for (int k = 0; k < pattern->hubs; k++)
    for (int r = 0; r < pattern->order[pattern->hub[k]]; r++) {
      double *own = &matrix->work[WY_LANES * (matrix->parts * k + part) + r];
      double *given = &x[pattern->offset[pattern->hub[k]] + r];
      *(load ? own : given) = *(load ? given : own);
    }
}

static void every_kernel_solves(void **state) {
  (void)state;
  const wy_hub_kernels *kernels[3];
  const int count = all_kernels(kernels);
  for (order_kind orders = SIX; orders < ORDERS; orders++)
    for (int c = 0; c < count; c++) {
      hub_network *network = open_network(GRID, orders, 6);
      const double heavy = heavy_of(network);
      system_on_hubs system;
      open_system(&system, network, heavy);
      add_blocks(&system);
      assert_int_equal(kernels[c]->factor(&system.real, NULL), 0);
      memset(system.real.work, 0, sizeof(double) * (size_t)(WY_LANES * network->hubs));
      exchange(&system.real, 0, system.x, true);
      kernels[c]->solve(&system.real);
      exchange(&system.real, 0, system.x, false);
      check_residual(&system, system.x, NULL, heavy);
      memcpy(system.x, system.b, sizeof(double) * (size_t)system.pattern.unknowns);
      const wy_hub_matrix *both = &system.complex.both;
      assert_int_equal(kernels[c]->factor(both, NULL), 0);
      memset(both->work, 0, sizeof(double) * (size_t)(2 * WY_LANES * network->hubs));
      exchange(both, 0, system.x, true);
      exchange(both, 1, system.x_im, true);
      kernels[c]->solve(both);
      exchange(both, 0, system.x, false);
      exchange(both, 1, system.x_im, false);
      check_residual(&system, system.x, system.x_im, heavy);
      close_system(&system);
      close_network(network);
    }
}

/* Too large to be dense. */
static void large_networks_fit_their_equations(void **state) {
  (void)state;
  static const struct {
    hub_shape shape;
    int size;
  } cases[] = {{TREE, 700}, {STAR, 1001}, {LOOPS, 200}, {GRID, 20}, {RING, 500}, {APART, 1000}};
  for (int c = 0; c < (int)(sizeof cases / sizeof cases[0]); c++) {
    hub_network *network = open_network(cases[c].shape, c % 2 ? THREE_OR_SIX : SIX, cases[c].size);
    const double heavy = heavy_of(network);
    system_on_hubs system;
    open_system(&system, network, heavy);
    add_blocks(&system);
    assert_int_equal(wy_hub_matrix_factor(&system.real), 0);
    wy_hub_matrix_solve(&system.real, system.x);
    check_residual(&system, system.x, NULL, heavy);
    memcpy(system.x, system.b, sizeof(double) * (size_t)system.pattern.unknowns);
    assert_int_equal(wy_hub_matrix_complex_factor(&system.complex), 0);
    wy_hub_matrix_complex_solve(&system.complex, system.x, system.x_im);
    check_residual(&system, system.x, system.x_im, heavy);
    close_system(&system);
    close_network(network);
  }
}

/* Trees and stars fill nothing, a ring one block a hub but for the last three; a grid at most half of its band. */
static void the_order_keeps_the_fill_small(void **state) {
  (void)state;
  static const struct {
    hub_shape shape;
    int size, entries;
  } cases[] = {{ALONE, 1, 0}, {APART, 50, 0},   {TREE, 3000, 2999},       {STAR, 3001, 3000},
               {RING, 6, 9},  {RING, 500, 997}, {GRID, 30, 30 * 900 / 2}, {GRID, 60, 60 * 3600 / 2}};
  for (int c = 0; c < (int)(sizeof cases / sizeof cases[0]); c++) {
    hub_network *network = open_network(cases[c].shape, SIX, cases[c].size);
    wy_hub_pattern pattern;
    wy_arena arena = {0};
    assert_int_equal(wy_hub_pattern_layout(&pattern, &arena, network->hubs, network->order, NULL, network->edge_count,
                                           (const int(*)[2])network->edges),
                     0);
    if (cases[c].shape == GRID)
      assert_in_range(pattern.entries, network->edge_count, cases[c].entries);
    else
      assert_int_equal(pattern.entries, cases[c].entries);
    close_network(network);
  }
}

/* Hub i is called number[i]. */
static void renumbered_hubs_have_the_same_solution(void **state) {
  (void)state;
  for (hub_shape shape = TREE; shape < SHAPES; shape++) {
    hub_network *network = open_network(shape, THREE_OR_SIX, shape == GRID ? 7 : 40),
                *renamed = open_network(ALONE, SIX, 1);
    const double heavy = heavy_of(network);
    system_on_hubs system;
    open_system(&system, network, heavy);
    int number[64];
    for (int i = 0; i < network->hubs; i++) {
      const int other = draw_int(i + 1);
      number[i] = number[other], number[other] = i;
    }
    free(renamed->order);
    *renamed = *network;
    renamed->order = malloc((size_t)network->hubs * sizeof *renamed->order);
    assert_non_null(renamed->order);
    for (int i = 0; i < network->hubs; i++)
      renamed->order[number[i]] = network->order[i];
    for (int e = 0; e < network->edge_count; e++) /* and the edges in another order */
      for (int side = 0; side < 2; side++)
        renamed->edges[network->edge_count - 1 - e][side] = number[network->edges[e][side]];
    system_on_hubs other;
    open_system(&other, renamed, heavy);
    memcpy(other.blocks, system.blocks, (size_t)system.block_count * sizeof *system.blocks);
    for (int k = 0; k < other.block_count; k++) {
      other.blocks[k].i = number[system.blocks[k].i];
      other.blocks[k].j = number[system.blocks[k].j];
    }
    for (int i = 0; i < network->hubs; i++)
      memcpy(other.x + other.pattern.offset[number[i]], system.b + system.pattern.offset[i],
             sizeof(double) * (size_t)network->order[i]);
    add_blocks(&system);
    add_blocks(&other);
    assert_int_equal(wy_hub_matrix_factor(&system.real), 0);
    assert_int_equal(wy_hub_matrix_factor(&other.real), 0);
    wy_hub_matrix_solve(&system.real, system.x);
    wy_hub_matrix_solve(&other.real, other.x);
    const int n = system.pattern.unknowns;
    for (int i = 0; i < network->hubs; i++)
      for (int r = 0; r < network->order[i]; r++)
        check_close(other.x[other.pattern.offset[number[i]] + r], system.x[system.pattern.offset[i] + r],
                    tolerance(n, largest_in(system.x, n)));
    close_system(&system);
    close_system(&other);
    close_network(network);
    close_network(renamed);
  }
}

static void a_matrix_is_factored_again_to_the_bit(void **state) {
  (void)state;
  hub_network *network = open_network(GRID, THREE_OR_SIX, 6);
  system_on_hubs system;
  open_system(&system, network, heavy_of(network));
  double first[ROWS_MAX];
  for (int round = 0; round < 2; round++) {
    add_blocks(&system);
    memcpy(system.x, system.b, sizeof(double) * (size_t)system.pattern.unknowns);
    assert_int_equal(wy_hub_matrix_factor(&system.real), 0);
    wy_hub_matrix_solve(&system.real, system.x);
    if (round == 0)
      memcpy(first, system.x, sizeof(double) * (size_t)system.pattern.unknowns);
  }
  assert_memory_equal(first, system.x, sizeof(double) * (size_t)system.pattern.unknowns);
  close_system(&system);
  close_network(network);
}

/* A block is read with any distance of its rows. */
static void blocks_may_be_parts_of_larger_ones(void **state) {
  (void)state;
  hub_network *network = open_network(RING, SIX, 2);
  system_on_hubs system;
  open_system(&system, network, 0);
  double both[12][12];
  for (int r = 0; r < 12; r++)
    for (int c = 0; c < 12; c++)
      both[r][c] = noise(&seed) + (r == c ? 24 : 0);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      wy_hub_matrix_add(&system.real, i, j, &both[6 * i][6 * j], 12);
  int pivot[12];
  assert_int_equal(wy_hub_matrix_factor(&system.real), 0);
  assert_int_equal(wy_dense_factor(both[0], 12, pivot), 0);
  wy_hub_matrix_solve(&system.real, system.x);
  wy_dense_solve(both[0], 12, pivot, system.b);
  for (int i = 0; i < 12; i++)
    check_close(system.x[i], system.b[i], tolerance(12, largest_in(system.b, 12)));
  close_system(&system);
  close_network(network);
}

/* Eigenvalues by Jacobi's rotations: they stand on the diagonal when nothing is left beside it. */
static void find_eigenvalues(double *a, int n) {
  for (int sweep = 0; sweep < 60; sweep++) {
    double beside = 0, on = 0;
    for (int p = 0; p < n; p++)
      for (int q = 0; q < n; q++)
        *(p == q ? &on : &beside) += a[p * n + q] * a[p * n + q];
    if (beside <= 1e-24 * on)
      return;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        if (a[p * n + q] == 0)
          continue;
        const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; k++) {
          const double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
        }
        for (int k = 0; k < n; k++) {
          const double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
        }
      }
  }
  fail_msg("Jacobi's rotations did not converge");
}

/* With nothing heavy the blocks decide, and some are nearly singular; sign and count must not care. */
static void negative_eigenvalues_are_counted(void **state) {
  (void)state;
  for (hub_shape shape = ALONE; shape < SHAPES; shape++)
    for (order_kind orders = SIX; orders < ORDERS; orders++)
      for (int round = 0; round < 3; round++) {
        hub_network *network = open_network(shape, orders, shape == GRID ? 2 + round : 2 + 4 * round);
        system_on_hubs system;
        open_system(&system, network, round == 2 ? heavy_of(network) : 0);
        const int n = system.pattern.unknowns;
        double *dense = make_dense(&system, false);
        for (int i = 0; i < n; i++)
          for (int j = 0; j <= i; j++)
            dense[i * n + j] = dense[j * n + i] = 0.5 * (dense[i * n + j] + dense[j * n + i]);
        find_eigenvalues(dense, n);
        int want = 0, negative = -1;
        double smallest = HUGE_VAL, largest = 0;
        for (int i = 0; i < n; i++) {
          want += dense[i * n + i] < 0;
          smallest = fmin(smallest, fabs(dense[i * n + i]));
          largest = fmax(largest, fabs(dense[i * n + i]));
        }
        assert_true(smallest > 1e-8 * largest); /* else the count would be left to round-off */
        add_blocks(&system);
        assert_int_equal(wy_hub_negative(&system.real, &negative), 0);
        assert_int_equal(negative, want);
        free(dense);
        close_system(&system);
        close_network(network);
      }
}

/* Blocks of zeros stay zero, whatever is eliminated around them. */
static void a_singular_hub_is_reported(void **state) {
  (void)state;
  for (hub_shape shape = ALONE; shape < SHAPES; shape++) {
    hub_network *network = open_network(shape, ANY, shape == GRID ? 4 : 12);
    for (int hub = 0; hub < network->hubs; hub++) {
      system_on_hubs system;
      open_system(&system, network, heavy_of(network));
      for (int k = 0; k < system.block_count; k++)
        if (system.blocks[k].i == hub || system.blocks[k].j == hub) {
          memset(system.blocks[k].re, 0, sizeof system.blocks[k].re);
          memset(system.blocks[k].im, 0, sizeof system.blocks[k].im);
        }
      int negative;
      add_blocks(&system);
      assert_int_equal(wy_hub_matrix_factor(&system.real), 1 + hub);
      assert_int_equal(wy_hub_matrix_complex_factor(&system.complex), 1 + hub);
      add_blocks(&system);
      assert_int_equal(wy_hub_negative(&system.real, &negative), 1);
      close_system(&system);
    }
    close_network(network);
  }
}

static void a_value_that_is_not_finite_is_reported(void **state) {
  (void)state;
  static const double values[] = {(double)NAN, HUGE_VAL};
  hub_network *network = open_network(LOOPS, THREE_OR_SIX, 12);
  for (int v = 0; v < 2; v++)
    for (int k = 0; k < 12 + 2 * network->edge_count; k++) {
      system_on_hubs system;
      open_system(&system, network, heavy_of(network));
      system.blocks[k].re[2][0] = values[v];
      add_blocks(&system);
      assert_in_range(wy_hub_matrix_factor(&system.real), 1, network->hubs);
      assert_in_range(wy_hub_matrix_complex_factor(&system.complex), 1, network->hubs);
      close_system(&system);
    }
  close_network(network);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_agree_with_dense_ones),
      cmocka_unit_test(every_kernel_solves),
      cmocka_unit_test(large_networks_fit_their_equations),
      cmocka_unit_test(the_order_keeps_the_fill_small),
      cmocka_unit_test(renumbered_hubs_have_the_same_solution),
      cmocka_unit_test(a_matrix_is_factored_again_to_the_bit),
      cmocka_unit_test(blocks_may_be_parts_of_larger_ones),
      cmocka_unit_test(negative_eigenvalues_are_counted),
      cmocka_unit_test(a_singular_hub_is_reported),
      cmocka_unit_test(a_value_that_is_not_finite_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
