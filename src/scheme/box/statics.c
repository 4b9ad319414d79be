/* Equilibria of the box scheme (B13)-(B15). A shape is a state at rest, followed by the mean space force of every cell.
   Freedoms are translations and body rotations of nodes and these forces, 9 a node in the order x_0, theta_0, F_0, x_1,
   ...; curvatures and section forces of a cell follow from them (statics_cell.c). Rows are the balances of nodes, what
   two cells have to agree about, and the gaps of cells.

   The tangent is not quite symmetric. Newton's method has it as it is; whatever is asked with a shift, and the count of
   unstable directions, is about its symmetric part (B14). */
#include "scheme/box/statics.h"

#include <math.h>
#include <string.h>

#include "linalg/inertia.h"

enum { STEP = WY_BOX_REST, TURN = WY_BOX_REST_TURN, FORCE = WY_BOX_REST_FORCE, HALF = WY_BOX_REST_BAND };

struct wy_box_shapes {
  double *weight;         /* [freedoms] */
  double *tangent, *mass; /* K without what is added, and M, in rows as of the band */
  wy_band band;           /* K - mu M, factored */
  wy_band exact;          /* for the sign of its determinant, without changing it */
  wy_m3 *spin, *turning;  /* [cells] at the last tangent's shape: the rotation of the middle by the mean of those of the
                             ends, and how these change the turn */
  wy_box_loads loads;     /* of the last residual or tangent */
  double hold[2];         /* stiffness of supports in the rows of held components: scaling only */
  double foundation[2];   /* of rotations, and compliance of a straight rod between held ends */
  double slack;           /* compliance of a rod that was straight between held ends, while these move */
  bool starts_taut, straight;
};

static int freedoms_of(const wy_box *self) {
  return STEP * self->cells + FORCE;
}

static size_t band_entries(const wy_box *self) {
  return (size_t)freedoms_of(self) * (2 * HALF + 1);
}

/* So that row[column] is the entry in this column. */
static double *row_of(double *rows, int i) {
  return rows + (size_t)i * (2 * HALF + 1) + HALF - i;
}

static wy_v3 position_of(const wy_box *self, const double *shape, int node) {
  return wy_at3(shape + self->position + 3 * (size_t)node);
}

/* ---- Memory ---- */

void wy_box_shape_size(const wy_box *self, int *shape_size, int *freedoms) {
  *shape_size = self->base.size + 3 * self->cells;
  *freedoms = freedoms_of(self);
}

void wy_box_lay_out_shapes(wy_box *self, wy_arena *arena) {
  struct wy_box_shapes counting = {0}, *shapes = wy_arena_take(arena, sizeof *shapes);
  const size_t cells = (size_t)self->cells;
  self->shapes = shapes;
  if (!shapes)
    shapes = &counting;
  wy_box_shape_size(self, &self->base.shape_size, &self->base.freedoms);
  shapes->weight = wy_arena_doubles(arena, (size_t)freedoms_of(self));
  shapes->tangent = wy_arena_doubles(arena, band_entries(self));
  shapes->mass = wy_arena_doubles(arena, band_entries(self));
  shapes->spin = wy_arena_take(arena, cells * sizeof *shapes->spin);
  shapes->turning = wy_arena_take(arena, cells * sizeof *shapes->turning);
  shapes->loads.cell = wy_arena_take(arena, cells * sizeof *shapes->loads.cell);
  wy_band_layout(&shapes->band, arena, freedoms_of(self), HALF, HALF);
  wy_band_layout(&shapes->exact, arena, freedoms_of(self), HALF, HALF);
  self->base.freedom_weight = shapes->weight;
}

void wy_box_prepare_shapes(wy_box *self) {
  struct wy_box_shapes *shapes = self->shapes;
  const double length = self->rod->length, h = length / self->cells, bending = self->scales.moment * length;
  shapes->hold[0] = bending / (h * h * h);
  shapes->hold[1] = bending / h;
  shapes->foundation[0] = 1e-9 * self->node[self->cells / 2].stiffness[5] / (length * self->cells);
  shapes->foundation[1] = 1e-12 * length / (self->scales.force * self->cells);
  for (int i = 0; i < freedoms_of(self); i++) {
    const int part = i % STEP;
    shapes->weight[i] = part < TURN ? 1 / length : part < FORCE ? 1 : shapes->foundation[1] / self->length[i / STEP];
  }
}

