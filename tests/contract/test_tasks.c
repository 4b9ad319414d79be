/* SPDX-License-Identifier: MIT */
/* A group that is computed by tasks gives the same bits as one that the caller computes alone, whatever the number of
   threads and the order of the tasks. Its steps allocate nothing. Built with -fsanitize=thread this finds no race.
   labels: slow
   links: test_support withy_scenes */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "cli/pool.c"
#include "support/allocations.h"
#include "support/rods.h"

/* A net of SIDE x SIDE knots, a corner and the opposite side of which are held; large enough for every kind of work to
   be done by tasks. */
enum { SIDE = 10, RODS = 2 * SIDE * (SIDE - 1), SEGMENTS = 20, KNOTS = SIDE * SIDE };

typedef struct net {
  wy_rod_def rods[RODS];
  char names[RODS][8];
  wy_joint_def joints[KNOTS];
  wy_port ports[KNOTS][5];
  wy_model_def model;
} net;

static void add_rope(net *made, int from, int to) {
  const int index = made->model.rod_count++;
  wy_rod_def *rope = &made->rods[index];
  *rope = rubber_rod(SEGMENTS);
  snprintf(made->names[index], sizeof made->names[index], "r%d", index);
  rope->name = made->names[index];
  rope->length = 1;
  for (int end = 0; end < 2; end++)
    rope->ends[end] = wy_end_free();
  for (int k = 0; k < 3; k++)
    rope->shape.origin[k] = rope->shape.direction[k] = 0;
  rope->shape.origin[0] = from % SIDE, rope->shape.origin[1] = (double)(from / SIDE);
  rope->shape.direction[to == from + 1 ? 0 : 1] = 1;
  made->ports[from][made->joints[from].port_count++] = wy_port_on_rod(index, 0);
  made->ports[to][made->joints[to].port_count++] = wy_port_on_rod(index, 1);
}

/* At rest it hardly sags: equilibria are found in a few iterations. */
static net *make_net(bool rests) {
  net *made = calloc(1, sizeof *made);
  assert_non_null(made);
  made->model = wy_default_model_def();
  made->model.gravity[2] = rests ? -1e-3 : -9.81;
  for (int i = 0; i < KNOTS; i++) {
    made->joints[i] = wy_default_joint_def();
    made->joints[i].kind = i % 3 || rests ? WY_WELD : WY_BALL;
    made->joints[i].ports = made->ports[i];
  }
  for (int i = 0; i < KNOTS; i++) {
    if (i % SIDE)
      add_rope(made, i - 1, i);
    if (i >= SIDE)
      add_rope(made, i - SIDE, i);
  }
  for (int i = 0; i < KNOTS; i++)
    if (i == 0 || i >= KNOTS - SIDE)
      made->ports[i][made->joints[i].port_count++] = wy_port_on_ground();
  made->model.rods = made->rods;
  made->model.joints = made->joints;
  made->model.joint_count = KNOTS;
  return made;
}

typedef struct outcome {
  unsigned char *bytes;
  size_t size;
} outcome;

static outcome save(wy_sim *sim) {
  outcome out = {.size = wy_sim_save_size(sim)};
  wy_message message = {0};
  out.bytes = malloc(out.size);
  must(wy_sim_save(sim, out.bytes, out.size, &message), &message);
  return out;
}

/* Moves the net for a short while, or lets it settle. */
static outcome compute(const wy_model *model, const char *integrator, wy_tasks tasks) {
  wy_sim_def def = wy_default_sim_def();
  wy_message message = {0};
  wy_sim *sim = NULL;
  def.tasks = tasks;
  def.statics = !integrator;
  def.solver.statics.increments = 1;
  if (integrator)
    def.solver.integrator = integrator;
  must(wy_sim_create(model, &def, &sim, &message), &message);
  if (integrator) {
    must(wy_sim_advance(sim, 5e-4, &message), &message);
#ifdef COUNTS_ALLOCATIONS
    const long before = allocations;
    must(wy_sim_advance(sim, 7e-4, &message), &message);
    if (!tasks.run)
      assert_int_equal(allocations, before);
#endif
  } else {
    must(wy_sim_settle(sim, 0, &message), &message);
  }
  const outcome out = save(sim);
  wy_sim_destroy(sim);
  return out;
}

static int runs;

/* One after the other, the last one first. */
static void run_backwards(void *pool, int count, void (*task)(void *context, int index), void *context) {
  (void)pool;
  runs++;
  for (int i = count - 1; i >= 0; i--)
    task(context, i);
}

/* With the first `pools` numbers of threads. */
static void check_same(const char *integrator, int pools) {
  static const int threads[] = {3, 2, 7};
  net *made = make_net(!integrator);
  wy_model *model = NULL;
  wy_message message = {0};
  must(wy_model_create(&made->model, &model, &message), &message);
  outcome alone = compute(model, integrator, (wy_tasks){0});
  runs = 0;
  outcome backwards = compute(model, integrator, (wy_tasks){.run = run_backwards});
  assert_true(runs > 10);
  assert_int_equal(backwards.size, alone.size);
  assert_memory_equal(backwards.bytes, alone.bytes, alone.size);
  for (int k = 0; k < pools; k++) {
    wy_pool *pool = wy_pool_create(threads[k]);
    outcome got = compute(model, integrator, wy_pool_tasks(pool));
    assert_int_equal(got.size, alone.size);
    assert_memory_equal(got.bytes, alone.bytes, alone.size);
    free(got.bytes);
    wy_pool_destroy(pool);
  }
  free(alone.bytes), free(backwards.bytes);
  wy_model_destroy(model);
  free(made);
}

static void test_implicit(void **state) {
  (void)state;
  check_same("radau5", 3);
}

static void test_explicit(void **state) {
  (void)state;
  check_same("dopri5", 1);
}

static void test_equilibrium(void **state) {
  (void)state;
  check_same(NULL, 1);
}

/* Every task once, however many there are. */
static void count_up(void *context, int index) {
  ((int *)context)[index]++;
}

static void test_pool(void **state) {
  (void)state;
  assert_null(wy_pool_create(1));
  assert_null(wy_pool_tasks(NULL).run);
  wy_pool *pool = wy_pool_create(4);
  const wy_tasks tasks = wy_pool_tasks(pool);
  for (int count = 0; count < 200; count++) {
    int done[200] = {0};
    tasks.run(tasks.pool, count, count_up, done);
    for (int i = 0; i < 200; i++)
      assert_int_equal(done[i], i < count);
  }
  wy_pool_destroy(pool);
  wy_pool_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pool), cmocka_unit_test(test_implicit),
                                     cmocka_unit_test(test_explicit), cmocka_unit_test(test_equilibrium)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
