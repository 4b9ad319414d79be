/* SPDX-License-Identifier: MIT */
/* What tells simulations apart: model, solvers and end, each with all members of its definition (base/identity.h). */
#include "base/identity.h"

#include <stdio.h>

#include "scheme/solver.h"
#include "sim/sim.h"

#define STAGGERED(ONE, MANY)                                                                                           \
  ONE(value, curvature_measure)                                                                                        \
  ONE(value, coordinates)                                                                                              \
  ONE(value, segment_inertia) ONE(value, stabilisation) ONE(value, baumgarte_omega) ONE(value, baumgarte_r)

static void identify_staggered(wy_identity *identity, const wy_staggered_options *of) {
  WY_IDENTIFY_ALL(wy_staggered_options, STAGGERED);
}

#define MIXED(ONE, MANY) ONE(value, order) ONE(value, end_moment)

static void identify_mixed(wy_identity *identity, const wy_mixed_options *of) {
  WY_IDENTIFY_ALL(wy_mixed_options, MIXED);
}

#define CONSERVING(ONE, MANY) ONE(value, order)

static void identify_conserving(wy_identity *identity, const wy_conserving_options *of) {
  WY_IDENTIFY_ALL(wy_conserving_options, CONSERVING);
}

#define BOX(ONE, MANY)                                                                                                 \
  ONE(value, rho_inf)                                                                                                  \
  ONE(value, coefficients_given)                                                                                       \
  ONE(value, alpha) ONE(value, beta) ONE(value, gamma) ONE(value, transport) ONE(value, force)

static void identify_box(wy_identity *identity, const wy_box_options *of) {
  WY_IDENTIFY_ALL(wy_box_options, BOX);
}

#define NEWTON(ONE, MANY) ONE(value, tolerance) ONE(value, iterations)

static void identify_newton(wy_identity *identity, const wy_newton_options *of) {
  WY_IDENTIFY_ALL(wy_newton_options, NEWTON);
}

#define STATICS(ONE, MANY)                                                                                             \
  ONE(value, continuation)                                                                                             \
  ONE(value, branch) ONE(value, increments) ONE(value, newton_tolerance) ONE(value, newton_iterations)

static void identify_statics(wy_identity *identity, const wy_statics_options *of) {
  WY_IDENTIFY_ALL(wy_statics_options, STATICS);
}

#define SOLVER(ONE, MANY)                                                                                              \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(text, scheme)                                                                                                    \
  ONE(text, integrator)                                                                                                \
  ONE(apart, more)                                                                                                     \
  ONE(value, relative_tolerance)                                                                                       \
  ONE(value, absolute_tolerance)                                                                                       \
  ONE(value, first_step)                                                                                               \
  ONE(value, largest_step)                                                                                             \
  ONE(apart, allow_drift)                                                                                              \
  ONE(staggered, staggered)                                                                                            \
  ONE(mixed, mixed)                                                                                                    \
  ONE(conserving, conserving) ONE(box, box) ONE(newton, newton) ONE(statics, statics) MANY(value, clamp)

/* Which of `more` integrators is in use says its name; which drift is allowed changes no state. */
static void identify_solver(wy_identity *identity, const wy_solver_def *of, const wy_integrator_type *type) {
  WY_IDENTIFY_ALL(wy_solver_def, SOLVER);
  wy_identify_text(identity, type->info->name);
}

static uint64_t hash_of(const wy_solver_def *of) {
  wy_identity own = {.hash = WY_IDENTITY_START}, *identity = &own;
  WY_IDENTIFY_ALL(wy_solver_def, SOLVER);
  return own.hash;
}

bool wy_sim_same_solver(const wy_solver_def *one, const wy_solver_def *other) {
  return hash_of(one) == hash_of(other);
}

#define SIM(ONE, MANY)                                                                                                 \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(apart, solver)                                                                                                   \
  ONE(apart, rod_solvers) ONE(value, statics) ONE(apart, end) ONE(apart, tasks) ONE(apart, clock)

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces" /* around `solver`, which is in a union */
#endif
static void identify_sim(wy_identity *identity, const wy_sim_def *of, const wy_sim *sim) {
  wy_solver_def own;
  WY_IDENTIFY_ALL(wy_sim_def, SIM);
  for (int i = 0; i < sim->rod_count; i++)
    identify_solver(identity, wy_sim_def_solver(of, i, &own, NULL), sim->rods[i].group->integrator->type);
  for (int i = 0; i < sim->group_count; i++)
    if (sim->groups[i].rod_count == 0)
      identify_solver(identity, wy_solver_def_read(&of->solver, &own, NULL), sim->groups[i].integrator->type);
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

void wy_sim_identify(wy_sim *sim, const wy_sim_def *def) {
  wy_identity solver = {.hash = WY_IDENTITY_START}, end = {.hash = WY_IDENTITY_START};
  wy_model_identify(sim->model, def->end, sim->identity);
  identify_sim(&solver, def, sim);
  wy_identify_number(&end, def->end);
  sim->identity[WY_SIM_SOLVER] = solver.hash;
  sim->identity[WY_SIM_END] = end.hash;
}

bool wy_sim_is_same(const wy_sim *sim, const uint64_t parts[WY_SIM_PARTS], char *differs, size_t size) {
  static const char *const names[WY_SIM_PARTS] = {
      [WY_MODEL_GRAVITY] = "gravity", [WY_MODEL_RODS] = "rods",
      [WY_MODEL_BODIES] = "bodies",   [WY_MODEL_JOINTS] = "joints",
      [WY_MODEL_SPRINGS] = "springs", [WY_MODEL_OBSTACLES] = "obstacles and contact",
      [WY_MODEL_LOADS] = "loads",     [WY_MODEL_ACTUATORS] = "actuators",
      [WY_SIM_SOLVER] = "solver",     [WY_SIM_END] = "end time"};
  size_t used = 0;
  differs[0] = '\0';
  for (int i = 0; i < WY_SIM_PARTS; i++)
    if (sim->identity[i] != parts[i] && used < size)
      used += (size_t)snprintf(differs + used, size - used, "%s%s", used ? ", " : "", names[i]);
  return used == 0;
}
