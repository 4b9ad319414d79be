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
/* Prothero and Robinson: u' = -1e6 (u - cos t) - sin t, u = cos t. */
extern const toy_problem toy_stiff;
/* u' = u^2 from 1 becomes infinite at t = 1. */
extern const toy_problem toy_explosion;

/* The problem is reached through a static pointer: one toy at a time. */
void toy_create(toy *made, const toy_problem *problem, const wy_integrator_type *type, double tolerance);
void toy_destroy(toy *made);

/* Saved memory is all there is: a copy of it, taken now, continues bit for bit until `end`. */
void toy_check_restart(toy *made, double end);

#endif
