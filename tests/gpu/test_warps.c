/* SPDX-License-Identifier: MIT */
/* Few rods, which a GPU moves with a warp each (gpu/warp.h), against a thread each and against double precision: both
   solve the same systems in single precision, by eliminations of another order, so that they are as near to double. How
   long sums of products are, and with that their round-off, differs by less than two; four is allowed.
   links: test_support withy_experiments withy_host_gpu */
#include <math.h>
#include <string.h>

#include "check.h"
#include "gpu/host_faults.h"
#include "gpu/strict.h"
#include "support/batches.h"

/* The launches of tests have one multiprocessor, so that few rods are 16. */
enum { FEW = 16 };

static const strict_scene scenes[] = {
    {.name = "hair", .measure = WY_TAN2, .clamped = {true}, .held = {true}},
    {.name = "free", .measure = WY_TAN2},
    {.name = "pinned", .measure = WY_TAN2, .held = {true, true}},
    {.name = "clamped", .measure = WY_TAN2, .clamped = {true, true}, .held = {true, true}},
    {.name = "tip clamped", .measure = WY_TAN2, .clamped = {false, true}, .held = {false, true}},
    {.name = "loads", .measure = WY_TAN2, .held = {true}, .loads = true},
    {.name = "older state", .measure = WY_TAN2, .clamped = {true}, .keeps = true},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

/* The states of the first few rods, and their monitors. */
typedef struct moved {
  double states[FEW][2][STRICT_STATE], monitors[FEW][WY_MONITOR_COUNT];
} moved;

static const wy_batch_backend *host_gpu(void) {
  const char *reason = NULL;
  const wy_batch_backend *gpu = wy_batch_backend_of(WY_VERSION, &reason);
  assert_non_null(gpu);
  return gpu;
}

/* Of `rods` rods; every other one has lost its stiffness where `soft` < 1. */
static void move(const wy_batch_backend *backend, const strict_scene *scene, wy_batch_precision precision, int rods,
                 double soft, moved *to) {
  wy_batch_kind kind = strict_kind(scene, precision);
  kind.count = rods;
  int lanes;
  const char *name;
  void *machine = backend->create(&kind, &lanes, &name);
  assert_non_null(machine);
  strict_fill(backend, machine, rods);
  for (int i = 0; i < rods && soft < 1; i += 2) {
    double par[WY_PAR_COUNT];
    backend->download(machine, WY_ARRAY_PARAMETERS, i, 1, par);
    for (int k = 0; k < 3; k++)
      par[WY_PAR_CK + k] *= soft;
    backend->upload(machine, WY_ARRAY_PARAMETERS, i, 1, par);
  }
  strict_step(scene, backend, machine, (rods + lanes - 1) / lanes);
  for (int i = 0; i < FEW; i++) {
    backend->download(machine, WY_ARRAY_STATE, i, 1, to->states[i][0]);
    backend->download(machine, WY_ARRAY_BEFORE, i, 1, to->states[i][1]);
    backend->download(machine, WY_ARRAY_MONITOR, i, 1, to->monitors[i]);
  }
  backend->destroy(machine);
}

static double apart(const moved *a, const moved *b) {
  double most = 0;
  for (int i = 0; i < FEW; i++)
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < WY_CELL * STRICT_CELLS; k++) {
        const double gap = fabs(a->states[i][side][k] - b->states[i][side][k]);
        most = gap > most || isnan(gap) ? gap : most;
      }
  return most;
}

static double errors_apart(const moved *a, const moved *b) {
  double most = 0;
  for (int i = 0; i < FEW; i++)
    most = fmax(most, fabs(sqrt(a->monitors[i][WY_MONITOR_ERROR]) - sqrt(b->monitors[i][WY_MONITOR_ERROR])));
  return most;
}

static void warps_are_as_good_as_threads(void **state) {
  (void)state;
  static moved want, lane, warp, thread;
  for (int i = 0; i < SCENES; i++) {
    move(&wy_batch_lanes, &scenes[i], WY_BATCH_DOUBLE, FEW, 1, &want);
    move(&wy_batch_lanes, &scenes[i], WY_BATCH_SINGLE, FEW, 1, &lane);
    move(host_gpu(), &scenes[i], WY_BATCH_SINGLE, FEW, 1, &warp);
    move(host_gpu(), &scenes[i], WY_BATCH_SINGLE, STRICT_RODS, 1, &thread);
    print_message("%-12s off double: lanes %.2e, threads %.2e, warps %.2e; estimates: lanes %.2e, warps %.2e\n",
                  scenes[i].name, apart(&lane, &want), apart(&thread, &want), apart(&warp, &want),
                  errors_apart(&lane, &want), errors_apart(&warp, &want));
    check_above(apart(&warp, &thread), 0); /* these are not the same code */
    check_below(apart(&warp, &want), 4 * apart(&lane, &want));
    check_below(errors_apart(&warp, &want), 4 * apart(&lane, &want)); /* a correction is a difference of states */
  }
}

