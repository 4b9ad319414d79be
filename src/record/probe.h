/* Values between the points of a view, and quantities made of them. */
#ifndef WY_RECORD_PROBE_H
#define WY_RECORD_PROBE_H

#include "withy/sim.h"

/* The rod that quantities are read from, and where. */
typedef struct wy_reading {
  const wy_view *view;
  double length; /* of the undeformed rod */
  double s;
} wy_reading;

/* Values at arc length s: linear between points, or a parabola through three of them; beyond the outermost ones, too.
 */
void wy_points_at(const wy_points *points, double s, double *out);
/* The frame at r->s, along the shortest turn between points; at a held end that of the support. */
void wy_rotation_at(const wy_reading *r, double q[4]);
/* The end that s is, or -1. */
int wy_end_at(double length, double s);

/* A quantity of a rod, of a place on it or of an end (quantity.c). */
wy_status wy_probe_view(const wy_view *view, double length, wy_quantity quantity, double s, double out[4],
                        wy_message *message);

#endif
