/* SPDX-License-Identifier: MIT */
/* The run loop through the C interface: what `withy run` does, for any program. The rules of the command have their
   twins here: an interrupted run can be resumed to the same files, a failure is reported and leaves what was computed,
   and no library part prints a word. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/scenario.h"
#include "withy/run.h"

#define MOVING                                                                                                         \
  "withy: 1\ntime: {end: 0.2, output: 0.002, frames: 0.01}\ngravity: [0, 0, -9.81]\nrods:\n" ROD                       \
  "    ends: {start: pinned}\nprobes: [{name: tip, at: end, quantity: position}]\n"
enum { ROWS = 101, SNAPSHOTS = 21 };

/* A folder for the runs of one test, and the words that were printed while they ran. */
typedef struct place {
  char root[64], words[96];
  int kept[2];
} place;

static void open_place(place *it) {
  snprintf(it->root, sizeof it->root, "/tmp/withy-run-XXXXXX");
  assert_non_null(mkdtemp(it->root));
  snprintf(it->words, sizeof it->words, "%s/words", it->root);
}

static void close_place(const place *it) {
  char command[96];
  snprintf(command, sizeof command, "rm -r %s", it->root);
  assert_int_equal(system(command), 0);
}

static const char *in(const place *it, const char *name) {
  static char paths[4][160];
  static int next;
  char *path = paths[next = (next + 1) % 4];
  snprintf(path, sizeof paths[0], "%s/%s", it->root, name);
  return path;
}

static bool exists(const char *path) {
  return access(path, F_OK) == 0;
}

static char *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("%s is missing", path);
  char *data = malloc(1 << 22);
  assert_non_null(data);
  *size = fread(data, 1, (1 << 22) - 1, file);
  data[*size] = '\0';
  fclose(file);
  return data;
}

static void check_same_file(const char *got, const char *want) {
  size_t got_size, want_size;
  char *a = contents(got, &got_size), *b = contents(want, &want_size);
  if (got_size != want_size || memcmp(a, b, got_size) != 0)
    fail_msg("%s (%zu bytes) differs from %s (%zu bytes)", got, got_size, want, want_size);
  free(a);
  free(b);
}

static int lines(const char *path) {
  size_t size;
  char *text = contents(path, &size);
  int count = 0;
  for (size_t i = 0; i < size; i++)
    count += text[i] == '\n';
  free(text);
  return count;
}

/* Whatever is printed meanwhile goes into a file. */
static void mute(place *it) {
  fflush(stdout);
  int file = open(it->words, O_WRONLY | O_CREAT | O_APPEND, 0600);
  check_at_least(file, 0);
  for (int i = 0; i < 2; i++) {
    it->kept[i] = dup(1 + i);
    dup2(file, 1 + i);
  }
  close(file);
}

static void unmute(const place *it) {
  fflush(stdout);
  for (int i = 0; i < 2; i++) {
    dup2(it->kept[i], 1 + i);
    close(it->kept[i]);
  }
}

static void check_silent(const place *it) {
  size_t size;
  char *text = contents(it->words, &size);
  if (size > 0)
    fail_msg("the library printed: %s", text);
  free(text);
}

/* What the callbacks were told. */
typedef struct watch {
  int calls;          /* of progress */
  double first, last; /* times */
  double end;
  bool backwards;
  int patience; /* after so many questions the run is interrupted; negative: never */
} watch;

static void on_progress(void *context, double t, double end) {
  watch *it = context;
  it->backwards = it->backwards || (it->calls > 0 && t < it->last);
  if (it->calls++ == 0)
    it->first = t;
  it->last = t;
  it->end = end;
}

static bool on_question(void *context) {
  watch *it = context;
  return it->patience >= 0 && it->patience-- == 0;
}

static wy_status run(place *it, const char *name, wy_scenario *scenario, bool resume, watch *watched,
                     wy_run_report *report, wy_message *message) {
  wy_run_def def = wy_default_run_def();
  def.scenario = scenario;
  def.folder = in(it, name);
  def.resume = resume;
  def.context = watched;
  def.progress = watched ? on_progress : NULL;
  def.interrupted = watched ? on_question : NULL;
  mute(it);
  wy_status status = wy_run(&def, report, message);
  unmute(it);
  check_silent(it);
  return status;
}

static void must_run(place *it, const char *name, wy_scenario *scenario, bool resume, wy_run_report *report) {
  wy_message message;
  if (run(it, name, scenario, resume, NULL, report, &message) != WY_OK)
    fail_msg("%s", message.text);
}

