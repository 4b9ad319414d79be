/* SPDX-License-Identifier: MIT */
/* Rods without shear (kirchhoff) and without extension (inextensible) against an independent solution of the
   mass-constraint system (support/mass_constraint.h): accelerations, section forces and supports, for all measures,
   ends and both forms of the inextensible rod; projection; and the straight rod between two held ends, whose
   constraints depend on each other. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/mass_constraint.h"
#include "support/rods.h"

/* ---- A bent rod, once as a system and once for the oracle ---- */

typedef enum end_kind { FREE, PINNED, CLAMPED, DRIVEN } end_kind;
typedef enum rod_form {
  INDEX_1,
  CHAIN
} rod_form; /* all vertices and multipliers; or only root and frames are unknown */

typedef struct bent_rod {
  test_system made;
  constrained_rod rod;
  constrained_state state;
  double *u;
  char name[128];
} bent_rod;

enum { SEGMENTS = 8, LOADS = 2 };

/* When states are looked at: an end that moves reaches its place just then. */
static const double moment = 0.5, moved_from = 0.25;

static const double stiffness[6] = {4, 5, 9, 0.5, 0.7, 0.4}, damping[6] = {0.2, 0.3, 0.25, 0.05, 0.03, 0.04},
                    inertia[4] = {1.3, 0.11, 0.17, 0.25}, curvature[3] = {0.3, -0.4, 0.5}, length = 2,
                    gravity[3] = {0.4, 0.3, -1.1}, drag[2] = {0.1, 0.2};
static const double tip_force[3] = {0.3, -0.5, 0.7}, tip_moment[3] = {-0.2, 0.1, 0.25},
                    line_force[3] = {0.2, 0.4, -0.3}, line_moment[3] = {0.15, -0.1, 0.05}; /* the line's in body axes */
static const double path_size = 0.3, angle_size = 0.8;

static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s, (void)wrt;
  double size = *(const double *)context;
  jet[0] = size * sin(2 * t), jet[1] = 2 * size * cos(2 * t), jet[2] = -4 * size * sin(2 * t);
}

/* Components 1 and 3 of the position and the rotation about (1, 1, 0) follow the swing. */
static wy_end end_of(end_kind kind) {
  wy_end end = kind == PINNED ? wy_end_pinned() : kind == CLAMPED ? wy_end_clamped() : wy_end_free();
  if (kind == DRIVEN) {
    end.position[0] = end.position[2] = end.rotation = WY_DRIVEN;
    end.path[0] = end.path[2] = (wy_signal){0, swing, &path_size, WY_TIME};
    end.axis[0] = end.axis[1] = 1;
    end.angle = (wy_signal){0, swing, &angle_size, WY_TIME};
  }
  return end;
}

