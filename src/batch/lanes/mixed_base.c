/* SPDX-License-Identifier: MIT */
/* The kernel of batches, mixed precision, for the processor that the compiler aims at. */
#include "batch/lanes/lanes.h"

#define LANES 1
#include "batch/lanes/mixed.h"

const wy_batch_kernel wy_batch_mixed_base = {WY_BATCH_MIXED, LANES, frame_of_tile};
