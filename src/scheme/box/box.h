/* SPDX-License-Identifier: MIT */
/* The box scheme: unshearable, inextensible rods in body components, generalised alpha in time (docs/theory/box.md). */
#ifndef WY_SCHEME_BOX_BOX_H
#define WY_SCHEME_BOX_BOX_H

#include "scheme/scheme.h"

extern const wy_scheme wy_box_scheme;
extern const wy_option_type wy_box_option_type; /* options.c */

#endif
