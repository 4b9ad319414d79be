/* SPDX-License-Identifier: MIT */
/* Creation of a staggered rod: its arrays, and parameters from the model. */
#include <math.h>
#include <string.h>

#include "model/law.h"
#include "scheme/staggered/rod.h"
#include "scheme/staggered/saddle.h"
#include "scheme/system.h"

/* ---- From the model to arrays ---- */

static void set_grid(wy_staggered *self) {
  const int n = self->grid.stride;
  double s = self->grid.from;
  for (int i = 0; i < n; i++) {
    double h = i < self->grid.n ? wy_segment_length(self->grid.rod, self->grid.first + i) : 1;
    self->grid.h[i] = h;
    self->grid.inv_h[i] = 1 / h;
    self->grid.s_vertex[i] = s;
    if (i < self->grid.n) {
      self->grid.s_segment[i] = s + 0.5 * h;
      s += h;
    }
    self->grid.twice_inv_l[i] = 2;
  }
  self->grid.s_vertex[self->grid.n] = self->grid.to;
}

/* Stiffness, damping and inertia of segments (values at midpoints) and the masses of vertices. */
static void set_segments(wy_staggered *self) {
  const int n = self->grid.stride;
  self->grid.damped = false;
  for (int i = 0; i < self->grid.n; i++) {
    wy_section_values section = wy_section_at(self->grid.rod, self->grid.s_segment[i]);
    double h = self->grid.h[i];
    for (int k = 0; k < 3; k++) {
      double rotary = section.rotary[k];
      if (self->grid.options.segment_inertia == WY_CYLINDER && k < 2)
        rotary += section.mass * h * h / 12;
      bool zero = k < self->grid.constrained; /* no strain, and a reaction instead of stiffness and damping */
      self->stiffness.c_gamma[k * n + i] = zero ? 0 : section.stiffness[k];
      self->stiffness.d_gamma[k * n + i] = zero ? 0 : section.damping[k];
      self->grid.inertia[k * n + i] = h * rotary;
      self->grid.inv_inertia[k * n + i] = 1 / (h * rotary);
      self->grid.drag_inertia[k * n + i] = self->grid.drag_rotation * h * section.rotary[k];
    }
    for (int k = self->grid.constrained; k < 6; k++)
      self->grid.damped = self->grid.damped || section.damping[k] > 0;
    self->grid.mass[i] += 0.5 * h * section.mass;
    self->grid.mass[i + 1] += 0.5 * h * section.mass;
    if (self->grid.weighed != self->grid.mass) {
      const double weighed = wy_fluid_weighed(self->grid.rod, self->grid.s_segment[i], section.mass);
      self->grid.weighed[i] += 0.5 * h * weighed;
      self->grid.weighed[i + 1] += 0.5 * h * weighed;
    }
  }
  for (int i = 0; i <= self->grid.n; i++)
    self->grid.inv_mass[i] = 1 / self->grid.mass[i];
}

/* The difference length of a vertex: that of (S3), with what (S3a) moves from a corrected end to the next vertex. */
static double difference_length(const wy_staggered *self, int vertex) {
  const wy_staggered_grid *grid = &self->grid;
  const double before = grid->h[vertex > 0 ? vertex - 1 : 0], after = grid->h[vertex < grid->n ? vertex : grid->n - 1];
  double length = 0.5 * (before + after);
  for (int end = 0; end < 2; end++) {
    const double moved = grid->corrected[end] ? grid->h[wy_end_segment(grid, end)] / 12 : 0;
    if (vertex == wy_end_vertex(grid, end))
      length -= 2 * moved;
    if (vertex == wy_next_vertex(grid, end))
      length += moved;
  }
  return length;
}

/* Where the section of a vertex is taken: at an end in the middle of its half cell, or at the end itself (S3a). */
static double section_place(const wy_staggered *self, int vertex) {
  const wy_staggered_grid *grid = &self->grid;
  const int end = vertex == grid->n;
  if ((vertex > 0 && !end) || grid->corrected[end])
    return grid->s_vertex[vertex];
  return end ? grid->to - 0.25 * grid->h[grid->n - 1] : grid->from + 0.25 * grid->h[0];
}

