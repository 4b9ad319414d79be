/* SPDX-License-Identifier: MIT */
/* A simulation: a model, a discretisation of each rod in space (scheme) and a method of time integration (integrator).
   All memory is allocated at creation; no later call allocates. Different simulations may run in different threads. */
#ifndef WITHY_SIM_H
#define WITHY_SIM_H

#include "withy/model.h"
#include "withy/quantity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- How to solve ---- */

/* How the rotation between two segments becomes a curvature (docs/theory/staggered.md, "Curvature"). WY_AUTO_MEASURE,
   the default, is WY_ANGLE for rods whose undeformed shape is curved or twisted, and WY_TAN2 for straight ones
   (wy_curvature_measure_of). */
typedef enum wy_curvature_measure {
  WY_SIN2,
  WY_SIN4,
  WY_TAN2,
  WY_TAN4,
  WY_ANGLE,
  WY_AUTO_MEASURE
} wy_curvature_measure;
/* The velocities of rotations: angular velocities, or time derivatives of quaternions with a constraint. */
typedef enum wy_coordinates { WY_NULLSPACE, WY_ABSOLUTE } wy_coordinates;
/* The rotary inertia of a segment: that of a thin disc (its section alone), or that of a rigid cylinder. */
typedef enum wy_segment_inertia { WY_DISC, WY_CYLINDER } wy_segment_inertia;
/* How constraints are satisfied: by projection after every step, or by Baumgarte stabilisation. */
typedef enum wy_stabilisation { WY_PROJECTION, WY_BAUMGARTE } wy_stabilisation;

/* How the cells at an end of a staggered rod whose rotation is held share the compliance of bending and torsion: by
   half a cell, as published, or corrected so that the error of the ends falls with the third power of the segments'
   length (docs/theory/staggered.md, "Ends"). The second is for rods without actuators, joints and ends to be released.
   */
typedef enum wy_clamp { WY_CLAMP_HALF_CELL, WY_CLAMP_CORRECTED } wy_clamp;

/* Options of the staggered scheme (docs/theory/staggered.md). */
typedef struct wy_staggered_options {
  wy_curvature_measure curvature_measure;
  wy_coordinates coordinates;
  wy_segment_inertia segment_inertia;
  wy_stabilisation stabilisation;
  double baumgarte_omega, baumgarte_r;
} wy_staggered_options;

/* The form of moments at the ends of mixed rods (docs/theory/mixed.md). */
typedef enum wy_end_moment { WY_CORRECTED_MOMENT, WY_PRINTED_MOMENT } wy_end_moment;

/* Options of the mixed scheme (docs/theory/mixed.md). */
typedef struct wy_mixed_options {
  int order;                /* polynomial degree of the elements: 1 or 2 */
  wy_end_moment end_moment; /* corrected: angular momentum is balanced exactly; printed: as published */
} wy_mixed_options;

/* Options of the conserving scheme (docs/theory/conserving.md). */
typedef struct wy_conserving_options {
  int order; /* order of the finite differences along the rod: 2 or 4 */
} wy_conserving_options;

/* How a step of the box scheme uses the section force of the preceding step. */
typedef enum wy_section_force {
  WY_FORCE_HISTORY, /* the section force of the preceding step enters the step, like all other unknowns */
  WY_FORCE_STAGE    /* the section force of the preceding step is not used */
} wy_section_force;

/* Options of the box scheme (docs/theory/box.md). */
typedef struct wy_box_options {
  double rho_inf; /* 0 to 1: factor by which a step reduces the amplitude of the fastest vibrations; 1: no numerical
                     damping */
  bool coefficients_given;   /* use alpha, beta, gamma instead of rho_inf */
  double alpha, beta, gamma; /* the method has order 2 if alpha - beta + gamma = 1/2 */
  bool transport;            /* rotate the vectors at both ends of a cell into the frame of its midpoint */
  wy_section_force force;
} wy_box_options;

