/* A simulation: a model, a way to turn each rod into equations (scheme) and a way to move them in time (integrator).
   It owns its state and its memory, made at creation; no later call allocates. Different simulations may run in
   different threads. */
#ifndef WITHY_SIM_H
#define WITHY_SIM_H

#include "withy/model.h"
#include "withy/quantity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- How to solve ---- */

/* How the rotation between two segments becomes a curvature (docs/theory/staggered.md, "Curvature"). */
typedef enum wy_curvature_measure { WY_SIN2, WY_SIN4, WY_TAN2, WY_TAN4, WY_ANGLE } wy_curvature_measure;
/* Rotations by angular velocities, or by the rates of quaternions under constraints. */
typedef enum wy_coordinates { WY_NULLSPACE, WY_ABSOLUTE } wy_coordinates;
/* Rotary inertia of a segment: that of its section alone, or that of a rigid cylinder. */
typedef enum wy_segment_inertia { WY_DISC, WY_CYLINDER } wy_segment_inertia;
/* What keeps the constraints: projection after every step, or Baumgarte's terms in the equations. */
typedef enum wy_stabilisation { WY_PROJECTION, WY_BAUMGARTE } wy_stabilisation;

/* Options of the staggered scheme (docs/theory/staggered.md). */
typedef struct wy_staggered_options {
  wy_curvature_measure curvature_measure;
  wy_coordinates coordinates;
  wy_segment_inertia segment_inertia;
  wy_stabilisation stabilisation;
  double baumgarte_omega, baumgarte_r;
} wy_staggered_options;

/* How moments at the ends of mixed rods act (docs/theory/mixed.md). */
typedef enum wy_end_moment { WY_CORRECTED_MOMENT, WY_PRINTED_MOMENT } wy_end_moment;

/* Options of the mixed scheme (docs/theory/mixed.md). */
typedef struct wy_mixed_options {
  int order;                /* of the polynomials: 1 or 2 */
  wy_end_moment end_moment; /* corrected: angular momentum is balanced exactly; or as published */
} wy_mixed_options;

/* Options of the conserving scheme (docs/theory/conserving.md). */
typedef struct wy_conserving_options {
  int order; /* of the differences along the rod: 2 or 4 */
} wy_conserving_options;

/* What a box step knows of the contact force before it. */
typedef enum wy_contact_force {
  WY_FORCE_HISTORY, /* the contact force of the step before enters a step, as all other unknowns do */
  WY_FORCE_STAGE    /* it belongs to one step only */
} wy_contact_force;

/* Options of the box scheme (docs/theory/box.md). */
typedef struct wy_box_options {
  double rho_inf;            /* 0 to 1: how much of the fastest vibrations a step leaves; 1 keeps all */
  bool coefficients_given;   /* alpha, beta, gamma are used in place of rho_inf */
  double alpha, beta, gamma; /* of second order if alpha - beta + gamma = 1/2 */
  bool transport;            /* of the vectors at both ends of a cell into the frame of its middle */
  wy_contact_force force;
} wy_box_options;

/* How the nonlinear equations of a fixed step are solved. */
typedef struct wy_newton_options {
  double tolerance; /* of what is out of balance, relative to the forces at work */
  int iterations;   /* most of them in one step */
} wy_newton_options;

/* A path of equilibria in steps of load or time, or in steps of its own length, which pass limit points. */
typedef enum wy_continuation { WY_LOAD_STEPPING, WY_ARC_LENGTH } wy_continuation;
/* At a bifurcation: stay on the path, or go over to the stable branch. */
typedef enum wy_branch { WY_FOLLOW_BRANCH, WY_SWITCH_BRANCH } wy_branch;

/* How equilibria are found (withy/statics.h, docs/theory/statics.md). */
typedef struct wy_statics_options {
  wy_continuation continuation;
  wy_branch branch;        /* at a bifurcation: stay on the path, or go over to the branch that is stable */
  int increments;          /* first guess: a stretch of load or time is divided into so many */
  double newton_tolerance; /* largest last correction: angles, and displacements over the length */
  int newton_iterations;   /* most of them in one increment */
} wy_statics_options;

/* Integrators beyond the library's own, from another part of withy: see withy/sundials.h. */
typedef struct wy_integrators wy_integrators;

/* More steps than any run would finish, and than the clock can tell apart. */
#define WY_STEPS_LIMIT 1e10

