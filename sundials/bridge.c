/* SPDX-License-Identifier: MIT */
#include "sundials/bridge.h"

#include "base/message.h"

#if !defined(SUNDIALS_DOUBLE_PRECISION)
#error "withy needs SUNDIALS in double precision"
#endif

/* Passes on a status, and remembers what is wrong where there is one. */
static int blame(wy_bridge *bridge, int status, wy_rejection trouble) {
  if (status) {
    bridge->troubled = true;
    bridge->trouble = trouble;
  }
  return status;
}

void wy_bridge_forget(wy_bridge *bridge) {
  bridge->troubled = false;
}

int wy_bridge_rhs(wy_bridge *bridge, double t, N_Vector y, N_Vector f, bool power) {
  wy_integrator_rhs(bridge->integrator, t, wy_vector_data(y), wy_vector_data(f), power);
  int status = !wy_is_finite(bridge->integrator->system, wy_vector_data(f));
  return blame(bridge, status, WY_BY_NAN);
}

int wy_bridge_jacobian(wy_bridge *bridge, double t, N_Vector y) {
  wy_system *system = bridge->integrator->system;
  bridge->integrator->now->statistics.jacobians++;
  return blame(bridge, system->type->jacobian(system, t, wy_vector_data(y)), WY_BY_SINGULARITY);
}

int wy_bridge_weights(N_Vector y, N_Vector weights, void *bridge) {
  wy_vector_weights(((wy_bridge *)bridge)->integrator, y, weights);
  return 0;
}

/* ---- The matrix: a name only, what it stands for is kept by the system ---- */

static SUNMatrix_ID matrix_id(SUNMatrix matrix) {
  (void)matrix;
  return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix matrix) {
  (void)matrix;
  return 0;
}

static void matrix_destroy(SUNMatrix matrix) {
  SUNMatFreeEmpty(matrix);
}

/* ---- The linear solver: the system's own ---- */

static SUNLinearSolver_Type solver_type(SUNLinearSolver linear) {
  (void)linear;
  return SUNLINEARSOLVER_DIRECT;
}

static int solver_setup(SUNLinearSolver linear, SUNMatrix matrix) {
  wy_bridge *bridge = linear->content;
  wy_system *system = bridge->integrator->system;
  (void)matrix;
  bridge->integrator->now->statistics.factorisations++;
  return blame(bridge, system->type->factor(system, 0, bridge->sigma), WY_BY_SINGULARITY);
}

static int solver_solve(SUNLinearSolver linear, SUNMatrix matrix, N_Vector x, N_Vector b, realtype tolerance) {
  wy_bridge *bridge = linear->content;
  wy_system *system = bridge->integrator->system;
  (void)matrix, (void)tolerance;
  N_VScale(bridge->scale, b, x);
  system->type->solve(system, 0, wy_vector_data(x));
  bridge->integrator->now->statistics.newton_iterations++;
  return 0;
}

static int solver_free(SUNLinearSolver linear) {
  SUNLinSolFreeEmpty(linear);
  return 0;
}

static int open_linear(wy_bridge *bridge) {
  bridge->matrix = SUNMatNewEmpty(bridge->context);
  bridge->linear = SUNLinSolNewEmpty(bridge->context);
  if (!bridge->matrix || !bridge->linear)
    return -1;
  bridge->matrix->ops->getid = matrix_id;
  bridge->matrix->ops->zero = matrix_zero;
  bridge->matrix->ops->destroy = matrix_destroy;
  bridge->linear->ops->gettype = solver_type;
  bridge->linear->ops->setup = solver_setup;
  bridge->linear->ops->solve = solver_solve;
  bridge->linear->ops->free = solver_free;
  bridge->linear->content = bridge;
  return 0;
}

/* ---- */

int wy_bridge_open(wy_bridge *bridge, wy_integrator *integrator) {
  *bridge = (wy_bridge){.integrator = integrator, .scale = 1};
  if (SUNContext_Create(NULL, &bridge->context))
    return -1;
  bridge->y = wy_vector_new(integrator, bridge->context);
  bridge->yp = wy_vector_new(integrator, bridge->context);
  if (!bridge->y || !bridge->yp)
    return -1;
  return integrator->type->needs.real ? open_linear(bridge) : 0;
}

void wy_bridge_close(wy_bridge *bridge) {
  if (bridge->linear)
    SUNLinSolFree(bridge->linear);
  if (bridge->matrix)
    SUNMatDestroy(bridge->matrix);
  if (bridge->yp)
    N_VDestroy(bridge->yp);
  if (bridge->y)
    N_VDestroy(bridge->y);
  if (bridge->context)
    SUNContext_Free(&bridge->context);
  *bridge = (wy_bridge){0};
}

wy_status wy_bridge_failed(wy_message *message) {
  return wy_fail(message, WY_ERROR_MEMORY, "SUNDIALS could not be set up: not enough memory");
}
