/* SPDX-License-Identifier: MIT */
/* Equilibria of the rods of a simulation: statics, quasistatics, vibration modes and buckling.

   A simulation with wy_sim_def.statics can compute equilibria, instead of a motion or before it. Views, probes and
   energies then show the equilibrium; velocities are zero. */
#ifndef WITHY_STATICS_H
#define WITHY_STATICS_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Equilibria ---- */

/* Computes the equilibrium of all rods under the loads, gravity and driven ends of time t. It starts with the
   undeformed rods and scales loads and displacements of ends from 0 to 1 in automatic increments. If this path ends,
   other ways are tried (wy_equilibrium_way); the message of a failure lists all of them. After success wy_sim_time is
   t. If one rod has no equilibrium, nothing changes. Driven ends may start away from their positions in the undeformed
   rod. */
WY_API wy_status wy_sim_settle(wy_sim *sim, double t, wy_message *message);

/* Follows the path of equilibria from wy_sim_time to time t in automatic increments. Time is a pseudotime: there is no
   inertia and no damping. Call wy_sim_settle first. With t = wy_sim_time it computes the equilibrium again after a load
   or an end was changed. If the path ends and the continuation is load stepping, the rod snaps to a stable equilibrium
   (`snaps` below). */
WY_API wy_status wy_sim_follow(wy_sim *sim, double t, wy_message *message);

/* Performs one increment towards time t, in a simulation with one rod, or whose rods are all joined. wy_sim_time is
   then the pseudotime of the new equilibrium. With arc-length continuation it may decrease after a limit point. */
WY_API wy_status wy_sim_follow_step(wy_sim *sim, double t, wy_message *message);

/* The ways from the undeformed rod to an equilibrium. They are tried in this order; the first that succeeds is used. */
typedef enum wy_equilibrium_way {
  WY_WAY_STRAIGHT,   /* loads and displacements of ends grow in proportion, with the requested continuation */
  WY_WAY_ARC_LENGTH, /* the same with arc-length continuation, because load stepping failed */
  WY_WAY_DETOUR,     /* driven ends were moved to their target along another path */
  WY_WAY_RELAXATION  /* the path ended; from there dynamic relaxation led to a stable equilibrium of lower energy */
} wy_equilibrium_way;

/* How an equilibrium was found, and whether it is stable. */
typedef struct wy_equilibrium_info {
  long increments;        /* number of equilibria found */
  long rejected;          /* number of increments that failed and were halved */
  long newton_iterations; /* including those of failed increments */
  int unstable; /* number of unstable directions of the present equilibrium; -1: not known, because loads in body axes
                   and friction have no energy. Then `odd` says whether the number is odd */
  bool odd;
  int bifurcations;          /* number of bifurcations on the path, where the number of unstable directions changed */
  double first_bifurcation;  /* time (wy_sim_follow) or load factor (wy_sim_settle) of the first bifurcation, or NAN */
  bool first_while_settling; /* the first bifurcation occurred in wy_sim_settle */
  int limit_points;          /* number of limit points passed by arc-length continuation */
  wy_equilibrium_way way;    /* of the last wy_sim_settle */
  int ways_tried;            /* number of ways that failed before */
  long relaxation_steps;
  int snaps; /* in wy_sim_follow: how often the path ended, or an end was released, and the rod moved to a stable
                equilibrium of lower energy, elsewhere */
  double first_snap; /* time of the first snap, or NAN */
} wy_equilibrium_info;

/* The way in a few words, such as "along the straight path"; "" if there is no such way. */
WY_API const char *wy_equilibrium_way_name(wy_equilibrium_way way);

/* How the equilibrium of one rod, with all that is joined to it, was found, counted since the last wy_sim_settle. For
   WY_ALL_RODS: sums over all groups (withy/sim.h), the first of their bifurcations and snaps, the last of their ways.
 */
WY_API wy_equilibrium_info wy_sim_equilibrium(const wy_sim *sim, int rod);
/* The same of a group. */
WY_API wy_equilibrium_info wy_sim_group_equilibrium(const wy_sim *sim, int group);

/* ---- Modes ---- */

/* Vibration modes about the present equilibrium, or buckling modes. */
typedef struct wy_mode_set {
  int count;
  const double *omega;         /* [count] rad per unit time, ascending; negative: an unstable direction that grows like
                                  exp(|omega| t); 0: a rigid motion. NULL for buckling */
  const double *damping_ratio; /* [count] of each mode, from the damping and drag of the rod. NULL for buckling */
  const double *factor;        /* [count] critical load factors, ascending. NULL for vibrations */
  const bool *limit_point;     /* [count] the factor is a limit point: the loads cannot grow beyond it, and the rod
                                  collapses in the direction of the mode shape. NULL for vibrations */
  int points, frames;
  const double *s, *frame_s;
  /* Mode shapes, scaled so that the largest displacement, or rotation times length, is 1 in the group. The length of a
     body is its radius of gyration. */
  const double *displacement; /* [count][points][3] space */
  const double *rotation;     /* [count][frames][3] directors */
  /* The configuration of the modes: the equilibrium, or for each buckling mode the configuration at its factor. */
  const double *position; /* [points][3], for buckling [count][points][3] */
  const double *frame;    /* [frames][4], for buckling [count][frames][4] */
  /* The length of the rod that touches obstacles, where it is held on both sides, and of what friction holds by its
     springs there; of buckling at the first factor. What slides is free along the surface. */
  double touching, sticking;
} wy_mode_set;

/* Computes the `count` lowest vibration modes of a rod about its present equilibrium. Call wy_sim_settle first. The
   modes of rods that are joined are those of all of them together, and are scaled together; what is returned are the
   shapes of one rod. Buckling likewise. */
WY_API wy_status wy_sim_modes(wy_sim *sim, int rod, int count, wy_mode_set **modes, wy_message *message);

/* Computes the first `count` buckling factors. All loads and gravity of time t are multiplied by a factor; at a
   buckling factor the equilibrium becomes unstable in one more direction. A limit point is always the last factor.
   Driven ends keep their pose of time t. */
WY_API wy_status wy_sim_buckling(wy_sim *sim, int rod, double t, int count, wy_mode_set **modes, wy_message *message);

/* The modes of a group (withy/sim.h), once for all of its parts: rods[i] becomes the set of rod number i, bodies[i]
   that of body number i, which has one point, its centre of mass, and one frame. `rods` and `bodies` have as many
   entries as the model has rods and bodies; those of other groups are left as they are. One of the two may be NULL. */
WY_API wy_status wy_sim_group_modes(wy_sim *sim, int group, int count, wy_mode_set **rods, wy_mode_set **bodies,
                                    wy_message *message);
WY_API wy_status wy_sim_group_buckling(wy_sim *sim, int group, double t, int count, wy_mode_set **rods,
                                       wy_mode_set **bodies, wy_message *message);
/* Destroying NULL does nothing. */
WY_API void wy_mode_set_destroy(wy_mode_set *modes);

#ifdef __cplusplus
}
#endif
#endif