/* How the nonlinear equations of a fixed step are solved. */
typedef struct wy_newton_options {
  double tolerance; /* largest residual norm, relative to the size of the forces */
  int iterations;   /* largest number of iterations in a step */
} wy_newton_options;

/* Continuation of a path of equilibria: in steps of load or time, or in steps of arc length, which can pass limit
   points. */
typedef enum wy_continuation { WY_LOAD_STEPPING, WY_ARC_LENGTH } wy_continuation;
/* At a bifurcation: stay on the path, or switch to the stable branch. */
typedef enum wy_branch { WY_FOLLOW_BRANCH, WY_SWITCH_BRANCH } wy_branch;

/* How equilibria are found (withy/statics.h, docs/theory/statics.md). */
typedef struct wy_statics_options {
  wy_continuation continuation;
  wy_branch branch;        /* what to do at a bifurcation */
  int increments;          /* initial number of increments; their size is then adapted */
  double newton_tolerance; /* Newton's method stops below this size of the correction: rotations, and translations
                              divided by the length */
  int newton_iterations;   /* largest number of iterations in an increment */
} wy_statics_options;

/* Integrators from another library of withy: see withy/sundials.h. */
typedef struct wy_integrators wy_integrators;

/* The largest number of steps of a run. More would never finish, and rounding would merge their times. */
#define WY_STEPS_LIMIT 1e10

/* Scheme, integrator and their options; those of other schemes are ignored. */
typedef struct wy_solver_def {
  uint32_t cookie, size;      /* set by wy_default_solver_def */
  const char *scheme;         /* "staggered", "mixed", "conserving", "box" */
  const char *integrator;     /* "auto", or an integrator that wy_method_possible accepts for the scheme */
  const wy_integrators *more; /* further integrators to choose from (wy_sundials); NULL: none */
  double relative_tolerance, absolute_tolerance;
  /* The first step, and for a fixed-step method every step. 0: the library chooses it (fixed steps:
     wy_method_default_step). There may be at most WY_STEPS_LIMIT steps until the end time. Without an end time, steps
     are refused that are so short that rounding would stop the clock within one period of the rod. */
  double first_step;
  double largest_step; /* 0: no limit. Loads and driven ends are evaluated ahead of each step: pulses that last 1/1000
                          of the present time, or of wy_model_time_scale, are not missed */
  double allow_drift;  /* energy drift above which a result is wrong; 0: the default limit (withy/judge.h) */
  wy_staggered_options staggered;
  wy_mixed_options mixed;
  wy_conserving_options conserving;
  wy_box_options box;
  wy_newton_options newton;
  wy_statics_options statics;
  wy_clamp clamp[2]; /* of the start and the end, by wy_end_name; staggered scheme */
} wy_solver_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_solver_def(wy_solver_def *def, size_t size);
/* The staggered scheme, the integrator `auto`, a tolerance of 1e-6. */
static inline wy_solver_def wy_default_solver_def(void) {
  wy_solver_def def;
  wy_init_solver_def(&def, sizeof def);
  return def;
}

/* What runs tasks at the same time, such as threads of the caller: the library starts none. `run` calls
   task(context, 0) ... task(context, count - 1), each once, in any order and by any thread, and returns when all have
   returned. No task calls `run`. */
typedef struct wy_tasks {
  void *pool; /* passed to `run` */
  void (*run)(void *pool, int count, void (*task)(void *context, int index), void *context);
} wy_tasks;

/* A clock in seconds, from any beginning on. Without `seconds` it is that of the C library, which may jump when the
   time of the machine is set. */
typedef struct wy_clock {
  void *context; /* passed to `seconds` */
  double (*seconds)(void *context);
} wy_clock;

