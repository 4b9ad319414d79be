/* The balance of the whole rod and its linear equations, in the form of the task: what an element can eliminate never
   reaches the band (wy_mixed_form). */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "math/quat.h"
#include "scheme/mixed/rod.h"

/* ---- Balance ---- */

/* The larger one; NaN stays. */
static double larger(double largest, double x) {
  return isnan(largest) || fabs(x) <= largest ? largest : fabs(x);
}

double wy_mixed_balance(wy_mixed *self) {
  const int order = wy_mixed_order(self);
  const double length = self->rod->length;
  double largest = 0, missed = 0, strain = 0;
  double carried[WY_NODE_UNKNOWNS] = {0}; /* on the node between this element and the one before */
  memset(self->support, 0, 2 * WY_NODE * sizeof *self->support);
  for (int e = 0; e < self->elements; e++) {
    double(*f)[WY_NODE] = (double(*)[WY_NODE])(self->element_force + (size_t)e * WY_MOST_NODES * WY_NODE);
    double *law = self->element_law + (size_t)e * WY_FORCES;
    wy_mixed_residual(self, e, f, law, &largest);
    for (int a = 0; a < self->basis.nodes; a++) {
      double r[WY_NODE_UNKNOWNS];
      int end = e == 0 && a == 0 ? 0 : e == self->elements - 1 && a == 1 ? 1 : -1;
      wy_mixed_project(self->task.left + WY_NODE * wy_mixed_node(self, e, a), f[a], r);
      for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
        double total = r[x] + (a == 0 ? carried[x] : 0);
        if (a == 1)
          carried[x] = r[x];
        if ((a == 1 && end < 0) || (end >= 0 && wy_mixed_is_held(self, end, x)))
          continue;
        const double worst = larger(missed, total / (x < 3 ? 1 : length));
        if (worst != missed)
          self->worst_place = self->s_node[wy_mixed_node(self, e, a)];
        missed = worst;
      }
      for (int x = 0; end >= 0 && x < WY_NODE; x++)
        self->support[WY_NODE * end + x] = f[a][x];
    }
    for (int i = 0; i < 3 * order; i++) {
      if (self->task.form == WY_FORM_NODES)
        missed = larger(missed, law[i]);
      else
        strain = larger(strain, law[i] / self->element[e].length);
    }
  }
  return (missed > 0 || isnan(missed) ? missed / fmax(largest, missed) : 0) + strain;
}

/* Forces on directors that sum_j L_ij d_j balances, L symmetric, with the multipliers in it (X26). */
static void node_multipliers(const double *q, const double f[9], double out[6]) {
  static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  double dual[3][3], volume;
  for (int j = 0; j < 3; j++)
    wy_cross3(q + 3 + 3 * ((j + 1) % 3), q + 3 + 3 * ((j + 2) % 3), dual[j]);
  volume = wy_dot3(q + 3, dual[0]);
  for (int k = 0; k < 6; k++) {
    int i = pairs[k][0], j = pairs[k][1];
    out[k] = -(k < 3 ? 0.5 : 1) * (wy_dot3(f + 3 * i, dual[j]) + wy_dot3(f + 3 * j, dual[i])) / volume;
  }
}

void wy_mixed_multipliers(const wy_mixed *self, double *out) {
  double carried[9] = {0};
  for (int e = 0; e < self->elements; e++) {
    double(*f)[WY_NODE] = (double(*)[WY_NODE])(self->element_force + (size_t)e * WY_MOST_NODES * WY_NODE);
    for (int a = 0; a < self->basis.nodes; a++) {
      int node = wy_mixed_node(self, e, a);
      double total[9];
      for (int x = 0; x < 9; x++)
        total[x] = f[a][3 + x] + (a == 0 ? carried[x] : 0);
      if (a != 1 || e == self->elements - 1)
        node_multipliers(self->task.left + WY_NODE * node, total, out + 6 * node);
    }
    memcpy(carried, f[1] + 3, sizeof carried);
  }
}

