/* SPDX-License-Identifier: MIT */
/* Equilibria of the mixed rod: a configuration is a state at rest with its forces N, degrees of freedom are the
   unknowns of the saddle form (linear.c): translations and space rotations of nodes, forces. docs/theory/mixed.md,
   (X25). */
#include <math.h>
#include <string.h>

#include "linalg/inertia.h"
#include "math/quat.h"
#include "scheme/mixed/rod.h"

static size_t band_entries(const wy_mixed *self) {
  return (size_t)self->wide.n * (size_t)(self->wide.kl + self->wide.ku + 1);
}

void wy_mixed_rest(wy_mixed *self, double t, const double *config) {
  self->task = (wy_mixed_task){.left = config + self->q,
                               .right = config + self->q,
                               .share = 1,
                               .elastic = self->long_term,
                               .t = t,
                               .fluid = self->load_factor,
                               .form = WY_FORM_ALL};
  self->band = &self->wide;
  self->contact.found = false;
  for (int e = 0; e < self->elements; e++) {
    for (int i = 0; i < WY_STRESSES; i++) {
      *wy_mixed_lane(self->strain_base, WY_STRESSES, e, i) = self->element[e].reference[i];
      *wy_mixed_lane(self->stress_base, WY_STRESSES, e, i) = 0;
    }
    for (int i = 0; i < 3 * self->basis.order; i++)
      *wy_mixed_lane(self->axial, WY_FORCES, e, i) = config[wy_mixed_kept_force(self, e, i)];
  }
  for (int i = 0; i < self->nodes; i++)
    for (int x = 0; x < WY_NODE; x++)
      self->acceleration[WY_NODE * i + x] = x < 3 ? -self->load_factor * self->gravity[x] : 0;
  wy_mixed_update_loads(self, t);
  wy_mixed_update_actuators(self, t);
}

/* ---- Straight inextensible rods between held ends ---- */

bool wy_mixed_is_taut(const wy_mixed *self, const double *q) {
  const double *last = q + WY_NODE * (self->nodes - 1);
  double length = 0, held[2] = {0};
  for (int i = 0; i < 3; i++) {
    const double gap = last[i] - q[i];
    length += gap * gap;
    for (int end = 0; end < 2; end++)
      held[end] += self->ends[end].position[i] != WY_FREE ? gap * gap : 0;
  }
  /* An end that may slide a little along the rod lets it move. */
  return self->constrained == 3 && sqrt(length) > (1 - 1e-6) * self->rod->length &&
         fmin(held[0], held[1]) > (1 - 1e-6) * length;
}

/* Such a rod has no way to begin to move: while its ends come closer it is a little extensible, less and less so until
   they have arrived. */
static void apply(wy_system *system, bool rest, double loads, double ends) {
  wy_mixed *self = (wy_mixed *)system;
  self->supports.rest = rest;
  self->supports.factor = rest ? ends : 1;
  self->load_factor = rest ? loads : 1;
  if (system->contacts)
    wy_contacts_rest(system->contacts, rest, ends);
  self->slack = rest && self->starts_taut ? 1e-4 * (1 - ends) * (1 - ends) / self->rod_stiffness : 0;
}

static void undeformed(wy_system *system, double *config) {
  wy_mixed *self = (wy_mixed *)system;
  memset(config, 0, (size_t)system->config_size * sizeof *config);
  wy_mixed_reference(self, config + self->q);
  self->starts_taut = wy_mixed_is_taut(self, config + self->q);
  apply(system, self->supports.rest, self->load_factor, self->supports.factor);
}

/* ---- Balance ---- */

/* Held unknowns: how far the end is from its support. */
static void add_supports(const wy_mixed *self, double t, const double *config, double *r) {
  for (int end = 0; end < 2; end++) {
    const double *q = config + self->q + WY_NODE * wy_mixed_end_node(self, end);
    double *row = r + wy_mixed_unknown(self, end ? self->elements - 1 : 0, end);
    double target[WY_NODE], turn[9], quaternion[4], theta[3];
    memcpy(target, q, sizeof target);
    wy_mixed_place_end(self, end, t, target);
    for (int i = 0; i < 9; i++) /* target frame times frame transposed: the space rotation between them */
      turn[i] = target[3 + i / 3] * q[3 + i % 3] + target[6 + i / 3] * q[6 + i % 3] + target[9 + i / 3] * q[9 + i % 3];
    wy_qfrom_matrix(turn, quaternion);
    wy_qlog(quaternion, theta);
    for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
      if (wy_mixed_is_supported(self, end, x))
        row[x] = self->hold_stiffness * (x < 3 ? target[x] - q[x] : theta[x - 3]);
  }
}

