/* The staggered rod as a wy_system: layout, parameters from the model, initial state, projection. */
#include "scheme/staggered/staggered.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "model/law.h"
#include "scheme/staggered/rod.h"
#include "scheme/system.h"

static int rhs(wy_system *system, double t, const double *u, double *f, double *power) {
  return wy_staggered_evaluate((wy_staggered *)system, t, u, f, power);
}

/* ---- Projection ---- */

/* Held components of an end where their support is at time t. */
static void place_end(const wy_staggered *self, int end, double t, double *u) {
  const int n = self->stride, vertex = end ? self->n : 0;
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  for (int k = 0; k < 3; k++)
    if (self->ends[end].position[k] != WY_FREE) {
      u[self->x + k * n + vertex] = pose.x[k];
      u[self->v + k * n + vertex] = pose.v[k];
    }
}

/* A chain meets its constraints by construction, except that its end may be held, too. */
static int project_constraints(wy_staggered *self, double t, double *u, double drift[WY_DRIFTS]) {
  bool closed = self->chain && wy_support_holds_position(&self->supports, WY_END);
  bool needed = self->chain ? closed : self->options.stabilisation == WY_PROJECTION;
  if (self->chain) {
    place_end(self, WY_START, t, u);
    wy_staggered_chain(self, u);
  }
  for (int end = self->chain ? 1 : 0; end < 2; end++)
    place_end(self, end, t, u);
  if (needed)
    wy_staggered_project_constraints(self, u);
  double strain, rate;
  self->taut = needed && wy_staggered_constraints_missed(self, u, &strain, &rate);
  if (!needed)
    wy_staggered_constraints_missed(self, u, &strain, &rate);
  drift[WY_DRIFT_STRAIN] = fmax(drift[WY_DRIFT_STRAIN], strain);
  drift[WY_DRIFT_STRAIN_RATE] = fmax(drift[WY_DRIFT_STRAIN_RATE], rate);
  return self->taut ? WY_ERROR_SOLVER : needed;
}

/* The rotary energy T - T* that making a quaternion of length^2 norm2 a unit one adds to a segment (S28a). */
static double energy_added(const wy_staggered *self, const double *u, int i, double norm2) {
  const int n = self->stride;
  double energy = 0;
  if (self->options.coordinates == WY_NULLSPACE) {
    for (int k = 0; k < 3; k++)
      energy += 0.5 * self->inertia[k * n + i] * u[self->w + k * n + i] * u[self->w + k * n + i];
    return norm2 * (1 - norm2) * energy;
  }
  double p[4], rate[4], half[4];
  for (int k = 0; k < 4; k++)
    p[k] = u[self->p + k * n + i], rate[k] = u[self->w + k * n + i];
  wy_qrelative(p, rate, half);
  for (int k = 0; k < 3; k++)
    energy += 2 * self->inertia[k * n + i] * half[k + 1] * half[k + 1];
  return (1 - norm2) * energy;
}

/* The right-hand side does not depend on |p| in the null-space form, and p' is proportional to p: scaling both keeps f
 * right. */
