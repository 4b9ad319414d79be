/* SPDX-License-Identifier: MIT */
/* Out of memory is a status: whichever request for memory fails while a scenario is read or run, the answer is
   WY_ERROR_MEMORY, nothing is lost, and nobody ends the process. And memory grows with the rods, not with rods times
   loads. The linker leads malloc and its relatives of withy here; libfyaml and HDF5 keep their own. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "run/tree/pool.h"
#include "support/scenario.h"
#include "withy/draw.h"
#include "withy/run.h"
#include "withy/sweep.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker gives the names */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *old);

static long left = -1; /* requests that are still answered; -1: all */
static long live;      /* pieces of memory in use */
static double asked;   /* bytes that were asked for since it was set to 0 */

static bool is_refused(void) {
  left -= left > 0;
  return left == 0;
}

void *__wrap_malloc(size_t size) {
  asked += (double)size;
  void *taken = is_refused() ? NULL : __real_malloc(size);
  live += taken != NULL;
  return taken;
}

void *__wrap_calloc(size_t count, size_t size) {
  /* A sanitizer ends the process where an allocator would answer NULL: more than there can be. */
  asked += (double)count * (double)size;
  void *taken = is_refused() || size > PTRDIFF_MAX / (count ? count : 1) ? NULL : __real_calloc(count, size);
  live += taken != NULL;
  return taken;
}

void *__wrap_realloc(void *old, size_t size) {
  asked += (double)size;
  void *taken = is_refused() ? NULL : __real_realloc(old, size);
  live += taken != NULL && !old;
  return taken;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  asked += (double)size;
  void *taken = is_refused() ? NULL : __real_aligned_alloc(alignment, size);
  live += taken != NULL;
  return taken;
}

void __wrap_free(void *old) {
  live -= old != NULL;
  __real_free(old);
}

/* NOLINTEND(bugprone-reserved-identifier) */

/* Everything that a scenario may have and that takes memory. */
static const char yaml[] = "withy: 1\n"
                           "time: {end: 1}\n"
                           "constants: {a: 1, b: 2*a}\n"
                           "tables: {hand: {rows: [[0, 1, 2], [1, 2, b]], columns: [x, y]}}\n"
                           "functions: {f: a*sin(t)*hand.x}\n"
                           "rods:\n"
                           "  - {name: arm, segments: [0.5, 0.5], section: &s {shape: circle, radius: 0.01},\n"
                           "     material: &m {density: 1000, young: 1e6, poisson: 0.25},\n"
                           "     maxwell: [{share: 0.1, time: 1}], solver: {newton: {iterations: 9}}}\n"
                           "  - {length: 2*b, segments: 4, section: {<<: *s, radius: 0.02}, material: *m}\n"
                           "loads: [{rod: arm, at: end, force: [f, hand.y, t]}]\n"
                           "actuators: [{rod: arm, kind: tendon, offset: [0.01, 0], tension: t}]\n"
                           "probes: [{name: tip, quantity: position, rod: arm, at: end}]\n"
                           "strands: [{name: hair, guides: [arm, rod2], count: 3}]\n";

static void check_every_request(const char *label, const char *text, const char *setting) {
  long failures = 0;
  wy_status status = WY_ERROR_MEMORY;
  for (long n = 1; status == WY_ERROR_MEMORY; n++) {
    wy_scenario *scenario = NULL;
    wy_scenario_error error = {.text = ""};
    const long before = live;
    left = n;
    status = wy_scenario_read(label, "test", text, &setting, 1, &scenario, &error);
    left = -1;
    wy_scenario_destroy(scenario);
    if (live != before)
      fail_msg("%s, request %ld: %ld pieces of memory are lost", label, n, live - before);
    if (status != WY_OK && (status != WY_ERROR_MEMORY || !strstr(error.text, "out of memory")))
      fail_msg("%s, request %ld: got status %d with '%s', want %d", label, n, (int)status, error.text, WY_ERROR_MEMORY);
    failures += status == WY_ERROR_MEMORY;
  }
  assert_int_equal(status, WY_OK);
  check_above(failures, 50); /* or the linker does not lead them here */
}

static void reading_without_memory_is_a_status(void **state) {
  (void)state;
  check_every_request("test.yaml", yaml, "gravity=[0, 0, -9.81]");
}

