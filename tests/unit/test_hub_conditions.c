/* SPDX-License-Identifier: MIT */
/* Matrices on hubs with conditions between them against dense ones: random trees, loops and grids, joints of one hub
   and of two, conditions that follow from others. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linalg/hubs.h"
#include "support/dense.h"
#include "support/rods.h"

enum { HUBS_MAX = 40, NODES_MAX = 80, EDGES_MAX = 320, ROWS_MAX = 440, MOST = WY_HUB_MOST };

typedef enum hub_shape { APART, TREE, RING, GRID, SHAPES } hub_shape;

typedef struct joined {
  int hubs, nodes, edge_count, order[NODES_MAX], edges[EDGES_MAX][2], offset[NODES_MAX + 1];
  bool condition[NODES_MAX];
  int n;
  double *dense, *dense_im; /* [n][n] */
} joined;

static unsigned seed = 7;

static int draw_int(int below) {
  return (int)(0.5 * (noise(&seed) + 1) * below) % below;
}

static void edge(joined *self, int a, int b) {
  assert_in_range(self->edge_count, 0, EDGES_MAX - 1);
  self->edges[self->edge_count][0] = a;
  self->edges[self->edge_count++][1] = b;
}

/* Hubs of 3 or 6 unknowns, blocks between them as rods would make; heavy on the diagonal, of any sign if asked to. */
static void add_hubs(joined *self, hub_shape shape, int size) {
  self->hubs = self->nodes = shape == GRID ? size * size : size;
  for (int i = 0; i < self->hubs; i++) {
    self->order[i] = draw_int(4) ? 6 : 3;
    if (i > 0 && shape == TREE)
      edge(self, i, draw_int(i));
    if (shape == RING && size > 2)
      edge(self, i, (i + 1) % size);
    if (shape == GRID && i % size)
      edge(self, i, i - 1);
    if (shape == GRID && i >= size)
      edge(self, i, i - size);
  }
}

static int add_condition(joined *self, int order, int a, int b) {
  const int node = self->nodes++;
  assert_in_range(node, 0, NODES_MAX - 1);
  self->condition[node] = true;
  self->order[node] = order;
  edge(self, node, a);
  if (b >= 0)
    edge(self, b, node);
  return node;
}

static void open_values(joined *self) {
  for (int i = 0; i < self->nodes; i++)
    self->offset[i + 1] = self->offset[i] + self->order[i];
  self->n = self->offset[self->nodes];
  assert_in_range(self->n, 1, ROWS_MAX);
  self->dense = calloc((size_t)self->n * (size_t)self->n, sizeof(double));
  self->dense_im = calloc((size_t)self->n * (size_t)self->n, sizeof(double));
  assert_true(self->dense && self->dense_im);
}

static double *entry(const joined *self, double *dense, int i, int r, int j, int c) {
  return &dense[(size_t)(self->offset[i] + r) * (size_t)self->n + (size_t)(self->offset[j] + c)];
}

/* Symmetric, or nearly so; `sign` of the hubs' diagonals: 1, or 0 for any. */
static void draw_values(joined *self, bool symmetric, int sign) {
  for (int e = 0; e < self->edge_count; e++) {
    const int i = self->edges[e][0], j = self->edges[e][1];
    for (int r = 0; r < self->order[i]; r++)
      for (int c = 0; c < self->order[j]; c++) {
        const double value = noise(&seed), other = noise(&seed);
        *entry(self, self->dense, i, r, j, c) = value;
        *entry(self, self->dense, j, c, i, r) = value + (symmetric ? 0 : 0.1 * other);
        *entry(self, self->dense_im, i, r, j, c) = 0.1 * noise(&seed);
        *entry(self, self->dense_im, j, c, i, r) = 0.1 * noise(&seed);
      }
  }
  for (int i = 0; i < self->hubs; i++)
    for (int r = 0; r < self->order[i]; r++) {
      *entry(self, self->dense, i, r, i, r) = (sign || draw_int(2) ? 1 : -1) * (40 + 10 * noise(&seed));
      *entry(self, self->dense_im, i, r, i, r) = 15;
    }
}

