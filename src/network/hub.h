/* SPDX-License-Identifier: MIT */
/* Hubs: places with a frame that the parts of a group share. (N1)-(N6) of docs/theory/network.md.

   A hub has a place x and velocity v in space axes, a quaternion p, and the angular velocity Om in its own axes. Forces
   on it are taken in space axes, torques about its origin in its own axes. Vectors of linear systems:

     motion    dx (space), theta (hub axes, dp = p theta/2), dv (space), dOm (hub axes): 12 entries
     unknowns  dv, dOm: 6 entries; dx and theta follow for a shift, as for a segment of a rod (S40)-(S42) */
#ifndef WY_NETWORK_HUB_H
#define WY_NETWORK_HUB_H

#include <stdbool.h>

#include "math/lane.h"
#include "scheme/port.h"

/* What a hub has of body, end vertices and shares, about its origin and in its axes. Constant. */
typedef struct wy_hub_inertia {
  double mass, first[3], second[9]; /* mass, mass times centre of mass, inertia row by row */
  double weighed, weighed_first[3]; /* that which gravity pulls at */
  bool has_frame;                   /* else three unknowns */
  bool held[6];                     /* components of place (space) and rotation that never move; `any_held` of them */
  bool any_held;
  double inverse[6][6]; /* by wy_hub_factor: of the matrix of (N5), which acts on hub axes */
} wy_hub_inertia;

void wy_hub_add_mass(wy_hub_inertia *self, double mass, double weighed, const double at[3]);
/* Inertia about the centre of something whose mass is added by itself: along its own axes, turned by q against those of
   the hub; or six numbers xx, yy, zz, xy, xz, yz in hub axes. */
void wy_hub_add_share(wy_hub_inertia *self, const double share[3], const double q[4]);
void wy_hub_add_inertia(wy_hub_inertia *self, const double inertia[6]);
/* 0, or 1 if the hub has no mass, or a frame without inertia. */
int wy_hub_factor(wy_hub_inertia *self);

/* A hub at one time. */
typedef struct wy_hub_motion {
  wy_v3 x, v, omega;
  wy_q4 p; /* as in the state: its length is one but for errors of a step */
  wy_q4 unit;
  wy_m3 r; /* of `unit` */
} wy_hub_motion;

wy_hub_motion wy_hub_at(const double *u, int stride, int hub);

/* Where something takes hold of a hub: the end of a rod or of a spring. */
typedef struct wy_hold_on {
  wy_v3 c;    /* hub axes */
  wy_q4 q;    /* frame of the end in hub axes (N2) */
  bool turns; /* the frame counts: welded */
} wy_hold_on;

/* Place and velocity of a point (N1), and its acceleration with that of the hub (space; hub axes). */
wy_v3 wy_hub_point(const wy_hub_motion *at, wy_v3 c);
wy_v3 wy_hub_point_velocity(const wy_hub_motion *at, wy_v3 c);
wy_v3 wy_hub_point_acceleration(const wy_hub_motion *at, wy_v3 c, wy_v3 a, wy_v3 alpha);
/* The support that a port sees, with its place from `origin` (N1), (N2). */
void wy_hub_support(const wy_hub_motion *at, const wy_hold_on *hold, const double origin[3], wy_port_motion *motion);

/* Force and torque on a hub. */
typedef struct wy_hub_load {
  wy_v3 force, torque;
} wy_hub_load;

/* Adds the wrench of a port (N4), or a force in space axes at a point. */
void wy_hub_add_wrench(const wy_hub_motion *at, const wy_hold_on *hold, const wy_port_wrench *wrench, wy_hub_load *sum);
void wy_hub_add_force(const wy_hub_motion *at, wy_v3 c, wy_v3 force, wy_hub_load *sum);
void wy_hub_add_weight(const wy_hub_inertia *self, const wy_hub_motion *at, const double gravity[3], wy_hub_load *sum);
/* Accelerations from what acts, weight included (N5): a in space axes, alpha = dOm/dt. Those of held components are
   given in them. */
