/* SPDX-License-Identifier: MIT */
/* Equilibria of the box scheme (B13)-(B15). A configuration is a state at rest, followed by the mean space force of
   every cell. Freedoms are translations and body rotations of nodes and these forces, 9 a node in the order x_0,
   theta_0, F_0, x_1,
   ...; curvatures and section forces of a cell follow from them (statics_cell.c). Rows are the balances of nodes, what
   two cells have to agree about, and the gaps of cells.

   The tangent is not quite symmetric. Newton's method has it as it is; whatever is asked with a shift, and the count of
   unstable directions, is about its symmetric part (B14). */
#include "scheme/box/statics.h"

#include <math.h>
#include <string.h>

#include "linalg/inertia.h"

enum { STEP = WY_BOX_REST, TURN = WY_BOX_REST_TURN, FORCE = WY_BOX_REST_FORCE, HALF = WY_BOX_REST_BAND };

struct wy_box_statics {
  double *weight;         /* [degrees of freedom] */
  double *tangent, *mass; /* K without what is added, and M, in rows as of the band */
  wy_band band;           /* K - mu M, factored */
  wy_band exact;          /* for the sign of its determinant, without changing it */
  wy_m3 *spin, *turning; /* [cells] at the last tangent's configuration: the rotation of the middle by the mean of those
                            of the ends, and how these change the turn */
  wy_box_loads loads;    /* of the last residual or tangent */
  double hold[2];        /* stiffness of supports in the rows of held components: scaling only */
  double foundation[2];  /* of rotations, and compliance of a straight rod between held ends */
  double slack;          /* compliance of a rod that was straight between held ends, while these move */
  bool starts_taut, straight;
};

static int dofs_of(const wy_box *self) {
  return STEP * self->cells + FORCE;
}

static size_t band_entries(const wy_box *self) {
  return (size_t)dofs_of(self) * (2 * HALF + 1);
}

/* So that row[column] is the entry in this column. */
static double *row_of(double *rows, int i) {
  return rows + (size_t)i * (2 * HALF + 1) + HALF - i;
}

static wy_v3 position_of(const wy_box *self, const double *config, int node) {
  return wy_at3(config + self->position + 3 * (size_t)node);
}

/* ---- Memory ---- */

void wy_box_config_size(const wy_box *self, int *config_size, int *dofs) {
  *config_size = self->base.size + 3 * self->cells;
  *dofs = dofs_of(self);
}

void wy_box_lay_out_statics(wy_box *self, wy_arena *arena) {
  struct wy_box_statics counting = {0}, *statics = wy_arena_take(arena, sizeof *statics);
  const size_t cells = (size_t)self->cells;
  self->statics = statics;
  if (!statics)
    statics = &counting;
  wy_box_config_size(self, &self->base.config_size, &self->base.dofs);
  statics->weight = wy_arena_doubles(arena, (size_t)dofs_of(self));
  statics->tangent = wy_arena_doubles(arena, band_entries(self));
  statics->mass = wy_arena_doubles(arena, band_entries(self));
  statics->spin = wy_arena_take(arena, cells * sizeof *statics->spin);
  statics->turning = wy_arena_take(arena, cells * sizeof *statics->turning);
  statics->loads.cell = wy_arena_take(arena, cells * sizeof *statics->loads.cell);
  wy_band_layout(&statics->band, arena, dofs_of(self), HALF, HALF);
  wy_band_layout(&statics->exact, arena, dofs_of(self), HALF, HALF);
  self->base.dof_weight = statics->weight;
}

void wy_box_prepare_statics(wy_box *self) {
  struct wy_box_statics *statics = self->statics;
  const double length = self->rod->length, h = length / self->cells, bending = self->scales.moment * length;
  statics->hold[0] = bending / (h * h * h);
  statics->hold[1] = bending / h;
  statics->foundation[0] = 1e-9 * self->node[self->cells / 2].stiffness[5] / (length * self->cells);
  statics->foundation[1] = 1e-12 * length / (self->scales.force * self->cells);
  for (int i = 0; i < dofs_of(self); i++) {
    const int part = i % STEP;
    statics->weight[i] = part < TURN ? 1 / length : part < FORCE ? 1 : statics->foundation[1] / self->length[i / STEP];
  }
}

/* ---- Loads and ends ---- */

/* A rod that is straight between held ends has no way to begin to move: while its ends come closer it is a little
   extensible, less and less so until they have arrived. */
