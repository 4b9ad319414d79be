/* SPDX-License-Identifier: MIT */
/* The band kernels compiled for the processor that the compiler aims at. */
#include "linalg/band_complex.h"
#include "linalg/band_many.h"
#include "linalg/band_plain_many.h"
#include "linalg/band_real.h"

const wy_band_kernels wy_band_base = {factor_any, solve_any};
const wy_band_complex_kernels wy_band_complex_base = {complex_factor_any, complex_solve_any};
const wy_band_many_kernels wy_band_many_base = {many_solve_any, complex_many_solve_any};
const wy_band_plain_kernels wy_band_plain_base = PLAIN_KERNELS;
