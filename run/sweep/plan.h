/* SPDX-License-Identifier: MIT */
/* A plan inside: what the files of run/sweep/ share. */
#ifndef WY_RUN_SWEEP_PLAN_H
#define WY_RUN_SWEEP_PLAN_H

#include "run/scenario/reader.h"
#include "run/sweep/points.h"
#include "withy/sweep.h"

typedef enum wy_kept_kind { WY_KEPT_PROBE, WY_KEPT_MODE, WY_KEPT_RUN, WY_KEPT_EXPRESSION } wy_kept_kind;

/* A quantity: one number of each run. */
typedef struct wy_kept {
  const char *name;
  const char *unit; /* "": not known */
  wy_kept_kind kind;
  wy_keep_of of;      /* of a probe or a mode */
  const char *column; /* of a probe: "tip.x" */
  int mode;           /* from 1 */
  wy_keep_run run;
  const char *text; /* of an expression */
} wy_kept;

/* A course: neighbouring columns. */
typedef struct wy_kept_series {
  const char *name;
  const char *const *columns; /* [column_count] */
  int column_count;
} wy_kept_series;

/* Constant after wy_plan_read. The pool owns everything. */
struct wy_plan {
  wy_pool pool;
  const char *text;           /* the plan */
  const char *scenario;       /* its name, as the plan has it */
  const char *scenario_label; /* where it lies: for messages and for the files that it names */
  const char *scenario_name;  /* without folder and ending */
  const char *scenario_text;
  const char *const *settings; /* of all points */
  int setting_count;
  const wy_scenario_file *files; /* that the scenario names, in memory */
  int file_count;
  wy_point_set points;
  wy_kept *kept;
  int kept_count;
  wy_kept_series *series;
  int series_count;
  uint64_t identity;
  const char *const *batch; /* settings that make of point 0 a scenario with all points as a batch; NULL: none */
  int batch_count;
};

/* The scenario with the settings of a point. */
wy_status wy_plan_open(const wy_plan *plan, int point, wy_scenario **scenario, wy_scenario_error *error);

/* All points as the rods of its only batch. */
wy_status wy_plan_open_batch(const wy_plan *plan, wy_scenario **scenario, wy_scenario_error *error);

/* Reads `batch` into the plan, whose points and what is kept are known; the scenario is that of a point. */
void wy_plan_read_batch(wy_reader *r, wy_plan *plan);

/* The tree of the scenario with the settings of all points; NULL: it was refused before, or there is no memory. */
wy_node *wy_plan_tree(wy_reader *r, const wy_plan *plan);

/* Reads what varies and how points are made of it. The root of the reader is the plan. */
void wy_plan_read_points(wy_reader *r, wy_point_set *points);
/* Can the key of the node stand before the '=' of a setting? */
void wy_plan_check_path(wy_reader *r, const wy_node *node);

/* Refuses a plan that gives a value of the scenario twice. The root of the reader is the plan. */
void wy_plan_check_places(wy_reader *r, const wy_plan *plan);

/* Reads `keep` into the plan, or fills it with the default; the scenario is that of a point. The root of the reader is
   the plan. */
void wy_plan_read_keep(wy_reader *r, wy_plan *plan, const wy_scenario *scenario);

/* A value of a plan as the text of a setting: lists and mappings in one line. */
const char *wy_plan_value_text(wy_reader *r, const wy_node *node);

#endif
