/* SPDX-License-Identifier: MIT */
/* Batches where it is hard: spins of damped rods, rods that fail beside others, other units, frames that change, what
   is mirrored or reversed. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/batches.h"

/* ---- Damped rods that spin ---- */

enum { CURL = 12, CURL_VERTICES = CURL + 1 };

/* A thick curled hair that is free and spins about its long axis as a whole: kinetic energy over that of the start. */
static double spin_left(int substeps, double rate, double damping) {
  wy_message message = {.text = ""};
  batch_scene it;
  set_soft(&it);
  it.rod.segments = CURL, it.rod.length = 0.09;
  it.rod.section.radius = wy_constant(1.3e-4), it.rod.material.young = wy_constant(2.5e9);
  it.rod.damping.time = wy_constant(damping), it.rod.drag = (wy_drag){0, 0};
  it.rod.shape.curvature[1] = wy_constant(5), it.rod.shape.curvature[2] = wy_constant(0);
  it.rod.ends[0] = wy_end_free();
  it.def.load_count = 0, it.def.gravity[2] = 0;
  make_scene(&it);
  const wy_batch_def def = fixed_batch(substeps);
  wy_batch *batch = batch_of(it.model, &def);
  double x[3 * CURL_VERTICES], q[4 * CURL], v[3 * CURL_VERTICES], om[3 * CURL], centre[3] = {0}, axis[3], before = 0;
  batch_positions(batch, 0, x);
  must(wy_batch_frames(batch, 0, 1, q, &message), &message);
  for (int i = 0; i < 3 * CURL_VERTICES; i++)
    centre[i % 3] += x[i] / CURL * (i < 3 || i >= 3 * CURL ? 0.5 : 1);
  for (int k = 0; k < 3; k++)
    axis[k] = x[3 * CURL + k] - x[k];
  const double size = rate / wy_norm3(axis);
  for (int k = 0; k < 3; k++)
    axis[k] *= size;
  for (int i = 0; i < CURL_VERTICES; i++) {
    const double arm[3] = {x[3 * i] - centre[0], x[3 * i + 1] - centre[1], x[3 * i + 2] - centre[2]};
    wy_cross3(axis, arm, v + (size_t)3 * (size_t)i);
  }
  for (int i = 0; i < CURL; i++)
    wy_put3(om + (size_t)3 * (size_t)i,
            wy_apply_transposed(wy_rotation(wy_at4(q + (size_t)4 * (size_t)i)), wy_at3(axis)));
  must(wy_batch_place(batch, 0, 1, x, q, v, om, &message), &message);
  for (int i = 0; i < 3 * CURL_VERTICES; i++)
    before += v[i] * v[i];
  run_batch(batch, 20, 1.0 / 60);
  must(wy_batch_velocities(batch, 0, 1, v, &message), &message);
  double after = 0;
  for (int i = 0; i < 3 * CURL_VERTICES; i++)
    after += v[i] * v[i];
  wy_batch_destroy(batch);
  wy_model_destroy(it.model);
  return after / before;
}

/* Second order, also where damping is large against the substep: the viscous force of the prediction is none that the
   rod feels. */
static void damped_rods_spin(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double damping = k ? 4e-3 : 4e-4, want = spin_left(512, 250, damping);
    const double coarse = fabs(spin_left(64, 250, damping) - want), fine = fabs(spin_left(128, 250, damping) - want);
    print_message("damping %g: %.4f of the energy is left, errors %.1e, %.1e\n", damping, want, coarse, fine);
    check_below(coarse, 0.02 * want); /* 0.07 rad a substep: its square, a few times */
    check_below(fine, 0.3 * coarse);
  }
}

/* ---- One that fails ---- */

/* A root that is torn away by 10^6 m: that rod fails, says when, stays as it was; all others do not notice. Placed
   anew, it goes on. */
