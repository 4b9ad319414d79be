/* SPDX-License-Identifier: MIT */
/* CVODE of SUNDIALS: backward differentiation formulas of order 1 to 5 for ordinary differential equations, a relative
   of ode15s, with a watch over their limit of stability. docs/theory/integrators.md (I41). */
#include <cvode/cvode.h>

#include "sundials/methods.h"
#include "sundials/multistep.h"
#include "sundials/rows.h"

static int rhs(realtype t, N_Vector y, N_Vector f, void *data) {
  return wy_bridge_rhs(data, t, y, f, false);
}

/* 1 - gamma J = gamma (1 / gamma - J), with the Jacobian kept where it is still good. */
static int linear_system(realtype t, N_Vector y, N_Vector f, SUNMatrix matrix, booleantype keep, booleantype *renewed,
                         realtype gamma, void *data, N_Vector work1, N_Vector work2, N_Vector work3) {
  wy_bridge *bridge = data;
  (void)f, (void)matrix, (void)work1, (void)work2, (void)work3;
  bridge->sigma = bridge->scale = 1 / gamma;
  *renewed = !keep;
  return keep ? 0 : wy_bridge_jacobian(bridge, t, y);
}

static int create(wy_bridge *bridge) {
  void *cvode = bridge->solver = CVodeCreate(CV_BDF, bridge->context);
  const double longest = bridge->integrator->largest_step;
  return !cvode || CVodeSetErrFile(cvode, NULL) || CVodeInit(cvode, rhs, 0, bridge->y) ||
         CVodeSetUserData(cvode, bridge) || CVodeSetStabLimDet(cvode, SUNTRUE) ||
         CVodeWFtolerances(cvode, wy_bridge_weights) || CVodeSetLinearSolver(cvode, bridge->linear, bridge->matrix) ||
         CVodeSetLinSysFn(cvode, linear_system) || CVodeSetMaxErrTestFails(cvode, WY_SUNDIALS_MOST_FAILURES) ||
         CVodeSetMaxConvFails(cvode, WY_SUNDIALS_MOST_FAILURES) || (longest > 0 && CVodeSetMaxStep(cvode, longest));
}

static void destroy(wy_bridge *bridge) {
  CVodeFree(&bridge->solver);
}

static int begin(wy_bridge *bridge, double t, double h) {
  return CVodeReInit(bridge->solver, t, bridge->y) || CVodeSetInitStep(bridge->solver, h);
}

static int step(wy_bridge *bridge, double t_stop, double *t) {
  int flag = CVodeSetStopTime(bridge->solver, t_stop);
  return flag ? flag : CVode(bridge->solver, t_stop, bridge->y, t, CV_ONE_STEP);
}

static int sample(wy_bridge *bridge, double t, N_Vector y) {
  return CVodeGetDky(bridge->solver, t, 0, y);
}

static void report(wy_bridge *bridge, wy_multistep_report *report) {
  long by_error = 0, by_newton = 0;
  CVodeGetLastOrder(bridge->solver, &report->order);
  CVodeGetCurrentStep(bridge->solver, &report->next);
  CVodeGetNumErrTestFails(bridge->solver, &by_error);
  CVodeGetNumStepSolveFails(bridge->solver, &by_newton);
  report->failures = by_error + by_newton;
}

static wy_rejection reason(int flag) {
  switch (flag) {
  case CV_CONV_FAILURE:
  case CV_NLS_FAIL:
    return WY_BY_NEWTON;
  case CV_LSETUP_FAIL:
  case CV_LSOLVE_FAIL:
    return WY_BY_SINGULARITY;
  case CV_RHSFUNC_FAIL:
  case CV_FIRST_RHSFUNC_ERR:
  case CV_REPTD_RHSFUNC_ERR:
  case CV_UNREC_RHSFUNC_ERR:
    return WY_BY_NAN;
  default:
    return WY_BY_ERROR;
  }
}

static wy_status open(wy_integrator *self, wy_message *message) {
  static const wy_multistep_code code = {create, destroy, begin, step, sample, report, reason};
  return wy_multistep_open(self, &code, message);
}

const wy_integrator_type wy_cvode = WY_MULTISTEP(&wy_cvode_row, open);
