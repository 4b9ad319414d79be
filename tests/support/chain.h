/* SPDX-License-Identifier: MIT */
/* A chain of point masses and springs as a scheme: the example of docs/dev/adding-a-scheme.md. It is complete, but not
   in the registry: a rod that resists nothing but extension is no rod. */
#ifndef WY_TESTS_SUPPORT_CHAIN_H
#define WY_TESTS_SUPPORT_CHAIN_H

#include "scheme/scheme.h"

extern const wy_scheme chain_scheme;

#endif