static wy_rod_def rod_def(wy_rod_kind kind, end_kind start, end_kind stop) {
  wy_rod_def rod = wy_default_rod_def();
  rod.kind = kind;
  rod.segments = SEGMENTS;
  rod.length = length;
  rod.has_stiffness = rod.has_inertia = true;
  rod.damping.kind = WY_DAMPING_COEFFICIENTS;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]), rod.damping.coefficient[i] = wy_constant(damping[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  for (int i = 0; i < 3; i++)
    rod.shape.curvature[i] = wy_constant(curvature[i]);
  rod.drag = (wy_drag){drag[0], drag[1]};
  rod.ends[0] = end_of(start);
  rod.ends[1] = end_of(stop);
  return rod;
}

static wy_load_def *load_defs(void) {
  wy_load_def *loads = calloc(LOADS, sizeof *loads);
  assert_non_null(loads);
  loads[0] = loads[1] = wy_default_load_def();
  loads[0].place = WY_AT_END;
  loads[1].place = WY_ALONG, loads[1].axes = WY_BODY_AXES, loads[1].to = length;
  for (int k = 0; k < 3; k++) {
    loads[0].force[k] = wy_constant(tip_force[k]), loads[0].moment[k] = wy_constant(tip_moment[k]);
    loads[1].force[k] = wy_constant(line_force[k]), loads[1].moment[k] = wy_constant(line_moment[k]);
  }
  return loads;
}

static void oracle_rod(wy_rod_kind kind, wy_curvature_measure measure, constrained_rod *rod) {
  *rod = (constrained_rod){.kind = kind, .measure = measure, .segments = SEGMENTS, .h = length / SEGMENTS};
  rod->mass = inertia[0];
  for (int k = 0; k < 3; k++) {
    rod->c_gamma[k] = stiffness[k], rod->c_kappa[k] = stiffness[k + 3];
    rod->d_gamma[k] = damping[k], rod->d_kappa[k] = damping[k + 3];
    rod->rotary[k] = inertia[k + 1];
    rod->gravity[k] = gravity[k];
  }
  memcpy(rod->drag, drag, sizeof rod->drag);
  constrained_set_natural(rod, curvature);
}

static void half_rate(const double space_spin[3], const double p[4], double rate[4]) {
  double spin[4] = {0, 0.5 * space_spin[0], 0.5 * space_spin[1], 0.5 * space_spin[2]};
  wy_qmul(spin, p, rate);
}

/* Where the start is held or driven to, as the definition says; where it is free, anywhere. */
static void place_start(const wy_model *model, end_kind kind, constrained_rod *rod, double x[3], double v[3]) {
  constrained_end *end = &rod->ends[0];
  double jet[3], p[4], turn[3], turned[4], spin[3];
  wy_model_reference(model, 0, 0, x, p);
  swing(&path_size, WY_TIME, 0, moment, jet);
  for (int k = 0; k < 3; k++) {
    bool driven = kind == DRIVEN && k != 1;
    end->held[k] = driven || kind == PINNED || kind == CLAMPED;
    x[k] += driven ? jet[0] : end->held[k] ? 0 : 0.4 - 0.3 * k;
    v[k] = driven ? jet[1] : end->held[k] ? 0 : 0.2 * k - 0.5;
    end->a[k] = driven ? jet[2] : 0;
  }
  end->clamped = kind == CLAMPED || kind == DRIVEN;
  swing(&angle_size, WY_TIME, 0, moment, jet);
  for (int k = 0; k < 3; k++) {
    turn[k] = kind == DRIVEN && k < 2 ? jet[0] * sqrt(0.5) : 0;
    spin[k] = kind == DRIVEN && k < 2 ? jet[1] * sqrt(0.5) : 0;
  }
  wy_qexp(turn, turned);
  wy_qmul(turned, p, end->p);
  half_rate(spin, end->p, end->rate);
}

/* Brings the support of the end to where the state wants it, with its velocity. */
static void place_stop(bent_rod *bent, end_kind kind) {
  constrained_end *end = &bent->rod.ends[1];
  wy_system *system = bent->made.system;
  const double off[3] = {0.2, -0.3, 0.25}, spin[3] = {0.4, -0.2, 0.3};
  double step[4];
  end->clamped = kind == CLAMPED;
  wy_qexp(off, step);
  wy_qmul(bent->state.p[SEGMENTS - 1], step, end->p);
  half_rate(spin, end->p, end->rate);
  for (int k = 0; k < 3; k++)
    end->held[k] = kind != FREE;
  if (kind == FREE)
    return;
  wy_message message = {0};
  wy_pose target = {.position = bent->state.x[SEGMENTS], .velocity = bent->state.v[SEGMENTS]};
  if (end->clamped)
    target.frame = end->p, target.angular_velocity = spin;
  if (system->type->move_end(system, WY_END, moved_from, &target, moment - moved_from, &message))
    fail_msg("%s", message.text);
}

static void oracle_loads(constrained_rod *rod, const constrained_state *state) {
  for (int k = 0; k < 3; k++) {
    rod->vertex_force[SEGMENTS][k] = tip_force[k];
    rod->segment_moment[SEGMENTS - 1][k] = rod->ends[1].clamped ? 0 : tip_moment[k];
  }
  for (int i = 0; i < SEGMENTS; i++) {
    double r[9], force[3], turning[3];
    wy_qmatrix(state->p[i], r);
    wy_mul3(r, line_force, force);
    wy_mul3(r, line_moment, turning);
    wy_add3(rod->vertex_force[i], 0.5 * rod->h, force);
    wy_add3(rod->vertex_force[i + 1], 0.5 * rod->h, force);
    wy_add3(rod->segment_moment[i], rod->h, turning);
  }
}

static void column(const double *u, const wy_field *field, int i, double *out) {
  for (int k = 0; k < field->components; k++)
    out[k] = u[field->offset + k * field->stride + i];
}

static void set_column(double *u, const wy_field *field, int i, const double *in) {
  for (int k = 0; k < field->components; k++)
    u[field->offset + k * field->stride + i] = in[k];
}

static double *new_state(const wy_system *system) {
  double *u = calloc((size_t)system->size + WY_LANES, sizeof *u);
  assert_non_null(u);
  return u;
}

static void write_state(const wy_system *system, const constrained_state *state, double *u) {
  const wy_field *field = system->fields;
  for (int n = 0; n <= SEGMENTS; n++) {
    set_column(u, &field[0], n, state->x[n]);
    set_column(u, &field[2], n, state->v[n]);
  }
  for (int i = 0; i < SEGMENTS; i++) {
    set_column(u, &field[1], i, state->p[i]);
    set_column(u, &field[3], i, state->omega[i]);
  }
}

static constrained_state read_state(const wy_system *system, const double *u) {
  const wy_field *field = system->fields;
  constrained_state state = {0};
  assert_string_equal(field[3].name, "angular_velocity");
  for (int n = 0; n <= SEGMENTS; n++) {
    column(u, &field[0], n, state.x[n]);
    column(u, &field[2], n, state.v[n]);
  }
  for (int i = 0; i < SEGMENTS; i++) {
    column(u, &field[1], i, state.p[i]);
    column(u, &field[3], i, state.omega[i]);
  }
  return state;
}

static bent_rod make_bent(wy_rod_kind kind, wy_curvature_measure measure, end_kind start, end_kind stop,
                          rod_form form) {
  static const char *const names[] = {"free", "pinned", "clamped", "driven"};
  bent_rod bent = {0};
  wy_rod_def rod = rod_def(kind, start, stop);
  wy_load_def *loads = load_defs();
  wy_model_def model = wy_default_model_def();
  model.rods = &rod, model.rod_count = 1;
  model.loads = loads, model.load_count = LOADS;
  memcpy(model.gravity, gravity, sizeof model.gravity);
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = measure;
  solver.staggered.coordinates = form == CHAIN ? WY_NULLSPACE : WY_ABSOLUTE;
  snprintf(bent.name, sizeof bent.name, "%s, measure %d, %s-%s, %s",
           kind == WY_KIRCHHOFF ? "kirchhoff" : "inextensible", (int)measure, names[start], names[stop],
           form == CHAIN ? "chain" : "index 1");
  bent.made = form == CHAIN ? make_explicit_system(&model, &solver) : make_system(&model, &solver);
  free(loads); /* the model has its own */
  oracle_rod(kind, measure, &bent.rod);
  double x[3], v[3];
  place_start(bent.made.model, start, &bent.rod, x, v);
  bent.state = constrained_bent(&bent.rod, x, v, bent.rod.ends[0].p, 0.35, 17 + (unsigned)(4 * start + stop));
  place_stop(&bent, stop);
  oracle_loads(&bent.rod, &bent.state);
  bent.u = new_state(bent.made.system);
  bent.made.system->type->initial(bent.made.system, bent.u); /* sets the padding */
  write_state(bent.made.system, &bent.state, bent.u);
  return bent;
}

static void free_bent(bent_rod *bent) {
  free(bent->u);
  free_system(&bent->made);
}

typedef void bent_check(bent_rod *bent);

static void for_all_bent_rods(bent_check *check) {
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (int form = INDEX_1; form <= (kind == WY_INEXTENSIBLE ? CHAIN : INDEX_1); form++)
      for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++)
        for (int start = FREE; start <= DRIVEN; start++)
          for (int stop = FREE; stop <= CLAMPED; stop++) {
            bent_rod bent = make_bent((wy_rod_kind)kind, (wy_curvature_measure)measure, (end_kind)start, (end_kind)stop,
                                      (rod_form)form);
            check(&bent);
            free_bent(&bent);
          }
}

