/* SPDX-License-Identifier: MIT */
/* Ends of a staggered rod that hubs hold: what the rod does to them is the derivative of its energy, power and momenta
   balance, blocks are derivatives, and the rod is eliminated with the hubs' motion on its right-hand side. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/ports.h"

/* ---- Forces and energy ---- */

static double elastic(port_case *it, const double *u) {
  wy_energy energy;
  move_supports(it);
  it->made.system->type->energy(it->made.system, port_time, u, &energy);
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
    system->type->rhs(system, port_time, it->u, f, NULL);
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
    port_close(it, "virtual work", got, -change, 1e-6);
  }
  free(f);
}

static void wrench_is_the_derivative_of_the_energy(void **state) {
  (void)state;
  for_all_port_cases(check_virtual_work, true, false);
}

static double total_energy(port_case *it, const double *u) {
  wy_energy energy;
  move_supports(it);
  it->made.system->type->energy(it->made.system, port_time, u, &energy);
  return energy.kinetic + energy.elastic + energy.gravity - energy.work;
}

static void on_unit_sphere(const port_case *it, double *u) {
  for (int i = 0; i < it->made.system->fields[P].count; i++) {
    double norm = 0;
    for (int k = 0; k < 4; k++)
      norm += pow(*port_entry(it, P, k, i, u), 2);
    for (int k = 0; k < 4; k++)
      *port_entry(it, P, k, i, u) /= sqrt(norm);
  }
}

/* The energy of the rod changes by the work of loads, by what is dissipated and by what the hubs get. */
static void check_power(port_case *it) {
  const double step = 1e-5;
  wy_system *system = it->made.system;
  double *f = state_array(&it->made), *moved = state_array(&it->made), power[WY_INTEGRALS], change = 0;
  const wy_port_motion home[2] = {it->at[0], it->at[1]};
  on_unit_sphere(it, it->u);
  system->type->rhs(system, port_time, it->u, f, power);
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
  port_close(it, "power", change, want, 1e-6);
  free(f), free(moved);
}

static void power_balances(void **state) {
  (void)state;
  for_all_port_cases(check_power, false, true);
  for_all_port_cases(check_power, true, false);
}

/* What the momenta of the rod lose, the hubs get: to round-off of accelerations of order 1e2. */
static void check_momenta(port_case *it) {
  const double step = 1e-5;
  wy_system *system = it->made.system;
  double *f = state_array(&it->made), *moved = state_array(&it->made), linear[3] = {0}, angular[3] = {0};
  const wy_port_motion home[2] = {it->at[0], it->at[1]};
  on_unit_sphere(it, it->u);
  system->type->rhs(system, port_time, it->u, f, NULL);
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
    system->type->momentum(system, port_time, moved, &momentum);
    wy_add3(linear, sign / (2 * step), momentum.linear);
    wy_add3(angular, sign / (2 * step), momentum.angular);
    memcpy(it->at, home, sizeof home);
  }
  move_supports(it);
  for (int k = 0; k < 3; k++) {
    port_close(it, "momentum", linear[k], 0, 1e-6);
    port_close(it, "angular momentum", angular[k], 0, 1e-6);
  }
  free(f), free(moved);
}

static void momenta_balance(void **state) {
  (void)state;
  for_all_port_cases(check_momenta, true, false);
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
      x[k] = *port_entry(it, X, k, i, it->u);
    wy_mul3(r, x, out);
    for (int k = 0; k < 3; k++)
      *port_entry(it, X, k, i, it->u) = out[k] + shift[k];
  }
  for (int i = 0; i < system->fields[P].count; i++) {
    double p[4], out[4];
    for (int k = 0; k < 4; k++)
      p[k] = *port_entry(it, P, k, i, it->u);
    wy_qmul(q, p, out);
    for (int k = 0; k < 4; k++)
      *port_entry(it, P, k, i, it->u) = out[k];
  }
  for (int end = 0; end < 2; end++) {
    double x[3], p[4];
    wy_copy3(it->at[end].x, x), memcpy(p, it->at[end].q, sizeof p);
    wy_mul3(r, x, it->at[end].x);
    wy_add3(it->at[end].x, 1, shift);
    wy_qmul(q, p, it->at[end].q);
  }
  move_supports(it);
  system->type->rhs(system, port_time, it->u, f, NULL);
  port_close(it, "acceleration", largest(f, system->size), 0, 2e-12);
  for (int end = 0; end < 2; end++)
    if (is_port(it, end)) {
      wy_port_wrench wrench;
      it->ports->wrench(system, 0, (wy_end_name)end, &wrench);
      port_close(it, "force", largest(wrench.force, 3), 0, 2e-13);
      port_close(it, "torque", largest(wrench.torque, 3), 0, 2e-13);
    }
  free(f);
}

