/* SPDX-License-Identifier: MIT */
/* IDA of SUNDIALS, the successor of DASSL and DASPK: backward differentiation formulas of order 1 to 5 on
   F(t, y, y') = y' - f(t, y) = 0. docs/theory/integrators.md (I40). */
#include <ida/ida.h>

#include "sundials/methods.h"
#include "sundials/multistep.h"
#include "sundials/rows.h"

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *data) {
  int status = wy_bridge_rhs(data, t, y, r, false);
  if (!status)
    N_VLinearSum(1, yp, -1, r, r);
  return status;
}

/* dF/dy + cj dF/dy' = cj - J; factored in the set-up of the linear solver. */
static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix matrix, void *data,
                    N_Vector work1, N_Vector work2, N_Vector work3) {
  wy_bridge *bridge = data;
  (void)yp, (void)r, (void)matrix, (void)work1, (void)work2, (void)work3;
  bridge->sigma = cj;
  return wy_bridge_jacobian(bridge, t, y);
}

static int create(wy_bridge *bridge) {
  void *ida = bridge->solver = IDACreate(bridge->context);
  const double longest = bridge->integrator->largest_step;
  return !ida || IDASetErrFile(ida, NULL) || IDAInit(ida, residual, 0, bridge->y, bridge->yp) ||
         IDASetUserData(ida, bridge) || IDAWFtolerances(ida, wy_bridge_weights) ||
         IDASetLinearSolver(ida, bridge->linear, bridge->matrix) || IDASetJacFn(ida, jacobian) ||
         IDASetMaxErrTestFails(ida, WY_SUNDIALS_MOST_FAILURES) || IDASetMaxConvFails(ida, WY_SUNDIALS_MOST_FAILURES) ||
         (longest > 0 && IDASetMaxStep(ida, longest));
}

static void destroy(wy_bridge *bridge) {
  IDAFree(&bridge->solver);
}

static int begin(wy_bridge *bridge, double t, double h) {
  return IDAReInit(bridge->solver, t, bridge->y, bridge->yp) || IDASetInitStep(bridge->solver, h);
}

static int step(wy_bridge *bridge, double t_stop, double *t) {
  int flag = IDASetStopTime(bridge->solver, t_stop);
  return flag ? flag : IDASolve(bridge->solver, t_stop, t, bridge->y, bridge->yp, IDA_ONE_STEP);
}

static int sample(wy_bridge *bridge, double t, N_Vector y) {
  return IDAGetDky(bridge->solver, t, 0, y);
}

static void report(wy_bridge *bridge, wy_multistep_report *report) {
  long by_error = 0, by_newton = 0;
  IDAGetLastOrder(bridge->solver, &report->order);
  IDAGetCurrentStep(bridge->solver, &report->next);
  IDAGetNumErrTestFails(bridge->solver, &by_error);
  IDAGetNumStepSolveFails(bridge->solver, &by_newton);
  report->failures = by_error + by_newton;
}

static wy_rejection reason(int flag) {
  switch (flag) {
  case IDA_CONV_FAIL:
  case IDA_NLS_FAIL:
    return WY_BY_NEWTON;
  case IDA_LSETUP_FAIL:
  case IDA_LSOLVE_FAIL:
    return WY_BY_SINGULARITY;
  case IDA_RES_FAIL:
  case IDA_REP_RES_ERR:
  case IDA_FIRST_RES_FAIL:
    return WY_BY_NAN;
  default:
    return WY_BY_ERROR;
  }
}

static wy_status open(wy_integrator *self, wy_message *message) {
  static const wy_multistep_code code = {create, destroy, begin, step, sample, report, reason};
  return wy_multistep_open(self, &code, message);
}

const wy_integrator_type wy_ida = WY_MULTISTEP(&wy_ida_row, open);
