/* SPDX-License-Identifier: MIT */
/* Memory that is freed all at once: the tree and the definitions of one scenario live in a pool. */
#ifndef WY_RUN_TREE_POOL_H
#define WY_RUN_TREE_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wy_pool {
  struct wy_pool_block *blocks; /* start with {NULL} */
  bool failed;                  /* there was no memory at least once: what is built of this pool is not complete */
} wy_pool;

/* `bytes` zeroed bytes, aligned for every type; NULL without memory, and `failed` is set. */
void *wy_pool_take(wy_pool *pool, size_t bytes);

/* A copy of `length` characters of `text`, terminated; NULL likewise. */
char *wy_pool_copy(wy_pool *pool, const char *text, size_t length);

void wy_pool_release(wy_pool *pool);

#endif
