/* SPDX-License-Identifier: MIT */
/* Mixed, box and conserving rods that touch obstacles: linear equations of steps, of right-hand sides and of equilibria
   against differences, and powers. All laws are soft, so that differences are good: the skin stiffens over half the
   radius, friction builds up over ways and speeds of order 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/contacts.h"
#include "support/rods.h"
#include "support/scheme_checks.h"

static void drift(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *rate = context;
  (void)s;
  jet[0] = *rate * t, jet[1] = wrt == WY_TIME ? *rate : 0, jet[2] = 0;
}

static wy_signal moving(const double *rate) {
  return (wy_signal){0, drift, rate, WY_TIME};
}

typedef struct scene {
  wy_rod_def rod;
  wy_obstacle_def obstacles[3];
  wy_contact_def contact;
  wy_model_def model;
  wy_solver_def solver;
} scene;

/* A rod along x, touched by a plane that is nearly level, a ball that comes up and a drum that turns; its end lies on
   the slope of the plane, so that the cap acts. */
static void set_scene(scene *out, wy_rod_kind kind, double friction, bool stick) {
  static const double rise = 0.3, spin = 0.4;
  memset(out, 0, sizeof *out);
  out->rod = wy_default_rod_def();
  wy_rod_def *rod = &out->rod;
  rod->name = "rod", rod->kind = kind, rod->length = 1, rod->segments = 4;
  rod->has_stiffness = rod->has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod->stiffness[i].value = i < 3 ? 40 + 10 * i : 1 + 0.1 * i;
  for (int i = 0; i < 4; i++)
    rod->inertia[i].value = i == 0 ? 1.3 : 0.02 + 0.003 * i;
  rod->shape.direction[0] = 1, rod->shape.direction[2] = 0;
  rod->contact.radius.value = 0.1, rod->contact.stiffness = 60, rod->contact.blend = 0.5;
  wy_obstacle_def *plane = &out->obstacles[0], *ball = &out->obstacles[1], *drum = &out->obstacles[2];
  for (int i = 0; i < 3; i++)
    out->obstacles[i] = wy_default_obstacle_def();
  plane->name = "plane";
  plane->axis[0] = -0.3, plane->axis[1] = 0.1, plane->axis[2] = 1;
  plane->position[2].value = -0.29;
  plane->surface_velocity[0] = 0.2, plane->surface_velocity[2] = 0.06;
  ball->name = "ball", ball->shape = WY_OBSTACLE_SPHERE, ball->radius = 0.2;
  ball->position[0].value = 0.2, ball->position[1].value = 0.26, ball->position[2] = moving(&rise);
  drum->name = "drum", drum->shape = WY_OBSTACLE_CYLINDER, drum->radius = 0.15, drum->length = INFINITY;
  drum->position[0].value = 0.6, drum->position[2].value = 0.22;
  drum->axis[0] = 0.2, drum->axis[1] = 1, drum->axis[2] = 0;
  drum->rotation_axis[1] = 1, drum->angle = moving(&spin);
  out->contact = wy_default_contact_def();
  out->contact.friction = friction, out->contact.stick = stick, out->contact.slip = 0.3, out->contact.speed = 0.8;
  out->model = wy_default_model_def();
  out->model.gravity[2] = -2;
  out->model.rods = rod, out->model.rod_count = 1;
  out->model.obstacles = out->obstacles, out->model.obstacle_count = 3;
  out->model.contact = &out->contact;
  out->solver = wy_default_solver_def();
}

/* Some state in motion, and what friction remembers of another one. */
static void disturbed(const test_system *made, unsigned *seed, double *u) {
  wy_system *system = made->system;
  system->type->initial(system, u);
  wy_contacts_start(system, 0, u);
  near_state(made, 0.03, 0, *seed, u);
}

static int touched(wy_system *system, double t, const double *u) {
  int count = 0;
  wy_contact_walk walk = {0};
  if (!wy_contacts_find(system, t, u, 0))
    return 0;
  while (wy_contacts_walk(system->contacts, &walk))
    count++;
  return count;
}

