/* SPDX-License-Identifier: MIT */
/* The key `solver`, for all rods and of single rods: scheme, integrator, tolerances, options of the schemes and of
   statics. */
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"

/* Integrators that the library knows but that were not built are refused later, with the reason. */
static void read_methods(wy_reader *r, const wy_node *node, wy_solver_def *out) {
  const char *scheme = wy_read_word_name(r, wy_yaml_find(node, "scheme"));
  const char *integrator = wy_read_word_name(r, wy_yaml_find(node, "integrator"));
  out->scheme = scheme ? scheme : out->scheme;
  out->integrator = integrator ? integrator : out->integrator;
}

static void read_tolerance(wy_reader *r, const wy_node *node, wy_solver_def *out) {
  if (!node)
    return;
  if (node->kind != WY_MAPPING) {
    out->relative_tolerance = out->absolute_tolerance = wy_read_number(r, node);
    return;
  }
  if (!wy_read_mapping(r, node))
    return;
  out->relative_tolerance = wy_read_optional(r, wy_yaml_find(node, "relative"), out->relative_tolerance);
  out->absolute_tolerance = wy_read_optional(r, wy_yaml_find(node, "absolute"), out->absolute_tolerance);
}

static void read_stabilisation(wy_reader *r, const wy_node *node, wy_staggered_options *out) {
  if (node && node->kind != WY_MAPPING)
    out->stabilisation = (wy_stabilisation)wy_read_choice(r, node, WY_PROJECTION);
  if (!node || node->kind != WY_MAPPING || !wy_read_mapping(r, node))
    return;
  const wy_node *baumgarte = wy_yaml_find(node, "baumgarte");
  if (!baumgarte)
    wy_read_need(r, node, "baumgarte");
  if (!wy_read_mapping(r, baumgarte))
    return;
  out->stabilisation = WY_BAUMGARTE;
  out->baumgarte_omega = wy_read_optional(r, wy_yaml_find(baumgarte, "omega"), out->baumgarte_omega);
  out->baumgarte_r = wy_read_optional(r, wy_yaml_find(baumgarte, "r"), out->baumgarte_r);
}

static void read_staggered(wy_reader *r, const wy_node *node, wy_staggered_options *out) {
  const wy_node *curvature = wy_yaml_find(node, "curvature_measure"), *same = wy_yaml_find(node, "curvature");
  if (curvature && same)
    wy_read_fail(r, same, "found both curvature and curvature_measure; expected one, since they are the same key");
  out->curvature_measure =
      (wy_curvature_measure)wy_read_choice(r, curvature ? curvature : same, (int)out->curvature_measure);
  out->coordinates = (wy_coordinates)wy_read_choice(r, wy_yaml_find(node, "coordinates"), (int)out->coordinates);
  out->segment_inertia =
      (wy_segment_inertia)wy_read_choice(r, wy_yaml_find(node, "segment_inertia"), (int)out->segment_inertia);
  read_stabilisation(r, wy_yaml_find(node, "stabilisation"), out);
}

static void read_mixed(wy_reader *r, const wy_node *node, wy_mixed_options *out) {
  out->end_moment = (wy_end_moment)wy_read_choice(r, wy_yaml_find(node, "end_moment"), (int)out->end_moment);
}

/* ", 2 or 4 with the scheme conserving": the orders of all schemes that have any. */
static void list_orders(wy_solver_def solver, char *out, size_t size) {
  out[0] = '\0';
  for (int i = 0; (solver.scheme = wy_scheme_name(i)); i++) {
    const wy_scheme_info info = wy_scheme_describe(&solver);
    if (info.orders[0] > 0)
      snprintf(out + strlen(out), size - strlen(out), "%s%d or %d with the scheme %s", out[0] ? ", " : "",
               info.orders[0], info.orders[1], info.name);
  }
}

static bool is_order_of_any(wy_solver_def solver, double order) {
  bool any = false;
  for (int i = 0; (solver.scheme = wy_scheme_name(i)); i++) {
    const wy_scheme_info info = wy_scheme_describe(&solver);
    any = any || (info.orders[0] > 0 && (order == info.orders[0] || order == info.orders[1]));
  }
  return any;
}

/* One key for several schemes, each with orders of its own: which of them it is for is known for a rod, not for a file.
   A scheme without an order leaves it to others. */
