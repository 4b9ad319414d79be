/* SPDX-License-Identifier: MIT */
/* Timing of the linear algebra of networks: rods with 6 unknowns a segment, each a band with the columns and rows of
   the hubs at its ends, condensed to blocks on hubs. The numbers are random, with a heavy diagonal; the sizes are those
   of the staggered rod. */
#include "bench/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "bench/bench.h"
#include "bench/timing.h"
#include "linalg/band.h"
#include "linalg/hubs.h"

enum {
  CELL = 6,
  HALF = 8,
  ROW = 2 * HALF + 1,
  REACH = 9 /* unknowns of a rod that its equations of a hub reach: the first vertex, the first segment, the next one */
};

static const double heavy = 40; /* more than the sum of all else in a row */

static double draw(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)*seed / 2147483648.0 - 1;
}

typedef struct net_rod {
  int hubs[2]; /* at its ends, or -1 */
  wy_band band;
  double *reached[2]; /* A_ii^-1 A_ih of each end (N8), eight columns of which six are used */
} net_rod;

/* All rods have the same numbers. */
typedef struct net {
  const char *name;
  int hub_count, rod_count, segments;
  net_rod *rods;
  int (*edges)[2], edge_count;
  int *orders;
  double *rows;                                             /* of A_ii */
  double columns[2][REACH][CELL], wrenches[2][CELL][REACH]; /* A_ih, A_hi */
  wy_arena arena;
  wy_hub_pattern pattern;
  wy_hub_matrix matrix;
  double *b, *x;
} net;

static int rod_order(const net *self) {
  return CELL * self->segments;
}

static int first_reached(const net *self, int end) {
  return end == 0 ? 0 : rod_order(self) - REACH;
}

static int unknowns_of(const net *self) {
  return self->rod_count * rod_order(self) + CELL * self->hub_count;
}

/* ---- the networks ---- */

static void join(net *self, int a, int b) {
  self->rods[self->rod_count++] = (net_rod){.hubs = {a, b}};
  if (a >= 0 && b >= 0) {
    self->edges[self->edge_count][0] = a;
    self->edges[self->edge_count++][1] = b;
  }
}

static void make_ring(net *self) {
  self->name = "ring";
  self->hub_count = 6;
  self->segments = 40;
  for (int i = 0; i < 6; i++)
    join(self, i, (i + 1) % 6);
}

static void make_gridshell(net *self) {
  enum { SIDE = 30 };
  self->name = "gridshell";
  self->hub_count = SIDE * SIDE;
  self->segments = 6;
  for (int i = 0; i < SIDE * SIDE; i++) {
    if (i % SIDE)
      join(self, i - 1, i);
    if (i >= SIDE)
      join(self, i - SIDE, i);
  }
}

/* Every rod but the last ones ends in a hub with two more; the first begins at a hub of its own. */
static void make_tree(net *self) {
  enum { FORKS = 127 };
  self->name = "tree";
  self->hub_count = FORKS + 1;
  self->segments = 20;
  for (int i = 0; i < 2 * FORKS + 1; i++)
    join(self, i == 0 ? FORKS : (i - 1) / 2, i < FORKS ? i : -1);
}

static int layout(net *self) {
  wy_arena *arena = &self->arena;
  const size_t order = (size_t)rod_order(self);
  for (int i = 0; i < self->rod_count; i++) {
    wy_band_layout_fed(&self->rods[i].band, arena, rod_order(self), HALF, HALF);
    for (int end = 0; end < 2; end++)
      if (self->rods[i].hubs[end] >= 0)
        self->rods[i].reached[end] = wy_arena_doubles(arena, WY_LANES * order);
  }
  self->rows = wy_arena_doubles(arena, order * ROW);
  self->b = wy_arena_doubles(arena, (size_t)unknowns_of(self));
  self->x = wy_arena_doubles(arena, (size_t)unknowns_of(self));
  int status = wy_hub_pattern_layout(&self->pattern, arena, self->hub_count, self->orders, NULL, self->edge_count,
                                     (const int(*)[2])self->edges);
  if (!status)
    wy_hub_matrix_layout(&self->matrix, arena, &self->pattern);
  return status;
}

