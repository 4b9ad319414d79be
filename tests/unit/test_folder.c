/* SPDX-License-Identifier: MIT */
/* Reading the folder of a run: what the files hold comes back, each file is read when it is needed and once, and what
   is missing, damaged or half written is told by name. Pages and pictures are tested in tests/cli. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "support/rods.h"
#include "withy/draw.h"
#include "withy/run.h"

static const char two_rods[] =
    "withy: 1\n"
    "title: Two rods\n"
    "time: {end: 0.02, output: 0.005, frames: 0.01}\n"
    "gravity: [0, 0, -9.81]\n"
    "rods:\n"
    "  - &rod {name: right, length: 1, segments: 4, section: {shape: circle, radius: 0.01},\n"
    "     material: {density: 1000, young: 1e6, poisson: 0.5}, ends: {start: clamped}}\n"
    "  - {<<: *rod, name: left, segments: 3}\n"
    "probes:\n"
    "  - {name: tip, quantity: position, rod: right, at: end}\n"
    "  - {name: turn, quantity: rotation, rod: left, at: end}\n"
    "  - {name: kinetic, quantity: kinetic}\n";

static wy_message message;
static char root[] = "/tmp/withy-folder-XXXXXX";

static const char *in_root(const char *name) {
  static char path[2][256];
  static int next;
  next = !next;
  snprintf(path[next], sizeof path[next], "%s/%s", root, name);
  return path[next];
}

/* Runs the scenario with settings into a folder of this name; returns its path. */
static const char *run_into(const char *name, const char *const *settings, int count) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  wy_run_report report;
  if (wy_scenario_read("two.yaml", "two", two_rods, settings, count, &scenario, &error) != WY_OK)
    fail_msg("%s", error.text);
  wy_run_def def = wy_default_run_def();
  def.scenario = scenario;
  def.folder = in_root(name);
  must(wy_run(&def, &report, &message), &message);
  wy_run_report_free(&report);
  wy_scenario_destroy(scenario);
  return in_root(name);
}

static void write_file(const char *folder, const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  check_at_least(fputs(text, file), 0);
  assert_int_equal(fclose(file), 0);
}

static void remove_file(const char *folder, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(unlink(path), 0);
}

static wy_folder *open_folder(const char *path) {
  wy_folder *folder = NULL;
  must(wy_folder_open(path, &folder, &message), &message);
  return folder;
}

/* Fails with this status and a message that has this text in it. */
#define refused(call, want, part)                                                                                      \
  do {                                                                                                                 \
    message.text[0] = '\0';                                                                                            \
    wy_status status = (call);                                                                                         \
    if (status != (want) || !strstr(message.text, (part)))                                                             \
      fail_msg("%s: status %d, want %d; message '%s', want '%s' in it", #call, (int)status, (int)(want), message.text, \
               (part));                                                                                                \
  } while (0)

/* ---- What a run wrote ---- */

static void tables_and_summary_come_back(void **state) {
  (void)state;
  wy_folder *folder = open_folder(in_root("run"));
  const wy_probes *probes = NULL, *again = NULL;
  must(wy_folder_check(folder, &message), &message);
  must(wy_folder_probes(folder, &probes, &message), &message);
  must(wy_folder_probes(folder, &again, &message), &message);
  assert_ptr_equal(probes, again);
  assert_int_equal(probes->rows, 5);
  check_close(probes->time[4], 0.02, 0);
  assert_false(probes->cut);
  assert_int_equal(probes->count, 3);
  assert_string_equal(probes->list[0].name, "tip");
  assert_int_equal(probes->list[0].components, 3);
  assert_int_equal(probes->list[0].quantity, WY_POSITION);
  assert_string_equal(probes->list[0].label[2], "z");
  check_below(probes->list[0].values[2][4], 0); /* it falls */
  assert_int_equal(probes->list[1].components, 4);
  assert_string_equal(probes->list[1].label[0], "w");
  assert_int_equal(probes->list[2].components, 1);
  assert_string_equal(probes->list[2].label[0], "");
  must(wy_folder_path_probes(folder, &again, &message), &message);
  assert_null(again); /* no path by arc length */

  const wy_table *steps = NULL;
  must(wy_folder_table(folder, "steps.csv", &steps, &message), &message);
  assert_string_equal(steps->name[0], "t");
  assert_int_equal(steps->rows, 5);

  const char *text = NULL;
  must(wy_folder_summary(folder, "status", &text, &message), &message);
  assert_string_equal(text, "done");
  must(wy_folder_summary(folder, "energy.drift", &text, &message), &message);
  assert_non_null(text);
  must(wy_folder_summary(folder, "energy", &text, &message), &message);
  assert_null(text); /* not a single value */
  must(wy_folder_summary(folder, "no.such.entry", &text, &message), &message);
  assert_null(text);
  wy_folder_close(folder);
}

