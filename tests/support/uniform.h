/* SPDX-License-Identifier: MIT */
/* A uniform rod that is clamped and loaded at its tip, and its equilibrium: for comparison with closed forms. */
#ifndef WY_TESTS_SUPPORT_UNIFORM_H
#define WY_TESTS_SUPPORT_UNIFORM_H

#include "support/published.h"

/* Clamped at its start. */
wy_rod_def given_rod(int segments, double length, const double stiffness[6], const double inertia[4]);
/* The same along e1, with mass 1 per length and rotary inertia (1, 1, 2) 1e-4. */
example uniform_rod(wy_rod_kind kind, int segments, double length, const double stiffness[6]);
/* NULL: none. */
void load_tip(example *e, const double force[3], const double moment[3], wy_axes axes);
test_sim settled(const example *e, const wy_solver_def *solver);

#endif