static void fill(net *self) {
  unsigned seed = 1;
  for (int i = 0; i < rod_order(self) * ROW; i++)
    self->rows[i] = draw(&seed) + (i % ROW == HALF ? heavy : 0);
  for (int end = 0; end < 2; end++)
    for (int r = 0; r < REACH; r++)
      for (int c = 0; c < CELL; c++) {
        self->columns[end][r][c] = draw(&seed);
        self->wrenches[end][c][r] = draw(&seed);
      }
  for (int i = 0; i < unknowns_of(self); i++)
    self->b[i] = draw(&seed);
}

static void close_net(net *self) {
  wy_arena_release(&self->arena);
  free(self->rods);
  free(self->edges);
  free(self->orders);
}

static int open_net(net *self, wy_bench_net kind) {
  enum { RODS_MAX = 1740, HUBS_MAX = 900 };
  *self = (net){.rods = calloc(RODS_MAX, sizeof *self->rods),
                .edges = calloc(RODS_MAX, sizeof *self->edges),
                .orders = calloc(HUBS_MAX, sizeof *self->orders)};
  if (!self->rods || !self->edges || !self->orders)
    return WY_ERROR_MEMORY;
  (kind == WY_NET_RING ? make_ring : kind == WY_NET_TREE ? make_tree : make_gridshell)(self);
  for (int i = 0; i < self->hub_count; i++)
    self->orders[i] = CELL;
  int status = layout(self);
  if (!status)
    status = wy_arena_allocate(&self->arena);
  if (!status)
    status = layout(self);
  if (!status)
    fill(self);
  return status;
}

/* ---- one factorisation and one solution ---- */

typedef struct row_feed {
  const double *rows;
  int left;
} row_feed;

static int feed_rows(void *context, double *rows) {
  row_feed *feed = context;
  const int count = feed->left < WY_BAND_FEED ? feed->left : WY_BAND_FEED;
  memcpy(rows, feed->rows, sizeof(double) * (size_t)(count * ROW));
  feed->rows += count * ROW;
  feed->left -= count;
  return count;
}

static void factor_rod(net *self, net_rod *rod) {
  row_feed feed = {self->rows, rod_order(self)};
  wy_band_factor_fed(&rod->band, feed_rows, &feed);
}

static void factor_rods(void *context) {
  net *self = context;
  for (int i = 0; i < self->rod_count; i++)
    factor_rod(self, &self->rods[i]);
}

/* block -= A_hi W, for the hub of one end and the columns of that of one end */
WY_CLONES
static void subtract_wrenches(double block[CELL][WY_LANES], double wrenches[CELL][REACH], const double *reached) {
  for (int i = 0; i < CELL; i++)
    for (int r = 0; r < REACH; r++)
#pragma omp simd
      for (int c = 0; c < WY_LANES; c++)
        block[i][c] -= wrenches[i][r] * reached[WY_LANES * r + c];
}

static void condense_rod(net *self, net_rod *rod) {
  for (int end = 0; end < 2; end++) {
    if (rod->hubs[end] < 0)
      continue;
    double *w = rod->reached[end];
    memset(w, 0, sizeof(double) * (size_t)(WY_LANES * rod_order(self)));
    for (int r = 0; r < REACH; r++)
      memcpy(w + WY_LANES * (first_reached(self, end) + r), self->columns[end][r], sizeof self->columns[end][r]);
    wy_band_solve_many(&rod->band, w);
    for (int on = 0; on < 2; on++) {
      if (rod->hubs[on] < 0)
        continue;
      double block[CELL][WY_LANES] = {{0}};
      subtract_wrenches(block, self->wrenches[on], w + WY_LANES * first_reached(self, on));
      wy_hub_matrix_add(&self->matrix, rod->hubs[on], rod->hubs[end], block[0], WY_LANES);
    }
  }
}

static void add_bodies(net *self) {
  double body[CELL][CELL] = {{0}};
  for (int r = 0; r < CELL; r++)
    body[r][r] = heavy;
  wy_hub_matrix_clear(&self->matrix);
  for (int i = 0; i < self->hub_count; i++)
    wy_hub_matrix_add(&self->matrix, i, i, body[0], CELL);
}

static void factor(void *context) {
  net *self = context;
  add_bodies(self);
  for (int i = 0; i < self->rod_count; i++) {
    factor_rod(self, &self->rods[i]);
    condense_rod(self, &self->rods[i]);
  }
  wy_hub_matrix_factor(&self->matrix);
}

