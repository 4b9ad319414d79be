/* SPDX-License-Identifier: MIT */
/* What a rod has met over a run: the largest and smallest sizes of quantities, with their places and times. */
#ifndef WY_RECORD_EXTREMES_H
#define WY_RECORD_EXTREMES_H

#include "withy/sim.h"

/* Nothing was looked at so far. */
void wy_extremes_begin(wy_extreme_value so_far[WY_EXTREME_COUNT]);
/* Looks at a state of a rod of that undeformed length. */
void wy_extremes_look(const wy_view *view, double length, double t, wy_extreme_value so_far[WY_EXTREME_COUNT]);

#endif
