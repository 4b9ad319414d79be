/* SPDX-License-Identifier: MIT */
/* A batch in parts, here in threads: rods move as in one piece, to the last bit, and so do decisions by all of them. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/batches.h"

enum { RODS = 37, PARTS = 3, FRAMES = 12 };
static const double frame_time = 1.0 / 60;

/* ---- Parts that wait for each other ---- */

typedef struct meeting {
  pthread_barrier_t barrier;
  pthread_mutex_t mutex;
  int arrived;
  double sums[8], least;
} meeting;

static meeting place;

static void combine(void *context, double *sums, int count, double *least) {
  (void)context;
  pthread_mutex_lock(&place.mutex);
  if (place.arrived++ % PARTS == 0)
    memset(place.sums, 0, sizeof place.sums), place.least = INFINITY;
  for (int i = 0; i < count; i++)
    place.sums[i] += sums[i];
  place.least = fmin(place.least, *least);
  pthread_mutex_unlock(&place.mutex);
  pthread_barrier_wait(&place.barrier);
  memcpy(sums, place.sums, (size_t)count * sizeof *sums);
  *least = place.least;
  pthread_barrier_wait(&place.barrier);
}

static wy_batch_share share_of(int first, bool spare) {
  return (wy_batch_share){.first = first, .total = RODS, .spare = spare, .combine = combine};
}

/* ---- Strands that are shaken ---- */

static void strand(batch_scene *it) {
  set_soft(it);
  it->rod.length = 0.12;
  it->rod.section.radius = wy_constant(35e-6);
  it->rod.material.young = wy_constant(4e9), it->rod.material.density = wy_constant(1300);
  it->rod.damping.time = wy_constant(1e-4);
  it->rod.drag = (wy_drag){5, 0};
  for (int k = 0; k < 3; k++)
    it->loads[0].force[k] = it->loads[0].moment[k] = wy_constant(0);
  make_scene(it);
}

/* Rods from `first` on, of which each has its curl; some are moved again, so that substeps are doubled. */
static wy_batch *strands(const wy_model *model, wy_batch_integrator integrator, int first, int count,
                         const wy_batch_share *share) {
  wy_message message = {.text = ""};
  double curls[3 * RODS] = {0};
  for (int i = 0; i < RODS; i++)
    curls[3 * i] = 4.0 * i;
  wy_batch_def def = wy_default_batch_def();
  def.count = count, def.integrator = integrator;
  if (share)
    def.share = *share;
  wy_batch *batch = batch_of(model, &def);
  must(wy_batch_set(batch, WY_BATCH_CURVATURE, curls + 3 * (size_t)first, &message), &message);
  return batch;
}

static void shake(wy_batch *batch, int frame) {
  wy_message message = {.text = ""};
  double poses[7 * RODS], speed = frame % 4 < 2 ? 1.5 : -1.5;
  const int count = wy_batch_describe(batch).count;
  must(wy_batch_get(batch, WY_BATCH_ROOT, poses, &message), &message);
  for (int i = 0; i < count; i++)
    poses[7 * i + 1] += speed * frame_time * (frame % 2);
  must(wy_batch_roots(batch, poses, NULL, &message), &message);
  if (wy_batch_advance(batch, frame_time, &message) < 0)
    fail_msg("frame %d: %s", frame, message.text);
}

typedef struct part {
  int first;
  wy_batch *batch;
} part;

static void *move_part(void *context) {
  part *it = context;
  for (int frame = 0; frame < FRAMES; frame++)
    shake(it->batch, frame);
  return NULL;
}

static void meet(void) {
  pthread_barrier_init(&place.barrier, NULL, PARTS);
  pthread_mutex_init(&place.mutex, NULL);
  place.arrived = 0;
}

static void leave(void) {
  pthread_barrier_destroy(&place.barrier);
  pthread_mutex_destroy(&place.mutex);
}

static char *saved_state(wy_batch *batch, size_t *size) {
  wy_message message = {.text = ""};
  *size = wy_batch_save_size(batch);
  char *bytes = calloc(1, *size);
  must(wy_batch_save(batch, bytes, *size, &message), &message);
  return bytes;
}

/* The saved state of a part: the same head, then its rows of the whole. */
static void compare(wy_batch *whole, wy_batch *const parts[PARTS], const int firsts[PARTS]) {
  size_t size, own;
  char *all = saved_state(whole, &size);
  const size_t row = wy_batch_save_row(whole), head = size - RODS * row;
  for (int k = 0; k < PARTS; k++) {
    char *bytes = saved_state(parts[k], &own);
    assert_memory_equal(bytes, all, head);
    assert_memory_equal(bytes + head, all + head + (size_t)firsts[k] * row, own - head);
    free(bytes);
  }
  free(all);
}

