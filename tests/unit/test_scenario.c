/* SPDX-License-Identifier: MIT */
/* Scenario files into definitions: every key lands in its place, and what is left out has its default. What is refused,
   and how, is in tests/cli/test_malformed. */
#include <stdio.h>
#include <string.h>

#include "run/tree/suggest.h"
#include "run/tree/yaml.h"
#include "support/scenario.h"

static double value_at(const wy_signal *signal, double s, double t) {
  double jet[3] = {signal->value, 0, 0};
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, s, t, jet);
  return jet[0];
}

static void the_smallest_file_has_all_defaults(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST);
  assert_string_equal(scenario->name, "test");
  assert_string_equal(scenario->title, "");
  assert_string_equal(scenario->text, SMALLEST);
  check_close(scenario->end, 1, 0);
  check_close(scenario->output, 0.01, 1e-17);
  check_close(scenario->snapshots, 0.01, 1e-17);
  assert_int_equal(scenario->probe_count, 0);
  assert_int_equal(scenario->model.rod_count, 1);
  assert_int_equal(scenario->model.load_count, 0);
  assert_true(scenario->sim.rod_solvers[0].largest_step == 0); /* nothing depends on time */
  const wy_rod_def *rod = scenario->model.rods, expected = wy_default_rod_def();
  assert_string_equal(rod->name, "arm");
  assert_int_equal(rod->kind, WY_COSSERAT);
  assert_int_equal(rod->segments, expected.segments);
  check_close(rod->length, 2, 0);
  check_close(rod->shear_factors[1], 1, 0);
  assert_int_equal(rod->damping.kind, WY_UNDAMPED);
  for (int e = 0; e < 2; e++) {
    assert_int_equal(rod->ends[e].position[0], WY_FREE);
    assert_int_equal(rod->ends[e].rotation, WY_FREE);
    check_close(rod->ends[e].release, (double)INFINITY, 0);
  }
  wy_scenario_destroy(scenario);
}

static void constants_and_functions_are_known_everywhere(void **state) {
  (void)state;
  wy_scenario *scenario = read_text("withy: 1\n"
                                    "title: Names\n"
                                    "constants: {L: 2, half: L/2, r: 0.01, T: 4}\n"
                                    "functions: {ramp: t/T, twice: 2*ramp}\n"
                                    "time: {end: 5*L, output: 0.1, frames: half/4}\n"
                                    "gravity: [0, 0, -9.81]\n"
                                    "rods:\n"
                                    "  - length: L\n"
                                    "    section: {shape: circle, radius: \"r*(1 - s/(2*L))\"}\n" MATERIAL "loads:\n"
                                    "  - {at: half, force: [twice, 0, \"-ramp\"]}\n"
                                    "  - {along: [0.5, L], moment: [0, \"s*t\", 0], axes: body}\n"
                                    "  - {rod: rod, at: start, force: [1, 2, 3]}\n"
                                    "probes:\n"
                                    "  - {name: middle, at: half, quantity: velocity}\n"
                                    "  - {name: e, quantity: energy}\n");
  assert_string_equal(scenario->title, "Names");
  check_close(scenario->end, 10, 0);
  check_close(scenario->snapshots, 0.25, 0);
  check_close(scenario->model.gravity[2], -9.81, 0);
  check_close(value_at(&scenario->model.rods[0].section.radius, 2, 0), 0.005, 1e-17);
  const wy_load_def *loads = scenario->model.loads;
  assert_int_equal(loads[0].place, WY_AT_ARC);
  check_close(loads[0].from, 1, 0);
  check_close(value_at(&loads[0].force[0], 0, 8), 4, 1e-15);
  check_close(value_at(&loads[0].force[2], 0, 8), -2, 1e-15);
  assert_int_equal(loads[1].place, WY_ALONG);
  assert_int_equal(loads[1].axes, WY_BODY_AXES);
  check_close(loads[1].to, 2, 0);
  check_close(value_at(&loads[1].moment[1], 1.5, 3), 4.5, 1e-15);
  assert_int_equal(loads[2].place, WY_AT_START);
  assert_int_equal(loads[2].axes, WY_SPACE_AXES);
  assert_int_equal(scenario->probes[0].rod, 0);
  check_close(scenario->probes[0].s, 1, 0);
  assert_int_equal(scenario->probes[1].quantity, WY_ENERGY);
  assert_int_equal(scenario->probes[1].rod, WY_ALL_RODS);
  wy_scenario_destroy(scenario);
}