/* Of elements their order; of cells 1: plain, 2: transported, 3: with the section force as a value of the step. */
static void set_form(scene *with, int form) {
  if (strcmp(with->solver.scheme, "mixed") == 0)
    with->solver.mixed.order = form;
  with->solver.box.transport = form != 1;
  with->solver.box.force = form == 3 ? WY_FORCE_STAGE : WY_FORCE_HISTORY;
}

static void check_scheme(const char *scheme, int order, wy_rod_kind kind, double friction, bool stick) {
  scene with;
  char name[128];
  unsigned seed = 3;
  set_scene(&with, kind, friction, stick);
  with.solver.scheme = scheme;
  set_form(&with, order);
  snprintf(name, sizeof name, "%s %d, rod %d, friction %g%s", scheme, order, kind, friction, stick ? " and stick" : "");
  test_system made = make_system(&with.model, &with.solver);
  wy_system *system = made.system;
  double *u = state_array(&made);
  disturbed(&made, &seed, u);
  assert_true(touched(system, 0, u) >= 5);
  for (int h = 0; h < 3; h++)
    check_step_solves(system, name, 0, 0.01 * pow(4, h), u, &seed);
  free(u);
  free_system(&made);
}

/* At an equilibrium obstacles stand, on a share of their way. */
static void check_rest(const char *scheme, int order, wy_rod_kind kind, double friction) {
  scene with;
  char name[128];
  unsigned seed = 5;
  set_scene(&with, kind, friction, true);
  with.contact.slip = 0.3;
  with.solver.scheme = scheme;
  const bool box = strcmp(scheme, "box") == 0;
  set_form(&with, order);
  if (box) /* its shifted tangent is the symmetric part: none is shifted, and the rod is held */
    with.rod.ends[0] = wy_end_clamped();
  snprintf(name, sizeof name, "%s %d at rest, rod %d, friction %g", scheme, order, kind, friction);
  test_system made = make_system(&with.model, &with.solver);
  wy_system *system = made.system;
  double *config = doubles(system->config_size), *d = doubles(system->dofs);
  const wy_statics_type *type = system->type->statics;
  const double t = 0.2, mu = box ? 0 : -0.7;
  type->apply(system, true, 0.8, 0.9);
  type->undeformed(system, config);
  wy_contacts_start(system, t, config);
  for (int i = 0; i < system->dofs; i++)
    d[i] = 0.01 * noise(&seed);
  type->displace(system, config, d, 1, config);
  assert_true(touched(system, t, config) >= 5);
  assert_int_equal(type->tangent(system, t, config), 0);
  assert_int_equal(type->factor(system, mu), 0);
  for (int trial = 0; trial < 3; trial++) {
    for (int i = 0; i < system->dofs; i++)
      d[i] = noise(&seed);
    check_tangent_along(system, name, t, mu, config, d);
  }
  free(config), free(d);
  free_system(&made);
}

static void mixed_equilibria_have_exact_tangents(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
      for (int rubs = 0; rubs < 2; rubs++)
        check_rest("mixed", order, (wy_rod_kind)kind, 0.4 * rubs);
}

static void mixed_steps_have_exact_tangents(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      check_scheme("mixed", order, (wy_rod_kind)kind, 0, true);
      check_scheme("mixed", order, (wy_rod_kind)kind, 0.4, false);
      check_scheme("mixed", order, (wy_rod_kind)kind, 0.4, true);
    }
}

/* A correction that takes the last one back goes half of the way; it is not said to be small for that, since small ones
   end the iteration. */
