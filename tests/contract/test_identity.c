/* SPDX-License-Identifier: MIT */
/* A snapshot belongs to one simulation: any other definition is refused with what differs, the same one, made anew from
   other memory, is accepted and goes on bit for bit. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/fluid.h"
#include "support/rods.h"

/* All that a simulation is made of, in one place, so that one thing can be changed. */
typedef struct subject {
  wy_rod_def rods[2];
  wy_load_def loads[2];
  wy_actuator_def actuators[1];
  wy_model_def model;
  wy_sim_def sim;
  wy_maxwell branches[2];
  double lengths[6], swing[2];
  wy_expr *pulse;
} subject;

/* A callback of the user's own: swing[0] sin(swing[1] t). */
static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *by = context;
  (void)s, (void)wrt;
  jet[0] = by[0] * sin(by[1] * t), jet[1] = by[0] * by[1] * cos(by[1] * t), jet[2] = -by[1] * by[1] * jet[0];
}

static wy_expr *expression(const char *text) {
  wy_expr *expr = NULL;
  wy_expr_error error;
  assert_int_equal(wy_expr_compile(NULL, text, WY_TIME, &expr, &error), WY_OK);
  return expr;
}

static const char *const pulse = "t < 0.5 ? 0 : t < 0.55 ? 0.01 : 0";

static void define(subject *it) {
  *it = (subject){.branches = {{0.2, 0.1}, {0.1, 0.5}}, .swing = {0.01, 3}};
  for (int i = 0; i < 2; i++) {
    it->rods[i] = rubber_rod(6);
    it->rods[i].ends[0] = wy_end_clamped();
    it->rods[i].drag = (wy_drag){0.1, 0.2};
    it->rods[i].fluid = (wy_fluid){.given = true, .density = 1.2, .normal = 1.1, .velocity = stirred_flow(&stirring)};
  }
  it->rods[0].name = "first";
  it->rods[0].law = (wy_law){.kind = WY_STIFFENING_LAW, .bending = 1e-3};
  it->rods[0].damping = (wy_damping){.kind = WY_DAMPING_TIME, .time = wy_constant(1e-3)};
  it->rods[1].maxwell = it->branches, it->rods[1].maxwell_count = 2;
  it->rods[1].initial.velocity[1] = wy_constant(0);
  for (int i = 0; i < 6; i++)
    it->lengths[i] = it->rods[0].length / 6;
  it->rods[0].ends[1].position[1] = WY_HELD;
  it->pulse = expression(pulse);
  for (int i = 0; i < 2; i++)
    it->loads[i] = wy_default_load_def();
  it->loads[0].force[0] = wy_expr_signal(it->pulse);
  it->loads[1].rod = 1;
  it->loads[1].force[2] = (wy_signal){.evaluate = swing, .context = it->swing, .depends_on = WY_TIME};
  it->actuators[0] = wy_default_actuator_def();
  it->actuators[0].offset[0] = wy_constant(2e-3);
  it->actuators[0].force = wy_constant(-0.01);
  it->model = wy_default_model_def();
  it->model.gravity[2] = -9.81;
  it->model.rods = it->rods, it->model.rod_count = 2;
  it->model.loads = it->loads, it->model.load_count = 2;
  it->model.actuators = it->actuators, it->model.actuator_count = 1;
  it->sim = wy_default_sim_def();
  it->sim.solver.integrator = "rodas";
  it->sim.solver.relative_tolerance = it->sim.solver.absolute_tolerance = 1e-4;
  it->sim.end = 2;
}

static test_sim make(const subject *it) {
  test_sim made = {0};
  wy_message message = {0};
  must(wy_model_create(&it->model, &made.model, &message), &message);
  must(wy_sim_create(made.model, &it->sim, &made.sim, &message), &message);
  return made;
}

/* ---- What may differ ---- */

typedef void change(subject *it);

