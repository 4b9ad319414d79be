/* SPDX-License-Identifier: MIT */
/* The kernel of batches, single precision, for AVX2 with FMA. */
#include "batch/lanes/lanes.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v3")

#define LANES 8
#include "batch/lanes/single.h"

const wy_batch_kernel wy_batch_single_v3 = {WY_BATCH_SINGLE, LANES, frame_of_tile};
#endif
