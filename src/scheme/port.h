/* SPDX-License-Identifier: MIT */
/* Ports: where the ends of a rod that a joint holds meet the rest of their group (docs/theory/network.md).

   A port is an end of a rod that sits on a hub. To the rod the hub is a support that moves: it has a place and, if the
   joint holds the rotation, a frame (the support of (S21), (S22)). The vertex at the end is no unknown of the rod any
   more. Its mass, its weight and the forces on it, and a share of the rotary inertia of the end segment (N6), belong to
   the hub. Its entries in the state are slaves with weight 0 that the group writes for others to read: the rod itself
   takes what `move` said instead. Likewise the entries of end vertices in right-hand sides of linear systems are read
   as 0.

   The group solves for hubs. A rod with its hubs held is the matrix A_ii of (N8), which its scheme factors as for held
   ends; its columns A_ih have six entries for each of the six unknowns of a hub, since only the neighbour of the end
   sees the hub. Vectors:

     outer motion  dx (space), theta (axes of the support), dv (space), domega (axes of the support): of the support
     inner motion  dx (space), theta (body axes), dv (space), dOmega (body axes): of the vertex next to the end and of
                   the end segment; dF, the force of that segment (body axes)
     inner forces  force on the vertex next to the end (space), torque on the end segment (body axes), its strain
     wrench        force on the end vertex (space), torque on the support (axes of the support)

   Ports that hold no rotation (balls) have no frame: theta, domega and torques of their supports are 0.

   Rods with constrained strains keep section forces as unknowns (C10): dF, and the row of the strain. Of other rods
   both are 0. Their forces depend on the accelerations of hubs: see `articulate`. */
#ifndef WY_SCHEME_PORT_H
#define WY_SCHEME_PORT_H

#include "contact/station.h"
#include "scheme/scheme.h"

/* The support of a port at one time. Places are taken from the rod's origin, as in states. */
typedef struct wy_port_motion {
  double x[3], v[3]; /* space */
  double q[4], w[3]; /* frame, and angular velocity in its axes */
  double a[3];       /* acceleration of the place as far as it is known; rods without constraints do not ask */
} wy_port_motion;

typedef struct wy_port_wrench {
  double force[3], torque[3];
} wy_port_wrench;

/* Entries of inner motions and inner forces. */
enum { WY_PORT_MOTION = 15, WY_PORT_FORCES = 9 };

/* Derivatives of one Jacobian. The last: by the acceleration of the end vertex, of rods with constraints. */
typedef struct wy_port_blocks {
  double inner_by_outer[WY_PORT_FORCES][12], wrench_by_inner[6][WY_PORT_MOTION], wrench_by_outer[6][12];
  double inner_by_acceleration[WY_PORT_FORCES][3];
} wy_port_blocks;

/* The same of an equilibrium: outer (dx, theta); inner (dx, theta, dF) with the section force F of the end segment; the
   rows of the inner part are force on its vertex, torque, strain of the end segment. Derivatives of the residual and of
   the wrench: the tangent has them with the opposite sign. */
typedef struct wy_port_rest_blocks {
  double inner_by_outer[9][6], wrench_by_inner[6][9], wrench_by_outer[6][6];
} wy_port_rest_blocks;

/* Constraints of a rod are met by places, by velocities, or by accelerations (C1)-(C3). */
typedef enum wy_level { WY_LEVEL_PLACE, WY_LEVEL_VELOCITY, WY_LEVEL_ACCELERATION } wy_level;

/* By how much they are missed, as a strain or its rates, and what round-off leaves. */
typedef struct wy_port_miss {
  double size, floor;
} wy_port_miss;

/* One number for each unknown that a port depends on: the six of its hub, or those of a hub and of what turns on it;
   the others are 0. */
enum { WY_PORT_COLUMNS = WY_LANES };
typedef double wy_port_row[WY_PORT_COLUMNS];

