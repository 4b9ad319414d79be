/* SPDX-License-Identifier: MIT */
/* The mixed rod as a wy_system: layout, parameters from the model, initial state. */
#include "scheme/mixed/mixed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/lane.h"
#include "math/quat.h"
#include "scheme/mixed/element_kernels.h"
#include "scheme/mixed/rod.h"
#include "scheme/system.h"

/* ---- From the model to arrays ---- */

/* Carries place and frame along the undeformed curve, by three Gauss points in each of a few pieces. */
static void carry_reference(const wy_mixed *self, double from, double to, double position[3], double frame[4]) {
  enum { PIECES = 4 };
  for (int piece = 0; piece < PIECES; piece++) {
    double h = (to - from) / PIECES, at = from + piece * h;
    for (int g = 0; g < WY_GAUSS; g++) {
      double s = from + (piece + 0.5 * (1 + self->basis.xi[g])) * h, r[9];
      wy_reference_turn(self->rod, at, s, frame);
      at = s;
      wy_qmatrix(frame, r);
      const double d3[3] = {r[2], r[5], r[8]};
      wy_add3(position, 0.5 * self->basis.weight[g] * h, d3);
    }
    wy_reference_turn(self->rod, at, from + (piece + 1) * h, frame);
  }
}

static void set_directors(const double frame[4], double *q) {
  double r[9];
  wy_qmatrix(frame, r);
  for (int i = 0; i < 9; i++)
    q[3 + i] = r[3 * (i % 3) + i / 3];
}

void wy_mixed_reference(const wy_mixed *self, double *q) {
  double position[3] = {0}, frame[4];
  wy_reference_start(self->rod, frame);
  for (int i = 0; i < self->nodes; i++) {
    if (i > 0)
      carry_reference(self, self->s_node[i - 1], self->s_node[i], position, frame);
    wy_copy3(position, q + WY_NODE * i);
    set_directors(frame, q + WY_NODE * i);
  }
}

static void set_grid(wy_mixed *self) {
  const int order = wy_mixed_order(self);
  double s = 0;
  for (int e = 0; e < self->elements; e++) {
    self->element[e].start = s;
    self->element[e].length = wy_segment_length(self->rod, e);
    for (int i = 0; i < order; i++)
      self->s_node[order * e + i] = s + i * self->element[e].length / order;
    s += self->element[e].length;
  }
  self->s_node[self->nodes - 1] = self->rod->length;
}

static void add_sym(const wy_mixed_place *at, double value, wy_sym *sum) {
  sum->m[0] += value * at->psi[0] * at->psi[0];
  sum->m[1] += value * at->psi[0] * at->psi[1];
  sum->m[2] += value * at->psi[1] * at->psi[1];
}

/* The masses that directors need for the rotary inertia of the section: J1 = M2 + M3 and so on. */
static void director_masses(const wy_section_values *section, double mass[4]) {
  const double *j = section->rotary;
  mass[0] = section->mass;
  for (int i = 0; i < 3; i++) {
    double m = 0.5 * (j[(i + 1) % 3] + j[(i + 2) % 3] - j[i]);
    mass[1 + i] = fabs(m) <= 1e-12 * (j[0] + j[1] + j[2]) ? 0 : m;
  }
}

/* Compliances and masses, integrated over the element. */
static void set_element(wy_mixed *self, int index) {
  const int order = wy_mixed_order(self), nodes = self->basis.nodes;
  wy_mixed_element *element = &self->element[index];
  wy_sym compliance[6] = {{{0}}}, resistance[6] = {{{0}}};
  bool damped[6] = {false};
  for (int g = 0; g < WY_GAUSS; g++) {
    const wy_mixed_place *at = &self->basis.gauss[g];
    const wy_section_values section = wy_section_at(self->rod, wy_mixed_arc(element, self->basis.xi[g]));
    const double weight = 0.5 * element->length * self->basis.weight[g];
    double mass[4];
    director_masses(&section, mass);
    for (int pair = 0; pair < nodes * nodes; pair++) {
      int a = pair / nodes, c = pair % nodes;
      for (int part = 0; a <= c && part < 4; part++)
        element->mass[part][a == c ? a : 2 + a + c] += weight * mass[part] * at->n[a] * at->n[c];
    }
    for (int i = self->constrained; i < 6; i++) {
      damped[i] = damped[i] || section.damping[i] > 0;
      add_sym(at, weight / section.stiffness[i], &compliance[i]);
      add_sym(at, weight / section.damping[i], &resistance[i]);
    }
  }
  for (int i = self->constrained; i < 6; i++) {
    element->stiffness[i] = wy_sym_inverse(order, compliance[i]);
    if (damped[i] && isfinite(resistance[i].m[0]))
      element->damping[i] = wy_sym_inverse(order, resistance[i]);
    self->damped = self->damped || damped[i];
  }
}

