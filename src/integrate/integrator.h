/* SPDX-License-Identifier: MIT */
/* The contract between the driver and the methods of time integration.

   A method integrates a vector that consists of the system's state and WY_LANES further entries. The first WY_INTEGRALS
   of these are work and dissipation. The method integrates them by its own quadrature; they are never part of error
   norms.

   A method attempts one step at a time. The driver repeats attempts, projects onto constraints, finds output times, and
   keeps statistics and energy balance. */
#ifndef WY_INTEGRATE_INTEGRATOR_H
#define WY_INTEGRATE_INTEGRATOR_H

#include <float.h>

#include "scheme/scheme.h"

typedef struct wy_integrator wy_integrator;

typedef enum wy_outcome {
  WY_ACCEPTED = 0,
  WY_REJECTED = 1, /* attempt again: the method has changed its step, Jacobian or factorisation */
  WY_HOPELESS = 2  /* no further attempt can succeed; u and now are those of the last accepted step */
} wy_outcome;

/* Why an attempt was rejected, for the message of a failure. */
typedef enum wy_rejection {
  WY_BY_ERROR,       /* the error estimate is above the tolerance */
  WY_BY_NEWTON,      /* the nonlinear equations of the step were not solved */
  WY_BY_SINGULARITY, /* a matrix cannot be factored */
  WY_BY_NAN,         /* NaN or infinity */
  WY_BY_CONTACT      /* it would end in the core of a rod, or carry it through an obstacle */
} wy_rejection;

typedef struct wy_integrator_type {
  const wy_integrator_info *info; /* its row in the table of integrators, which users see (withy/sim.h) */
  wy_motion motion;               /* the interface of a scheme that it uses */
  bool discrete_gradient; /* it uses rhs_between and conserves the energy of every material law, if the form of the
                             scheme's energy permits */
  bool strides;           /* it uses wy_stride_type */
  bool no_contact;        /* rods must touch nothing: it has no discrete gradient of its order (K8) */
  wy_factor_needs needs;
  /* Allocates the memory of the method; data for a restart go to memory->saved. It is called twice; the first call only
     counts. */
  void (*layout)(wy_integrator *self, wy_memory *memory);
  /* Acquires other resources, once between `layout` and `start`; `close` releases them at the end, also after a failed
     `open`. NULL for all methods of libwithy. */
  wy_status (*open)(wy_integrator *self, wy_message *message);
  void (*close)(wy_integrator *self);
  /* Starts at (now.t, u): chooses the first step and discards stored steps. */
  void (*start)(wy_integrator *self);
  /* Evaluates f at (now.t, u) into the integrator's f, unless it is there; so do attempts. NULL: f is not known between
     them. */
  void (*know_f)(wy_integrator *self);
  /* One attempt with a step of at most now.h that does not pass t_stop. On WY_ACCEPTED, u, now.t and now.h are updated,
     and `dense` is valid for the step. */
  wy_outcome (*attempt)(wy_integrator *self, double t_stop);
  /* The state at t within the last accepted step. It may evaluate f, once for each step, to complete the interpolation.
   */
  void (*dense)(const wy_integrator *self, double t, double *u);
  /* f and the Jacobian are out of date, because a load or an end has changed. With only_f, only f is out of date,
     because the state was projected. */
  void (*invalidate)(wy_integrator *self, bool only_f);
  /* Rebuilds scratch memory after the saved part was restored. NULL: there is nothing to rebuild. */
  void (*resume)(wy_integrator *self);
} wy_integrator_type;

/* The progress of an integration; part of a saved state. */
typedef struct wy_progress {
  double t, h;
  double t_old; /* start of the last accepted step */
  bool moved;   /* at least one step was accepted */
  /* Fixed steps: the number of halvings of the present step, and the number of its parts that are solved. */
  int halvings, solved;
  double clear; /* if loads or ends depend on time: no pulse was found up to this time (watch.c) */
  double drift[WY_DRIFTS];
  wy_statistics statistics;
  wy_balance balance;
} wy_progress;

struct wy_integrator {
  const wy_integrator_type *type;
  wy_system *system;
  double relative, absolute, first_step, largest_step;
  double end;           /* of the run */
  double watched_scale; /* wy_model_time_scale; 0 if nothing depends on time */
  wy_newton_options newton;
  int size;     /* of u: system->size + WY_LANES */
  bool touches; /* obstacles; known before there is a system */
  /* For the checks of the result (balance.c); all may be 0. */
  double torn;    /* piece_turn beyond which the rod has come apart */
  double *booked; /* [size] scratch: the state whose energies are evaluated */
  /* Called with that state; set by the simulation. */
  void (*notice)(void *by, double t, const double *u);
  void *noticed_by;
  wy_progress *now;
  double *u;
  double *f;    /* f(t,u) if the method stores it, else NULL */
  void *memory; /* the method's own saved struct */
  void *scratch;
  wy_rejection rejection; /* of the last attempt, if it was rejected */
};

/* Methods from another library of withy. `missing` are rows of the table whose methods were not built; `reason` says
   why. */