/* ---- Runs that come to their end ---- */

static void a_run_tells_how_far_it_is_and_what_it_was(void **state) {
  (void)state;
  place it;
  open_place(&it);
  wy_scenario *scenario = read_text(MOVING);
  watch watched = {.patience = -1};
  wy_run_report report;
  wy_message message;
  assert_int_equal(run(&it, "a", scenario, false, &watched, &report, &message), WY_OK);
  assert_int_equal(report.end, WY_RUN_DONE);
  assert_string_equal(report.message, "");
  assert_false(report.resumable);
  assert_int_equal(report.rows, ROWS);
  assert_int_equal(report.snapshots, SNAPSHOTS);
  assert_int_equal(lines(in(&it, "a/probes.csv")), 1 + ROWS);
  assert_true(exists(in(&it, "a/result.h5")) && exists(in(&it, "a/summary.json")));
  assert_false(exists(in(&it, "a/checkpoint")));
  check_at_least(watched.calls, ROWS);
  assert_true(watched.first == 0 && watched.last == 0.2 && watched.end == 0.2 && !watched.backwards);
  assert_true(report.t_end == 0.2 && wy_sim_time(report.sim) == 0.2);
  assert_true(report.statistics.steps == wy_sim_statistics(report.sim, 0).steps && report.statistics.steps > 0);
  assert_true(report.drift == wy_sim_drift(report.sim, 0));
  assert_true(report.file_seconds > 0 && report.file_seconds < report.wall_seconds);
  wy_run_report_free(&report);
  assert_null(report.sim);
  wy_scenario_destroy(scenario);
  close_place(&it);
}

static void callbacks_and_report_may_be_left_out(void **state) {
  (void)state;
  place it;
  open_place(&it);
  wy_scenario *scenario = read_text(MOVING);
  wy_run_def def = wy_default_run_def();
  def.scenario = scenario;
  def.folder = in(&it, "made/on/the/way");
  assert_int_equal(wy_run(&def, NULL, NULL), WY_OK);
  assert_int_equal(lines(in(&it, "made/on/the/way/probes.csv")), 1 + ROWS);
  wy_scenario_destroy(scenario);
  close_place(&it);
}

#define COLUMN                                                                                                         \
  "withy: 1\nanalysis: %s\nrods:\n" ROD "    ends: {start: clamped}\nloads: [{at: end, force: [%s, 0, 0]}]\n"          \
  "probes: [{name: tip, at: end, quantity: position}]\nsolver: {modes: 3}\n"

static wy_scenario *column(const char *analysis, const char *force) {
  char text[1024];
  snprintf(text, sizeof text, COLUMN, analysis, force);
  return read_text(text);
}

static void modes_are_in_the_report(void **state) {
  (void)state;
  static const char *const analyses[] = {"modes", "buckling"}, *const files[] = {"modes.csv", "buckling.csv"};
  place it;
  open_place(&it);
  for (int i = 0; i < 2; i++) {
    wy_scenario *scenario = column(analyses[i], i == 0 ? "0" : "-1");
    wy_run_report report;
    char path[64];
    must_run(&it, analyses[i], scenario, false, &report);
    assert_int_equal(report.end, WY_RUN_DONE);
    assert_true(report.mode_count >= 1 && report.mode_count <= 3);
    for (int k = 1; k < report.mode_count; k++)
      check_at_least(report.modes[k].value, report.modes[k - 1].value);
    snprintf(path, sizeof path, "%s/%s", analyses[i], files[i]);
    assert_int_equal(lines(in(&it, path)), 1 + report.mode_count);
    check_above(report.equilibrium.increments, 0);
    wy_run_report_free(&report);
    wy_scenario_destroy(scenario);
  }
  close_place(&it);
}

/* Findings that begin with a text, among those of before the run (`modes` has no effect on statics). */
static int count_findings(const wy_run_report *report, const char *code, const char *text) {
  int count = 0;
  for (int i = 0; i < report->finding_count; i++)
    count += strcmp(report->findings[i].code, code) == 0 && strncmp(report->findings[i].text, text, strlen(text)) == 0;
  return count;
}

/* The straight column under four times its critical load is an equilibrium that nothing would stay at: the library says
   so to every program, and the run repeats it. Below its critical load there is nothing to say. */
