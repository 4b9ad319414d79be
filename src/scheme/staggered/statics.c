/* SPDX-License-Identifier: MIT */
/* Equilibria of the staggered rod: what is out of balance, its tangent, and how a configuration is displaced. A
   configuration is the state at rest followed by the section forces (directors, [3][stride]); degrees of freedom are
   those of saddle.c: (dx, theta, dF) a segment. docs/theory/statics.md, (T1)-(T6). */
#include <math.h>
#include <string.h>

#include "linalg/inertia.h"
#include "math/quat.h"
#include "model/law.h"
#include "scheme/staggered/saddle.h"

enum { CELL = WY_SADDLE_CELL, TURN = WY_SADDLE_TURN, FORCE = WY_SADDLE_FORCE };

static int order_of(const wy_staggered *self) {
  return CELL * self->grid.n + 3;
}

static const double *forces_of(const wy_staggered *self, const double *config) {
  return config + self->base.size;
}

/* A straight inextensible rod between held ends has no way to begin to move: while its ends come closer it is a little
   extensible, less and less so until they have arrived. */
static void apply(wy_system *system, bool rest, double loads, double ends) {
  wy_staggered *self = (wy_staggered *)system;
  bool changed = self->supports.rest != rest || self->loads.factor != (rest ? loads : 1);
  self->supports.rest = rest;
  self->loads.factor = rest ? loads : 1;
  self->supports.factor = rest ? ends : 1;
  self->rest.slack = rest && self->rest.starts_taut ? 1e-4 * (1 - ends) * (1 - ends) / self->rest.rod_stiffness : 0;
  if (changed)
    wy_staggered_refresh_loads(self);
  if (changed && self->branches.count)
    wy_staggered_branch_rest(self, rest);
  if (system->contacts)
    wy_contacts_rest(system->contacts, rest, ends);
}

static void undeformed(wy_system *system, double *config) {
  wy_staggered *self = (wy_staggered *)system;
  memset(config, 0, (size_t)system->config_size * sizeof *config);
  wy_staggered_reference(self, config);
  self->rest.starts_taut = wy_staggered_is_taut(self, config, 1 - 1e-6);
  apply(system, self->supports.rest, self->loads.factor, self->supports.factor);
}

/* ---- Balance ---- */

/* A straight inextensible rod between held ends cannot carry a load across. Newton's method would let its tension grow
   until the sag is too small to be seen: more than so many times the load means that there is no equilibrium. */
static const double endless = 1e4;

static bool pulled_without_end(const wy_staggered *self, const double *config) {
  const int n = self->grid.stride;
  double load = 0, largest = 0;
  if (!wy_staggered_is_taut(self, config, 1 - 1e-6))
    return false;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i <= self->grid.n; i++) {
      load += fabs(self->loads.total[k * n + i]);
      largest = fmax(largest, i < self->grid.n ? fabs(forces_of(self, config)[k * n + i]) : 0);
    }
  return load > 0 && largest > endless * load;
}

/* The strain that a section force causes (L2). */
static double strain_of_force(const wy_staggered *self, const double *force, int i, int k) {
  const int at = k * self->grid.stride + i;
  double compliance;
  if (k < self->grid.constrained)
    return self->rest.slack * force[at];
  return k < 2 ? force[at] / self->stiffness.c_gamma[at]
               : wy_law_extension(&self->grid.rod->law, self->stiffness.c_gamma[at], force[at], &compliance);
}

/* Section forces and loads on vertices, torques on segments, strains that do not fit their forces (T1)-(T3). */
static int residual(wy_system *system, double t, const double *config, double *r) {
  wy_staggered *self = (wy_staggered *)system;
  assert(r != config);
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  config = wy_staggered_seat(self, config, true);
  const double *force = forces_of(self, config), *x = config + self->grid.x;
  wy_staggered_evaluate_rest(self, t, config, force);
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      double before = i > 0 ? self->eval.section_force[k * hs + i - 1] : 0;
      double after = i < self->grid.n ? self->eval.section_force[k * hs + i] : 0;
      r[CELL * i + k] = after - before + self->loads.total[k * n + i];
    }
  for (int i = 0; i < self->grid.n; i++) {
    wy_m3 rotation = wy_rotation(wy_load4(self->eval.unit, hs, i));
    wy_v3 gap = wy_apply_transposed(rotation, wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)));
    if (self->grid.gamma_zero)
      gap = wy_minus(gap, wy_times(self->grid.h[i], wy_load3(self->grid.gamma_zero, n, i)));
    const double strain[3] = {gap.x, gap.y, gap.z - self->grid.h[i]};
    for (int k = 0; k < 3; k++) {
      r[CELL * i + TURN + k] = self->eval.segment_torque[k * hs + i] + self->eval.torque_plus[k * hs + i] +
                               self->eval.torque_minus[k * hs + i + 1] + self->loads.now.torque[k * n + i];
      r[CELL * i + FORCE + k] = self->grid.h[i] * strain_of_force(self, force, i, k) - strain[k];
    }
  }
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++) {
      int vertex = end ? self->grid.n : 0;
      if (wy_is_held(self, end, k))
        r[CELL * vertex + k] = self->rest.hold_stiffness * (self->eval.pose[end].x[k] - x[k * n + vertex]);
    }
  self->links.taut = pulled_without_end(self, config);
  return self->links.taut ? WY_RETRY : WY_OK;
}

