/* SPDX-License-Identifier: MIT */
/* Energy-conserving finite differences for hyperelastic Cosserat rods: creation, ends, life of the system. */
#include "scheme/conserving/conserving.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "scheme/conserving/rod.h"
#include "scheme/rates.h"
#include "scheme/system.h"

/* ---- Ends ---- */

static bool has_end_load(const wy_conserving *self, int end) {
  for (int i = 0; i < wy_model_rod_load_count(self->base.model, self->base.rod); i++)
    if (wy_conserving_is_end_load(self, wy_model_rod_load(self->base.model, self->base.rod, i), end))
      return true;
  return false;
}

/* Entries that are put in do not count. */
static void set_weights(wy_conserving *self) {
  double *weight = (double *)self->base.weight;
  const int stride = self->stride;
  for (int c = 0; c < WY_FIELDS; c++)
    for (int j = 0; j < stride; j++)
      weight[c * stride + j] = j < self->nodes;
  for (int end = 0; end < 2; end++) {
    const wy_conserving_end *e = &self->ends[end];
    const int j = wy_end_node(self, end);
    const struct {
      int offset, components;
      bool put_in;
    } parts[] = {{self->r, 3, e->position},
                 {self->p, 3, e->position},
                 {self->q, 4, e->rotation},
                 {self->w, 3, e->rotation},
                 {self->gamma, 3, !e->position && !e->weak},
                 {self->kappa, 3, !e->rotation && !e->weak}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
      for (int c = 0; parts[i].put_in && c < parts[i].components; c++)
        weight[parts[i].offset + c * stride + j] = 0;
  }
}

/* What follows from the saved part. */
static void refresh(wy_system *system) {
  wy_conserving *self = (wy_conserving *)system;
  for (int end = 0; end < 2; end++)
    self->ends[end] = (wy_conserving_end){.position = wy_support_holds_position(&self->supports, end),
                                          .rotation = wy_support_holds_rotation(&self->supports, end),
                                          .weak = self->books[end].weak};
  set_weights(self);
  wy_conserving_refresh_contact(self);
}

/* An end that is let go keeps its strains and loses its force by and by (C10): energy does not jump. */
static void enter(wy_system *system, double t) {
  wy_conserving *self = (wy_conserving *)system;
  double energy[2];
  for (int end = 0; end < 2; end++)
    energy[end] = wy_conserving_end_energy(self, end, t);
  wy_support_release(&self->supports, t);
  for (int end = 0; end < 2; end++) {
    wy_conserving_books *books = &self->books[end];
    const wy_conserving_end *before = &self->ends[end];
    if (!self->end_state[end].released || !(before->position || before->rotation))
      continue;
    books->put_in += energy[end] - books->base;
    books->weak = true;
  }
  refresh(system);
}

/* ---- States ---- */

/* Held parts stand and move with their supports. */
static void follow_supports(const wy_conserving *self, double t, double *u) {
  for (int end = 0; end < 2; end++) {
    const wy_conserving_end *e = &self->ends[end];
    const int j = wy_end_node(self, end), stride = self->stride;
    wy_end_pose pose;
    wy_support_pose(&self->supports, end, t, &pose);
    if (e->rotation) {
      const wy_q4 last = wy_load4(u + self->q, stride, j), q = {pose.q[0], pose.q[1], pose.q[2], pose.q[3]};
      const bool other = last.w * q.w + last.x * q.x + last.y * q.y + last.z * q.z < 0;
      wy_store4(u + self->q, stride, j, wy_qtimes(other ? -1 : 1, q)); /* the one on the side of the last */
      wy_store3(u + self->w, stride, j, wy_at3(pose.w));
    }
    if (e->position) {
      wy_store3(u + self->r, stride, j, wy_at3(pose.x));
      wy_store3(u + self->p, stride, j, wy_turn_back(wy_load4(u + self->q, stride, j), wy_at3(pose.v)));
    }
  }
}

/* Free ends have no stress (C9). */
static void relax_free_ends(const wy_conserving *self, double *u) {
  const wy_v3 zero = {0, 0, 0};
  for (int end = 0; end < 2; end++) {
    const wy_conserving_end *e = &self->ends[end];
    const int j = wy_end_node(self, end);
    if (!e->position && !e->weak)
      wy_store3(u + self->gamma, self->stride, j, zero);
    if (!e->rotation && !e->weak)
      wy_store3(u + self->kappa, self->stride, j, zero);
  }
}

static void signal_vector(const wy_signal signal[3], double s, double out[3]) {
  for (int c = 0; c < 3; c++)
    out[c] = wy_signal_value(&signal[c], s, 0);
}

/* A twist of the frames is a change of curvature: u = exp(-twist) u0 + twist' e3. */
static void set_initial_node(const wy_conserving *self, int j, const double position[3], const double frame[4],
                             double *u) {
  const wy_initial *initial = &self->rod->initial;
  const int stride = self->stride;
  double velocity[3], spin[3], jet[3] = {initial->twist.value, 0, 0}, turn[4], turned[4];
  if (initial->twist.evaluate)
    initial->twist.evaluate(initial->twist.context, WY_ARC, self->s[j], 0, jet);
  wy_qexp((double[3]){0, 0, jet[0]}, turn);
  wy_qmul(frame, turn, turned);
  const wy_q4 q = {turned[0], turned[1], turned[2], turned[3]}, twist = {turn[0], turn[1], turn[2], turn[3]};
  const wy_v3 u0 = wy_load3(self->u0, stride, j);
  wy_store3(u + self->r, stride, j, wy_at3(position));
  wy_store4(u + self->q, stride, j, q);
  wy_store3(u + self->kappa, stride, j, wy_plus(wy_minus(wy_turn_back(twist, u0), u0), (wy_v3){0, 0, jet[1]}));
  signal_vector(initial->velocity, self->s[j], velocity);
  signal_vector(initial->angular_velocity, self->s[j], spin);
  wy_store3(u + self->p, stride, j, wy_turn_back(q, wy_at3(velocity)));
  wy_store3(u + self->w, stride, j, wy_at3(spin));
}

static void set_initial(wy_system *system, double *u) {
  wy_conserving *self = (wy_conserving *)system;
  double position[3] = {0}, frame[4];
  memset(u, 0, (size_t)system->size * sizeof *u);
  wy_reference_start(self->rod, frame);
  for (int j = 0; j < self->nodes; j++) {
    if (j > 0)
      wy_reference_advance(self->rod, self->s[j - 1], self->s[j], position, frame);
    set_initial_node(self, j, position, frame, u);
  }
  relax_free_ends(self, u);
  follow_supports(self, 0, u);
  for (int end = 0; end < 2; end++)
    self->books[end].base = wy_conserving_end_energy(self, end, 0);
}

/* Gauss methods keep the length of quaternions to round-off and are left alone; other methods need help. */
static const double unit_enough = 1e-9;

/* NOLINTNEXTLINE(readability-non-const-parameter): the contract's signature */
static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  wy_conserving *self = (wy_conserving *)system;
  const int stride = self->stride;
  bool moved = wy_support_moves(&self->supports, WY_START) || wy_support_moves(&self->supports, WY_END);
  (void)f;
  follow_supports(self, t, u);
  for (int j = 0; j < self->nodes; j++) {
    wy_q4 q = wy_load4(u + self->q, stride, j);
    double length = sqrt(wy_qsquare(q)), off = fabs(length - 1);
    drift[WY_DRIFT_QUATERNION] = fmax(drift[WY_DRIFT_QUATERNION], off);
    if (off > unit_enough) {
      wy_store4(u + self->q, stride, j, wy_qtimes(1 / length, q));
      moved = true;
    }
  }
  if (wy_conserving_leaves_law(self, u))
    return -1;
  drift[WY_DRIFT_COMPATIBILITY] = fmax(drift[WY_DRIFT_COMPATIBILITY], wy_conserving_compatibility(self, u));
  wy_conserving_sawtooth(self, u, drift);
  return moved;
}

