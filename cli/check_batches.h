/* SPDX-License-Identifier: MIT */
/* What `withy check` says of batches. */
#ifndef WY_CLI_CHECK_BATCHES_H
#define WY_CLI_CHECK_BATCHES_H

#include "withy/scenario.h"

/* What a batch would run on, its memory, and how fast it will be: its first rods are moved for a moment. Prints lines
   for each of them. */
void wy_check_report_batches(const wy_scenario *scenario);

/* Bytes of all snapshots in result.h5. */
double wy_check_batch_bytes(const wy_scenario *scenario);

#endif
