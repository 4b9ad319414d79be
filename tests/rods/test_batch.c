/* SPDX-License-Identifier: MIT */
/* What a batch promises about itself: sections, precision, lanes, tiles, retries, saved states, energy.
   test_batch_order.c compares its rods with simulations of their own. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/batches.h"

enum { N = SOFT_SEGMENTS, VERTICES = SOFT_VERTICES, FRAMES = 5 };
static const double frame_time = 0.02;

/* Strains and section forces are those of the view. */
static void sections(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  set_soft(&it);
  it.rod.ends[1] = wy_end_clamped();
  make_scene(&it);
  wy_batch_def def = fixed_batch(128);
  wy_batch *batch = batch_of(it.model, &def);
  run_batch(batch, FRAMES, frame_time);
  double strain[3 * N], force[3 * N], curvature[3 * VERTICES], moment[3 * VERTICES];
  must(wy_batch_sections(batch, 0, 1, strain, force, curvature, moment, &message), &message);
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = "radau5", solver.relative_tolerance = solver.absolute_tolerance = 1e-9;
  const double gravity[3] = {0, 0, -9.81};
  test_sim made = make_sim(&it.rod, it.loads, 1, &solver, gravity);
  must(wy_sim_advance(made.sim, FRAMES * frame_time, &message), &message);
  const wy_view *view = wy_sim_view(made.sim, 0);
  /* the motion differs by the error of the substeps, and forces are stiffness times that */
  const double stiffness = 5e6 * 3.1416 * 25e-6, bending = 5e6 * 0.7854 * 6.25e-10;
  check_below(batch_distance(strain, view->strain.values, 3 * N), 1e-6);
  check_below(batch_distance(force, view->force.values, 3 * N), 1e-6 * stiffness);
  check_below(batch_distance(curvature, view->curvature.values, 3 * VERTICES), 1e-4);
  check_below(batch_distance(moment, view->moment.values, 3 * VERTICES), 1e-4 * bending);
  free_sim(&made);
  wy_batch_destroy(batch);
  wy_model_destroy(it.model);
}

/* ---- What it promises about itself ---- */

/* Different strands of hair, curled, whose roots are shaken; `state`: where they are in the end. */
enum { STRANDS = 37, HAIR_SEGMENTS = 12 };

static void hair(batch_scene *it) {
  set_soft(it);
  it->rod.length = 0.12, it->rod.segments = HAIR_SEGMENTS;
  it->rod.section.radius = wy_constant(35e-6);
  it->rod.material.young = wy_constant(4e9), it->rod.material.density = wy_constant(1300);
  it->rod.material.poisson = wy_constant(0.48);
  it->rod.damping.time = wy_constant(1e-4);
  it->rod.drag = (wy_drag){5, 0};
  it->rod.shape.curvature[2] = wy_constant(0);
  for (int k = 0; k < 3; k++)
    it->loads[0].force[k] = it->loads[0].moment[k] = wy_constant(0);
  make_scene(it);
}

static void curl(wy_batch *batch, int count, int first, double most) {
  wy_message message = {.text = ""};
  double *curvature = doubles(3 * count);
  for (int i = 0; i < count; i++) {
    unsigned seed = (unsigned)(i + first + 1);
    curvature[3 * i + 1] = most * (0.5 + 0.5 * noise(&seed)), curvature[3 * i] = 0.3 * most * noise(&seed);
  }
  must(wy_batch_set(batch, WY_BATCH_CURVATURE, curvature, &message), &message);
  free(curvature);
}

static void shake(wy_batch *batch, int count, int frame) {
  wy_message message = {.text = ""};
  double *poses = doubles(7 * count), *rates = doubles(6 * count), *root = doubles(7 * count);
  must(wy_batch_get(batch, WY_BATCH_ROOT, root, &message), &message);
  const double t = (frame + 1) / 60.0, w = 20;
  for (int i = 0; i < count; i++) {
    memcpy(poses + 7 * i, root + 7 * i, 7 * sizeof *poses);
    poses[7 * i + 1] += 0.02 * (1 - cos(w * t)), rates[6 * i + 1] = 0.02 * w * sin(w * t);
  }
  must(wy_batch_roots(batch, poses, rates, &message), &message);
  free(poses), free(rates), free(root);
}

