/* The balance of the whole rod and its linear equations. Two forms: condensed, with six unknowns for each node between
   elements (forces N and inner nodes are eliminated), and the saddle form, which keeps forces: for constrained strains,
   and for equilibria of thin rods. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "math/quat.h"
#include "scheme/mixed/rod.h"

/* ---- Balance ---- */

double wy_mixed_balance(wy_mixed *self) {
  const int order = self->basis.order;
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
        missed = fmax(missed, x < 3 ? fabs(total) : fabs(total) / length);
        missed = isnan(total) ? total : missed;
      }
      for (int x = 0; end >= 0 && x < WY_NODE; x++)
        self->support[WY_NODE * end + x] = f[a][x];
    }
    for (int i = 0; i < 3 * order; i++) {
      if (self->task.condensed)
        missed = fmax(missed, fabs(law[i]));
      else
        strain = fmax(strain, fabs(law[i]) / self->element[e].length);
    }
  }
  return (missed > 0 || isnan(missed) ? missed / largest : 0) + strain;
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

/* Eliminates the inner node: its six rows, in upper triangular form, are kept to find it afterwards. Pivots are sought
   among these rows. */
WY_CLONES
static int eliminate(wy_mixed_matrix *matrix, double *kept) {
  enum { INNER = 12 };
  for (int j = INNER; j < WY_ELEMENT_ROWS; j++) {
    int pivot = j;
    for (int i = j + 1; i < WY_ELEMENT_ROWS; i++)
      if (fabs(matrix->k[i][j]) > fabs(matrix->k[pivot][j]))
        pivot = i;
    double *row = matrix->k[j], *best = matrix->k[pivot];
    if (!(fabs(best[j]) > 0))
      return WY_RETRY;
    for (int x = 0; pivot != j && x < WY_ELEMENT_WIDTH; x++) {
      double swapped = row[x];
      row[x] = best[x], best[x] = swapped;
    }
    double inverse = 1 / row[j];
#pragma omp simd
    for (int x = 0; x < WY_ELEMENT_WIDTH; x++)
      row[x] *= inverse;
    for (int i = 0; i < WY_ELEMENT_ROWS; i++) {
      if (i >= INNER && i <= j)
        continue;
      double factor = matrix->k[i][j], *restrict other = matrix->k[i];
#pragma omp simd
      for (int x = 0; x < WY_ELEMENT_WIDTH; x++)
        other[x] -= factor * row[x];
    }
  }
  memcpy(kept, matrix->k[INNER], 6 * sizeof matrix->k[0]);
  return WY_OK;
}

/* How N follows the nodes: N changes by what its law misses and by modulus times the change of E. */
static void keep_law(const wy_mixed *self, int element, wy_mixed_matrix *matrix) {
  const int order = self->basis.order, rows = 6 * self->basis.nodes;
  double *law = self->law + (size_t)element * WY_FORCES * WY_ELEMENT_WIDTH;
  const double *missed = self->element_law + (size_t)element * WY_FORCES;
  for (int i = 0; i < 3; i++) {
    wy_sym modulus = wy_mixed_modulus(self, element, i);
    for (int b = 0; b < order; b++) {
      double *row = law + (size_t)(3 * b + i) * WY_ELEMENT_WIDTH;
      const double own = modulus.m[2 * b], other = order == 2 ? modulus.m[1] : 0;
      const double *one = matrix->right[6 * b + i], *two = matrix->right[order == 2 ? 6 * (1 - b) + i : i];
      for (int x = 0; x < WY_ELEMENT_WIDTH; x++)
        row[x] = own * one[x] + other * two[x];
      row[WY_RHS] = missed[3 * b + i];
      for (int x = 0; x < rows; x++)
        matrix->k[x][WY_RHS] -= matrix->left[6 * b + i][x] * missed[3 * b + i];
    }
  }
}

/* ---- Assembly ---- */

/* Adds local rows and columns (nodes a, c) to the band. */
static void add_block(wy_mixed *self, int row, int column, double (*k)[WY_ELEMENT_WIDTH], int from_row,
                      int from_column) {
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
    double *to = wy_band_row(self->band, row + x) + self->band->kl + column - row - x;
    for (int y = 0; y < WY_NODE_UNKNOWNS; y++)
      to[y] += k[from_row + x][from_column + y];
  }
}

static void add_nodes(wy_mixed *self, int element, int nodes, wy_mixed_matrix *matrix) {
  for (int a = 0; a < nodes; a++) {
    int row = wy_mixed_unknown(self, element, a);
    for (int c = 0; c < nodes; c++)
      add_block(self, row, wy_mixed_unknown(self, element, c), matrix->k, 6 * a, 6 * c);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      self->rhs[row + x] += matrix->k[6 * a + x][WY_RHS];
  }
}

static void clear(wy_mixed *self) {
  memset(self->band->rows, 0, (size_t)self->band->n * (size_t)(self->band->kl + self->band->ku + 1) * sizeof(double));
  memset(self->rhs, 0, (size_t)self->band->n * sizeof *self->rhs);
}

