/* SPDX-License-Identifier: MIT */
/* What every scheme owes its users, checked at one state or configuration; tests choose rods, states and tolerances. */
#ifndef WY_TESTS_SUPPORT_SCHEME_CHECKS_H
#define WY_TESTS_SUPPORT_SCHEME_CHECKS_H

#include "support/rods.h"

/* A state on the manifold, well away from the undeformed one. The disturbance is larger than what a simplified Newton
   iteration is made for: repeated until it has converged. */
void projected_state(const test_system *made, double t, unsigned seed, double *u);

/* The same with any disturbance, and where what is left by the projection is not asked for. */
void near_state(const test_system *made, double size, double t, unsigned seed, double *u);

/* J x by differences of f along x, of order 4, at up to twice `step` from u: their error is about
   step^4 f^(5) + eps f / step. */
void differentiate(const test_system *made, double t, const double *u, const double *x, double step, double *out);

/* How to find J z, and how far (sigma - J) z may be from r, relative to r: `least`, or `of_solution` times the largest
   entry of z where that is more. */
typedef struct solve_check {
  double step; /* of differences; 0: the scheme's own product, which shares no code with the elimination */
  double least, of_solution;
} solve_check;

/* (sigma - J) z = r for a real and a complex shift; seeds of the real and the imaginary part of r. */
void check_solves(const test_system *made, const char *name, double t, const double *u, const unsigned seeds[2],
                  const solve_check *how);

/* d(kinetic + elastic + gravity + contact)/dt along f = work - dissipation at a state on the manifold, where reactions
   do no work, for a damped rod. Central differences of the energy along the flow: 1e-7 of the sizes involved. */
void check_power_balance(const test_system *made, const char *name, double t, const double *u, double step);

/* A state, turned: positions, quaternions and velocities; a shift is that of positions. */
void turn_state(const wy_system *system, const double q[4], const double shift[3], const double *from, double *to);
/* Turning and shifting a free rod turns accelerations and leaves body quantities. */
void check_turned(const test_system *made, const char *name, double t, const double *u, double relative);

/* Momentum of a free rod without loads does not change, at a state on the manifold. */
void check_momentum_is_kept(const test_system *made, const char *name, double t, const double *u);

/* Without loads nothing accelerates: the discrete undeformed rod is free of stress. The second derivative of a stretch
   is a difference of two accelerations over the length of its segment. */
void check_undeformed_rests(const test_system *made, const char *name, double tolerance);

/* K d = -dr/dd . d: solving (K - mu M) d with the central difference gives the direction back. To be called with the
   tangent at this configuration factored for this mu. */
void check_tangent_along(wy_system *system, const char *name, double t, double mu, const double *config,
                         const double *d);
/* The same for any directions, at a configuration away from the undeformed one, loads and motions of ends not in full.
 */
void check_tangent_shifted(const test_system *made, const char *name, double mu);
/* With a shift. */
void check_tangent(const test_system *made, const char *name);

/* For schemes that take their own steps, at the first guess of a step of length h from (t, u): `solve` inverts the
   derivative of `residual` along a direction to which any right-hand side leads. */
void check_step_solves(wy_system *system, const char *name, double t, double h, const double *u, unsigned *seed);

#endif