static void sections_and_materials_land_in_their_places(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text(HEAD "  - {name: a, length: 1, section: {shape: annulus, outer: 0.02, inner: 0.01},"
                     " material: {density: 1, young: 2, shear: 3}, shear_factors: [0.8, 0.9], damping: {time: 0.1},"
                     " drag: {translation: 4, rotation: 5}}\n"
                     "  - {name: b, length: 1, section: {shape: rectangle, width: 0.02, height: 0.01},"
                     " material: {density: 1, young: 2, poisson: 0.5}, damping: {bending: [6, 7], torsion: 8}}\n"
                     "  - {name: c, length: 1, section: {shape: explicit, area: 1, I1: 2, I2: 3, J: 4},"
                     " material: {density: 1, young: 2, poisson: 0.5}}\n"
                     "  - {name: d, length: 1, stiffness: {shear: [1, 2], extension: 3, bending: [4, 5], torsion: 6},"
                     " inertia: {mass: 7, rotary: [8, 9, 10]}}\n");
  const wy_rod_def *rods = scenario->model.rods;
  assert_int_equal(rods[0].section.shape, WY_ANNULUS);
  check_close(rods[0].section.inner.value, 0.01, 0);
  assert_true(rods[0].material.has_shear);
  check_close(rods[0].material.shear.value, 3, 0);
  check_close(rods[0].shear_factors[1], 0.9, 0);
  assert_int_equal(rods[0].damping.kind, WY_DAMPING_TIME);
  check_close(rods[0].drag.rotation, 5, 0);
  assert_int_equal(rods[1].section.shape, WY_RECTANGLE);
  assert_int_equal(rods[1].damping.kind, WY_DAMPING_COEFFICIENTS);
  check_close(rods[1].damping.coefficient[2].value, 0, 0);
  check_close(rods[1].damping.coefficient[4].value, 7, 0);
  check_close(rods[1].damping.coefficient[5].value, 8, 0);
  check_close(rods[2].section.J.value, 4, 0);
  assert_int_equal(rods[3].section.shape, WY_SECTION_NONE);
  for (int i = 0; i < 6; i++)
    check_close(rods[3].stiffness[i].value, i + 1, 0);
  for (int i = 0; i < 4; i++)
    check_close(rods[3].inertia[i].value, i + 7, 0);
  wy_scenario_destroy(scenario);
}

static void a_fluid_is_for_all_rods_and_a_rods_own_over_it(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(
      "fluid: {density: 1000, velocity: [x*z, 0, t], normal: 1.2, tangential: 0.1}\n" HEAD
      "  - {name: a, length: 1, section: {shape: circle, radius: 0.02}, material: {density: 1, young: 2, poisson: "
      "0.5}}\n"
      "  - {name: b, length: 1, section: {shape: circle, radius: 0.02}, material: {density: 1, young: 2, poisson: 0.5},"
      " fluid: {normal: 2, velocity: [0, 3, 0], buoyancy: false, diameter: 0.1*(1 + s)}}\n"
      "  - {name: c, length: 1, section: {shape: circle, radius: 0.02}, material: {density: 1, young: 2, poisson: 0.5},"
      " fluid: {density: 0}}\n");
  const wy_rod_def *rods = scenario->model.rods;
  double velocity[3], gradient[9], rate[3];
  for (int i = 0; i < 3; i++)
    assert_true(rods[i].fluid.given);
  check_close(rods[0].fluid.density, 1000, 0);
  check_close(rods[0].fluid.normal, 1.2, 0);
  assert_true(rods[0].fluid.buoyancy && !rods[1].fluid.buoyancy);
  rods[0].fluid.velocity.evaluate(rods[0].fluid.velocity.context, (double[3]){2, 3, 4}, 5, velocity, gradient, rate);
  check_close(velocity[0], 8, 0);
  check_close(gradient[0], 4, 0);
  check_close(gradient[2], 2, 0);
  check_close(rate[2], 1, 0);
  check_close(rods[1].fluid.density, 1000, 0);
  check_close(rods[1].fluid.normal, 2, 0);
  check_close(rods[1].fluid.tangential, 0.1, 0);
  check_close(rods[1].fluid.velocity.value[1], 3, 0);
  assert_true(rods[1].fluid.diameter.evaluate != NULL);
  check_close(rods[2].fluid.density, 0, 0);
  wy_scenario_destroy(scenario);
}