/* ---- Accelerations and forces ---- */

/* The solution of a system whose round-off error is `error` a unit: a hundred units, and no more than 1e-10 of the
   largest entry. */
static void compare(const char *name, const char *what, const double *got, const double *want, int count,
                    double error) {
  double largest = 0, tolerance = 100 * error;
  for (int i = 0; i < 3 * count; i++)
    largest = fmax(largest, fabs(want[i]));
  check_at_most(tolerance, 1e-10 * fmax(1, largest));
  for (int i = 0; i < 3 * count; i++)
    if (!(fabs(got[i] - want[i]) <= tolerance))
      fail_msg("%s: %s %d, component %d: got %.15g, want %.15g, tolerance %.3g", name, what, i / 3, i % 3, got[i],
               want[i], tolerance);
}

static void check_motion(bent_rod *bent) {
  wy_system *system = bent->made.system;
  const wy_field *field = system->fields;
  double *f = new_state(system), a[SEGMENTS + 1][3], dom[SEGMENTS][3], force[SEGMENTS][3], reaction[2][3];
  constrained_motion want;
  assert_true(mass_constraint_motion(&bent->rod, &bent->state, &want));
  assert_int_equal(system->type->rhs(system, moment, bent->u, f, NULL), WY_OK);
  for (int n = 0; n <= SEGMENTS; n++)
    column(f, &field[2], n, a[n]);
  for (int i = 0; i < SEGMENTS; i++)
    column(f, &field[3], i, dom[i]);
  system->type->view(system, moment, bent->u, &system->view);
  memcpy(force, system->view.force.values, sizeof force);
  for (int end = 0; end < 2; end++)
    memcpy(reaction[end], system->view.ends[end].reaction_force, sizeof reaction[end]);
  compare(bent->name, "acceleration", a[0], want.a[0], SEGMENTS + 1, want.error.a);
  compare(bent->name, "angular acceleration", dom[0], want.dom[0], SEGMENTS, want.error.dom);
  compare(bent->name, "section force", force[0], want.force[0], SEGMENTS, want.error.force);
  compare(bent->name, "reaction", reaction[0], want.reaction[0], 2, want.error.reaction);
  free(f);
}