static void read_order(wy_reader *r, const wy_node *node, const char *rod, wy_solver_def *out) {
  const wy_scheme_info info = wy_scheme_describe(out);
  char orders[160];
  if (!node)
    return;
  const double order = wy_read_number(r, node);
  if (r->failed)
    return;
  const bool own = info.orders[0] > 0,
             known = own ? order == info.orders[0] || order == info.orders[1] : is_order_of_any(*out, order);
  list_orders(*out, orders, sizeof orders);
  if (known)
    wy_solver_set_order(out, (int)order, NULL);
  else if (own)
    wy_read_expected(r, node, "%d or %d, the order of the %s of the scheme %s (rod '%s')", info.orders[0],
                     info.orders[1], info.order_of, info.name, rod);
  else
    wy_read_expected(r, node, "%s", orders);
}

/* Three coefficients, or the number that they follow from. */
static void read_coefficients(wy_reader *r, const wy_node *node, wy_box_options *out) {
  static const char *const names[] = {"alpha", "beta", "gamma"};
  double *const values[] = {&out->alpha, &out->beta, &out->gamma};
  const wy_node *rho = wy_yaml_find(node, "rho_inf"), *any = NULL;
  for (int i = 0; i < 3; i++)
    any = any ? any : wy_yaml_find(node, names[i]);
  if (rho && any)
    wy_read_fail(r, any, "found %s together with rho_inf; expected either rho_inf or alpha, beta and gamma", any->key);
  if (rho) {
    out->rho_inf = wy_read_number(r, rho);
    out->coefficients_given = false;
  }
  if (!any)
    return;
  out->coefficients_given = true;
  for (int i = 0; i < 3; i++)
    *values[i] = wy_read_number(r, wy_read_need(r, node, names[i]));
}

static void read_box(wy_reader *r, const wy_node *node, wy_box_options *out) {
  read_coefficients(r, node, out);
  out->transport = wy_read_choice(r, wy_yaml_find(node, "transport"), out->transport);
  const wy_node *force = wy_yaml_find(node, "section_force"), *old = wy_yaml_find(node, "contact_force");
  if (force && old)
    wy_read_fail(r, old, "found contact_force together with section_force; expected one of them, the second");
  out->force = (wy_section_force)wy_read_choice(r, force ? force : old, (int)out->force);
}

/* Of fixed steps and of equilibria, whose defaults differ. */
static void read_newton(wy_reader *r, const wy_node *node, wy_solver_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  const wy_node *tolerance = wy_yaml_find(node, "tolerance"), *iterations = wy_yaml_find(node, "iterations");
  if (tolerance)
    out->newton.tolerance = out->statics.newton_tolerance = wy_read_number(r, tolerance);
  if (tolerance && !r->failed && !(out->newton.tolerance >= 1e-14 && out->newton.tolerance <= 0.1))
    wy_read_expected(r, tolerance, "a number from 1e-14, the limit of double precision, to 0.1");
  if (iterations)
    out->newton.iterations = out->statics.newton_iterations = wy_read_integer(r, iterations, 1);
}

static void read_statics(wy_reader *r, const wy_node *node, wy_statics_options *out) {
  out->continuation = (wy_continuation)wy_read_choice(r, wy_yaml_find(node, "continuation"), (int)out->continuation);
  out->branch = (wy_branch)wy_read_choice(r, wy_yaml_find(node, "branch"), (int)out->branch);
  out->increments = wy_read_integer(r, wy_yaml_find(node, "increments"), out->increments);
}

/* What a mapping says replaces what `out` holds. */
static void read_solver(wy_reader *r, const wy_node *node, wy_solver_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  read_methods(r, node, out);
  read_staggered(r, node, &out->staggered);
  for (int end = 0; end < 2; end++)
    out->clamp[end] = (wy_clamp)wy_read_choice(r, wy_yaml_find(node, "clamp"), (int)out->clamp[end]);
  read_mixed(r, node, &out->mixed);
  read_box(r, node, &out->box);
  read_statics(r, node, &out->statics);
  read_newton(r, wy_yaml_find(node, "newton"), out);
  read_tolerance(r, wy_yaml_find(node, "tolerance"), out);
  out->first_step = wy_read_optional(r, wy_yaml_find(node, "step"), out->first_step);
  out->allow_drift = wy_read_optional(r, wy_yaml_find(node, "allow_drift"), out->allow_drift);
}