static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  wy_staggered *self = (wy_staggered *)system;
  const int n = self->stride;
  bool absolute = self->options.coordinates == WY_ABSOLUTE, keep = self->options.stabilisation == WY_BAUMGARTE;
  int stale = absolute && !keep;
  double *p = u + self->p, *w = u + self->w;
  for (int i = 0; i < self->n; i++) {
    double norm2 = 0, slip = 0;
    for (int k = 0; k < 4; k++)
      norm2 += p[k * n + i] * p[k * n + i];
    double inv = 1 / sqrt(norm2);
    if (!self->constrained) /* whose drift is what is left after projection: none */
      drift[WY_DRIFT_QUATERNION] = fmax(drift[WY_DRIFT_QUATERNION], fabs(sqrt(norm2) - 1));
    if (absolute) {
      for (int k = 0; k < 4; k++)
        slip += p[k * n + i] * w[k * n + i];
      drift[WY_DRIFT_VELOCITY] = fmax(drift[WY_DRIFT_VELOCITY], fabs(slip));
    }
    if (absolute && keep)
      continue;
    for (int k = 0; k < 4; k++) {
      if (absolute)
        w[k * n + i] -= slip / norm2 * p[k * n + i];
      p[k * n + i] *= inv;
      if (f)
        f[self->p + k * n + i] *= inv;
    }
    if (!self->constrained)
      drift[WY_DRIFT_ENERGY] += energy_added(self, u, i, norm2);
  }
  for (int end = 0; end < 2; end++)
    if (wy_support_moves(&self->supports, end)) {
      stale = 1;
      place_end(self, end, t, u);
    }
  int constraints = self->constrained ? project_constraints(self, t, u, drift) : 0;
  return constraints < 0 ? constraints : stale | constraints;
}

/* ---- From the model to arrays ---- */

/* Frames of the undeformed rod at the midpoints into `unit`, its end frames and positions; x_{n+1} = x_n + h d3 (S7).
 */
static void reference_shape(wy_staggered *self, double *x) {
  const wy_rod_def *rod = self->rod;
  const int n = self->stride, hs = self->halo_stride;
  double frame[4], position[3] = {0};
  wy_reference_start(rod, frame);
  memcpy(self->supports.reference_q[0], frame, sizeof frame);
  wy_copy3(position, self->supports.reference[0]);
  for (int i = 0; i < self->n; i++) {
    double middle = self->s_segment[i], r[9];
    for (int k = 0; k < 3; k++)
      x[k * n + i] = position[k];
    wy_reference_turn(rod, self->s_vertex[i], middle, frame);
    for (int k = 0; k < 4; k++)
      self->unit[k * hs + i] = frame[k];
    wy_qmatrix(frame, r);
    for (int k = 0; k < 3; k++)
      position[k] += self->h[i] * r[3 * k + 2];
    wy_reference_turn(rod, middle, self->s_vertex[i + 1], frame);
  }
  for (int k = 0; k < 3; k++)
    x[k * n + self->n] = position[k];
  memcpy(self->supports.reference_q[1], frame, sizeof frame);
  wy_copy3(position, self->supports.reference[1]);
  wy_support_set_offsets(&self->supports);
}

void wy_staggered_reference(wy_staggered *self, double *u) {
  const int n = self->stride, hs = self->halo_stride;
  reference_shape(self, u + self->x);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      u[self->p + k * n + i] = i < self->n ? self->unit[k * hs + i] : k == 0;
}

static void set_grid(wy_staggered *self) {
  const int n = self->stride;
  double s = 0;
  for (int i = 0; i < n; i++) {
    double h = i < self->n ? wy_segment_length(self->rod, i) : 1;
    self->h[i] = h;
    self->inv_h[i] = 1 / h;
    self->s_vertex[i] = s;
    if (i < self->n) {
      self->s_segment[i] = s + 0.5 * h;
      s += h;
    }
    self->twice_inv_l[i] = 2;
  }
  self->s_vertex[self->n] = self->rod->length;
}