static int residual(wy_system *system, double t, const double *config, double *r) {
  wy_mixed *self = (wy_mixed *)system;
  wy_mixed_rest(self, t, config);
  wy_mixed_balance(self, NULL);
  wy_mixed_out_of_balance(self, r);
  add_supports(self, t, config, r);
  return WY_OK;
}

/* ---- Masses ---- */

/* Masses between two nodes of an element: translations, and rotations by u x (theta x w) of their directors. */
static void mass_block(const wy_mixed *self, int element, int a, int c, double out[6][6]) {
  const double *u = self->end + WY_NODE * wy_mixed_node(self, element, a);
  const double *w = self->end + WY_NODE * wy_mixed_node(self, element, c);
  memset(out, 0, 36 * sizeof(double));
  for (int part = 0; part < 4; part++) {
    const double mass = wy_mixed_mass(self, element, part, a, c);
    double dot = part ? wy_dot3(u + 3 * part, w + 3 * part) : 1;
    for (int x = 0; x < 3; x++) {
      int row = part ? 3 + x : x;
      out[row][row] += mass * dot;
      for (int y = 0; part && y < 3; y++)
        out[row][3 + y] -= mass * w[3 * part + x] * u[3 * part + y];
    }
  }
}

/* Which end an unknown belongs to and which of its six it is; false for others. */
static bool at_end(const wy_mixed *self, int dof, int *end, int *x) {
  int last = wy_mixed_cell(self->basis.order, WY_FORM_ALL) * self->elements;
  *end = dof >= last;
  *x = *end ? dof - last : dof;
  return *x < WY_NODE_UNKNOWNS;
}

static bool is_held(const wy_mixed *self, int dof) {
  int end, x;
  return at_end(self, dof, &end, &x) && wy_mixed_is_held(self, end, x);
}

/* By a support; what a hub holds moves with it. */
static bool is_still(const wy_mixed *self, int dof) {
  int end, x;
  return at_end(self, dof, &end, &x) && wy_mixed_is_supported(self, end, x);
}

static double *band_row(const wy_mixed *self, double *rows, int i) {
  return rows + (size_t)i * (size_t)(2 * self->wide.kl + 1) + self->wide.kl - i;
}

static void fill_mass(wy_mixed *self) {
  memset(self->statics_mass, 0, band_entries(self) * sizeof(double));
  for (int e = 0; e < self->elements; e++)
    for (int pair = 0; pair < self->basis.nodes * self->basis.nodes; pair++) {
      int a = pair / self->basis.nodes, c = pair % self->basis.nodes;
      int row = wy_mixed_unknown(self, e, a), column = wy_mixed_unknown(self, e, c);
      double block[6][6];
      mass_block(self, e, a, c, block);
      for (int x = 0; x < 6; x++)
        for (int y = 0; y < 6; y++)
          if (!is_still(self, row + x) && !is_still(self, column + y))
            band_row(self, self->statics_mass, row + x)[column + y] += block[x][y];
    }
}

static int tangent(wy_system *system, double t, const double *config) {
  wy_mixed *self = (wy_mixed *)system;
  memcpy(self->end, config + self->q, (size_t)self->nodes * WY_NODE * sizeof(double));
  wy_mixed_rest(self, t, config);
  self->task.left = self->task.right = self->end; /* kept: masses and dissipation are asked for later */
  wy_mixed_balance(self, NULL);
  wy_mixed_fill(self);
  memcpy(self->statics_matrix, self->wide.rows, band_entries(self) * sizeof(double));
  fill_mass(self);
  return WY_OK;
}

/* ---- K - mu M ---- */

/* What part of a cell a degree of freedom is: forces, or (0..5) of a node. */
static int part_of(const wy_mixed *self, int dof, bool *force) {
  int at = dof % wy_mixed_cell(self->basis.order, WY_FORM_ALL), forces = 3 * self->basis.order;
  *force = at >= WY_NODE_UNKNOWNS && at < WY_NODE_UNKNOWNS + forces;
  return *force ? (at - WY_NODE_UNKNOWNS) % 3 : at < WY_NODE_UNKNOWNS ? at : at - WY_NODE_UNKNOWNS - forces;
}

/* Added to the diagonal of K. A weak compliance of constrained strains, without which the tension of a straight
   inextensible rod between held ends would not be determined; an equilibrium is not changed by it, since its residual
   is zero. Without a shift a weak foundation of rotations: a rod between two pins may spin about its axis. */