static const wy_system_type conserving_type = {.name = "conserving",
                                               .rhs = wy_conserving_rhs,
                                               .rhs_between = wy_conserving_rhs_between,
                                               .jacobian = wy_conserving_jacobian,
                                               .factor = wy_conserving_factor_real,
                                               .factor_complex = wy_conserving_factor_complex,
                                               .solve = wy_conserving_solve,
                                               .solve_complex = wy_conserving_solve_complex,
                                               .initial = set_initial,
                                               .project = project,
                                               .next_break = wy_system_next_break,
                                               .depends_on_time = wy_system_depends_on_time,
                                               .enter = enter,
                                               .refresh = refresh,
                                               .energy = wy_conserving_energy,
                                               .momentum = wy_conserving_momentum,
                                               .view = wy_conserving_view,
                                               .diagnose = wy_conserving_diagnose,
                                               .set_load = wy_system_set_load,
                                               .move_end = wy_system_move_end};

/* ---- Creation ---- */

static void set_fields(wy_conserving *self) {
  wy_system *base = &self->base;
  struct {
    const char *name;
    int *offset, components;
    bool local;
  } fields[] = {{"position", &self->r, 3, true},    {"frame", &self->q, 4, true},     {"strain", &self->gamma, 3, true},
                {"bending", &self->kappa, 3, true}, {"velocity", &self->p, 3, false}, {"spin", &self->w, 3, false}};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    *fields[i].offset = wy_system_add_field(base, (wy_field){.name = fields[i].name,
                                                             .components = fields[i].components,
                                                             .count = self->nodes,
                                                             .stride = self->stride,
                                                             .cell_local = fields[i].local});
  base->unknowns = WY_FIELDS * self->nodes;
}

