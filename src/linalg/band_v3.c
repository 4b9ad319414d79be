/* SPDX-License-Identifier: MIT */
/* The band kernels compiled for AVX2 with FMA. */
#include "linalg/band_kernels.h"

#if WY_HAVE_CLONES
#pragma GCC target("arch=x86-64-v3")

#include "linalg/band_complex.h"
#include "linalg/band_many.h"
#include "linalg/band_plain_many.h"
#include "linalg/band_real.h"

const wy_band_kernels wy_band_v3 = {factor_any, solve_any};
const wy_band_complex_kernels wy_band_complex_v3 = {complex_factor_any, complex_solve_any};
const wy_band_many_kernels wy_band_many_v3 = {many_solve_any, complex_many_solve_any};
const wy_band_plain_kernels wy_band_plain_v3 = PLAIN_KERNELS;
#endif
