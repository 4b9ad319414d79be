/* What schemes say of themselves, in words and numbers: for programs that offer a choice, and for those that show what
   will run. Nothing else needs to compare names of schemes. */
#ifndef WITHY_METHOD_H
#define WITHY_METHOD_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The scheme of a solver with the solver's options. Texts without a length live as long as the library. */
typedef struct wy_scheme_info {
  const char *name;    /* "" where there is no such scheme */
  const char *summary; /* what it is, in a few words */
  const char *cannot;  /* what it cannot do, in a few words, or "" */

  const char *piece;   /* what a piece of the rod is called: "segment", "element" or "cell" */
  char pieces[64];     /* the pieces in words: "elements of order 2" */
  const char *node;    /* what a wave is resolved by: "node", or the piece */
  int nodes_per_piece; /* how many of those a piece has */
  double turn_limit;   /* the rotation across a piece, in radians, that it carries well; 0: there is no limit */
  const char *carrier; /* what carries that rotation: "the interpolation carries" */

  int orders[2];        /* that can be chosen (wy_solver_set_order), or 0, 0 */
  const char *order_of; /* of what: "polynomials", or "" */
  bool odd_segments;    /* with an even number of segments its grid falls apart */
  bool has_equilibria;  /* it finds equilibria (withy/statics.h) */
  bool uses_newton;     /* its steps in time are equations of its own, solved as solver.newton says */
  char options[96];     /* options of these steps in words: "rho_inf 0.8", or "" */

  bool projects;         /* it has constraints, which it keeps by projection after every step, or otherwise: */
  const char *kept_by;   /* "projection" or "Baumgarte" with the solver's integrator; "" where it has none */
  char constraints[200]; /* the same in words, or "" */
} wy_scheme_info;

/* What the scheme of a solver is and does. */
WY_API wy_scheme_info wy_scheme_describe(const wy_solver_def *solver);

/* Sets the order of the solver's scheme, where it has one to be chosen; else nothing happens. WY_ERROR_INPUT with what
   is expected where it has no such order. */
WY_API wy_status wy_solver_set_order(wy_solver_def *solver, int order, wy_message *message);

/* ---- Steps ---- */

/* Is `time` a whole number of steps, to 1e-9 of it? */
WY_API bool wy_step_divides(double step, double time);

/* The step nearest to `step`, not shorter (`longer`) or not longer than it, that divides all of `count` times, the
   first of which is at least as long as a step; 0 where none is found. Output times of fixed steps should be multiples.
 */
WY_API double wy_step_fitting(double step, bool longer, const double *times, int count);

/* ---- Memory ---- */

/* Bytes that a simulation of the model would need, by a generous estimate, before anything is made; NAN without
   definitions. */
WY_API double wy_memory_estimate(const wy_model_def *model, const wy_sim_def *def);

#ifdef __cplusplus
}
#endif
#endif