/* The definition of a simulation: the methods for all rods or for each rod. */
typedef struct wy_sim_def {
  uint32_t cookie, size; /* set by wy_default_sim_def */
  union {
    wy_solver_def solver;         /* for all rods */
    uint64_t room_for_solver[64]; /* the members behind it keep their places when it grows */
  };
  const wy_solver_def *rod_solvers; /* optional: one per rod, instead of `solver`; the same for rods that are joined */
  bool statics;                     /* allocate memory for equilibria and modes (withy/statics.h) */
  double end;                       /* no step goes beyond this time; INFINITY by default */
  /* Computes rods at the same time, joined or not, where that pays; without `run` the caller's thread does it alone.
     Results are the same, bit for bit, and so are saved states and failures. Signals are then asked by several threads
     at once. */
  wy_tasks tasks;
  wy_clock clock; /* that wy_sim_advance_within looks at */
} wy_sim_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_sim_def(wy_sim_def *def, size_t size);
/* The default solver for all rods, no end, no equilibria. */
static inline wy_sim_def wy_default_sim_def(void) {
  wy_sim_def def;
  wy_init_sim_def(&def, sizeof def);
  return def;
}

/* A row of the table of integrators. All lists of integrators are made from this table. The texts are short phrases. */
typedef struct wy_integrator_info {
  const char *name;   /* its name in wy_solver_def.integrator */
  const char *family; /* the kind of method: "implicit Runge-Kutta (Radau IIA)" */
  const char *use;    /* when to use it: "stiff rods: the safe choice" */
  const char *source; /* who published it, and when */
  /* The order of convergence. The two numbers differ if the integrator chooses its order. */
  int lowest_order, highest_order;
  bool implicit;     /* it solves equations in every step; else stability limits its steps */
  bool fixed_step;   /* every step has the size first_step; else it has error control */
  bool multistep;    /* it stores steps, which projection would invalidate (wy_method_is_multistep) */
  bool keeps_energy; /* it conserves quadratic energies up to round-off */
  int vectors; /* its memory at most, in vectors of the size of the state; factorisations of the scheme are not included
                */
} wy_integrator_info;

/* A row of the table of integrators; NULL after the last one. `more` is the same as in wy_solver_def. The table
   includes integrators that were not built. */
WY_API const wy_integrator_info *wy_integrator_describe(const wy_integrators *more, int index);

/* The names of all schemes and integrators; NULL after the last one. The integrators are in the order of the table. */
WY_API const char *wy_scheme_name(int index);
WY_API const char *wy_integrator_name(const wy_integrators *more, int index);

/* Can the scheme and the integrator be combined for this kind of rod? WY_OK, or WY_ERROR_SUPPORT with the reason and
   the possible choices. */
WY_API wy_status wy_method_possible(const wy_solver_def *solver, wy_rod_kind kind, wy_message *message);

/* Does the solver use a fixed step? Output times should then be multiples of it. */
WY_API bool wy_method_has_fixed_step(const wy_solver_def *solver);

/* The default fixed step of a rod: a hundredth of wy_model_time_scale, or longer, so that there are at most a million
   steps until `end`. */
WY_API double wy_method_default_step(const wy_model *model, int rod, double end);

/* An estimate of the longest stable step of the explicit method `dop853` for a rod. The integrator `auto` uses it to
   decide between explicit and implicit methods. 0 if the scheme has no estimate, NAN if there is no such rod. */
WY_API double wy_method_explicit_step(const wy_model *model, int rod, const wy_solver_def *solver);

/* Is the integrator a multistep method, whose stored steps projection would invalidate? Then constraints are stabilised
   by Baumgarte's method, whatever the options of the scheme are. After wy_sim_restore, integrators of SUNDIALS start
   anew; all others continue bit for bit. */
WY_API bool wy_method_is_multistep(const wy_solver_def *solver);

/* Can the scheme compute equilibria (withy/statics.h)? */
WY_API bool wy_scheme_has_equilibria(const char *scheme);

/* ---- Running ---- */

/* A running simulation. */
typedef struct wy_sim wy_sim;

/* Creates a simulation at time 0. The model must outlive it. */
WY_API wy_status wy_sim_create(const wy_model *model, const wy_sim_def *def, wy_sim **sim, wy_message *message);
WY_API void wy_sim_destroy(wy_sim *sim);

