/* SPDX-License-Identifier: MIT */
/* The linear equations of the rod, in the form of the task: what an element can eliminate never reaches the band
   (wy_mixed_form). Linearising keeps what it takes to bring any right-hand side to the same form. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "scheme/mixed/rod.h"

/* ---- Element matrices ---- */

/* The other unknowns in the rows of an element's inner node [6][known], and how often each of its rows was subtracted
   from theirs, [6][known]. */
static double *inner_rows(const wy_mixed *self, int element) {
  const size_t known = (size_t)wy_mixed_known(self->basis.order, self->task.form);
  return self->inner + (size_t)element * 2 * WY_NODE_UNKNOWNS * known;
}

/* Eliminates the inner node, the six unknowns after the `known` ones, with pivots from among its rows. */
WY_INLINE int eliminate(double *k, const int known, const int width, wy_mixed_kept *kept, double *restrict kept_rows) {
  const int rows = known + WY_NODE_UNKNOWNS;
  double *restrict factors = kept_rows + WY_NODE_UNKNOWNS * known;
  for (int j = 0; j < WY_NODE_UNKNOWNS; j++) {
    const int column = known + j;
    int pivot = column;
    for (int i = column + 1; i < rows; i++)
      if (fabs(k[i * width + column]) > fabs(k[pivot * width + column]))
        pivot = i;
    double *row = k + column * width, *best = k + pivot * width;
    if (!(fabs(best[column]) > 0))
      return WY_RETRY;
    for (int x = 0; pivot != column && x < width; x++) {
      double swapped = row[x];
      row[x] = best[x], best[x] = swapped;
    }
    const double inverse = 1 / row[column];
    kept->core[j][j] = inverse;
    kept->pivot[j] = pivot;
#pragma omp simd
    for (int x = 0; x < width; x++)
      row[x] *= inverse;
    for (int i = 0; i < rows; i++) {
      if (i >= known && i <= column)
        continue;
      const double factor = k[i * width + column];
      double *restrict other = k + i * width;
      if (i < known)
        factors[j * known + i] = factor;
      else
        kept->core[i - known][j] = factor;
#pragma omp simd
      for (int x = 0; x < width; x++)
        other[x] -= factor * row[x];
    }
    memcpy(kept_rows + j * known, row, (size_t)known * sizeof *row);
    for (int x = j + 1; x < WY_NODE_UNKNOWNS; x++)
      kept->core[j][x] = row[known + x];
  }
  return WY_OK;
}

/* The same for a right-hand side. */
WY_INLINE void reduce(const wy_mixed_kept *kept, const double *restrict kept_rows, const int known,
                      double *restrict b) {
  const double *restrict factors = kept_rows + WY_NODE_UNKNOWNS * known;
  for (int j = 0; j < WY_NODE_UNKNOWNS; j++) {
    const double best = b[kept->pivot[j]];
    b[kept->pivot[j]] = b[known + j];
    b[known + j] = best * kept->core[j][j];
#pragma omp simd
    for (int i = 0; i < known; i++)
      b[i] -= factors[j * known + i] * b[known + j];
    for (int i = j + 1; i < WY_NODE_UNKNOWNS; i++)
      b[known + i] -= kept->core[i][j] * b[known + j];
  }
}

enum { KNOWN_NODES = WY_ELEMENT_ROWS - WY_NODE_UNKNOWNS, KNOWN_FORCES = WY_LOCAL_ROWS - WY_NODE_UNKNOWNS };

WY_CLONES
static int eliminate_from_nodes(double *k, wy_mixed_kept *kept, double *kept_rows) {
  return eliminate(k, KNOWN_NODES, WY_ELEMENT_WIDTH, kept, kept_rows);
}

WY_CLONES
static int eliminate_from_forces(double *k, wy_mixed_kept *kept, double *kept_rows) {
  return eliminate(k, KNOWN_FORCES, WY_LOCAL_ROWS, kept, kept_rows);
}

WY_CLONES
static void reduce_nodes(const wy_mixed_kept *kept, const double *kept_rows, double *b) {
  reduce(kept, kept_rows, KNOWN_NODES, b);
}

WY_CLONES
static void reduce_forces(const wy_mixed_kept *kept, const double *kept_rows, double *b) {
  reduce(kept, kept_rows, KNOWN_FORCES, b);
}

/* How N, where it is eliminated, acts on the nodes: [3 order][6 nodes]. */
static double *law_forces(const wy_mixed *self, int element) {
  return self->left + 18 * (size_t)element * (size_t)self->basis.order * (size_t)self->basis.nodes;
}

static void keep_law(const wy_mixed *self, int element, const wy_mixed_matrix *matrix) {
  const size_t width = 6 * (size_t)self->basis.nodes;
  double *left = law_forces(self, element);
  for (int i = 0; i < 3 * self->basis.order; i++)
    memcpy(left + (size_t)i * width, matrix->left[6 * (i / 3) + i % 3], width * sizeof *left);
}

