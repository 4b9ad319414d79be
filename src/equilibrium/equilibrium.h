/* Equilibria of one system: Newton's method, paths of equilibria, their stability, vibrations and buckling. All of it
   knows the system through wy_statics_type only. docs/theory/statics.md.

   An equilibrium is a point on a path: the parameter tau of a stretch says how far time, loads and driven ends have
   come. Functions return 0 when done, > 0 where a smaller step may help, < 0 with a message. */
#ifndef WY_EQUILIBRIUM_EQUILIBRIUM_H
#define WY_EQUILIBRIUM_EQUILIBRIUM_H

#include "scheme/scheme.h"
#include "withy/statics.h"

typedef enum wy_trouble { WY_NO_TROUBLE = 0, WY_SINGULAR, WY_NOT_FINITE, WY_NOT_CONVERGING, WY_TOO_FAR } wy_trouble;

enum { WY_MOST_NEUTRAL = 6, WY_MOST_STEPS = 5000 };

/* At tau time, loads and driven ends stand at v[0] + v[1] tau. */
typedef struct wy_stretch {
  double t[2], loads[2], ends[2];
  double start, end; /* of tau */
  double floor;      /* where arc-length continuation that runs backwards gives up */
  double span;       /* what an increment is measured by */
  bool easing;       /* what was out of balance at tau = 0 is taken away until tau = 1 */
  bool settling;     /* tau is a load factor, not a time */
} wy_stretch;

/* Where a rod stands; part of a saved state. */
typedef struct wy_equilibrium_state {
  bool settled, resting;
  bool disturbed; /* loads or ends have changed since */
  double settled_t;
  wy_stretch stretch;
  double tau;
  double h, h_last;          /* the step to try next, and the last one: in tau, or in arc length */
  double rate_tau, last_tau; /* tau's part of the rate along the path, here and one point before */
  bool has_rate, has_last;
  double stiffness, noise; /* eigenvalues of K against M: scale of the rod's own, and what counts as zero */
  int neutral;             /* directions in which nothing holds the rod */
  wy_equilibrium_info info;
} wy_equilibrium_state;

typedef struct wy_equilibrium {
  wy_system *system;
  wy_statics_options options;
  wy_statistics *statistics;
  double end;                /* of the simulation: scale of the first increment in time; may be INFINITY */
  wy_equilibrium_state *now; /* saved, as the next three are */
  double *config;            /* of config_size: the present equilibrium */
  double *rate, *last; /* of degrees of freedom: d configuration / d tau (or arc length), here and one point before */
  double *before, *guess, *trial, *spare; /* configurations: the point before, the next one, Newton's, and one */
  double *origin;                         /* configuration that an easing began with */
  double *residual, *correction, *simplified, *slope, *work; /* of degrees of freedom, Newton's */
  double *leftover, *critical, *product; /* of degrees of freedom: what an easing takes away, a direction, M d */
  double *neutral;                       /* [WY_MOST_NEUTRAL][degrees of freedom] */
  int weights;                           /* degrees of freedom that have one */
  wy_trouble trouble;                    /* that a path has ended with */
  int most_steps;                        /* of one stretch: a path that runs in circles */
} wy_equilibrium;

/* Carves a solver; NULL while the arenas count. Then the system can be given to it. */
wy_equilibrium *wy_equilibrium_layout(int config_size, int dofs, wy_memory *memory);
void wy_equilibrium_prepare(wy_equilibrium *self, wy_system *system, const wy_statics_options *options);

/* The undeformed rod, at the start of a stretch. */
wy_trouble wy_equilibrium_reset(wy_equilibrium *self, const wy_stretch *stretch);
/* From the undeformed rod to the equilibrium at time t, by the ways of wy_equilibrium_way (settle.c); from there to
   later times, or one increment towards one. */
wy_status wy_equilibrium_settle(wy_equilibrium *self, double t, wy_message *message);
wy_status wy_equilibrium_follow(wy_equilibrium *self, double t, bool one_step, wy_message *message);
double wy_equilibrium_time(const wy_equilibrium *self);
/* Loads or ends have been changed from outside: balance has to be found again. */
void wy_equilibrium_disturb(wy_equilibrium *self);
/* Rest mode on, as the present point needs it, or off. */
void wy_equilibrium_rest(wy_equilibrium *self, bool rest);