static void undeformed_rod_rests(void **state) {
  (void)state;
  for_all_port_cases(check_rests, false, false);
}

/* Mass of rod and hubs together is that of the rod; of the rotary inertia of the end segments a quarter goes to frames,
   with what (N6) adds. */
static void hubs_get_their_share(void **state) {
  (void)state;
  for (int frame = 0; frame < 2; frame++) {
    const wy_port_hold hold = frame ? WY_PORT_FRAME : WY_PORT_PLACE;
    port_case it = make_port_case(9, (surroundings){0}, hold, hold, WY_TAN2);
    port_case whole = make_port_case(9, (surroundings){0}, WY_NO_PORT, WY_NO_PORT, WY_TAN2);
    wy_momentum rod, all;
    it.made.system->type->momentum(it.made.system, port_time, it.u, &rod);
    whole.made.system->type->momentum(whole.made.system, port_time, whole.u, &all);
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
    free_port_case(&it), free_port_case(&whole);
  }
}

/* ---- Derivatives ---- */

enum { MOTION = 12 };

static void move_inside(const port_case *it, int end, int j, double by, double *u) {
  const int vertex = port_vertex(it, end, 1), segment = port_segment(it, end);
  if (j / 3 == 1) {
    double p[4], turn[3] = {0, 0, 0};
    turn[j % 3] = 1;
    for (int k = 0; k < 4; k++)
      p[k] = *port_entry(it, P, k, segment, u);
    turn_by(p, turn, by);
    for (int k = 0; k < 4; k++)
      *port_entry(it, P, k, segment, u) = p[k];
  } else if (j / 3 == 3) {
    *port_entry(it, W, j % 3, segment, u) += by;
  } else {
    *port_entry(it, j / 3 == 0 ? X : V, j % 3, vertex, u) += by;
  }
}

