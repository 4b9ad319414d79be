/* SPDX-License-Identifier: MIT */
/* Sweeps: every row is that of wy_run with the same settings, bit for bit, in whatever order, by however many threads
   and parts; what was cut off by a kill is computed again; a run that fails is a row.
   links: withy_run */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* flock */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "check.h"
#include "withy/sweep.h"

static const char scenario[] = "withy: 1\n"
                               "time: {end: 0.05, output: 0.01}\n"
                               "gravity: [0, 0, -9.81]\n"
                               "constants: {r: 0.01}\n"
                               "rods:\n"
                               "  - {name: arm, length: 1, segments: 4, section: {shape: circle, radius: r},\n"
                               "     material: {density: 1000, young: 1e6, poisson: 0.25}, ends: {start: clamped}}\n"
                               "probes:\n"
                               "  - {name: tip, rod: arm, at: end, quantity: position}\n"
                               "  - {name: energy, quantity: energy}\n"
                               "solver: {integrator: radau5}\n";

static const char plan_text[] = "withy: 1\n"
                                "scenario: arm\n"
                                "set: {gravity: [0, 0, -5]}\n"
                                "vary:\n"
                                "  rods.arm.segments: [3, 0, 5]\n"
                                "  constants.r: {from: 0.01, to: 0.02, count: 3}\n"
                                "keep:\n"
                                "  last: {probe: tip.z}\n"
                                "  first: {probe: tip.x, of: start}\n"
                                "  low: {probe: tip.z, of: min}\n"
                                "  high: {probe: tip.z, of: max}\n"
                                "  mean: {probe: tip.z, of: mean}\n"
                                "  rms: {probe: tip.z, of: rms}\n"
                                "  wide: {probe: tip.z, of: range}\n"
                                "  steps: {run: steps}\n"
                                "  work: (high - low)*steps + 0*mean\n"
                                "  path: {probe: tip, of: series}\n"
                                "  course: {probe: energy, of: series}\n";
enum { POINTS = 9, LAST = 0, FIRST, LOW, HIGH, MEAN, RMS, WIDE, STEPS, WORK, QUANTITIES };

static wy_plan *read_plan(const char *text) {
  static const wy_scenario_file known[] = {{"arm", scenario}};
  wy_plan_def def = wy_default_plan_def();
  wy_plan *plan = NULL;
  wy_scenario_error error = {.text = ""};
  def.label = "plan.yaml";
  def.text = text;
  def.scenarios = known;
  def.scenario_count = 1;
  if (wy_plan_read(&def, &plan, &error) != WY_OK)
    fail_msg("%s", error.text);
  return plan;
}

static char *new_folder(void) {
  static char folder[64];
  snprintf(folder, sizeof folder, "/tmp/withy-sweep-XXXXXX");
  assert_non_null(mkdtemp(folder));
  return folder;
}

static void remove_folder(const char *folder) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

static char *contents(const char *folder, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("there is no %s", path);
  char *text = calloc(1, 1 << 20);
  const size_t size = fread(text, 1, (1 << 20) - 1, file);
  check_above(size, 0);
  fclose(file);
  return text;
}

/* ---- One point ---- */

enum { ROWS = 6, COLUMNS = 4 };
typedef struct course {
  int rows;
  double t[ROWS], values[ROWS][COLUMNS];
} course;

static void take(void *context, double t, const double *values) {
  course *c = context;
  check_below(c->rows, ROWS);
  c->t[c->rows] = t;
  memcpy(c->values[c->rows++], values, sizeof c->values[0]);
}

