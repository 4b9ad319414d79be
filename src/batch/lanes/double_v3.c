/* SPDX-License-Identifier: MIT */
/* The kernel of batches, double precision, for AVX2 with FMA. */
#include "batch/lanes/lanes.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v3")

#define LANES 4
#include "batch/lanes/double.h"

const wy_batch_kernel wy_batch_double_v3 = {WY_BATCH_DOUBLE, LANES, frame_of_tile};
#endif
