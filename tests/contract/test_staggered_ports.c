/* SPDX-License-Identifier: MIT */
/* Ends of a staggered rod that hubs hold: what the rod does to them is the derivative of its energy, power and momenta
   balance, blocks are derivatives, and the rod is eliminated with the hubs' motion on its right-hand side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "scheme/staggered/rod.h"
#include "support/scheme_checks.h"

/* ---- Rods ---- */

/* A rod with ports, where their supports are, and a state. */
typedef struct port_case {
  test_system made;
  const wy_port_type *ports;
  wy_port_hold holds[2];
  wy_port_motion at[2];
  double *u;
  char name[128];
} port_case;

static const double now = 0.3;

static test_system make_ports(const wy_model_def *def, const wy_solver_def *solver, const wy_port_hold holds[2]) {
  const wy_factor_needs needs = {.real = 1, .complex = 1, .equilibria = true};
  test_system made = {0};
  wy_message message = {0};
  must(wy_model_create(def, &made.model, &message), &message);
  must(wy_staggered_create(made.model, 0, solver, needs, holds, &made.memory, &made.system, &message), &message);
  assert_int_equal(wy_arena_allocate(&made.memory.saved), 0);
  assert_int_equal(wy_arena_allocate(&made.memory.scratch), 0);
  must(wy_staggered_create(made.model, 0, solver, needs, holds, &made.memory, &made.system, &message), &message);
  return made;
}

static bool is_port(const port_case *it, int end) {
  return it->holds[end] != WY_NO_PORT;
}

static void move_supports(const port_case *it) {
  for (int end = 0; end < 2; end++)
    if (is_port(it, end))
      it->ports->move(it->made.system, 0, (wy_end_name)end, &it->at[end]);
}

/* By a rotation vector in body axes. */
static void turn_by(double q[4], const double turn[3], double factor) {
  double scaled[3] = {factor * turn[0], factor * turn[1], factor * turn[2]}, step[4], out[4];
  wy_qexp(scaled, step);
  wy_qmul(q, step, out);
  memcpy(q, out, sizeof out);
}

/* Supports near where the undeformed rod ends, or exactly there and at rest. */
static void place_supports(port_case *it, double size, unsigned seed) {
  double *initial = state_array(&it->made);
  const wy_field *x = &it->made.system->fields[0];
  it->made.system->type->initial(it->made.system, initial);
  for (int end = 0; end < 2; end++) {
    const wy_rod_def *rod = wy_model_rod(it->made.model, 0);
    wy_port_motion *at = &it->at[end];
    double place[3], turn[3];
    memset(at, 0, sizeof *at);
    wy_model_reference(it->made.model, 0, end ? rod->length : 0, place, at->q);
    for (int k = 0; k < 3; k++) {
      at->x[k] = initial[x->offset + k * x->stride + (end ? rod->segments : 0)] + size * noise(&seed);
      at->v[k] = size * noise(&seed), at->w[k] = size * noise(&seed), turn[k] = size * noise(&seed);
    }
    turn_by(at->q, turn, 1);
  }
  free(initial);
}

static int vertex_of(const port_case *it, int end, int inwards) {
  const int n = it->made.system->fields[0].count - 1;
  return end ? n - inwards : inwards;
}

static int segment_of(const port_case *it, int end) {
  return end ? it->made.system->fields[1].count - 1 : 0;
}

static double *entry(const port_case *it, int field, int k, int point, double *u) {
  const wy_field *f = &it->made.system->fields[field];
  return &u[f->offset + k * f->stride + point];
}

enum { X, P, V, W };

static void write_ends(const port_case *it, double *u) {
  for (int end = 0; end < 2; end++)
    if (is_port(it, end))
      it->ports->write(it->made.system, 0, (wy_end_name)end, it->at[end].x, it->at[end].v, u);
}

typedef struct surroundings {
  bool straight, conservative, loaded;
} surroundings;

enum { STIFFENING = 7 }; /* so many segments have a law that is not linear */

static port_case make_case(int segments, surroundings with, wy_port_hold start, wy_port_hold end,
                           wy_curvature_measure measure) {
  port_case it = {.ports = &wy_staggered_port_type, .holds = {start, end}};
  wy_rod_def rod = rich_rod(segments);
  wy_load_def loads[RICH_LOADS + 2];
  wy_model_def model = wy_default_model_def();
  wy_solver_def solver = wy_default_solver_def();
  rich_loads(loads);
  for (int i = RICH_LOADS; i < RICH_LOADS + 2; i++) { /* the other end: one at it, one within the first half cell */
    loads[i] = loads[i - RICH_LOADS];
    loads[i].place = i % 2 ? WY_AT_START : WY_AT_ARC;
    loads[i].from = 0.05;
  }
  for (int k = 0; with.straight && k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  for (int k = 0; with.conservative && k < 6; k++)
    rod.damping.coefficient[k] = wy_constant(0);
  if (with.conservative)
    rod.drag = (wy_drag){0, 0};
  if (segments == STIFFENING)
    rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.8};
  model.rods = &rod, model.rod_count = 1;
  model.loads = loads, model.load_count = with.loaded ? RICH_LOADS + 2 : 0;
  if (with.loaded)
    model.gravity[0] = 0.4, model.gravity[2] = -1.1;
  solver.staggered.curvature_measure = measure;
  it.made = make_ports(&model, &solver, it.holds);
  snprintf(it.name, sizeof it.name, "%d segments, %s%s%s, start %d, end %d, measure %d", segments,
           with.straight ? "straight" : "curved", with.conservative ? ", conservative" : "",
           with.loaded ? ", loaded" : "", (int)start, (int)end, (int)measure);
  it.u = state_array(&it.made);
  disturbed_state(&it.made, 0.15, 7, it.u);
  place_supports(&it, 0.15, 21);
  move_supports(&it);
  write_ends(&it, it.u);
  return it;
}