static void one_fails_alone(void **state) {
  (void)state;
  enum { RODS = 5, BAD = 2 };
  wy_message message = {.text = ""};
  double x[2][RODS * SOFT_NUMBERS], last[SOFT_NUMBERS], poses[7 * RODS], q[4 * SOFT_SEGMENTS];
  batch_scene it;
  wy_batch_rod rods[RODS];
  set_soft(&it);
  make_scene(&it);
  wy_batch_def def = wy_default_batch_def();
  def.count = RODS, def.substeps = 8, def.integrator = WY_BATCH_BDF2;
  for (int torn = 0; torn < 2; torn++) {
    wy_batch *batch = batch_of(it.model, &def);
    must(wy_batch_get(batch, WY_BATCH_ROOT, poses, &message), &message);
    for (int frame = 0; frame < 6; frame++) {
      poses[7 * BAD] += torn && frame == 3 ? 1e6 : 0;
      if (frame == 3)
        batch_positions(batch, BAD, last);
      must(wy_batch_roots(batch, poses, NULL, &message), &message);
      assert_int_equal(wy_batch_advance(batch, 0.01, &message), torn && frame == 3 ? WY_RETRY : WY_OK);
    }
    must(wy_batch_positions(batch, 0, RODS, x[torn], &message), &message);
    must(wy_batch_status(batch, 0, RODS, rods, &message), &message);
    for (int i = 0; i < RODS; i++) {
      assert_int_equal(rods[i].failed, torn && i == BAD);
      check_close(rods[i].time, torn && i == BAD ? 0.03 : 0.06, 1e-12);
    }
    assert_int_equal(wy_batch_work(batch).failed, torn);
    if (torn) {
      assert_memory_equal(last, x[1] + (size_t)BAD * SOFT_NUMBERS, sizeof last);
      must(wy_batch_frames(batch, BAD, 1, q, &message), &message);
      for (int i = 0; i < SOFT_VERTICES; i++)
        last[3 * i] += 1e6;
      must(wy_batch_place(batch, BAD, 1, last, q, NULL, NULL, &message), &message);
      must(wy_batch_advance(batch, 0.01, &message), &message);
      must(wy_batch_status(batch, BAD, 1, rods, &message), &message);
      assert_false(rods[0].failed);
    }
    wy_batch_destroy(batch);
  }
  memcpy(x[1] + (size_t)BAD * SOFT_NUMBERS, x[0] + (size_t)BAD * SOFT_NUMBERS, SOFT_NUMBERS * sizeof(double));
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  wy_model_destroy(it.model);
}

/* ---- Other units ---- */

/* The same rod in millimetres and milliseconds moves in the same way, but for round-off. */
static void units_do_not_count(void **state) {
  (void)state;
  static const double allowed[] = {[WY_BATCH_DOUBLE] = 1e-9, [WY_BATCH_MIXED] = 1e-6, [WY_BATCH_SINGLE] = 1e-4};
  for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++) {
    double x[2][SOFT_NUMBERS];
    for (int k = 0; k < 2; k++) {
      const double m = k ? 1e3 : 1, s = k ? 1e3 : 1;
      batch_scene it;
      set_soft(&it);
      it.rod.length *= m, it.rod.section.radius.value *= m;
      it.rod.material.young.value /= m * s * s, it.rod.material.density.value /= m * m * m;
      it.rod.damping.time.value *= s;
      it.rod.drag.translation /= s, it.rod.drag.rotation /= s;
      it.rod.shape.curvature[1].value /= m, it.rod.shape.curvature[2].value /= m;
      it.def.gravity[2] *= m / (s * s);
      for (int i = 0; i < 3; i++)
        it.loads[0].force[i].value *= m / (s * s), it.loads[0].moment[i].value *= m * m / (s * s);
      make_scene(&it);
      wy_batch_def def = fixed_batch(64);
      def.precision = (wy_batch_precision)precision;
      wy_batch *batch = batch_of(it.model, &def);
      run_batch(batch, 10, 0.02 * s);
      batch_positions(batch, 0, x[k]);
      for (int i = 0; i < SOFT_NUMBERS; i++)
        x[k][i] /= m;
      wy_batch_destroy(batch);
      wy_model_destroy(it.model);
    }
    check_below(batch_distance(x[0], x[1], SOFT_NUMBERS), allowed[precision]);
  }
}

/* ---- Frames ---- */

static void go(batch_scene *it, int substeps, const double *frames, int count, double *x) {
  wy_batch_def def = fixed_batch(substeps);
  wy_batch *batch = batch_of(it->model, &def);
  for (int i = 0; i < count; i++)
    run_batch(batch, 1, frames[i]);
  batch_positions(batch, 0, x);
  wy_batch_destroy(batch);
}

/* Frames that change from one to the next, of ratios up to 10, and up to 10^6 where a history ends: still of second
   order. Many frames of one substep are one frame of many. */