static void apply(wy_system *system, bool rest, double loads, double ends) {
  wy_box *self = (wy_box *)system;
  struct wy_box_statics *statics = self->statics;
  self->supports.rest = rest;
  self->supports.factor = rest ? ends : 1;
  self->load_factor = rest ? loads : 1;
  if (system->contacts)
    wy_contacts_rest(system->contacts, rest, ends);
  statics->slack = rest && statics->starts_taut ? 1e-4 * (1 - ends) * (1 - ends) / self->scales.force : 0;
}

static void undeformed(wy_system *system, double *config) {
  wy_box *self = (wy_box *)system;
  memset(config, 0, (size_t)system->config_size * sizeof *config);
  wy_box_undeformed(self, config);
  self->statics->starts_taut = wy_box_is_taut(self, config);
  apply(system, self->supports.rest, self->load_factor, self->supports.factor);
}

static bool is_held(const wy_box *self, int dof) {
  const int last = STEP * self->cells;
  return dof >= last ? wy_box_holds(self, 1, dof - last) : dof < FORCE && wy_box_holds(self, 0, dof);
}

/* Space forces and gravity have an energy; moments, and forces that follow the rod, have none. */
static bool has_potential(const wy_box *self) {
  bool potential = true;
  for (int i = 0; i < wy_model_rod_load_count(self->base.model, self->base.rod); i++) {
    const wy_load_def *load = wy_model_rod_load(self->base.model, self->base.rod, i);
    const wy_load_override *override = &self->base.load_overrides[i];
    potential = potential && !wy_load_has(load, override, true) &&
                (load->axes != WY_BODY_AXES || !wy_load_has(load, override, false));
  }
  return potential;
}

/* Does friction act? */
static bool rubs(const wy_box *self) {
  return self->contact.found && self->contact.rubs;
}

/* ---- Balance ---- */

/* Those of obstacles are loads on cells like others. */
static void update_loads(wy_box *self, double t, const double *config) {
  wy_box_update_loads(self, t, &self->statics->loads);
  if (!self->base.contacts)
    return;
  wy_box_contact_at_rest(self, t, config);
  if (self->contact.found)
    wy_box_load_contact(self, self->contact.push, &self->statics->loads);
}

static void add3(double *to, double factor, wy_v3 v) {
  to[0] += factor * v.x, to[1] += factor * v.y, to[2] += factor * v.z;
}

/* Loads of an end; in rows of held components how far it is from its support. */
static void add_end(const wy_box *self, int end, double t, const double *config, double *r) {
  const struct wy_box_statics *statics = self->statics;
  const int node = wy_box_end_node(self, end);
  const wy_box_load *load = &statics->loads.end[end];
  const wy_m3 frame = wy_box_frame(self, config, node);
  double *row = r + STEP * node, missing[FORCE];
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  add3(row, 1, wy_plus(load->space_force, wy_apply(frame, load->body_force)));
  add3(row + TURN, 1, wy_plus(wy_apply_transposed(frame, load->space_moment), load->body_moment));
  wy_box_way_to_support(self, config, end, &pose, missing);
  for (int part = 0; part < FORCE; part++)
    if (wy_box_holds(self, end, part))
      row[part] = statics->hold[part < TURN ? 0 : 1] * missing[part];
}

static int residual(wy_system *system, double t, const double *config, double *r) {
  wy_box *self = (wy_box *)system;
  struct wy_box_statics *statics = self->statics;
  memset(r, 0, (size_t)system->dofs * sizeof *r);
  update_loads(self, t, config);
  for (int cell = 0; cell < self->cells; cell++) {
    wy_box_rest given;
    wy_box_inner inner;
    double *a = r + STEP * cell, *b = a + STEP;
    wy_box_rest_at(self, cell, &statics->loads, config, &given);
    if (wy_box_rest_solve(self, &given, &inner))
      return WY_RETRY;
    add3(a, 1, wy_apply(given.frame[0], inner.n[0]));
    add3(b, -1, wy_apply(given.frame[1], inner.n[1]));
    add3(a + TURN, 1, inner.m[0]);
    add3(b + TURN, -1, inner.m[1]);
    const wy_v3 chord = wy_apply(given.middle, wy_times(given.h, given.s3));
    const wy_v3 between = wy_minus(position_of(self, config, cell + 1), position_of(self, config, cell));
    add3(a + FORCE, 1, wy_minus(wy_plus(chord, wy_times(statics->slack * given.h, given.force)), between));
  }
  for (int end = 0; end < 2; end++)
    add_end(self, end, t, config, r);
  return WY_OK;
}

/* ---- Tangent and masses ---- */

