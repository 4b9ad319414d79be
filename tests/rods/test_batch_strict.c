/* SPDX-License-Identifier: MIT */
/* Rods of a batch have the same bits on any number of lanes, with any tasks in any order, where the compiler contracts
   nothing. kernels: strict - those of this test are compiled so, whatever the rest of the library is. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/batches.h"
#include "support/grids.h"

enum { STRANDS = 37, FRAMES = 5, STATE = SOFT_NUMBERS + 4 * SOFT_SEGMENTS + SOFT_NUMBERS + 3 * SOFT_SEGMENTS };

/* ---- Tasks ---- */

/* The last one first. */
static void backwards(void *pool, int count, void (*task)(void *context, int index), void *context) {
  (void)pool;
  while (count > 0)
    task(context, --count);
}

/* On three threads, that take what is next. */
typedef struct work {
  void (*task)(void *context, int index);
  void *context;
  int count, next;
  pthread_mutex_t lock;
} work;

static void *take(void *of) {
  work *it = of;
  for (;;) {
    pthread_mutex_lock(&it->lock);
    const int index = it->next++;
    pthread_mutex_unlock(&it->lock);
    if (index >= it->count)
      return NULL;
    it->task(it->context, index);
  }
}

static void on_threads(void *pool, int count, void (*task)(void *context, int index), void *context) {
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  work it = {task, context, count, 0, PTHREAD_MUTEX_INITIALIZER};
  (void)pool;
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, take, &it), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

/* ---- Scenes ---- */

enum { HAIR, HELD, FLOATING, TOUCHING, ON_GRID, SCENES };
static const char *const names[SCENES] = {"shaken hair", "held at both ends", "free", "on a moving sphere",
                                          "on a moving grid of distances"};

static void rising(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.3 * t, jet[1] = 0.3, jet[2] = 0;
}

typedef struct strands {
  batch_scene scene;
  wy_obstacle_def obstacle;
  wy_contact_def contact;
  int kind;
  float *distances;
} strands;

static double of_ball(const double y[3]) {
  return sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) - 0.04;
}

static void set(strands *it, int kind) {
  batch_scene *scene = &it->scene;
  set_soft(scene);
  it->kind = kind;
  it->distances = NULL;
  scene->rod.length = 0.12;
  scene->rod.section.radius = wy_constant(35e-6);
  scene->rod.material.young = wy_constant(4e9), scene->rod.material.density = wy_constant(1300);
  scene->rod.damping.time = wy_constant(1e-4);
  scene->rod.drag = (wy_drag){5, 0.1};
  for (int k = 0; k < 3; k++)
    scene->loads[0].force[k] = wy_constant(1e-7), scene->loads[0].moment[k] = wy_constant(1e-10);
  scene->loads[1].place = WY_ALONG, scene->loads[1].to = 0.1;
  scene->loads[1].force[0] = (wy_signal){0, rising, NULL, WY_TIME};
  scene->loads[1].force[0].value = 0;
  scene->def.load_count = kind == FLOATING ? 1 : 0;
  if (kind == HELD)
    scene->rod.ends[1] = wy_end_clamped();
  if (kind == FLOATING)
    scene->rod.ends[0] = wy_end_free();
  if (kind == TOUCHING || kind == ON_GRID) {
    it->obstacle = wy_default_obstacle_def(), it->contact = wy_default_contact_def();
    it->obstacle.shape = WY_OBSTACLE_SPHERE, it->obstacle.radius = 0.04;
    it->obstacle.position[1] = wy_constant(0.06), it->obstacle.position[2] = (wy_signal){0, rising, NULL, WY_TIME};
    it->contact.friction = 0.3, it->contact.stick = false, it->contact.restitution = 0.2;
    scene->rod.shape.origin[2] = 0.045;
    if (kind == ON_GRID) { /* which some rods leave */
      it->obstacle.shape = WY_OBSTACLE_DISTANCE, it->obstacle.grid = grid_of(of_ball, 13, 0.07);
      it->distances = (float *)it->obstacle.grid.values;
      it->obstacle.axis[0] = 0.3;
    }
    scene->def.obstacles = &it->obstacle, scene->def.obstacle_count = 1, scene->def.contact = &it->contact;
  }
  make_scene(scene);
}

