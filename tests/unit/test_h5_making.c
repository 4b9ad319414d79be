/* SPDX-License-Identifier: MIT */
/* HDF5 files made without the HDF5 library, read by it: names, attributes, sizes, numbers. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "run/results/h5_making.h"

enum { PATH = 64 };

typedef struct place {
  char path[PATH];
} place;

static int setup(void **state) {
  static place it;
  snprintf(it.path, sizeof it.path, "/tmp/withy-h5-XXXXXX");
  const int file = mkstemp(it.path);
  check_at_least(file, 0);
  close(file);
  *state = &it;
  return 0;
}

static int teardown(void **state) {
  return unlink(((place *)*state)->path);
}

static hid_t opened(const place *it) {
  const hid_t file = H5Fopen(it->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    fail_msg("the library does not open %s", it->path);
  return file;
}

static void finish(wy_h5_making *m) {
  wy_h5_close_making(m);
  if (m->error)
    fail_msg("the file cannot be made: error %d", m->error);
}

/* A dataset of every type, a single value, one of no values, and one without content, which reads as zero. */
static void datasets(void **state) {
  const place *it = *state;
  const double doubles[] = {0.1, -2, 3e300, 4, 5, 6};
  const float floats[] = {0.25F, -1e30F};
  const int ints[] = {-7, 2147483647, 0};
  const int64_t whole = INT64_C(-1234567890123);
  const uint64_t size[] = {3, 2}, two = 2, three = 3, none = 0, many = 1000;
  wy_h5_making m;
  wy_h5_open(&m, it->path);
  const uint64_t offset = wy_h5_dataset(&m, "/a/b/doubles", 2, size, WY_H5_DOUBLE, doubles);
  wy_h5_dataset(&m, "/a/floats", 1, &two, WY_H5_FLOAT, floats);
  wy_h5_dataset(&m, "/a/ints", 1, &three, WY_H5_INT, ints);
  wy_h5_dataset(&m, "/whole", 0, NULL, WY_H5_INT64, &whole);
  wy_h5_dataset(&m, "/none", 1, &none, WY_H5_DOUBLE, NULL);
  wy_h5_dataset(&m, "/hole", 1, &many, WY_H5_DOUBLE, NULL);
  finish(&m);
  assert_int_equal(offset % sizeof(double), 0);

  const hid_t file = opened(it);
  hid_t set = H5Dopen2(file, "/a/b/doubles", H5P_DEFAULT), space = H5Dget_space(set), type = H5Dget_type(set);
  hsize_t extent[2] = {0, 0};
  double read[1000];
  assert_int_equal(H5Sget_simple_extent_dims(space, extent, NULL), 2);
  assert_int_equal(extent[0], 3);
  assert_int_equal(extent[1], 2);
  check_above(H5Tequal(type, H5T_NATIVE_DOUBLE), 0);
  assert_int_equal(H5Dget_offset(set), offset);
  check_at_least(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read), 0);
  assert_memory_equal(read, doubles, sizeof doubles);
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);

  float floats_read[2];
  int ints_read[3];
  int64_t whole_read = 0;
  set = H5Dopen2(file, "/a/floats", H5P_DEFAULT);
  check_at_least(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, floats_read), 0);
  assert_memory_equal(floats_read, floats, sizeof floats);
  H5Dclose(set);
  set = H5Dopen2(file, "/a/ints", H5P_DEFAULT);
  check_at_least(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, ints_read), 0);
  assert_memory_equal(ints_read, ints, sizeof ints);
  H5Dclose(set);
  set = H5Dopen2(file, "/whole", H5P_DEFAULT);
  check_at_least(H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &whole_read), 0);
  assert_int_equal(whole_read, whole);
  H5Dclose(set);
  set = H5Dopen2(file, "/none", H5P_DEFAULT);
  space = H5Dget_space(set);
  assert_int_equal(H5Sget_simple_extent_npoints(space), 0);
  H5Sclose(space);
  H5Dclose(set);
  set = H5Dopen2(file, "/hole", H5P_DEFAULT);
  check_at_least(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read), 0);
  for (int i = 0; i < 1000; i++)
    check_close(read[i], 0, 0);
  H5Dclose(set);
  H5Fclose(file);
}

/* A text of an object, or one of a list; must be freed by the library. */
static char *text_of(hid_t object, const char *name, int index) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), memory = H5Tcopy(H5T_C_S1), type = H5Aget_type(attribute);
  char *texts[8] = {NULL};
  check_at_least(attribute, 0);
  check_above(H5Tis_variable_str(type), 0);
  assert_int_equal(H5Tget_cset(type), H5T_CSET_UTF8);
  H5Tset_size(memory, H5T_VARIABLE);
  H5Tset_cset(memory, H5T_CSET_UTF8);
  check_at_least(H5Aread(attribute, memory, texts), 0);
  H5Tclose(type);
  H5Tclose(memory);
  H5Aclose(attribute);
  for (int i = 0; i < 8; i++)
    if (i != index && texts[i])
      H5free_memory(texts[i]);
  return texts[index];
}