/* The run of a point as a program would make it. */
static wy_run_report run_alone(const wy_plan *plan, int point, wy_scenario **out, course *rows) {
  char texts[4][128];
  const char *settings[4];
  wy_run_report report;
  wy_scenario_error error;
  wy_run_def def = wy_default_run_def();
  const int count = wy_plan_setting_count(plan);
  assert_int_equal(count, 3);
  for (int i = 0; i < count; i++) {
    check_below(wy_plan_setting(plan, point, i, texts[i], sizeof texts[i]), sizeof texts[i]);
    settings[i] = texts[i];
  }
  *rows = (course){0};
  assert_int_equal(wy_scenario_read("arm", "arm", scenario, settings, count, out, &error), WY_OK);
  def.scenario = *out;
  def.row = take;
  def.context = rows;
  assert_int_equal(wy_run(&def, &report, NULL), WY_OK);
  return report;
}

static double mean_of(const course *c, int power) {
  double sum = 0;
  for (int i = 1; i < ROWS; i++)
    sum += (c->t[i] - c->t[i - 1]) * (pow(c->values[i - 1][2], power) + pow(c->values[i][2], power)) / 2;
  return sum / c->t[ROWS - 1];
}

static void check_row(const wy_sweep_row *row, const course *c, const wy_run_report *report) {
  double low = c->values[0][2], high = low;
  for (int i = 1; i < ROWS; i++) {
    low = c->values[i][2] < low ? c->values[i][2] : low;
    high = c->values[i][2] > high ? c->values[i][2] : high;
  }
  assert_int_equal(row->status, WY_POINT_DONE);
  assert_int_equal(row->quantity_count, QUANTITIES);
  check_close(row->quantities[LAST], c->values[ROWS - 1][2], 0);
  check_close(row->quantities[FIRST], c->values[0][0], 0);
  check_close(row->quantities[LOW], low, 0);
  check_close(row->quantities[HIGH], high, 0);
  check_close(row->quantities[MEAN], mean_of(c, 1), 1e-14 * fabs(low));
  check_close(row->quantities[RMS], sqrt(mean_of(c, 2)), 1e-14 * fabs(low));
  check_close(row->quantities[WIDE], high - low, 0);
  check_close(row->quantities[STEPS], (double)report->statistics.steps, 0);
  check_close(row->quantities[WORK], (high - low) * (double)report->statistics.steps, 1e-15);
  assert_int_equal(row->series_count, 2);
  assert_int_equal(row->series[0].row_count, ROWS);
  assert_int_equal(row->series[0].column_count, 3);
  assert_int_equal(row->series[1].column_count, 1);
  for (int i = 0; i < ROWS; i++) {
    check_close(row->series[0].times[i], c->t[i], 0);
    check_close(row->series[1].times[i], c->t[i], 0);
    assert_memory_equal(&row->series[0].values[3 * i], c->values[i], 3 * sizeof(double));
    check_close(row->series[1].values[i], c->values[i][3], 0);
  }
}

static void a_point_is_a_run(void **state) {
  (void)state;
  wy_plan *plan = read_plan(plan_text);
  assert_int_equal(wy_plan_point_count(plan), POINTS);
  assert_int_equal(wy_plan_quantity_count(plan), QUANTITIES);
  assert_string_equal(wy_plan_quantity_unit(plan, LOW), "m");
  assert_string_equal(wy_plan_series_column(plan, 0, 2), "tip.z");
  for (int point = 0; point < POINTS; point++) {
    wy_sweep_row row;
    wy_message message;
    assert_int_equal(wy_sweep_point(plan, point, NULL, NULL, &row, &message), WY_OK);
    if (point / 3 == 1) { /* no segments */
      assert_int_equal(row.status, WY_POINT_REFUSED);
      assert_string_equal(row.message,
                          "arm: --set rods.arm.segments: found '0'; expected a whole number from 1 to 1000000");
      assert_true(isnan(row.quantities[LOW]));
      assert_int_equal(row.series[0].row_count, 0);
    } else {
      wy_scenario *made = NULL;
      course rows;
      wy_run_report report = run_alone(plan, point, &made, &rows);
      check_row(&row, &rows, &report);
      wy_run_report_free(&report);
      wy_scenario_destroy(made);
    }
    wy_sweep_row_free(&row);
  }
  wy_plan_destroy(plan);
}