/* Scheme, integrator and their options; those of other schemes are ignored. */
typedef struct wy_solver_def {
  uint32_t cookie;
  const char *scheme;         /* "staggered", "mixed", "conserving", "box" */
  const char *integrator;     /* "auto", or what wy_method_possible finds to go with the scheme */
  const wy_integrators *more; /* integrators to choose from beside the library's own; NULL: none */
  double relative_tolerance, absolute_tolerance;
  /* Of a fixed-step method every step; 0: chosen (fixed steps: wy_method_default_step). At most WY_STEPS_LIMIT until
     the end; without an end none so short that the clock would stand still before the rod has swung once. */
  double first_step;
  double largest_step; /* 0: no limit. Loads and ends that follow functions of time are looked at ahead of the steps:
                          what lasts 1/1000 of the time passed, or of wy_model_time_scale, is not stepped over */
  double allow_drift;  /* 0: a result is wrong above the usual energy drift (withy/judge.h); else above this one */
  wy_staggered_options staggered;
  wy_mixed_options mixed;
  wy_conserving_options conserving;
  wy_box_options box;
  wy_newton_options newton;
  wy_statics_options statics;
} wy_solver_def;

/* The staggered scheme, the integrator `auto`, a tolerance of 1e-6. */
WY_API wy_solver_def wy_default_solver_def(void);

/* How to solve, for all rods or rod by rod. */
typedef struct wy_sim_def {
  uint32_t cookie;
  wy_solver_def solver;             /* for all rods */
  const wy_solver_def *rod_solvers; /* optional: one per rod, instead of `solver` */
  double end;                       /* no step goes beyond this time; INFINITY by default */
  bool statics;                     /* make room for equilibria and modes (withy/statics.h) */
} wy_sim_def;

/* The default solver for all rods, no end, no equilibria. */
WY_API wy_sim_def wy_default_sim_def(void);

/* What an integrator is: its row in the table of integrators, from which everything that lists them is made. Constant;
   texts are short and stand alone. */
typedef struct wy_integrator_info {
  const char *name;   /* what wy_solver_def.integrator calls it */
  const char *family; /* the kind of method: "implicit Runge-Kutta (Radau IIA)" */
  const char *use;    /* when to take it: "stiff rods: the safe choice" */
  const char *source; /* who published it, and when */
  /* Of the error, for steps that are short enough; they differ where the integrator chooses its order. */
  int lowest_order, highest_order;
  bool implicit;     /* solves equations in every step; else its steps are limited by stability */
  bool fixed_step;   /* every step is as long as first_step says; else the tolerance chooses them */
  bool multistep;    /* remembers more than the last step (wy_method_is_multistep) */
  bool keeps_energy; /* has no energy drift of its own: keeps quadratic energies to the round-off of its equations */
  int vectors;       /* of the size of the state that it keeps, at most; what the scheme factors is not counted */
} wy_integrator_info;

/* The table of integrators, row by row; NULL past the last one. `more` as in a solver's definition: those that it knows
   but that were not built are among the rows, too. */
WY_API const wy_integrator_info *wy_integrator_describe(const wy_integrators *more, int index);

/* The methods that exist, by name; NULL past the last one. Integrators are those of the table, in its order. */
WY_API const char *wy_scheme_name(int index);
WY_API const char *wy_integrator_name(const wy_integrators *more, int index);

/* Do scheme and integrator go together? WY_OK, or WY_ERROR_SUPPORT with the reason and what is possible. */
WY_API wy_status wy_method_possible(const wy_solver_def *solver, wy_rod_kind kind, wy_message *message);

/* Do they move with a fixed step? Output times should then be multiples of it. */
WY_API bool wy_method_has_fixed_step(const wy_solver_def *solver);

/* The fixed step of a rod where none is given: a hundredth of wy_model_time_scale, but no more than a million steps
   until `end`. */
WY_API double wy_method_default_step(const wy_model *model, int rod, double end);

/* The longest step with which `dop853`, an explicit method, is stable for a rod, about: what `auto` judges explicit
   methods by. 0 where the scheme has no estimate, NAN where there is no such rod. */
WY_API double wy_method_explicit_step(const wy_model *model, int rod, const wy_solver_def *solver);

/* Does the integrator remember more than the last step? Then constraints are stabilised by Baumgarte's method, whatever
   the options of the scheme say. A restored state continues with a new start of the integrator where that is one of
   SUNDIALS, else bit for bit. */
