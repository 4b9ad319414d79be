/* SPDX-License-Identifier: MIT */
/* A run without a folder is the run with one, without its files: the same rows to the last bit, the same end, the same
   words. Studies of many runs rest on this. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <unistd.h>

#include "support/scenario.h"
#include "withy/folder.h"
#include "withy/run.h"

#define PROBES "probes: [{name: tip, at: end, quantity: position}, {name: stored, quantity: elastic}]\n"
#define HANGING "gravity: [0, 0, -9.81]\nrods:\n" ROD "    ends: {start: clamped}\n" PROBES

enum { MOST_VALUES = 4000 };

/* The rows of a run, one number after the other. */
typedef struct rows {
  int columns, count; /* count: of numbers, t included */
  double numbers[MOST_VALUES];
  int patience; /* so many rows, then the run is interrupted; 0: never */
} rows;

static void keep_row(void *context, double t, const double *values) {
  rows *it = context;
  check_at_most(it->count + 1 + it->columns, MOST_VALUES);
  it->numbers[it->count++] = t;
  for (int i = 0; i < it->columns; i++)
    it->numbers[it->count++] = values[i];
}

static bool is_enough(void *context) {
  const rows *it = context;
  return it->patience > 0 && it->count >= it->patience * (1 + it->columns);
}

/* Runs the text, with its files in the folder, or without files. */
static wy_status run(const char *text, const char *folder, rows *kept, wy_run_report *report, wy_scenario **scenario) {
  wy_message message;
  *scenario = read_text(text);
  *kept = (rows){.columns = (*scenario)->column_count, .patience = kept->patience};
  wy_run_def def = wy_default_run_def();
  def.scenario = *scenario;
  def.folder = folder;
  def.context = kept;
  def.row = keep_row;
  def.interrupted = is_enough;
  wy_status status = wy_run(&def, report, &message);
  assert_true(status == WY_OK || strcmp(report->message, message.text) == 0);
  return status;
}

/* What the file has is what the callback was told. */
static void check_file(const char *path, const rows *told, const wy_scenario *scenario) {
  wy_folder *folder;
  wy_message message;
  const wy_table *table;
  assert_int_equal(wy_folder_open(path, &folder, &message), WY_OK);
  assert_int_equal(wy_folder_table(folder, "probes.csv", &table, &message), WY_OK);
  assert_int_equal(table->columns, 1 + scenario->column_count);
  for (int i = 0; i < scenario->column_count; i++)
    assert_string_equal(table->name[1 + i], scenario->columns[i]);
  assert_int_equal(table->rows * table->columns, told->count);
  for (int i = 0; i < told->count; i++)
    assert_true(table->values[i % table->columns][i / table->columns] == told->numbers[i]);
  wy_folder_close(folder);
}

static void check_same_reports(const wy_run_report *one, const wy_run_report *two) {
  assert_int_equal(one->end, two->end);
  assert_string_equal(one->message, two->message);
  assert_true(one->rows == two->rows && one->snapshots == two->snapshots && one->t_end == two->t_end);
  assert_memory_equal(&one->drift, &two->drift, sizeof one->drift);
  assert_memory_equal(&one->statistics, &two->statistics, sizeof one->statistics);
  assert_int_equal(one->finding_count, two->finding_count);
  for (int i = 0; i < one->finding_count; i++)
    assert_string_equal(one->findings[i].text, two->findings[i].text);
  assert_int_equal(one->mode_count, two->mode_count);
  for (int i = 0; i < one->mode_count; i++)
    assert_true(one->modes[i].value == two->modes[i].value);
}

