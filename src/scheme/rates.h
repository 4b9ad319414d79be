/* SPDX-License-Identifier: MIT */
/* How fast a rod moves on its grid, from its data alone: the waves of a straight rod of equal segments, segment by
   segment; (I50) to (I53) of docs/theory/integrators.md. The one estimate of the fastest wave: `auto` chooses an
   integrator by it, and estimates before a run show it. */
#ifndef WY_SCHEME_RATES_H
#define WY_SCHEME_RATES_H

#include "scheme/scheme.h"

/* The rates of a rod whose grid carries waves up to the wave number wave/h. `cylinder`: a segment has the rotary
   inertia of a cylinder of its length, not of a disc. */
void wy_rates_of_rod(const wy_model *model, int rod, double wave, bool cylinder, wy_rates *rates);

/* Raises fast and decay by those of segments of length h. */
void wy_rates_of_segment(const wy_section_values *section, wy_rod_kind kind, double h, double wave, wy_rates *rates);

/* The frequency that hits of a rod against obstacles excite: of its skin, pi over the duration of a hit. 0: it touches
   nothing. */
double wy_rate_of_hits(const wy_model *model, int rod);

#endif