static void ends_shapes_and_starts_land_in_their_places(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text(HEAD ROD "    shape: {origin: [1, 2, 3], direction: [0, 0, 2], d1: [0, 1, 0], curvature: [0, 0, s]}\n"
                         "    initial: {twist: s^2, velocity: [0, s, 0], angular_velocity: [0, 0, 4]}\n"
                         "    ends:\n"
                         "      start: {position: held, rotation: {axis: [0, 0, 1], angle: 2*t}, release: 0.5}\n"
                         "      end: {position: [1 + t, free, held]}\n");
  const wy_rod_def *rod = scenario->model.rods;
  check_close(rod->shape.origin[2], 3, 0);
  check_close(rod->shape.direction[2], 2, 0);
  check_close(value_at(&rod->shape.curvature[2], 1.5, 0), 1.5, 0);
  check_close(value_at(&rod->initial.twist, 1.5, 0), 2.25, 0);
  check_close(value_at(&rod->initial.velocity[1], 1.5, 0), 1.5, 0);
  check_close(rod->initial.angular_velocity[2].value, 4, 0);
  const wy_end *start = &rod->ends[WY_START], *end = &rod->ends[WY_END];
  assert_int_equal(start->position[1], WY_HELD);
  assert_int_equal(start->rotation, WY_DRIVEN);
  check_close(value_at(&start->angle, 0, 3), 6, 0);
  check_close(start->release, 0.5, 0);
  assert_int_equal(end->position[0], WY_DRIVEN);
  assert_int_equal(end->position[1], WY_FREE);
  assert_int_equal(end->position[2], WY_HELD);
  check_close(value_at(&end->path[0], 0, 3), 4, 0);
  assert_int_equal(end->rotation, WY_FREE);
  wy_scenario_destroy(scenario);
}

/* Where `segments` is a list, the list counts. */
static void segments_may_be_graded(void **state) {
  (void)state;
  const double finer[2] = {3, 1};
  double lengths[5];
  assert_int_equal(wy_graded_lengths(5, 2, finer, 0.2, lengths, NULL), WY_OK);
  wy_scenario *scenario = read_text(HEAD ROD "    segments: 5\n    grading: {start: 3}\n");
  assert_int_equal(scenario->rods[0].segments, 5);
  assert_memory_equal(scenario->rods[0].segment_lengths, lengths, sizeof lengths);
  wy_scenario_destroy(scenario);
  scenario = read_text(HEAD ROD "    segments: [1, 0.5, 0.5]\n    grading: {start: 3, end: 2, over: 1}\n");
  assert_int_equal(scenario->rods[0].segments, 3);
  check_close(scenario->rods[0].segment_lengths[1], 0.5, 0);
  wy_scenario_destroy(scenario);
}

static void segments_may_be_a_list_and_a_helix_needs_no_length(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(HEAD "  - segments: [0.5, 0.25, 0.25]\n" SECTION MATERIAL
                                         "  - shape: {helix: {radius: 0.1, pitch: 0.05, turns: 3}}\n" SECTION MATERIAL);
  const wy_rod_def *rods = scenario->model.rods;
  assert_int_equal(rods[0].segments, 3);
  check_close(rods[0].segment_lengths[2], 0.25, 0);
  check_close(rods[0].length, 1, 1e-15);
  assert_string_equal(rods[0].name, "rod1");
  assert_string_equal(rods[1].name, "rod2");
  check_close(rods[1].shape.helix.turns, 3, 0);
  wy_scenario_destroy(scenario);
}