static void free_case(port_case *it) {
  free(it->u);
  free_system(&it->made);
}

typedef void case_check(port_case *it);

static void close_to(const port_case *it, const char *what, double got, double want, double tolerance) {
  if (!(fabs(got - want) <= tolerance))
    fail_msg("%s: %s is %.12g instead of %.12g", it->name, what, got, want);
}

static void for_all_cases(case_check *check, bool conservative, bool loaded) {
  static const wy_port_hold holds[][2] = {{WY_PORT_FRAME, WY_NO_PORT},    {WY_NO_PORT, WY_PORT_FRAME},
                                          {WY_PORT_PLACE, WY_NO_PORT},    {WY_NO_PORT, WY_PORT_PLACE},
                                          {WY_PORT_FRAME, WY_PORT_FRAME}, {WY_PORT_PLACE, WY_PORT_FRAME}};
  static const int segments[] = {2, 6, STIFFENING, 9};
  int measure = WY_SIN2;
  for (size_t i = 0; i < sizeof holds / sizeof holds[0]; i++)
    for (int straight = 0; straight < 2; straight++)
      for (int n = 0; n < 4; n++) {
        port_case it = make_case(segments[n], (surroundings){straight, conservative, loaded}, holds[i][0], holds[i][1],
                                 (wy_curvature_measure)measure);
        check(&it);
        free_case(&it);
        measure = measure == WY_ANGLE ? WY_SIN2 : measure + 1;
      }
}

/* ---- Forces and energy ---- */

static double elastic(port_case *it, const double *u) {
  wy_energy energy;
  move_supports(it);
  it->made.system->type->energy(it->made.system, now, u, &energy);
  return energy.elastic;
}

/* The virtual work of the wrench on a support that is displaced is what the elastic energy loses. Differences of step
   1e-4 of an energy of order 1: (1e-4)^2 and 1e-16 / 1e-4. */
static void check_virtual_work(port_case *it) {
  const double step = 1e-4;
  wy_system *system = it->made.system;
  double *f = state_array(&it->made);
  unsigned seed = 5;
  for (int end = 0; end < 2; end++) {
    wy_port_wrench wrench;
    const wy_port_motion home = it->at[end];
    double dx[3], theta[3], got = 0, change = 0;
    if (!is_port(it, end))
      continue;
    system->type->rhs(system, now, it->u, f, NULL);
    it->ports->wrench(system, 0, (wy_end_name)end, &wrench);
    for (int k = 0; k < 3; k++) {
      dx[k] = noise(&seed), theta[k] = it->holds[end] == WY_PORT_FRAME ? noise(&seed) : 0;
      got += wrench.force[k] * dx[k] + wrench.torque[k] * theta[k];
    }
    for (int sign = -1; sign <= 1; sign += 2) {
      wy_add3(it->at[end].x, sign * step, dx);
      turn_by(it->at[end].q, theta, sign * step);
      change += sign * elastic(it, it->u) / (2 * step);
      it->at[end] = home;
    }
    move_supports(it);
    close_to(it, "virtual work", got, -change, 1e-6);
  }
  free(f);
}

static void wrench_is_the_derivative_of_the_energy(void **state) {
  (void)state;
  for_all_cases(check_virtual_work, true, false);
}

static double total_energy(port_case *it, const double *u) {
  wy_energy energy;
  move_supports(it);
  it->made.system->type->energy(it->made.system, now, u, &energy);
  return energy.kinetic + energy.elastic + energy.gravity - energy.work;
}

static void on_unit_sphere(const port_case *it, double *u) {
  for (int i = 0; i < it->made.system->fields[P].count; i++) {
    double norm = 0;
    for (int k = 0; k < 4; k++)
      norm += pow(*entry(it, P, k, i, u), 2);
    for (int k = 0; k < 4; k++)
      *entry(it, P, k, i, u) /= sqrt(norm);
  }
}

