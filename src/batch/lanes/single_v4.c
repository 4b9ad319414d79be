/* SPDX-License-Identifier: MIT */
/* The kernel of batches, single precision, for AVX-512. */
#include "batch/lanes/lanes.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v4")

#define LANES 16
#include "batch/lanes/single.h"

const wy_batch_kernel wy_batch_single_v4 = {WY_BATCH_SINGLE, LANES, frame_of_tile};
#endif
