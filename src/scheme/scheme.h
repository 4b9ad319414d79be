/* The contract between schemes and everything that moves a rod in time: a system u' = f(t,u) with a declared layout.
   (E(t,u) u' = f(t,u) is the general form; E is the identity for every scheme so far, and `sigma E - J` in what
   follows.)

   A scheme turns one rod of a model into a wy_system. Integrators, drivers and recorders use only what stands here. The
   state u is one array of `size` doubles; a scheme keeps its fields in it as structure of arrays, padded to the vector
   width. Entries that do not count (padding, held ends) have weight 0 and stay finite.

   Positions in states and in all that a scheme says of them are taken from the rod's origin, so that round-off and
   error norms do not know where in space a rod stands; wy_system_view and its relatives move them there.

   A scheme that is discrete in time by its own design (mixed, box) has no right-hand side: it takes its steps itself,
   see wy_step_type, and a fixed-step integrator drives them.

   Return convention: 0 done, > 0 recoverable (smaller step), < 0 fatal. */
#ifndef WY_SCHEME_SCHEME_H
#define WY_SCHEME_SCHEME_H

#include "base/arena.h"
#include "model/model.h"
#include "withy/judge.h"
#include "withy/method.h"

/* Memory of a simulation, in two parts: `saved` is all that a bit-exact restart needs (plain data, no pointers);
   `scratch` is rebuilt or overwritten. */
typedef struct wy_memory {
  wy_arena saved, scratch;
} wy_memory;

/* What is wanted from the linear algebra: how many factorisations of an integrator live at the same time, and whether
   there are equilibria to be found. */
typedef struct wy_factor_needs {
  int real, complex;
  bool equilibria;
} wy_factor_needs;

/* One field of the state: `components` arrays of `stride` entries each, of which `count` are in use. */
typedef struct wy_field {
  const char *name;
  int offset, components, count, stride;
  int dae_index;   /* 0: differential; else a force of constraints, which belongs to a step and not to its end */
  bool cell_local; /* eliminated before anything is factored */
  double unit; /* makes the square of an entry an energy per length, to compare round-off by; 0: entries of the field
                  are compared with each other only */
} wy_field;

enum {
  WY_MAX_FIELDS = 8,
  /* Integrals over time that every system carries along: work of loads and driven ends, dissipated energy. */
  WY_WORK_INTEGRAL = 0,
  WY_DISSIPATION_INTEGRAL = 1,
  WY_INTEGRALS = 2
};

/* How far a state was from where it should be. Cosserat rods: | |p| - 1 | and <p, p'> before projection. Constrained
   rods: what projection leaves of the strains that are held at zero, and of their rates. Schemes that know the same
   thing twice (strains and positions, velocities and curvatures): what wy_statistics says of them. */
enum {
  WY_DRIFT_QUATERNION,
  WY_DRIFT_VELOCITY,
  WY_DRIFT_STRAIN,
  WY_DRIFT_STRAIN_RATE,
  WY_DRIFT_POSITION,
  WY_DRIFT_COMPATIBILITY,
  WY_DRIFT_SAWTOOTH,
  WY_DRIFT_FIRST_DIFFERENCES, /* what sawtooths are measured by */
  WY_DRIFT_SECOND_DIFFERENCES,
  WY_DRIFT_ENERGY, /* that projection has added, a sum */
  WY_DRIFTS
};

typedef struct wy_system wy_system;

/* How equilibria see a system. A configuration is a state u at rest, followed by the forces that an equilibrium has to
   be known with (multipliers of constraints): config_size entries. Displacements d from a configuration, residuals and
   the tangent live in another space, of `degrees of freedom` entries in the order of the tangent's band: translations,
   body rotations, forces and all. */
enum { WY_NO_POTENTIAL = 2 }; /* moments, and loads that follow the rod, are not derived from an energy */