/* A node of conditions becomes a mixture of two others between the same hubs: both ways, and in both parts. */
static void depend(joined *self, int node, int one, int other) {
  for (int r = 0; r < self->order[node]; r++)
    for (int part = 0; part < 2; part++) {
      double *dense = part ? self->dense_im : self->dense;
      for (int j = 0; j < self->hubs; j++)
        for (int c = 0; c < self->order[j]; c++) {
          *entry(self, dense, node, r, j, c) =
              *entry(self, dense, one, r, j, c) - 0.7 * *entry(self, dense, other, r, j, c);
          *entry(self, dense, j, c, node, r) =
              *entry(self, dense, j, c, one, r) - 0.7 * *entry(self, dense, j, c, other, r);
        }
    }
}

static void close_values(joined *self) {
  free(self->dense);
  free(self->dense_im);
}

/* The matrices of withy. */
typedef struct system_on_hubs {
  wy_arena arena;
  wy_hub_pattern pattern;
  wy_hub_matrix real;
  wy_hub_matrix_complex complex;
} system_on_hubs;

static void layout(system_on_hubs *made, const joined *self) {
  assert_int_equal(wy_hub_pattern_layout(&made->pattern, &made->arena, self->nodes, self->order, self->condition,
                                         self->edge_count, (const int(*)[2])self->edges),
                   0);
  wy_hub_matrix_layout(&made->real, &made->arena, &made->pattern);
  wy_hub_matrix_complex_layout(&made->complex, &made->arena, &made->pattern);
}

static void fill(system_on_hubs *made, joined *self) {
  wy_hub_matrix_clear(&made->real);
  wy_hub_matrix_complex_clear(&made->complex);
  for (int e = -self->nodes; e < self->edge_count; e++)
    for (int way = 0; way < (e < 0 ? 1 : 2); way++) {
      const int i = e < 0 ? e + self->nodes : self->edges[e][way], j = e < 0 ? i : self->edges[e][1 - way];
      double re[MOST][MOST], im[MOST][MOST];
      for (int r = 0; r < self->order[i]; r++)
        for (int c = 0; c < self->order[j]; c++) {
          re[r][c] = *entry(self, self->dense, i, r, j, c);
          im[r][c] = *entry(self, self->dense_im, i, r, j, c);
        }
      wy_hub_matrix_add(&made->real, i, j, re[0], MOST);
      wy_hub_matrix_complex_add(&made->complex, i, j, re[0], im[0], MOST);
    }
}

static void open_system(system_on_hubs *made, joined *self) {
  memset(made, 0, sizeof *made);
  layout(made, self);
  assert_int_equal(wy_arena_allocate(&made->arena), 0);
  layout(made, self);
  fill(made, self);
}

static void close_system(system_on_hubs *made) {
  wy_arena_release(&made->arena);
}

/* y = A x, complex. */
static void multiply(const joined *self, bool is_complex, const double *x, const double *x_im, double *y,
                     double *y_im) {
  for (int i = 0; i < self->n; i++) {
    y[i] = y_im[i] = 0;
    for (int j = 0; j < self->n; j++) {
      const double re = self->dense[i * self->n + j], im = is_complex ? self->dense_im[i * self->n + j] : 0;
      y[i] += re * x[j] - im * x_im[j];
      y_im[i] += re * x_im[j] + im * x[j];
    }
  }
}

static void draw_network(joined *self, hub_shape shape, int size) {
  memset(self, 0, sizeof *self);
  add_hubs(self, shape, size);
  const int hubs = self->hubs;
  for (int i = 0; i < hubs; i++) { /* no hub has more conditions than unknowns */
    const int other = i + 1 < hubs && i % 2 == 0 ? i + 1 : -1;
    if (i % 4 != 3)
      add_condition(self, 1 + draw_int(3), i, i % 4 == 1 ? (i + 2) % hubs != i ? (i + 2) % hubs : -1 : other);
  }
}