static int tangent(wy_system *system, double t, const double *config) {
  wy_staggered *self = (wy_staggered *)system;
  assert(self->rest.dof_weight && self->links.tangent); /* equilibria were asked for at creation */
  const int n = self->grid.stride;
  config = wy_staggered_seat(self, config, true);
  const double *x = config + self->grid.x;
  wy_staggered_evaluate_rest(self, t, config, forces_of(self, config));
  self->rest.straight = wy_staggered_is_straight(self, config, 1 - 1e-6);
  for (int k = 0; k < 4; k++)
    memcpy(self->linear.p + k * n, self->eval.unit + k * self->grid.halo_stride, (size_t)self->grid.n * sizeof(double));
  for (int i = 0; i < self->grid.n; i++) { /* kept for `dissipation` */
    wy_v3 dx = wy_times(self->grid.inv_h[i], wy_minus(wy_load3(x, n, i + 1), wy_load3(x, n, i)));
    wy_m3 r = wy_rotation(wy_load4(self->eval.unit, self->grid.halo_stride, i));
    wy_store3(self->links.tangent, n, i, wy_apply_transposed(r, dx));
  }
  wy_staggered_clear_section_blocks(self, config);
  wy_staggered_torque_blocks(self);
  wy_staggered_linearise(self, &wy_saddle_form, config, NULL);
  for (int i = 0; i < order_of(self); i++)
    self->rest.diagonal[i] = wy_band_row(&self->rest.band, i)[self->linear.saddle.half];
  if (!self->fluid.adds)
    return WY_OK;
  wy_staggered_added_keep(self);
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 9; k++)
      self->fluid.rest_block[9 * i + k] =
          wy_band_row(&self->rest.band, CELL * i + k / 3)[self->linear.saddle.half + k % 3 - k / 3];
  return WY_OK;
}

/* ---- K - mu M ---- */

static bool is_held(const wy_staggered *self, int dof) {
  if (dof >= 3 && dof < CELL * self->grid.n) /* between the ends */
    return false;
  int vertex = dof / CELL, k = dof % CELL, end = vertex == 0 ? 0 : vertex == self->grid.n ? 1 : -1;
  return end >= 0 && k < 3 && wy_is_held(self, end, k);
}

/* The mass of a degree of freedom; 0 for forces and held components. */
static double mass_of(const wy_staggered *self, int dof) {
  int i = dof / CELL, part = dof % CELL;
  if (part < TURN)
    return is_held(self, dof) ? 0 : self->grid.mass[i];
  return part < FORCE ? self->grid.inertia[(part - TURN) * self->grid.stride + i] : 0;
}

/* What is added to the diagonal of K: the shift, and a weak compliance of constrained strains, without which the
   tension of a straight inextensible rod between held ends would not be determined. An equilibrium is not changed by
   it, since its residual is zero; freedom_weight turns what such a force is corrected by into the strain that is not
   met. A rod between two hubs is such a rod while it is eliminated, though its hubs may give way (N9). Without a shift
   rotations have a weak foundation too: a rod between two pins may spin about its axis. */
static double added(const wy_staggered *self, int dof, double mu) {
  int part = dof % CELL;
  double shift = mu != 0 ? -mu * mass_of(self, dof) : 0;
  if (part >= FORCE)
    return self->rest.straight && part - FORCE < self->grid.constrained ? -self->rest.foundation[1] : 0;
  return mu == 0 && part >= TURN ? self->rest.foundation[0] : shift;
}

/* K stands in the band itself, whose factorisation keeps it; only the diagonal changes with mu. */
static int factor(wy_system *system, double mu) {
  wy_staggered *self = (wy_staggered *)system;
  for (int i = 0; i < order_of(self); i++)
    wy_band_row(&self->rest.band, i)[self->linear.saddle.half] = self->rest.diagonal[i] + added(self, i, mu);
  for (int i = 0; self->fluid.adds && i <= self->grid.n; i++)
    for (int k = 0; k < 9; k++) {
      double *at = &wy_band_row(&self->rest.band, CELL * i + k / 3)[self->linear.saddle.half + k % 3 - k / 3];
      *at = (k % 4 ? self->fluid.rest_block[9 * i + k] : *at) - mu * self->fluid.rest_added[9 * i + k];
    }
  return wy_band_factor(&self->rest.band) ? WY_RETRY : WY_OK;
}