typedef struct wy_statics_type {
  /* `rest`: driven ends are taken as standing still, loads and gravity are multiplied by `loads`, motions of driven
     ends by `ends`. Without `rest` the system moves again as the model says. */
  void (*apply)(wy_system *system, bool rest, double loads, double ends);
  /* The undeformed rod, free of forces. */
  void (*undeformed)(wy_system *system, double *config);
  /* What is out of balance: forces on the degrees of freedom, constraints and held ends not met. */
  int (*residual)(wy_system *system, double t, const double *config, double *r);
  /* Keeps K = -dr/dd at a configuration. */
  int (*tangent)(wy_system *system, double t, const double *config);
  /* K - mu M, M the mass matrix: > 0 if singular. `solve` works in place. `sign` is that of the determinant. */
  int (*factor)(wy_system *system, double mu);
  void (*solve)(wy_system *system, double *b);
  int (*sign)(wy_system *system);
  /* The number of directions, among those that the constraints allow, in which K - mu M is negative. WY_NO_POTENTIAL if
     K is not symmetric, WY_RETRY if K - mu M is singular. */
  int (*negative)(wy_system *system, double mu, int *count);
  /* How many directions the constraints and held ends leave; NULL: many. */
  int (*directions)(const wy_system *system);
  void (*displace)(wy_system *system, const double *from, const double *d, double factor, double *to);
  /* Internal variables of a state u that is an equilibrium at time t: none carries anything. NULL without any. */
  void (*relax)(wy_system *system, double t, double *u);
  /* M d, and the power d.D.d that the rates d would dissipate. */
  void (*mass_times)(wy_system *system, const double *d, double *out);
  double (*dissipation)(wy_system *system, const double *d);
  /* A displacement as the view would show it: space translations of the view's positions [count][3], body rotations of
     its frames [count][3]. */
  void (*show)(wy_system *system, const double *d, double *translation, double *rotation);
} wy_statics_type;

typedef enum wy_guess {
  WY_GUESS_MOVING, /* on with the present velocities, where they do not lead too far */
  WY_GUESS_STILL,  /* where it begins */
  WY_GUESS_LONGER, /* from the step that was solved last, which began here, too, and was shorter; it is remembered */
  WY_GUESS_AGAIN   /* from the one remembered */
} wy_guess;

/* One step from t to t + h as a set of nonlinear equations for its end, solved by Newton's method: from a first guess,
   residual, linearise, solve and apply in turn. Its unknowns are vectors of system->step_size entries in an order and
   in units of the scheme's own; what the residual has beside forces of the rod itself, such as those of a joint, is
   added to it before it is solved. */
typedef struct wy_step_type {
  /* Adds to the state at t what no step has led to: forces and rates of a start. `h` is the integrator's step, however
     short the next one is cut. Returns how many matrices were factored, < 0 if there is no way to begin. NULL: nothing
     to add. */
  int (*complete)(wy_system *system, double t, double h, double *u);
  /* Where the step begins, and the first guess of its end. */
  void (*begin)(wy_system *system, double t, double h, const double *u, wy_guess guess);
  /* What the present guess leaves out of balance: r, and its largest entry relative to the forces at work. */
  int (*residual)(wy_system *system, double *r, double *misfit);
  /* Assembles and factors K = -dr/dd where the residual was taken last, d the unknowns: > 0 if K is singular. */
  int (*linearise)(wy_system *system);
  /* K d = r for any r, in place; before the guess is changed, or later where the scheme keeps_tangent. */
  void (*solve)(wy_system *system, double *r);
  /* Adds d to the guess, or a part of it where it is far too long; the size of what was added, as an angle. */
  void (*apply)(wy_system *system, const double *d, double *change);
  /* The state at t + h; the step's work and dissipation are added to `integrals`. */
  void (*finish)(wy_system *system, double *u, double integrals[WY_INTEGRALS]);
  bool keeps_tangent; /* one K a step will do while corrections fall fast */
} wy_step_type;