/* Independent conditions: all unknowns are those that were multiplied. Round-off of a matrix whose inverse is of order
   1: 1e-11 leaves a factor 100 for the growth of elimination without exchanges between blocks. */
static void solutions_are_those_of_dense_systems(void **state) {
  (void)state;
  for (hub_shape shape = APART; shape < SHAPES; shape++)
    for (int round = 0; round < 6; round++) {
      joined self;
      system_on_hubs made;
      draw_network(&self, shape, shape == GRID ? 2 + round % 4 : 2 + 5 * round);
      open_values(&self);
      draw_values(&self, false, round % 2);
      open_system(&made, &self);
      assert_int_equal(wy_hub_matrix_factor(&made.real), 0);
      assert_int_equal(wy_hub_matrix_complex_factor(&made.complex), 0);
      assert_int_equal(wy_hub_matrix_dropped(&made.real, -1), 0);
      assert_int_equal(wy_hub_matrix_dropped(&made.complex.both, -1), 0);
      static double x[2][ROWS_MAX], b[2][ROWS_MAX];
      for (int is_complex = 0; is_complex < 2; is_complex++) {
        for (int i = 0; i < self.n; i++)
          x[0][i] = noise(&seed), x[1][i] = is_complex ? noise(&seed) : 0;
        multiply(&self, is_complex, x[0], x[1], b[0], b[1]);
        if (is_complex)
          wy_hub_matrix_complex_solve(&made.complex, b[0], b[1]);
        else
          wy_hub_matrix_solve(&made.real, b[0]);
        for (int i = 0; i < self.n; i++) {
          check_close(b[0][i], x[0][i], 1e-11);
          check_close(b[1][i], x[1][i], is_complex ? 1e-11 : 1e-9);
        }
      }
      close_system(&made);
      close_values(&self);
    }
}

/* Three sets of conditions between two hubs, the third follows from the others: as many are dropped as it has, the hubs
   move as without it, and every row fits. */
static void what_follows_from_others_is_dropped(void **state) {
  (void)state;
  for (hub_shape shape = APART; shape < SHAPES; shape++) {
    joined self;
    system_on_hubs made;
    memset(&self, 0, sizeof self);
    add_hubs(&self, shape, shape == GRID ? 3 : 8);
    self.order[1] = self.order[4] = 6;
    int node[3];
    for (int k = 0; k < 3; k++)
      node[k] = add_condition(&self, 2, 1, 4);
    add_condition(&self, 1, 4, 6);
    open_values(&self);
    draw_values(&self, false, 1);
    depend(&self, node[2], node[0], node[1]);
    open_system(&made, &self);
    static double x[2][ROWS_MAX], b[2][ROWS_MAX], y[2][ROWS_MAX];
    for (int is_complex = 0; is_complex < 2; is_complex++) {
      const wy_hub_matrix *matrix = is_complex ? &made.complex.both : &made.real;
      assert_int_equal(is_complex ? wy_hub_matrix_complex_factor(&made.complex) : wy_hub_matrix_factor(&made.real), 0);
      assert_int_equal(wy_hub_matrix_dropped(matrix, -1), 2);
      int sum = 0;
      for (int k = 0; k < 3; k++)
        sum += wy_hub_matrix_dropped(matrix, node[k]);
      assert_int_equal(sum, 2);
      for (int i = 0; i < self.n; i++)
        x[0][i] = noise(&seed), x[1][i] = is_complex ? noise(&seed) : 0;
      multiply(&self, is_complex, x[0], x[1], b[0], b[1]);
      memcpy(y, b, sizeof y);
      if (is_complex)
        wy_hub_matrix_complex_solve(&made.complex, b[0], b[1]);
      else
        wy_hub_matrix_solve(&made.real, b[0]), memset(b[1], 0, sizeof b[1]);
      for (int i = 0; i < self.offset[self.hubs]; i++) {
        check_close(b[0][i], x[0][i], 1e-10);
        check_close(b[1][i], x[1][i], 1e-10);
      }
      static double again[2][ROWS_MAX];
      multiply(&self, is_complex, b[0], b[1], again[0], again[1]);
      for (int i = 0; i < self.n; i++) {
        check_close(again[0][i], y[0][i], 1e-9);
        check_close(again[1][i], y[1][i], 1e-9);
      }
    }
    close_system(&made);
    close_values(&self);
  }
}

