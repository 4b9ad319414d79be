/* SPDX-License-Identifier: MIT */
/* Memory of batches: what is foretold is asked for, no more and all at once; whichever request fails, the answer is a
   status; frames ask for nothing. The linker leads aligned_alloc and free of withy here. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/batches.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker gives the names */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *old);

static long left = -1;             /* requests that are still answered; -1: all */
static long live, requests;        /* pieces of memory in use; that were asked for */
static double asked;               /* bytes */
static const double machine = 1e9; /* of memory, as far as withy knows */

static bool is_refused(double size) {
  left -= left > 0;
  asked += size;
  requests++;
  return left == 0 || size > machine;
}

void *__wrap_malloc(size_t size) {
  void *taken = is_refused((double)size) ? NULL : __real_malloc(size);
  live += taken != NULL;
  return taken;
}

void *__wrap_calloc(size_t count, size_t size) {
  void *taken = is_refused((double)count * (double)size) ? NULL : __real_calloc(count, size);
  live += taken != NULL;
  return taken;
}

void *__wrap_realloc(void *old, size_t size) {
  void *taken = is_refused((double)size) ? NULL : __real_realloc(old, size);
  live += taken != NULL && !old;
  return taken;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  void *taken = is_refused((double)size) ? NULL : __real_aligned_alloc(alignment, size);
  live += taken != NULL;
  return taken;
}

void __wrap_free(void *old) {
  live -= old != NULL;
  __real_free(old);
}

/* NOLINTEND(bugprone-reserved-identifier) */

static void waving(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.01 * t, jet[1] = 0.01, jet[2] = 0;
}

/* A rod with a load and an obstacle that move, which need rows for each substep; the obstacle has a grid of distances
   as large as many rods. */
static void set(batch_scene *it, wy_obstacle_def *obstacle) {
  enum { POINTS = 40 };
  static float distances[POINTS * POINTS * POINTS];
  set_soft(it);
  it->loads[0].force[1] = (wy_signal){0, waving, NULL, WY_TIME};
  *obstacle = wy_default_obstacle_def();
  obstacle->position[2] = (wy_signal){0, waving, NULL, WY_TIME};
  obstacle->shape = WY_OBSTACLE_DISTANCE;
  obstacle->grid = (wy_distance_grid){{POINTS, POINTS, POINTS}, {-20, -20, -20}, {1, 1, 1}, distances};
  for (int i = 0; i < POINTS * POINTS * POINTS; i++)
    distances[i] = (float)(i % POINTS); /* a floor 20 below */
  it->def.obstacles = obstacle, it->def.obstacle_count = 1;
  make_scene(it);
}

static void foretold_is_asked_for(void **state) {
  (void)state;
  static const int counts[] = {1, 100, 3001};
  batch_scene it;
  wy_obstacle_def obstacle;
  set(&it, &obstacle);
  for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++)
    for (int k = 0; k < 3; k++) {
      wy_batch_def def = wy_default_batch_def();
      def.count = counts[k], def.precision = (wy_batch_precision)precision;
      const double foretold = wy_batch_memory_estimate(it.model, &def);
      const long before = live;
      asked = 0;
      wy_batch *batch = batch_of(it.model, &def);
      check_close(foretold, asked, 0.01 * asked);
      check_close((double)wy_batch_memory(batch), asked, 0.01 * asked);
      wy_batch_destroy(batch);
      assert_int_equal(live, before);
    }
  wy_model_destroy(it.model);
}

static void no_memory_is_a_status(void **state) {
  (void)state;
  batch_scene it;
  wy_obstacle_def obstacle;
  set(&it, &obstacle);
  const long before = live;
  wy_status status = WY_ERROR_MEMORY;
  int failed = 0;
  for (; status; failed++) {
    wy_message message = {.text = ""};
    wy_batch *batch = NULL;
    wy_batch_def def = wy_default_batch_def();
    def.count = 10;
    left = failed + 1;
    status = wy_batch_create(it.model, &def, &batch, &message);
    left = -1;
    if (status) {
      assert_int_equal(status, WY_ERROR_MEMORY);
      assert_null(batch);
      assert_true(message.text[0]);
    }
    wy_batch_destroy(batch);
    assert_int_equal(live, before);
  }
  check_above(failed, 1);
  wy_model_destroy(it.model);
}

/* 10^9 rods, of which a state alone is 10^12 bytes. */
static void too_many_rods(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  wy_obstacle_def obstacle;
  set(&it, &obstacle);
  wy_batch *batch = NULL;
  wy_batch_def def = wy_default_batch_def();
  def.count = 1000000000;
  check_above(wy_batch_memory_estimate(it.model, &def), 1e12);
  assert_int_equal(wy_batch_create(it.model, &def, &batch, &message), WY_ERROR_MEMORY);
  assert_null(batch);
  assert_non_null(strstr(message.text, "1000000000 rods"));
  wy_model_destroy(it.model);
}

/* Frames, also of rods that are moved again and fail, and all that is read and set between them. */
static void frames_ask_for_nothing(void **state) {
  (void)state;
  enum { RODS = 5 };
  batch_scene it;
  wy_obstacle_def obstacle;
  set(&it, &obstacle);
  wy_batch_def def = wy_default_batch_def();
  def.count = RODS, def.substeps = 2, def.retries = 2, def.tolerance = 2e-3;
  wy_batch *batch = batch_of(it.model, &def);
  double *x = doubles(RODS * SOFT_NUMBERS), *q = doubles(RODS * 4 * SOFT_SEGMENTS), poses[7 * RODS];
  void *saved = malloc(wy_batch_save_size(batch));
  const long before = requests;
  for (int frame = 0; frame < 20; frame++) {
    wy_batch_get(batch, WY_BATCH_ROOT, poses, NULL);
    poses[0] += 0.05 * frame;
    wy_batch_roots(batch, poses, NULL, NULL);
    wy_batch_advance(batch, 0.01, NULL);
    wy_batch_get(batch, WY_BATCH_YOUNG, poses, NULL);
    wy_batch_set(batch, WY_BATCH_YOUNG, poses, NULL);
    wy_batch_positions(batch, 0, RODS, x, NULL);
    wy_batch_frames(batch, 0, RODS, q, NULL);
    wy_batch_place(batch, 0, RODS, x, q, NULL, NULL, NULL);
    wy_batch_sections(batch, 0, RODS, x, NULL, NULL, NULL, NULL);
    wy_batch_save(batch, saved, wy_batch_save_size(batch), NULL);
    wy_batch_restore(batch, saved, wy_batch_save_size(batch), NULL);
  }
  assert_int_equal(requests, before);
  check_above(wy_batch_work(batch).refined, 0);
  check_above(wy_batch_work(batch).failed, 0);
  free(saved), free(x), free(q);
  wy_batch_destroy(batch);
  wy_model_destroy(it.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(foretold_is_asked_for),
      cmocka_unit_test(no_memory_is_a_status),
      cmocka_unit_test(too_many_rods),
      cmocka_unit_test(frames_ask_for_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
