/* SPDX-License-Identifier: MIT */
/* The rod's linearised equations with the section forces kept as unknowns, 9 a segment: (dx, theta, dF), ordered x_0,
   theta_0, F_0, x_1, ..., x_N, half bandwidth 11, with tendons 17. Constrained strains have no compliance in their row:
   one form for all models. It serves equilibria, and the implicit integrators of constrained rods (C10)-(C17).

   The matrix is kept in three bands, by what they act on: configuration (dx, theta, dF), rates (dv, dOmega),
   accelerations (dv', dOmega'). For one shift saddle_solve.c adds them up with dv = sigma dx, dOmega = T theta. */
#include "scheme/staggered/saddle.h"

#include <math.h>
#include <string.h>

#include "model/law.h"
#include "scheme/staggered/blocks.h"
#include "scheme/staggered/nullspace.h"

enum { CELL = WY_SADDLE_CELL, TURN = WY_SADDLE_TURN, FORCE = WY_SADDLE_FORCE };

/* band(row .. row + 2, column .. column + 2) += factor m */
WY_INLINE void add_saddle_block(const wy_staggered *self, double *band, int row, int column, double factor, wy_m3 m) {
  assert(column - row <= self->linear.saddle.half - 2 && row - column <= self->linear.saddle.half - 2);
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  const int next = wy_saddle_width(self) - 1; /* the same column, one row on */
  for (int c = 0; c < 3; c++) {
    double *at = band + (size_t)row * (size_t)(next + 1) + (column + c - row + self->linear.saddle.half);
    at[0] += factor * columns[c].x;
    at[next] += factor * columns[c].y;
    at[2 * next] += factor * columns[c].z;
  }
}

WY_INLINE void add_diagonal(const wy_staggered *self, double *band, int row, wy_v3 d) {
  const int width = wy_saddle_width(self);
  double *at = band + (size_t)row * (size_t)width + self->linear.saddle.half;
  at[0] += d.x, at[width] += d.y, at[2 * width] += d.z;
}

/* m acts on a difference over the segment: of its two vertices. */
WY_INLINE void add_difference(const wy_staggered *self, double *band, int row, int i, double factor, wy_m3 m) {
  add_saddle_block(self, band, row, CELL * (i + 1), factor, m);
  add_saddle_block(self, band, row, CELL * i, -factor, m);
}

/* One segment at the state of the last evaluation, directors; rates and accelerations are zero in an equilibrium. */
typedef struct segment {
  double h;
  wy_m3 back, over; /* R^T, and R^T / h */
  wy_v3 x, force;   /* R^T Dx / h, section force */
  wy_v3 y, rate;    /* R^T Dv / h, Gamma' */
  wy_v3 b;          /* R^T Da / h */
  wy_v3 omega, spin;
  double compliance; /* of extension */
} segment;

/* In motion the law gives the force of a strain; in an equilibrium the strain of a force, which follows the state. */
static double compliance_at(const wy_staggered *self, const double *u, bool moving, wy_v3 x, int i) {
  const double c = self->stiffness.c_gamma[2 * self->grid.stride + i];
  double compliance;
  if (self->grid.constrained == 3)
    return 0;
  if (moving && wy_law_changes_extension(&self->grid.rod->law)) {
    const double zero = self->grid.gamma_zero ? self->grid.gamma_zero[2 * self->grid.stride + i] : 0;
    return 1 / (c * wy_law_stiffness_ratio(&self->grid.rod->law, x.z - 1 - zero));
  }
  wy_law_extension(&self->grid.rod->law, c, moving ? 0 : u[self->base.size + 2 * self->grid.stride + i], &compliance);
  return compliance;
}