/* An element past the end of the rod is a copy of the last one. */
static void set_lanes(wy_mixed *self) {
  for (int i = 0; i < WY_LANES * wy_mixed_bundles(self); i++) {
    const wy_mixed_element *element = &self->element[i < self->elements ? i : self->elements - 1];
    wy_mixed_lanes *bundle = &self->lanes[i / WY_LANES];
    const int lane = i % WY_LANES;
    bundle->length[lane] = element->length;
    for (int component = 0; component < 6; component++)
      for (int k = 0; k < 3; k++) {
        bundle->stiffness[component][k][lane] = element->stiffness[component].m[k];
        bundle->damping[component][k][lane] = element->damping[component].m[k];
      }
    for (int part = 0; part < 4; part++)
      for (int pair = 0; pair < 6; pair++)
        bundle->mass[part][pair][lane] = element->mass[part][pair];
  }
}

static void set_reference(wy_mixed *self) {
  double *q = self->from;
  wy_mixed_reference(self, q);
  for (int e = 0; e < self->elements; e++)
    wy_mixed_strains(self, e, q, self->element[e].reference);
  for (int end = 0; end < 2; end++) {
    const double *node = q + WY_NODE * wy_mixed_end_node(self, end);
    const double r[9] = {node[3], node[6], node[9], node[4], node[7], node[10], node[5], node[8], node[11]};
    wy_copy3(node, self->supports.reference[end]);
    wy_qfrom_matrix(r, self->supports.reference_q[end]);
  }
  wy_support_set_offsets(&self->supports);
}

/* Displacements count over the length of the rod, rotations as they are. A held component is a spring as stiff as the
   rod is in bending over one element, which serves the scaling of the equations only. */
static void set_scales(wy_mixed *self) {
  const wy_section_values section = wy_section_at(self->rod, 0.5 * self->rod->length);
  const double length = self->rod->length, h = length / self->elements, bending = section.stiffness[3];
  self->rod_stiffness = bending / (length * length);
  self->hold_stiffness = bending / (h * h * h);
  self->foundation[0] = 1e-9 * section.stiffness[5] / (length * self->elements);
  self->foundation[1] = 1e-12 * length / (self->rod_stiffness * self->elements);
  self->task.form = WY_FORM_ALL;
  for (int e = 0; self->dof_weight && e < self->elements; e++) {
    for (int a = 0; a < self->basis.nodes; a++)
      for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
        self->dof_weight[wy_mixed_unknown(self, e, a) + x] = x < 3 ? 1 / length : 1;
    for (int i = 0; i < 3 * self->basis.order; i++)
      self->dof_weight[wy_mixed_unknown(self, e, 0) + WY_NODE_UNKNOWNS + i] =
          i % 3 < self->constrained ? self->foundation[1] / self->element[e].length : 0;
  }
}

/* ---- The system ---- */

void wy_mixed_end_velocity(const wy_mixed *self, int end, double t, const double *q, double v[WY_NODE]) {
  double spin[3] = {0};
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  for (int i = 0; i < 3; i++) {
    if (self->ends[end].position[i] != WY_FREE)
      v[i] = pose.v[i];
    wy_add3(spin, pose.w[i], q + 3 + 3 * i);
  }
  for (int i = 3; wy_support_holds_rotation(&self->supports, end) && i < WY_NODE; i += 3)
    wy_cross3(spin, q + i, v + i);
}