static void motion_is_that_of_the_mass_constraint_system(void **state) {
  (void)state;
  for_all_bent_rods(check_motion);
}

/* The same where the stages of an integrator are: constrained strains and rates that are not zero. A chain has none. */
static void check_motion_nearby(bent_rod *bent) {
  unsigned seed = 41;
  if (strstr(bent->name, "chain"))
    return;
  for (int n = 1; n < SEGMENTS; n++)
    for (int k = 0; k < 3; k++) {
      bent->state.x[n][k] += 0.02 * noise(&seed);
      bent->state.v[n][k] += 0.05 * noise(&seed);
    }
  write_state(bent->made.system, &bent->state, bent->u);
  check_motion(bent);
}

static void motion_is_that_of_the_system_off_the_manifold(void **state) {
  (void)state;
  for_all_bent_rods(check_motion_nearby);
}

/* G q'' + g_II = 0, a thousand units of round-off of its terms; q'' = (a, p Om'/2 - |Om|^2 p/4). */
static void check_second_derivative(bent_rod *bent) {
  wy_system *system = bent->made.system;
  const wy_field *field = system->fields;
  mass_constraint matrix = mass_constraint_make(&bent->rod, &bent->state);
  int order = matrix.order, cell = matrix.cell;
  double *f = new_state(system), *z = calloc((size_t)order, sizeof *z), *b = calloc((size_t)order, sizeof *b);
  system->type->rhs(system, moment, bent->u, f, NULL);
  mass_constraint_forces(&bent->rod, &bent->state, b);
  for (int n = 0; n <= SEGMENTS; n++)
    column(f, &field[2], n, z + cell * n);
  for (int i = 0; i < SEGMENTS; i++) {
    const double *p = bent->state.p[i], *om = bent->state.omega[i];
    double dom[4] = {0}, turned[4];
    column(f, &field[3], i, dom + 1);
    wy_qmul(p, dom, turned);
    for (int k = 0; k < 4; k++)
      z[cell * i + 3 + k] = 0.5 * turned[k] - 0.25 * wy_dot3(om, om) * p[k];
  }
  double size = 0, residual[4 * SEGMENTS];
  for (int i = 0; i < SEGMENTS; i++)
    for (int row = cell * i + 7; row < cell * (i + 1); row++) {
      double sum = -b[row], terms = fabs(b[row]);
      for (int j = 0; j < order; j++) {
        sum += matrix.matrix[row * order + j] * z[j];
        terms += fabs(matrix.matrix[row * order + j] * z[j]);
      }
      residual[i * (cell - 7) + row - cell * i - 7] = sum;
      size = fmax(size, terms);
    }
  for (int i = 0; i < SEGMENTS * (cell - 7); i++)
    if (!(fabs(residual[i]) <= 1e3 * DBL_EPSILON * size))
      fail_msg("%s: second derivative of constraint %d is %g, its terms %g", bent->name, i, residual[i], size);
  free(f), free(z), free(b);
  mass_constraint_free(&matrix);
}

static void second_derivatives_of_the_constraints_vanish(void **state) {
  (void)state;
  for_all_bent_rods(check_second_derivative);
}

/* ---- Projection ---- */