static void add_block(double *rows, int row, int column, double factor, wy_m3 m) {
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  for (int c = 0; c < 3; c++) {
    row_of(rows, row)[column + c] += factor * columns[c].x;
    row_of(rows, row + 1)[column + c] += factor * columns[c].y;
    row_of(rows, row + 2)[column + c] += factor * columns[c].z;
  }
}

/* What turns with the frame of an end, and rows of held components. */
static void add_end_tangent(const wy_box *self, int end, double t, const double *config) {
  const struct wy_box_statics *statics = self->statics;
  const int node = wy_box_end_node(self, end), at = STEP * node, last = dofs_of(self) - 1;
  const wy_box_load *load = &statics->loads.end[end];
  const wy_m3 frame = wy_box_frame(self, config, node);
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  add_block(statics->tangent, at, at + TURN, 1, wy_mproduct(frame, wy_skew(load->body_force)));
  add_block(statics->tangent, at + TURN, at + TURN, -1, wy_skew(wy_apply_transposed(frame, load->space_moment)));
  for (int part = 0; part < FORCE; part++)
    if (wy_box_holds(self, end, part))
      for (int i = at + part - HALF; i <= at + part + HALF; i++)
        if (i >= 0 && i <= last)
          row_of(statics->tangent, at + part)[i] = i == at + part && part < TURN ? statics->hold[0] : 0;
  if (!wy_box_holds(self, end, TURN))
    return;
  double way[WY_BOX_END];
  wy_box_way_to_support(self, config, end, &pose, way);
  const wy_box_turn turn = wy_box_turn_of(wy_at3(way + TURN));
  add_block(statics->tangent, at + TURN, at + TURN, statics->hold[1], wy_mtransposed(wy_box_rest_step(&turn)));
}

/* The mean of accelerations of both ends of a cell has the mass of the cell; of rotations as in (B3). */
static void add_cell_mass(const wy_box *self, int cell) {
  const struct wy_box_statics *statics = self->statics;
  const wy_box_node *node = &self->node[cell];
  const int a = STEP * cell;
  const double quarter = 0.25 * self->length[cell], mass = 0.5 * quarter * (node[0].mass + node[1].mass);
  const wy_v3 rotary = wy_times(0.5 * quarter, wy_plus(node[0].rotary, node[1].rotary));
  const wy_m3 spin = statics->spin[cell], turn = wy_mproduct(wy_mtransposed(spin), wy_scale_rows(rotary, spin));
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      add_block(statics->mass, a + STEP * i, a + STEP * j, 1, wy_diagonal(mass));
      add_block(statics->mass, a + STEP * i + TURN, a + STEP * j + TURN, 1, turn);
    }
}

static void drop_held_masses(const wy_box *self) {
  const int n = dofs_of(self);
  for (int i = 0; i < n; i++)
    for (int j = i < HALF ? 0 : i - HALF; j <= i + HALF && j < n; j++)
      if (is_held(self, i) || is_held(self, j))
        row_of(self->statics->mass, i)[j] = 0;
}

static int tangent(wy_system *system, double t, const double *config) {
  wy_box *self = (wy_box *)system;
  struct wy_box_statics *statics = self->statics;
  memset(statics->tangent, 0, band_entries(self) * sizeof(double));
  memset(statics->mass, 0, band_entries(self) * sizeof(double));
  update_loads(self, t, config);
  statics->straight = wy_box_is_taut(self, config);
  for (int cell = 0; cell < self->cells; cell++) {
    wy_box_rest given;
    wy_box_inner inner;
    wy_box_push_slopes slopes;
    double k[WY_BOX_REST_CELL][WY_BOX_REST_CELL];
    const bool pushed = self->contact.found && wy_box_contact_slopes(self, cell, &slopes);
    wy_box_rest_at(self, cell, &statics->loads, config, &given);
    if (wy_box_rest_solve(self, &given, &inner) ||
        wy_box_rest_tangent(self, &given, &inner, pushed ? &slopes : NULL, k))
      return WY_RETRY;
    for (int i = 0; i < WY_BOX_REST_CELL; i++)
      for (int j = 0; j < WY_BOX_REST_CELL; j++)
        row_of(statics->tangent, STEP * cell + i)[STEP * cell + j] += k[i][j];
    add_block(statics->tangent, STEP * cell + FORCE, STEP * cell + FORCE, -1, wy_diagonal(statics->slack * given.h));
    statics->spin[cell] = self->options.transport ? wy_box_c(&given.turn) : wy_diagonal(1);
    statics->turning[cell] = wy_box_rest_step(&given.turn);
    add_cell_mass(self, cell);
  }
  for (int end = 0; end < 2; end++)
    add_end_tangent(self, end, t, config);
  drop_held_masses(self);
  return WY_OK;
}

