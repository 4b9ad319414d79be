/* SPDX-License-Identifier: MIT */
/* A rod of a batch against the same rod as a simulation of its own, which knows nothing of batches: all ends, measures,
   loads and numbers, of second order in the substep. */
#include <string.h>

#include "check.h"
#include "support/batches.h"

enum { FRAMES = 5 };
static const double frame_time = 0.02;

static double error_of(const wy_model *model, const wy_batch_def *def, const double *want) {
  double x[SOFT_NUMBERS];
  wy_batch *batch = batch_of(model, def);
  run_batch(batch, FRAMES, frame_time);
  batch_positions(batch, 0, x);
  wy_batch_destroy(batch);
  return batch_distance(x, want, SOFT_NUMBERS);
}

/* Second order in the substep, and one millionth of the length with twice as many. */
static void check_integrator(const char *name, batch_scene *it, const wy_staggered_options *options,
                             wy_batch_integrator integrator, int substeps) {
  double want[SOFT_NUMBERS], error[2];
  make_scene(it);
  lone_positions(it->model, options, FRAMES * frame_time, want);
  for (int k = 0; k < 2; k++) {
    wy_batch_def def = fixed_batch(substeps << k);
    def.staggered = *options;
    def.integrator = integrator;
    error[k] = error_of(it->model, &def, want);
  }
  print_message("%s, %s, measure %d: %d substeps, error %.2e, order %.2f\n", name,
                integrator == WY_BATCH_BDF2 ? "bdf2" : "explicit", (int)options->curvature_measure, substeps, error[1],
                log2(error[0] / error[1]));
  check_below(error[1], 1e-6);
  check_above(log2(error[0] / error[1]), 1.9);
  wy_model_destroy(it->model);
}

/* How many leapfrog takes where one is asked for. */
static int stable_substeps(batch_scene *it, const wy_staggered_options *options) {
  make_scene(it);
  wy_batch_def def = fixed_batch(1);
  def.staggered = *options;
  def.integrator = WY_BATCH_EXPLICIT;
  wy_batch *batch = batch_of(it->model, &def);
  run_batch(batch, 1, frame_time);
  const int substeps = wy_batch_describe(batch).substeps;
  wy_batch_destroy(batch);
  wy_model_destroy(it->model);
  return substeps;
}

/* With leapfrog there is a hundredth of the damping: as much as its substeps follow. */
static void check_order_with(const char *name, batch_scene *it, const wy_staggered_options *options) {
  check_integrator(name, it, options, WY_BATCH_BDF2, 128);
  wy_damping *damping = &it->rod.damping;
  damping->time.value *= 0.01;
  for (int i = 0; i < 6; i++)
    damping->coefficient[i].value *= 0.01;
  check_integrator(name, it, options, WY_BATCH_EXPLICIT, stable_substeps(it, options));
}

static void check_order(const char *name, batch_scene *it) {
  const wy_staggered_options options = wy_default_solver_def().staggered;
  check_order_with(name, it, &options);
}

/* ---- Ends and measures ---- */

static void ends_and_measures(void **state) {
  (void)state;
  wy_staggered_options options = wy_default_solver_def().staggered;
  for (int kind = 0; kind < HELD_KINDS; kind++)
    for (int measure = WY_SIN2; measure <= WY_ANGLE; measure++) {
      batch_scene it;
      set_soft(&it);
      hold_scene(&it, (batch_held)kind);
      options.curvature_measure = (wy_curvature_measure)measure;
      check_order_with(batch_held_name((batch_held)kind), &it, &options);
    }
  options = wy_default_solver_def().staggered;
  options.segment_inertia = options.segment_inertia == WY_CYLINDER ? WY_DISC : WY_CYLINDER;
  batch_scene it;
  set_soft(&it);
  check_order_with("the other rotary inertia", &it, &options);
}

/* ---- What a rod is made of ---- */

