/* SPDX-License-Identifier: MIT */
#include "support/chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "linalg/band.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scheme/applied.h"
#include "scheme/supports.h"
#include "scheme/system.h"

/* sigma (sigma + drag) - A, factored: A is the derivative of the springs' accelerations by the positions. */
typedef struct chain_factor {
  double sigma[2]; /* real and imaginary part */
  wy_band real;
  wy_band_complex complex;
} chain_factor;

typedef struct chain {
  wy_system base; /* comes first: a chain is a system */
  const wy_rod_def *rod;
  int nodes, stride;
  int x, v;                   /* where the fields begin in the state */
  double *s, *mass;           /* [nodes] */
  double *stiffness, *length; /* [nodes - 1] EA and undeformed length of a spring */
  double *slope;              /* [nodes - 1][9] the Jacobian: d(force)/d(stretched spring) */
  double *work[2];            /* [3 nodes] for solutions */
  chain_factor *real, *complex;
  wy_supports supports;
} chain;

/* ---- Forces ---- */

static void node(const chain *self, const double *field, int i, double out[3]) {
  for (int c = 0; c < 3; c++)
    out[c] = field[c * self->stride + i];
}

/* The spring from node i to the next one: its direction d3, its length, and its tension. */
static double spring(const chain *self, const double *u, int i, double d3[3], double *tension) {
  double from[3], to[3];
  node(self, u + self->x, i, from);
  node(self, u + self->x, i + 1, to);
  for (int c = 0; c < 3; c++)
    d3[c] = to[c] - from[c];
  const double length = wy_norm3(d3);
  for (int c = 0; c < 3; c++)
    d3[c] /= length;
  *tension = self->stiffness[i] * (length / self->length[i] - 1);
  return length;
}

/* Accelerations of all nodes as if none were held. */
static void accelerate(const chain *self, const double *u, double *a) {
  const double *gravity = wy_model_gravity(self->base.model);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < self->nodes; i++) {
      const int at = c * self->stride + i;
      a[at] = gravity[c] - self->rod->drag.translation * u[self->v + at];
    }
  for (int i = 0; i < self->nodes - 1; i++) {
    double d3[3], tension;
    spring(self, u, i, d3, &tension);
    for (int c = 0; c < 3; c++) {
      a[c * self->stride + i] += tension * d3[c] / self->mass[i];
      a[c * self->stride + i + 1] -= tension * d3[c] / self->mass[i + 1];
    }
  }
}

static bool is_held(const chain *self, int i, int c) {
  const int end = i == 0 ? WY_START : WY_END;
  return (i == 0 || i == self->nodes - 1) && self->supports.state[end].position[c] != WY_FREE;
}

static int end_node(const chain *self, int end) {
  return end == WY_START ? 0 : self->nodes - 1;
}

static int rhs(wy_system *system, double t, const double *u, double *f, double *power) {
  const chain *self = (const chain *)system;
  double work = 0, loss = 0;
  memcpy(f + self->x, u + self->v, (size_t)(3 * self->stride) * sizeof *f);
  accelerate(self, u, f + self->v);
  for (int i = 0; i < self->nodes; i++)
    for (int c = 0; c < 3; c++) {
      const double speed = u[self->v + c * self->stride + i];
      loss += self->mass[i] * self->rod->drag.translation * speed * speed;
    }
  for (int end = 0; end < 2; end++) {
    const int i = end_node(self, end);
    wy_end_pose pose;
    wy_support_pose(&self->supports, end, t, &pose);
    for (int c = 0; c < 3; c++) {
      double *velocity = &f[self->x + c * self->stride + i], *acceleration = &f[self->v + c * self->stride + i];
      if (!is_held(self, i, c))
        continue;
      work += self->mass[i] * (pose.a[c] - *acceleration) * pose.v[c];
      *velocity = pose.v[c], *acceleration = pose.a[c];
    }
  }
  if (power)
    power[WY_WORK_INTEGRAL] = work, power[WY_DISSIPATION_INTEGRAL] = loss;
  return WY_OK;
}

/* ---- Linear algebra ---- */

