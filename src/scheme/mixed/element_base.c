/* SPDX-License-Identifier: MIT */
/* The kernels of mixed elements compiled for every processor. */
#include "scheme/mixed/element_lanes.h"

const wy_mixed_kernels wy_mixed_base = ELEMENT_KERNELS;
