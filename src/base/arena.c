/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "withy/base.h"

/* Windows has no aligned_alloc, and blocks that are aligned there have a `free` of their own. */
#if defined(_WIN32)
#include <malloc.h>
#define allocate_aligned(alignment, size) _aligned_malloc(size, alignment)
#define free_aligned(block) _aligned_free(block)
#else
#define allocate_aligned(alignment, size) aligned_alloc(alignment, size)
#define free_aligned(block) free(block)
#endif

void *wy_arena_take(wy_arena *arena, size_t bytes) {
  size_t size = (bytes + WY_ALIGNMENT - 1) / WY_ALIGNMENT * WY_ALIGNMENT;
  char *start = arena->block ? arena->block + arena->used : NULL;
  arena->used += size;
  assert(!start || arena->used <= arena->capacity);
  return start;
}

int wy_arena_allocate(wy_arena *arena) {
  size_t size = arena->used ? arena->used : WY_ALIGNMENT;
  arena->block = allocate_aligned(WY_ALIGNMENT, size);
  if (!arena->block)
    return WY_ERROR_MEMORY;
  memset(arena->block, 0, size);
  arena->capacity = size;
  arena->used = 0;
  return WY_OK;
}

void wy_arena_release(wy_arena *arena) {
  free_aligned(arena->block);
  *arena = (wy_arena){0};
}
