/* SPDX-License-Identifier: MIT */
/* One block of memory per simulation, carved in order. The same layout code runs twice: first on an arena without a
   block, which only counts, then on the block of that size. Nothing is allocated after that. */
#ifndef WY_BASE_ARENA_H
#define WY_BASE_ARENA_H

#include <stddef.h>

/* Vector width in doubles that arrays are padded to, and the alignment that follows from it. */
#define WY_LANES 8
#define WY_ALIGNMENT (WY_LANES * sizeof(double))

/* The smallest multiple of WY_LANES that holds `count` values. */
static inline int wy_padded(int count) {
  return (count + WY_LANES - 1) / WY_LANES * WY_LANES;
}

typedef struct wy_arena {
  char *block; /* NULL while counting */
  size_t used;
  size_t capacity;
} wy_arena;

/* The next `bytes` bytes, aligned to WY_ALIGNMENT and zeroed; NULL while counting. */
void *wy_arena_take(wy_arena *arena, size_t bytes);

static inline double *wy_arena_doubles(wy_arena *arena, size_t count) {
  return (double *)wy_arena_take(arena, count * sizeof(double));
}

/* Allocates the block for the size counted so far and rewinds; 0, or WY_ERROR_MEMORY. Freed with wy_arena_release. */
int wy_arena_allocate(wy_arena *arena);
void wy_arena_release(wy_arena *arena);

#endif
