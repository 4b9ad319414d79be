/* SPDX-License-Identifier: MIT */
/* The rod of the box scheme as a wy_system: layout, parameters from the model, initial state. */
#include "scheme/box/box.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "model/contact.h"
#include "scheme/box/rod.h"
#include "scheme/system.h"

/* ---- From the model to arrays ---- */

static void set_grid(wy_box *self) {
  double s = 0;
  for (int j = 0; j < self->nodes; j++) {
    self->node[j].s = s;
    if (j < self->cells) {
      self->length[j] = wy_segment_length(self->rod, j);
      self->node[j].weight += 0.5 * self->length[j];
      self->node[j + 1].weight = 0.5 * self->length[j];
      s += self->length[j];
    }
  }
  self->node[self->cells].s = self->rod->length;
}

static void set_node(wy_box *self, wy_box_node *node) {
  const wy_section_values section = wy_section_at(self->rod, node->s);
  const wy_signal *natural = self->rod->shape.curvature;
  node->mass = section.mass;
  node->rotary = wy_at3(section.rotary);
  node->damping = wy_at3(section.damping + 3);
  node->natural = (wy_v3){wy_signal_value(&natural[0], node->s, 0), wy_signal_value(&natural[1], node->s, 0),
                          wy_signal_value(&natural[2], node->s, 0)};
  memcpy(node->stiffness, section.stiffness, sizeof node->stiffness);
  self->damped = self->damped || node->damping.x > 0 || node->damping.y > 0 || node->damping.z > 0;
}

static void set_scales(wy_box *self) {
  const wy_section_values section = wy_section_at(self->rod, 0.5 * self->rod->length);
  const double length = self->rod->length, bending = fmax(section.stiffness[3], section.stiffness[4]);
  self->scales = (wy_box_scales){.length = length,
                                 .time = length * length * sqrt(section.mass / bending),
                                 .force = bending / (length * length),
                                 .moment = bending / length};
}

/* Supports stand where the discrete undeformed rod has its ends. */
static void set_reference(wy_box *self) {
  double *u = self->first;
  wy_box_undeformed(self, u);
  for (int end = 0; end < 2; end++) {
    const int node = wy_box_end_node(self, end);
    wy_copy3(u + self->position + 3 * node, self->supports.reference[end]);
    memcpy(self->supports.reference_q[end], u + self->frame + 4 * node, sizeof self->supports.reference_q[end]);
  }
  wy_support_set_offsets(&self->supports);
}

/* Without coefficients of the user's: by what a step leaves of the fastest vibrations (B5). */
static void set_weights(wy_box *self) {
  const wy_box_options *options = &self->options;
  const double rho = options->rho_inf, alpha = (3 * rho - 1) / (2 * (1 + rho)), beta = rho / (1 + rho);
  self->weights = (wy_box_weights){.alpha = alpha, .beta = beta, .gamma = 0.5 - alpha + beta};
  if (options->coefficients_given)
    self->weights = (wy_box_weights){.alpha = options->alpha, .beta = options->beta, .gamma = options->gamma};
  self->weights.stage = options->force == WY_FORCE_STAGE;
}

/* ---- The system ---- */

/* From what is in balance where ends were released: nothing is left to relax. */
static void begin_motion(wy_box *self, double t, double *u) {
  wy_box_project_velocities(self, t, u);
  wy_box_touch_here(self, u);
  self->saved->begins = true;
  self->saved->relaxes = false;
}

static void depart(wy_system *system, double t, double *u) {
  begin_motion((wy_box *)system, t, u);
}

/* R = R0 exp(twist e3): curvatures turn with it, and its slope is added to them. */
static wy_v3 twisted(const wy_box *self, int node) {
  const wy_signal *twist = &self->rod->initial.twist;
  const wy_v3 k = self->node[node].natural;
  double jet[3] = {twist->value, 0, 0};
  if (twist->evaluate)
    twist->evaluate(twist->context, WY_ARC, self->node[node].s, 0, jet);
  const double c = cos(jet[0]), s = sin(jet[0]);
  return (wy_v3){c * k.x + s * k.y, c * k.y - s * k.x, k.z + jet[1]};
}

