/* SPDX-License-Identifier: MIT */
/* The energy-conserving finite-difference scheme for hyperelastic rods (docs/theory/conserving.md). */
#ifndef WY_SCHEME_CONSERVING_CONSERVING_H
#define WY_SCHEME_CONSERVING_CONSERVING_H

#include "scheme/scheme.h"

extern const wy_scheme wy_conserving_scheme;
extern const wy_option_type wy_conserving_option_type; /* options.c */

#endif
