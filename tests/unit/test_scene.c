/* SPDX-License-Identifier: MIT */
/* What the 3D page shows of a run that is too large for it, and values between stored points. What pages hold is tested
   in tests/cli/test_view. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw/scene/run.h"

/* A run without a folder: one rod and one tuft of strands. */
typedef struct bare {
  wy_stored_field along, hair;
  wy_memory memory;
  wy_scene_rod rod;
  wy_scene_strands strands;
  wy_scene_run run;
} bare;

static void set_up(bare *b, int snapshots, int points, int strands) {
  memset(b, 0, sizeof *b);
  b->along = (wy_stored_field){.lines = 1, .points = points, .components = 3};
  b->hair = (wy_stored_field){.lines = strands, .points = 26, .components = 3};
  b->rod.position = b->rod.curvature = b->rod.force = b->rod.moment = b->rod.velocity = &b->along;
  b->strands.position = &b->hair;
  b->run.memory = &b->memory;
  b->run.snapshots = snapshots;
  b->run.rods = &b->rod;
  b->run.rod_count = 1;
  b->run.strands = &b->strands;
  b->run.strands_count = strands > 0;
}

/* What the planned arrays take at least: positions, d1 and five quantities. */
static double planned_bytes(const bare *b) {
  const wy_scene_run *run = &b->run;
  double points = wy_scene_shown(b->along.points, run->point_step);
  double bytes = run->shown * points * ((run->rods_rounded ? 6 : 12) + 6 + 10);
  int strands = run->strands_count ? (b->hair.lines - 1) / run->strand_step + 1 : 0;
  return bytes + (double)run->shown * strands * wy_scene_shown(26, run->point_step) * (run->strands_rounded ? 6 : 12);
}

/* Does a note end so? */
static bool has_note(const bare *b, const char *end) {
  for (int i = 0; i < b->run.note_count; i++) {
    size_t length = strlen(b->run.notes[i]);
    if (length >= strlen(end) && strcmp(b->run.notes[i] + length - strlen(end), end) == 0)
      return true;
  }
  return false;
}

static void every_kth_and_the_last(void **state) {
  (void)state;
  for (int total = 1; total < 40; total++)
    for (int step = 1; step < 45; step++) {
      int count = wy_scene_shown(total, step);
      assert_int_equal(wy_scene_pick(total, step, 0), 0);
      assert_int_equal(wy_scene_pick(total, step, count - 1), total - 1);
      for (int k = 1; k < count; k++) {
        int distance = wy_scene_pick(total, step, k) - wy_scene_pick(total, step, k - 1);
        assert_true(distance == step || (k == count - 1 && distance > 0 && distance < step));
      }
    }
}

static void small_runs_are_whole(void **state) {
  (void)state;
  bare b;
  set_up(&b, 301, 101, 180);
  wy_scene_plan(&b.run, 0, 80e6);
  assert_int_equal(b.run.shown, 301);
  assert_int_equal(b.run.point_step, 1);
  assert_int_equal(b.run.strand_step, 1);
  assert_false(b.run.rods_rounded);
  assert_true(b.run.strands_rounded); /* 16.9 MB in single precision */
  assert_int_equal(b.run.note_count, 1);
  assert_string_equal(b.run.notes[0], "Positions of strands are rounded to 1/65535 of the size of the scene.");
  wy_memory_release(&b.memory);
}

static void snapshots_go_first(void **state) {
  (void)state;
  bare b;
  set_up(&b, 2001, 101, 1000); /* 312 MB of strands */
  wy_scene_plan(&b.run, 0, 80e6);
  assert_int_equal(b.run.snapshot_step, 4);
  assert_int_equal(b.run.shown, 501);
  assert_int_equal(b.run.point_step, 1);
  assert_int_equal(b.run.strand_step, 1);
  check_at_most(planned_bytes(&b), 80e6);
  assert_true(has_note(&b, "Every 4th of 2001 snapshots is shown."));
  wy_memory_release(&b.memory);
}

