/* SPDX-License-Identifier: MIT */
/* Arguments that make no sense, for every function of the public interface: a status of WY_ERROR_INPUT with a message,
   or nothing (NULL, 0, false, NAN), never a crash; and the simulation is what it was. The last test sees to it that no
   function is left out. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"
#include "withy/converge.h"
#include "withy/draw.h"
#include "withy/folder.h"
#include "withy/run.h"
#include "withy/scenario.h"
#include "withy/sundials.h"
#include "withy/sweep.h"
#include "withy/withy.h"

#define refuse(call)                                                                                                   \
  do {                                                                                                                 \
    wy_message message = {.text = ""};                                                                                 \
    wy_status status = (call);                                                                                         \
    if (status != WY_ERROR_INPUT || !message.text[0])                                                                  \
      fail_msg("%s: status %d, message '%s'", #call, (int)status, message.text);                                       \
  } while (0)

static const int no_numbers[] = {-2, -1, 2, INT_MAX, INT_MIN};
enum { NO_NUMBERS = sizeof no_numbers / sizeof no_numbers[0] };
static const double no_times[] = {NAN, -1, INFINITY, -INFINITY};
enum { NO_TIMES = sizeof no_times / sizeof no_times[0] };

/* Two rods, one load, one tendon; a body, joint and spring where they are asked for. */
typedef struct setting {
  wy_rod_def rods[2];
  wy_body_def body;
  wy_port ports[2];
  wy_joint_def joint;
  wy_spring_def spring;
  wy_load_def load;
  wy_actuator_def tendon;
  wy_model_def model;
} setting;

static void set(setting *it) {
  *it = (setting){.load = wy_default_load_def(), .tendon = wy_default_actuator_def(), .model = wy_default_model_def()};
  for (int i = 0; i < 2; i++) {
    it->rods[i] = rubber_rod(4);
    it->rods[i].ends[0] = wy_end_clamped();
  }
  it->rods[1].name = "other";
  it->tendon.kind = WY_TENDON;
  it->model.rods = it->rods, it->model.rod_count = 2;
  it->model.loads = &it->load, it->model.load_count = 1;
  it->model.actuators = &it->tendon, it->model.actuator_count = 1;
}

/* The body hangs at the end of the first rod and, by a spring, at that of the other one. */
static void set_network(setting *it) {
  set(it);
  it->body = wy_default_body_def(), it->joint = wy_default_joint_def(), it->spring = wy_default_spring_def();
  it->body.mass = 1, it->body.inertia[0] = it->body.inertia[1] = it->body.inertia[2] = 1e-3;
  for (int i = 0; i < 2; i++)
    it->rods[i].shape = (wy_shape){.direction = {1, 0, 0}, .origin = {0, i, 0}};
  it->body.origin[0] = it->rods[0].length;
  it->ports[0] = wy_port_on_rod(0, it->rods[0].length), it->ports[1] = wy_port_on_body(0, 0, 0, 0);
  it->joint.ports = it->ports, it->joint.port_count = 2;
  it->spring.ports[0] = wy_port_on_body(0, 0, 0, 0), it->spring.ports[1] = wy_port_on_rod(1, it->rods[1].length);
  it->spring.stiffness = 1, it->spring.length = 1;
  it->load.place = WY_AT_BODY;
  it->model.bodies = &it->body, it->model.body_count = 1;
  it->model.joints = &it->joint, it->model.joint_count = 1;
  it->model.springs = &it->spring, it->model.spring_count = 1;
}

