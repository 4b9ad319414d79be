/* SPDX-License-Identifier: MIT */
/* Equilibria of the box scheme from inside: one cell at rest. docs/theory/box.md, (B13)-(B15). */
#ifndef WY_SCHEME_BOX_STATICS_H
#define WY_SCHEME_BOX_STATICS_H

#include "scheme/box/rod.h"

enum {
  WY_BOX_REST =
      9, /* degrees of freedom of a node and the cell behind it: translation, body rotation, force of the cell */
  WY_BOX_REST_TURN = 3,  /* where they begin */
  WY_BOX_REST_FORCE = 6, /* the mean of the space forces at both ends of a cell */
  WY_BOX_REST_CELL = 15, /* those of a cell and both its nodes */
  WY_BOX_REST_BAND = 14, /* half bandwidth */
  WY_BOX_LOCAL = 12      /* kappa and n at both ends of a cell */
};

/* What a cell is given: its frames, its force, the loads on it. */
typedef struct wy_box_rest {
  int cell;
  double h;
  wy_m3 frame[2], middle; /* R at both ends, and half way between them */
  wy_box_turn turn;
  wy_m3 e; /* E and S e3 of the turn */
  wy_v3 s3;
  wy_v3 force;          /* of the cell, space */
  wy_v3 space_force[2]; /* per length, with gravity, at both ends */
  wy_box_load load;     /* per length, over the cell */
} wy_box_rest;

/* What follows from it: curvatures, moments and forces at both ends, body components. */
typedef struct wy_box_inner {
  wy_v3 kappa[2], n[2], m[2];
} wy_box_inner;

void wy_box_rest_at(const wy_box *self, int cell, const wy_box_loads *loads, const double *config, wy_box_rest *out);
/* WY_RETRY where there is no such cell. */
int wy_box_rest_solve(const wy_box *self, const wy_box_rest *given, wy_box_inner *out);
/* Changes of rotation with body rotations of both ends: d(k) = step (theta_b) - step^T (theta_a). */
wy_m3 wy_box_rest_step(const wy_box_turn *turn);
/* K of one cell, -dr/dd in the order x_a, theta_a, F, x_b, theta_b, without slack. `push`: how the loads of contact
   change with the nodes, or NULL. */
int wy_box_rest_tangent(const wy_box *self, const wy_box_rest *given, const wy_box_inner *inner,
                        const wy_box_push_slopes *push, double k[WY_BOX_REST_CELL][WY_BOX_REST_CELL]);

#endif