static void set_initial(wy_system *system, double *u) {
  wy_box *self = (wy_box *)system;
  const wy_initial *initial = &self->rod->initial;
  wy_box_reset_base(self);
  const int base = wy_box_end_node(self, wy_box_base(self));
  wy_box_undeformed(self, u);
  const double twist[3] = {0, 0, wy_signal_value(&initial->twist, self->node[base].s, 0)};
  double turn[4], q[4];
  wy_qexp(twist, turn);
  memcpy(q, u + self->frame + 4 * base, sizeof q);
  wy_qmul(q, turn, u + self->frame + 4 * base);
  for (int j = 0; j < self->nodes; j++)
    wy_put3(u + self->motion + WY_BOX_MOTION * j + WY_BOX_KAPPA, twisted(self, j));
  wy_box_place_base(self, 0, u);
  wy_box_rebuild(self, u);
  memcpy(u + self->carried, u + self->position, 3 * (size_t)self->nodes * sizeof *u);
  for (int j = 0; j < self->nodes; j++) {
    double velocity[3], *motion = u + self->motion + WY_BOX_MOTION * j;
    for (int i = 0; i < 3; i++) {
      velocity[i] = wy_signal_value(&initial->velocity[i], self->node[j].s, 0);
      motion[WY_BOX_OMEGA + i] = wy_signal_value(&initial->angular_velocity[i], self->node[j].s, 0);
    }
    wy_put3(motion, wy_apply_transposed(wy_rotation(wy_load4(u + self->frame + 4 * j, 1, 0)), wy_at3(velocity)));
  }
  begin_motion(self, 0, u);
}

/* Frames are unit quaternions again after interpolation. */
// NOLINTNEXTLINE(readability-non-const-parameter): the contract's signature
static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  const wy_box *self = (const wy_box *)system;
  double largest = 0;
  (void)t, (void)f;
  for (int j = 0; j < self->nodes; j++) {
    const wy_v3 way = wy_minus(wy_at3(u + self->position + 3 * j), wy_at3(u + self->carried + 3 * j));
    wy_qnormalise(u + self->frame + 4 * j);
    largest = fmax(largest, wy_inner(way, way));
  }
  drift[WY_DRIFT_POSITION] = fmax(drift[WY_DRIFT_POSITION], sqrt(largest) / self->rod->length);
  return WY_OK;
}

static void enter(wy_system *system, double t) {
  wy_system_enter(system, t);
  ((wy_box *)system)->saved->begins = ((wy_box *)system)->saved->relaxes = true;
}

/* Everything that depends on the saved part is read anew in every step. */
static void refresh(wy_system *system) {
  (void)system;
}

static void set_load(wy_system *system, int load, const double force[3], const double moment[3]) {
  wy_system_set_load(system, load, force, moment);
  ((wy_box *)system)->saved->begins = true;
}

static const wy_system_type box_type = {.name = "box",
                                        .initial = set_initial,
                                        .project = project,
                                        .depart = depart,
                                        .next_break = wy_system_next_break,
                                        .enter = enter,
                                        .refresh = refresh,
                                        .energy = wy_box_energy,
                                        .momentum = wy_box_momentum,
                                        .view = wy_box_view,
                                        .diagnose = wy_box_diagnose,
                                        .set_load = set_load,
                                        .move_end = wy_system_move_end,
                                        .piece_turn = wy_box_piece_turn,
                                        .step = &wy_box_galpha,
                                        .statics = &wy_box_statics_type};

/* ---- Creation ---- */

static void add_field(wy_box *self, const char *name, int *offset, int components, int count, int dae_index) {
  *offset = wy_system_add_field(
      &self->base,
      (wy_field){.name = name, .components = components, .count = count, .stride = count, .dae_index = dae_index});
}