/* ---- K - mu M ---- */

/* Added to the diagonal of K. A weak compliance where the tension of a straight rod between held ends would not be
   determined; an equilibrium is not changed by it, since its residual is zero. Without a shift a weak foundation of
   rotations: a rod between two pins may spin about its axis. */
static double added(const wy_box *self, int dof, double mu) {
  const int part = dof % STEP;
  if (part >= FORCE)
    return self->statics->straight ? -self->statics->foundation[1] : 0;
  return mu == 0 && part >= TURN && !is_held(self, dof) ? self->statics->foundation[0] : 0;
}

/* Supports that move the rod are felt, and feel nothing. */
static int factor_band(const wy_box *self, double mu, bool symmetric, wy_band *band) {
  const struct wy_box_statics *statics = self->statics;
  const int n = dofs_of(self);
  for (int i = 0; i < n; i++) {
    const double *k = row_of(statics->tangent, i), *m = row_of(statics->mass, i);
    double *row = row_of(band->rows, i);
    for (int j = i < HALF ? 0 : i - HALF; j <= i + HALF && j < n; j++) {
      const bool mixed = symmetric && !is_held(self, i) && !is_held(self, j);
      row[j] = (mixed ? 0.5 * (k[j] + row_of(statics->tangent, j)[i]) : k[j]) - mu * m[j];
    }
    row[i] += added(self, i, mu);
  }
  return wy_band_factor(band) ? WY_RETRY : WY_OK;
}

/* Friction has no symmetric part to speak of. */
static int factor(wy_system *system, double mu) {
  wy_box *self = (wy_box *)system;
  return factor_band(self, mu, mu != 0 && !rubs(self), &self->statics->band);
}

static void solve(wy_system *system, double *b) {
  wy_band_solve(&((wy_box *)system)->statics->band, b);
}

/* Without that of the forces, each of which has a negative eigenvalue of its own. */
static int determinant_sign(const wy_box *self, const wy_band *band) {
  return self->cells % 2 ? -wy_band_sign(band) : wy_band_sign(band);
}

static int sign(wy_system *system) {
  const wy_box *self = (const wy_box *)system;
  return determinant_sign(self, &self->statics->band);
}

/* K(i, j) - mu M without what couples held components to the rest; its symmetric part is taken. */
static inline double entry(const void *matrix, int i, int j, double mu) {
  const wy_box *self = matrix;
  const int far = i > j ? i - j : j - i;
  if (far > HALF || (i != j && (is_held(self, i) || is_held(self, j))))
    return 0;
  const double value = row_of(self->statics->tangent, i)[j] - mu * row_of(self->statics->mass, i)[j];
  return i == j ? value + added(self, i, mu) : value;
}

static void row(const void *matrix, double mu, int i, int from, int to, double *out) {
  for (int j = from; j < to; j++)
    out[j - from] = entry(matrix, i, j, mu);
}

/* Each force has one negative eigenvalue of its own. The first block is a cell with both its nodes, the others have the
   node before them in the block before. The lowest eigenvalues of K lie above those of its symmetric part by terms of
   order h^4: where these have another sign the determinant knows (B14). */
static int negative(wy_system *system, double mu, int *count) {
  const wy_box *self = (const wy_box *)system;
  if (!has_potential(self) || rubs(self))
    return WY_NO_POTENTIAL;
  if (wy_inertia_count(row, self, mu, dofs_of(self), WY_BOX_REST_CELL, STEP, count))
    return WY_RETRY;
  *count -= 3 * self->cells;
  if (*count <= 0)
    return WY_OK;
  if (factor_band(self, mu, false, &self->statics->exact))
    return WY_RETRY;
  const bool odd = determinant_sign(self, &self->statics->exact) < 0;
  *count -= (*count % 2 == 1) != odd;
  return WY_OK;
}

static int directions(const wy_system *system) {
  const wy_box *self = (const wy_box *)system;
  return 6 * self->nodes - 3 * self->cells - wy_support_held(&self->supports);
}

static void mass_times(wy_system *system, const double *d, double *out) {
  const wy_box *self = (const wy_box *)system;
  const int n = dofs_of(self);
  for (int i = 0; i < n; i++) {
    const double *row = row_of(self->statics->mass, i);
    double sum = 0;
    for (int j = i < HALF ? 0 : i - HALF; j <= i + HALF && j < n; j++)
      sum += row[j] * d[j];
    out[i] = sum;
  }
}

