/* SPDX-License-Identifier: MIT */
/* Batches in parts: ranks share their rods. Rank 0 gives orders, all carry them out, each with its own rods, and what
   they find comes together on rank 0. Without ranks (NULL) there is one part, and nobody to talk to. */
#ifndef WY_RUN_RESULTS_PARTS_H
#define WY_RUN_RESULTS_PARTS_H

#include "withy/run.h"

/* What all ranks do next. */
typedef struct wy_order {
  enum {
    WY_ORDER_END,
    WY_ORDER_MAKE,
    WY_ORDER_MOVE,
    WY_ORDER_PROBE,
    WY_ORDER_STATUS,
    WY_ORDER_TIPS,
    WY_ORDER_RECORDED,
    WY_ORDER_SAVE,
    WY_ORDER_RESTORE
  } what;
  int item;               /* number of a batch, or of a probe */
  int read;               /* RECORDED: what of a rod */
  double t;               /* MOVE */
  uint64_t size;          /* RECORDED: numbers a rod; SAVE, RESTORE: bytes of all */
  wy_rigid_motion motion; /* MOVE */
} wy_order;

/* Rank 0 gives an order; any other one does nothing, since it is just carrying one out. */
void wy_parts_order(const wy_ranks *ranks, wy_order order);
/* Another rank waits for one. */
wy_order wy_parts_await(const wy_ranks *ranks);

/* The rods of a rank, of `count` in all: they follow each other, rank by rank. Ranks may have none. */
void wy_parts_range(const wy_ranks *ranks, int rank, int count, int *first, int *own);

/* What one rank failed at, all have failed at: the first one of them tells rank 0 why. `stop`: asks whether some rank
   is to stop, and gets whether any is; it may be NULL. */
wy_status wy_parts_agree(const wy_ranks *ranks, wy_status status, bool *stop, wy_message *message);

/* Values of all rods on rank 0, `size` bytes each, whose own stand already at their place; other ranks give those of
   their rods. `chosen`: of `chosen_count` rods alone, in ascending order, instead of all; else NULL. */
void wy_parts_gather(const wy_ranks *ranks, int count, const int *chosen, int chosen_count, size_t size, void *values);
/* Of ascending rods those that a rank has: *from is the first one's place in the list. */
int wy_parts_chosen(const wy_ranks *ranks, int rank, int count, const int *chosen, int chosen_count, int *from);

/* The rods that a rank has in memory: its own, or a copy of another one's. Returns the first. */
int wy_parts_at_least_one(const wy_ranks *ranks, int rank, int count, int *many);
/* Rows of all rods, which rank 0 has: each other rank gets those of the rods that it has in memory. */
void wy_parts_hand_out(const wy_ranks *ranks, int count, size_t size, void *rows);

#endif