/* Nodes stand side by side with all their numbers. The contact force is the multiplier of the constraint; with history
   it is known at the end of a step, without it belongs to the step as a whole. */
static void set_fields(wy_box *self) {
  add_field(self, "motion", &self->motion, WY_BOX_MOTION, self->nodes, 0);
  add_field(self, "force", &self->force, 3, self->nodes, self->options.force == WY_FORCE_STAGE ? 2 : 0);
  add_field(self, "rates", &self->rates, WY_BOX_NODE, self->nodes, 0);
  add_field(self, "frame", &self->frame, 4, self->nodes, 0);
  add_field(self, "position", &self->position, 3, self->nodes, 0);
  add_field(self, "carried_position", &self->carried, 3, self->nodes, 0);
  add_field(self, "way", &self->way, WY_BOX_WAY, 2, 0);
  if (wy_rod_touches(self->base.model, self->base.rod)) {
    add_field(self, "contact", &self->contact.place, 3 + WY_BOX_TOUCH_RATE + WY_BOX_TOUCH_PUSH, self->nodes, 0);
    self->contact.rate = self->contact.place + 3 * self->nodes;
    self->contact.kept = self->contact.rate + WY_BOX_TOUCH_RATE * self->nodes;
  }
  self->base.size = wy_padded(self->base.size);
  self->base.unknowns = WY_BOX_NODE * self->nodes;
}

static void layout(wy_box *self, wy_memory *memory, bool statics) {
  wy_arena *a = &memory->scratch;
  const size_t nodes = (size_t)self->nodes, cells = (size_t)self->cells, unknowns = nodes * WY_BOX_NODE;
  self->base.weight = wy_arena_doubles(a, (size_t)self->base.size);
  self->node = wy_arena_take(a, nodes * sizeof *self->node);
  self->length = wy_arena_doubles(a, cells);
  for (int level = 0; level < 2; level++)
    self->loads[level].cell = wy_arena_take(a, cells * sizeof *self->loads[level].cell);
  double **arrays[] = {&self->x0, &self->rate0, &self->x, &self->known_x, &self->residual, &self->rhs};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    *arrays[i] = wy_arena_doubles(a, unknowns);
  self->base.step_size = (int)unknowns;
  self->base.step_vector = self->rhs;
  self->frame0 = wy_arena_take(a, nodes * sizeof *self->frame0);
  self->before = wy_arena_take(a, cells * sizeof *self->before);
  self->terms = wy_arena_take(a, nodes * sizeof *self->terms);
  self->first = wy_arena_doubles(a, (size_t)self->base.size);
  wy_staircase_layout(&self->tangent, a, self->cells);
  wy_band_layout(&self->kept, a, WY_BOX_KEPT_NODE * self->nodes - 3, WY_BOX_KEPT, WY_BOX_KEPT);
  wy_view_layout(
      &self->base.view, a,
      (wy_view_counts){.positions = self->nodes, .frames = self->nodes, .strains = self->nodes, .bends = self->nodes});
  if (statics)
    wy_box_lay_out_statics(self, a);
  self->ends = self->supports.state = wy_arena_take(&memory->saved, 2 * sizeof *self->ends);
  wy_system_layout_overrides(&self->base, &memory->saved);
  self->saved = wy_arena_take(&memory->saved, sizeof *self->saved);
  self->base.supports = &self->supports;
  wy_box_layout_contact(self, memory);
}

/* What sizes follow from. */
static void set_counts(wy_box *self, const wy_model *model, int rod, const wy_solver_def *solver) {
  self->base.type = &box_type;
  self->base.model = model;
  self->base.rod = rod;
  self->base.has_power = true;
  self->rod = wy_model_rod(model, rod);
  self->options = solver->box;
  self->cells = self->rod->segments;
  self->nodes = self->cells + 1;
  set_fields(self);
}

static int size_of(const wy_model *model, int rod, const wy_solver_def *solver) {
  wy_box counting = {0};
  set_counts(&counting, model, rod, solver);
  return counting.base.size;
}