/* Stiffness, damping and inertia of segments (values at midpoints) and the masses of vertices. */
static void set_segments(wy_staggered *self) {
  const int n = self->stride;
  self->damped = false;
  for (int i = 0; i < self->n; i++) {
    wy_section_values section = wy_section_at(self->rod, self->s_segment[i]);
    double h = self->h[i];
    for (int k = 0; k < 3; k++) {
      double rotary = section.rotary[k];
      if (self->options.segment_inertia == WY_CYLINDER && k < 2)
        rotary += section.mass * h * h / 12;
      bool zero = k < self->constrained; /* no strain, and a reaction instead of stiffness and damping */
      self->c_gamma[k * n + i] = zero ? 0 : section.stiffness[k];
      self->d_gamma[k * n + i] = zero ? 0 : section.damping[k];
      self->inertia[k * n + i] = h * rotary;
      self->inv_inertia[k * n + i] = 1 / (h * rotary);
      self->drag_inertia[k * n + i] = self->drag_rotation * h * section.rotary[k];
    }
    for (int k = self->constrained; k < 6; k++)
      self->damped = self->damped || section.damping[k] > 0;
    self->mass[i] += 0.5 * h * section.mass;
    self->mass[i + 1] += 0.5 * h * section.mass;
  }
  for (int i = 0; i <= self->n; i++)
    self->inv_mass[i] = 1 / self->mass[i];
}

/* Bending and torsion at vertices: inner ones with length and weight (h- + h+)/2; at an end, if held, length h and
   weight h/2, with the section a quarter segment in, the middle of the half cell (S3). Natural curvatures come from
   the discrete reference configuration. */
static void set_vertices(wy_staggered *self) {
  const int n = self->stride;
  for (int i = 0; i <= self->n; i++) {
    bool at_end = i == 0 || i == self->n;
    double before = self->h[i > 0 ? i - 1 : 0], after = self->h[i < self->n ? i : self->n - 1];
    double length = 0.5 * (before + after), weight = at_end ? 0.5 * length : length;
    double s = i == 0 ? 0.25 * after : i == self->n ? self->rod->length - 0.25 * before : self->s_vertex[i];
    wy_section_values section = wy_section_at(self->rod, s);
    self->twice_inv_l[i] = 2 / length;
    self->weight[i] = weight;
    wy_v3 natural = wy_staggered_curvature(self, i);
    double k_zero[3] = {natural.x, natural.y, natural.z};
    for (int k = 0; k < 3; k++) {
      double c = section.stiffness[k + 3] * weight / length, d = section.damping[k + 3] * weight / length;
      self->damped = self->damped || d > 0;
      self->k_zero[k * n + i] = k_zero[k];
      if (at_end) {
        int end = i != 0;
        wy_section_values tip = wy_section_at(self->rod, self->s_vertex[i]);
        self->clamp_c[end][k] = c, self->clamp_d[end][k] = d, self->clamp_m[end][k] = c * k_zero[k];
        self->end_stiffness[end][k + 3] = self->branches.long_term * tip.stiffness[k + 3];
        self->end_natural[end][k] = wy_signal_value(&self->rod->shape.curvature[k], self->s_vertex[i], 0);
      } else {
        self->c_kappa[k * n + i] = c, self->d_kappa[k * n + i] = d, self->m_rest[k * n + i] = c * k_zero[k];
      }
    }
  }
}

/* Displacements count over the length of the rod, rotations as they are. A held component is a spring as stiff as the
   rod is in bending over one segment, which serves the scaling of the tangent only. */
static void set_freedoms(wy_staggered *self) {
  double bending = self->end_stiffness[0][3], torsion = self->end_stiffness[0][5], length = self->rod->length;
  self->rod_stiffness = bending / (length * length);
  self->foundation[0] = 1e-9 * torsion / (length * self->n);
  self->foundation[1] = 1e-12 * length / (self->rod_stiffness * self->n);
  for (int end = 0; end < 2; end++) {
    double h = self->h[end ? self->n - 1 : 0];
    self->hold_stiffness = fmax(self->hold_stiffness, self->end_stiffness[end][3] / (h * h * h));
  }
  for (int i = 0; i < self->base.dofs; i++) {
    int part = i % WY_SADDLE_CELL;
    double strain = part - 6 < self->constrained ? self->foundation[1] * self->inv_h[i / WY_SADDLE_CELL] : 0;
    self->dof_weight[i] = part < 3 ? 1 / length : part < 6 ? 1 : strain;
  }
}