/* Where several rods fail, the message and the status are those of the first of them in the order of the model; the
   others are taken as far as without it. These functions return WY_ERROR_RESULT if a rod has come apart (two
   neighbouring segments have rotated so far against each other that no force acts between them), or if the end time is
   reached and the result is known to be wrong (withy/judge.h). */
/* Performs one accepted step of the rod with the smallest time. */
WY_API wy_status wy_sim_step(wy_sim *sim, wy_message *message);
/* Advances all rods exactly to time t; the last step is shortened. For control loops, in which loads or poses change at
   t. */
WY_API wy_status wy_sim_advance(wy_sim *sim, double t, wy_message *message);
/* Advances towards t, with all rods at the same time, for as long as `seconds` of wall-clock time allow, and returns
   with the state of the last step: *reached (may be NULL) is how far it came, which wy_sim_time says, too. Loads and
   poses may then change, and the next call goes on. A step is not begun that, by how long those before took, would not
   end in time; a step that has begun is ended. The first call takes one step at least. For programs that have to be on
   time; with fixed steps (`stride`), all steps take about the same. A time of zero or less takes none. */
WY_API wy_status wy_sim_advance_within(wy_sim *sim, double t, double seconds, double *reached, wy_message *message);
/* Advances all rods at least to time t with unchanged steps; views then show the state at t by interpolation. For
   recording: the steps do not depend on the output times. */
WY_API wy_status wy_sim_sample(wy_sim *sim, double t, wy_message *message);

/* The time of views, energies and probes. */
WY_API double wy_sim_time(const wy_sim *sim);

/* Replaces a load of the model by a constant load from now on. `load` is its index in the definition; axes and unit
   (per length or not) are those of the load. One NULL means zero; two NULLs restore the load of the model. Allowed
   after wy_sim_create, wy_sim_advance, wy_sim_restore, and wy_sim_step of a single rod; not allowed while a rod is
   ahead of wy_sim_time. */
WY_API wy_status wy_sim_set_load(wy_sim *sim, int load, const double force[3], const double moment[3],
                                 wy_message *message);

/* The same for the force of an actuator. NULL restores the force of the model. */
WY_API wy_status wy_sim_set_actuator(wy_sim *sim, int actuator, const double *force, wy_message *message);

/* The target pose of an end and its velocities there, in space axes. A velocity of NULL is zero. If `position` is NULL,
   position and velocity continue as before; if `frame` is NULL, rotation and angular velocity continue as before. */
typedef struct wy_pose {
  const double *position;         /* [3] */
  const double *frame;            /* [4] unit quaternion */
  const double *velocity;         /* [3] */
  const double *angular_velocity; /* [3] space axes */
} wy_pose;

/* Moves a driven or held end from its present pose and velocity to a target pose, which it reaches after `duration`.
   After that it continues with the velocity of the target. Position and velocity are continuous. Only held or driven
   components move. */
WY_API wy_status wy_sim_move_end(wy_sim *sim, int rod, wy_end_name end, const wy_pose *target, double duration,
                                 wy_message *message);

/* The same for a body that is held or driven. */
WY_API wy_status wy_sim_move_body(wy_sim *sim, int body, const wy_pose *target, double duration, wy_message *message);

/* The same for an obstacle (withy/contact.h), whatever moves it in the model; one that a body carries moves with it. */
WY_API wy_status wy_sim_move_obstacle(wy_sim *sim, int obstacle, const wy_pose *target, double duration,
                                      wy_message *message);

/* Turns a driven hinge from its present angle and rate to a target, which it reaches after `duration`; then it goes on
   with that rate. The angle is that of all other parts against the first one, as in the joint's definition. */
WY_API wy_status wy_sim_set_joint_angle(wy_sim *sim, int joint, double angle, double rate, double duration,
                                        wy_message *message);

