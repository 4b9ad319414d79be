/* SPDX-License-Identifier: MIT */
/* Batches in the wrong order or with wrong numbers: a message, and nothing has changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/batches.h"

static wy_message message;

/* Refused, with a text that says why: it has this word. */
static void refuse(wy_status status, wy_status want, const char *word) {
  assert_int_equal(status, want);
  if (!strstr(message.text, word) && !strstr(message.path, word))
    fail_msg("the message '%s: %s' has no '%s'", message.path, message.text, word);
  memset(&message, 0, sizeof message);
}

static batch_scene soft;

static wy_batch *soft_batch(int count) {
  wy_batch_def def = fixed_batch(16);
  def.count = count;
  set_soft(&soft);
  make_scene(&soft);
  return batch_of(soft.model, &def);
}

static void end(wy_batch *batch) {
  wy_batch_destroy(batch);
  wy_model_destroy(soft.model);
}

/* ---- Numbers ---- */

enum { COUNT = 3, MOST = 7 * COUNT };

/* Each number, with each wrong value in each place: refused with the rod that has it, and all stays as it was. */
static void wrong_numbers(void **state) {
  (void)state;
  static const double wrong[] = {NAN, INFINITY, -INFINITY, -1, 0};
  wy_batch *batch = soft_batch(COUNT);
  for (int number = 0; number <= WY_BATCH_VELOCITY; number++) {
    const int size = wy_batch_number_size((wy_batch_number)number);
    double usual[MOST], values[MOST], after[MOST];
    must(wy_batch_get(batch, (wy_batch_number)number, usual, &message), &message);
    for (int i = 0; i < COUNT * size; i++)
      for (int k = 0; k < 5; k++) {
        const bool may_be_zero = number > WY_BATCH_RADIUS && number != WY_BATCH_LENGTH;
        const bool may_be_negative = number >= WY_BATCH_LOADS && number != WY_BATCH_LENGTH;
        if ((wrong[k] == 0 && may_be_zero) || (wrong[k] == -1 && may_be_negative))
          continue;
        memcpy(values, usual, sizeof values);
        values[i] = wrong[k];
        char rod[16];
        snprintf(rod, sizeof rod, "rod %d", i / size);
        refuse(wy_batch_set(batch, (wy_batch_number)number, values, &message), WY_ERROR_INPUT, rod);
        must(wy_batch_get(batch, (wy_batch_number)number, after, &message), &message);
        assert_memory_equal(usual, after, (size_t)(COUNT * size) * sizeof *usual);
      }
  }
  double root[7 * COUNT];
  must(wy_batch_get(batch, WY_BATCH_ROOT, root, &message), &message);
  root[7 + 3] += 1e-3;
  refuse(wy_batch_set(batch, WY_BATCH_ROOT, root, &message), WY_ERROR_INPUT, "unit quaternion");
  end(batch);
}

/* Stiffness that does not follow from a material does not vary with it, and so on. */
static void numbers_without_effect(void **state) {
  (void)state;
  const double one[] = {1};
  for (int k = 0; k < 4; k++) {
    batch_scene it;
    set_soft(&it);
    if (k == 0)
      it.rod.damping.kind = WY_UNDAMPED;
    if (k == 1)
      it.rod.section.shape = WY_RECTANGLE, it.rod.section.width = it.rod.section.height = wy_constant(0.01);
    for (int i = 0; k >= 2 && i < 6; i++)
      it.rod.stiffness[i] = wy_constant(i < 3 ? 400 : 3e-3), it.rod.inertia[i < 4 ? i : 0] = wy_constant(0.1);
    it.rod.has_stiffness = k == 2, it.rod.has_inertia = k == 3;
    make_scene(&it);
    const wy_batch_def def = fixed_batch(8);
    wy_batch *batch = batch_of(it.model, &def);
    if (k == 0)
      refuse(wy_batch_set(batch, WY_BATCH_DAMPING, one, &message), WY_ERROR_SUPPORT, "damping");
    if (k >= 1)
      refuse(wy_batch_set(batch, WY_BATCH_RADIUS, one, &message), WY_ERROR_SUPPORT, k == 1 ? "circle" : "material");
    if (k == 2)
      refuse(wy_batch_set(batch, WY_BATCH_YOUNG, one, &message), WY_ERROR_SUPPORT, "material");
    if (k == 3)
      refuse(wy_batch_set(batch, WY_BATCH_DENSITY, one, &message), WY_ERROR_SUPPORT, "material");
    wy_batch_destroy(batch);
    wy_model_destroy(it.model);
  }
}

