/* SPDX-License-Identifier: MIT */
/* The schema of plans of sweeps (`withy sweep`), in the form of that of scenarios. */
#ifndef WY_RUN_SCHEMA_SWEEP_H
#define WY_RUN_SCHEMA_SWEEP_H

#include "run/schema/schema.h"

/* How points are made of what varies. */
typedef enum wy_combine { WY_GRID, WY_ZIP, WY_LATIN, WY_SOBOL, WY_RANDOM } wy_combine;

/* What is kept of a probe, of a mode, of a run. */
typedef enum wy_keep_of {
  WY_KEEP_END,
  WY_KEEP_START,
  WY_KEEP_MIN,
  WY_KEEP_MAX,
  WY_KEEP_MEAN,
  WY_KEEP_RMS,
  WY_KEEP_RANGE,
  WY_KEEP_SERIES,
  WY_KEEP_OMEGA, /* from here on of a mode */
  WY_KEEP_FREQUENCY,
  WY_KEEP_DAMPING_RATIO,
  WY_KEEP_FACTOR
} wy_keep_of;

typedef enum wy_keep_run {
  WY_KEEP_STEPS,
  WY_KEEP_REJECTED,
  WY_KEEP_RHS,
  WY_KEEP_JACOBIANS,
  WY_KEEP_FACTORISATIONS,
  WY_KEEP_NEWTON,
  WY_KEEP_DRIFT,
  WY_KEEP_SECONDS
} wy_keep_run;

enum { WY_PLAN_MOST_POINTS = 10000000, WY_PLAN_MOST_MODES = 1000 };

extern const wy_key wy_schema_plan_root;
extern const wy_mapping wy_schema_plan, wy_schema_vary, wy_schema_keep, wy_schema_sweep_batch;

#endif