static void the_scenario_is_the_one_that_was_run(void **state) {
  (void)state;
  wy_folder *folder = open_folder(in_root("run"));
  const wy_scenario *scenario = wy_folder_scenario(folder);
  assert_non_null(scenario);
  assert_ptr_equal(wy_folder_scenario(folder), scenario);
  assert_string_equal(wy_folder_title(folder), "Two rods");
  assert_string_equal(wy_folder_scenario_text(folder), two_rods);
  assert_string_equal(wy_folder_settings(folder), "rods.left.length=0.5");
  check_close(wy_model_rod(wy_folder_model(folder), 1)->length, 0.5, 0);
  assert_int_equal(wy_folder_analysis(folder), WY_DYNAMICS);
  assert_true(wy_folder_has(folder, "result.xdmf"));
  assert_false(wy_folder_has(folder, "view.html"));
  wy_folder_close(folder);
}

static void snapshots_come_back(void **state) {
  (void)state;
  wy_folder *folder = open_folder(in_root("run"));
  int count = 0, rods = 0;
  const double *time = NULL, *kinetic = NULL;
  const char *const *names = NULL;
  must(wy_folder_snapshots(folder, &count, &time, &message), &message);
  assert_int_equal(count, 3);
  check_close(time[1], 0.01, 0);
  must(wy_folder_rods(folder, &rods, &names, &message), &message);
  assert_int_equal(rods, 2); /* in the order of the scenario, not of the alphabet */
  assert_string_equal(names[0], "right");
  assert_string_equal(names[1], "left");

  const wy_stored_field *position = NULL, *again = NULL;
  must(wy_folder_rod_field(folder, "left", "position", 3, &position, &message), &message);
  must(wy_folder_field(folder, "/rods/left/position", 3, &again, &message), &message);
  assert_ptr_equal(position, again);
  assert_int_equal(position->lines, 1);
  assert_int_equal(position->points, 4);
  check_close(position->s[3], 0.5, 0);
  double ends[2 * 4 * 3], all[3 * 4 * 3];
  must(wy_folder_read(folder, position, 0, 2, 2, ends, &message), &message);
  must(wy_folder_read(folder, position, 0, 1, 3, all, &message), &message);
  assert_memory_equal(ends, all, 12 * sizeof(double));
  assert_memory_equal(ends + 12, all + 24, 12 * sizeof(double));
  check_close(all[11], 0, 0); /* straight and level at first */
  check_below(all[35], 0);

  /* The probe of the whole kinetic energy and the snapshots tell the same. */
  const wy_probes *probes = NULL;
  must(wy_folder_probes(folder, &probes, &message), &message);
  must(wy_folder_history(folder, "/energy/kinetic", 1, &kinetic, &message), &message);
  for (int i = 0; i < 3; i++)
    check_close(kinetic[i], probes->list[2].values[0][2 * i], 0);
  must(wy_folder_field(folder, "/rods/left/no-such", 3, &again, &message), &message);
  assert_null(again);
  assert_string_equal(wy_folder_text(folder, "/rods/left", "scheme"), "staggered");
  assert_null(wy_folder_text(folder, "/rods/left", "no-such"));
  check_close(wy_folder_number(folder, "/rods/left", "segments", -1), 3, 0);
  check_close(wy_folder_number(folder, "/rods/left", "no-such", -1), -1, 0);
  wy_folder_close(folder);
}