static void clamped_to_pinned(subject *it) {
  it->rods[0].ends[0] = wy_end_pinned();
}
static void other_end_held(subject *it) {
  it->rods[0].ends[1].position[1] = WY_FREE, it->rods[0].ends[1].position[2] = WY_HELD;
}
static void released(subject *it) {
  it->rods[0].ends[0].release = 1.5;
}
static void straight_to_precurved(subject *it) {
  it->rods[0].shape.curvature[1] = wy_constant(0.1);
}
static void other_points(subject *it) {
  static const double points[] = {0, 0, 0, 0.4, 0.1, 0, 1, 0.1, 0.2};
  it->rods[1].length = 0;
  it->rods[1].shape = (wy_shape){.points = points, .point_count = 3};
}
static void moved_origin(subject *it) {
  it->rods[0].shape.origin[0] = 1e-12;
}
static void turned(subject *it) {
  it->rods[0].shape.d1[0] = 0.5;
}
static void set_in_motion(subject *it) {
  it->rods[1].initial.velocity[1] = wy_constant(1e-3);
}
static void twisted(subject *it) {
  it->rods[1].initial.angular_velocity[2] = wy_constant(1e-3);
}
static void thicker(subject *it) {
  it->rods[0].section.radius = wy_constant(5.0001e-3);
}
static void softer(subject *it) {
  it->rods[1].material.young = wy_constant(4.99e6);
}
static void other_kind(subject *it) {
  it->rods[1].kind = WY_KIRCHHOFF;
}
static void other_law(subject *it) {
  it->rods[0].law.bending = 2e-3;
}
static void other_compression(subject *it) {
  it->rods[0].law.compression = true;
}
static void other_damping(subject *it) {
  it->rods[0].damping.time = wy_constant(2e-3);
}
static void other_drag(subject *it) {
  it->rods[0].drag.rotation = 0.3;
}
static void other_fluid(subject *it) {
  it->rods[1].fluid.density = 1.3;
}
static void other_flow(subject *it) {
  static const stirred shifted = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .shift = {0, 0, 0.1}};
  it->rods[1].fluid.velocity = stirred_flow(&shifted);
}
static void constant_flow(subject *it) {
  it->rods[1].fluid.velocity = (wy_flow){.value = {1, 0, 0}};
}
static void other_branch(subject *it) {
  it->branches[1].time = 0.6;
}
static void other_grid(subject *it) {
  it->lengths[0] *= 1.5, it->lengths[1] *= 0.5;
  it->rods[0].segment_lengths = it->lengths;
}
static void renamed(subject *it) {
  it->rods[0].name = "other";
}
static void swapped(subject *it) {
  wy_rod_def first = it->rods[0];
  it->rods[0] = it->rods[1], it->rods[1] = first;
}

static void other_gravity(subject *it) {
  it->model.gravity[2] = -9.80665;
}
static void other_load(subject *it) {
  it->loads[0].force[1] = wy_constant(1e-3);
}
static void named_load(subject *it) {
  it->loads[0].name = "pull";
}
static void named_actuator(subject *it) {
  it->actuators[0].name = "left";
}
static void other_pulse(subject *it) {
  wy_expr_destroy(it->pulse);
  it->pulse = expression("t < 0.5 ? 0 : t < 0.5501 ? 0.01 : 0");
  it->loads[0].force[0] = wy_expr_signal(it->pulse);
}
static void other_swing(subject *it) {
  it->swing[1] = 3.001;
}
static void other_axes(subject *it) {
  it->loads[1].axes = WY_BODY_AXES;
}
static void other_rod(subject *it) {
  it->loads[1].rod = 0;
}
static void other_force(subject *it) {
  it->actuators[0].force = wy_constant(-0.011);
}
static void other_offset(subject *it) {
  it->actuators[0].offset[0] = wy_constant(-2e-3);
}
static void other_actuator(subject *it) {
  it->actuators[0].kind = WY_TENDON, it->actuators[0].force = wy_constant(0.01);
}