static void set_initial(wy_system *system, double *u) {
  wy_staggered *self = (wy_staggered *)system;
  const wy_initial *initial = &self->rod->initial;
  const int n = self->stride;
  memset(u, 0, (size_t)system->size * sizeof *u);
  wy_staggered_reference(self, u);
  for (int i = 0; i < self->n; i++) {
    double s = self->s_segment[i], half = 0.5 * wy_signal_value(&initial->twist, s, 0);
    double twist[4] = {cos(half), 0, 0, sin(half)}, q[4], p[4], om[4] = {0}, rate[4];
    for (int k = 0; k < 4; k++)
      q[k] = u[self->p + k * n + i];
    wy_qmul(q, twist, p);
    wy_qnormalise(p);
    for (int k = 0; k < 3; k++)
      om[k + 1] = wy_signal_value(&initial->angular_velocity[k], s, 0);
    wy_qmul(p, om, rate);
    for (int k = 0; k < 4; k++) {
      u[self->p + k * n + i] = p[k];
      if (self->options.coordinates == WY_ABSOLUTE)
        u[self->w + k * n + i] = 0.5 * rate[k];
      else if (k < 3)
        u[self->w + k * n + i] = om[k + 1];
    }
  }
  for (int i = 0; i <= self->n; i++)
    for (int k = 0; k < 3; k++)
      u[self->v + k * n + i] = wy_signal_value(&initial->velocity[k], self->s_vertex[i], 0);
  for (int end = 0; end < 2; end++)
    place_end(self, end, 0, u);
  double drift[WY_DRIFTS] = {0};
  if (self->constrained) { /* velocities as given need not be possible: the nearest that are */
    wy_staggered_project_constraints(self, u);
    project_constraints(self, 0, u, drift);
  }
}

/* ---- What depends on the state of the ends and the user's loads ---- */

enum { FIRST_BRANCHES = 4 }; /* the fields before are there in any rod */

static void refresh_weights(wy_staggered *self) {
  const int n = self->stride;
  double *weight = (double *)self->base.weight;
  memset(weight, 0, (size_t)self->base.size * sizeof *weight);
  self->base.unknowns = 0;
  for (int f = 0; f < self->base.field_count; f++) {
    const wy_field *field = &self->base.fields[f];
    for (int k = 0; k < field->components; k++)
      for (int i = 0; i < field->count; i++) {
        int end = i == 0 ? 0 : i == self->n ? 1 : -1;
        bool vertex = field->offset == self->x || field->offset == self->v;
        /* A component that never moves does not count; a driven one does, so that the step follows its motion. */
        bool still = vertex && end >= 0 && !self->ends[end].moved_position && self->ends[end].position[k] == WY_HELD;
        still = still || (vertex && self->chain && i > 0); /* follows from root and frames */
        still = still || (f >= FIRST_BRANCHES && !wy_staggered_branch_counts(self, field, k, i));
        weight[field->offset + k * n + i] = still ? 0 : 1;
        self->base.unknowns += !still;
      }
  }
}

static void refresh(wy_system *system) {
  wy_staggered *self = (wy_staggered *)system;
  const int n = self->stride;
  const double share = self->branches.share;
  for (int end = 0; end < 2; end++) {
    int vertex = end ? self->n : 0;
    bool held = wy_support_holds_rotation(&self->supports, end);
    for (int k = 0; k < 3; k++) {
      self->c_kappa[k * n + vertex] = held ? share * self->clamp_c[end][k] : 0;
      self->d_kappa[k * n + vertex] = held ? self->clamp_d[end][k] : 0;
      self->m_rest[k * n + vertex] = held ? share * self->clamp_m[end][k] : 0;
    }
  }
  for (int i = 0; self->stiffening && i <= self->n; i++)
    self->stiffening[i] = wy_law_stiffening(&self->rod->law, self->c_kappa[i], self->c_kappa[n + i]);
  refresh_weights(self);
  wy_staggered_refresh_loads(self);
  self->total_force = self->has_body_force || self->has_vertex_body_force ? self->total_buffer : self->now.force;
  system->has_power = self->damped || self->branches.count > 0 || self->site_count > 0 || self->actuator_count > 0 ||
                      self->drag_translation > 0 || self->drag_rotation > 0 || wy_support_moves(&self->supports, 0) ||
                      wy_support_moves(&self->supports, 1);
}