/* Bodies, joints, springs, and entries that stand for many. */
static const char network[] = "withy: 1\n"
                              "time: {end: 1}\n"
                              "rods:\n"
                              "  - {name: x, length: 1, segments: 4, section: &s {shape: circle, radius: 0.01},\n"
                              "     material: &m {density: 1000, young: 1e6, poisson: 0.25}, copies: {circle: 3}}\n"
                              "  - {name: y, length: 1, segments: 4, section: *s, material: *m,\n"
                              "     shape: {origin: [1, 0, 0], direction: [0, 0, 1]}}\n"
                              "bodies: [{name: hub, mass: 1, inertia: [1, 1, 1], origin: [1, 0, 1]}]\n"
                              "joints:\n"
                              "  - {name: knot, kind: ball, where: meet, of: [x*, y]}\n"
                              "  - {name: hook, kind: weld, of: [y.end, hub]}\n"
                              "springs: [{of: [hub, {ground: [0, 0, 9]}], stiffness: 1, length: 1}]\n"
                              "loads: [{body: hub, force: [0, 0, t]}]\n"
                              "solver: {integrator: midpoint}\n";

static void reading_a_network_without_memory_is_a_status(void **state) {
  (void)state;
  check_every_request("test.yaml", network, "gravity=[0, 0, -9.81]");
}

static void a_pool_without_memory_says_so(void **state) {
  (void)state;
  wy_pool pool = {NULL, false};
  assert_non_null(wy_pool_take(&pool, 8));
  assert_false(pool.failed);
  assert_null(wy_pool_take(&pool, SIZE_MAX));
  assert_null(wy_pool_take(&pool, SIZE_MAX - 100));
  assert_true(pool.failed);
  wy_pool_release(&pool);
}

static void a_setting_without_memory_changes_nothing(void **state) {
  (void)state;
  wy_scenario *scenario = read_text(SMALLEST);
  wy_status status = WY_ERROR_MEMORY;
  for (long n = 1; status == WY_ERROR_MEMORY; n++) {
    check_close(scenario->end, 1, 0);
    left = n;
    status = wy_scenario_set(scenario, "time.end=2", NULL);
    left = -1;
  }
  assert_int_equal(status, WY_OK);
  check_close(scenario->end, 2, 0);
  wy_scenario_destroy(scenario);
}

