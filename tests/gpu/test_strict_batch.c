/* SPDX-License-Identifier: MIT */
/* Batches by the launches of a GPU against the same batches on one lane, without contraction: every number has the same
   bits, with retries, roots that move, saved states. Then what a device may refuse.
   kernels: strict
   links: test_support withy_experiments withy_host_gpu_strict */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gpu/host_faults.h"
#include "support/batches.h"

enum { MANY = 70, FRAMES = 6, ROW = 13 * SOFT_SEGMENTS + 6 };
static const double frame = 1.0 / 60;

static wy_batch_gpu host_gpu(void) {
  wy_batch_gpu gpu = {NULL, ""};
  gpu.backend = wy_batch_backend_of(WY_VERSION, &gpu.reason);
  return gpu;
}

/* Rods of unlike stiffness, length and place. */
static wy_batch *unlike_rods(const wy_model *model, wy_batch_def *def, wy_batch_device device) {
  wy_message message = {.text = ""};
  def->device = device, def->lanes = device == WY_BATCH_CPU ? 1 : 0, def->gpu = host_gpu();
  wy_batch *batch = batch_of(model, def);
  double young[MANY], length[MANY], root[7 * MANY];
  unsigned seed = 7;
  for (int i = 0; i < MANY; i++) {
    young[i] = 5e6 * (1 + 0.5 * noise(&seed)), length[i] = 1 + 0.3 * noise(&seed);
    memset(root + 7 * i, 0, 7 * sizeof *root);
    root[7 * i] = i, root[7 * i + 3] = 1;
  }
  must(wy_batch_set(batch, WY_BATCH_YOUNG, young, &message), &message);
  must(wy_batch_set(batch, WY_BATCH_LENGTH, length, &message), &message);
  must(wy_batch_set(batch, WY_BATCH_ROOT, root, &message), &message);
  return batch;
}

static wy_batch_def with_retries(wy_batch_precision precision) {
  wy_batch_def def = wy_default_batch_def();
  def.count = MANY, def.substeps = 4, def.tolerance = 0.02, def.precision = precision;
  return def;
}

/* Roots that swing, each frame to another place. */
static void swing(wy_batch *batch, int from, int frames) {
  wy_message message = {.text = ""};
  for (int n = from; n < from + frames; n++) {
    double poses[7 * MANY], velocities[6 * MANY];
    for (int i = 0; i < MANY; i++) {
      const double pose[7] = {i + 0.02 * sin(n + 1.0), 0, 0.01 * (n + 1), cos(0.02 * n), sin(0.02 * n), 0, 0};
      const double velocity[6] = {1.2 * cos(n + 1.0), 0, 0.6, 1.2, 0, 0};
      memcpy(poses + 7 * i, pose, sizeof pose), memcpy(velocities + 6 * i, velocity, sizeof velocity);
    }
    must(wy_batch_roots(batch, poses, velocities, &message), &message);
    must(wy_batch_advance(batch, frame, &message), &message);
  }
}

/* All that can be read of all rods. */
static void read_all(wy_batch *batch, double *out) {
  wy_message message = {.text = ""};
  must(wy_batch_positions(batch, 0, MANY, out, &message), &message);
  out += MANY * SOFT_NUMBERS;
  must(wy_batch_velocities(batch, 0, MANY, out, &message), &message);
  out += MANY * SOFT_NUMBERS;
  must(wy_batch_frames(batch, 0, MANY, out, &message), &message);
  out += MANY * 4 * SOFT_SEGMENTS;
  must(wy_batch_spins(batch, 0, MANY, out, &message), &message);
}

static void compare(wy_batch *got, wy_batch *want) {
  wy_message message = {.text = ""};
  double *a = doubles(MANY * ROW), *b = doubles(MANY * ROW);
  wy_batch_rod rods[2][MANY];
  read_all(got, a), read_all(want, b);
  for (int i = 0; i < MANY * ROW; i++)
    check_close(a[i], b[i], 0);
  must(wy_batch_status(got, 0, MANY, rods[0], &message), &message);
  must(wy_batch_status(want, 0, MANY, rods[1], &message), &message);
  for (int i = 0; i < MANY; i++) {
    assert_int_equal(rods[0][i].refined, rods[1][i].refined);
    check_close(rods[0][i].estimate, rods[1][i].estimate, 0);
  }
  free(a), free(b);
}

