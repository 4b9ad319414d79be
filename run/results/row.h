/* SPDX-License-Identifier: MIT */
/* A row of probes.csv: its numbers, checked. */
#ifndef WY_RUN_RESULTS_ROW_H
#define WY_RUN_RESULTS_ROW_H

#include "run/results/batches.h"

/* The values of all columns in the present state of `sim` and of the batches, which may be NULL where there are none,
   in values[scenario->column_count]. A value that is not finite is an error; but INFINITY is none where the quantity
   may be that (wy_quantity_info.unbounded). */
wy_status wy_row_read(const wy_scenario *scenario, wy_sim *sim, wy_batches *batches, double *values,
                      wy_message *message);

#endif