/* ---- Creation ---- */

static double *halo_array(wy_arena *arena, int components, int halo_stride) {
  double *block = wy_arena_doubles(arena, (size_t)components * (size_t)halo_stride + 2 * WY_HALO);
  return block ? block + WY_HALO : NULL;
}

static int add_field(wy_staggered *self, const char *name, int components, int count, bool local) {
  return wy_system_add_field(
      &self->base,
      (wy_field){.name = name, .components = components, .count = count, .stride = self->stride, .cell_local = local});
}

/* Velocities and angular velocities are compared by their energies in the middle of the rod. Forces come from
   positions, whose round-off is that of large strains: less than a thousandth of those does not matter. |p'| is half
   the angular velocity. */
static void set_units(wy_staggered *self, bool absolute) {
  const wy_section_values section = wy_section_at(self->rod, 0.5 * self->rod->length);
  wy_system *base = &self->base;
  base->fields[2].unit = sqrt(section.mass);
  base->fields[3].unit = (absolute ? 2 : 1) * sqrt(section.rotary[0]);
  base->least_unit = 1e-3 * sqrt(section.stiffness[2]);
}

static void layout_view(wy_staggered *self, wy_arena *arena) {
  int bends = self->n - 1;
  for (int end = 0; end < 2; end++)
    bends += self->rod->ends[end].rotation != WY_FREE;
  wy_view_layout(&self->base.view, arena,
                 (wy_view_counts){.positions = self->n + 1, .frames = self->n, .strains = self->n, .bends = bends});
}