static void every_analysis_is_known(void **state) {
  (void)state;
  static const char *const names[] = {"dynamics", "quasistatics", "statics", "modes", "buckling"};
  for (int i = 0; i < 5; i++) {
    char text[400];
    snprintf(text, sizeof text, "analysis: %s\n" SMALLEST, names[i]);
    wy_scenario *scenario = read_text(text);
    bool has_course = i < 2;
    assert_int_equal(scenario->analysis, i);
    assert_string_equal(wy_analysis_name(scenario->analysis), names[i]);
    assert_true(wy_scenario_has_course(scenario) == has_course);
    assert_true(scenario->sim.statics == (i != WY_DYNAMICS));
    assert_int_equal(scenario->modes, i == WY_BUCKLING ? 4 : 10);
    assert_int_equal(wy_scenario_row_count(scenario), has_course ? 101 : 1);
    assert_int_equal(wy_scenario_snapshot_count(scenario), has_course ? 101 : 1);
    check_close(wy_scenario_row_time(scenario, 0), has_course ? 0 : 1, 0);
    check_close(wy_scenario_snapshot_time(scenario, 0), has_course ? 0 : 1, 0);
    assert_int_equal(scenario->unused_count, 0);
    wy_scenario_destroy(scenario);
  }
}

/* One state needs no time; the loads of t = 0 count then. */
static void an_equilibrium_needs_no_time(void **state) {
  (void)state;
  static const char *const names[] = {"statics", "modes", "buckling"};
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(text, sizeof text, "withy: 1\nanalysis: %s\nrods:\n" ROD "loads: [{at: end, force: [\"cos(t)\", 0, 0]}]\n",
             names[i]);
    wy_scenario *scenario = read_text(text);
    check_close(scenario->end, 0, 0);
    check_close(wy_scenario_row_time(scenario, 0), 0, 0);
    check_above(scenario->sim.end, 0);
    wy_scenario_destroy(scenario);
  }
  wy_scenario_destroy(read_text("withy: 1\nanalysis: statics\ntime: {end: 0, output: 5}\nrods:\n" ROD));
  check_refused("withy: 1\nanalysis: quasistatics\nrods:\n" ROD, "time: found nothing");
  check_refused("withy: 1\nanalysis: quasistatics\ntime: {end: 0}\nrods:\n" ROD,
                "time.end: found '0'; expected a number > 0");
}

/* A motion is sampled at all output times, an equilibrium at the start and at its own time. */
static void an_equilibrium_is_sampled_at_its_time(void **state) {
  (void)state;
  const char *pole = "analysis: statics\n" SMALLEST "loads: [{at: end, force: [\"1/(t - 0.5)\", 0, 0]}]\n";
  wy_scenario_destroy(read_text(pole));
  check_refused("analysis: statics\n" SMALLEST "loads: [{at: end, force: [\"1/(t - 1)\", 0, 0]}]\n",
                "which is inf at t = 1");
  check_refused("analysis: statics\n" SMALLEST "loads: [{at: end, force: [\"1/t\", 0, 0]}]\n", "which is inf at t = 0");
  /* Where an end is when its path has jumped does not matter to one equilibrium, but to a path of them. */
  wy_scenario_destroy(
      read_text("analysis: statics\n" SMALLEST "    ends: {start: {position: [\"t < 0.5 ? 0 : 0.1\", 0, 0]}}\n"));
  check_refused("analysis: quasistatics\n" SMALLEST "    ends: {start: {position: [\"t < 0.505 ? 0 : 0.1\", 0, 0]}}\n",
                "which jumps by 0.1");
}

