/* SPDX-License-Identifier: MIT */
/* The contract between schemes and everything that moves rods in time: a system u' = f(t,u) with a declared layout.
   (The general form is E(t,u) u' = f(t,u), with matrices sigma E - J below; E is the identity for all present schemes.)

   A scheme turns one rod of a model into a wy_system. Rods that are joined make a group, whose system has theirs as its
   parts and their states one after the other in its own; a rod alone is its only part. Integrators, drivers and
   recorders use only this header. The state u is one array of `size` doubles. A scheme stores its fields in it as a
   structure of arrays, padded to the vector width. Entries that are not unknowns (padding, held ends) have weight 0 and
   stay finite.

   All positions in a scheme are relative to the rod's origin, so that round-off and error norms do not depend on the
   place of a rod in space. wy_system_view, _energy and _momentum add the origin.

   A scheme that is also a discretisation in time (mixed, box) has no right-hand side. It has time steps of its own
   (wy_step_type), which a fixed-step integrator calls.

   Return values: 0: done; > 0: failed, a smaller step may succeed; < 0: failed. */
#ifndef WY_SCHEME_SCHEME_H
#define WY_SCHEME_SCHEME_H

#include "base/arena.h"
#include "model/model.h"
#include "withy/judge.h"
#include "withy/method.h"

/* The memory of a simulation. `saved` is everything that a bit-exact restart needs: plain data without pointers.
   `scratch` can be rebuilt or is overwritten. */
typedef struct wy_memory {
  wy_arena saved, scratch;
} wy_memory;

/* Requirements on the linear algebra: the number of factorisations that an integrator keeps at the same time, and
   whether equilibria will be computed. */
typedef struct wy_factor_needs {
  int real, complex;
  bool equilibria;
} wy_factor_needs;

/* One field of the state: `components` arrays of `stride` entries each, of which `count` are in use. */
typedef struct wy_field {
  const char *name;
  int offset, components, count, stride;
  int dae_index;   /* 0: differential unknown; else a constraint force, which belongs to a whole step and not to its end
                    */
  bool cell_local; /* eliminated before the factorisation */
  double unit; /* (entry * unit)^2 is an energy per length: the scale for comparisons of round-off; 0: entries of the
                  field are compared only with each other */
  int kind;    /* fields of one kind are compared with each other: the same field of several rods; < WY_MAX_FIELDS */
} wy_field;

/* A part of the state whose entries offset + i, offset + i + stride, ... belong to one point of a rod. `stride` is a
   multiple of WY_LANES, `size` one of `stride`. */
typedef struct wy_norm_part {
  int offset, size, stride;
} wy_norm_part;

enum {
  WY_MAX_FIELDS = 8, /* of one rod */
  /* Integrals over time in every system: work of loads and driven ends, dissipated energy; of the latter the shares of
     friction and of hits. */
  WY_WORK_INTEGRAL = 0,
  WY_DISSIPATION_INTEGRAL = 1,
  WY_FRICTION_INTEGRAL = 2,
  WY_IMPACT_INTEGRAL = 3,
  WY_INTEGRALS = 4
};

/* Errors of a state. Cosserat rods: | |p| - 1 | and <p, p'> before projection. Constrained rods: the constrained
   strains and their rates after projection. Networks: gaps of joints between hubs after projection. Schemes with
   redundant unknowns (strains and positions, velocities and curvatures): the differences that wy_statistics describes.
 */
enum {
  WY_DRIFT_QUATERNION,
  WY_DRIFT_VELOCITY,
  WY_DRIFT_STRAIN,
  WY_DRIFT_STRAIN_RATE,
  WY_DRIFT_JOINT,
  WY_DRIFT_POSITION,
  WY_DRIFT_COMPATIBILITY,
  WY_DRIFT_SAWTOOTH,
  WY_DRIFT_FIRST_DIFFERENCES, /* the scale of sawtooth oscillations */
  WY_DRIFT_SECOND_DIFFERENCES,
  WY_DRIFT_ENERGY, /* total energy added by projection */
  WY_DRIFTS
};

typedef struct wy_system wy_system;

/* The interface of a system for equilibria. A configuration is a state u at rest, followed by the multipliers of
   constraints: config_size entries. Displacements d from a configuration, residuals and the tangent have one entry for
   each degree of freedom, in the order of the tangent's band matrix: translations, body rotations and forces. */