static segment linearise_segment(const wy_staggered *self, const double *u, const double *f, int i) {
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  segment s = {.h = self->grid.h[i]};
  s.back = wy_mtransposed(wy_rotation(wy_load4(self->eval.unit, hs, i)));
  s.over = wy_mtimes(self->grid.inv_h[i], s.back);
  s.x = wy_apply(s.over, wy_minus(wy_load3(u + self->grid.x, n, i + 1), wy_load3(u + self->grid.x, n, i)));
  s.force = wy_apply(s.back, wy_load3(self->eval.section_force, hs, i));
  s.compliance = compliance_at(self, u, f != NULL, s.x, i);
  if (!f)
    return s;
  s.omega = wy_load3(self->eval.omega, hs, i);
  s.spin = wy_load3(f + self->grid.w, n, i);
  s.y = wy_apply(s.over, wy_minus(wy_load3(u + self->grid.v, n, i + 1), wy_load3(u + self->grid.v, n, i)));
  s.rate = wy_plus(s.y, wy_cross(s.x, s.omega));
  s.b = wy_apply(s.over, wy_minus(wy_load3(f + self->grid.v, n, i + 1), wy_load3(f + self->grid.v, n, i)));
  return s;
}

/* ---- Forces and torques: rows x and theta ---- */

/* n = R F on the two vertices, h X x F on the segment (C11). */
static void add_section(const wy_staggered *self, const segment *s, int i) {
  double *band = self->linear.saddle.statics;
  const int x = CELL * i, theta = x + TURN, force = x + FORCE, next = x + CELL;
  wy_m3 forward = wy_mtransposed(s->back), by_turn = wy_mproduct(forward, wy_skew(s->force));
  add_saddle_block(self, band, x, force, -1, forward);
  add_saddle_block(self, band, next, force, 1, forward);
  add_saddle_block(self, band, x, theta, 1, by_turn);
  add_saddle_block(self, band, next, theta, -1, by_turn);
  add_saddle_block(self, band, theta, force, -s->h, wy_skew(s->x));
  add_difference(self, band, theta, i, s->h, wy_skew_times(s->force, s->over));
  add_saddle_block(self, band, theta, theta, s->h, wy_skew_times(s->force, wy_skew(s->x)));
}

/* Torques at the vertex before segment i, and what was folded into the segment's own blocks: ghosts, loads. Of these
   only moments at ends, by way of tendons, depend on Dx. */
static void add_torques(const wy_staggered *self, int i, bool moving) {
  const int theta = CELL * i + TURN, before = theta - CELL;
  double *bands[2] = {self->linear.saddle.statics, self->linear.saddle.rate};
  const int own[2] = {WY_TORQUE_T, WY_TORQUE_W}, first[2] = {WY_MINUS_T_MINUS, WY_MINUS_W_MINUS};
  if (self->actuators.has_tendons && self->loads.has_end_moment && (i == 0 || i == self->grid.n - 1))
    add_difference(self, self->linear.saddle.statics, theta, i, -1,
                   wy_block_of(self->linear.segments, WY_SEGMENT_BLOCKS, i, WY_TORQUE_X));
  for (int k = 0; k < (moving ? 2 : 1); k++) {
    add_saddle_block(self, bands[k], theta, theta, -1,
                     wy_block_of(self->linear.segments, WY_SEGMENT_BLOCKS, i, own[k]));
    if (i == 0)
      continue;
    for (int which = 0; which < 4; which++) {
      wy_m3 m = wy_block_of(self->linear.vertices, WY_VERTEX_BLOCKS, i, first[k] + which);
      add_saddle_block(self, bands[k], which < 2 ? before : theta, which % 2 ? theta : before, -1, m);
    }
  }
}

static void add_inertia(const wy_staggered *self, const segment *s, int i) {
  const int n = self->grid.stride, theta = CELL * i + TURN;
  wy_v3 in = wy_load3(self->grid.inertia, n, i), io = wy_each(in, s->omega);
  wy_m3 turning = wy_mtransposed(wy_scale_rows(in, wy_mtransposed(wy_skew(s->omega)))); /* skew(Om) I */
  add_diagonal(self, self->linear.saddle.acceleration, theta, in);
  add_saddle_block(self, self->linear.saddle.rate, theta, theta, 1, wy_mminus(turning, wy_skew(io)));
  add_diagonal(self, self->linear.saddle.rate, theta, wy_load3(self->grid.drag_inertia, n, i));
}

static void add_vertex(const wy_staggered *self, int i) {
  const double m = self->grid.mass[i], d = self->grid.drag_translation * m;
  add_diagonal(self, self->linear.saddle.acceleration, CELL * i, (wy_v3){m, m, m});
  add_diagonal(self, self->linear.saddle.rate, CELL * i, (wy_v3){d, d, d});
}