/* ---- Linear equations (linear.c) ---- */
/* Brings loads and ends where they are at tau. */
void wy_stretch_apply(const wy_equilibrium *self, const wy_stretch *stretch, double tau);
/* What is out of balance at a point of a stretch, and its derivative by tau. */
int wy_stretch_residual(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config, double *r);
int wy_stretch_slope(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config, double *slope);
/* K there, with factors; then solutions of K d = r, in place, without neutral directions. What r has in these, as a
   rotation against the rod's stiffness. */
wy_trouble wy_stretch_tangent(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config);
void wy_stretch_solve(wy_equilibrium *self, double *d);
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

/* The largest entry as an angle, and the mean product of two displacements as such; NAN where one is not finite. */
double wy_freedom_size(const wy_system *system, const double *d);
double wy_freedom_product(const wy_equilibrium *self, const double *a, const double *b);

/* Numbers in -1..1, the same on every machine. */
void wy_freedom_scatter(const wy_system *system, uint64_t *seed, double *d);

/* ---- Newton (newton.c) ---- */

typedef struct wy_newton_task {
  const wy_stretch *stretch;
  bool bordered; /* tau is free, corrections stay orthogonal to the rate */
  double reach;  /* corrections that add up to more lead somewhere else */
} wy_newton_task;

typedef struct wy_newton_report {
  int iterations;
  double first; /* correction: how good the guess was */
  double pull;  /* in neutral directions */
} wy_newton_report;

/* From a guess to the equilibrium: configuration, and tau where it is free. */
wy_trouble wy_newton(wy_equilibrium *self, const wy_newton_task *task, double *tau, double *config,
                     wy_newton_report *report);

/* ---- Paths (path.c) ---- */

/* Makes a stretch the present one, at its start; finds the rate there. */
wy_trouble wy_path_begin(wy_equilibrium *self, const wy_stretch *stretch);
/* One increment, not beyond the end. */
wy_status wy_path_step(wy_equilibrium *self, wy_message *message);
/* All increments up to the end. */
wy_status wy_path_run(wy_equilibrium *self, wy_message *message);
/* The rate and the stability at the present point. `keep`: the old rate shows the direction along the path. */
wy_trouble wy_path_rate(wy_equilibrium *self, bool keep);

/* ---- Stability (stability.c) ---- */

/* Counts the unstable directions for the tangent kept: info.unstable and info.odd. */
void wy_stability_count(wy_equilibrium *self);
/* After an increment: notes what has been passed, and goes over to a stable branch where that is wanted. */
void wy_stability_passed(wy_equilibrium *self, const wy_equilibrium_state *old);

/* ---- Relaxation (relax.c) ---- */

/* From the present configuration downhill to a stable equilibrium at the present tau; where none is found the
   configuration stays. `trouble` is WY_TOO_FAR where the rod falls for ever. */
bool wy_relax(wy_equilibrium *self);
/* Is K + mu M positive definite? A mu that makes it so, between 1.5 and 3 times the smallest; 0 if there is none. */
bool wy_relax_definite(const wy_equilibrium *self, double mu);
double wy_relax_shift(const wy_equilibrium *self, double mu);
/* d = (K - mu M)^-1 M d with the factors at hand, made as large as one radian; the factor by which it had grown. */
double wy_relax_power(wy_equilibrium *self, double *d);

/* ---- Snapping (snap.c) ---- */

/* After a path through time, or an easing, has failed with `status`: relaxation a little later, at most at the end of
   the stretch. WY_OK where it led to an equilibrium, which then is the present point; otherwise `status`, and the
   message says what was tried; the configuration then is that of the path's end, or the one that the easing began with.
 */
wy_status wy_snap(wy_equilibrium *self, wy_status status, wy_message *message);
/* After a relaxation: a new path begins at the present point. */
wy_trouble wy_snap_landed(wy_equilibrium *self);
/* Can the scheme carry the present configuration? */
bool wy_snap_carried(const wy_equilibrium *self);

/* Goes over to a stable equilibrium beside the present one, which is unstable; stays where none is found. */
void wy_branch_switch(wy_equilibrium *self);

#endif
