/* SPDX-License-Identifier: MIT */
/* The kernel of batches, double precision, for the processor that the compiler aims at. */
#include "batch/lanes/lanes.h"

#define LANES 1
#include "batch/lanes/double.h"

const wy_batch_kernel wy_batch_double_base = {WY_BATCH_DOUBLE, LANES, frame_of_tile};