static int jacobian(wy_system *system, double t, const double *u) {
  chain *self = (chain *)system;
  (void)t;
  for (int i = 0; i < self->nodes - 1; i++) {
    double d3[3], tension;
    const double length = spring(self, u, i, d3, &tension), along = self->stiffness[i] / self->length[i];
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        self->slope[9 * i + 3 * a + b] = (along - tension / length) * d3[a] * d3[b] + (a == b ? tension / length : 0);
  }
  return WY_OK;
}

/* y = A x for vectors that go node by node. */
static void times_a(const chain *self, const double *x, double *y) {
  memset(y, 0, (size_t)(3 * self->nodes) * sizeof *y);
  for (int i = 0; i < self->nodes - 1; i++) {
    double stretch[3], force[3];
    for (int c = 0; c < 3; c++)
      stretch[c] = x[3 * (i + 1) + c] - x[3 * i + c];
    wy_mul3(self->slope + 9 * (size_t)i, stretch, force);
    for (int c = 0; c < 3; c++) {
      y[3 * i + c] += is_held(self, i, c) ? 0 : force[c] / self->mass[i];
      y[3 * (i + 1) + c] -= is_held(self, i + 1, c) ? 0 : force[c] / self->mass[i + 1];
    }
  }
}

static void multiply(wy_system *system, const double *x, double *y) {
  const chain *self = (const chain *)system;
  double *in = self->work[0], *out = self->work[1];
  for (int i = 0; i < self->nodes; i++)
    for (int c = 0; c < 3; c++)
      in[3 * i + c] = x[self->x + c * self->stride + i];
  times_a(self, in, out);
  for (int i = 0; i < self->nodes; i++)
    for (int c = 0; c < 3; c++) {
      const int at = c * self->stride + i;
      const double v = is_held(self, i, c) ? 0 : x[self->v + at];
      y[self->x + at] = v;
      y[self->v + at] = out[3 * i + c] - self->rod->drag.translation * v;
    }
}

enum { HALF = 5 }; /* bandwidth: neighbouring blocks of three */

/* The row of component c of node i, its diagonal at `middle`. */
static void fill_row(const chain *self, int i, int c, double diagonal, double *middle) {
  for (int k = -HALF; k <= HALF; k++)
    middle[k] = 0;
  middle[0] = diagonal;
  for (int side = -1; side <= 1 && !is_held(self, i, c); side += 2) {
    const int joint = side < 0 ? i - 1 : i;
    if (joint < 0 || joint >= self->nodes - 1)
      continue;
    for (int b = 0; b < 3; b++) {
      const double entry = self->slope[9 * joint + 3 * c + b] / self->mass[i];
      middle[b - c] += entry;
      middle[b - c + 3 * side] -= entry;
    }
  }
}

static int factor(wy_system *system, int slot, double sigma) {
  chain *self = (chain *)system;
  chain_factor *to = &self->real[slot];
  to->sigma[0] = sigma, to->sigma[1] = 0;
  for (int i = 0; i < 3 * self->nodes; i++) {
    const double drag = is_held(self, i / 3, i % 3) ? 0 : self->rod->drag.translation;
    fill_row(self, i / 3, i % 3, sigma * (sigma + drag), wy_band_row(&to->real, i) + HALF);
  }
  return wy_band_factor(&to->real) ? WY_RETRY : WY_OK;
}

static int factor_complex(wy_system *system, int slot, double re, double im) {
  chain *self = (chain *)system;
  chain_factor *to = &self->complex[slot];
  to->sigma[0] = re, to->sigma[1] = im;
  for (int i = 0; i < 3 * self->nodes; i++) {
    const double drag = is_held(self, i / 3, i % 3) ? 0 : self->rod->drag.translation;
    double *imaginary = wy_band_complex_row_im(&to->complex, i);
    fill_row(self, i / 3, i % 3, re * (re + drag) - im * im, wy_band_complex_row_re(&to->complex, i) + HALF);
    memset(imaginary, 0, (2 * HALF + 1) * sizeof *imaginary);
    imaginary[HALF] = im * (2 * re + drag);
  }
  return wy_band_complex_factor(&to->complex) ? WY_RETRY : WY_OK;
}

/* With (a, b) the right-hand sides of positions and velocities: (sigma (sigma + drag) - A) v = sigma b + A a, and then
   x = (a + v) / sigma. */