static void rows_travel_as_bytes(void **state) {
  (void)state;
  wy_plan *plan = read_plan(plan_text);
  wy_sweep_row row, back;
  wy_message message;
  assert_int_equal(wy_sweep_point(plan, 7, NULL, NULL, &row, &message), WY_OK);
  const size_t size = wy_sweep_row_size(&row);
  char *bytes = malloc(size), *again = malloc(size);
  assert_int_equal(wy_sweep_row_pack(&row, bytes, size, &message), WY_OK);
  assert_int_equal(wy_sweep_row_unpack(bytes, size, &back, &message), WY_OK);
  assert_int_equal(back.point, 7);
  assert_int_equal(wy_sweep_row_pack(&back, again, size, &message), WY_OK);
  assert_memory_equal(bytes, again, size);
  wy_sweep_row_free(&back);
  for (size_t cut = 0; cut < size; cut++) /* nothing but the whole is taken */
    assert_int_equal(wy_sweep_row_unpack(bytes, cut, &back, &message), WY_ERROR_INPUT);
  free(bytes);
  free(again);
  wy_sweep_row_free(&row);
  wy_plan_destroy(plan);
}

/* ---- Sweeps ---- */

static wy_sweep *open_sweep(const wy_plan *plan, const char *folder, int part, int parts, bool resume) {
  wy_sweep_def def = wy_default_sweep_def();
  wy_sweep *sweep = NULL;
  wy_message message = {.text = ""};
  def.plan = plan;
  def.folder = folder;
  def.part = part;
  def.parts = parts;
  def.resume = resume;
  if (wy_sweep_open(&def, &sweep, &message) != WY_OK)
    fail_msg("%s", message.text);
  return sweep;
}

static wy_sweep_counts close_sweep(wy_sweep *sweep) {
  wy_sweep_counts counts;
  wy_message message = {.text = ""};
  if (wy_sweep_close(sweep, &counts, &message) != WY_OK)
    fail_msg("%s", message.text);
  return counts;
}

/* The table of one thread, whole. */
static char *whole_table(const wy_plan *plan) {
  char *folder = new_folder();
  wy_sweep *sweep = open_sweep(plan, folder, 1, 1, false);
  assert_int_equal(wy_sweep_work(sweep, NULL, NULL, NULL), WY_OK);
  const wy_sweep_counts counts = close_sweep(sweep);
  assert_int_equal(counts.done, 6);
  assert_int_equal(counts.refused, 3);
  assert_int_equal(counts.missing, 0);
  char *table = contents(folder, "sweep.csv");
  remove_folder(folder);
  return table;
}

static const char batch_text[] = "withy: 1\n"
                                 "scenario: arm\n"
                                 "set: {probes: [{name: tip, at: end, quantity: position}]}\n"
                                 "vary: {rods.arm.section.radius: {from: 0.01, to: 0.02, count: 9}}\n"
                                 "batch: {substeps: 4}\n";

static bool never(void *context) {
  return context != NULL;
}