/* Bending and torsion at vertices. Natural curvatures come from the discrete reference configuration. */
static void set_vertices(wy_staggered *self) {
  assert(self->grid.n >= 2);
  const int n = self->grid.stride;
  for (int i = 0; i <= self->grid.n; i++) {
    bool at_end = i == 0 || i == self->grid.n;
    double length = difference_length(self, i), weight = at_end ? 0.5 * length : length;
    wy_section_values section = wy_section_at(self->grid.rod, section_place(self, i));
    self->grid.twice_inv_l[i] = 2 / length;
    self->grid.weight[i] = weight;
    wy_v3 natural = wy_staggered_curvature(self, i);
    double k_zero[3] = {natural.x, natural.y, natural.z};
    for (int k = 0; k < 3; k++) {
      double c = section.stiffness[k + 3] * weight / length, d = section.damping[k + 3] * weight / length;
      self->grid.damped = self->grid.damped || d > 0;
      self->grid.k_zero[k * n + i] = k_zero[k];
      if (at_end) {
        int end = i != 0;
        wy_section_values tip = wy_section_at(self->grid.rod, self->grid.s_vertex[i]);
        self->grid.clamp_c[end][k] = c, self->grid.clamp_d[end][k] = d, self->grid.clamp_m[end][k] = c * k_zero[k];
        self->grid.end_stiffness[end][k + 3] = self->branches.long_term * tip.stiffness[k + 3];
        self->grid.end_natural[end][k] =
            wy_signal_value(&self->grid.rod->shape.curvature[k], self->grid.s_vertex[i], 0);
      } else {
        self->stiffness.c_kappa[k * n + i] = c, self->stiffness.d_kappa[k * n + i] = d,
                                        self->stiffness.m_rest[k * n + i] = c * k_zero[k];
      }
    }
  }
}

void wy_staggered_set_parameters(wy_staggered *self) {
  memcpy(self->grid.gravity, wy_model_gravity(self->base.model), sizeof self->grid.gravity);
  self->grid.drag_translation = self->grid.rod->drag.translation;
  self->grid.drag_rotation = self->grid.rod->drag.rotation;
  set_grid(self);
  wy_staggered_reference_shape(self, self->eval.work);
  for (int end = 0; end < 2; end++) {
    wy_support_reference_pose(&self->supports, end, &self->eval.pose[end]);
    wy_staggered_set_ghost(self, end);
  }
  set_segments(self);
  set_vertices(self);
  if (self->ports.any)
    wy_staggered_give_to_hubs(self);
}

/* Displacements count over the length of the rod, rotations as they are. A held component is a spring as stiff as the
   rod is in bending over one segment, which serves the scaling of the tangent only. */
void wy_staggered_set_freedoms(wy_staggered *self) {
  assert(self->rest.dof_weight);
  double bending = self->grid.end_stiffness[0][3], torsion = self->grid.end_stiffness[0][5],
         length = self->grid.rod->length;
  self->rest.rod_stiffness = bending / (length * length);
  self->rest.foundation[0] = 1e-9 * torsion / (length * self->grid.n);
  /* Hubs feel the inverse of the compliance: in their matrix it must leave digits for bending (N9). */
  self->rest.foundation[1] = (self->ports.any ? 1e-9 : 1e-12) * length / (self->rest.rod_stiffness * self->grid.n);
  for (int end = 0; end < 2; end++) {
    double h = self->grid.h[end ? self->grid.n - 1 : 0];
    self->rest.hold_stiffness = fmax(self->rest.hold_stiffness, self->grid.end_stiffness[end][3] / (h * h * h));
  }
  for (int i = 0; i < self->base.dofs; i++) {
    int part = i % WY_SADDLE_CELL;
    double strain =
        part - 6 < self->grid.constrained ? self->rest.foundation[1] * self->grid.inv_h[i / WY_SADDLE_CELL] : 0;
    self->rest.dof_weight[i] = part < 3 ? 1 / length : part < 6 ? 1 : strain;
  }
}

/* ---- Arrays ---- */

double *wy_halo_array(wy_arena *arena, int components, int halo_stride) {
  double *block = wy_arena_doubles(arena, (size_t)components * (size_t)halo_stride + 2 * WY_HALO);
  return block ? block + WY_HALO : NULL;
}

/* `count` arrays of `components` rows each, plain or with a halo. */
static void take_arrays(wy_arena *arena, double **const *arrays, size_t count, int components, int stride) {
  for (size_t i = 0; i < count; i++)
    *arrays[i] = wy_arena_doubles(arena, (size_t)components * (size_t)stride);
}