/* Rods that share datasets have names and paths of their own; what is no name of a copy leads nowhere. */
static void copies_come_back(void **state) {
  (void)state;
  const char *const settings[] = {"rods.left.copies={grid: [4, 3], steps: [[0, 1, 0], [0, 0, 1]]}", "probes=[]"};
  wy_folder *folder = open_folder(run_into("copies", settings, 2));
  int rods = 0;
  const char *const *names = NULL;
  must(wy_folder_rods(folder, &rods, &names, &message), &message);
  assert_int_equal(rods, 13);
  assert_string_equal(names[0], "right");
  assert_string_equal(names[2], "left2");
  assert_string_equal(names[12], "left12");

  const wy_stored_field *all = NULL, *one = NULL;
  const wy_stored_numbers *s = NULL, *radius = NULL;
  must(wy_folder_field(folder, "/batches/left/position", 3, &all, &message), &message);
  must(wy_folder_rod_field(folder, "left7", "position", 3, &one, &message), &message);
  assert_int_equal(all->lines, 12);
  assert_int_equal(one->lines, 1);
  assert_int_equal(one->points, 4);
  assert_memory_equal(one->s, all->s, 4 * sizeof(double));
  double whole[2 * 12 * 4 * 3], part[2 * 4 * 3];
  must(wy_folder_read(folder, all, 0, 2, 2, whole, &message), &message);
  must(wy_folder_read(folder, one, 0, 2, 2, part, &message), &message);
  for (int k = 0; k < 2; k++)
    assert_memory_equal(part + 12 * k, whole + 12 * (12 * k + 6), 12 * sizeof(double));
  check_close(part[1], 2, 0); /* the third of the second row */
  check_close(part[2], 1, 0);
  must(wy_folder_numbers(folder, "/rods/left7/s", &s, &message), &message);
  must(wy_folder_numbers(folder, "/rods/left7/radius", &radius, &message), &message);
  assert_int_equal(s->size[0] * s->size[1] * s->size[2], 4);
  assert_int_equal(radius->size[0] * radius->size[1] * radius->size[2], 4);
  check_close(radius->values[3], 0.01, 0);
  assert_string_equal(wy_folder_text(folder, "/rods/left7", "scheme"), "staggered");
  check_close(wy_folder_number(folder, "/rods/left7", "segments", -1), 3, 0);

  static const char *const none[] = {"left",   "left0",  "left13", "left07",
                                     "left7x", "left-1", "lef7",   "left99999999999"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    must(wy_folder_rod_field(folder, none[i], "position", 3, &one, &message), &message);
    assert_null(one);
  }
  wy_folder_close(folder);
}

static void modes_come_back(void **state) {
  (void)state;
  const char *const settings[] = {"analysis=modes", "gravity=[0, 0, 0]"};
  wy_folder *folder = open_folder(run_into("modes", settings, 2));
  const wy_stored_modes *modes = NULL;
  const wy_stored_shapes *shapes = NULL;
  const wy_table *table = NULL;
  must(wy_folder_modes(folder, &modes, &message), &message);
  must(wy_folder_table(folder, "modes.csv", &table, &message), &message);
  assert_false(modes->buckling);
  assert_int_equal(modes->count, table->rows);
  check_above(modes->count, 1);
  for (int i = 0; i < modes->count; i++)
    check_close(modes->value[i], table->values[1][i], 0);
  must(wy_folder_shapes(folder, "right", &shapes, &message), &message);
  assert_int_equal(shapes->points, 5);
  assert_false(shapes->own);
  check_close(shapes->position[12], 1, 1e-12); /* the end of a straight rod of length 1 */
  must(wy_folder_shapes(folder, "no-such", &shapes, &message), &message);
  assert_null(shapes);
  wy_folder_close(folder);
}

/* ---- Missing, damaged, half written ---- */