static void an_unstable_equilibrium_is_a_finding(void **state) {
  (void)state;
  place it;
  open_place(&it);
  wy_scenario *scenario = column("statics", "-0.02");
  wy_run_report report;
  wy_finding found;
  int count = 0;
  must_run(&it, "a", scenario, false, &report);
  assert_int_equal(report.end, WY_RUN_DONE);
  assert_int_equal(wy_sim_verify(report.sim, &found, 1, &count, NULL), WY_OK);
  assert_int_equal(count, 1);
  assert_int_equal(found.severity, WY_NOTE);
  assert_string_equal(found.code, "unstable");
  assert_true(found.value == report.equilibrium.unstable && found.value > 0);
  assert_int_equal(count_findings(&report, "unstable", found.text), 1);
  assert_true(strncmp(report.message, found.text, strlen(found.text)) == 0);
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  scenario = column("statics", "-0.001");
  must_run(&it, "a", scenario, false, &report);
  assert_int_equal(count_findings(&report, "unstable", ""), 0);
  assert_string_equal(report.message, "");
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  close_place(&it);
}

/* Calls that write, of this process up to now, where the system counts them; else -1. */
static long count_writes(void) {
  FILE *file = fopen("/proc/self/io", "r");
  long count = -1;
  char line[80];
  while (file && fgets(line, sizeof line, file))
    sscanf(line, "syscw: %ld", &count);
  if (file)
    fclose(file);
  return count;
}

/* Files must not be what limits a run: rows and snapshots go to disk many at once. There is a flush for every tenth of
   a second, for every 64 KiB of a file, one at each checkpoint (every half second) and one at the end. It writes each
   table, each dataset and the counter. Making the files takes HDF5 a hundred calls at most. */
static void a_run_writes_in_few_calls(void **state) {
  (void)state;
  enum { DATASETS = 17, TABLES = 2, MAKING = 100, MANY_ROWS = 2001, MANY_SNAPSHOTS = 1001 };
  static const char *const settings[] = {"time.output=1e-4", "time.frames=2e-4"};
  place it;
  open_place(&it);
  wy_scenario *scenario = read_with(MOVING, settings, 2);
  wy_run_report report;
  long before = count_writes();
  must_run(&it, "a", scenario, false, &report);
  long writes = count_writes() - before;
  assert_int_equal(report.rows, MANY_ROWS);
  assert_int_equal(report.snapshots, MANY_SNAPSHOTS);
  size_t size;
  free(contents(in(&it, "a/result.h5"), &size));
  double flushes = 2 + report.wall_seconds / 0.1 + report.wall_seconds / 0.5 + 2 * (double)size / 65536;
  if (before >= 0 && (double)writes > MAKING + flushes * (DATASETS + TABLES + 1))
    fail_msg("%ld calls for %d rows and %d snapshots in %.2f s; expected at most %.0f", writes, MANY_ROWS,
             MANY_SNAPSHOTS, report.wall_seconds, MAKING + flushes * (DATASETS + TABLES + 1));
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  close_place(&it);
}

/* ---- Interruption and resumption ---- */

static void an_interrupted_run_is_resumed_to_the_same_files(void **state) {
  (void)state;
  static const char *const files[] = {"probes.csv", "steps.csv", "result.h5", "result.xdmf"};
  place it;
  open_place(&it);
  wy_scenario *scenario = read_text(MOVING);
  wy_run_report report;
  wy_message message;
  must_run(&it, "whole", scenario, false, &report);
  wy_run_report_free(&report);
  for (int patience = 0; patience < 200; patience += 53) {
    watch watched = {.patience = patience};
    assert_int_equal(run(&it, "parts", scenario, false, &watched, &report, &message), WY_OK);
    assert_int_equal(report.end, WY_RUN_INTERRUPTED);
    assert_true(report.resumable);
    assert_non_null(strstr(report.message, "interrupted at t = "));
    check_below(report.t_end, 0.2);
    assert_int_equal(lines(in(&it, "parts/probes.csv")), 1 + report.rows);
    assert_true(exists(in(&it, "parts/checkpoint")));
    wy_run_report_free(&report);
    /* Interrupted once more, at once, then to the end. */
    watched = (watch){.patience = 1};
    assert_int_equal(run(&it, "parts", scenario, true, &watched, &report, &message), WY_OK);
    assert_int_equal(report.end, WY_RUN_INTERRUPTED);
    wy_run_report_free(&report);
    must_run(&it, "parts", scenario, true, &report);
    assert_int_equal(report.end, WY_RUN_DONE);
    assert_int_equal(report.rows, ROWS);
    wy_run_report_free(&report);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
      char got[64], want[64];
      snprintf(got, sizeof got, "parts/%s", files[i]);
      snprintf(want, sizeof want, "whole/%s", files[i]);
      check_same_file(in(&it, got), in(&it, want));
    }
  }
  must_run(&it, "whole", scenario, true, &report);
  assert_int_equal(report.end, WY_RUN_COMPLETE);
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  close_place(&it);
}