/* ---- Strains: rows F ---- */

/* Derivatives of one strain-like quantity of a segment by what it may depend on. */
typedef struct strain_row {
  wy_m3 dx, theta, dv, omega, da, spin;
} strain_row;

/* Gamma = R^T Dx / h - e3 (C12) */
static strain_row strain_derivatives(const segment *s) {
  return (strain_row){.dx = s->over, .theta = wy_skew(s->x)};
}

/* Gamma' (C13) */
static strain_row rate_derivatives(const segment *s) {
  wy_m3 skew = wy_skew(s->x);
  return (strain_row){.dx = wy_mtimes(-1, wy_skew_times(s->omega, s->over)),
                      .theta = wy_mminus(wy_skew(s->y), wy_skew_times(s->omega, skew)),
                      .dv = s->over,
                      .omega = skew};
}

/* Gamma'' (C14) */
static strain_row acceleration_derivatives(const segment *s) {
  wy_m3 skew = wy_skew(s->x), twice = wy_skew_times(s->omega, s->over);
  wy_m3 turned = wy_skew_times(s->omega, skew);
  wy_m3 theta = wy_mminus(wy_skew(s->b), wy_skew_times(s->spin, skew));
  theta = wy_mminus(theta, wy_skew_times(s->omega, wy_mminus(wy_mtimes(2, wy_skew(s->y)), turned)));
  return (strain_row){.dx = wy_mminus(wy_skew_times(s->omega, twice), wy_skew_times(s->spin, s->over)),
                      .theta = theta,
                      .dv = wy_mtimes(-2, twice),
                      .omega = wy_mminus(wy_skew(wy_plus(s->y, s->rate)), turned),
                      .da = s->over,
                      .spin = skew};
}

static void accumulate(strain_row *sum, wy_v3 factor, const strain_row *part) {
  wy_m3 *to[6] = {&sum->dx, &sum->theta, &sum->dv, &sum->omega, &sum->da, &sum->spin};
  const wy_m3 *from[6] = {&part->dx, &part->theta, &part->dv, &part->omega, &part->da, &part->spin};
  for (int k = 0; k < 6; k++)
    *to[k] = wy_mplus(*to[k], wy_scale_rows(factor, *from[k]));
}

static void add_strain_rows(const wy_staggered *self, int i, const strain_row *row) {
  const int at = CELL * i + FORCE, theta = CELL * i + TURN;
  add_difference(self, self->linear.saddle.statics, at, i, 1, row->dx);
  add_saddle_block(self, self->linear.saddle.statics, at, theta, 1, row->theta);
  add_difference(self, self->linear.saddle.rate, at, i, 1, row->dv);
  add_saddle_block(self, self->linear.saddle.rate, at, theta, 1, row->omega);
  add_difference(self, self->linear.saddle.acceleration, at, i, 1, row->da);
  add_saddle_block(self, self->linear.saddle.acceleration, at, theta, 1, row->spin);
}

/* Of a strain that has stiffness. */
static double compliance_of(const wy_staggered *self, const segment *s, int i, int k) {
  return k < 2 ? 1 / self->stiffness.c_gamma[k * self->grid.stride + i] : s->compliance;
}

/* h / stiffness; 0 where the strain is constrained, but for what an equilibrium may be given to begin with. */
static wy_v3 compliance(const wy_staggered *self, const segment *s, int i) {
  double c[3];
  for (int k = 0; k < 3; k++)
    c[k] = s->h * (k < self->grid.constrained ? self->rest.slack : compliance_of(self, s, i, k));
  return (wy_v3){c[0], c[1], c[2]};
}

/* In motion constrained strains are met on the level of accelerations (with Baumgarte's terms); the others give their
   force: h (Gamma + D/C Gamma') - h/C F = 0, C the stiffness now. */