/* A run writes all kinds of files, with modes shapes as well; or none. */
static void check_run(const char *text, bool files, long least) {
  char folder[] = "/tmp/withy-memory-XXXXXX", command[64];
  assert_non_null(mkdtemp(folder));
  wy_status status = WY_ERROR_MEMORY;
  long n = 1;
  for (; status == WY_ERROR_MEMORY; n++) {
    wy_scenario *scenario = read_text(text);
    wy_run_def def = wy_default_run_def();
    wy_run_report report;
    wy_message message = {.text = ""};
    def.scenario = scenario;
    def.folder = files ? folder : NULL;
    const long before = live;
    left = n;
    status = wy_run(&def, &report, &message);
    left = -1;
    if (status != WY_OK && status != WY_ERROR_MEMORY)
      fail_msg("request %ld: got status %d with '%s', want %d", n, (int)status, message.text, WY_ERROR_MEMORY);
    wy_run_report_free(&report);
    if (live > before)
      fail_msg("request %ld: %ld pieces of memory are lost", n, live - before);
    wy_scenario_destroy(scenario);
  }
  assert_int_equal(status, WY_OK);
  check_above(n, least);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

static void running_without_memory_is_a_status(void **state) {
  (void)state;
  static const char rest[] = "rods: [{name: arm, length: 1, segments: 2, section: {shape: circle, radius: 0.01},\n"
                             "  material: {density: 1000, young: 1e6, poisson: 0.25}, ends: {start: clamped}}]\n"
                             "actuators: [{kind: tendon, offset: [0.01, 0], tension: 0.1*t}]\n"
                             "probes: [{name: tip, quantity: position, at: end}]\n"
                             "strands: [{guides: [arm], count: 2, radius: 0.01}]\n";
  char text[1024];
  snprintf(text, sizeof text, "withy: 1\ntime: {end: 0.01, output: 0.005}\n%s", rest);
  check_run(text, true, 20);
  check_run(text, false, 2);
  snprintf(text, sizeof text, "withy: 1\nanalysis: modes\nsolver: {modes: 2}\n%s", rest);
  check_run(text, true, 20);
  check_run(text, false, 2);
}

/* A plan, a point, its row in a journal, the table of all rows: whichever request is refused. */
static wy_status sweep_once(const char *plan_text, const char *folder, bool resume, char *said, size_t size) {
  static const wy_scenario_file arm = {
      "arm", "withy: 1\ntime: {end: 0.01, output: 0.005}\n"
             "rods: [{name: arm, length: 1, segments: 2, section: {shape: circle, radius: 0.01},\n"
             "  material: {density: 1000, young: 1e6, poisson: 0.25}, ends: {start: clamped}}]\n"
             "probes: [{name: tip, quantity: position, at: end}]\n"};
  wy_plan_def def = wy_default_plan_def();
  wy_sweep_def sweeping = wy_default_sweep_def();
  wy_plan *plan = NULL;
  wy_sweep *sweep = NULL;
  wy_scenario_error error = {.text = ""};
  wy_message message = {.text = ""};
  def.label = "plan.yaml";
  def.text = plan_text;
  def.scenarios = &arm;
  def.scenario_count = 1;
  wy_status status = wy_plan_read(&def, &plan, &error);
  sweeping.plan = plan;
  sweeping.folder = folder;
  sweeping.resume = resume;
  if (status == WY_OK)
    status = wy_sweep_open(&sweeping, &sweep, &message);
  if (status == WY_OK)
    status = wy_sweep_work(sweep, NULL, NULL, &message);
  const wy_status closed = wy_sweep_close(sweep, NULL, &message);
  wy_plan_destroy(plan);
  snprintf(said, size, "%s%s", error.text, message.text);
  return status == WY_OK ? closed : status;
}

/* A row of a run without memory says so, and is a row. */
static void check_sweep(const char *plan) {
  char folder[] = "/tmp/withy-memory-XXXXXX", command[64], said[4096];
  assert_non_null(mkdtemp(folder));
  bool refused = true;
  long failed = 0;
  for (long n = 1; refused; n++) {
    const long before = live;
    left = n;
    const wy_status status = sweep_once(plan, folder, n % 2, said, sizeof said);
    refused = left == 0;
    left = -1;
    failed += status == WY_ERROR_MEMORY;
    if (status != WY_OK && (status != WY_ERROR_MEMORY || !strstr(said, "out of memory")))
      fail_msg("request %ld: got status %d with '%s', want %d", n, (int)status, said, WY_ERROR_MEMORY);
    if (live > before)
      fail_msg("request %ld: %ld pieces of memory are lost", n, live - before);
  }
  check_above(failed, 100);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

static void sweeping_without_memory_is_a_status(void **state) {
  (void)state;
  check_sweep("withy: 1\nscenario: arm\nset: {gravity: [0, 0, -1]}\n"
              "vary: {rods.arm.segments: [2, 3], time.end: {from: 0.01, to: 0.02}}\ncombine: latin\ncount: 2\n"
              "keep: {z: {probe: tip.z}, two: 2*z, path: {probe: tip, of: series}}\n");
  check_sweep("withy: 1\nscenario: arm\nbatch: {substeps: 2}\n"
              "vary: {rods.arm.length: [1, 2], rods.arm.shape.curvature: [[1, 0, 0], [0, 1, 0]]}\n"
              "keep: {z: {probe: tip.z}, two: 2*z, path: {probe: tip, of: series}}\n");
}

/* Files of a folder whose names end in .part. */
static int parts_in(const char *folder) {
  int count = 0;
  DIR *opened = opendir(folder);
  assert_non_null(opened);
  for (const struct dirent *entry; (entry = readdir(opened)) != NULL;)
    count += strstr(entry->d_name, ".part") != NULL;
  closedir(opened);
  return count;
}

/* Refuses one request after the other. A folder without memory for one of its texts may look like one without it, so
   that an export can succeed in spite of a refusal. */
static void check_export(const char *folder, wy_export_format format, wy_export_shape shape) {
  bool refused = true;
  long failed = 0;
  for (long n = 1; refused; n++) {
    wy_folder *opened = NULL;
    wy_message message = {.text = ""};
    wy_export_def def = wy_default_export_def();
    def.format = format;
    def.shape = shape;
    def.snapshots = 2;
    const long before = live;
    left = n;
    wy_status status = wy_folder_open(folder, &opened, &message);
    if (status == WY_OK)
      status = wy_export(opened, &def, &message);
    refused = left == 0;
    left = -1;
    wy_folder_close(opened);
    failed += status == WY_ERROR_MEMORY;
    if (status != WY_ERROR_MEMORY && (status != WY_OK || (failed == 0 && n > 1)))
      fail_msg("format %d, request %ld: got status %d with '%s'", format, n, (int)status, message.text);
    if (live > before)
      fail_msg("format %d, request %ld: %ld pieces of memory are lost", format, n, live - before);
    assert_int_equal(parts_in(folder), 0);
  }
  check_above(failed, 20);
}

static void exporting_without_memory_is_a_status(void **state) {
  (void)state;
  char folder[] = "/tmp/withy-memory-XXXXXX", command[64];
  assert_non_null(mkdtemp(folder));
  wy_scenario *scenario =
      read_text("withy: 1\ntime: {end: 0.01, output: 0.005}\n"
                "rods: [{name: arm, length: 1, segments: 2, section: {shape: circle, radius: 0.01},\n"
                "  material: {density: 1000, young: 1e6, poisson: 0.25}, ends: {start: clamped}}]\n"
                "strands: [{guides: [arm], count: 2, radius: 0.01}]\n");
  wy_run_def def = wy_default_run_def();
  wy_run_report report;
  wy_message message = {.text = ""};
  def.scenario = scenario;
  def.folder = folder;
  assert_int_equal(wy_run(&def, &report, &message), WY_OK);
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  check_export(folder, WY_EXPORT_GLB, WY_EXPORT_USUAL);
  check_export(folder, WY_EXPORT_OBJ, WY_EXPORT_USUAL);
  check_export(folder, WY_EXPORT_CSV, WY_EXPORT_USUAL);
  check_export(folder, WY_EXPORT_USDA, WY_EXPORT_LINES);
  check_export(folder, WY_EXPORT_USDA, WY_EXPORT_TUBES);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

/* ---- Pages of sweeps ---- */

static void write_file(const char *folder, const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  assert_int_equal(fclose(out), 0);
}

/* Pictures are made in memory of the C library, which gives it to withy to be freed: LeakSanitizer sees the rest. */
static void drawing_a_sweep_without_memory_is_a_status(void **state) {
  (void)state;
  char folder[] = "/tmp/withy-memory-XXXXXX", command[64];
  bool refused = true;
  long failed = 0;
  assert_non_null(mkdtemp(folder));
  write_file(folder, "sweep.json",
             "{\"format\": 1, \"scenario\": \"a\", \"combine\": \"grid\", \"parameters\": [{\"path\": \"scheme\"}, "
             "{\"path\": \"a.segments\"}], \"quantities\": [{\"name\": \"q\", \"unit\": \"m\"}]}");
  write_file(folder, "sweep.csv",
             "point,scheme,a.segments,q,status,message\n0,x,1,3,done,\n1,x,2,2,done,\n2,x,4,1.5,done,note\n"
             "3,y,1,1,done,\n4,y,2,2,wrong,\n5,y,4,,failed,no\n");
  for (long n = 1; refused; n++) {
    wy_message message = {.text = ""};
    const long before = live;
    left = n;
    const wy_status status = wy_draw_sweep(folder, NULL, &message);
    refused = left == 0;
    left = -1;
    failed += status == WY_ERROR_MEMORY;
    if (refused != (status == WY_ERROR_MEMORY) || (!refused && status != WY_OK))
      fail_msg("request %ld: got status %d with '%s'", n, (int)status, message.text);
    check_at_most(live, before);
    assert_int_equal(parts_in(folder), 0);
  }
  check_above(failed, 10); /* two files, their tree, columns, charts */
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

/* Bytes that reading a scenario asks for, model and simulation included, where each of n rods has a load. */
static double bytes_of(int n) {
  size_t size = 256 + 128 * (size_t)n, used;
  char *text = calloc(1, size);
  used = (size_t)snprintf(text, size,
                          "withy: 1\ntime: {end: 1}\nsolver: {integrator: dopri5}\nrods:\n"
                          "  - &r {name: r0, length: 1, segments: 2, section: {shape: circle, radius: 0.01},\n"
                          "     material: {density: 1000, young: 1e6, poisson: 0.25}}\n");
  for (int i = 1; i < n; i++)
    used += (size_t)snprintf(text + used, size - used, "  - {<<: *r, name: r%d}\n", i);
  used += (size_t)snprintf(text + used, size - used, "loads:\n");
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, size - used, "  - {rod: r%d, at: end, force: [0, 0, 1]}\n", i);
  asked = 0;
  wy_scenario_destroy(read_text(text));
  double bytes = asked;
  free(text);
  return bytes;
}

/* Tables double where they are full, by some 100 bytes a rod: over hundreds of rods that is less than a byte a pair. A
   number of 8 bytes for each pair of a rod and a load is seen. */
static void memory_does_not_grow_with_rods_times_loads(void **state) {
  (void)state;
  const double one = bytes_of(100), two = bytes_of(200), eight = bytes_of(800);
  /* a + b n + c n^2 through the three: c is what counts for each pair. */
  const double c = ((eight - two) / 600 - (two - one) / 100) / 700;
  if (!(fabs(c) < 4))
    fail_msg("got %g bytes for each pair of a rod and a load, want less than 4 (%g, %g, %g bytes)", c, one, two, eight);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reading_without_memory_is_a_status),
      cmocka_unit_test(reading_a_network_without_memory_is_a_status),
      cmocka_unit_test(a_pool_without_memory_says_so),
      cmocka_unit_test(a_setting_without_memory_changes_nothing),
      cmocka_unit_test(running_without_memory_is_a_status),
      cmocka_unit_test(sweeping_without_memory_is_a_status),
      cmocka_unit_test(exporting_without_memory_is_a_status),
      cmocka_unit_test(drawing_a_sweep_without_memory_is_a_status),
      cmocka_unit_test(memory_does_not_grow_with_rods_times_loads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
