/* The key `solver`, for all rods and of single rods: scheme, integrator, tolerances, options of the schemes and of
   statics. */
#include <stdio.h>
#include <string.h>

#include "io/reader.h"

static const char *const solver_keys[] = {"scheme",
                                          "curvature_measure",
                                          "curvature",
                                          "coordinates",
                                          "segment_inertia",
                                          "stabilisation",
                                          "order",
                                          "end_moment",
                                          "rho_inf",
                                          "alpha",
                                          "beta",
                                          "gamma",
                                          "transport",
                                          "contact_force",
                                          "integrator",
                                          "tolerance",
                                          "step",
                                          "continuation",
                                          "increments",
                                          "branch",
                                          "newton",
                                          "modes",
                                          NULL};

enum { MOST = 32, MOST_INCREMENTS = 1000000, MOST_ITERATIONS = 10000, MOST_MODES = 1000 };

/* What the library has, and integrators that it knows but that were not built: those are refused later, with the
 * reason.
 */
static void read_methods(wy_reader *r, const wy_node *node, wy_solver_def *out) {
  const wy_node *scheme = wy_yaml_find(node, "scheme"), *integrator = wy_yaml_find(node, "integrator");
  const char *names[MOST + 2] = {0};
  if (scheme) {
    for (int i = 0; i < MOST && wy_scheme_name(i); i++)
      names[i] = wy_scheme_name(i), names[i + 1] = NULL;
    out->scheme = names[wy_read_word(r, scheme, names)];
  }
  if (integrator) {
    names[0] = "auto";
    for (int i = 0; i < MOST && wy_integrator_name(out->more, i); i++)
      names[i + 1] = wy_integrator_name(out->more, i), names[i + 2] = NULL;
    out->integrator = names[wy_read_word(r, integrator, names)];
  }
}

static void read_tolerance(wy_reader *r, const wy_node *node, wy_solver_def *out) {
  static const char *const keys[] = {"relative", "absolute", NULL};
  if (!node)
    return;
  if (node->kind != WY_MAPPING) {
    out->relative_tolerance = out->absolute_tolerance = wy_read_positive(r, node);
    return;
  }
  if (!wy_read_mapping(r, node, keys, NULL))
    return;
  const wy_node *relative = wy_yaml_find(node, "relative"), *absolute = wy_yaml_find(node, "absolute");
  if (relative)
    out->relative_tolerance = wy_read_positive(r, relative);
  if (absolute)
    out->absolute_tolerance = wy_read_positive(r, absolute);
}

static void read_stabilisation(wy_reader *r, const wy_node *node, wy_staggered_options *out) {
  static const char *const words[] = {"projection", "baumgarte", NULL};
  static const char *const keys[] = {"baumgarte", NULL};
  static const char *const inner[] = {"omega", "r", NULL};
  if (!node)
    return;
  if (node->kind != WY_MAPPING) {
    out->stabilisation = wy_read_word(r, node, words) == 1 ? WY_BAUMGARTE : WY_PROJECTION;
    return;
  }
  const wy_node *baumgarte = wy_yaml_find(node, "baumgarte");
  if (!wy_read_mapping(r, node, keys, NULL))
    return;
  if (!baumgarte) {
    wy_read_expected(r, node, "projection or {baumgarte: {omega: 100, r: 100}}");
    return;
  }
  if (!wy_read_mapping(r, baumgarte, inner, NULL))
    return;
  const wy_node *omega = wy_yaml_find(baumgarte, "omega"), *rate = wy_yaml_find(baumgarte, "r");
  out->stabilisation = WY_BAUMGARTE;
  if (omega)
    out->baumgarte_omega = wy_read_number(r, omega);
  if (rate)
    out->baumgarte_r = wy_read_number(r, rate);
}

static void read_staggered(wy_reader *r, const wy_node *node, wy_staggered_options *out) {
  static const char *const measures[] = {"sin2", "sin4", "tan2", "tan4", "angle", NULL};
  static const wy_curvature_measure measure[] = {WY_SIN2, WY_SIN4, WY_TAN2, WY_TAN4, WY_ANGLE};
  static const char *const coordinates[] = {"nullspace", "absolute", NULL};
  static const char *const inertias[] = {"disc", "cylinder", NULL};
  const wy_node *curvature = wy_yaml_find(node, "curvature_measure"), *same = wy_yaml_find(node, "curvature");
  if (curvature && same)
    wy_read_fail(r, same, "found both curvature and curvature_measure; expected one, since they are the same key");
  curvature = curvature ? curvature : same;
  if (curvature)
    out->curvature_measure = measure[wy_read_word(r, curvature, measures)];
  const wy_node *unknowns = wy_yaml_find(node, "coordinates"), *inertia = wy_yaml_find(node, "segment_inertia");
  if (unknowns)
    out->coordinates = wy_read_word(r, unknowns, coordinates) == 1 ? WY_ABSOLUTE : WY_NULLSPACE;
  if (inertia)
    out->segment_inertia = wy_read_word(r, inertia, inertias) == 1 ? WY_CYLINDER : WY_DISC;
  read_stabilisation(r, wy_yaml_find(node, "stabilisation"), out);
}

