/* SPDX-License-Identifier: MIT */
/* What is shown of contact at a state: along a rod, and of obstacles. docs/theory/contact.md. */
#ifndef WY_SCHEME_CONTACT_VIEW_H
#define WY_SCHEME_CONTACT_VIEW_H

#include "scheme/contacts.h"

/* What is seen along a rod, at the middles of its segments. The force of a cap is spread over its segment, so that
   loads times lengths of segments add up to the forces of obstacles. */
typedef struct wy_contact_line {
  int count;
  const double *edge; /* [count + 1] arc lengths of the ends of segments */
  double *load;       /* [count][3] force per length of all obstacles, space axes */
  double *gap;        /* [count] the smallest one on the segment, to any obstacle */
  double *slip;       /* [count] the largest |w| of (K7); 0: nothing touches, or nothing rubs */
} wy_contact_line;

/* What an obstacle does to a rod. */
typedef struct wy_contact_sum {
  wy_v3 force, moment; /* on the rod, space axes, the moment about the position of the obstacle */
  double length;       /* of the rod that touches it */
  double gap;          /* smallest */
} wy_contact_sum;

void wy_contact_line_clear(wy_contact_line *line);

/* Adds what a rod, or a piece of one, sees in a state at t, of all obstacles. */
void wy_contacts_measure(wy_system *system, double t, const double *u, wy_contact_line *line);
/* Adds what one obstacle does to it. */
void wy_contacts_measure_one(wy_system *system, double t, const double *u, int obstacle, wy_contact_sum *sum);

/* The motion of an obstacle at t, positions in space. */
wy_carrier wy_contacts_carrier(wy_system *system, double t, int obstacle);

/* The same of an obstacle that no rod can touch, as the model moves it; on a body that rods may push with the body at
   `on`, NULL: where it begins. */
wy_carrier wy_obstacle_alone(const wy_model *model, int obstacle, double t, const wy_spot *on);

/* Moves an obstacle, as `move_end` moves an end. */
wy_status wy_contacts_move(wy_system *system, int obstacle, double t, const wy_pose *target, double duration,
                           wy_message *message);

#endif