/* A vertex of a rod and the segment behind it, where obstacles on a body touch: the load on them (force on the vertex,
   space; torque on the segment, body axes) by the motion of the body (network/hub.h), and the load on the body (force,
   space; torque about its origin, its own axes) by the motion of both (dx, theta, dv, dOmega, as inner motions). */
typedef struct wy_touched_cell {
  double load_by_body[6][12], body_by_cell[6][12];
} wy_touched_cell;

/* What a scheme with ports adds to its systems. Inner points of a rod that sit on hubs cut it into pieces (wy_piece of
   model/network.h): each is a system of its own, a rod whose ends are ports where it is cut. `end` is WY_START or
   WY_END, and must be a port. The `piece` of a system is 0. Arrays with [2] last but one have both ends of a piece,
   those with [] first all pieces. Complex slots have imaginary parts, else `im` is NULL. */
typedef struct wy_port_type {
  /* As `size`, `config_size` and `create` of the scheme, for one piece of a rod that has several, by its number in the
     network. NULL: the scheme has no joints at inner points. */
  int (*piece_size)(const wy_model *model, int piece, const wy_solver_def *solver);
  void (*piece_config_size)(const wy_model *model, int piece, const wy_solver_def *solver, int *config_size, int *dofs);
  wy_status (*create_piece)(const wy_model *model, int piece, const wy_solver_def *solver, wy_factor_needs needs,
                            wy_memory *memory, wy_system **system, wy_message *message);
  /* The support from now on: for `rhs`, `jacobian`, `energy`, `view`, `residual`, ... Frame and angular velocity are
     not used where the joint holds no rotation. At the start it is that of the undeformed rod, at rest. */
  void (*move)(wy_system *system, int piece, wy_end_name end, const wy_port_motion *motion);
  /* What the hub gets of the rod: mass of the end vertex, that part of it which gravity pulls at, and the share of
     rotary inertia about the axes of the support. Constant. */
  void (*inertia)(const wy_system *system, int piece, wy_end_name end, double *mass, double *weighed, double share[3]);
  /* After `rhs` (or `residual` of statics), before anything is solved: the rod's force on its end vertex, with loads
     and drag there but without weight, and its torque on the support. The work of these loads and what this drag
     dissipates are in the power of `rhs`; what the hub gets is wrench . (v, w). */
  void (*wrench)(wy_system *system, int piece, wy_end_name end, wy_port_wrench *wrench);
  /* Writes the entries of the end vertex in a state or, with rates, in a right-hand side: its place and velocity. */
  void (*write)(wy_system *system, int piece, wy_end_name end, const double x[3], const double v[3], double *u);
  /* ---- Rods with constrained strains (wy_rod_def.kind); NULL where a scheme has none with ports ----
     `rhs` gives them the accelerations and section forces that go with the support's as `move` has told them. */

  /* How the pull on the end vertices of a piece falls with their accelerations: a symmetric matrix of masses in space
     axes, start then end, by the elimination of (C4) along the rod. For the configuration of the last `rhs`, or for
     that of a state u. */
  void (*articulate)(wy_system *system, const double *u, double masses[][6][6]);
  /* Section forces that make up for what is missed, the entries of end vertices included, by u or, on the level of
     accelerations, by f with u. They are kept, and only their pull on the end vertices is returned; with hubs held
     they may be large without need. After `articulate`, whose factors are used. WY_RETRY: no forces can do it. */
  int (*restrain)(wy_system *system, wy_level level, double *u, double *f, double pull[][2][3], wy_port_miss *miss);
  /* Section forces that changes of the motion of end vertices ask for, and their pull; with what was kept, if anything,
     they act inside the rod, on u or f. On the level of accelerations they are part of the next `wrench`, and what they
     do at the rod's own supports is added to `power`, if that is not NULL. */
  int (*respond)(wy_system *system, wy_level level, double *u, double *f, double moved[][2][3], double pull[][2][3],
                 double *power);

  /* For views: what the hub exerts on the end, space axes. */
  void (*react)(wy_system *system, int piece, wy_end_name end, const double force[3], const double moment[3]);

  /* ---- After `jacobian` ---- */
  void (*blocks)(wy_system *system, int piece, wy_end_name end, wy_port_blocks *blocks);
  /* After `factor`: takes inner forces by the unknowns of the port, solves, keeps W = A_ii^-1 (them) for `expand`, and
     returns the inner motion at both ends of the piece that are ports: inner_re[where][..][unknown of `end`]. Not
     needed for a hub whose motion is known: its unknowns in `expand` are 0. Likewise at rest. */
  void (*condense)(wy_system *system, int slot, int piece, wy_end_name end, wy_port_row forces_re[WY_PORT_FORCES],
                   wy_port_row forces_im[WY_PORT_FORCES], wy_port_row inner_re[2][WY_PORT_MOTION],
                   wy_port_row inner_im[2][WY_PORT_MOTION]);
  /* Begins a solve: the right-hand side b of the rod, with inner forces at both ends added, and hubs held. Returns the
     inner motions. No other linear system of this rod is solved before `expand`. */
  void (*condense_rhs)(wy_system *system, int slot, const double *re, const double *im,
                       double forces_re[][2][WY_PORT_FORCES], double forces_im[][2][WY_PORT_FORCES],
                       double inner_re[][2][WY_PORT_MOTION], double inner_im[][2][WY_PORT_MOTION]);
  /* Ends it: adds W times the hubs' unknowns, and writes the increments of the rod, without those of end vertices. */
  void (*expand)(wy_system *system, int slot, wy_port_row hubs_re[][2], wy_port_row hubs_im[][2], double *re,
                 double *im);

  /* ---- Equilibria: after `tangent`, and after `factor` of statics ---- */
  void (*rest_blocks)(wy_system *system, int piece, wy_end_name end, wy_port_rest_blocks *blocks);
  void (*rest_condense)(wy_system *system, int piece, wy_end_name end, wy_port_row forces[9], wy_port_row inner[2][9]);
  void (*rest_condense_rhs)(wy_system *system, double *b, double inner[][2][9]);
  void (*rest_expand)(wy_system *system, wy_port_row hubs[][2], double *b);
  /* Writes the entries of the end vertex in a displacement: 0 after `rest_expand`. `displace`, `show` and `dissipation`
     read them; for the latter `move` gives the frame of the tangent and the velocities that go with d. */
  void (*rest_write)(wy_system *system, int piece, wy_end_name end, const double dx[3], double *d);

  /* ---- Obstacles on bodies that the rod pushes (scheme/contacts.h); NULL where a scheme has none. A piece at a time,
     and rods without ports have them, too ---- */

  /* How many cells a rod has, the last one without a segment. */
  int (*cells)(const wy_system *system);
  /* What the rod does to the obstacles on a body, after `rhs` or `residual` at u: force, and moment about a place, in
     space axes. */
  void (*press)(wy_system *system, const double *u, int body, wy_v3 about, wy_v3 *force, wy_v3 *moment);
  /* After `jacobian` or `tangent` at u: derivatives, and those of the load on the body by its own motion. False:
     nothing touches, all are 0. */
  bool (*touch_blocks)(wy_system *system, const double *u, int body, const wy_spot *at, wy_touched_cell *cells,
                       double own[6][12]);
  /* Loads on all cells for the next `condense_rhs`; NULL: none. What acts on held components is left out, and ends at
     ports have none. */
  void (*load)(wy_system *system, const double (*re)[6], const double (*im)[6]);
  /* The motion of all cells in a solution; and at rest, where only dx and theta are written. */
  void (*motion)(const wy_system *system, const double *b, double (*out)[12]);
  void (*rest_motion)(const wy_system *system, const double *d, double (*out)[12]);
  /* At rest: loads on all cells, added to a right-hand side. */
  void (*rest_load)(const wy_system *system, const double (*loads)[6], double *d);
} wy_port_type;

#endif