void wy_hub_accelerate(const wy_hub_inertia *self, const wy_hub_motion *at, const wy_hub_load *load, wy_v3 *a,
                       wy_v3 *alpha);

/* Kinetic energy, and that in the field of gravity. */
double wy_hub_kinetic(const wy_hub_inertia *self, const wy_hub_motion *at);
double wy_hub_gravity(const wy_hub_inertia *self, const wy_hub_motion *at, const double gravity[3]);
/* Adds momenta (the angular one about the origin of the group) and mass times centre of mass. */
void wy_hub_add_momentum(const wy_hub_inertia *self, const wy_hub_motion *at, wy_momentum *sum);

/* ---- Derivatives ---- */

/* Makes rows and columns of held components of a block zero; or one on the diagonal of a hub's own block, once. */
void wy_hub_hold(const wy_hub_inertia *rows, const wy_hub_inertia *columns, double block[6][6]);
void wy_hub_hold_diagonal(const wy_hub_inertia *self, double block[6][6]);
/* The matrix of (N5) for forces in space axes and torques in hub axes. */
void wy_hub_mass_matrix(const wy_hub_inertia *self, const wy_hub_motion *at, double m[6][6]);
/* Its remainder: what inertia and weight lack of a balance, at fixed accelerations, by the hub's motion. */
void wy_hub_inertia_blocks(const wy_hub_inertia *self, const wy_hub_motion *at, const double gravity[3], wy_v3 a,
                           wy_v3 alpha, double by_motion[6][12]);
/* Outer motion of a port (scheme/port.h) by the hub's. */
void wy_hub_outer(const wy_hub_motion *at, const wy_hold_on *hold, double by_motion[12][12]);
/* Torque on the hub of a force in space axes that stays, by theta. */
wy_m3 wy_hub_carried_turn(const wy_hub_motion *at, wy_v3 c, wy_v3 force);
/* Acceleration of a point by the motion, beside that by da (space) and dalpha. */
void wy_hub_point_blocks(const wy_hub_motion *at, wy_v3 c, wy_v3 alpha, wy_m3 *by_theta, wy_m3 *by_omega);

/* The elimination of place and quaternion for a shift (S40), (S41): dx = dv / sigma + ..., theta = (beta - gamma [Om]x)
   dOm + ... Imaginary parts are 0 for a real shift. */
typedef struct wy_hub_shift {
  double re, im;
  double inverse_re, inverse_im;                                   /* 1 / sigma */
  double beta_re, beta_im, gamma_re, gamma_im, scale_re, scale_im; /* scale: 1 / (sigma^2 + |Om|^2/4) */
} wy_hub_shift;

wy_hub_shift wy_hub_shift_of(const wy_hub_motion *at, double re, double im);
/* Derivatives by the unknowns from those by the motion. */
void wy_hub_reduce(const wy_hub_shift *shift, const wy_hub_motion *at, double by_motion[6][12], double re[6][6],
                   double im[6][6]);
/* The known part of the motion, from the right-hand sides of place and quaternion; `im` may be NULL. */
typedef struct wy_hub_known {
  wy_v3 dx, theta;
  wy_q4 rho; /* conj(p) r_p / |p|^2 */
} wy_hub_known;

void wy_hub_know(const wy_hub_shift *shift, const wy_hub_motion *at, wy_v3 rx_re, wy_v3 rx_im, wy_q4 rp_re, wy_q4 rp_im,
                 wy_hub_known *re, wy_hub_known *im);
/* And the whole of it with the unknowns found; dp: the increment of the quaternion. */
typedef struct wy_hub_found {
  wy_v3 dx, theta, dv, domega;
  wy_q4 dp;
} wy_hub_found;

void wy_hub_find(const wy_hub_shift *shift, const wy_hub_motion *at, const wy_hub_known *known_re,
                 const wy_hub_known *known_im, const double y_re[6], const double y_im[6], wy_hub_found *re,
                 wy_hub_found *im);

#endif