typedef struct wy_system_type {
  const char *name;

  /* f(t,u); `power` (may be NULL) receives the rates of the WY_INTEGRALS. */
  int (*rhs)(wy_system *system, double t, const double *u, double *f, double *power);
  /* f in the middle of a step from `before` to 2 middle - before, with stresses that do the work which the elastic
     energy takes up over the step, whatever the material law (a discrete gradient). NULL where there is none. */
  int (*rhs_between)(wy_system *system, double t, const double *before, const double *middle, double *f, double *power);

  /* Linear algebra of sigma E - J, J = df/du. `jacobian` keeps J at (t,u); `factor` prepares slot `slot` for one shift;
     `solve` works in place on full-size vectors. Real slots have sigma_im = 0 and b_im = NULL. Slots are numbered
     separately. */
  int (*jacobian)(wy_system *system, double t, const double *u);
  int (*factor)(wy_system *system, int slot, double sigma);
  int (*factor_complex)(wy_system *system, int slot, double sigma_re, double sigma_im);
  void (*solve)(wy_system *system, int slot, double *b);
  void (*solve_complex)(wy_system *system, int slot, double *b_re, double *b_im);
  /* J x with the Jacobian kept: the oracle of the tests. Not where J is full (constrained rods). */
  void (*multiply)(wy_system *system, const double *x, double *y);

  /* The initial state at t = 0. */
  void (*initial)(wy_system *system, double *u);
  /* Back to the constraint manifold after a step; f (may be NULL) is f(t,u) and is carried along where that is
     possible. Returns 0 if f is still right, 1 if it must be evaluated anew, < 0 if there is no way back. Records the
     drift, largest so far. */
  int (*project)(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]);

  /* A state at rest begins to move at t: driven ends have velocities, and what else then must. NULL: by `project`. */
  void (*depart)(wy_system *system, double t, double *u);

  /* The next time at which the equations change (an end is released), or INFINITY; `enter` makes all changes due by t.
     What the energy falls by with them is booked as dissipated. */
  double (*next_break)(const wy_system *system);
  /* Does f depend on t other than by u, now or later? NULL: yes. */
  bool (*depends_on_time)(const wy_system *system);
  void (*enter)(wy_system *system, double t);
  /* Rebuilds what depends on the saved part: after a restore, and after any change of it. */
  void (*refresh)(wy_system *system);

  /* What leaves by wy_system_energy, _momentum and _view (scheme/system.h): here about the rod's origin. `energy` fills
     kinetic, elastic, gravity, and in `work` what the integral of the power does not hold: that of supports that give
     their own end its motion, and of end moments and actuators on the half cells at free ends (S24b). */
  void (*energy)(wy_system *system, double t, const double *u, wy_energy *energy);
  void (*momentum)(wy_system *system, double t, const double *u, wy_momentum *momentum);
  void (*view)(wy_system *system, double t, const double *u, wy_view *view);
  /* Names the place on the rod where the state looks worst, and why; for the message of a failed integration. True: the
     text says what to do about it, too. */
  bool (*diagnose)(wy_system *system, double t, const double *u, char *text, size_t size);

  /* Changes by the user between steps. A load without force is the model's own again. */
  void (*set_load)(wy_system *system, int load, const double force[3], const double moment[3]);
  void (*set_actuator)(wy_system *system, int actuator, const double *force);
  int (*move_end)(wy_system *system, wy_end_name end, double t, const wy_pose *target, double duration,
                  wy_message *message);
  /* wy_statistics.piece_turn of a state; NULL where there is no limit. */
  double (*piece_turn)(wy_system *system, const double *u);

  /* Largest distance between neighbouring nodes over what lies between them, where the model holds extension at zero; 0
     elsewhere. NULL where projection keeps it. */
  double (*chord)(wy_system *system, const double *u);

  const wy_step_type *step;       /* NULL where time is left to the integrator */
  const wy_statics_type *statics; /* NULL where the scheme has no equilibria */
} wy_system_type;

struct wy_system {
  const wy_system_type *type;
  const wy_model *model;
  int rod;
  int size;             /* entries of u, padding included */
  int unknowns;         /* entries that count */
  const double *weight; /* [size] 1 where an entry counts in norms, else 0 */
  wy_field fields[WY_MAX_FIELDS];
  int field_count;
  int fields_lost; /* for which there was no room: such a system is refused (wy_system_check_fields) */
  /* How errors are measured. 0: root mean square over all unknowns. Else the entries i, i + point_stride, ... belong to
     one point of the rod, and the point with the largest error counts: none hides in a long rod. */
  int point_stride;
  double least_unit; /* entries times units below this do not matter: those of a rod that is hardly deformed */
  bool has_power;    /* false: nothing does work or dissipates, the integrals stay 0 */
  double mass;       /* 0 until it is asked for (wy_system_energy) */
  wy_view view;      /* counts and arc lengths set at creation, values filled by type->view */
  /* What the user may change between steps, in the saved part. */
  struct wy_supports *supports;
  struct wy_load_override *load_overrides; /* by the numbers that loads and actuators have on their rod (model.h) */
  struct wy_actuator_override *actuator_overrides;

  /* Where the scheme takes its own steps: entries of a vector of a step's unknowns, and room for one, which belongs to
     the one who drives the step. */
  int step_size;
  double *step_vector;

  /* Where room for equilibria was asked for: */
  int config_size, dofs;
  const double *dof_weight; /* [degrees of freedom] what makes a displacement an angle: 1 / length, 1; 0 for forces, or
                                   what makes their correction the strain that a constraint misses */
};

/* What a scheme offers to integrators, of which each takes one kind. */
typedef enum wy_motion {
  WY_ODE,      /* a right-hand side and its Jacobian */
  WY_MIDPOINT, /* steps of its own, by the midpoint rule */
  WY_GALPHA    /* and by the generalised-alpha method */
} wy_motion;

/* What the equations of one rod ask of an integrator: estimates from its data, before it is built. In 1 / time. */
typedef struct wy_rates {
  double slow;      /* angular frequency of the motion that one looks at */
  double fast;      /* the highest angular frequency of the grid */
  double decay;     /* the fastest decay of the grid: largest |real part| of an eigenvalue */
  double damping;   /* share of critical damping in the fast vibrations, by strain rates: it falls with frequency */
  double loss;      /* decay that all vibrations share */
  double bending;   /* the highest angular frequency of bending, under tension by the motion */
  bool constrained; /* accelerations come from a band of constraints: f costs several times as much */
  const char *kind; /* of the fastest vibration: "extension", "torsion", "bending", "shear with bending" */
  double wave;      /* its wave number, times the length of a segment */
} wy_rates;