static void take_halo_arrays(wy_arena *arena, double **const *arrays, size_t count, int components, int stride) {
  for (size_t i = 0; i < count; i++)
    *arrays[i] = wy_halo_array(arena, components, stride);
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void layout_grid(wy_staggered *self, wy_arena *arena) {
  wy_staggered_grid *grid = &self->grid;
  wy_staggered_stiffness *stiffness = &self->stiffness;
  double **plain[] = {&grid->h,    &grid->inv_h,    &grid->twice_inv_l, &grid->weight,
                      &grid->mass, &grid->inv_mass, &grid->s_vertex,    &grid->s_segment};
  double **vectors[] = {&grid->inertia,      &grid->inv_inertia,  &grid->drag_inertia, &grid->k_zero,
                        &stiffness->c_gamma, &stiffness->d_gamma, &stiffness->c_kappa, &stiffness->d_kappa};
  take_arrays(arena, plain, COUNT(plain), 1, grid->stride);
  take_arrays(arena, vectors, COUNT(vectors), 3, grid->stride);
  grid->weighed = wy_fluid_lifts(grid->rod) ? wy_arena_doubles(arena, (size_t)grid->stride) : grid->mass;
  if (wy_law_changes_moments(&grid->rod->law))
    stiffness->stiffening = wy_arena_doubles(arena, (size_t)grid->stride);
}

static void layout_evaluation(wy_staggered *self, wy_arena *arena) {
  wy_evaluation *eval = &self->eval;
  const int hs = self->grid.halo_stride;
  double **vectors[] = {&eval->m_zero, &eval->acceleration};
  double **halos[] = {&eval->omega, &eval->section_force, &eval->segment_torque, &eval->torque_minus,
                      &eval->torque_plus};
  take_arrays(arena, vectors, COUNT(vectors), 3, self->grid.stride);
  eval->unit = wy_halo_array(arena, 4, hs);
  take_halo_arrays(arena, halos, COUNT(halos), 3, hs);
  size_t work = 2 * (size_t)wy_padded(wy_staggered_order(self));
  eval->work = wy_arena_doubles(arena, work > (size_t)self->base.size ? work : (size_t)self->base.size);
  self->stiffness.m_rest = eval->m_zero; /* but where actuators or branches change it */
}

static void layout_loads(wy_staggered *self, wy_arena *arena) {
  wy_staggered_loads *loads = &self->loads;
  for (int k = 0; k < 2; k++) {
    wy_load_arrays *sums = k ? &loads->still : &loads->now;
    double **parts[] = {&sums->force,       &sums->torque,     &sums->space_moment,
                        &sums->body_before, &sums->body_after, &sums->vertex_body_force};
    take_arrays(arena, parts, COUNT(parts), 3, self->grid.stride);
  }
  loads->buffer = wy_arena_doubles(arena, 3 * (size_t)self->grid.stride);
  loads->sites = wy_arena_take(arena, sizeof *loads->sites *
                                          wy_staggered_count_sites(self->base.model, self->base.rod, self->grid.n));
}

static void layout_view(wy_staggered *self, wy_arena *arena) {
  int bends = self->grid.n - 1;
  for (int end = 0; end < 2; end++)
    bends += wy_end_bends(self, end);
  wy_view_layout(
      &self->base.view, arena,
      (wy_view_counts){.positions = self->grid.n + 1, .frames = self->grid.n, .strains = self->grid.n, .bends = bends});
}

static void layout_links(wy_staggered *self, wy_arena *arena, wy_factor_needs needs) {
  wy_links *links = &self->links;
  const size_t n = (size_t)self->grid.stride;
  if (self->grid.constrained || needs.equilibria)
    links->tangent = wy_arena_doubles(arena, 3 * n);
  if (!self->grid.constrained)
    return;
  links->diagonal = wy_arena_doubles(arena, 6 * n);
  links->next = wy_arena_doubles(arena, 9 * n);
  links->lambda = wy_arena_doubles(arena, 3 * n);
  links->spin = wy_arena_doubles(arena, 3 * n);
  links->force = wy_halo_array(arena, 3, self->grid.halo_stride);
  if (self->ports.any)
    links->kept = wy_arena_doubles(arena, 3 * n);
  if (self->grid.chain)
    links->full = wy_arena_doubles(arena, (size_t)self->base.size);
}

static void layout_actuators(wy_staggered *self, wy_arena *arena) {
  wy_staggered_actuators *actuators = &self->actuators;
  const size_t count = (size_t)actuators->count;
  if (count == 0)
    return;
  actuators->value = wy_arena_doubles(arena, count);
  actuators->offsets = wy_arena_doubles(arena, 4 * (size_t)self->grid.stride * count);
  double **vectors[] = {&actuators->force,          &actuators->moment,        &self->stiffness.m_rest,
                        &actuators->half_force[0],  &actuators->half_force[1], &actuators->half_moment[0],
                        &actuators->half_moment[1], &actuators->strain,        &actuators->bend};
  take_arrays(arena, vectors, COUNT(vectors), 3, self->grid.stride);
}

static void layout_fluid(wy_staggered *self, wy_arena *arena) {
  if (!self->fluid.drags)
    return;
  self->fluid.halves = wy_arena_take(arena, (size_t)self->grid.n * sizeof *self->fluid.halves);
  self->fluid.by_velocity = wy_arena_doubles(arena, 9 * (size_t)self->grid.stride);
  double **masses[] = {&self->fluid.added, &self->fluid.inverse, &self->fluid.rest_added, &self->fluid.rest_block};
  if (self->fluid.adds)
    take_arrays(arena, masses, COUNT(masses), 9, self->grid.stride);
}

static void layout_slots(wy_staggered *self, wy_arena *arena, wy_factor_needs needs) {
  const int order = wy_staggered_order(self), half = self->linear.half;
  const bool stored = self->form->stored; /* else the rows are made while they are factored */
  assert(needs.real <= WY_MAX_SLOTS && needs.complex <= WY_MAX_SLOTS);
  for (int i = 0; i < needs.real; i++)
    (stored ? wy_band_layout : wy_band_layout_fed)(&self->linear.real[i].band, arena, order, half, half);
  for (int i = 0; i < needs.complex; i++) {
    wy_slot *slot = &self->linear.complex[i];
    slot->is_complex = true;
    (stored ? wy_band_complex_layout : wy_band_complex_layout_fed)(&slot->band_complex, arena, order, half, half);
  }
}

static void layout_linearisation(wy_staggered *self, wy_arena *arena, wy_factor_needs needs) {
  wy_linearisation *linear = &self->linear;
  const size_t n = (size_t)self->grid.stride, order = (size_t)wy_padded(wy_staggered_order(self));
  double **vectors[] = {&linear->omega, &linear->theta, &linear->theta_im};
  if (needs.real + needs.complex == 0 && !needs.equilibria)
    return;
  take_halo_arrays(arena, vectors, COUNT(vectors), 3, self->grid.halo_stride);
  linear->p = wy_arena_doubles(arena, 4 * n);
  linear->segments = wy_arena_doubles(arena, WY_SEGMENT_BLOCKS * WY_BLOCK_ENTRIES * n);
  linear->vertices = wy_arena_doubles(arena, WY_VERTEX_BLOCKS * WY_BLOCK_ENTRIES * n);
  if (needs.real + needs.complex == 0)
    return;
  linear->packed = wy_arena_doubles(arena, order);
  linear->packed_im = wy_arena_doubles(arena, order);
  self->form->layout(self, arena);
  layout_slots(self, arena, needs);
}

/* Every rod has equilibria in the saddle form. */
static void layout_rest(wy_staggered *self, wy_arena *arena) {
  const int order = WY_SADDLE_CELL * self->grid.n + 3, half = self->linear.saddle.half; /* config_size_of repeats it */
  wy_staggered_rest *rest = &self->rest;
  wy_band_layout(&rest->band, arena, order, half, half);
  self->linear.saddle.statics = rest->band.rows;
  rest->diagonal = wy_arena_doubles(arena, (size_t)order);
  rest->dof_weight = wy_arena_doubles(arena, (size_t)order);
  self->base.config_size = self->base.size + 3 * self->grid.stride;
  self->base.dofs = order;
  self->base.dof_weight = rest->dof_weight;
}

void wy_staggered_layout(wy_staggered *self, wy_memory *memory, wy_factor_needs needs) {
  wy_arena *arena = &memory->scratch;
  self->base.weight = wy_arena_doubles(arena, (size_t)self->base.size);
  layout_grid(self, arena);
  layout_evaluation(self, arena);
  layout_loads(self, arena);
  layout_view(self, arena);
  layout_links(self, arena, needs);
  if (needs.equilibria)
    layout_rest(self, arena);
  layout_linearisation(self, arena, needs);
  layout_actuators(self, arena);
  layout_fluid(self, arena);
  if (self->base.contacts)
    wy_staggered_contact_layout(self, memory);
  if (self->ports.joined)
    wy_staggered_layout_ports(self, arena, needs);
  wy_staggered_branch_layout(self, arena, needs);
  self->ends = self->supports.state = wy_arena_take(&memory->saved, 2 * sizeof *self->ends);
  wy_system_layout_overrides(&self->base, &memory->saved);
  self->base.supports = &self->supports;
}
