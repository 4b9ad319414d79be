/* SPDX-License-Identifier: MIT */
/* The kernels for matrices on hubs compiled for the processor that the compiler aims at. */
#include "linalg/hubs_blocks.h"

const wy_hub_kernels wy_hub_base = {factor_any, solve_any};
