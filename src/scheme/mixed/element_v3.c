/* SPDX-License-Identifier: MIT */
/* The kernels of mixed elements compiled for AVX2 with FMA. */
#include "scheme/mixed/element_kernels.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v3")

#include "scheme/mixed/element_lanes.h"

const wy_mixed_kernels wy_mixed_v3 = ELEMENT_KERNELS;
#endif