/* ---- Order ---- */

/* What belongs to the undeformed rods would undo what was done to them since. */
static void numbers_of_undeformed_rods(void **state) {
  (void)state;
  static const char *const why[] = {"first frame", "placed", "moved"};
  for (int k = 0; k < 3; k++) {
    double x[SOFT_NUMBERS], q[4 * SOFT_SEGMENTS], after[SOFT_NUMBERS], values[7];
    wy_batch *batch = soft_batch(1);
    must(wy_batch_frames(batch, 0, 1, q, &message), &message);
    batch_positions(batch, 0, x);
    if (k == 0)
      run_batch(batch, 1, 0.01);
    for (int i = 0; i < SOFT_VERTICES; i++)
      x[3 * i + 2] += 0.1 * i;
    if (k == 1)
      must(wy_batch_place(batch, 0, 1, x, q, NULL, NULL, &message), &message);
    must(wy_batch_get(batch, WY_BATCH_ROOT, values, &message), &message);
    values[0] += 0.01;
    if (k == 2)
      must(wy_batch_roots(batch, values, NULL, &message), &message);
    batch_positions(batch, 0, x);
    for (int number = WY_BATCH_LENGTH; number <= WY_BATCH_VELOCITY; number++) {
      must(wy_batch_get(batch, (wy_batch_number)number, values, &message), &message);
      refuse(wy_batch_set(batch, (wy_batch_number)number, values, &message), WY_ERROR_INPUT, why[k]);
    }
    for (int number = 0; number <= WY_BATCH_LOADS; number++) {
      must(wy_batch_get(batch, (wy_batch_number)number, values, &message), &message);
      must(wy_batch_set(batch, (wy_batch_number)number, values, &message), &message);
    }
    batch_positions(batch, 0, after);
    assert_memory_equal(x, after, sizeof x);
    end(batch);
  }
}

/* A rod is not placed where its support does not hold it, and others neither with it. */
static void placed_off_supports(void **state) {
  (void)state;
  enum { RODS = 2 };
  double x[RODS * SOFT_NUMBERS], q[RODS * 4 * SOFT_SEGMENTS], after[RODS * SOFT_NUMBERS];
  wy_batch *batch = soft_batch(RODS);
  must(wy_batch_frames(batch, 0, RODS, q, &message), &message);
  must(wy_batch_positions(batch, 0, RODS, x, &message), &message);
  x[SOFT_NUMBERS + 1] += 0.1;
  refuse(wy_batch_place(batch, 0, RODS, x, q, NULL, NULL, &message), WY_ERROR_INPUT, "start of rod 1");
  must(wy_batch_positions(batch, 0, RODS, after, &message), &message);
  x[SOFT_NUMBERS + 1] -= 0.1;
  assert_true(batch_distance(x, after, RODS * SOFT_NUMBERS) < 1e-15);
  must(wy_batch_place(batch, 0, RODS, x, q, NULL, NULL, &message), &message);
  q[5] = 2;
  refuse(wy_batch_place(batch, 0, RODS, x, q, NULL, NULL, &message), WY_ERROR_INPUT, "unit quaternions");
  must(wy_batch_frames(batch, 0, RODS, q, &message), &message);
  x[7] = NAN;
  refuse(wy_batch_place(batch, 0, RODS, x, q, NULL, NULL, &message), WY_ERROR_INPUT, "finite");
  end(batch);
}

/* ---- Ends ---- */