static void a_path_is_followed_by_arc_length_of_one_rod(void **state) {
  (void)state;
  wy_scenario *scenario = read_text("analysis: quasistatics\nsolver: {continuation: arc_length}\n" SMALLEST);
  assert_true(scenario->follows_path);
  wy_scenario_destroy(scenario);
  scenario = read_text("analysis: quasistatics\n" SMALLEST);
  assert_false(scenario->follows_path);
  wy_scenario_destroy(scenario);
  scenario = read_text("analysis: quasistatics\nsolver: {continuation: arc_length}\n" SMALLEST
                       "  - name: leg\n    length: 1\n" SECTION MATERIAL);
  assert_false(scenario->follows_path);
  wy_scenario_destroy(scenario);
}

static void a_motion_may_start_from_an_equilibrium(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST "    initial: {from: statics}\n"
                                             "    ends: {start: clamped, end: {position: held, release: 0.5}}\n");
  assert_true(scenario->from_statics);
  assert_true(scenario->sim.statics);
  wy_scenario_destroy(scenario);
  scenario = read_text("analysis: statics\n" SMALLEST "    initial: {from: statics}\n");
  assert_int_equal(scenario->unused_count, 1);
  assert_string_equal(scenario->unused[0].key, "rods[].initial");
  wy_scenario_destroy(scenario);
}

/* A release after the time that counts is no mistake. */
static void a_late_release_does_not_matter(void **state) {
  (void)state;
  wy_scenario_destroy(
      read_text("analysis: statics\n" SMALLEST "    ends: {start: clamped, end: {position: held, release: 1.5}}\n"));
}

static void branches_and_actuators_land_in_their_places(void **state) {
  (void)state;
  wy_scenario *scenario =
      read_text("constants: {tau: 0.1}\n" HEAD ROD "    maxwell: [{share: 1/4, time: tau}, {time: 2, share: 0.5}]\n" LEG
                "    maxwell: []\n"
                "actuators:\n"
                "  - {rod: arm, kind: tendon, offset: [0.004, \"0.002*s\"], tension: 3*t}\n"
                "  - {rod: leg, kind: pneumatic, offset: [0, -0.003], force: \"-5\"}\n");
  const wy_rod_def *rods = scenario->model.rods;
  assert_int_equal(rods[0].maxwell_count, 2);
  check_close(rods[0].maxwell[0].share, 0.25, 0);
  check_close(rods[0].maxwell[0].time, 0.1, 0);
  check_close(rods[0].maxwell[1].share, 0.5, 0);
  check_close(rods[0].maxwell[1].time, 2, 0);
  assert_int_equal(rods[1].maxwell_count, 0);
  const wy_actuator_def *actuators = scenario->model.actuators;
  assert_int_equal(scenario->model.actuator_count, 2);
  assert_int_equal(actuators[0].rod, 0);
  assert_int_equal(actuators[0].kind, WY_TENDON);
  check_close(actuators[0].offset[0].value, 0.004, 0);
  check_close(value_at(&actuators[0].offset[1], 1.5, 0), 0.003, 1e-18);
  check_close(value_at(&actuators[0].force, 0, 2), 6, 0);
  assert_int_equal(actuators[1].rod, 1);
  assert_int_equal(actuators[1].kind, WY_PNEUMATIC);
  check_close(actuators[1].offset[1].value, -0.003, 0);
  check_close(actuators[1].force.value, -5, 0);
  /* Steps do not depend on output times: the library sees to it that nothing is stepped over. */
  check_close(scenario->sim.rod_solvers[0].largest_step, 0, 0);
  check_close(scenario->sim.rod_solvers[1].largest_step, 0, 0);
  wy_scenario_destroy(scenario);
}

/* A ramp that ends at 0 may be below it by round-off, here by 1e-15 of its largest value. */
static void tensions_may_miss_zero_by_round_off(void **state) {
  (void)state;
#define TENDON "actuators: [{kind: tendon, offset: [0.001, 0], tension: "
  wy_scenario_destroy(read_text(SMALLEST TENDON "\"1e-3*(1 - t/0.3*0.3) - 1e-18\"}]\n"));
  check_refused(SMALLEST TENDON "\"1 - t - 1e-9\"}]\n", "which is -1e-09 at t = 1; expected a tension");
  check_refused(SMALLEST TENDON "\"t > 0.5 ? 1/0 : 1\"}]\n", "actuators[0].tension: found ");
}