static void check_same(const char *text, wy_status expected) {
  char path[] = "/tmp/withy-memory-XXXXXX", command[64];
  static rows with, without;
  wy_run_report reports[2];
  wy_scenario *scenarios[2];
  assert_non_null(mkdtemp(path));
  with.patience = without.patience = 0;
  assert_int_equal(run(text, path, &with, &reports[0], &scenarios[0]), expected);
  assert_int_equal(run(text, NULL, &without, &reports[1], &scenarios[1]), expected);
  check_file(path, &with, scenarios[0]);
  assert_int_equal(with.count, without.count);
  assert_memory_equal(with.numbers, without.numbers, (size_t)with.count * sizeof *with.numbers);
  check_same_reports(&reports[0], &reports[1]);
  check_below(reports[1].file_seconds, reports[0].file_seconds);
  assert_false(reports[1].resumable);
  for (int i = 0; i < 2; i++) {
    wy_run_report_free(&reports[i]);
    wy_scenario_destroy(scenarios[i]);
  }
  snprintf(command, sizeof command, "rm -r %s", path);
  assert_int_equal(system(command), 0);
}

/* Snapshots that fall between rows, strands, a start at rest, a path that turns. */
static void every_analysis_gives_the_same_rows(void **state) {
  (void)state;
  static const char *const texts[] = {
      "withy: 1\ntime: {end: 0.2, output: 0.002, frames: 0.0073}\n" HANGING,
      "withy: 1\ntime: {end: 0.1}\n" HANGING
      "loads: [{at: end, force: ['t < 0.05 ? 0.01 : 0', 0, 0]}]\nsolver: {scheme: mixed, step: 0.001}\n",
      "withy: 1\nanalysis: quasistatics\ntime: {end: 1, output: 0.1, frames: 0.03}\n" HANGING
      "loads: [{at: end, force: [0, 0, '0.01*t']}]\n",
      "withy: 1\nanalysis: quasistatics\ntime: {end: 1, output: 0.25}\n" HANGING
      "loads: [{at: end, force: [0, 0, '0.01*t']}]\nsolver: {continuation: arc_length}\n",
      "withy: 1\nanalysis: statics\n" HANGING,
      "withy: 1\nanalysis: modes\nsolver: {modes: 3}\n" HANGING,
      "withy: 1\nanalysis: buckling\nsolver: {modes: 2}\n" HANGING "loads: [{at: end, force: [-1, 0, 0]}]\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    check_same(texts[i], WY_OK);
}

static void failures_and_wrong_results_are_the_same(void **state) {
  (void)state;
  check_same("withy: 1\ntime: {end: 0.2, output: 0.002, frames: 0.01}\n" HANGING
             "loads: [{at: end, force: ['t > 0.1011 ? (t < 0.1019 ? sqrt(-1) : 0) : 0', 0, 0]}]\n",
             WY_ERROR_SOLVER);
  check_same("withy: 1\ntime: {end: 5, output: 0.05}\ngravity: [0, 0, -9.81]\nrods:\n"
             "  - {name: r, model: inextensible, length: 0.5, segments: 10, section: {shape: circle, radius: 0.01}, "
             "material: {density: 1000, young: 1.0e6, poisson: 0.4}, ends: {start: clamped}}\n" PROBES
             "solver: {scheme: mixed, step: 0.001}\n",
             WY_ERROR_RESULT);
}

static void an_interrupted_run_cannot_be_resumed(void **state) {
  (void)state;
  static rows kept;
  wy_run_report report;
  wy_scenario *scenario;
  wy_message message;
  kept.patience = 10;
  assert_int_equal(run("withy: 1\ntime: {end: 0.2, output: 0.002}\n" HANGING, NULL, &kept, &report, &scenario), WY_OK);
  assert_int_equal(report.end, WY_RUN_INTERRUPTED);
  assert_false(report.resumable);
  assert_int_equal(report.rows, 10);
  wy_run_report_free(&report);
  wy_run_def def = wy_default_run_def();
  def.scenario = scenario;
  def.resume = true;
  assert_int_equal(wy_run(&def, NULL, &message), WY_ERROR_INPUT);
  assert_string_equal(message.text, "a run without a folder cannot be resumed");
  def.resume = false;
  def.folder = "";
  assert_int_equal(wy_run(&def, NULL, &message), WY_ERROR_INPUT);
  assert_string_equal(message.text, "the name of the folder is empty");
  wy_scenario_destroy(scenario);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_analysis_gives_the_same_rows),
      cmocka_unit_test(failures_and_wrong_results_are_the_same),
      cmocka_unit_test(an_interrupted_run_cannot_be_resumed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