static void same_bits(void **state) {
  (void)state;
  batch_scene it;
  set_soft(&it), make_scene(&it);
  for (int p = 0; p < 3; p++) {
    wy_batch_def def = with_retries((wy_batch_precision)p);
    wy_batch *gpu = unlike_rods(it.model, &def, WY_BATCH_GPU), *cpu = unlike_rods(it.model, &def, WY_BATCH_CPU);
    const wy_batch_info info = wy_batch_describe(gpu);
    assert_int_equal(info.device, WY_BATCH_GPU);
    assert_int_equal(info.lanes, 0);
    assert_string_equal(info.reason, "");
    assert_string_equal(info.machine, "gpu, a CPU in the place of a GPU");
    swing(gpu, 0, FRAMES), swing(cpu, 0, FRAMES);
    compare(gpu, cpu);
    const wy_batch_statistics work = wy_batch_work(gpu);
    print_message("precision %d: %.0f of %d frames moved again\n", p, work.refined, FRAMES * MANY);
    check_above(work.refined, 0);
    check_below(work.refined, FRAMES * MANY);
    assert_int_equal(work.failed, 0);
    wy_batch_destroy(gpu), wy_batch_destroy(cpu);
  }
  wy_model_destroy(it.model);
}

/* From the GPU to the CPU and back. */
static void saved_states_move(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  set_soft(&it), make_scene(&it);
  wy_batch_def def = with_retries(WY_BATCH_SINGLE);
  wy_batch *gpu = unlike_rods(it.model, &def, WY_BATCH_GPU), *cpu = unlike_rods(it.model, &def, WY_BATCH_CPU);
  const size_t size = wy_batch_save_size(gpu);
  void *buffer = malloc(size);
  swing(gpu, 0, 2);
  must(wy_batch_save(gpu, buffer, size, &message), &message);
  must(wy_batch_restore(cpu, buffer, size, &message), &message);
  swing(gpu, 2, 2), swing(cpu, 2, 2);
  compare(gpu, cpu);
  must(wy_batch_save(cpu, buffer, size, &message), &message);
  must(wy_batch_restore(gpu, buffer, size, &message), &message);
  compare(gpu, cpu);
  free(buffer);
  wy_batch_destroy(gpu), wy_batch_destroy(cpu);
  wy_model_destroy(it.model);
}

/* Rods that cannot be moved stay as they were, on the device too. */
static void failed_rods_stay(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  set_soft(&it), make_scene(&it);
  wy_batch_def def = with_retries(WY_BATCH_DOUBLE);
  def.tolerance = 1e-15, def.retries = 1;
  wy_batch *gpu = unlike_rods(it.model, &def, WY_BATCH_GPU);
  double *before = doubles(MANY * ROW), *after = doubles(MANY * ROW);
  read_all(gpu, before);
  for (int n = 0; n < 3; n++) {
    assert_int_equal(wy_batch_advance(gpu, frame, &message), n ? WY_OK : WY_RETRY);
    read_all(gpu, after);
    assert_memory_equal(before, after, (size_t)(MANY * ROW) * sizeof *before);
  }
  assert_int_equal(wy_batch_work(gpu).failed, MANY);
  free(before), free(after);
  wy_batch_destroy(gpu);
  wy_model_destroy(it.model);
}

/* The positions that stay on the device, to the round-off of sums of `SOFT_SEGMENTS` edges at the rods' places. */
static void positions_on_the_device(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  set_soft(&it), make_scene(&it);
  for (int p = 0; p < 3; p++) {
    wy_batch_def def = with_retries((wy_batch_precision)p);
    wy_batch *gpu = unlike_rods(it.model, &def, WY_BATCH_GPU);
    const bool single = p == WY_BATCH_SINGLE;
    const double epsilon = single ? 1.2e-7 : 2.3e-16;
    double *want = doubles(MANY * SOFT_NUMBERS);
    for (int n = 0; n < 3; n++) {
      const void *there = NULL;
      must(wy_batch_device_positions(gpu, &there, &message), &message);
      must(wy_batch_positions(gpu, 0, MANY, want, &message), &message);
      for (int i = 0; i < MANY * SOFT_NUMBERS; i++)
        check_close(single ? (double)((const float *)there)[i] : ((const double *)there)[i], want[i],
                    SOFT_VERTICES * epsilon * MANY);
      swing(gpu, n, 1);
    }
    free(want);
    wy_batch_destroy(gpu);
  }
  const void *none = &it;
  wy_batch_def def = with_retries(WY_BATCH_DOUBLE);
  wy_batch *cpu = unlike_rods(it.model, &def, WY_BATCH_CPU);
  assert_int_equal(wy_batch_device_positions(cpu, &none, &message), WY_ERROR_SUPPORT);
  assert_null(none);
  wy_batch_destroy(cpu);
  wy_model_destroy(it.model);
}