static void set_counts(wy_conserving *self, const wy_model *model, int rod, const wy_solver_def *solver) {
  self->base.type = &conserving_type;
  self->base.model = model;
  self->base.rod = rod;
  self->base.has_power = true;
  self->rod = wy_model_rod(model, rod);
  self->order = solver->conserving.order;
  self->nodes = self->rod->segments + 1;
  self->stride = wy_padded(self->nodes);
  set_fields(self);
}

static int size_of(const wy_model *model, int rod, const wy_solver_def *solver) {
  wy_conserving counting = {0};
  set_counts(&counting, model, rod, solver);
  return counting.base.size;
}

static wy_conserving_factor *layout_factors(const wy_conserving *self, wy_arena *a, int count, bool complex) {
  const int n = WY_INTERFACE * self->nodes, half = wy_conserving_half_bandwidth(self->order);
  wy_conserving_factor *factors = wy_arena_take(a, (size_t)(count + 1) * sizeof *factors), counting;
  for (int i = 0; i < count; i++) {
    wy_conserving_factor *factor = factors ? &factors[i] : &counting;
    for (int part = 0; part < (complex ? 2 : 1); part++) {
      factor->inverse[part] = wy_arena_doubles(a, 9 * (size_t)self->nodes);
      factor->along[part] = wy_arena_doubles(a, WY_BLOCK * (size_t)self->nodes);
      factor->at[part] = wy_arena_doubles(a, WY_BLOCK * (size_t)self->nodes);
    }
    if (complex)
      wy_band_complex_layout(&factor->band_complex, a, n, half, half);
    else
      wy_band_layout(&factor->band, a, n, half, half);
  }
  return factors;
}

