/* SPDX-License-Identifier: MIT */
/* Batches that leap: energy, frames, lanes, precision, saved states, what is chosen, and rods that no substeps carry.
   test_batch_order.c has their order. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/batches.h"

enum { N = SOFT_SEGMENTS, VERTICES = SOFT_VERTICES, RODS = 37 };
static const double frame_time = 1.0 / 60;

static void set(batch_scene *it) {
  set_soft(it);
  it->rod.damping.time = wy_constant(1e-5);
}

static wy_batch_def leaping(int count) {
  wy_batch_def def = wy_default_batch_def();
  def.count = count, def.integrator = WY_BATCH_EXPLICIT;
  return def;
}

/* ---- Energy ---- */

/* Kinetic and elastic, of a rod that is straight by nature. */
static double energy_of(const wy_model *model, wy_batch *batch) {
  wy_message message = {.text = ""};
  const wy_section_values section = wy_model_section(model, 0, 0);
  double v[3 * VERTICES], om[3 * N], strain[3 * N], curvature[3 * VERTICES], energy = 0;
  must(wy_batch_velocities(batch, 0, 1, v, &message), &message);
  must(wy_batch_spins(batch, 0, 1, om, &message), &message);
  must(wy_batch_sections(batch, 0, 1, strain, NULL, curvature, NULL, &message), &message);
  const double h = wy_model_rod(model, 0)->length / N;
  for (int i = 0; i < 3 * VERTICES; i++) {
    energy += 0.5 * (i < 3 || i >= 3 * N ? 0.5 : 1) * section.mass * h * v[i] * v[i];
    energy += 0.5 * h * section.stiffness[3 + i % 3] * curvature[i] * curvature[i];
  }
  for (int i = 0; i < 3 * N; i++) {
    energy += 0.5 * h * section.rotary[i % 3] * om[i] * om[i];
    energy += 0.5 * h * section.stiffness[i % 3] * strain[i] * strain[i];
  }
  return energy;
}

static void waving(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *size = context;
  (void)wrt, (void)t;
  jet[0] = *size * cos(4.73 * (s - 0.5)), jet[1] = -*size * 4.73 * sin(4.73 * (s - 0.5)), jet[2] = 0;
}

/* Leapfrog keeps an energy that differs from that of the rod by a multiple of the substep's square, so that for 2000
   frames the latter swings by as much as it did at first, and half the substep lets it swing a quarter. The bending rod
   is slow against its fastest vibration, and what it does not excite does not take part. */
static void energy_swings_and_stays(void **state) {
  (void)state;
  static const double size = 0.1;
  enum { FRAMES = 2000, PART = 200 };
  double swing[2][2] = {{0}};
  batch_scene it;
  set(&it);
  it.rod.ends[0] = wy_end_free();
  it.rod.damping.kind = WY_UNDAMPED, it.rod.drag = (wy_drag){0, 0};
  it.rod.shape.curvature[1] = it.rod.shape.curvature[2] = wy_constant(0);
  it.def.load_count = 0;
  it.def.gravity[2] = 0;
  it.rod.initial.velocity[1] = (wy_signal){0, waving, &size, WY_ARC};
  it.rod.initial.angular_velocity[2] = wy_constant(1);
  make_scene(&it);
  for (int k = 0; k < 2; k++) {
    wy_batch_def def = leaping(1);
    def.substeps = 256 << k;
    wy_batch *batch = batch_of(it.model, &def);
    const double before = energy_of(it.model, batch);
    for (int i = 0; i < FRAMES; i++) {
      run_batch(batch, 1, frame_time);
      const int part = i < PART ? 0 : i >= FRAMES - PART ? 1 : -1;
      if (part >= 0)
        swing[k][part] = fmax(swing[k][part], fabs(energy_of(it.model, batch) / before - 1));
    }
    wy_batch_destroy(batch);
    print_message("%d substeps: %.3e of the energy at first, %.3e at last\n", def.substeps, swing[k][0], swing[k][1]);
    check_below(swing[k][1], 1.1 * swing[k][0]);
  }
  check_close(swing[0][0] / swing[1][0], 4, 0.1);
  wy_model_destroy(it.model);
}

/* ---- What it promises about itself ---- */

