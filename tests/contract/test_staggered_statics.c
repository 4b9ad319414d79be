/* SPDX-License-Identifier: MIT */
/* What a scheme owes the solvers of equilibria, checked for the staggered rod with everything in it: the undeformed rod
   is in balance, the tangent is the derivative of what is out of balance, the forces of an equilibrium are those that
   the motion starts with, unstable directions are counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/supports.h"
#include "support/scheme_checks.h"

typedef void shape_check(const test_system *made, const char *name);

static void for_all_shapes(shape_check *check, bool loaded) {
  static const char *const kinds[] = {"cosserat", "kirchhoff", "inextensible"};
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int ends = 0; ends < 4; ends++)
      for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++) {
        wy_rod_def rod = rich_rod(ends % 2 ? 6 : 9);
        wy_load_def loads[RICH_LOADS];
        rich_loads(loads);
        rod.kind = (wy_rod_kind)kind;
        rod.ends[0] = ends == 3 ? driven_end() : ends == 1 ? wy_end_pinned() : wy_end_clamped();
        if (ends == 2)
          rod.ends[1] = wy_end_clamped();
        wy_model_def model = wy_default_model_def();
        model.rods = &rod, model.rod_count = 1;
        model.gravity[0] = loaded ? 0.4 : 0, model.gravity[2] = loaded ? -1.1 : 0;
        model.loads = loads, model.load_count = loaded ? RICH_LOADS : 0;
        wy_solver_def solver = wy_default_solver_def();
        solver.staggered.curvature_measure = (wy_curvature_measure)measure;
        char name[128];
        snprintf(name, sizeof name, "%s, ends %d, measure %d", kinds[kind], ends, measure);
        test_system made = make_system(&model, &solver);
        check(&made, name);
        free_system(&made);
      }
}

static void check_undeformed(const test_system *made, const char *name) {
  wy_system *system = made->system;
  const wy_statics_type *type = system->type->statics;
  double *config = doubles(system->config_size), *r = doubles(system->dofs);
  type->apply(system, true, 1, 0);
  type->undeformed(system, config);
  type->residual(system, 0.4, config, r);
  for (int i = 0; i < system->dofs; i++)
    if (!(fabs(r[i]) < 1e-14))
      fail_msg("%s: residual %d of the undeformed rod is %.3g", name, i, r[i]);
  free(config), free(r);
}

static void the_undeformed_rod_is_in_balance(void **state) {
  (void)state;
  for_all_shapes(check_undeformed, false);
}

static void the_tangent_is_the_derivative_of_the_residual(void **state) {
  (void)state;
  for_all_shapes(check_tangent, true);
}

/* Rotations of the tangent's degrees of freedom are the angular velocities, translations the velocities: for a Cosserat
   rod the rates at which energy is lost must agree with the right-hand side's. */
static void dissipation_is_that_of_the_motion(void **state) {
  (void)state;
  wy_rod_def rod = rich_rod(9);
  rod.ends[0] = wy_end_clamped();
  wy_model_def model = wy_default_model_def();
  model.rods = &rod, model.rod_count = 1;
  wy_solver_def solver = wy_default_solver_def();
  test_system made = make_system(&model, &solver);
  wy_system *system = made.system;
  const wy_statics_type *type = system->type->statics;
  double *config = doubles(system->config_size), *u = doubles(system->config_size), *f = doubles(system->config_size);
  double *d = doubles(system->dofs), power[WY_INTEGRALS];
  unsigned seed = 3;
  type->undeformed(system, config);
  for (int i = 0; i < system->dofs; i++)
    d[i] = 0.1 * noise(&seed);
  type->displace(system, config, d, 1, config);
  for (int i = 0; i < 9; i++) /* the clamped vertex does not move */
    d[i] = i < 3 ? 0 : d[i];
  memcpy(u, config, (size_t)system->size * sizeof *u);
  int stride = system->fields[0].stride, v = system->fields[2].offset, w = system->fields[3].offset;
  for (int i = 0; i <= 9; i++)
    for (int k = 0; k < 3; k++) {
      u[v + k * stride + i] = d[9 * i + k];
      if (i < 9)
        u[w + k * stride + i] = d[9 * i + 3 + k];
    }
  system->type->rhs(system, 0, u, f, power);
  type->apply(system, true, 1, 1);
  type->tangent(system, 0, config);
  check_close(type->dissipation(system, d), power[WY_DISSIPATION_INTEGRAL], 1e-13);
  free(config), free(u), free(f), free(d);
  free_system(&made);
}

/* A trial configuration of Newton's method may be straight and pull without end although the supports leave a lot of
   slack: the message is about the supports. */
static void only_ends_far_apart_are_called_straight(void **state) {
  (void)state;
  static const double apart[2] = {0.84, 1};
  for (int far = 0; far < 2; far++) {
    wy_rod_def rod = rich_rod(9);
    rod.kind = WY_INEXTENSIBLE;
    for (int i = 0; i < 3; i++)
      rod.shape.curvature[i] = wy_constant(0);
    rod.ends[0] = rod.ends[1] = wy_end_clamped();
    wy_model_def model = wy_default_model_def();
    model.rods = &rod, model.rod_count = 1;
    model.gravity[0] = 0.1, model.gravity[1] = 0.2, model.gravity[2] = -1;
    wy_solver_def solver = wy_default_solver_def();
    test_system made = make_system(&model, &solver);
    wy_system *system = made.system;
    const wy_statics_type *type = system->type->statics;
    double *config = doubles(system->config_size), *r = doubles(system->dofs);
    char text[300] = "";
    type->apply(system, true, 1, 1);
    type->undeformed(system, config);
    for (int i = system->size; i < system->config_size; i++)
      config[i] = 1e9;
    assert_int_equal(type->residual(system, 0, config, r), WY_RETRY);
    /* The supports stand elsewhere, and so does the last equilibrium. */
    for (int i = 0; i < 3; i++)
      system->supports->reference[1][i] =
          system->supports->reference[0][i] +
          apart[far] * (system->supports->reference[1][i] - system->supports->reference[0][i]);
    for (int i = 0; i < system->size; i++)
      config[i] *= apart[far];
    system->type->diagnose(system, 0, config, text, sizeof text);
    assert_int_equal(strstr(text, "straight between its held ends") != NULL, far);
    free(config), free(r);
    free_system(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_undeformed_rod_is_in_balance),
      cmocka_unit_test(the_tangent_is_the_derivative_of_the_residual),
      cmocka_unit_test(dissipation_is_that_of_the_motion),
      cmocka_unit_test(only_ends_far_apart_are_called_straight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