/* Stiffness that pushes away from straightness, more than inertia holds: a matrix that is not definite has a pivot that
   is not positive in each order of elimination (B23). */
static void bad_rods_are_found(void **state) {
  (void)state;
  static moved want, warp;
  int bad = 0;
  for (int i = 0; i < SCENES; i++) {
    move(&wy_batch_lanes, &scenes[i], WY_BATCH_DOUBLE, FEW, -20, &want);
    move(host_gpu(), &scenes[i], WY_BATCH_SINGLE, FEW, -20, &warp);
    for (int rod = 0; rod < FEW; rod++) {
      const double expected = want.monitors[rod][WY_MONITOR_PIVOT], got = warp.monitors[rod][WY_MONITOR_PIVOT];
      if ((got > 0) != (expected > 0) || (got > 0) != (rod % 2 == 1))
        fail_msg("%s, rod %d: got the pivot %g, lanes %g", scenes[i].name, rod, got, expected);
      bad += !(got > 0);
    }
  }
  assert_int_equal(bad, SCENES * FEW / 2);
}

/* A number that is not finite in one cell is not lost among 32 lanes. */
static void what_is_no_number_is_found(void **state) {
  (void)state;
  wy_batch_kind kind = strict_kind(&scenes[0], WY_BATCH_SINGLE);
  kind.count = FEW;
  int lanes;
  const char *name;
  void *machine = host_gpu()->create(&kind, &lanes, &name);
  strict_fill(host_gpu(), machine, FEW);
  for (int i = 0; i < STRICT_SEGMENTS; i++) {
    double cells[STRICT_STATE];
    host_gpu()->download(machine, WY_ARRAY_STATE, i, 1, cells);
    cells[WY_CELL * i + WY_CELL_W] = NAN;
    host_gpu()->upload(machine, WY_ARRAY_STATE, i, 1, cells);
  }
  strict_step(&scenes[0], host_gpu(), machine, 1);
  for (int i = 0; i < FEW; i++) {
    double monitor[WY_MONITOR_COUNT];
    host_gpu()->download(machine, WY_ARRAY_MONITOR, i, 1, monitor);
    assert_int_equal(isfinite(monitor[WY_MONITOR_ERROR]) && monitor[WY_MONITOR_PIVOT] > 0, i >= STRICT_SEGMENTS);
  }
  host_gpu()->destroy(machine);
}

/* Positions after some frames. */
static void run_rods(batch_scene *it, wy_batch_precision precision, bool gpu, double *x) {
  wy_batch_def def = fixed_batch(6);
  def.count = 3, def.precision = precision;
  def.staggered.curvature_measure = WY_TAN2;
  def.device = gpu ? WY_BATCH_GPU : WY_BATCH_CPU;
  def.gpu.backend = host_gpu();
  wy_batch *batch = batch_of(it->model, &def);
  assert_int_equal(wy_batch_describe(batch).device, def.device);
  run_batch(batch, 8, 1.0 / 60);
  batch_positions(batch, 2, x);
  wy_batch_destroy(batch);
}

/* Any number of cells, powers of two and their neighbours; 32 segments have no warp. */
static void any_number_of_segments(void **state) {
  (void)state;
  static const int segments[] = {2, 3, 4, 7, 8, 15, 16, 17, 25, 30, 31, 32};
  for (size_t i = 0; i < sizeof segments / sizeof segments[0]; i++) {
    batch_scene it;
    double want[99], lane[99], warp[99];
    const int count = 3 * (segments[i] + 1);
    set_soft(&it);
    it.rod.segments = segments[i];
    make_scene(&it);
    run_rods(&it, WY_BATCH_DOUBLE, false, want);
    run_rods(&it, WY_BATCH_SINGLE, false, lane);
    run_rods(&it, WY_BATCH_SINGLE, true, warp);
    const double own = batch_distance(lane, want, count), got = batch_distance(warp, want, count);
    print_message("%2d segments off double: lanes %.2e, warps %.2e\n", segments[i], own, got);
    check_below(got, 4 * own);
    wy_model_destroy(it.model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warps_are_as_good_as_threads),
      cmocka_unit_test(bad_rods_are_found),
      cmocka_unit_test(what_is_no_number_is_found),
      cmocka_unit_test(any_number_of_segments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