static void other_tolerance(subject *it) {
  it->sim.solver.relative_tolerance = 1.1e-4;
}
static void other_measure(subject *it) {
  it->sim.solver.staggered.curvature_measure = WY_SIN2;
}
static void other_coordinates(subject *it) {
  it->sim.solver.staggered.coordinates = WY_ABSOLUTE;
}
static void other_first_step(subject *it) {
  it->sim.solver.first_step = 1e-3;
}
static void other_largest_step(subject *it) {
  it->sim.solver.largest_step = 0.01;
}
static void other_increments(subject *it) {
  it->sim.solver.statics.increments = 30;
}
static void other_newton(subject *it) {
  it->sim.solver.newton.iterations = 21;
}
static void other_integrator(subject *it) {
  it->sim.solver.integrator = "radau5";
}
static void with_statics(subject *it) {
  it->sim.statics = true;
}
static void other_end(subject *it) {
  it->sim.end = 3;
}

typedef struct difference {
  const char *name;
  change *to;
  const char *part; /* that the message names */
} difference;

static const difference differences[] = {{"clamped to pinned", clamped_to_pinned, "rods"},
                                         {"another end held", other_end_held, "rods"},
                                         {"released", released, "rods"},
                                         {"straight to precurved", straight_to_precurved, "rods"},
                                         {"moved", moved_origin, "rods"},
                                         {"through points", other_points, "rods"},
                                         {"turned", turned, "rods"},
                                         {"set in motion", set_in_motion, "rods"},
                                         {"turning", twisted, "rods"},
                                         {"thicker", thicker, "rods"},
                                         {"softer", softer, "rods"},
                                         {"kind", other_kind, "rods"},
                                         {"law", other_law, "rods"},
                                         {"compression", other_compression, "rods"},
                                         {"damping", other_damping, "rods"},
                                         {"drag", other_drag, "rods"},
                                         {"fluid", other_fluid, "rods"},
                                         {"flow", other_flow, "rods"},
                                         {"constant flow", constant_flow, "rods"},
                                         {"branch", other_branch, "rods"},
                                         {"grid", other_grid, "rods"},
                                         {"name", renamed, "rods"},
                                         {"swapped", swapped, "rods"},
                                         {"gravity", other_gravity, "gravity"},
                                         {"load", other_load, "loads"},
                                         {"name of a load", named_load, "loads"},
                                         {"pulse", other_pulse, "loads"},
                                         {"callback", other_swing, "loads"},
                                         {"axes", other_axes, "loads"},
                                         {"rod of a load", other_rod, "loads"},
                                         {"force of an actuator", other_force, "actuators"},
                                         {"offset", other_offset, "actuators"},
                                         {"name of an actuator", named_actuator, "actuators"},
                                         {"actuator", other_actuator, "actuators"},
                                         {"tolerance", other_tolerance, "solver"},
                                         {"curvature measure", other_measure, "solver"},
                                         {"coordinates", other_coordinates, "solver"},
                                         {"first step", other_first_step, "solver"},
                                         {"largest step", other_largest_step, "solver"},
                                         {"increments", other_increments, "solver"},
                                         {"newton", other_newton, "solver"},
                                         {"integrator", other_integrator, "solver"},
                                         {"statics", with_statics, "solver"},
                                         {"end", other_end, "end time"}};

static void other_simulations_are_refused(void **state) {
  (void)state;
  subject base;
  define(&base);
  test_sim made = make(&base);
  wy_message message = {0};
  size_t size = wy_sim_save_size(made.sim);
  void *snapshot = malloc(size);
  must(wy_sim_advance(made.sim, 0.01, &message), &message);
  must(wy_sim_save(made.sim, snapshot, size, &message), &message);
  for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
    subject other;
    define(&other);
    differences[i].to(&other);
    test_sim foreign = make(&other);
    message = (wy_message){0};
    wy_status status = wy_sim_restore(foreign.sim, snapshot, size, &message);
    print_message("%s: %s\n", differences[i].name, message.text);
    assert_int_equal(status, WY_ERROR_INPUT);
    assert_non_null(strstr(message.text, "another simulation"));
    const char *named = strstr(message.text, ": ");
    assert_non_null(named);
    assert_non_null(strstr(named, differences[i].part));
    assert_true(wy_sim_time(foreign.sim) == 0);
    free_sim(&foreign);
    wy_expr_destroy(other.pulse);
  }
  free(snapshot);
  free_sim(&made);
  wy_expr_destroy(base.pulse);
}