WY_API bool wy_method_is_multistep(const wy_solver_def *solver);

/* Does the scheme find equilibria (withy/statics.h)? */
WY_API bool wy_scheme_has_equilibria(const char *scheme);

/* ---- Running ---- */

/* A running simulation. */
typedef struct wy_sim wy_sim;

/* The model must outlive the simulation. Starts at time 0. */
WY_API wy_status wy_sim_create(const wy_model *model, const wy_sim_def *def, wy_sim **sim, wy_message *message);
WY_API void wy_sim_destroy(wy_sim *sim);

/* All three return WY_ERROR_RESULT where the rod has come apart (its pieces have turned so far that they carry no
   force), or where the end of the simulation is reached and the result is known to be wrong (withy/judge.h). */
/* One accepted step of the rod that is furthest behind. */
WY_API wy_status wy_sim_step(wy_sim *sim, wy_message *message);
/* All rods exactly to time t: the last step is shortened. For control loops, where loads or poses change at t. */
WY_API wy_status wy_sim_advance(wy_sim *sim, double t, wy_message *message);
/* All rods at least to time t with steps of their own; views then show the interpolated state at t. For recording: the
   steps do not depend on the output times. */
WY_API wy_status wy_sim_sample(wy_sim *sim, double t, wy_message *message);

/* The time that views, energies and probes show. */
WY_API double wy_sim_time(const wy_sim *sim);

/* Replaces a load of the model (index as in the definition) from now on: a constant, in the load's own axes (per unit
   length where the load is). NULL stands for zero; both NULL: the model's own load again. Allowed after create, step of
   a single rod, advance and restore; not while rods are ahead of wy_sim_time. */
WY_API wy_status wy_sim_set_load(wy_sim *sim, int load, const double force[3], const double moment[3],
                                 wy_message *message);

/* The same for the force (pressure times area, or tension) of an actuator. NULL: the model's own again. */
WY_API wy_status wy_sim_set_actuator(wy_sim *sim, int actuator, const double *force, wy_message *message);

/* Where an end is to go, and how fast it is there, in space axes. NULL velocities: at rest. A NULL position (with its
   velocity) or frame (with its angular velocity): that part goes on as before. */
typedef struct wy_pose {
  const double *position;         /* [3] */
  const double *frame;            /* [4] unit quaternion */
  const double *velocity;         /* [3] */
  const double *angular_velocity; /* [3] space axes */
} wy_pose;

/* Moves a driven or held end from its present pose and velocity to a new pose, reached after `duration`, and on at the
   velocity given there. Smooth: position and velocity are continuous. Only components that are held or driven move. */
WY_API wy_status wy_sim_move_end(wy_sim *sim, int rod, wy_end_name end, const wy_pose *target, double duration,
                                 wy_message *message);

/* ---- Reading ---- */

/* `count` points at arc lengths s[], each with its components side by side in values[]. */
typedef struct wy_points {
  int count;
  int components;
  const double *s;
  const double *values;
  int degree; /* between them: 2 for a parabola through the points 2k, 2k + 1, 2k + 2; else straight */
} wy_points;

/* The state of one rod at wy_sim_time, in memory of the simulation: valid until the next call that changes it. With the
   midpoint rule, reactions, multipliers and the forces of strains that are held at zero are those of the middle of the
   last step: only there are they defined. Box rods with WY_FORCE_STAGE: forces belong to a place within the last step,
   too. */
typedef struct wy_view {
  double time;
  wy_points position;         /* 3, space */
  wy_points velocity;         /* 3, space */
  wy_points frame;            /* 4, unit quaternion */
  wy_points angular_velocity; /* 3, directors */
  wy_points strain;           /* 3, directors: Gamma */
  wy_points force;            /* 3, directors: what the part beyond s exerts on the part before it */
  wy_points curvature;        /* 3, directors: K */
  wy_points moment;           /* 3, directors */
  wy_points multiplier; /* 6, mixed scheme: what keeps directors orthonormal (11, 22, 33, 12, 23, 31); else none */
  struct {
    bool position_held, rotation_held;
    double position[3], frame[4];                 /* of the support where held; position: else of the rod */
    double reaction_force[3], reaction_moment[3]; /* support on rod, space axes */
  } ends[2];
} wy_view;

/* The state of rod number `rod`. */
WY_API const wy_view *wy_sim_view(wy_sim *sim, int rod);

/* In place of the number of a rod, where a function takes sums. */
#define WY_ALL_RODS (-1)