static void solve_parts(const chain *self, const chain_factor *with, double *b[2]) {
  const double re = with->sigma[0], im = with->sigma[1], size = re * re + im * im;
  const int parts = b[1] ? 2 : 1;
  double *in = (double *)self->work[0], *y[2] = {self->work[1], self->work[1] + 3 * self->nodes};
  for (int part = 0; part < parts; part++) {
    for (int i = 0; i < 3 * self->nodes; i++)
      in[i] = b[part][self->x + i % 3 * self->stride + i / 3];
    times_a(self, in, y[part]);
  }
  for (int i = 0; i < 3 * self->nodes; i++) {
    const int at = self->v + i % 3 * self->stride + i / 3;
    const double b_re = b[0][at], b_im = parts > 1 ? b[1][at] : 0;
    y[0][i] += re * b_re - im * b_im;
    if (parts > 1)
      y[1][i] += re * b_im + im * b_re;
  }
  if (parts > 1)
    wy_band_complex_solve(&with->complex, y[0], y[1]);
  else
    wy_band_solve(&with->real, y[0]);
  for (int i = 0; i < 3 * self->nodes; i++) {
    const int at = i % 3 * self->stride + i / 3;
    const bool held = is_held(self, i / 3, i % 3);
    const double v_re = y[0][i], v_im = parts > 1 ? y[1][i] : 0;
    const double a_re = b[0][self->x + at] + (held ? 0 : v_re);
    const double a_im = parts > 1 ? b[1][self->x + at] + (held ? 0 : v_im) : 0;
    b[0][self->v + at] = v_re;
    b[0][self->x + at] = (re * a_re + im * a_im) / size;
    if (parts > 1) {
      b[1][self->v + at] = v_im;
      b[1][self->x + at] = (re * a_im - im * a_re) / size;
    }
  }
}

static void solve(wy_system *system, int slot, double *b) {
  const chain *self = (const chain *)system;
  solve_parts(self, &self->real[slot], (double *[2]){b, NULL});
}

static void solve_complex(wy_system *system, int slot, double *b_re, double *b_im) {
  const chain *self = (const chain *)system;
  solve_parts(self, &self->complex[slot], (double *[2]){b_re, b_im});
}

/* ---- States ---- */

/* Held components stand and move with their supports. */
static void follow_supports(const chain *self, double t, double *u) {
  for (int end = 0; end < 2; end++) {
    const int i = end_node(self, end);
    wy_end_pose pose;
    wy_support_pose(&self->supports, end, t, &pose);
    for (int c = 0; c < 3; c++)
      if (is_held(self, i, c)) {
        u[self->x + c * self->stride + i] = pose.x[c];
        u[self->v + c * self->stride + i] = pose.v[c];
      }
  }
}

static void initial(wy_system *system, double *u) {
  const chain *self = (const chain *)system;
  double position[3] = {0}, frame[4];
  memset(u, 0, (size_t)system->size * sizeof *u);
  wy_reference_start(self->rod, frame);
  for (int i = 0; i < self->nodes; i++) {
    if (i > 0)
      wy_reference_advance(self->rod, self->s[i - 1], self->s[i], position, frame);
    for (int c = 0; c < 3; c++) {
      u[self->x + c * self->stride + i] = position[c];
      u[self->v + c * self->stride + i] = wy_signal_value(&self->rod->initial.velocity[c], self->s[i], 0);
    }
  }
  follow_supports(self, 0, u);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the contract's signature */
static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  const chain *self = (const chain *)system;
  (void)f, (void)drift;
  follow_supports(self, t, u);
  return wy_support_moves(&self->supports, WY_START) || wy_support_moves(&self->supports, WY_END);
}

/* Entries of held components do not count in error norms. */
static void refresh(wy_system *system) {
  const chain *self = (const chain *)system;
  double *weight = (double *)system->weight;
  for (int i = 0; i < self->nodes; i++)
    for (int c = 0; c < 3; c++) {
      const double counts = is_held(self, i, c) ? 0 : 1;
      weight[self->x + c * self->stride + i] = weight[self->v + c * self->stride + i] = counts;
    }
}

/* ---- What leaves ---- */

