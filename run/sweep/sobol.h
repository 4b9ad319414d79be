/* SPDX-License-Identifier: MIT */
/* Sobol's sequence with the direction numbers of Joe and Kuo (SIAM J. Sci. Comput. 30 (2008) 2635), in Gray code order
   as they publish it. `directions` are those of one dimension, from 0. */
#ifndef WY_RUN_SWEEP_SOBOL_H
#define WY_RUN_SWEEP_SOBOL_H

#include <stdint.h>

enum { WY_SOBOL_DIMENSIONS = 40, WY_SOBOL_BITS = 32 };
void wy_sobol_directions(int dimension, uint32_t directions[WY_SOBOL_BITS]);
/* Coordinate of a point in units of 2^-32. */
uint32_t wy_sobol(const uint32_t directions[WY_SOBOL_BITS], uint32_t point);

#endif