/* The energy of the rod changes by the work of loads, by what is dissipated and by what the hubs get. */
static void check_power(port_case *it) {
  const double step = 1e-5;
  wy_system *system = it->made.system;
  double *f = state_array(&it->made), *moved = state_array(&it->made), power[WY_INTEGRALS], change = 0;
  const wy_port_motion home[2] = {it->at[0], it->at[1]};
  on_unit_sphere(it, it->u);
  system->type->rhs(system, now, it->u, f, power);
  double want = power[WY_WORK_INTEGRAL] - power[WY_DISSIPATION_INTEGRAL];
  for (int end = 0; end < 2; end++)
    if (is_port(it, end)) {
      wy_port_wrench wrench;
      it->ports->wrench(system, 0, (wy_end_name)end, &wrench);
      want -= wy_dot3(wrench.force, it->at[end].v) + wy_dot3(wrench.torque, it->at[end].w);
    }
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int i = 0; i < system->size; i++)
      moved[i] = it->u[i] + sign * step * f[i];
    for (int end = 0; end < 2; end++) {
      wy_add3(it->at[end].x, sign * step, it->at[end].v);
      turn_by(it->at[end].q, it->at[end].w, sign * step);
    }
    change += sign * total_energy(it, moved) / (2 * step);
    memcpy(it->at, home, sizeof home);
  }
  move_supports(it);
  close_to(it, "power", change, want, 1e-6);
  free(f), free(moved);
}

static void power_balances(void **state) {
  (void)state;
  for_all_cases(check_power, false, true);
  for_all_cases(check_power, true, false);
}

/* What the momenta of the rod lose, the hubs get: to round-off of accelerations of order 1e2. */
static void check_momenta(port_case *it) {
  const double step = 1e-5;
  wy_system *system = it->made.system;
  double *f = state_array(&it->made), *moved = state_array(&it->made), linear[3] = {0}, angular[3] = {0};
  const wy_port_motion home[2] = {it->at[0], it->at[1]};
  on_unit_sphere(it, it->u);
  system->type->rhs(system, now, it->u, f, NULL);
  for (int end = 0; end < 2; end++)
    if (is_port(it, end)) {
      wy_port_wrench wrench;
      double moment[3], r[9], space[3];
      it->ports->wrench(system, 0, (wy_end_name)end, &wrench);
      wy_cross3(it->at[end].x, wrench.force, moment);
      wy_qmatrix(it->at[end].q, r);
      wy_mul3(r, wrench.torque, space);
      wy_add3(linear, 1, wrench.force), wy_add3(angular, 1, moment), wy_add3(angular, 1, space);
    }
  for (int sign = -1; sign <= 1; sign += 2) {
    wy_momentum momentum;
    for (int i = 0; i < system->size; i++)
      moved[i] = it->u[i] + sign * step * f[i];
    for (int end = 0; end < 2; end++) {
      wy_add3(it->at[end].x, sign * step, it->at[end].v);
      turn_by(it->at[end].q, it->at[end].w, sign * step);
    }
    move_supports(it);
    system->type->momentum(system, now, moved, &momentum);
    wy_add3(linear, sign / (2 * step), momentum.linear);
    wy_add3(angular, sign / (2 * step), momentum.angular);
    memcpy(it->at, home, sizeof home);
  }
  move_supports(it);
  for (int k = 0; k < 3; k++) {
    close_to(it, "momentum", linear[k], 0, 1e-6);
    close_to(it, "angular momentum", angular[k], 0, 1e-6);
  }
  free(f), free(moved);
}

static void momenta_balance(void **state) {
  (void)state;
  for_all_cases(check_momenta, true, false);
}

/* ---- The undeformed rod, and what goes to the hubs ---- */

/* Moved rigidly with its supports an unloaded rod has no strain: nothing accelerates but by the motion itself, which
   there is none of, and hubs feel nothing. */
static void check_rests(port_case *it) {
  wy_system *system = it->made.system;
  double *f = state_array(&it->made), turn[3] = {0.4, -0.7, 0.9}, shift[3] = {0.3, -0.2, 0.5}, q[4], r[9];
  wy_qexp(turn, q);
  wy_qmatrix(q, r);
  system->type->initial(system, it->u);
  place_supports(it, 0, 1);
  for (int i = 0; i < system->fields[X].count; i++) {
    double x[3], out[3];
    for (int k = 0; k < 3; k++)
      x[k] = *entry(it, X, k, i, it->u);
    wy_mul3(r, x, out);
    for (int k = 0; k < 3; k++)
      *entry(it, X, k, i, it->u) = out[k] + shift[k];
  }
  for (int i = 0; i < system->fields[P].count; i++) {
    double p[4], out[4];
    for (int k = 0; k < 4; k++)
      p[k] = *entry(it, P, k, i, it->u);
    wy_qmul(q, p, out);
    for (int k = 0; k < 4; k++)
      *entry(it, P, k, i, it->u) = out[k];
  }
  for (int end = 0; end < 2; end++) {
    double x[3], p[4];
    wy_copy3(it->at[end].x, x), memcpy(p, it->at[end].q, sizeof p);
    wy_mul3(r, x, it->at[end].x);
    wy_add3(it->at[end].x, 1, shift);
    wy_qmul(q, p, it->at[end].q);
  }
  move_supports(it);
  system->type->rhs(system, now, it->u, f, NULL);
  close_to(it, "acceleration", largest(f, system->size), 0, 2e-12);
  for (int end = 0; end < 2; end++)
    if (is_port(it, end)) {
      wy_port_wrench wrench;
      it->ports->wrench(system, 0, (wy_end_name)end, &wrench);
      close_to(it, "force", largest(wrench.force, 3), 0, 2e-13);
      close_to(it, "torque", largest(wrench.torque, 3), 0, 2e-13);
    }
  free(f);
}

