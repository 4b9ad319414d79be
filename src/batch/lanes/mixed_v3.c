/* SPDX-License-Identifier: MIT */
/* The kernel of batches, mixed precision, for AVX2 with FMA. */
#include "batch/lanes/lanes.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v3")

#define LANES 4
#include "batch/lanes/mixed.h"

const wy_batch_kernel wy_batch_mixed_v3 = {WY_BATCH_MIXED, LANES, frame_of_tile};
#endif
