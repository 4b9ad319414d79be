/* SPDX-License-Identifier: MIT */
/* Tables of a run: rows wait for others, and what is in the file are complete lines, whatever fits. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/results/csv.h"
#include "support/scenario.h"

#define MOVING                                                                                                         \
  HEAD ROD "    ends: {start: pinned}\ngravity: [0, 0, -9.81]\nprobes: [{name: tip, at: end, quantity: position}]\n"

typedef struct table {
  char path[32];
  wy_scenario *scenario;
  wy_model *model;
  wy_sim *sim;
  wy_csv *csv;
  long header; /* bytes */
} table;

static long size_of(const table *it) {
  struct stat status;
  assert_int_equal(stat(it->path, &status), 0);
  return (long)status.st_size;
}

static int setup(void **state) {
  static table it;
  wy_message message;
  wy_csv_def def = {.path = it.path, .kind = WY_CSV_PROBES};
  snprintf(it.path, sizeof it.path, "/tmp/withy-csv-XXXXXX");
  int file = mkstemp(it.path);
  check_at_least(file, 0);
  close(file);
  def.scenario = it.scenario = read_text(MOVING);
  assert_int_equal(wy_scenario_build(it.scenario, &it.model, &it.sim, &message), WY_OK);
  assert_int_equal(wy_csv_create(&def, &it.csv, &message), WY_OK);
  it.header = size_of(&it);
  *state = &it;
  return 0;
}

static int teardown(void **state) {
  table *it = *state;
  wy_csv_close(it->csv, NULL);
  wy_sim_destroy(it->sim);
  wy_model_destroy(it->model);
  wy_scenario_destroy(it->scenario);
  return unlink(it->path);
}

/* A row at time t. Returns how long its line is. */
static long append(table *it, double t) {
  wy_message message;
  size_t before = wy_csv_waiting(it->csv);
  assert_int_equal(wy_sim_sample(it->sim, t, &message), WY_OK);
  assert_int_equal(wy_csv_append(it->csv, it->sim, &message), WY_OK);
  return (long)(wy_csv_waiting(it->csv) - before);
}

static void rows_wait_until_they_are_flushed(void **state) {
  table *it = *state;
  wy_message message;
  long bytes = append(it, 0) + append(it, 0.01) + append(it, 0.02);
  assert_int_equal(size_of(it), it->header);
  assert_int_equal(wy_csv_rows(it->csv), 3);
  check_close(wy_csv_last_time(it->csv), -(double)INFINITY, 0);
  assert_int_equal(wy_csv_flush(it->csv, &message), WY_OK);
  assert_int_equal(size_of(it), it->header + bytes);
  assert_int_equal((long)wy_csv_bytes(it->csv), it->header + bytes);
  assert_int_equal(wy_csv_waiting(it->csv), 0);
  check_close(wy_csv_last_time(it->csv), 0.02, 0);
}

/* A file that may become so large and no larger, as on a disk that is full. */
static void limit(long size) {
  struct rlimit now;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &now), 0);
  now.rlim_cur = size < 0 ? now.rlim_max : (rlim_t)size;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
}

static void of_rows_that_do_not_fit_the_complete_ones_are_kept(void **state) {
  table *it = *state;
  wy_message message;
  long two = append(it, 0) + append(it, 0.01);
  long third = append(it, 0.02);
  append(it, 0.03);
  limit(it->header + two + third / 2);
  wy_status status = wy_csv_flush(it->csv, &message);
  limit(-1);
  assert_int_equal(status, WY_ERROR_FILE);
  assert_non_null(strstr(message.text, "file too large while writing /tmp/withy-csv-"));
  assert_int_equal(size_of(it), it->header + two);
  assert_int_equal(wy_csv_rows(it->csv), 2);
  check_close(wy_csv_last_time(it->csv), 0.01, 0);
  /* It goes on behind them. */
  long more = append(it, 0.04);
  assert_int_equal(wy_csv_flush(it->csv, &message), WY_OK);
  assert_int_equal(size_of(it), it->header + two + more);
  assert_int_equal(wy_csv_rows(it->csv), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(rows_wait_until_they_are_flushed, setup, teardown),
      cmocka_unit_test_setup_teardown(of_rows_that_do_not_fit_the_complete_ones_are_kept, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