static void a_batch_is_computed_together(void **state) {
  (void)state;
  wy_plan *plan = read_plan(batch_text), *other = read_plan(plan_text);
  char *folder = new_folder();
  wy_sweep *sweep = open_sweep(plan, folder, 1, 1, false);
  wy_sweep_row row;
  wy_message message = {.text = ""};
  int stop = 1;
  assert_true(wy_plan_is_batch(plan));
  assert_false(wy_plan_is_batch(other));
  assert_int_equal(wy_sweep_point(plan, 0, NULL, NULL, &row, &message), WY_ERROR_INPUT);
  if (!strstr(message.text, "computed together"))
    fail_msg("a point of a batch: want a refusal that says so, got '%s'", message.text);
  assert_int_equal(wy_sweep_work(sweep, never, &stop, NULL), WY_OK);
  assert_int_equal(wy_sweep_progress(sweep).missing, 9);
  close_sweep(sweep);
  sweep = open_sweep(plan, folder, 1, 1, true);
  assert_int_equal(wy_sweep_work(sweep, never, NULL, NULL), WY_OK);
  assert_int_equal(wy_sweep_work(sweep, NULL, NULL, NULL), WY_OK); /* nothing is left to do */
  assert_int_equal(close_sweep(sweep).done, 9);
  sweep = open_sweep(other, folder, 1, 1, false);
  assert_int_equal(wy_sweep_batch(sweep, NULL, NULL, NULL, NULL), WY_ERROR_INPUT);
  close_sweep(sweep);
  remove_folder(folder);
  wy_plan_destroy(plan);
  wy_plan_destroy(other);
}

static void *work(void *context) {
  return wy_sweep_work(context, NULL, NULL, NULL) == WY_OK ? NULL : context;
}

static void threads_give_the_same_table(void **state) {
  (void)state;
  wy_plan *plan = read_plan(plan_text);
  char *want = whole_table(plan);
  for (int threads = 2; threads <= 5; threads++) {
    char *folder = new_folder();
    pthread_t ids[5];
    wy_sweep *sweep = open_sweep(plan, folder, 1, 1, false);
    for (int i = 0; i < threads; i++)
      assert_int_equal(pthread_create(&ids[i], NULL, work, sweep), 0);
    for (int i = 0; i < threads; i++) {
      void *failed;
      pthread_join(ids[i], &failed);
      assert_null(failed);
    }
    close_sweep(sweep);
    char *table = contents(folder, "sweep.csv");
    assert_string_equal(table, want);
    free(table);
    remove_folder(folder);
  }
  free(want);
  wy_plan_destroy(plan);
}

/* Parts of any number, from last to first; more parts than points leave some without work. */
static void parts_give_the_same_table(void **state) {
  (void)state;
  static const int divisions[] = {2, 3, 4, 11};
  wy_plan *plan = read_plan(plan_text);
  char *want = whole_table(plan);
  for (int k = 0; k < 4; k++) {
    char *folder = new_folder();
    wy_message message = {.text = ""};
    wy_sweep_counts counts;
    for (int part = divisions[k]; part >= 1; part--) {
      wy_sweep *sweep = open_sweep(plan, folder, part, divisions[k], part % 2);
      assert_int_equal(wy_sweep_work(sweep, NULL, NULL, NULL), WY_OK);
      close_sweep(sweep);
      const wy_status status = wy_sweep_collect(folder, false, &counts, &message);
      assert_int_equal(status, counts.missing == 0 ? WY_OK : WY_ERROR_RESULT);
      if (k == 1 && part == 2)
        assert_non_null(strstr(message.text, "3 of 9 points have no row: part 1/3 (3 points)"));
    }
    assert_int_equal(counts.points, POINTS);
    assert_int_equal(counts.done, 6);
    char *table = contents(folder, "sweep.csv");
    assert_string_equal(table, want);
    free(table);
    remove_folder(folder);
  }
  free(want);
  wy_plan_destroy(plan);
}

static void cut(const char *folder, const char *name, long size) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(truncate(path, size), 0);
}

static long size_of(const char *folder, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fclose(file);
  return size;
}