static void frames_change(void **state) {
  (void)state;
  enum { COUNT = 12, MANY = 64 };
  static const double frames[2][COUNT] = {{1e-2, 2e-3, 2e-2, 1e-2, 3e-3, 1.5e-2, 1e-2, 1e-2, 1e-3, 9e-3, 1e-2, 5e-3},
                                          {1e-2, 1e-8, 1e-2, 1e-2, 1e-7, 1e-2, 1e-2, 1e-2, 1e-8, 1e-2, 1e-2, 1e-2}};
  const wy_staggered_options options = wy_default_solver_def().staggered;
  batch_scene it;
  double want[SOFT_NUMBERS], x[2][SOFT_NUMBERS], short_frames[MANY];
  set_soft(&it);
  make_scene(&it);
  for (int row = 0; row < 2; row++) {
    double end = 0;
    for (int i = 0; i < COUNT; i++)
      end += frames[row][i];
    lone_positions(it.model, &options, end, want);
    for (int k = 0; k < 2; k++)
      go(&it, k ? 128 : 64, frames[row], COUNT, x[k]);
    const double coarse = batch_distance(x[0], want, SOFT_NUMBERS), fine = batch_distance(x[1], want, SOFT_NUMBERS);
    print_message("frames %d: error %.1e, order %.2f\n", row, fine, log2(coarse / fine));
    check_below(fine, 1e-6);
    check_above(log2(coarse / fine), 1.8);
  }
  const double one = 1.0 / 64;
  for (int i = 0; i < MANY; i++)
    short_frames[i] = one / MANY;
  go(&it, MANY, &one, 1, x[0]);
  go(&it, 1, short_frames, MANY, x[1]);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  wy_model_destroy(it.model);
}

/* ---- Mirrored and reversed ---- */

/* The image of a rod in the plane of x = 0: vectors are mirrored, curvatures and moments turn the other way. */
static void mirror(batch_scene *it) {
  it->rod.shape.direction[0] *= -1, it->rod.shape.d1[0] *= -1;
  it->rod.shape.curvature[0].value *= -1, it->rod.shape.curvature[2].value *= -1;
  it->def.gravity[0] *= -1;
  it->loads[0].force[0].value *= -1;
  it->loads[0].moment[1].value *= -1, it->loads[0].moment[2].value *= -1;
}

static void mirrored_rods_are_the_same(void **state) {
  (void)state;
  double x[2][SOFT_NUMBERS];
  const double frames[] = {0.02, 0.02, 0.02, 0.02, 0.02};
  for (int k = 0; k < 2; k++) {
    batch_scene it;
    set_soft(&it);
    it.rod.shape.direction[0] = 0.6, it.rod.shape.direction[1] = 0.8, it.rod.shape.direction[2] = 0;
    it.rod.shape.d1[0] = 0.8, it.rod.shape.d1[1] = -0.6, it.rod.shape.d1[2] = 0;
    it.rod.shape.curvature[0] = wy_constant(0.7);
    it.def.gravity[0] = 3;
    it.loads[0].force[0] = wy_constant(1e-3), it.loads[0].moment[1] = wy_constant(3e-5);
    if (k)
      mirror(&it);
    make_scene(&it);
    go(&it, 64, frames, 5, x[k]);
    for (int i = 0; k && i < SOFT_NUMBERS; i += 3)
      x[k][i] *= -1;
    wy_model_destroy(it.model);
  }
  check_below(batch_distance(x[0], x[1], SOFT_NUMBERS), 1e-11);
}

/* A rod that is described from its other end: elimination begins there, so that the errors of substeps differ. */
static void reversed_rods_are_the_same(void **state) {
  (void)state;
  double x[2][SOFT_NUMBERS], back[SOFT_NUMBERS], origin[3], q[4], r[9];
  const double frames[] = {0.02, 0.02, 0.02, 0.02, 0.02};
  for (int k = 0; k < 2; k++) {
    batch_scene it;
    set_soft(&it);
    make_scene(&it);
    wy_model_reference(it.model, 0, it.rod.length, origin, q);
    if (k) {
      wy_model_destroy(it.model);
      wy_qmatrix(q, r);
      memcpy(it.rod.shape.origin, origin, sizeof origin);
      for (int i = 0; i < 3; i++)
        it.rod.shape.direction[i] = -r[3 * i + 2], it.rod.shape.d1[i] = r[3 * i];
      /* d2 and d3 point the other way, and so does s: of the rate of turn the first component alone changes */
      it.rod.shape.curvature[0].value *= -1;
      it.rod.ends[0] = wy_end_free(), it.rod.ends[1] = wy_end_clamped();
      it.loads[0].place = WY_AT_START;
      make_scene(&it);
    }
    go(&it, 256, frames, 5, x[k]);
    wy_model_destroy(it.model);
  }
  for (int i = 0; i < SOFT_VERTICES; i++)
    memcpy(back + (size_t)3 * (size_t)i, x[1] + (size_t)3 * (size_t)(SOFT_VERTICES - 1 - i), 3 * sizeof *back);
  /* the end of the undeformed rod is that of the curve, not of its polygon: a shift of all, which does not count */
  for (int i = SOFT_NUMBERS - 1; i >= 0; i--)
    back[i] += x[0][i % 3] - back[i % 3];
  check_below(batch_distance(x[0], back, SOFT_NUMBERS), 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damped_rods_spin),           cmocka_unit_test(one_fails_alone),
      cmocka_unit_test(units_do_not_count),         cmocka_unit_test(frames_change),
      cmocka_unit_test(mirrored_rods_are_the_same), cmocka_unit_test(reversed_rods_are_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
