/* SPDX-License-Identifier: MIT */
/* The kernels of batches compiled for the processor that the compiler aims at. */
#include "batch/lanes.h"

const wy_batch_kernel wy_batch_kernels_base[] = {
    {WY_BATCH_DOUBLE, 1, NULL}, {WY_BATCH_MIXED, 1, NULL}, {WY_BATCH_SINGLE, 1, NULL}, {WY_BATCH_DOUBLE, 0, NULL}};
