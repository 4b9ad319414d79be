/* SPDX-License-Identifier: MIT */
/* The undeformed rods and the state at the start, as the staggered scheme has them: docs/theory/staggered.md, (S7). */
#include <math.h>
#include <string.h>

#include "batch/inside.h"
#include "math/quat.h"
#include "scheme/staggered/zeta.h"

/* The pattern's curvature at the same share of another length. */
typedef struct stretched {
  const wy_signal *of;
  double by;
} stretched;

static void evaluate_stretched(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const stretched *it = context;
  (void)wrt;
  jet[0] = wy_signal_value(it->of, s * it->by, t), jet[1] = jet[2] = 0;
}

/* One undeformed rod: frames at the middles, its ends, natural curvatures times the segment's length. */
typedef struct shape {
  double *frames, *natural;
  double *start, *end; /* place from its origin, and frame: 7 */
} shape;

/* Im W zeta(Re W), twice: the curvature between two frames, times the length. */
static void bend_between(wy_curvature_measure measure, const double minus[4], const double plus[4], double k[3]) {
  const wy_q4 between = wy_between(wy_at4(minus), wy_at4(plus));
  wy_put3(k, wy_times(2 * wy_zeta_at(measure, between.w).value, wy_pure(between)));
}

/* q conj(p) q: the ghost beyond a clamped end (S21). */
static void ghost_of(const double support[4], const double p[4], double ghost[4]) {
  const wy_q4 q = wy_at4(support), back = wy_qconjugate(wy_at4(p));
  wy_put4(ghost, wy_qproduct(wy_qproduct(q, back), q));
}

static void find_natural(const wy_batch *self, const shape *at) {
  const int n = self->kind.segments;
  const wy_curvature_measure measure = self->kind.measure;
  memset(at->natural, 0, 3 * (size_t)(n + 1) * sizeof(double));
  for (int i = 1; i < n; i++)
    bend_between(measure, at->frames + 4 * (i - 1), at->frames + 4 * i, at->natural + 3 * i);
  double ghost[4];
  if (self->kind.clamped[0]) {
    ghost_of(at->start + 3, at->frames, ghost);
    bend_between(measure, ghost, at->frames, at->natural);
  }
  if (self->kind.clamped[1]) {
    ghost_of(at->end + 3, at->frames + 4 * (n - 1), ghost);
    bend_between(measure, at->frames + 4 * (n - 1), ghost, at->natural + 3 * n);
  }
}

static void undeformed(const wy_batch *self, int rod, const shape *at) {
  const int n = self->kind.segments;
  wy_rod_def own = wy_batch_rod_def(self, rod);
  const double length = self->numbers[WY_BATCH_LENGTH][rod], h = length / n;
  const double *root = self->numbers[WY_BATCH_ROOT] + 7 * (size_t)rod;
  stretched curves[3];
  for (int k = 0; k < 3; k++) {
    curves[k] = (stretched){&self->rod->shape.curvature[k], self->rod->length / length};
    if (length != self->rod->length && wy_signal_depends(&own.shape.curvature[k], WY_ARC))
      own.shape.curvature[k] = (wy_signal){0, evaluate_stretched, &curves[k], WY_ARC};
  }
  own.length = length;
  double frame[4], place[3] = {0, 0, 0}, r[9];
  memcpy(frame, root + 3, sizeof frame);
  memcpy(at->start, place, sizeof place);
  memcpy(at->start + 3, frame, sizeof frame);
  for (int i = 0; i < n; i++) {
    wy_reference_turn(&own, i * h, (i + 0.5) * h, frame);
    memcpy(at->frames + 4 * i, frame, sizeof frame);
    wy_qmatrix(frame, r);
    for (int k = 0; k < 3; k++)
      place[k] += h * r[3 * k + 2];
    wy_reference_turn(&own, (i + 0.5) * h, (i + 1) * h, frame);
  }
  memcpy(at->end, place, sizeof place);
  memcpy(at->end + 3, frame, sizeof frame);
  find_natural(self, at);
}