static void growing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *slope = context;
  (void)wrt, (void)t;
  jet[0] = *slope * s, jet[1] = *slope, jet[2] = 0;
}

static const double slope = 2, spin = 3;

static void sections(void **state) {
  (void)state;
  batch_scene it;
  set_soft(&it);
  it.rod.section.shape = WY_RECTANGLE, it.rod.section.width = wy_constant(0.012);
  it.rod.section.height = wy_constant(0.007);
  check_order("a rectangle", &it);
  set_soft(&it);
  it.rod.damping = (wy_damping){.kind = WY_DAMPING_COEFFICIENTS};
  for (int i = 0; i < 6; i++)
    it.rod.damping.coefficient[i] = wy_constant(i < 3 ? 0.1 * (i + 1) : 1e-6 * (i - 1));
  check_order("damping by coefficients", &it);
  set_soft(&it);
  it.rod.damping.kind = WY_UNDAMPED, it.rod.drag = (wy_drag){0, 0};
  it.rod.material.young = wy_constant(2e5); /* slow enough for these substeps without damping */
  check_order("undamped", &it);
  set_soft(&it);
  it.rod.material.has_shear = true, it.rod.material.shear = wy_constant(3e6);
  it.rod.has_inertia = true;
  for (int i = 0; i < 4; i++)
    it.rod.inertia[i] = wy_constant(i ? 4e-7 * i : 0.1);
  check_order("inertia by itself", &it);
  set_soft(&it);
  it.rod.shape.curvature[0] = (wy_signal){0, growing, &slope, WY_ARC};
  it.rod.initial.twist = (wy_signal){0, growing, &slope, WY_ARC};
  it.rod.initial.velocity[2] = (wy_signal){0, growing, &slope, WY_ARC};
  it.rod.initial.angular_velocity[2] = (wy_signal){0, growing, &spin, WY_ARC};
  check_order("what varies along the rod", &it);
  set_soft(&it);
  it.def.gravity[0] = it.def.gravity[1] = it.def.gravity[2] = 0;
  check_order("without gravity", &it);
}

/* ---- Loads ---- */

static void waving(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *size = context, w = 30;
  const double phase = w * t + 4 * s;
  jet[0] = *size * sin(phase);
  const double rate = wrt == WY_TIME ? w : 4;
  jet[1] = *size * rate * cos(phase), jet[2] = -*size * rate * rate * sin(phase);
}

static void swinging(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s;
  waving(context, wrt, 0, t, jet);
}

static const double push = 0.02, wring = 5e-4;

static void loads(void **state) {
  (void)state;
  batch_scene it;
  for (int end = 0; end < 2; end++) {
    set_soft(&it);
    it.rod.ends[1] = end ? wy_end_clamped() : wy_end_free();
    it.def.load_count = 3;
    it.loads[0].place = WY_AT_ARC, it.loads[0].from = 0.37;
    it.loads[1].place = WY_AT_ARC, it.loads[1].from = 0.03; /* beside the clamp, which takes its share */
    it.loads[1].moment[1] = (wy_signal){0, swinging, &wring, WY_TIME};
    it.loads[2].place = WY_AT_ARC, it.loads[2].from = 0.97;
    it.loads[2].force[2] = (wy_signal){0, swinging, &push, WY_TIME}, it.loads[2].moment[0] = wy_constant(wring);
    check_order("forces and moments at points", &it);
    it.loads[0].place = WY_ALONG, it.loads[0].from = 0.11, it.loads[0].to = 0.9;
    it.loads[0].force[0] = (wy_signal){0, waving, &push, WY_TIME | WY_ARC};
    it.loads[0].moment[2] = (wy_signal){0, waving, &wring, WY_TIME | WY_ARC};
    it.loads[1] = wy_default_load_def();
    it.loads[1].place = WY_ALONG, it.loads[1].to = 0.6, it.loads[1].axes = WY_BODY_AXES;
    it.loads[1].moment[0] = wy_constant(wring), it.loads[1].moment[1] = (wy_signal){0, swinging, &wring, WY_TIME};
    it.loads[2] = wy_default_load_def();
    it.loads[2].place = WY_AT_ARC, it.loads[2].from = 0.55, it.loads[2].axes = WY_BODY_AXES;
    it.loads[2].moment[1] = wy_constant(wring), it.loads[2].moment[2] = (wy_signal){0, swinging, &wring, WY_TIME};
    check_order("loads along the rod, moments in body axes", &it);
  }
}