static void undeformed_rod_rests(void **state) {
  (void)state;
  for_all_cases(check_rests, false, false);
}

/* Mass of rod and hubs together is that of the rod; of the rotary inertia of the end segments a quarter goes to frames,
   with what (N6) adds. */
static void hubs_get_their_share(void **state) {
  (void)state;
  for (int frame = 0; frame < 2; frame++) {
    const wy_port_hold hold = frame ? WY_PORT_FRAME : WY_PORT_PLACE;
    port_case it = make_case(9, (surroundings){0}, hold, hold, WY_TAN2);
    port_case whole = make_case(9, (surroundings){0}, WY_NO_PORT, WY_NO_PORT, WY_TAN2);
    wy_momentum rod, all;
    it.made.system->type->momentum(it.made.system, now, it.u, &rod);
    whole.made.system->type->momentum(whole.made.system, now, whole.u, &all);
    const double h = 2.0 / 9, rotary[3] = {0.11, 0.17, 0.25};
    for (int end = 0; end < 2; end++) {
      const double taper = 1 + 0.3 * (end ? 2 - 0.5 * h : 0.5 * h);
      double mass, weighed, share[3];
      it.ports->inertia(it.made.system, 0, (wy_end_name)end, &mass, &weighed, share);
      check_close(mass, 0.5 * h * 1.3 * taper, 1e-14);
      check_close(weighed, mass, 0);
      for (int k = 0; k < 3; k++)
        check_close(share[k], frame ? 0.25 * h * taper * rotary[k] + (k < 2 ? 1.3 * taper * h * h * h / 24 : 0) : 0,
                    1e-14);
      rod.mass += mass;
    }
    check_close(rod.mass, all.mass, 1e-14);
    free_case(&it), free_case(&whole);
  }
}

/* ---- Derivatives ---- */

enum { MOTION = 12 };

/* Component j of a motion (dx, theta, dv, dOmega) of the support of an end, or of what is next to it. */
static void move_outside(port_case *it, int end, int j, double by) {
  wy_port_motion *at = &it->at[end];
  double turn[3] = {0, 0, 0};
  turn[j % 3] = 1;
  if (j / 3 == 0)
    at->x[j % 3] += by;
  else if (j / 3 == 1)
    turn_by(at->q, turn, by);
  else
    (j / 3 == 2 ? at->v : at->w)[j % 3] += by;
  move_supports(it);
}

static void move_inside(const port_case *it, int end, int j, double by, double *u) {
  const int vertex = vertex_of(it, end, 1), segment = segment_of(it, end);
  if (j / 3 == 1) {
    double p[4], turn[3] = {0, 0, 0};
    turn[j % 3] = 1;
    for (int k = 0; k < 4; k++)
      p[k] = *entry(it, P, k, segment, u);
    turn_by(p, turn, by);
    for (int k = 0; k < 4; k++)
      *entry(it, P, k, segment, u) = p[k];
  } else if (j / 3 == 3) {
    *entry(it, W, j % 3, segment, u) += by;
  } else {
    *entry(it, j / 3 == 0 ? X : V, j % 3, vertex, u) += by;
  }
}

/* Forces on what is next to the end, then the wrench. */
static void forces_at(port_case *it, int end, const double *u, double out[MOTION]) {
  const wy_staggered *rod = (const wy_staggered *)it->made.system;
  double *f = state_array(&it->made);
  const int vertex = vertex_of(it, end, 1), segment = segment_of(it, end);
  wy_port_wrench wrench;
  it->made.system->type->rhs(it->made.system, now, u, f, NULL);
  it->ports->wrench(it->made.system, 0, (wy_end_name)end, &wrench);
  for (int k = 0; k < 3; k++) {
    out[k] = rod->grid.mass[vertex] * *entry(it, V, k, vertex, f);
    out[3 + k] = rod->grid.inertia[k * rod->grid.stride + segment] * *entry(it, W, k, segment, f);
    out[6 + k] = wrench.force[k], out[9 + k] = wrench.torque[k];
  }
  free(f);
}

