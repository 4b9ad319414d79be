/* The contract between the driver and the methods that move a system in time.

   The vector that a method moves is the system's state followed by WY_LANES entries, the first WY_INTEGRALS of which
   are work and dissipation: they are integrated by the method's own quadrature and never enter error norms.

   A method tries one step at a time; the driver repeats, projects, finds output times and keeps the books. */
#ifndef WY_INTEGRATE_INTEGRATOR_H
#define WY_INTEGRATE_INTEGRATOR_H

#include <float.h>

#include "scheme/scheme.h"

typedef struct wy_integrator wy_integrator;

typedef enum wy_outcome {
  WY_ACCEPTED = 0,
  WY_REJECTED = 1, /* try again: the method has changed its step, Jacobian or factorisation */
  WY_HOPELESS = 2  /* the method has tried all it can; u and now are those of the last accepted step */
} wy_outcome;

/* Why an attempt was not accepted: for the message when nothing helps. */
typedef enum wy_rejection {
  WY_BY_ERROR,       /* the error estimate is above the tolerance */
  WY_BY_NEWTON,      /* the nonlinear equations of the step were not solved */
  WY_BY_SINGULARITY, /* a matrix cannot be factored */
  WY_BY_NAN          /* NaN or infinity */
} wy_rejection;

typedef struct wy_integrator_type {
  const wy_integrator_info *info; /* its row in the table of integrators, which users see (withy/sim.h) */
  wy_motion motion;               /* what it takes */
  bool discrete_gradient; /* needs rhs_between; then keeps the energy of any law, where the scheme's form allows it */
  wy_factor_needs needs;
  /* Carves the method's memory, restart part in memory->saved. Called twice, first counting. */
  void (*layout)(wy_integrator *self, wy_memory *memory);
  /* What a method needs beyond that: made once after the layout, before `start`; given back at the end, also after a
     failed `open`. NULL for methods of the library's own. */
  wy_status (*open)(wy_integrator *self, wy_message *message);
  void (*close)(wy_integrator *self);
  /* Begins at (now.t, u): chooses a first step, forgets history. */
  void (*start)(wy_integrator *self);
  /* One attempt of at most now.h, not beyond t_stop. On WY_ACCEPTED u, now.t and now.h are new and `dense` covers the
   * step. */
  wy_outcome (*attempt)(wy_integrator *self, double t_stop);
  /* The state at t within the last accepted step. May evaluate f to complete what it keeps, once a step. */
  void (*dense)(const wy_integrator *self, double t, double *u);
  /* f and the Jacobian no longer belong to the system (a load or an end has changed, or the state was projected:
   * only_f). */
  void (*invalidate)(wy_integrator *self, bool only_f);
  /* Rebuilds scratch memory after the saved part was restored. NULL: there is nothing to rebuild. */
  void (*resume)(wy_integrator *self);
} wy_integrator_type;

/* Where an integration stands; part of a saved state. */
typedef struct wy_progress {
  double t, h;
  double t_old; /* start of the last accepted step */
  bool moved;   /* at least one step was accepted */
  /* Fixed steps: how often the present one is halved, and how many pieces were solved since. */
  int halvings, solved;
  double clear; /* where something depends on time: up to here nothing is missed (watch.c) */
  double drift[WY_DRIFTS];
  wy_statistics statistics;
  wy_balance balance;
} wy_progress;

struct wy_integrator {
  const wy_integrator_type *type;
  wy_system *system;
  double relative, absolute, first_step, largest_step;
  double end;           /* of the run */
  double watched_scale; /* wy_model_time_scale; 0 where nothing depends on time */
  wy_newton_options newton;
  int size; /* of u: system->size + WY_LANES */
  /* For the judgement of the run (balance.c); all may stay 0. */
  double torn;    /* piece_turn beyond which the rod has come apart */
  double *booked; /* [size] scratch: the state that energies are taken of */
  /* Told of that state; set by the simulation. */
  void (*notice)(void *by, double t, const double *u);
  void *noticed_by;
  wy_progress *now;
  double *u;
  double *f;    /* f(t,u) where the method keeps it, else NULL */
  void *memory; /* the method's own saved struct */
  void *scratch;
  wy_rejection rejection; /* of the last attempt, where it was not accepted */
};

/* Methods from another part of withy; `missing` ones have rows in the table but were not built, for a `reason`. */
struct wy_integrators {
  const wy_integrator_type *const *types;   /* up to NULL */
  const wy_integrator_info *const *missing; /* up to NULL */
  const char *reason;
};

