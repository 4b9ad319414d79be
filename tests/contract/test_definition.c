/* SPDX-License-Identifier: MIT */
/* Definitions of other sizes than those of this version: programs compiled with older headers have shorter ones, those
   compiled with newer headers longer ones (withy/definition.h, docs/dev/abi.md). Definitions lie at the end of their
   memory, so that sanitizers see a read or write beyond; without them, bytes behind it are guarded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"
#include "withy/draw.h"
#include "withy/run.h"
#include "withy/scenario.h"
#include "withy/sweep.h"
#include "withy/withy.h"

enum { GUARD = 0xa5, LONGER = 64 };

/* ---- Filling ---- */

/* A definition: its size, and a function that fills one of any size. */
typedef struct kind {
  const char *name;
  size_t size;
  void (*fill)(void *def, size_t size);
} kind;

/* clang-format off */
#define FILL(NAME)                                                                                                     \
  static void fill_##NAME(void *def, size_t size) {                                                                    \
    wy_init_##NAME##_def(def, size);                                                                                   \
  }
#define ROW(NAME) {#NAME, sizeof(wy_##NAME##_def), fill_##NAME},
#define ALL(DO)                                                                                                        \
  DO(rod) DO(body) DO(joint) DO(spring) DO(load) DO(actuator) DO(model) DO(solver) DO(sim) DO(spline) DO(strands) DO(batch) DO(run) DO(converge)               \
  DO(plan) DO(sweep) DO(plots) DO(export)
ALL(FILL)
static const kind kinds[] = {ALL(ROW)};
/* clang-format on */
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static wy_def_head head_of(const void *def) {
  wy_def_head head;
  memcpy(&head, def, sizeof head);
  return head;
}

static void only_the_bytes_of_the_program_are_filled(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    const size_t size = kinds[i].size;
    unsigned char *whole = malloc(size);
    kinds[i].fill(whole, size);
    assert_int_equal(head_of(whole).size, size);
    for (size_t other = sizeof(wy_def_head); other <= size + LONGER; other += 8) {
      unsigned char *def = malloc(other + LONGER);
      memset(def, GUARD, other + LONGER);
      kinds[i].fill(def, other);
      assert_int_equal(head_of(def).cookie, head_of(whole).cookie);
      assert_int_equal(head_of(def).size, other);
      for (size_t k = sizeof(wy_def_head); k < other + LONGER; k++)
        if (def[k] != (k >= other ? GUARD : k < size ? whole[k] : 0))
          fail_msg("%s: byte %zu of %zu is %u", kinds[i].name, k, other, def[k]);
      free(def);
    }
    free(whole);
  }
}

static void kinds_are_told_apart(void **state) {
  (void)state;
  uint32_t cookies[KINDS];
  for (int i = 0; i < KINDS; i++) {
    unsigned char *def = malloc(kinds[i].size);
    kinds[i].fill(def, kinds[i].size);
    cookies[i] = head_of(def).cookie;
    free(def);
    for (int k = 0; k < i; k++)
      assert_int_not_equal(cookies[i], cookies[k]);
  }
}

static void sizes_that_make_no_sense_fill_nothing(void **state) {
  (void)state;
  for (int i = 0; i < KINDS; i++) {
    unsigned char def[sizeof(wy_def_head)] = {1, 2, 3, 4, 5, 6, 7, 8};
    kinds[i].fill(def, sizeof def - 1);
    kinds[i].fill(def, WY_DEF_LARGEST + 1);
    kinds[i].fill(def, 0);
    kinds[i].fill(NULL, 64);
    assert_int_equal(def[0], 1);
    assert_int_equal(def[7], 8);
  }
}

/* ---- Reading ---- */

