/* SPDX-License-Identifier: MIT */
/* Bodies that carry obstacles, and rods that push them (docs/theory/contact.md, docs/theory/network.md). What such a
   body and a rod do to each other is felt all along the rod. The factors of a group know nothing of it, but of what the
   body feels of its own motion; the rest is a matrix of low rank: with loads B on cells and bodies by what C sees of a
   solution,

     (S - B C) z = r         z = S^-1 r + Z (1 - C Z)^-1 C S^-1 r         Z = S^-1 B (N24)

   C sees of each body its motion and the load on it; B are the loads on rods by that motion, and that load. */
#ifndef WY_NETWORK_CARRIERS_H
#define WY_NETWORK_CARRIERS_H

#include "network/hub.h"
#include "scheme/port.h"

/* A body with obstacles on it. */
typedef struct wy_group_carrier {
  int hub, body; /* among those of the group; in the model */
  int first;     /* where it stands in what is seen, by the last Jacobian; -1: nothing touches it */
} wy_group_carrier;

/* A rod, or piece of a rod, and a body whose obstacles it may touch. */
typedef struct wy_group_touch {
  int rod, carrier;
  wy_v3 force, moment; /* on the body, by the last evaluation: space axes, about the origin of its hub */
  /* By the last Jacobian or tangent. */
  bool any; /* they touch */
  wy_touched_cell *cells;
  double own[6][12];
} wy_group_touch;

/* Z and the factors of 1 - C Z, of one slot. */
typedef struct wy_carrier_slot {
  double *columns[2], *matrix[2]; /* [order][size], [order][order]; real and imaginary parts */
  int *rows;
} wy_carrier_slot;

enum { WY_HUB_SLOTS = 4, WY_CARRIED = 12 }; /* what is seen of a body: six unknowns and the load on it */

typedef struct wy_carriers { /* order: 12 numbers for each of `active` bodies */
  int count, touch_count;
  int active; /* bodies that are touched, by the last Jacobian or tangent */
  wy_group_carrier *bodies;
  wy_group_touch *touches;                /* by rods */
  wy_carrier_slot slots[2][WY_HUB_SLOTS]; /* of the group: real, complex */
  double *seen[2];                        /* [order] */
  double (*motion)[12];                   /* of the cells of a rod */
  int column; /* the column of B that a solution is asked for; -1: that of a right-hand side */
} wy_carriers;

#endif