static void layout_constraints(wy_staggered *self, wy_arena *arena) {
  const size_t n = (size_t)self->stride;
  if (!self->constrained)
    return;
  struct {
    double **array;
    size_t components;
  } all[] = {
      {&self->tangent, 3}, {&self->link_diagonal, 6}, {&self->link_next, 9}, {&self->link, 3}, {&self->link_spin, 3}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    *all[i].array = wy_arena_doubles(arena, all[i].components * n);
  self->link_force = halo_array(arena, 3, self->halo_stride);
  if (self->chain)
    self->full = wy_arena_doubles(arena, (size_t)self->base.size);
}

static void layout_actuators(wy_staggered *self, wy_arena *a) {
  const size_t n = (size_t)self->stride, count = (size_t)self->actuator_count;
  self->m_rest = self->m_zero;
  if (count == 0)
    return;
  self->actuator_value = wy_arena_doubles(a, count);
  self->offsets = wy_arena_doubles(a, 4 * n * count);
  double **vectors[] = {&self->actuator_force, &self->actuator_moment, &self->m_rest,
                        &self->half_force[0],  &self->half_force[1],   &self->half_moment[0],
                        &self->half_moment[1], &self->tendon_strain,   &self->tendon_bend};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = wy_arena_doubles(a, 3 * n);
}

static void layout_saddle(wy_staggered *self, wy_arena *arena, wy_factor_needs needs) {
  const int order = WY_SADDLE_CELL * self->n + 3, half = self->saddle_half; /* shape_size_of repeats the sizes */
  size_t entries = (size_t)order * (size_t)(2 * half + 1);
  if (self->constrained && needs.real + needs.complex > 0) {
    if (!needs.equilibria)
      self->saddle_statics = wy_arena_doubles(arena, entries);
    self->saddle_rate = wy_arena_doubles(arena, entries);
    self->saddle_acceleration = wy_arena_doubles(arena, entries);
    self->saddle_work = wy_arena_doubles(arena, 4 * (size_t)order);
  }
  if (!needs.equilibria)
    return;
  wy_band_layout(&self->statics_band, arena, order, half, half);
  self->saddle_statics = self->statics_band.rows;
  self->statics_diagonal = wy_arena_doubles(arena, (size_t)order);
  self->dof_weight = wy_arena_doubles(arena, (size_t)order);
  if (!self->constrained) /* which have it already */
    self->tangent = wy_arena_doubles(arena, 3 * (size_t)self->stride);
  self->base.config_size = self->base.size + 3 * self->stride;
  self->base.dofs = order;
  self->base.dof_weight = self->dof_weight;
}

static void layout(wy_staggered *self, wy_memory *memory, wy_factor_needs needs) {
  wy_arena *a = &memory->scratch;
  const size_t n = (size_t)self->stride;
  const int hs = self->halo_stride, loads = wy_model_rod_load_count(self->base.model, self->base.rod);
  bool absolute = self->options.coordinates == WY_ABSOLUTE;
  int cell = self->constrained ? WY_SADDLE_CELL : absolute ? 7 : 6, order = cell * self->n + 3;
  int half = self->has_tendons ? WY_NULLSPACE_HALF_TENDONS : WY_NULLSPACE_HALF;
  half = self->constrained ? self->saddle_half : absolute ? self->absolute_half : half;
  bool stored = self->constrained || absolute; /* else the rows are made while they are factored */
  self->base.weight = wy_arena_doubles(a, (size_t)self->base.size);
  double **plain[] = {&self->h,    &self->inv_h,    &self->twice_inv_l, &self->weight,
                      &self->mass, &self->inv_mass, &self->s_vertex,    &self->s_segment};
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    *plain[i] = wy_arena_doubles(a, n);
  double **vectors[] = {&self->c_gamma,      &self->d_gamma,      &self->inertia,     &self->inv_inertia,
                        &self->drag_inertia, &self->c_kappa,      &self->d_kappa,     &self->m_zero,
                        &self->k_zero,       &self->total_buffer, &self->acceleration};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = wy_arena_doubles(a, 3 * n);
  for (int k = 0; k < 2; k++) {
    wy_load_arrays *sums = k ? &self->still : &self->now;
    double **parts[] = {&sums->force,       &sums->torque,     &sums->space_moment,
                        &sums->body_before, &sums->body_after, &sums->vertex_body_force};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
      *parts[i] = wy_arena_doubles(a, 3 * n);
  }
  self->unit = halo_array(a, 4, hs);
  double **halos[] = {&self->omega,       &self->section_force, &self->segment_torque, &self->torque_minus,
                      &self->torque_plus, &self->theta,         &self->theta_im,       &self->jac_omega};
  for (size_t i = 0; i < sizeof halos / sizeof halos[0]; i++)
    *halos[i] = halo_array(a, 3, hs);
  double **scalars[] = {&self->beta, &self->gamma, &self->beta_im, &self->gamma_im};
  for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
    *scalars[i] = halo_array(a, 1, hs);
  if (self->rod->law.bending > 0)
    self->stiffening = wy_arena_doubles(a, n);
  layout_constraints(self, a);
  self->sites = wy_arena_take(a, sizeof *self->sites * wy_staggered_count_sites(self->base.model, self->base.rod));
  layout_view(self, a);
  size_t work = 2 * (size_t)wy_padded(order);
  self->work = wy_arena_doubles(a, work > (size_t)self->base.size ? work : (size_t)self->base.size);

  assert(needs.real <= WY_MAX_SLOTS && needs.complex <= WY_MAX_SLOTS);
  if (needs.real + needs.complex > 0 || needs.equilibria) {
    self->jac_p = wy_arena_doubles(a, 4 * n);
    self->segment_blocks = wy_arena_doubles(a, WY_SEGMENT_BLOCKS * WY_BLOCK * n);
    self->vertex_blocks = wy_arena_doubles(a, WY_VERTEX_BLOCKS * WY_BLOCK * n);
    /* At most two for each body-axes line segment and each vertex. */
    self->extras = wy_arena_take(a, sizeof *self->extras * (loads ? 4 * n : 0));
    self->extra_first = wy_arena_take(a, sizeof *self->extra_first * n);
    self->packed = wy_arena_doubles(a, (size_t)wy_padded(order));
    self->packed_im = wy_arena_doubles(a, (size_t)wy_padded(order));
    if (absolute) {
      size_t entries = (size_t)order * (size_t)(2 * half + 1);
      self->stiffness_band = wy_arena_doubles(a, entries);
      self->damping_band = wy_arena_doubles(a, entries);
    }
    if (self->has_tendons && !stored)
      self->tendon_band = wy_arena_doubles(a, (size_t)order * (size_t)(2 * half + 1));
    for (int i = 0; i < needs.real; i++)
      (stored ? wy_band_layout : wy_band_layout_fed)(&self->real_slots[i].band, a, order, half, half);
    for (int i = 0; i < needs.complex; i++) {
      wy_slot *slot = &self->complex_slots[i];
      slot->is_complex = true;
      (stored ? wy_band_complex_layout : wy_band_complex_layout_fed)(&slot->band_complex, a, order, half, half);
    }
  }
  layout_saddle(self, a, needs);
  layout_actuators(self, a);
  wy_staggered_branch_layout(self, a, needs);
  self->ends = self->supports.state = wy_arena_take(&memory->saved, 2 * sizeof *self->ends);
  wy_system_layout_overrides(&self->base, &memory->saved);
  self->base.supports = &self->supports;
}

static const wy_system_type staggered_type = {
    .name = "staggered",
    .rhs = rhs,
    .jacobian = wy_staggered_jacobian,
    .factor = wy_staggered_factor,
    .factor_complex = wy_staggered_factor_complex,
    .solve = wy_staggered_solve,
    .solve_complex = wy_staggered_solve_complex,
    .multiply = wy_staggered_multiply,
    .initial = set_initial,
    .project = project,
    .next_break = wy_system_next_break,
    .depends_on_time = wy_system_depends_on_time,
    .enter = wy_system_enter,
    .refresh = refresh,
    .energy = wy_staggered_energy,
    .momentum = wy_staggered_momentum,
    .view = wy_staggered_view,
    .diagnose = wy_staggered_diagnose,
    .set_load = wy_system_set_load,
    .set_actuator = wy_system_set_actuator,
    .move_end = wy_system_move_end,
    .statics = &wy_staggered_statics,
};

static wy_status supports(wy_rod_kind kind, wy_message *message) {
  (void)kind, (void)message;
  return WY_OK;
}

/* Constrained rods keep velocities and angular velocities in either setting: the constraint of the quaternions is
   always eliminated. What `absolute` means for them is that positions are unknowns, too. */
static bool has_quaternion_velocities(const wy_rod_def *rod, const wy_solver_def *solver) {
  return solver->staggered.coordinates == WY_ABSOLUTE && rod->kind == WY_COSSERAT;
}

static int size_of(const wy_model *model, int rod, const wy_solver_def *solver) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  int components = (has_quaternion_velocities(def, solver) ? 14 : 13) + 6 * def->maxwell_count;
  return components * wy_padded(def->segments + 1);
}

