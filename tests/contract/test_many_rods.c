/* SPDX-License-Identifier: MIT */
/* Many rods, each with a load and an actuator of its own: what they need grows with their number, not with its square.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
/* Bytes asked for, whether they were given back or not. */
#define COUNTS_BYTES 1
static size_t bytes;
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size) {
  bytes += size;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  bytes += count * size;
  return __libc_calloc(count, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  bytes += size;
  return __libc_memalign(alignment, size);
}
#endif

typedef struct crowd {
  wy_rod_def *rods;
  wy_load_def *loads;
  wy_actuator_def *actuators;
  char (*names)[16];
  wy_model_def model;
} crowd;

/* Loads in the opposite order of the rods; the last rod, number count - 1, has two of them. */
static crowd make_crowd(int count, int segments, int actuators, bool box) {
  crowd made = {.rods = malloc((size_t)count * sizeof *made.rods),
                .loads = malloc((size_t)(count + 1) * sizeof *made.loads),
                .actuators = malloc((size_t)count * sizeof *made.actuators),
                .names = malloc((size_t)count * sizeof *made.names)};
  for (int i = 0; i < count; i++) {
    snprintf(made.names[i], sizeof made.names[i], "r%d", i);
    made.rods[i] = rubber_rod(segments);
    made.rods[i].name = made.names[i];
    made.rods[i].damping.kind = WY_UNDAMPED;
    made.rods[i].kind = box ? WY_INEXTENSIBLE : WY_COSSERAT;
    made.rods[i].ends[0] = wy_end_clamped();
    made.loads[i] = wy_default_load_def();
    made.loads[i].rod = count - 1 - i;
    made.loads[i].force[0] = wy_constant(1e-3 * (count - i));
    made.actuators[i] = wy_default_actuator_def();
    made.actuators[i].rod = (i + 1) % count;
    made.actuators[i].force = wy_constant(-1e-2);
  }
  made.loads[count] = made.loads[0];
  made.model = wy_default_model_def();
  made.model.rods = made.rods, made.model.rod_count = count;
  made.model.loads = made.loads, made.model.load_count = count + 1;
  made.model.actuators = made.actuators, made.model.actuator_count = actuators;
  return made;
}

static void free_crowd(crowd *made) {
  free(made->rods), free(made->loads), free(made->actuators), free(made->names);
}

static test_sim simulate(const crowd *made, const char *scheme) {
  test_sim sim = {0};
  wy_sim_def def = wy_default_sim_def();
  wy_message message = {0};
  def.solver.scheme = scheme;
  if (wy_method_has_fixed_step(&def.solver))
    def.solver.first_step = 2e-3; /* for the same steps, whatever the loads */
  must(wy_model_create(&made->model, &sim.model, &message), &message);
  must(wy_sim_create(sim.model, &def, &sim.sim, &message), &message);
  return sim;
}

typedef struct room {
  size_t saved, asked;
} room;

static room room_of(int count, const char *scheme, bool actuators) {
  crowd made = make_crowd(count, 2, actuators ? count : 0, strcmp(scheme, "box") == 0);
  room used = {0};
#ifdef COUNTS_BYTES
  bytes = 0;
#endif
  test_sim sim = simulate(&made, scheme);
#ifdef COUNTS_BYTES
  used.asked = bytes;
#endif
  used.saved = wy_sim_save_size(sim.sim);
  free_sim(&sim);
  free_crowd(&made);
  return used;
}

/* Twice the rods: twice the bytes, but for what belongs to the simulation as a whole. */
static void memory_grows_with_the_number_of_rods(void **state) {
  (void)state;
  static const char *const schemes[] = {"staggered", "mixed", "conserving", "box"};
  for (int i = 0; i < 4; i++) {
    const bool actuators = i < 2;
    room one = room_of(1000, schemes[i], actuators), two = room_of(2000, schemes[i], actuators);
    print_message("%s: saved %zu, %zu; asked for %zu, %zu\n", schemes[i], one.saved, two.saved, one.asked, two.asked);
    check_below((double)two.saved, 2.1 * (double)one.saved);
    check_at_most((double)two.asked, 2.1 * (double)one.asked);
  }
}

/* The model's lists: every load on its rod, in the order of the definition. */
static void loads_are_found_by_their_rods(void **state) {
  (void)state;
  enum { COUNT = 5 };
  crowd made = make_crowd(COUNT, 2, COUNT, false);
  wy_model *model = NULL;
  wy_message message = {0};
  must(wy_model_create(&made.model, &model, &message), &message);
  for (int rod = 0; rod < COUNT; rod++) {
    assert_int_equal(wy_model_rod_load_count(model, rod), rod == COUNT - 1 ? 2 : 1);
    assert_int_equal(wy_model_rod_load_number(model, rod, 0), COUNT - 1 - rod);
    assert_int_equal(wy_model_rod_actuator_count(model, rod), 1);
    assert_int_equal(wy_model_rod_actuator_number(model, rod, 0), (rod + COUNT - 1) % COUNT);
  }
  assert_int_equal(wy_model_rod_load_number(model, COUNT - 1, 1), COUNT);
  assert_int_equal(wy_model_load_place(model, COUNT), 1);
  assert_int_equal(wy_model_load_place(model, 0), 0);
  wy_model_destroy(model);
  free_crowd(&made);
}

static void tip_of(wy_sim *sim, int rod, double tip[4]) {
  wy_message message = {0};
  must(wy_sim_probe(sim, WY_POSITION, rod, 1, tip, &message), &message);
}

/* A load is changed on its own rod, whatever its number there: as if the model had it so. A hundred tolerances of 1e-6
   are left for steps that begin otherwise. */
static void a_load_is_set_by_its_number_in_the_model(void **state) {
  (void)state;
  static const char *const schemes[] = {"staggered", "mixed", "conserving", "box"};
  enum { COUNT = 3 };
  for (int i = 0; i < 4; i++) {
    crowd made = make_crowd(COUNT, 6, 0, strcmp(schemes[i], "box") == 0);
    test_sim sim = simulate(&made, schemes[i]);
    wy_message message = {0};
    double tips[COUNT][4], alone[4];
    const double force[3] = {0, 0, 0.1};
    must(wy_sim_set_load(sim.sim, COUNT, force, NULL, &message), &message); /* the second one of the last rod */
    must(wy_sim_advance(sim.sim, 0.2, &message), &message);
    for (int rod = 0; rod < COUNT; rod++)
      tip_of(sim.sim, rod, tips[rod]);
    free_sim(&sim);
    made.model.load_count = 2;
    made.loads[1] = made.loads[0];
    made.loads[1].force[0] = wy_constant(0), made.loads[1].force[2] = wy_constant(force[2]);
    sim = simulate(&made, schemes[i]);
    must(wy_sim_advance(sim.sim, 0.2, &message), &message);
    tip_of(sim.sim, COUNT - 1, alone);
    for (int k = 0; k < 3; k++)
      check_close(tips[COUNT - 1][k], alone[k], 1e-4);
    check_above(alone[2], 1e-2);
    check_close(tips[0][2], 0, 1e-9);
    check_close(tips[1][2], 0, 1e-9);
    free_sim(&sim);
    free_crowd(&made);
  }
}

static void a_name_is_found_twice_wherever_it_stands(void **state) {
  (void)state;
  crowd made = make_crowd(50, 2, 0, false);
  wy_model *model = NULL;
  wy_message message = {0};
  strcpy(made.names[47], "r7"), strcpy(made.names[31], "r40"), strcpy(made.names[44], "r7");
  assert_int_equal(wy_model_create(&made.model, &model, &message), WY_ERROR_INPUT);
  assert_string_equal(message.path, "rods[40].name"); /* the first one whose name has been before */
  assert_non_null(strstr(message.text, "'r40'"));
  free_crowd(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_grows_with_the_number_of_rods),
      cmocka_unit_test(loads_are_found_by_their_rods),
      cmocka_unit_test(a_load_is_set_by_its_number_in_the_model),
      cmocka_unit_test(a_name_is_found_twice_wherever_it_stands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