static void read_mixed(wy_reader *r, const wy_node *node, wy_mixed_options *out) {
  static const char *const moments[] = {"corrected", "printed", NULL};
  const wy_node *moment = wy_yaml_find(node, "end_moment");
  if (moment)
    out->end_moment = wy_read_word(r, moment, moments) == 1 ? WY_PRINTED_MOMENT : WY_CORRECTED_MOMENT;
}

/* One key for two schemes, each with orders of its own: which of them it is for is known for a rod, not for a file. */
static void read_order(wy_reader *r, const wy_node *node, const char *rod, wy_solver_def *out) {
  const bool mixed = strcmp(out->scheme, "mixed") == 0, conserving = strcmp(out->scheme, "conserving") == 0;
  if (!node)
    return;
  const double order = wy_read_number(r, node);
  if (r->failed)
    return;
  if (!conserving && (order == 1 || order == 2))
    out->mixed.order = (int)order;
  else if (!mixed && (order == 2 || order == 4))
    out->conserving.order = (int)order;
  else if (mixed || conserving)
    wy_read_expected(r, node,
                     mixed ? "1 or 2, the order of the polynomials of the scheme mixed (rod '%s')"
                           : "2 or 4, the order of the differences of the scheme conserving (rod '%s')",
                     rod);
  else
    wy_read_expected(r, node, "1 or 2 with the scheme mixed, 2 or 4 with the scheme conserving");
}

/* Three coefficients, or the number that they follow from. */
static void read_coefficients(wy_reader *r, const wy_node *node, wy_box_options *out) {
  static const char *const names[] = {"alpha", "beta", "gamma"};
  double *const values[] = {&out->alpha, &out->beta, &out->gamma};
  const wy_node *rho = wy_yaml_find(node, "rho_inf"), *any = NULL;
  for (int i = 0; i < 3; i++)
    any = any ? any : wy_yaml_find(node, names[i]);
  if (rho && any)
    wy_read_fail(r, any, "found %s beside rho_inf; expected either rho_inf or alpha, beta and gamma", any->key);
  if (rho) {
    out->rho_inf = wy_read_number(r, rho);
    out->coefficients_given = false;
  }
  if (!any)
    return;
  out->coefficients_given = true;
  for (int i = 0; i < 3; i++)
    *values[i] = wy_read_number(r, wy_read_need(r, node, names[i], "a number: alpha, beta and gamma go together"));
}

static void read_box(wy_reader *r, const wy_node *node, wy_box_options *out) {
  static const char *const forces[] = {"history", "stage", NULL};
  const wy_node *force = wy_yaml_find(node, "contact_force");
  read_coefficients(r, node, out);
  out->transport = wy_read_choice(r, wy_yaml_find(node, "transport"), out->transport);
  if (force)
    out->force = wy_read_word(r, force, forces) == 1 ? WY_FORCE_STAGE : WY_FORCE_HISTORY;
}

