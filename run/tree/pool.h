/* Memory that is freed all at once: the tree and the definitions of one scenario live in a pool. */
#ifndef WY_RUN_TREE_POOL_H
#define WY_RUN_TREE_POOL_H

#include <stddef.h>

typedef struct wy_pool {
  struct wy_pool_block *blocks; /* start with {NULL} */
} wy_pool;

/* `bytes` zeroed bytes, aligned for every type. Never NULL: without memory for a file of bounded size the program ends.
 */
void *wy_pool_take(wy_pool *pool, size_t bytes);

/* A copy of `length` characters of `text`, terminated. */
char *wy_pool_copy(wy_pool *pool, const char *text, size_t length);

void wy_pool_release(wy_pool *pool);

#endif