/* Bytes between members say nothing, whatever they are. */
static void dirty_gaps(subject *it) {
  for (int i = 0; i < 2; i++) {
    wy_rod_def *rod = &it->rods[i];
    size_t gap = offsetof(wy_rod_def, has_stiffness) + sizeof rod->has_stiffness;
    memset((char *)rod + gap, 0xa5, offsetof(wy_rod_def, stiffness) - gap);
    gap = offsetof(wy_law, compression) + sizeof rod->law.compression;
    memset((char *)&rod->law + gap, 0xa5, offsetof(wy_law, bending) - gap);
  }
}

static void the_same_definition_is_the_same_simulation(void **state) {
  (void)state;
  subject one, two;
  define(&one), define(&two);
  char name[] = "first";
  two.rods[0].name = name;
  dirty_gaps(&two);
  const wy_solver_def each[2] = {two.sim.solver, two.sim.solver};
  two.sim.rod_solvers = each; /* as good as one for all */
  test_sim first = make(&one), second = make(&two);
  wy_message message = {0};
  size_t size = wy_sim_save_size(first.sim);
  void *snapshot = malloc(size);
  must(wy_sim_sample(first.sim, 0.52, &message), &message);
  must(wy_sim_save(first.sim, snapshot, size, &message), &message);
  must(wy_sim_restore(second.sim, snapshot, size, &message), &message);
  for (double t = 0.52; t < 0.7; t += 0.03) {
    must(wy_sim_sample(first.sim, t, &message), &message);
    must(wy_sim_sample(second.sim, t, &message), &message);
    for (int i = 0; i < 2; i++) {
      const wy_view *a = wy_sim_view(first.sim, i), *b = wy_sim_view(second.sim, i);
      assert_memory_equal(a->position.values, b->position.values, sizeof(double) * 3 * (size_t)a->position.count);
      assert_memory_equal(a->moment.values, b->moment.values, sizeof(double) * 3 * (size_t)a->moment.count);
      wy_energy e = wy_sim_energy(first.sim, i), f = wy_sim_energy(second.sim, i);
      assert_memory_equal(&e, &f, sizeof e);
    }
  }
  check_above(wy_sim_statistics(first.sim, WY_ALL_RODS).steps, 0);
  free(snapshot);
  free_sim(&first), free_sim(&second);
  wy_expr_destroy(one.pulse), wy_expr_destroy(two.pulse);
}

static void what_is_no_snapshot_is_refused(void **state) {
  (void)state;
  subject base;
  define(&base);
  test_sim made = make(&base);
  wy_message message = {0};
  size_t size = wy_sim_save_size(made.sim);
  char *snapshot = malloc(size);
  assert_int_equal(wy_sim_save(made.sim, snapshot, size - 1, &message), WY_ERROR_INPUT);
  must(wy_sim_save(made.sim, snapshot, size, &message), &message);
  assert_int_equal(wy_sim_restore(made.sim, snapshot, 3, &message), WY_ERROR_INPUT);
  assert_int_equal(wy_sim_restore(made.sim, snapshot, size - 1, &message), WY_ERROR_INPUT);
  must(wy_sim_restore(made.sim, snapshot, size, &message), &message);
  memset(snapshot, 0, 8);
  assert_int_equal(wy_sim_restore(made.sim, snapshot, size, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "not a saved state"));
  free(snapshot);
  free_sim(&made);
  wy_expr_destroy(base.pulse);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_simulations_are_refused),
      cmocka_unit_test(the_same_definition_is_the_same_simulation),
      cmocka_unit_test(what_is_no_snapshot_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