/* ---- Loads and ends ---- */

/* A rod that is straight between held ends has no way to begin to move: while its ends come closer it is a little
   extensible, less and less so until they have arrived. */
static void apply(wy_system *system, bool rest, double loads, double ends) {
  wy_box *self = (wy_box *)system;
  struct wy_box_shapes *shapes = self->shapes;
  self->supports.rest = rest;
  self->supports.factor = rest ? ends : 1;
  self->load_factor = rest ? loads : 1;
  shapes->slack = rest && shapes->starts_taut ? 1e-4 * (1 - ends) * (1 - ends) / self->scales.force : 0;
}

static void undeformed(wy_system *system, double *shape) {
  wy_box *self = (wy_box *)system;
  memset(shape, 0, (size_t)system->shape_size * sizeof *shape);
  wy_box_undeformed(self, shape);
  self->shapes->starts_taut = wy_box_is_taut(self, shape);
  apply(system, self->supports.rest, self->load_factor, self->supports.factor);
}

static bool is_held(const wy_box *self, int freedom) {
  const int last = STEP * self->cells;
  return freedom >= last ? wy_box_holds(self, 1, freedom - last) : freedom < FORCE && wy_box_holds(self, 0, freedom);
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

/* ---- Balance ---- */

static void add3(double *to, double factor, wy_v3 v) {
  to[0] += factor * v.x, to[1] += factor * v.y, to[2] += factor * v.z;
}

/* Loads of an end; in rows of held components how far it is from its support. */
static void add_end(const wy_box *self, int end, double t, const double *shape, double *r) {
  const struct wy_box_shapes *shapes = self->shapes;
  const int node = wy_box_end_node(self, end);
  const wy_box_load *load = &shapes->loads.end[end];
  const wy_m3 frame = wy_box_frame(self, shape, node);
  double *row = r + STEP * node, missing[FORCE];
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  add3(row, 1, wy_plus(load->space_force, wy_apply(frame, load->body_force)));
  add3(row + TURN, 1, wy_plus(wy_apply_transposed(frame, load->space_moment), load->body_moment));
  wy_box_way_to_support(self, shape, end, &pose, missing);
  for (int part = 0; part < FORCE; part++)
    if (wy_box_holds(self, end, part))
      row[part] = shapes->hold[part < TURN ? 0 : 1] * missing[part];
}

static int residual(wy_system *system, double t, const double *shape, double *r) {
  wy_box *self = (wy_box *)system;
  struct wy_box_shapes *shapes = self->shapes;
  memset(r, 0, (size_t)system->freedoms * sizeof *r);
  wy_box_update_loads(self, t, &shapes->loads);
  for (int cell = 0; cell < self->cells; cell++) {
    wy_box_rest given;
    wy_box_inner inner;
    double *a = r + STEP * cell, *b = a + STEP;
    wy_box_rest_at(self, cell, &shapes->loads, shape, &given);
    if (wy_box_rest_solve(self, &given, &inner))
      return WY_RETRY;
    add3(a, 1, wy_apply(given.frame[0], inner.n[0]));
    add3(b, -1, wy_apply(given.frame[1], inner.n[1]));
    add3(a + TURN, 1, inner.m[0]);
    add3(b + TURN, -1, inner.m[1]);
    const wy_v3 chord = wy_apply(given.middle, wy_times(given.h, given.s3));
    const wy_v3 between = wy_minus(position_of(self, shape, cell + 1), position_of(self, shape, cell));
    add3(a + FORCE, 1, wy_minus(wy_plus(chord, wy_times(shapes->slack * given.h, given.force)), between));
  }
  for (int end = 0; end < 2; end++)
    add_end(self, end, t, shape, r);
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
static void add_end_tangent(const wy_box *self, int end, double t, const double *shape) {
  const struct wy_box_shapes *shapes = self->shapes;
  const int node = wy_box_end_node(self, end), at = STEP * node, last = freedoms_of(self) - 1;
  const wy_box_load *load = &shapes->loads.end[end];
  const wy_m3 frame = wy_box_frame(self, shape, node);
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  add_block(shapes->tangent, at, at + TURN, 1, wy_mproduct(frame, wy_skew(load->body_force)));
  add_block(shapes->tangent, at + TURN, at + TURN, -1, wy_skew(wy_apply_transposed(frame, load->space_moment)));
  for (int part = 0; part < FORCE; part++)
    if (wy_box_holds(self, end, part))
      for (int i = at + part - HALF; i <= at + part + HALF; i++)
        if (i >= 0 && i <= last)
          row_of(shapes->tangent, at + part)[i] = i == at + part && part < TURN ? shapes->hold[0] : 0;
  if (!wy_box_holds(self, end, TURN))
    return;
  double way[WY_BOX_END];
  wy_box_way_to_support(self, shape, end, &pose, way);
  const wy_box_turn turn = wy_box_turn_of(wy_at3(way + TURN));
  add_block(shapes->tangent, at + TURN, at + TURN, shapes->hold[1], wy_mtransposed(wy_box_rest_step(&turn)));
}

/* The mean of accelerations of both ends of a cell has the mass of the cell; of rotations as in (B3). */
static void add_cell_mass(const wy_box *self, int cell) {
  const struct wy_box_shapes *shapes = self->shapes;
  const wy_box_node *node = &self->node[cell];
  const int a = STEP * cell;
  const double quarter = 0.25 * self->length[cell], mass = 0.5 * quarter * (node[0].mass + node[1].mass);
  const wy_v3 rotary = wy_times(0.5 * quarter, wy_plus(node[0].rotary, node[1].rotary));
  const wy_m3 spin = shapes->spin[cell], turn = wy_mproduct(wy_mtransposed(spin), wy_scale_rows(rotary, spin));
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      add_block(shapes->mass, a + STEP * i, a + STEP * j, 1, wy_diagonal(mass));
      add_block(shapes->mass, a + STEP * i + TURN, a + STEP * j + TURN, 1, turn);
    }
}

static void drop_held_masses(const wy_box *self) {
  const int n = freedoms_of(self);
  for (int i = 0; i < n; i++)
    for (int j = i < HALF ? 0 : i - HALF; j <= i + HALF && j < n; j++)
      if (is_held(self, i) || is_held(self, j))
        row_of(self->shapes->mass, i)[j] = 0;
}

static int tangent(wy_system *system, double t, const double *shape) {
  wy_box *self = (wy_box *)system;
  struct wy_box_shapes *shapes = self->shapes;
  memset(shapes->tangent, 0, band_entries(self) * sizeof(double));
  memset(shapes->mass, 0, band_entries(self) * sizeof(double));
  wy_box_update_loads(self, t, &shapes->loads);
  shapes->straight = wy_box_is_taut(self, shape);
  for (int cell = 0; cell < self->cells; cell++) {
    wy_box_rest given;
    wy_box_inner inner;
    double k[WY_BOX_REST_CELL][WY_BOX_REST_CELL];
    wy_box_rest_at(self, cell, &shapes->loads, shape, &given);
    if (wy_box_rest_solve(self, &given, &inner) || wy_box_rest_tangent(self, &given, &inner, k))
      return WY_RETRY;
    for (int i = 0; i < WY_BOX_REST_CELL; i++)
      for (int j = 0; j < WY_BOX_REST_CELL; j++)
        row_of(shapes->tangent, STEP * cell + i)[STEP * cell + j] += k[i][j];
    add_block(shapes->tangent, STEP * cell + FORCE, STEP * cell + FORCE, -1, wy_diagonal(shapes->slack * given.h));
    shapes->spin[cell] = self->options.transport ? wy_box_c(&given.turn) : wy_diagonal(1);
    shapes->turning[cell] = wy_box_rest_step(&given.turn);
    add_cell_mass(self, cell);
  }
  for (int end = 0; end < 2; end++)
    add_end_tangent(self, end, t, shape);
  drop_held_masses(self);
  return WY_OK;
}

/* ---- K - mu M ---- */

/* Added to the diagonal of K. A weak compliance where the tension of a straight rod between held ends would not be
   determined; an equilibrium is not changed by it, since its residual is zero. Without a shift a weak foundation of
   rotations: a rod between two pins may spin about its axis. */
static double added(const wy_box *self, int freedom, double mu) {
  const int part = freedom % STEP;
  if (part >= FORCE)
    return self->shapes->straight ? -self->shapes->foundation[1] : 0;
  return mu == 0 && part >= TURN && !is_held(self, freedom) ? self->shapes->foundation[0] : 0;
}

/* Supports that move the rod are felt, and feel nothing. */
static int factor_band(const wy_box *self, double mu, bool symmetric, wy_band *band) {
  const struct wy_box_shapes *shapes = self->shapes;
  const int n = freedoms_of(self);
  for (int i = 0; i < n; i++) {
    const double *k = row_of(shapes->tangent, i), *m = row_of(shapes->mass, i);
    double *row = row_of(band->rows, i);
    for (int j = i < HALF ? 0 : i - HALF; j <= i + HALF && j < n; j++) {
      const bool mixed = symmetric && !is_held(self, i) && !is_held(self, j);
      row[j] = (mixed ? 0.5 * (k[j] + row_of(shapes->tangent, j)[i]) : k[j]) - mu * m[j];
    }
    row[i] += added(self, i, mu);
  }
  return wy_band_factor(band) ? WY_RETRY : WY_OK;
}

static int factor(wy_system *system, double mu) {
  wy_box *self = (wy_box *)system;
  return factor_band(self, mu, mu != 0, &self->shapes->band);
}

static void solve(wy_system *system, double *b) {
  wy_band_solve(&((wy_box *)system)->shapes->band, b);
}

/* Without that of the forces, each of which has a negative eigenvalue of its own. */
static int determinant_sign(const wy_box *self, const wy_band *band) {
  return self->cells % 2 ? -wy_band_sign(band) : wy_band_sign(band);
}

static int sign(wy_system *system) {
  const wy_box *self = (const wy_box *)system;
  return determinant_sign(self, &self->shapes->band);
}

/* K(i, j) - mu M without what couples held components to the rest; its symmetric part is taken. */
static inline double entry(const void *matrix, int i, int j, double mu) {
  const wy_box *self = matrix;
  const int far = i > j ? i - j : j - i;
  if (far > HALF || (i != j && (is_held(self, i) || is_held(self, j))))
    return 0;
  const double value = row_of(self->shapes->tangent, i)[j] - mu * row_of(self->shapes->mass, i)[j];
  return i == j ? value + added(self, i, mu) : value;
}

/* Each force has one negative eigenvalue of its own. The first block is a cell with both its nodes, the others have the
   node before them in the block before. The lowest eigenvalues of K lie above those of its symmetric part by terms of
   order h^4: where these have another sign the determinant knows (B14). */
static int negative(wy_system *system, double mu, int *count) {
  const wy_box *self = (const wy_box *)system;
  if (!has_potential(self))
    return WY_NO_POTENTIAL;
  if (wy_inertia_count(entry, self, mu, freedoms_of(self), WY_BOX_REST_CELL, STEP, count))
    return WY_RETRY;
  *count -= 3 * self->cells;
  if (*count <= 0)
    return WY_OK;
  if (factor_band(self, mu, false, &self->shapes->exact))
    return WY_RETRY;
  const bool odd = determinant_sign(self, &self->shapes->exact) < 0;
  *count -= (*count % 2 == 1) != odd;
  return WY_OK;
}

static int directions(const wy_system *system) {
  const wy_box *self = (const wy_box *)system;
  return 6 * self->nodes - 3 * self->cells - wy_support_held(&self->supports);
}

static void mass_times(wy_system *system, const double *d, double *out) {
  const wy_box *self = (const wy_box *)system;
  const int n = freedoms_of(self);
  for (int i = 0; i < n; i++) {
    const double *row = row_of(self->shapes->mass, i);
    double sum = 0;
    for (int j = i < HALF ? 0 : i - HALF; j <= i + HALF && j < n; j++)
      sum += row[j] * d[j];
    out[i] = sum;
  }
}

/* ---- Displacements ---- */

/* Curvatures and section forces of nodes, which two cells agree about in an equilibrium. */
static void keep_inner(const wy_box *self, double *shape) {
  for (int cell = 0; cell < self->cells; cell++) {
    wy_box_rest given;
    wy_box_inner inner;
    wy_box_rest_at(self, cell, &self->shapes->loads, shape, &given);
    if (wy_box_rest_solve(self, &given, &inner))
      continue;
    for (int i = 0; i < 2; i++) {
      const int node = cell + i;
      const bool second = i == 0 && cell > 0;
      double *kappa = shape + self->motion + WY_BOX_MOTION * (size_t)node + WY_BOX_KAPPA;
      double *n = shape + self->force + 3 * (size_t)node;
      wy_put3(kappa, second ? wy_times(0.5, wy_plus(wy_at3(kappa), inner.kappa[i])) : inner.kappa[i]);
      wy_put3(n, second ? wy_times(0.5, wy_plus(wy_at3(n), inner.n[i])) : inner.n[i]);
    }
  }
}

static void displace(wy_system *system, const double *from, const double *d, double share, double *to) {
  const wy_box *self = (const wy_box *)system;
  if (to != from)
    memcpy(to, from, (size_t)system->shape_size * sizeof *to);
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
  keep_inner(self, to);
}

/* An equilibrium as steps would have led there: frames and places are those of its curvatures. */
static void relax(wy_system *system, double t, double *u) {
  const wy_box *self = (const wy_box *)system;
  wy_box_reset_base(self);
  wy_box_place_base(self, t, u);
  wy_box_rebuild(self, u);
  memcpy(u + self->carried, u + self->position, 3 * (size_t)self->nodes * sizeof *u);
}

/* Damping of the rates of curvature that the rates d give at the last tangent's shape, and drag. */
static double dissipation(wy_system *system, const double *d) {
  const wy_box *self = (const wy_box *)system;
  const struct wy_box_shapes *shapes = self->shapes;
  double power = 0;
  for (int cell = 0; cell < self->cells; cell++) {
    const wy_box_node *node = &self->node[cell];
    const double *a = d + (size_t)STEP * (size_t)cell, *b = a + STEP, h = self->length[cell];
    const wy_v3 theta_a = wy_at3(a + TURN), theta_b = wy_at3(b + TURN);
    const wy_v3 turn =
        wy_minus(wy_apply(shapes->turning[cell], theta_b), wy_apply_transposed(shapes->turning[cell], theta_a));
    const wy_v3 damping = wy_times(0.5 / h, wy_plus(node[0].damping, node[1].damping));
    const wy_v3 v = wy_times(0.5, wy_plus(wy_at3(a), wy_at3(b)));
    const wy_v3 spin = wy_apply(shapes->spin[cell], wy_times(0.5, wy_plus(theta_a, theta_b)));
    const wy_v3 rotary = wy_times(0.5 * h * self->drag[1], wy_plus(node[0].rotary, node[1].rotary));
    power += wy_inner(turn, wy_each(damping, turn)) + wy_inner(spin, wy_each(rotary, spin)) +
             0.5 * h * self->drag[0] * (node[0].mass + node[1].mass) * wy_inner(v, v);
  }
  return power;
}

static void show(wy_system *system, const double *d, double *translation, double *rotation) {
  const wy_box *self = (const wy_box *)system;
  for (int i = 0; i < self->nodes; i++)
    for (int x = 0; x < 3; x++) {
      const int freedom = STEP * i + x;
      translation[3 * i + x] = is_held(self, freedom) ? 0 : d[freedom];
      rotation[3 * i + x] = is_held(self, freedom + TURN) ? 0 : d[freedom + TURN];
    }
}

const wy_shape_type wy_box_shapes_type = {.apply = apply,
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
