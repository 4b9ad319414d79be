/* SPDX-License-Identifier: MIT */
/* Networks whose motion, equilibria, frequencies or buckling loads are known (tests/data/network): for tests of several
   schemes. */
#ifndef WY_TESTS_SUPPORT_NETWORK_SCENES_H
#define WY_TESTS_SUPPORT_NETWORK_SCENES_H

#include "support/network.h"

/* A straight rod of the given stiffness (GA1, GA2, EA, EI1, EI2, GJ) and inertia (mass, rotary 1, 2, 3). */
wy_rod_def section_of(const double stiffness[6], const double inertia[4], int segments);
extern const double cantilever[6], unit_inertia[4];
/* d1 of all rods; any that is normal to a rod. */
void set_d1(test_network *net, double x, double y, double z);
void set_normal(wy_rod_def *rod);
/* A body at the origin, without inertia so far. */
wy_body_def *add_body(test_network *net, double mass);
void add_force(test_network *net, int rod, wy_end_name end, double x, double y, double z);

test_sim make_network(test_network *net, const wy_solver_def *solver, bool statics, double end);
void place_of(const test_sim *made, int rod, wy_end_name end, double place[3]);

/* Follows the path of equilibria, by an end of a rod, up to `until` or until `most` limit points are passed. Their
   number, and the time at each: maxima and minima in turn. */
int limits_on_path(const test_sim *made, int rod, wy_end_name end, double until, int most, double *limits);

/* A triangle of rods, welded at two corners and to a body at the third; two more rods hang there by balls; a spring
   goes from their end back to the body. */
void flying_network(test_network *net, int segments);
/* All of a network of straight rods turns like a rigid body and flies; one network at a time. */
void throw_network(test_network *net, const double v[3], const double om[3]);

/* One cantilever along x of `pieces` rods welded to each other, with `segments` in all. */
void pieces_of_cantilever(test_network *net, int pieces, int segments);
/* A circle of radius 1 in the plane x-y, four quarters from angle 0 on, d1 normal to it. */
void ring(test_network *net, const double stiffness[6], const double inertia[4], int segments, bool grounded);
/* The right-angle cantilever of Simo and Vu-Quoc (1988), with its pulse. */
void right_angle(test_network *net, int segments);
/* A body beyond the tip of a cantilever; a trunk with three branches: their first frequencies. */
void tip_body(test_network *net, int segments);
void tree(test_network *net, int segments);
extern const double tip_body_omega[5], tree_omega[5];
/* The right-angle frame that buckles sideways, with a force along x at its tip. */
void right_angle_frame(test_network *net, int segments, double force);

#endif
