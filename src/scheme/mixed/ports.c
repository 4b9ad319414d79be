/* SPDX-License-Identifier: MIT */
/* Ends of the mixed rod on hubs of a network (docs/theory/network.md): the rod's equations hold them where the hub has
   them, and the hub gets the rows that are held. With the ends held the rod is the matrix A_ii of (N8). */
#include <string.h>

#include "scheme/mixed/rod.h"

/* Unknowns of the end element, from its first to its last node. */
static int width_of(const wy_mixed *self) {
  return wy_mixed_cell(self->basis.order, self->task.form) + WY_NODE_UNKNOWNS;
}

void wy_mixed_keep_port(wy_mixed *self, int end, const double *rows) {
  const int first = wy_mixed_end_unknown(self, end), from = wy_mixed_end_element(self, end);
  const size_t stride = (size_t)self->band->kl + (size_t)self->band->ku + 1;
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
    const double *row = rows + (size_t)x * stride + (self->band->kl + from - first - x);
    memcpy(self->ports[end].rows[x], row, (size_t)width_of(self) * sizeof *row);
  }
}

void wy_mixed_port_rows(const wy_mixed *self, int end, const double *d, double f[WY_NODE_UNKNOWNS]) {
  const double *from = d + wy_mixed_end_element(self, end);
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
    f[x] = 0;
    for (int j = 0; j < width_of(self); j++)
      f[x] += self->ports[end].rows[x][j] * from[j];
  }
}

void wy_mixed_condense(const wy_mixed *self, int by, double *work, double out[2][WY_NODE_UNKNOWNS][WY_NODE_UNKNOWNS]) {
  memset(out, 0, 2 * sizeof out[0]);
  memset(work, 0, WY_LANES * (size_t)self->band->n * sizeof *work);
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
    if (wy_mixed_is_joined(self, by, x))
      work[WY_LANES * (size_t)(wy_mixed_end_unknown(self, by) + x) + (size_t)x] = self->hold_stiffness;
  wy_band_solve_many(self->band, work);
  for (int end = 0; end < 2; end++) {
    const double *from = work + WY_LANES * (size_t)wy_mixed_end_element(self, end);
    for (int x = 0; self->ports[end].there && x < WY_NODE_UNKNOWNS; x++)
      for (int j = 0; j < width_of(self); j++)
        for (int y = 0; y < WY_NODE_UNKNOWNS; y++)
          out[end][x][y] += self->ports[end].rows[x][j] * from[WY_LANES * (size_t)j + (size_t)y];
  }
}