/* Unlike numbers for all rods, roots that are shaken; substeps that are chosen and rods that are moved again. */
static void run(const strands *it, const wy_batch_def *def, double *state, wy_batch_statistics *work_done) {
  wy_message message = {.text = ""};
  double curvature[3 * STRANDS] = {0}, young[STRANDS], poses[7 * STRANDS], rates[6 * STRANDS] = {0};
  wy_batch *batch = batch_of(it->scene.model, def);
  for (int i = 0; i < STRANDS; i++) {
    unsigned seed = (unsigned)i + 1;
    curvature[3 * i + 1] = 12 * noise(&seed), curvature[3 * i] = it->kind >= TOUCHING ? 0 : 9 * noise(&seed);
    curvature[3 * i + 1] *= it->kind >= TOUCHING ? 0.1 : 1;
    young[i] = 4e9 * (1 + 0.5 * noise(&seed));
  }
  must(wy_batch_set(batch, WY_BATCH_CURVATURE, curvature, &message), &message);
  must(wy_batch_set(batch, WY_BATCH_YOUNG, young, &message), &message);
  must(wy_batch_get(batch, WY_BATCH_ROOT, poses, &message), &message);
  for (int frame = 0; frame < FRAMES; frame++) {
    for (int i = 0; i < STRANDS; i++)
      poses[7 * i] += 1e-3 * (1 + i % 3), rates[6 * i] = 0.06 * (1 + i % 3), rates[6 * i + 5] = 0.1;
    if (it->kind != FLOATING)
      must(wy_batch_roots(batch, poses, rates, &message), &message);
    const wy_status status = wy_batch_advance(batch, 1.0 / 60, &message);
    if (status < 0)
      must(status, &message);
  }
  double *x = state, *q = x + STRANDS * SOFT_NUMBERS, *v = q + STRANDS * 4 * SOFT_SEGMENTS;
  must(wy_batch_positions(batch, 0, STRANDS, x, &message), &message);
  must(wy_batch_frames(batch, 0, STRANDS, q, &message), &message);
  must(wy_batch_velocities(batch, 0, STRANDS, v, &message), &message);
  must(wy_batch_spins(batch, 0, STRANDS, v + STRANDS * SOFT_NUMBERS, &message), &message);
  *work_done = wy_batch_work(batch);
  wy_batch_destroy(batch);
}

static bool exists(const wy_model *model, const wy_batch_def *def) {
  wy_batch *batch = NULL;
  const bool made = wy_batch_create(model, def, &batch, NULL) == WY_OK;
  wy_batch_destroy(batch);
  return made;
}

static void check_same(const strands *it, const wy_batch_def *def, const double *want,
                       const wy_batch_statistics *want_done) {
  double *got = doubles(STRANDS * STATE);
  wy_batch_statistics done;
  run(it, def, got, &done);
  const double difference = batch_distance(got, want, STRANDS * STATE);
  if (difference != 0)
    fail_msg("%s, precision %d, measure %d, %d lanes: largest difference %g", names[it->kind], (int)def->precision,
             (int)def->staggered.curvature_measure, def->lanes, difference);
  assert_memory_equal(got, want, STRANDS * STATE * sizeof *got);
  check_close(done.solves, want_done->solves, 0);
  check_close(done.refined, want_done->refined, 0);
  free(got);
}

static int compared;

static void check_lanes(const strands *it, wy_batch_def def) {
  double *want = doubles(STRANDS * STATE);
  wy_batch_statistics done;
  def.lanes = 1;
  run(it, &def, want, &done);
  for (int i = 0; i < STRANDS * STATE; i++)
    assert_true(isfinite(want[i]));
  assert_int_equal(done.failed, 0);
  for (def.lanes = 4; def.lanes <= 16; def.lanes *= 2)
    if (exists(it->scene.model, &def))
      check_same(it, &def, want, &done), compared++;
  def.lanes = 0;
  def.tasks.run = backwards;
  check_same(it, &def, want, &done);
  def.tasks.run = on_threads;
  check_same(it, &def, want, &done);
  free(want);
}

static void same_bits(void **state) {
  (void)state;
  for (int kind = 0; kind < SCENES; kind++) {
    strands it;
    set(&it, kind);
    for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++)
      for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++) {
        if (measure != WY_TAN2 && kind != HELD) /* its ends have all that depends on the measure */
          continue;
        wy_batch_def def = wy_default_batch_def();
        def.count = STRANDS, def.precision = (wy_batch_precision)precision, def.integrator = WY_BATCH_BDF2;
        def.staggered.curvature_measure = (wy_curvature_measure)measure;
        check_lanes(&it, def);
      }
    wy_model_destroy(it.scene.model);
    free(it.distances);
  }
  print_message("%d comparisons of lanes\n", compared);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