static void check_text(hid_t object, const char *name, int index, const char *want) {
  char *got = text_of(object, name, index);
  if (!got ? want[0] != '\0' : strcmp(got, want) != 0)
    fail_msg("attribute %s, text %d: got '%.40s', want '%.40s'", name, index, got ? got : "(none)", want);
  H5free_memory(got);
}

/* More attributes than the library would keep together, an empty text, and one longer than a heap usually is. */
static void attributes(void **state) {
  const place *it = *state;
  const double pair[] = {1.5, -2.5};
  const char *names[] = {"one", "", "three \303\266"};
  static char longest[100000];
  char passing[16];
  memset(longest, 'x', sizeof longest - 1);
  wy_h5_making m;
  wy_h5_open(&m, it->path);
  wy_h5_object *group = wy_h5_group(&m, "/rods/arm");
  wy_h5_text(&m, m.root, "scenario", longest);
  wy_h5_text(&m, group, "empty", "");
  strcpy(passing, "midpoint");
  wy_h5_text(&m, group, "passing", passing);
  memset(passing, 0, sizeof passing); /* what was told stays */
  wy_h5_attributes(&m, group, "pair", WY_H5_DOUBLE, 2, pair);
  wy_h5_attributes(&m, group, "names", WY_H5_TEXT, 3, names);
  for (int i = 0; i < 20; i++) {
    char name[32];
    snprintf(name, sizeof name, "number %d", i);
    wy_h5_attribute(&m, group, name, WY_H5_INT, &i);
  }
  finish(&m);

  const hid_t file = opened(it), object = H5Oopen(file, "/rods/arm", H5P_DEFAULT);
  check_text(file, "scenario", 0, longest);
  check_text(object, "empty", 0, "");
  check_text(object, "passing", 0, "midpoint");
  for (int i = 0; i < 3; i++)
    check_text(object, "names", i, names[i]);
  hid_t attribute = H5Aopen(object, "pair", H5P_DEFAULT);
  double read[2];
  check_at_least(H5Aread(attribute, H5T_NATIVE_DOUBLE, read), 0);
  assert_memory_equal(read, pair, sizeof pair);
  H5Aclose(attribute);
  for (int i = 0; i < 20; i++) {
    char name[32];
    int got = -1;
    snprintf(name, sizeof name, "number %d", i);
    attribute = H5Aopen(object, name, H5P_DEFAULT);
    check_at_least(H5Aread(attribute, H5T_NATIVE_INT, &got), 0);
    assert_int_equal(got, i);
    H5Aclose(attribute);
  }
  H5Oclose(object);
  H5Fclose(file);
}

/* Groups of any size: one leaf of the tree (8 names), one node (256), two levels, three (8192). All are found by their
   names, and listed in the order of the alphabet. */
static void groups(void **state) {
  const place *it = *state;
  static const int counts[] = {1, 8, 9, 256, 257, 9000};
  enum { GROUPS = sizeof counts / sizeof counts[0] };
  wy_h5_making m;
  char path[PATH];
  wy_h5_open(&m, it->path);
  for (int g = 0; g < GROUPS; g++)
    for (int i = 0; i < counts[g]; i++) {
      snprintf(path, sizeof path, "/group%d/rod%d/number", g, i);
      wy_h5_dataset(&m, path, 0, NULL, WY_H5_INT, &i);
    }
  finish(&m);

  const hid_t file = opened(it);
  for (int g = 0; g < GROUPS; g++) {
    snprintf(path, sizeof path, "/group%d", g);
    const hid_t group = H5Gopen2(file, path, H5P_DEFAULT);
    H5G_info_t info;
    check_at_least(H5Gget_info(group, &info), 0);
    assert_int_equal(info.nlinks, counts[g]);
    for (int i = 0; i<counts[g]; i += counts[g]> 300 ? 7 : 1) {
      int got = -1;
      snprintf(path, sizeof path, "rod%d/number", i);
      const hid_t set = H5Dopen2(group, path, H5P_DEFAULT);
      if (set < 0 || H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &got) < 0 || got != i)
        fail_msg("group of %d: got %d in %s, want %d", counts[g], got, path, i);
      H5Dclose(set);
    }
    char before[PATH] = "", name[PATH];
    for (int i = 0; i < counts[g] && i < 300; i++) {
      H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, name, sizeof name, H5P_DEFAULT);
      if (strcmp(before, name) >= 0)
        fail_msg("group of %d: '%s' comes after '%s'", counts[g], name, before);
      strcpy(before, name);
    }
    H5Gclose(group);
  }
  H5Fclose(file);
}