/* What of it does not grow with the rods: one block for each edge and way instead of what rods leave. */
static void factor_hubs(void *context) {
  net *self = context;
  add_bodies(self);
  for (int e = 0; e < self->edge_count; e++)
    for (int way = 0; way < 2; way++)
      wy_hub_matrix_add(&self->matrix, self->edges[e][way], self->edges[e][1 - way], self->columns[0][0], CELL);
  wy_hub_matrix_factor(&self->matrix);
}

static void solve(void *context) {
  net *self = context;
  const int order = rod_order(self);
  memcpy(self->x, self->b, sizeof(double) * (size_t)unknowns_of(self));
  double *hubs = self->x + (size_t)self->rod_count * (size_t)order;
  for (int i = 0; i < self->rod_count; i++) {
    double *inside = self->x + (size_t)i * (size_t)order;
    wy_band_solve(&self->rods[i].band, inside);
    for (int end = 0; end < 2; end++)
      for (int k = 0; self->rods[i].hubs[end] >= 0 && k < CELL; k++)
        for (int r = 0; r < REACH; r++)
          hubs[CELL * self->rods[i].hubs[end] + k] -= self->wrenches[end][k][r] * inside[first_reached(self, end) + r];
  }
  wy_hub_matrix_solve(&self->matrix, hubs);
  for (int i = 0; i < self->rod_count; i++) {
    double *inside = self->x + (size_t)i * (size_t)order;
    for (int end = 0; end < 2; end++)
      for (int r = 0; self->rods[i].hubs[end] >= 0 && r < order; r++)
        for (int k = 0; k < CELL; k++)
          inside[r] -= self->rods[i].reached[end][WY_LANES * r + k] * hubs[CELL * self->rods[i].hubs[end] + k];
  }
}

/* ---- the whole matrix, for KLU ---- */

/* Counts the entries by columns, shifted by one, or writes them. */
static void put(wy_bench_columns *matrix, bool write, int row, int column, double entry) {
  if (!write) {
    matrix->first[column + 2]++;
    return;
  }
  const int at = matrix->first[column + 1]++;
  matrix->row[at] = row;
  matrix->entry[at] = entry;
}

static void put_all(const net *self, wy_bench_columns *matrix, bool write) {
  const int order = rod_order(self), hubs = self->rod_count * order;
  for (int i = 0; i < self->rod_count; i++) {
    const int from = i * order;
    for (int r = 0; r < order; r++)
      for (int c = r - HALF > 0 ? r - HALF : 0; c <= r + HALF && c < order; c++)
        put(matrix, write, from + r, from + c, self->rows[r * ROW + c - r + HALF]);
    for (int end = 0; end < 2; end++)
      for (int r = 0; self->rods[i].hubs[end] >= 0 && r < REACH; r++)
        for (int k = 0; k < CELL; k++) {
          const int inside = from + first_reached(self, end) + r, hub = hubs + CELL * self->rods[i].hubs[end] + k;
          put(matrix, write, inside, hub, self->columns[end][r][k]);
          put(matrix, write, hub, inside, self->wrenches[end][k][r]);
        }
  }
  for (int i = hubs; i < matrix->n; i++)
    put(matrix, write, i, i, heavy);
}

static int compare(net *self, wy_network_figures *figures) {
  wy_bench_columns matrix = {.n = unknowns_of(self)};
  int status = WY_ERROR_MEMORY;
  double *b = malloc(sizeof *b * (size_t)matrix.n);
  matrix.first = calloc((size_t)matrix.n + 2, sizeof *matrix.first);
  if (b && matrix.first) {
    put_all(self, &matrix, false);
    for (int j = 0; j < matrix.n; j++)
      matrix.first[j + 2] += matrix.first[j + 1];
    const size_t entries = (size_t)matrix.first[matrix.n + 1] + 1; /* clang-tidy believes that there may be none */
    matrix.row = calloc(entries, sizeof *matrix.row);
    matrix.entry = calloc(entries, sizeof *matrix.entry);
  }
  if (matrix.row && matrix.entry) {
    put_all(self, &matrix, true);
    memcpy(b, self->b, sizeof *b * (size_t)matrix.n);
    status = wy_bench_klu(&matrix, b, &figures->klu_refactor, &figures->klu_solve);
    for (int i = 0; i < matrix.n && !status && figures->klu_refactor > 0; i++)
      figures->difference = fmax(figures->difference, fabs(self->x[i] - b[i]));
  }
  free(b);
  free(matrix.first);
  free(matrix.row);
  free(matrix.entry);
  return status;
}

