/* SPDX-License-Identifier: MIT */
/* How fast joints and springs make a group move, from the model alone: for `integrator: auto`, before there is a
   system. */
#ifndef WY_NETWORK_RATES_H
#define WY_NETWORK_RATES_H

#include "scheme/scheme.h"

/* Frames of hubs (N6) vibrate a little faster than the grid of the rods on them; so much, over the fastest of rods. */
static const double wy_hub_rate = 1.09;

/* The rates of the springs of a group, against what hangs on them; false where it has none, or there is no memory. */
bool wy_spring_rates(const wy_model *model, int group, wy_rates *out);

#endif
