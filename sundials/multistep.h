/* SPDX-License-Identifier: MIT */
/* What the multistep methods ida and cvode share: starts, steps, continuous output, integrals, restarts. */
#ifndef WY_SUNDIALS_MULTISTEP_H
#define WY_SUNDIALS_MULTISTEP_H

#include "sundials/bridge.h"

/* What one step has brought. */
typedef struct wy_multistep_report {
  int order;
  double next;   /* the step that would follow */
  long failures; /* rejected attempts since `begin` */
} wy_multistep_report;

/* A multistep code of SUNDIALS. Functions return what SUNDIALS returns: 0, or > 0 where a step has reached the stop. */
typedef struct wy_multistep_code {
  int (*create)(wy_bridge *bridge);
  void (*destroy)(wy_bridge *bridge);
  /* Begins at t with bridge->y and its rate bridge->yp. */
  int (*begin)(wy_bridge *bridge, double t, double h);
  /* One step, the new state in bridge->y. */
  int (*step)(wy_bridge *bridge, double t_stop, double *t);
  /* The state within the last step. */
  int (*sample)(wy_bridge *bridge, double t, N_Vector y);
  void (*report)(wy_bridge *bridge, wy_multistep_report *report);
  wy_rejection (*reason)(int flag);
} wy_multistep_code;

wy_status wy_multistep_open(wy_integrator *self, const wy_multistep_code *code, wy_message *message);

void wy_multistep_layout(wy_integrator *self, wy_memory *memory);
void wy_multistep_close(wy_integrator *self);
void wy_multistep_start(wy_integrator *self);
wy_outcome wy_multistep_attempt(wy_integrator *self, double t_stop);
void wy_multistep_dense(const wy_integrator *self, double t, double *u);
void wy_multistep_invalidate(wy_integrator *self, bool only_f);
void wy_multistep_resume(wy_integrator *self);

/* The integrator of a code; `open_code` calls wy_multistep_open with it. */
#define WY_MULTISTEP(row, open_code)                                                                                   \
  {                                                                                                                    \
    .info = (row), .needs = {.real = 1}, .layout = wy_multistep_layout, .open = (open_code),                           \
    .close = wy_multistep_close, .start = wy_multistep_start, .attempt = wy_multistep_attempt,                         \
    .dense = wy_multistep_dense, .invalidate = wy_multistep_invalidate, .resume = wy_multistep_resume                  \
  }

#endif