void wy_mixed_out_of_balance(const wy_mixed *self, double *r) {
  memset(r, 0, (size_t)self->band->n * sizeof *r);
  for (int e = 0; e < self->elements; e++) {
    double(*f)[WY_NODE] = (double(*)[WY_NODE])(self->element_force + (size_t)e * WY_MOST_NODES * WY_NODE);
    for (int a = 0; a < self->basis.nodes; a++) {
      double part[WY_NODE_UNKNOWNS];
      wy_mixed_project(self->task.left + WY_NODE * wy_mixed_node(self, e, a), f[a], part);
      for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
        r[wy_mixed_unknown(self, e, a) + x] -= part[x];
    }
    for (int i = 0; i < 3 * self->basis.order; i++)
      r[wy_mixed_unknown(self, e, 0) + WY_NODE_UNKNOWNS + i] = -self->element_law[(size_t)e * WY_FORCES + (size_t)i];
  }
}

/* ---- Element matrices ---- */

static double *forces_of(const wy_mixed *self, int element) {
  return self->element_force + (size_t)element * WY_MOST_NODES * WY_NODE;
}

static void element_system(const wy_mixed *self, int element, wy_mixed_matrix *matrix) {
  double(*f)[WY_NODE] = (double(*)[WY_NODE])forces_of(self, element);
  wy_mixed_tangent(self, element, f, matrix);
  for (int a = 0; a < self->basis.nodes; a++) {
    double r[WY_NODE_UNKNOWNS];
    wy_mixed_project(self->task.left + WY_NODE * wy_mixed_node(self, element, a), f[a], r);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      matrix->k[6 * a + x][WY_RHS] = -r[x];
  }
}

/* Eliminates the inner node, the unknowns from `inner` on, of `rows` equations with their right-hand side in the column
   after them: its six rows, in upper triangular form, are kept to find it afterwards. Pivots are sought among these
   rows. */
WY_INLINE int eliminate(double *k, const int rows, const int width, double *kept) {
  const int inner = rows - WY_NODE_UNKNOWNS;
  for (int j = inner; j < rows; j++) {
    int pivot = j;
    for (int i = j + 1; i < rows; i++)
      if (fabs(k[i * width + j]) > fabs(k[pivot * width + j]))
        pivot = i;
    double *row = k + j * width, *best = k + pivot * width;
    if (!(fabs(best[j]) > 0))
      return WY_RETRY;
    for (int x = 0; pivot != j && x < width; x++) {
      double swapped = row[x];
      row[x] = best[x], best[x] = swapped;
    }
    double inverse = 1 / row[j];
#pragma omp simd
    for (int x = 0; x < width; x++)
      row[x] *= inverse;
    for (int i = 0; i < rows; i++) {
      if (i >= inner && i <= j)
        continue;
      double factor = k[i * width + j], *restrict other = k + i * width;
#pragma omp simd
      for (int x = 0; x < width; x++)
        other[x] -= factor * row[x];
    }
  }
  memcpy(kept, k + inner * width, (size_t)(WY_NODE_UNKNOWNS * width) * sizeof *kept);
  return WY_OK;
}

WY_CLONES
static int eliminate_from_nodes(double *k, double *kept) {
  return eliminate(k, WY_ELEMENT_ROWS, WY_ELEMENT_WIDTH, kept);
}

WY_CLONES
static int eliminate_from_forces(double *k, double *kept) {
  return eliminate(k, WY_LOCAL_ROWS, WY_LOCAL_WIDTH, kept);
}

/* What the law of N misses, where N is eliminated: as forces on the nodes. */
static void add_law(const wy_mixed *self, int element, wy_mixed_matrix *matrix) {
  const double *missed = self->element_law + (size_t)element * WY_FORCES;
  for (int i = 0; i < 3 * self->basis.order; i++)
    for (int x = 0; x < 6 * self->basis.nodes; x++)
      matrix->k[x][WY_RHS] -= matrix->left[6 * (i / 3) + i % 3][x] * missed[i];
}

/* The equations with forces. Rows of N: right d - flexibility dN = -(what their law misses); their columns: left^T dN
   (X29). */
