/* SPDX-License-Identifier: MIT */
/* The kernels for matrices on hubs compiled for AVX-512. */
#include "linalg/hubs_kernels.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v4")

#include "linalg/hubs_blocks.h"

const wy_hub_kernels wy_hub_v4 = {factor_any, solve_any};
#endif