/* ---- Numbers of the rods ---- */

/* A rod like the pattern but in one number, as a definition. */
typedef void make_own(batch_scene *own, const double *values);

static void own_young(batch_scene *own, const double *values) {
  own->rod.material.young = wy_constant(*values);
}

static void own_density(batch_scene *own, const double *values) {
  own->rod.material.density = wy_constant(*values);
}

static void own_radius(batch_scene *own, const double *values) {
  own->rod.section.radius = wy_constant(*values);
}

static void own_damping(batch_scene *own, const double *values) {
  own->rod.damping.time.value *= *values;
}

static void own_drag(batch_scene *own, const double *values) {
  own->rod.drag.translation = *values;
}

static void scale_signal(wy_signal *signal, const double *by, double *size) {
  if (signal->context)
    *size = *by * *(const double *)signal->context, signal->context = size;
  signal->value *= *by;
}

static void own_loads(batch_scene *own, const double *values) {
  static double sizes[SOFT_LOADS][6];
  for (int i = 0; i < own->def.load_count; i++)
    for (int k = 0; k < 3; k++) {
      scale_signal(&own->loads[i].force[k], values, &sizes[i][k]);
      scale_signal(&own->loads[i].moment[k], values, &sizes[i][3 + k]);
    }
}

/* All that varies along the rod does so at the same share of its length. */
static void own_length(batch_scene *own, const double *values) {
  static double own_slope;
  const double by = *values / own->rod.length;
  own->rod.length = *values;
  own_slope = slope / by;
  own->rod.shape.curvature[0].context = own->rod.initial.velocity[2].context = &own_slope;
  for (int i = 0; i < own->def.load_count; i++)
    own->loads[i].from *= by, own->loads[i].to *= by;
}

static void own_curvature(batch_scene *own, const double *values) {
  for (int k = 0; k < 3; k++)
    own->rod.shape.curvature[k] = wy_constant(values[k]);
}