/* As a kill leaves them: the journal ends anywhere, the series where they were then or later. */
static void a_sweep_that_was_cut_off_goes_on(void **state) {
  (void)state;
  wy_plan *plan = read_plan(plan_text);
  char *want = whole_table(plan), *folder = new_folder();
  const int parts = 2;
  for (int round = 0; round < 20; round++) {
    for (int part = 1; part <= parts; part++) {
      wy_sweep *sweep = open_sweep(plan, folder, part, parts, true);
      assert_int_equal(wy_sweep_work(sweep, NULL, NULL, NULL), WY_OK);
      close_sweep(sweep);
    }
    wy_message message = {.text = ""};
    if (wy_sweep_collect(folder, false, NULL, &message) != WY_OK)
      fail_msg("round %d: %s", round, message.text);
    char *table = contents(folder, "sweep.csv");
    assert_string_equal(table, want);
    free(table);
    const long journal = size_of(folder, "journal-1-of-2.csv"), series = size_of(folder, "series-1-of-2.bin");
    cut(folder, "journal-1-of-2.csv", journal * round / 20);
    cut(folder, "series-1-of-2.bin", series * (round * 7 % 20) / 20);
  }
  remove_folder(folder);
  free(want);
  wy_plan_destroy(plan);
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  wy_plan *plan = read_plan(plan_text), *other = read_plan("withy: 1\nscenario: arm\nvary: {constants.r: [0.01]}\n");
  char *folder = new_folder();
  wy_sweep_def def = wy_default_sweep_def();
  wy_sweep *sweep = open_sweep(plan, folder, 1, 1, false), *second = NULL;
  wy_message message = {.text = ""};
  wy_sweep_row row;
  def.plan = plan;
  def.folder = folder;
  assert_int_equal(wy_sweep_open(&def, &second, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "another sweep or run is writing into"));
  assert_int_equal(wy_sweep_point(other, 0, NULL, NULL, &row, &message), WY_OK);
  assert_int_equal(wy_sweep_record(sweep, &row, &message), WY_ERROR_INPUT);
  wy_sweep_row_free(&row);
  close_sweep(sweep);
  def.plan = other;
  def.resume = true;
  assert_int_equal(wy_sweep_open(&def, &second, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "belongs to another plan"));
  sweep = open_sweep(plan, folder, 1, 2, false);
  def = wy_default_sweep_def();
  def.plan = plan;
  def.folder = folder;
  def.parts = 2;
  assert_int_equal(wy_sweep_open(&def, &second, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "another process is computing part 1/2"));
  def.part = 2;
  assert_int_equal(wy_sweep_open(&def, &second, &message), WY_OK);
  assert_int_equal(wy_sweep_next(second), 1);
  assert_int_equal(wy_sweep_next(second), 3);
  close_sweep(second);
  close_sweep(sweep);
  remove_folder(folder);
  assert_int_equal(wy_sweep_collect("/nonexistent", false, NULL, &message), WY_ERROR_INPUT);
  wy_plan_destroy(plan);
  wy_plan_destroy(other);
}

/* Parts start at the same time: a journal that another process has just locked has no head yet. */
static void a_part_removes_no_journal_that_is_in_use(void **state) {
  (void)state;
  wy_plan *plan = read_plan(plan_text),
          *other = read_plan("withy: 1\nscenario: arm\nvary: {constants.r: [0.01, 0.02]}\n");
  char *folder = new_folder(), path[4096];
  wy_sweep_def def = wy_default_sweep_def();
  wy_sweep *second = NULL;
  wy_message message = {.text = ""};
  def.plan = plan;
  def.folder = folder;
  def.part = def.parts = 2;
  snprintf(path, sizeof path, "%s/journal-1-of-2.csv", folder);
  const int file = open(path, O_RDWR | O_CREAT, 0666);
  assert_int_equal(flock(file, LOCK_EX), 0);
  assert_int_equal(wy_sweep_open(&def, &second, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "another process is computing part 1/2"));
  assert_int_equal(access(path, F_OK), 0);
  close(file);
  wy_sweep *sweep = open_sweep(other, folder, 1, 2, false);
  assert_int_equal(wy_sweep_open(&def, &second, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "part 1/2 of another plan"));
  assert_int_equal(access(path, F_OK), 0);
  close_sweep(sweep);
  close_sweep(open_sweep(plan, folder, 2, 2, false));
  assert_int_not_equal(access(path, F_OK), 0);
  remove_folder(folder);
  wy_plan_destroy(plan);
  wy_plan_destroy(other);
}