static void solve(wy_system *system, double *b) {
  wy_staggered *self = (wy_staggered *)system;
  wy_band_solve(&self->rest.band, b);
}

/* Without that of the forces, each of which has a negative eigenvalue of its own (T6). */
static int sign(wy_system *system) {
  wy_staggered *self = (wy_staggered *)system;
  return self->grid.n % 2 ? -wy_band_sign(&self->rest.band) : wy_band_sign(&self->rest.band);
}

/* Of row i of K - mu M, columns from `from` to before `to`, without what couples held components to the rest: their
   rows no longer do. Held components stand at the ends of the matrix. */
static void row(const void *matrix, double mu, int i, int from, int to, double *out) {
  const wy_staggered *self = matrix;
  const int half = self->linear.saddle.half, order = order_of(self);
  const double *kept = self->linear.saddle.statics + (size_t)i * (size_t)(2 * half + 1) + half - i; /* by columns */
  const bool held = is_held(self, i);
  const int first = i - half > from ? i - half : from, end = i + half + 1 < to ? i + half + 1 : to;
  memset(out, 0, (size_t)(to - from) * sizeof *out);
  if (!held)
    memcpy(out + (first - from), kept + first, (size_t)(end - first) * sizeof *out);
  out -= from;
  for (int j = from; j < TURN; j++)
    out[j] = is_held(self, j) ? 0 : out[j];
  for (int j = order - TURN > from ? order - TURN : from; j < to; j++)
    out[j] = is_held(self, j) ? 0 : out[j];
  out[i] = self->rest.diagonal[i] + added(self, i, mu);
  for (int k = 0; self->fluid.adds && i % CELL < TURN && k < TURN; k++) {
    const int j = i - i % CELL + k;
    if (i == j || !(held || is_held(self, j))) {
      const size_t at = 9 * (size_t)(i / CELL) + 3 * (size_t)(i % CELL) + (size_t)k;
      out[j] = (i == j ? out[j] : self->fluid.rest_block[at]) - mu * self->fluid.rest_added[at];
    }
  }
}

/* Moments, and forces that follow the rod, have no potential while they act; a load that is zero now does no harm. Nor
   has friction, whose size goes with the load. */
static bool has_potential(const wy_staggered *self) {
  const wy_load_arrays *now = &self->loads.now;
  const double *parts[] = {now->torque, now->space_moment, now->body_before, now->body_after, now->vertex_body_force};
  bool any = false;
  for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
    for (int i = 0; i < 3 * self->grid.stride; i++)
      any |= parts[part][i] != 0;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++) {
      const struct wy_end_moments *at = &now->ends[end];
      any = any || at->space[k] != 0 || at->body[k] != 0;
      any = any || (wy_is_port(self, end) && (at->support_space[k] != 0 || at->support_body[k] != 0));
    }
  const bool rubs = self->base.contacts && self->contact.found && self->contact.rubs;
  return !any && !rubs && !(self->fluid.drags && self->fluid.pushes);
}

/* Each segment has three forces and as many negative eigenvalues for them, with and without constraints (T6). The first
   block is (x_0, theta_0, F_0, x_1), the others (theta_i, F_i, x_i+1): forces always stand beside a vertex that they
   move. Tendons couple a segment with both of its neighbours' vertices: then two segments make a block. */
static int negative(wy_system *system, double mu, int *count) {
  wy_staggered *self = (wy_staggered *)system;
  if (!has_potential(self))
    return WY_NO_POTENTIAL;
  const int step = self->actuators.has_tendons ? 2 * CELL : CELL;
  if (wy_inertia_count(row, self, mu, order_of(self), step + TURN, step, count))
    return WY_RETRY;
  *count -= 3 * self->grid.n;
  return WY_OK;
}

/* Rotations are held beyond the last frames, by stiffness. */
static int directions(const wy_system *system) {
  const wy_staggered *self = (const wy_staggered *)system;
  int held = 0;
  for (int dof = 0; dof < order_of(self); dof++)
    held += is_held(self, dof);
  return 6 * self->grid.n + 3 - self->grid.constrained * self->grid.n - held;
}

/* ---- Displacements ---- */