static void add_moving_strains(const wy_staggered *self, const segment *s, int i) {
  const int n = self->grid.stride;
  bool baumgarte = self->grid.options.stabilisation == WY_BAUMGARTE;
  double r = baumgarte ? self->grid.options.baumgarte_r : 0, omega = baumgarte ? self->grid.options.baumgarte_omega : 0;
  double by[3][3]; /* factors of Gamma, Gamma', Gamma'' for the three components */
  for (int k = 0; k < 3; k++) {
    bool zero = k < self->grid.constrained;
    by[0][k] = s->h * (zero ? omega * omega : 1);
    by[1][k] = s->h * (zero ? 2 * r : self->stiffness.d_gamma[k * n + i] * compliance_of(self, s, i, k));
    by[2][k] = zero ? s->h : 0;
  }
  const strain_row parts[3] = {strain_derivatives(s), rate_derivatives(s), acceleration_derivatives(s)};
  strain_row row = {0};
  for (int level = 0; level < 3; level++)
    accumulate(&row, (wy_v3){by[level][0], by[level][1], by[level][2]}, &parts[level]);
  add_strain_rows(self, i, &row);
}

/* So little compliance of constrained strains that it is felt only where they depend on each other. */
static wy_v3 dependence(const wy_staggered *self, int i) {
  double little =
      -(wy_staggered_yields(self) ? wy_yielding : 1e-12) * (self->grid.inv_mass[i] + self->grid.inv_mass[i + 1]);
  return (wy_v3){little, little, self->grid.constrained == 3 ? little : 0};
}

/* The material part, which branches multiply by a factor of the shift (V9): torques at vertices and held ends; in the
   rows F the strains that have stiffness. */
static void add_material(const wy_staggered *self, const segment *s, int i) {
  assert(self->branches.band);
  const wy_branches *branches = &self->branches;
  const int theta = CELL * i + TURN, before = theta - CELL, force = CELL * i + FORCE;
  wy_m3 own = wy_block_of(branches->segment_material, WY_SEGMENT_MATERIAL, i, WY_MATERIAL_TORQUE_T);
  add_saddle_block(self, branches->band, theta, theta, -1, own);
  for (int which = 0; i > 0 && which < WY_VERTEX_MATERIAL; which++) {
    wy_m3 m = wy_block_of(branches->vertex_material, WY_VERTEX_MATERIAL, i, which);
    add_saddle_block(self, branches->band, which < 2 ? before : theta, which % 2 ? theta : before, -1, m);
  }
  add_difference(self, branches->band, force, i, s->h,
                 wy_block_of(branches->segment_strain, WY_SEGMENT_STRAIN, i, WY_STRAIN_X));
  add_saddle_block(self, branches->band, force, theta, s->h,
                   wy_block_of(branches->segment_strain, WY_SEGMENT_STRAIN, i, WY_STRAIN_T));
}

/* ---- The whole ---- */

static void clear(const wy_staggered *self, bool moving) {
  size_t bytes = (size_t)(CELL * self->grid.n + 3) * (size_t)wy_saddle_width(self) * sizeof(double);
  memset(self->linear.saddle.statics, 0, bytes);
  if (moving) {
    memset(self->linear.saddle.rate, 0, bytes);
    memset(self->linear.saddle.acceleration, 0, bytes);
  }
  if (moving && self->branches.count)
    memset(self->branches.band, 0, bytes);
}

static void layout(wy_staggered *self, wy_arena *arena) {
  assert(self->form == &wy_saddle_form && self->linear.half == self->linear.saddle.half);
  const size_t order = (size_t)wy_staggered_order(self), entries = order * (size_t)wy_saddle_width(self);
  wy_saddle *form = &self->linear.saddle;
  if (!form->statics) /* else it stands in the band of equilibria */
    form->statics = wy_arena_doubles(arena, entries);
  form->rate = wy_arena_doubles(arena, entries);
  form->acceleration = wy_arena_doubles(arena, entries);
  form->work = wy_arena_doubles(arena, 4 * order);
}