/* Forces on what is next to the end, then the wrench. */
static void forces_at(port_case *it, int end, const double *u, double out[MOTION]) {
  const wy_staggered *rod = (const wy_staggered *)it->made.system;
  double *f = state_array(&it->made);
  const int vertex = port_vertex(it, end, 1), segment = port_segment(it, end);
  wy_port_wrench wrench;
  it->made.system->type->rhs(it->made.system, port_time, u, f, NULL);
  it->ports->wrench(it->made.system, 0, (wy_end_name)end, &wrench);
  for (int k = 0; k < 3; k++) {
    out[k] = rod->grid.mass[vertex] * *port_entry(it, V, k, vertex, f);
    out[3 + k] = rod->grid.inertia[k * rod->grid.stride + segment] * *port_entry(it, W, k, segment, f);
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
    it->made.system->type->jacobian(it->made.system, port_time, it->u);
    it->ports->blocks(it->made.system, 0, (wy_end_name)end, &blocks);
    double got[3][6 * MOTION], want[3][6 * MOTION] = {{0}};
    memcpy(got[0], blocks.inner_by_outer, sizeof got[0]);
    memcpy(got[1], blocks.wrench_by_outer, sizeof got[1]);
    for (int k = 0; k < 6; k++)
      memcpy(got[2] + k * MOTION, blocks.wrench_by_inner[k], sizeof blocks.wrench_by_inner[k] - 3 * sizeof(double));
    for (int j = 0; j < MOTION; j++)
      for (int sign = -1; sign <= 1; sign += 2) {
        const wy_port_motion home = it->at[end];
        double forces[MOTION];
        bool turns = (j / 3) % 2 == 1, known = it->holds[end] == WY_PORT_FRAME || !turns;
        move_port(it, end, j, sign * step);
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
  for_all_port_cases(check_blocks, false, true);
  for_all_port_cases(check_blocks, true, false);
}

/* ---- Linear systems ---- */

typedef struct shift {
  double re, im;
  bool is_complex;
} shift;

/* Motion next to an end in a vector of increments. */
static void motion_of(const port_case *it, int end, double *z, double out[MOTION]) {
  const int vertex = port_vertex(it, end, 1), segment = port_segment(it, end);
  double p[4], dp[4], norm = 0, between[4];
  for (int k = 0; k < 4; k++) {
    p[k] = *port_entry(it, P, k, segment, it->u), dp[k] = *port_entry(it, P, k, segment, z);
    norm += p[k] * p[k];
  }
  wy_qrelative(p, dp, between);
  for (int k = 0; k < 3; k++) {
    out[k] = *port_entry(it, X, k, vertex, z), out[3 + k] = 2 * between[1 + k] / norm;
    out[6 + k] = *port_entry(it, V, k, vertex, z), out[9 + k] = *port_entry(it, W, k, segment, z);
  }
}

/* Adds forces next to an end to accelerations. */
static void push_inside(const port_case *it, int end, const double forces[6], double *b) {
  const wy_staggered *rod = (const wy_staggered *)it->made.system;
  const int vertex = port_vertex(it, end, 1), segment = port_segment(it, end);
  for (int k = 0; k < 3; k++) {
    *port_entry(it, V, k, vertex, b) += forces[k] / rod->grid.mass[vertex];
    *port_entry(it, W, k, segment, b) += forces[3 + k] / rod->grid.inertia[k * rod->grid.stride + segment];
  }
}

static void clear_port_ends(const port_case *it, double *z) {
  const double none[3] = {0, 0, 0};
  for (int end = 0; end < 2; end++)
    if (is_port(it, end))
      it->ports->write(it->made.system, 0, (wy_end_name)end, none, none, z);
}

/* (sigma - J) z = b + forces: forces at ends and six columns of them at each port with any unknowns of hubs. The
   product with J is the scheme's own, which shares no code with the elimination. */
static void check_elimination(port_case *it, shift s) {
  wy_system *system = it->made.system;
  const int size = system->size;
  double *b[2], *z[2], *j[2];
  wy_port_row columns[2][2][WY_PORT_FORCES], hubs[2][2], by[2][2][2][WY_PORT_MOTION]; /* part; port that moves; where */
  double forces[2][2][WY_PORT_FORCES], first[2][2][WY_PORT_MOTION];
  unsigned seed = 31;
  for (int part = 0; part < 2; part++) {
    b[part] = state_array(&it->made), z[part] = state_array(&it->made), j[part] = state_array(&it->made);
    random_vector(&it->made, 40 + (unsigned)part, b[part]);
  }
  fill_noise(&columns[0][0][0][0], sizeof columns / sizeof(double), &seed);
  fill_noise(&forces[0][0][0], sizeof forces / sizeof(double), &seed);
  fill_noise(&hubs[0][0][0], sizeof hubs / sizeof(double), &seed);
  memset(by, 0, sizeof by);
  system->type->jacobian(system, port_time, it->u);
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
    clear_port_ends(it, b[part]);
    clear_port_ends(it, z[part]);
    system->type->multiply(system, z[part], j[part]);
  }
  for (int part = 0; part < (s.is_complex ? 2 : 1); part++) {
    double *got = state_array(&it->made);
    for (int i = 0; i < size; i++)
      got[i] = s.re * z[part][i] + (s.is_complex ? (part ? 1 : -1) * s.im * z[1 - part][i] : 0) - j[part][i];
    clear_port_ends(it, got);
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
  for_all_port_cases(check_eliminations, false, true);
  for_all_port_cases(check_eliminations, true, false);
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
      cmocka_unit_test(other_rods_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
