/* SPDX-License-Identifier: MIT */
/* The null-space form: velocities v and body angular velocities Omega. Its matrix is made row by row while it is
   factored (nullspace_rows.c); here is what the door adds to it, and its states. */
#include "scheme/staggered/nullspace.h"

#include <math.h>
#include <string.h>

#include "scheme/staggered/blocks.h"

enum { CELL = WY_NULLSPACE_CELL };

/* ---- Blocks from outside ---- */

/* Tendons, body-axes loads, fluids and obstacles do not fit the pattern of segments and vertices; the last two depend
   on velocities. */
static bool expects_rates(const wy_staggered *self) {
  return self->fluid.drags || self->base.contacts;
}

static bool expects_outside(const wy_staggered *self) {
  bool any = self->actuators.has_tendons || expects_rates(self);
  for (int i = 0; i < wy_model_rod_load_count(self->base.model, self->base.rod); i++)
    any = any || wy_model_rod_load(self->base.model, self->base.rod, i)->axes == WY_BODY_AXES;
  return any;
}

static size_t outside_entries(const wy_staggered *self) {
  return (size_t)wy_staggered_order(self) * (size_t)(2 * self->linear.half + 1);
}

static void layout(wy_staggered *self, wy_arena *arena) {
  wy_nullspace *form = &self->linear.nullspace;
  double **scalars[] = {&form->beta, &form->gamma, &form->beta_im, &form->gamma_im};
  for (int i = 0; i < 4; i++)
    *scalars[i] = wy_halo_array(arena, 1, self->grid.halo_stride);
  if (!expects_outside(self))
    return;
  form->outside = wy_arena_doubles(arena, outside_entries(self));
  form->touched = wy_arena_take(arena, (size_t)self->grid.stride * sizeof(bool));
  if (expects_rates(self))
    form->outside_rate = wy_arena_doubles(arena, outside_entries(self));
  if (self->fluid.adds)
    form->added = wy_arena_doubles(arena, 9 * (size_t)self->grid.stride);
}

static void assemble(wy_staggered *self, const double *u, const double *f) {
  (void)u, (void)f;
  wy_nullspace *form = &self->linear.nullspace;
  if (!form->outside)
    return;
  memset(form->outside, 0, outside_entries(self) * sizeof(double));
  memset(form->touched, 0, (size_t)self->grid.stride * sizeof(bool));
  if (form->outside_rate)
    memset(form->outside_rate, 0, outside_entries(self) * sizeof(double));
}

static void add_to_band(wy_staggered *self, double *band, wy_place on, wy_place by, double factor, wy_m3 m) {
  const int half = self->linear.half, next = 2 * half; /* the same column, one row on */
  const int row = CELL * on.index + (on.segment ? 3 : 0), column = CELL * by.index + (by.segment ? 3 : 0);
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  assert(band && row - column <= half - 2 && column - row <= half - 2);
  self->linear.nullspace.touched[on.index] = true;
  for (int c = 0; c < 3; c++) {
    double *at = band + (size_t)row * (size_t)(next + 1) + (column + c - row + half);
    at[0] -= factor * columns[c].x, at[next] -= factor * columns[c].y, at[2 * next] -= factor * columns[c].z;
  }
}

static void add_from_outside(wy_staggered *self, wy_place on, wy_place by, double factor, wy_m3 m) {
  add_to_band(self, self->linear.nullspace.outside, on, by, factor, m);
}

static void add_rate_from_outside(wy_staggered *self, wy_place on, wy_place by, wy_m3 m) {
  add_to_band(self, self->linear.nullspace.outside_rate, on, by, 1, m);
}

/* The four blocks of a segment on its vertices, at `at` in the row of the first. */
WY_INLINE void subtract_blocks(double *at, int width, const double (*blocks)[9][WY_LANES], int lane) {
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++)
      for (int row = 0; row < 3; row++) {
        double *to = at + (CELL * a + row) * (width - 1) + CELL * b;
        for (int column = 0; column < 3; column++)
          to[column] -= blocks[a + b][3 * column + row][lane];
      }
}

static void add_chain(wy_staggered *self, int first, int count, const wy_chain_blocks *by_x,
                      const wy_chain_blocks *by_v) {
  const wy_nullspace *form = &self->linear.nullspace;
  const int half = self->linear.half, width = 2 * half + 1;
  for (int lane = 0; lane < count; lane++) {
    const size_t at = (size_t)(CELL * (first + lane)) * (size_t)width + (size_t)half;
    subtract_blocks(form->outside + at, width, by_x->at, lane);
    if (by_v)
      subtract_blocks(form->outside_rate + at, width, by_v->at, lane);
    form->touched[first + lane] = form->touched[first + lane + 1] = true;
  }
}

static void add_mass_from_outside(wy_staggered *self, int vertex, wy_m3 m) {
  self->linear.nullspace.touched[vertex] = true;
  wy_to_rows(m, self->linear.nullspace.added + 9 * (size_t)vertex);
}

