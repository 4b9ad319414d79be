/* SPDX-License-Identifier: MIT */
/* What the files that read batches share. */
#ifndef WY_RUN_SCENARIO_BATCHES_H
#define WY_RUN_SCENARIO_BATCHES_H

#include "run/scenario/reader.h"
#include "run/tree/numbers.h"

/* Keys of `vary` and the numbers of the library that they set; NULL past the last one. */
const char *wy_vary_key(int index, wy_batch_number *number);

/* The numbers of a rod that expressions use (bits as of wy_expr_numbers): i, uniform ones, normal ones. What is random
   depends on seed, rod and number alone. */
void wy_random_numbers(uint64_t seed, int rod, uint32_t used, double numbers[WY_EXPR_NUMBERS]);
/* Random numbers that no expression has: from this one on. */
enum { WY_RANDOM_OTHERS = 64 };

/* An expression of the numbers of a rod for all of them, into out[0], out[stride], ... */
void wy_read_per_rod(wy_reader *r, const wy_node *node, uint64_t seed, int count, int stride, double *out);

#endif
