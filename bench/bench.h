/* SPDX-License-Identifier: MIT */
/* The benchmarks behind `withy bench`: each fills rows of figures; printing is the command's business. All return 0, or
   a negative status where something could not be made or run. */
#ifndef WY_BENCH_BENCH_H
#define WY_BENCH_BENCH_H

#include "withy/batch.h"
#include "withy/statics.h"

/* Nanoseconds per segment of the null-space rod's kernels for one number of segments, and of a vectorised loop of
   multiply-adds that does as many floating-point operations as the right-hand side (and of 600, a round number to
   compare machines with). */
typedef struct wy_kernel_figures {
  int segments;
  double rhs, jacobian, factor, solve, factor_complex, solve_complex;
  double floor_rhs, floor_600;
  /* The same with exchanges of rows, and the largest residual of a solve at a shift of 1, against the largest number of
     the right-hand side in the same field: without exchanges, with them. */
  double exchanged_factor, exchanged_solve, exchanged_factor_complex, exchanged_solve_complex;
  double residual, exchanged_residual;
} wy_kernel_figures;

/* Floating-point operations of one damped right-hand side per segment, counted by hand from the loops in kernels.c. */
enum { WY_RHS_FLOPS = 322 };

int wy_bench_kernels(int segments, wy_kernel_figures *figures);

/* ---- Constrained rods ---- */

enum {
  WY_FORM_COSSERAT,
  WY_FORM_KIRCHHOFF, /* index 1 */
  WY_FORM_KIRCHHOFF_NULL,
  WY_FORM_INDEX_1, /* inextensible */
  WY_FORM_NULL_SPACE,
  WY_FORMS
};

/* Nanoseconds per segment of an undamped rod, by form: one right-hand side, one projection of what a step leaves, and
   one attempted step of DOPRI5 and of RODAS with all that belongs to it. */
typedef struct wy_constrained_figures {
  int segments;
  double rhs[WY_FORMS], projection[WY_FORMS], step[WY_FORMS], implicit[WY_FORMS];
} wy_constrained_figures;

int wy_bench_constrained(int segments, wy_constrained_figures *figures);

/* ---- Equilibria ---- */

/* The published quasistatic test: counts of the way from t = 0 to 1, and microseconds of one equilibrium and of one
   Newton iteration with all that belongs to them (guesses, stability, failed increments). */
typedef struct wy_quasistatic_figures {
  int segments;
  long increments, rejected, iterations;
  double equilibrium, iteration;
} wy_quasistatic_figures;

int wy_bench_quasistatic(int segments, wy_quasistatic_figures *figures);

/* Nanoseconds per segment of a Newton iteration, for a cantilever whose clamp turns while it sags under gravity: the
   time of its path divided by the iterations, and the parts; `inertia` counts unstable directions. */
typedef struct wy_newton_figures {
  int segments;
  long increments, iterations;
  double path, residual, tangent, factor, solve, displace, inertia;
} wy_newton_figures;

int wy_bench_newton(int segments, wy_newton_figures *figures);

/* A rod clamped at both ends, in a random pose: number 0, 1, ... of them (scenes/poses.h). */
typedef struct wy_pose_figures {
  bool found;
  wy_equilibrium_info info;
  double middle[4]; /* where the middle of the rod is */
  double seconds;
  wy_message message; /* where nothing was found */
} wy_pose_figures;

int wy_bench_pose(const char *scheme, wy_rod_kind kind, int number, wy_pose_figures *figures);

/* ---- Mixed elements ---- */

/* The flying spaghetti to t = 15 with elements of order 2 and steps of 0.1. */
typedef struct wy_flight_figures {
  int elements;
  long steps, iterations;
  double milliseconds;
} wy_flight_figures;

int wy_bench_flight(int elements, wy_flight_figures *figures);

/* Nanoseconds per element of one Newton iteration of a step: residual, tangent, elimination, factorisation, solution,
   correction; and of the residual alone. */
typedef struct wy_midpoint_figures {
  int elements, order;
  wy_rod_kind kind;
  double iteration, residual;
} wy_midpoint_figures;

int wy_bench_midpoint(int elements, int order, wy_rod_kind kind, wy_midpoint_figures *figures);

/* ---- Box and conserving scheme ---- */

typedef enum wy_box_motion {
  WY_BOX_COIL,      /* pulled for 0.1 and let go, steps of 1/30 to t = 2 */
  WY_BOX_CANTILEVER /* released, steps of 1/100 to t = 2 */
} wy_box_motion;

/* Milliseconds of one time step, Newton's method converged, and what the steps took in all. */
typedef struct wy_box_figures {
  wy_box_motion motion;
  int cells;
  long steps, iterations, factorisations;
  double milliseconds;
} wy_box_figures;