static void layout(wy_conserving *self, wy_memory *memory, wy_factor_needs needs) {
  wy_arena *a = &memory->scratch;
  const size_t nodes = (size_t)self->nodes, stride = (size_t)self->stride;
  const wy_model *model = self->base.model;
  self->base.weight = wy_arena_doubles(a, (size_t)self->base.size);
  self->s = wy_arena_doubles(a, nodes);
  self->norm = wy_arena_doubles(a, nodes);
  self->difference = wy_arena_doubles(a, nodes * WY_STENCIL);
  self->stiffness = wy_arena_doubles(a, nodes * 6);
  self->inertia = wy_arena_doubles(a, nodes * 4);
  self->weighed = wy_arena_doubles(a, nodes);
  if (wy_fluid_drags(self->rod))
    self->fluid = wy_arena_take(a, nodes * sizeof *self->fluid);
  self->sites =
      wy_arena_take(a, (wy_conserving_count_sites(model, self->base.rod, self->nodes) + 1) * sizeof *self->sites);
  double **vectors[] = {&self->u0,         &self->velocity, &self->spin,    &self->force,   &self->moment,
                        &self->velocity_s, &self->spin_s,   &self->force_s, &self->moment_s};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = wy_arena_doubles(a, 3 * stride);
  for (int i = 0; i < 4; i++)
    self->load[i] = wy_arena_doubles(a, 3 * nodes);
  if (needs.real || needs.complex) {
    self->node = wy_arena_take(a, nodes * sizeof *self->node);
    self->stressed = wy_arena_take(a, nodes * sizeof *self->stressed);
    for (int part = 0; part < 2; part++) {
      self->rhs[part] = wy_arena_doubles(a, nodes * WY_INTERFACE);
      self->kept[part] = wy_arena_doubles(a, nodes * WY_INTERFACE);
    }
    self->real = layout_factors(self, a, needs.real, false);
    self->complex = layout_factors(self, a, needs.complex, true);
  }
  wy_view_layout(
      &self->base.view, a,
      (wy_view_counts){.positions = self->nodes, .frames = self->nodes, .strains = self->nodes, .bends = self->nodes});
  self->end_state = self->supports.state = wy_arena_take(&memory->saved, 2 * sizeof *self->end_state);
  self->books = wy_arena_take(&memory->saved, 2 * sizeof *self->books);
  wy_system_layout_overrides(&self->base, &memory->saved);
  self->base.supports = &self->supports;
  wy_conserving_layout_contact(self, memory);
}

static void set_nodes(wy_conserving *self) {
  const double length = self->rod->length;
  double s = 0;
  for (int j = 0; j < self->nodes; j++) {
    self->s[j] = j == self->nodes - 1 ? length : s;
    if (j < self->nodes - 1)
      s += wy_segment_length(self->rod, j);
    const wy_section_values section = wy_section_at(self->rod, self->s[j]);
    memcpy(self->stiffness + 6 * (size_t)j, section.stiffness, sizeof section.stiffness);
    self->inertia[4 * j] = section.mass;
    self->weighed[j] = wy_fluid_weighed(self->rod, self->s[j], section.mass);
    if (self->fluid)
      self->fluid[j] = wy_fluid_section_at(self->rod, self->s[j]);
    memcpy(self->inertia + 4 * (size_t)j + 1, section.rotary, sizeof section.rotary);
    for (int c = 0; c < 3; c++)
      self->u0[c * self->stride + j] = wy_signal_value(&self->rod->shape.curvature[c], self->s[j], 0);
  }
}

/* What makes strains and velocities comparable: their energies, in the middle of the rod. A millionth of the bending of
   the rod to a circle's arc of one radian does not matter. */
static void set_units(wy_conserving *self) {
  const size_t middle = (size_t)self->nodes / 2;
  const double *stiffness = self->stiffness + 6 * middle, *inertia = self->inertia + 4 * middle;
  const struct {
    int offset;
    double energy;
  } all[] = {{self->gamma, stiffness[2]}, {self->kappa, stiffness[3]}, {self->p, inertia[0]}, {self->w, inertia[1]}};
  for (int f = 0; f < self->base.field_count; f++)
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
      if (self->base.fields[f].offset == all[i].offset)
        self->base.fields[f].unit = sqrt(all[i].energy);
  self->base.least_unit = 1e-6 * sqrt(stiffness[3]) / self->rod->length;
}

static void set_supports(wy_conserving *self) {
  wy_support_begin(&self->supports, self->rod);
  for (int end = 0; end < 2; end++)
    wy_reference_at(self->rod, self->s[wy_end_node(self, end)], self->supports.reference[end],
                    self->supports.reference_q[end]);
  wy_support_set_offsets(&self->supports);
  for (int end = 0; end < 2; end++)
    self->books[end].weak = has_end_load(self, end) || self->base.contacts; /* which push at caps */
}

