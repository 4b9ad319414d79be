/* SPDX-License-Identifier: MIT */
#include "draw/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run/results/file.h"

void *wy_memory_take(wy_memory *memory, size_t count, size_t size) {
  /* Half of what size_t can say: room for the pool's own words. */
  void *taken = count > SIZE_MAX / 2 / size ? NULL : wy_pool_take(&memory->pool, count > 0 ? count * size : 1);
  if (!taken)
    longjmp(memory->begin, 1);
  return taken;
}

char *wy_memory_copy(wy_memory *memory, const char *text, size_t length) {
  char *copy = wy_memory_take(memory, length + 1, 1);
  memcpy(copy, text, length);
  return copy;
}

const char *wy_memory_print(wy_memory *memory, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  size_t size = length > 0 ? (size_t)length + 1 : 1;
  char *text = wy_memory_take(memory, size, 1);
  va_start(arguments, format);
  vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return text;
}

void wy_memory_release(wy_memory *memory) {
  wy_pool_release(&memory->pool);
}

wy_status wy_memory_failed(wy_message *message) {
  return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory while drawing");
}