/* Differences of step 1e-5: about (1e-5)^2 and 1e-15 / 1e-5 of forces of order 10. */
static void check_blocks(port_case *it) {
  const double step = 1e-5;
  double *moved = state_array(&it->made);
  for (int end = 0; end < 2; end++) {
    wy_port_blocks blocks;
    if (!is_port(it, end))
      continue;
    it->made.system->type->jacobian(it->made.system, now, it->u);
    it->ports->blocks(it->made.system, 0, (wy_end_name)end, &blocks);
    double got[3][6 * MOTION], want[3][6 * MOTION] = {{0}};
    memcpy(got[0], blocks.inner_by_outer, sizeof got[0]);
    memcpy(got[1], blocks.wrench_by_outer, sizeof got[1]);
    memcpy(got[2], blocks.wrench_by_inner, sizeof got[2]);
    for (int j = 0; j < MOTION; j++)
      for (int sign = -1; sign <= 1; sign += 2) {
        const wy_port_motion home = it->at[end];
        double forces[MOTION];
        bool turns = (j / 3) % 2 == 1, known = it->holds[end] == WY_PORT_FRAME || !turns;
        move_outside(it, end, j, sign * step);
        forces_at(it, end, it->u, forces);
        it->at[end] = home;
        move_supports(it);
        for (int k = 0; known && k < 6; k++) {
          want[0][k * MOTION + j] += sign * forces[k] / (2 * step);
          want[1][k * MOTION + j] += sign * forces[6 + k] / (2 * step);
        }
        memcpy(moved, it->u, (size_t)it->made.system->size * sizeof *moved);
        move_inside(it, end, j, sign * step, moved);
        forces_at(it, end, moved, forces);
        for (int k = 0; k < 6; k++)
          want[2][k * MOTION + j] += sign * forces[6 + k] / (2 * step);
      }
    static const char *const names[] = {"inner forces by outer motion", "wrench by outer motion",
                                        "wrench by inner motion"};
    for (int which = 0; which < 3; which++)
      compare_vectors(it->name, names[which], got[which], want[which], 6 * MOTION, 1e-7);
  }
  free(moved);
}

static void blocks_are_derivatives(void **state) {
  (void)state;
  for_all_cases(check_blocks, false, true);
  for_all_cases(check_blocks, true, false);
}

/* ---- Linear systems ---- */

typedef struct shift {
  double re, im;
  bool is_complex;
} shift;

/* Motion next to an end in a vector of increments. */
static void motion_of(const port_case *it, int end, double *z, double out[MOTION]) {
  const int vertex = vertex_of(it, end, 1), segment = segment_of(it, end);
  double p[4], dp[4], norm = 0, between[4];
  for (int k = 0; k < 4; k++) {
    p[k] = *entry(it, P, k, segment, it->u), dp[k] = *entry(it, P, k, segment, z);
    norm += p[k] * p[k];
  }
  wy_qrelative(p, dp, between);
  for (int k = 0; k < 3; k++) {
    out[k] = *entry(it, X, k, vertex, z), out[3 + k] = 2 * between[1 + k] / norm;
    out[6 + k] = *entry(it, V, k, vertex, z), out[9 + k] = *entry(it, W, k, segment, z);
  }
}

/* Adds forces next to an end to accelerations. */
static void push_inside(const port_case *it, int end, const double forces[6], double *b) {
  const wy_staggered *rod = (const wy_staggered *)it->made.system;
  const int vertex = vertex_of(it, end, 1), segment = segment_of(it, end);
  for (int k = 0; k < 3; k++) {
    *entry(it, V, k, vertex, b) += forces[k] / rod->grid.mass[vertex];
    *entry(it, W, k, segment, b) += forces[3 + k] / rod->grid.inertia[k * rod->grid.stride + segment];
  }
}

static void clear_ends(const port_case *it, double *z) {
  const double none[3] = {0, 0, 0};
  for (int end = 0; end < 2; end++)
    if (is_port(it, end))
      it->ports->write(it->made.system, 0, (wy_end_name)end, none, none, z);
}

static void fill(double *a, size_t count, unsigned *seed) {
  for (size_t i = 0; i < count; i++)
    a[i] = noise(seed);
}

/* (sigma - J) z = b + forces: forces at ends and six columns of them at each port with any unknowns of hubs. The
   product with J is the scheme's own, which shares no code with the elimination. */