static void config_size_of(const wy_model *model, int rod, const wy_solver_def *solver, int *config_size, int *dofs) {
  int n = wy_model_rod(model, rod)->segments;
  *config_size = size_of(model, rod, solver) + 3 * wy_padded(n + 1);
  *dofs = WY_SADDLE_CELL * n + 3;
}

static wy_status check(const wy_rod_def *rod, int index, wy_message *message) {
  char path[64];
  if (rod->segments < 2) {
    snprintf(path, sizeof path, "rods[%d].segments", index);
    return wy_fail_at(message, path, "found 1; expected at least 2, between which a rod of scheme staggered bends");
  }
  if (rod->law.kind != WY_LINEAR_LAW && rod->maxwell_count > 0) {
    snprintf(path, sizeof path, "rods[%d].law", index);
    return wy_fail_at(message, path,
                      "found beside maxwell, whose branches are linear; expected law or maxwell, not both");
  }
  return WY_OK;
}

static wy_status create(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                        wy_memory *memory, wy_system **system, wy_message *message) {
  wy_status possible = check(wy_model_rod(model, rod), rod, message);
  if (possible)
    return possible;
  wy_staggered counting = {0};
  wy_staggered *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  self->base.type = &staggered_type;
  self->base.model = model;
  self->base.rod = rod;
  self->rod = wy_model_rod(model, rod);
  self->options = solver->staggered;
  self->n = self->rod->segments;
  self->stride = wy_padded(self->n + 1);
  self->halo_stride = self->stride + WY_HALO;
  bool implicit = needs.real + needs.complex > 0, absolute = has_quaternion_velocities(self->rod, solver);
  self->constrained = self->rod->kind == WY_COSSERAT ? 0 : self->rod->kind == WY_KIRCHHOFF ? 2 : 3;
  self->chain = self->constrained == 3 && self->options.coordinates == WY_NULLSPACE && !implicit;
  self->options.coordinates = absolute ? WY_ABSOLUTE : WY_NULLSPACE;
  self->actuator_count = wy_staggered_count_actuators(model, rod, &self->has_tendons);
  self->saddle_half = self->has_tendons ? WY_SADDLE_HALF_TENDONS : WY_SADDLE_HALF;
  self->absolute_half = self->has_tendons ? WY_ABSOLUTE_HALF_TENDONS : WY_ABSOLUTE_HALF;
  /* The published codes, whose counts of steps are to be met, take the mean; they left constrained rods alone. */
  self->base.point_stride = self->constrained ? self->stride : 0;
  self->x = add_field(self, "position", 3, self->n + 1, true);
  self->p = add_field(self, "quaternion", 4, self->n, true);
  self->v = add_field(self, "velocity", 3, self->n + 1, false);
  self->w = add_field(self, absolute ? "quaternion_velocity" : "angular_velocity", absolute ? 4 : 3, self->n, false);
  set_units(self, absolute);
  wy_staggered_branch_fields(self);
  layout(self, memory, needs);
  *system = carved ? &self->base : NULL;
  if (!carved)
    return WY_OK;

  memcpy(self->gravity, wy_model_gravity(model), sizeof self->gravity);
  self->drag_translation = self->rod->drag.translation;
  self->drag_rotation = self->rod->drag.rotation;
  wy_support_begin(&self->supports, self->rod);
  set_grid(self);
  reference_shape(self, self->work);
  for (int end = 0; end < 2; end++) {
    wy_support_reference_pose(&self->supports, end, &self->pose[end]);
    wy_staggered_set_ghost(self, end);
  }
  set_segments(self);
  set_vertices(self);
  wy_staggered_branch_begin(self);
  wy_staggered_place_view(self);
  wy_staggered_place_loads(self);
  wy_staggered_place_actuators(self);
  self->load_factor = 1;
  if (needs.equilibria)
    set_freedoms(self);
  refresh(&self->base);
  return WY_OK;
}

const wy_scheme wy_staggered_scheme = {
    .name = "staggered",
    .piece = "segment",
    .balances_forces = true,
    .integrator = "radau5",
    .reason = "implicit, of order 5: the step follows the motion, not the fastest vibration",
    .supports = supports,
    .rates = wy_staggered_rates,
    .size = size_of,
    .config_size = config_size_of,
    .create = create};