static double added(const wy_mixed *self, int dof, double mu) {
  bool force;
  int part = part_of(self, dof, &force);
  if (force)
    return part < self->constrained ? -self->foundation[1] : 0;
  return mu == 0 && part >= 3 && !is_held(self, dof) ? self->foundation[0] : 0;
}

/* The rows of an end on a hub are kept, and it is held. */
static void hold_port(wy_mixed *self, int end) {
  const int first = wy_mixed_end_unknown(self, end);
  wy_mixed_keep_port(self, end, wy_band_row(&self->wide, first));
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
    if (wy_mixed_is_joined(self, end, x)) {
      double *row = wy_band_row(&self->wide, first + x);
      memset(row, 0, (size_t)(2 * self->wide.kl + 1) * sizeof *row);
      row[self->wide.kl] = self->hold_stiffness;
    }
}

static int factor(wy_system *system, double mu) {
  wy_mixed *self = (wy_mixed *)system;
  const size_t entries = band_entries(self);
  self->band = &self->wide;
  for (size_t i = 0; i < entries; i++)
    self->wide.rows[i] = self->statics_matrix[i] - mu * self->statics_mass[i];
  for (int i = 0; i < self->wide.n; i++)
    wy_band_row(&self->wide, i)[self->wide.kl] += added(self, i, mu);
  self->task.form = WY_FORM_ALL;
  for (int end = 0; end < 2; end++)
    if (self->ports[end].there)
      hold_port(self, end);
  return wy_band_factor(&self->wide) ? WY_RETRY : WY_OK;
}

static void solve(wy_system *system, double *b) {
  wy_band_solve(&((wy_mixed *)system)->wide, b);
}

/* Without that of the forces, each of which has a negative eigenvalue of its own. */
static int sign(wy_system *system) {
  const wy_mixed *self = (const wy_mixed *)system;
  int forces = 3 * self->basis.order * self->elements;
  return forces % 2 ? -wy_band_sign(&self->wide) : wy_band_sign(&self->wide);
}

/* K(i, j) - mu M without what couples held components to the rest. */
static inline double entry(const void *matrix, int i, int j, double mu) {
  const wy_mixed *self = matrix;
  int far = i > j ? i - j : j - i;
  if (far > self->wide.kl || (i != j && (is_held(self, i) || is_held(self, j))))
    return 0;
  if (i == j && is_held(self, i))
    return self->hold_stiffness;
  double value = band_row(self, self->statics_matrix, i)[j] - mu * band_row(self, self->statics_mass, i)[j];
  return i == j ? value + added(self, i, mu) : value;
}

static void row(const void *matrix, double mu, int i, int from, int to, double *out) {
  for (int j = from; j < to; j++)
    out[j - from] = entry(matrix, i, j, mu);
}

/* Each force has one negative eigenvalue of its own, with and without constraints. The first block is an element with
   both its nodes, the others have the node before them in the block before. */
static int negative(wy_system *system, double mu, int *count) {
  wy_mixed *self = (wy_mixed *)system;
  double dragged;
  const int cell = wy_mixed_cell(self->basis.order, WY_FORM_ALL);
  wy_mixed_fluid_power(self, &dragged);
  if (self->has_follower || dragged > 0 || (self->contact.found && self->contact.rubs))
    return WY_NO_POTENTIAL;
  if (wy_inertia_count(row, self, mu, self->wide.n, cell + WY_NODE_UNKNOWNS, cell, count))
    return WY_RETRY;
  *count -= 3 * self->basis.order * self->elements;
  return WY_OK;
}

static int directions(const wy_system *system) {
  const wy_mixed *self = (const wy_mixed *)system;
  int held = wy_support_held(&self->supports);
  for (int i = 0; i < 2 * WY_NODE_UNKNOWNS; i++)
    held += wy_mixed_is_joined(self, i / WY_NODE_UNKNOWNS, i % WY_NODE_UNKNOWNS);
  return 6 * self->nodes - self->constrained * self->basis.order * self->elements - held;
}

/* ---- Displacements ---- */