enum { WY_NO_POTENTIAL = 2 }; /* moments, loads in body axes, drag and friction have none */

typedef struct wy_statics_type {
  /* With `rest`, driven ends have no velocity, loads and gravity are multiplied by `loads`, and displacements of driven
     ends by `ends`. Without `rest`, the system is that of the model again. */
  void (*apply)(wy_system *system, bool rest, double loads, double ends);
  /* The configuration of the undeformed rod without forces. Groups: with all joints closed. */
  void (*undeformed)(wy_system *system, double *config);
  /* Groups with parts that joints bring together: closes a share of their gaps, from 0 (as they are drawn) to 1; `keep`
     makes a configuration in which they are closed the undeformed one. NULL: there are none. */
  void (*close)(wy_system *system, double share);
  void (*keep)(wy_system *system, const double *config);
  /* The residual: forces on the degrees of freedom, violations of constraints and of held ends. */
  int (*residual)(wy_system *system, double t, const double *config, double *r);
  /* Computes and stores K = -dr/dd at a configuration. */
  int (*tangent)(wy_system *system, double t, const double *config);
  /* Factors K - mu M, where M is the mass matrix; > 0 if it is singular. `solve` works in place. `sign` returns the
     sign of the determinant. */
  int (*factor)(wy_system *system, double mu);
  void (*solve)(wy_system *system, double *b);
  int (*sign)(wy_system *system);
  /* The number of negative directions of K - mu M on the subspace that satisfies the constraints. Returns
     WY_NO_POTENTIAL if K is not symmetric, WY_RETRY if K - mu M is singular. */
  int (*negative)(wy_system *system, double mu, int *count);
  /* The dimension of the subspace that satisfies constraints and held ends; NULL: it is large. */
  int (*directions)(const wy_system *system);
  void (*displace)(wy_system *system, const double *from, const double *d, double factor, double *to);
  /* Sets the internal variables of a state u to their values at an equilibrium at time t, where all Maxwell branches
     are relaxed. NULL: there are none. */
  void (*relax)(wy_system *system, double t, double *u);
  /* The product M d, and the dissipated power d.D.d of the rates d. */
  void (*mass_times)(wy_system *system, const double *d, double *out);
  double (*dissipation)(wy_system *system, const double *d);
  /* A displacement at the points of the view of one part: translations of its positions in space axes [count][3],
     rotations of its frames in body axes [count][3]. */
  void (*show)(wy_system *system, int part, const double *d, double *translation, double *rotation);
} wy_statics_type;

typedef enum wy_guess {
  WY_GUESS_MOVING, /* extrapolation with the present velocities, unless they lead too far */
  WY_GUESS_STILL,  /* the state at the start of the step */
  WY_GUESS_LONGER, /* extrapolation of the last solved step, which had the same start and was shorter; that step is
                      stored */
  WY_GUESS_AGAIN   /* extrapolation of the stored step */
} wy_guess;

/* When one tangent K serves several corrections of a step. */
typedef struct wy_kept_tangent {
  double fall;     /* where the last correction has brought the misfit down to this share of it; 0: never */
  double leaves;   /* the share of the tolerance that may be left after a correction with a kept one */
  bool in_contact; /* where obstacles are, too */
} wy_kept_tangent;

/* One step from t to t + h: nonlinear equations for the state at its end, solved by Newton's method. After a first
   guess, the driver repeats residual, linearise, solve and apply. The unknowns are vectors of system->step_size
   entries; the scheme chooses their order and units. Forces from outside the rod, such as those of a joint, are added
   to the residual before `solve`. */
typedef struct wy_step_type {
  /* Computes the forces and rates of an initial state, which no step has computed. `h` is the integrator's step, even
     if the next step is shortened. Returns the number of factorisations, or < 0 if the motion cannot start. NULL: there
     is nothing to compute. */
  int (*complete)(wy_system *system, double t, double h, double *u);
  /* Sets the start of the step and the first guess of its end. */
  void (*begin)(wy_system *system, double t, double h, const double *u, wy_guess guess);
  /* The residual r of the present guess, and its largest entry relative to the size of the forces. */
  int (*residual)(wy_system *system, double *r, double *misfit);
  /* Assembles and factors K = -dr/dd at the guess of the last residual, where d are the unknowns; > 0 if K is singular.
   */
  int (*linearise)(wy_system *system);
  /* Solves K d = r for any r, in place. It must be called before the guess changes, unless K is kept. */
  void (*solve)(wy_system *system, double *r);
  /* Adds d to the guess, or a fraction of d if it is much too large. `change` is set to the size of the correction, as
     an angle. */
  void (*apply)(wy_system *system, const double *d, double *change);
  /* With contact: takes back a share of the last correction. NULL: it cannot. */
  void (*retreat)(wy_system *system, double share);
  /* With contact: writes the positions at t + h into a copy of the state, and changes nothing else. */
  void (*peek)(wy_system *system, double *u);
  /* Writes the state at t + h and adds work and dissipation of the step to `integrals`. */
  void (*finish)(wy_system *system, double *u, double integrals[WY_INTEGRALS]);
  wy_kept_tangent kept;
} wy_step_type;