static int constrained_strains(const bent_rod *bent) {
  return bent->rod.kind == WY_KIRCHHOFF ? 2 : 3;
}

/* The correction with the same effect on the constraints that is orthogonal to all motions they allow, in the metric of
   the mass: (M, G^T; G, 0)(d', tau) = (0, G d). Leaves d' in place of d; positions or velocities alike. */
static void orthogonal_part(const bent_rod *bent, const constrained_state *at, double (*dx)[3], double (*turn)[3]) {
  mass_constraint matrix = mass_constraint_make(&bent->rod, at);
  int order = matrix.order, cell = matrix.cell;
  double *d = calloc((size_t)order, sizeof *d), *b = calloc((size_t)order, sizeof *b);
  for (int n = 0; n <= SEGMENTS; n++)
    wy_copy3(dx[n], d + cell * n);
  for (int i = 0; i < SEGMENTS; i++) {
    double half[4] = {0, 0.5 * turn[i][0], 0.5 * turn[i][1], 0.5 * turn[i][2]};
    wy_qmul(at->p[i], half, d + cell * i + 3);
  }
  for (int i = 0; i < SEGMENTS; i++)
    for (int row = cell * i + 7; row < cell * (i + 1); row++)
      for (int j = 0; j < order; j++)
        b[row] += matrix.matrix[row * order + j] * d[j];
  assert_true(mass_constraint_solve(&matrix, b));
  for (int n = 0; n <= SEGMENTS; n++)
    wy_copy3(b + cell * n, dx[n]);
  for (int i = 0; i < SEGMENTS; i++) {
    double relative[4];
    wy_qrelative(at->p[i], b + cell * i + 3, relative);
    for (int k = 0; k < 3; k++)
      turn[i][k] = 2 * relative[k + 1];
  }
  free(d), free(b);
  mass_constraint_free(&matrix);
}

/* The vertices of an inextensible rod from the first one and the frames; a chain begins its projection there. */
static void fill_chain(constrained_state *state, double h) {
  for (int i = 0; i < SEGMENTS; i++) {
    double r[9], side[3] = {state->omega[i][1], -state->omega[i][0], 0}, speed[3]; /* Om x e3 */
    wy_qmatrix(state->p[i], r);
    wy_mul3(r, side, speed);
    for (int k = 0; k < 3; k++) {
      state->x[i + 1][k] = state->x[i][k] + h * r[3 * k + 2];
      state->v[i + 1][k] = state->v[i][k] + h * speed[k];
    }
  }
}

static void check_corrections(const bent_rod *bent, const constrained_state *from, const constrained_state *to) {
  double dx[SEGMENTS + 1][3], turn[SEGMENTS][3], dv[SEGMENTS + 1][3], spin[SEGMENTS][3], want_x[SEGMENTS + 1][3],
      want_turn[SEGMENTS][3], want_v[SEGMENTS + 1][3], want_spin[SEGMENTS][3];
  for (int n = 0; n <= SEGMENTS; n++)
    for (int k = 0; k < 3; k++) {
      bool held = (n == 0 && bent->rod.ends[0].held[k]) || (n == SEGMENTS && bent->rod.ends[1].held[k]);
      dx[n][k] = want_x[n][k] = held ? 0 : to->x[n][k] - from->x[n][k];
      dv[n][k] = want_v[n][k] = held ? 0 : to->v[n][k] - from->v[n][k];
      if (held) { /* stands where its support does */
        check_close(to->x[n][k], bent->state.x[n][k], 4 * DBL_EPSILON * (1 + fabs(to->x[n][k])));
        check_close(to->v[n][k], bent->state.v[n][k], 4 * DBL_EPSILON * (1 + fabs(to->v[n][k])));
      }
    }
  for (int i = 0; i < SEGMENTS; i++) {
    double relative[4];
    wy_qrelative(from->p[i], to->p[i], relative);
    wy_qlog(relative, turn[i]);
    for (int k = 0; k < 3; k++) {
      want_turn[i][k] = turn[i][k];
      spin[i][k] = want_spin[i][k] = to->omega[i][k] - from->omega[i][k];
    }
  }
  orthogonal_part(bent, to, want_x, want_turn);
  orthogonal_part(bent, to, want_v, want_spin);
  /* Corrections of 1e-6. Positions: up to the second order, (1e-6)^2 times curvatures of about 1e2. Velocities: their
     equation is linear. */
  compare(bent->name, "correction of positions", dx[0], want_x[0], SEGMENTS + 1, 1e-12);
  compare(bent->name, "correction of frames", turn[0], want_turn[0], SEGMENTS, 1e-12);
  compare(bent->name, "correction of velocities", dv[0], want_v[0], SEGMENTS + 1, 1e-14);
  compare(bent->name, "correction of angular velocities", spin[0], want_spin[0], SEGMENTS, 1e-14);
}