static void a_damaged_file_does_not_hide_the_others(void **state) {
  (void)state;
  const char *path = run_into("damaged", NULL, 0);
  write_file(path, "result.h5", "this is no HDF5 file");
  wy_folder *folder = open_folder(path);
  const wy_probes *probes = NULL;
  const char *text = NULL;
  const double *time = NULL;
  int count = 0;
  must(wy_folder_probes(folder, &probes, &message), &message);
  assert_int_equal(probes->rows, 5);
  assert_int_equal(probes->list[0].quantity, -1); /* the scenario is in result.h5 */
  must(wy_folder_summary(folder, "status", &text, &message), &message);
  assert_string_equal(text, "done");
  assert_null(wy_folder_scenario(folder));
  assert_string_equal(wy_folder_title(folder), "damaged");
  refused(wy_folder_snapshots(folder, &count, &time, &message), WY_ERROR_INPUT,
          "damaged/result.h5 is not a readable HDF5 file");
  refused(wy_folder_check(folder, &message), WY_ERROR_INPUT, "result.h5 is not a readable HDF5 file");
  wy_folder_close(folder);

  write_file(path, "probes.csv", "t,tip.x\n0,1\n1,one\n");
  folder = open_folder(path);
  refused(wy_folder_probes(folder, &probes, &message), WY_ERROR_INPUT,
          "damaged/probes.csv:3: tip.x: found 'one'; expected a number");
  assert_null(probes);
  must(wy_folder_summary(folder, "status", &text, &message), &message);
  assert_string_equal(text, "done");
  wy_folder_close(folder);
}

static void every_damage_of_a_table_has_its_message(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {{"t,a\n0,1\n1\n", "probes.csv:3: the row ends before the column a; expected 2 values"},
               {"t,a\n0,1,2\n", "probes.csv:2: the row has more than 2 values"},
               {"t,a\n0,x\n", "probes.csv:2: a: found 'x'; expected a number"},
               {"t,a\n0,\n", "probes.csv:2: a: found ''; expected a number"},
               {"t,a\n0,nan\n", "probes.csv:2: a is not a number; expected a finite number"},
               {"t,a\n0,-inf\n", "probes.csv:2: a is infinite; expected a finite number"},
               {"time,a\n0,1\n", "probes.csv:1: the first column is 'time'; expected t"}};
  mkdir(in_root("tables"), 0777);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const wy_probes *probes = NULL;
    write_file(in_root("tables"), "probes.csv", cases[i].text);
    wy_folder *folder = open_folder(in_root("tables"));
    refused(wy_folder_probes(folder, &probes, &message), WY_ERROR_INPUT, cases[i].message);
    wy_folder_close(folder);
  }
  const wy_probes *path = NULL;
  write_file(in_root("tables"), "path.csv", "step,load\n0,1\n");
  wy_folder *folder = open_folder(in_root("tables"));
  refused(wy_folder_path_probes(folder, &path, &message), WY_ERROR_INPUT,
          "path.csv:1: the second column is 'load'; expected t");
  wy_folder_close(folder);
  remove_file(in_root("tables"), "path.csv");
}

/* The radius of a straight rod is infinite, and no damage; a position that is infinite is. */
static void what_may_be_infinite_is_read(void **state) {
  (void)state;
  static const char *const settings[] = {
      "probes=[{name: radius, quantity: bend_radius, rod: right, at: 0.5}, {name: tip, quantity: position, rod: right, "
      "at: end}]"};
  const wy_probes *probes = NULL;
  const char *path = run_into("infinite", settings, 1);
  wy_folder *folder = open_folder(path);
  must(wy_folder_probes(folder, &probes, &message), &message);
  assert_true(isinf(probes->list[0].values[0][0]));
  assert_true(isfinite(probes->list[0].values[0][4]));
  must(wy_draw_page(folder, in_root("infinite.html"), 0, &message), &message);
  wy_folder_close(folder);
  write_file(path, "probes.csv", "t,radius,tip.x,tip.y,tip.z\n0,inf,1,0,0\n1,inf,1,inf,0\n");
  folder = open_folder(path);
  refused(wy_folder_probes(folder, &probes, &message), WY_ERROR_INPUT,
          "probes.csv:3: tip.y is infinite; expected a finite number");
  wy_folder_close(folder);
}