struct wy_integrators {
  const wy_integrator_type *const *types;   /* up to NULL */
  const wy_integrator_info *const *missing; /* up to NULL */
  const char *reason;
};

/* The registry: the methods of libwithy, then those of `more`, which may be NULL. Two methods may have the same name
   (midpoint) if they use different interfaces of a scheme. */
/* wy_integrator_describe (withy/sim.h) is the table for users, with each name once and the missing methods at its end.
 */
const wy_integrator_type *wy_integrator_at(const wy_integrators *more, int index);
bool wy_integrator_fits(const wy_integrator_type *type, const wy_scheme *scheme);
/* The method with the name in `solver` that can be combined with the scheme. If there is none, another method with this
   name, or NULL. For "auto" it is the integrator that the scheme names; choose.h chooses for a given rod. */
const wy_integrator_type *wy_integrator_find(const wy_solver_def *solver, const wy_scheme *scheme);

/* Evaluates f(t,u), and with `power` the time derivatives of the integrals. Counts in statistics.rhs. */
void wy_integrator_rhs(const wy_integrator *self, double t, const double *u, double *f, bool power);
/* Evaluates only the time derivatives of the integrals; f is scratch. Counts in statistics.quadrature. */
void wy_integrator_power(wy_integrator *self, double t, const double *u, double *f, double power[WY_INTEGRALS]);
/* Moves the evaluations since statistics.rhs was `before` to statistics.quadrature: they were needed only for work,
   dissipation or output. statistics.rhs can then be compared with published counts. */
void wy_count_as_quadrature(const wy_integrator *self, long before);

/* Work and dissipation over one step, for methods whose stages do not give them: Lobatto's rule of order 6 with four
   points on the dense output. Within the step, the integral of the cubic polynomial through the four rates (I6). Part
   of the saved memory of the method. */
typedef struct wy_quadrature {
  double before[WY_INTEGRALS]; /* at the start of the step */
  double power[4][WY_INTEGRALS];
  double h;
} wy_quadrature;

/* Adds the integrals of the step to u. Call it after wy_step_taken, when `dense` is valid. `first` and `last` are the
   rates at both ends of the step, or NULL if the method does not know them. `state` and `f` are scratch of `size`
   entries. */
void wy_quadrature_step(wy_integrator *self, wy_quadrature *quadrature, const double *first, const double *last,
                        double *state, double *f);
/* For `dense`: the integrals at t_old + theta h. */
void wy_quadrature_at(const wy_quadrature *quadrature, double theta, double integrals[WY_INTEGRALS]);

static inline void wy_integrator_resume(wy_integrator *self) {
  if (self->type->resume)
    self->type->resume(self);
}

/* Does f depend on t explicitly? */
static inline bool wy_depends_on_time(const wy_system *system) {
  return !system->type->depends_on_time || system->type->depends_on_time(system);
}

/* Sets the unknowns of f to NaN if a scheme cannot evaluate it, so that the step is rejected. */
void wy_spoil(const wy_system *system, double *f);
/* Are all unknowns of f finite? */
bool wy_is_finite(const wy_system *system, const double *f);
/* May a step from the present state be accepted, as far as obstacles are concerned? Asked where the error test has
   passed; else it is rejected with half its length (WY_BY_CONTACT). `after` is the state at its end, of which the
   integrals are not read. */
bool wy_step_allowed(const wy_integrator *self, double h, const double *after);
/* The outcome of an attempt in which the system returned a status other than 0 (scheme.h). */
wy_outcome wy_outcome_of(int status);

/* The root mean square of e / (absolute + relative * scale) over the unknowns; if the system has points, the largest
   norm of the errors of one point. */
double wy_weighted_norm(const wy_integrator *self, double relative, double absolute, const double *e, const double *a,
                        const double *b);

/* First step for a method of the given order from the sizes of u, f and a difference quotient of f (Hairer, Norsett,
 * Wanner, II.4). */
double wy_first_step(wy_integrator *self, int order, const double *f, double *work, double *work_f);

/* The step to attempt from now.t: the wanted size, or lengthened by up to 1 %, or shortened, to end exactly at t_stop.
 */
typedef struct wy_trial {
  double wanted, h, t_stop;
  bool lands;
} wy_trial;

wy_trial wy_try_step(const wy_integrator *self, double t_stop);

/* The shortest step, relative to the time, whose multiples can be distinguished: the next multiple is found with a
   margin of 0.01 steps, which is larger than the round-off of t / h. */
#define WY_GRID_RESOLUTION (256 * DBL_EPSILON)

/* The default fixed step for a time scale (wy_method_default_step). */
double wy_default_step(double time_scale, double end);

/* Fixed steps end at multiples of `first_step`, so that round-off of the time does not accumulate. A step that would
   pass t_stop is shortened, and the next one ends at a multiple again. If the driver halves a step, it is completed in
   several parts. */
void wy_start_on_grid(wy_integrator *self);
wy_trial wy_try_grid_step(const wy_integrator *self, double t_stop);

/* Updates the time after an accepted step; `next` is the step that the method proposes. */
void wy_step_taken(wy_integrator *self, const wy_trial *trial, double next);

#endif