static void check_elimination(port_case *it, shift s) {
  wy_system *system = it->made.system;
  const int size = system->size;
  double *b[2], *z[2], *j[2];
  wy_port_row columns[2][2][6], hubs[2][2], by[2][2][2][MOTION]; /* part; port that moves; where */
  double forces[2][2][6], first[2][2][MOTION];
  unsigned seed = 31;
  for (int part = 0; part < 2; part++) {
    b[part] = state_array(&it->made), z[part] = state_array(&it->made), j[part] = state_array(&it->made);
    random_vector(&it->made, 40 + (unsigned)part, b[part]);
  }
  fill(&columns[0][0][0][0], sizeof columns / sizeof(double), &seed);
  fill(&forces[0][0][0], sizeof forces / sizeof(double), &seed);
  fill(&hubs[0][0][0], sizeof hubs / sizeof(double), &seed);
  memset(by, 0, sizeof by);
  system->type->jacobian(system, now, it->u);
  assert_int_equal(
      s.is_complex ? system->type->factor_complex(system, 0, s.re, s.im) : system->type->factor(system, 0, s.re), 0);
  for (int end = 0; end < 2; end++)
    if (is_port(it, end))
      it->ports->condense(system, 0, 0, (wy_end_name)end, columns[0][end], s.is_complex ? columns[1][end] : NULL,
                          by[0][end], s.is_complex ? by[1][end] : NULL);
  it->ports->condense_rhs(system, 0, b[0], s.is_complex ? b[1] : NULL, &forces[0], s.is_complex ? &forces[1] : NULL,
                          &first[0], s.is_complex ? &first[1] : NULL);
  it->ports->expand(system, 0, &hubs[0], s.is_complex ? &hubs[1] : NULL, z[0], s.is_complex ? z[1] : NULL);
  for (int part = 0; part < 2; part++) {
    clear_ends(it, b[part]);
    clear_ends(it, z[part]);
    system->type->multiply(system, z[part], j[part]);
  }
  for (int part = 0; part < (s.is_complex ? 2 : 1); part++) {
    double *got = state_array(&it->made);
    for (int i = 0; i < size; i++)
      got[i] = s.re * z[part][i] + (s.is_complex ? (part ? 1 : -1) * s.im * z[1 - part][i] : 0) - j[part][i];
    clear_ends(it, got);
    for (int end = 0; end < 2; end++) {
      double all[6], motion[MOTION], want[MOTION];
      if (!is_port(it, end))
        continue;
      for (int k = 0; k < 6; k++) {
        all[k] = forces[part][end][k];
        for (int c = 0; c < WY_PORT_COLUMNS; c++)
          all[k] += columns[0][end][k][c] * hubs[part][end][c] +
                    (s.is_complex ? (part ? 1 : -1) * columns[1][end][k][c] * hubs[1 - part][end][c] : 0);
      }
      push_inside(it, end, all, b[part]);
      motion_of(it, end, z[part], motion);
      for (int k = 0; k < MOTION; k++) {
        want[k] = first[part][end][k];
        for (int from = 0; from < 2; from++)
          for (int c = 0; is_port(it, from) && c < WY_PORT_COLUMNS; c++)
            want[k] += by[0][from][end][k][c] * hubs[part][from][c] +
                       (s.is_complex ? (part ? 1 : -1) * by[1][from][end][k][c] * hubs[1 - part][from][c] : 0);
      }
      compare_vectors(it->name, "motion next to an end", motion, want, MOTION, 1e-11);
    }
    compare_vectors(it->name, s.is_complex ? "complex elimination" : "real elimination", got, b[part], size, 1e-10);
    free(got);
  }
  for (int part = 0; part < 2; part++)
    free(b[part]), free(z[part]), free(j[part]);
}

static void check_eliminations(port_case *it) {
  check_elimination(it, (shift){.re = 7});
  check_elimination(it, (shift){.re = 5, .im = 8, .is_complex = true});
}

static void rods_are_eliminated(void **state) {
  (void)state;
  for_all_cases(check_eliminations, false, true);
  for_all_cases(check_eliminations, true, false);
}

/* ---- Equilibria ---- */

enum { REST = 9 };

/* A configuration away from the undeformed one, with section forces of any size. */
static double *disturbed_config(port_case *it, unsigned seed) {
  wy_system *system = it->made.system;
  double *config = doubles(system->config_size), *d = doubles(system->dofs);
  system->type->statics->apply(system, true, 0.7, 1);
  system->type->statics->undeformed(system, config);
  for (int i = 0; i < system->dofs; i++)
    d[i] = noise(&seed);
  system->type->statics->displace(system, config, d, 0.1, config);
  for (int end = 0; end < 2; end++)
    memset(it->at[end].v, 0, sizeof it->at[end].v), memset(it->at[end].w, 0, sizeof it->at[end].w);
  move_supports(it);
  free(d);
  return config;
}

/* Degree of freedom j next to an end, or beside it: (dx, theta, dF). */
static int dof_of(const port_case *it, int end, int j) {
  return j < 3 ? REST * vertex_of(it, end, 1) + j : REST * segment_of(it, end) + j;
}

/* What is out of balance next to the end, then the wrench. */
static void rest_at(port_case *it, int end, const double *config, double out[REST + 6]) {
  wy_system *system = it->made.system;
  double *r = doubles(system->dofs);
  wy_port_wrench wrench;
  assert_int_equal(system->type->statics->residual(system, now, config, r), 0);
  it->ports->wrench(system, 0, (wy_end_name)end, &wrench);
  for (int k = 0; k < REST; k++)
    out[k] = r[dof_of(it, end, k)];
  memcpy(out + REST, wrench.force, sizeof wrench.force);
  memcpy(out + REST + 3, wrench.torque, sizeof wrench.torque);
  free(r);
}

