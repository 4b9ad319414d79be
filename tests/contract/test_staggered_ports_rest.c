/* SPDX-License-Identifier: MIT */
/* Equilibria of a staggered rod whose ends hubs hold: blocks are derivatives, the rod is eliminated, and unstable
   directions are counted with the hubs held. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/ports.h"

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
  return j < 3 ? REST * port_vertex(it, end, 1) + j : REST * port_segment(it, end) + j;
}

/* What is out of balance next to the end, then the wrench. */
static void rest_at(port_case *it, int end, const double *config, double out[REST + 6]) {
  wy_system *system = it->made.system;
  double *r = doubles(system->dofs);
  wy_port_wrench wrench;
  assert_int_equal(system->type->statics->residual(system, port_time, config, r), 0);
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
    assert_int_equal(system->type->statics->tangent(system, port_time, config), 0);
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
        move_port(it, end, j, sign * step);
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
  for_all_port_cases(check_rest_blocks, false, true);
  for_all_port_cases(check_rest_blocks, true, false);
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
  fill_noise(&columns[0][0][0], sizeof columns / sizeof(double), &seed);
  fill_noise(&hubs[0][0], sizeof hubs / sizeof(double), &seed);
  fill_noise(b, (size_t)dofs, &seed);
  memcpy(z, b, (size_t)dofs * sizeof *z);
  assert_int_equal(statics->tangent(system, port_time, config), 0);
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
    assert_int_equal(statics->residual(system, port_time, moved, r), 0);
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
      port_close(it, "displacement next to an end", z[dof_of(it, end, k)], want, 1e-11 * largest(z, dofs));
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
  for_all_port_cases(check_rest_elimination, false, true);
  for_all_port_cases(check_rest_elimination, true, false);
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
  system->type->view(system, port_time, config, &system->view);
  for (int i = 0; i < system->view.force.count; i++)
    for (int k = 0; k < 3; k++)
      config[system->size + k * x->stride + i] = system->view.force.values[3 * i + k];
  for (int end = 0; end < 2; end++) {
    wy_port_wrench moving, rest;
    if (!is_port(it, end))
      continue;
    system->type->rhs(system, port_time, config, f, NULL);
    it->ports->wrench(system, 0, (wy_end_name)end, &moving);
    assert_int_equal(system->type->statics->residual(system, port_time, config, r), 0);
    it->ports->wrench(system, 0, (wy_end_name)end, &rest);
    for (int i = 0; i < system->view.force.count; i++)
      for (int k = 0; k < 3; k++)
        port_close(it, "strain out of balance", r[REST * i + 6 + k], 0, 1e-14);
    compare_vectors(it->name, "force at rest", rest.force, moving.force, 3, 1e-13);
    for (int k = 0; k < 3; k++)
      port_close(it, "torque at rest", rest.torque[k], moving.torque[k], 1e-13);
  }
  free(config), free(f), free(r);
}

static void wrench_at_rest_is_that_of_motion(void **state) {
  (void)state;
  for_all_port_cases(check_rest_wrench, false, true);
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
      assert_int_equal(statics->tangent(system, port_time, config), 0);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_blocks_are_derivatives),
      cmocka_unit_test(rods_at_rest_are_eliminated),
      cmocka_unit_test(wrench_at_rest_is_that_of_motion),
      cmocka_unit_test(counts_are_those_of_held_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