/* Each number of a pose and of its rates that is none: refused with the rod, and the ends move as before. */
static void wrong_poses(void **state) {
  (void)state;
  double poses[7 * COUNT], rates[6 * COUNT] = {0}, want[COUNT * SOFT_NUMBERS], got[COUNT * SOFT_NUMBERS];
  char rod[16];
  for (int k = 0; k < 2; k++) {
    wy_batch *batch = soft_batch(COUNT);
    must(wy_batch_get(batch, WY_BATCH_ROOT, poses, &message), &message);
    for (int i = 0; k && i < 13 * COUNT; i++) {
      double *at = i < 7 * COUNT ? poses + i : rates + i - 7 * COUNT;
      const double usual = *at;
      *at = i % 2 ? NAN : INFINITY;
      snprintf(rod, sizeof rod, "rod %d", i < 7 * COUNT ? i / 7 : (i - 7 * COUNT) / 6);
      refuse(wy_batch_roots(batch, poses, rates, &message), WY_ERROR_INPUT, rod);
      *at = usual;
    }
    poses[3] *= 2;
    if (k)
      refuse(wy_batch_roots(batch, poses, rates, &message), WY_ERROR_INPUT, "unit quaternion");
    if (k)
      refuse(wy_batch_move(batch, WY_END, poses, rates, &message), WY_ERROR_INPUT, "free");
    run_batch(batch, 3, 0.01);
    must(wy_batch_positions(batch, 0, COUNT, k ? got : want, &message), &message);
    end(batch);
  }
  assert_memory_equal(got, want, sizeof got);
}

/* An end that swings `rate / 2 pi` times a second. */
static void swinging(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *rate = context, size = 0.02;
  (void)wrt, (void)s;
  jet[0] = size * (1 - cos(*rate * t));
  jet[1] = size * *rate * sin(*rate * t), jet[2] = size * *rate * *rate * cos(*rate * t);
}

/* A cubic of a whole turn or swing stands still. Rods whose ends go round within a frame are not moved at all; with
   shorter frames they are. */
static void signals_faster_than_frames(void **state) {
  (void)state;
  static const double frame = 0.02, rate = 6.283185307179586 / 0.02;
  for (int k = 0; k < 3; k++) {
    batch_scene it;
    set_soft(&it);
    wy_end *at = &it.rod.ends[k == 2];
    it.rod.shape.curvature[1] = it.rod.shape.curvature[2] = wy_constant(0); /* its end is at x = 0 */
    *at = wy_end_clamped();
    const wy_signal signal = {0, swinging, &rate, WY_TIME};
    if (k == 1)
      at->rotation = WY_DRIVEN, at->axis[2] = 1, at->angle = signal;
    else
      at->position[0] = WY_DRIVEN, at->path[0] = signal;
    make_scene(&it);
    wy_batch_def def = fixed_batch(64);
    def.tolerance = k == 1 ? 0.02 : 0.05, def.retries = 4;
    wy_batch *batch = batch_of(it.model, &def);
    refuse(wy_batch_advance(batch, frame, &message), WY_ERROR_INPUT, k == 2 ? "the end of" : "the start of");
    check_close(wy_batch_time(batch), 0, 0);
    assert_int_equal(wy_batch_work(batch).frames, 0);
    run_batch(batch, 16, frame / 16);
    wy_batch_destroy(batch);
    wy_model_destroy(it.model);
  }
}

/* What a simulation refuses to begin with, a batch does, too: driven ends away from the undeformed rod, tables that are
   too short, rods inside of obstacles. Rods that are placed begin where they are placed. */
static void wrong_beginnings(void **state) {
  (void)state;
  static const double times[] = {0, 0.05}, rows[] = {0, 0};
  wy_spline_def table = wy_default_spline_def();
  wy_spline *spline = NULL;
  table.rows = 2, table.columns = 1, table.argument = times, table.values = rows;
  must(wy_spline_create(&table, &spline, &message), &message);
  for (int k = 0; k < 3; k++) {
    batch_scene it;
    double x[SOFT_NUMBERS], q[4 * SOFT_SEGMENTS];
    wy_obstacle_def obstacle = wy_default_obstacle_def();
    set_soft(&it);
    if (k == 0)
      it.rod.ends[0].position[2] = WY_DRIVEN, it.rod.ends[0].path[2] = wy_constant(0.3);
    if (k == 1)
      it.loads[0].force[0] = wy_spline_signal(spline, 0);
    if (k == 2) {
      obstacle.shape = WY_OBSTACLE_SPHERE, obstacle.radius = 0.1; /* half a radius too high, below the second vertex */
      obstacle.position[0] = wy_constant(2.0 / SOFT_SEGMENTS);
      obstacle.position[2] = wy_constant(-0.1 - 0.5 * 0.005);
      it.rod.shape.curvature[1] = it.rod.shape.curvature[2] = wy_constant(0), it.rod.shape.direction[0] = 1;
      it.def.obstacles = &obstacle, it.def.obstacle_count = 1;
      it.rod.shape.direction[1] = it.rod.shape.direction[2] = 0;
    }
    make_scene(&it);
    const wy_batch_def def = fixed_batch(512);
    wy_batch *batch = batch_of(it.model, &def);
    refuse(wy_batch_advance(batch, 0.06, &message), WY_ERROR_INPUT, k == 0 ? "undeformed" : k == 1 ? "0.05" : "inside");
    must(wy_batch_frames(batch, 0, 1, q, &message), &message);
    batch_positions(batch, 0, x);
    for (int i = 0; i < SOFT_VERTICES; i++)
      x[3 * i + 2] += k == 0 ? 0.3 : 0;
    if (k != 1)
      must(wy_batch_place(batch, 0, 1, x, q, NULL, NULL, &message), &message);
    run_batch(batch, 1, 0.05);
    wy_batch_destroy(batch);
    wy_model_destroy(it.model);
  }
  wy_spline_destroy(spline);
}

