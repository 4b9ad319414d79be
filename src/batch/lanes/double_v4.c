/* SPDX-License-Identifier: MIT */
/* The kernel of batches, double precision, for AVX-512. */
#include "batch/lanes/lanes.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v4")

#define LANES 8
#include "batch/lanes/double.h"

const wy_batch_kernel wy_batch_double_v4 = {WY_BATCH_DOUBLE, LANES, frame_of_tile};
#endif