/* Without a device, or where it has no memory, rods are left to the CPU, and it is said why. */
static void what_is_missing(void **state) {
  (void)state;
  batch_scene it;
  set_soft(&it), make_scene(&it);
  wy_batch_def def = with_retries(WY_BATCH_DOUBLE);
  wy_host_gpu.memory = 100000;
  wy_batch *batch = unlike_rods(it.model, &def, WY_BATCH_GPU);
  wy_host_gpu.memory = SIZE_MAX;
  assert_int_equal(wy_batch_describe(batch).device, WY_BATCH_CPU);
  assert_string_equal(wy_batch_describe(batch).reason, "the GPU has not enough memory for these rods");
  run_batch(batch, 2, frame);
  wy_batch_destroy(batch);

  wy_host_gpu.absent = true;
  batch = unlike_rods(it.model, &def, WY_BATCH_GPU);
  wy_host_gpu.absent = false;
  assert_int_equal(wy_batch_describe(batch).device, WY_BATCH_CPU);
  assert_string_equal(wy_batch_describe(batch).reason, "no CUDA-capable device is detected");
  wy_batch_destroy(batch);

  def.gpu = (wy_batch_gpu){NULL, NULL};
  batch = batch_of(it.model, &def);
  assert_string_equal(wy_batch_describe(batch).reason, "no GPU was given: see withy/gpu.h");
  wy_batch_destroy(batch);

  const char *reason = NULL;
  assert_null(wy_batch_backend_of("0.0.0", &reason));
  assert_string_equal(reason, "libwithy_cuda.so belongs to another version of withy");
  wy_model_destroy(it.model);
}

/* A device that fails: the frame is refused, and so is what would be read of it. */
static void a_device_that_fails(void **state) {
  (void)state;
  wy_message message = {.text = ""};
  batch_scene it;
  set_soft(&it), make_scene(&it);
  wy_batch_def def = with_retries(WY_BATCH_DOUBLE);
  wy_batch *gpu = unlike_rods(it.model, &def, WY_BATCH_GPU);
  run_batch(gpu, 1, frame);
  wy_host_gpu.fail = true;
  assert_int_equal(wy_batch_advance(gpu, frame, &message), WY_ERROR_SOLVER);
  assert_string_equal(message.text, "the gpu, a CPU in the place of a GPU failed: unspecified launch failure");
  assert_int_equal(wy_batch_advance(gpu, frame, &message), WY_ERROR_SOLVER);
  double x[SOFT_NUMBERS];
  assert_int_equal(wy_batch_positions(gpu, 0, 1, x, &message), WY_ERROR_SOLVER);
  check_close(wy_batch_time(gpu), frame, 0);
  wy_batch_destroy(gpu);
  wy_model_destroy(it.model);
}

/* `auto` takes the GPU for many rods; memory is what was foretold. */
static void the_choice(void **state) {
  (void)state;
  batch_scene it;
  set_soft(&it), make_scene(&it);
  wy_batch_def def = wy_default_batch_def();
  def.substeps = 2, def.retries = 0, def.gpu = host_gpu();
  const int counts[] = {100, 20000};
  for (int i = 0; i < 2; i++) {
    def.count = counts[i];
    wy_batch *batch = batch_of(it.model, &def);
    assert_int_equal(wy_batch_describe(batch).device, i ? WY_BATCH_GPU : WY_BATCH_CPU);
    assert_string_equal(wy_batch_describe(batch).reason, "");
    check_close((double)wy_batch_memory(batch), wy_batch_memory_estimate(it.model, &def), 3 * 64); /* alignment */
    wy_batch_destroy(batch);
  }
  wy_model_destroy(it.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_bits),        cmocka_unit_test(saved_states_move),
      cmocka_unit_test(failed_rods_stay), cmocka_unit_test(positions_on_the_device),
      cmocka_unit_test(what_is_missing),  cmocka_unit_test(a_device_that_fails),
      cmocka_unit_test(the_choice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