/* What a method asks for that takes one linear solve a step (integrate/stride.c). `held` has the size of the state. */
typedef struct wy_stride_type {
  /* The state at the end of a step from `now` to t of length h, after a step from `before` of length h / ratio: strains
     stay as they are, frames turn on, velocities go on by lines, what is held is where its support is. `before` NULL:
     nothing is known of the past. */
  void (*predict)(wy_system *system, double t, double h, double ratio, const double *before, const double *now,
                  double *guess);
  /* The section forces of the last evaluation of f into `held`; no linear system was solved since. */
  void (*hold)(wy_system *system, double *held);
  /* As jacobian, with section forces `held` in its geometric terms; and writes f(t,u). */
  int (*linearise)(wy_system *system, double t, const double *u, const double *held, double *f);
  /* Rows of the right-hand side r of (sigma - J) d = r by which prescribed motions end where they lead at t. */
  void (*prescribe)(wy_system *system, double t, double sigma, const double *guess, double *r);
  /* How large a correction d of a guess is: the largest angle of a frame, or strain. */
  double (*missed)(const wy_system *system, const double *guess, const double *d);
  /* Does projection close the rod behind a step, and stretch it by what the step has missed? */
  bool (*closes)(const wy_system *system);
} wy_stride_type;

typedef struct wy_system_type {
  const char *name;

  /* Evaluates f(t,u). `power` receives the time derivatives of the WY_INTEGRALS; it may be NULL. */
  int (*rhs)(wy_system *system, double t, const double *u, double *f, double *power);
  /* Evaluates f at the middle of a step from `before` to 2 middle - before, with a discrete gradient: the work of the
     stresses is exactly the change of the elastic energy over the step, for every material law. NULL: not available. */
  int (*rhs_between)(wy_system *system, double t, const double *before, const double *middle, double *f, double *power);

  /* Linear algebra with sigma E - J, J = df/du. `jacobian` computes and stores J at (t,u). `factor` factors the matrix
     for one shift sigma into a slot. `solve` works in place on vectors of full size. Real and complex slots are
     numbered separately. */
  int (*jacobian)(wy_system *system, double t, const double *u);
  /* f(t,u) as the Jacobian that has just been stored needed it; nothing was asked of the system since. NULL: it is not
     kept. */
  void (*slope)(const wy_system *system, double *f);
  int (*factor)(wy_system *system, int slot, double sigma);
  int (*factor_complex)(wy_system *system, int slot, double sigma_re, double sigma_im);
  void (*solve)(wy_system *system, int slot, double *b);
  void (*solve_complex)(wy_system *system, int slot, double *b_re, double *b_im);
  /* J x with the stored Jacobian, for tests. Not available if J is a full matrix (constrained rods). */
  void (*multiply)(wy_system *system, const double *x, double *y);

  /* The initial state at t = 0. */
  void (*initial)(wy_system *system, double *u);
  /* Projects u onto the constraints after a step. f is f(t,u), or NULL; it is updated if that is possible. Returns 0 if
     f is valid, 1 if f is out of date, < 0 if the projection failed. `drift` receives the largest errors so far. */
  int (*project)(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]);

  /* Turns a state at rest into the initial state of a motion at t: driven ends get their velocities, and other unknowns
     the values that follow. NULL: `project` does this. */
  void (*depart)(wy_system *system, double t, double *u);

  /* The next time at which the equations change because an end is released, or INFINITY. `enter` makes all changes that
     are due at t. A loss of energy by such a change counts as dissipated. */
  double (*next_break)(const wy_system *system);
  /* Does f depend on t explicitly, now or later? NULL: yes. */
  bool (*depends_on_time)(const wy_system *system);
  void (*enter)(wy_system *system, double t);
  /* Rebuilds all data that depend on the saved part, after a restore and after any change of the saved part. Groups: of
     all parts. */
  void (*refresh)(wy_system *system);
  /* Groups: puts the supports at the ports of one part to where the state u has them, for energy, momentum and view of
     this part. NULL: there are no ports. */
  void (*place_ports)(wy_system *system, int part, double t, const double *u);

  /* Groups: obstacles on bodies that rods push are where the state has these bodies, at a wy_moment of contacts.h.
     NULL: there are none. */
  void (*carry)(wy_system *system, double t, const double *u, int moment);

  /* Energy, momentum and view relative to the rod's origin; users call wy_system_energy, _momentum and _view
     (scheme/system.h). `energy` sets kinetic, elastic and gravity. In `work` it sets the work that is not in the time
     integral of the power: that of supports that move their end directly, and that of end moments and actuators on the
     half cells at free ends (S24b). */
  void (*energy)(wy_system *system, double t, const double *u, wy_energy *energy);
  void (*momentum)(wy_system *system, double t, const double *u, wy_momentum *momentum);
  void (*view)(wy_system *system, double t, const double *u, wy_view *view);
  /* Writes where on the rod the state is most suspicious, and why, for the message of a failed integration. True: the
     text also contains advice. */
  bool (*diagnose)(wy_system *system, double t, const double *u, char *text, size_t size);

  /* Changes by the user between steps, called for a part and never for a group. If `force` is NULL, the load or
   * actuator of the model is restored. */
  void (*set_load)(wy_system *system, int load, const double force[3], const double moment[3]);
  void (*set_actuator)(wy_system *system, int actuator, const double *force);
  int (*move_end)(wy_system *system, wy_end_name end, double t, const wy_pose *target, double duration,
                  wy_message *message);
  /* wy_statistics.piece_turn of a state; NULL if there is no limit. */
  double (*piece_turn)(wy_system *system, const double *u);

  /* For rods without extension: the largest distance between neighbouring nodes, divided by the arc length between
     them. 0 for other rods. NULL: projection enforces the constraint. */
  double (*chord)(wy_system *system, const double *u);

  const wy_step_type *step;       /* time steps of the scheme's own; NULL if it has a right-hand side */
  const wy_stride_type *stride;   /* NULL: it cannot predict with unchanged strain */
  const wy_statics_type *statics; /* NULL if the scheme cannot compute equilibria */
} wy_system_type;

