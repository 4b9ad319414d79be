/* SPDX-License-Identifier: MIT */
/* What rods and obstacles of a model are to each other: radius and skin of a rod, the laws of a rod with an obstacle
   (docs/theory/contact.md). */
#ifndef WY_MODEL_CONTACT_H
#define WY_MODEL_CONTACT_H

#include "model/model.h"

/* The laws of contact for the whole model, with its pairs. Never NULL. */
const wy_contact_def *wy_model_contact_def(const wy_model *model);

/* Is there something that the rod may touch? */
bool wy_rod_touches(const wy_model *model, int rod);

/* Of a rod that touches, at arc length s: its radius, and the stiffness k' of its skin, force per length and depth. */
double wy_contact_radius(const wy_rod_def *rod, double s);
double wy_contact_stiffness(const wy_rod_def *rod, double s);

/* The largest and the smallest radius at the ends and middles of segments. */
double wy_contact_largest_radius(const wy_rod_def *rod);
double wy_contact_smallest_radius(const wy_rod_def *rod);

/* Friction and restitution between a rod and an obstacle, with all defaults. */
typedef struct wy_pair_laws {
  double friction, restitution; /* Coulomb's coefficient, e of (K3) */
  double slip, slip_rest;       /* z_s of (K7): in motions, in equilibria */
  double speed;                 /* v_e of (K7) and v_n of (K3) */
  bool stick;                   /* false: a damper alone */
} wy_pair_laws;

/* `end` is that of the run, positive; it may be INFINITY. */
wy_pair_laws wy_model_pair_laws(const wy_model *model, int rod, int obstacle, double end);

#endif