static void check_rest_blocks(port_case *it) {
  const double step = 1e-5;
  wy_system *system = it->made.system;
  double *config = disturbed_config(it, 3), *moved = doubles(system->config_size), *d = doubles(system->dofs);
  for (int end = 0; end < 2; end++) {
    wy_port_rest_blocks blocks;
    double inner[REST][6] = {{0}}, by_inner[6][REST] = {{0}}, by_outer[6][6] = {{0}}, out[REST + 6];
    if (!is_port(it, end))
      continue;
    assert_int_equal(system->type->statics->tangent(system, now, config), 0);
    it->ports->rest_blocks(system, 0, (wy_end_name)end, &blocks);
    for (int j = 0; j < REST; j++)
      for (int sign = -1; sign <= 1; sign += 2) {
        const wy_port_motion home = it->at[end];
        d[dof_of(it, end, j)] = 1;
        system->type->statics->displace(system, config, d, sign * step, moved);
        d[dof_of(it, end, j)] = 0;
        rest_at(it, end, moved, out);
        for (int k = 0; k < 6; k++)
          by_inner[k][j] += sign * out[REST + k] / (2 * step);
        if (j >= (it->holds[end] == WY_PORT_FRAME ? 6 : 3))
          continue;
        move_outside(it, end, j, sign * step);
        rest_at(it, end, config, out);
        it->at[end] = home;
        move_supports(it);
        for (int k = 0; k < REST; k++)
          inner[k][j] += sign * out[k] / (2 * step);
        for (int k = 0; k < 6; k++)
          by_outer[k][j] += sign * out[REST + k] / (2 * step);
      }
    compare_vectors(it->name, "residual by outer motion", &blocks.inner_by_outer[0][0], &inner[0][0], REST * 6, 1e-7);
    compare_vectors(it->name, "wrench at rest by inner motion", &blocks.wrench_by_inner[0][0], &by_inner[0][0],
                    REST * 6, 1e-7);
    compare_vectors(it->name, "wrench at rest by outer motion", &blocks.wrench_by_outer[0][0], &by_outer[0][0], 36,
                    1e-7);
  }
  free(config), free(moved), free(d);
}

static void rest_blocks_are_derivatives(void **state) {
  (void)state;
  for_all_cases(check_rest_blocks, false, true);
  for_all_cases(check_rest_blocks, true, false);
}

/* (K - mu M) z = b + columns: K z by differences of the residual, as above. */
static void check_rest_elimination(port_case *it) {
  const double step = 1e-5, mu = -0.3;
  wy_system *system = it->made.system;
  const wy_statics_type *statics = system->type->statics;
  const int dofs = system->dofs;
  double *config = disturbed_config(it, 3), *moved = doubles(system->config_size), *b = doubles(dofs),
         *z = doubles(dofs), *got = doubles(dofs), *r = doubles(dofs);
  wy_port_row columns[2][REST], hubs[2], by[2][2][REST];
  double inner[2][REST];
  unsigned seed = 17;
  fill(&columns[0][0][0], sizeof columns / sizeof(double), &seed);
  fill(&hubs[0][0], sizeof hubs / sizeof(double), &seed);
  fill(b, (size_t)dofs, &seed);
  memcpy(z, b, (size_t)dofs * sizeof *z);
  assert_int_equal(statics->tangent(system, now, config), 0);
  assert_int_equal(statics->factor(system, mu), 0);
  for (int end = 0; end < 2; end++)
    if (is_port(it, end))
      it->ports->rest_condense(system, 0, (wy_end_name)end, columns[end], by[end]);
  it->ports->rest_condense_rhs(system, z, &inner);
  it->ports->rest_expand(system, &hubs, z);
  statics->mass_times(system, z, got);
  for (int i = 0; i < dofs; i++)
    got[i] *= -mu;
  for (int sign = -1; sign <= 1; sign += 2) {
    statics->displace(system, config, z, sign * step, moved);
    assert_int_equal(statics->residual(system, now, moved, r), 0);
    for (int i = 0; i < dofs; i++)
      got[i] -= sign * r[i] / (2 * step);
  }
  for (int end = 0; end < 2; end++)
    for (int k = 0; is_port(it, end) && k < REST; k++) {
      double want = inner[end][k];
      for (int c = 0; c < WY_PORT_COLUMNS; c++) {
        b[dof_of(it, end, k)] += columns[end][k][c] * hubs[end][c];
        for (int from = 0; from < 2; from++)
          want += is_port(it, from) ? by[from][end][k][c] * hubs[from][c] : 0;
      }
      close_to(it, "displacement next to an end", z[dof_of(it, end, k)], want, 1e-11 * largest(z, dofs));
    }
  for (int end = 0; end < 2; end++)
    if (is_port(it, end)) {
      const double none[3] = {0, 0, 0};
      it->ports->rest_write(system, 0, (wy_end_name)end, none, b);
    }
  compare_vectors(it->name, "elimination at rest", got, b, dofs, 1e-6 * fmax(1, largest(z, dofs)));
  free(config), free(moved), free(b), free(z), free(got), free(r);
}

static void rods_at_rest_are_eliminated(void **state) {
  (void)state;
  for_all_cases(check_rest_elimination, false, true);
  for_all_cases(check_rest_elimination, true, false);
}

