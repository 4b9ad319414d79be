#include "base/arena.h"

#include <assert.h>
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

int wy_arena_allocate(wy_arena *arena) {
  size_t size = arena->used ? arena->used : WY_ALIGNMENT;
  arena->block = aligned_alloc(WY_ALIGNMENT, size);
  if (!arena->block)
    return WY_ERROR_MEMORY;
  memset(arena->block, 0, size);
  arena->capacity = size;
  arena->used = 0;
  return WY_OK;
}

void wy_arena_release(wy_arena *arena) {
  free(arena->block);
  *arena = (wy_arena){0};
}
