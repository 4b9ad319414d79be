/* Values between the points of a view. */
#ifndef WY_RECORD_PROBE_H
#define WY_RECORD_PROBE_H

#include "withy/sim.h"

/* A quantity of a rod at arc length s from its view: linear between points and beyond the outermost ones (order 2),
   rotations along the shortest turn; at a held end the support's own pose. */
wy_status wy_probe_view(const wy_view *view, double length, wy_quantity quantity, double s, double out[4],
                        wy_message *message);

#endif