int wy_bench_box(wy_box_motion motion, int cells, wy_box_figures *figures);

/* The same for a twisted rod that falls, with differences of order 2 and steps of one segment, 100 of them. */
typedef struct wy_conserving_figures {
  const char *integrator;
  int segments;
  long steps, iterations, factorisations;
  double milliseconds;
} wy_conserving_figures;

int wy_bench_conserving(const char *integrator, int segments, wy_conserving_figures *figures);

/* ---- Networks ---- */

/* Microseconds of one rod's band system with 6 unknowns a segment: factorisation, solution, and solution for the eight
   columns of a hub at the start and at the end of the rod; real and complex. */
typedef struct wy_rod_figures {
  int segments;
  double factor, solve, start, end;
  double factor_complex, solve_complex, start_complex, end_complex;
} wy_rod_figures;

int wy_bench_rod_solver(int segments, wy_rod_figures *figures);

typedef enum wy_bench_net { WY_NET_RING, WY_NET_GRIDSHELL, WY_NET_TREE, WY_NETS } wy_bench_net;

/* Microseconds of factoring a network: its rods alone; condensing them to hubs; the hubs; and of one solution. Of KLU,
   which knows the whole matrix and its pattern: the same two, and the largest difference of the solutions; 0 where KLU
   is not built in. */
typedef struct wy_network_figures {
  const char *name;
  int hubs, rods, segments, unknowns;
  double alone, condense, on_hubs, solve;
  double klu_refactor, klu_solve, difference;
} wy_network_figures;

int wy_bench_network(wy_bench_net kind, wy_network_figures *figures);

/* Microseconds of what an integrator asks of a group of staggered rods that are welded, and of the same rods alone. */
typedef struct wy_group_times {
  double rhs, jacobian, factor, solve, factor_complex, solve_complex;
} wy_group_times;

typedef struct wy_group_figures {
  const char *name;
  int rods, segments;
  wy_group_times joined, alone;
} wy_group_figures;

int wy_bench_group(wy_bench_net kind, wy_group_figures *figures);

/* A square net of knotted ropes with `side` knots a side, its rim held, settles under its weight: seconds of making
   model and simulation, and of finding the equilibrium. */
typedef struct wy_settle_figures {
  int rods, segments, unknowns;
  int increments, rejected;
  long iterations;
  double create, settle, sag;
} wy_settle_figures;

int wy_bench_settle(int side, wy_settle_figures *figures);

/* ---- Contact ---- */

enum { WY_CONTACT_PLANE, WY_CONTACT_SPHERE, WY_CONTACT_CYLINDER, WY_CONTACT_SHAPES };

/* Nanoseconds of one right-hand side and of one Jacobian of a whole rod, and how many stations it has on segments. */
typedef struct wy_contact_times {
  int stations;
  double rhs, jacobian;
} wy_contact_times;

/* A rod without obstacles; with one out of reach; close to it but nowhere touching; touching with all stations, without
   and with friction. */
typedef struct wy_contact_figures {
  const char *shape;
  int segments;
  wy_contact_times none, far, near, touching, rubbing;
} wy_contact_figures;

int wy_bench_contact(int shape, int segments, wy_contact_figures *figures);

/* A damped rod of 20 segments falls askew for 1 s, onto a floor or into the void, with a tolerance of 1e-3. */
typedef struct wy_drop_figures {
  bool floor;
  double friction, milliseconds;
  long steps, rejected, rhs, jacobians;
  const char *integrator;
} wy_drop_figures;

int wy_bench_drop(bool floor, double friction, wy_drop_figures *figures);

/* ---- Many rods ---- */

/* Rods that are not joined move for 0.05 s and are sampled every millisecond. */
typedef struct wy_rods_figures {
  int rods, segments;
  long steps; /* of all */
  double seconds;
  const char *integrator;
} wy_rods_figures;

/* `tasks` as in wy_sim_def. */
int wy_bench_rods(int rods, int segments, wy_tasks tasks, wy_rods_figures *figures);

/* ---- Batches ---- */

/* Strands of hair of 25 segments: nanoseconds of a solve for a segment, and memory of a rod. */
typedef struct wy_batch_figures {
  int lanes;
  double ns, bytes;
  const char *machine;
} wy_batch_figures;

int wy_bench_batch(int rods, wy_batch_precision precision, wy_tasks tasks, wy_batch_figures *figures);

/* The same on one thread, and with a head, which is a sphere or a grid of its distances. */
typedef struct wy_batch_head_figures {
  double alone, sphere, distance;
} wy_batch_head_figures;

int wy_bench_batch_head(int rods, wy_batch_precision precision, wy_batch_head_figures *figures);

