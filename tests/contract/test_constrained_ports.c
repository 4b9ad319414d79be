/* SPDX-License-Identifier: MIT */
/* Constrained rods whose ends hubs hold: forces by the accelerations of hubs, constraints with hubs that move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "scheme/staggered/rod.h"
#include "support/scheme_checks.h"

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

/* Ends of ports stand where the disturbed state has them. */
static port_case make_case(wy_rod_kind kind, int segments, bool straight, wy_port_hold start, wy_port_hold end) {
  port_case it = {.ports = &wy_staggered_port_type, .holds = {start, end}};
  wy_rod_def rod = rich_rod(segments);
  wy_model_def model = wy_default_model_def();
  const wy_solver_def solver = wy_default_solver_def();
  unsigned seed = 21;
  rod.kind = kind;
  for (int k = 0; straight && k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  model.rods = &rod, model.rod_count = 1;
  it.made = make_ports(&model, &solver, it.holds);
  snprintf(it.name, sizeof it.name, "kind %d, %d segments, %s, start %d, end %d", (int)kind, segments,
           straight ? "straight" : "curved", (int)start, (int)end);
  it.u = state_array(&it.made);
  disturbed_state(&it.made, 0.15, 7, it.u);
  const wy_field *x = &it.made.system->fields[0], *v = &it.made.system->fields[2];
  for (int at = 0; at < 2; at++) {
    wy_port_motion *motion = &it.at[at];
    double place[3];
    wy_model_reference(it.made.model, 0, at ? rod.length : 0, place, motion->q);
    for (int k = 0; k < 3; k++) {
      motion->x[k] = it.u[x->offset + k * x->stride + (at ? segments : 0)];
      motion->v[k] = it.u[v->offset + k * v->stride + (at ? segments : 0)];
      motion->w[k] = 0.1 * noise(&seed);
    }
  }
  move_supports(&it);
  return it;
}

static void free_case(port_case *it) {
  free(it->u);
  free_system(&it->made);
}

typedef void case_check(port_case *it);

static void for_all_cases(case_check *check) {
  static const wy_port_hold holds[][2] = {{WY_PORT_FRAME, WY_NO_PORT},
                                          {WY_NO_PORT, WY_PORT_PLACE},
                                          {WY_PORT_FRAME, WY_PORT_FRAME},
                                          {WY_PORT_PLACE, WY_PORT_FRAME}};
  static const int segments[] = {2, 6, 9};
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++)
    for (size_t i = 0; i < sizeof holds / sizeof holds[0]; i++)
      for (int straight = 0; straight < 2; straight++)
        for (int n = 0; n < 3; n++) {
          port_case it = make_case((wy_rod_kind)kind, segments[n], straight, holds[i][0], holds[i][1]);
          check(&it);
          free_case(&it);
        }
}

static void forces_of(port_case *it, double out[6]) {
  double *f = state_array(&it->made);
  move_supports(it);
  assert_int_equal(it->made.system->type->rhs(it->made.system, now, it->u, f, NULL), 0);
  for (int end = 0; end < 2; end++) {
    wy_port_wrench wrench = {{0}, {0}};
    if (is_port(it, end))
      it->ports->wrench(it->made.system, 0, (wy_end_name)end, &wrench);
    memcpy(out + 3 * end, wrench.force, sizeof wrench.force);
  }
  free(f);
}

/* Forces on the ends are linear in their accelerations. */
static void check_masses(port_case *it) {
  double masses[1][6][6], before[6], want[36] = {0};
  forces_of(it, before);
  it->ports->articulate(it->made.system, NULL, masses);
  for (int j = 0; j < 6; j++) {
    double after[6];
    if (!is_port(it, j / 3))
      continue;
    it->at[j / 3].a[j % 3] = 1;
    forces_of(it, after);
    it->at[j / 3].a[j % 3] = 0;
    for (int i = 0; i < 6; i++)
      want[6 * i + j] = before[i] - after[i];
  }
  compare_vectors(it->name, "mass", &masses[0][0][0], want, 36, 1e-9);
}

static void masses_are_forces_by_accelerations(void **state) {
  (void)state;
  for_all_cases(check_masses);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_are_forces_by_accelerations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