/* A run that was killed leaves a line without an end, or a header alone. */
static void what_is_half_written_is_left_out(void **state) {
  (void)state;
  const wy_probes *probes = NULL;
  const char *path = in_root("tables"), *text = NULL;
  write_file(path, "probes.csv", "t,a\n0,1\n1,2\n2,");
  write_file(path, "summary.json", "{\"status\": \"do");
  wy_folder *folder = open_folder(path);
  must(wy_folder_probes(folder, &probes, &message), &message);
  assert_int_equal(probes->rows, 2);
  assert_true(probes->cut);
  check_close(probes->list[0].values[0][1], 2, 0);
  must(wy_folder_summary(folder, "status", &text, &message), &message);
  assert_null(text);
  wy_folder_close(folder);
  write_file(path, "probes.csv", "t,");
  folder = open_folder(path);
  refused(wy_folder_check(folder, &message), WY_ERROR_INPUT,
          "tables contains no results: probes.csv and result.h5 have no rows");
  wy_folder_close(folder);
}

static void what_is_missing_is_no_error(void **state) {
  (void)state;
  mkdir(in_root("empty"), 0777);
  wy_folder *folder = open_folder(in_root("empty"));
  const wy_probes *probes = NULL;
  const wy_table *table = NULL;
  const wy_stored_modes *modes = NULL;
  const wy_stored_field *field = NULL;
  const wy_stored_numbers *numbers = NULL;
  const char *text = "", *const *names = NULL;
  const double *values = NULL;
  int count = -1;
  must(wy_folder_probes(folder, &probes, &message), &message);
  must(wy_folder_table(folder, "steps.csv", &table, &message), &message);
  must(wy_folder_summary(folder, "status", &text, &message), &message);
  must(wy_folder_modes(folder, &modes, &message), &message);
  must(wy_folder_field(folder, "/rods/a/position", 3, &field, &message), &message);
  must(wy_folder_numbers(folder, "/rods/a/radius", &numbers, &message), &message);
  assert_true(!probes && !table && !text && !modes && !field && !numbers);
  must(wy_folder_snapshots(folder, &count, &values, &message), &message);
  assert_int_equal(count, 0);
  must(wy_folder_rods(folder, &count, &names, &message), &message);
  assert_int_equal(count, 0);
  assert_true(!wy_folder_scenario(folder) && !wy_folder_model(folder) && !wy_folder_scenario_text(folder));
  refused(wy_folder_check(folder, &message), WY_ERROR_INPUT, "empty contains no results");
  refused(wy_draw_page(folder, in_root("x.html"), 0, &message), WY_ERROR_INPUT, "empty contains no results");
  wy_folder_close(folder);
  wy_folder *none = NULL;
  refused(wy_folder_open(in_root("nowhere"), &none, &message), WY_ERROR_INPUT, "nowhere: No such file or directory");
  write_file(root, "file", "");
  refused(wy_folder_open(in_root("file"), &none, &message), WY_ERROR_INPUT,
          "file is not a folder; expected the folder that `withy run` wrote");
  assert_null(none);
}

