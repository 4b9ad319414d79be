/* summary.json: what was run, how it ended, what it cost and how well energy was kept. */
#ifndef WY_IO_RESULTS_SUMMARY_H
#define WY_IO_RESULTS_SUMMARY_H

#include "io/checkpoint.h"
#include "io/results.h"

/* Adds the energies of the present state. The first call is that of the start. */
void wy_balance_add(wy_balance *balance, wy_energy energy, bool first);
/* The largest violation over the largest energy met; 0 where that is not above round-off, as for a rod at rest. */
double wy_balance_drift(const wy_balance *balance, double round_off);
/* The energy of strains of 1e-13, of a rod or WY_ALL_RODS. */
double wy_energy_round_off(const wy_model *model, int rod);

/* Of one rod or WY_ALL_RODS. Only dynamics follows the balance of energy: NAN elsewhere. */
double wy_summary_drift(const wy_results_def *def, int rod, const wy_balance *balance);
/* Where there is no motion, equilibria count as steps. */
wy_statistics wy_summary_statistics(const wy_results_def *def, int rod);

/* `balances`: all rods together, then each. */
wy_status wy_summary_write(const char *path, const wy_results_def *def, uint64_t identity, const wy_balance *balances,
                           const wy_run_report *report, wy_message *message);

/* Is there a summary in the file, of this run, and was it done? */
typedef struct wy_summary_state {
  bool exists, same_run, done;
} wy_summary_state;
wy_status wy_summary_look(const char *path, uint64_t identity, wy_summary_state *state, wy_message *message);

#endif
