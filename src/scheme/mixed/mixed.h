/* SPDX-License-Identifier: MIT */
/* Director-based mixed finite elements (Kinon, Eugster, Betsch). */
#ifndef WY_SCHEME_MIXED_MIXED_H
#define WY_SCHEME_MIXED_MIXED_H

#include "scheme/scheme.h"

extern const wy_scheme wy_mixed_scheme;
extern const wy_option_type wy_mixed_option_type; /* options.c */

#endif
