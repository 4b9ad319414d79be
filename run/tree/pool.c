/* SPDX-License-Identifier: MIT */
#include "run/tree/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 14 };

struct wy_pool_block {
  struct wy_pool_block *next;
  size_t used, capacity;
  max_align_t data[];
};

static struct wy_pool_block *new_block(size_t capacity) {
  struct wy_pool_block *block = capacity <= SIZE_MAX - sizeof *block ? calloc(1, sizeof *block + capacity) : NULL;
  if (block)
    block->capacity = capacity;
  return block;
}

/* Rounded up so that the next piece is aligned; 0 where that overflows. */
static size_t rounded(size_t bytes) {
  const size_t unit = sizeof(max_align_t);
  return bytes <= SIZE_MAX - unit ? (bytes + unit - 1) / unit * unit : 0;
}

void *wy_pool_take(wy_pool *pool, size_t bytes) {
  size_t size = rounded(bytes);
  struct wy_pool_block *block = pool->blocks;
  if (size < bytes) {
    pool->failed = true;
    return NULL;
  }
  if (!block || block->capacity - block->used < size) {
    block = new_block(size > BLOCK ? size : BLOCK);
    if (!block) {
      pool->failed = true;
      return NULL;
    }
    block->next = pool->blocks;
    pool->blocks = block;
  }
  void *start = (char *)block->data + block->used;
  block->used += size;
  return start;
}

char *wy_pool_copy(wy_pool *pool, const char *text, size_t length) {
  char *copy = wy_pool_take(pool, length + 1);
  if (copy)
    memcpy(copy, text, length);
  return copy;
}

void wy_pool_release(wy_pool *pool) {
  while (pool->blocks) {
    struct wy_pool_block *next = pool->blocks->next;
    free(pool->blocks);
    pool->blocks = next;
  }
}