/* ---- Reading ---- */

/* Values at `count` points with arc lengths s[]; the components of point i begin at values[i * components]. */
typedef struct wy_points {
  int count;
  int components;
  const double *s;
  const double *values;
  int degree; /* of the interpolation: 2 for a parabola through the points 2k, 2k + 1, 2k + 2; else linear */
} wy_points;

/* The state of one rod at wy_sim_time. The memory belongs to the simulation; its values are valid until the next call
   that changes the simulation. The addresses of the view and of its arrays, and their sizes, stay the same for the life
   of the simulation: after a change, wy_sim_view brings the same memory up to date. With the midpoint rule, reactions,
   multipliers and the forces of constrained strains are those at the middle of the last step, because they are defined
   only there. For box rods with WY_FORCE_STAGE, forces also belong to a time within the last step. */
typedef struct wy_view {
  double time;
  wy_points position;         /* 3, space */
  wy_points velocity;         /* 3, space */
  wy_points frame;            /* 4, unit quaternion */
  wy_points angular_velocity; /* 3, directors */
  wy_points strain;           /* 3, directors: Gamma */
  wy_points force;            /* 3, directors: the part beyond s exerts it on the part before s */
  wy_points curvature;        /* 3, directors: K */
  wy_points moment;           /* 3, directors */
  wy_points
      multiplier; /* 6, mixed scheme only: multipliers of the orthonormality of directors (11, 22, 33, 12, 23, 31) */
  struct {
    bool position_held, rotation_held;
    double position[3], frame[4];                 /* of the support if held; else position is that of the rod */
    double reaction_force[3], reaction_moment[3]; /* exerted by the support on the rod, space axes */
  } ends[2];
} wy_view;

/* The state of rod `rod`. */
WY_API const wy_view *wy_sim_view(wy_sim *sim, int rod);

/* A rigid body (withy/network.h). What holds it exerts the reactions, which are 0 in free components. */
typedef struct wy_body_state {
  double position[3], velocity[3];              /* of the centre of mass, space */
  double frame[4];                              /* unit quaternion */
  double angular_velocity[3];                   /* axes of the body */
  double reaction_force[3], reaction_moment[3]; /* space axes, moment about the centre of mass */
} wy_body_state;

/* The state of a body at wy_sim_time. */
WY_API wy_status wy_sim_body(wy_sim *sim, int body, wy_body_state *out, wy_message *message);

/* What a joint exerts on one of its parts, by its number among the ports of the joint (0: the first), at wy_sim_time:
   space axes, moment about the place of the joint. Over all parts it is 0, the ground included. */
WY_API wy_status wy_sim_joint(wy_sim *sim, int joint, int part, double force[3], double moment[3], wy_message *message);

/* The angle of a part of a hinge against its first one about its axis, and how fast it grows, at wy_sim_time: 0 as
   drawn, whole turns count. `part` is a number among the ports of the joint; of the first one both are 0. */
WY_API wy_status wy_sim_joint_angle(wy_sim *sim, int joint, int part, double *angle, double *rate, wy_message *message);

/* The force of a spring, with that of its damper, and its length at wy_sim_time. A force > 0 pulls. */
WY_API wy_status wy_sim_spring(wy_sim *sim, int spring, double *force, double *length, wy_message *message);

/* Where a port (withy/network.h) is at wy_sim_time, and the frame of its part there: of the section of a rod, the axes
   of a body, those of space on the ground. A port on the ground must have its point, as those of wy_model_joint and
   wy_model_spring have. */
WY_API wy_status wy_sim_port(wy_sim *sim, const wy_port *port, double position[3], double frame[4],
                             wy_message *message);

/* Instead of the index of a rod: the sum over all rods. */
#define WY_ALL_RODS (-1)