static void check_cut(int order) {
  scene with;
  unsigned seed = 3;
  set_scene(&with, WY_COSSERAT, 0.4, true);
  with.solver.scheme = "mixed", with.solver.mixed.order = order;
  test_system made = make_system(&with.model, &with.solver);
  wy_system *system = made.system;
  const wy_step_type *step = system->type->step;
  const int n = system->step_size;
  double *u = state_array(&made), *d = doubles(n), misfit, first, second, most = 0, off = 0;
  double *at[3] = {state_array(&made), state_array(&made), state_array(&made)};
  disturbed(&made, &seed, u);
  step->begin(system, 0, 0.01, u, WY_GUESS_MOVING);
  assert_int_equal(step->residual(system, d, &misfit), 0);
  assert_int_equal(step->linearise(system), 0);
  for (int i = 0; i < n; i++)
    d[i] = noise(&seed);
  step->solve(system, d);
  const double factor = 1e-6 / largest(d, n);
  for (int i = 0; i < n; i++)
    d[i] *= factor;
  step->peek(system, at[0]);
  step->apply(system, d, &first);
  step->peek(system, at[1]);
  for (int i = 0; i < n; i++)
    d[i] = -d[i];
  step->apply(system, d, &second);
  step->peek(system, at[2]);
  check_close(second / first, 1, 1e-5);
  for (int i = 0; i < system->size; i++) {
    most = fmax(most, fabs(at[1][i] - at[0][i]));
    off = fmax(off, fabs(at[2][i] - 0.5 * (at[0][i] + at[1][i])));
  }
  assert_true(most > 0);
  check_below(off, 1e-5 * most);
  free(u), free(d), free(at[0]), free(at[1]), free(at[2]);
  free_system(&made);
}

static void corrections_that_swing_are_cut(void **state) {
  (void)state;
  check_cut(1), check_cut(2);
}

static void box_steps_have_exact_tangents(void **state) {
  (void)state;
  for (int form = 1; form <= 3; form++) {
    check_scheme("box", form, WY_INEXTENSIBLE, 0, true);
    check_scheme("box", form, WY_INEXTENSIBLE, 0.4, false);
    check_scheme("box", form, WY_INEXTENSIBLE, 0.4, true);
  }
}

static void box_equilibria_have_exact_tangents(void **state) {
  (void)state;
  for (int form = 1; form <= 2; form++)
    for (int rubs = 0; rubs < 2; rubs++)
      check_rest("box", form, WY_INEXTENSIBLE, 0.4 * rubs);
}

static void check_conserving(int order, double friction, bool stick, bool power) {
  scene with;
  char name[128];
  unsigned seed = 3;
  const unsigned seeds[2] = {17, 19};
  set_scene(&with, WY_COSSERAT, friction, stick);
  with.rod.segments = 9;
  with.solver.scheme = "conserving", with.solver.conserving.order = order;
  snprintf(name, sizeof name, "conserving %d, friction %g%s", order, friction, stick ? " and stick" : "");
  test_system made = make_system(&with.model, &with.solver);
  double *u = state_array(&made);
  disturbed(&made, &seed, u);
  assert_true(touched(made.system, 0.1, u) >= 3);
  if (power)
    check_power_balance(&made, name, 0.1, u, 1e-5);
  else
    check_solves(&made, name, 0.1, u, seeds, &(solve_check){.step = 1e-4, .least = 1e-6});
  free(u);
  free_system(&made);
}

static void for_conserving(bool power) {
  for (int order = 2; order <= 4; order += 2) {
    check_conserving(order, 0, true, power);
    check_conserving(order, 0.4, false, power);
    check_conserving(order, 0.4, true, power);
  }
}

static void conserving_rods_have_their_derivatives(void **state) {
  (void)state;
  for_conserving(false);
}

static void conserving_rods_balance_powers(void **state) {
  (void)state;
  for_conserving(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corrections_that_swing_are_cut),       cmocka_unit_test(mixed_steps_have_exact_tangents),
      cmocka_unit_test(mixed_equilibria_have_exact_tangents), cmocka_unit_test(box_steps_have_exact_tangents),
      cmocka_unit_test(box_equilibria_have_exact_tangents),   cmocka_unit_test(conserving_rods_have_their_derivatives),
      cmocka_unit_test(conserving_rods_balance_powers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
