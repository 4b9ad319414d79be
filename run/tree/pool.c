#include "run/tree/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 14 };

struct wy_pool_block {
  struct wy_pool_block *next;
  size_t used, capacity;
  max_align_t data[];
};

static struct wy_pool_block *new_block(size_t capacity) {
  struct wy_pool_block *block = calloc(1, sizeof *block + capacity);
  if (!block) {
    fputs("withy: out of memory\n", stderr);
    exit(1);
  }
  block->capacity = capacity;
  return block;
}

void *wy_pool_take(wy_pool *pool, size_t bytes) {
  size_t size = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  struct wy_pool_block *block = pool->blocks;
  if (!block || block->capacity - block->used < size) {
    block = new_block(size > BLOCK ? size : BLOCK);
    block->next = pool->blocks;
    pool->blocks = block;
  }
  void *start = (char *)block->data + block->used;
  block->used += size;
  return start;
}

char *wy_pool_copy(wy_pool *pool, const char *text, size_t length) {
  char *copy = wy_pool_take(pool, length + 1);
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