static test_sim make_of(const setting *it, bool statics) {
  test_sim made = {0};
  wy_sim_def def = wy_default_sim_def();
  wy_message message = {0};
  def.statics = statics;
  must(wy_model_create(&it->model, &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

static test_sim make(bool statics) {
  setting it;
  set(&it);
  return make_of(&it, statics);
}

/* ---- Expressions ---- */

static void expressions(void **state) {
  (void)state;
  wy_expr_scope *scope = wy_expr_scope_create();
  wy_expr *expr = NULL;
  wy_expr_error error;
  double jet[3] = {0, 0, 0};
  assert_int_equal(wy_expr_scope_constant(NULL, "a", 1, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_constant(scope, NULL, 1, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_constant(scope, "a", NAN, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_constant(scope, "", 1, NULL), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_function(NULL, "f", "t", &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_function(scope, NULL, "t", &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_function(scope, "f", NULL, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_table(NULL, "f", NULL, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_table(scope, NULL, NULL, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_scope_table(scope, "f", NULL, NULL), WY_ERROR_INPUT);
  assert_int_equal(wy_expr_compile(scope, NULL, WY_TIME, &expr, &error), WY_ERROR_INPUT);
  assert_null(expr);
  assert_int_equal(wy_expr_compile(scope, "t", WY_TIME, NULL, &error), WY_ERROR_INPUT);
  assert_non_null(strstr(error.text, "NULL"));
  assert_int_equal(wy_expr_compile(NULL, "t", WY_TIME, &expr, NULL), WY_OK);
  wy_expr_evaluate(NULL, WY_TIME, 0, 0, jet);
  assert_true(isnan(jet[0]) && isnan(jet[1]) && isnan(jet[2]));
  wy_expr_evaluate(expr, WY_TIME, 0, 0, NULL);
  assert_true(isnan(wy_expr_value(NULL, 0, 0)));
  wy_expr_evaluate_at(NULL, WY_TIME, NULL, 0, jet);
  assert_true(isnan(jet[0]));
  wy_expr_evaluate_at(expr, WY_TIME, NULL, 2, jet);
  check_close(jet[0], 2, 0);
  wy_expr_evaluate_at(expr, WY_TIME, NULL, 0, NULL);
  assert_true(isnan(wy_expr_flow(NULL).value[0])); /* which no model accepts */
  assert_true(isnan(wy_expr_flow((const wy_expr *const[3]){expr, NULL, expr}).value[1]));
  assert_int_equal(wy_expr_depends_on(NULL), 0);
  assert_null(wy_expr_outside(NULL, 0, 0));
  assert_true(isnan(wy_expr_value_of(NULL, NULL)));
  assert_true(wy_expr_value_of(expr, NULL) != wy_expr_value_of(expr, NULL)); /* there is no time: NaN */
  assert_int_equal(wy_expr_numbers(NULL), 0);
  assert_true(isnan(wy_expr_signal(NULL).value)); /* which no model accepts */
  wy_expr_destroy(expr);
  wy_expr_destroy(NULL);
  wy_expr_scope_destroy(scope);
  wy_expr_scope_destroy(NULL);
}

/* ---- Models ---- */

static void definitions_of_models(void **state) {
  (void)state;
  setting it;
  wy_model *model = NULL;
  set(&it);
  refuse(wy_model_create(NULL, &model, &message));
  refuse(wy_model_create(&it.model, NULL, &message));
  assert_int_equal(wy_model_create(NULL, &model, NULL), WY_ERROR_INPUT); /* a message is never needed */
#define refuse_with(change)                                                                                            \
  do {                                                                                                                 \
    set(&it);                                                                                                          \
    change;                                                                                                            \
    refuse(wy_model_create(&it.model, &model, &message));                                                              \
    assert_null(model);                                                                                                \
  } while (0)
  refuse_with(it.model.rods = NULL);
  refuse_with(it.model.rod_count = 0);
  refuse_with(it.model.rod_count = -1);
  refuse_with(it.model.loads = NULL);
  refuse_with(it.model.load_count = -1);
  refuse_with(it.model.actuators = NULL);
  refuse_with(it.model.actuator_count = INT_MIN);
  refuse_with(it.model.gravity[1] = NAN);
  refuse_with(it.model.cookie = 0);
  refuse_with(it.rods[1].cookie = 0);
  refuse_with(it.rods[1].name = NULL);
  refuse_with(it.rods[1].segments = -1);
  refuse_with(it.rods[1].segments = INT_MAX);
  const double lengths[1] = {1};
  refuse_with((it.rods[1].segments = INT_MAX, it.rods[1].segment_lengths = lengths));
  refuse_with(it.rods[1].maxwell_count = 1);
  refuse_with(it.rods[1].maxwell_count = -1);
  refuse_with(it.rods[1].length = NAN);
  refuse_with(it.rods[1].kind = (wy_rod_kind)7);
  refuse_with(it.rods[1].section.shape = (wy_section_shape)7);
  refuse_with(it.rods[1].section.radius = wy_constant(NAN));
  refuse_with(it.rods[1].damping.kind = (wy_damping_kind)-1);
  refuse_with(it.rods[1].law.kind = (wy_law_kind)7);
  refuse_with(it.rods[1].law = ((wy_law){.kind = WY_STIFFENING_LAW, .bending = NAN}));
  refuse_with(it.rods[1].drag.rotation = NAN);
  refuse_with(it.rods[1].fluid = ((wy_fluid){.given = true, .density = NAN}));
  refuse_with(it.rods[1].fluid = ((wy_fluid){.given = true, .density = -1}));
  refuse_with(it.rods[1].fluid = ((wy_fluid){.given = true, .normal = -1}));
  refuse_with(it.rods[1].fluid = ((wy_fluid){.given = true, .tangential = INFINITY}));
  refuse_with(it.rods[1].fluid = ((wy_fluid){.given = true, .added_mass = NAN}));
  refuse_with(it.rods[1].fluid = ((wy_fluid){.given = true, .diameter = wy_constant(-1)}));
  refuse_with(it.rods[1].fluid = ((wy_fluid){.given = true, .velocity = {.value = {0, NAN, 0}}}));
  refuse_with(it.rods[1].fluid = ((wy_fluid){.given = true, .velocity = wy_expr_flow(NULL)}));
  refuse_with(it.rods[1].shape.origin[2] = INFINITY);
  refuse_with(it.rods[1].shape.direction[0] = NAN);
  refuse_with(it.rods[1].shape.curvature[0] = wy_expr_signal(NULL));
  refuse_with(it.rods[1].shape.helix.turns = NAN);
  refuse_with(it.rods[1].initial.twist = wy_constant(NAN));
  refuse_with(it.rods[1].ends[1].rotation = (wy_hold)7);
  refuse_with(it.rods[1].ends[0].release = NAN);
  refuse_with((it.rods[1].ends[0].rotation = WY_DRIVEN, it.rods[1].ends[0].axis[0] = NAN));
  refuse_with(it.load.cookie = 0);
  refuse_with(it.load.place = (wy_load_place)7);
  refuse_with(it.load.axes = (wy_axes)7);
  refuse_with((it.load.place = WY_AT_ARC, it.load.from = NAN));
  refuse_with((it.load.place = WY_ALONG, it.load.to = INFINITY));
  refuse_with(it.load.force[1] = wy_constant(INFINITY));
  refuse_with(it.tendon.cookie = 0);
  refuse_with(it.tendon.kind = (wy_actuator_kind)7);
  refuse_with(it.tendon.force = wy_constant(NAN));
  refuse_with(it.tendon.offset[0] = wy_constant(NAN));
  for (int i = 0; i < NO_NUMBERS; i++) {
    refuse_with(it.load.rod = no_numbers[i]);
    refuse_with(it.tendon.rod = no_numbers[i]);
  }
}

static void definitions_of_networks(void **state) {
  (void)state;
  setting it;
  wy_model *model = NULL;
  set_network(&it);
  wy_message why = {0};
  must(wy_model_create(&it.model, &model, &why), &why);
  assert_int_equal(wy_model_load(model, 0)->rod, -1);
  for (int i = 0; i < NO_NUMBERS; i++) {
    assert_null(wy_model_body(model, no_numbers[i]));
    assert_null(wy_model_joint(model, no_numbers[i]));
    assert_null(wy_model_spring(model, no_numbers[i]));
    assert_null(wy_model_obstacle(model, no_numbers[i]));
  }
  assert_int_equal(wy_model_body_index(model, "body"), 0);
  assert_int_equal(wy_model_body_index(model, NULL) + wy_model_body_index(model, "rod"), -2);
  assert_int_equal(wy_model_joint_index(model, NULL) + wy_model_joint_index(model, ""), -2);
  assert_int_equal(wy_model_spring_index(model, NULL) + wy_model_spring_index(model, ""), -2);
  wy_model_destroy(model);
#define refuse_network(change)                                                                                         \
  do {                                                                                                                 \
    set_network(&it);                                                                                                  \
    change;                                                                                                            \
    refuse(wy_model_create(&it.model, &model, &message));                                                              \
    assert_null(model);                                                                                                \
  } while (0)
  refuse_network(it.model.bodies = NULL);
  refuse_network(it.model.joints = NULL);
  refuse_network(it.model.springs = NULL);
  refuse_network(it.model.body_count = INT_MIN);
  refuse_network(it.model.joint_count = -1);
  refuse_network(it.model.spring_count = -1);
  refuse_network(it.body.cookie = 0);
  refuse_network(it.joint.cookie = 0);
  refuse_network(it.spring.cookie = 0);
  refuse_network(it.body.name = NULL);
  refuse_network(it.body.shape = (wy_body_shape)7);
  refuse_network(it.body.position[1] = (wy_hold)7);
  refuse_network(it.body.rotation = (wy_hold)-1);
  refuse_network(it.joint.kind = (wy_joint_kind)7);
  refuse_network(it.joint.rotation = (wy_weld_rotation)7);
  refuse_network(it.joint.position[2] = (wy_hold)7);
  refuse_network(it.joint.ports = NULL);
  refuse_network(it.joint.port_count = -1);
  refuse_network(it.ports[0].kind = (wy_port_kind)7);
  refuse_network(it.ports[0].s = NAN);
  refuse_network(it.ports[1].point[0] = NAN);
  refuse_network(it.spring.kind = (wy_spring_kind)7);
  refuse_network(it.spring.ports[0].kind = (wy_port_kind)-1);
  refuse_network(it.load.point[1] = INFINITY);
  for (int i = 0; i < NO_NUMBERS; i++) {
    refuse_network(it.load.body = no_numbers[i]);
    refuse_network(it.ports[0].index = no_numbers[i]);
    refuse_network(it.ports[1].index = no_numbers[i]);
    refuse_network(it.spring.ports[0].index = no_numbers[i]);
  }
}

static void models(void **state) {
  (void)state;
  test_sim made = make(false);
  double x[3], q[4];
  wy_solver_def solver = wy_default_solver_def();
  assert_null(wy_rod_kind_name((wy_rod_kind)-1));
  assert_null(wy_rod_kind_name((wy_rod_kind)3));
  assert_null(wy_law_describe((wy_law_kind)-1));
  assert_null(wy_law_describe((wy_law_kind)7));
  assert_int_equal(wy_model_rod_count(NULL) + wy_model_load_count(NULL) + wy_model_actuator_count(NULL), 0);
  assert_int_equal(wy_model_body_count(NULL) + wy_model_joint_count(NULL) + wy_model_spring_count(NULL), 0);
  assert_int_equal(wy_model_body_index(NULL, "a") + wy_model_joint_index(NULL, "a"), -2);
  assert_int_equal(wy_model_spring_index(NULL, "a"), -1);
  assert_int_equal(wy_model_obstacle_count(NULL), 0);
  assert_int_equal(wy_model_obstacle_index(NULL, "a") + wy_model_obstacle_index(made.model, NULL), -2);
  assert_int_equal(wy_model_load_index(NULL, "pull") + wy_model_actuator_index(NULL, "pull"), -2);
  assert_int_equal(wy_model_load_index(made.model, NULL) + wy_model_actuator_index(made.model, NULL), -2);
  assert_int_equal(wy_model_load_index(made.model, "") + wy_model_actuator_index(made.model, ""), -2);
  wy_shape shape = {.point_count = 3};
  const double one_point[3] = {0, 0, 0};
  double length = 1;
  refuse(wy_shape_length(NULL, &length, &message));
  refuse(wy_shape_length(&shape, NULL, &message));
  refuse(wy_shape_length(&shape, &length, &message));
  shape = (wy_shape){.points = one_point, .point_count = 1};
  refuse(wy_shape_length(&shape, &length, &message));
  assert_true(isnan(length));
  assert_null(wy_model_gravity(NULL));
  for (int i = 0; i < NO_NUMBERS; i++) {
    assert_null(wy_model_rod(made.model, no_numbers[i]));
    assert_null(wy_model_load(made.model, no_numbers[i]));
    assert_null(wy_model_actuator(made.model, no_numbers[i]));
    wy_section_values section = wy_model_section(made.model, no_numbers[i], 0);
    assert_true(isnan(section.mass) && isnan(section.stiffness[5]));
    assert_true(isnan(wy_model_period(made.model, no_numbers[i])));
    assert_true(isnan(wy_model_time_scale(made.model, no_numbers[i], 1)));
    assert_true(isnan(wy_method_default_step(made.model, no_numbers[i], 1)));
    assert_true(isnan(wy_method_explicit_step(made.model, no_numbers[i], &solver)));
    wy_model_reference(made.model, no_numbers[i], 0, x, q);
    assert_true(isnan(x[0]) && isnan(q[3]));
  }
  assert_true(isnan(wy_method_explicit_step(NULL, 0, &solver)) && wy_method_explicit_step(made.model, 0, NULL) == 0);
  solver.scheme = NULL;
  assert_true(wy_method_explicit_step(made.model, 0, &solver) == 0);
  assert_null(wy_model_rod(NULL, 0));
  assert_null(wy_model_load(NULL, 0));
  assert_null(wy_model_actuator(NULL, 0));
  assert_null(wy_model_body(NULL, 0));
  assert_null(wy_model_joint(NULL, 0));
  assert_null(wy_model_spring(NULL, 0));
  assert_true(isnan(wy_model_section(NULL, 0, 0).mass) && isnan(wy_model_period(NULL, 0)));
  assert_true(isnan(wy_model_time_scale(NULL, 0, 1)) && isnan(wy_method_default_step(NULL, 0, INFINITY)));
  assert_true(isnan(wy_model_time_scale(made.model, 0, NAN)) && isnan(wy_method_default_step(made.model, 0, -1)));
  wy_model_reference(NULL, 0, 0, x, q);
  assert_true(isnan(x[0]));
  static const double nowhere[] = {NAN, -0.1, 1.1, 1e300, INFINITY};
  for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
    wy_model_reference(made.model, 0, nowhere[i], x, q);
    assert_true(isnan(x[0]) && isnan(q[0]));
  }
  wy_model_reference(made.model, 0, 0.5, NULL, q);
  wy_model_reference(made.model, 0, 0.5, x, NULL);
  assert_true(isfinite(x[0]) && isfinite(q[0]));
  wy_model_destroy(NULL);
  free_sim(&made);
}

/* ---- Simulations ---- */

static void definitions_of_simulations(void **state) {
  (void)state;
  test_sim made = make(false);
  wy_sim *sim = NULL;
  wy_sim_def def = wy_default_sim_def();
  refuse(wy_sim_create(NULL, &def, &sim, &message));
  refuse(wy_sim_create(made.model, NULL, &sim, &message));
  refuse(wy_sim_create(made.model, &def, NULL, &message));
#define refuse_solver(change)                                                                                          \
  do {                                                                                                                 \
    def = wy_default_sim_def();                                                                                        \
    wy_solver_def *solver = &def.solver;                                                                               \
    change;                                                                                                            \
    (void)solver;                                                                                                      \
    refuse(wy_sim_create(made.model, &def, &sim, &message));                                                           \
    assert_null(sim);                                                                                                  \
  } while (0)
  refuse_solver(def.cookie = 0);
  refuse_solver(def.end = NAN);
  refuse_solver(def.end = 0);
  refuse_solver(def.end = -INFINITY);
  refuse_solver(solver->cookie = 0);
  refuse_solver(solver->scheme = NULL);
  refuse_solver(solver->integrator = NULL);
  refuse_solver(solver->relative_tolerance = NAN);
  refuse_solver(solver->absolute_tolerance = INFINITY);
  refuse_solver(solver->first_step = NAN);
  refuse_solver(solver->first_step = -1);
  refuse_solver(solver->largest_step = NAN);
  refuse_solver(solver->staggered.coordinates = (wy_coordinates)7);
  refuse_solver(solver->mixed.order = 3);
  refuse_solver(solver->conserving.order = 3);
  refuse_solver(solver->box.rho_inf = NAN);
  refuse_solver(solver->newton.tolerance = NAN);
  refuse_solver(solver->newton.iterations = INT_MIN);
  refuse_solver((def.statics = true, solver->statics.increments = -1));
  refuse_solver((def.statics = true, solver->statics.newton_tolerance = NAN));
  wy_solver_def each[2] = {wy_default_solver_def(), wy_default_solver_def()};
  each[1].scheme = NULL;
  refuse_solver(def.rod_solvers = each);
  wy_sim_destroy(NULL);
  free_sim(&made);
}

static void methods(void **state) {
  (void)state;
  wy_solver_def nameless = wy_default_solver_def(), empty = {0}, usual = wy_default_solver_def();
  nameless.scheme = NULL;
  refuse(wy_method_possible(NULL, WY_COSSERAT, &message));
  refuse(wy_method_possible(&nameless, WY_COSSERAT, &message));
  refuse(wy_method_possible(&empty, WY_COSSERAT, &message));
  refuse(wy_method_possible(&usual, (wy_rod_kind)7, &message));
  assert_false(wy_method_has_fixed_step(NULL) || wy_method_has_fixed_step(&nameless));
  assert_false(wy_method_is_multistep(NULL) || wy_method_is_multistep(&empty));
  assert_false(wy_scheme_has_equilibria(NULL) || wy_scheme_has_equilibria(""));
  for (int i = 0; i < NO_NUMBERS; i++)
    if (no_numbers[i] != 2) {
      assert_null(wy_scheme_name(no_numbers[i]));
      assert_null(wy_integrator_describe(NULL, no_numbers[i]));
      assert_null(wy_integrator_describe(wy_sundials(), no_numbers[i]));
      assert_null(wy_integrator_name(NULL, no_numbers[i]));
      assert_null(wy_integrator_name(wy_sundials(), no_numbers[i]));
    }
  assert_null(wy_quantity_name(WY_STORED_COUNT));
  assert_null(wy_quantity_name((wy_quantity)-1));
  assert_null(wy_quantity_describe(WY_STORED_COUNT));
  assert_null(wy_quantity_describe((wy_quantity)-1));
  assert_null(wy_extreme_describe(WY_EXTREME_COUNT));
  assert_null(wy_extreme_describe((wy_extreme)-1));
  assert_null(wy_statistic_describe(-1));
  assert_null(wy_statistic_describe(1000));
  assert_true(isnan(wy_statistic_value(NULL, wy_statistic_describe(0))));
  assert_true(isnan(wy_statistic_value(&(wy_statistics){0}, NULL)));
  assert_non_null(wy_version());
}

static void running(void **state) {
  (void)state;
  test_sim made = make(false);
  const double zero[3] = {0, 0, 0}, bad[4] = {NAN, 0, 0, 0}, none[4] = {0, 0, 0, 0}, minus = -1, nan = NAN;
  refuse(wy_sim_step(NULL, &message));
  refuse(wy_sim_advance(NULL, 1, &message));
  refuse(wy_sim_sample(NULL, 1, &message));
  double reached = 0;
  refuse(wy_sim_advance_within(NULL, 1, 1, &reached, &message));
  assert_true(isnan(reached));
  refuse(wy_sim_advance_within(made.sim, 0.1, nan, NULL, &message));
  assert_true(isnan(wy_sim_time(NULL)));
  for (int i = 0; i < NO_TIMES; i++) {
    refuse(wy_sim_advance(made.sim, no_times[i], &message));
    refuse(wy_sim_sample(made.sim, no_times[i], &message));
    refuse(wy_sim_advance_within(made.sim, no_times[i], 1, NULL, &message));
  }
  refuse(wy_sim_set_load(NULL, 0, zero, zero, &message));
  refuse(wy_sim_set_load(made.sim, 0, bad, NULL, &message));
  refuse(wy_sim_set_load(made.sim, 0, NULL, bad, &message));
  refuse(wy_sim_set_actuator(NULL, 0, NULL, &message));
  refuse(wy_sim_set_actuator(made.sim, 0, &minus, &message));
  refuse(wy_sim_set_actuator(made.sim, 0, &nan, &message));
  const wy_pose still = {.position = zero};
  refuse(wy_sim_move_end(NULL, 0, WY_START, &still, 1, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, NULL, 1, &message));
  refuse(wy_sim_move_end(made.sim, 0, (wy_end_name)2, &still, 1, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, &still, 0, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, &still, NAN, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, &still, INFINITY, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.velocity = zero}, 1, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){0}, 1, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.position = bad}, 1, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.frame = bad}, 1, &message));
  refuse(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.frame = none}, 1, &message));
  for (int i = 0; i < NO_NUMBERS; i++) {
    refuse(wy_sim_set_load(made.sim, no_numbers[i], zero, zero, &message));
    refuse(wy_sim_set_actuator(made.sim, no_numbers[i], NULL, &message));
    refuse(wy_sim_move_end(made.sim, no_numbers[i], WY_START, &still, 1, &message));
  }
  assert_true(wy_sim_time(made.sim) == 0 && wy_sim_statistics(made.sim, WY_ALL_RODS).steps == 0);
  free_sim(&made);
}

static void reading(void **state) {
  (void)state;
  test_sim made = make(false);
  double out[4];
  for (int i = 0; i < NO_NUMBERS; i++) {
    const int rod = no_numbers[i];
    assert_null(wy_sim_view(made.sim, rod));
    refuse(wy_sim_probe(made.sim, WY_POSITION, rod, 0, out, &message));
    assert_string_equal(wy_sim_describe(made.sim, rod).scheme, "");
    if (rod == WY_ALL_RODS)
      continue;
    assert_true(isnan(wy_sim_energy(made.sim, rod).total));
    assert_true(isnan(wy_sim_extreme(made.sim, rod, WY_LARGEST_MOMENT).value));
    assert_true(isnan(wy_sim_momentum(made.sim, rod).mass));
    assert_int_equal(wy_sim_statistics(made.sim, rod).rhs, 0);
  }
  assert_null(wy_sim_view(NULL, 0));
  assert_true(isnan(wy_sim_extreme(NULL, 0, WY_LARGEST_MOMENT).s));
  assert_true(isnan(wy_sim_extreme(made.sim, 0, WY_EXTREME_COUNT).value));
  assert_true(isnan(wy_sim_energy(NULL, 0).kinetic) && isnan(wy_sim_momentum(NULL, WY_ALL_RODS).linear[0]));
  assert_int_equal(wy_sim_statistics(NULL, 0).steps, 0);
  assert_int_equal(wy_sim_describe(NULL, 0).unknowns, 0);
  assert_int_equal(wy_sim_group_count(NULL), 0);
  refuse(wy_sim_probe(NULL, WY_POSITION, 0, 0, out, &message));
  refuse(wy_sim_probe(made.sim, WY_POSITION, 0, 0, NULL, &message));
  refuse(wy_sim_probe(made.sim, WY_POSITION, 0, NAN, out, &message));
  refuse(wy_sim_probe(made.sim, WY_POSITION, 0, 2, out, &message));
  refuse(wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0.5, out, &message));
  refuse(wy_sim_probe(made.sim, WY_QUANTITY_COUNT, 0, 0, out, &message));
  refuse(wy_sim_probe(made.sim, (wy_quantity)-1, 0, 0, out, &message));
  free_sim(&made);
}

static void reading_networks(void **state) {
  (void)state;
  setting it;
  set_network(&it);
  it.model.actuator_count = 0;
  test_sim made = make_of(&it, false);
  wy_body_state body;
  double force[3], moment[3], frame[4];
  const double zero[3] = {0, 0, 0};
  const wy_pose still = {.position = zero};
  for (int i = 0; i < NO_NUMBERS; i++) {
    refuse(wy_sim_body(made.sim, no_numbers[i], &body, &message));
    refuse(wy_sim_joint(made.sim, no_numbers[i], 0, force, moment, &message));
    refuse(wy_sim_joint(made.sim, 0, no_numbers[i], force, moment, &message));
    refuse(wy_sim_spring(made.sim, no_numbers[i], force, moment, &message));
    refuse(wy_sim_move_body(made.sim, no_numbers[i], &still, 1, &message));
    const wy_port on_rod = wy_port_on_rod(no_numbers[i], 0), on_body = wy_port_on_body(no_numbers[i], 0, 0, 0);
    refuse(wy_sim_port(made.sim, &on_rod, force, frame, &message));
    refuse(wy_sim_port(made.sim, &on_body, force, frame, &message));
  }
  for (int i = 0; i < NO_NUMBERS; i++) {
    assert_int_equal(wy_sim_group_of(made.sim, WY_PORT_ROD, no_numbers[i]), -1);
    assert_int_equal(wy_sim_group_of(made.sim, WY_PORT_BODY, no_numbers[i]), -1);
    assert_int_equal(wy_sim_group_describe(made.sim, no_numbers[i]).unknowns, 0);
    assert_int_equal(wy_sim_group_statistics(made.sim, no_numbers[i]).steps, 0);
    char words[8] = "words";
    assert_false(wy_sim_group_dependent(made.sim, no_numbers[i], words, sizeof words));
    assert_string_equal(words, "");
    assert_int_equal(wy_sim_group_equilibrium(made.sim, no_numbers[i]).unstable, -1);
  }
  assert_int_equal(wy_sim_group_of(made.sim, WY_PORT_GROUND, 0), -1);
  assert_int_equal(wy_sim_group_of(NULL, WY_PORT_ROD, 0), -1);
  assert_false(wy_sim_group_dependent(NULL, 0, NULL, 0));
  assert_false(wy_sim_group_dependent(made.sim, 0, NULL, 0));
  assert_int_equal(wy_sim_group_count(NULL) + wy_sim_group_describe(NULL, 0).unknowns, 0);
  refuse(wy_sim_body(NULL, 0, &body, &message));
  refuse(wy_sim_body(made.sim, 0, NULL, &message));
  refuse(wy_sim_joint(NULL, 0, 0, force, moment, &message));
  refuse(wy_sim_joint(made.sim, 0, 0, NULL, moment, &message));
  refuse(wy_sim_joint(made.sim, 0, 0, force, NULL, &message));
  for (int i = 0; i < NO_NUMBERS; i++) {
    refuse(wy_sim_joint_angle(made.sim, no_numbers[i], 1, force, moment, &message));
    refuse(wy_sim_set_joint_angle(made.sim, no_numbers[i], 1, 0, 1, &message));
  }
  refuse(wy_sim_joint_angle(made.sim, 0, 1, force, moment, &message)); /* no hinge */
  refuse(wy_sim_joint_angle(NULL, 0, 1, force, moment, &message));
  refuse(wy_sim_joint_angle(made.sim, 0, 1, NULL, moment, &message));
  refuse(wy_sim_joint_angle(made.sim, 0, 1, force, NULL, &message));
  refuse(wy_sim_set_joint_angle(made.sim, 0, 1, 0, 1, &message));
  refuse(wy_sim_set_joint_angle(NULL, 0, 1, 0, 1, &message));
  refuse(wy_sim_spring(NULL, 0, force, moment, &message));
  refuse(wy_sim_spring(made.sim, 0, NULL, moment, &message));
  refuse(wy_sim_spring(made.sim, 0, force, NULL, &message));
  refuse(wy_sim_move_body(NULL, 0, &still, 1, &message));
  refuse(wy_sim_move_body(made.sim, 0, NULL, 1, &message));
  refuse(wy_sim_move_body(made.sim, 0, &still, 0, &message));
  refuse(wy_sim_move_body(made.sim, 0, &still, NAN, &message));
  refuse(wy_sim_move_body(made.sim, 0, &still, 1, &message)); /* it is free */
  const wy_port ground = wy_port_on_ground(), body_port = wy_port_on_body(0, 0, 0, 0), off = wy_port_on_rod(0, NAN);
  refuse(wy_sim_port(made.sim, &ground, force, frame, &message));
  refuse(wy_sim_port(made.sim, &off, force, frame, &message));
  refuse(wy_sim_port(NULL, &body_port, force, frame, &message));
  refuse(wy_sim_port(made.sim, NULL, force, frame, &message));
  refuse(wy_sim_port(made.sim, &body_port, NULL, frame, &message));
  refuse(wy_sim_port(made.sim, &body_port, force, NULL, &message));
  free_sim(&made);
}

/* A rod above a floor that stands. */
static void reading_contact(void **state) {
  (void)state;
  setting it;
  set(&it);
  it.model.actuator_count = 0;
  wy_obstacle_def floor = wy_default_obstacle_def();
  floor.name = "floor";
  floor.position[2].value = -10;
  it.model.obstacles = &floor, it.model.obstacle_count = 1;
  test_sim made = make_of(&it, false);
  wy_obstacle_state at;
  const double zero[3] = {0, 0, -10};
  const wy_pose still = {.position = zero}, nowhere = {0};
  for (int i = 0; i < NO_NUMBERS; i++) {
    refuse(wy_sim_obstacle(made.sim, no_numbers[i], WY_ALL_RODS, &at, &message));
    refuse(wy_sim_move_obstacle(made.sim, no_numbers[i], &still, 1, &message));
    assert_null(wy_sim_contact(made.sim, no_numbers[i]));
    assert_null(wy_model_obstacle(made.model, no_numbers[i]));
    if (no_numbers[i] != WY_ALL_RODS)
      refuse(wy_sim_obstacle(made.sim, 0, no_numbers[i], &at, &message));
  }
  refuse(wy_sim_obstacle(NULL, 0, WY_ALL_RODS, &at, &message));
  refuse(wy_sim_obstacle(made.sim, 0, WY_ALL_RODS, NULL, &message));
  refuse(wy_sim_move_obstacle(NULL, 0, &still, 1, &message));
  refuse(wy_sim_move_obstacle(made.sim, 0, NULL, 1, &message));
  refuse(wy_sim_move_obstacle(made.sim, 0, &nowhere, 1, &message));
  refuse(wy_sim_move_obstacle(made.sim, 0, &still, 0, &message));
  refuse(wy_sim_move_obstacle(made.sim, 0, &still, NAN, &message));
  assert_null(wy_sim_contact(NULL, 0));
  assert_int_equal(wy_model_obstacle_count(NULL), 0);
  assert_null(wy_model_obstacle(NULL, 0));
  assert_int_equal(wy_model_obstacle_index(made.model, "floor"), 0);
  assert_int_equal(wy_model_obstacle_index(made.model, NULL) + wy_model_obstacle_index(NULL, "floor"), -2);
  free_sim(&made);
}

static void saving(void **state) {
  (void)state;
  test_sim made = make(false);
  size_t size = wy_sim_save_size(made.sim);
  char *buffer = malloc(size);
  assert_true(wy_sim_save_size(NULL) == 0);
  refuse(wy_sim_save(NULL, buffer, size, &message));
  refuse(wy_sim_save(made.sim, NULL, size, &message));
  refuse(wy_sim_save(made.sim, buffer, 0, &message));
  memset(buffer, 0xff, size);
  refuse(wy_sim_restore(NULL, buffer, size, &message));
  refuse(wy_sim_restore(made.sim, NULL, size, &message));
  refuse(wy_sim_restore(made.sim, buffer, 0, &message));
  refuse(wy_sim_restore(made.sim, buffer, size, &message));
  free(buffer);
  free_sim(&made);
}

static void equilibria(void **state) {
  (void)state;
  test_sim made = make(true), moving = make(false);
  wy_mode_set *modes = NULL, *both[2] = {NULL, NULL};
  wy_message said = {0};
  refuse(wy_sim_settle(NULL, 0, &message));
  refuse(wy_sim_settle(moving.sim, 0, &message));
  refuse(wy_sim_follow(NULL, 1, &message));
  refuse(wy_sim_follow(made.sim, 1, &message)); /* not settled yet */
  refuse(wy_sim_follow_step(NULL, 1, &message));
  refuse(wy_sim_modes(made.sim, 0, 1, &modes, &message));
  must(wy_sim_settle(made.sim, 0, &said), &said);
  for (int i = 0; i < NO_TIMES; i++) {
    refuse(wy_sim_settle(made.sim, no_times[i], &message));
    refuse(wy_sim_follow(made.sim, no_times[i], &message));
    refuse(wy_sim_follow_step(made.sim, no_times[i], &message));
    refuse(wy_sim_buckling(made.sim, 0, no_times[i], 1, &modes, &message));
  }
  for (int i = 0; i < NO_NUMBERS; i++) {
    refuse(wy_sim_modes(made.sim, no_numbers[i], 1, &modes, &message));
    refuse(wy_sim_buckling(made.sim, no_numbers[i], 0, 1, &modes, &message));
    refuse(wy_sim_group_modes(made.sim, no_numbers[i], 1, both, NULL, &message));
    refuse(wy_sim_group_buckling(made.sim, no_numbers[i], 0, 1, both, NULL, &message));
    if (no_numbers[i] != WY_ALL_RODS)
      assert_int_equal(wy_sim_equilibrium(made.sim, no_numbers[i]).unstable, -1);
  }
  refuse(wy_sim_group_modes(NULL, 0, 1, both, NULL, &message));
  refuse(wy_sim_group_modes(made.sim, 0, 1, NULL, NULL, &message));
  refuse(wy_sim_group_modes(made.sim, 0, 0, both, NULL, &message));
  refuse(wy_sim_group_buckling(NULL, 0, 0, 1, both, NULL, &message));
  refuse(wy_sim_group_buckling(made.sim, 0, 0, 1, NULL, NULL, &message));
  refuse(wy_sim_group_buckling(made.sim, 0, 0, 0, both, NULL, &message));
  refuse(wy_sim_group_buckling(made.sim, 0, NAN, 1, both, NULL, &message));
  assert_true(!both[0] && !both[1]);
  assert_int_equal(wy_sim_equilibrium(NULL, 0).unstable, -1);
  assert_int_equal(wy_sim_equilibrium(moving.sim, WY_ALL_RODS).unstable, -1);
  assert_int_equal(wy_sim_group_equilibrium(NULL, 0).unstable, -1);
  for (int way = WY_WAY_STRAIGHT; way <= WY_WAY_RELAXATION; way++)
    check_above(strlen(wy_equilibrium_way_name((wy_equilibrium_way)way)), 0);
  assert_string_equal(wy_equilibrium_way_name((wy_equilibrium_way)(WY_WAY_RELAXATION + 1)), "");
  assert_string_equal(wy_equilibrium_way_name((wy_equilibrium_way)-1), "");
  refuse(wy_sim_modes(NULL, 0, 1, &modes, &message));
  refuse(wy_sim_modes(made.sim, 0, 1, NULL, &message));
  refuse(wy_sim_modes(made.sim, 0, 0, &modes, &message));
  refuse(wy_sim_modes(made.sim, 0, INT_MIN, &modes, &message));
  refuse(wy_sim_buckling(NULL, 0, 0, 1, &modes, &message));
  refuse(wy_sim_buckling(made.sim, 0, 0, 1, NULL, &message));
  refuse(wy_sim_buckling(made.sim, 0, 0, -1, &modes, &message));
  assert_null(modes);
  must(wy_sim_modes(made.sim, 0, INT_MAX, &modes, &said), &said); /* as many as there are */
  assert_true(modes->count > 0 && modes->count < 1000);
  wy_mode_set_destroy(modes);
  wy_mode_set_destroy(NULL);
  free_sim(&made);
  free_sim(&moving);
}

static void strands(void **state) {
  (void)state;
  test_sim made = make(false), small = {0};
  const int both[2] = {0, 1}, outside[1] = {2};
  wy_strands_def def = wy_default_strands_def(), other;
  wy_strands *hair = NULL;
  wy_message said = {0};
  int rods[3];
  double weights[3], place[3];
  def.guides = both, def.guide_count = 2, def.count = 3, def.radius = 0.1;
  refuse(wy_strands_create(NULL, made.sim, &def, &hair, &message));
  refuse(wy_strands_create(made.model, NULL, &def, &hair, &message));
  refuse(wy_strands_create(made.model, made.sim, NULL, &hair, &message));
  refuse(wy_strands_create(made.model, made.sim, &def, NULL, &message));
  other = def, other.guides = NULL;
  refuse(wy_strands_create(made.model, made.sim, &other, &hair, &message));
  other = def, other.guides = outside, other.guide_count = 1;
  refuse(wy_strands_create(made.model, made.sim, &other, &hair, &message));
  other = def, other.guide_count = -1;
  refuse(wy_strands_create(made.model, made.sim, &other, &hair, &message));
  other = def, other.count = INT_MIN;
  refuse(wy_strands_create(made.model, made.sim, &other, &hair, &message));
  other = def, other.radius = NAN;
  refuse(wy_strands_create(made.model, made.sim, &other, &hair, &message));
  other = def, other.name = NULL;
  refuse(wy_strands_create(made.model, made.sim, &other, &hair, &message));
  other = def, other.cookie = 0;
  refuse(wy_strands_create(made.model, made.sim, &other, &hair, &message));
  /* A simulation of another model, with fewer rods. */
  setting it;
  set(&it);
  it.model.rod_count = 1;
  wy_sim_def sim_def = wy_default_sim_def();
  must(wy_model_create(&it.model, &small.model, &said), &said);
  must(wy_sim_create(small.model, &sim_def, &small.sim, &said), &said);
  refuse(wy_strands_create(made.model, small.sim, &def, &hair, &message));
  assert_null(hair);
  must(wy_strands_create(made.model, made.sim, &def, &hair, &said), &said);
  assert_null(wy_strands_name(NULL));
  assert_int_equal(wy_strands_count(NULL) + wy_strands_points(NULL), 0);
  assert_int_equal(wy_strands_weights(NULL, 0, rods, weights), 0);
  assert_int_equal(wy_strands_weights(hair, -1, rods, weights), 0);
  assert_int_equal(wy_strands_weights(hair, 3, rods, weights), 0);
  assert_int_equal(wy_strands_weights(hair, 0, NULL, weights), 0);
  assert_int_equal(wy_strands_weights(hair, 0, rods, NULL), 0);
  wy_strands_place(NULL, place);
  wy_strands_place(hair, NULL);
  wy_strands_destroy(hair);
  wy_strands_destroy(NULL);
  free_sim(&made);
  free_sim(&small);
}

/* ---- Judgement ---- */

static void judgement(void **state) {
  (void)state;
  test_sim made = make(false);
  wy_message said = {{0}, {0}};
  wy_finding finding;
  int count = -1;
  refuse(wy_sim_verify(NULL, &finding, 1, &count, &message));
  must(wy_sim_verify(made.sim, NULL, 5, NULL, NULL), &said);
  must(wy_sim_verify(made.sim, &finding, INT_MIN, &count, NULL), &said);
  assert_int_equal(count, 0);
  assert_int_equal(wy_sim_verdict(NULL), WY_FINE);
  for (int i = 0; i < 2; i++) {
    const int rod = i ? 99 : -2;
    assert_true(isnan(wy_sim_balance(made.sim, rod).start) && isnan(wy_sim_drift(made.sim, rod)));
    assert_true(isnan(wy_sim_drift_limits(made.sim, rod).wrong));
  }
  assert_true(isnan(wy_sim_balance(NULL, 0).start) && isnan(wy_sim_drift(NULL, 0)));
  assert_true(isnan(wy_sim_drift_limits(NULL, 0).wrong));
  wy_solver_def nameless = wy_default_solver_def();
  nameless.scheme = NULL;
  const wy_solver_def *const bad[] = {NULL, &nameless};
  for (int i = 0; i < 2; i++) {
    const wy_scheme_info info = wy_scheme_describe(bad[i]);
    assert_true(info.name && info.piece && info.node && info.kept_by && info.turn_limit == 0);
    assert_string_equal(wy_scheme_describe_rod(made.model, 0, bad[i], "radau5").constraints, info.constraints);
  }
  const wy_solver_def sound = wy_default_solver_def();
  const wy_scheme_info plain = wy_scheme_describe(&sound);
  for (int i = 0; i < 4; i++)
    assert_string_equal(wy_scheme_describe_rod(i == 0 ? NULL : made.model,
                                               i == 1   ? -1
                                               : i == 2 ? 99
                                                        : 0,
                                               &sound, i == 3 ? NULL : "none")
                            .constraints,
                        plain.constraints);
  refuse(wy_solver_set_order(NULL, 2, &message));
  const double finer[2] = {1, NAN};
  double lengths[4];
  refuse(wy_graded_lengths(4, 1, finer, 0.1, lengths, &message));
  refuse(wy_graded_lengths(4, 1, NULL, 0.1, lengths, &message));
  refuse(wy_graded_lengths(4, 1, finer, 0.1, NULL, &message));
  wy_solver_def own = wy_default_solver_def();
  wy_space_choice choice;
  refuse(wy_space_choose(NULL, 0, WY_DYNAMICS, 1, 0.01, 0, &own, &choice, &message));
  refuse(wy_space_choose(made.model, 0, WY_DYNAMICS, 1, 0.01, 0, NULL, &choice, &message));
  refuse(wy_space_choose(made.model, 0, WY_DYNAMICS, 1, 0.01, 0, &own, NULL, &message));
  refuse(wy_space_choose(made.model, -1, WY_DYNAMICS, 1, 0.01, 0, &own, &choice, &message));
  refuse(wy_space_choose(made.model, 99, WY_DYNAMICS, 1, 0.01, 0, &own, &choice, &message));
  refuse(wy_space_choose(made.model, 0, (wy_analysis)99, 1, 0.01, 0, &own, &choice, &message));
  refuse(wy_space_choose(made.model, 0, WY_DYNAMICS, NAN, 0.01, 0, &own, &choice, &message));
  refuse(wy_space_choose(made.model, 0, WY_DYNAMICS, 1, NAN, 0, &own, &choice, &message));
  refuse(wy_space_choose(made.model, 0, WY_DYNAMICS, 1, 1, 0, &own, &choice, &message));
  assert_string_equal(wy_curvature_measure_of(NULL, NULL), "");
  refuse(wy_solver_set_order(&nameless, 2, &message));
  assert_int_equal(wy_finding_line(NULL, said.text, 10) + wy_finding_line(&finding, NULL, 10), 0);
  wy_sim_def def = wy_default_sim_def();
  refuse(wy_check(NULL, &def, WY_DYNAMICS, &finding, 1, &count, &message));
  refuse(wy_check(made.model, NULL, WY_DYNAMICS, &finding, 1, &count, &message));
  must(wy_check(made.model, &def, WY_DYNAMICS, NULL, 5, NULL, NULL), &said);
  must(wy_check(made.model, &def, WY_DYNAMICS, &finding, INT_MIN, &count, NULL), &said);
  refuse(wy_check(made.model, &def, (wy_analysis)99, &finding, 1, &count, &message));
  wy_report_line line;
  refuse(wy_check_report(NULL, &def, WY_DYNAMICS, 0, &line, 1, &count, &message));
  refuse(wy_check_report(made.model, NULL, WY_DYNAMICS, 0, &line, 1, &count, &message));
  refuse(wy_check_report(made.model, &def, WY_DYNAMICS, 99, &line, 1, &count, &message));
  refuse(wy_check_report(made.model, &def, WY_DYNAMICS, -2, &line, 1, &count, &message));
  must(wy_check_report(made.model, &def, WY_DYNAMICS, 0, NULL, 5, NULL, NULL), &said);
  assert_true(isnan(wy_check_period(NULL, &def, 0)) && isnan(wy_check_period(made.model, NULL, 0)));
  assert_true(isnan(wy_check_period(made.model, &def, 99)));
  const double times[] = {1, NAN};
  assert_false(wy_step_divides(0, 1) || wy_step_divides(NAN, 1) || wy_step_divides(1, NAN));
  assert_true(wy_step_fitting(0.1, false, NULL, 1) == 0 && wy_step_fitting(0.1, false, times, 0) == 0);
  assert_true(wy_step_fitting(NAN, false, times, 1) == 0 && wy_step_fitting(0.1, true, times, 2) == 0);
  assert_true(isnan(wy_memory_estimate(NULL, &def)));
  const wy_model_def empty = wy_default_model_def();
  assert_true(isnan(wy_memory_estimate(&empty, NULL)) && isnan(wy_memory_estimate(&empty, &def)));
  free_sim(&made);
}

/* ---- Runs ---- */

static void runs(void **state) {
  (void)state;
  wy_run_report report;
  wy_run_def def = wy_default_run_def(), never = {.folder = "/tmp"};
  refuse(wy_run(NULL, &report, &message));
  assert_int_equal(report.end, WY_RUN_REFUSED);
  refuse(wy_run(&never, &report, &message));
  refuse(wy_run(&def, &report, &message));
  def.folder = "/tmp";
  refuse(wy_run(&def, NULL, &message));
  const wy_ranks ranks = {.rank = 0, .count = 1};
  refuse(wy_run_serve(NULL, &ranks, NULL, NULL, &message));
  refuse(wy_run_serve(NULL, NULL, NULL, NULL, &message));
  assert_int_equal(wy_run(NULL, NULL, NULL), WY_ERROR_INPUT);
  wy_run_report_free(&report);
  wy_run_report_free(NULL);
  char *text = NULL;
  refuse(wy_distance_file(NULL, &text, &message));
  refuse(wy_distance_file("no/such.h5", NULL, &message));
  assert_int_equal(wy_distance_file("no/such.h5", &text, NULL), WY_ERROR_FILE);
  assert_int_equal(wy_distance_file(WY_TEST_DATA "/box_statics.md", &text, NULL), WY_ERROR_INPUT);
  assert_null(text);
}

static void convergence(void **state) {
  (void)state;
  wy_converge *converge = NULL;
  wy_converge_report report;
  wy_converge_def def = wy_default_converge_def(), never = {.levels = 3};
  refuse(wy_converge_create(NULL, &converge, &message));
  refuse(wy_converge_create(&never, &converge, &message));
  refuse(wy_converge_create(&def, &converge, &message));
  refuse(wy_converge_create(&def, NULL, &message));
  assert_null(converge);
  refuse(wy_converge_all(NULL, &report, &message));
  refuse(wy_converge_all(&def, NULL, &message));
  refuse(wy_converge_judge(NULL, &report, &message));
  assert_int_equal(wy_converge_judge(NULL, NULL, NULL), WY_ERROR_INPUT);
  assert_int_equal(report.end, WY_RUN_REFUSED);
  assert_int_equal(wy_converge_run_count(NULL), 0);
  assert_null(wy_converge_describe(NULL, 0));
  wy_converge_work(NULL);
  refuse(wy_converge_write(NULL, "folder", &message));
  refuse(wy_converge_write(&report, "folder", &message));
  refuse(wy_draw_converge(NULL, "page.html", &message));
  refuse(wy_draw_converge(&report, "page.html", &message));
  for (int i = 0; i < NO_NUMBERS; i++) {
    assert_true(isnan(wy_converge_needed(&report, no_numbers[i], 0.1)));
    assert_null(wy_convergence_name((wy_convergence)(no_numbers[i] == 2 ? WY_NOT_FINITE + 1 : no_numbers[i])));
    assert_null(wy_refinement_name((wy_refinement)(no_numbers[i] == 2 ? WY_REFINE_TOLERANCE + 1 : no_numbers[i])));
  }
  assert_true(isnan(wy_converge_needed(NULL, 0, 0.1)) && isnan(wy_converge_needed(&report, 0, NAN)));
  wy_converge_destroy(NULL);
  wy_converge_report_free(&report);
  wy_converge_report_free(NULL);
}

/* ---- Scenarios ---- */

#define refuse_scenario(call)                                                                                          \
  do {                                                                                                                 \
    wy_scenario_error error = {.text = "", .excerpt = "?"};                                                            \
    wy_status status = (call);                                                                                         \
    if (status != WY_ERROR_INPUT || !error.text[0] || error.excerpt[0])                                                \
      fail_msg("%s: status %d, message '%s'", #call, (int)status, error.text);                                         \
  } while (0)

static void scenarios(void **state) {
  (void)state;
  static const char text[] = "{\"withy\": 1, \"time\": {\"end\": 1}, \"rods\": [{\"name\": \"arm\", \"length\": 1, "
                             "\"section\": {\"shape\": \"circle\", \"radius\": 0.01}, "
                             "\"material\": {\"density\": 1000, \"young\": 1e6, \"poisson\": 0.5}}]}";
  const char *const no_setting[] = {NULL};
  wy_scenario *scenario = NULL;
  wy_message said = {{0}, {0}};
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  refuse_scenario(wy_scenario_read(NULL, "a", text, NULL, 0, &scenario, &error));
  refuse_scenario(wy_scenario_read("a.json", NULL, text, NULL, 0, &scenario, &error));
  refuse_scenario(wy_scenario_read("a.json", "a", NULL, NULL, 0, &scenario, &error));
  refuse_scenario(wy_scenario_read("a.json", "a", text, NULL, 1, &scenario, &error));
  refuse_scenario(wy_scenario_read("a.json", "a", text, no_setting, 1, &scenario, &error));
  refuse_scenario(wy_scenario_read("a.json", "a", text, no_setting, -1, &scenario, &error));
  refuse_scenario(wy_scenario_read("a.json", "a", text, NULL, 0, NULL, &error));
  const wy_scenario_file no_files[] = {{"a.csv", NULL}, {NULL, "1"}};
  for (int i = 0; i < 2; i++)
    refuse_scenario(wy_scenario_read_with("a.json", "a", text, NULL, 0, &no_files[i], 1, &scenario, &error));
  refuse_scenario(wy_scenario_read_with("a.json", "a", text, NULL, 0, NULL, 1, &scenario, &error));
  refuse_scenario(wy_scenario_read_with("a.json", "a", text, NULL, 0, no_files, -1, &scenario, &error));
  refuse_scenario(wy_scenario_read_using(NULL, NULL, "a", text, NULL, 0, NULL, 0, &scenario, &error));
  refuse_scenario(wy_scenario_read_using(NULL, "a.json", "a", text, NULL, 0, NULL, 0, NULL, &error));
  refuse_scenario(wy_scenario_read_using(NULL, "a.json", "a", text, NULL, 0, no_files, 1, &scenario, &error));
  assert_int_equal(wy_scenario_read_using(NULL, "no/such.json", NULL, NULL, NULL, 0, NULL, 0, &scenario, NULL),
                   WY_ERROR_FILE);
  refuse_scenario(wy_scenario_read_file(NULL, NULL, 0, &scenario, &error));
  refuse_scenario(wy_scenario_read_file("a.json", NULL, 0, NULL, &error));
  assert_int_equal(wy_scenario_read_file("there/is/no/such.json", NULL, 0, &scenario, NULL), WY_ERROR_FILE);
  assert_null(scenario);
  must(wy_scenario_read("a.json", "a", text, NULL, 0, &scenario, NULL), &said);
  refuse_scenario(wy_scenario_set(NULL, "time.end=2", &error));
  refuse_scenario(wy_scenario_set(scenario, NULL, &error));
  refuse_scenario(wy_scenario_set(scenario, "nothing", &error));
  check_close(scenario->end, 1, 0);
  test_sim made = make(false);
  double value[4];
  refuse(wy_scenario_probe(NULL, made.sim, 0, value, &message));
  refuse(wy_scenario_probe(scenario, NULL, 0, value, &message));
  refuse(wy_scenario_probe(scenario, made.sim, 0, NULL, &message));
  for (int i = 0; i < NO_NUMBERS; i++)
    refuse(wy_scenario_probe(scenario, made.sim, no_numbers[i], value, &message));
  free_sim(&made);
  wy_rigid_motion motion;
  wy_batch *batch = NULL;
  refuse(wy_scenario_patterns(NULL, &model, &message));
  refuse(wy_scenario_patterns(scenario, NULL, &message));
  assert_int_equal(wy_scenario_patterns(scenario, &model, NULL), WY_OK); /* it has no batches */
  assert_null(model);
  refuse(wy_scenario_batch_create(NULL, made.model, 0, NULL, &batch, &message));
  refuse(wy_scenario_batch_create(scenario, NULL, 0, NULL, &batch, &message));
  refuse(wy_scenario_batch_create(scenario, made.model, 0, NULL, NULL, &message));
  refuse(wy_scenario_batch_part(NULL, made.model, 0, 1, NULL, NULL, &batch, &message));
  refuse(wy_scenario_batch_part(scenario, NULL, 0, 1, NULL, NULL, &batch, &message));
  refuse(wy_scenario_batch_part(scenario, made.model, 0, 1, NULL, NULL, NULL, &message));
  refuse(wy_scenario_batch_motion(NULL, 0, 0, NULL, &motion, &message));
  refuse(wy_scenario_batch_motion(scenario, 0, 0, NULL, NULL, &message));
  refuse(wy_scenario_batch_move(NULL, 0, &motion, batch, value, &message));
  for (int i = 0; i < 3; i++) {
    refuse(wy_scenario_batch_create(scenario, made.model, no_numbers[i], NULL, &batch, &message));
    refuse(wy_scenario_batch_motion(scenario, no_numbers[i], 0, NULL, &motion, &message));
    refuse(wy_scenario_batch_move(scenario, no_numbers[i], &motion, batch, value, &message));
  }
  refuse(wy_scenario_build(NULL, &model, &sim, &message));
  refuse(wy_scenario_build(scenario, NULL, &sim, &message));
  refuse(wy_scenario_build(scenario, &model, NULL, &message));
  int count;
  refuse(wy_scenario_check(NULL, model, NULL, 0, &count, &message));
  refuse(wy_scenario_check(scenario, NULL, NULL, 0, &count, &message));
  assert_int_equal(wy_scenario_rod(NULL, "arm"), -1);
  assert_int_equal(wy_scenario_rod(scenario, NULL), -1);
  assert_int_equal(wy_scenario_rod(scenario, "leg"), -1);
  assert_null(wy_analysis_name((wy_analysis)-1));
  assert_null(wy_analysis_name((wy_analysis)(WY_BUCKLING + 1)));
  assert_false(wy_scenario_has_course(NULL));
  assert_int_equal(wy_scenario_row_count(NULL) + wy_scenario_snapshot_count(NULL), 0);
  assert_true(isnan(wy_scenario_row_time(NULL, 0)) && isnan(wy_scenario_snapshot_time(NULL, 0)));
  for (int i = 0; i < 2; i++) {
    const int k = i ? wy_scenario_row_count(scenario) : -1;
    assert_true(isnan(wy_scenario_row_time(scenario, k)) && isnan(wy_scenario_snapshot_time(scenario, k)));
  }
  wy_scenario_destroy(scenario);
  wy_scenario_destroy(NULL);
}

/* ---- Folders of runs, and what is drawn of them ---- */

/* Definitions of exports with one wrong entry each. */
static void refuse_exports(wy_folder *folder) {
  wy_export_def good = wy_default_export_def(), wrong[16];
  int count = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    wrong[i] = good;
  wrong[count++].format = (wy_export_format)4;
  wrong[count++].path = "";
  wrong[count++].shape = (wy_export_shape)3;
  wrong[count++].shape = WY_EXPORT_LINES; /* of a GLB file */
  wrong[count++].snapshots = 1;
  wrong[count++].snapshots = -1;
  wrong[count++].sides = 2;
  wrong[count++].sides = 257;
  wrong[count++].up = 'w';
  wrong[count++].scale = 0;
  wrong[count++].scale = NAN;
  wrong[count++].speed = -1;
  wrong[count++].speed = INFINITY;
  wrong[count++].at = INFINITY;
  wrong[count++].rod = "arm"; /* there is no run */
  for (int i = 0; i < count; i++)
    refuse(wy_export(folder, &wrong[i], &message));
  assert_null(wy_export_format_name((wy_export_format)4));
  assert_string_equal(wy_export_format_name(WY_EXPORT_USDA), "usda");
}

static void plans(void **state) {
  (void)state;
  wy_plan *plan = NULL;
  wy_scenario_error error = {.text = ""};
  wy_plan_def def = wy_default_plan_def(), never = {.label = "plan.yaml"};
  char text[8] = "x";
  assert_int_equal(wy_plan_read(NULL, &plan, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_plan_read(&never, &plan, &error), WY_ERROR_INPUT);
  assert_int_equal(wy_plan_read(&def, &plan, &error), WY_ERROR_INPUT);
  def.label = "plan.yaml";
  assert_int_equal(wy_plan_read(&def, NULL, &error), WY_ERROR_INPUT);
  def.setting_count = 1;
  assert_int_equal(wy_plan_read(&def, &plan, NULL), WY_ERROR_INPUT);
  assert_true(plan == NULL && error.text[0]);
  wy_plan_destroy(NULL);
  assert_int_equal(wy_plan_identity(NULL), 0);
  assert_false(wy_plan_is_batch(NULL));
  assert_null(wy_plan_scenario(NULL));
  assert_int_equal(wy_plan_point_count(NULL), 0);
  assert_int_equal(wy_plan_parameter_count(NULL), 0);
  assert_null(wy_plan_parameter(NULL, 0));
  assert_int_equal(wy_plan_value(NULL, 0, 0, text, sizeof text), 0);
  assert_string_equal(text, "");
  assert_true(isnan(wy_plan_number(NULL, 0, 0)));
  assert_int_equal(wy_plan_setting_count(NULL), 0);
  assert_int_equal(wy_plan_setting(NULL, 0, 0, NULL, 0), 0);
  assert_int_equal(wy_plan_quantity_count(NULL), 0);
  assert_null(wy_plan_quantity(NULL, 0));
  assert_null(wy_plan_quantity_unit(NULL, 0));
  assert_int_equal(wy_plan_series_count(NULL), 0);
  assert_null(wy_plan_series(NULL, 0));
  assert_int_equal(wy_plan_series_column_count(NULL, 0), 0);
  assert_null(wy_plan_series_column(NULL, 0, 0));
  def = wy_default_plan_def();
  def.label = "plan.yaml";
  def.text = "withy: 1\nscenario: rod\nvary: {time.end: [1, 2]}\n";
  def.scenarios =
      &(wy_scenario_file){"rod", "withy: 1\ntime: {end: 1}\nrods: [{length: 1, segments: 2, section: {shape: "
                                 "circle, radius: 0.01}, material: {density: 1, young: 1, poisson: 0}}]\n"};
  def.scenario_count = 1;
  if (wy_plan_read(&def, &plan, &error) != WY_OK)
    fail_msg("%s", error.text);
  for (int i = 0; i < NO_NUMBERS; i++) {
    const int wrong = no_numbers[i];
    wy_sweep_row row;
    assert_null(wy_plan_parameter(plan, wrong));
    assert_int_equal(wy_plan_value(plan, 0, wrong, text, sizeof text), 0);
    assert_int_equal(wy_plan_value(plan, wrong, 0, text, sizeof text), 0);
    assert_true(isnan(wy_plan_number(plan, wrong, 0)));
    assert_int_equal(wy_plan_setting(plan, wrong, 0, text, sizeof text), 0);
    assert_int_equal(wy_plan_setting(plan, 0, wrong, text, sizeof text), 0);
    assert_null(wy_plan_quantity(plan, wrong));
    assert_null(wy_plan_series(plan, wrong));
    assert_null(wy_plan_series_column(plan, 0, wrong));
    refuse(wy_sweep_point(plan, wrong, NULL, NULL, &row, &message));
    assert_null(row.memory);
  }
  refuse(wy_sweep_point(plan, 0, NULL, NULL, NULL, &message));
  wy_plan_destroy(plan);
}

static void sweeps(void **state) {
  (void)state;
  wy_sweep_row row = {0};
  wy_sweep *sweep = NULL;
  wy_sweep_def def = wy_default_sweep_def(), never = {.folder = "/tmp"};
  wy_sweep_counts counts;
  char bytes[8] = {0};
  refuse(wy_sweep_point(NULL, 0, NULL, NULL, &row, &message));
  wy_sweep_row_free(NULL);
  wy_sweep_row_free(&row);
  assert_int_equal(wy_sweep_row_size(NULL), 0);
  assert_int_equal(wy_sweep_row_size(&row), 0);
  refuse(wy_sweep_row_pack(NULL, bytes, sizeof bytes, &message));
  refuse(wy_sweep_row_pack(&row, bytes, sizeof bytes, &message));
  refuse(wy_sweep_row_unpack(NULL, 8, &row, &message));
  refuse(wy_sweep_row_unpack(bytes, sizeof bytes, &row, &message));
  refuse(wy_sweep_row_unpack(bytes, sizeof bytes, NULL, &message));
  refuse(wy_sweep_open(NULL, &sweep, &message));
  refuse(wy_sweep_open(&never, &sweep, &message));
  refuse(wy_sweep_open(&def, &sweep, &message));
  refuse(wy_sweep_open(&def, NULL, &message));
  assert_null(sweep);
  assert_int_equal(wy_sweep_next(NULL), -1);
  refuse(wy_sweep_record(NULL, &row, &message));
  refuse(wy_sweep_work(NULL, NULL, NULL, &message));
  refuse(wy_sweep_batch(NULL, NULL, NULL, NULL, &message));
  assert_int_equal(wy_sweep_progress(NULL).points, 0);
  assert_int_equal(wy_sweep_close(NULL, &counts, NULL), WY_OK);
  assert_int_equal(counts.points, 0);
  refuse(wy_sweep_collect(NULL, false, &counts, &message));
  refuse(wy_sweep_collect("", false, NULL, &message));
  assert_null(wy_point_status_name((wy_point_status)99));
}

static void folders(void **state) {
  (void)state;
  wy_folder *folder = NULL;
  const wy_probes *probes = NULL;
  const wy_table *table = NULL;
  const wy_stored_field *field = NULL;
  const wy_stored_numbers *numbers = NULL;
  const wy_stored_modes *modes = NULL;
  const wy_stored_shapes *shapes = NULL;
  const char *text = NULL, *const *names = NULL;
  const double *values = NULL;
  double number = 0;
  int count = 0;
  wy_message said = {{0}, {0}};
  refuse(wy_folder_open(NULL, &folder, &message));
  refuse(wy_folder_open("/", NULL, &message));
  assert_null(folder);
  wy_folder_close(NULL);
  must(wy_folder_open("/", &folder, &said), &said);
  for (int i = 0; i < 2; i++) { /* no folder, then no argument */
    wy_folder *in = i == 0 ? NULL : folder;
    refuse(wy_folder_check(NULL, &message));
    refuse(wy_folder_summary(in, NULL, &text, &message));
    refuse(wy_folder_summary(in, "status", i ? NULL : &text, &message));
    refuse(wy_folder_table(in, NULL, &table, &message));
    refuse(wy_folder_table(in, "probes.csv", i ? NULL : &table, &message));
    refuse(wy_folder_probes(in, i ? NULL : &probes, &message));
    refuse(wy_folder_path_probes(in, i ? NULL : &probes, &message));
    refuse(wy_folder_snapshots(in, i ? NULL : &count, &values, &message));
    refuse(wy_folder_rods(in, i ? NULL : &count, &names, &message));
    const wy_stored_batch *batches;
    refuse(wy_folder_batched(in, i ? NULL : &count, &batches, &message));
    refuse(wy_folder_field(in, NULL, 3, &field, &message));
    refuse(wy_folder_field(in, "/time", i ? 0 : 1, &field, &message));
    refuse(wy_folder_rod_field(in, NULL, "position", 3, &field, &message));
    refuse(wy_folder_rod_field(in, "rod", i ? NULL : "position", 3, &field, &message));
    refuse(wy_folder_read(in, NULL, 0, 1, 1, &number, &message));
    refuse(wy_folder_read(in, &(wy_stored_field){.path = "/time"}, 0, i ? 0 : 1, 1, &number, &message));
    refuse(wy_folder_history(in, NULL, 1, &values, &message));
    refuse(wy_folder_history(in, "/time", 1, i ? NULL : &values, &message));
    refuse(wy_folder_numbers(in, NULL, &numbers, &message));
    refuse(wy_folder_names(in, NULL, &count, &names, &message));
    refuse(wy_folder_modes(in, i ? NULL : &modes, &message));
    refuse(wy_folder_shapes(in, NULL, &shapes, &message));
    refuse(wy_draw_page(in, NULL, 0, &message));
    refuse(wy_draw_page(in, "page.html", i ? 1 : 0, &message));
    refuse(wy_draw_page(in, i ? "" : "page.html", -1, &message));
    refuse(wy_draw_sweep(i ? "/nowhere" : NULL, NULL, &message));
    refuse(wy_draw_sweep(i ? "/" : "", i ? "" : "page.html", &message));
    refuse(wy_draw_plots(in, NULL, &message));
    refuse(wy_draw_plots(in, &(wy_plots_def){.cookie = 0}, &message));
    refuse(wy_export(in, NULL, &message));
    refuse(wy_export(in, &(wy_export_def){.cookie = 0}, &message));
    refuse_exports(in);
    assert_null(wy_folder_text(in, NULL, "a"));
    assert_null(wy_folder_text(in, "/", NULL));
    assert_true(isnan(wy_folder_number(in, NULL, "a", NAN)));
    assert_false(wy_folder_has(in, NULL));
    assert_null(wy_folder_scenario(in));
    assert_null(wy_folder_model(in));
    assert_null(wy_folder_scenario_text(in));
    assert_null(wy_folder_settings(in));
    assert_non_null(wy_folder_title(in));
    assert_int_equal(wy_folder_analysis(in), WY_DYNAMICS);
    int files = -1;
    assert_null(wy_folder_files(in, &files));
    assert_int_equal(files, 0);
    assert_null(wy_folder_files(in, NULL));
  }
  assert_null(wy_folder_path(NULL));
  wy_folder_close(folder);
}

/* What is wrong with a table: tests/unit/test_spline.c. */
static void tables(void **state) {
  (void)state;
  const double x[2] = {0, 1}, y[2] = {0, 1};
  wy_spline_def def = wy_default_spline_def();
  wy_spline *spline = NULL;
  double jet[3];
  def.rows = 2, def.columns = 1, def.argument = x, def.values = y;
  refuse(wy_spline_create(NULL, &spline, &message));
  refuse(wy_spline_create(&def, NULL, &message));
  def.rows = INT_MIN;
  refuse(wy_spline_create(&def, &spline, &message));
  assert_null(spline);
  def.rows = 2;
  assert_int_equal(wy_spline_create(&def, &spline, NULL), WY_OK);
  for (int i = 0; i < NO_NUMBERS; i++) {
    wy_spline_evaluate(spline, no_numbers[i], 0.5, jet);
    assert_true(isnan(jet[0]) && isnan(jet[1]) && isnan(jet[2]));
    assert_true(isnan(wy_spline_signal(spline, no_numbers[i]).value));
  }
  wy_spline_evaluate(spline, 0, 0.5, NULL);
  wy_spline_evaluate(NULL, 0, 0.5, jet);
  assert_true(isnan(jet[0]));
  assert_true(isnan(wy_spline_signal(NULL, 0).value));
  assert_int_equal(wy_spline_column(NULL, "x"), -1);
  assert_int_equal(wy_spline_column(spline, NULL), -1);
  assert_int_equal(wy_spline_column(spline, "x"), -1);
  assert_null(wy_spline_definition(NULL));
  wy_spline_destroy(spline);
  wy_spline_destroy(NULL);
}

/* ---- Batches ---- */

static wy_model *batch_model(void) {
  setting it;
  set(&it);
  it.model.actuator_count = 0;
  wy_model *model = NULL;
  assert_int_equal(wy_model_create(&it.model, &model, NULL), WY_OK);
  return model;
}

static void bad_batch_definitions(const wy_model *model) {
  wy_batch *batch = NULL;
  wy_batch_def def = wy_default_batch_def(), wrong = def;
  wy_init_batch_def(NULL, sizeof def);
  refuse(wy_batch_create(NULL, &def, &batch, &message));
  refuse(wy_batch_create(model, NULL, &batch, &message));
  refuse(wy_batch_create(model, &def, NULL, &message));
  for (int i = 0; i < NO_NUMBERS; i++) {
    wrong = def, wrong.rod = no_numbers[i];
    refuse(wy_batch_create(model, &wrong, &batch, &message));
    assert_true(isnan(wy_batch_memory_estimate(model, &wrong)));
  }
  wrong = def, wrong.count = 0;
  refuse(wy_batch_create(model, &wrong, &batch, &message));
  wrong = def, wrong.substeps = -1;
  refuse(wy_batch_create(model, &wrong, &batch, &message));
  wrong = def, wrong.retries = 5;
  refuse(wy_batch_create(model, &wrong, &batch, &message));
  wrong = def, wrong.tolerance = NAN;
  refuse(wy_batch_create(model, &wrong, &batch, &message));
  wrong = def, wrong.precision = (wy_batch_precision)7;
  refuse(wy_batch_create(model, &wrong, &batch, &message));
  wrong = def, wrong.lanes = 3;
  refuse(wy_batch_create(model, &wrong, &batch, &message));
  assert_null(batch);
  assert_true(isnan(wy_batch_memory_estimate(NULL, &def)) && isnan(wy_batch_memory_estimate(model, NULL)));
}

/* Without a batch: nothing, or a message. */
static void no_batch(void) {
  double out[64];
  wy_batch_rod rod;
  const void *pointer = out;
  refuse(wy_batch_set(NULL, WY_BATCH_YOUNG, out, &message));
  refuse(wy_batch_get(NULL, WY_BATCH_YOUNG, out, &message));
  refuse(wy_batch_move(NULL, WY_START, out, NULL, &message));
  refuse(wy_batch_roots(NULL, out, NULL, &message));
  refuse(wy_batch_advance(NULL, 0.1, &message));
  refuse(wy_batch_status(NULL, 0, 1, &rod, &message));
  refuse(wy_batch_positions(NULL, 0, 1, out, &message));
  refuse(wy_batch_frames(NULL, 0, 1, out, &message));
  refuse(wy_batch_velocities(NULL, 0, 1, out, &message));
  refuse(wy_batch_spins(NULL, 0, 1, out, &message));
  refuse(wy_batch_sections(NULL, 0, 1, out, NULL, NULL, NULL, &message));
  refuse(wy_batch_place(NULL, 0, 1, out, out, NULL, NULL, &message));
  refuse(wy_batch_device_positions(NULL, &pointer, &message));
  refuse(wy_batch_save(NULL, out, sizeof out, &message));
  refuse(wy_batch_restore(NULL, out, sizeof out, &message));
  assert_int_equal(wy_batch_save_size(NULL), 0);
  assert_int_equal(wy_batch_save_row(NULL), 0);
  assert_int_equal(wy_batch_memory(NULL), 0);
  assert_int_equal(wy_batch_describe(NULL).count, 0);
  assert_int_equal(wy_batch_work(NULL).frames, 0);
  assert_true(isnan(wy_batch_time(NULL)));
  wy_batch_destroy(NULL);
}

static void bad_rods(wy_batch *batch) {
  double out[64];
  wy_batch_rod rod;
  for (int i = 0; i < NO_NUMBERS; i++) {
    refuse(wy_batch_status(batch, no_numbers[i], 1, &rod, &message));
    refuse(wy_batch_positions(batch, no_numbers[i], 1, out, &message));
    refuse(wy_batch_frames(batch, no_numbers[i], 1, out, &message));
    refuse(wy_batch_velocities(batch, no_numbers[i], 1, out, &message));
    refuse(wy_batch_spins(batch, no_numbers[i], 1, out, &message));
    refuse(wy_batch_sections(batch, no_numbers[i], 1, out, NULL, NULL, NULL, &message));
    refuse(wy_batch_place(batch, no_numbers[i], 1, out, out, NULL, NULL, &message));
    assert_null(wy_batch_number_name((wy_batch_number)(100 + (no_numbers[i] & 1))));
  }
  assert_int_equal(wy_batch_number_size((wy_batch_number)-1), 0);
}

static void batches(void **state) {
  (void)state;
  wy_model *model = batch_model();
  bad_batch_definitions(model);
  no_batch();
  wy_batch_def def = wy_default_batch_def();
  wy_batch *batch = NULL;
  assert_int_equal(wy_batch_create(model, &def, &batch, NULL), WY_OK);
  bad_rods(batch);
  double values[64] = {NAN}, frames[64] = {0};
  refuse(wy_batch_set(batch, WY_BATCH_YOUNG, NULL, &message));
  refuse(wy_batch_set(batch, WY_BATCH_YOUNG, values, &message));
  refuse(wy_batch_set(batch, (wy_batch_number)99, values, &message));
  refuse(wy_batch_get(batch, (wy_batch_number)99, values, &message));
  refuse(wy_batch_get(batch, WY_BATCH_YOUNG, NULL, &message));
  refuse(wy_batch_roots(batch, NULL, NULL, &message));
  refuse(wy_batch_roots(batch, values, NULL, &message));
  refuse(wy_batch_move(batch, (wy_end_name)5, values, NULL, &message));
  refuse(wy_batch_move(batch, WY_END, frames, NULL, &message));
  for (int i = 0; i < NO_TIMES; i++)
    refuse(wy_batch_advance(batch, no_times[i], &message));
  refuse(wy_batch_advance(batch, 0, &message));
  refuse(wy_batch_positions(batch, 0, 1, NULL, &message));
  refuse(wy_batch_place(batch, 0, 1, values, NULL, NULL, NULL, &message));
  refuse(wy_batch_place(batch, 0, 1, values, frames, NULL, NULL, &message));
  refuse(wy_batch_device_positions(batch, NULL, &message));
  refuse(wy_batch_save(batch, values, 8, &message));
  refuse(wy_batch_restore(batch, values, 8, &message));
  wy_batch_destroy(batch);
  wy_model_destroy(model);
}

/* ---- Definitions ---- */

static void definitions(void **state) {
  (void)state;
  wy_load_def def = wy_default_load_def(), own = def;
  wy_message message = {.text = ""};
  wy_def_fill(NULL, sizeof def, &own);
  wy_def_fill(&def, sizeof def, NULL);
  wy_def_fill(&def, SIZE_MAX, &own);
  assert_int_equal(def.size, sizeof def);
  assert_null(wy_def_read(NULL, &own, "load", "", &message));
  assert_null(wy_def_read(&def, NULL, "load", "", &message));
  assert_null(wy_def_read(&def, &own, NULL, "", &message));
  assert_null(wy_def_read(&def, &own, "load", NULL, &message));
  assert_true(message.text[0]);
  assert_null(wy_def_read_at(NULL, 0, &own, "load", "", NULL));
  assert_null(wy_def_read_at(&def, INT_MIN, &own, "load", "", NULL));
  wy_init_body_def(NULL, sizeof(wy_body_def)), wy_init_joint_def(NULL, sizeof(wy_joint_def));
  wy_init_spring_def(NULL, sizeof(wy_spring_def)), wy_init_obstacle_def(NULL, sizeof(wy_obstacle_def));
  wy_init_contact_def(NULL, sizeof(wy_contact_def));
  wy_init_rod_def(NULL, sizeof(wy_rod_def)), wy_init_load_def(NULL, sizeof(wy_load_def));
  wy_init_actuator_def(NULL, sizeof(wy_actuator_def)), wy_init_model_def(NULL, sizeof(wy_model_def));
  wy_init_solver_def(NULL, sizeof(wy_solver_def)), wy_init_sim_def(NULL, sizeof(wy_sim_def));
  wy_init_spline_def(NULL, sizeof(wy_spline_def)), wy_init_strands_def(NULL, sizeof(wy_strands_def));
  wy_init_run_def(NULL, sizeof(wy_run_def)), wy_init_plots_def(NULL, sizeof(wy_plots_def));
  wy_init_export_def(NULL, sizeof(wy_export_def)), wy_init_converge_def(NULL, sizeof(wy_converge_def));
  wy_init_plan_def(NULL, sizeof(wy_plan_def)), wy_init_sweep_def(NULL, sizeof(wy_sweep_def));
}

/* ---- No function is left out ---- */

static char *contents(const char *path) {
  static const char root[] = WY_SCENARIOS "/../";
  char name[512];
  snprintf(name, sizeof name, "%s%s", root, path);
  FILE *file = fopen(name, "rb");
  assert_non_null(file);
  char *text = calloc(1, 1 << 20);
  check_above(fread(text, 1, (1 << 20) - 1, file), 0);
  fclose(file);
  return text;
}

/* Functions without arguments, or whose arguments are all there is to give. */
static bool takes_nothing(const char *declaration) {
  return strstr(declaration, "(void)") != NULL;
}

static void all_functions_are_here(void **state) {
  (void)state;
  static const char *const headers[] = {"base",   "batch",  "contact", "converge", "definition", "draw", "expr",
                                        "folder", "judge",  "method",  "model",    "network",    "run",  "scenario",
                                        "sim",    "spline", "statics", "strands",  "sundials",   "sweep"};
  char *here = contents("tests/contract/test_arguments.c");
  int count = 0;
  for (size_t h = 0; h < sizeof headers / sizeof headers[0]; h++) {
    char path[64], declaration[512], name[64];
    snprintf(path, sizeof path, "include/withy/%s.h", headers[h]);
    char *text = contents(path);
    for (const char *at = strstr(text, "\nWY_API "); at; at = strstr(at + 1, "\nWY_API ")) {
      const char *open = strchr(at, '('), *close = strchr(at, ';'), *begin = open;
      while (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z'))
        begin--;
      snprintf(declaration, sizeof declaration, "%.*s", (int)(close - at), at);
      snprintf(name, sizeof name, "%.*s(", (int)(open - begin), begin);
      if (takes_nothing(declaration))
        continue;
      count++;
      if (!strstr(here, name))
        fail_msg("%s of withy/%s.h is not among the functions that are given wrong arguments", name, headers[h]);
    }
    free(text);
  }
  free(here);
  check_above(count, 50); /* or the headers were not read as they are written */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expressions),
      cmocka_unit_test(definitions_of_models),
      cmocka_unit_test(definitions_of_networks),
      cmocka_unit_test(models),
      cmocka_unit_test(definitions_of_simulations),
      cmocka_unit_test(methods),
      cmocka_unit_test(running),
      cmocka_unit_test(reading),
      cmocka_unit_test(reading_networks),
      cmocka_unit_test(reading_contact),
      cmocka_unit_test(saving),
      cmocka_unit_test(judgement),
      cmocka_unit_test(equilibria),
      cmocka_unit_test(strands),
      cmocka_unit_test(runs),
      cmocka_unit_test(convergence),
      cmocka_unit_test(scenarios),
      cmocka_unit_test(folders),
      cmocka_unit_test(tables),
      cmocka_unit_test(plans),
      cmocka_unit_test(sweeps),
      cmocka_unit_test(batches),
      cmocka_unit_test(definitions),
      cmocka_unit_test(all_functions_are_here),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