static void energy(wy_system *system, double t, const double *u, wy_energy *out) {
  const chain *self = (const chain *)system;
  (void)t;
  *out = (wy_energy){0};
  for (int i = 0; i < self->nodes; i++) {
    double x[3], v[3];
    node(self, u + self->x, i, x);
    node(self, u + self->v, i, v);
    out->kinetic += 0.5 * self->mass[i] * wy_dot3(v, v);
    out->gravity -= self->mass[i] * wy_dot3(wy_model_gravity(system->model), x);
  }
  for (int i = 0; i < self->nodes - 1; i++) {
    double d3[3], tension;
    spring(self, u, i, d3, &tension);
    out->elastic += 0.5 * tension * tension * self->length[i] / self->stiffness[i];
  }
}

static void momentum(wy_system *system, double t, const double *u, wy_momentum *out) {
  const chain *self = (const chain *)system;
  (void)t;
  *out = (wy_momentum){0};
  for (int i = 0; i < self->nodes; i++) {
    double x[3], v[3], turn[3];
    node(self, u + self->x, i, x);
    node(self, u + self->v, i, v);
    wy_cross3(x, v, turn);
    wy_add3(out->linear, self->mass[i], v);
    wy_add3(out->angular, self->mass[i], turn);
    wy_add3(out->centre_of_mass, self->mass[i], x);
    out->mass += self->mass[i];
  }
  for (int c = 0; c < 3; c++)
    out->centre_of_mass[c] /= out->mass;
}

/* A frame for the spring: d1 as in the undeformed rod, made normal to d3. */
static void frame_of(const chain *self, const double d3[3], double frame[4]) {
  double start[4], r[9], d1[3], d2[3];
  wy_reference_start(self->rod, start);
  wy_qmatrix(start, r);
  for (int axis = 0; axis < 2; axis++) {
    for (int c = 0; c < 3; c++)
      d1[c] = r[3 * c + axis];
    wy_add3(d1, -wy_dot3(d1, d3), d3);
    if (wy_norm3(d1) > 0.5) /* at least one of two perpendicular axes is that far from d3 */
      break;
  }
  wy_cross3(d3, d1, d2);
  const double length = wy_norm3(d1);
  for (int c = 0; c < 3; c++)
    r[3 * c] = d1[c] / length, r[3 * c + 1] = d2[c] / length, r[3 * c + 2] = d3[c];
  wy_qfrom_matrix(r, frame);
}

static void show_spring(const chain *self, const double *u, int i, wy_view *view) {
  double d3[3], tension, from[3], to[3], turn[3], r[9];
  const double length = spring(self, u, i, d3, &tension);
  double *frame = (double *)view->frame.values + 4 * (size_t)i;
  frame_of(self, d3, frame);
  wy_qmatrix(frame, r);
  node(self, u + self->v, i, from);
  node(self, u + self->v, i + 1, to);
  wy_add3(to, -1, from);
  wy_cross3(d3, to, turn);
  for (int c = 0; c < 3; c++)
    turn[c] /= length;
  wy_tmul3(r, turn, (double *)view->angular_velocity.values + 3 * (size_t)i);
  ((double *)view->strain.values)[3 * i + 2] = length / self->length[i] - 1;
  ((double *)view->force.values)[3 * i + 2] = tension;
}

/* The mass of the end times the acceleration that is missing. */
static void show_end(const chain *self, int end, double t, double *scratch, const double *u, wy_view *view) {
  const int i = end_node(self, end);
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  accelerate(self, u, scratch);
  view->ends[end].position_held = wy_support_holds_position(&self->supports, end);
  view->ends[end].rotation_held = false;
  memcpy(view->ends[end].frame, view->frame.values + 4 * (end == WY_START ? 0 : self->nodes - 2), 4 * sizeof(double));
  for (int c = 0; c < 3; c++) {
    const double missing = pose.a[c] - scratch[c * self->stride + i];
    view->ends[end].position[c] = view->position.values[3 * i + c];
    view->ends[end].reaction_force[c] = is_held(self, i, c) ? self->mass[i] * missing : 0;
    view->ends[end].reaction_moment[c] = 0;
  }
}

