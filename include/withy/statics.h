/* Equilibria of the rods of a simulation: statics, quasistatics, vibration modes and buckling.

   A simulation made with `statics` set in its definition can be brought to equilibrium instead of (or before) being
   moved in time. Views, probes and energies then show the equilibrium; velocities are zero. */
#ifndef WITHY_STATICS_H
#define WITHY_STATICS_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Equilibria ---- */

/* All rods to their equilibrium under the loads, gravity and driven ends of time t: these are scaled from 0 to 1 in
   automatic increments, beginning with the undeformed rods. Where this path comes to an end, others are tried
   (wy_equilibrium_way); the message of a failure tells all that was. The simulation then stands at time t. Where one
   rod has no equilibrium nothing changes. Driven ends need not begin where the undeformed rods have them. */
WY_API wy_status wy_sim_settle(wy_sim *sim, double t, wy_message *message);

/* From the equilibrium at wy_sim_time along the equilibria of later times to time t (a pseudotime: no inertia, no
   damping), in automatic increments. Needs wy_sim_settle first. To the present time: back into balance after a load or
   an end was changed. Where the path comes to an end and load stepping was asked for, the rod snaps into a stable
   equilibrium (`snaps` below). */
WY_API wy_status wy_sim_follow(wy_sim *sim, double t, wy_message *message);

/* One increment of one rod towards time t; wy_sim_time then shows the pseudotime of this rod's equilibrium. With
   arc-length continuation it may run backwards beyond a limit point. For simulations with one rod. */
WY_API wy_status wy_sim_follow_step(wy_sim *sim, double t, wy_message *message);

/* The way from the undeformed rod to an equilibrium: the first that led there, in this order. */
typedef enum wy_equilibrium_way {
  WY_WAY_STRAIGHT,   /* loads and ends in proportion, by the continuation that was asked for */
  WY_WAY_ARC_LENGTH, /* the same by arc length, where load stepping came to an end */
  WY_WAY_DETOUR,     /* driven ends were led to their places along another path */
  WY_WAY_RELAXATION  /* the path came to an end, where the rod snapped, or swung, downhill to a stable equilibrium */
} wy_equilibrium_way;

/* How an equilibrium was found, and whether it is stable. */
typedef struct wy_equilibrium_info {
  long increments;        /* equilibria found */
  long rejected;          /* increments that were tried and halved */
  long newton_iterations; /* all of them, failed increments included */
  int unstable;           /* directions in which the present equilibrium is unstable, -1: not known (loads that follow
                             the rod have no energy; `odd` tells then whether their number is odd) */
  bool odd;
  int bifurcations;          /* passed on the way: the number of unstable directions has changed */
  double first_bifurcation;  /* time (wy_sim_follow) or load factor (wy_sim_settle) of the first, or NAN */
  bool first_while_settling; /* which of the two */
  int limit_points;          /* passed by arc-length continuation */
  wy_equilibrium_way way;    /* of the last wy_sim_settle */
  int ways_tried;            /* in vain, before */
  long relaxation_steps;
  int snaps;         /* by wy_sim_follow: the path came to an end, or the rod was released, and it went downhill to a
                        stable equilibrium */
  double first_snap; /* time of the first, or NAN */
} wy_equilibrium_info;

/* The way in a few words, such as "along the straight path"; "" where there is no such way. */
WY_API const char *wy_equilibrium_way_name(wy_equilibrium_way way);

/* Of one rod, since the last wy_sim_settle. */
WY_API wy_equilibrium_info wy_sim_equilibrium(const wy_sim *sim, int rod);

/* ---- Modes ---- */

/* Vibrations about the present equilibrium, or buckling shapes; one block of memory. */
typedef struct wy_mode_set {
  int count;
  const double *omega;         /* [count] rad per unit time, ascending; negative: an unstable direction that grows like
                                  exp(|omega| t); 0: a rigid motion. NULL for buckling */
  const double *damping_ratio; /* [count] from the damping and drag of the rod, mode by mode. NULL for buckling */
  const double *factor;        /* [count] critical load factors, ascending. NULL for vibrations */
  const bool *limit_point;     /* [count] the loads cannot grow beyond this factor: the rod collapses there, its shape
                                  is the direction in which it does. NULL for vibrations */
  int points, frames;
  const double *s, *frame_s;
  /* Shapes, scaled so that the largest displacement, or rotation times length, is 1. */
  const double *displacement; /* [count][points][3] space */
  const double *rotation;     /* [count][frames][3] directors */
  /* What they belong to: the equilibrium, or per shape the state at its critical factor. */
  const double *position; /* [points][3], for buckling [count][points][3] */
  const double *frame;    /* [frames][4], for buckling [count][frames][4] */
} wy_mode_set;

/* The `count` lowest vibration modes of a rod about its present equilibrium (wy_sim_settle first). */
WY_API wy_status wy_sim_modes(wy_sim *sim, int rod, int count, wy_mode_set **modes, wy_message *message);

/* The first `count` factors at which the equilibrium under all loads and gravity of time t, multiplied by the factor,
   becomes unstable in one more direction. A limit point is the last of them. Driven ends stand where they are at time
   t. */
WY_API wy_status wy_sim_buckling(wy_sim *sim, int rod, double t, int count, wy_mode_set **modes, wy_message *message);

/* Destroying NULL does nothing. */
WY_API void wy_mode_set_destroy(wy_mode_set *modes);

#ifdef __cplusplus
}
#endif
#endif