static void vary(wy_batch *batch, int count, int first) {
  wy_message message = {.text = ""};
  double *curvature = doubles(3 * count), *young = doubles(count);
  for (int i = 0; i < count; i++) {
    unsigned seed = (unsigned)(i + first + 1);
    curvature[3 * i] = 2 * noise(&seed), curvature[3 * i + 1] = 2 * noise(&seed);
    young[i] = 5e6 * (1 + 0.2 * noise(&seed));
  }
  young[0] = 5e6, young[count - 1] = first ? young[count - 1] : 6.5e6; /* the fastest one sets the substeps */
  must(wy_batch_set(batch, WY_BATCH_CURVATURE, curvature, &message), &message);
  must(wy_batch_set(batch, WY_BATCH_YOUNG, young, &message), &message);
  free(curvature), free(young);
}

enum { ALL = RODS * SOFT_NUMBERS };

static void swing(const wy_model *model, const wy_batch_def *def, double *x) {
  wy_message message = {.text = ""};
  wy_batch *batch = batch_of(model, def);
  vary(batch, RODS, 0);
  run_batch(batch, 10, frame_time);
  must(wy_batch_positions(batch, 0, RODS, x, &message), &message);
  wy_batch_destroy(batch);
}

/* Any number of lanes: the same bits where the compiler contracts nothing, else the same to round-off. Lower precision:
   its own round-off, carried through some 2000 substeps. */
static void lanes_and_precisions_agree(void **state) {
  (void)state;
#if defined(WY_STRICT_FP)
  const double allowed[] = {0, 0, 0};
#else
  const double allowed[] = {1e-11, 1e-11, 1e-4};
#endif
  batch_scene it;
  set(&it);
  make_scene(&it);
  double *want = doubles(ALL), *exact = doubles(ALL), *got = doubles(ALL);
  for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++) {
    wy_batch_def def = leaping(RODS);
    def.lanes = 1, def.precision = (wy_batch_precision)precision;
    swing(it.model, &def, want);
    if (precision == WY_BATCH_DOUBLE)
      memcpy(exact, want, ALL * sizeof *exact);
    check_at_most(batch_distance(want, exact, ALL), precision == WY_BATCH_SINGLE ? 1e-4 : 0);
    for (def.lanes = 4; def.lanes <= 16; def.lanes *= 2) {
      wy_batch *batch = NULL;
      if (wy_batch_create(it.model, &def, &batch, NULL))
        continue; /* not on this processor, or not in this precision */
      wy_batch_destroy(batch);
      swing(it.model, &def, got);
      check_at_most(batch_distance(got, want, ALL), allowed[precision]);
    }
  }
  free(want), free(exact), free(got);
  wy_model_destroy(it.model);
}

/* Frames stay unit quaternions to round-off. */
static void frames_stay_units(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  static const double epsilon[] = {2.3e-16, 2.3e-16, 1.2e-7};
  batch_scene it;
  set(&it);
  make_scene(&it);
  for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++) {
    double q[4 * N];
    wy_batch_def def = leaping(1);
    def.precision = (wy_batch_precision)precision;
    wy_batch *batch = batch_of(it.model, &def);
    run_batch(batch, 100, frame_time);
    must(wy_batch_frames(batch, 0, 1, q, &message), &message);
    for (int i = 0; i < N; i++)
      check_close(q[4 * i] * q[4 * i] + q[4 * i + 1] * q[4 * i + 1] + q[4 * i + 2] * q[4 * i + 2] +
                      q[4 * i + 3] * q[4 * i + 3],
                  1, 4 * epsilon[precision]);
    wy_batch_destroy(batch);
  }
  wy_model_destroy(it.model);
}

/* Saved, restored and gone on: the same bits and the same work. Frames of different lengths, and so of different
   substeps. */
static void restored(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  set(&it);
  make_scene(&it);
  const wy_batch_def def = leaping(RODS);
  wy_batch *batch = batch_of(it.model, &def), *other = batch_of(it.model, &def);
  double *x = doubles(ALL), *y = doubles(ALL);
  vary(batch, RODS, 0);
  run_batch(batch, 3, frame_time);
  const size_t size = wy_batch_save_size(batch);
  void *saved = malloc(size);
  must(wy_batch_save(batch, saved, size, &message), &message);
  must(wy_batch_restore(other, saved, size, &message), &message);
  for (int k = 0; k < 2; k++) {
    wy_batch *one = k ? other : batch;
    run_batch(one, 2, 0.7 * frame_time);
    run_batch(one, 2, frame_time);
    must(wy_batch_positions(one, 0, RODS, k ? y : x, &message), &message);
  }
  assert_memory_equal(x, y, ALL * sizeof *x);
  check_close(wy_batch_work(other).solves, wy_batch_work(batch).solves, 0);
  free(saved), free(x), free(y);
  wy_batch_destroy(batch), wy_batch_destroy(other);
  wy_model_destroy(it.model);
}