static void then_points_then_strands_then_snapshots(void **state) {
  (void)state;
  bare b;
  set_up(&b, 1000, 20001, 0);
  wy_scene_plan(&b.run, 0, 80e6);
  assert_int_equal(b.run.shown, 201); /* every 5th; every 6th would leave less than 200 */
  check_above(b.run.point_step, 1);
  assert_int_equal(b.run.strand_step, 1);
  check_at_most(planned_bytes(&b), 80e6);
  wy_memory_release(&b.memory);

  set_up(&b, 1000, 1001, 100000);
  wy_scene_plan(&b.run, 0, 80e6);
  check_above(b.run.point_step, 1);
  check_above(b.run.strand_step, 1);
  check_at_most(planned_bytes(&b), 80e6);
  assert_true(has_note(&b, "strand is shown."));
  wy_memory_release(&b.memory);

  set_up(&b, 1000, 1001, 100000);
  wy_scene_plan(&b.run, 0, 1e5); /* not even 100 strands fit 200 times */
  assert_true(b.run.shown < 200 && b.run.shown >= 2);
  check_at_most(planned_bytes(&b), 1e5);
  wy_memory_release(&b.memory);
}

/* Of a batch no more is shown than a browser draws, however few snapshots there are, and what fits into the page. */
static void batches_are_thinned_out(void **state) {
  (void)state;
  const wy_folder_batch of = {.name = "head", .count = 100000, .recorded_count = 30000};
  const wy_stored_field tips = {.lines = 100000, .points = 1, .components = 3};
  wy_scene_batch batch = {.of = &of, .tip = &tips};
  bare b;
  set_up(&b, 2, 2, 30000);
  batch.velocity = &b.hair;
  b.strands.batch = &batch;
  wy_scene_plan(&b.run, 0, 40e6);
  assert_int_equal(wy_scene_line_step(&b.run, &b.strands), 8); /* 3750 rods */
  assert_int_equal(wy_scene_tip_step(&b.run, &b.strands), 5);
  assert_true(has_note(&b, "3750 of 100000 rods of head are shown, and 20000 of their tips."));
  wy_memory_release(&b.memory);

  set_up(&b, 201, 2, 30000);
  b.strands.batch = &batch;
  wy_scene_plan(&b.run, 0, 40e6);
  const int rods = 1 + (30000 - 1) / wy_scene_line_step(&b.run, &b.strands);
  const int points = 1 + (100000 - 1) / wy_scene_tip_step(&b.run, &b.strands);
  assert_int_equal(b.run.shown, 201);
  assert_true(b.run.strands_rounded);
  check_at_most(201.0 * (8 * 26 * rods + 6 * points), 40e6);
  check_above(201.0 * (8 * 26 * rods + 6 * points), 20e6); /* one step less would be too much */
  wy_memory_release(&b.memory);

  set_up(&b, 2, 2, 200); /* few rods of very many points */
  b.hair.points = 5001;
  b.strands.batch = &batch;
  b.run.rod_count = 0;
  wy_scene_plan(&b.run, 0, 40e6);
  assert_int_equal(wy_scene_line_step(&b.run, &b.strands), 9); /* 200 * 5001 / 120000 = 8.3 */
  wy_memory_release(&b.memory);
}

static void the_user_may_want_fewer_snapshots(void **state) {
  (void)state;
  for (int most = 2; most < 60; most++) {
    bare b;
    set_up(&b, 51, 11, 0);
    wy_scene_plan(&b.run, most, 80e6);
    check_at_most(b.run.shown, most);
    assert_true(b.run.snapshot_step == 1 || wy_scene_shown(51, b.run.snapshot_step - 1) > most);
    wy_memory_release(&b.memory);
  }
}

