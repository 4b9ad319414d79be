/* SPDX-License-Identifier: MIT */
/* Behind gpu/kernel.h: what differs from precision to precision, and what batch/rod.h has defined. */
#undef FACTORS
#undef FACTOR
#undef HIGHER
#undef LOW
#undef LOWER
#undef LOW_INV
#undef LOW_LESSER
#undef LOW_REAL
#undef LOW_RS
#undef LOW_SPLAT
#undef REAL
#undef RS
#undef STORE
#undef WARPS
#undef low
#undef lower_known
#undef lower_quat
#undef lower_stiff
