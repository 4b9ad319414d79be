/* SPDX-License-Identifier: MIT */
/* Rods that are not joined, and groups of joined ones, are computed at the same time: states, shown times and failures
   are the same, bit for bit, for any number of threads and any order of tasks. Built with -fsanitize=thread this finds
   no race.
   links: test_support withy_scenes */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "cli/pool.c"
#include "support/rods.h"

/* A pair of joined rods among single ones, of different cost; more of them than one run has tasks. */
enum { RODS = 70, PAIR = 40 };

typedef struct scene {
  wy_rod_def rods[RODS];
  char names[RODS][8];
  wy_load_def loads[RODS];
  wy_joint_def joint;
  wy_port ports[2];
  wy_model_def def;
  wy_model *model;
} scene;

static scene *make_scene(void) {
  scene *made = calloc(1, sizeof *made);
  assert_non_null(made);
  for (int i = 0; i < RODS; i++) {
    made->rods[i] = rubber_rod(2 + i % 5);
    snprintf(made->names[i], sizeof made->names[i], "r%d", i);
    made->rods[i].name = made->names[i];
    made->rods[i].ends[0] = i == PAIR + 1 ? wy_end_free() : wy_end_clamped();
    made->loads[i] = wy_default_load_def();
    made->loads[i].rod = i;
    made->loads[i].force[0] = wy_constant(1e-3 * i);
  }
  made->rods[PAIR + 1].shape.origin[1] = made->rods[PAIR].length;
  made->joint = wy_default_joint_def();
  made->joint.kind = WY_BALL;
  made->ports[0] = wy_port_on_rod(PAIR, 1);
  made->ports[1] = wy_port_on_rod(PAIR + 1, 0);
  made->joint.ports = made->ports;
  made->joint.port_count = 2;
  made->def = wy_default_model_def();
  made->def.rods = made->rods;
  made->def.rod_count = RODS;
  made->def.loads = made->loads;
  made->def.load_count = RODS;
  made->def.joints = &made->joint;
  made->def.joint_count = 1;
  return made;
}

static void build(scene *made) {
  wy_message message = {0};
  must(wy_model_create(&made->def, &made->model, &message), &message);
}

static void destroy(scene *made) {
  wy_model_destroy(made->model);
  free(made);
}

typedef struct outcome {
  wy_status status;
  wy_message message;
  double time;
  unsigned char *bytes;
  size_t size;
} outcome;

/* What a simulation does; NULL: it settles. */
typedef wy_status course(wy_sim *sim, double t, wy_message *message);

static outcome compute(const wy_model *model, course *go, double t, wy_tasks tasks) {
  wy_sim_def def = wy_default_sim_def();
  wy_sim *sim = NULL;
  outcome out = {0};
  def.tasks = tasks;
  def.statics = go != wy_sim_sample && go != wy_sim_advance;
  must(wy_sim_create(model, &def, &sim, &out.message), &out.message);
  out.message = (wy_message){0};
  out.status = go(sim, t, &out.message);
  out.time = wy_sim_time(sim);
  out.size = wy_sim_save_size(sim);
  out.bytes = malloc(out.size);
  wy_message message = {0};
  must(wy_sim_save(sim, out.bytes, out.size, &message), &message);
  wy_sim_destroy(sim);
  return out;
}

static int runs, last_count;

/* One after the other, the last one first. */
static void run_backwards(void *pool, int count, void (*task)(void *context, int index), void *context) {
  (void)pool;
  runs++;
  last_count = count;
  for (int i = count - 1; i >= 0; i--)
    task(context, i);
}

static void check_equal(outcome *got, const outcome *want) {
  assert_int_equal(got->status, want->status);
  assert_string_equal(got->message.text, want->message.text);
  assert_string_equal(got->message.path, want->message.path);
  assert_true(got->time == want->time);
  assert_int_equal(got->size, want->size);
  assert_memory_equal(got->bytes, want->bytes, want->size);
  free(got->bytes);
}

/* Returns what the caller's thread alone comes to. */
static outcome check_same(const wy_model *model, course *go, double t) {
  outcome alone = compute(model, go, t, (wy_tasks){0});
  runs = 0;
  outcome backwards = compute(model, go, t, (wy_tasks){.run = run_backwards});
  assert_true(runs > 0);
  assert_in_range(last_count, RODS / 2, RODS - 1); /* groups, several of them a task */
  check_equal(&backwards, &alone);
  for (int threads = 1; threads <= 3; threads++) {
    wy_pool *pool = wy_pool_create(threads);
    outcome got = compute(model, go, t, wy_pool_tasks(pool));
    check_equal(&got, &alone);
    wy_pool_destroy(pool);
  }
  return alone;
}

static void check_well(course *go, double t) {
  scene *made = make_scene();
  build(made);
  outcome alone = check_same(made->model, go, t);
  must(alone.status, &alone.message);
  assert_true(alone.time == t);
  free(alone.bytes);
  destroy(made);
}

static void test_sample(void **state) {
  (void)state;
  check_well(wy_sim_sample, 0.02);
}

static void test_advance(void **state) {
  (void)state;
  check_well(wy_sim_advance, 0.02);
}

static void test_settle(void **state) {
  (void)state;
  check_well(wy_sim_settle, 0.02);
}

static wy_status settle_and_follow(wy_sim *sim, double t, wy_message *message) {
  const wy_status status = wy_sim_settle(sim, 0, message);
  return status ? status : wy_sim_follow(sim, t, message);
}

static void test_follow(void **state) {
  (void)state;
  check_well(settle_and_follow, 0.02);
}

static void evaluate_nan_early(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t <= 0.2 ? 0.01 * t : (double)NAN;
  jet[1] = 0.01;
  jet[2] = 0;
}

/* Several rods fail, a later one at an earlier time: that which comes first among the rods is named; all others come
   as far as if it were not there. */
static void check_failure(course *go, double t) {
  scene *made = make_scene();
  made->loads[23].force[0] = made->loads[67].force[0] = turns_nan();
  made->loads[50].force[0] = (wy_signal){0, evaluate_nan_early, NULL, WY_TIME};
  build(made);
  outcome alone = check_same(made->model, go, t);
  assert_int_not_equal(alone.status, WY_OK);
  assert_non_null(strstr(alone.message.text, "'r23'"));
  free(alone.bytes);
  destroy(made);
}

static void test_failing_motion(void **state) {
  (void)state;
  check_failure(wy_sim_sample, 0.6);
}

static void test_failing_equilibria(void **state) {
  (void)state;
  check_failure(wy_sim_settle, 0.6);
  check_failure(settle_and_follow, 0.6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sample),         cmocka_unit_test(test_advance),
                                     cmocka_unit_test(test_settle),         cmocka_unit_test(test_follow),
                                     cmocka_unit_test(test_failing_motion), cmocka_unit_test(test_failing_equilibria)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