/* ---- Displacements ---- */

/* Curvatures and section forces of nodes, which two cells agree about in an equilibrium. */
static void keep_inner(const wy_box *self, double *config) {
  for (int cell = 0; cell < self->cells; cell++) {
    wy_box_rest given;
    wy_box_inner inner;
    wy_box_rest_at(self, cell, &self->statics->loads, config, &given);
    if (wy_box_rest_solve(self, &given, &inner))
      continue;
    for (int i = 0; i < 2; i++) {
      const int node = cell + i;
      const bool second = i == 0 && cell > 0;
      double *kappa = config + self->motion + WY_BOX_MOTION * (size_t)node + WY_BOX_KAPPA;
      double *n = config + self->force + 3 * (size_t)node;
      wy_put3(kappa, second ? wy_times(0.5, wy_plus(wy_at3(kappa), inner.kappa[i])) : inner.kappa[i]);
      wy_put3(n, second ? wy_times(0.5, wy_plus(wy_at3(n), inner.n[i])) : inner.n[i]);
    }
  }
}

static void displace(wy_system *system, const double *from, const double *d, double share, double *to) {
  const wy_box *self = (const wy_box *)system;
  if (to != from)
    memcpy(to, from, (size_t)system->config_size * sizeof *to);
  for (int i = 0; i < self->nodes; i++) {
    const double *change = d + (size_t)STEP * (size_t)i;
    double *q = to + self->frame + 4 * (size_t)i, theta[3], step[4], turned[4];
    wy_put3(theta, wy_times(share, wy_at3(change + TURN)));
    wy_qexp(theta, step);
    wy_qmul(q, step, turned);
    wy_qnormalise(turned);
    memcpy(q, turned, sizeof turned);
    add3(to + self->position + 3 * (size_t)i, share, wy_at3(change));
    if (i < self->cells)
      add3(to + system->size + 3 * (size_t)i, share, wy_at3(change + FORCE));
  }
  wy_box_touch_here(self, to);
  keep_inner(self, to);
}

/* An equilibrium as steps would have led there: frames and places are those of its curvatures. */
static void relax(wy_system *system, double t, double *u) {
  const wy_box *self = (const wy_box *)system;
  wy_box_reset_base(self);
  wy_box_place_base(self, t, u);
  wy_box_rebuild(self, u);
  wy_box_touch_here(self, u);
  memcpy(u + self->carried, u + self->position, 3 * (size_t)self->nodes * sizeof *u);
}

/* Damping of the rates of curvature that the rates d give at the last tangent's configuration, and drag. */
static double dissipation(wy_system *system, const double *d) {
  const wy_box *self = (const wy_box *)system;
  const struct wy_box_statics *statics = self->statics;
  double power = 0;
  for (int cell = 0; cell < self->cells; cell++) {
    const wy_box_node *node = &self->node[cell];
    const double *a = d + (size_t)STEP * (size_t)cell, *b = a + STEP, h = self->length[cell];
    const wy_v3 theta_a = wy_at3(a + TURN), theta_b = wy_at3(b + TURN);
    const wy_v3 turn =
        wy_minus(wy_apply(statics->turning[cell], theta_b), wy_apply_transposed(statics->turning[cell], theta_a));
    const wy_v3 damping = wy_times(0.5 / h, wy_plus(node[0].damping, node[1].damping));
    const wy_v3 v = wy_times(0.5, wy_plus(wy_at3(a), wy_at3(b)));
    const wy_v3 spin = wy_apply(statics->spin[cell], wy_times(0.5, wy_plus(theta_a, theta_b)));
    const wy_v3 rotary = wy_times(0.5 * h * self->drag[1], wy_plus(node[0].rotary, node[1].rotary));
    power += wy_inner(turn, wy_each(damping, turn)) + wy_inner(spin, wy_each(rotary, spin)) +
             0.5 * h * self->drag[0] * (node[0].mass + node[1].mass) * wy_inner(v, v);
  }
  return power;
}

static void show(wy_system *system, int part, const double *d, double *translation, double *rotation) {
  (void)part;
  const wy_box *self = (const wy_box *)system;
  for (int i = 0; i < self->nodes; i++)
    for (int x = 0; x < 3; x++) {
      const int dof = STEP * i + x;
      translation[3 * i + x] = is_held(self, dof) ? 0 : d[dof];
      rotation[3 * i + x] = is_held(self, dof + TURN) ? 0 : d[dof + TURN];
    }
}

const wy_statics_type wy_box_statics_type = {.apply = apply,
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
