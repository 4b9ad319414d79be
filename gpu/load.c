/* SPDX-License-Identifier: MIT */
/* Loads the library that moves batches on a GPU, if there is one. */
#define _GNU_SOURCE /* dladdr */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/backend.h"
#include "withy/gpu.h"

#ifdef _WIN32
wy_batch_gpu wy_gpu(void) {
  return (wy_batch_gpu){NULL, "this build of withy has no GPU"};
}
#else
#include <dlfcn.h>
#include <unistd.h>

/* From the folder of programs to that of libraries. */
#ifndef WY_GPU_FOLDER
#define WY_GPU_FOLDER "../lib"
#endif

enum { PATH = 4096 };
static const char file[] = "libwithy_cuda.so";

static void *open_library(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* The file that has this code; a program that was found by its name alone is asked of the system. */
static bool find_self(char path[PATH]) {
  Dl_info own;
  if (!dladdr(&file, &own) || !own.dli_fname)
    return false;
  if (strchr(own.dli_fname, '/'))
    return snprintf(path, PATH, "%s", own.dli_fname) < PATH;
  const ssize_t length = readlink("/proc/self/exe", path, PATH - 1);
  path[length > 0 ? length : 0] = '\0';
  return length > 0;
}

/* Beside that file, or in the folder of libraries that belongs to its folder. */
static void *open_near(void) {
  static const char *const folders[] = {"", WY_GPU_FOLDER "/"};
  char own[PATH], path[2 * PATH];
  char *slash = find_self(own) ? strrchr(own, '/') : NULL;
  void *library = NULL;
  for (int i = 0; i < 2 && slash && !library; i++) {
    slash[1] = '\0';
    snprintf(path, sizeof path, "%s%s%s", own, folders[i], file);
    library = open_library(path);
  }
  return library;
}

wy_batch_gpu wy_gpu(void) {
  const char *given = getenv("WITHY_CUDA");
  if (given && strcmp(given, "off") == 0)
    return (wy_batch_gpu){NULL, "the variable WITHY_CUDA says `off`"};
  void *library = given && *given ? open_library(given) : open_near();
  if (!library && !(given && *given))
    library = open_library(file);
  if (!library)
    return (wy_batch_gpu){
        NULL, given && *given ? "the library that the variable WITHY_CUDA names cannot be loaded"
                              : "libwithy_cuda.so was not found: withy was built without CUDA, or it is elsewhere"};
  wy_batch_find_backend find;
  void *symbol = dlsym(library, WY_BATCH_BACKEND_NAME);
  memcpy(&find, &symbol, sizeof find); /* a function behind a pointer to an object, as POSIX has it */
  wy_batch_gpu gpu = {NULL, "libwithy_cuda.so is no library of withy"};
  if (symbol) /* it stays loaded: the reason is a text of its own, too */
    gpu.backend = find(WY_VERSION, &gpu.reason);
  else
    dlclose(library);
  return gpu;
}
#endif