/* Ends move with their supports, and what constrained strains allow moves with them. */
static void take_up_velocities(wy_mixed *self, double t, double *u) {
  for (int end = 0; end < 2; end++) {
    int node = WY_NODE * wy_mixed_end_node(self, end);
    wy_mixed_end_velocity(self, end, t, u + self->q + node, u + self->v + node);
  }
  if (self->constrained)
    wy_mixed_project_velocities(self, u);
}

static void depart(wy_system *system, double t, double *u) {
  take_up_velocities((wy_mixed *)system, t, u);
}

/* An initial twist is elastic: branches carry their share of it. */
static void set_initial_branches(const wy_mixed *self, double *u) {
  const int order = wy_mixed_order(self);
  for (int k = 0; k < self->branches * self->elements; k++) {
    const wy_mixed_element *element = &self->element[k % self->elements];
    double e[WY_STRESSES] = {0}, part[2], *stress = u + self->branch + (size_t)k * WY_STRESSES;
    wy_mixed_strains(self, k % self->elements, u + self->q, e);
    for (int i = 0; i < 6 * order; i++)
      e[i] -= element->reference[i];
    for (int i = 0; i < 6; i++) {
      wy_sym_times(order, &element->stiffness[i], e + i, 6, part);
      for (int b = 0; b < order; b++)
        stress[6 * b + i] = self->rod->maxwell[k / self->elements].share * part[b];
    }
  }
}

static void set_initial(wy_system *system, double *u) {
  wy_mixed *self = (wy_mixed *)system;
  const wy_initial *initial = &self->rod->initial;
  memset(u, 0, (size_t)system->size * sizeof *u);
  wy_mixed_reference(self, u + self->q);
  for (int i = 0; i < self->nodes; i++) {
    double *q = u + self->q + WY_NODE * i, *v = u + self->v + WY_NODE * i, s = self->s_node[i];
    double twist[3], spin[3] = {0};
    for (int k = 0; k < 3; k++) {
      twist[k] = wy_signal_value(&initial->twist, s, 0) * q[9 + k];
      v[k] = wy_signal_value(&initial->velocity[k], s, 0);
    }
    wy_mixed_turn(twist, q, q);
    for (int k = 0; k < 3; k++)
      wy_add3(spin, wy_signal_value(&initial->angular_velocity[k], s, 0), q + 3 + 3 * k);
    for (int k = 3; k < WY_NODE; k += 3)
      wy_cross3(spin, q + k, v + k);
  }
  set_initial_branches(self, u);
  for (int end = 0; end < 2; end++)
    wy_mixed_place_end(self, end, 0, u + self->q + WY_NODE * wy_mixed_end_node(self, end));
  take_up_velocities(self, 0, u);
}

/* Directors exactly orthonormal again, after round-off or interpolation. A driven end that has been at rest takes up
   its velocity. */
// NOLINTNEXTLINE(readability-non-const-parameter): the contract's signature
static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  wy_mixed *self = (wy_mixed *)system;
  (void)t, (void)f;
  for (int i = 0; i < self->nodes; i++)
    drift[WY_DRIFT_QUATERNION] = fmax(drift[WY_DRIFT_QUATERNION], wy_mixed_straighten(u + self->q + WY_NODE * i));
  for (int e = 0; self->constrained && e < self->elements; e++) {
    double strain[WY_STRESSES];
    wy_mixed_strains(self, e, u + self->q, strain);
    for (int i = 0; i < self->constrained * self->basis.order; i++) {
      int k = 6 * (i / self->constrained) + i % self->constrained;
      double missed = fabs(strain[k] - self->element[e].reference[k]) / self->element[e].length;
      drift[WY_DRIFT_STRAIN] = fmax(drift[WY_DRIFT_STRAIN], missed);
    }
  }
  return WY_OK;
}

/* Everything that depends on the saved part is read anew in every step. */
static void refresh(wy_system *system) {
  (void)system;
}