/* Puts a dataset of other size, or none, into the place of one. */
static void replace_dataset(const char *folder, const char *path, hsize_t length) {
  char name[512];
  snprintf(name, sizeof name, "%s/result.h5", folder);
  hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
  check_at_least(file, 0);
  check_at_least(H5Ldelete(file, path, H5P_DEFAULT), 0);
  if (length > 0) {
    hid_t space = H5Screate_simple(1, &length, NULL);
    hid_t set = H5Dcreate2(file, path, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dclose(set);
    H5Sclose(space);
  }
  H5Fclose(file);
}

static void damaged_datasets_are_named(void **state) {
  (void)state;
  const char *path = run_into("datasets", NULL, 0);
  const wy_stored_field *field = NULL;
  const double *values = NULL;
  replace_dataset(path, "/rods/left/force", 7);
  replace_dataset(path, "/rods/left/moment_s", 2);
  replace_dataset(path, "/energy/work", 1);
  replace_dataset(path, "/rods/right/strain", 0);
  wy_folder *folder = open_folder(path);
  refused(wy_folder_rod_field(folder, "left", "force", 3, &field, &message), WY_ERROR_INPUT,
          "datasets/result.h5: /rods/left/force is missing or not of the expected size");
  refused(wy_folder_rod_field(folder, "left", "moment", 3, &field, &message), WY_ERROR_INPUT,
          "/rods/left/moment_s is missing or not of the expected size");
  refused(wy_folder_history(folder, "/energy/work", 1, &values, &message), WY_ERROR_INPUT,
          "/energy/work is missing or not of the expected size");
  refused(wy_folder_rod_field(folder, "left", "position", 4, &field, &message), WY_ERROR_INPUT, "/rods/left/position");
  must(wy_folder_rod_field(folder, "right", "strain", 3, &field, &message), &message);
  assert_null(field);
  must(wy_folder_rod_field(folder, "left", "position", 3, &field, &message), &message);
  assert_non_null(field); /* and what is whole can be read */
  double far[12];
  refused(wy_folder_read(folder, field, 3, 1, 1, far, &message), WY_ERROR_INPUT,
          "datasets/result.h5: there is no snapshot 3; it holds 3");
  wy_folder_close(folder);
}

/* Files are read when they are asked for, and once: what happens to them afterwards is not seen. */
static void reading_is_lazy_and_happens_once(void **state) {
  (void)state;
  const char *path = run_into("lazy", NULL, 0), *text = NULL;
  const wy_probes *probes = NULL, *again = NULL;
  const wy_table *steps = NULL;
  wy_folder *folder = open_folder(path);
  must(wy_folder_probes(folder, &probes, &message), &message);
  write_file(path, "probes.csv", "t,other\n0,0\n");
  write_file(path, "summary.json", "{\"status\": \"changed\"}");
  remove_file(path, "steps.csv");
  must(wy_folder_probes(folder, &again, &message), &message);
  assert_ptr_equal(again, probes);
  must(wy_folder_summary(folder, "status", &text, &message), &message);
  assert_string_equal(text, "changed");
  must(wy_folder_table(folder, "steps.csv", &steps, &message), &message);
  assert_null(steps);
  wy_folder_close(folder);
}

/* ---- Pages ---- */

static void a_page_is_a_call(void **state) {
  (void)state;
  wy_folder *folder = open_folder(in_root("run"));
  struct stat file;
  must(wy_draw_page(folder, in_root("page.html"), 2, &message), &message);
  assert_int_equal(stat(in_root("page.html"), &file), 0);
  check_above(file.st_size, 10000); /* the template alone */
  assert_int_not_equal(stat(in_root("page.html.part"), &file), 0);
  refused(wy_draw_page(folder, in_root("nowhere/page.html"), 0, &message), WY_ERROR_FILE, "nowhere/page.html");
  wy_folder_close(folder);
}

static int set_up(void **state) {
  static const char *const settings[] = {"rods.left.length=0.5"};
  (void)state;
  if (!mkdtemp(root))
    return -1;
  run_into("run", settings, 1);
  return 0;
}

static int tear_down(void **state) {
  char command[300];
  (void)state;
  snprintf(command, sizeof command, "rm -r '%s'", root);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_and_summary_come_back),
      cmocka_unit_test(the_scenario_is_the_one_that_was_run),
      cmocka_unit_test(snapshots_come_back),
      cmocka_unit_test(copies_come_back),
      cmocka_unit_test(modes_come_back),
      cmocka_unit_test(a_damaged_file_does_not_hide_the_others),
      cmocka_unit_test(every_damage_of_a_table_has_its_message),
      cmocka_unit_test(what_may_be_infinite_is_read),
      cmocka_unit_test(what_is_half_written_is_left_out),
      cmocka_unit_test(what_is_missing_is_no_error),
      cmocka_unit_test(damaged_datasets_are_named),
      cmocka_unit_test(reading_is_lazy_and_happens_once),
      cmocka_unit_test(a_page_is_a_call),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