/* A heap numbers its texts with 16 bits: 140000 texts need three of them. */
static void many_texts(void **state) {
  const place *it = *state;
  enum { LISTS = 35, LIST = 4000 };
  static char texts[LIST][24], *read[LIST];
  const char *pointers[LIST];
  char name[PATH];
  wy_h5_making m;
  wy_h5_open(&m, it->path);
  for (int list = 0; list < LISTS; list++) {
    for (int i = 0; i < LIST; i++) {
      snprintf(texts[i], sizeof texts[i], "text %d", LIST * list + i);
      pointers[i] = texts[i];
    }
    snprintf(name, sizeof name, "list %d", list);
    wy_h5_attributes(&m, m.root, name, WY_H5_TEXT, LIST, pointers);
  }
  finish(&m);
  const hid_t file = opened(it), memory = H5Tcopy(H5T_C_S1);
  H5Tset_size(memory, H5T_VARIABLE);
  H5Tset_cset(memory, H5T_CSET_UTF8);
  for (int list = 0; list < LISTS; list++) {
    snprintf(name, sizeof name, "list %d", list);
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    check_at_least(H5Aread(attribute, memory, read), 0);
    H5Aclose(attribute);
    for (int i = 0; i < LIST; i++) {
      snprintf(texts[i], sizeof texts[i], "text %d", LIST * list + i);
      if (!read[i] || strcmp(read[i], texts[i]) != 0)
        fail_msg("%s: got '%s', want '%s'", name, read[i] ? read[i] : "(none)", texts[i]);
      H5free_memory(read[i]);
    }
  }
  H5Tclose(memory);
  H5Fclose(file);
}

/* What cannot be a file is an error: a name twice, an attribute beyond the size of a message, a full disk. */
static void failures(void **state) {
  const place *it = *state;
  static double large[8192];
  wy_h5_making m;
  wy_h5_open(&m, it->path);
  wy_h5_dataset(&m, "/twice", 0, NULL, WY_H5_DOUBLE, large);
  wy_h5_dataset(&m, "/twice", 0, NULL, WY_H5_DOUBLE, large);
  wy_h5_close_making(&m);
  assert_int_equal(m.error, -1);
  wy_h5_open(&m, it->path);
  wy_h5_attributes(&m, m.root, "large", WY_H5_DOUBLE, 8192, large);
  wy_h5_close_making(&m);
  assert_int_equal(m.error, -1);
  wy_h5_open(&m, "/dev/full");
  wy_h5_dataset(&m, "/number", 0, NULL, WY_H5_DOUBLE, large);
  wy_h5_close_making(&m);
  check_above(m.error, 0);
}

/* A change of any byte that describes the datasets is seen, and none of their numbers is one. */
static void seal(void **state) {
  const place *it = *state;
  const double number = 1;
  unsigned char byte;
  wy_h5_making m;
  wy_h5_open(&m, it->path);
  const uint64_t offset = wy_h5_dataset(&m, "/number", 0, NULL, WY_H5_DOUBLE, &number);
  wy_h5_text(&m, m.root, "name", "arm");
  const uint64_t described = m.end;
  finish(&m);
  const int file = open(it->path, O_RDWR);
  const off_t end = lseek(file, 0, SEEK_END);
  assert_false(wy_h5_broken(file));
  for (off_t at = 0; at < end; at += at < 4 * WY_H5_HEAD ? 1 : 29) {
    const bool is_number = at >= (off_t)offset && at < (off_t)described, is_seal = at >= end - 32 && at < end - 24;
    assert_int_equal(wy_file_read_at(file, &byte, 1, (uint64_t)at), 0);
    byte ^= 0x80;
    assert_int_equal(wy_file_write_at(file, &byte, 1, (uint64_t)at), 0);
    if (wy_h5_broken(file) != (!is_number && !is_seal))
      fail_msg("byte %ld of %ld was changed: got %d", (long)at, (long)end, (int)wy_h5_broken(file));
    byte ^= 0x80;
    assert_int_equal(wy_file_write_at(file, &byte, 1, (uint64_t)at), 0);
  }
  close(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(datasets, setup, teardown),
                                     cmocka_unit_test_setup_teardown(attributes, setup, teardown),
                                     cmocka_unit_test_setup_teardown(groups, setup, teardown),
                                     cmocka_unit_test_setup_teardown(many_texts, setup, teardown),
                                     cmocka_unit_test_setup_teardown(failures, setup, teardown),
                                     cmocka_unit_test_setup_teardown(seal, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