/* Curvatures and moments stay zero: a chain has none. */
static void view(wy_system *system, double t, const double *u, wy_view *out) {
  const chain *self = (const chain *)system;
  out->time = t;
  for (int i = 0; i < self->nodes; i++) {
    node(self, u + self->x, i, (double *)out->position.values + 3 * (size_t)i);
    node(self, u + self->v, i, (double *)out->velocity.values + 3 * (size_t)i);
  }
  for (int i = 0; i < self->nodes - 1; i++)
    show_spring(self, u, i, out);
  for (int end = 0; end < 2; end++)
    show_end(self, end, t, self->work[1], u, out);
}

static bool diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  const chain *self = (const chain *)system;
  double worst = 0, d3[3], tension;
  int place = 0;
  (void)t;
  for (int i = 0; i < self->nodes - 1; i++) {
    const double stretch = fabs(spring(self, u, i, d3, &tension) / self->length[i] - 1);
    if (!(stretch <= worst))
      worst = stretch, place = i;
  }
  snprintf(text, size, "the largest stretch is %.3g, in spring %d of %d", worst, place + 1, self->nodes - 1);
  return false;
}

static const wy_system_type chain_type = {.name = "chain",
                                          .rhs = rhs,
                                          .jacobian = jacobian,
                                          .factor = factor,
                                          .factor_complex = factor_complex,
                                          .solve = solve,
                                          .solve_complex = solve_complex,
                                          .multiply = multiply,
                                          .initial = initial,
                                          .project = project,
                                          .next_break = wy_system_next_break,
                                          .depends_on_time = wy_system_depends_on_time,
                                          .enter = wy_system_enter,
                                          .refresh = refresh,
                                          .energy = energy,
                                          .momentum = momentum,
                                          .view = view,
                                          .diagnose = diagnose,
                                          .set_load = wy_system_set_load,
                                          .set_actuator = wy_system_set_actuator,
                                          .move_end = wy_system_move_end};

/* ---- Creation ---- */

static wy_status supports(wy_rod_kind kind, wy_message *message) {
  if (kind == WY_COSSERAT)
    return WY_OK;
  return wy_fail(message, WY_ERROR_SUPPORT, "the scheme 'chain' stretches; expected model cosserat");
}

static wy_status check(const wy_model *model, int rod, wy_message *message) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  char path[64];
  wy_status status = wy_scheme_needs_linear_law("chain", def, rod, message);
  if (!status)
    status = wy_scheme_needs_passive_rod("chain", model, rod, message);
  if (!status && def->damping.kind != WY_UNDAMPED) {
    snprintf(path, sizeof path, "rods[%d].damping", rod);
    status =
        wy_fail_at(message, path, "found damping, which the scheme 'chain' does not support; expected drag, or none");
  }
  for (int i = 0; !status && i < wy_model_load_count(model); i++)
    if (wy_model_load(model, i)->rod == rod) {
      snprintf(path, sizeof path, "loads[%d]", i);
      status =
          wy_fail_at(message, path, "found a load, which the scheme 'chain' does not support; expected gravity only");
    }
  return status;
}

static void set_counts(chain *self, const wy_model *model, int rod) {
  self->base.type = &chain_type;
  self->base.model = model;
  self->base.rod = rod;
  self->base.has_power = true;
  self->rod = wy_model_rod(model, rod);
  self->nodes = self->rod->segments + 1;
  self->stride = wy_padded(self->nodes);
  wy_field field = {.name = "position", .components = 3, .count = self->nodes, .stride = self->stride};
  field.cell_local = true;
  self->x = wy_system_add_field(&self->base, field);
  field.name = "velocity", field.cell_local = false;
  self->v = wy_system_add_field(&self->base, field);
  self->base.unknowns = 6 * self->nodes;
}

static int size_of(const wy_model *model, int rod, const wy_solver_def *solver) {
  chain counting = {0};
  (void)solver;
  set_counts(&counting, model, rod);
  return counting.base.size;
}

static chain_factor *layout_factors(const chain *self, wy_arena *arena, int count, bool complex) {
  chain_factor *factors = wy_arena_take(arena, (size_t)(count + 1) * sizeof *factors), counting;
  for (int i = 0; i < count; i++) {
    chain_factor *to = factors ? &factors[i] : &counting;
    if (complex)
      wy_band_complex_layout(&to->complex, arena, 3 * self->nodes, HALF, HALF);
    else
      wy_band_layout(&to->real, arena, 3 * self->nodes, HALF, HALF);
  }
  return factors;
}