/* The modes of all rods are counted together. */
static void read_modes(wy_reader *r, const wy_node *solver, bool of_rod) {
  const wy_node *node = wy_yaml_find(solver, "modes");
  if (node && of_rod)
    wy_read_expected(r, node, "it in the solver of the whole file, since the modes of all rods are counted together");
  else if (node)
    r->scenario->modes = wy_read_integer(r, node, 1);
}

const wy_node *wy_read_solver_key(const wy_reader *r, const wy_node *rod, const char *key) {
  const wy_node *own = wy_yaml_find(wy_yaml_find(rod, "solver"), key);
  return own ? own : wy_yaml_find(wy_yaml_find(r->root, "solver"), key);
}

static bool is_projection(const wy_node *node) {
  const wy_word *word = wy_read_which(node);
  return word && word->value == WY_PROJECTION;
}

/* A history of steps does not survive that the last state is moved, so nobody gets it silently for something else. */
static void check_stabilisation(wy_reader *r, const wy_node *rod, const wy_solver_def *solver) {
  const wy_node *node = wy_read_solver_key(r, rod, "stabilisation");
  if (r->failed || r->scenario->analysis != WY_DYNAMICS || !is_projection(node) ||
      !wy_scheme_describe(solver).projects || !wy_method_is_multistep(solver))
    return;
  wy_read_expected(
      r, node,
      "baumgarte, or another integrator: %s is a multistep method, whose stored steps projection would invalidate",
      solver->integrator);
}

/* 0: none is asked for. */
static double read_accuracy(wy_reader *r, const wy_node *node) {
  const double accuracy = node ? wy_read_number(r, node) : 0;
  if (node && !r->failed && !(accuracy >= WY_ACCURACY_LEAST && accuracy <= WY_ACCURACY_MOST))
    wy_read_refuse(r, node);
  return accuracy;
}

/* Where a scheme needs an odd number of segments, the next one is taken. */
static void choose_segments(const wy_node *node, const wy_solver_def *solver, wy_rod_def *rod) {
  if (!wy_yaml_find(node, "segments") && !rod->segment_lengths && wy_scheme_describe(solver).odd_segments)
    rod->segments += rod->segments % 2 == 0;
}

void wy_read_solvers(wy_reader *r) {
  wy_sim_def *sim = &r->scenario->sim;
  read_solver(r, wy_yaml_find(r->root, "solver"), &sim->solver);
  r->scenario->modes = r->scenario->analysis == WY_BUCKLING ? 4 : 10;
  read_modes(r, wy_yaml_find(r->root, "solver"), false);
  const wy_node *rods = wy_yaml_find(r->root, "rods");
  r->solver_count = rods ? rods->count : 1;
  wy_solver_def *solvers = wy_read_take(r, (size_t)r->solver_count * sizeof *solvers);
  r->accuracies = wy_read_take(r, (size_t)r->solver_count * sizeof *r->accuracies);
  r->steps = wy_read_take(r, (size_t)r->solver_count * sizeof *r->steps);
  if (r->failed)
    return;
  sim->statics = r->scenario->analysis != WY_DYNAMICS || r->scenario->from_statics;
  if (!rods) {
    r->solvers = &sim->solver;
    r->steps[0] = wy_yaml_find(wy_yaml_find(r->root, "solver"), "step");
    return;
  }
  for (const wy_node *rod = rods->first; rod; rod = rod->next) {
    solvers[rod->index] = sim->solver;
    read_solver(r, wy_yaml_find(rod, "solver"), &solvers[rod->index]);
    read_modes(r, wy_yaml_find(rod, "solver"), true);
    check_stabilisation(r, rod, &solvers[rod->index]);
    read_order(r, wy_read_solver_key(r, rod, "order"), r->rods[rod->index].name, &solvers[rod->index]);
    r->accuracies[rod->index] = read_accuracy(r, wy_read_solver_key(r, rod, "accuracy"));
    choose_segments(rod, &solvers[rod->index], &r->rods[rod->index]);
    r->steps[rod->index] = wy_read_solver_key(r, rod, "step");
  }
  sim->rod_solvers = r->scenario->solvers = r->solvers = solvers;
}
