/* SPDX-License-Identifier: MIT */
/* What every scheme owes its users behind the public interface; tests choose rods, solvers and what changes. */
#ifndef WY_TESTS_SUPPORT_SIM_CHECKS_H
#define WY_TESTS_SUPPORT_SIM_CHECKS_H

#include "support/moving.h"

/* All that may change between two steps. */
typedef void sim_change(const test_sim *made);

/* Steps to 0.25, a time between steps, changes, a time shown, everything read, saved and restored: what must not
   allocate. For steps of 0.05. */
void use_everything(const test_sim *made, sim_change *change);

/* A snapshot of the first simulation, in the middle of everything and after a time between two steps was shown,
   continues bit for bit in the second over `times` more times. Frees both. */
void check_snapshot_continues(test_sim *first, test_sim *second, sim_change *change, int times);

/* Whether a simulation is possible; its message is printed. */
wy_status creation(const example *e, const wy_solver_def *solver, bool statics, wy_message *message);

#endif