static void ordinals(void **state) {
  (void)state;
  static const struct {
    int most;
    const char *note;
  } cases[] = {{501, "Every 2nd of 1001 snapshots is shown."},  {335, "Every 3rd of 1001 snapshots is shown."},
               {92, "Every 11th of 1001 snapshots is shown."},  {78, "Every 13th of 1001 snapshots is shown."},
               {49, "Every 21st of 1001 snapshots is shown."},  {47, "Every 22nd of 1001 snapshots is shown."},
               {10, "Every 112th of 1001 snapshots is shown."}, {201, "Every 5th of 1001 snapshots is shown."}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bare b;
    set_up(&b, 1001, 3, 0);
    wy_scene_plan(&b.run, cases[i].most, 80e6);
    assert_int_equal(b.run.note_count, 1);
    assert_string_equal(b.run.notes[0], cases[i].note);
    wy_memory_release(&b.memory);
  }
}

/* A frame that turns evenly about an axis stays on its way between the points, and beyond the ends, whatever the signs
   of the quaternions. */
static void rotations_between_points(void **state) {
  (void)state;
  enum { FROM = 4, TO = 9 };
  const double rate = 1.3, from[FROM] = {0.1, 0.5, 0.6, 0.9}, axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
  double q[4 * FROM], to[TO], d1[3 * TO], d2[3 * TO];
  for (int i = 0; i < FROM; i++) {
    double half = rate * from[i] / 2, sign = i % 2 ? -1 : 1;
    q[4 * i] = sign * cos(half);
    for (int c = 0; c < 3; c++)
      q[4 * i + 1 + c] = sign * sin(half) * axis[c];
  }
  for (int k = 0; k < TO; k++)
    to[k] = k / 8.0;
  wy_memory memory = {0};
  wy_scene_places places = wy_scene_locate(&memory, from, FROM, to, TO);
  wy_scene_directors(q, &places, WY_SCENE_D1, d1);
  wy_scene_directors(q, &places, WY_SCENE_D2, d2);
  for (int k = 0; k < TO; k++) {
    double angle = rate * to[k], x = axis[0], y = axis[1], z = axis[2], c = cos(angle), s = sin(angle);
    const double want1[3] = {c + x * x * (1 - c), y * x * (1 - c) + z * s, z * x * (1 - c) - y * s};
    const double want2[3] = {x * y * (1 - c) - z * s, c + y * y * (1 - c), z * y * (1 - c) + x * s};
    for (int i = 0; i < 3; i++) {
      check_close(d1[3 * k + i], want1[i], 1e-14);
      check_close(d2[3 * k + i], want2[i], 1e-14);
    }
  }
  wy_memory_release(&memory);
}

/* Straight lines stay straight, also with a single point. */
static void values_between_points(void **state) {
  (void)state;
  const double from[3] = {0.25, 0.5, 1}, values[6] = {1.25, -0.5, 1.5, -1, 2, -2}, to[5] = {0, 0.25, 0.5, 0.75, 1.5};
  double out[10];
  wy_memory memory = {0};
  wy_scene_places places = wy_scene_locate(&memory, from, 3, to, 5);
  wy_scene_vectors(values, 2, &places, out);
  for (int k = 0; k < 5; k++) {
    check_close(out[2 * k], 1 + to[k], 1e-15);
    check_close(out[2 * k + 1], -2 * to[k], 1e-15);
  }
  places = wy_scene_locate(&memory, from, 1, to, 5);
  wy_scene_vectors(values, 2, &places, out);
  for (int k = 0; k < 5; k++)
    check_close(out[2 * k], 1.25, 0);
  wy_memory_release(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kth_and_the_last),
      cmocka_unit_test(small_runs_are_whole),
      cmocka_unit_test(snapshots_go_first),
      cmocka_unit_test(then_points_then_strands_then_snapshots),
      cmocka_unit_test(batches_are_thinned_out),
      cmocka_unit_test(the_user_may_want_fewer_snapshots),
      cmocka_unit_test(ordinals),
      cmocka_unit_test(rotations_between_points),
      cmocka_unit_test(values_between_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
