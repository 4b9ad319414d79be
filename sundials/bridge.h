/* SPDX-License-Identifier: MIT */
/* What SUNDIALS needs to move a system of withy: vectors, right-hand side, and the system's own linear algebra in place
   of matrices. One bridge per integrator, with a context of its own, so that rods may run in different threads. */
#ifndef WY_SUNDIALS_BRIDGE_H
#define WY_SUNDIALS_BRIDGE_H

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "sundials/vector.h"

/* SUNDIALS prints nothing: each code gets NULL for the file of its messages, withy has its own. */
typedef struct wy_bridge {
  wy_integrator *integrator;
  SUNContext context;
  void *solver; /* memory of IDA, CVODE or ERKStep */
  N_Vector y, yp;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  double sigma, scale; /* the matrix is (sigma - J) / scale */
  /* What a call back could not do since wy_bridge_forget; SUNDIALS itself tells less. */
  bool troubled;
  wy_rejection trouble;
} wy_bridge;

/* Rejections in a row that SUNDIALS may try before it gives up; a step then has shrunk to nothing. */
enum { WY_SUNDIALS_MOST_FAILURES = 60 };

/* Context, vectors and, for methods that factor, the linear solver: 0, or -1 without memory. */
int wy_bridge_open(wy_bridge *bridge, wy_integrator *integrator);
void wy_bridge_close(wy_bridge *bridge);
wy_status wy_bridge_failed(wy_message *message);

void wy_bridge_forget(wy_bridge *bridge);
/* f(t, y), with the integrals' rates behind it where `power`: 0, or 1 where it is not finite. */
int wy_bridge_rhs(wy_bridge *bridge, double t, N_Vector y, N_Vector f, bool power);
/* Keeps the Jacobian at (t, y): 0, > 0 where a smaller step may help, < 0 where nothing will. */
int wy_bridge_jacobian(wy_bridge *bridge, double t, N_Vector y);
/* For the error weights of all methods. */
int wy_bridge_weights(N_Vector y, N_Vector weights, void *bridge);

#endif