/* Rows of held components have no forces. */
static void hold(wy_staggered *self, bool moving) {
  (void)moving;
  const size_t width = 2 * (size_t)self->linear.half + 1;
  for (int end = 0; self->linear.nullspace.outside && end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->linear.held[end][k]) {
        const size_t vertex = (size_t)wy_end_vertex(&self->grid, end);
        memset(self->linear.nullspace.outside + (CELL * vertex + (size_t)k) * width, 0, width * sizeof(double));
        if (self->linear.nullspace.outside_rate)
          memset(self->linear.nullspace.outside_rate + (CELL * vertex + (size_t)k) * width, 0, width * sizeof(double));
        if (self->linear.nullspace.added)
          memset(self->linear.nullspace.added + 9 * vertex + 3 * (size_t)k, 0, 3 * sizeof(double));
      }
}

/* Subtracts a band times displacements and rotations, or their rates. */
static void subtract_product(const wy_staggered *self, const double *band, const double *x, const double *theta,
                             int theta_stride, double *y) {
  const wy_nullspace *form = &self->linear.nullspace;
  const int order = wy_staggered_order(self), half = self->linear.half;
  double *motion = self->eval.work;
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      motion[CELL * i + k] = x[k * self->grid.stride + i];
      if (i < self->grid.n)
        motion[CELL * i + 3 + k] = theta[k * theta_stride + i];
    }
  for (int row = 0; row < order; row++) {
    if (!form->touched[row / CELL])
      continue;
    int first = row > half ? row - half : 0, last = row + half < order ? row + half : order - 1;
    const double *at = band + (size_t)row * (size_t)(2 * half + 1) + half - row;
    for (int column = first; column <= last; column++)
      y[row] -= at[column] * motion[column];
  }
}

void wy_nullspace_outside_times(const wy_staggered *self, const double *x, const double *theta, double *y) {
  subtract_product(self, self->linear.nullspace.outside, x, theta, self->grid.halo_stride, y);
}

/* ---- States ---- */

void wy_nullspace_set_spin(const wy_staggered *self, int segment, const double p[4], const double omega[3], double *u) {
  (void)p;
  for (int k = 0; k < 3; k++)
    u[self->grid.w + k * self->grid.stride + segment] = omega[k];
}

/* The right-hand side does not depend on |p|, and p' is proportional to p: scaling both keeps f right. */
double wy_nullspace_scale_frame(const wy_staggered *self, int segment, double *u, double *f) {
  const int n = self->grid.stride;
  double *p = u + self->grid.p + segment, norm2 = 0;
  for (int k = 0; k < 4; k++)
    norm2 += p[k * n] * p[k * n];
  assert(!(norm2 <= 0));
  double inv = 1 / sqrt(norm2);
  for (int k = 0; k < 4; k++) {
    p[k * n] *= inv;
    if (f)
      f[self->grid.p + k * n + segment] *= inv;
  }
  return norm2;
}

/* The rotary energy T - T* that making a quaternion of length^2 norm2 a unit one adds to a segment (S28a). */
static double energy_added(const wy_staggered *self, const double *u, int i, double norm2) {
  wy_v3 omega = wy_load3(u + self->grid.w, self->grid.stride, i);
  wy_v3 half = wy_times(0.5, wy_load3(self->grid.inertia, self->grid.stride, i));
  return norm2 * (1 - norm2) * wy_inner(wy_each(half, omega), omega);
}

static int project_frames(const wy_staggered *self, double *u, double *f, double drift[WY_DRIFTS]) {
  for (int i = 0; i < self->grid.n; i++) {
    double norm2 = wy_nullspace_scale_frame(self, i, u, f);
    drift[WY_DRIFT_QUATERNION] = fmax(drift[WY_DRIFT_QUATERNION], fabs(sqrt(norm2) - 1));
    drift[WY_DRIFT_ENERGY] += energy_added(self, u, i, norm2);
  }
  return 0;
}

/* ---- J x: for tests, so plain and separate from the elimination ---- */

static void add_vector(double *array, int stride, int i, wy_v3 v) {
  wy_store3(array, stride, i, wy_plus(wy_load3(array, stride, i), v));
}

/* Rates of quaternions into y, rotations into theta. */
static void turn_times(wy_staggered *self, const double *x, double *y) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  for (int i = 0; i < self->grid.n; i++) {
    wy_q4 p = wy_load4(self->linear.p, n, i), dp = wy_load4(x + self->grid.p, n, i);
    wy_v3 om = wy_load3(self->linear.omega, hs, i), dom = wy_load3(x + self->grid.w, n, i);
    wy_store3(self->linear.theta, hs, i, wy_times(2 / wy_qsquare(p), wy_pure(wy_between(p, dp))));
    wy_q4 rate = wy_qplus(wy_times_pure(dp, om), wy_times_pure(p, dom));
    wy_store4(y + self->grid.p, n, i, wy_qtimes(0.5, rate));
  }
}