/* energy(t) - energy(0) = work - dissipated, energy = kinetic + elastic + gravity = total. */
typedef struct wy_energy {
  double kinetic, elastic, gravity, dissipated, work, total;
} wy_energy;

/* Momenta with their rotary part, and where the mass is. */
typedef struct wy_momentum {
  double linear[3], angular[3]; /* space axes, about the origin */
  double centre_of_mass[3];
  double mass;
} wy_momentum;

/* Of one rod, or WY_ALL_RODS. */
WY_API wy_energy wy_sim_energy(wy_sim *sim, int rod);
WY_API wy_momentum wy_sim_momentum(wy_sim *sim, int rod);

/* A quantity at wy_sim_time, at arc length s of a rod: interpolated between the scheme's points with its order,
   extrapolated at the ends. Where it is of an end, s = 0 or the length; rod and s do not count where it has none. */
WY_API wy_status wy_sim_probe(wy_sim *sim, wy_quantity quantity, int rod, double s, double out[4], wy_message *message);

/* The largest or smallest size of a quantity that a rod has had so far, and where and when that was first. */
typedef struct wy_extreme_value {
  double value, s, time;
} wy_extreme_value;

/* Of the states that were looked at, the one shown now included: those that views were made of, the first of a motion,
   equilibria, and in between every eighth step, every 64th of explicit and multistep methods. At the points of the
   scheme and at ends that are held. NAN where nothing was looked at: before the first equilibrium of a simulation with
   room for them. */
WY_API wy_extreme_value wy_sim_extreme(wy_sim *sim, int rod, wy_extreme extreme);

/* What a run has cost so far, and how well it kept what it should. */
typedef struct wy_statistics {
  long steps; /* accepted */
  long rejected;
  long rhs, jacobians, factorisations, newton_iterations;
  long quadrature; /* evaluations for work, dissipation or output between steps alone, not counted in rhs */
  double last_step;
  double reached;           /* the time that the accepted steps have come to: that of the views, or later */
  double quaternion_drift;  /* largest | |p| - 1 | met before projection (cosserat rods) */
  double velocity_drift;    /* largest |<p, p'>| met before projection (absolute coordinates) */
  double projection_energy; /* rotary energy that making quaternions unit ones has added, summed (staggered scheme) */
  double strain_drift;      /* largest strain, of those that the model holds at zero, left after projection */
  double strain_rate_drift; /* and its rate */
  /* Box: largest distance, over the length, between positions by the curvatures and by the velocities. */
  double position_drift;
  /* Conserving: largest difference between strains and what positions and frames say they are; curvatures count with
     the length of a segment. And the largest share of the differences of neighbouring strains that is a sawtooth. */
  double compatibility_drift;
  double sawtooth;
  /* Largest rotation across one piece of the rod, over what the scheme's interpolation carries well: above 1 the rod
     needs that many times more pieces. 0 where there is no such limit. */
  double piece_turn;
  double piece_turn_time; /* when it first went above 1; 0 otherwise */
} wy_statistics;

/* Of one rod, or WY_ALL_RODS: sums, the smallest step and time, and the largest drift. */
WY_API wy_statistics wy_sim_statistics(const wy_sim *sim, int rod);
/* One of its members, as the table of statistics says (wy_statistic_describe). */
WY_API double wy_statistic_value(const wy_statistics *statistics, const wy_statistic_info *info);

/* What moves a rod, after `auto` has chosen. */
typedef struct wy_sim_info {
  const char *scheme, *integrator;
  const char *reason; /* why `auto` picked it, or "" */
  int unknowns;
} wy_sim_info;

/* The methods of one rod, and how many unknowns it has. */
WY_API wy_sim_info wy_sim_describe(const wy_sim *sim, int rod);

/* ---- Saving ---- */

/* A saved state continues bit for bit, for the same model, definition and binary; within the tolerance where the
   integrator is a multistep method of SUNDIALS. The saved state of another simulation is refused, and the message says
   in what it differs: gravity, rods, loads, actuators, solver or end time. Expressions and constants count as they are,
   callbacks of the user's own by their values at a few places and times. */
WY_API size_t wy_sim_save_size(const wy_sim *sim);
WY_API wy_status wy_sim_save(const wy_sim *sim, void *buffer, size_t size, wy_message *message);
WY_API wy_status wy_sim_restore(wy_sim *sim, const void *buffer, size_t size, wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
