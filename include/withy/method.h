/* SPDX-License-Identifier: MIT */
/* Descriptions of the schemes in words and numbers, for programs that offer a choice of methods or show what will run.
   With them, no program has to compare names of schemes. */
#ifndef WITHY_METHOD_H
#define WITHY_METHOD_H

#include "withy/judge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The scheme of a solver with the options of the solver. Texts behind pointers are constants of the library. */
typedef struct wy_scheme_info {
  const char *name;    /* "" if there is no such scheme */
  const char *summary; /* what it is, in a few words */
  const char *use;     /* when to use it, in a line */
  const char *cannot;  /* what it cannot do, in a few words, or "" */

  const char *piece;   /* what a piece of the rod is called: "segment", "element" or "cell" */
  char pieces[64];     /* the pieces in words: "elements of order 2" */
  const char *node;    /* the unit in which the length of a wave is measured: "node", or the same as `piece` */
  int nodes_per_piece; /* number of these units in a piece */
  double turn_limit;   /* largest rotation across a piece, in radians, that the scheme represents well; 0 if there is no
                          limit */
  const char *carrier; /* subject and verb of a sentence about this limit: "the interpolation carries" */

  int orders[2];        /* the orders that can be chosen (wy_solver_set_order), or 0, 0 */
  const char *order_of; /* what has this order: "polynomials", or "" */
  /* The order of convergence in the length of a piece, of smooth rods: of positions, frames and energies at nodes, and
     of section forces, moments, strains and curvatures, which are stored between nodes. */
  int accuracy, accuracy_inside;
  bool odd_segments;   /* it needs an odd number of segments; an even number decouples its grid into two */
  bool has_equilibria; /* it finds equilibria (withy/statics.h) */
  bool uses_newton; /* it has time steps of its own, whose equations are solved with the options `newton` of the solver
                     */
  char options[96]; /* the options of these time steps in words: "rho_inf 0.8", or "" */

  bool projects;       /* it satisfies its constraints by projection after every step */
  const char *kept_by; /* how it satisfies its constraints with the solver's integrator: "projection" or "Baumgarte"; ""
                          if it has none */
  char constraints[200]; /* the same as a phrase, or "" */
} wy_scheme_info;

/* Describes the scheme of a solver. */
WY_API wy_scheme_info wy_scheme_describe(const wy_solver_def *solver);

/* The same for a rod of a model and the integrator it has (wy_sim_describe): `constraints` says how those of this rod
   are kept, which may depend on what acts on it. */
WY_API wy_scheme_info wy_scheme_describe_rod(const wy_model *model, int rod, const wy_solver_def *solver,
                                             const char *integrator);

/* Sets the order of the solver's scheme. Nothing happens if the scheme has no order to choose. WY_ERROR_INPUT: the
   scheme does not have this order; the message lists the possible ones. */
WY_API wy_status wy_solver_set_order(wy_solver_def *solver, int order, wy_message *message);

/* The name of the curvature measure that the solver takes for a rod of a model (wy_model_rod), "angle" for example:
   WY_AUTO_MEASURE is replaced by what it takes for this rod. "" if the scheme has no such measure, or if a definition
   is NULL. */
WY_API const char *wy_curvature_measure_of(const wy_solver_def *solver, const wy_rod_def *rod);

/* ---- Steps ---- */

/* Is `time` an integer multiple of `step`, up to a relative error of 1e-9? */
WY_API bool wy_step_divides(double step, double time);

/* The step nearest to `step` of which all `count` times are integer multiples; it is not shorter than `step` if
   `longer` is set, else it is not longer. The first time must not be shorter than a step. 0 if there is no such step.
   Output times should be integer multiples of a fixed step. */
WY_API double wy_step_fitting(double step, bool longer, const double *times, int count);

/* ---- Grids ---- */

/* The lengths of `count` segments of a rod (wy_rod_def.segment_lengths) that are finer[WY_START] times shorter at its
   start, and finer[WY_END] times at its end, than far from both, to where they grow over the distance `over`: the
   density of segments is 1 + (finer - 1) exp(-distance/over). Where a soft rod leaves a clamp, it bends over
   sqrt(EI/tension), and three times that is a good `over`. WY_ERROR_INPUT: a number is not positive; the message says
   which. */
WY_API wy_status wy_graded_lengths(int count, double length, const double finer[2], double over, double *lengths,
                                   wy_message *message);

/* ---- Accuracy ---- */

/* What the user has decided and wy_space_choose leaves as it is. */
typedef enum wy_given {
  WY_GIVEN_SCHEME = 1 << 0, /* with its order */
  WY_GIVEN_INTEGRATOR = 1 << 1,
  WY_GIVEN_TOLERANCE = 1 << 2,
  WY_GIVEN_MEASURE = 1 << 3,  /* the curvature measure */
  WY_GIVEN_CLAMP = 1 << 4,    /* wy_solver_def.clamp */
  WY_GIVEN_SEGMENTS = 1 << 5, /* the number of segments of the rod in the model */
  WY_GIVEN_GRADING = 1 << 6,  /* how their lengths differ */
  WY_GIVEN_START = 1 << 7     /* the motion begins in an equilibrium, which not every scheme finds */
} wy_given;

/* The smallest and the largest accuracy that can be asked for, in lengths of the rod. */
#define WY_ACCURACY_LEAST 1e-4
#define WY_ACCURACY_MOST 0.1

/* What wy_space_choose has chosen beside the solver. */
typedef struct wy_space_choice {
  int segments;
  double finer[2], over; /* of wy_graded_lengths; finer is 1 and 1 where all segments have one length */
  double error;          /* the expected error of grid and steps, over the length; NAN if `known` is false */
  bool known;            /* false: no error is promised for such a rod */
  bool met;              /* the expected error is what was asked for, or less: it answers the finding `coarse` of
                            wy_check, a rule of thumb, which wy_scenario_check then leaves out */
  char reason[400];      /* in a sentence, for people */
} wy_space_choice;

/* Chooses scheme, integrator, tolerance, curvature measure, clamps and grid of a rod so that the largest error of a
   point of the rod, from time 0 to `end`, is about `accuracy` lengths of the rod, at the least cost (docs/theory/
   accuracy.md). `given` has the bits WY_GIVEN_... of what stays as it is in `solver` and model. The model may have any
   grid; make it again with the chosen one. For equilibria, grid, measure and clamps are chosen; for modes and buckling
   the same, without a promise. WY_ERROR_INPUT: the accuracy is outside of its range, or the scheme or integrator in
   `solver` is none whose errors are known. */
WY_API wy_status wy_space_choose(const wy_model *model, int rod, wy_analysis analysis, double end, double accuracy,
                                 unsigned given, wy_solver_def *solver, wy_space_choice *choice, wy_message *message);

/* ---- Memory ---- */

/* An upper estimate of the memory, in bytes, that a simulation of the model will need. Nothing is created. NAN if a
   definition is NULL. */
WY_API double wy_memory_estimate(const wy_model_def *model, const wy_sim_def *def);

#ifdef __cplusplus
}
#endif
#endif