static const wy_system_type mixed_type = {.name = "mixed",
                                          .initial = set_initial,
                                          .project = project,
                                          .depart = depart,
                                          .next_break = wy_system_next_break,
                                          .enter = wy_system_enter,
                                          .refresh = refresh,
                                          .energy = wy_mixed_energy,
                                          .momentum = wy_mixed_momentum,
                                          .view = wy_mixed_view,
                                          .diagnose = wy_mixed_diagnose,
                                          .set_load = wy_system_set_load,
                                          .set_actuator = wy_system_set_actuator,
                                          .move_end = wy_system_move_end,
                                          .piece_turn = wy_mixed_piece_turn,
                                          .chord = wy_mixed_chord,
                                          .step = &wy_mixed_midpoint,
                                          .statics = &wy_mixed_statics};

/* ---- Creation ---- */

static void add_field(wy_mixed *self, const char *name, int *offset, int components, int count, int dae_index) {
  *offset = wy_system_add_field(
      &self->base,
      (wy_field){.name = name, .components = components, .count = count, .stride = count, .dae_index = dae_index});
}

/* Nodes, and elements, stand side by side with all their numbers. Forces of constraints have index 2; those are known
   in the middle of the last step. */
static void set_fields(wy_mixed *self) {
  const bool damped = self->rod->damping.kind != WY_UNDAMPED;
  add_field(self, "configuration", &self->q, WY_NODE, self->nodes, 0);
  add_field(self, "velocity", &self->v, WY_NODE, self->nodes, 0);
  add_field(self, "stress", &self->stress, WY_STRESSES, self->elements, 2);
  add_field(self, "branch_stress", &self->branch, self->branches * WY_STRESSES, self->elements, 0);
  add_field(self, "middle_stress", &self->middle_stress, WY_STRESSES, damped ? self->elements : 0, 2);
  add_field(self, "reaction", &self->reaction, WY_NODE_UNKNOWNS, 2, 2);
  add_field(self, "multiplier", &self->multiplier, 6, self->nodes, 2);
  add_field(self, "stepped", &self->stepped, 1, 1, 2);
  self->base.size = wy_padded(self->base.size);
  self->base.unknowns = 2 * WY_NODE * self->nodes + 6 * self->basis.order * self->elements * (1 + self->branches);
}

static int unknowns_of(const wy_mixed *self, wy_mixed_form form) {
  return wy_mixed_cell(self->basis.order, form) * self->elements + WY_NODE_UNKNOWNS;
}

static int half_bandwidth(const wy_mixed *self, wy_mixed_form form) {
  return wy_mixed_cell(self->basis.order, form) + WY_NODE_UNKNOWNS - 1;
}

static void layout_linear(wy_mixed *self, wy_arena *a, bool equilibria) {
  const int dofs = unknowns_of(self, WY_FORM_ALL);
  const wy_mixed_form step = wy_mixed_step_form(self);
  const int narrow = half_bandwidth(self, step), wide = half_bandwidth(self, WY_FORM_ALL);
  wy_band_layout_fed(&self->narrow, a, unknowns_of(self, step), narrow, narrow);
  const size_t width = (size_t)wy_mixed_width(self->basis.order, equilibria ? WY_FORM_ALL : step);
  self->kept = wy_arena_take(a, (size_t)wy_mixed_bundles(self) * sizeof *self->kept);
  self->matrices = wy_arena_doubles(a, WY_LANES * width * width);
  self->base.step_size = wy_mixed_step_size(self);
  self->base.step_vector = self->rhs = wy_arena_doubles(a, (size_t)self->base.step_size);
  if (!equilibria)
    return;
  wy_band_layout(&self->wide, a, dofs, wide, wide);
  size_t entries = (size_t)dofs * (size_t)(self->wide.kl + self->wide.ku + 1);
  self->statics_matrix = wy_arena_doubles(a, entries);
  self->statics_mass = wy_arena_doubles(a, entries);
  self->dof_weight = wy_arena_doubles(a, (size_t)dofs);
  self->base.config_size = self->base.size;
  self->base.dofs = dofs;
  self->base.dof_weight = self->dof_weight;
}