struct wy_system {
  const wy_system_type *type;
  const wy_model *model;
  int rod;                 /* of a group: its first one, or -1 */
  int body;                /* of a group without rods: its first body */
  wy_system *const *parts; /* the systems of a group's rods, in the order of their states; NULL: a rod */
  int part_count;
  wy_system *const *pieces; /* likewise, each rod in the pieces that inner points cut it into; NULL: in none */
  int piece_count;
  const wy_tasks *tasks; /* of a group: what computes its rods at the same time; NULL: nothing does */
  int size;              /* entries of u, padding included */
  int unknowns;          /* number of entries that are unknowns */
  const double *weight;  /* [size] 1 for entries that are part of norms, else 0 */
  wy_field *fields;
  int field_count;
  wy_field rod_fields[WY_MAX_FIELDS]; /* where wy_system_add_field puts the fields of a rod */
  int fields_lost; /* number of fields beyond WY_MAX_FIELDS: such a system is refused (wy_system_check_fields) */
  /* The error norm. Without parts: root mean square over all unknowns. Else the largest error of a point in any of the
     parts, so that a local error is not hidden in a long rod, or in many of them. */
  const wy_norm_part *norm_parts;
  int norm_count;
  wy_norm_part rod_norm; /* the only part of a rod that has points (wy_system_norm_by_points) */
  double least_unit;     /* products of entry and unit below this are negligible: the rod is nearly undeformed */
  bool as_published;     /* in a form that is there for comparison with publications, which methods keep to as well */
  bool has_power;        /* false: there is neither work nor dissipation, and the integrals stay 0 */
  double mass;           /* that gravity pulls at; 0 until wy_system_energy needs it */
  wy_view view;          /* counts and arc lengths set at creation, values filled by type->view */
  /* Data that the user may change between steps, in the saved part. */
  struct wy_supports *supports;
  struct wy_contacts *contacts;       /* with obstacles (contacts.h); NULL: the rod touches nothing */
  struct wy_supports **body_supports; /* of a group: those of its bodies */
  int body_support_count;
  struct wy_load_override *load_overrides; /* indexed by the numbers of loads and actuators on their rod (model.h) */
  struct wy_actuator_override *actuator_overrides;

