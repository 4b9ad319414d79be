/* SPDX-License-Identifier: MIT */
/* summary.json: what was run, how it ended, what it cost and how well energy was kept. */
#ifndef WY_RUN_RESULTS_SUMMARY_H
#define WY_RUN_RESULTS_SUMMARY_H

#include "run/results/checkpoint.h"
#include "run/results/results.h"

/* The energy of strains of 1e-13, of a rod or WY_ALL_RODS. */
double wy_energy_round_off(const wy_model *model, int rod);

/* Of one rod or WY_ALL_RODS. Only dynamics follows the balance of energy: NAN elsewhere. */
double wy_summary_drift(const wy_results_def *def, int rod);
/* Where there is no motion, equilibria count as steps. */
wy_statistics wy_summary_statistics(const wy_results_def *def, int rod);

wy_status wy_summary_write(const char *path, const wy_results_def *def, uint64_t identity, const wy_run_report *report,
                           wy_message *message);

/* Is there a summary in the file, of this run, and was it done, with a result that is wrong or not? */
typedef struct wy_summary_state {
  bool exists, same_run, done, wrong;
} wy_summary_state;
wy_status wy_summary_look(const char *path, uint64_t identity, wy_summary_state *state, wy_message *message);

#endif
