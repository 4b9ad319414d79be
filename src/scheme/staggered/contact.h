/* SPDX-License-Identifier: MIT */
/* Contact with obstacles on the staggered grid (docs/theory/contact.md). */
#ifndef WY_SCHEME_STAGGERED_CONTACT_H
#define WY_SCHEME_STAGGERED_CONTACT_H

#include "contact/plain.h"
#include "scheme/contacts.h"
#include "scheme/staggered/grid.h"

typedef struct wy_staggered_contact {
  wy_contacts contacts; /* base.contacts where the rod touches anything */
  /* At creation: stations on each segment, and where on it. */
  int per_segment;
  double share[WY_MOST_STATIONS];
  wy_skins skins; /* of all stations */
  /* Scratch of touch.c: normals of the obstacle that is looked at and how they turn, [3] and [3][3][stations]. */
  double *normal, *bend;
  /* By wy_staggered_contact_find and _forces: is an obstacle within reach; power of all forces on vertices, work done
     by obstacles, losses; does friction hold. */
  bool found, rubs;
  double pushed, work, friction, impact;
} wy_staggered_contact;

int wy_staggered_count_stations(const wy_staggered *self);
void wy_staggered_contact_layout(wy_staggered *self, wy_memory *memory);
void wy_staggered_contact_begin(wy_staggered *self);
/* Is an obstacle within reach of a state? Only then are there forces. */
bool wy_staggered_contact_find(wy_staggered *self, double t, const double *u);
/* Adds the pushes of obstacles that were found to forces on vertices and torques on segments. */
void wy_staggered_contact_forces(wy_staggered *self, const double *u);
/* Their derivatives at the same state, through the door; by velocities only in motion. */
void wy_staggered_contact_blocks(wy_staggered *self, const double *u, bool moving);

/* The same for all stations on segments that touch an obstacle, whose distances are known, at a state: touch.c without
   friction, rub.c with it. The first ones tell whether there are any. */
/* May any station of a group of WY_LANES segments, from this one on, touch? By the distances. */
bool wy_staggered_group_touches(const wy_staggered *self, int first);
/* Normals at the stations of a group of WY_LANES segments and, with `bends`, how they turn. */
void wy_staggered_find_normals(const wy_staggered *self, const wy_meeting *with, int first, bool bends);
bool wy_staggered_push_segments(wy_staggered *self, const double *u, wy_meeting *with);
void wy_staggered_add_segments(wy_staggered *self, const double *u, wy_meeting *with, bool moving);
bool wy_staggered_rub_segments(wy_staggered *self, const double *u, wy_meeting *with);
void wy_staggered_add_rubbing(wy_staggered *self, const double *u, wy_meeting *with, bool moving);

#endif