  /* For schemes with time steps of their own: the number of unknowns of a step, and a vector of this size for the
     caller of the step. */
  int step_size;
  double *step_vector;

  /* Only if memory for equilibria was requested: */
  int config_size, dofs;
  const double *dof_weight; /* [degrees of freedom] factors that convert a displacement to an angle: 1 / length for
                               translations, 1 for rotations; for forces 0, or the factor that converts their correction
                               to the violation of a constraint */
};

static inline int wy_part_count(const wy_system *system) {
  return system->parts ? system->part_count : 1;
}

static inline const wy_system *wy_part(const wy_system *system, int index) {
  return system->parts ? system->parts[index] : system;
}

/* How messages name a system, as "%s '%s'": a rod, or a network by its first rod or body. */
static inline const char *wy_system_noun(const wy_system *system) {
  return !system->parts ? "rod" : system->rod >= 0 ? "network with rod" : "network with body";
}

static inline const char *wy_system_name(const wy_system *system) {
  return system->rod >= 0 ? wy_model_rod(system->model, system->rod)->name
                          : wy_model_body(system->model, system->body)->name;
}

/* The interface of a scheme for integrators. Each integrator uses one of them. */
typedef enum wy_motion {
  WY_ODE,      /* a right-hand side and its Jacobian */
  WY_MIDPOINT, /* steps of its own, by the midpoint rule */
  WY_GALPHA    /* steps of its own, by the generalised-alpha method */
} wy_motion;

/* Time scales of the equations of one rod, estimated from its data before the system is built. In 1 / time. */
typedef struct wy_rates {
  double slow;      /* angular frequency of the visible motion */
  double fast;      /* the highest angular frequency of the grid */
  double decay;     /* the fastest decay of the grid: largest |real part| of an eigenvalue */
  double damping;   /* damping ratio of the fast vibrations by material damping; it is smaller at lower frequencies */
  double loss;      /* decay rate common to all vibrations */
  double bending;   /* the highest angular frequency of bending, with the tension caused by the motion */
  bool constrained; /* accelerations need a banded system of constraints: f costs several times as much */
  const char *kind; /* of the fastest vibration: "extension", "torsion", "bending", "shear with bending" */
  double wave;      /* its wave number, times the length of a segment */
  bool null_space;  /* constrained, with linear systems in the null space: they cost no more than without constraints */
} wy_rates;

/* The form of the energy as a function of the state, for methods that conserve it. */
typedef enum wy_energy_form {
  WY_ENERGY_OTHER,
  WY_ENERGY_BY_LAW /* quadratic if the material law is linear */
} wy_energy_form;

/* Limits of the rotation across a piece of the rod: the first in radians, the others as wy_statistics.piece_turn. */
typedef struct wy_turn_limits {
  double carried; /* the largest rotation that the scheme represents well; 0: no limit */
  double snaps;   /* the stiffness vanishes above this; INFINITY: never */
  double torn;    /* the rod has come apart above this */
} wy_turn_limits;

/* Upper estimates of the memory of one segment in bytes, in addition to that of an explicit method. */
typedef struct wy_segment_memory {
  double implicit;   /* matrices of an implicit integrator, or of steps of the scheme's own */
  double equilibria; /* for equilibria */
  double actuators;  /* if the rod has actuators, which fill the matrices */
} wy_segment_memory;

/* How a scheme handles its options in a solver's definition. Each function may be NULL. */
typedef struct wy_option_type {
  /* Sets its options to their defaults. */
  void (*defaults)(wy_solver_def *solver);
  /* Checks its options: WY_OK, or WY_ERROR_INPUT with a message. */
  wy_status (*check)(const wy_solver_def *solver, wy_message *message);
  /* Changes its options for multistep integrators, whose stored steps projection would invalidate. */
  void (*for_multistep)(wy_solver_def *solver);
  /* The option with the order, or NULL if there is none. */
  int *(*order)(wy_solver_def *solver);
  /* Describes the scheme and its options in words. The members for piece, turn limit, equilibria and Newton's method
     are already set. */
  void (*describe)(const wy_solver_def *solver, wy_scheme_info *info);
  /* True, with a finding, if the options are doubtful for this rod. */
  bool (*doubt)(const wy_rod_def *rod, const wy_solver_def *solver, wy_finding *finding);
  wy_segment_memory (*memory)(const wy_solver_def *solver);
  /* The name of the curvature measure that a rod gets, or NULL if there is none. */
  const char *(*measure)(const wy_solver_def *solver, const wy_rod_def *rod);
} wy_option_type;