static void shake_and_run(wy_batch *batch, int count, int from, int to) {
  wy_message message = {.text = ""};
  for (int frame = from; frame < to; frame++) {
    shake(batch, count, frame);
    must(wy_batch_advance(batch, 1.0 / 60, &message), &message);
  }
}

enum { HAIR_NUMBERS = 3 * (HAIR_SEGMENTS + 1) };

static void shaken_hair(const wy_model *model, const wy_batch_def *def, int first, int frames, double *x) {
  wy_message message = {.text = ""};
  wy_batch *batch = batch_of(model, def);
  curl(batch, def->count, first, 15);
  shake_and_run(batch, def->count, 0, frames);
  must(wy_batch_positions(batch, 0, def->count, x, &message), &message);
  wy_batch_destroy(batch);
}

/* The tasks of a run one by one, the last one first. */
static void backwards(void *pool, int count, void (*task)(void *context, int index), void *context) {
  (void)pool;
  while (count > 0)
    task(context, --count);
}

static void one_rod_is_a_row_of_many(void **state) {
  (void)state;
  batch_scene it;
  hair(&it);
  wy_batch_def def = fixed_batch(12);
  def.count = STRANDS;
  double *all = doubles(STRANDS * HAIR_NUMBERS), *again = doubles(STRANDS * HAIR_NUMBERS), one[HAIR_NUMBERS];
  shaken_hair(it.model, &def, 0, 20, all);
  def.tasks.run = backwards;
  shaken_hair(it.model, &def, 0, 20, again);
  assert_memory_equal(all, again, STRANDS * HAIR_NUMBERS * sizeof *all);
  def = fixed_batch(12);
  for (int i = 0; i < STRANDS; i += 9) {
    shaken_hair(it.model, &def, i, 20, one);
    assert_memory_equal(one, all + (size_t)i * HAIR_NUMBERS, sizeof one);
  }
  free(all), free(again);
  wy_model_destroy(it.model);
}

/* Any number of lanes: the same bits where the compiler contracts nothing, else the same to round-off, which 240 steps
   of stiff hair carry on. */
static void lanes_agree(void **state) {
  (void)state;
#if defined(WY_STRICT_FP)
  const double allowed = 0;
#else
  const double allowed = 1e-7;
#endif
  batch_scene it;
  hair(&it);
  double *want = doubles(STRANDS * HAIR_NUMBERS), *got = doubles(STRANDS * HAIR_NUMBERS);
  for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++) {
    wy_batch_def def = fixed_batch(12);
    def.count = STRANDS, def.lanes = 1, def.precision = (wy_batch_precision)precision;
    shaken_hair(it.model, &def, 0, 20, want);
    for (def.lanes = 4; def.lanes <= 16; def.lanes *= 2) {
      wy_batch *batch = NULL;
      if (wy_batch_create(it.model, &def, &batch, NULL))
        continue; /* not on this processor, or not in this precision */
      wy_batch_destroy(batch);
      shaken_hair(it.model, &def, 0, 20, got);
      check_at_most(batch_distance(got, want, STRANDS * HAIR_NUMBERS),
                    precision == WY_BATCH_DOUBLE ? allowed : 1e4 * allowed);
    }
  }
  free(want), free(got);
  wy_model_destroy(it.model);
}

/* A batch that is saved and goes on, and one that is restored and goes on: the same bits, and the same work. */
static void restored(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  hair(&it);
  wy_batch_def def = wy_default_batch_def();
  def.count = STRANDS;
  double *first = doubles(STRANDS * HAIR_NUMBERS), *second = doubles(STRANDS * HAIR_NUMBERS);
  wy_batch *batch = batch_of(it.model, &def), *other = batch_of(it.model, &def);
  curl(batch, STRANDS, 0, 15);
  shake_and_run(batch, STRANDS, 0, 5);
  const size_t size = wy_batch_save_size(batch);
  void *saved = malloc(size);
  must(wy_batch_save(batch, saved, size, &message), &message);
  shake_and_run(batch, STRANDS, 5, 10);
  must(wy_batch_positions(batch, 0, STRANDS, first, &message), &message);
  must(wy_batch_restore(other, saved, size, &message), &message);
  shake_and_run(other, STRANDS, 5, 10);
  must(wy_batch_positions(other, 0, STRANDS, second, &message), &message);
  assert_memory_equal(first, second, STRANDS * HAIR_NUMBERS * sizeof *first);
  check_close(wy_batch_work(other).solves, wy_batch_work(batch).solves, 0);
  def.count = STRANDS + 1;
  wy_batch *wrong = batch_of(it.model, &def);
  assert_int_equal(wy_batch_restore(wrong, saved, size, &message), WY_ERROR_INPUT);
  wy_batch_destroy(wrong), wy_batch_destroy(batch), wy_batch_destroy(other);
  free(saved), free(first), free(second);
  wy_model_destroy(it.model);
}