static void displace(wy_system *system, const double *from, const double *d, double factor, double *to) {
  wy_mixed *self = (wy_mixed *)system;
  self->task.form = WY_FORM_ALL; /* the order of the degrees of freedom */
  if (to != from)
    memcpy(to, from, (size_t)system->config_size * sizeof *to);
  for (int e = 0; e < self->elements; e++) {
    for (int a = e == 0 ? 0 : 1; a < self->basis.nodes; a++) {
      double *q = to + self->q + WY_NODE * wy_mixed_node(self, e, a), theta[3];
      const double *change = d + wy_mixed_unknown(self, e, a);
      for (int x = 0; x < 3; x++) {
        q[x] += factor * change[x];
        theta[x] = factor * change[3 + x];
      }
      wy_mixed_turn(theta, q, q);
      wy_mixed_straighten(q);
    }
    for (int i = 0; i < 3 * self->basis.order; i++)
      to[wy_mixed_kept_force(self, e, i)] += factor * d[wy_mixed_unknown(self, e, 0) + WY_NODE_UNKNOWNS + i];
  }
}

static void mass_times(wy_system *system, const double *d, double *out) {
  wy_mixed *self = (wy_mixed *)system;
  for (int i = 0; i < self->wide.n; i++) {
    const double *row = band_row(self, self->statics_mass, i);
    int from = i > self->wide.kl ? i - self->wide.kl : 0, to = i + self->wide.kl;
    double sum = 0;
    for (int j = from; j <= to && j < self->wide.n; j++)
      sum += row[j] * d[j];
    out[i] = sum;
  }
}

/* Damping of the strain rates that the rates d give at the last tangent's configuration, and drag. */
static double dissipation(wy_system *system, const double *d) {
  wy_mixed *self = (wy_mixed *)system;
  const int order = wy_mixed_order(self);
  double power = 0;
  self->task.form = WY_FORM_ALL;
  for (int e = 0; e < self->elements; e++) {
    double rate_of_strain[WY_STRESSES] = {0};
    for (int a = 0; a < self->basis.nodes; a++) {
      int node = WY_NODE * wy_mixed_node(self, e, a);
      const double *rate = d + wy_mixed_unknown(self, e, a);
      wy_copy3(rate, self->velocity + node);
      for (int i = 3; i < WY_NODE; i += 3)
        wy_cross3(rate + 3, self->end + node + i, self->velocity + node + i);
    }
    power += wy_mixed_mass_product(self, e, self->drag, self->velocity);
    power += wy_mixed_fluid_damping(self, e, self->velocity);
    wy_mixed_strain_rates(self, e, self->end, self->velocity, rate_of_strain);
    for (int i = self->constrained; i < 6; i++) /* which is 0 without damping */
      power += wy_sym_product(order, &self->element[e].damping[i], rate_of_strain + i, 6);
  }
  return power;
}

/* An equilibrium brings its reactions and multipliers along; its forces N are in the configuration. */
static void relax(wy_system *system, double t, double *u) {
  wy_mixed *self = (wy_mixed *)system;
  wy_mixed_rest(self, t, u);
  wy_mixed_balance(self, NULL);
  wy_mixed_multipliers(self, u + self->multiplier);
  for (int e = 0; self->damped && e < self->elements; e++)
    wy_mixed_stresses(self, e, u + self->middle_stress + (size_t)e * WY_STRESSES);
  for (int end = 0; end < 2; end++)
    wy_mixed_project(u + self->q + WY_NODE * wy_mixed_end_node(self, end), self->support + WY_NODE * end,
                     u + self->reaction + WY_NODE_UNKNOWNS * end);
  u[self->stepped] = 1;
}

static void show(wy_system *system, int part, const double *d, double *translation, double *rotation) {
  (void)part;
  wy_mixed *self = (wy_mixed *)system;
  self->task.form = WY_FORM_ALL;
  for (int e = 0; e < self->elements; e++)
    for (int a = e == 0 ? 0 : 1; a < self->basis.nodes; a++) {
      int node = wy_mixed_node(self, e, a), first = wy_mixed_unknown(self, e, a);
      const double *q = self->end + WY_NODE * node;
      double theta[3];
      for (int x = 0; x < 3; x++) {
        translation[3 * node + x] = is_still(self, first + x) ? 0 : d[first + x];
        theta[x] = is_still(self, first + 3 + x) ? 0 : d[first + 3 + x];
      }
      for (int x = 0; x < 3; x++)
        rotation[3 * node + x] = wy_dot3(q + 3 + 3 * x, theta);
    }
}

const wy_statics_type wy_mixed_statics = {.apply = apply,
                                          .undeformed = undeformed,
                                          .residual = residual,
                                          .tangent = tangent,
                                          .factor = factor,
                                          .solve = solve,
                                          .sign = sign,
                                          .negative = negative,
                                          .directions = directions,
                                          .displace = displace,
                                          .mass_times = mass_times,
                                          .dissipation = dissipation,
                                          .show = show,
                                          .relax = relax};
