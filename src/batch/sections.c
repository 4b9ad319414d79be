/* SPDX-License-Identifier: MIT */
/* Strains, curvatures, forces and moments of rods, from their states: docs/theory/staggered.md, (S10) to (S22). */
#include <string.h>

#include "batch/inside.h"
#include "scheme/staggered/zeta.h"

/* One rod as it is read: cells and numbers of the machine, and what brings forces and moments to SI units. */
typedef struct reading {
  const double *cells, *par, *natural, *ends;
  int n;
  wy_curvature_measure measure;
  const bool *clamped;
  double length, force; /* of a segment; the unit of force */
} reading;

static const double *cell_of(const reading *it, int segment) {
  return it->cells + (size_t)WY_CELL * (size_t)(segment < 0 ? it->n : segment);
}

/* Strain and force of a segment (S10), (S11), (S2). */
static void read_segment(const reading *it, int i, double *strain, double *force) {
  const double *cell = cell_of(it, i), *before = cell_of(it, i - 1), *par = it->par;
  const wy_m3 r = wy_rotation(wy_at4(cell + WY_CELL_P));
  const wy_v3 x = wy_apply_transposed(r, wy_at3(cell + WY_CELL_E));
  const wy_v3 dv = wy_minus(wy_at3(cell + WY_CELL_V), wy_at3(before + WY_CELL_V));
  const wy_v3 gamma = {x.x, x.y, x.z - 1};
  const wy_v3 rate = wy_plus(wy_apply_transposed(r, dv), wy_cross(x, wy_at3(cell + WY_CELL_W)));
  const wy_v3 elastic = wy_each(wy_at3(par + WY_PAR_CG), gamma), viscous = wy_each(wy_at3(par + WY_PAR_DG), rate);
  if (strain)
    wy_put3(strain, gamma);
  if (force)
    wy_put3(force, wy_times(it->force, wy_plus(elastic, viscous)));
}

/* A frame with its angular velocity. */
typedef struct turning {
  wy_q4 p;
  wy_v3 om;
} turning;

static turning turning_of(const reading *it, int segment) {
  const double *cell = cell_of(it, segment);
  return (turning){wy_at4(cell + WY_CELL_P), wy_at3(cell + WY_CELL_W)};
}

/* The mirror image of a segment behind the support of an end (S21), (S22). */
static turning ghost_of(const reading *it, int end, turning inner) {
  const double *pose = it->ends + (end ? WY_END_MOTION : 0);
  const wy_q4 q = wy_at4(pose + WY_END_Q), relative = wy_between(q, inner.p);
  const wy_v3 spin = wy_times(2, wy_pure(wy_between(q, wy_at4(pose + WY_END_R))));
  const wy_v3 turned = wy_apply(wy_rotation(relative), wy_minus(inner.om, spin));
  return (turning){wy_qproduct(q, wy_qconjugate(relative)), wy_minus(spin, turned)};
}

/* Curvature and moment of a vertex (S15) to (S18); 0 at ends that turn freely. */
static void read_vertex(const reading *it, int i, double *curvature, double *moment) {
  const bool start = i == 0, end = i == it->n;
  wy_v3 k = {0, 0, 0}, m = {0, 0, 0};
  if (!(start && !it->clamped[0]) && !(end && !it->clamped[1])) {
    const turning plus = end ? ghost_of(it, 1, turning_of(it, i - 1)) : turning_of(it, i);
    const turning minus = start ? ghost_of(it, 0, turning_of(it, 0)) : turning_of(it, i - 1);
    const wy_q4 between = wy_between(minus.p, plus.p);
    const wy_v3 im = wy_pure(between), by = wy_minus(plus.om, minus.om), sum = wy_plus(plus.om, minus.om);
    const wy_zeta z = wy_zeta_at(it->measure, between.w);
    const double *par = it->par;
    wy_v3 rate = wy_minus(wy_times(z.value * between.w, by), wy_times(z.first * wy_inner(im, by), im));
    rate = wy_plus(rate, wy_times(z.value, wy_cross(im, sum)));
    k = wy_times(2 * z.value, im);
    m = wy_each(wy_at3(par + WY_PAR_CK), wy_minus(k, wy_at3(it->natural + 3 * i)));
    m = wy_plus(m, wy_each(wy_at3(par + WY_PAR_DK), rate));
  }
  if (curvature)
    wy_put3(curvature, wy_times(1 / it->length, k));
  if (moment)
    wy_put3(moment, wy_times(it->force * it->length, m));
}

static reading read_rod(wy_batch *self, int rod) {
  const int n = self->kind.segments;
  double *cells = self->row, *par = cells + wy_batch_state_entries(self), *natural = par + WY_PAR_COUNT;
  self->backend->download(self->machine, wy_batch_state_array(self, false), rod, 1, cells);
  self->backend->download(self->machine, WY_ARRAY_PARAMETERS, rod, 1, par);
  self->backend->download(self->machine, WY_ARRAY_NATURAL, rod, 1, natural);
  const wy_rod_def own = wy_batch_rod_def(self, rod);
  const double h = wy_batch_segment(self, rod);
  return (reading){.cells = cells,
                   .par = par,
                   .natural = natural,
                   .ends = self->ends + (size_t)rod * WY_ENDS,
                   .n = n,
                   .measure = self->kind.measure,
                   .clamped = self->kind.clamped,
                   .length = h,
                   .force = wy_section_at(&own, 0).mass * h * h / (WY_BATCH_TICK * WY_BATCH_TICK)};
}

static double *at(double *array, size_t index) {
  return array ? array + 3 * index : NULL;
}

wy_status wy_batch_sections(wy_batch *batch, int first, int count, double *strains, double *forces, double *curvatures,
                            double *moments, wy_message *message) {
  const void *any = strains ? strains : forces ? forces : curvatures ? curvatures : moments;
  wy_status status = wy_batch_check_range(batch, first, count, any, message);
  if (status)
    return status;
  wy_batch_refresh(batch);
  const size_t n = (size_t)batch->kind.segments;
  for (size_t i = 0; i < (size_t)count; i++) {
    const reading it = read_rod(batch, first + (int)i);
    for (size_t k = 0; k < n; k++)
      read_segment(&it, (int)k, at(strains, i * n + k), at(forces, i * n + k));
    for (size_t k = 0; k <= n; k++)
      read_vertex(&it, (int)k, at(curvatures, i * (n + 1) + k), at(moments, i * (n + 1) + k));
  }
  return WY_OK;
}