/* ---- Runs that do not end well ---- */

static bool at_once(void *context) {
  ++*(int *)context;
  return true;
}

static void an_interrupted_point_has_no_row(void **state) {
  (void)state;
  wy_plan *plan = read_plan(plan_text);
  char *folder = new_folder();
  int asked = 0;
  wy_sweep_row row;
  assert_int_equal(wy_sweep_point(plan, 0, at_once, &asked, &row, NULL), WY_OK);
  assert_int_equal(row.status, WY_POINT_INTERRUPTED);
  check_above(asked, 0);
  wy_sweep *sweep = open_sweep(plan, folder, 1, 1, false);
  assert_int_equal(wy_sweep_record(sweep, &row, NULL), WY_ERROR_INPUT);
  assert_int_equal(wy_sweep_work(sweep, at_once, &asked, NULL), WY_OK);
  assert_int_equal(close_sweep(sweep).missing, POINTS);
  wy_sweep_row_free(&row);
  remove_folder(folder);
  wy_plan_destroy(plan);
}

/* A force that is no number between two rows: the solver gives up, and the last of its rows is not the end. */
static void a_failed_run_is_a_row(void **state) {
  (void)state;
  wy_plan *plan =
      read_plan("withy: 1\nscenario: arm\nvary:\n"
                "  loads: [[], [{at: end, force: [\"t > 0.021 ? (t < 0.029 ? sqrt(-1) : 0) : 0\", 0, 0]}]]\n"
                "keep: {z: {probe: tip.z}, one: z/z, all: {probe: tip, of: series}}\n");
  wy_sweep_row row;
  assert_int_equal(wy_plan_point_count(plan), 2);
  assert_int_equal(wy_sweep_point(plan, 1, NULL, NULL, &row, NULL), WY_OK);
  assert_int_equal(row.status, WY_POINT_FAILED);
  assert_non_null(strstr(row.message, "t = 0.02"));
  assert_true(isnan(row.quantities[0]) && isnan(row.quantities[1]));
  assert_int_equal(row.series[0].row_count, 0);
  wy_sweep_row_free(&row);
  assert_int_equal(wy_sweep_point(plan, 0, NULL, NULL, &row, NULL), WY_OK);
  assert_int_equal(row.status, WY_POINT_DONE);
  check_close(row.quantities[1], 1, 0);
  wy_sweep_row_free(&row);
  wy_plan_destroy(plan);
}

static void a_quantity_without_a_value_is_wrong(void **state) {
  (void)state;
  wy_plan *plan =
      read_plan("withy: 1\nscenario: arm\nset: {time.end: 1}\nvary: {constants.r: [0.01]}\n"
                "keep: {y: {probe: tip.y, of: range}, z: {probe: tip.z, of: start}, q: y/(z - z), w: 2*q}\n");
  wy_sweep_row row;
  assert_int_equal(wy_sweep_point(plan, 0, NULL, NULL, &row, NULL), WY_OK);
  assert_int_equal(row.status, WY_POINT_WRONG);
  assert_true(isnan(row.quantities[2]) && isnan(row.quantities[3]));
  assert_string_equal(row.message, "keep.q is not a finite number");
  wy_sweep_row_free(&row);
  wy_plan_destroy(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_is_a_run),
      cmocka_unit_test(rows_travel_as_bytes),
      cmocka_unit_test(a_batch_is_computed_together),
      cmocka_unit_test(threads_give_the_same_table),
      cmocka_unit_test(parts_give_the_same_table),
      cmocka_unit_test(a_sweep_that_was_cut_off_goes_on),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(a_part_removes_no_journal_that_is_in_use),
      cmocka_unit_test(an_interrupted_point_has_no_row),
      cmocka_unit_test(a_failed_run_is_a_row),
      cmocka_unit_test(a_quantity_without_a_value_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