/* ---- Saved states ---- */

static void other_saved_states(void **state) {
  (void)state;
  wy_batch *batch = soft_batch(1);
  const size_t size = wy_batch_save_size(batch);
  char *saved = calloc(1, size + 1);
  refuse(wy_batch_save(batch, saved, size - 1, &message), WY_ERROR_INPUT, "bytes");
  refuse(wy_batch_restore(batch, saved, size, &message), WY_ERROR_INPUT, "another");
  must(wy_batch_save(batch, saved, size, &message), &message);
  refuse(wy_batch_restore(batch, saved, size - 1, &message), WY_ERROR_INPUT, "another");
  refuse(wy_batch_restore(batch, saved, 3, &message), WY_ERROR_INPUT, "another");
  wy_batch_def def = fixed_batch(16);
  for (int k = 0; k < 6; k++) { /* nothing of a definition that changes results may differ */
    wy_batch_def wrong = def;
    if (k == 0)
      wrong.substeps = 17;
    if (k == 1)
      wrong.precision = WY_BATCH_MIXED;
    if (k == 2)
      wrong.tolerance = 1;
    if (k == 3)
      wrong.retries = 1;
    if (k == 4)
      wrong.staggered.curvature_measure = WY_SIN4;
    if (k == 5)
      wrong.staggered.segment_inertia = wrong.staggered.segment_inertia == WY_DISC ? WY_CYLINDER : WY_DISC;
    wy_batch *other = batch_of(soft.model, &wrong);
    assert_int_equal(wy_batch_save_size(other), size);
    refuse(wy_batch_restore(other, saved, size, &message), WY_ERROR_INPUT, "another");
    wy_batch_destroy(other);
  }
  batch_scene it;
  set_soft(&it);
  it.rod.drag.rotation = 3;
  make_scene(&it);
  wy_batch *other = batch_of(it.model, &def);
  refuse(wy_batch_restore(other, saved, size, &message), WY_ERROR_INPUT, "another");
  wy_batch_destroy(other);
  wy_model_destroy(it.model);
  must(wy_batch_restore(batch, saved, size, &message), &message);
  free(saved);
  end(batch);
}

/* ---- Size ---- */

/* More rods than can be counted, and a frame of too many substeps; tests/unit/test_batch_memory.c has more rods than
   there is memory. */
static void too_many(void **state) {
  (void)state;
  set_soft(&soft);
  make_scene(&soft);
  wy_batch *batch = NULL;
  wy_batch_def def = wy_default_batch_def();
  def.count = 2147483647;
  refuse(wy_batch_create(soft.model, &def, &batch, &message), WY_ERROR_INPUT, "count");
  assert_true(isnan(wy_batch_memory_estimate(soft.model, &def)));
  def.count = 1, def.substeps = 1 << 17;
  refuse(wy_batch_create(soft.model, &def, &batch, &message), WY_ERROR_INPUT, "substeps");
  def = wy_default_batch_def();
  def.cookie ^= 1;
  refuse(wy_batch_create(soft.model, &def, &batch, &message), WY_ERROR_INPUT, "wy_default_batch_def");
  assert_null(batch);
  wy_model_destroy(soft.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_numbers),
      cmocka_unit_test(numbers_without_effect),
      cmocka_unit_test(numbers_of_undeformed_rods),
      cmocka_unit_test(placed_off_supports),
      cmocka_unit_test(wrong_poses),
      cmocka_unit_test(signals_faster_than_frames),
      cmocka_unit_test(wrong_beginnings),
      cmocka_unit_test(other_saved_states),
      cmocka_unit_test(too_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
