/* SPDX-License-Identifier: MIT */
/* Small systems with known solutions and dense linear algebra, to test integrators apart from rods. */
#ifndef WY_TESTS_SUPPORT_TOY_H
#define WY_TESTS_SUPPORT_TOY_H

#include "integrate/driver.h"

enum { TOY_MOST = 4 };

typedef struct toy_problem {
  int n;
  void (*rhs)(double t, const double *u, double *f);
  void (*jacobian)(double t, const double *u, double *j); /* row by row, n x n */
  double start[TOY_MOST];
  double (*power)(double t, const double *u); /* goes into the work integral; may be NULL */
} toy_problem;

/* An integrator on a toy problem, started at t = 0. */
typedef struct toy {
  wy_memory memory;
  wy_integrator integrator;
} toy;

/* u = (cos(t^2/2 + t), sin(t^2/2 + t)) solves u' = (1 + t) (-v, u) |u|^2: nonlinear, and it depends on time. Its power
   (1 + t) u integrates to sin(t^2/2 + t). */
extern const toy_problem toy_spin;
void toy_spin_solution(double t, double u[2]);
double toy_spin_error(const double *u, double t);
/* Prothero and Robinson: u' = -1e6 (u - cos t) - sin t, u = cos t. */
extern const toy_problem toy_stiff;
/* u' = u^2 from 1 becomes infinite at t = 1. */
extern const toy_problem toy_explosion;
/* The same problem with other frequencies: u = (cos wt, sin wt), w = toy_frequency. Linear, autonomous. */
extern const toy_problem toy_oscillator;
extern double toy_frequency;
/* A sweep through frequencies 1 to 21 in 5: u = (cos p, sin p), p = t + 2 t^2. Linear, with a rate that grows. Its
   power is d/dt sin(p). */
extern const toy_problem toy_sweep;
/* Euler's equations of a free body with three different moments of inertia, scaled: y1' = y2 y3, y2' = -y1 y3,
   y3' = -0.51 y1 y2 from (0, 1, 1), solved by Jacobi's elliptic functions. */
extern const toy_problem toy_body;
void toy_body_solution(double t, double u[3]);
/* A pendulum of length, mass and gravity 1 in Cartesian coordinates (x, y, x', y'), index reduced: the force of the rod
   follows from the second derivative of the constraint. It leaves the lowest point just fast enough to reach the
   highest one in infinite time: the angle is 4 atan(exp t) - pi. Its power, of gravity, is -y'. `toy_pendulum` is to be
   projected (toy_keep_on_circle), `toy_baumgarte` has the terms of Baumgarte in it. */
extern const toy_problem toy_pendulum, toy_baumgarte;
void toy_pendulum_solution(double t, double u[4]);

/* Every method with steps that adapt and takes a right-hand side, those of other parts too; NULL past the last one. */
const wy_integrator_type *adaptive_method(int index);

/* The order of the error that a method declares; 0 where it chooses its order. */
static inline int declared_order(const wy_integrator_type *type) {
  return type->info->lowest_order == type->info->highest_order ? type->info->highest_order : 0;
}

/* The problem is reached through a static pointer: one toy at a time. */
void toy_create(toy *made, const toy_problem *problem, const wy_integrator_type *type, double tolerance);
/* The same with a first step, or a largest one; 0: none. */
typedef struct toy_options {
  double tolerance, first_step, largest_step;
} toy_options;
void toy_create_with(toy *made, const toy_problem *problem, const wy_integrator_type *type, const toy_options *options);
void toy_destroy(toy *made);

/* What a system may offer beside, for the toy that was created last: projection to the constraints of the pendulum; and
   that f does not depend on time. */
void toy_keep_on_circle(void);
void toy_declare_autonomous(void);

/* Steps until t, none beyond `limit`; fails the test where that is not possible. */
void toy_drive(toy *made, double t, double limit);

/* Saved memory is all there is: a copy of it, taken now, continues bit for bit until `end`. */
void toy_check_restart(toy *made, double end);

#endif