static void layout(wy_mixed *self, wy_memory *memory, bool equilibria) {
  wy_arena *a = &memory->scratch;
  const size_t nodes = (size_t)self->nodes, elements = (size_t)self->elements;
  const wy_model *model = self->base.model;
  self->base.weight = wy_arena_doubles(a, (size_t)self->base.size);
  self->element = wy_arena_take(a, elements * sizeof *self->element);
  self->lanes = wy_arena_take(a, (size_t)wy_mixed_bundles(self) * sizeof *self->lanes);
  self->s_node = wy_arena_doubles(a, nodes);
  if (wy_fluid_drags(self->rod) || wy_fluid_lifts(self->rod))
    self->fluid = wy_arena_take(a, nodes * sizeof *self->fluid);
  self->sites = wy_arena_take(a, (wy_mixed_count_sites(model, self->base.rod) + 1) * sizeof *self->sites);
  self->first_site = wy_arena_take(a, (elements + 1) * sizeof *self->first_site);
  self->actuator_count = wy_model_rod_actuator_count(model, self->base.rod);
  self->actuators = wy_arena_take(a, (size_t)(self->actuator_count + 1) * sizeof *self->actuators);
  for (int i = 0; i < self->actuator_count; i++) {
    double *values = wy_arena_doubles(a, elements * WY_STRESSES);
    if (self->actuators)
      self->actuators[i].values = values;
  }
  double **node_arrays[] = {&self->from,      &self->middle,   &self->end,
                            &self->known_end, &self->velocity, &self->acceleration};
  for (size_t i = 0; i < sizeof node_arrays / sizeof node_arrays[0]; i++)
    *node_arrays[i] = wy_arena_doubles(a, nodes * WY_NODE);
  const size_t lanes = WY_LANES * (size_t)wy_mixed_bundles(self);
  self->offset = wy_arena_doubles(a, elements * WY_STRESSES);
  self->strain_base = wy_arena_doubles(a, lanes * WY_STRESSES);
  self->stress_base = wy_arena_doubles(a, lanes * WY_STRESSES);
  self->axial = wy_arena_doubles(a, lanes * WY_FORCES);
  self->guess = wy_arena_take(a, (size_t)wy_mixed_bundles(self) * sizeof *self->guess);
  self->element_law = wy_arena_doubles(a, lanes * WY_FORCES);
  self->element_force = wy_arena_doubles(a, elements * WY_MOST_NODES * WY_NODE);
  self->support = wy_arena_doubles(a, 2 * (size_t)WY_NODE);
  self->first = wy_arena_doubles(a, (size_t)self->base.size);
  layout_linear(self, a, equilibria);
  const int stresses = self->basis.order * self->elements;
  wy_view_layout(
      &self->base.view, a,
      (wy_view_counts){.positions = self->nodes, .frames = self->nodes, .strains = stresses, .bends = stresses});
  wy_points_layout(&self->base.view.multiplier, a, self->nodes, 6);
  self->ends = self->supports.state = wy_arena_take(&memory->saved, 2 * sizeof *self->ends);
  wy_system_layout_overrides(&self->base, &memory->saved);
  self->base.supports = &self->supports;
  wy_mixed_layout_contact(self, memory);
}

/* Directors can only carry a rotary inertia whose largest moment is at most the sum of the others. */
static wy_status check_inertia(const wy_mixed *self, wy_message *message) {
  for (int e = 0; e < self->elements; e++)
    for (int g = 0; g < WY_GAUSS; g++) {
      double s = wy_mixed_arc(&self->element[e], self->basis.xi[g]), mass[4];
      wy_section_values section = wy_section_at(self->rod, s);
      director_masses(&section, mass);
      for (int i = 0; i < 3; i++)
        if (mass[1 + i] < 0) {
          char path[64];
          snprintf(path, sizeof path, "rods[%d].inertia.rotary", self->base.rod);
          return wy_fail_at(
              message, path,
              "found (%g, %g, %g) at s = %g; expected each at most the sum of the other two, as scheme mixed requires",
              section.rotary[0], section.rotary[1], section.rotary[2], s);
        }
    }
  return WY_OK;
}