/* Forces and torques of the blocks of segments and of vertices. */
static void segments_times(wy_staggered *self, const double *x, double *force, double *torque) {
  const int n = self->grid.stride;
  for (int i = 0; i < self->grid.n; i++) {
    const double *dx = x + self->grid.x, *dv = x + self->grid.v;
    wy_v3 motion[4] = {wy_minus(wy_load3(dx, n, i + 1), wy_load3(dx, n, i)),
                       wy_minus(wy_load3(dv, n, i + 1), wy_load3(dv, n, i)),
                       wy_load3(self->linear.theta, self->grid.halo_stride, i), wy_load3(x + self->grid.w, n, i)};
    for (int k = 0; k < 4; k++) {
      wy_v3 push = wy_apply(wy_block_of(self->linear.segments, WY_SEGMENT_BLOCKS, i, WY_FORCE_X + k), motion[k]);
      add_vector(force, n, i, push);
      add_vector(force, n, i + 1, wy_times(-1, push));
      add_vector(torque, n, i,
                 wy_apply(wy_block_of(self->linear.segments, WY_SEGMENT_BLOCKS, i, WY_TORQUE_X + k), motion[k]));
    }
  }
}

static void vertices_times(wy_staggered *self, const double *x, double *torque) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  for (int i = 1; i < self->grid.n; i++)
    for (int k = 0; k < 4; k++) { /* by theta before and after, by angular velocity before and after */
      const int near = i - 1 + k % 2, base = k < 2 ? WY_MINUS_T_MINUS + k : WY_MINUS_W_MINUS + k - 2;
      wy_v3 turn = k < 2 ? wy_load3(self->linear.theta, hs, near) : wy_load3(x + self->grid.w, n, near);
      for (int on = 0; on < 2; on++)
        add_vector(torque, n, i - 1 + on,
                   wy_apply(wy_block_of(self->linear.vertices, WY_VERTEX_BLOCKS, i, base + 2 * on), turn));
    }
}

static void outside_times(wy_staggered *self, const double *x, double *force, double *torque) {
  double *push = self->linear.packed;
  memset(push, 0, (size_t)wy_staggered_order(self) * sizeof *push);
  wy_nullspace_outside_times(self, x + self->grid.x, self->linear.theta, push);
  if (self->linear.nullspace.outside_rate)
    subtract_product(self, self->linear.nullspace.outside_rate, x + self->grid.v, x + self->grid.w, self->grid.stride,
                     push);
  for (int i = 0; i <= self->grid.n; i++) {
    add_vector(force, self->grid.stride, i, wy_at3(push + CELL * i));
    if (i < self->grid.n)
      add_vector(torque, self->grid.stride, i, wy_at3(push + CELL * i + 3));
  }
}

static void jacobian_times(wy_staggered *self, const double *x, double *y) {
  const int n = self->grid.stride;
  double *force = y + self->grid.v, *torque = y + self->grid.w;
  memset(y, 0, (size_t)self->base.size * sizeof *y);
  turn_times(self, x, y);
  segments_times(self, x, force, torque);
  vertices_times(self, x, torque);
  if (self->linear.nullspace.outside)
    outside_times(self, x, force, torque);
  if (self->branches.count) {
    wy_staggered_branch_multiply(self, x, y);
    wy_staggered_gather_forces(self, force, torque);
  }
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      const int end = i == 0 ? WY_START : i == self->grid.n ? WY_END : -1;
      double velocity = x[self->grid.v + k * n + i], *f = &force[k * n + i];
      y[self->grid.x + k * n + i] = velocity;
      *f = end >= 0 && self->linear.held[end][k] ? 0
                                                 : *f * self->grid.inv_mass[i] - self->grid.drag_translation * velocity;
      if (i < self->grid.n)
        torque[k * n + i] *= self->grid.inv_inertia[k * n + i];
    }
  for (int i = 0; self->fluid.adds && i <= self->grid.n; i++) {
    const wy_m3 inverse = wy_from_rows(self->fluid.inverse + 9 * (size_t)i);
    wy_store3(force, n, i, wy_times(self->grid.mass[i], wy_apply(inverse, wy_load3(force, n, i))));
  }
}

const wy_form wy_nullspace_form = {.spin = "angular_velocity",
                                   .spin_components = 3,
                                   .spin_unit = 1,
                                   .cell = CELL,
                                   .half = WY_NULLSPACE_HALF,
                                   .half_tendons = WY_NULLSPACE_HALF_TENDONS,
                                   .layout = layout,
                                   .set_spin = wy_nullspace_set_spin,
                                   .project_frames = project_frames,
                                   .segments = wy_nullspace_segments,
                                   .accelerate = wy_nullspace_accelerate,
                                   .section_blocks = wy_staggered_section_blocks,
                                   .assemble = assemble,
                                   .add = add_from_outside,
                                   .add_rate = add_rate_from_outside,
                                   .add_chain = add_chain,
                                   .add_mass = add_mass_from_outside,
                                   .hold = hold,
                                   .factor = wy_nullspace_factor,
                                   .solve = wy_nullspace_solve,
                                   .multiply = jacobian_times};