/* Rubber pendulums as simulations with RODAS, tolerance 1e-3, and as batches with the fewest substeps that make no
   larger error, by precision; the shorter of some runs. */
typedef struct wy_batch_rubber_figures {
  int rods, segments;
  double seconds, error;
  struct {
    int substeps;
    double seconds, error;
  } batches[WY_BATCH_SINGLE + 1];
} wy_batch_rubber_figures;

int wy_bench_batch_rubber(int rods, int segments, wy_batch_rubber_figures *figures);

/* ---- Integrators ---- */

/* A rod that falls from the horizontal, moved by any integrator of the staggered scheme: of one of three materials and
   dampings, clamped, to t = 1; or, published, the rubber rod and the steel string of the published comparison, to
   t = 10. Or bent by nature and shaken. */
enum { WY_RACE_THICK, WY_RACE_RUBBER, WY_RACE_STEEL, WY_RACE_MATERIALS, WY_RACE_RANDOM = WY_RACE_MATERIALS };
enum { WY_RACE_UNDAMPED, WY_RACE_LIGHT, WY_RACE_STRONG, WY_RACE_DAMPINGS, WY_RACE_PUBLISHED = WY_RACE_DAMPINGS };
enum { WY_RACE_SAMPLES = 10, WY_RACE_TIPS = 3 * WY_RACE_SAMPLES };
typedef struct wy_race_rod {
  int material, damping;
  wy_rod_kind kind;
  int segments;
  bool bent;
  int seed; /* of WY_RACE_RANDOM: a damped rod that nothing was fitted to, all of whose numbers are random */
} wy_race_rod;

/* One of them. */
wy_race_rod wy_race_random(int seed);
const char *wy_race_material(const wy_race_rod *rod);
const char *wy_race_damping(const wy_race_rod *rod);
/* What `auto` means for it. */
const char *wy_race_choice(const wy_race_rod *rod, double tolerance);

typedef struct wy_race_figures {
  const char *integrator;
  double tolerance, seconds;
  long attempts;
  double tips[WY_RACE_TIPS]; /* where the end of the rod came by */
} wy_race_figures;

/* One run, the fastest of a few where it is short. A negative status where it fails or takes longer than `budget`
   seconds. */
int wy_bench_race(const wy_race_rod *rod, const char *integrator, const wy_integrators *more, double tolerance,
                  double budget, wy_race_figures *figures);
/* A run that errors can be measured by. */
int wy_bench_race_reference(const wy_race_rod *rod, wy_race_figures *figures);
/* The largest distance of the tips. */
double wy_race_error(const wy_race_figures *figures, const wy_race_figures *reference);

/* ---- Pictures (stride.c) ---- */

/* One second of a rod that falls, shown sixty times: where its tip is, and what that took. */
enum { WY_SHOWN_SCENES = 3, WY_SHOWN_PICTURES = 60 };

typedef struct wy_shown_figures {
  double tips[WY_SHOWN_PICTURES][3], seconds;
  long steps, rejected;
} wy_shown_figures;

const char *wy_shown_name(int scene);
/* With `steps` a picture of a fixed step, or (0) with a tolerance. */
int wy_bench_shown(int scene, const char *integrator, double tolerance, int steps, wy_shown_figures *figures);
/* The largest of the tip, over the length. */
double wy_shown_error(int scene, const wy_shown_figures *figures, const wy_shown_figures *reference);

/* ---- The error in space ---- */

typedef enum wy_space_rod { WY_SPACE_RUBBER, WY_SPACE_STEEL, WY_SPACE_RODS } wy_space_rod;

/* A way to compute a cantilever: scheme, order or curvature measure, clamp and grid. */
typedef struct wy_space_way {
  const char *name, *scheme, *integrator;
  int order;                    /* 0: it has none */
  wy_curvature_measure measure; /* staggered */
  wy_clamp clamp;
  double finer;           /* times shorter are segments at the clamp; 1: all alike */
  double tolerance, step; /* step: of methods with fixed steps */
  double accuracy;        /* > 0: withy chooses all of this for it */
} wy_space_way;

/* The tip against a fine grid, the larger distance at t = 0.5 and 1, and what it took. */
typedef struct wy_space_figures {
  double error, milliseconds;
  long attempts;
  int segments;
} wy_space_figures;

/* The ways, by number; NULL past the last one. Those with fixed steps differ between the rods. */
const wy_space_way *wy_space_way_at(wy_space_rod rod, int index);
/* One run, the fastest of a few; a negative status where the rod comes apart. `segments` does not count where withy
   chooses them. */
int wy_bench_space(wy_space_rod rod, const wy_space_way *way, int segments, wy_space_figures *figures);

#endif
