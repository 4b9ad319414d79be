/* SPDX-License-Identifier: MIT */
/* Quaternions on a staggered grid: the Cosserat rod of docs/theory/staggered.md as a wy_system. */
#ifndef WY_SCHEME_STAGGERED_STAGGERED_H
#define WY_SCHEME_STAGGERED_STAGGERED_H

#include "scheme/scheme.h"

extern const wy_scheme wy_staggered_scheme;
extern const wy_option_type wy_staggered_option_type; /* options.c */

/* options.c: the curvature measure of a rod; WY_AUTO_MEASURE is replaced by what it takes. */
wy_curvature_measure wy_staggered_measure(const wy_staggered_options *options, const wy_rod_def *rod);
/* rates.c: the scheme's `rates`. */
void wy_staggered_rates(const wy_model *model, int rod, const wy_solver_def *solver, wy_rates *rates);

/* staggered.c: has a constrained rod its null space with implicit integrators? */
bool wy_staggered_is_chain(const wy_model *model, int rod, const wy_solver_def *solver);

#endif
