/* SPDX-License-Identifier: MIT */
#include "scheme/solver.h"

#include <math.h>

#include "scheme/scheme.h"

enum { SOLVER_COOKIE = 0x57590407, SIM_COOKIE = 0x57590506 };
WY_DEF_ENDS_WITH(wy_solver_def, clamp);
WY_DEF_ENDS_WITH(wy_sim_def, clock);
_Static_assert(sizeof(wy_solver_def) <= sizeof(((wy_sim_def *)0)->room_for_solver), "wy_sim_def must keep its layout");

/* ---- Defaults ---- */

void wy_init_solver_def(wy_solver_def *def, size_t size) {
  wy_solver_def usual = {.cookie = SOLVER_COOKIE,
                         .size = sizeof usual,
                         .scheme = "staggered",
                         .integrator = "auto",
                         .relative_tolerance = 1e-6,
                         .absolute_tolerance = 1e-6,
                         .newton = {.tolerance = 1e-11, .iterations = 20},
                         .statics = {.increments = 25, .newton_tolerance = 1e-10, .newton_iterations = 20}};
  for (int i = 0; wy_scheme_at(i); i++)
    if (wy_scheme_options(wy_scheme_at(i))->defaults)
      wy_scheme_options(wy_scheme_at(i))->defaults(&usual);
  wy_def_fill(def, size, &usual);
}

void wy_init_sim_def(wy_sim_def *def, size_t size) {
  wy_sim_def usual = {.cookie = SIM_COOKIE, .size = sizeof usual, .end = INFINITY};
  usual.solver = wy_default_solver_def();
  wy_def_fill(def, size, &usual);
}

/* ---- Reading ---- */

const wy_solver_def *wy_solver_def_read(const wy_solver_def *def, wy_solver_def *own, wy_message *message) {
  *own = wy_default_solver_def();
  return wy_def_read(def, own, "solver", "solver", message);
}

const wy_sim_def *wy_sim_def_read(const wy_sim_def *def, wy_sim_def *own, wy_message *message) {
  *own = wy_default_sim_def();
  return wy_def_read(def, own, "sim", "solver", message);
}

const wy_solver_def *wy_sim_def_solver(const wy_sim_def *def, int rod, wy_solver_def *own, wy_message *message) {
  if (!def->rod_solvers)
    return wy_solver_def_read(&def->solver, own, message);
  *own = wy_default_solver_def();
  return wy_def_read_at(def->rod_solvers, rod, own, "solver", "solver", message);
}