static void a_law_lands_in_its_place(void **state) {
  (void)state;
  const wy_rod_def expected = wy_default_rod_def();
  assert_int_equal(expected.law.kind, WY_LINEAR_LAW);
  wy_scenario *scenario =
      read_text("withy: 1\nconstants: {k: 1.0e-2}\ntime: {end: 1}\nrods:\n" ROD
                "    law: {kind: stiffening, bending: 2*k, compression: true}\n" LEG "    law: {kind: stiffening}\n"
                "  - {name: toe, length: 1, section: {shape: circle, radius: 0.01},"
                " material: {density: 1, young: 2, shear: 3}, law: {kind: linear}}\n");
  const wy_rod_def *rods = scenario->model.rods;
  assert_int_equal(rods[0].law.kind, WY_STIFFENING_LAW);
  check_close(rods[0].law.bending, 0.02, 1e-18);
  assert_true(rods[0].law.compression);
  assert_int_equal(rods[1].law.kind, WY_STIFFENING_LAW);
  check_close(rods[1].law.bending, 0, 0);
  assert_false(rods[1].law.compression);
  assert_int_equal(rods[2].law.kind, WY_LINEAR_LAW);
  wy_scenario_destroy(scenario);
  scenario = read_text(SMALLEST "    model: inextensible\n    law: {kind: stiffening, compression: true}\n");
  assert_int_equal(scenario->unused_count, 1);
  check_unused(scenario, 0, "rods.arm.law.compression", "the model inextensible");
  wy_scenario_destroy(scenario);
}

static void constrained_rods_need_no_stiffness_for_what_they_cannot_do(void **state) {
  (void)state;
#define INERTIA "    inertia: {mass: 1, rotary: [1, 1, 2]}\n"
  wy_scenario *scenario = read_text(
      HEAD
      "  - name: a\n    length: 1\n    model: kirchhoff\n"
      "    stiffness: {extension: 3, bending: [4, 5], torsion: 6}\n" INERTIA
      "  - name: b\n    length: 1\n    model: inextensible\n    stiffness: {bending: [4, 5], torsion: 6}\n" INERTIA);
  assert_int_equal(scenario->model.rods[0].kind, WY_KIRCHHOFF);
  assert_int_equal(scenario->model.rods[1].kind, WY_INEXTENSIBLE);
  wy_scenario_destroy(scenario);
}

static void settings_change_the_file(void **state) {
  (void)state;
  const char *const settings[] = {"rods.arm.length=3",
                                  "rods[0].segments=7",
                                  "time.output=0.25",
                                  "gravity=[0, 0, \"-2*pi\"]",
                                  "rods.0.ends.end={position: [free, held, free]}",
                                  "rods.arm.length=4",
                                  "constants.k=5",
                                  "loads=[{at: end, force: [k, 0, 0]}]",
                                  "loads.0.force.1=t < 1 ? 2 : 3"};
  wy_scenario *scenario = read_with(SMALLEST, settings, sizeof settings / sizeof settings[0]);
  const wy_rod_def *rod = scenario->model.rods;
  check_close(rod->length, 4, 0);
  assert_int_equal(rod->segments, 7);
  assert_int_equal(rod->ends[WY_END].position[1], WY_HELD);
  check_close(scenario->output, 0.25, 0);
  check_close(scenario->model.gravity[2], -6.283185307179586, 1e-15);
  check_close(scenario->model.loads[0].force[0].value, 5, 0);
  check_close(value_at(&scenario->model.loads[0].force[1], 0, 2), 3, 0);
  wy_scenario_destroy(scenario);
}