static void own_root(batch_scene *own, const double *values) {
  const double w = values[3], x = values[4], y = values[5], z = values[6];
  memcpy(own->rod.shape.origin, values, sizeof own->rod.shape.origin);
  const double d1[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
  const double d3[3] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  memcpy(own->rod.shape.d1, d1, sizeof d1), memcpy(own->rod.shape.direction, d3, sizeof d3);
}

static void own_velocity(batch_scene *own, const double *values) {
  for (int k = 0; k < 2; k++)
    own->rod.initial.velocity[k].value += values[k];
}

/* A free rod and one with driven ends, with a load at a point and one along it, curved by more and more. */
static void set_pattern(batch_scene *it, bool is_held) {
  set_soft(it);
  if (is_held)
    hold_scene(it, DRIVEN), it->rod.ends[1] = wy_end_free();
  else
    it->rod.ends[0] = wy_end_free();
  it->rod.shape.curvature[0] = (wy_signal){0, growing, &slope, WY_ARC};
  it->rod.initial.velocity[2] = (wy_signal){0, growing, &slope, WY_ARC};
  it->def.load_count = 3;
  it->loads[1].place = WY_ALONG, it->loads[1].from = 0.2, it->loads[1].to = 0.7;
  it->loads[1].force[0] = wy_constant(push), it->loads[1].moment[1] = wy_constant(wring);
  it->loads[2].place = WY_AT_ARC, it->loads[2].from = 0.4;
  it->loads[2].force[2] = (wy_signal){0, swinging, &push, WY_TIME};
}

enum { RODS = 3, MOST = 7 };

static const struct {
  wy_batch_number number;
  make_own *make;
  double values[RODS * MOST];
} rows[] = {
    {WY_BATCH_YOUNG, own_young, {5e6, 3e6, 9e6}},
    {WY_BATCH_DENSITY, own_density, {1100, 700, 2000}},
    {WY_BATCH_RADIUS, own_radius, {5e-3, 4e-3, 7e-3}},
    {WY_BATCH_DAMPING, own_damping, {1, 0.7, 3}},
    {WY_BATCH_DRAG, own_drag, {0.3, 0, 4}},
    {WY_BATCH_LOADS, own_loads, {1, -1.5, 2}},
    {WY_BATCH_LENGTH, own_length, {1, 0.8, 1.3}},
    {WY_BATCH_CURVATURE, own_curvature, {0, 1.5, 1, -2, 0, 0.5, 0, 0, 0}},
    {WY_BATCH_ROOT, own_root, {0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0.6, 0, 0.8, 0, 0, 0, -3, 0.5, -0.5, 0.5, 0.5}},
    {WY_BATCH_VELOCITY, own_velocity, {0, 0, 0, 0.5, -0.3, 0, -1, 0, 0}},
};

/* Each number by itself: rods that have it are the rods that are defined with it. A root that stands elsewhere takes
   the path of the pattern along: its x is not where the path is given. */
static void check_number(int row, bool is_held) {
  wy_message message = {.text = ""};
  wy_staggered_options options = wy_default_solver_def().staggered;
  options.curvature_measure = WY_ANGLE; /* `auto` would take that of the pattern, or else of each rod */
  const wy_batch_number number = rows[row].number;
  const int size = wy_batch_number_size(number);
  double got[2][RODS * SOFT_NUMBERS], want[SOFT_NUMBERS], apart = 0;
  batch_scene it;
  set_pattern(&it, is_held);
  make_scene(&it);
  for (int k = 0; k < 2; k++) {
    wy_batch_def def = fixed_batch(k ? 512 : 256);
    def.count = RODS;
    def.staggered = options;
    wy_batch *batch = batch_of(it.model, &def);
    must(wy_batch_set(batch, number, rows[row].values, &message), &message);
    run_batch(batch, FRAMES, frame_time);
    must(wy_batch_positions(batch, 0, RODS, got[k], &message), &message);
    wy_batch_destroy(batch);
  }
  for (int i = 0; i < RODS; i++) {
    batch_scene own;
    double error[2];
    set_pattern(&own, is_held);
    rows[row].make(&own, rows[row].values + (size_t)i * (size_t)size);
    make_scene(&own);
    lone_positions(own.model, &options, FRAMES * frame_time, want);
    for (int k = 0; k < 2; k++)
      error[k] = batch_distance(got[k] + (size_t)i * SOFT_NUMBERS, want, SOFT_NUMBERS);
    print_message("%s, rod %d: error %.2e, order %.2f\n", wy_batch_number_name(number), i, error[1],
                  log2(error[0] / error[1]));
    check_below(error[1], 1e-6);
    check_above(log2(error[0] / error[1]), 1.9);
    apart = fmax(apart, batch_distance(got[1] + (size_t)i * SOFT_NUMBERS, got[1], SOFT_NUMBERS));
    wy_model_destroy(own.model);
  }
  check_above(apart, 1e-4); /* it has an effect at all */
  wy_model_destroy(it.model);
}

static void numbers_one_by_one(void **state) {
  (void)state;
  assert_int_equal(sizeof rows / sizeof rows[0], WY_BATCH_VELOCITY + 1);
  for (int row = 0; row < (int)(sizeof rows / sizeof rows[0]); row++)
    for (int is_held = 0; is_held < 2; is_held++)
      check_number(row, is_held);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_and_measures),
      cmocka_unit_test(sections),
      cmocka_unit_test(loads),
      cmocka_unit_test(numbers_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