/* With the section forces that belong to its strains, a configuration does to hubs what the state at rest does. */
static void check_rest_wrench(port_case *it) {
  wy_system *system = it->made.system;
  double *config = doubles(system->config_size), *f = state_array(&it->made), *r = doubles(system->dofs);
  const wy_field *x = &system->fields[X];
  for (int end = 0; end < 2; end++)
    memset(it->at[end].v, 0, sizeof it->at[end].v), memset(it->at[end].w, 0, sizeof it->at[end].w);
  move_supports(it);
  memcpy(config, it->u, (size_t)system->fields[V].offset * sizeof *config);
  system->type->view(system, now, config, &system->view);
  for (int i = 0; i < system->view.force.count; i++)
    for (int k = 0; k < 3; k++)
      config[system->size + k * x->stride + i] = system->view.force.values[3 * i + k];
  for (int end = 0; end < 2; end++) {
    wy_port_wrench moving, rest;
    if (!is_port(it, end))
      continue;
    system->type->rhs(system, now, config, f, NULL);
    it->ports->wrench(system, 0, (wy_end_name)end, &moving);
    assert_int_equal(system->type->statics->residual(system, now, config, r), 0);
    it->ports->wrench(system, 0, (wy_end_name)end, &rest);
    for (int i = 0; i < system->view.force.count; i++)
      for (int k = 0; k < 3; k++)
        close_to(it, "strain out of balance", r[REST * i + 6 + k], 0, 1e-14);
    compare_vectors(it->name, "force at rest", rest.force, moving.force, 3, 1e-13);
    for (int k = 0; k < 3; k++)
      close_to(it, "torque at rest", rest.torque[k], moving.torque[k], 1e-13);
  }
  free(config), free(f), free(r);
}

static void wrench_at_rest_is_that_of_motion(void **state) {
  (void)state;
  for_all_cases(check_rest_wrench, false, true);
}

/* With hubs held a rod has the directions and the counts of one whose ends are pinned or clamped. */
static void counts_are_those_of_held_ends(void **state) {
  (void)state;
  for (int frame = 0; frame < 2; frame++) {
    wy_rod_def rod = rich_rod(9);
    wy_model_def model = wy_default_model_def();
    wy_solver_def solver = wy_default_solver_def();
    const wy_port_hold hold = frame ? WY_PORT_FRAME : WY_PORT_PLACE, ports[2] = {hold, hold},
                       none[2] = {WY_NO_PORT, WY_NO_PORT};
    for (int k = 0; k < 3; k++)
      rod.shape.curvature[k] = wy_constant(0);
    model.rods = &rod, model.rod_count = 1;
    test_system joined = make_ports(&model, &solver, ports);
    rod.ends[0] = rod.ends[1] = frame ? wy_end_clamped() : wy_end_pinned();
    test_system held = make_ports(&model, &solver, none);
    int found[2][4], directions[2];
    static const double shifts[4] = {-1, 0.5, 3, 6};
    for (int which = 0; which < 2; which++) {
      wy_system *system = which ? held.system : joined.system;
      const wy_statics_type *statics = system->type->statics;
      double *config = doubles(system->config_size);
      statics->apply(system, true, 1, 1);
      statics->undeformed(system, config);
      assert_int_equal(statics->tangent(system, now, config), 0);
      directions[which] = statics->directions(system);
      for (int i = 0; i < 4; i++)
        assert_int_equal(statics->negative(system, shifts[i], &found[which][i]), 0);
      free(config);
    }
    assert_int_equal(directions[0], directions[1]);
    for (int i = 0; i < 4; i++)
      assert_int_equal(found[0][i], found[1][i]);
    assert_int_equal(found[0][0], 0);
    assert_true(found[0][3] > found[0][1]);
    free_system(&joined), free_system(&held);
  }
}

/* ---- What has no ports ---- */

static void refuses(const wy_rod_def *rod, const wy_solver_def *solver, const char *what) {
  const wy_port_hold holds[2] = {WY_PORT_FRAME, WY_NO_PORT};
  const wy_factor_needs needs = {0};
  wy_model_def def = wy_default_model_def();
  wy_memory memory = {0};
  wy_model *model;
  wy_system *system;
  wy_message message = {0};
  def.rods = rod, def.rod_count = 1;
  must(wy_model_create(&def, &model, &message), &message);
  assert_int_equal(wy_staggered_create(model, 0, solver, needs, holds, &memory, &system, &message), WY_ERROR_SUPPORT);
  assert_non_null(strstr(message.text, what));
  wy_model_destroy(model);
}

static void other_rods_are_refused(void **state) {
  (void)state;
  wy_solver_def solver = wy_default_solver_def(), absolute = solver;
  wy_rod_def rod = rich_rod(9);
  absolute.staggered.coordinates = WY_ABSOLUTE;
  refuses(&rod, &absolute, "coordinates");
  const wy_maxwell branch = {0.5, 1};
  rod.maxwell_count = 1, rod.maxwell = &branch;
  refuses(&rod, &solver, "maxwell");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrench_is_the_derivative_of_the_energy),
      cmocka_unit_test(power_balances),
      cmocka_unit_test(momenta_balance),
      cmocka_unit_test(undeformed_rod_rests),
      cmocka_unit_test(hubs_get_their_share),
      cmocka_unit_test(blocks_are_derivatives),
      cmocka_unit_test(rods_are_eliminated),
      cmocka_unit_test(rest_blocks_are_derivatives),
      cmocka_unit_test(rods_at_rest_are_eliminated),
      cmocka_unit_test(wrench_at_rest_is_that_of_motion),
      cmocka_unit_test(counts_are_those_of_held_ends),
      cmocka_unit_test(other_rods_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