/* An obstacle, and what it exerts on rods. */
typedef struct wy_obstacle_state {
  double position[3], velocity[3];
  double frame[4];            /* unit quaternion: its third axis is `axis` of its definition, the first d1 */
  double angular_velocity[3]; /* space axes */
  double force[3], moment[3]; /* space axes, moment about its position; both with friction */
  double contact_length;      /* of rods that touch it */
  double gap;                 /* smallest of rods to it, negative: depth; INFINITY if there is no rod */
} wy_obstacle_state;

/* An obstacle at wy_sim_time, with force, moment, contact length and gap of one rod, or of WY_ALL_RODS. */
WY_API wy_status wy_sim_obstacle(wy_sim *sim, int obstacle, int rod, wy_obstacle_state *out, wy_message *message);

/* The contact of one rod with all obstacles at wy_sim_time, at the middles of its segments. The force on an end face is
   spread over the segment of that end, so that loads times lengths of segments add up to the forces of obstacles.
   Memory and arrays are as those of wy_view. */
typedef struct wy_contact_view {
  double time;
  wy_points load; /* 3, space: force per length that obstacles exert, with friction */
  wy_points gap; /* 1: smallest on the segment to any obstacle, negative: depth; beyond the ends of a tube to its rim */
  /* 1: slip over the slip at which friction is whole: it holds below 1 and slides above; 0 where nothing rubs */
  wy_points slip;
  /* Over all steps so far: the largest depth, as it is and over the radius there; when the rod first touched anything,
     NAN: never. */
  double deepest, deepest_over_radius, first_time;
  double put_down; /* how far contact.settle brought rod and obstacles together or apart before the loads grew */
} wy_contact_view;

/* NULL if the rod cannot touch anything. */
WY_API const wy_contact_view *wy_sim_contact(wy_sim *sim, int rod);

/* The energies of the balance total(t) - total(0) = work - dissipated, with total = kinetic + elastic + gravity +
   contact. The last two are shares of `dissipated`. */
typedef struct wy_energy {
  double kinetic, elastic, gravity, dissipated, work, total;
  double contact;          /* stored in skins */
  double friction, impact; /* lost by friction, and by hits */
} wy_energy;

/* Momenta, with the contribution of rotary inertia, and the centre of mass. */
typedef struct wy_momentum {
  double linear[3], angular[3]; /* space axes, about the origin */
  double centre_of_mass[3];
  double mass;
} wy_momentum;

/* The energies and momenta of one rod, or of WY_ALL_RODS. Rods that are joined share one balance: `work` and
   `dissipated` of each of them are those of all of them together, and a sum counts them once. */
WY_API wy_energy wy_sim_energy(wy_sim *sim, int rod);
WY_API wy_momentum wy_sim_momentum(wy_sim *sim, int rod);

/* The value of a quantity at wy_sim_time, at arc length s of a rod. It is interpolated between the points of the scheme
   with the scheme's order, and extrapolated at the ends. For a quantity of an end, s must be 0 or the length of the
   rod. `rod` and `s` are ignored for quantities that do not have them. */
WY_API wy_status wy_sim_probe(wy_sim *sim, wy_quantity quantity, int rod, double s, double out[4], wy_message *message);

/* The largest or smallest value of a quantity on a rod so far, and the place and time where it occurred first. */
typedef struct wy_extreme_value {
  double value, s, time;
} wy_extreme_value;

/* The extreme over the states that were examined: the present state, all states for which views were made, the initial
   state of a motion, equilibria, and every eighth step (every 64th for explicit and multistep methods). It is taken
   over the points of the scheme and over held ends. NAN if no state was examined, as before the first equilibrium of a
   simulation with wy_sim_def.statics. */
WY_API wy_extreme_value wy_sim_extreme(wy_sim *sim, int rod, wy_extreme extreme);

