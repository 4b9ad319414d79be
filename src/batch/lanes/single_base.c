/* SPDX-License-Identifier: MIT */
/* The kernel of batches, single precision, for the processor that the compiler aims at. */
#include "batch/lanes/lanes.h"

#define LANES 1
#include "batch/lanes/single.h"

const wy_batch_kernel wy_batch_single_base = {WY_BATCH_SINGLE, LANES, frame_of_tile};