static void assemble(wy_staggered *self, const double *u, const double *f) {
  assert(self->linear.saddle.statics && (!f || self->linear.saddle.rate)); /* motion needs all three bands */
  clear(self, f != NULL);
  for (int i = 0; i < self->grid.n; i++) {
    segment s = linearise_segment(self, u, f, i);
    wy_v3 c = compliance(self, &s, i);
    add_section(self, &s, i);
    add_torques(self, i, f != NULL);
    add_diagonal(self, self->linear.saddle.statics, CELL * i + FORCE, wy_times(-1, c));
    if (f) {
      add_diagonal(self, self->linear.saddle.statics, CELL * i + FORCE, dependence(self, i));
      add_inertia(self, &s, i);
      add_moving_strains(self, &s, i);
      if (self->branches.count)
        add_material(self, &s, i);
    } else {
      add_difference(self, self->linear.saddle.statics, CELL * i + FORCE, i, 1, s.back);
      add_saddle_block(self, self->linear.saddle.statics, CELL * i + FORCE, CELL * i + TURN, s.h, wy_skew(s.x));
    }
  }
  for (int i = 0; f && i <= self->grid.n; i++)
    add_vertex(self, i);
}

static void add_from_outside(wy_staggered *self, wy_place on, wy_place by, double factor, wy_m3 m) {
  const int row = CELL * on.index + (on.segment ? TURN : 0), column = CELL * by.index + (by.segment ? TURN : 0);
  add_saddle_block(self, self->linear.saddle.statics, row, column, -factor, m);
}

static void add_rate_from_outside(wy_staggered *self, wy_place on, wy_place by, wy_m3 m) {
  const int row = CELL * on.index + (on.segment ? TURN : 0), column = CELL * by.index + (by.segment ? TURN : 0);
  add_saddle_block(self, self->linear.saddle.rate, row, column, -1, m);
}

static void add_mass_from_outside(wy_staggered *self, int vertex, wy_m3 m) {
  add_saddle_block(self, self->linear.saddle.acceleration, CELL * vertex, CELL * vertex, 1, m);
}

/* Rows of held components. At rest they are springs; in motion their mass alone, in the band of accelerations. */
static void hold(wy_staggered *self, bool moving) {
  double *bands[3] = {self->linear.saddle.statics, self->linear.saddle.rate, self->linear.saddle.acceleration};
  const size_t width = (size_t)wy_saddle_width(self);
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++) {
      const int vertex = wy_end_vertex(&self->grid, end), row = CELL * vertex + k;
      if (!wy_is_held(self, end, k))
        continue;
      for (int b = 0; b < (moving ? 3 : 1); b++)
        memset(bands[b] + (size_t)row * width, 0, width * sizeof(double));
      bands[moving ? 2 : 0][(size_t)row * width + (size_t)self->linear.saddle.half] =
          !moving                 ? self->rest.hold_stiffness
          : wy_is_port(self, end) ? self->ports.ends[end].mass
                                  : self->grid.mass[vertex];
    }
}

/* ---- States ---- */

/* What is left of the constraints of quaternions is no drift: they are always eliminated. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the signature of the verb */
static int project_frames(const wy_staggered *self, double *u, double *f, double drift[WY_DRIFTS]) {
  (void)drift;
  for (int i = 0; i < self->grid.n; i++)
    wy_nullspace_scale_frame(self, i, u, f);
  return 0;
}

/* Constrained rods keep velocities and angular velocities in either setting of the coordinates: the constraint of the
   quaternions is always eliminated. What `absolute` means for them is that positions are unknowns, too. */
const wy_form wy_saddle_form = {.spin = "angular_velocity",
                                .spin_components = 3,
                                .spin_unit = 1,
                                .cell = CELL,
                                .half = WY_SADDLE_HALF,
                                .half_tendons = WY_SADDLE_HALF_TENDONS,
                                .stored = true,
                                .keeps_forces = true,
                                .layout = layout,
                                .set_spin = wy_nullspace_set_spin,
                                .project_frames = project_frames,
                                .project_strains = wy_staggered_project_strains,
                                .segments = wy_nullspace_segments,
                                .accelerate = wy_nullspace_accelerate,
                                .constrain = wy_staggered_constrain,
                                .section_blocks = wy_staggered_clear_section_blocks,
                                .assemble = assemble,
                                .add = add_from_outside,
                                .add_rate = add_rate_from_outside,
                                .add_chain = wy_staggered_add_chain,
                                .add_mass = add_mass_from_outside,
                                .hold = hold,
                                .factor = wy_saddle_factor,
                                .solve = wy_saddle_solve};
