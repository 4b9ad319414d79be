/* SPDX-License-Identifier: MIT */
/* All schemes of the registry with every kind of rod that they carry, and a rod that all of them take. */
#ifndef WY_TESTS_SUPPORT_REGISTRY_H
#define WY_TESTS_SUPPORT_REGISTRY_H

#include "support/rods.h"

enum { PLAIN_PIECES = 21, ROD_KINDS = 3 };

/* A straight elastic rod that every scheme carries, of length 1, with sizes of order 1 and no two stiffnesses alike. */
wy_rod_def plain_rod(wy_rod_kind kind);
/* What it is made of: stiffness along the rod, mass per length. */
extern const double plain_extension, plain_mass;

/* A fixed step of 0.01, or error control well below what the checks ask for. */
wy_solver_def solver_of(const char *scheme);

/* Without room for equilibria, which not every scheme has. */
test_sim moving_sim(const wy_rod_def *rod, const wy_solver_def *solver, const double gravity[3]);

typedef void scheme_check(const char *scheme, wy_rod_kind kind, const char *name);
void for_all_schemes(scheme_check *check);
/* Of these the ones that carry fluids. */
void for_all_fluids(scheme_check *check);

#endif