/* Held unknowns do not change. */
void wy_mixed_hold_ends(wy_mixed *self) {
  for (int end = 0; end < 2; end++) {
    int first = wy_mixed_unknown(self, end ? self->elements - 1 : 0, end);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
      if (!wy_mixed_is_held(self, end, x))
        continue;
      double *row = wy_band_row(self->band, first + x);
      memset(row, 0, (size_t)(self->band->kl + self->band->ku + 1) * sizeof *row);
      row[self->band->kl] = self->hold_stiffness;
      self->rhs[first + x] = 0;
    }
  }
}

static int fill_condensed(wy_mixed *self) {
  clear(self);
  for (int e = 0; e < self->elements; e++) {
    wy_mixed_matrix matrix;
    element_system(self, e, &matrix);
    keep_law(self, e, &matrix);
    if (self->basis.order == 2 && eliminate(&matrix, self->inner + (size_t)e * WY_NODE_UNKNOWNS * WY_ELEMENT_WIDTH))
      return WY_RETRY;
    add_nodes(self, e, 2, &matrix);
  }
  return WY_OK;
}

/* Rows of forces: right d - flexibility dN = -(what their law misses); their columns: left^T dN. */
static void add_forces(wy_mixed *self, int element, wy_mixed_matrix *matrix) {
  const int order = self->basis.order, first = wy_mixed_unknown(self, element, 0) + WY_NODE_UNKNOWNS;
  const int half = self->band->kl;
  const double *missed = self->element_law + (size_t)element * WY_FORCES;
  for (int i = 0; i < 3; i++) {
    wy_sym flexibility = wy_mixed_flexibility(self, element, i);
    for (int b = 0; b < order; b++) {
      int row = first + 3 * b + i;
      double *to = wy_band_row(self->band, row) + half - row;
      for (int a = 0; a < self->basis.nodes; a++) {
        int node = wy_mixed_unknown(self, element, a);
        for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
          to[node + x] = matrix->right[6 * b + i][6 * a + x];
          (wy_band_row(self->band, node + x) + half - node - x)[row] = matrix->left[6 * b + i][6 * a + x];
        }
      }
      for (int c = 0; c < order; c++)
        to[first + 3 * c + i] = -flexibility.m[b + c];
      self->rhs[row] = -missed[3 * b + i];
    }
  }
}

void wy_mixed_fill_saddle(wy_mixed *self) {
  clear(self);
  for (int e = 0; e < self->elements; e++) {
    wy_mixed_matrix matrix;
    element_system(self, e, &matrix);
    add_nodes(self, e, self->basis.nodes, &matrix);
    add_forces(self, e, &matrix);
  }
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

static void move_node(wy_mixed *self, int node, const double d[WY_NODE_UNKNOWNS], double *change) {
  double *q = self->end + WY_NODE * node, size[2];
  wy_add3(q, 1, d);
  wy_mixed_turn_on(d + 3, 1, self->from + WY_NODE * node, q);
  size[0] = wy_norm3(d) / self->rod->length, size[1] = wy_norm3(d + 3);
  for (int i = 0; i < 2; i++)
    if (!(size[i] <= *change))
      *change = size[i];
}

/* Nodes and forces follow from the solution, element by element. */
static void move_element(wy_mixed *self, int element, double *change) {
  const int order = self->basis.order, nodes = self->basis.nodes;
  double d[WY_ELEMENT_ROWS];
  for (int a = 0; a < 2; a++)
    memcpy(d + 6 * a, self->rhs + wy_mixed_unknown(self, element, a), 6 * sizeof *d);
  if (order == 2 && !self->task.condensed)
    memcpy(d + 12, self->rhs + wy_mixed_unknown(self, element, 2), 6 * sizeof *d);
  if (order == 2 && self->task.condensed) {
    const double *kept = self->inner + (size_t)element * WY_NODE_UNKNOWNS * WY_ELEMENT_WIDTH;
    for (int j = 5; j >= 0; j--) {
      const double *row = kept + (size_t)j * WY_ELEMENT_WIDTH;
      double sum = row[WY_RHS];
      for (int x = 0; x < 12; x++)
        sum -= row[x] * d[x];
      for (int x = 12 + j + 1; x < WY_ELEMENT_ROWS; x++)
        sum -= row[x] * d[x];
      d[12 + j] = sum;
    }
  }
  double *axial = self->axial + (size_t)element * WY_FORCES;
  for (int i = 0; i < 3 * order; i++) {
    if (!self->task.condensed) {
      axial[i] += self->rhs[wy_mixed_unknown(self, element, 0) + WY_NODE_UNKNOWNS + i];
      continue;
    }
    const double *row = self->law + ((size_t)element * WY_FORCES + (size_t)i) * WY_ELEMENT_WIDTH;
    double sum = row[WY_RHS];
    for (int x = 0; x < 6 * nodes; x++)
      sum += row[x] * d[x];
    axial[i] += sum;
  }
  for (int a = element == 0 ? 0 : 1; a < nodes; a++)
    move_node(self, wy_mixed_node(self, element, a), d + 6 * a, change);
}

int wy_mixed_correct(wy_mixed *self, double *change) {
  if (!self->task.condensed)
    wy_mixed_fill_saddle(self);
  else if (fill_condensed(self))
    return WY_RETRY;
  wy_mixed_hold_ends(self);
  if (wy_band_factor(self->band))
    return WY_RETRY;
  wy_band_solve(self->band, self->rhs);
  *change = 0;
  for (int e = 0; e < self->elements; e++)
    move_element(self, e, change);
  return WY_OK;
}