WY_INLINE void local_system(const wy_mixed *self, const int order, int element, const wy_mixed_matrix *matrix,
                            double k[WY_LOCAL_ROWS][WY_LOCAL_WIDTH]) {
  const double *missed = self->element_law + (size_t)element * WY_FORCES;
  memset(k, 0, WY_LOCAL_ROWS * sizeof k[0]);
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < 6; x++) {
      double *row = k[wy_mixed_local(order, a) + x];
      for (int c = 0; c <= order; c++)
        memcpy(row + wy_mixed_local(order, c), matrix->k[6 * a + x] + 6 * c, 6 * sizeof *row);
      for (int i = 0; i < 3 * order; i++)
        row[WY_LOCAL_FORCES + i] = matrix->left[6 * (i / 3) + i % 3][6 * a + x];
      row[WY_LOCAL_RHS] = matrix->k[6 * a + x][WY_RHS];
    }
  for (int i = 0; i < 3 * order; i++) {
    double *row = k[WY_LOCAL_FORCES + i];
    for (int c = 0; c <= order; c++)
      memcpy(row + wy_mixed_local(order, c), matrix->right[6 * (i / 3) + i % 3] + 6 * c, 6 * sizeof *row);
    row[WY_LOCAL_RHS] = -missed[i];
  }
  for (int i = 0; i < 3; i++) {
    wy_sym flexibility = wy_mixed_flexibility(self, element, i);
    for (int b = 0; b < order; b++)
      for (int c = 0; c < order; c++)
        k[WY_LOCAL_FORCES + 3 * b + i][WY_LOCAL_FORCES + 3 * c + i] = -flexibility.m[b + c];
  }
}

/* ---- Assembly ---- */

/* Some of an element's unknowns: where they stand in its equations and in those of the rod. */
typedef struct block {
  int local, global, size;
} block;

/* Rows of the band, from `first` on. */
typedef struct band_rows {
  double *rows;
  int first;
} band_rows;

static double *row_of(const wy_mixed *self, const band_rows *rows, int row) {
  return rows->rows + (size_t)(row - rows->first) * (size_t)(self->band->kl + self->band->ku + 1);
}

static void scatter(wy_mixed *self, const band_rows *rows, const block *blocks, int count, const double *k, int width,
                    int rhs) {
  for (int i = 0; i < count; i++)
    for (int x = 0; x < blocks[i].size; x++) {
      const double *from = k + (size_t)(blocks[i].local + x) * (size_t)width;
      int row = blocks[i].global + x;
      double *to = row_of(self, rows, row) + self->band->kl - row;
      for (int j = 0; j < count; j++)
        for (int y = 0; y < blocks[j].size; y++)
          to[blocks[j].global + y] += from[blocks[j].local + y];
      self->rhs[row] += from[rhs];
    }
}

static int add_element(wy_mixed *self, int element, const band_rows *rows) {
  const int first = wy_mixed_unknown(self, element, 0), last = wy_mixed_unknown(self, element, 1);
  const bool inner = self->basis.order == 2;
  double *kept = inner ? self->inner + (size_t)element * WY_NODE_UNKNOWNS * WY_LOCAL_WIDTH : NULL;
  wy_mixed_matrix matrix;
  element_system(self, element, &matrix);
  if (self->task.form == WY_FORM_NODES) {
    const block all = {0, first, 12};
    add_law(self, element, &matrix);
    if (inner && eliminate_from_nodes(matrix.k[0], kept))
      return WY_RETRY;
    scatter(self, rows, &all, 1, matrix.k[0], WY_ELEMENT_WIDTH, WY_RHS);
    return WY_OK;
  }
  double k[WY_LOCAL_ROWS][WY_LOCAL_WIDTH];
  const int begin = WY_LOCAL_FORCES + 3 * self->basis.order; /* first node and N */
  if (inner)
    local_system(self, 2, element, &matrix, k);
  else
    local_system(self, 1, element, &matrix, k);
  if (self->task.form == WY_FORM_FORCES) {
    const block all = {0, first, begin + 6};
    if (inner && eliminate_from_forces(k[0], kept))
      return WY_RETRY;
    scatter(self, rows, &all, 1, k[0], WY_LOCAL_WIDTH, WY_LOCAL_RHS);
    return WY_OK;
  }
  const block blocks[] = {
      {0, first, begin}, {begin, last, 6}, {WY_LOCAL_ROWS - 6, wy_mixed_unknown(self, element, 2), 6}};
  scatter(self, rows, blocks, inner ? 3 : 2, k[0], WY_LOCAL_WIDTH, WY_LOCAL_RHS);
  return WY_OK;
}