int wy_bench_network(wy_bench_net kind, wy_network_figures *figures) {
  enum { WORK = 20000 }; /* segments that one timing goes over */
  net self;
  int status = open_net(&self, kind);
  if (!status) {
    const int segments = self.rod_count * self.segments;
    const double scale = 1e-3 * segments;
    *figures = (wy_network_figures){.name = self.name,
                                    .hubs = self.hub_count,
                                    .rods = self.rod_count,
                                    .segments = self.segments,
                                    .unknowns = unknowns_of(&self)};
    figures->alone = scale * wy_bench_time(factor_rods, &self, segments, WORK);
    figures->on_hubs = scale * wy_bench_time(factor_hubs, &self, segments, WORK);
    figures->condense = scale * wy_bench_time(factor, &self, segments, WORK) - figures->alone - figures->on_hubs;
    figures->solve = scale * wy_bench_time(solve, &self, segments, WORK);
    status = compare(&self, figures);
  }
  close_net(&self);
  return status;
}

/* ---- one rod ---- */

typedef struct solver {
  wy_band band;
  wy_band_complex band_complex;
  int n, first; /* first row that is not zero in the columns */
  double *b, *b_im;
} solver;

static void run_factor(void *context) {
  wy_band_factor(&((solver *)context)->band);
}
static void run_factor_complex(void *context) {
  wy_band_complex_factor(&((solver *)context)->band_complex);
}

/* Right-hand sides are made anew each time. */
static void unit_columns(const solver *self, double *b) {
  memset(b, 0, sizeof *b * (size_t)(WY_LANES * self->n));
  for (int c = 0; c < CELL; c++)
    b[WY_LANES * (self->first + c) + c] = 1;
}
static void unit_vector(const solver *self, double *b) {
  memset(b, 0, sizeof *b * (size_t)self->n);
  b[0] = 1;
}
static void run_solve(void *context) {
  solver *self = context;
  unit_vector(self, self->b);
  wy_band_solve(&self->band, self->b);
}
static void run_solve_complex(void *context) {
  solver *self = context;
  unit_vector(self, self->b);
  unit_vector(self, self->b_im);
  wy_band_complex_solve(&self->band_complex, self->b, self->b_im);
}
static void run_many(void *context) {
  solver *self = context;
  unit_columns(self, self->b);
  wy_band_solve_many(&self->band, self->b);
}
static void run_many_complex(void *context) {
  solver *self = context;
  unit_columns(self, self->b);
  unit_columns(self, self->b_im);
  wy_band_complex_solve_many(&self->band_complex, self->b, self->b_im);
}

int wy_bench_rod_solver(int segments, wy_rod_figures *figures) {
  enum { WORK = 50000 };
  solver self = {.n = CELL * segments};
  wy_arena arena = {0};
  int status = WY_OK;
  for (int pass = 0; pass < 2 && !status; pass++) {
    wy_band_layout(&self.band, &arena, self.n, HALF, HALF);
    wy_band_complex_layout(&self.band_complex, &arena, self.n, HALF, HALF);
    self.b = wy_arena_doubles(&arena, (size_t)(WY_LANES * self.n));
    self.b_im = wy_arena_doubles(&arena, (size_t)(WY_LANES * self.n));
    if (pass == 0)
      status = wy_arena_allocate(&arena);
  }
  *figures = (wy_rod_figures){.segments = segments};
  if (!status) {
    unsigned seed = 1;
    for (int i = 0; i < self.n * ROW; i++) {
      self.band.rows[i] = self.band_complex.rows_re[i] = draw(&seed) + (i % ROW == HALF ? heavy : 0);
      self.band_complex.rows_im[i] = draw(&seed);
    }
    const double scale = 1e-3 * segments;
    figures->factor = scale * wy_bench_time(run_factor, &self, segments, WORK);
    figures->factor_complex = scale * wy_bench_time(run_factor_complex, &self, segments, WORK);
    figures->solve = scale * wy_bench_time(run_solve, &self, segments, WORK);
    figures->solve_complex = scale * wy_bench_time(run_solve_complex, &self, segments, WORK);
    figures->start = scale * wy_bench_time(run_many, &self, segments, WORK);
    figures->start_complex = scale * wy_bench_time(run_many_complex, &self, segments, WORK);
    self.first = self.n - CELL;
    figures->end = scale * wy_bench_time(run_many, &self, segments, WORK);
    figures->end_complex = scale * wy_bench_time(run_many_complex, &self, segments, WORK);
  }
  wy_arena_release(&arena);
  return status;
}
