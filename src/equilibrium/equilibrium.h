/* SPDX-License-Identifier: MIT */
/* Equilibria of one system: Newton's method, paths of equilibria, their stability, vibrations and buckling. These
   functions use only wy_statics_type of the system. docs/theory/statics.md.

   An equilibrium is a point on a path. A path consists of stretches; on a stretch, time, loads and driven ends are
   linear functions of a parameter tau. Return values: 0: done; > 0: failed, a smaller step may succeed; < 0: failed,
   with a message. */
#ifndef WY_EQUILIBRIUM_EQUILIBRIUM_H
#define WY_EQUILIBRIUM_EQUILIBRIUM_H

#include "scheme/scheme.h"
#include "withy/statics.h"

typedef enum wy_trouble { WY_NO_TROUBLE = 0, WY_SINGULAR, WY_NOT_FINITE, WY_NOT_CONVERGING, WY_TOO_FAR } wy_trouble;

enum { WY_MOST_NEUTRAL = 6, WY_MOST_STEPS = 5000, WY_KEPT = 8 };

/* Time, factor of the loads and factor of the driven ends are v[0] + v[1] tau. */
typedef struct wy_stretch {
  double t[2], loads[2], ends[2];
  double start, end; /* range of tau */
  double floor;      /* arc-length continuation fails if tau decreases below this */
  double span;       /* the scale of increments of tau */
  bool easing;       /* the residual at tau = 0 is reduced in proportion, to zero at tau = 1 */
  bool settling;     /* tau is a load factor, not a time */
  bool closing;      /* tau is the share to which joints have brought their parts together; nothing else acts */
} wy_stretch;

/* The present equilibrium of a rod; part of a saved state. */
typedef struct wy_equilibrium_state {
  bool settled, resting;
  bool disturbed; /* loads or ends were changed after the equilibrium was found */
  double settled_t;
  wy_stretch stretch;
  double tau;
  double h, h_last;          /* the next step and the last one, in tau or in arc length */
  double rate_tau, last_tau; /* the component of tau in the tangent of the path, at this point and the preceding one */
  double pace, last_pace;    /* the sizes of both rates, root mean square; `last_pace` 0: it is not known */
  bool has_rate, has_last;
  double stiffness,
      noise;   /* eigenvalues of K relative to M: the scale of the rod, and the largest that is regarded as zero */
  int neutral; /* number of directions without stiffness: rigid motions */
  wy_equilibrium_info info;
} wy_equilibrium_state;

typedef struct wy_equilibrium {
  wy_system *system;
  wy_statics_options options;
  wy_statistics *statistics;
  double end;                /* end time of the simulation, the scale of the first increment in time; may be INFINITY */
  wy_equilibrium_state *now; /* saved, like the next three members */
  double *config;            /* [config_size] the present equilibrium */
  double *rate, *last;       /* [dofs] d configuration / d tau (or d arc length), at this point and the preceding one */
  double *before, *guess, *trial,
      *spare;     /* configurations: the preceding point, the next point, Newton's iterate, and scratch */
  double *origin; /* the configuration at the start of an easing */
  double *residual, *correction, *simplified, *slope, *work; /* [dofs] for Newton's method */
  double *leftover, *critical, *product; /* [dofs] the residual that an easing reduces, a critical direction, M d */
  double *way;                           /* [dofs] of the last increment: its guess and all corrections */
  double *neutral;                       /* [WY_MOST_NEUTRAL][degrees of freedom] */
  double *kept;                          /* [WY_KEPT][degrees of freedom] corrections made with the same factors */
  int weights;                           /* number of degrees of freedom with a weight */
  wy_trouble trouble;                    /* why a path has ended */
  bool closing;                          /* `settle` brings the parts of joints together */
  int most_steps;                        /* largest number of increments of a stretch, because a path may be closed */
} wy_equilibrium;

/* Allocates a solver; NULL while the arenas only count. Then wy_equilibrium_prepare connects it to a system. */
wy_equilibrium *wy_equilibrium_layout(int config_size, int dofs, wy_memory *memory);
void wy_equilibrium_prepare(wy_equilibrium *self, wy_system *system, const wy_statics_options *options);

/* Sets the undeformed rod at the start of a stretch. */
wy_trouble wy_equilibrium_reset(wy_equilibrium *self, const wy_stretch *stretch);
/* `settle` computes the equilibrium at time t, starting from the undeformed rod, in the ways of wy_equilibrium_way
   (settle.c). `follow` continues to a later time, or performs one increment towards it. */
wy_status wy_equilibrium_settle(wy_equilibrium *self, double t, wy_message *message);
wy_status wy_equilibrium_follow(wy_equilibrium *self, double t, bool one_step, wy_message *message);
/* Brings the parts of joints together, without loads and at the start of driven ends: what results is the undeformed
   configuration from then on. If that fails, now->tau is the share to which they came. */
wy_status wy_equilibrium_close(wy_equilibrium *self, wy_message *message);
/* The present equilibrium is final: friction takes note of it. */
void wy_equilibrium_accept(wy_equilibrium *self);
double wy_equilibrium_time(const wy_equilibrium *self);
/* Loads or ends were changed by the user: the equilibrium has to be computed again. */
void wy_equilibrium_disturb(wy_equilibrium *self);
/* Switches the system to rest with the loads of the present point, or back to motion. */
void wy_equilibrium_rest(wy_equilibrium *self, bool rest);