/* What the scheme does not carry. */
static wy_status check(const wy_model *model, int rod, const wy_solver_def *solver, wy_message *message) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const int least = solver->conserving.order == 4 ? 8 : 2;
  char path[64];
  snprintf(path, sizeof path, "rods[%d].segments", rod);
  if (def->segments < least)
    return wy_fail_at(message, path, "found %d; expected at least %d for scheme conserving of order %d", def->segments,
                      least, solver->conserving.order);
  snprintf(path, sizeof path, "rods[%d].damping", rod);
  if (def->damping.kind != WY_UNDAMPED)
    return wy_fail_at(
        message, path,
        "found internal damping, which scheme conserving does not have; expected none, or `drag`, or another scheme");
  for (int end = 0; end < 2; end++) {
    const wy_hold *held = def->ends[end].position;
    const int count = (held[0] != WY_FREE) + (held[1] != WY_FREE) + (held[2] != WY_FREE);
    snprintf(path, sizeof path, "rods[%d].ends.%s.position", rod, end == WY_START ? "start" : "end");
    if (count != 0 && count != 3)
      return wy_fail_at(message, path, "found %d of 3 components held; expected all or none for scheme conserving",
                        count);
  }
  return wy_scheme_needs_passive_rod("conserving", model, rod, message);
}

static wy_status create(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                        wy_memory *memory, wy_system **system, wy_message *message) {
  wy_conserving counting = {0};
  wy_status status = check(model, rod, solver, message);
  if (status)
    return status;
  wy_conserving *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  set_counts(self, model, rod, solver);
  layout(self, memory, needs);
  *system = carved ? &self->base : NULL;
  if (!carved)
    return WY_OK;

  memcpy(self->gravity, wy_model_gravity(model), sizeof self->gravity);
  self->drag[0] = self->rod->drag.translation;
  self->drag[1] = self->rod->drag.rotation;
  self->varies =
      self->base.contacts || (self->fluid && wy_flow_depends(&self->rod->fluid.velocity, WY_X | WY_Y | WY_Z));
  set_nodes(self);
  set_units(self);
  int rough = wy_conserving_set_operator(self);
  if (rough) {
    char path[64];
    snprintf(path, sizeof path, "rods[%d].segments[%d]", rod, rough - 1);
    return wy_fail_at(message, path,
                      "found lengths that change too fast for differences of order 4; expected lengths that change "
                      "gradually, or order 2");
  }
  set_supports(self);
  wy_conserving_place_loads(self);
  wy_conserving_place_view(self);
  wy_conserving_begin_contact(self);
  refresh(&self->base);
  return WY_OK;
}

static wy_status supports(wy_rod_kind kind, wy_message *message) {
  if (kind == WY_COSSERAT)
    return WY_OK;
  return wy_fail(message, WY_ERROR_SUPPORT,
                 "the scheme 'conserving' is for rods that shear and stretch; expected model cosserat");
}

/* Differences across two segments see waves up to the wave number 1/h, those of order 4 up to 1.372/h. */
static void rates_of(const wy_model *model, int rod, const wy_solver_def *solver, wy_rates *rates) {
  wy_rates_of_rod(model, rod, solver->conserving.order == 4 ? 1.372 : 1, false, rates);
}

const wy_scheme wy_conserving_scheme = {.name = "conserving",
                                        .piece = "segment",
                                        .options = &wy_conserving_option_type,
                                        .energy = WY_ENERGY_BY_LAW,
                                        .carries_laws = true,
                                        .motion = WY_ODE,
                                        .discrete_gradient = true,
                                        .carries_fluids = true,
                                        .integrator = "discrete_gradient",
                                        .reason = "it conserves the energy exactly for every material law",
                                        .rates = rates_of,
                                        .supports = supports,
                                        .size = size_of,
                                        .create = create};
