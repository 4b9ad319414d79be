/* SPDX-License-Identifier: MIT */
/* Definitions of solvers and simulations as programs give them, of any size (withy/definition.h). Each function returns
   the definition, or `own` with its members in it, or NULL with the reason. */
#ifndef WY_SCHEME_SOLVER_H
#define WY_SCHEME_SOLVER_H

#include "withy/sim.h"

const wy_solver_def *wy_solver_def_read(const wy_solver_def *def, wy_solver_def *own, wy_message *message);
const wy_sim_def *wy_sim_def_read(const wy_sim_def *def, wy_sim_def *own, wy_message *message);

/* The solver of a rod; `def` has been read. */
const wy_solver_def *wy_sim_def_solver(const wy_sim_def *def, int rod, wy_solver_def *own, wy_message *message);

#endif