/* Registry: the library's own, then `more` (may be NULL). A name may stand for two methods (midpoint), of which each
   takes another kind of motion. */
/* The table itself, with the missing ones at its end and each name once, is wy_integrator_describe (withy/sim.h). */
const wy_integrator_type *wy_integrator_at(const wy_integrators *more, int index);
bool wy_integrator_fits(const wy_integrator_type *type, const wy_scheme *scheme);
/* The method of that name for the scheme; one that does not fit where there is no other; NULL where there is none at
   all. "auto" is what the scheme names; what it means for a rod: choose.h. */
const wy_integrator_type *wy_integrator_find(const wy_solver_def *solver, const wy_scheme *scheme);

/* f(t,u) with the integrals' rates where `power`. Counts the evaluation. */
void wy_integrator_rhs(const wy_integrator *self, double t, const double *u, double *f, bool power);
/* The same for the integrals' rates alone, f is scratch. Counts in statistics.quadrature. */
void wy_integrator_power(wy_integrator *self, double t, const double *u, double *f, double power[WY_INTEGRALS]);
/* The evaluations since statistics.rhs was `before` have served work, dissipation or output alone: they are moved to
   statistics.quadrature, so that published counts, which are those of the motion, can be compared. */
void wy_count_as_quadrature(const wy_integrator *self, long before);

/* Work and dissipation over one step for methods whose stages do not give them: Lobatto's rule of order 6 (four points)
   over the continuous output; between the ends of the step the integral of the cubic through the four rates (I6). Lies
   in the method's saved memory. */
typedef struct wy_quadrature {
  double before[WY_INTEGRALS]; /* at the start of the step */
  double power[4][WY_INTEGRALS];
  double h;
} wy_quadrature;

/* After wy_step_taken, with `dense` ready: adds the step's integrals to u. `first` and `last` are the rates at both
   ends of the step where the method knows them, else NULL; `state` and `f` are scratch of `size` entries. */
void wy_quadrature_step(wy_integrator *self, wy_quadrature *quadrature, const double *first, const double *last,
                        double *state, double *f);
/* For `dense`: the integrals at t_old + theta h. */
void wy_quadrature_at(const wy_quadrature *quadrature, double theta, double integrals[WY_INTEGRALS]);

static inline void wy_integrator_resume(wy_integrator *self) {
  if (self->type->resume)
    self->type->resume(self);
}

/* Does f depend on t other than by u? */
static inline bool wy_depends_on_time(const wy_system *system) {
  return !system->type->depends_on_time || system->type->depends_on_time(system);
}

/* Where a scheme cannot evaluate: entries that count are NaN, so that the step is rejected like one whose forces are
   not finite. */
void wy_spoil(const wy_system *system, double *f);
/* Are all entries of f that count finite? */
bool wy_is_finite(const wy_system *system, const double *f);
/* What an attempt comes to for which the system has returned a status other than 0 (scheme.h). */
wy_outcome wy_outcome_of(int status);

/* Root mean square of e / (absolute + relative * scale) over the entries that count; or, where
   the system has points, the largest length of one point's errors. */
double wy_weighted_norm(const wy_integrator *self, double relative, double absolute, const double *e, const double *a,
                        const double *b);

/* First step for a method of the given order from the sizes of u, f and a difference quotient of f (Hairer, Norsett,
 * Wanner, II.4). */
double wy_first_step(wy_integrator *self, int order, const double *f, double *work, double *work_f);

/* The step to try from now.t: as wanted, or stretched by up to 1 % or cut to end exactly at t_stop. */
typedef struct wy_trial {
  double wanted, h, t_stop;
  bool lands;
} wy_trial;

wy_trial wy_try_step(const wy_integrator *self, double t_stop);

/* Relative to the time, the shortest step whose multiples are told apart: the slack of 0.01 steps by which the next one
   is found outweighs the round-off of t / h. */
#define WY_GRID_RESOLUTION (256 * DBL_EPSILON)

/* What wy_method_default_step makes of a rod's time scale. */
double wy_default_step(double time_scale, double end);

/* Fixed steps, of `first_step`, end on the multiples of the step, so that times do not drift; one that would pass a
   stop is cut, and the next one returns to the grid. A step that the driver halves goes piece by piece to where it
   would have ended. */
void wy_start_on_grid(wy_integrator *self);
wy_trial wy_try_grid_step(const wy_integrator *self, double t_stop);

/* Moves the clock over an accepted step; `next` is what the method proposes after it. */
void wy_step_taken(wy_integrator *self, const wy_trial *trial, double next);

#endif
