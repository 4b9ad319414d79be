/* SPDX-License-Identifier: MIT */
/* The linear equations of the rod, in the form of the task: what an element can eliminate never reaches the band
   (wy_mixed_form). Linearising keeps what it takes to bring any right-hand side to the same form. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "scheme/mixed/element_kernels.h"
#include "scheme/mixed/rod.h"

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

static void scatter(const wy_mixed *self, const band_rows *rows, const block *blocks, int count,
                    const wy_mixed_matrix *matrix) {
  for (int i = 0; i < count; i++)
    for (int x = 0; x < blocks[i].size; x++) {
      const int row = blocks[i].global + x;
      double *to = row_of(self, rows, row) + self->band->kl - row;
      for (int j = 0; j < count; j++)
        for (int y = 0; y < blocks[j].size; y++)
          to[blocks[j].global + y] += *wy_mixed_entry(matrix, blocks[i].local + x, blocks[j].local + y);
    }
}

/* Unknowns of an element's matrix that reach the band, in blocks; how many blocks those are. */
static int blocks_of(const wy_mixed *self, int element, block blocks[4]) {
  const int first = wy_mixed_unknown(self, element, 0), last = wy_mixed_unknown(self, element, 1);
  const int nodes = WY_NODE_UNKNOWNS * self->basis.nodes;
  if (self->task.form == WY_FORM_NODES) {
    blocks[0] = (block){0, first, 2 * WY_NODE_UNKNOWNS};
    return 1;
  }
  blocks[0] = (block){0, first, WY_NODE_UNKNOWNS};
  blocks[1] = (block){nodes, first + WY_LOCAL_FORCES, 3 * self->basis.order};
  blocks[2] = (block){WY_NODE_UNKNOWNS, last, WY_NODE_UNKNOWNS};
  blocks[3] = (block){2 * WY_NODE_UNKNOWNS, wy_mixed_unknown(self, element, 2), WY_NODE_UNKNOWNS};
  return self->task.form == WY_FORM_ALL && self->basis.order == 2 ? 4 : 3;
}

static int add_bundle(const wy_mixed *self, int bundle, const band_rows *rows) {
  const int first = WY_LANES * bundle, count = wy_mixed_bundle_size(self, bundle);
  wy_mixed_matrix matrix = {self->matrices, wy_mixed_width(self->basis.order, self->task.form)};
  self->kernels->tangents(self, bundle, self->matrices);
  for (int lane = 0; lane < count; lane++) {
    matrix.entries = self->matrices + lane;
    wy_mixed_add_slopes(self, first + lane, &matrix);
  }
  if (self->basis.order == 2 && self->task.form != WY_FORM_ALL &&
      self->kernels->eliminate(self, bundle, self->matrices))
    return WY_RETRY;
  for (int lane = 0; lane < count; lane++) {
    block blocks[4];
    const int blocks_there = blocks_of(self, first + lane, blocks);
    matrix.entries = self->matrices + lane;
    scatter(self, rows, blocks, blocks_there, &matrix);
  }
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
  for (int bundle = 0; bundle < wy_mixed_bundles(self); bundle++)
    add_bundle(self, bundle, &rows);
  for (int end = 0; end < 2; end++)
    hold_end(self, end, &rows);
}

/* Bundles one after the other, while the rows of those before are being factored: the matrix of a long rod never stands
   in memory. What the last one has added to the node after it is carried to the next call. */
typedef struct feeder {
  wy_mixed *self;
  int bundle;
  bool failed;
  double carried[WY_NODE_UNKNOWNS * (2 * WY_BAND_MAX + 1)];
} feeder;

static int feed(void *context, double *out) {
  feeder *from = context;
  wy_mixed *self = from->self;
  const int cell = wy_mixed_cell(self->basis.order, self->task.form), count = wy_mixed_bundle_size(self, from->bundle);
  const size_t width = (size_t)self->band->kl + (size_t)self->band->ku + 1, node = WY_NODE_UNKNOWNS * width;
  const band_rows rows = {out, cell * WY_LANES * from->bundle};
  const bool is_last = from->bundle == wy_mixed_bundles(self) - 1;
  memset(out, 0, ((size_t)(cell * count) * width + node) * sizeof *out);
  if (from->bundle > 0)
    memcpy(out, from->carried, node * sizeof *out);
  from->failed = add_bundle(self, from->bundle, &rows) || from->failed;
  if (from->bundle == 0)
    hold_end(self, WY_START, &rows);
  if (is_last)
    hold_end(self, WY_END, &rows);
  from->bundle++;
  memcpy(from->carried, out + (size_t)(cell * count) * width, node * sizeof *out);
  return cell * count + (is_last ? WY_NODE_UNKNOWNS : 0);
}

int wy_mixed_linearise(wy_mixed *self) {
  feeder from = {.self = self};
  assert(self->band == &self->narrow && self->task.form != WY_FORM_ALL);
  return wy_band_factor_fed(self->band, feed, &from) || from.failed ? WY_RETRY : WY_OK;
}

/* ---- Right-hand sides ---- */

void wy_mixed_reduce(const wy_mixed *self, double *r) {
  assert(self->band == &self->narrow && self->task.form != WY_FORM_ALL);
  for (int bundle = 0; bundle < wy_mixed_bundles(self); bundle++)
    self->kernels->reduce(self, bundle, r);
}

void wy_mixed_hold(const wy_mixed *self, double *r, double ends[2][WY_NODE_UNKNOWNS]) {
  for (int end = 0; end < 2; end++)
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      if (wy_mixed_is_held(self, end, x))
        r[wy_mixed_end_unknown(self, end) + x] = self->hold_stiffness * ends[end][x];
}

void wy_mixed_expand(const wy_mixed *self, double *r) {
  for (int bundle = 0; bundle < wy_mixed_bundles(self); bundle++)
    self->kernels->expand(self, bundle, r);
}

void wy_mixed_solve(const wy_mixed *self, double *r) {
  double still[2][WY_NODE_UNKNOWNS] = {{0}};
  wy_mixed_reduce(self, r);
  wy_mixed_hold(self, r, still);
  wy_band_solve(self->band, r);
  wy_mixed_expand(self, r);
}