/* `count` definitions side by side as a program has them whose struct is `size` bytes long. */
static void *resized(const void *from, size_t size, int count) {
  const size_t known = head_of(from).size;
  unsigned char *array = calloc((size_t)count, size);
  assert_non_null(array);
  for (int i = 0; i < count; i++) {
    wy_def_head head = head_of((const unsigned char *)from + (size_t)i * known);
    head.size = (uint32_t)size;
    memcpy(array + (size_t)i * size, (const unsigned char *)from + (size_t)i * known, known < size ? known : size);
    memcpy(array + (size_t)i * size, &head, sizeof head);
  }
  return array;
}

static void read_as_whole_ones(void **state) {
  (void)state;
  wy_load_def load = wy_default_load_def(), own = load;
  load.rod = 3;
  const size_t without_moment = offsetof(wy_load_def, moment);
  wy_load_def *older = resized(&load, without_moment, 1), *newer = resized(&load, sizeof load + LONGER, 1);
  own.moment[0].value = 7; /* the default of what is missing */
  const wy_load_def *read = wy_def_read(&load, &own, "load", "", NULL);
  assert_ptr_equal(read, &load);
  read = wy_def_read(older, &own, "load", "", NULL);
  assert_ptr_equal(read, &own);
  assert_int_equal(read->size, sizeof load);
  assert_int_equal(read->rod, 3);
  check_close(read->moment[0].value, 7, 0);
  read = wy_def_read(newer, &own, "load", "", NULL);
  assert_ptr_equal(read, &own);
  check_close(read->moment[0].value, 0, 0);
  free(older);
  free(newer);
}

static void check_refused(const void *def, const char *part) {
  wy_load_def own = wy_default_load_def();
  wy_message message = {.text = ""};
  assert_null(wy_def_read(def, &own, "load", "loads[1]", &message));
  assert_string_equal(message.path, "loads[1]");
  if (!strstr(message.text, part))
    fail_msg("'%s' does not say '%s'", message.text, part);
}

static void bad_ones_are_refused(void **state) {
  (void)state;
  wy_load_def load = wy_default_load_def();
  for (size_t byte = 0; byte < LONGER; byte++) {
    unsigned char *newer = resized(&load, sizeof load + LONGER, 1);
    newer[sizeof load + byte] = 1;
    check_refused(newer, "newer version of withy: found");
    free(newer);
  }
  load.cookie++;
  check_refused(&load, "wy_default_load_def");
  static const uint32_t no_sizes[] = {0, sizeof(wy_def_head) - 1, WY_DEF_LARGEST + 1, UINT32_MAX};
  for (size_t i = 0; i < sizeof no_sizes / sizeof no_sizes[0]; i++) {
    load = wy_default_load_def();
    load.size = no_sizes[i];
    check_refused(&load, "wy_default_load_def");
  }
}

/* ---- A program with older and newer headers ---- */

/* How much each definition differs from ours, in bytes: all of them, as a program would have them. A member that is cut
   off must have its default, so that its absence makes no difference. */
typedef struct headers {
  long rod, load, actuator, model, solver, sim;
} headers;

/* The first place of the tip, and energy and work, after a while. */
typedef struct outcome {
  double position[3], energy, work;
  long steps;
} outcome;

enum { RODS = 3, LOADS = 2, ACTUATORS = 2 };

/* What `size` becomes with other headers. */
static size_t other(size_t size, long difference) {
  return (size_t)((long)size + difference);
}

