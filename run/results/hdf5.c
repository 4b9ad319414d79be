/* SPDX-License-Identifier: MIT */
#define WY_HDF5_LOADING /* names of the library are its names here */
#include "run/results/hdf5.h"

#include "run/results/file.h"

#ifdef WY_HDF5_LIBRARY
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Written once. */
static wy_hdf5_library loaded;

/* Where the address of each name goes. */
typedef struct name {
  const char *text;
  size_t place;
} name;

#define NAME(symbol) {#symbol, offsetof(wy_hdf5_library, symbol)},
static const name functions[] = {WY_HDF5_FUNCTIONS(NAME)};
static const name variables[] = {WY_HDF5_VARIABLES(NAME)};
#undef NAME

static bool find(void *library, const name *wanted, wy_hdf5_library *out) {
  void *address = dlsym(library, wanted->text);
  memcpy((char *)out + wanted->place, &address, sizeof address);
  return address != NULL;
}

/* A program that is linked with HDF5 may have the variables at places of its own, and those of the library are not
   set. */
static bool find_variable(void *library, const name *wanted, wy_hdf5_library *out) {
  const hid_t *set = NULL;
  if (!find(library, wanted, out))
    return false;
  memcpy(&set, (char *)out + wanted->place, sizeof set);
  void *program = *set > 0 ? NULL : dlopen(NULL, RTLD_NOW);
  return *set > 0 || (program && find(program, wanted, out));
}

static bool find_all(void *library, wy_hdf5_library *out) {
  bool good = library != NULL;
  for (size_t i = 0; good && i < sizeof functions / sizeof functions[0]; i++)
    good = find(library, &functions[i], out);
  good = good && out->H5open() >= 0;
  for (size_t i = 0; good && i < sizeof variables / sizeof variables[0]; i++)
    good = find_variable(library, &variables[i], out);
  return good;
}

wy_status wy_hdf5_load(wy_message *message) {
  if (loaded.H5open)
    return WY_OK;
  wy_hdf5_library found;
  if (!find_all(dlopen(WY_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL), &found)) {
    const char *reason = dlerror();
    return wy_results_fail(message, WY_ERROR_SUPPORT,
                           "the HDF5 library cannot be loaded: %s; install the package that has " WY_HDF5_LIBRARY,
                           reason ? reason : "it does not start");
  }
  loaded = found;
  return WY_OK;
}

/* Another shared library may have opened the file: then it is there. */
const wy_hdf5_library *wy_hdf5_loaded(void) {
  wy_hdf5_load(NULL);
  return &loaded;
}
#else
wy_status wy_hdf5_load(wy_message *message) {
  (void)message;
  return WY_OK;
}
#endif