static void loads_and_actuators_are_set_by_name(void **state) {
  (void)state;
  const char *const settings[] = {"loads.pull.force=[0, 0, 5]", "actuators.left.tension=7", "loads.pull.at=1"};
  wy_scenario *scenario = read_with(SMALLEST "loads:\n  - {at: start, force: [1, 0, 0]}\n"
                                             "  - {name: pull, at: end, force: [2, 0, 0]}\n"
                                             "actuators:\n  - {kind: tendon, offset: [0, 0], tension: 3}\n"
                                             "  - {name: left, kind: tendon, offset: [0, 0], tension: 3}\n",
                                    settings, sizeof settings / sizeof settings[0]);
  const wy_load_def *loads = scenario->model.loads;
  assert_null(loads[0].name);
  assert_string_equal(loads[1].name, "pull");
  assert_string_equal(scenario->model.actuators[1].name, "left");
  check_close(loads[0].force[0].value, 1, 0);
  check_close(loads[1].force[0].value, 0, 0);
  check_close(loads[1].force[2].value, 5, 0);
  check_close(loads[1].from, 1, 0);
  check_close(scenario->model.actuators[0].force.value, 3, 0);
  check_close(scenario->model.actuators[1].force.value, 7, 0);
  wy_scenario_destroy(scenario);
}

static void anchors_and_merge_keys_are_expanded(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(HEAD "  - &base\n    name: arm\n    length: 2\n" SECTION MATERIAL
                                         "  - <<: *base\n    name: leg\n    length: 3\n"
                                         "  - name: hand\n    length: 1\n    section: &s {shape: circle, radius: 0.5}\n"
                                         "    material: {density: 1, young: 1, poisson: 0}\n"
                                         "  - name: foot\n    length: 1\n    section: *s\n"
                                         "    material: {density: 1, young: 1, poisson: 0}\n");
  const wy_rod_def *rods = scenario->model.rods;
  assert_int_equal(scenario->model.rod_count, 4);
  assert_string_equal(rods[1].name, "leg");
  check_close(rods[1].length, 3, 0);
  check_close(rods[1].section.radius.value, 0.01, 0);
  check_close(rods[3].section.radius.value, 0.5, 0);
  wy_scenario_destroy(scenario);
}

/* The contract: rows at 0, output, 2 output, ..., end. */
static void output_times_end_at_the_end(void **state) {
  (void)state;
  static const struct {
    double end, step;
    int count;
    double last_but_one;
  } table[] = {{10, 0.01, 1001, 9.99},   {1, 0.3, 5, 0.9},         {1, 1, 2, 0},        {0.3, 0.1, 4, 0.2},
               {1, 1 / 3.0, 4, 2 / 3.0}, {1, 0.5 + 1e-13, 3, 0.5}, {1, 0.499, 4, 0.998}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    int count = wy_scenario_time_count(table[i].end, table[i].step);
    assert_int_equal(count, table[i].count);
    check_close(wy_scenario_time(table[i].end, table[i].step, 0), 0, 0);
    check_close(wy_scenario_time(table[i].end, table[i].step, count - 2), table[i].last_but_one, 1e-12);
    check_close(wy_scenario_time(table[i].end, table[i].step, count - 1), table[i].end, 0);
  }
}

/* Values are sampled at every output time, between them only by chance. */
static void expressions_are_sampled_at_all_output_times(void **state) {
  (void)state;
  char text[600];
  for (int k = 0; k <= 100; k += 25) {
    snprintf(text, sizeof text, SMALLEST "loads: [{at: end, force: [\"abs(t - %d/100) < 1e-6 ? 1/0 : 1\", 0, 0]}]\n",
             k);
    check_refused(text, "loads[0].force[0]: found ");
  }
  wy_scenario_destroy(read_text(SMALLEST "loads: [{at: end, force: [\"abs(t - 0.505) < 1e-6 ? 1/0 : 1\", 0, 0]}]\n"));
  check_refused(SMALLEST "loads: [{along: [1, 2], force: [\"1/(s - 1) + t\", 0, 0]}]\n", "at t = 0, s = 1;");
  wy_scenario_destroy(read_text(SMALLEST "loads: [{along: [1, 2], force: [\"s < 0.99 ? 1/0 : t\", 0, 0]}]\n"));
}