/* ---- Linear equations (linear.c) ---- */
/* Sets loads and ends to their values at tau. */
void wy_stretch_apply(const wy_equilibrium *self, const wy_stretch *stretch, double tau);
/* The residual at a point of a stretch, and its derivative with respect to tau. */
int wy_stretch_residual(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config, double *r);
int wy_stretch_slope(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config, double *slope);
/* Computes and factors K at a point; then `solve` solves K d = r in place, without components in neutral directions.
   `pull` returns the component of r in neutral directions, as a rotation relative to the stiffness of the rod. */
wy_trouble wy_stretch_tangent(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config);
void wy_stretch_solve(wy_equilibrium *self, double *d);
/* Finds the neutral directions of the stored tangent one by one, where they cannot be counted. */
int wy_stretch_count_neutral(wy_equilibrium *self);
double wy_stretch_pull(const wy_equilibrium *self, const double *r);

static inline double wy_stretch_time(const wy_stretch *stretch, double tau) {
  return stretch->t[0] + stretch->t[1] * tau;
}

static inline double wy_dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* The largest entry of a displacement, as an angle, and the mean product of two displacements. NAN if an entry is not
   finite. */
double wy_freedom_size(const wy_system *system, const double *d);
double wy_freedom_product(const wy_equilibrium *self, const double *a, const double *b);

/* Fills d with pseudorandom numbers between -1 and 1, the same on every machine. */
void wy_freedom_scatter(const wy_system *system, uint64_t *seed, double *d);

/* ---- Newton (newton.c) ---- */

typedef struct wy_newton_task {
  const wy_stretch *stretch;
  bool bordered; /* tau is an unknown, and corrections are orthogonal to the rate */
  double
      reach; /* the iteration fails if the sum of corrections is larger, because it then leads to another equilibrium */
  double *way; /* [dofs] what corrections move the configuration by is added to this; NULL: nobody asks */
} wy_newton_task;

typedef struct wy_newton_report {
  int iterations;
  double first; /* size of the first correction: the quality of the guess */
  double pull;  /* residual in neutral directions */
} wy_newton_report;

/* Newton's method from a guess to the equilibrium. The unknowns are the configuration, and tau if `bordered` is set. */
wy_trouble wy_newton(wy_equilibrium *self, const wy_newton_task *task, double *tau, double *config,
                     wy_newton_report *report);

/* ---- Paths (path.c) ---- */

/* Starts a stretch and computes the rate at its start. */
wy_trouble wy_path_begin(wy_equilibrium *self, const wy_stretch *stretch);
/* Performs one increment, which does not pass the end of the stretch. */
wy_status wy_path_step(wy_equilibrium *self, wy_message *message);
/* Performs all increments up to the end of the stretch. */
wy_status wy_path_run(wy_equilibrium *self, wy_message *message);
/* Computes rate and stability at the present point. With `keep`, the direction along the path is that of the old rate.
 */
wy_trouble wy_path_rate(wy_equilibrium *self, bool keep);
/* An increment below this makes no sense. */
double wy_path_smallest(const wy_equilibrium *self);
/* How far it is, in tau, from a point to the end of a path that ends like sqrt(rest), by the rates at two points (P6);
   two of the smallest increments where they do not say. */
double wy_path_rest(const wy_equilibrium *self, const wy_equilibrium_state *at);
/* Does a path that had come to `before`, with the rate `last` and this rest, end where another one passes: in `there`,
   or `beyond` before it? Otherwise a leap leads to that one. */
bool wy_path_meets(wy_equilibrium *self, double rest, const double *there, double beyond);

/* ---- Stability (stability.c) ---- */

/* Counts the unstable directions of the stored tangent: sets info.unstable and info.odd. */
void wy_stability_count(wy_equilibrium *self);
/* After an increment: records bifurcations and limit points, and switches to a stable branch if the options say so. */
void wy_stability_passed(wy_equilibrium *self, const wy_equilibrium_state *old);

/* A mechanism has no stiffness without its loads: that of the tangent kept, where it is much larger. Groups only. */
void wy_equilibrium_measure_again(wy_equilibrium *self);

/* ---- Relaxation (relax.c) ---- */

/* Dynamic relaxation from the present configuration to a stable equilibrium of lower energy at the present tau. If none
   is found, the configuration does not change. `trouble` is WY_TOO_FAR if the rod falls without end. */
bool wy_relax(wy_equilibrium *self);
/* Is K + mu M positive definite? `shift` returns a mu for which it is, between 1.5 and 3 times the smallest such mu; 0
   if there is none. */
bool wy_relax_definite(const wy_equilibrium *self, double mu);
double wy_relax_shift(const wy_equilibrium *self, double mu);
/* One step of inverse iteration, d = (K - mu M)^-1 M d, with the present factorisation; d is scaled to one radian.
   Returns the factor by which d had grown. */
double wy_relax_power(wy_equilibrium *self, double *d);

/* ---- Snapping (snap.c) ---- */

/* Called after a path in time, or an easing, has failed with `status`: tries relaxation at a slightly later time, at
   most at the end of the stretch. Returns WY_OK if it led to an equilibrium, which is then the present point. Otherwise
   it returns `status`, the message says what was tried, and the configuration is the end of the path or the start of
   the easing. */
wy_status wy_snap(wy_equilibrium *self, wy_status status, wy_message *message);
/* Starts a new path at the present point, after a relaxation. */
wy_trouble wy_snap_landed(wy_equilibrium *self);
/* Are all rotations of the present configuration within the limit of the scheme? */
bool wy_snap_carried(const wy_equilibrium *self);

/* Switches from the present unstable equilibrium to a stable one nearby; nothing changes if none is found. */
void wy_branch_switch(wy_equilibrium *self);

#endif