/* Cost and errors of a run so far. */
typedef struct wy_statistics {
  long steps;    /* accepted steps */
  long rejected; /* rejected steps */
  long rhs, jacobians, factorisations, newton_iterations;
  long quadrature; /* number of evaluations for work, dissipation and output, not included in `rhs` */
  double last_step;
  double reached;           /* the time after the last accepted step: wy_sim_time or later */
  double quaternion_drift;  /* largest | |p| - 1 | before projection (cosserat rods) */
  double velocity_drift;    /* largest |<p, p'>| before projection (absolute coordinates) */
  double projection_energy; /* total rotary energy added by the normalisation of quaternions (staggered scheme) */
  double strain_drift;      /* largest constrained strain after projection */
  double strain_rate_drift; /* largest rate of a constrained strain after projection */
  /* Box scheme: positions are integrated from curvatures and from velocities; the largest distance between the two,
     divided by the length. */
  double position_drift;
  /* Conserving scheme: the largest difference between the strains of the state and the strains computed from positions
     and frames; curvatures are multiplied by the length of a segment. And the largest fraction of the differences
     between neighbouring strains that alternates in sign (a sawtooth). */
  double compatibility_drift;
  double sawtooth;
  /* The largest rotation across one segment, element or cell, divided by the largest rotation that the scheme
     represents well. If it is above 1, the rod needs that many times more segments. 0 if the scheme has no such limit.
     */
  double piece_turn;
  double piece_turn_time; /* the time when piece_turn first exceeded 1; 0 if it never did */
  /* Joints between bodies, or of a body and the ground: the largest gap after projection, divided by the length of the
     longest rod, or by the largest distance between parts where there are no rods. Other joints have none. */
  double joint_drift;
} wy_statistics;

/* The statistics of one rod; rods that are joined take the same steps and have the same statistics. For WY_ALL_RODS:
   the sums of counts, which count joined rods once, the smallest step and time, and the largest drifts. */
WY_API wy_statistics wy_sim_statistics(const wy_sim *sim, int rod);
/* The member of `statistics` that a row of the table describes (wy_statistic_describe). */
WY_API double wy_statistic_value(const wy_statistics *statistics, const wy_statistic_info *info);

/* The methods of a rod; `auto` is replaced by the integrator that it has chosen. */
typedef struct wy_sim_info {
  const char *scheme, *integrator;
  const char *reason; /* why `auto` has chosen it, or "" */
  int unknowns;
} wy_sim_info;

/* The methods of one rod, and the number of its unknowns. */
WY_API wy_sim_info wy_sim_describe(const wy_sim *sim, int rod);

/* Rods and bodies that joints and springs connect are a group, which moves with one integrator; a rod or body alone is
   a group of its own. The number of groups, and the group of a rod or body; -1 if there is none such. */
WY_API int wy_sim_group_count(const wy_sim *sim);
WY_API int wy_sim_group_of(const wy_sim *sim, wy_port_kind kind, int index);
/* The methods of a group, the number of its unknowns, and its statistics. */
WY_API wy_sim_info wy_sim_group_describe(const wy_sim *sim, int group);
WY_API wy_statistics wy_sim_group_statistics(const wy_sim *sim, int group);
/* Joints between bodies hold conditions, of which some may follow from the others: "3 of the 20 conditions of joints a,
   b, c, d follow from the others: their forces are one of many choices". True if some of a group do at wy_sim_time;
   else `text`, which has `size` bytes, becomes empty. */
WY_API bool wy_sim_group_dependent(wy_sim *sim, int group, char *text, size_t size);

/* ---- Saving ---- */

/* A simulation continues from a saved state bit for bit, with the same model, definition and binary. With a multistep
   method of SUNDIALS the difference is within the tolerance. The saved state of a different simulation is refused, and
   the message names the difference: gravity, rods, bodies, joints, springs, loads, actuators, solver or end time.
   Expressions and constants are compared exactly; callbacks of the user are compared by their values at a few places
   and times. */
WY_API size_t wy_sim_save_size(const wy_sim *sim);
WY_API wy_status wy_sim_save(const wy_sim *sim, void *buffer, size_t size, wy_message *message);
WY_API wy_status wy_sim_restore(wy_sim *sim, const void *buffer, size_t size, wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