/* Hostile but short files must not take long: the time limit of the test is the check. */
static void large_requests_are_cut_or_refused(void **state) {
  (void)state;
  char text[9000], more[64];
  size_t used = (size_t)snprintf(text, sizeof text, "withy: 1\ntime: {end: 1, output: 1.1e-7}\nfunctions: {f: \"t");
  for (int i = 0; i < 400; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "+sin(t)");
  snprintf(text + used, sizeof text - used,
           "\"}\nrods:\n" ROD "loads: [{along: [0, 2], force: [f*s, f*s, f*s], moment: [f, f*s, f*s]}]\n");
  wy_scenario_destroy(read_text(text));
  snprintf(more, sizeof more, "withy: 1\ntitle: %.20s", "[[[[[[[[[[[[[[[[[[[[");
  check_refused(more, "broken YAML");
}

static void paths_name_list_entries_by_name_or_index(void **state) {
  (void)state;
  wy_pool pool = {0};
  wy_yaml_error error;
  wy_node *root = wy_yaml_read(&pool, "rods:\n  - {name: arm, x: {y: [1, 2]}}\n  - {z: 3}\n", &error);
  assert_non_null(root);
  char path[64];
  const char *rest;
  wy_yaml_path(wy_yaml_follow(root, "rods[0].x.y[1]", &rest), path, sizeof path);
  assert_string_equal(path, "rods.arm.x.y[1]");
  assert_string_equal(rest, "");
  const wy_node *node = wy_yaml_follow(root, "rods[1].q.w", &rest);
  wy_yaml_path(node, path, sizeof path);
  assert_string_equal(path, "rods[1]");
  assert_string_equal(rest, "q.w");
  assert_int_equal(node->line, 3);
  wy_pool_release(&pool);
}

static void suggestions_are_close_or_absent(void **state) {
  (void)state;
  static const char *const words[] = {"radius", "shape", "rod", "segments", "integrator"};
  const int count = sizeof words / sizeof words[0];
  assert_string_equal(wy_suggest("raduis", words, count), "radius");
  assert_string_equal(wy_suggest("Shape", words, count), "shape");
  assert_string_equal(wy_suggest("segment", words, count), "segments");
  assert_string_equal(wy_suggest("integ", words, count), "integrator");
  assert_null(wy_suggest("temperature", words, count));
  assert_null(wy_suggest("", words, count));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_smallest_file_has_all_defaults),
      cmocka_unit_test(constants_and_functions_are_known_everywhere),
      cmocka_unit_test(sections_and_materials_land_in_their_places),
      cmocka_unit_test(a_fluid_is_for_all_rods_and_a_rods_own_over_it),
      cmocka_unit_test(ends_shapes_and_starts_land_in_their_places),
      cmocka_unit_test(segments_may_be_graded),
      cmocka_unit_test(segments_may_be_a_list_and_a_helix_needs_no_length),
      cmocka_unit_test(every_analysis_is_known),
      cmocka_unit_test(an_equilibrium_needs_no_time),
      cmocka_unit_test(an_equilibrium_is_sampled_at_its_time),
      cmocka_unit_test(a_path_is_followed_by_arc_length_of_one_rod),
      cmocka_unit_test(a_motion_may_start_from_an_equilibrium),
      cmocka_unit_test(a_late_release_does_not_matter),
      cmocka_unit_test(branches_and_actuators_land_in_their_places),
      cmocka_unit_test(tensions_may_miss_zero_by_round_off),
      cmocka_unit_test(a_law_lands_in_its_place),
      cmocka_unit_test(constrained_rods_need_no_stiffness_for_what_they_cannot_do),
      cmocka_unit_test(settings_change_the_file),
      cmocka_unit_test(loads_and_actuators_are_set_by_name),
      cmocka_unit_test(anchors_and_merge_keys_are_expanded),
      cmocka_unit_test(output_times_end_at_the_end),
      cmocka_unit_test(expressions_are_sampled_at_all_output_times),
      cmocka_unit_test(large_requests_are_cut_or_refused),
      cmocka_unit_test(paths_name_list_entries_by_name_or_index),
      cmocka_unit_test(suggestions_are_close_or_absent),
  };
  return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
