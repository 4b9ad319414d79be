/* SPDX-License-Identifier: MIT */
/* The modes of all groups of rods and bodies in one ascending table: modes.csv or buckling.csv, and what result.h5
 * holds under /modes. */
#ifndef WY_RUN_RESULTS_MODES_H
#define WY_RUN_RESULTS_MODES_H

#include "run/results/file.h"
#include "withy/run.h"

typedef struct wy_mode_table {
  bool buckling;
  int rod_count, body_count;
  wy_mode_set **rods, **bodies; /* one for each; the table owns them. NULL where there is none */
  int count;
  wy_run_mode *rows; /* ascending */
} wy_mode_table;

/* Room for the sets of all rods and bodies; NULL without memory. */
wy_mode_table *wy_mode_table_create(bool buckling, const wy_model *model);
void wy_mode_table_destroy(wy_mode_table *table);

/* Once the sets are there: the rows, the `most` lowest of all groups. WY_ERROR_SOLVER where a number is not finite. */
wy_status wy_mode_table_sort(wy_mode_table *table, int most, const wy_model *model, const wy_sim *sim,
                             wy_message *message);

/* `mode,omega,damping_ratio` or `mode,factor,limit_point`, modes counted from 1. */
wy_status wy_mode_table_write(const wy_mode_table *table, const char *path, wy_message *message);

#endif