static void check_projection(bent_rod *bent) {
  wy_system *system = bent->made.system;
  int n = system->size;
  bool chain = strstr(bent->name, "chain") != NULL;
  double *once = new_state(system), drift[WY_DRIFTS] = {0};
  unsigned seed = 31;
  for (int i = 0; i < n; i++)
    bent->u[i] += 1e-6 * system->weight[i] * noise(&seed);
  constrained_state from = read_state(system, bent->u);
  for (int i = 0; i < SEGMENTS; i++)
    wy_qnormalise(from.p[i]);
  for (int k = 0; k < 3 && chain; k++)
    if (bent->rod.ends[0].held[k])
      from.x[0][k] = bent->state.x[0][k], from.v[0][k] = bent->state.v[0][k];
  if (chain)
    fill_chain(&from, bent->rod.h);
  system->type->project(system, moment, bent->u, NULL, drift);
  constrained_state to = read_state(system, bent->u);
  for (int i = 0; i < SEGMENTS; i++) {
    double strain[3], rate[3];
    constrained_strain(&bent->rod, &to, i, strain, rate);
    for (int k = 0; k < constrained_strains(bent); k++)
      if (!(fabs(strain[k]) < 1e-13 && fabs(rate[k]) < 1e-12))
        fail_msg("%s: segment %d has strain %g and rate %g after projection", bent->name, i, strain[k], rate[k]);
  }
  check_corrections(bent, &from, &to);
  memcpy(once, bent->u, (size_t)n * sizeof *once);
  system->type->project(system, moment, bent->u, NULL, drift);
  for (int i = 0; i < n; i++) /* round-off of the constraints, through the inverse of the matrix */
    if (!(fabs(bent->u[i] - once[i]) <= 1e-13))
      fail_msg("%s: entry %d moves by %g when projected again", bent->name, i, bent->u[i] - once[i]);
  free(once);
}

static void projection_is_orthogonal_and_idempotent(void **state) {
  (void)state;
  for_all_bent_rods(check_projection);
}

static void check_consistent(bent_rod *bent) {
  wy_system *system = bent->made.system;
  double drift[WY_DRIFTS] = {0};
  system->type->project(system, moment, bent->u, NULL, drift);
  constrained_state to = read_state(system, bent->u);
  for (int n = 0; n <= SEGMENTS; n++)
    for (int k = 0; k < 3; k++) {
      check_close(to.x[n][k], bent->state.x[n][k], 1e-13);
      check_close(to.v[n][k], bent->state.v[n][k], 1e-13);
    }
}

static void consistent_states_stay(void **state) {
  (void)state;
  for_all_bent_rods(check_consistent);
}

/* Projection of a rod with shear and extension scales quaternions and touches nothing else. */
static void unconstrained_rods_are_left_alone(void **state) {
  (void)state;
  wy_rod_def rod = rod_def(WY_COSSERAT, PINNED, FREE);
  wy_model_def model = wy_default_model_def();
  model.rods = &rod, model.rod_count = 1;
  wy_solver_def solver = wy_default_solver_def();
  test_system made = make_system(&model, &solver);
  wy_system *system = made.system;
  double *u = new_state(system), *before = new_state(system), drift[WY_DRIFTS] = {0};
  disturbed_state(&made, 0.1, 37, u);
  memcpy(before, u, (size_t)system->size * sizeof *u);
  system->type->project(system, 0, u, NULL, drift);
  for (int d = 0; d < 4; d++)
    for (int i = 0; d != 1 && i < 3 * system->fields[d].stride; i++)
      assert_true(u[system->fields[d].offset + i] == before[system->fields[d].offset + i]);
  free(u), free(before);
  free_system(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(motion_is_that_of_the_mass_constraint_system),
                                     cmocka_unit_test(motion_is_that_of_the_system_off_the_manifold),
                                     cmocka_unit_test(second_derivatives_of_the_constraints_vanish),
                                     cmocka_unit_test(projection_is_orthogonal_and_idempotent),
                                     cmocka_unit_test(consistent_states_stay),
                                     cmocka_unit_test(unconstrained_rods_are_left_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
