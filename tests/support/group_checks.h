/* SPDX-License-Identifier: MIT */
/* A group as a system: its linear systems against dense ones made of differences, power and energy, counts. */
#ifndef WY_TESTS_SUPPORT_GROUP_CHECKS_H
#define WY_TESTS_SUPPORT_GROUP_CHECKS_H

#include "support/network.h"

/* sigma - J at a disturbed state, to 1e-9; a real shift if `im` is 0. */
void check_group_solve(const test_system *made, double re, double im);
void check_group_solve_to(const test_system *made, double re, double im, double tolerance);
/* The rate of the energy at a disturbed state; loads work and something dissipates. */
void check_group_power(const test_system *made);
/* K - mu M at a displaced configuration, to 1e-7. */
void check_group_tangent(const test_system *made, double mu);
/* The same at a given one. */
void check_group_tangent_at(const test_system *made, const double *config, double mu, double tolerance);
/* Counts at an equilibrium, for many shifts. `segments`: of all rods, three forces each; `conditions` between hubs. */
void check_group_counts(const test_system *made, int segments, int conditions);

#endif
