/* SPDX-License-Identifier: MIT */
/* Without contraction rods have the same bits on one lane of a CPU, by the launches of a GPU, and on a GPU that
   computed tests/data/batch_strict.csv (gpu/measure.c writes it).
   kernels: strict
   links: test_support withy_experiments withy_host_gpu_strict */
#include <stdio.h>

#include "check.h"
#include "gpu/host_faults.h"
#include "gpu/strict.h"

static const wy_batch_backend *host_gpu(void) {
  const char *reason = NULL;
  const wy_batch_backend *gpu = wy_batch_backend_of(WY_VERSION, &reason);
  assert_non_null(gpu);
  return gpu;
}

static void one_lane_and_launches_agree(void **state) {
  (void)state;
  for (int p = 0; p < 3; p++)
    for (int i = 0; i < STRICT_SCENES; i++) {
      const uint64_t cpu = strict_hash(&wy_batch_lanes, &strict_scenes[i], (wy_batch_precision)p);
      const uint64_t gpu = strict_hash(host_gpu(), &strict_scenes[i], (wy_batch_precision)p);
      if (!cpu || cpu != gpu)
        fail_msg("%s, %s: %016llx on one lane, %016llx by launches", strict_scenes[i].name, strict_precisions[p],
                 (unsigned long long)cpu, (unsigned long long)gpu);
    }
}

/* The hash is one of what is computed: it differs from scene to scene and from precision to precision, but for
   leapfrog, which has nothing that could be mixed. */
static void hashes_differ(void **state) {
  (void)state;
  uint64_t seen[3 * STRICT_SCENES];
  for (int n = 0; n < 3 * STRICT_SCENES; n++) {
    seen[n] = strict_hash(&wy_batch_lanes, &strict_scenes[n / 3], (wy_batch_precision)(n % 3));
    const bool leaps = strict_scenes[n / 3].leaps && n % 3 == WY_BATCH_MIXED;
    for (int k = 0; k < n; k++)
      assert_int_equal(seen[k] == seen[n], leaps && k == n - 1);
  }
}

static void as_a_gpu_computed_them(void **state) {
  (void)state;
  FILE *file = fopen(WY_TEST_DATA "/batch_strict.csv", "r");
  assert_non_null(file);
  char line[256], scene[64], precision[16];
  unsigned long long want;
  int count = 0;
  while (fgets(line, sizeof line, file))
    if (line[0] != '#' && sscanf(line, "%63[^,],%15[^,],%llx", scene, precision, &want) == 3)
      for (int n = 0; n < 3 * STRICT_SCENES; n++) {
        const strict_scene *at = &strict_scenes[n / 3];
        if (strcmp(at->name, scene) != 0 || strcmp(strict_precisions[n % 3], precision) != 0)
          continue;
        const uint64_t got = strict_hash(&wy_batch_lanes, at, (wy_batch_precision)(n % 3));
        if (got != want)
          fail_msg("%s, %s: got %016llx, want %016llx", scene, precision, (unsigned long long)got, want);
        count++;
      }
  fclose(file);
  assert_int_equal(count, 3 * STRICT_SCENES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_lane_and_launches_agree),
      cmocka_unit_test(hashes_differ),
      cmocka_unit_test(as_a_gpu_computed_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