/* The equations with forces. Rows of N: right d - flexibility dN; their columns: left^T dN (X29). */
WY_INLINE void local_system(const wy_mixed *self, const int order, int element, const wy_mixed_matrix *matrix,
                            double k[WY_LOCAL_ROWS][WY_LOCAL_ROWS]) {
  memset(k, 0, WY_LOCAL_ROWS * sizeof k[0]);
  for (int a = 0; a <= order; a++)
    for (int x = 0; x < 6; x++) {
      double *row = k[wy_mixed_local(order, a) + x];
      for (int c = 0; c <= order; c++)
        memcpy(row + wy_mixed_local(order, c), matrix->k[6 * a + x] + 6 * c, 6 * sizeof *row);
      for (int i = 0; i < 3 * order; i++)
        row[WY_LOCAL_FORCES + i] = matrix->left[6 * (i / 3) + i % 3][6 * a + x];
    }
  for (int i = 0; i < 3 * order; i++) {
    double *row = k[WY_LOCAL_FORCES + i];
    for (int c = 0; c <= order; c++)
      memcpy(row + wy_mixed_local(order, c), matrix->right[6 * (i / 3) + i % 3] + 6 * c, 6 * sizeof *row);
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

static void scatter(const wy_mixed *self, const band_rows *rows, const block *blocks, int count, const double *k,
                    int width) {
  for (int i = 0; i < count; i++)
    for (int x = 0; x < blocks[i].size; x++) {
      const double *from = k + (size_t)(blocks[i].local + x) * (size_t)width;
      int row = blocks[i].global + x;
      double *to = row_of(self, rows, row) + self->band->kl - row;
      for (int j = 0; j < count; j++)
        for (int y = 0; y < blocks[j].size; y++)
          to[blocks[j].global + y] += from[blocks[j].local + y];
    }
}

static int add_element(const wy_mixed *self, int element, const band_rows *rows) {
  const int first = wy_mixed_unknown(self, element, 0), last = wy_mixed_unknown(self, element, 1);
  const bool inner = self->basis.order == 2;
  wy_mixed_matrix matrix;
  wy_mixed_tangent(self, element, (double(*)[WY_NODE])(self->element_force + (size_t)element * WY_MOST_NODES * WY_NODE),
                   &matrix);
  if (self->task.form == WY_FORM_NODES) {
    const block all = {0, first, 12};
    keep_law(self, element, &matrix);
    if (inner && eliminate_from_nodes(matrix.k[0], &self->kept[element], inner_rows(self, element)))
      return WY_RETRY;
    scatter(self, rows, &all, 1, matrix.k[0], WY_ELEMENT_WIDTH);
    return WY_OK;
  }
  double k[WY_LOCAL_ROWS][WY_LOCAL_ROWS];
  const int begin = WY_LOCAL_FORCES + 3 * self->basis.order; /* first node and N */
  if (inner)
    local_system(self, 2, element, &matrix, k);
  else
    local_system(self, 1, element, &matrix, k);
  if (self->task.form == WY_FORM_FORCES) {
    const block all = {0, first, begin + 6};
    if (inner && eliminate_from_forces(k[0], &self->kept[element], inner_rows(self, element)))
      return WY_RETRY;
    scatter(self, rows, &all, 1, k[0], WY_LOCAL_ROWS);
    return WY_OK;
  }
  const block blocks[] = {
      {0, first, begin}, {begin, last, 6}, {WY_LOCAL_ROWS - 6, wy_mixed_unknown(self, element, 2), 6}};
  scatter(self, rows, blocks, inner ? 3 : 2, k[0], WY_LOCAL_ROWS);
  return WY_OK;
}

/* Held unknowns do not change. In the matrix of all unknowns the rows of ends on hubs stay as they are. */
static void hold_end(wy_mixed *self, int end, const band_rows *rows) {
  int first = wy_mixed_end_unknown(self, end);
  const bool all = self->task.form != WY_FORM_ALL;
  if (all && self->ports[end].there)
    wy_mixed_keep_port(self, end, row_of(self, rows, first));
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
    if (!(all ? wy_mixed_is_held(self, end, x) : wy_mixed_is_supported(self, end, x)))
      continue;
    double *row = row_of(self, rows, first + x);
    memset(row, 0, (size_t)(self->band->kl + self->band->ku + 1) * sizeof *row);
    row[self->band->kl] = self->hold_stiffness;
  }
}

void wy_mixed_fill(wy_mixed *self) {
  const band_rows rows = {self->band->rows, 0};
  memset(rows.rows, 0, (size_t)self->band->n * (size_t)(self->band->kl + self->band->ku + 1) * sizeof(double));
  assert(self->task.form == WY_FORM_ALL); /* nothing is eliminated, nothing can fail */
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
  if (from->element > 0)
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

int wy_mixed_linearise(wy_mixed *self) {
  feeder from = {.self = self};
  assert(self->band == &self->narrow && self->task.form != WY_FORM_ALL);
  return wy_band_factor_fed(self->band, feed, &from) || from.failed ? WY_RETRY : WY_OK;
}

/* ---- Right-hand sides ---- */

/* The part of an element, without what is eliminated, is added to the band's; that of its inner node is kept. */
static void reduce_part(const wy_mixed *self, int element, double *part, double *band) {
  const bool inner = self->basis.order == 2;
  double *to = band + wy_mixed_unknown(self, element, 0);
  if (self->task.form == WY_FORM_FORCES) {
    if (inner)
      reduce_forces(&self->kept[element], inner_rows(self, element), part);
    for (int x = 0; x < WY_LOCAL_FORCES + 3 * self->basis.order + WY_NODE_UNKNOWNS; x++)
      to[x] += part[x];
    return;
  }
  const int rows = 6 * self->basis.nodes;
  const double *left = law_forces(self, element), *missed = part + WY_LOCAL_FORCES;
  double b[WY_ELEMENT_ROWS] = {0};
  for (int a = 0; a < self->basis.nodes; a++)
    memcpy(b + 6 * a, part + wy_mixed_local(self->basis.order, a), 6 * sizeof *b);
  for (int i = 0; i < 3 * self->basis.order; i++)
    for (int x = 0; x < rows; x++)
      b[x] -= left[i * rows + x] * missed[i];
  if (inner) {
    reduce_nodes(&self->kept[element], inner_rows(self, element), b);
    memcpy(part + wy_mixed_local(2, 2), b + 12, WY_NODE_UNKNOWNS * sizeof *b);
  }
  for (int x = 0; x < 12; x++)
    to[x] += b[x];
}

/* Back through the rows that were kept of an inner node: `d` has the unknowns before it, and in place of the inner ones
   their right-hand side. */
static void solve_inner(const wy_mixed *self, int element, double *d) {
  const int known = wy_mixed_known(self->basis.order, self->task.form);
  const double *rows = inner_rows(self, element);
  for (int j = WY_NODE_UNKNOWNS - 1; j >= 0; j--) {
    const double *core = self->kept[element].core[j];
    double sum = d[known + j];
    for (int x = 0; x < known; x++)
      sum -= rows[j * known + x] * d[x];
    for (int x = j + 1; x < WY_NODE_UNKNOWNS; x++)
      sum -= core[x] * d[known + x];
    d[known + j] = sum;
  }
}

/* The solution of the band, and what was eliminated. */
static void expand_part(const wy_mixed *self, int element, const double *band, double *part) {
  const int order = self->basis.order, begin = WY_LOCAL_FORCES + 3 * order;
  const double *first = band + wy_mixed_unknown(self, element, 0);
  if (self->task.form == WY_FORM_FORCES) {
    memcpy(part, first, (size_t)(begin + WY_NODE_UNKNOWNS) * sizeof *part);
    if (order == 2)
      solve_inner(self, element, part);
    return;
  }
  double nodes[WY_ELEMENT_ROWS] = {0};
  memcpy(nodes, first, 12 * sizeof *nodes);
  if (order == 2) {
    memcpy(nodes + 12, part + wy_mixed_local(2, 2), WY_NODE_UNKNOWNS * sizeof *nodes);
    solve_inner(self, element, nodes);
  }
  for (int a = 0; a < self->basis.nodes; a++)
    memcpy(part + wy_mixed_local(order, a), nodes + 6 * a, 6 * sizeof *part);
  wy_mixed_follow_law(self, element, part, part + WY_LOCAL_FORCES);
}

void wy_mixed_reduce(const wy_mixed *self, double *r) {
  assert(self->band == &self->narrow && self->task.form != WY_FORM_ALL);
  for (int e = 0; e < self->elements; e++)
    reduce_part(self, e, wy_mixed_part(self, r, e), r);
}

void wy_mixed_hold(const wy_mixed *self, double *r, double ends[2][WY_NODE_UNKNOWNS]) {
  for (int end = 0; end < 2; end++)
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      if (wy_mixed_is_held(self, end, x))
        r[wy_mixed_end_unknown(self, end) + x] = self->hold_stiffness * ends[end][x];
}

void wy_mixed_expand(const wy_mixed *self, double *r) {
  for (int e = 0; e < self->elements; e++)
    expand_part(self, e, r, wy_mixed_part(self, r, e));
}

void wy_mixed_solve(const wy_mixed *self, double *r) {
  double still[2][WY_NODE_UNKNOWNS] = {{0}};
  wy_mixed_reduce(self, r);
  wy_mixed_hold(self, r, still);
  wy_band_solve(self->band, r);
  wy_mixed_expand(self, r);
}