/* ---- Failures ---- */

static void check_refusal(place *it, const char *name, wy_scenario *scenario, bool resume, const char *want) {
  wy_run_report report;
  wy_message message;
  assert_int_equal(run(it, name, scenario, resume, NULL, &report, &message), WY_ERROR_INPUT);
  assert_int_equal(report.end, WY_RUN_REFUSED);
  if (!strstr(message.text, want))
    fail_msg("got '%s', want '%s' in it", message.text, want);
  assert_string_equal(report.message, message.text);
  wy_run_report_free(&report);
}

static void what_cannot_run_is_refused(void **state) {
  (void)state;
  place it;
  open_place(&it);
  wy_scenario *scenario = read_text(MOVING);
  mute(&it);
  unmute(&it);
  check_refusal(&it, "words", scenario, false, "is a file");
  check_refusal(&it, "nothing", scenario, true, "nothing to resume");
  check_refusal(&it, "", NULL, false, "no scenario");
  wy_run_def def = {.scenario = scenario, .folder = it.root};
  wy_message message = {.text = ""};
  assert_int_equal(wy_run(&def, NULL, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "wy_default_run_def"));
  wy_scenario_destroy(scenario);
  close_place(&it);
}

/* Everything until the failure is there, and is told; resuming would fail again. */
static void a_failed_run_leaves_what_was_computed(void **state) {
  (void)state;
  place it;
  open_place(&it);
  wy_scenario *scenario =
      read_text(MOVING "loads: [{at: end, force: ['t > 0.1011 ? (t < 0.1019 ? sqrt(-1) : 0) : 0', 0, 0]}]\n");
  wy_run_report report;
  wy_message message;
  assert_int_equal(run(&it, "a", scenario, false, NULL, &report, &message), WY_ERROR_SOLVER);
  assert_int_equal(report.end, WY_RUN_FAILED);
  assert_string_equal(report.message, message.text);
  assert_non_null(strstr(message.text, "t = 0.10"));
  assert_false(report.resumable);
  assert_true(report.rows == 51 && report.snapshots == 11);
  check_close(report.t_end, 0.1, 1e-15);
  assert_int_equal(lines(in(&it, "a/probes.csv")), 1 + 51);
  assert_true(exists(in(&it, "a/summary.json")) && !exists(in(&it, "a/checkpoint")));
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  close_place(&it);
}

/* The rod of tests/cli/test_run_verdict that comes apart. */
static void a_wrong_result_is_told_and_kept(void **state) {
  (void)state;
  place it;
  open_place(&it);
  wy_scenario *scenario =
      read_text("withy: 1\ntime: {end: 5, output: 0.01}\ngravity: [0, 0, -9.81]\nrods:\n"
                "  - {name: r, model: inextensible, length: 0.5, segments: 10, section: {shape: circle, radius: 0.01}, "
                "material: {density: 1000, young: 1.0e6, poisson: 0.4}, ends: {start: clamped}}\n"
                "probes: [{name: tip, at: end, quantity: position}]\nsolver: {scheme: mixed, step: 0.001}\n");
  wy_run_report report;
  wy_message message;
  assert_int_equal(run(&it, "a", scenario, false, NULL, &report, &message), WY_ERROR_RESULT);
  assert_int_equal(report.end, WY_RUN_WRONG);
  assert_non_null(strstr(report.message, "has come apart"));
  assert_true(report.finding_count > 0 && report.findings[0].severity == WY_WRONG);
  assert_int_equal(lines(in(&it, "a/probes.csv")), 1 + report.rows);
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  close_place(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_tells_how_far_it_is_and_what_it_was),
      cmocka_unit_test(callbacks_and_report_may_be_left_out),
      cmocka_unit_test(modes_are_in_the_report),
      cmocka_unit_test(an_unstable_equilibrium_is_a_finding),
      cmocka_unit_test(a_run_writes_in_few_calls),
      cmocka_unit_test(an_interrupted_run_is_resumed_to_the_same_files),
      cmocka_unit_test(what_cannot_run_is_refused),
      cmocka_unit_test(a_failed_run_leaves_what_was_computed),
      cmocka_unit_test(a_wrong_result_is_told_and_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