/* The middle part has no rods of its own, but a copy, which must not count. */
static void same_bits(void **state) {
  (void)state;
  static const wy_batch_integrator integrators[] = {WY_BATCH_BDF2, WY_BATCH_AUTO};
  const int firsts[PARTS] = {0, 30, 30}, counts[PARTS] = {30, 1, 7};
  for (int k = 0; k < 2; k++) {
    batch_scene it;
    part parts[PARTS];
    wy_batch *batches[PARTS];
    pthread_t threads[PARTS];
    strand(&it);
    wy_batch *whole = strands(it.model, integrators[k], 0, RODS, NULL);
    for (int frame = 0; frame < FRAMES; frame++)
      shake(whole, frame);
    meet();
    for (int i = 0; i < PARTS; i++) {
      const wy_batch_share share = share_of(firsts[i], i == 1);
      batches[i] = strands(it.model, integrators[k], firsts[i], counts[i], &share);
      parts[i] = (part){firsts[i], batches[i]};
      pthread_create(&threads[i], NULL, move_part, &parts[i]);
    }
    for (int i = 0; i < PARTS; i++)
      pthread_join(threads[i], NULL);
    leave();
    const wy_batch_statistics work = wy_batch_work(whole);
    if (!(work.refined > 0) || wy_batch_describe(whole).substeps == 8)
      fail_msg("got %g frames again and %d substeps; want some, and not the first 8", work.refined,
               wy_batch_describe(whole).substeps);
    compare(whole, batches, firsts);
    for (int i = 0; i < PARTS; i++)
      wy_batch_destroy(batches[i]);
    wy_batch_destroy(whole);
    wy_model_destroy(it.model);
  }
}

/* ---- What cannot be ---- */

static wy_status statuses[PARTS];
static wy_message messages[PARTS];

static void *begin_part(void *context) {
  const part *it = context;
  statuses[it->first / 10] = wy_batch_advance(it->batch, frame_time, &messages[it->first / 10]);
  return NULL;
}

/* A rod of the second part begins inside of an obstacle: no part moves, and the one to blame says which rod it is. */
static void refused_together(void **state) {
  (void)state;
  batch_scene it;
  wy_message message = {.text = ""};
  wy_obstacle_def obstacle = wy_default_obstacle_def();
  pthread_t threads[PARTS];
  part parts[PARTS];
  set_soft(&it);
  obstacle.shape = WY_OBSTACLE_SPHERE, obstacle.radius = 1.2; /* longer than the rods */
  obstacle.position[1] = wy_constant(5 * 15);
  it.def.obstacles = &obstacle, it.def.obstacle_count = 1;
  make_scene(&it);
  meet();
  for (int i = 0; i < PARTS; i++) {
    const int count = i < 2 ? 10 : RODS - 20;
    const wy_batch_share share = share_of(10 * i, false);
    double roots[7 * RODS];
    parts[i] = (part){10 * i, strands(it.model, WY_BATCH_BDF2, 10 * i, count, &share)};
    must(wy_batch_get(parts[i].batch, WY_BATCH_ROOT, roots, &message), &message);
    for (int k = 0; k < count; k++)
      roots[7 * k + 1] = 5 * (10 * i + k);
    must(wy_batch_set(parts[i].batch, WY_BATCH_ROOT, roots, &message), &message);
  }
  for (int i = 0; i < PARTS; i++)
    pthread_create(&threads[i], NULL, begin_part, &parts[i]);
  for (int i = 0; i < PARTS; i++) {
    pthread_join(threads[i], NULL);
    assert_int_equal(statuses[i], i == 1 ? WY_ERROR_INPUT : WY_ERROR_SUPPORT);
    assert_true(wy_batch_time(parts[i].batch) == 0);
    wy_batch_destroy(parts[i].batch);
  }
  leave();
  if (!strstr(messages[1].text, "rod 15 of the batch"))
    fail_msg("got: %s; want rod 15", messages[1].text);
  wy_model_destroy(it.model);
}

static void wrong_shares(void **state) {
  (void)state;
  batch_scene it;
  strand(&it);
  const wy_batch_share wrong[] = {{.first = -1, .total = RODS, .combine = combine},
                                  {.first = 30, .total = RODS, .combine = combine},
                                  {.total = RODS}};
  for (int i = 0; i < 3; i++) {
    wy_batch *batch = NULL;
    wy_message message = {.text = ""};
    wy_batch_def def = wy_default_batch_def();
    def.count = 8, def.share = wrong[i];
    assert_int_equal(wy_batch_create(it.model, &def, &batch, &message), WY_ERROR_INPUT);
    assert_string_equal(message.path, "share");
  }
  wy_model_destroy(it.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_bits),
      cmocka_unit_test(refused_together),
      cmocka_unit_test(wrong_shares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