static outcome simulate(const headers *with) {
  wy_rod_def rods[RODS];
  wy_load_def loads[LOADS] = {wy_default_load_def(), wy_default_load_def()};
  wy_actuator_def actuators[ACTUATORS] = {wy_default_actuator_def(), wy_default_actuator_def()};
  wy_solver_def solvers[RODS];
  for (int i = 0; i < RODS; i++) {
    static const char *const names[RODS] = {"a", "b", "c"};
    rods[i] = rubber_rod(4 + i);
    rods[i].name = names[i];
    rods[i].ends[WY_START] = wy_end_clamped();
    rods[i].ends[WY_END] = wy_end_free();
    solvers[i] = wy_default_solver_def();
    solvers[i].relative_tolerance = 1e-5 / (1 + i);
  }
  for (int i = 0; i < LOADS; i++) {
    loads[i].rod = i + 1;
    loads[i].force[i].value = 1e-3 * (1 + i);
    actuators[i].rod = i + 1;
    actuators[i].offset[0].value = 1e-3 * (1 + i);
  }
  actuators[1].kind = WY_TENDON;
  wy_model_def model = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  wy_rod_def *their_rods = resized(rods, other(sizeof *rods, with->rod), RODS);
  wy_load_def *their_loads = resized(loads, other(sizeof *loads, with->load), LOADS);
  wy_actuator_def *their_actuators = resized(actuators, other(sizeof *actuators, with->actuator), ACTUATORS);
  wy_solver_def *their_solvers = resized(solvers, other(sizeof *solvers, with->solver), RODS);
  model.rod_count = RODS, model.rods = their_rods;
  model.load_count = LOADS, model.loads = their_loads;
  const bool acted = other(sizeof model, with->model) > offsetof(wy_model_def, actuators);
  model.actuator_count = acted ? ACTUATORS : 0, model.actuators = acted ? their_actuators : NULL;
  model.gravity[2] = -9.81;
  sim.rod_solvers = their_solvers;
  wy_model_def *their_model = resized(&model, other(sizeof model, with->model), 1);
  wy_sim_def *their_sim = resized(&sim, other(sizeof sim, with->sim), 1);
  test_sim made = {0};
  wy_message message = {0};
  outcome got = {.energy = NAN};
  check_above(wy_memory_estimate(their_model, their_sim), 0);
  must(wy_model_create(their_model, &made.model, &message), &message);
  int findings;
  must(wy_check(made.model, their_sim, WY_DYNAMICS, NULL, 0, &findings, &message), &message);
  must(wy_sim_create(made.model, their_sim, &made.sim, &message), &message);
  must(wy_sim_advance(made.sim, 0.05, &message), &message);
  const wy_view *view = wy_sim_view(made.sim, RODS - 1);
  memcpy(got.position, view->position.values + 3 * (view->position.count - 1), sizeof got.position);
  got.energy = wy_sim_energy(made.sim, WY_ALL_RODS).total;
  got.work = wy_sim_energy(made.sim, WY_ALL_RODS).work;
  got.steps = wy_sim_statistics(made.sim, WY_ALL_RODS).steps;
  assert_int_equal(wy_model_rod(made.model, RODS - 1)->size, sizeof(wy_rod_def));
  free_sim(&made);
  free(their_rods), free(their_loads), free(their_actuators), free(their_solvers), free(their_model), free(their_sim);
  return got;
}

static void the_motion_is_the_same(void **state) {
  (void)state;
  /* The last members of each definition have not been changed in `simulate`, or are left out there. */
  const headers without[] = {
      {.rod = -(long)sizeof(wy_end)},
      {.load = (long)offsetof(wy_load_def, moment) - (long)sizeof(wy_load_def)},
      {.load = (long)offsetof(wy_load_def, body) - (long)sizeof(wy_load_def)},
      {.model = (long)offsetof(wy_model_def, body_count) - (long)sizeof(wy_model_def)},
      {.actuator = -(long)sizeof(wy_signal)},
      {.solver = -(long)sizeof(wy_statics_options)},
      {.sim = -(long)sizeof(double)},
      {.rod = LONGER, .load = LONGER, .actuator = LONGER, .model = LONGER, .solver = LONGER, .sim = LONGER},
      {.rod = -(long)sizeof(wy_end), .load = LONGER, .solver = -(long)sizeof(wy_statics_options), .sim = LONGER}};
  const outcome want = simulate(&(headers){0});
  check_above(want.steps, 0);
  check_above(fabs(want.work), 0);
  for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
    const outcome got = simulate(&without[i]);
    assert_int_equal(got.steps, want.steps);
    assert_memory_equal(got.position, want.position, sizeof got.position);
    check_close(got.energy, want.energy, 0);
    check_close(got.work, want.work, 0);
  }
  const long no_actuators = (long)offsetof(wy_model_def, actuator_count) - (long)sizeof(wy_model_def);
  const outcome fewer = simulate(&(headers){.model = no_actuators});
  check_above(fewer.steps, 0); /* without actuators, which is another motion */
}