/* Of fixed steps and of equilibria, whose defaults differ. */
static void read_newton(wy_reader *r, const wy_node *node, wy_solver_def *out) {
  static const char *const keys[] = {"tolerance", "iterations", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  const wy_node *tolerance = wy_yaml_find(node, "tolerance"), *iterations = wy_yaml_find(node, "iterations");
  if (tolerance)
    out->newton.tolerance = out->statics.newton_tolerance = wy_read_number(r, tolerance);
  if (tolerance && !r->failed && !(out->newton.tolerance >= 1e-14 && out->newton.tolerance <= 0.1))
    wy_read_expected(r, tolerance, "a number from 1e-14, which double precision can carry, to 0.1");
  if (iterations)
    out->newton.iterations = out->statics.newton_iterations = wy_read_integer(r, iterations, 1, MOST_ITERATIONS);
}

static void read_statics(wy_reader *r, const wy_node *node, wy_statics_options *out) {
  static const char *const continuations[] = {"load_stepping", "arc_length", NULL};
  static const char *const branches[] = {"follow", "switch", NULL};
  const wy_node *continuation = wy_yaml_find(node, "continuation"), *branch = wy_yaml_find(node, "branch");
  const wy_node *increments = wy_yaml_find(node, "increments");
  if (wy_read_is(continuation, "load stepping"))
    out->continuation = WY_LOAD_STEPPING;
  else if (continuation)
    out->continuation = wy_read_word(r, continuation, continuations) == 1 ? WY_ARC_LENGTH : WY_LOAD_STEPPING;
  if (branch)
    out->branch = wy_read_word(r, branch, branches) == 1 ? WY_SWITCH_BRANCH : WY_FOLLOW_BRANCH;
  if (increments)
    out->increments = wy_read_integer(r, increments, 1, MOST_INCREMENTS);
}

/* What a mapping says replaces what `out` holds. */
static void read_solver(wy_reader *r, const wy_node *node, wy_solver_def *out) {
  if (!node || !wy_read_mapping(r, node, solver_keys, NULL))
    return;
  read_methods(r, node, out);
  read_staggered(r, node, &out->staggered);
  read_mixed(r, node, &out->mixed);
  read_box(r, node, &out->box);
  read_statics(r, node, &out->statics);
  read_newton(r, wy_yaml_find(node, "newton"), out);
  read_tolerance(r, wy_yaml_find(node, "tolerance"), out);
  const wy_node *step = wy_yaml_find(node, "step");
  if (step)
    out->first_step = wy_read_positive(r, step);
}

/* The modes of all rods are counted together. */
static void read_modes(wy_reader *r, const wy_node *solver, bool of_rod) {
  const wy_node *node = wy_yaml_find(solver, "modes");
  if (node && of_rod)
    wy_read_expected(r, node, "it in the solver of the whole file, since the modes of all rods are counted together");
  else if (node)
    r->scenario->modes = wy_read_integer(r, node, 1, MOST_MODES);
}

/* The key of the rod's solver, or else of the file's. */
static const wy_node *own_or_common(const wy_reader *r, const wy_node *rod, const char *key) {
  const wy_node *own = wy_yaml_find(wy_yaml_find(rod, "solver"), key);
  return own ? own : wy_yaml_find(wy_yaml_find(r->root, "solver"), key);
}

/* A history of steps does not survive that the last state is moved, so nobody gets it silently for something else. */
static void check_stabilisation(wy_reader *r, const wy_node *rod, const wy_solver_def *solver) {
  const wy_node *node = own_or_common(r, rod, "stabilisation");
  if (r->failed || r->scenario->analysis != WY_DYNAMICS || !wy_read_is(node, "projection") ||
      strcmp(solver->scheme, "staggered") != 0 || !wy_method_is_multistep(solver))
    return;
  wy_read_expected(r, node,
                   "baumgarte, or another integrator: %s is a multistep method, whose history projection spoils",
                   solver->integrator);
}

/* Differences of order 2 need an odd number of segments (docs/theory/conserving.md): theirs is the next one. */
static void choose_segments(const wy_node *node, const wy_solver_def *solver, wy_rod_def *rod) {
  if (!wy_yaml_find(node, "segments") && strcmp(solver->scheme, "conserving") == 0 && solver->conserving.order == 2)
    rod->segments += rod->segments % 2 == 0;
}

void wy_read_solvers(wy_reader *r) {
  wy_sim_def *sim = &r->scenario->sim;
  read_solver(r, wy_yaml_find(r->root, "solver"), &sim->solver);
  r->scenario->modes = r->scenario->analysis == WY_BUCKLING ? 4 : 10;
  read_modes(r, wy_yaml_find(r->root, "solver"), false);
  const wy_node *rods = wy_yaml_find(r->root, "rods");
  if (r->failed || !rods)
    return;
  wy_solver_def *solvers = wy_pool_take(r->pool, (size_t)rods->count * sizeof *solvers);
  r->steps = wy_pool_take(r->pool, (size_t)rods->count * sizeof *r->steps);
  for (const wy_node *rod = rods->first; rod; rod = rod->next) {
    solvers[rod->index] = sim->solver;
    read_solver(r, wy_yaml_find(rod, "solver"), &solvers[rod->index]);
    read_modes(r, wy_yaml_find(rod, "solver"), true);
    check_stabilisation(r, rod, &solvers[rod->index]);
    read_order(r, own_or_common(r, rod, "order"), r->rods[rod->index].name, &solvers[rod->index]);
    choose_segments(rod, &solvers[rod->index], &r->rods[rod->index]);
    r->steps[rod->index] = own_or_common(r, rod, "step");
  }
  sim->rod_solvers = r->solvers = solvers;
  sim->statics = r->scenario->analysis != WY_DYNAMICS || r->scenario->from_statics;
  r->scenario->follows_path =
      r->scenario->analysis == WY_QUASISTATICS && rods->count == 1 && solvers[0].statics.continuation == WY_ARC_LENGTH;
}