/* What sizes follow from. */
static void set_counts(wy_mixed *self, const wy_model *model, int rod, const wy_solver_def *solver) {
  self->base.type = &mixed_type;
  self->base.model = model;
  self->base.rod = rod;
  self->base.has_power = true;
  self->kernels = WY_KERNELS(wy_mixed);
  self->rod = wy_model_rod(model, rod);
  self->options = solver->mixed;
  wy_mixed_set_basis(&self->basis, solver->mixed.order);
  self->elements = self->rod->segments;
  self->nodes = self->basis.order * self->elements + 1;
  self->constrained = self->rod->kind == WY_COSSERAT ? 0 : self->rod->kind == WY_KIRCHHOFF ? 2 : 3;
  self->branches = self->rod->maxwell_count;
  set_fields(self);
}

static int size_of(const wy_model *model, int rod, const wy_solver_def *solver) {
  wy_mixed counting = {0};
  set_counts(&counting, model, rod, solver);
  return counting.base.size;
}

static void config_size_of(const wy_model *model, int rod, const wy_solver_def *solver, int *config_size, int *dofs) {
  wy_mixed counting = {0};
  set_counts(&counting, model, rod, solver);
  *config_size = counting.base.size;
  *dofs = unknowns_of(&counting, WY_FORM_ALL);
}

static wy_status create(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                        wy_memory *memory, wy_system **system, wy_message *message) {
  wy_mixed counting = {0};
  wy_mixed *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  wy_status possible = wy_scheme_needs_linear_law("mixed", wy_model_rod(model, rod), rod, message);
  if (possible)
    return possible;
  set_counts(self, model, rod, solver);
  layout(self, memory, needs.equilibria);
  *system = carved ? &self->base : NULL;
  if (!carved)
    return WY_OK;

  memcpy(self->gravity, wy_model_gravity(model), sizeof self->gravity);
  self->drag[0] = self->rod->drag.translation;
  self->drag[1] = self->rod->drag.rotation;
  self->long_term = self->load_factor = self->known_h = 1;
  for (int i = 0; i < self->branches; i++)
    self->long_term -= self->rod->maxwell[i].share;
  double *weight = (double *)self->base.weight;
  for (int i = 0; i < self->stress; i++)
    weight[i] = 1;
  wy_support_begin(&self->supports, self->rod);
  set_grid(self);
  wy_status status = check_inertia(self, message);
  if (status)
    return status;
  for (int e = 0; e < self->elements; e++)
    set_element(self, e);
  set_lanes(self);
  for (int i = 1; i < 3; i++)
    if (self->element[0].mass[1 + i][0] <= self->element[0].mass[1 + self->lightest][0])
      self->lightest = i;
  set_reference(self);
  set_scales(self);
  wy_mixed_place_loads(self);
  wy_mixed_place_fluid(self);
  wy_mixed_place_actuators(self);
  wy_mixed_place_view(self);
  wy_mixed_begin_contact(self);
  return WY_OK;
}

static wy_status supports(wy_rod_kind kind, wy_message *message) {
  (void)kind, (void)message;
  return WY_OK;
}

/* (X27): the limit points of the moment, where an element loses its stiffness. It carries no moment at all at pi/2 (p =
   1) or 3.6 rad (p = 2, both halves alike), and by half a turn it has come apart for good. */
static wy_turn_limits turns(const wy_solver_def *solver) {
  const double pi = 3.14159265358979323846;
  return solver->mixed.order == 1 ? (wy_turn_limits){0.5, 0.25 * pi / 0.5, pi / 0.5}
                                  : (wy_turn_limits){1.5, 2.17 / 1.5, pi / 1.5};
}

const wy_scheme wy_mixed_scheme = {.name = "mixed",
                                   .piece = "element",
                                   .options = &wy_mixed_option_type,
                                   .energy = WY_ENERGY_BY_LAW,
                                   .balances_forces = true,
                                   .turns = turns,
                                   .carries_active_rods = true,
                                   .shares_nodes = true,
                                   .motion = WY_MIDPOINT,
                                   .carries_fluids = true,
                                   .integrator = "midpoint",
                                   .reason = "with this rule the scheme conserves energy and momentum",
                                   .supports = supports,
                                   .size = size_of,
                                   .config_size = config_size_of,
                                   .create = create};
