/* SPDX-License-Identifier: MIT */
/* The real band kernels, those for eight right-hand sides and those without exchanges, compiled for AVX-512. */
#include "linalg/band_kernels.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v4")

#include "linalg/band_many.h"
#include "linalg/band_plain_many.h"
#include "linalg/band_real.h"

const wy_band_kernels wy_band_v4 = {factor_any, solve_any};
const wy_band_many_kernels wy_band_many_v4 = {many_solve_any, complex_many_solve_any};
const wy_band_plain_kernels wy_band_plain_v4 = PLAIN_KERNELS;
#endif
