/* SPDX-License-Identifier: MIT */
/* The statistics of a rod become those of several. */
#ifndef WY_RECORD_STATISTICS_H
#define WY_RECORD_STATISTICS_H

#include "withy/sim.h"

/* Fills the members of `one` that are drifts, by the list that schemes keep (WY_DRIFT_QUATERNION, ...). */
void wy_statistics_take_drifts(wy_statistics *one, const double *drift);
/* Adds those of a rod; `first` where the sum is empty so far. */
void wy_statistics_add(wy_statistics *sum, wy_statistics *one, bool first);

#endif