/* Curls that four substeps a frame do not always carry, with retries: every rod goes on, none becomes NaN, and the list
   of those that are moved again empties. */
static void retries_carry_curls(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  hair(&it);
  wy_batch_def def = wy_default_batch_def();
  enum { MANY = 200 };
  def.count = MANY, def.substeps = 4;
  double *x = doubles(MANY * HAIR_NUMBERS);
  for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++) {
    def.precision = (wy_batch_precision)precision;
    wy_batch *batch = batch_of(it.model, &def);
    curl(batch, MANY, 0, 25);
    shake_and_run(batch, MANY, 0, 60);
    must(wy_batch_positions(batch, 0, MANY, x, &message), &message);
    for (int i = 0; i < MANY * HAIR_NUMBERS; i++)
      assert_true(isfinite(x[i]));
    const wy_batch_statistics work = wy_batch_work(batch);
    print_message("precision %d: %.0f of %d frames moved again\n", precision, work.refined, 60 * MANY);
    assert_int_equal(work.failed, 0);
    check_above(work.refined, 0);
    check_below(work.refined, 30 * MANY);
    wy_batch_destroy(batch);
  }
  free(x);
  wy_model_destroy(it.model);
}

/* A tolerance that no number of substeps meets: the rods fail, stay as they were, and the run says so. */
static void failures_are_told(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  hair(&it);
  wy_batch_def def = wy_default_batch_def();
  def.count = 3, def.substeps = 2, def.retries = 2, def.tolerance = 1e-15;
  wy_batch *batch = batch_of(it.model, &def);
  double before[3 * HAIR_NUMBERS], after[3 * HAIR_NUMBERS];
  must(wy_batch_positions(batch, 0, 3, before, &message), &message);
  assert_int_equal(wy_batch_advance(batch, 1.0 / 60, &message), WY_RETRY);
  must(wy_batch_positions(batch, 0, 3, after, &message), &message);
  assert_memory_equal(before, after, sizeof before);
  wy_batch_rod rods[3];
  must(wy_batch_status(batch, 0, 3, rods, &message), &message);
  for (int i = 0; i < 3; i++) {
    assert_true(rods[i].failed);
    assert_int_equal(rods[i].refined, 2);
    check_close(rods[i].time, 0, 0);
    check_above(rods[i].estimate, def.tolerance);
  }
  assert_int_equal(wy_batch_work(batch).failed, 3);
  wy_batch_destroy(batch);
  wy_model_destroy(it.model);
}

/* A strand that falls from the horizontal for a second: how far lower precision leads the tip away from double, with
   the same substeps. The bounds are those of the design; the first figure is for 8 substeps a frame, the second for 16.
 */
static void lower_precision_is_close(void **state) {
  (void)state;
  static const double bounds[][2] = {[WY_BATCH_MIXED] = {3.2e-5, 3.5e-6}, [WY_BATCH_SINGLE] = {3.5e-4, 4.9e-5}};
  batch_scene it;
  hair(&it);
  wy_model_destroy(it.model);
  it.rod.length = 0.25, it.rod.segments = 25, it.rod.shape.curvature[1] = wy_constant(0);
  make_scene(&it);
  for (int k = 0; k < 2; k++) {
    double tips[3][3 * 26];
    for (int precision = WY_BATCH_DOUBLE; precision <= WY_BATCH_SINGLE; precision++) {
      wy_batch_def def = fixed_batch(k ? 16 : 8);
      def.precision = (wy_batch_precision)precision;
      wy_batch *batch = batch_of(it.model, &def);
      run_batch(batch, 60, 1.0 / 60);
      batch_positions(batch, 0, tips[precision]);
      wy_batch_destroy(batch);
      if (precision == WY_BATCH_DOUBLE)
        continue;
      const double error = batch_distance(tips[precision] + 75, tips[0] + 75, 3) / it.rod.length;
      print_message("precision %d, %d substeps: %.1e\n", precision, def.substeps, error);
      check_below(error, bounds[precision][k]);
    }
  }
  wy_model_destroy(it.model);
}