static void config_size_of(const wy_model *model, int rod, const wy_solver_def *solver, int *config_size, int *dofs) {
  wy_box counting = {0};
  set_counts(&counting, model, rod, solver);
  wy_box_config_size(&counting, config_size, dofs);
}

/* Coefficients that make no method. */
static wy_status check_coefficients(const wy_box_options *options, wy_message *message) {
  if (!options->coefficients_given)
    return WY_OK;
  if (!isfinite(options->alpha) || options->alpha >= 1)
    return wy_fail_at(message, "solver.alpha", "found %g; expected a number below 1", options->alpha);
  if (!isfinite(options->beta) || options->beta >= 1)
    return wy_fail_at(message, "solver.beta", "found %g; expected a number below 1", options->beta);
  if (!isfinite(options->gamma) || !(options->gamma > 0))
    return wy_fail_at(message, "solver.gamma", "found %g; expected a positive number", options->gamma);
  return WY_OK;
}

static wy_status create(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                        wy_memory *memory, wy_system **system, wy_message *message) {
  wy_box counting = {0};
  wy_box *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  set_counts(self, model, rod, solver);
  wy_status status = wy_scheme_needs_passive_rod("box", model, rod, message);
  if (!status)
    status = check_coefficients(&self->options, message);
  if (status)
    return status;
  layout(self, memory, needs.equilibria);
  *system = carved ? &self->base : NULL;
  if (!carved)
    return WY_OK;

  self->gravity = wy_at3(wy_model_gravity(model));
  self->drag[0] = self->rod->drag.translation;
  self->drag[1] = self->rod->drag.rotation;
  self->load_factor = self->known_h = 1;
  self->usual = solver->first_step > 0 ? solver->first_step : (double)INFINITY;
  self->usual = solver->largest_step > 0 ? fmin(self->usual, solver->largest_step) : self->usual;
  double *weight = (double *)self->base.weight;
  for (int i = 0; i < self->rates; i++)
    weight[i] = 1;
  wy_support_begin(&self->supports, self->rod);
  set_weights(self);
  set_grid(self);
  for (int j = 0; j < self->nodes; j++)
    set_node(self, &self->node[j]);
  set_scales(self);
  set_reference(self);
  wy_box_place_view(self);
  wy_box_begin_contact(self);
  if (needs.equilibria)
    wy_box_prepare_statics(self);
  return WY_OK;
}

static wy_status supports(wy_rod_kind kind, wy_message *message) {
  if (kind == WY_INEXTENSIBLE)
    return WY_OK;
  return wy_fail(message, WY_ERROR_SUPPORT,
                 "the scheme 'box' is for rods without shear and extension; expected model inextensible");
}

/* What the steps take from vibrations is meant, and is no error of the balance alone (docs/theory/box.md, B5). */
static bool dissipates(const wy_solver_def *solver, char *text, size_t size) {
  const wy_box_options *box = &solver->box;
  if (box->coefficients_given) {
    snprintf(text, size, "alpha %g, beta %g and gamma %g damp numerically", box->alpha, box->beta, box->gamma);
    return fabs(box->alpha - 0.5) + fabs(box->beta - 0.5) + fabs(box->gamma - 0.5) > 1e-9;
  }
  snprintf(text, size, "it is the numerical dissipation of solver.rho_inf: %g", box->rho_inf);
  return box->rho_inf < 1;
}

static wy_turn_limits turns(const wy_solver_def *solver) {
  return (wy_turn_limits){solver->box.transport ? 1.5 : 0.6, INFINITY, INFINITY};
}

const wy_scheme wy_box_scheme = {.name = "box",
                                 .piece = "cell",
                                 .options = &wy_box_option_type,
                                 .turns = turns,
                                 .dissipates = dissipates,
                                 .carries_laws = true,
                                 .motion = WY_GALPHA,
                                 .integrator = "galpha",
                                 .reason = "the time steps of the scheme use this method",
                                 .supports = supports,
                                 .size = size_of,
                                 .config_size = config_size_of,
                                 .create = create};