/* Held unknowns do not change. */
static void hold_end(wy_mixed *self, int end, const band_rows *rows) {
  int first = wy_mixed_unknown(self, end ? self->elements - 1 : 0, end);
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
    if (!wy_mixed_is_held(self, end, x))
      continue;
    double *row = row_of(self, rows, first + x);
    memset(row, 0, (size_t)(self->band->kl + self->band->ku + 1) * sizeof *row);
    row[self->band->kl] = self->hold_stiffness;
    self->rhs[first + x] = 0;
  }
}

void wy_mixed_fill(wy_mixed *self) {
  const band_rows rows = {self->band->rows, 0};
  memset(rows.rows, 0, (size_t)self->band->n * (size_t)(self->band->kl + self->band->ku + 1) * sizeof(double));
  memset(self->rhs, 0, (size_t)self->band->n * sizeof *self->rhs);
  for (int e = 0; e < self->elements; e++)
    add_element(self, e, &rows);
  for (int end = 0; end < 2; end++)
    hold_end(self, end, &rows);
}

/* Elements one after the other, while the rows of those before are being factored: the matrix of a long rod never
   stands in memory. What the last one has added to the node after it is carried to the next call. */
enum { FED_ELEMENTS = 4 };
typedef struct feeder {
  wy_mixed *self;
  int element;
  bool failed;
  double carried[WY_NODE_UNKNOWNS * (2 * WY_BAND_MAX + 1)];
} feeder;

static int feed(void *context, double *out) {
  feeder *from = context;
  wy_mixed *self = from->self;
  const int cell = wy_mixed_cell(self->basis.order, self->task.form), left = self->elements - from->element;
  const int count = left < FED_ELEMENTS ? left : FED_ELEMENTS;
  const size_t width = (size_t)self->band->kl + (size_t)self->band->ku + 1, node = WY_NODE_UNKNOWNS * width;
  const band_rows rows = {out, cell * from->element};
  memset(out, 0, ((size_t)(cell * count) * width + node) * sizeof *out);
  if (from->element == 0)
    memset(self->rhs, 0, (size_t)self->band->n * sizeof *self->rhs);
  else
    memcpy(out, from->carried, node * sizeof *out);
  for (int e = from->element; e < from->element + count; e++)
    from->failed = add_element(self, e, &rows) || from->failed;
  if (from->element == 0)
    hold_end(self, WY_START, &rows);
  if (count == left)
    hold_end(self, WY_END, &rows);
  from->element += count;
  memcpy(from->carried, out + (size_t)(cell * count) * width, node * sizeof *out);
  return cell * count + (count == left ? WY_NODE_UNKNOWNS : 0);
}

int wy_mixed_solve(wy_mixed *self) {
  feeder from = {.self = self};
  if (wy_band_factor_fed(self->band, feed, &from) || from.failed)
    return WY_RETRY;
  wy_band_solve(self->band, self->rhs);
  return WY_OK;
}

/* ---- Solution ---- */

void wy_mixed_turn(const double theta[3], const double *from, double *to) {
  double q[4], r[9], turned[3];
  wy_qexp(theta, q);
  wy_qmatrix(q, r);
  for (int i = 3; i < WY_NODE; i += 3) {
    wy_mul3(r, from + i, turned);
    wy_copy3(turned, to + i);
  }
}

static void turn_by(const double half_turn[3], const double *from, double *end) {
  double p[4] = {1, half_turn[0], half_turn[1], half_turn[2]}, r[9], turned[3];
  wy_qnormalise(p);
  wy_qmatrix(p, r);
  for (int i = 3; i < WY_NODE; i += 3) {
    wy_mul3(r, from + i, turned);
    wy_copy3(turned, end + i);
  }
}

void wy_mixed_turn_on(const double theta[3], double stretch, const double *from, double *end) {
  double r[9], half[3], across[3], trace = 0;
  for (int i = 0; i < 9; i++) {
    r[i] = end[3 + i / 3] * from[3 + i % 3] + end[6 + i / 3] * from[6 + i % 3] + end[9 + i / 3] * from[9 + i % 3];
    trace += i % 4 == 0 ? r[i] : 0;
  }
  const double scale = stretch / (1 + trace);
  half[0] = scale * (r[7] - r[5]), half[1] = scale * (r[2] - r[6]), half[2] = scale * (r[3] - r[1]);
  wy_cross3(half, theta, across);
  const double along = 1 + 0.5 * wy_dot3(half, theta);
  for (int i = 0; i < 3; i++)
    half[i] = along * half[i] + 0.5 * (theta[i] - across[i]);
  turn_by(half, from, end);
}