/* Kinetic energy: of vertices, and of segments about their middles. */
static double kinetic_energy(const wy_model *model, wy_batch *batch) {
  wy_message message = {.text = ""};
  const wy_section_values section = wy_model_section(model, 0, 0);
  double v[3 * VERTICES], om[3 * N], energy = 0;
  must(wy_batch_velocities(batch, 0, 1, v, &message), &message);
  must(wy_batch_spins(batch, 0, 1, om, &message), &message);
  const double h = wy_model_rod(model, 0)->length / N;
  for (int i = 0; i < 3 * VERTICES; i++)
    energy += 0.5 * (i < 3 || i >= 3 * N ? 0.5 : 1) * section.mass * h * v[i] * v[i];
  for (int i = 0; i < 3 * N; i++)
    energy += 0.5 * h * section.rotary[i % 3] * om[i] * om[i];
  return energy;
}

static void spinning(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *rate = context;
  (void)wrt, (void)t;
  jet[0] = *rate * (s - 0.5), jet[1] = jet[2] = 0;
}

/* A free rod without damping that spins end over end for 1000 frames. The difference formula multiplies what turns by x
   = w h in a step by delta/h, delta = i x + i x^3/3 + x^4/4 + ...; to a place that goes round it gives the acceleration
   delta^2/h^2 times the place, with the part x^5/(2 h^2) along its path, for which there is no force. So x falls by
   x^5/2 a step, and of the energy is lost x^4: half the substep loses an eighth of it in the same time. The frames
   before are for what vibrates at the start: the rod is not yet stretched as it spins. */
static void a_spinning_rod_keeps_its_energy(void **state) {
  (void)state;
  static const double rate = 10;
  double lost[3];
  batch_scene it;
  set_soft(&it);
  it.rod.ends[0] = wy_end_free();
  it.rod.damping.kind = WY_UNDAMPED, it.rod.drag = (wy_drag){0, 0};
  it.rod.shape.curvature[1] = it.rod.shape.curvature[2] = wy_constant(0);
  for (int k = 0; k < 3; k++)
    it.loads[0].force[k] = it.loads[0].moment[k] = wy_constant(0);
  it.def.gravity[2] = 0;
  it.rod.material.young = wy_constant(5e10); /* so that it does not stretch, which would take from the rotation */
  it.rod.shape.direction[0] = 0, it.rod.shape.direction[1] = 1; /* along e2, d1 = e1: it turns about d1 */
  it.rod.shape.d1[0] = 1;
  it.rod.initial.velocity[2] = (wy_signal){0, spinning, &rate, WY_ARC};
  it.rod.initial.angular_velocity[0] = wy_constant(rate);
  make_scene(&it);
  for (int k = 0; k < 3; k++) {
    wy_batch_def def = fixed_batch(8 << k);
    wy_batch *batch = batch_of(it.model, &def);
    run_batch(batch, 20, 1.0 / 60);
    const double before = kinetic_energy(it.model, batch);
    run_batch(batch, 1000, 1.0 / 60);
    lost[k] = 1 - kinetic_energy(it.model, batch) / before;
    wy_batch_destroy(batch);
  }
  const double x = rate / 480, limit = 8000 * x * x * x * x;
  print_message("lost %.4e, %.4e, %.4e of the energy; predicted %.4e, ...\n", lost[0], lost[1], lost[2], limit);
  for (int k = 0; k < 3; k++)
    check_close(lost[k], limit / (1 << 3 * k), 0.01 * limit / (1 << 3 * k));
  wy_model_destroy(it.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections),
      cmocka_unit_test(one_rod_is_a_row_of_many),
      cmocka_unit_test(lanes_agree),
      cmocka_unit_test(restored),
      cmocka_unit_test(retries_carry_curls),
      cmocka_unit_test(failures_are_told),
      cmocka_unit_test(lower_precision_is_close),
      cmocka_unit_test(a_spinning_rod_keeps_its_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