/* The solver within a simulation's definition has its own size, and so have all entries of an array. */
static void sizes_within_and_side_by_side(void **state) {
  (void)state;
  wy_rod_def rods[2] = {rubber_rod(4), rubber_rod(4)};
  wy_model_def model = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  test_sim made = {0};
  wy_message message = {0};
  rods[1].name = "other";
  model.rod_count = 2, model.rods = rods;
  rods[1].size -= (uint32_t)sizeof(wy_end);
  assert_int_equal(wy_model_create(&model, &made.model, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "rods[1]");
  assert_non_null(strstr(message.text, "expected one size in an array"));
  rods[1].size = rods[0].size;
  must(wy_model_create(&model, &made.model, &message), &message);
  memset(&sim.solver.statics, GUARD, sizeof sim.solver.statics);
  sim.statics = true;
  assert_int_equal(wy_sim_create(made.model, &sim, &made.sim, &message), WY_ERROR_INPUT);
  sim.solver.size = (uint32_t)offsetof(wy_solver_def, statics); /* an older program does not have them */
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  sim.solver.size = (uint32_t)sizeof(wy_solver_def) + 8;
  sim.solver.statics = wy_default_solver_def().statics;
  sim.room_for_solver[sizeof(wy_solver_def) / 8] = 1;
  wy_sim *refused = NULL;
  assert_int_equal(wy_sim_create(made.model, &sim, &refused, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "newer version"));
  free_sim(&made);
}

/* A solver that a function of the library changes keeps its size and what is behind it. */
static void a_short_solver_is_changed_in_place(void **state) {
  (void)state;
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "mixed";
  const size_t size = offsetof(wy_solver_def, statics);
  unsigned char *guarded = malloc(size + LONGER);
  wy_solver_def *older = resized(&solver, size, 1);
  memset(guarded, GUARD, size + LONGER);
  memcpy(guarded, older, size);
  assert_int_equal(wy_solver_set_order((wy_solver_def *)guarded, 1, NULL), WY_OK);
  assert_int_equal(((wy_solver_def *)guarded)->size, size);
  assert_int_equal(((wy_solver_def *)guarded)->mixed.order, 1);
  for (int i = 0; i < LONGER; i++)
    assert_int_equal(guarded[size + (size_t)i], GUARD);
  assert_string_equal(wy_scheme_describe(older).name, "mixed");
  assert_int_equal(wy_method_possible(older, WY_COSSERAT, NULL), WY_OK);
  free(older);
  free(guarded);
}

/* Tables, strands, runs, pictures and exports go through the same reader: longer ones pass, unknown members do not. */
static void newer(const void *def, size_t size, unsigned char value, unsigned char *out) {
  memset(out, 0, size + LONGER);
  memcpy(out, def, size);
  wy_def_head head = head_of(def);
  head.size += LONGER;
  memcpy(out, &head, sizeof head);
  out[size + LONGER - 1] = value;
}

static void all_readers_are_the_same(void **state) {
  (void)state;
  static const double x[2] = {0, 1};
  unsigned char room[1024];
  wy_message message = {0};
  wy_spline_def table = wy_default_spline_def();
  wy_spline *spline = NULL;
  table.rows = 2, table.columns = 1, table.argument = table.values = x;
  for (unsigned char value = 0; value < 2; value++) {
    newer(&table, sizeof table, value, room);
    assert_int_equal(wy_spline_create((wy_spline_def *)room, &spline, &message), value ? WY_ERROR_INPUT : WY_OK);
    wy_spline_destroy(spline);
  }
  assert_non_null(strstr(message.text, "newer version"));
  const wy_run_def run = wy_default_run_def();
  const wy_plots_def plots = wy_default_plots_def();
  const wy_export_def export = wy_default_export_def();
  for (unsigned char value = 0; value < 2; value++) { /* all refused, for want of something, or for the new member */
    newer(&run, sizeof run, value, room);
    assert_int_equal(wy_run((wy_run_def *)room, NULL, &message), WY_ERROR_INPUT);
    assert_int_equal(strstr(message.text, "newer version") != NULL, value);
    newer(&plots, sizeof plots, value, room);
    assert_int_equal(wy_draw_plots(NULL, (wy_plots_def *)room, &message), WY_ERROR_INPUT);
    assert_int_equal(strstr(message.text, "newer version") != NULL, value);
    newer(&export, sizeof export, value, room);
    assert_int_equal(wy_export(NULL, (wy_export_def *)room, &message), WY_ERROR_INPUT);
    assert_int_equal(strstr(message.text, "newer version") != NULL, value);
  }
}

/* ---- Scenarios ---- */

#define ROD(NAME, LENGTH)                                                                                              \
  "{\"name\": \"" NAME "\", \"length\": " LENGTH                                                                       \
  ", \"section\": {\"shape\": \"circle\", \"radius\": 5e-3}, \"material\": "                                           \
  "{\"density\": 1000, \"young\": 1e6, \"poisson\": 0.5}, \"segments\": 4}"
static const char text[] = "{\"withy\": 1, \"rods\": [" ROD("a", "1") ", " ROD("b", "2") "], \"time\": {\"end\": 0.1}}";

/* The arrays of a scenario have the sizes of the library; a program may put its own in their place. */
static void scenarios_have_arrays_of_any_size(void **state) {
  (void)state;
  wy_scenario *scenario;
  wy_scenario_error error = {.text = ""};
  wy_message message = {0};
  if (wy_scenario_read("a.json", "a", text, NULL, 0, &scenario, &error) != WY_OK)
    fail_msg("%s", error.text);
  const wy_rod_def *second = wy_def_at(scenario->rods, 1);
  assert_ptr_equal(second, &scenario->rods[1]);
  assert_null(wy_def_at(NULL, 0));
  assert_null(wy_def_at(scenario->rods, -1));
  wy_rod_def *older = resized(scenario->rods, offsetof(wy_rod_def, ends) + sizeof(wy_end), 2);
  const size_t larger = sizeof(wy_rod_def) + LONGER;
  wy_rod_def *three = resized(scenario->rods, larger, 2);
  for (int i = 0; i < 2; i++) {
    test_sim made = {0};
    wy_rod_def *arrays[] = {older, three};
    scenario->model.rods = arrays[i];
    wy_rod_def *their_second = wy_def_at(arrays[i], 1);
    their_second->segments = 9 + i;
    must(wy_scenario_build(scenario, &made.model, &made.sim, &message), &message);
    assert_int_equal(wy_model_rod(made.model, 1)->segments, 9 + i);
    assert_string_equal(wy_model_rod(made.model, 1)->name, "b");
    int count = 0;
    must(wy_scenario_check(scenario, made.model, NULL, 0, &count, &message), &message);
    free_sim(&made);
  }
  wy_scenario_destroy(scenario);
  free(older);
  free(three);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_the_bytes_of_the_program_are_filled),
      cmocka_unit_test(kinds_are_told_apart),
      cmocka_unit_test(sizes_that_make_no_sense_fill_nothing),
      cmocka_unit_test(read_as_whole_ones),
      cmocka_unit_test(bad_ones_are_refused),
      cmocka_unit_test(the_motion_is_the_same),
      cmocka_unit_test(sizes_within_and_side_by_side),
      cmocka_unit_test(a_short_solver_is_changed_in_place),
      cmocka_unit_test(all_readers_are_the_same),
      cmocka_unit_test(scenarios_have_arrays_of_any_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
