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

/* The problem is reached through a static pointer: one toy at a time. */
void toy_create(toy *made, const toy_problem *problem, const wy_integrator_type *type, double tolerance);
void toy_destroy(toy *made);

#endif