/* The description of a scheme. Code outside the scheme uses these members and never compares its name. */
typedef struct wy_scheme {
  const char *name;
  const char *piece;             /* the name of a piece of the rod: "segment", "element" or "cell" */
  const wy_option_type *options; /* NULL: it has none (wy_scheme_options) */
  wy_energy_form energy;         /* the form of its energy */
  bool balances_forces; /* at an equilibrium, reactions and loads add up to zero on every grid, not only in the limit */
  /* NULL: there are no limits. */
  wy_turn_limits (*turns)(const wy_solver_def *solver);
  /* True if the options cause numerical dissipation; `text` explains it in the message about an energy drift. NULL:
     never. */
  bool (*dissipates)(const wy_solver_def *solver, char *text, size_t size);
  bool carries_laws;        /* capability: material laws other than the linear one */
  bool carries_active_rods; /* capability: Maxwell branches and actuators */
  bool carries_fluids;      /* capability: drag and buoyancy of a fluid */
  bool carries_added_mass;  /* capability: the mass that a fluid adds */
  /* Joints at ends (port.h). A rod that the scheme can compute, but not with joints, is refused at creation. NULL:
     there are none. */
  const struct wy_port_type *ports;
  bool shares_nodes; /* joints at ends, instead: its rods are mixed rods (scheme/mixed/rod.h), which share nodes */
  wy_motion motion;
  bool discrete_gradient;          /* rhs_between is available */
  bool strides;                    /* capability: wy_system_type.stride */
  const char *integrator, *reason; /* the integrator for `auto`, and the reason, unless the rates suggest another */
  bool chosen_by_rates;            /* `auto` chooses by the rates; else it is always `integrator` */
  /* Estimates the rates of a rod (rates.h). NULL: there is no estimate. */
  void (*rates)(const wy_model *model, int rod, const wy_solver_def *solver, wy_rates *rates);
  /* WY_OK if the scheme can discretise this kind of rod, else WY_ERROR_SUPPORT with the possible kinds. */
  wy_status (*supports)(wy_rod_kind kind, wy_message *message);
  /* Number of entries of the state, padding included. It is known before the system is created. */
  int (*size)(const wy_model *model, int rod, const wy_solver_def *solver);
  /* The same for equilibria: config_size and degrees of freedom. NULL if the scheme cannot compute equilibria. */
  void (*config_size)(const wy_model *model, int rod, const wy_solver_def *solver, int *config_size, int *dofs);
  /* Allocates and fills a system. It is called twice: first the arenas of `memory` only count bytes, and *system is
     NULL; then they provide the memory. */
  wy_status (*create)(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                      wy_memory *memory, wy_system **system, wy_message *message);
  /* How the constraints of this rod are kept, where that depends on what acts on it: info->constraints, which says what
     the options do, in other words. NULL: it does not. */
  void (*describe_rod)(const wy_model *model, int rod, const wy_solver_def *solver, bool implicit,
                       wy_scheme_info *info);
} wy_scheme;

/* The registry of schemes (registry.c); a new scheme is one line there. NULL if there is no such scheme. */
const wy_scheme *wy_scheme_find(const char *name);
const wy_scheme *wy_scheme_at(int index);

/* The option functions of a scheme, never NULL. */
const wy_option_type *wy_scheme_options(const wy_scheme *scheme);

/* Refuses a material law that is not linear, for schemes without this capability. */
wy_status wy_scheme_needs_linear_law(const char *scheme, const wy_rod_def *rod, int index, wy_message *message);
/* Refuses a fluid, or its added mass, where the scheme lacks the capability. */
wy_status wy_scheme_check_fluid(const wy_scheme *scheme, const wy_rod_def *rod, int index, wy_message *message);
/* Refuses Maxwell branches and actuators, for schemes without this capability. */
wy_status wy_scheme_needs_passive_rod(const char *scheme, const wy_model *model, int rod, wy_message *message);

#endif