/* Eigenvalues by Jacobi's rotations. */
static void find_eigenvalues(double *a, int n) {
  for (int sweep = 0; sweep < 60; sweep++) {
    double beside = 0, on = 0;
    for (int p = 0; p < n; p++)
      for (int q = 0; q < n; q++)
        *(p == q ? &on : &beside) += a[p * n + q] * a[p * n + q];
    if (beside <= 1e-26 * on)
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

/* Hubs of any sign: all negative eigenvalues, also where two of them are zero because conditions depend. */
static void negative_eigenvalues_are_counted(void **state) {
  (void)state;
  for (hub_shape shape = APART; shape < SHAPES; shape++)
    for (int dependent = 0; dependent < 2; dependent++)
      for (int round = 0; round < 4; round++) {
        joined self;
        system_on_hubs made;
        memset(&self, 0, sizeof self);
        add_hubs(&self, shape, shape == GRID ? 2 + round % 2 : 5 + 2 * round);
        self.order[1] = self.order[2] = 6;
        int node[3], negative = -1, want = 0, zero = 0;
        for (int k = 0; k < 3; k++)
          node[k] = add_condition(&self, 2, 1, 2);
        add_condition(&self, 3, 0, -1);
        open_values(&self);
        draw_values(&self, true, round % 2);
        if (dependent)
          depend(&self, node[2], node[0], node[1]);
        open_system(&made, &self);
        assert_int_equal(wy_hub_negative(&made.real, &negative), 0);
        assert_int_equal(wy_hub_matrix_dropped(&made.real, -1), dependent ? 2 : 0);
        find_eigenvalues(self.dense, self.n);
        for (int i = 0; i < self.n; i++) {
          const double value = self.dense[i * self.n + i];
          want += value < -1e-9;
          zero += fabs(value) <= 1e-9;
        }
        assert_int_equal(zero, dependent ? 2 : 0);
        assert_int_equal(negative, want);
        close_system(&made);
        close_values(&self);
      }
}

/* A condition that nothing moves is dropped; one that has been given a one on its diagonal is no condition. */
static void empty_conditions(void **state) {
  (void)state;
  joined self;
  system_on_hubs made;
  memset(&self, 0, sizeof self);
  add_hubs(&self, TREE, 6);
  const int node = add_condition(&self, 3, 2, 4);
  open_values(&self);
  draw_values(&self, true, 1);
  for (int r = 0; r < 3; r++)
    for (int j = 0; j < self.hubs; j++)
      for (int c = 0; c < self.order[j]; c++)
        *entry(&self, self.dense, node, r, j, c) = *entry(&self, self.dense, j, c, node, r) = 0;
  open_system(&made, &self);
  assert_int_equal(wy_hub_matrix_factor(&made.real), 0);
  assert_int_equal(wy_hub_matrix_dropped(&made.real, node), 3);
  for (int r = 0; r < 3; r++)
    *entry(&self, self.dense, node, r, node, r) = 1;
  fill(&made, &self);
  assert_int_equal(wy_hub_matrix_factor(&made.real), 0);
  assert_int_equal(wy_hub_matrix_dropped(&made.real, node), 0);
  *entry(&self, self.dense, node, 0, node, 0) = (double)NAN;
  fill(&made, &self);
  assert_int_equal(wy_hub_matrix_factor(&made.real), 1 + node);
  close_system(&made);
  close_values(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_are_those_of_dense_systems), cmocka_unit_test(what_follows_from_others_is_dropped),
      cmocka_unit_test(negative_eigenvalues_are_counted), cmocka_unit_test(empty_conditions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