/* The pattern's supports begin at the ends of the undeformed pattern. */
void wy_batch_begin_supports(wy_batch *self) {
  double start[7], end[7];
  const shape at = {self->row, self->row + 4 * (size_t)self->kind.segments, start, end};
  undeformed(self, 0, &at);
  self->supports.state = self->support_state;
  wy_support_begin(&self->supports, self->rod);
  memcpy(self->supports.reference[0], start, sizeof self->supports.reference[0]);
  memcpy(self->supports.reference[1], end, sizeof self->supports.reference[1]);
  memcpy(self->supports.reference_q[0], start + 3, sizeof self->supports.reference_q[0]);
  memcpy(self->supports.reference_q[1], end + 3, sizeof self->supports.reference_q[1]);
  wy_support_set_offsets(&self->supports);
  for (int side = 0; side < 2; side++)
    wy_support_pose(&self->supports, side, 0, &self->begin[side]);
}

/* The state: undeformed edges, frames with the initial twist, velocities as the pattern and the user have them. */
static void initial(const wy_batch *self, int rod, const shape *at, double *cells) {
  const int n = self->kind.segments;
  const wy_initial *given = &self->rod->initial;
  const double h = wy_batch_segment(self, rod), step = self->rod->length / n;
  const double *more = self->numbers[WY_BATCH_VELOCITY] + 3 * (size_t)rod;
  for (int i = 0; i <= n; i++) {
    double *cell = cells + (size_t)WY_CELL * (size_t)i, r[9];
    const double middle = (i + 0.5) * step, vertex = i < n ? (i + 1) * step : 0;
    memset(cell, 0, WY_CELL * sizeof *cell);
    for (int k = 0; k < 3; k++)
      cell[WY_CELL_V + k] = (wy_signal_value(&given->velocity[k], vertex, 0) + more[k]) * WY_BATCH_TICK / h;
    cell[WY_CELL_P] = 1;
    if (i == n)
      continue;
    wy_qmatrix(at->frames + 4 * i, r);
    const double half = 0.5 * wy_signal_value(&given->twist, middle, 0);
    const double twist[4] = {cos(half), 0, 0, sin(half)};
    wy_qmul(at->frames + 4 * i, twist, cell + WY_CELL_P);
    wy_qnormalise(cell + WY_CELL_P);
    for (int k = 0; k < 3; k++) {
      cell[WY_CELL_E + k] = r[3 * k + 2];
      cell[WY_CELL_W + k] = wy_signal_value(&given->angular_velocity[k], middle, 0) * WY_BATCH_TICK;
    }
  }
}

/* Held components of ends move as their supports do. */
static void hold(const wy_batch *self, const double *ends, double *cells) {
  const int n = self->kind.segments;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->kind.held[end][k] > 0)
        cells[WY_CELL * (end ? n - 1 : n) + WY_CELL_V + k] = ends[end * WY_END_MOTION + WY_END_V + k];
}

void wy_batch_start(wy_batch *self) {
  const int n = self->kind.segments;
  double *cells = self->row, *frames = cells + wy_batch_state_entries(self), *natural = frames + 4 * (size_t)n;
  self->time = 0, self->spacing = 0, self->side = 0;
  for (int i = 0; i < self->kind.count; i++) {
    double start[7];
    const shape at = {frames, natural, start, self->undeformed + 7 * (size_t)i};
    undeformed(self, i, &at);
    memset(cells, 0, wy_batch_state_entries(self) * sizeof *cells);
    initial(self, i, &at, cells);
    wy_batch_begin_ends(self, i);
    hold(self, self->ends + (size_t)i * WY_ENDS, cells);
    self->backend->upload(self->machine, WY_ARRAY_NATURAL, i, 1, natural);
    self->backend->upload(self->machine, WY_ARRAY_STATE, i, 1, cells);
    self->backend->upload(self->machine, WY_ARRAY_BEFORE, i, 1, cells);
    self->backend->upload(self->machine, WY_ARRAY_ENDS, i, 1, self->ends + (size_t)i * WY_ENDS);
    self->rods[i] = (wy_batch_rod){.time = 0};
  }
}
