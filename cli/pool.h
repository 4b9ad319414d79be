/* SPDX-License-Identifier: MIT */
/* Threads that wait for the tasks of one simulation (wy_tasks of withy/sim.h). */
#ifndef WY_CLI_POOL_H
#define WY_CLI_POOL_H

#include "withy/sim.h"

typedef struct wy_pool wy_pool;

/* As many threads as asked for, that of the caller among them, or as many as can be started. NULL for one thread, and
   without memory. */
wy_pool *wy_pool_create(int threads);
/* What has them do tasks; without a pool nothing. One simulation at a time. */
wy_tasks wy_pool_tasks(wy_pool *pool);
/* No task may be under way. NULL does nothing. */
void wy_pool_destroy(wy_pool *pool);

#endif
