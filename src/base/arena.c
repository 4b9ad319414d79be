/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "withy/base.h"

void *wy_arena_take(wy_arena *arena, size_t bytes) {
  size_t size = (bytes + WY_ALIGNMENT - 1) / WY_ALIGNMENT * WY_ALIGNMENT;
  char *start = arena->block ? arena->block + arena->used : NULL;
  arena->used += size;
  assert(!start || arena->used <= arena->capacity);
  return start;
}

/* calloc gives large blocks without touching them: what no method uses then takes neither time nor memory. Where its
   block begins stands right before the aligned one. */
int wy_arena_allocate(wy_arena *arena) {
  size_t size = arena->used ? arena->used : WY_ALIGNMENT;
  char *start = size <= SIZE_MAX - WY_ALIGNMENT ? calloc(1, size + WY_ALIGNMENT) : NULL;
  if (!start)
    return WY_ERROR_MEMORY;
  arena->block = start + WY_ALIGNMENT - (uintptr_t)start % WY_ALIGNMENT;
  assert(arena->block >= start + sizeof start);
  memcpy(arena->block - sizeof start, &start, sizeof start);
  arena->capacity = size;
  arena->used = 0;
  return WY_OK;
}

void wy_arena_release(wy_arena *arena) {
  char *start = NULL;
  if (arena->block)
    memcpy(&start, arena->block - sizeof start, sizeof start);
  free(start);
  *arena = (wy_arena){0};
}