/* ---- What is chosen ---- */

static void the_cheaper_one_is_chosen(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  set(&it);
  it.rod.damping.kind = WY_UNDAMPED;
  it.rod.material.young = wy_constant(2e4);
  make_scene(&it);
  wy_batch_def def = wy_default_batch_def();
  wy_batch *batch = batch_of(it.model, &def);
  assert_int_equal(wy_batch_describe(batch).integrator, WY_BATCH_AUTO);
  run_batch(batch, 1, frame_time);
  assert_int_equal(wy_batch_describe(batch).integrator, WY_BATCH_EXPLICIT);
  assert_non_null(strstr(wy_batch_describe(batch).choice, "leapfrog"));
  wy_batch_destroy(batch);
  const double stiff = 5e9;
  batch = batch_of(it.model, &def);
  must(wy_batch_set(batch, WY_BATCH_YOUNG, &stiff, &message), &message);
  run_batch(batch, 1, frame_time);
  assert_int_equal(wy_batch_describe(batch).integrator, WY_BATCH_BDF2);
  wy_batch_destroy(batch);
  /* what is asked for is done, or refused before anything moves */
  def.integrator = WY_BATCH_EXPLICIT;
  batch = batch_of(it.model, &def);
  must(wy_batch_set(batch, WY_BATCH_YOUNG, &stiff, &message), &message);
  assert_int_equal(wy_batch_advance(batch, frame_time, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "bdf2"));
  check_close(wy_batch_time(batch), 0, 0);
  run_batch(batch, 1, 0.01 * frame_time);
  assert_int_equal(wy_batch_describe(batch).integrator, WY_BATCH_EXPLICIT);
  wy_batch_destroy(batch);
  wy_model_destroy(it.model);
}

/* ---- What fails ---- */

/* A spin whose square is no number, in one segment of a long rod: what comes of it spreads by one segment a substep, so
   that most of the rod is finite at the end of the frame. It fails, stays as it was, and the others go on. */
static void what_is_not_finite_is_found(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  enum { SOME = 3, LONG = 200 };
  batch_scene it;
  set(&it);
  it.rod.segments = LONG;
  it.rod.damping.kind = WY_UNDAMPED;
  it.rod.material.young = wy_constant(1e3);
  make_scene(&it);
  for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++) {
    wy_batch_def def = leaping(SOME);
    def.precision = (wy_batch_precision)precision;
    wy_batch *batch = batch_of(it.model, &def);
    double *x = doubles(SOME * 3 * (LONG + 1)), *y = doubles(SOME * 3 * (LONG + 1)), *q = doubles(SOME * 4 * LONG);
    double *spins = doubles(SOME * 3 * LONG);
    must(wy_batch_positions(batch, 0, SOME, x, &message), &message);
    must(wy_batch_frames(batch, 0, SOME, q, &message), &message);
    spins[3 * LONG + 3 * (LONG / 2)] = precision == WY_BATCH_SINGLE ? 1e25 : 1e200;
    must(wy_batch_place(batch, 0, SOME, x, q, NULL, spins, &message), &message);
    assert_int_equal(wy_batch_advance(batch, 0.1 * frame_time, &message), WY_RETRY);
    wy_batch_rod rods[SOME];
    must(wy_batch_status(batch, 0, SOME, rods, &message), &message);
    must(wy_batch_positions(batch, 0, SOME, y, &message), &message);
    for (int i = 0; i < SOME; i++)
      assert_int_equal(rods[i].failed, i == 1);
    check_below(batch_distance(x + 3 * (LONG + 1), y + 3 * (LONG + 1), 3 * (LONG + 1)),
                precision == WY_BATCH_SINGLE ? 1e-4 : 1e-12); /* round-off of the sum of edges */
    for (int i = 0; i < SOME * 3 * (LONG + 1); i++)
      assert_true(isfinite(y[i]));
    free(x), free(y), free(q), free(spins);
    wy_batch_destroy(batch);
  }
  wy_model_destroy(it.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_swings_and_stays),   cmocka_unit_test(lanes_and_precisions_agree),
      cmocka_unit_test(frames_stay_units),         cmocka_unit_test(restored),
      cmocka_unit_test(the_cheaper_one_is_chosen), cmocka_unit_test(what_is_not_finite_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