/* What kind of function of the state the energy is, as far as a method that keeps it has to know. */
typedef enum wy_energy_form {
  WY_ENERGY_OTHER,
  WY_ENERGY_BY_LAW /* quadratic where the material law is linear */
} wy_energy_form;

/* How far a piece of the rod may turn, in radians and then as wy_statistics.piece_turn. */
typedef struct wy_turn_limits {
  double carried; /* 0: no limit */
  double snaps;   /* where its stiffness is lost, INFINITY: nowhere */
  double torn;    /* where it has come apart */
} wy_turn_limits;

/* Memory of one segment, in bytes and generously, beside what an explicit method takes. */
typedef struct wy_segment_memory {
  double implicit;   /* matrices of an implicit integrator, or of steps of the scheme's own */
  double equilibria; /* of equilibria */
  double actuators;  /* where a rod has any: they fill the matrices */
} wy_segment_memory;

/* What a scheme makes of its part of a solver's definition. Each of these may be NULL. */
typedef struct wy_option_type {
  /* Puts the defaults of its options into the definition. */
  void (*defaults)(wy_solver_def *solver);
  /* Do they make sense? WY_OK, or WY_ERROR_INPUT with what is wrong. */
  wy_status (*check)(const wy_solver_def *solver, wy_message *message);
  /* For integrators that keep a history, which projection would spoil. */
  void (*for_multistep)(wy_solver_def *solver);
  /* The order that can be chosen, where there is one. */
  int *(*order)(wy_solver_def *solver);
  /* Says in words what it is and what the options mean; piece, turn limit, equilibria and use of Newton's method are
     there already. */
  void (*describe)(const wy_solver_def *solver, wy_scheme_info *info);
  /* Is there something doubtful about the options for this rod? */
  bool (*doubt)(const wy_rod_def *rod, const wy_solver_def *solver, wy_finding *finding);
  wy_segment_memory (*memory)(const wy_solver_def *solver);
} wy_option_type;

/* A scheme answers for itself: nothing above the library asks for its name. */
typedef struct wy_scheme {
  const char *name;
  const char *piece;             /* what a piece of the rod is called */
  const wy_option_type *options; /* NULL: it has none (wy_scheme_options) */
  wy_energy_form energy;         /* by which a method may keep it */
  bool balances_forces; /* reactions and loads of an equilibrium add up to nothing on any grid, not in the limit only */
  /* NULL: pieces may turn as they like. */
  wy_turn_limits (*turns)(const wy_solver_def *solver);
  /* What options make of the energy, for the message of a drift. NULL: nothing. */
  bool (*dissipates)(const wy_solver_def *solver, char *text, size_t size);
  bool carries_laws;        /* material laws beside the linear one */
  bool carries_active_rods; /* Maxwell branches and actuators */
  wy_motion motion;
  bool discrete_gradient;          /* there is rhs_between */
  const char *integrator, *reason; /* what `auto` means, and why; where the rates say nothing else */
  bool chosen_by_rates;            /* `auto` chooses by the rates; else it is always the above */
  /* How fast a rod moves as the scheme sees it (rates.h). NULL: there is no estimate. */
  void (*rates)(const wy_model *model, int rod, const wy_solver_def *solver, wy_rates *rates);
  /* WY_OK, or WY_ERROR_SUPPORT with what the scheme carries. */
  wy_status (*supports)(wy_rod_kind kind, wy_message *message);
  /* Entries of the state, padding included: known before the system exists. */
  int (*size)(const wy_model *model, int rod, const wy_solver_def *solver);
  /* The same for equilibria: config_size and degrees of freedom of the system. NULL where the scheme has none. */
  void (*config_size)(const wy_model *model, int rod, const wy_solver_def *solver, int *config_size, int *dofs);
  /* Lays out and fills a system. Called twice (memory first counts, then carves); while counting *system is NULL. */
  wy_status (*create)(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                      wy_memory *memory, wy_system **system, wy_message *message);
} wy_scheme;

/* The registry: a new scheme is one line there. NULL where there is none. */
const wy_scheme *wy_scheme_find(const char *name);
const wy_scheme *wy_scheme_at(int index);

/* What it makes of its options, never NULL. */
const wy_option_type *wy_scheme_options(const wy_scheme *scheme);

/* For schemes that carry the linear law only. */
wy_status wy_scheme_needs_linear_law(const char *scheme, const wy_rod_def *rod, int index, wy_message *message);
/* For schemes that carry neither Maxwell branches nor actuators. */
wy_status wy_scheme_needs_passive_rod(const char *scheme, const wy_model *model, int rod, wy_message *message);

#endif