static void layout(chain *self, wy_memory *memory, wy_factor_needs needs) {
  wy_arena *scratch = &memory->scratch, *saved = &memory->saved;
  const size_t nodes = (size_t)self->nodes;
  self->base.weight = wy_arena_doubles(scratch, (size_t)self->base.size);
  double **arrays[] = {&self->s, &self->mass, &self->stiffness, &self->length};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    *arrays[i] = wy_arena_doubles(scratch, nodes);
  self->slope = wy_arena_doubles(scratch, 9 * nodes);
  self->work[0] = wy_arena_doubles(scratch, 3 * nodes);
  self->work[1] = wy_arena_doubles(scratch, 6 * (size_t)self->stride);
  self->real = layout_factors(self, scratch, needs.real, false);
  self->complex = layout_factors(self, scratch, needs.complex, true);
  const wy_view_counts counts = {
      .positions = self->nodes, .frames = self->nodes - 1, .strains = self->nodes - 1, .bends = self->nodes};
  wy_view_layout(&self->base.view, scratch, counts);
  self->supports.state = wy_arena_take(saved, 2 * sizeof *self->supports.state);
  wy_system_layout_overrides(&self->base, saved);
  self->base.supports = &self->supports;
}

/* Every node carries the mass of half the pieces beside it. A spring is as long as the undeformed rod has its ends
   apart, which is less than the piece where the rod is curved: so nothing pulls at rest. */
static void set_springs(chain *self) {
  const wy_view *out = &self->base.view;
  double from[3], to[3] = {0}, frame[4];
  wy_reference_start(self->rod, frame);
  for (int i = 0; i < self->nodes - 1; i++) {
    const double length = wy_segment_length(self->rod, i), middle = self->s[i] + 0.5 * length;
    const wy_section_values section = wy_section_at(self->rod, middle);
    wy_copy3(to, from);
    wy_reference_advance(self->rod, self->s[i], self->s[i] + length, to, frame);
    wy_add3(from, -1, to);
    self->length[i] = wy_norm3(from);
    self->stiffness[i] = section.stiffness[2];
    self->mass[i] += 0.5 * section.mass * length;
    self->mass[i + 1] += 0.5 * section.mass * length;
    self->s[i + 1] = self->s[i] + length;
    const wy_points *between[] = {&out->frame, &out->angular_velocity, &out->strain, &out->force};
    for (size_t k = 0; k < sizeof between / sizeof between[0]; k++)
      ((double *)between[k]->s)[i] = middle;
  }
  const wy_points *nodes[] = {&out->position, &out->velocity, &out->curvature, &out->moment};
  for (size_t k = 0; k < sizeof nodes / sizeof nodes[0]; k++)
    memcpy((double *)nodes[k]->s, self->s, (size_t)self->nodes * sizeof(double));
}

static void set_supports(chain *self) {
  wy_support_begin(&self->supports, self->rod);
  for (int end = 0; end < 2; end++)
    wy_reference_at(self->rod, end == WY_START ? 0 : self->rod->length, self->supports.reference[end],
                    self->supports.reference_q[end]);
  wy_support_set_offsets(&self->supports);
}

static wy_status create(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                        wy_memory *memory, wy_system **system, wy_message *message) {
  chain counting = {0};
  (void)solver;
  const wy_status status = check(model, rod, message);
  if (status)
    return status;
  chain *carved = wy_arena_take(&memory->scratch, sizeof *carved), *self = carved ? carved : &counting;
  set_counts(self, model, rod);
  layout(self, memory, needs);
  *system = carved ? &self->base : NULL;
  if (!carved)
    return WY_OK;
  set_springs(self);
  set_supports(self);
  refresh(&self->base);
  return WY_OK;
}

const wy_scheme chain_scheme = {.name = "chain",
                                .motion = WY_ODE,
                                .integrator = "dop853",
                                .reason = "nothing but the springs is fast",
                                .supports = supports,
                                .size = size_of,
                                .create = create};
