/* SPDX-License-Identifier: MIT */
/* The real band kernels compiled for AVX-512. */
#include "linalg/band_kernels.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v4")

#include "linalg/band_real.h"

const wy_band_kernels wy_band_v4 = {factor_any, solve_any};
#endif