static void displace(wy_system *system, const double *from, const double *d, double factor, double *to) {
  wy_staggered *self = (wy_staggered *)system;
  const int n = self->grid.stride;
  if (to != from)
    memcpy(to, from, (size_t)system->config_size * sizeof *to);
  double *force = to + system->size;
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++)
      to[self->grid.x + k * n + i] += factor * d[CELL * i + k];
  for (int i = 0; i < self->grid.n; i++) {
    double theta[3], step[4], p[4], turned[4];
    for (int k = 0; k < 3; k++) {
      theta[k] = factor * d[CELL * i + TURN + k];
      force[k * n + i] += factor * d[CELL * i + FORCE + k];
    }
    for (int k = 0; k < 4; k++)
      p[k] = to[self->grid.p + k * n + i];
    wy_qexp(theta, step);
    wy_qmul(p, step, turned);
    wy_qnormalise(turned);
    for (int k = 0; k < 4; k++)
      to[self->grid.p + k * n + i] = turned[k];
  }
  if (self->grid.stretches)
    wy_staggered_take_stretches(self, to);
}

static void mass_times(wy_system *system, const double *d, double *out) {
  wy_staggered *self = (wy_staggered *)system;
  for (int i = 0; i < order_of(self); i++)
    out[i] = mass_of(self, i) * d[i];
  for (int i = 0; self->fluid.adds && i <= self->grid.n; i++) {
    const wy_m3 more = wy_from_rows(self->fluid.rest_added + 9 * (size_t)i);
    wy_put3(out + CELL * i, wy_plus(wy_at3(out + CELL * i), wy_apply(more, wy_at3(d + CELL * i))));
  }
}

/* Strain rates of the velocities d at the last tangent's configuration; drag is in the band of rates. */
static double dissipation(wy_system *system, const double *d) {
  wy_staggered *self = (wy_staggered *)system;
  const int n = self->grid.stride, hs = self->grid.halo_stride;
  double power = 0;
  for (int k = 0; k < 4; k++) /* whatever has been evaluated since: the frames of the tangent */
    memcpy(self->eval.unit + k * hs, self->linear.p + k * n, (size_t)self->grid.n * sizeof(double));
  for (int i = 0; i < self->grid.n; i++)
    for (int k = 0; k < 3; k++)
      self->eval.omega[k * hs + i] = d[CELL * i + TURN + k];
  for (int end = 0; end < 2; end++) {
    if (wy_is_port(self, end))
      wy_staggered_find_pose(self, end, 0);
    wy_staggered_set_ghost(self, end);
  }
  if (self->ports.any)
    power += wy_staggered_port_drag_power(self);
  for (int i = 0; i <= self->grid.n; i++) {
    const double *v = d + CELL * i;
    power += self->grid.drag_translation * self->grid.mass[i] * wy_dot3(v, v);
    if (self->fluid.drags)
      power -= wy_inner(wy_at3(v), wy_apply(wy_from_rows(self->fluid.by_velocity + 9 * (size_t)i), wy_at3(v)));
    wy_v3 rate = wy_staggered_curvature_rate(self, i);
    const double rates[3] = {rate.x, rate.y, rate.z};
    double length = 2 / self->grid.twice_inv_l[i]; /* d_kappa carries weight / length */
    for (int k = 0; k < 3; k++)
      power += length * self->stiffness.d_kappa[k * n + i] * rates[k] * rates[k];
  }
  for (int i = 0; i < self->grid.n; i++) {
    wy_m3 r = wy_rotation(wy_load4(self->eval.unit, hs, i));
    const double *v = d + CELL * i, *next = v + CELL, *om = v + TURN;
    wy_v3 dv = {next[0] - v[0], next[1] - v[1], next[2] - v[2]};
    wy_v3 rate = wy_plus(wy_times(self->grid.inv_h[i], wy_apply_transposed(r, dv)),
                         wy_cross(wy_load3(self->links.tangent, n, i), (wy_v3){om[0], om[1], om[2]}));
    const double rates[3] = {rate.x, rate.y, rate.z};
    for (int k = 0; k < 3; k++)
      power += self->grid.h[i] * self->stiffness.d_gamma[k * n + i] * rates[k] * rates[k] +
               self->grid.drag_inertia[k * n + i] * om[k] * om[k];
  }
  return power;
}

static void show(wy_system *system, int part, const double *d, double *translation, double *rotation) {
  (void)part;
  wy_staggered *self = (wy_staggered *)system;
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++) {
      const bool still = is_held(self, CELL * i + k) && !wy_is_port(self, i == 0 ? WY_START : WY_END);
      translation[3 * i + k] = still ? 0 : d[CELL * i + k];
      if (i < self->grid.n)
        rotation[3 * i + k] = d[CELL * i + TURN + k];
    }
}

const wy_statics_type wy_staggered_statics = {.apply = apply,
                                              .undeformed = undeformed,
                                              .residual = residual,
                                              .tangent = tangent,
                                              .factor = factor,
                                              .solve = solve,
                                              .sign = sign,
                                              .negative = negative,
                                              .directions = directions,
                                              .displace = displace,
                                              .relax = wy_staggered_branch_relax,
                                              .mass_times = mass_times,
                                              .dissipation = dissipation,
                                              .show = show};