static void move_node(wy_mixed *self, int node, double scale, const double d[WY_NODE_UNKNOWNS], double *change) {
  double *q = self->end + WY_NODE * node, theta[3];
  wy_add3(q, scale, d);
  for (int i = 0; i < 3; i++)
    theta[i] = scale * d[3 + i];
  wy_mixed_turn_on(theta, 1, self->from + WY_NODE * node, q);
  *change = larger(*change, scale * wy_norm3(d) / self->rod->length);
  *change = larger(*change, wy_norm3(theta));
}

/* Corrections that turn further are shortened: they are seldom right. */
static const double largest_turn = 0.7;

static double shortened(const wy_mixed *self) {
  double turn = 0;
  for (int e = 0; e <= self->elements; e++)
    turn = fmax(turn, wy_norm3(self->rhs + wy_mixed_unknown(self, e, 0) + 3));
  return turn > largest_turn ? largest_turn / turn : 1;
}

/* Back through the rows that were kept of an inner node. */
static void solve_inner(const double *kept, int known, int width, double *d) {
  for (int j = WY_NODE_UNKNOWNS - 1; j >= 0; j--) {
    const double *row = kept + (size_t)j * (size_t)width;
    double sum = row[known + WY_NODE_UNKNOWNS];
    for (int x = 0; x < known; x++)
      sum -= row[x] * d[x];
    for (int x = known + j + 1; x < known + WY_NODE_UNKNOWNS; x++)
      sum -= row[x] * d[x];
    d[known + j] = sum;
  }
}

void wy_mixed_solution(const wy_mixed *self, int element, double d[WY_LOCAL_ROWS]) {
  const bool inner = self->basis.order == 2;
  const double *kept = inner ? self->inner + (size_t)element * WY_NODE_UNKNOWNS * WY_LOCAL_WIDTH : NULL;
  const double *first = self->rhs + wy_mixed_unknown(self, element, 0);
  const int begin = WY_LOCAL_FORCES + 3 * self->basis.order;
  if (self->task.form == WY_FORM_FORCES) {
    memcpy(d, first, (size_t)(begin + 6) * sizeof *d);
    if (inner)
      solve_inner(kept, begin + 6, WY_LOCAL_WIDTH, d);
    return;
  }
  double nodes[WY_ELEMENT_ROWS] = {0};
  memcpy(nodes, first, 12 * sizeof *nodes);
  if (inner)
    solve_inner(kept, 12, WY_ELEMENT_WIDTH, nodes);
  for (int a = 0; a < self->basis.nodes; a++)
    memcpy(d + wy_mixed_local(self->basis.order, a), nodes + 6 * a, 6 * sizeof *d);
  wy_mixed_follow_law(self, element, d, d + WY_LOCAL_FORCES);
}

int wy_mixed_correct(wy_mixed *self, double *change) {
  if (wy_mixed_solve(self))
    return WY_RETRY;
  const double scale = shortened(self);
  *change = 0;
  /* A node moves after both its elements have used where it was: forces that were eliminated follow from that. */
  for (int e = 0; e < self->elements; e++) {
    double d[WY_LOCAL_ROWS] = {0}, *axial = self->axial + (size_t)e * WY_FORCES;
    wy_mixed_solution(self, e, d);
    for (int i = 0; i < 3 * self->basis.order; i++)
      axial[i] += scale * d[WY_LOCAL_FORCES + i];
    move_node(self, wy_mixed_node(self, e, 0), scale, d, change);
    if (self->basis.order == 2)
      move_node(self, wy_mixed_node(self, e, 2), scale, d + wy_mixed_local(2, 2), change);
  }
  move_node(self, self->nodes - 1, scale, self->rhs + wy_mixed_unknown(self, self->elements - 1, 1), change);
  return WY_OK;
}
